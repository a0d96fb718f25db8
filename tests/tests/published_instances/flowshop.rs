//! Library and generator agree with the published data.

use std::path::Path;

use gridwright_flowshop::formats::{self, LOOK, LoadOptions, looks_like, moeo};
use gridwright_flowshop::library;
use gridwright_tests::{published_data, workspace};

/// Fields of a table with a header, line by line.
fn table(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs taillard/ in GRIDWRIGHT_DATA or ../shared/data")]
fn sizes_and_seeds_are_those_of_the_120_instances() {
    let folder = published_data("taillard");
    let rows = table(&folder.join("seeds.csv"));
    assert_eq!(rows.len(), 120);
    for (row, entry) in rows.iter().zip(library::entries()) {
        let best = entry.best_known;
        let numbers = [entry.jobs as u64, entry.machines as u64, entry.seed.into()];
        let all = numbers.into_iter().chain([best.makespan_lower.unwrap(), best.makespan.unwrap()]);
        let expected: Vec<u64> = row[1..].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!((row[0].as_str(), expected), (entry.name.as_str(), all.collect()));
    }
    for (row, entry) in table(&folder.join("flowtime_best_known.csv")).iter().zip(library::entries()) {
        assert_eq!((row[0].as_str(), row[5].parse().ok()), (entry.name.as_str(), entry.best_known.flow_time));
    }
    for (row, entry) in table(&folder.join("makespan_bounds_detail.csv")).iter().zip(library::entries()) {
        assert_eq!((row[0].as_str(), row[5].parse()), (entry.name.as_str(), Ok(entry.makespan_2015)));
        assert_eq!(row[7].contains("not seen"), entry.best_known.doubtful, "{}", entry.name);
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs mo-flowshop/ in GRIDWRIGHT_DATA or ../shared/data")]
fn due_dates_continue_the_stream_in_all_120() {
    let folder = published_data("mo-flowshop");
    let rows = table(&folder.join("due_dates.csv"));
    assert_eq!(rows.len(), 120);
    for row in rows {
        let instance = library::taillard(&row[0]).unwrap();
        let expected: Vec<Option<u32>> = row[5].split_whitespace().map(|due| due.parse().ok()).collect();
        assert_eq!(instance.jobs.iter().map(|job| job.due).collect::<Vec<_>>(), expected, "{}", row[0]);
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs mo-flowshop/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_published_files_with_due_dates_are_made_to_the_byte_and_read_back() {
    let folder = published_data("mo-flowshop");
    let names: Vec<(String, String)> =
        table(&folder.join("due_dates.csv")).into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    let mut compared = 0;
    for (name, file) in names {
        let path = folder.join(format!("{file}.txt"));
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let made = library::taillard(&name).unwrap();
        let seed = library::entries().iter().find(|entry| entry.name == name).unwrap().seed;
        assert!(moeo::write(&made, seed).as_bytes() == bytes, "{file} is not {name}");
        let read = formats::load(&path, &LoadOptions::default()).unwrap();
        assert_eq!((&read.jobs, &read.times, read.name.as_str()), (&made.jobs, &made.times, file.as_str()));
        assert_eq!(read.best_known, made.best_known, "{file} is recognised by its times");
        assert!(looks_like(&path.display().to_string(), &bytes[..bytes.len().min(LOOK)]));
        compared += 1;
    }
    assert_eq!(compared, 12);
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ and itc2007/ in GRIDWRIGHT_DATA or ../shared/data")]
fn no_timetabling_file_is_taken_for_a_flow_shop() {
    let mut looked = 0;
    for folder in ["toronto", "itc2007"] {
        for entry in std::fs::read_dir(published_data(folder)).unwrap().flatten() {
            let bytes = std::fs::read(entry.path()).unwrap();
            let start = &bytes[..bytes.len().min(LOOK)];
            let path = entry.path();
            // Whatever it may be called.
            for ending in [path.extension().map_or(String::new(), |e| e.to_string_lossy().into()), "txt".into()] {
                let name = path.with_extension(ending).display().to_string();
                assert!(!looks_like(&name, start), "{name}");
            }
            looked += 1;
        }
    }
    let shipped = workspace().join("datasets/timetabling");
    for session in ["school", "faculty", "university"] {
        for table in ["enrolments.csv", "exams.csv", "periods.csv"] {
            let bytes = std::fs::read(shipped.join(session).join(table)).unwrap();
            assert!(!looks_like(table, &bytes[..bytes.len().min(LOOK)]), "{session}/{table}");
            looked += 1;
        }
    }
    assert!(looked >= 30, "{looked}");
}
