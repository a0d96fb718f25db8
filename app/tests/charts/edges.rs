//! Nothing to show, hardly any room: no panic, and nothing asks for frames for ever.

use egui::{Ui, vec2};
use egui_kittest::kittest::Queryable;
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop::{Instance, Schedule};
use gridwright_flowshop_views::widgets::gantt::Selection;

use super::hands::Hands;
use super::support::{Efficiency, Gantt, Order, Solutions, canvas, workshop};

const SIZES: [(f32, f32); 5] = [(17.0, 17.0), (40.0, 900.0), (900.0, 40.0), (180.0, 120.0), (260.0, 90.0)];

fn everywhere<S: 'static>(state: impl Fn() -> S, ui: fn(&mut S, &mut Ui)) {
    for (width, height) in SIZES {
        let mut canvas = canvas(vec2(width, height), false, state(), ui);
        canvas.hover_at(egui::pos2(width / 2.0, height / 2.0));
        canvas.run();
        canvas.drag_at(egui::pos2(width / 2.0, height / 2.0));
        canvas.run();
        canvas.hover_at(egui::pos2(width / 2.0 + 30.0, height / 2.0 + 30.0));
        canvas.run();
        canvas.drop_at(egui::pos2(width / 2.0 + 30.0, height / 2.0 + 30.0));
        canvas.run();
    }
}

#[test]
fn charts_survive_the_smallest_windows() {
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        everywhere(|| Gantt::new(workshop(), rows), Gantt::ui);
    }
    everywhere(|| Order::new(workshop()), Order::ui);
    everywhere(|| Solutions::invented(50), Solutions::ui);
    everywhere(|| Efficiency::new(false), Efficiency::ui);
}

#[test]
fn schedules_without_jobs_or_without_time_are_shown() {
    let (instance, _) = workshop();
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let mut none = Gantt::new((instance.clone(), Schedule::new(&instance, &[])), rows);
        // Selected before, no longer placed.
        none.selected = Some(Selection { job: 3, machine: Some(1) });
        let none = canvas(vec2(500.0, 300.0), false, none, Gantt::ui);
        let by = if rows == GanttRows::Machines { "machine" } else { "job" };
        none.get_by_label(&format!("Gantt chart by {by}: 0 jobs on 4 machines, makespan 0"));
        let still = Instance::of_times("still", 3, vec![0; 12]).unwrap();
        let schedule = Schedule::new(&still, &[0, 1, 2, 3]);
        let mut still = canvas(vec2(500.0, 300.0), false, Gantt::new((still, schedule), rows), Gantt::ui);
        still.focus("Gantt chart");
        for key in [egui::Key::ArrowRight, egui::Key::F, egui::Key::Plus, egui::Key::Minus, egui::Key::Num0] {
            still.press(key);
        }
        assert!(still.state().view.is_fitted());
    }
}

#[test]
fn a_part_of_the_jobs_is_shown_beside_all_of_them() {
    let (instance, schedule) = workshop();
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let part = Schedule::new(&instance, &schedule.order[2..5]);
        for (shown, other) in [(&part, &schedule), (&schedule, &part)] {
            let chart = Gantt::new((instance.clone(), shown.clone()), rows).compared(other.clone());
            let chart = canvas(vec2(700.0, 300.0), false, chart, Gantt::ui);
            chart.get_by_label_contains(", compared with Run 2");
        }
    }
}
