//! Comparison of two timetables as text and as JSON.

use gridwright_core::numbers::{counted, grouped, rounded};
use gridwright_core::text::aligned::columns;
use std::fmt::Write as _;
use std::path::Path;

use crate::comparison::{Comparison, Move, RoomChange, Side};
use crate::figures::{self, Value as Figure};
use crate::{Cost, Instance};
use serde_json::{Map, Value, json};

use gridwright_core::planning::Compared;
use gridwright_core::planning::whole;

/// Moved exams that are spelled out on a terminal; JSON has them all.
const MOVED: usize = 30;
/// Students who lose or gain most that are spelled out.
const STUDENTS: usize = 10;

/// Formats the differences of two timetables, whose files are `paths`, as text and as JSON.
pub(crate) fn compared(instance: &Instance, comparison: &Comparison, paths: [&Path; 2]) -> Compared {
    Compared { text: listing(instance, comparison, paths), json: object(instance, comparison, paths) }
}

fn listing(instance: &Instance, comparison: &Comparison, paths: [&Path; 2]) -> String {
    let mut rows = vec![["", "A", "B", "change"].map(str::to_owned)];
    for row in comparison.rows(instance) {
        let [a, b] = row.texts;
        let word = match row.trend {
            std::cmp::Ordering::Less => " better",
            std::cmp::Ordering::Greater => " worse",
            std::cmp::Ordering::Equal => "",
        };
        rows.push([row.label, a, b, format!("{}{word}", row.change)]);
    }
    let mut out = format!("A  {}\nB  {}\n\n{}", paths[0].display(), paths[1].display(), columns(&rows));
    let tally = comparison.tally();
    let [better, worse, equal] = [tally.better, tally.worse, tally.equal].map(|count| grouped(count as u64));
    let _ = writeln!(out, "\nStudents: {better} better off with B, {worse} worse off, {equal} as before");
    students(&mut out, instance, comparison, "lose", comparison.losers());
    students(&mut out, instance, comparison, "gain", comparison.gainers());
    let count = comparison.moved.len();
    let _ = writeln!(out, "\nMoved: {}", counted(count, "exam"));
    let rows: Vec<[String; 4]> = comparison.moved.iter().take(MOVED).map(|at| move_row(instance, at)).collect();
    out.push_str(&columns(&rows));
    if count > MOVED {
        let _ = writeln!(out, "… and {} more; --json lists them all", grouped((count - MOVED) as u64));
    }
    if instance.has_rooms() {
        rooms(&mut out, instance, &comparison.reseated);
    }
    out
}

/// Appends the exams with other rooms.
fn rooms(out: &mut String, instance: &Instance, reseated: &[RoomChange]) {
    let count = reseated.len();
    let _ = writeln!(out, "\nOther rooms: {}", counted(count, "exam"));
    let row = |change: &RoomChange| {
        let [from, to] = change.texts(instance);
        [instance.exams[change.exam].code.clone(), from, "→".to_owned(), to]
    };
    out.push_str(&columns(&reseated.iter().take(MOVED).map(row).collect::<Vec<_>>()));
    if count > MOVED {
        let _ = writeln!(out, "… and {} more; --json lists them all", grouped((count - MOVED) as u64));
    }
}

fn move_row(instance: &Instance, at: &Move) -> [String; 4] {
    let place = |period: Option<usize>| period.map_or("no period".to_owned(), |period| instance.period_label(period));
    [instance.exams[at.exam].code.clone(), place(at.from), "→".to_owned(), place(at.to)]
}

fn students(out: &mut String, instance: &Instance, comparison: &Comparison, verb: &str, list: &[usize]) {
    if list.is_empty() {
        return;
    }
    let row = |&student: &usize| {
        let [before, after] = comparison.students[student].map(|cost| grouped(cost.proximity));
        [instance.students.code(student), before, "→".to_owned(), after]
    };
    let _ = writeln!(out, "\nThose who {verb} most, by their own cost:");
    out.push_str(&columns(&list.iter().take(STUDENTS).map(row).collect::<Vec<_>>()));
}

/// Periods are counted from 1; costs of students are not divided.
fn object(instance: &Instance, comparison: &Comparison, paths: [&Path; 2]) -> Map<String, Value> {
    let tally = comparison.tally();
    let student = |&student: &usize| {
        let [before, after] = &comparison.students[student];
        let side = |cost: &Cost| json!({ "cost": cost.proximity, "clashes": cost.clashes, "unplaced": cost.unplaced });
        json!({ "student": instance.students.code(student), "a": side(before), "b": side(after) })
    };
    let some = |list: &[usize]| list.iter().take(100).map(student).collect::<Vec<Value>>();
    let moved = |at: &Move| {
        let [before, after] = comparison.shares[at.exam];
        json!({
            "exam": instance.exams[at.exam].code,
            "title": instance.exams[at.exam].title,
            "from": at.from.map(|period| period + 1),
            "to": at.to.map(|period| period + 1),
            "share": { "a": before, "b": after },
        })
    };
    // The outermost classes are open.
    let end = |value: i64| (value.abs() != i64::MAX).then_some(value);
    let classes = comparison.histogram();
    let class = classes.iter().map(|it| json!({ "from": end(it.from), "to": end(it.to), "students": it.students }));
    let mut object = Map::new();
    for (key, side, path) in [("a", &comparison.sides[0], paths[0]), ("b", &comparison.sides[1], paths[1])] {
        object.insert(key.to_owned(), Value::Object(side_object(instance, side, path)));
    }
    object.insert("moved".to_owned(), comparison.moved.iter().map(moved).collect());
    if instance.has_rooms() {
        let reseated = |change: &RoomChange| {
            let [from, to] = change.codes(instance);
            json!({ "exam": instance.exams[change.exam].code, "from": from, "to": to })
        };
        object.insert("reseated".to_owned(), comparison.reseated.iter().map(reseated).collect());
    }
    let students = json!({
        "better": tally.better,
        "worse": tally.worse,
        "equal": tally.equal,
        "losers": some(comparison.losers()),
        "gainers": some(comparison.gainers()),
        "changes": class.collect::<Vec<Value>>(),
    });
    object.insert("students".to_owned(), students);
    object
}

fn side_object(instance: &Instance, side: &Side, path: &Path) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("file".to_owned(), path.to_string_lossy().into());
    object.insert("feasible".to_owned(), side.cost.is_feasible().into());
    for figure in figures::of_timetable(instance, &side.counts, side.cost.proximity) {
        let value = match figure.value {
            Figure::Count(count) => json!(count),
            Figure::Cost(cost) => json!(rounded(cost)),
            Figure::Text(text) => json!(text),
        };
        object.insert(figure.key.to_owned(), value);
    }
    // Objectives that are not divided by the number of students have one figure for both.
    let shown = instance.shown(side.cost.proximity);
    object.entry("cost_display").or_insert_with(|| whole(rounded(shown)));
    object
}
