//! Sittings on the clock: from when to when each room is used by which exam.

use std::collections::HashMap;

use chrono::Timelike;

use super::occupancy::Occupancy;
use super::who_sits_where::WhoSitsWhere;
use super::{Instance, Timetable};

/// Use of a room by one sitting on the clock. Times are minutes after midnight at the beginning of the period's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoomTime {
    /// Index of the period.
    pub period: usize,
    /// Index of the room.
    pub room: usize,
    /// Number of the sitting in [`Instance::sittings`].
    pub sitting: usize,
    /// Index of the exam.
    pub exam: usize,
    /// Students of the sitting in the room.
    pub students: u32,
    /// Beginning.
    pub start: u32,
    /// End for students without extra time.
    pub end: u32,
    /// Minutes of the longest extra time in the room.
    pub extra: u32,
}

/// Uses of rooms whose period has a beginning and a length, by period, room and sitting; none without a timetable of rooms.
pub fn room_times(instance: &Instance, timetable: &Timetable) -> Vec<RoomTime> {
    let Some(occupancy) = Occupancy::of(instance, timetable) else { return Vec::new() };
    let seated = WhoSitsWhere::of(instance, &occupancy);
    let longest = |list: &super::who_sits_where::RoomList| {
        let exam = occupancy.sitting(list.sitting).exam;
        list.students.iter().map(|&student| occupancy.extra_of(student, exam)).max().unwrap_or(0)
    };
    let extra: HashMap<(usize, usize), u32> =
        seated.lists().iter().map(|list| ((list.room, list.sitting), longest(list))).collect();
    let on_clock = |used: super::occupancy::RoomUse| {
        let (period, sitting) = (instance.periods.get(used.period)?, occupancy.sitting(used.sitting));
        let start = period.start?.num_seconds_from_midnight() / 60;
        let lasts = instance.exams[sitting.exam].duration.or_else(|| period.minutes())?;
        let extra = extra.get(&(used.room, used.sitting)).copied().unwrap_or(0).max(sitting.extra);
        let (room, sitting, exam) = (used.room, used.sitting, sitting.exam);
        let (period, students) = (used.period, used.students);
        Some(RoomTime { period, room, sitting, exam, students, start, end: start + lasts, extra })
    };
    occupancy.uses().into_iter().filter_map(on_clock).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occupancy::tests::seated;

    #[test]
    fn bars_end_when_the_documents_say() {
        let (instance, timetable) = seated();
        let occupancy = Occupancy::of(&instance, &timetable).unwrap();
        let times = room_times(&instance, &timetable);
        assert!(!times.is_empty());
        for time in &times {
            let (end, _) = occupancy.end(time.sitting, time.period).unwrap();
            let of_sitting = occupancy.sitting(time.sitting).extra;
            assert_eq!(end.num_seconds_from_midnight() / 60, time.end + of_sitting);
            assert!(time.extra >= of_sitting);
        }
        let seats = |room: usize| times.iter().filter(|time| time.room == room).map(|time| time.students).sum::<u32>();
        let of_timetable = |room: usize| {
            let all = timetable.rooms.iter().flatten().filter(|seats| usize::from(seats.room) == room);
            all.map(|seats| seats.students).sum::<u32>()
        };
        for room in 0..instance.resources.rooms.len() {
            assert_eq!(seats(room), of_timetable(room));
        }
    }
}
