//! Solving again around changes, so that what was published is disturbed as little as possible.

use egui::{Context, RichText, Ui};
use gridwright_timetabling::around;

use crate::describe::{counted, per_student};
use crate::methods::*;
use crate::state::{Document, Shown};
use crate::view_state::adjusting::{Moved, ResolveDialog};
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::{confirmed, named, primary, segmented};
use gridwright_window::widgets::dialog::{Wish, closes, dialog, heading};
use gridwright_window::widgets::entry::{Number, scope};
use gridwright_window::widgets::icons::Icon;

/// In words, with what a tooltip says.
const MOVED: [(Moved, &str, &str); 3] = [
    (Moved::Stay, "Stay", "Pinned where you put them; the pins are listed under Rules and can be taken away"),
    (Moved::StayIfWorthIt, "Stay if worth it", "Like every other exam: away only where that saves more than the price"),
    (Moved::MayGoBack, "May go back", "The search stays close to the timetable as it was before you moved them"),
];

/// Violations of one kind that the dialog lists.
const LISTED: usize = 3;

/// A price of a moved exam to begin with, in raw cost: what an exam costs on average or, where rooms are planned, what the
/// dearest exam costs.
pub fn price_of_a_move(document: &Document) -> u32 {
    if let Some(picture) = document.picture().filter(|_| document.instance.has_rooms()) {
        return around::price_of_a_move(&document.instance, &picture.timetable);
    }
    let exams = document.instance.exam_count().max(1) as u64;
    let raw = document.picture().map_or(0, |picture| picture.cost.proximity);
    (raw / exams).clamp(1, 1_000_000) as u32
}

impl Moved {
    /// Explanation shown under the choice.
    fn meaning(self) -> &'static str {
        match self {
            Self::Stay => "Where they clash, other exams make room, whatever that costs.",
            Self::StayIfWorthIt => "Where making room would cost more than the price, they leave again.",
            Self::MayGoBack => "They leave wherever that is better; what clashes mostly goes back.",
        }
    }
}

impl ResolveDialog {
    /// Creates the dialog with a price that suits the shown timetable.
    pub fn new(document: &Document) -> Self {
        let weight = price_of_a_move(document);
        let room_price =
            if document.instance.has_rooms() { around::price_of_a_room(&document.instance, weight) } else { 0 };
        Self { weight, room_price, moved: Moved::Stay }
    }

    /// Shows it; `Some(true)`: solve now, `Some(false)`: do not.
    pub fn show(&mut self, ctx: &Context, document: &mut Document) -> Option<bool> {
        let mut solve = false;
        let response = dialog(ctx, "Solve around the changes", 460.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "Solve around the changes", &mut wish);
            self.contents(ui, document);
            ui.add_space(space::S);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let ready = document.ready();
                let response = primary(ui, Icon::Play, "Solve", ready.is_ok());
                let response = response.on_hover_text("Search with the settings at the top of the window");
                let clicked = response.on_disabled_hover_text(ready.err().unwrap_or_default()).clicked();
                solve = clicked || ready.is_ok() && confirmed(ui);
                if ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, size::CONTROL))).clicked() {
                    wish = Wish::Close;
                }
            });
            wish
        });
        if solve {
            return Some(true);
        }
        closes(&response).then_some(false)
    }

    fn contents(&mut self, ui: &mut Ui, document: &mut Document) {
        let palette = palette(ui.visuals());
        let draft = document.draft().filter(|_| document.shown == Shown::Draft);
        let moved = draft.map_or(0, |draft| draft.moved().len());
        let text = match draft {
            Some(draft) if moved > 0 => {
                let verb = if moved == 1 { "was" } else { "were" };
                format!(
                    "{} {verb} moved by hand since {}. The search mends what does not fit any more and leaves as many exams as possible where they stood.",
                    counted(moved as u64, "exam"),
                    draft.from
                )
            }
            _ => "The search improves this timetable, minds the rules and leaves as many exams as possible where they \
                  stand."
                .to_owned(),
        };
        ui.label(RichText::new(text).color(palette.weak));
        no_longer_holds(ui, document);
        let contradictions = document.contradictions();
        if !contradictions.is_empty() {
            ui.label(theme::bold("No timetable can meet all rules").color(palette.bad));
            gridwright_window::widgets::notice::message(ui, &contradictions.join("\n"));
        }
        ui.add_space(space::XS);
        if moved > 0 {
            ui.label(theme::bold(match moved {
                1 => "The exam that I moved".to_owned(),
                _ => format!("The {moved} exams that I moved"),
            }));
            let chosen = MOVED.iter().position(|(choice, ..)| *choice == self.moved);
            let choices = MOVED.map(|(_, words, help)| (words, help, true));
            if let Some(index) = ui.horizontal(|ui| segmented(ui, &choices, chosen)).inner {
                self.moved = MOVED[index].0;
            }
            ui.label(theme::small(self.moved.meaning()).color(palette.weak));
            ui.add_space(space::XS);
        }
        self.price(ui, document);
    }

    /// Draws the fields for the raw costs that moving one more exam and leaving one more room must save.
    fn price(&mut self, ui: &mut Ui, document: &Document) {
        let palette = palette(ui.visuals());
        let most = price_of_a_move(document);
        price_field(ui, document, &mut self.weight, most, ("Price of each moved exam", "moving one more exam"));
        let help = "An exam leaves its period only where that saves more than this. A higher price disturbs fewer \
                    students, a lower one finds a better timetable.";
        ui.label(theme::small(help).color(palette.weak));
        if document.instance.has_rooms() {
            ui.add_space(space::XS);
            let words = ("Price of each changed room", "another room for an exam");
            price_field(ui, document, &mut self.room_price, most, words);
            let help = "An exam leaves its room only where that saves more than this.";
            ui.label(theme::small(help).color(palette.weak));
        }
    }
}

/// Draws what of the shown timetable does not hold by the present data and rules, by kind.
fn no_longer_holds(ui: &mut Ui, document: &Document) {
    let palette = palette(ui.visuals());
    let Some(verdict) = document.verdict().filter(|verdict| !verdict.feasible) else { return };
    ui.add_space(space::XS);
    ui.label(theme::bold("What does not hold now").color(palette.bad));
    gridwright_window::widgets::notice::message(ui, &around::by_kind(verdict, LISTED).join("\n"));
}

/// Draws a field for a price in raw cost, with a scale up to 20 times `usual`: heading and what must save it.
fn price_field(ui: &mut Ui, document: &Document, price: &mut u32, usual: u32, (name, what): (&str, &str)) {
    let palette = palette(ui.visuals());
    ui.label(theme::bold(name));
    let instance = &document.instance;
    let (divided, divisor) = match instance.objective.is_per_student() {
        true => (true, f64::from(instance.divisor)),
        false => (false, 1.0),
    };
    let highest = f64::from(around::HIGHEST_PRICE) / divisor;
    let raw = |shown: f64| (shown.clamp(0.0, highest) * divisor).round() as u32;
    let mut shown = f64::from(*price) / divisor;
    let decimals = if divided { 4 } else { 0 };
    let most = (f64::from(usual) / divisor * 20.0).max(shown);
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - 160.0).max(120.0);
        let slider = egui::Slider::new(&mut shown, 0.0..=most)
            .logarithmic(true)
            .fixed_decimals(decimals)
            .smallest_positive(if divided { 1e-4 } else { 1.0 })
            .show_value(false);
        let help = format!("Cost{} that {what} must save", per_student(instance));
        let scale = scope(ui, &format!("{name}, scale"), true, |ui| named(ui, name, &help, |ui| ui.add(slider)));
        let field = Number::new(name, &mut shown).range(0.0..=highest).decimals(decimals);
        let response = scale | ui.add(field.help(&help));
        if response.changed() {
            *price = raw(shown);
        }
        ui.label(RichText::new(per_student(instance).trim_start()).color(palette.weak));
    });
}
