//! Geometry of a floor plan in units of length: rooms, bays and flows, shared by pictures, DXF and the window.

use crate::check::{Verdict, check};
use crate::{Instance, Layout, Limit, Orientation, Plan, Rectangle};
use gridwright_core::numbers::figure;

/// Decimals of lengths, areas and ratios in texts.
const DECIMALS: usize = 2;

/// Number of flows that a reader can tell apart in a picture.
const MOST_LINES: usize = 60;

/// Department with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Department index.
    pub department: u16,
    /// Indices of the bay and of the place in it; `None` in a layout of rectangles.
    pub place: Option<[u16; 2]>,
    /// Rectangle; y grows upwards.
    pub rectangle: Rectangle,
    /// True if a violation concerns the department.
    pub(crate) is_at_fault: bool,
}

/// Flow between two departments, or a department and a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flow {
    /// Ends, ascending: departments, and behind all of them doors.
    pub between: [usize; 2],
    /// Centroids of departments, or doors.
    pub ends: [(f64, f64); 2],
    /// Flow in both directions.
    pub(crate) volume: f64,
    /// Distance in the measure of the instance.
    pub distance: f64,
    /// Volume divided by the largest volume of the instance, 0…1.
    pub share: f64,
    /// Height of the arc of its line, in units of length; 0 for a straight line. Flows within a bay would otherwise
    /// overlap.
    bow: f64,
}

impl Flow {
    /// Points of its line: straight, or a parabola to the left of the direction from the first to the second end.
    pub fn path(&self) -> Vec<(f64, f64)> {
        const PIECES: u32 = 16;
        let [(x, y), (to_x, to_y)] = self.ends;
        let (across, along) = (to_x - x, to_y - y);
        let length = (across * across + along * along).sqrt();
        if self.bow == 0.0 || length == 0.0 {
            return self.ends.to_vec();
        }
        let point = |piece: u32| {
            let share = f64::from(piece) / f64::from(PIECES);
            let out = 4.0 * self.bow * share * (1.0 - share) / length;
            (x + across * share - along * out, y + along * share + across * out)
        };
        (0..=PIECES).map(point).collect()
    }

    /// Thickness of its line, proportional to the volume, between two widths.
    pub fn thickness(&self, thinnest: f64, thickest: f64) -> f64 {
        thinnest + (thickest - thinnest) * self.share
    }
}

/// Floor plan of a layout.
#[derive(Debug, Clone)]
pub struct Floor<'a> {
    /// Instance of the layout.
    pub instance: &'a Instance,
    /// Layout as given; unknown departments in it are not drawn.
    pub layout: &'a Layout,
    /// Rooms, bay by bay.
    pub rooms: Vec<Room>,
    /// Bays, in order.
    pub bays: Vec<Rectangle>,
    /// Unused strip behind the last bay; of a layout of rectangles the whole plant, of which they leave a part free.
    pub rest: Option<Rectangle>,
    /// All flows, smallest first, so that the largest are painted on top.
    pub flows: Vec<Flow>,
    /// Verdict of the checker.
    pub verdict: Verdict,
}

impl<'a> Floor<'a> {
    /// Computes the plan; departments may be missing in the layout.
    pub fn new(instance: &'a Instance, layout: &'a Layout) -> Self {
        let verdict = check(instance, layout);
        let known = |one: &u16| usize::from(*one) < instance.len();
        let clean = Layout {
            bays: layout.bays.iter().map(|bay| bay.iter().copied().filter(known).collect()).collect(),
            ..layout.clone()
        };
        let plan = Plan::new(instance, &clean);
        let mut rooms = Vec::with_capacity(instance.len());
        let mut add = |department: u16, place: Option<[u16; 2]>, rectangle: Rectangle| {
            let is_at_fault = verdict.concerned.binary_search(&department).is_ok();
            rooms.push(Room { department, place, rectangle, is_at_fault });
        };
        for (bay, departments) in clean.bays.iter().enumerate() {
            for (place, &department) in departments.iter().enumerate() {
                add(department, Some([bay as u16, place as u16]), plan.departments[usize::from(department)]);
            }
        }
        for placed in clean.rectangles.iter().filter(|placed| known(&placed.department)) {
            add(placed.department, None, placed.rectangle);
        }
        let placed = rooms.iter().fold(vec![false; instance.len()], |mut placed, room| {
            placed[usize::from(room.department)] = true;
            placed
        });
        let mut flows = flows(instance, &plan, &placed);
        bow(&mut flows, &rooms, layout.orientation);
        Self { instance, layout, rooms, rest: rest(instance, layout, &plan), bays: plan.bays, flows, verdict }
    }

    pub fn name(&self, department: u16) -> &'a str {
        self.instance.departments.get(usize::from(department)).map_or("", |one| one.name.as_str())
    }

    /// Describes a department: «Saw: 28, 7 × 4, 1.75 to 1, bay 2, place 1».
    pub fn describe(&self, room: &Room) -> String {
        let Rectangle { width, height, .. } = room.rectangle;
        let area = self.instance.departments[usize::from(room.department)].area;
        let [width, height, area, aspect] =
            [width, height, area, room.rectangle.aspect()].map(|value| figure(value, DECIMALS));
        let place =
            room.place.map_or_else(String::new, |[bay, place]| format!(", bay {}, place {}", bay + 1, place + 1));
        let limit = match self.instance.departments[usize::from(room.department)].limit {
            Limit::None => String::new(),
            Limit::Aspect(most) => format!(" (at most {})", figure(most, DECIMALS)),
            Limit::MinSide(least) => format!(" (no side below {})", figure(least, DECIMALS)),
            Limit::Range(low, high) => {
                format!(" (height / width {} to {})", figure(low, DECIMALS), figure(high, DECIMALS))
            }
        };
        format!("{}: {area}, {width} × {height}, {aspect} to 1{limit}{place}", self.name(room.department))
    }

    /// Default of the smallest volume drawn: the largest [`MOST_LINES`] flows, all or none of equal volume.
    pub(crate) fn usual_threshold(&self) -> f64 {
        match self.flows.len().checked_sub(MOST_LINES) {
            None | Some(0) => 0.0,
            // Of flows with equal volumes all or none are drawn.
            Some(hidden) => {
                let last = self.flows[hidden - 1].volume;
                self.flows[hidden..].iter().map(|flow| flow.volume).find(|&volume| volume > last).unwrap_or(last)
            }
        }
    }

    /// Flows of at least this volume, smallest first.
    pub(crate) fn flows_from(&self, threshold: f64) -> &[Flow] {
        let first = self.flows.partition_point(|flow| flow.volume < threshold);
        &self.flows[first..]
    }
}

fn flows(instance: &Instance, plan: &Plan, placed: &[bool]) -> Vec<Flow> {
    let all: Vec<(usize, usize, f64)> = instance.flowing_pairs().collect();
    let largest = all.iter().map(|pair| pair.2).fold(0.0, f64::max);
    let is_placed = |end: usize| placed.get(end).is_none_or(|placed| *placed);
    let drawn = all.into_iter().filter(|&(one, other, _)| is_placed(one) && is_placed(other));
    let flow = |(one, other, volume): (usize, usize, f64)| {
        let ends = [one, other].map(|end| instance.end_point(plan, end));
        let distance = instance.distance.between(ends[0].0 - ends[1].0, ends[0].1 - ends[1].1);
        Flow { between: [one, other], ends, volume, distance, share: volume / largest, bow: 0.0 }
    };
    let mut flows: Vec<Flow> = drawn.map(flow).collect();
    flows.sort_by(|one, other| one.volume.total_cmp(&other.volume).then(other.between.cmp(&one.between)));
    flows
}

/// Sets the arcs of flows between rooms of one bay that are not neighbours, higher for longer lines, within the bay.
fn bow(flows: &mut [Flow], rooms: &[Room], orientation: Orientation) {
    const SLENDER: f64 = 0.16;
    const WITHIN: f64 = 0.36;
    let of = |end: usize| rooms.iter().find(|room| usize::from(room.department) == end);
    for flow in flows {
        let [Some(one), Some(other)] = flow.between.map(of) else { continue };
        let (Some([bay, place]), Some([other_bay, other_place])) = (one.place, other.place) else { continue };
        if bay != other_bay || place.abs_diff(other_place) < 2 {
            continue;
        }
        let (across, length) = match orientation {
            Orientation::Vertical => (one.rectangle.width, (flow.ends[0].1 - flow.ends[1].1).abs()),
            Orientation::Horizontal => (one.rectangle.height, (flow.ends[0].0 - flow.ends[1].0).abs()),
        };
        flow.bow = (SLENDER * length).min(WITHIN * across);
    }
}

/// Strip behind the last bay, or the plant around rectangles, if more than rounding errors is left over.
fn rest(instance: &Instance, layout: &Layout, plan: &Plan) -> Option<Rectangle> {
    const LEAST: f64 = 1e-6;
    if layout.is_free() {
        let plant = Rectangle { x: 0.0, y: 0.0, width: instance.width, height: instance.height };
        let left = instance.usable_area() - instance.total_area();
        return (left > LEAST * plant.width * plant.height).then_some(plant);
    }
    let end = plan.bays.last().map_or((0.0, 0.0), |bay| (bay.x + bay.width, bay.y + bay.height));
    let (width, height) = (instance.width, instance.height);
    let rest = match layout.orientation {
        Orientation::Vertical => Rectangle { x: end.0, y: 0.0, width: width - end.0, height },
        Orientation::Horizontal => Rectangle { x: 0.0, y: end.1, width, height: height - end.1 },
    };
    (rest.width > LEAST * width && rest.height > LEAST * height).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Department;

    fn example() -> Instance {
        Instance { width: 7.0, ..Instance::example() }
    }

    /// A 3 × 8/3 over B 3 × 4/3, C 3 × 4; the plant is 1 wider than that.
    #[test]
    fn rooms_flows_and_what_is_left() {
        let instance = example();
        let layout = Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]);
        let floor = Floor::new(&instance, &layout);
        let places: Vec<(u16, Option<[u16; 2]>)> =
            floor.rooms.iter().map(|room| (room.department, room.place)).collect();
        assert_eq!(places, [(0, Some([0, 0])), (1, Some([0, 1])), (2, Some([1, 0]))]);
        assert_eq!(floor.describe(&floor.rooms[0]), "A: 8, 3 × 2.67, 1.13 to 1, bay 1, place 1");
        assert_eq!(floor.rest, Some(Rectangle { x: 6.0, y: 0.0, width: 1.0, height: 4.0 }));
        let volumes: Vec<([usize; 2], f64, f64)> =
            floor.flows.iter().map(|flow| (flow.between, flow.volume, flow.share)).collect();
        assert_eq!(volumes, [([1, 2], 1.0, 0.2), ([0, 1], 3.0, 0.6), ([0, 2], 5.0, 1.0)]);
        assert_eq!(floor.flows[1].distance, 2.0);
        assert_eq!((floor.usual_threshold(), floor.flows_from(3.0).len(), floor.flows_from(3.1).len()), (0.0, 2, 1));
        assert!((floor.flows[1].thickness(1.0, 6.0) - 4.0).abs() < 1e-12);
        let part = Layout { bays: vec![vec![0], vec![2, 9]], ..layout };
        let floor = Floor::new(&instance, &part);
        assert_eq!((floor.rooms.len(), floor.flows.len(), floor.verdict.feasible), (2, 1, false));
        let turned = Layout::of_bays(Orientation::Horizontal, vec![vec![0, 1, 2]]);
        let rest = Floor::new(&instance, &turned).rest.unwrap();
        assert!((rest.y - 24.0 / 7.0).abs() < 1e-12 && (rest.width, rest.x) == (7.0, 0.0));
    }

    /// A, B and C in one bay of 7 × 4: what flows from A past B to C bows out by 0.16 of its way, and lies in its bay.
    #[test]
    fn flows_past_a_neighbour_bow_out() {
        let mut instance = example();
        instance.width = 6.0;
        let layout = Layout::of_bays(Orientation::Vertical, vec![vec![0, 1, 2]]);
        let floor = Floor::new(&instance, &layout);
        let of = |between: [usize; 2]| *floor.flows.iter().find(|flow| flow.between == between).unwrap();
        assert_eq!((of([0, 1]).bow, of([0, 1]).path().len(), of([1, 2]).bow), (0.0, 2, 0.0));
        // A is 4/3 high, B 2/3, C 2: the way is 2/3 + 2/3 + 1 = 7/3.
        let past = of([0, 2]);
        assert!((past.bow - 0.16 * 7.0 / 3.0).abs() < 1e-12, "{}", past.bow);
        let path = past.path();
        for (end, point) in past.ends.iter().zip([path[0], path[16]]) {
            assert!((end.0 - point.0).abs() < 1e-12 && (end.1 - point.1).abs() < 1e-12);
        }
        assert!(((path[8].0 - 3.0).abs() - past.bow).abs() < 1e-12, "half way it is furthest out");
    }

    #[test]
    fn many_flows_have_a_threshold() {
        let n = 20;
        let mut instance = example();
        instance.departments =
            (0..n).map(|at| Department { name: at.to_string(), area: 1.0, ..Department::default() }).collect();
        instance.flows = vec![0.0; n * n];
        for one in 0..n {
            for other in one + 1..n {
                instance.flows[one * n + other] = ((one + other) % 4) as f64 + 1.0;
            }
        }
        let layout = Layout::of_bays(Orientation::Vertical, vec![(0..n as u16).collect()]);
        let floor = Floor::new(&instance, &layout);
        let shown = floor.flows_from(floor.usual_threshold());
        assert!(
            floor.flows.len() == 190 && shown.len() <= 60 && shown.iter().all(|flow| flow.volume == 4.0),
            "{}",
            shown.len()
        );
    }
}
