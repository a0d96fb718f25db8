//! Tables of T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A
//! case study: the flowshop scheduling problem», EvoCOP 2011: shares of time by instance size.

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::front::Tuning;

use crate::Instance;
use crate::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use crate::multiobjective::evaluation::Shop;
use crate::multiobjective::exploration::{Admission, Neighbourhood};
use crate::multiobjective::explorer::{CpuExplorer, PrefetchStatistics};
use crate::multiobjective::pls::ParetoSearch;
use crate::multiobjective::tabu::TabuSearch;
use crate::multiobjective::{FrontSearch, Objectives, ParetoParameters, Shares, TabuParameters};
use gridwright_core::backend::{DeviceNote, Opening, openings};
use gridwright_core::numbers::counted;
use gridwright_core::search::report::Report;
use gridwright_core::search::{Control, Parameters as _};
use gridwright_core::{Error, Result, backend};

/// First instance of each size in the tables: 20-10, 20-20, 50-10, 50-20, 100-10, 100-20, 200-10, 200-20.
pub(crate) const INSTANCES: [&str; 8] = ["ta011", "ta021", "ta041", "ta051", "ta071", "ta081", "ta091", "ta101"];

/// Searches as named in the paper: aggregated tabu search, and Pareto local search with both admission rules.
const SEARCHES: [&str; 3] = ["aTS", "PLS≻", "PLS⊁"];

/// Names of the searches on the command line, in the order of the paper's names.
pub const NAMES: [&str; 3] = ["tabu", "pls-dominating", "pls"];

/// Extent of the measurements.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// Iterations per search.
    pub iterations: u32,
    /// Number of CPU threads.
    pub threads: usize,
    /// Searches by [`NAMES`]; empty for all.
    pub searches: &'a [String],
}

impl Scope<'_> {
    /// Names of the selected searches in the report.
    fn searches(&self) -> Result<Vec<&'static str>> {
        if self.searches.is_empty() {
            return Ok(SEARCHES.to_vec());
        }
        let unknown = |name: &String| !NAMES.contains(&name.as_str());
        if let Some(name) = self.searches.iter().find(|name| unknown(name)) {
            let names = NAMES.join(", ");
            return Err(Error::Usage(format!("“{name}” is no search for fronts; there are {names}")));
        }
        let asked = |name: &str| self.searches.iter().any(|search| search == name);
        Ok(NAMES.into_iter().zip(SEARCHES).filter(|(name, _)| asked(name)).map(|(_, search)| search).collect())
    }
}

struct Run {
    shares: Shares,
    evaluations: u64,
    members: usize,
    digest: u64,
    prefetch: Option<PrefetchStatistics>,
    device_notes: Vec<DeviceNote>,
}

/// Measures this machine's CPU and its first CUDA device.
///
/// # Errors
/// See [`measure`]; [`Error::Device`] if a device cannot be opened.
pub fn tables(instances: &[Instance], scope: Scope<'_>, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let mut report = measure(instances, scope, devices.first_mut(), tell)?;
    report.notes.extend(notes);
    Ok(report)
}

const COLUMNS: [&str; 14] = [
    "search", "jobs-machines", "s on the CPU", "archive", "evaluation, %", "archiving, %", "rest, %",
    "10⁶ neighbours/s on the CPU", "s on the GPU", "evaluation, %", "archiving, %", "rest, %",
    "10⁶ neighbours/s on the GPU", "s on the GPU, archiving on the CPU",
];

/// Measures each search on each instance, from random orders with seed 1: seconds and shares of evaluation, archiving and
/// the rest on the CPU and on the device with archiving there; seconds with archiving, as published, on the CPU; archive size.
/// All runs must end with the same archive.
///
/// # Errors
/// [`Error::Usage`] for 0 threads, missing due dates or an unknown search; [`Error::Search`] if a search fails or the
/// runs differ; [`Error::Device`] if the device cannot hold an instance or is lost.
pub fn measure<M: DeviceRuntime + 'static>(
    instances: &[Instance], scope: Scope<'_>, mut device: Option<&mut Opening<'_, M>>, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let Scope { iterations, threads, .. } = scope;
    let title = format!("Searches for fronts, {iterations} iterations, {}, seed 1", counted(threads, "thread"));
    let mut report = Report::new(title, &COLUMNS);
    let objectives = Objectives::default();
    let mut prefetch_notes = Vec::new();
    for search in scope.searches()? {
        for instance in instances {
            objectives.check(instance)?;
            let case = Case { search, instance, objectives, scope };
            let row = case.row(device.as_deref_mut(), &mut prefetch_notes, tell)?;
            report.rows.push(row);
        }
    }
    let names: Vec<&str> = objectives.as_slice().iter().map(|objective| objective.name()).collect();
    report
        .notes
        .push(format!("Objectives: {}. An iteration of aTS is a step of every weighted sum.", names.join(", ")));
    report.notes.push(
        "On the GPU neighbours are filtered where they are evaluated, and the survivors are offered to the archive on \
         the CPU; in the last column all values are copied and compared by one thread, as published. All runs of a \
         row end with the same digest."
            .to_owned(),
    );
    report.notes.extend(prefetch_notes);
    Ok(report)
}

impl Run {
    /// Percentages of evaluation, archiving and the rest, and million neighbours per second.
    fn parts(&self) -> [String; 4] {
        let [evaluation, archiving, _, rest] = self.shares.per_cent();
        let rate = self.evaluations as f64 / self.shares.total().max(1e-9) / 1e6;
        [format!("{evaluation:.1}"), format!("{archiving:.1}"), format!("{rest:.1}"), format!("{rate:.2}")]
    }
}

struct Case<'a> {
    search: &'static str,
    instance: &'a Instance,
    objectives: Objectives,
    scope: Scope<'a>,
}

impl Case<'_> {
    /// Measures and returns the row of the report.
    fn row<M: DeviceRuntime + 'static>(
        &self, device: Option<&mut Opening<'_, M>>, prefetch_notes: &mut Vec<String>, tell: &mut dyn FnMut(&str),
    ) -> Result<Vec<String>> {
        let (search, threads) = (self.search, self.scope.threads);
        let size = format!("{}-{}", self.instance.job_count(), self.instance.machine_count());
        tell(&format!("{search}, {}", self.instance.name));
        let first = self.run(threads, None::<(M, Archiving)>)?;
        let seconds = |run: &Run| format!("{:.3}", run.shares.total());
        let mut row = vec![search.to_owned(), size.clone(), seconds(&first), first.members.to_string()];
        row.extend(first.parts());
        if let Some(Opening { name, open }) = device {
            tell(&format!("{search}, {}, {name}", self.instance.name));
            let found = self.run(threads, Some((open(), Archiving::Device)))?;
            self.same(&first, &found, name)?;
            row.push(seconds(&found));
            row.extend(found.parts());
            if let Some(statistics) = found.prefetch {
                prefetch_notes.push(format!("{search}, {size}: {statistics}."));
                // Tabu search stores the visited orders only, so archiving on the host makes no difference.
                let published = self.run(threads, Some((open(), Archiving::Host)))?;
                self.same(&first, &published, name)?;
                row.push(seconds(&published));
            }
        }
        row.resize(COLUMNS.len(), String::new());
        Ok(row)
    }

    fn same(&self, expected: &Run, found: &Run, on: &str) -> Result<()> {
        if let Some(note) = found.device_notes.first() {
            return Err(Error::Device(note.to_string()));
        }
        if expected.digest == found.digest {
            return Ok(());
        }
        Err(super::fault(self.instance, &format!("the CPU and {on} end differently")))
    }

    fn run<M: DeviceRuntime + 'static>(&self, threads: usize, on: Option<(M, Archiving)>) -> Result<Run> {
        let (instance, objectives, tuning) = (self.instance, &self.objectives, Tuning::default());
        let threads = backend::thread_pool(threads)?;
        if self.search == SEARCHES[0] {
            let mut parameters = TabuParameters::default();
            parameters.resolve(objectives.count(), instance.job_count());
            let mut search = TabuSearch::new(instance, objectives, &parameters, 1, threads);
            if let Some((runtime, _)) = on {
                let runtimes = vec![(String::new(), runtime)];
                let (named, count) = (Neighbourhood::named(&parameters.neighbourhood), search.trajectories());
                let device = DeviceChooser::new(instance, named, parameters.aspiration, count, runtimes, tuning)?;
                search = search.with_chooser(Box::new(device));
            }
            return walk(&mut search, self.scope.iterations);
        }
        let admission = if self.search == SEARCHES[1] { "dominating" } else { "non-dominated" };
        let mut parameters = ParetoParameters::default();
        parameters.set("start", "random")?;
        parameters.set("admission", admission)?;
        parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
        let mut search = ParetoSearch::new(instance, objectives, &parameters, 1, None, threads);
        if let Some((runtime, archiving)) = on {
            let cpu = CpuExplorer {
                shop: Shop::new(instance),
                objectives: *objectives,
                neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
                admission: Admission::named(admission),
                control: Control::new(),
            };
            let device = DeviceExplorer::new(instance, cpu, archiving, 1, vec![(String::new(), runtime)], tuning)?;
            search = search.with_explorer(Box::new(device));
        }
        walk(&mut search, self.scope.iterations)
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
        prefetch: search.prefetch_statistics(),
        device_notes: search.device_notes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_kernels::SharedCuda;

    #[test]
    fn every_search_has_a_row_for_every_size() {
        let instances = ["ta011", "ta041"].map(|name| library::taillard(name).unwrap());
        let scope = Scope { iterations: 3, threads: 2, searches: &[] };
        let report = measure(&instances, scope, None::<&mut Opening<'_, SharedCuda>>, &mut |_| {}).unwrap();
        assert_eq!(report.rows.len(), 6);
        for row in &report.rows {
            assert_eq!(row.len(), report.columns.len());
            let shares: f64 = row[4..7].iter().map(|cell| cell.parse::<f64>().unwrap()).sum();
            assert!((shares - 100.0).abs() < 0.5, "{row:?}");
            assert!(row[3].parse::<usize>().unwrap() > 0);
        }
        assert_eq!((report.rows[0][1].as_str(), report.rows[5][1].as_str()), ("20-10", "50-10"));
        let named = ["pls".to_owned()];
        let few = Scope { searches: &named, ..scope };
        let short = measure(&instances[..1], few, None::<&mut Opening<'_, SharedCuda>>, &mut |_| {}).unwrap();
        assert_eq!((short.rows.len(), short.rows[0][0].as_str()), (1, "PLS⊁"));
        assert_eq!(short.rows[0][3], report.rows[4][3], "the same archive");
        let unknown = Scope { searches: &["PLS".to_owned()], ..scope };
        let error = measure(&instances, unknown, None::<&mut Opening<'_, SharedCuda>>, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains("tabu, pls-dominating, pls"), "{error}");
        let mut without = instances.to_vec();
        without[0].jobs.iter_mut().for_each(|job| job.due = None);
        let none = None::<&mut Opening<'_, SharedCuda>>;
        assert!(measure(&without, scope, none, &mut |_| {}).unwrap_err().to_string().contains("due dates"));
    }
}
