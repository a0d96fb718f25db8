//! Legends are complete at every size: what has no room is in a list.

use egui::Color32;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_window::theme;
use gridwright_window::widgets::history::{self, History, Line, Panel};

const NAMES: [&str; 12] = [
    "Torus", "Exchange", "Vertical", "Both directions", "Generational", "Elitist", "Random search", "Horizontal",
    "Islands", "Steady state", "Tournament", "Roulette wheel",
];

fn window(width: f32) -> Harness<'static> {
    let builder = Harness::builder().with_size([width, 260.0]).with_context_setup(theme::install);
    builder.build_ui(|ui| {
        let lines = NAMES.map(|name| Line { name, colour: Color32::BLUE, values: &[3.0, 2.0, 1.0], dashed: false });
        let words = |value: f64| value.to_string();
        let panel =
            Panel { title: "Fitness", lines: &lines, reference: None, from_zero: false, weight: 1.0, words: &words };
        let panels = [panel];
        let shown = History { panels: &panels, first: 0, unit: "Step", at: None, events: &[], nothing: "nothing" };
        history::show(ui, &shown);
    })
}

#[test]
fn every_name_is_written_or_in_the_list_that_opens() {
    for width in [220.0, 420.0, 700.0] {
        let mut window = window(width);
        window.run();
        let Some(button) = window.query_by_label_contains("Show all names") else {
            panic!("{width} points: nothing opens");
        };
        assert!(NAMES.iter().all(|name| button.accesskit_node().label().unwrap().contains(name)), "{width} points");
        button.click();
        window.run();
        for name in NAMES {
            assert!(window.query_by_label(name).is_some(), "{width} points: {name}");
        }
    }
    let mut wide = window(2400.0);
    wide.run();
    assert!(wide.query_by_label_contains("Show all names").is_none(), "nothing is hidden");
}
