//! Figures by which people choose between several orders of one instance, by the checker.

use gridwright_core::numbers::grouped;
use gridwright_core::planning::Measure;
use gridwright_core::planning::measures::time_span;

use crate::check::Verdict;
use crate::{Instance, Objective};

/// Kind of a figure: what its number stands for.
enum Kind {
    /// Time counted from the start of the plan.
    Moment,
    /// Length or sum of times.
    Span,
    /// Number of things.
    Count,
}

/// Figures of a verdict: `first`, the other objectives, the weighted number of tardy jobs where jobs have weights, the maximum lateness
/// and the total set-up time. Times are those of clocks where the start of the plan is stated.
pub fn of_verdict(instance: &Instance, first: Objective, verdict: &Verdict) -> Vec<Measure> {
    let others = Objective::ALL.into_iter().filter(|&other| other != first);
    let mut measures: Vec<Measure> =
        std::iter::once(first).chain(others).map(|one| of_objective(instance, one, verdict.value(one))).collect();
    if instance.has_weights() {
        let at = measures.iter().position(|measure| measure.key == Objective::Tardy.name());
        let help = "Sum of the weights of the jobs that are done later than due";
        let value = verdict.weighted_tardy.map(|value| value as i64);
        let weighted = measure(instance, ("weighted_tardy", "Weighted tardy jobs", help), value, Kind::Count);
        measures.insert(at.map_or(measures.len(), |at| at + 1), weighted);
    }
    let help = "How much later than due the latest job is done; negative if all jobs are early";
    let names = ("maximum_lateness", "Maximum lateness", help);
    measures.push(measure(instance, names, verdict.maximum_lateness, Kind::Span));
    let help = "Sum of the times in which machines are set up";
    let setups = instance.setups.is_some().then_some(verdict.setup_time as i64);
    measures.push(measure(instance, ("setup_time", "Total set-up time", help), setups, Kind::Span));
    measures
}

/// An objective with its value.
pub(crate) fn of_objective(instance: &Instance, objective: Objective, value: Option<u64>) -> Measure {
    let kind = match objective {
        Objective::Makespan => Kind::Moment,
        Objective::FlowTime | Objective::Tardiness => Kind::Span,
        Objective::Tardy => Kind::Count,
    };
    let names = (objective.name(), objective.label_in(instance), objective.help_in(instance));
    measure(instance, names, value.map(|value| value as i64), kind)
}

fn measure(
    instance: &Instance, (key, label, help): (&'static str, &'static str, &'static str), value: Option<i64>, kind: Kind,
) -> Measure {
    let unit_seconds = instance.plan_start().map(|_| instance.seconds_per_unit());
    let unit_seconds = unit_seconds.filter(|_| !matches!(kind, Kind::Count));
    let text = |value: i64| match (&kind, unit_seconds) {
        (Kind::Moment, Some(_)) => u32::try_from(value).map_or_else(|_| grouped(value), |time| instance.moment(time)),
        (_, Some(_)) => instance.span(value),
        _ => grouped(value),
    };
    let text = value.map_or_else(String::new, text);
    Measure { key, label, help, value: value.map(|value| value as f64), text, unit_seconds }
}

impl Instance {
    /// A length of time in words: «2 days 3 h» where the start of the plan is stated, otherwise the number of time units; with «−» if it is
    /// negative.
    pub fn span(&self, units: i64) -> String {
        if self.plan_start().is_none() {
            return grouped(units);
        }
        let sign = if units < 0 { "−" } else { "" };
        format!("{sign}{}", time_span(units.unsigned_abs() * u64::from(self.seconds_per_unit())))
    }

    /// A length of time in words: as [`Self::span`], or with the stated unit behind the number.
    pub fn length_text(&self, units: u64) -> String {
        let words = self.span(units as i64);
        match self.stated_unit().filter(|_| self.plan_start().is_none()) {
            Some(unit) => format!("{words} {unit}"),
            None => words,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::tests::example;

    fn told(instance: &Instance, order: &[u16]) -> Vec<(&'static str, String)> {
        let measures = of_verdict(instance, Objective::Tardy, &check(instance, order));
        measures.into_iter().map(|measure| (measure.label, measure.text)).collect()
    }

    #[test]
    fn the_minimised_objective_comes_first_and_numbers_have_no_clock() {
        let own = |text: &str| text.to_owned();
        let expected = [
            ("Tardy jobs", own("2")),
            ("Makespan", own("9")),
            ("Total flow time", own("14")),
            ("Total tardiness", own("2")),
            ("Maximum lateness", own("1")),
            ("Total set-up time", own("")),
        ];
        assert_eq!(told(&example(), &[0, 1]), expected);
        let value = of_verdict(&example(), Objective::Makespan, &check(&example(), &[0, 1]));
        assert!(value.iter().all(|measure| measure.unit_seconds.is_none()));
        assert_eq!(value.last().unwrap().value, None, "there are no set-ups");
    }

    #[test]
    fn weights_are_named_and_counted() {
        let mut instance = example();
        instance.jobs[0].weight = Some(5);
        let told = told(&instance.validated().unwrap(), &[1, 0]);
        assert_eq!(told[1..3], [("Weighted tardy jobs", "5".to_owned()), ("Makespan", "7".to_owned())]);
        assert_eq!(told[4], ("Total weighted tardiness", "15".to_owned()));
    }

    /// The plan starts on 30 November 2026 at 6:00 and counts minutes.
    #[test]
    fn times_are_those_of_clocks_where_the_start_is_stated() {
        let mut instance = example();
        let start = crate::real_time::PlanStart::parse(["2026-11-30", "6:00", ""]).unwrap();
        instance.real_time = Some(crate::real_time::RealTime { start: Some(start), ..Default::default() }.into());
        let instance = instance.validated().unwrap();
        let told = told(&instance, &[1, 0]);
        assert_eq!(told[1], ("Makespan", "Mon 30 Nov 06:07".to_owned()));
        assert_eq!((told[3].1.as_str(), instance.span(-1_500)), ("3 min", "−1 day 1 h".to_owned()));
    }
}
