//! Job permutations and demands as result and project files name them: by the names of jobs.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Instance;
use gridwright_core::data::FormerNames;
use gridwright_core::result::Encoded;

/// A permutation in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Names of the jobs in processing order.
    Order(Vec<String>),
}

/// The demands under which a run searched, in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Demands {
    /// A starting permutation.
    FlowShop {
        /// Names of the jobs in processing order.
        start: Vec<String>,
    },
}

/// Names of the jobs with these indices, in the same order; an index beyond the instance has an empty name.
pub fn names(instance: &Instance, order: &[u16]) -> Vec<String> {
    let name = |&job: &u16| instance.jobs.get(usize::from(job)).map_or_else(String::new, |job| job.name.clone());
    order.iter().map(name).collect()
}

/// Names every job of `order`, a sequence of job indices.
pub fn encode(instance: &Instance, order: &[u16]) -> Encoded {
    Encoded::of(&StoredSolution::Order(names(instance, order)))
}

/// A stored permutation with the present names of jobs; `None` if the value is none.
pub fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
    let mut order = stored_names(solution)?;
    order.iter_mut().for_each(|name| names.update("jobs", name));
    Some(Encoded::of(&StoredSolution::Order(order)))
}

/// Names of the jobs of a stored permutation; `None` if the value is none.
pub fn stored_names(solution: &Encoded) -> Option<Vec<String>> {
    solution.decode().map(|StoredSolution::Order(names)| names)
}

/// Job indices of a stored permutation, which may lack jobs or name some twice: the checker reports that.
///
/// # Errors
/// A sentence that names the instance, if the value is no permutation or names an unknown job.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Vec<u16>, String> {
    let name = &instance.name;
    let Some(jobs) = stored_names(solution) else {
        return Err(format!("it holds no order of the jobs of {name}; name the instance that it was made for"));
    };
    indices(instance, &jobs).map_err(|job| {
        format!(
            "it holds an unknown job “{}”, so it is no order for {name}; name the instance that it was made for",
            job.escape_debug()
        )
    })
}

/// Indices of the jobs with these names.
///
/// # Errors
/// The first name that no job has.
pub fn indices(instance: &Instance, names: &[String]) -> Result<Vec<u16>, String> {
    let known: HashMap<&str, u16> =
        instance.jobs.iter().zip(0..).map(|(job, index)| (job.name.as_str(), index)).collect();
    names.iter().map(|name| known.get(name.as_str()).copied().ok_or_else(|| name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use gridwright_core::data::Tables as _;

    use super::*;

    #[test]
    fn an_order_follows_jobs_with_another_name() {
        let from = Instance::of_times("shop", 2, vec![3, 2, 1, 4, 2, 2]).unwrap();
        let mut to = from.clone();
        to.jobs[1].name = "Desk".to_owned();
        let pair = [("J2".to_owned(), "Desk".to_owned())];
        let names = FormerNames::default().with(Instance::TABLES, &to.to_data(), 0, &pair);
        let stored = encode(&from, &[2, 1, 0]);
        assert!(decode(&to, &stored).is_err());
        assert_eq!(decode(&to, &renamed(&stored, &names).unwrap()), Ok(vec![2, 1, 0]));
    }
}
