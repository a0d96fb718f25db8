use std::path::Path;

use super::*;
use crate::library;
use gridwright_core::scene::Shape;

fn bytes(instance: &Instance, schedule: &Schedule, ending: &str) -> Result<Vec<u8>> {
    bytes_with(instance, schedule, ending, &ExportOptions::default())
}

fn in_order(instance: &Instance) -> Schedule {
    Schedule::new(instance, &(0..instance.job_count() as u16).collect::<Vec<u16>>())
}

/// Sheets of the chart, before those of the table, which names every job.
fn pages(instance: &Instance, rows: GanttRows) -> Vec<gridwright_core::scene::Scene> {
    let options = drawing::GanttOptions { rows, ..drawing::GanttOptions::default() };
    let (mut pages, bookmarks) = document::pages(instance, &in_order(instance), &options, Default::default());
    let table = bookmarks.last().unwrap();
    assert_eq!((table.text.as_str(), table.page + 1), ("Jobs", bookmarks.len()));
    let tables = pages.split_off(table.page);
    let mut texts = std::collections::HashSet::new();
    for shape in tables.iter().flat_map(|page| &page.shapes) {
        if let Shape::Text { text, .. } = shape {
            texts.insert(text);
        }
    }
    assert!(tables.len() <= 61 && instance.jobs.iter().take(1_000).all(|job| texts.contains(&job.name)));
    assert_eq!(texts.contains(&"and 6\u{2009}321 more, in the workbook".to_owned()), instance.job_count() == 8_000);
    pages
}

#[test]
fn pictures_are_written_by_ending_and_the_same_every_time() {
    let instance = library::sample("workshop").unwrap();
    let schedule = in_order(&instance);
    for (ending, start) in [("svg", &b"<svg "[..]), ("png", b"\x89PNG"), ("pdf", b"%PDF-")] {
        let of = |rows| {
            bytes_with(&instance, &schedule, ending, &ExportOptions { rows, ..ExportOptions::default() }).unwrap()
        };
        let machines = of(GanttRows::Machines);
        assert!(machines.starts_with(start), "{ending}");
        assert_eq!(machines, of(GanttRows::Machines), "{ending}");
        assert_eq!(machines, bytes(&instance, &schedule, ending).unwrap(), "{ending}");
        assert_ne!(machines, of(GanttRows::Jobs), "{ending}");
        assert!(bytes(&instance, &Schedule::new(&instance, &[0, 1]), ending).is_err(), "{ending}: jobs are missing");
        assert_eq!(export::format_of(Path::new(&format!("plan.{ending}")), &FORMATS), Some(ending));
    }
}

#[test]
fn a_file_of_each_format_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let instance = library::sample("workshop").unwrap();
    let is_possible = |ending: &&str| check_format(&instance, false, Objective::Makespan, ending).is_ok();
    let endings: Vec<&str> = FORMATS.map(|format| format.ending).into_iter().filter(is_possible).collect();
    assert_eq!(endings.len(), FORMATS.len() - 3, "the front and calendars need more");
    for ending in endings {
        let path = folder.path().join(format!("plan.{ending}"));
        let options = ExportOptions { rows: GanttRows::Jobs, ..ExportOptions::default() };
        let encode = |ending: &str| bytes_with(&instance, &in_order(&instance), ending, &options);
        export::write(&path, &FORMATS, encode).unwrap();
        assert!(path.metadata().unwrap().len() > 20, "{ending}");
    }
    let refused = bytes(&instance, &in_order(&instance), FRONT).unwrap_err().to_string();
    assert!(refused.contains("not written as .front.csv") && !refused[40..].contains(FRONT), "{refused}");
}

/// Job 2 is on the first machine until 7, where job 1 is not; both take no time at 7 on the second one, which needs 3 for job 1 and 5
/// for job 2. The times fit both orders, with other set-ups.
#[test]
fn operations_at_one_time_are_written_whatever_their_order() {
    let mut instance = Instance::of_times("shop", 2, vec![0, 0, 7, 0]).unwrap();
    instance.skips = [true, false, false, false].into();
    instance.jobs[0].release = 7;
    let mut setups = crate::Setups::of_jobs(2, 2).unwrap();
    setups.between_families_mut(None, 0)[1] = 3;
    setups.between_families_mut(None, 1)[1] = 5;
    instance.setups = Some(setups.into());
    let instance = instance.validated().unwrap();
    let schedule = Schedule::new(&instance, &[0, 1]);
    let operations = [(0, 1, 7, 7), (1, 0, 0, 7), (1, 1, 7, 7)];
    let operations = operations.map(|(job, machine, start, end)| Operation { job, machine, start, end });
    let stated = check_operations(&instance, &operations);
    assert_eq!((stated.feasible, stated.setup_time, schedule.total_setup()), (true, 5, 3));
    assert!(bytes(&instance, &schedule, "csv").is_ok());
}

/// The workbook agrees with the schedule, sheet by sheet.
#[test]
fn the_workbook_says_what_the_schedule_says() {
    use calamine::{Data, Reader};
    let instance = library::sample("workshop").unwrap();
    let schedule = in_order(&instance);
    let read = |bytes: Vec<u8>| calamine::Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
    let mut book = read(bytes(&instance, &schedule, "xlsx").unwrap());
    assert_eq!(book.sheet_names(), ["Summary", "Jobs", "Machines"]);
    let number = |cell: &Data| if let Data::Float(number) = cell { *number } else { f64::NAN };
    let jobs = book.worksheet_range("Jobs").unwrap();
    assert_eq!(jobs.rows().len(), 1 + instance.job_count());
    for (position, row) in jobs.rows().skip(1).enumerate() {
        let job = usize::from(schedule.order[position]);
        assert_eq!(row[1].to_string(), instance.jobs[job].name);
        assert_eq!(number(&row[4]), f64::from(schedule.done(position)));
        let due = instance.jobs[job].due.unwrap();
        assert_eq!(number(&row[7]), f64::from(schedule.done(position).saturating_sub(due)));
        for machine in 0..instance.machine_count() {
            let stated = [number(&row[8 + 2 * machine]), number(&row[9 + 2 * machine])];
            let meant = [schedule.start(position, machine), schedule.completion(position, machine)];
            assert_eq!(stated, meant.map(f64::from));
        }
    }
    let machines = book.worksheet_range("Machines").unwrap();
    assert_eq!(machines.rows().len(), 1 + instance.times.len());
    let waits: f64 = machines.rows().skip(1).map(|row| number(&row[6])).sum();
    let work: f64 = machines.rows().skip(1).map(|row| number(&row[5])).sum();
    let last = schedule.order.len() - 1;
    let ends: u32 = (0..instance.machine_count()).map(|machine| schedule.completion(last, machine)).sum();
    assert_eq!(waits + work, f64::from(ends), "a machine works or waits until it is done");
    let words = |book: &mut calamine::Xlsx<_>| {
        let summary = book.worksheet_range("Summary").unwrap();
        summary.rows().map(|row| format!("{} {}", row[0], row[1])).collect::<Vec<_>>().join("\n")
    };
    let summary = words(&mut book);
    assert!(summary.contains(&format!("Makespan {}", schedule.makespan())), "{summary}");
    assert!(!summary.contains("ends after"));
    let cut = words(&mut read(spreadsheet::write(&instance, &schedule, 5).unwrap()));
    assert!(cut.contains("ends after 5 of 32 operations"), "{cut}");
}

#[test]
fn a_short_schedule_takes_one_sheet() {
    let instance = library::sample("workshop").unwrap();
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let pages = pages(&instance, rows);
        assert_eq!(pages.len(), 1);
        assert_eq!((pages[0].width, pages[0].height), gridwright_core::scene::paper::A4_ACROSS);
    }
}

/// Every operation of a long schedule is legible somewhere: the sheets after the first show the names of most jobs, and
/// every operation has a tooltip.
#[test]
fn a_long_schedule_goes_on_sheet_by_sheet() {
    let instance = library::taillard("ta051").unwrap();
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let pages = pages(&instance, rows);
        assert!((3..=8).contains(&pages.len()), "{}", pages.len());
        let shapes = || pages[1..].iter().flat_map(|page| &page.shapes);
        let titled = |title: &str| {
            shapes().any(|shape| matches!(shape, Shape::Rectangle { title: own, .. } if own.starts_with(title)))
        };
        let written =
            |wanted: &str| shapes().filter(|shape| matches!(shape, Shape::Text { text, .. } if text == wanted)).count();
        for number in [1, 17, 50] {
            for machine in 1..=20 {
                let title = format!("J{number} on M{machine}:");
                assert!(titled(&title), "{title}");
            }
            let name = format!("J{number}");
            assert!(rows == GanttRows::Jobs || written(&name) >= 10, "{name}: {}", written(&name));
        }
    }
}

#[test]
fn the_largest_schedules_stay_within_bounds() {
    let large = library::taillard("ta120").unwrap();
    let pdf = bytes(&large, &in_order(&large), "pdf").unwrap();
    assert!(pdf.len() < 4_000_000, "{}", pdf.len());
    assert!(bytes(&large, &in_order(&large), "svg").unwrap().len() < 2_500_000);
    let long = Instance::of_times("long", 2, vec![9; 2 * 8_000]).unwrap();
    assert!(pages(&long, GanttRows::Machines).len() <= 70);
    assert!(pages(&long, GanttRows::Jobs).len() <= 61);
    let wide = Instance::of_times("wide", 4_000, vec![1; 4_000]).unwrap();
    assert!(pages(&wide, GanttRows::Machines).len() <= 70);
    let nothing = Instance::of_times("nothing", 3, vec![0; 300]).unwrap();
    assert_eq!(pages(&nothing, GanttRows::Machines).len(), 1);
}
