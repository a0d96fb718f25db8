//! Evaluation of encoded layouts, in one order of floating-point operations that all backends follow to the bit.
//!
//! Distances do not depend on the orientation of the plan, so a layout is evaluated in two coordinates: *across* the
//! bays and *along* them, both from 0. The order of additions in 64-bit floating point is
//!
//! 1. the area of a bay: its departments in order; its width is that divided by the length of bays;
//! 2. where bays begin: bay after bay; where departments begin: one after the other in their bay;
//! 3. the violation: the departments of a bay in order, then the bays in order, then locks, then pairs to be kept apart;
//! 4. the cost: the [`Terms`] in [`LANES`] lanes, each lane in order, then lane k + 8 onto lane k, k + 4, k + 2, k + 1,
//!    then the sum of the flows through doors in order.

use super::doors::DoorTerms;
use super::frame::{Frame, tolerance};
use super::genes::{department, ends};
use super::instance::TOLERANCE;
use super::relocations::Relocations;
use super::{Distance, Fixed, Instance, Limit, Orientation, Rectangle};

/// Number of partial sums of the cost.
pub(crate) const LANES: usize = 16;

/// Pairs whose flow × distance the cost sums up, grouped into rows of [`LANES`] lanes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Terms {
    /// For instances where most pairs have flow: department i with all j > i, lane j modulo [`LANES`]. `flows` is
    /// departments × stride, row-major, 0 where there is nothing to add.
    Dense {
        /// f_ij + f_ji above the diagonal.
        flows: Vec<f64>,
    },
    /// For sparse instances: the pairs with flow in ascending order, pair k in lane k modulo [`LANES`], padded with
    /// pairs without flow.
    Sparse {
        /// Department indices of each pair.
        pairs: Vec<[u16; 2]>,
        /// f_ij + f_ji of each pair.
        flows: Vec<f64>,
    },
}

/// Instance prepared for the searches, for bays of one orientation.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Orientation of the bays.
    pub orientation: Orientation,
    /// Length of every bay: height or width of the plant.
    pub length: f64,
    /// True for Euclidean distances, false for rectilinear ones.
    pub euclidean: bool,
    /// Area of each department.
    pub areas: Vec<f64>,
    /// Largest ratio along ÷ across per department; infinite without a limit.
    pub long: Vec<f64>,
    /// Largest ratio across ÷ along per department; infinite without a limit.
    pub wide: Vec<f64>,
    /// Smallest permitted side per department; 0 without a limit.
    pub side: Vec<f64>,
    /// Terms of the cost.
    pub(crate) terms: Terms,
    /// Number of departments rounded up to a multiple of [`LANES`].
    pub stride: usize,
    /// Locks: department, bay, place (`u16::MAX`: any place).
    pub locks: Vec<[u16; 3]>,
    /// Pairs of departments that must not share a wall.
    pub apart: Vec<[u16; 2]>,
    /// Places that departments must keep. Devices do not know them.
    pub fixed: Vec<Target>,
    /// Longest deviation from such a place.
    pub reach: f64,
    /// Rated pairs and what the cost of a layout grows by if they do not share a wall, or, for a negative amount, if they do.
    /// Devices do not know them.
    pub closeness: Vec<(u16, u16, f64)>,
    /// Flows through doors. Devices do not know them.
    pub(crate) doors: DoorTerms,
    /// Priced places of today's layout. Devices do not know them.
    pub(crate) relocations: Relocations,
    /// What can be rearranged around these places; with it a layout that misses one is infinitely bad.
    pub frame: Option<Frame>,
}

/// Place that a department must keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// Department index.
    pub department: usize,
    /// Centroid across the bays; infinite for a place in bays of the other orientation.
    pub across: f64,
    /// Centroid along the bays.
    pub along: f64,
    /// Size along the bays.
    pub size: f64,
}

impl Target {
    fn of(instance: &Instance, fixed: &Fixed, orientation: Orientation) -> Self {
        let department = usize::from(fixed.department);
        let ((x, y), Rectangle { width, height, .. }) = (fixed.rectangle.centre(), fixed.rectangle);
        match fixed.orientation {
            other if other != orientation => Self { department, across: f64::INFINITY, along: 0.0, size: 0.0 },
            // Departments follow each other from the top.
            Orientation::Vertical => Self { department, across: x, along: instance.height - y, size: height },
            Orientation::Horizontal => Self { department, across: y, along: x, size: width },
        }
    }
}

/// Cost and violation of a layout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Sum over all violated constraints of 1 plus the relative excess (see [`Problem::evaluate`]); 0 if the layout is
    /// feasible.
    pub violation: f64,
    /// Material handling cost, and the cost of moving away from today's layout.
    pub cost: f64,
}

impl Score {
    /// Worse than the score of every layout.
    pub const WORST: Self = Self { violation: f64::INFINITY, cost: f64::INFINITY };

    /// Lexicographic order: smaller violation, then smaller cost.
    #[inline(always)]
    pub fn is_better(&self, other: &Self) -> bool {
        self.violation < other.violation || (self.violation == other.violation && self.cost < other.cost)
    }

    /// Best of some scores, the first among equals; [`Self::WORST`] of none.
    pub(crate) fn best_of<'a>(scores: impl IntoIterator<Item = &'a Self>) -> Self {
        scores.into_iter().fold(Self::WORST, |best, score| if score.is_better(&best) { *score } else { best })
    }

    /// Penalised cost for convergence curves and targets: cost + violation · `unit`, where `unit` is the mean cost of
    /// random layouts.
    pub fn told(&self, unit: f64) -> f64 {
        self.cost + self.violation * unit
    }

    /// Returns `true` if no constraint is violated.
    pub fn is_feasible(&self) -> bool {
        self.violation == 0.0
    }
}

/// Scratch space of an evaluation: coordinates of the departments.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Centroid of each department across the bays; length = stride.
    pub across: Vec<f64>,
    /// Centroid of each department along the bays; length = stride.
    pub along: Vec<f64>,
    /// Bay and place in the bay of each department; empty without user constraints.
    pub at: Vec<[u16; 2]>,
    /// Size of each department along its bay; empty without user constraints.
    pub size: Vec<f64>,
}

impl Places {
    /// Returns `true` if two departments share a wall.
    fn touch(&self, one: u16, other: u16) -> bool {
        let (one, other) = (usize::from(one), usize::from(other));
        let ([bay, place], [other_bay, other_place]) = (self.at[one], self.at[other]);
        match bay.abs_diff(other_bay) {
            0 => place.abs_diff(other_place) == 1,
            1 => {
                let reach = (self.size[one] + self.size[other]) / 2.0;
                (self.along[one] - self.along[other]).abs() < reach - TOLERANCE
            }
            _ => false,
        }
    }
}

impl Problem {
    /// Prepares an instance for bays of one orientation.
    pub fn new(instance: &Instance, orientation: Orientation) -> Self {
        let n = instance.len();
        let stride = n.div_ceil(LANES) * LANES;
        let (mut long, mut wide, mut side) = (vec![f64::INFINITY; n], vec![f64::INFINITY; n], vec![0.0; n]);
        for (at, department) in instance.departments.iter().enumerate() {
            match department.limit {
                Limit::None => {}
                Limit::Aspect(most) => (long[at], wide[at]) = (most, most),
                Limit::MinSide(least) => side[at] = least,
                // Height over width: along over across where bays are vertical.
                Limit::Range(low, high) => {
                    (long[at], wide[at]) = match orientation {
                        Orientation::Vertical => (high, 1.0 / low),
                        Orientation::Horizontal => (1.0 / low, high),
                    };
                }
            }
        }
        let rules = &instance.rules;
        Self {
            orientation,
            length: match orientation {
                Orientation::Vertical => instance.height,
                Orientation::Horizontal => instance.width,
            },
            euclidean: instance.distance == Distance::Euclidean,
            areas: instance.departments.iter().map(|department| department.area).collect(),
            long,
            wide,
            side,
            terms: Terms::new(instance, stride),
            stride,
            locks: rules.locks.iter().map(|lock| [lock.department, lock.bay, lock.place.unwrap_or(u16::MAX)]).collect(),
            apart: rules.apart.iter().map(|&(one, other)| [one, other]).collect(),
            fixed: rules.fixed.iter().map(|fixed| Target::of(instance, fixed, orientation)).collect(),
            reach: tolerance(instance),
            closeness: Vec::new(),
            doors: DoorTerms::in_bays(instance, orientation),
            relocations: Relocations::in_bays(instance, orientation),
            frame: Frame::of(instance, orientation),
        }
    }

    /// The problem with a price for each point that a layout lacks of the best closeness score.
    #[must_use]
    pub(crate) fn with_closeness(mut self, instance: &Instance, price: f64) -> Self {
        let rated =
            instance.closeness.iter().map(|&(one, other, rating)| (one, other, price * instance.weights.of(rating)));
        self.closeness = rated.filter(|rated| rated.2 != 0.0).collect();
        self
    }

    /// Number of departments.
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Returns `true` if there are no departments.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Allocates the scratch space of [`Problem::evaluate`].
    pub fn places(&self) -> Places {
        let rules = if self.has_rules() { self.len() } else { 0 };
        Places {
            across: vec![0.0; self.stride],
            along: vec![0.0; self.stride],
            at: vec![[0; 2]; rules],
            size: vec![0.0; rules],
        }
    }

    /// Returns `true` if there are locks, pairs to be kept apart, priced ratings or prices of moving.
    #[inline(always)]
    fn has_rules(&self) -> bool {
        !self.locks.is_empty()
            || !self.apart.is_empty()
            || !self.fixed.is_empty()
            || !self.closeness.is_empty()
            || !self.relocations.is_empty()
    }

    /// Evaluates genes of all departments. A violated shape limit adds actual / permitted ratio (at least 1), a broken
    /// lock 1 + ¼ per missed bay or place, a shared wall of a forbidden pair 1.
    #[inline(always)]
    pub fn evaluate(&self, genes: &[u16], places: &mut Places) -> Score {
        let violation = self.place(genes, places);
        let mut cost = self.cost(places);
        if !self.relocations.is_empty() {
            cost += self.moving(places);
        }
        Score { violation, cost: if self.closeness.is_empty() { cost } else { cost + self.lacking(places) } }
    }

    /// Cost of moving away from today's layout.
    fn moving(&self, places: &Places) -> f64 {
        self.relocations.cost(|one| {
            let along = places.size[one];
            [places.across[one], places.along[one], self.areas[one] / along, along]
        })
    }

    /// Places all departments; returns the total violation.
    #[inline(always)]
    fn place(&self, genes: &[u16], places: &mut Places) -> f64 {
        let n = genes.len();
        let (mut first, mut left, mut violation, mut bay) = (0, 0.0, 0.0, 0);
        while first < n {
            let (mut last, mut area) = (first, 0.0);
            loop {
                area += self.areas[department(genes[last])];
                if ends(genes[last]) || last + 1 == n {
                    break;
                }
                last += 1;
            }
            let across = area / self.length;
            let centre = left + across / 2.0;
            let (mut top, mut violated) = (0.0, 0.0);
            for (place, &gene) in genes[first..=last].iter().enumerate() {
                let one = department(gene);
                let along = self.areas[one] / across;
                places.across[one] = centre;
                places.along[one] = top + along / 2.0;
                top += along;
                violated += self.violation(one, across, along);
                if self.has_rules() {
                    places.at[one] = [bay, place as u16];
                    places.size[one] = along;
                }
            }
            violation += violated;
            left += across;
            first = last + 1;
            bay += 1;
        }
        if self.has_rules() { violation + self.broken(places) } else { violation }
    }

    /// Shape violation of one department with sides `across` and `along`: 0 within the limit, else actual / permitted
    /// ratio.
    #[inline(always)]
    pub(crate) fn violation(&self, one: usize, across: f64, along: f64) -> f64 {
        let (long, wide, side) = (self.long[one], self.wide[one], self.side[one]);
        let mut violation = 0.0;
        if along > across * (long + TOLERANCE) {
            violation += along / (across * long);
        }
        if across > along * (wide + TOLERANCE) {
            violation += across / (along * wide);
        }
        let shorter = if along < across { along } else { across };
        if shorter < side - TOLERANCE {
            violation += side / shorter;
        }
        violation
    }

    /// Violation of the user constraints: 1 per lock or pair, plus ¼ per bay or place by which a lock is missed, plus the
    /// deviation from a locked rectangle in plant sides, at most 1; infinite if such a rectangle could have been kept.
    #[inline(never)]
    fn broken(&self, places: &Places) -> f64 {
        let mut broken = 0.0;
        for &[one, bay, place] in &self.locks {
            let [is_bay, is_place] = places.at[usize::from(one)];
            let mut missed = u32::from(bay.abs_diff(is_bay));
            if place != u16::MAX {
                missed += u32::from(place.abs_diff(is_place));
            }
            if missed > 0 {
                broken += 1.0 + f64::from(missed) / 4.0;
            }
        }
        for &[one, other] in &self.apart {
            if places.touch(one, other) {
                broken += 1.0;
            }
        }
        for target in &self.fixed {
            let at = target.department;
            let deviations = [
                places.across[at] - target.across,
                places.along[at] - target.along,
                // A side differs twice as much as a centroid.
                (places.size[at] - target.size) / 2.0,
            ];
            let missed = deviations.into_iter().fold(0.0_f64, |most, by| most.max(by.abs()));
            if missed > self.reach {
                let share = (missed * TOLERANCE / self.reach).min(1.0);
                broken += if self.frame.is_some() { f64::INFINITY } else { 1.0 + share };
            }
        }
        broken
    }

    /// Price of what the layout lacks of the best closeness score.
    #[inline(never)]
    pub fn lacking(&self, places: &Places) -> f64 {
        let lacks = |&&(one, other, price): &&(u16, u16, f64)| places.touch(one, other) == (price < 0.0);
        self.closeness.iter().filter(lacks).map(|rated| rated.2.abs()).sum()
    }

    /// Σ f_ij · d_ij, and the flows through doors.
    #[inline(always)]
    pub(crate) fn cost(&self, places: &Places) -> f64 {
        let mut sums = [0.0; LANES];
        match (&self.terms, self.euclidean) {
            (Terms::Dense { flows }, false) => self.dense::<false>(flows, places, &mut sums),
            (Terms::Dense { flows }, true) => self.dense::<true>(flows, places, &mut sums),
            (Terms::Sparse { pairs, flows }, false) => sparse::<false>(pairs, flows, places, &mut sums),
            (Terms::Sparse { pairs, flows }, true) => sparse::<true>(pairs, flows, places, &mut sums),
        }
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        if self.doors.is_empty() { sums[0] } else { sums[0] + self.through_doors(places) }
    }

    /// Cost of the flows through doors.
    fn through_doors(&self, places: &Places) -> f64 {
        let distance = if self.euclidean { Distance::Euclidean } else { Distance::Rectilinear };
        self.doors.cost(distance, &places.across, &places.along)
    }

    #[inline(always)]
    fn dense<const EUCLIDEAN: bool>(&self, flows: &[f64], places: &Places, sums: &mut [f64; LANES]) {
        let (across, along) = (&places.across[..self.stride], &places.along[..self.stride]);
        for one in 0..self.areas.len() {
            let (x, y) = (across[one], along[one]);
            // Nothing follows before the row of lanes in which the next department is.
            let first = (one + 1) / LANES * LANES;
            let row = &flows[one * self.stride..(one + 1) * self.stride];
            let rows = across[first..].chunks_exact(LANES).zip(along[first..].chunks_exact(LANES));
            for ((xs, ys), flow) in rows.zip(row[first..].chunks_exact(LANES)) {
                for lane in 0..LANES {
                    sums[lane] += flow[lane] * distance::<EUCLIDEAN>(x - xs[lane], y - ys[lane]);
                }
            }
        }
    }
}

#[inline(always)]
fn sparse<const EUCLIDEAN: bool>(pairs: &[[u16; 2]], flows: &[f64], places: &Places, sums: &mut [f64; LANES]) {
    let (across, along) = (&places.across, &places.along);
    for (pairs, flows) in pairs.chunks_exact(LANES).zip(flows.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let [one, other] = pairs[lane].map(usize::from);
            sums[lane] += flows[lane] * distance::<EUCLIDEAN>(across[one] - across[other], along[one] - along[other]);
        }
    }
}

#[inline(always)]
fn distance<const EUCLIDEAN: bool>(across: f64, along: f64) -> f64 {
    if EUCLIDEAN { (across * across + along * along).sqrt() } else { across.abs() + along.abs() }
}

impl Terms {
    fn new(instance: &Instance, stride: usize) -> Self {
        let n = instance.len();
        let pairs_of = |one: usize| (one + 1..n).map(move |other| [one as u16, other as u16]);
        let mut pairs: Vec<[u16; 2]> = (0..n).flat_map(pairs_of).collect();
        let flow = |[one, other]: [u16; 2]| instance.flow(usize::from(one), usize::from(other));
        let all = pairs.len();
        pairs.retain(|&pair| flow(pair) > 0.0);
        if pairs.len() * 2 > all {
            let mut flows = vec![0.0; n * stride];
            for &[one, other] in &pairs {
                flows[usize::from(one) * stride + usize::from(other)] = flow([one, other]);
            }
            return Self::Dense { flows };
        }
        let mut flows: Vec<f64> = pairs.iter().map(|&pair| flow(pair)).collect();
        let rows = pairs.len().div_ceil(LANES) * LANES;
        pairs.resize(rows, [0, 0]);
        flows.resize(rows, 0.0);
        Self::Sparse { pairs, flows }
    }
}
