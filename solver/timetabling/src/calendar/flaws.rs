//! Errors in a list of periods (missing or contradictory times, wrong order, overlaps) and their correction.

use super::Slot;
use crate::Period;

/// Kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlawKind {
    /// The period has no date.
    NoDate,
    /// The period has no start.
    NoStart,
    /// The period does not end after its start.
    EndsBeforeStart,
    /// The period starts before or together with the previous one.
    Unsorted,
    /// The period starts before the previous one has ended.
    Overlaps,
}

/// Error in a list of periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// Index of the period, from 0.
    pub period: usize,
    /// Kind of the error.
    pub kind: FlawKind,
}

impl Flaw {
    /// Describes the error, periods counted from 1, and the correction that [`mend`] would make.
    pub fn text(&self, periods: &[Period]) -> String {
        let number = self.period + 1;
        let label = |at: usize| {
            let slot = periods.get(at).and_then(|period| Some(Slot { start: period.start?, end: period.end }));
            slot.map(|slot| format!(" ({})", slot.label())).unwrap_or_default()
        };
        let (this, before) = (label(self.period), label(self.period.saturating_sub(1)));
        match self.kind {
            FlawKind::NoDate => format!("Period {number} has no date; make a calendar"),
            FlawKind::NoStart => format!("Period {number} has no start; make a calendar"),
            FlawKind::EndsBeforeStart => format!("Period {number}{this} does not end after it starts; exchange both"),
            FlawKind::Unsorted => {
                format!("Period {number}{this} does not begin after period {}{before}; sort them", number - 1)
            }
            FlawKind::Overlaps => {
                format!("Period {number}{this} begins before period {}{before} has ended; shorten that", number - 1)
            }
        }
    }

    /// Returns `true` if [`mend`] corrects this error.
    pub fn can_be_mended(&self) -> bool {
        !matches!(self.kind, FlawKind::NoDate | FlawKind::NoStart)
    }
}

/// Finds all errors in a list of periods.
pub fn flaws(periods: &[Period]) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (at, period) in periods.iter().enumerate() {
        let mut add = |kind| flaws.push(Flaw { period: at, kind });
        match (period.date, period.start) {
            (None, _) => add(FlawKind::NoDate),
            (_, None) => add(FlawKind::NoStart),
            _ => {}
        }
        if let (Some(start), Some(end)) = (period.start, period.end)
            && end <= start
        {
            add(FlawKind::EndsBeforeStart);
        }
        let Some(before) = at.checked_sub(1).map(|before| &periods[before]) else { continue };
        if let (Some(then), Some(now)) = (before.date.zip(before.start), period.date.zip(period.start)) {
            if now <= then {
                add(FlawKind::Unsorted);
            } else if then.0 == now.0 && before.end.is_some_and(|end| end > now.1) {
                add(FlawKind::Overlaps);
            }
        }
    }
    flaws
}

/// Corrects the errors that can be corrected: exchanges start and end, sorts, merges periods that start together and
/// shortens those that overlap the next one. If a period has no date or start, the order stays as it is.
pub fn mend(periods: &[Period]) -> Vec<Period> {
    let mut mended = periods.to_vec();
    for period in &mut mended {
        if let (Some(start), Some(end)) = (period.start, period.end)
            && end <= start
        {
            (period.start, period.end) = (Some(end), (end < start).then_some(start));
        }
    }
    if mended.iter().any(|period| period.date.is_none() || period.start.is_none()) {
        return mended;
    }
    mended.sort_by_key(|period| (period.date, period.start));
    mended.dedup_by_key(|period| (period.date, period.start));
    for at in 1..mended.len() {
        let (next_date, next_start) = (mended[at].date, mended[at].start);
        let before = &mut mended[at - 1];
        if before.date == next_date && before.end > next_start {
            before.end = next_start;
        }
    }
    mended
}
