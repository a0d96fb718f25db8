//! Machines that may be another column of a table, such as postcodes or running numbers.

use super::Instance;
use gridwright_core::text::lines::listed;

/// A machine whose median time is this many times those of all others may be none.
const TIMES: u64 = 50;

/// Number of jobs below which nothing is doubted.
const LEAST_JOBS: usize = 3;

/// Remarks about machines whose times look like something else.
pub(crate) fn remarks(instance: &Instance) -> Vec<String> {
    let (jobs, machines) = (instance.jobs.len(), instance.machines.len());
    if jobs < LEAST_JOBS || machines < 2 {
        return Vec::new();
    }
    let medians: Vec<u64> = (0..machines).map(|machine| median(instance, machine)).collect();
    let others = |machine: usize| medians.iter().enumerate().filter(move |(other, _)| *other != machine);
    let is_long = |&machine: &usize| {
        let longest = others(machine).map(|(_, &median)| median).max().unwrap_or(0);
        longest > 0 && medians[machine] > TIMES.saturating_mul(longest)
    };
    let counts = |&machine: &usize| {
        let time = |job: usize| u64::from(instance.times[job * machines + machine]);
        jobs > LEAST_JOBS && time(0) > 0 && (1..jobs).all(|job| time(job) == time(job - 1) + 1)
    };
    let names = |found: Vec<usize>| {
        let all = found.iter().map(|&machine| instance.machines[machine].as_str());
        listed(&all.collect::<Vec<_>>())
    };
    let say = |found: Vec<usize>, why: &str| {
        let (what, noun) = if found.len() == 1 { ("is", "a machine") } else { ("are", "machines") };
        (!found.is_empty()).then(|| {
            format!(
                "{} {what} taken for {noun}, although {why}; remove what is no machine from the table",
                names(found)
            )
        })
    };
    let long = say(
        (0..machines).filter(is_long).collect(),
        &format!("its times are more than {TIMES} times those of all other machines"),
    );
    let counted = say((0..machines).filter(counts).collect(), "the times count the jobs one by one");
    long.into_iter().chain(counted).collect()
}

/// Median of the times of all jobs on a machine, the upper one of two.
fn median(instance: &Instance, machine: usize) -> u64 {
    let machines = instance.machines.len();
    let times = instance.times.iter().skip(machine).step_by(machines);
    let mut times: Vec<u64> = times.map(|&time| u64::from(time)).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}
