//! Assertions and values that the tests of all problems share.

use std::sync::Arc;

use crate::Error;
use crate::backend::Limits;
use crate::data::import::{BadLines, Mapped, Mapping, Request, Sheet, UnknownNames, problem_line, run};
use crate::data::{DataTable, Dataset, TableSpec, Tables, to_csv};
use crate::planning::ProblemDescriptor;
use crate::problem::{Detection, Nouns, Problem, Profile};
use crate::result::{Encoded, FORMAT, InstanceReference, RunResult, Verdict};
use crate::scene::{Anchor, Scene, Shape, fonts};
use crate::search::StopReason;
use crate::search::driver::Plan;

/// Texts of a scene in drawing order.
pub fn texts(scene: &Scene) -> Vec<&str> {
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

/// Asserts that every shape lies within the picture.
pub fn assert_inside(scene: &Scene) {
    let inside = |x: f32, y: f32| (-0.5..=scene.width + 0.5).contains(&x) && (-0.5..=scene.height + 0.5).contains(&y);
    for shape in &scene.shapes {
        let good = match shape {
            Shape::Rectangle { x, y, width, height, .. } => {
                inside(*x, *y) && inside(x + width, y + height) && *width >= 0.0 && *height >= 0.0
            }
            Shape::Picture { x, y, width, height, .. } => inside(*x, *y) && inside(x + width, y + height),
            Shape::Line { points, .. } => points.iter().all(|&(x, y)| inside(x, y)),
            Shape::Text { x, y, size, anchor, text, bold, upright, .. } => {
                let width = fonts::text_width(text, *size, *bold);
                let start = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -width / 2.0,
                    Anchor::End => -width,
                };
                let at = |along: f32| if *upright { inside(*x, y - along) } else { inside(x + along, *y) };
                at(start) && at(start + width)
            }
        };
        assert!(good, "{shape:?} of {} × {}", scene.width, scene.height);
    }
}

/// Limits that a small card reports, with `free` bytes of free memory.
pub fn small_card(free: u64) -> Limits {
    let name = "small card".to_owned();
    Limits {
        name,
        shared_per_block: 61 << 10,
        shared_per_multiprocessor: 64 << 10,
        multiprocessors: 14,
        further: Vec::new(),
        free,
    }
}

/// Writes the tables of an instance as CSV files, imports these, and asserts that the same instance comes back.
pub fn assert_imported_again<T: Tables + PartialEq + std::fmt::Debug>(instance: &T) {
    let data = instance.to_data();
    let listed = |&at: &usize| !T::TABLES[at].is_form && !data.tables[at].rows.is_empty();
    let is_missing = |(spec, table): (&TableSpec, &DataTable)| spec.is_required && table.rows.is_empty();
    if T::TABLES.iter().zip(&data.tables).any(is_missing) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut sheets, mut base) = (Vec::new(), data.clone());
    for at in (0..T::TABLES.len()).filter(listed) {
        let path = folder.path().join(format!("{}.csv", T::TABLES[at].id));
        crate::files::write(&path, to_csv(&T::TABLES[at], &data.tables[at]).as_bytes()).unwrap();
        let sheet = Sheet::read(&path, T::TABLES, None, Some(b',')).unwrap().remove(0);
        let mapping = Mapping::guess_below(&sheet, T::TABLES, at, Some(0));
        sheets.push(Mapped { sheet: Arc::new(sheet), mapping });
        base.tables[at].rows = Default::default();
    }
    let name = data.name.clone();
    let request = Request { name, sheets, base, bad_lines: BadLines::Stop, unknown: UnknownNames::AreWrong.into() };
    let outcome = run(T::TABLES, &request);
    let problems: Vec<String> = outcome.problems.iter().map(|problem| problem_line(&request, problem)).collect();
    assert_eq!(outcome.obstacle, None, "{problems:?}");
    let imported = Dataset { hash: data.hash.clone(), ..outcome.data };
    assert_eq!(imported.tables, data.tables, "{problems:?}");
    assert_eq!(T::of_data(&imported).unwrap(), *instance);
}

/// The descriptor of a problem whose instances tests make themselves.
pub(crate) const NO_INSTANCES: ProblemDescriptor = ProblemDescriptor {
    tables: &[],
    empty_data: |name| Dataset::empty(&[], name),
    check_data: |_| Ok(String::new()),
    normal_data: |_| None,
    update_project: |_, _| Ok(Vec::new()),
    read_data: |source, _| Err(Error::Usage(format!("{source} is not opened"))),
    template: || None,
    algorithms: &[],
    parameters: |_| &[],
    open: |source, _| Err(Error::Usage(format!("{source} is not opened"))),
};

/// The profile of a problem without instances.
pub const fn toy(id: &'static str) -> Profile {
    let nouns = Nouns { instance: "a toy", instances: "toys", heading: "Toys", solution: "a plan", plan: "plan" };
    Profile::new(id, nouns, "a toy is no file", NO_INSTANCES, |_| Ok(()))
}

/// A problem without instances, for tests of what knows no problem.
pub struct Toy(pub &'static Profile);

impl Problem for Toy {
    fn profile(&self) -> &'static Profile {
        self.0
    }

    fn detect(&self, _source: &str, _start: &[u8]) -> Detection {
        Detection::No
    }
}

/// The result of a run of the problem [`toy`] with this seed and end, in seconds since 1970.
pub fn result(seed: u64, finished_at: i64) -> RunResult {
    RunResult {
        format: FORMAT,
        program: "gridwright".to_owned(),
        problem: "toy".to_owned(),
        instance: InstanceReference {
            name: "tiny".to_owned(),
            source: "tiny.stu".to_owned(),
            hash: "abc".to_owned(),
            options: Default::default(),
        },
        algorithm: "annealing".to_owned(),
        parameters: Default::default(),
        seed,
        backend: "cpu".to_owned(),
        device: "CPU".to_owned(),
        threads: 1,
        plan: Plan { steps: Some(1), epoch: 1, ..Plan::default() },
        time_limit: None,
        stop_reason: StopReason::Budget,
        finished_at,
        seconds: 1.0,
        generations: 1,
        evaluations: 1,
        curve: Vec::new(),
        improvements: Vec::new(),
        digests: Vec::new(),
        solution: Encoded::of(&0),
        verdict: Verdict {
            feasible: true,
            cost: 0.0,
            cost_display: "0.00".to_owned(),
            confirmed: true,
            violations: Vec::new(),
        },
        notes: Vec::new(),
        device_notes: Vec::new(),
        demands: None,
        front: None,
    }
}
