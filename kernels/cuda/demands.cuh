// Rules, seats and prices of a timetable as penalties; the reference is `evolution/restricted.rs`.
//
//     cost = Σ_{i<j} c_ij · W(|t_i − t_j|) + Σ_i price(i, t_i) + P · broken + M · Σ_t max(0, students(t) − seats(t))
#pragma once

#include "philox.cuh"
#include "reduce.cuh"

// 32-bit words of a set of periods.
#define SET_WORDS 8u

// Tables by exam. `seats` and `enrolment` are used if `has_seats` is not 0, `prices` if `has_prices` is not 0.
struct Demands {
    // Allowed periods: a bit per period, SET_WORDS words per exam.
    const u32* allowed;
    // relations[relation_offsets[e] … relation_offsets[e + 1]]: related exam in the lower 16 bits; kind in the upper ones:
    // 0 = different periods, 1 = the related exam is later, 2 = it is earlier.
    const u32* relation_offsets;
    const u32* relations;
    // Students per exam, seats per period, prices by exam and period.
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

// Returns a random allowed period of an exam, or any period if none is allowed.
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

// Counts the students of every period with the lanes of a group, which have to synchronise before they use the result.
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

// Cost of rules, seats and prices of an exam if it moved from period `own` to `period`.
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

// Cost of rules, seats and prices of a chromosome; every lane of the group gets it. A relation counts at the exam with the smaller number.
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
