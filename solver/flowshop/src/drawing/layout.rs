//! Geometry of a Gantt chart in time units and rows, shared by pictures and the window.
//!
//! Nothing is stored per operation. Within a row bars are disjoint and ascending, and from row to row starts and ends
//! are non-decreasing, so that visible bars are found by binary search: O(log n) for the range of rows, for each
//! visible row and for each merged bar; O(1) for every other bar.

mod flags;

use std::ops::Range;

use crate::{Instance, Schedule};
use gridwright_core::numbers::grouped;

pub use flags::{Flag, FlagPlace, flag_levels, flags_within, latest};

/// Height of a set-up relative to that of a bar.
pub const SETUP_HEIGHT: f32 = 0.34;

/// Meaning of the rows of a chart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum GanttRows {
    /// One row per machine in routing order; bars are jobs.
    #[default]
    Machines,
    /// One row per job in order of positions; bars are machines.
    Jobs,
}

/// A section of a chart: a time range and a range of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct GanttSection {
    /// Time range in time units.
    pub time: Range<f64>,
    /// Row range.
    pub rows: Range<usize>,
}

/// A bar: one operation, or several consecutive operations of a row that are too short to be drawn apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Row index.
    pub row: usize,
    /// First operation by its index in the row: the position in rows of machines, the machine in rows of jobs.
    pub first: usize,
    /// Last operation; equal to `first` for a single operation.
    pub last: usize,
    /// Start of the first operation.
    pub start: u32,
    /// End of the last operation.
    pub end: u32,
}

impl Piece {
    /// Returns `true` for a bar of one operation.
    pub fn is_single(&self) -> bool {
        self.first == self.last
    }
}

/// Consecutive operations of a critical path in one row, without gaps; in rows of machines, a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// Row index.
    pub row: usize,
    /// Start of the first operation.
    pub start: u32,
    /// End of the last operation.
    pub end: u32,
}

/// A critical path across the rows; each outline starts when the previous one ends, one row further down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathRows {
    /// Outlines, ascending in time and row.
    pub outlines: Vec<Outline>,
}

impl PathRows {
    /// Outlines that may be visible, plus one before and after for the connecting lines.
    pub fn within(&self, view: &GanttSection) -> &[Outline] {
        let outside = |outline: &Outline| f64::from(outline.end) < view.time.start || outline.row < view.rows.start;
        let inside = |outline: &Outline| f64::from(outline.start) <= view.time.end && outline.row < view.rows.end;
        let first = self.outlines.partition_point(outside);
        let last = self.outlines.partition_point(inside).max(first);
        &self.outlines[first.saturating_sub(1)..(last + 1).min(self.outlines.len())]
    }
}

/// Gantt chart of a schedule: maps operations to rows and times.
#[derive(Debug, Clone, Copy)]
pub struct GanttLayout<'a> {
    /// Instance of the schedule.
    pub instance: &'a Instance,
    /// Schedule, possibly of some of the jobs.
    pub schedule: &'a Schedule,
    /// Meaning of the rows.
    pub rows: GanttRows,
}

impl<'a> GanttLayout<'a> {
    /// Chart of a schedule of this instance.
    pub fn new(instance: &'a Instance, schedule: &'a Schedule, rows: GanttRows) -> Self {
        Self { instance, schedule, rows }
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        match self.rows {
            GanttRows::Machines => self.instance.machine_count(),
            GanttRows::Jobs => self.schedule.order.len(),
        }
    }

    /// Number of operations in each row.
    pub fn row_length(&self) -> usize {
        match self.rows {
            GanttRows::Machines => self.schedule.order.len(),
            GanttRows::Jobs => self.schedule.machine_count(),
        }
    }

    /// Name of the row's machine or job.
    pub fn row_name(&self, row: usize) -> &'a str {
        match self.rows {
            GanttRows::Machines => &self.instance.machines[row],
            GanttRows::Jobs => &self.instance.jobs[self.job(row)].name,
        }
    }

    /// Job index by position.
    pub fn job(&self, position: usize) -> usize {
        usize::from(self.schedule.order[position])
    }

    /// (position, machine) of an operation, given by its row and its index in the row.
    pub fn operation(&self, row: usize, at: usize) -> (usize, usize) {
        match self.rows {
            GanttRows::Machines => (at, row),
            GanttRows::Jobs => (row, at),
        }
    }

    /// (row, index in the row) of an operation, given by position and machine.
    pub fn place(&self, position: usize, machine: usize) -> (usize, usize) {
        match self.rows {
            GanttRows::Machines => (machine, position),
            GanttRows::Jobs => (position, machine),
        }
    }

    /// Start of an operation in time units.
    pub fn start(&self, row: usize, at: usize) -> u32 {
        let (position, machine) = self.operation(row, at);
        self.passing_by(position, machine).unwrap_or_else(|| self.schedule.start(position, machine))
    }

    /// End of an operation in time units.
    pub fn end(&self, row: usize, at: usize) -> u32 {
        let (position, machine) = self.operation(row, at);
        self.passing_by(position, machine).unwrap_or_else(|| self.schedule.completion(position, machine))
    }

    /// Time in a row of a machine at which a job comes that does not visit it, so that rows are ascending; `None` for all others.
    fn passing_by(&self, position: usize, machine: usize) -> Option<u32> {
        let is_there = self.rows == GanttRows::Jobs || self.schedule.visits(position, machine);
        (!is_there).then(|| self.schedule.ready(position, machine))
    }

    /// Returns `true` for a bar of one operation of a job that does not visit the machine.
    fn is_nothing(&self, piece: &Piece) -> bool {
        let (position, machine) = self.operation(piece.row, piece.first);
        piece.is_single() && !self.schedule.visits(position, machine)
    }

    /// Start and end of the set-up before a bar of one operation in a row of a machine, as late as possible; `None` if there is none.
    pub fn setup(&self, piece: &Piece) -> Option<(u32, u32)> {
        let is_shown = self.rows == GanttRows::Machines && piece.is_single();
        is_shown.then(|| self.schedule.setup_span(piece.first, piece.row)).flatten()
    }

    /// Tooltip of a set-up, such as «Drill is set up for Chair: 15 to 20 (5)».
    pub(crate) fn describe_setup(&self, piece: &Piece, (start, end): (u32, u32)) -> String {
        let (job, machine) = (&self.instance.jobs[self.job(piece.first)].name, &self.instance.machines[piece.row]);
        let [from, to] = [start, end].map(|time| self.instance.moment(time));
        let takes = grouped(self.schedule.setup(piece.first, piece.row));
        format!("{machine} is set up for {job}: {from} to {to} ({takes})")
    }

    /// The whole chart: all rows, from 0 to the makespan or the last due date, but at most 1.2 times the makespan.
    pub fn whole(&self) -> GanttSection {
        let makespan = f64::from(self.schedule.makespan());
        let due = (0..self.schedule.order.len()).filter_map(|position| self.due(position)).max().unwrap_or(0);
        let to = makespan.max(f64::from(due).min(makespan * 1.2)).max(1.0);
        GanttSection { time: 0.0..to, rows: 0..self.row_count() }
    }

    /// Visible bars of a section, row by row in ascending time. Consecutive operations that span at most `finest` time
    /// units, gaps included, are merged into one bar.
    pub fn visible(&self, view: &GanttSection, finest: f64) -> impl Iterator<Item = Piece> + use<'a> {
        let (layout, time) = (*self, view.time.clone());
        let rows = view.rows.start..view.rows.end.min(self.row_count());
        let rows = self.rows_within(rows, &time);
        rows.flat_map(move |row| Pieces {
            layout,
            row,
            next: layout.first_after(row, time.start),
            to: time.end,
            finest,
        })
        .filter(move |piece| !layout.is_nothing(piece))
    }

    /// Bar of the operation at a time in a row; the first one among operations of length 0; `None` if the machine is
    /// idle then.
    pub fn at(&self, row: usize, time: f64) -> Option<Piece> {
        if row >= self.row_count() {
            return None;
        }
        let at = self.first_after(row, time);
        let piece = (at < self.row_length()).then(|| self.piece(row, at, at))?;
        (f64::from(piece.start) <= time).then_some(piece)
    }

    /// First start and last end of a row; `None` if it is empty.
    pub fn span(&self, row: usize) -> Option<(u32, u32)> {
        let last = self.row_length().checked_sub(1)?;
        Some((self.start(row, 0), self.end(row, last)))
    }

    /// Utilisation of a row: share of the makespan in which it has an operation, 0 to 1.
    pub fn busy(&self, row: usize) -> f64 {
        let of = |at: usize| u64::from(self.work(&self.piece(row, at, at)));
        let busy: u64 = (0..self.row_length()).map(of).sum();
        busy as f64 / f64::from(self.schedule.makespan().max(1))
    }

    /// A critical path across the rows of this chart.
    pub fn critical_path(&self) -> PathRows {
        let path = self.schedule.critical_path();
        let places: Vec<(usize, usize)> = path.operations.iter().map(|&(k, i)| self.place(k, i)).collect();
        let outline = |run: &[(usize, usize)]| {
            let (&(row, first), &(_, last)) = (run.first()?, run.last()?);
            Some(Outline { row, start: self.start(row, first), end: self.end(row, last) })
        };
        PathRows { outlines: places.chunk_by(|a, b| a.0 == b.0).filter_map(outline).collect() }
    }

    /// Due date of the job in a position; `None` if the job has none.
    pub fn due(&self, position: usize) -> Option<u32> {
        self.instance.jobs[self.job(position)].due
    }

    /// Tardiness of the job in a position; 0 if it is in time or has no due date.
    pub fn late(&self, position: usize) -> u32 {
        self.due(position).map_or(0, |due| self.schedule.done(position).saturating_sub(due))
    }

    /// All due dates in ascending order.
    pub fn flags(&self) -> Vec<Flag> {
        let flag = |position| Some(Flag { position, due: self.due(position)?, late: self.late(position) });
        let mut flags: Vec<Flag> = (0..self.schedule.order.len()).filter_map(flag).collect();
        flags.sort_by_key(|flag| (flag.due, flag.position));
        flags
    }

    /// Tooltip of a bar, such as «Chair on Drill: 20 to 27 (7)» or, for a merged bar, its number of operations.
    pub fn describe(&self, piece: &Piece) -> String {
        let [start, end] = [piece.start, piece.end].map(|time| self.instance.moment(time));
        let takes = grouped(self.work(piece));
        if !piece.is_single() {
            let count = grouped((piece.last - piece.first + 1) as u64);
            return format!("{count} operations: {start} to {end}");
        }
        let (position, machine) = self.operation(piece.row, piece.first);
        let (job, machine) = (&self.instance.jobs[self.job(position)].name, &self.instance.machines[machine]);
        format!("{job} on {machine}: {start} to {end} ({takes})")
    }

    /// Tooltip of a due date, such as «Chair: due at 50, done at 57, late by 7».
    pub(crate) fn describe_flag(&self, flag: &Flag) -> String {
        let name = &self.instance.jobs[self.job(flag.position)].name;
        let (due, done) = (self.instance.due_moment(flag.due), self.instance.moment(self.schedule.done(flag.position)));
        let late = if flag.late > 0 { format!(", late by {}", grouped(flag.late)) } else { String::new() };
        format!("{name}: due {}{due}, done at {done}{late}", if due.starts_with("by ") { "" } else { "at " })
    }

    /// Rows of a range that have an operation within the time range.
    fn rows_within(&self, rows: Range<usize>, time: &Range<f64>) -> Range<usize> {
        let not_over = |row: usize| self.span(row).is_some_and(|(_, end)| f64::from(end) >= time.start);
        let not_begun = |row: usize| self.span(row).is_none_or(|(start, _)| f64::from(start) > time.end);
        first_where(rows.clone(), not_over)..first_where(rows, not_begun)
    }

    fn piece(&self, row: usize, first: usize, last: usize) -> Piece {
        Piece { row, first, last, start: self.start(row, first), end: self.end(row, last) }
    }

    /// Index of the first operation of a row that ends at or after `time`.
    fn first_after(&self, row: usize, time: f64) -> usize {
        first_where(0..self.row_length(), |at| f64::from(self.end(row, at)) >= time)
    }
}

/// Iterator over the visible bars of one row.
struct Pieces<'a> {
    layout: GanttLayout<'a>,
    row: usize,
    next: usize,
    to: f64,
    finest: f64,
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let (layout, row, first, length) = (&self.layout, self.row, self.next, self.layout.row_length());
        let start = (first < length).then(|| f64::from(layout.start(row, first))).filter(|&start| start <= self.to)?;
        let beyond = |at: usize| f64::from(layout.end(row, at)) > start + self.finest;
        // Most bars are single operations: check the next one before the binary search.
        let after = first + 1;
        let is_single = self.finest <= 0.0 || after >= length || beyond(after);
        self.next = if is_single { after } else { first_where(after..length, beyond) };
        Some(layout.piece(row, first, self.next - 1))
    }
}

/// Binary search: first index of the range for which `holds`, or the end of the range; `holds` must be monotone.
fn first_where(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) { end = middle } else { start = middle + 1 }
    }
    start
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Job 1 takes 3 then 2, job 2 takes 1 then 4: in order 1, 2 machine 1 until 3 and 4, machine 2 until 5 and 9.
    fn example() -> Instance {
        Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap()
    }

    fn all(layout: &GanttLayout<'_>, from: f64, to: f64, finest: f64) -> Vec<(usize, usize, usize, u32, u32)> {
        let view = GanttSection { time: from..to, rows: 0..layout.row_count() };
        layout.visible(&view, finest).map(|p| (p.row, p.first, p.last, p.start, p.end)).collect()
    }

    #[test]
    fn bars_lie_where_the_hand_puts_them() {
        let instance = example();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let machines = GanttLayout::new(&instance, &schedule, GanttRows::Machines);
        let bars = [(0, 0, 0, 0, 3), (0, 1, 1, 3, 4), (1, 0, 0, 3, 5), (1, 1, 1, 5, 9)];
        assert_eq!(all(&machines, 0.0, 9.0, 0.0), bars);
        assert_eq!(all(&machines, 4.5, 4.9, 0.0), bars[2..3]);
        assert_eq!(all(&machines, 9.5, 12.0, 0.0), []);
        assert_eq!(all(&machines, 0.0, 9.0, 4.0)[0], (0, 0, 1, 0, 4), "3 and 1 together take 4");
        assert_eq!(all(&machines, 0.0, 9.0, 3.9).len(), 4);
        let jobs = GanttLayout::new(&instance, &schedule, GanttRows::Jobs);
        assert_eq!(all(&jobs, 0.0, 9.0, 0.0), [(0, 0, 0, 0, 3), (0, 1, 1, 3, 5), (1, 0, 0, 3, 4), (1, 1, 1, 5, 9)]);
        assert_eq!((machines.span(1), jobs.span(1)), (Some((3, 9)), Some((3, 9))));
        assert_eq!((machines.busy(0), machines.busy(1), jobs.busy(0)), (4.0 / 9.0, 6.0 / 9.0, 5.0 / 9.0));
        assert_eq!(machines.at(1, 7.0).map(|piece| piece.first), Some(1));
        assert_eq!((jobs.at(1, 4.5), machines.at(0, 9.5), machines.at(2, 1.0)), (None, None, None));
    }

    /// 3 (job 1, machine 1) + 2 (job 1, machine 2) + 4 (job 2, machine 2) = 9.
    #[test]
    fn the_critical_path_runs_through_the_rows() {
        let instance = example();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let of = |rows| GanttLayout::new(&instance, &schedule, rows).critical_path().outlines;
        let outline = |row, start, end| Outline { row, start, end };
        assert_eq!(of(GanttRows::Machines), [outline(0, 0, 3), outline(1, 3, 9)]);
        assert_eq!(of(GanttRows::Jobs), [outline(0, 0, 5), outline(1, 5, 9)]);
        let path = GanttLayout::new(&instance, &schedule, GanttRows::Machines).critical_path();
        let within = |time, rows| path.within(&GanttSection { time, rows }).len();
        assert_eq!((within(0.0..9.0, 0..2), within(0.0..1.0, 0..1), within(20.0..30.0, 0..2)), (2, 2, 1));
    }

    #[test]
    fn an_empty_schedule_has_rows_and_no_bars() {
        let instance = example();
        let schedule = Schedule::new(&instance, &[]);
        for rows in [GanttRows::Machines, GanttRows::Jobs] {
            let layout = GanttLayout::new(&instance, &schedule, rows);
            assert!(all(&layout, 0.0, 9.0, 0.0).is_empty() && layout.flags().is_empty());
            assert!(layout.critical_path().outlines.is_empty() && layout.at(0, 0.0).is_none());
            assert_eq!(layout.whole().time, 0.0..1.0);
        }
    }

    proptest! {
        /// Binary search finds the same operations as a scan; bars cover every operation once.
        #[test]
        fn nothing_is_overlooked(
            machines in 1..5_usize,
            times in proptest::collection::vec(prop_oneof![Just(0), 0..20_u32], 1..60),
            (from, length) in (0..200_u32, 0..100_u32),
            finest in 0..30_u32,
            by_job in any::<bool>(),
        ) {
            let jobs = times.len() / machines;
            prop_assume!(jobs > 0);
            let instance = Instance::of_times("test", machines, times[..jobs * machines].to_vec()).unwrap();
            let order: Vec<u16> = (0..jobs as u16).rev().collect();
            let schedule = Schedule::new(&instance, &order);
            let layout = GanttLayout::new(&instance, &schedule, if by_job { GanttRows::Jobs } else { GanttRows::Machines });
            let (from, to) = (f64::from(from), f64::from(from + length));
            let mut expected = Vec::new();
            for row in 0..layout.row_count() {
                for at in 0..layout.row_length() {
                    let (start, end) = (layout.start(row, at), layout.end(row, at));
                    if f64::from(end) >= from && f64::from(start) <= to {
                        expected.push((row, at));
                    }
                }
            }
            let view = GanttSection { time: from..to, rows: 0..layout.row_count() };
            let singles: Vec<Piece> = layout.visible(&view, 0.0).collect();
            prop_assert!(singles.iter().all(Piece::is_single));
            prop_assert_eq!(singles.iter().map(|piece| (piece.row, piece.first)).collect::<Vec<_>>(), expected.clone());
            let merged: Vec<Piece> = layout.visible(&view, f64::from(finest)).collect();
            prop_assert!(merged.iter().all(|piece| piece.is_single() || piece.end - piece.start <= finest));
            // The last bar of a row may extend beyond the section.
            let covered: Vec<(usize, usize)> =
                merged.iter().flat_map(|piece| (piece.first..=piece.last).map(|at| (piece.row, at))).collect();
            prop_assert!(expected.iter().all(|place| covered.contains(place)));
            prop_assert!(covered.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
