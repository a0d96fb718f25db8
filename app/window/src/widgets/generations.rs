//! Parts of the views of genetic algorithms, generation by generation: state, population beside its distribution, charts with
//! the take-over, and the steps of one child.

use egui::{Align, Label, Layout, ScrollArea, Ui, vec2};
use gridwright_core::numbers::{counted, figure, grouped, significant};
use gridwright_core::search::selection::{TakeOver, expected_takeover};

use super::controls::segmented;
use super::entry::Number;
use super::history::{self, History, Panel};
use super::playback::{self, Event, Player, Tape};
use super::{genes, strips};
use crate::theme::{self, palette, space};

/// Narrower than this, the distribution takes turns with the population.
const BESIDE: f32 = 760.0;
/// Least height of a chart with its heading; lower views scroll.
const LEAST: f32 = 92.0;
/// From this width on, charts stand in two columns.
const WIDE: f32 = 700.0;

/// State of the view of generations.
#[derive(Clone)]
pub struct GenerationsState {
    /// Position in the steps of a child.
    pub steps: Player,
    /// Index of the child whose origin is shown.
    pub child: usize,
    /// Selected row of the population.
    pub row: Option<usize>,
    /// Generation whose best individual is followed.
    pub followed: u64,
    /// Part of the population that is zoomed to.
    pub genes: genes::View,
    /// Part of the strips of a child that is zoomed to.
    pub strips: strips::View,
    /// True if the distribution is shown where there is no room for it beside the population.
    shows_distribution: bool,
    /// Generation that was painted last, with the revision of the picture.
    painted: (Option<(usize, u64)>, u64),
}

impl Default for GenerationsState {
    fn default() -> Self {
        let mut steps = Player::default();
        steps.go_to(0);
        // Slow enough to follow.
        steps.set_speed(0);
        Self {
            steps,
            child: 0,
            row: None,
            followed: 0,
            genes: genes::View::default(),
            strips: strips::View::default(),
            shows_distribution: false,
            painted: (None, 0),
        }
    }
}

impl GenerationsState {
    /// Shows all of the picture: of the strips of a child, or of the population.
    pub fn fit(&mut self, is_child: bool) {
        if is_child { self.strips.fit() } else { self.genes.axes.fit() }
    }

    /// Enlarges the picture by a factor.
    pub fn zoom(&mut self, is_child: bool, factor: f32) {
        if is_child { self.strips.zoom(factor) } else { self.genes.axes.zoom(factor) }
    }

    /// Revision of the picture of a generation, which `key` identifies.
    pub fn revision(&mut self, key: (usize, u64)) -> u64 {
        if self.painted.0 != Some(key) {
            self.painted = (Some(key), self.painted.1 + 1);
        }
        self.painted.1
    }

    /// Chooses the child whose origin is shown, from its first step on.
    pub fn open(&mut self, child: usize) {
        self.child = child;
        self.steps.go_to(0);
    }

    /// Where there is no room for both, draws the choice between the population and its distribution, given with names and
    /// tooltips.
    pub fn part_choice(&mut self, ui: &mut Ui, parts: [(&str, &str); 2]) {
        if ui.available_width() < BESIDE {
            let choices = parts.map(|(name, help)| (name, help, true));
            if let Some(choice) = segmented(ui, &choices, Some(usize::from(self.shows_distribution))) {
                self.shows_distribution = choice == 1;
            }
        }
    }

    /// Parts to be drawn in this width: the population, the distribution, or both.
    pub fn parts(&self, width: f32) -> [bool; 2] {
        if width < BESIDE { [!self.shows_distribution, self.shows_distribution] } else { [true; 2] }
    }

    /// Draws the field of the generation whose best individual is followed; `individual` and `genes` are the words for both.
    pub fn follow_field(&mut self, ui: &mut Ui, last: u64, [individual, genes]: [&str; 2]) {
        ui.label("Follow the best of generation");
        let name = format!("Generation whose best {individual} is followed");
        let help = format!("Take-over: how far the {genes} of this {individual} spread");
        ui.add(Number::new(&name, &mut self.followed).range(0..=last).speed(0.2).help(&help));
    }

    /// Draws the player of the steps of a child; returns the step that is shown.
    pub fn step(&mut self, ui: &mut Ui, steps: &[Step], has_focus: bool) -> Step {
        let tape = Tape { unit: "Step", ..Tape::of_length(steps.len() as u64 - 1) };
        if has_focus {
            playback::by_keys(ui, &mut self.steps, &tape);
        }
        playback::show(ui, &mut self.steps, &tape);
        steps[(self.steps.at() as usize).min(steps.len() - 1)]
    }
}

/// Draws the population with `draw(ui, false)` and its distribution of this width with `draw(ui, true)` beside it, or only one.
pub fn population(ui: &mut Ui, parts: [bool; 2], width: f32, mut draw: impl FnMut(&mut Ui, bool)) {
    if parts != [true; 2] {
        return draw(ui, parts[1]);
    }
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        let left = ui.available_width() - width - space::M;
        let layout = Layout::top_down(Align::Min);
        ui.allocate_ui_with_layout(vec2(left, height), layout, |ui| draw(ui, false));
        ui.add_space(space::M - ui.spacing().item_spacing.x);
        ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| draw(ui, true));
    });
}

/// Draws words that are cut off at the right edge, and whole in the tooltip.
pub fn remark(ui: &mut Ui, words: String) {
    let label = Label::new(theme::small(&words).color(palette(ui.visuals()).weak)).truncate();
    ui.add(label).on_hover_text(words);
}

/// How far the `genes` of the followed individual spread, beside selection alone in a population with tournaments of a size.
pub fn take_over_words(take_over: &TakeOver, genes: &str, selection: Option<(u32, u32)>) -> String {
    let most = take_over.genes.iter().copied().fold(0.0, f32::max);
    let spread = match take_over.reaches(0.5) {
        Some(at) => format!("Its {genes} are half of all after {}", counted(at - take_over.from, "generation")),
        None => format!("Its {genes} never are half of all, at most {:.0} %", 100.0 * most),
    };
    let expected = selection.and_then(|(individuals, tournament)| {
        let generations = figure(expected_takeover(individuals, tournament)?, 1);
        Some(format!(
            "; under selection alone, tournaments of {tournament} would fill the population in about {generations} generations"
        ))
    });
    format!("{spread}{}.", expected.unwrap_or_default())
}

/// Shares of a take-over in percent, one per generation of the run.
pub fn percentages(take_over: Option<&TakeOver>, shares: impl Fn(&TakeOver) -> &[f32]) -> Vec<f32> {
    let before = take_over.map_or(0, |it| it.from as usize);
    let shares = take_over.map_or(&[][..], shares);
    std::iter::repeat_n(f32::NAN, before).chain(shares.iter().map(|share| 100.0 * share)).collect()
}

/// Values of the children of each generation, one per generation; children of the last one were never made.
pub fn of_children(mut values: Vec<f32>) -> Vec<f32> {
    if let Some(last) = values.last_mut() {
        *last = f32::NAN;
    }
    values
}

/// Formats a value of a chart; whole numbers are grouped.
pub fn number_words(value: f64) -> String {
    if value.fract() == 0.0 { grouped(value as i64) } else { significant(value) }
}

/// A panel of a chart without a reference line.
pub fn panel<'a>(
    title: &'a str, lines: &'a [history::Line<'a>], from_zero: bool, words: &'a dyn Fn(f64) -> String,
) -> Panel<'a> {
    Panel { title, lines, reference: None, from_zero, weight: 1.0, words }
}

/// Clicks on charts.
#[derive(Debug, Default)]
pub struct ChartsOutcome {
    /// True if a chart has the keyboard focus.
    pub has_focus: bool,
    /// Generation to go to.
    pub picked: Option<u64>,
}

/// Draws charts over the generations, the first two at the left where there is room for two columns.
pub fn charts(ui: &mut Ui, panels: &[Panel<'_>], at: Option<u64>, events: &[Event]) -> ChartsOutcome {
    let room = ui.available_size();
    let is_wide = room.x >= WIDE;
    let mut outcome = ChartsOutcome::default();
    let mut draw = |ui: &mut Ui, panels: &[Panel<'_>]| {
        let (unit, nothing) = ("Generation", "Nothing was recorded");
        let drawn = history::show(ui, &History { panels, first: 0, unit, at, events, nothing });
        outcome.has_focus |= drawn.response.has_focus();
        outcome.picked = drawn.picked.or(outcome.picked);
    };
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let rows = if is_wide { panels.len().div_ceil(2) } else { panels.len() };
        ui.set_height(room.y.max(rows as f32 * LEAST));
        ui.set_width(room.x);
        if !is_wide {
            return draw(ui, panels);
        }
        let (left, right) = panels.split_at(2);
        ui.columns(2, |columns| {
            draw(&mut columns[0], left);
            draw(&mut columns[1], right);
        });
    });
    outcome
}

/// Step of reproduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Tournament for the first parent.
    First,
    /// Tournament for the second parent.
    Second,
    /// Crossover.
    Crossover,
    /// Mutation.
    Mutation,
    /// Greedy descent.
    Descent,
    /// The finished child beside its parents, or beside the individual in its slot.
    Finished,
}

impl Step {
    /// Name of the step.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "First parent",
            Self::Second => "Second parent",
            Self::Crossover => "Crossover",
            Self::Mutation => "Mutation",
            Self::Descent => "Greedy descent",
            Self::Finished => "The child",
        }
    }
}
