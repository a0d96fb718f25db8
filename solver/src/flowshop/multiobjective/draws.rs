//! Addressed random numbers of one step of one trajectory, number after number.

use crate::random::{Philox, index};

/// What the random words decide: the upper bits of a step's number are put above these.
pub const REMOVED: u32 = 0x51;
/// The order in which a local search looks at the jobs.
pub const ROUND: u32 = 0x52;
/// Whether a worse order is accepted.
pub const ACCEPTED: u32 = 0x53;
/// Which members of an archive are explored.
pub const MEMBER: u32 = 0x54;
/// Orders to begin with, and to begin again with.
pub const START: u32 = 0x55;
/// Which member and which weights a further descent takes.
pub const DESCENT: u32 = 0x56;
/// How long a move stays tabu.
pub const TENURE: u32 = 0x57;

/// Random words at (draw, step, trajectory, purpose) for draw = 0, 1, 2, …, four numbers each.
#[derive(Debug, Clone)]
pub struct Draws {
    philox: Philox,
    step: u32,
    individual: u32,
    purpose: u32,
    next: u32,
    words: [u32; 4],
}

impl Draws {
    /// The words of a step of a trajectory or member, for one purpose.
    pub fn new(philox: Philox, step: u64, individual: u32, purpose: u32) -> Self {
        // Steps are numbered with 64 bits: the upper half goes into the purpose.
        let purpose = purpose | ((step >> 32) as u32) << 8;
        Self { philox, step: step as u32, individual, purpose, next: 0, words: [0; 4] }
    }

    /// The next word.
    #[inline(always)]
    pub fn word(&mut self) -> u32 {
        if self.next.is_multiple_of(4) {
            self.words = self.philox.words(self.next / 4, self.step, self.individual, self.purpose);
        }
        self.next += 1;
        self.words[(self.next - 1) as usize % 4]
    }

    /// A number below `n`, 0 where `n` is 0.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        index(self.word(), n as u32) as usize
    }

    /// Brings jobs into random order: from the last place to the second, each exchanged with one before it or itself.
    pub fn shuffle(&mut self, jobs: &mut [u16]) {
        for last in (1..jobs.len()).rev() {
            let other = self.below(last + 1);
            jobs.swap(last, other);
        }
    }
}

/// All jobs in random order.
pub fn random_order(philox: Philox, step: u64, individual: u32, jobs: usize) -> Vec<u16> {
    let mut order: Vec<u16> = (0..jobs as u16).collect();
    Draws::new(philox, step, individual, START).shuffle(&mut order);
    order
}
