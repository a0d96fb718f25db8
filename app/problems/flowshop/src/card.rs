//! Card of the problem on the start page.

use egui::{Painter, Rect, pos2};

use gridwright_window::problem::Card;
use gridwright_window::theme::Palette;

pub(crate) const CARD: Card = Card {
    title: "Production",
    purpose: "In which order jobs pass the machines: done early, and few of them late.",
    picture,
};

/// Paints jobs on machines, as a Gantt chart shows them.
fn picture(painter: &Painter, rect: Rect, palette: &Palette) {
    /// Times of each job on the machines.
    const TIMES: [[f32; 4]; 5] =
        [[2.0, 1.0, 3.0, 2.0], [1.0, 3.0, 2.0, 1.0], [3.0, 2.0, 1.0, 3.0], [2.0, 2.0, 2.0, 1.0], [1.0, 2.0, 3.0, 2.0]];
    let mut done = [0.0_f32; 4];
    let mut bars = Vec::new();
    for (job, times) in TIMES.iter().enumerate() {
        let mut ready = 0.0_f32;
        for (machine, time) in times.iter().enumerate() {
            let start = done[machine].max(ready);
            ready = start + time;
            done[machine] = ready;
            bars.push((job, machine, start, ready));
        }
    }
    let (across, down) = (rect.width() / done[3], rect.height() / 4.0);
    for (job, machine, start, end) in bars {
        let top = rect.top() + machine as f32 * down;
        let from = pos2(rect.left() + start * across, top);
        let bar = Rect::from_min_max(from, pos2(rect.left() + end * across, top + down)).shrink2((1.0, 3.0).into());
        painter.rect_filled(bar, 3.0, palette.category(job));
    }
}
