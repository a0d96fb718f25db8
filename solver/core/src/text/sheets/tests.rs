use std::io::{Cursor, Write};

use rust_xlsxwriter::{Format, Workbook};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// ZIP package of these parts.
fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Office Open XML workbook with one sheet and these shared texts.
fn workbook(data: &str, strings: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relationship = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{office}/{kind}\" Target=\"{target}\"/>")
    };
    let list = |all: &[String]| format!("<Relationships>{}</Relationships>", all.concat());
    let parts =
        [relationship("a", "worksheet", "worksheets/one.xml"), relationship("b", "sharedStrings", "/xl/Shared.xml")];
    package(&[
        ("_rels/.rels", &list(&[relationship("w", "officeDocument", "xl/book.xml")])),
        ("xl/_rels/book.xml.rels", &list(&parts)),
        ("xl/book.xml", "<workbook><sheets><sheet name=\"One\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>"),
        ("xl/worksheets/one.xml", &format!("<worksheet><sheetData>{data}</sheetData></worksheet>")),
        ("xl/shared.xml", &format!("<sst uniqueCount=\"4000000000\">{strings}</sst>")),
    ])
}

/// OpenDocument spreadsheet with one sheet.
fn spreadsheet(rows: &str) -> Vec<u8> {
    let content = format!("<o><table:table table:name=\"One\">{rows}</table:table></o>");
    package(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), (CONTENT, &content)])
}

const CONTENT: &str = ods::CONTENT;

fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    read(bytes).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).unwrap_err()
}

#[test]
fn cells_of_every_type_become_text() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("Räume & mehr").unwrap();
    sheet.write_string(1, 1, "=SUM(A1)").unwrap();
    sheet.write_string(1, 2, "a, \"b\"\r\n<c> & _x0041_").unwrap();
    sheet.write_number(2, 1, 1234.5).unwrap();
    sheet.write_number(2, 2, -1e-3).unwrap();
    sheet.write_boolean(3, 1, true).unwrap();
    sheet.write_formula(3, 2, "=1+1").unwrap();
    sheet.write_blank(900_000, 3, &Format::new().set_bold()).unwrap();
    book.add_worksheet().set_name("Empty").unwrap();
    let bytes = book.save_to_buffer().unwrap();
    let csv = "\n,=SUM(A1),\"a, \"\"b\"\"  <c> & _x0041_\"\n,1234.5,-0.001\n,yes,0\n";
    assert_eq!(texts(&bytes), [("Räume & mehr".to_owned(), csv.to_owned())]);
}

/// The reader of another crate finds the same cells.
#[test]
fn cells_are_those_that_calamine_reads() {
    use calamine::{Data, Reader};
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, column) in (0..40).flat_map(|row| (0..9).map(move |column| (row, column))) {
        match (row + u32::from(column)) % 4 {
            0 => sheet.write_string(row, column, format!("Ä{row} <&>")).map(drop).unwrap(),
            1 => sheet.write_number(row, column, f64::from(row) / 7.0).map(drop).unwrap(),
            2 => sheet.write_boolean(row, column, column % 2 == 0).map(drop).unwrap(),
            _ => {}
        }
    }
    let bytes = book.save_to_buffer().unwrap();
    let mut other: calamine::Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(&bytes[..])).unwrap();
    let range = other.worksheet_range("Sheet1").unwrap();
    let cell = |data: &Data| match data {
        Data::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        other => other.to_string(),
    };
    let theirs: Vec<Vec<String>> = range.rows().map(|row| row.iter().map(cell).collect()).collect();
    let mut reader =
        ::csv::ReaderBuilder::new().has_headers(false).from_reader(Cursor::new(texts(&bytes)[0].1.clone()));
    let own: Vec<Vec<String>> = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!(own, theirs);
}

#[test]
fn texts_of_several_runs_and_cells_without_places_are_read() {
    let cells = "<row><c t=\"s\"><v>0</v></c><c/><c t=\"inlineStr\"><is><t>in</t><t>line</t></is></c></row>\
                 <row r=\"4\"><c r=\"B4\" t=\"str\"><f>A1</f><v>x_x000D_y&#10;z</v></c><c t=\"e\"><v>#N/A</v></c></row>";
    let strings = "<si><r><t>De</t></r><r><t>sk</t></r><rPh><t>hint</t></rPh></si>";
    assert_eq!(texts(&workbook(cells, strings))[0].1, "Desk,,inline\n,,\n,,\n,x y z,#N/A\n");
}

#[test]
fn spreadsheets_of_libre_office_are_read() {
    let rows = "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell table:number-columns-repeated=\"3\"/>\
                </table:table-row><table:table-row table:number-rows-repeated=\"2\">\
                <table:table-cell table:number-columns-repeated=\"2\" office:value-type=\"string\"><office:annotation>\
                <text:p>note</text:p></office:annotation><text:p>a<text:s/>&amp;</text:p><text:p>b</text:p>\
                </table:table-cell><table:covered-table-cell office:value-type=\"float\" office:value=\"2.50\">\
                <text:p>2,50 €</text:p></table:covered-table-cell></table:table-row>\
                <table:table-row table:number-rows-repeated=\"1048572\"><table:table-cell \
                table:number-columns-repeated=\"16384\"/></table:table-row>";
    assert_eq!(texts(&spreadsheet(rows)), [("One".to_owned(), "\n\na & b,a & b,2.5\na & b,a & b,2.5\n".to_owned())]);
}

#[test]
fn a_far_cell_is_refused_with_its_place() {
    let cell = |place: &str| format!("<row><c r=\"{place}\"><v>1</v></c></row>");
    let far = workbook(&cell("XFD1048576"), "");
    assert!(far.len() < 1_500, "{}", far.len());
    let error = refusal(&far);
    assert!(error.contains("«One» reaches to row 1048576, column 16384") && error.contains("4000000 cells"), "{error}");
    assert!(refusal(&workbook(&cell("XFE1"), "")).contains("column 16385"));
    assert!(refusal(&workbook(&cell("A1048577"), "")).contains("row 1048577"));
    assert!(refusal(&workbook(&cell("ZZZZZZZZZZZZZZZZZZ1"), "")).contains("no place"));
    assert!(refusal(&workbook("<row r=\"0\"/>", "")).contains("no number"));
    // A single far cell of one column is only a long sheet.
    assert_eq!(texts(&workbook(&cell("A1048576"), ""))[0].1.len(), 1_048_575 + 2);
    let far = "<table:table-row table:number-rows-repeated=\"1048575\"/><table:table-row><table:table-cell \
               table:number-columns-repeated=\"16383\"/><table:table-cell><text:p>x</text:p></table:table-cell>\
               </table:table-row>";
    assert!(refusal(&spreadsheet(far)).contains("row 1048576, column 16384"));
    let repeated = "<table:table-row table:number-rows-repeated=\"18446744073709551615\"><table:table-cell \
                    table:number-columns-repeated=\"18446744073709551615\"><text:p>x</text:p></table:table-cell>\
                    </table:table-row>";
    assert!(refusal(&spreadsheet(repeated)).contains("4000000 cells"));
}

#[test]
fn bombs_are_refused_with_the_limit() {
    // 150 MiB of blanks, and one text of 32,000 letters in 4,000 cells.
    let blanks = " ".repeat(150 << 20);
    let packed = workbook(&blanks, "");
    assert!(packed.len() < 1 << 20 && refusal(&packed).contains("128 MiB"), "{}", packed.len());
    assert!(refusal(&spreadsheet(&blanks)).contains("128 MiB"));
    let cells: String = (1..=4_000).map(|row| format!("<row r=\"{row}\"><c t=\"s\"><v>0</v></c></row>")).collect();
    let long = format!("<si><t>{}</t></si>", "x".repeat(32_000));
    assert!(refusal(&workbook(&cells, &long)).contains("64 MiB of text"));
    let long = format!("<si><t>{}</t></si>", "x".repeat(70 << 20));
    assert!(refusal(&workbook("", &long)).contains("64 MiB"));
    assert!(refusal(&vec![b'P'; MOST_PACKED + 1]).contains("64 MiB"));
}

#[test]
fn damaged_packages_are_refused() {
    for bytes in [&b""[..], b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Excel 97"] {
        assert!(refusal(bytes).contains("save it again as .xlsx"), "{bytes:?}");
    }
    for (part, says) in [
        ("<row><c t=\"s\"><v>1</v></c></row>", "a text that is not there"),
        ("<row><c></row>", "cannot be opened"),
        ("<row><c><v>&#0;", "cannot be opened"),
    ] {
        assert!(refusal(&workbook(part, "")).contains(says), "{part}");
    }
    assert!(refusal(&package(&[("a", "b")])).contains("_rels/.rels is missing"));
    assert!(read(&spreadsheet("<table:table-row>")).is_err());
}

/// Dates and times are cells of numbers whose format says so.
#[test]
fn dates_and_times_are_read_as_people_write_them() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("One").unwrap();
    for (column, (format, number)) in
        (0..).zip([("dd.mm.yyyy", 46_147.0), ("hh:mm", 0.375), ("yyyy-mm-dd hh:mm", 46_147.5), ("0.0", 46_147.5)])
    {
        sheet.write_number_with_format(0, column, number, &Format::new().set_num_format(format)).unwrap();
    }
    let csv = "2026-05-05,09:00,2026-05-05 12:00,46147.5\n";
    assert_eq!(texts(&book.save_to_buffer().unwrap()), [("One".to_owned(), csv.to_owned())]);
}

/// Workbook that LibreOffice wrote in the format of Excel 97, with more shared texts than one record holds.
const OLD: &[u8] = include_bytes!("office.xls");

#[test]
fn workbooks_of_excel_97_hold_the_cells_that_calamine_reads() {
    use calamine::{Data, Reader};
    let read = texts(OLD);
    let names: Vec<&str> = read.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Anmeldungen", "Räume & mehr"], "the sheet without cells is left out");
    let mut other = calamine::Xls::new(Cursor::new(OLD)).unwrap();
    let mut compared = 0;
    for (name, text) in &read {
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let rows: Vec<::csv::StringRecord> = reader.records().map(|record| record.unwrap()).collect();
        let range = other.worksheet_range(name).unwrap();
        let first = range.start().unwrap();
        for (row, column, cell) in range.used_cells() {
            let (row, column) = (row + first.0 as usize, column + first.1 as usize);
            let line = rows.get(row).unwrap();
            let expected = match cell {
                // Dates and times, which are compared below.
                Data::DateTime(_) => continue,
                Data::Float(number) => number.to_string(),
                Data::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
                Data::Error(error) => error.to_string(),
                other => other.to_string(),
            };
            assert_eq!(line.get(column).unwrap(), expected, "{name}, row {row}, column {column}");
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(read[0].1.contains(",2026-05-04,12:30,0.4285714285714285,,ab"), "{}", read[0].1);
}

#[test]
fn damaged_workbooks_of_excel_97_are_refused_or_read_as_far_as_they_go() {
    for length in (0..OLD.len()).step_by(997) {
        let _ = read(&OLD[..length]);
    }
    let mut bytes = OLD.to_vec();
    for (at, value) in (0..OLD.len()).step_by(211).zip((0_u8..=255).cycle()) {
        let before = std::mem::replace(&mut bytes[at], value);
        if let Ok(sheets) = read(&bytes) {
            assert!(sheets.iter().all(|(_, text)| text.len() < MOST_TEXT));
        }
        bytes[at] = before;
    }
    let old = refusal(&[xls::MAGIC, &[0; 600]].concat());
    assert!(old.contains("the workbook cannot be opened") && old.contains("save it again as .xlsx"), "{old}");
}
