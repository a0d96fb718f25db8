// Steps that exchange exams of two periods: Kempe chains and whole periods. Several alternatives are evaluated in parallel, and the first
// acceptable one is applied.
#pragma once

#include "annealing.cuh"

// Number of rows that a lane loads at once.
#define ROWS 8u

// Smallest number of an alternative that is known to be acceptable; evaluations of later ones may stop.
struct First {
    u32* number;

    __device__ __forceinline__ void note(u32 accepted) const {
        atomicMin(number, accepted);
    }

    // Returns true if an earlier alternative than `other` is acceptable; all lanes of a warp get the same.
    __device__ __forceinline__ bool is_before(u32 other, u32 lane) const {
        return __shfl_sync(FULL_WARP, lane == 0 ? atomicMin(number, NO_EXAM) : 0, 0) < other;
    }
};

// Evaluated exchange.
struct Swap {
    i64 delta;
    u32 from, to, accepted;
};

// Weight of a pair of exams that are d periods apart, d > 0.
__device__ __forceinline__ u32 weight(u32 d) {
    return d <= 5 ? 32u >> d : 0;
}

// Returns true if a relation requires different periods for the exam and another one.
__device__ __forceinline__ bool is_different(const Board& board, u32 exam) {
    const Demands& demands = board.demands;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        if (demands.relations[at] >> 16 == 0) return true;
    }
    return false;
}

// Removes the lowest exam from the words of a set that a lane holds and returns it; NO_EXAM if the words are empty.
template <u32 K>
__device__ __forceinline__ u32 take_lowest(u32 (&words)[K], u32 lane) {
    u32 exam = NO_EXAM;
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        if (exam == NO_EXAM && words[k] != 0) {
            exam = (k * 32 + lane) * 32 + __ffs(words[k]) - 1;
            words[k] &= words[k] - 1;
        }
    }
    return exam;
}

// Distributes the exams of a set evenly over the lanes of a warp, 32 at a time, and calls `use` for each. Lanes hold K words of the set each;
// `list` has room for 32 exams.
template <u32 K, typename Use>
__device__ __forceinline__ void deal(const u32 (&words)[K], u16* list, u32 lane, const Use& use) {
    u32 rest[K], own = 0;
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        rest[k] = words[k];
        own += __popc(words[k]);
    }
    u32 end = own;
#pragma unroll
    for (u32 distance = 1; distance < 32; distance *= 2) {
        const u32 below = __shfl_up_sync(FULL_WARP, end, distance);
        if (lane >= distance) end += below;
    }
    const u32 total = __shfl_sync(FULL_WARP, end, 31);
    u32 rank = end - own;
    for (u32 first = 0; first < total; first += 32) {
        for (; rank < min(end, first + 32); ++rank) list[rank - first] = (u16)take_lowest<K>(rest, lane);
        __syncwarp();
        if (first + lane < total) use(list[lane]);
        __syncwarp();
    }
}

// Returns this lane's share of the change of prices if the exams of a set changed between the periods a and b, or FORBIDDEN in all lanes if a rule
// forbids it. Word k·32 + lane of the set is `own[k]`; `set` holds the words of all lanes.
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
                // Exams that need different periods are connected by the chain itself.
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
    // The caller sums the shares of all lanes.
    return __any_sync(FULL_WARP, broken) ? FORBIDDEN : sum;
}

// Stores the set of an exchange, sums the lanes' shares of Δ, and compares Δ with the limit.
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void finish(
    const Board& board, const u32 (&own)[K], i64 delta, u32 from, u32 to, i64 limit, u32* set, u32 lane, Swap* swap) {
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        if (k * 32 + lane < board.words) set[k * 32 + lane] = own[k];
    }
    if (RESTRICTED) {
        __syncwarp();
        const i64 prices = swap_price<K>(board, own, set, from, to, lane);
        delta = prices == FORBIDDEN ? FORBIDDEN : delta + prices;
    }
    // FORBIDDEN is the same in all lanes and must not be summed.
    if (delta != FORBIDDEN) delta = group_sum<32>(delta);
    if (lane == 0) *swap = {delta, from, to, delta <= limit ? 1u : 0u};
}

// Evaluates the Kempe chain of an exam: all exams of its period and another one that are connected to it. A breadth-first search with one warp:
// lanes hold the sets as words, and in a round all lanes collect the neighbours of one new exam of each lane.
//
// Pairs inside the chain keep their distance:
//     Δ = Σ_i Δ(i alone) + 2·w(|a − b|)·Σ_{i from a} s(i, b).
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void kempe(
    const Board& board, u32 exam, u32 from, u32 to, i64 limit, u32* set, u16* list, u32 lane, u32 number,
    const First& first_accepted, Swap* swap) {
    // Words of a row that a lane reads; lanes beyond the last word read the last one again, which has no effect.
    u32 columns[K];
    // Exams of the two periods that are not reached yet and have neighbours in the other period; reached exams; new ones.
    u32 left_from[K], left_to[K], seen[K], fresh[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        const u32 word = k * 32 + lane;
        columns[k] = min(word, board.words - 1);
        const u32 in_from = word < board.words ? board.members[from * board.words + word] : 0;
        const u32 in_to = word < board.words ? board.members[to * board.words + word] : 0;
        left_from[k] = in_from;
        left_to[k] = in_to;
        for (u32 bits = in_from | in_to; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, member = word * 32 + bit;
            bool reachable = board.cells[member * board.periods + (in_from >> bit & 1 ? to : from)] != 0;
            if (RESTRICTED) reachable = reachable || is_different(board, member);
            if (!reachable) {
                left_from[k] &= ~(1u << bit);
                left_to[k] &= ~(1u << bit);
            }
        }
        // The neighbours of the first exam.
        seen[k] = word == exam / 32 ? 1u << exam % 32 : 0;
        left_from[k] &= ~seen[k];
        fresh[k] = __ldg(&board.adjacency[exam * board.words + columns[k]]) & left_to[k];
        left_to[k] &= ~fresh[k];
        seen[k] |= fresh[k];
    }
    // The periods alternate: new exams belong to one of them.
    for (bool to_from = true;; to_from = !to_from) {
        bool any_left = false, any_fresh = false;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            any_left = any_left || (to_from ? left_from[k] : left_to[k]) != 0;
            any_fresh = any_fresh || fresh[k] != 0;
        }
        // The search ends when nothing is new or nothing can be reached any more.
        if (!__any_sync(FULL_WARP, any_fresh) || !__any_sync(FULL_WARP, any_left)) break;
        if (first_accepted.is_before(number, lane)) {
            if (lane == 0) *swap = {FORBIDDEN, from, to, 0};
            return;
        }
        u32 added[K];
#pragma unroll
        for (u32 k = 0; k < K; ++k) added[k] = 0;
        for (;;) {
            const u32 mine = take_lowest<K>(fresh, lane);
            u32 votes = __ballot_sync(FULL_WARP, mine != NO_EXAM);
            if (votes == 0) break;
            while (votes != 0) {
                // Several rows are loaded at once; the last one again if there are no more, which has no effect.
                u32 rows[ROWS][K];
                u32 source = 0;
#pragma unroll
                for (u32 batch = 0; batch < ROWS; ++batch) {
                    if (votes != 0) source = __ffs(votes) - 1;
                    votes &= votes - 1;
                    const u32* const row = board.adjacency + __shfl_sync(FULL_WARP, mine, source) * board.words;
#pragma unroll
                    for (u32 k = 0; k < K; ++k) rows[batch][k] = __ldg(&row[columns[k]]);
                }
#pragma unroll
                for (u32 batch = 0; batch < ROWS; ++batch) {
#pragma unroll
                    for (u32 k = 0; k < K; ++k) added[k] |= rows[batch][k];
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            fresh[k] = added[k] & (to_from ? left_from[k] : left_to[k]);
            if (to_from) {
                left_from[k] &= ~fresh[k];
            } else {
                left_to[k] &= ~fresh[k];
            }
            seen[k] |= fresh[k];
        }
    }
    const u32 inside = 2 * weight(from > to ? from - to : to - from);
    i64 delta = 0;
    deal<K>(seen, list, lane, [&](u32 member) {
        const bool first = board.place[member] == from;
        const u32 here = first ? from : to, there = first ? to : from;
        delta += near(board, member, there) - near(board, member, here);
        if (first) delta += inside * board.cells[member * board.periods + there];
    });
    finish<K, RESTRICTED>(board, seen, delta, from, to, limit, set, lane, swap);
    if (lane == 0 && swap->accepted != 0) first_accepted.note(number);
}

// Evaluates the exchange of two whole periods.
//
// Δ = Σ_{i in a} Σ_{t ≠ a, b} s(i, t)·(w(|b − t|) − w(|a − t|)), and likewise for b.
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void exchange(
    const Board& board, u32 a, u32 b, i64 limit, u32* set, u16* list, u32 lane, Swap* swap) {
    u32 own[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        const u32 word = k * 32 + lane;
        own[k] = word < board.words ? board.members[a * board.words + word] | board.members[b * board.words + word] : 0;
    }
    const u32 inside = weight(a > b ? a - b : b - a);
    i64 delta = 0;
    deal<K>(own, list, lane, [&](u32 exam) {
        const u32 here = board.place[exam], there = a + b - here;
        delta += near(board, exam, there) - near(board, exam, here);
        delta += inside * board.cells[exam * board.periods + there];
    });
    finish<K, RESTRICTED>(board, own, delta, a, b, limit, set, lane, swap);
}

// Applies a Kempe chain with the whole block: a warp takes the exams of its words one by one.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_swap(const Board& board, const Swap& swap, const u32* set) {
    const u32 from = swap.from, to = swap.to;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 word = warp; word < board.words; word += warps) {
        const u32 all = set[word];
        if (all == 0) continue;
        const u32 in_from = board.members[from * board.words + word];
        // Each lane loads the bounds of one exam's neighbours.
        u32 begin = 0, end = 0;
        if (all >> lane & 1) {
            begin = __ldg(&board.offsets[word * 32 + lane]);
            end = __ldg(&board.offsets[word * 32 + lane + 1]);
        }
        for (u32 bits = all; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, exam = word * 32 + bit;
            const u32 here = in_from >> bit & 1 ? from : to, there = from + to - here;
            const u32 rows = __shfl_sync(FULL_WARP, begin, bit), rows_end = __shfl_sync(FULL_WARP, end, bit);
            move_in_rows(board, rows, rows_end, here, there, nullptr, lane);
            if (lane == 0) {
                board.place[exam] = (u8)there;
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

// Applies the exchange of two whole periods with the whole block.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_exchange(const Board& board, const Swap& swap) {
    const u32 a = swap.from, b = swap.to;
    for (u32 exam = threadIdx.x; exam < board.exams; exam += blockDim.x) {
        const u32 here = board.place[exam];
        if (here == a) board.place[exam] = (u8)b;
        if (here == b) board.place[exam] = (u8)a;
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
