//! How the costs of runs fell, and the values that are known from the literature.

use egui::Ui;

use super::{Desk, Shown};
use crate::timetabling::solving::{Run, Standing};
use crate::widgets::convergence::{self, Curve, Quantity, Reference};

/// How many of the newest runs are plotted.
const CURVES: usize = 12;

const PLAIN: Quantity =
    Quantity { name: "Cost per student", help: "What two close exams of a student cost, for each student" };

/// A search that stays close to a timetable minimises the sum, and its curve is that of the sum.
const PRICED: Quantity = Quantity {
    name: "Cost per student, with the price of moved exams",
    help: "Runs marked + stayed close to a timetable: to the cost per student their curves add the price of every exam \
           that was moved. The list of runs shows costs without it",
};

/// What stands behind the name of a run whose curve holds a price.
fn mark(priced: bool) -> &'static str {
    if priced { " +" } else { "" }
}

impl Desk {
    /// Best, mean and worst of all listed runs.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = crate::theme::palette(ui.visuals());
        let mut curves: Vec<Curve<'_>> = self
            .plotted()
            .map(|run| Curve {
                name: format!("Run {}{}", run.number, mark(run.has_price())),
                colour: palette.curve(run.number - 1),
                points: &run.result.curve,
                chosen: self.shown == Shown::Run(run.number),
            })
            .collect();
        if let Some(kept) = self.live.as_ref().and_then(|live| live.kept.as_ref()) {
            let number = self.next_number();
            let colour = palette.curve(number - 1);
            let chosen = self.shown == Shown::Live;
            let name = format!("Run {number}{}", mark(self.live_has_price()));
            curves.push(Curve { name, colour, points: &kept.curve, chosen });
        }
        let scale = 1.0 / f64::from(self.instance.divisor);
        convergence::show(ui, self.quantity(), &curves, &self.references(), self.look, scale);
    }

    /// Whether the run that goes on pays for exams that it moves.
    fn live_has_price(&self) -> bool {
        let reference = self.live.as_ref().and_then(|live| live.instance.rules.reference.as_ref());
        reference.is_some_and(|reference| reference.weight > 0)
    }

    /// What the curves show.
    pub fn quantity(&self) -> Quantity {
        let priced = self.live_has_price() || self.plotted().any(Run::has_price);
        if priced { PRICED } else { PLAIN }
    }

    /// The runs whose curves are shown.
    fn plotted(&self) -> impl Iterator<Item = &Run> {
        let sound = |run: &&Run| !run.result.curve.is_empty() && !matches!(run.standing, Standing::Wrong(_));
        self.listed().take(CURVES).filter(sound)
    }

    /// Whether there is anything to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.kept.is_some())
            || self.listed().any(|run| !run.result.curve.is_empty())
    }

    /// Values from the literature, for the published number of periods.
    pub fn references(&self) -> Vec<Reference> {
        use gridwright_solver::timetabling::instance::{best_known, published, published_mean};
        let name = self.instance.name.as_str();
        if published(name).is_none_or(|row| row.0 != self.instance.period_count()) {
            return Vec::new();
        }
        let mut references = Vec::new();
        if let Some(value) = best_known(name) {
            references.push(Reference { name: "Best known".to_owned(), value });
        }
        if let Some(value) = published_mean(name) {
            references.push(Reference { name: "Published mean".to_owned(), value });
        }
        references
    }
}
