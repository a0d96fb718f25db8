//! Binary problems as tables: the problem as a form, items of a knapsack, requirements of a release.

use serde::{Deserialize, Serialize};

use super::formats::table::{ITEMS, REQUIREMENTS};
use super::{Instance, Kind, MAX_BITS, MAX_SUM, MIN_BITS, Weight};
use gridwright_core::data::{
    ColumnSpec, DataTable, Dataset, Issue, Reader, Row, RowReader, TableSpec, Tables, ValueKind, Word,
};
use gridwright_core::encoded::Encoded;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::quoted;
use gridwright_core::text::notation::unmistakable;

const PROBLEM: usize = 0;
const ITEM_TABLE: usize = 1;
const REQUIREMENT_TABLE: usize = 2;

/// Columns of the problem.
const KIND: usize = 0;
const CAPACITY: usize = 1;
const WEIGHT: usize = 2;
const BITS: usize = 3;

/// Columns of items and requirements.
const NAME: usize = 0;
const PROFIT: usize = 1;
const LOAD: usize = 2;

const KNAPSACK: &str = "knapsack";
const RELEASE: &str = "next release";
const DECEPTIVE: &str = "deceptive";
const ONE_MAX: &str = "onemax";

const AMOUNT: ValueKind = ValueKind::Whole { least: 0, most: MAX_SUM };

const WEIGHTS: [Word; 11] = [
    Word::of("0"),
    Word::of("0.1"),
    Word::of("0.2"),
    Word::of("0.3"),
    Word::of("0.4"),
    Word::of("0.5"),
    Word::of("0.6"),
    Word::of("0.7"),
    Word::of("0.8"),
    Word::of("0.9"),
    Word::of("1"),
];

const PROBLEM_COLUMNS: [ColumnSpec; 4] = [
    ColumnSpec::new(
        Column::optional("problem", "kind type art πρόβλημα problème"),
        "Problem",
        ValueKind::Choice(&[
            Word::of(KNAPSACK).or("rucksack σακίδιο sac"),
            Word::of(RELEASE),
            Word::of(DECEPTIVE),
            Word::of(ONE_MAX),
        ]),
        "Kind of the problem; an empty cell is a knapsack where there are items, a next release problem where there are \
         requirements.",
    ),
    ColumnSpec::new(
        Column::optional("capacity", "kapazität χωρητικότητα capacité"),
        "Capacity",
        ValueKind::Whole { least: 1, most: MAX_SUM },
        "Largest total weight of the items that a knapsack holds.",
    ),
    ColumnSpec::new(
        Column::optional("weight of value", "weightofomittedvalue w"),
        "Weight of the value",
        ValueKind::Choice(&WEIGHTS),
        "Weight of the value that a release omits against its cost; an empty cell is 0.5.",
    ),
    ColumnSpec::new(
        Column::optional("bits", "size length größe μέγεθος taille"),
        "Bits",
        ValueKind::Whole { least: MIN_BITS as u64, most: MAX_BITS as u64 },
        "Size of a deceptive problem, a multiple of six, or of OneMax.",
    ),
];

const ITEM_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(required(ITEMS[NAME]), "Item", ValueKind::Name, "Name of the item."),
    ColumnSpec::new(ITEMS[PROFIT], "Profit", AMOUNT, "Profit of taking the item."),
    ColumnSpec::new(ITEMS[LOAD], "Weight", AMOUNT, "Weight of the item, in the unit of the capacity."),
];

const REQUIREMENT_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(required(REQUIREMENTS[NAME]), "Requirement", ValueKind::Name, "Name of the requirement."),
    ColumnSpec::new(
        REQUIREMENTS[PROFIT],
        "Value",
        ValueKind::Number { least: 0.0, most: MAX_SUM as f64 },
        "Value of the requirement for all customers together, with at most two decimals.",
    ),
    ColumnSpec::new(REQUIREMENTS[LOAD], "Cost", AMOUNT, "Cost of the requirement."),
];

/// The column as one that every row has.
const fn required(column: Column) -> Column {
    Column { required: true, ..column }
}

const TABLES: [TableSpec; 3] = [
    TableSpec::new("problem", "Problem", "problem", "Kind, capacity, weight and size.", &PROBLEM_COLUMNS).form(),
    TableSpec::new("items", "Items", "item", "One row per item of a knapsack.", &ITEM_COLUMNS),
    TableSpec::new(
        "requirements",
        "Requirements",
        "requirement",
        "One row per requirement of a next release problem.",
        &REQUIREMENT_COLUMNS,
    ),
];

/// Data that no table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rest {
    /// True if the bits have no names; the tables show their numbers.
    is_nameless: bool,
    /// Divisor of the values of requirements; 0: as the values need it.
    value_scale: u64,
    warnings: Vec<String>,
}

/// Decimals of values with this divisor; `None` if it is no power of ten.
fn decimals(scale: u64) -> Option<usize> {
    (0..=18).find(|&digits| 10_u64.pow(digits) == scale).map(|digits| digits as usize)
}

/// A value in units of 10^−`decimals`, as a cell.
fn cell_of(value: u64, decimals: usize) -> String {
    let digits = format!("{value:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// The value of a cell in units of 10^−`decimals`.
///
/// # Errors
/// A message for more decimals or a value that is too large.
fn value_of(cell: &str, decimals: usize) -> Result<u64, String> {
    let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > decimals {
        return Err(format!("{} has more than {decimals} decimals; round it", quoted(cell)));
    }
    let digits = format!("{}{fraction:0<decimals$}", if whole.is_empty() { "0" } else { whole });
    let value = digits.parse().ok().filter(|value| *value <= MAX_SUM);
    value.ok_or_else(|| format!("{} is no plain number of at most {MAX_SUM}; write digits only", quoted(cell)))
}

impl Tables for Instance {
    const TABLES: &'static [TableSpec] = &TABLES;

    fn to_data(&self) -> Dataset {
        let mut rest = Rest { is_nameless: self.names.is_empty(), value_scale: 0, warnings: self.warnings.clone() };
        let row = |(bit, [profit, load]): (usize, [String; 2])| Row::of([self.bit_name(bit), profit, load]);
        let mut tables = vec![DataTable::default(); TABLES.len()];
        let form = match &self.kind {
            Kind::Knapsack { profits, weights, capacity } => {
                let cells =
                    profits.iter().zip(weights).map(|(profit, weight)| [profit.to_string(), weight.to_string()]);
                tables[ITEM_TABLE].rows = cells.enumerate().map(row).collect();
                [KNAPSACK.to_owned(), capacity.to_string(), String::new(), String::new()]
            }
            Kind::NextRelease { costs, values, value_scale, tenths } => {
                rest.value_scale = *value_scale;
                let decimals = decimals(*value_scale).unwrap_or(0);
                let cells = values
                    .iter()
                    .zip(costs)
                    .map(|(&value, cost)| [unmistakable(&cell_of(value, decimals)), cost.to_string()]);
                tables[REQUIREMENT_TABLE].rows = cells.enumerate().map(row).collect();
                [RELEASE.to_owned(), String::new(), Weight(*tenths).to_string(), String::new()]
            }
            kind => {
                let name = if matches!(kind, Kind::Deceptive { .. }) { DECEPTIVE } else { ONE_MAX };
                [name.to_owned(), String::new(), String::new(), self.bits().to_string()]
            }
        };
        tables[PROBLEM].rows.extend([Row::of(form)]);
        Dataset { name: self.name.clone(), hash: self.hash.clone(), tables, rest: Encoded::of(&rest) }
    }

    fn of_data(data: &Dataset) -> Result<Self, Vec<Issue>> {
        let mut reader = Reader::new(data, &TABLES);
        let rest: Rest = data.decoded_rest()?;
        let kind = reader.form(PROBLEM).and_then(|form| kind(&mut reader, &form, &rest));
        let table = if matches!(kind, Some(Kind::NextRelease { .. })) { REQUIREMENT_TABLE } else { ITEM_TABLE };
        let mut names: Vec<String> = reader.rows(table).map(|row| row.text(NAME).to_owned()).collect();
        if rest.is_nameless && names.iter().enumerate().all(|(bit, name)| *name == (bit + 1).to_string()) {
            names.clear();
        }
        reader.finish(|| {
            let kind =
                kind.ok_or_else(|| gridwright_core::Error::Usage("the kind of the problem is missing".to_owned()))?;
            let Dataset { name, hash, .. } = data.clone();
            Self { name, kind, names, warnings: rest.warnings, hash }.validated()
        })
    }

    fn template() -> Option<Dataset> {
        let kind = Kind::Knapsack { profits: vec![6, 5, 8, 9], weights: vec![2, 3, 6, 7], capacity: 9 };
        let names = ["Tent", "Stove", "Camera", "Drone"].map(str::to_owned).to_vec();
        let name = "New knapsack".to_owned();
        Some(Self { name, kind, names, warnings: Vec::new(), hash: String::new() }.to_data())
    }

    fn rest_of_changed(rest: &Encoded) -> Encoded {
        let rest: Rest = rest.decode().unwrap_or_default();
        Encoded::of(&Rest { warnings: Vec::new(), ..rest })
    }
}

/// Kind and data of the problem; `None` with an issue if the form and the tables do not agree.
fn kind(reader: &mut Reader, form: &RowReader, rest: &Rest) -> Option<Kind> {
    let [items, requirements] = [ITEM_TABLE, REQUIREMENT_TABLE].map(|table| reader.rows(table).next().is_some());
    let name = match (form.text(KIND), items, requirements) {
        ("", true, false) => KNAPSACK,
        ("", false, true) => RELEASE,
        ("", ..) => {
            reader.issue(PROBLEM, Some(0), Some(KIND), "choose the kind of the problem");
            return None;
        }
        (name, ..) => name,
    };
    // Nothing that was entered is ignored silently.
    for (table, is_filled, owner) in [(ITEM_TABLE, items, KNAPSACK), (REQUIREMENT_TABLE, requirements, RELEASE)] {
        if is_filled && name != owner {
            let what = format!("only a {owner} problem has such rows; delete them, or choose {owner} as the problem");
            reader.issue(table, None, None, what);
        }
    }
    for (column, owners) in [(CAPACITY, &[KNAPSACK][..]), (WEIGHT, &[RELEASE]), (BITS, &[DECEPTIVE, ONE_MAX])] {
        let (is_filled, is_owner) = (!form.text(column).is_empty(), owners.contains(&name));
        let what = match (is_filled, is_owner) {
            (true, false) => format!("a {name} problem has none; leave the cell empty"),
            (false, true) if column != WEIGHT => format!("a {name} problem needs a value here; enter it"),
            _ => continue,
        };
        reader.issue(PROBLEM, Some(0), Some(column), what);
    }
    match name {
        KNAPSACK => {
            let amounts = |column| reader.rows(ITEM_TABLE).filter_map(move |row| row.whole(column)).collect();
            Some(Kind::Knapsack { profits: amounts(PROFIT), weights: amounts(LOAD), capacity: form.whole(CAPACITY)? })
        }
        RELEASE => next_release(reader, form, rest),
        _ => {
            let bits = form.whole(BITS)? as usize;
            if name == ONE_MAX {
                return Some(Kind::OneMax { bits });
            }
            if !bits.is_multiple_of(6) {
                reader.issue(
                    PROBLEM,
                    Some(0),
                    Some(BITS),
                    format!("{bits} is no multiple of six; a block has six bits"),
                );
            }
            Some(Kind::Deceptive { blocks: bits / 6 })
        }
    }
}

/// A next release problem; values that cannot be used become issues.
fn next_release(reader: &mut Reader, form: &RowReader, rest: &Rest) -> Option<Kind> {
    /// Divisor of values with decimals.
    const HUNDREDTHS: u64 = 100;
    let rows: Vec<RowReader> = reader.rows(REQUIREMENT_TABLE).collect();
    let has_decimals = || rows.iter().any(|row| row.text(PROFIT).contains('.'));
    let value_scale = match rest.value_scale {
        0 | 1 if has_decimals() => HUNDREDTHS,
        0 => 1,
        scale => scale,
    };
    let decimals = decimals(value_scale).unwrap_or(0);
    let (mut costs, mut values) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
    for row in &rows {
        costs.extend(row.whole(LOAD));
        match value_of(row.text(PROFIT), decimals) {
            Ok(value) => values.push(value),
            Err(what) if row.number(PROFIT).is_some_and(|value| value >= 0.0) => {
                reader.issue(REQUIREMENT_TABLE, Some(row.index), Some(PROFIT), what);
            }
            // The reader has told what is wrong with the cell.
            Err(_) => {}
        }
    }
    let weight: Weight =
        if form.text(WEIGHT).is_empty() { Weight(super::library::TENTHS) } else { form.text(WEIGHT).parse().ok()? };
    Some(Kind::NextRelease { costs, values, value_scale, tenths: weight.0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::library;

    /// Strategy: problems of every kind, with and without names.
    fn problem() -> impl Strategy<Value = Instance> {
        let lists = proptest::collection::vec((0..1_000_000_000_u64, 1..100_000_u64), 4..40);
        let scale = prop_oneof![Just(1), Just(100), Just(1_000), Just(7)];
        let data = (lists, scale, 0..=10_u8, any::<[bool; 2]>(), 0..4_u8);
        data.prop_map(|(lists, value_scale, tenths, [is_named, has_warnings], kind)| {
            let (profits, weights): (Vec<u64>, Vec<u64>) = lists.into_iter().unzip();
            let count = profits.len();
            let kind = match kind {
                0 => Kind::Knapsack { capacity: weights[0] + 3, profits, weights },
                1 => Kind::NextRelease { costs: weights, values: profits, value_scale, tenths },
                2 => Kind::Deceptive { blocks: count },
                _ => Kind::OneMax { bits: count },
            };
            let has_names = matches!(kind, Kind::Knapsack { .. } | Kind::NextRelease { .. });
            let name = |bit: usize| format!("Bit {bit}, \"{}\"", bit % 3);
            Instance {
                name: "test".to_owned(),
                kind,
                names: if has_names && is_named { (0..count).map(name).collect() } else { Vec::new() },
                warnings: if has_warnings { vec!["invented".to_owned()] } else { Vec::new() },
                hash: "ab".to_owned(),
            }
        })
    }

    proptest! {
        #[test]
        fn every_problem_comes_back_from_its_tables(instance in problem()) {
            let Ok(instance) = instance.validated() else { return Ok(()) };
            let data = instance.to_data();
            prop_assert_eq!(&Instance::of_data(&data).unwrap(), &instance);
            gridwright_core::testing::assert_imported_again(&instance);
        }
    }

    #[test]
    fn instances_of_the_library_come_back_from_their_tables() {
        for name in library::names() {
            let instance = crate::formats::open(&name, &Default::default()).unwrap();
            assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance, "{name}");
        }
    }

    /// Issues of data that `change` makes of a small knapsack, as texts.
    fn issues(change: impl FnOnce(&mut Dataset)) -> Vec<String> {
        let kind = Kind::Knapsack { profits: vec![4, 3, 2, 1], weights: vec![1, 2, 3, 4], capacity: 5 };
        let instance =
            Instance { name: "k".into(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() };
        let mut data = instance.to_data();
        change(&mut data);
        Instance::of_data(&data).unwrap_err().iter().map(|issue| issue.text(&TABLES)).collect()
    }

    fn set(data: &mut Dataset, table: usize, row: usize, column: usize, cell: &str) {
        let changed = data.tables[table].rows.get(row).unwrap().with(column, cell);
        data.tables[table].rows.set(row, changed);
    }

    #[test]
    fn wrong_cells_are_named_by_table_row_and_column() {
        let found = issues(|data| {
            set(data, ITEM_TABLE, 1, PROFIT, "much");
            set(data, ITEM_TABLE, 2, LOAD, "-1");
            set(data, ITEM_TABLE, 3, NAME, "1");
            set(data, PROBLEM, 0, CAPACITY, "");
        });
        let expected = [
            "Items, row 4, Item: «1» is the name of row 1, too",
            "Items, row 2, Profit: «much» is not a whole number",
            "Items, row 3, Weight: «-1» is not a whole number",
            "Problem, Capacity: a knapsack problem needs a value here",
        ];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found}");
        }
        let other = issues(|data| set(data, PROBLEM, 0, KIND, RELEASE));
        assert!(other[0].starts_with("Items: only a knapsack problem has such rows"), "{other:?}");
        assert!(other[1].starts_with("Problem, Capacity: a next release problem has none"), "{other:?}");
        let heavy = issues(|data| set(data, PROBLEM, 0, CAPACITY, "0"));
        assert!(heavy[0].contains("Capacity: «0» is outside of 1 to"), "{heavy:?}");
    }

    /// The weight of the value is 0.5 and the kind follows from the rows where a person leaves both open.
    #[test]
    fn a_release_is_made_from_nothing() {
        let mut data = Instance::empty_data("new");
        assert_eq!(Instance::of_data(&data).unwrap_err()[0].column, Some(KIND));
        let rows = [["a", "1.5", "3"], ["b", "2", "4"], ["c", "0.25", "1"], ["d", "7", "9"]];
        data.tables[REQUIREMENT_TABLE].rows.extend(rows.map(Row::of));
        let kind =
            Kind::NextRelease { costs: vec![3, 4, 1, 9], values: vec![150, 200, 25, 700], value_scale: 100, tenths: 5 };
        assert_eq!(Instance::of_data(&data).unwrap().kind, kind);
        set(&mut data, REQUIREMENT_TABLE, 1, PROFIT, "0.125");
        let found = Instance::of_data(&data).unwrap_err();
        assert_eq!((found[0].row, found[0].column), (Some(1), Some(PROFIT)));
        assert!(found[0].what.contains("more than 2 decimals"), "{found:?}");
        let mut odd = library::named("mmdp:60", 5).unwrap().to_data();
        set(&mut odd, PROBLEM, 0, BITS, "62");
        assert!(Instance::of_data(&odd).unwrap_err()[0].what.contains("no multiple of six"));
    }

    #[test]
    fn values_are_exact_in_their_cells() {
        for (value, decimals, cell) in [(5, 2, "0.05"), (1234, 0, "1234"), (MAX_SUM, 2, "92233720368547758.07")] {
            assert_eq!((cell_of(value, decimals), value_of(cell, decimals)), (cell.to_owned(), Ok(value)));
        }
        assert_eq!((value_of("1.50", 1), value_of("3", 2), value_of(".5", 1)), (Ok(15), Ok(300), Ok(5)));
        assert!(value_of("1e3", 0).is_err() && value_of("93000000000000000000", 0).is_err());
    }
}
