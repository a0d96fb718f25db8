//! Two timetables of one instance side by side: what moved, who gains, who loses.
//!
//! A student's own cost is Σ over pairs of their exams of w(d), d periods apart; summed over all students it is the raw
//! cost. So the sum of all students' changes is the change of the cost, and exchanging the two timetables turns every
//! change round.

use std::cmp::{Ordering, Reverse};

use super::check;
use super::counts::{OfficerCounts, StudentCounts};
use super::figures::{self, Value};
use super::{Cost, Instance, Timetable};
use crate::{Result, numbers};

/// One of the two timetables.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// What the officer reads.
    pub counts: OfficerCounts,
    /// What it costs.
    pub cost: Cost,
}

/// An exam that has another period than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The exam.
    pub exam: usize,
    /// Its period in the first timetable, from 0; `None` where it had none.
    pub from: Option<usize>,
    /// Its period in the second one.
    pub to: Option<usize>,
}

/// How many students are better off, worse off, and as before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Their own cost fell.
    pub better: usize,
    /// It rose.
    pub worse: usize,
    /// It is the same.
    pub equal: usize,
}

/// Two timetables of one instance, the first as «before», the second as «after».
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Before and after.
    pub sides: [Side; 2],
    /// The exams that moved, ascending.
    pub moved: Vec<Move>,
    /// Per exam: Σ_j c_ij · w(|t_i − t_j|) before and after.
    pub shares: Vec<[u64; 2]>,
    /// Per student: what the timetable costs this student before and after; clashes are pairs of exams.
    pub students: Vec<[Cost; 2]>,
    losers: Vec<usize>,
    gainers: Vec<usize>,
    classes: Vec<Class>,
}

/// A figure of both timetables.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The key in JSON.
    pub key: &'static str,
    /// What it counts.
    pub label: String,
    /// The same where there is little room.
    pub short: &'static str,
    /// Whether it is a number, so that there is a better and a worse.
    pub is_number: bool,
    /// Before and after, as people read them.
    pub texts: [String; 2],
    /// The change with its sign; empty where there is none or the figure is no number.
    pub change: String,
    /// `Less`: the second is better; `Greater`: it is worse; `Equal`: as good, or no number.
    pub trend: Ordering,
}

/// What a timetable is for everybody: half of a comparison, which another comparison can use again.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    side: Side,
    /// The period of each exam.
    periods: Vec<Option<usize>>,
    /// Per exam: Σ_j c_ij · w(|t_i − t_j|).
    shares: Vec<u64>,
    /// Per student: exams without a period, pairs of exams in one period, Σ w(d) over the other pairs.
    students: Vec<Cost>,
}

impl Assessment {
    /// Counts what a timetable is for the students and exams of an instance, by its calendar.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) where it does not belong to the instance.
    pub fn of(instance: &Instance, timetable: &Timetable) -> Result<Self> {
        check::belongs(instance, timetable)?;
        let (counts, students) = OfficerCounts::with_students(instance, timetable);
        let cost = |(of, sits): (&StudentCounts, &[u16])| Cost {
            unplaced: sits.len() as u32 - u32::from(of.exams),
            clashes: u64::from(of.clashes),
            proximity: u64::from(of.cost),
        };
        Ok(Self {
            side: Side { counts, cost: timetable.cost(instance) },
            periods: (0..instance.exam_count()).map(|exam| timetable.period_of(exam)).collect(),
            shares: timetable.cost_shares(instance),
            students: students.iter().zip(instance.students.iter()).map(cost).collect(),
        })
    }
}

/// Students whose cost changes by as much: one bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The smallest change of this class.
    pub from: i64,
    /// The largest.
    pub to: i64,
    /// How many students.
    pub students: u64,
}

/// Sizes of changes at which a class begins: powers of two, as the weights of distances are.
const CLASSES: [i64; 5] = [1, 4, 8, 16, 32];

impl Comparison {
    /// Compares two timetables of an instance.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) where one of them does not belong to the instance.
    pub fn of(instance: &Instance, before: &Timetable, after: &Timetable) -> Result<Self> {
        Ok(Self::between(&Assessment::of(instance, before)?, &Assessment::of(instance, after)?))
    }

    /// Compares two timetables of which it is known what they are for everybody; both are of the same instance.
    pub fn between(before: &Assessment, after: &Assessment) -> Self {
        let periods = before.periods.iter().zip(&after.periods).enumerate();
        let moved = periods.filter(|(_, (from, to))| from != to).map(|(exam, (&from, &to))| Move { exam, from, to });
        let pairs = |list: fn(&Assessment) -> &[u64]| list(before).iter().zip(list(after)).map(|(&a, &b)| [a, b]);
        let mut comparison = Self {
            sides: [before.side.clone(), after.side.clone()],
            moved: moved.collect(),
            shares: pairs(|it| &it.shares).collect(),
            students: before.students.iter().zip(&after.students).map(|(&a, &b)| [a, b]).collect(),
            losers: Vec::new(),
            gainers: Vec::new(),
            classes: Vec::new(),
        };
        comparison.judge();
        comparison
    }

    /// Sorts out who gains and who loses; a comparison is looked at more often than it is made.
    fn judge(&mut self) {
        let (mut gainers, mut losers) = (Vec::new(), Vec::new());
        for student in 0..self.students.len() {
            let change = self.changes(student);
            match change.cmp(&(0, 0, 0)) {
                Ordering::Less => gainers.push((change, student)),
                Ordering::Greater => losers.push((Reverse(change), student)),
                Ordering::Equal => {}
            }
        }
        gainers.sort_unstable();
        losers.sort_unstable();
        self.gainers = gainers.into_iter().map(|(_, student)| student).collect();
        self.losers = losers.into_iter().map(|(_, student)| student).collect();
        self.classes = classes((0..self.students.len()).map(|student| self.change(student)));
    }

    /// Whether nothing moved.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty()
    }

    /// Students better off, worse off and as before.
    pub fn tally(&self) -> Tally {
        let (better, worse) = (self.gainers.len(), self.losers.len());
        Tally { better, worse, equal: self.students.len() - better - worse }
    }

    /// How much more a student pays in proximity cost; less than 0 for a gain.
    pub fn change(&self, student: usize) -> i64 {
        let [before, after] = &self.students[student];
        after.proximity as i64 - before.proximity as i64
    }

    /// By how much the exams without a period, the clashes and the cost of a student grow, most important first.
    fn changes(&self, student: usize) -> (i64, i64, i64) {
        let [before, after] = &self.students[student];
        (
            i64::from(after.unplaced) - i64::from(before.unplaced),
            after.clashes as i64 - before.clashes as i64,
            self.change(student),
        )
    }

    /// Students who are worse off, those who lose most first.
    pub fn losers(&self) -> &[usize] {
        &self.losers
    }

    /// Students who are better off, those who gain most first.
    pub fn gainers(&self) -> &[usize] {
        &self.gainers
    }

    /// How many students' proximity cost changes by how much, largest gain first; unchanged ones are in no class.
    pub fn histogram(&self) -> &[Class] {
        &self.classes
    }

    /// The figures of both side by side.
    pub fn rows(&self, instance: &Instance) -> Vec<Row> {
        let [before, after] = &self.sides;
        let of = |side: &Side| figures::of_timetable(instance, &side.counts, side.cost.proximity);
        let row = |(before, after): (figures::Figure, figures::Figure)| {
            let (change, trend) = match (&before.value, &after.value) {
                (Value::Count(a), Value::Count(b)) => (numbers::count_change(*b as i64 - *a as i64), b.cmp(a)),
                (Value::Cost(a), Value::Cost(b)) => (numbers::cost_change(b - a), b.total_cmp(a)),
                _ => (String::new(), Ordering::Equal),
            };
            let change = if trend == Ordering::Equal { String::new() } else { change };
            let texts = [before.value.to_string(), after.value.to_string()];
            let is_number = !matches!(before.value, Value::Text(_));
            Row { key: before.key, label: before.label, short: before.short, is_number, texts, change, trend }
        };
        of(before).into_iter().zip(of(after)).map(row).collect()
    }
}

/// The changes that are not nought, counted by size.
fn classes(changes: impl Iterator<Item = i64>) -> Vec<Class> {
    let ends = CLASSES.iter().skip(1).map(|next| next - 1).chain([i64::MAX]);
    let up: Vec<Class> = CLASSES.iter().copied().zip(ends).map(|(from, to)| Class { from, to, students: 0 }).collect();
    let down = up.iter().rev().map(|class| Class { from: -class.to, to: -class.from, students: 0 });
    let mut classes: Vec<Class> = down.chain(up.iter().copied()).collect();
    for change in changes {
        if let Some(class) = classes.iter_mut().find(|class| (class.from..=class.to).contains(&change)) {
            class.students += 1;
        }
    }
    classes
}

#[cfg(test)]
mod tests;
