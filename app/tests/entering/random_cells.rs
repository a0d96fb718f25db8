//! Random sequences of what a person does in the tables of *Data*, over all problems: a text is in the cell in which it was
//! typed, whatever is done next, and nothing else changes.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Rect, Role, TouchPhase, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::data::{Dataset, TableSpec};
use gridwright_core::random::Philox;
use gridwright_facility_views::FacilityViews;
use gridwright_flowshop_views::FlowShopViews;
use gridwright_systolic_views::SystolicViews;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_window::data_view::edits;
use gridwright_window::document::DocumentKind;

use super::{click, place, type_in};
use crate::rooms;
use crate::support::person::{Window, file, key, keys, press, shows};

/// Sequences of each source.
const SEQUENCES: usize = 50;

/// A way to leave the cell that is being edited.
#[derive(Debug, Clone, Copy)]
enum Leave {
    Cell,
    Heading,
    OtherTable,
    Scroll,
    Add,
    Filter,
    View,
    Enter,
    Tab,
    Escape,
}

const ALL: [Leave; 10] = [
    Leave::Cell,
    Leave::Heading,
    Leave::OtherTable,
    Leave::Scroll,
    Leave::Add,
    Leave::Filter,
    Leave::View,
    Leave::Enter,
    Leave::Tab,
    Leave::Escape,
];

/// A window with the view *Data* of a problem, and the words that decide what is done next.
struct Person<K> {
    window: Window,
    words: Philox,
    draw: u32,
    /// Index of the shown table.
    table: usize,
    kind: std::marker::PhantomData<K>,
}

impl<K: DocumentKind> Person<K> {
    fn below(&mut self, end: usize) -> usize {
        self.draw += 1;
        self.words.words(self.draw, 0, 0, 0)[0] as usize % end
    }

    fn data(&self) -> Arc<Dataset> {
        self.window.state().document::<K>().unwrap().tables()
    }

    fn specs(&self) -> &'static [TableSpec] {
        self.window.state().document::<K>().unwrap().table_specs()
    }

    fn spec(&self) -> &'static TableSpec {
        &self.specs()[self.table]
    }

    /// Shows a table that is no form.
    fn show_table(&mut self) {
        let tables: Vec<usize> = (0..self.specs().len()).filter(|&table| !self.specs()[table].is_form).collect();
        self.table = tables[self.below(tables.len())];
        let title = format!("{} ", self.spec().title);
        let is_tab = |label: &str| {
            label.strip_prefix(&title).is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
        };
        let tabs =
            self.window.query_all_by_role(Role::Tab).map(|node| node.accesskit_node().label().unwrap_or_default());
        let tab = tabs.into_iter().find(|label| is_tab(label)).unwrap_or_else(|| panic!("no tab is called {title}"));
        press(&mut self.window, &tab);
    }

    /// Headings on the screen, with their columns.
    fn headings(&self) -> Vec<(usize, Rect)> {
        let (data, spec) = (self.data(), self.spec());
        let table = &data.tables[self.table];
        let screen = self.area();
        let place = |column: usize| {
            let label = format!("Sort by {}", table.heading(spec, column));
            let rect = self.window.query_all_by_label(&label).next()?.rect();
            (screen.x_range().contains(rect.left() + 20.0)).then_some((column, rect))
        };
        (0..table.width(spec)).filter_map(place).collect()
    }

    /// The area of the table, with its headings.
    fn area(&self) -> Rect {
        self.window.get_by_role(Role::Table).rect()
    }

    /// A place in a random cell.
    fn cell(&mut self) -> Pos2 {
        let (headings, area) = (self.headings(), self.area());
        let (_, heading) = headings[self.below(headings.len())];
        let rows = self.data().tables[self.table].rows.len().clamp(1, 20);
        let row = self.below(rows);
        Pos2::new(heading.left() + 20.0, (area.top() + 28.0 + 24.0 * (row as f32 + 0.5)).min(area.bottom() - 12.0))
    }

    /// Column of the cursor and text of its cell, as screen readers tell them.
    fn cursor(&self) -> (usize, String) {
        let label = self.window.get_by_role(Role::Table).accesskit_node().label().unwrap_or_default();
        let (data, spec) = (self.data(), self.spec());
        let table = &data.tables[self.table];
        let rest = label.strip_prefix(&format!("{}, row ", spec.title)).unwrap_or_else(|| panic!("{label}"));
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let value = |column: usize| rest.strip_prefix(&format!(", {}: ", table.heading(spec, column)));
        let found = (0..table.width(spec)).find_map(|column| Some((column, value(column)?.to_owned())));
        found.unwrap_or_else(|| panic!("{label}"))
    }

    fn add_row(&mut self) {
        let name = format!("Add {}", self.spec().noun);
        press(&mut self.window, &name);
    }

    fn leave_table(&mut self) {
        let at = place(&self.window, "Filter").center();
        click(&mut self.window, at);
    }

    fn scroll(&mut self, lines: f32) {
        let at = self.area().center();
        self.window.hover_at(at);
        let (unit, source) = (MouseWheelUnit::Line, MouseWheelSource::Unknown);
        let (delta, phase, modifiers) = (vec2(0.0, lines), TouchPhase::Move, Modifiers::NONE);
        self.window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
        self.window.run_steps(12);
    }

    fn leave(&mut self, way: Leave) {
        match way {
            Leave::Cell => {
                let at = self.cell();
                click(&mut self.window, at);
                // The cell may be the one that is being edited.
                self.leave_table();
            }
            Leave::Heading => {
                let headings = self.headings();
                let (_, rect) = headings[self.below(headings.len())];
                click(&mut self.window, Pos2::new(rect.left() + 20.0, rect.center().y));
            }
            Leave::OtherTable => self.show_table(),
            Leave::Scroll => {
                [-40.0, 40.0].into_iter().for_each(|lines| self.scroll(lines));
                // In a short table the cell was always there.
                self.leave_table();
            }
            Leave::Add => self.add_row(),
            Leave::Filter => self.leave_table(),
            Leave::View => {
                keys(&mut self.window, Modifiers::COMMAND, Key::Num1);
                press(&mut self.window, "Data");
            }
            Leave::Enter => key(&mut self.window, Key::Enter),
            Leave::Tab => key(&mut self.window, Key::Tab),
            Leave::Escape => key(&mut self.window, Key::Escape),
        }
        self.window.run_steps(4);
    }

    /// Types into a random cell and leaves it; returns what is not as it was typed.
    fn sequence(&mut self) -> Option<String> {
        if self.below(4) == 0 {
            self.show_table();
        }
        if self.data().tables[self.table].rows.is_empty() {
            self.add_row();
        }
        if self.below(4) == 0 {
            let lines = [-12.0, 12.0][self.below(2)];
            self.scroll(lines);
        }
        let at = self.cell();
        click(&mut self.window, at);
        let (column, value) = self.cursor();
        let (before, specs, table) = (self.data(), self.specs(), self.table);
        let text = [format!("q{}", self.below(90)), format!("{}", 10 + self.below(90)), "12,5".to_owned()];
        let text = text[self.below(3)].clone();
        type_in(&mut self.window, &text);
        let way = ALL[self.below(ALL.len())];
        self.leave(way);
        let after = self.data();
        let expected = |row: usize| {
            let edit = match way {
                Leave::Escape => None,
                _ => edits::set_cell(&before, specs, table, row, column, &text),
            };
            let data = edit.map_or_else(|| Dataset::clone(&before), |edit| edit.data);
            if matches!(way, Leave::Add) { edits::add_row(&data, specs, table).data } else { data }
        };
        let cells = &before.tables[table].rows;
        let mut rows = (0..cells.len()).filter(|&row| cells.get(row).is_some_and(|row| row.cell(column) == value));
        let fits = rows.any(|row| expected(row).tables == after.tables);
        let changed = || {
            let rows = (0..after.tables[table].rows.len()).filter_map(|row| {
                let [was, is] = [&before, &after].map(|data| {
                    data.tables[table].rows.get(row).map(|row| row.cells().map(str::to_owned).collect::<Vec<_>>())
                });
                (was != is).then(|| format!("row {}: {was:?} is {is:?}", row + 1))
            });
            rows.collect::<Vec<_>>().join("; ")
        };
        let title = specs[table].title;
        (!fits).then(|| format!("{title}, column {column}: {text} over {value:?}, then {way:?}: {}", changed()))
    }
}

/// Runs sequences in a window with this seed.
type Faults = fn(Window, u64) -> Vec<String>;

/// Runs sequences in one window; returns their faults.
fn faults<K: DocumentKind>(window: Window, seed: u64) -> Vec<String> {
    let mut person =
        Person::<K> { window, words: Philox::new(seed), draw: 0, table: 0, kind: std::marker::PhantomData };
    press(&mut person.window, "Data");
    person.window.run_steps(4);
    person.show_table();
    let sequences =
        (0..SEQUENCES).filter_map(|number| person.sequence().map(|fault| format!("{seed}.{number} {fault}")));
    sequences.collect()
}

#[test]
fn random_texts_stay_in_the_cells_in_which_they_were_typed() {
    let mut all = Vec::new();
    let sample = |name: &'static str| tempfile::tempdir().map(|home| (file(home.path(), name), home)).unwrap();
    let opened: [(Faults, _); 6] = [
        (faults::<TimetablingViews>, sample("sample:school")),
        (faults::<TimetablingViews>, tempfile::tempdir().map(|home| (rooms::open(&home), home)).unwrap()),
        (faults::<FlowShopViews>, sample("sample:workshop")),
        (faults::<FacilityViews>, sample("sample:layout-workshop")),
        (faults::<SystolicViews>, sample("sample:backpack")),
        (faults::<SystolicViews>, sample("sample:release")),
    ];
    for (seed, (faults, (window, _home))) in (1..).zip(opened) {
        assert!(!shows(&window, "could not be opened"));
        all.extend(faults(window, seed));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}
