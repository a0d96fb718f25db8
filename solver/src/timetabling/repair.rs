//! Finds a place for exams that had to give way, so that as few others as possible are moved on.
//!
//! An ejection chain places an exam where at most one other is in the way, which is placed likewise, and so on to a
//! limited depth; of all chains the one with the least proximity and price is taken. Source: F. Glover, «Ejection
//! chains, reference structures and alternating path methods for traveling salesman problems», Discrete Applied
//! Mathematics 65, 1996 (the idea).

use super::construction::Partial;

/// Exams that a chain may move beside the one that is placed.
const DEPTH: usize = 4;

/// Exams looked at in all for one chain; it bounds the time, and is rarely reached.
const PATIENCE: u32 = 20_000;

/// The best chain so far, and the one that is being looked at.
struct Search {
    /// (exam, period), first the exam that is to be placed.
    chain: Vec<(usize, usize)>,
    best: Option<(i64, Vec<(usize, usize)>)>,
    patience: u32,
}

/// Places an unplaced exam by the cheapest ejection chain; `false`: there is none within the depth.
pub(super) fn place(partial: &mut Partial<'_>, exam: usize) -> bool {
    let mut search = Search { chain: Vec::new(), best: None, patience: PATIENCE };
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

/// Tries all periods for an unplaced exam; `cost` is what the chain has cost so far.
fn look(partial: &mut Partial<'_>, search: &mut Search, exam: usize, cost: i64, depth: usize) {
    if search.patience == 0 {
        return;
    }
    search.patience -= 1;
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
