//! Cells of generated tables: each one is read as it was meant or named in a message, by the command line and by the import.
//!
//! A generated table has a notation of numbers, separators of thousands, units, totals, titles and cells that are no numbers. A
//! column in another notation than its table has a number that proves it: without one, nobody can tell.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::data::import::{BadLines, Effect, Mapped, Mapping, Request, Sheet, UnknownNames, run};
use gridwright_core::data::{Dataset, TableSpec, Tables};
use gridwright_core::random::Philox;
use gridwright_facility as facility;
use gridwright_flowshop as flowshop;
use gridwright_systolic as systolic;
use gridwright_timetabling as timetabling;

/// Random numbers in a row.
struct Random {
    words: Philox,
    draw: u32,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.draw += 1;
        self.words.words(self.draw, 0, 0, 0)[0].into()
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// A column of numbers: its headings, and how many decimals its numbers may have.
struct Numbers {
    headings: &'static [&'static str],
    decimals: usize,
}

/// Reads a file; returns its data and warnings, or why it is refused.
type Load = fn(&Path) -> Result<(Dataset, Vec<String>), String>;

/// A kind of table.
struct Kind {
    name: &'static str,
    /// Headings of the names in the first column.
    names: &'static [&'static str],
    numbers: Vec<Numbers>,
    specs: &'static [TableSpec],
    /// Index of the table among those of the problem, and the columns of the numbers; further columns follow them.
    table: usize,
    columns: &'static [usize],
    /// Lines above the table that state the rest.
    head: &'static str,
    /// Reads a file as the command line does; `None` if it reads such tables by the import, too.
    load: Option<Load>,
    empty: fn() -> Dataset,
}

fn loaded<T: Tables>(
    read: gridwright_core::Result<T>, warnings: impl Fn(&T) -> Vec<String>,
) -> Result<(Dataset, Vec<String>), String> {
    let instance = read.map_err(|error| error.to_string())?;
    Ok((instance.to_data(), warnings(&instance)))
}

const fn whole(headings: &'static [&'static str]) -> Numbers {
    Numbers { headings, decimals: 0 }
}

/// Number of declared columns of the table of jobs, behind which the machines stand.
const JOB_COLUMNS: usize = <flowshop::Instance as Tables>::TABLES[0].columns.len();

/// Due and release date, and the first two machines.
const MACHINES_LAST: [usize; 4] = [1, 2, JOB_COLUMNS, JOB_COLUMNS + 1];

fn kinds() -> [Kind; 8] {
    let load_bits =
        |path: &Path| loaded(systolic::formats::load(path, &Default::default()), |instance| instance.warnings.clone());
    [
        Kind {
            name: "jobs",
            names: &["job", "Auftrag", "Order"],
            numbers: vec![
                whole(&["due date", "Termin", "Due date (min)"]),
                whole(&["release date", "Freigabe (min)"]),
                whole(&["Saw", "Säge (min)", "Saw (h)"]),
                whole(&["Mill", "Press [min]"]),
            ],
            specs: flowshop::Instance::TABLES,
            table: 0,
            columns: &MACHINES_LAST,
            head: "",
            load: Some(|path| {
                loaded(flowshop::formats::load(path, &Default::default()), |instance| instance.warnings.clone())
            }),
            empty: || flowshop::Instance::empty_data("test"),
        },
        Kind {
            name: "departments",
            names: &["department", "Abteilung"],
            numbers: vec![Numbers { headings: &["area", "Fläche (m²)", "Area m²"], decimals: 3 }],
            specs: facility::Instance::TABLES,
            table: 0,
            columns: &[1],
            head: "# plant: 900 x 900\n",
            load: Some(|path| {
                std::fs::write(path.with_file_name("flows.csv"), "from,to,flow\nA-1,A-2,4\n").unwrap();
                loaded(facility::formats::load(path, &Default::default()), |instance| instance.warnings.clone())
            }),
            empty: || facility::Instance::empty_data("test"),
        },
        Kind {
            name: "items",
            names: &["item", "Gegenstand"],
            numbers: vec![whole(&["profit", "Gewinn"]), whole(&["weight", "Gewicht (kg)"])],
            specs: systolic::Instance::TABLES,
            table: 1,
            columns: &[1, 2],
            head: "# capacity: 5000\n",
            load: Some(load_bits),
            empty: || systolic::Instance::empty_data("test"),
        },
        Kind {
            name: "requirements",
            names: &["requirement", "Anforderung"],
            numbers: vec![Numbers { headings: &["value", "Nutzen"], decimals: 2 }, whole(&["cost", "Kosten"])],
            specs: systolic::Instance::TABLES,
            table: 2,
            columns: &[1, 2],
            head: "",
            load: Some(load_bits),
            empty: || systolic::Instance::empty_data("test"),
        },
        Kind {
            name: "flows",
            names: &["from", "von"],
            numbers: vec![Numbers { headings: &["flow", "Flow (pallets/day)", "Paletten/Tag", "Menge"], decimals: 2 }],
            specs: facility::Instance::TABLES,
            table: 1,
            columns: &[2],
            head: "",
            load: None,
            empty: || facility::Instance::empty_data("test"),
        },
        Kind {
            name: "rooms",
            names: &["room", "Raum"],
            numbers: vec![whole(&["seats", "Plätze"])],
            specs: timetabling::Instance::TABLES,
            table: table_of_session("rooms"),
            columns: &[1],
            head: "",
            load: None,
            empty: || timetabling::Instance::empty_data("test"),
        },
        Kind {
            name: "exams",
            names: &["exam", "Prüfung"],
            numbers: vec![whole(&["duration", "Dauer (min)"])],
            specs: timetabling::Instance::TABLES,
            table: table_of_session("exams"),
            columns: &[2],
            head: "",
            load: Some(|path| load_session(path, "A-1")),
            empty: || timetabling::Instance::empty_data("test"),
        },
        Kind {
            name: "periods",
            names: &["date", "Datum"],
            numbers: vec![whole(&["seats", "Plätze"])],
            specs: timetabling::Instance::TABLES,
            table: table_of_session("periods"),
            columns: &[3],
            head: "",
            load: Some(|path| load_session(path, "E")),
            empty: || timetabling::Instance::empty_data("test"),
        },
    ]
}

fn table_of_session(id: &str) -> usize {
    timetabling::Instance::TABLES.iter().position(|spec| spec.id == id).unwrap()
}

/// Loads the session of a table with an enrolment table beside it, in a folder of their own.
fn load_session(path: &Path, exam: &str) -> Result<(Dataset, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("enrolments.csv"), format!("student,exam\ns,{exam}\n")).unwrap();
    std::fs::copy(path, folder.path().join(path.file_name().unwrap())).unwrap();
    let read = timetabling::formats::load(&folder.path().join("enrolments.csv"), &Default::default());
    loaded(read, |session| session.warnings.clone())
}

/// Name of a row, from 0: a code, or the date of a period.
fn name_of(kind: &Kind, row: usize) -> String {
    if kind.name == "periods" { format!("2026-06-{:02}", row + 1) } else { format!("A-{}", row + 1) }
}

/// A cell as it is written and as it is meant; `None` for what is no number.
#[derive(Debug, Clone)]
struct Cell {
    text: String,
    meant: Option<f64>,
}

/// How the numbers of a column are written.
struct Style {
    comma: bool,
    group: &'static str,
    unit: &'static str,
    decimals: usize,
}

impl Style {
    /// A number in units of 10^−`decimals`.
    fn write(&self, value: u64, decimals: usize) -> String {
        let digits = format!("{value:0>width$}", width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at) % 3 == 0 {
                grouped += self.group;
            }
            grouped.push(digit);
        }
        let point = if self.comma { "," } else { "." };
        let fraction = if decimals == 0 { String::new() } else { format!("{point}{fraction}") };
        format!("{grouped}{fraction}{}", self.unit)
    }
}

/// A generated table.
struct Generated {
    text: String,
    /// Line of each row, its name and cells.
    rows: Vec<(usize, String, Vec<Cell>)>,
}

const WRONG: [&str; 9] = ["soon", "06.10.2026", "8:30", "25 %", "n/a", "1.2.3", "12,34,5", "1/2", "#REF!"];

fn style(random: &mut Random, table: bool, decimals: usize) -> (Style, bool) {
    let is_other = random.one_in(6) && decimals > 0;
    let comma = table != is_other;
    let point = if comma { "." } else { "," };
    let group = ["", point, " ", "\u{a0}", "\u{2009}", "'"][random.below(6)];
    (Style { comma, group, unit: "", decimals }, is_other)
}

fn generate(random: &mut Random, kind: &Kind) -> Generated {
    let comma = random.one_in(2);
    let mut header = vec![random.of(kind.names).to_owned()];
    if kind.name == "flows" {
        header.push("nach".to_owned());
    }
    let (mut styles, count) = (Vec::new(), 4 + random.below(6));
    for numbers in &kind.numbers {
        let heading = random.of(numbers.headings);
        let (mut style, is_other) = style(random, comma, numbers.decimals);
        let unit_at_heading = heading.contains(['(', '[', '²', '/']);
        if kind.name == "departments" && !unit_at_heading && random.one_in(3) {
            style.unit = " m²";
        }
        header.push(heading.to_owned());
        styles.push((style, is_other));
    }
    let mut rows = Vec::new();
    for row in 0..count {
        let cell = |random: &mut Random, (style, is_other): &(Style, bool)| {
            if random.one_in(25) {
                let text = random.of(&WRONG).to_owned();
                // A duration may be in hours and minutes.
                let meant = (kind.name == "exams" && text == "8:30").then_some(510.0);
                return Cell { text, meant };
            }
            let most = [90, 900, 90_000][random.below(3)];
            let decimals = if *is_other && row == 0 { style.decimals.min(2) } else { random.below(style.decimals + 1) };
            let value = 1 + random.below(most) as u64;
            // The first number of a column in another notation proves it.
            let value = if *is_other && row == 0 { 1234 * 10_u64.pow(decimals as u32) + 5 } else { value };
            Cell { text: style.write(value, decimals), meant: Some(value as f64 / 10_f64.powi(decimals as i32)) }
        };
        let cells: Vec<Cell> = styles.iter().map(|style| cell(random, style)).collect();
        rows.push((0, name_of(kind, row), cells));
    }
    if kind.name == "jobs" {
        convert(&header, &mut rows);
    }
    written(random, kind, header, rows)
}

/// Means minutes where the headings state hours and minutes, so that no common unit can be meant, and where all state a unit.
fn convert(header: &[String], rows: &mut [(usize, String, Vec<Cell>)]) {
    let factor = |heading: &String| if heading.contains("(h)") { 60.0 } else { 1.0 };
    let is_hours = |heading: &String| factor(heading) > 1.0;
    let is_minutes = |heading: &String| heading.contains("(min)") || heading.contains("[min]");
    let times = &header[1..];
    let differ = times.iter().any(is_hours) && times.iter().any(is_minutes);
    if !differ && !times.iter().all(is_minutes) {
        return;
    }
    for (_, _, cells) in rows {
        for (cell, heading) in cells.iter_mut().zip(times) {
            cell.meant = match cell.text.as_str() {
                "8:30" => Some(510.0),
                _ => cell.meant.map(|meant| meant * factor(heading)),
            };
        }
    }
}

/// The table as text, with lines of other meanings around the rows.
fn written(
    random: &mut Random, kind: &Kind, header: Vec<String>, mut rows: Vec<(usize, String, Vec<Cell>)>,
) -> Generated {
    let count = rows.len();
    let records = rows.iter().enumerate().map(|(at, (_, name, cells))| {
        let mut record = vec![name.clone()];
        if kind.name == "flows" {
            record.push(format!("A-{}", (at + 1) % count + 1));
        }
        record.extend(cells.iter().map(|cell| cell.text.clone()));
        record
    });
    let mut all: Vec<Vec<String>> = vec![header];
    all.extend(records);
    if random.one_in(5) {
        let width = all[0].len();
        let mut total = vec![String::new(); width];
        total[0] = "Summe".to_owned();
        total[width - 1] = "123".to_owned();
        all.push(total);
    }
    let delimiter = *random.of(&[&b',', &b';', &b'\t']);
    let mut text = String::from(kind.head);
    let first = kind.head.lines().count() + 1;
    for (at, record) in all.iter().enumerate() {
        if at > 0 && at <= count {
            rows[at - 1].0 = first + at;
        }
        let cells: Vec<String> = record
            .iter()
            .map(|cell| match cell.contains([delimiter as char, '"']) {
                true => format!("\"{}\"", cell.replace('"', "\"\"")),
                false => cell.clone(),
            })
            .collect();
        text += &(cells.join(&char::from(delimiter).to_string()) + "\n");
    }
    let text = if random.one_in(4) { text.replace('\n', "\r\n") } else { text };
    let text = if random.one_in(4) { format!("\u{feff}{text}") } else { text };
    Generated { text, rows }
}

/// Returns `true` if a cell of the data holds the number; an empty cell holds 0.
fn is_meant(found: &str, meant: Option<f64>) -> bool {
    let found = if found.is_empty() { Some(0.0) } else { found.parse::<f64>().ok() };
    meant.is_some_and(|meant| found.is_some_and(|found| (found - meant).abs() <= 1e-9 * meant.abs().max(1.0)))
}

/// Cells that `data` holds otherwise than they are meant although no message names their line or text.
fn silent(
    kind: &Kind, table: &Generated, data: &Dataset, columns: &[usize], is_named: &dyn Fn(usize, &str) -> bool,
) -> Vec<String> {
    let rows: Vec<Vec<&str>> = data.tables[kind.table].rows.iter().map(|row| row.cells().collect()).collect();
    let mut silent = Vec::new();
    for (line, name, cells) in &table.rows {
        let found = rows.iter().find(|row| row[0] == name);
        for (cell, column) in cells.iter().zip(columns) {
            let held = found.map(|row| row.get(*column).copied().unwrap_or_default());
            if !held.is_some_and(|held| is_meant(held, cell.meant)) && !is_named(*line, &cell.text) {
                silent.push(format!("line {line}: {:?} is meant as {:?} and read as {held:?}", cell.text, cell.meant));
            }
        }
    }
    silent
}

/// Reads a table as the command line does; returns what is silently otherwise.
fn by_command(kind: &Kind, table: &Generated, path: &Path) -> Vec<String> {
    let Some(load) = kind.load else { return Vec::new() };
    std::fs::write(path, &table.text).unwrap();
    match load(path) {
        Ok((data, warnings)) => {
            let said = warnings.join("\n");
            silent(kind, table, &data, kind.columns, &|line, text| {
                said.contains(text) || said.contains(&format!("line {line}"))
            })
        }
        // A refused file is named by its lines or cells; what is refused holds nothing.
        Err(error) => {
            let wrong = table.rows.iter().flat_map(|(line, _, cells)| cells.iter().map(move |cell| (line, cell)));
            let is_named = |line: usize, text: &str| error.contains(&format!(":{line}: ")) || error.contains(text);
            let mut unnamed: Vec<String> = wrong
                .filter(|(line, cell)| cell.meant.is_none() && !is_named(**line, &cell.text))
                .map(|(line, cell)| format!("line {line}: {:?} is no number and is not named: {error}", cell.text))
                .collect();
            let names_any = table.rows.iter().any(|(line, ..)| error.contains(&format!(":{line}: ")));
            // Lines of texts make a column none of numbers; its heading is refused then.
            if !names_any && !error.contains(":1: ") && !error.contains(":2: ") {
                unnamed.push(format!("no line is named: {error}"));
            }
            if error.contains("more") { Vec::new() } else { unnamed }
        }
    }
}

/// Imports a table with some roles exchanged; returns what is silently otherwise.
fn by_import(random: &mut Random, kind: &Kind, table: &Generated, path: &Path) -> Vec<String> {
    std::fs::write(path, table.text.trim_start_matches(kind.head)).unwrap();
    let skipped = kind.head.lines().count();
    let sheet = Sheet::read(path, kind.specs, None, None).unwrap().remove(0);
    let mut mapping = Mapping::guess_for(&sheet, kind.specs, kind.table);
    let shift = if kind.name == "flows" { 2 } else { 1 };
    mapping.header = Some(0);
    let declared = kind.specs[kind.table].columns.len();
    mapping.columns[0] = Some(0);
    if kind.name == "flows" {
        mapping.columns[1] = Some(1);
    }
    mapping.columns.iter_mut().skip(shift).for_each(|column| *column = None);
    mapping.listed.clear();
    for (at, &column) in kind.columns.iter().enumerate() {
        match column < declared {
            true => mapping.columns[column] = Some(shift + at),
            false => mapping.listed.push(shift + at),
        }
    }
    let mut columns = kind.columns.to_vec();
    let assigned: Vec<usize> = kind.columns.iter().copied().filter(|&column| column < declared).collect();
    if assigned.len() > 1 && random.one_in(3) {
        let (one, other) = (assigned[0], assigned[1]);
        mapping.columns.swap(one, other);
        columns.iter_mut().for_each(|column| {
            *column = if *column == one {
                other
            } else if *column == other {
                one
            } else {
                *column
            }
        });
    }
    let mut base = (kind.empty)();
    // Tables that an import cannot do without are there already.
    for (at, spec) in kind.specs.iter().enumerate().filter(|(at, spec)| spec.is_required && *at != kind.table) {
        let row = base.tables[at].new_row(spec);
        base.tables[at].rows.extend([row]);
    }
    if kind.name == "flows" {
        let spec = &kind.specs[0];
        let names =
            table.rows.iter().map(|(_, name, _)| base.tables[0].new_row(spec).with(0, name).with(1, "4")).collect();
        base.tables[0].rows = names;
    }
    let sheets = vec![Mapped { sheet: Arc::new(sheet), mapping }];
    let (bad_lines, unknown) = (BadLines::LeaveOut, UnknownNames::AreWrong.into());
    let request = Request { name: "test".to_owned(), sheets, base, bad_lines, unknown };
    let outcome = run(kind.specs, &request);
    if let Some(obstacle) = outcome.obstacle {
        return vec![format!("refused: {obstacle}")];
    }
    silent(kind, table, &outcome.data, &columns, &|line, text| {
        let of_line = outcome.problems.iter().filter(|problem| problem.line == line - skipped);
        of_line.into_iter().any(|problem| problem.effect == Effect::Line || problem.value.trim() == text.trim())
    })
}

#[test]
fn no_cell_of_a_table_is_silently_read_as_something_else() {
    let (mut random, folder, mut wrong) =
        (Random { words: Philox::new(1), draw: 0 }, tempfile::tempdir().unwrap(), Vec::new());
    let kinds = kinds();
    let mut counts = [0; 2];
    for number in 0..300 {
        let kind = &kinds[number % kinds.len()];
        let table = generate(&mut random, kind);
        let path = folder.path().join(format!("{}.csv", kind.name));
        for (place, silent) in
            [("command line", by_command(kind, &table, &path)), ("import", by_import(&mut random, kind, &table, &path))]
        {
            wrong.extend(
                silent.into_iter().map(|what| format!("{} {number}, {place}: {what}\n{}", kind.name, table.text)),
            );
        }
        counts[usize::from(kind.load.is_some())] += table.rows.iter().map(|row| row.2.len()).sum::<usize>();
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?} cells");
    let shown: Vec<&str> = wrong.iter().take(12).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), shown.join("\n"));
}
