// The digest of a population: a sum over its words, so that any order and any number of threads give the same.
#pragma once

#include "types.cuh"

// The finaliser of SplitMix64, as `evolution/digest.rs` has it (Steele, Lea, Flood, OOPSLA 2014).
__device__ __forceinline__ u64 mixed(u64 z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// What the word at this position of the population (four genes, the last ones padded by 0) adds to the digest.
__device__ __forceinline__ u64 digest_term(u32 position, u32 word) {
    return mixed((u64)position << 32 | word);
}
