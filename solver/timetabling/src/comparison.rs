//! Comparison of two timetables of one instance: moved exams, students who gain or lose, figures side by side.
//!
//! A student's own cost is Σ over pairs of the student's exams of w(d), d periods apart; summed over all students it is
//! the raw cost. So the changes of all students add up to the change of the cost, and exchanging the timetables
//! reverses every sign.

use std::cmp::{Ordering, Reverse};

use super::check;
use super::counts::{StudentCounts, TimetableStatistics};
use super::figures::{self, Value};
use super::{Cost, Instance, Timetable};
use gridwright_core::{Result, numbers};

/// Statistics and cost of one of the two timetables.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// Statistics.
    pub counts: TimetableStatistics,
    /// Cost.
    pub cost: Cost,
}

/// Exam with different periods in the two timetables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Index of the exam.
    pub exam: usize,
    /// Period in the first timetable, from 0; `None` if unplaced.
    pub from: Option<usize>,
    /// Period in the second timetable.
    pub to: Option<usize>,
}

/// Exam with other rooms in the two timetables; lists of rooms of each of its sittings, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomChange {
    /// Index of the exam.
    pub exam: usize,
    /// Rooms in the first timetable.
    pub from: Vec<Vec<u16>>,
    /// Rooms in the second timetable.
    pub to: Vec<Vec<u16>>,
}

impl RoomChange {
    /// Codes of the rooms before and after, one text for each sitting: «B12», «H1 + H2», empty for a sitting without a room.
    pub(crate) fn codes(&self, instance: &Instance) -> [Vec<String>; 2] {
        let code = |&room: &u16| instance.resources.rooms.get(usize::from(room)).map_or("?", |room| room.code.as_str());
        let of_sitting = |rooms: &Vec<u16>| rooms.iter().map(code).collect::<Vec<_>>().join(" + ");
        [&self.from, &self.to].map(|sittings| sittings.iter().map(of_sitting).collect())
    }

    /// The rooms before and after in one text each: «B12; H1 + H2», «no room».
    pub fn texts(&self, instance: &Instance) -> [String; 2] {
        self.codes(instance).map(|codes| {
            let seated: Vec<String> = codes.into_iter().filter(|code| !code.is_empty()).collect();
            if seated.is_empty() { "no room".to_owned() } else { seated.join("; ") }
        })
    }
}

/// Numbers of students by the sign of their change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Students who are better off.
    pub better: usize,
    /// Students who are worse off.
    pub worse: usize,
    /// Students whose unplaced exams, clashes and cost are unchanged.
    pub equal: usize,
}

/// Comparison of two timetables of one instance, the first as «before», the second as «after».
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The two timetables, before and after.
    pub sides: [Side; 2],
    /// Moved exams, ascending.
    pub moved: Vec<Move>,
    /// Exams with other rooms, ascending; empty unless both timetables plan rooms.
    pub reseated: Vec<RoomChange>,
    /// `shares[i]` = Σ_j c_ij · w(|t_i − t_j|) before and after.
    pub shares: Vec<[u64; 2]>,
    /// `students[s]` = cost of student s before and after; `clashes` counts pairs of exams.
    pub students: Vec<[Cost; 2]>,
    losers: Vec<usize>,
    gainers: Vec<usize>,
    classes: Vec<Class>,
}

/// One figure of both timetables as a row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Key in JSON.
    pub key: &'static str,
    /// Label, sentence case.
    pub label: String,
    /// Label for narrow columns.
    pub short: &'static str,
    /// True if the figure is a number, so that one side can be better.
    pub is_number: bool,
    /// Formatted values before and after.
    pub texts: [String; 2],
    /// Formatted change with its sign; empty if nothing changed or the figure is no number.
    pub change: String,
    /// `Less` if the second timetable is better, `Greater` if worse, `Equal` if equal or no number.
    pub trend: Ordering,
}

/// Evaluation of one timetable for all exams and students; reusable in several comparisons.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    side: Side,
    /// Period of each exam.
    periods: Vec<Option<usize>>,
    /// Rooms of each sitting of each exam; empty if the timetable has none.
    rooms: Vec<Vec<Vec<u16>>>,
    /// `shares[i]` = Σ_j c_ij · w(|t_i − t_j|).
    shares: Vec<u64>,
    /// Per student: unplaced exams, pairs of exams in the same period, Σ w(d) over the other pairs.
    students: Vec<Cost>,
}

impl Assessment {
    /// Evaluates a timetable of `instance`.
    ///
    /// # Errors
    /// [`Error::Usage`](gridwright_core::Error::Usage) if the timetable has the wrong length or a period beyond the last.
    pub fn of(instance: &Instance, timetable: &Timetable) -> Result<Self> {
        check::belongs(instance, timetable)?;
        let (counts, students) = TimetableStatistics::with_students(instance, timetable);
        let cost = |(of, sits): (&StudentCounts, &[u16])| Cost {
            unplaced: sits.len() as u32 - u32::from(of.exams),
            clashes: u64::from(of.clashes),
            proximity: u64::from(of.cost),
        };
        Ok(Self {
            side: Side { counts, cost: timetable.cost(instance) },
            periods: (0..instance.exam_count()).map(|exam| timetable.period_of(exam)).collect(),
            rooms: rooms_of_exams(instance, timetable),
            shares: timetable.cost_shares(instance),
            students: students.iter().zip(instance.students.iter()).map(cost).collect(),
        })
    }
}

/// Bin of the histogram of cost changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Smallest change of the bin, inclusive.
    pub from: i64,
    /// Largest change of the bin, inclusive.
    pub to: i64,
    /// Number of students.
    pub students: u64,
}

/// Absolute changes at which a bin begins: powers of two, like the proximity weights.
const CLASSES: [i64; 5] = [1, 4, 8, 16, 32];

impl Comparison {
    /// Compares two timetables of an instance.
    ///
    /// # Errors
    /// [`Error::Usage`](gridwright_core::Error::Usage) if a timetable has the wrong length or a period beyond the last.
    pub fn of(instance: &Instance, before: &Timetable, after: &Timetable) -> Result<Self> {
        Ok(Self::between(&Assessment::of(instance, before)?, &Assessment::of(instance, after)?))
    }

    /// Compares two evaluated timetables, which must be of the same instance.
    pub fn between(before: &Assessment, after: &Assessment) -> Self {
        let periods = before.periods.iter().zip(&after.periods).enumerate();
        let moved = periods.filter(|(_, (from, to))| from != to).map(|(exam, (&from, &to))| Move { exam, from, to });
        let pairs = |list: fn(&Assessment) -> &[u64]| list(before).iter().zip(list(after)).map(|(&a, &b)| [a, b]);
        let mut comparison = Self {
            sides: [before.side.clone(), after.side.clone()],
            moved: moved.collect(),
            reseated: reseated(before, after),
            shares: pairs(|assessment| &assessment.shares).collect(),
            students: before.students.iter().zip(&after.students).map(|(&a, &b)| [a, b]).collect(),
            losers: Vec::new(),
            gainers: Vec::new(),
            classes: Vec::new(),
        };
        comparison.judge();
        comparison
    }

    /// Computes gainers, losers and histogram once, because a comparison is read more often than it is made.
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

    /// Returns `true` if no exam has another period or another room.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.reseated.is_empty()
    }

    /// Numbers of students who are better off, worse off and unchanged.
    pub fn tally(&self) -> Tally {
        let (better, worse) = (self.gainers.len(), self.losers.len());
        Tally { better, worse, equal: self.students.len() - better - worse }
    }

    /// Change of a student's raw proximity cost; negative for a gain.
    pub fn change(&self, student: usize) -> i64 {
        let [before, after] = &self.students[student];
        after.proximity as i64 - before.proximity as i64
    }

    /// Changes of a student's unplaced exams, clashes and proximity cost, to be compared lexicographically.
    fn changes(&self, student: usize) -> (i64, i64, i64) {
        let [before, after] = &self.students[student];
        (
            i64::from(after.unplaced) - i64::from(before.unplaced),
            after.clashes as i64 - before.clashes as i64,
            self.change(student),
        )
    }

    /// Students who are worse off, largest loss first.
    pub fn losers(&self) -> &[usize] {
        &self.losers
    }

    /// Students who are better off, largest gain first.
    pub fn gainers(&self) -> &[usize] {
        &self.gainers
    }

    /// Histogram of the changes of students' proximity cost, from the largest gain to the largest loss; unchanged
    /// students are in no bin.
    pub fn histogram(&self) -> &[Class] {
        &self.classes
    }

    /// The figures of [`figures::of_timetable`] of both timetables side by side.
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

/// Rooms of each sitting of each exam, ascending; empty if the timetable has none.
fn rooms_of_exams(instance: &Instance, timetable: &Timetable) -> Vec<Vec<Vec<u16>>> {
    if timetable.rooms.is_empty() {
        return Vec::new();
    }
    let mut of_exams = vec![Vec::new(); instance.exam_count()];
    for (sitting, seats) in instance.sittings().iter().zip(&timetable.rooms) {
        let mut rooms: Vec<u16> = seats.iter().map(|seats| seats.room).collect();
        rooms.sort_unstable();
        of_exams[sitting.exam].push(rooms);
    }
    of_exams
}

fn reseated(before: &Assessment, after: &Assessment) -> Vec<RoomChange> {
    let pairs = before.rooms.iter().zip(&after.rooms).enumerate();
    let changed = pairs.filter(|(_, (from, to))| from != to);
    changed.map(|(exam, (from, to))| RoomChange { exam, from: from.clone(), to: to.clone() }).collect()
}

/// Counts the nonzero changes in the bins of the histogram.
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
