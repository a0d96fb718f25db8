//! The first phase: iterated greedy for each objective alone, then on weighted sums.

use crate::flowshop::greedy::chain::{Chain, Rules as ChainRules};
use crate::flowshop::insertion::Problem;
use crate::flowshop::{Instance, Objective};
use crate::search::cooling::{AcceptanceTable, TEMPERATURE_ONE};

use super::descent::{Descent, Manner, Rules};
use super::objectives::Objectives;
use super::weights::{Extent, RANGE_BITS, WeightedSum, lattice};

/// Jobs that a step of iterated greedy takes out.
const REMOVED: usize = 2;

/// Steps for the makespan alone in one of the others: the acceleration makes them so much cheaper, about.
const MAKESPAN_STEPS: u64 = 8;

/// Temperatures of [`crate::flowshop::greedy`], in tenths of the mean processing time.
const MAKESPAN_TEMPERATURE: f64 = 0.7;
const SUM_TEMPERATURE: f64 = 20.0;

/// Weighted sums: the temperature as a share of the range of an objective; what 0.7 and 20 are on Taillard's, about.
const RANGE_TEMPERATURE: f64 = 0.007;

/// Costs of weighted sums are accepted in units of this many bits, so that temperatures fit.
const SHIFT: u32 = 16;

/// One chain of the first phase.
#[derive(Debug)]
pub enum Climber {
    /// The makespan alone, with Taillard's acceleration.
    Makespan(Box<Chain>),
    /// Anything else.
    Descent(Box<Descent>),
}

impl Climber {
    /// Where it stands.
    pub fn order(&self) -> &[u16] {
        match self {
            Self::Makespan(chain) => &chain.order,
            Self::Descent(descent) => &descent.order,
        }
    }

    /// Positions whose values were computed.
    pub fn evaluations(&self) -> u64 {
        match self {
            Self::Makespan(chain) => chain.evaluations,
            Self::Descent(descent) => descent.evaluations,
        }
    }
}

/// The chains of the first phase.
#[derive(Debug)]
pub struct Phases {
    /// For the objectives alone: as many for each as was asked for, one objective after the other.
    pub ends: Vec<Climber>,
    /// For the weighted sums with more than one weight.
    pub inner: Vec<Climber>,
    /// All weighted sums, those with one weight among them.
    pub sums: Vec<WeightedSum>,
    chain_rules: ChainRules,
}

impl Phases {
    /// Before the first step; `starts` holds an order for each objective.
    pub fn new(
        instance: &Instance,
        rules: &Rules,
        objectives: &Objectives,
        extent: &Extent,
        starts: &[Vec<u16>],
        (chains, divisions): (u32, u32),
    ) -> Self {
        let problem = Problem::new(instance, Objective::Makespan);
        let temperature = |tenths: f64| {
            (tenths * problem.mean_time() / 10.0 * TEMPERATURE_ONE).round().clamp(0.0, f64::from(u32::MAX)) as u32
        };
        let mut ends = Vec::new();
        for (&objective, start) in objectives.as_slice().iter().zip(starts) {
            for _ in 0..chains {
                let individual = ends.len() as u32;
                let manner = Manner {
                    sum: WeightedSum::single(objective),
                    removed: REMOVED,
                    partial: true,
                    temperature: temperature(SUM_TEMPERATURE),
                    shift: 0,
                };
                ends.push(if objective == Objective::Makespan && problem.is_accelerated() {
                    let cost = problem.cost(start);
                    Climber::Makespan(Box::new(Chain::new(&problem, individual, start, cost)))
                } else {
                    Climber::Descent(Box::new(Descent::new(&rules.shop, individual, manner, start)))
                });
            }
        }
        let weights = lattice(objectives.count(), divisions.max(1));
        let sums: Vec<WeightedSum> =
            weights.iter().map(|weights| WeightedSum::new(instance, objectives, extent, weights)).collect();
        let mixed = weights.iter().zip(&sums).filter(|(weights, _)| weights.iter().filter(|&&one| one > 0).count() > 1);
        let inner = mixed
            .enumerate()
            .map(|(number, (_, &sum))| {
                let manner = Self::manner(sum, REMOVED);
                let start = starts.first().map_or(&[][..], Vec::as_slice);
                Climber::Descent(Box::new(Descent::new(&rules.shop, number as u32, manner, start)))
            })
            .collect();
        let chain_rules = ChainRules {
            philox: rules.philox,
            removed: REMOVED.min(problem.jobs().saturating_sub(1)),
            temperature: temperature(MAKESPAN_TEMPERATURE),
            partial: true,
            acceptance: AcceptanceTable::default(),
            problem,
        };
        Self { ends, inner, sums, chain_rules }
    }

    /// How a weighted sum is descended.
    fn manner(sum: WeightedSum, removed: usize) -> Manner {
        let temperature = RANGE_TEMPERATURE * f64::from(1_u32 << (RANGE_BITS - SHIFT)) * TEMPERATURE_ONE;
        Manner { sum, removed, partial: false, temperature: temperature as u32, shift: SHIFT }
    }

    /// How a member of the archive is kicked: whatever comes out is taken.
    pub fn kick(sum: WeightedSum, removed: usize) -> Manner {
        Manner { temperature: 0, shift: 63, ..Self::manner(sum, removed) }
    }

    /// What the chains know.
    pub fn chain_rules(&self) -> &ChainRules {
        &self.chain_rules
    }
}

/// A step of one chain, compiled for the vector unit that is there.
pub struct Climb<'a> {
    /// The chain.
    pub climber: &'a mut Climber,
    /// What descents know.
    pub rules: &'a Rules,
    /// What chains for the makespan know.
    pub chain_rules: &'a ChainRules,
    /// The number of the step.
    pub step: u64,
}

impl pulp::NullaryFnOnce for Climb<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        match self.climber {
            Climber::Makespan(chain) => {
                let first = self.step * MAKESPAN_STEPS;
                (first..first + MAKESPAN_STEPS).for_each(|step| chain.step(self.chain_rules, step));
            }
            Climber::Descent(descent) => descent.step(self.rules, self.step),
        }
    }
}
