//! Texts of a Gantt chart: labels for assistive technology, tooltips with the recurrence filled in.

use egui::text::LayoutJob;
use egui::{Color32, RichText, Sense, TextFormat, Ui, vec2};
use gridwright_core::numbers::{counted, grouped};
use gridwright_flowshop::drawing::layout::{Flag, GanttRows};
use gridwright_flowshop::waiting::TimeInShop;

use super::{Chart, Operation};
use gridwright_window::theme::{self, Palette, palette, space, text};

/// An operation with the times that determine its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reckoning {
    pub position: usize,
    pub start: u32,
    pub end: u32,
    /// p_{i,π(k)}.
    pub takes: u32,
    /// When the job comes: C_{i−1,π(k)}, later by its transport, or its release date.
    job_from: u32,
    /// When the machine is free: C_{i,π(k−1)}, or 0.
    free_from: u32,
    /// s_{i,π(k−1),π(k)}: time that the machine is set up then; 0 if there are no set-ups.
    setup: u32,
    /// When the machine is set up for the job.
    machine_from: u32,
    /// True if breaks of machines, ready times or transport count, so that no sum tells the end.
    is_clocked: bool,
    pub due: Option<u32>,
    /// When the job is done on the last machine.
    pub done: u32,
}

impl Reckoning {
    pub(crate) fn of(chart: &Chart<'_>, operation: Operation) -> Option<Self> {
        let (layout, machine) = (&chart.layout, operation.machine);
        let (schedule, position) = (layout.schedule, chart.facts.position(operation.job)?);
        if machine >= schedule.machine_count() {
            return None;
        }
        let (start, end) = (schedule.start(position, machine), schedule.completion(position, machine));
        let clocked = layout
            .instance
            .has_clocks()
            .then(|| (schedule.arrival(position, machine), schedule.ready(position, machine)));
        let before = machine.checked_sub(1).map(|before| schedule.completion(position, before));
        let last = schedule.position_before(position, machine);
        let free = last.map_or(0, |before| schedule.completion(before, machine));
        let (job_from, machine_from) = clocked.unwrap_or_else(|| {
            let job_from = before.unwrap_or(layout.instance.jobs[operation.job].release);
            (job_from, free + schedule.setup(position, machine))
        });
        Some(Self {
            position,
            start,
            end,
            takes: layout.instance.time(operation.job, machine),
            job_from,
            free_from: free,
            machine_from,
            is_clocked: clocked.is_some(),
            setup: schedule.setup(position, machine),
            due: layout.due(position),
            done: schedule.done(position),
        })
    }

    /// When the work could begin if the machine worked around the clock.
    fn earliest(&self) -> u32 {
        self.machine_from.max(self.job_from)
    }

    /// Time from start to end in which the machine does not work.
    fn pause(&self) -> u32 {
        (self.end - self.start).saturating_sub(self.takes)
    }

    fn late(&self) -> u32 {
        self.due.map_or(0, |due| self.done.saturating_sub(due))
    }
}

fn number(time: u32) -> String {
    grouped(i64::from(time))
}

fn job_name<'a>(chart: &Chart<'a>, job: usize) -> &'a str {
    chart.layout.instance.jobs.get(job).map_or("", |job| job.name.as_str())
}

fn machine_name<'a>(chart: &Chart<'a>, machine: usize) -> &'a str {
    chart.layout.instance.machines.get(machine).map_or("", String::as_str)
}

/// «Gantt chart by machine: 8 jobs on 4 machines, makespan 128».
pub(super) fn summary(chart: &Chart<'_>) -> String {
    let by = if chart.layout.rows == GanttRows::Machines { "machine" } else { "job" };
    let (placed, machines) = (chart.layout.schedule.order.len(), chart.layout.instance.machine_count());
    let count = |count: usize, noun: &str| counted(count as u64, noun);
    let makespan = chart.moment(chart.layout.schedule.makespan());
    let ghost = chart.ghost.map_or_else(String::new, |ghost| format!(", compared with {}", ghost.name));
    let (jobs, machines) = (count(placed, "job"), count(machines, "machine"));
    format!("Gantt chart by {by}: {jobs} on {machines}, makespan {makespan}{ghost}")
}

/// «Chair on Drill, 20 to 27, takes 7, position 2 of 8, due at 50, late by 7, on the critical path».
pub fn describe(chart: &Chart<'_>, operation: Operation) -> String {
    let (job, machine) = (job_name(chart, operation.job), machine_name(chart, operation.machine));
    let Some(found) = Reckoning::of(chart, operation) else { return format!("{job}, not placed") };
    if !chart.layout.schedule.visits(found.position, operation.machine) {
        return format!("{job} does not visit {machine}");
    }
    let ([start, end], takes) = ([found.start, found.end].map(|time| chart.moment(time)), number(found.takes));
    let places = chart.layout.schedule.order.len();
    let mut words =
        format!("{job} on {machine}, {start} to {end}, takes {takes}, position {} of {places}", found.position + 1);
    if let Some(due) = found.due {
        words.push_str(&format!(", due at {}", chart.moment(due)));
    }
    let order = chart.layout.instance.order_words(operation.job);
    if !order.is_empty() {
        words.push_str(&format!(", {order}"));
    }
    if found.late() > 0 {
        words.push_str(&format!(", late by {}", chart.layout.instance.span(found.late().into())));
    }
    if chart.critical_path && chart.facts.is_critical(found.position, operation.machine) {
        words.push_str(", on the critical path");
    }
    words
}

/// Describes an operation and what its end waits for.
pub(super) fn in_words(chart: &Chart<'_>, operation: Operation) -> String {
    let Some(found) = Reckoning::of(chart, operation) else { return describe(chart, operation) };
    if !chart.layout.schedule.visits(found.position, operation.machine) {
        return describe(chart, operation);
    }
    if found.is_clocked {
        return format!("{}. {}", describe(chart, operation), cause(chart, operation, &found));
    }
    let [job, takes, end] = [found.job_from, found.takes, found.end].map(number);
    let sum = format!("ends at max({job}, {}) + {takes} = {end}", machine_term(&found));
    format!("{}, {sum}. {}", describe(chart, operation), cause(chart, operation, &found))
}

/// When the machine is set up, in numbers: «20», or «15 + 5» with a set-up.
fn machine_term(found: &Reckoning) -> String {
    let free = number(found.free_from);
    if found.setup == 0 { free } else { format!("{free} + {}", number(found.setup)) }
}

/// The predecessor that determines the start, and breaks of the machine before and within the work.
fn cause(chart: &Chart<'_>, operation: Operation, found: &Reckoning) -> String {
    let mut words = predecessor(chart, operation, found);
    let machine = machine_name(chart, operation.machine);
    if found.start > found.earliest() {
        let waits = number(found.start - found.earliest());
        words.push_str(&format!(
            " {machine} does not work then, or not long enough: the job waits {waits} for its working time."
        ));
    }
    if found.pause() > 0 {
        words.push_str(&format!(" Breaks of {machine} interrupt the work for {}.", number(found.pause())));
    }
    words
}

/// The predecessor that determines the start: the job before on the machine, or the machine before.
fn predecessor(chart: &Chart<'_>, operation: Operation, found: &Reckoning) -> String {
    let (job, machine) = (job_name(chart, operation.job), machine_name(chart, operation.machine));
    let schedule = chart.layout.schedule;
    let before = schedule.position_before(found.position, operation.machine);
    let before = before.map(|before| job_name(chart, chart.layout.job(before)));
    let from = schedule.machine_before(found.position, operation.machine).map(|from| machine_name(chart, from));
    let (came, free) = (chart.moment(found.job_from), chart.moment(found.free_from));
    let gap = number(found.job_from.abs_diff(found.machine_from));
    if found.setup > 0 && found.machine_from > found.job_from {
        let (setup, ready) = (number(found.setup), chart.moment(found.machine_from));
        let busy = before.map_or_else(
            || format!("{machine} is"),
            |before| format!("{machine} is busy with {before} until {free}, then"),
        );
        return format!("{busy} set up for {setup} until {ready}; {job} waits {gap}.");
    }
    if before.is_none() && found.machine_from > found.job_from {
        return format!("{machine} is ready at {}.", chart.moment(found.machine_from));
    }
    match (from, before) {
        (None, None) if found.job_from > 0 => format!("{job} is released at {came}."),
        (None, None) => "The first operation of all: it waits for nothing.".to_owned(),
        (None, Some(before)) if found.machine_from >= found.job_from => {
            format!("{machine} is busy with {before} until {free}.")
        }
        (None, Some(_)) => format!("{job} is released at {came}; {machine} waits {gap} for it."),
        (Some(from), None) => format!("{job} comes from {from} at {came}; {machine} has nothing before it."),
        (Some(from), Some(before)) => match found.job_from.cmp(&found.machine_from) {
            std::cmp::Ordering::Greater => format!("{job} comes from {from} at {came}; {machine} waits {gap} for it."),
            std::cmp::Ordering::Less => format!("{machine} is busy with {before} until {free}; {job} waits {gap}."),
            std::cmp::Ordering::Equal if found.setup > 0 => {
                format!(
                    "{job} comes from {from} when {machine} has just been set up, which takes {}.",
                    number(found.setup)
                )
            }
            std::cmp::Ordering::Equal => {
                format!("{job} comes from {from} and {machine} is done with {before} at the same time.")
            }
        },
    }
}

/// «Chair: due at 50, done at 57, late by 7. Works 40, waits 17 for Saw.»
pub(super) fn flag(chart: &Chart<'_>, flag: &Flag) -> String {
    let name = job_name(chart, chart.layout.job(flag.position));
    let (due, done) = (chart.moment(flag.due), chart.moment(chart.layout.schedule.done(flag.position)));
    if flag.late == 0 {
        return format!("{name}: due at {due}, done at {done}");
    }
    let (instance, schedule) = (chart.layout.instance, chart.layout.schedule);
    let why = TimeInShop::of(instance, schedule, flag.position).words(instance);
    format!("{name}: due at {due}, done at {done}, late by {}. {why}", instance.span(flag.late.into()))
}

/// Tooltip of the name of a row.
pub(super) fn row(chart: &Chart<'_>, row: usize) -> String {
    let (layout, name) = (&chart.layout, chart.layout.row_name(row));
    if layout.rows == GanttRows::Machines {
        let (share, makespan) = (layout.busy(row), layout.schedule.makespan());
        let works = number((share * f64::from(makespan)).round() as u32);
        return format!("{name} works {works} of {} {}: {:.0} %", number(makespan), chart.unit, 100.0 * share);
    }
    let found = chart.flags().iter().find(|flag| flag.position == row);
    found.map_or_else(
        || format!("{name}: done at {}", chart.moment(layout.schedule.done(row))),
        |found| flag(chart, found),
    )
}

/// Shows the tooltip of an operation.
pub(crate) fn tooltip(ui: &mut Ui, chart: &Chart<'_>, operation: Operation) {
    let palette = palette(ui.visuals());
    let Some(found) = Reckoning::of(chart, operation) else { return };
    ui.spacing_mut().item_spacing.y = space::XS;
    ui.horizontal(|ui| {
        let (square, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(square, 3.0, palette.category(operation.job));
        let name = format!("{} on {}", job_name(chart, operation.job), machine_name(chart, operation.machine));
        ui.label(theme::bold(name).size(text::BODY));
    });
    let places = chart.layout.schedule.order.len();
    let mut place = format!("Position {} of {places}", found.position + 1);
    if chart.critical_path && chart.facts.is_critical(found.position, operation.machine) {
        place.push_str(" · on the critical path");
    }
    ui.label(theme::small(place).color(palette.weak));
    ui.add_space(space::XS);
    let late = found.due.map(|due| lateness(chart, [due, found.done], palette));
    let setup = (found.setup > 0).then(|| ("Set-up", number(found.setup)));
    let moment = |time| chart.moment(time);
    let times = [("Start", moment(found.start)), ("End", moment(found.end)), ("Duration", number(found.takes))];
    let times = times.into_iter().chain(setup);
    let of_job = [("Job due", found.due.map(moment)), ("Job done", found.due.map(|_| moment(found.done)))];
    let of_job = of_job.map(|(name, value)| (name, value.map(RichText::new)));
    let of_job = of_job.into_iter().chain([("Lateness", late), ("", None)]);
    egui::Grid::new("times").num_columns(4).min_row_height(0.0).spacing(vec2(space::M, 3.0)).show(ui, |ui| {
        for ((name, value), (about_job, fact)) in times.into_iter().zip(of_job) {
            ui.label(theme::small(name).color(palette.weak));
            ui.label(theme::small(value));
            if let Some(fact) = fact {
                ui.label(theme::small(about_job).color(palette.weak));
                ui.label(fact.size(text::SMALL));
            }
            ui.end_row();
        }
    });
    ui.add_space(space::XS);
    if !found.is_clocked {
        ui.label(formula(chart, operation, &found, palette));
    }
    ui.label(theme::small(cause(chart, operation, &found)).color(palette.weak));
}

/// «7 late», «12 early» or «on time».
fn lateness(chart: &Chart<'_>, [due, done]: [u32; 2], palette: &Palette) -> RichText {
    let span = |time: u32| chart.layout.instance.span(time.into());
    match done.cmp(&due) {
        std::cmp::Ordering::Greater => theme::bold(format!("{} late", span(done - due))).color(palette.bad),
        std::cmp::Ordering::Less => format!("{} early", span(due - done)).into(),
        std::cmp::Ordering::Equal => "on time".into(),
    }
}

/// C(i, π(k)) in letters and in numbers; what decides is bold.
fn formula(chart: &Chart<'_>, operation: Operation, found: &Reckoning, palette: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut add = |words: &str, bold: bool, colour: Color32| {
        let font = if bold { theme::bold_font(text::SMALL) } else { theme::font(text::SMALL) };
        job.append(words, 0.0, TextFormat::simple(font, colour));
    };
    let (weak, strong) = (palette.weak, palette.text);
    add(
        match chart.layout.instance.setups.is_some() {
            true => "C(i, π(k)) = max(C(i−1, π(k)), C(i, π(k−1)) + s(i, π(k−1), π(k))) + p(i, π(k))\n",
            false => "C(i, π(k)) = max(C(i−1, π(k)), C(i, π(k−1))) + p(i, π(k))\n",
        },
        false,
        weak,
    );
    let name = job_name(chart, operation.job);
    add(&format!("C({}, {name}) = max(", operation.machine + 1), false, strong);
    add(&number(found.job_from), found.job_from >= found.machine_from, strong);
    add(", ", false, strong);
    add(&machine_term(found), found.machine_from >= found.job_from, strong);
    add(&format!(") + {} = ", number(found.takes)), false, strong);
    add(&number(found.end), true, strong);
    job.wrap.max_width = f32::INFINITY;
    job
}
