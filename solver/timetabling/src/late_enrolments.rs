//! Risk that one late enrolment breaks a timetable.
//!
//! A late enrolment is drawn so: a student evenly, one of his or her exams x evenly, one of the other students of x evenly, and
//! one of that fellow's exams beside x evenly, y. If the student does not sit y yet, he or she adds it; other draws do not
//! count. The new exam clashes if one of the student's exams z is in the same period. With n_x students of x, k_s exams of s,
//! S_x the students of x, and all draws of a student equally likely,
//!
//! ```text
//! A_xy = Σ_{f ∈ S_x ∩ S_y} 1 / (k_f − 1)                  C_xz = Σ_{s ∈ S_x ∩ S_z} 1 / (k_s · (n_x − 1))
//! R_zy = Σ_x C_xz · A_xy  for exams y ≠ z without a common student        risk = Σ_{z,y: t_z = t_y} R_zy / Σ draws that count
//! ```
//!
//! R is not stored: with B_x(t) = Σ_{y: t_y = t} A_xy the sum is Σ_x Σ_z C_xz · (B_x(t_z) − A_xz), in the time of a walk over
//! the conflict graph, because exams of one period share no student. It is exact for timetables without clashes.

use gridwright_core::numbers::quantity;
use gridwright_core::text::lines::listed_of;

use super::{Conflicts, Instance, Timetable};

/// Number of exams that are named as those that cause most of the risk.
pub const EXAMS_AT_RISK: usize = 3;

/// Chance below which nothing is likely but an error of rounding.
const NOTHING: f64 = 1e-9;

/// Chances of late enrolments, from the present ones.
#[derive(Debug, Clone)]
pub struct LateEnrolments<'a> {
    conflicts: &'a Conflicts,
    /// A of the edges of the conflict graph.
    added: Vec<f64>,
    /// C of the edges of the conflict graph.
    present: Vec<f64>,
    /// Sum over all draws that count, times the number of students.
    draws: f64,
}

/// Share of the late enrolments that would clash under a timetable.
#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    /// The share, 0…1.
    pub clashing: f64,
    /// Exams with their shares of the risk, the largest first; both exams of a clash have half of it.
    pub exams: Vec<(usize, f64)>,
}

impl<'a> LateEnrolments<'a> {
    /// Chances of the late enrolments of a session.
    pub fn of(instance: &'a Instance) -> Self {
        let conflicts = &*instance.conflicts;
        let edges = 2 * conflicts.pairs();
        let mut chances = Self { conflicts, added: vec![0.0; edges], present: vec![0.0; edges], draws: 0.0 };
        let fellows = |exam: u16| f64::from(instance.exams[usize::from(exam)].enrolment) - 1.0;
        let pairs = |exams: &'a [u16]| {
            let others = move |x: u16| exams.iter().filter(move |&&y| y != x).map(move |&y| (x, y));
            exams.iter().flat_map(move |&x| others(x))
        };
        let edge = |(x, y): (u16, u16)| conflicts.edge(x.into(), y.into());
        for exams in instance.students.iter() {
            for (pair, edge) in pairs(exams).filter_map(|pair| Some((pair, edge(pair)?))) {
                chances.added[edge] += 1.0 / (exams.len() as f64 - 1.0);
                if fellows(pair.0) > 0.0 {
                    chances.present[edge] += 1.0 / (exams.len() as f64 * fellows(pair.0));
                }
            }
        }
        let row = |exam: u16| chances.added[conflicts.edges_of(exam.into())].iter().sum::<f64>();
        let rows: Vec<f64> = (0..instance.exam_count()).map(|exam| row(exam as u16)).collect();
        for exams in instance.students.iter() {
            for &x in exams.iter().filter(|&&x| fellows(x) > 0.0) {
                let known = exams.iter().filter_map(|&y| edge((x, y))).map(|edge| chances.added[edge]).sum::<f64>();
                chances.draws += (rows[usize::from(x)] - known) / (exams.len() as f64 * fellows(x));
            }
        }
        chances
    }

    /// Risk of a timetable without clashes; `None` if nobody can enrol late.
    pub fn risk(&self, timetable: &Timetable) -> Option<Risk> {
        if self.draws < NOTHING {
            return None;
        }
        let exams = self.conflicts.exams();
        let periods = timetable.periods.iter().filter(|&&period| period != super::UNPLACED).max();
        let (mut added, mut present) = (vec![0.0; usize::from(*periods.unwrap_or(&0)) + 1], Vec::new());
        present.resize(added.len(), 0.0);
        let mut causes = vec![0.0; exams];
        for x in 0..exams {
            let row =
                || self.conflicts.of(x).map(|(other, _)| timetable.period_of(other)).zip(self.conflicts.edges_of(x));
            let placed = || row().filter_map(|(period, edge)| Some((period?, edge)));
            for (period, edge) in placed() {
                added[period] += self.added[edge];
                present[period] += self.present[edge];
            }
            for ((other, _), (period, edge)) in self.conflicts.of(x).zip(row()) {
                let Some(period) = period else { continue };
                causes[other] += self.present[edge] * (added[period] - self.added[edge]);
                causes[other] += self.added[edge] * (present[period] - self.present[edge]);
            }
            for (period, _) in placed() {
                (added[period], present[period]) = (0.0, 0.0);
            }
        }
        // Every clash was met from both of its exams.
        let all = causes.iter().sum::<f64>();
        let clashing = (all / 2.0 / self.draws).clamp(0.0, 1.0);
        let mut exams: Vec<(usize, f64)> =
            causes.into_iter().enumerate().map(|(exam, cause)| (exam, cause / all)).collect();
        exams.retain(|&(_, share)| clashing > NOTHING && share > NOTHING);
        exams.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        Some(Risk { clashing: if clashing > NOTHING { clashing } else { 0.0 }, exams })
    }
}

impl Risk {
    /// The share in words: «3 of 100 would clash».
    pub fn words(&self) -> String {
        let number = match 100.0 * self.clashing {
            0.0 => return "none would clash".to_owned(),
            share if share < 0.1 => "fewer than 1 of 1\u{2009}000".to_owned(),
            share if share < 1.0 => format!("{} of 1\u{2009}000", (10.0 * share).round()),
            share => format!("{} of 100", share.round()),
        };
        format!("{number} would clash")
    }

    /// The exams that cause most of the risk, in words: «A (12 %), B (9.5 %), C (4 %)»; empty if there is no risk.
    pub fn causes(&self, instance: &Instance) -> String {
        listed_of(&self.exams[..self.exams.len().min(EXAMS_AT_RISK)], |&(exam, share)| {
            format!("{} ({} %)", instance.exams[exam].code, quantity((1_000.0 * share).round() / 10.0))
        })
    }

    /// The share and the exams that cause most of it.
    pub fn text(&self, instance: &Instance) -> String {
        let causes = self.causes(instance);
        if causes.is_empty() { self.words() } else { format!("{}, most often with {causes}", self.words()) }
    }
}

#[cfg(test)]
mod tests {
    use gridwright_core::random::{Philox, index};

    use super::*;
    use crate::{Exam, InstanceParts, Period};

    fn instance(students: Vec<Vec<u16>>, exams: usize) -> Instance {
        let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
        let periods = vec![Period::default(); 20];
        Instance::build(InstanceParts { exams, students, periods, ..InstanceParts::default() }).unwrap()
    }

    /// Chance of each late enrolment (student, new exam), without a common factor, by enumeration.
    fn enrolments(instance: &Instance) -> Vec<(usize, u16, f64)> {
        let (students, mut all) = (&instance.students, Vec::new());
        for student in 0..students.len() {
            let own = students.exams_of(student);
            for &x in own {
                let fellows = (0..students.len()).filter(|&f| f != student && students.exams_of(f).contains(&x));
                let fellows: Vec<usize> = fellows.collect();
                for &fellow in &fellows {
                    let others: Vec<u16> = students.exams_of(fellow).iter().copied().filter(|&y| y != x).collect();
                    let chance = 1.0 / (own.len() * fellows.len() * others.len().max(1)) as f64;
                    all.extend(others.into_iter().filter(|y| !own.contains(y)).map(|y| (student, y, chance)));
                }
            }
        }
        all
    }

    fn clashes(instance: &Instance, timetable: &Timetable, (student, exam): (usize, u16)) -> bool {
        let at = timetable.period_of(exam.into());
        let own = instance.students.exams_of(student);
        at.is_some() && own.iter().any(|&own| timetable.period_of(own.into()) == at)
    }

    /// A timetable without clashes: every exam in the first period after a drawn one that has no conflict with it.
    fn timetable(instance: &Instance, below: &mut dyn FnMut(usize) -> usize) -> Timetable {
        let mut timetable = Timetable::unplaced(instance.exam_count());
        for exam in 0..instance.exam_count() {
            let first = below(3);
            let is_free = |&at: &u16| {
                instance.conflicts.of(exam).all(|(other, _)| timetable.period_of(other) != Some(usize::from(at)))
            };
            let period = (first as u16..).find(is_free);
            timetable.periods[exam] = period.unwrap();
        }
        timetable
    }

    #[test]
    fn the_risk_is_that_of_all_late_enrolments() {
        let (mut compared, mut risky) = (0, 0);
        for seed in 0..200 {
            let (philox, mut next) = (Philox::new(seed), 0);
            let mut below = |limit: usize| {
                next += 1;
                index(philox.words(0, next, 0, 0)[0], limit as u32) as usize
            };
            let exams = 4 + below(9);
            let count = 2 + below(25);
            let students = (0..count).map(|_| (0..1 + below(4)).map(|_| below(exams) as u16).collect()).collect();
            let instance = instance(students, exams);
            let timetable = timetable(&instance, &mut below);
            let all = enrolments(&instance);
            let found = LateEnrolments::of(&instance).risk(&timetable);
            assert_eq!(found.is_none(), all.is_empty(), "seed {seed}");
            let Some(found) = found else { continue };
            let sum: f64 = all.iter().map(|(.., chance)| chance).sum();
            let bad = all.iter().filter(|one| clashes(&instance, &timetable, (one.0, one.1)));
            let expected = bad.map(|(.., chance)| chance).sum::<f64>() / sum;
            assert!((found.clashing - expected).abs() < 1e-9, "seed {seed}: {} for {expected}", found.clashing);
            let shares: f64 = found.exams.iter().map(|(_, share)| share).sum();
            assert!(found.exams.is_empty() || (shares - 1.0).abs() < 1e-6, "seed {seed}: {shares}");
            compared += 1;
            risky += usize::from(expected > 0.0);
        }
        assert!(compared > 150 && risky > 100, "{compared} compared, {risky} with a risk");
    }

    /// Student a sits E0, b sits E0 and E1, c sits E2. Only a can enrol late, for E1; c has no fellow.
    #[test]
    fn a_late_enrolment_clashes_in_the_period_of_an_own_exam() {
        let instance = instance(vec![vec![0], vec![0, 1], vec![2]], 3);
        let risk = |periods: [u16; 3]| LateEnrolments::of(&instance).risk(&Timetable::of(periods.to_vec())).unwrap();
        assert_eq!(risk([0, 1, 0]), Risk { clashing: 0.0, exams: Vec::new() });
        assert_eq!(risk([0, 1, 0]).text(&instance), "none would clash");
        // Students a with E0, E3 and b with E0, E1: each can add the other's exam, which clashes with the own one.
        let instance = self::instance(vec![vec![0, 3], vec![0, 1]], 4);
        let risk = LateEnrolments::of(&instance).risk(&Timetable::of(vec![0, 1, 2, 1])).unwrap();
        assert_eq!(risk, Risk { clashing: 1.0, exams: vec![(1, 0.5), (3, 0.5)] });
        assert_eq!(risk.text(&instance), "100 of 100 would clash, most often with E1 (50 %), E3 (50 %)");
        assert!(
            LateEnrolments::of(&self::instance(vec![vec![0], vec![1]], 2)).risk(&Timetable::of(vec![0, 1])).is_none()
        );
        let few = |clashing| Risk { clashing, exams: Vec::new() }.words();
        let words =
            ["fewer than 1 of 1\u{2009}000 would clash", "3 of 1\u{2009}000 would clash", "3 of 100 would clash"];
        assert_eq!([0.0004, 0.0034, 0.0341].map(few), words);
    }
}
