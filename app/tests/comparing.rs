//! The comparison view as a person uses it, driven by what it tells screen readers.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_timetabling::comparison::Comparison;
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period, Timetable};
use gridwright_timetabling_views::comparing;
use gridwright_window::theme;

struct View {
    instance: Instance,
    comparison: Comparison,
    clicked: Option<usize>,
}

/// As many exams as wanted, each sharing a student with the next.
fn view(exams: usize, before: impl Fn(usize) -> usize, after: impl Fn(usize) -> usize) -> View {
    let exam =
        |number: usize| Exam { code: format!("X{number}"), title: format!("Course {number}"), ..Exam::default() };
    let instance = Instance::build(InstanceParts {
        name: "chain".to_owned(),
        exams: (0..exams).map(exam).collect(),
        students: (1..exams as u16).map(|exam| vec![exam - 1, exam]).collect(),
        periods: vec![Period::default(); 20],
        ..InstanceParts::default()
    })
    .unwrap();
    let plan = |of: &dyn Fn(usize) -> usize| Timetable::of((0..exams).map(|exam| of(exam) as u16).collect());
    let comparison = Comparison::of(&instance, &plan(&before), &plan(&after)).unwrap();
    View { instance, comparison, clicked: None }
}

fn harness<'a>(view: View, width: f32) -> Harness<'a, View> {
    let builder = Harness::builder().with_size([width, 620.0]).with_max_steps(20);
    let mut harness = builder.with_context_setup(theme::install).build_ui_state(
        |ui, view: &mut View| {
            let clicked = comparing::show(ui, &view.comparison, &view.instance, ["Run 1", "Run 2"]);
            view.clicked = clicked.or(view.clicked);
        },
        view,
    );
    harness.run();
    harness
}

/// Four exams: A–B three apart instead of one (better), B–C one instead of seven (worse), C–D as before.
fn small() -> View {
    view(4, |exam| [0, 1, 8, 12][exam], |exam| [0, 3, 4, 8][exam])
}

fn type_filter(harness: &mut Harness<'_, View>, words: &str) {
    let field = harness.get_by_role_and_label(egui::Role::TextInput, "Filter by code or title");
    field.focus();
    field.type_text(words);
    harness.run();
}

#[test]
fn figures_stand_side_by_side_and_say_what_is_better() {
    let harness = harness(small(), 1000.0);
    // Before: 16 (A–B) + 0 + 2 (four apart) = 18 for 3 students; after: 4 + 16 + 2 = 22.
    harness.get_by_label("Cost per student: Run 1 6.0000, Run 2 7.3333, worse");
    harness.get_by_label("Students with a clash: Run 1 0, Run 2 0, as before");
    harness.get_by_label("Students with two exams in a row: Run 1 1, Run 2 1, as before");
    harness.get_by_label("1 better off");
    harness.get_by_label("1 worse off");
    harness.get_by_label("Change of students' cost: −15 to −8: 1, +16 to +31: 1");
}

#[test]
fn moved_exams_are_filtered_and_clicked() {
    let mut harness = harness(small(), 1000.0);
    harness.get_by_label("Exam X1 moved from Period 2 to Period 4");
    harness.get_by_label("Exam X2 moved from Period 9 to Period 5");
    assert!(harness.query_by_label_contains("Exam X0 moved").is_none(), "it did not move");
    type_filter(&mut harness, "COURSE 2");
    assert!(harness.query_by_label_contains("Exam X1 moved").is_none());
    harness.get_by_label("Exam X2 moved from Period 9 to Period 5").click();
    harness.run();
    assert_eq!(harness.state().clicked, Some(2));
    type_filter(&mut harness, "?");
    harness.get_by_label("No moved exam fits the filter");
}

#[test]
fn losers_and_gainers_have_a_list_each() {
    let mut harness = harness(small(), 1000.0);
    harness.get_by_label("Worse off 1").click();
    harness.run();
    harness.get_by_label("Student 2: own cost 0 before, 16 now");
    assert!(harness.query_by_label_contains("Student 1:").is_none());
    harness.get_by_label("Better off 1").click();
    harness.run();
    harness.get_by_label("Student 1: own cost 16 before, 4 now");
}

#[test]
fn a_clash_is_said_though_the_cost_falls() {
    let mut harness = harness(view(2, |exam| exam, |_| 0), 1000.0);
    harness.get_by_label("Students with a clash: Run 1 0, Run 2 1, worse");
    harness.get_by_label("Worse off 1").click();
    harness.run();
    harness.get_by_label("Student 1: own cost 16 before, 0 now has a clash");
    harness.get_by_label("Better off 0").click();
    harness.run();
    harness.get_by_label("No student");
}

#[test]
fn no_difference_is_said() {
    let harness = harness(view(4, |exam| exam, |exam| exam), 1000.0);
    harness.get_by_label("No difference");
    harness.get_by_label("Run 1 and Run 2 give every exam the same period and the same rooms.");
}

#[test]
fn only_visible_rows_of_thousands_are_built_and_narrow_windows_have_everything_too() {
    let many = || view(2400, |exam| exam * 3 % 20, |exam| exam * 7 % 20);
    for width in [1200.0, 480.0] {
        let harness = harness(many(), width);
        let rows = harness.query_all_by_label_contains(" moved from ").count();
        // In a narrow window the list lies partly below the edge, to be scrolled to.
        let least = if width > 700.0 { 12 } else { 1 };
        assert!((least..80).contains(&rows), "{rows} rows at width {width}");
        harness.get_by_label_contains("Cost per student: Run 1 ");
        harness.get_by_label_contains("Change of students' cost: ");
        let tabs = harness.get_all_by_label_contains("Moved exams ").count();
        assert_eq!(tabs, 1);
        assert!(
            harness
                .get_by_role_and_label(egui::Role::TextInput, "Filter by code or title")
                .accesskit_node()
                .supports_text_ranges()
        );
    }
}
