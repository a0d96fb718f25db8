mod documents;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{NaiveDate, NaiveTime};
use proptest::prelude::*;

use super::check::{Fault, FaultKind, check};
use super::replace::{LateAbsence, replace, with_absences};
use super::*;
use crate::invigilators::{ChiefScope, InvigilationRules, Post, Role};
use crate::{Exam, InstanceParts, Period, Resources, Room, Seats};

/// An exam of a drawn session: period, room and number of students.
type DrawnExam = (u16, u16, u32);

/// Period with a date in June 2026, start and end in hours.
fn period(day: u32, start: u32, end: u32) -> Period {
    let time = |hour| NaiveTime::from_hms_opt(hour, 0, 0);
    Period { date: NaiveDate::from_ymd_opt(2026, 6, day), start: time(start), end: time(end), ..Period::default() }
}

/// Two periods that overlap, one directly behind them, and one on the next day.
fn periods() -> Vec<Period> {
    vec![period(1, 9, 11), period(1, 10, 12), period(1, 12, 14), period(2, 9, 11)]
}

/// The number of a period's slot, known beforehand.
const SLOTS: [usize; 4] = [0, 0, 1, 2];

fn person(code: &str) -> Invigilator {
    Invigilator { code: code.to_owned(), ..Invigilator::default() }
}

fn people(count: usize) -> Vec<Invigilator> {
    (0..count).map(|number| person(&format!("K{number}"))).collect()
}

/// A session of these exams, each in one room, with its timetable. Rooms 0 and 2 are in the building Main, rooms 1 and 3 in West.
fn session(exams: &[DrawnExam], periods: Vec<Period>, people: Vec<Invigilator>) -> (Instance, Timetable) {
    let rooms = exams.iter().map(|exam| exam.1 + 1).max().unwrap_or(0);
    let room = |number: u16| Room {
        code: format!("H{number}"),
        seats: 10_000,
        building: ["Main", "West"][usize::from(number % 2)].to_owned(),
        ..Room::default()
    };
    let exam = |number: usize| Exam { code: format!("E{number}"), ..Exam::default() };
    let students = exams.iter().enumerate();
    let students = students.flat_map(|(exam, of)| vec![vec![exam as u16]; of.2 as usize]).collect();
    let parts = InstanceParts {
        name: "session".to_owned(),
        exams: (0..exams.len()).map(exam).collect(),
        students,
        periods,
        resources: Resources { rooms: (0..rooms).map(room).collect(), invigilators: people, ..Resources::default() },
        ..InstanceParts::default()
    };
    let seats = |exam: &DrawnExam| vec![Seats { room: exam.1, students: exam.2 }];
    let timetable =
        Timetable { periods: exams.iter().map(|exam| exam.0).collect(), rooms: exams.iter().map(seats).collect() };
    (Instance::build(parts).unwrap(), timetable)
}

fn texts(faults: &[Fault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.text.as_str()).collect()
}

/// Needs of a drawn session as the test counts them: slot, period, lowest role, number of people, exams.
fn wanted(instance: &Instance, timetable: &Timetable) -> Vec<(usize, usize, Role, usize, BTreeSet<u16>)> {
    let rules = instance.invigilation_needs();
    let mut rooms: BTreeMap<(u16, u16), (u32, BTreeSet<u16>)> = BTreeMap::new();
    for (exam, seats) in timetable.rooms.iter().enumerate() {
        let of = rooms.entry((timetable.periods[exam], seats[0].room)).or_default();
        of.0 += seats[0].students;
        of.1.insert(exam as u16);
    }
    let mut wanted = Vec::new();
    let mut areas = BTreeSet::new();
    for ((period, room), (students, exams)) in rooms {
        let at = usize::from(period);
        let count = (1..).find(|count| count * rules.students >= students).unwrap().max(rules.least);
        wanted.push((SLOTS[at], at, Role::Invigilator, count as usize, exams));
        if areas.insert((period, 9)) && rules.reserves > 0 {
            wanted.push((SLOTS[at], at, Role::Reserve, rules.reserves as usize, BTreeSet::new()));
        }
        let area = if rules.chief == ChiefScope::Building { room % 2 } else { 8 };
        if rules.chief != ChiefScope::Nobody && areas.insert((period, area)) {
            wanted.push((SLOTS[at], at, Role::Chief, 1, BTreeSet::new()));
        }
    }
    wanted
}

/// For each vector of loads the largest cover that reaches it, by trying every assignment. `bonus` is added for a person (first) at a
/// need (second).
fn every_load(
    instance: &Instance, needs: &[(usize, usize, Role, usize, BTreeSet<u16>)], bonus: &dyn Fn(usize, usize) -> i64,
) -> HashMap<Vec<u32>, i64> {
    let people = &instance.resources.invigilators;
    let is_possible = |person: usize, need: usize| {
        let (person, (_, period, role, _, exams)) = (&people[person], &needs[need]);
        let is_there = !person.unavailable.contains(&(*period as u16));
        person.role >= *role && is_there && exams.is_disjoint(&person.forbidden_exams)
    };
    let mut states = HashMap::from([(vec![0; people.len()], 0)]);
    for slot in 0..3 {
        let of_slot: Vec<usize> = (0..needs.len()).filter(|&need| needs[need].0 == slot).collect();
        // Assignments of the slot, person after person: need of each, or none.
        let mut choices: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for person in 0..people.len() {
            let mut longer = Vec::new();
            for choice in &choices {
                let fits = |need: usize| {
                    let taken = choice.iter().filter(|other| **other == Some(need)).count();
                    is_possible(person, need) && taken < needs[need].3
                };
                let options = of_slot.iter().copied().filter(|&need| fits(need)).map(Some).chain([None]);
                longer.extend(options.map(|option| [&choice[..], &[option]].concat()));
            }
            choices = longer;
        }
        let mut next: HashMap<Vec<u32>, i64> = HashMap::new();
        for (loads, cover) in &states {
            for choice in &choices {
                let loads: Vec<u32> =
                    loads.iter().zip(choice).map(|(load, need)| load + u32::from(need.is_some())).collect();
                let is_allowed =
                    |(load, person): (&u32, &Invigilator)| person.most_duties.is_none_or(|most| *load <= most);
                if loads.iter().zip(people).all(is_allowed) {
                    let gained =
                        choice.iter().enumerate().filter_map(|(person, need)| Some(1 + bonus(person, (*need)?)));
                    let cover = cover + gained.sum::<i64>();
                    let best = next.entry(loads).or_insert(cover);
                    *best = cover.max(*best);
                }
            }
        }
        states = next;
    }
    states
}

prop_compose! {
    /// A small session with its timetable: fewer exams than `exams`, fewer students in each than `students`, and so many people.
    fn drawn(exams: usize, students: u32, people: std::ops::Range<usize>)(
        exams in proptest::collection::vec((0_u16..4, 0_u16..3, 1..students), 1..exams),
        people in proptest::collection::vec(
            (0_u8..4, 0_u32..2, proptest::option::of(0_u32..3), proptest::collection::btree_set(0_u16..4, 0..2),
             proptest::collection::btree_set(0_u16..5, 0..2)), people),
        (chief, reserves) in (0_usize..3, 0_u32..2),
    ) -> (Instance, Timetable) {
        let number_of_exams = exams.len() as u16;
        let people = people.into_iter().enumerate().map(|(number, (role, least, most, unavailable, forbidden))| Invigilator {
            code: format!("K{number}"),
            role: [Role::Reserve, Role::Invigilator, Role::Invigilator, Role::Chief][usize::from(role)],
            least_duties: least.min(most.unwrap_or(least)),
            most_duties: most,
            unavailable,
            forbidden_exams: forbidden.into_iter().filter(|&exam| exam < number_of_exams).collect(),
            ..Invigilator::default()
        });
        let (mut instance, timetable) = session(&exams, periods(), people.collect());
        instance.resources.invigilation = Some(InvigilationRules {
            chief: Some([ChiefScope::Nobody, ChiefScope::Period, ChiefScope::Building][chief]),
            reserves: Some(reserves),
            ..InvigilationRules::default()
        });
        (instance, timetable)
    }
}

proptest! {
    /// Cover, loads and bounds are those that trying every assignment finds.
    #[test]
    fn cover_and_loads_are_the_best_possible((instance, timetable) in drawn(5, 70, 1..5)) {
        let needs = wanted(&instance, &timetable);
        let states = every_load(&instance, &needs, &|_, _| 0);
        let most = *states.values().max().unwrap();
        let best: Vec<&Vec<u32>> = states.iter().filter(|state| *state.1 == most).map(|state| state.0).collect();
        let people = &instance.resources.invigilators;
        let value = |loads: &[u32]| {
            let lacking = loads.iter().zip(people).map(|(load, person)| person.least_duties.saturating_sub(*load));
            (lacking.sum::<u32>(), loads.iter().map(|load| load * load).sum::<u32>())
        };
        let assignment = assign(&instance, &timetable).unwrap();
        let load = |person: &Invigilator| assignment.duties.iter().filter(|duty| duty.invigilator == person.code).count() as u32;
        let reached: Vec<u32> = people.iter().map(load).collect();
        prop_assert_eq!(assignment.duties.len() as i64, most);
        prop_assert_eq!(assignment.needed, needs.iter().map(|need| need.3).sum::<usize>());
        prop_assert_eq!(assignment.gaps.is_empty(), assignment.needed as i64 == most, "{:?}", assignment.gaps);
        // A shortage by counts is one in every assignment.
        prop_assert!(assignment.shortages.is_empty() || !assignment.gaps.is_empty(), "{:?}", assignment.shortages);
        // So is one that no timetable avoids.
        let lacking = instance.invigilators_lacking();
        prop_assert!(lacking.is_none() || !assignment.gaps.is_empty(), "{lacking:?}");
        prop_assert_eq!(Some(value(&reached)), best.iter().map(|loads| value(loads)).min());
        let is_usable = |at: usize| {
            let is_there = |need: &(usize, usize, Role, usize, BTreeSet<u16>)| {
                people[at].role >= need.2 && !people[at].unavailable.contains(&(need.1 as u16))
                    && need.4.is_disjoint(&people[at].forbidden_exams)
            };
            people[at].most_duties != Some(0) && needs.iter().any(is_there)
        };
        let usable: Vec<usize> = (0..people.len()).filter(|&at| is_usable(at)).collect();
        let of = |loads: &[u32]| usable.iter().map(|&at| loads[at] as usize).collect::<Vec<_>>();
        let bounds = assignment.loads.map(|loads| (loads.smallest_bound, loads.largest_bound));
        let smallest = best.iter().filter_map(|loads| of(loads).into_iter().min()).max();
        let largest = best.iter().filter_map(|loads| of(loads).into_iter().max()).min();
        prop_assert_eq!(bounds, smallest.zip(largest));
        let faults = check(&instance, &timetable, &assignment.duties);
        let others: Vec<_> = faults.iter().filter(|fault| !matches!(fault.kind, FaultKind::Uncovered | FaultKind::Load)).collect();
        prop_assert!(others.is_empty(), "{others:?}");
        let is_open = faults.iter().any(|fault| fault.kind == FaultKind::Uncovered);
        prop_assert_eq!(is_open, !assignment.gaps.is_empty());
    }

    /// A replacement leaves as few posts open and moves as few people as trying every assignment finds.
    #[test]
    fn replacements_move_the_fewest((instance, timetable) in drawn(3, 31, 4..6), absent in 0_usize..4, period in 0_u16..4) {
        let before = assign(&instance, &timetable).unwrap();
        prop_assume!(before.gaps.is_empty());
        let late = LateAbsence { person: absent, periods: [period].into() };
        let instance = with_absences(&instance, &[late]);
        let needs = Needs::of(&instance, &timetable).unwrap();
        let as_counted: Vec<_> = needs.all.iter()
            .map(|need| (SLOTS[need.period], need.period, need.post.least_role(), need.count, need.exams.iter().map(|&exam| exam as u16).collect()))
            .collect();
        let had = |person: usize, need: usize| before.duties.iter().any(|duty| {
            duty.invigilator == instance.resources.invigilators[person].code && duty.post == needs.all[need].post
                && instance.period_of(&duty.when) == Some(needs.all[need].period)
        });
        // Each duty counts 100, each one that somebody did not have before 1 less.
        let best = every_load(&instance, &as_counted, &|person, need| if had(person, need) { 99 } else { 98 });
        let after = replace(&instance, &timetable, &before.duties).unwrap();
        let is_whole = after.gaps.is_empty();
        let new = after.vacancies.iter().filter(|vacancy| vacancy.by.is_some()).count() + after.moved.len();
        let reached = (after.duties.len() * 100 - new) as i64;
        let best = *best.values().max().unwrap();
        prop_assert_eq!(after.duties.len() as i64, (best + 99) / 100);
        prop_assert!(!is_whole || reached == best, "{} {}", reached, best);
        let has_free = |vacancy: &replace::Vacancy| !vacancy.free.is_empty();
        prop_assert!(after.vacancies.len() != 1 || !has_free(&after.vacancies[0]) || after.moved.is_empty());
        let faults = check(&instance, &timetable, &after.duties);
        prop_assert!(faults.iter().all(|fault| matches!(fault.kind, FaultKind::Uncovered | FaultKind::Load)), "{:?}", texts(&faults));
    }

    /// On a timetable with an exam elsewhere, as many posts are covered and as many duties kept as trying every assignment finds.
    #[test]
    fn adjusted_duties_cover_the_most_and_keep_the_most(
        (instance, timetable) in drawn(4, 70, 2..5), (exam, to, room) in (0_usize..3, 0_u16..4, 0_u16..3),
    ) {
        let before = assign(&instance, &timetable).unwrap().duties;
        let mut changed = timetable.clone();
        let exam = exam % changed.periods.len();
        changed.periods[exam] = to;
        changed.rooms[exam][0].room = room.min(instance.resources.rooms.len() as u16 - 1);
        let needs = Needs::of(&instance, &changed).unwrap();
        let as_counted: Vec<_> = needs.all.iter()
            .map(|need| (SLOTS[need.period], need.period, need.post.least_role(), need.count, need.exams.iter().map(|&exam| exam as u16).collect()))
            .collect();
        let had = |person: usize, need: usize| before.iter().any(|duty| {
            duty.invigilator == instance.resources.invigilators[person].code && duty.post == needs.all[need].post
                && instance.period_of(&duty.when) == Some(needs.all[need].period)
        });
        // Each duty counts 100, each one that somebody had before 1 more.
        let best = every_load(&instance, &as_counted, &|person, need| if had(person, need) { 100 } else { 99 });
        let after = adjust::adjust(&instance, &changed, &before).unwrap();
        prop_assert_eq!((after.duties.len() * 100 + after.kept) as i64, *best.values().max().unwrap());
        prop_assert_eq!(after.gaps.is_empty(), after.duties.len() == after.needed);
        let faults = check(&instance, &changed, &after.duties);
        prop_assert!(faults.iter().all(|fault| matches!(fault.kind, FaultKind::Uncovered | FaultKind::Load)), "{:?}", texts(&faults));
        // What needs no adjustment stays as it is.
        prop_assert_eq!(adjust::adjust(&instance, &timetable, &before).unwrap().duties, before);
    }
}

/// 300 sittings in 25 periods and 120 people: everything is covered, and the loads are at their bounds.
#[test]
fn a_large_session_is_covered_with_even_loads() {
    let exams: Vec<DrawnExam> =
        (0..300_u32).map(|exam| ((exam % 25) as u16, (exam / 25) as u16, 5 + 7 * exam % 90)).collect();
    let periods =
        (0..25).map(|at| period(1 + at / 3, [9, 13, 16][at as usize % 3], [11, 15, 18][at as usize % 3])).collect();
    let mut staff = people(120);
    for (number, person) in staff.iter_mut().enumerate() {
        person.unavailable = (0..25).filter(|period| (usize::from(*period) * 7 + number).is_multiple_of(5)).collect();
        person.forbidden_colleagues = [((number + 1) % 120) as u16].into();
        person.forbidden_exams = [(number * 2) as u16].into();
        person.role = [Role::Chief, Role::Invigilator, Role::Invigilator, Role::Reserve][number % 4];
    }
    let (instance, timetable) = session(&exams, periods, staff);
    let assignment = assign(&instance, &timetable).unwrap();
    assert_eq!((assignment.gaps.len(), assignment.shortages.len()), (0, 0), "{:?}", assignment.gaps);
    let loads = assignment.loads.unwrap();
    assert_eq!((loads.smallest, loads.largest), (loads.smallest_bound, loads.largest_bound));
    assert_eq!(texts(&check(&instance, &timetable, &assignment.duties)), [""; 0]);
    assert_eq!(assignment.too_long_rows, 0);
    // Without exchanges, colleagues share rooms and people walk more.
    let needs = Needs::of(&instance, &timetable).unwrap();
    let network = network(&instance, &needs);
    let plain = network.solve().0;
    let exchange = exchange::Exchange::new(&instance, &needs, &network, 2);
    assert!(exchange.rows_and_changes(&plain).1 > assignment.building_changes, "{}", assignment.building_changes);
}

#[test]
fn shortages_are_named_with_numbers_before_anything_is_solved() {
    let exams = [(0, 0, 60), (3, 1, 70), (3, 2, 30)];
    let (mut instance, timetable) = session(&exams, periods(), people(3));
    instance.resources.invigilators[0].unavailable = [3].into();
    let assignment = assign(&instance, &timetable).unwrap();
    let expected = [
        "Tue 2 Jun, 09:00–11:00 needs 4 invigilators, 2 are available",
        "all periods together need 6 duties, 3 invigilators may have 5 together",
    ];
    assert_eq!(assignment.shortages, expected);
    assert_eq!(assignment.gaps.len(), 3, "{:?}", assignment.gaps);
    // With at most one duty each there are too few in all, and nobody may be in the room of an own exam.
    for person in &mut instance.resources.invigilators {
        (person.most_duties, person.forbidden_exams) = (Some(1), [2].into());
    }
    instance.resources.invigilation = Some(InvigilationRules { students: Some(60), ..InvigilationRules::default() });
    let shortages = assign(&instance, &timetable).unwrap().shortages;
    assert_eq!(
        shortages[..2],
        [
            "Tue 2 Jun, 09:00–11:00 needs 3 invigilators, 2 are available",
            "all periods together need 4 duties, 3 invigilators may have 3 together"
        ]
    );
    instance.resources.invigilators[0].unavailable.clear();
    let assignment = assign(&instance, &timetable).unwrap();
    assert_eq!(assignment.shortages[0], "Tue 2 Jun, 09:00–11:00, room H2: 1 invigilator needed, 0 may be there");
    let open = "Tue 2 Jun, 09:00–11:00, room H2: 1 invigilator missing, none is there";
    assert!(assignment.gaps.iter().any(|gap| gap == open), "{:?}", assignment.gaps);
    assert!(assignment.gaps.iter().any(|gap| gap.starts_with("1 duty open to nobody")), "{:?}", assignment.gaps);
}

/// Duties that are open to the same people are one reason, however many of them nobody has.
#[test]
fn a_reason_is_told_once_with_its_periods() {
    let exams = [(0, 0, 10), (0, 1, 10), (0, 2, 10), (0, 3, 10), (3, 0, 10), (3, 1, 10), (3, 2, 10), (2, 0, 10)];
    let (instance, timetable) = session(&exams, periods(), people(2));
    let gaps = assign(&instance, &timetable).unwrap().gaps;
    let reasons: Vec<&String> = gaps.iter().filter(|gap| gap.contains("open to")).collect();
    let expected = "7 duties open to 2 people only (K0, K1), who may have 4 of them: Mon 1 Jun, 09:00–11:00, Tue 2 Jun, 09:00–11:00; \
                    raise most duties, shorten absences or add people";
    assert_eq!(reasons, [expected]);
    assert_eq!(gaps.len(), 3 + 1, "{gaps:?}");
}

/// Too few people for the seats of any timetable, whatever its rooms and periods.
#[test]
fn people_who_are_too_few_for_every_timetable_are_told_without_one() {
    let (mut instance, _) = session(&[(0, 0, 60), (1, 1, 70), (3, 2, 30)], periods(), people(2));
    assert_eq!(instance.invigilators_lacking(), None, "two people in four periods may have 8 of 6 duties");
    instance.resources.invigilators[0].most_duties = Some(1);
    instance.resources.invigilators[1].role = Role::Reserve;
    let expected = "rooms need at least 6 duties for 160 seats in all periods, 1 invigilator may have 1 together; add people, or \
                    raise their most duties";
    assert_eq!(instance.invigilators_lacking().as_deref(), Some(expected));
    // Three in every room, of which each holds at most 60.
    instance.resources.invigilation =
        Some(InvigilationRules { students: Some(200), least: Some(3), ..InvigilationRules::default() });
    instance.resources.rooms.iter_mut().for_each(|room| room.seats = 60);
    assert!(instance.invigilators_lacking().unwrap().contains("at least 8 duties"));
    instance.resources.invigilators.clear();
    assert_eq!(instance.invigilators_lacking(), None);
}

#[test]
fn without_rooms_or_people_the_remedy_is_told() {
    let (instance, timetable) = session(&[(0, 0, 5)], periods(), people(1));
    let bare = Timetable::of(timetable.periods.clone());
    assert!(assign(&instance, &bare).unwrap_err().to_string().contains("solve with rooms first"));
    let (nobody, timetable) = session(&[(0, 0, 5)], periods(), Vec::new());
    assert!(assign(&nobody, &timetable).unwrap_err().to_string().contains("put a table invigilators.csv"));
}

/// Each kind of damage to good duties is a fault of its kind.
#[test]
fn the_check_refuses_every_kind_of_damage() {
    let (mut instance, timetable) = session(&[(0, 0, 40), (1, 1, 20), (3, 0, 20)], periods(), people(5));
    instance.resources.invigilators[4].role = Role::Reserve;
    instance.resources.invigilators[0].most_duties = Some(2);
    let good = assign(&instance, &timetable).unwrap().duties;
    assert_eq!(texts(&check(&instance, &timetable, &good)), [""; 0]);
    assert_eq!(good.iter().filter(|duty| duty.post == Post::Reserve).count(), 3);
    let kinds = |instance: &Instance, duties: &[Duty]| -> BTreeSet<FaultKind> {
        check(instance, &timetable, duties).into_iter().map(|fault| fault.kind).collect()
    };
    let changed = |at: usize, change: &dyn Fn(&mut Duty)| {
        let mut duties = good.clone();
        change(&mut duties[at]);
        kinds(&instance, &duties)
    };
    let in_h0 = good.iter().position(|duty| duty.post == Post::Room("H0".to_owned())).unwrap();
    let (first, second) = (good[in_h0].clone(), good[in_h0 + 1].clone());
    assert!(changed(in_h0, &|duty| duty.invigilator = "nobody".to_owned()).contains(&FaultKind::Unknown));
    assert!(changed(in_h0, &|duty| duty.when.date = NaiveDate::from_ymd_opt(2026, 7, 1)).contains(&FaultKind::Unknown));
    assert!(changed(in_h0, &|duty| duty.post = Post::Room("X".to_owned())).contains(&FaultKind::Unknown));
    assert_eq!(kinds(&instance, &good[1..]), [FaultKind::Uncovered].into());
    assert!(changed(in_h0, &|duty| duty.post = Post::Chief("Main".to_owned())).contains(&FaultKind::Surplus));
    assert!(changed(in_h0, &|duty| duty.invigilator = "K4".to_owned()).contains(&FaultKind::Role));
    assert!(changed(in_h0, &|duty| duty.invigilator.clone_from(&second.invigilator)).contains(&FaultKind::Overlap));
    // The second period overlaps the first.
    let of_second = good.iter().position(|duty| duty.when.period == 2 && duty.post != Post::Reserve).unwrap();
    assert!(changed(of_second, &|duty| duty.invigilator.clone_from(&first.invigilator)).contains(&FaultKind::Overlap));
    let with = |change: &dyn Fn(&mut Vec<Invigilator>)| {
        let mut instance = instance.clone();
        change(&mut instance.resources.invigilators);
        kinds(&instance, &good)
    };
    let index = |code: &str| code[1..].parse::<usize>().unwrap();
    let (one, other) = (index(&first.invigilator), index(&second.invigilator));
    assert_eq!(with(&|people| people[one].unavailable = [0].into()), [FaultKind::Absent].into());
    assert_eq!(with(&|people| people[one].forbidden_exams = [0].into()), [FaultKind::Exam].into());
    assert_eq!(with(&|people| people[other].forbidden_colleagues = [one as u16].into()), [FaultKind::Colleague].into());
    assert_eq!(with(&|people| people[4].most_duties = Some(0)), [FaultKind::Load].into());
    assert_eq!(with(&|people| people[3].least_duties = 9), [FaultKind::Load].into());
}

#[test]
fn colleagues_who_must_not_share_a_room_are_parted() {
    let (mut instance, timetable) = session(&[(0, 0, 60), (0, 1, 60), (3, 0, 60), (3, 1, 60)], periods(), people(4));
    instance.resources.invigilators[0].forbidden_colleagues = [1].into();
    instance.resources.invigilators[3].forbidden_colleagues = [2].into();
    let assignment = assign(&instance, &timetable).unwrap();
    assert_eq!(texts(&check(&instance, &timetable, &assignment.duties)), [""; 0]);
}

#[test]
fn rows_are_broken_and_people_stay_in_their_building() {
    let day = |at: u32| period(1, 8 + 2 * at, 10 + 2 * at);
    let exams: Vec<DrawnExam> = (0..4).flat_map(|at| [(at, 0, 20), (at, 1, 20)]).collect();
    let (instance, timetable) = session(&exams, (0..4).map(day).collect(), people(4));
    let assignment = assign(&instance, &timetable).unwrap();
    assert_eq!((assignment.too_long_rows, assignment.building_changes), (0, 0), "{:?}", assignment.duties);
    assert_eq!(assignment.loads.map(|loads| (loads.smallest, loads.largest)), Some((2, 2)));
}

#[test]
fn late_absences_are_read_as_the_table_writes_them() {
    let (instance, _) = session(&[(0, 0, 5)], periods(), people(2));
    let read = |text: &str| LateAbsence::parse(text, &instance).map(|absence| (absence.person, absence.periods));
    assert_eq!(read("K1").unwrap(), (1, [0, 1, 2, 3].into()));
    assert_eq!(read("k1=2026-06-02; 3").unwrap(), (1, [2, 3].into()));
    assert_eq!(read("K0 = Mon").unwrap(), (0, [0, 1, 2].into()));
    for (text, why) in [("K9", "is no invigilator"), ("K1=soon", "neither a number"), ("K1=Sun", "no period is on Sun")]
    {
        assert!(read(text).unwrap_err().to_string().contains(why), "{text}");
    }
}

/// Time for 300 sittings in 30 periods with 120 invigilators, some of whom are absent or chiefs, and the loads that are reached.
#[test]
#[ignore = "measures times, which other tests would disturb"]
fn a_session_of_300_sittings_is_covered_evenly_without_delay() {
    let periods = (0..30).map(|at| period(1 + at / 3, 8 + 4 * (at % 3), 11 + 4 * (at % 3))).collect();
    let exams: Vec<DrawnExam> = (0..300).map(|at| (at % 30, at / 30, 15 + u32::from(at) * 37 % 100)).collect();
    let mut staff = people(120);
    for (number, person) in staff.iter_mut().enumerate() {
        person.role = if number % 12 == 0 { Role::Chief } else { Role::Invigilator };
        // Every fourth person is absent for a fifth of the session.
        let first = (number * 7 % 25) as u16;
        person.unavailable = if number % 4 == 0 { (first..first + 6).collect() } else { BTreeSet::new() };
    }
    let (instance, timetable) = session(&exams, periods, staff);
    let began = std::time::Instant::now();
    let assignment = assign(&instance, &timetable).unwrap();
    let seconds = began.elapsed().as_secs_f64();
    let loads = assignment.loads.as_ref().unwrap();
    println!(
        "{} of {} duties in {seconds:.2} s; {loads:?}; {} changes of the building, {} beyond the most in a row",
        assignment.duties.len(),
        assignment.needed,
        assignment.building_changes,
        assignment.too_long_rows
    );
    assert_eq!((assignment.gaps.len(), assignment.duties.len()), (0, assignment.needed));
    assert_eq!((loads.smallest, loads.largest), (loads.smallest_bound, loads.largest_bound));
    assert_eq!(texts(&check(&instance, &timetable, &assignment.duties)), [""; 0]);
    assert!(seconds < 10.0, "{seconds:.2} s");
}
