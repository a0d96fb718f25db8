//! Undoable edits of an open session: calendar, rules, and the timetable that is being edited.

use easy_ext::ext;
use gridwright_core::numbers::counted;
use std::collections::BTreeSet;
use std::sync::Arc;

use gridwright_timetabling::bulk::BulkRule;
use gridwright_timetabling::calendar::correspondence;
use gridwright_timetabling::invigilation::open::following;
use gridwright_timetabling::publication::Publication;
use gridwright_timetabling::room_moves::{Part, RoomMove};
use gridwright_timetabling::run::holding::Held;
use gridwright_timetabling::{
    Duty, Instance, Objective, Period, Reference, Relation, Rules, StudentLimits, TimeZone, Timetable,
};

use super::state::TimetablingViews;
use gridwright_window::document;

/// A timetable that is being edited.
pub type Draft = document::Draft<Timetable>;

/// Calendar, rules and draft, which edits change and undo restores.
pub type Work = document::Work<TimetablingViews>;

/// Exams that a draft moves.
#[ext(EditingMethods)]
impl Draft {
    /// Exams that stand elsewhere than before, ascending.
    pub fn moved(&self) -> Vec<usize> {
        let pairs = self.solution.periods.iter().zip(&self.base.periods).enumerate();
        pairs.filter(|(_, (now, before))| now != before).map(|(exam, _)| exam).collect()
    }

    /// Exams with students in other rooms than before, ascending; also those that stand elsewhere.
    pub fn reseated(&self, instance: &Instance) -> Vec<usize> {
        if self.solution.rooms.len() != self.base.rooms.len() {
            return Vec::new();
        }
        let pairs = self.solution.rooms.iter().zip(&self.base.rooms).zip(instance.sittings());
        let mut exams: Vec<usize> =
            pairs.filter(|((now, before), _)| now != before).map(|(_, sitting)| sitting.exam).collect();
        exams.dedup();
        exams
    }
}

/// Everything that a person demands of the timetables of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionDemands {
    /// The periods with their dates and seats.
    pub calendar: Vec<Period>,
    /// Time zone of the periods, if stated.
    pub time_zone: Option<TimeZone>,
    /// Rules of the instance.
    pub rules: Rules,
    /// Objective.
    pub objective: Objective,
    /// Published versions of the timetable, the latest last.
    pub publications: Arc<Vec<Publication>>,
    /// Duties of invigilators that were assigned last.
    pub duties: Arc<Vec<Duty>>,
}

impl SessionDemands {
    /// The demands of an instance.
    pub fn of(instance: &Instance) -> Self {
        let Instance { periods, time_zone, rules, objective, publications, duties, .. } = instance;
        Self {
            calendar: periods.clone(),
            time_zone: *time_zone,
            rules: rules.clone(),
            objective: objective.clone(),
            publications: Arc::clone(publications),
            duties: Arc::clone(duties),
        }
    }

    /// The instance with these demands.
    pub fn applied_to(&self, instance: &Instance) -> Instance {
        let instance = instance.clone().with_calendar(&self.calendar);
        let (rules, objective) = (self.rules.clone(), self.objective.clone());
        let (publications, duties) = (Arc::clone(&self.publications), Arc::clone(&self.duties));
        Instance { time_zone: self.time_zone, rules, objective, publications, duties, ..instance }
    }
}

/// Replaces the calendar; exams and rules keep date and time, and exams of the draft in removed periods become unplaced.
fn set_calendar(work: &mut Work, calendar: Vec<Period>) {
    let index_of = correspondence(&work.demands.calendar, &calendar);
    work.demands.calendar = calendar;
    if is_unmoved(&index_of) {
        return;
    }
    work.demands.rules = work.demands.rules.with_periods(&index_of);
    let Some(draft) = &mut work.draft else { return };
    for timetable in [&mut draft.solution, &mut draft.base] {
        Arc::make_mut(timetable).move_periods(&index_of);
    }
}

/// Returns `true` if every period keeps its index.
pub(crate) fn is_unmoved(index_of: &[Option<usize>]) -> bool {
    index_of.iter().enumerate().all(|(index, new)| *new == Some(index))
}

/// Undoable edit of the rules, the calendar or the draft.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Moves an exam into a period, or takes it out of its period; a pin moves with it.
    Move {
        /// The exam.
        exam: usize,
        /// Target period; `None` to take the exam out.
        period: Option<usize>,
    },
    /// Moves an exam into a period, and others out of its way; a pin of the exam moves with it.
    MakeRoom {
        /// The exam and its period.
        held: Held,
        /// All exams after that.
        timetable: Arc<Timetable>,
    },
    /// Pins an exam to a period, or lets it go.
    Pin {
        /// The exam.
        exam: usize,
        /// Period of the pin; `None` to remove the pin.
        period: Option<usize>,
    },
    /// Puts students into another room, or exchanges the places of two parts; pins move along.
    Rooms(RoomMove),
    /// Pins an exam to rooms, or lets it go.
    PinRooms {
        /// The exam.
        exam: usize,
        /// Indices of the rooms; empty to remove the pin.
        rooms: BTreeSet<u16>,
    },
    /// Forbids a period for an exam, or allows it again.
    Forbid {
        /// The exam.
        exam: usize,
        /// The period.
        period: usize,
        /// True to forbid the period, false to allow it.
        forbidden: bool,
    },
    /// Demands how two exams stand to each other.
    Relate(Relation),
    /// Removes the relation.
    Unrelate(Relation),
    /// Adds a rule for many exams.
    Bulk(BulkRule),
    /// Counts costs by another objective.
    Objective(Objective),
    /// Other limits for every student.
    Limits(Arc<StudentLimits>),
    /// Minds seats, or ignores them.
    IgnoreSeats(bool),
    /// Leaves out as few exams as possible where not everything fits, or as few students.
    LeaveOut {
        /// True for as few exams as possible.
        fewest_exams: bool,
    },
    /// Other periods, dates or seats.
    Calendar(Vec<Period>),
    /// Another time zone of the periods.
    TimeZone(Option<TimeZone>),
    /// Publishes a version of the timetable.
    Publish(Arc<Publication>),
    /// Other duties of invigilators, and what was done in words.
    Duties(Arc<Vec<Duty>>, String),
    /// More or fewer periods at the end; one after the other they are one change, so that passing by a small number on
    /// the way to another takes nothing away.
    PeriodCount(usize),
    /// Pins exams to their periods and sets the timetable to stay close to.
    StayClose {
        /// The timetable and the price of every exam that leaves it.
        reference: Reference,
        /// Price of each part of a sitting that leaves its room.
        room_price: u32,
        /// Exams to be pinned to their present periods.
        keep: Vec<usize>,
        /// Exams to be pinned to their present rooms.
        keep_rooms: Vec<usize>,
    },
    /// Stays close to nothing any more.
    ForgetReference,
    /// Removes all rules.
    ClearRules,
    /// Goes on editing from another timetable.
    Start(Draft),
    /// Gives up the timetable that is being edited.
    Discard,
}

impl Edit {
    /// Returns the name of the edit in the menu, after «Undo».
    pub fn describe(&self, instance: &Instance) -> String {
        let name = |exam: usize| instance.exams.get(exam).map_or("?", |exam| exam.code.as_str());
        match self {
            Self::Move { exam, period: Some(period) } => {
                format!("move {} to {}", name(*exam), instance.period_name(*period))
            }
            Self::Move { exam, period: None } => format!("take {} out", name(*exam)),
            Self::MakeRoom { held, .. } => {
                format!("make room for {} in {}", name(held.exam), instance.period_name(held.period))
            }
            Self::Pin { exam, period: Some(period) } => {
                format!("pin {} to {}", name(*exam), instance.period_name(*period))
            }
            Self::Pin { exam, period: None } => format!("unpin {}", name(*exam)),
            Self::Rooms(change) => room_move_words(instance, *change),
            Self::PinRooms { exam, rooms } if rooms.is_empty() => format!("unpin {} from its rooms", name(*exam)),
            Self::PinRooms { exam, .. } => format!("pin {} to its rooms", name(*exam)),
            Self::Forbid { exam, period, forbidden } => {
                let verb = if *forbidden { "forbid" } else { "allow" };
                format!("{verb} {} for {}", instance.period_name(*period), name(*exam))
            }
            Self::Relate(relation) | Self::Unrelate(relation) => {
                let pair = format!("{} and {}", name(usize::from(relation.first)), name(usize::from(relation.second)));
                match self {
                    Self::Relate(_) => format!("relate {pair}"),
                    _ => format!("unrelate {pair}"),
                }
            }
            Self::Bulk(rule) => format!("add a rule for {}", counted(rule.exams, "exam")),
            Self::Objective(objective) => format!("choose the objective {}", objective.kind.label()),
            Self::Limits(limits) if limits.is_empty() => "remove the limits for students".to_owned(),
            Self::Limits(_) => "choose limits for students".to_owned(),
            Self::IgnoreSeats(true) => "ignore seats".to_owned(),
            Self::IgnoreSeats(false) => "mind seats".to_owned(),
            Self::LeaveOut { fewest_exams: true } => "leave out few exams".to_owned(),
            Self::LeaveOut { fewest_exams: false } => "leave out few students".to_owned(),
            Self::Calendar(_) => "change the calendar".to_owned(),
            Self::TimeZone(_) => "change the time zone".to_owned(),
            Self::Publish(publication) => format!("publish version {}", publication.version),
            Self::Duties(_, words) => words.clone(),
            Self::PeriodCount(count) => format!("change to {count} periods"),
            Self::StayClose { .. } => "stay close to a timetable".to_owned(),
            Self::ForgetReference => "stay close to nothing".to_owned(),
            Self::ClearRules => "clear all rules".to_owned(),
            Self::Start(draft) => format!("edit {}", draft.from),
            Self::Discard => "discard the changes".to_owned(),
        }
    }

    /// The exam that the edit pins or unpins.
    fn pinned_exam(&self) -> Option<usize> {
        match self {
            Self::Pin { exam, .. } | Self::PinRooms { exam, .. } => Some(*exam),
            _ => None,
        }
    }

    /// Applies the edit; its exams and periods must exist.
    pub fn apply(&self, work: &mut Work) {
        match self {
            Self::Move { exam, period } => {
                let Some(draft) = &mut work.draft else { return };
                let instance = work.demands.applied_to(&work.data.instance);
                Arc::make_mut(&mut draft.solution).move_exam(&instance, *exam, *period);
                if let (Some(pin), Some(period)) = (work.demands.rules.pins.get_mut(&(*exam as u16)), period) {
                    *pin = *period as u16;
                }
            }
            Self::MakeRoom { held, timetable } => {
                let Some(draft) = &mut work.draft else { return };
                draft.solution = Arc::clone(timetable);
                if let Some(pin) = work.demands.rules.pins.get_mut(&(held.exam as u16)) {
                    *pin = held.period as u16;
                }
            }
            Self::Pin { exam, period: Some(period) } => {
                work.demands.rules.pins.insert(*exam as u16, *period as u16);
            }
            Self::Pin { exam, period: None } => {
                work.demands.rules.pins.remove(&(*exam as u16));
            }
            Self::Rooms(change) => {
                let Some(draft) = &mut work.draft else { return };
                let instance = work.demands.applied_to(&work.data.instance);
                let before = Arc::clone(&draft.solution);
                let pins = Arc::make_mut(&mut draft.solution).change_rooms(&instance, *change);
                work.demands.rules = pins.applied_to(&work.demands.rules);
                if !work.demands.duties.is_empty() {
                    let duties = following(&instance, [&before, &draft.solution], &work.demands.duties);
                    work.demands.duties = Arc::new(duties);
                }
            }
            Self::PinRooms { exam, rooms } if rooms.is_empty() => {
                work.demands.rules.room_pins.remove(&(*exam as u16));
            }
            Self::PinRooms { exam, rooms } => {
                work.demands.rules.room_pins.insert(*exam as u16, rooms.clone());
            }
            Self::Forbid { exam, period, forbidden } => work.demands.rules.forbid(*exam, *period, *forbidden),
            Self::Relate(relation) => {
                work.demands.rules.relations.insert(*relation);
            }
            Self::Unrelate(relation) => {
                work.demands.rules.relations.remove(relation);
            }
            Self::Bulk(rule) => rule.add_to(&mut work.demands.rules),
            Self::Objective(objective) => work.demands.objective.clone_from(objective),
            Self::Limits(limits) => work.demands.rules.limits = StudentLimits::clone(limits),
            Self::IgnoreSeats(ignore) => work.demands.rules.ignore_seats = *ignore,
            Self::LeaveOut { fewest_exams } => work.demands.rules.fewest_exams = *fewest_exams,
            Self::Calendar(calendar) => set_calendar(work, calendar.clone()),
            Self::TimeZone(zone) => work.demands.time_zone = *zone,
            Self::Publish(publication) => {
                Arc::make_mut(&mut work.demands.publications).push(Publication::clone(publication));
            }
            Self::Duties(duties, _) => work.demands.duties = Arc::clone(duties),
            Self::PeriodCount(count) => {
                let mut calendar = work.demands.calendar.clone();
                calendar.resize(*count, Period::default());
                set_calendar(work, calendar);
            }
            Self::StayClose { reference, room_price, keep, keep_rooms } => {
                work.demands.rules.reference = Some(reference.clone());
                work.demands.rules.room_price = *room_price;
                let Some(draft) = &work.draft else { return };
                for &exam in keep_rooms {
                    let rooms = draft.solution.rooms_to_pin(&work.data.instance, exam);
                    if !rooms.is_empty() {
                        work.demands.rules.room_pins.insert(exam as u16, rooms);
                    }
                }
                for &exam in keep {
                    if let Some(period) = draft.solution.period_of(exam) {
                        work.demands.rules.pins.insert(exam as u16, period as u16);
                    }
                }
            }
            Self::ForgetReference => {
                work.demands.rules.reference = None;
                work.demands.rules.room_price = 0;
            }
            Self::ClearRules => work.demands.rules = Rules::default(),
            Self::Start(draft) => work.draft = Some(draft.clone()),
            Self::Discard => work.draft = None,
        }
    }
}

/// A change of rooms in words: «move 38 students of MAT101 to H2», «exchange the rooms of MAT101 and PHY20».
pub(crate) fn room_move_words(instance: &Instance, change: RoomMove) -> String {
    let sittings = instance.sittings();
    let exam = |part: Part| sittings.get(part.sitting).map(|sitting| sitting.exam);
    let code = |part| exam(part).and_then(|exam| instance.exams.get(exam)).map_or("?", |exam| exam.code.as_str());
    match change {
        RoomMove::Put { part, room, .. } => {
            let room = instance.resources.rooms.get(usize::from(room)).map_or("?", |room| room.code.as_str());
            let is_whole = sittings.get(part.sitting).is_some_and(|sitting| sitting.students == part.students);
            match is_whole {
                true => format!("move {} to {room}", code(part)),
                false => format!("move {} of {} to {room}", counted(part.students, "student"), code(part)),
            }
        }
        RoomMove::Swap(first, second) => format!("exchange the places of {} and {}", code(first), code(second)),
    }
}

/// The series of edits that belong together if they follow each other; see [`document::History::before_series`].
pub(crate) fn series_of(edits: &[Edit]) -> Option<&'static str> {
    matches!(edits, [Edit::PeriodCount(_)]).then_some("periods")
}

/// Returns the common name of edits that are undone together.
pub fn name_of(edits: &[Edit], instance: &Instance) -> Option<String> {
    let last = edits.last()?;
    let allowed = |edit: &Edit| matches!(edit, Edit::Forbid { forbidden: false, .. });
    let unpins = |edit: &Edit| match edit {
        Edit::Pin { period, .. } => period.is_none(),
        Edit::PinRooms { rooms, .. } => rooms.is_empty(),
        _ => false,
    };
    match last {
        Edit::Forbid { exam, .. } if edits.len() > 1 && edits.iter().all(allowed) => {
            let code = instance.exams.get(*exam).map_or("?", |exam| exam.code.as_str());
            Some(format!("allow all periods for {code}"))
        }
        Edit::Pin { .. } | Edit::PinRooms { .. } if edits.len() > 1 && edits.iter().all(unpins) => {
            let exams: BTreeSet<usize> = edits.iter().filter_map(Edit::pinned_exam).collect();
            Some(format!("unpin {}", counted(exams.len(), "exam")))
        }
        last => Some(last.describe(instance)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{ObjectiveKind, RelationKind, generator};
    use gridwright_window::document::Data;
    use gridwright_window::document::History;

    fn history_of(instance: &Instance) -> History<Work> {
        let (demands, data) = (SessionDemands::of(instance), Data::of(instance));
        History::new(Work { draft: None, demands, data, letterhead: Arc::default() })
    }

    fn apply(history: &mut History<Work>, edits: &[Edit], instance: &Instance) -> bool {
        let series = series_of(edits);
        let mut work = history.before_series(series).clone();
        edits.iter().for_each(|edit| edit.apply(&mut work));
        history.change(&name_of(edits, instance).unwrap(), work, series)
    }

    fn draft(instance: &Instance) -> Draft {
        let timetable = Arc::new(Timetable::of(vec![1; instance.exam_count()]));
        Draft { from: "Run 1".to_owned(), base: Arc::clone(&timetable), solution: timetable }
    }

    #[test]
    fn every_change_is_taken_back_and_made_again() {
        let instance = generator::sample("school").unwrap();
        let mut history = history_of(&instance);
        let mut calendar = instance.periods.clone();
        calendar[0].seats = Some(10);
        let relation = Relation::new(RelationKind::Before, 0, 1);
        let reference = Reference { timetable: Timetable::of(vec![0; instance.exam_count()]), weight: 5 };
        let edits = [
            Edit::Start(draft(&instance)),
            Edit::Move { exam: 2, period: Some(3) },
            Edit::Pin { exam: 2, period: Some(3) },
            Edit::PinRooms { exam: 3, rooms: [1, 2].into() },
            Edit::Forbid { exam: 4, period: 0, forbidden: true },
            Edit::Relate(relation),
            Edit::IgnoreSeats(true),
            Edit::Limits(Arc::new(StudentLimits { a_day: 2, ..StudentLimits::default() })),
            Edit::LeaveOut { fewest_exams: true },
            Edit::Objective(Objective::of(ObjectiveKind::Office)),
            Edit::Calendar(calendar),
            Edit::TimeZone(Some("Europe/Berlin".parse().unwrap())),
            Edit::StayClose { reference, room_price: 0, keep: vec![2], keep_rooms: Vec::new() },
            Edit::Unrelate(relation),
            Edit::ForgetReference,
            Edit::Move { exam: 2, period: Some(4) },
            Edit::ClearRules,
            Edit::Discard,
        ];
        let mut states = vec![history.present().clone()];
        for edit in &edits {
            assert!(apply(&mut history, std::slice::from_ref(edit), &instance), "{edit:?} changes something");
            states.push(history.present().clone());
        }
        assert_eq!(states[16].demands.rules.pins[&2], 4, "a pin goes with its exam");
        for state in states.iter().rev().skip(1) {
            assert!(history.undo());
            assert!(history.present() == state);
        }
        assert!(!history.undo());
        for state in &states[1..] {
            assert!(history.redo());
            assert!(history.present() == state);
        }
        assert!(!history.redo());
    }

    #[test]
    fn nothing_is_remembered_of_what_changes_nothing_and_a_new_change_forgets_what_was_taken_back() {
        let instance = generator::sample("school").unwrap();
        let mut history = history_of(&instance);
        assert!(!apply(&mut history, &[Edit::Pin { exam: 1, period: None }], &instance));
        assert!(apply(&mut history, &[Edit::Pin { exam: 1, period: Some(2) }], &instance));
        assert_eq!(
            history.names().0,
            Some(format!("pin {} to {}", instance.exams[1].code, instance.period_label(2)).as_str())
        );
        history.undo();
        assert!(apply(&mut history, &[Edit::IgnoreSeats(true)], &instance));
        assert_eq!(history.names().1, None);
        assert!(!history.redo());
    }

    #[test]
    fn a_shorter_calendar_leaves_exams_without_a_period() {
        let instance = generator::sample("school").unwrap();
        let mut history = history_of(&instance);
        let move_out = Edit::Move { exam: 0, period: Some(instance.period_count() - 1) };
        apply(&mut history, &[Edit::Start(draft(&instance)), move_out], &instance);
        apply(&mut history, &[Edit::Calendar(instance.periods[..2].to_vec())], &instance);
        let draft = history.present().draft.clone().unwrap();
        assert_eq!((draft.solution.period_of(0), draft.solution.period_of(1)), (None, Some(1)));
        assert_eq!(draft.moved(), [0]);
    }
    #[test]
    fn a_small_number_of_periods_on_the_way_takes_nothing_away() {
        let instance = generator::sample("school").unwrap();
        let (mut history, count) = (history_of(&instance), instance.period_count());
        let last = Edit::Move { exam: 0, period: Some(count - 1) };
        apply(&mut history, &[Edit::Start(draft(&instance)), last], &instance);
        let before = history.present().clone();
        for periods in [count - 1, 2, count + 3] {
            assert!(apply(&mut history, &[Edit::PeriodCount(periods)], &instance));
            assert_eq!(history.present().demands.calendar.len(), periods);
        }
        assert_eq!(history.names().0, Some(format!("change to {} periods", count + 3).as_str()));
        assert_eq!(history.present().draft, before.draft);
        assert_eq!(history.present().demands.calendar[..count], before.demands.calendar);
        history.undo();
        assert!(*history.present() == before, "they are one change");
        // Back to where it began is no change at all.
        apply(&mut history, &[Edit::PeriodCount(3)], &instance);
        assert!(apply(&mut history, &[Edit::PeriodCount(count)], &instance));
        assert_eq!(
            history.names().0,
            Some(format!("move {} to {}", instance.exams[0].code, instance.period_label(count - 1)).as_str())
        );
    }
}
