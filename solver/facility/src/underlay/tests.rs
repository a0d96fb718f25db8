use std::path::PathBuf;

use gridwright_core::project::Attachments;
use gridwright_core::random::{Philox, index};

use super::*;
use crate::export::{self, ExportOptions};
use crate::{Layout, Orientation};

/// A file in a folder of its own.
struct Given {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

fn given(name: &str, content: impl AsRef<[u8]>) -> Given {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    Given { path, _folder: folder }
}

fn plant() -> Instance {
    Instance { unit: Some(Unit::Metre), ..Instance::example() }
}

fn opened(name: &str, content: impl AsRef<[u8]>) -> Result<(Underlay, Vec<String>)> {
    Underlay::open(&given(name, content).path, &plant())
}

fn refusal(name: &str, content: impl AsRef<[u8]>) -> String {
    opened(name, content).unwrap_err().to_string()
}

/// A drawing in text form: a header with a unit, blocks and entities, each pair written `code value`, separated by
/// commas.
fn dxf(unit: u32, blocks: &str, entities: &str) -> String {
    let pairs = format!(
        "0 SECTION,2 HEADER,9 $INSUNITS,70 {unit},0 ENDSEC,0 SECTION,2 TABLES,0 TABLE,2 LAYER,0 LAYER,2 Off,62 -7,0 ENDTAB,\
         0 ENDSEC,0 SECTION,2 BLOCKS,{blocks}0 ENDSEC,0 SECTION,2 ENTITIES,{entities}0 ENDSEC,0 EOF"
    );
    pairs
        .split(',')
        .map(|pair| pair.split_once(' ').unwrap())
        .map(|(code, value)| format!("{code}\r\n{value}\r\n"))
        .collect()
}

/// Lines of a drawing in the coordinates of the plant, rounded.
fn lines(underlay: &Underlay) -> Vec<Vec<[f64; 2]>> {
    let Content::Drawing(drawing) = &underlay.content else { panic!("a drawing") };
    let round = |point: &[f64; 2]| underlay.place(*point).map(|side| (side * 1e6).round() / 1e6 + 0.0);
    drawing.lines.iter().map(|line| line.iter().map(round).collect()).collect()
}

fn picture(width: u32, height: u32) -> Underlay {
    let svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><rect width="{width}" height="{height}" fill="#804020"/></svg>"##
    );
    opened("hall.svg", svg).unwrap().0
}

#[test]
fn the_drawing_of_a_layout_comes_back_at_the_same_coordinates() {
    let layout = Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]);
    let written = export::bytes(&plant(), &layout, "dxf", &ExportOptions::default()).unwrap();
    let file = given("own.dxf", written);
    for (unit, factor) in [(Unit::Metre, 1.0), (Unit::Centimetre, 100.0), (Unit::Foot, 1.0 / 0.3048)] {
        let base = plant();
        let reader = Instance { unit: Some(unit), width: base.width * factor, height: base.height * factor, ..base };
        let (underlay, remarks) = Underlay::open(&file.path, &reader).unwrap();
        assert!(
            remarks.len() == 1 && remarks[0].starts_with("Left out: ") && remarks[0].contains("TEXT"),
            "{remarks:?}"
        );
        let read = lines(&underlay);
        for room in &crate::Plan::new(&plant(), &layout).departments {
            let Rectangle { x, y, width, height } = *room;
            let corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]];
            let near = |line: &Vec<[f64; 2]>| {
                let pairs = || line.iter().flatten().zip(corners.iter().flatten());
                line.len() == 5 && pairs().all(|(one, other)| (one - other * factor).abs() < 1e-6 * factor)
            };
            assert!(read.iter().any(near), "{unit:?}: {room:?} is none of {read:?}");
        }
    }
}

#[test]
fn blocks_lie_where_they_are_inserted() {
    let blocks = "0 BLOCK,2 Inner,10 1,20 0,0 LINE,10 1,20 0,11 2,21 0,0 ENDBLK,\
                  0 BLOCK,2 Outer,10 0,20 0,0 INSERT,2 inner,10 1,20 1,50 90,0 ENDBLK,";
    let insert = "0 INSERT,2 OUTER,10 1,20 0,41 2,42 1,70 2,44 0.5,";
    let read = lines(&opened("a.dxf", dxf(6, blocks, insert)).unwrap().0);
    assert_eq!(read, [[[3.0, 1.0], [3.0, 2.0]], [[3.5, 1.0], [3.5, 2.0]]]);
    let mirrored = "0 INSERT,2 inner,10 -1,20 0,230 -1,";
    assert_eq!(lines(&opened("a.dxf", dxf(6, blocks, mirrored)).unwrap().0), [[[1.0, 0.0], [0.0, 0.0]]]);
}

#[test]
fn arcs_become_chords_on_the_circle() {
    let half = "0 LWPOLYLINE,70 1,10 0,20 0,42 1,10 2,20 0,0 CIRCLE,10 3,20 2,40 1,0 ARC,10 3,20 2,40 1,50 270,51 90,";
    let read = lines(&opened("a.dxf", dxf(6, "", half)).unwrap().0);
    let on = |points: &[[f64; 2]], centre: [f64; 2]| {
        points.iter().all(|[x, y]| ((x - centre[0]).hypot(y - centre[1]) - 1.0).abs() < 2e-6)
    };
    let [bulged, circle, arc] = read.as_slice() else { panic!("{read:?}") };
    assert!(
        on(&bulged[..bulged.len() - 1], [1.0, 0.0]) && bulged.iter().all(|point| point[1] <= 1e-9),
        "to the left: below"
    );
    assert!((bulged.first(), bulged.len()) == (bulged.last(), 24 + 2), "{bulged:?}");
    assert!(on(circle, [3.0, 2.0]) && circle.len() == 49 && on(arc, [3.0, 2.0]) && arc.len() == 25);
    assert!(arc.iter().all(|point| point[0] >= 3.0), "{arc:?}");
}

#[test]
fn what_is_left_out_is_told() {
    let line = "0 LINE,10 0,20 0,11 1,21 1,";
    let more = "0 SPLINE,8 0,0 SPLINE,8 0,0 TEXT,1 Hall,0 LINE,8 Off,10 0,20 0,11 9,21 9,0 INSERT,2 gone,10 0,20 0,";
    let (underlay, remarks) = opened("a.dxf", dxf(6, "", &format!("{line}{more}"))).unwrap();
    assert_eq!(lines(&underlay).len(), 1);
    assert_eq!(remarks, ["Left out: 1 INSERT, 2 SPLINE, 1 TEXT, 1 on hidden layers"]);
    let (_, remarks) = opened("a.dxf", dxf(0, "", line)).unwrap();
    assert!(remarks.len() == 1 && remarks[0].contains("no unit of length"), "{remarks:?}");
    let far = "0 LINE,10 4000,20 9000,11 4002,21 9001,";
    let (underlay, remarks) = opened("a.dxf", dxf(6, "", far)).unwrap();
    assert_eq!(lines(&underlay), [[[0.0, 0.0], [2.0, 1.0]]]);
    assert!(remarks[0].contains("lower left corner"), "{remarks:?}");
}

#[test]
fn files_that_cannot_be_an_underlay_are_refused_with_a_remedy() {
    let spline = refusal("a.dxf", dxf(6, "", "0 SPLINE,8 0,"));
    assert!(spline.contains("no lines, arcs or polylines") && spline.contains("1 SPLINE"), "{spline}");
    assert!(refusal("a.dxf", "no drawing\n").contains("line 1 is no group code"));
    let cut = dxf(6, "", "0 LINE,10 0,20 0,11 1,21 1,").replace("EOF\r\n", "");
    assert!(refusal("a.dxf", cut).contains("damaged"));
    assert!(refusal("a.dxf", b"AC1032\0\0").contains("save it as DXF"));
    assert!(refusal("a.png", "no picture").contains("no picture that can be read"));
    let whole = picture(40, 20).to_attachments().unwrap()["underlay.png"].to_vec();
    assert!(refusal("a.png", &whole[..whole.len() / 2]).contains("the picture is damaged"));
    // 100 megapixels by the head of the file; nothing is unpacked.
    let mut large = whole;
    large[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
    let large = refusal("a.png", large);
    assert!(large.contains("10000 × 10000 pixels") && large.contains("at most 7000"), "{large}");
}

#[test]
fn blocks_of_blocks_are_bounded() {
    let block = |number: usize| {
        let inner: String = (0..10).map(|_| format!("0 INSERT,2 B{},10 0,20 0,", number + 1)).collect();
        format!("0 BLOCK,2 B{number},10 0,20 0,{inner}0 ENDBLK,")
    };
    let last = "0 BLOCK,2 B9,10 0,20 0,0 LINE,10 0,20 0,11 1,21 1,0 ENDBLK,";
    let blocks: String = (0..9).map(block).chain([last.to_owned()]).collect();
    let why = refusal("a.dxf", dxf(6, &blocks, "0 INSERT,2 B0,10 0,20 0,"));
    assert!(why.contains("points with its blocks"), "{why}");
    let itself = "0 BLOCK,2 A,10 0,20 0,0 LINE,10 0,20 0,11 1,21 1,0 INSERT,2 A,10 0,20 0,0 ENDBLK,";
    let (underlay, remarks) = opened("a.dxf", dxf(6, itself, "0 INSERT,2 A,10 0,20 0,")).unwrap();
    assert_eq!((lines(&underlay).len(), remarks.as_slice()), (1, &["Left out: 1 INSERT".to_owned()][..]));
}

#[test]
fn damaged_drawings_are_read_or_refused() {
    let blocks = "0 BLOCK,2 A,10 0,20 0,0 LINE,10 0,20 0,11 1,21 1,0 ENDBLK,";
    let entities = "0 INSERT,2 A,10 1,20 0,41 2,70 2,71 2,44 1,0 ARC,10 3,20 2,40 1,50 270,51 90,0 ELLIPSE,10 0,20 0,11 1,21 0,\
                    40 0.5,41 0,42 3,0 LWPOLYLINE,70 1,10 0,20 0,42 1,10 2,20 0,0 POLYLINE,70 1,0 VERTEX,10 1,20 1,0 VERTEX,10 2,20 2,0 SEQEND,8 0,";
    let whole = dxf(6, blocks, entities);
    let mut lines: Vec<&str> = whole.lines().collect();
    let mut read = 0;
    for number in 0..4_000 {
        let [word, choice, ..] = Philox::new(7).words(0, number, 0, 0);
        let at = index(word, lines.len() as u32) as usize;
        let other = ["0", "10", "-1e300", "1e11", "NaN", "SEQEND", "INSERT", "-5", "99999999999"];
        let before = std::mem::replace(&mut lines[at], other[index(choice, other.len() as u32) as usize]);
        match dxf::read(lines.join("\n").as_bytes()) {
            Ok((drawing, _)) => {
                read += 1;
                assert!(drawing.lines.iter().flatten().flatten().all(|side| side.is_finite()));
            }
            Err(why) => assert!(why.contains(';') || why.contains('('), "{why}"),
        }
        lines[at] = before;
    }
    assert!(read > 1_000, "{read} were read");
}

#[test]
fn two_points_and_a_length_set_the_scale() {
    let mut underlay = picture(40, 20);
    let plant = plant();
    assert_eq!(underlay.placement.scale, (plant.width / 2_048.0).min(plant.height / 1_024.0), "fitted into the plant");
    underlay.put_corner([1.0, 0.5]);
    assert_eq!(underlay.placement.origin, [-1.0, -0.5]);
    let before = underlay.clone();
    let why = underlay.measure([[1.0, 1.0], [1.0, 1.0]], 5.0, plant.unit).unwrap_err();
    assert!(why.contains("same point"), "{why}");
    for length in [0.0, -1.0, f64::NAN] {
        let why = underlay.measure([[1.0, 1.0], [2.0, 1.0]], length, plant.unit).unwrap_err();
        assert!(why.contains("above 0") && why.contains("in m"), "{why}");
    }
    assert_eq!(underlay, before);
    underlay.measure([[1.0, 1.0], [1.0, 3.0]], 10.0, plant.unit).unwrap();
    assert!((underlay.placement.scale - 5.0 * before.placement.scale).abs() < 1e-12);
    assert_eq!(underlay.placement.origin, [-5.0, -2.5], "the corner of the plant stays");
}

#[test]
fn an_underlay_is_stored_and_read_again() {
    let mut small = picture(40, 20);
    small.placement.is_shown = false;
    let (drawn, _) = opened("a.dxf", dxf(4, "", "0 LINE,10 0.1,20 0,11 1000,21 333.3333333333333,")).unwrap();
    for underlay in [small, drawn] {
        let (files, text) = (underlay.to_attachments().unwrap(), underlay.placement_text());
        assert_eq!(Underlay::of_project(&text, &files).unwrap().as_ref(), Some(&underlay));
        assert!(Underlay::of_project("", &files).unwrap_err().contains("place"));
        let damaged = files.keys().map(|name| (name.clone(), Arc::from(&b"damaged"[..]))).collect();
        assert!(Underlay::of_project(&text, &damaged).unwrap_err().contains("damaged"));
        assert_eq!(Underlay::of_project(&text, &Attachments::new()), Ok(None));
    }
}

#[test]
fn exports_draw_what_lies_within_the_plant() {
    let layout = Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]);
    let export = |underlay: Option<&Underlay>| {
        let options = ExportOptions { underlay: underlay.cloned().map(Arc::new), ..ExportOptions::default() };
        String::from_utf8(export::bytes(&plant(), &layout, "svg", &options).unwrap()).unwrap()
    };
    let (plain, drawn) = (export(None), opened("a.dxf", dxf(6, "", "0 LINE,10 -5,20 1,11 50,21 1,")).unwrap().0);
    let crossing = drawn.lines_within([plant().width, plant().height]);
    assert_eq!(crossing, [[[0.0, 1.0], [plant().width, 1.0]]]);
    assert_eq!(export(Some(&drawn)).matches("<polyline").count(), plain.matches("<polyline").count() + 1);
    let mut photo = picture(30, 20);
    photo.put_corner([plant().width / 2.0, 0.0]);
    let part = photo.picture_within([plant().width, plant().height]).unwrap();
    assert_eq!(part.place.x, 0.0);
    assert!((part.place.x + part.place.width - plant().width / 2.0).abs() < 1e-9, "the left half lies outside");
    let with = export(Some(&photo));
    assert!(with.contains("<image ") && with.contains("fill-opacity") && !plain.contains("<image "));
    photo.put_corner([100.0, 0.0]);
    assert!(
        photo.picture_within([plant().width, plant().height]).is_none() && !export(Some(&photo)).contains("<image ")
    );
}
