//! The shipped sessions equal the output of the generator.

use std::path::{Path, PathBuf};

use gridwright_timetabling::formats::{self, LoadOptions, csv};
use gridwright_timetabling::generator::{PRESETS, SAMPLE_SEED, sample};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/timetabling")
}

#[test]
fn shipped_files_are_what_the_generator_makes() {
    for preset in PRESETS {
        let instance = sample(preset).unwrap();
        for (name, text) in [
            ("enrolments.csv", csv::write_enrolments(&instance)),
            ("exams.csv", csv::write_exams(&instance)),
            ("periods.csv", csv::write_periods(&instance)),
        ] {
            let file = std::fs::read_to_string(shipped().join(preset).join(name)).unwrap();
            assert!(
                file == text,
                "{preset}/{name} is old: cargo run -p gridwright-timetabling --example write_samples"
            );
        }
    }
}

#[test]
fn a_shipped_session_is_the_sample_of_its_name() {
    for preset in PRESETS {
        let loaded = formats::load(&shipped().join(preset).join("enrolments.csv"), &LoadOptions::default()).unwrap();
        assert_eq!(loaded.warnings, [""; 0]);
        let made = formats::open(&format!("sample:{preset}"), &LoadOptions::default()).unwrap();
        assert!(made.warnings[0].contains("invented"));
        // Tables of an office with dates get its objective; the samples have that of the published comparisons.
        let objective = loaded.objective.clone();
        assert_eq!(loaded, gridwright_timetabling::Instance { warnings: Vec::new(), objective, ..made });
    }
}

#[test]
fn the_table_of_the_readme_is_true() {
    let readme = std::fs::read_to_string(shipped().join("README.md")).unwrap();
    for preset in PRESETS {
        let instance = sample(preset).unwrap();
        let row = format!(
            "| `{preset}` | {} | {} | {} | {:.3} | {} | `gridwright generate timetabling --preset {preset} --seed {SAMPLE_SEED} --out datasets/timetabling/{preset}` |",
            instance.exam_count(),
            instance.students.len(),
            instance.enrolments(),
            instance.conflicts.density(),
            instance.period_count(),
        );
        assert!(readme.contains(&row), "this row is missing in the README:\n{row}");
    }
}
