//! The page of an open campaign: name and buttons, progress, and the part that a tab has chosen.

use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use strum::VariantArray as _;

use super::board::RunState;
use super::opened::{Activity, OpenCampaign, Tab};
use super::runner::lock;
use super::{failed, figures, grid, tables};
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{TabName, button, icon_button, placeholder, primary, tabs};
use crate::widgets::icons::Icon;
use crate::widgets::painting::truncated;

/// Narrower than this, the path of the plan is left out, and the buttons are below the name.
const NARROW: f32 = 760.0;

/// Width of the bar of progress in points.
const BAR: f32 = 160.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Home,
    /// To leave the view.
    Close,
    Report,
    Form,
}

/// A control of the page; returns what the person wants.
type Control = fn(&mut Ui, &mut OpenCampaign) -> Option<Wish>;

/// Shows the page in all the room there is.
pub(crate) fn show(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    let mut wish = None;
    let is_narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        ui.set_min_height(size::CONTROL);
        if icon_button(ui, Icon::StepBack, "All campaigns", true).clicked() {
            wish = Some(Wish::Home);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Cross, "Close campaigns", true).clicked() {
                wish = Some(Wish::Close);
            }
            if !is_narrow {
                wish = wish.or(buttons(ui, open));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(theme::title(open.name())).truncate()).on_hover_text(open.plan.display().to_string());
                if !is_narrow {
                    let path = open.plan.display().to_string();
                    ui.add(Label::new(theme::small(&path).color(palette(ui.visuals()).weak)).truncate())
                        .on_hover_text(path);
                }
            });
        });
    });
    if is_narrow {
        ui.horizontal_wrapped(|ui| wish = wish.or(buttons(ui, open)));
    }
    progress(ui, open);
    ui.add_space(space::XS);
    chooser(ui, open);
    ui.add_space(space::S);
    wish.or(contents(ui, open))
}

/// Start, or Pause and Stop while runs are performed; report and saving; in reverse order in a right-to-left row.
fn buttons(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    let mut wish = None;
    let mut all: [Control; 3] = [run_buttons, report_button, save_button];
    if ui.layout().prefer_right_to_left() {
        all.reverse();
    }
    for add in all {
        wish = wish.or(add(ui, open));
    }
    wish
}

fn run_buttons(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    let activity = open.activity();
    if activity == Activity::Idle {
        let ready = open.may_start(false);
        let has_rows = open.board().is_some_and(|board| lock(board).ended() > 0);
        let words = if has_rows { "Go on" } else { "Start" };
        let start = primary(ui, Icon::Play, words, ready.is_ok());
        let start = start.on_hover_text("Save the plan and perform the runs that have not ended (Ctrl+Enter)");
        if start.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked() {
            open.start(ui.ctx(), false);
        }
        return None;
    }
    let is_live = activity != Activity::Stopping;
    let stop = |ui: &mut Ui, open: &OpenCampaign| {
        let words = if is_live { "Stop" } else { "Stopping…" };
        let help = "End the runs that go on; those that have ended are kept, and “Go on” performs the rest";
        if button(ui, Icon::Stop, words, is_live).on_hover_text(help).clicked() {
            open.stop();
        }
    };
    let pause = |ui: &mut Ui, open: &OpenCampaign| {
        let response = match activity {
            Activity::Paused => primary(ui, Icon::Play, "Resume", is_live),
            _ => button(ui, Icon::Pause, "Pause", is_live),
        };
        if response.on_hover_text("Let the runs wait, or go on; time limits do not count the pause").clicked() {
            open.pause();
        }
    };
    if ui.layout().prefer_right_to_left() {
        stop(ui, open);
        pause(ui, open);
    } else {
        pause(ui, open);
        stop(ui, open);
    }
    None
}

fn report_button(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    let has_rows = open.board().is_some_and(|board| !lock(board).rows().is_empty());
    let response = button(ui, Icon::Export, "Write report…", has_rows);
    let response = response.on_hover_text("Tables, tests and figures as web page, PDF, LaTeX, CSV and SVG");
    response.on_disabled_hover_text("No run has ended yet").clicked().then_some(Wish::Report)
}

fn save_button(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    if !open.is_unsaved() {
        return None;
    }
    let is_idle = open.activity() == Activity::Idle;
    let help = format!("Write the plan to {}", open.plan.display());
    if button(ui, Icon::File, "Save plan", is_idle).on_hover_text(help).clicked() {
        open.save(ui.ctx());
    }
    None
}

/// Number of runs, bar and expected time in one line; a fault of the plan leads to its place.
fn progress(ui: &mut Ui, open: &mut OpenCampaign) {
    let palette = palette(ui.visuals());
    let fault = open.fault().filter(|_| !open.is_checking()).cloned();
    let (words, left) = (open.words(), open.time_left());
    let colour = if fault.is_some() { palette.bad } else { palette.text };
    let sense = if fault.is_some() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), sense);
    response.widget_info(|| {
        let role = if fault.is_some() { egui::Role::Button } else { egui::Role::ProgressIndicator };
        WidgetInfo::labeled(role, true, format!("{words} {left}").trim())
    });
    let painter = ui.painter().clone();
    let time = truncated(&painter, left.as_str(), theme::font(text::BODY), palette.weak, rect.width() * 0.5);
    let has_bar = fault.is_none() && open.share() > 0.0 && rect.width() > 2.0 * BAR + time.size().x + 160.0;
    let room = rect.width() - time.size().x - if has_bar { BAR + 2.0 * space::M } else { space::M };
    let galley = truncated(&painter, words.as_str(), theme::bold_font(text::BODY), colour, room);
    let centre = rect.center().y;
    painter.galley(pos2(rect.left(), centre - galley.size().y / 2.0), galley.clone(), colour);
    let mut x = rect.left() + galley.size().x + space::M;
    if has_bar {
        let bar = Rect::from_min_max(pos2(x, centre - 3.0), pos2(x + BAR, centre + 3.0));
        painter.rect_filled(bar, 3.0, palette.border);
        painter.rect_filled(bar.with_max_x(bar.left() + BAR * open.share()), 3.0, palette.accent);
        x = bar.right() + space::M;
    }
    painter.galley(pos2(x, centre - time.size().y / 2.0), time, palette.weak);
    let response = response.on_hover_text(words.as_str());
    if let Some(fault) = fault.filter(|_| response.clicked()) {
        open.tab = Tab::Plan;
        fault.place.inspect(|&place| open.editor.go_to(place));
    }
}

/// Tabs of the parts; the one of failed runs tells their number.
fn chooser(ui: &mut Ui, open: &mut OpenCampaign) {
    let failed = open.board().map_or(0, |board| lock(board).count(RunState::Failed));
    let failed = if failed > 0 { format!("Failed ({failed})") } else { "Failed".to_owned() };
    let names = [
        TabName::new("Plan", "The text of the plan, in which everything can be changed"),
        TabName::new("Runs", "Every run as a cell: waiting, running, done, infeasible or failed"),
        TabName::new("Tables", "Costs, ranks, tests and times of the runs so far"),
        TabName::new("Plots", "Figures of the runs so far"),
        TabName::new(failed.as_str(), "Runs that failed, with their reasons"),
    ];
    let chosen = Tab::VARIANTS.iter().position(|tab| *tab == open.tab).unwrap_or(0);
    ui.horizontal_wrapped(|ui| {
        if let Some(tab) = tabs(ui, &names, chosen).and_then(|index| Tab::VARIANTS.get(index)) {
            open.tab = *tab;
        }
    });
}

fn contents(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    if let Some(why) = open.broken().map(str::to_owned) {
        banner(ui, &why);
    }
    let board = open.board().cloned();
    match (open.tab, board) {
        (Tab::Plan, _) => return plan(ui, open),
        (_, None) => {
            let (heading, text) = match open.fault() {
                Some(_) => {
                    ("The plan has a fault", "The tab “Plan” shows the line. Nothing can run before it is put right.")
                }
                None => ("The plan is being checked", "Its instances are opened and every parameter is checked."),
            };
            placeholder(ui, Icon::Info, heading, text, |_| {});
        }
        (Tab::Runs, Some(board)) => {
            let board = lock(&board);
            grid::legend(ui, &board);
            ui.add_space(space::XS);
            grid::show(ui, &board, &mut open.grid);
        }
        (Tab::Tables, Some(_)) => tables::show(ui, open.summaries.latest().map(|summary| &**summary)),
        (Tab::Plots, Some(_)) => {
            let summary = open.summaries.latest().cloned();
            figures::show(ui, summary.as_deref(), &mut open.figures);
        }
        (Tab::Failed, Some(board)) => {
            repeat_button(ui, open);
            failed::show(ui, &lock(&board));
        }
    }
    None
}

/// Button that repeats failed runs, where there are some.
fn repeat_button(ui: &mut Ui, open: &mut OpenCampaign) {
    if open.board().is_none_or(|board| lock(board).count(RunState::Failed) == 0) {
        return;
    }
    let ready = open.may_start(true);
    let response = button(ui, Icon::Reset, "Repeat failed runs", ready.is_ok());
    let response = response.on_hover_text("Perform these runs again, and those that have not ended");
    if response.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked() {
        open.start(ui.ctx(), true);
    }
    ui.add_space(space::XS);
}

/// The text of the plan below its fault, and the way to the form.
fn plan(ui: &mut Ui, open: &mut OpenCampaign) -> Option<Wish> {
    let wish = form_button(ui, open);
    let is_idle = open.activity() == Activity::Idle;
    let fault = open.fault().filter(|_| !open.is_checking()).cloned();
    let remark = match (&fault, is_idle) {
        (Some(fault), _) => Some((fault.sentence(), palette(ui.visuals()).bad)),
        (None, false) => {
            Some(("The plan cannot be changed while its runs are performed.".to_owned(), palette(ui.visuals()).weak))
        }
        (None, true) => None,
    };
    if let Some((words, colour)) = remark {
        ui.add(Label::new(RichText::new(words).color(colour)).wrap().selectable(true));
        ui.add_space(space::XS);
    }
    open.editor.show(ui, fault.as_ref(), is_idle);
    wish
}

/// Button that fills the form with the plan, or why the form cannot hold it.
fn form_button(ui: &mut Ui, open: &OpenCampaign) -> Option<Wish> {
    let why = open.form().err();
    let is_ready = why.is_none() && open.activity() == Activity::Idle;
    let mut is_pressed = false;
    ui.horizontal(|ui| {
        let response = button(ui, Icon::Settings, "Edit in the form", is_ready);
        let response = response.on_hover_text("Change instances, algorithms, seeds and limit in fields");
        is_pressed = response.on_disabled_hover_text(why.as_deref().unwrap_or_default()).clicked();
        if let Some(why) = why {
            let words = theme::small(&why).color(palette(ui.visuals()).weak);
            ui.add(Label::new(words).truncate()).on_hover_text(why);
        }
    });
    ui.add_space(space::XS);
    is_pressed.then_some(Wish::Form)
}

/// A message in a coloured frame.
fn banner(ui: &mut Ui, words: &str) {
    let palette = palette(ui.visuals());
    let frame = egui::Frame::new().fill(palette.bad_soft).corner_radius(size::RADIUS).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(RichText::new(words).color(palette.text)).wrap().selectable(true));
    });
    ui.add_space(space::S);
}
