// The steps of annealing with Kempe chains, for a block that walks one chain.
//
// The reference of every step is `solver/src/timetabling/annealing/{cpu,board,restricted}.rs`. All that a step proposes is
// looked at side by side, from the same timetable; then what is chosen is applied.
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

// Rows of a set of exams that are under way at once.
#define ROWS 4u

// Neighbours that a lane has under way at once.
#define NEIGHBOURS 4u

// No exam.
#define NO_EXAM 0xffffffffu


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
    // Moves of one exam that a step proposes, and Kempe chains or exchanges; a multiple of 32, and of 8.
    u32 proposals, alternatives;
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

// A move of one exam that is clash-free and within its limit.
struct Move {
    int delta;
    u16 exam;
    u8 from, to;
};

// The acceptable moves of a step, in the order of the proposals: those of warp w of proposals begin at w·32.
struct Moves {
    Move* moves;
    u32* counts;
    u32 proposals;
};

// How 32 of them are chosen from.
struct Choice {
    // The earlier ones of the 32 that each is tied to.
    u32 tied[32];
    // Those that are tied to a move chosen before the 32.
    u32 blocked;
    // Number of moves that were chosen before.
    u32 picked;
    // Those of the 32 that one warp has chosen for all.
    u32 chosen;
};

// A swap of periods that was looked at.
struct Swap {
    i64 delta;
    u32 from, to, accepted;
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

// Whether an exam may move, as far as more than clashes and seats is concerned.
__device__ __forceinline__ bool may_move(const Board& board, u32 exam, u32 to) {
    const Demands& demands = board.demands;
    if (!is_allowed(demands, exam, to)) return false;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        const u32 relation = demands.relations[at];
        if (is_broken(relation >> 16, to, board.place[relation & 0xffffu])) return false;
    }
    return true;
}

// Whether a move of one exam can change what a move of the other does, or they are the same.
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

// Whether an exam must be elsewhere than another with which it shares no student.
__device__ __forceinline__ bool is_different(const Board& board, u32 exam) {
    const Demands& demands = board.demands;
    for (u32 at = demands.relation_offsets[exam]; at < demands.relation_offsets[exam + 1]; ++at) {
        if (demands.relations[at] >> 16 == 0) return true;
    }
    return false;
}

// The proposals of a step, by the whole block: those that clash with nothing and are within their limits.
template <bool RESTRICTED>
__device__ __forceinline__ void propose(
    const Board& board, const Walk& walk, const u32* __restrict__ levels, u64 step, u32 individual, u32 temperature,
    const Moves& found) {
    for (u32 proposal = threadIdx.x; proposal < found.proposals; proposal += blockDim.x) {
        const Words words = philox(walk.key, proposal, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
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
            found.moves[group * 32 + before] = {(int)delta, (u16)exam, (u8)from, (u8)to};
        }
        if (lane == 0) found.counts[group] = __popc(votes);
    }
}

// Number of acceptable moves.
__device__ __forceinline__ u32 count_of(const Moves& found) {
    u32 total = 0;
    for (u32 group = 0; group < found.proposals / 32; ++group) total += found.counts[group];
    return total;
}

// Where the acceptable move of this rank lies.
__device__ __forceinline__ u32 slot_of(const Moves& found, u32 rank) {
    u32 group = 0;
    for (; group + 1 < found.proposals / 32; ++group) {
        const u32 count = found.counts[group];
        if (rank < count) break;
        rank -= count;
    }
    return group * 32 + min(rank, 31u);
}

// The lanes that are chosen, where those of `votes` choose in turn and `tied` says to which earlier lanes each is tied.
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

// Whether 32 acceptable moves, one in every lane of every warp, are tied to each other or to one that was chosen before; by
// the whole block: a warp takes a move, its lanes those of the 32.
template <bool RESTRICTED>
__device__ __forceinline__ void tie(
    const Board& board, Choice& choice, const u16* picks, u32 present, u32 exam) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 move = warp; move < present; move += warps) {
        const u32 other = __shfl_sync(FULL_WARP, exam, move);
        const u32 tied = __ballot_sync(FULL_WARP, lane < move && is_tied<RESTRICTED>(board, other, exam));
        if (lane == 0) choice.tied[move] = tied;
    }
    for (u32 pick = warp; pick < choice.picked; pick += warps) {
        const u32 tied = __ballot_sync(FULL_WARP, lane < present && is_tied<RESTRICTED>(board, picks[pick], exam));
        if (lane == 0 && tied != 0) atomicOr(&choice.blocked, tied);
    }
}

// The same where a period must also have seats when a move's turn comes; by one warp.
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

// Keeps the set of a swap whose lanes have summed their shares of Δ, and says whether it is within its limit.
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
    // Where a rule is against it all lanes know, and there is nothing to sum.
    if (delta != FORBIDDEN) delta = group_sum<32>(delta);
    if (lane == 0) *swap = {delta, from, to, delta <= limit ? 1u : 0u};
}

// The Kempe chain of an exam between its period and another: all exams of the two that are connected to it. Every lane
// takes the exams of its own words; in a round all lanes look for the neighbours of one exam of each.
//
// Pairs inside the chain keep their distance:
//     Δ = Σ_i Δ(i alone) + 2·w(|a − b|)·Σ_{i from a} s(i, b).
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void kempe(
    const Board& board, u32 exam, u32 from, u32 to, i64 limit, u32* set, u32 lane, Swap* swap) {
    // Exams of the two periods that have neighbours in the other one: nobody else can be reached. Those not yet reached.
    u32 in_from[K], left_from[K], left_to[K], seen[K], fresh[K];
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        const u32 word = k * 32 + lane;
        in_from[k] = word < board.words ? board.members[from * board.words + word] : 0;
        const u32 in_to = word < board.words ? board.members[to * board.words + word] : 0;
        left_from[k] = 0;
        left_to[k] = 0;
        for (u32 bits = in_from[k] | in_to; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, member = word * 32 + bit;
            const bool first = in_from[k] >> bit & 1;
            bool reachable = board.cells[member * board.periods + (first ? to : from)] != 0;
            if (RESTRICTED) reachable = reachable || is_different(board, member);
            if (reachable && first) left_from[k] |= 1u << bit;
            if (reachable && !first) left_to[k] |= 1u << bit;
        }
        // The first exam is looked at at once.
        seen[k] = word == exam / 32 ? 1u << exam % 32 : 0;
        left_from[k] &= ~seen[k];
        fresh[k] = word < board.words ? __ldg(&board.adjacency[exam * board.words + word]) & left_to[k] : 0;
        left_to[k] &= ~fresh[k];
        seen[k] |= fresh[k];
    }
    for (;;) {
        bool any = false, any_from = false, any_to = false;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            any = any || fresh[k] != 0;
            any_from = any_from || left_from[k] != 0;
            any_to = any_to || left_to[k] != 0;
        }
        if (!__any_sync(FULL_WARP, any)) break;
        const bool wants_from = __any_sync(FULL_WARP, any_from), wants_to = __any_sync(FULL_WARP, any_to);
        if (!wants_from && !wants_to) break;
        u32 mine = NO_EXAM;
        bool first = false;
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            if (mine == NO_EXAM && fresh[k] != 0) {
                const u32 bit = __ffs(fresh[k]) - 1;
                mine = (k * 32 + lane) * 32 + bit;
                first = in_from[k] >> bit & 1;
                fresh[k] &= fresh[k] - 1;
            }
        }
        // Where everything on the other side is reached there is nothing to look for.
        u32 votes = __ballot_sync(FULL_WARP, mine != NO_EXAM && (first ? wants_to : wants_from));
        const u32 sides = __ballot_sync(FULL_WARP, first);
        u32 added_from[K], added_to[K];
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            added_from[k] = 0;
            added_to[k] = 0;
        }
        while (votes != 0) {
            // Several rows are under way at once.
            u32 rows[ROWS][K];
            u32 from_first = 0;
#pragma unroll
            for (u32 batch = 0; batch < ROWS; ++batch) {
                const u32 source = votes != 0 ? __ffs(votes) - 1 : 0;
                const u32 row = __shfl_sync(FULL_WARP, mine, source) * board.words;
                from_first |= (sides >> source & 1) << batch;
#pragma unroll
                for (u32 k = 0; k < K; ++k) {
                    const u32 word = k * 32 + lane;
                    rows[batch][k] = votes != 0 && word < board.words ? __ldg(&board.adjacency[row + word]) : 0;
                }
                votes &= votes - 1;
            }
#pragma unroll
            for (u32 batch = 0; batch < ROWS; ++batch) {
#pragma unroll
                for (u32 k = 0; k < K; ++k) {
                    if (from_first >> batch & 1) {
                        added_to[k] |= rows[batch][k];
                    } else {
                        added_from[k] |= rows[batch][k];
                    }
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < K; ++k) {
            added_from[k] &= left_from[k];
            added_to[k] &= left_to[k];
            left_from[k] &= ~added_from[k];
            left_to[k] &= ~added_to[k];
            seen[k] |= added_from[k] | added_to[k];
            fresh[k] |= added_from[k] | added_to[k];
        }
    }
    const i64 inside = 2 * weight(from > to ? from - to : to - from);
    i64 delta = 0;
#pragma unroll
    for (u32 k = 0; k < K; ++k) {
        for (u32 bits = seen[k]; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, member = (k * 32 + lane) * 32 + bit;
            const bool first = in_from[k] >> bit & 1;
            const u32 here = first ? from : to, there = first ? to : from;
            delta += near(board, member, there) - near(board, member, here);
            if (first) delta += inside * board.cells[member * board.periods + there];
        }
    }
    finish<K, RESTRICTED>(board, seen, delta, from, to, limit, set, lane, swap);
}

// Two whole periods swap places.
//
// Δ = Σ_{i in a} Σ_{t ≠ a, b} s(i, t)·(w(|b − t|) − w(|a − t|)), and likewise for b.
template <u32 K, bool RESTRICTED>
__device__ __forceinline__ void exchange(
    const Board& board, u32 a, u32 b, i64 limit, u32* set, u32 lane, Swap* swap) {
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
    finish<K, RESTRICTED>(board, own, delta, a, b, limit, set, lane, swap);
}

// One cell plus or minus students, where others may be at the other cell of the same word. Sums over a word are right at
// the end whatever the order, as no cell is below 0 or above 65,535 then.
__device__ __forceinline__ void add_to_cell(u16* cells, u32 cell, u32 students) {
    atomicAdd((u32*)cells + cell / 2, students << 16 * (cell & 1));
}

// An exam goes from one period to another in the rows of its neighbours, by one warp; `begin` and `end` say where those
// are listed.
__device__ __forceinline__ void move_in_rows(const Board& board, u32 begin, u32 end, u32 from, u32 to, u32 lane) {
    for (u32 at = begin + lane; at < end; at += 32 * NEIGHBOURS) {
        u32 neighbours[NEIGHBOURS];
#pragma unroll
        for (u32 i = 0; i < NEIGHBOURS; ++i) {
            neighbours[i] = at + i * 32 < end ? __ldg(&board.neighbours[at + i * 32]) : 0;
        }
#pragma unroll
        for (u32 i = 0; i < NEIGHBOURS; ++i) {
            if (at + i * 32 < end) {
                const u32 row = (neighbours[i] & 0xffffu) * board.periods, shared = neighbours[i] >> 16;
                add_to_cell(board.cells, row + from, 0u - shared);
                add_to_cell(board.cells, row + to, shared);
            }
        }
    }
}

// A chosen move, by one warp. Chosen moves may share neighbours, but no exam is the neighbour of another that moves.
__device__ __forceinline__ void apply_move(
    const Board& board, u32 exam, u32 from, u32 to, u32 begin, u32 end, u32 lane) {
    move_in_rows(board, begin, end, from, to, lane);
    if (lane == 0) {
        board.place[exam] = (u8)to;
        atomicXor(&board.members[from * board.words + exam / 32], 1u << exam % 32);
        atomicXor(&board.members[to * board.words + exam / 32], 1u << exam % 32);
    }
}

// Chooses from the acceptable moves, in the order of the proposals, those whose exams are not tied to one chosen before,
// and applies them; by the whole block, 32 at a time. Every thread gets the change of cost.
template <bool RESTRICTED>
__device__ __forceinline__ i64 choose_and_apply(const Board& board, const Moves& found, Choice& choice, u16* picks) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32, total = count_of(found);
    i64 delta = 0;
    for (u32 first = 0; first < total; first += 32) {
        const u32 present = min(total - first, 32u);
        // Every warp holds all of them, one in every lane.
        const Move own = found.moves[slot_of(found, first + lane)];
        u32 begin = 0, end = 0;
        if (lane < present) {
            begin = __ldg(&board.offsets[own.exam]);
            end = __ldg(&board.offsets[own.exam + 1]);
        }
        tie<RESTRICTED>(board, choice, picks, present, own.exam);
        __syncthreads();
        const u32 tied = lane < present ? choice.tied[lane] : 0;
        const u32 votes = (present == 32 ? FULL_WARP : (1u << present) - 1) & ~choice.blocked;
        const u32 picked = choice.picked;
        u32 chosen = 0;
        if (RESTRICTED && board.demands.has_seats) {
            if (warp == 0) {
                chosen = choose_by_seats(board, own, votes, tied, lane);
                if (lane == 0) choice.chosen = chosen;
            }
            __syncthreads();
            chosen = choice.chosen;
        } else {
            chosen = choose_in_turn(votes, tied, lane);
        }
        const bool is_chosen = chosen >> lane & 1;
        const u32 rank = __popc(chosen & ((1u << lane) - 1));
        // The warps take turns; their number is a power of two.
        for (u32 rest = __ballot_sync(FULL_WARP, is_chosen && (rank & (warps - 1)) == warp); rest != 0; rest &= rest - 1) {
            const u32 source = __ffs(rest) - 1;
            const u32 exam = __shfl_sync(FULL_WARP, (u32)own.exam, source);
            const u32 from = __shfl_sync(FULL_WARP, (u32)own.from, source), to = __shfl_sync(FULL_WARP, (u32)own.to, source);
            const u32 rows = __shfl_sync(FULL_WARP, begin, source), rows_end = __shfl_sync(FULL_WARP, end, source);
            apply_move(board, exam, from, to, rows, rows_end, lane);
        }
        delta += is_chosen ? own.delta : 0;
        if (first + 32 < total) {
            // The next 32 are looked at once everybody has read what stands there.
            __syncthreads();
            if (warp == 0) {
                if (is_chosen) picks[picked + rank] = own.exam;
                if (lane == 0) {
                    choice.picked = picked + __popc(chosen);
                    choice.blocked = 0;
                }
            }
            __syncthreads();
        }
    }
    return group_sum<32>(delta);
}

// The exams of a set swap two periods, by the whole block: a warp takes the exams of its words, one by one.
template <bool RESTRICTED>
__device__ __forceinline__ void apply_swap(const Board& board, const Swap& swap, const u32* set) {
    const u32 from = swap.from, to = swap.to;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 word = warp; word < board.words; word += warps) {
        const u32 all = set[word];
        if (all == 0) continue;
        const u32 in_from = board.members[from * board.words + word];
        for (u32 bits = all; bits != 0; bits &= bits - 1) {
            const u32 bit = __ffs(bits) - 1, exam = word * 32 + bit;
            const u32 here = in_from >> bit & 1 ? from : to, there = from + to - here;
            const u32 begin = __ldg(&board.offsets[exam]), end = __ldg(&board.offsets[exam + 1]);
            move_in_rows(board, begin, end, here, there, lane);
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

// Two whole periods swap places, by the whole block.
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
