//! The tables of Luong, Melab and Talbi, «GPU-based approaches for multiobjective local search algorithms. A case study: the
//! flowshop scheduling problem», EvoCOP 2011: time, archive, and where the time goes, size by size.

use gridwright_kernels::Machine;
use gridwright_kernels::front::Tuning;

use crate::backend::{Opening, openings};
use crate::flowshop::Instance;
use crate::flowshop::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use crate::flowshop::multiobjective::evaluation::Shop;
use crate::flowshop::multiobjective::exploration::{Admission, Neighbourhood};
use crate::flowshop::multiobjective::explorer::CpuExplorer;
use crate::flowshop::multiobjective::pls::ParetoSearch;
use crate::flowshop::multiobjective::tabu::TabuSearch;
use crate::flowshop::multiobjective::{FrontSearch, Objectives, ParetoParameters, Shares, TabuParameters};
use crate::search::Parameters as _;
use crate::search::report::Report;
use crate::{Error, Result, backend};

/// The first instance of each size of the tables: 20-10, 20-20, 50-10, 50-20, 100-10, 100-20, 200-10, 200-20.
pub const INSTANCES: [&str; 8] = ["ta011", "ta021", "ta041", "ta051", "ta071", "ta081", "ta091", "ta101"];

/// The searches of the tables: aggregated tabu search, and Pareto local search with either rule.
const SEARCHES: [&str; 3] = ["aTS", "PLS≻", "PLS⊁"];

/// What a run of some iterations came to.
struct Run {
    shares: Shares,
    evaluations: u64,
    members: usize,
    digest: u64,
    notes: Vec<String>,
}

/// As [`measure`], on this machine's CPU and its first CUDA device.
///
/// # Errors
/// As [`measure`]; [`Error::Device`] where a device that is there cannot be opened.
pub fn tables(instances: &[Instance], iterations: u32, threads: usize, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let mut report = measure(instances, iterations, threads, devices.first_mut(), tell)?;
    report.notes.extend(notes);
    Ok(report)
}

/// Time on one thread, on `threads`, and on a device, with archiving there and, as published, on the CPU; size of the archive, and
/// shares of evaluation, archiving and the rest on one thread and on the device, after so many iterations from random orders, seed
/// 1. All runs have to end with the same archive.
///
/// # Errors
/// [`Error::Usage`] where there are no threads or due dates, [`Error::Search`] where a search broke off or the runs differ,
/// [`Error::Device`] where the device cannot hold an instance or is lost.
pub fn measure<M: Machine + 'static>(
    instances: &[Instance],
    iterations: u32,
    threads: usize,
    mut device: Option<&mut Opening<'_, M>>,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let title = format!("Searches for fronts, {iterations} iterations, {threads} threads, seed 1");
    let all = format!("s on {threads}");
    let columns = [
        "search",
        "jobs-machines",
        "s on 1 core",
        all.as_str(),
        "factor",
        "archive",
        "evaluation, %",
        "archiving, %",
        "rest, %",
        "10⁶ neighbours/s on 1 core",
        "s on the GPU",
        "factor",
        "evaluation, %",
        "archiving, %",
        "rest, %",
        "10⁶ neighbours/s on the GPU",
        "s on the GPU, archiving on the CPU",
    ];
    let mut report = Report::new(title, &columns);
    let objectives = Objectives::default();
    for search in SEARCHES {
        for instance in instances {
            objectives.check(instance)?;
            tell(&format!("{search}, {}", instance.name));
            let case = Case { search, instance, objectives, iterations };
            let [one, many] = [1, threads].map(|threads| case.run(threads, None::<(M, Archiving)>));
            let (one, many) = (one?, many?);
            case.same(&one, &many, &format!("{threads} threads"))?;
            let alone = one.shares.total();
            let factor = |run: &Run| format!("{:.2}", alone / run.shares.total().max(1e-9));
            let mut row = vec![
                search.to_owned(),
                format!("{}-{}", instance.job_count(), instance.machine_count()),
                format!("{alone:.3}"),
                format!("{:.3}", many.shares.total()),
                factor(&many),
                one.members.to_string(),
            ];
            row.extend(one.parts());
            match device.as_deref_mut() {
                Some(Opening { name, open }) => {
                    tell(&format!("{search}, {}, {name}", instance.name));
                    let found = case.run(threads, Some((open(), Archiving::Device)))?;
                    case.same(&one, &found, name)?;
                    row.extend([format!("{:.3}", found.shares.total()), factor(&found)]);
                    row.extend(found.parts());
                    // Tabu search keeps what its trajectories visit, which is nothing to speak of.
                    row.push(if search == SEARCHES[0] {
                        String::new()
                    } else {
                        let published = case.run(threads, Some((open(), Archiving::Host)))?;
                        case.same(&one, &published, name)?;
                        format!("{:.3}", published.shares.total())
                    });
                }
                None => row.resize(columns.len(), String::new()),
            }
            report.rows.push(row);
        }
    }
    let names: Vec<&str> = objectives.as_slice().iter().map(|objective| objective.name()).collect();
    report
        .notes
        .push(format!("Objectives: {}. An iteration of aTS is a step of every weighted sum.", names.join(", ")));
    report.notes.push(
        "On the GPU neighbours are filtered where they are evaluated, and what is left meets the archive on the CPU; in the last \
         column all values are copied and one thread compares them, as published. All runs of a row end with the same digest."
            .to_owned(),
    );
    Ok(report)
}

impl Run {
    /// Shares of evaluation, archiving and the rest, and neighbours a second.
    fn parts(&self) -> [String; 4] {
        let [evaluation, archiving, _, rest] = self.shares.per_cent();
        let rate = self.evaluations as f64 / self.shares.total().max(1e-9) / 1e6;
        [format!("{evaluation:.1}"), format!("{archiving:.1}"), format!("{rest:.1}"), format!("{rate:.2}")]
    }
}

/// A search on an instance.
struct Case<'a> {
    search: &'static str,
    instance: &'a Instance,
    objectives: Objectives,
    iterations: u32,
}

impl Case<'_> {
    fn same(&self, one: &Run, other: &Run, on: &str) -> Result<()> {
        if let Some(note) = other.notes.first() {
            return Err(Error::Device(note.clone()));
        }
        if one.digest == other.digest {
            return Ok(());
        }
        let name = &self.instance.name;
        Err(Error::Search(format!("{name}: one thread and {on} end differently, which is a fault")))
    }

    fn run<M: Machine + 'static>(&self, threads: usize, on: Option<(M, Archiving)>) -> Result<Run> {
        let (instance, objectives, tuning) = (self.instance, &self.objectives, Tuning::default());
        let threads = backend::thread_pool(threads)?;
        if self.search == SEARCHES[0] {
            let mut parameters = TabuParameters::default();
            parameters.resolve(objectives.count(), instance.job_count());
            let mut search = TabuSearch::new(instance, objectives, &parameters, 1, threads);
            if let Some((machine, _)) = on {
                let (named, count) = (Neighbourhood::named(&parameters.neighbourhood), search.trajectories());
                let device = DeviceChooser::new(instance, named, parameters.aspiration, count, machine, tuning)?;
                search = search.choosing_with(Box::new(device));
            }
            return walk(&mut search, self.iterations);
        }
        let admission = if self.search == SEARCHES[1] { "dominating" } else { "non-dominated" };
        let mut parameters = ParetoParameters::default();
        parameters.set("start", "random")?;
        parameters.set("admission", admission)?;
        parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
        let mut search = ParetoSearch::new(instance, objectives, &parameters, 1, None, threads);
        if let Some((machine, archiving)) = on {
            let cpu = CpuExplorer {
                shop: Shop::new(instance),
                objectives: *objectives,
                neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
                admission: Admission::named(admission),
            };
            let device = DeviceExplorer::new(instance, cpu, archiving, 1, machine, tuning)?;
            search = search.exploring_with(Box::new(device));
        }
        walk(&mut search, self.iterations)
    }
}

fn walk(search: &mut impl FrontSearch, iterations: u32) -> Result<Run> {
    search.advance(iterations)?;
    let snapshot = search.snapshot()?;
    Ok(Run {
        shares: search.shares(),
        evaluations: snapshot.evaluations,
        members: snapshot.best.points.len(),
        digest: snapshot.digest,
        notes: search.notes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;
    use gridwright_kernels::SharedCuda;

    #[test]
    fn every_search_has_a_row_for_every_size() {
        let instances = ["ta011", "ta041"].map(|name| library::taillard(name).unwrap());
        let report = measure(&instances, 3, 2, None::<&mut Opening<'_, SharedCuda>>, &mut |_| {}).unwrap();
        assert_eq!(report.rows.len(), 6);
        for row in &report.rows {
            assert_eq!(row.len(), report.columns.len());
            let shares: f64 = row[6..9].iter().map(|cell| cell.parse::<f64>().unwrap()).sum();
            assert!((shares - 100.0).abs() < 0.5, "{row:?}");
            assert!(row[5].parse::<usize>().unwrap() > 0);
        }
        assert_eq!((report.rows[0][1].as_str(), report.rows[5][1].as_str()), ("20-10", "50-10"));
        let mut without = instances.to_vec();
        without[0].jobs.iter_mut().for_each(|job| job.due = None);
        let none = None::<&mut Opening<'_, SharedCuda>>;
        assert!(measure(&without, 1, 1, none, &mut |_| {}).unwrap_err().to_string().contains("due dates"));
    }
}
