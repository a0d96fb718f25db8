// Filter of neighbours for Pareto local search: first within a block, then (`sift`) against the whole archive and all other candidates.
#pragma once

#include "front.cuh"

// Number of set bits before this thread's in the words of a block: `masks` holds a word per 32 threads, and this thread's word is `own`.
__device__ __forceinline__ u32 rank(const u32* masks, u32 own, u32 lane) {
    u32 before = __popc(masks[own] & ((1u << lane) - 1));
    for (u32 word = 0; word < own; ++word) before += __popc(masks[word]);
    return before;
}

// Appends to the member's list the neighbours that are covered neither by the member, nor by its nearest archive points, nor by another neighbour of
// the block. Blocks append in any order; the host sorts the final result by number.
//
// Shared memory: the nearest points; a word per 32 neighbours; a flag and a candidate per neighbour.
ONCE void sift_block(
    const Task& task, const u32* member, const u32* nearest, const Neighbours& found, u32* candidates, u32* counts) {
    const u32 warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, words = 2 * warps;
    Quad* const near = (Quad*)shared_memory;
    u32 *const masks = shared_memory + 4 * NEAREST, *const kept = masks + words, *const all = kept + 2 * blockDim.x;
    const u32 current[4] = {member[0], member[1], member[2], member[3]};
    bool enters[2];
    // The shared memory of the rows is used again.
    __syncthreads();
    for (u32 one = threadIdx.x; one < NEAREST; one += blockDim.x) near[one] = ((const Quad*)nearest)[one];
    __syncthreads();
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32* const point = found.point[half];
        const bool admitted = task.dominating != 0 ? covers(point, current) && !equal(point, current) : !covers(current, point);
        enters[half] = found.there[half] && admitted;
    }
    // Most neighbours are covered here, while they are still in registers.
    for (u32 first = 0; first < NEAREST && __any_sync(FULL_WARP, enters[0] || enters[1]); first += 8) {
#pragma unroll
        for (u32 one = 0; one < 8; ++one) {
            const Quad by = near[first + one];
            enters[0] = enters[0] && !covers(by.word, found.point[0]);
            enters[1] = enters[1] && !covers(by.word, found.point[1]);
        }
    }
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 mask = __ballot_sync(FULL_WARP, enters[half]);
        if (lane == 0) masks[half * warps + warp] = mask;
    }
    __syncthreads();
    u32 total = 0;
    for (u32 word = 0; word < words; ++word) total += __popc(masks[word]);
    // `total` is equal in all threads.
    if (total == 0) return;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!enters[half]) continue;
        u32* const at = all + rank(masks, half * warps + warp, lane) * CANDIDATE;
#pragma unroll
        for (u32 axis = 0; axis < 4; ++axis) at[axis] = found.point[half][axis];
        at[4] = found.number[half];
    }
    __syncthreads();
    for (u32 one = warp; one < total; one += warps) {
        const u32* const own = all + one * CANDIDATE;
        bool covered = false;
        for (u32 other = lane; other < total; other += 32) {
            const u32* const by = all + other * CANDIDATE;
            // Of equal points the one with the smallest number stays.
            covered |= covers(by, own) && (by[4] < own[4] || !equal(by, own));
        }
        covered = __any_sync(FULL_WARP, covered);
        if (lane == 0) kept[one] = !covered;
    }
    __syncthreads();
    bool stays[2];
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 one = half * blockDim.x + threadIdx.x;
        stays[half] = one < total && kept[one] != 0;
        const u32 mask = __ballot_sync(FULL_WARP, stays[half]);
        if (lane == 0) masks[half * warps + warp] = mask;
    }
    __shared__ u32 begin;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 count = 0;
        for (u32 word = 0; word < words; ++word) count += __popc(masks[word]);
        begin = atomicAdd(counts + blockIdx.y, count);
    }
    __syncthreads();
    u32* const points = candidates + (u64)blockIdx.y * task.room * CANDIDATE;
    u32* const numbers = points + (u64)task.room * 4;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!stays[half]) continue;
        const u32* const own = all + (half * blockDim.x + threadIdx.x) * CANDIDATE;
        const u32 to = begin + rank(masks, half * warps + warp, lane);
        ((Quad*)points)[to] = {own[0], own[1], own[2], own[3]};
        numbers[to] = own[4];
    }
}

// Number of warps of a block of `sift`, and of points that a lane reads between two votes.
#define SIFTERS 8u
#define AT_ONCE 4u

// Returns true if one of `count` points covers a candidate; the lanes of a warp share the points. If `numbers` is given, the points are candidates,
// and of equal ones the one with the smallest number stays.
__device__ __forceinline__ bool falls(const Quad* points, const u32* numbers, u32 count, const Quad& own, u32 number) {
    const u32 lane = threadIdx.x % 32;
    for (u32 first = 0; first < count; first += 32 * AT_ONCE) {
        bool covered = false;
#pragma unroll
        for (u32 one = 0; one < AT_ONCE; ++one) {
            const u32 other = first + one * 32 + lane;
            if (other >= count) continue;
            const Quad by = points[other];
            covered |= covers(by.word, own.word) && (numbers == nullptr || numbers[other] < number || !equal(by.word, own.word));
        }
        if (__any_sync(FULL_WARP, covered)) return true;
    }
    return false;
}
