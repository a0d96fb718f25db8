//! Addressed random numbers: counter-based instead of sequential.
//!
//! Philox4x32-10 is a bijection of 128-bit counters under a 64-bit key. A decision names its counter (draw, step,
//! individual, purpose) and obtains the same four words on every machine, in every order and on every thread; a search
//! therefore has one trajectory on every backend.
//!
//! [`PhiloxStream`] gives the words at one address in sequence through the traits of [`rand_core`], so that tests and
//! generators may use distributions whose value stability is documented. Searches use addresses only.
//!
//! Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, «Parallel random numbers: as easy as 1, 2, 3», SC'11,
//! 2011.

use std::convert::Infallible;

use rand_core::TryRng;
use rand_core::block::{BlockRng, Generator};

use crate::lanes::lanes;

const MULTIPLIER_0: u32 = 0xD251_1F53;
const MULTIPLIER_1: u32 = 0xCD9E_8D57;
const WEYL_0: u32 = 0x9E37_79B9;
const WEYL_1: u32 = 0xBB67_AE85;

/// Philox4x32-10 bijection: ten rounds over `counter` under `key`.
#[inline(always)]
pub(crate) fn philox4x32_10(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut block = [[counter[0]], [counter[1]], [counter[2]], [counter[3]]];
    rounds(&mut block, key);
    [block[0][0], block[1][0], block[2][0], block[3][0]]
}

/// Four words of `N` counters.
#[inline(always)]
fn lanes_of_words<T: Copy + Default, const N: usize>(of: impl Fn(usize, usize) -> T) -> [[T; N]; 4] {
    let word = |word: usize| lanes(|lane| of(word, lane));
    [word(0), word(1), word(2), word(3)]
}

/// Ten rounds over `N` counters, word by word. A word is the lower half of 64 bits, because the compiler then vectorises the
/// multiplications without moving words between registers; the upper half is arbitrary.
#[inline(always)]
fn rounds<const N: usize>(block: &mut [[u32; N]; 4], key: [u32; 2]) {
    const LOW: u64 = u32::MAX as u64;
    let mut x: [[u64; N]; 4] = lanes_of_words(|word, lane| u64::from(block[word][lane]));
    let [mut k0, mut k1] = key;
    for _ in 0..10 {
        for lane in 0..N {
            let p0 = u64::from(MULTIPLIER_0) * (x[0][lane] & LOW);
            let p1 = u64::from(MULTIPLIER_1) * (x[2][lane] & LOW);
            x[0][lane] = (p1 >> 32) ^ x[1][lane] ^ u64::from(k0);
            x[1][lane] = p1;
            x[2][lane] = (p0 >> 32) ^ x[3][lane] ^ u64::from(k1);
            x[3][lane] = p0;
        }
        k0 = k0.wrapping_add(WEYL_0);
        k1 = k1.wrapping_add(WEYL_1);
    }
    *block = lanes_of_words(|word, lane| x[word][lane] as u32);
}

/// Source of addressed random words of a run: the key is the seed, the counter is the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Philox {
    key: [u32; 2],
}

impl Philox {
    /// Source for this seed.
    pub const fn new(seed: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// Returns four words at the address (draw, step, individual, purpose).
    ///
    /// `step` is a generation or step, `individual` a chain or individual, `purpose` the decision (and, in its upper
    /// bits, the island).
    #[inline(always)]
    pub fn words(self, draw: u32, step: u32, individual: u32, purpose: u32) -> [u32; 4] {
        philox4x32_10([draw, step, individual, purpose], self.key)
    }

    /// Words of `N` consecutive draws from `first_draw` on; `result[w][lane]` is word `w` of draw `first_draw + lane`.
    #[inline(always)]
    pub fn draws<const N: usize>(self, first_draw: u32, step: u32, individual: u32, purpose: u32) -> [[u32; N]; 4] {
        let mut x = [[0; N], [step; N], [individual; N], [purpose; N]];
        for (lane, word) in x[0].iter_mut().enumerate() {
            *word = first_draw.wrapping_add(lane as u32);
        }
        rounds(&mut x, self.key);
        x
    }

    /// Words of one draw at `N` consecutive steps; `result[w][lane]` is word `w` of step `first_step + lane`.
    #[inline(always)]
    pub fn steps<const N: usize>(self, draw: u32, first_step: u32, individual: u32, purpose: u32) -> [[u32; N]; 4] {
        let mut x = [[draw; N], [0; N], [individual; N], [purpose; N]];
        for (lane, word) in x[1].iter_mut().enumerate() {
            *word = first_step.wrapping_add(lane as u32);
        }
        rounds(&mut x, self.key);
        x
    }
}

/// Words at one address in sequence: the four words of draw 0, of draw 1, and so on; 2³⁴ words until they repeat.
#[derive(Debug, Clone)]
pub struct PhiloxStream(BlockRng<Draws>);

/// Source of the draws of a stream.
#[derive(Debug, Clone)]
struct Draws {
    philox: Philox,
    /// Number of the next draw.
    draw: u32,
    /// Step, individual and purpose.
    address: [u32; 3],
}

impl Philox {
    /// Returns the stream of all draws at the address (step, individual, purpose).
    pub fn stream(self, step: u32, individual: u32, purpose: u32) -> PhiloxStream {
        PhiloxStream(BlockRng::new(Draws { philox: self, draw: 0, address: [step, individual, purpose] }))
    }
}

impl Generator for Draws {
    type Output = [u32; 4];

    fn generate(&mut self, output: &mut [u32; 4]) {
        let [step, individual, purpose] = self.address;
        *output = self.philox.words(self.draw, step, individual, purpose);
        self.draw = self.draw.wrapping_add(1);
    }
}

impl TryRng for PhiloxStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64_from_u32())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// Maps a word to `0..n`: ⌊word·n / 2³²⌋.
#[inline(always)]
pub const fn index(word: u32, n: u32) -> u32 {
    ((word as u64 * n as u64) >> 32) as u32
}

/// Threshold ⌊p·2³²⌋ of an event with probability `p`, clamped to 0…1: the event is `u64::from(word) < threshold`.
///
/// Use with [`happens`].
pub fn threshold(p: f64) -> u64 {
    (p.clamp(0.0, 1.0) * 4_294_967_296.0) as u64
}

/// Returns `true` if the event with this [`threshold`] happens for this word.
#[inline(always)]
pub const fn happens(word: u32, threshold: u64) -> bool {
    (word as u64) < threshold
}

#[cfg(test)]
mod tests {
    use rand_core::Rng as _;

    use super::*;

    /// The known answers of Random123's `kat_vectors` for philox4x32 with 10 rounds.
    #[test]
    fn equals_the_vectors_of_random123() {
        assert_eq!(philox4x32_10([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox4x32_10([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox4x32_10([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    /// The crate rand_philox as a second opinion, over addresses of every kind.
    #[test]
    fn equals_the_crate_rand_philox() {
        let seed = 0x0123_4567_89ab_cdef_u64;
        for draw in 0..500_u32 {
            let address = [draw, draw.wrapping_mul(77), !draw, draw << 20];
            let ours = Philox::new(seed).words(address[0], address[1], address[2], address[3]);
            assert_eq!(ours, rand_philox::philox4x32_10(address, [0x89ab_cdef, 0x0123_4567]), "draw {draw}");
        }
        let mut theirs = rand_philox::Philox::new([0x89ab_cdef, 0x0123_4567], 0);
        for draw in 0..100 {
            for word in Philox::new(seed).words(draw, 0, 0, 0) {
                assert_eq!(word, theirs.next_u32(), "draw {draw}");
            }
        }
    }

    #[test]
    fn a_stream_equals_the_crate_rand_philox_for_every_type_of_word() {
        let key = [0x89ab_cdef, 0x0123_4567];
        let mut ours = Philox::new(0x0123_4567_89ab_cdef).stream(0, 0, 0);
        let mut theirs = rand_philox::Philox::new(key, 0);
        let (mut our_bytes, mut their_bytes) = ([0; 13], [0; 13]);
        for round in 0..100 {
            assert_eq!(ours.next_u32(), theirs.next_u32(), "round {round}");
            ours.fill_bytes(&mut our_bytes);
            for bytes in their_bytes.chunks_mut(4) {
                bytes.copy_from_slice(&theirs.next_u32().to_le_bytes()[..bytes.len()]);
            }
            assert_eq!(our_bytes, their_bytes, "round {round}");
            let (low, high) = (theirs.next_u32(), theirs.next_u32());
            assert_eq!(ours.next_u64(), u64::from(low) | u64::from(high) << 32, "round {round}");
        }
    }

    #[test]
    fn side_by_side_equals_one_by_one() {
        let philox = Philox::new(42);
        let draws = philox.draws::<8>(u32::MAX - 3, 7, 8, 9);
        let steps = philox.steps::<8>(1, 100, 3, 4);
        for lane in 0..8 {
            let draw = (u32::MAX - 3).wrapping_add(lane as u32);
            assert_eq!(philox.words(draw, 7, 8, 9), [0, 1, 2, 3].map(|word| draws[word][lane]));
            assert_eq!(philox.words(1, 100 + lane as u32, 3, 4), [0, 1, 2, 3].map(|word| steps[word][lane]));
        }
    }

    #[test]
    fn index_and_threshold_cover_their_range() {
        assert_eq!(index(0, 7), 0);
        assert_eq!(index(u32::MAX, 7), 6);
        assert_eq!(index(u32::MAX, 1), 0);
        assert!(happens(u32::MAX, threshold(1.0)));
        assert!(!happens(0, threshold(0.0)));
        assert_eq!(threshold(0.5), 1 << 31);
        assert_eq!(threshold(7.0), 1 << 32);
    }
}
