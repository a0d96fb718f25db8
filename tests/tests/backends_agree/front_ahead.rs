//! Neighbourhoods that a device computes before they are asked for: the same archives as without.

use std::collections::BTreeSet;

use gridwright_kernels::front::Tuning;
use gridwright_solver::flowshop::Instance;
use gridwright_solver::flowshop::multiobjective::FrontSearch;
use gridwright_solver::flowshop::multiobjective::cuda::{Archiving, DeviceExplorer};
use gridwright_solver::flowshop::multiobjective::evaluation;
use gridwright_solver::flowshop::multiobjective::explorer::{Explorer, Foresight, Known, Member};
use gridwright_solver::flowshop::multiobjective::pls::ParetoSearch;
use gridwright_solver::search::pareto::{Archive, Point};

use crate::front::{explorer, made_up, pls, random_order, start};
use crate::ground::{Ground, Order, Ways};
use crate::support::{Faulty, Path_, cuda, path, pool};

/// Digests after every step, and how far the device has computed ahead.
fn walked<M: gridwright_kernels::Machine + 'static>(
    instance: &Instance,
    settings: (&str, &[(&str, &str)]),
    on: Option<(M, Tuning)>,
    steps: u32,
) -> (Path_, Option<Foresight>) {
    let (objectives, parameters) = pls(instance, settings.0, settings.1);
    let mut search = ParetoSearch::new(instance, &objectives, &parameters, 3, None, pool(2));
    if let Some((machine, tuning)) = on {
        let cpu = explorer(instance, &objectives, &parameters);
        let device = DeviceExplorer::new(instance, cpu, Archiving::Device, 1, machine, tuning).unwrap();
        search = search.exploring_with(Box::new(device));
    }
    let path = path(&mut search, steps, 1);
    assert_eq!(search.notes(), Vec::<String>::new());
    (path, search.foresight())
}

/// Long enough for restarts, and for many members to be drawn at once.
fn compare<M: gridwright_kernels::Machine + 'static>(open: &mut dyn FnMut() -> M, steps: u32) {
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
            let (expected, none) = walked(&instance, settings, None::<(M, Tuning)>, steps);
            assert_eq!(none, None);
            for (number, tuning) in tunings.into_iter().enumerate() {
                let (found, foresight) = walked(&instance, settings, Some((open(), tuning)), steps);
                assert_eq!(found, expected, "{}, {settings:?}, {tuning:?}", instance.name);
                let foresight = foresight.unwrap();
                let ahead = foresight.evaluated >= foresight.explored && foresight.rounds < foresight.explored;
                assert_eq!(foresight.foreseen > 0 && ahead, number == 0, "{settings:?}, {foresight:?}");
            }
        }
    }
}

#[test]
fn what_the_ground_computes_ahead_leads_to_the_archives_of_the_cpu() {
    let mut orders = [Order::Shuffled(11), Order::Ahead, Order::Forward, Order::Backward].into_iter().cycle();
    compare(&mut || start(Ways { order: orders.next().unwrap(), ..Ways::default() }), 60);
}

/// What was computed ahead stands up to an archive that has grown since: small and large, with points that cover much of it. Of
/// many members more is left than is brought back on a guess: it is lost where the next round has begun, and computed again.
#[test]
fn what_was_computed_ahead_meets_what_has_come_since() {
    for (jobs, count, size) in [(20, 40, 0_u64), (20, 40, 30), (20, 40, 5_000), (40, 120, 0)] {
        let instance = made_up(jobs, 5, false, 1);
        let of = pls(&instance, "makespan,flowtime,tardiness,tardy", &[("start", "random")]);
        let shop = evaluation::Shop::new(&instance);
        let cpu = explorer(&instance, &of.0, &of.1);
        let ground: Ground = start(Ways::default());
        let mut device =
            DeviceExplorer::new(&instance, cpu.clone(), Archiving::Device, 1, ground, Tuning::default()).unwrap();
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
        let (mut entries, mut came) = (size, None);
        let mut expected = archive.clone();
        for (number, member) in members.iter().enumerate() {
            let asked = std::slice::from_ref(member);
            let known = Known { all: archive.points(), came: came.as_deref(), entries };
            let upcoming = || members[number + 1..].to_vec();
            let found = device.explore(asked, &upcoming, known).left;
            let plain = cpu.clone().explore(asked, &Vec::new, known).left;
            let before = entries;
            for part in found {
                let places = archive.items().partition_point(|&entry| entry < part.known);
                let mut fresh: Vec<Point> = Vec::new();
                archive.insert_all(places, &part.left, |point, _| {
                    fresh.push(point);
                    entries += 1;
                    entries - 1
                });
                came = Some(fresh);
            }
            for (point, _) in plain.into_iter().flat_map(|part| part.left) {
                expected.insert(point, 0);
            }
            assert_eq!(archive.points(), expected.points(), "{jobs} jobs, {size} points, member {number}");
            assert!(number > 0 || entries > before, "nothing has come");
        }
        let foresight = device.foresight().unwrap();
        assert_eq!(foresight.explored, count);
        let (rounds, lost) = (foresight.rounds, foresight.evaluated - count);
        assert!(
            if count > 40 { lost > 0 } else { (foresight.foreseen, rounds, lost) == (39, 2, 0) },
            "{jobs} jobs, {foresight:?}"
        );
        // An archive that was emptied: what was computed ahead is forgotten.
        let known = Known { all: &[], came: None, entries };
        let again = Member { entry: 777, ..members[2].clone() };
        let found = device.explore(std::slice::from_ref(&again), &Vec::new, known).left;
        let plain = cpu.clone().explore(std::slice::from_ref(&again), &Vec::new, known).left;
        let [found, plain] = [found, plain].map(|parts| {
            let mut all: Archive<u64> = Archive::default();
            parts.into_iter().flat_map(|part| part.left).for_each(|(point, number)| {
                all.insert(point, number);
            });
            all
        });
        assert_eq!((found.points(), found.items()), (plain.points(), plain.items()));
        assert_eq!(device.foresight().unwrap().rounds, rounds + 1);
    }
}

/// A device that is lost while it computes ahead, or when it is asked for more: the numbers are those of the CPU.
#[test]
fn a_device_lost_while_it_computes_ahead_changes_nothing() {
    let instance = made_up(14, 4, false, 5);
    let settings: (&str, &[(&str, &str)]) = ("makespan,flowtime,tardiness", &[("start", "random")]);
    let expected = walked::<Ground>(&instance, settings, None, 90).0;
    let (objectives, parameters) = pls(&instance, settings.0, settings.1);
    let mut ends = BTreeSet::new();
    for launches_left in (0..).step_by(3) {
        let machine = Faulty { inner: start(Ways::default()), launches_left, reserves_left: u32::MAX, free: 1 << 30 };
        let cpu = explorer(&instance, &objectives, &parameters);
        let device = DeviceExplorer::new(&instance, cpu, Archiving::Device, 1, machine, Tuning::default()).unwrap();
        let search = ParetoSearch::new(&instance, &objectives, &parameters, 3, None, pool(2));
        let mut search = search.exploring_with(Box::new(device));
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

/// Runs on a device, where there is one.
#[test]
fn what_cuda_computes_ahead_leads_to_the_archives_of_the_cpu() {
    let Some(shared) = cuda() else { return };
    let machine = &mut || {
        shared.clear();
        shared.clone()
    };
    compare(machine, 200);
    println!("equal archives on the device");
}
