//! Tables over periods of a session with rooms: the costs of pairs, the prices and allowed periods of nodes, and the kinds of
//! constraints between the periods of two nodes.

use crate::model::{Model, PeriodSet};
use crate::{Instance, counts};

/// The other node is in another period.
pub(super) const DIFFERENT: u8 = 0;
/// The other node is in an earlier period.
pub(super) const EARLIER: u8 = 1;
/// The other node is in a later period.
pub(super) const LATER: u8 = 2;
/// The other node is in the period before, on the same day.
pub(super) const JUST_BEFORE: u8 = 3;
/// The other node is in the period after, on the same day.
pub(super) const JUST_AFTER: u8 = 4;
/// The other node is on the same day.
pub(super) const SAME_DAY: u8 = 5;
/// The other node is on another day.
pub(super) const OTHER_DAY: u8 = 6;
/// The other node shares students, and limits forbid some of their periods together.
pub(super) const LIMITED: u8 = 7;

pub(super) fn pair_costs(instance: &Instance, stride: usize) -> Vec<i32> {
    let (pairs, periods) = (instance.pair_costs(), instance.period_count());
    let mut table = vec![0; stride * periods];
    for t in 0..periods {
        for u in (0..periods).filter(|&u| u != t) {
            table[t * stride + u] = i32::try_from(pairs.cost(t, u)).unwrap_or(i32::MAX);
        }
    }
    table
}

pub(super) fn prices(
    instance: &Instance, plain: &Model, groups: &[Vec<usize>], origins: &[usize], stride: usize,
) -> Vec<i32> {
    let periods = instance.period_count();
    let own = instance.period_prices();
    let mut prices = vec![0; groups.len() * stride];
    for (node, (exams, &origin)) in groups.iter().zip(origins).enumerate() {
        for period in 0..periods {
            let of_reference = plain.restrictions.as_ref().map_or(0, |restrictions| restrictions.price(origin, period));
            let price = |&exam: &usize| own.get(exam * periods + period).map_or(0, |&price| u64::from(price));
            let sum: u64 = exams.iter().map(price).sum();
            prices[node * stride + period] = i32::try_from(sum + u64::from(of_reference)).unwrap_or(i32::MAX);
        }
    }
    prices
}

/// Allowed periods of each node: those of the rules, long enough with extra time, and with everybody present. The exams of the
/// nodes are `groups`, their indices in `plain` are `origins`.
pub(super) fn allowed(instance: &Instance, plain: &Model, groups: &[Vec<usize>], origins: &[usize]) -> Vec<PeriodSet> {
    let all = PeriodSet::below(instance.period_count());
    let extra = instance.extra_minutes();
    let mut absent: Vec<Vec<u16>> = vec![Vec::new(); instance.exam_count()];
    for person in &instance.resources.people {
        for &exam in &person.exams {
            absent[usize::from(exam)].extend(&person.unavailable);
        }
    }
    let has_time =
        |exam: usize, period: usize| instance.has_time_with(exam, extra.get(exam).copied().unwrap_or(0), period);
    let of = |(exams, &origin): (&Vec<usize>, &usize)| {
        let mut set = plain.restrictions.as_ref().map_or(all, |restrictions| restrictions.allowed[origin]);
        set.retain(|period| {
            exams.iter().all(|&exam| has_time(exam, period) && !absent[exam].contains(&(period as u16)))
        });
        set
    };
    groups.iter().zip(origins).map(of).collect()
}

/// For each kind of constraint and each period of a node: the allowed periods of the other node. `limited` are those of
/// [`LIMITED`], if any.
pub(super) fn tables(instance: &Instance, limited: Option<Vec<PeriodSet>>) -> Vec<Vec<PeriodSet>> {
    let periods = instance.period_count();
    let days = counts::days(instance);
    let same_day = |t: usize, u: usize| days.as_ref().map(|days| days[t] == days[u]);
    let holds = |table: u8, t: usize, u: usize| match table {
        DIFFERENT => t != u,
        EARLIER => u < t,
        LATER => u > t,
        JUST_BEFORE => u + 1 == t && same_day(t, u) != Some(false),
        JUST_AFTER => t + 1 == u && same_day(t, u) != Some(false),
        SAME_DAY => same_day(t, u) != Some(false),
        _ => same_day(t, u) != Some(true),
    };
    let row = |table: u8, t: usize| {
        let mut set = PeriodSet::below(periods);
        set.retain(|u| holds(table, t, u));
        set
    };
    let tables = (DIFFERENT..=OTHER_DAY).map(|table| (0..periods).map(|t| row(table, t)).collect());
    tables.chain(limited).collect()
}
