//! Check sheets of departments: what goes out comes back as differences of the exams that a sheet names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_core::data::Dataset;
use gridwright_core::data::update::Update;
use gridwright_core::planning::updating::{FilesRead, Present, read_files};
use gridwright_core::problem::{Overrides, Problem as _};
use gridwright_core::registry;
use gridwright_timetabling::export::export;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::problem::Timetabling;
use gridwright_timetabling::{Instance, Timetable};

/// A session with four exams, two of which may be in one of the two rooms only.
fn write_session(folder: &Path) -> (Instance, Arc<Dataset>) {
    registry::register(&[&Timetabling]);
    for (name, text) in [
        ("enrolments.csv", "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\ns3,C\ns3,D\n"),
        ("exams.csv", "code,title,duration,allowed rooms\nA,Algebra,90,\nB,,60,\nC,,60,H1\nD,,60,H1\n"),
        ("rooms.csv", "room,seats\nH1,30\nH2,40\n"),
        ("periods.csv", "date,start,end\n2026-06-01,9:00,12:00\n2026-06-02,9:00,12:00\n2026-06-03,9:00,12:00\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let source = folder.join("enrolments.csv").display().to_string();
    let instance = open(&source, &LoadOptions::default()).unwrap();
    let data = (Timetabling.descriptor().read_data)(&source, &Overrides::default()).unwrap();
    (instance, Arc::new(data))
}

/// Differences of a file to the data, or what is unclear about it.
fn differences(data: &Arc<Dataset>, file: PathBuf) -> Result<Update, String> {
    let present = Present { data: Arc::clone(data), known: Vec::new(), options: Overrides::default() };
    match read_files(Timetabling.descriptor(), &present, &[file]).map_err(|error| error.to_string())? {
        FilesRead::Compared(update) => Ok(*update),
        FilesRead::Unclear { why, .. } => Err(why),
    }
}

fn texts(update: &Update) -> Vec<String> {
    (0..update.changes.len()).map(|index| update.text(index)).collect()
}

#[test]
fn a_sheet_that_nobody_has_changed_holds_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (instance, data) = write_session(folder.path());
    let path = folder.path().join("plan.check-sheets.zip");
    export(&instance, &Timetable::unplaced(4), &path).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(archive.len(), 4, "codes begin with four letters");
    for at in 0..archive.len() {
        let sheet = folder.path().join("sheet.xlsx");
        std::io::copy(&mut archive.by_index(at).unwrap(), &mut std::fs::File::create(&sheet).unwrap()).unwrap();
        assert_eq!(texts(&differences(&data, sheet).unwrap()), [""; 0], "sheet {at}");
    }
}

#[test]
fn a_corrected_sheet_changes_the_exams_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let (_, data) = write_session(folder.path());
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let corrected = "code,title,enrolled,duration,own room,most rooms,features,allowed rooms,seats,wishes,notes\n\
                     A,Algebra,1,120,,,,,,,\nB,,2,60,yes,,,H2,,not on a Friday,with Dr Wu\nE,New,,45,,,,,,,\n";
    let update = differences(&data, file("corrected.csv", corrected)).unwrap();
    let expected = [
        "Exams: changed A, Duration (min): «90» → «120»",
        "Exams: changed B, Own room: nothing → «yes»",
        "Exams: changed B, Allowed rooms: nothing → «H2»",
        "Exams: added E: New, 45",
    ];
    assert_eq!(texts(&update), expected);
    let note = "line 3, column wishes: «not on a Friday» is not read; enter it by hand";
    let remarks = update.remarks.join("\n");
    assert!(remarks.contains("corrected") && remarks.contains(note), "{remarks}");
    assert!(update.readings.is_empty(), "an excerpt says nothing of the usual files: {:?}", update.readings);
    // Without the column of wishes the file is the whole table.
    let whole = differences(&data, file("whole.csv", "code,title,duration\nA,Algebra,90\n")).unwrap();
    assert_eq!(texts(&whole).len(), 3, "the others are removed: {:?}", texts(&whole));
    let wrong = differences(&data, file("wrong.csv", "code,duration,wishes\nA,two hours,\n")).unwrap_err();
    assert!(wrong.contains("line"), "{wrong}");
}

/// Another spelling of a known code is no new exam; a code that is like none is one.
#[test]
fn fresh_enrolments_may_spell_codes_in_another_way() {
    let folder = tempfile::tempdir().unwrap();
    let (_, data) = write_session(folder.path());
    let path = folder.path().join("fresh.csv");
    std::fs::write(&path, "student,exam\ns1,A\ns1,(b)\ns2,B.\ns2,C\ns3,C\ns3,D\ns3,E\n").unwrap();
    let update = differences(&data, path).unwrap();
    assert_eq!(texts(&update), ["Enrolments: added s3 · E", "Exams: added E"]);
}
