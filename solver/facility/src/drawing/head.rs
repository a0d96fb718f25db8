//! Head and foot of a floor plan: name, facts, tiles with cost and violations, legend.

use super::facts::{COST_DECIMALS, Facts};
use super::floor::Room;
use super::plan::{THICKEST, THINNEST};
use crate::{PartKind, Rectangle, library};
use gridwright_core::numbers::{figure, grouped};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::tiles::{Tile, draw_tiles, draw_title};
use gridwright_core::scene::{Anchor, Scene, Shape};
use gridwright_core::statistics::summary::gap_percent;
use gridwright_core::text::lines::counted;

/// Height of the legend in points.
pub(crate) const LEGEND_HEIGHT: f32 = 22.0;
const SMALL: f32 = 9.0;

/// Draws name, facts and tiles from `top`; returns their lower end.
pub(crate) fn draw_head(scene: &mut Scene, facts: &Facts<'_, '_>, top: f32) -> f32 {
    let palette = facts.palette;
    let edges = (MARGIN, scene.width - MARGIN);
    let top = draw_title(scene, &palette, (&facts.floor.instance.name, &facts_line(facts)), edges, top);
    draw_tiles(scene, &palette, tiles(facts), edges, top)
}

/// «12 departments · 4 vertical bays · plant 24 × 16 · rectilinear distances».
pub(super) fn facts_line(facts: &Facts<'_, '_>) -> String {
    let (instance, layout) = (facts.floor.instance, facts.floor.layout);
    let plant = format!("plant {} × {}", figure(instance.width, 2), figure(instance.height, 2));
    let mut parts = vec![counted(instance.len(), "department"), layout.arrangement(), plant];
    parts.push(format!("{} distances", instance.distance.name()));
    let placed = facts.floor.rooms.len();
    if placed < instance.len() {
        parts.push(format!("only {} placed", counted(placed, "department")));
    }
    parts.join(" · ")
}

fn tiles(facts: &Facts<'_, '_>) -> Vec<Tile> {
    let floor = facts.floor;
    let verdict = &floor.verdict;
    let cost = Tile::new(facts.cost_title(), figure(verdict.cost, COST_DECIMALS));
    let mut tiles = Vec::new();
    match library::best_known(floor.instance).filter(|_| verdict.feasible) {
        None => {
            let parts =
                facts.parts_of_cost().map(|[transport, moving]| format!("transport {transport} + moving {moving}"));
            tiles.push(cost.note(parts.unwrap_or_else(|| "flow × distance".to_owned())));
        }
        Some(best) => {
            // What is known is known of bays.
            let (proven, title) = match (library::is_proven(floor.instance), floor.layout.is_free()) {
                (true, false) => ("proven optimum", "Proven optimum"),
                (false, false) => ("best known", "Best known"),
                (true, true) => ("proven optimum of bays", "Proven optimum of bays"),
                (false, true) => ("best known bays", "Best known bays"),
            };
            let gap = gap_percent(verdict.cost, best);
            let note = match gap {
                gap if gap < -0.000_5 => format!("{:.3} % below the {proven}", -gap),
                gap if gap > 0.000_5 => format!("{gap:.2} % above the {proven}"),
                _ => format!("equal to the {proven}"),
            };
            tiles.push(cost.note(note));
            tiles.push(Tile::new(title, figure(best, COST_DECIMALS)));
        }
    }
    let shapes = verdict.violations.len();
    let first = verdict.violations.first().map(|violation| elide(&violation.text, SMALL, false, 230.0));
    let note = first.unwrap_or_else(|| "shapes, locks and neighbours".to_owned());
    tiles.push(Tile::new("Violations", grouped(shapes as u64)).note(note).alarm(shapes > 0));
    let longest = floor.rooms.iter().filter(|room| !floor.instance.departments[usize::from(room.department)].dummy);
    if let Some(room) =
        longest.reduce(|most, next| if next.rectangle.aspect() > most.rectangle.aspect() { next } else { most })
    {
        let Rectangle { width, height, .. } = room.rectangle;
        let name = elide(floor.name(room.department), SMALL, false, 90.0);
        let note = format!("{name}, {} × {}", figure(width, 2), figure(height, 2));
        tiles.push(Tile::new("Longest shape", format!("{} : 1", figure(room.rectangle.aspect(), 2))).note(note));
    }
    if let Some(flow) = floor.flows.last() {
        let [one, other] = flow.between.map(|end| elide(floor.instance.end_name(end), SMALL, false, 70.0));
        tiles.push(Tile::new("Largest flow", figure(flow.volume, 2)).note(format!("{one} – {other}")));
    }
    if verdict.closeness.is_rated() {
        let note = format!("{} wishes met", verdict.closeness.met_words());
        tiles.push(Tile::new("Closeness score", verdict.closeness.score_words()).note(note));
    }
    if floor.rest.is_some() {
        let plant = floor.instance.width * floor.instance.height;
        let free = floor.instance.usable_area() - floor.instance.total_area();
        let note = format!("{} % of the plant", figure(100.0 * free / plant, 2));
        tiles.push(Tile::new("Left over", figure(free, 2)).note(note));
    }
    tiles
}

/// Symbol in front of a legend entry.
enum Sign {
    /// Line of a flow of this width.
    Flow(f32),
    Fault,
    Free,
    /// Part of the building that departments avoid.
    Fixed,
    Door,
    None,
}

/// Draws the legend, most important entries first, as many as fit in one line.
pub(crate) fn draw_legend(scene: &mut Scene, facts: &Facts<'_, '_>, top: f32) {
    let palette = facts.palette;
    let (mut x, base) = (MARGIN, top + 14.0);
    for (sign, text) in legend(facts) {
        let room = match sign {
            Sign::Flow(_) => 31.0,
            Sign::Fault | Sign::Free | Sign::Fixed => 19.0,
            Sign::Door => 13.0,
            Sign::None => 0.0,
        };
        let width = room + text_width(&text, SMALL, false);
        if x + width > scene.width - MARGIN {
            break;
        }
        match sign {
            Sign::Flow(width) => {
                let y = base - SMALL * 0.36;
                scene.line((x, y), (x + 26.0, y), width, palette.ink.with_alpha(150));
            }
            Sign::Fault => {
                let (y, height, fill, title) = (base - 8.0, 9.0, palette.background, String::new());
                let stroke = Some((2.0, palette.alarm));
                scene.shapes.push(Shape::Rectangle { x, y, width: 14.0, height, radius: 0.0, fill, stroke, title });
            }
            Sign::Free => scene.rectangle(x, base - 8.0, 14.0, 9.0, palette.stripe),
            Sign::Fixed => scene.rectangle(x, base - 8.0, 14.0, 9.0, palette.bar),
            Sign::Door => scene.rectangle(x, base - 7.0, 8.0, 8.0, palette.ink),
            Sign::None => {}
        }
        scene.text((x + room, base), SMALL, palette.muted, Anchor::Start, text);
        x += width + 20.0;
    }
}

fn legend(facts: &Facts<'_, '_>) -> Vec<(Sign, String)> {
    let floor = facts.floor;
    let mut entries = Vec::new();
    if floor.rooms.iter().any(|room| room.is_at_fault) {
        entries.push((Sign::Fault, "breaks a limit or a rule".to_owned()));
    }
    let is_free = |room: &Room| floor.instance.departments[usize::from(room.department)].dummy;
    if floor.rooms.iter().any(is_free) || floor.rest.is_some() {
        entries.push((Sign::Free, "free floor".to_owned()));
    }
    if floor.instance.building.parts.iter().any(|part| part.kind == PartKind::Fixed) {
        entries.push((Sign::Fixed, "fixed".to_owned()));
    }
    if !floor.instance.doors.is_empty() {
        entries.push((Sign::Door, "door".to_owned()));
    }
    if let (Some(first), Some(last)) = (facts.flows.first(), facts.flows.last()) {
        let ends = if last.volume > first.volume { vec![first, last] } else { vec![last] };
        entries.extend(ends.into_iter().map(|flow| {
            let width = flow.thickness(THINNEST, THICKEST) as f32;
            (Sign::Flow(width), format!("flow of {}", figure(flow.volume, 2)))
        }));
        let [shown, all] = [facts.flows.len(), floor.flows.len()].map(|count| grouped(count as u64));
        if facts.flows.len() < floor.flows.len() {
            let least = figure(first.volume, 2);
            entries.push((Sign::None, format!("{shown} of {all} flows: those of {least} and more")));
        }
    }
    entries
}
