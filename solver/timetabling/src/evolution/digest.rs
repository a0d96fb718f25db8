//! Digest of a population as a sum over its words, which a device can compute in any order.
//!
//! A chromosome is a row of 32-bit words with four genes each, the last one padded with 0. The word w at position p of
//! the population adds mix(p·2³² + w), where mix is the finaliser of SplitMix64; sums wrap.
//!
//! Source of the finaliser: G. L. Steele, D. Lea, C. H. Flood, «Fast splittable pseudorandom number generators»,
//! OOPSLA 2014.

use rayon::prelude::*;

/// Finaliser of SplitMix64.
#[inline(always)]
fn mixed(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Wrapping sum over all words of the chromosomes in `genes`, `exams` genes each, without padding.
pub(crate) fn population_sum(genes: &[u8], exams: usize) -> u64 {
    let words = exams.div_ceil(4);
    let chromosome = |(individual, genes): (usize, &[u8])| {
        let word = |(k, genes): (usize, &[u8])| {
            let mut bytes = [0; 4];
            bytes[..genes.len()].copy_from_slice(genes);
            let position = (individual * words + k) as u32;
            mixed(u64::from(position) << 32 | u64::from(u32::from_le_bytes(bytes)))
        };
        genes.chunks(4).enumerate().map(word).fold(0_u64, u64::wrapping_add)
    };
    genes.par_chunks(exams.max(1)).enumerate().map(chromosome).reduce(|| 0, u64::wrapping_add)
}

/// Digest of the state that determines the next generation: population, generation number and best cost so far.
pub(crate) fn state_digest(population_sum: u64, generation: u32, best_cost: u32) -> u64 {
    mixed(population_sum ^ mixed(u64::from(best_cost) << 32 | u64::from(generation)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gene_place_and_individual_counts() {
        let genes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let digest = population_sum(&genes, 5);
        for at in 0..genes.len() {
            let mut changed = genes;
            changed[at] += 1;
            assert_ne!(population_sum(&changed, 5), digest, "gene {at}");
        }
        let mut exchanged = genes;
        exchanged.rotate_left(5);
        assert_ne!(population_sum(&exchanged, 5), digest, "two individuals exchanged");
        assert_ne!(state_digest(digest, 1, 7), state_digest(digest, 2, 7));
        assert_ne!(state_digest(digest, 1, 7), state_digest(digest, 1, 8));
    }

    /// The first outputs of SplitMix64 with seed 1234567, as its authors publish them.
    #[test]
    fn the_finaliser_is_that_of_splitmix64() {
        assert_eq!(mixed(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mixed(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }
}
