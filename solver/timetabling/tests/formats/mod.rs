//! Reading and writing of examination timetabling files: what is published, what ships, and what is wrong with files.

mod carter;
mod csv;
mod import;
mod itc2007;
mod opening;
mod properties;
mod samples;
mod solution;

use gridwright_core::Result;
use gridwright_timetabling::formats::{self, LoadOptions};
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period};
use tempfile::TempDir;

use crate::support::assert_says;

/// Creates a temporary folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// Loads the file `name` of these files.
fn load(files: &[(&str, &str)], name: &str) -> Result<Instance> {
    let folder = folder(files);
    formats::load(&folder.path().join(name), &LoadOptions::default())
}

/// Error message of loading the file `name`, without the folder.
fn complaint(files: &[(&str, &str)], name: &str) -> String {
    let folder = folder(files);
    let error = formats::load(&folder.path().join(name), &LoadOptions::default()).unwrap_err();
    error.to_string().replace(&format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR), "")
}

/// Instance with exams 0001, 0002, … without students.
fn instance(exams: usize, periods: usize) -> Instance {
    let exams = (1..=exams).map(|exam| Exam { code: format!("{exam:04}"), ..Exam::default() });
    Instance::build(InstanceParts {
        name: "test".to_owned(),
        exams: exams.collect(),
        periods: vec![Period::default(); periods],
        ..InstanceParts::default()
    })
    .unwrap()
}

/// Pairs of student and exam codes, sorted.
fn sits(instance: &Instance) -> Vec<(String, String)> {
    let student = |student: usize| {
        let exams = instance.students.exams_of(student).iter();
        exams.map(move |&exam| (instance.students.code(student), instance.exams[usize::from(exam)].code.clone()))
    };
    let mut pairs: Vec<_> = (0..instance.students.len()).flat_map(student).collect();
    pairs.sort();
    pairs
}
