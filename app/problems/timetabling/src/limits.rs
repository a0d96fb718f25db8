//! Choice of the limits that no student may exceed.

use std::sync::Arc;

use egui::{Align, Context, Grid, Layout, RichText, Ui, vec2};
use gridwright_timetabling::check::{ViolationKind, check};
use gridwright_timetabling::limit_windows::contradictions;
use gridwright_timetabling::limits::{HIGHEST_LIMIT, LimitName};
use gridwright_timetabling::{Instance, StudentLimits};

use super::describe::counted;
use super::editing::Edit;
use super::state::Document;
use super::view_state::limits::{Dialog, Outlook};
use crate::methods::*;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::dialog::{Ending, Wish, dialog, ending, heading};
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::notice::message;

/// Height in points of what follows from limits, at least.
const OUTLOOK: f32 = 84.0;

/// Largest number of students beyond a limit who are named.
const NAMED: usize = 3;

fn outlook_of(document: &Document, limits: &StudentLimits) -> Outlook {
    let mut instance = Instance::clone(&document.instance);
    instance.rules.limits = limits.clone();
    let impossible = contradictions(&instance, NAMED).into_iter().map(|(_, text)| text).collect();
    let beyond = document.picture().map(|picture| {
        let violations = check(&instance, &picture.timetable).violations;
        violations.iter().filter(|violation| violation.kind == ViolationKind::Limit).count()
    });
    Outlook { impossible, beyond }
}

/// The dialog with the present limits of a document.
pub(crate) fn dialog_of(document: &Document) -> Dialog {
    let limits = document.instance.rules.limits.clone();
    Dialog { outlook: outlook_of(document, &limits), asked: limits.clone(), limits }
}

/// Draws the choice of the limits while it is open.
pub fn choice(ctx: &Context, document: &mut Document) {
    let Some(mut open) = document.limits_dialog.take() else { return };
    let response = dialog(ctx, "Limits for students", 520.0, |ui| {
        let palette = palette(ui.visuals());
        let mut wish = Wish::Stay;
        heading(ui, "Limits for every student", &mut wish);
        let text = "No timetable that a search gives is beyond a limit. 0 is no limit.";
        ui.add(egui::Label::new(RichText::new(text).color(palette.weak)).wrap());
        fields(ui, &mut open.limits);
        if open.asked != open.limits {
            open.outlook = outlook_of(document, &open.limits);
            open.asked.clone_from(&open.limits);
        }
        // As high with two lines as with none, so that no field moves while it is changed.
        let top = ui.cursor().top();
        outlook(ui, &open);
        let drawn = ui.cursor().top() - top;
        ui.add_space((OUTLOOK - drawn).max(0.0));
        let row = vec2(ui.available_width(), size::CONTROL);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            if ui.add(egui::Button::new("Done").min_size(vec2(0.0, size::CONTROL))).clicked() {
                wish = Wish::Close;
            }
        });
        wish
    });
    let Some(ending) = ending(&response) else {
        document.limits_dialog = Some(open);
        return;
    };
    if ending == Ending::Left
        && open.limits != document.instance.rules.limits
        && let Err(why) = document.apply(vec![Edit::Limits(Arc::new(open.limits))])
    {
        document.say(why);
    }
}

fn fields(ui: &mut Ui, limits: &mut StudentLimits) {
    Grid::new("limits").num_columns(2).striped(true).show(ui, |ui| {
        for name in LimitName::ALL {
            ui.label(name.label);
            let field = Number::new(name.label, name.place(limits)).range(0..=HIGHEST_LIMIT);
            ui.add(field.help("A limit that every timetable keeps; 0 is no limit"));
            ui.end_row();
        }
    });
}

/// Says what follows from the limits.
fn outlook(ui: &mut Ui, open: &Dialog) {
    let palette = palette(ui.visuals());
    ui.add_space(space::XS);
    if (open.limits.in_days > 0) != (open.limits.days > 0) {
        let text = "A number of exams in several days needs both: the exams and the days.";
        ui.label(RichText::new(text).color(palette.warn));
    }
    if !open.outlook.impossible.is_empty() {
        ui.label(theme::bold("No timetable can keep these limits").color(palette.bad));
        message(ui, &open.outlook.impossible.join("\n"));
    } else if let Some(beyond) = open.outlook.beyond.filter(|_| !open.limits.is_empty()) {
        let students = counted(beyond as u64, "student");
        let (text, colour) = match beyond {
            0 => ("The timetable that is shown keeps them.".to_owned(), palette.good),
            _ => (format!("In the timetable that is shown {students} would be beyond them."), palette.warn),
        };
        ui.label(RichText::new(text).color(colour));
    }
}
