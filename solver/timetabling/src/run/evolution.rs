//! Start of a run of the evolutionary algorithm. Where a session cannot hold all exams, the search of [`super::leaving`] finds
//! out which to leave out; the algorithm evolves timetables of the others, and its first individual is the timetable found.

use std::borrow::Cow;
use std::sync::Arc;

use super::annealing::ATTEMPTS;
use super::leaving::Placed;
use super::{Expanded, Task};
use crate::evolution::cpu::CpuEvolution;
use crate::evolution::cuda::{DeviceEvolution, DeviceOptions};
use crate::evolution::initial::Origin;
use crate::evolution::{Evaluator, EvolutionParameters};
use crate::model::Model;
use crate::{Instance, InstanceParts, Timetable, UNPLACED};
use gridwright_core::Result;
use gridwright_core::backend::OpenDevice;
use gridwright_core::search::driver::Plan;
use gridwright_core::search::failover::FailoverSearch;
use gridwright_core::search::run::{Run, Started};
use gridwright_core::search::{Algorithms, Control, Epochs, StopReason, room};

impl Task<'_> {
    /// Finds out which exams to leave out, where not all have a place; returns the finished run if fewer than two remain.
    pub(super) fn prepare_evolution<'s>(&'s self, run: &'s Run<'_>) -> Option<Started<'s, Timetable>> {
        let leaves_out = match run.recorded() {
            Some(plan) => plan.rounds.is_some(),
            None => self.is_impossible() || (!self.places_all(run) && self.has_time_to_leave_out(run)),
        };
        if !leaves_out {
            return None;
        }
        let placed = self.place_most(run);
        let (rounds, all) = (placed.rounds, self.result_of(&placed));
        match self.begin_with(placed) {
            true => None,
            false => Some(self.constructed(all, 0, StopReason::NoFeasible, Some(rounds))),
        }
    }

    /// Returns `true` if one of the attempts to construct a timetable finds a place for all exams while the time lasts.
    fn places_all(&self, run: &Run<'_>) -> bool {
        let is_over = || run.control.is_interrupted() || !self.has_time_to_leave_out(run);
        (0..ATTEMPTS)
            .take_while(|_| !is_over())
            .any(|number| self.attempt(run.seed, number, &is_over).unplaced_exams().is_empty())
    }

    /// Remembers the exams that have a place and their timetable; returns `false` if there are fewer than two.
    fn begin_with(&self, placed: Placed) -> bool {
        let (rounds, all) = (placed.rounds, self.of_all(&placed));
        if !all.unplaced_exams().is_empty() {
            let Some((part, _)) = self.part_of(placed) else { return false };
            let _ = self.part.set(part);
        }
        let _ = self.first.set(Timetable::clone(&all));
        let _ = self.rounds.set(rounds);
        true
    }

    /// Repeats so many rounds of the search for exams to leave out, as a result has recorded them.
    pub(super) fn leave_out_again(&self, seed: u64, rounds: u64, control: &Control) {
        let mut made = 0;
        let mut placed = self.placed_most(seed, true, &mut |_| {
            let goes_on = made < rounds && !control.is_cancelled();
            made += u64::from(goes_on);
            goes_on
        });
        placed.rounds = made;
        self.begin_with(placed);
    }

    /// The session whose timetables evolve, and the first of these, if it is known.
    pub(super) fn origin(&self) -> Result<Origin<'_>> {
        let first = self.first.get();
        let instance = match first.filter(|_| self.part.get().is_some()) {
            Some(first) => Cow::Owned(without_students(self.instance, &first.unplaced_exams())?),
            None => Cow::Borrowed(self.instance),
        };
        Ok(Origin { instance, first })
    }

    /// Checks that populations and, where the evaluator needs it, the conflict matrix have room.
    fn check_population(&self, parameters: &EvolutionParameters) -> Result<()> {
        let nodes = self.model.nodes();
        let matrix = match parameters.evaluator {
            Evaluator::FullByChromosome | Evaluator::FullByExam => room::product([nodes, nodes, size_of::<u32>(), 1]),
            Evaluator::Sparse | Evaluator::HalfSparse => 0,
        };
        // Parents, children and what a device copies back.
        let genes = room::product([parameters.population as usize, nodes, 4, 1]);
        let remedy = "choose a smaller population, or the evaluation half-sparse";
        room::check("the population with its tables", matrix + genes, remedy)
    }

    pub(super) fn evolve<'s>(
        &'s self, parameters: &EvolutionParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Started<'s, Timetable>> {
        let (origin, threads) = (self.origin()?, Arc::clone(&run.threads));
        self.check_population(parameters)?;
        let (seed, construction, control) = (run.seed, &run.construction, run.control.clone());
        let (model, search): (Model, Box<dyn Epochs<Solution = Timetable>>) = match device {
            Some(device) => {
                let (runtime, options) = (device.runtime.clone(), DeviceOptions::default());
                let search = DeviceEvolution::new(origin, parameters, seed, threads, runtime, options, construction)?;
                (search.model().clone(), Box::new(FailoverSearch::new(search, control)))
            }
            None => {
                let search = CpuEvolution::new(origin, parameters, seed, threads, construction)?;
                (search.model().clone(), Box::new(search.with_control(control)))
            }
        };
        let left_out = self.first.get().filter(|_| self.part.get().is_some()).map(Timetable::unplaced_exams);
        let leaves_out = left_out.is_some();
        let expand = Box::new(move |nodes: &Arc<Timetable>| {
            let mut timetable = model.expand(nodes);
            if let Some(left_out) = &left_out {
                let periods = &mut Arc::make_mut(&mut timetable).periods;
                left_out.iter().for_each(|&exam| periods[exam] = UNPLACED);
            }
            timetable
        });
        let plan = Plan { rounds: self.rounds.get().copied(), ..run.plan(1) };
        Ok(Started::new(Expanded { expand, search, leaves_out }, plan, self.algorithm.values()))
    }
}

/// The session in which nobody sits these exams and no rule names them, so that their periods decide nothing.
fn without_students(instance: &Instance, left_out: &[usize]) -> Result<Instance> {
    let stays = |exam: u16| !left_out.contains(&exam.into());
    let mut instance = instance.clone();
    let rules = &mut instance.rules;
    rules.pins.retain(|&exam, _| stays(exam));
    rules.forbidden.retain(|&exam, _| stays(exam));
    rules.relations.retain(|relation| stays(relation.first) && stays(relation.second));
    for &exam in left_out {
        instance.exams[exam].duration = None;
        if let Some(reference) = &mut rules.reference {
            reference.timetable.periods[exam] = UNPLACED;
        }
    }
    let students = instance.students.iter().map(|own| own.iter().copied().filter(|&exam| stays(exam)).collect());
    Instance::build(InstanceParts {
        students: students.collect(),
        student_codes: instance.students.codes.clone(),
        name: instance.name,
        exams: instance.exams,
        periods: instance.periods,
        time_zone: instance.time_zone,
        divisor: Some(instance.divisor),
        rules: instance.rules,
        resources: instance.resources,
        objective: instance.objective,
        warnings: instance.warnings,
        file_hash: instance.file_hash,
    })
}
