use egui::{Rect, pos2, vec2};

use super::layout::neighbour;
use super::*;

/// Three upright bays in a plant of 12 × 10: A over B, C alone, D over E over F.
fn picture() -> Picture {
    let room = |name: &str, [x, y, width, height]: [f64; 4]| Room {
        name: name.to_owned(),
        region: Region { x, y, width, height },
        ..Room::default()
    };
    let bay = |x: f64, width: f64, rooms: &[usize]| Bay {
        region: Region { x, y: 0.0, width, height: 10.0 },
        rooms: rooms.to_vec(),
    };
    Picture {
        revision: 1,
        size: [12.0, 10.0],
        unit: None,
        upright: true,
        rooms: vec![
            room("A", [0.0, 4.0, 4.0, 6.0]),
            room("B", [0.0, 0.0, 4.0, 4.0]),
            room("C", [4.0, 0.0, 2.0, 10.0]),
            room("D", [6.0, 8.0, 5.0, 2.0]),
            room("E", [6.0, 4.0, 5.0, 4.0]),
            room("F", [6.0, 0.0, 5.0, 4.0]),
        ],
        bays: vec![bay(0.0, 4.0, &[0, 1]), bay(4.0, 2.0, &[2]), bay(6.0, 5.0, &[3, 4, 5])],
        links: Arc::default(),
        site: Site::default(),
    }
}

/// Ten points for a unit; the lower left corner at (100, 300).
fn frame() -> Frame {
    let full = Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 500.0));
    let area = Rect::from_min_size(pos2(100.0, 200.0), vec2(120.0, 100.0));
    Frame { full, area, scale: 10.0, origin: pos2(100.0, 300.0), pixels: 1.0 }
}

#[test]
fn what_is_painted_is_what_is_hit() {
    let (picture, frame) = (picture(), frame());
    for (number, room) in picture.rooms.iter().enumerate() {
        assert_eq!(frame.hit(&picture, frame.rect(&room.region).center()), Some(number));
    }
    assert_eq!(frame.hit(&picture, frame.point([11.5, 5.0])), None, "the strip that is left");
    assert_eq!(frame.floor(frame.point([3.25, 7.5])), [3.25, 7.5]);
    assert_eq!(frame.rect(&picture.rooms[0].region).top(), 200.0, "y grows upwards");
}

#[test]
fn lines_end_at_rectangles_and_doors() {
    let mut picture = picture();
    picture.site.doors = vec![Door { name: "Dock".to_owned(), at: [12.0, 2.5] }];
    let frame = frame();
    assert_eq!(lines::end(&picture, &frame, 1), frame.point([2.0, 2.0]), "the middle of B");
    assert_eq!(lines::end(&picture, &frame, 6), frame.point([12.0, 2.5]), "doors count behind the rectangles");
    assert_eq!([1, 6, 7].map(|end| picture.end_name(end)), ["B", "Dock", ""]);
}

#[test]
fn places_to_let_a_rectangle_go() {
    let (picture, frame) = (picture(), frame());
    let to = |room: usize, at: [f64; 2]| frame.target(&picture, room, frame.point(at)).map(|moved| moved.to);
    let into = |bay, place| Some(Target::Into { bay, place });
    assert_eq!(to(0, [8.5, 9.8]), into(2, 0), "above D");
    assert_eq!(to(0, [8.5, 9.0]), Some(Target::Swap(3)), "onto D");
    assert_eq!(to(0, [8.5, 8.1]), into(2, 1), "below D");
    assert_eq!(to(0, [8.5, 7.8]), into(2, 1), "above E is the same");
    assert_eq!(to(0, [8.5, 0.2]), into(2, 3), "below F");
    assert_eq!(to(0, [6.1, 5.0]), Some(Target::NewBay(2)), "between the second and the third bay");
    assert_eq!(to(0, [5.9, 5.0]), Some(Target::NewBay(2)));
    assert_eq!(to(0, [-1.0, 5.0]), Some(Target::NewBay(0)));
    assert_eq!(to(0, [11.8, 5.0]), Some(Target::NewBay(3)));
    assert_eq!([to(0, [2.0, 9.9]), to(0, [2.0, 3.9]), to(0, [2.0, 7.0])], [None, None, None], "where it is");
    assert_eq!([to(2, [4.1, 5.0]), to(2, [5.9, 5.0])], [None, None], "C has a bay of its own already");
}

#[test]
fn rows_are_numbered_from_the_bottom() {
    // The same code as upright bays of a plant that is turned.
    let mut rows = picture();
    rows.upright = false;
    rows.size = [10.0, 12.0];
    let turn = |region: &mut Region| {
        *region =
            Region { x: 10.0 - region.y - region.height, y: region.x, width: region.height, height: region.width };
    };
    rows.rooms.iter_mut().for_each(|room| turn(&mut room.region));
    rows.bays.iter_mut().for_each(|bay| turn(&mut bay.region));
    let frame = frame();
    let to = |room: usize, at: [f64; 2]| frame.target(&rows, room, frame.point(at)).map(|moved| moved.to);
    assert_eq!(to(0, [0.2, 8.5]), Some(Target::Into { bay: 2, place: 0 }), "left of D");
    assert_eq!(to(0, [5.0, 6.1]), Some(Target::NewBay(2)));
    assert_eq!(to(0, [5.0, -1.0]), Some(Target::NewBay(0)), "below everything");
    assert_eq!(to(0, [5.0, 11.9]), Some(Target::NewBay(3)));
}

#[test]
fn arrows_go_to_what_lies_there() {
    let picture = picture();
    let next = |from: usize, side: Side| neighbour(&picture, from, side);
    assert_eq!(next(0, Side::Down), Some(1));
    assert_eq!(next(0, Side::Right), Some(2));
    assert_eq!(next(2, Side::Right), Some(4), "E lies in the middle");
    assert_eq!(next(3, Side::Left), Some(2));
    assert_eq!(next(5, Side::Up), Some(4));
    assert_eq!([next(0, Side::Left), next(0, Side::Up)], [None, None]);
}

#[test]
fn lengths_have_the_digits_that_matter() {
    let words: Vec<String> = [0.0, 0.125, 4.0, 4.5, 12.345, 140.25, 1234.6, 65_536.2].map(length).to_vec();
    assert_eq!(words, ["0", "0.125", "4", "4.5", "12.35", "140.3", "1\u{2009}235", "65\u{2009}536"]);
}

#[test]
fn lengths_and_areas_have_their_unit_where_it_is_known() {
    let metres = Some(gridwright_facility::Unit::Metre);
    assert_eq!([length_in(metres, 4.5), area_in(metres, 30.0)], ["4.5 m", "30 m²"]);
    assert_eq!([sides_in(metres, [6.0, 5.0]), sides_in(None, [6.0, 5.0])], ["6 × 5 m", "6 × 5"]);
}

#[test]
fn the_strongest_links_decide_the_threshold() {
    let links: Vec<Link> = (0..9).map(|at| Link { from: 0, to: 1, weight: f64::from(9 - at) }).collect();
    assert_eq!([strongest(&links, 3), strongest(&links, 20), strongest(&[], 3)], [7.0, 0.0, 0.0]);
}

/// Bays of 10.08 and 10.12 in a window where each has 35 points: 10 for both would be wrong.
#[test]
fn widths_keep_their_decimals_or_are_left_out() {
    let bay =
        |x: f64, width: f64, room: usize| Bay { region: Region { x, y: 0.0, width, height: 10.0 }, rooms: vec![room] };
    let room = |x: f64, width: f64| Room { region: Region { x, y: 0.0, width, height: 10.0 }, ..Room::default() };
    let picture = Picture {
        size: [20.2, 10.0],
        upright: true,
        rooms: vec![room(0.0, 10.08), room(10.08, 10.12)],
        bays: vec![bay(0.0, 10.08, 0), bay(10.08, 10.12, 1)],
        ..Picture::default()
    };
    let painted = |width: f32| {
        let size = vec2(width, 400.0);
        let texts = gridwright_window::testing::texts_of(size, |ui| {
            show(ui, &Scene::new(&picture), &mut View::default(), None);
        });
        texts.into_iter().map(|text| text.0).collect::<Vec<_>>()
    };
    let wide = painted(400.0);
    assert!(["10.08", "10.12"].iter().all(|text| wide.iter().any(|one| one == text)), "{wide:?}");
    let narrow = painted(90.0);
    assert!(!narrow.iter().any(|text| text == "10" || text == "10.1"), "{narrow:?}");
}
