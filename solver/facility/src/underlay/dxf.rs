//! Reader of DXF drawings for underlays: lines, polylines, arcs, circles, ellipses and blocks of the model space, as
//! lines.
//!
//! The file is a sequence of pairs of lines: a group code and a value; group code 0 begins an entity. Blocks are read
//! first and put where an INSERT names them. Arcs become chords of at most [`shapes::CHORD`]. Entities of other kinds,
//! such as splines, texts and hatches, and those on hidden layers are counted and told. The number of points is
//! bounded, also when blocks are repeated.
//!
//! Source: Autodesk, «DXF Reference», 2012 (group codes, HEADER variable $INSUNITS, bulges, object coordinate systems).

mod shapes;

use std::collections::{BTreeMap, HashMap, HashSet};

use gridwright_core::numbers::grouped;

use super::Drawing;
use crate::Unit;
use shapes::{Affine, Insert, Item};

/// Most points of the lines of a drawing.
pub(super) const MOST_POINTS: usize = 200_000;
/// Most points that are read: blocks may be in a file and not be used.
const MOST_READ: usize = 5 * MOST_POINTS;
/// Most entities that are visited while blocks are put into blocks.
const MOST_VISITS: usize = 2_000_000;
/// Blocks within blocks, at most.
const DEEPEST: usize = 16;

/// First bytes of a DWG file and of a binary DXF file.
const DWG: &[u8] = b"AC10";
const BINARY: &[u8] = b"AutoCAD Binary DXF";

/// Kinds of entities that draw nothing by themselves.
const SILENT: [&str; 4] = ["ATTDEF", "ATTRIB", "SEQEND", "VIEWPORT"];

/// An entity: its kind and its pairs of group code and value.
#[derive(Debug, Default)]
struct Entity<'a> {
    kind: &'a str,
    pairs: Vec<(i32, &'a str)>,
}

impl<'a> Entity<'a> {
    /// First value of a group code.
    fn text(&self, code: i32) -> Option<&'a str> {
        self.pairs.iter().find(|pair| pair.0 == code).map(|pair| pair.1)
    }

    /// First number of a group code.
    fn number(&self, code: i32) -> Option<f64> {
        self.text(code)?.parse().ok()
    }

    /// First whole number of a group code; 0 if it is not stated.
    fn whole(&self, code: i32) -> i64 {
        self.text(code).and_then(|text| text.parse().ok()).unwrap_or(0)
    }
}

/// Content of a drawing while it is read.
#[derive(Default)]
struct Content<'a> {
    millimetres: Option<f64>,
    hidden: HashSet<&'a str>,
    blocks: HashMap<String, Block>,
    block: Option<(String, Block)>,
    model: Vec<Item>,
    /// A polyline whose corners follow as entities.
    open: Option<Entity<'a>>,
    left_out: BTreeMap<&'a str, usize>,
    read: usize,
    placed: usize,
    visits: usize,
}

/// A block: its base point and its items.
#[derive(Default)]
struct Block {
    base: [f64; 2],
    items: Vec<Item>,
}

/// Reads a drawing and remarks about what was left out.
///
/// # Errors
/// A sentence that says why the drawing cannot be used, with the remedy.
pub(super) fn read(bytes: &[u8]) -> Result<(Drawing, Vec<String>), String> {
    if bytes.starts_with(DWG) || bytes.starts_with(BINARY) {
        return Err("this drawing is in a binary format; save it as DXF in text form (ASCII)".to_owned());
    }
    let text = String::from_utf8_lossy(bytes);
    let mut content = Content::default();
    content.sections(text.trim_start_matches('\u{feff}'))?;
    let mut lines = Vec::new();
    let model = std::mem::take(&mut content.model);
    content.put(&model, &Affine::IDENTITY, 0, &mut lines)?;
    let remarks = content.remarks();
    if lines.is_empty() {
        let what = remarks.first().map_or_else(String::new, |words| format!(" ({words})"));
        return Err(format!(
            "the drawing has no lines, arcs or polylines that can be drawn{what}; export walls and columns as lines"
        ));
    }
    Ok((Drawing { millimetres: content.millimetres, lines }, remarks))
}

/// Refuses a drawing that is too large.
fn bounded(count: usize, most: usize) -> Result<(), String> {
    if count <= most {
        return Ok(());
    }
    let most = grouped(MOST_POINTS as u64);
    Err(format!("the drawing has more than {most} points with its blocks; export only the layers of the building"))
}

impl<'a> Content<'a> {
    /// Reads all sections of the file.
    fn sections(&mut self, text: &'a str) -> Result<(), String> {
        let (mut section, mut entity, mut is_ended) = ("", Entity::default(), false);
        let mut lines = text.lines().enumerate();
        while let Some((number, code)) = lines.next() {
            let code: i32 = code.trim().parse().map_err(|_| {
                format!(
                    "this is no DXF drawing in text form (line {} is no group code); save it as DXF again",
                    number + 1
                )
            })?;
            let Some((_, value)) = lines.next() else { break };
            let value = value.trim();
            if code != 0 {
                entity.pairs.push((code, value));
                continue;
            }
            let whole = std::mem::replace(&mut entity, Entity { kind: value, pairs: Vec::new() });
            match whole.kind {
                "SECTION" => {
                    section = whole.text(2).unwrap_or_default();
                    if section == "HEADER" {
                        self.header(&whole);
                    }
                }
                _ => self.entity(section, whole)?,
            }
            is_ended |= value == "EOF";
        }
        match is_ended {
            true => Ok(()),
            false => Err("the drawing is damaged: it ends before its end (EOF); save it again".to_owned()),
        }
    }

    /// Takes the unit of lengths: the value behind $INSUNITS.
    fn header(&mut self, header: &Entity<'a>) {
        let at = header.pairs.iter().position(|pair| *pair == (9, "$INSUNITS"));
        let code = at.and_then(|at| header.pairs.get(at + 1)?.1.parse().ok());
        self.millimetres = match code {
            Some(10) => Some(914.4),
            Some(14) => Some(100.0),
            code => Unit::ALL.into_iter().find(|unit| code == Some(unit.insertion_code())).map(Unit::millimetres),
        };
    }

    /// Takes an entity of a section.
    fn entity(&mut self, section: &str, entity: Entity<'a>) -> Result<(), String> {
        match (section, entity.kind) {
            ("TABLES", "LAYER") => {
                // Layers that are off have a negative colour, frozen ones a flag.
                let is_hidden = entity.whole(62) < 0 || entity.whole(70) & 1 != 0;
                self.hidden.extend(entity.text(2).filter(|_| is_hidden));
            }
            ("BLOCKS", "BLOCK") => {
                let base = [10, 20].map(|code| entity.number(code).unwrap_or(0.0));
                let name = entity.text(2).unwrap_or_default().to_uppercase();
                self.block = Some((name, Block { base, items: Vec::new() }));
            }
            ("BLOCKS", "ENDBLK") => self.blocks.extend(self.block.take()),
            ("BLOCKS" | "ENTITIES", "VERTEX") => {
                if let Some(open) = &mut self.open {
                    open.pairs.extend(entity.pairs.into_iter().filter(|pair| matches!(pair.0, 10 | 20 | 42)));
                }
            }
            ("BLOCKS" | "ENTITIES", "SEQEND") => {
                let polyline = self.open.take();
                return polyline.map_or(Ok(()), |polyline| self.item(polyline));
            }
            ("BLOCKS" | "ENTITIES", "POLYLINE") if entity.whole(70) & (16 | 64) == 0 => {
                // The point of the polyline itself is no corner.
                let pairs = entity.pairs.into_iter().filter(|pair| !matches!(pair.0, 10 | 20)).collect();
                self.open = Some(Entity { kind: "POLYLINE", pairs });
            }
            ("BLOCKS" | "ENTITIES", kind) if !kind.is_empty() && kind != "ENDSEC" => return self.item(entity),
            _ => {}
        }
        Ok(())
    }

    /// Adds an entity to its block or to the model space.
    fn item(&mut self, entity: Entity<'a>) -> Result<(), String> {
        let is_paper = entity.whole(67) == 1;
        if is_paper || SILENT.contains(&entity.kind) {
            return Ok(());
        }
        if entity.whole(60) == 1 || entity.text(8).is_some_and(|layer| self.hidden.contains(layer)) {
            *self.left_out.entry("hidden").or_default() += 1;
            return Ok(());
        }
        let Some(item) = shapes::item(&entity) else {
            *self.left_out.entry(entity.kind).or_default() += 1;
            return Ok(());
        };
        if let Item::Line(points) = &item {
            self.read += points.len();
            bounded(self.read, MOST_READ)?;
        }
        match &mut self.block {
            Some((_, block)) => block.items.push(item),
            None => self.model.push(item),
        }
        Ok(())
    }

    /// Puts items at their place, and what their blocks hold.
    fn put(
        &mut self, items: &[Item], place: &Affine, depth: usize, lines: &mut Vec<Vec<[f64; 2]>>,
    ) -> Result<(), String> {
        for item in items {
            self.visits += 1;
            bounded(self.visits, MOST_VISITS)?;
            match item {
                Item::Line(points) => {
                    self.placed += points.len();
                    bounded(self.placed, MOST_POINTS)?;
                    let placed: Vec<[f64; 2]> = points.iter().map(|point| place.apply(*point)).collect();
                    match shapes::are_near(&placed) {
                        true => lines.push(placed),
                        false => *self.left_out.entry("too far away").or_default() += 1,
                    }
                }
                Item::Insert(insert) => self.insert(insert, place, depth, lines)?,
            }
        }
        Ok(())
    }

    /// Puts a block at the places of an INSERT.
    fn insert(
        &mut self, insert: &Insert, place: &Affine, depth: usize, lines: &mut Vec<Vec<[f64; 2]>>,
    ) -> Result<(), String> {
        let block = if depth < DEEPEST { self.blocks.remove(&insert.block) } else { None };
        // A block that holds itself, or is not in the file, cannot be drawn.
        let Some(block) = block else {
            *self.left_out.entry("INSERT").or_default() += 1;
            return Ok(());
        };
        let placed = insert.places(block.base).try_for_each(|own| {
            self.visits += 1;
            bounded(self.visits, MOST_VISITS)?;
            self.put(&block.items, &place.then(&own), depth + 1, lines)
        });
        self.blocks.insert(insert.block.clone(), block);
        placed
    }

    /// Words about what was left out; empty if nothing was.
    fn remarks(&self) -> Vec<String> {
        let word = |(kind, count): (&&str, &usize)| match *kind {
            "hidden" => format!("{} on hidden layers", grouped(*count as u64)),
            kind => format!("{} {kind}", grouped(*count as u64)),
        };
        let words: Vec<String> = self.left_out.iter().map(word).collect();
        if words.is_empty() { Vec::new() } else { vec![format!("Left out: {}", words.join(", "))] }
    }
}
