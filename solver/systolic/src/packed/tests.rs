use super::*;
use crate::evaluation::{Knapsack, Visitor, unpack, with_evaluation};
use crate::rules::{FirstSolutions, MutationRule, SegmentRule};
use crate::textbook::{Textbook, pack};
use crate::{Instance, Kind};
use gridwright_core::search::digest_bytes;

fn numbers(count: usize, seed: u64, most: u64) -> Vec<u64> {
    (0..count as u64).map(|number| digest_bytes(seed, &number.to_le_bytes()) % most).collect()
}

fn of(name: &str, kind: Kind) -> Instance {
    Instance { name: name.to_owned(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
}

/// Every problem with about so many bits; few different numbers, so that there are ties.
fn problems(bits: usize) -> Vec<Instance> {
    let knapsack = |most: u64| {
        let (profits, weights) = (numbers(bits, 1, most), numbers(bits, 2, most));
        let capacity = weights.iter().sum::<u64>() / 3 + 1;
        of("knapsack", Kind::Knapsack { profits, weights, capacity })
    };
    let release = |tenths| {
        let at_least_one = |numbers: Vec<u64>| numbers.into_iter().map(|number| number + 1).collect();
        let (costs, values) = (at_least_one(numbers(bits, 3, 9)), at_least_one(numbers(bits, 4, 5)));
        of("release", Kind::NextRelease { costs, values, value_scale: 1, tenths })
    };
    vec![
        knapsack(100),
        knapsack(3),
        of("deceptive", Kind::Deceptive { blocks: bits.div_ceil(6) }),
        release(0),
        release(3),
        release(10),
        of("ones", Kind::OneMax { bits }),
    ]
}

/// Walks both ways and compares all solutions at their places after every iteration.
struct Compare<'a> {
    instance: &'a Instance,
    flavour: Flavour,
    parameters: GridParameters,
}

impl Visitor for Compare<'_> {
    type Output = u64;

    fn visit<E: Evaluation>(self, evaluation: E) -> u64 {
        let Self { instance, flavour, parameters } = self;
        let iterations = parameters.iterations;
        let mut packed = PackedGrid::new(evaluation, flavour, &parameters, 11, None);
        let (grid, bits) = (parameters.grid(instance.bits()), instance.bits());
        let of = |state: &State, number: usize| unpack(state.solution(number), E::PER_WORD, bits);
        let first = packed.all();
        let half = grid.cells();
        let begin = [0, half].map(|from| (from..from + half).map(|number| of(&first, number)).collect());
        let mut textbook = Textbook::new(instance, flavour, grid, begin);
        let mut accepted = 0;
        for iteration in 0..=iterations {
            let state = packed.all();
            for cell in 0..half {
                let meeting = grid.meeting(flavour, iteration, cell / bits, cell % bits);
                for (place, traveller) in
                    meeting.into_iter().zip([&textbook.horizontal[cell], &textbook.vertical[cell]])
                {
                    let number = place.population * half + place.slot;
                    let what =
                        format!("{} with {bits} bits, {flavour:?}, iteration {iteration}, cell {cell}", instance.name);
                    assert_eq!(of(&state, number), traveller.bits, "{what}");
                    assert_eq!(state.since[number], traveller.since, "{what}");
                    assert_eq!(state.sums[number], packed.cells.evaluation.sums(state.solution(number)), "{what}");
                }
            }
            let made = state.since.iter().filter(|&&since| since > 0 && u64::from(since) == iteration).count();
            let told = packed.accepted().iter().flat_map(|(_, streams)| streams).filter(|&&stream| stream).count();
            assert_eq!(made, told);
            accepted += made as u64;
            packed.advance(1).unwrap();
            textbook.step();
        }
        accepted
    }
}

#[test]
fn packed_solutions_in_slots_are_those_of_the_textbook() {
    for bits in [4, 5, 6, 7, 9, 12, 17, 30, 35, 63, 64, 65, 66, 129] {
        for instance in problems(bits) {
            for flavour in Flavour::ALL {
                let iterations = if bits < 20 { 60 } else { 25 };
                let parameters = GridParameters { iterations, ..GridParameters::default() };
                let accepted =
                    with_evaluation(&instance, Compare { instance: &instance, flavour, parameters }).unwrap();
                assert!(accepted > 0, "nothing was ever accepted, so nothing was compared");
            }
        }
    }
}

/// Each rule in turn with other rows, against the textbook in every flavour.
#[test]
fn packed_solutions_are_those_of_the_textbook_under_every_rule() {
    use strum::VariantArray;
    for (number, (bits, rows)) in [(6, 1), (9, 7), (35, 2), (66, 3), (17, 16)].into_iter().enumerate() {
        let segment = SegmentRule::VARIANTS[number % SegmentRule::VARIANTS.len()];
        let mutation = MutationRule::VARIANTS[number % MutationRule::VARIANTS.len()];
        let start = FirstSolutions::VARIANTS[number];
        let parameters = GridParameters { iterations: 20, rows, segment, mutation, start };
        for instance in [&problems(bits)[0], &problems(bits)[2]] {
            for flavour in Flavour::ALL {
                let parameters = parameters.clone();
                with_evaluation(instance, Compare { instance, flavour, parameters }).unwrap();
            }
        }
    }
}

/// First solutions of 8 bits as their rule says: which of them are alike, and how many ones they have.
#[test]
fn runs_begin_with_the_first_solutions_of_their_rule() {
    let evaluation = crate::evaluation::OneMax::new(8);
    let first = |start| {
        let parameters = GridParameters { start, ..GridParameters::default() };
        let state = PackedGrid::new(evaluation.clone(), Flavour::Both, &parameters, 3, None).all();
        (0..state.count()).map(|number| state.solution(number)[0]).collect::<Vec<u64>>()
    };
    assert_eq!(first(FirstSolutions::Zeros), [0; 48]);
    assert_eq!(first(FirstSolutions::Opposites), [[0; 24], [0xff; 24]].concat());
    assert_eq!(first(FirstSolutions::Alternating), [0b0101_0101; 48]);
    let random = first(FirstSolutions::Random);
    assert!(random.iter().any(|solution| *solution != random[0]));
    assert_eq!(first(FirstSolutions::Copies), [random[0]; 48]);
}

/// Digests of a run on several numbers of threads and with epochs of several lengths.
struct Threads<'a> {
    instance: &'a Instance,
    flavour: Flavour,
}

impl Visitor for Threads<'_> {
    type Output = ();

    fn visit<E: Evaluation>(self, evaluation: E) {
        let pool = |threads| Some(Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));
        let parameters = GridParameters { iterations: 60, ..GridParameters::default() };
        let start = |threads| PackedGrid::new(evaluation.clone(), self.flavour, &parameters, 5, threads);
        let (mut alone, mut three, mut eight) = (start(None), start(pool(3)), start(pool(8)));
        assert!(three.threads.is_some(), "{} is computed by one thread anyway", self.instance.name);
        for _ in 0..5 {
            alone.advance(12).unwrap();
            three.advance(5).unwrap();
            three.advance(7).unwrap();
            eight.advance(12).unwrap();
            let expected = alone.snapshot().unwrap();
            for other in [&mut three, &mut eight] {
                let found = other.snapshot().unwrap();
                assert_eq!(found.digest, expected.digest);
                assert_eq!((found.best_cost, found.best.since), (expected.best_cost, expected.best.since));
            }
        }
        // From a state in the middle on, everything goes on as it did.
        let state = alone.all();
        let mut resumed = PackedGrid::resume(evaluation, self.flavour, &parameters, 60, &state, None);
        alone.advance(9).unwrap();
        resumed.advance(9).unwrap();
        assert_eq!(resumed.snapshot().unwrap().digest, alone.snapshot().unwrap().digest);
    }
}

#[test]
fn any_number_of_threads_and_any_epoch_gives_the_same_path() {
    for instance in problems(340) {
        for flavour in Flavour::ALL {
            with_evaluation(&instance, Threads { instance: &instance, flavour }).unwrap();
        }
    }
}

/// Counts, means and distances of a frame, by hand from its bits.
#[test]
fn a_frame_says_what_its_solutions_are() {
    let instance = &problems(35)[0];
    struct Look;
    impl Visitor for Look {
        type Output = (BestBits, State);
        fn visit<E: Evaluation>(self, evaluation: E) -> (BestBits, State) {
            let mut search = PackedGrid::new(evaluation, Flavour::Both, &GridParameters::default(), 3, None);
            search.advance(20).unwrap();
            ((*search.snapshot().unwrap().best).clone(), search.all())
        }
    }
    let (found, state) = with_evaluation(instance, Look).unwrap();
    let frame = &found.frame;
    let all: Vec<Vec<bool>> = (0..frame.count()).map(|number| frame.bits(number)).collect();
    for bit in 0..35 {
        assert_eq!(frame.ones[bit] as usize, all.iter().filter(|bits| bits[bit]).count());
    }
    let distance = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    let pairs = (0..all.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let total: usize = pairs.clone().map(|(a, b)| distance(&all[a], &all[b])).sum();
    assert!((frame.diversity - total as f64 / pairs.count() as f64).abs() < 1e-9);
    assert_eq!(found.cost, frame.best);
    assert!(frame.best < frame.mean && frame.mean < frame.worst);
    let holders = (0..all.len()).filter(|&number| frame.costs[number] == frame.best);
    assert_eq!(found.since, holders.clone().map(|number| u64::from(frame.since[number])).min().unwrap());
    assert!(holders.into_iter().any(|number| all[number] == found.bits));
    assert_eq!(pack(&found.bits, frame.per_word).len(), state.solution(0).len());
    // What was accepted in the last iteration lies where cells left it.
    let left: usize = (0..frame.grid.cells())
        .flat_map(|cell| frame.left(cell / 35, cell % 35).unwrap())
        .filter(|&number| frame.accepted(number))
        .count();
    assert_eq!(left, state.since.iter().filter(|&&since| since == 20).count());
}

/// Keeping fewer prefix sums saves memory and changes nothing.
#[test]
fn the_number_of_prefix_sums_does_not_matter() {
    let weights: Vec<u64> = (0..400).map(|item| 1 + item * 37 % 100).collect();
    let evaluation = Knapsack::new(&weights, &weights, 9_000).unwrap();
    let published = Grid::new(400);
    let half = published.cells();
    let state = State::random(&evaluation, 4, 2 * half);
    let walked = |spacing: usize| {
        let populations = [0, half].map(|from| Slots::spaced(&evaluation, &state, from, half, spacing));
        let mut grid =
            PackedGrid::of(Cells::new(evaluation.clone(), Flavour::Both, published, populations), 20, 0, None);
        grid.advance(20).unwrap();
        let state = grid.all();
        let sums = (0..state.count()).map(|number| evaluation.sums(state.solution(number)));
        assert!(sums.eq(state.sums.iter().copied()));
        grid.snapshot().unwrap().digest
    };
    assert_eq!(walked(1), walked(2));
}
