//! Tables of every problem as imports read them.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::data::import::{
    BadLines, Effect, Mapped, Mapping, Outcome, Request, Sheet, UnknownCount, UnknownNames, problem_line, problems_csv,
    run,
};
use gridwright_core::data::{Tables, open};
use gridwright_flowshop as flowshop;

fn sheets<T: Tables>(folder: &Path, files: &[(&str, &str)]) -> Vec<Mapped> {
    let read = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        Sheet::read(&path, T::TABLES, None, None).unwrap()
    };
    let sheets = files.iter().flat_map(read);
    sheets.map(|sheet| Mapped { mapping: Mapping::guess(&sheet, T::TABLES), sheet: Arc::new(sheet) }).collect()
}

fn request<T: Tables>(files: &[(&str, &str)]) -> Request {
    let folder = tempfile::tempdir().unwrap();
    let sheets = sheets::<T>(folder.path(), files);
    let base = T::empty_data("test");
    Request { name: "test".to_owned(), sheets, base, bad_lines: BadLines::Stop, unknown: UnknownNames::AreWrong.into() }
}

fn rows(outcome: &Outcome, table: usize) -> Vec<String> {
    outcome.data.tables[table].rows.iter().map(|row| row.cells().collect::<Vec<_>>().join("|")).collect()
}

#[test]
fn quantities_and_priorities_are_no_machines() {
    let text = "Orders of week 23;;;;;;\n\nAuftrag;Menge;Termin;Saw;Mill;Priorität;Rüstzeit\nDesk;3;20;4;2;1;5\n\
                Chair;1;30;1,0;3;2;5\nSumme;4;;5;5;;\n";
    let request = request::<flowshop::Instance>(&[("orders.csv", text)]);
    let mapping = &request.sheets[0].mapping;
    assert_eq!(
        (mapping.header, &mapping.columns, &mapping.listed),
        (Some(1), &[&[Some(0), Some(2), None, None, Some(1)][..], &[None; 7]].concat(), &vec![3, 4])
    );
    let outcome = run(flowshop::Instance::TABLES, &request);
    assert_eq!(outcome.obstacle, None);
    assert_eq!(rows(&outcome, 0), ["Desk|20|||3||||||||4|2", "Chair|30|||1||||||||1|3"]);
    let [total] = &outcome.problems[..] else { panic!("{:?}", outcome.problems) };
    assert_eq!((total.line, total.effect), (6, Effect::Nothing));
    let instance: flowshop::Instance = open(&outcome.data).unwrap();
    assert_eq!((instance.machines, instance.times), (vec!["Saw".to_owned(), "Mill".to_owned()], vec![4, 2, 1, 3]));
}

#[test]
fn every_cell_that_cannot_be_used_is_named() {
    let text = "job,due,Saw,Mill\nDesk,soon,4,2\ndesk,1,1,1\n,3,1,1\nChair,20,x,3\n";
    let mut request = request::<flowshop::Instance>(&[("orders.csv", text)]);
    request.sheets[0].mapping.listed = vec![2, 3];
    let outcome = run(flowshop::Instance::TABLES, &request);
    let found: Vec<String> = outcome.problems.iter().map(|problem| problem_line(&request, problem)).collect();
    assert_eq!(
        found,
        [
            "orders.csv, line 2, due: «soon» is not a whole number",
            "orders.csv, line 3, job: «Desk» stands already in line 2; names are compared without regard to case",
            "orders.csv, line 4: “Job” is missing",
            "orders.csv, line 5, Saw: «x» is not a whole number; without it the job does not visit the machine",
        ]
    );
    assert!(outcome.obstacle.as_ref().unwrap().starts_with("There are 4 lines or values that cannot be used"));
    let csv = problems_csv(&request, &outcome);
    assert!(csv.starts_with("sheet,line,column,value,reason\norders.csv,2,due,soon,"), "{csv}");
    request.bad_lines = BadLines::LeaveOut;
    let outcome = run(flowshop::Instance::TABLES, &request);
    assert_eq!(
        (outcome.obstacle.as_ref(), rows(&outcome, 0)),
        (None, vec!["Desk||||||||||||4|2".to_owned(), "Chair|20||||||||||||3".to_owned()])
    );
}

fn told(request: &Request, outcome: &Outcome) -> Vec<String> {
    outcome.problems.iter().map(|problem| problem_line(request, problem)).collect()
}

#[test]
fn a_column_of_numbers_stays_a_machine_whatever_single_cells_hold() {
    let text = "Order;Saw (min);Mill (min);Due date;Ordered on\nA-1;12,5;30;06.10.2026;1.9.2026\nA-2;20;;40;2.9.2026\n\
                A-3;n/a;1.200;31;3.9.2026\n";
    let mut request = request::<flowshop::Instance>(&[("de.csv", text)]);
    assert_eq!(request.sheets[0].mapping.listed, [1, 2]);
    let (sheet, tables) = (&request.sheets[0], flowshop::Instance::TABLES);
    assert_eq!(sheet.text_columns(tables), [(4, "Ordered on".to_owned())], "dates of no meaning are carried as texts");
    assert_eq!(sheet.unused_columns(tables), [""; 0]);
    let outcome = run(flowshop::Instance::TABLES, &request);
    assert_eq!(
        told(&request, &outcome),
        [
            "de.csv, line 2, Due date: «06.10.2026» is a date and no number; state the start of the plan in the table “Plan”, or write numbers",
            "de.csv, line 2, Saw (min): «12,5» is not a whole number; round it, or use a smaller unit everywhere; without it the job does not visit the machine",
            "de.csv, line 3: no value for «Mill (min)»; the job does not visit the machine",
            "de.csv, line 4, Saw (min): «n/a» is not a whole number; without it the job does not visit the machine",
        ]
    );
    assert_eq!(outcome.losses(), 3);
    request.bad_lines = BadLines::LeaveOut;
    let outcome = run(flowshop::Instance::TABLES, &request);
    assert_eq!(
        rows(&outcome, 0),
        ["A-1|||||||||||||30", "A-2|40|||||||||||20|", "A-3|31||||||||||||1200"],
        "beside 12,5 a point separates thousands"
    );
}

#[test]
fn an_imported_layout_is_the_one_that_its_tables_open_as() {
    type Layout = gridwright_facility::Instance;
    let departments = "Department;Area (m²);Remark\nSaw;80,5;\nPress;95;noise\nPaint;60;\nOffice;45;\n";
    let flows = "from;to;Flow (pallets/day)\nSaw;Press;12,5\nPress;press;3\nPress;Paint;7\n";
    let mut request = request::<Layout>(&[("departments.csv", departments), ("flows.csv", flows)]);
    let plant = &mut request.base.tables[3].rows;
    let form = plant.get(0).unwrap().with(0, "20").with(1, "16");
    plant.set(0, form);
    let outcome = run(Layout::TABLES, &request);
    assert_eq!(outcome.obstacle, None);
    assert_eq!(
        told(&request, &outcome),
        [
            "departments.csv: no column says “Aspect limit”; 4 counts for every department",
            "flows.csv, line 3, to: «press» is taken for «Press»",
            "flows.csv, line 3: a flow of «Press» with itself; left out",
        ]
    );
    let layout: Layout = open(&outcome.data).unwrap();
    assert_eq!((layout.unit, layout.flow_unit.as_str()), (Some(gridwright_facility::Unit::Metre), "pallets/day"));
    assert!(layout.departments.iter().all(|department| department.limit == gridwright_facility::Limit::Aspect(4.0)));
    assert_eq!(layout.flow_pairs(), 2);
    // A heading of an amount in a span of time is the role and the unit of the flows.
    let departments = "Abteilung;Fläche (m²)\nSaw;80\nPress;95\n";
    let flows = "von;nach;Paletten/Tag\nSaw;Press;12,5\n";
    let mut request = self::request::<Layout>(&[("departments.csv", departments), ("flows.csv", flows)]);
    let plant = &mut request.base.tables[3].rows;
    let form = plant.get(0).unwrap().with(0, "20").with(1, "16");
    plant.set(0, form);
    let layout: Layout = open(&run(Layout::TABLES, &request).data).unwrap();
    assert_eq!((layout.flow(0, 1), layout.flow_unit.as_str()), (12.5, "Paletten/Tag"));
    // A matrix has zeros on its diagonal, and a column of another limit means that there is no aspect limit.
    let departments = "Department;Area;Least side\nSaw;80;4\nPress;95;\n";
    let matrix = ";Saw;Press\nSaw;0;5\nPress;2;0\n";
    let request = self::request::<Layout>(&[("departments.csv", departments), ("flows.csv", matrix)]);
    let outcome = run(Layout::TABLES, &request);
    assert_eq!(
        (told(&request, &outcome), rows(&outcome, 1)),
        (vec![], vec!["Saw|Press|5".to_owned(), "Press|Saw|2".to_owned()])
    );
    assert_eq!(rows(&outcome, 0), ["Saw|80||4|||||", "Press|95|||||||"]);
}

#[test]
fn decimal_times_of_one_piece_and_dates_of_jobs_are_imported() {
    type Shop = gridwright_flowshop::Instance;
    let jobs = "Auftrag;Termin;Menge;Säge (min/Stk);Lack (min)\nA;1.12.2026 14:00;12;1,3;5\nB;28.11.2026;4;2;6\n";
    let plan = "plan start,start time\n2026-11-30,06:00\n";
    let request = request::<Shop>(&[("jobs.csv", jobs), ("plan.csv", plan)]);
    let outcome = run(Shop::TABLES, &request);
    assert_eq!(outcome.obstacle, None, "{:?}", told(&request, &outcome));
    let shop: Shop = gridwright_core::data::open(&outcome.data).unwrap();
    assert_eq!(shop.times, [16, 5, 8, 6]);
    assert_eq!(shop.machines, ["Säge (min/job)", "Lack (min)"]);
    assert!(!shop.remarks().any(|remark| remark.contains("not multiplied")), "they were");
    assert_eq!([0, 1].map(|job| shop.jobs[job].due), [Some(32 * 60), Some(0)]);
    let told = told(&request, &outcome).join("\n");
    assert!(told.contains("12 × 1.3 = 15.6 is taken as 16"), "{told}");
    assert!(told.contains("line 3, Termin: the date lies before the start of the plan"), "{told}");
    // Without a start of the plan there is nothing that dates count from.
    let alone = self::request::<Shop>(&[("jobs.csv", jobs)]);
    let outcome = run(Shop::TABLES, &alone);
    assert_eq!(outcome.losses(), 2);
    assert!(self::told(&alone, &outcome).join("\n").contains("state the start of the plan in the table “Plan”"));
}

#[test]
fn names_that_tables_lack_are_treated_by_table() {
    type Session = gridwright_timetabling::Instance;
    let enrolments = "student;exam\ns1;MA100\ns9;MA-100\n";
    let exams = "code;title\nMA-100;Analysis\n";
    let (people, examiners) = ("name;absent\nWu;\n", "examiner;exam\nRoth;MA-100\n");
    let mut request = request::<Session>(&[
        ("enrolments.csv", enrolments),
        ("exams.csv", exams),
        ("people.csv", people),
        ("examiners.csv", examiners),
    ]);
    let at = |title: &str| Session::TABLES.iter().position(|spec| spec.title == title).unwrap();
    let (exams, people) = (at("Exams"), at("People"));
    let examiners = &mut request.sheets[3];
    examiners.mapping = Mapping::guess_for(&examiners.sheet, Session::TABLES, at("Examiners"));
    let outcome = run(Session::TABLES, &request);
    let count = |names, similar| UnknownCount { names, similar };
    assert_eq!(outcome.unknown, [(exams, count(1, 1)), (people, count(1, 0))].into());
    assert_eq!(outcome.losses(), 2, "{:?}", told(&request, &outcome));
    request.unknown.set(exams, UnknownNames::AreMeant);
    request.unknown.set(people, UnknownNames::AreAdded);
    let outcome = run(Session::TABLES, &request);
    assert_eq!(rows(&outcome, 0), ["s1|MA-100", "s9|MA-100"]);
    assert_eq!((rows(&outcome, exams).len(), rows(&outcome, people).len()), (1, 2));
    assert_eq!((outcome.losses(), outcome.unknown.len()), (0, 2), "the choices stay");
    // Added exams do not add people.
    request.unknown = UnknownNames::AreWrong.into();
    request.unknown.set(exams, UnknownNames::AreAdded);
    let outcome = run(Session::TABLES, &request);
    assert_eq!((rows(&outcome, exams).len(), rows(&outcome, people).len(), outcome.losses()), (2, 1, 1));
}

#[test]
fn a_room_whose_closing_is_not_understood_is_left_out_and_new_names_are_told() {
    type Session = gridwright_timetabling::Instance;
    let enrolments = "student;exam\n1;MA-100\n2;MA100\n2;PHY\n";
    let exams = "code;title\nMA-100;Analysis\n";
    let rooms = "room;seats;closed\nS 101;30;\nS 102;25;ja\n";
    let mut request = request::<Session>(&[("enrolments.csv", enrolments), ("exams.csv", exams), ("rooms.csv", rooms)]);
    (request.bad_lines, request.unknown) = (BadLines::LeaveOut, UnknownNames::AreAdded.into());
    let outcome = run(Session::TABLES, &request);
    assert_eq!(rows(&outcome, 3), ["S 101|30|||||||"]);
    let told = told(&request, &outcome);
    assert_eq!(
        told[..2],
        [
            "enrolments.csv, line 3, exam: «MA100» is added to the table “Exams”, beside «MA-100»",
            "enrolments.csv, line 4, exam: «PHY» is added to the table “Exams”",
        ]
    );
    assert!(
        told[2].contains("«ja» is neither a number from 1 nor a date") && told[2].contains("remove the row"),
        "{told:?}"
    );
    assert_eq!((outcome.counts[0].added, outcome.counts[2].left_out), (2, 1));
}

#[test]
fn titles_in_a_list_of_enrolments_become_those_of_the_exams() {
    type Session = gridwright_timetabling::Instance;
    let text = "Matrikelnummer;Prüfungsnummer;Bezeichnung\n1;MAT;Mathematik\n1;PHY;\n2;mat;Mathe\n2;PHY;Physik\n3;MAT;Mathe 1\n";
    let request_of = request::<Session>;
    let alone = request_of(&[("anmeldungen.csv", text)]);
    assert_eq!(alone.sheets[0].mapping.columns, [Some(0), Some(1), Some(2)]);
    let outcome = run(Session::TABLES, &alone);
    assert_eq!((outcome.obstacle, outcome.data.tables[0].rows.len()), (None, 5));
    assert_eq!(rows(&run(Session::TABLES, &alone), 1), ["MAT|Mathematik||||||", "PHY|Physik||||||"]);
    // The second title of an exam is named once, and does not count.
    let remarks: Vec<String> = outcome.problems.iter().map(|problem| problem_line(&alone, problem)).collect();
    assert_eq!(
        remarks,
        [
            "anmeldungen.csv, line 4, Prüfungsnummer: «mat» is taken for «MAT»",
            "anmeldungen.csv, line 4, Bezeichnung: line 2 says «Mathematik» of «MAT», which counts",
        ]
    );
    // A table of exams has the last word.
    let exams = "code;titel\nMAT;Analysis\nPHY;\n";
    let both = request_of(&[("anmeldungen.csv", text), ("exams.csv", exams)]);
    assert_eq!(rows(&run(Session::TABLES, &both), 1), ["MAT|Analysis||||||", "PHY|Physik||||||"]);
}

#[test]
fn examiners_beside_exams_become_people_and_rooms_in_lists_are_found() {
    type Session = gridwright_timetabling::Instance;
    let enrolments = "Matrikelnummer;Prüfung\n1;MAT\n1;PHY\n";
    let exams = "Code;Dauer;Erlaubte Räume;Prüfer\nMAT;90;h1, H2;Roth, Weiß\nPHY;60;H7;Weiß\n";
    let rooms = "Raum;Plätze;Gesperrt\nH1;120;1.6.2026\nH2;80;\n";
    let files = [("anmeldungen.csv", enrolments), ("exams.csv", exams), ("rooms.csv", rooms)];
    let mut request = request::<Session>(&files);
    assert_eq!(
        request.sheets.iter().map(|mapped| mapped.mapping.table).collect::<Vec<_>>(),
        [Some(0), Some(1), Some(3)]
    );
    request.bad_lines = BadLines::LeaveOut;
    let outcome = run(Session::TABLES, &request);
    let told: Vec<String> = outcome.problems.iter().map(|problem| problem_line(&request, problem)).collect();
    assert_eq!(
        told,
        [
            "exams.csv, line 2, Erlaubte Räume: «h1» is taken for «H1»",
            "exams.csv, line 3, Erlaubte Räume: «H7» is not in the table “Rooms”",
        ]
    );
    assert_eq!(outcome.losses(), 1);
    assert_eq!(rows(&outcome, 1), ["MAT||90||||H1; H2|", "PHY||60|||||"]);
    assert_eq!(rows(&outcome, 3), ["H1|120|||||2026-06-01||", "H2|80|||||||"]);
    assert_eq!(rows(&outcome, 4), ["Roth|", "Weiß|"]);
    assert_eq!(rows(&outcome, 5), ["Roth|MAT", "Weiß|MAT", "Weiß|PHY"]);
    let session: Session = open(&outcome.data).unwrap();
    assert_eq!((session.resources.people.len(), session.resources.people[1].exams.len()), (2, 2));
}

mod opening {
    use rust_xlsxwriter::Workbook;

    use gridwright_core::data::import::{has_required_table, open_tables};
    use gridwright_timetabling::Instance;

    /// A workbook of two sheets of text cells.
    fn workbook(enrolments: &[[&str; 2]]) -> tempfile::TempPath {
        let mut book = Workbook::new();
        let lines = |sheet: &mut rust_xlsxwriter::Worksheet, rows: &[[&str; 2]]| {
            for (row, cells) in (0..).zip(rows) {
                for (column, cell) in (0..).zip(cells) {
                    sheet.write_string(row, column, *cell).unwrap();
                }
            }
        };
        lines(book.add_worksheet().set_name("Anmeldungen").unwrap(), enrolments);
        lines(book.add_worksheet().set_name("Notes").unwrap(), &[["written by", "the office"], ["a", "b"]]);
        let file = tempfile::Builder::new().suffix(".xlsx").tempfile().unwrap().into_temp_path();
        book.save(&file).unwrap();
        file
    }

    #[test]
    fn workbooks_whose_columns_have_known_names_open_by_themselves() {
        let rows = [["Matrikelnummer", "Prüfung"], ["s1", "MAT"], ["s1", "PHY"], ["s2", " mat "], ["Summe", "3"]];
        let file = workbook(&rows);
        assert!(has_required_table::<Instance>(&file));
        let (session, warnings) = open_tables::<Instance>(&file).unwrap();
        assert_eq!((session.exam_count(), session.students.len()), (2, 2));
        assert!(warnings.iter().any(|text| text.contains("the sheet «Notes» is not used")), "{warnings:?}");
        assert!(warnings.iter().any(|text| text.contains("line of totals")), "{warnings:?}");
    }

    /// A sheet of rules demands what a table `rules.csv` beside the enrolments does, and its faults are told with sheet and line.
    #[test]
    fn a_sheet_of_rules_is_read() {
        let write = |rule: [&str; 3]| {
            let mut book = Workbook::new();
            let enrolments = [["student", "exam"], ["s1", "MAT"], ["s1", "PHY"], ["s2", "BIO"]];
            let sheet = book.add_worksheet().set_name("Enrolments").unwrap();
            for (row, cells) in (0..).zip(enrolments) {
                sheet.write_row(row, 0, cells).unwrap();
            }
            let sheet = book.add_worksheet().set_name("Rules").unwrap();
            for (row, cells) in (0..).zip([["exams", "rule", "with"], rule]) {
                sheet.write_row(row, 0, cells).unwrap();
            }
            let file = tempfile::Builder::new().suffix(".xlsx").tempfile().unwrap().into_temp_path();
            book.save(&file).unwrap();
            file
        };
        let load = |file: &std::path::Path| {
            let options = gridwright_timetabling::formats::LoadOptions { periods: Some(3) };
            gridwright_timetabling::formats::load(file, &options)
        };
        let session = load(&write(["MAT", "before", "BIO"])).unwrap();
        assert_eq!(session.rules.relations.len(), 1);
        assert!(session.warnings.iter().all(|warning| !warning.contains("Rules")), "{:?}", session.warnings);
        let error = load(&write(["MAT", "before", "CHE"])).unwrap_err().to_string();
        assert!(error.contains(":Rules:2: ") && error.contains("no exam") && error.contains("CHE"), "{error}");
    }

    #[test]
    fn lines_that_cannot_be_used_are_named_with_sheet_and_line() {
        let file = workbook(&[["student", "exam"], ["s1", "MAT"], ["s2", ""]]);
        let error = open_tables::<Instance>(&file).err().unwrap().to_string();
        assert!(error.contains(":Anmeldungen:3: ") && error.contains("missing"), "{error}");
        let file = workbook(&[["who", "what"], ["s1", "MAT"]]);
        assert!(!has_required_table::<Instance>(&file));
        let error = open_tables::<Instance>(&file).err().unwrap().to_string();
        assert!(error.contains("in the window"), "{error}");
    }
}

/// Resemblance of a table to the tables of each problem: examinations, flow shops, layouts, binary problems.
fn resemblances(text: &str) -> [usize; 4] {
    fn of<T: Tables>(path: &Path) -> usize {
        Mapping::resemblance(&Sheet::read(path, T::TABLES, None, None).unwrap(), T::TABLES)
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, text).unwrap();
    [
        of::<gridwright_timetabling::Instance>(&path),
        of::<flowshop::Instance>(&path),
        of::<gridwright_facility::Instance>(&path),
        of::<gridwright_systolic::Instance>(&path),
    ]
}

#[test]
fn orders_are_like_a_flow_shop_and_rectangles_like_todays_layout() {
    let orders = "Auftrag;Menge;Priorität;Freigabe;Liefertermin;Säge;Drehen;Prüfen\nFA-10450;30;2;0;4800;66;170;68\n\
                  FA-10453;5;3;0;3240;16;59;19\n";
    let [exams, shop, layout, bits] = resemblances(orders);
    assert!(shop > exams.max(layout).max(bits), "{exams} {shop} {layout} {bits}");
    for rectangles in
        ["department,x,y,width,height\nA,0,0,5,4\nB,5,0,5,4\n", "Abteilung;x;y;Breite;Höhe\nA;0;0;5;4\nB;5;0;5;4\n"]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        std::fs::write(&path, rectangles).unwrap();
        let specs = gridwright_facility::Instance::TABLES;
        let sheets = Sheet::read(&path, specs, None, None).unwrap();
        let table = Mapping::guess(&sheets[0], specs).table;
        assert_eq!(table.map(|table| specs[table].id), Some("today"), "{rectangles}");
        let [exams, shop, layout, bits] = resemblances(rectangles);
        assert!(layout > exams.max(shop).max(bits), "{rectangles}: {exams} {shop} {layout} {bits}");
    }
    // A chart of flows between departments that its rows do not name is one.
    assert!(resemblances("Department,North dock,South dock\nA,4,2\nB,1,7\n")[2] > 0);
}
