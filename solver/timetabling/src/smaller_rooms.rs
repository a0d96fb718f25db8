//! Rooms that are no larger than they need to be, where the objective does not mind.
//!
//! Searches take any of the rooms that cost the same. A sitting that has a room for itself is put into the smallest free room of
//! the same penalty that suits it, so that nobody sits alone in a large hall while a small room is empty.

use std::collections::{BTreeMap, BTreeSet};

use super::{Instance, Timetable};

/// The timetable with sittings in smaller rooms of the same cost. A timetable that is to stay close to another one is not
/// changed.
pub(crate) fn in_smaller_rooms(instance: &Instance, timetable: &Timetable) -> Timetable {
    let mut timetable = timetable.clone();
    let sittings = instance.sittings();
    if instance.rules.reference.is_some() || sittings.len() != timetable.rooms.len() {
        return timetable;
    }
    let relations = instance.rules.relations.iter().filter(|relation| relation.kind.is_of_rooms());
    let tied: BTreeSet<usize> = relations.flat_map(|one| [one.first, one.second]).map(usize::from).collect();
    // Sittings in each room that is used, by period and room.
    let mut uses: BTreeMap<(usize, u16), u32> = BTreeMap::new();
    let mut alone = Vec::new();
    for (number, (sitting, seats)) in sittings.iter().zip(&timetable.rooms).enumerate() {
        let Some(period) = timetable.period_of(sitting.exam) else { continue };
        seats.iter().for_each(|part| *uses.entry((period, part.room)).or_default() += 1);
        if let ([part], false) = (&seats[..], tied.contains(&sitting.exam)) {
            alone.push((std::cmp::Reverse(part.students), number, period));
        }
    }
    alone.sort_unstable();
    let rooms = &instance.resources.rooms;
    let size = |room: u16| rooms.get(usize::from(room)).map(|room| (room.seats, room.penalty));
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &(_, number, period) in &alone {
            let part = timetable.rooms[number][0];
            let Some((seats, penalty)) = size(part.room).filter(|_| uses.get(&(period, part.room)) == Some(&1)) else {
                continue;
            };
            let is_better = |&room: &u16| {
                let of = &rooms[usize::from(room)];
                of.penalty == penalty
                    && (part.students..seats).contains(&of.seats)
                    && !of.unavailable.contains(&(period as u16))
                    && !uses.contains_key(&(period, room))
                    && instance.admits(&sittings[number], room)
            };
            let smallest = (0..rooms.len() as u16).filter(is_better).min_by_key(|&room| (size(room), room));
            if let Some(room) = smallest {
                uses.remove(&(period, part.room));
                uses.insert((period, room), 1);
                timetable.rooms[number][0].room = room;
                is_changed = true;
            }
        }
    }
    timetable
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::occupancy::tests::seated;
    use crate::{Room, Rules};

    /// B has H1 for itself once everyone else of it is in H3; a smaller hall is free.
    #[test]
    fn a_sitting_that_has_a_room_for_itself_takes_the_smallest_that_is_free() {
        let (mut instance, mut timetable) = seated();
        let hall =
            |code: &str, seats: u32| Room { code: code.to_owned(), seats, ..instance.resources.rooms[0].clone() };
        let halls = [hall("Small", 2), hall("Middle", 4), hall("Large", 100)];
        let first = instance.resources.rooms.len() as u16;
        instance.resources.rooms.extend(halls);
        timetable.rooms[3][0].room = first + 2;
        let before = check(&instance, &timetable);
        let tidied = in_smaller_rooms(&instance, &timetable);
        let students = timetable.rooms[3][0].students;
        let room = &instance.resources.rooms[usize::from(tidied.rooms[3][0].room)];
        assert!(room.seats < 100 && room.seats >= students, "{room:?}");
        let after = check(&instance, &tidied);
        assert_eq!((after.raw, after.violations), (before.raw, before.violations));
        assert_eq!(in_smaller_rooms(&instance, &tidied), tidied);
        // Who stays close to a timetable keeps its rooms, and so does a pinned exam.
        let exam = instance.sittings()[3].exam as u16;
        let room_pins = [(exam, [first + 2].into())].into();
        let pinned = crate::Instance { rules: Rules { room_pins, ..instance.rules.clone() }, ..instance.clone() };
        assert_eq!(in_smaller_rooms(&pinned, &timetable).rooms[3], timetable.rooms[3]);
        let late = instance.clone().around(timetable.clone(), 5, 0);
        assert_eq!(in_smaller_rooms(&late, &timetable), timetable);
    }
}
