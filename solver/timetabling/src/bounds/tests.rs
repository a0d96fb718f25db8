use gridwright_core::random::{Philox, index};

use super::{LowerBound, Reason};
use crate::check::check;
use crate::{Exam, Instance, InstanceParts, Objective, Period, Relation, RelationKind, Rules, Timetable};

/// Random numbers of one session, in order.
struct Numbers {
    philox: Philox,
    next: u32,
}

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.next += 1;
        index(self.philox.words(0, self.next, 0, 0)[0], limit as u32) as usize
    }
}

fn objective(numbers: &mut Numbers) -> Objective {
    let texts = [
        "toronto",
        "toronto,proximity=3,night=2",
        "office",
        "office,large_exams=2,late_periods=3,period=2",
        "office,short_break=90,break_minutes=200,uneven_days=7",
        "itc-2007,late_periods=2,large_exams=3",
        "office,days=0,in_a_day=0,spread=4,spread_periods=2",
    ];
    Objective::parse(texts[numbers.below(texts.len())], &Objective::default()).unwrap()
}

/// A dated session of at most five exams and five periods with rules, seats and prices.
fn session(seed: u64, students: usize) -> Instance {
    let mut numbers = Numbers { philox: Philox::new(seed), next: 0 };
    let (exams, periods) = (3 + numbers.below(3), 3 + numbers.below(3));
    let time = |hour: usize| chrono::NaiveTime::from_hms_opt(hour as u32, 0, 0);
    let mut day = 1;
    let mut period = |at: usize| {
        day += u32::from(at > 0 && numbers.below(2) == 0) * (1 + numbers.below(2) as u32);
        Period {
            date: chrono::NaiveDate::from_ymd_opt(2027, 2, day),
            start: time(8 + 3 * at),
            end: time(10 + 3 * at),
            seats: (numbers.below(3) == 0).then(|| (students * 2).div_ceil(3) as u32),
            penalty: numbers.below(3) as u32,
        }
    };
    let periods: Vec<Period> = (0..periods).map(&mut period).collect();
    let of_student = |numbers: &mut Numbers| (0..exams as u16).filter(|_| numbers.below(2) == 0).collect();
    let students = (0..students).map(|_| of_student(&mut numbers)).collect();
    let mut rules = Rules::default();
    let count = numbers.below(3) as u16;
    rules.pins.extend((numbers.below(3) == 0).then(|| (numbers.below(exams) as u16, count)));
    for exam in 0..exams as u16 {
        if numbers.below(4) == 0 {
            rules.forbidden.entry(exam).or_default().extend([numbers.below(periods.len()) as u16, count]);
        }
    }
    if numbers.below(3) == 0 {
        rules.relations.insert(Relation::new(RelationKind::Before, numbers.below(exams), exams - 1));
    }
    let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let objective = objective(&mut numbers);
    let parts = InstanceParts { exams, students, periods, rules, objective, ..InstanceParts::default() };
    Instance::build(parts).unwrap()
}

/// Lowest cost of all timetables without violations; `None` if there is none.
fn least(instance: &Instance) -> Option<u64> {
    let (exams, periods) = (instance.exam_count(), instance.period_count());
    let timetable = |number: usize| {
        let digit = |exam: usize| (number / periods.pow(exam as u32) % periods) as u16;
        Timetable::of((0..exams).map(digit).collect())
    };
    let valid = (0..periods.pow(exams as u32)).map(timetable).filter(|one| one.cost(instance).clashes == 0);
    valid.map(|timetable| check(instance, &timetable)).filter(|found| found.feasible).map(|found| found.raw).min()
}

#[test]
fn no_timetable_of_small_sessions_costs_less() {
    let (mut positive, mut met, mut limited) = (0, 0, 0);
    for seed in 0..500 {
        let instance = session(seed, 1 + seed as usize % 9);
        let bound = LowerBound::of(&instance);
        assert_eq!(bound.reasons.iter().map(Reason::cost).sum::<u64>(), bound.raw);
        let Some(least) = least(&instance) else { continue };
        assert!(bound.raw <= least, "seed {seed}: {bound:?}, but a timetable costs {least}");
        positive += usize::from(bound.raw > 0);
        met += usize::from(bound.raw == least);
        limited += usize::from(bound.reasons.iter().any(|reason| matches!(reason, Reason::Capacity { .. })));
    }
    assert!(positive > 250 && met > 100 && limited > 5, "{positive} positive, {met} met, {limited} limited");
}

/// Without other students, seats and relations the bound of the places is the lowest cost, except for even loads.
#[test]
fn the_bound_of_one_student_is_the_lowest_cost() {
    let mut compared = 0;
    for seed in 1_000..1_200 {
        let mut instance = session(seed, 1);
        instance.rules.relations.clear();
        instance.objective.weights.uneven_days = 0;
        instance.periods.iter_mut().for_each(|period| (period.seats, period.penalty) = (None, 0));
        instance.objective.weights.large_exams = 0;
        if let Some(least) = least(&instance) {
            assert_eq!(LowerBound::of(&instance).raw, least, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Ten students with three exams each and four periods: at best 1, 2, 4 or 1, 3, 4 (w(1) + w(2) + w(3) = 16 + 8 + 4).
#[test]
fn reasons_are_said_in_words() {
    let exams = (0..3).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let periods = vec![Period::default(); 4];
    let parts = InstanceParts { exams, periods, students: vec![vec![0, 1, 2]; 10], ..InstanceParts::default() };
    let instance = Instance::build(parts).unwrap();
    let bound = LowerBound::of(&instance);
    assert_eq!(bound.raw, 280);
    assert_eq!(bound.texts(&instance), ["10 students with 3 exams each, at least 28 for each (100 %)"]);
    assert_eq!(least(&instance), Some(280));
    assert_eq!(LowerBound::of(&Instance { periods: Vec::new(), ..instance }), LowerBound::default());
}

/// Students with two exams who all want the first and the last period, of whom only one exam can be in either.
#[test]
fn periods_that_hold_few_students_force_others() {
    let exams = (0..4).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let periods = vec![Period { seats: Some(6), ..Period::default() }; 4];
    let students = [vec![0, 1], vec![2, 3]].into_iter().flat_map(|exams| vec![exams; 6]).collect();
    let instance = Instance::build(InstanceParts { exams, periods, students, ..InstanceParts::default() }).unwrap();
    let bound = LowerBound::of(&instance);
    // Alone every student pays w(3) = 4. With six in each period, 8 + 8 for a pair of students.
    assert_eq!(least(&instance), Some(6 * 16));
    assert!((90..=96).contains(&bound.raw), "{bound:?}");
    let capacity = Reason::Capacity { students: 6, cost: bound.raw - 12 * 4 };
    assert!(bound.reasons.contains(&capacity), "{bound:?}");
}
