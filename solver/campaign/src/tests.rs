mod expectation;
mod published;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gridwright_core::encoded::Encoded;
use gridwright_core::files::fault::{Fault, arm};
use gridwright_core::planning::{ExportOptions, Fact, Identity, Judged, ProgressReport, Published};
use gridwright_core::problem::{Problem, Profile};
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{InstanceReference, RunResult, Verdict};
use gridwright_core::scene::svg::to_svg;
use gridwright_core::search::driver::Plan;
use gridwright_core::search::{Control, CurvePoint, Improvement, StopReason};
use gridwright_core::testing::{Toy as ToyProblem, toy};
use gridwright_core::{Error, registry};

use super::execution::{Event, perform};
use super::folder::{Folder, merge, read_curves, read_rows, status};
use super::measured::Benches;
use super::plan::{self, Campaign};
use super::row::Row;
use super::{report, *};

/// Instances `toy:N` with the algorithms `good`, `bad`, `broken` and `panics`, whose costs follow from seed and instance.
#[derive(Default)]
struct Toys {
    /// Runs at this moment, and the most that ever were.
    running: AtomicUsize,
    most: AtomicUsize,
    /// True if seeds are solved together, and how many were.
    has_side_by_side_runs: bool,
    together: AtomicUsize,
}

struct Toy<'a> {
    name: String,
    toys: &'a Toys,
}

/// A problem of toys, and one whose seeds can be solved side by side.
static ALONE: ToyProblem = ToyProblem(&toy("toy"));
static TOGETHER: ToyProblem = ToyProblem(&Profile { has_side_by_side_runs: true, ..toy("pair") });

impl Toys {
    fn open(&'static self, source: &str) -> Result<Box<dyn OpenInstance>> {
        let name = source.rsplit(['/', ':']).next().unwrap_or_default().to_owned();
        match name.parse::<u64>() {
            Ok(_) => Ok(Box::new(Toy { name, toys: self })),
            Err(_) => Err(Error::Usage(format!("there is no toy {name}"))),
        }
    }
}

impl OpenInstance for Toy<'_> {
    fn identity(&self) -> Identity<'_> {
        let problem = if self.toys.has_side_by_side_runs { &TOGETHER } else { &ALONE };
        Identity { problem, name: &self.name, file_hash: "", warnings: &[] }
    }

    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    fn summary(&self) -> String {
        String::new()
    }

    fn step_noun(&self, _algorithm: Option<&str>) -> &'static str {
        "steps"
    }

    fn export_endings(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn replay(
        &self, _result: &RunResult, _backend: &str, _threads: usize, _control: &Control,
        _observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        Err(Error::Usage("a toy is not replayed".to_owned()))
    }

    fn publish(&self, _solution: &Encoded, _path: &Path, _demands: Option<&Encoded>) -> Result<Published> {
        Err(Error::Usage("a toy is not published".to_owned()))
    }

    fn verify(&self, _solution: &Encoded, _path: &Path, _result: Option<&RunResult>) -> Result<Judged> {
        Err(Error::Usage("a toy is not verified".to_owned()))
    }

    fn export_bytes(
        &self, _solution: &Encoded, _path: &Path, _ending: &str, _options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        Err(Error::Usage("a toy is not exported".to_owned()))
    }

    fn shown(&self, cost: f64) -> f64 {
        cost / 10.0
    }

    fn best_known(&self) -> Option<f64> {
        Some(10.0)
    }

    fn check_request(&self, spec: &SolveRequest) -> Result<()> {
        if !["good", "bad", "broken", "panics"].contains(&algorithm_of(spec)) {
            return Err(Error::Usage(format!("there is no algorithm “{}”", algorithm_of(spec))));
        }
        match spec.parameters.iter().find(|(name, value)| name != "size" || value.parse::<f64>().is_err()) {
            Some((name, _)) if name != "size" => Err(Error::Usage(format!("there is no parameter “{name}”"))),
            Some((_, value)) => Err(Error::Usage(format!("size = “{value}”: expected a number"))),
            None => Ok(()),
        }
    }

    fn solve(
        &self, spec: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        let running = self.toys.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.toys.most.fetch_max(running, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(2));
        self.toys.running.fetch_sub(1, Ordering::SeqCst);
        let worse = match algorithm_of(spec) {
            "broken" => return Err(Error::Search("out of\nluck".to_owned())),
            "panics" => panic!("a toy broke"),
            "bad" => 50.0,
            _ => 0.0,
        };
        let size = size_of(spec);
        let cost = 100.0 + worse + 5.0 * size + spec.seed as f64 + self.name.parse::<f64>().unwrap_or(0.0);
        let curve: Vec<CurvePoint> = [(0, 400.0), (1, cost), (2, cost)]
            .map(|(step, best)| CurvePoint { seconds: step as f64, step, best, mean: best, worst: best })
            .to_vec();
        for point in &curve {
            observer(&ProgressReport {
                seconds: point.seconds,
                share: 0.5,
                step: point.step,
                evaluations: 10 * point.step,
                cost: point.best,
                best: &String::new,
            });
        }
        let plan = Plan { steps: Some(2), epoch: 1, ..Plan::default() };
        let stop_reason = if control.is_cancelled() { StopReason::Cancelled } else { StopReason::Budget };
        Ok(RunResult {
            program: String::new(),
            problem: self.problem().id().to_owned(),
            instance: InstanceReference {
                name: self.name.clone(),
                source: String::new(),
                hash: String::new(),
                options: BTreeMap::new(),
            },
            algorithm: algorithm_of(spec).to_owned(),
            backend: spec.backend.clone(),
            device: format!("device of {}", spec.backend),
            plan,
            stop_reason,
            seconds: 0.5,
            generations: 2,
            evaluations: 20,
            improvements: curve[..2].iter().map(improvement).collect(),
            curve,
            digests: vec![format!("{cost}")],
            solution: Encoded::of(&"toy"),
            verdict: Verdict::of(cost, Vec::new()),
            ..gridwright_core::testing::result(spec.seed, 0)
        })
    }

    fn solve_seeds(
        &self, spec: &SolveRequest, seeds: &[u64], control: &Control,
        observer: &mut dyn FnMut(usize, &ProgressReport<'_>),
    ) -> Result<Option<Vec<RunResult>>> {
        let solve = |(index, &seed): (usize, &u64)| {
            let spec = SolveRequest { seed, ..spec.clone() };
            self.solve(&spec, control, &mut |report| observer(index, report))
        };
        let results = seeds.iter().enumerate().map(solve).collect::<Result<_>>()?;
        self.toys.together.fetch_add(seeds.len(), Ordering::SeqCst);
        Ok(Some(results))
    }
}

fn improvement(point: &CurvePoint) -> Improvement {
    let CurvePoint { step, seconds, best: cost, .. } = *point;
    Improvement { step, evaluations: 10 * step, seconds, cost, exact: true }
}

fn algorithm_of(spec: &SolveRequest) -> &str {
    spec.algorithm.as_deref().unwrap_or_default()
}

fn size_of(spec: &SolveRequest) -> f64 {
    let size = spec.parameters.iter().find(|(name, _)| name == "size");
    size.and_then(|(_, size)| size.parse().ok()).unwrap_or(0.0)
}

fn toys() -> &'static Toys {
    register();
    Box::leak(Box::default())
}

fn register() {
    registry::register(&[&ALONE, &TOGETHER]);
}

/// Opens toys that count their runs together.
fn open_toys(toys: &'static Toys) -> impl Fn(&str, &Overrides) -> Result<Box<dyn OpenInstance>> + Sync {
    move |source, _options| toys.open(source)
}

const PART: &str = r#"instances: ["sample:1", "sample:2"], algorithms: [(name: "good"), (name: "bad")], seeds: "1..=3", limit: Steps(5)"#;

fn plan_text(part: &str) -> String {
    format!("(\n    format: 1,\n    name: \"toys\",\n    parts: [({part})],\n)\n")
}

fn campaign(folder: &Path, part: &str) -> Result<Campaign> {
    let path = folder.join("plan.ron");
    std::fs::write(&path, plan_text(part)).unwrap();
    plan::read(&path, Path::new("data"), &open_toys(toys()))
}

/// Performs the runs of a part that have no row yet.
fn run(folder: &Path, part: &str, jobs: usize) -> Result<Vec<Row>> {
    let plans = tempfile::tempdir().unwrap();
    let campaign = campaign(plans.path(), part)?;
    let all: Vec<&RunSpec> = campaign.runs.iter().collect();
    let mut folder = Folder::open(folder, &campaign, &all)?;
    let left: Vec<&RunSpec> = all.into_iter().filter(|run| !folder.is_done(&run.key(), false)).collect();
    let mut rows = Vec::new();
    perform(&left, jobs, &open_toys(toys()), &mut folder, &Control::new(), &mut |event| {
        rows.extend(match event {
            Event::Started(_) | Event::Improved(..) => None,
            Event::Finished(finished) => Some(finished.row.clone()),
        });
    })?;
    Ok(rows)
}

#[test]
fn the_words_of_a_limit_are_read_back() {
    for (words, budget) in [
        ("1 step", Some(Budget::Steps(1))),
        ("2000 steps, target 10.5", Some(Budget::Steps(2_000))),
        ("1 evaluation", Some(Budget::Evaluations(1))),
        ("30 evaluations, stall 7", Some(Budget::Evaluations(30))),
        ("0.5 s", Some(Budget::Seconds(0.5))),
        ("usual limit", None),
    ] {
        assert_eq!(super::budget_of(words), budget, "{words}");
    }
}

#[test]
fn a_plan_becomes_all_combinations() {
    let folder = tempfile::tempdir().unwrap();
    let found = campaign(folder.path(), PART).unwrap();
    assert_eq!((found.name.as_str(), found.runs.len()), ("toys", 12));
    let keys: std::collections::BTreeSet<String> = found.runs.iter().map(RunSpec::key).collect();
    assert_eq!(keys.len(), 12);
    let swept = PART.replace(r#"(name: "good")"#, r#"(name: "good", parameters: {"size": "0.1..=0.3 step 0.1"})"#);
    let found = campaign(folder.path(), &swept).unwrap();
    assert_eq!(found.runs.len(), 2 * 4 * 3);
    assert_eq!((found.runs[3].label.as_str(), found.runs[3].parameters["size"].as_str()), ("good, size 0.2", "0.2"));
    for name in ["a.toy:1", "a.toy:2", "b.toy:3"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let matched = PART.replace(r#""sample:1", "sample:2""#, r#""a.*""#);
    let found = campaign(folder.path(), &matched).unwrap();
    assert_eq!(found.runs.iter().map(|run| run.source.as_str()).collect::<std::collections::BTreeSet<_>>().len(), 2);
}

#[test]
fn runs_on_the_cpu_are_repeated_on_each_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let of = |found: &Campaign| {
        found.runs[..9].iter().map(|run| (run.backend.clone(), run.threads, run.seed)).collect::<Vec<_>>()
    };
    let found =
        campaign(folder.path(), &(PART.to_owned() + r#", backends: ["cuda:0", "cpu"], threads: [2, 16]"#)).unwrap();
    let each = |backend: &'static str, threads| (1..=3).map(move |seed| (backend.to_owned(), threads, seed));
    assert_eq!(of(&found), each("cuda:0", 2).chain(each("cpu", 2)).chain(each("cpu", 16)).collect::<Vec<_>>());
    // A run has the same key however its plan is divided into parts.
    let alone = campaign(folder.path(), &(PART.to_owned() + ", threads: 16")).unwrap();
    assert_eq!(alone.runs[0].key(), found.runs[6].key());
    for (threads, what) in [("[2, 2]", "named twice"), ("many", "is not a number of threads")] {
        let fault = campaign(folder.path(), &format!("{PART}, threads: {threads}")).unwrap_err().to_string();
        assert!(fault.contains(what), "{fault}");
    }
}

#[test]
fn runs_take_the_devices_that_their_backend_names_in_turn() {
    for limit in ["Steps(5)", "Seconds(5.0)"] {
        let folder = tempfile::tempdir().unwrap();
        let part = PART.replace("Steps(5)", limit) + r#", backends: ["cuda:3,5"]"#;
        let rows = run(folder.path(), &part, 1).unwrap();
        assert!(rows.len() == 12 && rows.iter().all(|row| row.backend == "cuda:3,5"), "{rows:?}");
        let on = |device: &str| rows.iter().filter(|row| row.device == device).count();
        let (third, fifth) = (on("device of cuda:3"), on("device of cuda:5"));
        assert!(third > 0 && fifth > 0 && third + fifth == 12, "{third} and {fifth}");
        // The folder is finished: nothing is left to be performed.
        assert!(run(folder.path(), &part, 1).unwrap().is_empty());
    }
}

#[test]
fn runs_that_differ_in_their_seeds_go_together_on_a_device_and_have_the_rows_of_single_runs() {
    let plans = tempfile::tempdir().unwrap();
    let named = r#"(name: "good"), (name: "broken"), (name: "panics")"#;
    let part = PART.replace(r#"(name: "good"), (name: "bad")"#, named) + r#", backends: ["cuda:0", "cpu"]"#;
    let campaign = campaign(plans.path(), &part).unwrap();
    let [single, together] = [&ALONE, &TOGETHER].map(|problem| {
        let toys: &'static Toys = Box::leak(Box::new(Toys {
            has_side_by_side_runs: problem.profile().has_side_by_side_runs,
            ..Toys::default()
        }));
        let of_problem = |run: &RunSpec| RunSpec { problem: problem.id().to_owned(), ..run.clone() };
        let runs: Vec<RunSpec> = campaign.runs.iter().map(of_problem).collect();
        let runs: Vec<&RunSpec> = runs.iter().collect();
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Folder::open(folder.path(), &campaign, &runs).unwrap();
        perform(&runs, 1, &open_toys(toys), &mut kept, &Control::new(), &mut |_| {}).unwrap();
        let curves = folder::read_curves(folder.path()).unwrap();
        // Names of problems, and keys that contain them, differ.
        let alike = |row: Row| {
            let (key, problem) = (String::new(), String::new());
            (curves.get(&row.key).cloned(), Row { started: String::new(), seconds: 0.0, key, problem, ..row })
        };
        let rows: Vec<_> = folder::read_rows(folder.path()).unwrap().into_iter().map(alike).collect();
        (rows, toys.together.load(Ordering::SeqCst))
    });
    assert_eq!(single.0, together.0);
    assert_eq!((single.0.len(), single.1, together.1), (36, 0, 6), "two instances, three seeds, on the device");
    assert_eq!(together.0.iter().filter(|(_, row)| row.failure.is_empty()).count(), 12);
}

#[test]
fn faults_of_a_plan_have_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let said = |from: &str, to: &str| campaign(folder.path(), &PART.replace(from, to)).unwrap_err().to_string();
    let column = |what: &str| 14 + PART[..PART.find(what).unwrap()].chars().count();
    for (from, to, at, expected) in [
        ("\"sample:2\"", "\"sample:x\"", "\"sample:2\"", "there is no toy x"),
        ("\"sample:2\"", "\"none-*.stu\"", "\"sample:2\"", "no file in"),
        ("\"good\"", "\"best\"", "\"good\"", "there is no algorithm “best”"),
        ("\"bad\"", "\"good\"", "\"bad\"", "two algorithms are called “good”"),
        ("\"1..=3\"", "\"3..=1\"", "\"1..=3\"", "has no values"),
        ("\"1..=3\"", "[1, x]", "\"1..=3\"", "“x” is not a seed"),
        ("Steps(5)", "Steps(0)", "Steps(5)", "must be above 0"),
        ("Steps(5)", "Weeks(5)", "Steps(5)", "expected a limit"),
    ] {
        let (text, column) = (said(from, to), column(at) + if to.starts_with('[') { 4 } else { 0 });
        assert!(
            text.contains(&format!("plan.ron:4: column {column}: ")) && text.contains(expected),
            "{to}: {text}, not {column}"
        );
    }
    let parameter = |text: &str| said("(name: \"good\"", &format!("(name: \"good\", parameters: {{{text}}}"));
    let at = column("(name: \"good\"") + r#"(name: "good", parameters: {"#.len();
    assert!(parameter(r#""speed": 1"#).contains(&format!("column {at}: there is no parameter “speed”")));
    let at = at + r#""size": [1, "#.len();
    assert!(parameter(r#""size": [1, "x"]"#).contains(&format!("column {at}: size = “x”: expected a number")));
    assert!(said("limit:", "limits:").contains("plan.ron:4: column"), "{}", said("limit:", "limits:"));
    assert!(said("\"sample:2\"", "\"sample:1\"").contains("stands twice in the plan"));
}

#[test]
fn runs_are_skipped_once_they_have_a_row_and_failures_are_rows() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), PART, 3).unwrap().len(), 12);
    assert_eq!(run(folder.path(), PART, 3).unwrap().len(), 0);
    let more = PART.replace("(name: \"bad\")", "(name: \"bad\"), (name: \"broken\"), (name: \"panics\")");
    let rows = run(folder.path(), &more, 2).unwrap();
    let mut reasons: Vec<&str> = rows.iter().map(|row| row.failure.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!((rows.len(), reasons), (12, vec!["out of; luck", "the program broke off: a toy broke"]));
    let found = status(folder.path()).unwrap();
    assert_eq!((found.total, found.done, found.failures.values().sum::<usize>()), (24, 24, 12));
    let row = &read_rows(folder.path()).unwrap()[0];
    assert_eq!(
        (row.cost_display, row.step_of_best, row.stop_reason.as_str()),
        (row.cost.map(|cost| cost / 10.0), 1, "budget")
    );
    assert_eq!(row.gap, row.cost_display.map(|shown| 10.0 * (shown - 10.0)));
    assert_eq!(read_curves(folder.path()).unwrap()[&row.key].len(), 3, "two improvements and the end");
}

#[test]
fn runs_with_a_time_limit_go_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let plans = tempfile::tempdir().unwrap();
    for (limit, expected) in [("Seconds(1.0)", 1), ("Steps(5)", 4)] {
        let campaign = campaign(plans.path(), &PART.replace("Steps(5)", limit)).unwrap();
        let runs: Vec<&RunSpec> = campaign.runs.iter().collect();
        let (mut kept, toys) = (Folder::open(&folder.path().join(limit), &campaign, &runs).unwrap(), toys());
        perform(&runs, 4, &open_toys(toys), &mut kept, &Control::new(), &mut |_| {}).unwrap();
        let most = toys.most.load(Ordering::SeqCst);
        assert!(if expected == 1 { most == 1 } else { most > 1 && most <= expected }, "{limit}: {most} at a time");
    }
}

#[test]
fn a_second_program_is_kept_out() {
    let folder = tempfile::tempdir().unwrap();
    let plans = tempfile::tempdir().unwrap();
    let campaign = campaign(plans.path(), PART).unwrap();
    let _first = Folder::open(folder.path(), &campaign, &[]).unwrap();
    let said = Folder::open(folder.path(), &campaign, &[]).unwrap_err().to_string();
    assert!(said.contains("another program runs a campaign in this folder"), "{said}");
}

/// Every file operation fails in turn, as on a full disk: rows are whole, and a second attempt completes the campaign.
#[test]
fn a_full_disk_stops_cleanly() {
    let undisturbed = tempfile::tempdir().unwrap();
    run(undisturbed.path(), PART, 1).unwrap();
    let (mut call, mut failures) = (0, 0);
    loop {
        let folder = tempfile::tempdir().unwrap();
        let fault =
            Fault { folder: folder.path().to_path_buf(), call, lasting: true, kind: std::io::ErrorKind::StorageFull };
        let guard = arm(fault);
        let ended = run(folder.path(), PART, 2);
        drop(guard);
        if ended.is_err() {
            failures += 1;
        }
        let rows = read_rows(folder.path()).unwrap();
        let text = std::fs::read_to_string(folder.path().join("runs.csv")).unwrap_or_default();
        assert!(text.is_empty() || text.ends_with('\n'), "operation {call}: {text}");
        let left = run(folder.path(), PART, 2).unwrap();
        assert_eq!(rows.len() + left.len(), 12, "operation {call}");
        if ended.is_ok() {
            break;
        }
        call += 1;
    }
    assert!(failures > 40, "{failures} operations");
}

#[test]
fn half_lines_and_improvements_without_a_row_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), PART, 1).unwrap();
    let (runs, curve) = (folder.path().join("runs.csv"), folder.path().join("curve.csv"));
    let text = std::fs::read_to_string(&runs).unwrap();
    std::fs::write(&runs, &text[..text.len() - 30]).unwrap();
    assert_eq!(read_rows(folder.path()).unwrap().len(), 11, "a reader ignores half a line");
    assert_eq!(run(folder.path(), PART, 1).unwrap().len(), 1);
    assert_eq!(read_rows(folder.path()).unwrap().len(), 12);
    let curves = read_curves(folder.path()).unwrap();
    assert!(curves.len() == 12 && curves.values().all(|states| states.len() == 3), "{curves:?}");
    assert_eq!(std::fs::read_to_string(curve).unwrap().lines().count(), 1 + 36);
}

#[test]
fn shards_that_are_merged_give_the_report_of_one_campaign() {
    let (whole, plans) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let part = PART.replace(
        r#""sample:1", "sample:2""#,
        "\"sample:1\", \"sample:2\", \"sample:3\", \"sample:4\", \"sample:5\", \"sample:6\"",
    );
    let part = part.replace(
        "(name: \"bad\")",
        "(name: \"bad\"), (name: \"good\", label: \"swept\", parameters: {\"size\": [1, 2, 3]})",
    );
    let part = part.replace("1..=3", "1..=5");
    run(whole.path(), &part, 2).unwrap();
    let campaign = campaign(plans.path(), &part).unwrap();
    let folders: Vec<_> = (0..3).map(|shard| plans.path().join(format!("shard-{shard}"))).collect();
    for (shard, folder) in folders.iter().enumerate() {
        let own: Vec<&RunSpec> = campaign.runs.iter().skip(shard).step_by(3).collect();
        let mut kept = Folder::open(folder, &campaign, &own).unwrap();
        perform(&own, 1, &open_toys(toys()), &mut kept, &Control::new(), &mut |_| {}).unwrap();
    }
    let merged = plans.path().join("merged");
    let found = merge(&folders, &merged).unwrap();
    assert_eq!((found.rows, found.differing.len(), found.plans_differ), (150, 0, false));
    assert!(merge(&folders, &merged).unwrap_err().to_string().contains("holds a campaign already"));
    let of = |folder: &Path| {
        report::of("toys", &[], &Benches::default(), &read_rows(folder).unwrap(), &read_curves(folder).unwrap())
    };
    let (one, other) = (of(whole.path()), of(&merged));
    assert_eq!(report::html::write(&one), report::html::write(&other));
    assert_eq!(report::latex::write(&one), report::latex::write(&other));
    let figures: Vec<&str> = one.sections[0].figures.iter().map(|figure| figure.name).collect();
    assert_eq!(figures, ["ranks", "boxes", "targets", "time-to-target", "convergence", "sweeps"]);
    pictures_are_as_stored(&one.sections[0].figures);
    let html = report::html::write(&one);
    assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    assert!(report::pdf::write(&one).unwrap().starts_with(b"%PDF"));
}

#[test]
fn the_report_of_some_shards_says_how_many_runs_are_missing() {
    let plans = tempfile::tempdir().unwrap();
    let campaign = campaign(plans.path(), PART).unwrap();
    let all = campaign.runs.len();
    let folders: Vec<_> = (0..3).map(|shard| plans.path().join(format!("shard-{shard}"))).collect();
    let mut done = 0;
    for (shard, folder) in folders.iter().enumerate() {
        let own: Vec<&RunSpec> = campaign.runs.iter().skip(shard).step_by(3).collect();
        done += if shard < 2 { own.len() } else { 0 };
        let mut kept = Folder::open(folder, &campaign, &own).unwrap();
        perform(&own, 1, &open_toys(toys()), &mut kept, &Control::new(), &mut |_| {}).unwrap();
    }
    let html = |folders: &[PathBuf], name: &str| {
        let merged = plans.path().join(name);
        merge(folders, &merged).unwrap();
        let file = plans.path().join(format!("{name}.html"));
        let targets = gridwright_core::store::outputs::Outputs::of_user(Vec::new(), false);
        report::files::Reported::read(&merged).unwrap().write(&file, &targets).unwrap();
        std::fs::read_to_string(file).unwrap()
    };
    let part = html(&folders[..2], "part");
    let missing = format!("{} runs are missing of the {all} runs of the plan", all - done);
    assert!(part.contains(&missing), "{missing}: {part}");
    assert!(!html(&folders, "all").contains("missing of the"));
}

/// Compares figures with stored ones; `UPDATE_PICTURES=1` stores them.
fn pictures_are_as_stored(figures: &[report::figures::Figure]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pictures");
    for figure in figures {
        let (path, svg) = (folder.join(format!("{}.svg", figure.name)), to_svg(&figure.scene));
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &svg).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == svg, "{} differs; look at it and store it with UPDATE_PICTURES=1", path.display());
    }
}

#[test]
fn too_few_runs_for_a_test_are_said() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), PART, 2).unwrap();
    let report = report::of(
        "toys",
        &[],
        &Benches::default(),
        &read_rows(folder.path()).unwrap(),
        &read_curves(folder.path()).unwrap(),
    );
    let html = report::html::write(&report);
    assert!(html.contains("2 algorithms are too few for a test of several; at least 3 are needed"), "{html}");
    assert!(html.contains("2 instances were not tested"), "{html}");
    assert!(html.contains("gridwright campaign run toys.ron --instance INSTANCE --algorithm ALGORITHM"), "{html}");
    assert!(html.contains("too few instances that differ"), "{html}");
    assert!(report.sections[0].figures.iter().all(|figure| figure.name != "ranks"));
}

#[test]
fn versions_are_never_mixed_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), PART, 2).unwrap();
    let mut rows = read_rows(folder.path()).unwrap();
    for row in rows.iter_mut().filter(|row| row.seed == 3) {
        row.version = "0.1.0".to_owned();
    }
    let report = report::of("toys", &[], &Benches::default(), &rows, &read_curves(folder.path()).unwrap());
    let html = report::html::write(&report);
    assert!(html.contains(&format!("several versions of gridwright (0.1.0, {VERSION})")), "{html}");
    assert!(html.contains("good, 0.1.0") && html.contains(&format!("good, {VERSION}")), "{html}");
}
