//! Tests of texels, places and hits.

use egui::{Rect, pos2, vec2};

use super::layout::Layout;
use super::*;
use gridwright_window::widgets::viewport::Span;

fn layout(columns: usize, item: f32, offset: f32) -> Layout {
    let body = Rect::from_min_size(pos2(40.0, 30.0), vec2((columns as f32 * item - offset).min(300.0), 30.0));
    let second = body.translate(vec2(0.0, 80.0));
    Layout {
        frames: vec![body.expand(20.0), second.expand(20.0)],
        bodies: vec![body, second],
        columns: Span { start: 40.0, length: 300.0, item, offset, count: columns },
        row: 10.0,
        colour: 7.0,
        mark: 2.0,
        rows: 3,
        edge: 16.0,
        numbered: vec![true, true],
        pixels: 1.0,
    }
}

fn texels(layout: &Layout, columns: usize, shades: &[f32], marks: &[Mark]) -> ([usize; 2], Vec<f32>, Vec<Mark>) {
    let stream = Stream { name: "", caption: "", shades, marks, flow: None };
    let grid_playback = GridPlayback {
        rows: 3,
        columns,
        streams: &[stream, stream],
        revision: 0,
        trails: &[],
        describe: &|_, _| String::new(),
        figure: &|_, _| String::new(),
        summary: "",
    };
    texture::texels(&grid_playback, layout)
}

#[test]
fn texels_are_cells_where_columns_are_wide() {
    let shades: Vec<f32> = (0..120).map(|cell| cell as f32 / 120.0).collect();
    let mut marks = vec![Mark::Nothing; 120];
    marks[40 + 7] = Mark::Changed;
    let layout = layout(40, 12.0, 60.0);
    let (size, found, marked) = texels(&layout, 40, &shades, &marks);
    assert_eq!(size, [25, 6], "columns 5 to 29 are seen");
    assert_eq!(found[25 + 2], shades[40 + 7], "row 1, column 7");
    assert_eq!(marked.iter().filter(|mark| **mark == Mark::Changed).count(), 2, "once in each stream");
    assert_eq!(marked[25 + 2], Mark::Changed);
    assert_eq!(found[4 * 25], shades[40 + 5], "the second stream lies below the first");
}

#[test]
fn of_cells_that_share_a_pixel_the_highest_is_seen() {
    let mut shades = vec![0.25; 3 * 1500];
    shades[1500 + 3] = 0.75;
    shades[7] = f32::NAN;
    let mut marks = vec![Mark::Nothing; 3 * 1500];
    marks[2 * 1500 + 1499] = Mark::Reached;
    let layout = layout(1500, 0.2, 0.0);
    let (size, found, marked) = texels(&layout, 1500, &shades, &marks);
    assert_eq!(size, [300, 6]);
    assert_eq!((found[300], found[301]), (0.75, 0.25));
    assert_eq!(found[1], 0.25, "what has no value hides nothing");
    assert_eq!(marked[3 * 300 - 1], Mark::Reached);
}

#[test]
fn too_few_values_are_no_reason_to_fail() {
    let (size, found, marks) = texels(&layout(40, 12.0, 0.0), 40, &[0.5; 30], &[]);
    let rows: Vec<bool> = found.chunks(size[0]).map(|row| row.iter().all(|shade| shade.is_nan())).collect();
    assert_eq!(rows, [false, true, true, false, true, true], "there are values for the first row only");
    assert!(marks.iter().all(|mark| *mark == Mark::Nothing));
}

#[test]
fn every_place_is_of_the_cell_that_lies_there() {
    let layout = layout(40, 12.0, 60.0);
    for stream in 0..2 {
        for (row, column) in [(0, 6), (1, 20), (2, 28)] {
            let cell = Cell { row, column };
            assert_eq!(layout.hit(layout.cell(stream, cell).center()), Some((stream, cell)));
        }
    }
    assert_eq!(layout.hit(pos2(100.0, 90.0)), None, "between the streams");
    assert_eq!(View::default().revision(), None);
}
