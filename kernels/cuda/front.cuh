// Types that the kernels of `front.cu` share: parameters, packed times, neighbours and the covering of points.
#pragma once

#include "reduce.cuh"

extern __shared__ __align__(16) u32 shared_memory[];

// Parameters of a launch.
struct Task {
    u32 jobs, machines;
    // 32-bit words of a row: release date, due date, a time per machine, padding to a multiple of 4.
    u32 width;
    // 1 for the exchange neighbourhood, 0 for insertion.
    u32 exchange;
    // Per member: number of warps, number of blocks, capacity of the list of candidates.
    u32 warps, segments, room;
    // Number of the first block of this launch.
    u32 first;
    // Use of the values: SIFTED, BEST or ALL.
    u32 mode;
    // Value of each axis of a point, a byte each; NO_VALUE for unused axes.
    u32 select;
    // 1 if neighbours have to dominate their member.
    u32 dominating;
    // Number of archive points, and number of those that come with this launch.
    u32 known, news;
    // 1 if a tabu neighbour is admissible when it is better than the best so far.
    u32 aspiration;
};

// Values are filtered against the archive, the best one is chosen, or all are written.
#define SIFTED 0u
#define BEST 1u
#define ALL 2u

#define NO_VALUE 4u
#define NONE 0xffffffffu

// 32-bit words of a member before its jobs. SIFTED: its point. BEST: four weights and the smallest sum so far, 64 bits each.
#define HEADER 16u
// Flag of a tabu job.
#define STAYS 0x80000000u
// 32-bit words of a candidate: four objectives and a number. A list of candidates holds all points, then all numbers.
#define CANDIDATE 5u
// 32-bit words of a choice: weighted sum (two words), number, four values, padding. Words of a result: member, number, point.
#define CHOICE 8u
#define LEFT 6u
// Number of archive points per member with which neighbours are compared first.
#define NEAREST 32u

// Functions that all kernels call after the evaluation are compiled once, which shortens the driver's compilation and costs no speed.
#if defined(__CUDACC_RTC__)
#define ONCE static __device__ __noinline__
#else
#define ONCE static __device__ inline
#endif

// Two times of 16 bits in one word. No completion time exceeds 16 bits, so the halves of a sum do not carry into each other.
struct Narrow {
    typedef u32 Word;
    static __device__ __forceinline__ Word of(u32 low, u32 high) { return low | high << 16; }
    static __device__ __forceinline__ u32 low(Word word) { return word & 0xffffu; }
    static __device__ __forceinline__ u32 high(Word word) { return word >> 16; }
    static __device__ __forceinline__ Word merged(Word low, Word high) { return (low & 0xffffu) | (high & 0xffff0000u); }
    static __device__ __forceinline__ Word plus(Word a, Word b) { return a + b; }
    static __device__ __forceinline__ Word read(const Word* at) { return __ldg(at); }
#if defined(__CUDACC_RTC__) && __CUDA_ARCH__ >= 900
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) {
        // One instruction adds and takes the maximum; done + time does not depend on the machine before.
        Word result;
        asm("{ .reg .b32 sum; add.u16x2 sum, %1, %3; max.u16x2 %0, sum, %2; }"
            : "=r"(result)
            : "r"(before), "r"(done + time), "r"(time));
        return result;
    }
    static __device__ __forceinline__ Word beyond(Word done, Word due) {
        Word larger;
        asm("max.u16x2 %0, %1, %2;" : "=r"(larger) : "r"(done), "r"(due));
        return larger - due;
    }
    static __device__ __forceinline__ Word ones(Word word) {
        Word result;
        asm("min.u16x2 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(0x00010001u));
        return result;
    }
#else
    static __device__ __forceinline__ Word larger(Word a, Word b) {
        return (max(a, b) & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
    }
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) { return larger(before, done) + time; }
    static __device__ __forceinline__ Word beyond(Word done, Word due) { return larger(done, due) - due; }
    static __device__ __forceinline__ Word ones(Word word) { return of(low(word) > 0, high(word) > 0); }
#endif
};

// Two times of 32 bits.
struct __align__(8) Two {
    u32 low, high;
};
struct Wide {
    typedef Two Word;
    static __device__ __forceinline__ Word of(u32 low, u32 high) { return {low, high}; }
    static __device__ __forceinline__ u32 low(Word word) { return word.low; }
    static __device__ __forceinline__ u32 high(Word word) { return word.high; }
    static __device__ __forceinline__ Word merged(Word low, Word high) { return {low.low, high.high}; }
    static __device__ __forceinline__ Word plus(Word a, Word b) { return {a.low + b.low, a.high + b.high}; }
    static __device__ __forceinline__ Word read(const Word* at) { return {__ldg(&at->low), __ldg(&at->high)}; }
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) {
        return {max(before.low, done.low) + time.low, max(before.high, done.high) + time.high};
    }
    static __device__ __forceinline__ Word beyond(Word done, Word due) {
        return {max(done.low, due.low) - due.low, max(done.high, due.high) - due.high};
    }
    static __device__ __forceinline__ Word ones(Word word) { return {word.low > 0, word.high > 0}; }
};

struct __align__(16) Quad {
    u32 word[4];
};

// The two neighbours of a thread: numbers, values, points, and positions of the moved jobs.
struct Neighbours {
    bool there[2];
    u32 number[2], values[2][4], point[2][4];
    // Positions of the moved jobs; both equal if one job moves.
    u32 moved[2][2];
};

// Returns true if point p is nowhere worse than q.
__device__ __forceinline__ bool covers(const u32* p, const u32* q) {
    return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] && p[3] <= q[3];
}

__device__ __forceinline__ bool equal(const u32* p, const u32* q) {
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && p[3] == q[3];
}
