//! What a person does in a window, by what it tells screen readers.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_timetabling_views::Document;
use gridwright_window::services::Services;
use gridwright_window::window::App;
use tempfile::TempDir;

use super::Documents as _;
use super::picture::painted;

const PATIENCE: Duration = Duration::from_secs(60);
const USUAL: [f32; 2] = [1440.0, 900.0];

/// A window with something that a person works with.
pub type Window = Harness<'static, App>;

/// A window over a home of its own, which is removed after the window.
pub struct AtHome {
    window: Window,
    _home: TempDir,
}

/// Opens a window over a new home.
pub fn at_home(open: impl FnOnce(&TempDir) -> Window) -> AtHome {
    let home = tempfile::tempdir().unwrap();
    AtHome { window: open(&home), _home: home }
}

impl Deref for AtHome {
    type Target = Window;

    fn deref(&self) -> &Window {
        &self.window
    }
}

impl DerefMut for AtHome {
    fn deref_mut(&mut self) -> &mut Window {
        &mut self.window
    }
}

/// A window of this size and so many pixels per point, in its first frame.
pub fn sized(app: App, size: [f32; 2], pixels: f32) -> Window {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(pixels).with_max_steps(60);
    painted(builder).build_ui_state(
        |ui, app: &mut App| {
            app.logic(ui.ctx());
            app.ui(ui);
        },
        app,
    )
}

/// The usual window over this home; steps until its source, where there is one, is open or refused.
pub fn open(services: Services, home: &Path, source: Option<&str>) -> Window {
    let app = super::app(services, Store::at(home), source.map(str::to_owned));
    let mut harness = sized(app, USUAL, 1.0);
    if source.is_some() {
        wait_for_document(&mut harness);
    }
    harness
}

/// Steps until something is open or could not be.
pub fn wait_for_document(harness: &mut Harness<'_, App>) {
    wait(harness, "something to be open", |harness| shows(harness, "could not be opened") || harness.state().is_open());
}

/// The window as a person sees it, with what it opens at the start.
pub fn window(app: App) -> Window {
    let mut harness = sized(app, USUAL, 1.0);
    wait_for_document(&mut harness);
    settle(&mut harness);
    harness
}

/// Steps until nothing asks for another frame; changes that are being kept on disk do for a moment.
#[track_caller]
pub fn settle(harness: &mut Harness<'_, App>) {
    wait(harness, "the window to be idle", |harness| {
        harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay == Duration::MAX
            && !harness.state().has_changed()
    });
}

/// Steps until something holds.
#[track_caller]
pub fn wait(harness: &mut Harness<'_, App>, what: &str, holds: impl Fn(&Harness<'_, App>) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        harness.step();
        if holds(harness) {
            return;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}; on the screen are {:?}", names(harness, ""));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether something on the screen is called so, or has a name that contains this.
pub fn shows(harness: &Harness<'_, App>, words: &str) -> bool {
    harness.query_all_by_label_contains(words).next().is_some()
}

/// Presses the one thing of this name that is no caption.
#[track_caller]
pub fn press(harness: &mut Harness<'_, App>, label: &str) {
    let mut nodes = harness.get_all_by_label(label).filter(|node| node.accesskit_node().role() != egui::Role::Label);
    let node = nodes.next().unwrap_or_else(|| panic!("nothing to press is called {label}"));
    assert!(nodes.next().is_none(), "two things to press are called {label}");
    let role = node.accesskit_node().role();
    if [egui::Role::MenuItem, egui::Role::RadioButton].contains(&role) {
        // A menu or a list of choices that is higher than the window is scrolled first.
        node.scroll_to_me();
        drop(nodes);
        harness.run_steps(4);
        harness.get_all_by_label(label).find(|node| node.accesskit_node().role() == role).unwrap().click();
    } else {
        node.click();
        drop(nodes);
    }
    harness.run_steps(3);
}

/// Presses the thing whose name begins like this.
#[track_caller]
pub fn press_like(harness: &mut Harness<'_, App>, begins: &str) {
    let name = names(harness, begins).into_iter().next();
    press(harness, &name.unwrap_or_else(|| panic!("nothing is called like {begins}")));
}

/// Name of a period of the open session, counted from 1.
pub fn period(harness: &Harness<'_, App>, number: usize) -> String {
    document(harness).instance.period_name(number - 1)
}

/// Pins the selected exam, which has no timetable yet, to a period, counted from 1.
#[track_caller]
pub fn pin_to(harness: &mut Harness<'_, App>, number: usize) {
    let name = format!("Pin to {}: allowed", period(harness, number));
    press(harness, &name);
}

/// All names that begin like this.
pub fn names(harness: &Harness<'_, App>, begins: &str) -> Vec<String> {
    let nodes = harness.query_all_by_label_contains(begins);
    let labels = nodes.map(|node| node.accesskit_node().label().unwrap_or_default());
    labels.filter(|label| label.starts_with(begins)).collect()
}

/// What is open.
pub fn document<'a>(harness: &'a Harness<'_, App>) -> &'a Document {
    harness.state().session().unwrap()
}

/// Presses a key.
pub fn key(harness: &mut Harness<'_, App>, key: Key) {
    keys(harness, Modifiers::NONE, key);
}

/// Presses a key with others held down.
pub fn keys(harness: &mut Harness<'_, App>, held: Modifiers, key: Key) {
    harness.key_press_modifiers(held, key);
    harness.run_steps(4);
}

/// Puts a text into a field.
pub fn enter(harness: &mut Harness<'_, App>, field: &str, text: &str) {
    harness.get_by_role_and_label(egui::Role::TextInput, field).set_text_value_accesskit(text);
    harness.run_steps(2);
}

/// Drags from one place to another, as slowly as a person.
pub fn drag(harness: &mut Harness<'_, App>, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.run_steps(2);
    harness.drag_at(from);
    harness.run_steps(2);
    for share in [0.2, 0.6, 1.0] {
        harness.hover_at(from + (to - from) * share);
        harness.run_steps(2);
    }
    harness.drop_at(to);
    harness.run_steps(3);
}

/// Lets what is dragged go while keys are held.
pub fn let_go(harness: &mut Harness<'_, App>, at: egui::Pos2, held: Modifiers) {
    harness.event(egui::Event::ModifiersChanged(held));
    harness.drop_at(at);
    harness.run_steps(3);
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.run_steps(2);
}

/// A file that a person lets go over the window.
#[derive(Debug)]
pub struct Dropped(pub PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// Lets a file go over the window.
pub fn drop_file(harness: &mut Harness<'_, App>, path: PathBuf) {
    harness.input_mut().dropped_files.push(Arc::new(Dropped(path)));
    harness.step();
}

/// Writes a file into a folder and opens it in a window over this home.
pub fn written(home: &Path, name: &str, text: impl AsRef<[u8]>) -> Window {
    let path = home.join(name);
    std::fs::write(&path, text).unwrap();
    file(home, path.to_str().unwrap())
}

/// Opens a file in a window over this home.
pub fn file(home: &Path, source: &str) -> Window {
    let services = Services { dialogs: false, ..Services::default() };
    window(super::app(services, Store::at(home), Some(source.to_owned())))
}
