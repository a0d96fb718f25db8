//! Flow shops as tables: jobs with their dates, family and one column of processing times per machine; set-up times between families or
//! jobs, again with a column per machine; start of the plan, working times and times of machines; texts of jobs that are carried along.

mod orders;
mod real_time;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::formats::headings;
use super::{BestKnown, Instance, Setups};
use gridwright_core::data::{
    ColumnSpec, DataTable, Dataset, FurtherColumns, Issue, Reader, Row, TIME_UNITS, TableSpec, Tables, ValueKind,
};
use gridwright_core::encoded::Encoded;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::quoted;

const TIME: ValueKind = ValueKind::Whole { least: 0, most: super::MAX_TOTAL };
const JOBS: usize = 0;
const SETUPS: usize = 1;

/// Columns of the set-ups.
const FROM: usize = 0;
const TO: usize = 1;

const SETUP_COLUMNS: [ColumnSpec; 2] = [
    ColumnSpec::new(
        Column::optional("from", headings::FROM_NAMES),
        "From",
        ValueKind::Text,
        "Family of the job before, or the job if there are no families; empty for the first job of a machine.",
    )
    .mentioning("jobs", Some(orders::FAMILY)),
    ColumnSpec::new(
        Column::required("to", headings::TO_NAMES),
        "To",
        ValueKind::Text,
        "Family of the job after, or the job if there are no families.",
    )
    .mentioning("jobs", Some(orders::FAMILY)),
];

const TABLES: [TableSpec; 6] = [
    orders::JOB_TABLE,
    TableSpec::new(
        "setups",
        "Set-ups",
        "set-up",
        "Time that a machine needs between two jobs, in which it stands still; pairs that are not listed need none.",
        &SETUP_COLUMNS,
    )
    .with_further(FurtherColumns {
        noun: "machine",
        kind: TIME,
        unit: TIME_UNITS,
        help: "Set-up time of this machine, which is called as in the table Jobs; an empty cell is 0.",
        default: "0",
        absence: "",
    })
    .identified_by(&[FROM, TO])
    .later(),
    real_time::TABLES[0],
    real_time::TABLES[1],
    real_time::TABLES[2],
    orders::DETAIL_TABLE,
];

/// Data of a flow shop that no table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rest {
    best_known: BestKnown,
    warnings: Vec<String>,
}

impl Tables for Instance {
    const TABLES: &'static [TableSpec] = &TABLES;

    fn to_data(&self) -> Dataset {
        let rest = Rest { best_known: self.best_known, warnings: self.warnings.clone() };
        let tables = [orders::job_table(self), setup_table(self)].into_iter().chain(real_time::tables(self));
        Dataset {
            name: self.name.clone(),
            hash: self.hash.clone(),
            tables: tables.chain([orders::detail_table(self)]).collect(),
            rest: Encoded::of(&rest),
        }
    }

    fn of_data(data: &Dataset) -> Result<Self, Vec<Issue>> {
        let mut reader = Reader::new(data, &TABLES);
        let machines = reader.further(JOBS).to_vec();
        let Rest { best_known, warnings } = data.decoded_rest()?;
        let mut instance = Self {
            name: data.name.clone(),
            hash: data.hash.clone(),
            machines,
            warnings,
            best_known,
            ..Self::default()
        };
        orders::read(&mut reader, &mut instance);
        instance.setups = read_setups(&mut reader, &instance).map(Into::into);
        instance.real_time = real_time::read(&mut reader, &instance).map(Into::into);
        reader.finish(|| instance.validated())
    }

    fn template() -> Option<Dataset> {
        let times = vec![4, 2, 3, 2, 5, 1, 3, 3, 2];
        Some(Self::of_times("New flow shop", 3, times).ok()?.to_data())
    }

    fn with_consequences(&self, before: &Dataset, after: Dataset, table: usize) -> (Dataset, Vec<String>) {
        if table == real_time::PLAN { real_time::with_dates_kept(self, before, after) } else { (after, Vec::new()) }
    }

    fn rest_of_changed(_rest: &Encoded) -> Encoded {
        Encoded::of(&Rest::default())
    }
}

/// The set-up times that are not 0, in rows of two families or jobs.
fn setup_table(instance: &Instance) -> DataTable {
    let Some(setups) = &instance.setups else { return DataTable::default() };
    let name = |family: usize| setups.name(&instance.jobs, family).to_owned();
    let row = |(before, after, times): (Option<usize>, usize, &[u32])| {
        let names = [before.map(name).unwrap_or_default(), name(after)];
        Row::of(names.into_iter().chain(times.iter().map(u32::to_string)))
    };
    DataTable { further: instance.machines.clone(), rows: setups.pairs().map(row).collect() }
}

/// Reads the set-up times between families or, where no job has a family, between jobs; `None` if there are none. What cannot be read
/// becomes an issue.
fn read_setups(reader: &mut Reader<'_>, instance: &Instance) -> Option<Setups> {
    let machines: Vec<Option<usize>> =
        reader.further(SETUPS).iter().map(|name| machine_index(instance, name)).collect();
    let unknown = reader.further(SETUPS).iter().zip(&machines).filter(|(_, machine)| machine.is_none());
    let unknown: Vec<String> = unknown.map(|(name, _)| quoted(name)).collect();
    for name in unknown {
        let what =
            format!("{name} is no machine of the table “Jobs”; remove the column, or call it as the machine there");
        reader.issue(SETUPS, None, None, what);
    }
    let rows: Vec<_> = reader.rows(SETUPS).collect();
    if rows.is_empty() {
        return None;
    }
    let mut setups = match Setups::of(&instance.jobs, instance.machine_count()) {
        Ok(setups) => setups,
        Err(what) => {
            reader.issue(SETUPS, None, None, what);
            return None;
        }
    };
    let (names, noun) = (setups.by_name(&instance.jobs), setups.noun());
    let mut seen = HashSet::new();
    for row in rows {
        let known = |column: usize, reader: &mut Reader<'_>| {
            let name = row.text(column);
            let found = names.get(name);
            if found.is_none() && !name.is_empty() {
                let what = format!("{} is no {noun} of the table “Jobs”; add it there, or correct it", quoted(name));
                reader.issue(SETUPS, Some(row.index), Some(column), what);
            }
            found
        };
        let (before, after) = (known(FROM, reader), known(TO, reader));
        let Some(after) = after else { continue };
        if !seen.insert((before, after)) {
            reader.issue(SETUPS, Some(row.index), None, "these two are there already; keep one of the rows");
        }
        let times = setups.between_families_mut(before, after);
        for (machine, cell) in machines.iter().zip(row.further()) {
            if let Some(time) = machine.and_then(|machine| times.get_mut(machine)) {
                *time = cell.parse().unwrap_or(0);
            }
        }
    }
    Some(setups)
}

/// Index of the machine of this name; `None` if there is none.
fn machine_index(instance: &Instance, name: &str) -> Option<usize> {
    instance.machines.iter().position(|machine| machine == name)
}

#[cfg(test)]
mod tests {
    use gridwright_core::data::import::{BadLines, Mapped, Mapping, Request, Sheet, UnknownNames, run};
    use proptest::prelude::*;

    use super::*;
    use crate::tests::{with_clocks, with_orders, with_progress, with_setups, with_skips};

    #[test]
    fn an_instance_comes_back_from_its_tables() {
        let instance = crate::formats::open("taillard:ta001", &Default::default()).unwrap();
        let data = instance.to_data();
        assert_eq!((data.tables[0].rows.len(), data.tables[0].further.len()), (20, 5));
        assert_eq!(Instance::of_data(&data).unwrap(), instance);
        let changed = Dataset { rest: Instance::rest_of_changed(&data.rest), ..data };
        assert_eq!(
            Instance::of_data(&changed).unwrap().best_known,
            BestKnown::default(),
            "bounds are of the published times"
        );
    }

    /// Due dates and release dates stay where they are when the plan starts at another time; B is due before the later start.
    #[test]
    fn dates_stay_when_the_start_of_the_plan_changes() {
        let text = "job,due date,release date,Saw\nA,1.12.2026 14:00,2026-12-01,300\nB,2026-11-30 09:00,,240\n\nplan start\n2026-11-30 06:00\n\n\
                    machine,ready\nSaw,120\n";
        let source = gridwright_core::text::Source { path: std::path::Path::new("a.csv"), text };
        let instance = crate::formats::csv::parse(source).unwrap();
        let before = instance.to_data();
        let with_start = |start: [&str; 2]| {
            let mut after = before.clone();
            let row = after.tables[real_time::PLAN].rows.get(0).unwrap().with(0, start[0]).with(1, start[1]);
            after.tables[real_time::PLAN].rows.set(0, row);
            after
        };
        let (after, remarks) =
            instance.with_consequences(&before, with_start(["2026-11-30", "10:00"]), real_time::PLAN);
        let moved = Instance::of_data(&after).unwrap();
        for (job, due) in [(0, true), (1, false)] {
            let [former, now] = [&instance, &moved].map(|shop| shop.moment(shop.jobs[job].due.unwrap()));
            assert_eq!(former == now, due, "{former}, {now}");
        }
        assert_eq!(moved.due_moment(moved.jobs[1].due.unwrap()), "by the start");
        assert_eq!(instance.moment(instance.jobs[0].release), moved.moment(moved.jobs[0].release));
        assert!(remarks.join("; ").contains("1 due date lies before the new start"), "{remarks:?}");
        let (earlier, remarks) =
            instance.with_consequences(&before, with_start(["2026-11-29", "06:00"]), real_time::PLAN);
        let earlier = Instance::of_data(&earlier).unwrap();
        assert_eq!(
            [0, 1].map(|job| earlier.jobs[job].due),
            [0, 1].map(|job| instance.jobs[job].due.map(|due| due + 1_440))
        );
        assert_eq!(earlier.real_time.as_ref().unwrap().machines[0].ready, 120 + 1_440);
        assert!(remarks[0].starts_with("4 dates"), "{remarks:?}");
        // The date of B, which was before the later start, is not known any more.
        let mut undone = after.clone();
        undone.tables[real_time::PLAN] = before.tables[real_time::PLAN].clone();
        let (back, remarks) = instance.with_consequences(&after, undone, real_time::PLAN);
        assert!(remarks.join("; ").contains("1 due date was at the former start or before it"), "{remarks:?}");
        assert_eq!(Instance::of_data(&back).unwrap().jobs[1].due, Some(240));
        let told: Vec<&str> = moved.remarks().collect();
        assert!(
            told.iter().any(|told| told.contains("1 due date lies at the start of the plan or before it")),
            "{told:?}"
        );
        // Another table leaves all numbers as they are.
        let (same, remarks) = instance.with_consequences(&before, with_start(["2026-11-29", "06:00"]), JOBS);
        assert_eq!((same.tables[JOBS].clone(), remarks.len()), (before.tables[JOBS].clone(), 0));
    }

    /// Problems of the import of a table, by line, and processing times of the jobs that it makes.
    fn imported(table: &str) -> (Vec<(usize, String)>, Vec<Vec<String>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.csv");
        gridwright_core::files::write(&path, table.as_bytes()).unwrap();
        let sheet = Sheet::read(&path, &TABLES, None, None).unwrap().remove(0);
        let mapping = Mapping::guess_for(&sheet, &TABLES, 0);
        assert_eq!(mapping.listed, [1, 2], "both machines are found");
        let sheets = vec![Mapped { mapping, sheet: std::sync::Arc::new(sheet) }];
        let base = Instance::empty_data("shop");
        let (bad_lines, unknown) = (BadLines::Stop, UnknownNames::AreWrong.into());
        let outcome = run(&TABLES, &Request { name: "shop".to_owned(), sheets, base, bad_lines, unknown });
        assert_eq!(outcome.obstacle.is_some(), outcome.losses() > 0);
        let problems = outcome.problems.into_iter().filter(|problem| problem.effect.is_loss());
        let rows = outcome.data.tables[0].rows.iter();
        let times = rows.map(|row| row.cells().skip(orders::COLUMNS.len()).map(str::to_owned).collect());
        (problems.map(|problem| (problem.line, problem.what)).collect(), times.collect())
    }

    /// A number without a unit among hours and minutes is left out with its line; the others are minutes.
    #[test]
    fn times_without_a_unit_among_several_are_left_out() {
        let (problems, times) = imported("Job;Saw (h);Drill (min);Termin\nA;2;30;10\nB;1;40;1:30\n");
        assert_eq!(times, [["120", "30"], ["60", "40"]]);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].0 == 2 && problems[0].1.contains("«Termin» states no unit of time"), "{problems:?}");
    }

    #[test]
    fn clock_times_are_refused_by_line_and_never_cut() {
        for [first, second] in [["8:00", "12:00"], ["8:30", "12:00"], ["08:00:00", "1h30"], ["8:00", "9"]] {
            let (problems, times) = imported(&format!("Job;Saw;Drill\nA;{first};3\nB;{second};4\n"));
            assert_eq!(times.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["3", "4"]);
            for (at, text) in [first, second].into_iter().enumerate().filter(|(_, text)| text.len() > 1) {
                assert_eq!(times[at][0], "", "{text}");
                let what = &problems.iter().find(|(line, _)| *line == at + 2).unwrap().1;
                let (found, remedy) = (format!("«{text}» is in hours and minutes"), "write all times as numbers");
                assert!(what.contains(&found) && what.contains(remedy), "{what}");
            }
        }
        assert_eq!(
            imported("Job;Saw;Drill\nA;8 h;3\nB;12;4\n"),
            (vec![], vec![vec!["8".into(), "3".into()], vec!["12".into(), "4".into()]])
        );
    }

    #[test]
    fn times_in_several_notations_become_minutes_where_every_unit_is_known() {
        let own = |text: &str| text.to_owned();
        assert_eq!(
            imported("Job;Saw;Drill (min)\nA;0:30;20\nB;1:15;5\n"),
            (vec![], vec![vec![own("30"), own("20")], vec![own("75"), own("5")]])
        );
        assert_eq!(
            imported("Job;Saw (h);Drill (h)\nA;3,5;2\nB;2,25;4\n"),
            (vec![], vec![vec![own("210"), own("120")], vec![own("135"), own("240")]])
        );
        let (problems, times) = imported("Job;Saw;Drill\nA;0:30;20\nB;1:15;5\n");
        assert_eq!((problems.len(), times[0][0].as_str()), (2, ""), "20 of what is not known");
    }

    /// Two sheets: jobs with texts beyond the declared ones, and details of which one column has the name of such a text.
    #[test]
    fn further_columns_of_texts_are_carried_along() {
        let folder = tempfile::tempdir().unwrap();
        let sheet = |name: &str, text: &str| {
            let path = folder.path().join(name);
            gridwright_core::files::write(&path, text.as_bytes()).unwrap();
            std::sync::Arc::new(Sheet::read(&path, &TABLES, None, None).unwrap().remove(0))
        };
        let jobs = sheet(
            "jobs.csv",
            "Job;Kunde;Saw;Drill;Colour;Article no.;Priority;Ordered on;\nA;Meyer;3;4;red;4711;2;3.11.2026;\n\
             B;;2;;;4712-B;1;;\nC;;1;1;;;;;note without a heading\n",
        );
        let details = sheet("details.csv", "of job;Colour;Wood\nB;blue;oak\n");
        let mapped = |sheet: std::sync::Arc<Sheet>, table: usize| {
            let mut mapping = Mapping::guess_for(&sheet, &TABLES, table);
            mapping.listed = if table == 0 { vec![2, 3] } else { vec![1, 2] };
            Mapped { mapping, sheet }
        };
        let import = |sheets: Vec<Mapped>| {
            let base = Instance::empty_data("shop");
            let (bad_lines, unknown) = (BadLines::Stop, UnknownNames::AreWrong.into());
            let outcome = run(&TABLES, &Request { name: "shop".to_owned(), sheets, base, bad_lines, unknown });
            assert_eq!(outcome.losses(), 0, "{:?}", outcome.problems);
            Instance::of_data(&outcome.data).unwrap().carried
        };
        let of_jobs = mapped(std::sync::Arc::clone(&jobs), 0);
        let names = |columns: Vec<(usize, String)>| columns.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names(of_jobs.text_columns(&TABLES)), ["Colour", "Article no.", "Ordered on"]);
        assert_eq!(of_jobs.unused_columns(&TABLES), ["Priority", "Column 9"], "numbers, and no heading");
        let carried = import(vec![of_jobs.clone()]);
        assert_eq!(carried.headings, ["Customer", "Colour", "Article no.", "Ordered on"]);
        assert_eq!(carried.row(0), ["Meyer", "red", "4711", "3.11.2026"]);
        assert_eq!(
            (carried.row(1), carried.row(2)),
            (&["", "", "4712-B", ""].map(str::to_owned)[..], &[""; 4].map(str::to_owned)[..])
        );
        // A sheet of details is filled up, whichever of both comes first.
        for swapped in [false, true] {
            let mut sheets = vec![mapped(std::sync::Arc::clone(&jobs), 0), mapped(std::sync::Arc::clone(&details), 5)];
            if swapped {
                sheets.reverse();
            }
            let carried = import(sheets);
            assert_eq!(carried.headings, ["Customer", "Colour", "Wood", "Article no.", "Ordered on"]);
            assert_eq!(carried.row(1), ["", "blue", "oak", "4712-B", ""]);
            assert_eq!(carried.row(0), ["Meyer", "red", "", "4711", "3.11.2026"]);
        }
    }

    proptest! {
        #[test]
        fn every_instance_comes_back_from_its_tables(
            times in (1_usize..6).prop_flat_map(|machines| {
                proptest::collection::vec(proptest::collection::vec(0_u32..1000, machines), 1..12)
            }),
            dues in proptest::option::of(proptest::collection::vec(0_u32..9000, 12)),
            setups: bool,
            real_time: bool,
            orders: bool,
            skips: bool,
            numbers in proptest::collection::vec(0_u32..3, 20),
        ) {
            let machines = times[0].len();
            let mut instance = Instance::of_times("shop", machines, times.concat()).unwrap();
            for (job, due) in instance.jobs.iter_mut().zip(dues.into_iter().flatten()) {
                job.due = Some(due);
            }
            let instance = with_orders(with_setups(instance, setups, &numbers), orders, &numbers);
            let instance = with_clocks(with_progress(with_skips(instance, skips, &numbers), skips, &numbers), real_time, &numbers).validated().unwrap();
            prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
            gridwright_core::testing::assert_imported_again(&instance);
        }
    }

    #[test]
    fn set_ups_of_unknown_names_and_machines_are_refused() {
        let instance = Instance::of_times("shop", 2, vec![3, 2, 1, 4]).unwrap();
        let issues = |further: &[&str], rows: &[&[&str]]| {
            let mut data = instance.to_data();
            let rows = rows.iter().map(|cells| Row::of(cells.iter().copied())).collect();
            data.tables[SETUPS] = DataTable { further: further.iter().map(|&name| name.to_owned()).collect(), rows };
            Instance::of_data(&data).map_err(|issues| issues.iter().map(|it| it.text(&TABLES)).collect::<Vec<_>>())
        };
        let read = issues(&["M2"], &[&["", "J1", "4"], &["J1", "J2", "5"]]).unwrap();
        assert_eq!((read.setup(None, 0, 1), read.setup(Some(0), 1, 1), read.setup(Some(1), 0, 1)), (4, 5, 0));
        assert_eq!(issues(&["M1"], &[&["J1", "J2", "0"]]).unwrap(), instance, "nothing but zeros");
        let told = issues(&["Saw"], &[&["J9", "J2", "1"], &["J1", "J2", "1"], &["J1", "J2", "2"]]).unwrap_err();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("«Saw» is no machine") && told[1].contains("row 1, From: «J9» is no job"), "{told:?}");
        assert!(told[2].contains("row 3: these two are there already"), "{told:?}");
        assert!(issues(&["M1"], &[&["J1", "J2", "-4"]]).unwrap_err()[0].contains("«-4»"));
    }

    #[test]
    fn set_ups_follow_the_jobs_that_are_renamed_but_not_families() {
        for (family, followed) in [("", "Gear"), ("J1", "J1")] {
            let mut data = Instance::of_times("shop", 1, vec![3, 2]).unwrap().to_data();
            let rows = &mut data.tables[JOBS].rows;
            for (index, family) in [family, "red"].into_iter().enumerate().filter(|_| !family.is_empty()) {
                rows.set(index, rows.get(index).unwrap().with(orders::FAMILY, family));
            }
            rows.set(0, rows.get(0).unwrap().with(0, "Gear"));
            data.tables[SETUPS] =
                DataTable { further: vec!["M1".to_owned()], rows: [Row::of(["J1", "J1", "5"])].into_iter().collect() };
            gridwright_core::data::follow(&TABLES, &mut data, JOBS, &[("J1".to_owned(), "Gear".to_owned())]);
            let row = data.tables[SETUPS].rows.get(0).unwrap();
            assert_eq!([row.cell(FROM), row.cell(TO)], [followed; 2], "{family}");
            assert!(Instance::of_data(&data).is_ok());
        }
    }

    #[test]
    fn wrong_cells_are_named_by_row_and_column() {
        let mut data = Instance::of_times("shop", 2, vec![3, 2, 1, 4]).unwrap().to_data();
        let rows = &mut data.tables[0].rows;
        let [first, second] = [0, 1].map(|index| rows.get(index).unwrap().clone());
        rows.set(0, first.with(orders::COLUMNS.len(), "soon").with(orders::DUE, "-1"));
        rows.set(1, second.with(0, "J1"));
        let issues = Instance::of_data(&data).unwrap_err();
        let places: Vec<_> = issues.iter().map(|issue| (issue.row, issue.column)).collect();
        assert_eq!(
            places,
            [(Some(1), Some(0)), (Some(0), Some(orders::DUE)), (Some(0), Some(orders::COLUMNS.len()))],
            "{issues:?}"
        );
        assert!(issues[2].text(&TABLES).contains("Jobs, row 1: «soon» is not a whole number"), "{issues:?}");
    }
}
