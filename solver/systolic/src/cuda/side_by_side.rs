//! Snapshots of runs that differ in their seeds only and are computed side by side on a device.

use std::sync::Arc;

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::systolic::Tuning;

use super::{OnDevice, Tables, at_once, bytes, snapshot_of};
use crate::Instance;
use crate::evaluation::{Evaluation, Visitor, with_evaluation};
use crate::run::Algorithm;
use crate::state::BestBits;
use gridwright_core::search::{Control, Snapshot};
use gridwright_core::{Error, Result};

/// Largest number of bytes of solutions that the host reads at once.
const HOST: u64 = 256 << 20;

/// Computes runs with seeds from `first` on, at most `count` and as many as the device and [`HOST`] hold at once, each for all iterations.
/// `found[run]` has the snapshots before the first and after every `epoch` iterations, equal to those of a single run but for
/// the solutions beside the best one, which are left out.
///
/// # Errors
/// [`Error::Device`] if the device lacks memory or is lost; [`Error::Cancelled`] if `control` was interrupted;
/// [`Error::Usage`] if the instance cannot be searched.
pub(crate) fn snapshots<M: DeviceRuntime>(
    instance: &Instance, algorithm: &Algorithm, [first, count]: [u64; 2], epoch: u32, mut runtime: M, control: &Control,
) -> Result<Vec<Vec<Snapshot<BestBits>>>> {
    let tables = Tables::new(instance, algorithm.grid(instance.bits()))?;
    let (_, each) = bytes(algorithm, &tables);
    let count = count.min(at_once(algorithm, &tables, &mut runtime)?).min((HOST / each.max(1)).max(1));
    let device = OnDevice::new(runtime, instance, &tables, algorithm, [first, count], Tuning::default())?;
    with_evaluation(instance, Walk { device, algorithm, epoch: epoch.into(), control })?
}

/// All iterations of all runs.
struct Walk<'a, M> {
    device: OnDevice<M>,
    algorithm: &'a Algorithm,
    epoch: u64,
    control: &'a Control,
}

impl<M: DeviceRuntime> Visitor for Walk<'_, M> {
    type Output = Result<Vec<Vec<Snapshot<BestBits>>>>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Self::Output {
        let Self { mut device, algorithm, epoch, control } = self;
        let bare = BestBits::alone(algorithm.grid(evaluation.bits()), &[], 0.0, true).frame;
        let mut found: Vec<Vec<Snapshot<BestBits>>> = Vec::new();
        let (iterations, mut done) = (algorithm.iterations(), 0);
        loop {
            let states = device.read(&evaluation)?;
            found.resize_with(states.len(), Vec::new);
            for (run, state) in found.iter_mut().zip(&states) {
                let snapshot = snapshot_of(&evaluation, algorithm, done, state);
                let best = BestBits { frame: Arc::clone(&bare), ..Arc::unwrap_or_clone(snapshot.best) };
                // Most snapshots of a run have the same best solution.
                let known = run.last().filter(|last| *last.best == best).map(|last| Arc::clone(&last.best));
                run.push(Snapshot { best: known.unwrap_or_else(|| Arc::new(best)), ..snapshot });
            }
            if done >= iterations {
                return Ok(found);
            }
            let until = (done + epoch).min(iterations);
            while done < until {
                if control.is_interrupted() {
                    return Err(Error::Cancelled);
                }
                done += device.launch(done, until - done)?;
            }
        }
    }
}
