//! Short run of the memetic algorithm whose layout another search begins with.

use std::sync::Arc;

use super::cpu::CpuAnnealing;
use super::{Cycles, MANY, Memetic, MemeticParameters, prepared};
use crate::evaluation::Score;
use crate::islands::orientations;
use crate::{Instance, Layout, Orientation};
use gridwright_core::Result;
use gridwright_core::search::{Construction, Epochs as _};

/// Result of a short run.
#[derive(Debug, Clone)]
pub(crate) struct Brief {
    /// Best layout.
    pub layout: Layout,
    /// Score of the layout.
    pub score: Score,
    /// Number of evaluated layouts.
    pub evaluations: u64,
    /// Mean cost of random layouts.
    pub unit: f64,
}

/// Runs `cycles` cycles of the memetic algorithm on the CPU, in bays of the orientation `wanted` (`None`: both). A unit of the
/// construction is a step.
///
/// # Errors
/// A failure of the search.
pub(crate) fn brief(
    instance: &Instance, cycles: u32, wanted: Option<Orientation>, seed: u64, threads: &Arc<rayon::ThreadPool>,
    construction: &Construction,
) -> Result<Brief> {
    // Small instances need shorter stages.
    let leg = (instance.len() * instance.len() / 18).clamp(1, 8) as u32;
    // Steps of large plants must be short enough to end in time.
    let individuals = if instance.len() > MANY { 2 } else { 8 };
    let memetic = MemeticParameters { islands: 4, individuals, leg, ..MemeticParameters::default() };
    let prepared = prepared(instance, seed);
    let unit = prepared.1;
    let islands = orientations(4, wanted).into_iter().map(|one| one as usize).collect();
    let walk = CpuAnnealing::new(&prepared, &memetic, islands, seed, Arc::clone(threads));
    let steps = memetic.leg * (memetic.generations + 1) * ((4_u32.pow(cycles) - 1) / 3);
    let mut search = Memetic::new(walk, prepared, &memetic, Cycles::new(&memetic, &[], None), wanted, None, seed)?;
    construction.begin();
    while construction.done() < u64::from(steps) && construction.goes_on() {
        search.advance(1)?;
        construction.finish(1);
    }
    let snapshot = search.snapshot()?;
    let (layout, score) = (snapshot.best.layout.clone(), snapshot.best.score);
    Ok(Brief { layout, score, evaluations: snapshot.evaluations, unit })
}
