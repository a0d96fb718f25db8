//! Facts of a session and of a timetable for the command line.

use crate::bounds::LowerBound;
use crate::check::{self, Component, Verdict};
use crate::contradictions::contradictions;
use crate::late_enrolments::{EXAMS_AT_RISK, LateEnrolments};
use crate::published;
use crate::{Instance, Timetable, rule_lines};
use gridwright_core::numbers;
use gridwright_core::numbers::{counted, grouped, rounded};
use serde_json::json;

use gridwright_core::planning::{Fact, whole};
use gridwright_core::text::lines::listed_of;

/// Facts of a session in the order in which they are listed.
pub fn of(data: &Instance) -> Vec<Fact> {
    let conflicts = &data.conflicts;
    let degrees = || (0..data.exam_count()).map(|exam| conflicts.degree(exam));
    let clique = conflicts.greedy_clique().len();
    let periods = (data.period_count() > 0).then(|| data.period_count());
    let most_exams = data.students.iter().map(<[u16]>::len).max().unwrap_or(0);
    let largest = data.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0);
    let density = conflicts.density();
    let best_known = published::best_known(data);
    let mut facts = vec![
        Fact::count("exams", "Exams", data.exam_count()),
        Fact::count("students", "Students", data.students.len()),
        Fact::count("enrolments", "Enrolments", data.enrolments()),
        Fact::new("density", "Density", json!(density), format!("{density:.4} (share of ones in the conflict matrix)")),
        Fact::new(
            "periods",
            "Periods",
            json!(periods),
            periods.map_or("not in the file; say it with --periods N".to_owned(), |count| count.to_string()),
        ),
        Fact::new(
            "clique_lower_bound",
            "Periods needed",
            json!(clique),
            format!("at least {clique} ({clique} exams found that all share students)"),
        ),
        Fact::count("components", "Components", conflicts.components().len()),
        Fact::count("conflict_pairs", "Conflicting pairs", conflicts.pairs()),
        Fact::count("max_degree", "Largest degree", degrees().max().unwrap_or(0)),
        Fact::count("exams_without_conflict", "Without conflict", degrees().filter(|&degree| degree == 0).count()),
        Fact::count("largest_exam", "Largest exam", largest as usize),
        Fact::count("most_exams_of_a_student", "Most exams of one", most_exams),
        Fact::new("divisor", "Cost divided by", json!(data.divisor), grouped(u64::from(data.divisor))),
    ];
    facts.extend(of_resources(data));
    if !data.rules.is_empty() {
        let rules = rule_lines::describe(data);
        let text = if rules.is_empty() { "seats or a timetable to stay close to".to_owned() } else { rules.join("; ") };
        facts.push(Fact::new("rules", "Rules", json!(rules), text));
    }
    let contradictions = contradictions(data);
    if !contradictions.is_empty() {
        facts.push(Fact::new("contradictions", "Contradictions", json!(contradictions), contradictions.join("; ")));
    }
    facts.extend(of_bound(data));
    facts.push(Fact::new(
        "best_known",
        if best_known.is_some() { "Best known cost" } else { "" },
        json!(best_known.map(rounded)),
        best_known
            .zip(published::best_known_source(data))
            .map(|(best, source)| format!("{} ({source})", numbers::cost(best)))
            .unwrap_or_default(),
    ));
    facts
}

/// The lower bound of the cost and the most expensive of its reasons; none without periods.
pub(crate) fn of_bound(data: &Instance) -> Vec<Fact> {
    if data.period_count() == 0 {
        return Vec::new();
    }
    let bound = LowerBound::of(data);
    let (value, reasons) = (rounded(data.shown(bound.raw)), bound.texts(data));
    let text = format!("at least {}, computed without a search", data.cost_text(bound.raw));
    let (label, forced) = (if reasons.is_empty() { "" } else { "Forced by" }, reasons.join("; "));
    vec![
        Fact::new("lower_bound", "Lower bound", whole(value), text),
        Fact::new("lower_bound_reasons", label, json!(reasons), forced),
    ]
}

/// Share of late enrolments that would clash and the exams that cause most of it; `None` if nobody can enrol late.
pub(crate) fn of_risk(data: &Instance, timetable: &Timetable) -> Option<Fact> {
    let risk = LateEnrolments::of(data).risk(timetable)?;
    let exams: Vec<_> = risk.exams.iter().take(EXAMS_AT_RISK).collect();
    let exam = |&&(exam, share): &&(usize, f64)| json!({ "exam": data.exams[exam].code, "share": rounded(share) });
    let value = json!({ "clashing": rounded(risk.clashing), "exams": exams.iter().map(exam).collect::<Vec<_>>() });
    Some(Fact::new("late_enrolments", "Late enrolments", value, risk.text(data)))
}

/// Rooms, people, arrangements and the objective; none for a session without any and with the published objective.
fn of_resources(data: &Instance) -> Vec<Fact> {
    let resources = &data.resources;
    let mut facts = Vec::new();
    if data.has_rooms() {
        let seats: usize = resources.rooms.iter().map(|room| room.seats as usize).sum();
        facts.push(Fact::count("rooms", "Rooms", resources.rooms.len()));
        facts.push(Fact::count("seats", "Seats of all rooms", seats));
    }
    if !resources.people.is_empty() {
        facts.push(Fact::count("people", "People", resources.people.len()));
    }
    if !resources.invigilators.is_empty() {
        facts.push(Fact::count("invigilators", "Invigilators", resources.invigilators.len()));
    }
    if let Some(text) = data.invigilators_lacking() {
        facts.push(Fact::new("invigilators_lacking", "Invigilators are too few", json!(text), text));
    }
    if !resources.arrangements.is_empty() {
        facts.push(Fact::count("arrangements", "Arrangements", resources.arrangements.len()));
        let place = resources.extra_time;
        facts.push(Fact::new("extra_time", "Students with extra time", json!(place.key()), place.words().to_owned()));
    }
    if data.is_session() {
        let kind = data.objective.kind;
        facts.push(Fact::new("objective", "Objective", json!(kind.name()), kind.label().to_owned()));
    }
    facts
}

/// Components of the cost of a timetable; people see them for objectives that have several.
pub(crate) fn of_components(data: &Instance, components: &[Component]) -> Fact {
    let words = |component: &Component| {
        format!("{} {}, cost {}", numbers::grouped(component.count), component.label, numbers::grouped(component.cost))
    };
    let label = if data.objective.is_toronto() { "" } else { "Components" };
    Fact::new("components", label, json!(components), components.iter().map(words).collect::<Vec<_>>().join("; "))
}

/// Exams without a period that one would take; none if there is no such exam.
pub(crate) fn of_free_places(data: &Instance, timetable: &Timetable) -> Vec<Fact> {
    let free = check::free_places(data, timetable);
    if free.is_empty() {
        return Vec::new();
    }
    let place = |&(exam, period): &(usize, usize)| json!({ "exam": data.exams[exam].code, "period": period + 1 });
    let words = |&(exam, period): &(usize, usize)| {
        format!("exam {} would fit in {}", data.exams[exam].code, data.period_name(period))
    };
    let (value, text) = (free.iter().map(place).collect(), listed_of(&free, words));
    vec![Fact::new("free_places", "Left over", value, text)]
}

/// Numbers of exams and rooms that differ from the timetable to stay close to; none without one.
pub(crate) fn of_changes(data: &Instance, timetable: &Timetable, verdict: &Verdict) -> Vec<Fact> {
    let Some(reference) = &data.rules.reference else { return Vec::new() };
    // An exam without a place has left its period, too.
    let had_place = |exam: &usize| reference.timetable.period_of(*exam).is_some();
    let lost = timetable.unplaced_exams().into_iter().filter(had_place).count();
    let mut moved = format!("{} to another period", counted((verdict.moved as usize).saturating_sub(lost), "exam"));
    if lost > 0 {
        moved += &format!(", {} without a place", counted(lost, "exam"));
    }
    let mut facts = vec![Fact::new("moved", "Moved", json!(verdict.moved), moved)];
    if data.has_rooms() {
        let left = counted(verdict.left_rooms as usize, "room");
        facts.push(Fact::new("left_rooms", "Changed", json!(verdict.left_rooms), format!("{left} of exams and parts")));
    }
    facts
}
