// Steps of an iterated greedy chain: destruction, construction, local search and acceptance.
#pragma once

#include "greedy.cuh"

__device__ __forceinline__ u32 purpose_of(u32 purpose, u64 step) {
    return purpose | (u32)(step >> 32) << 8;
}

// Random index below n: word `number` of a step and purpose.
__device__ __forceinline__ u32 drawn(const Settings& settings, u32 number, u64 step, u32 chain, u32 purpose, u32 n) {
    const Words words = philox(settings.key, number / 4, (u32)step, chain, purpose_of(purpose, step));
    const u32 which = number % 4;
    return index_of(which == 0 ? words.x : which == 1 ? words.y : which == 2 ? words.z : words.w, n);
}

// Puts the jobs of the trial into random order for a round (Fisher–Yates shuffle).
__device__ void shuffle(const Settings& settings, const Orders& orders, Record& record, u32 chain) {
    const u32 length = record.length;
    for (u32 k = threadIdx.x; k < length; k += blockDim.x) {
        orders.round[k] = orders.trial[k];
        // Until `places` is rewritten below, it holds the partner of each exchange.
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

// Removes jobs from the present permutation.
__device__ void destroy(const Settings& settings, const Orders& orders, Record& record, u32 chain, const u16* order) {
    for (u32 k = threadIdx.x; k < settings.jobs; k += blockDim.x) {
        orders.trial[k] = order[k];
        // An interruption stores the whole round, even before the first shuffle.
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

// Accepts the trial if its worsening is within the limit of the temperature.
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

// Arrays of all chains.
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
    // After an interruption the tables are recomputed.
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
        // The first operation after an interruption is free, so that every launch makes progress.
        if (!resumes) work += searcher.effort(record.length);
        if (stage == BEGIN) destroy(settings, orders, record, chain, order);
        if (stage == BEGIN || resumes) {
            const u64 cost = searcher.prepare(record.length);
            if (!resumes) {
                // Without removed jobs no insertion would compute the cost.
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
                // A round that has improved the trial is followed by another one.
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
