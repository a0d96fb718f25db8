//! Tables of W. Bożejko, C. Smutnicki, M. Uchroński, «Parallel calculating of the goal function in metaheuristics using
//! GPU», ICCS 2009: one order by p processors and by one, and efficiency by number of jobs; for comparison, many orders
//! side by side, as searches evaluate them.

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::makespan::{MOST_MACHINES, Tuning};

use crate::Instance;
use crate::generator::{GeneratorOptions, generate};
use crate::wavefront::cuda::DeviceMakespans;
use crate::wavefront::execution::{execute, with_threads};
use crate::wavefront::{OrderValues, Orders, Wavefront, cpu, processors_for};
pub use gridwright_core::backend::Opening;
use gridwright_core::backend::openings;
use gridwright_core::numbers::counted;
use gridwright_core::search::report::Report;
use gridwright_core::search::timing::mean_seconds;
use gridwright_core::{Result, backend};

/// First instance of each of Taillard's sizes, 20 × 5 to 500 × 20.
pub(crate) const INSTANCES: [&str; 12] =
    ["ta001", "ta011", "ta021", "ta031", "ta041", "ta051", "ta061", "ta071", "ta081", "ta091", "ta101", "ta111"];

/// Numbers of machines and of jobs in the figures.
const MACHINES: [usize; 5] = [10, 20, 30, 40, 50];
const JOBS: [usize; 6] = [10, 20, 50, 100, 200, 500];

/// Efficiency for which the number of processors in the second figure is chosen.
const KEPT: f64 = 0.5;

/// Approximate number of operations per launch when a single order is measured.
const IN_A_LAUNCH: u64 = 100_000;

/// Extent of the measurements.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Shortest duration of a measurement in seconds.
    pub seconds: f64,
    /// Total operations of the orders evaluated together on the CPU.
    pub on_cpu: u64,
    /// Total operations of the orders evaluated together on a device.
    pub on_device: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { seconds: 0.02, on_cpu: 4_000_000, on_device: 400_000_000 }
    }
}

/// Measures this machine's CPU and CUDA devices and adds the figures; returns four tables.
///
/// # Errors
/// See [`measure`] and [`figures`]; [`gridwright_core::Error::Device`] if a device cannot be opened.
pub fn wavefront(instances: &[Instance], threads: usize, tell: &mut dyn FnMut(&str)) -> Result<Vec<Report>> {
    let (mut devices, notes) = openings()?;
    let [mut one, many] = measure(instances, threads, &mut devices, Effort::default(), tell)?;
    one.notes.extend(notes);
    let [all, some] = figures()?;
    Ok(vec![one, many, all, some])
}

/// Measures one order and many orders; returns a table for each.
///
/// # Errors
/// [`gridwright_core::Error::Search`] if any backend computes other values than the reference; errors of a device.
pub fn measure<M: DeviceRuntime>(
    instances: &[Instance], threads: usize, devices: &mut [Opening<'_, M>], effort: Effort, tell: &mut dyn FnMut(&str),
) -> Result<[Report; 2]> {
    let one = [
        "jobs × machines", "computed on", "p", "steps of p", "µs, one processor", "µs, p processors", "speedup",
        "speedup in theory", "µs with launch and wait",
    ];
    let many = ["jobs × machines", "computed on", "orders", "10⁶ orders/s", "10⁹ operations/s", "ms there", "ms back"];
    let mut reports = [
        Report::new("One order, makespan and sum of completion times, by p processors and by one", &one),
        Report::new(format!("Many orders, {threads} threads"), &many),
    ];
    for instance in instances {
        tell(&instance.name);
        let mut case = Case { instance, effort, reports: &mut reports };
        case.one_on_cpu(threads)?;
        case.many_on_cpu(threads)?;
        for device in devices.iter_mut() {
            if instance.machine_count() > MOST_MACHINES as usize {
                let text = format!("{}: the kernels hold at most {MOST_MACHINES} machines.", instance.name);
                case.reports[0].notes.push(text);
                continue;
            }
            tell(&format!("{}, {}", instance.name, device.name));
            case.one_on_device(device)?;
            case.many_on_device(device, threads)?;
        }
    }
    let [one, many] = &mut reports;
    one.notes.push(
        "Speedup is relative to one processor of the same kind. On the CPU, p threads are synchronised after every \
         diagonal; on a device, a block of p threads is, and one evaluation is a share of many in a launch. In \
         theory: jobs · machines / steps."
            .to_owned(),
    );
    many.notes.push(
        "Transfers of orders to the device and of values back are listed separately. All values agree with the \
         reference."
            .to_owned(),
    );
    Ok(reports)
}

struct Case<'a> {
    instance: &'a Instance,
    effort: Effort,
    reports: &'a mut [Report; 2],
}

impl Case<'_> {
    fn planned(&self, processors: usize) -> Result<Wavefront> {
        Wavefront::new(self.instance.job_count(), self.instance.machine_count(), processors)
    }

    /// Random orders with about `operations` operations together.
    fn orders(&self, operations: u64) -> Orders {
        let per_order = (self.instance.job_count() * self.instance.machine_count()) as u64;
        Orders::random(self.instance, (operations / per_order).clamp(64, 1 << 18) as usize, 1)
    }

    fn same(&self, found: &[OrderValues], expected: &[OrderValues], on: &str) -> Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(super::fault(self.instance, &format!("{on} computes other values than the reference")))
    }

    /// Adds a row to the first table; times are seconds per order on one processor and on p, and including the launch.
    fn add_single(&mut self, on: String, planned: &Wavefront, times: [f64; 2], launched: Option<f64>) {
        let row = vec![
            super::size(self.instance),
            on,
            planned.processors().to_string(),
            planned.step_count().to_string(),
            format!("{:.2}", times[0] * 1e6),
            format!("{:.2}", times[1] * 1e6),
            format!("{:.3}", times[0] / times[1].max(1e-12)),
            format!("{:.2}", planned.speedup().value()),
            launched.map_or_else(String::new, |seconds| format!("{:.2}", seconds * 1e6)),
        ];
        self.reports[0].rows.push(row);
    }

    fn add_many(&mut self, on: String, orders: &Orders, seconds: f64, transfers: Option<[f64; 2]>) {
        let per_order = (self.instance.job_count() * self.instance.machine_count()) as f64;
        let rate = orders.count() as f64 / seconds.max(1e-12);
        let [there, back] =
            [0, 1].map(|way| transfers.map_or_else(String::new, |both| format!("{:.2}", both[way] * 1e3)));
        let (count, size) = (orders.count().to_string(), super::size(self.instance));
        let (orders, operations) = (format!("{:.3}", rate / 1e6), format!("{:.3}", rate * per_order / 1e9));
        self.reports[1].rows.push(vec![size, on, count, orders, operations, there, back]);
    }

    fn one_on_cpu(&mut self, threads: usize) -> Result<()> {
        let (instance, least) = (self.instance, self.effort.seconds);
        let orders = Orders::random(instance, 1, 1);
        let expected = cpu::reference(instance, &orders);
        self.same(&cpu::one_by_one(instance, &orders)?, &expected, "the recurrence")?;
        // Many different orders, so that the branch predictor cannot learn a single one.
        let different = self.orders(self.effort.on_cpu);
        let all = mean_seconds(least, || cpu::one_by_one(instance, std::hint::black_box(&different)).map(drop))?;
        let alone = all / different.count() as f64;
        let planned = self.planned(threads.clamp(1, instance.machine_count()))?;
        // Barriers are slow: few repetitions in one call, so that the threads start only once.
        let repeats = (20_000 / planned.diagonals()).clamp(1, 200) as u32;
        let (found, mean) = with_threads(instance, orders.flat(), &planned, repeats)?;
        self.same(&[found], &expected, "the CPU with synchronised threads")?;
        self.add_single("CPU".to_owned(), &planned, [alone, mean.as_secs_f64()], None);
        Ok(())
    }

    fn many_on_cpu(&mut self, threads: usize) -> Result<()> {
        let (instance, least) = (self.instance, self.effort.seconds);
        let orders = self.orders(self.effort.on_cpu);
        let expected = cpu::reference(instance, &orders);
        let found = cpu::one_by_one(instance, &orders)?;
        self.same(&found, &expected, "the recurrence")?;
        let seconds = mean_seconds(least, || cpu::one_by_one(instance, std::hint::black_box(&orders)).map(drop))?;
        self.add_many("CPU, one by one, 1 thread".to_owned(), &orders, seconds, None);
        for count in super::thread_counts(threads) {
            let pool = backend::thread_pool(count)?;
            let found = cpu::evaluate(instance, &orders, &pool)?;
            self.same(&found, &expected, "the CPU with orders side by side")?;
            let seconds =
                mean_seconds(least, || cpu::evaluate(instance, std::hint::black_box(&orders), &pool).map(drop))?;
            self.add_many(format!("CPU, eight side by side, {}", counted(count, "thread")), &orders, seconds, None);
        }
        Ok(())
    }

    fn one_on_device<M: DeviceRuntime>(&mut self, device: &mut Opening<'_, M>) -> Result<()> {
        let (instance, least) = (self.instance, self.effort.seconds);
        let orders = Orders::random(instance, 1, 1);
        let expected = cpu::reference(instance, &orders);
        let planned = self.planned(instance.machine_count())?;
        let mut on = DeviceMakespans::new(instance, (device.open)(), 1, Tuning::default())?;
        on.write(orders.flat())?;
        let repeats = (IN_A_LAUNCH / planned.operations()).clamp(1, 1_000) as u32;
        let mut times = [0.0; 2];
        for (seconds, processors) in times.iter_mut().zip([1, planned.processors()]) {
            let launch = mean_seconds(least, || on.compute_diagonals(processors, repeats))?;
            *seconds = launch / f64::from(repeats);
            self.same(&on.read()?, &expected, &device.name)?;
        }
        let launched = mean_seconds(least, || on.compute_diagonals(planned.processors(), 1))?;
        self.add_single(format!("{}, a block", device.name), &planned, times, Some(launched));
        Ok(())
    }

    fn many_on_device<M: DeviceRuntime>(&mut self, device: &mut Opening<'_, M>, threads: usize) -> Result<()> {
        let (instance, least) = (self.instance, self.effort.seconds);
        let orders = self.orders(self.effort.on_device);
        let expected = cpu::evaluate(instance, &orders, &*backend::thread_pool(threads)?)?;
        let mut kernels = Vec::new();
        for tuning in Tuning::ALL {
            let mut on = DeviceMakespans::new(instance, (device.open)(), orders.count(), tuning)?;
            let kernel = on.layout().kernel;
            if kernels.contains(&kernel) {
                continue;
            }
            kernels.push(kernel);
            self.same(&on.evaluate(&orders)?, &expected, &device.name)?;
            let part = on.capacity().min(orders.count());
            let part = Orders::random(instance, part, 1);
            let there = mean_seconds(least, || on.write(part.flat()))?;
            let seconds = mean_seconds(least, || on.compute())?;
            let back = mean_seconds(least, || on.read().map(drop))?;
            self.add_many(format!("{}, {kernel}", device.name), &part, seconds, Some([there, back]));
        }
        let mut on = DeviceMakespans::new(instance, (device.open)(), orders.count(), Tuning::default())?;
        let part = Orders::random(instance, on.capacity().min(orders.count()).min(1 << 14), 1);
        on.write(part.flat())?;
        let seconds = mean_seconds(least, || on.compute_diagonals(instance.machine_count(), 1))?;
        self.same(&on.read()?, &expected[..part.count()], &device.name)?;
        self.add_many(format!("{}, diagonals, p = m", device.name), &part, seconds, None);
        Ok(())
    }
}

/// The two figures as tables: efficiency by number of jobs for 10 to 50 machines, in theory and as counted when the
/// steps are executed; first for p = m (theorem 1), then for the p to which theorem 2 guarantees an efficiency of 0.5.
///
/// # Errors
/// [`gridwright_core::Error::Search`] if an execution fails, which is a fault of this program.
pub fn figures() -> Result<[Report; 2]> {
    let heads: Vec<String> = MACHINES.iter().map(|machines| format!("m = {machines}")).collect();
    let mut columns = vec!["jobs"];
    columns.extend(heads.iter().map(String::as_str));
    let mut reports = [
        Report::new("Efficiency of p = m processors, in theory / measured in steps", &columns),
        Report::new(
            "Efficiency of p = nm/(n + m − 1) · (1/c − 1) processors for c = 0.5, at least / measured in steps",
            &columns,
        ),
    ];
    for jobs in JOBS {
        let mut rows = [vec![jobs.to_string()], vec![jobs.to_string()]];
        for machines in MACHINES {
            let options = GeneratorOptions { jobs, machines, seed: 1, due_dates: false, name: String::new() };
            let instance = generate(&options)?;
            let order: Vec<u16> = (0..jobs as u16).collect();
            let counted = |planned: &Wavefront| -> Result<f64> {
                let found = execute(&instance, &order, planned)?;
                let busy: u64 = found.operations.iter().sum();
                Ok(busy as f64 / (planned.processors() as u64 * found.steps) as f64)
            };
            let all = Wavefront::new(jobs, machines, machines)?;
            let theory = jobs as f64 / all.diagonals() as f64;
            rows[0].push(format!("{theory:.3} / {:.3}", counted(&all)?));
            let processors = (processors_for(jobs, machines, KEPT) as usize).clamp(1, machines);
            let some = Wavefront::new(jobs, machines, processors)?;
            let promised = some.efficiency_bound().value();
            rows[1].push(format!("p = {processors}: {promised:.3} / {:.3}", counted(&some)?));
        }
        let [first, second] = rows;
        reports[0].rows.push(first);
        reports[1].rows.push(second);
    }
    reports[0].notes.push("In theory n/(n + m − 1): with p = m, theorem 1 is exact.".to_owned());
    reports[1].notes.push("At least nm/(nm + p · (n + m − 1)), theorem 2; p is rounded down.".to_owned());
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_kernels::SharedCuda;

    /// 20 jobs, 5 machines: 24 steps of 5 processors, speedup 100/24; 60 steps of 2: diagonals 1, 2, 3, 4, sixteen of 5, then 4,
    /// 3, 2, 1 take 1 + 1 + 2 + 2 + 16·3 + 2 + 2 + 1 + 1 = 60.
    #[test]
    fn every_size_has_its_rows() {
        let instances = ["ta001", "ta011"].map(|name| library::taillard(name).unwrap());
        let effort = Effort { seconds: 0.0, on_cpu: 1_000, on_device: 1_000 };
        let none: &mut [Opening<'_, SharedCuda>] = &mut [];
        let [one, many] = measure(&instances, 2, none, effort, &mut |_| {}).unwrap();
        assert_eq!((one.rows.len(), many.rows.len()), (2, 6));
        for report in [&one, &many] {
            assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
        }
        assert_eq!(one.rows[0][..4], ["20 × 5", "CPU", "2", "60"]);
        assert_eq!(one.rows[0][7], "1.67");
        assert!(one.rows[1][6].parse::<f64>().unwrap() < 10.0);
    }

    /// 100 jobs on 20 machines: 100/119 = 0.840; 2000/119 = 16.8, so p = 16 promises 2000/(2000 + 16 · 119) = 0.512.
    #[test]
    fn figures_hold_theory_against_what_is_counted() {
        let [all, some] = figures().unwrap();
        assert_eq!((all.rows.len(), some.rows.len()), (6, 6));
        assert_eq!(all.rows[3][2], "0.840 / 0.840");
        assert!(some.rows[3][2].starts_with("p = 16: 0.512 / 0."), "{}", some.rows[3][2]);
        for cell in all.rows.iter().flat_map(|row| &row[1..]) {
            let (theory, measured) = cell.split_once(" / ").unwrap();
            assert_eq!(theory, measured);
        }
        for cell in some.rows.iter().flat_map(|row| &row[1..]) {
            let (_, both) = cell.split_once(": ").unwrap();
            let (least, measured) = both.split_once(" / ").unwrap();
            assert!(least.parse::<f64>().unwrap() <= measured.parse::<f64>().unwrap(), "{cell}");
        }
    }
}
