// Makespan and total completion time of given job permutations of a flow shop.
//
//     C(i, k) = max(C(i−1, k), C(i, k−1)) + p(i, order[k]),   C(−1, k) = release of order[k],   C(i, −1) = 0
//
// Machine i computes position k in step i + k, so all elements of an anti-diagonal are computed in parallel.
//
// Kernels `orders_G_K` evaluate many permutations: G neighbouring lanes of a warp take a permutation, with K neighbouring machines each, and pass
// completion times on through registers without a barrier. `diagonals` is the published form.
//
// Source: W. Bożejko, C. Smutnicki, M. Uchroński, «Parallel calculating of the goal function in metaheuristics using GPU», ICCS 2009.
#include "types.cuh"

typedef unsigned short u16;

extern __shared__ __align__(16) u32 shared_memory[];

// Evaluates permutations with groups of G lanes; the groups of all blocks take the permutations in turn.
//
// `times` holds a row of G·K words per job: machine i = K·lane + q lies at q·G + lane, so that with G = 32 every lane reads from its own shared memory
// bank. Padding machines have processing time 0 and pass completion times on; lane `last`, the last one with a machine, ends with the completion
// times of the last machine.
template <u32 G, u32 K, bool SHARED>
__device__ __forceinline__ void evaluate(
    const u32* __restrict__ times, const u32* __restrict__ releases, const u16* __restrict__ orders, u32* makespans,
    u64* sums, u32 jobs, u32 last, u32 count, u32 has_releases) {
    if (SHARED) {
        for (u32 word = threadIdx.x; word < jobs * (G * K); word += blockDim.x) shared_memory[word] = times[word];
        __syncthreads();
    }
    const u32 lane = threadIdx.x % G, group = threadIdx.x % 32 / G;
    const u32 warps = blockDim.x / 32 * gridDim.x, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    // All lanes of a warp continue while one of its groups has a permutation.
    for (u64 first = (u64)warp * (32 / G); first < count; first += (u64)warps * (32 / G)) {
        const bool there = first + group < count;
        const u64 number = there ? first + group : first;
        const u16* const order = orders + number * jobs;
        u32 ends[K];
#pragma unroll
        for (u32 q = 0; q < K; ++q) ends[q] = 0;
        u32 passed = 0;
        u64 sum = 0;
#pragma unroll 4
        for (u32 step = 0; step < jobs + last; ++step) {
            const u32 received = __shfl_up_sync(FULL_WARP, passed, 1, G);
            // For lanes that have not begun the position wraps around to a large number.
            const u32 position = step - lane;
            if (position < jobs) {
                const u32 job = order[position];
                u32 ready = received;
                if (lane == 0) ready = has_releases != 0 ? __ldg(&releases[job]) : 0;
#pragma unroll
                for (u32 q = 0; q < K; ++q) {
                    const u32 at = (job * K + q) * G + lane;
                    ready = max(ready, ends[q]) + (SHARED ? shared_memory[at] : __ldg(&times[at]));
                    ends[q] = ready;
                }
                passed = ready;
                sum += ready;
            }
        }
        if (there && lane == last) {
            makespans[number] = passed;
            sums[number] = sum;
        }
    }
}

#define ORDERS(NAME, G, K, SHARED)                                                                                    \
    extern "C" __global__ void __launch_bounds__(1024) NAME(                                                          \
        const u32* times, const u32* releases, const u16* orders, u32* makespans, u64* sums, u32 jobs, u32 last,      \
        u32 count, u32 has_releases) {                                                                                \
        evaluate<G, K, SHARED>(times, releases, orders, makespans, sums, jobs, last, count, has_releases);            \
    }

// A warp per permutation: up to 32, 64 and 128 machines.
ORDERS(orders_32_1, 32, 1, true)
ORDERS(orders_32_2, 32, 2, true)
ORDERS(orders_32_4, 32, 4, true)
// A warp per permutation with times in global memory, for shops whose times do not fit into shared memory.
ORDERS(orders_global_32_1, 32, 1, false)
ORDERS(orders_global_32_2, 32, 2, false)
ORDERS(orders_global_32_4, 32, 4, false)
// Several permutations per warp: fewer idle lanes, and shorter pipelines.
ORDERS(orders_16_1, 16, 1, true)
ORDERS(orders_16_2, 16, 2, true)
ORDERS(orders_8_1, 8, 1, true)
ORDERS(orders_8_3, 8, 3, true)
ORDERS(orders_4_5, 4, 5, true)

// Published form: a block of p = blockDim.x threads per permutation with a barrier after every diagonal; p = 1 is the plain recurrence. Thread q
// computes the machines q, q + p, q + 2p, … of a diagonal.
//
// Shared memory: completion times on the previous and on the present diagonal, `machines` words each, alternating. `times` is jobs × machines,
// row-major. A block evaluates its permutation `repeats` times, so that the time of the launch does not dominate.
extern "C" __global__ void __launch_bounds__(1024) diagonals(
    const u32* __restrict__ times, const u32* __restrict__ releases, const u16* __restrict__ orders, u32* makespans,
    u64* sums, u32 jobs, u32 machines, u32 repeats) {
    const u16* const order = orders + (u64)blockIdx.x * jobs;
    const u32 p = blockDim.x, q = threadIdx.x;
    for (u32 repeat = 0; repeat < repeats; ++repeat) {
        // One thread computes all operations of the last machine, so `end` and `sum` are right there.
        u32 end = 0;
        u64 sum = 0;
        for (u32 diagonal = 0; diagonal < jobs + machines - 1; ++diagonal) {
            const u32* const before = shared_memory + (diagonal + 1) % 2 * machines;
            u32* const now = shared_memory + diagonal % 2 * machines;
            const u32 lowest = diagonal < jobs ? 0 : diagonal - jobs + 1, limit = min(diagonal + 1, machines);
            for (u32 machine = lowest + (q + p - lowest % p) % p; machine < limit; machine += p) {
                const u32 position = diagonal - machine, job = order[position];
                const u32 ready = machine == 0 ? releases[job] : before[machine - 1];
                const u32 free = position == 0 ? 0 : before[machine];
                end = max(ready, free) + times[(u64)job * machines + machine];
                now[machine] = end;
                if (machine == machines - 1) sum += end;
            }
            __syncthreads();
        }
        if (q == (machines - 1) % p) {
            makespans[blockIdx.x] = end;
            sums[blockIdx.x] = sum;
        }
    }
}
