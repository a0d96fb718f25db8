//! Binary problems on the command line: instances by name and from files, bad input, solutions, runs, pictures.

use serde_json::{Value, json};

use super::test_folder::TestFolder;

/// Items 1 and 3 have profit 14 and weight 8, which just fits; items 1 and 2 weigh 9, one too much: 17 − 1 · 8 = 9.
const FOUR_ITEMS: [(&str, &str, &str); 4] = [
    ("table.csv", "# capacity: 8\nitem,profit,weight\nA,10,5\nB,7,4\nC,4,3\nD,1,1\n", ""),
    ("bare.csv", "weight;value\n5;10\n4;7\n3;4\n1;1\n", " --capacity 8"),
    ("numbers.txt", "4 8\n10 5\n7 4\n4 3\n1 1\n", ""),
    ("other.kp", "4 99\n10 5\n7 4\n4 3\n1 1\n", " --capacity 8"),
];

#[test]
fn info_knows_every_name_and_format() {
    let folder = TestFolder::new();
    for (source, kind, bits, rows, optimum) in [
        ("knapsack:100-1000", "knapsack", 100, 7, json!(5676)),
        ("knapsack:1000-10000", "knapsack", 1000, 10, json!(231_915)),
        ("mmdp:300", "mmdp", 300, 9, json!(50)),
        ("onemax:100", "onemax", 100, 7, json!(100)),
        ("sample:backpack", "knapsack", 8, 3, json!(57)),
    ] {
        let json = folder.run(&format!("info {source} --json")).json();
        assert_eq!((&json["problem"], &json["kind"], &json["bits"]), (&json!("systolic"), &json!(kind), &json!(bits)));
        assert_eq!((&json["rows"], &json["cells"]), (&json!(rows), &json!(rows * bits)), "{source}");
        assert_eq!(json["optimum"], optimum, "{source}");
        assert_eq!(json["file_hash"].as_str().unwrap().len(), 64);
    }
    for (name, text, options) in FOUR_ITEMS {
        folder.write(name, text);
        let answer = folder.done(&format!("info {name}{options} --json"));
        let json = answer.json();
        let found = ["bits", "capacity", "total_profit", "total_weight", "optimum"].map(|key| json[key].as_u64());
        assert_eq!(found, [4, 8, 22, 13, 14].map(Some), "{name}");
    }
    folder.write("pairs.txt", "40\t6\n30\t2\n20\t1\n10\t1\n");
    let json = folder.run("info pairs.txt --weight 0.2 --json").json();
    assert_eq!((&json["kind"], &json["weight"], &json["total_cost"]), (&json!("nrp"), &json!(0.2), &json!(100)));
    assert_eq!(json["best_for_weights"][10], json!({ "weight": 1.0, "cost": 100, "value": 10.0 }));
    assert_eq!(json.get(""), None, "facts for people only are none for scripts");
    let drawn = folder.run("info nrp:20-40 --json").json();
    assert!(drawn["warnings"][0].as_str().unwrap().contains("never published"));
    assert!(folder.run("info knapsack:100-1000").text.contains("profit 5\u{2009}676, weight 983 of 1\u{2009}001"));
}

#[test]
fn the_iteration_of_the_best_is_a_number_for_scripts() {
    let folder = TestFolder::new();
    let json = folder.run("solve onemax:24 --backend cpu --json").json();
    let iteration = json["iteration_of_best"].as_u64().unwrap();
    let told = format!("found in iteration {iteration} of ");
    assert!(json["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().starts_with(&told)), "{json}");
}

#[test]
fn bad_problems_are_refused_with_file_and_line() {
    let folder = TestFolder::new();
    let files = [
        ("a.csv", "item,profit,weight\nA,1,2\nB,1,2\nC,1,2\nD,1,2\n", "", &["a.csv: ", "--capacity 4"][..]),
        (
            "b.csv",
            "# capacity: 9\nitem,profit,weight\nA,1,heavy\nB,-1,2.5\nA,1,2\n",
            "",
            &["b.csv:3: ", "«heavy»", "b.csv:4: ", "negative", "no fractions"],
        ),
        ("c.csv", "# capacity: 1\nitem,profit,weight\nA,1,2\nB,1,2\nC,1,2\nD,1,2\n", "", &["c.csv: no item fits"]),
        ("d.csv", "# capacity: 9\nitem,profit,weight\nA,1,2\n", "", &["d.csv: 1 item; ", "at least 4"]),
        ("e.csv", "# capacity: 9\nitem,profit,weight\nA,1,2\nB,1,2\nB,3,3\nC,1,2\n", "", &["items 2 and 3", "«B»"]),
        ("f.kp", "4 8\n10 5\n7\n4 3\n1 1\n", "", &["f.kp:3: 1 number where profit and weight of item 2"]),
        ("f.txt", "4 8\n10 5.5\n7 4\n4 3\n1 1\n", "", &["f.txt:2: the weight of item 1", "no fractions"]),
        ("g.txt", "1\n4\n4 6 1 3\n1\n1 2\n0\n", "", &["g.txt:4: 1 of its requirements depend"]),
        ("h.csv", "requirement,cost,value\nA,1,2\nB,1,2\nC,1,2\nD,1,2\n", "--capacity 3", &["no capacity"]),
        ("i.csv", "# capacity: 9\nprofit,weight\n1,2\n1,2\n1,2\n1,2\n", "--weight 0.3", &["only a next release"]),
        ("j.csv", "# capacity: 9\nprofit,weight\n1,2\n1,2\n1,2\n1,2\n", "--objective makespan", &["for flow shops"]),
        ("k.csv", "job,Saw\nDesk,4\n", "--weight 0.3", &["--weight is for binary problems", "a flow shop"]),
        ("l.txt", "hello\n", "--capacity 3", &["l.txt: this is no binary problem", "profit and weight"]),
        ("m.txt", "hello\n", "", &["m.txt: ", "“profit” and “weight”"]),
    ];
    folder.refuses_files(files, &["info FILE", "solve FILE --out r.ron --export s.csv"]);
    folder.refuses_each([
        ("info knapsack:100", "knapsack:1000-1000"),
        ("info mmdp:301", "choose 300 or 306"),
        ("info onemax:2", "4 to 10000"),
        ("info onemax:100 --weight 0.3", "only a next release problem has a weight"),
        ("info knapsack:100-1000 --capacity 30", "its own capacity"),
        ("info sample:moon", "backpack, release (binary problems)"),
        ("info sample:backpack --periods 3", "--periods is for examination sessions"),
        ("solve onemax:20 --algorithm greedy", "sgs-b"),
        ("solve onemax:20 --set wrong=3", "wrong"),
        ("solve onemax:20 --export front.csv", "next release problem"),
    ]);
}

#[test]
fn solutions_are_checked_compared_and_written() {
    let folder = TestFolder::new();
    folder.write("p.csv", FOUR_ITEMS[0].1);
    folder.write("best.sol", "1010\n");
    folder.write("names.txt", "A\nD\n");
    folder.write("heavy.csv", "item,taken\nA,1\nB,1\n");
    let best = folder.done("verify p.csv best.sol --json");
    let json = best.json();
    assert_eq!((&json["cost"], &json["cost_display"], &json["feasible"]), (&json!(-14), &json!(14), &json!(true)));
    let figures = ["profit", "weight", "ones", "optimum"].map(|key| json[key].as_u64());
    assert_eq!(figures, [14, 8, 2, 14].map(Some));
    let heavy = folder.run("verify p.csv heavy.csv --json");
    assert_eq!((heavy.code, &heavy.json()["cost_display"]), (1, &json!(9)));
    assert_eq!(heavy.json()["violations"][0]["kind"], "overweight");
    assert!(folder.run("verify p.csv names.txt").text.contains("14, 3 more"));
    let compared = folder.run("compare p.csv names.txt best.sol --json").json();
    assert_eq!((&compared["a"]["only"], &compared["b"]["only"]), (&json!(["D"]), &json!(["C"])));
    for (target, begins) in [
        ("t.csv", "item,profit,weight,taken\nA,10,5,1\nB,7,4,0\n"),
        ("t.ron", "("),
        ("t.sol", "1010\n"),
        ("t.svg", "<svg"),
        ("operators.svg", "<svg"),
    ] {
        folder.done(&format!("export p.csv best.sol --to {target}"));
        assert!(std::fs::read_to_string(folder.path(target)).unwrap().starts_with(begins), "{target}");
        if ["t.csv", "t.ron", "t.sol"].contains(&target) {
            assert_eq!(folder.run(&format!("verify p.csv {target} --json")).json()["cost"], -14, "{target}");
        }
    }
    let stamped = folder.run("export p.csv heavy.csv --to x.svg");
    assert!(stamped.code == 1 && stamped.errors.contains("Not feasible"), "{}", stamped.errors);
    assert!(std::fs::read_to_string(folder.path("x.svg")).unwrap().contains("Not feasible"));
    folder.refuses_each([
        ("export p.csv best.sol --to x.gif", "--out RESULT.ron"),
        ("export p.csv best.sol --to front.csv", "next release problem"),
        (
            "export p.csv best.sol --to x.ics",
            "choose one of csv, pdf, png, svg, operators.png, operators.svg, ron, sol",
        ),
        ("verify sample:backpack best.sol", "4 bits, but backpack has 8"),
        ("verify p.csv best.sol --counted-from 0", "--counted-from"),
        ("verify taillard:ta001 t.ron", "t.ron"),
    ]);
}

/// Nothing costs 0; with everything, w = 1 leaves nothing out.
#[test]
fn releases_have_a_front() {
    let folder = TestFolder::new();
    assert_eq!(folder.run("solve sample:release --weight 1 --out r.ron --export front.csv --quiet").code, 0);
    let table = std::fs::read_to_string(folder.path("front.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines[0], lines[1]), ("cost,value,best for weight,bits", "0,0,0,000000000000"));
    assert!(lines.last().unwrap().starts_with("1200,86,"), "{table}");
    // The weight of then is in the result: it need not be said again.
    let verified = folder.run("verify sample:release r.ron --json").json();
    assert_eq!((&verified["weight"], &verified["cost"]), (&json!(1.0), &json!(0)));
    assert_eq!(folder.run("verify sample:release r.ron --weight 0 --json").json()["cost"], 1);
}

#[test]
fn runs_are_solved_replayed_and_filmed() {
    let folder = TestFolder::new();
    let line = "solve knapsack:100-1000 --out r.ron --export film.gif --export grid.png --export taken.csv --json";
    let answer = folder.done(line);
    let json = answer.json();
    assert_eq!((&json["algorithm"], &json["generations"]), (&json!("sgs-b"), &json!(700)), "as long as the paper");
    assert_eq!((&json["cost_display"], &json["profit"], &json["checked"]), (&json!(5676), &json!(5676), &json!(true)));
    let film = std::fs::read(folder.path("film.gif")).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.len() > 10_000);
    assert!(std::fs::read(folder.path("grid.png")).unwrap().starts_with(b"\x89PNG"));
    let replayed = folder.run("replay r.ron --threads 1 --json").json();
    assert_eq!((&replayed["equal"], &replayed["cost_equal"]), (&json!(true), &json!(true)));
    assert_eq!(folder.run("verify knapsack:100-1000 r.ron --json").json()["cost"], -5676);
    assert_eq!(folder.run("export knapsack:100-1000 r.ron --to again.gif").code, 0);
    assert_eq!(std::fs::read(folder.path("again.gif")).unwrap(), film, "the same run, the same film");
    let stopped = folder.run("solve knapsack:100-1000 --target 5000 --json").json();
    assert!(stopped["cost_display"].as_u64().unwrap() >= 5000 && stopped["stop_reason"] == "target");
    for algorithm in ["sgs-v", "sgs-e", "sgs-t", "sga", "ega", "random"] {
        let json = folder.run(&format!("solve onemax:20 --algorithm {algorithm} --json")).json();
        assert_eq!((&json["algorithm"], &json["checked"]), (&json!(algorithm), &json!(true)));
    }
}

/// The rules of the grid are parameters like others: named, checked, recorded, and repeated by a replay.
#[test]
fn rules_of_the_grid_are_set_by_name() {
    let folder = TestFolder::new();
    let rules = "--set rows=3 --set segment=one-point --set mutation=neighbours --set start=opposites";
    let json = folder.run(&format!("solve onemax:20 {rules} --out r.ron --json")).json();
    let parameters = &json["parameters"];
    assert_eq!((&parameters["rows"], &parameters["segment"]), (&json!(3), &json!("one-point")));
    assert_eq!((&parameters["mutation"], &parameters["start"]), (&json!("neighbours"), &json!("opposites")));
    assert_eq!(json["generations"], 60, "one iteration for each of 3 × 20 cells");
    let replayed = folder.run("replay r.ron --threads 1 --json").json();
    assert_eq!(replayed["equal"], json!(true));
    folder.refuses_each([
        ("solve onemax:20 --set rows=17", "a whole number from 0 to 16"),
        ("solve onemax:20 --set segment=circle", "one of published, one-point, share, single-bit"),
        ("solve onemax:20 --set mutation=2", "one of published, multiples-of-six, neighbours, column"),
        ("solve onemax:20 --set start=ones", "one of random, copies, zeros, opposites, alternating"),
        ("solve onemax:20 --set columns=3", "there are iterations, rows, segment, mutation, start"),
    ]);
    folder.refuses("solve onemax:20 --algorithm random --set rows=3", &["there are iterations"]);
}

#[test]
fn problems_are_made_from_a_seed() {
    let folder = TestFolder::new();
    for (line, kind, bits) in [
        ("generate knapsack --items 50 --range 100 --out k.csv", "knapsack", 50),
        ("generate knapsack --seed 500 --out k.txt", "knapsack", 100),
        ("generate nrp --customers 5 --requirements 30 --seed 2 --out n.csv", "nrp", 30),
        ("generate mmdp --bits 60 --out m.ron", "mmdp", 60),
        ("generate onemax --bits 40 --out o.ron", "onemax", 40),
    ] {
        let answer = folder.done(line);
        let json = folder.run(&format!("info {} --json", answer.text.trim())).json();
        assert_eq!((&json["kind"], &json["bits"]), (&json!(kind), &json!(bits)), "{line}");
        assert_ne!(json["optimum"], Value::Null, "{line}");
        assert!(folder.refused(line).errors.contains("not overwritten"));
    }
    folder.refuses_each([
        ("generate knapsack --items 3 --out x.csv", "4 to 10000"),
        ("generate knapsack --seed 0 --out x.csv", "1 to 1000"),
        ("generate mmdp --bits 61 --out x.ron", "60 or 66"),
        ("generate onemax --out x.csv", ".ron"),
        ("generate nrp --out x.pdf", ".csv"),
    ]);
}
