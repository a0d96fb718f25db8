//! Distance–intensity chart of a layout: each flow a point at its distance and its volume, curves of equal cost, and
//! the flows of a reference layout as rings behind.
//!
//! A flow costs volume × distance, so that flows of equal cost lie on a hyperbola. Good layouts have their points along
//! the two axes.
//!
//! Source: R. Muther, «Systematic Layout Planning», 2nd edition, 1973 (distance–intensity plot).

use gridwright_core::numbers::{figure, grouped};
use gridwright_core::scene::axis::round_step;
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::plot::{Axis, Plot, on_dark, series_colour};
use gridwright_core::scene::{Anchor, Area, Scene};

use crate::{Instance, Plan};

/// Most flows that are drawn of a layout.
const MOST: usize = 2_000;
/// Decimals of figures in texts.
const DECIMALS: usize = 2;
/// Room around the data in points: left, above, right, below.
const MARGINS: [f32; 4] = [64.0, 34.0, 92.0, 40.0];
/// Diameter of a point.
const DOT: f32 = 8.0;
/// Font size of the costs of curves, and their least distance.
const SIZE: f32 = 9.0;
const APART: f32 = 12.0;

/// Flow between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowPoint {
    /// Ends: departments, and behind all of them doors.
    pub between: [usize; 2],
    /// Distance in the measure of the instance.
    pub distance: f64,
    /// Flow in both directions.
    pub volume: f64,
}

impl FlowPoint {
    /// All flows of a layout whose places are `plan`.
    pub fn all(instance: &Instance, plan: &Plan) -> Vec<Self> {
        let point = |(one, other, volume): (usize, usize, f64)| {
            let [(x, y), (to_x, to_y)] = [one, other].map(|end| instance.end_point(plan, end));
            Self { between: [one, other], distance: instance.distance.between(x - to_x, y - to_y), volume }
        };
        instance.flowing_pairs().map(point).collect()
    }

    /// Cost of the flow.
    fn cost(&self) -> f64 {
        self.volume * self.distance
    }

    /// Returns `true` if one of the ends is this one.
    fn touches(&self, end: usize) -> bool {
        self.between.contains(&end)
    }
}

/// Content of a chart.
pub struct Chart<'a> {
    instance: &'a Instance,
    points: Vec<FlowPoint>,
    /// Name and flows of the reference.
    reference: Option<(&'a str, Vec<FlowPoint>)>,
    selected: Option<usize>,
}

impl<'a> Chart<'a> {
    /// The chart of the dearest flows of a layout, with those of a reference layout behind; the flows of `selected` are
    /// emphasised.
    pub fn new(
        instance: &'a Instance, points: Vec<FlowPoint>, reference: Option<(&'a str, Vec<FlowPoint>)>,
        selected: Option<usize>,
    ) -> Self {
        let reference = reference.map(|(name, points)| (name, dearest(points)));
        Self { instance, points: dearest(points), reference, selected }
    }

    /// Flows in the order of the rectangles with a title in the scene: those of the reference first.
    pub fn items(&self) -> impl Iterator<Item = &FlowPoint> {
        self.reference.iter().flat_map(|(_, points)| points).chain(&self.points)
    }

    /// Draws the chart.
    pub fn scene(&self, width: f32, height: f32, is_dark: bool) -> Scene {
        let title = format!("{}: distance and intensity of {} flows", self.instance.name, self.points.len());
        let mut scene = Scene::new(width, height, title, Palette::LIGHT.background);
        let [left, top, right, bottom] = MARGINS;
        let area = Area::new(left, top, (width - left - right).max(40.0), (height - top - bottom).max(40.0));
        let [x, y] = self.axes();
        let mut plot = Plot::new(&mut scene, area, self.heading().as_str(), x.clone(), y.clone());
        let ends = self.draw_curves(&mut plot, x.to, y.to);
        self.draw_points(&mut plot);
        for (y, text) in ends {
            scene.text((area.right() + 5.0, y + 0.36 * SIZE), SIZE, Palette::LIGHT.muted, Anchor::Start, text);
        }
        if is_dark { scene.adapted(1.0, on_dark) } else { scene }
    }

    /// The axes, both from 0.
    fn axes(&self) -> [Axis; 2] {
        let axis = |name: String, value: fn(&FlowPoint) -> f64| {
            let most = self.items().map(value).fold(0.0, f64::max);
            Axis { name, from: 0.0, to: if most > 0.0 { 1.05 * most } else { 1.0 }, is_logarithmic: false }
        };
        let instance = self.instance;
        let x = axis(instance.length_heading("Distance"), |flow| flow.distance);
        [x, axis(instance.flow_heading("Flow, both ways"), |flow| flow.volume)]
    }

    /// Draws the curves of equal cost up to the ends of the axes; returns heights and texts of their costs.
    fn draw_curves(&self, plot: &mut Plot<'_>, far: f64, high: f64) -> Vec<(f32, String)> {
        let mut ends: Vec<(f32, String)> = Vec::new();
        for cost in self.costs_of_curves() {
            let near = cost / high;
            if near >= far {
                continue;
            }
            let at = |piece: i32| near * (far / near).powf(f64::from(piece) / 48.0);
            let curve: Vec<(f64, f64)> = (0..=48).map(at).map(|x| (x, cost / x)).collect();
            plot.curve(&curve, 1.0, Palette::LIGHT.bar);
            let end = plot.place((far, cost / far)).1;
            if ends.iter().all(|(other, _)| (other - end).abs() >= APART) {
                ends.push((end, format!("cost {}", figure(cost, DECIMALS))));
            }
        }
        ends
    }

    /// Four round costs up to about the dearest flow, each twice the one before.
    fn costs_of_curves(&self) -> impl Iterator<Item = f64> {
        let dearest = self.items().map(FlowPoint::cost).fold(0.0, f64::max);
        let least = if dearest > 0.0 { round_step(dearest / 10.0) } else { f64::INFINITY };
        [8.0, 4.0, 2.0, 1.0].into_iter().map(move |times| times * least).filter(|cost| cost.is_finite())
    }

    /// Words above the chart.
    fn heading(&self) -> String {
        let count = grouped(self.points.len() as u64);
        let flows = format!("{count} flows; a curve joins flows of equal cost");
        match &self.reference {
            Some((name, _)) => format!("{flows}; rings: {name}"),
            None => flows,
        }
    }

    fn draw_points(&self, plot: &mut Plot<'_>) {
        let (ink, ring) = (series_colour(0), Palette::LIGHT.muted);
        if let Some((name, points)) = &self.reference {
            for flow in points {
                let title = format!("{name}: {}", self.describe(flow));
                plot.dot((flow.distance, flow.volume), DOT, ring.with_alpha(0), Some((1.2, ring)), title);
            }
        }
        for flow in &self.points {
            let fill = match self.selected {
                Some(end) if flow.touches(end) => series_colour(1),
                Some(_) => ink.with_alpha(90),
                None => ink.with_alpha(200),
            };
            plot.dot((flow.distance, flow.volume), DOT, fill, None, self.describe(flow));
        }
    }

    /// «Saw and Press: flow 12, distance 8.5, cost 102».
    fn describe(&self, flow: &FlowPoint) -> String {
        let [one, other] = flow.between.map(|end| self.instance.end_name(end));
        let [volume, distance, cost] = [flow.volume, flow.distance, flow.cost()].map(|value| figure(value, DECIMALS));
        format!("{one} and {other}: flow {volume}, distance {distance}, cost {cost}")
    }
}

/// The dearest flows, the dearest last: later ones cover earlier ones.
fn dearest(mut points: Vec<FlowPoint>) -> Vec<FlowPoint> {
    points.sort_by(|one, other| other.cost().total_cmp(&one.cost()));
    points.truncate(MOST);
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use gridwright_core::scene::Shape;

    use super::*;

    fn point(between: [usize; 2], distance: f64, volume: f64) -> FlowPoint {
        FlowPoint { between, distance, volume }
    }

    /// Titles and middles of the discs.
    fn discs(scene: &Scene) -> Vec<(String, f32, f32)> {
        let disc = |shape: &Shape| match shape {
            Shape::Rectangle { x, y, width, height, title, .. } if !title.is_empty() => {
                Some((title.clone(), x + width / 2.0, y + height / 2.0))
            }
            _ => None,
        };
        scene.shapes.iter().filter_map(disc).collect()
    }

    #[test]
    fn each_flow_is_a_point_and_equal_costs_lie_on_a_curve() {
        let instance = Instance::example();
        let points = vec![point([0, 1], 4.0, 2.0), point([0, 2], 2.0, 4.0), point([1, 2], 1.0, 1.0)];
        let before = vec![point([0, 1], 8.0, 2.0)];
        let chart = Chart::new(&instance, points, Some(("today", before)), Some(1));
        let scene = chart.scene(600.0, 400.0, false);
        let discs = discs(&scene);
        let titles: Vec<&str> = discs.iter().map(|disc| disc.0.as_str()).collect();
        assert_eq!(titles[..2], ["today: A and B: flow 2, distance 8, cost 16", "B and C: flow 1, distance 1, cost 1"]);
        assert_eq!((titles.len(), chart.items().count()), (4, 4));
        for (disc, item) in discs.iter().zip(chart.items()) {
            assert!(disc.0.contains(&format!("distance {}", item.distance)), "{disc:?}");
        }
        let at =
            |title: &str| discs.iter().find(|disc| disc.0.starts_with(title)).map(|disc| (disc.1, disc.2)).unwrap();
        let (near, far) = (at("A and C"), at("A and B"));
        assert!(near.0 < far.0 && near.1 < far.1, "nearer is to the left, more is above");
        // Both cost 8, and a curve of that cost goes through them.
        let on_curve = |place: (f32, f32)| {
            let near = |points: &Vec<(f32, f32)>| {
                points.windows(2).any(|ends| {
                    let (from, to) = (ends[0], ends[1]);
                    let share = (place.0 - from.0) / (to.0 - from.0);
                    (0.0..=1.0).contains(&share) && (from.1 + share * (to.1 - from.1) - place.1).abs() < 1.5
                })
            };
            scene
                .shapes
                .iter()
                .any(|shape| matches!(shape, Shape::Line { points, .. } if points.len() > 40 && near(points)))
        };
        assert!(on_curve(near) && on_curve(far) && !on_curve((near.0 + 20.0, near.1)));
        assert!(scene.shapes.iter().any(|shape| matches!(shape, Shape::Text { text, .. } if text == "cost 8")));
    }

    #[test]
    fn a_chart_of_nothing_and_of_too_much_can_be_drawn() {
        let instance = Instance::example();
        assert!(discs(&Chart::new(&instance, Vec::new(), None, None).scene(10.0, 10.0, true)).is_empty());
        let many = (1..=3_000).map(|number| point([0, 1], f64::from(number), 1.0)).collect();
        let chart = Chart::new(&instance, many, None, None);
        assert_eq!(chart.items().count(), MOST);
        assert!(chart.items().all(|flow| flow.distance > 1_000.0), "the dearest are drawn");
    }
}
