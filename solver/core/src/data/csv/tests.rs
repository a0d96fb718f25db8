use super::super::{ColumnSpec, FurtherColumns, ValueKind};
use super::*;
use crate::text::columns::Column;

const COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(Column::required("job", ""), "Job", ValueKind::Name, "Name of the job."),
    ColumnSpec::new(Column::optional("due", ""), "Due", ValueKind::Whole { least: 0, most: 9 }, "Due date."),
];
const SPEC: TableSpec = TableSpec::new("jobs", "Jobs", "job", "The jobs.", &COLUMNS).with_further(FurtherColumns {
    absence: "",
    noun: "machine",
    kind: ValueKind::Whole { least: 0, most: 9 },
    unit: "",
    help: "Processing time.",
    default: "0",
});

#[test]
fn tables_are_read_back_as_they_were_written() {
    let names = ["=1+1", " a", "two\nlines", "\"q\"", "'=x", "", "ü;,"];
    let rows = names.iter().map(|name| Row::of([name, "3", "1", "2"])).collect();
    let table = DataTable { further: vec!["saw, big".to_owned(), "=drill".to_owned()], rows };
    let text = to_csv(&SPEC, &table);
    assert!(text.contains("\n'=1+1,3,1,2\n"), "{text}");
    assert_eq!(from_csv(&SPEC, &text).unwrap(), table);
}

#[test]
fn columns_are_found_by_name_and_unknown_ones_are_named() {
    let table = from_csv(&SPEC, "saw,job\n4,A\n").unwrap();
    assert_eq!((table.further, table.rows.get(0).cloned()), (vec!["saw".to_owned()], Some(Row::of(["A", "", "4"]))));
    let plain = TableSpec { further: None, ..SPEC };
    assert!(from_csv(&plain, "saw,job\n4,A\n").unwrap_err().contains("jobs.csv: the column “saw” is unknown"));
}
