//! Published values of the Toronto instances: periods, populations, and the best costs.

use super::Instance;

/// Number of periods and divisor that the literature uses for the thirteen Toronto instances, which do not carry them
/// in their files (Carter, Laporte, Lee 1996; version I of the data).
pub fn conditions(name: &str) -> Option<(usize, Option<u32>)> {
    const PUBLISHED: [(&str, usize, Option<u32>); 13] = [
        ("car-f-92", 32, None),
        ("car-s-91", 35, None),
        ("ear-f-83", 24, None),
        ("hec-s-92", 18, None),
        ("kfu-s-93", 20, None),
        ("lse-f-91", 18, None),
        ("pur-s-93", 42, Some(30_032)),
        ("rye-s-93", 23, None),
        ("sta-f-83", 13, None),
        ("tre-s-92", 23, None),
        ("uta-s-92", 35, None),
        ("ute-s-92", 10, None),
        ("yor-f-83", 21, None),
    ];
    PUBLISHED.iter().find(|row| row.0 == name).map(|row| (row.1, row.2))
}

/// Returns `true` if published costs of the instance of this name are comparable: the published objective and periods.
fn has_published_costs(instance: &Instance) -> bool {
    conditions(&instance.name).is_some_and(|row| row.0 == instance.period_count()) && instance.objective.is_toronto()
}

/// Raw cost of the best timetable of a Toronto instance in `docs/results`.
pub const OUR_BEST: [(&str, u32); 13] = [
    ("car-f-92", 66_718),
    ("car-s-91", 71_163),
    ("ear-f-83", 36_457),
    ("hec-s-92", 28_325),
    ("kfu-s-93", 68_415),
    ("lse-f-91", 26_641),
    ("pur-s-93", 118_020),
    ("rye-s-93", 89_018),
    ("sta-f-83", 95_947),
    ("tre-s-92", 32_988),
    ("uta-s-92", 61_664),
    ("ute-s-92", 68_090),
    ("yor-f-83", 32_265),
];

/// Cost per student of the best timetable in `docs/results`; `None` for other sessions, periods and objectives.
pub fn our_best(instance: &Instance) -> Option<f64> {
    let row = OUR_BEST.iter().find(|row| row.0 == instance.name && has_published_costs(instance));
    row.map(|row| f64::from(row.1) / f64::from(instance.divisor))
}

/// Best known cost per student of a Toronto instance, from published timetables: computed from the raw cost where a timetable
/// was published; `None` for other sessions, periods and objectives.
pub fn best_known(instance: &Instance) -> Option<f64> {
    const BEST: [(&str, f64, f64); 13] = [
        ("car-f-92", 67_084.0, 18_419.0),
        ("car-s-91", 71_727.0, 16_925.0),
        ("ear-f-83", 36_473.0, 1_125.0),
        ("hec-s-92", 28_325.0, 2_823.0),
        ("kfu-s-93", 68_462.0, 5_349.0),
        ("lse-f-91", 26_643.0, 2_726.0),
        ("pur-s-93", 120_144.0, 30_032.0),
        ("rye-s-93", 89_999.0, 11_483.0),
        ("sta-f-83", 95_947.0, 611.0),
        ("tre-s-92", 33_094.0, 4_360.0),
        ("uta-s-92", 62_675.0, 21_266.0),
        ("ute-s-92", 24.76, 1.0),
        ("yor-f-83", 32_375.0, 941.0),
    ];
    BEST.iter().find(|row| row.0 == instance.name && has_published_costs(instance)).map(|row| row.1 / row.2)
}

/// Source of [`best_known`]; the lists that it was taken from state no year.
pub fn best_known_source(instance: &Instance) -> Option<&'static str> {
    best_known(instance)?;
    // One cost was printed without its timetable.
    Some(if instance.name == "ute-s-92" {
        "cost printed in the literature"
    } else {
        "calculated from a published timetable"
    })
}

/// Source of [`published_mean`].
pub const MEANS_SOURCE: &str = "Kolonias, Goulas, Gogos, Alefragis, Housos, 2014, Tables 8 and 9";

/// Populations of the published hybrid evolutionary algorithm with means (Kolonias et al. 2014, Tables 8 and 9).
pub const PUBLISHED_POPULATIONS: [u32; 2] = [256, 16_384];

/// Mean cost per student of the published hybrid evolutionary algorithm with one of [`PUBLISHED_POPULATIONS`]; `None` for other
/// populations and instances.
pub fn published_mean(name: &str, population: u32) -> Option<f64> {
    const MEANS: [(&str, f64, f64); 13] = [
        ("car-f-92", 5.04, 4.92),
        ("car-s-91", 5.92, 5.60),
        ("ear-f-83", 40.24, 38.65),
        ("hec-s-92", 12.27, 11.39),
        ("kfu-s-93", 16.14, 15.33),
        ("lse-f-91", 12.68, 11.93),
        ("pur-s-93", 21.51, 8.36),
        ("rye-s-93", 9.63, 8.98),
        ("sta-f-83", 157.47, 157.39),
        ("tre-s-92", 9.51, 9.17),
        ("uta-s-92", 4.20, 3.90),
        ("ute-s-92", 26.19, 25.58),
        ("yor-f-83", 41.32, 40.05),
    ];
    let (_, small, large) = MEANS.iter().find(|row| row.0 == name)?;
    let at = PUBLISHED_POPULATIONS.iter().position(|&published| published == population)?;
    Some([*small, *large][at])
}
