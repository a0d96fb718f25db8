//! Sheet of paper with a floor plan: the plan to a round scale, as large as the sheet permits, and a title block below.

use super::facts::{COST_DECIMALS, Facts};
use super::head::{LEGEND_HEIGHT, draw_legend, facts_line};
use super::plan::Paper;
use gridwright_core::numbers::{figure, grouped};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::{Anchor, Area, Colour, Scene};

/// Height of the title block, and least width of its first cell, in points.
const BLOCK: f32 = 42.0;
const TITLE: f32 = 130.0;

const SMALL: f32 = 7.5;
const LARGE: f32 = 11.0;
const PAD: f32 = 8.0;

/// Draws the sheet.
pub fn sheet(facts: &Facts<'_, '_>, (width, height): (f32, f32), title: String) -> Scene {
    let mut scene = Scene::new(width, height, title, facts.palette.background);
    let block = Area::new(MARGIN, height - MARGIN - BLOCK, width - 2.0 * MARGIN, BLOCK);
    let legend = block.y - LEGEND_HEIGHT;
    let paper = Paper::to_scale(facts, Area::new(MARGIN, MARGIN, block.width, legend - MARGIN));
    paper.draw(&mut scene);
    draw_legend(&mut scene, facts, legend);
    draw_block(&mut scene, facts, &paper, block);
    scene
}

/// Label, value and whether the value is an alarm.
type Cell = (&'static str, String, bool);

fn cells(facts: &Facts<'_, '_>, paper: &Paper<'_, '_, '_>) -> Vec<Cell> {
    let (instance, verdict) = (facts.floor.instance, &facts.floor.verdict);
    let unit = instance.unit.map_or_else(String::new, |unit| format!(" {}", unit.symbol()));
    let plant = format!("{} × {}{unit}", figure(instance.width, 2), figure(instance.height, 2));
    let mut cells = vec![(facts.cost_title(), figure(verdict.cost, COST_DECIMALS), false)];
    cells.extend(facts.parts_of_cost().map(|parts| ("Transport + moving", parts.join(" + "), false)));
    if verdict.closeness.is_rated() {
        cells.push(("Closeness score", verdict.closeness.score_words(), false));
    }
    if !verdict.feasible {
        cells.push(("Violations", grouped(verdict.violations.len() as u64), true));
    }
    cells.extend([("Plant", plant, false), ("Scale", paper.scale().words(instance), false)]);
    cells.extend(facts.date.map(|date| ("Date", date.format("%-d %B %Y").to_string(), false)));
    cells
}

/// Draws the title block: name and facts, then as many cells as there is room for.
fn draw_block(scene: &mut Scene, facts: &Facts<'_, '_>, paper: &Paper<'_, '_, '_>, block: Area) {
    let palette = facts.palette;
    let cell_width =
        |(label, value, _): &Cell| text_width(label, SMALL, false).max(text_width(value, LARGE, true)) + 2.0 * PAD;
    let mut room = block.width - TITLE;
    let mut shown = cells(facts, paper);
    shown.retain(|cell| {
        let fits = cell_width(cell) <= room;
        room -= if fits { cell_width(cell) } else { 0.0 };
        fits
    });
    let [top, bottom] = [block.y, block.y + block.height];
    let corners = [(block.x, top), (block.right(), top), (block.right(), bottom), (block.x, bottom), (block.x, top)];
    for pair in corners.windows(2) {
        scene.line(pair[0], pair[1], 1.2, palette.ink);
    }
    let mut right = block.right();
    for cell in shown.iter().rev() {
        right -= cell_width(cell);
        scene.line((right, top), (right, bottom), 0.6, palette.muted);
        let ink = if cell.2 { palette.alarm } else { palette.ink };
        scene.text((right + PAD, top + 14.0), SMALL, palette.muted, Anchor::Start, cell.0);
        scene.bold_text((right + PAD, top + 31.0), LARGE, ink, Anchor::Start, cell.1.clone());
    }
    let line = |scene: &mut Scene, y: f32, size: f32, bold: bool, colour: Colour, text: &str| {
        let text = elide(text, size, bold, right - block.x - 2.0 * PAD);
        let at = (block.x + PAD, top + y);
        if bold {
            scene.bold_text(at, size, colour, Anchor::Start, text);
        } else {
            scene.text(at, size, colour, Anchor::Start, text);
        }
    };
    line(scene, 18.0, 13.0, true, palette.ink, &facts.floor.instance.name);
    line(scene, 33.0, SMALL, false, palette.muted, &facts_line(facts));
}
