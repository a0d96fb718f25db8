// Insertion for objectives without Taillard's acceleration: the rest of the permutation is computed for every position.
#pragma once

#include "greedy.cuh"

// Any objective: a warp evaluates 32 neighbouring positions, one per lane.
//
// Row b of `heads` holds the completion times of the first 32·b jobs on each machine, `sums` their cost. Before their own positions and behind the last
// one all lanes append the same jobs, so they read the same times.
template <u32 K>
struct Direct {
    static constexpr u32 R = (K + 3) / 4 * 4;
    static constexpr u32 C = (K + 31) / 32;

    const u32* times;
    const u32 *releases, *dues;
    u32 *heads, *scratch;
    u64* sums;
    u64 tardy, found;
    u32 jobs, found_place;
    bool makespan, released;
    Orders orders;
    Slots* slots;

    __device__ __forceinline__ Direct(
        const u32* all_times, u8* room, bool shared, const Settings& settings, const u32* all_releases, const u32* all_dues,
        Slots* block_slots)
        : times(all_times), releases(all_releases), dues(all_dues), tardy(settings.tardy), found(0), jobs(settings.jobs),
          found_place(0), makespan(settings.makespan != 0), released(settings.released != 0), slots(block_slots) {
        const u32 n = jobs, rows = n / 32 + 1;
        if (shared) {
            u32* const own = (u32*)room;
            for (u32 word = threadIdx.x; word < n * R; word += blockDim.x) own[word] = all_times[word];
            times = own;
            room += n * R * 4;
        }
        heads = (u32*)room;
        sums = (u64*)(heads + rows * R);
        scratch = (u32*)(sums + rows) + threadIdx.x / 32 * (R + 2);
        u16* const words = (u16*)((u32*)(sums + rows) + blockDim.x / 32 * (R + 2));
        orders = {words, words + n, words + 2 * n};
        __syncthreads();
    }

    // Returns the cost after a further job with completion time `done`.
    __device__ __forceinline__ u64 with(u64 cost, u32 done, u32 due) const {
        if (makespan) return done;
        const u32 late = done > due ? done - due : 0;
        return cost + late + (late > 0 ? tardy : 0);
    }

    // Computes the rows behind row `block` for the first `length` jobs with the first warp; every thread gets their cost.
    __device__ u64 prepare_from(u32 block, u32 length) {
        constexpr u32 LAST = (K - 1) / C;
        if (threadIdx.x < 32) {
            const u32 lane = threadIdx.x, from = block * 32, count = length - from;
            u32 ends[C];
#pragma unroll
            for (u32 q = 0; q < C; ++q) ends[q] = lane * C + q < K ? heads[block * R + lane * C + q] : 0;
            u64 cost = sums[block];
            u32 passed = 0;
            for (u32 step = 0; step < count + LAST; ++step) {
                const u32 received = __shfl_up_sync(FULL_WARP, passed, 1);
                const u32 number = step - lane;
                if (number < count && lane <= LAST) {
                    const u32 position = from + number, job = orders.trial[position], row = (position + 1) / 32;
                    u32 ready = received;
                    if (lane == 0) ready = released ? __ldg(&releases[job]) : 0;
                    const bool keeps = (position + 1) % 32 == 0;
#pragma unroll
                    for (u32 q = 0; q < C; ++q) {
                        if (lane * C + q < K) {
                            ready = max(ready, ends[q]) + times[job * R + lane * C + q];
                            ends[q] = ready;
                            if (keeps) heads[row * R + lane * C + q] = ready;
                        }
                    }
                    passed = ready;
                    if (lane == LAST) {
                        cost = with(cost, ready, __ldg(&dues[job]));
                        if (keeps) sums[row] = cost;
                    }
                }
            }
            if (lane == LAST) slots->costs[0] = cost;
        }
        __syncthreads();
        const u64 cost = slots->costs[0];
        __syncthreads();
        return cost;
    }

    __device__ u64 prepare(u32 length) {
        for (u32 q = threadIdx.x; q < R; q += blockDim.x) heads[q] = 0;
        if (threadIdx.x == 0) sums[0] = 0;
        __syncthreads();
        return prepare_from(0, length);
    }

    // Appends a job.
    __device__ __forceinline__ void follow(u32 job, u32 (&ends)[K], u64& cost) const {
        u32 time[K];
        load_row<K>(times + job * R, time);
        u32 ready = released ? __ldg(&releases[job]) : 0;
#pragma unroll
        for (u32 machine = 0; machine < K; ++machine) {
            ready = max(ready, ends[machine]) + time[machine];
            ends[machine] = ready;
        }
        cost = with(cost, ready, __ldg(&dues[job]));
    }

    // Returns the smallest cost with `job` inserted into the permutation without position x, which has `rest` jobs; with one warp, which evaluates every
    // `stride`-th block of 32 positions from block `first` on. `position` is the first position with this cost.
    //
    // Heads behind x are not in the table: the last lane keeps its completion times before the insertion for the next 32 positions.
    __device__ u64 cheapest(u32 job, u32 x, u32 rest, u32 first, u32 stride, u32& position) {
        const u32 lane = threadIdx.x % 32;
        const u16* const trial = orders.trial;
        u64 best = NOTHING;
        u32 best_place = 0;
        for (u32 block = first; block * 32 <= rest; block += stride) {
            const u32 begin = block * 32;
            u32 ends[K];
            u64 cost;
            if (begin <= x) {
                load_row<K>(heads + block * R, ends);
                cost = sums[block];
            } else {
                load_row<K>(scratch, ends);
                cost = *(const u64*)(scratch + R);
                // The job before position `begin`.
                follow(trial[begin - 1 + (begin - 1 >= x)], ends, cost);
            }
            const bool hands_on = begin + 32 <= rest && begin + 32 > x;
            __syncwarp();
            for (u32 number = 0; begin + number <= rest; ++number) {
                if (number == 31 && lane == 31 && hands_on) {
#pragma unroll
                    for (u32 machine = 0; machine < K; ++machine) scratch[machine] = ends[machine];
                    *(u64*)(scratch + R) = cost;
                }
                // Jobs behind the inserted one are shifted by one position.
                const u32 place = begin + number - (number > lane);
                u32 next = job;
                if (number != lane && place < rest) next = trial[place + (place >= x)];
                follow(next, ends, cost);
            }
            if (begin + lane <= rest && cost < best) best = cost, best_place = begin + lane;
            __syncwarp();
        }
        const u64 least = group_minimum<32>(best);
        position = group_minimum<32>(best == least ? best_place : ~0u);
        return least;
    }

    // Evaluates the jobs of the round from `number` on in parallel, a warp each. Returns true if one has a better position; record.number − 1 is then
    // the first of these. In the construction all warps share the positions of the job to be inserted.
    __device__ __forceinline__ bool search(Record& record, bool constructs) {
        const u32 length = record.length, warp = threadIdx.x / 32, warps = blockDim.x / 32;
        const u32 mine = constructs ? warp : record.number + warp;
        u64 cost = NOTHING;
        u32 place = 0;
        if (constructs || mine < length) {
            const u32 job = constructs ? orders.trial[jobs - 1] : orders.round[mine];
            const u32 x = constructs ? length : orders.places[job], rest = constructs ? length : length - 1;
            cost = cheapest(job, x, rest, constructs ? warp : 0, constructs ? warps : 1, place);
        }
        if (threadIdx.x % 32 == 0) slots->costs[warp] = cost, slots->positions[warp] = place;
        if (constructs) {
            found = block_minimum(cost, slots->numbers);
            found_place = (u32)block_minimum(cost == found ? place : NOTHING, slots->numbers);
            return true;
        }
        const u64 first = block_minimum(cost < record.trial_cost ? mine : NOTHING, slots->numbers);
        if (first != NOTHING) {
            const u32 winner = (u32)first - record.number;
            found = slots->costs[winner];
            found_place = slots->positions[winner];
        }
        record.number = first == NOTHING ? min(record.number + warps, length) : (u32)first + 1;
        return first != NOTHING;
    }

    // Inserts the job at trial[from], which was at position x, at the position that the last search has found; returns the cost of the trial.
    __device__ __forceinline__ u64 insert(u32 from, u32 x, u32 rest, bool) {
        move_job(orders.trial, from, found_place);
        prepare_from(min(x, found_place) / 32, rest + 1);
        return found;
    }

    __device__ u32 effort(u32 length) const { return length * (length / 64 + 1); }
};
