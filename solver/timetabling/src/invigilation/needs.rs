//! Needs of a timetable for invigilators: posts with the number of people that each needs, and the slots of time in which nobody has
//! two of them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDateTime, NaiveTime};

use crate::invigilators::{ChiefScope, InvigilationNeeds, Post};
use crate::occupancy::{Occupancy, RoomUse};
use crate::publication::When;
use crate::who_sits_where::WhoSitsWhere;
use crate::{Instance, Timetable};
use gridwright_core::text::order::list_key;
use gridwright_core::{Error, Result};

/// A post in a period and the number of people that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Need {
    /// Period.
    pub period: usize,
    /// Slot: periods that overlap in time share one.
    pub slot: usize,
    /// Post.
    pub post: Post,
    /// Number of people, at least 1.
    pub count: usize,
    /// Building of the room or chief; empty if there is none.
    pub building: String,
    /// Exams in the room, ascending.
    pub exams: BTreeSet<usize>,
    /// When a duty at the post begins and ends.
    pub when: When,
}

/// Needs of a timetable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needs {
    /// All needs by period: chiefs first, then rooms by code, then reserves.
    pub all: Vec<Need>,
    /// Day of each slot, in the order of time; `None` where no date is known.
    pub slots: Vec<Option<chrono::NaiveDate>>,
}

/// End of a duty and the number of midnights before it, so that ends can be compared.
type End = Option<(u32, NaiveTime)>;

/// Rooms that are used in one period.
struct UsedRoom {
    students: u32,
    exams: BTreeSet<usize>,
    end: End,
}

impl Needs {
    /// Needs of a timetable under the rules of its session.
    ///
    /// # Errors
    /// [`Error::Usage`] if no exam has a room.
    pub fn of(instance: &Instance, timetable: &Timetable) -> Result<Self> {
        let occupancy = Occupancy::of(instance, timetable)
            .ok_or_else(|| Error::Usage(format!("no exam of {} has a room; solve with rooms first", instance.name)))?;
        let rules = instance.invigilation_needs();
        let used = used_rooms(instance, &occupancy);
        let mut all = Vec::new();
        for (period, rooms) in &used {
            all.extend(of_period(instance, &rules, *period, rooms));
        }
        let slots = slots(instance, &mut all);
        Ok(Self { all, slots })
    }
}

/// Rooms with students by period and index.
fn used_rooms(instance: &Instance, occupancy: &Occupancy<'_>) -> BTreeMap<usize, BTreeMap<usize, UsedRoom>> {
    let mut used: BTreeMap<usize, BTreeMap<usize, UsedRoom>> = BTreeMap::new();
    for RoomUse { period, room, sitting, students, .. } in occupancy.uses().into_iter().filter(|of| of.students > 0) {
        let of_period = used.entry(period).or_default();
        let entry =
            of_period.entry(room).or_insert_with(|| UsedRoom { students: 0, exams: BTreeSet::new(), end: None });
        entry.students = entry.students.saturating_add(students);
        entry.exams.insert(occupancy.sitting(sitting).exam);
        let end = occupancy.end(sitting, period).map(|(end, midnights)| (midnights, end));
        entry.end = entry.end.max(end);
    }
    // Students with extra time leave the room of the others later.
    let who = WhoSitsWhere::of(instance, occupancy);
    for list in who.lists() {
        let exam = occupancy.sitting(list.sitting).exam;
        let ends = list.students.iter().filter_map(|&student| occupancy.end_for(student, exam, list.period));
        let last = ends.map(|(end, midnights)| (midnights, end)).max();
        if let Some(room) = used.get_mut(&list.period).and_then(|rooms| rooms.get_mut(&list.room)) {
            room.end = room.end.max(last);
        }
    }
    used
}

/// Needs of a period with these rooms; the slots are given later.
fn of_period(
    instance: &Instance, rules: &InvigilationNeeds, period: usize, rooms: &BTreeMap<usize, UsedRoom>,
) -> Vec<Need> {
    let when = |end: End| {
        let data = &instance.periods[period];
        let end = end.map(|(_, end)| end);
        When { period: period as u16 + 1, date: data.date, start: data.start, end }
    };
    let need = |post: Post, count: usize, building: &str, exams: BTreeSet<usize>, end: End| Need {
        period,
        slot: 0,
        post,
        count,
        building: building.to_owned(),
        exams,
        when: when(end),
    };
    let mut chiefs: BTreeMap<&str, End> = BTreeMap::new();
    let mut of_rooms = Vec::new();
    for (&room, used) in rooms {
        let data = &instance.resources.rooms[room];
        let area = if rules.chief == ChiefScope::Building { data.building.as_str() } else { "" };
        let end = chiefs.entry(area).or_default();
        *end = (*end).max(used.end);
        let count = used.students.div_ceil(rules.students).max(rules.least) as usize;
        let post = Post::Room(data.code.clone());
        of_rooms.push(need(post, count, &data.building, used.exams.clone(), used.end));
    }
    of_rooms.retain(|need| need.count > 0);
    of_rooms.sort_by_cached_key(|need| if let Post::Room(code) = &need.post { Some(list_key(code)) } else { None });
    let last = rooms.values().map(|room| room.end).max().flatten();
    let has_chiefs = rules.chief != ChiefScope::Nobody;
    let chiefs = chiefs.into_iter().filter(|_| has_chiefs);
    let chiefs = chiefs.map(|(area, end)| need(Post::Chief(area.to_owned()), 1, area, BTreeSet::new(), end));
    let reserves = Some(rules.reserves as usize).filter(|&count| count > 0 && !rooms.is_empty());
    let reserves = reserves.map(|count| need(Post::Reserve, count, "", BTreeSet::new(), last));
    chiefs.chain(of_rooms).chain(reserves).collect()
}

/// Begin and end of the duties of a period; `None` where date or start is not known.
fn interval(when: &When) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let (date, start) = (when.date?, when.start?);
    let begin = date.and_time(start);
    let end = when.end.map(|end| if end > start { date.and_time(end) } else { begin + chrono::TimeDelta::days(1) });
    Some((begin, end.unwrap_or(begin).max(begin + chrono::TimeDelta::minutes(1))))
}

/// Gives each need its slot and returns the days of the slots. Periods whose duties overlap, directly or through others, share a slot;
/// slots are in the order of time where it is known, and of periods otherwise.
fn slots(instance: &Instance, all: &mut [Need]) -> Vec<Option<chrono::NaiveDate>> {
    let mut spans: BTreeMap<usize, Option<(NaiveDateTime, NaiveDateTime)>> = BTreeMap::new();
    for need in all.iter() {
        let span = spans.entry(need.period).or_insert(None);
        let own = interval(&need.when);
        *span = match (*span, own) {
            (Some((begin, end)), Some((_, own))) => Some((begin, end.max(own))),
            (span, own) => span.or(own),
        };
    }
    let mut order: Vec<(usize, Option<(NaiveDateTime, NaiveDateTime)>)> = spans.into_iter().collect();
    let is_timed = order.iter().all(|(_, span)| span.is_some());
    if is_timed {
        order.sort_by_key(|&(period, span)| (span, period));
    }
    let (mut days, mut slot_of, mut last_end) = (Vec::new(), BTreeMap::new(), None);
    for (period, span) in order {
        let overlaps = span.zip(last_end).is_some_and(|((begin, _), last)| is_timed && begin < last);
        if !overlaps {
            days.push(instance.periods[period].date);
        }
        slot_of.insert(period, days.len() - 1);
        let end = span.map(|(_, end)| end);
        last_end = if overlaps { last_end.max(end) } else { end };
    }
    for need in all {
        need.slot = slot_of[&need.period];
    }
    days
}
