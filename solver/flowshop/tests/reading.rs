//! Content of files of each format, and messages about bad ones.

use std::path::Path;

use gridwright_core::{files, registry};
use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::{self, LoadOptions, Orientation};
use gridwright_flowshop::{Instance, Objective, Schedule, library};

use super::{assert_says, complaint, complaint_with, load, load_with};

const JOB_ROWS: LoadOptions = LoadOptions { orientation: Some(Orientation::Jobs), number: None, plan_start: None };
const MACHINE_ROWS: LoadOptions =
    LoadOptions { orientation: Some(Orientation::Machines), number: None, plan_start: None };

/// Job 1 takes 3, 2 and 5; job 2 takes 1, 4 and 6.
const TIMES: [u32; 6] = [3, 2, 5, 1, 4, 6];

#[track_caller]
fn assert_two_jobs(instance: &Instance) {
    assert_eq!((instance.job_count(), instance.machine_count()), (2, 3));
    assert_eq!(instance.times, TIMES);
    assert_eq!(instance.jobs[1].name, "J2");
    assert_eq!(instance.machines, ["M1", "M2", "M3"]);
    assert!(instance.warnings.is_empty(), "{:?}", instance.warnings);
}

#[test]
fn rows_are_machines_unless_a_person_says_otherwise() {
    for text in ["2 3\n3 1\n2 4\n5 6\n", "\n  2\t3 \r\n\r\n 3 1\r\n2 4 \r\n5 6", "\u{feff}2 3\n3 1\n2 4\n5 6\n"] {
        let instance = load("shop.txt", text);
        assert_two_jobs(&instance);
        assert_eq!((instance.name.as_str(), instance.hash), ("shop", files::hash(&[text.as_bytes()])));
    }
    assert_two_jobs(&load_with("shop.txt", "2 3\n3 2 5\n1 4 6\n", &JOB_ROWS).unwrap());
    assert_two_jobs(&load_with("shop.txt", "2 3\n3 1\n2 4\n5 6\n", &MACHINE_ROWS).unwrap());
}

#[test]
fn pairs_name_their_machines_from_0_or_from_1() {
    for text in ["2 3\n0 3 1 2 2 5\n0 1 1 4 2 6\n", "2 3\n1 3 2 2 3 5\n1 1 2 4 3 6\n"] {
        assert_two_jobs(&load("shop.txt", text));
        assert_two_jobs(&load_with("shop.txt", text, &JOB_ROWS).unwrap());
    }
    // Four jobs on two machines: rows of machines and rows of pairs are equally long.
    let pairs = load("shop.txt", "4 2\n0 1 1 2\n0 3 1 4\n0 5 1 6\n0 7 1 8\n");
    assert_eq!(pairs.times, [1, 2, 3, 4, 5, 6, 7, 8]);
    let machines = load("shop.txt", "4 2\n0 1 1 2\n0 3 1 4\n");
    assert_eq!(machines.times, [0, 0, 1, 3, 1, 1, 2, 4]);
    let message = complaint("shop.txt", "2 3\n0 3 1 2 2 5\n1 1 0 4 2 6\n");
    assert_says(&message, &["shop.txt:3: ", "machine «1» where 0 was expected", "same order"]);
}

#[test]
fn transposed_files_are_named_as_such() {
    let message = complaint("shop.txt", "2 3\n3 2 5\n1 4 6\n");
    assert_says(&message, &["shop.txt:2: line 1 says 2 jobs and 3 machines", "transposed", "job-rows", "exchange"]);
    let message = complaint_with("shop.txt", "2 3\n3 1\n2 4\n5 6\n", &JOB_ROWS);
    assert_says(&message, &["shop.txt:2: ", "transposed", "machine-rows"]);
    let message = complaint("shop.csv", "machine,J1,J2\nM1,3,1\n");
    assert_says(&message, &["shop.csv:1: ", "transposed", "Exchange rows and columns"]);
}

#[test]
fn a_square_is_not_guessed_but_remarked() {
    let square = load("shop.txt", "2 2\n3 1\n2 4\n");
    assert_eq!(square.times, [3, 2, 1, 4]);
    assert_says(&square.warnings[0], &["taken as a machine", "job-rows"]);
    let chosen = load_with("shop.txt", "2 2\n3 1\n2 4\n", &JOB_ROWS).unwrap();
    assert_eq!((chosen.times, chosen.warnings.len()), (vec![3, 1, 2, 4], 0));
}

#[test]
fn every_wrong_row_is_named() {
    let message = complaint("shop.txt", "2 3\n3 1 1\n2 -4\n5 x\n7 8\n");
    assert_says(
        &message,
        &[
            "shop.txt:2: 3 numbers in the row of machine 1 where 2 jobs",
            "shop.txt:3: the time of machine 2 and job 2: «-4» is negative",
            "shop.txt:4: the time of machine 3 and job 2: «x» is not a whole number",
            "shop.txt:5: line 1 says 2 jobs and 3 machines, so 3 rows",
            "remove 1 row",
        ],
    );
    assert_says(&complaint("shop.txt", "2 3\n3 1\n"), &["shop.txt:2: ", "there is 1 row; add the others"]);
    assert_says(&complaint("shop.txt", "2 3\n"), &["shop.txt:1: ", "there are 0 rows"]);
    assert_says(&complaint("shop.txt", "1 1\n2.5\n"), &["shop.txt:2: ", "not a whole number", "no fractions"]);
    assert_says(&complaint("shop.txt", "1 1\n2147483648\n"), &["too large; at most 2147483647"]);
}

#[test]
fn wrong_headers_say_what_was_expected() {
    for (text, pieces) in [
        ("", &["empty"][..]),
        (" \r\n\n", &["empty"]),
        ("3 1 4\n1 2 3\n", &["shop.txt:1: expected the number of jobs and the number of machines, found 3 numbers"]),
        ("0 3\n", &["shop.txt:1: 0 jobs"]),
        ("3 0\n", &["shop.txt:1: 0 machines"]),
        ("65536 1\n", &["65536 jobs; at most 65535"]),
        ("1 70000\n", &["70000 machines; at most 65535"]),
        ("-2 3\n", &["shop.txt:1: the number of jobs: «-2» is negative"]),
        ("99999999999999999999 3\n", &["too large"]),
        ("hello world\n1 2\n", &["shop.txt:1: «hello world» begins no flow shop", "job, due date"]),
        ("2 1\n2147483647 1\n", &["shop.txt: all processing times together are 2147483648; at most 2147483647"]),
        ("1\u{0}", &["zero byte"]),
    ] {
        assert_says(&complaint("shop.txt", text), pieces);
    }
    assert_says(&complaint("order.sol", "1 2"), &["order.sol: this is an order of jobs"]);
    assert_says(&complaint("run.ron", "()"), &["run.ron: this is a result or a schedule"]);
    let missing = formats::open("/no/such/shop.txt", &LoadOptions::default()).unwrap_err().to_string();
    assert_says(&missing, &["/no/such/shop.txt: there is no such file"]);
}

/// A file in Taillard's format whose second instance lacks a machine row.
const SEVERAL: &str = "number of jobs, number of machines, initial seed, upper bound and lower bound :
          2           3   873654221          17          15
processing times :
  3  1
  2  4
  5  6
number of jobs, number of machines, initial seed, upper bound and lower bound :
          2           3   379008056        1359        1290
processing times :
 26 38
 59 62
";

/// The column decides what points and commas mean; a number with two readings is refused with both.
#[test]
fn thousands_are_read_as_their_column_is_written() {
    let shop = load("a.csv", "job;due;Saw;Mill\nA;1.250.000;1.250,0;3\nB;2.000;12,0;1 400\n");
    assert_eq!(shop.times, [1250, 3, 12, 1400]);
    assert_eq!(shop.jobs.iter().map(|job| job.due).collect::<Vec<_>>(), [Some(1_250_000), Some(2000)]);
    let why = complaint("a.csv", "job;Saw\nA;1.250\nB;900\n");
    assert_says(&why, &["a.csv:2: ", "«1.250» is 1250 or 1.25", "write 1250 or 1.25"]);
    let why = complaint("a.csv", "job;Saw;Mill\nA;1.250;0.5\nB;900;3\n");
    assert_says(&why, &["on «Saw»: «1.250» is not a whole number", "on «Mill»: «0.5» is not a whole number"]);
}

#[test]
fn one_of_several_instances_is_chosen_by_number() {
    let numbered = |number| LoadOptions { number: Some(number), ..LoadOptions::default() };
    let first = load_with("tai.txt", SEVERAL, &numbered(1)).unwrap();
    assert_two_jobs(&first);
    assert_eq!(first.name, "tai-1");
    assert_eq!((first.best_known.makespan, first.best_known.makespan_lower), (Some(17), Some(15)));
    assert_says(&complaint("tai.txt", SEVERAL), &["tai.txt: there are 2 instances", "number, 1 to 2"]);
    assert_says(&complaint_with("tai.txt", SEVERAL, &numbered(3)), &["no instance number 3", "1 to 2"]);
    assert_says(&complaint_with("tai.txt", SEVERAL, &numbered(0)), &["no instance number 0"]);
    assert_says(&complaint_with("tai.txt", SEVERAL, &numbered(2)), &["tai.txt:11: line 8 says 2 jobs and 3 machines"]);
    let alone = load("tai.txt", &SEVERAL[..SEVERAL.rfind("number of jobs").unwrap()]);
    assert_eq!(alone.name, "tai");
    let message = complaint_with("shop.txt", "1 1\n5\n", &numbered(2));
    assert_says(&message, &["there is one instance in this file, so there is no number 2"]);
    let message = complaint("tai.txt", &SEVERAL.replace("        1359        1290", "").replace("number,", "number"));
    assert_says(&message, &["there are 2"]);
    let short = complaint_with("tai.txt", &SEVERAL.replace("        1359        1290", ""), &numbered(2));
    assert_says(&short, &["tai.txt:8: 3 numbers where the header above names 5: jobs, machines, seed, upper, lower"]);
}

#[test]
fn the_header_says_which_number_is_which() {
    let text = SEVERAL[..SEVERAL.rfind("number of jobs").unwrap()].replace(
        "number of jobs, number of machines, initial seed, upper bound and lower bound :\n          2           3",
        "number of machines, number of jobs, initial seed, upper bound and lower bound :\n          3           2",
    );
    assert_two_jobs(&load("tai.txt", &text));
}

/// The whole library against the published files, ten instances per file.
#[test]
fn files_of_ten_are_recognised_by_their_times() {
    let mut text = String::new();
    for entry in &library::entries()[20..30] {
        let made = library::taillard(&entry.name).unwrap();
        text.push_str("number of jobs, number of machines, initial seed, upper bound and lower bound :\n");
        text.push_str(&format!("{} {} {} 1 1\nprocessing times :\n", entry.jobs, entry.machines, entry.seed));
        text.push_str(formats::matrix::write(&made).split_once('\n').unwrap().1);
    }
    assert_says(&complaint("tai20_20.txt", &text), &["there are 10 instances", "1 to 10"]);
    let options = LoadOptions { number: Some(10), ..LoadOptions::default() };
    let read = load_with("tai20_20.txt", &text, &options).unwrap();
    let made = library::taillard("ta030").unwrap();
    assert_eq!((read.name.as_str(), read.best_known, read.times), ("ta030", made.best_known, made.times));
    assert!(read.warnings.is_empty() && read.jobs[0].due.is_none());
}

#[test]
fn tables_have_names_and_due_dates() {
    for text in [
        "job,due date,Saw,\"Mill, large\"\nDesk,20,3,2\nChair,30,1,4\n",
        "Saw;Job;\"Mill, large\";Due-Date\r\n3;Desk;2;20\r\n1;Chair;4;30\r\n;;;\r\n",
    ] {
        let instance = load("shop.csv", text);
        assert_eq!((instance.machines[0].as_str(), instance.machines[1].as_str()), ("Saw", "Mill, large"));
        assert_eq!((instance.jobs[0].name.as_str(), instance.jobs[1].due), ("Desk", Some(30)));
        assert_eq!(instance.times, [3, 2, 1, 4]);
    }
    let undated = load("shop.txt", "Job\tA\tDue\n1\t5\t\n2\t6\t\n");
    assert!(!undated.has_due_dates() && undated.warnings.is_empty());
    assert_eq!(undated.machines, ["A"]);
    let (bytes, _) = (b"job,S\xe4ge\nStuhl,4\n", ());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), bytes).unwrap();
    let western = formats::load(&folder.path().join("a.csv"), &LoadOptions::default()).unwrap();
    assert_eq!((western.machines[0].as_str(), western.warnings.len()), ("Säge", 1));
}

#[test]
fn wrong_tables_name_every_line() {
    let message = complaint("shop.csv", "job,due,A,B\nX,5,1,2\nY,,1,2\nX,5,1,2\n,5,1,2\nZ,-5,,2\nW,9,1.5,2\nV,9,1\n");
    assert_says(
        &message,
        &[
            "shop.csv:4: job «X» is there already, in line 2",
            "shop.csv:5: the job's name is missing",
            "shop.csv:6: the due date of job «Z»: «-5» is negative",
            "shop.csv:7: the time of job «W» on «A»: «1.5» is not a whole number",
            "shop.csv:8: 3 columns where the header has 4",
            "shop.csv:3: the due date of job «Y» is missing; add it, or remove all",
        ],
    );
    for (text, pieces) in [
        ("job\nX\n", &["shop.csv:1: the header names no machine"][..]),
        ("task,A\nX,1\n", &["shop.csv:1: the header names no column «job»"]),
        ("job,A\n", &["shop.csv: there is no job below the header"]),
        ("job,A,A\nX,1,2\n", &["shop.csv: machines 1 and 2 are both called «A»"]),
        ("job,A,\nX,1,2\n", &["shop.csv:2: «2» stands in column 3, which has no name"]),
        ("job,machine,start,end\nX,A,0,1\n", &["shop.csv:1: this is a schedule"]),
        ("1,2,3\n", &["names no column «job»"]),
    ] {
        assert_says(&complaint("shop.csv", text), pieces);
    }
    assert_eq!(load("shop.csv", "job,release,A\nX,0,1\n").machines, ["A"]);
    let late = load("shop.csv", "Auftrag;Bereit ab;Säge\nX;3;1\n");
    assert_eq!(late.jobs[0].release, 3);
    let message = complaint_with("shop.csv", "job,A\nX,1\n", &MACHINE_ROWS);
    assert_says(&message, &["rows by jobs; leave the orientation out"]);
}

#[test]
fn columns_that_are_no_machines_are_named_and_not_used() {
    let message = complaint("shop.csv", "job,due,Setup time (min),Arrival 2,Saw\nX,5,1,2,5\n");
    assert_says(
        &message,
        &[
            "shop.csv:1: ",
            "«Setup time (min)», «Arrival 2» are no machines",
            "«text: Setup time (min)»",
            "«machine: Setup time (min)»",
        ],
    );
    assert_eq!(load("shop.csv", "job,Saw,remark\nX,1,3rd floor\n").carried.row(0), ["3rd floor"]);
    let kept = load("shop.csv", "job,due date,Weigh,M2,Line 3,machine: setup\nX,5,1,2,3,4\n");
    assert_eq!(kept.machines, ["Weigh", "M2", "Line 3", "setup"]);
}

#[test]
fn columns_of_texts_are_carried_along() {
    let text =
        "Auftrag;Kunde;Säge;Farbe;Bohrer;Bemerkung;Preis;\nX;Meyer & Co;1;rot;2;eilig;;ruft an\nY;;3;blau;4;;;\n";
    let instance = load("shop.csv", text);
    assert_eq!((instance.machines.join(" "), instance.times), ("Säge Bohrer".to_owned(), vec![1, 2, 3, 4]));
    assert_eq!(instance.carried.headings, ["Customer", "Remark", "Farbe", "Column 8"]);
    assert_eq!(instance.carried.cells, ["Meyer & Co", "eilig", "rot", "ruft an", "", "", "blau", ""]);
    assert_eq!(instance.warnings, [""; 0]);
    // One number makes a column a machine, and so does an empty column whose heading may name one.
    let message = complaint("shop.csv", "job,Saw,Mill,Drill\nX,1,soon,\nY,2,3,\n");
    assert_says(&message, &["the time of job «X» on «Mill»", "shop.csv:1: no job has a time on «Drill»"]);
    for (cells, found) in [("Mill\nX,1,ca. 3\n", "«ca. 3»"), ("machine: Mill\nX,1,soon\n", "«soon»")] {
        let message = complaint("shop.csv", &format!("job,Saw,{cells}"));
        assert_says(&message, &["the time of job «X» on «Mill»", found]);
    }
    assert_eq!(load("shop.csv", "job,Saw,remark\nX,1,until 3 May\n").machines, ["Saw"]);
    // Where nothing else is left, texts are reported.
    assert_says(&complaint("shop.csv", "job,Saw\nX,x\n"), &["shop.csv:2: the time of job «X» on «Saw»"]);
}

#[test]
fn titles_and_totals_are_no_jobs() {
    let text = "Production plan;;;\nWeek 12;;;\n\nOrder;Due date;Saw;Mill\nDesk;20;3;2\nChair;30;1;4\nSumme;;4;6\n";
    let instance = load("shop.csv", text);
    assert_eq!(instance.jobs.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["Desk", "Chair"]);
    assert_eq!((instance.times, instance.machines), (vec![3, 2, 1, 4], vec!["Saw".to_owned(), "Mill".to_owned()]));
    assert_says(
        &instance.warnings.join("\n"),
        &[
            "lines above the header were left out: line 1 («Production plan»), line 2 («Week 12»)",
            "left out: line 7 («Summe»)",
        ],
    );
    assert_eq!(load("shop.csv", "job,Saw\nDesk,3\nJob: Total,7\n").jobs[1].name, "Total");
    assert_says(&complaint("shop.csv", "job,Saw\nTotal,7\n"), &["shop.csv: there is no job below the header"]);
}

#[test]
fn jobs_and_machines_in_two_spellings_are_told() {
    let instance = load("shop.csv", "job,Saw\nA-18,3\nB-2,4\na-18,5\n");
    assert_eq!(instance.jobs.len(), 3);
    assert_says(&instance.warnings.join("\n"), &["shop.csv: 1 pair of job names differs", "«A-18» and «a-18»; delete"]);
    assert!(load("shop.csv", "job,Saw\nA-1-1,3\nA-11,4\n").warnings.is_empty());
    let instance = load("shop.csv", "job,Saw 1,Mill,saw-1\nA,3,1,2\n");
    assert_eq!(instance.machines.len(), 3);
    let text = instance.warnings.join("\n");
    assert_says(&text, &["shop.csv: 1 pair of machine names differs", "«Saw 1» and «saw-1»; leave out a column"]);
}

#[test]
fn sheets_of_workbooks_are_tables_of_jobs() {
    let mut book = rust_xlsxwriter::Workbook::new();
    book.add_worksheet().set_name("Notes").unwrap().write_string(0, 0, "hello").unwrap();
    let sheet = book.add_worksheet().set_name("March 1.").unwrap();
    for (column, name) in ["Order", "Due", "Saw", "Mill"].into_iter().enumerate() {
        sheet.write_string(1, column as u16, name).unwrap();
    }
    for (row, (name, numbers)) in [("Desk", [45_000, 3, 2]), ("Chair", [45_001, 1, 4])].into_iter().enumerate() {
        sheet.write_string(row as u32 + 2, 0, name).unwrap();
        for (column, number) in numbers.into_iter().enumerate() {
            sheet.write_number(row as u32 + 2, column as u16 + 1, f64::from(number)).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.xlsx");
    std::fs::write(&path, book.save_to_buffer().unwrap()).unwrap();
    let source = path.to_str().unwrap();
    registry::register(&[&gridwright_flowshop::problem::FlowShop]);
    assert_eq!(registry::detect(source).map(|claim| claim.0.id()), Some("flowshop"));
    let instance = formats::open(source, &LoadOptions::default()).unwrap();
    assert_eq!((instance.name.as_str(), instance.times.as_slice()), ("shop", &[3, 2, 1, 4][..]));
    assert_eq!((instance.jobs[1].name.as_str(), instance.jobs[1].due), ("Chair", Some(45_001)));
    assert_says(&instance.warnings[0], &["dates of a calendar", "unit of the processing times"]);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(instance.hash, files::hash(&[&bytes]));
    let sheet = book.add_worksheet().set_name("April").unwrap();
    for (row, cells) in [["job", "Saw"], ["Shelf", "9"]].into_iter().enumerate() {
        cells.iter().enumerate().for_each(|(column, cell)| drop(sheet.write_string(row as u32, column as u16, *cell)));
    }
    std::fs::write(&path, book.save_to_buffer().unwrap()).unwrap();
    let error = formats::open(source, &LoadOptions::default()).unwrap_err().to_string();
    assert_says(&error, &["shop.xlsx: ", "is 2: shop.xlsx:March 1., shop.xlsx:April", "choose one with its number"]);
    let second = formats::open(source, &LoadOptions { number: Some(2), ..LoadOptions::default() }).unwrap();
    assert_eq!(second.times, [9]);
    let error =
        formats::open(source, &LoadOptions { number: Some(3), ..LoadOptions::default() }).unwrap_err().to_string();
    assert_says(&error, &["is 2: "]);
}

#[test]
fn jobs_with_due_dates_follow_each_other() {
    let text = "2\n3\n77\n0\n20\n3 2 5 \n1\n30\n1 4 6 \n";
    let instance = load("mo.txt", text);
    assert_two_jobs(&Instance { jobs: load("a.txt", "2 3\n3 1\n2 4\n5 6\n").jobs, ..instance.clone() });
    assert_eq!(instance.jobs.iter().map(|job| job.due).collect::<Vec<_>>(), [Some(20), Some(30)]);
    for (from, to, pieces) in [
        ("\n1\n30", "\n2\n30", &["mo.txt:7: «2» where job 1 begins"][..]),
        ("3 2 5", "3 2", &["mo.txt:6: 2 numbers in the row of job 0 where 3 machines"]),
        ("3 2 5", "3 2 x", &["mo.txt:6: the time of job 0 on machine 3: «x» is not a whole number"]),
        ("\n20\n", "\n-20\n", &["mo.txt:5: the due date of job 0: «-20» is negative"]),
        ("1 4 6 \n", "", &["mo.txt:8: the file ends after 1 job where 2 were announced"]),
        ("1 4 6 \n", "1 4 6\n2\n", &["mo.txt:10: 2 jobs were announced, but the file goes on"]),
        ("2\n3\n77\n", "2\n0\n77\n", &["mo.txt:2: 0 machines"]),
        ("\n77\n", "\nx77\n", &["mo.txt:3: the seed: «x77» is not a whole number"]),
        ("\n20\n3", "\n3", &["mo.txt:5: the due date of job 0: one number was expected, found 3"]),
    ] {
        assert!(text.contains(from));
        assert_says(&complaint("mo.txt", &text.replacen(from, to, 1)), pieces);
    }
}

#[test]
fn names_are_opened_without_a_file() {
    let open = |source: &str| formats::open(source, &LoadOptions::default());
    assert_eq!(open("taillard:ta051").unwrap(), library::taillard("ta051").unwrap());
    let workshop = open("sample:workshop").unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/flowshop/workshop.csv");
    let loaded = formats::load(&shipped, &LoadOptions::default()).unwrap();
    assert!(workshop.warnings[0].contains("invented"));
    assert_eq!(Instance { warnings: Vec::new(), ..workshop }, loaded);
    assert_says(&open("sample:castle").unwrap_err().to_string(), &["«castle»", "workshop"]);
    let error = formats::open("taillard:ta001", &JOB_ROWS).unwrap_err().to_string();
    assert_says(&error, &["taillard:ta001 is no file"]);
    assert_says(&open("taillard:ta000").unwrap_err().to_string(), &["«ta000»", "ta001 to ta120"]);
}

#[test]
fn instances_are_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let workshop = library::sample("workshop").unwrap();
    let open = |name: &str| formats::load(&folder.path().join(name), &LoadOptions::default()).unwrap();
    for name in ["workshop.csv", "workshop.txt"] {
        formats::save(&workshop, &folder.path().join(name)).unwrap();
    }
    assert_eq!(open("workshop.csv"), Instance { warnings: Vec::new(), ..workshop.clone() });
    let numbers = open("workshop.txt");
    assert_eq!(numbers.times, workshop.times);
    assert!(numbers.jobs.iter().map(|job| job.due).eq(workshop.jobs.iter().map(|job| job.due)));
    let error = formats::save(&workshop, &folder.path().join("workshop.pdf")).unwrap_err().to_string();
    assert_says(&error, &[".csv or .txt, not as .pdf"]);
}

/// All orders of the workshop: the numbers in the README are correct.
#[test]
fn the_readme_knows_the_best_orders_of_the_workshop() {
    let workshop = library::sample("workshop").unwrap();
    let mut orders = vec![Vec::new()];
    for job in 0..workshop.job_count() as u16 {
        let inserted = |order: Vec<u16>| {
            (0..=order.len()).map(move |at| [&order[..at], &[job], &order[at..]].concat()).collect::<Vec<_>>()
        };
        orders = orders.into_iter().flat_map(inserted).collect();
    }
    let values: Vec<[u64; 4]> = orders
        .iter()
        .map(|order| {
            let verdict = check(&workshop, order);
            Objective::ALL.map(|objective| verdict.value(objective).unwrap())
        })
        .collect();
    let best = [0, 1, 2, 3].map(|at| values.iter().map(|value| value[at]).min().unwrap());
    assert!(!values.contains(&best), "no order has all four");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/flowshop/README.md");
    let readme = std::fs::read_to_string(readme).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let [makespan, flow_time, tardiness, tardy] = best;
    let says = format!(
        "a makespan of {makespan}, a total flow time of {flow_time}, a total tardiness of {tardiness}, or {tardy} tardy jobs"
    );
    assert!(readme.contains(&says) && readme.contains("40,320") && orders.len() == 40_320, "{says}");
}

/// 500 jobs on 20 machines written with machine rows and read back: the same instance, recognised.
#[test]
fn the_largest_instances_go_through_a_file() {
    let made = library::taillard("ta120").unwrap();
    let read = load("large.txt", &formats::matrix::write(&made));
    assert_eq!((read.times, read.best_known), (made.times.clone(), made.best_known));
    let order: Vec<u16> = (0..500).collect();
    assert!(u64::from(Schedule::new(&made, &order).makespan()) > made.best_known.makespan.unwrap());
}

#[test]
fn times_in_several_notations_become_minutes_where_every_unit_is_known() {
    let text = "job;due date (d);Saw;Mill (h);Drill (min)\nA;1;0:30;1,5;20\nB;2;1:15;2;5\n";
    let instance = load("shop.csv", text);
    assert_eq!(instance.times, [30, 90, 20, 75, 120, 5]);
    assert_eq!(instance.jobs.iter().map(|job| job.due).collect::<Vec<_>>(), [Some(1440), Some(2880)]);
    assert_eq!(instance.machines, ["Saw (min)", "Mill (min)", "Drill (min)"]);
    assert_eq!(instance.warnings, ["shop.csv: times were converted to minutes"]);
    // Whole numbers in one unit stay, whatever the unit.
    let hours = load("shop.csv", "job,Saw (h),Mill (h)\nA,3,4\nB,1,2\n");
    assert_eq!((hours.times, hours.machines), (vec![3, 4, 1, 2], vec!["Saw (h)".to_owned(), "Mill (h)".to_owned()]));
    // 20 of what is not known.
    let message = complaint("shop.csv", "job,Saw,Drill\nA,0:30,20\nB,1:15,5\n");
    assert_says(&message, &["shop.csv:2: ", "«0:30» is in hours and minutes", "shop.csv:3: "]);
    let message = complaint("shop.csv", "job,due date,Saw\nA,2025-11-28,3\n");
    assert_says(&message, &["shop.csv:2: ", "«2025-11-28» is a date and no number", "counted from the start"]);
}
