//! Rules for searches: departments that stay in their bay or keep their rectangle, and pairs that must not share a wall.

use easy_ext::ext;
use egui::Ui;
use gridwright_facility::{Fixed, Lock, Rectangle, Rules};

use super::editing::WITHOUT_BAYS;
use super::{Document, action};
use crate::methods::*;
use crate::widgets::floorplan::{length, sides_in};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{button, rule_line, section};
use gridwright_window::widgets::icons::Icon;

/// Rules of a layout.
#[ext(RulesMethods)]
impl Document {
    /// Name of a department; empty if there is none at this index.
    pub fn name(&self, department: usize) -> &str {
        self.instance.departments.get(department).map_or("", |one| one.name.as_str())
    }

    /// Lock of a department to its bay, if there is one.
    pub fn lock(&self, department: usize) -> Option<&Lock> {
        self.instance.rules.locks.iter().find(|lock| usize::from(lock.department) == department)
    }

    /// Rectangle to which a department is locked, if it is.
    pub fn fixed(&self, department: usize) -> Option<&Fixed> {
        self.instance.rules.fixed.iter().find(|fixed| usize::from(fixed.department) == department)
    }

    /// Returns `true` if a department is locked to a rectangle, in bays or in the building.
    pub fn is_placed(&self, department: usize) -> bool {
        let placed = &self.instance.rules.placed;
        self.fixed(department).is_some() || placed.iter().any(|placed| usize::from(placed.department) == department)
    }

    /// Locks the selected department to its bay or to its rectangle, or unlocks a department that is locked so already.
    pub fn lock_selected(&mut self, place: bool) -> Result<(), &'static str> {
        let department = self.selected.ok_or("Select a department first")?;
        let plan = self.plan().cloned().ok_or("There is no layout yet")?;
        let bay = plan.place(department).map(|(bay, _)| bay);
        let (before, at) = (&self.instance.rules, department as u16);
        let mut rules = before.clone();
        if place {
            rules.fix(&self.instance, &plan.layout, at);
        } else {
            rules.release(at);
            let bay = bay.ok_or(WITHOUT_BAYS)? as u16;
            rules.locks.push(Lock { department: at, bay, place: None });
            rules.locks.sort_by_key(|lock| lock.department);
        }
        let name = self.name(department).to_owned();
        let locks = |rules: &Rules| (rules.locks.clone(), rules.fixed.clone(), rules.placed.clone());
        let words = if locks(&rules) == locks(before) {
            rules.release(at);
            format!("unlock {name}")
        } else if place {
            format!("lock {name} to its place")
        } else {
            format!("lock {name} to its bay")
        };
        self.demand_or_say(words, rules);
        Ok(())
    }

    /// Lets a department go that is locked.
    pub fn unlock(&mut self, department: usize) {
        let mut rules = self.instance.rules.clone();
        rules.release(department as u16);
        self.demand_or_say(format!("unlock {}", self.name(department)), rules);
    }

    /// Forbids two departments to share a wall.
    pub fn keep_apart(&mut self, one: usize, other: usize) {
        let mut rules = self.instance.rules.clone();
        let pair = (one.min(other) as u16, one.max(other) as u16);
        let known = rules.apart.iter().any(|&(a, b)| (a.min(b), a.max(b)) == pair);
        if !known {
            rules.apart.push(pair);
        }
        self.demand_or_say(format!("keep {} and {} apart", self.name(one), self.name(other)), rules);
    }

    /// Allows two departments to share a wall again.
    pub fn allow_together(&mut self, number: usize) {
        let mut rules = self.instance.rules.clone();
        if number < rules.apart.len() {
            let (one, other) = rules.apart.remove(number);
            let names = format!("{} and {}", self.name(one.into()), self.name(other.into()));
            self.demand_or_say(format!("let {names} share a wall"), rules);
        }
    }

    /// Changes the rules, or tells why that is not possible.
    pub fn demand_or_say(&mut self, name: String, rules: Rules) {
        if let Err(why) = self.demand(name, rules) {
            self.say(why);
        }
    }
}

/// All rules, each with a button that removes it.
pub fn list(ui: &mut Ui, document: &mut Document) {
    let rules = document.instance.rules.clone();
    section(ui, "Rules for searches", |_| {});
    if rules.is_empty() {
        let hint =
            "None. Select a department to lock it to its bay or its place, or to keep it apart from another one.";
        ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
        return;
    }
    for lock in &rules.locks {
        let department = usize::from(lock.department);
        let bay = lock.bay + 1;
        let words = match lock.place {
            Some(place) => format!("{} at place {} of bay {bay}", document.name(department), place + 1),
            None => format!("{} in bay {bay}", document.name(department)),
        };
        if rule_line(ui, Icon::Pin, &words) {
            document.unlock(department);
        }
    }
    let in_bays = rules.fixed.iter().map(|fixed| (fixed.department, fixed.rectangle));
    let anywhere = rules.placed.iter().map(|placed| (placed.department, placed.rectangle));
    for (department, Rectangle { x, y, width, height }) in in_bays.chain(anywhere) {
        let department = usize::from(department);
        let place = format!("{} at {}, {}", sides_in(document.instance.unit, [width, height]), length(x), length(y));
        if rule_line(ui, Icon::Pin, &format!("{}: {place}", document.name(department))) {
            document.unlock(department);
        }
    }
    for (number, &(one, other)) in rules.apart.iter().enumerate() {
        let words = format!("{} and {} apart", document.name(one.into()), document.name(other.into()));
        if rule_line(ui, Icon::Compare, &words) {
            document.allow_together(number);
        }
    }
    let hint = "In force when the next run begins; results keep the rules they were found under.";
    ui.label(theme::small(hint).color(palette(ui.visuals()).weak));
}

/// Rules of one department: locks and whom it must not touch.
pub(crate) fn of_department(ui: &mut Ui, document: &mut Document, department: usize) {
    let (lock, is_fixed) = (document.lock(department).copied(), document.is_placed(department));
    let has_bay = document.plan().and_then(|plan| plan.place(department)).is_some();
    let has_plan = document.plan().is_some();
    ui.add_space(space::XS);
    ui.horizontal_wrapped(|ui| {
        let held = lock.is_some_and(|lock| lock.place.is_none());
        if (lock.is_some() || is_fixed)
            && button(ui, Icon::Pin, "Unlock", true).on_hover_text("Searches may move it again").clicked()
        {
            document.unlock(department);
        }
        for (words, place, already) in [("Lock to bay", false, held), ("Lock to place", true, is_fixed)] {
            if already {
                continue;
            }
            let (help, possible) = if place { (action::KEEPS_PLACE, has_plan) } else { (action::KEEPS_BAY, has_bay) };
            if button(ui, Icon::Pin, words, possible).on_hover_text(help).clicked()
                && let Err(why) = document.lock_selected(place)
            {
                document.say(why);
            }
        }
    });
    ui.add_space(space::XS);
    let names: Vec<String> = document.instance.departments.iter().map(|one| one.name.clone()).collect();
    let mut chosen = None;
    Choices::new("Keep apart from", "Keep apart from…")
        .width(180.0)
        .help("Another department with which it must not share a wall")
        .show(ui, |ui| {
            for (other, name) in names.iter().enumerate().filter(|(other, _)| *other != department) {
                if ui.selectable_label(false, name).clicked() {
                    chosen = Some(other);
                }
            }
        });
    if let Some(other) = chosen {
        document.keep_apart(department, other);
    }
}
