//! One child of a generation step by step, computed by the functions that the search itself calls.

use super::{CpuEvolution, FIRST_PARENT, Mating, SECOND_PARENT, descend};
use crate::evolution::evaluation::CostParts;

/// Individual that takes part in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Index in the population of the parents.
    pub individual: usize,
    /// Cost of the individual.
    pub cost: u32,
    /// Cost of the individual by its causes.
    pub parts: CostParts,
    /// True if the individual does not count, because it has won the first tournament already.
    pub is_ignored: bool,
}

/// Tournament for one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// Individuals in the order in which they were drawn; one may be drawn several times.
    pub candidates: Vec<Candidate>,
    /// Index of the cheapest individual (ties: lowest index). If every candidate is ignored, the individual after the
    /// first parent.
    pub winner: usize,
}

/// Gene that was given a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneChange {
    /// Index of the gene, which is a node of the model.
    pub gene: usize,
    /// Period before.
    pub before: u8,
    /// Period afterwards.
    pub after: u8,
}

/// Origin of one child: every step of reproduction with its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildSteps {
    /// Index of the child in its population.
    pub child: usize,
    /// Tournaments for the first and the second parent of the pair of children.
    pub tournaments: [Tournament; 2],
    /// Genes of the first and the second parent.
    pub parents: [Vec<u8>; 2],
    /// Costs of the parents by their causes.
    pub parent_costs: [CostParts; 2],
    /// Position in `parents` of the parent whose genes the child has before the cut: 0 for even children, 1 for odd
    /// ones.
    pub begins_with: usize,
    /// Index of the first gene from the other parent; `None` if the child is a copy.
    pub cut: Option<usize>,
    /// Genes after crossover.
    pub crossed: Vec<u8>,
    /// Genes to which mutation gave a random period, ascending; the period may be the one before.
    pub mutated: Vec<GeneChange>,
    /// Genes after mutation.
    pub after_mutation: Vec<u8>,
    /// Genes that greedy descent moved to a cheaper period, in the order of the moves, which ascends.
    pub descended: Vec<GeneChange>,
    /// Genes of the finished child.
    pub genes: Vec<u8>,
    /// Costs after crossover, after mutation and after descent, by their causes.
    pub costs: [CostParts; 3],
    /// Costs after the same three stages, as the search minimises them.
    pub totals: [u32; 3],
}

impl CpuEvolution {
    /// Explains how child `child` of the next generation comes from the present population.
    ///
    /// # Panics
    /// If `child` is not below the size of the population.
    pub fn explain(&self, child: usize) -> ChildSteps {
        let (exams, pair, odd) = (self.tables.exams, (child / 2) as u32, child % 2);
        let mating = self.mate(pair);
        let Mating { first, second, point } = mating;
        let row = |individual: usize| &self.genes[individual * exams..(individual + 1) * exams];
        let parts = |genes: &[u8]| CostParts::of(&self.tables, genes);
        let crossed: Vec<u8> = (0..exams).map(|exam| self.inherited(&mating, odd, exam)).collect();
        let (mut after_mutation, mut mutated) = (crossed.clone(), Vec::new());
        self.mutate(child as u32, &mut after_mutation, |gene, before, after| {
            mutated.push(GeneChange { gene, before, after });
        });
        let mut genes = after_mutation.clone();
        if self.parameters.descent {
            descend(&self.tables, &mut genes);
        }
        let change = |(gene, (&before, &after))| (before != after).then_some(GeneChange { gene, before, after });
        let costs = [&crossed, &after_mutation, &genes].map(|genes| parts(genes));
        ChildSteps {
            child,
            tournaments: [
                self.explain_tournament(pair, FIRST_PARENT, None, first),
                self.explain_tournament(pair, SECOND_PARENT, Some(first), second),
            ],
            parents: [first, second].map(|parent| row(parent).to_vec()),
            parent_costs: [first, second].map(|parent| parts(row(parent))),
            begins_with: odd,
            cut: (point < exams).then_some(point),
            mutated,
            descended: after_mutation.iter().zip(&genes).enumerate().filter_map(change).collect(),
            totals: costs.map(|parts| parts.total(&self.tables)),
            costs,
            crossed,
            after_mutation,
            genes,
        }
    }

    fn explain_tournament(&self, pair: u32, purpose: u32, other: Option<usize>, winner: usize) -> Tournament {
        let mut candidates = Vec::new();
        self.draw_candidates(pair, purpose, |individual| {
            let exams = self.tables.exams;
            let genes = &self.genes[individual * exams..(individual + 1) * exams];
            candidates.push(Candidate {
                individual,
                cost: self.costs[individual],
                parts: CostParts::of(&self.tables, genes),
                is_ignored: Some(individual) == other,
            });
        });
        Tournament { candidates, winner }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evolution::{Evaluator, EvolutionParameters, GeneOrder, Reproduction};
    use crate::rules::{Relation, RelationKind};
    use crate::{Exam, Instance, InstanceParts, Period};
    use gridwright_core::backend::thread_pool;
    use gridwright_core::search::{Construction, Epochs};

    /// Random sessions, some of them with rules and seats.
    fn instances() -> impl Strategy<Value = Instance> {
        let students = prop::collection::vec(prop::collection::vec(0..14_u16, 1..5), 1..40);
        (2..15_usize, 1..9_usize, students, any::<bool>()).prop_map(|(exams, periods, mut students, has_rules)| {
            for student in &mut students {
                student.iter_mut().for_each(|exam| *exam %= exams as u16);
                student.sort_unstable();
                student.dedup();
            }
            let exam = |number| Exam { code: format!("E{number}"), ..Exam::default() };
            let seats = if has_rules { Some(students.len() as u32) } else { None };
            let mut instance = Instance::build(InstanceParts {
                name: "random".to_owned(),
                exams: (0..exams).map(exam).collect(),
                students,
                periods: vec![Period { seats, ..Period::default() }; periods],
                ..InstanceParts::default()
            })
            .unwrap();
            if has_rules {
                instance.rules.relations.insert(Relation { kind: RelationKind::Before, first: 0, second: 1 });
            }
            instance
        })
    }

    fn parameters() -> impl Strategy<Value = EvolutionParameters> {
        let choices = (any::<bool>(), any::<bool>(), any::<bool>());
        ((2..12_u32, 0..12_u32), (0.0..=1.0, 0.0..0.5), 0..6_u32, choices).prop_map(
            |((population, constructed), (crossover, mutation), tournament, (descent, two, by_file))| {
                EvolutionParameters {
                    population,
                    constructed,
                    crossover,
                    mutation,
                    tournament,
                    descent,
                    evaluator: Evaluator::HalfSparse,
                    reproduction: if two { Reproduction::TwoPasses } else { Reproduction::OnePass },
                    order: if by_file { GeneOrder::File } else { GeneOrder::WeightedDegree },
                }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn explained_children_are_those_of_the_search(
            instance in instances(), parameters in parameters(), seed in any::<u64>(), generations in 0..6_u32,
        ) {
            let pool = thread_pool(1).unwrap();
            let mut search =
                CpuEvolution::new(&instance, &parameters, seed, pool, &Construction::unlimited()).unwrap();
            search.advance(generations).unwrap();
            let exams = search.tables.exams;
            let explained: Vec<ChildSteps> =
                (0..parameters.population as usize).map(|child| search.explain(child)).collect();
            let before = search.population().1.to_vec();
            search.advance(1).unwrap();
            let (genes, costs) = search.population();
            for (child, steps) in explained.iter().enumerate() {
                prop_assert_eq!(&steps.genes[..], &genes[child * exams..(child + 1) * exams]);
                prop_assert_eq!(steps.totals[2], costs[child]);
                let [first, second] = &steps.tournaments;
                prop_assert_ne!(first.winner, second.winner);
                prop_assert_eq!(first.candidates.len(), parameters.tournament_size() as usize);
                let cheapest = first.candidates.iter().map(|it| (it.cost, it.individual)).min();
                prop_assert_eq!(cheapest, Some((before[first.winner], first.winner)));
                // Step by step, the changes lead from the parents to the child.
                let [begin, end] = [steps.begins_with, 1 - steps.begins_with].map(|parent| &steps.parents[parent]);
                let cut = steps.cut.unwrap_or(exams);
                let mut genes = [&begin[..cut], &end[cut..]].concat();
                for (change, expected) in [(&steps.mutated, &steps.after_mutation), (&steps.descended, &steps.genes)] {
                    for &GeneChange { gene, before, after } in change {
                        prop_assert_eq!(std::mem::replace(&mut genes[gene], after), before);
                    }
                    prop_assert_eq!(&genes, expected);
                }
            }
        }
    }
}
