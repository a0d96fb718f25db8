//! Times of a table in several notations: `1:30`, decimal hours, minutes and days become whole minutes.

use super::columns::{heading, per_order, per_piece, unit_of_time, with_unit};
use super::lines::{Read, quoted};
use super::notation::{Evidence, split_unit, written};
use super::values::hours_and_minutes;

/// Minutes of a unit of time, also for each piece of an order; `None` for other units.
fn minutes_of(unit: &str) -> Option<u32> {
    match unit_of_time(unit).to_lowercase().trim_end_matches('.') {
        "min" | "mins" | "minute" | "minutes" | "minuten" => Some(1),
        "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" | "heure" | "heures" => Some(60),
        "d" | "day" | "days" | "tag" | "tage" | "jour" | "jours" => Some(24 * 60),
        _ => None,
    }
}

/// Times that a column shows.
#[derive(Debug, Clone, Default)]
struct TimeColumn {
    /// Position in the file.
    at: usize,
    /// Minutes of the unit that the heading or the first cell states.
    minutes: Option<u32>,
    has_clock: bool,
    has_number: bool,
    has_fraction: bool,
}

/// The columns of times of a table while its cells are looked at.
#[derive(Debug, Clone, Default)]
pub struct TimeColumns(Vec<TimeColumn>);

impl TimeColumns {
    /// Columns at these positions with the units that their headings or cells state, empty if none.
    pub fn new<'a>(columns: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let column = |(at, unit)| TimeColumn { at, minutes: minutes_of(unit), ..TimeColumn::default() };
        Self(columns.into_iter().map(column).collect())
    }

    /// Looks at a cell of the column at position `at`.
    pub fn look(&mut self, at: usize, cell: &str) {
        let Some(column) = self.0.iter_mut().find(|column| column.at == at).filter(|_| !cell.is_empty()) else {
            return;
        };
        let number = split_unit(cell).0;
        if hours_and_minutes(cell).is_some() {
            column.has_clock = true;
        } else if Evidence::default().read(number).is_ok() || Evidence::default().doubt(number).is_some() {
            column.has_number = true;
            column.has_fraction |= number.contains(['.', ',']);
        }
    }

    /// Positions of the columns with numbers that state no unit of time, if those of the others differ, so that no common unit can be
    /// meant; empty otherwise.
    pub fn without_unit(&self) -> Vec<usize> {
        let numbers = || self.0.iter().filter(|column| column.has_number);
        let mut stated = numbers().filter_map(|column| column.minutes);
        let first = stated.next();
        let differ = stated.any(|minutes| Some(minutes) != first);
        numbers().filter(|column| differ && column.minutes.is_none()).map(|column| column.at).collect()
    }

    /// Explains what is wrong with a column of [`Self::without_unit`].
    pub fn lacks_unit(heading: &str) -> String {
        let name = with_unit(heading).0;
        format!(
            "{} states no unit of time, and the other columns have several; write it in the heading, such as «{name} (min)»",
            quoted(heading)
        )
    }

    /// The conversion of the table to minutes; `None` if no cell needs it, or if a number stands in a column without a unit of time,
    /// so that its amount would be a guess, unless the units of the others differ: then [`Self::without_unit`] must not be used.
    pub fn in_minutes(self) -> Option<InMinutes> {
        let numbers = || self.0.iter().filter(|column| column.has_number);
        let first = numbers().next().and_then(|column| column.minutes);
        let is_needed = self.0.iter().any(|column| column.has_clock || column.has_fraction)
            || numbers().any(|column| column.minutes != first);
        let is_known = |column: &TimeColumn| !column.has_number || column.minutes.is_some();
        let is_possible = self.0.iter().all(is_known) || !self.without_unit().is_empty();
        (is_needed && is_possible).then_some(InMinutes(self.0))
    }
}

/// Conversion of the times of a table to whole minutes.
#[derive(Debug, Clone)]
pub struct InMinutes(Vec<TimeColumn>);

impl InMinutes {
    /// Remark that the times were converted.
    pub const REMARK: &str = "times were converted to minutes";

    /// Minutes of a cell in the column at position `at`, which may have a fraction; `None` for empty cells and other columns.
    pub fn exact(&self, at: usize, cell: &str, evidence: Evidence) -> Option<Read<f64>> {
        let column = self.0.iter().find(|column| column.at == at).filter(|_| !cell.is_empty())?;
        if let Some([hours, minutes]) = hours_and_minutes(cell) {
            return Some(Ok(f64::from(hours * 60 + minutes)));
        }
        let factor = f64::from(column.minutes?);
        let unit = split_unit(cell).1;
        if !unit.is_empty() && minutes_of(unit) != column.minutes {
            return Some(Err(format!("{} is in another unit than its column; write it in that unit", quoted(cell))));
        }
        Some(evidence.read(split_unit(cell).0).map(|number| number.parse().unwrap_or(f64::NAN) * factor))
    }

    /// Minutes of a cell in the column at position `at`; `None` for empty cells and other columns.
    pub fn read(&self, at: usize, cell: &str, evidence: Evidence) -> Option<Read<u64>> {
        Some(self.exact(at, cell, evidence)?.and_then(|minutes: f64| match minutes.round() {
            whole if (whole - minutes).abs() < 1e-6 && (0.0..1e12).contains(&whole) => Ok(whole as u64),
            _ => Err(format!("{} is no whole number of minutes; round it", quoted(cell))),
        }))
    }

    /// Heading of the column at position `at` with the unit that its numbers have now.
    pub fn heading(&self, at: usize, name: &str) -> String {
        let is_time = self.0.iter().any(|column| column.at == at);
        let (bare, unit) = with_unit(name);
        let minutes = match (per_piece(unit), per_order(unit)) {
            (Some(_), _) => "min/piece",
            (None, Some(_)) => "min/job",
            (None, None) => "min",
        };
        if is_time { heading(bare, minutes) } else { name.to_owned() }
    }
}

/// Returns `true` for a time of one piece that no whole number of time units is.
pub fn has_fraction(each: f64) -> bool {
    (each - each.round()).abs() > 1e-6
}

/// Time of `pieces` pieces of `each` time units, rounded to a whole number, halves up; and the rounding in words, such as
/// «12 × 1.3 = 15.6 is taken as 16», if there was any. `None` for numbers without sense or too large ones. Six decimals count.
pub fn time_of_pieces(each: f64, pieces: u64) -> Option<(u64, Option<String>)> {
    const MILLION: u128 = 1_000_000;
    let millionths = (each * MILLION as f64).round();
    if !(0.0..1e15).contains(&millionths) {
        return None;
    }
    let product = (millionths as u128).checked_mul(u128::from(pieces))?;
    let whole = u64::try_from((product + MILLION / 2) / MILLION).ok()?;
    let words = || {
        let exact = written(product as f64 / MILLION as f64);
        format!("{pieces} × {} = {exact} is taken as {whole}", written(each))
    };
    Some((whole, (product % MILLION != 0).then(words)))
}

/// Heading of a column whose times of one piece became times of whole orders: «Saw (min/job)» for «Saw (min/piece)».
pub fn heading_of_products(name: &str) -> String {
    let (bare, unit) = with_unit(name);
    match per_piece(unit) {
        Some("") => heading(bare, "per job"),
        Some(base) => heading(bare, &format!("{base}/job")),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_pieces_are_rounded_and_say_so() {
        assert_eq!(time_of_pieces(1.3, 12), Some((16, Some("12 × 1.3 = 15.6 is taken as 16".to_owned()))));
        assert_eq!(time_of_pieces(0.25, 8), Some((2, None)));
        assert_eq!(time_of_pieces(0.35, 10).unwrap().0, 4, "3.5 is rounded up");
        assert_eq!(
            [time_of_pieces(f64::NAN, 1), time_of_pieces(-1.0, 1), time_of_pieces(1e300, 2)],
            [None, None, None]
        );
        assert_eq!((has_fraction(1.3), has_fraction(4.0)), (true, false));
        assert_eq!(heading_of_products("Saw (min/Stück)"), "Saw (min/job)");
    }

    fn converted(units: &[&str], rows: &[&[&str]]) -> Option<Vec<Vec<Option<Read<u64>>>>> {
        let mut columns = TimeColumns::new(units.iter().copied().enumerate());
        let cells = || rows.iter().map(|row| row.iter().enumerate());
        cells().flatten().for_each(|(at, cell)| columns.look(at, cell));
        let times = columns.in_minutes()?;
        Some(cells().map(|row| row.map(|(at, cell)| times.read(at, cell, Evidence::default())).collect()).collect())
    }

    fn minutes(units: &[&str], rows: &[&[&str]]) -> Vec<Vec<u64>> {
        let cell = |cell: Option<Read<u64>>| cell.unwrap().unwrap();
        converted(units, rows).unwrap().into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
    }

    #[test]
    fn columns_without_a_unit_are_found_where_the_others_differ() {
        let without = |units: &[&str], cells: &[&str]| {
            let mut columns = TimeColumns::new(units.iter().copied().enumerate());
            cells.iter().enumerate().for_each(|(at, cell)| columns.look(at, cell));
            columns.without_unit()
        };
        assert_eq!(without(&["", "h", "min"], &["10", "2", "30"]), [0]);
        assert_eq!(without(&["", "h", "min", ""], &["10", "2", "30", "1:30"]), [0], "1:30 needs no unit");
        for units in [["", "min", "min"], ["min", "h", "d"], ["", "", "h"]] {
            assert_eq!(without(&units, &["10", "2", "30"]), [0; 0], "{units:?}");
        }
        assert!(TimeColumns::lacks_unit("Termin").contains("such as «Termin (min)»"));
        // A cell in another unit, or that is no time, leaves the others as they are.
        let all = converted(&["h", "min"], &[&["2", "30"], &["30 min", "soon"]]).unwrap();
        assert_eq!([&all[0][0], &all[0][1]], [&Some(Ok(120)), &Some(Ok(30))]);
        assert!(all[1].iter().all(|cell| cell.as_ref().is_some_and(Result::is_err)), "{all:?}");
    }

    #[test]
    fn times_become_minutes_where_every_unit_is_known() {
        assert_eq!(minutes(&["", "min"], &[&["0:30", "20"], &["1:15", "5 min"]]), [[30, 20], [75, 5]]);
        assert_eq!(minutes(&["h", "h"], &[&["3.5", "2"], &["2,25", "4 h"]]), [[210, 120], [135, 240]]);
        assert_eq!(minutes(&["d", "h"], &[&["2", "8"]]), [[2880, 480]]);
        assert_eq!(minutes(&["h"], &[&["1:30"], &["2"]]), [[90], [120]]);
    }

    #[test]
    fn nothing_is_converted_without_need_or_by_a_guess() {
        assert!(converted(&["h", "h"], &[&["3", "2"]]).is_none(), "one unit, whole numbers");
        assert!(converted(&["", "min"], &[&["3", "2"]]).is_none(), "3 of what");
        assert!(converted(&["", ""], &[&["1:30", "2"]]).is_none(), "2 of what");
        for other in ["soon", "2026-06-01", "3 h"] {
            let cells = converted(&["", "min"], &[&["1:30", other], &["", "20"]]).unwrap();
            assert!(cells[0][1].as_ref().is_some_and(Result::is_err), "{other}");
            assert_eq!((&cells[0][0], &cells[1][1]), (&Some(Ok(90)), &Some(Ok(20))), "{other}");
        }
        let cells = converted(&["h"], &[&["3.33"], &["1.5"]]).unwrap();
        assert!(cells[0][0].clone().unwrap().unwrap_err().contains("no whole number of minutes"));
    }

    #[test]
    fn headings_tell_the_unit_of_the_converted_numbers() {
        let mut columns = TimeColumns::new([(1, "h"), (2, "")]);
        columns.look(1, "1.5");
        columns.look(2, "0:30");
        let times = columns.in_minutes().unwrap();
        assert_eq!(
            [times.heading(0, "Job"), times.heading(1, "Saw (h)"), times.heading(2, "Mill")],
            ["Job", "Saw (min)", "Mill (min)"]
        );
        assert_eq!(times.heading(1, "Saw (h/Stück)"), "Saw (min/piece)");
        assert_eq!(minutes(&["h/piece"], &[&["1.5"], &["0:30"]]), [[90], [30]]);
    }
}
