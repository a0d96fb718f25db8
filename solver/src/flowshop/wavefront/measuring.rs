//! How long p processors of this machine take for one order, beside what theory says.
//!
//! One processor is the plain recurrence, order after order. On the CPU p processors are threads that meet after every
//! diagonal; on a CUDA device a block of p threads does, and one processor is a block of one.

use std::time::{Duration, Instant};

use gridwright_kernels::Machine;
use gridwright_kernels::makespan::{MOST_MACHINES, Tuning};

use super::cuda::DeviceMakespans;
use super::execution::with_threads;
use super::{Orders, Wavefront, cpu};
use crate::backend::Opening;
use crate::flowshop::Instance;
use crate::search::Control;
use crate::{Error, Result};

/// Orders that one processor computes one after the other: different ones, because a processor learns the branches of one
/// that comes again and again.
const DIFFERENT: usize = 64;

/// Operations in a launch, about: short enough that a desktop's GPU still draws its screen.
const IN_A_LAUNCH: u64 = 100_000;

/// A measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// p.
    pub processors: usize,
    /// Seconds for one order by one processor of the same kind.
    pub alone: f64,
    /// Seconds for one order by p of them.
    pub together: f64,
}

impl Measured {
    /// T(1) / (p · T(p)).
    pub fn efficiency(&self) -> f64 {
        self.alone / (self.processors as f64 * self.together.max(1e-12))
    }

    /// T(1) / T(p).
    pub fn speedup(&self) -> f64 {
        self.alone / self.together.max(1e-12)
    }
}

/// The numbers of processors that are worth measuring, up to `most`: 1, 2, 3, 4, then half as many more each time.
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

/// Seconds of a call on average, for at least `least` seconds, or until it is cancelled.
fn each(least: Duration, control: &Control, mut call: impl FnMut() -> Result<f64>) -> Result<Option<f64>> {
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

/// One order by threads of this machine that meet after every diagonal, one count after the other; tells each as it is
/// known. What is cancelled ends early.
///
/// # Errors
/// As [`with_threads`]; [`Error::Search`] where threads compute other values than the reference, which is a fault.
pub fn on_threads(
    instance: &Instance,
    counts: &[usize],
    least: Duration,
    control: &Control,
    tell: &mut dyn FnMut(Measured),
) -> Result<()> {
    let different = Orders::random(instance, DIFFERENT, 1);
    let expected = cpu::reference(instance, &different);
    let alone = each(least, control, || {
        let began = Instant::now();
        std::hint::black_box(cpu::one_by_one(instance, std::hint::black_box(&different))?);
        Ok(began.elapsed().as_secs_f64() / DIFFERENT as f64)
    })?;
    let Some(alone) = alone else { return Ok(()) };
    let order = &different.flat()[..instance.job_count()];
    for &processors in counts {
        if processors == 1 {
            tell(Measured { processors, alone, together: alone });
            continue;
        }
        let wavefront = Wavefront::new(instance.job_count(), instance.machine_count(), processors)?;
        // Short enough to be cancelled, long enough that starting the threads does not count.
        let repeats = (2_000 / wavefront.diagonals()).clamp(1, 50) as u32;
        let together = each(least, control, || {
            let (values, time) = with_threads(instance, order, &wavefront, repeats)?;
            if Some(&values) != expected.first() {
                let text = "threads that meet compute other values than the reference, which is a fault";
                return Err(Error::Search(text.to_owned()));
            }
            Ok(time.as_secs_f64())
        })?;
        let Some(together) = together else { return Ok(()) };
        tell(Measured { processors, alone, together });
    }
    Ok(())
}

/// The same on a device, whose kernels hold a bounded number of machines.
///
/// # Errors
/// What the device reports; [`Error::Search`] where it computes other values than the reference.
pub fn on_device<M: Machine>(
    instance: &Instance,
    counts: &[usize],
    least: Duration,
    device: &mut Opening<'_, M>,
    control: &Control,
    tell: &mut dyn FnMut(Measured),
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
        let together = each(least, control, || {
            let began = Instant::now();
            on.compute_diagonals(processors, repeats)?;
            Ok(began.elapsed().as_secs_f64() / f64::from(repeats))
        })?;
        let Some(together) = together else { return Ok(()) };
        if on.read()? != expected {
            let text = format!("{} computes other values than the reference, which is a fault", device.name);
            return Err(Error::Search(text));
        }
        tell(Measured { processors, alone: *alone.get_or_insert(together), together });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;

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
        on_threads(&instance, &[1, 2], Duration::ZERO, &Control::new(), &mut |one| told.push(one)).unwrap();
        assert_eq!(told.iter().map(|one| one.processors).collect::<Vec<_>>(), [1, 2]);
        assert!((told[0].efficiency() - 1.0).abs() < 1e-9 && told[1].together > 0.0);
        let control = Control::new();
        control.cancel();
        on_threads(&instance, &[1, 2], Duration::from_secs(60), &control, &mut |_| panic!("told")).unwrap();
    }
}
