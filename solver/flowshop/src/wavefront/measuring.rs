//! Measured time of one order by p processors of this machine, for comparison with theory.
//!
//! One processor is the plain recurrence, order after order. On the CPU, p processors are threads with a barrier after
//! every anti-diagonal; on a CUDA device they are a block of p threads, and one processor is a block of one thread.

use std::time::{Duration, Instant};

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::makespan::{MOST_MACHINES, Tuning};

use super::cuda::DeviceMakespans;
use super::execution::with_threads;
use super::{Orders, Wavefront, cpu};
use crate::Instance;
use gridwright_core::backend::Opening;
use gridwright_core::search::Control;
use gridwright_core::{Error, Result};

/// Number of different orders in the sequential measurement; repeating a single order would let the branch predictor
/// learn it.
const DIFFERENT: usize = 64;

/// Approximate number of operations per launch, short enough for a GPU that also draws the screen.
const IN_A_LAUNCH: u64 = 100_000;

/// Measured times for one number of processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Number of processors p.
    pub processors: usize,
    /// Seconds per order on one processor of the same kind.
    pub alone: f64,
    /// Seconds per order on p processors.
    pub together: f64,
}

impl Measurement {
    /// Efficiency T(1) / (p · T(p)).
    pub fn efficiency(&self) -> f64 {
        self.alone / (self.processors as f64 * self.together.max(1e-12))
    }

    /// Speedup T(1) / T(p).
    pub fn speedup(&self) -> f64 {
        self.alone / self.together.max(1e-12)
    }
}

/// Numbers of processors to measure up to `most`: 1, 2, 3, 4, then growing by one half, and `most` itself.
pub fn counts(most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=most.min(4)).collect();
    let mut next = 6;
    while next < most {
        counts.push(next);
        next += next / 2;
    }
    if most > 4 {
        counts.push(most);
    }
    counts
}

/// Mean of the seconds that `call` returns, over at least the duration `least` after one warm-up call; `None` if
/// cancelled.
fn mean_of(least: Duration, control: &Control, mut call: impl FnMut() -> Result<f64>) -> Result<Option<f64>> {
    call()?;
    let (began, mut calls, mut sum) = (Instant::now(), 0_u32, 0.0);
    loop {
        if control.is_cancelled() {
            return Ok(None);
        }
        sum += call()?;
        calls += 1;
        if began.elapsed() >= least {
            return Ok(Some(sum / f64::from(calls)));
        }
    }
}

/// Measures synchronised CPU threads for every number of processors in `counts` and reports each result to `tell`. Ends
/// early if cancelled.
///
/// # Errors
/// See [`with_threads`]; [`Error::Search`] if the threads compute other values than the reference, which is a fault of
/// this program.
pub fn on_threads(
    instance: &Instance, counts: &[usize], least: Duration, control: &Control, tell: &mut dyn FnMut(Measurement),
) -> Result<()> {
    let different = Orders::random(instance, DIFFERENT, 1);
    let expected = cpu::reference(instance, &different);
    let alone = mean_of(least, control, || {
        let began = Instant::now();
        std::hint::black_box(cpu::one_by_one(instance, std::hint::black_box(&different))?);
        Ok(began.elapsed().as_secs_f64() / DIFFERENT as f64)
    })?;
    let Some(alone) = alone else { return Ok(()) };
    let order = &different.flat()[..instance.job_count()];
    for &processors in counts {
        if processors == 1 {
            tell(Measurement { processors, alone, together: alone });
            continue;
        }
        let wavefront = Wavefront::new(instance.job_count(), instance.machine_count(), processors)?;
        // Short enough to be cancelled, long enough to outweigh the start of the threads.
        let repeats = (2_000 / wavefront.diagonals()).clamp(1, 50) as u32;
        let together = mean_of(least, control, || {
            let (values, time) = with_threads(instance, order, &wavefront, repeats)?;
            if Some(&values) != expected.first() {
                let text =
                    "synchronised threads compute other values than the reference; this is a fault of the program";
                return Err(Error::Search(text.to_owned()));
            }
            Ok(time.as_secs_f64())
        })?;
        let Some(together) = together else { return Ok(()) };
        tell(Measurement { processors, alone, together });
    }
    Ok(())
}

/// Measures a device like [`on_threads`]; returns at once if the instance has more machines than the kernels support.
///
/// # Errors
/// Errors of the device; [`Error::Search`] if it computes other values than the reference.
pub fn on_device<M: DeviceRuntime>(
    instance: &Instance, counts: &[usize], least: Duration, device: &mut Opening<'_, M>, control: &Control,
    tell: &mut dyn FnMut(Measurement),
) -> Result<()> {
    if instance.machine_count() > MOST_MACHINES as usize {
        return Ok(());
    }
    let orders = Orders::random(instance, 1, 1);
    let expected = cpu::reference(instance, &orders);
    let mut on = DeviceMakespans::new(instance, (device.open)(), 1, Tuning::default())?;
    on.write(orders.flat())?;
    let operations = (instance.job_count() * instance.machine_count()).max(1) as u64;
    let repeats = (IN_A_LAUNCH / operations).clamp(1, 1_000) as u32;
    let mut alone = None;
    for &processors in counts {
        let together = mean_of(least, control, || {
            let began = Instant::now();
            on.compute_diagonals(processors, repeats)?;
            Ok(began.elapsed().as_secs_f64() / f64::from(repeats))
        })?;
        let Some(together) = together else { return Ok(()) };
        if on.read()? != expected {
            let text =
                format!("{} computes other values than the reference; this is a fault of the program", device.name);
            return Err(Error::Search(text));
        }
        tell(Measurement { processors, alone: *alone.get_or_insert(together), together });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn counts_begin_close_together_and_end_at_the_most() {
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(3), [1, 2, 3]);
        assert_eq!(counts(5), [1, 2, 3, 4, 5]);
        assert_eq!(counts(20), [1, 2, 3, 4, 6, 9, 13, 19, 20]);
    }

    #[test]
    fn every_count_is_told_and_cancelling_ends_it() {
        let instance = library::taillard("ta001").unwrap();
        let mut told = Vec::new();
        on_threads(&instance, &[1, 2], Duration::ZERO, &Control::new(), &mut |measured| told.push(measured)).unwrap();
        assert_eq!(told.iter().map(|measured| measured.processors).collect::<Vec<_>>(), [1, 2]);
        assert!((told[0].efficiency() - 1.0).abs() < 1e-9 && told[1].together > 0.0);
        let control = Control::new();
        control.cancel();
        on_threads(&instance, &[1, 2], Duration::from_secs(60), &control, &mut |_| panic!("told")).unwrap();
    }
}
