// The steps of annealing with Kempe chains, for a warp that looks at one step and for the block that applies it.
//
// The reference of every step is `solver/src/timetabling/annealing/{cpu,board,restricted}.rs`. A block walks one chain.
// Its warps look at consecutive steps, all from the same timetable; the first step that changes something is applied, and
// the steps behind it are looked at again. So the chain takes the steps one by one, whatever the number of warps.
#pragma once

#include "demands.cuh"
#include "philox.cuh"
#include "reduce.cuh"

typedef unsigned short u16;
typedef long long i64;

// Purposes of the random words.
#define CONTROL 0x20u
#define LANES 0x21u

// Temperatures in a leg.
#define RUNGS 16u

// A change of cost that no temperature accepts: the move would break a rule.
#define FORBIDDEN 0x7fffffffffffffffll

// No exam.
#define NO_EXAM 0xffffffffu

// Kinds of changes.
#define NOTHING_CHANGES 0u
#define SHIFT 1u
#define SWAP 2u
#define EXCHANGE 3u

// What all chains know in a launch.
struct Walk {
    Key key;
    // Thresholds of the control word: below the first a Kempe chain, below the second an exchange of periods.
    u64 kempe, exchange;
    u32 periods;
    // Chains of a component.
    u32 chains;
    // Of the leg, in 1/256 of a cost unit.
    u32 temperatures[RUNGS];
};

// A connected part of the conflict graph. Exams are numbered from 0 in it; `first_…` say where its rows begin in the
// tables of all components.
struct Component {
    u32 exams;
    // 32-bit words of a set of its exams, and of a row of periods with a byte each.
    u32 words, row;
    u32 first_exam, first_adjacent, first_place;
};

// The steps of a component in a launch.
struct Stretch {
    u64 from, until, leg_begin, rung_length;
};

// What is known of a chain between launches.
struct Chain {
    i64 cost, best_cost;
    u64 evaluations;
};

// What a warp found in its step.
struct Outcome {
    i64 delta;
    u32 kind, exam, from, to, evaluations, unused;
};

// A conflict-free timetable of one component and its tables. Those of the instance lie in global memory, those of the
// chain in shared memory (the cells elsewhere where they do not fit).
struct Board {
    u32 exams, words, periods;
    // Neighbours of exam e: neighbours[offsets[e]…offsets[e + 1]], exam in the lower half, shared students in the upper.
    const u32* offsets;
    const u32* neighbours;
    // A set of exams for every exam.
    const u32* adjacency;
    Demands demands;
    // s(e, t) at e·periods + t: students that exam e shares with the exams of period t.
    u16* cells;
    // A set of exams for every period.
    u32* members;
    // A period for every exam.
    u8* place;
    // Students by period, where seats matter.
    u32* load;
};

// near(e, t) = Σ_{d = 1…5} 2^{5−d} · (s(e, t−d) + s(e, t+d)).
__device__ __forceinline__ i64 near(const Board& board, u32 exam, u32 period) {
    const u16* const row = board.cells + exam * board.periods + period;
    u32 sum = 0;
#pragma unroll
    for (u32 d = 1; d <= 5; ++d) {
        if (period >= d) sum += (u32)row[-(int)d] << (5 - d);
        if (period + d < board.periods) sum += (u32)row[d] << (5 - d);
    }
    return sum;
}

// The weight of a pair of exams that are d periods apart, d > 0.
__device__ __forceinline__ u32 weight(u32 d) {
    return d <= 5 ? 32u >> d : 0;
}

// The largest worsening that is accepted, in the arithmetic of `search/cooling.rs`.
__device__ __forceinline__ i64 limit_of(const u32* __restrict__ levels, u32 temperature, u32 word) {
    return (i64)((u64)temperature * __ldg(&levels[word >> 22]) >> 20);
}

// The choice-th of the periods that are not taken.
__device__ __forceinline__ u32 other_than(u32 taken, u32 choice) {
    return choice + (choice >= taken ? 1 : 0);
}

// What an exam pays in a period.
__device__ __forceinline__ i64 price(const Board& board, u32 exam, u32 period) {
    return board.demands.has_prices ? (i64)board.demands.prices[(u64)exam * board.periods + period] : 0;
}

// Whether an exam may move, as far as more than clashes is concerned.
__device__ __forceinline__ bool may_move(const Board& board, u32 exam, u32 to) {
    const Demands& demands = board.demands;
    if (!is_allowed(demands, exam, to)) return false;
    if (demands.has_seats && board.load[to] + demands.enrolment[exam] > demands.seats[to]) return false;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        const u32 relation = demands.relations[at];
        if (is_broken(relation >> 16, to, board.place[relation & 0xffffu])) return false;
    }
    return true;
}

// Whether an exam must be elsewhere than another with which it shares no student.
__device__ __forceinline__ bool is_different(const Board& board, u32 exam) {
    const Demands& demands = board.demands;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        if (demands.relations[at] >> 16 == 0) return true;
    }
    return false;
}

// The proposals of the lanes: the first that clashes with nothing and is within its limit.
template <bool RESTRICTED>
__device__ __forceinline__ void single(
    const Board& board, const Walk& walk, const u32* __restrict__ levels, u64 step, u32 individual, u32 temperature,
    u32 lane, Outcome* outcome) {
    const Words words = philox(walk.key, lane, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
    const u32 exam = index_of(words.x, board.exams), from = board.place[exam];
    const u32 to = other_than(from, index_of(words.y, board.periods - 1));
    bool accepted = board.cells[exam * board.periods + to] == 0;
    if (RESTRICTED && accepted) accepted = may_move(board, exam, to);
    i64 delta = 0;
    if (accepted) {
        delta = near(board, exam, to) - near(board, exam, from);
        if (RESTRICTED) delta += price(board, exam, to) - price(board, exam, from);
        accepted = delta <= 0 || delta <= limit_of(levels, temperature, words.z);
    }
    const u32 votes = __ballot_sync(FULL_WARP, accepted);
    if (votes == 0) {
        if (lane == 0) *outcome = {0, NOTHING_CHANGES, 0, 0, 0, 32, 0};
    } else if (lane == __ffs(votes) - 1u) {
        *outcome = {delta, SHIFT, exam, from, to, lane + 1, 0};
    }
}

// Change of prices if the exams of a set swapped the periods a and b, or FORBIDDEN where a rule is against it. Word
// k·32 + lane of the set is `own[k]`, and lies in `set` for the other lanes.
template <u32 K>
__device__ __forceinline__ i64 swap_price(
    const Board& board, const u32 (&own)[K], const u32* set, u32 a, u32 b, u32 lane) {
    const Demands& demands = board.demands;
    u32 students_to_a = 0, students_to_b = 0;
    bool broken = false;
    i64 sum = 0;
    for (u32 k = 0; k < K; ++k) {
        for (u32 bits = own[k]; bits != 0; bits &= bits - 1) {
            const u32 exam = (k * 32 + lane) * 32 + __ffs(bits) - 1;
            const u32 here = board.place[exam], there = a + b - here;
            broken = broken || !is_allowed(demands, exam, there);
            for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
                const u32 relation = demands.relations[at], other = relation & 0xffffu, kind = relation >> 16;
                const u32 stands = board.place[other];
                const u32 after = set[other / 32] >> other % 32 & 1 ? a + b - stands : stands;
                // Exams that must differ are connected by the chain itself.
                broken = broken || (kind != 0 && is_broken(kind, there, after));
            }
            if (there == a) {
                students_to_a += demands.enrolment[exam];
            } else {
                students_to_b += demands.enrolment[exam];
            }
            sum += price(board, exam, there) - price(board, exam, here);
        }
    }
    students_to_a = group_sum<32>(students_to_a);
    students_to_b = group_sum<32>(students_to_b);
    if (demands.has_seats) {
        broken = broken || board.load[a] + students_to_a - students_to_b > demands.seats[a] ||
                 board.load[b] + students_to_b - students_to_a > demands.seats[b];
    }
    // Every lane adds its own share of the sum.
    return __any_sync(FULL_WARP, broken) ? FORBIDDEN : sum;
}

// The Kempe chain of an exam between its period and another: all exams of the two that are connected to it. Every lane
// takes the exams of its own words; in a round it adds the change of one of them and all lanes look for its neighbours.
//
// Pairs inside the chain keep their distance:
//     Δ = Σ_i Δ(i alone) + 2·w(|a − b|)·Σ_{i from a} s(i, b).
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void kempe(
    const Board& board, u32 exam, u32 from, u32 to, i64 limit, u32* set, u32 lane, Outcome* outcome) {
    u32 seen[K], fresh[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        seen[k] = k * 32 + lane == exam / 32 ? 1u << exam % 32 : 0;
        fresh[k] = seen[k];
    }
    const i64 inside = 2 * weight(from > to ? from - to : to - from);
    i64 delta = 0;
    bool goes_on = true;
    while (goes_on) {
        u32 mine = NO_EXAM;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            if (mine == NO_EXAM && fresh[k] != 0) {
                mine = (k * 32 + lane) * 32 + __ffs(fresh[k]) - 1;
                fresh[k] &= fresh[k] - 1;
            }
        }
        u32 there = to;
        bool expands = false;
        if (mine != NO_EXAM) {
            const bool first = board.place[mine] == from;
            const u32 here = first ? from : to;
            there = first ? to : from;
            delta += near(board, mine, there) - near(board, mine, here);
            const u32 shared = board.cells[mine * board.periods + there];
            if (first) delta += inside * shared;
            expands = shared != 0 || (RESTRICTED && is_different(board, mine));
        }
        u32 votes = __ballot_sync(FULL_WARP, expands);
        u32 added[K];
#pragma unroll
        for (u32 k = 0; k < K; ++k) added[k] = 0;
        while (votes != 0) {
            // Several rows are under way at once.
#pragma unroll
            for (u32 batch = 0; batch < 4; ++batch) {
                const u32 source = votes != 0 ? __ffs(votes) - 1 : 0;
                const u32 of = __shfl_sync(FULL_WARP, mine, source), side = __shfl_sync(FULL_WARP, there, source);
                if (votes != 0) {
#pragma unroll
                    for (u32 k = 0; k < K; ++k) {
                        const u32 word = k * 32 + lane;
                        if (word < board.words) {
                            added[k] |= __ldg(&board.adjacency[of * board.words + word]) &
                                        board.members[side * board.words + word];
                        }
                    }
                }
                votes &= votes - 1;
            }
        }
        bool left = false;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            added[k] &= ~seen[k];
            seen[k] |= added[k];
            fresh[k] |= added[k];
            left = left || fresh[k] != 0;
        }
        goes_on = __any_sync(FULL_WARP, left);
    }
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        if (k * 32 + lane < board.words) set[k * 32 + lane] = seen[k];
    }
    if (RESTRICTED) {
        __syncwarp();
        const i64 prices = swap_price<K>(board, seen, set, from, to, lane);
        delta = prices == FORBIDDEN ? FORBIDDEN : delta + prices;
    }
    // Where a rule is against it all lanes know, and there is nothing to sum.
    if (delta != FORBIDDEN) delta = group_sum<32>(delta);
    const bool accepted = delta <= limit;
    if (lane == 0) *outcome = {delta, accepted ? SWAP : NOTHING_CHANGES, exam, from, to, 1, 0};
}

// Two whole periods swap places.
//
// Δ = Σ_{i in a} Σ_{t ≠ a, b} s(i, t)·(w(|b − t|) − w(|a − t|)), and likewise for b.
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void exchange(
    const Board& board, u32 a, u32 b, i64 limit, u32* set, u32 lane, Outcome* outcome) {
    u32 own[K];
    const i64 inside = weight(a > b ? a - b : b - a);
    i64 delta = 0;
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        const u32 word = k * 32 + lane;
        const u32 in_a = word < board.words ? board.members[a * board.words + word] : 0;
        own[k] = word < board.words ? in_a | board.members[b * board.words + word] : 0;
        for (u32 bits = own[k]; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, exam = word * 32 + bit;
            const bool first = in_a >> bit & 1;
            const u32 here = first ? a : b, there = first ? b : a;
            delta += near(board, exam, there) - near(board, exam, here);
            delta += inside * board.cells[exam * board.periods + there];
        }
    }
    if (RESTRICTED) {
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            if (k * 32 + lane < board.words) set[k * 32 + lane] = own[k];
        }
        __syncwarp();
        const i64 prices = swap_price<K>(board, own, set, a, b, lane);
        delta = prices == FORBIDDEN ? FORBIDDEN : delta + prices;
    }
    if (delta != FORBIDDEN) delta = group_sum<32>(delta);
    const bool accepted = delta <= limit;
    if (lane == 0) *outcome = {delta, accepted ? EXCHANGE : NOTHING_CHANGES, 0, a, b, 1, 0};
}

// One cell plus or minus students, where others may be at the other cell of the same word. Sums over a word are right at
// the end whatever the order, as no cell is below 0 or above 65,535 then.
__device__ __forceinline__ void add_to_cell(u16* cells, u32 cell, u32 students) {
    atomicAdd((u32*)cells + cell / 2, students << 16 * (cell & 1));
}

// One exam moves, by the whole block.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_shift(const Board& board, const Outcome& outcome) {
    const u32 exam = outcome.exam, from = outcome.from, to = outcome.to;
    const u32 end = __ldg(&board.offsets[exam + 1]);
    for (u32 at = __ldg(&board.offsets[exam]) + threadIdx.x; at < end; at += blockDim.x) {
        const u32 neighbour = __ldg(&board.neighbours[at]), shared = neighbour >> 16;
        u16* const row = board.cells + (neighbour & 0xffffu) * board.periods;
        row[from] -= shared;
        row[to] += shared;
    }
    if (threadIdx.x == 0) {
        board.place[exam] = to;
        board.members[from * board.words + exam / 32] ^= 1u << exam % 32;
        board.members[to * board.words + exam / 32] ^= 1u << exam % 32;
        if (RESTRICTED && board.demands.has_seats) {
            board.load[from] -= board.demands.enrolment[exam];
            board.load[to] += board.demands.enrolment[exam];
        }
    }
}

// The exams of a set swap two periods, by the whole block: a warp takes the exams of its words, one by one.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_swap(const Board& board, const Outcome& outcome, const u32* set) {
    const u32 from = outcome.from, to = outcome.to;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 word = warp; word < board.words; word += warps) {
        const u32 all = set[word];
        if (all == 0) continue;
        const u32 in_from = board.members[from * board.words + word];
        for (u32 bits = all; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, exam = word * 32 + bit;
            const u32 here = in_from >> bit & 1 ? from : to, there = from + to - here;
            const u32 end = __ldg(&board.offsets[exam + 1]);
            for (u32 at = __ldg(&board.offsets[exam]) + lane; at < end; at += 32) {
                const u32 neighbour = __ldg(&board.neighbours[at]), shared = neighbour >> 16;
                const u32 row = (neighbour & 0xffffu) * board.periods;
                add_to_cell(board.cells, row + here, 0u - shared);
                add_to_cell(board.cells, row + there, shared);
            }
            if (lane == 0) {
                board.place[exam] = there;
                if (RESTRICTED && board.demands.has_seats) {
                    atomicAdd(&board.load[here], 0u - board.demands.enrolment[exam]);
                    atomicAdd(&board.load[there], board.demands.enrolment[exam]);
                }
            }
        }
        __syncwarp();
        if (lane == 0) {
            board.members[from * board.words + word] ^= all;
            board.members[to * board.words + word] ^= all;
        }
    }
}

// Two whole periods swap places, by the whole block.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_exchange(const Board& board, const Outcome& outcome) {
    const u32 a = outcome.from, b = outcome.to;
    for (u32 exam = threadIdx.x; exam < board.exams; exam += blockDim.x) {
        const u32 here = board.place[exam];
        if (here == a) board.place[exam] = b;
        if (here == b) board.place[exam] = a;
        u16* const row = board.cells + exam * board.periods;
        const u16 in_a = row[a];
        row[a] = row[b];
        row[b] = in_a;
    }
    for (u32 word = threadIdx.x; word < board.words; word += blockDim.x) {
        const u32 in_a = board.members[a * board.words + word];
        board.members[a * board.words + word] = board.members[b * board.words + word];
        board.members[b * board.words + word] = in_a;
    }
    if (RESTRICTED && board.demands.has_seats && threadIdx.x == 0) {
        const u32 in_a = board.load[a];
        board.load[a] = board.load[b];
        board.load[b] = in_a;
    }
}
