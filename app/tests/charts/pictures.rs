//! Charts as pictures, compared with the stored ones.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_facility_views::islands::show_history;
use gridwright_facility_views::widgets::floorplan;
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop_views::widgets::curves::Dot;
use gridwright_flowshop_views::widgets::gantt::Selection;

use super::hands::Hands;
use super::picture::Pictures;
use super::support::{
    Efficiency, Floor, Gantt, Order, Solutions, canvas, constructed, invented_islands, taillard, workshop,
};

/// Compares a whole canvas with the stored picture of this name.
pub fn take<S>(pictures: &mut Pictures, harness: &mut Harness<'_, S>, name: &str, dark: bool) {
    let theme = if dark { "dark" } else { "light" };
    pictures.take(harness, None, &format!("{name}-{theme}"));
}

#[test]
fn gantt_charts() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut shop = canvas(vec2(900.0, 330.0), dark, Gantt::new(workshop(), GanttRows::Machines), Gantt::ui);
        take(&mut pictures, &mut shop, "gantt-workshop", dark);
        shop.state_mut().selected = Some(Selection { job: 2, machine: Some(2) });
        let bar = shop.get_by_label_contains("Chair on Drill").rect().center();
        shop.hover_at(bar);
        shop.run_steps(40);
        take(&mut pictures, &mut shop, "gantt-selected", dark);

        let (instance, schedule) = workshop();
        let other = constructed(&instance);
        let compared = Gantt::new((instance, schedule), GanttRows::Machines).compared(other);
        let mut shop = canvas(vec2(900.0, 330.0), dark, compared, Gantt::ui);
        take(&mut pictures, &mut shop, "gantt-compared", dark);

        let mut shop = canvas(vec2(900.0, 420.0), dark, Gantt::new(workshop(), GanttRows::Jobs), Gantt::ui);
        take(&mut pictures, &mut shop, "gantt-jobs", dark);

        let mut large =
            canvas(vec2(1100.0, 560.0), dark, Gantt::new(taillard("ta051"), GanttRows::Machines), Gantt::ui);
        take(&mut pictures, &mut large, "gantt-ta051", dark);
        large.get_by_label_contains("Gantt chart").focus();
        large.state_mut().selected = Some(Selection { job: 20, machine: Some(9) });
        large.run();
        large.press(Key::F);
        take(&mut pictures, &mut large, "gantt-ta051-zoomed", dark);
        let mut huge = canvas(vec2(1100.0, 560.0), dark, Gantt::new(taillard("ta111"), GanttRows::Machines), Gantt::ui);
        huge.state_mut().selected = Some(Selection { job: 200, machine: None });
        take(&mut pictures, &mut huge, "gantt-ta111", dark);
        let mut huge = canvas(vec2(1100.0, 560.0), dark, Gantt::new(taillard("ta111"), GanttRows::Jobs), Gantt::ui);
        huge.get_by_label_contains("Gantt chart").focus();
        huge.state_mut().selected = Some(Selection { job: 200, machine: Some(7) });
        huge.run();
        huge.press(Key::F);
        take(&mut pictures, &mut huge, "gantt-ta111-job", dark);
    }
}

#[test]
fn floor_plans() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut few = canvas(vec2(860.0, 620.0), dark, Floor::workshop(true), Floor::ui);
        take(&mut pictures, &mut few, "floor-workshop", dark);
        few.state_mut().selected = Some(7);
        let [from, to] = ["Turning, area", "Packing, area"].map(|name| few.get_by_label_contains(name).rect());
        few.drag_at(from.center());
        few.run_steps(2);
        few.hover_at(to.center_top() + vec2(10.0, 6.0));
        take(&mut pictures, &mut few, "floor-carried", dark);
        let mut rows = canvas(vec2(860.0, 620.0), dark, Floor::workshop(false), Floor::ui);
        rows.state_mut().ghost = Some(Floor::workshop(true).picture);
        take(&mut pictures, &mut rows, "floor-rows", dark);
        let mut many = canvas(vec2(860.0, 620.0), dark, Floor::invented(120, true, 1.0), Floor::ui);
        let threshold = floorplan::strongest(&many.state().picture.links, 80);
        many.state_mut().threshold = threshold;
        take(&mut pictures, &mut many, "floor-120", dark);
        many.state_mut().selected = Some(60);
        many.state_mut().view.fit_selection();
        take(&mut pictures, &mut many, "floor-120-zoomed", dark);
    }
}

#[test]
fn islands() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut eight = canvas(vec2(900.0, 360.0), dark, invented_islands(8, 300), |history, ui| {
            show_history(ui, history, false);
        });
        take(&mut pictures, &mut eight, "islands-8", dark);
        let mut many = canvas(vec2(900.0, 420.0), dark, invented_islands(64, 900), |history, ui| {
            show_history(ui, history, false);
        });
        take(&mut pictures, &mut many, "islands-64", dark);
    }
}

#[test]
fn sequences() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut shop = canvas(vec2(620.0, 130.0), dark, Order::new(workshop()), Order::ui);
        shop.state_mut().selected = Some(4);
        let [from, to] = ["Chair, ", "Toy box, "].map(|name| shop.get_by_label_contains(name).rect());
        shop.drag_at(from.center());
        shop.run_steps(2);
        shop.hover_at(to.left_center());
        take(&mut pictures, &mut shop, "sequence-carried", dark);
        let mut large = canvas(vec2(900.0, 220.0), dark, Order::new(taillard("ta111")), Order::ui);
        large.state_mut().selected = Some(12);
        take(&mut pictures, &mut large, "sequence-ta111", dark);
    }
}

#[test]
fn scatters() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut few = canvas(vec2(640.0, 480.0), dark, Solutions::invented(120), Solutions::ui);
        few.state_mut().selected = Some(21);
        few.state_mut().most = 4_400.0;
        few.run();
        let at = few.get_by_label_contains("Solution 35:").rect().center();
        few.hover_at(at);
        few.run_steps(40);
        take(&mut pictures, &mut few, "scatter-few", dark);
        let mut many = canvas(vec2(640.0, 480.0), dark, Solutions::invented(4_000), Solutions::ui);
        take(&mut pictures, &mut many, "scatter-many", dark);
        let mut none = canvas(vec2(640.0, 300.0), dark, Solutions::new(Vec::new()), Solutions::ui);
        take(&mut pictures, &mut none, "scatter-none", dark);
    }
}

#[test]
fn efficiency() {
    let mut pictures = Pictures::default();
    for dark in [false, true] {
        let mut picture = canvas(vec2(620.0, 400.0), dark, Efficiency::new(true), Efficiency::ui);
        picture.state_mut().selected = Some(Dot { subject: 1, index: 4 });
        take(&mut pictures, &mut picture, "curves-logarithmic", dark);
    }
    let mut picture = canvas(vec2(620.0, 300.0), false, Efficiency::new(false), Efficiency::ui);
    take(&mut pictures, &mut picture, "curves-linear", false);
}
