// Choice of the best neighbour for tabu search.
#pragma once

#include "front.cuh"

// Neighbour with its weighted sum; the number is NONE if there is none.
struct Choice {
    u64 sum;
    u32 number, values[4];

    __device__ __forceinline__ void clear() {
        sum = ~0ull;
        number = NONE;
        values[0] = values[1] = values[2] = values[3] = 0;
    }

    __device__ __forceinline__ void read(const u32* from) {
        sum = from[0] | (u64)from[1] << 32;
        number = from[2];
        for (u32 k = 0; k < 4; ++k) values[k] = from[3 + k];
    }

    // Writes the smallest sum of the lanes of a warp, of equal ones the smallest number.
    __device__ __forceinline__ void least(u32* to) const {
        const u64 lowest = group_minimum<32>(sum);
        const u32 first = group_minimum<32>(sum == lowest ? number : NONE);
        // If no lane has a neighbour, all hold the same.
        if (threadIdx.x % 32 != first_of_group<32>(sum == lowest && number == first)) return;
        to[0] = (u32)sum;
        to[1] = (u32)(sum >> 32);
        to[2] = number;
        for (u32 k = 0; k < 4; ++k) to[3 + k] = values[k];
        to[7] = 0;
    }
};

// Writes the best admissible neighbour of a block, and the best of all.
ONCE void choose_block(const Task& task, const u32* member, const Neighbours& found, u32* choices) {
    const u32 warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const u32* const order = member + HEADER;
    const u64 best = member[8] | (u64)member[9] << 32;
    Choice chosen[2];
    chosen[0].clear();
    chosen[1].clear();
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!found.there[half]) continue;
        u64 sum = 0;
        for (u32 k = 0; k < 4; ++k) sum += (member[2 * k] | (u64)member[2 * k + 1] << 32) * found.values[half][k];
        const bool stays = ((order[found.moved[half][0]] | order[found.moved[half][1]]) & STAYS) != 0;
        const bool allowed = !stays || (task.aspiration != 0 && sum < best);
        const u32 number = found.number[half];
#pragma unroll
        for (u32 kind = 0; kind < 2; ++kind) {
            Choice& now = chosen[kind];
            if (kind == 0 && !allowed) continue;
            if (now.number == NONE || sum < now.sum || (sum == now.sum && number < now.number)) {
                now.sum = sum;
                now.number = number;
                for (u32 k = 0; k < 4; ++k) now.values[k] = found.values[half][k];
            }
        }
    }
    // The shared memory of the rows is used again.
    __syncthreads();
#pragma unroll
    for (u32 kind = 0; kind < 2; ++kind) chosen[kind].least(shared_memory + (kind * warps + warp) * CHOICE);
    __syncthreads();
    if (warp > 1) return;
    // One warp per kind; a block of one warp computes both.
    const u64 segment = (u64)blockIdx.y * task.segments + task.first + blockIdx.x;
    for (u32 kind = warp; kind < 2; kind += warps) {
        Choice here;
        here.clear();
        if (lane < warps) here.read(shared_memory + (kind * warps + lane) * CHOICE);
        here.least(choices + (segment * 2 + kind) * CHOICE);
    }
}
