// Iterated greedy for permutation flow shops: a block runs a chain, many steps in one launch. The reference is
// `solver/flowshop/src/greedy/chain.rs`.
//
// A chain runs until its last step is done or its share of work is used up; its state then lies in global memory, so launches stay short, and results
// do not depend on where they end. Values that all threads need (costs, lengths, the stage of the step) are kept in every thread.
//
// `Accelerated` evaluates makespans with Taillard's acceleration; `Direct` evaluates the other objectives, and makespans with release dates. Both
// evaluate the next jobs of a round in parallel and take the first one with a better position; the evaluations of later jobs are discarded and not
// counted.
//
// Sources: R. Ruiz, T. Stützle, «A simple and effective iterated greedy algorithm for the permutation flowshop scheduling problem», EJOR 177(3),
// 2007; É. Taillard, «Some efficient heuristic methods for the flow shop sequencing problem», EJOR 47(1), 1990.
#include "greedy_accelerated.cuh"
#include "greedy_chain.cuh"
#include "greedy_direct.cuh"

#define GREEDY(NAME, SEARCHER, T, SHARED, BLOCKS)                                                                     \
    extern "C" __global__ void __launch_bounds__(32 * MOST_WARPS, BLOCKS) NAME(                                       \
        Settings settings, const T* times, const u32* releases, const u32* dues, const u32* levels, u8* rooms,        \
        u16* orders, u16* bests, u16* kept, Record* records) {                                                        \
        __shared__ Slots slots;                                                                                       \
        const u32 chain = settings.first + blockIdx.x;                                                                \
        u8* const room = SHARED ? (u8*)shared_memory : rooms + (u64)blockIdx.x * settings.room;                       \
        SEARCHER searcher(times, room, SHARED, settings, releases, dues, &slots);                                     \
        walk(searcher, settings, {levels, orders, bests, kept, records}, chain);                                      \
    }

#define COMMA ,
// Makespan with Taillard's acceleration: up to 5, 10, 20 and 64 machines; variants with 32-bit times and with tables in global memory.
GREEDY(greedy_5, Accelerated<5 COMMA u16>, u16, true, 2)
GREEDY(greedy_10, Accelerated<10 COMMA u16>, u16, true, 2)
GREEDY(greedy_20, Accelerated<20 COMMA u16>, u16, true, 2)
GREEDY(greedy_64, Accelerated<64 COMMA u16>, u16, true, 1)
GREEDY(greedy_global_20, Accelerated<20 COMMA u16>, u16, false, 2)
GREEDY(greedy_wide_20, Accelerated<20 COMMA u32>, u32, true, 2)
GREEDY(greedy_wide_global_20, Accelerated<20 COMMA u32>, u32, false, 2)
GREEDY(greedy_wide_global_128, Accelerated<128 COMMA u32>, u32, false, 1)
// Other objectives.
GREEDY(greedy_direct_5, Direct<5>, u32, true, 2)
GREEDY(greedy_direct_10, Direct<10>, u32, true, 2)
GREEDY(greedy_direct_20, Direct<20>, u32, true, 2)
GREEDY(greedy_direct_64, Direct<64>, u32, true, 1)
GREEDY(greedy_direct_global_20, Direct<20>, u32, false, 2)
GREEDY(greedy_direct_global_128, Direct<128>, u32, false, 1)
