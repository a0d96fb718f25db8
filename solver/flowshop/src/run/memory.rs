//! Device memory of a run, computed before it starts.

use super::Algorithm;
use super::greedy::WORTH_A_DEVICE;
use crate::Instance;
use crate::greedy::cuda;
use crate::insertion::FlowShopProblem;
use crate::multiobjective::Goal;
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Limits, MemoryNeed};

/// Memory that a run needs on a device with these limits; `None` if the CPU computes the run, and for fronts, whose
/// searches take as much of the free memory as they can use.
///
/// # Errors
/// [`gridwright_core::Error::Device`] with the remedy if the device cannot hold the run, however much memory is free.
pub fn memory_need(
    instance: &Instance, algorithm: &Algorithm, goal: Goal, backend: Backend, limits: &Limits,
) -> Result<Option<MemoryNeed>> {
    let is_for_cpu = |objective| {
        let is_small = instance.job_count() < WORTH_A_DEVICE;
        backend == Backend::Auto && (is_small || !FlowShopProblem::new(instance, objective).fits_devices())
    };
    match (algorithm, goal) {
        (Algorithm::IteratedGreedy(parameters), Goal::One(objective))
            if backend != Backend::Cpu && !is_for_cpu(objective) =>
        {
            cuda::memory_need(instance, objective, parameters, limits).map(Some)
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;
    use crate::formats::{LoadOptions, open};
    use crate::greedy::IteratedGreedyParameters;
    use gridwright_core::testing::small_card;

    #[test]
    fn more_chains_need_more_and_automatic_ones_fill_the_device() {
        let shop = open("taillard:ta051", &LoadOptions::default()).unwrap();
        let limits = small_card(1 << 20);
        let need = |chains, backend| {
            let greedy = Algorithm::IteratedGreedy(IteratedGreedyParameters { chains, ..Default::default() });
            memory_need(&shop, &greedy, Goal::One(Objective::Makespan), backend, &limits).unwrap()
        };
        let named = |chains| need(chains, Backend::Cuda(0)).unwrap();
        assert!(named(1_000).needed > named(100).needed && named(0).needed > named(1).needed);
        assert!(named(1).fits() && !named(1 << 20).fits());
        assert_eq!(need(0, Backend::Cpu), None);
    }
}
