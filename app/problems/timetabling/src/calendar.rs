//! The calendar dialog: first day, weekdays and times at the left, the periods that follow from them at the right.

mod pattern;
mod strip;

use chrono::{Datelike, Local, NaiveDate};
use egui::{Align, Context, Frame, Layout, Margin, RichText, Ui, vec2};
use gridwright_core::numbers::counted;
use gridwright_timetabling::calendar::{self, Calendar, Extent, Place, correspondence};
use gridwright_timetabling::{Instance, Period, TimeZone};

use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::{primary, segmented};
use gridwright_window::widgets::dialog::{modal, room, scrolled};
use gridwright_window::widgets::icons::Icon;

/// Action that the dialog requests from the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// Replaces periods and time zone of the session by these.
    Apply(Vec<Period>, Option<TimeZone>),
    /// Closes the dialog.
    Close,
}

/// The dialog while it is open.
pub struct Dialog {
    calendar: Calendar,
    time_zone: Option<TimeZone>,
    /// Zone of this computer, the first in the list of zones.
    own_zone: Option<TimeZone>,
    /// First and last day as typed into their fields.
    first: String,
    last: String,
    /// Start and end of each slot as typed.
    slots: Vec<[String; 2]>,
    /// A day to leave out, as typed.
    holiday: String,
    /// True while a click on a period selects it instead of leaving it out.
    seats_mode: bool,
    chosen: Option<Place>,
    /// Periods that the session has now.
    before: Vec<Period>,
    /// Numbers of periods of the runs that ended.
    runs: Vec<usize>,
    /// Periods without which there is no timetable.
    least: usize,
    /// Reason why the initial pattern differs from the session's periods.
    remark: Option<String>,
    can_mend: bool,
}

/// Formats a date the way that dates are typed: `2026-06-01`.
fn written(date: NaiveDate) -> String {
    date.format("%Y-%m-%d").to_string()
}

/// «Mon 1 June 2026».
fn spoken(date: NaiveDate) -> String {
    date.format("%a %-d %B %Y").to_string()
}

impl Dialog {
    /// The calendar of an instance; `runs` are the numbers of periods of its runs.
    pub fn new(instance: &Instance, runs: impl Iterator<Item = usize>) -> Self {
        let before = instance.periods.clone();
        let (calendar, remark, can_mend) = recognised(&before);
        let mut dialog = Self {
            first: String::new(),
            last: String::new(),
            slots: Vec::new(),
            holiday: String::new(),
            seats_mode: false,
            chosen: None,
            calendar,
            time_zone: instance.time_zone,
            own_zone: TimeZone::of_computer(),
            before,
            runs: runs.collect(),
            least: instance.conflicts.greedy_clique().len(),
            remark,
            can_mend,
        };
        dialog.write_fields();
        dialog
    }

    /// Writes the calendar's values into the text fields.
    fn write_fields(&mut self) {
        self.first = written(self.calendar.first);
        self.last = match self.calendar.extent {
            Extent::LastDay(last) => written(last),
            Extent::Periods(_) => self.last_day().map(written).unwrap_or_default(),
        };
        let time = |time: chrono::NaiveTime| time.format("%H:%M").to_string();
        let slots = self.calendar.slots.iter();
        self.slots = slots.map(|slot| [time(slot.start), slot.end.map(time).unwrap_or_default()]).collect();
    }

    /// The last day with a period.
    fn last_day(&self) -> Option<NaiveDate> {
        self.calendar.days().iter().rev().find(|day| day.open).map(|day| day.date)
    }

    /// Starts from the periods of the session without their flaws.
    fn mend(&mut self) {
        (self.calendar, self.remark, self.can_mend) = recognised(&calendar::mend(&self.before));
        self.write_fields();
    }

    /// Returns the reason why the calendar cannot be applied, if there is one.
    fn obstacle(&self) -> Option<String> {
        self.wrong_field().or_else(|| self.calendar.problems().into_iter().next())
    }

    /// Describes the effect of applying the calendar on the timetables that exist.
    fn consequence(&self, count: usize) -> String {
        let now = self.before.len();
        let runs = self.runs.iter().filter(|&&periods| periods == now).count();
        let runs = match runs {
            0 => String::new(),
            1 => format!(" The run for {now} periods is kept and listed again with {now}."),
            runs => format!(" The {runs} runs for {now} periods are kept and listed again with {now}."),
        };
        let after = self.calendar.periods().unwrap_or_default();
        let index_of = correspondence(&self.before, &after);
        let lost = index_of.iter().filter(|new| new.is_none()).count();
        let is_dated = !self.before.is_empty() && self.before.iter().all(|period| period.date.is_some());
        let kept = if is_dated { "Exams keep date and time" } else { "Timetables keep the order of their periods" };
        let lost = match lost {
            0 => String::new(),
            1 => "; exams in the period that is left out lose their place".to_owned(),
            lost => format!("; exams in the {lost} periods that are left out lose their place"),
        };
        match (now, count) {
            (_, count) if count < self.least => {
                format!("Too few: at least {} are needed, as so many exams share students, each with each.", self.least)
            }
            (0, _) => "The session has no periods yet.".to_owned(),
            (now, count) if now == count && is_dated => format!("As many as now. {kept}{lost}."),
            (now, count) if now == count => format!("As many as now. {kept} and take on these dates."),
            (now, count) if count > now => format!("{} more than the {now} now. {kept}{lost}.{runs}", count - now),
            (now, count) => format!("{} fewer than the {now} now. {kept}{lost}.{runs}", now - count),
        }
    }

    /// Paints the dialog.
    pub fn show(&mut self, ctx: &Context) -> Option<Wish> {
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let room = room(ctx).size();
        let mut wish = None;
        let response = modal(ctx, "calendar", frame).show(ctx, |ui| {
            ui.set_width((room.x - 96.0).clamp(580.0, 1080.0));
            scrolled(ui, |ui| {
                ui.set_height((room.y - 112.0).clamp(440.0, 720.0));
                wish = self.contents(ui);
            });
        });
        wish.or(response.should_close().then_some(Wish::Close))
    }

    fn contents(&mut self, ui: &mut Ui) -> Option<Wish> {
        ui.label(theme::title("Calendar of the session"));
        ui.add_space(space::XS);
        self.remark_line(ui);
        ui.separator();
        ui.add_space(space::XS);
        let body = vec2(ui.available_width(), ui.available_height() - 58.0);
        ui.allocate_ui_with_layout(body, Layout::left_to_right(Align::TOP), |ui| {
            ui.set_min_size(body);
            ui.allocate_ui_with_layout(vec2(312.0, body.y), Layout::top_down(Align::LEFT), |ui| {
                ui.set_min_size(vec2(312.0, body.y));
                egui::ScrollArea::vertical().id_salt("pattern").auto_shrink(false).show(ui, |ui| self.pattern(ui));
            });
            ui.add_space(space::S);
            ui.vertical(|ui| self.preview(ui));
        });
        self.foot(ui)
    }

    /// Draws the reason why the pattern differs from the session's periods, with the remedy.
    fn remark_line(&mut self, ui: &mut Ui) {
        let Some(remark) = self.remark.clone() else { return };
        let mut mend = false;
        ui.horizontal(|ui| {
            ui.add(egui::Label::new(RichText::new(remark).color(palette(ui.visuals()).warn)).wrap());
            mend = self.can_mend
                && ui.button("Mend the periods").on_hover_text("Sort them and correct their times").clicked();
        });
        if mend {
            self.mend();
        }
    }

    /// The periods as weeks, and the seats of the one that is chosen.
    fn preview(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label(theme::small("A click on a period").color(palette(ui.visuals()).weak));
            let choices = [
                ("leaves it out", "Or takes it in again; a click on a day does so for the day", true),
                ("sets its seats", "A click on a period chooses it", true),
            ];
            if let Some(index) = segmented(ui, &choices, Some(usize::from(self.seats_mode))) {
                self.seats_mode = index == 1;
                self.chosen = None;
            }
            self.seats_of_chosen(ui);
        });
        ui.add_space(space::XS);
        let days = self.calendar.days();
        match strip::show(ui, &days, self.calendar.seats, self.chosen, self.seats_mode) {
            Some(strip::Clicked::Day(date)) => self.calendar.toggle_day(date),
            Some(strip::Clicked::Slot(place)) if self.seats_mode => {
                self.chosen = if self.chosen == Some(place) { None } else { Some(place) };
            }
            Some(strip::Clicked::Slot(place)) => self.calendar.toggle(place),
            None => {}
        }
    }

    fn seats_of_chosen(&mut self, ui: &mut Ui) {
        let Some(place) = self.chosen else { return };
        ui.add_space(space::M);
        ui.label(format!("Seats on {}, {}", place.0.format("%a %-d %b"), place.1.format("%H:%M")));
        let mut seats = self.calendar.seats_of(place);
        if pattern::seats(ui, "Seats in this period", &mut seats) {
            self.calendar.set_seats(place, seats);
        }
    }

    fn foot(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.separator();
        let obstacle = self.obstacle();
        let visuals = palette(ui.visuals());
        ui.horizontal(|ui| {
            ui.set_height(size::CONTROL + space::L);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let apply = primary(ui, Icon::Check, "Apply", obstacle.is_none());
                let apply = apply.on_hover_text("Take these periods for those of the session");
                let apply = match &obstacle {
                    Some(why) => apply.on_disabled_hover_text(why),
                    None => apply,
                };
                if apply.clicked() {
                    wish = self.calendar.periods().ok().map(|periods| Wish::Apply(periods, self.time_zone));
                }
                let cancel = egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL));
                if ui.add(cancel).clicked() {
                    wish = Some(Wish::Close);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| match &obstacle {
                    Some(why) => {
                        ui.add(egui::Label::new(RichText::new(why).color(visuals.bad)).wrap());
                    }
                    None => {
                        let count = self.calendar.count();
                        ui.label(theme::heading(counted(count, "period")));
                        ui.add_space(space::XS);
                        let words = RichText::new(self.consequence(count)).color(visuals.weak);
                        ui.add(egui::Label::new(words).wrap());
                    }
                });
            });
        });
        wish
    }
}

/// Returns the calendar of the periods, or a default one with the reason, and `true` if the periods can be mended.
fn recognised(periods: &[Period]) -> (Calendar, Option<String>, bool) {
    match Calendar::recognise(periods) {
        Ok(calendar) => (calendar, None, false),
        Err(why) => {
            let today = Local::now().date_naive();
            let first = periods.iter().filter_map(|period| period.date).min();
            let first = first.unwrap_or_else(|| calendar::monday_from(today));
            let mut usual = Calendar::usual(first, if periods.is_empty() { 10 } else { periods.len() });
            usual.seats = periods.first().and_then(|period| period.seats);
            let flaws = calendar::flaws(periods);
            let can_mend = !flaws.is_empty() && flaws.iter().all(calendar::Flaw::can_be_mended);
            let no_dates = periods.iter().all(|period| period.date.is_none());
            // Without any dates there is nothing to be surprised at.
            (usual, (!no_dates).then(|| format!("A usual calendar is proposed: {why}")), can_mend)
        }
    }
}

/// Monday of the week of a day.
fn week_of(date: NaiveDate) -> NaiveDate {
    let days = u64::from(date.weekday().num_days_from_monday());
    date.checked_sub_days(chrono::Days::new(days)).unwrap_or(date)
}
