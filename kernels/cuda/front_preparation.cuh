// Preparation of an exploration: rows by position, completion times of all prefixes, and the archive points near each member.
#pragma once

#include "front.cuh"

// Number of positions whose words are loaded in advance.
#define AHEAD 8u

// Job at a position as a lane needs it: its time on the lane's machine, release date and due date.
struct Entry {
    u32 time, release, due;
};

// Computes completion times and sums of every prefix with one warp: machine i computes position k in step i + k, 32 machines at a time.
template <class T>
__device__ __forceinline__ void prefixes(
    const Task& task, const u32* order, const u32* times, typename T::Word* heads, u32* sums) {
    const u32 n = task.jobs, lane = threadIdx.x % 32;
    for (u32 least = 0; least < task.machines; least += 32) {
        const u32 machine = least + lane;
        const bool there = machine < task.machines;
        const auto entry = [&](u32 k) {
            Entry found = {0, 0, 0};
            if (there && k < n) {
                const u32* const row = times + (u64)(order[k] & ~STAYS) * task.width;
                found = {row[2 + machine], row[0], row[1]};
            }
            return found;
        };
        Entry next[AHEAD];
#pragma unroll
        for (u32 u = 0; u < AHEAD; ++u) next[u] = entry(u - lane);
        u32 done = 0, flow = 0, late = 0, tardy = 0;
        for (u32 step = 0; step < n + 31; step += AHEAD) {
            Entry now[AHEAD];
#pragma unroll
            for (u32 u = 0; u < AHEAD; ++u) {
                now[u] = next[u];
                next[u] = entry(step + AHEAD + u - lane);
            }
#pragma unroll
            for (u32 u = 0; u < AHEAD; ++u) {
                u32 ready = __shfl_up_sync(FULL_WARP, done, 1);
                // For lanes that have not begun the position wraps around to a large number.
                const u32 k = step + u - lane;
                if (!there || k >= n) continue;
                heads[(u64)k * task.machines + machine] = T::of(done, done);
                if (machine + 1 == task.machines) {
                    sums[k * 4] = flow;
                    sums[k * 4 + 1] = late;
                    sums[k * 4 + 2] = tardy;
                    sums[k * 4 + 3] = 0;
                }
                // The longest prefix leaves out the last job.
                if (k + 1 >= n) continue;
                if (lane == 0) ready = least == 0 ? now[u].release : T::low(heads[(u64)(k + 1) * task.machines + least - 1]);
                done = max(ready, done) + now[u].time;
                flow += done;
                late += max(done, now[u].due) - now[u].due;
                tardy += done > now[u].due;
            }
        }
        // The first lane reads what the last one has written.
        __syncwarp();
    }
}

// Number of warps of a block of `prepare`.
#define SETTERS 8u

// Largest relative excess of an archive point over a member's point among the objectives. A small excess means that the point is likely to cover many
// neighbours of the member. Only the choice of points depends on it, not the result, so floating point is harmless.
__device__ __forceinline__ float excess(const u32* point, const u32* of) {
    float most = -1.0f;
#pragma unroll
    for (u32 axis = 0; axis < 4; ++axis) most = max(most, ((float)point[axis] - (float)of[axis]) / ((float)of[axis] + 1.0f));
    return most;
}

// Points of the archive. The last block may not have copied the new ones yet, so they are read from the input.
struct Archived {
    const u32 *points, *news;
    u32 old;

    __device__ __forceinline__ const u32* at(u32 number) const {
        return number < old ? points + (u64)number * 4 : news + (u64)(number - old) * 4;
    }
};

// Finds archive points near a member with all warps but the first: each thread keeps the nearest of its points.
__device__ __forceinline__ void look_around(
    const Task& task, const u32* own, const Archived& archived, float* distances, u32* found) {
    const u32 of[4] = {own[0], own[1], own[2], own[3]};
    float least = 1e30f;
    u32 best = NONE;
    for (u32 number = threadIdx.x - 32; number < task.known; number += (SETTERS - 1) * 32) {
        const float distance = excess(archived.at(number), of);
        if (distance < least) {
            least = distance;
            best = number;
        }
    }
    distances[threadIdx.x - 32] = least;
    found[threadIdx.x - 32] = best;
}

// Prepares a member per block: rows of all positions, mixed rows, prefixes, the nearest archive points, and an empty list of candidates. One more
// block copies the new archive points.
template <class T>
__device__ __forceinline__ void set_out(
    const Task& task, const u32* times, const u32* input, typename T::Word* rows, typename T::Word* heads, u32* sums,
    u32* points, u32* nearest, u32* counts, u32* out) {
    const u32 n = task.jobs, width = task.width;
    const u64 member = blockIdx.x;
    const u32* const news = input + (u64)(gridDim.x - 1) * (HEADER + n);
    if (member + 1 == gridDim.x) {
        u32* const to = points + (u64)(task.known - task.news) * 4;
        for (u32 word = threadIdx.x; word < task.news * 4; word += blockDim.x) to[word] = news[word];
        if (threadIdx.x == 0) out[0] = 0;
        return;
    }
    __shared__ float distances[(SETTERS - 1) * 32];
    __shared__ u32 found[(SETTERS - 1) * 32];
    const Archived archived = {points, news, task.known - task.news};
    u32* const order = shared_memory;
    const u32* const own = input + member * (HEADER + n);
    for (u32 k = threadIdx.x; k < n; k += blockDim.x) order[k] = own[HEADER + k];
    if (threadIdx.x == 0) counts[member] = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        prefixes<T>(task, order, times, heads + member * n * task.machines, sums + member * n * 4);
    } else {
        typename T::Word* const to = rows + member * 2 * n * width;
#pragma unroll 4
        for (u32 at = threadIdx.x - 32; at < n * width; at += blockDim.x - 32) {
            const u32 k = at / width, word = at % width;
            const auto of = [&](u32 position) { return times[(u64)(order[position] & ~STAYS) * width + word]; };
            const u32 here = of(k);
            to[at] = T::of(here, here);
            to[(u64)n * width + at] = T::of(of(k > 0 ? k - 1 : 0), of(min(k + 1, n - 1)));
        }
        if (task.mode == SIFTED) look_around(task, own, archived, distances, found);
    }
    if (task.mode != SIFTED) return;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    u32 best = threadIdx.x;
    for (u32 other = best + 32; other < (SETTERS - 1) * 32; other += 32) {
        if (distances[other] < distances[best]) best = other;
    }
    // If there is none, a point that covers nothing.
    Quad point = {NONE, NONE, NONE, NONE};
    if (found[best] != NONE) {
        const u32* const at = archived.at(found[best]);
        point = {at[0], at[1], at[2], at[3]};
    }
    ((Quad*)nearest)[member * NEAREST + threadIdx.x] = point;
}
