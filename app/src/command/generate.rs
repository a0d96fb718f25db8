//! `gridwright generate`: instances made from a seed.

use std::path::{Path, PathBuf};

use gridwright_solver::systolic::generator::{KnapsackOptions, ReleaseOptions};
use gridwright_solver::systolic::{self, library};
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::formats::{carter, csv};
use gridwright_solver::timetabling::generator::{self, GeneratorOptions};
use gridwright_solver::{Error, Result, files};
use gridwright_solver::{facility, flowshop};

use super::{Exit, outputs, text};
use crate::arguments::{
    Generate, GenerateFlowShop, GenerateKnapsack, GenerateLayout, GenerateNextRelease, GenerateTimetabling,
    LayoutPreset, Preset,
};

/// Makes an instance and writes it.
///
/// # Errors
/// The options do not go together, or the files cannot be written.
pub fn run(kind: &Generate) -> anyhow::Result<Exit> {
    match kind {
        Generate::Timetabling(arguments) => timetabling(arguments)?,
        Generate::FlowShop(arguments) => flow_shop(arguments)?,
        Generate::Layout(arguments) => layout(arguments)?,
        Generate::Knapsack(arguments) => {
            let &GenerateKnapsack { items, range, seed, ref out } = arguments;
            let options = KnapsackOptions { items, range, number: seed };
            binary(out, || systolic::generator::knapsack(&options))?;
        }
        Generate::NextRelease(arguments) => {
            let &GenerateNextRelease { customers, requirements, seed, ref out } = arguments;
            let options = ReleaseOptions { customers, requirements, seed };
            binary(out, || systolic::generator::release(&options, library::TENTHS))?;
        }
        Generate::Deceptive(arguments) => binary(&arguments.out, || systolic::generator::deceptive(arguments.bits))?,
        Generate::OneMax(arguments) => binary(&arguments.out, || systolic::generator::one_max(arguments.bits))?,
    }
    Ok(Exit::Done)
}

/// An instance is data that a person may have no second copy of: it is written to new files only.
fn check_new(file: &Path) -> Result<()> {
    outputs::check_writable(file)?;
    if file.exists() {
        return Err(Error::file(file, "it is there already and is not overwritten; choose another name"));
    }
    Ok(())
}

/// Makes a binary problem and writes it.
fn binary(out: &Path, make: impl FnOnce() -> Result<systolic::Instance>) -> Result<()> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !systolic::formats::WRITTEN.contains(&ending.as_str()) {
        let what = "a binary problem is written as .csv (a table with names), .txt (numbers only) or .ron (a document that \
                    holds any kind); choose one of these endings";
        return Err(Error::file(out, what));
    }
    check_new(out)?;
    let instance = make()?;
    systolic::formats::save(&instance, out)?;
    text::answer(&format!("{}\n", out.display()));
    let bits = text::plural(instance.bits(), instance.kind.bit_noun());
    text::note(&format!("{}, {bits}", instance.kind.noun()));
    instance.warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
    Ok(())
}

fn flow_shop(arguments: &GenerateFlowShop) -> Result<()> {
    let GenerateFlowShop { jobs, machines, seed, due_dates, out } = arguments;
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !flowshop::formats::WRITTEN.contains(&ending.as_str()) {
        let what =
            "a flow shop is written as .csv (a table with names) or .txt (numbers only); choose one of these endings";
        return Err(Error::file(out, what));
    }
    check_new(out)?;
    let options = flowshop::generator::GeneratorOptions {
        name: String::new(),
        jobs: *jobs,
        machines: *machines,
        seed: *seed,
        due_dates: *due_dates,
    };
    let instance = flowshop::generator::generate(&options)?;
    flowshop::formats::save(&instance, out)?;
    text::answer(&format!("{}\n", out.display()));
    let dated = if *due_dates { "with due dates" } else { "without due dates" };
    text::note(&format!("{}, {}, {dated}", text::plural(*jobs, "job"), text::plural(*machines, "machine")));
    instance.warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
    Ok(())
}

fn layout(arguments: &GenerateLayout) -> Result<()> {
    let GenerateLayout { preset, departments, density, seed, out } = arguments;
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !facility::formats::WRITTEN.contains(&ending.as_str()) {
        let what = "a layout problem is written as .csv (one table) or .ron (everything); choose one of these endings";
        return Err(Error::file(out, what));
    }
    check_new(out)?;
    let preset = match preset {
        LayoutPreset::Uniform => facility::generator::Preset::Uniform,
        LayoutPreset::Plant => facility::generator::Preset::Plant,
    };
    let options = facility::generator::GeneratorOptions {
        name: String::new(),
        preset,
        departments: *departments,
        density: *density,
        seed: *seed,
    };
    let instance = facility::generator::generate(&options)?;
    facility::formats::save(&instance, out)?;
    text::answer(&format!("{}\n", out.display()));
    text::note(
        &format!(
            "{} in a plant of {} × {}, {}",
            text::plural(*departments, "department"),
            text::number(instance.width),
            text::number(instance.height),
            text::plural(instance.flow_pairs(), "pair with flow"),
        )
        .replace("pair with flows", "pairs with flow"),
    );
    instance.warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
    Ok(())
}

fn timetabling(arguments: &GenerateTimetabling) -> Result<()> {
    let form = Form::of(&arguments.out)?;
    form.files().iter().try_for_each(|file| check_new(file))?;
    let instance = generator::generate(&options(arguments)?)?;
    for path in form.write(&instance)? {
        text::answer(&format!("{}\n", path.display()));
    }
    let (exams, students) = (instance.exam_count(), instance.students.len());
    let (periods, density) = (instance.period_count(), instance.conflicts.density());
    text::note(&format!(
        "{}, {}, density {density:.4}; {}",
        text::plural(exams, "exam"),
        text::plural(students, "student"),
        match form {
            Form::Carter(_) => format!("the files do not hold the number of periods, solve with --periods {periods}"),
            Form::Tables(_) => text::plural(periods, "period"),
        }
    ));
    instance.warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
    Ok(())
}

fn options(arguments: &GenerateTimetabling) -> Result<GeneratorOptions> {
    let preset = match arguments.preset {
        Preset::School => "school",
        Preset::Faculty => "faculty",
        Preset::University => "university",
    };
    let mut options = GeneratorOptions::preset(preset, arguments.seed)?;
    options.exams = arguments.exams.unwrap_or(options.exams);
    options.students = arguments.students.unwrap_or(options.students);
    options.density = arguments.density.unwrap_or(options.density);
    options.periods = arguments.periods.or(options.periods);
    Ok(options)
}

/// In which files an instance is written.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// This `.stu`, with the `.crs` beside it.
    Carter(PathBuf),
    /// Comma-separated tables in this folder.
    Tables(PathBuf),
}

/// The table by which a folder is opened.
const ENROLMENTS: &str = "enrolments.csv";

impl Form {
    fn of(out: &Path) -> Result<Self> {
        let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            _ if out.is_dir() => Ok(Self::Tables(out.to_path_buf())),
            Some("stu" | "crs") => Ok(Self::Carter(out.with_extension("stu"))),
            Some("csv") if out.ends_with(ENROLMENTS) => {
                Ok(Self::Tables(out.parent().map(Path::to_path_buf).unwrap_or_default()))
            }
            Some("csv") => Err(Error::file(out, "several tables are written; name a folder for them")),
            _ => Ok(Self::Tables(out.to_path_buf())),
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Carter(students) => vec![students.clone(), students.with_extension("crs")],
            Self::Tables(folder) => [ENROLMENTS, "exams.csv", "periods.csv"].map(|name| folder.join(name)).to_vec(),
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
