//! First steps of the aggregated tabu search, recorded for students: one trajectory with its whole neighbourhoods and
//! tabu list, and the offers of all trajectories to the archive.
//!
//! The steps are performed by [`TabuSearch`] itself. The trace evaluates the neighbourhood of the followed trajectory
//! once more before each step, so that a recording needs memory for steps · neighbours moves of about 64 bytes each.

use std::sync::Arc;

use super::{ChooseBest, TabuSearch, Trajectory};
use crate::Instance;
use crate::multiobjective::evaluation::Evaluator;
use crate::multiobjective::exploration::Neighbourhood;
use crate::multiobjective::weights::{RANGE_BITS, lattice};
use crate::multiobjective::{Objectives, TabuParameters};
use gridwright_core::search::pareto::Point;
use gridwright_core::search::pareto::history::History;
use gridwright_core::search::{Control, Epochs as _};
use gridwright_core::{Error, Result};

/// State of the followed trajectory between two steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Job permutation.
    pub order: Vec<u16>,
    /// Objective values of the order.
    pub point: Point,
    /// Weighted sum of the order.
    pub sum: u64,
    /// Least sum so far.
    pub best: u64,
    /// Steps for which each job may not be moved, by job index; 0 for jobs that may be moved.
    pub tabu: Vec<u64>,
}

/// An evaluated neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Number of the neighbour, see [`Neighbourhood`].
    pub id: u64,
    /// Objective values.
    pub point: Point,
    /// Weighted sum.
    pub sum: u64,
    /// True if the move moves a job that is tabu.
    pub is_tabu: bool,
}

/// Rule by which a move was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It has the least sum of all moves and is not tabu.
    Best,
    /// It has the least sum of the moves that are not tabu; a tabu move has a lower one.
    BestAllowed,
    /// It is tabu, but its sum is below the least one so far.
    Aspiration,
    /// All moves are tabu, and it has the least sum of them.
    AllTabu,
}

/// A step of the followed trajectory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// All neighbours, by ascending number.
    pub moves: Vec<Move>,
    /// Index of the chosen move in `moves`.
    pub chosen: usize,
    /// Rule by which the move was chosen.
    pub reason: Reason,
}

/// Recorded steps.
#[derive(Debug, Clone)]
pub struct TabuTrace {
    /// Objectives, in the order of the values of points.
    pub objectives: Objectives,
    /// Kind of neighbourhood.
    pub neighbourhood: Neighbourhood,
    /// Weights of each trajectory's sum.
    pub weights: Vec<Vec<u32>>,
    /// Index of the followed trajectory in `weights`.
    pub followed: usize,
    /// States of the followed trajectory; `states[0]` is the start, `states[k]` follows step `k − 1`.
    pub states: Vec<State>,
    /// Steps of the followed trajectory.
    pub steps: Vec<Step>,
    /// Offers to the archive: one of each trajectory at the start, then one of each after every step.
    pub history: History,
    /// Offered orders; same length as the points of `history`.
    pub offers: Vec<Arc<[u16]>>,
}

impl TabuTrace {
    /// Records the first `steps` steps of the search with these arguments; see [`TabuSearch::new`]. `followed` is the
    /// index of a trajectory in the order of [`lattice`].
    ///
    /// # Errors
    /// [`Error::Cancelled`] if `control` says so; [`Error::Usage`] if the instance has fewer than two jobs, lacks due
    /// dates, or the system gives no thread.
    pub fn record(
        instance: &Instance, objectives: &Objectives, parameters: &TabuParameters, seed: u64, followed: usize,
        steps: usize, control: &Control,
    ) -> Result<Self> {
        objectives.check(instance)?;
        if instance.job_count() < 2 {
            return Err(Error::Usage("a single job has one order only; choose an instance with more jobs".to_owned()));
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let threads = threads.map_err(|error| Error::Usage(format!("the system gives no thread ({error})")))?;
        let search = TabuSearch::new(instance, objectives, parameters, seed, Arc::new(threads));
        let mut search = search.with_control(control.clone());
        let weights = lattice(objectives.count(), parameters.divisions.max(1));
        let mut trace = Self {
            objectives: *objectives,
            neighbourhood: search.rules.neighbourhood,
            followed: followed.min(weights.len() - 1),
            weights,
            states: Vec::with_capacity(steps + 1),
            steps: Vec::with_capacity(steps),
            history: History::default(),
            offers: Vec::new(),
        };
        trace.keep(&search);
        for _ in 0..steps {
            trace.steps.push(trace.look(&search)?);
            search.advance(1)?;
            trace.keep(&search);
        }
        Ok(trace)
    }

    /// Adds the state of the followed trajectory and the offers of all.
    fn keep(&mut self, search: &TabuSearch) {
        for trajectory in &search.trajectories {
            self.history.offer(self.objectives.select(&trajectory.values));
            self.offers.push(trajectory.order.as_slice().into());
        }
        let Trajectory { order, values, sum, best, free, .. } = &search.trajectories[self.followed];
        self.states.push(State {
            order: order.clone(),
            point: self.objectives.select(values),
            sum: sum.cost(values),
            best: *best,
            tabu: free.iter().map(|free| free.saturating_sub(search.step)).collect(),
        });
    }

    /// Evaluates the neighbourhood of the followed trajectory and chooses a move as the search does.
    fn look(&self, search: &TabuSearch) -> Result<Step> {
        let (rules, step) = (&search.rules, search.step);
        let trajectory = &search.trajectories[self.followed];
        let (choice, _) = pulp::Arch::new().dispatch(ChooseBest { trajectory, rules, step });
        // Only an interrupted choice of two or more jobs is empty.
        let (_, id, _) = choice.ok_or(Error::Cancelled)?;
        let Trajectory { order, sum, best, free, .. } = trajectory;
        let (mut evaluator, mut base) = (Evaluator::new(&rules.shop), Vec::new());
        if self.neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(&rules.shop, order);
        }
        let mut moves = Vec::with_capacity(self.neighbourhood.size(order.len()) as usize);
        for position in 0..order.len() {
            self.neighbourhood.evaluate(&rules.shop, &mut evaluator, &mut base, order, position);
            self.neighbourhood.for_each(order.len(), position, |id, place| {
                let values = &evaluator.values[place];
                let mut moved = trajectory.moved(self.neighbourhood, id).into_iter();
                let is_tabu = moved.any(|job| free[usize::from(job)] > step);
                moves.push(Move { id, point: self.objectives.select(values), sum: sum.cost(values), is_tabu });
            });
        }
        let chosen = moves.iter().position(|one| one.id == id).ok_or(Error::Cancelled)?;
        let taken = moves[chosen];
        let is_allowed = |one: &Move| !one.is_tabu || (rules.aspiration && one.sum < *best);
        let reason = match (taken.is_tabu, is_allowed(&taken)) {
            (true, true) => Reason::Aspiration,
            (true, false) => Reason::AllTabu,
            _ if moves.iter().any(|one| one.is_tabu && one.sum < taken.sum) => Reason::BestAllowed,
            _ => Reason::Best,
        };
        Ok(Step { moves, chosen, reason })
    }

    /// Number of trajectories; offer `k` is that of trajectory `k % trajectories` after step `k / trajectories`, 0 for
    /// the start.
    pub fn trajectories(&self) -> usize {
        self.weights.len()
    }

    /// Number of offers made up to the end of the first `steps` steps.
    pub fn offers_after(&self, steps: usize) -> usize {
        (steps + 1) * self.trajectories()
    }

    /// Converts a weighted sum in fixed point, with `RANGE_BITS` binary places, into units of the objectives' normalised ranges.
    pub fn shown(sum: u64) -> f64 {
        sum as f64 / (1_u64 << RANGE_BITS) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_core::search::Parameters as _;

    fn parameters(values: &[(&str, &str)], objectives: &Objectives, jobs: usize) -> TabuParameters {
        let mut parameters = TabuParameters::default();
        for (name, value) in values {
            parameters.set(name, value).unwrap();
        }
        parameters.resolve(objectives.count(), jobs);
        parameters
    }

    /// The recorded orders, tabu lists and archive are those of a search that nobody records.
    #[test]
    fn a_trace_is_what_the_search_does() {
        let instance = library::sample("workshop").unwrap();
        for (goal, changes, seed) in [
            ("makespan,tardiness", &[][..], 1),
            ("makespan,flowtime,tardiness", &[("start", "random"), ("neighbourhood", "exchange")][..], 5),
            ("tardiness,tardy", &[("tenure", "9"), ("aspiration", "false")][..], 3),
        ] {
            let objectives: Objectives = goal.parse().unwrap();
            let parameters = parameters(changes, &objectives, instance.job_count());
            let threads = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());
            let mut search = TabuSearch::new(&instance, &objectives, &parameters, seed, threads);
            let followed = search.trajectories() / 2;
            let control = Control::new();
            let trace = TabuTrace::record(&instance, &objectives, &parameters, seed, followed, 40, &control).unwrap();
            assert_eq!((trace.states.len(), trace.steps.len()), (41, 40));
            for (step, state) in trace.states.iter().enumerate() {
                let Trajectory { order, best, free, .. } = &search.trajectories[followed];
                assert_eq!((&state.order, state.best), (order, *best), "{goal}, step {step}");
                let tabu: Vec<u64> = free.iter().map(|free| free.saturating_sub(step as u64)).collect();
                assert_eq!(state.tabu, tabu, "{goal}, step {step}");
                let members: Vec<usize> = trace.history.members(trace.offers_after(step)).collect();
                let archived: Vec<_> = search.found.archive().iter().map(|(point, order)| (*point, &**order)).collect();
                let recorded: Vec<_> =
                    members.iter().map(|&offer| (trace.history.points()[offer], &*trace.offers[offer])).collect();
                assert_eq!(recorded, archived, "{goal}, step {step}");
                search.advance(1).unwrap();
            }
        }
    }

    /// The chosen move has the least (sum, number) of the allowed moves, or of all if none is allowed, and every rule
    /// occurs.
    #[test]
    fn every_choice_follows_its_rule() {
        let instance = library::sample("workshop").unwrap();
        let objectives: Objectives = "makespan,tardiness".parse().unwrap();
        let mut seen = Vec::new();
        for (changes, aspiration) in [
            (&[("start", "random")][..], true),
            (&[("start", "random"), ("tenure", "5"), ("aspiration", "false")][..], false),
            (&[("start", "random"), ("tenure", "40")][..], true),
        ] {
            let parameters = parameters(changes, &objectives, instance.job_count());
            for followed in [0, 6, 12] {
                let control = Control::new();
                let trace = TabuTrace::record(&instance, &objectives, &parameters, 2, followed, 60, &control).unwrap();
                for (step, state) in trace.steps.iter().zip(&trace.states) {
                    let key = |one: &&Move| (one.sum, one.id);
                    let is_allowed = |one: &&Move| !one.is_tabu || (aspiration && one.sum < state.best);
                    let allowed = step.moves.iter().filter(is_allowed).min_by_key(key);
                    let best = step.moves.iter().min_by_key(key).unwrap();
                    let chosen = allowed.unwrap_or(best);
                    assert_eq!(step.moves[step.chosen], *chosen);
                    let expected = match (allowed, chosen.is_tabu) {
                        (None, _) => Reason::AllTabu,
                        (_, true) => Reason::Aspiration,
                        _ if best.sum < chosen.sum => Reason::BestAllowed,
                        _ => Reason::Best,
                    };
                    assert_eq!(step.reason, expected);
                    seen.push(expected);
                }
                // Every neighbour has the values of a recount.
                let (step, state) = (&trace.steps[7], &trace.states[7]);
                for one in &step.moves {
                    let order = trace.neighbourhood.apply(&state.order, one.id);
                    let schedule = crate::Schedule::new(&instance, &order);
                    let values = objectives.as_slice().iter().map(|&objective| schedule.value(&instance, objective));
                    assert_eq!(values.collect::<Vec<_>>(), one.point[..2]);
                }
            }
        }
        for reason in [Reason::Best, Reason::BestAllowed, Reason::Aspiration, Reason::AllTabu] {
            assert!(seen.contains(&reason), "{reason:?} never occurs");
        }
    }

    #[test]
    fn a_recording_that_is_not_wanted_ends() {
        let instance = library::sample("workshop").unwrap();
        let objectives: Objectives = "makespan,flowtime".parse().unwrap();
        let parameters = parameters(&[], &objectives, instance.job_count());
        let control = Control::new();
        control.cancel();
        let answer = TabuTrace::record(&instance, &objectives, &parameters, 1, 0, 10, &control);
        assert!(matches!(answer, Err(Error::Cancelled)));
    }
}
