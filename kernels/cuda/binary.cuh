// Binary problems (0/1 knapsack, next release, massively multimodal deceptive problem): packing and evaluation of solutions.
//
// Two sums of a solution lie in one 64-bit number, the first in the upper half: profit and weight, value and cost, or millionths and 0. Both are
// below 2³², so sums and differences of such numbers are right modulo 2⁶⁴. The references are in `systolic/evaluation/`.
//
// Source of the deceptive problem: D. E. Goldberg, K. Deb, J. Horn, «Massive multimodality, deception, and genetic algorithms», PPSN II, 1992.
#pragma once

#include "philox.cuh"

typedef long long i64;

// Purpose of the random words of first populations, as in `state.rs`.
#define INITIAL 1u

#define KNAPSACK 0u
#define NEXT_RELEASE 1u
#define DECEPTIVE 2u

// Parameters of a problem.
struct Shape {
    u64 capacity;
    u64 all_values, all_costs;
    u32 bits, rows;
    // 64-bit words of a solution.
    u32 words;
    u32 flavour, kind, tenths;
};

// Bits per 64-bit word: 64 for items, 60 for blocks of six.
template <bool BLOCKS>
struct Packing {
    static constexpr u32 BITS = BLOCKS ? 60 : 64;
    static constexpr u64 FULL = BLOCKS ? 0x0fffffffffffffffull : ~0ull;
};

// Mask of the bits of word `word` that lie between the bits `first` and `last` of a solution, both included.
template <bool BLOCKS>
__device__ __forceinline__ u64 segment_mask(u32 first, u32 last, u32 word) {
    constexpr u32 BITS = Packing<BLOCKS>::BITS;
    const u32 begin = first / BITS, end = last / BITS;
    if (word < begin || word > end) return 0;
    u64 mask = Packing<BLOCKS>::FULL;
    if (word == begin) mask &= mask << first % BITS;
    if (word == end) mask &= Packing<BLOCKS>::FULL >> (BITS - 1 - last % BITS);
    return mask;
}

__device__ __forceinline__ int ones(u64 word) {
    return __popc((u32)word) + __popc((u32)(word >> 32));
}

// Worth of the ten blocks of a word in millionths, as in `evaluation/deceptive.rs`.
__device__ __forceinline__ int value(u64 word) {
    const u64 lowest = 0x0041041041041041ull, every_other = lowest * 21, two = lowest * 3;
    const u64 pairs = (word & every_other) + (word >> 1 & every_other);
    const u64 counts = (pairs & two) + (pairs >> 2 & two) + (pairs >> 4 & two);
    const u64 b0 = counts, b1 = counts >> 1, b2 = counts >> 2;
    return ones(b0 & b1 & lowest) * 640576 + ones(~b0 & (b1 ^ b2) & lowest) * 360384 +
           ones(~b0 & ~(b1 ^ b2) & lowest) * 1000000;
}

// Worth of a block of six bits in millionths.
__device__ __forceinline__ int block_value(u32 block) {
    const u32 count = __popc(block);
    if (count % 2 != 0) return count == 3 ? 640576 : 0;
    return count == 2 || count == 4 ? 360384 : 1000000;
}

// Σ of the items whose bits are set in half a word; items[0] belongs to bit 0.
__device__ __forceinline__ u64 sum_of(const u64* items, u32 bits) {
    u64 sum = 0;
    while (bits != 0) {
        sum += items[__ffs(bits) - 1];
        bits &= bits - 1;
    }
    return sum;
}

// Gain of a solution that takes over the bits `differing`, in which it differs from another solution with the bits `bits`.
__device__ __forceinline__ u64 gain_of(const u64* items, u32 bits, u32 differing) {
    u64 gain = 0;
    while (differing != 0) {
        const u32 bit = __ffs(differing) - 1;
        const u64 item = items[bit];
        gain += bits >> bit & 1 ? item : 0 - item;
        differing &= differing - 1;
    }
    return gain;
}

__device__ __forceinline__ i64 knapsack_fitness(const Shape& shape, u64 sums) {
    const i64 over = (i64)(sums & 0xffffffffull) - (i64)shape.capacity;
    return (i64)(sums >> 32) - (over > 0 ? over * (i64)shape.capacity : 0);
}

__device__ __forceinline__ u64 release_worth(const Shape& shape, u64 sums) {
    const u64 expensive = (10 - shape.tenths) * ((sums & 0xffffffffull) * shape.all_values);
    const u64 left_out = shape.tenths * ((shape.all_values - (sums >> 32)) * shape.all_costs);
    return max(expensive, left_out);
}

// Returns true if a child is strictly better than its parent.
__device__ __forceinline__ bool better(const Shape& shape, u64 child, u64 parent) {
    if (shape.kind == KNAPSACK) return knapsack_fitness(shape, child) > knapsack_fitness(shape, parent);
    if (shape.kind == DECEPTIVE) return child > parent;
    const u64 of_child = release_worth(shape, child), of_parent = release_worth(shape, parent);
    const bool dominates = child != parent && child >> 32 >= parent >> 32 &&
                           (child & 0xffffffffull) <= (parent & 0xffffffffull);
    return of_child < of_parent || (of_child == of_parent && dominates);
}

// Key of run `run`, whose seed is the seed of the first run + `run`.
__device__ __forceinline__ Key key_of(u32 seed_low, u32 seed_high, u32 run) {
    const u64 seed = ((u64)seed_high << 32 | seed_low) + run;
    return {(u32)seed, (u32)(seed >> 32)};
}
