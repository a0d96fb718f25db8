//! Published knapsacks and next release problems: what the generator makes, and the optima of the paper.

use gridwright_systolic::exact::Front;
use gridwright_systolic::{Kind, formats, library};
use gridwright_tests::published_data;

/// Table 7 of the paper, instance 35-35: cost and value for w = 0, 0.1, …, 1.
#[test]
#[cfg_attr(not(published_data), ignore = "needs nrp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_published_row_is_the_optimum_for_every_weight() {
    const PUBLISHED: [(u64, u64); 11] = [
        (0, 0),
        (440, 33),
        (770, 42),
        (1080, 47),
        (1430, 52),
        (1830, 56),
        (2240, 60),
        (2840, 64),
        (3440, 68),
        (4640, 72),
        (6740, 78),
    ];
    let instance = formats::load(&published_data("nrp").join("motorola_35.txt"), &Default::default()).unwrap();
    let front = Front::of(&instance).unwrap();
    let found = (0..=10).map(|tenths| front.points[front.best(tenths)]).map(|point| (point.cost, point.value));
    assert_eq!(found.collect::<Vec<_>>(), PUBLISHED);
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs kp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_files_of_the_collection_are_the_generators() {
    let mut count = 0;
    for name in library::paper_names() {
        let Some((items, range)) = name.strip_prefix("knapsack:").and_then(|size| size.split_once('-')) else {
            continue;
        };
        let path = published_data("kp").join(format!("kp_{items}_{range}.txt"));
        let instance = formats::load(&path, &Default::default()).unwrap();
        assert_eq!(instance.kind, library::named(&name, 5).unwrap().kind, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 8);
}

/// All files without dependencies are read, and no profit is lost.
#[test]
#[cfg_attr(not(published_data), ignore = "needs nrp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn the_files_of_the_next_release_collection_are_read() {
    let folder = published_data("nrp/xuan");
    let profits = [("e1", 15_862), ("e2", 14_591), ("g1", 13_023), ("g4", 8_780), ("m2", 18_184), ("m4", 16_790)];
    for (name, profit) in profits {
        let path = folder.join(format!("realistic/nrp-{name}.txt"));
        let Kind::NextRelease { values, .. } = formats::load(&path, &Default::default()).unwrap().kind else {
            panic!("{name}")
        };
        assert_eq!(values.iter().sum::<u64>(), 100 * profit, "{name}");
    }
    let error = formats::load(&folder.join("classic/nrp1.txt"), &Default::default()).unwrap_err().to_string();
    assert!(error.contains("97 of its requirements depend"), "{error}");
}
