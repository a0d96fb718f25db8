//! View of the efficiency of p processors that evaluate one order together: theory, exact count and measurement
//! (Bożejko, Smutnicki, Uchroński, ICCS 2009).

pub(crate) mod state;

use std::sync::Arc;
use std::time::Duration;

use egui::{Panel, ScrollArea, Slider, Ui};
use gridwright_core::backend::{self, openings};
use gridwright_core::numbers::grouped;
use gridwright_flowshop::Instance;
use gridwright_flowshop::wavefront::measuring::{self, Measurement, counts};
use gridwright_flowshop::wavefront::{Wavefront, processors_for};

use self::state::Series;
use super::Document;
use crate::widgets::curves::{self, Curves, Subject};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, named, primary};
use gridwright_window::widgets::entry::{Number, scope};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;
use gridwright_window::work::{State as RunStatus, Work};

/// Seconds of each measurement, at the least.
const LEAST: Duration = Duration::from_millis(200);
/// Width in points below which the sentence about the chosen p is left to the inspector.
const WIDE: f32 = 420.0;

/// Number of processors p that theorem 2 gives for an efficiency c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chosen {
    /// nm/(n + m − 1) · (1/c − 1), not rounded.
    pub exact: f64,
    /// Wavefront schedule on this number of processors, rounded down and limited to 1 … m.
    pub wavefront: Wavefront,
}

impl Chosen {
    /// The number of processors for an instance and an efficiency; `None` where there is nothing to compute.
    pub(crate) fn new(instance: &Instance, kept: f64) -> Option<Self> {
        let (jobs, machines) = (instance.job_count(), instance.machine_count());
        let exact = processors_for(jobs, machines, kept);
        let processors = (exact.floor() as usize).clamp(1, machines.max(1));
        Some(Self { exact, wavefront: Wavefront::new(jobs, machines, processors).ok()? })
    }

    /// «p = 1,000/69 · (1/0.50 − 1) = 14.5, so 14 processors».
    fn formula(&self, kept: f64) -> String {
        let of = &self.wavefront;
        let product = format!("{}/{}", grouped(of.operations() as i64), grouped(of.diagonals() as i64));
        let processors = of.processors();
        let so = match self.exact {
            exact if exact < 1.0 => "even one is promised less, so 1 processor".to_owned(),
            exact if exact > of.machines() as f64 => {
                format!("more than there are machines, so {processors} processors")
            }
            _ if processors == 1 => "so 1 processor".to_owned(),
            _ => format!("so {processors} processors"),
        };
        format!("p = {product} · (1/{kept:.2} − 1) = {:.1}: {so}", self.exact)
    }

    /// Formula of the number of steps: upper bound and counted value, speedup and efficiency.
    fn steps(&self) -> String {
        let of = &self.wavefront;
        format!(
            "T ≤ nm/p + n + m − 1 = {} steps, counted {} · speedup {:.2} · efficiency at least {:.2}, counted {:.2}",
            grouped(of.step_bound().value().floor() as i64),
            grouped(of.step_count() as i64),
            of.speedup().value(),
            of.efficiency_bound().value(),
            of.efficiency().value()
        )
    }
}

/// Shows the slider, the lines and dots, and the table.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(chosen) = Chosen::new(&document.instance, document.efficiency.kept) else {
        ui.label("There are no jobs, so there is nothing to compute.");
        return;
    };
    bar(ui, document);
    let weak = palette(ui.visuals()).weak;
    ui.label(theme::bold(chosen.formula(document.efficiency.kept)));
    if ui.available_width() >= WIDE {
        ui.label(theme::small(chosen.steps()).color(weak));
    }
    state(ui, document);
    let series = document.efficiency.measured();
    if series.iter().any(|series| !series.measured.is_empty()) && ui.available_height() >= 300.0 {
        let height = ui.available_height();
        let rows = series.iter().map(|series| series.measured.len() + 1).sum::<usize>() as f32;
        let below = Panel::bottom("efficiency table").resizable(true).frame(egui::Frame::new());
        let wanted = (24.0 * rows).clamp(72.0, height * 0.4);
        below.default_size(wanted).size_range(48.0..=height * 0.6).show(ui, |ui| table(ui, document, &series));
    }
    egui::CentralPanel::default().frame(egui::Frame::new()).show(ui, |ui| plot(ui, document, &chosen, &series));
}

fn bar(ui: &mut Ui, document: &mut Document) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        ui.label(theme::small("Efficiency to keep").color(palette(ui.visuals()).weak));
        let kept = &mut document.efficiency.kept;
        let slider = Slider::new(kept, 0.05..=0.95).step_by(0.01).show_value(false);
        let help = "c: the part of the processors' time that goes into operations; theorem 2 says how many keep it";
        ui.spacing_mut().slider_width = 160.0;
        scope(ui, "scale", true, |ui| named(ui, "Efficiency to keep", help, |ui| ui.add(slider)));
        let field = Number::new("Efficiency to keep", kept).range(0.05..=0.95).speed(0.01).decimals(2);
        ui.add(field.format(|share| format!("{share:.2}")).help(help));
        ui.add_space(space::S);
        if document.efficiency.is_measuring() {
            if button(ui, Icon::Stop, "Stop measuring", true).clicked()
                && let Some(work) = &document.efficiency.work
            {
                work.stop();
            }
            return;
        }
        let ready = !document.is_solving();
        let help = "Computes one order with 1, 2, … processors of this machine, some tenths of a second each";
        let response = primary(ui, Icon::Play, "Measure on this machine", ready).on_hover_text(help);
        if response.on_disabled_hover_text("Stop the run first; it takes the processors").clicked() {
            begin(ui, document);
        }
    });
}

fn state(ui: &mut Ui, document: &Document) {
    let Some(work) = &document.efficiency.work else { return };
    let palette = palette(ui.visuals());
    match work.state() {
        RunStatus::Failed(why) => message(ui, &format!("Measuring broke off: {why}")),
        RunStatus::Going => {
            let done: usize = document.efficiency.measured().iter().map(|series| series.measured.len()).sum();
            ui.label(theme::small(format!("Measuring: {done} so far")).color(palette.accent));
        }
        RunStatus::Done => {
            let words = "A diagonal has few operations of a nanosecond, a meeting of threads takes microseconds: it does \
                         not pay on a CPU.";
            ui.label(theme::small(words).color(palette.weak));
        }
    }
}

fn begin(ui: &Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    let ctx = ui.ctx().clone();
    let wake: Arc<dyn Fn() + Send + Sync> = Arc::new(move || ctx.request_repaint());
    document.efficiency.selected = None;
    document.efficiency.work = Some(Work::start("efficiency", Vec::new(), wake, move |teller| {
        let machines = instance.machine_count();
        let name = "Threads of this machine".to_owned();
        teller.tell(|all: &mut Vec<Series>| all.push(Series { name, measured: Vec::new() }));
        let mut tell = |one: Measurement| {
            teller.tell(|all| all.last_mut().map(|series| series.measured.push(one)));
        };
        let threads = counts(backend::available_threads().min(machines));
        measuring::on_threads(&instance, &threads, LEAST, teller.control(), &mut tell)?;
        if teller.is_cancelled() {
            return Ok(());
        }
        let (mut devices, _) = openings()?;
        for device in &mut devices {
            let name = format!("{}, a block", device.name);
            teller.tell(|all| all.push(Series { name, measured: Vec::new() }));
            let mut tell = |one: Measurement| {
                teller.tell(|all| all.last_mut().map(|series| series.measured.push(one)));
            };
            measuring::on_device(&instance, &counts(machines), LEAST, device, teller.control(), &mut tell)?;
        }
        Ok(())
    }));
}

fn plot(ui: &mut Ui, document: &mut Document, chosen: &Chosen, series: &[Series]) {
    let palette = palette(ui.visuals());
    let machines = document.instance.machine_count();
    // Many machines: as many points as there are pixels for them.
    let every = machines.div_ceil(256).max(1);
    let of = |processors: usize| Wavefront::new(document.instance.job_count(), machines, processors).ok();
    let all = || (1..=machines).step_by(every).chain([machines]).filter_map(of);
    let promised: Vec<[f64; 2]> = all().map(|of| [of.processors() as f64, of.efficiency_bound().value()]).collect();
    let counted: Vec<[f64; 2]> = all().map(|of| [of.processors() as f64, of.efficiency().value()]).collect();
    let at = [[chosen.wavefront.processors() as f64, chosen.wavefront.efficiency_bound().value()]];
    let dots: Vec<Vec<[f64; 2]>> = series
        .iter()
        .map(|series| series.measured.iter().map(|one| [one.processors as f64, one.efficiency()]).collect())
        .collect();
    let mut subjects = vec![
        Subject { name: "Promised by theorem 2".to_owned(), colour: palette.accent, theory: &promised, measured: &at },
        Subject { name: "Counted in steps".to_owned(), colour: palette.good, theory: &counted, measured: &[] },
    ];
    for (index, (series, dots)) in series.iter().zip(&dots).enumerate() {
        let colour = palette.curve(index + 1);
        subjects.push(Subject { name: series.name.clone(), colour, theory: &[], measured: dots });
    }
    let hint = if dots.is_empty() {
        "Lines: theory · dot: the p that keeps the efficiency"
    } else {
        "Lines: theory · dots: the p that keeps the efficiency, and what was measured"
    };
    let curves = Curves {
        subjects: &subjects,
        x: "Processors",
        y: "Efficiency",
        logarithmic: machines > 32,
        nothing: "There is nothing to compute",
        hint,
    };
    let outcome = curves::show(ui, &curves, document.efficiency.selected);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.efficiency.selected = picked;
    }
}

fn table(ui: &mut Ui, document: &Document, series: &[Series]) {
    let palette = palette(ui.visuals());
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let table = egui::Grid::new("measured").num_columns(6).striped(true).spacing(egui::vec2(space::XL, 4.0));
        table.show(ui, |ui| {
            for heading in ["Measured on", "p", "µs by one", "µs by p", "Speedup", "Efficiency, in theory"] {
                ui.label(theme::small(heading).color(palette.weak));
            }
            ui.end_row();
            for (series, one) in series.iter().flat_map(|series| series.measured.iter().map(move |one| (series, one))) {
                let (jobs, machines) = (document.instance.job_count(), document.instance.machine_count());
                let theory = Wavefront::new(jobs, machines, one.processors).map(|of| of.efficiency().value());
                let numbers = [
                    series.name.clone(),
                    one.processors.to_string(),
                    format!("{:.2}", one.alone * 1e6),
                    format!("{:.2}", one.together * 1e6),
                    format!("{:.3}", one.speedup()),
                    format!("{:.3}, {:.2}", one.efficiency(), theory.unwrap_or_default()),
                ];
                for text in numbers {
                    ui.label(text);
                }
                ui.end_row();
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_flowshop::library;

    /// 100 jobs on 20 machines: 2,000/119 · (1/0.5 − 1) = 16.8, so 16 processors keep at least half.
    #[test]
    fn as_many_processors_as_keep_the_efficiency() {
        let instance = library::taillard("ta081").unwrap();
        let chosen = Chosen::new(&instance, 0.5).unwrap();
        assert_eq!(chosen.wavefront.processors(), 16);
        assert_eq!(chosen.formula(0.5), "p = 2\u{2009}000/119 · (1/0.50 − 1) = 16.8: so 16 processors");
        assert!(chosen.steps().starts_with("T ≤ nm/p + n + m − 1 = 244 steps, counted "), "{}", chosen.steps());
        assert!(chosen.wavefront.efficiency_bound().value() >= 0.5);
        let most = Chosen::new(&instance, 0.2).unwrap();
        assert!(most.formula(0.2).contains("more than there are machines, so 20 processors"));
        let least = Chosen::new(&instance, 0.95).unwrap();
        assert!(least.formula(0.95).contains("even one is promised less"), "{}", least.formula(0.95));
    }
}
