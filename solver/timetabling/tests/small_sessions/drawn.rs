//! Random sessions of few exams under demands of chosen kinds.

use gridwright_core::random::{Philox, index};
use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Period, Person, Relation, RelationKind,
    Resources, Room,
};

/// Kind of a demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    Pin,
    Forbidden,
    Relation(RelationKind),
    /// A person at several exams.
    Person,
    /// A person who is absent in some periods.
    Absence,
    /// A room that cannot be used in some periods.
    Closure,
    /// An exam that needs a feature.
    Feature,
    /// An exam that may use some rooms only.
    AllowedRooms,
    OwnRoom,
    /// A room that holds one exam at a time.
    SingleRoom,
    /// An exam that may be split.
    Split,
    /// Exams of different lengths.
    Duration,
    ExtraTime,
    /// A student in a room of his or her own.
    Alone,
    /// More seats than students.
    Reserved,
}

impl Demand {
    /// All kinds.
    pub fn all() -> Vec<Self> {
        let others = [
            Self::Pin,
            Self::Forbidden,
            Self::Person,
            Self::Absence,
            Self::Closure,
            Self::Feature,
            Self::AllowedRooms,
            Self::OwnRoom,
            Self::SingleRoom,
            Self::Split,
            Self::Duration,
            Self::ExtraTime,
            Self::Alone,
            Self::Reserved,
        ];
        RelationKind::ALL.into_iter().map(Self::Relation).chain(others).collect()
    }
}

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

    /// Two different numbers.
    fn two_below(&mut self, limit: usize) -> [usize; 2] {
        let first = self.below(limit);
        [first, (first + 1 + self.below(limit - 1)) % limit]
    }
}

/// A session of at most eight exams in at most four periods of two days, with at most three rooms, and with demands of these
/// kinds.
pub fn session(seed: u64, demands: &[Demand]) -> Instance {
    let mut numbers = Numbers { philox: Philox::new(seed), next: 0 };
    let (exams, rooms) = (5 + numbers.below(4), numbers.below(5).min(3));
    let days = [[1, 1, 1, 2], [1, 1, 2, 2], [1, 2, 2, 2]][numbers.below(3)];
    let periods = 2 + numbers.below(3);
    let mut students: Vec<Vec<u16>> = Vec::new();
    for exam in 0..exams {
        students.extend((0..1 + numbers.below(5)).map(|_| vec![exam as u16]));
    }
    for _ in 0..numbers.below(2 * exams) {
        let [first, second] = numbers.two_below(exams);
        students.push(vec![first as u16, second as u16]);
    }
    let seats = (rooms == 0 && numbers.below(2) == 0).then(|| 6 + numbers.below(12) as u32);
    let time = |hour: u32| chrono::NaiveTime::from_hms_opt(hour, 0, 0);
    let period = |at: usize| Period {
        date: chrono::NaiveDate::from_ymd_opt(2027, 2, days[at]),
        start: time(8 + 3 * at as u32),
        end: time(10 + 3 * at as u32),
        seats,
        ..Period::default()
    };
    let room =
        |number: usize, seats: usize| Room { code: format!("R{number}"), seats: seats as u32, ..Room::default() };
    let mut parts = InstanceParts {
        name: format!("small {seed}"),
        exams: (0..exams)
            .map(|number| Exam { code: format!("E{number}"), duration: Some(60), ..Exam::default() })
            .collect(),
        students,
        periods: (0..periods).map(period).collect(),
        resources: Resources {
            rooms: (0..rooms).map(|number| room(number, 3 + numbers.below(9))).collect(),
            extra_time: ExtraTimePlace::ALL[(seed % 3) as usize],
            ..Resources::default()
        },
        ..InstanceParts::default()
    };
    parts.rules.fewest_exams = true;
    for &demand in demands {
        for _ in 0..1 + numbers.below(3) {
            add(&mut parts, demand, &mut numbers);
        }
    }
    Instance::build(parts).unwrap()
}

fn add(parts: &mut InstanceParts, demand: Demand, numbers: &mut Numbers) {
    let (exams, periods, rooms) = (parts.exams.len(), parts.periods.len(), parts.resources.rooms.len());
    let (exam, period) = (numbers.below(exams), numbers.below(periods) as u16);
    let people = |numbers: &mut Numbers, unavailable: &[u16]| Person {
        name: format!("Dr {}", numbers.next),
        exams: numbers.two_below(exams).map(|exam| exam as u16).into(),
        unavailable: unavailable.iter().copied().collect(),
    };
    let arrangement = |numbers: &mut Numbers, own_room: bool| Arrangement {
        student: numbers.below(parts.students.len()) as u32,
        extra: [ExtraTime::Minutes(15), ExtraTime::Percent(25), ExtraTime::Minutes(0)][numbers.below(3)],
        own_room,
    };
    match demand {
        Demand::Pin => drop(parts.rules.pins.insert(exam as u16, period)),
        Demand::Forbidden => drop(parts.rules.forbidden.entry(exam as u16).or_default().insert(period)),
        Demand::Relation(kind) => {
            let [first, second] = numbers.two_below(exams);
            parts.rules.relations.insert(Relation::new(kind, first, second));
        }
        Demand::Person => parts.resources.people.push(people(numbers, &[])),
        Demand::Absence => parts.resources.people.push(people(numbers, &[period])),
        Demand::Duration => {
            parts.exams[exam].duration = [None, Some(45), Some(105), Some(120)][numbers.below(4)];
            // Some periods are shorter.
            if numbers.below(2) == 0 {
                let start = parts.periods[usize::from(period)].start;
                parts.periods[usize::from(period)].end = start.map(|start| start + chrono::Duration::minutes(90));
            }
        }
        Demand::ExtraTime | Demand::Alone => {
            let new = arrangement(numbers, demand == Demand::Alone);
            if parts.resources.arrangements.iter().all(|it| it.student != new.student) {
                parts.resources.arrangements.push(new);
            }
        }
        Demand::OwnRoom => parts.exams[exam].needs.own_room = true,
        Demand::Split => parts.exams[exam].needs.most_rooms = 2 + numbers.below(2) as u16,
        Demand::Reserved => parts.exams[exam].needs.seats = Some(4 + numbers.below(8) as u32),
        _ if rooms == 0 => {}
        Demand::Closure => drop(parts.resources.rooms[numbers.below(rooms)].unavailable.insert(period)),
        Demand::Feature => {
            parts.exams[exam].needs.features.insert("computers".to_owned());
            parts.resources.rooms[numbers.below(rooms)].features.insert("computers".to_owned());
        }
        Demand::AllowedRooms => drop(parts.exams[exam].needs.rooms.insert(format!("R{}", numbers.below(rooms)))),
        Demand::SingleRoom => parts.resources.rooms[numbers.below(rooms)].single = true,
    }
}
