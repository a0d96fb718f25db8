//! Pictures of a timetable: the grid of exams × periods, and periods as columns of exams.
//!
//! Both use the same encoding: an exam is coloured by its share in the cost on a scale from pale to dark (on a dark
//! background from dark to bright), which survives colour blindness and monochrome printers; a clash is red, outlined
//! and marked.

mod columns;
mod grid;
mod header;

use serde::{Deserialize, Serialize};

use super::counts::{self, TimetableStatistics, grouped};
use super::occupancy::Occupancy;
use super::{Cost, Instance, Timetable};
use gridwright_core::scene::palette::cost_colour;
use gridwright_core::scene::{Area, Colour, Scene};

pub(crate) use columns::{Audience, ColumnsOptions, period_columns};
pub(crate) use grid::{GridOptions, grid_of, timetable_grid};
pub use gridwright_core::scene::palette::Palette;
pub(crate) use gridwright_core::scene::palette::readable_on;

/// Sort order of the exams in a grid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum Sort {
    /// Descending number of conflicting exams.
    #[default]
    Degree,
    /// Descending enrolment.
    Size,
    /// Ascending code.
    Name,
    /// Ascending period, within it descending enrolment; unplaced exams last.
    Period,
    /// Descending share in the cost.
    Cost,
}

impl Sort {
    /// All orders, as menus list them.
    pub const ALL: [Self; 5] = gridwright_core::variants();

    /// Name after «sorted by …».
    pub fn name(self) -> &'static str {
        match self {
            Self::Degree => "conflicts",
            Self::Size => "students",
            Self::Name => "code",
            Self::Period => "period",
            Self::Cost => "part in the cost",
        }
    }
}

/// Picture with the areas of its exams, for hit tests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    /// The picture.
    pub scene: Scene,
    /// (exam, area), from back to front.
    pub exams: Vec<(usize, Area)>,
}

/// Position of an exam on the colour scale: √(part / largest), because a few exams carry most of the cost and the
/// others should remain distinguishable.
pub fn cost_share(part: u64, largest: u64) -> f32 {
    if largest == 0 { 0.0 } else { (part as f64 / largest as f64).sqrt().min(1.0) as f32 }
}

/// Exam indices in the given order; ties in the order of the instance.
pub fn sorted_exams(instance: &Instance, timetable: &Timetable, sort: Sort) -> Vec<usize> {
    let mut exams: Vec<usize> = (0..instance.exam_count()).collect();
    let size = |exam: usize| std::cmp::Reverse(instance.exams[exam].enrolment);
    match sort {
        Sort::Degree => exams.sort_by_key(|&exam| std::cmp::Reverse(instance.conflicts.degree(exam))),
        Sort::Size => exams.sort_by_key(|&exam| size(exam)),
        Sort::Name => exams.sort_by(|&a, &b| instance.exams[a].code.cmp(&instance.exams[b].code)),
        Sort::Period => {
            exams.sort_by_key(|&exam| (counts::placed(instance, timetable, exam).unwrap_or(usize::MAX), size(exam)))
        }
        Sort::Cost => {
            let shares = timetable.cost_shares(instance);
            exams.sort_by_key(|&exam| std::cmp::Reverse(shares[exam]));
        }
    }
    exams
}

/// Data of a timetable that all pictures use.
struct Facts<'a> {
    instance: &'a Instance,
    counts: TimetableStatistics,
    cost: Cost,
    /// Period of each exam that is placed within the session.
    periods: Vec<Option<usize>>,
    /// Share of each exam in the raw cost: Σ_j c_ij · w(|t_i − t_j|).
    parts: Vec<u64>,
    /// Clashes of each exam.
    clashes: Vec<u64>,
    /// Rooms of each exam in words; empty if the timetable has no rooms.
    rooms: Vec<String>,
    largest_part: u64,
    palette: Palette,
    dark: bool,
    audience: Audience,
}

impl<'a> Facts<'a> {
    fn new(instance: &'a Instance, timetable: &Timetable, dark: bool) -> Self {
        let periods: Vec<Option<usize>> =
            (0..instance.exam_count()).map(|exam| counts::placed(instance, timetable, exam)).collect();
        let share = |(exam, period): (usize, &Option<usize>)| match period {
            Some(period) => timetable.share_at(instance, exam, *period),
            None => (0, 0),
        };
        let (clashes, parts): (Vec<u64>, Vec<u64>) = periods.iter().enumerate().map(share).unzip();
        let rooms = Occupancy::of(instance, timetable);
        let rooms = rooms
            .iter()
            .flat_map(|it| (0..instance.exam_count()).map(|exam| it.public_rooms(exam).join(", ")))
            .collect();
        Self {
            instance,
            rooms,
            counts: TimetableStatistics::of(instance, timetable),
            cost: timetable.cost(instance),
            largest_part: parts.iter().copied().max().unwrap_or(0),
            periods,
            parts,
            clashes,
            palette: Palette::of(dark),
            dark,
            audience: Audience::default(),
        }
    }

    fn colour(&self, exam: usize) -> Colour {
        if self.audience.is_public() {
            return self.palette.stripe.mix(self.palette.bar, 0.3);
        }
        cost_colour(cost_share(self.parts[exam], self.largest_part), self.dark)
    }

    /// Percentage of the raw cost that `part` is. Every pair has two exams, so the percentages of all exams add up to
    /// 200.
    fn percent(&self, part: u64) -> f64 {
        if self.cost.proximity == 0 { 0.0 } else { 100.0 * part as f64 / self.cost.proximity as f64 }
    }

    /// Tooltip of an exam: «MATH101 Analysis · 312 students · Mon 1 Jun, 09:00–11:00 · part in the cost 2.1 %».
    fn describe(&self, exam: usize) -> String {
        let data = &self.instance.exams[exam];
        let students = grouped(u64::from(data.enrolment));
        let space = if data.title.is_empty() { "" } else { " " };
        let mut text = format!("{}{space}{} · {students} students · ", data.code, data.title);
        match self.periods[exam] {
            Some(period) => text.push_str(&self.instance.period_label(period)),
            None => text.push_str("no period"),
        }
        if let Some(rooms) = self.rooms.get(exam).filter(|rooms| !rooms.is_empty()) {
            text.push_str(&format!(" · {rooms}"));
        }
        if self.parts[exam] > 0 {
            text.push_str(&format!(" · part in the cost {:.1} %", self.percent(self.parts[exam])));
        }
        if self.clashes[exam] > 0 {
            text.push_str(&format!(" · clash: {} students", grouped(self.clashes[exam])));
        }
        text
    }
}

#[cfg(test)]
mod tests;
