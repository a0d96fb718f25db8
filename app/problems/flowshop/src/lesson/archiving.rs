//! Dominance and archiving: the candidates of a tabu search meet the archive one after the other.

use egui::{Frame, Rect, Stroke, Ui, pos2};
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::search::pareto::Point;
use gridwright_core::search::pareto::history::Effect;
use gridwright_flowshop::multiobjective::tabu::trace::TabuTrace;

use super::points::{Dot, Points};
use super::recording;
use super::{Formula, beside, explain, play};
use crate::Document;
use crate::widgets::cells::{self, Cell, Cells, Head, Look};
use crate::widgets::scatter::{self, Glyph, Mark};
use gridwright_window::theme::{Palette, palette};
use gridwright_window::widgets::playback::{Stop, Tape};

/// Greatest width of the list of members.
const WIDTH: f32 = 380.0;

pub(super) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(recorded) = recording::recorded(ui, document) else { return };
    let effects = recorded.trace.history.effects();
    let effect = |at: u64| effects.get((at as usize).wrapping_sub(1));
    let enters = |at: u64, _: u64| matches!(effect(at), Some(Effect::Entered { .. }));
    let removes = |at: u64, _: u64| matches!(effect(at), Some(Effect::Entered { removed }) if !removed.is_empty());
    let is_dominated = |at: u64, _: u64| matches!(effect(at), Some(Effect::Dominated { .. }));
    let stop = |name, help, holds| Stop { name, help, counts: false, holds };
    let stops = [
        stop("Candidate enters", "A candidate that no member covers", &enters as &dyn Fn(u64, u64) -> bool),
        stop("Members leave", "A candidate that dominates members", &removes),
        stop("Dominated", "A candidate that a member dominates", &is_dominated),
    ];
    let tape = Tape {
        unit: "Candidate",
        activity: &recorded.sizes,
        activity_name: "Height: size of the archive",
        stops: &stops,
        ..Tape::of_length(effects.len() as u64)
    };
    let (at, changed) = play(ui, document, tape);
    let moment = Moment::new(&recorded.trace, at as usize);
    let (sentence, formula) = moment.words(palette(ui.visuals()));
    explain(ui, &sentence, &formula);
    beside(ui, "members", WIDTH, |ui, room| moment.list(ui, changed, room));
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
        let points = moment.points(palette(ui.visuals()));
        let candidate = moment.candidate.map(|_| points.dots.len() - 1);
        let outcome = scatter::show(ui, &points, &mut document.state.lesson.scatter, candidate);
        document.canvas_focused |= outcome.response.has_focus();
        // The region that decides: everything in it is dominated by its lower left corner.
        let Some((corner, colour)) = moment.region(palette(ui.visuals())) else { return };
        let corner = outcome.frame.place(corner[0] as f64, corner[1] as f64);
        let area = outcome.frame.area;
        let region = Rect::from_min_max(pos2(corner.x, area.top()), pos2(area.right(), corner.y));
        let painter = ui.painter().with_clip_rect(area.intersect(ui.clip_rect()));
        painter.rect_filled(region, 0.0, colour.gamma_multiply(0.1));
        painter.vline(region.left(), region.y_range(), Stroke::new(1.5, colour));
        painter.hline(region.x_range(), region.bottom(), Stroke::new(1.5, colour));
    });
}

/// Effect of a candidate on a member of the archive, or of the member on the candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Leaves,
    Dominates,
    Equal,
}

impl Fate {
    fn name(self) -> &'static str {
        match self {
            Self::Leaves => "Leaves",
            Self::Dominates => "Dominates",
            Self::Equal => "Equal",
        }
    }

    fn look(self) -> Look {
        if self == Self::Equal { Look::Left } else { Look::Above }
    }
}

/// A candidate that meets the archive. Members are named by the number of the candidate that they were, from 1.
struct Moment<'a> {
    trace: &'a TabuTrace,
    /// Index of the candidate's offer and its effect; `None` at the start.
    candidate: Option<(usize, &'a Effect)>,
    /// Offers that are members before, by the first objective.
    members: Vec<usize>,
}

impl<'a> Moment<'a> {
    fn new(trace: &'a TabuTrace, at: usize) -> Self {
        let history = &trace.history;
        let candidate = at.checked_sub(1).and_then(|offer| Some((offer, history.effects().get(offer)?)));
        let mut members: Vec<usize> = history.members(at.saturating_sub(1)).collect();
        members.sort_by_key(|&offer| history.points()[offer]);
        Self { trace, candidate, members }
    }

    fn point(&self, offer: usize) -> Point {
        self.trace.history.points()[offer]
    }

    /// Fate of a member in this step.
    fn fate(&self, member: usize) -> Option<Fate> {
        match self.candidate?.1 {
            Effect::Entered { removed } if removed.contains(&member) => Some(Fate::Leaves),
            Effect::Dominated { by } if *by == member => Some(Fate::Dominates),
            Effect::Equal { to } if *to == member => Some(Fate::Equal),
            _ => None,
        }
    }

    /// Corner and colour of the region that decides on the candidate.
    fn region(&self, palette: &Palette) -> Option<(Point, egui::Color32)> {
        match self.candidate? {
            (offer, Effect::Entered { .. }) => Some((self.point(offer), palette.good)),
            (_, Effect::Dominated { by: other } | Effect::Equal { to: other }) => {
                Some((self.point(*other), palette.bad))
            }
        }
    }

    /// Members and candidate as points; the candidate is the last one.
    fn points(&self, palette: &Palette) -> Points<'a> {
        let mark = |glyph, colour| Mark { glyph, colour };
        let (enters, refused) = (mark(Glyph::Square, palette.good), mark(Glyph::Square, palette.bad));
        let leaves = mark(Glyph::Cross, palette.bad);
        let member = |&offer: &usize| {
            let fate = self.fate(offer);
            let mark = fate.filter(|fate| *fate == Fate::Leaves).map(|_| leaves);
            let name = format!("Member {}", offer + 1);
            Dot { point: self.point(offer), name, remark: fate.map(Fate::name), mark, is_member: true }
        };
        let mut dots: Vec<Dot> = self.members.iter().map(member).collect();
        dots.extend(self.candidate.map(|(offer, effect)| {
            let (remark, mark) = match effect {
                Effect::Entered { .. } => ("Enters", enters),
                Effect::Dominated { .. } => ("Is dominated", refused),
                Effect::Equal { .. } => ("Is equal to a member", refused),
            };
            let name = format!("Candidate {}", offer + 1);
            Dot { point: self.point(offer), name, remark: Some(remark), mark: Some(mark), is_member: false }
        }));
        let legend = vec![
            ("Archive", mark(Glyph::Disc, palette.accent)),
            ("Leaves", leaves),
            ("Refused", refused),
            ("Enters", enters),
        ];
        let trace = self.trace;
        let summary = format!("Archive of {} by {}", self.members.len(), recording::pair(&trace.objectives));
        let revision = self.candidate.map_or(0, |candidate| candidate.0 as u64 + 1);
        Points { objectives: &trace.objectives, dots, legend, revision, summary }
    }

    /// Draws candidate and members with their values.
    fn list(&self, ui: &mut Ui, changed: bool, room: egui::Vec2) {
        let Some((offer, effect)) = self.candidate else { return };
        let labels = self.trace.objectives.as_slice().iter().map(|objective| objective.label());
        let columns: Vec<Head> =
            labels.chain(["Verdict"]).map(|text| Head { text: text.to_owned(), colour: None }).collect();
        let names = self.members.iter().map(|member| format!("Member {}", member + 1));
        let rows: Vec<String> = std::iter::once(format!("Candidate {}", offer + 1)).chain(names).collect();
        let verdict = match effect {
            Effect::Entered { .. } => ("Enters", Look::Best),
            _ => ("Refused", Look::Now),
        };
        let cell = |row: usize, column: usize| {
            let of = row.checked_sub(1).map_or(offer, |member| self.members[member]);
            let fate = if row == 0 { Some(verdict) } else { self.fate(of).map(|fate| (fate.name(), fate.look())) };
            let look = fate.map_or(Look::Known, |fate| fate.1);
            if column == 2 {
                let words = fate.map_or_else(String::new, |fate| format!("{}: {}", rows[row], fate.0.to_lowercase()));
                return fate.map_or_else(Cell::default, |fate| Cell { text: fate.0.to_owned(), look, words });
            }
            let value = grouped(self.point(of)[column]);
            let words = format!("{}, {}: {value}", rows[row], columns[column].text);
            Cell { text: value, look, words }
        };
        let row = self.members.iter().position(|&member| self.fate(member).is_some());
        let reveal = row.filter(|_| changed).map(|row| (row + 1, 2));
        let table = Cells {
            name: "Candidate and archive",
            corner: "",
            columns: &columns,
            rows: &rows,
            arrows: false,
            reveal,
            cell: &cell,
        };
        cells::show(ui, &table, room);
    }

    /// Verdict on the candidate, and where the candidate comes from.
    fn words(&self, palette: &Palette) -> (String, Formula) {
        let trace = self.trace;
        let names = recording::pair(&trace.objectives);
        let Some((offer, effect)) = self.candidate else {
            let text = format!(
                "An order dominates another one if it is no worse in {names} and better in one of them. {} of the search \
                 are recorded, with {}.",
                counted(trace.steps.len(), "step"),
                counted(trace.offers.len(), "candidate")
            );
            return (text, Formula::new("The archive keeps the orders that no other one dominates"));
        };
        let (step, trajectory) = (offer / trace.trajectories(), offer % trace.trajectories());
        let weights = recording::weights(&trace.weights[trajectory]);
        let origin = match step {
            0 => format!("It is the start of the trajectory with weights {weights}."),
            step => format!("It comes from step {step} of the trajectory with weights {weights}."),
        };
        let [x, y] = [0, 1].map(|axis| grouped(self.point(offer)[axis]));
        let named = Formula::new(format!("Candidate {} ({x}, {y}) ", offer + 1));
        let size = self.members.len();
        let (why, formula) = match effect {
            Effect::Entered { removed } if removed.is_empty() => (
                format!(
                    "No member is at least as good in both objectives. The archive has {}.",
                    counted(size + 1, "member")
                ),
                named.coloured("enters", palette.good),
            ),
            Effect::Entered { removed } => {
                let numbers: Vec<String> = removed.iter().map(|member| grouped(*member as u64 + 1)).collect();
                let size = counted(size + 1 - removed.len(), "member");
                let text = format!("It dominates what lies above and to the right of it. The archive has {size}.");
                (text, named.coloured(format!("enters and removes {}", numbers.join(", ")), palette.good))
            }
            Effect::Dominated { by } => (
                format!(
                    "Member {} is no worse in either objective and better in at least one. The archive keeps its {}.",
                    by + 1,
                    counted(size, "member")
                ),
                named.coloured(format!("is dominated by {}", by + 1), palette.bad),
            ),
            Effect::Equal { to } => {
                let same = trace.offers[offer] == trace.offers[*to];
                let what =
                    if same { "It is the order of the member again" } else { "Another order with the same values" };
                let text = format!("{what}; the archive keeps its {}.", counted(size, "member"));
                (text, named.coloured(format!("is equal to {}", to + 1), palette.bad))
            }
        };
        (format!("{why} {origin}"), formula)
    }
}
