//! Convergence curves of the runs, and the values known from the literature.

use egui::Ui;

use super::Desk;
use crate::runs::curves;
use crate::widgets::convergence::{self, Quantity, Reference};

const PLAIN: Quantity =
    Quantity { name: "Cost per student", help: "What two close exams of a student cost, for each student" };

/// A search that stays close to a timetable minimises the sum, and its curve is that of the sum.
const PRICED: Quantity = Quantity {
    name: "Cost per student, with the price of moved exams",
    help: "Runs marked + stayed close to a timetable: to the cost per student their curves add the price of every exam \
           that was moved. The list of runs shows costs without it",
};

impl Desk {
    /// Best, mean and worst of all listed runs.
    pub fn show_convergence(&self, ui: &mut Ui) {
        let palette = crate::theme::palette(ui.visuals());
        let mut lines = curves::ended(self.listed(), self.shown, palette);
        if let Some(kept) = self.live.as_ref().and_then(|live| live.kept.as_ref()) {
            lines.push(curves::going(kept, self.next_number(), self.live_has_price(), self.shown, palette));
        }
        let scale = 1.0 / f64::from(self.instance.divisor);
        convergence::show(ui, self.quantity(), &lines, &self.references(), self.look, scale);
    }

    /// Returns `true` if the running solve has a price for each moved exam.
    fn live_has_price(&self) -> bool {
        let reference = self.live.as_ref().and_then(|live| live.instance.rules.reference.as_ref());
        reference.is_some_and(|reference| reference.weight > 0)
    }

    /// Quantity that the curves plot.
    pub fn quantity(&self) -> Quantity {
        let priced = self.live_has_price() || curves::plotted(self.listed()).any(|run| run.priced);
        if priced { PRICED } else { PLAIN }
    }

    /// Returns `true` if there is a curve to plot.
    pub fn has_curves(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.kept.is_some()) || curves::plotted(self.listed()).next().is_some()
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
