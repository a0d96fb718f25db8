//! Duties changed by hand: posts that lack people, and a duty that goes to another person.

use std::collections::{BTreeMap, BTreeSet};

use super::{Instance, Needs, Timetable, needs_of};
use crate::invigilators::{Duty, Post};
use crate::occupancy::Occupancy;
use crate::publication::When;
use gridwright_core::Result;

/// Post that lacks people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPost {
    /// Index of the period.
    pub period: usize,
    /// Post.
    pub post: Post,
    /// When a duty at the post begins and ends.
    pub when: When,
    /// Number of people who are missing, at least 1.
    pub missing: usize,
}

/// Posts of a timetable that lack people, by period and post.
///
/// # Errors
/// As [`super::assign`].
pub fn open_posts(instance: &Instance, timetable: &Timetable, duties: &[Duty]) -> Result<Vec<OpenPost>> {
    let Needs { all, .. } = needs_of(instance, timetable)?;
    let open = all.into_iter().filter_map(|need| {
        let is_here = |duty: &&Duty| instance.period_of(&duty.when) == Some(need.period) && duty.post == need.post;
        let there = duties.iter().filter(is_here).count();
        let missing = need.count.saturating_sub(there);
        (missing > 0).then_some(OpenPost { period: need.period, post: need.post, when: need.when, missing })
    });
    Ok(open.collect())
}

/// Change of duties by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DutyMove {
    /// Gives the duty with this index to the invigilator with this index, who gives a duty at the same time in exchange.
    Give(usize, usize),
    /// Puts the invigilator with this index at a post.
    Fill(OpenPost, usize),
    /// Takes the duty with this index away.
    Drop(usize),
}

/// Duties after a change; unchanged where a duty or person does not exist.
#[must_use]
pub fn changed(instance: &Instance, duties: &[Duty], change: &DutyMove) -> Vec<Duty> {
    let mut duties = duties.to_vec();
    let people = &instance.resources.invigilators;
    match change {
        DutyMove::Give(at, to) => {
            let Some((duty, to)) = duties.get(*at).cloned().zip(people.get(*to)) else { return duties };
            let period = instance.period_of(&duty.when);
            let is_same_time =
                |other: &&mut Duty| other.invigilator == to.code && instance.period_of(&other.when) == period;
            if let Some(other) = duties.iter_mut().find(is_same_time) {
                other.invigilator.clone_from(&duty.invigilator);
            }
            duties[*at].invigilator.clone_from(&to.code);
        }
        DutyMove::Fill(open, to) => {
            if let Some(person) = people.get(*to) {
                let (when, post) = (open.when.clone(), open.post.clone());
                duties.push(Duty { invigilator: person.code.clone(), when, post });
            }
        }
        DutyMove::Drop(at) if *at < duties.len() => drop(duties.remove(*at)),
        DutyMove::Drop(_) => {}
    }
    duties
}

/// Duties after exams were put into other rooms of their periods: who was in a room that is no longer used goes along with an
/// exam from it to a room that was not used before. All others stay.
#[must_use]
pub fn following(instance: &Instance, [before, after]: [&Timetable; 2], duties: &[Duty]) -> Vec<Duty> {
    let Ok(Needs { all, .. }) = needs_of(instance, after) else { return duties.to_vec() };
    let [former, present] = [before, after].map(|timetable| exams_in_rooms(instance, timetable));
    let mut successors: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (&(period, room), exams) in former.iter().filter(|(place, _)| !present.contains_key(place)) {
        let is_new = |place: &(usize, usize)| place.0 == period && !former.contains_key(place);
        let takes = |(place, now): &(&(usize, usize), &BTreeSet<usize>)| is_new(place) && !now.is_disjoint(exams);
        let free = present.iter().filter(takes).map(|(place, _)| place.1);
        let is_taken = |other: &usize| successors.iter().any(|(place, by)| place.0 == period && by == other);
        if let Some(next) = free.into_iter().find(|other| !is_taken(other)) {
            successors.insert((period, room), next);
        }
    }
    let follow = |duty: &Duty| {
        let Post::Room(code) = &duty.post else { return None };
        let place = (instance.period_of(&duty.when)?, instance.resources.room_index(code)?);
        let next = &instance.resources.rooms[*successors.get(&place)?];
        let need = all.iter().find(|need| need.period == place.0 && need.post == Post::Room(next.code.clone()))?;
        Some(Duty { when: need.when.clone(), post: need.post.clone(), ..duty.clone() })
    };
    duties.iter().map(|duty| follow(duty).unwrap_or_else(|| duty.clone())).collect()
}

/// Exams in each period and room that is used.
fn exams_in_rooms(instance: &Instance, timetable: &Timetable) -> BTreeMap<(usize, usize), BTreeSet<usize>> {
    let mut exams: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    if let Some(occupancy) = Occupancy::of(instance, timetable) {
        for of in occupancy.uses() {
            exams.entry((of.period, of.room)).or_default().insert(occupancy.sitting(of.sitting).exam);
        }
    }
    exams
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invigilation::assign;
    use crate::occupancy::tests::seated;
    use crate::{Invigilator, Role, Room};

    /// Exam B and those of A who are together are in H1; B goes to a hall of its own, then everyone of H1 does.
    #[test]
    fn invigilators_go_along_with_an_exam_that_leaves_a_room_empty() {
        let (mut instance, timetable) = seated();
        let hall = Room { code: "Hall".to_owned(), seats: 9, building: "Main".to_owned(), ..Room::default() };
        instance.resources.rooms.push(hall);
        let person = |code: &str| Invigilator { code: code.to_owned(), ..Invigilator::default() };
        instance.resources.invigilators = ["a", "b", "c"].map(person).to_vec();
        let duties = assign(&instance, &timetable).unwrap().duties;
        let moved = |from: &Timetable, sitting: usize| {
            let mut moved = from.clone();
            moved.rooms[sitting][0].room = 3;
            moved
        };
        // H1 is still used, so that nobody leaves it.
        let half = moved(&timetable, 3);
        assert_eq!(following(&instance, [&timetable, &half], &duties), duties);
        let whole = moved(&half, 0);
        let followed = following(&instance, [&timetable, &whole], &duties);
        let code = |duties: &[Duty], room: &str| {
            let there = duties.iter().find(|duty| duty.post == Post::Room(room.to_owned()));
            there.map(|duty| duty.invigilator.clone())
        };
        assert_eq!((code(&followed, "Hall"), code(&followed, "H1")), (code(&duties, "H1"), None));
        assert_eq!(open_posts(&instance, &whole, &followed).unwrap(), []);
        assert_eq!(following(&instance, [&whole, &timetable], &followed), duties);
    }

    /// Three invigilators for the three rooms of the only period in use; the third one may also be a reserve.
    #[test]
    fn duties_are_given_exchanged_taken_and_filled() {
        let (mut instance, timetable) = seated();
        let person =
            |code: &str| Invigilator { code: code.to_owned(), role: Role::Invigilator, ..Invigilator::default() };
        instance.resources.invigilators = ["a", "b", "c", "d"].map(person).to_vec();
        let duties = assign(&instance, &timetable).unwrap().duties;
        assert_eq!((duties.len(), open_posts(&instance, &timetable, &duties).unwrap()), (3, vec![]));
        let holder = |duties: &[Duty], at: usize| {
            let code = &duties[at].invigilator;
            instance.resources.invigilators.iter().position(|person| person.code == *code).unwrap()
        };
        let [first, second] = [0, 1].map(|at| holder(&duties, at));
        let exchanged = changed(&instance, &duties, &DutyMove::Give(0, second));
        assert_eq!([0, 1].map(|at| holder(&exchanged, at)), [second, first]);
        let spare = (0..4).find(|&person| (0..3).all(|at| holder(&duties, at) != person)).unwrap();
        let given = changed(&instance, &duties, &DutyMove::Give(0, spare));
        assert_eq!((holder(&given, 0), &given[1..]), (spare, &duties[1..]));
        let fewer = changed(&instance, &duties, &DutyMove::Drop(0));
        let open = open_posts(&instance, &timetable, &fewer).unwrap();
        assert_eq!((fewer.len(), open.len(), open[0].missing), (2, 1, 1));
        let filled = changed(&instance, &fewer, &DutyMove::Fill(open[0].clone(), spare));
        assert_eq!(open_posts(&instance, &timetable, &filled).unwrap(), []);
        for nothing in [DutyMove::Give(9, 0), DutyMove::Give(0, 9), DutyMove::Drop(9)] {
            assert_eq!(changed(&instance, &duties, &nothing), duties);
        }
    }
}
