//! Benchmark of whole neighbourhoods: rates of the CPU and of each device with every kind of memory, without and with
//! archiving.

use std::sync::Arc;

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::front::{Storage, Tuning};

use crate::insertion::FlowShopProblem;
use crate::multiobjective::cuda::{Archiving, DeviceExplorer};
use crate::multiobjective::evaluation::{Evaluator, Shop};
use crate::multiobjective::exploration::{Admission, Neighbourhood};
use crate::multiobjective::explorer::{ArchivePoints, CpuExplorer, ExplorationResult, Explorer, Member};
use crate::multiobjective::pls::ParetoSearch;
use crate::multiobjective::{Front, Objectives, ParetoParameters};
use crate::neighbourhood::{MakespanNeighbourhood, SIDE_BY_SIDE};
use crate::{Instance, Objective};
use gridwright_core::backend::{Opening, openings};
use gridwright_core::numbers::counted;
use gridwright_core::search::pareto::{Archive, Point};
use gridwright_core::search::report::Report;
use gridwright_core::search::timing::mean_seconds;
use gridwright_core::search::{Control, Epochs, Parameters as _};
use gridwright_core::{Error, Result, backend};

/// First of Taillard's instances of five sizes: 20-10, 50-20, 100-20, 200-20, 500-20.
pub(crate) const INSTANCES: [&str; 5] = ["ta011", "ta051", "ta081", "ta101", "ta111"];

/// Extent of the measurements.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Shortest duration of a measurement in seconds.
    pub seconds: f64,
    /// Steps of the Pareto local search that provides the archive.
    pub steps: u32,
    /// Orders explored at once in the batched measurements.
    pub members: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { seconds: 0.2, steps: 20, members: 32 }
    }
}

/// Measures this machine's CPU and CUDA devices.
///
/// # Errors
/// See [`measure`]; [`Error::Device`] if a device cannot be opened.
pub fn neighbourhoods(instances: &[Instance], threads: usize, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let mut report = measure(instances, threads, &mut devices, Effort::default(), tell)?;
    report.notes.extend(notes);
    Ok(report)
}

/// Measures the CPU with one and with `threads` threads, and the given devices.
///
/// # Errors
/// [`Error::Usage`] if an instance has no due dates; [`Error::Search`] if a device and the CPU lead to different
/// archives; errors of a device.
pub fn measure<M: DeviceRuntime + 'static>(
    instances: &[Instance], threads: usize, devices: &mut [Opening<'_, M>], effort: Effort, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = [
        "jobs × machines", "computed on", "orders at once", "µs an order, evaluated", "10⁶ neighbours/s, evaluated",
        "µs an order, with archiving", "10⁶ neighbours/s, with archiving", "archive",
    ];
    let mut report = Report::new("Whole insertion neighbourhoods of an order", &columns);
    for instance in instances {
        tell(&instance.name);
        let mut case = Case::new(instance, effort, &mut report)?;
        case.makespans()?;
        case.on_cpu(threads)?;
        for device in devices.iter_mut() {
            tell(&format!("{}, {}", instance.name, device.name));
            case.on_device(device)?;
        }
    }
    let objectives = Objectives::default();
    report.notes.push(format!(
        "Makespan alone: Taillard's acceleration, {SIDE_BY_SIDE} jobs side by side on one thread. Otherwise \
         {objectives}; with archiving, the surviving neighbours have been compared with the archive of a search \
         and are on the host. On a device, archiving takes place there or, as published, on one CPU thread, to which \
         all values are copied. All archives end equal."
    ));
    Ok(report)
}

struct Case<'a> {
    instance: &'a Instance,
    effort: Effort,
    explorer: CpuExplorer,
    /// Front of a short search: its orders are explored, its points form the archive.
    front: Arc<Front>,
    report: &'a mut Report,
}

impl<'a> Case<'a> {
    fn new(instance: &'a Instance, effort: Effort, report: &'a mut Report) -> Result<Self> {
        let objectives = Objectives::default();
        objectives.check(instance)?;
        let mut parameters = ParetoParameters::default();
        parameters.set("start", "constructed")?;
        parameters.set("members", "1")?;
        parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
        let threads = backend::thread_pool(0)?;
        let mut search = ParetoSearch::new(instance, &objectives, &parameters, 1, None, threads);
        search.advance(effort.steps)?;
        let front = search.snapshot()?.best;
        let explorer = CpuExplorer {
            shop: Shop::new(instance),
            objectives,
            neighbourhood: Neighbourhood::Insertion,
            admission: Admission::NonDominated,
            control: Control::new(),
        };
        Ok(Self { instance, effort, explorer, front, report })
    }

    fn members(&self, count: usize) -> Vec<Member> {
        let all = self.front.points.iter().zip(&self.front.orders).cycle().take(count).enumerate();
        let member = |(number, (point, order)): (usize, (&Point, &Arc<[u16]>))| Member {
            entry: number as u64,
            point: *point,
            order: Arc::clone(order),
        };
        all.map(member).collect()
    }

    /// Adds a row; times are seconds for all orders together, without and with archiving.
    fn row(&mut self, on: String, orders: usize, evaluated: Option<f64>, archived: Option<f64>) {
        let size = Neighbourhood::Insertion.size(self.instance.job_count()) as f64;
        let cells = |seconds: Option<f64>| {
            let per_order = seconds.map(|seconds| seconds.max(1e-12) / orders as f64);
            [
                per_order.map(|seconds| format!("{:.2}", seconds * 1e6)),
                per_order.map(|seconds| format!("{:.1}", size / seconds / 1e6)),
            ]
        };
        let mut row = vec![super::size(self.instance), on, orders.to_string()];
        row.extend([evaluated, archived].into_iter().flat_map(cells).map(Option::unwrap_or_default));
        row.push(self.front.points.len().to_string());
        self.report.rows.push(row);
    }

    /// Measures the makespans of all insertions on one thread.
    fn makespans(&mut self) -> Result<()> {
        let problem = FlowShopProblem::new(self.instance, Objective::Makespan);
        let Some(mut makespans) = MakespanNeighbourhood::new(&problem) else { return Ok(()) };
        let order = Arc::clone(&self.front.orders[0]);
        let positions: Vec<usize> = (0..order.len()).collect();
        let seconds = mean_seconds(self.effort.seconds, || {
            pulp::Arch::new().dispatch(Best {
                makespans: &mut makespans,
                problem: &problem,
                order: &order,
                positions: &positions,
            });
            Ok(())
        })?;
        self.row("CPU, makespan alone, 1 thread".to_owned(), 1, Some(seconds), None);
        Ok(())
    }

    fn on_cpu(&mut self, threads: usize) -> Result<()> {
        let least = self.effort.seconds;
        let shop = self.explorer.shop.clone();
        let order = Arc::clone(&self.front.orders[0]);
        let evaluated = mean_seconds(least, || {
            pulp::Arch::new().dispatch(Evaluate { shop: &shop, order: &order });
            Ok(())
        })?;
        for count in super::thread_counts(threads) {
            let pool = backend::thread_pool(count)?;
            let (mut explorer, front) = (self.explorer.clone(), Arc::clone(&self.front));
            let members = self.members(if count == 1 { 1 } else { self.effort.members });
            let known = ArchivePoints { all: &front.points, arrivals: None, entries: front.points.len() as u64 };
            let archived = pool.install(|| {
                mean_seconds(least, || {
                    std::hint::black_box(explorer.explore(&members, &Vec::new, known));
                    Ok(())
                })
            })?;
            let evaluated = Some(evaluated).filter(|_| count == 1);
            self.row(format!("CPU, {}", counted(count, "thread")), members.len(), evaluated, Some(archived));
        }
        Ok(())
    }

    fn on_device<M: DeviceRuntime + 'static>(&mut self, device: &mut Opening<'_, M>) -> Result<()> {
        let mut counts = vec![1, self.effort.members];
        counts.dedup();
        for count in counts {
            let members = self.members(count);
            let mut kernels = Vec::new();
            for storage in Storage::ALL {
                let tuning = Tuning { storage: Some(storage), ..Tuning::default() };
                let mut on = self.start(device, Archiving::Device, count, tuning)?;
                let Some(kernel) = on.layout().map(|layout| layout.kernel) else { return Ok(()) };
                if kernels.contains(&kernel) {
                    continue;
                }
                kernels.push(kernel);
                let evaluated = mean_seconds(self.effort.seconds, || on.evaluate(&members))?;
                let archived = self.archived(&mut on, &members)?;
                self.row(format!("{}, {kernel}", device.name), count, Some(evaluated), Some(archived));
            }
            let mut on = self.start(device, Archiving::Host, count, Tuning::default())?;
            let archived = self.archived(&mut on, &members)?;
            self.row(format!("{}, archiving on the CPU", device.name), count, None, Some(archived));
        }
        Ok(())
    }

    fn start<M: DeviceRuntime>(
        &self, device: &mut Opening<'_, M>, archiving: Archiving, members: usize, tuning: Tuning,
    ) -> Result<DeviceExplorer<M>> {
        let runtimes = vec![(device.name.clone(), (device.open)())];
        DeviceExplorer::new(self.instance, self.explorer.clone(), archiving, members, runtimes, tuning)
    }

    /// Seconds per exploration on a device, after checking that it leads to the same archive as the CPU.
    fn archived<M: DeviceRuntime>(&self, on: &mut DeviceExplorer<M>, members: &[Member]) -> Result<f64> {
        let all = &self.front.points[..];
        let with = |result: ExplorationResult| -> Vec<Point> {
            let mut archive = Archive::default();
            all.iter().for_each(|point| {
                archive.insert(*point, ());
            });
            for (point, _) in result.survivors.iter().flat_map(|part| &part.neighbours) {
                archive.insert(*point, ());
            }
            archive.points().to_vec()
        };
        let known = |arrivals| ArchivePoints { all, arrivals, entries: all.len() as u64 };
        let expected = with(self.explorer.clone().explore(members, &Vec::new, known(None)));
        // As in a search, earlier points are on the device already.
        let same = with(on.explore(members, &Vec::new, known(None))) == expected;
        let seconds = mean_seconds(self.effort.seconds, || {
            std::hint::black_box(on.explore(members, &Vec::new, known(Some(&[]))));
            Ok(())
        })?;
        match on.device_notes().first() {
            Some(note) => Err(Error::Device(note.to_string())),
            None if !same => Err(super::fault(self.instance, "a device and the CPU lead to different archives")),
            None => Ok(seconds),
        }
    }
}

/// Makespans of all insertions; dispatched to the best SIMD instruction set at run time.
struct Best<'a> {
    makespans: &'a mut MakespanNeighbourhood,
    problem: &'a FlowShopProblem,
    order: &'a [u16],
    positions: &'a [usize],
}

impl pulp::NullaryFnOnce for Best<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for positions in self.positions.chunks(SIDE_BY_SIDE) {
            std::hint::black_box(self.makespans.best(self.problem, self.order, positions));
        }
    }
}

/// Objective values of all insertions; dispatched likewise.
struct Evaluate<'a> {
    shop: &'a Shop,
    order: &'a [u16],
}

impl pulp::NullaryFnOnce for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut evaluator = Evaluator::new(self.shop);
        let mut base = Vec::with_capacity(self.order.len());
        for position in 0..self.order.len() {
            Neighbourhood::Insertion.evaluate(self.shop, &mut evaluator, &mut base, self.order, position);
            std::hint::black_box(&evaluator.values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_kernels::SharedCuda;

    #[test]
    fn every_size_has_its_rows() {
        let instance = library::taillard("ta001").unwrap();
        let effort = Effort { seconds: 0.0, steps: 3, members: 4 };
        let none: &mut [Opening<'_, SharedCuda>] = &mut [];
        let report = measure(std::slice::from_ref(&instance), 2, none, effort, &mut |_| {}).unwrap();
        let on: Vec<&str> = report.rows.iter().map(|row| row[1].as_str()).collect();
        assert_eq!(on, ["CPU, makespan alone, 1 thread", "CPU, 1 thread", "CPU, 2 threads"]);
        assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
        // 380 neighbours per order: time and rate of a row agree.
        let (each, rate): (f64, f64) = (report.rows[1][3].parse().unwrap(), report.rows[1][4].parse().unwrap());
        assert!((each * rate - 380.0).abs() < 8.0, "{each} µs, {rate}");
    }
}
