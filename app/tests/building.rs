//! A plant with a building in the window: outline, stairs, a department that stays.

use egui_kittest::kittest::Queryable as _;
use gridwright_facility::building::PartKind;
use gridwright_facility::check::check;

use crate::support::Documents as _;
use crate::support::person::{at_home, file, press, press_like, settle, shows, wait};

/// An L-shaped hall of six departments with German headings and decimal commas; returns its source.
fn hall(folder: &std::path::Path) -> String {
    std::fs::create_dir_all(folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "departments.csv",
        "# plant: 20 x 12\n# aspect limit: 4\ndepartment;area\nVersand;30,0\nSäge;24,5\nLager;40\nMontage;36\nLack;18\nBüro;12,5\n",
    );
    write(
        "flows.csv",
        "from;to;flow\nVersand;Montage;10\nSäge;Lager;4\nLager;Montage;8\nMontage;Lack;6\nLack;Büro;1\n",
    );
    write(
        "building.csv",
        "part;kind;department;x;y;width;height\nTreppe;fixed;;0;9;2,5;3\nNachbar;outside;;15;6;5;6\n;department;Versand;14;0;6;5\n",
    );
    folder.join("departments.csv").display().to_string()
}

#[test]
fn a_hall_with_stairs_is_planned_around_them() {
    let mut window = at_home(|home| {
        let source = hall(&home.path().join("hall"));
        file(home.path(), &source)
    });
    let document =
        |window: &crate::support::person::Window| std::sync::Arc::clone(&window.state().layouts().unwrap().instance);
    let instance = document(&window);
    let of = |kind: PartKind| instance.building.parts.iter().filter(|part| part.kind == kind).count();
    assert_eq!((of(PartKind::Fixed), of(PartKind::Outside), instance.building.places.len()), (1, 1, 1));
    press(&mut window, "Data");
    settle(&mut window);
    assert!(shows(&window, "Building"), "the building is a table of the data");
    press(&mut window, "Floor plan");
    press_like(&mut window, "Quick");
    press(&mut window, "Solve");
    wait(&mut window, "the run", |window| {
        let layouts = window.state().layouts().unwrap();
        !layouts.is_solving() && !layouts.runs.is_empty()
    });
    settle(&mut window);
    let layouts = window.state().layouts().unwrap();
    let layout = layouts.picture().unwrap().layout.clone();
    let verdict = check(&layouts.instance, &layout);
    assert!(verdict.feasible, "{:?}", verdict.violations);
    let shipping = layouts.instance.departments.iter().position(|department| department.name == "Versand").unwrap();
    let place = layout.rectangles[shipping].rectangle;
    assert_eq!([place.x, place.y, place.width, place.height], [14.0, 0.0, 6.0, 5.0]);
    assert!(window.query_all_by_label_contains("Versand, area 30").next().is_some());
}
