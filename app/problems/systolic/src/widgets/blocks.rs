//! Plot of the value of a block over its number of ones, with the blocks of a solution as discs on it.

use std::rc::Rc;

use egui::{Align2, Pos2, Rect, Sense, Stroke, Ui, vec2};
use egui_plot::{Line, PlotPoints};
use gridwright_core::numbers::{counted, grouped};

use gridwright_window::theme::{self, palette, space, text};
use gridwright_window::widgets::canvas::{Canvas, Outcome};
use gridwright_window::widgets::chart::{self, Axis, Ticks};
use gridwright_window::widgets::nodes::Part;

/// Content of the plot.
pub(crate) struct Blocks<'a> {
    /// `values[n]` is the value of a block with `n` ones.
    pub values: &'a [f64],
    /// `counts[n]` is the number of blocks of the solution with `n` ones.
    pub counts: &'a [usize],
}

/// Radius of the disc of a single block and the greatest radius, in points.
const RADII: [f32; 2] = [7.0, 26.0];

impl Blocks<'_> {
    /// «3 ones: 12 blocks, worth 0.640576 each».
    fn words(&self, ones: usize) -> String {
        let (count, value) = (self.counts.get(ones).copied().unwrap_or(0), self.values[ones]);
        format!("{}: {}, worth {value} each", counted(ones, "one"), counted(count, "block"))
    }

    /// Radius of a disc: its area grows with the number of blocks.
    fn radius(&self, ones: usize) -> f32 {
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f32;
        let share = self.counts.get(ones).copied().unwrap_or(0) as f32 / most;
        if share > 0.0 { (RADII[1] * share.sqrt()).max(RADII[0]) } else { 0.0 }
    }
}

/// Shows the plot in all the room there is.
pub fn show(ui: &mut Ui, blocks: &Blocks<'_>) -> Outcome {
    let palette = palette(ui.visuals());
    let summary = || {
        let there = (0..blocks.values.len()).filter(|&ones| blocks.counts.get(ones).is_some_and(|count| *count > 0));
        format!(
            "Value of a block over its ones. {}",
            there.map(|ones| blocks.words(ones)).collect::<Vec<_>>().join("; ")
        )
    };
    let canvas = Canvas::new(ui, Sense::click(), summary);
    let painter = canvas.painter(ui);
    let last = blocks.values.len().saturating_sub(1) as f64;
    let words = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") };
    let name = "Ones in a block";
    let x = Axis { name, range: [-0.6, last + 0.6], ticks: Ticks::Items, gap: 40.0, words: Rc::new(words) };
    let y =
        Axis { name: "Value of a block", range: [-0.15, 1.25], ticks: Ticks::Round, gap: 34.0, words: Rc::new(words) };
    let curve: Vec<[f64; 2]> = blocks.values.iter().enumerate().map(|(ones, value)| [ones as f64, *value]).collect();
    let line = Line::new("value", PlotPoints::from(curve)).color(palette.bar).width(2.0).allow_hover(false);
    let plane = chart::plane(ui, "blocks", canvas.full.shrink(space::S), [x, y], move |plot| plot.line(line));
    let place = |ones: usize| plane.place([ones as f64, blocks.values[ones]]);
    let at =
        |to: Pos2| (0..blocks.values.len()).find(|&ones| place(ones).distance(to) <= blocks.radius(ones).max(10.0));
    let (hovered, _) = canvas.pointed(at);
    for ones in 0..blocks.values.len() {
        let (centre, radius) = (place(ones), blocks.radius(ones));
        if radius == 0.0 {
            painter.circle_filled(centre, 3.5, palette.bar);
            continue;
        }
        let is_solved = blocks.values[ones] >= 1.0;
        let colour = if is_solved { palette.good } else { palette.warn };
        painter.circle_filled(centre, radius, palette.surface);
        painter.circle_filled(centre, radius, colour.gamma_multiply(0.25));
        painter.circle_stroke(centre, radius, Stroke::new(if hovered == Some(ones) { 3.0 } else { 2.0 }, colour));
        let count = grouped(blocks.counts[ones] as i64);
        let (position, align) = match radius {
            radius if radius >= 14.0 => (centre, Align2::CENTER_CENTER),
            radius => (centre + vec2(radius + 4.0, 0.0), Align2::LEFT_CENTER),
        };
        painter.text(position, align, count, theme::bold_font(text::BODY), palette.text);
    }
    let part = |ones: usize| Part {
        key: ones as u64,
        rect: Rect::from_center_size(place(ones), vec2(2.0, 2.0) * blocks.radius(ones).max(7.0)),
        name: blocks.words(ones),
        selected: false,
    };
    canvas.finish(ui, || None, || (0..blocks.values.len()).map(part).collect());
    if let Some(ones) = hovered {
        canvas.tooltip(blocks.words(ones));
    }
    Outcome { response: canvas.response, hovered, picked: None }
}
