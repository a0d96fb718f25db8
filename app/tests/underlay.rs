//! Underlays of the floor plan: a picture whose scale is set by two clicks, a drawing with units, files that are none.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Pos2, Rect, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use gridwright_core::export::Writing;
use gridwright_core::search::Algorithms as _;
use gridwright_core::store::Store;
use gridwright_facility::export::FORMATS;
use gridwright_facility::run::Algorithm;
use gridwright_facility::underlay::Underlay;
use gridwright_facility_views::methods::*;
use gridwright_facility_views::{Document, FacilityViews};
use gridwright_window::data_view::edits::set_cell;
use gridwright_window::document::{DocumentKind, ExportedSolution as _, ProblemView as _};
use gridwright_window::services::Services;
use gridwright_window::window::App;

use crate::support::person::{
    self, AtHome, Window, at_home, enter, key, keys, names, press, press_like, settle, shows, wait,
};
use crate::support::picture::Pictures;
use crate::support::{Documents as _, laid_out};

/// A hall of 40 × 20 pixels with a dark half, half as high as wide.
pub const HALL: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#fff"/><rect width="20" height="20" fill="#345"/><path d="M20 0L40 20" stroke="#a31"/></svg>"##;

/// Walls, a round column and a spline, in centimetres.
const WALLS: [&str; 12] = [
    "0 SECTION,2 HEADER,9 $INSUNITS,70 5,0 ENDSEC,0 SECTION,2 ENTITIES",
    "0 LWPOLYLINE,70 1,10 0,20 0,10 2000,20 0,10 2000,20 1000,10 0,20 1000",
    "0 LINE,10 0,20 0,11 2000,21 1000",
    "0 LINE,10 0,20 500,11 800,21 500",
    "0 LINE,10 1200,20 500,11 2000,21 500",
    "0 CIRCLE,10 1000,20 500,40 120",
    "0 ARC,10 800,20 500,40 200,50 0,51 90",
    "0 SPLINE,8 0",
    "0 LINE,10 500,20 0,11 500,21 1000",
    "0 LINE,10 1500,20 0,11 1500,21 1000",
    "0 ENDSEC",
    "0 EOF",
];

fn walls() -> String {
    let pairs = WALLS.iter().flat_map(|line| line.split(','));
    pairs.filter_map(|pair| pair.split_once(' ')).map(|(code, value)| format!("{code}\n{value}\n")).collect()
}

fn written(home: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = home.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn document<'a>(window: &'a Harness<'_, App>) -> &'a Document {
    window.state().layouts().expect("a layout problem is open")
}

fn underlay<'a>(window: &'a Harness<'_, App>) -> &'a Underlay {
    document(window).underlay.underlay().expect("an underlay")
}

/// The joinery, 24 × 16 m, with a layout, and the program's own file dialog.
fn planned(home: &Path) -> Window {
    let app = laid_out("sample:layout-workshop", Algorithm::named("memetic").unwrap(), &[1], home);
    let mut window = person::window(app);
    settle(&mut window);
    window
}

/// Chooses a file as the underlay, as the command does.
fn choose(window: &mut Window, path: &Path) {
    press(window, "Underlay");
    press(window, "Choose a file…");
    wait(window, "the dialog", |window| shows(window, "Choose a picture or a drawing of the building"));
    keys(window, Modifiers::COMMAND, Key::L);
    enter(window, "Path of the file or folder", &path.display().to_string());
    key(window, Key::Enter);
}

/// A plant with this underlay.
pub fn with_underlay(home: &Path, name: &str, content: &str) -> Window {
    let path = written(home, name, content);
    let mut window = planned(home);
    choose(&mut window, &path);
    wait(&mut window, "the underlay", |window| document(window).underlay.underlay().is_some());
    settle(&mut window);
    window
}

fn floor(window: &Window) -> Rect {
    let label = names(window, "Floor plan: ").remove(0);
    window.get_by_label(&label).rect()
}

fn click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_steps(2);
    window.drag_at(at);
    window.run_steps(1);
    window.drop_at(at);
    // A later click is no double click.
    window.run_steps(40);
}

/// Begins to set the scale and clicks two points, the second one `across` points to the right.
pub fn measure(window: &mut Window, across: f32) {
    press(window, "Underlay");
    press(window, "Set the scale…");
    assert!(shows(window, "Click the first of two points"));
    let middle = floor(window).center();
    click(window, middle - egui::vec2(100.0, 0.0));
    assert!(shows(window, "Click the second point"));
    click(window, middle + egui::vec2(across - 100.0, 0.0));
}

fn set_length(window: &mut Window, length: f64) {
    window.get_by_role_and_label(Role::SpinButton, "Length between the two points").set_value_accesskit(length);
    window.run_steps(2);
    press(window, "Set the scale");
}

#[test]
fn two_clicks_and_a_length_set_the_scale_of_a_picture() {
    let mut window = at_home(|home| with_underlay(home.path(), "hall.svg", HALL));
    let fitted = underlay(&window).placement.clone();
    assert_eq!((fitted.name.as_str(), fitted.is_shown, fitted.origin), ("hall.svg", true, [0.0; 2]));
    assert!((fitted.scale * 2048.0 - 24.0).abs() < 1e-9, "the picture is as wide as the plant");
    assert!(shows(&window, "hall.svg lies below the floor plan"), "{:?}", window.state().notices());
    let selected = document(&window).selected;
    measure(&mut window, 200.0);
    assert_eq!(document(&window).selected, selected, "clicks select nothing while they measure");
    set_length(&mut window, 0.0);
    assert!(shows(&window, "must be above 0; enter it"), "{:?}", window.state().notices());
    assert!(shows(&window, "Length between the two points"), "the points stay");
    measure(&mut window, 0.0);
    set_length(&mut window, 5.0);
    assert!(shows(&window, "Both clicks are at the same point"), "{:?}", window.state().notices());
    assert!(shows(&window, "Click the first of two points"));
    assert_eq!(underlay(&window).placement, fitted);
    measure(&mut window, 200.0);
    set_length(&mut window, 5.0);
    let wide = underlay(&window).placement.scale / fitted.scale;
    // A point of the screen is as long as before; the plan is not zoomed.
    measure(&mut window, 200.0);
    set_length(&mut window, 5.0);
    let again = underlay(&window).placement.scale / fitted.scale;
    assert!(wide != 1.0 && (again / wide - wide).abs() < 1e-6 * wide, "{wide} and then {again}");
    press(&mut window, "Underlay");
    press(&mut window, "Set the corner…");
    let middle = floor(&window).center();
    click(&mut window, middle);
    let origin = underlay(&window).placement.origin;
    assert!(origin[0] < -9.0 && origin[0] > -15.0 && origin[1] < -5.0 && origin[1] > -11.0, "{origin:?}");
}

#[test]
fn an_underlay_is_kept_with_the_project_and_the_exports() {
    let home = tempfile::tempdir().unwrap();
    let mut window = with_underlay(home.path(), "walls.dxf", &walls());
    assert!(shows(&window, "Left out: 1 SPLINE"), "{:?}", window.state().notices());
    let placement = &underlay(&window).placement;
    assert_eq!((placement.scale, placement.origin), (0.01, [0.0; 2]), "centimetres in a plant of metres");
    press(&mut window, "Underlay");
    window.get_by_role_and_label(Role::SpinButton, "x of its origin").set_value_accesskit(1.5);
    window.run_steps(3);
    assert_eq!(underlay(&window).placement.origin, [1.5, 0.0]);
    key(&mut window, Key::Escape);
    let kept = underlay(&window).clone();
    let path = home.path().join("hall.gridwright");
    let layouts = window.state_mut().document_mut::<FacilityViews>().unwrap();
    layouts.set_project_file(path.clone());
    (layouts.saving(true).unwrap().write)(&Store::at(home.path())).unwrap();
    drop(window);
    let mut again = person::open(Services::default(), home.path(), Some(&path.display().to_string()));
    wait(&mut again, "the project", |window| window.state().layouts().is_some());
    settle(&mut again);
    assert_eq!(underlay(&again), &kept);
    let layouts = again.state_mut().document_mut::<FacilityViews>().unwrap();
    let exported = |layouts: &Document| {
        let format = FORMATS.iter().find(|format| format.ending == "svg").unwrap();
        let exported = <FacilityViews as DocumentKind>::Exported::of(layouts, format).unwrap();
        String::from_utf8(exported.bytes("svg", &Writing::default()).unwrap()).unwrap()
    };
    let with = exported(layouts);
    let edit = set_cell(&layouts.tables(), layouts.table_specs(), 0, 0, 1, "31").unwrap();
    layouts.change_data(edit, None).unwrap();
    assert_eq!(**layouts.underlay.drawn().unwrap(), kept, "other data have the same building");
    layouts.toggle_underlay().unwrap();
    assert!(layouts.underlay.drawn().is_none() && layouts.underlay.underlay().is_some());
    layouts.undo().unwrap();
    let lines = |svg: &str| svg.matches("<polyline").count();
    assert!(lines(&with) > lines(&exported(layouts)), "a hidden underlay is not exported");
}

#[test]
fn files_that_are_no_underlay_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut window = planned(home.path());
    for (name, content, why) in [
        ("notes.png", "no picture", "no picture that can be read"),
        ("empty.dxf", "0\nSECTION\n2\nENTITIES\n0\nSPLINE\n8\n0\n0\nENDSEC\n0\nEOF\n", "no lines, arcs or polylines"),
    ] {
        let path = written(home.path(), name, content);
        choose(&mut window, &path);
        let told = |window: &Harness<'_, App>| format!("{:?}", window.state().notices().iter().collect::<Vec<_>>());
        wait(&mut window, "the message", |window| told(window).contains(name));
        assert!(
            told(&window).contains("This file cannot be the underlay") && told(&window).contains(why),
            "{}",
            told(&window)
        );
        assert!(document(&window).underlay.underlay().is_none());
        press_like(&mut window, "Close this message");
    }
}

#[test]
fn a_plan_lies_over_its_underlay() {
    let mut shots = Pictures::default();
    for (name, file, content) in [("picture", "hall.svg", HALL.to_owned()), ("drawing", "walls.dxf", walls())] {
        for dark in [false, true] {
            let mut window: AtHome = at_home(|home| with_underlay(home.path(), file, &content));
            window.ctx.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
            window.run_steps(6);
            let part = floor(&window);
            shots.take(&mut window, part, &format!("layout-underlay-{name}-{}", if dark { "dark" } else { "light" }));
        }
    }
}
