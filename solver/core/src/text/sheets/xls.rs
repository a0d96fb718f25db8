//! Workbooks of Excel 97 to 2003 (.xls): records of the format BIFF8 in a compound file (Microsoft, MS-XLS and MS-CFB).
//!
//! Records are read one after the other; nothing that a file states about sizes is believed, and no byte of a sheet is read for two
//! sheets, so that time and memory are bounded by the size of the file.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};

use cfb::CompoundFile as Compound;

use super::dates::Shown;
use super::grid::Strings;
use super::package::broken;
use super::{Grid, MOST_SHEETS, Read, too_many_sheets};

/// First bytes of every compound file.
pub(super) const MAGIC: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Types of the records that are read (MS-XLS, §2.3.1).
mod record {
    pub(super) const FORMULA: u16 = 0x0006;
    pub(super) const END: u16 = 0x000A;
    pub(super) const DATE_MODE: u16 = 0x0022;
    pub(super) const FILE_PASS: u16 = 0x002F;
    pub(super) const CONTINUE: u16 = 0x003C;
    pub(super) const SHEET: u16 = 0x0085;
    pub(super) const MANY_RK: u16 = 0x00BD;
    pub(super) const RICH_LABEL: u16 = 0x00D6;
    pub(super) const CELL_FORMAT: u16 = 0x00E0;
    pub(super) const SHARED_STRINGS: u16 = 0x00FC;
    pub(super) const SHARED_LABEL: u16 = 0x00FD;
    pub(super) const NUMBER: u16 = 0x0203;
    pub(super) const LABEL: u16 = 0x0204;
    pub(super) const BOOLEAN_OR_ERROR: u16 = 0x0205;
    pub(super) const STRING: u16 = 0x0207;
    pub(super) const RK: u16 = 0x027E;
    pub(super) const FORMAT: u16 = 0x041E;
    pub(super) const BEGIN: u16 = 0x0809;
}

/// Reads the sheets in their order and passes each to `take` with its name.
///
/// # Errors
/// Text for a damaged, older or encrypted file or a limit, or from `take`.
pub(super) fn read(bytes: &[u8], take: &mut dyn FnMut(String, Grid) -> Read<()>) -> Read<()> {
    let mut file = Compound::open(Cursor::new(bytes)).map_err(broken)?;
    let mut stream = file.open_stream("/Workbook").map_err(|_| too_old())?;
    let mut book = Vec::new();
    // A stream cannot be longer than the file that holds it.
    stream.by_ref().take(bytes.len() as u64).read_to_end(&mut book).map_err(broken)?;
    let globals = Globals::read(&book)?;
    let mut unread = book.len();
    for (name, at) in &globals.sheets {
        let (grid, length) = cells(book.get(*at..).unwrap_or_default(), &globals, unread)?;
        unread -= length;
        take(name.clone(), grid)?;
    }
    Ok(())
}

fn too_old() -> String {
    "this is no workbook of Excel 97 or later; save it as .xlsx, or as CSV".to_owned()
}

/// Record with those that continue it.
struct Record<'a> {
    kind: u16,
    parts: Vec<&'a [u8]>,
    /// Length in bytes, with all headers.
    length: usize,
}

/// Reads the first record; `None` at the end of the bytes or for a record that is cut off.
fn first_record(bytes: &[u8]) -> Option<Record<'_>> {
    let one = |at: usize| {
        let header = bytes.get(at..at + 4)?;
        let [kind, length] = [0, 2].map(|at| u16::from_le_bytes([header[at], header[at + 1]]));
        Some((kind, bytes.get(at + 4..at + 4 + usize::from(length))?))
    };
    let (kind, first) = one(0)?;
    let (mut parts, mut length) = (vec![first], 4 + first.len());
    while let Some((record::CONTINUE, part)) = one(length) {
        parts.push(part);
        length += 4 + part.len();
    }
    Some(Record { kind, parts, length })
}

/// Values in a record, from its first byte on; every function returns `None` beyond the end.
struct Values<'a> {
    parts: &'a [&'a [u8]],
    at: usize,
}

impl<'a> Values<'a> {
    fn of(record: &'a Record<'a>) -> Self {
        Self { parts: &record.parts, at: 0 }
    }

    /// Goes to the next part if this one is at its end.
    fn settle(&mut self) -> Option<()> {
        while self.at == self.parts.first()?.len() {
            (self.parts, self.at) = (self.parts.get(1..)?, 0);
        }
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        self.settle()?;
        self.at += 1;
        self.parts.first()?.get(self.at - 1).copied()
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Some(bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    fn skip(&mut self, mut count: usize) -> Option<()> {
        while count > 0 {
            self.settle()?;
            let here = count.min(self.parts.first()?.len() - self.at);
            self.at += here;
            count -= here;
        }
        Some(())
    }

    /// Letters of a text; where it goes on in a further part, that part says anew whether letters have one byte or two.
    fn letters(&mut self, count: u16, mut flags: u8) -> Option<String> {
        let mut units = Vec::new();
        for _ in 0..count {
            if self.at == self.parts.first()?.len() {
                self.settle()?;
                flags = self.byte()?;
            }
            units.push(if flags & 1 == 0 { u16::from(self.byte()?) } else { self.u16()? });
        }
        Some(String::from_utf16_lossy(&units))
    }

    /// Text with a length of two bytes; formats and pronunciation, which may follow, are skipped (§2.5.293).
    fn text(&mut self) -> Option<String> {
        let (count, flags) = (self.u16()?, self.byte()?);
        let runs = if flags & 8 == 0 { 0 } else { 4 * usize::from(self.u16()?) };
        let more = if flags & 4 == 0 { 0 } else { self.u32()? as usize };
        let text = self.letters(count, flags)?;
        self.skip(runs.checked_add(more)?)?;
        Some(text)
    }
}

/// Properties that all sheets of a workbook share.
#[derive(Default)]
struct Globals {
    /// Names of the sheets of cells and the places where they begin.
    sheets: Vec<(String, usize)>,
    strings: Strings,
    /// Kind of value that numbers of each cell format show.
    formats: Vec<Shown>,
    is_1904: bool,
}

impl Globals {
    fn read(book: &[u8]) -> Read<Self> {
        const BIFF8: [u8; 2] = [0, 6];
        let (mut globals, mut codes, mut rest) = (Self::default(), HashMap::new(), book);
        let begin = first_record(rest).filter(|record| record.kind == record::BEGIN);
        if begin.is_none_or(|record| !record.parts.first().is_some_and(|part| part.starts_with(&BIFF8))) {
            return Err(too_old());
        }
        while let Some(record) = first_record(rest) {
            match record.kind {
                record::END => break,
                record::FILE_PASS => {
                    return Err("the workbook is protected by a password; save it without one".to_owned());
                }
                record::SHARED_STRINGS => globals.read_strings(&record)?,
                _ => drop(globals.take(&record, &mut codes)),
            }
            if globals.sheets.len() > MOST_SHEETS {
                return Err(too_many_sheets());
            }
            rest = &rest[record.length..];
        }
        Ok(globals)
    }

    /// Takes what is needed from a record; `None` if it is cut off.
    fn take(&mut self, record: &Record, codes: &mut HashMap<u16, Shown>) -> Option<()> {
        let mut values = Values::of(record);
        match record.kind {
            record::DATE_MODE => self.is_1904 = values.u16()? == 1,
            record::FORMAT => {
                let number = values.u16()?;
                codes.insert(number, Shown::of_code(&values.text()?));
            }
            record::CELL_FORMAT => {
                values.skip(2)?;
                let number = values.u16()?;
                let shown = codes.get(&number).copied();
                self.formats.push(shown.unwrap_or_else(|| Shown::of_number(u32::from(number))));
            }
            record::SHEET => {
                let place = values.u32()? as usize;
                let [_, kind, count, flags] = values.bytes()?;
                let name = values.letters(u16::from(count), flags)?;
                // Sheets of charts and macros have no cells.
                if kind == 0 {
                    self.sheets.push((name, place));
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Reads the texts that cells refer to by their number.
    fn read_strings(&mut self, record: &Record) -> Read<()> {
        let mut values = Values::of(record);
        let count = values.skip(4).and_then(|()| values.u32()).unwrap_or(0);
        for _ in 0..count {
            let Some(text) = values.text() else { break };
            self.strings.push(&text)?;
        }
        Ok(())
    }

    /// A number as text, a date or time as such.
    fn number(&self, number: f64, format: u16) -> String {
        let shown = self.formats.get(usize::from(format)).copied().unwrap_or_default();
        shown.number(number, self.is_1904)
    }
}

/// A number in 30 bits: an integer or the upper half of a floating-point number, perhaps in hundredths (§2.5.217).
fn rk_number(rk: u32) -> f64 {
    let number = if rk & 2 == 0 { f64::from_bits(u64::from(rk & !3) << 32) } else { f64::from(rk as i32 >> 2) };
    if rk & 1 == 0 { number } else { number / 100.0 }
}

/// Cells of the sheet at the beginning of `bytes`, and its length in bytes, which may not exceed `most`.
fn cells(bytes: &[u8], globals: &Globals, most: usize) -> Read<(Grid, usize)> {
    let (mut grid, mut length, mut formula) = (Grid::default(), 0, None);
    while let Some(record) = first_record(&bytes[length..]) {
        length += record.length;
        if length > most {
            return Err(broken("two of its sheets overlap"));
        }
        if record.kind == record::END {
            break;
        }
        for (row, column, content) in contents(&record, globals, &mut formula).unwrap_or_default() {
            grid.put(u64::from(row), u64::from(column), &content)?;
        }
    }
    Ok((grid, length))
}

/// Cells in a record; `None` if it holds none. `formula` is the cell of the formula whose text is in the next record of a text.
fn contents(record: &Record, globals: &Globals, formula: &mut Option<(u16, u16)>) -> Option<Vec<(u16, u16, String)>> {
    let mut values = Values::of(record);
    if record.kind == record::STRING {
        let (row, column) = formula.take()?;
        return Some(vec![(row, column, values.text()?)]);
    }
    let is_cell = matches!(
        record.kind,
        record::FORMULA
            | record::MANY_RK
            | record::RICH_LABEL
            | record::SHARED_LABEL
            | record::NUMBER
            | record::LABEL
            | record::BOOLEAN_OR_ERROR
            | record::RK
    );
    if !is_cell {
        return None;
    }
    let (row, column) = (values.u16()?, values.u16()?);
    if record.kind == record::MANY_RK {
        let mut cells = Vec::new();
        // The number of the last column follows the cells.
        while let (Some(format), Some(rk)) = (values.u16(), values.u32()) {
            let column = u16::try_from(usize::from(column) + cells.len()).ok()?;
            cells.push((row, column, globals.number(rk_number(rk), format)));
        }
        return Some(cells);
    }
    let format = values.u16()?;
    let content = match record.kind {
        record::SHARED_LABEL => globals.strings.get(values.u32()? as usize)?.to_owned(),
        record::LABEL | record::RICH_LABEL => values.text()?,
        record::NUMBER => globals.number(values.f64()?, format),
        record::RK => globals.number(rk_number(values.u32()?), format),
        record::BOOLEAN_OR_ERROR => truth_or_error(values.byte()?, values.byte()? != 0),
        _ => match values.bytes::<8>()? {
            [0, .., 0xFF, 0xFF] => {
                *formula = Some((row, column));
                return None;
            }
            [kind @ (1 | 2), _, value, .., 0xFF, 0xFF] => truth_or_error(value, kind == 2),
            [.., 0xFF, 0xFF] => String::new(),
            number => globals.number(f64::from_le_bytes(number), format),
        },
    };
    Some(vec![(row, column, content)])
}

/// Text of a truth value or of an error (§2.5.10).
fn truth_or_error(value: u8, is_error: bool) -> String {
    let text = match (is_error, value) {
        (false, 0) => "no",
        (false, _) => "yes",
        (true, 0x00) => "#NULL!",
        (true, 0x07) => "#DIV/0!",
        (true, 0x0F) => "#VALUE!",
        (true, 0x17) => "#REF!",
        (true, 0x1D) => "#NAME?",
        (true, 0x24) => "#NUM!",
        (true, _) => "#N/A",
    };
    text.to_owned()
}
