//! Neighbourhoods that a device computes in advance lead to the archives of the CPU.

use std::collections::BTreeSet;

use gridwright_core::search::Epochs;
use gridwright_core::search::pareto::{Archive, Point};
use gridwright_flowshop::multiobjective::FrontSearch;
use gridwright_flowshop::multiobjective::cuda::Archiving;
use gridwright_flowshop::multiobjective::evaluation;
use gridwright_flowshop::multiobjective::explorer::{ArchivePoints, Explorer, Member, PrefetchStatistics};
use gridwright_kernels::front::Tuning;
use gridwright_kernels::{DeviceRuntime, Module};

use super::cuda_emulator::{EmulatorConfig, WarpOrder};
use super::front::{ParetoRun, made_up, random_order, start};
use super::support::{Faulty, Path_, cuda, in_order, path};

/// Returns digests after every step, and the number of neighbourhoods that were computed in advance.
fn walked<M: DeviceRuntime + 'static>(
    run: &ParetoRun, on: Option<(Vec<M>, Tuning)>,
) -> (Path_, Option<PrefetchStatistics>) {
    let mut search = run.search();
    if let Some((runtimes, tuning)) = on {
        search = search.with_explorer(Box::new(run.explorer(Archiving::Device, 1, runtimes, tuning).unwrap()));
    }
    let path = path(&mut search, run.steps, 1);
    assert_eq!(search.device_notes(), []);
    (path, search.prefetch_statistics())
}

/// Compares runs that are long enough for restarts and for many members drawn at once.
fn compare<M: DeviceRuntime + 'static>(open: &mut dyn FnMut() -> M, steps: u32) {
    let cases: [(&str, &[(&str, &str)]); 6] = [
        ("makespan,flowtime,tardiness", &[("start", "random")]),
        ("makespan,flowtime", &[("start", "random"), ("neighbourhood", "exchange")]),
        ("makespan,flowtime,tardiness", &[("start", "random"), ("admission", "dominating")]),
        (
            "makespan,flowtime,tardiness,tardy",
            &[("start", "random"), ("admission", "dominating"), ("neighbourhood", "exchange")],
        ),
        ("makespan,flowtime,tardiness,tardy", &[("start", "random"), ("members", "3")]),
        ("tardy,makespan", &[("end_steps", "1"), ("weight_steps", "1"), ("divisions", "1"), ("members", "1")]),
    ];
    // The last one: every neighbourhood is a launch.
    let tunings = [Tuning::default(), Tuning { operations: 1, block: 64, ..Tuning::default() }];
    for instance in [made_up(14, 4, false, 1), made_up(9, 3, true, 900)] {
        for settings in cases {
            let run = ParetoRun::new(&instance, settings.0, settings.1, steps);
            let (expected, none) = walked(&run, None::<(Vec<M>, Tuning)>);
            assert_eq!(none, None);
            for (number, tuning) in tunings.into_iter().enumerate() {
                for count in [1, 3] {
                    let devices = (0..count).map(|_| open()).collect();
                    let (found, statistics) = walked(&run, Some((devices, tuning)));
                    assert_eq!(found, expected, "{}, {settings:?}, {tuning:?}, {count} devices", instance.name);
                    let statistics = statistics.unwrap();
                    let ahead = statistics.computed >= statistics.requested && statistics.rounds < statistics.requested;
                    let prefetches = number == 0 || count > 1;
                    assert_eq!(statistics.prefetched > 0 && ahead, prefetches, "{settings:?}, {statistics:?}");
                }
            }
        }
    }
}

#[test]
fn what_the_emulator_computes_ahead_leads_to_the_archives_of_the_cpu() {
    let mut orders =
        [WarpOrder::Shuffled(11), WarpOrder::Eager, WarpOrder::Ascending, WarpOrder::Descending].into_iter().cycle();
    compare(&mut || start(in_order(orders.next().unwrap())), 60);
}

/// Neighbourhoods computed in advance are compared with an archive that has grown since, small and large. Many members leave more
/// results than one transfer fetches; these are lost if the next round has begun, and computed again.
#[test]
fn what_was_computed_ahead_meets_what_has_come_since() {
    for (jobs, count, size) in [(20, 40, 0_u64), (20, 40, 30), (20, 40, 5_000), (40, 120, 0)] {
        let instance = made_up(jobs, 5, false, 1);
        let run = ParetoRun::new(&instance, "makespan,flowtime,tardiness,tardy", &[("start", "random")], 1);
        let shop = evaluation::Shop::new(&instance);
        let cpu = run.cpu();
        let emulator = start(EmulatorConfig::default());
        let mut device = run.explorer(Archiving::Device, 1, [emulator], Tuning::default()).unwrap();
        // The first one and half of the others at once, the rest in the background.
        let members: Vec<Member> = (0..count)
            .map(|seed| {
                let order = random_order(jobs, seed);
                Member { entry: seed, point: run.of.0.select(&shop.values(&order)), order: order.into() }
            })
            .collect();
        // Points that cover hardly anything; each is the entry of its number.
        let mut archive: Archive<u64> = Archive::default();
        (0..size).for_each(|number| assert!(archive.insert([9_000 - number, number, 90_000, 0], number)));
        let (mut entries, mut arrivals) = (size, None);
        let mut expected = archive.clone();
        for (number, member) in members.iter().enumerate() {
            let asked = std::slice::from_ref(member);
            let known = ArchivePoints { all: archive.points(), arrivals: arrivals.as_deref(), entries };
            let upcoming = || members[number + 1..].to_vec();
            let found = device.explore(asked, &upcoming, known).survivors;
            let plain = cpu.clone().explore(asked, &Vec::new, known).survivors;
            let before = entries;
            for part in found {
                let places = archive.items().partition_point(|&entry| entry < part.known_entries);
                let mut fresh: Vec<Point> = Vec::new();
                archive.insert_all(places, &part.neighbours, |point, _| {
                    fresh.push(point);
                    entries += 1;
                    entries - 1
                });
                arrivals = Some(fresh);
            }
            for (point, _) in plain.into_iter().flat_map(|part| part.neighbours) {
                expected.insert(point, 0);
            }
            assert_eq!(archive.points(), expected.points(), "{jobs} jobs, {size} points, member {number}");
            assert!(number > 0 || entries > before, "nothing has come");
        }
        let statistics = device.prefetch_statistics().unwrap();
        assert_eq!(statistics.requested, count);
        let (rounds, lost) = (statistics.rounds, statistics.computed - count);
        assert!(
            if count > 40 { lost > 0 } else { (statistics.prefetched, rounds, lost) == (39, 2, 0) },
            "{jobs} jobs, {statistics:?}"
        );
        // An archive that was emptied: what was computed ahead is forgotten.
        let known = ArchivePoints { all: &[], arrivals: None, entries };
        let again = Member { entry: 777, ..members[2].clone() };
        let found = device.explore(std::slice::from_ref(&again), &Vec::new, known).survivors;
        let plain = cpu.clone().explore(std::slice::from_ref(&again), &Vec::new, known).survivors;
        let [found, plain] = [found, plain].map(|parts| {
            let mut all: Archive<u64> = Archive::default();
            parts.into_iter().flat_map(|part| part.neighbours).for_each(|(point, number)| {
                all.insert(point, number);
            });
            all
        });
        assert_eq!((found.points(), found.items()), (plain.points(), plain.items()));
        assert_eq!(device.prefetch_statistics().unwrap().rounds, rounds + 1);
    }
}

/// A device that is lost while it computes in advance, or afterwards, is replaced by the CPU with the same numbers.
#[test]
fn a_device_lost_while_it_computes_ahead_changes_nothing() {
    let instance = made_up(14, 4, false, 5);
    let run = ParetoRun::new(&instance, "makespan,flowtime,tardiness", &[("start", "random")], 90);
    let expected = run.path();
    let mut ends = BTreeSet::new();
    for launches_left in (0..).step_by(3) {
        let runtime = Faulty::lost_after(launches_left, Module::Front);
        let (found, notes) = run.path_with(run.explorer(Archiving::Device, 1, [runtime], Tuning::default()).unwrap());
        assert_eq!(found, expected, "{launches_left} launches");
        if notes.is_empty() {
            break;
        }
        assert!(notes.len() == 1 && notes[0].contains("the CPU went on, with the same numbers"), "{notes:?}");
        ends.insert(notes[0].clone());
    }
    assert!(ends.len() > 6, "it was lost at different times: {ends:?}");
}

/// Compares CUDA with the CPU where neighbourhoods are computed before their turn.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_when_it_explores_ahead() {
    // Explorers of one runtime would share its transfers, so each has its own.
    let devices: Vec<_> = (0..3).map(|_| cuda()).collect();
    let mut turns = devices.iter().cycle();
    let runtime = &mut || {
        let device = turns.next().unwrap();
        device.clear();
        device.clone()
    };
    compare(runtime, 200);
    println!("equal archives on the device");
}
