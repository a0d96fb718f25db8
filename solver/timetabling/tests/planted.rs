//! Tight sessions with rooms in which everything fits, because a timetable was planted: nearly all of them are solved.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use gridwright_core::random::{Philox, index};
use gridwright_core::search::{Algorithms, Budget, Control, Stop};
use gridwright_timetabling::check::check;
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::run::{Algorithm, Settings, solve, timetable_of};
use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, Instance, InstanceParts, Period, Person, Relation, RelationKind, Resources, Room,
    RoomNeeds, Seats, Timetable,
};

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

/// A session with a timetable that holds all exams.
struct Planted {
    parts: InstanceParts,
    /// Planted period of each exam.
    periods: Vec<usize>,
    /// Planted rooms of the students of each exam without extra time.
    rooms: Vec<Vec<Seats>>,
    numbers: Numbers,
}

impl Planted {
    /// Fills most rooms of all periods to the last seats, then draws students and demands that the timetable meets.
    fn session(seed: u64) -> (Instance, Timetable) {
        let mut numbers = Numbers { philox: Philox::new(seed), next: 0 };
        let (periods, rooms) = (5 + numbers.below(5), 3 + numbers.below(4));
        let time = |hour: u32| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
        let period = |at: usize| Period {
            date: chrono::NaiveDate::from_ymd_opt(2027, 2, 1 + at as u32 / 2),
            start: time([9, 14][at % 2]),
            end: time([12, 16][at % 2]),
            ..Period::default()
        };
        let rooms = (0..rooms).map(|number| Room {
            code: format!("R{number}"),
            seats: 10 + 5 * numbers.below(8) as u32,
            single: numbers.below(8) == 0,
            features: if numbers.below(3) == 0 { BTreeSet::from(["computers".to_owned()]) } else { BTreeSet::new() },
            ..Room::default()
        });
        let resources = Resources { rooms: rooms.collect(), ..Resources::default() };
        let parts = InstanceParts {
            name: format!("planted {seed}"),
            periods: (0..periods).map(period).collect(),
            resources,
            ..InstanceParts::default()
        };
        let mut planted = Self { parts, periods: Vec::new(), rooms: Vec::new(), numbers };
        for period in 0..periods {
            planted.fill(period);
        }
        planted.enrol();
        planted.relate();
        planted.built()
    }

    /// Places exams in a period until hardly a seat is free.
    fn fill(&mut self, period: usize) {
        let rooms = self.parts.resources.rooms.clone();
        let mut number = 0;
        while number < rooms.len() {
            let room = &rooms[number];
            if self.numbers.below(25) == 0 {
                self.parts.resources.rooms[number].unavailable.insert(period as u16);
                number += 1;
                continue;
            }
            // Now and then an exam takes two rooms.
            let next = rooms.get(number + 1).filter(|next| !next.single && !room.single && self.numbers.below(8) == 0);
            if let Some(next) = next {
                let parts = [(number, room.seats), (number + 1, next.seats - self.numbers.below(3) as u32)];
                let seats = parts.map(|(room, students)| Seats { room: room as u16, students });
                self.add(period, seats.to_vec(), RoomNeeds { most_rooms: 2, ..RoomNeeds::default() });
                number += 2;
                continue;
            }
            let mut free = room.seats - self.numbers.below(3) as u32;
            let mut count = if room.single { 1 } else { 1 + self.numbers.below(4) as u32 };
            let is_own = count == 1 && self.numbers.below(4) == 0;
            while count > 0 {
                let students =
                    if count == 1 { free } else { (1 + self.numbers.below(free as usize / 2) as u32).min(free) };
                let needs = RoomNeeds {
                    own_room: is_own,
                    features: if self.numbers.below(2) == 0 { room.features.clone() } else { BTreeSet::new() },
                    ..RoomNeeds::default()
                };
                self.add(period, vec![Seats { room: number as u16, students }], needs);
                free -= students;
                count = if free == 0 { 0 } else { count - 1 };
            }
            number += 1;
        }
    }

    fn add(&mut self, period: usize, seats: Vec<Seats>, needs: RoomNeeds) {
        let longest = [180, 120][period % 2];
        let duration = Some([60, 120, longest][self.numbers.below(3)]);
        let code = format!("E{}", self.periods.len());
        self.parts.exams.push(Exam { code, duration, needs, ..Exam::default() });
        self.periods.push(period);
        self.rooms.push(seats);
    }

    /// Gives the exams their students, most of whom sit several exams of different periods.
    fn enrol(&mut self) {
        let mut missing: Vec<u32> =
            self.rooms.iter().map(|seats| seats.iter().map(|seats| seats.students).sum()).collect();
        while missing.iter().any(|&students| students > 0) {
            let mut own: Vec<u16> = Vec::new();
            for _ in 0..1 + self.numbers.below(5) {
                let exam = self.numbers.below(missing.len());
                let is_free = own.iter().all(|&other| self.periods[usize::from(other)] != self.periods[exam]);
                if missing[exam] > 0 && is_free {
                    missing[exam] -= 1;
                    own.push(exam as u16);
                }
            }
            if own.is_empty() {
                // The last students sit one exam.
                let exam = missing.iter().position(|&students| students > 0).unwrap_or(0);
                missing[exam] -= 1;
                own.push(exam as u16);
            }
            self.parts.students.push(own);
        }
    }

    /// Draws rules, people and extra time that the timetable respects.
    fn relate(&mut self) {
        let exams = self.periods.len();
        for _ in 0..exams / 4 {
            let [first, second] = [self.numbers.below(exams), self.numbers.below(exams)];
            let [a, b] = [self.periods[first], self.periods[second]];
            let kind = match (a.cmp(&b), a / 2 == b / 2) {
                _ if first == second => continue,
                (std::cmp::Ordering::Less, false) => {
                    [RelationKind::Before, RelationKind::DifferentDay][self.numbers.below(2)]
                }
                (std::cmp::Ordering::Less, true) => {
                    [RelationKind::DirectlyBefore, RelationKind::SameDay][self.numbers.below(2)]
                }
                (std::cmp::Ordering::Equal, _) => [RelationKind::Same, RelationKind::SameDay][self.numbers.below(2)],
                (std::cmp::Ordering::Greater, _) => RelationKind::Different,
            };
            self.parts.rules.relations.insert(Relation::new(kind, first, second));
        }
        for number in 0..self.numbers.below(6) {
            let mut own: Vec<usize> = Vec::new();
            for _ in 0..4 {
                let exam = self.numbers.below(exams);
                if own.iter().all(|&other| self.periods[other] != self.periods[exam]) {
                    own.push(exam);
                }
            }
            let absent = self.numbers.below(self.parts.periods.len());
            let is_absent = own.iter().all(|&exam| self.periods[exam] != absent);
            self.parts.resources.people.push(Person {
                name: format!("Dr {number}"),
                exams: own.iter().map(|&exam| exam as u16).collect(),
                unavailable: is_absent.then_some(absent as u16).into_iter().collect(),
            });
        }
        // A student with extra time sits short exams in one room only, so that the timetable need not change.
        for _ in 0..self.numbers.below(8) {
            let student = self.numbers.below(self.parts.students.len());
            let suits = |&exam: &u16| {
                let exam = usize::from(exam);
                self.parts.exams[exam].duration == Some(60) && self.rooms[exam].len() == 1
            };
            let arranged = self.parts.resources.arrangements.iter().any(|it| it.student == student as u32);
            if self.parts.students[student].iter().all(suits) && !arranged {
                let extra = ExtraTime::Minutes(30);
                self.parts.resources.arrangements.push(Arrangement { student: student as u32, extra, own_room: false });
            }
        }
    }

    fn built(self) -> (Instance, Timetable) {
        let instance = Instance::build(self.parts).unwrap();
        let rooms = instance.sittings().into_iter().map(|sitting| match self.rooms[sitting.exam].as_slice() {
            [seats] => vec![Seats { students: sitting.students, ..*seats }],
            parts => parts.to_vec(),
        });
        let periods = self.periods.iter().map(|&period| period as u16).collect();
        let timetable = Timetable { periods, rooms: rooms.collect() };
        (instance, timetable)
    }
}

/// Seconds of a run, and its threads.
const SECONDS: f64 = 15.0;
const THREADS: usize = 2;

/// Exams without a place after at most [`SECONDS`], and the seconds that it took.
fn left_out(instance: &Instance, seed: u64) -> (usize, f64) {
    let (control, began) = (Control::new(), Instant::now());
    let algorithm = Algorithm::named("annealing").unwrap();
    let stop = Stop::after(Budget::Seconds(SECONDS));
    let settings = Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: THREADS, seed, stop };
    // With the first timetable of the search all exams that get a place have one.
    let canceller = control.clone();
    let result = solve(instance, &settings, &control, &mut |_| canceller.cancel()).unwrap();
    (timetable_of(instance, &result).unwrap().unplaced_exams().len(), began.elapsed().as_secs_f64())
}

/// Three runs of each of two hundred tight sessions, or as many as `GRIDWRIGHT_SEEDS` says; as many runs at once as the machine has pairs
/// of threads.
#[test]
#[ignore = "takes minutes"]
fn nearly_all_planted_sessions_are_solved() {
    let seeds = std::env::var("GRIDWRIGHT_SEEDS").map_or(3, |seeds| seeds.parse::<u64>().unwrap());
    let runs: Vec<(u64, u64)> = (0..200).flat_map(|session| (1..=seeds).map(move |seed| (session, seed))).collect();
    let (next, unsolved) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&(session, seed)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (instance, planted) = Planted::session(session);
            let violations = check(&instance, &planted).violations;
            assert!(violations.is_empty(), "session {session}: {violations:?}");
            assert_eq!(contradictions(&instance), Vec::<String>::new(), "session {session}");
            let (out, took) = left_out(&instance, seed);
            println!("session {session}, seed {seed}: {} exams, {out} left out, {took:.2} s", instance.exam_count());
            if out > 0 {
                unsolved.lock().unwrap().push((session, seed, out));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |threads| threads.get() / THREADS).max(1);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let unsolved = unsolved.into_inner().unwrap();
    println!("{} of {} runs are unsolved: {unsolved:?}", unsolved.len(), runs.len());
    assert!(unsolved.len() * 20 <= runs.len(), "{unsolved:?}");
}
