//! Golden digests: the trajectory of every search on the shipped samples, to the bit.
//!
//! A digest covers the whole population or all chains after a number of epochs. It changes only when an algorithm is
//! changed on purpose; then the commit says why.

use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Stop};
use gridwright_timetabling::Instance;
use gridwright_timetabling::generator::sample;
use gridwright_timetabling::run::{Algorithm, Settings, solve};

fn last_digest(instance: &Instance, algorithm: &str, changes: &[(&str, &str)], steps: u64, threads: usize) -> String {
    let mut algorithm = Algorithm::named(algorithm).unwrap();
    for (name, value) in changes {
        algorithm.set(name, value).unwrap();
    }
    let stop = Stop::after(Budget::Steps(steps));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads, seed: 2_026, stop };
    let result: RunResult = solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed);
    result.digests.last().unwrap().clone()
}

/// A sample, with or without minding its seats: without, nothing beyond «no clashes» is demanded.
fn school_or_faculty(name: &str, mind_seats: bool) -> Instance {
    let mut instance = sample(name).unwrap();
    instance.rules.ignore_seats = !mind_seats;
    assert_eq!(instance.is_restricted(), mind_seats);
    instance
}

/// (sample, digest after 60 generations of the published algorithm with population 64), seats ignored.
const EVOLUTION: [(&str, &str); 2] = [("school", "114a10dcd994c4e9"), ("faculty", "df95f5b670e793ab")];

/// The same with seats minded.
const EVOLUTION_WITH_SEATS: [(&str, &str); 2] = [("school", "52855bf52f2025fd"), ("faculty", "fe8c766786826c0e")];

/// The same with seats minded.
const ANNEALING_WITH_SEATS: [(&str, &str); 2] = [("school", "72322c0c9333735c"), ("faculty", "5691cac693aea345")];

/// (sample, digest after 3,000 steps of annealing with three chains), seats ignored.
const ANNEALING: [(&str, &str); 2] = [("school", "cc34e8fc322937fc"), ("faculty", "8eaec00ddee8ae8a")];

fn both(
    ignored: [(&'static str, &'static str); 2], minded: [(&'static str, &'static str); 2],
) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let with = |mind_seats| move |(name, golden)| (name, golden, mind_seats);
    ignored.into_iter().map(with(false)).chain(minded.into_iter().map(with(true)))
}

#[test]
fn the_evolutionary_algorithm_walks_the_golden_path() {
    for (name, golden, mind_seats) in both(EVOLUTION, EVOLUTION_WITH_SEATS) {
        let instance = school_or_faculty(name, mind_seats);
        for evaluator in ["full-by-chromosome", "full-by-exam", "sparse", "half-sparse"] {
            for (threads, reproduction) in [(1, "one-pass"), (2, "two-passes"), (8, "one-pass")] {
                let changes = [
                    ("population", "64"),
                    ("constructed", "50"),
                    ("evaluator", evaluator),
                    ("reproduction", reproduction),
                    ("order", "file"),
                ];
                let digest = last_digest(&instance, "evolution", &changes, 60, threads);
                assert_eq!(
                    digest, golden,
                    "{name}, {evaluator}, {reproduction}, {threads} threads, seats minded: {mind_seats}"
                );
            }
        }
    }
}

#[test]
fn annealing_walks_the_golden_path() {
    for (name, golden, mind_seats) in both(ANNEALING, ANNEALING_WITH_SEATS) {
        let instance = school_or_faculty(name, mind_seats);
        for threads in [1, 2, 8] {
            let changes = [
                ("chains", "3"),
                ("kempe", "0.25"),
                ("exchange", "0.02"),
                ("resamplings", "4"),
                ("first_temperature", "400"),
                ("last_temperature", "2"),
            ];
            let digest = last_digest(&instance, "annealing", &changes, 3_000, threads);
            assert_eq!(digest, golden, "{name}, {threads} threads, seats minded: {mind_seats}");
        }
    }
}

/// (objective, digest after 40 steps of iterated greedy with three chains on the shipped workshop and on ta011). On the workshop the
/// first order has as few tardy jobs as the computed bound allows, so that the search ends as proven before its first step.
const GREEDY: [(&str, &str, &str); 4] = [
    ("makespan", "f1aed002eee3ce8e", "ef05b1c9544b7062"),
    ("flowtime", "eb63c0bd3287f295", "c2826117f4461231"),
    ("tardiness", "2b6b7fc730191706", "a9e6e669f3d45356"),
    ("tardy", "ef465a76166ca16c", "c0fb834dba6fb5b8"),
];

#[test]
fn iterated_greedy_walks_the_golden_path() {
    use gridwright_flowshop::{formats, run};
    for (objective, workshop, taillard) in GREEDY {
        for (source, golden) in [("sample:workshop", workshop), ("taillard:ta011", taillard)] {
            let instance = formats::open(source, &formats::LoadOptions::default()).unwrap();
            for threads in [1, 2, 8] {
                let mut algorithm = run::Algorithm::default();
                let temperature = if objective == "makespan" { "0.7" } else { "20" };
                for (name, value) in
                    [("chains", "3"), ("removed", "2"), ("partial", "on"), ("temperature", temperature)]
                {
                    algorithm.set(name, value).unwrap();
                }
                let settings = run::Settings {
                    algorithm,
                    goal: objective.parse().unwrap(),
                    backend: "cpu".to_owned(),
                    threads,
                    seed: 2_026,
                    stop: Stop::after(Budget::Steps(40)),
                };
                let result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
                assert!(result.verdict.feasible && result.verdict.confirmed);
                assert_eq!(result.digests.last().unwrap(), golden, "{objective}, {source}, {threads} threads");
            }
        }
    }
}

/// (instance, digest after 300 steps of beams up to 128 partial orders wide and then of three chains that begin with what they found).
const BEAMS: [(&str, &str); 3] = [
    ("sample:workshop", "d80100b86ab17e29"),
    ("taillard:ta022", "75badcf4c938a5d2"),
    ("taillard:ta051", "17a3cd65ab52e3b9"),
];

#[test]
fn beams_walk_the_golden_path() {
    use gridwright_flowshop::{Objective, formats, run};
    for (source, golden) in BEAMS {
        let instance = formats::open(source, &formats::LoadOptions::default()).unwrap();
        for threads in [1, 2, 8] {
            let mut algorithm = run::Algorithm::default();
            for (name, value) in [("chains", "3"), ("start", "beam"), ("width", "128")] {
                algorithm.set(name, value).unwrap();
            }
            let settings = run::Settings {
                algorithm,
                goal: Objective::Makespan.into(),
                backend: "cpu".to_owned(),
                threads,
                seed: 2_026,
                stop: Stop::after(Budget::Steps(300)),
            };
            let result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert!(result.verdict.feasible && result.verdict.confirmed);
            assert_eq!(result.digests.last().unwrap(), golden, "{source}, {threads} threads");
        }
    }
}

/// (objectives, digest after 24 steps of Pareto local search in two phases, from random orders with dominating neighbours only,
/// and of aggregated tabu search), on the shipped workshop and on ta011.
const FRONTS: [(&str, [&str; 3], [&str; 3]); 2] = [
    (
        "makespan,flowtime,tardiness",
        ["09829d1424ab5db7", "2ab1306e90b71bd9", "21d8dee224619d7e"],
        ["c7f9da9add3640d2", "bb1f091e4b33bb24", "3bc6e7b7f1562950"],
    ),
    (
        "tardy,makespan",
        ["26d384f78bd03f96", "5d9683823a7ffb8d", "db48253f128a8165"],
        ["d2fdafe5287ecb13", "703e63c2f1a6f280", "197f50216f37d260"],
    ),
];

#[test]
fn searches_for_fronts_walk_the_golden_path() {
    use gridwright_flowshop::{formats, run};
    let searches: [(&str, &[(&str, &str)]); 3] =
        [("pls", &[]), ("pls", &[("start", "random"), ("admission", "dominating")]), ("tabu", &[])];
    for (objectives, workshop, taillard) in FRONTS {
        for (source, golden) in [("sample:workshop", workshop), ("taillard:ta011", taillard)] {
            let instance = formats::open(source, &formats::LoadOptions::default()).unwrap();
            for ((name, changes), golden) in searches.iter().zip(golden) {
                for threads in [1, 2, 8] {
                    let mut algorithm = run::Algorithm::named(name).unwrap();
                    changes.iter().for_each(|(name, value)| algorithm.set(name, value).unwrap());
                    let settings = run::Settings {
                        algorithm,
                        goal: objectives.parse().unwrap(),
                        backend: "cpu".to_owned(),
                        threads,
                        seed: 2_026,
                        stop: Stop::after(Budget::Steps(24)),
                    };
                    let result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
                    assert!(result.verdict.feasible && result.verdict.confirmed);
                    let digest = result.digests.last().unwrap();
                    assert_eq!(digest, golden, "{objectives}, {source}, {name}, {changes:?}, {threads} threads");
                }
            }
        }
    }
}

/// (algorithm, digests after 60 iterations on a knapsack, the deceptive problem, the shipped release with weight 0.4, and on OneMax).
const BINARY: [(&str, [&str; 4]); 7] = [
    ("sgs-t", ["d633cf3a19e0f679", "25523be2cbada80f", "1c143834f96ca3be", "3921b51c1bd61570"]),
    ("sgs-e", ["3691a73834cc3600", "336e4180de1d30de", "909b6048388c8236", "9cff4ed9633251b4"]),
    ("sgs-v", ["cb643f749872a54e", "a0513fa1c4a4d82e", "01f24a18b3d26f86", "74acff21e0def567"]),
    ("sgs-b", ["844f0336fef3fbf2", "59f9f616bb5d313f", "61359ece2978fda7", "62b7115ce268cf08"]),
    ("sga", ["5ba2db4b02c01835", "3da4bc6f6a38d40d", "70d2087065a6c423", "25ed8d8f10095cff"]),
    ("ega", ["f6e5d83ae223ecc7", "78e29574f4f0ab72", "5296b2b87d2ade36", "5bf4d6ca555af415"]),
    ("random", ["134f4fc8fc0bb2a5", "26812c676d7870e2", "8b7166138cf84725", "996e1d3de603b964"]),
];

#[test]
fn searches_for_bits_walk_the_golden_path() {
    use gridwright_systolic::{library, run};
    let sources = ["knapsack:200-1000", "mmdp:300", "sample:release", "onemax:65"];
    let instances = sources.map(|source| match source.strip_prefix("sample:") {
        Some(name) => library::sample(name, 4).unwrap(),
        None => library::named(source, 4).unwrap(),
    });
    for (name, goldens) in BINARY {
        for (instance, golden) in instances.iter().zip(goldens) {
            for threads in [1, 2, 8] {
                let settings = run::Settings {
                    algorithm: run::Algorithm::named(name).unwrap(),
                    goal: (),
                    backend: "cpu".to_owned(),
                    threads,
                    seed: 2_026,
                    stop: Stop::after(Budget::Steps(60)),
                };
                let result = run::solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
                assert!(result.verdict.confirmed);
                assert_eq!(result.digests.last().unwrap(), golden, "{name}, {}, {threads} threads", instance.name);
            }
        }
    }
}

/// (algorithm, changes, steps, digests on the shipped joinery without rules and on F40).
type LayoutPath = (&'static str, &'static [(&'static str, &'static str)], u64, [&'static str; 2]);

const LAYOUTS: [LayoutPath; 4] = [
    (
        "memetic",
        &[("islands", "4"), ("individuals", "4"), ("leg", "2"), ("interval", "2"), ("hot", "10"), ("warm", "6")],
        24,
        ["e9ec12a0ba718e63", "c78a214064bf9f78"],
    ),
    ("genetic", &[("individuals", "64")], 20, ["c667a40f6ffb4a07", "5789605f9a71defd"]),
    (
        "genetic",
        &[("individuals", "64"), ("seeding", "shared"), ("tournament", "3")],
        20,
        ["bca4f57d9b05da78", "51166a550abd7443"],
    ),
    ("genetic", &[("individuals", "64"), ("seeding", "renewed")], 20, ["dab356e5a047e873", "e530584689974689"]),
];

#[test]
fn searches_for_layouts_walk_the_golden_path() {
    use gridwright_facility::{Rules, formats, run};
    let mut differences = Vec::new();
    for (name, changes, steps, golden) in LAYOUTS {
        for (source, golden) in ["sample:layout-workshop", "layout:F40"].into_iter().zip(golden) {
            let mut instance = formats::open(source, &formats::LoadOptions::default()).unwrap();
            instance.rules = Rules::default();
            for threads in [1, 2, 8] {
                let mut algorithm = run::Algorithm::named(name).unwrap();
                changes.iter().for_each(|(name, value)| algorithm.set(name, value).unwrap());
                let settings = run::Settings {
                    algorithm,
                    goal: None,
                    backend: "cpu".to_owned(),
                    threads,
                    seed: 2_026,
                    stop: Stop::after(Budget::Steps(steps)),
                };
                let result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
                assert!(result.verdict.confirmed);
                if let Some(digest) = result.digests.last().filter(|digest| *digest != golden) {
                    differences.push(format!("{name}, {changes:?}, {source}, {threads} threads: {digest}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
