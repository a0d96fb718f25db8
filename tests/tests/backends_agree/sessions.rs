//! Generated sessions with rooms, people, arrangements and rules, whose timetables without violations are easy to find.

use std::collections::BTreeSet;

use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Objective, ObjectiveKind, Period, Person,
    Relation, RelationKind, Resources, Room, RoomNeeds, Rules, Weights,
};

use super::support::Numbers;

/// Sizes of a session, and what it has.
#[derive(Debug, Clone, Copy)]
pub struct SessionShape {
    pub exams: usize,
    pub periods: usize,
    pub students: usize,
    /// Number of rooms; 0: every sitting goes without.
    pub rooms: usize,
    /// Exams that may be split, need features or a room of their own, people, extra time, closed rooms.
    pub is_demanding: bool,
    /// One pair of exams for each kind of relation.
    pub is_related: bool,
    pub objective: ObjectiveKind,
}

impl SessionShape {
    /// Generates the session; equal shapes give equal sessions.
    pub fn session(&self) -> Instance {
        let mut numbers = Numbers((self.exams * 131 + self.rooms) as u64);
        let students = (0..self.students)
            .map(|student| {
                let count = (2 + numbers.below(3)).min(self.periods);
                let mut exams: Vec<u16> = (0..count).map(|_| numbers.below(self.exams) as u16).collect();
                // An exam that is larger than every room, and may be split.
                exams.extend((self.is_demanding && student % 4 == 0).then_some(1));
                exams
            })
            .collect();
        let exams = (0..self.exams).map(|number| self.exam(number, &mut numbers)).collect();
        Instance::build(InstanceParts {
            name: "session".to_owned(),
            exams,
            students,
            periods: (0..self.periods).map(period).collect(),
            resources: self.resources(&mut numbers),
            objective: Objective { kind: self.objective, weights: self.weights() },
            rules: self.rules(),
            ..InstanceParts::default()
        })
        .unwrap()
    }

    fn exam(&self, number: usize, numbers: &mut Numbers) -> Exam {
        let needs = if self.is_demanding {
            RoomNeeds {
                own_room: number % 9 == 4,
                most_rooms: [1, 3, 1, 2][number % 4],
                features: (number % 11 == 5).then(|| "projector".to_owned()).into_iter().collect(),
                ..RoomNeeds::default()
            }
        } else {
            RoomNeeds::default()
        };
        let duration = Some(60 + 30 * numbers.below(4) as u32);
        Exam { code: format!("E{number}"), duration, needs, ..Exam::default() }
    }

    fn resources(&self, numbers: &mut Numbers) -> Resources {
        // Enough seats for twice the sittings of a period on average, in rooms of different sizes.
        let seats = (6 * self.students / self.periods / self.rooms.max(1)).max(4) as u32;
        let room = |number: usize| Room {
            code: format!("R{number}"),
            seats: seats + seats * number as u32 / 4,
            penalty: 7 * (number as u32 % 3),
            features: number.is_multiple_of(2).then(|| "projector".to_owned()).into_iter().collect(),
            single: self.is_demanding && number % 5 == 2,
            unavailable: if self.is_demanding && number % 3 == 1 {
                [number as u16 % 4].into()
            } else {
                BTreeSet::new()
            },
            ..Room::default()
        };
        let rooms = (0..self.rooms).map(room).collect();
        if !self.is_demanding {
            return Resources { rooms, ..Resources::default() };
        }
        let person = |number: usize| Person {
            name: format!("P{number}"),
            exams: (0..3).map(|_| numbers.below(self.exams) as u16).collect(),
            unavailable: [number as u16 % 3].into(),
        };
        let people = (0..4).map(person).collect();
        let arrangement = |number: usize| Arrangement {
            student: 3 * number as u32,
            extra: ExtraTime::Minutes(5 * number as u32),
            own_room: number % 4 == 3,
        };
        let arrangements = (0..(self.students / 10).min(6)).map(arrangement).collect();
        Resources { rooms, people, arrangements, extra_time: ExtraTimePlace::Apart, ..Resources::default() }
    }

    fn weights(&self) -> Weights {
        let mut weights = Weights::of(self.objective);
        if self.objective == ObjectiveKind::Office {
            (weights.mixed_durations, weights.part, weights.room, weights.period) = (11, 5, 1, 1);
            weights.opened = 3 * self.students as u32 % 23;
        }
        weights
    }

    fn rules(&self) -> Rules {
        let mut rules = Rules::default();
        if self.is_related {
            for (number, kind) in RelationKind::ALL.into_iter().enumerate() {
                rules.relations.insert(Relation::new(kind, 2 * number, 2 * number + 1));
            }
        }
        rules
    }
}

/// Periods of three hours, three on a day.
fn period(number: usize) -> Period {
    let day = number / 3;
    let date = format!("2027-{:02}-{:02}", 1 + day / 28, 1 + day % 28).parse().ok();
    let at = |hour: usize| format!("{hour:02}:00:00").parse().ok();
    let start = 8 + 4 * (number % 3);
    Period { date, start: at(start), end: at(start + 3), penalty: (number as u32 * 5) % 7, ..Period::default() }
}
