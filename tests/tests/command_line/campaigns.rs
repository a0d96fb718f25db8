//! `gridwright campaign`.

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
    folder.write("plan.ron", PLAN.replace("seeds: [1, 2]", "speed: 9"));
    folder.refuses("campaign run plan.ron", &["plan.ron:7: column ", "speed"]);
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
    let script = |engine: &str| folder.done(&format!("campaign script two.ron --for {engine} --shards 4")).text;
    assert!(
        script("slurm").contains("#SBATCH --array=1-4") && script("slurm").contains("--shard $SLURM_ARRAY_TASK_ID/4")
    );
    assert!(script("hyperqueue").contains("hq submit --name two --array 1-4"));
    assert!(script("parallel").contains("seq 1 4 | parallel"));
    assert!(script("irace").contains("solve \"$4\" --seed \"$3\" --algorithm annealing --generations 5"));
}
