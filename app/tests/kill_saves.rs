//! The program is killed at random moments while it saves, keeps its own copy, and converts projects of version 0.2.0, for all
//! problems: each file is whole afterwards and holds the last state that was saved, or a later one.
//!
//! The test starts itself as another process that edits the data of a document and saves it again and again, and that says which
//! state it saves before and after each save. `GRIDWRIGHT_KILLS` says how often it is killed.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use gridwright_core::data::{Dataset, Tables, to_csv};
use gridwright_core::random::Philox;
use gridwright_core::registry;
use gridwright_facility_views as facility;
use gridwright_flowshop_views as flowshop;
use gridwright_systolic_views as systolic;
use gridwright_timetabling_views as timetabling;
use gridwright_window::document::kind::Instance;
use gridwright_window::document::{DocumentKind, ProblemView as _};

use crate::data_edits::random_edit;
use crate::kill::{self, Said, say};
use crate::old_files::Anna;
use crate::support::with_document;

/// Kills where nobody says how many.
const KILLS: u32 = 8;
const FOLDER: &str = "GRIDWRIGHT_SAVE_FOLDER";
const PROBLEM: &str = "GRIDWRIGHT_SAVE_PROBLEM";

/// The project that a problem begins with: one of version 0.2.0, or a sample where that version had none.
const SOURCES: [(&str, &str); 4] = [
    ("timetabling", "Plans/school.gridwright"),
    ("facility", "Plans/joinery.gridwright"),
    ("flowshop", "Plans/shop.gridwright"),
    ("systolic", "sample:backpack"),
];

/// The project's file of the person.
fn file_of(folder: &Path, problem: usize) -> PathBuf {
    let (id, source) = SOURCES[problem];
    if source.starts_with("sample:") { folder.join(format!("{id}.gridwright")) } else { folder.join(source) }
}

fn source_of(folder: &Path, problem: usize) -> String {
    let file = file_of(folder, problem);
    if file.exists() { file.display().to_string() } else { SOURCES[problem].1.to_owned() }
}

/// Tables as a text that tells states apart. An empty cell that means 0 may come back as 0.
fn state<T: Tables>(data: &Dataset) -> String {
    let read = T::of_data(data).map(|instance| instance.to_data());
    let data = read.as_ref().unwrap_or(data);
    let texts = T::TABLES.iter().zip(&data.tables).map(|(spec, table)| to_csv(spec, table));
    texts.collect::<Vec<_>>().join("\n").escape_debug().to_string()
}

/// Edits and saves until it is killed.
fn save_again_and_again<K: DocumentKind>(folder: &Path, problem: usize) {
    with_document::<K, _>(&folder.join("data"), &source_of(folder, problem), |document, store| {
        if document.newer().is_some() {
            document.decide_newer(true).unwrap();
        }
        document.set_project_file(file_of(folder, problem));
        let words = Philox::new(u64::from(std::process::id()));
        say("begin", "");
        for number in 0..100_000 {
            let present = document.tables();
            if let Some(edit) = random_edit::<Instance<K>>(&present, words.words(number, 0, 0, 0)) {
                document.change_data(edit, None).unwrap();
            }
            if number % 5 == 4 {
                // Whatever the edits were, the next ones begin with data that make sense.
                while document.undo_names().0.is_some() {
                    document.undo().unwrap();
                }
            }
            let now = state::<Instance<K>>(&document.tables());
            say("saving", &now);
            if let Some(saving) = document.saving(true) {
                (saving.write)(store).unwrap();
            }
            say("saved", &now);
        }
    });
}

/// The process that is killed.
#[test]
#[ignore = "is started and killed by the other test"]
fn a_program_that_saves() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let problem: usize = std::env::var(PROBLEM).unwrap().parse().unwrap();
    match SOURCES[problem].0 {
        "timetabling" => save_again_and_again::<timetabling::TimetablingViews>(&folder, problem),
        "facility" => save_again_and_again::<facility::FacilityViews>(&folder, problem),
        "flowshop" => save_again_and_again::<flowshop::FlowShopViews>(&folder, problem),
        _ => save_again_and_again::<systolic::SystolicViews>(&folder, problem),
    }
}

/// Checks the file after a kill: the last state that was saved, or one whose saving had begun. Returns `true` if something had
/// been saved.
fn check<K: DocumentKind>(folder: &Path, problem: usize, said: &[Said], before: Option<&[u8]>) -> bool {
    gridwright::register();
    let path = file_of(folder, problem);
    let last = said.iter().rposition(|one| one.word == "saved");
    let possible: Vec<&str> =
        said[last.unwrap_or(0)..].iter().filter(|one| one.word != "begin").map(|one| one.what.as_str()).collect();
    let bytes = std::fs::read(&path).ok();
    if last.is_none() && bytes.as_deref() == before {
        return false;
    }
    registry::load_project(&path).unwrap_or_else(|error| panic!("the project is damaged: {error}"));
    // The program opens it again, and shows what was saved or, if wanted, what its own newer copy holds.
    with_document::<K, _>(&folder.join("data"), &path.display().to_string(), |document, _| {
        let shown = state::<Instance<K>>(&document.tables());
        assert!(possible.contains(&shown.as_str()), "{} holds {shown}, not one of {possible:?}", path.display());
        if document.newer().is_some() {
            document.decide_newer(true).unwrap();
            let shown = state::<Instance<K>>(&document.tables());
            assert!(possible.contains(&shown.as_str()), "the newer copy holds {shown}, not one of {possible:?}");
        }
    });
    last.is_some()
}

#[test]
fn a_kill_while_a_project_is_saved_loses_nothing() {
    let kills = std::env::var("GRIDWRIGHT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let words = Philox::new(2);
    let (mut anna, mut saved) = (Anna::new(), 0);
    for number in 0..kills {
        if number % 8 == 0 {
            // Projects of version 0.2.0 again, which the first save converts.
            anna = Anna::new();
        }
        let (problem, folder) = (number as usize % SOURCES.len(), anna.folder());
        let before = std::fs::read(file_of(folder, problem)).ok();
        let after = Duration::from_micros(u64::from(words.words(number, 0, 0, 0)[0] % 60_000));
        let variables = [(FOLDER, folder.display().to_string()), (PROBLEM, problem.to_string())];
        let (said, _) = kill::killed("kill_saves::a_program_that_saves", folder, &variables, after);
        let before = before.as_deref();
        saved += u32::from(match SOURCES[problem].0 {
            "timetabling" => check::<timetabling::TimetablingViews>(folder, problem, &said, before),
            "facility" => check::<facility::FacilityViews>(folder, problem, &said, before),
            "flowshop" => check::<flowshop::FlowShopViews>(folder, problem, &said, before),
            _ => check::<systolic::SystolicViews>(folder, problem, &said, before),
        });
    }
    println!("{kills} kills, {saved} of them after the first save; nothing lost");
    assert!(saved > kills / 4, "only {saved} of {kills} kills came after a first save");
}
