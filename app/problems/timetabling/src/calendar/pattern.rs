//! Input of a calendar's pattern: days, times and seats.

use chrono::NaiveDate;
use egui::{RichText, Ui, WidgetInfo};
use gridwright_core::numbers::counted;
use gridwright_timetabling::calendar::{self, DateOrder, Extent, Slot};
use gridwright_timetabling::{MAX_PERIODS, TimeZone};

use super::{Dialog, spoken, written};
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{button, icon_button, segmented};
use gridwright_window::widgets::entry::{Field, Number};
use gridwright_window::widgets::icons::Icon;

const WEEKDAYS: [(&str, &str); 7] = [
    ("Mo", "Monday"),
    ("Tu", "Tuesday"),
    ("We", "Wednesday"),
    ("Th", "Thursday"),
    ("Fr", "Friday"),
    ("Sa", "Saturday"),
    ("Su", "Sunday"),
];

fn read_day(text: &str) -> Result<NaiveDate, String> {
    calendar::read_date(text.trim(), DateOrder::DayFirst)
}

/// Start and end as typed; an end may be missing.
fn read_slot([start, end]: &[String; 2]) -> Result<Slot, String> {
    let end = if end.trim().is_empty() { None } else { Some(calendar::read_time(end.trim())?) };
    Ok(Slot { start: calendar::read_time(start.trim())?, end })
}

/// Draws a field for a date or a time; returns `true` if it was changed.
fn field(ui: &mut Ui, name: &str, text: &mut String, width: f32, wrong: bool) -> bool {
    Field::new(name).margin(8, 5).width(width).wrong(wrong).live(ui, text).changed()
}

/// Draws a number of seats, 0 if unknown; returns `true` if it was changed.
pub(super) fn seats(ui: &mut Ui, name: &str, seats: &mut Option<u32>) -> bool {
    let mut count = seats.unwrap_or(0);
    let field = Number::new(name, &mut count).range(0..=1_000_000).speed(1.0).zero("not known");
    let changed = ui.add(field.help("All rooms together; 0 where it is not known")).changed();
    if changed {
        *seats = (count > 0).then_some(count);
    }
    changed
}

fn caption(ui: &mut Ui, words: &str) {
    ui.add_space(space::S);
    ui.label(theme::small(words).color(palette(ui.visuals()).weak));
}

impl Dialog {
    /// The first field that cannot be read.
    pub(super) fn wrong_field(&self) -> Option<String> {
        let first = read_day(&self.first).err().map(|why| format!("First day: {why}"));
        let last = || match self.calendar.extent {
            Extent::LastDay(_) => read_day(&self.last).err().map(|why| format!("Last day: {why}")),
            Extent::Periods(_) => None,
        };
        let slots = || {
            let slots = self.slots.iter().enumerate();
            slots
                .filter_map(|(at, slot)| Some(format!("Period {} of a day: {}", at + 1, read_slot(slot).err()?)))
                .next()
        };
        first.or_else(last).or_else(slots).or_else(|| self.wrong_day())
    }

    /// Reason why the typed day to leave out or take in cannot be read; `None` for an empty field.
    fn wrong_day(&self) -> Option<String> {
        let why = read_day(&self.holiday).err().filter(|_| !self.holiday.trim().is_empty())?;
        Some(format!("Day to leave out or take in: {why}"))
    }

    pub(super) fn pattern(&mut self, ui: &mut Ui) {
        ui.spacing_mut().item_spacing.y = space::XS;
        self.days(ui);
        self.weekdays(ui);
        self.times(ui);
        caption(ui, "Seats in every period");
        let mut all = self.calendar.seats;
        if seats(ui, "Seats in every period", &mut all) {
            self.calendar.seats = all;
        }
        self.exceptions(ui);
        self.zone(ui);
    }

    /// Time zone of the periods, which calendar files state.
    fn zone(&mut self, ui: &mut Ui) {
        caption(ui, "Time zone of exported calendars");
        let name = |zone: Option<TimeZone>| zone.map_or("not stated: clock of the reader", TimeZone::name);
        let own = self.own_zone;
        let others = TimeZone::all().filter(|zone| Some(*zone) != own);
        Choices::new("Time zone", name(self.time_zone))
            .width(240.0)
            .help("Calendars of other zones then show the exams at their right time")
            .show(ui, |ui| {
                for zone in [None].into_iter().chain(own.into_iter().chain(others).map(Some)) {
                    ui.selectable_value(&mut self.time_zone, zone, name(zone));
                }
            });
    }

    /// First day, and last day or number of periods.
    fn days(&mut self, ui: &mut Ui) {
        ui.label(theme::small("First day").color(palette(ui.visuals()).weak));
        let read = read_day(&self.first);
        ui.horizontal(|ui| {
            if field(ui, "First day", &mut self.first, 104.0, read.is_err())
                && let Ok(day) = read_day(&self.first)
            {
                self.calendar.first = day;
            }
            day_words(ui, read.as_ref().ok());
        });
        caption(ui, "Ends");
        let by_count = matches!(self.calendar.extent, Extent::Periods(_));
        let choices = [
            ("on a day", "All periods up to this day, which belongs to the session", true),
            ("after so many periods", "So many periods, however long it takes", true),
        ];
        let pressed = ui.horizontal(|ui| segmented(ui, &choices, Some(usize::from(by_count)))).inner;
        if let Some(index) = pressed
            && (index == 1) != by_count
        {
            let last = self.last_day().unwrap_or(self.calendar.first);
            let count = self.calendar.count().clamp(1, MAX_PERIODS);
            self.calendar.extent = if index == 1 { Extent::Periods(count) } else { Extent::LastDay(last) };
            self.last = written(last);
        }
        match &mut self.calendar.extent {
            Extent::Periods(periods) => {
                let field = Number::new("Periods of the session", periods).range(1..=MAX_PERIODS).speed(0.1);
                ui.add(field.help("Number of periods of the session"));
            }
            Extent::LastDay(last) => {
                let read = read_day(&self.last);
                ui.horizontal(|ui| {
                    if field(ui, "Last day", &mut self.last, 104.0, read.is_err())
                        && let Ok(day) = read_day(&self.last)
                    {
                        *last = day;
                    }
                    day_words(ui, read.as_ref().ok());
                });
            }
        }
    }

    fn weekdays(&mut self, ui: &mut Ui) {
        caption(ui, "Days with exams");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            ui.spacing_mut().button_padding.x = 6.0;
            let palette = palette(ui.visuals());
            for ((short, name), on) in WEEKDAYS.iter().zip(&mut self.calendar.weekdays) {
                let words = if *on { theme::bold(*short).color(palette.accent) } else { RichText::new(*short) };
                let toggle = egui::Button::selectable(*on, words).min_size(egui::vec2(36.0, size::CONTROL));
                let response = ui.add(toggle.frame_when_inactive(true));
                response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, *on, *name));
                if response.clicked() {
                    *on = !*on;
                }
            }
        });
    }

    /// Start and end of each period of a day.
    fn times(&mut self, ui: &mut Ui) {
        caption(ui, "Periods of a day");
        let mut removed = None;
        for at in 0..self.slots.len() {
            let read = read_slot(&self.slots[at]);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = space::XS;
                let [start, end] = &mut self.slots[at];
                let start_wrong = calendar::read_time(start.trim()).is_err();
                let end_wrong =
                    read.as_ref().map_or(!start_wrong, |slot| slot.end.is_some_and(|end| end <= slot.start));
                let mut changed = field(ui, &format!("Start of period {}", at + 1), start, 56.0, start_wrong);
                ui.label("to");
                changed |= field(ui, &format!("End of period {}", at + 1), end, 56.0, end_wrong);
                let minutes = read.as_ref().ok().and_then(Slot::minutes).filter(|&minutes| minutes > 0);
                let words = minutes.map(|minutes| format!("{minutes} min")).unwrap_or_default();
                ui.add_sized(
                    [64.0, size::CONTROL],
                    egui::Label::new(theme::small(words).color(palette(ui.visuals()).weak)),
                );
                if icon_button(ui, Icon::Cross, &format!("Remove period {} of a day", at + 1), true).clicked() {
                    removed = Some(at);
                }
                if changed && let Ok(slot) = read_slot(&self.slots[at]) {
                    self.calendar.set_slot(at, slot);
                }
            });
        }
        if let Some(at) = removed.filter(|&at| at < self.calendar.slots.len()) {
            self.slots.remove(at);
            self.calendar.slots.remove(at);
        }
        if button(ui, Icon::Plus, "Add a period", self.next_slot().is_some()).clicked()
            && let Some(slot) = self.next_slot()
        {
            self.calendar.slots.push(slot);
            let time = |time: chrono::NaiveTime| time.format("%H:%M").to_string();
            self.slots.push([time(slot.start), slot.end.map(time).unwrap_or_default()]);
        }
    }

    /// A period after the last one of a day, as long as that and after the same pause.
    fn next_slot(&self) -> Option<Slot> {
        let nine = chrono::NaiveTime::from_hms_opt(9, 0, 0)?;
        let Some(last) = self.calendar.slots.iter().max_by_key(|slot| slot.start) else {
            return Slot::lasting(nine, 120);
        };
        let minutes = last.minutes().filter(|&minutes| minutes > 0).unwrap_or(120) as u32;
        let end = last.end.filter(|&end| end > last.start).or_else(|| Slot::lasting(last.start, minutes)?.end)?;
        // The next full half hour after half an hour's pause.
        let after = (end - chrono::NaiveTime::MIN).num_minutes() + 30;
        let start = after.div_euclid(30) * 30 + if after % 30 == 0 { 0 } else { 30 };
        let start = chrono::NaiveTime::from_hms_opt((start / 60) as u32, (start % 60) as u32, 0)?;
        Slot::lasting(start, minutes)
    }

    /// Days that are left out or added, and what else deviates from the pattern.
    fn exceptions(&mut self, ui: &mut Ui) {
        caption(ui, "Leave out or take in a day, such as a holiday");
        ui.horizontal(|ui| {
            let is_wrong = self.wrong_day().is_some();
            let field = Field::new("Day to leave out or take in").margin(8, 5).width(104.0).wrong(is_wrong);
            let entry = field.show(ui, &self.holiday);
            let is_day = read_day(&entry.text).is_ok();
            // A day counts when the field is left, and the button leads out of it.
            _ = button(ui, Icon::Calendar, "Change day", is_day);
            match entry.entered.map(|text| (read_day(&text), text)) {
                Some((Ok(day), _)) => {
                    self.calendar.toggle_day(day);
                    self.holiday.clear();
                }
                Some((Err(_), text)) => self.holiday = text,
                None => {}
            }
        });
        let mut change = None;
        let days = |days: &std::collections::BTreeSet<NaiveDate>| days.iter().copied().collect::<Vec<_>>();
        for (list, words) in
            [(days(&self.calendar.removed_days), "left out"), (days(&self.calendar.added_days), "taken in")]
        {
            for day in list {
                ui.horizontal(|ui| {
                    ui.label(spoken(day));
                    ui.label(theme::small(words).color(palette(ui.visuals()).weak));
                    let name = format!("Undo the exception of {}", spoken(day));
                    if icon_button(ui, Icon::Cross, &name, true).clicked() {
                        change = Some(day);
                    }
                });
            }
        }
        if let Some(day) = change {
            self.calendar.toggle_day(day);
        }
        let single = self.calendar.removed.len() + self.calendar.extra.len();
        if single > 0 {
            let words = format!("{} left out or added", counted(single, "single period"));
            ui.label(theme::small(words).color(palette(ui.visuals()).weak));
        }
        if !self.calendar.is_regular() && button(ui, Icon::Reset, "Without exceptions", true).clicked() {
            self.calendar.make_regular();
            self.chosen = None;
        }
    }
}

/// Weekday of a typed date.
fn day_words(ui: &mut Ui, day: Option<&NaiveDate>) {
    let palette = palette(ui.visuals());
    let (words, colour) = match day {
        Some(day) => (spoken(*day), palette.weak),
        None => ("write 2026-06-01".to_owned(), palette.bad),
    };
    ui.label(theme::small(words).color(colour));
}
