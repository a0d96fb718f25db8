//! Fronts as stored in results, and their verification by the independent checker.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{self, Violation, ViolationKind, check};
use crate::stored::{encode, stored_names};
use crate::{Instance, Objective};
use gridwright_core::result::{StoredFront, StoredMember, Verdict};
use gridwright_core::search::pareto::{Archive, Point};
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

use super::evaluation::Shop;
use super::front::Front;
use super::objectives::Objectives;
use super::weights::{Extent, PARTS};

/// Verdict of the checker on a stored front.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontVerdict {
    /// True if every member is a permutation of all jobs with the stated values and no member covers another.
    pub feasible: bool,
    /// Missing share of the hypervolume in [`PARTS`], from recomputed values.
    pub missing: u64,
    /// Normalised hypervolume of the recomputed values.
    pub hypervolume: f64,
    /// Normalised additive ε against the point of the lower bounds.
    pub epsilon: f64,
    /// Violations of the kinds of [`crate::check`], and `values` (other values are stated) and `dominated`.
    pub violations: Vec<Violation>,
}

/// The verdict as results store it; its cost is the missing share of the hypervolume.
impl From<FrontVerdict> for Verdict {
    fn from(verdict: FrontVerdict) -> Self {
        Self::of(verdict.missing as f64, Violation::stored(&verdict.violations)).displayed(cost_text(verdict.missing))
    }
}

/// Converts a front to its stored form, with jobs by name.
pub fn stored(instance: &Instance, front: &Front) -> StoredFront {
    let count = front.objectives.count();
    let member = |(point, order): (&Point, &Arc<[u16]>)| StoredMember {
        values: point[..count].to_vec(),
        solution: encode(instance, order),
    };
    StoredFront {
        objectives: front.objectives.as_slice().iter().map(|objective| objective.name().to_owned()).collect(),
        low: front.extent.low[..count].to_vec(),
        high: front.extent.high[..count].to_vec(),
        hypervolume: front.hypervolume(),
        epsilon: front.epsilon(),
        members: front.points.iter().zip(&front.orders).map(member).collect(),
    }
}

/// Stored front of a single order, which may be incomplete.
pub fn single(instance: &Instance, objectives: &Objectives, order: &[u16]) -> StoredFront {
    let (extent, _) = Extent::new(instance, &Shop::new(instance), objectives);
    let verdict = check(instance, order);
    let (points, orders) = (vec![checked_point(objectives, &verdict)], vec![Arc::from(order)]);
    stored(instance, &Front { objectives: *objectives, extent, missing: 0, points, orders })
}

/// Values of an order by the checker, in the order of the objectives; 0 beyond.
fn checked_point(objectives: &Objectives, verdict: &check::Verdict) -> Point {
    let objectives = objectives.as_slice();
    std::array::from_fn(|axis| objectives.get(axis).and_then(|&one| verdict.value(one)).unwrap_or_default())
}

/// Objectives of a stored front.
///
/// # Errors
/// [`Error::Usage`] for an unknown objective.
pub fn objectives_of(front: &StoredFront) -> Result<Objectives> {
    let list: Vec<Objective> = front.objectives.iter().map(|name| name.parse()).collect::<Result<_>>()?;
    Objectives::new(&list)
}

/// Recomputes all members of a stored front independently of the search.
///
/// # Errors
/// [`Error::Usage`] if the front names jobs or objectives that the instance lacks, or has inconsistent bounds.
pub fn judge(instance: &Instance, front: &StoredFront) -> Result<FrontVerdict> {
    let objectives = objectives_of(front)?;
    objectives.check(instance)?;
    let count = objectives.count();
    let end = |values: &[u64]| -> Point { std::array::from_fn(|axis| values.get(axis).copied().unwrap_or(0)) };
    let extent = Extent { low: end(&front.low), high: end(&front.high) };
    if (0..count).any(|axis| extent.low[axis] >= extent.high[axis]) {
        let what = "the bounds of the front are inconsistent; the file was changed by hand, use the original";
        return Err(Error::Usage(what.to_owned()));
    }
    let places: HashMap<&str, u16> =
        instance.jobs.iter().enumerate().map(|(place, job)| (job.name.as_str(), place as u16)).collect();
    let mut violations = Vec::new();
    let mut points = Vec::with_capacity(front.members.len());
    let mut archive = Archive::default();
    for (number, member) in front.members.iter().enumerate() {
        let number = number + 1;
        let order = order_of(instance, &places, member)?;
        let verdict = check(instance, &order);
        violations.extend(
            verdict.violations.iter().map(|violation| Violation {
                kind: violation.kind,
                text: format!("member {number}: {}", violation.text),
            }),
        );
        let point = checked_point(&objectives, &verdict);
        if point[..count] != member.values[..] {
            let text = format!("member {number}: {:?} is stated, the order has {:?}", member.values, &point[..count]);
            violations.push(Violation::new(ViolationKind::Values, text));
        }
        let before = archive.len();
        let why = if !archive.insert(point, ()) {
            Some("an earlier one is equal or dominates it")
        } else if archive.len() <= before {
            Some("it dominates an earlier one")
        } else {
            None
        };
        if let Some(why) = why {
            violations.push(Violation::new(ViolationKind::Dominated, format!("member {number}: {why}")));
        }
        points.push(point);
    }
    if front.members.is_empty() {
        violations.push(Violation::new(ViolationKind::Missing, "the front has no members"));
    }
    Ok(FrontVerdict {
        feasible: violations.is_empty(),
        missing: extent.missing(&points, count),
        hypervolume: extent.hypervolume(&points, count),
        epsilon: extent.epsilon(&points, count),
        violations,
    })
}

fn order_of(instance: &Instance, places: &HashMap<&str, u16>, member: &StoredMember) -> Result<Vec<u16>> {
    let Some(jobs) = stored_names(&member.solution) else {
        return Err(Error::Usage("a member of the front is no order of jobs; use the original file".to_owned()));
    };
    let place = |job: &String| {
        places.get(job.as_str()).copied().ok_or_else(|| {
            let name = &instance.name;
            Error::Usage(format!("the front holds an unknown job {}, so it is none for {name}", quoted(job)))
        })
    };
    jobs.iter().map(place).collect()
}

/// Display text of the missing hypervolume.
pub(crate) fn cost_text(missing: u64) -> String {
    format!("{:.4} % of the hypervolume are missing", missing as f64 / PARTS as f64 * 100.0)
}

/// The front as CSV: the values, and the job in each position in a column of its own.
pub fn table(front: &StoredFront) -> String {
    let jobs = |member: &StoredMember| stored_names(&member.solution).unwrap_or_default();
    let positions = 1..=front.members.first().map_or(0, |member| jobs(member).len());
    let header: Vec<String> =
        front.objectives.iter().cloned().chain(positions.map(|position| format!("position {position}"))).collect();
    let row = |member: &StoredMember| member.values.iter().map(u64::to_string).chain(jobs(member)).collect();
    gridwright_core::text::table::write_table(&header, front.members.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::StoredSolution;
    use gridwright_core::result::Encoded;

    fn encoded(jobs: &[&str]) -> Encoded {
        Encoded::of(&StoredSolution::Order(jobs.iter().map(|job| (*job).to_owned()).collect()))
    }

    /// Jobs 3, 2 and 1, 4: 1, 2 has makespan 9 and flow time 14; 2, 1 has 7 and 12 and dominates it.
    fn example() -> (Instance, StoredFront) {
        let instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        let objectives: Objectives = "makespan,flowtime".parse().unwrap();
        let (extent, _) = Extent::new(&instance, &Shop::new(&instance), &objectives);
        let (points, orders) = (vec![[7, 12, 0, 0]], vec![Arc::from([1, 0])]);
        let missing = extent.missing(&points, 2);
        let front = stored(&instance, &Front { objectives, extent, points, orders, missing });
        assert_eq!(judge(&instance, &front).unwrap().missing, missing);
        (instance, front)
    }

    #[test]
    fn a_table_is_read_back_whatever_the_names_are() {
        use gridwright_core::text::Source;
        use gridwright_core::text::columns::Column;
        use gridwright_core::text::lines::Problems;
        use gridwright_core::text::table::Table;
        let (_, mut front) = example();
        let names = ["Desk, oak 2", "\"=Big\" chair"];
        front.members[0].solution = encoded(&names);
        let source = Source { path: std::path::Path::new("front.csv"), text: &table(&front) };
        let columns = ["makespan", "position 1", "position 2"].map(|name| Column::required(name, ""));
        let (table, mut problems, mut read) =
            (Table::open(source, &columns).unwrap(), Problems::new(source.path), vec![]);
        table.rows(&mut problems, |_, row| read.push([0, 1, 2].map(|column| row.get(column).to_owned())));
        assert!(problems.is_empty());
        assert_eq!(read, [["7", names[0], names[1]]]);
    }

    #[test]
    fn every_member_is_checked() {
        let (instance, front) = example();
        let verdict = judge(&instance, &front).unwrap();
        assert!(verdict.feasible, "{verdict:?}");
        assert_eq!(table(&front), "makespan,flowtime,position 1,position 2\n7,12,J2,J1\n");
        let kinds = |change: &dyn Fn(&mut StoredFront)| {
            let mut front = front.clone();
            change(&mut front);
            let verdict = judge(&instance, &front).unwrap();
            assert!(!verdict.feasible);
            verdict.violations.iter().map(|violation| violation.kind.as_ref().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&|front| front.members[0].values[1] = 11), ["values"]);
        assert_eq!(kinds(&|front| front.members[0].solution = encoded(&["J2"])), ["missing", "values"]);
        assert_eq!(kinds(&|front| front.members.push(front.members[0].clone())), ["dominated"]);
        let worse = StoredMember { values: vec![9, 14], solution: encoded(&["J1", "J2"]) };
        assert_eq!(kinds(&|front| front.members.push(worse.clone())), ["dominated"]);
        assert_eq!(kinds(&|front| front.members.insert(0, worse.clone())), ["dominated"]);
        assert_eq!(kinds(&|front| front.members.clear()), ["missing"]);
    }

    #[test]
    fn fronts_of_something_else_are_refused() {
        let (instance, front) = example();
        let refused = |change: &dyn Fn(&mut StoredFront)| {
            let mut front = front.clone();
            change(&mut front);
            judge(&instance, &front).unwrap_err().to_string()
        };
        assert!(refused(&|front| front.objectives[0] = "Cmax".to_owned()).contains("Cmax"));
        assert!(refused(&|front| front.objectives[0] = "tardy".to_owned()).contains("due dates"));
        assert!(refused(&|front| front.high[0] = front.low[0]).contains("bounds"));
        assert!(refused(&|front| front.members[0].solution = encoded(&["Z"])).contains("«Z»"));
        assert!(refused(&|front| front.members[0].solution = Encoded::of(&0)).contains("no order"));
    }
}
