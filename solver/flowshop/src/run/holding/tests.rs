use proptest::prelude::*;

use super::*;
use crate::rules::{Pin, Precedence};
use crate::tests::planned;

/// Longest common subsequence of two sequences, by its table.
fn common(one: &[u16], other: &[u16]) -> usize {
    let mut row = vec![0; other.len() + 1];
    for job in one {
        let mut corner = 0;
        for (at, there) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if job == there { corner + 1 } else { row[at].max(above) };
            corner = above;
        }
    }
    row[other.len()]
}

/// Twelve jobs on one machine that take 1 to 12 in ascending order, which has the least flow time.
fn ascending() -> (Instance, Vec<u16>) {
    (Instance::of_times("ascending", 1, (1..=12).collect()).unwrap(), (0..12).collect())
}

#[test]
fn a_place_that_costs_nothing_moves_nothing() {
    let (instance, order) = ascending();
    let ask = |objective, position| rearranged(&instance, &order, objective, Held { job: 3, position }, 1, &|| false);
    let stays = Rearranged { order: order.clone(), moved: Vec::new(), change: 0 };
    assert_eq!(ask(Objective::FlowTime, 3), Some(stays));
    let elsewhere = ask(Objective::Makespan, 9).unwrap();
    assert_eq!((elsewhere.order[9], elsewhere.moved.len(), elsewhere.change), (3, 0, 0), "any order takes as long");
    assert_eq!(ask(Objective::Makespan, 12), None);
    assert_eq!(ask(Objective::Tardiness, 3), None, "nothing has due dates");
    let over = rearranged(&instance, &order, Objective::FlowTime, Held { job: 3, position: 9 }, 1, &|| true);
    assert_eq!(over, None);
}

/// Six red jobs before six blue ones, with set-ups of 50 between colours. A red job behind the first blue one takes two set-ups more, of
/// which one is saved by a blue job that goes to the front.
#[test]
fn others_follow_where_that_saves_more_than_their_price() {
    let mut instance = Instance::of_times("colours", 1, vec![5; 12]).unwrap();
    let colour = |at| if at < 6 { "red".to_owned() } else { "blue".to_owned() };
    instance.jobs.iter_mut().enumerate().for_each(|(at, job)| job.family = colour(at));
    let mut setups = crate::Setups::of(&instance.jobs, 1).unwrap();
    setups.between_families_mut(Some(0), 1).fill(50);
    setups.between_families_mut(Some(1), 0).fill(50);
    instance.setups = Some(setups.into());
    let instance = instance.validated().unwrap();
    let order: Vec<u16> = (0..12).collect();
    let held = Held { job: 0, position: 6 };
    let answer = rearranged(&instance, &order, Objective::Makespan, held, 1, &|| false).unwrap();
    assert_eq!((answer.order[6], answer.moved.len(), answer.change), (0, 1, 50), "{answer:?}");
}

/// Two jobs must stand before the held one, which goes to the front but one: one of both has to go before it, which leaves no place for
/// the other.
#[test]
fn a_place_that_no_order_has_is_refused_and_rules_make_others_move() {
    let (mut instance, order) = ascending();
    let pair = |first| Precedence { first, then: 8 };
    instance.rules.precedences = vec![pair(6)];
    let ask = |instance: &Instance, position| {
        rearranged(instance, &order, Objective::FlowTime, Held { job: 8, position }, 1, &|| false)
    };
    let answer = ask(&instance, 1).unwrap();
    assert_eq!((answer.order[0], answer.order[1]), (6, 8), "{answer:?}");
    assert!(answer.moved.contains(&6));
    instance.rules.precedences.push(pair(7));
    assert_eq!(ask(&instance, 1), None);
    instance.rules.pins = vec![Pin { job: 2, position: 2 }];
    assert_eq!(ask(&instance, 2), None, "another job is pinned there");
}

#[test]
fn texts_of_held_jobs_are_read_and_others_explained() {
    let (instance, _) = ascending();
    assert_eq!(Held::of(&instance, "J4 = 12").unwrap(), Held { job: 3, position: 11 });
    for (text, piece) in
        [("J4", "such as FA-104=3"), ("J4=0", "counted from 1"), ("X=1", "no job"), ("J4=13", "1 to 12")]
    {
        assert!(Held::of(&instance, text).unwrap_err().to_string().contains(piece), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Wherever a job is held, with set-ups, weights, working times, started jobs, pins and pairs: the job is there, nothing is broken that
    /// held before, the listed jobs are as few as the longest common subsequence leaves, the change is the checker's, and the same
    /// question has the same answer.
    #[test]
    fn whatever_is_held_nothing_breaks_and_the_answer_is_the_same_again(
        (mut instance, order) in planned(), rules in any::<[u8; 5]>(), place in any::<[u8; 3]>(),
    ) {
        let count = order.len();
        let at = |number: u8| usize::from(number) % count;
        if rules[0] % 3 > 0 {
            let position = at(rules[1]);
            instance.rules.pins = vec![Pin { job: order[position], position: position as u16 }];
        }
        let (first, then) = (at(rules[2]).min(at(rules[3])), at(rules[2]).max(at(rules[3])));
        if rules[4] % 3 > 0 && first != then {
            instance.rules.precedences = vec![Precedence { first: order[first], then: order[then] }];
        }
        let objective = Objective::ALL[usize::from(place[2]) % 4];
        let held = Held { job: at(place[0]), position: at(place[1]) };
        let ask = |seed| rearranged(&instance, &order, objective, held, seed, &|| false);
        let before = check(&instance, &order);
        let Some(answer) = ask(3) else { return Ok(()) };
        prop_assert_eq!(usize::from(answer.order[held.position]), held.job);
        let after = check(&instance, &answer.order);
        prop_assert!(before.feasible && after.feasible, "{:?}", after.violations);
        let change = after.value(objective).unwrap() as i64 - before.value(objective).unwrap() as i64;
        prop_assert_eq!(answer.change, change);
        let free = |order: &[u16]| -> Vec<u16> {
            let is_free = |job: &u16| usize::from(*job) != held.job && instance.rules.pinned((*job).into()).is_none();
            order.iter().copied().filter(is_free).collect()
        };
        let (one, other) = (free(&order), free(&answer.order));
        prop_assert_eq!(answer.moved.len(), one.len() - common(&one, &other));
        prop_assert!(answer.moved.iter().all(|job| !instance.frozen.order.contains(job)));
        prop_assert_eq!(ask(3), Some(answer));
    }

    /// Others that follow never make the objective worse than the held job alone does.
    #[test]
    fn others_follow_only_where_that_helps((instance, order) in planned(), place in any::<[u8; 3]>()) {
        let at = |number: u8| usize::from(number) % order.len();
        let objective = Objective::ALL[usize::from(place[2]) % 4];
        let held = Held { job: at(place[0]), position: at(place[1]) };
        let from = order.iter().position(|&job| usize::from(job) == held.job).unwrap();
        let alone = check(&instance, &instance.rules.moved(&order, [from, held.position]));
        let answer = rearranged(&instance, &order, objective, held, 1, &|| false);
        prop_assert!(answer.is_some() || !alone.feasible);
        if let Some(answer) = answer {
            let now = check(&instance, &answer.order);
            prop_assert!(now.value(objective) <= alone.value(objective));
            prop_assert!(answer.moved.is_empty() || now.value(objective) < alone.value(objective) || objective == Objective::Tardy);
        }
    }
}
