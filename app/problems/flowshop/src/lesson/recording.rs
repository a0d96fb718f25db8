//! The recorded tabu search behind two lessons: its rules, the worker thread that records it, and what is drawn meanwhile.

use std::sync::Arc;

use egui::Ui;
use gridwright_flowshop::Objective;
use gridwright_flowshop::multiobjective::tabu::trace::TabuTrace;
use gridwright_flowshop::multiobjective::weights::lattice;
use gridwright_flowshop::multiobjective::{Goal, Objectives, TabuParameters, TabuStart};
use gridwright_flowshop::run::Algorithm;

use super::state::{Recorded, Request, Rules};
use crate::Document;
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::work::{State, Work};

/// Steps of the search that are recorded: with 20 jobs about 4 MB.
pub(crate) const STEPS: usize = 100;

/// Longest tenure that can be chosen.
const LONGEST: u32 = 40;

/// The two objectives of the lessons, so that a plane shows all of them: the first two of the front that is looked for,
/// otherwise two that conflict.
pub(crate) fn objectives(document: &Document) -> Objectives {
    let pair = match document.settings.goal {
        Goal::Front(objectives) => [objectives.as_slice()[0], objectives.as_slice()[1]],
        _ if !document.instance.has_due_dates() => [Objective::Makespan, Objective::FlowTime],
        Goal::One(Objective::Tardy) => [Objective::FlowTime, Objective::Tardy],
        Goal::One(_) => [Objective::FlowTime, Objective::Tardiness],
    };
    Objectives::new(&pair).unwrap_or_default()
}

fn request(document: &Document) -> Request {
    let objectives = objectives(document);
    let mut parameters = match &document.settings.algorithm {
        Algorithm::Tabu(parameters) => parameters.clone(),
        // From random orders the way to the front is longer, and there is more to see.
        _ => TabuParameters { start: TabuStart::Random, ..TabuParameters::default() },
    };
    parameters.resolve(objectives.count(), document.instance.job_count());
    let Rules { trajectory, tenure, aspiration } = document.lesson.rules;
    parameters.tenure = tenure.unwrap_or(parameters.tenure);
    parameters.aspiration = aspiration.unwrap_or(parameters.aspiration);
    let trajectories = lattice(objectives.count(), parameters.divisions).len();
    let trajectory = trajectory.unwrap_or(trajectories / 2).min(trajectories - 1);
    let instance = Arc::clone(&document.instance);
    Request { instance, objectives, parameters, seed: document.settings.seed, trajectory }
}

/// «makespan and total tardiness».
pub(crate) fn pair(objectives: &Objectives) -> String {
    let names: Vec<String> = objectives.as_slice().iter().map(|objective| objective.label().to_lowercase()).collect();
    names.join(" and ")
}

/// Weights of a sum of two objectives in percent, such as «50:50».
pub(crate) fn weights(weights: &[u32]) -> String {
    let all = f64::from(weights.iter().sum::<u32>().max(1));
    let shares: Vec<String> = weights.iter().map(|&weight| format!("{:.0}", 100.0 * f64::from(weight) / all)).collect();
    shares.join(":")
}

/// Draws the rules that can be changed.
pub(crate) fn switches(ui: &mut Ui, document: &mut Document) {
    let Request { objectives, parameters, trajectory, .. } = request(document);
    let before = (trajectory, parameters.tenure, parameters.aspiration);
    let (mut chosen, mut tenure, mut aspiration) = before;
    let all = lattice(objectives.count(), parameters.divisions);
    let label = |ui: &mut Ui, words: &str| _ = ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    let names = pair(&objectives);
    let present = weights(&all[chosen]);
    let list = |ui: &mut Ui| {
        for (index, of) in all.iter().enumerate() {
            ui.selectable_value(&mut chosen, index, weights(of));
        }
    };
    label(ui, "Weights");
    let help =
        format!("Share of {names} in the sum that is minimised, in percent; the search has a trajectory for each");
    Choices::new("Weights", present).width(76.0).help(&help).show(ui, list);
    label(ui, "Tenure");
    let field = Number::new("Tenure", &mut tenure).range(1..=LONGEST).speed(0.1);
    ui.add(field.help("For so many steps, and up to as many more at random, a moved job is not moved again"));
    let help = "Allows a tabu move that gives the least sum so far";
    ui.checkbox(&mut aspiration, "Aspiration").on_hover_text(help);
    if (chosen, tenure, aspiration) != before {
        document.lesson.rules = Rules { trajectory: Some(chosen), tenure: Some(tenure), aspiration: Some(aspiration) };
        document.lesson.player().go_to(0);
    }
}

/// The recording for the present rules; draws why there is none yet, and starts it where necessary.
pub(crate) fn recorded(ui: &mut Ui, document: &mut Document) -> Option<Arc<Recorded>> {
    let request = request(document);
    let recorder = &mut document.lesson.recorder;
    if recorder.work.as_ref().is_none_or(|(of, _)| *of != request) {
        let (wanted, ctx) = (request.clone(), ui.ctx().clone());
        // A recording in progress with other rules is cancelled when it is dropped.
        let work = Work::start("tabu lesson", None, Arc::new(move || ctx.request_repaint()), move |teller| {
            let Request { instance, objectives, parameters, seed, trajectory } = &wanted;
            let control = teller.control();
            let trace = TabuTrace::record(instance, objectives, parameters, *seed, *trajectory, STEPS, control)?;
            teller.tell(|recorded| *recorded = Some(Arc::new(Recorded::of(trace))));
            Ok(())
        });
        recorder.work = Some((request, work));
    }
    let (_, work) = recorder.work.as_ref()?;
    let recorded = recorder.recorded();
    if recorded.is_none() {
        match work.state() {
            State::Failed(why) => placeholder(ui, Icon::StepForward, "The search cannot be recorded", &why, |_| {}),
            _ => {
                let text = format!("The first {STEPS} steps of the search are made. This takes less than a second.");
                placeholder(ui, Icon::StepForward, "Recording", &text, |_| {});
            }
        }
    }
    recorded
}
