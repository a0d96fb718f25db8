//! Flow shops generated from a seed: Taillard's instances exactly, and others drawn in the same way.
//!
//! All numbers come from one stream x ← 16807·x mod (2³¹ − 1) started at the seed: first the processing times, machine
//! by machine and within a machine job by job, U(a, b) = a + ⌊u·(b − a + 1)⌋ with u = x/(2³¹ − 1); then the due dates,
//! job by job. All quotients are exact integer divisions, so that results do not depend on rounding.
//!
//! Sources: E. Taillard, «Benchmarks for basic scheduling problems», EJOR 64(2), 1993; A. Liefooghe, M. Basseur,
//! L. Jourdan, E.-G. Talbi, «Combinatorial optimization of stochastic multi-objective problems: an application to the
//! flow-shop scheduling problem», EMO 2007 (due dates).

use super::formats::csv;
use super::{Instance, Job, MAX_JOBS, MAX_MACHINES};
use gridwright_core::{Error, Result, files};

/// 2³¹ − 1, the modulus of the stream.
const MODULUS: u64 = (1 << 31) - 1;

/// Largest valid seed; 0 is a fixed point of the stream, and larger seeds repeat smaller ones modulo 2³¹ − 1.
const MAX_SEED: u32 = (MODULUS - 1) as u32;

/// Largest number of operations of a generated flow shop.
const MOST_TIMES: usize = 20_000_000;

/// Longest processing time; times are drawn from 1 to 99 as in Taillard's instances.
const LONGEST: u64 = 99;

/// Linear congruential generator x ← 16807·x mod (2³¹ − 1).
#[derive(Debug, Clone, Copy)]
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = 16_807 * self.0 % MODULUS;
        self.0
    }
}

/// Processing times and due dates drawn from one seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Processing times, row-major, jobs × machines.
    pub times: Vec<u32>,
    /// Due date of each job.
    pub due: Vec<u32>,
}

/// Draws the numbers of a seed in 1..=[`MAX_SEED`].
///
/// With p̄ the mean of all processing times, d_j = ⌊p̄·m + u·(p̄·(n − 1) + 1)⌋. Since p̄ = S/(n·m) with S the sum of
/// all times, this equals ⌊(S·m·M + x·(S·(n − 1) + n·m)) / (n·m·M)⌋ with M = 2³¹ − 1.
pub(crate) fn numbers(seed: u32, jobs: usize, machines: usize) -> Numbers {
    let mut stream = Stream(u64::from(seed));
    let mut times = vec![0; jobs * machines];
    for machine in 0..machines {
        for job in 0..jobs {
            times[job * machines + machine] = 1 + (stream.next() * LONGEST / MODULUS) as u32;
        }
    }
    let (n, m, modulus) = (jobs as u128, machines as u128, u128::from(MODULUS));
    let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
    let width = sum * n.saturating_sub(1) + n * m;
    let due = (0..jobs).map(|_| ((sum * m * modulus + u128::from(stream.next()) * width) / (n * m * modulus)) as u32);
    Numbers { due: due.collect(), times }
}

/// Size, seed and name of a flow shop to be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorOptions {
    /// Name of the instance; empty for the default `flowshop-JOBSxMACHINES-SEED`.
    pub name: String,
    pub jobs: usize,
    pub machines: usize,
    /// Seed of the stream, 1 to [`MAX_SEED`].
    pub seed: u64,
    /// True if the jobs get due dates.
    pub due_dates: bool,
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        Self { name: String::new(), jobs: 50, machines: 10, seed: 1, due_dates: true }
    }
}

/// Generates a flow shop with processing times as in Taillard's instances (1 to 99) and due dates as in Liefooghe's.
///
/// # Errors
/// [`Error::Usage`] if an option is out of range.
pub(crate) fn generate(options: &GeneratorOptions) -> Result<Instance> {
    let &GeneratorOptions { jobs, machines, seed, due_dates, .. } = options;
    let wrong = |what: String| Err(Error::Usage(what));
    if jobs == 0 || jobs > MAX_JOBS {
        return wrong(format!("{jobs} jobs: choose 1 to {MAX_JOBS}"));
    }
    if machines == 0 || machines > MAX_MACHINES {
        return wrong(format!("{machines} machines: choose 1 to {MAX_MACHINES}"));
    }
    if jobs * machines > MOST_TIMES {
        return wrong(format!("{jobs} jobs × {machines} machines: choose at most {MOST_TIMES} operations"));
    }
    let Some(start) = u32::try_from(seed).ok().filter(|seed| (1..=MAX_SEED).contains(seed)) else {
        return wrong(format!("seed {seed}: choose 1 to {MAX_SEED}, the numbers that Taillard's generator takes"));
    };
    let Numbers { times, due } = numbers(start, jobs, machines);
    let name = match options.name.as_str() {
        "" => format!("flowshop-{jobs}x{machines}-{seed}"),
        name => name.to_owned(),
    };
    let dated = due.into_iter().map(|due| Job { due: due_dates.then_some(due), ..Job::default() });
    let instance = Instance {
        name,
        jobs: dated.collect(),
        machines: vec![String::new(); machines],
        times,
        warnings: vec![format!("an invented flow shop, made by the generator with seed {seed}")],
        ..Instance::default()
    };
    Ok(hashed(instance.named().validated()?))
}

/// Sets the hash of a generated instance to that of its CSV text.
pub(super) fn hashed(mut instance: Instance) -> Instance {
    instance.hash = files::hash(&[csv::write(&instance).as_bytes()]);
    instance
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 16807 · 1 = 16807; 16807² = 282475249; 16807³ mod (2³¹ − 1) = 1622650073: times 1 + ⌊99 · x / (2³¹ − 1)⌋ =
    /// 1 + ⌊0.0008⌋, 1 + ⌊13.02⌋, 1 + ⌊74.80⌋.
    #[test]
    fn the_stream_is_the_minimal_standard() {
        let mut stream = Stream(1);
        assert_eq!([stream.next(), stream.next(), stream.next()], [16_807, 282_475_249, 1_622_650_073]);
        assert_eq!(numbers(1, 3, 1).times, [1, 14, 75]);
        // With one job, three machines draw the numbers that three jobs on one machine draw.
        assert_eq!(numbers(1, 1, 3).times, [1, 14, 75]);
        let mut stream = Stream(1);
        for _ in 0..10_000 {
            stream.next();
        }
        // S. K. Park, K. W. Miller, «Random number generators: good ones are hard to find», CACM 31(10), 1988.
        assert_eq!(stream.0, 1_043_618_065);
    }

    /// One job on three machines: S = 90, p̄ = 30, d = ⌊30 · 3 + u · (30 · 0 + 1)⌋ = 90.
    #[test]
    fn a_single_job_is_due_when_it_can_be_done() {
        assert_eq!(numbers(1, 1, 3).due, [90]);
    }

    #[test]
    fn options_are_checked_and_seeds_repeat() {
        let options = GeneratorOptions { jobs: 6, machines: 3, seed: 42, ..GeneratorOptions::default() };
        let made = generate(&options).unwrap();
        assert_eq!((made.name.as_str(), made.job_count(), made.machine_count()), ("flowshop-6x3-42", 6, 3));
        assert!(made.has_due_dates() && made.warnings[0].contains("seed 42"));
        assert_eq!(generate(&options).unwrap(), made);
        let other = generate(&GeneratorOptions { seed: 43, ..options.clone() }).unwrap();
        assert_ne!((other.times, other.hash), (made.times, made.hash.clone()));
        let plain = generate(&GeneratorOptions { due_dates: false, ..options.clone() }).unwrap();
        assert!(!plain.has_due_dates() && plain.hash != made.hash);
        let says = |options: GeneratorOptions| generate(&options).unwrap_err().to_string();
        assert!(says(GeneratorOptions { jobs: 0, ..options.clone() }).contains("1 to 65535"));
        assert!(says(GeneratorOptions { machines: 70_000, ..options.clone() }).contains("1 to 65535"));
        assert!(says(GeneratorOptions { jobs: 60_000, machines: 60_000, ..options.clone() }).contains("operations"));
        assert!(says(GeneratorOptions { seed: 0, ..options.clone() }).contains("1 to 2147483646"));
        assert!(says(GeneratorOptions { seed: 1 << 31, ..options }).contains("1 to 2147483646"));
    }
}
