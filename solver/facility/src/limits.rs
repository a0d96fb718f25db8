//! Limits of shapes that no layout can keep, or that nobody can build.

use super::{Instance, Limit};
use gridwright_core::text::lines::quoted;

/// Aspect limit above which [`warn_of_limits`] warns.
const SENSIBLE_ASPECT: f64 = 10.0;

/// Warns about unbuildable aspect limits, about departments whose limit cannot be met in this plant, and about prices of moving
/// that cannot count.
pub(super) fn warn_of_limits(instance: &mut Instance) {
    let mut warnings = Vec::new();
    if let Some(most) = instance.shape_limit().filter(|&most| most > SENSIBLE_ASPECT) {
        warnings.push(format!(
            "departments may be up to {most} times as long as wide; beyond {SENSIBLE_ASPECT} the best layouts are rows of \
             strips that no one can build (choose another limit with --aspect)"
        ));
    }
    for department in &instance.departments {
        if !has_a_shape(department.area, department.limit, instance.width, instance.height) {
            let name = quoted(&department.name);
            warnings.push(format!(
                "no layout can be feasible: department {name} of area {} cannot keep its limit anywhere in a plant of {} × {}",
                department.area, instance.width, instance.height
            ));
        }
    }
    instance.warnings.extend(warnings);
    instance.warn_of_prices();
}

/// Returns `true` if a rectangle of this area exists that fits into the plant and meets the limit.
fn has_a_shape(area: f64, limit: Limit, width: f64, height: f64) -> bool {
    // Interval of heights that plant and limit permit.
    let (mut low, mut high) = (area / width, height);
    let (least, most) = match limit {
        Limit::None => (0.0, f64::INFINITY),
        Limit::Aspect(most) => ((area / most).sqrt(), (area * most).sqrt()),
        Limit::MinSide(side) if side > 0.0 => (side, area / side),
        Limit::MinSide(_) => (0.0, f64::INFINITY),
        Limit::Range(from, to) => ((area * from).sqrt(), (area * to).sqrt()),
    };
    (low, high) = (low.max(least), high.min(most));
    low <= high * (1.0 + 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area 12 in a plant of 10 × 2: it is 2 high at most, so 6 wide at least: 3 to 1.
    #[test]
    fn shapes_that_cannot_be_are_seen() {
        let fits = |limit| has_a_shape(12.0, limit, 10.0, 2.0);
        assert!(fits(Limit::None) && fits(Limit::Aspect(3.0)) && !fits(Limit::Aspect(2.9)));
        assert!(fits(Limit::MinSide(2.0)) && !fits(Limit::MinSide(2.1)));
        assert!(fits(Limit::Range(1.0 / 3.0, 1.0)) && !fits(Limit::Range(0.5, 1.0)));
    }
}
