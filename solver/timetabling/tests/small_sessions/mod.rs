//! Small sessions with rooms under all pairs of kinds of demands, compared with an exact program: exams that are left out, and
//! the reasons that are named.

mod drawn;
mod exact;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use self::drawn::{Demand, session};
use self::exact::Exact;
use gridwright_core::search::{Algorithms, Budget, Control, Stop};
use gridwright_timetabling::bounds::LowerBound;
use gridwright_timetabling::check::{ViolationKind, check, free_places};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::run::{Algorithm, Settings, reasons, solve, timetable_of};
use gridwright_timetabling::{Instance, Timetable};

/// Faults of one kind: seeds with a description.
type Faults = Vec<(u64, String)>;

/// Findings about many sessions.
#[derive(Default)]
struct Findings {
    sessions: usize,
    impossible: usize,
    /// Impossible sessions of which a set of exams or of demands is named that is impossible.
    explained: usize,
    /// Sessions in which more exams are left out than necessary.
    more: Faults,
    /// Everything that must not be.
    wrong: Faults,
}

/// Demands of the session with this seed: a pair of kinds and, every second time that the pair comes, some others.
fn demands_of(seed: u64) -> Vec<Demand> {
    let kinds = Demand::all();
    let pairs: Vec<[Demand; 2]> = (0..kinds.len())
        .flat_map(|first| kinds[first..].iter().map(|&second| [kinds[first], second]).collect::<Vec<_>>())
        .collect();
    let (round, at) = (seed as usize / pairs.len(), seed as usize % pairs.len());
    let further =
        (0..if round % 2 == 0 { 0 } else { 4 }).map(|number| kinds[(at * 7 + round * 5 + number * 3) % kinds.len()]);
    pairs[at].into_iter().chain(further).collect()
}

fn solved(instance: &Instance) -> Timetable {
    let algorithm = Algorithm::named("annealing").unwrap();
    let stop = Stop::after(Budget::Steps(10));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 1, seed: 1, stop };
    let result = solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    timetable_of(instance, &result).unwrap()
}

/// Exams that a sentence names.
fn named(sentence: &str) -> Vec<usize> {
    let words = sentence.split(|letter: char| !letter.is_alphanumeric());
    let numbers: BTreeSet<usize> = words.filter_map(|word| word.strip_prefix('E')?.parse().ok()).collect();
    numbers.into_iter().collect()
}

fn examine(seed: u64, findings: &Mutex<Findings>) {
    let demands = demands_of(seed);
    let instance = session(seed, &demands);
    let exact = Exact::new(&instance);
    let everything: Vec<usize> = (0..instance.exam_count()).collect();
    let fewest = exact.fewest_left_out(&everything);
    let timetable = solved(&instance);
    let out = timetable.unplaced_exams().len();
    let mut wrong = Vec::new();
    let mut assert = |holds: bool, text: String| {
        if !holds {
            wrong.push((seed, format!("{demands:?}: {text}")));
        }
    };
    let verdict = check(&instance, &timetable);
    let bound = LowerBound::of(&instance).raw;
    assert(!verdict.feasible || bound <= verdict.raw, format!("the bound {bound} is above {}", verdict.raw));
    let violations = verdict.violations;
    assert(violations.iter().all(|it| it.kind == ViolationKind::Unplaced), format!("{violations:?}"));
    let free = free_places(&instance, &timetable);
    assert(free.is_empty(), format!("{free:?} are free in {timetable:?}"));
    assert(out >= fewest, format!("{out} are left out, {fewest} by the exact program: {timetable:?}"));
    let named_sets = contradictions(&instance);
    let mut is_explained = false;
    for why in &named_sets {
        let exams = named(why);
        let set = if exams.is_empty() { &everything } else { &exams };
        let is_impossible = exact.fewest_left_out(set) > 0;
        assert(is_impossible, format!("«{why}» is not so; {out} are left out, {fewest} by the exact program"));
        is_explained |= is_impossible;
    }
    let sentences = if out > 0 { reasons(&instance, &timetable) } else { Vec::new() };
    let claims = ["need as many periods", "do not fit together", "even in an empty timetable"];
    for why in sentences.iter().filter(|why| claims.iter().any(|claim| why.contains(claim))) {
        let set = named(why);
        let is_impossible = exact.fewest_left_out(&set) > 0;
        assert(is_impossible, format!("«{why}» is not so"));
        is_explained |= is_impossible;
    }
    let mut findings = findings.lock().unwrap();
    findings.sessions += 1;
    findings.impossible += usize::from(fewest > 0);
    findings.explained += usize::from(is_explained);
    if out > fewest {
        let (rules, resources) = (&instance.rules, &instance.resources);
        let text = format!(
            "{demands:?}: {out} for {fewest} in {timetable:?} under {rules:?} {resources:?} {:?}",
            instance.exams
        );
        findings.more.push((seed, text));
    }
    findings.wrong.append(&mut wrong);
}

/// Examines the sessions of these seeds on all threads of the machine.
fn findings(seeds: std::ops::Range<u64>) -> Findings {
    let (next, findings) = (AtomicU64::new(seeds.start), Mutex::new(Findings::default()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| seeds.contains(seed)) {
                    examine(seed, &findings);
                }
            });
        }
    });
    findings.into_inner().unwrap()
}

/// Asserts that everything that is said about these sessions is right, and that hardly ever more exams than necessary are left
/// out or an impossible session is without a reason.
fn compare(seeds: std::ops::Range<u64>) {
    let Findings { sessions, impossible, explained, more, wrong } = findings(seeds);
    println!(
        "{impossible} of {sessions} sessions are impossible, {explained} explained, {} with more left out",
        more.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(more.len() * 33 <= sessions, "more exams than necessary are left out: {more:#?}");
    assert!(explained * 50 >= impossible * 49, "{explained} of {impossible} impossible sessions have a reason");
    assert!(impossible * 2 > sessions, "{impossible} of {sessions} sessions are impossible");
}

/// All pairs of kinds of demands.
#[test]
fn pairs_of_demands_leave_out_as_few_exams_as_an_exact_program() {
    compare(0..253);
}

/// Some of the pairs with further demands.
#[test]
fn many_demands_leave_out_as_few_exams_as_an_exact_program() {
    compare(253..353);
}

/// Eight rounds of all pairs, every second with further demands.
#[test]
#[ignore = "takes minutes"]
fn thousands_of_sessions_leave_out_as_few_exams_as_an_exact_program() {
    compare(0..2_024);
}
