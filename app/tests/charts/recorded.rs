//! A run on a grid that was invented, with everything that shows it.

// Tests and measurements use a part of it each.
#![allow(dead_code)]

use egui::{Color32, Ui};
use gridwright_systolic_views::widgets::grid_playback::{self, Cell, Flow, GridPlayback, Heading, Mark, Stream, Trail};
use gridwright_systolic_views::widgets::histogram::{self, Histogram, Series};
use gridwright_systolic_views::widgets::raster::{self, Raster};
use gridwright_window::theme;
use gridwright_window::widgets::history::{self, History, Line, Panel};
use gridwright_window::widgets::playback::{self, Event, Player, Stop, Tape};

/// A number from 0 to 1 that looks like chance, the same everywhere.
fn share(number: usize) -> f32 {
    let mixed = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9).wrapping_shr(40) as f32 / 16_777_216.0
}

/// A recording and the state of its view.
pub struct Recorded {
    pub rows: usize,
    pub columns: usize,
    pub last: u64,
    pub player: Player,
    pub view: grid_playback::View,
    pub selected: Option<Cell>,
    pub shown: Vec<u64>,
    pub frames: usize,
    shades: [Vec<f32>; 2],
    marks: [Vec<Mark>; 2],
    activity: Vec<f32>,
    events: Vec<Event>,
}

impl Recorded {
    pub fn new(rows: usize, columns: usize, last: u64) -> Self {
        let activity = (0..=last as usize).map(|at| (1.0 - at as f32 / last as f32).powi(3) * (0.6 + 0.4 * share(at)));
        let mut player = Player::default();
        player.go_to(last / 4);
        let (shades, marks, view, selected, shown) = Default::default();
        Self {
            rows,
            columns,
            last,
            player,
            view,
            selected,
            shown,
            frames: 0,
            shades,
            marks,
            activity: activity.collect(),
            events: vec![Event { at: last * 2 / 3, name: "First optimum".to_owned() }],
        }
    }

    /// The streams at a step.
    fn fill(&mut self, at: u64) {
        let gone = at as f32 / self.last as f32;
        for stream in 0..2 {
            let cells = self.rows * self.columns;
            let value = |cell: usize| (0.35 * share(cell + stream * cells) + gone * 0.8 + 0.1).min(1.0);
            self.shades[stream] = (0..cells).map(value).collect();
            let mark = |cell: usize| match share(cell * 31 + at as usize * 7 + stream) {
                luck if value(cell) >= 1.0 && luck < 0.5 => Mark::Reached,
                luck if luck < 0.25 * (1.0 - gone) => Mark::Changed,
                _ => Mark::Nothing,
            };
            self.marks[stream] = (0..cells).map(mark).collect();
        }
    }

    /// The buttons and the grid below.
    pub fn ui(&mut self, ui: &mut Ui) {
        self.frames += 1;
        let optimum = |at: u64, _: u64| at == self.events[0].at;
        let quiet = |at: u64, patience: u64| at % (patience + 1) == patience;
        let stops = [
            Stop { name: "First optimum", help: "", counts: false, holds: &optimum },
            Stop { name: "Nothing accepted", help: "", counts: true, holds: &quiet },
        ];
        let tape = Tape {
            first: 0,
            last: self.last,
            unit: "Iteration",
            activity: &self.activity,
            activity_name: "Bars: children accepted",
            events: &self.events,
            stops: &stops,
            live: false,
        };
        playback::show(ui, &mut self.player, &tape);
        let at = self.player.at();
        if self.shown.last() != Some(&at) {
            self.shown.push(at);
            self.fill(at);
        }
        ui.horizontal(|ui| {
            grid_playback::controls(ui, &mut self.view);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    grid_playback::legend(ui, "4 800", "5 676", "accepted", "optimum");
                });
            });
        });
        self.grid(ui, at);
    }

    fn grid(&mut self, ui: &mut Ui, at: u64) {
        let stream = |index: usize, name, caption, flow| Stream {
            name,
            caption,
            shades: &self.shades[index],
            marks: &self.marks[index],
            flow: Some(flow),
        };
        let right = Flow { heading: Heading::Right, next_line: true };
        let down = Flow { heading: Heading::Down, next_line: false };
        let streams = [
            stream(0, "Horizontal stream", "one column to the right, from the end of a row into the next", right),
            stream(1, "Vertical stream", "one row down, from the last row into the first", down),
        ];
        let trail: Vec<Cell> =
            (0..30).map(|step| Cell { row: step % self.rows, column: 4 + step / self.rows }).collect();
        let trails = [Trail { stream: 1, cells: &trail }];
        let describe = |stream: usize, cell: Cell| {
            let name = ["horizontal", "vertical"][stream];
            let value = self.shades[stream][cell.row * self.columns + cell.column];
            format!("Row {}, column {}, {name}: {value:.3}", cell.row + 1, cell.column + 1)
        };
        let playback = GridPlayback {
            rows: self.rows,
            columns: self.columns,
            streams: &streams,
            revision: at,
            trails: if self.selected.is_some() { &trails } else { &[] },
            describe: &describe,
            figure: &|stream, cell| format!("{:.2}", self.shades[stream][cell.row * self.columns + cell.column]),
            summary: "Grid of 7 rows and 100 columns",
        };
        let outcome = grid_playback::show(ui, &playback, &mut self.view, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
    }
}

/// Lines over steps.
pub struct Lines {
    pub at: Option<u64>,
    best: Vec<f32>,
    mean: Vec<f32>,
    worst: Vec<f32>,
    distance: Vec<f32>,
}

impl Lines {
    pub fn new(count: usize) -> Self {
        let rising = |low: f32, pace: f32| {
            move |at: usize| {
                low + (5_676.0 - low) * (1.0 - (-(at as f32) * pace / count as f32).exp()) - 9.0 * share(at)
            }
        };
        let of = |value: &dyn Fn(usize) -> f32| (0..count).map(value).collect::<Vec<f32>>();
        let distance = |at: usize| 50.0 * (-(at as f32) * 4.0 / count as f32).exp() + share(at);
        Self {
            at: Some(count as u64 / 3),
            best: of(&rising(5_000.0, 12.0)),
            mean: of(&rising(3_000.0, 8.0)),
            worst: of(&rising(900.0, 5.0)),
            distance: of(&distance),
        }
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let palette = theme::palette(ui.visuals());
        let line = |name, values, colour, dashed| Line { name, values, colour, dashed };
        let fitness = [
            line("worst", &self.worst[..], palette.curve(1), true),
            line("mean", &self.mean, palette.curve(2), false),
            line("best", &self.best, palette.curve(0), false),
        ];
        let distance = [line("distance", &self.distance[..], palette.curve(3), false)];
        let whole = |value: f64| format!("{value:.0}");
        let reference = Some((5_676.0, "optimum 5676"));
        let panels = [
            Panel { title: "Fitness", lines: &fitness, reference, from_zero: false, weight: 2.0, words: &whole },
            Panel {
                title: "Mean Hamming distance, bits",
                lines: &distance,
                reference: None,
                from_zero: true,
                weight: 1.0,
                words: &whole,
            },
        ];
        let events = [Event { at: self.best.len() as u64 / 2, name: "First optimum".to_owned() }];
        let history =
            History { panels: &panels, first: 0, unit: "Iteration", at: self.at, events: &events, nothing: "Nothing" };
        let outcome = history::show(ui, &history);
        self.at = outcome.picked.or(self.at);
    }
}

/// Rows of bits that become alike.
pub struct Rows {
    pub view: raster::View,
    pub selected: Option<usize>,
    bits: usize,
    words: Vec<u64>,
    shares: Vec<f32>,
}

impl Rows {
    pub fn new(rows: usize, bits: usize) -> Self {
        let stride = bits.div_ceil(64);
        let wanted = |bit: usize| share(bit) > 0.6;
        let is_one = |row: usize, bit: usize| wanted(bit) != (share(row * bits + bit) < 0.08 * share(bit * 3) * 4.0);
        let mut words = vec![0_u64; rows * stride];
        let mut shares = vec![0.0; bits];
        for row in 0..rows {
            for bit in (0..bits).filter(|&bit| is_one(row, bit)) {
                words[row * stride + bit / 64] |= 1 << (bit % 64);
                shares[bit] += 1.0 / rows as f32;
            }
        }
        Self { view: raster::View::default(), selected: None, bits, words, shares }
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let rows = self.words.len() / self.bits.div_ceil(64);
        let raster = Raster {
            bits: self.bits,
            words: &self.words,
            shares: &self.shares,
            groups: &[(rows / 2, "horizontal"), (rows - rows / 2, "vertical")],
            revision: 1,
            describe: &|row, bit| {
                format!("Solution {}, bit {}: {:.0} % ones", row + 1, bit + 1, 100.0 * self.shares[bit])
            },
            summary: "Bits of all solutions",
        };
        let outcome = raster::show(ui, &raster, &mut self.view, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
    }
}

/// When four searches came to the optimum.
pub struct Hits {
    pub selected: Option<usize>,
    values: Vec<Vec<u64>>,
}

impl Hits {
    pub fn new() -> Self {
        let around = |mean: f32, spread: f32, count: usize| {
            (0..count).map(|run| (mean + spread * (share(run) + share(run + 99) - 1.0)) as u64).collect()
        };
        let values = vec![Vec::new(), around(230.0, 90.0, 47), around(214.0, 60.0, 50), around(204.0, 50.0, 50)];
        Self { selected: None, values }
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let palette = theme::palette(ui.visuals());
        let names = ["Torus", "Exchange", "Vertical", "Both"];
        let each = self.values.iter().zip(names).enumerate();
        let series = each.map(|(index, (values, name))| {
            let (name, colour): (String, Color32) = (name.to_owned(), palette.curve(index));
            Series { name, colour, values, tried: 50 }
        });
        let series: Vec<Series<'_>> = series.collect();
        let histogram = Histogram {
            series: &series,
            x: "Iteration of the first optimum",
            missed: "no run found it",
            nothing: "No run yet",
        };
        if let Some(picked) = histogram::show(ui, &histogram, self.selected).picked {
            self.selected = picked;
        }
    }
}
