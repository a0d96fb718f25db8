// A conflict-free timetable with its tables, for a block that walks one chain of annealing with Kempe chains.
//
// The reference of every step is `solver/src/timetabling/annealing/{cpu,board,restricted}.rs`. All that a step proposes is
// looked at side by side, from the same timetable; then what is chosen is applied. `shifts.cuh` moves single exams,
// `swaps.cuh` the exams of two periods.
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

// Neighbours that a lane has under way at once.
#define NEIGHBOURS 2u

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

// One cell plus or minus students, where others may be at the other cell of the same word. Sums over a word are right at
// the end whatever the order, as no cell is below 0 or above 65,535 then.
__device__ __forceinline__ void add_to_cell(u16* cells, u32 cell, u32 students) {
    atomicAdd((u32*)cells + cell / 2, students << 16 * (cell & 1));
}

// An exam goes from one period to another in the rows of its neighbours, by one warp; `begin` and `end` say where those
// are listed. Where a set is given they are put into it.
__device__ __forceinline__ void move_in_rows(
    const Board& board, u32 begin, u32 end, u32 from, u32 to, u32* set, u32 lane) {
    for (u32 at = begin + lane; at < end; at += 32 * NEIGHBOURS) {
        u32 neighbours[NEIGHBOURS];
#pragma unroll
        for (u32 i = 0; i < NEIGHBOURS; ++i) {
            neighbours[i] = at + i * 32 < end ? __ldg(&board.neighbours[at + i * 32]) : 0;
        }
#pragma unroll
        for (u32 i = 0; i < NEIGHBOURS; ++i) {
            if (at + i * 32 < end) {
                const u32 neighbour = neighbours[i] & 0xffffu, shared = neighbours[i] >> 16;
                const u32 row = neighbour * board.periods;
                if (set != nullptr) atomicOr(&set[neighbour / 32], 1u << neighbour % 32);
                add_to_cell(board.cells, row + from, 0u - shared);
                add_to_cell(board.cells, row + to, shared);
            }
        }
    }
}
