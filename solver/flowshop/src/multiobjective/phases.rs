//! First phase of two-phase Pareto local search: iterated greedy for each objective alone, then on weighted sums.

use crate::greedy::chain::{Chain, ChainContext};
use crate::insertion::FlowShopProblem;
use crate::{Instance, Objective};
use gridwright_core::search::Control;
use gridwright_core::search::cooling::{AcceptanceTable, TEMPERATURE_ONE};

use super::descent::{Descent, DescentConfig, DescentContext};
use super::objectives::Objectives;
use super::weights::{Extent, RANGE_BITS, WeightedSum, lattice};

/// Jobs removed per step of iterated greedy.
const REMOVED: usize = 2;

/// Makespan steps per step of the other chains; the acceleration makes them cheaper by about this factor.
const MAKESPAN_STEPS: u64 = 8;

/// Temperatures for single objectives, in tenths of the mean processing time (see [`crate::greedy`]).
const MAKESPAN_TEMPERATURE: f64 = 0.7;
const SUM_TEMPERATURE: f64 = 20.0;

/// Temperature of weighted sums as a share of an objective's range; corresponds to about 0.7 and 20 on Taillard's
/// instances.
const RANGE_TEMPERATURE: f64 = 0.007;

/// Bits by which costs of weighted sums are scaled down for acceptance, so that temperatures fit.
const SHIFT: u32 = 16;

#[derive(Debug)]
pub(crate) enum PhaseChain {
    /// Iterated greedy for the makespan with Taillard's acceleration.
    Makespan(Box<Chain>),
    /// Iterated greedy on a weighted sum.
    Descent(Box<Descent>),
}

impl PhaseChain {
    /// Current order, a permutation of all job indices.
    pub(crate) fn order(&self) -> &[u16] {
        match self {
            Self::Makespan(chain) => &chain.order,
            Self::Descent(descent) => &descent.order,
        }
    }

    /// Insertion positions evaluated so far.
    pub(crate) fn evaluations(&self) -> u64 {
        match self {
            Self::Makespan(chain) => chain.evaluations,
            Self::Descent(descent) => descent.evaluations,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Phases {
    /// Chains for single objectives: `chains` for each objective, grouped by objective.
    pub ends: Vec<PhaseChain>,
    /// Chains for the weighted sums with more than one non-zero weight.
    pub inner: Vec<PhaseChain>,
    /// All weighted sums of the lattice, including those with one non-zero weight.
    pub sums: Vec<WeightedSum>,
    chain_rules: ChainContext,
}

impl Phases {
    /// State before the first step; `starts` holds a start order per objective, the last argument (chains per objective,
    /// divisions of the weights).
    pub(crate) fn new(
        instance: &Instance, rules: &DescentContext, objectives: &Objectives, extent: &Extent, starts: &[Vec<u16>],
        (chains, divisions): (u32, u32),
    ) -> Self {
        let problem = FlowShopProblem::new(instance, Objective::Makespan);
        let temperature = |tenths: f64| {
            (tenths * problem.mean_time() / 10.0 * TEMPERATURE_ONE).round().clamp(0.0, f64::from(u32::MAX)) as u32
        };
        let mut ends = Vec::new();
        for (&objective, start) in objectives.as_slice().iter().zip(starts) {
            for _ in 0..chains {
                let individual = ends.len() as u32;
                let manner = DescentConfig {
                    sum: WeightedSum::single(objective),
                    removed: REMOVED,
                    partial: true,
                    temperature: temperature(SUM_TEMPERATURE),
                    shift: 0,
                };
                ends.push(if objective == Objective::Makespan && problem.is_accelerated() && !instance.has_clocks() {
                    let cost = problem.cost(start);
                    PhaseChain::Makespan(Box::new(Chain::new(&problem, individual, start, cost)))
                } else {
                    PhaseChain::Descent(Box::new(Descent::new(&rules.shop, individual, manner, start)))
                });
            }
        }
        let weights = lattice(objectives.count(), divisions.max(1));
        let sums: Vec<WeightedSum> =
            weights.iter().map(|weights| WeightedSum::new(instance, objectives, extent, weights)).collect();
        let mixed =
            weights.iter().zip(&sums).filter(|(weights, _)| weights.iter().filter(|&&weight| weight > 0).count() > 1);
        let inner = mixed
            .enumerate()
            .map(|(number, (_, &sum))| {
                let manner = Self::manner(sum, REMOVED);
                let start = starts.first().map_or(&[][..], Vec::as_slice);
                PhaseChain::Descent(Box::new(Descent::new(&rules.shop, number as u32, manner, start)))
            })
            .collect();
        let chain_rules = ChainContext {
            philox: rules.philox,
            removed: REMOVED.min(problem.jobs().saturating_sub(1)),
            temperature: temperature(MAKESPAN_TEMPERATURE),
            partial: true,
            acceptance: AcceptanceTable::default(),
            control: rules.control.clone(),
            set_up: None,
            problem,
        };
        Self { ends, inner, sums, chain_rules }
    }

    /// Configuration of the descents on a weighted sum.
    fn manner(sum: WeightedSum, removed: usize) -> DescentConfig {
        let temperature = RANGE_TEMPERATURE * f64::from(1_u32 << (RANGE_BITS - SHIFT)) * TEMPERATURE_ONE;
        DescentConfig { sum, removed, partial: false, temperature: temperature as u32, shift: SHIFT }
    }

    /// Configuration of a perturbation of an archive member, which accepts every result.
    pub(crate) fn kick(sum: WeightedSum, removed: usize) -> DescentConfig {
        DescentConfig { temperature: 0, shift: 63, ..Self::manner(sum, removed) }
    }

    /// Sets the handle that pauses and cancels a step of the makespan chains.
    pub(crate) fn set_control(&mut self, control: Control) {
        self.chain_rules.control = control;
    }

    pub(crate) fn chain_rules(&self) -> &ChainContext {
        &self.chain_rules
    }
}

/// One step of a chain; dispatched to the best SIMD instruction set at run time. It is incomplete if the run is cancelled
/// meanwhile.
pub(crate) struct PhaseStep<'a> {
    pub(crate) climber: &'a mut PhaseChain,
    /// Data shared by the descents.
    pub rules: &'a DescentContext,
    pub(crate) chain_rules: &'a ChainContext,
    pub step: u64,
}

impl pulp::NullaryFnOnce for PhaseStep<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        match self.climber {
            PhaseChain::Makespan(chain) => {
                let first = self.step * MAKESPAN_STEPS;
                // Ends at the first step that is cancelled.
                (first..first + MAKESPAN_STEPS).all(|step| chain.step(self.chain_rules, step));
            }
            PhaseChain::Descent(descent) => descent.step(self.rules, self.step),
        }
    }
}
