//! Addressed random numbers of one step of one chain or trajectory, and the purposes of those of the searches for fronts.

use gridwright_core::random::{Philox, index};

/// Purpose of random words: removed jobs. Bits above the lowest eight hold the upper half of the step number.
pub(crate) const REMOVED: u32 = 0x51;
/// Purpose: order in which a local search visits the jobs.
pub(crate) const ROUND: u32 = 0x52;
/// Purpose: acceptance of a worse order.
pub(crate) const ACCEPTED: u32 = 0x53;
/// Purpose: archive members to be explored.
pub(crate) const MEMBER: u32 = 0x54;
/// Purpose: start orders and restarts.
pub(crate) const START: u32 = 0x55;
/// Purpose: member and weights of a further descent.
pub(crate) const DESCENT: u32 = 0x56;
/// Purpose: duration for which a move stays tabu.
pub(crate) const TENURE: u32 = 0x57;

/// Random words at (draw, step, trajectory, purpose) for draw = 0, 1, 2, …, four words each.
#[derive(Debug, Clone)]
pub(crate) struct Draws {
    philox: Philox,
    step: u32,
    individual: u32,
    purpose: u32,
    next: u32,
    words: [u32; 4],
}

impl Draws {
    /// Words of one step of one trajectory or member for one purpose.
    pub(crate) fn new(philox: Philox, step: u64, individual: u32, purpose: u32) -> Self {
        // The upper half of the 64-bit step number is stored in the purpose word.
        let purpose = purpose | ((step >> 32) as u32) << 8;
        Self { philox, step: step as u32, individual, purpose, next: 0, words: [0; 4] }
    }

    /// The next word.
    #[inline(always)]
    pub(crate) fn word(&mut self) -> u32 {
        if self.next.is_multiple_of(4) {
            self.words = self.philox.words(self.next / 4, self.step, self.individual, self.purpose);
        }
        self.next += 1;
        self.words[(self.next - 1) as usize % 4]
    }

    /// Uniform number below `n`; 0 if `n` is 0.
    #[inline(always)]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        index(self.word(), n as u32) as usize
    }

    /// Fisher–Yates shuffle of `jobs` from the last place down.
    pub(crate) fn shuffle(&mut self, jobs: &mut [u16]) {
        for last in (1..jobs.len()).rev() {
            let other = self.below(last + 1);
            jobs.swap(last, other);
        }
    }
}

/// A uniform random permutation of `jobs` jobs.
pub(crate) fn random_order(philox: Philox, step: u64, individual: u32, jobs: usize) -> Vec<u16> {
    let mut order: Vec<u16> = (0..jobs as u16).collect();
    Draws::new(philox, step, individual, START).shuffle(&mut order);
    order
}
