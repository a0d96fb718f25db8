//! Recordings as pictures, compared with the stored ones.

use egui::vec2;
use gridwright_systolic_views::widgets::grid_playback::Cell;

use super::hands::Hands;
use super::picture::Pictures;
use super::pictures::take;
use super::recorded::{Hits, Lines, Recorded, Rows};
use super::support::canvas;

#[test]
fn grids_that_beat() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut grid = canvas(vec2(1100.0, 560.0), dark, Recorded::new(7, 100, 700), Recorded::ui);
        take(&mut pictures, &mut grid, "beating-100", dark);
        grid.state_mut().selected = Some(Cell { row: 1, column: 8 });
        grid.state_mut().player.go_to(400);
        grid.run();
        take(&mut pictures, &mut grid, "beating-selected", dark);
        let mut large = canvas(vec2(1100.0, 560.0), dark, Recorded::new(11, 1500, 16_500), Recorded::ui);
        take(&mut pictures, &mut large, "beating-1500", dark);
        for _ in 0..19 {
            large.click("Enlarge columns");
        }
        take(&mut pictures, &mut large, "beating-zoomed", dark);
        let mut small = canvas(vec2(1100.0, 460.0), dark, Recorded::new(6, 36, 216), Recorded::ui);
        small.state_mut().player.go_to(160);
        small.run();
        take(&mut pictures, &mut small, "beating-beside", dark);
    }
}

#[test]
fn lines_rows_and_lanes() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut lines = canvas(vec2(900.0, 460.0), dark, Lines::new(700), Lines::ui);
        take(&mut pictures, &mut lines, "history", dark);
        let mut rows = canvas(vec2(900.0, 460.0), dark, Rows::new(1_400, 100), Rows::ui);
        rows.state_mut().selected = Some(500);
        take(&mut pictures, &mut rows, "raster-100", dark);
        let mut many = canvas(vec2(900.0, 460.0), dark, Rows::new(4_000, 1_500), Rows::ui);
        take(&mut pictures, &mut many, "raster-1500", dark);
        let mut hits = canvas(vec2(900.0, 460.0), dark, Hits::new(), Hits::ui);
        hits.state_mut().selected = Some(3);
        take(&mut pictures, &mut hits, "histogram", dark);
    }
}
