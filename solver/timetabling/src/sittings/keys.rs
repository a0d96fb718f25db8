//! Sittings by the students who write them, so that rooms stay with people when arrangements come and go.

use super::Sitting;
use super::matching::{SittingKey, matched};
use crate::Instance;

impl Instance {
    /// Keys of the sittings of each exam, in their order.
    fn sitting_keys(&self) -> Vec<Vec<SittingKey>> {
        let (sittings, of_students) = self.sittings_with_students();
        let mut alone = vec![None; sittings.len()];
        for (&(student, _), &at) in of_students.iter().filter(|(_, at)| sittings[**at].is_alone) {
            alone[at] = Some(student);
        }
        let mut keys = vec![Vec::new(); self.exams.len()];
        for (&Sitting { exam, extra, .. }, student) in sittings.iter().zip(alone) {
            keys[exam].push(match (student, extra) {
                (Some(student), _) => SittingKey::Alone(self.students.code(student)),
                (None, 0) => SittingKey::Others,
                (None, minutes) => SittingKey::ExtraTime(minutes),
            });
        }
        keys
    }

    /// Keys of the sittings of each exam, as files hold them: none for an exam whose students sit together.
    pub(crate) fn stored_sitting_keys(&self) -> Vec<Vec<SittingKey>> {
        let mut keys = self.sitting_keys();
        keys.iter_mut().filter(|keys| keys[..] == [SittingKey::Others]).for_each(Vec::clear);
        keys
    }

    /// Lists of each exam with an item for each of the sittings that `keys` name, in the order of the present sittings; a sitting
    /// that is new has the default. Lists without keys stay as they are.
    pub(crate) fn by_present_sittings<T: Default>(
        &self, of_exams: Vec<Vec<T>>, keys: &[Vec<SittingKey>],
    ) -> Vec<Vec<T>> {
        if keys.iter().all(Vec::is_empty) {
            return of_exams;
        }
        let present = self.sitting_keys();
        let given = keys.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
        let lists = of_exams.into_iter().zip(given).zip(&present);
        lists
            .map(
                |((items, keys), present)| {
                    if items.len() == keys.len() { matched(items, keys, present) } else { items }
                },
            )
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored::{decode, decode_known, encode};
    use crate::{
        Arrangement, Exam, ExtraTime, ExtraTimePlace, InstanceParts, Period, Reference, Resources, Room, Seats,
        StoredRules, Timetable,
    };

    /// Exam A of 8 students with 5 rooms; `arranged` are student, extra minutes and whether alone in a room.
    fn session(arranged: &[(u32, u32, bool)]) -> Instance {
        let room = |code: &str| Room { code: code.to_owned(), seats: 9, ..Room::default() };
        let arrangement =
            |&(student, minutes, own_room)| Arrangement { student, extra: ExtraTime::Minutes(minutes), own_room };
        Instance::build(InstanceParts {
            exams: vec![Exam { code: "A".to_owned(), duration: Some(60), ..Exam::default() }],
            students: vec![vec![0]; 8],
            periods: vec![Period::default(); 2],
            resources: Resources {
                rooms: ["H", "R1", "R2", "R3", "R4"].map(room).to_vec(),
                arrangements: arranged.iter().map(arrangement).collect(),
                extra_time: ExtraTimePlace::Apart,
                ..Resources::default()
            },
            ..InstanceParts::default()
        })
        .unwrap()
    }

    /// The timetable of a session with these rooms of the sittings, who are as many as they are.
    fn timetable(instance: &Instance, rooms: &[u16]) -> Timetable {
        let seats = |(&room, sitting): (&u16, &Sitting)| vec![Seats { room, students: sitting.students }];
        Timetable { periods: vec![0], rooms: rooms.iter().zip(&instance.sittings()).map(seats).collect() }
    }

    fn rooms(timetable: &Timetable) -> Vec<Option<u16>> {
        timetable.rooms.iter().map(|rooms| rooms.first().map(|seats| seats.room)).collect()
    }

    #[test]
    fn rooms_stay_with_their_students_when_arrangements_change() {
        let before = session(&[(2, 0, true), (5, 0, true), (3, 15, false)]);
        let plan = timetable(&before, &[0, 1, 2, 3]);
        for (after, expected) in [
            // Another student gets a room of his or her own, before, between and behind the others.
            (
                vec![(1, 0, true), (2, 0, true), (5, 0, true), (3, 15, false)],
                vec![Some(0), Some(1), None, Some(2), Some(3)],
            ),
            (
                vec![(4, 0, true), (2, 0, true), (5, 0, true), (3, 15, false)],
                vec![Some(0), Some(1), Some(2), None, Some(3)],
            ),
            (
                vec![(2, 0, true), (5, 0, true), (7, 0, true), (3, 15, false)],
                vec![Some(0), Some(1), Some(2), Some(3), None],
            ),
            // One of them needs no room any more.
            (vec![(5, 0, true), (3, 15, false)], vec![Some(0), Some(1), Some(3)]),
            // Extra time of other lengths.
            (
                vec![(2, 0, true), (5, 0, true), (3, 15, false), (6, 10, false)],
                vec![Some(0), None, Some(1), Some(2), Some(3)],
            ),
            (vec![(2, 0, true), (5, 0, true), (3, 20, false)], vec![Some(0), Some(1), Some(2), Some(3)]),
            (vec![(2, 0, true), (5, 0, true)], vec![Some(0), Some(2), Some(3)]),
            // Extra time beside the room of one's own changes the order.
            (vec![(2, 30, true), (5, 0, true), (3, 15, false)], vec![Some(0), Some(1), Some(3), Some(2)]),
        ] {
            let session = session(&after);
            let stored = encode(&before, &plan);
            assert_eq!(rooms(&decode_known(&session, &stored).unwrap()), expected, "{after:?}");
            assert_eq!(rooms(&decode(&session, &stored).unwrap()), expected, "{after:?}");
            // The timetable to stay close to is carried over by the rules.
            let mut with_reference = before.clone();
            with_reference.rules.reference = Some(Reference { timetable: plan.clone(), weight: 5 });
            let rules = StoredRules::of(&with_reference).fitted(&session).0;
            let carried = rules.apply(session).unwrap().rules.reference.unwrap();
            assert_eq!(rooms(&carried.timetable), expected, "{after:?}");
        }
    }

    #[test]
    fn former_files_without_keys_are_read_in_their_order() {
        let before = session(&[(2, 0, true), (5, 0, true)]);
        let plan = timetable(&before, &[0, 1, 2]);
        let text = ron::to_string(&encode(&before, &plan)).unwrap();
        let at = text.find(",sittings:").expect("sittings are stored");
        let end = at + text[at..].find(']').unwrap() + 1;
        let former = text[..at].to_owned() + &text[end..];
        assert_eq!(decode(&before, &ron::from_str(&former).unwrap()).unwrap(), plan, "{former}");
        let together = session(&[]);
        let text = ron::to_string(&encode(&together, &timetable(&together, &[4]))).unwrap();
        assert!(!text.contains("sittings"), "{text}");
    }
}
