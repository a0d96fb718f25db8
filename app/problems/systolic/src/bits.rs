//! The bits of all solutions, and which are ones in most of them.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_systolic::Frame;

use super::Document;
use super::grid::{play, waiting};
use super::operators::bit_name;
use super::view_state::{Inked, Packed};
use crate::methods::*;
use crate::widgets::raster::{self, Raster};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{placeholder, segmented};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::viewport::{Zoom, zoom_buttons};

/// Shows the player, the choice of the black bits, and the raster.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let curves =
        document.recording(ui.ctx()).filter(|recording| recording.is_ready()).map(|recording| recording.curves());
    play(ui, document, curves.as_deref());
    let Some(frame) = document.frame() else {
        return waiting(ui, document);
    };
    if !frame.keeps_bits() {
        let text = "There are too many bits to keep those of all solutions while the run lasts; wait for its end.";
        placeholder(ui, Icon::Cells, "Bits", text, |_| {});
        return;
    }
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
        match zoom_buttons(
            ui,
            ["Show more bits", "Enlarge bits", "Show all bits"],
            1.25,
            document.raster.axes.is_fitted(),
        ) {
            Some(Zoom::By(factor)) => document.raster.axes.zoom(factor),
            Some(Zoom::Fit) => document.raster.axes.fit(),
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
    use crate::view_state::repack;

    #[test]
    fn words_of_sixty_bits_become_words_of_sixty_four() {
        let from = [1 << 59, 0b1011, 1];
        let mut to = [0; 3];
        repack(&from, 60, &mut to);
        let set: Vec<usize> = (0..192).filter(|bit| to[bit / 64] >> (bit % 64) & 1 == 1).collect();
        assert_eq!(set, [59, 60, 61, 63, 120]);
    }
}
