use chrono::{Days, NaiveDate};

use super::columns::draw_columns;
use super::grid::draw_grid;
use super::*;
use crate::{Exam, InstanceParts, Period, UNPLACED};
use gridwright_core::scene::{Shape, png, svg::to_svg};
use gridwright_core::testing::texts;

/// Instance of `exams` exams in which each student sits two adjacent ones.
fn instance(exams: usize, periods: usize, dated: bool) -> Instance {
    let first = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
    let date = |period: usize| first.checked_add_days(Days::new(period as u64 / 2)).filter(|_| dated);
    Instance::build(InstanceParts {
        name: "drawn".to_owned(),
        exams: (0..exams)
            .map(|exam| Exam { code: format!("E{exam:03}"), title: format!("Title {exam}"), ..Exam::default() })
            .collect(),
        students: (0..3 * exams)
            .map(|student| vec![(student % exams) as u16, ((student + 1) % exams) as u16])
            .collect(),
        periods: (0..periods).map(|period| Period { date: date(period), ..Period::default() }).collect(),
        ..InstanceParts::default()
    })
    .unwrap()
}

fn spread(exams: usize, periods: usize) -> Timetable {
    Timetable::of((0..exams).map(|exam| (exam % periods) as u16).collect())
}

/// Asserts that every shape lies within the picture.
fn assert_inside(scene: &Scene) {
    for shape in &scene.shapes {
        let (left, top, right, bottom) = match shape {
            Shape::Rectangle { x, y, width, height, .. } | Shape::Picture { x, y, width, height, .. } => {
                (*x, *y, x + width, y + height)
            }
            Shape::Line { points, .. } => {
                let (x, y) = points[0];
                (x, y, x, y)
            }
            Shape::Text { x, y, .. } => (*x, *y, *x, *y),
        };
        let inside = left >= -0.5 && top >= -0.5 && right <= scene.width + 0.5 && bottom <= scene.height + 0.5;
        assert!(inside && left.is_finite() && bottom.is_finite(), "{shape:?} of {} × {}", scene.width, scene.height);
    }
}

#[test]
fn the_scale_runs_evenly_from_one_end_to_the_other() {
    let luminance =
        |colour: Colour| 0.3 * f32::from(colour.red) + 0.59 * f32::from(colour.green) + 0.11 * f32::from(colour.blue);
    for dark in [false, true] {
        let steps: Vec<f32> = (0..=50).map(|step| luminance(cost_colour(step as f32 / 50.0, dark))).collect();
        for pair in steps.windows(2) {
            assert!(if dark { pair[1] > pair[0] } else { pair[1] < pair[0] }, "{pair:?}");
        }
        assert_eq!(cost_colour(-1.0, dark), cost_colour(0.0, dark));
        assert_eq!(cost_colour(7.0, dark), cost_colour(1.0, dark));
        assert_eq!(cost_colour(f32::NAN, dark), cost_colour(0.0, dark));
    }
    assert_eq!((cost_share(0, 0), cost_share(4, 4), cost_share(1, 4)), (0.0, 1.0, 0.5));
}

#[test]
fn exams_are_sorted_as_asked() {
    let parts = InstanceParts {
        exams: ["c", "a", "b"].map(|code| Exam { code: code.to_owned(), ..Exam::default() }).to_vec(),
        // Degrees 1, 2, 1; enrolments 3, 2, 1.
        students: vec![vec![0], vec![0], vec![0, 1], vec![1, 2]],
        periods: vec![Period::default(); 3],
        ..InstanceParts::default()
    };
    let instance = Instance::build(parts).unwrap();
    let timetable = Timetable::of(vec![UNPLACED, 2, 0]);
    let sorted = |sort| sorted_exams(&instance, &timetable, sort);
    assert_eq!(sorted(Sort::Degree), [1, 0, 2]);
    assert_eq!(sorted(Sort::Size), [0, 1, 2]);
    assert_eq!(sorted(Sort::Name), [1, 2, 0]);
    assert_eq!(sorted(Sort::Period), [2, 1, 0]);
}

/// The topmost exam at a point in scene coordinates; `None` if there is none.
fn exam_at(drawing: &Drawing, x: f32, y: f32) -> Option<usize> {
    drawing.exams.iter().rev().find(|(_, area)| area.contains(x, y)).map(|&(exam, _)| exam)
}

#[test]
fn every_exam_has_its_place_in_both_pictures() {
    for (exams, periods) in [(1, 1), (3, 2), (40, 9), (170, 20), (700, 42), (300, 255)] {
        for dated in [false, true] {
            let (instance, mut timetable) = (instance(exams, periods, dated), spread(exams, periods));
            if exams > 10 {
                timetable.periods[5] = UNPLACED;
            }
            let grid = draw_grid(&instance, &timetable, &GridOptions::default());
            let free = draw_columns(&instance, &timetable, &ColumnsOptions::default());
            let page = ColumnsOptions { dark: true, page: Some((842.0, 595.0)), ..ColumnsOptions::default() };
            let page = draw_columns(&instance, &timetable, &page);
            assert_eq!((page.scene.width, page.scene.height), (842.0, 595.0));
            for drawing in [grid, free, page] {
                assert_eq!(drawing.exams.len(), exams);
                for &(exam, area) in &drawing.exams {
                    let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
                    assert_eq!(exam_at(&drawing, middle.0, middle.1), Some(exam));
                }
                assert_eq!(exam_at(&drawing, -5.0, -5.0), None);
                assert_inside(&drawing.scene);
            }
        }
    }
}

#[test]
fn clashes_break_out_of_the_scale() {
    let instance = instance(6, 3, false);
    let clash_free = spread(6, 3);
    let alarms = |timetable: &Timetable| {
        let scene = timetable_grid(&instance, timetable, &GridOptions::default());
        let alarm = |shape: &&Shape| match shape {
            Shape::Rectangle { fill, title, .. } => *fill == Palette::LIGHT.alarm && title.contains("clash:"),
            _ => false,
        };
        scene.shapes.iter().filter(alarm).count()
    };
    assert_eq!(alarms(&clash_free), 0);
    // Exams 0 and 1 share the students of their pair.
    assert_eq!(alarms(&Timetable::of(vec![0, 0, 2, 0, 1, 2])), 2);
}

#[test]
fn names_are_written_where_there_is_room_and_rows_can_be_limited() {
    let (few, timetable) = (instance(12, 4, true), spread(12, 4));
    let scene = timetable_grid(&few, &timetable, &GridOptions::default());
    for expected in ["drawn", "E000", "Title 11", "Mon 1 Jun", "Tue 2 Jun", "Cost per student", "Two on a day"] {
        assert!(texts(&scene).contains(&expected), "{expected} is missing");
    }
    let limited = GridOptions { max_rows: Some(5), dark: true, sort: Sort::Name };
    let drawing = draw_grid(&few, &timetable, &limited);
    assert_eq!(drawing.exams.len(), 5);
    assert!(texts(&drawing.scene).iter().any(|text| text.contains("the first 5 exams are shown")));
    let some = grid_of(&few, &timetable, &[7, 2, 9], &GridOptions { sort: Sort::Size, ..GridOptions::default() });
    let codes: Vec<&str> = texts(&some).into_iter().filter(|text| text.starts_with("E0")).collect();
    assert_eq!(codes, ["E007", "E002", "E009"]);
    assert!(texts(&some).iter().any(|text| text.ends_with("sorted by students · 3 of 12 exams are shown")));
    let codes = |count: usize| {
        let scene = timetable_grid(&instance(count, 20, false), &spread(count, 20), &GridOptions::default());
        (
            texts(&scene).iter().filter(|text| text.len() >= 4 && text[1..].parse::<u32>().is_ok()).count(),
            png::largest_scale(&scene, 2.0) == 2.0,
        )
    };
    assert_eq!([codes(350), codes(1_000), codes(1_001)], [(350, true), (1_000, true), (0, true)]);
}

#[test]
fn the_largest_instance_becomes_a_picture() {
    let (instance, timetable) = (instance(2419, 42, false), spread(2419, 42));
    let scene = timetable_grid(&instance, &timetable, &GridOptions::default());
    assert!(scene.height < 4000.0, "{}", scene.height);
    assert!(scene.shapes.len() < 4000, "{} shapes", scene.shapes.len());
    assert!(to_svg(&scene).len() < 1_000_000);
    assert!((png::largest_scale(&scene, 2.0) - 2.0).abs() < f32::EPSILON);
}

#[test]
fn an_instance_without_periods_or_students_can_be_drawn() {
    let parts = InstanceParts { exams: vec![Exam::default()], ..InstanceParts::default() };
    let bare = Instance::build(parts).unwrap();
    for timetable in [Timetable::unplaced(1), Timetable::of(vec![3]), Timetable::of(Vec::new())] {
        assert_inside(&timetable_grid(&bare, &timetable, &GridOptions::default()));
        assert_inside(&period_columns(&bare, &timetable, &ColumnsOptions::default()));
    }
}
