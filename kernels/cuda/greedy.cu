// Iterated greedy for permutation flow shops: a block walks a chain, whole steps of `greedy/chain.rs` in one launch.
//
// A chain works until its last step is done or its share of work is used up; then everything that it needs to go on lies in global memory,
// so that no launch takes long. Which launch does what therefore does not matter. What every thread of a block needs to know (costs, lengths,
// the stage of the step) every thread keeps for itself, equal in all.
//
// `Accelerated` evaluates the makespan by Taillard's acceleration, `Direct` computes orders on from the inserted job, for the other objectives and
// where jobs are released late. Both look at the next jobs of a round side by side and take the first that has a better place: what comes behind it
// was looked at in vain, and counts for nothing.
#include "philox.cuh"
#include "reduce.cuh"

typedef unsigned short u16;

// Purposes of random words.
#define REMOVED 0x40u
#define ROUND 0x41u
#define ACCEPTED 0x42u

#define MOST_WARPS 8
#define NOTHING 0xffffffffffffffffull
// Idle times of places are numbers above −2^46, so that they sort with this added.
#define IDLE_ZERO (1ll << 46)

extern __shared__ __align__(16) u32 shared_memory[];

// Where a chain stands within a step.
enum Stage : u32 { BEGIN, PARTIAL_ROUND, PARTIAL_SEARCH, CONSTRUCTION, WHOLE_ROUND, WHOLE_SEARCH, ACCEPTANCE };

struct Settings {
    // The first step that is not done.
    u64 until;
    // What a tardy job costs beside its tardiness.
    u64 tardy;
    Key key;
    u32 jobs, machines, removed, partial, temperature;
    // Units of work after which a chain pauses.
    u32 work;
    // The first chain of the launch.
    u32 first;
    // Whether the cost is the makespan, and whether jobs are released late.
    u32 makespan, released;
    // Bytes of a chain's room in global memory.
    u32 room;
};

// A chain. The first four words are for the host, the others say where a pause interrupted a step.
struct Record {
    u64 cost, best_cost, evaluations, step, trial_cost, before;
    u32 stage, number, length, draws;
};

// What warps tell each other.
struct Slots {
    u64 numbers[MOST_WARPS];
    u64 costs[MOST_WARPS];
    u32 positions[MOST_WARPS];
};

// Orders of a chain: the present trial (removed jobs stand behind its length, the first of them last), the round, and where jobs stand.
struct Orders {
    u16 *trial, *round, *places;
};

// The minimum over a block; every thread gets it.
__device__ __forceinline__ u64 block_minimum(u64 value, u64* slots) {
    value = group_minimum<32>(value);
    if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = value;
    __syncthreads();
    value = slots[0];
    for (u32 warp = 1; warp < blockDim.x / 32; ++warp) value = min(value, slots[warp]);
    __syncthreads();
    return value;
}

// Moves the job at `from` to `to`; those between move up.
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

// K numbers of a row, which begins at a multiple of 8 bytes.
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

// The makespan, with all times in numbers of type T and room for K machines; those beyond the last take no time.
//
// Tables, each row of R numbers: `heads` row k, when the first k jobs are done on machine K−1, K−2, …, 0; `tails` row k, what follows
// from the start of position k on, on machine 0, 1, …, K−1. Read backwards, an order on machines in reverse has heads for tails and tails for
// heads: so what is said of the heads below is computed for the tails by the same code, with the times of `times + back`.
//
// While the job of place x is out, heads of rows up to x are those of the whole order, and tails behind it are one row later:
// place k of the order without it has heads row k and tails row k + (k ≥ x).
template <u32 K, typename T>
struct Accelerated {
    static constexpr u32 R = (K + 3) / 4 * 4;
    // Machines of a lane in `wave`.
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
            // Two numbers of T are at least one word.
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

    // Rows `to`, `to` + `by`, … of a table for `count` jobs trial[at], trial[at + by], …, which come to those of row `from`; `by` is 1 or −1.
    //
    // One warp: every lane has a machine, or C of them, and is a job behind the one before it.
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
            // Lanes that have not begun wrap around. What the next job needs is fetched before it is its turn.
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

    // Heads and tails side by side: `heads_count` jobs from trial[heads_at] on into rows from `heads_to` on, and `tails_count` jobs from
    // trial[tails_count − 1] back into the rows of the same numbers, which come to those of row `tails_from`.
    __device__ __forceinline__ void waves(u32 heads_count, u32 heads_at, u32 heads_to, u32 tails_count, u32 tails_from) {
        for (u32 side = threadIdx.x / 32; side < 2; side += blockDim.x / 32) {
            const bool of_tails = side == 1;
            const u32 last = tails_count - 1;
            wave(times + (of_tails ? back : 0), tables + (of_tails ? tails : 0), of_tails ? tails_count : heads_count,
                 of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);
        }
        __syncthreads();
    }

    // Computes all tables for the first `length` jobs of the trial; what these cost.
    __device__ u64 prepare(u32 length) {
        for (u32 q = threadIdx.x; q < R; q += blockDim.x) {
            tables[q] = 0;
            tables[tails + length * R + q] = 0;
        }
        __syncthreads();
        waves(length, 0, 1, length, length);
        return tables[length * R];
    }

    // The least makespan with the job of place x anywhere else; nothing where there is no other place.
    __device__ u32 elsewhere(u32 x, u32 length) {
        const u16* const trial = orders.trial;
        const u32 ahead = length - 1 - x, job = trial[x] * R;
        u32 ends[K], own[K], best = ~0u;
        // Behind x the heads change and the tails stay; the job goes behind the job at `place`.
        load_row<K>(times + job, own);
#pragma unroll
        for (u32 machine = 0; machine < K; ++machine) ends[machine] = tables[x * R + K - 1 - machine];
        u32 place = ahead > 0 ? x + 1 : x - 1, by = 1, rows = 0, others = tails + R;
        u32 coming = trial[min(place, length - 1)];
        for (u32 column = 0; column + 1 < length; ++column) {
            if (column == ahead) {
                // Before x the tails change and the heads stay; the job goes before the job at `place`.
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

    // Looks at the jobs of the round from `number` on side by side, a lane for each; whether one of them has a better place, which is the
    // first of these then.
    __device__ __forceinline__ bool search(Record& record, bool constructs) {
        // An insertion looks for a place itself.
        if (constructs) return true;
        const u32 length = record.length, mine = record.number + threadIdx.x;
        const u32 first_of_warp = record.number + threadIdx.x / 32 * 32;
        bool better = false;
        if (first_of_warp < length) {
            // Lanes without a job of their own do what the first one does.
            const u32 x = orders.places[orders.round[mine < length ? mine : first_of_warp]];
            better = elsewhere(x, length) < record.trial_cost && mine < length;
        }
        const u64 first = block_minimum(better ? mine : NOTHING, slots->numbers);
        record.number = first == NOTHING ? min(record.number + blockDim.x, length) : (u32)first + 1;
        return first != NOTHING;
    }

    // Makespan and idle time with a job in a place, as `makespans` and `idle_time` of `insertion.rs` have it.
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

    // Puts the job at trial[from] where it costs least, of such places the one with the least idle time, then the first; what the trial costs then.
    // It is the job of place x where it is `there` in the tables; otherwise these are of `rest` = x jobs without it.
    __device__ __forceinline__ u64 insert(u32 from, u32 x, u32 rest, bool there) {
        if (!there) {
            for (u32 q = threadIdx.x; q < R; q += blockDim.x) tables[tails + (rest + 1) * R + q] = 0;
            __syncthreads();
        }
        u32 least = 0, place = 0;
        // The tables without the job, then with it in its place.
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
            // Tails change before place x, or up to the later of the two places; they follow what stays behind it.
            const u32 first = pass == 0 ? x : place, behind = max(first, x) + 1;
            waves(rest + pass - first, first + 1 - pass, first + 1, behind - 1 + pass, behind);
        }
        return least;
    }

    // Units of work of a search, and of an insertion.
    __device__ u32 effort(u32 length) const { return length + 64; }
};

// Any objective, by computing orders on from the inserted job: 32 neighbouring places side by side in a warp, a lane for each.
//
// Row b of `heads`: when the first 32·b jobs are done, machine by machine; `sums`: what they cost. While the lanes of a warp wait for the place of their
// own they all do the same as the first, and behind the last place they have the same jobs: so they read the same times.
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

    // The cost with a further job.
    __device__ __forceinline__ u64 with(u64 cost, u32 done, u32 due) const {
        if (makespan) return done;
        const u32 late = done > due ? done - due : 0;
        return cost + late + (late > 0 ? tardy : 0);
    }

    // Rows behind row `block` for the first `length` jobs, by the first warp; what these cost, for every thread.
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

    // Goes on by a job.
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

    // The least cost with `job` among places 32·first …, of every `stride`-th 32, in the order without place x; `rest` jobs are in it. One warp.
    //
    // Heads behind x are not in the table: the last lane keeps what it has before the job comes, for the 32 places that follow.
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
                // What stands before place `begin`.
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
                // Before the job stand those of the order, behind it they are one later.
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

    // Looks at the jobs of the round from `number` on side by side, a warp for each; whether one of them has a better place, which is the
    // first of these then. In a construction it looks for the place of the job behind all others, and every warp takes a share of the places.
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

    // Puts the job at trial[from], which was at place x of the heads, where the search before has found a place for it; what the trial costs
    // then.
    __device__ __forceinline__ u64 insert(u32 from, u32 x, u32 rest, bool) {
        move_job(orders.trial, from, found_place);
        prepare_from(min(x, found_place) / 32, rest + 1);
        return found;
    }

    __device__ u32 effort(u32 length) const { return length * (length / 64 + 1); }
};

__device__ __forceinline__ u32 purpose_of(u32 purpose, u64 step) {
    return purpose | (u32)(step >> 32) << 8;
}

// Number `number` of the words of a step for a purpose, as an index below n.
__device__ __forceinline__ u32 drawn(const Settings& settings, u32 number, u64 step, u32 chain, u32 purpose, u32 n) {
    const Words words = philox(settings.key, number / 4, (u32)step, chain, purpose_of(purpose, step));
    const u32 which = number % 4;
    return index_of(which == 0 ? words.x : which == 1 ? words.y : which == 2 ? words.z : words.w, n);
}

// Puts the jobs of the trial in random order.
__device__ void shuffle(const Settings& settings, const Orders& orders, Record& record, u32 chain) {
    const u32 length = record.length;
    for (u32 k = threadIdx.x; k < length; k += blockDim.x) {
        orders.round[k] = orders.trial[k];
        // Places are written anew afterwards: until then they hold whom each changes places with.
        orders.places[k] = k > 0 ? (u16)drawn(settings, record.draws + length - 1 - k, record.step, chain, ROUND, k + 1) : 0;
    }
    __syncthreads();
    if (threadIdx.x == 0 && length > 1) {
        u32 coming = orders.places[length - 1];
        for (u32 last = length - 1; last >= 1; --last) {
            const u32 other = coming;
            coming = orders.places[last - 1];
            const u16 one = orders.round[last];
            orders.round[last] = orders.round[other];
            orders.round[other] = one;
        }
    }
    __syncthreads();
    for (u32 k = threadIdx.x; k < length; k += blockDim.x) orders.places[orders.trial[k]] = (u16)k;
    __syncthreads();
    record.draws += length - 1;
}

// Takes jobs out of the present order.
__device__ void destroy(const Settings& settings, const Orders& orders, Record& record, u32 chain, const u16* order) {
    for (u32 k = threadIdx.x; k < settings.jobs; k += blockDim.x) {
        orders.trial[k] = order[k];
        // A pause keeps the whole round, even where no job was drawn for it yet.
        orders.round[k] = order[k];
    }
    __syncthreads();
    record.length = settings.jobs;
    for (u32 number = 0; number < settings.removed; ++number) {
        const u32 from = drawn(settings, number, record.step, chain, REMOVED, record.length);
        record.length -= 1;
        move_job(orders.trial, from, record.length);
    }
    record.draws = 0;
}

// Goes on from the trial if it is good enough.
__device__ void accept(
    const Settings& settings, const Orders& orders, Record& record, u32 chain, const u32* levels, u16* order, u16* best) {
    const u32 word = philox(settings.key, 0, (u32)record.step, chain, purpose_of(ACCEPTED, record.step)).x;
    const u64 limit = (u64)settings.temperature * __ldg(&levels[word >> 22]) >> 20;
    const u64 worse = record.trial_cost > record.cost ? record.trial_cost - record.cost : 0;
    if (worse <= limit) {
        const bool better = record.trial_cost < record.best_cost;
        for (u32 k = threadIdx.x; k < settings.jobs; k += blockDim.x) {
            const u16 job = orders.trial[k];
            order[k] = job;
            if (better) best[k] = job;
        }
        record.cost = record.trial_cost;
        if (better) record.best_cost = record.trial_cost;
    }
    record.step += 1;
    __syncthreads();
}

// The arrays of all chains.
struct Chains {
    const u32* levels;
    u16 *orders, *bests, *kept;
    Record* records;
};

template <typename S>
__device__ __forceinline__ void walk(S& searcher, const Settings& settings, const Chains& chains, u32 chain) {
    const u32 n = settings.jobs;
    const Orders& orders = searcher.orders;
    u16* const order = chains.orders + (u64)chain * n;
    u16* const kept = chains.kept + (u64)chain * 2 * n;
    Record record = chains.records[chain];
    __syncthreads();
    // After a pause the tables are computed anew.
    bool resumes = record.stage != BEGIN;
    if (resumes) {
        for (u32 k = threadIdx.x; k < n; k += blockDim.x) {
            const u16 job = kept[k];
            orders.trial[k] = job;
            orders.round[k] = kept[n + k];
            if (k < record.length) orders.places[job] = (u16)k;
        }
        __syncthreads();
    }
    for (u32 work = 0; work < settings.work && (record.stage != BEGIN || record.step < settings.until);) {
        const u32 stage = record.stage;
        // A chain that resumes gets on, however little it may do.
        if (!resumes) work += searcher.effort(record.length);
        if (stage == BEGIN) destroy(settings, orders, record, chain, order);
        if (stage == BEGIN || resumes) {
            const u64 cost = searcher.prepare(record.length);
            if (!resumes) {
                // Where nothing is taken out, nothing is put back that would say what all cost.
                record.trial_cost = settings.removed > 0 || settings.partial != 0 ? cost : record.cost;
                record.stage = settings.partial != 0 ? PARTIAL_ROUND : CONSTRUCTION;
            }
            resumes = false;
        } else if (stage == PARTIAL_ROUND || stage == WHOLE_ROUND) {
            shuffle(settings, orders, record, chain);
            record.before = record.trial_cost;
            record.number = 0;
            record.evaluations += (u64)record.length * record.length;
            record.stage += 1;
        } else if (stage == ACCEPTANCE) {
            accept(settings, orders, record, chain, chains.levels, order, chains.bests + (u64)chain * n);
            record.stage = BEGIN;
        } else if (stage == CONSTRUCTION && record.length == n) {
            record.stage = WHOLE_ROUND;
        } else {
            const bool constructs = stage == CONSTRUCTION;
            if (searcher.search(record, constructs)) {
                const u32 x = constructs ? record.length : orders.places[orders.round[record.number - 1]];
                const u32 from = constructs ? n - 1 : x;
                if (constructs) {
                    record.length += 1;
                    record.evaluations += record.length;
                }
                record.trial_cost = searcher.insert(from, x, record.length - 1, !constructs);
                for (u32 k = threadIdx.x; k < record.length; k += blockDim.x) orders.places[orders.trial[k]] = (u16)k;
                __syncthreads();
            }
            if (!constructs && record.number == record.length) {
                // A round that has found something is followed by another.
                record.stage = record.trial_cost < record.before ? stage - 1 : stage + 1;
            }
        }
    }
    if (record.stage != BEGIN) {
        for (u32 k = threadIdx.x; k < n; k += blockDim.x) {
            kept[k] = orders.trial[k];
            kept[n + k] = orders.round[k];
        }
    }
    if (threadIdx.x == 0) chains.records[chain] = record;
}

#define GREEDY(NAME, SEARCHER, T, SHARED, BLOCKS)                                                                     \
    extern "C" __global__ void __launch_bounds__(32 * MOST_WARPS, BLOCKS) NAME(                                       \
        Settings settings, const T* times, const u32* releases, const u32* dues, const u32* levels, u8* rooms,        \
        u16* orders, u16* bests, u16* kept, Record* records) {                                                        \
        __shared__ Slots slots;                                                                                       \
        const u32 chain = settings.first + blockIdx.x;                                                                \
        u8* const room = SHARED ? (u8*)shared_memory : rooms + (u64)blockIdx.x * settings.room;                       \
        SEARCHER searcher(times, room, SHARED, settings, releases, dues, &slots);                                     \
        walk(searcher, settings, {levels, orders, bests, kept, records}, chain);                                      \
    }

#define COMMA ,
// The makespan by Taillard's acceleration: up to 5, 10, 20 and 64 machines; times of 32 bits; tables in global memory.
GREEDY(greedy_5, Accelerated<5 COMMA u16>, u16, true, 2)
GREEDY(greedy_10, Accelerated<10 COMMA u16>, u16, true, 2)
GREEDY(greedy_20, Accelerated<20 COMMA u16>, u16, true, 2)
GREEDY(greedy_64, Accelerated<64 COMMA u16>, u16, true, 1)
GREEDY(greedy_global_20, Accelerated<20 COMMA u16>, u16, false, 2)
GREEDY(greedy_wide_20, Accelerated<20 COMMA u32>, u32, true, 2)
GREEDY(greedy_wide_global_20, Accelerated<20 COMMA u32>, u32, false, 2)
GREEDY(greedy_wide_global_128, Accelerated<128 COMMA u32>, u32, false, 1)
// The other objectives.
GREEDY(greedy_direct_5, Direct<5>, u32, true, 2)
GREEDY(greedy_direct_10, Direct<10>, u32, true, 2)
GREEDY(greedy_direct_20, Direct<20>, u32, true, 2)
GREEDY(greedy_direct_64, Direct<64>, u32, true, 1)
GREEDY(greedy_direct_global_20, Direct<20>, u32, false, 2)
GREEDY(greedy_direct_global_128, Direct<128>, u32, false, 1)
