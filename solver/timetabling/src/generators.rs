//! The generator of examination sessions, as `gridwright generate timetabling` and tests call it.

use std::path::{Path, PathBuf};

use gridwright_core::numbers::counted;
use gridwright_core::planning::generators::{CommandOption, Generated, Generator, check_new, share};
use gridwright_core::problem::{Overrides, any_text, number_where, parses};
use gridwright_core::text::ending;
use gridwright_core::{Error, Result, files};

use crate::formats::{carter, csv};
use crate::generator::{self, GeneratorOptions};
use crate::{Instance, MAX_PERIODS};

/// The generators of examination sessions.
pub(crate) const GENERATORS: [Generator; 1] = [Generator {
    name: "timetabling",
    about: "An examination session: faculties, programmes, years, core and elective courses, students",
    options: &[
        CommandOption {
            values: &[
                ("school", "About 40 exams"),
                ("faculty", "About 200 exams"),
                ("university", "About 600 exams and 20,000 students"),
                ("campus", "About 600 exams and 20,000 students, with rooms, examiners and students with extra time"),
            ],
            ..CommandOption::new(
                "preset",
                "PRESET",
                "The kind of institution, which gives every number that is not named",
                any_text,
            )
            .or("faculty")
        },
        CommandOption::new("exams", "N", "Number of exams", parses::<usize>),
        CommandOption::new("students", "N", "Number of students", parses::<usize>),
        CommandOption::new("density", "D", "Share of ones in the conflict matrix, 0 to 1, to be approached", share),
        CommandOption::new("periods", "N", "Number of periods", |text| {
            let expected = || format!("expected a whole number from 1 to {MAX_PERIODS}");
            number_where(text, expected, |count| (1..=MAX_PERIODS).contains(count))
        }),
        CommandOption::new("seed", "N", "The seed of all random numbers", parses::<u64>).or("1"),
    ],
    out: (
        "DIR_OR_FILE",
        "NAME.stu (with NAME.crs beside it), or a folder for enrolments.csv, exams.csv and periods.csv",
    ),
    run: generate,
}];

fn generate(options: &Overrides, out: &Path) -> Result<Generated> {
    let form = Form::of(out)?;
    form.files().iter().try_for_each(|file| check_new(file))?;
    let instance = generator::generate(&generator_options(options)?)?;
    let files = form.write(&instance)?;
    let (exams, students) = (counted(instance.exam_count(), "exam"), counted(instance.students.len(), "student"));
    let (periods, density) = (instance.period_count(), instance.conflicts.density());
    let periods = match form {
        Form::Carter(_) => format!("the files do not hold the number of periods, solve with --periods {periods}"),
        Form::Tables(_) => counted(periods, "period"),
    };
    let summary = format!("{exams}, {students}, density {density:.4}; {periods}");
    Ok(Generated { files, summary, warnings: instance.warnings })
}

/// The numbers of the preset with those that are named in their places.
fn generator_options(named: &Overrides) -> Result<GeneratorOptions> {
    let mut options = GeneratorOptions::preset(&named.required::<String>("preset")?, named.required("seed")?)?;
    options.exams = named.value("exams")?.unwrap_or(options.exams);
    options.students = named.value("students")?.unwrap_or(options.students);
    options.density = named.value("density")?.unwrap_or(options.density);
    options.periods = named.value("periods")?.or(options.periods);
    Ok(options)
}

/// Files that an instance is written to.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// Carter format: this `.stu`, with the `.crs` beside it.
    Carter(PathBuf),
    /// Comma-separated tables in this folder.
    Tables(PathBuf),
}

/// The table by which a folder is opened.
const ENROLMENTS: &str = "enrolments.csv";

impl Form {
    fn of(out: &Path) -> Result<Self> {
        match ending(out).as_str() {
            _ if out.is_dir() => Ok(Self::Tables(out.to_path_buf())),
            "stu" | "crs" => Ok(Self::Carter(out.with_extension("stu"))),
            "csv" if out.ends_with(ENROLMENTS) => {
                Ok(Self::Tables(out.parent().map(Path::to_path_buf).unwrap_or_default()))
            }
            "csv" => Err(Error::file(out, "several tables are written; name a folder for them")),
            _ => Ok(Self::Tables(out.to_path_buf())),
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Carter(students) => vec![students.clone(), students.with_extension("crs")],
            Self::Tables(folder) => {
                let names = ["exams", "periods", "rooms", "people", "examiners", "arrangements"];
                let others = names.map(|name| folder.join(name).with_extension("csv"));
                std::iter::once(folder.join(ENROLMENTS)).chain(others).collect()
            }
        }
    }

    fn write(&self, instance: &Instance) -> Result<Vec<PathBuf>> {
        match self {
            Self::Carter(students) => {
                let courses = students.with_extension("crs");
                files::write(&courses, carter::write_courses(instance).as_bytes())?;
                files::write(students, carter::write_students(instance).as_bytes())?;
                Ok(vec![students.clone(), courses])
            }
            Self::Tables(folder) => csv::write_folder(instance, folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_which_files_are_written() {
        assert_eq!(Form::of(Path::new("a/b.stu")).unwrap(), Form::Carter(PathBuf::from("a/b.stu")));
        assert_eq!(Form::of(Path::new("a/new")).unwrap(), Form::Tables(PathBuf::from("a/new")));
        assert_eq!(Form::of(Path::new("a/enrolments.csv")).unwrap(), Form::Tables(PathBuf::from("a")));
        assert!(Form::of(Path::new("a/b.csv")).unwrap_err().to_string().contains("name a folder"));
        assert_eq!(Form::Carter(PathBuf::from("b.stu")).files(), [PathBuf::from("b.stu"), PathBuf::from("b.crs")]);
    }
}
