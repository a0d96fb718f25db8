//! A timetable as a picture: the grid of exams and periods, and its twin with periods as columns of chips.
//!
//! Both say the same by the same means: an exam is coloured by its part in the cost, on a scale that runs from pale to
//! dark (on a dark ground from dark to bright) and so survives colour blindness and grey printers; a clash breaks out
//! of that scale in red, with an outline and a mark.

mod columns;
mod grid;
mod header;

use serde::{Deserialize, Serialize};

use super::counts::{self, OfficerCounts, grouped};
use super::{Cost, Instance, Timetable};
use crate::scene::{Area, Colour, Scene};

pub use crate::scene::palette::{Palette, readable_on};
pub use columns::{ColumnsOptions, draw_columns, period_columns};
pub use grid::{GridOptions, draw_grid, grid_of, timetable_grid};

/// How the exams of a grid follow each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Sort {
    /// Most conflicting exams first.
    #[default]
    Degree,
    /// Most students first.
    Size,
    /// By code.
    Name,
    /// By period, within it most students first; exams without a period last.
    Period,
    /// Highest part in the cost first.
    Cost,
}

impl Sort {
    /// All of them, in the order in which a person would look for them.
    pub const ALL: [Self; 5] = [Self::Degree, Self::Size, Self::Name, Self::Period, Self::Cost];

    /// What people call it: «sorted by …».
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

/// A picture and where in it each exam lies, for pointing and clicking.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The picture.
    pub scene: Scene,
    /// Exams and their areas, from back to front.
    pub exams: Vec<(usize, Area)>,
}

impl Drawing {
    /// The exam at a point.
    pub fn exam_at(&self, x: f32, y: f32) -> Option<usize> {
        self.exams.iter().rev().find(|(_, area)| area.contains(x, y)).map(|&(exam, _)| exam)
    }
}

/// From no part in the cost to the largest: luminance falls (light) or rises (dark) evenly, and no two neighbours
/// differ by red against green only. After YlGnBu of C. Brewer's «ColorBrewer».
const LIGHT_SCALE: [u32; 6] = [0xBEE3BC, 0x86CFB8, 0x48B5C1, 0x2A8CBE, 0x2457A4, 0x0B1F5E];
const DARK_SCALE: [u32; 6] = [0x27485E, 0x2A6F93, 0x2F9CB5, 0x6CC6B5, 0xBCE6AF, 0xFFFBC8];

/// The colour of a share, 0 (none) to 1 (the largest); [`cost_share`] computes it.
pub fn cost_colour(share: f32, dark: bool) -> Colour {
    let stops = if dark { &DARK_SCALE } else { &LIGHT_SCALE };
    let last = stops.len() - 1;
    let position = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * last as f32;
    let below = (position as usize).min(last - 1);
    Colour::hex(stops[below]).mix(Colour::hex(stops[below + 1]), position - below as f32)
}

/// Where on the colour scale an exam lies that takes part in `part` of the cost, when the largest takes part in
/// `largest`: √(part / largest), because a few exams carry most of the cost and the others should not all look alike.
pub fn cost_share(part: u64, largest: u64) -> f32 {
    if largest == 0 { 0.0 } else { (part as f64 / largest as f64).sqrt().min(1.0) as f32 }
}

/// The exams in the order of a grid; equal ones in the order of the instance.
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

/// What every picture of a timetable needs to know.
struct Facts<'a> {
    instance: &'a Instance,
    counts: OfficerCounts,
    cost: Cost,
    /// The period of each exam that has a valid one.
    periods: Vec<Option<usize>>,
    /// Per exam: Σ_j c_ij · w(|t_i − t_j|).
    parts: Vec<u64>,
    /// Per exam: students who sit another exam in the same period.
    clashes: Vec<u64>,
    largest_part: u64,
    palette: Palette,
    dark: bool,
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
        Self {
            instance,
            counts: OfficerCounts::of(instance, timetable),
            cost: timetable.cost(instance),
            largest_part: parts.iter().copied().max().unwrap_or(0),
            periods,
            parts,
            clashes,
            palette: Palette::of(dark),
            dark,
        }
    }

    fn colour(&self, exam: usize) -> Colour {
        cost_colour(cost_share(self.parts[exam], self.largest_part), self.dark)
    }

    /// How much of the whole cost an exam takes part in, in percent. Every pair has two exams, so these add up to 200.
    fn percent(&self, part: u64) -> f64 {
        if self.cost.proximity == 0 { 0.0 } else { 100.0 * part as f64 / self.cost.proximity as f64 }
    }

    /// «MATH101 Analysis · 312 students · Mon 1 Jun, 09:00–11:00 · part in the cost 2.1 %».
    fn describe(&self, exam: usize) -> String {
        let data = &self.instance.exams[exam];
        let students = grouped(u64::from(data.enrolment));
        let space = if data.title.is_empty() { "" } else { " " };
        let mut text = format!("{}{space}{} · {students} students · ", data.code, data.title);
        match self.periods[exam] {
            Some(period) => text.push_str(&self.instance.period_label(period)),
            None => text.push_str("no period"),
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
