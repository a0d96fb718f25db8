// Steps that exchange exams of two periods: Kempe chains and whole periods. Several alternatives are evaluated in parallel, and the first
// acceptable one is applied.
#pragma once

#include "annealing.cuh"

// Number of rows that a lane loads at once.
#define ROWS 8u

// Number of reached exams from which on a chain is likely to take most exams of its periods, so that a bound on its change of cost pays.
#define MANY 8u

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

// Set of exams with word k·32 + lane in words[k]; its exams are numbered in the order of the lanes.
template <u32 K>
struct Members {
    u32 words[K];
    // Number of this lane's lowest exam and end of its numbers; number of all exams.
    u32 next, end, total;

    __device__ __forceinline__ Members(const u32 (&set)[K], u32 lane) {
        u32 own = 0;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            words[k] = set[k];
            own += __popc(set[k]);
        }
        end = own;
#pragma unroll
        for (u32 distance = 1; distance < 32; distance *= 2) {
            const u32 below = __shfl_up_sync(FULL_WARP, end, distance);
            if (lane >= distance) end += below;
        }
        next = end - own;
        total = __shfl_sync(FULL_WARP, end, 31);
    }

    // Writes the exams number first + offset + i·2^shift (i = 0 … 31) to `list` and takes all exams before first + 32·2^shift out of the set.
    __device__ __forceinline__ void take(u16* list, u32 first, u32 shift, u32 offset, u32 lane) {
        for (; next < min(end, first + (32u << shift)); ++next) {
            const u32 exam = take_lowest<K>(words, lane), position = next - first;
            if ((position & ((1u << shift) - 1)) == offset) list[position >> shift] = (u16)exam;
        }
    }
};

// Distributes the exams of a set evenly over the lanes of a warp, 32 at a time, and calls `use` for each. Lanes hold K words of the set each;
// `list` has room for 32 exams.
template <u32 K, typename Use>
__device__ __forceinline__ void deal(const u32 (&words)[K], u16* list, u32 lane, const Use& use) {
    Members<K> members(words, lane);
    for (u32 first = 0; first < members.total; first += 32) {
        members.take(list, first, 0, 0, lane);
        __syncwarp();
        if (first + lane < members.total) use(list[lane]);
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

// Δ of moving one exam of a Kempe chain alone.
__device__ __forceinline__ int alone(const Board& board, u32 exam, u32 there, u32 here) {
    return (int)(near(board, exam, there) - near(board, exam, here));
}

// Evaluates the Kempe chain of an exam: all exams of its period and another one that are connected to it. A search with one warp: lanes hold the sets
// as words, and all lanes collect the neighbours of up to ROWS reached exams at a time.
//
// Pairs inside the chain keep their distance:
//     Δ = Σ_i Δ(i alone) + 2·w(|a − b|)·Σ_{i from a} s(i, b).
// The search stops when the exams reached so far and the most that all exams of both periods can save prove that Δ is above the limit:
//     Δ ≥ Σ_{i reached} max(Δ(i alone), 0) + Σ_{i in a or b} min(Δ(i alone), 0).
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void kempe(
    const Board& board, u32 exam, u32 from, u32 to, i64 limit, u32* set, u32 lane, u32 number, const First& first_accepted,
    Swap* swap) {
    // Exams of the two periods that are not reached yet; reached exams; those of them whose neighbours are not collected yet.
    u32 left[K], seen[K], fresh[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        const u32 word = k * 32 + lane;
        fresh[k] = word == exam / 32 ? 1u << exam % 32 : 0;
        seen[k] = fresh[k];
        left[k] = 0;
        if (word < board.words) left[k] = board.members[from * board.words + word] | board.members[to * board.words + word];
        left[k] &= ~fresh[k];
    }
    const u32 inside = 2 * weight(from > to ? from - to : to - from);
    // This lane's shares of Δ and of its positive terms; limit of the latter, once it is known.
    i64 delta = 0, worse = 0, most = FORBIDDEN;
    u32 taken = 0;
    for (;;) {
        const u32 mine = take_lowest<K>(fresh, lane);
        u32 votes = __ballot_sync(FULL_WARP, mine != NO_EXAM);
        if (votes == 0) break;
        taken += __popc(votes);
        if (first_accepted.is_before(number, lane) || (most != FORBIDDEN && group_sum<32>(worse) > most)) {
            if (lane == 0) *swap = {FORBIDDEN, from, to, 0};
            return;
        }
        u32 added[K];
#pragma unroll
        for (u32 k = 0; k < K; ++k) added[k] = 0;
        while (votes != 0) {
            // Several rows are loaded at once; the last one again if there are no more, which has no effect. Exams of one period are no neighbours,
            // so that a row reaches exams of the other one alone.
            u32 rows[ROWS][K];
            u32 source = 0;
#pragma unroll
            for (u32 i = 0; i < ROWS; ++i) {
                if (votes != 0) source = __ffs(votes) - 1;
                votes &= votes - 1;
                const u32* const row = board.adjacency + (__shfl_sync(FULL_WARP, mine, source) * board.words + lane);
#pragma unroll
                for (u32 k = 0; k < K; ++k) rows[i][k] = left[k] != 0 ? __ldg(&row[k * 32]) : 0;
            }
#pragma unroll
            for (u32 i = 0; i < ROWS; ++i) {
#pragma unroll
                for (u32 k = 0; k < K; ++k) added[k] |= rows[i][k];
            }
        }
        if (mine != NO_EXAM) {
            const bool first = board.place[mine] == from;
            const u32 here = first ? from : to, there = first ? to : from;
            const int own = alone(board, mine, there, here);
            delta += own;
            worse += max(own, 0);
            if (first) delta += inside * board.cells[mine * board.periods + there];
        }
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            added[k] &= left[k];
            left[k] &= ~added[k];
            fresh[k] |= added[k];
            seen[k] |= added[k];
        }
        if (most == FORBIDDEN && taken > MANY && !(RESTRICTED && board.demands.has_prices)) {
            u32 all[K];
#pragma unroll
            for (u32 k = 0; k < K; ++k) all[k] = left[k] | seen[k];
            i64 saved = 0;
            for (u32 member = take_lowest<K>(all, lane); member != NO_EXAM; member = take_lowest<K>(all, lane)) {
                const u32 here = board.place[member];
                saved += min(alone(board, member, from + to - here, here), 0);
            }
            __syncwarp();
            most = limit - group_sum<32>(saved);
        }
    }
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

// Applies a Kempe chain with the whole block: the warps take turns with its exams, 32 at a time. `lists` has room for 32 exams per warp.
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void apply_swap(const Board& board, const Swap& swap, const u32* set, u16* lists) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    u32 words[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) words[k] = k * 32 + lane < board.words ? set[k * 32 + lane] : 0;
    Members<K> members(words, lane);
    u16* const list = lists + warp * 32;
    // The number of warps is a power of two.
    const u32 shift = __ffs(warps) - 1;
    for (u32 first = 0; first < members.total; first += warps * 32) {
        // Number of exams of this warp.
        const u32 present = min(members.total - first + warps - 1 - warp, warps * 32) >> shift;
        members.take(list, first, shift, warp, lane);
        __syncwarp();
        u32 exam = 0, from = 0, begin = 0, end = 0;
        if (lane < present) {
            exam = list[lane];
            from = board.place[exam];
            begin = __ldg(&board.offsets[exam]);
            end = __ldg(&board.offsets[exam + 1]);
        }
        const u32 to = swap.from + swap.to - from;
        move_in_rows(board, __ballot_sync(FULL_WARP, lane < present), begin, end, from, to, nullptr, lane);
        if (lane < present) {
            board.place[exam] = (u8)to;
            atomicXor(&board.members[from * board.words + exam / 32], 1u << exam % 32);
            atomicXor(&board.members[to * board.words + exam / 32], 1u << exam % 32);
            if (RESTRICTED && board.demands.has_seats) {
                atomicAdd(&board.load[from], 0u - board.demands.enrolment[exam]);
                atomicAdd(&board.load[to], board.demands.enrolment[exam]);
            }
        }
        __syncwarp();
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
