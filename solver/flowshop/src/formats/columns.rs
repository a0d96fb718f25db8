//! Columns of tables of jobs: machines, quantities and weights, and texts that are carried along.
//!
//! * A column of numbers is a machine, unless its heading hardly names one ([`super::headings`]). Headings that may name times, such as
//!   set-up times, are refused; other such columns are carried along with a remark.
//! * Quantities count where machines have times per piece; otherwise they are carried along with a remark.
//! * Priorities count where the heading states which end is urgent, as in `priority (1 = most urgent)` or `Priorität (1 = niedrig)`;
//!   otherwise they are carried along with a remark.

use std::collections::{HashMap, HashSet};

use super::csv::{CUSTOMER, PRIORITY, QUANTITY, RANK, REMARK, WEIGHT};
use super::headings::{MACHINE_MARK, TEXT_MARK, is_no_machine, names_times, unmarked};
use crate::orders::{self, NOT_MULTIPLIED, is_per_piece};
use gridwright_core::text::columns::{plain, with_unit};
use gridwright_core::text::lines::{Problems, listed, quoted};
use gridwright_core::text::table::Table;
use gridwright_core::{Error, Result};

/// Position and name of a column.
pub(super) type NamedColumn = (usize, String);

/// Columns of a table of jobs besides the declared ones.
pub(super) struct Columns {
    pub(super) machines: Vec<NamedColumn>,
    /// Columns without a heading that hold no texts.
    pub(super) nameless: Vec<NamedColumn>,
    /// Columns that are carried along.
    pub(super) texts: Vec<NamedColumn>,
    pub(super) remarks: Vec<String>,
}

/// Columns of quantities, weights and texts that the table of jobs declares.
#[derive(Default)]
pub(super) struct OrderColumns {
    pub(super) quantity: Option<usize>,
    pub(super) weight: Option<usize>,
    pub(super) rank: Option<usize>,
    /// Columns that are carried along.
    pub(super) texts: Vec<NamedColumn>,
    pub(super) remarks: Vec<String>,
}

/// Returns `true` if a cell begins with a number: `3`, `-2,5`, `.5 h`.
fn begins_with_number(cell: &str) -> bool {
    cell.trim_start_matches(['+', '-', '−', '.', ',']).starts_with(|first: char| first.is_ascii_digit())
}

/// Positions of the columns that hold texts. Below a heading that hardly names a machine no entry begins with a number; below
/// others there are entries and none has a digit, so that `ca. 3` is reported and no machine is lost. A column that is marked
/// as a machine holds none.
pub(super) fn texts(table: &Table) -> HashSet<usize> {
    let others = table.other_columns();
    let is_unlikely: HashMap<usize, bool> = others.iter().map(|(at, name)| (*at, is_no_machine(name))).collect();
    let is_number = |at: usize, cell: &str| {
        if is_unlikely[&at] { begins_with_number(cell) } else { cell.contains(|letter: char| letter.is_numeric()) }
    };
    let (mut with_entry, mut with_number) = (HashSet::new(), HashSet::new());
    table.rows(&mut Problems::up_to(table.path(), 0), |_, row| {
        for (at, cell) in others.iter().map(|&(at, _)| (at, row.at(at))).filter(|(_, cell)| !cell.is_empty()) {
            with_entry.insert(at);
            if is_number(at, cell) {
                with_number.insert(at);
            }
        }
    });
    let holds_text = |(at, name): &&NamedColumn| {
        !with_number.contains(at)
            && (with_entry.contains(at) || is_unlikely[at])
            && unmarked(name, MACHINE_MARK).is_none()
    };
    others.iter().filter(holds_text).map(|&(at, _)| at).collect()
}

/// The columns of machines, without heading, and of texts. Where no column holds numbers, all with a heading are machines, so
/// that their entries are reported.
///
/// # Errors
/// [`Error::Line`] if there is no machine, or if one may hold other times.
pub(super) fn of(table: &Table) -> Result<Columns> {
    let error = |what: String| Err(Error::line(table.path(), table.header.line, what));
    let with_text = texts(table);
    let (named, nameless): (Vec<_>, Vec<_>) = table.other_columns().into_iter().partition(|(_, name)| !name.is_empty());
    let is_marked = |name: &str| unmarked(name, TEXT_MARK).is_some();
    let (mut texts, mut machines): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|(at, name)| with_text.contains(at) || is_marked(name));
    if machines.is_empty() && texts.iter().all(|(_, name)| !is_marked(name)) {
        std::mem::swap(&mut texts, &mut machines);
    }
    let (doubtful, mut machines): (Vec<_>, Vec<_>) = machines.into_iter().partition(|(_, name)| is_no_machine(name));
    let names = |columns: &[NamedColumn]| listed(&columns.iter().map(|(_, name)| quoted(name)).collect::<Vec<_>>());
    let (times, numbers): (Vec<_>, Vec<_>) = doubtful.into_iter().partition(|(_, name)| names_times(name));
    if let Some((_, first)) = times.first() {
        let verb = if times.len() == 1 { "is no machine" } else { "are no machines" };
        return error(format!(
            "it seems that {} {verb}, and such times cannot be used here. Delete such columns, or carry them along as in \
             «{TEXT_MARK} {first}»; if one is a machine, call it «{MACHINE_MARK} {first}»",
            names(&times),
            first = first.escape_debug()
        ));
    }
    if machines.is_empty() {
        return error("the header names no machine; give each machine a column with its name".to_owned());
    }
    let mut remarks = Vec::new();
    if let Some((_, first)) = numbers.first() {
        let verb = if numbers.len() == 1 { "is" } else { "are" };
        remarks.push(format!(
            "{} {verb} carried along and not planned; if one is a machine, call it «{MACHINE_MARK} {}»",
            names(&numbers),
            first.escape_debug()
        ));
    }
    texts.extend(numbers);
    let (nameless_texts, nameless): (Vec<_>, Vec<_>) = nameless.into_iter().partition(|(at, _)| with_text.contains(at));
    texts.extend(nameless_texts.into_iter().map(|(at, _)| (at, format!("Column {}", at + 1))));
    texts.sort_by_key(|(at, _)| *at);
    for (_, name) in machines.iter_mut().chain(&mut texts) {
        if let Some(bare) = unmarked(name, MACHINE_MARK).or_else(|| unmarked(name, TEXT_MARK)) {
            *name = bare.to_owned();
        }
    }
    Ok(Columns { machines, nameless, texts, remarks })
}

/// End of the numbers of priorities that is urgent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Urgent {
    /// Smallest numbers.
    First,
    /// Largest numbers.
    Last,
}

/// Urgent end that the heading of a column of priorities states in brackets; `None` if it states none.
fn urgent(heading: &str) -> Option<Urgent> {
    const LOW: [&str; 10] =
        ["low", "lowest", "least", "niedrig", "niedrigste", "gering", "unwichtig", "faible", "last", "zuletzt"];
    const HIGH: [&str; 16] = [
        "high", "highest", "most", "urgent", "first", "top", "hoch", "hochste", "dringend", "dringendste", "zuerst",
        "wichtig", "eilig", "premier", "haute", "πρωτο",
    ];
    let words: Vec<String> = with_unit(heading).1.split(|letter: char| !letter.is_alphanumeric()).map(plain).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if words.iter().all(|word| word != "1") {
        return None;
    }
    match (has(&LOW), has(&HIGH)) {
        (true, _) => Some(Urgent::Last),
        (false, true) => Some(Urgent::First),
        (false, false) => None,
    }
}

/// Decides what quantities, weights and priorities mean.
///
/// # Errors
/// [`Error::Line`] if there are weights and ranks.
pub(super) fn orders(table: &Table, machines: &[NamedColumn]) -> Result<OrderColumns> {
    let name = |at: usize| table.header.names.get(at).unwrap_or_default().trim().to_owned();
    let mut columns = OrderColumns::default();
    let declared = [(CUSTOMER, orders::CUSTOMER), (REMARK, orders::REMARK)];
    let texts = declared.iter().filter_map(|&(column, name)| Some((table.position(column)?, name.to_owned())));
    columns.texts = texts.collect();
    let mut numbered: Vec<(Option<usize>, bool)> = vec![(table.position(WEIGHT), false), (table.position(RANK), true)];
    // Kilograms are no weights of tardiness.
    if let Some(at) = numbered[0].0.filter(|&at| !with_unit(&name(at)).1.is_empty()) {
        numbered[0].0 = None;
        columns.remarks.push(format!(
            "{} is carried along and counts for nothing, because it has a unit; weights of jobs have none",
            quoted(&name(at))
        ));
        columns.texts.push((at, name(at)));
    }
    if let Some(at) = table.position(PRIORITY) {
        match urgent(&name(at)) {
            Some(end) => numbered.push((Some(at), end == Urgent::First)),
            None => {
                let heading = quoted(&name(at));
                columns.remarks.push(format!(
                    "{heading} is carried along and counts for nothing, because it does not say which end is urgent; call it \
                     «priority (1 = most urgent)» or «priority (1 = least urgent)»"
                ));
                columns.texts.push((at, name(at)));
            }
        }
    }
    let used: Vec<(usize, bool)> = numbered.into_iter().filter_map(|(at, is_rank)| Some((at?, is_rank))).collect();
    if let [(first, _), (second, _), ..] = used[..] {
        let what = format!("{} and {} both state priorities; keep one", quoted(&name(first)), quoted(&name(second)));
        return Err(Error::line(table.path(), table.header.line, what));
    }
    for (at, is_rank) in used {
        *(if is_rank { &mut columns.rank } else { &mut columns.weight }) = Some(at);
    }
    if let Some(at) = table.position(QUANTITY) {
        if machines.iter().any(|(_, machine)| is_per_piece(machine)) {
            columns.quantity = Some(at);
        } else {
            if !machines.iter().any(|(_, machine)| orders::states_amount(machine)) {
                columns.remarks.push(format!("{}: {NOT_MULTIPLIED}", quoted(&name(at))));
            }
            columns.texts.push((at, name(at)));
        }
    }
    Ok(columns)
}

/// Names of columns, of which repeated ones get a number.
pub(super) fn distinct(columns: impl Iterator<Item = NamedColumn>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut name = |(_, name): NamedColumn| {
        let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 { name } else { format!("{name} {count}") }
    };
    columns.map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_urgent_end_of_priorities_is_what_the_heading_states() {
        for (heading, end) in [
            ("Priorität (1 = höchste)", Some(Urgent::First)),
            ("Prio [1 = most urgent]", Some(Urgent::First)),
            ("priority (1 first)", Some(Urgent::First)),
            ("Priority (1 = least urgent)", Some(Urgent::Last)),
            ("Priorität (1 = niedrig, 5 = hoch)", Some(Urgent::Last)),
            ("Priorität (5 = hoch)", None),
            ("priority", None),
        ] {
            assert_eq!(urgent(heading), end, "{heading}");
        }
    }
}
