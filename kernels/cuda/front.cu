// Complete neighbourhoods of flow shop permutations, evaluated for several objectives at once.
//
//     C(i, k) = max(C(i−1, k), C(i, k−1)) + p(i, order[k]),   C(−1, k) = release of order[k],   C(i, −1) = 0
//     makespan C(m−1, n−1),   Σ C(m−1, k),   Σ max(0, C(m−1, k) − due),   |{k : C(m−1, k) > due}|
//
// A member is a permutation whose neighbourhood is explored. A thread computes two neighbours that differ from it from the same position a on, and
// starts with the completion times of the prefix, which `prepare` has computed. All lanes of a warp have neighbours with the same a:
//
// * insertion: lane x has the neighbour that moves the job from position x to a (low), and the one that moves the job from a to x (high). Before
//   position x they have order[k−1] and order[k+1] at position k, whatever x is: the *mixed row* of k; behind it order[k].
// * exchange: of position a with x (low) and with x + 1 (high). Both have order[k] at all other positions.
//
// So all lanes read the same row, except in the positions that are x of a lane of the warp. If all times have 16 bits, both neighbours share a
// register, and compute capability 9.0 computes additions and maxima of both halves in one instruction. A point covers another one if it is nowhere
// worse.
//
// Source: T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A case study: the flowshop
// scheduling problem», EvoCOP 2011: neighbours generated on the device, prefixes left out, three kinds of memory.
#include "front_archive.cuh"
#include "front_choice.cuh"
#include "front_evaluation.cuh"
#include "front_preparation.cuh"

// Evaluates the neighbours of a block and filters them, chooses among them, or writes all values.
template <class L>
__device__ __forceinline__ void explore(
    const Task& task, const u32* tasks, const u32* input, const typename L::T::Word* rows, const typename L::T::Word* heads,
    const u32* sums, const u32* nearest, u32* out, u32* counts) {
    Neighbours found;
    evaluate<L>(task, tasks, rows, heads, sums, found);
    const u32* const member = input + (u64)blockIdx.y * (HEADER + task.jobs);
    if (task.mode == SIFTED) {
        sift_block(task, member, nearest + (u64)blockIdx.y * 4 * NEAREST, found, out, counts);
    } else if (task.mode == BEST) {
        choose_block(task, member, found, out);
    } else {
        const u64 size = (u64)task.jobs * (task.jobs - 1) / (task.exchange != 0 ? 2 : 1);
        for (u32 half = 0; half < 2; ++half) {
            if (!found.there[half]) continue;
            Quad values;
            for (u32 k = 0; k < 4; ++k) values.word[k] = found.values[half][k];
            ((Quad*)out)[blockIdx.y * size + found.number[half]] = values;
        }
    }
}

#define EXPLORE(NAME, WORD, ...)                                                                                          \
    extern "C" __global__ void __launch_bounds__(512) NAME(                                                               \
        Task task, const u32* tasks, const u32* input, WORD* rows, WORD* heads, u32* sums, const u32* nearest, u32* out,   \
        u32* counts) {                                                                                                    \
        explore<__VA_ARGS__>(task, tasks, input, rows, heads, sums, nearest, out, counts);                                \
    }

// Up to 5, 10 and 20 machines, with rows in each kind of memory.
EXPLORE(explore_5_shared, u32, Registers<5, SHARED>)
EXPLORE(explore_10_shared, u32, Registers<10, SHARED>)
EXPLORE(explore_20_shared, u32, Registers<20, SHARED>)
EXPLORE(explore_5_global, u32, Registers<5, GLOBAL>)
EXPLORE(explore_10_global, u32, Registers<10, GLOBAL>)
EXPLORE(explore_20_global, u32, Registers<20, GLOBAL>)
EXPLORE(explore_5_read_only, u32, Registers<5, READ_ONLY>)
EXPLORE(explore_10_read_only, u32, Registers<10, READ_ONLY>)
EXPLORE(explore_20_read_only, u32, Registers<20, READ_ONLY>)
// Any number of machines, with times of 16 and of 32 bits.
EXPLORE(explore_any, u32, Memory<Narrow>)
EXPLORE(explore_any_wide, Two, Memory<Wide>)

extern "C" __global__ void __launch_bounds__(32 * SETTERS) prepare(
    Task task, const u32* times, const u32* input, u32* rows, u32* heads, u32* sums, u32* points, u32* nearest, u32* counts,
    u32* out) {
    set_out<Narrow>(task, times, input, rows, heads, sums, points, nearest, counts, out);
}

extern "C" __global__ void __launch_bounds__(32 * SETTERS) prepare_wide(
    Task task, const u32* times, const u32* input, Two* rows, Two* heads, u32* sums, u32* points, u32* nearest, u32* counts,
    u32* out) {
    set_out<Wide>(task, times, input, rows, heads, sums, points, nearest, counts, out);
}

// Writes the candidates that neither the archive nor another candidate of the same member covers: a warp per candidate. Their number stands before
// them; their order is not defined.
extern "C" __global__ void __launch_bounds__(32 * SIFTERS) sift(
    Task task, const u32* points, const u32* candidates, const u32* counts, u32* out) {
    const u32 lane = threadIdx.x % 32, count = counts[blockIdx.y];
    const u32* const list = candidates + (u64)blockIdx.y * task.room * CANDIDATE;
    const u32* const numbers = list + (u64)task.room * 4;
    for (u32 one = blockIdx.x * SIFTERS + threadIdx.x / 32; one < count; one += gridDim.x * SIFTERS) {
        const Quad own = ((const Quad*)list)[one];
        const u32 number = numbers[one];
        // A candidate that is covered by a covered candidate is covered itself, since covering is transitive.
        if (falls((const Quad*)points, nullptr, task.known, own, number)) continue;
        if (falls((const Quad*)list, numbers, count, own, number)) continue;
        if (lane != 0) continue;
        u32* const to = out + 1 + (u64)atomicAdd(out, 1u) * LEFT;
        to[0] = blockIdx.y;
        to[1] = number;
        for (u32 axis = 0; axis < 4; ++axis) to[2 + axis] = own.word[axis];
    }
}

// Chooses the best admissible neighbour of every member, or the best of all if none is admissible: a warp per member.
extern "C" __global__ void __launch_bounds__(32) choose(Task task, const u32* choices, u32* out) {
    const u32 lane = threadIdx.x;
    Choice best[2];
#pragma unroll
    for (u32 kind = 0; kind < 2; ++kind) {
        best[kind].clear();
        for (u32 segment = lane; segment < task.segments; segment += 32) {
            Choice here;
            here.read(choices + (((u64)blockIdx.x * task.segments + segment) * 2 + kind) * CHOICE);
            const Choice& now = best[kind];
            if (here.sum < now.sum || (here.sum == now.sum && here.number < now.number)) best[kind] = here;
        }
    }
    const bool allowed = __any_sync(FULL_WARP, best[0].number != NONE);
    best[allowed ? 0 : 1].least(out + (u64)blockIdx.x * CHOICE);
}
