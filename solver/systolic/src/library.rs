//! Built-in instances: those of the paper, generated from their names, and two samples.

use std::path::Path;

use super::formats::table;
use super::generator::{self, KnapsackOptions, ReleaseOptions};
use super::{Instance, Kind};
use gridwright_core::text::Source;
use gridwright_core::{Error, Result, files};

/// Names of the samples.
pub const SAMPLES: [&str; 2] = ["backpack", "release"];

const BACKPACK: &str = include_str!("../../../datasets/systolic/backpack.csv");
const RELEASE: &str = include_str!("../../../datasets/systolic/release.csv");

/// Prefixes of sources that name a generated instance.
pub(crate) const NAMED: [&str; 4] = ["knapsack:", "mmdp:", "nrp:", "onemax:"];

/// Default weight w of a next release problem, in tenths.
pub(crate) const TENTHS: u8 = 5;

/// Knapsacks of the paper: items, range, profit and weight of the optimum (Table 1).
pub(crate) const KNAPSACKS: [(usize, u64, u64, u64); 8] = [
    (100, 1_000, 5_676, 983),
    (100, 10_000, 73_988, 9_993),
    (200, 1_000, 10_867, 1_001),
    (200, 10_000, 100_952, 9_944),
    (500, 1_000, 19_152, 1_000),
    (500, 10_000, 153_726, 9_985),
    (1_000, 1_000, 27_305, 1_000),
    (1_000, 10_000, 231_915, 9_996),
];

/// Numbers of bits of the deceptive problems of the paper.
pub(crate) const DECEPTIVE: [usize; 5] = [300, 600, 900, 1_200, 1_500];

/// Names of the instances of the paper.
pub fn paper_names() -> impl Iterator<Item = String> {
    let knapsacks = KNAPSACKS.iter().map(|(items, range, ..)| format!("knapsack:{items}-{range}"));
    knapsacks.chain(DECEPTIVE.iter().map(|bits| format!("mmdp:{bits}")))
}

/// Names of all instances offered without a file, those of the paper first.
pub fn names() -> Vec<String> {
    let others = ["onemax:100", "nrp:100-20", "nrp:50-80", "nrp:100-140"].map(str::to_owned);
    let samples = SAMPLES.iter().map(|name| format!("sample:{name}"));
    paper_names().chain(others).chain(samples).collect()
}

/// Returns `knapsack:1000-1000`, `mmdp:300`, `onemax:100`, `nrp:100-140` (customers and requirements) or
/// `nrp:100-140-7` (with a seed other than 1); `tenths` is the weight of next release problems.
///
/// # Errors
/// [`Error::Usage`] describing the names, or the option out of range.
pub fn named(source: &str, tenths: u8) -> Result<Instance> {
    let (kind, rest) = source.split_once(':').unwrap_or((source, ""));
    let numbers: Option<Vec<u64>> = rest.trim().split('-').map(|part| part.parse().ok()).collect();
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    match (kind, numbers.as_deref()) {
        ("knapsack", Some(&[items, range])) => {
            paper(generator::knapsack(&KnapsackOptions { items: size(items), range, number: 1 })?)
        }
        ("knapsack", Some(&[items, range, number])) => {
            paper(generator::knapsack(&KnapsackOptions { items: size(items), range, number })?)
        }
        ("mmdp", Some(&[bits])) => generator::deceptive(size(bits)),
        ("onemax", Some(&[bits])) => generator::one_max(size(bits)),
        ("nrp", Some(&[customers, requirements])) => {
            let options = ReleaseOptions { customers: size(customers), requirements: size(requirements), seed: 1 };
            generator::release(&options, tenths)
        }
        ("nrp", Some(&[customers, requirements, seed])) => {
            let options = ReleaseOptions { customers: size(customers), requirements: size(requirements), seed };
            generator::release(&options, tenths)
        }
        _ => Err(Error::Usage(format!(
            "“{}” names no binary problem; names are made like knapsack:1000-1000 (items and largest profit or weight), \
             mmdp:300 and onemax:100 (bits), nrp:100-140 (customers and requirements)",
            source.escape_debug()
        ))),
    }
}

/// Adds a warning to knapsacks that are not among the paper's.
fn paper(mut instance: Instance) -> Result<Instance> {
    if !KNAPSACKS.iter().any(|(items, range, ..)| instance.name == format!("{items}-{range}")) {
        instance
            .warnings
            .push("an invented knapsack, made by the generator of the paper; it is none of its eight".into());
    }
    Ok(instance)
}

/// Returns a sample; `tenths` is the weight of next release problems.
///
/// # Errors
/// [`Error::Usage`] listing the samples if there is none of this name.
pub fn sample(name: &str, tenths: u8) -> Result<Instance> {
    let (text, what) = match name {
        "backpack" => (BACKPACK, "an invented backpack as an example"),
        "release" => (RELEASE, "an invented release of a library program as an example"),
        _ => {
            let known = SAMPLES.join(", ");
            return Err(Error::Usage(format!("there is no sample «{}»; known are {known}", name.escape_debug())));
        }
    };
    let path = format!("{name}.csv");
    let mut instance = table::parse(Source { path: Path::new(&path), text }, None, tenths)?;
    name.clone_into(&mut instance.name);
    instance.hash = files::hash(&[text.as_bytes()]);
    instance.warnings.push(what.to_owned());
    instance.validated()
}

/// Published optimum (profit, weight) if the data are those of a knapsack of the paper.
pub fn published_optimum(instance: &Instance) -> Option<(u64, u64)> {
    let Kind::Knapsack { profits, weights, capacity } = &instance.kind else { return None };
    let of_size = KNAPSACKS.iter().filter(|(items, range, ..)| *items == profits.len() && range + 1 == *capacity);
    let mut same = of_size.filter(|&&(items, range, ..)| {
        let made = generator::knapsack(&KnapsackOptions { items, range, number: 1 });
        matches!(made.map(|made| made.kind), Ok(Kind::Knapsack { profits: p, weights: w, .. }) if p == *profits && w == *weights)
    });
    same.next().map(|&(_, _, profit, weight)| (profit, weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes of the eight knapsacks as text: `items capacity`, then `profit weight` for each item.
    const HASHES: [&str; 8] = [
        "b8f001c32e4a9f14c1304beb77d2a5260e5190c4ca0e4ac7fffc4919299f7f28",
        "d6c1cc65317730182fd55e1e23ec6814043c9f1917d04f0ebff2fdb4f3a372fb",
        "f22b4eb4b4d97bac9221b4766c0710f750303216ad4b3b349b8c5588ed3067f7",
        "fc882b9f0a03b5a3e26e4e9f01e76c418544d7043394030b09d72a905d0a583d",
        "fb20672fd9270d599249c8002aecf135bcd1df3859d6d532be04a9a692d93ce3",
        "3e0235de4675c0bb449848b896bb890d5aa0e572f00ea2b890f296f4d94ef606",
        "94656f4fac6205ad8fbaa0d16a9c598953d0226f75273fbf28dca51746b2cc58",
        "e36f37fe39bbd203a18908b18b3500db3d2636ea58a933887d4fa75b2be88bff",
    ];

    fn name((items, range, ..): &(usize, u64, u64, u64)) -> String {
        format!("knapsack:{items}-{range}")
    }

    #[test]
    fn the_knapsacks_of_the_paper_stay_what_they_are() {
        for (entry, hash) in KNAPSACKS.iter().zip(HASHES) {
            let instance = named(&name(entry), TENTHS).unwrap();
            assert_eq!(instance.hash, hash, "{}", instance.name);
            assert!(instance.warnings.is_empty());
            assert_eq!(published_optimum(&instance), Some((entry.2, entry.3)));
        }
    }

    #[test]
    fn names_are_found_and_others_refused() {
        for name in names() {
            let instance = match name.strip_prefix("sample:") {
                Some(name) => sample(name, TENTHS),
                None => named(&name, TENTHS),
            };
            assert_eq!(instance.unwrap().hash.len(), 64, "{name}");
        }
        assert_eq!(named("mmdp:300", TENTHS).unwrap().name, "300");
        assert_eq!(named("nrp:100-140-7", 3).unwrap().name, "100-140-7");
        assert!(named("knapsack:70-300", TENTHS).unwrap().warnings[0].contains("none of its eight"));
        for wrong in ["knapsack:", "knapsack:100", "mmdp:a", "onemax:1-2", "nrp:5", "moon:1"] {
            assert!(named(wrong, TENTHS).unwrap_err().to_string().contains("knapsack:1000-1000"), "{wrong}");
        }
        assert!(named("knapsack:99999999999-5", TENTHS).unwrap_err().to_string().contains("4 to 10000"));
        assert!(sample("castle", TENTHS).unwrap_err().to_string().contains("known are backpack"));
    }

    #[test]
    fn samples_are_what_their_readme_says() {
        let backpack = sample("backpack", TENTHS).unwrap();
        assert_eq!((backpack.bits(), backpack.bit_name(0).as_str()), (8, "Tent"));
        assert!(matches!(backpack.kind, Kind::Knapsack { capacity: 24, .. }));
        let release = sample("release", 3).unwrap();
        assert!(matches!(release.kind, Kind::NextRelease { tenths: 3, value_scale: 1, .. }));
        assert_eq!(published_optimum(&backpack), None);
    }
}
