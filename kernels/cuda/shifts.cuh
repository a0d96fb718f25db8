// Steps that move single exams: hundreds of moves are evaluated in parallel, and all acceptable ones that are independent are applied.
#pragma once

#include "annealing.cuh"

// Number of rows that a lane loads at once.
#define TIES 4u

// Acceptable move of an exam: without clash and within its limit.
struct Move {
    int delta;
    u16 exam;
    u8 from, to;
};

// Acceptable moves of a step and the memory to choose from them.
struct Moves {
    u32 proposals;
    // Moves as they are found: those of proposals 32·w … 32·w + 31 begin at 32·w, and counts[w] is their number.
    Move* found;
    u32* counts;
    // Compacted moves in the order of the proposals.
    Move* moves;
    // Per move, the earlier moves of the same 32 to which it is tied, as a bit set.
    u32* tied;
    // Exams that were chosen in an earlier 32 and all exams that are tied to them, as a bit set.
    u32* blocked;
    // Choice among 32 moves that one warp makes for the block.
    u32* chosen;
};

// Returns true if allowed periods and relations permit a move; clashes and seats are not checked.
__device__ __forceinline__ bool may_move(const Board& board, u32 exam, u32 to) {
    const Demands& demands = board.demands;
    if (!is_allowed(demands, exam, to)) return false;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        const u32 relation = demands.relations[at];
        if (is_broken(relation >> 16, to, board.place[relation & 0xffffu])) return false;
    }
    return true;
}

// Returns true if a move of one exam can change the effect of a move of the other, or if they are the same exam.
template <bool RESTRICTED>
__device__ __forceinline__ bool is_tied(const Board& board, u32 exam, u32 other) {
    bool tied = exam == other || (__ldg(&board.adjacency[exam * board.words + other / 32]) >> other % 32 & 1) != 0;
    if (RESTRICTED) {
        const Demands& demands = board.demands;
        for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
            tied = tied || (demands.relations[at] & 0xffffu) == other;
        }
    }
    return tied;
}

// Evaluates the proposals of a step with the whole block and keeps those without clash and within their limits.
template <bool RESTRICTED>
__device__ __forceinline__ void propose(
    const Board& board, const Settings& settings, const u32* __restrict__ levels, u64 step, u32 individual, u32 temperature,
    const Moves& moves) {
    for (u32 proposal = threadIdx.x; proposal < moves.proposals; proposal += blockDim.x) {
        const Words words = philox(settings.key, proposal, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
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
        const u32 lane = proposal % 32, group = proposal / 32;
        if (accepted) {
            const u32 before = __popc(votes & ((1u << lane) - 1));
            moves.found[group * 32 + before] = {(int)delta, (u16)exam, (u8)from, (u8)to};
        }
        if (lane == 0) moves.counts[group] = __popc(votes);
    }
}

// Compacts the acceptable moves with the whole block; every thread gets their number.
__device__ __forceinline__ u32 gather(const Moves& moves) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32, groups = moves.proposals / 32;
    const u32 own = lane < groups ? moves.counts[lane] : 0;
    u32 end = own;
#pragma unroll
    for (u32 distance = 1; distance < 32; distance *= 2) {
        const u32 below = __shfl_up_sync(FULL_WARP, end, distance);
        if (lane >= distance) end += below;
    }
    for (u32 group = warp; group < groups; group += warps) {
        const u32 begin = __shfl_sync(FULL_WARP, end - own, group), count = __shfl_sync(FULL_WARP, own, group);
        if (lane < count) moves.moves[begin + lane] = moves.found[group * 32 + lane];
    }
    return __shfl_sync(FULL_WARP, end, 31);
}

// Returns the chosen lanes: lanes of `votes` are considered in ascending order, and one is chosen if it is tied to no chosen lane. `tied` holds the
// lanes to which a lane is tied.
__device__ __forceinline__ u32 choose_in_turn(u32 votes, u32 tied, u32 lane) {
    u32 chosen = 0;
    tied &= (1u << lane) - 1;
    for (u32 undecided = votes; undecided != 0;) {
        const bool turn = undecided >> lane & 1, rejected = turn && (tied & chosen) != 0;
        const bool ready = turn && !rejected && (tied & undecided) == 0;
        const u32 all_ready = __ballot_sync(FULL_WARP, ready);
        undecided &= ~(all_ready | __ballot_sync(FULL_WARP, rejected));
        chosen |= all_ready;
    }
    return chosen;
}

// Finds for every acceptable move the earlier moves of the same 32 to which it is tied, with the whole block: a warp takes some moves of one 32,
// and its lanes hold all of them.
template <bool RESTRICTED>
__device__ __forceinline__ void tie(const Board& board, const Moves& moves, u32 total) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    // Number of warps per 32 moves, at least one.
    const u32 parts = (total + 31) / 32, together = max(warps / max(parts, 1u), 1u);
    for (u32 part = warp / together; part < parts; part += warps / together) {
        const u32 first = part * 32, present = min(total - first, 32u);
        const u32 exam = lane < present ? moves.moves[first + lane].exam : 0;
        for (u32 move = warp % together; move < present; move += together * TIES) {
            bool tied[TIES];
#pragma unroll
            for (u32 i = 0; i < TIES; ++i) {
                const u32 own = min(move + i * together, present - 1), other = __shfl_sync(FULL_WARP, exam, own);
                tied[i] = lane < own && is_tied<RESTRICTED>(board, other, exam);
            }
#pragma unroll
            for (u32 i = 0; i < TIES; ++i) {
                const u32 votes = __ballot_sync(FULL_WARP, tied[i]);
                if (lane == 0 && move + i * together < present) moves.tied[first + move + i * together] = votes;
            }
        }
    }
}

// As `choose_in_turn`, but a move also needs free seats in its period when it is considered; with one warp.
__device__ __forceinline__ u32 choose_by_seats(const Board& board, const Move& own, u32 votes, u32 tied, u32 lane) {
    u32 chosen = 0;
    for (u32 rest = votes; rest != 0; rest &= rest - 1) {
        bool fits = false;
        if (lane == __ffs(rest) - 1u && (tied & chosen) == 0) {
            const u32 enrolment = board.demands.enrolment[own.exam];
            fits = board.load[own.to] + enrolment <= board.demands.seats[own.to];
            if (fits) {
                board.load[own.from] -= enrolment;
                board.load[own.to] += enrolment;
            }
        }
        chosen |= __ballot_sync(FULL_WARP, fits);
        __syncwarp();
    }
    return chosen;
}

// Applies chosen moves with one warp, one in each lane of `moved`. Chosen moves may share neighbours, but no moved exam is the neighbour of another
// one. If `set` is given, the exams and all exams that are tied to them are added to it.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_moves(
    const Board& board, u32 moved, const Move& own, u32 begin, u32 end, u32* set, u32 lane) {
    const u32 exam = own.exam, from = own.from, to = own.to;
    move_in_rows(board, moved, begin, end, from, to, set, lane);
    if (moved >> lane & 1) {
        board.place[exam] = (u8)to;
        atomicXor(&board.members[from * board.words + exam / 32], 1u << exam % 32);
        atomicXor(&board.members[to * board.words + exam / 32], 1u << exam % 32);
        if (set != nullptr) atomicOr(&set[exam / 32], 1u << exam % 32);
        if (RESTRICTED && set != nullptr) {
            const Demands& demands = board.demands;
            for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
                const u32 other = demands.relations[at] & 0xffffu;
                atomicOr(&set[other / 32], 1u << other % 32);
            }
        }
    }
}

// Chooses from the acceptable moves, in the order of the proposals, those whose exams are not tied to one chosen before, and applies them with the
// whole block, 32 at a time. Every thread gets the change of cost.
template <bool RESTRICTED>
__device__ __forceinline__ i64 choose_and_apply(const Board& board, const Moves& moves) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 total = gather(moves);
    __syncthreads();
    tie<RESTRICTED>(board, moves, total);
    __syncthreads();
    i64 delta = 0;
    for (u32 first = 0; first < total; first += 32) {
        const u32 present = min(total - first, 32u);
        const bool more = first + 32 < total;
        // Every warp holds all 32 moves, one per lane.
        const Move own = moves.moves[first + min(lane, present - 1)];
        const bool free = lane < present && (moves.blocked[own.exam / 32] >> own.exam % 32 & 1) == 0;
        const u32 votes = __ballot_sync(FULL_WARP, free), tied = free ? moves.tied[first + lane] : 0;
        u32 begin = 0, end = 0;
        if (free) {
            begin = __ldg(&board.offsets[own.exam]);
            end = __ldg(&board.offsets[own.exam + 1]);
        }
        u32 chosen = 0;
        if (RESTRICTED && board.demands.has_seats) {
            if (warp == 0) {
                chosen = choose_by_seats(board, own, votes, tied, lane);
                if (lane == 0) *moves.chosen = chosen;
            }
            __syncthreads();
            chosen = *moves.chosen;
        } else {
            chosen = choose_in_turn(votes, tied, lane);
            // No exam may be blocked before all warps have read which ones are free.
            if (more) __syncthreads();
        }
        const bool is_chosen = chosen >> lane & 1;
        const u32 rank = __popc(chosen & ((1u << lane) - 1));
        // The warps take turns; their number is a power of two.
        const u32 moved = __ballot_sync(FULL_WARP, is_chosen && (rank & (warps - 1)) == warp);
        apply_moves<RESTRICTED>(board, moved, own, begin, end, more ? moves.blocked : nullptr, lane);
        delta += is_chosen ? own.delta : 0;
        // The next 32 moves need the blocked exams.
        if (more) __syncthreads();
    }
    return group_sum<32>(delta);
}
