//! Generator of layout problems.
//!
//! All random words are addressed by what they decide ([`gridwright_core::random`]), so that a seed gives the same instance
//! everywhere.
//!
//! * *Uniform*: like the F sets of X. Sun, P. Chou, C.-C. Wu, L.-R. Chen (Symmetry 11(3):318, 2019, Table 2), which
//!   were never published: a plant of 45 × 45, integer areas uniform in 5…50 scaled to fill the plant, and for each
//!   pair with probability 0.2 a flow of 1…10.
//! * *Plant*: a factory with named departments and products that pass through some of them in order.

use super::{DEFAULT_ASPECT, Department, Instance, Limit, MAX_DEPARTMENTS, Unit};
use gridwright_core::random::{Philox, happens, index, threshold};
use gridwright_core::{Error, Result, files};

/// Side of the square plant of uniform instances.
const SIDE: f64 = 45.0;

/// Purposes of random words.
const AREA: u32 = 1;
const FLOW: u32 = 2;
const ROUTE: u32 = 3;

/// Kind of generated instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preset {
    /// Uniform areas and flows.
    #[default]
    Uniform,
    /// Factory with names and product routes.
    Plant,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorOptions {
    /// Name of the instance; if empty, made of preset, size and seed.
    pub name: String,
    /// Kind of instance.
    pub preset: Preset,
    /// Number of departments, 2 to [`MAX_DEPARTMENTS`].
    pub departments: usize,
    /// Probability of a flow between two departments (uniform instances only), 0…1.
    pub density: f64,
    pub seed: u64,
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        Self { name: String::new(), preset: Preset::Uniform, departments: 40, density: 0.2, seed: 1 }
    }
}

/// Generates an instance in which every department has the aspect limit [`DEFAULT_ASPECT`].
///
/// # Errors
/// [`Error::Usage`] if an option is out of range.
pub fn generate(options: &GeneratorOptions) -> Result<Instance> {
    let &GeneratorOptions { preset, departments: n, density, seed, .. } = options;
    if !(2..=MAX_DEPARTMENTS).contains(&n) {
        return Err(Error::Usage(format!("{n} departments: choose 2 to {MAX_DEPARTMENTS}")));
    }
    if !(0.0..=1.0).contains(&density) {
        return Err(Error::Usage(format!("density {density}: choose 0 to 1")));
    }
    let (mut instance, word) = match preset {
        Preset::Uniform => (uniform(n, density, seed), "uniform"),
        Preset::Plant => (plant(n, seed), "plant"),
    };
    instance.name = match options.name.as_str() {
        "" => format!("layout-{word}-{n}-{seed}"),
        name => name.to_owned(),
    };
    instance.warnings = vec![format!("an invented layout problem, made by the generator with seed {seed}")];
    instance.hash = hash_of(&instance);
    instance.validated()
}

/// SHA-256 of names and numbers, independent of file formats.
fn hash_of(instance: &Instance) -> String {
    let names = instance.departments.iter().map(|department| department.name.as_str());
    let areas = instance.departments.iter().map(|department| department.area);
    let numbers = [instance.width, instance.height].into_iter().chain(areas).chain(instance.flows.iter().copied());
    let numbers: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
    files::hash(&[names.collect::<Vec<_>>().join("\n").as_bytes(), &numbers])
}

fn department(name: String, area: f64) -> Department {
    Department { name, area, limit: Limit::Aspect(DEFAULT_ASPECT), ..Department::default() }
}

fn uniform(n: usize, density: f64, seed: u64) -> Instance {
    let random = Philox::new(seed);
    let whole: Vec<u32> = (0..n as u32).map(|at| 5 + index(random.words(at, 0, 0, AREA)[0], 46)).collect();
    let sum = f64::from(whole.iter().sum::<u32>());
    let areas = whole.iter().map(|&area| f64::from(area) * (SIDE * SIDE) / sum);
    let departments = areas.enumerate().map(|(at, area)| department((at + 1).to_string(), area)).collect();
    let (mut flows, event) = (vec![0.0; n * n], threshold(density));
    for one in 0..n {
        for other in one + 1..n {
            let words = random.words(one as u32, other as u32, 0, FLOW);
            if happens(words[0], event) {
                flows[one * n + other] = f64::from(1 + index(words[1], 10));
            }
        }
    }
    Instance { width: SIDE, height: SIDE, departments, flows, ..Instance::default() }
}

/// Departments of a factory in the order of material flow, with usual areas in m².
const FACTORY: [(&str, u32); 30] = [
    ("Goods inward", 80),
    ("Incoming inspection", 40),
    ("Raw material store", 160),
    ("Tool store", 40),
    ("Cutting", 70),
    ("Laser cutting", 60),
    ("Punching", 50),
    ("Press brake", 60),
    ("Deep drawing", 80),
    ("Turning", 90),
    ("Milling", 100),
    ("Drilling", 50),
    ("Grinding", 60),
    ("Heat treatment", 70),
    ("Welding", 90),
    ("Robot welding", 80),
    ("Blasting", 40),
    ("Washing", 30),
    ("Galvanising", 70),
    ("Powder coating", 110),
    ("Drying", 40),
    ("Part store", 120),
    ("Electronics", 70),
    ("Wiring", 60),
    ("Pre-assembly", 110),
    ("Final assembly", 180),
    ("Test bay", 70),
    ("Packing", 80),
    ("Finished goods", 150),
    ("Dispatch", 90),
];

/// Largest number of transports per day of a product.
const MOST_TRANSPORTS: u32 = 20;

fn plant(n: usize, seed: u64) -> Instance {
    let random = Philox::new(seed);
    // Fewer departments sample the whole list, more repeat entries.
    let kinds: Vec<usize> = (0..n).map(|at| at * (FACTORY.len() - 1) / (n - 1)).collect();
    let departments: Vec<Department> = kinds
        .iter()
        .enumerate()
        .map(|(at, &kind)| {
            let again = kinds[..at].iter().filter(|&&before| before == kind).count();
            let number = if again > 0 { format!(" {}", again + 1) } else { String::new() };
            // 80 to 120 % of the usual area, rounded down to 5 m².
            let usual = FACTORY[kind].1;
            let area = usual * (80 + index(random.words(at as u32, 0, 0, AREA)[0], 41)) / 100;
            department(format!("{}{number}", FACTORY[kind].0), f64::from((area / 5).max(2) * 5))
        })
        .collect();
    let mut flows = vec![0.0; n * n];
    for product in 0..(n as u32 / 2).max(2) {
        let words = random.words(product, 0, 0, ROUTE);
        let transports = f64::from(1 + index(words[0], MOST_TRANSPORTS));
        // A route leads from the first to the last department through others with a probability of its product.
        let event = threshold(0.2 + 0.4 * f64::from(words[1]) / f64::from(u32::MAX));
        let mut last = 0;
        for next in 1..n {
            if next + 1 == n || happens(random.words(product, next as u32, 1, ROUTE)[0], event) {
                flows[last * n + next] += transports;
                last = next;
            }
        }
    }
    let total: f64 = departments.iter().map(|department| department.area).sum();
    // Aspect ratio 3 : 2, whole metres, large enough for all areas.
    let width = (total * 1.5).sqrt().ceil();
    let height = (total / width).ceil();
    Instance { width, height, unit: Some(Unit::Metre), departments, flows, ..Instance::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_problems_are_as_described() {
        let made = generate(&GeneratorOptions { departments: 120, seed: 120, ..GeneratorOptions::default() }).unwrap();
        assert_eq!((made.width, made.height, made.len(), made.shape_limit()), (45.0, 45.0, 120, Some(4.0)));
        assert!((made.total_area() - 2025.0).abs() < 1e-9);
        // 7,140 pairs, each with probability 0.2: 1,428, give or take four times √(7140 · 0.16) = 34.
        assert!((1_290..=1_566).contains(&made.flow_pairs()), "{}", made.flow_pairs());
        assert!(made.flows.iter().all(|flow| *flow == flow.trunc() && (0.0..=10.0).contains(flow)));
        assert!((1..=10).all(|flow| made.flows.contains(&f64::from(flow))));
        // Areas keep their whole proportions, 5 to 50.
        let least = made.departments.iter().map(|one| one.area).fold(f64::INFINITY, f64::min);
        let most = made.departments.iter().map(|one| one.area).fold(0.0, f64::max);
        assert!(most / least > 7.0 && most / least <= 10.0 + 1e-9, "{least} {most}");
    }

    #[test]
    fn factories_have_names_routes_and_room() {
        for n in [2, 7, 12, 30, 75] {
            let options = GeneratorOptions { preset: Preset::Plant, departments: n, ..GeneratorOptions::default() };
            let made = generate(&options).unwrap();
            assert_eq!((made.len(), made.name.clone()), (n, format!("layout-plant-{n}-1")));
            assert_eq!(made.departments[0].name, "Goods inward");
            assert!(made.flow_pairs() + 1 >= n / 2, "{n}: {}", made.flow_pairs());
            let free = made.width * made.height / made.total_area() - 1.0;
            assert!((0.0..0.12).contains(&free), "{n}: {free}");
            assert!(
                made.flows.iter().enumerate().all(|(at, flow)| *flow == 0.0 || at / n < at % n),
                "material goes on"
            );
        }
    }

    #[test]
    fn options_are_checked_and_seeds_repeat() {
        let options = GeneratorOptions { departments: 9, seed: 7, ..GeneratorOptions::default() };
        let made = generate(&options).unwrap();
        assert_eq!(generate(&options).unwrap(), made);
        assert!(made.name == "layout-uniform-9-7" && made.hash.len() == 64);
        let other = generate(&GeneratorOptions { seed: 8, ..options.clone() }).unwrap();
        assert_ne!((other.flows, other.hash), (made.flows, made.hash));
        let says = |options: GeneratorOptions| generate(&options).unwrap_err().to_string();
        assert!(says(GeneratorOptions { departments: 1, ..options.clone() }).contains("choose 2 to 1024"));
        assert!(says(GeneratorOptions { density: f64::NAN, ..options }).contains("choose 0 to 1"));
    }
}
