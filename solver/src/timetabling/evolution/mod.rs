//! The hybrid evolutionary algorithm, as published.
//!
//! Source: V. Kolonias, G. Goulas, C. Gogos, P. Alefragis, E. Housos, «Solving the examination timetabling problem in
//! GPUs», Algorithms 7(3), 2014.

use serde::{Deserialize, Serialize};

use crate::search::{Kind, Parameter, Parameters, Value};

/// How a chromosome is evaluated; all give equal costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evaluator {
    /// Full conflict matrix, one worker per chromosome.
    FullByChromosome,
    /// Full conflict matrix, one worker per exam and a sum over them.
    FullByExam,
    /// Compressed sparse rows, each pair twice.
    Sparse,
    /// Half of the compressed sparse rows: pairs j > i only.
    HalfSparse,
}

/// How the parents of a child are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reproduction {
    /// Selection and crossover in one pass over the children.
    OnePass,
    /// First all selections, then crossover gene by gene.
    TwoPasses,
}

/// What a person may choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvolutionParameters {
    /// Individuals.
    pub population: u32,
    /// Of these, how many the constructive heuristic makes; the rest is random.
    pub constructed: u32,
    /// Probability that two parents cross over.
    pub crossover: f64,
    /// Probability that a gene takes a random period.
    pub mutation: f64,
    /// Individuals in a tournament; 0: max(2, ⌊population/32⌋).
    pub tournament: u32,
    /// Whether every child descends greedily.
    pub descent: bool,
    /// How chromosomes are evaluated.
    pub evaluator: Evaluator,
    /// How children are made.
    pub reproduction: Reproduction,
}

impl Default for EvolutionParameters {
    fn default() -> Self {
        Self {
            population: 256,
            constructed: 200,
            crossover: 0.5,
            mutation: 0.006,
            tournament: 0,
            descent: true,
            evaluator: Evaluator::HalfSparse,
            reproduction: Reproduction::OnePass,
        }
    }
}

const EVALUATORS: [(&str, Evaluator); 4] = [
    ("full-by-chromosome", Evaluator::FullByChromosome),
    ("full-by-exam", Evaluator::FullByExam),
    ("sparse", Evaluator::Sparse),
    ("half-sparse", Evaluator::HalfSparse),
];
const REPRODUCTIONS: [(&str, Reproduction); 2] =
    [("one-pass", Reproduction::OnePass), ("two-passes", Reproduction::TwoPasses)];

impl Parameters for EvolutionParameters {
    fn list() -> &'static [Parameter] {
        &[
            Parameter {
                name: "population",
                label: "Population",
                unit: "individuals",
                help: "Timetables that evolve side by side.",
                kind: Kind::Integer { min: 2, max: 1 << 20 },
            },
            Parameter {
                name: "constructed",
                label: "Constructed",
                unit: "individuals",
                help: "How many start from the constructive heuristic; the others start random.",
                kind: Kind::Integer { min: 0, max: 250 },
            },
            Parameter {
                name: "crossover",
                label: "Crossover",
                unit: "probability",
                help: "Probability that two parents exchange everything behind a random exam.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
            },
            Parameter {
                name: "mutation",
                label: "Mutation",
                unit: "probability per exam",
                help: "Probability that an exam takes a random period.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
            },
            Parameter {
                name: "tournament",
                label: "Tournament",
                unit: "individuals",
                help: "Individuals that compete to be a parent; 0 takes a 32nd of the population, at least 2.",
                kind: Kind::Integer { min: 0, max: 1 << 20 },
            },
            Parameter {
                name: "descent",
                label: "Greedy descent",
                unit: "",
                help: "Every child moves each exam in turn to its cheapest period.",
                kind: Kind::Switch,
            },
            Parameter {
                name: "evaluator",
                label: "Evaluation",
                unit: "",
                help: "How costs are summed; all four give the same numbers.",
                kind: Kind::Choice(&["full-by-chromosome", "full-by-exam", "sparse", "half-sparse"]),
            },
            Parameter {
                name: "reproduction",
                label: "Reproduction",
                unit: "",
                help: "Selection and crossover in one pass or in two; both give the same children.",
                kind: Kind::Choice(&["one-pass", "two-passes"]),
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "population" => Value::Integer(i64::from(self.population)),
            "constructed" => Value::Integer(i64::from(self.constructed)),
            "crossover" => Value::Real(self.crossover),
            "mutation" => Value::Real(self.mutation),
            "tournament" => Value::Integer(i64::from(self.tournament)),
            "descent" => Value::Switch(self.descent),
            "evaluator" => word(&EVALUATORS, self.evaluator),
            _ => word(&REPRODUCTIONS, self.reproduction),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "population" => self.population = value.integer() as u32,
            "constructed" => self.constructed = value.integer() as u32,
            "crossover" => self.crossover = value.real(),
            "mutation" => self.mutation = value.real(),
            "tournament" => self.tournament = value.integer() as u32,
            "descent" => self.descent = value.switch(),
            "evaluator" => self.evaluator = meaning(&EVALUATORS, value, self.evaluator),
            _ => self.reproduction = meaning(&REPRODUCTIONS, value, self.reproduction),
        }
    }
}

fn word<T: Copy + PartialEq>(words: &[(&str, T)], value: T) -> Value {
    Value::Choice(words.iter().find(|row| row.1 == value).map_or("", |row| row.0).to_owned())
}

fn meaning<T: Copy>(words: &[(&str, T)], value: &Value, otherwise: T) -> T {
    words.iter().find(|row| row.0 == value.choice()).map_or(otherwise, |row| row.1)
}
