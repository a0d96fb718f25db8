//! Published layout problems whose optima are proven: they bound every slicing tree.

use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};
use gridwright_facility::formats::{LoadOptions, open};
use gridwright_facility::run::{Algorithm, Settings, solve};
use gridwright_tests::published_data;

/// Proven optima of all layouts of rectangles bound every tree from below; bays are the start and the bound from above.
#[test]
#[cfg_attr(not(published_data), ignore = "needs flp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn no_tree_costs_less_than_a_proven_optimum_and_none_more_than_bays() {
    let folder = published_data("flp");
    for (name, least, bays) in
        [("FO7", 17.7493, 18.8846), ("O7", 131.6531, 134.1901), ("O8", 243.0707, 245.5056), ("FO8", 22.3819, 22.3865)]
    {
        let path = folder.join(format!("{name}.json"));
        let instance = open(&path.display().to_string(), &LoadOptions::default()).unwrap();
        let mut algorithm = Algorithm::named("slicing").unwrap();
        algorithm.set("before", "1").unwrap();
        let budget = Budget::Steps(600);
        let settings = Settings {
            threads: 2,
            seed: 7,
            ..Settings { stop: Stop::after(budget), ..Settings::of(algorithm, budget) }
        };
        let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        let cost = result.verdict.cost;
        assert!(result.verdict.feasible && cost >= least - 5e-4 && cost <= bays + 1e-3, "{name}: {cost}");
    }
}
