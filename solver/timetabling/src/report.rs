//! Printable report of a timetable: cost, demands on students, loads of periods, origin, checks, and the differences
//! from another timetable.
//!
//! An office keeps it beside the plan to account for it later: it contains everything that is needed to find the same
//! data and to make the same timetable again.

mod charts;
mod page;

use std::cmp::Ordering;

use chrono::{DateTime, Local, TimeZone, Utc};

use self::page::{Cell, GOOD, Pages};
use super::bounds::LowerBound;
use super::check::{self, Component, Verdict};
use super::comparison::Comparison;
use super::counts::{TimetableStatistics, days, grouped};
use super::drawing::Palette;
use super::figures::{self, Figure, Value};
use super::late_enrolments::LateEnrolments;
use super::occupancy::{Occupancy, RoomUse};
use super::{ExtraTimePlace, Instance, Timetable, rule_lines};
use gridwright_core::export::stamp::Stamp;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::result::RunResult;
use gridwright_core::scene::Scene;
use gridwright_core::scene::pdf::{Bookmark, pages_to_pdf};
use gridwright_core::search::StopReason;
use gridwright_core::statistics::summary;
use gridwright_core::text::lines::listed;
use gridwright_core::text::sentence_case;
use gridwright_core::{Result, numbers};

/// Optional contents of a report; `None` is left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Background<'a> {
    /// Run that made the timetable.
    pub result: Option<&'a RunResult>,
    /// Name and timetable to compare with, of the same instance; taken as «before».
    pub before: Option<(&'a str, &'a Timetable)>,
}

/// Maximum number of violations listed.
const LISTED: usize = 60;
/// Maximum number of students listed who lose by the change.
const LOSERS: usize = 20;

/// Writes the report as PDF; `now` is its date.
///
/// # Errors
/// As for [`pages_to_pdf`]; [`Error::Usage`](gridwright_core::Error::Usage) if the other timetable does not belong
/// to the instance.
pub fn report(
    instance: &Instance, timetable: &Timetable, verdict: &Verdict, background: &Background<'_>,
    letterhead: &Letterhead, now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    let (mut pages, bookmarks) = pages(instance, timetable, verdict, background, letterhead, now)?;
    if let Some(stamp) = Stamp::of(&verdict.violations, &check::NOUNS) {
        stamp.mark(&mut pages);
    }
    pages_to_pdf(&pages, &bookmarks)
}

/// Pages of the report with their bookmarks.
fn pages(
    instance: &Instance, timetable: &Timetable, verdict: &Verdict, background: &Background<'_>,
    letterhead: &Letterhead, now: DateTime<Utc>,
) -> Result<(Vec<Scene>, Vec<Bookmark>)> {
    let counts = TimetableStatistics::of(instance, timetable);
    let mut pages = Pages::new(&format!("{}: report on the timetable", instance.name));
    let program = concat!("gridwright ", env!("CARGO_PKG_VERSION"));
    pages.letterhead(letterhead);
    pages.title(&format!("{} · {program}", moment(&now.with_timezone(&Local))));
    head(&mut pages, instance, &counts, verdict);
    pages.section("Session", 60.0);
    pages.facts(&session(instance));
    asked(&mut pages, instance, timetable, &counts, verdict);
    bounded(&mut pages, instance, verdict);
    components(&mut pages, instance, verdict);
    if instance.period_count() > 0 {
        pages.section("Students per period", 150.0);
        pages.chart(150.0, |scene, area| charts::loads(scene, area, instance, &counts));
    }
    rooms(&mut pages, instance, timetable);
    in_force(&mut pages, instance);
    checked(&mut pages, verdict);
    if let Some(result) = background.result {
        made(&mut pages, instance, result);
    }
    pages.section("To find and make it again", 40.0);
    pages.facts(&identity(instance, timetable, background.result, program));
    if let Some((name, before)) = background.before {
        compared(&mut pages, instance, name, &Comparison::of(instance, before, timetable)?);
    }
    Ok(pages.finish(&letterhead.titled(&format!("{} · {program}", instance.name))))
}

/// Date and time on the clocks of the office, with their distance from universal time.
fn moment<Z: TimeZone<Offset: std::fmt::Display>>(at: &DateTime<Z>) -> String {
    at.format("%-d %B %Y, %H:%M (UTC%:z)").to_string()
}

fn pair(label: &str, value: impl Into<String>) -> (String, String) {
    (label.to_owned(), value.into())
}

/// Writes the summary: feasibility and the most important figures.
fn head(pages: &mut Pages, instance: &Instance, counts: &TimetableStatistics, verdict: &Verdict) {
    match Stamp::of(&verdict.violations, &check::NOUNS) {
        None => pages.banner("Clash-free and complete, as the independent checker confirms", GOOD),
        Some(stamp) => pages.banner(stamp.line(), Palette::LIGHT.alarm),
    }
    let number = |count: u32| grouped(u64::from(count));
    let mut tiles = vec![
        (instance.cost_text(verdict.raw), instance.cost_label().to_owned()),
        (number(counts.students_with_clash), "Students with a clash".to_owned()),
        (number(counts.students_in_a_row), "Two exams in a row".to_owned()),
    ];
    match counts.students_three_a_day {
        Some(three) => tiles.push((number(three), "Three or more on a day".to_owned())),
        None => tiles.push((grouped(instance.exam_count() as u64), "Exams".to_owned())),
    }
    pages.tiles(&tiles);
}

/// Facts on sizes and calendar of the instance, as (label, value).
fn session(instance: &Instance) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> =
        figures::of_instance(instance).into_iter().map(|figure| (figure.label, figure.value.to_string())).collect();
    facts.push(pair("Conflict density", format!("{:.3}", instance.conflicts.density())));
    let largest = instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0);
    facts.push(pair("Largest exam", format!("{} students", grouped(u64::from(largest)))));
    let dates = || instance.periods.iter().filter_map(|period| period.date);
    match (dates().min(), dates().max(), days(instance)) {
        (Some(first), Some(last), days) => {
            facts.push(pair("First day", first.format("%a %-d %B %Y").to_string()));
            facts.push(pair("Last day", last.format("%a %-d %B %Y").to_string()));
            if let Some(mut days) = days {
                days.sort_unstable();
                days.dedup();
                facts.push(pair("Days with exams", days.len().to_string()));
            }
        }
        _ => facts.push(pair("Calendar", "the periods have no dates")),
    }
    let seats: Vec<u32> = instance.periods.iter().filter_map(|period| period.seats).collect();
    if let (Some(&least), Some(&most)) = (seats.iter().min(), seats.iter().max()) {
        let [least, most] = [least, most].map(|count| grouped(u64::from(count)));
        facts.push(pair("Seats per period", if least == most { least } else { format!("{least} to {most}") }));
    }
    facts.extend(extra_time(instance));
    facts
}

/// Place of the students with extra time, with the common rooms by name; `None` without such students.
fn extra_time(instance: &Instance) -> Option<(String, String)> {
    let resources = &instance.resources;
    let place = resources.extra_time;
    let common = resources.rooms.iter().filter(|room| room.extra_time).map(|room| room.code.as_str());
    let words = match place {
        ExtraTimePlace::CommonRoom => format!("in common rooms: {}", listed(&common.collect::<Vec<_>>())),
        _ => place.words().to_owned(),
    };
    (!resources.arrangements.is_empty() && instance.has_rooms()).then(|| pair("Extra time", words))
}

/// Writes the table of figures, with the percentage of all students where a figure counts students.
fn asked(
    pages: &mut Pages, instance: &Instance, timetable: &Timetable, counts: &TimetableStatistics, verdict: &Verdict,
) {
    let columns = [("Figure", 5.0, false), ("Value", 2.6, true), ("Share of students", 2.0, true)];
    let row = |figure: Figure| {
        let wrong = figure.forbidden && figure.value != Value::Count(0);
        let value = Cell::plain(figure.value.to_string());
        let share = match figure.value {
            Value::Count(count) if figure.of_students => {
                format!("{:.1} %", 100.0 * count as f64 / instance.students.len().max(1) as f64)
            }
            _ => String::new(),
        };
        let value = if wrong { value.coloured(Palette::LIGHT.alarm).strong() } else { value };
        vec![Cell::plain(figure.label), value, Cell::plain(share).coloured(Palette::LIGHT.muted)]
    };
    let rows: Vec<Vec<Cell>> = figures::of_timetable(instance, counts, verdict.raw).into_iter().map(row).collect();
    pages.section("What it asks of students, staff and rooms", 60.0);
    pages.table(&columns, &rows);
    if let Some(risk) = LateEnrolments::of(instance).risk(timetable) {
        pages.remark(&format!("Late enrolments: {}.", risk.text(instance)));
    }
}

/// Writes the lower bound of the cost, the distance of the timetable from it, and what forces it.
fn bounded(pages: &mut Pages, instance: &Instance, verdict: &Verdict) {
    let bound = LowerBound::of(instance);
    if bound.raw == 0 {
        return;
    }
    pages.section("What no timetable avoids", 40.0);
    let gap = summary::gap_percent(verdict.raw as f64, bound.raw as f64);
    let distance = match verdict.feasible {
        true if verdict.objective <= bound.raw => "equals the lower bound: optimal".to_owned(),
        true => format!("lower bound {} · gap {gap:.1} %", instance.cost_text(bound.raw)),
        false => format!("lower bound {}", instance.cost_text(bound.raw)),
    };
    pages.facts(&[pair(instance.cost_label(), distance)]);
    bound.texts(instance).iter().for_each(|reason| pages.remark(&sentence_case(reason)));
}

/// Writes the components of the cost with their shares, for objectives that have several.
fn components(pages: &mut Pages, instance: &Instance, verdict: &Verdict) {
    if instance.objective.is_toronto() {
        return;
    }
    let columns = [("Component", 5.0, false), ("Count", 1.6, true), ("Cost", 1.6, true), ("Share", 1.4, true)];
    let row = |component: &Component| {
        let share = 100.0 * component.cost as f64 / verdict.raw.max(1) as f64;
        vec![
            Cell::plain(sentence_case(&component.label)),
            Cell::plain(grouped(component.count)),
            Cell::plain(grouped(component.cost)),
            Cell::plain(format!("{share:.1} %")).coloured(Palette::LIGHT.muted),
        ]
    };
    let rows: Vec<Vec<Cell>> = verdict.components.iter().map(row).collect();
    pages.section(&format!("Cost by component, objective {}", instance.objective.kind.label()), 60.0);
    pages.table(&columns, &rows);
}

/// Writes the rooms by period with their exams, students and free seats.
fn rooms(pages: &mut Pages, instance: &Instance, timetable: &Timetable) {
    let Some(occupancy) = Occupancy::of(instance, timetable) else { return };
    let columns = [
        ("Period", 2.9, false),
        ("Room", 1.7, false),
        ("Exam", 3.0, false),
        ("Until", 1.0, true),
        ("Students", 1.2, true),
        ("Free seats", 1.2, true),
    ];
    let row = |of: &RoomUse| {
        let exam = &instance.exams[occupancy.sitting(of.sitting).exam];
        let end = occupancy.end(of.sitting, of.period).map(|(end, _)| end.format("%H:%M").to_string());
        let name = if exam.title.is_empty() { exam.code.clone() } else { format!("{} {}", exam.code, exam.title) };
        let free = Cell::plain(of.free.to_string());
        let room = &instance.resources.rooms[of.room].code;
        let is_common = instance.is_in_common_room(occupancy.sitting(of.sitting));
        let room = if is_common { format!("{room} (extra time)") } else { room.clone() };
        vec![
            Cell::plain(instance.period_label(of.period)),
            Cell::plain(room).strong(),
            Cell::plain(name),
            Cell::plain(end.unwrap_or_default()),
            Cell::plain(grouped(u64::from(of.students))),
            if of.free < 0 { free.coloured(Palette::LIGHT.alarm).strong() } else { free },
        ]
    };
    // All of them, because the rooms have to be prepared.
    let rows: Vec<Vec<Cell>> = occupancy.uses().iter().map(row).collect();
    pages.section("Rooms", 60.0);
    pages.table(&columns, &rows);
}

/// Writes the rules that the timetable has to meet beyond «no clashes».
fn in_force(pages: &mut Pages, instance: &Instance) {
    let mut lines = rule_lines::describe(instance);
    if let Some(reference) = &instance.rules.reference {
        let price = instance.cost_text(u64::from(reference.weight));
        let unit = if instance.objective.is_per_student() { " per student" } else { "" };
        lines.push(format!("The timetable stays close to an earlier one: moving an exam costs {price}{unit}"));
    }
    if instance.periods.iter().any(|period| period.seats.is_some()) {
        let words = if instance.rules.ignore_seats {
            "Seats are ignored"
        } else {
            "No period gets more students than it has seats"
        };
        lines.push(words.to_owned());
    }
    if instance.limits_durations() {
        lines.push("No exam is in a period that is shorter than the exam".to_owned());
    }
    if lines.is_empty() {
        lines.push(
            "None beyond those of every timetable: every exam has a period, and no student has two in one".to_owned(),
        );
    }
    pages.section("Rules in force", 30.0);
    for line in lines.iter().take(LISTED) {
        pages.remark(line);
    }
    if lines.len() > LISTED {
        pages.remark(&format!("… and {} more", grouped((lines.len() - LISTED) as u64)));
    }
}

/// A parameter as people read it: numbers without the digits that computing adds.
fn parameter(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && value.contains('.') => numbers::quantity(number),
        _ => value.to_owned(),
    }
}

/// Writes the result of the checker.
fn checked(pages: &mut Pages, verdict: &Verdict) {
    pages.section("Independent check", 30.0);
    if verdict.violations.is_empty() {
        pages.remark(
            "The checker walks over the students and what each of them sits and shares no code with the searches. Every \
             exam has a period, no student has two exams in one, and the cost is the one stated here.",
        );
        return;
    }
    for violation in verdict.violations.iter().take(LISTED) {
        pages.remark(&violation.text);
    }
    if verdict.violations.len() > LISTED {
        pages.remark(&format!("… and {} more", grouped((verdict.violations.len() - LISTED) as u64)));
    }
}

/// Writes the settings of the run and its convergence chart.
fn made(pages: &mut Pages, instance: &Instance, result: &RunResult) {
    let finished = DateTime::from_timestamp(result.finished_at, 0);
    let mut facts = vec![
        pair("Algorithm", result.algorithm.clone()),
        pair("Seed", result.seed.to_string()),
        pair("Computed by", format!("{} ({} threads)", result.device, result.threads)),
        pair("Stopped", stopped(&result.stop_reason)),
        pair("Time", numbers::duration(result.seconds)),
        pair("Time limit", result.time_limit.map_or("none".to_owned(), numbers::duration)),
        pair("Steps or generations", grouped(result.generations)),
        pair("Evaluations", grouped(result.evaluations)),
        pair("Finished", finished.map_or(String::new(), |at| moment(&at.with_timezone(&Local)))),
        pair("Made by", result.program.clone()),
    ];
    let parameters: Vec<String> =
        result.parameters.iter().map(|(name, value)| format!("{name} = {}", parameter(&value.to_string()))).collect();
    facts.push(pair("Parameters", if parameters.is_empty() { "none".to_owned() } else { parameters.join(", ") }));
    pages.section("How it was made", 60.0);
    pages.facts(&facts);
    result.all_notes().iter().for_each(|note| pages.remark(note));
    if result.curve.len() > 1 {
        let price = if super::run::has_price(result) { ", with the price of moved exams," } else { "" };
        let unit = if instance.objective.is_per_student() { " per student" } else { "" };
        pages.section(&format!("Convergence: cost{unit}{price} over time"), 140.0);
        pages.chart(140.0, |scene, area| charts::convergence(scene, area, instance, &result.curve));
    }
}

fn stopped(reason: &StopReason) -> String {
    sentence_case(&reason.to_string())
}

/// Writes the differences from the timetable before.
fn compared(pages: &mut Pages, instance: &Instance, name: &str, comparison: &Comparison) {
    let columns = [("Figure", 4.8, false), ("Before", 2.75, true), ("Now", 2.75, true), ("Change", 1.5, true)];
    let rows: Vec<Vec<Cell>> = comparison
        .rows(instance)
        .into_iter()
        .map(|row| {
            let colour = match row.trend {
                Ordering::Less => GOOD,
                Ordering::Greater => Palette::LIGHT.alarm,
                Ordering::Equal => Palette::LIGHT.muted,
            };
            let [before, now] = row.texts;
            vec![
                Cell::plain(row.label),
                Cell::plain(before),
                Cell::plain(now),
                Cell::plain(row.change).coloured(colour),
            ]
        })
        .collect();
    pages.section(&format!("Compared with {name}"), 60.0);
    pages.table(&columns, &rows);
    let tally = comparison.tally();
    let [better, worse, equal] = [tally.better, tally.worse, tally.equal].map(|count| grouped(count as u64));
    pages.remark(&format!("Students better off: {better}; worse off: {worse}; as before: {equal}."));
    losers(pages, instance, comparison);
    moved(pages, instance, comparison);
    if instance.has_rooms() {
        reseated(pages, instance, comparison);
    }
}

fn losers(pages: &mut Pages, instance: &Instance, comparison: &Comparison) {
    let losers = comparison.losers();
    if losers.is_empty() {
        return;
    }
    let columns =
        [("Student", 3.0, false), ("Own cost before", 2.0, true), ("Own cost now", 2.0, true), ("Exams", 1.2, true)];
    let row = |&student: &usize| {
        let [before, after] = comparison.students[student].map(|cost| grouped(cost.proximity));
        let exams = instance.students.exams_of(student).len().to_string();
        vec![Cell::plain(instance.students.code(student)), Cell::plain(before), Cell::plain(after), Cell::plain(exams)]
    };
    let rows: Vec<Vec<Cell>> = losers.iter().take(LOSERS).map(row).collect();
    pages.section("Students who lose most", 50.0);
    pages.table(&columns, &rows);
}

fn moved(pages: &mut Pages, instance: &Instance, comparison: &Comparison) {
    let place = |period: Option<usize>| period.map_or("no period".to_owned(), |period| instance.period_label(period));
    let changes = comparison.moved.iter().map(|at| (at.exam, [place(at.from), place(at.to)]));
    changed(pages, instance, "Moved exams", "Every exam has the period that it had before.", changes);
}

/// Writes the exams that have other rooms.
fn reseated(pages: &mut Pages, instance: &Instance, comparison: &Comparison) {
    let changes = comparison.reseated.iter().map(|change| (change.exam, change.texts(instance)));
    changed(pages, instance, "Exams with other rooms", "Every exam has the rooms that it had before.", changes);
}

/// Writes all exams that have changed, because they have to be announced, or the remark that there are none.
fn changed(
    pages: &mut Pages, instance: &Instance, title: &str, unchanged: &str,
    changes: impl ExactSizeIterator<Item = (usize, [String; 2])>,
) {
    let (count, of) = (grouped(changes.len() as u64), grouped(instance.exam_count() as u64));
    pages.section(&format!("{title}: {count} of {of}"), 50.0);
    if changes.len() == 0 {
        pages.remark(unchanged);
        return;
    }
    let columns = [
        ("Exam", 1.6, false),
        ("Title", 3.4, false),
        ("Students", 1.2, true),
        ("Before", 3.0, false),
        ("Now", 3.0, false),
    ];
    let row = |(exam, [before, after]): (usize, [String; 2])| {
        let data = &instance.exams[exam];
        let students = grouped(u64::from(data.enrolment));
        let cells = [data.title.clone(), students, before, after].map(Cell::plain);
        std::iter::once(Cell::plain(&data.code).strong()).chain(cells).collect()
    };
    let rows: Vec<Vec<Cell>> = changes.map(row).collect();
    pages.table(&columns, &rows);
}

/// Writes the identity of data, timetable and program, such as their digests.
fn identity(
    instance: &Instance, timetable: &Timetable, result: Option<&RunResult>, program: &str,
) -> Vec<(String, String)> {
    let plan =
        gridwright_core::files::hash(&[super::formats::solution::write_solution(instance, timetable).as_bytes()]);
    let mut facts = vec![
        pair("Instance (SHA-256)", instance.file_hash.clone()),
        pair("Timetable (SHA-256)", plan),
        pair("Program", program),
    ];
    if let Some(result) = result {
        facts.push(pair("File", result.instance.source.clone()));
        if let Some(digest) = result.digests.last() {
            facts.push(pair("Last digest", digest.clone()));
        }
    }
    facts
}

#[cfg(test)]
mod tests;
