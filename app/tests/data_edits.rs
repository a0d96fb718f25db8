//! Edits of the tables of an instance: every one of them can be undone and redone, and changes of the file are told.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::{Event, Key};
use gridwright_core::data::{Dataset, Tables};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::random::Philox;
use gridwright_core::store::Store;
use gridwright_core::text::language::Language;
use gridwright_facility_views as facility;
use gridwright_flowshop_views as flowshop;
use gridwright_systolic_views as systolic;
use gridwright_timetabling_views as timetabling;
use gridwright_window::data_view::LetterheadEdit;
use gridwright_window::data_view::edits::{self, Cells, Edit};
use gridwright_window::document::kind::Instance;
use gridwright_window::document::{Document, DocumentKind, ProblemView as _};
use gridwright_window::runs::Shown;
use gridwright_window::services::Services;

use crate::support::person::{self, Window, at_home, document, drop_file, enter, open, press, settle, shows, wait};
use crate::support::{self, Documents as _, with_document};

/// Texts that people enter.
const TEXTS: [&str; 10] =
    ["", "7", "12.5", "x", "=SUM(A1)", "Saw\t3\nMill", "2026-06-01", " s1 ", "99999999999", "Öl; „kühl“"];

/// A random edit of a table.
pub fn random_edit<T: Tables>(data: &Dataset, words: [u32; 4]) -> Option<Edit> {
    let specs = T::TABLES;
    let below = |word: u32, end: usize| if end == 0 { 0 } else { word as usize % end };
    let table = below(words[0], specs.len());
    let (rows, width) = (data.tables[table].rows.len(), data.tables[table].width(&specs[table]));
    let (row, column) = (below(words[1], rows), below(words[2], width));
    let text = TEXTS[below(words[3], TEXTS.len())];
    let cells = || Cells { rows: (row..rows.min(row + 3)).collect(), columns: (column..width).collect() };
    match words[3] / 16 % 8 {
        0 => Some(edits::clear(data, specs, table, &cells())),
        1 => Some(edits::add_row(data, specs, table)),
        2 if rows > 0 => Some(edits::remove_rows(data, specs, table, &[row])),
        3 => edits::add_column(data, specs, table, text),
        4 => edits::remove_column(data, specs, table, column),
        5 => {
            let shown: Vec<usize> = (0..rows).collect();
            let columns: Vec<usize> = (column..width).collect();
            edits::paste(data, specs, table, &shown, (row, &columns), text)
        }
        _ => edits::set_cell(data, specs, table, row, column, text),
    }
}

/// Opens an instance and undoes and redoes random edits of its tables.
fn edits_are_undone<K: DocumentKind>(source: &str, seed: u64) {
    let home = tempfile::tempdir().unwrap();
    with_document::<K, _>(home.path(), source, |document, _| {
        let words = Philox::new(seed);
        let mut states = vec![document.tables()];
        for number in 0..48 {
            let present = document.tables();
            let Some(edit) = random_edit::<Instance<K>>(&present, words.words(number, 0, 0, 0)) else { continue };
            document.change_data(edit, None).unwrap();
            if document.tables().tables != present.tables {
                states.push(document.tables());
            }
        }
        assert!(states.len() > 3, "{source}: only {} edits changed anything", states.len() - 1);
        for state in states.iter().rev().skip(1) {
            document.undo().unwrap();
            assert_eq!(document.tables().tables, state.tables, "{source}, seed {seed}");
        }
        assert!(
            document.data_issues().is_empty() && document.data_changes().is_empty(),
            "the first state is the opened one"
        );
        for state in &states[1..] {
            document.redo().unwrap();
            assert_eq!(document.tables().tables, state.tables, "{source}, seed {seed}");
        }
    });
}

#[test]
fn every_edit_of_a_table_is_undone_and_redone() {
    for seed in 0..12 {
        edits_are_undone::<timetabling::TimetablingViews>("sample:school", seed);
        edits_are_undone::<flowshop::FlowShopViews>("sample:workshop", seed);
        edits_are_undone::<facility::FacilityViews>("sample:layout-workshop", seed);
        edits_are_undone::<systolic::SystolicViews>("sample:backpack", seed);
    }
}

/// Leaves the window for another program and comes back.
fn come_back(harness: &mut Window) {
    harness.input_mut().events.push(Event::WindowFocused(false));
    harness.step();
    harness.input_mut().events.push(Event::WindowFocused(true));
    harness.step();
}

#[test]
fn a_file_that_changes_while_it_is_open_is_told_and_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("autumn.csv");
    let enrolments = "student,exam\ns1,MAT\ns1,PHY\ns2,MAT\n";
    std::fs::write(&path, enrolments).unwrap();
    let source = path.display().to_string();
    let mut harness = open(Services::default(), folder.path(), Some(&source));
    come_back(&mut harness);
    std::thread::sleep(Duration::from_millis(20));
    std::fs::write(&path, format!("{enrolments}s2,CHE\ns3,CHE\n")).unwrap();
    assert!(!shows(&harness, "has changed"), "nothing is told of a file that stayed");
    come_back(&mut harness);
    wait(&mut harness, "the message", |harness| shows(harness, "The file of autumn has changed"));
    assert!(shows(&harness, "2 enrolments more"), "it says what has changed");
    assert_eq!(document(&harness).instance.exam_count(), 2, "nothing is taken over without a question");
    settle(&mut harness);
    press(&mut harness, "Take over");
    wait(&mut harness, "the new exam", |harness| document(harness).instance.exam_count() == 3);
    assert_eq!(document(&harness).undo_names().0, Some("take over the changed file"));
    // What cannot be read is told, and the data stay.
    std::fs::write(&path, "student,exam\ns1,\n").unwrap();
    come_back(&mut harness);
    wait(&mut harness, "the fault", |harness| shows(harness, "It cannot be read now"));
    assert_eq!(document(&harness).instance.exam_count(), 3);
}

#[test]
fn an_instance_is_given_a_name_that_its_project_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(Services::default(), folder.path(), Some("sample:school"));
    let opened = document(&harness).instance.file_hash.clone();
    press(&mut harness, "Data");
    enter(&mut harness, "Name", " Summer 2026, Faculty of Science ");
    harness.run_steps(4);
    let name = |window: &Window| document(window).instance.name.clone();
    assert_eq!(name(&harness), "Summer 2026, Faculty of Science");
    assert_eq!(document(&harness).undo_names().0, Some("change the name"));
    // Another name makes no other data: runs are not for earlier ones.
    let hash = |window: &Window| document(window).instance.file_hash.clone();
    assert_eq!(hash(&harness), opened);
    let path = folder.path().join("summer.gridwright");
    let document = harness.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    document.set_project_file(path.clone());
    (document.saving(true).unwrap().write)(&Store::at(folder.path())).unwrap();
    let mut again = open(Services::default(), folder.path(), Some(&path.display().to_string()));
    assert_eq!(name(&again), "Summer 2026, Faculty of Science");
    // What the program itself writes into a project is no change of its file.
    let document = again.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    let edit = edits::set_cell(&document.tables(), document.table_specs(), 1, 0, 1, "Calculus I").unwrap();
    document.change_data(edit, None).unwrap();
    (document.saving(true).unwrap().write)(&Store::at(folder.path())).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    come_back(&mut again);
    // Long enough for a thread to read the project.
    for _ in 0..30 {
        std::thread::sleep(Duration::from_millis(10));
        again.step();
    }
    assert_eq!(
        again.state().document::<timetabling::TimetablingViews>().unwrap().instance.exams[0].title,
        "Calculus I"
    );
    assert!(!shows(&again, "has changed"));
}

#[test]
fn a_change_of_the_data_does_not_show_a_draft_instead_of_a_run() {
    let home = tempfile::tempdir().unwrap();
    let chain = support::chain(2);
    let timetable = support::constructed(&chain);
    let mut harness = person::window(support::planned(chain, timetable.clone(), home.path()));
    let open = harness.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    let mut moved = timetable;
    moved.periods.swap(0, 1);
    open.edit("move an exam", moved).unwrap();
    assert_eq!(open.shown, Shown::Draft);
    open.show_run(1);
    let tables = open.tables();
    let edit = edits::set_cell(&tables, open.table_specs(), 0, 0, 0, "late").unwrap();
    open.change_data(edit, None).unwrap();
    assert_eq!((open.shown, open.draft().is_some()), (Shown::Run(1), true));
    open.undo().unwrap();
    assert_eq!((open.shown, open.draft().is_some()), (Shown::Run(1), true));
    harness.run_steps(2);
    assert!(shows(&harness, "Not shown: edited from Run 1"));
}

#[test]
fn cells_are_typed_one_after_the_other() {
    let mut harness = at_home(|home| open(Services::default(), home.path(), Some("sample:school")));
    press(&mut harness, "Data");
    let code = document(&harness).instance.exams[0].code.clone();
    let before = document(&harness).tables().tables[0].rows.len();
    press(&mut harness, "Add enrolment");
    harness.run_steps(4);
    for (text, key) in [("late", Key::Tab), (code.as_str(), Key::Enter)] {
        harness.event(Event::Text(text.to_owned()));
        harness.run_steps(3);
        harness.key_press(key);
        harness.run_steps(3);
    }
    wait(&mut harness, "both cells", |harness| {
        let tables = document(harness).tables();
        tables.tables[0].rows.get(before).is_some_and(|row| row.cell(0) == "late" && row.cell(1) == code)
    });
}

#[test]
fn a_letterhead_is_edited_and_travels_with_its_project() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(Services::default(), folder.path(), Some("sample:school"));
    press(&mut harness, "Data");
    press(&mut harness, "Letterhead…");
    assert!(shows(&harness, "Logo: none. PNG, JPEG or SVG, at most 1 MiB"));
    enter(&mut harness, "Institution", " University of Anywhere ");
    harness.run_steps(4);
    let letterhead = |window: &Window| document(window).letterhead().clone();
    assert_eq!(letterhead(&harness).institution, "University of Anywhere");
    assert_eq!(document(&harness).undo_names().0, Some("change the institution"));
    press(&mut harness, "Ελληνικά");
    harness.run_steps(4);
    press(&mut harness, "Deutsch");
    harness.run_steps(4);
    assert_eq!(
        (letterhead(&harness).language, document(&harness).undo_names().0),
        (Language::German, Some("change the language"))
    );
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>";
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, picture).unwrap();
    let hash = document(&harness).instance.file_hash.clone();
    let session = harness.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    let read = || Letterhead::read_logo(&logo).map(Some).map_err(|error| error.to_string());
    session.change_letterhead(LetterheadEdit::Logo(read()));
    std::fs::write(&logo, "no picture").unwrap();
    session.change_letterhead(LetterheadEdit::Logo(read()));
    harness.run_steps(4);
    assert!(shows(&harness, "This file cannot be the logo"), "and nothing is lost");
    assert!(shows(&harness, "Logo: 1000 × 500 pixels"));
    assert_eq!(document(&harness).instance.file_hash, hash, "runs stay those of the present data");
    let path = folder.path().join("summer.gridwright");
    let session = harness.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    session.set_project_file(path.clone());
    (session.saving(true).unwrap().write)(&Store::at(folder.path())).unwrap();
    let again = open(Services::default(), folder.path(), Some(&path.display().to_string()));
    assert_eq!(letterhead(&again), letterhead(&harness));
    let session = harness.state_mut().document_mut::<timetabling::TimetablingViews>().unwrap();
    session.undo().unwrap();
    assert!(session.letterhead().logo.is_none() && !session.letterhead().institution.is_empty());
}

/// Writes a workbook with a million enrolments.
fn write_million(path: &Path) {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_string(0, 0, "Student").unwrap().write_string(0, 1, "Exam").unwrap();
    for row in 0..1_000_000 {
        let (student, exam) = (row / 5, (row / 5 * 7 + row % 5 * 411) % 2_000);
        sheet.write_string(row + 1, 0, format!("s{student}")).unwrap();
        sheet.write_string(row + 1, 1, format!("E{exam}")).unwrap();
    }
    book.save(path).unwrap();
}

/// Largest resident memory of this process so far in MiB.
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kibibytes| kibibytes >> 10)
}

/// Measures the import of a million enrolments from a workbook and the frames while its table scrolls.
#[test]
#[ignore = "a measurement of a minute for a machine that does nothing else"]
fn a_million_enrolments_are_imported_and_scrolled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("million.xlsx");
    write_million(&path);
    // The largest memory counts from here on.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let mut harness = open(Services::default(), folder.path(), None);
    harness.run();
    press(&mut harness, "Import tables…");
    let began = Instant::now();
    drop_file(&mut harness, path.clone());
    let minutes = |harness: &mut Window, words: &str| {
        let deadline = Instant::now() + Duration::from_secs(300);
        while !shows(harness, words) {
            harness.step();
            assert!(Instant::now() < deadline, "waited in vain for {words}");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    minutes(&mut harness, "Everything is ready");
    let counted = began.elapsed();
    press(&mut harness, "4 Summary");
    press(&mut harness, "Take over");
    wait(&mut harness, "the session", |harness| harness.state().session().is_some());
    let opened = began.elapsed();
    println!("read and counted after {:.1} s, open after {:.1} s", counted.as_secs_f64(), opened.as_secs_f64());
    println!("peak {} MiB", peak_mebibytes());
    assert_eq!(document(&harness).instance.exam_count(), 2_000);
    press(&mut harness, "Data");
    harness.run_steps(5);
    let mut frames = Vec::new();
    let middle = egui::pos2(700.0, 500.0);
    for turn in 0..300 {
        let lines = if turn % 100 == 99 { 200_000.0 } else { 40.0 };
        harness.input_mut().events.push(Event::PointerMoved(middle));
        harness.input_mut().events.push(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -20.0 * lines),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Unknown,
            modifiers: egui::Modifiers::NONE,
        });
        let began = Instant::now();
        harness.step();
        frames.push(began.elapsed());
    }
    frames.sort();
    let at = |share: f64| frames[((frames.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("frames: median {:.1} ms, 99 of 100 below {:.1} ms, longest {:.1} ms", at(0.5), at(0.99), at(1.0));
    assert!(opened < Duration::from_secs(20) && peak_mebibytes() < 2_048 && at(0.99) < 16.0);
}

#[test]
fn a_later_start_of_the_plan_leaves_due_dates_where_they_are_and_dates_can_be_typed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("orders.csv");
    std::fs::write(&path, "job,due date,Saw\nA,480,300\nB,1440,240\n\nplan start\n2026-11-30 06:00\n").unwrap();
    with_document::<flowshop::FlowShopViews, _>(home.path(), path.to_str().unwrap(), |document, _| {
        let specs = document.table_specs();
        let at = |id: &str| specs.iter().position(|spec| spec.id == id).unwrap();
        let due = |document: &Document<flowshop::FlowShopViews>| {
            [0, 1].map(|job| document.instance.moment(document.instance.jobs[job].due.unwrap()))
        };
        let before = due(document);
        let edit = edits::set_cell(&document.tables(), specs, at("plan"), 0, 1, "8:00").unwrap();
        document.change_data(edit, None).unwrap();
        assert_eq!(document.instance.jobs[0].due, Some(360));
        assert_eq!(due(document), before);
        document.undo().unwrap();
        assert_eq!((document.instance.jobs[0].due, due(document)), (Some(480), before));
        let edit = edits::set_cell(&document.tables(), specs, at("jobs"), 1, 1, "1.12.2026 14:00").unwrap();
        document.change_data(edit, None).unwrap();
        assert!(document.data_issues().is_empty(), "{:?}", document.data_issues());
        assert_eq!(document.instance.jobs[1].due, Some(32 * 60));
    });
}
