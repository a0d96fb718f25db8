//! The published instances match the figures of their collections.

use gridwright_core::data::Tables;
use gridwright_tests::published_data;
use gridwright_timetabling::formats::{self, LoadOptions};
use gridwright_timetabling::{Instance, ObjectiveKind};

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
