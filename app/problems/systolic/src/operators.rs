//! View of the cells' crossover and mutation points and of the way of one solution: the paper's figures 2 to 6.

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::text::sentence_case;
use gridwright_systolic::Grid;
use gridwright_systolic::grid::Flavour;

use super::Document;
use super::view_state::Journey;
use crate::methods::*;
use crate::widgets::bitstrip::{self, Strip, Strips};
use crate::widgets::grid_playback::{self, Cell, GridPlayback, Mark, Stream, Trail};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::segmented;

/// Length of the part of a way that is drawn, in rounds of τ iterations.
const ROUNDS: usize = 12;

/// Shows the three maps and the way of a solution.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let grid = document.grid();
    if document.operating.maps.as_ref().is_none_or(|(known, _)| *known != grid) {
        document.operating.maps = Some((grid, maps(grid)));
        document.operating.revision += 1;
    }
    let flavour = document.operating.flavour.or(document.flavour()).unwrap_or(Flavour::Both);
    switches(ui, document, flavour);
    let start = document.selected_cell().unwrap_or(Cell { row: 0, column: 0 });
    let key = (grid, flavour, start, document.operating.stream);
    if document.operating.journey.as_ref().is_none_or(|(known, _)| *known != key) {
        let journey = Journey::of(grid, flavour, start, document.operating.stream, grid.cells() as u64);
        document.operating.journey = Some((key, journey));
    }
    let Some((_, journey)) = document.operating.journey.take() else { return };
    strip(ui, document, grid, flavour, &journey);
    draw(ui, document, grid, &journey);
    document.operating.journey = Some((key, journey));
}

/// The two crossover points and the mutated bit of every cell, as shares of the bits.
fn maps(grid: Grid) -> [Vec<f32>; 3] {
    let cells = grid.all_cells();
    let of = |value: &dyn Fn(&gridwright_systolic::grid::Cell) -> u32| {
        cells.iter().map(|cell| value(cell) as f32 / (grid.bits - 1).max(1) as f32).collect()
    };
    [of(&|cell| cell.first), of(&|cell| cell.last), of(&|cell| cell.mutated)]
}

fn switches(ui: &mut Ui, document: &mut Document, flavour: Flavour) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        let names = Flavour::ALL.map(|flavour| flavour.letter().to_string());
        let choices: Vec<(&str, &str, bool)> =
            names.iter().zip(Flavour::ALL).map(|(name, flavour)| (name.as_str(), flavour.help(), true)).collect();
        let chosen = Flavour::ALL.iter().position(|other| *other == flavour);
        if let Some(choice) = segmented(ui, &choices, chosen).and_then(|choice| Flavour::ALL.get(choice)) {
            document.operating.flavour = Some(*choice);
        }
        let streams = [
            ("Horizontal solution", "Follow the solution that starts in the cell and goes to the right", true),
            ("Vertical solution", "Follow the solution that starts in the cell and goes down", true),
        ];
        if let Some(stream) = segmented(ui, &streams, Some(document.operating.stream)) {
            document.operating.stream = stream;
        }
        grid_playback::controls(ui, &mut document.operating.view);
        ui.add_space(space::S);
        if ui.available_size_before_wrap().x < 240.0 {
            ui.end_row();
        }
        grid_playback::legend(ui, "bit 1", &format!("bit {}", grouped(document.instance.bits() as i64)), "", "");
    });
}

/// Draws the bits that the solution may have flipped, in words and as a strip.
fn strip(ui: &mut Ui, document: &Document, grid: Grid, flavour: Flavour, journey: &Journey) {
    let palette = palette(ui.visuals());
    let start = document.selected_cell().unwrap_or(Cell { row: 0, column: 0 });
    let stream = ["horizontal", "vertical"][document.operating.stream];
    let words = format!(
        "The {stream} solution of row {}, column {} under {}: in {} iterations {} of {} bits are flipped somewhere on its way.",
        start.row + 1,
        grouped(start.column as i64 + 1),
        flavour.letter(),
        grouped(grid.cells() as i64),
        grouped(journey.distinct() as i64),
        grouped(grid.bits as i64)
    );
    ui.label(theme::small(words).color(palette.text));
    let strip = Strip {
        name: "Bits that are flipped on its way",
        value: format!("{} of {}", grouped(journey.distinct() as i64), grouped(grid.bits as i64)),
        sign: None,
        bits: &journey.met,
        ink: palette.accent,
    };
    let name = |bit: usize| bit_name(document, bit);
    let strips =
        Strips { strips: &[strip], segment: None, marked: None, name: &name, summary: "Mutation points of a solution" };
    bitstrip::show(ui, &strips);
}

/// «Bit 12» or «Item 12: Tent».
pub(crate) fn bit_name(document: &Document, bit: usize) -> String {
    let noun = sentence_case(document.instance.kind.bit_noun());
    let number = grouped(bit as i64 + 1);
    match document.instance.names.get(bit) {
        Some(name) => format!("{noun} {number}: {name}"),
        None => format!("{noun} {number}"),
    }
}

fn draw(ui: &mut Ui, document: &mut Document, grid: Grid, journey: &Journey) {
    let Some((_, maps)) = document.operating.maps.take() else { return };
    let marks = vec![Mark::Nothing; grid.cells()];
    let map = |index: usize, name, caption| Stream { name, caption, shades: &maps[index], marks: &marks, flow: None };
    let streams = [
        map(0, "First bit of the segment", "from here on, both solutions of a cell are exchanged"),
        map(1, "Last bit of the segment", "this one included"),
        map(2, "Mutated bit", "flipped in both children; the line is the way of the solution"),
    ];
    let shown = &journey.cells[..journey.cells.len().min(ROUNDS * grid.rows)];
    // Drawn from its end to its beginning: the dot lies where the solution starts.
    let way: Vec<Cell> = shown.iter().rev().copied().collect();
    let trails = [Trail { stream: 2, cells: &way }];
    let value = |stream: usize, cell: Cell| {
        let of = grid.cell(cell.row, cell.column);
        [of.first, of.last, of.mutated][stream] + 1
    };
    let describe = |_: usize, cell: Cell| {
        let [first, last, mutated] = [0, 1, 2].map(|stream| value(stream, cell));
        let place = format!("Row {}, column {}", cell.row + 1, grouped(cell.column as i64 + 1));
        format!("{place}: exchanges bits {first} to {last}, flips bit {mutated}")
    };
    let figure = |stream: usize, cell: Cell| value(stream, cell).to_string();
    let summary = format!("Crossover and mutation points of {} rows and {} columns", grid.rows, grid.bits);
    let grid_playback = GridPlayback {
        rows: grid.rows,
        columns: grid.bits,
        streams: &streams,
        revision: document.operating.revision,
        trails: &trails,
        describe: &describe,
        figure: &figure,
        summary: &summary,
    };
    let mut view = std::mem::take(&mut document.operating.view);
    let outcome = grid_playback::show(ui, &grid_playback, &mut view, document.selected_cell());
    document.operating.view = view;
    document.operating.maps = Some((grid, maps));
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why the torus fails: a vertical solution meets the τ mutation points of its column and no other.
    #[test]
    fn a_vertical_solution_of_the_torus_meets_as_many_bits_as_there_are_rows() {
        let grid = Grid::new(100);
        let met = |flavour, stream| {
            let start = Cell { row: 0, column: 3 };
            Journey::of(grid, flavour, start, stream, grid.cells() as u64).distinct()
        };
        assert_eq!(met(Flavour::Torus, 1), 7);
        assert_eq!([Flavour::Exchange, Flavour::Vertical, Flavour::Both].map(|flavour| met(flavour, 1)), [100; 3]);
        assert_eq!(met(Flavour::Torus, 0), 100, "a horizontal one meets all of them");
    }

    #[test]
    fn a_way_goes_from_neighbour_to_neighbour() {
        let grid = Grid::new(20);
        let start = Cell { row: 3, column: 19 };
        let journey = Journey::of(grid, Flavour::Vertical, start, 1, 4);
        let at = |row, column| Cell { row, column };
        assert_eq!(journey.cells, [at(3, 19), at(4, 19), at(0, 0), at(1, 0)]);
    }
}
