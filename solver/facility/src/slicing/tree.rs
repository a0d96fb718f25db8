//! Slicing trees in postfix order.

use crate::{Layout, Orientation, Placed};
use gridwright_core::random::{Philox, index};

use crate::population::purposes;

/// Vertical cut: the part before lies to the left of the other one.
pub(super) const VERTICAL: u16 = 0xFFFF;
/// Horizontal cut: the part before lies below the other one.
pub(super) const HORIZONTAL: u16 = 0xFFFE;
/// Number of modes of a cut, which choose its place on plants with obstacles; without obstacles all cuts have mode 0.
pub(super) const MODES: usize = 8;
/// First token of a cut: 15 − 2 · mode, less 1 for a horizontal cut, in the last four bits.
const FIRST_CUT: u16 = 0xFFF0;

/// Returns `true` if a token is a cut and no department.
#[inline(always)]
pub(super) const fn is_cut(token: u16) -> bool {
    token >= FIRST_CUT
}

/// Returns `true` for a vertical cut of any mode.
pub(super) const fn is_vertical(token: u16) -> bool {
    token & 1 == 1
}

/// Mode of a cut.
pub(super) const fn mode_of(token: u16) -> u16 {
    (VERTICAL - token) >> 1
}

/// Tree of the departments of a layout that keep no rectangle: their bays, or their rectangles if they can be cut from wall to
/// wall; `None` otherwise.
pub(super) fn of_layout(layout: &Layout, kept: &[Placed]) -> Option<Vec<u16>> {
    let mut tokens = Vec::with_capacity(2 * layout.departments().count());
    let is_kept = |department: u16| kept.iter().any(|placed| placed.department == department);
    if layout.is_free() {
        let mut parts: Vec<&Placed> = layout.rectangles.iter().filter(|placed| !is_kept(placed.department)).collect();
        return (parts.is_empty() || cut(&mut parts, &mut tokens)).then_some(tokens);
    }
    let (across, along) = match layout.orientation {
        Orientation::Vertical => (VERTICAL, HORIZONTAL),
        Orientation::Horizontal => (HORIZONTAL, VERTICAL),
    };
    let bays = layout.bays.iter().map(|bay| bay.iter().copied().filter(|one| !is_kept(*one)).collect::<Vec<u16>>());
    for (number, bay) in bays.filter(|bay| !bay.is_empty()).enumerate() {
        let join = |tokens: &mut Vec<u16>, place: usize, department: u16| {
            tokens.push(department);
            tokens.extend((place > 0).then_some(along));
        };
        match layout.orientation {
            // The departments of a vertical bay are counted from its top.
            Orientation::Vertical => {
                bay.iter().rev().enumerate().for_each(|(place, &department)| join(&mut tokens, place, department));
            }
            Orientation::Horizontal => {
                bay.iter().enumerate().for_each(|(place, &department)| join(&mut tokens, place, department));
            }
        }
        tokens.extend((number > 0).then_some(across));
    }
    Some(tokens)
}

/// Appends the tree of rectangles; returns `false` if no straight line separates them.
fn cut(parts: &mut [&Placed], tokens: &mut Vec<u16>) -> bool {
    if let [one] = parts {
        tokens.push(one.department);
        return true;
    }
    for token in [VERTICAL, HORIZONTAL] {
        let span = |placed: &Placed| match token {
            VERTICAL => (placed.rectangle.x, placed.rectangle.x + placed.rectangle.width),
            _ => (placed.rectangle.y, placed.rectangle.y + placed.rectangle.height),
        };
        parts.sort_by(|one, other| span(one).0.total_cmp(&span(other).0).then(one.department.cmp(&other.department)));
        let mut end = f64::NEG_INFINITY;
        let found = (1..parts.len()).find(|&at| {
            end = span(parts[at - 1]).1.max(end);
            // Walls that are one but for rounding.
            span(parts[at]).0 >= end - 1e-9 * end.abs().max(1.0)
        });
        if let Some(at) = found {
            let (before, behind) = parts.split_at_mut(at);
            let is_cut = cut(before, tokens) && cut(behind, tokens);
            tokens.push(token);
            return is_cut;
        }
    }
    false
}

/// Random tree of departments: a uniform permutation (Fisher–Yates), joined at random places.
pub(super) fn random(philox: Philox, cycle: u32, chain: u32, mut order: Vec<u16>) -> Vec<u16> {
    let word = |at: usize, lane: usize| philox.words((2 * at + lane) as u32, cycle, chain, purposes::TREE);
    for place in (1..order.len()).rev() {
        order.swap(place, index(word(place, 0)[0], place as u32 + 1) as usize);
    }
    let mut parts: Vec<Vec<u16>> = order.into_iter().map(|department| vec![department]).collect();
    while parts.len() > 1 {
        let [at, turn, ..] = word(parts.len(), 1);
        let at = index(at, parts.len() as u32 - 1) as usize;
        let behind = parts.remove(at + 1);
        parts[at].extend(behind);
        parts[at].push(HORIZONTAL | (turn >> 31) as u16);
    }
    parts.pop().unwrap_or_default()
}
