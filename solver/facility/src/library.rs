//! Built-in layout problems: two samples, and generated instances of the sizes used in publications.

use std::path::Path;

use super::formats::{LoadOptions, tables};
use super::generator::{self, GeneratorOptions, Preset};
use super::{Instance, Reference, Unit};
use gridwright_core::text::Source;
use gridwright_core::{Error, Result, files};

/// Names of the samples.
pub const SAMPLES: [&str; 2] = ["layout-workshop", "layout-plant"];

/// Names of the generated instances: F and the number of departments.
pub const GENERATED: [&str; 5] = ["F40", "F60", "F80", "F100", "F120"];

const WORKSHOP: [(&str, &str); 3] = [
    ("departments.csv", include_str!("../../../datasets/facility/workshop/departments.csv")),
    ("flows.csv", include_str!("../../../datasets/facility/workshop/flows.csv")),
    ("closeness.csv", include_str!("../../../datasets/facility/workshop/closeness.csv")),
];

/// Number of departments and seed of the sample plant.
const PLANT: (usize, u64) = (30, 30);

/// Returns a sample.
///
/// # Errors
/// [`Error::Usage`] listing the samples if there is none of this name.
pub fn sample(name: &str) -> Result<Instance> {
    match name {
        "layout-workshop" => {
            let sources = WORKSHOP.map(|(path, text)| Source { path: Path::new(path), text });
            let mut instance = tables::parse(&sources, &LoadOptions::default())?;
            instance.hash = files::hash(&WORKSHOP.map(|(_, text)| text.as_bytes()));
            (instance.unit, instance.flow_unit) = (Some(Unit::Metre), "transports/day".to_owned());
            instance.warnings.insert(0, "an invented joinery as an example; lengths are in metres".to_owned());
            instance.validated()
        }
        "layout-plant" => {
            let (departments, seed) = PLANT;
            let name = name.to_owned();
            generator::generate(&GeneratorOptions {
                name,
                preset: Preset::Plant,
                departments,
                seed,
                ..GeneratorOptions::default()
            })
        }
        _ => {
            let known = SAMPLES.join(", ");
            Err(Error::Usage(format!("there is no sample «{}»; known are {known}", name.escape_debug())))
        }
    }
}

/// Returns a generated instance like those of X. Sun et al. (Symmetry 11(3):318, 2019, Table 2), whose data were never
/// published; the seed is the number of departments.
///
/// # Errors
/// [`Error::Usage`] listing the instances if there is none of this name.
pub fn generated(name: &str) -> Result<Instance> {
    let Some(known) = GENERATED.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
        let all = GENERATED.map(|name| format!("layout:{name}")).join(", ");
        return Err(Error::Usage(format!("there is no layout problem «{}»; known are {all}", name.escape_debug())));
    };
    let departments: usize = known.trim_start_matches('F').parse().unwrap_or(0);
    let (name, seed) = ((*known).to_owned(), departments as u64);
    let mut instance =
        generator::generate(&GeneratorOptions { name, departments, seed, ..GeneratorOptions::default() })?;
    let what = "made by the generator in the manner of Sun, Chou, Wu and Chen (2019); their own F sets were never published, so \
                costs cannot be compared with theirs";
    instance.warnings = vec![what.to_owned()];
    Ok(instance)
}

/// Returns `true` if a reference value is of flexible-bay layouts under the instance's own limits.
fn is_strict(kind: &str) -> bool {
    const BEGINNINGS: [&str; 3] = ["proven FBS optimum", "best found here", "FBS"];
    // Values for other limits or flows than those of the file.
    const OTHERWISE: [&str; 3] = ["for alpha", "with flow", "W="];
    BEGINNINGS.iter().any(|beginning| kind.starts_with(beginning)) && !OTHERWISE.iter().any(|part| kind.contains(part))
}

/// Smallest published cost of flexible-bay layouts under the instance's own limits; proven optima take precedence
/// because other sources round them; `None` for unknown instances.
pub fn best_known(instance: &Instance) -> Option<f64> {
    best_reference(instance).map(|reference| reference.value)
}

/// Kind and source of the reference that [`best_known`] takes, as the file states them.
pub fn best_known_source(instance: &Instance) -> Option<String> {
    let Reference { kind, source, .. } = best_reference(instance)?;
    Some([kind.as_str(), source.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

/// Reference with the smallest cost of flexible-bay layouts under the instance's own limits; proven optima take precedence.
fn best_reference(instance: &Instance) -> Option<&Reference> {
    // Published values are of transport between departments alone.
    if instance.has_moving_cost() || instance.has_door_flows() {
        return None;
    }
    let strict = || instance.references.iter().filter(|one| is_strict(&one.kind));
    let least =
        |of: &dyn Fn(&str) -> bool| strict().filter(|one| of(&one.kind)).min_by(|a, b| a.value.total_cmp(&b.value));
    least(&|kind| kind.starts_with("proven")).or_else(|| least(&|_| true))
}

/// Costs of the best layouts in bays of published instances in `docs/results`.
pub const OUR_BEST: [(&str, f64); 3] = [("SC30", 3_512.378_8), ("SC35", 3_689.995_9), ("Du62", 3_605_517.346_1)];

/// Cost of the best layout in `docs/results`; `None` for other instances.
pub fn our_best(instance: &Instance) -> Option<f64> {
    // An instance of the same name without published values is another one.
    let row = OUR_BEST.iter().find(|row| row.0 == instance.name && best_known(instance).is_some());
    row.map(|row| row.1)
}

/// Returns `true` if the best known value is proven optimal.
pub fn is_proven(instance: &Instance) -> bool {
    instance.references.iter().any(|one| is_strict(&one.kind) && one.kind.starts_with("proven"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limit;

    #[test]
    fn samples_are_there_and_others_refused() {
        let workshop = sample("layout-workshop").unwrap();
        assert_eq!((workshop.len(), workshop.width, workshop.height), (12, 24.0, 16.0));
        assert_eq!((workshop.total_area(), workshop.flow_pairs()), (384.0, 19));
        assert_eq!(workshop.departments[4].limit, Limit::MinSide(4.0));
        assert_eq!(
            (workshop.departments[7].limit, workshop.departments[0].limit),
            (Limit::Aspect(2.0), Limit::Aspect(4.0))
        );
        assert_eq!((workshop.rules.apart.clone(), workshop.closeness.len()), (vec![(8, 9)], 6));
        assert_eq!(workshop.flow(1, 2), 25.0, "there and back");
        let plant = sample("layout-plant").unwrap();
        assert_eq!((plant.len(), plant.name.as_str()), (30, "layout-plant"));
        assert!(sample("castle").unwrap_err().to_string().contains("layout-workshop, layout-plant"));
    }

    /// Of these everything is stated: should the generator change, results of before would be those of other data.
    #[test]
    fn generated_problems_stay_the_same() {
        for name in GENERATED {
            let instance = generated(name).unwrap();
            assert_eq!((instance.name.as_str(), format!("F{}", instance.len())), (name, name.to_owned()));
            assert!(instance.warnings[0].contains("never published"));
        }
        let f40 = generated("f40").unwrap();
        assert_eq!(f40.flows.iter().sum::<f64>(), F40.0);
        assert_eq!(&f40.hash[..16], F40.1);
        assert!(generated("F41").unwrap_err().to_string().contains("layout:F120"));
    }

    /// The sum of all flows and the beginning of the hash.
    const F40: (f64, &str) = (782.0, "953dcdca4a11aa03");

    #[test]
    fn only_values_of_the_same_problem_are_best_known() {
        let of = |references: &[(f64, &str)]| {
            let reference =
                |&(value, kind): &(f64, &str)| Reference { value, kind: kind.to_owned(), source: String::new() };
            best_known(&Instance { references: references.iter().map(reference).collect(), ..Instance::default() })
        };
        let o9 =
            [(254.3873303, "proven FBS optimum, vertical bays"), (241.0616246, "proven FBS optimum, horizontal bays")];
        let quoted =
            [(241.06, "FBS, quoted (Yu12)"), (236.14, "not FBS, quoted"), (238.73, "quoted as FBS for alpha 4, but …")];
        assert_eq!(of(&[&o9[..], &quoted[..]].concat()), Some(241.0616246));
        let reference =
            |value, kind: &str, source: &str| Reference { value, kind: kind.to_owned(), source: source.to_owned() };
        let references =
            vec![reference(9.5, "FBS", "a repository"), reference(9.0, "FBS, quoted", "Konak et al. 2006")];
        let source = best_known_source(&Instance { references, ..Instance::default() });
        assert_eq!(source.as_deref(), Some("FBS, quoted, Konak et al. 2006"), "that of the smaller value");
        assert_eq!(of(&quoted), Some(241.06));
        assert_eq!(
            of(&[
                (8264.0, "best found here, vertical (not proven)"),
                (8021.0, "quoted; not reached by strict FBS here"),
                (8067.0, "slicing tree")
            ]),
            Some(8264.0)
        );
        assert_eq!(
            of(&[(20.0, "proven FBS optimum for alpha 4, horizontal"), (18.9, "proven FBS optimum, vertical")]),
            Some(18.9)
        );
        assert_eq!(of(&[]), None);
    }
}
