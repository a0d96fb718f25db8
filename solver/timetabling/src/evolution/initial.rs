//! Initial population: constructed timetables, then random ones.
//!
//! Construction, as published: each step draws an exam by roulette from the 20 (or fewer) unscheduled exams of highest
//! degree, preferring higher degree; it takes a random period without a clash. If there is none, a tournament between
//! periods, which disfavours periods whose exams have many removals, chooses the period; the clashing exams are ejected
//! and their number is added to the removals of the inserted exam. The paper leaves two details open: the removals of a
//! period are read as those of the exams that would be ejected (ties: fewer of them), and the tournament has eight
//! periods, because with two the construction fails on tight instances (ear-f-83, yor-f-83, car-f-92).
//!
//! Individuals are constructed in the order of their numbers, a few side by side. Where the clock cuts the construction
//! short, the individuals that are missing are random ones; the number of those constructed is recorded
//! ([`Construction`]).

use std::borrow::Cow;

use rayon::prelude::*;

use super::EvolutionParameters;
use crate::construction::Partial;
use crate::model::Model;
use crate::{Conflicts, Instance, Timetable, UNPLACED};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::Construction;

/// Purpose field of the random words of the construction.
const CONSTRUCT: u32 = 0x30;
/// Purpose field of the random words of random individuals.
const RANDOM: u32 = 0x31;

/// Number of exams in the roulette.
const ROULETTE: usize = 20;
/// Number of periods in the tournament.
const TOURNAMENT: u32 = 8;
/// Maximum number of steps per exam; exams unscheduled by then take random periods.
const PATIENCE: usize = 200;

/// Session whose timetables evolve.
#[derive(Debug, Clone)]
pub struct Origin<'a> {
    /// The session.
    pub instance: Cow<'a, Instance>,
    /// Timetable of all exams that is the first individual; `None` if one is constructed like the others.
    pub first: Option<&'a Timetable>,
}

impl<'a> From<&'a Instance> for Origin<'a> {
    fn from(instance: &'a Instance) -> Self {
        Self { instance: Cow::Borrowed(instance), first: None }
    }
}

/// Creates the initial population: `genes[i · exams + e]` = period of exam e in individual i. A unit of the construction
/// is a constructed individual. The first individual is the timetable `first`, if there is one; its exams without a period keep
/// the period that the individual gives them.
pub fn population(
    (model, first): (&Model, Option<&Timetable>), parameters: &EvolutionParameters, philox: Philox,
    threads: &rayon::ThreadPool, construction: &Construction,
) -> Vec<u8> {
    let exams = model.nodes();
    let mut genes = vec![0; parameters.population as usize * exams];
    let wanted = parameters.constructed.min(parameters.population) as usize;
    let mut made = 0;
    construction.begin();
    threads.install(|| {
        while made < wanted && construction.goes_on() {
            // A replay with more threads constructs no more than were constructed.
            let side_by_side = rayon::current_num_threads().min(construction.left()).min(wanted - made);
            let batch = &mut genes[made * exams..(made + side_by_side) * exams];
            let build = |(number, chromosome): (usize, &mut [u8])| {
                let built = constructed(model, philox, (made + number) as u32, construction);
                built.map(|built| chromosome.copy_from_slice(&built)).is_some()
            };
            if !batch.par_chunks_mut(exams).with_max_len(1).enumerate().map(build).reduce(|| true, |a, b| a && b) {
                break;
            }
            made += side_by_side;
            construction.finish(side_by_side as u64);
        }
        genes[made * exams..].par_chunks_mut(exams).enumerate().for_each(|(number, chromosome)| {
            chromosome.copy_from_slice(&random(model, philox, (made + number) as u32));
        });
    });
    if let Some(first) = first.map(|first| model.reduce(first)) {
        let placed = genes.iter_mut().zip(first.periods).filter(|&(_, period)| period != UNPLACED);
        placed.for_each(|(gene, period)| *gene = period as u8);
    }
    genes
}

/// Steps between two questions whether the construction goes on.
const ASKED_EVERY: u32 = 16;

/// Constructs one chromosome; exams that find no place take random periods. `None` if the construction is cut short.
pub fn constructed(model: &Model, philox: Philox, individual: u32, construction: &Construction) -> Option<Vec<u8>> {
    let conflicts = &*model.conflicts;
    let exams = conflicts.exams();
    let mut partial = Partial::new(model);
    let mut by_degree: Vec<usize> = (0..exams).filter(|&exam| partial.is_placeable(exam)).collect();
    by_degree.sort_by_key(|&exam| (std::cmp::Reverse(conflicts.degree(exam)), exam));
    for step in 0..(exams * PATIENCE) as u32 {
        if partial.open == 0 {
            break;
        }
        if step % ASKED_EVERY == ASKED_EVERY - 1 && !construction.goes_on() {
            return None;
        }
        let candidates: Vec<usize> =
            by_degree.iter().copied().filter(|&exam| partial.place[exam] == UNPLACED).take(ROULETTE).collect();
        let words = philox.words(0, step, individual, CONSTRUCT);
        let exam = spin(conflicts, &candidates, words[0]);
        if let Some(period) = partial.free_period(exam, words[1]) {
            partial.put(exam, period);
        } else {
            let period = (0..TOURNAMENT)
                .map(|draw| philox.words(1 + draw / 4, step, individual, CONSTRUCT)[draw as usize % 4])
                .map(|word| random_period(model, exam, word))
                .min_by_key(|&period| (partial.price(exam, period), period))
                .unwrap_or(0);
            partial.force(exam, period);
        }
    }
    let spare = random(model, philox, individual);
    let place = partial.place.iter().zip(spare);
    Some(place.map(|(&period, spare)| if period == UNPLACED { spare } else { period as u8 }).collect())
}

/// A random allowed period of `exam`; any period if none is allowed.
pub(super) fn random_period(model: &Model, exam: usize, word: u32) -> usize {
    let allowed = model.restrictions.as_ref().map(|restrictions| restrictions.allowed[exam]);
    match allowed.filter(|allowed| !allowed.is_empty()) {
        Some(allowed) => allowed.nth(index(word, allowed.len() as u32) as usize).unwrap_or(0),
        None => index(word, model.periods as u32) as usize,
    }
}

/// Roulette wheel: draws a candidate with probability proportional to degree + 1.
fn spin(conflicts: &Conflicts, candidates: &[usize], word: u32) -> usize {
    let weight = |exam: usize| conflicts.degree(exam) as u32 + 1;
    let total = candidates.iter().map(|&exam| weight(exam)).sum();
    let mut ball = index(word, total);
    for &exam in candidates {
        if ball < weight(exam) {
            return exam;
        }
        ball -= weight(exam);
    }
    candidates.last().copied().unwrap_or(0)
}

/// Creates one chromosome of random allowed periods.
pub fn random(model: &Model, philox: Philox, individual: u32) -> Vec<u8> {
    (0..model.nodes())
        .map(|exam| {
            let words = philox.words(exam as u32 / 4, 0, individual, RANDOM);
            random_period(model, exam, words[exam % 4]) as u8
        })
        .collect()
}
