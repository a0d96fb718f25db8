//! Facility layouts in the window, as a person uses them: solve, look, move departments, lock them, compare, take it away.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::result::Encoded;
use gridwright_core::search::{Algorithms as _, Control, StopReason};
use gridwright_core::store::Store;
use gridwright_facility::check::check;
use gridwright_facility::stored::Demands;
use gridwright_facility::{Layout, export, run};
use gridwright_facility_views::methods::*;
use gridwright_facility_views::{Document, View};
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::window::App;
use strum::VariantArray;

use crate::support;
use crate::support::Documents as _;
use support::person::{Window, at_home, drag, enter, file, keys, names, press, press_like, settle, shows, wait};

mod following;

fn document<'a>(window: &'a Harness<'_, App>) -> &'a Document {
    window.state().layouts().expect("a layout problem is open")
}

/// The layout that is shown.
fn layout(window: &Window) -> Layout {
    (*document(window).plan().expect("a layout is shown").layout).clone()
}

fn cost(window: &Window) -> f64 {
    document(window).plan().unwrap().cost()
}

fn department(window: &Window, name: &str) -> usize {
    document(window).instance.department_index(name).unwrap()
}

/// Where a department is painted.
fn place(window: &Window, name: &str) -> egui::Rect {
    let label = names(window, &format!("{name}, area")).remove(0);
    window.get_by_label(&label).rect()
}

fn show(window: &mut Window, view: View) {
    const KEYS: [Key; 7] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7];
    let at = View::VARIANTS.iter().position(|other| *other == view).unwrap();
    keys(window, Modifiers::COMMAND, KEYS[at]);
}

fn limit(window: &mut Window, seconds: f64) {
    window.get_by_role_and_label(egui::Role::SpinButton, "Time limit").set_value_accesskit(seconds);
    window.run_steps(2);
}

fn solve(window: &mut Window) {
    let runs = document(window).runs.len();
    press(window, "Solve");
    wait(window, "the end", |window| !document(window).is_solving());
    settle(window);
    assert_eq!(document(window).runs.len(), runs + 1, "{:?}", window.state().notices());
}

fn choose(window: &mut Window, combo: &str, choice: &str) {
    press(window, combo);
    press(window, choice);
}

/// The joinery after a short search, which need not be the best there is.
fn searched(home: &std::path::Path) -> Window {
    let mut window = file(home, "sample:layout-workshop");
    choose(&mut window, "Algorithm", "Memetic");
    limit(&mut window, 0.3);
    solve(&mut window);
    window
}

/// Opens a file by the field for paths.
fn open_path(window: &mut Window, path: &std::path::Path) {
    enter(window, "Path of a file to open", path.to_str().unwrap());
    window.get_by_label("Path of a file to open").focus();
    window.run_steps(2);
    keys(window, Modifiers::NONE, Key::Enter);
}

/// Writes a problem as tables; the path of its departments.
fn tables(folder: &std::path::Path, departments: &str, flows: &str) -> String {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("flows.csv"), flows).unwrap();
    let path = folder.join("departments.csv");
    std::fs::write(&path, departments).unwrap();
    path.display().to_string()
}

#[test]
fn a_small_plant_is_proven_optimal_and_still_there_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let source = support::small_plant(home.path());
    let mut window = file(home.path(), &source);
    assert!(shows(&window, "No layout yet") && shows(&window, "7 departments, 9 pairs with flow, 20 × 10"));
    limit(&mut window, 120.0);
    solve(&mut window);
    let run = document(&window).run(1).unwrap();
    assert_eq!((&run.result.stop_reason, run.is_proven(), &run.status), (&StopReason::Proven, true, &RunStatus::Valid));
    assert!(shows(&window, "proven optimal") && shows(&window, "Run 1: proven optimal"));
    let found = (layout(&window), cost(&window));
    assert_eq!(check(&document(&window).instance, &found.0).cost, found.1);
    assert!(names(&window, "Cutting, area 24").len() == 1, "departments have names");
    drop(window);
    let again = file(home.path(), &source);
    assert_eq!((layout(&again), cost(&again)), found);
    assert!(document(&again).run(1).unwrap().is_proven() && shows(&again, "proven optimal"));
}

#[test]
fn flows_are_there_before_any_layout_is() {
    let mut window = at_home(|home| file(home.path(), "sample:layout-workshop"));
    show(&mut window, View::Bays);
    assert!(shows(&window, "No layout yet"));
    show(&mut window, View::Flows);
    assert!(shows(&window, "From Goods inward to Timber store: 24, closeness A (absolutely necessary)"));
    assert!(window.get_all_by_label("Export").next().unwrap().accesskit_node().is_disabled());
    press_like(&mut window, "From Saw to Planer: 14");
    assert_eq!(document(&window).selected, Some(department(&window, "Saw")));
    // They can stand in another order.
    press(&mut window, "By flow");
    press_like(&mut window, "From Timber store to Saw: 22");
    assert_eq!(document(&window).selected, Some(department(&window, "Timber store")));
}

#[test]
fn departments_are_selected_by_pointer_and_keys_and_told_about() {
    let mut window = at_home(|home| searched(home.path()));
    press_like(&mut window, "Assembly, area 56");
    assert_eq!(document(&window).selected, Some(department(&window, "Assembly")));
    assert!(shows(&window, "at most 2") && shows(&window, "Longer : shorter side"), "the inspector shows it");
    let canvas = names(&window, "Floor plan: 12 departments in ").remove(0);
    window.get_by_label(&canvas).focus();
    window.run_steps(2);
    keys(&mut window, Modifiers::NONE, Key::End);
    let last = layout(&window).bays.last().and_then(|bay| bay.last().copied());
    assert_eq!(document(&window).selected, last.map(usize::from));
    press(&mut window, "Back to the whole layout");
    assert!(document(&window).selected.is_none() && shows(&window, "Rules for searches"));
    // Closeness is told apart from the cost; pairs rated X are no wishes.
    let closeness = document(&window).plan().unwrap().verdict.closeness;
    assert_eq!((closeness.wishes, closeness.forbidden), (5, 1));
    for (name, words) in [
        ("Closeness score", closeness.score_words()),
        ("Wishes of closeness met", closeness.met_words()),
        ("X pairs that share a wall", closeness.violated_words()),
    ] {
        assert!(shows(&window, name) && shows(&window, &words), "{name}: {words}");
    }
    // By name.
    keys(&mut window, Modifiers::COMMAND, Key::F);
    window.event(egui::Event::Text("edge".to_owned()));
    window.run_steps(3);
    keys(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(document(&window).selected, Some(department(&window, "Edge banding")));
}

#[test]
fn a_department_is_carried_elsewhere_and_everything_is_taken_back() {
    let mut window = at_home(|home| searched(home.path()));
    let before = layout(&window);
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Paint"));
    drag(&mut window, saw.center(), paint.center());
    let [one, other] = ["Saw", "Paint"].map(|name| department(&window, name) as u16);
    let exchange = |at: u16| {
        if at == one {
            other
        } else if at == other {
            one
        } else {
            at
        }
    };
    let bays: Vec<Vec<u16>> = before.bays.iter().map(|bay| bay.iter().map(|&at| exchange(at)).collect()).collect();
    assert_eq!((layout(&window).bays, document(&window).shown), (bays.clone(), Shown::Draft));
    assert!(shows(&window, "Edited from run 1: 2 departments elsewhere"));
    assert_eq!(cost(&window), check(&document(&window).instance, &layout(&window)).cost);
    let (change, better) = document(&window).draft_change().unwrap();
    assert!(!better && change.starts_with('+') && shows(&window, &format!("cost {change}")), "{change}");

    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(document(&window).draft().is_none());
    assert_eq!((layout(&window), document(&window).shown), (before.clone(), Shown::Run(1)));
    keys(&mut window, Modifiers::COMMAND, Key::Y);
    assert_eq!(layout(&window).bays, bays);
    press(&mut window, "Discard");
    assert_eq!((layout(&window), document(&window).draft()), (before, None));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(layout(&window).bays, bays, "giving up is taken back, too");
}

#[test]
fn bays_are_changed_by_keys_menu_and_table() {
    let mut window = at_home(|home| searched(home.path()));
    let before = layout(&window);
    press_like(&mut window, "Saw, area");
    let saw = department(&window, "Saw") as u16;
    let bay = |window: &Window| layout(window).bays.iter().position(|bay| bay.contains(&saw)).unwrap();
    let own = |window: &Window| layout(window).bays[bay(window)] == [saw];
    press(&mut window, "Edit");
    press(&mut window, "Give it a bay of its own");
    assert!(own(&window) || before.bays.contains(&vec![saw]));
    let [count, at] = [layout(&window).bays.len(), bay(&window)];
    press(&mut window, "Turn the bays");
    assert_ne!(layout(&window).orientation, before.orientation);
    show(&mut window, View::Bays);
    // Bays are listed as they are drawn: from the top, where the last row lies.
    let top = |window: &Window, bay: usize| window.get_by_label(&format!("Reverse bay {bay}")).rect().top();
    let is_upright = layout(&window).orientation == gridwright_facility::Orientation::Vertical;
    assert_eq!(top(&window, 1) < top(&window, 2), is_upright);
    let to = if at > 0 { at - 1 } else { 1 };
    let words = if at > 0 { "with the one before" } else { "with the next" };
    press(&mut window, &format!("Exchange bay {} {words}", at + 1));
    assert_eq!((bay(&window), layout(&window).bays.len()), (to, count));
    let long = layout(&window).bays.iter().position(|bay| bay.len() > 1).unwrap();
    let mut reversed = layout(&window).bays[long].clone();
    reversed.reverse();
    press(&mut window, &format!("Reverse bay {}", long + 1));
    assert_eq!(layout(&window).bays[long], reversed);
    while document(&window).draft().is_some() {
        keys(&mut window, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(layout(&window), before);
    // By keys: to the side on which there is something.
    show(&mut window, View::Plan);
    let (key, back) =
        if bay(&window) > 0 { (Key::ArrowLeft, Key::ArrowRight) } else { (Key::ArrowRight, Key::ArrowLeft) };
    if before.orientation == gridwright_facility::Orientation::Vertical {
        let at = bay(&window);
        keys(&mut window, Modifiers::ALT, key);
        assert_ne!(layout(&window), before);
        keys(&mut window, Modifiers::ALT, back);
        assert!(bay(&window) == at || layout(&window).bays.len() != before.bays.len());
    }
}

#[test]
fn the_best_place_is_found_by_looking_at_all() {
    let mut window = at_home(|home| searched(home.path()));
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Dispatch"));
    drag(&mut window, saw.center(), paint.center());
    let worse = cost(&window);
    for _ in 0..3 {
        press(&mut window, "Edit");
        press(&mut window, "Move to the best place");
    }
    assert!(cost(&window) < worse, "{} after {worse}", cost(&window));
    assert!(shows(&window, "No other place is better for it"), "and it is told when there is none");
}

#[test]
fn locks_and_departments_to_keep_apart_are_minded_kept_and_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let mut window = searched(home.path());
    // The sample itself keeps two apart.
    assert!(shows(&window, "Remove the rule: Sanding and Paint apart"));
    // As far from its best place as it can be.
    let (dispatch, saw) = (place(&window, "Dispatch"), place(&window, "Saw"));
    drag(&mut window, dispatch.center(), saw.center());
    press(&mut window, "Lock to bay");
    let lock = *document(&window).lock(department(&window, "Dispatch")).unwrap();
    assert_eq!(lock.place, None);
    assert!(shows(&window, &format!("Remove the rule: Dispatch in bay {}", lock.bay + 1)));
    press(&mut window, "Lock to place");
    let one = department(&window, "Dispatch");
    let fixed = *document(&window).fixed(one).unwrap();
    let place = document(&window).plan().unwrap().places.departments[one];
    assert_eq!((fixed.rectangle, document(&window).lock(one)), (place, None));
    assert!(names(&window, "Dispatch, area")[0].contains("locked to its place"));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(document(&window).lock(one).is_some() && document(&window).fixed(one).is_none());
    keys(&mut window, Modifiers::COMMAND, Key::Y);
    assert!(names(&window, "Remove the rule: Dispatch: ")[0].contains(" × "), "the rectangle is named");
    choose(&mut window, "Keep apart from", "Goods inward");
    assert!(shows(&window, "Remove the rule: Goods inward and Dispatch apart"));
    let rules = document(&window).instance.rules.clone();
    // Turning the bays or mirroring them moves it, which the checker tells.
    press(&mut window, "Turn the bays");
    assert!(shows(&window, "Dispatch is locked to") || shows(&window, "This layout breaks limits"));
    keys(&mut window, Modifiers::COMMAND, Key::Z);
    solve(&mut window);
    let run = document(&window).run(2).unwrap();
    assert_eq!(run.result.demands, Some(Encoded::of(&Demands::Facility { rules: rules.clone(), start: None })));
    assert_eq!(run.rules, rules);
    let plan = document(&window).plan().unwrap();
    assert!(
        plan.places.departments[one].deviation(&fixed.rectangle) < 1e-6 * 24.0,
        "{:?}",
        plan.places.departments[one]
    );
    assert_eq!(plan.layout.orientation, fixed.orientation);
    let apart = !plan.are_adjacent(one, department(&window, "Goods inward"));
    assert!(apart == (run.status == RunStatus::Valid), "{:?}", run.status);
    let report = run::replay(&document(&window).instance, &run.result, "cpu", 1, &Control::new(), &mut |_| {});
    assert!(report.unwrap().is_equal(), "and it runs again to the bit");
    // They are there again at the next start, and go when they are removed.
    drop(window);
    let mut again = file(home.path(), "sample:layout-workshop");
    assert_eq!(document(&again).instance.rules, rules);
    press(&mut again, "Remove the rule: Goods inward and Dispatch apart");
    assert!(!shows(&again, "Remove the rule: Goods inward and Dispatch apart"));
    keys(&mut again, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&again).instance.rules, rules);
}

#[test]
fn what_was_made_by_hand_is_kept_and_improved() {
    let home = tempfile::tempdir().unwrap();
    let mut window = searched(home.path());
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Packing"));
    drag(&mut window, saw.center(), paint.center());
    let (made, worse) = (layout(&window), cost(&window));
    press(&mut window, "Keep as a run");
    let run = document(&window).run(2).unwrap();
    assert_eq!((&*run.layout, document(&window).shown, document(&window).draft()), (&made, Shown::Run(2), None));
    assert!(run.path.as_ref().is_some_and(|path| path.is_file()) && shows(&window, "Run 2: made by hand"));
    press(&mut window, "Run");
    press(&mut window, "Improve from here");
    wait(&mut window, "the end", |window| !document(window).is_solving() && document(window).runs.len() == 3);
    let run = document(&window).run(3).unwrap();
    assert!(run.cost < worse, "{} after {worse}", run.cost);
    let Demands::Facility { start, .. } = run.result.demands.as_ref().unwrap().decode().unwrap();
    assert_eq!(start.as_ref(), Some(&made), "the result says with what it began");
    // What is being edited when the window is closed is still being edited when it is opened again.
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Drilling"));
    drag(&mut window, saw.center(), paint.center());
    let made = layout(&window);
    window.state_mut().close();
    drop(window);
    let again = file(home.path(), "sample:layout-workshop");
    assert_eq!((layout(&again), document(&again).shown, document(&again).runs.len()), (made, Shown::Draft, 3));
}

#[test]
fn two_layouts_are_seen_side_by_side_and_over_each_other() {
    let mut window = at_home(|home| searched(home.path()));
    show(&mut window, View::Compare);
    assert!(shows(&window, "There is nothing to compare with yet"));
    show(&mut window, View::Plan);
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Paint"));
    drag(&mut window, saw.center(), paint.center());
    show(&mut window, View::Compare);
    assert_eq!(document(&window).compared().map(|(name, _)| name), Some("Before the edits".to_owned()));
    assert!(shows(&window, "Departments elsewhere"));
    // The floor plan keeps its own look until somebody asks for the other layout there.
    show(&mut window, View::Plan);
    let outlined = |window: &Window| names(window, "Floor plan: 12 departments")[0].contains("with the outlines of");
    assert!(!outlined(&window));
    press(&mut window, "Overlay");
    assert!(outlined(&window));
    press(&mut window, "Overlay");
    show(&mut window, View::Compare);
    assert!(shows(&window, "worse +"), "{:?}", names(&window, ""));
    press(&mut window, "Keep as a run");
    choose(&mut window, "Compare with", "Run 1");
    assert_eq!(document(&window).ghost, Some(Shown::Run(1)));
    // A click on either selects the department that lies there, in both.
    press_like(&mut window, "Other layout: ");
    assert!(document(&window).selected.is_some());
    press(&mut window, "Back to the whole layout");
    show(&mut window, View::Plan);
    assert!(shows(&window, "Against run 1"), "the inspector says by how much");
    // The other one is deleted: nothing is left of it.
    press(&mut window, "More about run 1");
    press(&mut window, "Delete Delete");
    assert!(document(&window).ghost.is_none() && document(&window).runs.len() == 1);
    press(&mut window, "Undo");
    assert_eq!(document(&window).runs.len(), 2, "and it comes back");
}

#[test]
fn pairs_are_listed_by_cost_and_by_everything_else() {
    let mut window = at_home(|home| searched(home.path()));
    show(&mut window, View::Pairs);
    assert!(shows(&window, "19 pairs with flow cost"));
    let dearest = document(&window).plan().unwrap().pairs(&document(&window).instance)[0];
    let name = |window: &Window, at: usize| document(window).instance.departments[at].name.clone();
    let words = format!("{} and {}: flow", name(&window, dearest.from), name(&window, dearest.to));
    press_like(&mut window, &words);
    assert_eq!(document(&window).selected, Some(dearest.from));
    press(&mut window, "Sort by Flow");
    let first = names(&window, "").into_iter().find(|name| name.contains(": flow ") && name.contains(" of all"));
    assert!(first.unwrap().contains(": flow 25, "), "there and back");
    let own = format!("Only of {}", name(&window, dearest.from));
    press(&mut window, &own);
    assert!(!shows(&window, "19 pairs with flow cost"));
}

#[test]
fn a_layout_that_breaks_limits_is_shown_as_such() {
    let home = tempfile::tempdir().unwrap();
    // Two rooms of 10 × 1, or one above the other of 20 × 0.5: both are too long.
    let departments = "# plant: 20 x 1\ndepartment,area,aspect limit\nAlpha,10,2\nBeta,10,2\n";
    let source = tables(&home.path().join("long"), departments, "from,to,flow\nAlpha,Beta,3\n");
    let mut window = file(home.path(), &source);
    choose(&mut window, "Algorithm", "Island genetic");
    limit(&mut window, 0.2);
    solve(&mut window);
    let run = document(&window).run(1).unwrap();
    assert!(matches!(run.status, RunStatus::Incomplete(_)) && run.is_whole);
    assert!(shows(&window, "This layout breaks limits: Alpha, Beta"), "the departments are named");
    assert!(shows(&window, "No layout within all limits was found"));
    assert!(names(&window, "Alpha, area 10")[0].contains("not allowed: its sides are as 10 to 1, at most 2 to 1"));
    assert_eq!(window.state().view().unwrap().stamp().as_deref(), Some("Not feasible: 2 departments too narrow"));
    keys(&mut window, Modifiers::COMMAND, Key::E);
    press(&mut window, "SVG picture");
    let target = home.path().join("long.svg");
    enter(&mut window, "Path of the export", target.to_str().unwrap());
    press(&mut window, "Write file");
    wait(&mut window, "the file", |_| target.is_file());
    let svg = std::fs::read_to_string(&target).unwrap();
    assert!(svg.contains("Not feasible: 2 departments too narrow") && svg.contains("Alpha"), "{svg}");
    let store = Store::at(home.path());
    let (runs, problems) = store.runs(&document(&window).key(), &gridwright_facility::problem::Facility);
    assert_eq!((runs.len(), problems.len(), runs[0].result.verdict.feasible), (1, 0, false));
}

#[test]
fn a_layout_is_written_in_all_formats_but_never_over_its_own_data() {
    let home = tempfile::tempdir().unwrap();
    let source = support::small_plant(home.path());
    let departments = std::fs::read_to_string(&source).unwrap();
    let mut window = file(home.path(), &source);
    choose(&mut window, "Algorithm", "Memetic");
    limit(&mut window, 0.3);
    solve(&mut window);
    for format in gridwright_facility::export::FORMATS {
        keys(&mut window, Modifiers::COMMAND, Key::E);
        let target = home.path().join(format!("out.{}", format.ending));
        press(&mut window, format.name);
        enter(&mut window, "Path of the export", target.to_str().unwrap());
        press(&mut window, "Write file");
        wait(&mut window, "the file", |_| target.is_file());
        wait(&mut window, "the end of the dialog", |window| !shows(window, "Path of the export"));
    }
    let flows = home.path().join("small-plant/flows.csv");
    for own in [source.as_str(), flows.to_str().unwrap()] {
        keys(&mut window, Modifiers::COMMAND, Key::E);
        enter(&mut window, "Path of the export", own);
        press(&mut window, "Write file");
        assert!(shows(&window, "is one that the instance came from"), "{own}");
        keys(&mut window, Modifiers::NONE, Key::Escape);
    }
    assert_eq!(std::fs::read_to_string(&source).unwrap(), departments);
}

#[test]
fn layout_files_open_as_checked_runs_of_the_open_instance() {
    let home = tempfile::tempdir().unwrap();
    let mut window = searched(home.path());
    let (found, worth, status) = (layout(&window), cost(&window), document(&window).run(1).unwrap().status.clone());
    let instance = std::sync::Arc::clone(&document(&window).instance);
    for (number, ending) in [(2, "sol"), (3, "csv"), (4, "ron")] {
        let bytes = export::bytes(&instance, &found, ending, &export::ExportOptions::default()).unwrap();
        let path = home.path().join(format!("other.{ending}"));
        std::fs::write(&path, bytes).unwrap();
        open_path(&mut window, &path);
        wait(&mut window, "the layout", |window| document(window).runs.len() == number);
        let run = document(&window).run(number).unwrap();
        assert_eq!((&*run.layout, run.cost, &run.status), (&found, worth, &status), "{ending}");
        assert_eq!(document(&window).shown, Shown::Run(number));
        assert!(run.path.as_ref().is_some_and(|path| path.is_file()), "it is kept");
    }
    // One of other departments is refused by line, and nothing is listed.
    let foreign = home.path().join("foreign.sol");
    std::fs::write(&foreign, "vertical\nSaw, Lathe\n").unwrap();
    open_path(&mut window, &foreign);
    wait(&mut window, "the message", |window| shows(window, "«Lathe» is no department of layout-workshop"));
    assert_eq!(document(&window).runs.len(), 4);
    drop(window);
    // Without its instance the file says what to open.
    let elsewhere = tempfile::tempdir().unwrap();
    let services = || gridwright_window::services::Services { dialogs: false, ..Default::default() };
    for ending in ["sol", "csv", "ron"] {
        let source = home.path().join(format!("other.{ending}"));
        let window: Window = support::person::open(services(), elsewhere.path(), source.to_str());
        assert!(shows(&window, "and then this file"), "{ending}");
    }
}

/// Rectangles that are no bays are drawn, costed, compared and exported as they lie; edits of bays and locks say why not.
#[test]
fn a_layout_of_rectangles_is_shown_as_it_lies() {
    let home = tempfile::tempdir().unwrap();
    let departments = "# plant: 20 x 10\n# aspect limit: 4\ndepartment,area\nA,50\nB,50\nC,50\n";
    let source = tables(&home.path().join("hall"), departments, "from,to,flow\nA,B,10\nB,C,10\nC,A,10\n");
    let mut window = file(home.path(), &source);
    let today = home.path().join("today.csv");
    let text = "department,x,y,width,height\nA,0,0,5,10\nB,5,0,5,10\nC,15,0,5,10\n";
    std::fs::write(&today, text).unwrap();
    open_path(&mut window, &today);
    wait(&mut window, "the layout", |window| document(window).runs.len() == 1);
    settle(&mut window);
    // Centres at x 2.5, 7.5 and 17.5: 5, 10 and 15 times 10.
    let verified = check(&document(&window).instance, &layout(&window));
    assert_eq!((cost(&window), verified.cost, verified.feasible), (300.0, 300.0, true));
    assert!(layout(&window).is_free() && layout(&window).rectangles[2].rectangle.x == 15.0);
    let label = names(&window, "C, area").remove(0);
    assert!(label.starts_with("C, area 50, 5 × 10") && !label.contains("bay"), "{label}");
    window.get_by_label(&label).click();
    settle(&mut window);
    for command in [(Modifiers::ALT, Key::ArrowLeft), (Modifiers::NONE, Key::P)] {
        keys(&mut window, command.0, command.1);
        settle(&mut window);
    }
    assert_eq!(document(&window).shown, Shown::Run(1), "nothing was edited");
    assert!(document(&window).instance.rules.is_empty());
    assert_eq!(document(&window).bays().unwrap_err(), gridwright_facility_views::WITHOUT_BAYS);
    // Its place in the building can be locked, and slicing trees keep it.
    keys(&mut window, Modifiers::SHIFT, Key::P);
    settle(&mut window);
    let locked = document(&window).instance.rules.placed.clone();
    assert_eq!((locked.len(), locked[0].rectangle.x), (1, 15.0));
    assert_eq!(document(&window).settings.algorithm.name(), "slicing");
    keys(&mut window, Modifiers::SHIFT, Key::P);
    settle(&mut window);
    assert!(document(&window).instance.rules.is_empty());
    show(&mut window, View::Bays);
    assert!(shows(&window, "This layout has no bays"));
    for ending in ["csv", "ron"] {
        let instance = std::sync::Arc::clone(&document(&window).instance);
        let bytes = export::bytes(&instance, &layout(&window), ending, &export::ExportOptions::default()).unwrap();
        let path = home.path().join(format!("again.{ending}"));
        std::fs::write(&path, bytes).unwrap();
        let runs = document(&window).runs.len();
        open_path(&mut window, &path);
        wait(&mut window, "the layout", |window| document(window).runs.len() == runs + 1);
        assert_eq!((layout(&window).is_free(), cost(&window)), (true, 300.0), "{ending}");
    }
    // A search of bays is compared with it, and trees go on from it.
    show(&mut window, View::Plan);
    choose(&mut window, "Algorithm", "Slicing trees");
    limit(&mut window, 0.3);
    solve(&mut window);
    let found = document(&window).run(4).unwrap();
    assert!(found.status == RunStatus::Valid && found.cost < 300.0, "{:?}", found.status);
    show(&mut window, View::Compare);
    assert!(shows(&window, "300 · rectangles"), "the layout of today stands beside it");
}

/// Flows through doors are counted as the checker counts them, and listed with the others.
#[test]
fn doors_are_ends_of_flows() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("hall");
    let departments = "# plant: 6 x 2\ndepartment,area\nA,4\nB,4\nC,4\n";
    let source = tables(&folder, departments, "from,to,flow\nA,C,1\n");
    std::fs::write(folder.join("doors.csv"), "door,x,y\nDock,6,1\n").unwrap();
    std::fs::write(folder.join("door-flows.csv"), "department,door,flow\nA,Dock,10\nB,Dock,4\n").unwrap();
    let mut window = file(home.path(), &source);
    assert!(shows(&window, "3 departments, 1 pair with flow, 2 flows to doors, 6 × 2"));
    solve(&mut window);
    let verified = check(&document(&window).instance, &layout(&window));
    assert_eq!((cost(&window), verified.cost), (26.0, 26.0));
    let label = names(&window, "A, area").remove(0);
    window.get_by_label(&label).click();
    settle(&mut window);
    assert!(shows(&window, "10 × 1 = 10"), "the panel of A lists its flow through the dock");
    show(&mut window, View::Pairs);
    settle(&mut window);
    let row = names(&window, "A and Dock: flow 10").remove(0);
    window.get_by_label(&row).click();
    settle(&mut window);
    assert_eq!(document(&window).selected, Some(0), "a door cannot be selected");
    show(&mut window, View::Flows);
    settle(&mut window);
    assert!(shows(&window, "By flow"));
    press(&mut window, "By flow");
    settle(&mut window);
}

#[test]
fn tables_without_a_plant_open_with_the_size_that_a_person_enters() {
    let home = tempfile::tempdir().unwrap();
    let departments = "department,area\nAlpha,60\nBeta,40\n";
    let source = tables(&home.path().join("hall"), departments, "from,to,flow\nAlpha,Beta,3\n");
    let services = gridwright_window::services::Services { dialogs: false, ..Default::default() };
    let mut window = support::person::open(services, home.path(), Some(&source));
    assert!(shows(&window, "departments.csv could not be opened") && window.state().layouts().is_none());
    assert!(shows(&window, "--plant 13x9") && shows(&window, "# plant: 20 x 30"), "both remedies are named");
    enter(&mut window, "Plant", "12.5 x 10");
    press(&mut window, "Open with this");
    wait(&mut window, "the instance", |window| window.state().layouts().is_some());
    assert_eq!((document(&window).instance.width, document(&window).instance.height), (12.5, 10.0));
    window.state_mut().close();
    drop(window);
    // The recent files know the size, too.
    let mut again: Window = support::person::open(Default::default(), home.path(), None);
    press_like(&mut again, "hall");
    wait(&mut again, "the instance", |window| window.state().layouts().is_some());
    assert_eq!(document(&again).instance.width, 12.5);
}

#[test]
fn files_with_mistakes_are_explained_and_results_bring_their_instance() {
    let home = tempfile::tempdir().unwrap();
    let departments = "# plant: 6 x 4\ndepartment,area\nAlpha,12\nBeta,wide\n";
    let source = tables(&home.path().join("wrong"), departments, "from,to,flow\nAlpha,Beta,3\n");
    let window = support::person::open(
        gridwright_window::services::Services { dialogs: false, ..Default::default() },
        home.path(),
        Some(&source),
    );
    assert!(shows(&window, "departments.csv could not be opened") && window.state().layouts().is_none());
    assert!(shows(&window, "4") && shows(&window, "wide"), "the line and what stands there are named");
    drop(window);
    let window = searched(home.path());
    let path = document(&window).runs[0].path.clone().unwrap();
    let found = layout(&window);
    drop(window);
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("mine.ron");
    std::fs::copy(&path, &copy).unwrap();
    let window = file(other.path(), copy.to_str().unwrap());
    assert_eq!((document(&window).runs.len(), layout(&window)), (1, found));
    drop(window);
    let altered = std::fs::read_to_string(&path).unwrap().replacen("\"Saw\"", "\"Chair\"", 1);
    std::fs::write(&copy, altered).unwrap();
    let window: Window = file(tempfile::tempdir().unwrap().path(), copy.to_str().unwrap());
    assert!(document(&window).plan().is_none() && shows(&window, "This result did not pass the check"));
}

#[test]
fn a_long_run_is_watched_paused_and_stopped() {
    let home = tempfile::tempdir().unwrap();
    let mut window = file(home.path(), "layout:F40");
    limit(&mut window, 600.0);
    press(&mut window, "Solve");
    wait(&mut window, "a first layout", |window| document(window).plan().is_some());
    let saw = names(&window, "Floor plan: 40 departments").len();
    assert_eq!((saw, document(&window).shown), (1, Shown::Live));
    let refused = document(&window).editable().unwrap_err();
    assert!(refused.contains("stop the run first"), "nothing is moved under the hand of a search");
    show(&mut window, View::Islands);
    wait(&mut window, "the islands", |window| shows(window, "Island 1, vertical bays: best "));
    press(&mut window, "Pause");
    wait(&mut window, "the pause", |window| shows(window, "Paused"));
    press(&mut window, "Resume");
    press(&mut window, "Stop");
    wait(&mut window, "the end", |window| !document(window).is_solving());
    settle(&mut window);
    assert!(shows(&window, "Islands: the best cost of 4 islands"), "they can still be looked at");
    let (runs, problems) =
        Store::at(home.path()).runs(&document(&window).key(), &gridwright_facility::problem::Facility);
    assert_eq!((runs.len(), problems.len()), (1, 0));
}

#[test]
fn a_project_reopens_with_its_rules_and_edits() {
    let home = tempfile::tempdir().unwrap();
    let mut window = searched(home.path());
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Drilling"));
    drag(&mut window, saw.center(), paint.center());
    press(&mut window, "Lock to bay");
    let (made, rules) = (layout(&window), document(&window).instance.rules.clone());
    assert_eq!(rules.locks.len(), 1, "what was moved is selected and locked");
    keys(&mut window, egui::Modifiers::COMMAND, egui::Key::S);
    assert!(shows(&window, "The rules, the layout that is being edited, all runs"));
    let path = home.path().join("joinery.gridwright");
    enter(&mut window, "Path of the project", path.to_str().unwrap());
    press(&mut window, "Save");
    wait(&mut window, "the project", |window| shows(window, "The project was saved"));
    window.state_mut().close();
    drop(window);
    // Another computer: nothing but the file.
    let other = tempfile::tempdir().unwrap();
    let copy = other.path().join("joinery.gridwright");
    std::fs::copy(&path, &copy).unwrap();
    let mut window = file(other.path(), copy.to_str().unwrap());
    assert_eq!((layout(&window), document(&window).shown), (made, Shown::Draft));
    assert_eq!((&document(&window).instance.rules, document(&window).runs.len()), (&rules, 1));
    press(&mut window, "Discard");
    settle(&mut window);
    window.state_mut().close();
    let kept = gridwright_core::project::Project::load(&copy).unwrap();
    assert_eq!((kept.draft, kept.runs.len()), (None, 1));
    drop(window);
    // Rules are kept before any run has minded them, and where nobody has named a file.
    let unnamed = tempfile::tempdir().unwrap();
    let mut window = searched(unnamed.path());
    let (saw, paint) = (place(&window, "Saw"), place(&window, "Drilling"));
    drag(&mut window, saw.center(), paint.center());
    press(&mut window, "Lock to bay");
    let rules = document(&window).instance.rules.clone();
    assert_eq!(rules.locks.len(), 1);
    window.state_mut().close();
    drop(window);
    let window = file(unnamed.path(), "sample:layout-workshop");
    assert_eq!(document(&window).instance.rules, rules);
}
