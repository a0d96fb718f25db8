// Steps, temperatures and random choices that the annealing kernels for timetables share.
#pragma once

#include "types.cuh"

typedef unsigned short u16;
typedef long long i64;

// Temperature levels of a stage.
#define TEMPERATURE_LEVELS 16u

// Steps of a component in a launch: from … until − 1; the stage begins at `stage_begin` and has `level_steps` steps per temperature level.
struct StepRange {
    u64 from, until, stage_begin, level_steps;
};

// State of a chain between launches.
struct ChainRecord {
    i64 cost, best_cost;
    u64 evaluations;
};

// Returns the largest accepted worsening, with the arithmetic of `search/cooling.rs`; `levels` holds −ln u at 1,024 points.
__device__ __forceinline__ i64 limit_of(const u32* __restrict__ levels, u32 temperature, u32 word) {
    return (i64)((u64)temperature * __ldg(&levels[word >> 22]) >> 20);
}

// Returns period number `choice` among all periods except `taken`.
__device__ __forceinline__ u32 other_than(u32 taken, u32 choice) {
    return choice + (choice >= taken ? 1 : 0);
}

// Adds to a 16-bit cell while other threads may change the other cell of the same word, and returns the word before. The additions of a word are
// right at the end in any order, since both cells are within 0 … 65,535 then.
__device__ __forceinline__ u32 add_to_cell(u16* cells, u32 cell, u32 number) {
    return atomicAdd((u32*)cells + cell / 2, number << 16 * (cell & 1));
}
