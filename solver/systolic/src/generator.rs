//! Generators of binary problems: the knapsacks of the paper exactly, and next release problems drawn like the paper's.
//!
//! Sources: D. Pisinger, «Core problems in knapsack algorithms», Operations Research 47(4), 1999 (his generator of
//! 1994, uncorrelated items, 64-bit words); Y. Zhang, M. Harman, S. A. Mansouri, «The multi-objective next release
//! problem», GECCO 2007 (distribution of next release problems).

use super::formats::{table, vectors};
use super::{Instance, Kind, MAX_BITS, MIN_BITS};
use gridwright_core::random::{Philox, index};
use gridwright_core::{Error, Result, files};

/// Number S of knapsacks in a series, whose capacities grow from one to the next.
const SERIES: u64 = 1000;

/// Largest permitted range of profits and weights.
const MAX_RANGE: u64 = 1_000_000;

/// Largest number of customers of a generated next release problem.
const MAX_CUSTOMERS: usize = 10_000;

/// Pisinger's random numbers: `lrand48` in two halves, the upper one with all 64 bits of its word.
#[derive(Debug, Clone, Copy)]
struct Stream {
    high: u64,
    low: u64,
}

impl Stream {
    fn new(seed: u64) -> Self {
        Self { high: seed, low: 0x330E }
    }

    /// Next number: h ← h·0xDEECE66D + l·0x5DEEC, l ← l·0xE66D + 0xB, h ← h + ⌊l/2¹⁶⌋, l ← l mod 2¹⁶; the value is
    /// ⌊h/2⌋.
    fn next(&mut self) -> u64 {
        self.high = self.high.wrapping_mul(0xDEEC_E66D).wrapping_add(self.low.wrapping_mul(0x5_DEEC));
        self.low = self.low.wrapping_mul(0xE66D).wrapping_add(0xB);
        self.high = self.high.wrapping_add(self.low >> 16);
        self.low &= 0xFFFF;
        self.high >> 1
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnapsackOptions {
    /// Number of items, n.
    pub items: usize,
    /// Upper bound R of profits and weights, drawn from 1…R.
    pub range: u64,
    /// Number in the series, 1 to [`SERIES`]: seed and relative capacity.
    pub number: u64,
}

/// Generates an uncorrelated knapsack: per item first the weight, then the profit; capacity ⌊i·Σw/(S + 1)⌋, at least R
/// + 1, for number i of a series of S. Number 1 with the sizes of the paper is the paper's instance.
///
/// # Errors
/// [`Error::Usage`] if an option is out of range.
pub fn knapsack(options: &KnapsackOptions) -> Result<Instance> {
    let &KnapsackOptions { items, range, number } = options;
    sized(items, "items")?;
    if range == 0 || range > MAX_RANGE {
        return Err(Error::Usage(format!("profits and weights from 1 to {range}: choose at most {MAX_RANGE}")));
    }
    if number == 0 || number > SERIES {
        return Err(Error::Usage(format!("seed {number}: choose 1 to {SERIES}, the knapsacks of a series")));
    }
    let mut stream = Stream::new(number);
    let (mut profits, mut weights) = (Vec::with_capacity(items), Vec::with_capacity(items));
    for _ in 0..items {
        weights.push(stream.next() % range + 1);
        profits.push(stream.next() % range + 1);
    }
    let capacity = (number * weights.iter().sum::<u64>() / (SERIES + 1)).max(range + 1);
    let name = if number == 1 { format!("{items}-{range}") } else { format!("{items}-{range}-{number}") };
    let mut instance = plain(name, Kind::Knapsack { profits, weights, capacity });
    instance.hash = files::hash(&[vectors::write(&instance).as_bytes()]);
    instance.validated()
}

/// Options of a next release problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReleaseOptions {
    /// Number of customers.
    pub customers: usize,
    /// Number of requirements, n.
    pub requirements: usize,
    pub seed: u64,
}

/// Purposes of random words.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Cost,
    Customer,
    Value,
}

/// Generates a next release problem: costs r_j in 1…9, customer weights c_i in 0.01…1.00, values v_ij in 0…5. A
/// requirement is worth Σ_i c_i·v_ij, kept in hundredths. `tenths` is the weight w of the objective.
///
/// The instances of the paper were drawn in this way but never published; these are others.
///
/// # Errors
/// [`Error::Usage`] if an option is out of range.
pub fn release(options: &ReleaseOptions, tenths: u8) -> Result<Instance> {
    let &ReleaseOptions { customers, requirements, seed } = options;
    sized(requirements, "requirements")?;
    if customers == 0 || customers > MAX_CUSTOMERS {
        return Err(Error::Usage(format!("{customers} customers: choose 1 to {MAX_CUSTOMERS}")));
    }
    let philox = Philox::new(seed);
    let below = |purpose: Purpose, first: usize, second: usize, n: u32| {
        u64::from(index(philox.words(first as u32, 0, second as u32, purpose as u32)[0], n))
    };
    let weights: Vec<u64> = (0..customers).map(|customer| 1 + below(Purpose::Customer, customer, 0, 100)).collect();
    let value = |requirement: usize| {
        let of = |(customer, weight): (usize, &u64)| weight * below(Purpose::Value, requirement, customer, 6);
        weights.iter().enumerate().map(of).sum()
    };
    let costs = (0..requirements).map(|requirement| 1 + below(Purpose::Cost, requirement, 0, 9)).collect();
    let values = (0..requirements).map(value).collect();
    let name = format!("{customers}-{requirements}-{seed}");
    let mut instance = plain(name, Kind::NextRelease { costs, values, value_scale: 100, tenths });
    let text = table::write(&instance);
    instance.hash = files::hash(&[text.as_bytes()]);
    instance.warnings.push(format!(
        "an invented next release problem, made with seed {seed}; those of the paper were never published"
    ));
    instance.validated()
}

/// Generates the MMDP with this number of bits.
///
/// # Errors
/// [`Error::Usage`] if the number is not a multiple of six or out of range.
pub fn deceptive(bits: usize) -> Result<Instance> {
    sized(bits, "bits")?;
    if !bits.is_multiple_of(6) {
        let (below, above) = (bits / 6 * 6, bits.div_ceil(6) * 6);
        let what = format!("{bits} bits are no blocks of six; choose {below} or {above}");
        return Err(Error::Usage(what));
    }
    let mut instance = plain(bits.to_string(), Kind::Deceptive { blocks: bits / 6 });
    instance.hash = files::hash(&[format!("mmdp {bits}\n").as_bytes()]);
    instance.validated()
}

/// OneMax of so many bits.
///
/// # Errors
/// [`Error::Usage`] where they are too few or too many.
pub(crate) fn one_max(bits: usize) -> Result<Instance> {
    sized(bits, "bits")?;
    let mut instance = plain(bits.to_string(), Kind::OneMax { bits });
    instance.hash = files::hash(&[format!("onemax {bits}\n").as_bytes()]);
    instance.validated()
}

fn sized(bits: usize, what: &str) -> Result<()> {
    if (MIN_BITS..=MAX_BITS).contains(&bits) {
        return Ok(());
    }
    Err(Error::Usage(format!("{bits} {what}: choose {MIN_BITS} to {MAX_BITS}")))
}

fn plain(name: String, kind: Kind) -> Instance {
    Instance { name, kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// h = 1·0xDEECE66D + 0x330E·0x5DEEC = 3740067437 + 13070·384748 = 8768723797, l = 13070·58989 + 11 = 770986241,
    /// h + ⌊l/65536⌋ = 8768723797 + 11764 = 8768735561, of which half is 4384367780.
    #[test]
    fn the_stream_begins_as_the_hand_computes() {
        assert_eq!(Stream::new(1).next(), 4_384_367_780);
        // Number 1 of 100-1000: weight 4384367780 mod 1000 + 1 = 781.
        let instance = knapsack(&KnapsackOptions { items: 100, range: 1000, number: 1 }).unwrap();
        let Kind::Knapsack { profits, weights, capacity } = &instance.kind else { panic!() };
        assert_eq!((weights[0], profits[0], *capacity), (781, 742, 1001));
    }

    #[test]
    fn later_numbers_of_a_series_hold_more() {
        let capacity = |number| {
            let instance = knapsack(&KnapsackOptions { items: 100, range: 1000, number }).unwrap();
            let Kind::Knapsack { weights, capacity, .. } = instance.kind else { panic!() };
            (capacity, weights.iter().sum::<u64>())
        };
        let (half, total) = capacity(500);
        assert_eq!(half, 500 * total / 1001);
        assert_ne!(capacity(1).1, total, "another seed, other items");
    }

    #[test]
    fn releases_are_within_their_ranges_and_repeat() {
        let options = ReleaseOptions { customers: 20, requirements: 50, seed: 3 };
        let made = release(&options, 5).unwrap();
        assert_eq!(made, release(&options, 5).unwrap());
        let Kind::NextRelease { costs, values, value_scale: 100, tenths: 5 } = &made.kind else { panic!() };
        assert!(costs.iter().all(|cost| (1..=9).contains(cost)) && values.iter().all(|&value| value <= 20 * 5 * 100));
        assert!((1..=9).all(|cost| costs.contains(&cost)) && made.warnings[0].contains("never published"));
        let other = release(&ReleaseOptions { seed: 4, ..options }, 5).unwrap();
        assert_ne!((&other.hash, &other.kind), (&made.hash, &made.kind));
        // The weight is said beside the data and is none of it.
        assert_eq!(release(&options, 0).unwrap().hash, made.hash);
    }

    #[test]
    fn options_out_of_range_are_refused() {
        let options = KnapsackOptions { items: 100, range: 1000, number: 1 };
        let says = |options: KnapsackOptions| knapsack(&options).unwrap_err().to_string();
        assert!(says(KnapsackOptions { items: 3, ..options }).contains("4 to 10000"));
        assert!(says(KnapsackOptions { range: 0, ..options }).contains("at most 1000000"));
        assert!(says(KnapsackOptions { number: 1001, ..options }).contains("1 to 1000"));
        let options = ReleaseOptions { customers: 0, requirements: 10, seed: 1 };
        assert!(release(&options, 5).unwrap_err().to_string().contains("1 to 10000"));
        assert!(deceptive(301).unwrap_err().to_string().contains("choose 300 or 306"));
        assert!(one_max(2).unwrap_err().to_string().contains("4 to 10000"));
        assert_eq!((deceptive(300).unwrap().bits(), one_max(100).unwrap().bits()), (300, 100));
    }
}
