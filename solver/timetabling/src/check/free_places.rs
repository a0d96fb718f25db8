//! Exams that a timetable leaves over although a period would take them.

use std::collections::HashSet;

use super::{ViolationKind, check};
use crate::limit_windows::Limited;
use crate::{Instance, Timetable};

/// Largest number of exams and periods that are tried.
const TRIED: usize = 1_000;

/// Finds for each exam without a period the first period that would take it, with the rooms that are free there, without a
/// further violation. Exams are tried one by one, the others as they are.
pub fn free_places(instance: &Instance, timetable: &Timetable) -> Vec<(usize, usize)> {
    let broken = |timetable: &Timetable| {
        let violations = check(instance, timetable).violations;
        violations.into_iter().filter(|violation| violation.kind != ViolationKind::Unplaced).count()
    };
    let mut found = Vec::new();
    let open = timetable.unplaced_exams();
    if open.is_empty() || timetable.periods.len() != instance.exam_count() {
        return found;
    }
    let before = broken(timetable);
    // Students who sit an exam in each period.
    let mut sitting: Vec<HashSet<usize>> = vec![HashSet::new(); instance.period_count()];
    for student in 0..instance.students.len() {
        for &exam in instance.students.exams_of(student) {
            if let Some(there) = timetable.period_of(exam.into()).and_then(|period| sitting.get_mut(period)) {
                there.insert(student);
            }
        }
    }
    let limits = Limited::of(instance);
    let mut tried = 0;
    for exam in open {
        let own = instance.students.of_exam(exam);
        for (period, there) in sitting.iter().enumerate() {
            if tried == TRIED || own.iter().any(|student| there.contains(student)) {
                continue;
            }
            let beyond = limits.as_ref().map(|it| it.students_beyond(instance, timetable, (exam, &own), period));
            if beyond.is_some_and(|students| !students.is_empty()) {
                continue;
            }
            tried += 1;
            let mut with_exam = timetable.clone();
            with_exam.move_exam(instance, exam, Some(period));
            if broken(&with_exam) <= before {
                found.push((exam, period));
                break;
            }
        }
    }
    found
}
