// Digest of a population: a sum of terms over its words, independent of the order of additions.
#pragma once

#include "types.cuh"

// Finaliser of SplitMix64, as in `evolution/digest.rs`. Source: G. L. Steele Jr., D. Lea, C. H. Flood, «Fast splittable pseudorandom number
// generators», OOPSLA 2014.
__device__ __forceinline__ u64 mixed(u64 z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// Returns the digest term of the word (four genes, padded with 0) at a position of the population.
__device__ __forceinline__ u64 digest_term(u32 position, u32 word) {
    return mixed((u64)position << 32 | word);
}
