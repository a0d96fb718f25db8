//! Reading and writing flow shops: published files, built-in instances, and messages about bad files.

mod beams;
mod frozen;
mod orders;
mod properties;
mod reading;
mod real_time;
mod recognition;
mod rules;
mod setups;
mod solution;
#[path = "../../../tests/support.rs"]
mod support;
mod trial;
mod visits;

use gridwright_core::Result;
use gridwright_flowshop::formats::{self, LoadOptions};
use gridwright_flowshop::{Instance, Schedule, export};

use crate::support::assert_says;

/// Loads a file with this name and content.
fn load_with(name: &str, content: &str, options: &LoadOptions) -> Result<Instance> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    formats::load(&path, options)
}

/// Loads a file with default options.
fn load(name: &str, content: &str) -> Instance {
    load_with(name, content, &LoadOptions::default()).unwrap()
}

/// Error message of loading such a file, without the name of the folder.
fn complaint_with(name: &str, content: &str, options: &LoadOptions) -> String {
    let error = load_with(name, content, options).unwrap_err().to_string();
    let tail = |line: &str| line.find(name).map_or(line.to_owned(), |at| line[at..].to_owned());
    error.lines().map(tail).collect::<Vec<_>>().join("\n")
}

fn complaint(name: &str, content: &str) -> String {
    complaint_with(name, content, &LoadOptions::default())
}

/// Content of the file of a schedule with default options.
fn exported(instance: &Instance, schedule: &Schedule, ending: &str) -> Result<Vec<u8>> {
    export::bytes_with(instance, schedule, ending, &export::ExportOptions::default())
}
