use super::*;
use crate::{Limit, Orientation, library};
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::{Shape, png, svg::to_svg};
use gridwright_core::testing::{assert_inside, texts};

/// (x, y, width, height) of what can be pointed at and begins like this.
fn titled(scene: &Scene, beginning: &str) -> Vec<(f32, f32, f32, f32)> {
    let of = |shape: &Shape| match shape {
        Shape::Rectangle { title, x, y, width, height, .. } if title.starts_with(beginning) => {
            Some((*x, *y, *width, *height))
        }
        _ => None,
    };
    scene.shapes.iter().filter_map(of).collect()
}

/// B is 3 × 4/3, 2.25 to 1, and C 3 × 4; every department may be at most 4 to 1.
fn example() -> (Instance, Layout) {
    let mut instance = Instance::example();
    instance.departments.iter_mut().for_each(|department| department.limit = Limit::Aspect(4.0));
    (instance, Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]))
}

#[test]
fn rooms_are_to_scale_and_the_figures_stand_above() {
    let (instance, layout) = example();
    let scene = floor_plan(&instance, &layout, &Options::default());
    let [a, b, c] = ["A: 8, ", "B: 4, ", "C: 12, "].map(|name| titled(&scene, name)[0]);
    let unit = c.3 / 4.0;
    for ((_, _, width, height), (wide, high)) in [(a, (3.0, 8.0 / 3.0)), (b, (3.0, 4.0 / 3.0)), (c, (3.0, 4.0))] {
        assert!((width - wide * unit).abs() < 0.01 && (height - high * unit).abs() < 0.01);
    }
    assert!((b.1 - (a.1 + a.3)).abs() < 0.01 && (c.0 - (a.0 + a.2)).abs() < 0.01, "A over B, C to the right");
    let texts = texts(&scene);
    // 3 · 2 + 5 · (3 + 2/3) + 3 + 4/3 = 86/3.
    for text in [
        "example",
        "Material handling cost",
        "28.6667",
        "3 departments · 2 vertical bays · plant 6 × 4 · rectilinear distances",
        "Violations",
        "0",
        "2.25 : 1",
        "A – C",
        "C",
        "12 · 1.33:1",
        "flow of 5",
        "6 wide",
        "3",
        "4",
    ] {
        assert!(texts.contains(&text), "{text} is missing in {texts:?}");
    }
    assert_inside(&scene);
}

#[test]
fn flows_are_as_thick_as_much_flows_and_have_a_threshold() {
    let (instance, layout) = example();
    let widths = |options: &Options| {
        let scene = floor_plan(&instance, &layout, options);
        let colour = Palette::LIGHT.ink.with_alpha(120);
        let line = |shape: &Shape| match shape {
            Shape::Line { width, colour: own, .. } if *own == colour => Some(*width),
            _ => None,
        };
        scene.shapes.iter().filter_map(line).collect::<Vec<_>>()
    };
    let near = |found: &[f32], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        found
            .iter()
            .zip(expected)
            .for_each(|(one, other)| assert!((f64::from(*one) - other).abs() < 1e-4, "{found:?}"));
    };
    // Volumes 1, 3 and 5 between 0.6 and 7 points.
    near(&widths(&Options::default()), &[0.6 + 6.4 * 0.2, 0.6 + 6.4 * 0.6, 7.0]);
    near(&widths(&Options { threshold: Some(2.0), ..Options::default() }), &[0.6 + 6.4 * 0.6, 7.0]);
    near(&widths(&Options { flows: false, ..Options::default() }), &[]);
    let scene = floor_plan(&instance, &layout, &Options { threshold: Some(2.0), ..Options::default() });
    assert!(texts(&scene).contains(&"2 of 3 flows: those of 3 and more"));
}

#[test]
fn what_breaks_a_limit_is_marked() {
    let (mut instance, layout) = example();
    let marks = |instance: &Instance| {
        let scene = floor_plan(instance, &layout, &Options::default());
        let red = |shape: &&Shape| matches!(shape, Shape::Line { colour, .. } if *colour == Palette::LIGHT.alarm);
        (scene.shapes.iter().filter(red).count(), texts(&scene).contains(&"breaks a limit or a rule"))
    };
    assert_eq!(marks(&instance), (0, false));
    instance.departments[1].limit = Limit::Aspect(2.0);
    assert_eq!(marks(&instance), (1, true));
    instance.rules.apart = vec![(0, 2)];
    assert_eq!(marks(&instance), (3, true));
}

#[test]
fn whatever_there_is_can_be_drawn() {
    let (small, layout) = example();
    let mut long = small.clone();
    long.name = "A plant with a name that is longer than anybody would call anything ".repeat(5);
    long.departments[0].name = "Department of <&> everything ".repeat(5);
    long.departments[2].dummy = true;
    let mut narrow = small.clone();
    (narrow.width, narrow.height) = (240.0, 0.1);
    let mut tall = small.clone();
    (tall.width, tall.height) = (0.1, 250.0);
    let mut still = small.clone();
    still.flows = vec![0.0; 9];
    let plant = library::sample("layout-plant").unwrap();
    let many = library::generated("F120").unwrap();
    let one_bay = |n: u16| Layout { bays: vec![(0..n).collect()], ..Layout::default() };
    let rows = |n: u16| Layout::of_bays(Orientation::Horizontal, (0..n).map(|one| vec![one]).collect());
    let part = Layout { bays: vec![vec![0]], ..layout.clone() };
    let none = Layout::default();
    for (instance, layouts) in [
        (&small, vec![&layout, &part, &none]),
        (&long, vec![&layout]),
        (&narrow, vec![&layout]),
        (&tall, vec![&layout]),
        (&still, vec![&layout]),
        (&plant, vec![&one_bay(30), &rows(30)]),
        (&many, vec![&one_bay(120), &rows(120)]),
    ] {
        for layout in layouts {
            for page in [None, Some((841.0, 585.0)), Some((400.0, 842.0))] {
                for dark in [false, true] {
                    let options = Options { page, dark, ..Options::default() };
                    let scene = floor_plan(instance, layout, &options);
                    assert_inside(&scene);
                    if let Some(page) = page {
                        assert_eq!((scene.width, scene.height), page);
                    }
                    assert!(to_svg(&scene).contains("</svg>"));
                }
            }
        }
    }
    let scene = floor_plan(&many, &rows(120), &Options::default());
    assert!(png::to_png(&scene, 1.0).unwrap().starts_with(b"\x89PNG"));
}

/// 6 × 4 metres on A4 across: 778 × 435 points hold 6 m at 1 : 30 (567 points) and not at 1 : 20 (850 points), less dimensions.
#[test]
fn a_sheet_is_to_a_round_scale_and_has_a_title_block() {
    let (mut instance, layout) = example();
    instance.unit = Some(crate::Unit::Metre);
    let date = chrono::NaiveDate::from_ymd_opt(2026, 10, 4);
    let options = Options { page: Some((841.89, 585.28)), date, ..Options::default() };
    let scene = floor_plan(&instance, &layout, &options);
    let texts = texts(&scene);
    for text in ["example", "28.6667", "6 × 4 m", "Scale", "1 : 30", "4 October 2026"] {
        assert!(texts.contains(&text), "{text} is missing in {texts:?}");
    }
    let c = titled(&scene, "C: 12, ")[0];
    assert!((f64::from(c.3) - 4.0 * 1000.0 / 30.0 * 72.0 / 25.4).abs() < 0.01, "4 m high at 1 : 30: {c:?}");
    assert!(c.3 > 0.6 * scene.height, "the plan fills the sheet");
    // Without a unit the scale is in units a centimetre.
    instance.unit = None;
    let scene = floor_plan(&instance, &layout, &options);
    assert!(gridwright_core::testing::texts(&scene).contains(&"1 cm = 0.3 units"));
}
