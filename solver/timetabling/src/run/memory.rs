//! Device memory of a run, computed before it starts.

use gridwright_kernels::annealing::{Chains, Layout as ChainLayout, Tuning as ChainTuning};
use gridwright_kernels::evolution::{Layout, Population, Tuning};

use super::{Algorithm, WORTH_A_DEVICE};
use crate::Instance;
use crate::annealing::{self, AnnealingParameters, Schedule, cuda};
use crate::evolution::{self, EvolutionParameters, Tables};
use crate::model::Model;
use crate::seating::{self, SeatingModel};
use gridwright_core::Result;
use gridwright_core::backend::{Backend, Limits, MemoryNeed};

/// Memory that a run needs on a device with these limits; `None` if `auto` leaves the run to the CPU.
///
/// # Errors
/// [`gridwright_core::Error::Device`] with the remedy if the device cannot hold the run, however much memory is free;
/// [`gridwright_core::Error::Usage`] if the algorithm cannot compute the instance.
pub fn memory_need(
    instance: &Instance, algorithm: &Algorithm, backend: Backend, limits: &Limits,
) -> Result<Option<MemoryNeed>> {
    if backend == Backend::Cpu || instance.period_count() == 0 {
        return Ok(None);
    }
    let model = Model::new(instance);
    if backend == Backend::Auto && model.nodes() < WORTH_A_DEVICE {
        return Ok(None);
    }
    let needed = match algorithm {
        Algorithm::Annealing(parameters) if instance.is_session() => of_session(instance, parameters, limits)?,
        Algorithm::Annealing(parameters) => of_annealing(&model, parameters, limits)?,
        Algorithm::Evolution(parameters) => of_evolution(&instance.name, &model, parameters, limits)?,
    };
    Ok(Some(MemoryNeed { needed, free: limits.free }))
}

fn of_annealing(model: &Model, parameters: &AnnealingParameters, limits: &Limits) -> Result<u64> {
    let schedule = Schedule::new(model, parameters);
    let chains = match parameters.chains {
        0 => cuda::capacity_within(model, &schedule, limits)?,
        asked => asked,
    };
    let graph = annealing::device_tables::graph(model, &schedule)?;
    // A session without conflicts never comes to the device.
    if graph.components.is_empty() {
        return Ok(0);
    }
    let shape = annealing::device_tables::shape(&schedule, chains as usize, 1);
    let layout = ChainLayout::for_chains(limits, &graph, &shape, ChainTuning::default())?;
    Ok(Chains::bytes(&shape, &graph, &layout))
}

fn of_session(instance: &Instance, parameters: &AnnealingParameters, limits: &Limits) -> Result<u64> {
    let model = SeatingModel::new(instance);
    let schedule = model.schedule(parameters);
    let chains = match parameters.chains {
        0 => seating::cuda::capacity_within(&model, &schedule, limits)?,
        asked => asked,
    };
    seating::cuda::bytes(&model, &schedule, chains)
}

fn of_evolution(name: &str, model: &Model, parameters: &EvolutionParameters, limits: &Limits) -> Result<u64> {
    let tables = Tables::new(name, model, parameters)?;
    let graph = evolution::device_tables::graph(&tables)?;
    let shape = evolution::device_tables::shape(&tables, parameters, 1);
    Layout::choose(&shape, limits, Tuning::default())?;
    Ok(Population::bytes(&shape, &graph))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::sample;
    use crate::{Exam, InstanceParts, Period};
    use gridwright_core::testing::small_card;

    fn evolution(population: u32) -> Algorithm {
        Algorithm::Evolution(EvolutionParameters { population, ..EvolutionParameters::default() })
    }

    #[test]
    fn a_larger_population_needs_more() {
        let faculty = sample("faculty").unwrap();
        let need = |population, free| {
            memory_need(&faculty, &evolution(population), Backend::Cuda(0), &small_card(free)).unwrap().unwrap()
        };
        let (small, large) = (need(256, 1 << 30), need(1 << 20, 1 << 20));
        // A chromosome has a byte for an exam, a pair of populations, costs and what the stages need beside them.
        let each = u64::from(faculty.exam_count().div_ceil(4) as u32) * 8 + 22;
        assert_eq!(large.needed - small.needed, ((1 << 20) - 256) * each);
        assert!(small.fits() && !large.fits());
        assert!(small.to_string().ends_with("1.0 GiB free"), "{small}");
        let text = large.to_string();
        assert!(text.contains("smaller population") && text.contains("1.0 MiB"), "{text}");
    }

    #[test]
    fn more_chains_need_more_and_automatic_ones_are_as_many_as_the_device_walks() {
        let faculty = sample("faculty").unwrap();
        let need = |chains| {
            let annealing = Algorithm::Annealing(AnnealingParameters { chains, ..AnnealingParameters::default() });
            memory_need(&faculty, &annealing, Backend::Auto, &small_card(1 << 30)).unwrap().unwrap().needed
        };
        assert!(need(0) > need(1) && need(1_000) > need(100));
        let model = Model::new(&faculty);
        let schedule = Schedule::new(&model, &AnnealingParameters::default());
        assert_eq!(need(0), need(cuda::capacity_within(&model, &schedule, &small_card(1 << 30)).unwrap()));
    }

    #[test]
    fn what_the_cpu_does_needs_nothing_of_a_device() {
        let school = sample("school").unwrap();
        let need = |instance: &Instance, backend| {
            memory_need(instance, &evolution(256), backend, &small_card(1 << 30)).unwrap()
        };
        assert_eq!(need(&school, Backend::Cpu), None);
        assert!(need(&school, Backend::Cuda(1)).is_some());
        let exams = (0..WORTH_A_DEVICE - 1).map(|number| Exam { code: number.to_string(), ..Exam::default() });
        let (exams, periods) = (exams.collect(), vec![Period::default(); 5]);
        let parts = InstanceParts { exams, students: vec![vec![0, 1], vec![1, 2]], periods, ..Default::default() };
        let few = Instance::build(parts).unwrap();
        assert_eq!(need(&few, Backend::Auto), None);
        assert!(need(&few, Backend::Cuda(0)).is_some(), "asked for by name");
    }

    #[test]
    fn a_device_that_cannot_hold_a_block_says_so() {
        let tiny = Limits { shared_per_block: 128, ..small_card(1 << 30) };
        for algorithm in [evolution(256), Algorithm::default()] {
            let why = memory_need(&sample("school").unwrap(), &algorithm, Backend::Cuda(0), &tiny).unwrap_err();
            assert!(
                matches!(why, gridwright_core::Error::Device(_)) && why.to_string().contains("use the CPU"),
                "{why}"
            );
        }
    }
}
