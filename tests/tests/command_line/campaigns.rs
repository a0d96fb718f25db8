//! `gridwright campaign`.

use gridwright_campaign::folder::read_rows;

use super::test_folder::TestFolder;

/// Two algorithms on two instances of different problems.
const PLAN: &str = r#"(
    format: 1,
    name: "two",
    parts: [
        (instances: ["sample:school"], algorithms: [(name: "annealing"), (name: "evolution", parameters: {"population": 8})],
         seeds: "1..=2", limit: Steps(5)),
        (instances: ["onemax:30"], algorithms: [(name: "sgs-b"), (name: "random")], seeds: [1, 2], limit: Steps(5)),
    ],
)
"#;

#[test]
fn a_campaign_runs_goes_on_and_is_reported() {
    let folder = TestFolder::new();
    folder.write("two.ron", PLAN);
    let answer = folder.done("campaign run two.ron");
    assert!(answer.errors.contains("8 runs done, 0 failed; rows are in two"), "{}", answer.errors);
    let answer = folder.done("campaign run two.ron");
    assert!(answer.errors.contains("8 done before") && answer.errors.contains("0 runs done"), "{}", answer.errors);
    let status = folder.run("campaign status two --json").json();
    assert_eq!(
        (status["total"].as_u64(), status["done"].as_u64(), status["failed"].as_u64()),
        (Some(8), Some(8), Some(0))
    );
    folder.done("campaign report two --to report.html report.pdf tables.tex tables figures iohanalyzer");
    let html = std::fs::read_to_string(folder.path("report.html")).unwrap();
    for expected in
        ["Examination timetables: limit 5 steps", "Binary problems: limit 5 steps", "evolution", "<svg", "too few"]
    {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(!html.contains("src=") && !html.contains("<link") && !html.contains("<script"), "nothing is loaded");
    let csv = std::fs::read_to_string(folder.path("tables/1-overview.csv")).unwrap();
    assert!(csv.starts_with("Algorithm,Runs,Feasible,Mean rank"), "{csv}");
    assert!(folder.path("iohanalyzer").read_dir().unwrap().count() >= 4);
    folder.refuses("campaign report two --to report.docx", &["report.docx is no part of a report"]);
}

#[test]
fn a_wrong_plan_is_refused_before_the_first_run() {
    let folder = TestFolder::new();
    let place = |token: &str| {
        let before = &PLAN[..PLAN.find(token).unwrap()];
        let column = 1 + before.rsplit('\n').next().unwrap().chars().count();
        format!("plan.ron:{}: column {column}: ", 1 + before.matches('\n').count())
    };
    for (from, to, expected) in [
        ("\"annealing\"", "\"anealing\"", "there are annealing and evolution"),
        ("\"population\"", "\"populaton\"", "there is no parameter “populaton”"),
        ("8}", "-8}", "expected a whole number from"),
        ("\"onemax:30\"", "\"sample:onemax\"", "there is no sample “onemax”"),
        ("[1, 2]", "\"1..=x\"", "is no range"),
    ] {
        folder.write("plan.ron", PLAN.replace(from, to));
        folder.refuses("campaign run plan.ron", &[&place(from), expected]);
    }
    folder.write("plan.ron", PLAN.replace("Steps", "Evaluations"));
    folder.refuses("campaign run plan.ron", &[&place("\"annealing\""), "annealing cools according to its steps"]);
    folder.write("plan.ron", PLAN.replace("Steps(5)", "Evaluations(0)"));
    folder.refuses("campaign run plan.ron", &["plan.ron:6: column ", "above 0"]);
    folder.write("plan.ron", PLAN.replace("seeds: [1, 2]", "speed: 9"));
    folder.refuses("campaign run plan.ron", &["plan.ron:7: column ", "speed"]);
}

/// Every algorithm that evaluations can limit.
const COUNTED: &str = r#"(
    format: 1,
    name: "counted",
    parts: [
        (instances: ["sample:school"], algorithms: [(name: "evolution", parameters: {"population": 8})],
         seeds: "1..=2", limit: Evaluations(100), threads: 1),
        (instances: ["taillard:ta001"], algorithms: [(name: "greedy")], seeds: "1..=2", limit: Evaluations(9000), threads: 1),
        (instances: ["taillard:ta001"], options: {"objective": "pareto"}, algorithms: [(name: "pls"), (name: "tabu")],
         seeds: "1..=2", limit: Evaluations(30000), threads: 1),
        (instances: ["sample:layout-plant"], algorithms: [
            (name: "memetic", parameters: {"individuals": 4}), (name: "genetic", parameters: {"islands": 2, "individuals": 8})],
         seeds: "1..=2", limit: Evaluations(3000), threads: 1),
        (instances: ["onemax:30"], algorithms: [(name: "sgs-t"), (name: "sga"), (name: "random")],
         seeds: "1..=2", limit: Evaluations(1000), threads: 1),
    ],
)
"#;

#[test]
fn evaluations_end_runs_at_the_same_step_on_any_number_of_threads() {
    let folder = TestFolder::new();
    folder.write("one.ron", COUNTED);
    folder.write("two.ron", COUNTED.replace("threads: 1", "threads: 2"));
    let answer = folder.done("campaign run one.ron --seeds 1");
    assert!(answer.errors.contains("9 runs done, 0 failed"), "{}", answer.errors);
    let answer = folder.done("campaign run one.ron");
    assert!(answer.errors.contains("9 done before") && answer.errors.contains("9 runs done"), "{}", answer.errors);
    folder.done("campaign run two.ron --quiet");
    let [mut one, mut two] = ["one", "two"].map(|name| read_rows(&folder.path(name)).unwrap());
    for rows in [&mut one, &mut two] {
        rows.sort_by_key(|row| (row.label.clone(), row.seed));
    }
    assert_eq!((one.len(), two.len()), (18, 18));
    for (one, two) in one.iter().zip(&two) {
        let of = |row: &gridwright_campaign::row::Row| {
            (row.label.clone(), row.steps, row.evaluations, row.cost, row.digest.clone(), row.limit.clone())
        };
        assert_eq!(of(one), of(two));
        let limit: u64 = one.limit.strip_suffix(" evaluations").unwrap().parse().unwrap();
        let before = one.evaluations - one.evaluations / (one.steps + 1);
        assert!(one.evaluations >= limit && before <= limit + limit / 2, "{one:?}");
        assert!(["budget", "proven", "no_feasible"].contains(&one.stop_reason.as_str()), "{one:?}");
    }
    let script = folder.done("campaign script one.ron --for irace").text;
    assert!(script.contains("--algorithm evolution --evaluations 100"), "{script}");
}

#[test]
fn a_run_that_evaluations_limit_is_replayed() {
    let folder = TestFolder::new();
    let run = "solve taillard:ta011 --evaluations 40000 --backend cpu --threads 2 --out r.ron --json";
    let found = folder.done(run).json();
    assert!(found["evaluations"].as_u64().unwrap() >= 40_000, "{found}");
    folder.done("replay r.ron --backend cpu --threads 1");
    folder.refuses("solve sample:school --algorithm annealing --evaluations 9", &["annealing cools", "by seconds"]);
    assert_eq!(folder.run("solve sample:school --evaluations 9 --generations 3").code, 2);
}

#[test]
fn shards_are_merged_and_scripts_name_them() {
    let folder = TestFolder::new();
    folder.write("two.ron", PLAN);
    for shard in ["1/2", "2/2"] {
        folder.done(&format!("campaign run two.ron --shard {shard} --quiet"));
    }
    let answer = folder.done("campaign merge two-1-of-2 two-2-of-2 --out all");
    assert!(answer.errors.contains("8 rows are in all"), "{}", answer.errors);
    assert_eq!(folder.run("campaign run two.ron --shard 3/2").code, 2);
    for (source, expected) in
        [("two.ron", ["the plan of a campaign", "campaign run"]), ("all", ["the folder", "campaign report"])]
    {
        folder.refuses(&format!("info {source}"), &expected);
        folder.refuses(&format!("solve {source}"), &expected);
    }
    let script = |engine: &str| folder.done(&format!("campaign script two.ron --for {engine} --shards 4")).text;
    assert!(
        script("slurm").contains("#SBATCH --array=1-4") && script("slurm").contains("--shard $SLURM_ARRAY_TASK_ID/4")
    );
    assert!(script("hyperqueue").contains("hq submit --name two --array 1-4"));
    assert!(script("parallel").contains("seq 1 4 | parallel"));
    assert!(script("slurm").contains("#SBATCH --cpus-per-task=1\n") && script("slurm").contains("--jobs 1 "));
    folder.write("two.ron", PLAN.replace("limit:", "threads: [1, 2], limit:"));
    assert!(script("slurm").contains("#SBATCH --cpus-per-task=2\n") && script("slurm").contains("--jobs 1 "));
    let wide = folder.done("campaign script two.ron --for hyperqueue --cores 8").text;
    assert!(wide.contains("--cpus 8 ") && wide.contains("--jobs 4 "), "{wide}");
    folder.write("two.ron", PLAN);
    assert!(script("irace").contains("solve \"$4\" --seed \"$3\" --algorithm annealing --generations 5"));
}

/// Maximised problems: gaps are positive if a run is worse, runs that reach the proven optimum are hits, and axes say what is better.
#[test]
fn larger_figures_are_better_where_a_problem_is_maximised() {
    let folder = TestFolder::new();
    let plan = r#"(format: 1, name: "max", parts: [(
        instances: ["knapsack:100-1000", "onemax:50", "sample:backpack"], algorithms: [(name: "sgs-b"), (name: "random")],
        seeds: "1..=2", limit: Steps(300))])"#;
    folder.write("max.ron", plan);
    folder.done("campaign run max.ron --quiet");
    let rows = read_rows(&folder.path("max")).unwrap();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        assert!(row.is_maximised() && row.best_known.is_some(), "{row:?}");
        let (shown, best) = (row.cost_display.unwrap(), row.best_known.unwrap());
        assert_eq!((row.shown(row.cost.unwrap()), row.gap), (shown, Some(100.0 * (best - shown) / best)), "{row:?}");
        assert!(row.gap.unwrap() >= 0.0, "{row:?}");
    }
    folder.done("campaign report max --to report.html tables");
    let overview = std::fs::read_to_string(folder.path("tables/1-overview.csv")).unwrap();
    let hits = |name: &str| {
        let line = overview.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit(',').next().unwrap().parse::<usize>().unwrap()
    };
    let reached = |name: &str| rows.iter().filter(|row| row.label == name && row.gap == Some(0.0)).count();
    assert_eq!((hits("sgs-b"), hits("random")), (reached("sgs-b"), reached("random")));
    assert!(hits("sgs-b") >= 4 && hits("random") < 6, "{overview}");
    let html = std::fs::read_to_string(folder.path("report.html")).unwrap();
    assert!(html.contains("Values by instance") && html.contains("Value (larger is better)"), "{html}");
    assert!(!html.contains(">Cost<") && !html.contains("Costs by instance"));
}

#[test]
fn some_of_the_shards_are_not_the_whole_plan() {
    let folder = TestFolder::new();
    folder.write("two.ron", PLAN);
    for shard in ["1/3", "2/3"] {
        folder.done(&format!("campaign run two.ron --shard {shard} --quiet"));
    }
    let status = |name: &str| {
        let status = folder.run(&format!("campaign status {name} --json")).json();
        [&status["done"], &status["total"], &status["left"]].map(|value| value.as_u64().unwrap())
    };
    assert_eq!(status("two-1-of-3"), [3, 3, 0]);
    folder.done("campaign merge two-1-of-3 two-2-of-3 --out some");
    assert_eq!(status("some"), [6, 8, 2]);
    folder.done("campaign run two.ron --out some --quiet");
    assert_eq!(status("some"), [8, 8, 0]);
}

#[test]
fn instances_and_algorithms_of_a_plan_are_chosen() {
    let folder = TestFolder::new();
    folder.write("two.ron", PLAN);
    folder.done("campaign run two.ron --instance sample:school --algorithm evol* --quiet");
    let labels = || {
        let rows = read_rows(&folder.path("two")).unwrap();
        rows.into_iter().map(|row| (row.source, row.label)).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(labels().into_iter().collect::<Vec<_>>(), [("sample:school".to_owned(), "evolution".to_owned())]);
    folder.done("campaign run two.ron --algorithm sgs-b --algorithm random --quiet");
    assert_eq!(labels().len(), 3);
    folder.refuses(
        "campaign run two.ron --algorithm tabu",
        &["no algorithm “tabu”", "annealing, evolution, random, sgs-b"],
    );
    folder.refuses("campaign run two.ron --instance sample:campus", &["no instance “sample:campus”"]);
}

/// The target runner keeps what the plan fixes, names what it leaves out, and fails if a solve does.
#[cfg(unix)]
#[test]
fn the_target_runner_of_irace_is_the_plan() {
    let folder = TestFolder::new();
    let plan = r#"(format: 1, name: "ir", parts: [(
        instances: ["taillard:ta031", "taillard:ta001"], options: {"objective": "flowtime"},
        algorithms: [(name: "greedy", parameters: {"start": "neh", "chains": 1, "removed": [2, 4]}),
            (name: "greedy", label: "b", parameters: {"start": "neh", "chains": 2})],
        seeds: "1..=2", limit: Evaluations(3000))])"#;
    folder.write("ir.ron", plan);
    let answer = folder.done("campaign script ir.ron --for irace");
    assert!(answer.errors.contains("tunes greedy; the plan also has b"), "{}", answer.errors);
    for expected in ["--set chains=1", "--set start=neh", "--objective flowtime", "varies removed"] {
        assert!(answer.text.contains(expected), "{expected}: {}", answer.text);
    }
    assert!(!answer.text.contains("removed="), "{}", answer.text);
    let other = folder.done("campaign script ir.ron --for irace --algorithm b");
    assert!(other.text.contains("--set chains=2") && other.errors.is_empty(), "{}{}", other.text, other.errors);
    folder.write("runner", &answer.text);
    let run = |program: &std::ffi::OsStr, last: &str| {
        let mut command = std::process::Command::new("bash");
        let words = ["runner", "1", "1", "7", "taillard:ta001", "--set", last];
        command.args(words).current_dir(folder.folder.path()).env("GRIDWRIGHT", program);
        gridwright_tests::output_of(&mut command)
    };
    let program = gridwright_tests::gridwright();
    let good = run(program.get_program(), "removed=3");
    let cost: f64 = String::from_utf8(good.stdout).unwrap().trim().parse().unwrap();
    assert!(good.status.success() && cost > 10_000.0, "{cost}");
    for (program, last) in [(program.get_program(), "removed=x"), ("false".as_ref(), "removed=3")] {
        let failed = run(program, last);
        assert!(!failed.status.success() && failed.stdout.is_empty(), "{last}");
    }
}

#[test]
fn fronts_are_kept_with_their_hypervolume_to_a_point_of_the_plan() {
    let folder = TestFolder::new();
    let plan = |reference: &str| {
        format!(
            r#"(format: 1, name: "front", parts: [(instances: ["taillard:ta001"], options: {{"objective": "makespan,flowtime"}},
            algorithms: [(name: "pls")], seeds: [1], limit: Steps(20){reference})])"#
        )
    };
    folder.write("own.ron", plan(", reference: [2000, 30000]"));
    folder.write("usual.ron", plan(""));
    folder.done("campaign run own.ron --quiet");
    folder.done("campaign run usual.ron --quiet");
    let [own, usual] = ["own", "usual"].map(|name| read_rows(&folder.path(name)).unwrap().remove(0));
    assert_eq!((own.front_objectives.as_str(), own.front_points.clone()), ("makespan, flowtime", usual.front_points));
    let mut points: Vec<[f64; 2]> = Vec::new();
    for point in own.front_points.split("; ") {
        let (makespan, flowtime) = point.split_once(' ').unwrap();
        points.push([makespan.parse().unwrap(), flowtime.parse().unwrap()]);
    }
    assert_eq!((Some(points.len()), points.is_sorted_by(|a, b| a[0] < b[0] && a[1] > b[1])), (own.front, true));
    // Strips from point to point.
    let (mut area, mut top) = (0.0, 30_000.0);
    for [makespan, flowtime] in points {
        area += (2_000.0 - makespan) * (f64::max(top, flowtime) - flowtime);
        top = f64::min(top, flowtime);
    }
    assert_eq!(own.hypervolume, Some(area));
    assert!(usual.hypervolume.is_some_and(|volume| volume > 0.0 && volume <= 1.21));
    folder.write("own.ron", plan(", reference: [2000]"));
    assert_eq!(folder.run("campaign run own.ron --out wrong --quiet").code, 1);
    let why = read_rows(&folder.path("wrong")).unwrap().remove(0).failure;
    assert!(why.contains("reference point has 1 values, the front 2"), "{why}");
}
