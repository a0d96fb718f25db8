//! Tables and figures of the paper: seeding of tournaments, and sweeps of islands, individuals and generations.
//!
//! With f the cost and t the seconds,
//!
//! ```text
//! NQ = f_CPU / f_GPU,   NT = t_GPU / t_CPU,   QTR = log₂(NQ / NT),   PQI = (f_CPU − f_GPU) / f_CPU
//! ```
//!
//! The base of QTR follows from Table 4 of the paper: log₂(1.0097 / 0.2390) = 2.0788.
//!
//! CPU and device compute identical results here, so NQ is 1 and PQI is 0; PQI is stated against the baseline of 16
//! islands × 128 individuals × 128 generations instead, as in the sweeps of the paper.
//!
//! Source: X. Sun, P. Chou, C.-C. Wu, L.-R. Chen, Symmetry 11(3):318, 2019, figures 9 to 20 and Table 4.

use std::time::Instant;

use super::{Kind, Place};
use crate::backend::{self, openings};
use crate::facility::Instance;
use crate::facility::genetic::{GeneticParameters, Operators, Seeding, repeats};
use crate::search::Epochs;
use crate::search::report::Report;
use crate::{Error, Result, numbers};

/// Baseline of the paper: islands, individuals, generations.
pub const BASELINE: [u32; 3] = [16, 128, 128];

/// Values swept in the paper (its Table 3).
const ISLANDS: [u32; 5] = [16, 32, 64, 128, 256];
const INDIVIDUALS: [u32; 6] = [32, 64, 128, 256, 512, 1_024];
const TOURNAMENTS: [u32; 4] = [2, 3, 4, 8];
const GENERATIONS: [u32; 8] = [64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192];

/// Computes all tables; `seeds` runs per seeding, at most `most` generations on the CPU.
///
/// # Errors
/// [`Error::Search`] if a device ends with another cost than the CPU; [`Error::Device`] if a device fails.
pub fn tables(
    instances: &[Instance], seeds: u64, threads: usize, most: u32, tell: &mut dyn FnMut(&str),
) -> Result<Vec<Report>> {
    Ok(vec![seedings(instances, seeds, threads, tell)?, comparisons(), sweeps(instances, threads, most, tell)?])
}

fn parameters([islands, individuals, generations]: [u32; 3]) -> GeneticParameters {
    GeneticParameters { islands, individuals, generations, ..GeneticParameters::default() }
}

/// Figures 9 and 10: costs under the three seedings.
fn seedings(instances: &[Instance], seeds: u64, threads: usize, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let columns = ["instance", "seeding", "runs", "best", "mean"];
    let mut report = Report::new("Three ways to seed the parallel tournament (figures 9 and 10)", &columns);
    for instance in instances {
        for seeding in Seeding::ALL {
            tell(&format!("{}, {}", instance.name, seeding.name()));
            let parameters = GeneticParameters { seeding, ..parameters(BASELINE) };
            let mut costs = Vec::new();
            for seed in 1..=seeds {
                let kind = Kind::Published(parameters.clone());
                let mut search = kind.on_cpu(instance, seed, backend::thread_pool(threads)?)?;
                search.advance(parameters.generations)?;
                costs.push(search.snapshot()?.best_cost);
            }
            report.rows.push(vec![
                instance.name.clone(),
                seeding.name().to_owned(),
                seeds.to_string(),
                numbers::quantity(costs.iter().copied().fold(f64::INFINITY, f64::min)),
                numbers::quantity(costs.iter().sum::<f64>() / costs.len() as f64),
            ]);
        }
    }
    let [islands, individuals, generations] = BASELINE;
    report.notes.push(format!("{islands} islands × {individuals} individuals × {generations} generations."));
    Ok(report)
}

/// Repeated comparisons in one generation of one island of the baseline, with a fixed pseudo-random order of merit.
fn comparisons() -> Report {
    let columns = ["individuals of a tournament", "seeding", "comparisons", "repeated", "repeated, %"];
    let mut report = Report::new("Repeated comparisons in a generation", &columns);
    for tournament in TOURNAMENTS {
        for seeding in Seeding::ALL {
            let parameters = GeneticParameters { seeding, tournament, ..parameters(BASELINE) };
            // The individual's number times a large odd constant serves as its value.
            let counted =
                repeats(&Operators::new(&parameters, 1), 1, 0, |one| f64::from(one.wrapping_mul(0x9E37_79B9)));
            report.rows.push(vec![
                tournament.to_string(),
                seeding.name().to_owned(),
                counted.comparisons.to_string(),
                counted.repeated.to_string(),
                format!("{:.1}", 100.0 * counted.repeated as f64 / counted.comparisons as f64),
            ]);
        }
    }
    report.notes.push(format!("One island of {} individuals, each of which takes two tournaments.", BASELINE[1]));
    report
}

/// QTR of the quality ratio NQ and the time ratio NT (equation 9 of the paper).
fn quality_time_ratio(quality: f64, time: f64) -> f64 {
    libm::log2(quality / time)
}

/// Figures 11 to 20 and Table 4.
fn sweeps(instances: &[Instance], threads: usize, most: u32, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let columns = [
        "instance", "islands", "individuals", "generations", "cost", "PQI to baseline, %", "CPU, one thread, s",
        "CPU, all threads, s", "device, s", "NQ", "NT", "QTR",
    ];
    let mut report = Report::new("Islands, individuals and generations (figures 11 to 20, Table 4)", &columns);
    let [islands, individuals, generations] = BASELINE;
    let mut cases: Vec<[u32; 3]> = vec![BASELINE];
    cases.extend(ISLANDS.map(|islands| [islands, individuals, generations]));
    cases.extend(INDIVIDUALS.map(|individuals| [islands, individuals, generations]));
    cases.extend(GENERATIONS.map(|generations| [islands, individuals, generations]));
    cases.dedup();
    cases.retain(|case| case[2] <= most);
    for instance in instances {
        let mut baseline = 0.0;
        for &case in &cases {
            tell(&format!("{}, {case:?}", instance.name));
            let kind = Kind::Published(parameters(case));
            let run = |search: &mut dyn Epochs<Solution = crate::facility::BestLayout>| {
                let began = Instant::now();
                search.advance(case[2])?;
                let cost = search.snapshot()?.best_cost;
                Ok::<_, Error>((cost, began.elapsed().as_secs_f64()))
            };
            let (cost, alone) = run(&mut *kind.on_cpu(instance, 1, backend::thread_pool(1)?)?)?;
            let (_, all) = run(&mut *kind.on_cpu(instance, 1, backend::thread_pool(threads)?)?)?;
            if case == BASELINE {
                baseline = cost;
            }
            let on_device = match devices.first_mut() {
                Some(device) => {
                    let (found, seconds) = run(&mut *kind.search(instance, 1, Place::Device((device.open)()))?)?;
                    if found != cost {
                        return Err(Error::Search(format!("{}: another cost than the CPU's, a fault", device.name)));
                    }
                    Some(seconds)
                }
                None => None,
            };
            let ratio = on_device.map(|seconds| seconds / alone);
            let mut row = vec![instance.name.clone()];
            row.extend(case.map(|number| number.to_string()));
            row.push(numbers::quantity(cost));
            row.push(format!("{:+.2}", 100.0 * (baseline - cost) / baseline));
            row.extend([format!("{alone:.3}"), format!("{all:.3}")]);
            row.push(on_device.map_or("–".to_owned(), |seconds| format!("{seconds:.3}")));
            row.push(on_device.map_or("–".to_owned(), |_| "1".to_owned()));
            row.push(ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.4}")));
            row.push(ratio.map_or("–".to_owned(), |ratio| format!("{:.2}", quality_time_ratio(1.0, ratio))));
            report.rows.push(row);
        }
    }
    report.notes.extend(notes);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 4 of the paper: NQ, NT and QTR of 40 to 120 facilities.
    #[test]
    fn the_quality_time_ratio_has_the_base_of_the_paper() {
        for (quality, time, printed) in [
            (1.0097, 0.2390, 2.0788),
            (1.0266, 0.0752, 3.7712),
            (1.0020, 0.0518, 4.2739),
            (1.0332, 0.0410, 4.6543),
            (1.0316, 0.0350, 4.8822),
        ] {
            assert!((quality_time_ratio(quality, time) - printed).abs() < 2e-3, "{quality} / {time}: {printed}");
        }
    }

    #[test]
    fn threads_with_one_sequence_repeat_most() {
        let report = comparisons();
        let repeated = |tournament: &str, seeding: Seeding| -> f64 {
            let row = report.rows.iter().find(|row| row[0] == tournament && row[1] == seeding.name());
            row.expect("a row for every size and seeding")[4].parse().expect("a share")
        };
        for tournament in ["3", "4", "8"] {
            assert!(repeated(tournament, Seeding::Shared) > 2.0 * repeated(tournament, Seeding::Own), "{tournament}");
        }
        assert_eq!(report.rows.len(), 12);
    }
}
