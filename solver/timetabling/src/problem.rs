//! Examination timetabling as the rest of the program sees it.

use std::path::{Path, PathBuf};

use super::around::HIGHEST_PRICE;
use super::run::holding::hold;
use super::stored::{Demands, StoredSolution};
use super::{
    ExtraTimePlace, MAX_PERIODS, Objective, StudentLimits, TimeZone, check, export, formats, generator, project, run,
};
use gridwright_core::problem::{Detection, Nouns, OptionScope, OptionSpec, Problem, Profile, any_text, number_where};
use gridwright_core::project::Project;
use gridwright_core::result::{Encoded, RunResult, SENSELESS};
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

/// Examination timetabling.
pub struct Timetabling;
use crate::generators::GENERATORS;
use crate::suites::MEASUREMENTS;

/// Options of examination sessions on the command line.
const OPTIONS: [OptionSpec; 12] = [
    OptionSpec {
        name: "periods",
        value_name: "N",
        help: "Number of periods of a session, instead of the file's or the published one",
        scope: OptionScope::Instance { changes_data: false, of_files: false, default: None },
        check: |text| {
            let expected = || format!("expected a whole number from 1 to {MAX_PERIODS}");
            number_where(text, expected, |count: &usize| (1..=MAX_PERIODS).contains(count))
        },
    },
    OptionSpec {
        name: "minimise",
        value_name: "OBJECTIVE",
        help: "What is minimised: office, toronto or itc-2007, and weights such as in_a_row=200, separated by commas",
        scope: OptionScope::Instance { changes_data: false, of_files: false, default: None },
        check: |text| Objective::parse(text, &Objective::default()).map(drop),
    },
    OptionSpec {
        name: "extra-time",
        value_name: "PLACE",
        help: "Where students with extra time sit: same-room (the usual), apart where there are free rooms (mixed_durations then costs more than opened unless --minimise names it), own-room, or common-room, which is a room marked as extra time room",
        scope: OptionScope::Instance { changes_data: false, of_files: false, default: None },
        check: |text| extra_time_place(text).map(drop),
    },
    OptionSpec {
        name: "limits",
        value_name: "LIMITS",
        help: "Limits for every student, separated by commas: a_day=2, in_a_row=1, in_days=3 with days=5, days_apart=1, \
               minutes_apart=90; none for no limit",
        scope: OptionScope::Instance { changes_data: false, of_files: false, default: None },
        check: |text| StudentLimits::parse(text).map(drop),
    },
    OptionSpec {
        name: "around",
        value_name: "FILE",
        help: "Stay close to this timetable of an earlier state of the session, with its rooms: a result or a timetable file",
        scope: OptionScope::Solve,
        check: any_text,
    },
    OptionSpec {
        name: "hold",
        value_name: "ITEM=PLACE",
        help: "With --around: EXAM=PERIOD, this exam is in this period, counted from 1, and the others make room for it",
        scope: OptionScope::Solve,
        check: |text| hold(text).map(drop),
    },
    OptionSpec {
        name: "price",
        value_name: "C",
        help: "With --around: undivided cost that moving one more exam must save (by default as few exams as possible move)",
        scope: OptionScope::Solve,
        check: is_price,
    },
    OptionSpec {
        name: "room-price",
        value_name: "C",
        help: "With --around: undivided cost that another room for an exam must save (by default a quarter of --price)",
        scope: OptionScope::Solve,
        check: is_price,
    },
    OptionSpec {
        name: "leave-out",
        value_name: "FEWEST",
        help: "Where not everything fits: fewest “students” or fewest “exams” without a place (default students)",
        scope: OptionScope::Solve,
        check: |text| is_fewest_exams(text).map(drop),
    },
    OptionSpec {
        name: "student",
        value_name: "CODE",
        help: "The code of the one student whose calendar (.ics) is written",
        scope: OptionScope::Export { endings: &["ics"] },
        check: any_text,
    },
    OptionSpec {
        name: "time-zone",
        value_name: "ZONE",
        help: "Time zone of calendars and of the page for students, such as Europe/Berlin (default: that of the project, or the reader's)",
        scope: OptionScope::Export { endings: &["ics", "students.zip", "duties.zip", "page.html", "documents.zip"] },
        check: |text| text.parse::<TimeZone>().map(drop),
    },
    OptionSpec {
        name: "language",
        value_name: "CODE",
        help: "Language of what is handed on: en, de, fr, es, it or el (default: that of the project, or en)",
        scope: OptionScope::Export { endings: &LANGUAGE_ENDINGS },
        check: |text| language(text).map(drop),
    },
];

/// Formats that are written in the language of the project.
const LANGUAGE_ENDINGS: [&str; 15] = [
    "pdf", "programmes.pdf", "examiners.pdf", "doors.pdf", "registers.pdf", "seats.pdf", "packing.pdf", "changes.pdf",
    "duties.pdf", "invigilators.pdf", "ics", "students.zip", "duties.zip", "page.html", "documents.zip",
];

/// Language with this code.
pub(crate) fn language(code: &str) -> std::result::Result<Language, String> {
    code.parse().map_err(|_| "expected en, de, fr, es, it or el".to_owned())
}

/// Returns `true` if as few exams, and `false` if as few students as possible shall have no place.
pub(crate) fn is_fewest_exams(text: &str) -> std::result::Result<bool, String> {
    match text {
        "exams" => Ok(true),
        "students" => Ok(false),
        _ => Err("expected students or exams".to_owned()),
    }
}

/// Place of the students with extra time.
pub(crate) fn extra_time_place(text: &str) -> std::result::Result<ExtraTimePlace, String> {
    let place = ExtraTimePlace::ALL.into_iter().find(|place| place.key() == text);
    place.ok_or_else(|| "expected same-room, apart, own-room or common-room".to_owned())
}

/// Accepts prices, which are whole numbers.
fn is_price(text: &str) -> std::result::Result<(), String> {
    let expected = || format!("expected a whole number from 0 to {HIGHEST_PRICE}");
    number_where(text, expected, |price: &u32| *price <= HIGHEST_PRICE)
}

/// Constants of examination timetabling.
static PROFILE: Profile = Profile {
    samples: &generator::SAMPLES,
    hint_for_numbers: Some("if it is a list of students and their exams, give it the ending .stu"),
    violation_nouns: &check::NOUNS,
    options: &OPTIONS,
    generators: &GENERATORS,
    measurements: Some(&MEASUREMENTS),
    ..Profile::of::<Timetabling, StoredSolution>(
        "timetabling",
        Nouns {
            instance: "an examination session",
            instances: "examination sessions",
            heading: "Examination timetables",
            solution: "a timetable",
            plan: "timetable",
        },
        "an examination session is a table with the columns “student” and “exam”",
    )
};

impl Problem for Timetabling {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn detect(&self, source: &str, start: &[u8]) -> Detection {
        let certain = formats::looks_like(source, start) || formats::is_folder(&gridwright_core::source::path(source));
        if certain { Detection::Certain } else { Detection::No }
    }

    fn is_solution(&self, start: &[u8]) -> bool {
        export::begins_timetable(start)
    }

    fn input_files(&self, source: &str) -> Vec<PathBuf> {
        let path = gridwright_core::source::path(source);
        let folder =
            if path.is_dir() { path.clone() } else { path.parent().map(Path::to_path_buf).unwrap_or_default() };
        let beside = formats::csv::file_names().map(|name| folder.join(name));
        let twins = ["stu", "crs"].map(|ending| path.with_extension(ending));
        std::iter::once(path).chain(beside).chain(twins).collect()
    }

    fn load_old_project(&self, path: &Path) -> Option<Result<Project>> {
        project::load_old(path)
    }

    fn options_of_result(&self, result: &RunResult) -> Vec<(&'static str, String)> {
        // Without demands it is a session without dates, or one of the published problem.
        let rules = result.demands.as_ref().and_then(|_| run::rules_of(result));
        let Some(rules) = rules else { return Vec::new() };
        let extra_time = rules.extra_time.unwrap_or(ExtraTimePlace::Apart).key();
        let limits = (!rules.limits.is_empty()).then(|| ("limits", rules.limits.text()));
        let objective = rules.objective.unwrap_or_default().text();
        [("minimise", objective), ("extra-time", extra_time.to_owned())].into_iter().chain(limits).collect()
    }

    fn check_demands(&self, demands: &Encoded, is_of_run: bool) -> std::result::Result<(), String> {
        match is_of_run {
            true => demands.read::<Demands>().map(drop),
            false => demands.read::<project::SessionDemands>().map(drop),
        }
    }

    fn check_result(&self, result: &RunResult, path: &Path) -> Result<()> {
        // The stages of an annealing run are all the steps there are.
        let planned: u128 = result.plan.stages.iter().map(|&steps| u128::from(steps)).sum();
        if !result.plan.stages.is_empty() && u128::from(result.generations) > planned {
            return Err(Error::file(path, SENSELESS));
        }
        Ok(())
    }
}
