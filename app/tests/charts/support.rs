//! A canvas of one widget, and plans to show on it.

// Tests and measurements use a part of it each.
#![allow(dead_code)]

use egui::{Ui, Vec2};
use egui_kittest::Harness;
use gridwright_facility::evaluation::Score;
use gridwright_facility::{BestLayout, Island, Layout as Bays, Migration, Orientation};
use gridwright_facility_views::history::IslandHistory;
use gridwright_facility_views::widgets::floorplan::{
    self, Bay, Hold, Judgement, Link, Moved as Carried, Picture, Region, Room, Side, Wrong,
};
use gridwright_flowshop::drawing::GanttRows;
use gridwright_flowshop::drawing::layout::GanttLayout;
use gridwright_flowshop::insertion::FlowShopProblem;
use gridwright_flowshop::{Instance, Objective, Schedule, library, neh};
use gridwright_flowshop_views::widgets::curves::{self, Curves, Dot, Subject};
use gridwright_flowshop_views::widgets::gantt::{self, Chart, Facts, Selection};
use gridwright_flowshop_views::widgets::scatter;
use gridwright_flowshop_views::widgets::sequence::{self, Chip, Moved};
use gridwright_window::theme;

use super::picture::painted;

/// Schedule that NEH constructs for an instance.
pub fn constructed(instance: &Instance) -> Schedule {
    let problem = FlowShopProblem::new(instance, Objective::Makespan);
    Schedule::new(instance, &neh::neh(&problem).0)
}

/// The workshop that ships, in the order of its file: some jobs are late.
pub fn workshop() -> (Instance, Schedule) {
    let instance = library::sample("workshop").unwrap();
    let order: Vec<u16> = (0..instance.job_count() as u16).collect();
    let schedule = Schedule::new(&instance, &order);
    (instance, schedule)
}

/// One of Taillard's instances in the order of NEH.
pub fn taillard(name: &str) -> (Instance, Schedule) {
    let instance = library::taillard(name).unwrap();
    let schedule = constructed(&instance);
    (instance, schedule)
}

/// A Gantt chart with what a person did to it.
pub struct Gantt {
    pub instance: Instance,
    pub schedule: Schedule,
    pub rows: GanttRows,
    pub facts: Facts,
    pub compared: Option<(Schedule, Facts)>,
    pub view: gantt::View,
    pub selected: Option<Selection>,
}

impl Gantt {
    pub fn new((instance, schedule): (Instance, Schedule), rows: GanttRows) -> Self {
        let view = gantt::View::default();
        let facts = Facts::of(&GanttLayout::new(&instance, &schedule, rows));
        Self { instance, schedule, rows, facts, compared: None, view, selected: None }
    }

    /// Adds the outlines of another schedule.
    pub fn compared(mut self, schedule: Schedule) -> Self {
        let facts = Facts::of(&GanttLayout::new(&self.instance, &schedule, self.rows));
        self.compared = Some((schedule, facts));
        self
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let layout = GanttLayout::new(&self.instance, &self.schedule, self.rows);
        let ghost = self.compared.as_ref();
        let ghost = ghost.map(|(schedule, facts)| gantt::Ghost { schedule, facts, name: "Run 2" });
        let chart = Chart { ghost, ..Chart::new(layout, &self.facts) };
        ui.horizontal(|ui| {
            gantt::legend(ui, &chart);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                gantt::controls(ui, &mut self.view, self.selected.is_some());
            });
        });
        let outcome = gantt::show(ui, &chart, &mut self.view, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
    }

    /// Place of the selected job and machine on the screen.
    pub fn selection(&self) -> Option<(usize, Option<usize>)> {
        self.selected.map(|selection| (selection.job, selection.machine))
    }
}

/// A canvas of this size for something that paints itself.
pub fn canvas<S: 'static>(size: Vec2, dark: bool, state: S, ui: fn(&mut S, &mut Ui)) -> Harness<'static, S> {
    let builder = painted(Harness::builder().with_size(size).with_max_steps(40));
    let builder = builder.with_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
    let mut harness = builder.build_ui_state(
        move |root, state: &mut S| {
            let frame = egui::Frame::new().fill(theme::palette(root.visuals()).panel).inner_margin(8.0);
            frame.show(root, |root| ui(state, root));
        },
        state,
    );
    harness.run();
    harness
}

/// The order of a schedule as chips.
pub struct Order {
    pub instance: Instance,
    pub order: Vec<u16>,
    pub view: sequence::View,
    pub selected: Option<usize>,
    pub moves: Vec<Moved>,
    longest: String,
}

/// Chips of a sequence of jobs.
struct Chips<'a> {
    instance: &'a Instance,
    schedule: Schedule,
    longest: &'a str,
}

impl sequence::Source for Chips<'_> {
    fn count(&self) -> usize {
        self.schedule.order.len()
    }
    fn chip(&self, position: usize) -> Chip {
        let job = usize::from(self.schedule.order[position]);
        let late = GanttLayout::new(self.instance, &self.schedule, GanttRows::Jobs).late(position);
        let colour = Some(theme::LIGHT.category(job));
        let mark = (late > 0).then(|| format!("+{late}"));
        Chip { name: self.instance.jobs[job].name.clone(), colour, mark, is_pinned: false, goes_to: None }
    }
    fn longest(&self) -> &str {
        self.longest
    }
    fn describe(&self, position: usize) -> String {
        let job = &self.instance.jobs[usize::from(self.schedule.order[position])];
        format!("{}, position {} of {}", job.name, position + 1, self.count())
    }
    fn summary(&self) -> String {
        format!("Sequence of {} jobs", self.count())
    }
}

impl Order {
    pub fn new((instance, schedule): (Instance, Schedule)) -> Self {
        let longest = instance.jobs.iter().map(|job| job.name.clone()).max_by_key(String::len).unwrap();
        let (view, selected, moves) = Default::default();
        Self { instance, order: schedule.order, view, selected, moves, longest }
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let schedule = Schedule::new(&self.instance, &self.order);
        let chips = Chips { instance: &self.instance, schedule, longest: &self.longest };
        let outcome = sequence::show(ui, &chips, &mut self.view, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
        if let Some(moved) = outcome.moved {
            let job = self.order.remove(moved.from);
            self.order.insert(moved.to, job);
            self.selected = Some(moved.to);
            self.moves.push(moved);
        }
    }

    /// The names of the jobs in their order.
    pub fn names(&self) -> Vec<&str> {
        self.order.iter().map(|&job| self.instance.jobs[usize::from(job)].name.as_str()).collect()
    }
}

/// Solutions with three objectives.
pub struct Solutions {
    pub points: Vec<[f64; 3]>,
    pub view: scatter::View,
    pub selected: Option<usize>,
    /// Points with a makespan above this are left out.
    pub most: f64,
}

impl scatter::Source for Solutions {
    fn objectives(&self) -> usize {
        3
    }
    fn name(&self, objective: usize) -> &str {
        ["Makespan", "Total tardiness", "Tardy jobs"][objective]
    }
    fn count(&self) -> usize {
        self.points.len()
    }
    fn value(&self, point: usize, objective: usize) -> f64 {
        self.points[point][objective]
    }
    fn is_excluded(&self, point: usize) -> bool {
        self.points[point][0] > self.most
    }
    fn label(&self, point: usize) -> String {
        format!("Solution {}", point + 1)
    }
    fn revision(&self) -> u64 {
        self.most.to_bits()
    }
    fn summary(&self) -> String {
        format!("{} solutions", self.points.len())
    }
}

impl Solutions {
    pub fn new(points: Vec<[f64; 3]>) -> Self {
        Self { points, view: scatter::View::default(), selected: None, most: f64::INFINITY }
    }

    /// So many invented solutions around a front.
    pub fn invented(count: usize) -> Self {
        let share = |index: usize, by: f64| (index as f64 * by).fract();
        let point = |index: usize| {
            let (along, away) = (share(index, 0.618_034), share(index, 0.754_878).powi(3));
            let makespan = 3_800.0 + 500.0 * along + 260.0 * away;
            let tardiness = 1_800.0 / (0.12 + along) + 3_400.0 * away;
            let tardy = 12.0 + 18.0 * (1.0 - along) + 14.0 * share(index, 0.569_84);
            [makespan.round(), tardiness.round(), tardy.round()]
        };
        Self::new((0..count).map(point).collect())
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let mut view = std::mem::take(&mut self.view);
        ui.horizontal(|ui| scatter::axes(ui, self, &mut view));
        let outcome = scatter::show(ui, self, &mut view, self.selected);
        self.view = view;
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
    }
}

/// A name, what theory says, what was measured.
type Measured = (&'static str, Vec<[f64; 2]>, Vec<[f64; 2]>);

/// The efficiency of processors for three instances, as theory has it and as it was measured.
pub struct Efficiency {
    logarithmic: bool,
    subjects: Vec<Measured>,
    pub selected: Option<Dot>,
}

impl Efficiency {
    pub fn new(logarithmic: bool) -> Self {
        let subject = |(name, loss): (&'static str, f64)| {
            let expected = |p: f64| 1.0 / (1.0 + loss * p.log2() * p.sqrt() / 16.0);
            let theory = (0..=7).map(|power| 2_f64.powi(power)).map(|p| [p, expected(p)]).collect();
            let measured = (0..=6).map(|power| 2_f64.powi(power)).map(|p| [p, expected(p) * (1.0 - 0.02 * p.log2())]);
            (name, theory, measured.collect())
        };
        let subjects = [("ta051", 0.64), ("ta081", 0.282), ("ta111", 0.08)].map(subject).to_vec();
        Self { logarithmic, subjects, selected: None }
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        let palette = theme::palette(ui.visuals());
        let numbered = self.subjects.iter().enumerate();
        let subject = numbered.map(|(number, (name, theory, measured))| {
            let (name, colour) = ((*name).to_owned(), palette.curve(number));
            Subject { name, colour, theory, measured }
        });
        let subjects: Vec<Subject<'_>> = subject.collect();
        let (x, y, nothing) = ("Processors", "Efficiency", "Nothing was measured yet");
        let hint = "Lines: theory · dots: measured";
        let curves = Curves { subjects: &subjects, x, y, logarithmic: self.logarithmic, nothing, hint };
        let outcome = curves::show(ui, &curves, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
    }
}

/// Departments in bays with what a person did to them.
pub struct Floor {
    pub picture: Picture,
    pub ghost: Option<Picture>,
    pub threshold: f64,
    pub view: floorplan::View,
    pub selected: Option<usize>,
    pub moves: Vec<Carried>,
    pub nudges: Vec<Side>,
}

impl Floor {
    pub fn new(picture: Picture) -> Self {
        let (ghost, threshold, view, selected, moves, nudges) = Default::default();
        Self { picture, ghost, threshold, view, selected, moves, nudges }
    }

    /// So many departments in a plant of 45 × 45, with flows between this share of all pairs.
    pub fn invented(count: usize, upright: bool, share: f64) -> Self {
        let part = |index: usize, by: f64| (index as f64 * by).fract();
        let areas: Vec<f64> = (0..count).map(|at| 5.0 + (45.0 * part(at + 1, 0.618_034)).round()).collect();
        let total: f64 = areas.iter().sum();
        let bays = ((count as f64).sqrt() * 0.9).ceil() as usize;
        let names = |bay: usize| (bay * count / bays..(bay + 1) * count / bays).collect::<Vec<usize>>();
        let mut picture = Picture { revision: 1, size: [45.0, 45.0], upright, ..Picture::default() };
        picture.rooms =
            (0..count).map(|at| Room { name: format!("D{}", at + 1), tone: at, ..Room::default() }).collect();
        // A twentieth of the plant is left.
        let unit = 0.95 * 45.0 * 45.0 / total;
        let mut left = 0.0;
        for rooms in (0..bays).map(names) {
            let width = rooms.iter().map(|&room| areas[room] * unit).sum::<f64>() / 45.0;
            let turn = |x: f64, y: f64, width: f64, height: f64| match upright {
                true => Region { x, y, width, height },
                false => Region { x: 45.0 - y - height, y: x, width: height, height: width },
            };
            let mut top = 45.0;
            for &room in &rooms {
                let height = areas[room] * unit / width;
                top -= height;
                picture.rooms[room].region = turn(left, top, width, height);
            }
            picture.bays.push(Bay { region: turn(left, 0.0, width, 45.0), rooms });
            left += width;
        }
        let pairs = (0..count).flat_map(|from| (from + 1..count).map(move |to| (from, to)));
        let wanted = pairs.enumerate().filter(|(number, _)| part(number + 1, 0.754_878) < share);
        let link = |(number, (from, to)): (usize, (usize, usize))| Link {
            from,
            to,
            weight: 1.0 + (9.0 * part(number + 3, 0.569_84).powi(3)).round(),
        };
        let mut links: Vec<Link> = wanted.map(link).collect();
        links.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        picture.links = links.into();
        Self::new(picture)
    }

    /// A workshop with a department that is too long, one that is locked, and free floor.
    pub fn workshop(upright: bool) -> Self {
        let mut floor = Self::invented(12, upright, 0.4);
        let names = [
            "Receiving", "Raw material", "Sawing", "Turning", "Milling", "Welding", "Paint shop", "Assembly",
            "Quality", "Packing", "Shipping", "Spare floor",
        ];
        for (room, name) in floor.picture.rooms.iter_mut().zip(names) {
            room.name = name.to_owned();
        }
        floor.picture.rooms[11].free = true;
        floor.picture.rooms[4].wrong =
            Some(Wrong { short: "4.4 > 4".to_owned(), text: "1 : 4.4, at most 4".to_owned() });
        floor.picture.rooms[0].held = Some(Hold::Place);
        floor
    }

    pub fn ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| floorplan::controls(ui, &mut self.view, self.selected.is_some()));
        let judge = |moved: Carried| Judgement { words: "−2.5 %".to_owned(), better: Some(moved.room < 90) };
        let scene = floorplan::Scene {
            ghost: self.ghost.as_ref().map(|ghost| (ghost, "Run 2")),
            threshold: Some(self.threshold),
            movable: true,
            judge: Some(&judge),
            noun: "department",
            ..floorplan::Scene::new(&self.picture)
        };
        let outcome = floorplan::show(ui, &scene, &mut self.view, self.selected);
        if let Some(picked) = outcome.picked {
            self.selected = picked;
        }
        self.moves.extend(outcome.moved);
        self.nudges.extend(outcome.nudged);
    }
}

/// Invented history of `count` islands over `steps` steps.
pub fn invented_islands(count: usize, steps: u64) -> IslandHistory {
    let part = |index: usize, by: f64| (index as f64 * by).fract();
    let mut history = IslandHistory::default();
    let mut found = BestLayout {
        layout: Bays::default(),
        score: Score::WORST,
        lacking: 0.0,
        islands: Vec::new(),
        migrations: Vec::new(),
        proven: false,
    };
    for step in 0..steps {
        let time = step as f64 / steps as f64;
        let island = |number: usize| {
            let pace = 2.0 + 6.0 * part(number + 1, 0.618_034);
            let end = 1000.0 + 60.0 * part(number + 1, 0.754_878);
            let cost = (end + 900.0 * (-pace * time * 2.0).exp()).round();
            let violation = if time < 0.08 * part(number + 2, 0.569_84) { 1.5 } else { 0.0 };
            Island {
                orientation: Orientation::ALL[number % 2],
                best: Score { violation, cost },
                now: Score { violation, cost },
                mean: cost * 1.1,
                feasible: 7,
                individuals: 8,
            }
        };
        found.islands = (0..count).map(island).collect();
        if step % 25 == 24 {
            let migrate = |from: usize| Migration {
                generation: step,
                step,
                from: from as u32,
                to: ((from + 2) % count) as u32,
                cost: found.islands[from].best.cost,
            };
            found.migrations.extend((0..count).map(migrate));
        }
        history.tell(step, &found);
    }
    history
}
