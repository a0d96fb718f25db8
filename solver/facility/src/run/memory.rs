//! Device memory of a run, computed before it starts.

use gridwright_kernels::facility::{Annealer, Individuals};

use super::{Algorithm, WORTH_A_DEVICE, side_on};
use crate::device::Tables;
use crate::evaluation::Problem;
use crate::{Instance, Orientation};
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Limits, MemoryNeed};

/// Memory that a run needs on a device with these limits; `None` if the CPU computes the run.
///
/// # Errors
/// None; a run that a device cannot hold fails when it starts.
pub fn memory_need(
    instance: &Instance, algorithm: &Algorithm, backend: Backend, limits: &Limits,
) -> Result<Option<MemoryNeed>> {
    let small = backend == Backend::Auto && instance.len() < WORTH_A_DEVICE;
    let cpu_only = !instance.rules.fixed.is_empty() || algorithm.price() > 0.0;
    if backend == Backend::Cpu || cpu_only || small || algorithm.check(instance).is_err() {
        return Ok(None);
    }
    let problems = Orientation::ALL.map(|orientation| Problem::new(instance, orientation));
    let tables = Tables::new(&problems);
    let plant = tables.plant(&problems);
    let needed = match algorithm {
        Algorithm::Memetic(parameters) => {
            let mut parameters = parameters.clone();
            parameters.resolve(instance.len(), side_on(limits.devices(), instance));
            Annealer::bytes(&plant, parameters.islands.saturating_mul(parameters.individuals))
        }
        Algorithm::Genetic(parameters) => {
            Individuals::bytes(&plant, parameters.islands.saturating_mul(parameters.individuals))
        }
        Algorithm::Enumeration(_) | Algorithm::Slicing(_) => return Ok(None),
    };
    Ok(Some(MemoryNeed { needed, free: limits.free }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{LoadOptions, open};
    use crate::genetic::GeneticParameters;
    use gridwright_core::search::Algorithms;
    use gridwright_core::testing::small_card;

    #[test]
    fn more_individuals_need_more() {
        let plant = open("layout:F40", &LoadOptions::default()).unwrap();
        let limits = small_card(1 << 20);
        let need = |individuals| {
            let genetic = GeneticParameters { islands: 4, individuals, ..GeneticParameters::default() };
            memory_need(&plant, &Algorithm::Genetic(genetic), Backend::Auto, &limits).unwrap().unwrap()
        };
        assert_eq!(need(1_024).needed - need(512).needed, 4 * 512 * (4 * 40 + 60));
        assert!(need(64).fits() && !need(8_192).fits());
        let memetic = memory_need(&plant, &Algorithm::default(), Backend::Cuda(0), &limits).unwrap().unwrap();
        assert!(memetic.needed > need(512).needed, "4,096 walk side by side");
        assert_eq!(memory_need(&plant, &Algorithm::default(), Backend::Cpu, &limits).unwrap(), None);
        let enumeration = Algorithm::named("enumeration").unwrap();
        assert_eq!(memory_need(&plant, &enumeration, Backend::Cuda(0), &limits).unwrap(), None);
    }
}
