//! Columns of orders: quantities, priorities, customers, remarks.

use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::csv;
use gridwright_flowshop::{Instance, Objective, Schedule};

use super::{assert_says, complaint, exported, load};

const ORDERS: &str = "Auftragsliste KW 49;;;;;;;\n\nAuftrag;Kunde;Menge;Priorität (1 = höchste);Termin;Säge (min/Stk);Lack (min);Artikel-Nr.\n\
                      FA-1;Meyer;10;1;20;3;5;4711\nFA-2;Schulz;4;3;30;2;8;4712\nSumme;;14;;;5;13;\n";

/// FA-1 takes 10 × 3 and 5, FA-2 takes 4 × 2 and 8. In this order FA-1 is done at 35, 15 late with weight 3, and FA-2 at 46, 16 late.
#[test]
fn pieces_are_multiplied_and_priorities_weigh() {
    let instance = load("a.csv", ORDERS);
    assert_eq!((&instance.times[..], instance.time_unit()), (&[30, 5, 8, 8][..], "min"));
    assert_eq!([0, 1].map(|job| (instance.jobs[job].quantity, instance.weight(job))), [(Some(10), 3), (Some(4), 1)]);
    let verdict = check(&instance, &[0, 1]);
    assert_eq!((verdict.tardiness, verdict.tardy), (Some(3 * 15 + 16), Some(2)));
    assert_eq!(Schedule::new(&instance, &[0, 1]).value(&instance, Objective::Tardiness), 61);
    assert_eq!(instance.carried.headings, ["Customer", "Artikel-Nr."]);
    assert_says(
        &instance.remarks().collect::<Vec<_>>().join("\n"),
        &[
            "«Artikel-Nr.» is carried along and not planned",
            "left out: line 6 («Summe»)",
            "from 1 to 3, rank 1 has weight 3",
        ],
    );
    let again = load("b.csv", &csv::write(&instance));
    assert_eq!(
        (&again.jobs, &again.times, &again.machines, &again.carried),
        (&instance.jobs, &instance.times, &instance.machines, &instance.carried)
    );
}

#[test]
fn what_a_column_does_not_say_is_asked_for() {
    let says = |heading: &str| load("a.csv", &format!("job,due,{heading},Saw\nA,5,2,3\nB,5,1,3\n"));
    let instance = says("priority");
    assert_says(&instance.warnings.join("\n"), &["«priority» is carried along", "«priority (1 = most urgent)»"]);
    assert_eq!((instance.weight(0), instance.carried.row(0)), (1, &["2".to_owned()][..]));
    assert_says(&says("Gewicht (kg)").warnings.join("\n"), &["«Gewicht (kg)» is carried along", "has a unit"]);
    assert_eq!([0, 1].map(|job| says("priority (1 = least urgent)").weight(job)), [2, 1]);
    assert_eq!([0, 1].map(|job| says("rank").weight(job)), [1, 2]);
    let pieces = says("Menge");
    assert_eq!((&pieces.times[..], pieces.jobs[0].quantity), (&[3, 3][..], None));
    assert_says(&pieces.warnings.join("\n"), &["«Menge»: times are those of whole jobs", "«Saw (min/piece)»"]);
}

#[test]
fn wrong_quantities_and_weights_are_named_by_line() {
    for (text, pieces) in [
        (
            "job,Menge,Saw (min/piece)\nA,3,2\nB,,2\n",
            &["a.csv:3: ", "«Saw (min/piece)»", "the quantity is missing"][..],
        ),
        ("job,Menge,Saw (min/piece)\nA,0,2\n", &["a.csv:2: the quantity of job «A»: 0 is less than 1"]),
        ("job,Menge,Saw (min/piece)\nA,70000,70000\n", &["a.csv:2: ", "coarser unit"]),
        ("job,weight,Saw\nA,0,2\n", &["a.csv:2: the weight of job «A»"]),
        ("job,weight,Saw\nA,1001,2\n", &["a.csv:2: the weight of job «A»", "1000"]),
        ("job,weight,rank,Saw\nA,1,1,2\n", &["a.csv:1: «weight» and «rank» both state priorities"]),
        ("job,Saw (min/piece)\nA,2\n", &["the quantity is missing"]),
    ] {
        assert_says(&complaint("a.csv", text), pieces);
    }
}

/// A takes 12 × 1.3 = 15.6, B 4 × 2 on Saw; Paint has whole times of one piece, and Pack hours.
#[test]
fn decimal_times_of_one_piece_are_multiplied_and_rounded() {
    let text = "job,Menge,Saw (min/Stk),Paint (min/Stk),Pack (min)\nA,12,\"1,3\",2,5\nB,4,2,3,6\nC,3,\"0,5\",1,7\n";
    let instance = load("a.csv", text);
    assert_eq!(instance.times, [16, 24, 5, 8, 12, 6, 2, 3, 7], "1.5 is rounded up");
    assert_eq!(instance.machines, ["Saw (min/job)", "Paint (min/piece)", "Pack (min)"]);
    assert_says(
        &instance.warnings.join("\n"),
        &["«Saw (min/Stk)»", "2 products were rounded", "halves up (job «A»: 12 × 1.3 = 15.6 is taken as 16)"],
    );
    let hours = load("a.csv", "job,Menge,Saw (h/Stk)\nA,50,0.01\nB,3,1\n");
    assert_eq!((&hours.times[..], hours.machines[0].as_str()), (&[30, 180][..], "Saw (min/job)"));
    assert!(!hours.remarks().any(|remark| remark.contains("not multiplied")), "they were");
    assert_says(&hours.warnings.join("\n"), &["all products are whole"]);
    assert_says(&complaint("a.csv", "job,Menge,Saw (min/Stk)\nA,,1.5\nB,2,1\n"), &["a.csv:2: ", "quantity is missing"]);
    assert_says(&complaint("a.csv", "job,Saw (min/Stk)\nA,1.5\n"), &["a.csv:2: "]);
    assert_says(&complaint("a.csv", "job,Menge,Saw (min)\nA,2,1.5\n"), &["no whole number of minutes"]);
}

/// Hours and minutes are never added as if they were one unit: a column between them that states none is refused.
#[test]
fn times_in_several_units_need_a_unit_in_every_heading() {
    let error = complaint("a.csv", "job;Termin;Saw (h);Paint (min)\nA;10;2;30\nB;20;1;40\n");
    assert_says(&error, &["a.csv:1: «Termin» states no unit of time", "such as «Termin (min)»"]);
    let error = complaint("a.csv", "job;Saw (h);Paint (min);Pack\nA;2;30;5\n");
    assert_says(&error, &["a.csv:1: «Pack» states no unit of time"]);
    let instance = load("a.csv", "job;Termin (d);Saw (h);Paint (min)\nA;1;2;30\nB;2;1;40\n");
    assert_eq!((&instance.times[..], instance.jobs[0].due), (&[120, 30, 60, 40][..], Some(1_440)));
    let error = complaint("a.csv", "job;Saw (h);Paint (min)\nA;2;30\nB;30 min;soon\n");
    assert_says(&error, &["a.csv:3: ", "«30 min» is in another unit"]);
    // Ready times and transports are in the unit that the times of jobs have now.
    let machines =
        |name: &str| format!("job,Saw (h),Paint (min)\nA,2,30\nB,1,40\n\nmachine,ready,transport\n{name},1,7\n");
    assert_says(
        &complaint("a.csv", &machines("Saw (h)")),
        &["a.csv:6: ", "«Saw (h)» is «Saw (min)» in the table of jobs"],
    );
    assert_eq!(load("a.csv", &machines("Saw (min)")).times, [120, 30, 60, 40]);
}

/// A heading can state that its times are those of whole jobs, so that nothing is left to remark.
#[test]
fn times_of_whole_jobs_can_be_stated() {
    let remarks = |heading: &str| {
        let instance = load("a.csv", &format!("job,Menge,{heading}\nA,12,4\nB,2,3\n"));
        assert_eq!(instance.times, [4, 3]);
        instance
            .remarks()
            .chain(instance.warnings.iter().map(String::as_str))
            .filter(|told| told.contains("multiplied"))
            .count()
    };
    assert!(remarks("Saw (min)") > 0);
    assert_eq!(["Saw (min/job)", "Saw (h je Auftrag)"].map(remarks), [0, 0]);
}

/// Every table that leaves the program names customer and article.
#[test]
fn carried_texts_stand_in_every_table() {
    let instance: Instance = load("a.csv", ORDERS);
    let schedule = Schedule::new(&instance, &[1, 0]);
    let table = String::from_utf8(exported(&instance, &schedule, "csv").unwrap()).unwrap();
    assert_says(
        &table,
        &["job,machine,start,end,quantity,rank,Customer,Artikel-Nr.\n", "FA-1,Lack (min),38,43,10,1,Meyer,4711\n"],
    );
    use calamine::Reader;
    let bytes = exported(&instance, &schedule, "xlsx").unwrap();
    let mut book = calamine::Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
    for sheet in ["Jobs", "Machines"] {
        let cells: Vec<String> =
            book.worksheet_range(sheet).unwrap().rows().flatten().map(ToString::to_string).collect();
        for text in ["Quantity", "Customer", "Artikel-Nr.", "Meyer", "4712"] {
            assert!(cells.iter().any(|cell| cell == text), "{sheet}: {text}");
        }
    }
}
