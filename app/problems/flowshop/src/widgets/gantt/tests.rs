use egui::{Rect, pos2, vec2};
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop::{Instance, Schedule};

use super::*;
use gridwright_window::widgets::viewport::Span;

/// Job 1 takes 3 then 2, job 2 takes 1 then 4, due at 4 and 8: in order 1, 2 machine 1 until 3 and 4, machine 2 until 5
/// and 9.
fn example() -> (Instance, Schedule) {
    let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
    (instance.jobs[0].due, instance.jobs[1].due) = (Some(6), Some(8));
    let schedule = Schedule::new(&instance, &[0, 1]);
    (instance, schedule)
}

fn frame(rows: usize, ghost: bool) -> Frame {
    let area = Rect::from_min_size(pos2(100.0, 40.0), vec2(900.0, 40.0));
    let full = Rect::from_min_max(pos2(0.0, 0.0), pos2(1000.0, 120.0));
    let foot = area.with_min_y(area.bottom());
    let rows = Span { start: 40.0, length: 40.0, item: 20.0, offset: 0.0, count: rows };
    Frame { full, area, foot, time: 0.0..9.0, end: 9.0, rows, ghost, pixels: 1.0 }
}

#[test]
fn every_bar_is_hit_where_it_is_painted() {
    let (instance, schedule) = example();
    for rows in [GanttRows::Machines, GanttRows::Jobs] {
        let layout = GanttLayout::new(&instance, &schedule, rows);
        let facts = Facts::of(&layout);
        let chart = Chart::new(layout, &facts);
        let frame = frame(2, false);
        for row in 0..2 {
            for at in 0..2 {
                let bar = frame.bar(row, layout.start(row, at), layout.end(row, at));
                assert_eq!(frame.hit(&chart, bar.center()), chart.operation(row, at), "{rows:?} {row} {at}");
            }
        }
        assert_eq!(frame.hit(&chart, pos2(50.0, 50.0)), None, "names are no bars");
    }
}

#[test]
fn words_fill_in_the_recurrence() {
    let (instance, schedule) = example();
    let layout = GanttLayout::new(&instance, &schedule, GanttRows::Machines);
    let facts = Facts::of(&layout);
    let chart = Chart::new(layout, &facts);
    let words = |job, machine| words::in_words(&chart, Operation { job, machine });
    assert_eq!(
        words(1, 1),
        "J2 on M2, 5 to 9, takes 4, position 2 of 2, due at 8, late by 1, on the critical path, ends at max(4, 5) + 4 = \
         9. M2 is busy with J1 until 5; J2 waits 1."
    );
    assert!(words(0, 1).ends_with("ends at max(3, 0) + 2 = 5. J1 comes from M1 at 3; M2 has nothing before it."));
    assert!(words(1, 0).ends_with("M1 is busy with J1 until 3."));
    assert!(!words(1, 0).contains("critical"), "J2 on M1 may start later");
    assert!(words(0, 0).ends_with("it waits for nothing."));
    assert_eq!(words::summary(&chart), "Gantt chart by machine: 2 jobs on 2 machines, makespan 9");
}

#[test]
fn a_job_that_is_not_placed_has_no_position() {
    let (instance, _) = example();
    let schedule = Schedule::new(&instance, &[1]);
    let layout = GanttLayout::new(&instance, &schedule, GanttRows::Jobs);
    let facts = Facts::of(&layout);
    assert_eq!((facts.position(0), facts.position(1), facts.position(7)), (None, Some(0), None));
    let chart = Chart::new(layout, &facts);
    assert_eq!(describe(&chart, Operation { job: 0, machine: 0 }), "J1, not placed");
    assert_eq!((chart.operation(0, 1), chart.operation(1, 0)), (Some(Operation { job: 1, machine: 1 }), None));
}

#[test]
fn bars_and_ghosts_share_a_row() {
    let plain = frame(2, false);
    assert_eq!(plain.bar(0, 0, 3), Rect::from_min_max(pos2(100.0, 42.0), pos2(400.0, 58.0)));
    let shared = frame(2, true);
    let (bar, ghost) = (shared.bar(0, 0, 3), shared.ghost_bar(0, 0, 3));
    assert!(bar.bottom() < ghost.top() && ghost.bottom() <= 58.0, "{bar:?} {ghost:?}");
}
