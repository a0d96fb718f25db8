//! Picture of a solution: a list for few bits, a raster for many.

use crate::check::{Verdict, Worth, check};
use crate::formats::readable;
use crate::{Instance, Kind, Weight};
use gridwright_core::numbers::grouped;
use gridwright_core::scene::fonts::elide;
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::tiles::{Tile, draw_tiles};
use gridwright_core::scene::{Anchor, Area, Colour, Scene};

use super::shade;

/// Largest number of bits that is shown as a list with names and numbers.
const LISTED: usize = 40;

const WIDTH: f32 = 760.0;
const LIST_WIDTH: f32 = 520.0;

/// Draws a solution, one element of `bits` per bit of the instance: its figures and the bits that are set; `dark`
/// chooses the theme.
pub fn picture(instance: &Instance, bits: &[bool], dark: bool) -> Scene {
    let (palette, verdict) = (Palette::of(dark), check(instance, bits));
    let title = format!("{}: {}", instance.name, instance.kind.noun());
    let width = if bits.len() <= LISTED { LIST_WIDTH } else { WIDTH };
    let mut scene = Scene::new(width, 0.0, title.clone(), palette.background);
    let heading = elide(&title, 16.0, true, width - 2.0 * MARGIN);
    scene.bold_text((MARGIN, MARGIN + 14.0), 16.0, palette.ink, Anchor::Start, heading);
    let tiles = tiles(instance, &verdict);
    let top = draw_tiles(&mut scene, &palette, tiles, (MARGIN, width - MARGIN), MARGIN + 30.0);
    let bottom = if bits.len() <= LISTED {
        list(&mut scene, &palette, instance, bits, top, dark)
    } else {
        raster(&mut scene, &palette, instance, bits, top, dark)
    };
    scene.height = bottom + MARGIN;
    scene
}

/// Tiles with the figures of a solution.
fn tiles(instance: &Instance, verdict: &Verdict) -> Vec<Tile> {
    let taken = |label: &str| {
        let share = 100.0 * verdict.ones as f64 / instance.bits().max(1) as f64;
        Tile::new(label, grouped(verdict.ones as u64))
            .note(format!("of {}, {share:.0} %", grouped(instance.bits() as u64)))
    };
    match (verdict.worth, &instance.kind) {
        (Worth::Knapsack { profit, weight, overweight, fitness }, Kind::Knapsack { capacity, .. }) => {
            let over = if overweight > 0 { format!("{} too much", grouped(overweight)) } else { String::new() };
            let sign = if fitness < 0 { "−" } else { "" };
            vec![
                Tile::new("Profit", grouped(profit)),
                Tile::new("Weight", grouped(weight)).note(format!("of {}", grouped(*capacity))).alarm(overweight > 0),
                Tile::new("Fitness", format!("{sign}{}", grouped(fitness.unsigned_abs()))).note(over),
                taken("Items"),
            ]
        }
        (Worth::NextRelease { cost, value, .. }, Kind::NextRelease { costs, values, value_scale, tenths }) => vec![
            Tile::new("Cost", grouped(cost)).note(format!("of {}", grouped(costs.iter().sum::<u64>()))),
            Tile::new("Value", readable(value, *value_scale))
                .note(format!("of {}", readable(values.iter().sum(), *value_scale))),
            Tile::new("Fitness", format!("{:.6}", instance.kind.fitness(verdict.cost())))
                .note(format!("weight of what is left out {}", Weight(*tenths))),
            taken("Requirements"),
        ],
        (Worth::Deceptive { solved, deceived, .. }, Kind::Deceptive { blocks }) => vec![
            Tile::new("Fitness", format!("{:.6}", instance.kind.fitness(verdict.cost()))).note(format!("of {blocks}")),
            Tile::new("Blocks solved", solved.to_string()).note(format!("{deceived} deceived")),
            taken("Ones"),
        ],
        _ => vec![taken("Ones")],
    }
}

fn taken_colour(dark: bool) -> Colour {
    shade(if dark { 0.6 } else { 0.55 }, dark)
}

/// Numbers that belong to a bit, as text.
fn words(instance: &Instance, bit: usize) -> String {
    match &instance.kind {
        Kind::Knapsack { profits, weights, .. } => {
            format!("profit {}, weight {}", grouped(profits[bit]), grouped(weights[bit]))
        }
        Kind::NextRelease { costs, values, value_scale, .. } => {
            format!("cost {}, value {}", grouped(costs[bit]), readable(values[bit], *value_scale))
        }
        Kind::Deceptive { .. } => format!("block {}", bit / 6 + 1),
        Kind::OneMax { .. } => String::new(),
    }
}

fn list(scene: &mut Scene, palette: &Palette, instance: &Instance, bits: &[bool], top: f32, dark: bool) -> f32 {
    const ROW: f32 = 18.0;
    for (bit, &taken) in bits.iter().enumerate().take(instance.bits()) {
        let y = top + bit as f32 * ROW;
        let (fill, ink) = if taken { (taken_colour(dark), palette.ink) } else { (palette.stripe, palette.muted) };
        scene.titled_rectangle(Area::new(MARGIN, y, 12.0, 12.0), 2.0, fill, if taken { "taken" } else { "left" });
        let name = elide(&instance.bit_name(bit), 11.0, taken, 240.0);
        let at = (MARGIN + 22.0, y + 10.0);
        if taken {
            scene.bold_text(at, 11.0, ink, Anchor::Start, name);
        } else {
            scene.text(at, 11.0, ink, Anchor::Start, name);
        }
        scene.text((MARGIN + 270.0, y + 10.0), 10.0, palette.muted, Anchor::Start, words(instance, bit));
    }
    top + bits.len() as f32 * ROW
}

fn raster(scene: &mut Scene, palette: &Palette, instance: &Instance, bits: &[bool], top: f32, dark: bool) -> f32 {
    // Rows hold whole blocks of six.
    let deceptive = matches!(instance.kind, Kind::Deceptive { .. });
    let across = if deceptive { 60 } else { 50 };
    let side = (WIDTH - 2.0 * MARGIN - 30.0) / (across as f32 + if deceptive { 0.3 * 9.0 } else { 0.0 });
    for (bit, &taken) in bits.iter().enumerate().take(instance.bits()) {
        let (row, column) = (bit / across, bit % across);
        let gap = if deceptive { 0.3 * (column / 6) as f32 } else { 0.0 };
        let (x, y) = (MARGIN + 30.0 + (column as f32 + gap) * side, top + row as f32 * side);
        if column == 0 {
            scene.text((MARGIN + 24.0, y + side * 0.75), 8.0, palette.muted, Anchor::End, grouped(bit as u64 + 1));
        }
        let fill = if taken { taken_colour(dark) } else { palette.stripe };
        let (name, words) = (instance.bit_name(bit), words(instance, bit));
        let title = format!("{} {name}: {}{words}", instance.kind.bit_noun(), if words.is_empty() { "" } else { " " });
        let title = title.trim_end_matches([':', ' ']).to_owned();
        scene.titled_rectangle(Area::new(x, y, side - 1.0, side - 1.0), 1.5, fill, title);
    }
    top + bits.len().div_ceil(across) as f32 * side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{exact, library};
    use gridwright_core::scene::Shape;
    use gridwright_core::testing::texts;

    #[test]
    fn small_problems_are_lists_with_names() {
        let instance = library::sample("backpack", 5).unwrap();
        let scene = picture(&instance, &exact::optimum(&instance).unwrap(), false);
        let texts = texts(&scene);
        for text in ["Profit", "57", "of 24", "Sleeping bag", "profit 18, weight 8", "of 8, 38 %"] {
            assert!(texts.contains(&text), "{text} in {texts:?}");
        }
    }

    #[test]
    fn large_problems_are_rasters_with_as_many_squares_as_bits() {
        for name in ["knapsack:1000-1000", "mmdp:300", "onemax:100", "nrp:100-140"] {
            let instance = library::named(name, 10).unwrap();
            let bits = vec![true; instance.bits()];
            let scene = picture(&instance, &bits, true);
            let squares = scene
                .shapes
                .iter()
                .filter(|shape| matches!(shape, Shape::Rectangle { fill, .. } if *fill == taken_colour(true)));
            assert_eq!(squares.count(), instance.bits(), "{name}");
            assert!(scene.height > 100.0 && scene.height < 700.0, "{name}: {}", scene.height);
            assert!(texts(&scene).iter().all(|text| !text.contains("0.10")), "a weight of 1 is written as 1");
        }
    }
}
