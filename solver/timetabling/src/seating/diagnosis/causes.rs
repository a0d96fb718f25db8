//! Causes for which an exam has no period, in words: minutes, the student with the longest extra time, absences and rules.

use crate::{Instance, Period};
use gridwright_core::numbers::{counted, grouped};

/// Sentence about an exam without an allowed period, with what excludes the periods and the remedy.
pub(super) fn without_period(instance: &Instance, exam: usize) -> String {
    let code = &instance.exams[exam].code;
    let need = Need::of(instance, exam);
    let periods = instance.period_count();
    let is_short = |period: usize| !instance.has_time_with(exam, need.extra, period);
    let short = (0..periods).filter(|&period| is_short(period)).count();
    if short == periods {
        let longest = instance.periods.iter().filter_map(Period::minutes).max().unwrap_or(0);
        let remedy = if need.extra > 0 {
            "lengthen a period, or shorten the exam or the extra time"
        } else {
            "lengthen a period, or shorten the exam"
        };
        return format!("exam {code} takes {}, and the longest period has {longest}: {remedy}", need.in_words());
    }
    let mut causes = Vec::new();
    if short > 0 {
        let are = if short == 1 { "is" } else { "are" };
        causes.push(format!("{} {are} too short for its {}", counted(short as u64, "period"), need.in_words()));
    }
    let people = instance.resources.people.iter().filter(|person| person.exams.contains(&(exam as u16)));
    let absent = |period: usize| people.clone().any(|person| person.unavailable.contains(&(period as u16)));
    for person in people.clone().filter(|person| !person.unavailable.is_empty()) {
        causes.push(format!("{} is absent in {}", person.name, grouped(person.unavailable.len() as u64)));
    }
    let is_ruled_out = |period: usize| !instance.rules.allows(exam, period);
    let ruled = (0..periods).filter(|&period| is_ruled_out(period)).count();
    if ruled > 0 {
        causes.push(format!("pins and forbidden periods exclude {}", grouped(ruled as u64)));
    }
    let is_other = |&period: &usize| !is_short(period) && !absent(period) && !is_ruled_out(period);
    let others = (0..periods).filter(is_other).count();
    if others > 0 {
        causes.push(format!("seats and other rules exclude {}", grouped(others as u64)));
    }
    format!(
        "exam {code} has none of the {}: {}; relax one of these",
        counted(periods as u64, "period"),
        causes.join(", ")
    )
}

/// Minutes that an exam takes for the student with the longest extra time.
struct Need {
    minutes: u32,
    extra: u32,
    /// Code of the student; `None` without extra time.
    student: Option<String>,
}

impl Need {
    fn of(instance: &Instance, exam: usize) -> Self {
        let minutes = instance.nominal_minutes(exam);
        let sits = |student: usize| instance.students.exams_of(student).contains(&(exam as u16));
        let arranged =
            instance.resources.arrangements.iter().map(|it| (it.student as usize, it.extra.minutes(minutes)));
        let arranged =
            arranged.filter(|&(student, extra)| extra > 0 && student < instance.students.len() && sits(student));
        let longest = arranged.max_by_key(|&(student, extra)| (extra, std::cmp::Reverse(student)));
        let (student, extra) =
            longest.map_or((None, 0), |(student, extra)| (Some(instance.students.code(student)), extra));
        Self { minutes, extra, student }
    }

    /// The minutes with those of extra time: «270 minutes (180, and 90 more for student 1203001)».
    fn in_words(&self) -> String {
        let Self { minutes, extra, student } = self;
        let all = counted(u64::from(minutes + extra), "minute");
        student
            .as_ref()
            .map_or_else(|| all.clone(), |who| format!("{all} ({minutes}, and {extra} more for student {who})"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::occupancy::tests::seated;
    use crate::{Instance, Person};

    /// Sentences about exam A of 90 minutes in periods of 180, for which student 4 has half as much again.
    fn told(change: impl Fn(&mut Instance)) -> Vec<String> {
        let (mut instance, _) = seated();
        change(&mut instance);
        super::super::contradictions(&instance).into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn what_leaves_no_period_is_named_and_nothing_else() {
        assert_eq!(told(|_| {}), [""; 0]);
        let long = told(|instance| instance.exams[0].duration = Some(130));
        let code = seated().0.students.code(3);
        let sentence = format!(
            "exam A takes 195 minutes (130, and 65 more for student {code}), and the longest period has 180: lengthen a period, or \
             shorten the exam or the extra time"
        );
        assert_eq!(long, [sentence]);
        let roth = |unavailable: BTreeSet<u16>| Person { name: "Roth".to_owned(), exams: [0].into(), unavailable };
        let absent = told(|instance| instance.resources.people = vec![roth([0, 1].into())]);
        assert_eq!(absent, ["exam A has none of the 2 periods: Roth is absent in 2; relax one of these"]);
        let both = told(|instance| {
            instance.resources.people = vec![roth([0].into())];
            instance.rules.forbidden.insert(0, [1].into());
        });
        let sentence = "exam A has none of the 2 periods: Roth is absent in 1, pins and forbidden periods exclude 1; relax one of these";
        assert_eq!(both, [sentence]);
    }
}
