// Philox4x32-10: four random words for the address (draw, step, individual, purpose), equal to those of `random.rs`.
//
// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, «Parallel random numbers: as easy as 1, 2, 3», SC'11, 2011.
#pragma once

#include "types.cuh"

struct Words {
    u32 x, y, z, w;
};

// Seed of a run.
struct Key {
    u32 low, high;
};

__device__ __forceinline__ Words philox(Key key, u32 draw, u32 step, u32 individual, u32 purpose) {
    Words x = {draw, step, individual, purpose};
    u32 k0 = key.low, k1 = key.high;
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const u32 low0 = 0xD2511F53u * x.x, high0 = __umulhi(0xD2511F53u, x.x);
        const u32 low1 = 0xCD9E8D57u * x.z, high1 = __umulhi(0xCD9E8D57u, x.z);
        x = {high1 ^ x.y ^ k0, low1, high0 ^ x.w ^ k1, low0};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return x;
}

// Maps a word to 0 … n−1: ⌊word·n / 2³²⌋.
__device__ __forceinline__ u32 index_of(u32 word, u32 n) {
    return __umulhi(word, n);
}

// Returns true if an event with threshold ⌊p·2³²⌋ happens for this word.
__device__ __forceinline__ bool happens(u32 word, u64 threshold) {
    return (u64)word < threshold;
}
