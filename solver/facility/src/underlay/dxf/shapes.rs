//! Entities of DXF drawings as lines and insertions of blocks.

use std::f64::consts::{PI, TAU};

use super::Entity;

/// Largest angle of the chord of an arc, in radians: 7.5°.
pub(super) const CHORD: f64 = PI / 24.0;

/// Largest coordinate and factor; those of buildings are far smaller in any unit.
const FARTHEST: f64 = 1e12;

/// Most columns and rows in which a block is repeated.
const MOST_REPEATED: i64 = 1_000;

/// Part of a drawing or of a block.
pub(super) enum Item {
    /// A line with its corners.
    Line(Vec<[f64; 2]>),
    /// A block.
    Insert(Insert),
}

/// Insertion of a block, perhaps in columns and rows.
pub(super) struct Insert {
    /// Name of the block in upper case.
    pub(super) block: String,
    place: Affine,
    repeated: [i64; 2],
    spacing: [f64; 2],
}

impl Insert {
    /// Maps from the block to the drawing, one for each column and row; `base` is the base point of the block.
    pub(super) fn places(&self, base: [f64; 2]) -> impl Iterator<Item = Affine> {
        let Self { place, repeated: [columns, rows], spacing, .. } = self;
        let cells = (0..*rows).flat_map(move |row| (0..*columns).map(move |column| [column, row]));
        cells.map(move |[column, row]| {
            // The spacing turns with the block, but is not scaled with it.
            let by = place.turned([column as f64 * spacing[0], row as f64 * spacing[1]]);
            place.then(&Affine::moved([-base[0], -base[1]])).shifted(by)
        })
    }
}

/// Affine map of the plane: rows (a, b, c) with x' = a·x + b·y + c.
#[derive(Clone, Copy)]
pub(super) struct Affine([[f64; 3]; 2]);

impl Affine {
    pub(super) const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);

    fn moved([x, y]: [f64; 2]) -> Self {
        Self([[1.0, 0.0, x], [0.0, 1.0, y]])
    }

    fn shifted(self, [x, y]: [f64; 2]) -> Self {
        let [[a, b, c], [d, e, f]] = self.0;
        Self([[a, b, c + x], [d, e, f + y]])
    }

    /// A vector in the direction that the map gives it, with its own length.
    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[a, b, _], [d, e, _]] = self.0;
        let unit = |one: f64, other: f64| {
            let length = one.hypot(other).max(f64::MIN_POSITIVE);
            [one / length, other / length]
        };
        let (across, along) = (unit(a, d), unit(b, e));
        [x * across[0] + y * along[0], x * across[1] + y * along[1]]
    }

    pub(super) fn apply(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.0.map(|[a, b, c]| a * x + b * y + c)
    }

    /// The map that first applies `inner`, then this one.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let [[a, b, c], [d, e, f]] = inner.0;
        Self(self.0.map(|[p, q, r]| [p * a + q * d, p * b + q * e, p * c + q * f + r]))
    }
}

/// The entity as lines or an insertion; `None` if it cannot be drawn.
pub(super) fn item(entity: &Entity<'_>) -> Option<Item> {
    let point = |code: i32| Some([entity.number(code)?, entity.number(code + 10)?]);
    let is_object = matches!(entity.kind, "ARC" | "CIRCLE" | "LWPOLYLINE" | "POLYLINE" | "INSERT");
    // Seen from below, x points to the left.
    let is_mirrored = is_object && entity.number(230).is_some_and(|z| z < 0.0);
    let mut points = match entity.kind {
        "LINE" => vec![point(10)?, point(11)?],
        "LWPOLYLINE" | "POLYLINE" => polyline(entity),
        "CIRCLE" => arc(point(10)?, entity.number(40)?, 0.0, TAU),
        "ARC" => {
            let [from, to] = [entity.number(50)?, entity.number(51)?].map(f64::to_radians);
            arc(point(10)?, entity.number(40)?, from, turn(from, to))
        }
        "ELLIPSE" => ellipse(entity, point(10)?, point(11)?)?,
        "INSERT" => return insert(entity, point(10)?, is_mirrored).map(Item::Insert),
        _ => return None,
    };
    if is_mirrored {
        points.iter_mut().for_each(|point| point[0] = -point[0]);
    }
    (points.len() > 1 && are_near(&points)).then_some(Item::Line(points))
}

/// Returns `true` if all coordinates are numbers of a size that buildings have.
pub(super) fn are_near(points: &[[f64; 2]]) -> bool {
    points.iter().flatten().all(|side| side.abs() <= FARTHEST)
}

/// Angle from one direction to another one anticlockwise; a whole turn if they are the same.
fn turn(from: f64, to: f64) -> f64 {
    let angle = (to - from).rem_euclid(TAU);
    if angle > 1e-9 { angle } else { TAU }
}

/// Corners of a polyline with its arcs.
fn polyline(entity: &Entity<'_>) -> Vec<[f64; 2]> {
    let mut corners: Vec<([f64; 2], f64)> = Vec::new();
    for (code, value) in &entity.pairs {
        let Ok(value) = value.parse::<f64>() else { continue };
        match (code, corners.last_mut()) {
            (10, _) => corners.push(([value, 0.0], 0.0)),
            (20, Some(corner)) => corner.0[1] = value,
            (42, Some(corner)) => corner.1 = value,
            _ => {}
        }
    }
    let is_closed = entity.whole(70) & 1 != 0 && corners.len() > 1;
    let first = corners.first().copied().filter(|_| is_closed);
    let mut points: Vec<[f64; 2]> = corners.first().map(|corner| corner.0).into_iter().collect();
    corners.extend(first);
    for pair in corners.windows(2) {
        let ((from, bulge), (to, _)) = (pair[0], pair[1]);
        if bulge != 0.0 {
            points.extend(bulged(from, to, bulge));
        }
        points.push(to);
    }
    points
}

/// Points between the ends of an arc whose bulge is the tangent of a quarter of its angle; positive turns to the left.
fn bulged(from: [f64; 2], to: [f64; 2], bulge: f64) -> Vec<[f64; 2]> {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let out = (1.0 - bulge * bulge) / (4.0 * bulge);
    let centre = [(from[0] + to[0]) / 2.0 - y * out, (from[1] + to[1]) / 2.0 + x * out];
    let (across, up) = (from[0] - centre[0], from[1] - centre[1]);
    let mut points = arc(centre, across.hypot(up), up.atan2(across), 4.0 * bulge.atan());
    points.pop();
    points.drain(..1.min(points.len()));
    points
}

/// Points of an arc from an angle on, both ends included.
fn arc(centre: [f64; 2], radius: f64, from: f64, angle: f64) -> Vec<[f64; 2]> {
    around(from, angle, |angle| [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()])
}

/// Points of an ellipse with this centre and end of its longer axis.
fn ellipse(entity: &Entity<'_>, centre: [f64; 2], axis: [f64; 2]) -> Option<Vec<[f64; 2]>> {
    let ratio = entity.number(40)?;
    let (from, to) = (entity.number(41).unwrap_or(0.0), entity.number(42).unwrap_or(TAU));
    Some(around(from, turn(from, to), |angle| {
        let (along, across) = (angle.cos(), ratio * angle.sin());
        [centre[0] + along * axis[0] - across * axis[1], centre[1] + along * axis[1] + across * axis[0]]
    }))
}

/// Points of a curve over an angle, in chords.
fn around(from: f64, angle: f64, point: impl Fn(f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    if !angle.is_finite() {
        return Vec::new();
    }
    let pieces = (angle.abs() / CHORD).ceil().clamp(1.0, 48.0) as u32;
    (0..=pieces).map(|piece| point(from + angle * f64::from(piece) / f64::from(pieces))).collect()
}

fn insert(entity: &Entity<'_>, [x, y]: [f64; 2], is_mirrored: bool) -> Option<Insert> {
    let block = entity.text(2)?.to_uppercase();
    let number = |code: i32, usual: f64| entity.number(code).unwrap_or(usual);
    let (across, up, angle) = (number(41, 1.0), number(42, 1.0), number(50, 0.0).to_radians());
    let (sine, cosine) = angle.sin_cos();
    let own = Affine([[cosine * across, -sine * up, x], [sine * across, cosine * up, y]]);
    let mirror = Affine([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let place = if is_mirrored { mirror.then(&own) } else { own };
    let repeated = [70, 71].map(|code| entity.whole(code).clamp(1, MOST_REPEATED));
    let spacing = [number(44, 0.0), number(45, 0.0)];
    let is_usable = place.0.iter().flatten().chain(&spacing).all(|value| value.abs() <= FARTHEST);
    is_usable.then_some(Insert { block, place, repeated, spacing })
}
