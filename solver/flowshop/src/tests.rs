//! Instances for tests.

use proptest::prelude::*;

use crate::orders::{CarriedColumns, is_per_piece};
use crate::real_time::{MachineTimes, PlanStart, RealTime, WorkingHours};
use crate::{Instance, Setups};

/// Job 1 takes 3 then 2 and is due at 4, job 2 takes 1 then 4 and is due at 8. Order 1, 2 ends at 5 and 9, order 2, 1 at 7 and 5.
pub(crate) fn example() -> Instance {
    let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
    (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(8));
    instance
}

/// Builds an instance with due dates from a list of numbers that is repeated as often as needed; `scale` multiplies all
/// times, and jobs have release dates if `release`.
pub(crate) fn instance_of(jobs: usize, machines: usize, numbers: &[u32], scale: u32, release: bool) -> Instance {
    let number = |index: usize| scale * numbers[index % numbers.len()];
    let times = (0..jobs * machines).map(number).collect();
    let mut instance = Instance::of_times("random", machines, times).unwrap();
    for (index, job) in instance.jobs.iter_mut().enumerate() {
        job.due = Some(number(index) * (1 + index as u32 % 7));
        job.release = if release { number(index + 3) } else { 0 };
    }
    instance
}

/// The instance with set-up times drawn from `numbers` where `setups` says so: of each job, or of up to three families.
pub(crate) fn with_setups(mut instance: Instance, setups: bool, numbers: &[u32]) -> Instance {
    let machines = instance.machine_count();
    if !setups {
        return instance;
    }
    if !numbers[0].is_multiple_of(2) {
        instance.jobs.iter_mut().enumerate().for_each(|(at, job)| job.family = format!("F{}", at % 3));
    }
    let mut drawn = Setups::of(&instance.jobs, machines).unwrap();
    let mut numbers = numbers.iter().cycle().skip(1);
    for before in (0..drawn.family_count()).map(Some).chain([None]) {
        for after in 0..drawn.family_count() {
            drawn.between_families_mut(before, after).iter_mut().zip(&mut numbers).for_each(|(to, from)| *to = *from);
        }
    }
    instance.setups = Some(drawn.into());
    instance
}

/// The instance with weights or ranks, quantities and carried texts where `orders` says so; the first machine has times per piece.
pub(crate) fn with_orders(mut instance: Instance, orders: bool, numbers: &[u32]) -> Instance {
    if !orders {
        return instance;
    }
    let machines = instance.machine_count();
    if instance.setups.is_none() {
        instance.machines[0] = "Saw (min/piece)".to_owned();
    }
    let mut drawn = numbers.iter().copied().cycle();
    let mut below = |most: u32| drawn.next().unwrap_or(0) % most;
    let has_ranks = below(2) == 0;
    for (at, job) in instance.jobs.iter_mut().enumerate() {
        let (number, quantity) = (Some(1 + below(5)), 1 + below(4));
        *(if has_ranks { &mut job.rank } else { &mut job.weight }) = number.filter(|_| below(4) > 0);
        job.quantity = Some(quantity);
        if is_per_piece(&instance.machines[0]) {
            instance.times[at * machines] *= quantity;
        }
    }
    let rows: Vec<Vec<String>> = (0..instance.jobs.len())
        .map(|_| {
            ["Meyer & Co", "4711", "=cut", "7"].map(|text| if below(3) == 0 { "" } else { text }.to_owned()).into()
        })
        .collect();
    let headings = ["Customer", "Remark", "Colour", "Tool 2"].map(str::to_owned).into();
    instance.carried = CarriedColumns::of(headings, &rows);
    instance.validated().unwrap()
}

/// The instance with machines that jobs do not visit where `skips` says so.
pub(crate) fn with_skips(mut instance: Instance, skips: bool, numbers: &[u32]) -> Instance {
    let machines = instance.machine_count();
    if !skips || instance.job_count() < machines {
        return instance;
    }
    let is_skipped =
        |at: usize| at % machines != at / machines % machines && numbers[at % numbers.len()].is_multiple_of(3);
    let skips: Vec<bool> = (0..instance.times.len()).map(is_skipped).collect();
    instance.times.iter_mut().zip(&skips).for_each(|(time, skips)| *time *= u32::from(!skips));
    instance.skips = skips.into();
    instance.validated().unwrap()
}

/// The instance with jobs that have started where `starts` says so.
pub(crate) fn with_progress(mut instance: Instance, starts: bool, numbers: &[u32]) -> Instance {
    let machines = instance.machine_count();
    let works: Vec<bool> = instance.times.chunks(machines).map(|row| row.iter().any(|&time| time > 0)).collect();
    for ((job, works), number) in instance.jobs.iter_mut().zip(works).zip(numbers.iter().cycle()) {
        if starts && works && number % 4 == 0 {
            job.progress.percent = Some(1 + number % 99);
        }
    }
    instance.validated().unwrap()
}

/// The instance in real time where `real_time` says so, with working times, breaks, closures, ready times and transport drawn from
/// `numbers`.
pub(crate) fn with_clocks(mut instance: Instance, real_time: bool, numbers: &[u32]) -> Instance {
    if !real_time {
        return instance;
    }
    let mut drawn = numbers.iter().copied().cycle();
    let mut below = |most: u32| drawn.next().unwrap_or(0) % most;
    let zone = if below(2) == 0 { "Europe/Berlin" } else { "" };
    let start = PlanStart::parse(["2027-03-26", &format!("{}:{:02}", below(24), below(60)), zone]).unwrap();
    let mut lines =
        vec![(None, ["Mon–Thu".to_owned(), "6:00".to_owned(), format!("{}:30", 10 + below(12)), String::new()])];
    lines.push((None, ["Fri–Sun".to_owned(), "22:00".to_owned(), format!("{}:00", below(10)), String::new()]));
    lines.push((
        None,
        ["Mon, Wed, Sat".to_owned(), "8:00".to_owned(), format!("8:{:02}", 1 + below(59)), "closed".to_owned()],
    ));
    lines.push((None, [format!("2027-03-{}", 26 + below(5)), String::new(), String::new(), "closed".to_owned()]));
    lines.push((Some(0), [String::new(), "1:15".to_owned(), format!("{}:45", 5 + below(18)), String::new()]));
    lines.push((
        Some(instance.machine_count() - 1),
        [String::new(), "0:00".to_owned(), "23:59".to_owned(), String::new()],
    ));
    // Longer operations may not fit into a shift.
    let is_short = instance.times.iter().all(|&time| time <= 100);
    let hours = lines
        .iter()
        .map(|(machine, texts)| WorkingHours::parse(*machine, texts.each_ref().map(String::as_str)).unwrap());
    let mut machine = || MachineTimes {
        ready: below(900),
        transport: below(3) * below(50),
        is_uninterrupted: is_short && below(3) == 0,
    };
    let machines = (0..instance.machine_count()).map(|_| machine()).collect();
    instance.real_time = Some(RealTime { start: Some(start), hours: hours.collect(), machines }.into());
    instance.validated().unwrap()
}

/// The instance with hours that all machines share, in which work goes on after breaks.
pub(crate) fn with_shared_hours(mut instance: Instance, numbers: &[u32]) -> Instance {
    let mut drawn = numbers.iter().copied().cycle();
    let mut below = |most: u32| drawn.next().unwrap_or(0) % most;
    let start = PlanStart::parse(["2027-03-26", &format!("{}:{:02}", below(24), below(60)), ""]).unwrap();
    let lines = [
        ["Mon–Thu".to_owned(), "6:00".to_owned(), format!("{}:30", 10 + below(12)), String::new()],
        ["Fri–Sun".to_owned(), "22:00".to_owned(), format!("{}:00", below(10)), String::new()],
        ["daily".to_owned(), "8:00".to_owned(), format!("8:{:02}", 1 + below(59)), "break".to_owned()],
    ];
    let hours = lines.iter().map(|texts| WorkingHours::parse(None, texts.each_ref().map(String::as_str)).unwrap());
    instance.real_time = Some(RealTime { start: Some(start), hours: hours.collect(), machines: Vec::new() }.into());
    instance.validated().unwrap()
}

/// The instance with everything left out that only the recurrence in real time evaluates.
pub(crate) fn without_clocks(mut instance: Instance) -> Instance {
    instance.real_time = None;
    instance.skips = Default::default();
    for job in &mut instance.jobs {
        (job.weight, job.rank, job.progress) = (None, None, Default::default());
    }
    instance.validated().unwrap()
}

/// Eight jobs on two machines with due dates, of which iterated greedy misses the least flow time, 19,237.
pub(crate) fn eight_jobs() -> Instance {
    let times = vec![812, 44, 663, 81, 472, 24, 327, 844, 743, 771, 148, 168, 436, 286, 808, 849];
    let mut instance = Instance::of_times("eight jobs", 2, times).unwrap();
    let due = [757, 227, 1_543, 312, 4_364, 1_258, 3_028, 4_900];
    instance.jobs.iter_mut().zip(due).for_each(|(job, due)| job.due = Some(due));
    instance
}

/// Strategy: instances of up to 12 × 9 with due dates, release dates, zero times and sometimes set-ups, weights, machines that jobs
/// do not visit, jobs that have started and working times, each with a random order.
pub(crate) fn planned() -> impl Strategy<Value = (Instance, Vec<u16>)> {
    let often_nothing = |most: u32| prop_oneof![Just(0), 0..most];
    let job = (proptest::collection::vec(often_nothing(99), 9), 0..500_u32, often_nothing(200));
    let setups = (any::<(bool, bool, bool, bool, bool)>(), proptest::collection::vec(0_u32..60, 100));
    (proptest::collection::vec(job, 1..=12), 1..=9_usize, setups)
        .prop_flat_map(|(jobs, machines, setups)| {
            let order = Just((0..jobs.len() as u16).collect::<Vec<_>>()).prop_shuffle();
            (Just(jobs), Just(machines), order, Just(setups))
        })
        .prop_map(|(jobs, machines, order, ((setups, real_time, orders, skips, starts), numbers))| {
            // Of jobs that take no time, times do not tell which comes first; with set-ups that matters.
            let least = u32::from(setups);
            let times = jobs.iter().flat_map(|job| &job.0[..machines]).map(|&time| time.max(least)).collect();
            let mut instance = Instance::of_times("test", machines, times).unwrap();
            for (job, (_, due, release)) in instance.jobs.iter_mut().zip(jobs) {
                (job.due, job.release) = (Some(due), release);
            }
            let instance = with_orders(with_setups(instance, setups, &numbers), orders, &numbers);
            let instance = with_progress(with_skips(instance, skips, &numbers), starts, &numbers);
            let order = crate::frozen::first(&instance, &order);
            (with_clocks(instance, real_time, &numbers), order)
        })
}
