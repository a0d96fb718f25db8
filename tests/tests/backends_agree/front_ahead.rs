//! Neighbourhoods that a device computes in advance lead to the archives of the CPU.

use std::collections::BTreeSet;

use gridwright_core::search::pareto::{Archive, Point};
use gridwright_flowshop::Instance;
use gridwright_flowshop::multiobjective::FrontSearch;
use gridwright_flowshop::multiobjective::cuda::{Archiving, DeviceExplorer};
use gridwright_flowshop::multiobjective::evaluation;
use gridwright_flowshop::multiobjective::explorer::{ArchivePoints, Explorer, Member, PrefetchStatistics};
use gridwright_flowshop::multiobjective::pls::ParetoSearch;
use gridwright_kernels::front::Tuning;

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::front::{explorer, made_up, pls, random_order, start};
use super::support::{Faulty, Path_, cuda, numbered, path, pool};
use gridwright_core::search::Epochs;

/// Returns digests after every step, and the number of neighbourhoods that were computed in advance.
fn walked<M: gridwright_kernels::DeviceRuntime + 'static>(
    instance: &Instance, settings: (&str, &[(&str, &str)]), on: Option<(Vec<M>, Tuning)>, steps: u32,
) -> (Path_, Option<PrefetchStatistics>) {
    let (objectives, parameters) = pls(instance, settings.0, settings.1);
    let mut search = ParetoSearch::new(instance, &objectives, &parameters, 3, None, pool(2));
    if let Some((runtimes, tuning)) = on {
        let cpu = explorer(instance, &objectives, &parameters);
        let device = DeviceExplorer::new(instance, cpu, Archiving::Device, 1, numbered(runtimes), tuning).unwrap();
        search = search.with_explorer(Box::new(device));
    }
    let path = path(&mut search, steps, 1);
    assert_eq!(search.notes(), Vec::<String>::new());
    (path, search.prefetch_statistics())
}

/// Compares runs that are long enough for restarts and for many members drawn at once.
fn compare<M: gridwright_kernels::DeviceRuntime + 'static>(open: &mut dyn FnMut() -> M, steps: u32) {
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
            let (expected, none) = walked(&instance, settings, None::<(Vec<M>, Tuning)>, steps);
            assert_eq!(none, None);
            for (number, tuning) in tunings.into_iter().enumerate() {
                for count in [1, 3] {
                    let devices = (0..count).map(|_| open()).collect();
                    let (found, statistics) = walked(&instance, settings, Some((devices, tuning)), steps);
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
    compare(&mut || start(EmulatorConfig { order: orders.next().unwrap(), ..EmulatorConfig::default() }), 60);
}

/// Neighbourhoods computed in advance are compared with an archive that has grown since, small and large. Many members leave more
/// results than one transfer fetches; these are lost if the next round has begun, and computed again.
#[test]
fn what_was_computed_ahead_meets_what_has_come_since() {
    for (jobs, count, size) in [(20, 40, 0_u64), (20, 40, 30), (20, 40, 5_000), (40, 120, 0)] {
        let instance = made_up(jobs, 5, false, 1);
        let of = pls(&instance, "makespan,flowtime,tardiness,tardy", &[("start", "random")]);
        let shop = evaluation::Shop::new(&instance);
        let cpu = explorer(&instance, &of.0, &of.1);
        let emulator: CudaEmulator = start(EmulatorConfig::default());
        let mut device =
            DeviceExplorer::new(&instance, cpu.clone(), Archiving::Device, 1, numbered([emulator]), Tuning::default())
                .unwrap();
        // The first one and half of the others at once, the rest in the background.
        let members: Vec<Member> = (0..count)
            .map(|seed| {
                let order = random_order(jobs, seed);
                Member { entry: seed, point: of.0.select(&shop.values(&order)), order: order.into() }
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
    let settings: (&str, &[(&str, &str)]) = ("makespan,flowtime,tardiness", &[("start", "random")]);
    let expected = walked::<CudaEmulator>(&instance, settings, None, 90).0;
    let (objectives, parameters) = pls(&instance, settings.0, settings.1);
    let mut ends = BTreeSet::new();
    for launches_left in (0..).step_by(3) {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let cpu = explorer(&instance, &objectives, &parameters);
        let device =
            DeviceExplorer::new(&instance, cpu, Archiving::Device, 1, numbered([runtime]), Tuning::default()).unwrap();
        let search = ParetoSearch::new(&instance, &objectives, &parameters, 3, None, pool(2));
        let mut search = search.with_explorer(Box::new(device));
        assert_eq!(path(&mut search, 90, 1), expected, "{launches_left} launches");
        let notes = search.notes();
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
