//! Player of step-by-step recordings: play, pause, step, back, speed, scrub, and conditions at which playing stops.
//!
//! A playing player asks the window for at most 30 frames a second, a paused one for none.

mod scrub;

use std::time::Duration;

use egui::{Key, Modifiers, Ui};
use gridwright_core::numbers::grouped;

use super::choices::Choices;
use super::controls::icon_button;
use super::entry::Number;
use super::icons::Icon;
use super::presentation;
use crate::theme::{self, palette, space};

/// Steps in a second that can be chosen.
pub(crate) const SPEEDS: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0];
const USUAL: usize = 3;
/// Greatest number of frames per second while playing.
const FRAMES: f64 = 30.0;
/// Narrower than this, speed and where to stop have a line of their own.
const WIDE: f32 = 640.0;
/// Narrower than this, speed has a line of its own where there is nothing to stop at.
const NARROW: f32 = 420.0;
/// Lower than this, there is no room for such a line.
const LOW: f32 = 300.0;
/// A frame that came later than this, in seconds, is no reason to leap.
const LONGEST: f64 = 0.25;

/// Position in a recording, speed, and the condition at which playing stops.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    at: u64,
    playing: bool,
    speed: usize,
    /// Fraction of a step that time has earned so far.
    earned: f64,
    /// Time of the last frame in seconds, while playing.
    before: Option<f64>,
    /// Index of the condition at which playing stops.
    stop: Option<usize>,
    /// Number of steps for conditions that need one.
    patience: u64,
    /// True while the newest step of a live recording is shown.
    following: bool,
    /// Index of the condition that stopped playing last.
    stopped: Option<usize>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            at: 0,
            playing: false,
            speed: USUAL,
            earned: 0.0,
            before: None,
            stop: None,
            patience: 100,
            following: true,
            stopped: None,
        }
    }
}

/// A condition at which a player stops.
pub struct Stop<'a> {
    /// Name, such as «First optimum».
    pub name: &'a str,
    /// Explanation of the condition.
    pub help: &'a str,
    /// True if the condition needs a number of steps.
    pub counts: bool,
    /// Returns `true` if playing stops at a step; the second argument is the number of steps that a person entered.
    pub holds: &'a dyn Fn(u64, u64) -> bool,
}

/// Something that happened at a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The step.
    pub at: u64,
    /// Name of the event.
    pub name: String,
}

/// A recording.
pub struct Tape<'a> {
    /// The first step that there is.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// Noun for a step, such as «Iteration».
    pub unit: &'a str,
    /// Heights of the activity bars, one for each step from the first on.
    pub activity: &'a [f32],
    /// Quantity of the activity bars.
    pub activity_name: &'a str,
    /// Events with their steps.
    pub events: &'a [Event],
    /// Conditions to stop at.
    pub stops: &'a [Stop<'a>],
    /// True while recording goes on.
    pub live: bool,
}

impl Tape<'_> {
    /// A recording without activity, events or conditions, from step 0 to `last`.
    pub fn of_length(last: u64) -> Self {
        Self { first: 0, last, unit: "", activity: &[], activity_name: "", events: &[], stops: &[], live: false }
    }

    fn clamp(&self, at: u64) -> u64 {
        at.clamp(self.first, self.last.max(self.first))
    }
}

impl Player {
    /// The step that is shown.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// True while playing.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// True while the newest step of a live recording is shown.
    pub fn is_following(&self) -> bool {
        self.following
    }

    /// Shows a step from now on, and plays no longer.
    pub fn go_to(&mut self, at: u64) {
        (self.at, self.following, self.stopped) = (at, false, None);
        self.pause();
    }

    /// Shows the newest step from now on.
    pub fn follow(&mut self) {
        self.following = true;
        self.pause();
    }

    /// A player that is paused.
    pub fn pause(&mut self) {
        (self.playing, self.before, self.earned) = (false, None, 0.0);
    }

    /// Plays; from the first step if the last one is shown.
    pub fn play(&mut self, tape: &Tape<'_>) {
        if self.at >= tape.last && !tape.live {
            self.at = tape.first;
        }
        (self.playing, self.following, self.before, self.earned, self.stopped) = (true, false, None, 0.0, None);
    }

    /// Plays, or pauses.
    pub fn toggle(&mut self, tape: &Tape<'_>) {
        if self.playing { self.pause() } else { self.play(tape) }
    }

    /// Pauses `by` steps further on, or back where `by` is negative.
    pub fn step(&mut self, tape: &Tape<'_>, by: i64) {
        let at = tape.clamp(self.at.saturating_add_signed(by));
        self.go_to(at);
    }

    /// Plays `by` places of [`SPEEDS`] faster, or slower where `by` is negative.
    pub(crate) fn change_speed(&mut self, by: isize) {
        self.set_speed(self.speed.saturating_add_signed(by));
    }

    /// Chooses one of [`SPEEDS`].
    pub fn set_speed(&mut self, speed: usize) {
        self.speed = speed.min(SPEEDS.len() - 1);
    }

    /// Advances with time and asks for the next frame while playing; returns `true` if another step is shown.
    pub fn advance(&mut self, ui: &Ui, tape: &Tape<'_>) -> bool {
        let shown = self.at;
        if self.following {
            self.at = tape.last;
        }
        self.at = tape.clamp(self.at);
        if self.playing {
            let now = ui.input(|input| input.time);
            let passed = self.before.map_or(0.0, |before| (now - before).clamp(0.0, LONGEST));
            self.before = Some(now);
            self.earned += passed * SPEEDS[self.speed];
            self.run(tape);
        }
        if self.playing {
            let wait = (1.0 / SPEEDS[self.speed]).clamp(1.0 / FRAMES, 0.5);
            ui.ctx().request_repaint_after(Duration::from_secs_f64(wait));
        }
        self.at != shown
    }

    /// Advances by the steps that time has earned, one after the other, up to a step at which the condition holds.
    fn run(&mut self, tape: &Tape<'_>) {
        while self.earned >= 1.0 && self.at < tape.last {
            self.earned -= 1.0;
            self.at += 1;
            let stop = self.stop.and_then(|stop| tape.stops.get(stop));
            if stop.is_some_and(|stop| (stop.holds)(self.at, self.patience)) {
                self.stopped = self.stop;
                self.pause();
                return;
            }
        }
        if self.at >= tape.last {
            // A recording that goes on may have more in a moment.
            self.earned = self.earned.min(1.0);
            if !tape.live {
                self.pause();
            }
        }
    }
}

/// Shows the buttons in one line and the scrub bar below, and advances with time; returns `true` if another step is shown
/// than before.
pub fn show(ui: &mut Ui, player: &mut Player, tape: &Tape<'_>) -> bool {
    let before = player.at;
    if presentation::is_on(ui.ctx()) && !ui.ctx().text_edit_focused() {
        by_keys_of_presentation(ui, player, tape);
    }
    player.advance(ui, tape);
    let wide = ui.available_width() >= if tape.stops.is_empty() { NARROW } else { WIDE };
    let to_the_right = egui::Layout::right_to_left(egui::Align::Center);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        buttons(ui, player, tape);
        ui.add_space(space::S);
        place(ui, player, tape);
        if wide {
            ui.with_layout(to_the_right, |ui| choices(ui, player, tape));
        }
    });
    // In the smallest windows what is played needs the room.
    if !wide && ui.available_height() >= LOW {
        ui.horizontal(|ui| ui.with_layout(to_the_right, |ui| choices(ui, player, tape)));
    }
    if let Some(at) = scrub::show(ui, player, tape) {
        player.go_to(at);
    }
    player.at = tape.clamp(player.at);
    player.at != before
}

/// Takes the keys of a player while the picture of the recording has the focus: space plays, comma and full stop step.
pub fn by_keys(ui: &Ui, player: &mut Player, tape: &Tape<'_>) {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::Space) {
        player.toggle(tape);
    }
    if pressed(Key::Comma) {
        player.step(tape, -1);
    }
    if pressed(Key::Period) {
        player.step(tape, 1);
    }
}

/// Takes the keys of a player in a presentation: space plays, arrows and the keys of a presenter step and change the speed.
fn by_keys_of_presentation(ui: &Ui, player: &mut Player, tape: &Tape<'_>) {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::Space) {
        player.toggle(tape);
    }
    for (key, by) in [(Key::ArrowRight, 1), (Key::PageDown, 1), (Key::ArrowLeft, -1), (Key::PageUp, -1)] {
        if pressed(key) {
            player.step(tape, by);
        }
    }
    for (key, by) in [(Key::ArrowUp, 1), (Key::ArrowDown, -1)] {
        if pressed(key) {
            player.change_speed(by);
        }
    }
}

fn buttons(ui: &mut Ui, player: &mut Player, tape: &Tape<'_>) {
    let (can_go_back, can_go_on) = (player.at > tape.first, player.at < tape.last);
    if icon_button(ui, Icon::First, "To the beginning", can_go_back).clicked() {
        player.go_to(tape.first);
    }
    if icon_button(ui, Icon::StepBack, "One step back", can_go_back).clicked() {
        player.step(tape, -1);
    }
    let (icon, name) = if player.playing { (Icon::Pause, "Pause playing") } else { (Icon::Play, "Play") };
    if icon_button(ui, icon, name, tape.last > tape.first).clicked() {
        player.toggle(tape);
    }
    if icon_button(ui, Icon::StepForward, "One step on", can_go_on).clicked() {
        player.step(tape, 1);
    }
    let end = if tape.live { "Follow the run" } else { "To the end" };
    if icon_button(ui, Icon::Last, end, can_go_on).clicked() {
        if tape.live { player.follow() } else { player.go_to(tape.last) }
    }
}

/// Writes the step shown and the event or condition met there.
fn place(ui: &mut Ui, player: &Player, tape: &Tape<'_>) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.x = space::XS;
    ui.label(theme::bold(format!("{} {}", tape.unit, grouped(player.at as i64))));
    ui.label(theme::small(format!("of {}", grouped(tape.last as i64))).color(palette.weak));
    let stopped = player.stopped.and_then(|stop| tape.stops.get(stop));
    let event = tape.events.iter().find(|event| event.at == player.at);
    if let Some(name) = event.map(|event| event.name.as_str()).or(stopped.map(|stop| stop.name)) {
        ui.add_space(space::XS);
        ui.label(theme::small(name).color(palette.good));
    }
}

/// Speed, and where to stop; from the right.
fn choices(ui: &mut Ui, player: &mut Player, tape: &Tape<'_>) {
    ui.spacing_mut().item_spacing.x = space::S;
    if !tape.stops.is_empty() {
        let counts = player.stop.and_then(|stop| tape.stops.get(stop)).is_some_and(|stop| stop.counts);
        if counts {
            let help = "After so many steps without it";
            let field = Number::new("Number of steps", &mut player.patience).range(1..=1_000_000).speed(1.0);
            ui.add(field.help(help));
        }
        let name = player.stop.and_then(|stop| tape.stops.get(stop)).map_or("nowhere", |stop| stop.name);
        let list = |ui: &mut Ui| {
            ui.selectable_value(&mut player.stop, None, "nowhere");
            for (index, stop) in tape.stops.iter().enumerate() {
                ui.selectable_value(&mut player.stop, Some(index), stop.name).on_hover_text(stop.help);
            }
        };
        Choices::new("Stop playing at", name).width(132.0).cut().help("Where playing stops by itself").show(ui, list);
        ui.label(theme::small("Stop at").color(palette(ui.visuals()).weak));
    }
    let words = |speed: f64| format!("{} a second", grouped(speed as i64));
    let present = words(SPEEDS[player.speed]);
    let list = |ui: &mut Ui| {
        for (index, speed) in SPEEDS.into_iter().enumerate() {
            ui.selectable_value(&mut player.speed, index, words(speed));
        }
    };
    Choices::new("Speed", present).width(104.0).help("How many steps are played in a second").show(ui, list);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape<'a>(last: u64, stops: &'a [Stop<'a>], live: bool) -> Tape<'a> {
        let (activity, events) = (&[][..], &[][..]);
        Tape { first: 0, last, unit: "Iteration", activity, activity_name: "", events, stops, live }
    }

    /// Earns `steps` steps, runs, and returns the step shown.
    fn earn(player: &mut Player, tape: &Tape<'_>, steps: f64) -> u64 {
        player.earned += steps;
        player.run(tape);
        player.at
    }

    #[test]
    fn whole_steps_are_gone_and_parts_are_kept() {
        let tape = tape(100, &[], false);
        let mut player = Player::default();
        player.go_to(0);
        player.play(&tape);
        assert_eq!([0.6, 0.6, 0.6].map(|steps| earn(&mut player, &tape, steps)), [0, 1, 1]);
        assert_eq!(earn(&mut player, &tape, 0.3), 2);
        assert_eq!((earn(&mut player, &tape, 1_000.0), player.is_playing()), (100, false), "it ends at the end");
        player.play(&tape);
        assert_eq!(player.at(), 0, "and begins anew");
    }

    #[test]
    fn no_step_to_stop_at_is_leapt_over() {
        let holds = |at: u64, _: u64| at == 17;
        let stops = [Stop { name: "Seventeen", help: "", counts: false, holds: &holds }];
        let tape = tape(100, &stops, false);
        let mut player = Player::default();
        player.go_to(0);
        (player.stop, player.patience) = (Some(0), 1);
        player.play(&tape);
        assert_eq!((earn(&mut player, &tape, 50.0), player.is_playing()), (17, false));
        player.play(&tape);
        assert_eq!(earn(&mut player, &tape, 50.0), 67, "who goes on is not held by the same step again");
    }

    #[test]
    fn steps_stay_within_what_was_recorded() {
        let tape = tape(3, &[], false);
        let mut player = Player::default();
        player.go_to(2);
        player.step(&tape, 5);
        assert_eq!(player.at(), 3);
        player.step(&tape, -9);
        assert_eq!((player.at(), player.is_following()), (0, false));
    }

    #[test]
    fn what_is_still_being_recorded_is_waited_for() {
        let mut player = Player::default();
        player.go_to(0);
        player.play(&tape(10, &[], true));
        assert_eq!((earn(&mut player, &tape(10, &[], true), 500.0), player.is_playing()), (10, true));
        assert_eq!(earn(&mut player, &tape(40, &[], true), 5.0), 16, "without a leap");
    }
}
