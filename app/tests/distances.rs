//! Distance–intensity chart of a layout: a point for each flow, today's layout behind, a click selects.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use gridwright_core::search::Algorithms as _;
use gridwright_facility::run::Algorithm;
use gridwright_facility_views::View;

use crate::support::person::{self, Window, at_home, keys, names, settle};
use crate::support::{Documents as _, laid_out};

/// Three departments in a row, with C between A and B today and a dock at the right.
fn row(home: &std::path::Path) -> String {
    let folder = home.join("row");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("departments.csv", "# plant: 6 x 2\ndepartment,area\nA,4\nB,4\nC,4\n"),
        ("flows.csv", "from,to,flow\nA,B,5\nB,C,1\n"),
        ("doors.csv", "door,x,y\nDock,6,1\n"),
        ("door-flows.csv", "department,door,flow\nA,Dock,2\n"),
        ("today.csv", "department,x,y,width,height\nA,0,0,2,2\nC,2,0,2,2\nB,4,0,2,2\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder.join("departments.csv").display().to_string()
}

fn selected(window: &Window) -> Option<usize> {
    window.state().layouts().unwrap().selected
}

#[test]
fn each_flow_is_a_point_and_a_click_selects_its_departments() {
    let mut window = at_home(|home| {
        let algorithm = Algorithm::named("enumeration").unwrap();
        person::window(laid_out(&row(home.path()), algorithm, &[1], home.path()))
    });
    settle(&mut window);
    keys(&mut window, Modifiers::COMMAND, Key::Num6);
    settle(&mut window);
    assert_eq!(window.state().layouts().unwrap().view, View::Distances);
    assert_eq!(names(&window, "today: A and B: flow 5, distance 4, cost 20").len(), 1);
    assert_eq!((names(&window, "today: ").len(), names(&window, "A and ").len()), (3, 2));
    let flow = names(&window, "A and B: flow 5").remove(0);
    for expected in [0, 1] {
        window.get_by_label(&flow).click();
        settle(&mut window);
        assert_eq!(selected(&window), Some(expected));
    }
    let dock = names(&window, "A and Dock: flow 2").remove(0);
    for _ in 0..2 {
        window.get_by_label(&dock).click();
        settle(&mut window);
        assert_eq!(selected(&window), Some(0), "a door cannot be selected");
    }
}
