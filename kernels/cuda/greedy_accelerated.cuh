// Insertion with Taillard's acceleration: heads and tails of the partial permutation give the makespan of every position in O(m).
#pragma once

#include "greedy.cuh"

// Makespans with times of type T and K machines; padding machines have processing time 0.
//
// Tables with rows of R numbers: row k of `heads` holds the completion times of the first k jobs on the machines K−1, K−2, …, 0; row k of `tails` the
// times from the start of position k to the end, on the machines 0, 1, …, K−1. The reversed permutation on reversed machines exchanges heads and
// tails, so the same code computes both, with the times `times + back` for the tails.
//
// Without the job at position x, position k has row k of the heads and row k + (k ≥ x) of the tails of the whole permutation.
template <u32 K, typename T>
struct Accelerated {
    static constexpr u32 R = (K + 3) / 4 * 4;
    // Machines per lane in `wave`.
    static constexpr u32 C = (K + 31) / 32;

    const T* times;
    T* tables;
    u32 back, tails, machines, jobs;
    Orders orders;
    Slots* slots;

    __device__ __forceinline__ Accelerated(
        const T* all_times, u8* room, bool shared, const Settings& settings, const u32*, const u32*, Slots* block_slots)
        : machines(settings.machines), jobs(settings.jobs), slots(block_slots) {
        const u32 n = jobs;
        back = n * R;
        tails = (n + 1) * R;
        times = all_times;
        if (shared) {
            T* const own = (T*)room;
            // The number of table bytes is a multiple of 4.
            const u32 count = 2 * n * R / (4 / sizeof(T));
            for (u32 word = threadIdx.x; word < count; word += blockDim.x) ((u32*)own)[word] = ((const u32*)all_times)[word];
            times = own;
            room += 2 * n * R * sizeof(T);
        }
        tables = (T*)room;
        u16* const words = (u16*)(tables + 2 * (n + 1) * R);
        orders = {words, words + n, words + 2 * n};
        __syncthreads();
    }

    // Computes the rows `to`, `to` + `by`, … of a table for the `count` jobs trial[at], trial[at + by], …, which follow row `from`; `by` is 1 or −1.
    //
    // With one warp: every lane has C machines and is one job behind the lane before it.
    __device__ __forceinline__ void wave(const T* rows, T* table, u32 count, u32 at, u32 from, u32 to, u32 by) {
        constexpr u32 LAST = (K - 1) / C;
        const u32 lane = threadIdx.x % 32;
        const u16* const trial = orders.trial;
        u32 ends[C], next[C];
#pragma unroll
        for (u32 q = 0; q < C; ++q) {
            const u32 machine = lane * C + q;
            ends[q] = machine < K ? table[from * R + K - 1 - machine] : 0;
            next[q] = machine < K && lane == 0 && count > 0 ? rows[trial[at] * R + machine] : 0;
        }
        u32 passed = 0;
        for (u32 step = 0; step < count + LAST; ++step) {
            const u32 received = __shfl_up_sync(FULL_WARP, passed, 1);
            u32 time[C];
#pragma unroll
            for (u32 q = 0; q < C; ++q) time[q] = next[q];
            // For lanes that have not begun the number wraps around to a large one. The times of the next job are loaded in advance.
            const u32 number = step - lane, coming = number + 1;
            if (coming < count && lane <= LAST) {
                const u32 row = trial[at + by * coming] * R;
#pragma unroll
                for (u32 q = 0; q < C; ++q) {
                    if (lane * C + q < K) next[q] = rows[row + lane * C + q];
                }
            }
            if (number < count && lane <= LAST) {
                u32 ready = lane == 0 ? 0 : received;
                const u32 row = (to + by * number) * R + K - 1;
#pragma unroll
                for (u32 q = 0; q < C; ++q) {
                    if (lane * C + q < K) {
                        ready = max(ready, ends[q]) + time[q];
                        ends[q] = ready;
                        table[row - lane * C - q] = (T)ready;
                    }
                }
                passed = ready;
            }
        }
    }

    // Computes heads and tails in parallel: rows from `heads_to` on for `heads_count` jobs from trial[heads_at] on, and rows `tails_count` − 1 down to 0
    // for the jobs at these positions, which precede row `tails_from`.
    __device__ __forceinline__ void waves(u32 heads_count, u32 heads_at, u32 heads_to, u32 tails_count, u32 tails_from) {
        for (u32 side = threadIdx.x / 32; side < 2; side += blockDim.x / 32) {
            const bool of_tails = side == 1;
            const u32 last = tails_count - 1;
            wave(times + (of_tails ? back : 0), tables + (of_tails ? tails : 0), of_tails ? tails_count : heads_count,
                 of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);
        }
        __syncthreads();
    }

    // Computes all tables for the first `length` jobs of the trial and returns their makespan.
    __device__ u64 prepare(u32 length) {
        for (u32 q = threadIdx.x; q < R; q += blockDim.x) {
            tables[q] = 0;
            tables[tails + length * R + q] = 0;
        }
        __syncthreads();
        waves(length, 0, 1, length, length);
        return tables[length * R];
    }

    // Returns the smallest makespan with the job of position x at another position; the maximum if there is none.
    __device__ u32 elsewhere(u32 x, u32 length) {
        const u16* const trial = orders.trial;
        const u32 ahead = length - 1 - x, job = trial[x] * R;
        u32 ends[K], own[K], best = ~0u;
        // Behind x the heads change and the tails stay; the job is inserted behind the job at `place`.
        load_row<K>(times + job, own);
#pragma unroll
        for (u32 machine = 0; machine < K; ++machine) ends[machine] = tables[x * R + K - 1 - machine];
        u32 place = ahead > 0 ? x + 1 : x - 1, by = 1, rows = 0, others = tails + R;
        u32 coming = trial[min(place, length - 1)];
        for (u32 column = 0; column + 1 < length; ++column) {
            if (column == ahead) {
                // Before x the tails change and the heads stay; the job is inserted before the job at `place`.
                load_row<K>(times + back + job, own);
#pragma unroll
                for (u32 machine = 0; machine < K; ++machine) ends[machine] = tables[tails + (x + 1) * R + K - 1 - machine];
                by = ~0u, rows = back, others = 0;
            }
            u32 time[K], beyond[K];
            load_row<K>(times + rows + coming * R, time);
            load_row<K>(tables + others + place * R, beyond);
            place = column + 1 == ahead ? x - 1 : place + by;
            coming = trial[min(place, length - 1)];
            u32 ready = 0, done = 0, longest = 0;
#pragma unroll
            for (u32 machine = 0; machine < K; ++machine) {
                ready = max(ready, ends[machine]) + time[machine];
                ends[machine] = ready;
                done = max(done, ready) + own[machine];
                longest = max(longest, done + beyond[machine]);
            }
            best = min(best, longest);
        }
        return best;
    }

    // Evaluates the jobs of the round from `number` on in parallel, a lane each. Returns true if one has a better position; record.number − 1 is then
    // the first of these.
    __device__ __forceinline__ bool search(Record& record, bool constructs) {
        // In the construction `insert` finds the position itself.
        if (constructs) return true;
        const u32 length = record.length, mine = record.number + threadIdx.x;
        const u32 first_of_warp = record.number + threadIdx.x / 32 * 32;
        bool better = false;
        if (first_of_warp < length) {
            // Lanes without a job repeat the work of the first one.
            const u32 x = orders.places[orders.round[mine < length ? mine : first_of_warp]];
            better = elsewhere(x, length) < record.trial_cost && mine < length;
        }
        const u64 first = block_minimum(better ? mine : NOTHING, slots->numbers);
        record.number = first == NOTHING ? min(record.number + blockDim.x, length) : (u32)first + 1;
        return first != NOTHING;
    }

    // Returns the makespan with a job at a position, and writes idle time and position as a key; as `makespans` and `idle_time` of `insertion.rs`.
    __device__ u32 cost_at(u32 job, u32 x, u32 rest, u32 place, u64* key) const {
        const bool behind = place >= x, last = place == rest;
        const T* const head = tables + place * R + K - 1;
        const T* const tail = tables + tails + (place + behind) * R;
        const T* const own = times + job * R;
        const T* const next = times + (last ? job : orders.trial[place + behind]) * R;
        u32 done = 0, follower = 0, longest = 0;
        long long idle = 0;
        for (u32 machine = 0; machine < machines; ++machine) {
            const u32 before = *(head - machine), time = own[machine];
            if (machine > 0 && last && done > before) idle += done - before;
            done = max(done, before) + time;
            longest = max(longest, done + tail[machine]);
            if (!last) {
                const u32 other = next[machine];
                if (machine > 0) {
                    idle += (long long)done - *(head + R - machine) + other - time;
                    if (follower > done) idle += follower - done;
                }
                follower = max(follower, done) + other;
            }
        }
        *key = (u64)(idle + IDLE_ZERO) << 16 | place;
        return longest;
    }

    // Inserts the job at trial[from] at the position with the smallest makespan, then the smallest idle time, then the lowest number; returns the
    // makespan. If `there`, the tables contain the job at position x; otherwise they are those of `rest` = x jobs without it.
    __device__ __forceinline__ u64 insert(u32 from, u32 x, u32 rest, bool there) {
        if (!there) {
            for (u32 q = threadIdx.x; q < R; q += blockDim.x) tables[tails + (rest + 1) * R + q] = 0;
            __syncthreads();
        }
        u32 least = 0, place = 0;
        // The tables without the job (pass 0), then with the job at its position (pass 1).
        for (u32 pass = there ? 0 : 1; pass < 2; ++pass) {
            if (pass == 1) {
                const u32 job = orders.trial[from];
                u32 cost = ~0u;
                u64 key = NOTHING;
                for (u32 at = threadIdx.x; at <= rest; at += blockDim.x) {
                    u64 key_here = 0;
                    const u32 here = cost_at(job, x, rest, at, &key_here);
                    if (here < cost || (here == cost && key_here < key)) cost = here, key = key_here;
                }
                least = (u32)block_minimum(cost, slots->numbers);
                place = (u32)block_minimum(cost == least ? key : NOTHING, slots->numbers) & 0xffff;
                move_job(orders.trial, from, place);
            }
            // Tails change before position x, or up to the later of the two positions; rows behind it stay.
            const u32 first = pass == 0 ? x : place, behind = max(first, x) + 1;
            waves(rest + pass - first, first + 1 - pass, first + 1, behind - 1 + pass, behind);
        }
        return least;
    }

    // Units of work of a search or an insertion.
    __device__ u32 effort(u32 length) const { return length + 64; }
};
