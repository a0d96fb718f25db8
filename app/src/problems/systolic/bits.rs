//! The bits of all solutions, and which are ones in most of them.

use std::sync::Arc;

use egui::Ui;
use gridwright_solver::numbers::grouped;
use gridwright_solver::systolic::Frame;

use super::Document;
use super::grid::play;
use super::operators::bit_name;
use crate::problems::systolic::widgets::raster::{self, Raster};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{placeholder, segmented};
use crate::widgets::icons::Icon;
use crate::widgets::viewport::{Zoom, zoom_buttons};

/// Property of a bit that is drawn black in the raster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inked {
    /// Ones.
    #[default]
    Ones,
    /// Bits that are not those of the optimum.
    Wrong,
}

/// Bits packed into 64-bit words, as the raster expects.
#[derive(Debug)]
pub struct Packed {
    frame: Arc<Frame>,
    inked: Inked,
    words: Vec<u64>,
    shares: Vec<f32>,
    revision: u64,
}

impl Packed {
    /// The bits of a frame, or where they differ from `optimum`.
    fn of(frame: &Arc<Frame>, optimum: Option<&[bool]>, revision: u64) -> Self {
        let (bits, stride, count) =
            (frame.grid.bits.min(frame.ones.len()), frame.ones.len().div_ceil(64), frame.count());
        let mask = |index: usize| -> u64 {
            let Some(optimum) = optimum else { return 0 };
            let part = optimum.iter().skip(64 * index).take(64);
            part.enumerate().fold(0, |word, (bit, one)| word | u64::from(*one) << bit)
        };
        let masks: Vec<u64> = (0..stride).map(mask).collect();
        let mut words = vec![0_u64; stride * count];
        for (number, row) in words.chunks_mut(stride.max(1)).enumerate() {
            repack(frame.packed(number), frame.per_word, row);
            row.iter_mut().zip(&masks).for_each(|(word, mask)| *word ^= mask);
        }
        let share = |(bit, &ones): (usize, &u32)| {
            let wrong = optimum.and_then(|optimum| optimum.get(bit)).copied().unwrap_or(false);
            let share = ones as f32 / count.max(1) as f32;
            if wrong { 1.0 - share } else { share }
        };
        let shares = frame.ones.iter().enumerate().take(bits).map(share).collect();
        let inked = if optimum.is_some() { Inked::Wrong } else { Inked::Ones };
        Self { frame: Arc::clone(frame), inked, words, shares, revision }
    }
}

/// Converts words of fewer bits to 64-bit words.
fn repack(from: &[u64], per_word: usize, to: &mut [u64]) {
    if per_word == 64 {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        return;
    }
    for (index, &word) in from.iter().enumerate() {
        let bit = index * per_word;
        let (at, shift) = (bit / 64, bit % 64);
        if let Some(slot) = to.get_mut(at) {
            *slot |= word << shift;
        }
        if shift + per_word > 64
            && let Some(slot) = to.get_mut(at + 1)
        {
            *slot |= word >> (64 - shift);
        }
    }
}

/// Shows the player, the choice of the black bits, and the raster.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let curves =
        document.recording(ui.ctx()).filter(|recording| recording.is_ready()).map(|recording| recording.curves());
    play(ui, document, curves.as_deref());
    let Some(frame) = document.frame() else {
        let text = "The run is made again from its seed, to show the bits of all its solutions.";
        placeholder(ui, Icon::Systolic, "Recording", text, |_| {});
        return;
    };
    let settled = frame.ones.iter().filter(|&&ones| ones == 0 || ones as usize == frame.count()).count();
    switches(ui, document, &frame, settled);
    let inked = document.packing.inked;
    let optimum = document.optimum().filter(|_| inked == Inked::Wrong).map(|optimum| Arc::clone(&optimum.bits));
    let known = |packed: &Packed| Arc::ptr_eq(&packed.frame, &frame) && packed.inked == inked;
    if !document.packing.packed.as_ref().is_some_and(known) {
        document.packing.revision += 1;
        let optimum = optimum.as_ref().map(|bits| bits.as_slice());
        document.packing.packed = Some(Packed::of(&frame, optimum, document.packing.revision));
    }
    let Some(packed) = document.packing.packed.take() else { return };
    draw(ui, document, &frame, &packed);
    document.packing.packed = Some(packed);
}

/// View state of the bits, with the packed raster.
#[derive(Debug, Default)]
pub struct Packing {
    /// Property of a bit that is drawn black.
    pub inked: Inked,
    packed: Option<Packed>,
    revision: u64,
}

fn switches(ui: &mut Ui, document: &mut Document, frame: &Frame, settled: usize) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let known = document.optimum().is_some();
        let choices = [
            ("Ones", "Black: ones", true),
            ("Unlike the optimum", "Black: bits that are not those of the optimum", known),
        ];
        let chosen = usize::from(document.packing.inked == Inked::Wrong);
        if let Some(choice) = segmented(ui, &choices, Some(chosen)) {
            document.packing.inked = if choice == 1 { Inked::Wrong } else { Inked::Ones };
        }
        ui.spacing_mut().item_spacing.x = space::XS;
        match zoom_buttons(ui, ["Show more bits", "Enlarge bits", "Show all bits"], 1.25, document.raster.is_fitted()) {
            Some(Zoom::By(factor)) => document.raster.zoom(factor),
            Some(Zoom::Fit) => document.raster.fit(),
            None => {}
        }
        ui.add_space(space::S);
        let words = format!(
            "{} solutions × {} bits, {settled} of which are the same in all (grey bars)",
            grouped(frame.count() as i64),
            grouped(frame.ones.len() as i64)
        );
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    });
}

fn draw(ui: &mut Ui, document: &mut Document, frame: &Frame, packed: &Packed) {
    let mut view = std::mem::take(&mut document.raster);
    let half = frame.grid.cells();
    let groups = [(half, "horizontal"), (half, "vertical")];
    let has_grid = frame.flavour.is_some() && frame.count() == 2 * half;
    let describe = |number: usize, bit: usize| {
        let one = frame.packed(number)[bit / frame.per_word] >> (bit % frame.per_word) & 1;
        let share = 100.0 * f64::from(frame.ones[bit]) / frame.count() as f64;
        format!(
            "Solution {} ({}), {}: {one}; {share:.0} % of all solutions have a one here",
            grouped(number as i64 + 1),
            document.words(frame.costs[number]),
            bit_name(document, bit)
        )
    };
    let summary =
        format!("Bits of {} solutions, iteration {}", grouped(frame.count() as i64), grouped(frame.iteration as i64));
    let raster = Raster {
        bits: frame.ones.len(),
        words: &packed.words,
        shares: &packed.shares,
        groups: if has_grid { &groups } else { &[] },
        revision: packed.revision,
        describe: &describe,
        summary: &summary,
    };
    let outcome = raster::show(ui, &raster, &mut view, document.solution);
    document.raster = view;
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.solution = picked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_sixty_bits_become_words_of_sixty_four() {
        let from = [1 << 59, 0b1011, 1];
        let mut to = [0; 3];
        repack(&from, 60, &mut to);
        let set: Vec<usize> = (0..192).filter(|bit| to[bit / 64] >> (bit % 64) & 1 == 1).collect();
        assert_eq!(set, [59, 60, 61, 63, 120]);
    }
}
