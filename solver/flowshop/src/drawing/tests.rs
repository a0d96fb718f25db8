use super::*;
use crate::library;
use gridwright_core::scene::{Shape, png, svg::to_svg};
use gridwright_core::testing::{assert_inside, texts};

fn in_order(instance: &Instance) -> Schedule {
    Schedule::new(instance, &(0..instance.job_count() as u16).collect::<Vec<u16>>())
}

fn by(rows: GanttRows) -> GanttOptions {
    GanttOptions { rows, ..GanttOptions::default() }
}

/// (title, x, y, width, fill) of the rectangles with a tooltip.
fn titled<'s>(scene: &'s Scene, part: &'s str) -> Vec<(&'s str, f32, f32, f32, Colour)> {
    let of = |shape: &'s Shape| match shape {
        Shape::Rectangle { title, x, y, width, fill, .. } if title.contains(part) => {
            Some((title.as_str(), *x, *y, *width, *fill))
        }
        _ => None,
    };
    scene.shapes.iter().filter_map(of).collect()
}

/// Job 1 takes 3 then 2 and is due at 4, job 2 takes 1 then 4 and is due at 20; in this order machine 1 until 3 and 4,
/// machine 2 until 5 and 9: job 1 is 1 late, machines are busy for 4 and 6 of 9.
fn example() -> (Instance, Schedule) {
    let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
    (instance.jobs[0].due, instance.jobs[1].due) = (Some(4), Some(10));
    let schedule = in_order(&instance);
    (instance, schedule)
}

#[test]
fn bars_are_to_scale_and_the_figures_stand_above() {
    let (instance, schedule) = example();
    let scene = gantt(&instance, &schedule, &GanttOptions::default());
    let bars = titled(&scene, " on M");
    let names: Vec<&str> = bars.iter().map(|bar| bar.0).collect();
    assert_eq!(names, ["J1 on M1: 0 to 3 (3)", "J2 on M1: 3 to 4 (1)", "J1 on M2: 3 to 5 (2)", "J2 on M2: 5 to 9 (4)"]);
    let unit = (bars[3].1 - bars[0].1) / 5.0;
    for (bar, (start, takes)) in bars.iter().zip([(0.0, 3.0), (3.0, 1.0), (3.0, 2.0), (5.0, 4.0)]) {
        assert!((bar.1 - bars[0].1 - start * unit).abs() < 0.01, "{bar:?}");
        assert!((bar.3 - takes * unit).abs() < 1.0, "{bar:?}");
    }
    assert!(bars[0].2 < bars[2].2 && (bars[0].2 - bars[1].2).abs() < 1e-3, "two rows");
    assert_eq!((bars[0].4, bars[1].4), (bars[2].4, bars[3].4), "a job has one colour");
    assert_ne!(bars[0].4, bars[1].4);
    let texts = texts(&scene);
    // 4 of 9 and 6 of 9 are busy. Lower bound: min(3, 1) + (2 + 4) = 7, 9 is 28.6 % above; flow time 5 + 9, at least 12.
    let expected = [
        "example", "Makespan", "9", "lower bound 7 · gap 28.6 %", "14", "lower bound 12 · gap 16.7 %", "Tardy jobs",
        "of 2", "44 %", "67 %", "J1 +1", "J2", "due", "time units", "critical path, a block on each machine", "M1",
        "M2",
    ];
    for text in expected {
        assert!(texts.contains(&text), "{text} is missing in {texts:?}");
    }
    assert_inside(&scene);
}

#[test]
fn the_critical_path_is_outlined_block_by_block_and_joined() {
    let (instance, schedule) = example();
    let lines = |critical_path, rows| {
        let scene = gantt(&instance, &schedule, &GanttOptions { critical_path, ..by(rows) });
        let ink = |shape: &&Shape| matches!(shape, Shape::Line { points, colour, .. } if points.len() == 6 && *colour == Palette::LIGHT.ink);
        (scene.shapes.iter().filter(ink).count(), texts(&scene).iter().any(|text| text.starts_with("critical path")))
    };
    assert_eq!(lines(true, GanttRows::Machines), (2, true), "J1 on M1; J1 and J2 on M2");
    assert_eq!(lines(true, GanttRows::Jobs), (2, true), "J1 on M1 and M2; J2 on M2");
    assert_eq!(lines(false, GanttRows::Machines), (0, false));
}

#[test]
fn late_jobs_are_marked_where_there_are_due_dates() {
    let (mut instance, schedule) = example();
    let alarms = |instance: &Instance, options: &GanttOptions| {
        let scene = gantt(instance, &schedule, options);
        let red = |shape: &&Shape| matches!(shape, Shape::Rectangle { fill, .. } if *fill == Palette::LIGHT.alarm);
        scene.shapes.iter().filter(red).count()
    };
    // The line, the flag and the key of the legend.
    assert_eq!((alarms(&instance, &by(GanttRows::Machines)), alarms(&instance, &by(GanttRows::Jobs))), (3, 3));
    let scene = gantt(&instance, &schedule, &by(GanttRows::Jobs));
    assert!(texts(&scene).contains(&"+1") && titled(&scene, "J1: due at 4, done at 5, late by 1").len() == 1);
    assert_eq!(titled(&scene, "J2: due at 10, done at 9").len(), 1);
    assert_eq!(alarms(&instance, &GanttOptions { due_dates: false, ..GanttOptions::default() }), 0);
    instance.jobs.iter_mut().for_each(|job| job.due = None);
    assert_eq!((alarms(&instance, &by(GanttRows::Machines)), alarms(&instance, &by(GanttRows::Jobs))), (0, 0));
    let scene = gantt(&instance, &schedule, &by(GanttRows::Jobs));
    assert!(!texts(&scene).contains(&"late by") && texts(&scene).contains(&"done"));
}

#[test]
fn whatever_there_is_can_be_drawn() {
    let name = "An instance with a name that is longer than anybody would call anything, and then some ".repeat(3);
    let mut cases = vec![
        Instance::of_times("one", 1, vec![7]).unwrap(),
        Instance::of_times("nothing", 3, vec![0; 12]).unwrap(),
        Instance::of_times("often nothing", 2, vec![0, 5, 3, 0, 0, 0, 9, 9]).unwrap(),
        Instance::of_times(&name, 2, vec![700_000_000, 1, 0, 700_000_000, 3, 40_000_000]).unwrap(),
        Instance::of_times("many machines", 300, vec![2; 900]).unwrap(),
    ];
    cases[3].jobs[1].name = "Wardrobe with mirrors <&> and seven drawers ".repeat(4);
    cases[3].machines[0] = "Computer-controlled milling machine, hall 3 ".repeat(4);
    cases.push(library::sample("workshop").unwrap());
    cases.push(library::taillard("ta011").unwrap());
    let mut released = cases[2].clone();
    released.jobs.iter_mut().for_each(|job| (job.release, job.due) = (1_000, Some(4_000_000_000)));
    cases.push(released);
    for instance in &cases {
        let order: Vec<u16> = (0..instance.job_count() as u16).collect();
        for placed in [order.len(), order.len() / 2, 0] {
            let schedule = Schedule::new(instance, &order[..placed]);
            for rows in [GanttRows::Machines, GanttRows::Jobs] {
                for page in [None, Some((841.89, 585.0))] {
                    let scene = gantt(instance, &schedule, &GanttOptions { page, dark: placed > 0, ..by(rows) });
                    assert!(page.is_none_or(|page| page == (scene.width, scene.height)));
                    assert_inside(&scene);
                    assert!(titled(&scene, " to ").len() <= placed * instance.machine_count());
                    let text = to_svg(&scene);
                    resvg::usvg::roxmltree::Document::parse(&text).unwrap();
                    assert_eq!(
                        text,
                        to_svg(&gantt(instance, &schedule, &GanttOptions { page, dark: placed > 0, ..by(rows) }))
                    );
                }
            }
        }
    }
}

#[test]
fn only_a_computed_bound_makes_a_plan_optimal() {
    let (mut instance, schedule) = example();
    let notes = |instance: &Instance, schedule: &Schedule| {
        let scene = gantt(instance, schedule, &GanttOptions::default());
        texts(&scene)
            .into_iter()
            .filter(|text| text.contains("bound") || text.contains("optimal"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (flow_time, optimal) = ("lower bound 12 · gap 16.7 %", "equals the lower bound: optimal");
    instance.best_known.of_file = true;
    for (stated, note) in [(9, "lower bound stated as 9 · gap 0.0 %"), (10, "lower bound stated as 10, which is false")]
    {
        instance.best_known.makespan_lower = Some(stated);
        assert_eq!(notes(&instance, &schedule), [note, flow_time]);
    }
    // The other order is done at 7 with a flow time of 12; nothing is late with the due dates here.
    (instance.jobs[0].due, instance.jobs[1].due) = (Some(7), Some(5));
    let best = Schedule::new(&instance, &[1, 0]);
    assert_eq!(notes(&instance, &best), [optimal, optimal, "optimal"]);
}

#[test]
fn parts_show_what_lies_in_them() {
    let instance = library::taillard("ta051").unwrap();
    let schedule = in_order(&instance);
    let view = GanttSection { time: 1_000.0..1_500.0, rows: 4..9 };
    let scene = gantt(
        &instance,
        &schedule,
        &GanttOptions { view: Some(view.clone()), page: Some((842.0, 585.0)), ..GanttOptions::default() },
    );
    assert_inside(&scene);
    let layout = GanttLayout::new(&instance, &schedule, GanttRows::Machines);
    assert_eq!(titled(&scene, " on M").len(), layout.visible(&view, 0.0).count());
    assert!(texts(&scene).contains(&"Machines 5 to 9 · time 1\u{2009}000 to 1\u{2009}500"));
    assert!(texts(&scene).contains(&"M5") && !texts(&scene).contains(&"M4") && !texts(&scene).contains(&"Makespan"));
    // What lies behind the last row or before the first time is no reason to panic.
    for view in [GanttSection { time: -50.0..-10.0, rows: 90..95 }, GanttSection { time: 5.0..5.0, rows: 9..9 }] {
        gantt(&instance, &schedule, &GanttOptions { view: Some(view), ..GanttOptions::default() });
    }
}

#[test]
fn ten_thousand_bars_stay_a_picture() {
    let instance = library::taillard("ta120").unwrap();
    let schedule = in_order(&instance);
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let scene = gantt(&instance, &schedule, &by(rows));
        assert_inside(&scene);
        assert!(scene.shapes.len() < 16_000, "{}", scene.shapes.len());
        assert!(to_svg(&scene).len() < 2_500_000, "{}", to_svg(&scene).len());
        assert!(png::largest_scale(&scene, 2.0) > 1.9);
    }
    // Of 65,535 jobs bars are drawn together, and rows are left out.
    let huge = Instance::of_times("huge", 2, vec![1; 2 * 65_535]).unwrap();
    let schedule = in_order(&huge);
    let scene = gantt(&huge, &schedule, &by(GanttRows::Machines));
    assert!(scene.shapes.len() < 16_000, "{}", scene.shapes.len());
    assert!(!titled(&scene, " operations: ").is_empty());
    let scene = gantt(&huge, &schedule, &by(GanttRows::Jobs));
    assert!(texts(&scene).iter().any(|text| text.contains("the first 2\u{2009}000 rows are shown")));
    assert!(scene.height < 20_000.0, "{}", scene.height);
}
