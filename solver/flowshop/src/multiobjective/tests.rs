//! Compares the searches with textbook versions that evaluate, compare and store in the simplest way.

use std::collections::VecDeque;
use std::sync::Arc;

use super::pls::ParetoSearch;
use super::tabu::TabuSearch;
use super::weights::{Extent, WeightedSum, lattice};
use super::*;
use crate::draws::{Draws, MEMBER, TENURE, random_order};
use crate::{Instance, Objective, Schedule, library};
use gridwright_core::random::Philox;
use gridwright_core::search::Parameters as _;
use gridwright_core::search::pareto::{Point, dominates};

fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
    Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

/// Seven jobs on three machines, with due dates that some orders meet.
fn tiny(seed: u32) -> Instance {
    let times = (0..21).map(|number| (number * 7 + seed * number * number) % 19 + 1).collect();
    let mut instance = Instance::of_times("tiny", 3, times).unwrap();
    for (number, job) in instance.jobs.iter_mut().enumerate() {
        job.due = Some(20 + 9 * ((number as u32 * seed) % 7));
    }
    instance
}

fn point(instance: &Instance, objectives: &Objectives, order: &[u16]) -> Point {
    let schedule = Schedule::new(instance, order);
    let mut point = [0; 4];
    for (value, &objective) in point.iter_mut().zip(objectives.as_slice()) {
        *value = schedule.value(instance, objective);
    }
    point
}

fn neighbours(order: &[u16], exchange: bool) -> Vec<Vec<u16>> {
    let n = order.len();
    let mut all = Vec::new();
    for i in 0..n {
        for j in if exchange { i + 1..n } else { 0..n } {
            if i == j {
                continue;
            }
            let mut neighbour = order.to_vec();
            if exchange {
                neighbour.swap(i, j);
            } else {
                let job = neighbour.remove(i);
                neighbour.insert(j, job);
            }
            all.push(neighbour);
        }
    }
    all
}

type Members = Vec<(Point, Vec<u16>, bool)>;

fn insert(archive: &mut Members, point: Point, order: &[u16]) {
    if archive.iter().any(|member| member.0 == point || dominates(&member.0, &point)) {
        return;
    }
    archive.retain(|member| !dominates(&point, &member.0));
    archive.push((point, order.to_vec(), false));
}

/// PLS-1 as in textbooks: one member at a time, every neighbour offered to the archive.
fn textbook_pls(
    instance: &Instance, objectives: &Objectives, (dominating, exchange): (bool, bool), seed: u64, steps: u64,
) -> Vec<(Point, Vec<u16>)> {
    let philox = Philox::new(seed);
    let jobs = instance.job_count();
    let (mut archive, mut all): (Members, Members) = (Vec::new(), Vec::new());
    let first = random_order(philox, 0, 0, jobs);
    insert(&mut archive, point(instance, objectives, &first), &first);
    insert(&mut all, point(instance, objectives, &first), &first);
    // The queue of drawn members; turns since the horizon was adapted, and how many of them found their member in the
    // archive; the target length of the queue, and true if it was reached.
    let (mut next, mut turns, mut used) = (VecDeque::<Point>::new(), 0, 0);
    let (mut horizon, mut full) = (1_usize, false);
    let mut drawn = Vec::new();
    for step in 0..steps {
        if archive.iter().all(|member| member.2) {
            let order = random_order(philox, step, 0, jobs);
            (archive, drawn, next) = (Vec::new(), Vec::new(), VecDeque::new());
            insert(&mut archive, point(instance, objectives, &order), &order);
            insert(&mut all, point(instance, objectives, &order), &order);
            (turns, used, horizon, full) = (0, 0, 1, false);
        }
        let mut draws = Draws::new(philox, step, 0, MEMBER);
        let mut picked = None;
        for round in 0..3 {
            // Round 1 draws if nothing is queued, round 2 refills the queue if half of it is left.
            if (round == 1 && picked.is_none()) || (round == 2 && horizon > 1 && next.len() <= horizon / 2) {
                let there = archive.iter().map(|member| member.0);
                let mut left: Vec<Point> = there.filter(|point| !drawn.contains(point)).collect();
                if left.is_empty() {
                    continue;
                }
                if turns * 2 >= horizon {
                    if full && used as f64 >= 0.75 * turns as f64 {
                        horizon = 64.min(horizon * 2);
                    } else if (used as f64) < 0.5 * turns as f64 {
                        horizon = 1.max(horizon / 2);
                    }
                    (turns, used) = (0, 0);
                }
                let wanted = horizon.saturating_sub(next.len());
                full = left.len() >= wanted;
                for _ in 0..wanted.min(left.len()) {
                    let point = left.remove(draws.below(left.len()));
                    drawn.push(point);
                    next.push_back(point);
                }
            }
            while picked.is_none()
                && let Some(coming) = next.pop_front()
            {
                turns += 1;
                picked = archive.iter().position(|member| member.0 == coming);
                used += usize::from(picked.is_some());
            }
        }
        let picked = picked.unwrap();
        archive[picked].2 = true;
        let (current, order, _) = archive[picked].clone();
        for neighbour in neighbours(&order, exchange) {
            let found = point(instance, objectives, &neighbour);
            let enters = if dominating { dominates(&found, &current) } else { !dominates(&current, &found) };
            if enters {
                insert(&mut archive, found, &neighbour);
                insert(&mut all, found, &neighbour);
            }
        }
    }
    all.into_iter().map(|(point, order, _)| (point, order)).collect()
}

fn sorted(mut members: Vec<(Point, Vec<u16>)>) -> Vec<(Point, Vec<u16>)> {
    members.sort();
    members
}

fn members(front: &Front) -> Vec<(Point, Vec<u16>)> {
    front.points.iter().zip(&front.orders).map(|(point, order)| (*point, order.to_vec())).collect()
}

#[test]
fn both_variants_of_pareto_local_search_are_the_textbooks() {
    for (seed, list) in
        [(1, "makespan,flowtime,tardiness"), (2, "makespan,tardy"), (3, "makespan,flowtime,tardiness,tardy")]
    {
        let instance = tiny(seed);
        let objectives: Objectives = list.parse().unwrap();
        for (admission, dominating) in [("non-dominated", false), ("dominating", true)] {
            for (neighbourhood, exchange) in [("insertion", false), ("exchange", true)] {
                let mut parameters = ParetoParameters::default();
                for (name, value) in [("start", "random"), ("admission", admission), ("neighbourhood", neighbourhood)] {
                    parameters.set(name, value).unwrap();
                }
                parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
                let mut search = ParetoSearch::new(&instance, &objectives, &parameters, seed.into(), None, pool(1));
                // Long enough for restarts.
                for steps in [1, 7, 60] {
                    let done = search.snapshot().unwrap().step as u32;
                    search.advance(steps - done).unwrap();
                    let variant = (dominating, exchange);
                    let expected = textbook_pls(&instance, &objectives, variant, seed.into(), steps.into());
                    let front = search.snapshot().unwrap().best;
                    assert_eq!(
                        members(&front),
                        sorted(expected),
                        "{list}, {admission}, {neighbourhood}, {steps} steps"
                    );
                }
            }
        }
    }
}

/// Aggregated tabu search as in textbooks; the visited orders form the front.
fn textbook_tabu(
    instance: &Instance, objectives: &Objectives, parameters: &TabuParameters, seed: u64, steps: u64,
) -> Vec<(Point, Vec<u16>)> {
    let philox = Philox::new(seed);
    let (extent, _) = Extent::new(instance, &evaluation::Shop::new(instance), objectives);
    let exchange = parameters.neighbourhood == "exchange";
    let mut all = Members::new();
    let values = |order: &[u16]| {
        let schedule = Schedule::new(instance, order);
        Objective::ALL.map(|objective| schedule.value(instance, objective))
    };
    let weights = lattice(objectives.count(), parameters.divisions);
    let sums: Vec<WeightedSum> =
        weights.iter().map(|weights| WeightedSum::new(instance, objectives, &extent, weights)).collect();
    let mut orders: Vec<Vec<u16>> =
        (0..sums.len()).map(|number| random_order(philox, 0, number as u32, instance.job_count())).collect();
    orders.iter().for_each(|order| insert(&mut all, point(instance, objectives, order), order));
    let mut best: Vec<u64> = sums.iter().zip(&orders).map(|(sum, order)| sum.cost(&values(order))).collect();
    let mut tabu = vec![vec![0_u64; instance.job_count()]; sums.len()];
    for step in 0..steps {
        for (number, sum) in sums.iter().enumerate() {
            let order = &orders[number];
            let moved = |neighbour: &[u16]| -> Vec<u16> {
                let differs = || order.iter().zip(neighbour).filter(|(a, b)| a != b).map(|(a, _)| *a);
                differs().collect()
            };
            let candidates = neighbours(order, exchange);
            let job_of = |id: usize| {
                if exchange { moved(&candidates[id]) } else { vec![order[id / (order.len() - 1)]] }
            };
            let cost = |id: usize| sum.cost(&values(&candidates[id]));
            let allowed = |id: &usize| {
                job_of(*id).iter().all(|&job| tabu[number][usize::from(job)] <= step)
                    || (parameters.aspiration && cost(*id) < best[number])
            };
            let least = |ids: &mut dyn Iterator<Item = usize>| ids.min_by_key(|&id| (cost(id), id));
            let chosen =
                least(&mut (0..candidates.len()).filter(allowed)).or_else(|| least(&mut (0..candidates.len())));
            let chosen = chosen.unwrap();
            let more = Draws::new(philox, step, number as u32, TENURE).below(parameters.tenure as usize + 1);
            for job in job_of(chosen) {
                tabu[number][usize::from(job)] = step + 1 + u64::from(parameters.tenure) + more as u64;
            }
            best[number] = best[number].min(cost(chosen));
            orders[number] = candidates[chosen].clone();
        }
        orders.iter().for_each(|order| insert(&mut all, point(instance, objectives, order), order));
    }
    all.into_iter().map(|(point, order, _)| (point, order)).collect()
}

#[test]
fn aggregated_tabu_search_is_the_textbooks() {
    for (neighbourhood, aspiration, tenure) in
        [("insertion", "on", "2"), ("exchange", "off", "3"), ("exchange", "on", "40")]
    {
        let instance = tiny(5);
        let objectives = Objectives::default();
        let mut parameters = TabuParameters::default();
        let changes =
            [("neighbourhood", neighbourhood), ("aspiration", aspiration), ("tenure", tenure), ("divisions", "2")];
        for (name, value) in changes.into_iter().chain([("start", "random")]) {
            parameters.set(name, value).unwrap();
        }
        parameters.resolve(3, 7);
        let mut search = TabuSearch::new(&instance, &objectives, &parameters, 4, pool(2));
        search.advance(40).unwrap();
        let expected = textbook_tabu(&instance, &objectives, &parameters, 4, 40);
        assert_eq!(members(&search.snapshot().unwrap().best), sorted(expected), "{neighbourhood}, tenure {tenure}");
    }
}

fn two_phases(instance: &Instance, objectives: &Objectives, threads: usize) -> ParetoSearch {
    let mut parameters = ParetoParameters { end_steps: 4, weight_steps: 3, ..ParetoParameters::default() };
    parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
    ParetoSearch::new(instance, objectives, &parameters, 9, None, pool(threads))
}

#[test]
fn threads_and_epochs_make_no_difference() {
    let instance = library::taillard("ta011").unwrap();
    for list in ["makespan,flowtime,tardiness", "tardy,makespan"] {
        let objectives: Objectives = list.parse().unwrap();
        let mut searches = [1, 2, 8].map(|threads| two_phases(&instance, &objectives, threads));
        for epochs in [&[12, 0, 0][..], &[5, 7, 0], &[1, 1, 10]].iter().zip(&mut searches) {
            epochs.0.iter().for_each(|&steps| epochs.1.advance(steps).unwrap());
        }
        let [single, two, eight] = searches.map(|mut search| search.snapshot().unwrap());
        assert_eq!((single.digest, single.evaluations), (two.digest, two.evaluations), "{list}");
        assert_eq!((single.digest, single.evaluations), (eight.digest, eight.evaluations), "{list}");
        let mut other = ParetoParameters { end_steps: 4, weight_steps: 4, ..ParetoParameters::default() };
        other.resolve(objectives.count(), instance.job_count(), instance.machine_count());
        let mut other = ParetoSearch::new(&instance, &objectives, &other, 9, None, pool(1));
        other.advance(12).unwrap();
        assert_ne!(single.digest, other.snapshot().unwrap().digest, "the length of a phase matters");
    }
}

/// The front never gets worse, and the values are those of the orders.
#[test]
fn fronts_are_true_and_get_better() {
    let instance = library::taillard("ta001").unwrap();
    let objectives = Objectives::default();
    let mut search = two_phases(&instance, &objectives, 2);
    let mut missing = u64::MAX;
    for _ in 0..12 {
        search.advance(5).unwrap();
        let front = search.snapshot().unwrap().best;
        assert!(front.missing <= missing);
        missing = front.missing;
        for (number, (found, order)) in members(&front).into_iter().enumerate() {
            assert_eq!(found, point(&instance, &objectives, &order));
            assert!(front.points.iter().enumerate().all(|(index, point)| index == number || !dominates(point, &found)));
        }
        assert!(front.compromise().is_some());
        let share = 1.0 - front.missing as f64 / weights::PARTS as f64;
        assert!((front.hypervolume() / 1.1_f64.powi(3) - share).abs() < 1e-8);
    }
    let shares = search.shares();
    assert!(shares.evaluation > 0.0 && shares.archiving > 0.0 && shares.greedy > 0.0, "{shares}");
}

/// Instances of one and two jobs.
#[test]
fn the_smallest_instances_are_searched() {
    for jobs in [1, 2] {
        let times = (0..jobs * 2).map(|time| time as u32 % 5 + 1).collect();
        let instance = Instance::of_times("tiny", 2, times).unwrap();
        let objectives: Objectives = "makespan,flowtime".parse().unwrap();
        for start in [ParetoStart::Greedy, ParetoStart::Constructed, ParetoStart::Random] {
            let mut parameters =
                ParetoParameters { start, end_steps: 1, weight_steps: 1, ..ParetoParameters::default() };
            parameters.resolve(2, jobs, 2);
            let mut search = ParetoSearch::new(&instance, &objectives, &parameters, 1, None, pool(1));
            search.advance(6).unwrap();
            assert!(!search.snapshot().unwrap().best.points.is_empty(), "{jobs} jobs, {start:?}");
        }
        let mut parameters = TabuParameters::default();
        parameters.resolve(2, jobs);
        let mut search = TabuSearch::new(&instance, &objectives, &parameters, 1, pool(1));
        search.advance(6).unwrap();
        assert!(!search.snapshot().unwrap().best.points.is_empty());
    }
}

/// Instances with many jobs have short steps, independently of the number of threads.
#[test]
fn many_jobs_are_searched_in_short_steps() {
    let instance = library::taillard("ta111").unwrap();
    assert_eq!(descent::looks(20, 5, 21), descent::STEP_OPERATIONS as usize / (125 * 21), "as many as ever needed");
    assert!(descent::looks(500, 20, 21) < 100);
    let objectives: Objectives = "makespan,tardiness".parse().unwrap();
    let digests = [1, 2].map(|threads| {
        let mut parameters =
            ParetoParameters { end_steps: 1, weight_steps: 1, divisions: 2, ..ParetoParameters::default() };
        parameters.resolve(2, 500, 20);
        assert_eq!(parameters.members, 1);
        let mut search = ParetoSearch::new(&instance, &objectives, &parameters, 9, None, pool(threads));
        search.advance(3).unwrap();
        search.snapshot().unwrap().digest
    });
    assert_eq!(digests[0], digests[1]);
}
