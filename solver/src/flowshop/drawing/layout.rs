//! Where the bars of a Gantt chart lie, in time units and rows, and which of them are seen.
//!
//! Numbers only: pictures and the window paint the same layout. Nothing is stored per operation. In a row, bars neither
//! overlap nor run backwards, and no row begins or ends before the one above it, so what is visible is found by halving:
//! O(log n) for the rows, for each of them that shows anything, and for every piece that stands for several operations;
//! each other piece costs O(1).

use std::ops::Range;

use crate::flowshop::{Instance, Schedule};
use crate::numbers::grouped;

/// What the rows of a chart are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Rows {
    /// A row per machine, in the order in which jobs pass them; bars are jobs.
    #[default]
    Machines,
    /// A row per job, in the order of positions; bars are machines.
    Jobs,
}

/// A part of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// From when until when, in time units.
    pub time: Range<f64>,
    /// Which rows.
    pub rows: Range<usize>,
}

/// One operation or, where they are together too short to be told apart, several that follow each other in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The row.
    pub row: usize,
    /// The first operation by its place in the row: the position in rows of machines, the machine in rows of jobs.
    pub first: usize,
    /// The last one; the same as the first where it is one operation.
    pub last: usize,
    /// When the first starts.
    pub start: u32,
    /// When the last ends.
    pub end: u32,
}

impl Piece {
    /// Whether it is one operation.
    pub fn is_single(&self) -> bool {
        self.first == self.last
    }
}

/// Operations of a critical path that share a row: in rows of machines one of its blocks. No gap is between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// The row.
    pub row: usize,
    /// When the first starts.
    pub start: u32,
    /// When the last ends.
    pub end: u32,
}

/// A critical path as it runs through the rows; each outline starts when the one before it ends, one row further down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathRows {
    /// Ascending in time and row.
    pub outlines: Vec<Outline>,
}

impl PathRows {
    /// What of it may be seen, with one outline before and after so that links to them are drawn.
    pub fn within(&self, view: &View) -> &[Outline] {
        let outside = |outline: &Outline| f64::from(outline.end) < view.time.start || outline.row < view.rows.start;
        let inside = |outline: &Outline| f64::from(outline.start) <= view.time.end && outline.row < view.rows.end;
        let first = self.outlines.partition_point(outside);
        let last = self.outlines.partition_point(inside).max(first);
        &self.outlines[first.saturating_sub(1)..(last + 1).min(self.outlines.len())]
    }
}

/// When a job is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The position of the job.
    pub position: usize,
    /// When it is due.
    pub due: u32,
    /// How much later it is done; 0 where it is in time.
    pub late: u32,
}

/// A Gantt chart of a schedule.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// The data.
    pub instance: &'a Instance,
    /// The plan, perhaps with jobs left out.
    pub schedule: &'a Schedule,
    /// What its rows are.
    pub rows: Rows,
}

impl<'a> Layout<'a> {
    /// The chart of a schedule of this instance.
    pub fn new(instance: &'a Instance, schedule: &'a Schedule, rows: Rows) -> Self {
        Self { instance, schedule, rows }
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        match self.rows {
            Rows::Machines => self.instance.machine_count(),
            Rows::Jobs => self.schedule.order.len(),
        }
    }

    /// Number of operations in each row.
    pub fn row_length(&self) -> usize {
        match self.rows {
            Rows::Machines => self.schedule.order.len(),
            Rows::Jobs => self.schedule.machine_count(),
        }
    }

    /// The machine's or the job's name.
    pub fn row_name(&self, row: usize) -> &'a str {
        match self.rows {
            Rows::Machines => &self.instance.machines[row],
            Rows::Jobs => &self.instance.jobs[self.job(row)].name,
        }
    }

    /// The job in a position, by its place in the instance.
    pub fn job(&self, position: usize) -> usize {
        usize::from(self.schedule.order[position])
    }

    /// Position and machine of an operation by its row and its place there.
    pub fn operation(&self, row: usize, at: usize) -> (usize, usize) {
        match self.rows {
            Rows::Machines => (at, row),
            Rows::Jobs => (row, at),
        }
    }

    /// Row and place in the row of an operation by its position and machine.
    pub fn place(&self, position: usize, machine: usize) -> (usize, usize) {
        match self.rows {
            Rows::Machines => (machine, position),
            Rows::Jobs => (position, machine),
        }
    }

    /// When an operation starts.
    pub fn start(&self, row: usize, at: usize) -> u32 {
        let (position, machine) = self.operation(row, at);
        self.schedule.start(position, machine)
    }

    /// When an operation ends.
    pub fn end(&self, row: usize, at: usize) -> u32 {
        let (position, machine) = self.operation(row, at);
        self.schedule.completion(position, machine)
    }

    /// The whole chart: all rows, from 0 until everything is done, and to the last due date where that is not much later.
    pub fn whole(&self) -> View {
        let makespan = f64::from(self.schedule.makespan());
        let due = (0..self.schedule.order.len()).filter_map(|position| self.due(position)).max().unwrap_or(0);
        let to = makespan.max(f64::from(due).min(makespan * 1.2)).max(1.0);
        View { time: 0.0..to, rows: 0..self.row_count() }
    }

    /// What is seen in a part of the chart, row by row, in ascending time. Operations that follow each other and together
    /// take at most `finest` time units, gaps between them included, are one piece.
    pub fn visible(&self, view: &View, finest: f64) -> impl Iterator<Item = Piece> + use<'a> {
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
    }

    /// The operation at a time in a row; of several that take no time the first.
    pub fn at(&self, row: usize, time: f64) -> Option<Piece> {
        if row >= self.row_count() {
            return None;
        }
        let at = self.first_after(row, time);
        let piece = (at < self.row_length()).then(|| self.piece(row, at, at))?;
        (f64::from(piece.start) <= time).then_some(piece)
    }

    /// From when to when a row has operations.
    pub fn span(&self, row: usize) -> Option<(u32, u32)> {
        let last = self.row_length().checked_sub(1)?;
        Some((self.start(row, 0), self.end(row, last)))
    }

    /// The part of the time from 0 to the makespan in which a row has an operation, 0 to 1.
    pub fn busy(&self, row: usize) -> f64 {
        let of = |at: usize| u64::from(self.end(row, at) - self.start(row, at));
        let busy: u64 = (0..self.row_length()).map(of).sum();
        busy as f64 / f64::from(self.schedule.makespan().max(1))
    }

    /// A critical path as it runs through the rows.
    pub fn critical_path(&self) -> PathRows {
        let path = self.schedule.critical_path();
        let places: Vec<(usize, usize)> = path.operations.iter().map(|&(k, i)| self.place(k, i)).collect();
        let outline = |run: &[(usize, usize)]| {
            let (&(row, first), &(_, last)) = (run.first()?, run.last()?);
            Some(Outline { row, start: self.start(row, first), end: self.end(row, last) })
        };
        PathRows { outlines: places.chunk_by(|a, b| a.0 == b.0).filter_map(outline).collect() }
    }

    /// When the job in a position is due.
    pub fn due(&self, position: usize) -> Option<u32> {
        self.instance.jobs[self.job(position)].due
    }

    /// How much later than due the job in a position is done; 0 where it is in time or has no due date.
    pub fn late(&self, position: usize) -> u32 {
        self.due(position).map_or(0, |due| self.schedule.done(position).saturating_sub(due))
    }

    /// All due dates, in ascending order.
    pub fn flags(&self) -> Vec<Flag> {
        let flag = |position| Some(Flag { position, due: self.due(position)?, late: self.late(position) });
        let mut flags: Vec<Flag> = (0..self.schedule.order.len()).filter_map(flag).collect();
        flags.sort_by_key(|flag| (flag.due, flag.position));
        flags
    }

    /// What a person reads when pointing at a piece: «Chair on Drill: 20 to 27 (7)», or how many operations it stands for.
    pub fn describe(&self, piece: &Piece) -> String {
        let [start, end, takes] =
            [piece.start, piece.end, piece.end - piece.start].map(|time| grouped(u64::from(time)));
        if !piece.is_single() {
            let count = grouped((piece.last - piece.first + 1) as u64);
            return format!("{count} operations: {start} to {end}");
        }
        let (position, machine) = self.operation(piece.row, piece.first);
        let (job, machine) = (&self.instance.jobs[self.job(position)].name, &self.instance.machines[machine]);
        format!("{job} on {machine}: {start} to {end} ({takes})")
    }

    /// What a person reads when pointing at a due date: «Chair: due at 50, done at 57, late by 7».
    pub fn describe_flag(&self, flag: &Flag) -> String {
        let name = &self.instance.jobs[self.job(flag.position)].name;
        let [due, done, late] =
            [flag.due, self.schedule.done(flag.position), flag.late].map(|time| grouped(u64::from(time)));
        let late = if flag.late > 0 { format!(", late by {late}") } else { String::new() };
        format!("{name}: due at {due}, done at {done}{late}")
    }

    /// Those of some rows that have anything to show in a time: from row to row, operations neither begin nor end earlier.
    fn rows_within(&self, rows: Range<usize>, time: &Range<f64>) -> Range<usize> {
        let not_over = |row: usize| self.span(row).is_some_and(|(_, end)| f64::from(end) >= time.start);
        let not_begun = |row: usize| self.span(row).is_none_or(|(start, _)| f64::from(start) > time.end);
        first_where(rows.clone(), not_over)..first_where(rows, not_begun)
    }

    fn piece(&self, row: usize, first: usize, last: usize) -> Piece {
        Piece { row, first, last, start: self.start(row, first), end: self.end(row, last) }
    }

    /// The first operation of a row that does not end before `time`.
    fn first_after(&self, row: usize, time: f64) -> usize {
        first_where(0..self.row_length(), |at| f64::from(self.end(row, at)) >= time)
    }
}

/// Those flags, ascending, that lie within the time of a view.
pub fn flags_within<'f>(flags: &'f [Flag], view: &View) -> &'f [Flag] {
    let first = flags.partition_point(|flag| f64::from(flag.due) < view.time.start);
    let last = flags.partition_point(|flag| f64::from(flag.due) <= view.time.end);
    flags.get(first..last).unwrap_or(&[])
}

/// The pieces of one row.
struct Pieces<'a> {
    layout: Layout<'a>,
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
        // Most pieces are one operation: look at the next one before halving.
        let after = first + 1;
        let one = self.finest <= 0.0 || after >= length || beyond(after);
        self.next = if one { after } else { first_where(after..length, beyond) };
        Some(layout.piece(row, first, self.next - 1))
    }
}

/// The first number of a range from which on `holds`, by halving; the end of the range where it never does.
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

    fn all(layout: &Layout<'_>, from: f64, to: f64, finest: f64) -> Vec<(usize, usize, usize, u32, u32)> {
        let view = View { time: from..to, rows: 0..layout.row_count() };
        layout.visible(&view, finest).map(|p| (p.row, p.first, p.last, p.start, p.end)).collect()
    }

    #[test]
    fn bars_lie_where_the_hand_puts_them() {
        let instance = example();
        let schedule = Schedule::new(&instance, &[0, 1]);
        let machines = Layout::new(&instance, &schedule, Rows::Machines);
        let bars = [(0, 0, 0, 0, 3), (0, 1, 1, 3, 4), (1, 0, 0, 3, 5), (1, 1, 1, 5, 9)];
        assert_eq!(all(&machines, 0.0, 9.0, 0.0), bars);
        assert_eq!(all(&machines, 4.5, 4.9, 0.0), bars[2..3]);
        assert_eq!(all(&machines, 9.5, 12.0, 0.0), []);
        assert_eq!(all(&machines, 0.0, 9.0, 4.0)[0], (0, 0, 1, 0, 4), "3 and 1 together take 4");
        assert_eq!(all(&machines, 0.0, 9.0, 3.9).len(), 4);
        let jobs = Layout::new(&instance, &schedule, Rows::Jobs);
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
        let of = |rows| Layout::new(&instance, &schedule, rows).critical_path().outlines;
        let outline = |row, start, end| Outline { row, start, end };
        assert_eq!(of(Rows::Machines), [outline(0, 0, 3), outline(1, 3, 9)]);
        assert_eq!(of(Rows::Jobs), [outline(0, 0, 5), outline(1, 5, 9)]);
        let path = Layout::new(&instance, &schedule, Rows::Machines).critical_path();
        let within = |time, rows| path.within(&View { time, rows }).len();
        assert_eq!((within(0.0..9.0, 0..2), within(0.0..1.0, 0..1), within(20.0..30.0, 0..2)), (2, 2, 1));
    }

    #[test]
    fn an_empty_schedule_has_rows_and_no_bars() {
        let instance = example();
        let schedule = Schedule::new(&instance, &[]);
        for rows in [Rows::Machines, Rows::Jobs] {
            let layout = Layout::new(&instance, &schedule, rows);
            assert!(all(&layout, 0.0, 9.0, 0.0).is_empty() && layout.flags().is_empty());
            assert!(layout.critical_path().outlines.is_empty() && layout.at(0, 0.0).is_none());
            assert_eq!(layout.whole().time, 0.0..1.0);
        }
    }

    proptest! {
        /// Halving finds what looking at every operation finds; pieces cover every operation once.
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
            let layout = Layout::new(&instance, &schedule, if by_job { Rows::Jobs } else { Rows::Machines });
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
            let view = View { time: from..to, rows: 0..layout.row_count() };
            let singles: Vec<Piece> = layout.visible(&view, 0.0).collect();
            prop_assert!(singles.iter().all(Piece::is_single));
            prop_assert_eq!(singles.iter().map(|piece| (piece.row, piece.first)).collect::<Vec<_>>(), expected.clone());
            let merged: Vec<Piece> = layout.visible(&view, f64::from(finest)).collect();
            prop_assert!(merged.iter().all(|piece| piece.is_single() || piece.end - piece.start <= finest));
            // The last piece of a row may reach beyond the view.
            let covered: Vec<(usize, usize)> =
                merged.iter().flat_map(|piece| (piece.first..=piece.last).map(|at| (piece.row, at))).collect();
            prop_assert!(expected.iter().all(|place| covered.contains(place)));
            prop_assert!(covered.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
