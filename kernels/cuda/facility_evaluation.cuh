// Evaluation of a flexible-bay layout with LANES lanes: cost and violation. The reference is `solver/facility/src/evaluation.rs`.
//
// Floating-point numbers are added in the canonical order of the reference: lanes compute different bays, but each bay in order, and the cost as one
// partial sum per lane, which a fixed tree adds.
#pragma once

#include "philox.cuh"

typedef unsigned short u16;

// Lanes per individual, and number of partial sums of the cost.
#define LANES 16
// Flag of a gene: the last department of its bay.
#define END 0x8000u
#define TOLERANCE 1e-6

extern __shared__ __align__(16) u32 shared_memory[];

// Sizes of an instance; `lengths` holds the length of vertical and of horizontal bays.
struct Sizes {
    double lengths[2];
    u32 departments, terms, lock_count, apart_count, euclidean, individuals;
};

// Instance. Tables that depend on the orientation hold the values for vertical bays, then those for horizontal ones.
struct Tables : Sizes {
    const double* __restrict__ areas;
    const double* __restrict__ longest;
    const double* __restrict__ widest;
    const double* __restrict__ side;
    // Terms of the cost: flow, and two departments with 16 bits each. Lane l adds the terms l, l + LANES, ….
    const double* __restrict__ flows;
    const u32* __restrict__ pairs;
    const u16* __restrict__ locks;
    const u16* __restrict__ apart;
};

#define TABLES                                                                                                        \
    Sizes sizes, const double *areas, const double *longest, const double *widest, const double *side,                \
        const double *flows, const u32 *pairs, const u16 *locks, const u16 *apart
#define TAKE_TABLES {sizes, areas, longest, widest, side, flows, pairs, locks, apart}

// Violation and cost of a layout; a smaller violation is better, then a smaller cost.
struct Score {
    double violation, cost;
};

__device__ __forceinline__ bool better(const Score& one, const Score& other) {
    return one.violation < other.violation || (one.violation == other.violation && one.cost < other.cost);
}

struct __align__(16) Centre {
    double across, along;
};

// Shared memory of an individual: four rows of 64-bit numbers and five of 16-bit ones.
struct Room {
    Centre* centre;
    double *width, *broken;
    u16 *genes, *changed, *first, *places, *second;
};

__device__ __forceinline__ Room room_of(u32 group, u32 departments) {
    // Per department 32 bytes of 64-bit and 10 bytes of 16-bit numbers; `first` has one more element.
    const u32 even = (departments + 2) / 2 * 2;
    const u32 bytes = (even * 42 + 15) / 16 * 16;
    double* const reals = (double*)((u8*)shared_memory + group * bytes);
    u16* const words = (u16*)(reals + 4 * even);
    return {(Centre*)reals, reals + 2 * even, reals + 3 * even, words,
            words + even,   words + 2 * even, words + 3 * even, words + 4 * even};
}

// Violation of the side ratios and the smallest side of a department.
__device__ __forceinline__ double violation_of(
    double across, double along, double longest, double widest, double side) {
    double violation = 0.0;
    if (along > across * (longest + TOLERANCE)) violation += along / (across * longest);
    if (across > along * (widest + TOLERANCE)) violation += across / (along * widest);
    const double shorter = along < across ? along : across;
    if (shorter < side - TOLERANCE) violation += side / shorter;
    return violation;
}

// Position of a department: its bay, its place in the bay, and its size along the bay.
struct Spot {
    u32 bay, place;
    double size;
};

__device__ Spot spot_of(const Tables& tables, const Room& room, const u16* genes, u32 bays, u32 wanted) {
    Spot spot = {0, 0, 0.0};
    for (u32 bay = 0; bay < bays; ++bay) {
        for (u32 at = room.first[bay]; at < room.first[bay + 1]; ++at) {
            if ((genes[at] & ~END) == wanted) {
                spot = {bay, at - room.first[bay], tables.areas[wanted] / room.width[bay]};
            }
        }
    }
    return spot;
}

__device__ __forceinline__ u32 apart_by(u32 one, u32 other) {
    return one > other ? one - other : other - one;
}

// Violation of locks and separations; every lane computes all of it.
__device__ double broken_rules(const Tables& tables, const Room& room, const u16* genes, u32 bays) {
    double broken = 0.0;
    for (u32 lock = 0; lock < tables.lock_count; ++lock) {
        const u16* const wanted = tables.locks + 3 * lock;
        const Spot spot = spot_of(tables, room, genes, bays, wanted[0]);
        u32 missed = apart_by(wanted[1], spot.bay);
        if (wanted[2] != 0xffff) missed += apart_by(wanted[2], spot.place);
        if (missed > 0) broken += 1.0 + (double)missed / 4.0;
    }
    for (u32 pair = 0; pair < tables.apart_count; ++pair) {
        const u32 one = tables.apart[2 * pair], other = tables.apart[2 * pair + 1];
        const Spot a = spot_of(tables, room, genes, bays, one), b = spot_of(tables, room, genes, bays, other);
        const u32 bay = apart_by(a.bay, b.bay);
        bool touch = bay == 0 && apart_by(a.place, b.place) == 1;
        if (bay == 1) {
            const double reach = (a.size + b.size) / 2.0;
            touch = fabs(room.centre[one].along - room.centre[other].along) < reach - TOLERANCE;
        }
        if (touch) broken += 1.0;
    }
    return broken;
}

template <bool EUCLIDEAN>
__device__ __forceinline__ double distance_of(double across, double along) {
    return EUCLIDEAN ? sqrt(across * across + along * along) : fabs(across) + fabs(along);
}

// Partial sum of a lane. The loads do not depend on the additions, so several are under way.
template <bool EUCLIDEAN>
__device__ __forceinline__ double terms(const Tables& tables, const Room& room, u32 lane) {
    double sum = 0.0;
#pragma unroll 8
    for (u32 at = lane; at < tables.terms; at += LANES) {
        const u32 pair = __ldg(&tables.pairs[at]);
        const double flow = __ldg(&tables.flows[at]);
        const Centre one = room.centre[pair & 0xffff], other = room.centre[pair >> 16];
        sum += flow * distance_of<EUCLIDEAN>(one.across - other.across, one.along - other.along);
    }
    return sum;
}

// Cost and violation of a layout. All lanes of the warp take part; `genes` has been written and synchronised.
__device__ __forceinline__ Score evaluate(
    const Tables& tables, const Room& room, const u16* genes, u32 orientation, u32 lane) {
    const u32 n = tables.departments, half = threadIdx.x % 32 / LANES * LANES;
    // In parallel over departments: bays, and areas in the memory of the centres.
    u32 bays = 0;
    for (u32 begin = 0; begin < n; begin += LANES) {
        const u32 at = begin + lane;
        const bool starts = at < n && (at == 0 || (genes[at - 1] & END) != 0);
        const u32 votes = __ballot_sync(FULL_WARP, starts) >> half & 0xffffu;
        const u32 before = __popc(votes & ((1u << lane) - 1));
        if (starts) room.first[bays + before] = (u16)at;
        if (at < n) {
            room.places[at] = (u16)(bays + before + starts - 1);
            room.centre[at].along = __ldg(&tables.areas[genes[at] & ~END]);
        }
        bays += __popc(votes);
    }
    if (lane == 0) room.first[bays] = (u16)n;
    __syncwarp();
    for (u32 bay = lane; bay < bays; bay += LANES) {
        double area = 0.0;
        const u32 end = room.first[bay + 1];
#pragma unroll 4
        for (u32 at = room.first[bay]; at < end; ++at) area += room.centre[at].along;
        room.width[bay] = area / tables.lengths[orientation];
    }
    __syncwarp();
    // In parallel over departments: size along the bay and violation, in the memory of the centres.
    const double* const longest = tables.longest + orientation * n;
    const double* const widest = tables.widest + orientation * n;
    for (u32 at = lane; at < n; at += LANES) {
        const u32 one = genes[at] & ~END;
        const double across = room.width[room.places[at]];
        const double along = __ldg(&tables.areas[one]) / across;
        const double violated =
            violation_of(across, along, __ldg(&longest[one]), __ldg(&widest[one]), __ldg(&tables.side[one]));
        room.centre[one] = {violated, along};
    }
    __syncwarp();
    for (u32 bay = lane; bay < bays; bay += LANES) {
        double left = 0.0;
#pragma unroll 4
        for (u32 before = 0; before < bay; ++before) left += room.width[before];
        const double centre = left + room.width[bay] / 2.0;
        double top = 0.0, violated = 0.0;
        const u32 last = room.first[bay + 1] - 1;
        u32 at = room.first[bay], one = genes[at] & ~END;
        Centre size = room.centre[one];
        for (;;) {
            // The next department is loaded while this one is placed.
            const u32 next = at < last ? genes[at + 1] & ~END : one;
            const Centre next_size = room.centre[next];
            room.centre[one] = {centre, top + size.along / 2.0};
            top += size.along;
            violated += size.across;
            if (at == last) break;
            ++at;
            one = next;
            size = next_size;
        }
        room.broken[bay] = violated;
    }
    __syncwarp();
    double violation = 0.0;
    for (u32 bay = 0; bay < bays; ++bay) violation += room.broken[bay];
    if (tables.lock_count + tables.apart_count > 0) violation += broken_rules(tables, room, genes, bays);
    double cost = tables.euclidean ? terms<true>(tables, room, lane) : terms<false>(tables, room, lane);
#pragma unroll
    for (u32 distance = LANES / 2; distance > 0; distance /= 2) {
        cost += __shfl_down_sync(FULL_WARP, cost, distance, LANES);
    }
    return {violation, __shfl_sync(FULL_WARP, cost, 0, LANES)};
}
