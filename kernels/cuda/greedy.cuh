// State of an iterated greedy chain and operations on permutations that both evaluations share.
#pragma once

#include "philox.cuh"
#include "reduce.cuh"

typedef unsigned short u16;

// Purposes of random words.
#define REMOVED 0x40u
#define ROUND 0x41u
#define ACCEPTED 0x42u

#define MOST_WARPS 8
#define NOTHING 0xffffffffffffffffull
// Offset that makes idle times, which exceed −2^46, non-negative.
#define IDLE_ZERO (1ll << 46)

extern __shared__ __align__(16) u32 shared_memory[];

// Stage of a step.
enum Stage : u32 { BEGIN, PARTIAL_ROUND, PARTIAL_SEARCH, CONSTRUCTION, WHOLE_ROUND, WHOLE_SEARCH, ACCEPTANCE };

// Parameters of a launch.
struct Settings {
    // End of the steps, exclusive.
    u64 until;
    // Fixed cost of a tardy job.
    u64 tardy;
    Key key;
    u32 jobs, machines, removed, partial, temperature;
    // Units of work after which a chain is interrupted.
    u32 work;
    // Number of the first chain of the launch.
    u32 first;
    // 1 if the objective is the makespan; 1 if there are release dates.
    u32 makespan, released;
    // Global memory of a chain's tables in bytes.
    u32 room;
};

// State of a chain. The host reads the first four fields and `stage`; the others belong to an interrupted step.
struct Record {
    u64 cost, best_cost, evaluations, step, trial_cost, before;
    u32 stage, number, length, draws;
};

// Values that warps exchange.
struct Slots {
    u64 numbers[MOST_WARPS];
    u64 costs[MOST_WARPS];
    u32 positions[MOST_WARPS];
};

// Permutations of a chain: the trial (removed jobs stand behind its length, the first one last), the order of the round, and the position of each
// job in the trial.
struct Orders {
    u16 *trial, *round, *places;
};

// Minimum over a block; every thread gets it.
__device__ __forceinline__ u64 block_minimum(u64 value, u64* slots) {
    value = group_minimum<32>(value);
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = value;
    __syncthreads();
    value = slots[0];
    for (u32 warp = 1; warp < blockDim.x / 32; ++warp) value = min(value, slots[warp]);
    __syncthreads();
    return value;
}

// Moves the job at position `from` to `to`, with the whole block.
__device__ void move_job(u16* order, u32 from, u32 to) {
    const u16 job = order[from];
    __syncthreads();
    if (from < to) {
        for (u32 base = from; base < to; base += blockDim.x) {
            const u32 at = base + threadIdx.x;
            const u16 next = at < to ? order[at + 1] : 0;
            __syncthreads();
            if (at < to) order[at] = next;
            __syncthreads();
        }
    } else {
        for (u32 base = from; base > to;) {
            const u32 count = min(blockDim.x, base - to), at = base - threadIdx.x;
            const u16 next = threadIdx.x < count ? order[at - 1] : 0;
            __syncthreads();
            if (threadIdx.x < count) order[at] = next;
            __syncthreads();
            base -= count;
        }
    }
    if (threadIdx.x == 0) order[to] = job;
    __syncthreads();
}

// Loads K numbers of a row, which begins at a multiple of 8 bytes.
template <u32 K>
__device__ __forceinline__ void load_row(const u16* row, u32 (&values)[K]) {
    const u64* const words = (const u64*)row;
#pragma unroll
    for (u32 word = 0; word < (K + 3) / 4; ++word) {
        const u64 four = words[word];
        const u32 low = (u32)four, high = (u32)(four >> 32);
        values[4 * word] = low & 0xffff;
        if (4 * word + 1 < K) values[4 * word + 1] = low >> 16;
        if (4 * word + 2 < K) values[4 * word + 2] = high & 0xffff;
        if (4 * word + 3 < K) values[4 * word + 3] = high >> 16;
    }
}

template <u32 K>
__device__ __forceinline__ void load_row(const u32* row, u32 (&values)[K]) {
    const u64* const words = (const u64*)row;
#pragma unroll
    for (u32 word = 0; word < (K + 1) / 2; ++word) {
        const u64 two = words[word];
        values[2 * word] = (u32)two;
        if (2 * word + 1 < K) values[2 * word + 1] = (u32)(two >> 32);
    }
}
