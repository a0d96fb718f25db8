use super::super::{ColumnSpec, FurtherColumns, ValueKind};
use super::*;
use crate::text::columns::Column;

const EXAMS: [ColumnSpec; 2] = [
    ColumnSpec::new(Column::required("code", ""), "Code", ValueKind::Name, "Code of the exam."),
    ColumnSpec::new(Column::optional("title", ""), "Title", ValueKind::Text, "Title of the exam."),
];
const LINES: [ColumnSpec; 2] = [
    ColumnSpec::new(Column::required("student", ""), "Student", ValueKind::Text, "The student."),
    ColumnSpec::new(Column::required("exam", ""), "Exam", ValueKind::Reference("exams"), "The exam."),
];
const FORM: [ColumnSpec; 1] = [ColumnSpec::new(Column::optional("width", ""), "Width", ValueKind::Text, "Width.")];
const SPECS: [TableSpec; 3] = [
    TableSpec::new("exams", "Exams", "exam", "The exams.", &EXAMS).with_further(FurtherColumns {
        absence: "",
        noun: "room",
        kind: ValueKind::Text,
        unit: "",
        help: "A room.",
        default: "0",
    }),
    TableSpec::new("enrolments", "Enrolments", "enrolment", "Who sits them.", &LINES).pairs(0, 1, None),
    TableSpec::new("plant", "Plant", "plant", "The plant.", &FORM).form(),
];

fn data(further: &[&str], exams: &[&[&str]], lines: &[[&str; 2]]) -> Dataset {
    let mut data = Dataset::empty(&SPECS, "session");
    data.tables[0].further = further.iter().map(|name| (*name).to_owned()).collect();
    data.tables[0].rows.extend(exams.iter().map(|cells| Row::of(*cells)));
    data.tables[1].rows.extend(lines.iter().map(Row::of));
    data
}

fn update(present: &Dataset, fresh: Dataset) -> Update {
    Update::of(&SPECS, &Arc::new(present.clone()), FreshData::whole(&SPECS, fresh), |_| None)
}

fn texts(update: &Update) -> Vec<String> {
    (0..update.changes.len()).map(|index| update.text(index)).collect()
}

#[test]
fn rows_are_compared_by_their_names_whatever_their_order_and_spelling() {
    let present =
        data(&[], &[&["MAT", "Algebra"], &["Bot any", "Plants"], &["CHE", ""]], &[["s1", "MAT"], ["s2", "Bot any"]]);
    let fresh =
        data(&[], &[&["bot  any", "Plants"], &["MAT", "Algebra"], &["CHE", ""]], &[["S2", "bot  any"], ["s1", "MAT"]]);
    let same = update(&present, fresh);
    assert_eq!(texts(&same), [""; 0]);
    assert_eq!(same.remarks, ["2 names are spelled in another way in the files; the project's spelling stays"]);
    let fresh =
        data(&[], &[&["PHY", ""], &["MAT", "Algebra I"], &["bot any", "Plants"]], &[["s1", "PHY"], ["s1", "MAT"]]);
    let changed = update(&present, fresh);
    assert_eq!(
        texts(&changed),
        [
            "Exams: added PHY",
            "Exams: changed MAT, Title: «Algebra» → «Algebra I»",
            "Exams: removed CHE",
            "Enrolments: added s1 · PHY",
            "Enrolments: removed s2 · Bot any",
        ]
    );
    let all = changed.applied(&[true; 5]);
    assert_eq!(
        all.tables,
        data(&[], &[&["PHY", ""], &["MAT", "Algebra I"], &["Bot any", "Plants"]], &[["s1", "PHY"], ["s1", "MAT"]])
            .tables
    );
    assert_eq!(changed.applied(&[false; 5]), present);
}

#[test]
fn lines_that_belong_together_are_named_if_only_one_is_ticked() {
    let present = data(&[], &[&["MAT", ""], &["CHE", ""]], &[["s1", "MAT"], ["s1", "CHE"], ["s2", "CHE"]]);
    let fresh = data(&[], &[&["MAT", ""], &["PHY", ""]], &[["s1", "MAT"], ["s1", "PHY"]]);
    let update = update(&present, fresh);
    let told = |ticked: &[bool]| -> Vec<String> {
        update.contradictions(&update.applied(ticked), ticked).into_iter().map(|one| one.text).collect()
    };
    assert_eq!(update.changes.len(), 5);
    assert!(told(&[true; 5]).is_empty() && told(&[false; 5]).is_empty());
    // Without the new exam, and with the enrolments of the one that is removed.
    assert_eq!(
        told(&[false, true, true, false, true]),
        [
            "The exam «PHY» is not ticked, but the enrolment «s1 · PHY» would name it. Tick both, or neither.",
            "The exam «CHE» would be removed, but the enrolment «s1 · CHE» would stay and name it. Tick both, or keep both.",
        ]
    );
}

#[test]
fn further_columns_come_go_and_move_with_their_cells() {
    let present = data(&["A", "B", "C"], &[&["x", "", "1", "2", "3"], &["y", "", "4", "5", "6"]], &[]);
    let fresh = data(&["C", "D", "A"], &[&["y", "", "6", "9", "4"], &["x", "", "3", "8", "7"]], &[]);
    let update = update(&present, fresh);
    assert_eq!(
        texts(&update),
        [
            "Exams: added room: D",
            "Exams: removed room: B",
            "Exams: changed Order of the rooms: «A, B, C» → «C, D, A»",
            "Exams: changed x, A: «1» → «7»",
        ]
    );
    let made = |ticked: [bool; 4]| update.applied(&ticked).tables.swap_remove(0);
    assert_eq!(
        made([true; 4]),
        data(&["C", "D", "A"], &[&["x", "", "3", "8", "7"], &["y", "", "6", "9", "4"]], &[]).tables[0]
    );
    assert_eq!(made([true, false, false, false]).further, ["A", "B", "C", "D"]);
    assert_eq!(made([false, false, true, false]).further, ["C", "A", "B"]);
    assert_eq!(
        made([false, true, false, true]),
        data(&["A", "C"], &[&["x", "", "7", "3"], &["y", "", "4", "6"]], &[]).tables[0]
    );
}

#[test]
fn columns_and_tables_that_the_files_lack_stay() {
    let mut present = data(&[], &[&["MAT", "Algebra"], &["CHE", "Chemistry"]], &[["s1", "MAT"]]);
    present.tables[2].rows.set(0, Row::of(["7"]));
    let mut fresh = FreshData::whole(&SPECS, data(&[], &[&["CHE", ""], &["PHY", ""], &["MAT", ""]], &[["s1", "MAT"]]));
    fresh.held[0][1] = HeldColumn::No;
    fresh.held[2][0] = HeldColumn::IfFilled;
    let update = Update::of(&SPECS, &Arc::new(present), fresh, |_| None);
    assert_eq!(texts(&update), ["Exams: added PHY"]);
    assert_eq!(update.remarks, ["The files lack Exams (Title); the project's values stay"]);
}

#[test]
fn several_rows_with_one_key_are_matched_equal_ones_first() {
    const FLOWS: [ColumnSpec; 3] = [LINES[0], LINES[1], FORM[0]];
    const SPECS: [TableSpec; 1] = [TableSpec::new("flows", "Flows", "flow", "Flows.", &FLOWS).pairs(0, 1, Some(2))];
    let of = |rows: &[[&str; 3]]| {
        let mut data = Dataset::empty(&SPECS, "flows");
        data.tables[0].rows.extend(rows.iter().map(Row::of));
        data
    };
    let present = of(&[["a", "b", "1"], ["a", "b", "2"], ["c", "d", "5"]]);
    let fresh = of(&[["c", "d", "5"], ["a", "b", "3"], ["a", "b", "1"], ["a", "b", "9"]]);
    let update = Update::of(&SPECS, &Arc::new(present), FreshData::whole(&SPECS, fresh.clone()), |_| None);
    assert_eq!(texts(&update), ["Flows: changed a · b, Width: «2» → «3»", "Flows: added a · b: 9"]);
    let sorted = |data: &Dataset| {
        let mut rows: Vec<Row> = data.tables[0].rows.iter().cloned().collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&update.applied(&[true, true])), sorted(&fresh));
}
