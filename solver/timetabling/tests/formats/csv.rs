//! Tables of enrolments, exams and periods.

use chrono::{NaiveDate, NaiveTime};
use gridwright_core::data::{Row, Tables};
use gridwright_timetabling::formats::csv::write_folder;
use gridwright_timetabling::formats::{self, LoadOptions};
use gridwright_timetabling::{Arrangement, Contact, ExtraTime, Instance, Room, RoomNeeds};

use super::{assert_says, complaint, load, sits};

const ENROLMENTS: &str = "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\n";

#[test]
fn columns_come_in_any_order_by_many_names_and_with_any_separator() {
    let plain = load(&[("a.csv", ENROLMENTS)], "a.csv").unwrap();
    assert_eq!((plain.name.as_str(), plain.exam_count(), plain.students.len()), ("a", 2, 2));
    for text in [
        "Module Code;Matriculation\r\nMAT;s1\r\nPHY;s1\r\nPHY;s2\r\n",
        "\u{feff}EXAM\tmark\tStudent_ID\nMAT\t\ts1\nPHY\t\ts1\n\nPHY\t1\ts2\n",
        "\"student\" , \"course\"\n\"s1\",\"MAT\"\n s1 , PHY \ns2,PHY",
    ] {
        assert_eq!(sits(&load(&[("a.csv", text)], "a.csv").unwrap()), sits(&plain), "{text:?}");
    }
}

#[test]
fn tables_beside_it_give_titles_and_dates() {
    let files = [
        ("enrolments.csv", ENROLMENTS),
        ("Exams.csv", "title;code;duration\nPhysics;PHY;90\n\"Calculus; first part\";MAT;\n"),
        ("periods.csv", "date,start,end,seats\n2026-06-01,09:00,12:00,100\n01.06.2026,14:00:00,,\n02/06/2026,,,20\n"),
    ];
    for name in ["enrolments.csv", "Exams.csv", "periods.csv", "."] {
        let instance = load(&files, name).unwrap();
        assert_eq!(instance.exams[1].title, "Calculus; first part");
        assert_eq!(
            instance.exams.iter().map(|exam| (exam.duration, exam.enrolment)).collect::<Vec<_>>(),
            [(Some(90), 2), (None, 1)]
        );
        let date = |day| NaiveDate::from_ymd_opt(2026, 6, day);
        let [first, second, third] = instance.periods.as_slice() else { panic!("{:?}", instance.periods) };
        assert_eq!((first.date, first.end, first.seats), (date(1), NaiveTime::from_hms_opt(12, 0, 0), Some(100)));
        assert_eq!((second.date, second.start, second.end), (date(1), NaiveTime::from_hms_opt(14, 0, 0), None));
        assert_eq!((third.date, third.start, third.seats), (date(2), None, Some(20)));
        assert_eq!(instance.warnings.len(), 1, "{:?}", instance.warnings);
        assert_says(&instance.warnings[0], &["periods.csv: «02/06/2026» is read as 2026-06-02, with the day first"]);
    }
}

/// Tables are read behind those that they refer to, wherever these stand and whatever columns they have.
#[test]
fn invigilators_name_exams_with_demands_on_rooms() {
    for column in ["features", "own room", "most rooms", "allowed rooms", "seats"] {
        let exams = format!("code,title,{column}\nMAT,,\nPHY,,\n");
        let files = [
            ("enrolments.csv", ENROLMENTS),
            ("exams.csv", exams.as_str()),
            ("rooms.csv", "room,seats\nH1,40\n"),
            ("invigilators.csv", "code,name,not at\nI1,Roth,PHY\n"),
        ];
        let session = load(&files, "enrolments.csv").unwrap();
        let [person] = &session.resources.invigilators[..] else { panic!("{:?}", session.resources.invigilators) };
        assert_eq!(person.forbidden_exams.iter().collect::<Vec<_>>(), [&1], "{column}");
    }
}

#[test]
fn absences_and_closed_rooms_may_have_no_end() {
    let periods = "date,start,end\n2026-06-01,09:00,12:00\n2026-06-02,09:00,12:00\n2026-06-03,09:00,12:00\n";
    let of = |absent: &str| {
        let [people, invigilators, rooms] = ["name", "code", "room"].map(|name| format!("{name},absent\nX,{absent}\n"));
        let rooms = rooms.replace(",absent\nX,", ",seats,closed\nX,40,");
        let files = [
            ("enrolments.csv", ENROLMENTS),
            ("periods.csv", periods),
            ("people.csv", &people),
            ("invigilators.csv", &invigilators),
            ("rooms.csv", &rooms),
        ];
        load(&files, "enrolments.csv").map(|session| {
            let resources = session.resources;
            [
                resources.people[0].unavailable.clone(),
                resources.invigilators[0].unavailable.clone(),
                resources.rooms[0].unavailable.clone(),
            ]
            .map(|periods| periods.into_iter().collect::<Vec<u16>>())
        })
    };
    for (text, expected) in [
        ("from 2026-06-02", &[1, 2][..]),
        ("ab 02.06.2026", &[1, 2]),
        ("since Tue 2 June 2026", &[1, 2]),
        ("until 2026-06-02", &[0, 1]),
        ("bis 02.06.2026", &[0, 1]),
        ("bis 01.06.2026; ab 03.06.2026", &[0, 2]),
        ("from 2026-07-01", &[]),
    ] {
        for found in of(text).unwrap() {
            assert_eq!(found, expected, "{text}");
        }
    }
    for wrong in ["after 2026-06-02", "ab 02.06.2026 14:00", "nicht 02.06.2026"] {
        let why = of(wrong).unwrap_err().to_string();
        for fragment in ["rooms.csv:2", "people.csv:2", "invigilators.csv:2", wrong] {
            assert!(why.contains(fragment), "{fragment}: {why}");
        }
    }
}

#[test]
fn rooms_people_and_arrangements_stand_beside_it() {
    let files = [
        ("enrolments.csv", ENROLMENTS),
        (
            "exams.csv",
            "code,duration,own room,most rooms,features,allowed rooms,seats,examiners\nMAT,90,yes,2,ramp,H1; h2,7,Roth\n\
             PHY,60,,,,,,\"Roth, Weiß\"\n",
        ),
        ("periods.csv", "date,start,end,penalty\n2026-06-01,09:00,12:00,\n2026-06-02,09:00,12:00,5\n"),
        ("rooms.csv", "Raum;Plätze;Ausstattung;Gesperrt\nH1;120;ramp;2.6.2026\nH2;80;ramp, computers;\n"),
        ("people.csv", "Name;Abwesend\nRoth;1\nWeiß;\n"),
        ("arrangements.csv", "student,extra time,own room\ns2,25 %,yes\n"),
        (
            "students.csv",
            "Matrikelnummer;Nachname;Vorname;Studiengang;E-Mail;Zugangscode\ns2;Öz;Bo;Physik;bo@example.org;q7-4x\ns9;Roth;;;;\n",
        ),
    ];
    for name in ["enrolments.csv", "rooms.csv", "."] {
        let session = load(&files, name).unwrap();
        assert_eq!(session.warnings, ["1 student of the table of students sits no exam; the names stay in the table"]);
        let contact = &session.resources.contacts[..];
        let [Contact { student: 1, name, first_name, programme, email, personal_code }] = contact else {
            panic!("{contact:?}")
        };
        assert_eq!(
            [name, first_name, programme, email, personal_code],
            ["Öz", "Bo", "Physik", "bo@example.org", "q7-4x"]
        );
        let rooms = &session.resources.rooms;
        let shown = |room: &Room| (room.code.clone(), room.seats, room.features.len(), room.unavailable.clone());
        assert_eq!(
            rooms.iter().map(shown).collect::<Vec<_>>(),
            [("H1".to_owned(), 120, 1, [1].into()), ("H2".to_owned(), 80, 2, [].into())]
        );
        let needs = &session.exams[0].needs;
        assert_eq!((needs.own_room, needs.most_rooms, needs.seats, needs.rooms.len()), (true, 2, Some(7), 2));
        assert_eq!(session.exams[1].needs, RoomNeeds::default());
        assert_eq!(session.periods.iter().map(|period| period.penalty).collect::<Vec<_>>(), [0, 5]);
        let people: Vec<_> =
            session.resources.people.iter().map(|person| (&*person.name, person.exams.len())).collect();
        assert_eq!(people, [("Roth", 2), ("Weiß", 1)]);
        assert_eq!(session.resources.people[0].unavailable, [0].into());
        let arrangement = Arrangement { student: 1, extra: ExtraTime::Percent(25), own_room: true };
        assert_eq!(session.resources.arrangements, [arrangement]);
        // What is written is read again.
        let folder = tempfile::tempdir().unwrap();
        let written = write_folder(&session, folder.path()).unwrap();
        assert_eq!(written.len(), 8);
        let again = formats::load(&written[0], &LoadOptions::default()).unwrap();
        assert_eq!(
            (&again.resources, &again.exams, &again.periods),
            (&session.resources, &session.exams, &session.periods)
        );
    }
}

/// `students.csv` is the name of an export, too.
#[test]
fn an_exported_table_by_student_is_no_table_of_names() {
    let files = [
        ("enrolments.csv", ENROLMENTS),
        ("students.csv", "student,code,title,period,date,start,end,periods_since_exam_before\n"),
    ];
    assert_eq!(load(&files, "enrolments.csv").unwrap().resources, Default::default());
}

#[test]
fn every_bad_line_of_rooms_and_people_is_named() {
    let files = [
        ("a.csv", ENROLMENTS),
        ("rooms.csv", "room,exam seats,penalty\nH1,many,\n,10,\nH1,5,\nH2,10,\nH2,10,\nH3,9,dear\n"),
        ("examiners.csv", "examiner,exam\nRoth,MAT\nRoth,BIO\n,PHY\n"),
        ("arrangements.csv", "student,extra minutes\ns1,long\n,10\n"),
    ];
    assert_says(
        &complaint(&files, "a.csv"),
        &[
            "rooms.csv:2: «many» is not a whole number",
            "rooms.csv:3: “Room” is missing",
            "rooms.csv:6: «H2» stands already in line 5",
            "rooms.csv:7: «dear» is not a whole number",
            "examiners.csv:3: «BIO» is not in the table “Exams”",
            "examiners.csv:4: “Examiner” is missing",
            "arrangements.csv:2: «long»",
            "arrangements.csv:3: “Student” is missing",
        ],
    );
    let files = [("a.csv", ENROLMENTS), ("rooms.csv", "seats,beds\n5,6\n")];
    assert_says(&complaint(&files, "a.csv"), &["Rooms: say which column holds “Room”"]);
    let files = [("a.csv", ENROLMENTS), ("rooms.csv", "room,seats,beds\nH1,5,6\n")];
    assert_says(&load(&files, "a.csv").unwrap().warnings.join("\n"), &["«rooms.csv» that are not used: beds"]);
    // The hash covers all files.
    let other = [("a.csv", ENROLMENTS), ("rooms.csv", "room,seats,beds\nH1,6,6\n")];
    assert_ne!(load(&files, "a.csv").unwrap().file_hash, load(&other, "a.csv").unwrap().file_hash);
}

#[test]
fn a_table_called_enrolments_has_its_folder_s_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summer").join("enrolments.csv");
    gridwright_core::files::write(&path, ENROLMENTS.as_bytes()).unwrap();
    let options = gridwright_timetabling::formats::LoadOptions::default();
    assert_eq!(gridwright_timetabling::formats::load(&path, &options).unwrap().name, "summer");
}

#[test]
fn every_bad_line_of_every_table_is_named() {
    let files = [
        ("a.csv", "student,exam\ns1,MAT\n,PHY\ns2,\n\ns3\ns4,PHY,1\ns5,BIO\n"),
        ("exams.csv", "code,duration\nMAT,90\n,60\nMAT,30\nPHY,long\nCHE,99999\n"),
        ("periods.csv", "date,start,end,seats\n2026-06-31,9,8:00,many\n06/31/2026,10:00,09:00,-1\n"),
    ];
    let message = complaint(&files, "a.csv");
    assert_says(
        &message,
        &[
            "exams.csv:3: the code is missing",
            "exams.csv:4: exam «MAT» is listed already, in line 2",
            "exams.csv:5: ",
            "«long»",
            "exams.csv:6: ",
            "too large",
            "periods.csv:2: the date: «2026-06-31»",
            "periods.csv:2: the start: «9»",
            "periods.csv:2: the seats: «many»",
            "periods.csv:3: the date",
            "periods.csv:3: the seats",
            "periods.csv:3: the end: «09:00» is not after the start",
            "a.csv:3: the student is missing; enter the number, or delete the line if it is a total",
            "a.csv:4: the exam is missing; enter its code, or delete the line if it is a total",
            "a.csv:6: 1 column where the header has 2",
            "a.csv:7: 3 columns",
        ],
    );
    let files = [("a.csv", "student,exam\ns1,MAT\ns5,BIO\n"), ("exams.csv", "code\nMAT\n")];
    assert_says(&complaint(&files, "a.csv"), &["a.csv:3: exam «BIO» is not in exams.csv"]);
}

#[test]
fn headers_that_say_too_little_are_refused() {
    assert_says(
        &complaint(&[("a.csv", "s1,MAT\ns2,PHY\n")], "a.csv"),
        &["a.csv:1: ", "«student»", "«exam»", "student,exam"],
    );
    assert_says(&complaint(&[("a.csv", "\n\nname,exam\n")], "a.csv"), &["a.csv:3: ", "no column «student»", "«name»"]);
    let files = [("a.csv", ENROLMENTS), ("periods.csv", "a,b\n1,2\n")];
    assert_says(&complaint(&files, "a.csv"), &["periods.csv: ", "date", "a, b"]);
    let files = [("a.csv", ENROLMENTS), ("periods.csv", "date\n"), ("exams.csv", "code\n")];
    assert_says(&complaint(&files, "a.csv"), &["exams.csv: there is no exam", "periods.csv: there is no period"]);
    assert_says(&complaint(&[("a.csv", "student,exam\n")], "a.csv"), &["a.csv: there are no exams"]);
}

#[test]
fn what_is_left_out_is_said() {
    let files = [
        ("a.csv", "student,exam,grade\ns1,MAT,\ns2,MAT,3\ns1,MAT,2\n,,\ns2,MAT,\n"),
        ("exams.csv", "code\nMAT\nPHY\n"),
        ("periods.csv", "period,date,start\nMon,2026-06-02,09:00\nTue,2026-06-01,09:00\n"),
    ];
    let instance = load(&files, "a.csv").unwrap();
    assert_eq!(sits(&instance).len(), 2);
    assert_says(
        &instance.warnings.join("\n"),
        &[
            "periods.csv: 1 column is not used: «period»",
            "periods.csv: the period in line 3",
            "a.csv: 1 column is not used: «grade»",
            "a.csv: 1 line without any entry",
            "a.csv: 2 lines repeat an earlier one, first line 4",
            "1 exam is sat by nobody: PHY",
        ],
    );
}

#[test]
fn numbered_periods_must_follow_each_other() {
    let files = |periods| [("a.csv", ENROLMENTS), ("periods.csv", periods)];
    assert_eq!(load(&files("period\n1\n2\n3\n"), "a.csv").unwrap().period_count(), 3);
    assert_eq!(load(&files("period\n0\n1\n"), "a.csv").unwrap().period_count(), 2);
    assert_says(&complaint(&files("period\n1\n3\n"), "a.csv"), &["periods.csv:3: period 3 where 2 follows"]);
    let many: String =
        std::iter::once("period\n".to_owned()).chain((1..=300).map(|period| format!("{period}\n"))).collect();
    assert_says(&complaint(&files(&many), "a.csv"), &["periods.csv:257: more than 255 periods"]);
}

#[test]
fn an_open_quotation_mark_swallows_nothing() {
    let files = [("a.csv", "student,exam\ns1,MAT\ns2,\"PHY\ns3,MAT\ns4,MAT\n")];
    assert_says(&complaint(&files, "a.csv"), &["a.csv:3: a quotation mark"]);
}

#[test]
fn four_million_lines_take_seconds() {
    let mut text = String::from("student,exam\n");
    for line in 0..4_000_000_u32 {
        text.push_str(&format!("s{},E{}\n", line / 4, (line * 13 + line / 1_000) % 3_000));
    }
    let start = std::time::Instant::now();
    let instance = load(&[("a.csv", &text)], "a.csv").unwrap();
    assert_eq!((instance.students.len(), instance.enrolments()), (1_000_000, 4_000_000));
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 30.0, "{seconds} s");
    eprintln!("4,000,000 lines in {seconds:.2} s");
}

/// The table of a registry with a code in other capitals, totals and the header of a second page.
const REGISTRY: &str = "student;exam;title;ects\ns1;INF1212;Logic;6\ns2;inf1212;;6\ns2; INF1212 ;;6\ns3;Inf1212;;6\n\
                        student;exam;title;ects\ns3;MAT1;Algebra;5\nSumme;;;30000\nTotal;;;\n";

#[test]
fn codes_in_other_capitals_and_totals_are_no_exams() {
    let instance = load(&[("registry.csv", REGISTRY)], "registry.csv").unwrap_err().to_string();
    assert_says(&instance, &["registry.csv:9: the exam is missing"]);
    let text = REGISTRY.trim_end_matches("Total;;;\n");
    let instance = load(&[("registry.csv", text)], "registry.csv").unwrap();
    let codes: Vec<&str> = instance.exams.iter().map(|exam| exam.code.as_str()).collect();
    assert_eq!((codes, instance.students.len(), instance.enrolments()), (vec!["INF1212", "MAT1"], 3, 4));
    let warnings = instance.warnings.join("\n");
    assert_says(
        &warnings,
        &[
            "2 lines with the code of an exam in another spelling",
            "first line 3, «inf1212» for «INF1212»",
            "totals and repeated headers were left out: line 6 («student»), line 8 («Summe»)",
            "1 line repeats an earlier one",
        ],
    );
}

#[test]
fn the_more_frequent_spelling_of_a_code_names_the_exam() {
    let text = "student;exam\ns1;inf1212\ns2;INF1212\ns3;INF1212\ns4;Mat1\ns5;MAT1\n";
    let instance = load(&[("registry.csv", text)], "registry.csv").unwrap();
    let codes: Vec<&str> = instance.exams.iter().map(|exam| exam.code.as_str()).collect();
    assert_eq!(codes, ["INF1212", "Mat1"], "of equally frequent spellings the first one is taken");
    assert_says(
        &instance.warnings.join("\n"),
        &["2 lines with the code of an exam in another spelling", "first line 2, «inf1212» for «INF1212»"],
    );
}

/// One student in two spellings is one, and that is told: in tables and in the data of a project.
#[test]
fn students_in_another_spelling_are_told() {
    let text = "student;exam\ns1;MAT\nS1;PHY\ns2;MAT\nS1;CHE\n";
    let instance = load(&[("registry.csv", text)], "registry.csv").unwrap();
    assert_eq!((instance.students.len(), instance.enrolments()), (2, 4));
    let told = ["2 lines with the code of a student in another spelling", "first line 3, «S1» for «s1»"];
    assert_says(&instance.warnings.join("\n"), &told);
    let mut data = load(&[("plain.csv", "student;exam\ns1;MAT\ns2;PHY\ns3;MAT\n")], "plain.csv").unwrap().to_data();
    let rows = &mut data.tables[0].rows;
    *rows = rows.iter().map(|row| Row::of([row.cell(0).replace("s3", "S1"), row.cell(1).to_owned()])).collect();
    let merged = Instance::of_data(&data).unwrap();
    assert_eq!(merged.students.len(), 2);
    let told = ["1 line with the code of a student in another spelling", "row 3 of the enrolments, «S1» for «s1»"];
    assert_says(&merged.warnings.join("\n"), &told);
}

#[test]
fn codes_that_differ_in_blanks_or_punctuation_are_told() {
    let warnings = |text: &str| load(&[("a.csv", text)], "a.csv").unwrap().warnings.join("\n");
    let text = "student,exam\ns1,ENG 110\ns1,HIS-101\ns2,eng110\ns3,HIS101\ns3,PHI200\n";
    assert_says(
        &warnings(text),
        &[
            "2 pairs of exam codes differ only in capitals, blanks or punctuation: «ENG 110» and «eng110», «HIS-101» and «HIS101»",
        ],
    );
    assert!(!warnings("student,exam\ns1,1-1\ns2,11\ns2,PHI200\n").contains("blanks"), "numbers are other numbers");
}

#[test]
fn lines_above_the_header_and_other_titles_of_an_exam_are_told() {
    let warnings = |text: &str| load(&[("a.csv", text)], "a.csv").unwrap().warnings.join("\n");
    let text =
        "Printed 27.11.2026;;\nstudent;exam;title\ns1;MAT1;Calculus I\ns2;mat1; calculus i\ns2;PHY1;\ns3;PHY1;Optics\n";
    let told = warnings(text);
    assert_says(&told, &["a line above the header was left out: line 1 («Printed 27.11.2026»)"]);
    assert!(!told.contains("title"), "{told}");
    let told = warnings(&format!("{text}s4;PHY1;Waves\ns4;MAT1;Calculus 2\ns5;MAT1;Calculus 3\n"));
    assert_says(
        &told,
        &["2 exams have more than one title; the first counts: «PHY1» is «Optics», but «Waves» in line 7"],
    );
}

#[test]
fn with_a_table_of_exams_other_capitals_name_the_listed_exam() {
    let exams = "code;title;minutes\nINF1212;Logic;120\nMAT1;Algebra;90\nGesamt;;210\n";
    let text = "student;exam\ns1;inf1212\ns2;MAT1\n";
    let instance = load(&[("session.csv", text), ("exams.csv", exams)], "session.csv").unwrap();
    assert_eq!((instance.exam_count(), instance.enrolments()), (2, 2));
    let warnings = instance.warnings.join("\n");
    assert_says(
        &warnings,
        &["exams.csv: a total or repeated header was left out: line 4 («Gesamt»)", "«inf1212» for «INF1212»"],
    );
    let twice = "code;title\nINF1212;Logic\ninf1212;Logic\n";
    assert_says(
        &complaint(&[("session.csv", text), ("exams.csv", twice)], "session.csv"),
        &["exams.csv:3: ", "listed already, in line 2"],
    );
}
