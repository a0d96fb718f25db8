//! Floor plan as a DXF drawing (AutoCAD release 12, text), to scale in units of length.
//!
//! Layers: WALLS (outline of the plant), FIXED (fixed things, where there are any), DOORS (where there are any: crosses on the doors with their names), BAYS, DEPARTMENTS (closed polylines), NAMES (name and area), FLOWS (lines between centroids,
//! width proportional to the flow). Non-ASCII characters are written as `\U+00E4`.
//!
//! Source: Autodesk, «AutoCAD Release 12 Customization Manual», 1992, chapter 11 (group codes).

use std::fmt::Write as _;

use crate::building::outline::outline;
use crate::drawing::floor::{Floor, Room};
use crate::{Door, Instance, Layout, PartKind, Rectangle, Unit};
use gridwright_core::numbers::figure;

/// Layers and their AutoCAD colour index.
const FIXED: &str = "FIXED";
const DOORS: &str = "DOORS";
const LAYERS: [(&str, &str); 5] = [(WALLS, "7"), (BAYS, "8"), (DEPARTMENTS, "5"), (NAMES, "3"), (FLOWS, "1")];
const WALLS: &str = "WALLS";
const BAYS: &str = "BAYS";
const DEPARTMENTS: &str = "DEPARTMENTS";
const NAMES: &str = "NAMES";
const FLOWS: &str = "FLOWS";

/// Widest flow as a share of the shorter side of the plant.
const WIDEST_FLOW: f64 = 0.012;

/// Approximate width of a letter as a share of its height.
const LETTER: f64 = 0.85;

/// DXF file under construction: group codes and values, one per line.
struct Dxf {
    text: String,
}

impl Dxf {
    fn pair(&mut self, code: u16, value: &str) {
        // Writing to memory does not fail.
        let _ = write!(self.text, "{code:>3}\r\n{value}\r\n");
    }

    fn pairs(&mut self, pairs: &[(u16, &str)]) {
        pairs.iter().for_each(|&(code, value)| self.pair(code, value));
    }

    fn number(&mut self, code: u16, value: f64) {
        self.pair(code, &format!("{value:.9}"));
    }

    fn whole(&mut self, code: u16, value: usize) {
        self.pair(code, &value.to_string());
    }

    /// Writes a point; the group codes of y and z are those of x plus 10 and 20.
    fn point(&mut self, code: u16, (x, y): (f64, f64)) {
        self.number(code, x);
        self.number(code + 10, y);
        self.number(code + 20, 0.0);
    }

    fn section(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.pairs(&[(0, "SECTION"), (2, name)]);
        content(self);
        self.pair(0, "ENDSEC");
    }

    fn table(&mut self, name: &str, entries: usize, content: impl FnOnce(&mut Self)) {
        self.pairs(&[(0, "TABLE"), (2, name)]);
        self.whole(70, entries);
        content(self);
        self.pair(0, "ENDTAB");
    }

    /// Writes a polyline of constant width.
    fn polyline(&mut self, layer: &str, points: &[(f64, f64)], is_closed: bool, width: f64) {
        self.pairs(&[(0, "POLYLINE"), (8, layer), (66, "1")]);
        self.point(10, (0.0, 0.0));
        self.whole(70, usize::from(is_closed));
        self.number(40, width);
        self.number(41, width);
        for &point in points {
            self.pairs(&[(0, "VERTEX"), (8, layer)]);
            self.point(10, point);
        }
        self.pairs(&[(0, "SEQEND"), (8, layer)]);
    }

    fn rectangle(&mut self, layer: &str, rectangle: &Rectangle) {
        let Rectangle { x, y, width, height } = *rectangle;
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        self.polyline(layer, &corners, true, 0.0);
    }

    /// Writes a line of text centred at a point; `turned` by 90°.
    fn words(&mut self, layer: &str, text: &str, at: (f64, f64), height: f64, turned: bool) {
        self.pairs(&[(0, "TEXT"), (8, layer)]);
        self.point(10, at);
        self.number(40, height);
        self.pair(1, &plain(text));
        self.number(50, if turned { 90.0 } else { 0.0 });
        self.pair(7, "STANDARD");
        self.whole(72, 1);
        self.point(11, at);
        self.whole(73, 2);
    }
}

/// Escapes text for release 12.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            letter if letter.is_ascii() => plain.push(letter),
            // Characters beyond the basic multilingual plane take two UTF-16 units.
            letter => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(plain, "\\U+{unit:04X}");
                }
            }
        }
    }
    // Two percent signs begin a control code.
    plain.replace("%%", "% %")
}

/// Encodes a layout as DXF text.
pub fn write(instance: &Instance, layout: &Layout) -> String {
    let floor = Floor::new(instance, layout);
    let mut dxf = Dxf { text: String::new() };
    dxf.pair(999, &plain(&format!("{}: floor plan by Gridwright", instance.name)));
    dxf.section("HEADER", |dxf| {
        dxf.pair(9, "$ACADVER");
        dxf.pair(1, "AC1009");
        // Drawing programs insert the plan in its own size; 0 says that the unit is unknown.
        dxf.pair(9, "$INSUNITS");
        dxf.whole(70, instance.unit.map_or(0, Unit::insertion_code));
        dxf.pair(9, "$MEASUREMENT");
        dxf.whole(70, usize::from(!matches!(instance.unit, Some(Unit::Inch | Unit::Foot))));
        for (name, at) in [("$EXTMIN", (0.0, 0.0)), ("$EXTMAX", (instance.width, instance.height))] {
            dxf.pair(9, name);
            dxf.point(10, at);
        }
    });
    let has_fixed = instance.building.parts.iter().any(|part| part.kind == PartKind::Fixed);
    let fixed = has_fixed.then_some((FIXED, "8"));
    let doors = (!instance.doors.is_empty()).then_some((DOORS, "6"));
    let layers: Vec<(&str, &str)> = LAYERS.into_iter().chain(fixed).chain(doors).collect();
    dxf.section("TABLES", |dxf| tables(dxf, &layers));
    dxf.section("BLOCKS", |_| {});
    dxf.section("ENTITIES", |dxf| entities(dxf, &floor));
    dxf.pair(0, "EOF");
    dxf.text
}

fn tables(dxf: &mut Dxf, layers: &[(&str, &str)]) {
    dxf.table("LTYPE", 1, |dxf| {
        dxf.pairs(&[(0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"), (3, "Solid line"), (72, "65"), (73, "0")]);
        dxf.number(40, 0.0);
    });
    dxf.table("LAYER", layers.len(), |dxf| {
        for &(name, colour) in layers {
            dxf.pairs(&[(0, "LAYER"), (2, name), (70, "0"), (62, colour), (6, "CONTINUOUS")]);
        }
    });
    dxf.table("STYLE", 1, |dxf| {
        dxf.pairs(&[(0, "STYLE"), (2, "STANDARD"), (70, "0")]);
        [(40, 0.0), (41, 1.0), (50, 0.0)].into_iter().for_each(|(code, value)| dxf.number(code, value));
        dxf.pair(71, "0");
        dxf.number(42, 1.0);
        dxf.pairs(&[(3, "txt"), (4, "")]);
    });
}

fn entities(dxf: &mut Dxf, floor: &Floor<'_>) {
    let (width, height) = (floor.instance.width, floor.instance.height);
    for flow in &floor.flows {
        let widest = WIDEST_FLOW * width.min(height);
        dxf.polyline(FLOWS, &flow.ends, false, flow.thickness(0.0, widest));
    }
    for room in &floor.rooms {
        dxf.rectangle(DEPARTMENTS, &room.rectangle);
        names(dxf, floor, room);
    }
    for bay in &floor.bays {
        dxf.rectangle(BAYS, bay);
    }
    for part in floor.instance.building.parts.iter().filter(|part| part.kind == PartKind::Fixed) {
        dxf.rectangle(FIXED, &part.rectangle);
    }
    doors(dxf, floor);
    for corners in outline(floor.instance) {
        dxf.polyline(WALLS, &corners, true, 0.0);
    }
}

/// Writes a cross for each door and its name above it.
fn doors(dxf: &mut Dxf, floor: &Floor<'_>) {
    let size = 0.015 * floor.instance.width.max(floor.instance.height);
    for Door { name, x, y } in &floor.instance.doors {
        for (across, along) in [(size, size), (size, -size)] {
            dxf.polyline(DOORS, &[(x - across, y - along), (x + across, y + along)], false, 0.0);
        }
        dxf.words(DOORS, name, (*x, y + 2.0 * size), size, false);
    }
}

/// Writes a department's name and below it the area, as large as they fit; rotated in narrow rooms.
fn names(dxf: &mut Dxf, floor: &Floor<'_>, room: &Room) {
    let Rectangle { width, height, .. } = room.rectangle;
    let turned = height > 1.4 * width;
    let (along, across) = if turned { (height, width) } else { (width, height) };
    let name = floor.name(room.department);
    let letters = name.chars().count().max(4) as f64;
    let most = 0.03 * floor.instance.width.max(floor.instance.height);
    let size = (0.9 * along / (LETTER * letters)).min(0.3 * across).min(most);
    let (x, y) = room.rectangle.centre();
    let at = |offset: f64| if turned { (x - offset, y) } else { (x, y + offset) };
    dxf.words(NAMES, name, at(0.7 * size), size, turned);
    let area = figure(floor.instance.departments[usize::from(room.department)].area, 2);
    dxf.words(NAMES, &area.replace('−', "-"), at(-0.8 * size), 0.7 * size, turned);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Orientation;

    /// Group codes and values.
    fn pairs(text: &str) -> Vec<(u16, &str)> {
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines.len() % 2, 1, "the last line is ended, too");
        lines.chunks_exact(2).map(|pair| (pair[0].trim().parse().unwrap(), pair[1])).collect()
    }

    fn example() -> (Instance, Layout) {
        let mut instance = Instance { name: "Größe".to_owned(), ..Instance::example() };
        instance.departments[0].name = "Säge %%d".to_owned();
        (instance, Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]))
    }

    #[test]
    fn every_layer_holds_what_belongs_there() {
        let (instance, layout) = example();
        let text = write(&instance, &layout);
        assert!(text.is_ascii());
        let pairs = pairs(&text);
        let entities = pairs.iter().position(|pair| *pair == (2, "ENTITIES")).unwrap();
        let of = |kind: &str, layer: &str| {
            let both = pairs[entities..].windows(2).filter(|two| two[0] == (0, kind) && two[1] == (8, layer));
            both.count()
        };
        assert_eq!(
            [of("POLYLINE", WALLS), of("POLYLINE", BAYS), of("POLYLINE", DEPARTMENTS), of("POLYLINE", FLOWS)],
            [1, 2, 3, 3]
        );
        assert_eq!((of("TEXT", NAMES), of("VERTEX", DEPARTMENTS), of("VERTEX", FLOWS)), (6, 12, 6));
        assert!(pairs.contains(&(1, "S\\U+00E4ge % %d")) && pairs.last() == Some(&(0, "EOF")));
        // B is 3 × 4/3 in the lower left corner.
        let first = pairs.iter().rposition(|pair| *pair == (0, "POLYLINE")).unwrap();
        assert!(pairs[first..].contains(&(10, "6.000000000")), "walls come last and reach to the width");
        assert!(pairs.contains(&(20, "1.333333333")));
        let depth =
            pairs.iter().fold(0, |depth, pair| depth + i32::from(pair.1 == "SECTION") - i32::from(pair.1 == "ENDSEC"));
        assert_eq!(depth, 0);
    }

    #[test]
    fn the_unit_of_lengths_is_stated() {
        let (mut instance, layout) = example();
        let mut stated = |unit| {
            instance.unit = unit;
            let text = write(&instance, &layout);
            let pairs = pairs(&text);
            let at = pairs.iter().position(|pair| *pair == (9, "$INSUNITS")).expect("the header states a unit");
            (pairs[at + 1].0, pairs[at + 1].1.trim().to_owned())
        };
        let codes = [None, Some(Unit::Metre), Some(Unit::Foot)].map(|unit| stated(unit).1);
        assert_eq!(codes, ["0", "6", "2"]);
    }

    #[test]
    fn letters_of_every_kind_are_written() {
        assert_eq!(plain("Müßig\n"), "M\\U+00FC\\U+00DFig");
        assert_eq!(plain("🎓"), "\\U+D83C\\U+DF93");
    }
}
