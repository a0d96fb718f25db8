//! The view that sets two timetables against each other.

use easy_ext::ext;
use std::sync::Arc;

use egui::{Context, Ui};
use gridwright_timetabling::comparison::{Assessment, Comparison};
use gridwright_timetabling::{Instance, Period, Timetable};

use super::comparing;
use super::exporting::Extras;
use super::state::{Document, Run, Shown};
use super::view_state::comparison::{Known, Last, Side, State};
use super::views::{Order, Sort};
use gridwright_window::runs::RunStatus;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::icons::Icon;

/// Number of timetables whose assessments are cached.
const KNOWN: usize = 4;

/// Largest number of students that are counted without a background thread.
const FEW: usize = 5_000;

/// Progress of a comparison.
enum Progress {
    /// The comparison can be shown.
    Done(Arc<Comparison>),
    /// The comparison is being computed.
    Counting,
    /// At least one timetable does not belong to the instance.
    Impossible,
}

/// Timetables that are compared.
#[ext(ComparisonMethods)]
impl Document {
    /// Compares these two timetables in the view of comparisons from now on.
    pub fn compare_sides(&mut self, sides: [Side; 2]) {
        self.comparison.sides = Some(sides);
        self.view = super::state::View::Compare;
    }

    /// The timetable of a side of the comparison; `None` if there is none.
    pub fn side(&self, side: Side) -> Option<Arc<Timetable>> {
        match side {
            Side::Run(number) => self.listed().find(|run| run.number == number).map(|run| Arc::clone(&run.timetable)),
            Side::Draft => self.draft().map(|draft| Arc::clone(&draft.solution)),
            Side::Base => self.draft().map(|draft| Arc::clone(&draft.base)),
        }
    }

    /// Display name of a side of the comparison.
    pub fn side_name(&self, side: Side) -> String {
        match side {
            Side::Run(number) => self.run(number).map_or_else(|| format!("Run {number}"), Run::title),
            Side::Draft => "Edited".to_owned(),
            Side::Base => self.draft().map_or_else(String::new, |draft| format!("{} as it was", draft.from)),
        }
    }

    /// Timetables that can be compared, the edited one first.
    pub fn sides(&self) -> Vec<Side> {
        let edited = self.draft().map(|_| [Side::Draft, Side::Base]).into_iter().flatten();
        let valid = self.listed().filter(|run| !matches!(run.status, RunStatus::Wrong(_)));
        edited.chain(valid.map(|run| Side::Run(run.number))).collect()
    }

    /// The two that are compared: those that were chosen while they are there, else what suggests itself.
    pub fn compared_sides(&self) -> Option<[Side; 2]> {
        let there = |side: &Side| self.side(*side).is_some();
        let chosen = self.comparison.sides.filter(|sides| sides.iter().all(there));
        chosen.or_else(|| match (self.shown, &self.sides()[..]) {
            // After solving around changes: what was published, and what became of it.
            (Shown::Run(number), [Side::Draft, ..]) if there(&Side::Run(number)) => {
                Some([Side::Base, Side::Run(number)])
            }
            (_, [Side::Draft, Side::Base, ..]) => Some([Side::Base, Side::Draft]),
            (_, &[newer, older, ..]) => Some([older, newer]),
            _ => None,
        })
    }

    /// The timetable that is shown, as a side.
    pub fn shown_side(&self) -> Option<Side> {
        match self.shown {
            Shown::Run(number) => Some(Side::Run(number)),
            Shown::Draft => Some(Side::Draft),
            Shown::Live | Shown::Nothing => None,
        }
    }

    /// Returns the timetables that a report on the shown one could compare with, and their names.
    pub fn report_sides(&self) -> Vec<(Side, String)> {
        let shown = self.shown_side();
        let others = self.sides().into_iter().filter(|side| Some(*side) != shown);
        others.map(|side| (side, self.side_name(side))).collect()
    }

    /// Returns the timetable that a report compares with by default: the first side chosen in the view of comparisons,
    /// or the unedited timetable.
    pub fn report_side(&self) -> Option<Side> {
        let [before, after] = self.compared_sides()?;
        let asked = self.comparison.sides.is_some() || before == Side::Base;
        (asked && Some(after) == self.shown_side()).then_some(before)
    }

    /// Returns the timetable that the next report compares with; `None` for no comparison.
    pub fn report_against(&self) -> Option<Side> {
        self.comparison.report
    }

    /// Sets the timetable that the next report compares the shown one with; `None` for no comparison.
    pub fn report_with(&mut self, before: Option<Side>) {
        self.comparison.report = before;
    }

    /// Returns the additional input of an export of the shown timetable; a report compares the timetable with `before`.
    pub fn extras(&self, before: Option<Side>) -> Extras {
        let named = before.and_then(|side| Some((self.side_name(side), self.side(side)?)));
        Extras {
            result: self.shown_run().map(|run| Arc::clone(&run.result)),
            before: named,
            rows: Some((self.grid_rows(), self.grid.sort)),
        }
    }

    /// Returns `true` if some exams are hidden by the filter.
    pub fn is_filtered(&self) -> bool {
        !self.views.filter.is_empty()
    }

    /// Returns the sort order of the grid.
    pub fn grid_sort(&self) -> Sort {
        self.grid.sort
    }

    /// The exams that the grid shows, from the top.
    pub fn grid_rows(&self) -> Vec<usize> {
        let Some(picture) = self.picture() else { return Vec::new() };
        let mut order = Order::default();
        order.update(&self.instance, picture, self.revision(), self.grid.sort, &self.views.filter);
        order.exams
    }
}

/// Shows the comparison.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(mut sides) = document.compared_sides() else {
        comparing::show_nothing(ui);
        return;
    };
    ui.horizontal(|ui| {
        let all = document.sides();
        let weak = palette(ui.visuals()).weak;
        for (index, name) in ["Before", "After"].into_iter().enumerate() {
            ui.label(theme::small(name).color(weak));
            Choices::new(name, document.side_name(sides[index])).width(190.0).help("The timetable on this side").show(
                ui,
                |ui| {
                    for side in &all {
                        ui.selectable_value(&mut sides[index], *side, document.side_name(*side));
                    }
                },
            );
        }
        if icon_button(ui, Icon::Compare, "Swap the two sides", true).clicked() {
            sides.swap(0, 1);
        }
    });
    ui.add_space(space::XS);
    if document.state.comparison.sides.is_some() || document.compared_sides() != Some(sides) {
        document.state.comparison.sides = Some(sides);
    }
    let (Some(before), Some(after)) = (document.side(sides[0]), document.side(sides[1])) else { return };
    let revision = document.revision();
    let comparison = match document.state.comparison.comparison(ui.ctx(), &document.instance, [before, after], revision)
    {
        Progress::Done(comparison) => comparison,
        Progress::Counting => return,
        Progress::Impossible => return comparing::show_nothing(ui),
    };
    let names = sides.map(|side| document.side_name(side));
    if let Some(exam) = comparing::show(ui, &comparison, &document.instance, [&names[0], &names[1]]) {
        document.selected = Some(exam);
    }
}

impl State {
    fn known(&self, timetable: &Arc<Timetable>, calendar: &[Period]) -> Option<&Known> {
        self.known.iter().find(|known| Arc::ptr_eq(&known.timetable, timetable) && known.calendar == calendar)
    }

    /// Returns the comparison of two timetables. For large instances the work is spread over frames: each counts one
    /// timetable or compares two, and a frame in which something was changed does neither. Until the work is done, the
    /// last comparison stays.
    fn comparison(&mut self, ctx: &Context, instance: &Instance, pair: [Arc<Timetable>; 2], revision: u64) -> Progress {
        let calendar = &instance.periods;
        let same = |last: &&Last| last.calendar == *calendar;
        let last = self.last.as_ref().filter(same);
        let fresh = |last: &&Last| last.pair.iter().zip(&pair).all(|(one, other)| Arc::ptr_eq(one, other));
        if let Some(last) = last.filter(fresh) {
            return Progress::Done(Arc::clone(&last.comparison));
        }
        let stale = last.map(|last| Arc::clone(&last.comparison));
        let changed = std::mem::replace(&mut self.seen, revision) != revision;
        let is_small = instance.students.len() <= FEW;
        // The frame that counts a timetable does not compare it, too.
        let mut is_busy = changed && !is_small;
        while !is_busy {
            let Some(missing) = pair.iter().find(|one| self.known(one, calendar).is_none()) else { break };
            is_busy = !is_small;
            let assessment = Assessment::of(instance, missing).ok().map(Arc::new);
            let known = Known { timetable: Arc::clone(missing), calendar: calendar.clone(), assessment };
            self.known.insert(0, known);
            self.known.truncate(KNOWN);
        }
        let assessed = pair.each_ref().map(|one| self.known(one, calendar));
        let (false, [Some(before), Some(after)]) = (is_busy, assessed) else {
            ctx.request_repaint();
            return stale.map_or(Progress::Counting, Progress::Done);
        };
        let (Some(before), Some(after)) = (&before.assessment, &after.assessment) else { return Progress::Impossible };
        let comparison = Arc::new(Comparison::between(before, after));
        self.last = Some(Last { pair, calendar: calendar.clone(), comparison: Arc::clone(&comparison) });
        Progress::Done(comparison)
    }
}
