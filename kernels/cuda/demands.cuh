// What is demanded of a timetable beyond «no clashes», as `evolution/restricted.rs` has it: broken rules are penalties.
//
//     cost = Σ_{i<j} c_ij · W(|t_i − t_j|) + Σ_i price(i, t_i) + P · broken + M · Σ_t max(0, students(t) − seats(t))
#pragma once

#include "philox.cuh"
#include "reduce.cuh"

// Words of the set of periods in which an exam may stand.
#define SET_WORDS 8u

// Tables by exam; `has_seats` and `has_prices` say whether those two are there.
struct Demands {
    // A bit per period, SET_WORDS words per exam.
    const u32* allowed;
    // relations[relation_offsets[e]…relation_offsets[e + 1]]: the other exam in the lower half; in the upper half 0 where
    // the two must differ, 1 where the other must be later, 2 where it must be earlier.
    const u32* relation_offsets;
    const u32* relations;
    // Students by exam, seats by period, prices by exam and period.
    const u32* enrolment;
    const u32* seats;
    const u32* prices;
    u64 penalty;
    u32 has_seats, has_prices;
};

__device__ __forceinline__ bool is_allowed(const Demands& demands, u32 exam, u32 period) {
    return demands.allowed[exam * SET_WORDS + period / 32] >> period % 32 & 1;
}

__device__ __forceinline__ bool is_broken(u32 kind, u32 period, u32 other) {
    return kind == 0 ? period == other : kind == 1 ? period >= other : period <= other;
}

// A random period out of those in which an exam may stand; any where it may stand nowhere.
__device__ __forceinline__ u32 random_period(const Demands& demands, u32 exam, u32 word, u32 periods) {
    const u32* const set = demands.allowed + exam * SET_WORDS;
    u32 count = 0;
    for (u32 k = 0; k < SET_WORDS; ++k) count += __popc(set[k]);
    if (count == 0) return index_of(word, periods);
    u32 left = index_of(word, count), k = 0;
    for (; left >= (u32)__popc(set[k]); ++k) left -= __popc(set[k]);
    u32 bits = set[k];
    for (; left > 0; --left) bits &= bits - 1;
    return k * 32 + __ffs(bits) - 1;
}

// Students of every period, by the lanes of a group, which must meet before they use them.
template <u32 G>
__device__ __forceinline__ void count_load(
    const Demands& demands, const u8* genes, u32 exams, u32 periods, u32* load, u32 lane) {
    for (u32 period = lane; period < periods; period += G) load[period] = 0;
    __syncwarp();
    for (u32 exam = lane; exam < exams; exam += G) atomicAdd(&load[genes[exam]], demands.enrolment[exam]);
}

__device__ __forceinline__ u32 excess(u32 load, u32 seats) {
    return load > seats ? load - seats : 0;
}

// What an exam that stands in period `own` would cost in `period` beside its pairs.
__device__ __forceinline__ u64 demand_cost(
    const Demands& demands, const u8* genes, const u32* load, u32 clash, u32 periods, u32 exam, u32 own, u32 period) {
    u32 broken = is_allowed(demands, exam, period) ? 0 : 1;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        const u32 relation = demands.relations[at];
        broken += is_broken(relation >> 16, period, genes[relation & 0xffffu]) ? 1 : 0;
    }
    u64 cost = demands.penalty * broken;
    if (demands.has_seats) {
        const u32 enrolment = demands.enrolment[exam], seats = demands.seats[period];
        const u32 others = load[period] - (period == own ? enrolment : 0);
        cost += (u64)clash * (excess(others + enrolment, seats) - excess(others, seats));
    }
    if (demands.has_prices) cost += demands.prices[(u64)exam * periods + period];
    return cost;
}

// What a whole chromosome costs beside its pairs; a pair of exams counts at the one with the smaller number. Every lane
// of the group gets it.
template <u32 G>
__device__ __forceinline__ u64 demand_total(
    const Demands& demands, const u8* genes, u32* load, u32 clash, u32 exams, u32 periods, u32 lane) {
    u64 cost = 0;
    for (u32 exam = lane; exam < exams; exam += G) {
        const u32 period = genes[exam];
        u32 broken = is_allowed(demands, exam, period) ? 0 : 1;
        for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
            const u32 relation = demands.relations[at], other = relation & 0xffffu;
            broken += other > exam && is_broken(relation >> 16, period, genes[other]) ? 1 : 0;
        }
        cost += demands.penalty * broken;
        if (demands.has_prices) cost += demands.prices[(u64)exam * periods + period];
    }
    if (demands.has_seats) {
        count_load<G>(demands, genes, exams, periods, load, lane);
        __syncwarp();
        for (u32 period = lane; period < periods; period += G) {
            cost += (u64)clash * excess(load[period], demands.seats[period]);
        }
    }
    return group_sum<G>(cost);
}
