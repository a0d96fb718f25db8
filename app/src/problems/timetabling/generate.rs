//! `gridwright generate timetabling`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gridwright_core::text::ending;
use gridwright_core::{Error, Result, files};
use gridwright_timetabling::formats::{carter, csv};
use gridwright_timetabling::generator::{self, GeneratorOptions};
use gridwright_timetabling::{Instance, MAX_PERIODS};

use crate::arguments::values::density;
use crate::command::generate::{check_new, written};
use crate::command::text;
use crate::problem::Generator;

/// The generators of examination sessions.
pub const GENERATORS: [Generator; 1] = [Generator {
    name: "timetabling",
    about: "An examination session: faculties, programmes, years, core and elective courses, students",
    augment: GenerateTimetabling::augment_args,
    run: |matches| Generator::with::<GenerateTimetabling>(matches, timetabling),
}];

fn periods(text: &str) -> std::result::Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_PERIODS).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_PERIODS}"))
}

/// Parameters of a generated session; `None` takes the preset's value.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct GenerateTimetabling {
    /// The kind of institution, which gives every number that is not named
    #[arg(long, value_enum, default_value = "faculty")]
    pub preset: Preset,
    /// Number of exams
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub exams: Option<usize>,
    /// Number of students
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub students: Option<usize>,
    /// Share of ones in the conflict matrix, 0 to 1, to be approached
    #[arg(long, value_name = "D", value_parser = density, allow_negative_numbers = true)]
    pub density: Option<f64>,
    /// Number of periods
    #[arg(long, value_name = "N", value_parser = periods, allow_negative_numbers = true)]
    pub periods: Option<usize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// NAME.stu (with NAME.crs beside it), or a folder for enrolments.csv, exams.csv and periods.csv
    #[arg(long, value_name = "DIR_OR_FILE")]
    pub out: PathBuf,
}

/// Institutions that the generator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// About 40 exams.
    School,
    /// About 200 exams.
    Faculty,
    /// About 600 exams and 20,000 students.
    University,
    /// About 600 exams and 20,000 students, with rooms, examiners and students with extra time.
    Campus,
}

fn timetabling(arguments: &GenerateTimetabling) -> Result<()> {
    let form = Form::of(&arguments.out)?;
    form.files().iter().try_for_each(|file| check_new(file))?;
    let instance = generator::generate(&options(arguments)?)?;
    let files = form.write(&instance)?;
    let (exams, students) = (instance.exam_count(), instance.students.len());
    let (periods, density) = (instance.period_count(), instance.conflicts.density());
    let summary = format!(
        "{}, {}, density {density:.4}; {}",
        text::plural(exams, "exam"),
        text::plural(students, "student"),
        match form {
            Form::Carter(_) => format!("the files do not hold the number of periods, solve with --periods {periods}"),
            Form::Tables(_) => text::plural(periods, "period"),
        }
    );
    written(&files, &summary, &instance.warnings);
    Ok(())
}

fn options(arguments: &GenerateTimetabling) -> Result<GeneratorOptions> {
    let preset = match arguments.preset {
        Preset::School => "school",
        Preset::Faculty => "faculty",
        Preset::University => "university",
        Preset::Campus => "campus",
    };
    let mut options = GeneratorOptions::preset(preset, arguments.seed)?;
    options.exams = arguments.exams.unwrap_or(options.exams);
    options.students = arguments.students.unwrap_or(options.students);
    options.density = arguments.density.unwrap_or(options.density);
    options.periods = arguments.periods.or(options.periods);
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
