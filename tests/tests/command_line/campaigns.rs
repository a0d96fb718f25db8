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
