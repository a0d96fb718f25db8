//! Exports at the command line: tables, calendars, reports, comparisons.

use std::path::{Path, PathBuf};
use std::process::Output;

use gridwright_core::result::RunResult;
use gridwright_tests::{gridwright, output_of, workspace};
use serde_json::Value;

/// The shipped school with its calendar, solved twice.
struct School {
    folder: tempfile::TempDir,
}

impl School {
    fn solved() -> Self {
        let school = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(school.path("school")).unwrap();
        for table in ["enrolments.csv", "exams.csv", "periods.csv"] {
            let from = workspace().join("datasets/timetabling/school").join(table);
            std::fs::copy(from, school.path("school").join(table)).unwrap();
        }
        school.done("solve school/enrolments.csv --seed 1 --generations 3000 --quiet --out a.ron --export a.sol");
        school.done("solve school/enrolments.csv --seed 2 --generations 3000 --quiet --out b.ron --export b.sol");
        school
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, line: &str) -> Output {
        output_of(gridwright().args(line.split_whitespace()).current_dir(self.folder.path()))
    }

    fn done(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must fail and leave the folder as it was; returns its message.
    fn refused(&self, line: &str) -> String {
        let before = listing(self.folder.path());
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert_eq!(listing(self.folder.path()), before, "{line} wrote something");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("error: ") && !errors.contains("panicked"), "{line}: {errors}");
        errors
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.done(line)).unwrap()
    }

    fn lines(&self, name: &str) -> usize {
        std::fs::read_to_string(self.path(name)).unwrap().lines().count()
    }
}

/// Every file below a folder with its content.
fn listing(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(listing(&path)),
            false => files.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    files.sort();
    files
}

#[test]
fn everything_is_written_by_exam_by_period_and_by_student() {
    let school = School::solved();
    let targets = "plan.csv plan.periods.csv students.csv plan.xlsx plan.ics plan.students.zip plan.pdf report.pdf";
    let written = school.done(&format!("export school/enrolments.csv a.ron --to {targets}"));
    assert_eq!(written.lines().collect::<Vec<_>>(), targets.split(' ').collect::<Vec<_>>());
    let (exams, enrolments) = (school.lines("school/exams.csv"), school.lines("school/enrolments.csv"));
    assert_eq!((school.lines("plan.csv"), school.lines("students.csv")), (exams, enrolments));
    assert!(school.lines("plan.periods.csv") >= exams);
    let calendar = std::fs::read_to_string(school.path("plan.ics")).unwrap();
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), exams - 1);
    assert!(std::fs::read(school.path("plan.students.zip")).unwrap().starts_with(b"PK"));
    for document in ["plan.pdf", "report.pdf"] {
        assert!(std::fs::read(school.path(document)).unwrap().starts_with(b"%PDF-"));
    }
    assert_ne!(std::fs::read(school.path("plan.pdf")).unwrap(), std::fs::read(school.path("report.pdf")).unwrap());
    // A solution without a run has a report too, and one with another plan has more.
    school.done("export school/enrolments.csv a.sol --to plain.report.pdf");
    school.done("export school/enrolments.csv a.sol --compare b.ron --to compared.report.pdf");
    let size = |name: &str| std::fs::metadata(school.path(name)).unwrap().len();
    assert!(size("plain.report.pdf") < size("report.pdf") && size("plain.report.pdf") < size("compared.report.pdf"));
}

/// The letterhead of the command line stands in every kind of document, and a logo that cannot be used stops before anything
/// is written.
#[test]
fn documents_have_a_letterhead() {
    let school = School::solved();
    let picture = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>";
    std::fs::write(school.path("logo.svg"), picture).unwrap();
    std::fs::write(school.path("bad.png"), "no picture").unwrap();
    let size = |name: &str| std::fs::metadata(school.path(name)).unwrap().len();
    school.done("export school/enrolments.csv a.ron --to plain.pdf plain.report.pdf");
    school.done("export school/enrolments.csv a.ron --institution University --logo logo.svg --to plan.pdf report.pdf");
    assert!(size("plan.pdf") > size("plain.pdf") + 200 && size("report.pdf") > size("plain.report.pdf") + 200);
    for problem in ["workshop", "layout-workshop", "backpack"] {
        school.done(&format!("solve sample:{problem} --seconds 1 --quiet --out {problem}.ron --export {problem}.pdf"));
        let export = format!("export sample:{problem} {problem}.ron --institution University --logo logo.svg");
        school.done(&format!("{export} --to {problem}-headed.pdf"));
        assert!(size(&format!("{problem}-headed.pdf")) > size(&format!("{problem}.pdf")) + 200, "{problem}");
    }
    let refused = |options: &str| school.refused(&format!("export school/enrolments.csv a.ron {options}"));
    assert!(refused("--logo bad.png --to refused.pdf").contains("choose a PNG, JPEG or SVG file"));
    assert!(refused("--logo none.png --to refused.pdf").contains("none.png"));
    assert!(refused("--logo logo.svg --to logo.svg refused.pdf").contains("overwritten"));
    assert!(refused("--institution University --to refused.csv").contains("--to plan.pdf"));
    assert!(!school.path("refused.pdf").exists() && !school.path("refused.csv").exists());
}

#[test]
fn one_student_has_a_calendar() {
    let school = School::solved();
    school.done("export school/enrolments.csv a.sol --student s1 --to s1.ics");
    let enrolments = std::fs::read_to_string(school.path("school/enrolments.csv")).unwrap();
    let sits = enrolments.lines().filter(|line| line.starts_with("s1,")).count();
    let calendar = std::fs::read_to_string(school.path("s1.ics")).unwrap();
    assert!(sits > 0);
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), sits);
    // A time zone is stated and defined; other formats have none.
    school.done("export school/enrolments.csv a.sol --time-zone Europe/Berlin --to zone.ics zone.students.zip");
    let zoned = std::fs::read_to_string(school.path("zone.ics")).unwrap();
    assert!(zoned.contains("BEGIN:VTIMEZONE") && zoned.contains("DTSTART;TZID=Europe/Berlin:"), "{zoned}");
    let all = "export school/enrolments.csv a.sol --language de --institution Uni --time-zone Europe/Berlin --to all.documents.zip";
    school.done(all);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(school.path("all.documents.zip")).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let page = names.iter().position(|name| name.ends_with("page.html")).unwrap();
    let page = std::io::read_to_string(archive.by_index(page).unwrap()).unwrap();
    assert!(page.contains("lang=\"de\"") && page.contains("Europe/Berlin"), "{page}");
    let wrong = "export school/enrolments.csv a.sol --time-zone Berlin --to x.ics";
    assert!(school.refused(wrong).contains("write a name such as Europe/Berlin"));
    assert!(school.refused("export school/enrolments.csv a.sol --time-zone UTC --to x.pdf").contains("--time-zone"));
    assert!(school.refused("export school/enrolments.csv a.sol --student nobody --to x.ics").contains("“nobody”"));
    assert!(school.refused("export school/enrolments.csv a.sol --student s1 --to x.ics x.pdf").contains("--student"));
}

#[test]
fn the_calendar_of_the_instance_is_never_overwritten() {
    let school = School::solved();
    for target in ["school/periods.csv", "school/exams.csv", "school/enrolments.csv", "a.sol"] {
        let errors = school.refused(&format!("export school/enrolments.csv a.sol --to {target}"));
        assert!(errors.contains("would be overwritten"), "{errors}");
    }
    let line = "solve school/enrolments.csv --generations 10 --quiet --export school/periods.csv";
    assert!(school.refused(line).contains("would be overwritten"));
    let errors = school.refused("export school/enrolments.csv a.sol --compare b.sol --to plan.pdf");
    assert!(errors.contains("--to report.pdf") && errors.contains("gridwright compare"), "{errors}");
}

#[test]
fn a_session_without_dates_has_no_calendars_and_says_so_before_anything_is_written() {
    let school = School::solved();
    std::fs::remove_file(school.path("school/periods.csv")).unwrap();
    for target in ["x.ics", "x.students.zip"] {
        let errors = school.refused(&format!("export school/enrolments.csv a.sol --periods 12 --to y.csv {target}"));
        assert!(errors.contains("periods.csv") && errors.contains("date,start,end"), "{errors}");
    }
    school.done("export school/enrolments.csv a.sol --periods 12 --to report.pdf plan.pdf students.csv");
}

#[test]
fn two_timetables_are_compared() {
    let school = School::solved();
    let there = school.json("compare school/enrolments.csv a.sol b.sol --minimise toronto --json");
    let back = school.json("compare school/enrolments.csv b.sol a.sol --minimise toronto --json");
    for (side, file) in [("a", "a.sol"), ("b", "b.sol")] {
        let verdict = school.json(&format!("verify school/enrolments.csv {file} --minimise toronto --json"));
        assert_eq!(there[side]["cost"], verdict["cost"]);
        assert_eq!(there[side]["cost_display"], verdict["cost_display"]);
        assert_eq!(there[side]["feasible"], true);
    }
    // The objective of offices is not divided by the number of students, and its cost is shown as it is.
    let office = school.json("compare school/enrolments.csv a.sol b.sol --minimise office --json");
    for (side, file) in [("a", "a.sol"), ("b", "b.sol")] {
        let verdict = school.json(&format!("verify school/enrolments.csv {file} --minimise office --json"));
        assert_eq!(
            [&office[side]["cost"], &office[side]["cost_display"]],
            [&verdict["cost"], &verdict["cost_display"]]
        );
        assert_eq!(verdict["cost"], verdict["cost_display"]);
    }
    let number = |value: &Value| value.as_i64().unwrap();
    let students = &there["students"];
    assert_eq!(["better", "worse", "equal"].map(|key| number(&students[key])).iter().sum::<i64>(), 400);
    assert_eq!((&students["better"], &students["worse"]), (&back["students"]["worse"], &back["students"]["better"]));
    let moved = there["moved"].as_array().unwrap();
    assert!(!moved.is_empty() && moved.len() == back["moved"].as_array().unwrap().len());
    for (one, other) in moved.iter().zip(back["moved"].as_array().unwrap()) {
        assert_eq!((&one["exam"], &one["from"], &one["to"]), (&other["exam"], &other["to"], &other["from"]));
        assert_ne!(one["from"], one["to"]);
    }
    let loser = &students["losers"][0];
    assert!(number(&loser["a"]["cost"]) < number(&loser["b"]["cost"]), "{loser}");
    let text = school.done("compare school/enrolments.csv a.sol b.sol --minimise toronto");
    assert!(text.contains("Cost per student") && text.contains(&format!("Moved: {} exams", moved.len())), "{text}");
    let same = school.json("compare school/enrolments.csv a.sol a.ron --json");
    assert_eq!((same["moved"].as_array().unwrap().len(), number(&same["students"]["equal"])), (0, 400));
    assert!(school.refused("compare school/enrolments.csv a.sol missing.sol").contains("no such file"));
}

/// 32 students, one of whom sits both exams: five periods apart they cost 1 / 32 = 0.03125, a tie.
#[test]
fn a_tie_of_four_decimals_reads_the_same_everywhere() {
    let school = School { folder: tempfile::tempdir().unwrap() };
    let others: String = (2..=32).map(|student| format!("s{student},A\n")).collect();
    std::fs::write(school.path("tie.csv"), format!("student,exam\ns1,A\ns1,B\n{others}")).unwrap();
    school.done("solve tie.csv --periods 6 --generations 2000 --quiet --out tie.ron --export tie.sol");
    let kept = RunResult::load(&school.path("tie.ron")).unwrap();
    assert_eq!((kept.verdict.cost, kept.verdict.cost_display.as_str()), (1.0, "0.0313"));
    assert_eq!(school.json("verify tie.csv tie.sol --periods 6 --json")["cost_display"], 0.0313);
    assert!(school.done("verify tie.csv tie.sol --periods 6").contains("0.0313 (1 undivided)"));
    assert!(school.done("compare tie.csv tie.sol tie.ron --periods 6").contains("0.0313"));
    school.done("export tie.csv tie.sol --periods 6 --to tie.svg");
    assert!(std::fs::read_to_string(school.path("tie.svg")).unwrap().contains(">0.0313<"));
}
