//! Built-in instances: Taillard's 120, generated from their seeds, and a small workshop to learn with.

use std::path::Path;
use std::sync::OnceLock;

use super::formats::csv;
use super::generator::{self, Numbers};
use super::{BestKnown, Instance, Job, Objective};
use gridwright_core::text::Source;
use gridwright_core::{Error, Result, files};

/// Names of the samples that ship as CSV tables.
pub const SAMPLES: [&str; 1] = ["workshop"];

const WORKSHOP: &str = include_str!("../../../datasets/flowshop/workshop.csv");

/// Names, sizes, seeds and best-known values of Taillard's instances, as CSV.
const TAILLARD: &str = include_str!("../../../datasets/flowshop/taillard.csv");

/// Total flow times of the best orders of Taillard's instances in `docs/results`.
pub const OUR_BEST: [(&str, u64); 5] =
    [("ta061", 252_518), ("ta071", 296_691), ("ta081", 364_543), ("ta091", 1_034_306), ("ta101", 1_205_015)];

/// Table row of one of Taillard's instances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `ta001` to `ta120`.
    pub name: String,
    /// Number of jobs.
    pub jobs: usize,
    /// Number of machines.
    pub machines: usize,
    /// Seed of the generator.
    pub seed: u32,
    /// Published reference values.
    pub best_known: BestKnown,
    /// Smallest makespan on Taillard's own page (last revision 2015); an order with this makespan is known.
    pub makespan_2015: u64,
    /// Year in which the smallest total flow time was listed: 2019 or 2021.
    pub flow_time_year: u64,
}

impl Entry {
    /// Source of the best known value of an objective, with its year where that is known; `None` for objectives without a value.
    pub fn source(&self, objective: Objective) -> Option<&'static str> {
        let BestKnown { makespan, doubtful, .. } = self.best_known;
        match objective {
            Objective::Makespan if makespan == Some(self.makespan_2015) => {
                Some("Taillard's list of upper bounds, 2015")
            }
            Objective::Makespan if doubtful => Some("listed in 2025 without an order"),
            Objective::Makespan => Some("newest listed upper bound"),
            Objective::FlowTime if self.flow_time_year == 2021 => {
                Some("iterative beam search of Libralesso, Focke, Secardin and Jost, 2021")
            }
            Objective::FlowTime => Some("literature of 2019"),
            Objective::Tardiness | Objective::Tardy => None,
        }
    }
}

/// All 120 instances of Taillard, ascending by name.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| TAILLARD.lines().skip(1).filter_map(entry).collect())
}

/// Parses one line of the table; `None` if a field is missing or not a number.
fn entry(line: &str) -> Option<Entry> {
    let (name, rest) = line.split_once(',')?;
    let numbers: Vec<u64> = rest.split(',').map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let &[jobs, machines, seed, makespan_lower, makespan, makespan_2015, doubtful, flow_time, flow_time_year] =
        numbers.as_slice()
    else {
        return None;
    };
    Some(Entry {
        name: name.to_owned(),
        jobs: jobs as usize,
        machines: machines as usize,
        seed: u32::try_from(seed).ok()?,
        best_known: BestKnown {
            makespan: Some(makespan),
            flow_time: Some(flow_time),
            makespan_lower: Some(makespan_lower),
            of_file: false,
            doubtful: doubtful != 0,
        },
        makespan_2015,
        flow_time_year,
    })
}

/// Returns one of Taillard's instances (`ta001` to `ta120`) with Liefooghe's due dates.
///
/// # Errors
/// [`Error::Usage`] for an unknown name.
pub fn taillard(name: &str) -> Result<Instance> {
    let wanted = name.to_lowercase();
    let Some(entry) = entries().iter().find(|entry| entry.name == wanted) else {
        let what =
            format!("there is no instance «{}» of Taillard; they are called ta001 to ta120", name.escape_debug());
        return Err(Error::Usage(what));
    };
    let Numbers { times, due } = generator::numbers(entry.seed, entry.jobs, entry.machines);
    let instance = Instance {
        name: entry.name.clone(),
        jobs: due.into_iter().map(|due| Job { due: Some(due), ..Job::default() }).collect(),
        machines: vec![String::new(); entry.machines],
        times,
        best_known: entry.best_known,
        ..Instance::default()
    };
    Ok(generator::hashed(instance.named().validated()?))
}

/// Returns a sample that ships as a table.
///
/// # Errors
/// [`Error::Usage`] for an unknown name; the message lists the samples.
pub fn sample(name: &str) -> Result<Instance> {
    let text = match name {
        "workshop" => WORKSHOP,
        _ => {
            let known = SAMPLES.join(", ");
            return Err(Error::Usage(format!("there is no sample «{}»; known are {known}", name.escape_debug())));
        }
    };
    let path = format!("{name}.csv");
    let mut instance = csv::parse(Source { path: Path::new(&path), text })?;
    name.clone_into(&mut instance.name);
    instance.hash = files::hash(&[text.as_bytes()]);
    instance.warnings.push("an invented workshop, to learn with".to_owned());
    instance.named().validated()
}

/// Returns the library entry with the same processing times as `instance`, wherever the instance came from; `None` if
/// the library has no such entry.
pub(crate) fn recognise(instance: &Instance) -> Option<&'static Entry> {
    if instance.further_times().is_some() {
        return None;
    }
    let (jobs, machines) = (instance.job_count(), instance.machine_count());
    let of_size = entries().iter().filter(|entry| (entry.jobs, entry.machines) == (jobs, machines));
    let mut same = of_size.filter(|entry| generator::numbers(entry.seed, jobs, machines).times == instance.times);
    same.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Objective, bounds};

    #[test]
    fn the_table_is_read_whole() {
        assert_eq!(entries().len(), 120);
        for (at, entry) in entries().iter().enumerate() {
            assert_eq!(entry.name, format!("ta{:03}", at + 1));
            let [lower, upper] = [entry.best_known.makespan_lower, entry.best_known.makespan].map(Option::unwrap);
            assert!(lower <= upper && upper <= entry.makespan_2015, "{}", entry.name);
        }
        let doubtful = entries().iter().filter(|entry| entry.best_known.doubtful).map(|entry| entry.name.as_str());
        assert_eq!(doubtful.collect::<Vec<_>>(), ["ta081", "ta085", "ta086"]);
    }

    /// The lower bounds of the first ten instances in Taillard's article are his one-machine bounds.
    #[test]
    fn bounds_are_those_of_the_article() {
        let bounds = (1..=10).map(|number| bounds::makespan(&taillard(&format!("ta{number:03}")).unwrap()));
        assert_eq!(bounds.collect::<Vec<_>>(), [1232, 1290, 1073, 1268, 1198, 1180, 1226, 1170, 1206, 1082]);
    }

    #[test]
    fn best_known_values_have_their_source() {
        let of = |name: &str, objective| entries().iter().find(|entry| entry.name == name).unwrap().source(objective);
        assert_eq!(of("ta001", Objective::Makespan), Some("Taillard's list of upper bounds, 2015"));
        assert_eq!(
            of("ta051", Objective::Makespan),
            Some("newest listed upper bound"),
            "3846 where Taillard's list has 3850"
        );
        assert_eq!(of("ta081", Objective::Makespan), Some("listed in 2025 without an order"));
        assert_eq!(of("ta001", Objective::FlowTime), Some("literature of 2019"));
        assert!(
            of("ta061", Objective::FlowTime).is_some_and(|source| source.ends_with("2019") || source.ends_with("2021"))
        );
        assert_eq!(of("ta001", Objective::Tardiness), None);
        let of_2021 = entries().iter().filter(|entry| entry.flow_time_year == 2021).count();
        assert_eq!((entries().len(), of_2021), (120, 58));
    }

    #[test]
    fn no_best_known_value_is_below_a_bound() {
        for entry in entries() {
            let instance = taillard(&entry.name).unwrap();
            assert!(bounds::lower_bound(&instance, Objective::Makespan) <= entry.best_known.makespan_lower.unwrap());
            assert!(bounds::lower_bound(&instance, Objective::FlowTime) <= entry.best_known.flow_time.unwrap());
            assert_eq!(recognise(&instance), Some(entry));
        }
    }

    #[test]
    fn names_are_found_and_others_refused() {
        let instance = taillard("TA051").unwrap();
        assert_eq!((instance.name.as_str(), instance.job_count(), instance.machine_count()), ("ta051", 50, 20));
        assert!(instance.has_due_dates() && instance.warnings.is_empty() && instance.hash.len() == 64);
        assert!(taillard("ta121").unwrap_err().to_string().contains("ta001 to ta120"));
        let workshop = sample("workshop").unwrap();
        assert_eq!((workshop.job_count(), workshop.machine_count(), workshop.has_due_dates()), (8, 4, true));
        assert_eq!((workshop.machines[0].as_str(), workshop.jobs[3].name.as_str()), ("Saw", "Bed frame"));
        assert!(recognise(&workshop).is_none());
        assert!(sample("castle").unwrap_err().to_string().contains("known are workshop"));
    }
}
