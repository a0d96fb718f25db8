//! Recognition of sources by name and content, over all problems.

use gridwright_core::planning::InstanceSource;
use gridwright_core::problem::Detection;
use gridwright_core::registry::{completed, detect, is_generated, is_result};

#[test]
fn names_without_their_beginning_are_understood() {
    gridwright::register();
    let names = ["ta054", " TA001 ", "school", "workshop", "layout-plant", "f40", "backpack"];
    let full = [
        "taillard:ta054", "taillard:ta001", "sample:school", "sample:workshop", "sample:layout-plant", "layout:F40",
        "sample:backpack",
    ];
    assert_eq!(names.map(|name| completed(name).unwrap()), full);
    assert!(full.iter().all(|name| is_generated(name) && completed(name).is_none()), "nothing is left out");
    assert_eq!(["", "ta121", "moon", "school.stu", "300", "src"].map(completed), [const { None }; 6]);
}

#[test]
fn sources_are_told_apart_by_name_and_content() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let look = |source: &str| detect(source).map(|(problem, detection)| (problem.id(), detection));
    let of = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        look(path.to_str().unwrap())
    };
    let [session, shop, plant, bits] =
        ["timetabling", "flowshop", "facility", "systolic"].map(|id| Some((id, Detection::Certain)));
    assert_eq!(["sample:backpack", "knapsack:100-1000", "mmdp:300", "onemax:9", "nrp:2-5"].map(look), [bits; 5]);
    assert_eq!(of("d.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"), bits);
    assert_eq!(of("d.txt", "3 10\n5 4\n3 3\n9 8\n"), bits);
    assert_eq!(of("e.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"), bits);
    assert_eq!(of("f.ron", "(\n    binary_problem: 1,"), bits);
    assert_eq!(["sample:school", "sample:workshop", "taillard:ta001"].map(look), [session, shop, shop]);
    assert_eq!(["sample:moon", "nowhere.txt"].map(look), [None; 2]);
    assert_eq!(of("a.stu", "2 2\n3 1\n2 4\n"), session, "the ending says it");
    assert_eq!(of("a.csv", "student,exam,job\n1,2,3\n"), session);
    assert_eq!(of("a.txt", "2 2\n3 1\n2 4\n"), shop);
    assert_eq!(of("b.csv", "job,Saw\nDesk,4\n"), shop);
    assert_eq!(of("c.csv", "job,Saw\nDesk,long\n"), Some(("flowshop", Detection::Possible)));
    assert_eq!(of("b.txt", "3 2\n1 2\n"), Some(("flowshop", Detection::Possible)));
    assert_eq!(of("c.txt", "0001 0002\n0003\n"), None);
    for huge in ["9223372036854775808", "18446744073709551615"] {
        for sizes in [format!("6 {huge}"), format!("{huge} {huge}")] {
            let claim = of("c.txt", &format!("{sizes}\n1 2\n"));
            assert!(claim.is_none_or(|claim| claim.1 == Detection::Possible), "{sizes}: {claim:?}");
        }
    }
    assert_eq!(["sample:layout-workshop", "layout:F40", "layout:F41"].map(look), [plant; 3]);
    assert_eq!(of("d.csv", "# plant: 20 x 30\nname,area\nSaw,40\n"), plant);
    assert_eq!(of("d.json", "{ \"departments\": [ { \"area\": 4 } ] }"), plant);
    assert_eq!(of("d.ron", "(\n    facility_format: 1,"), plant);
    let likely = Some(("facility", Detection::Likely));
    assert_eq!(of("e.csv", "name,area\nSaw,large\n"), likely);
    assert_eq!(of("f.csv", "from,to,flow\nSaw,Press,4\n"), likely);
    assert_eq!(of("e.ron", "(\n    layout_format: 1,"), likely);
    assert_eq!(of("f.ron", "(\n    format: 1,"), None);
    let project = Some(("flowshop", Detection::Exclusive));
    assert_eq!(of("g.gridwright", "(\n    plan_project: 1,\n    problem: \"flowshop\","), project);
    assert_eq!(of("h.gridwright", "(\n    format: 1,"), session, "projects of sessions begin otherwise");
    let tables = folder.path().join("tables");
    std::fs::create_dir(&tables).unwrap();
    std::fs::write(tables.join("jobs.csv"), "").unwrap();
    assert_eq!(look(tables.to_str().unwrap()), None);
    std::fs::write(tables.join("enrolments.csv"), "").unwrap();
    assert_eq!(look(tables.to_str().unwrap()), session);
    std::fs::write(tables.join("departments.csv"), "").unwrap();
    assert_eq!(look(tables.to_str().unwrap()), Some(("facility", Detection::Exclusive)));
}

/// Files of other problems are refused with what they could be, and never opened as something else.
#[test]
fn lists_of_numbers_need_positive_evidence() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let source = gridwright_core::planning::InstanceSource::of(path.to_str().unwrap());
        match gridwright_core::planning::opening::open(&source) {
            Err(error) => error.to_string(),
            Ok(opened) => panic!("{name} is opened as {}: {}", opened.problem().id(), opened.summary()),
        }
    };
    let qap = "3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 2\n1 0 1\n2 1 0\n";
    let late = "2 2\n1 3 2 4\n1 5 2 1\nReldue\n-1 6 -1 3\n-1 9 -1 1\n";
    for (name, content, expected) in [
        ("qap3.dat", qap, "quadratic assignment problem (QAPLIB)"),
        ("pfsp-wt.txt", late, "release dates, due dates and weights"),
        ("pisinger.txt", "1 94 485 0\n2 506 326 0\n3 416 248 1\n", "whose first lines are lost"),
        ("sizes.txt", "2\n4\n54 83 15 71\n79 3 11 99\n", "neither its ending nor its content"),
        ("fis.stu", "Name: Fis0506\nExams: 10\n\nEXAMS:\nc1 t1 6\n", "lists no exams of a student"),
    ] {
        let error = refused(name, content);
        assert!(error.contains(expected), "{name}: {error}");
    }
    let kplib = folder.path().join("kplib.kp");
    std::fs::write(&kplib, "\n4\n50\n\n60 10\n100 20\n120 30\n5 5\n").unwrap();
    let source = gridwright_core::planning::InstanceSource::of(kplib.to_str().unwrap());
    let knapsack = gridwright_core::planning::opening::open(&source).unwrap();
    assert_eq!(knapsack.problem().id(), "systolic");
}

#[test]
fn solutions_are_no_results() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let is_result_with = |content: &str| {
        std::fs::write(&path, content).unwrap();
        is_result(&path)
    };
    assert!(!is_result_with(" (\n    schedule_format: 1,"));
    assert!(!is_result_with("(\n    layout_format: 1,"));
    assert!(is_result_with("(\n    format: 1,"));
    assert!(!is_result(&folder.path().join("a.csv")), "another ending");
}

#[test]
fn files_get_absolute_and_names_stay() {
    gridwright::register();
    let absolute = |source: &str| gridwright_core::registry::absolute(source).unwrap();
    assert_eq!([absolute("sample:school"), absolute("taillard:ta051")], ["sample:school", "taillard:ta051"]);
    let path = absolute("folder/a.stu");
    assert!(std::path::Path::new(&path).is_absolute() && path.ends_with("a.stu"), "{path}");
}

/// Contents of kinds of files that the program does not read, with the endings under which they are tried.
fn foreign_files() -> Vec<(&'static str, Vec<String>)> {
    let words = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let number = |seed: usize, at: usize| (seed * 7919 + at * 104_729 + at * at * 31) % 97 + 1;
    let row = |seed: usize, from: usize, width: usize| -> String {
        (0..width).map(|at| number(seed, from + at).to_string()).collect::<Vec<_>>().join(" ")
    };
    let block = |seed: usize, height: usize, width: usize| -> String {
        (0..height).map(|line| row(seed, line * width, width) + "\n").collect()
    };
    let qap = |n: usize| format!("{n}\n\n{}\n{}", block(1, n, n), block(2, n, n));
    let shop = |n: usize, m: usize| {
        let operation =
            |job: usize, at: usize| format!("{} {}", (job * 3 + at * 5 + job * at) % m, number(3, job * m + at));
        let job = |job: usize| (0..m).map(|at| operation(job, at)).collect::<Vec<_>>().join(" ") + "\n";
        format!("{n} {m}\n{}", (0..n).map(job).collect::<String>())
    };
    let many = |n: usize, m: usize| format!("1\n{n} {m} 0\n{}\n{}{}\n", row(6, 0, n), block(7, m, n), row(8, 0, m));
    vec![
        ("qaplib", [4, 5, 12].map(qap).to_vec()),
        (
            "tsplib",
            words(&[
                "NAME: five\nTYPE: TSP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 3 4\n2 5 6\n3 1 2\n4 8 8\n5 9 1\nEOF\n",
                "NAME : gr\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0\n3 0\n4 5 0\nEOF\n",
                "NAME: v\nTYPE: CVRP\nDIMENSION: 3\nCAPACITY: 10\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 5 1\nDEMAND_SECTION\n1 0\n2 4\n3 5\nDEPOT_SECTION\n1\n-1\nEOF\n",
            ]),
        ),
        ("or-library job shop", [(6, 6), (10, 5), (4, 3)].map(|(n, m)| shop(n, m)).to_vec()),
        (
            "vehicle routing with time windows",
            words(&[
                "R1\n\nVEHICLE\nNUMBER     CAPACITY\n  25         200\n\nCUSTOMER\nCUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME\n\n    0      35         35          0          0       230          0\n    1      41         49         10        161       171         10\n",
                "* K V T\n\n  2 1 48\n0 500 200\n  1 -1.0 2.5 0 12 1 1 1 0 1000\n  2 3.5 -4.0 0 7 1 1 1 0 1000\n",
                "TOP 1\nn 4\nm 2\ntmax 12.5\n3.5\t4.0\t0\n1.0\t2.0\t8\n6.0\t1.5\t5\n7.0\t2.5\t0\n",
            ]),
        ),
        ("multiple knapsacks", [(6, 3), (10, 5), (28, 2)].map(|(n, m)| many(n, m)).to_vec()),
        (
            "lekin",
            words(&[
                "Shop: Single\nName: a\nJob: J1\n  Release: 0\n  Due: 10\n  Weight: 1\n  Oper: W1;4;A\n",
                "Ordinary:\nRouting: J1 W1\nWorkcenter: W1\n  RelDate: 0\n  Machine: W1.1\n",
                "[JobsDefinition]\nJob1 Release=0 Due=12\nJob2 Release=3 Due=9\n",
            ]),
        ),
        (
            "mps",
            words(&[
                "NAME          A\nROWS\n N  COST\n L  LIM1\nCOLUMNS\n    X1        COST         1.0   LIM1         1.0\nRHS\n    RHS1      LIM1         4.0\nENDATA\n",
                "* a comment\nNAME\nROWS\n N R0\n G R1\nCOLUMNS\n X1 R0 1 R1 2\nENDATA\n",
                "NAME B FREE\nROWS\n N OBJ\nCOLUMNS\nRHS\nBOUNDS\n UP BND X1 4\nENDATA\n",
            ]),
        ),
        (
            "lp",
            words(&[
                "Minimize\n obj: x1 + 2 x2\nSubject To\n c1: x1 + x2 >= 1\nBounds\n x1 <= 4\nEnd\n",
                "max: 3x + 2y;\nc1: x + y <= 4;\nint x;\n",
                "\\ a comment\nMaximize\n 3 x\nSubject To\n c: x <= 2\nBinary\n x\nEnd\n",
            ]),
        ),
        (
            "dimacs",
            words(&[
                "c a graph\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n",
                "p cnf 3 2\n1 -3 0\n2 3 -1 0\n",
                "p min 4 5\nn 1 4\nn 4 -4\na 1 2 0 4 2\na 1 3 0 2 2\n",
            ]),
        ),
        (
            "udine",
            words(&[
                "Name: Fis0506-1\nCourses: 3\nRooms: 2\nDays: 5\nPeriods_per_day: 6\nCurricula: 1\nConstraints: 0\n\nCOURSES:\nc0001 t000 6 4 130\nc0002 t001 6 4 75\n\nROOMS:\nrA 200\nEND.\n",
                "Name: Exam\nExams: 10\nSlots: 20\n\nEXAMS:\nc1 t1 6\nc2 t2 9\n",
                "c0001 t000 6 4 130\nc0002 t001 6 4 75\nc0072 t002 6 4 117\nc0004 t003 6 4 35\n",
            ]),
        ),
        (
            "xhstt",
            words(&[
                "<HighSchoolTimetableArchive Id=\"a\"><Instances/></HighSchoolTimetableArchive>\n",
                "<?xml version=\"1.0\"?>\n<HighSchoolTimetableArchive>\n<Instances><Instance Id=\"1\"/></Instances>\n</HighSchoolTimetableArchive>\n",
                "<Instance Id=\"b\"><Times><Time Id=\"Mo1\"/></Times></Instance>\n",
            ]),
        ),
        (
            "itc-2019",
            words(&[
                "<?xml version=\"1.0\"?>\n<problem name=\"bet\" nrDays=\"7\" slotsPerDay=\"288\" nrWeeks=\"16\"><rooms/></problem>\n",
                "<problem name=\"a\"><courses><course id=\"1\"/></courses></problem>\n",
                "<solution name=\"a\" runtime=\"3\"><class id=\"1\"/></solution>\n",
            ]),
        ),
        (
            "json",
            words(&["{\"a\": [1, 2, 3]}\n", "[1, 2, 3]\n", "{\"type\": \"FeatureCollection\", \"features\": []}\n"]),
        ),
        (
            "html",
            words(&[
                "<!DOCTYPE html>\n<html><body><table><tr><td>1</td></tr></table></body></html>\n",
                "<html>\n<head><title>Exams</title></head>\n</html>\n",
                "<table>\n<tr><td>student</td><td>exam</td></tr>\n</table>\n",
            ]),
        ),
        (
            "markdown",
            words(&[
                "# Title\n\n* one\n* two\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n", "1. first\n2. second\n3. third\n",
            ]),
        ),
        (
            "prose",
            words(&[
                "The exams of spring take place in week 23. Please be there at 9.\n",
                "Dear colleagues,\n\nenclosed you find the list of 2026.\n\nBest wishes\n",
                "Room 101 is closed.\nRoom 102 is open.\nRoom 103 is open.\n",
            ]),
        ),
        (
            "contacts",
            words(&[
                "Name;Phone;E-mail\nAnna;0551 123;anna@example.org\nBert;0551 124;bert@example.org\n",
                "First name,Last name,Birthday\nAnna,Abel,1990-01-02\nBert,Bach,1991-03-04\n",
                "\"Company\",\"Street\",\"Zip\",\"City\"\n\"A\",\"Main 1\",\"37073\",\"X\"\n",
            ]),
        ),
        (
            "calendar",
            words(&[
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Exam\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
                "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEND:VCARD\r\n",
                "BEGIN:VCALENDAR\nEND:VCALENDAR\n",
            ]),
        ),
        (
            "svg",
            words(&[
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\"><rect width=\"4\" height=\"2\"/></svg>\n",
                "<?xml version=\"1.0\"?>\n<svg width=\"1\" height=\"1\"/>\n",
                "<!-- drawn -->\n<svg/>\n",
            ]),
        ),
        (
            "ron of others",
            words(&[
                "(window: (width: 800, height: 600), volume: 0.5)\n",
                "Config(\n    name: \"a\",\n    levels: [1, 2, 3],\n)\n",
                "#![enable(implicit_some)]\n(a: 1)\n",
            ]),
        ),
    ]
}

/// No file of another kind is opened as a plan, whatever ending it has; what is refused is told in words.
#[test]
fn files_of_other_kinds_are_no_plans() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let files = foreign_files();
    assert!(files.len() >= 20 && files.iter().all(|(_, contents)| contents.len() == 3));
    let mut taken = Vec::new();
    for (kind, contents) in &files {
        for (at, content) in contents.iter().enumerate() {
            for ending in ["stu", "txt", "dat", "csv", "json", "ron", "kp", "nrp", "exam", "unknown"] {
                let path = folder.path().join(format!("{}-{at}.{ending}", kind.replace(' ', "-")));
                std::fs::write(&path, content).unwrap();
                let source = path.to_str().unwrap();
                // The command line, and the reader that the window calls.
                let command = gridwright_core::planning::opening::open(&InstanceSource::of(source));
                let owner = gridwright_core::registry::owner(source);
                let window = gridwright_core::recognition::not_an_instance(source)
                    .map_or_else(|| (owner.descriptor().open)(source, &Default::default()), Err);
                for (place, opened) in [("command line", command), ("window", window)] {
                    match opened {
                        Ok(opened) => {
                            taken.push(format!(
                                "{kind} {at} .{ending}, {place}: {}, {}",
                                opened.problem().id(),
                                opened.summary()
                            ));
                        }
                        Err(error) => {
                            let error = error.to_string();
                            assert!(error.contains(&format!("-{at}.{ending}")) && error.len() > 60, "{kind}: {error}");
                        }
                    }
                }
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
}

/// Files of which a problem can say what they are, with the ending that they usually have and words of the refusal.
fn explained_files() -> Vec<(&'static str, String, &'static [&'static str])> {
    let items = "1,94,485,0\n2,506,326,0\n3,416,248,1\n4,992,421,0\n";
    let head = "n 4\nc 995\nz 416\ntime 0.00\n";
    let knapsacks = "2\n3 2 16\n7 8 9\n1 2 3\n4 5 6\n5 11\n2 2 0\n4 5\n1 1\n2 3\n2 4\n";
    let table: &[&str] = &["ake a table with the columns item, profit and weight", "capacity"];
    vec![
        (
            "job",
            "Shop: Job\nJob: J1\n  Release: 0\n  Due: 9\n  Weight: 1\n  Oper: W1;4;A\n".to_owned(),
            &["jobs of LEKIN (.job)", "make a table with the columns job"],
        ),
        (
            "mch",
            "Ordinary:\nWorkcenter: W1\n  RelDate: 0\n  Machine: W1.1\n".to_owned(),
            &["machines of LEKIN (.mch)", "the file beside it that ends in .job"],
        ),
        ("seq", "Schedule: EDD\n  Machine: W1.1\n    Oper: J1\n".to_owned(), &["schedule of LEKIN (.seq)"]),
        ("txt", knapsacks.to_owned(), &["several constraints (OR-Library, mknap)", "each of 2 knapsacks"]),
        ("csv", format!("knapPI_1_4_1000_1\n{head}{items}-----\n"), &["knapPI_1_4_1000_1", "capacity 995"]),
        ("csv", format!("{head}{items}-----\n"), &["Pisinger's generator", "capacity 995"]),
        ("csv", items.to_owned(), table),
        ("txt", items.replace(',', " "), table),
        ("in", "3\n1 94 485\n2 506 326\n3 416 248\n995\n".to_owned(), &["(test.in)", "«995»"]),
    ]
}

/// Known kinds of files that are not read are named with a remedy, whatever ending they have; window and command line agree.
#[test]
fn known_files_of_other_kinds_are_named() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    for (usual, content, words) in explained_files() {
        for ending in [usual, "stu", "txt", "dat", "csv", "kp", "exam", "unknown"] {
            let path = folder.path().join(format!("a.{ending}"));
            std::fs::write(&path, &content).unwrap();
            let source = path.to_str().unwrap();
            let Err(error) = gridwright_core::planning::opening::open(&InstanceSource::of(source)) else {
                panic!("{content} is opened as .{ending}")
            };
            let error = error.to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{content} .{ending}: {error}");
            let window = gridwright_core::recognition::not_an_instance(source).map(|error| error.to_string());
            assert_eq!(window, Some(error), ".{ending}");
        }
    }
}

/// The published sessions and generated ones are opened without their lists of exams, too.
#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn lists_of_students_are_opened_by_themselves() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let published = gridwright_tests::published_data("toronto");
    let mut count = 0;
    for entry in std::fs::read_dir(&published).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "stu") {
            let alone = folder.path().join(path.file_name().unwrap());
            std::fs::copy(&path, &alone).unwrap();
            for path in [&path, &alone] {
                gridwright_core::planning::opening::open(&InstanceSource::of(path.to_str().unwrap())).unwrap();
            }
            count += 1;
        }
    }
    assert_eq!(count, 13);
    for (name, periods) in [("school", 12), ("faculty", 20)] {
        let instance = gridwright_timetabling::generator::sample(name).unwrap();
        let path = folder.path().join(format!("{name}.stu"));
        std::fs::write(&path, gridwright_timetabling::formats::carter::write_students(&instance)).unwrap();
        let mut source = InstanceSource::of(path.to_str().unwrap());
        source.overrides.set("periods", periods.to_string());
        gridwright_core::planning::opening::open(&source).unwrap();
    }
}
