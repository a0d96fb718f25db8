//! Places an exam in a partial timetable by the cheapest ejection chain, so that few other exams move.
//!
//! Tried are all periods in which at most one placed exam is in the way; that exam is removed and placed in the same
//! manner, up to a limited depth (depth-first search with a limit on the number of exams visited). Of all complete
//! chains the one with the least proximity cost and price is applied. It builds the first timetables of runs with a
//! reference timetable («solve around the changes»), where construction from nothing would move too many exams.
//!
//! Source of the idea: F. Glover, «Ejection chains, reference structures and alternating path methods for traveling
//! salesman problems», Discrete Applied Mathematics 65, 1996.

use super::construction::Partial;

/// Maximum number of exams that a chain moves besides the exam that is placed.
const DEPTH: usize = 4;

/// Number of exams visited in the search for one chain, at most; bounds its time and is rarely reached.
pub(super) const PATIENCE: u32 = 20_000;

/// Exams visited between two questions whether the run is over.
const VISITS: u32 = 64;

/// State of the depth-first search.
struct Search<'a> {
    is_over: &'a dyn Fn() -> bool,
    /// Current chain as (exam, new period), beginning with the exam to be placed.
    chain: Vec<(usize, usize)>,
    best: Option<(i64, Vec<(usize, usize)>)>,
    patience: u32,
}

/// Places an unplaced exam by the cheapest ejection chain. Returns `false` and changes nothing if none exists within
/// [`DEPTH`]; visits at most `patience` exams and looks no further once `is_over`.
pub(super) fn place(partial: &mut Partial<'_>, exam: usize, patience: u32, is_over: &dyn Fn() -> bool) -> bool {
    let mut search = Search { is_over, chain: Vec::new(), best: None, patience };
    look(partial, &mut search, exam, 0, DEPTH);
    let Some((_, chain)) = search.best else { return false };
    for &(exam, _) in &chain[1..] {
        partial.take(exam);
    }
    for (exam, period) in chain {
        partial.put(exam, period);
    }
    true
}

/// Tries all periods for an unplaced exam; `cost` is the change of the objective by the chain so far.
fn look(partial: &mut Partial<'_>, search: &mut Search<'_>, exam: usize, cost: i64, depth: usize) {
    if search.patience == 0 {
        return;
    }
    search.patience -= 1;
    if search.patience.is_multiple_of(VISITS) && (search.is_over)() {
        search.patience = 0;
        return;
    }
    for period in 0..partial.periods() {
        if !partial.may_ever(exam, period) {
            continue;
        }
        let there = cost + partial.cost_at(exam, period) as i64;
        let blocking = partial.in_the_way(exam, period);
        match blocking[..] {
            [] if search.best.as_ref().is_none_or(|best| there < best.0) => {
                let mut chain = search.chain.clone();
                chain.push((exam, period));
                search.best = Some((there, chain));
            }
            [other] if depth > 0 && search.chain.iter().all(|&(before, _)| before != other) => {
                let place = usize::from(partial.place[other]);
                partial.take(other);
                let freed = partial.cost_at(other, place) as i64;
                // Without the other the exam costs less there.
                let there = cost + partial.cost_at(exam, period) as i64 - freed;
                partial.put(exam, period);
                search.chain.push((exam, period));
                look(partial, search, other, there, depth - 1);
                search.chain.pop();
                partial.take(exam);
                partial.put(other, place);
            }
            _ => {}
        }
    }
}
