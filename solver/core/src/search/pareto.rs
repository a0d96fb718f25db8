//! Multi-objective tools: dominance, archives of non-dominated points, and quality indicators of point sets.
//!
//! All objectives are minimised. A point p dominates q, p ≺ q, if p_i ≤ q_i for all objectives i and p ≠ q. Unused
//! objectives are 0 in all points.
//!
//! Source of the indicators: E. Zitzler, L. Thiele, M. Laumanns, C. M. Fonseca, V. Grunert da Fonseca, «Performance
//! assessment of multiobjective optimizers: an analysis and review», IEEE Transactions on Evolutionary Computation 7(2),
//! 2003.

mod archive;
pub mod history;

pub use archive::Archive;

/// Largest number of objectives.
pub const MAX_OBJECTIVES: usize = 4;

/// Objective values; integers, smaller is better.
pub type Point = [u64; MAX_OBJECTIVES];

/// Returns `true` if p ≼ q: p is nowhere worse than q (weak dominance).
#[inline(always)]
pub fn covers(p: &Point, q: &Point) -> bool {
    // Branch-free: four comparisons in parallel.
    p.iter().zip(q).fold(true, |nowhere_worse, (p, q)| nowhere_worse & (p <= q))
}

/// Returns `true` if p ≺ q: p is nowhere worse than q and somewhere better.
#[inline(always)]
pub fn dominates(p: &Point, q: &Point) -> bool {
    covers(p, q) && p != q
}

/// Returns `true` if one of the points equals or dominates `point`.
#[inline(always)]
pub fn is_covered(points: &[Point], point: &Point) -> bool {
    points.iter().any(|one| covers(one, point))
}

/// Number type of volumes: integer (exact) or real.
pub trait Measure:
    Copy + PartialOrd + std::ops::Sub<Output = Self> + std::ops::Mul<Output = Self> + std::ops::AddAssign
{
    /// Zero.
    const ZERO: Self;
}

impl Measure for u128 {
    const ZERO: Self = 0;
}

impl Measure for f64 {
    const ZERO: Self = 0.0;
}

/// Hypervolume: volume of the space dominated by `points` and bounded by `reference`, in the first `objectives`
/// objectives.
///
/// Exact for integers if the volume of the box from 0 to `reference` fits the type. Points that do not dominate the
/// reference contribute nothing. One and two objectives take a sort; three a sort and a staircase (n² in the worst
/// case, typically n log n); four the sum of the contributions to a three-dimensional volume.
pub fn hypervolume<N: Measure>(
    points: &[[N; MAX_OBJECTIVES]], objectives: usize, reference: &[N; MAX_OBJECTIVES],
) -> N {
    let inside = |point: &&[N; MAX_OBJECTIVES]| (0..objectives).all(|axis| point[axis] < reference[axis]);
    // Measured from the reference, every point spans a box at the origin.
    let boxes = points.iter().filter(inside).map(|point| {
        std::array::from_fn(|axis| if axis < objectives { reference[axis] - point[axis] } else { N::ZERO })
    });
    let mut boxes: Vec<[N; MAX_OBJECTIVES]> = boxes.collect();
    volume(&mut boxes, objectives)
}

/// Volume of the union of boxes between the origin and these corners.
fn volume<N: Measure>(corners: &mut [[N; MAX_OBJECTIVES]], objectives: usize) -> N {
    let largest = |a: N, b: N| if a < b { b } else { a };
    match objectives {
        0 => N::ZERO,
        1 => corners.iter().fold(N::ZERO, |most, corner| largest(most, corner[0])),
        2 => {
            descending(corners, 0);
            let (mut area, mut height) = (N::ZERO, N::ZERO);
            for corner in corners.iter().filter(|corner| corner[1] > N::ZERO) {
                if corner[1] > height {
                    area += corner[0] * (corner[1] - height);
                    height = corner[1];
                }
            }
            area
        }
        3 => {
            descending(corners, 2);
            let mut stairs = Staircase::default();
            let mut volume = N::ZERO;
            for (number, corner) in corners.iter().enumerate() {
                stairs.add(corner[0], corner[1]);
                let below = corners.get(number + 1).map_or(N::ZERO, |next| next[2]);
                volume += stairs.area * (corner[2] - below);
            }
            volume
        }
        _ => {
            let last = objectives - 1;
            descending(corners, last);
            // Slice by slice; the volume of a slice grows by the contribution of each corner.
            let (mut slice, mut kept) = (N::ZERO, Vec::new());
            let mut volume = N::ZERO;
            for (number, corner) in corners.iter().enumerate() {
                slice += gain(&mut kept, corner, last);
                let below = corners.get(number + 1).map_or(N::ZERO, |next| next[last]);
                volume += slice * (corner[last] - below);
            }
            volume
        }
    }
}

/// Contribution of a box to the union of the kept ones, in the first `objectives` objectives; keeps the box and drops
/// those it covers.
fn gain<N: Measure>(kept: &mut Vec<[N; MAX_OBJECTIVES]>, corner: &[N; MAX_OBJECTIVES], objectives: usize) -> N {
    let inside = |a: &[N; MAX_OBJECTIVES], b: &[N; MAX_OBJECTIVES]| (0..objectives).all(|axis| a[axis] <= b[axis]);
    if kept.iter().any(|other| inside(corner, other)) {
        return N::ZERO;
    }
    // Intersections with other boxes, without those inside another intersection.
    let mut shared: Vec<[N; MAX_OBJECTIVES]> = Vec::new();
    for other in kept.iter() {
        let part: [N; MAX_OBJECTIVES] =
            std::array::from_fn(|axis| if other[axis] < corner[axis] { other[axis] } else { corner[axis] });
        if !shared.iter().any(|one| inside(&part, one)) {
            shared.retain(|one| !inside(one, &part));
            shared.push(part);
        }
    }
    kept.retain(|other| !inside(other, corner));
    kept.push(*corner);
    let whole = corner[1..objectives].iter().fold(corner[0], |product, &side| product * side);
    whole - volume(&mut shared, objectives)
}

fn descending<N: Measure>(corners: &mut [[N; MAX_OBJECTIVES]], axis: usize) {
    // NaN cannot occur in points that dominate a reference.
    corners.sort_by(|a, b| b[axis].partial_cmp(&a[axis]).unwrap_or(std::cmp::Ordering::Equal));
}

/// Union of rectangles between the origin and corners with falling widths and rising heights.
#[derive(Debug)]
pub struct Staircase<N> {
    steps: Vec<(N, N)>,
    area: N,
}

impl<N: Measure> Default for Staircase<N> {
    fn default() -> Self {
        Self { steps: Vec::new(), area: N::ZERO }
    }
}

impl<N: Measure> Staircase<N> {
    /// Area of the union.
    pub fn area(&self) -> N {
        self.area
    }

    /// Adds a rectangle.
    pub fn add(&mut self, width: N, height: N) {
        // Steps before this one are wider.
        let first = self.steps.partition_point(|step| step.0 > width);
        // A step at least as wide and high covers the new one; at most one step is equally wide.
        let equal = self.steps.get(first).is_some_and(|step| step.0 >= width && step.1 >= height);
        if equal || (first > 0 && self.steps[first - 1].1 >= height) {
            return;
        }
        let mut last = first;
        let mut floor = if first > 0 { self.steps[first - 1].1 } else { N::ZERO };
        // Steps that are neither wider nor higher disappear.
        while let Some(step) = self.steps.get(last).filter(|step| step.1 <= height) {
            self.area += (width - step.0) * (step.1 - floor);
            floor = step.1;
            last += 1;
        }
        // The remainder stands on the narrower, higher steps behind.
        let beside = self.steps.get(last).map_or(N::ZERO, |step| step.0);
        self.area += (width - beside) * (height - floor);
        self.steps.splice(first..last, [(width, height)]);
    }
}

/// Additive ε-indicator I_ε+: smallest ε such that every point of `reference` is weakly dominated by a point of `set`
/// improved by ε in every objective; `None` if a set is empty.
///
/// I_ε+(A, R) = max_{r ∈ R} min_{a ∈ A} max_i (a_i − r_i).
pub fn additive_epsilon(
    set: &[[f64; MAX_OBJECTIVES]], reference: &[[f64; MAX_OBJECTIVES]], objectives: usize,
) -> Option<f64> {
    let worse = |a: &[f64; MAX_OBJECTIVES], r: &[f64; MAX_OBJECTIVES]| {
        (0..objectives).map(|axis| a[axis] - r[axis]).fold(f64::NEG_INFINITY, f64::max)
    };
    if set.is_empty() || objectives == 0 {
        return None;
    }
    reference.iter().map(|r| set.iter().map(|a| worse(a, r)).fold(f64::INFINITY, f64::min)).reduce(f64::max)
}

/// Reference coordinate of hypervolumes of points normalised to [1, 2].
pub const NORMALISED_REFERENCE: f64 = 2.1;

/// Normalises points so that `low` becomes 1 and `high` becomes 2 in every objective; if both are equal, the range
/// counts as 1.
pub fn normalised(points: &[Point], objectives: usize, low: &Point, high: &Point) -> Vec<[f64; MAX_OBJECTIVES]> {
    let of = |point: &Point| {
        std::array::from_fn(|axis| {
            if axis >= objectives {
                return 0.0;
            }
            let range = (high[axis].max(low[axis] + 1) - low[axis]) as f64;
            1.0 + (point[axis] as f64 - low[axis] as f64) / range
        })
    };
    points.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
