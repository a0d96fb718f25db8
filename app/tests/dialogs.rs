//! The dialogs for imports and calendars as a person uses them, driven by what they tell screen readers.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::files::fault::{Fault, arm};
use gridwright_core::store::Store;
use gridwright_timetabling::counts::TimetableStatistics;
use gridwright_timetabling::{Instance, Period, generator};
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::support;
use crate::support::Documents as _;
use support::person::{self, Window, at_home, drop_file, enter, press, settle, shows, wait};

fn open(home: &Path, source: Option<&str>) -> Window {
    let services = Services { dialogs: false, ..Services::default() };
    let app = crate::support::app(services, Store::at(home.join("home")), source.map(str::to_owned));
    person::sized(app, [1440.0, 900.0], 1.0)
}

#[track_caller]
fn choose(harness: &mut Harness<'_, App>, field: &str, entry: &str) {
    press(harness, field);
    press(harness, entry);
}

#[track_caller]
fn is_enabled(harness: &Harness<'_, App>, label: &str) -> bool {
    !harness.get_by_label(label).accesskit_node().is_disabled()
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn instance(harness: &Harness<'_, App>) -> Arc<Instance> {
    Arc::clone(&harness.state().session().unwrap().instance)
}

#[test]
fn a_header_that_nobody_knows_leads_to_the_import_and_its_columns_are_named() {
    let home = tempfile::tempdir().unwrap();
    let source = file(home.path(), "summer.csv", "who;mark;what\ns1;1;MAT\ns1;2;PHY\ns2;1;PHY\n");
    let mut harness = open(home.path(), Some(&source.display().to_string()));
    wait(&mut harness, "the count", |harness| shows(harness, "say which column holds “Student”"));
    assert!(!is_enabled(&harness, "Take over"));
    press(&mut harness, "2 Columns");
    choose(&mut harness, "Column for Student", "who");
    choose(&mut harness, "Column for Exam", "what");
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "4 Summary");
    for words in ["2 exams, 2 students", "3 lines read", "Columns that are not used: mark"] {
        assert!(shows(&harness, words), "{words}");
    }
    press(&mut harness, "Take over");
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    let opened = instance(&harness);
    assert_eq!((opened.name.as_str(), opened.exam_count(), opened.students.len()), ("summer", 2, 2));
    let project = harness.state().session().unwrap().project_file().unwrap().to_path_buf();
    assert_eq!(project, home.path().join("summer.gridwright"));
    std::fs::remove_file(&source).unwrap();
    harness.state_mut().close();
    gridwright_window::window::wait_for_saves();
    drop(harness);

    // It opens again without any question and without the file that was read.
    let mut again = open(home.path(), Some(&project.display().to_string()));
    wait(&mut again, "the instance", |harness| harness.state().session().is_some());
    assert_eq!(instance(&again).students, opened.students);
}

#[test]
fn bad_lines_stop_an_import_until_a_person_leaves_them_out() {
    let home = tempfile::tempdir().unwrap();
    let text = "Matrikel;Prüfung\ns1;MAT\n;PHY\ns2;\ns2;PHY\ns2;PHY\ns3\nSumme;5\n";
    let latin: Vec<u8> = text.chars().map(|letter| letter as u32 as u8).collect();
    let source = file(home.path(), "a.csv", latin);
    let mut harness = open(home.path(), None);
    harness.run();
    press(&mut harness, "Import tables…");
    harness.run();
    assert!(shows(&harness, "Choose a file with tables"));
    drop_file(&mut harness, source);
    wait(&mut harness, "the count", |harness| shows(harness, "There are 3 lines or values that cannot be used"));
    press(&mut harness, "3 Problems (5)");
    harness.run();
    for line in [
        "a.csv, line 3: “Student” is missing",
        "a.csv, line 4: “Exam” is missing",
        "a.csv, line 8: this is a line of totals; left out",
    ] {
        harness.get_by_label(line);
    }
    enter(&mut harness, "Filter of the problems", "counted once");
    harness.run();
    assert!(shows(&harness, "1 of 5") && !shows(&harness, "“Student” is missing"));
    press(&mut harness, "Leave out");
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    // A problem shows its line in the table.
    harness.get_by_label("a.csv, line 6: this repeats an earlier line; counted once").click_accesskit();
    harness.run_steps(2);
    harness.run();
    harness.get_by_label("Column for Student");
    press(&mut harness, "Take over");
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    let opened = instance(&harness);
    assert_eq!((opened.enrolments(), opened.exam_count()), (2, 2));
    let left_out = std::fs::read_to_string(home.path().join("a.left-out.csv")).unwrap();
    assert!(left_out.starts_with("sheet,line,column,value,reason\na.csv,3,,,“Student” is missing\n"), "{left_out}");
}

#[test]
fn dropped_tables_find_their_place_and_nonsense_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(home.path(), None);
    harness.run();
    press(&mut harness, "Import tables…");
    for (name, content) in [
        ("who.csv", "student,exam\ns1,MAT\ns1,phy\n"),
        ("termine.csv", "Datum;Beginn;Ende;Plätze\n1.6.2026;9:00;11:00;30\n1.6.2026;14:00;16:00;30\n"),
        ("modules.csv", "code,title,duration\nMAT,Maths,1:30\nPHY,Physics,\n"),
    ] {
        let path = file(home.path(), name, content);
        drop_file(&mut harness, path);
    }
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "Take over");
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    let opened = instance(&harness);
    assert_eq!((opened.exams[0].duration, opened.exams[1].title.as_str()), (Some(90), "Physics"));
    assert_eq!((opened.period_label(1).as_str(), opened.periods[1].seats), ("Mon 1 Jun, 14:00–16:00", Some(30)));

    press(&mut harness, "Import tables…");
    let binary = file(home.path(), "b.csv", [0, 1, 2, 3, 255, 0, 0, 9]);
    drop_file(&mut harness, binary);
    wait(&mut harness, "the refusal", |harness| shows(harness, "not a text file"));
    harness.run();
    assert!(!is_enabled(&harness, "Take over"));
    // A click beside the dialog loses nothing.
    for beside in [egui::pos2(8.0, 450.0), egui::pos2(720.0, 894.0)] {
        harness.hover_at(beside);
        harness.step();
        harness.drag_at(beside);
        harness.step();
        harness.drop_at(beside);
        harness.run_steps(3);
    }
    assert!(shows(&harness, "Take over"));
    press(&mut harness, "Cancel");
    harness.run();
    assert!(!shows(&harness, "Take over"), "the dialog is closed and what was open is there");
    assert_eq!(instance(&harness).exam_count(), 2);
}

#[test]
fn a_list_of_exams_alone_waits_for_the_enrolments() {
    let home = tempfile::tempdir().unwrap();
    let source = file(home.path(), "module.csv", "Modulnummer;Titel;Dauer\nMAT;Mathe;90\n");
    let mut harness = open(home.path(), Some(&source.display().to_string()));
    wait(&mut harness, "the import", |harness| shows(harness, "Choose the sheet that holds the table “Enrolments”"));
    // The dialog is in its place a frame after its contents are known.
    harness.run();
    press(&mut harness, "1 Files");
    harness.run();
    harness.get_by_label("Encoding of module.csv");
    assert!(shows(&harness, "2 lines, 3 columns") && !is_enabled(&harness, "Take over"));
}

#[test]
fn a_table_with_bad_lines_can_be_imported_without_them() {
    let home = tempfile::tempdir().unwrap();
    let source = file(home.path(), "bad.csv", "student,exam\ns1,MAT\ns2,\n");
    let mut harness = open(home.path(), Some(&source.display().to_string()));
    wait(&mut harness, "the message", |harness| shows(harness, "could not be opened"));
    harness.run();
    press(&mut harness, "Import without these…");
    wait(&mut harness, "the problems", |harness| harness.query_by_label("Leave out").is_some());
    press(&mut harness, "Leave out");
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "Take over");
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    assert_eq!(instance(&harness).enrolments(), 1);
}

/// Every file operation of an import fails in turn: the person is told, the dialog keeps what was entered, and the project can be
/// written elsewhere. The table and what was there before stay as they are.
#[test]
fn every_failing_file_operation_of_an_import_is_told_and_loses_nothing() {
    let mut operations = 0;
    for kind in [ErrorKind::StorageFull, ErrorKind::InvalidFilename, ErrorKind::ReadOnlyFilesystem] {
        for call in 0.. {
            let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let text = "Matrikel;Modul\ns1;MAT\ns2;PHY\nSumme;5\n";
            let source = file(elsewhere.path(), "a.csv", text);
            let mut harness = open(home.path(), None);
            harness.run();
            press(&mut harness, "Import tables…");
            drop_file(&mut harness, source.clone());
            wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
            press(&mut harness, "4 Summary");
            let guard = arm(Fault { folder: elsewhere.path().to_path_buf(), call, lasting: true, kind });
            press(&mut harness, "Take over");
            let opening = "could not be opened";
            let told = ["disk is full", "name is too long", "could not be written", "file was written, but", opening];
            wait(&mut harness, "the end", |harness| {
                harness.state().session().is_some() || told.iter().any(|words| shows(harness, words))
            });
            gridwright_window::window::wait_for_saves();
            let is_done = guard.calls() <= call;
            drop(guard);
            assert_eq!(std::fs::read_to_string(&source).unwrap(), text);
            if is_done {
                break;
            }
            operations += 1;
            let place = home.path().join("rescued.gridwright");
            if shows(&harness, opening) {
                // The project was written before its first reading failed.
                press(&mut harness, "Try again");
                wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
            } else if harness.state().session().is_none() {
                enter(&mut harness, "File of the project", &place.display().to_string());
                press(&mut harness, "Take over");
                wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
                assert!(place.is_file());
            }
            assert_eq!(instance(&harness).exam_count(), 2, "{kind} of operation {call}");
            assert!(call < 100, "there is no end");
        }
    }
    println!("{operations} operations failed");
    assert!(operations > 15, "only {operations} operations failed");
}

/// A flow shop of a workbook's kind: a title, unknown columns, a total line. Nothing of it is taken for a machine silently.
#[test]
fn orders_of_a_workshop_are_imported_and_edited_as_tables() {
    let home = tempfile::tempdir().unwrap();
    let text = "Orders of week 23\nAuftrag;Menge;Termin;Saw;Mill;Priorität\nDesk;3;20;4;2;1\nChair;1;30;1;3;2\nSumme;4;;5;5;\n";
    let source = file(home.path(), "orders.csv", text);
    let mut harness = open(home.path(), None);
    harness.run();
    press(&mut harness, "Import tables…");
    drop_file(&mut harness, source);
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    press(&mut harness, "4 Summary");
    harness.run();
    assert!(shows(&harness, "Columns that are not used: Priorität"));
    press(&mut harness, "Take over");
    wait(&mut harness, "the flow shop", |harness| harness.state().shop().is_some());
    let shop = harness.state().shop().unwrap();
    assert_eq!(
        (&shop.instance.machines[..], &shop.instance.times[..]),
        (&["Saw".to_owned(), "Mill".to_owned()][..], &[4, 2, 1, 3][..])
    );
    press(&mut harness, "Data");
    press(&mut harness, "Add job");
    harness.run();
    assert!(shows(&harness, "the job has no name"), "a new row waits for its name");
    assert_eq!(harness.state().shop().unwrap().instance.job_count(), 2, "the plan is still that of the former data");
    press(&mut harness, "Edit");
    press(&mut harness, "Undo: add a job");
    harness.run();
    assert!(!shows(&harness, "the job has no name"));
}

/// Values that cannot be used are listed above remarks, and values that no table holds are asked for first.
#[test]
fn problems_come_before_remarks_and_the_size_of_the_plant_is_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let areas = file(home.path(), "areas.csv", "department,area\nSaw,20\nMill,30\nStore,25\n");
    let flows = "from,to,flow (pallets/day)\nSAW,Mill,4\nMILL,Store,5\nCanteen,Saw,6\n";
    let flows = file(home.path(), "flows.csv", flows);
    let mut harness = open(home.path(), None);
    harness.run();
    press(&mut harness, "Import tables…");
    press(&mut harness, "Facility layouts");
    drop_file(&mut harness, areas);
    drop_file(&mut harness, flows);
    wait(&mut harness, "the count", |harness| shows(harness, "3 Problems (4)"));
    press(&mut harness, "3 Problems (4)");
    harness.run();
    let top = |begins: &str| {
        let [line] = &person::names(&harness, begins)[..] else { panic!("{begins}") };
        harness.get_by_label(line).rect().top()
    };
    assert!(top("flows.csv, line 4, from: «Canteen»") < top("flows.csv, line 2, from: «SAW»"));
    press(&mut harness, "Leave out");
    wait(&mut harness, "the count", |harness| {
        shows(harness, "Plant, Width: the value is missing. Enter it in the summary")
    });
    press(&mut harness, "4 Summary");
    harness.run();
    for field in ["Width", "Height"] {
        let input = harness.get_by_role_and_label(egui::Role::TextInput, field);
        assert!(input.rect().top() < harness.get_by_label("Name of the instance").rect().top(), "{field}");
        input.focus();
        harness.run_steps(2);
        harness.event(egui::Event::Text("10".to_owned()));
        harness.run_steps(2);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(4);
    }
    wait(&mut harness, "the count", |harness| shows(harness, "Everything is ready"));
    assert!(shows(&harness, "3 lines read, 1 left out, 2 names in another spelling"));
}

/// The window shows a run of the chain of exams while two enrolments are pasted that make a clash of its timetable.
#[test]
fn late_enrolments_are_pasted_and_the_run_says_what_does_not_fit() {
    let home = tempfile::tempdir().unwrap();
    let chain = support::chain(2);
    let timetable = support::constructed(&chain);
    let mut harness = person::window(support::planned(chain, timetable, home.path()));
    press(&mut harness, "Data");
    harness.run_steps(4);
    for column in ["Student", "Exam"] {
        let width = harness.get_by_label(&format!("Sort by {column}")).rect().width();
        assert!(width >= 150.0, "{column} is {width} wide");
    }
    harness.get_by_label("Enrolments, row 1, Student: 1").click();
    harness.run_steps(2);
    harness.event(egui::Event::Paste("exam\tstudent\nA1\tlate\nC3\tlate\n".to_owned()));
    wait(&mut harness, "the pasted rows", |harness| shows(harness, "Enrolments, row 11, Student: late"));
    assert_eq!(harness.state().session().unwrap().instance.enrolments(), 12);
    let [run] = &person::names(&harness, "Run 1: ")[..] else { panic!("one run") };
    assert!(run.contains("not valid") && run.contains("1 clash (earlier data)"), "{run}");
    assert!(shows(&harness, "Run 1, solved for earlier data 1 clash"));
    press(&mut harness, "Grid");
    harness.run_steps(4);
    assert!(shows(&harness, "This timetable was solved for earlier data and does not fit the present ones"));
}

#[test]
fn a_new_instance_begins_with_a_small_one() {
    let mut harness = at_home(|home| open(home.path(), None));
    harness.run();
    press(&mut harness, "File");
    press(&mut harness, "New flow shop");
    wait(&mut harness, "the flow shop", |harness| harness.state().shop().is_some());
    assert_eq!(harness.state().shop().unwrap().instance.job_count(), 3);
    assert!(harness.state().shop().unwrap().project_file().is_some(), "it is kept from the beginning");
}

#[test]
fn a_table_of_a_header_alone_is_not_offered_for_import() {
    let home = tempfile::tempdir().unwrap();
    let source = file(home.path(), "header.csv", "student,exam\n");
    let mut harness = open(home.path(), Some(&source.display().to_string()));
    wait(&mut harness, "the message", |harness| shows(harness, "there are no exams"));
    harness.run();
    assert!(harness.query_by_label("Import without these…").is_none());
}

#[test]
fn an_open_dialog_does_not_repaint_by_itself() {
    let home = tempfile::tempdir().unwrap();
    let source = file(home.path(), "x.csv", "a,b,c\n1,2,3\n");
    let mut harness = open(home.path(), Some(&source.display().to_string()));
    wait(&mut harness, "the count", |harness| shows(harness, "say which column"));
    for step in ["2 Columns", "3 Problems", "4 Summary", "1 Files"] {
        press(&mut harness, step);
        harness.run();
        let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "in {step}");
    }
}

/// The school's calendar dialog, with Monday 1 June 2026 as the first day.
fn school_calendar(home: &Path) -> Window {
    let text = "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\ns2,CHE\n";
    let source = file(home, "small.csv", text);
    let mut harness = open(home, Some(&source.display().to_string()));
    wait(&mut harness, "the instance", |harness| harness.state().session().is_some());
    harness.run();
    press(&mut harness, "Calendar…");
    enter(&mut harness, "First day", "2026-06-01");
    harness.run();
    harness
}

#[test]
fn a_calendar_is_made_by_clicks_and_applied() {
    let mut harness = at_home(|home| school_calendar(home.path()));
    harness.get_by_label("10 periods");
    harness.get_by_label("Tue 2 June 2026, 2 periods");
    press(&mut harness, "Tue 2 June 2026, 14:00–17:00");
    press(&mut harness, "Sat 6 June 2026, no exams");
    press(&mut harness, "on a day");
    enter(&mut harness, "Last day", "5.6.2026");
    harness.run();
    harness.get_by_label("9 periods");
    press(&mut harness, "sets its seats");
    press(&mut harness, "Mon 1 June 2026, 09:00–12:00");
    harness.get_by_role_and_label(egui::Role::SpinButton, "Seats in this period").set_value_accesskit(77.0);
    harness.run_steps(2);
    press(&mut harness, "Time zone");
    settle(&mut harness);
    press(&mut harness, "Africa/Algiers");
    settle(&mut harness);
    press(&mut harness, "Apply");
    harness.run();
    let opened = instance(&harness);
    assert_eq!(opened.time_zone.map(|zone| zone.name()), Some("Africa/Algiers"));
    let label = |period| opened.period_label(period);
    assert_eq!(opened.period_count(), 9);
    assert_eq!((label(0), label(3)), ("Mon 1 Jun, 09:00–12:00".into(), "Wed 3 Jun, 09:00–12:00".into()));
    assert_eq!((opened.periods[0].seats, opened.periods[1].seats), (Some(77), None));

    // It is recognised when it is opened again.
    press(&mut harness, "Calendar…");
    harness.run();
    harness.get_by_label("9 periods");
    assert!(shows(&harness, "As many as now"));
    press(&mut harness, "Tue 2 June 2026, 1 period");
    harness.run();
    harness.get_by_label("8 periods");
    assert!(shows(&harness, "1 fewer than the 9 now") && shows(&harness, "lose their place"));
    press(&mut harness, "Cancel");
    harness.run();
    assert_eq!(instance(&harness).period_count(), 9, "nothing was changed");
}

#[test]
fn what_is_typed_wrong_is_said_and_cannot_be_applied() {
    let mut harness = at_home(|home| school_calendar(home.path()));
    for (field, wrong, says, right) in [
        ("First day", "31.6.2026", "First day: «31.6.2026» is no date", "2026-06-01"),
        ("Start of period 1", "nine", "Period 1 of a day: «nine» is no time", "9:00"),
        ("End of period 1", "8:00", "does not end after it starts", "12:00"),
        ("Start of period 2", "11:00", "overlap", "14:00"),
    ] {
        enter(&mut harness, field, wrong);
        harness.run();
        assert!(shows(&harness, says), "{field}");
        assert!(!is_enabled(&harness, "Apply"), "{field}");
        enter(&mut harness, field, right);
        harness.run();
        assert!(is_enabled(&harness, "Apply"), "{field}");
    }
    for day in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] {
        press(&mut harness, day);
    }
    harness.run();
    assert!(!is_enabled(&harness, "Apply"));
}

#[test]
fn days_are_counted_as_soon_as_there_is_a_calendar() {
    let mut harness = at_home(|home| open(home.path(), Some("sample:school")));
    wait(&mut harness, "the school", |harness| harness.state().session().is_some());
    harness.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(0.3);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| {
        harness.state().session().is_some_and(|document| !document.is_solving() && document.shown_run().is_some())
    });
    harness.run();
    let session = |harness: &Harness<'_, App>| harness.state().session().unwrap().picture().map(Arc::clone).unwrap();
    let before = session(&harness);
    press(&mut harness, "Calendar…");
    // One period a day: no student can have two.
    press(&mut harness, "after so many periods");
    while harness.query_by_label("Remove period 2 of a day").is_some() {
        press(&mut harness, "Remove period 2 of a day");
    }
    if harness.query_by_label("Without exceptions").is_some() {
        press(&mut harness, "Without exceptions");
    }
    let periods = instance(&harness).period_count();
    harness.get_by_role_and_label(egui::Role::SpinButton, "Periods of the session").set_value_accesskit(periods as f64);
    harness.run_steps(2);
    press(&mut harness, "Apply");
    harness.run();
    let after = session(&harness);
    let counts = TimetableStatistics::of(&instance(&harness), &after.timetable);
    assert_eq!(
        (counts.students_two_a_day, counts.students_three_a_day, counts.students_in_a_row),
        (Some(0), Some(0), 0)
    );
    let document = harness.state().session().unwrap();
    let run = document.run(1).unwrap();
    assert_eq!(*run.counts, counts, "of the run, too");
    // Exams of the mornings keep their day, those of the afternoons have none.
    let school = generator::sample("school").unwrap();
    for (exam, &then) in before.timetable.periods.iter().enumerate() {
        let day = |period: u16, of: &[Period]| {
            of.get(usize::from(period)).and_then(|period| Some((period.date?, period.start?)))
        };
        let (then, now) = (day(then, &school.periods), day(after.timetable.periods[exam], &document.instance.periods));
        let is_there = document.instance.periods.iter().any(|period| period.date.zip(period.start) == then);
        assert_eq!(now, then.filter(|_| is_there), "exam {exam}");
    }
}
