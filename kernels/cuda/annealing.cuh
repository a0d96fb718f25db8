// Conflict-free timetable of an annealing chain with its tables, shared by the threads of a block.
//
// The references are `solver/timetabling/src/annealing/{cpu,board,restricted}.rs`. All proposals of a step are evaluated in parallel on the same
// timetable; then the chosen ones are applied. `shifts.cuh` moves single exams, `swaps.cuh` exchanges exams of two periods.
//
// Source of Kempe chain moves: J. M. Thompson, K. A. Dowsland, «A robust simulated annealing based examination timetabling system», Computers &
// Operations Research 25(7–8), 1998.
#pragma once

#include "cooling.cuh"
#include "demands.cuh"
#include "philox.cuh"
#include "reduce.cuh"

// Purposes of the random words.
#define CONTROL 0x20u
#define LANES 0x21u

// A change of cost that no temperature accepts: the move would break a rule.
#define FORBIDDEN 0x7fffffffffffffffll

// Number of neighbours that a lane loads at once.
#define NEIGHBOURS 2u

// Marks no exam.
#define NO_EXAM 0xffffffffu

// Parameters that all chains of a launch share.
struct Settings {
    Key key;
    // Thresholds of the control word: below `kempe` a step proposes Kempe chains, below `exchange` exchanges of periods.
    u64 kempe, exchange;
    u32 periods;
    // Number of chains of a component.
    u32 chains;
    // Temperature levels of the stage, in 1/256 of a cost unit.
    u32 temperatures[TEMPERATURE_LEVELS];
};

// Connected component of the conflict graph, with exams numbered from 0; `first_…` are the beginnings of its rows in the tables of all
// components.
struct Component {
    u32 exams;
    // 32-bit words of a set of exams, and of a row with one byte per exam.
    u32 words, row;
    u32 first_exam, first_adjacent, first_place;
    // Number of proposals of a step: moves of single exams (a multiple of 32), and Kempe chains or exchanges (a multiple of 8).
    u32 proposals, alternatives;
};

// Conflict-free timetable of one component and its tables. Tables of the instance lie in global memory, those of the chain in shared memory
// (`cells` in global memory if they do not fit).
struct Board {
    u32 exams, words, periods;
    // Neighbours of exam e: neighbours[offsets[e] … offsets[e + 1]], exam in the lower 16 bits, shared students in the upper ones.
    const u32* offsets;
    const u32* neighbours;
    // Neighbours of each exam as a bit set.
    const u32* adjacency;
    Demands demands;
    // s(e, t) at e·periods + t: number of students that exam e shares with the exams of period t.
    u16* cells;
    // Exams of each period as a bit set.
    u32* members;
    // Period of each exam.
    u8* place;
    // Number of students per period; used if seats are limited.
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

// Price of an exam in a period.
__device__ __forceinline__ i64 price(const Board& board, u32 exam, u32 period) {
    return board.demands.has_prices ? (i64)board.demands.prices[(u64)exam * board.periods + period] : 0;
}

// Neighbours of an exam that the lanes of a warp load at once; 0 stands for none, because neighbours share students.
__device__ __forceinline__ void load_neighbours(const Board& board, u32 at, u32 end, u32 lane, u32 (&neighbours)[NEIGHBOURS]) {
#pragma unroll
    for (u32 i = 0; i < NEIGHBOURS; ++i) {
        neighbours[i] = at + i * 32 + lane < end ? __ldg(&board.neighbours[at + i * 32 + lane]) : 0;
    }
}

// Moves exams between two periods in the rows of their neighbours, with one warp. Each lane of `moved` holds an exam: the bounds of its list of
// neighbours and its periods. If `set` is given, the neighbours are added to it.
//
// The neighbours of an exam are loaded while those of the exam before are moved.
__device__ __forceinline__ void move_in_rows(
    const Board& board, u32 moved, u32 begin, u32 end, u32 from, u32 to, u32* set, u32 lane) {
    if (moved == 0) return;
    u32 next[NEIGHBOURS];
    u32 source = __ffs(moved) - 1;
    load_neighbours(board, __shfl_sync(FULL_WARP, begin, source), __shfl_sync(FULL_WARP, end, source), lane, next);
    while (moved != 0) {
        u32 neighbours[NEIGHBOURS];
#pragma unroll
        for (u32 i = 0; i < NEIGHBOURS; ++i) neighbours[i] = next[i];
        const u32 periods = __shfl_sync(FULL_WARP, from | to << 16, source);
        const u32 here = periods & 0xffffu, there = periods >> 16;
        u32 at = __shfl_sync(FULL_WARP, begin, source);
        const u32 stop = __shfl_sync(FULL_WARP, end, source);
        moved &= moved - 1;
        source = moved != 0 ? __ffs(moved) - 1 : source;
        load_neighbours(board, __shfl_sync(FULL_WARP, begin, source), __shfl_sync(FULL_WARP, end, source), lane, next);
        for (;;) {
#pragma unroll
            for (u32 i = 0; i < NEIGHBOURS; ++i) {
                if (neighbours[i] != 0) {
                    const u32 neighbour = neighbours[i] & 0xffffu, shared = neighbours[i] >> 16;
                    const u32 row = neighbour * board.periods;
                    if (set != nullptr) atomicOr(&set[neighbour / 32], 1u << neighbour % 32);
                    add_to_cell(board.cells, row + here, 0u - shared);
                    add_to_cell(board.cells, row + there, shared);
                }
            }
            at += 32 * NEIGHBOURS;
            if (at >= stop) break;
            load_neighbours(board, at, stop, lane, neighbours);
        }
    }
}
