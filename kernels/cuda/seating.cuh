// Timetable with rooms of an annealing chain and its tables, shared by the threads of a block.
//
// The references are `solver/timetabling/src/seating/{cpu,board,rooms,moves}.rs`. `seating_rooms.cuh` has the rooms,
// `seating_single.cuh` and `seating_chains.cuh` the moves.
#pragma once

#include "cooling.cuh"
#include "philox.cuh"
#include "reduce.cuh"

// Purposes of the random words.
#define CONTROL 0x28u
#define LANES 0x29u

// Number of `Session::levels`.
#define LEVELS 1024u

// 32-bit words of a set of periods.
#define SET_WORDS 8u

// Number of shifts, swaps or changes of rooms that a step decides together, and largest number of times that it does so.
#define PROPOSALS 64u
#define ROUNDS 4u
// Largest number of Kempe chains and of exchanges of periods of a step.
#define CHAINS 8u
#define EXCHANGES 2u

// Room of a sitting that has none, and of one that is split over several.
#define NO_ROOM 0xffffu
#define SPLIT 0xfffeu

// Bit of s(e, t) that keeps e out of t, and of `Board::traits` for nodes with constraints on the periods of others.
#define BARRED 0x8000u
#define RELATED 0x80000000u

// Bits of `Sitting::kind`: no other sitting may be in the room, but those related by OF_ONE_EXAM; it may be split over several rooms; it is related to
// other sittings by their rooms; it has a room in the reference timetable. The lower bits are the class of the duration.
#define OWN_ROOM 0x80000000u
#define MAY_SPLIT 0x40000000u
#define TIED_ROOM 0x20000000u
#define HAS_HOME 0x10000000u
#define DURATION 0xffffu

// Kinds of relations between the rooms of two sittings, in the upper half of `Session::room_related`: they must be in one room; they are of one exam and
// may share a room that holds one exam. Those of any other kind must not share a room.
#define TOGETHER 1u
#define OF_ONE_EXAM 2u

// Bits of `Cell::capacity`: the room cannot be used in the period; it holds one exam at a time. The lower bits are the seats.
#define CLOSED 0x80000000u
#define SINGLE 0x40000000u
#define SEATS 0x3fffffffu

// A sitting in `Cell::count`, and one that needs a room of its own.
#define ONE_SITTING 1u
#define OWN_SITTING 0x10001u

// Tables that lie in shared memory, as bits of `Settings::shared_tables`.
#define SHARED_NEAR 1u
#define SHARED_STUDENTS 2u
#define SHARED_MEMBERS 4u
#define SHARED_CELLS 8u
#define SHARED_LASTS 16u

// Parameters that all chains of a launch share.
struct Settings {
    Key key;
    // Thresholds of the control word: a step proposes Kempe chains below `kempe`, exchanges of periods below `exchange`, swaps below `swaps`,
    // changes of rooms below `changes`, and shifts otherwise.
    u64 kempe, exchange, swaps, changes;
    // Cost of each duration beyond the first in a room and period, of a room that is used in a period, and of each room beyond the first of a
    // sitting.
    i64 mixed_durations, opened, part;
    // Price of a part of a sitting outside of its room of reference.
    i64 leaving_room;
    // Steps of the launch.
    u64 from, until, stage_begin, level_steps;
    u32 nodes, words, periods;
    // Length of a row of near(e, t) and s(e, t), a multiple of 4.
    u32 stride;
    u32 sittings, rooms, durations;
    // Number of rooms in `Session::choices`; 1 if sitting n is the only one of node n, for all n.
    u32 choices, one_each;
    // Number of parts that all sittings that may be split have room for.
    u32 parts;
    // 32-bit words of a chain's solution and of its tables.
    u32 solution_words, table_words;
    // Tables in shared memory.
    u32 shared_tables;
    // Temperature levels of the stage, in 1/256 of a cost unit.
    u32 temperatures[TEMPERATURE_LEVELS];
    // First chain of the launch.
    u32 first;
};

// Students who sit one exam together: what most moves need of them.
struct __align__(16) Sitting {
    // Number of students in the lower 16 bits; in the upper ones the rank by descending number of students, then by index.
    u32 students_and_rank;
    // Class of the duration, and bits.
    u32 kind;
    // Rooms that it may use: choices[first_choice … first_choice + choices − 1], by ascending penalty.
    u32 first_choice, choices;

    __device__ __forceinline__ u32 students() const { return students_and_rank & 0xffffu; }
    __device__ __forceinline__ u32 rank() const { return students_and_rank >> 16; }
    __device__ __forceinline__ u32 duration() const { return kind & DURATION; }
    __device__ __forceinline__ bool has(u32 bit) const { return (kind & bit) != 0; }
};

// The rest of a sitting.
struct Details {
    u32 node;
    // Largest number of rooms, and the first of as many parts where it is 2 or more.
    u32 most_rooms, first_part;
    // Constraints on the rooms of other sittings.
    u32 first_related, related;
    // Room of the reference timetable.
    u32 home;
};

// State of one room in one period.
struct __align__(16) Cell {
    // Seats taken.
    u32 used;
    // Seats, and bits.
    u32 capacity;
    // Number of sittings in the lower 16 bits, of those that need a room of their own in the upper ones.
    u32 count;
    // Number of different durations.
    u32 distinct;
};

// Four neighbouring entries of a row of 16 bits, two in a word.
struct __align__(8) Duo {
    u32 x, y;
};

// Four neighbouring entries of a row.
struct __align__(16) Quad {
    int x, y, z, w;
};

// A part of a split sitting in a room; the parts of a sitting end at one without students.
struct Part {
    u32 room, students;
};

// Tables of the session, in global memory.
struct Session {
    // Neighbours of node n: neighbours[offsets[n] … offsets[n + 1] − 1], node in the lower 16 bits, shared students in the upper ones.
    const u32* offsets;
    const u32* neighbours;
    // Neighbours of each node as a bit set.
    const u32* adjacency;
    // W[t][u] at t·stride + u.
    const int* pair_costs;
    // Allowed periods of each node.
    const u32* allowed;
    // Constraints of node n on the periods of others: node in the lower 16 bits, number of the table in the upper ones.
    const u32* related_offsets;
    const u32* related;
    // For each kind of constraint and each period of a node: the allowed periods of the other node.
    const u32* tables;
    const Sitting* sittings;
    const Details* details;
    const u32* first_sitting;
    // Upper bound on what other rooms save for each node when it moves.
    const u32* most_saved;
    // Sittings by rank.
    const u32* by_rank;
    const u32* choices;
    // Other sitting in the lower 16 bits; bit 16 is set if both must be in one room.
    const u32* room_related;
    // Cost of a sitting in each room.
    const u32* penalties;
    const u32* levels;
};

// Timetable of a chain with its tables, in shared or global memory.
struct Board {
    const Settings& settings;
    const Session& session;
    // Period of each node, room of each sitting.
    u16* place;
    u16* room;
    Part* parts;
    // near(e, t) and s(e, t) at e·stride + t. With `is_narrow` near(e, t) is in `narrow`, of 16 bits, otherwise in `near`; s(e, t) is below 32,768
    // and has the bit BARRED where e is not allowed in t; and `traits` holds for each node `Session::most_saved`, and RELATED where it applies.
    bool is_narrow;
    u16* narrow;
    int* near;
    u16* students;
    u32* traits;
    // Those of the session; with `is_narrow` in shared memory.
    const Sitting* sittings;
    const u32* penalties;
    // As those of the session, with 16 bits, in shared memory; only with `is_narrow`.
    const u16* by_rank;
    const u16* choices;
    const u16* pair_costs;
    const u16* levels;
    // Nodes of each period as bit sets.
    u32* members;
    Cell* cells;
    // Sittings of each class of durations d in room r and period p, at (p·rooms + r)·durations + d.
    u16* lasts;
    // Rooms and parts of the sittings of a move before it was tried, and these sittings in the order in which they are seated.
    u16* saved;
    Part* saved_parts;
    u16* list;
    // Sittings of a move by rank, as a bit set.
    u32* ranks;
};

// Returns true if the set of periods has `period`.
__device__ __forceinline__ bool has(const u32* __restrict__ set, u32 period) {
    return __ldg(&set[period / 32]) >> period % 32 & 1;
}

// Number of students of a node who sit another exam in a period, with BARRED if the board has this bit.
__device__ __forceinline__ u32 cell_of_students(const Board& board, u32 node, u32 period) {
    return board.students[node * board.settings.stride + period];
}

// Returns true if a node is allowed in a period.
__device__ __forceinline__ bool permits(const Board& board, u32 node, u32 period) {
    if (board.is_narrow) return (cell_of_students(board, node, period) & BARRED) == 0;
    return has(board.session.allowed + node * SET_WORDS, period);
}

// Returns true if students or the calendar keep a node out of a period.
__device__ __forceinline__ bool is_barred(const Board& board, u32 node, u32 period) {
    return cell_of_students(board, node, period) != 0 || (!board.is_narrow && !permits(board, node, period));
}

// Upper bound on what other rooms save for a node when it moves.
__device__ __forceinline__ i64 most_saved_of(const Board& board, u32 node) {
    return board.is_narrow ? board.traits[node] & ~RELATED : __ldg(&board.session.most_saved[node]);
}

// Returns true if a node has constraints on the periods of others.
__device__ __forceinline__ bool has_related(const Board& board, u32 node) {
    if (board.is_narrow) return (board.traits[node] & RELATED) != 0;
    return __ldg(&board.session.related_offsets[node]) != __ldg(&board.session.related_offsets[node + 1]);
}

// Sum over a warp of numbers that are sums of near(e, t) and of what rooms cost or save, for different nodes; with `is_narrow` 32 bits hold it.
__device__ __forceinline__ i64 sum_of_warp(const Board& board, i64 number) {
    if (!board.is_narrow) return group_sum<32>(number);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(FULL_WARP, (int)number);
#else
    return group_sum<32>((int)number);
#endif
}

__device__ __forceinline__ i64 near(const Board& board, u32 node, u32 period) {
    const u32 at = node * board.settings.stride + period;
    return board.is_narrow ? (i64)board.narrow[at] : (i64)board.near[at];
}

__device__ __forceinline__ i64 pair_cost(const Board& board, u32 t, u32 u) {
    const u32 at = t * board.settings.stride + u;
    return board.is_narrow ? (i64)board.pair_costs[at] : (i64)__ldg(&board.session.pair_costs[at]);
}

// As `limit_of`, with the levels of the session.
__device__ __forceinline__ i64 limit_at(const Board& board, u32 temperature, u32 word) {
    if (board.is_narrow) return (i64)((u64)temperature * board.levels[word >> 22] >> 20);
    return limit_of(board.session.levels, temperature, word);
}

// First sitting of a node; behind the last node, the number of sittings.
__device__ __forceinline__ u32 first_sitting(const Board& board, u32 node) {
    return board.settings.one_each ? node : __ldg(&board.session.first_sitting[node]);
}

__device__ __forceinline__ u32 node_of(const Board& board, u32 sitting) {
    return board.settings.one_each ? sitting : __ldg(&board.session.details[sitting].node);
}

__device__ __forceinline__ u32 sitting_of_rank(const Board& board, u32 rank) {
    return board.is_narrow ? board.by_rank[rank] : __ldg(&board.session.by_rank[rank]);
}

// Room `number` of those that a sitting may use.
__device__ __forceinline__ u32 choice(const Board& board, const Sitting& sitting, u32 number) {
    const u32 at = sitting.first_choice + number;
    return board.is_narrow ? board.choices[at] : __ldg(&board.session.choices[at]);
}

// Returns true if the nodes share students or must be in different periods.
__device__ __forceinline__ bool is_adjacent(const Board& board, u32 node, u32 other) {
    return __ldg(&board.session.adjacency[node * board.settings.words + other / 32]) >> other % 32 & 1;
}

// Returns the number of students whom two nodes share.
__device__ __forceinline__ u32 shared_students(const Board& board, u32 node, u32 other) {
    u32 begin = __ldg(&board.session.offsets[node]), end = __ldg(&board.session.offsets[node + 1]);
    while (begin < end) {
        const u32 middle = (begin + end) / 2, neighbour = __ldg(&board.session.neighbours[middle]);
        if ((neighbour & 0xffffu) == other) return neighbour >> 16;
        if ((neighbour & 0xffffu) < other) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return 0;
}

// Returns true if the constraints on the periods of other nodes allow `node` in `period`; `after(other)` is the period of another node.
template <typename After>
__device__ __forceinline__ bool suits_related(const Board& board, u32 node, u32 period, const After& after) {
    const Session& session = board.session;
    if (!has_related(board, node)) return true;
    for (u32 at = __ldg(&session.related_offsets[node]); at < __ldg(&session.related_offsets[node + 1]); ++at) {
        const u32 related = __ldg(&session.related[at]);
        const u32* const table = session.tables + ((related >> 16) * board.settings.periods + period) * SET_WORDS;
        if (!has(table, after(related & 0xffffu))) return false;
    }
    return true;
}

// Adds `shared`·(W[to][u] − W[from][u]) to near(e, u) for four neighbouring periods u, of which `first` is the first, while other threads may
// change the same entries; `row` is the entry near(e, 0).
__device__ __forceinline__ void add_near(const Board& board, u32 row, u32 first, u32 from, u32 to, u32 shared) {
    const u32 stride = board.settings.stride;
    if (board.is_narrow) {
        // Two entries in a word, also of the costs: they are right at the end in any order, as in `add_to_cell`.
        const u16* const costs = board.pair_costs + first;
        const Duo leaves = *(const Duo*)(costs + from * stride), enters = *(const Duo*)(costs + to * stride);
        u32* const pairs = (u32*)(board.narrow + row + first);
        if (enters.x != leaves.x) atomicAdd(&pairs[0], shared * (enters.x - leaves.x));
        if (enters.y != leaves.y) atomicAdd(&pairs[1], shared * (enters.y - leaves.y));
    } else {
        const int* const costs = board.session.pair_costs + first;
        const Quad leaves = *(const Quad*)(costs + from * stride), enters = *(const Quad*)(costs + to * stride);
        int* const entries = board.near + row + first;
        if (enters.x != leaves.x) atomicAdd(&entries[0], (int)shared * (enters.x - leaves.x));
        if (enters.y != leaves.y) atomicAdd(&entries[1], (int)shared * (enters.y - leaves.y));
        if (enters.z != leaves.z) atomicAdd(&entries[2], (int)shared * (enters.z - leaves.z));
        if (enters.w != leaves.w) atomicAdd(&entries[3], (int)shared * (enters.w - leaves.w));
    }
}

// Moves nodes in all tables but those of the rooms, with the whole block; `target(node, number)` is the period to which node `number` moves.
template <typename Target>
__device__ __forceinline__ void move_nodes(const Board& board, const u16* nodes, u32 count, const Target& target) {
    const Session& session = board.session;
    const u32 stride = board.settings.stride, words = board.settings.words, quads = stride / 4;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    // Few nodes have their neighbours shared by several warps each.
    const u32 parts = max(warps / max(count, 1u), 1u);
    // Nodes may have neighbours in common: their rows are changed by additions in any order.
    for (u32 task = warp; task < count * parts; task += warps) {
        const u32 number = task / parts, part = task % parts;
        const u32 node = nodes[number], from = board.place[node], to = target(node, number);
        const u32 first = __ldg(&session.offsets[node]), all = __ldg(&session.offsets[node + 1]) - first;
        const u32 begin = first + all * part / parts, neighbours = first + all * (part + 1) / parts - begin;
        // Lane `lane` begins with entry `lane` of all rows in a line, four periods each, and goes on by 32 entries.
        u32 which = lane / quads, quad = lane % quads;
        u32 neighbour = which < neighbours ? __ldg(&session.neighbours[begin + which]) : 0;
        while (which < neighbours) {
            const u32 row = (neighbour & 0xffffu) * stride, first_period = 4 * quad, shared = neighbour >> 16;
            which += 32 / quads;
            quad += 32 % quads;
            if (quad >= quads) {
                quad -= quads;
                ++which;
            }
            // The next neighbour is loaded before this one's row is changed.
            if (which < neighbours) neighbour = __ldg(&session.neighbours[begin + which]);
            add_near(board, row, first_period, from, to, shared);
        }
        for (u32 at = lane; at < neighbours; at += 32) {
            const u32 neighbour = __ldg(&session.neighbours[begin + at]), row = (neighbour & 0xffffu) * stride;
            add_to_cell(board.students, row + to, neighbour >> 16);
            add_to_cell(board.students, row + from, 0u - (neighbour >> 16));
        }
    }
    // The periods are read until all rows are changed.
    __syncthreads();
    for (u32 number = threadIdx.x; number < count; number += blockDim.x) {
        const u32 node = nodes[number], from = board.place[node], to = target(node, number);
        board.place[node] = (u16)to;
        atomicXor(&board.members[from * words + node / 32], 1u << node % 32);
        atomicXor(&board.members[to * words + node / 32], 1u << node % 32);
    }
}
