//! Changes of slicing trees.

use super::evaluation::Tree;
use super::tree::{MODES, is_cut};
use gridwright_core::random::index;

/// Share of each kind of change, in per cent: exchange of two departments, turn of a cut, exchange of two parts, graft;
/// the rest are rotations.
const SHARES: [u32; 4] = [30, 45, 60, 92];
/// Share of grafts of a single department, in 1024ths.
const SINGLE: u32 = 717;

/// Writes the tokens after the change that `words` draw into `changed`, which has the length of the tree; returns `false`
/// if the change is none. `has_modes` is true on plants with obstacles, where a turned cut gets another mode, too.
#[inline(always)]
pub(super) fn propose(tree: &Tree, words: [u32; 4], has_modes: bool, changed: &mut [u16]) -> bool {
    let kind = index(words[0], 100);
    // The upper bits of the last word decide on acceptance.
    let flags = words[3] & 0x003F_FFFF;
    if kind < SHARES[0] {
        swap_leaves(tree, words, changed)
    } else if kind < SHARES[1] {
        changed.copy_from_slice(&tree.tokens);
        let turn = if has_modes { 1 + index(words[2], 2 * MODES as u32 - 1) as u16 } else { 1 };
        changed[pick(&tree.cuts, words[1])] ^= turn;
        true
    } else if kind < SHARES[2] {
        swap_parts(tree, words, changed)
    } else if kind < SHARES[3] {
        graft(tree, words, flags, changed)
    } else {
        rotate(tree, words, flags & 1 == 0, changed)
    }
}

#[inline(always)]
fn pick(places: &[u32], word: u32) -> usize {
    places[index(word, places.len() as u32) as usize] as usize
}

#[inline(always)]
fn swap_leaves(tree: &Tree, words: [u32; 4], changed: &mut [u16]) -> bool {
    let count = tree.leaves.len() as u32;
    let (one, other) = (index(words[1], count), index(words[2], count - 1));
    let other = other + u32::from(other >= one);
    changed.copy_from_slice(&tree.tokens);
    changed.swap(tree.leaves[one as usize] as usize, tree.leaves[other as usize] as usize);
    true
}

/// Exchanges two parts of which none contains the other.
fn swap_parts(tree: &Tree, words: [u32; 4], changed: &mut [u16]) -> bool {
    let count = tree.tokens.len() as u32;
    let (one, other) = (index(words[1], count), index(words[2], count));
    let (one, other) = (one.min(other) as usize, one.max(other) as usize);
    let (first, second) = (tree.first[one] as usize, tree.first[other] as usize);
    if second <= one {
        return false;
    }
    let tokens = &tree.tokens;
    let mut at = 0;
    for part in [&tokens[..first], &tokens[second..=other], &tokens[one + 1..second], &tokens[first..=one]] {
        changed[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    changed[at..].copy_from_slice(&tokens[other + 1..]);
    true
}

/// Takes a part out and puts it beside another one. The cut that joined it is removed, a new one joins it again.
fn graft(tree: &Tree, words: [u32; 4], flags: u32, changed: &mut [u16]) -> bool {
    let count = tree.tokens.len();
    let is_single = (flags & 1023) < SINGLE;
    let part = match is_single {
        true => pick(&tree.leaves, words[1]),
        // The root stays.
        false => index(words[1], count as u32 - 1) as usize,
    };
    let (first, parent) = (tree.first[part] as usize, tree.parent[part] as usize);
    // Of what remains, the part that ends at this place is the new neighbour.
    let remaining = count - (part - first + 1) - 1;
    let mut host = index(words[2], remaining as u32) as usize;
    if host >= first {
        host += part - first + 1;
    }
    host += usize::from(host >= parent);
    let (is_before, cut) = (flags >> 10 & 1 == 0, tree.tokens[parent] ^ (flags >> 11 & 1) as u16);
    let moved = &tree.tokens[first..=part];
    let mut at = 0;
    for (place, &token) in tree.tokens.iter().enumerate() {
        if is_before && place == tree.first[host] as usize {
            changed[at..at + moved.len()].copy_from_slice(moved);
            at += moved.len();
        }
        if (first..=part).contains(&place) || place == parent {
            continue;
        }
        changed[at] = token;
        at += 1;
        if place == host {
            if !is_before {
                changed[at..at + moved.len()].copy_from_slice(moved);
                at += moved.len();
            }
            changed[at] = cut;
            at += 1;
        }
    }
    true
}

/// Rotates a cut: (A B) C becomes A (B C), or the other way round.
fn rotate(tree: &Tree, words: [u32; 4], is_right: bool, changed: &mut [u16]) -> bool {
    let cut = pick(&tree.cuts, words[1]);
    let behind = cut - 1;
    let before = tree.first[behind] as usize - 1;
    let (from, to) = match (is_cut(tree.tokens[before]), is_cut(tree.tokens[behind])) {
        // A B op C cut becomes A B C cut op.
        (true, other) if is_right || !other => (before, cut),
        // A B C op cut becomes A B cut C op.
        (_, true) => (cut, tree.first[behind - 1] as usize),
        _ => return false,
    };
    changed.copy_from_slice(&tree.tokens);
    if from < to {
        changed[from..=to].rotate_left(1)
    } else {
        changed[to..=from].rotate_right(1)
    }
    true
}
