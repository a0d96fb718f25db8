//! The published instances match the figures of their collections.

use gridwright_core::data::Tables;
use gridwright_core::random::{Philox, index};
use gridwright_tests::{published_data, workspace};
use gridwright_timetabling::bounds::LowerBound;
use gridwright_timetabling::formats::solution::{SolutionOptions, read_solution_with};
use gridwright_timetabling::formats::{self, LoadOptions};
use gridwright_timetabling::late_enrolments::LateEnrolments;
use gridwright_timetabling::published::{OUR_BEST, best_known};
use gridwright_timetabling::{Instance, ObjectiveKind, Timetable};

/// Name, exams, students, divisor, enrolments, periods, conflict pairs, density.
type Row = (&'static str, usize, usize, u32, usize, usize, usize, f64);

#[rustfmt::skip]
const TORONTO: [Row; 13] = [
    ("car-f-92",  543, 18_419, 18_419,  55_522, 32, 20_305, 0.1377),
    ("car-s-91",  682, 16_925, 16_925,  56_877, 35, 29_814, 0.1282),
    ("ear-f-83",  190,  1_125,  1_125,   8_109, 24,  4_793, 0.2655),
    ("hec-s-92",   81,  2_823,  2_823,  10_632, 18,  1_363, 0.4155),
    ("kfu-s-93",  461,  5_349,  5_349,  25_113, 20,  5_893, 0.0555),
    ("lse-f-91",  381,  2_726,  2_726,  10_918, 18,  4_531, 0.0624),
    ("pur-s-93", 2419, 30_029, 30_032, 120_681, 42, 86_261, 0.0295),
    ("rye-s-93",  486, 11_483, 11_483,  45_051, 23,  8_872, 0.0751),
    ("sta-f-83",  139,    611,    611,   5_751, 13,  1_381, 0.1430),
    ("tre-s-92",  261,  4_360,  4_360,  14_901, 23,  6_131, 0.1800),
    ("uta-s-92",  622, 21_266, 21_266,  58_979, 35, 24_249, 0.1254),
    ("ute-s-92",  184,  2_749,  2_749,  11_793, 10,  1_430, 0.0845),
    ("yor-f-83",  181,    941,    941,   6_034, 21,  4_706, 0.2873),
];

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_toronto_instances_hold_what_their_collection_says() {
    let folder = published_data("toronto");
    for (name, exams, students, divisor, enrolments, periods, pairs, density) in TORONTO {
        let instance = formats::load(&folder.join(format!("{name}.stu")), &LoadOptions::default()).unwrap();
        assert_eq!(instance.name, name);
        assert_eq!(
            (instance.exam_count(), instance.students.len(), instance.divisor),
            (exams, students, divisor),
            "{name}"
        );
        assert_eq!((instance.enrolments(), instance.period_count()), (enrolments, periods), "{name}");
        assert_eq!(instance.conflicts.pairs(), pairs, "{name}");
        assert_eq!(format!("{:.4}", instance.conflicts.density()), format!("{density:.4}"), "{name}");
        let expected: &[&str] = match name {
            "pur-s-93" => &["3 empty lines", "divided by 30032"],
            "ute-s-92" => &["1 empty line"],
            _ => &[],
        };
        assert_eq!(instance.warnings.len(), expected.len(), "{name}: {:?}", instance.warnings);
        let told = instance.warnings.join("\n");
        assert!(expected.iter().all(|piece| told.contains(piece)), "{name}: {told}");
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn every_byte_at_which_a_published_file_can_be_cut_is_noticed_or_complete() {
    let folder = published_data("toronto");
    let read = |ending: &str| std::fs::read_to_string(folder.join(format!("hec-s-92.{ending}"))).unwrap();
    let (crs, stu) = (read("crs"), read("stu"));
    let files = tempfile::tempdir().unwrap();
    std::fs::write(files.path().join("a.crs"), &crs).unwrap();
    let path = files.path().join("a.stu");
    let complete = stu.trim_end().len();
    for cut in (complete - 60..stu.len()).chain((1..20).map(|part| part * stu.len() / 20)) {
        std::fs::write(&path, &stu[..cut]).unwrap();
        let loaded = formats::load(&path, &LoadOptions::default());
        assert_eq!(loaded.is_ok(), cut >= complete, "cut at byte {cut} of {}", stu.len());
    }
}

/// Lower bounds of the Toronto instances, not divided, with their shares of the best cost of `docs/results` in per cent.
const BOUNDS: [(&str, u64, f64); 13] = [
    ("car-f-92", 145, 0.2),
    ("car-s-91", 100, 0.1),
    ("ear-f-83", 20_542, 56.3),
    ("hec-s-92", 10_773, 38.0),
    ("kfu-s-93", 30_135, 44.0),
    ("lse-f-91", 7_677, 28.8),
    ("pur-s-93", 42, 0.0),
    ("rye-s-93", 43_484, 48.8),
    ("sta-f-83", 92_900, 96.8),
    ("tre-s-92", 2_588, 7.8),
    ("uta-s-92", 46, 0.1),
    ("ute-s-92", 59_152, 86.9),
    ("yor-f-83", 18_014, 55.8),
];

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn lower_bounds_reach_their_shares_of_the_best_costs() {
    let folder = published_data("toronto");
    for ((name, raw, share), (of, best)) in BOUNDS.into_iter().zip(OUR_BEST) {
        let instance = formats::load(&folder.join(format!("{name}.stu")), &LoadOptions::default()).unwrap();
        let bound = LowerBound::of(&instance);
        assert_eq!((of, bound.raw), (name, raw), "{:?}", bound.texts(&instance));
        assert!((100.0 * raw as f64 / f64::from(best) - share).abs() < 0.06, "{name}");
        assert!(bound.raw <= u64::from(best), "{name}");
        assert!(instance.shown(bound.raw) <= best_known(&instance).unwrap(), "{name}");
    }
}

/// Clashes among `count` simulated late enrolments.
fn clashing(instance: &Instance, timetable: &Timetable, count: u32) -> u32 {
    let students = &instance.students;
    let of_exams: Vec<Vec<usize>> = (0..instance.exam_count() as u16)
        .map(|exam| (0..students.len()).filter(|&student| students.exams_of(student).contains(&exam)).collect())
        .collect();
    let philox = Philox::new(1);
    let (mut made, mut clashing, mut draw) = (0, 0, 0);
    while made < count {
        draw += 1;
        let words = philox.words(draw, 0, 0, 0);
        let pick = |word: usize, limit: usize| index(words[word], limit as u32) as usize;
        let student = pick(0, students.len());
        let own = students.exams_of(student);
        let shared = own[pick(1, own.len())];
        let fellows: Vec<usize> = of_exams[usize::from(shared)].iter().copied().filter(|&of| of != student).collect();
        let Some(&fellow) = fellows.get(pick(2, fellows.len().max(1))) else { continue };
        let others: Vec<u16> = students.exams_of(fellow).iter().copied().filter(|&exam| exam != shared).collect();
        let Some(&new) = others.get(pick(3, others.len().max(1))) else { continue };
        if !own.contains(&new) {
            let period = |exam: u16| timetable.period_of(exam.into());
            made += 1;
            clashing += u32::from(own.iter().any(|&exam| period(exam) == period(new)));
        }
    }
    clashing
}

/// The share of simulated clashes is within four standard errors of the risk.
fn simulate(count: u32) {
    let folder = published_data("toronto");
    for name in ["hec-s-92", "sta-f-83", "kfu-s-93"] {
        let instance = formats::load(&folder.join(format!("{name}.stu")), &LoadOptions::default()).unwrap();
        let best = workspace().join(format!("docs/results/{name}.sol"));
        let timetable = read_solution_with(&best, &instance, SolutionOptions::default()).unwrap().timetable;
        let risk = LateEnrolments::of(&instance).risk(&timetable).unwrap().clashing;
        let simulated = f64::from(clashing(&instance, &timetable, count)) / f64::from(count);
        let error = (risk * (1.0 - risk) / f64::from(count)).sqrt();
        println!("{name}: risk {risk:.4}, simulated {simulated:.4}, standard error {error:.4}");
        assert!((risk - simulated).abs() < 4.0 * error, "{name}: {simulated} for {risk}");
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_risk_is_the_share_of_simulated_late_enrolments_that_clash() {
    simulate(20_000);
}

#[test]
#[ignore = "takes seconds and needs toronto/ in GRIDWRIGHT_DATA or ../shared/data"]
fn the_risk_is_that_of_a_million_late_enrolments() {
    simulate(1_000_000);
}

/// (exams, periods, seats of all rooms) of the eight data sets, from their headers and room lines.
const ITC2007: [(usize, usize, u32); 8] = [
    (607, 54, 802),
    (870, 40, 4_076),
    (934, 36, 5_212),
    (273, 21, 1_200),
    (1_018, 42, 2_395),
    (242, 16, 2_050),
    (1_096, 80, 2_530),
    (598, 80, 922),
];

#[test]
#[cfg_attr(not(published_data), ignore = "needs itc2007/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_sets_of_the_competition_load_with_rooms_and_weights() {
    let folder = published_data("itc2007");
    for (set, (exams, periods, seats)) in ITC2007.into_iter().enumerate() {
        let name = format!("exam_comp_set{}", set + 1);
        let instance = formats::load(&folder.join(format!("{name}.exam")), &LoadOptions::default()).unwrap();
        assert_eq!(
            (instance.name.as_str(), instance.exam_count(), instance.period_count()),
            (name.as_str(), exams, periods)
        );
        assert!(instance.students.len() > 2_000, "{name}");
        assert!(instance.periods.iter().all(|period| period.date.is_some() && period.start.is_some()));
        assert_eq!(instance.resources.rooms.iter().map(|room| room.seats).sum::<u32>(), seats, "{name}");
        assert_eq!(instance.objective.kind, ObjectiveKind::Itc2007);
        // Two exams of set 3 and one of set 6 are coincident with themselves.
        let told = instance.warnings.iter().find(|warning| warning.contains("coincides with itself"));
        let expected = [(2, "2 constraints"), (5, "1 constraint ")].into_iter().find(|(with, _)| *with == set);
        assert_eq!(told.is_some(), expected.is_some(), "{name}: {:?}", instance.warnings);
        if let (Some(told), Some((_, count))) = (told, expected) {
            assert!(told.starts_with(count), "{told}");
        }
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs toronto/ and itc2007/ in GRIDWRIGHT_DATA or ../shared/data")]
fn published_instances_come_back_from_their_tables() {
    let (toronto, itc) = (published_data("toronto"), published_data("itc2007"));
    let toronto = TORONTO.iter().map(|row| toronto.join(format!("{}.stu", row.0)));
    let itc = (1..=8).map(|set| itc.join(format!("exam_comp_set{set}.exam")));
    for path in toronto.chain(itc) {
        let instance = formats::load(&path, &LoadOptions::default()).unwrap();
        assert!(Instance::of_data(&instance.to_data()).unwrap() == instance, "{}", path.display());
    }
}
