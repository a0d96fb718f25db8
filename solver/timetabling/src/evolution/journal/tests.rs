use super::*;
use crate::Instance;
use crate::evolution::GeneOrder;
use crate::generator::{GeneratorOptions, generate, sample};

const GENERATIONS: u64 = 20;

fn parameters() -> EvolutionParameters {
    EvolutionParameters { population: 25, constructed: 10, tournament: 3, ..EvolutionParameters::default() }
}

fn record(instance: &Instance, parameters: &EvolutionParameters, generations: u64, bound: usize) -> Journal {
    let run = RecordedRun { parameters, seed: 7, generations, constructed: None };
    Journal::record(instance, &run, bound, 2, &Control::new(), &mut |_, _| {}).unwrap()
}

fn search(instance: &Instance, parameters: &EvolutionParameters) -> CpuEvolution {
    CpuEvolution::new(instance, parameters, 7, thread_pool(1).unwrap(), &Construction::unlimited()).unwrap()
}

/// Generations found by seeking equal those of a search that runs there.
fn compare(journal: &mut Journal, instance: &Instance) {
    for number in [20, 0, 1, 11, 10, 12, 19, 7, 20, 3] {
        let mut search = search(instance, &parameters());
        search.advance(number as u32).unwrap();
        let generation = journal.generation(number).unwrap();
        assert_eq!((&generation.genes[..], &generation.costs[..]), search.population(), "generation {number}");
        assert_eq!(journal.statistics()[number as usize], GenerationStatistics::of(&search));
        let totals: Vec<u32> = generation.parts.iter().map(|parts| parts.total(search.tables())).collect();
        assert_eq!(totals, generation.costs);
        assert!(generation.order.is_sorted_by_key(|&it| (generation.costs[it as usize], it)));
        assert_eq!(generation.offspring.is_empty(), number == GENERATIONS);
    }
}

#[test]
fn any_generation_is_found_again() {
    let instance = sample("school").unwrap();
    let mut journal = record(&instance, &parameters(), GENERATIONS, DEFAULT_BYTES);
    assert_eq!((journal.generations(), journal.notice()), (GENERATIONS, None));
    compare(&mut journal, &instance);
    for (generation, child) in [(20, 24), (1, 0), (13, 7)] {
        let steps = journal.child(generation, child).unwrap().unwrap();
        assert_eq!(steps.genes, journal.generation(generation).unwrap().chromosome(child));
    }
    assert_eq!((journal.child(0, 0).unwrap(), journal.child(3, 25).unwrap()), (None, None));
}

#[test]
fn a_recording_keeps_within_its_bound_and_says_so() {
    let instance = sample("school").unwrap();
    let free = record(&instance, &parameters(), GENERATIONS, DEFAULT_BYTES);
    let bound = 12_000;
    assert!(free.keyframes.count() == 21 && free.bytes() > 2 * bound, "too little to prove anything");
    let mut bounded = record(&instance, &parameters(), GENERATIONS, bound);
    assert!(bounded.notice().unwrap().contains("takes longer"), "{:?}", bounded.notice());
    assert!(bounded.bytes() <= bound + 4_000, "{} bytes", bounded.bytes());
    compare(&mut bounded, &instance);
    let short = record(&instance, &parameters(), 200, bound);
    assert!(short.notice().unwrap().contains("later ones are not shown"), "{:?}", short.notice());
    assert!(short.generations() < 200 && short.bytes() <= bound + 4_000);
    let run = RecordedRun { parameters: &parameters(), seed: 7, generations: 5, constructed: None };
    let refused = Journal::record(&instance, &run, 1_000, 1, &Control::new(), &mut |_, _| {});
    assert!(refused.unwrap_err().to_string().contains("choose a smaller population"));
}

#[test]
fn a_recording_that_is_stopped_can_be_played_up_to_there() {
    let instance = sample("school").unwrap();
    let control = Control::new();
    let run = RecordedRun { parameters: &parameters(), seed: 7, generations: GENERATIONS, constructed: None };
    let tell = &mut |done, _| {
        if done == 6 {
            control.cancel();
        }
    };
    let mut journal = Journal::record(&instance, &run, DEFAULT_BYTES, 1, &control, tell).unwrap();
    assert_eq!(journal.generations(), 6);
    let mut search = search(&instance, &parameters());
    search.advance(6).unwrap();
    assert_eq!(journal.generation(6).unwrap().genes, search.population().0);
}

/// The definition, pair by pair.
#[test]
fn diversity_is_the_mean_distance_of_all_pairs() {
    let instance = sample("school").unwrap();
    let search = search(&instance, &parameters());
    let (genes, exams) = (search.population().0, search.tables().exams);
    let rows: Vec<&[u8]> = genes.chunks(exams).collect();
    let distance = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let sum: usize = rows.iter().flat_map(|a| rows.iter().map(|b| distance(a, b))).sum();
    let mean = sum as f64 / (rows.len() * rows.len() * exams) as f64;
    assert!((diversity(genes, exams, search.tables().periods) - mean).abs() < 1e-12 && mean > 0.3);
    assert_eq!(diversity(&[3, 1, 3, 1, 3, 1], 2, 4), 0.0);
}

#[test]
fn every_child_counts_for_the_parents_whose_genes_it_has() {
    let instance = sample("school").unwrap();
    for crossover in [0.0, 0.5, 1.0] {
        let parameters = EvolutionParameters { crossover, ..parameters() };
        let search = search(&instance, &parameters);
        let children = offspring(&search.matings(), 25, search.tables().exams);
        let expected: u32 = (0..25).map(|child| if search.explain(child).cut.is_some() { 2 } else { 1 }).sum();
        assert_eq!(children.iter().sum::<u32>(), expected);
        let statistics = GenerationStatistics::of(&search);
        assert_eq!(statistics.offspring.largest, *children.iter().max().unwrap());
        assert_eq!(statistics.offspring.childless as usize, children.iter().filter(|&&count| count == 0).count());
    }
}

#[test]
fn under_selection_alone_the_best_individual_takes_over() {
    let instance = sample("school").unwrap();
    let parameters = EvolutionParameters {
        population: 64,
        constructed: 32,
        crossover: 0.0,
        mutation: 0.0,
        tournament: 4,
        descent: false,
        ..EvolutionParameters::default()
    };
    let mut journal = record(&instance, &parameters, 30, DEFAULT_BYTES);
    let take_over = journal.take_over(0).unwrap();
    assert_eq!(take_over.genes.len(), 31);
    assert_eq!((take_over.genes[0], take_over.genes[30]), (1.0 / 64.0, 1.0));
    assert_eq!(take_over.genes, take_over.individuals, "without crossover individuals are copied whole");
    let best = journal.generation(0).unwrap().chromosome(take_over.individual).to_vec();
    for number in [1, 2, 3, 30] {
        let generation = journal.generation(number).unwrap();
        let copies = generation.genes.chunks(generation.exams).filter(|genes| **genes == best).count();
        assert_eq!(take_over.genes[number as usize], copies as f32 / 64.0, "generation {number}");
    }
    let expected = expected_takeover(64, 4).unwrap();
    let reached = take_over.reaches(0.99).unwrap() as f64;
    assert!((expected - 4.03).abs() < 0.01 && (reached - expected).abs() <= 4.0, "{reached} instead of {expected}");
    assert_eq!(expected_takeover(64, 1), None);
}

/// A gene that descends from the individual has the individual's period, so that no more can descend than have it.
#[test]
fn changed_genes_descend_no_longer() {
    let instance = sample("school").unwrap();
    let parameters = EvolutionParameters { mutation: 0.05, order: GeneOrder::File, ..parameters() };
    let mut journal = record(&instance, &parameters, GENERATIONS, DEFAULT_BYTES);
    let take_over = journal.take_over(4).unwrap();
    assert_eq!((take_over.from, take_over.genes.len()), (4, 17));
    let best = journal.generation(4).unwrap().chromosome(take_over.individual).to_vec();
    for (number, &share) in (4..).zip(&take_over.genes) {
        let generation = journal.generation(number).unwrap();
        let alike = generation.genes.iter().enumerate().filter(|(at, gene)| **gene == best[at % generation.exams]);
        assert!(share <= alike.count() as f32 / generation.genes.len() as f32, "generation {number}");
    }
    let shares = || take_over.individuals.iter().zip(&take_over.genes);
    assert!(shares().all(|(holders, genes)| holders >= genes) && shares().any(|(holders, genes)| holders > genes));
    assert!(take_over.genes.iter().any(|&genes| genes > 1.2 * take_over.genes[0]), "{:?}", take_over.genes);
}

/// As large as hec-s-92: 81 exams, 256 individuals, 200 generations. At 30 frames a second a frame may take 33 ms.
#[test]
fn frames_are_found_fast_enough_to_be_played() {
    let options = GeneratorOptions { exams: 81, students: 2_823, density: 0.42, ..GeneratorOptions::default() };
    let instance = generate(&options).unwrap();
    let parameters = EvolutionParameters { constructed: 20, ..EvolutionParameters::default() };
    let mut journal = record(&instance, &parameters, 200, DEFAULT_BYTES);
    assert!(journal.notice().is_none() && journal.bytes() < 8 << 20, "{} bytes", journal.bytes());
    let began = std::time::Instant::now();
    (0..=200).rev().step_by(4).for_each(|number| drop(journal.generation(number).unwrap()));
    let milliseconds = began.elapsed().as_secs_f64() * 1_000.0 / 51.0;
    println!("{milliseconds:.2} ms a frame");
    assert!(milliseconds < if cfg!(debug_assertions) { 330.0 } else { 10.0 }, "{milliseconds:.2} ms a frame");
}
