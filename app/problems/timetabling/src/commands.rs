//! Commands that only examination sessions have.

use egui::{Key, Modifiers};
use gridwright_timetabling::ExtraTimePlace;
use gridwright_timetabling::data::with_extra_time;
use gridwright_timetabling::moves::alternatives;

use super::adjusting;
use super::calendar;
use super::editing::Edit;
use super::limits;
use super::publishing;
use super::state::Document;
use super::view_state::adjusting::{BulkDialog, ResolveDialog};
use super::view_state::comparison::Side;
use crate::methods::*;
use gridwright_window::data_view;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::window::command::{Group, ProblemCommand};

const fn edit(id: &'static str, text: &'static str, help: &'static str) -> ProblemCommand {
    ProblemCommand::new(id, Group::Edit, text, help)
}

const EARLIER: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowLeft)],
    section: true,
    ..edit("exam-earlier", "Move one period earlier", "Put the selected exam one period earlier")
};
const LATER: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowRight)],
    ..edit("exam-later", "Move one period later", "Put the selected exam one period later")
};
const BEST: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::ALT, Key::ArrowDown)],
    ..edit(
        "exam-best",
        "Move to the best period",
        "Put the selected exam where it costs least without a clash or a broken rule",
    )
};
const PIN: ProblemCommand = ProblemCommand {
    icon: Some(Icon::Pin),
    keys: &[(Modifiers::NONE, Key::P)],
    ..edit("exam-pin", "Pin or unpin the exam", "Searches leave a pinned exam where it is")
};
const ROOM: ProblemCommand = ProblemCommand {
    keys: &[(Modifiers::NONE, Key::R)],
    ..edit(
        "exam-room",
        "Change the room…",
        "Put students of the selected exam into another room, or pin it to its rooms",
    )
};
/// Make or change the calendar of the session.
pub(crate) const CALENDAR: ProblemCommand = ProblemCommand {
    icon: Some(Icon::Calendar),
    section: true,
    in_title: true,
    ..edit("calendar", "Calendar…", "Dates, times and seats of the periods")
};
/// Choose the objective of the session.
pub const OBJECTIVE: ProblemCommand = edit("objective", "Objective…", "Choose what the searches minimise");
/// Choose limits for every student.
pub const LIMITS: ProblemCommand = edit(
    "limits",
    "Limits for students…",
    "Most exams of a student on a day, in a row or in several days, and time between exams",
);
/// Add a rule for many exams.
pub(crate) const BULK: ProblemCommand =
    edit("bulk-rule", "Rule for many exams…", "Forbid periods for exams, or relate them, by code and size");
/// Places of the students with extra time, with the command that chooses each.
const EXTRA_TIME: [(ExtraTimePlace, ProblemCommand); 4] = [
    (
        ExtraTimePlace::SameRoom,
        ProblemCommand {
            section: true,
            ..edit(
                "extra-time-same-room",
                "Extra time in the room of the exam",
                "Students with extra time sit with the others and leave later",
            )
        },
    ),
    (
        ExtraTimePlace::Apart,
        edit(
            "extra-time-apart",
            "Extra time apart from the others",
            "Students with equal extra time sit together, in rooms without others as far as the weight “Further durations in one room and period” outweighs the rooms; “alone” and “common room” are kept in any case",
        ),
    ),
    (
        ExtraTimePlace::OwnRoom,
        edit(
            "extra-time-own-room",
            "Extra time alone in a room",
            "Every student with extra time has a room of his or her own",
        ),
    ),
    (
        ExtraTimePlace::CommonRoom,
        edit(
            "extra-time-common-room",
            "Extra time in a common room",
            "Students with extra time sit together, whatever their exams, in the rooms that Data marks as extra time rooms",
        ),
    ),
];
/// Publish the timetable that is shown.
pub(crate) const PUBLISH: ProblemCommand = ProblemCommand {
    section: true,
    ..edit(
        "publish",
        "Publish this timetable",
        "Keep it as a version: students keep their rooms, and later changes are listed with whom they concern",
    )
};
/// Ask how close the next run should stay to the timetable that is shown.
pub(crate) const SOLVE_AROUND: ProblemCommand = ProblemCommand {
    icon: Some(Icon::Play),
    keys: &[(Modifiers::NONE, Key::F6)],
    section: true,
    ..ProblemCommand::new(
        "solve-around",
        Group::Run,
        "Solve around the changes…",
        "Mend and improve the timetable that is shown, and move as few exams as possible",
    )
};
/// Compare the draft with the timetable that it was made from.
pub(crate) const COMPARE_DRAFT: ProblemCommand = ProblemCommand::new(
    "compare-draft",
    Group::Run,
    "Compare the edited timetable",
    "What was moved by hand, who gains and who loses",
);

/// All of them, in the order of the menus.
pub const COMMANDS: [ProblemCommand; 16] = [
    EARLIER, LATER, BEST, PIN, ROOM, CALENDAR, OBJECTIVE, LIMITS, BULK, EXTRA_TIME[0].1, EXTRA_TIME[1].1,
    EXTRA_TIME[2].1, EXTRA_TIME[3].1, PUBLISH, SOLVE_AROUND, COMPARE_DRAFT,
];

/// Place of the students with extra time that a command chooses.
fn extra_time(command: &ProblemCommand) -> Option<ExtraTimePlace> {
    EXTRA_TIME.iter().find(|(_, other)| other == command).map(|(place, _)| *place)
}

/// Returns `true` if a command stands for the choice that holds now.
pub fn is_chosen(document: &Document, command: &ProblemCommand) -> bool {
    let resources = &document.instance.resources;
    !resources.arrangements.is_empty() && extra_time(command) == Some(resources.extra_time)
}

/// Checks that a command is possible now.
///
/// # Errors
/// Why not.
pub fn possible(document: &Document, command: &ProblemCommand) -> Result<(), &'static str> {
    let when = |holds: bool, why: &'static str| if holds { Ok(()) } else { Err(why) };
    if let Some(place) = extra_time(command) {
        let resources = &document.instance.resources;
        when(!document.is_solving(), "Can be changed when the run has ended")?;
        when(!resources.arrangements.is_empty(), "No student has extra time; enter it in Data, Arrangements")?;
        let has_room = place != ExtraTimePlace::CommonRoom || resources.rooms.iter().any(|room| room.extra_time);
        return when(has_room, "Mark a room in Data, Rooms, as extra time room first");
    }
    match command {
        command if [CALENDAR, OBJECTIVE].contains(command) => {
            when(!document.is_solving(), "Can be changed when the run has ended")
        }
        command if *command == LIMITS => {
            when(!document.is_solving(), "Can be changed when the run has ended")?;
            when(document.instance.period_count() > 0, "Set the number of periods first")
        }
        command if *command == PUBLISH => publishing::possible(document),
        command if *command == BULK => when(document.instance.period_count() > 0, "Set the number of periods first"),
        command if *command == COMPARE_DRAFT => when(document.draft().is_some(), "No timetable is being edited"),
        command if *command == SOLVE_AROUND => {
            document.ready()?;
            when(document.picture().is_some(), "There is no timetable yet")
        }
        command => {
            when(*command != ROOM || document.instance.has_rooms(), "This session plans no rooms")?;
            when(document.selected.is_some(), "Select an exam first")?;
            when(document.picture().is_some(), "There is no timetable yet")
        }
    }
}

/// Runs a command.
///
/// # Errors
/// Why that is not possible.
pub fn run(document: &mut Document, command: &ProblemCommand) -> Result<(), &'static str> {
    if let Some(place) = extra_time(command) {
        if is_chosen(document, command) {
            return Ok(());
        }
        let changed =
            with_extra_time(&document.tables(), place).map_err(|_| "Correct the marked cells in Data first")?;
        if let Err(why) = document.change_data(data_view::Edit::of("the place of extra time", changed), None) {
            document.say(why);
        }
        return Ok(());
    }
    match command {
        command if *command == CALENDAR => {
            let periods = document.runs.iter().map(|run| run.periods);
            let dialog = calendar::Dialog::new(&document.instance, periods);
            document.calendar_dialog = Some(dialog);
            Ok(())
        }
        command if *command == OBJECTIVE => {
            document.choosing_objective = true;
            Ok(())
        }
        command if *command == LIMITS => {
            document.limits_dialog = Some(limits::dialog_of(document));
            Ok(())
        }
        command if *command == BULK => {
            document.state.bulk = Some(BulkDialog::default());
            Ok(())
        }
        command if *command == PUBLISH => publishing::publish(document),
        command if *command == COMPARE_DRAFT => {
            document.compare_sides([Side::Base, Side::Draft]);
            Ok(())
        }
        command if *command == SOLVE_AROUND => {
            let dialog = ResolveDialog::new(document);
            document.resolving = Some(dialog);
            Ok(())
        }
        command if *command == EARLIER => step(document, -1),
        command if *command == LATER => step(document, 1),
        command if *command == BEST => to_best(document),
        command if *command == ROOM => {
            let exam = document.selected.ok_or("Select an exam first")?;
            document.choose_room(exam)
        }
        _ => pin(document),
    }
}

/// Moves the selected exam by one period.
fn step(document: &mut Document, by: isize) -> Result<(), &'static str> {
    let exam = document.selected.ok_or("Select an exam first")?;
    let here = document.picture().and_then(|picture| picture.timetable.period_of(exam));
    let there = match here {
        Some(here) => here.checked_add_signed(by).filter(|&there| there < document.instance.period_count()),
        None => Some(0),
    };
    match there {
        Some(there) => adjusting::ask(document, exam, there),
        None => Err("The exam is at the end of the session already"),
    }
}

fn to_best(document: &mut Document) -> Result<(), &'static str> {
    let exam = document.selected.ok_or("Select an exam first")?;
    let picture = document.picture().cloned().ok_or("There is no timetable yet")?;
    let found = document.effects(exam);
    let here = picture.timetable.period_of(exam);
    let best = alternatives(&found, here, 1).first().copied().ok_or("No other period is free for this exam")?;
    if here.is_some_and(|here| found.get(here).is_some_and(|now| now.is_free() && found[best].change >= 0)) {
        return Err("It stands in its best period already");
    }
    document.move_exam(exam, Some(best))
}

fn pin(document: &mut Document) -> Result<(), &'static str> {
    let exam = document.selected.ok_or("Select an exam first")?;
    let here = document.picture().and_then(|picture| picture.timetable.period_of(exam));
    let period =
        if document.rules().pin_of(exam).is_some() { None } else { Some(here.ok_or("The exam has no period yet")?) };
    document.apply(vec![Edit::Pin { exam, period }])
}
