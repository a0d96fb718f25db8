//! Office Open XML: relationships, shared strings and cells.

use std::collections::HashMap;

use quick_xml::events::{BytesStart, Event};

use super::dates::Shown;
use super::grid::{Strings, too_much_text};
use super::package::{Package, attribute, broken, push_text};
use super::{Grid, MOST_SHEETS, MOST_TEXT, Read, too_many_sheets};

/// Reads the sheets in their order and passes each to `take` with its name.
///
/// # Errors
/// Text for a damaged package or a limit, or from `take`.
pub(super) fn read(package: &mut Package, take: &mut dyn FnMut(String, Grid) -> Read<()>) -> Read<()> {
    let office = relationships(package, "_rels/.rels", "")?;
    let workbook = office.into_iter().find(|part| part.kind.ends_with("/officeDocument"));
    let workbook = workbook.ok_or_else(|| broken("it names no workbook"))?.target;
    let (folder, name) = workbook.rsplit_once('/').unwrap_or(("", &workbook));
    let parts = relationships(package, &joined(folder, &format!("_rels/{name}.rels")), folder)?;
    let strings = match parts.iter().find(|part| part.kind.ends_with("/sharedStrings")) {
        Some(part) if package.has(&part.target) => shared_strings(package, &part.target)?,
        _ => Strings::default(),
    };
    let styles = match parts.iter().find(|part| part.kind.ends_with("/styles")) {
        Some(part) if package.has(&part.target) => formats(package, &part.target)?,
        _ => Vec::new(),
    };
    let (sheets, is_1904) = sheet_list(package, &workbook)?;
    let values = Values { strings, styles, is_1904 };
    for (name, id) in sheets {
        let part = parts.iter().find(|part| part.id == id);
        // Sheets of charts and macros have no cells.
        let Some(part) = part.filter(|part| part.kind.ends_with("/worksheet")) else { continue };
        take(name, cells(package, &part.target, &values)?)?;
    }
    Ok(())
}

/// Part that another part refers to.
struct Relationship {
    id: String,
    kind: String,
    /// Name of the part in the package.
    target: String,
}

fn relationships(package: &mut Package, name: &str, folder: &str) -> Read<Vec<Relationship>> {
    let mut all = Vec::new();
    package.events(name, |event| {
        if let Event::Start(element) = event
            && element.local_name().as_ref() == "Relationship"
        {
            let of = |name| attribute(element, name).unwrap_or_default();
            let target = of("Target");
            let target = target.strip_prefix('/').map_or_else(|| joined(folder, &target), str::to_owned);
            all.push(Relationship { id: of("Id"), kind: of("Type"), target });
        }
        Ok(())
    })?;
    Ok(all)
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Largest number of cell formats that are read; spreadsheets have at most 65,490.
const MOST_FORMATS: usize = 1 << 16;

/// Kind of value that numbers of each cell format show, by the number of the format.
fn formats(package: &mut Package, name: &str) -> Read<Vec<Shown>> {
    let (mut codes, mut formats, mut is_list) = (HashMap::new(), Vec::new(), false);
    package.events(name, |event| {
        let number = |element: &BytesStart| attribute(element, "numFmtId").and_then(|text| text.parse::<u32>().ok());
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                "numFmt" if codes.len() < MOST_FORMATS => {
                    let code = attribute(element, "formatCode").unwrap_or_default();
                    codes.extend(number(element).map(|number| (number, Shown::of_code(&code))));
                }
                "cellXfs" => is_list = true,
                "xf" if is_list && formats.len() < MOST_FORMATS => {
                    let number = number(element).unwrap_or(0);
                    formats.push(codes.get(&number).copied().unwrap_or_else(|| Shown::of_number(number)));
                }
                _ => {}
            },
            Event::End(element) if element.local_name().as_ref() == "cellXfs" => is_list = false,
            _ => {}
        }
        Ok(())
    })?;
    Ok(formats)
}

/// Names of the sheets and identifiers of their relationships; `true` if days count from 1904.
fn sheet_list(package: &mut Package, workbook: &str) -> Read<(Vec<(String, String)>, bool)> {
    let (mut sheets, mut is_1904) = (Vec::new(), false);
    package.events(workbook, |event| {
        if let Event::Start(element) = event
            && element.local_name().as_ref() == "workbookPr"
        {
            is_1904 = attribute(element, "date1904").is_some_and(|text| matches!(text.as_str(), "1" | "true"));
        }
        if let Event::Start(element) = event
            && element.local_name().as_ref() == "sheet"
            && let (Some(name), Some(id)) = (attribute(element, "name"), attribute(element, "id"))
        {
            sheets.push((name, id));
        }
        if sheets.len() <= MOST_SHEETS { Ok(()) } else { Err(too_many_sheets()) }
    })?;
    Ok((sheets, is_1904))
}

/// Tables of a workbook that its cells refer to.
struct Values {
    strings: Strings,
    /// Kind of value that numbers of each cell format show.
    styles: Vec<Shown>,
    is_1904: bool,
}

/// Reads the texts that cells refer to.
fn shared_strings(package: &mut Package, name: &str) -> Read<Strings> {
    let (mut strings, mut text, mut run) = (Strings::default(), String::new(), TextRun::default());
    package.events(name, |event| {
        run.step(event);
        if run.is_text && !push_text(&mut text, event, MOST_TEXT) {
            return Err(too_much_text());
        }
        if matches!(event, Event::End(element) if element.local_name().as_ref() == "si") {
            strings.push(&text)?;
            text.clear();
        }
        Ok(())
    })?;
    Ok(strings)
}

/// Position within a text that may consist of several runs with formats; pronunciation hints (`rPh`) do not count.
#[derive(Default)]
struct TextRun {
    is_text: bool,
    is_hint: bool,
}

impl TextRun {
    fn step(&mut self, event: &Event) {
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                "t" => self.is_text = !self.is_hint,
                "rPh" => self.is_hint = true,
                _ => {}
            },
            Event::End(element) => match element.local_name().as_ref() {
                "t" => self.is_text = false,
                "rPh" => self.is_hint = false,
                _ => {}
            },
            _ => {}
        }
    }
}

/// Cell that is being read.
#[derive(Default)]
struct OpenCell {
    row: u64,
    column: u64,
    /// Attribute `t`: type of the value.
    kind: String,
    /// Attribute `s`: number of the cell format.
    style: Option<usize>,
    value: String,
    is_value: bool,
    inline: TextRun,
}

fn cells(package: &mut Package, name: &str, values: &Values) -> Read<Grid> {
    let (mut grid, mut cell) = (Grid::default(), OpenCell::default());
    package.events(name, |event| {
        match event {
            Event::Start(element) => begin(&mut cell, element)?,
            Event::End(element) => match element.local_name().as_ref() {
                "row" => (cell.row, cell.column) = (cell.row + 1, 0),
                "v" => cell.is_value = false,
                "c" => {
                    grid.put(cell.row, cell.column, &content(&cell, values)?)?;
                    cell.column += 1;
                }
                _ => {}
            },
            _ => {}
        }
        cell.inline.step(event);
        let is_read = cell.is_value || cell.inline.is_text;
        if !is_read || push_text(&mut cell.value, event, MOST_TEXT) {
            return Ok(());
        }
        Err(format!("a cell holds more than {} MiB of text; delete it", MOST_TEXT >> 20))
    })?;
    Ok(grid)
}

fn begin(cell: &mut OpenCell, element: &BytesStart) -> Read<()> {
    let reference = || attribute(element, "r");
    match element.local_name().as_ref() {
        "row" => {
            if let Some(text) = reference() {
                let row: Option<u64> = text.parse().ok().and_then(|row: u64| row.checked_sub(1));
                cell.row = row.ok_or_else(|| broken("a row has no number"))?;
            }
            cell.column = 0;
        }
        "c" => {
            if let Some(text) = reference() {
                (cell.row, cell.column) = place(&text).ok_or_else(|| broken("a cell has no place"))?;
            }
            cell.kind = attribute(element, "t").unwrap_or_default();
            cell.style = attribute(element, "s").and_then(|text| text.parse().ok());
            cell.value.clear();
        }
        "v" => cell.is_value = true,
        _ => {}
    }
    Ok(())
}

/// Row and column of a reference such as `B12`, counted from 0.
fn place(reference: &str) -> Option<(u64, u64)> {
    let at = reference.find(|letter: char| !letter.is_ascii_alphabetic())?;
    let (letters, digits) = reference.split_at(at);
    let digit = |letter: u8| u64::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().try_fold(0_u64, |sum, letter| sum.checked_mul(26)?.checked_add(digit(letter)))?;
    let row: u64 = digits.parse().ok()?;
    Some((row.checked_sub(1)?, column.checked_sub(1)?))
}

fn content(cell: &OpenCell, values: &Values) -> Read<String> {
    let value = cell.value.as_str();
    let shown = cell.style.and_then(|style| values.styles.get(style)).copied().unwrap_or_default();
    let number = |number: f64| shown.number(number, values.is_1904);
    Ok(match cell.kind.as_str() {
        "s" if value.is_empty() => String::new(),
        "s" => {
            let text = value.trim().parse().ok().and_then(|index| values.strings.get(index));
            unescaped(text.ok_or_else(|| broken("a cell refers to a text that is not there"))?)
        }
        "str" | "inlineStr" => unescaped(value),
        "b" => if matches!(value.trim(), "1" | "true") { "yes" } else { "no" }.to_owned(),
        // Errors and dates are texts; an error is reported by the reader as no number.
        "e" | "d" => value.to_owned(),
        _ => value.trim().parse::<f64>().map_or_else(|_| value.to_owned(), number),
    })
}

/// Replaces escapes of letters that XML cannot hold, such as `_x000D_` (ECMA-376-1:2016, §22.9.2.19).
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let letter = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
        let (before, after) = (at + if letter.is_some() { 0 } else { 2 }, at + if letter.is_some() { 7 } else { 2 });
        out.push_str(&rest[..before]);
        out.extend(letter);
        rest = &rest[after..];
    }
    out + rest
}
