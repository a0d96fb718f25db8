//! Round scales of drawings on paper.

use crate::{Instance, Unit};
use gridwright_core::numbers::figure;

/// Points per millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// Scale of a drawing on paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// Length in the plant divided by its length on paper; for plants without a unit, units of length per centimetre.
    denominator: f64,
    /// Millimetres per unit of length; 10 for plants without a unit.
    millimetres: f64,
}

impl Scale {
    /// Largest usual scale that is not larger than `points` per unit of length.
    pub fn below(instance: &Instance, points: f64) -> Self {
        const STEPS: [f64; 11] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5, 10.0];
        let millimetres = instance.unit.map_or(10.0, Unit::millimetres);
        let least = millimetres * POINTS / points;
        let power = 10_f64.powf(least.log10().floor());
        // Division leaves a scale that fits exactly a bit above itself.
        let step = STEPS.into_iter().find(|step| step * power >= least * (1.0 - 1e-9)).unwrap_or(10.0);
        Self { denominator: step * power, millimetres }
    }

    /// Points per unit of length.
    pub fn points(self) -> f64 {
        self.millimetres * POINTS / self.denominator
    }

    /// «1 : 125», or «1 cm = 2 units» for plants without a unit.
    pub fn words(self, instance: &Instance) -> String {
        let number = figure(self.denominator, 4);
        if instance.unit.is_some() { format!("1 : {number}") } else { format!("1 cm = {number} units") }
    }
}
