//! The dialog *What if…*: decisions about the shown plan, what they would cost, and one of them taken over as an edit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use egui::{Align, Button, Context, Frame, Label, Layout, Margin, RichText, ScrollArea, Ui, vec2};
use gridwright_core::data::Tables;
use gridwright_core::numbers::counted;
use gridwright_core::planning::decisions::{Consequences, Decision, NO_CHANGE};
use gridwright_core::planning::{self, Planning as _, Settings};
use gridwright_core::search::{Budget, Control, Stop};
use gridwright_core::{Result, data};

use super::kind::{DocumentKind, Drawn as _, Refusal};
use super::tables::Data;
use super::{Document, Draft, Work};
use crate::document::kind::{Instance, Solution};
use crate::later::Later;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, primary, segmented};
use crate::widgets::dialog;
use crate::widgets::figures::{DATED, Figures};
use crate::widgets::icons::Icon;

/// Times for all runs together, in seconds.
const TIMES: [(&str, f64); 4] = [("10 s", 10.0), ("1 min", 60.0), ("5 min", 300.0), ("30 min", 1_800.0)];

/// Height in points of the list of decisions above a table.
const LIST: f32 = 132.0;

/// Largest share of the room that the list takes above a table.
const LIST_SHARE: f32 = 0.35;

/// Height in points of the line with the buttons and what separates it from the body.
const FOOT: f32 = 64.0;

/// Width in points of the column of decisions.
const NAME: f32 = 250.0;

/// Milliseconds between two looks at the progress.
const LOOK: Duration = Duration::from_millis(200);

/// A decision whose data a thread makes, to be taken over.
struct Taking<K: DocumentKind> {
    name: String,
    demands: K::Demands,
    solution: Arc<Solution<K>>,
    data: Later<Arc<Data<Instance<K>>>>,
}

/// The dialog: decisions about one plan, and their consequences.
pub(super) struct Deciding<K: DocumentKind> {
    instance: Arc<Instance<K>>,
    plan: Arc<Solution<K>>,
    decisions: Arc<Vec<Decision<Instance<K>>>>,
    ticked: Vec<bool>,
    /// Number of decisions that were computed last or are being computed.
    asked: usize,
    time: usize,
    control: Control,
    done: Arc<AtomicUsize>,
    answer: Later<Result<Consequences>>,
    found: Option<Consequences>,
    error: Option<String>,
    /// Index of the chosen row of the table.
    chosen: Option<usize>,
    /// True while the dialog is shown; what was found stays until the plan is another one.
    is_open: bool,
    taking: Option<Taking<K>>,
}

impl<K: DocumentKind> Drop for Deciding<K> {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

impl<K: DocumentKind> Document<K> {
    /// Checks that decisions about the shown plan can be looked at.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn may_decide(&self) -> std::result::Result<(), Refusal> {
        match self.picture() {
            None => Err("There is no plan yet; solve first"),
            Some(_) if self.live.is_some() => Err("A run goes on; wait until it has ended, or stop it"),
            Some(_) => Ok(()),
        }
    }

    /// Opens the dialog.
    ///
    /// # Errors
    /// As [`Self::may_decide`].
    pub(super) fn begin_deciding(&mut self) -> std::result::Result<(), Refusal> {
        self.may_decide()?;
        let Some(picture) = self.picture() else { return Ok(()) };
        let plan = Arc::clone(K::Picture::solution(picture));
        let instance = Arc::clone(&self.instance);
        match self.deciding.as_mut().filter(|known| known.is_about(&instance, &plan)) {
            Some(known) => known.is_open = true,
            None => self.deciding = Some(Box::new(Deciding::of(instance, plan))),
        }
        Ok(())
    }

    /// Draws the dialog, if it is open, and takes over what it asks for.
    pub(super) fn show_deciding(&mut self, ctx: &Context) {
        let Some(mut deciding) = self.deciding.take_if(|deciding| deciding.is_open) else { return };
        deciding.poll();
        let wish = deciding.show(ctx, self);
        if let Some(taken) = deciding.taken() {
            self.take_decision(taken);
            return;
        }
        if wish == dialog::Wish::Close {
            deciding.control.cancel();
            (deciding.is_open, deciding.taking) = (false, None);
        }
        self.deciding = Some(deciding);
    }

    /// Makes a decision as one edit: its data, its demands, and its plan as a draft.
    fn take_decision(&mut self, (name, work): (String, Work<K>)) {
        let is_usable = work.data.issues.is_empty();
        let work = Work { letterhead: Arc::clone(&self.work().letterhead), ..work };
        match self.change(&name, work, None) {
            Ok(()) => {
                self.show_draft();
                self.tell_of_edit(
                    "The decision was taken over",
                    "Undo goes back to the data, rules and plan of before.",
                );
            }
            Err(why) => self.say(why),
        }
        if !is_usable {
            self.warn_of_edit("The data of the decision are incomplete", "See the marked cells in Data.");
        }
    }

    /// The data of an instance with the identity of the present ones; for a thread.
    fn data_of_decision(&self, instance: Instance<K>) -> impl FnOnce() -> Arc<Data<Instance<K>>> + Send + use<K> {
        let (former, opened) = (Arc::clone(&self.work().data), Arc::clone(&self.opened_data));
        move || {
            let tables = data::identified::<Instance<K>>(instance.to_data(), &[&opened.tables, &former.tables]);
            if *tables == *former.tables { former } else { Data::of_tables(tables, (0, &[]), &former) }
        }
    }
}

impl<K: DocumentKind> Deciding<K> {
    fn of(instance: Arc<Instance<K>>, plan: Arc<Solution<K>>) -> Self {
        let decisions = Arc::new(planning::decisions_about::<K::Problem>(&instance, &plan));
        let ticked = decisions.iter().map(|decision| decision.name.is_proposed).collect();
        Self {
            instance,
            plan,
            decisions,
            ticked,
            asked: 0,
            time: 1,
            control: Control::new(),
            done: Arc::default(),
            answer: Later::default(),
            found: None,
            error: None,
            chosen: None,
            is_open: true,
            taking: None,
        }
    }

    /// Returns `true` if the decisions are about this plan of this instance.
    fn is_about(&self, instance: &Arc<Instance<K>>, plan: &Arc<Solution<K>>) -> bool {
        Arc::ptr_eq(&self.instance, instance) && Arc::ptr_eq(&self.plan, plan)
    }

    /// Returns `true` while the dialog is shown.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    fn poll(&mut self) {
        match self.answer.take_result() {
            Some(Ok(Ok(found))) => (self.found, self.chosen) = (Some(found), None),
            Some(Ok(Err(error))) => self.error = Some(error.to_string()),
            Some(Err(why)) => self.error = Some(format!("The runs broke off: {why}")),
            None => {}
        }
    }

    /// The decision to take over, once its data are made.
    fn taken(&mut self) -> Option<(String, Work<K>)> {
        let data = self.taking.as_mut()?.data.take()?;
        let Taking { name, demands, solution, .. } = self.taking.take()?;
        let draft = Draft { from: name.clone(), base: Arc::clone(&self.plan), solution };
        Some((format!("what if: {name}"), Work { draft: Some(draft), demands, data, letterhead: Arc::default() }))
    }

    /// Starts the runs of the ticked decisions.
    fn compute(&mut self, ctx: &Context, document: &Document<K>) {
        let is_chosen =
            |(decision, ticked): &(&Decision<Instance<K>>, &bool)| **ticked || decision.name.key == NO_CHANGE;
        let chosen: Vec<_> =
            self.decisions.iter().zip(&self.ticked).filter(is_chosen).map(|(one, _)| one.clone()).collect();
        self.asked = chosen.len();
        let stop = Stop::after(Budget::Seconds(TIMES[self.time].1));
        let settings = Settings::<K::Problem> { stop, ..document.settings.clone() };
        (self.control, self.done) = (Control::new(), Arc::default());
        (self.found, self.error, self.chosen) = (None, None, None);
        let (control, done) = (self.control.clone(), Arc::clone(&self.done));
        let (instance, plan) = (Arc::clone(&self.instance), Arc::clone(&self.plan));
        self.answer.begin(ctx, "what if", move || {
            let told = |count: usize| done.store(count, Ordering::Relaxed);
            let of = (&*instance, &settings.goal);
            planning::consequences_of::<K::Problem>(of, &plan, &chosen, &settings, &control, &told)
        });
    }

    /// Index among the decisions of the chosen row; `None` if no row or that of the present plan is chosen.
    fn chosen_decision(&self) -> Option<(usize, usize)> {
        let at = self.chosen?.checked_sub(1)?;
        let key = &self.found.as_ref()?.all.get(at)?.name.key;
        Some((at, self.decisions.iter().position(|decision| decision.name.key == *key)?))
    }

    /// Lets a thread make the data of the chosen decision.
    fn take_over(&mut self, ctx: &Context, document: &Document<K>) {
        let Some((at, index)) = self.chosen_decision() else { return };
        let (decision, Some(found)) = (&self.decisions[index], &self.found) else { return };
        let solution = <K::Problem>::decode(&decision.instance, &found.all[at].result.solution);
        let solution = match solution {
            Ok(solution) => Arc::new(solution),
            Err(why) => return self.error = Some(why),
        };
        let (name, demands) = (decision.name.words.clone(), K::demands(&decision.instance));
        let mut data = Later::default();
        data.begin(ctx, "take a decision over", document.data_of_decision(decision.instance.clone()));
        self.taking = Some(Taking { name, demands, solution, data });
    }

    fn show(&mut self, ctx: &Context, document: &Document<K>) -> dialog::Wish {
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let room = dialog::room(ctx).size();
        let response = dialog::modal(ctx, "what if", frame).show(ctx, |ui| {
            ui.set_width((room.x - 64.0).clamp(560.0, 1040.0));
            ui.set_height((room.y - 72.0).clamp(240.0, 720.0));
            let mut wish = dialog::Wish::Stay;
            dialog::heading(ui, "What if…", &mut wish);
            let words = "Each ticked decision is solved from the shown plan, for an equal share of the time. Nothing changes until \
                         a decision is taken over.";
            ui.add(Label::new(theme::small(words).color(palette(ui.visuals()).weak)).wrap());
            ui.add_space(space::S);
            self.settings(ui, document);
            ui.add_space(space::S);
            let body = vec2(ui.available_width(), ui.available_height() - FOOT);
            ui.allocate_ui_with_layout(body, Layout::top_down(Align::LEFT), |ui| {
                ui.set_min_size(body);
                self.body(ui);
            });
            self.foot(ui, document, &mut wish);
            wish
        });
        // A click outside does not close the dialog; Escape stops the runs first.
        let is_left = ctx.input(|input| input.key_pressed(egui::Key::Escape));
        if is_left && self.answer.is_busy() {
            self.control.cancel();
            return dialog::Wish::Stay;
        }
        if is_left { dialog::Wish::Close } else { response.inner }
    }

    /// Draws the time and the button that starts or stops the runs.
    fn settings(&mut self, ui: &mut Ui, document: &Document<K>) {
        let is_busy = self.answer.is_busy();
        ui.horizontal(|ui| {
            ui.label("Time for all");
            let names = TIMES.map(|(name, _)| (name, "Time of all runs together, which get equal shares", !is_busy));
            if let Some(time) = segmented(ui, &names, Some(self.time)) {
                self.time = time;
            }
            ui.add_space(space::M);
            let ticked = self.ticked.iter().filter(|ticked| **ticked).count();
            if is_busy {
                let words =
                    format!("{} of {}", self.done.load(Ordering::Relaxed), counted(self.asked as u64, "decision"));
                ui.spinner();
                ui.label(words);
                if button(ui, Icon::Stop, "Stop", true).on_hover_text("The best so far of each run counts").clicked() {
                    self.control.cancel();
                }
                ui.ctx().request_repaint_after(LOOK);
            } else {
                let words = format!("Compute {}", counted(ticked as u64, "decision"));
                if primary(ui, Icon::Play, &words, ticked > 0).clicked() {
                    self.compute(ui.ctx(), document);
                }
            }
        });
    }

    /// Draws the decisions with ticks, and below them what was found.
    fn body(&mut self, ui: &mut Ui) {
        let is_busy = self.answer.is_busy();
        ui.horizontal(|ui| {
            for (words, help, rule) in [
                ("Proposed", "Tick those that matter most often", 0),
                ("All", "Tick all decisions", 1),
                ("None", "Tick nothing but the plan as it is", 2),
            ] {
                if ui.add_enabled(!is_busy, Button::new(words).small()).on_hover_text(help).clicked() {
                    let is_ticked = |decision: &Decision<Instance<K>>| match rule {
                        0 => decision.name.is_proposed,
                        1 => true,
                        _ => decision.name.key == NO_CHANGE,
                    };
                    self.ticked = self.decisions.iter().map(is_ticked).collect();
                }
            }
        });
        let room = ui.available_height();
        let height = if self.found.is_some() { LIST.min(room * LIST_SHARE) } else { room - space::S };
        ScrollArea::vertical().id_salt("decisions").max_height(height).auto_shrink([false, self.found.is_none()]).show(
            ui,
            |ui| {
                for (decision, ticked) in self.decisions.iter().zip(&mut self.ticked) {
                    let is_free = !is_busy && decision.name.key != NO_CHANGE;
                    ui.add_enabled(is_free, egui::Checkbox::new(ticked, &decision.name.words));
                }
            },
        );
        let Some(found) = &self.found else { return };
        ui.add_space(space::S);
        let table = found.table();
        let name = ("Decision", "In the order of the list", NAME);
        let figures = Figures { id: "consequences", table: &table, name, width: DATED, shown: self.chosen };
        let clicked = ScrollArea::horizontal().show(ui, |ui| figures.show(ui)).inner;
        self.chosen = clicked.or(self.chosen);
    }

    /// Draws what is said of the chosen decision, and the buttons.
    fn foot(&mut self, ui: &mut Ui, document: &Document<K>, wish: &mut dialog::Wish) {
        let visuals = palette(ui.visuals());
        ui.separator();
        ui.horizontal(|ui| {
            ui.set_height(size::CONTROL + space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_taking = self.taking.is_some();
                let help = "Data, rules and plan of the chosen decision become those of the document: one edit, which undo takes back";
                let can_take = self.chosen_decision().is_some() && !is_taking;
                let take = primary(ui, Icon::Check, "Take over", can_take).on_hover_text(help);
                if take.on_disabled_hover_text("Choose a decision in the table first").clicked() {
                    self.take_over(ui.ctx(), document);
                }
                let copy = button(ui, Icon::Copy, "Copy the table", self.found.is_some());
                let is_copied = copy.on_hover_text("As CSV, for a spreadsheet").clicked();
                if let Some(found) = self.found.as_ref().filter(|_| is_copied) {
                    let csv = found.table().bytes("", "csv").unwrap_or_default();
                    ui.ctx().copy_text(String::from_utf8_lossy(&csv).trim_start_matches('\u{feff}').to_owned());
                }
                if ui.add(Button::new("Close").min_size(vec2(0.0, size::CONTROL))).clicked() {
                    *wish = dialog::Wish::Close;
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let (words, colour) = self.words_of_chosen();
                    let colour = if colour { visuals.bad } else { visuals.weak };
                    // One line, so that the dialog keeps its height.
                    let label = Label::new(RichText::new(&words).color(colour)).truncate();
                    ui.add(label).on_hover_text(words);
                });
            });
        });
    }

    /// Sentence about the chosen decision, and whether it is about a fault.
    fn words_of_chosen(&self) -> (String, bool) {
        if let Some(error) = &self.error {
            return (error.clone(), true);
        }
        let chosen = self.chosen_decision().and_then(|(at, _)| self.found.as_ref()?.all.get(at));
        match chosen.map(|one| &one.obstacle) {
            Some(Some(why)) => (format!("Not possible: {why}"), true),
            Some(None) => ("All demands are met.".to_owned(), false),
            None if self.found.is_some() => {
                let left = self.asked.saturating_sub(self.found.as_ref().map_or(0, |found| found.all.len()));
                let left = if left == 0 {
                    String::new()
                } else {
                    format!(" Not computed: {}.", counted(left as u64, "decision"))
                };
                (format!("Changes are those from no change.{left}"), false)
            }
            None => (String::new(), false),
        }
    }
}
