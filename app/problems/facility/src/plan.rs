//! Layout with positions of the departments, costs and violations.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use gridwright_core::numbers::figure;
use gridwright_facility::building::outline::outline;
use gridwright_facility::check::{Verdict, check};
use gridwright_facility::instance::TOLERANCE;
use gridwright_facility::{
    Department, Instance, Layout, Limit, Orientation, Part, PartKind, Plan as Places, Rectangle, Unit,
};

use super::moves::place_of;
use crate::widgets::floorplan::{
    Bay, Door, Hold, Link, Obstacle, Picture, Region, Room, Site, Wrong, length, length_in,
};

/// Two departments, or a department and a door, with flow between them. The index of a door is that behind all departments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The one of them that comes first in the instance.
    pub from: usize,
    /// The other one.
    pub to: usize,
    /// Flow in both directions.
    pub flow: f64,
    /// The distance of their centroids, or of a centroid from a door, in units of length.
    pub distance: f64,
}

impl Pair {
    /// Contribution of the pair to the material handling cost: flow × distance.
    pub fn cost(&self) -> f64 {
        self.flow * self.distance
    }

    /// The other one of the two; nothing where this department is none of them.
    pub fn other(&self, department: usize) -> Option<usize> {
        match department {
            one if one == self.from => Some(self.to),
            one if one == self.to => Some(self.from),
            _ => None,
        }
    }
}

/// Layout with its picture and the checker's verdict.
#[derive(Debug)]
pub struct Plan {
    /// The departments bay by bay, or their rectangles.
    pub layout: Arc<Layout>,
    /// Positions and sizes of the departments.
    pub places: Places,
    /// The checker's verdict by the present rules.
    pub verdict: Verdict,
    /// Layout as it is painted.
    pub picture: Picture,
    pairs: OnceLock<Vec<Pair>>,
}

impl Plan {
    /// Computes the plan of a layout of all departments; `links` are [`links`] of the instance.
    pub fn of(instance: &Instance, layout: Arc<Layout>, links: Arc<[Link]>) -> Self {
        let verdict = check(instance, &layout);
        let places = Places::new(instance, &layout);
        let picture = picture(instance, &layout, &places, &verdict, links);
        Self { layout, places, verdict, picture, pairs: OnceLock::new() }
    }

    /// The cost of transport and of moving, as the checker counts it.
    pub fn cost(&self) -> f64 {
        self.verdict.cost
    }

    /// All pairs with flow, the dearest first.
    pub fn pairs(&self, instance: &Instance) -> &[Pair] {
        self.pairs.get_or_init(|| {
            let links = self.picture.links.iter();
            let mut pairs: Vec<Pair> = links
                .map(|link| {
                    let distance = distance(instance, &self.places, link.from, link.to);
                    Pair { from: link.from, to: link.to, flow: link.weight, distance }
                })
                .collect();
            pairs.sort_by(|one, other| other.cost().total_cmp(&one.cost()));
            pairs
        })
    }

    /// The bay of a department and its place in it; `None` if the department is in no bay.
    pub fn place(&self, department: usize) -> Option<(usize, usize)> {
        place_of(&self.layout, u16::try_from(department).ok()?)
    }

    /// The departments that violations speak of, by name.
    pub(crate) fn concerned<'a>(&self, instance: &'a Instance) -> Vec<&'a str> {
        let name = |one: &u16| instance.departments.get(usize::from(*one)).map(|department| department.name.as_str());
        self.verdict.concerned.iter().filter_map(name).collect()
    }

    /// The largest ratio of two sides, of departments that are no free floor.
    pub fn longest(&self, instance: &Instance) -> f64 {
        let all = instance.departments.iter().zip(&self.places.departments);
        all.filter(|(department, _)| !department.dummy).map(|(_, place)| place.aspect()).fold(1.0, f64::max)
    }

    /// Returns `true` if two departments share a wall, beyond a corner.
    pub fn are_adjacent(&self, one: usize, other: usize) -> bool {
        let [a, b] = [one, other].map(|at| self.places.departments[at]);
        let overlap =
            |from: f64, size: f64, other: f64, other_size: f64| (from + size).min(other + other_size) - from.max(other);
        let x = overlap(a.x, a.width, b.x, b.width);
        let y = overlap(a.y, a.height, b.y, b.height);
        x.min(y).abs() <= TOLERANCE && x.max(y) > TOLERANCE
    }

    /// Returns `true` if a closeness rating is satisfied: X wants two departments apart, all others beside each other.
    pub fn meets(&self, one: usize, other: usize, rating: char) -> bool {
        self.are_adjacent(one, other) != (rating == 'X')
    }
}

/// Distance of two ends of flows, by the metric of the instance.
fn distance(instance: &Instance, places: &Places, one: usize, other: usize) -> f64 {
    let [(x, y), (other_x, other_y)] = [one, other].map(|end| instance.end_point(places, end));
    instance.distance.between(x - other_x, y - other_y)
}

/// All flows of an instance as lines, the strongest first.
pub fn links(instance: &Instance) -> Arc<[Link]> {
    let mut links: Vec<Link> = instance.flowing_pairs().map(|(from, to, weight)| Link { from, to, weight }).collect();
    links.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    links.into()
}

/// Returns `true` if every department is in the layout exactly once.
pub fn is_whole(instance: &Instance, layout: &Layout) -> bool {
    let mut seen = vec![false; instance.len()];
    let once = |one: u16| seen.get_mut(usize::from(one)).is_some_and(|seen| !std::mem::replace(seen, true));
    layout.departments().all(once) && seen.iter().all(|seen| *seen)
}

fn picture(instance: &Instance, layout: &Layout, places: &Places, verdict: &Verdict, links: Arc<[Link]>) -> Picture {
    static REVISION: AtomicU64 = AtomicU64::new(1);
    let region = |place: &Rectangle| Region { x: place.x, y: place.y, width: place.width, height: place.height };
    let kept = instance.kept_places();
    let held = |at: usize| {
        if kept.iter().any(|placed| usize::from(placed.department) == at) {
            return Some(Hold::Place);
        }
        let lock = instance.rules.locks.iter().find(|lock| usize::from(lock.department) == at)?;
        Some(if lock.place.is_some() { Hold::Place } else { Hold::Bay })
    };
    let departments = instance.departments.iter().zip(&places.departments).enumerate();
    let rooms = departments.map(|(at, (department, place))| Room {
        name: department.name.clone(),
        region: region(place),
        tone: at,
        free: department.dummy,
        wrong: wrong(department, place, instance.unit).or_else(|| {
            let violation = verdict.violations.iter().find(|violation| violation.departments.contains(&(at as u16)))?;
            Some(Wrong { short: "against a rule".to_owned(), text: violation.text.clone() })
        }),
        held: held(at),
    });
    let bays = layout.bays.iter().zip(&places.bays);
    Picture {
        revision: REVISION.fetch_add(1, Ordering::Relaxed),
        size: [instance.width, instance.height],
        unit: instance.unit,
        upright: layout.orientation == Orientation::Vertical,
        rooms: rooms.collect(),
        bays: bays
            .map(|(bay, place)| Bay { region: region(place), rooms: bay.iter().map(|&one| one.into()).collect() })
            .collect(),
        links,
        site: site(instance),
    }
}

/// Fixed things, walls and doors of the plant.
fn site(instance: &Instance) -> Site {
    let parts = &instance.building.parts;
    let obstacle = |part: &Part| {
        let Rectangle { x, y, width, height } = part.rectangle;
        let (region, outside) = (Region { x, y, width, height }, part.kind == PartKind::Outside);
        Obstacle { name: part.name.clone(), region, outside }
    };
    let obstacles: Vec<Obstacle> = parts.iter().map(obstacle).collect();
    let has_outside = obstacles.iter().any(|obstacle| obstacle.outside);
    let corners = |wall: Vec<(f64, f64)>| wall.into_iter().map(|(x, y)| [x, y]).collect();
    let outline = if has_outside { outline(instance).into_iter().map(corners).collect() } else { Vec::new() };
    let doors = instance.doors.iter().map(|door| Door { name: door.name.clone(), at: [door.x, door.y] }).collect();
    Site { obstacles, outline, doors }
}

/// Returns the violation of a department's limit of shape, if there is one.
pub fn wrong(department: &Department, place: &Rectangle, unit: Option<Unit>) -> Option<Wrong> {
    let aspect = place.aspect();
    let shorter = place.width.min(place.height);
    let ratio = place.height / place.width;
    match department.limit {
        Limit::Aspect(most) if aspect > most + TOLERANCE => Some(Wrong {
            short: format!("{} > {}", length(aspect), length(most)),
            text: format!("its sides are as {} to 1, at most {} to 1 is allowed", length(aspect), length(most)),
        }),
        Limit::MinSide(least) if shorter < least - TOLERANCE => Some(Wrong {
            short: format!("{} < {}", length(shorter), length(least)),
            text: format!("a side of {}, at least {} is allowed", length_in(unit, shorter), length_in(unit, least)),
        }),
        Limit::Range(low, high) if ratio < low - TOLERANCE || ratio > high + TOLERANCE => Some(Wrong {
            short: format!("h : w {}", length(ratio)),
            text: format!("{} times as high as wide, {} to {} is allowed", length(ratio), length(low), length(high)),
        }),
        _ => None,
    }
}

/// Describes the shapes that a limit allows; `None` if all are allowed.
pub(crate) fn limit_words(limit: Limit, unit: Option<Unit>) -> Option<String> {
    match limit {
        Limit::None => None,
        Limit::Aspect(most) => Some(format!("at most {}", length(most))),
        Limit::MinSide(least) => Some(format!("shorter side at least {}", length_in(unit, least))),
        Limit::Range(low, high) => Some(format!("height : width {} to {}", length(low), length(high))),
    }
}

/// A cost as the window shows it: at most two decimals, one from 10 000 and none from 100 000 on.
pub(crate) fn cost_words(cost: f64) -> String {
    let decimals = match cost.abs() {
        size if size >= 100_000.0 => 0,
        size if size >= 10_000.0 => 1,
        _ => 2,
    };
    figure(cost, decimals)
}

/// Relative difference of a value to an earlier one, in per cent: «−2.3 %».
pub(crate) fn change_words(now: f64, before: f64) -> String {
    if before == 0.0 {
        return if now == 0.0 { "±0 %".to_owned() } else { "new".to_owned() };
    }
    let percent = 100.0 * (now / before - 1.0);
    let digits = if percent.abs() < 0.095 { 2 } else { 1 };
    let words = format!("{percent:+.digits$} %").replace('-', "−");
    if words.chars().any(|letter| ('1'..='9').contains(&letter)) { words } else { "±0 %".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_with_doors_add_up_to_the_cost() {
        let mut instance = gridwright_facility::library::sample("layout-workshop").unwrap();
        instance.doors = vec![gridwright_facility::Door { name: "Dock".to_owned(), x: 24.0, y: 4.0 }];
        let way = gridwright_facility::Way::Out;
        instance.door_flows = vec![gridwright_facility::DoorFlow { department: 11, door: 0, amount: 12.5, way }];
        let layout = Layout::of_bays(Orientation::Vertical, vec![(0..6).collect(), (6..12).collect()]);
        let plan = Plan::of(&instance, Arc::new(layout), links(&instance));
        let sum: f64 = plan.pairs(&instance).iter().map(Pair::cost).sum();
        assert!((sum - plan.cost()).abs() < 1e-9 * sum, "{sum} {}", plan.cost());
        let through: Vec<_> = plan.pairs(&instance).iter().filter(|pair| pair.other(12).is_some()).collect();
        assert_eq!((through.len(), through[0].other(12), instance.end_name(12)), (1, Some(11), "Dock"));
        assert_eq!(plan.picture.site.doors[0].at, [24.0, 4.0]);
    }

    #[test]
    fn costs_and_changes_read_well() {
        let costs = [134.190_1, 20_142.132_3, 3_615_914.11, 18.884_6, 4_627.5, 125.0, 20_100.0, 0.0].map(cost_words);
        let words = [
            "134.19", "20\u{2009}142.1", "3\u{2009}615\u{2009}914", "18.88", "4\u{2009}627.5", "125", "20\u{2009}100",
            "0",
        ];
        assert_eq!(costs, words);
        let changes = [(97.7, 100.0), (100.0, 100.0), (100.04, 100.0), (250.0, 100.0), (99.999_999, 100.0)];
        let words = changes.map(|(now, before)| change_words(now, before));
        assert_eq!(words, ["−2.3 %", "±0 %", "+0.04 %", "+150.0 %", "±0 %"]);
    }
}
