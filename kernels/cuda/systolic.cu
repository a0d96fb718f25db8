// Systolic genetic search on a grid of cells: many iterations of one or many runs. The same populations as `systolic/packed.rs`.
//
// A solution stays in its slot; `placed` says which slots the cells of a row meet in an iteration, as `systolic/grid.rs` does. A group of
// G neighbouring lanes works on a cell: each lane takes some words of the segment, adds up where the parents differ, and writes its
// words back if a child is accepted. In an iteration every slot belongs to one cell, so nothing waits but for the end of an iteration.
//
// Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft Computing 19, 2015.
#include "philox.cuh"

typedef long long i64;

// What random words of the first populations are for, as in `state.rs`.
#define INITIAL 1u

// Rows of a grid, at most: τ of 65,536 bits.
#define MOST_ROWS 16

#define TORUS 0u
#define EXCHANGE 1u
#define VERTICAL 2u
#define BOTH 3u

#define KNAPSACK 0u
#define NEXT_RELEASE 1u
#define DECEPTIVE 2u

extern __shared__ __align__(16) u32 shared_memory[];

// What does not change. Two sums of a solution lie in one number, the first in the upper half: profit and weight, value and cost, or
// millionths and nothing. Both are below 2³², so that sums and differences of such numbers are right modulo 2⁶⁴.
struct Shape {
    u64 capacity;
    u64 all_values, all_costs;
    u32 bits, rows;
    // Words of 64 bits in a solution.
    u32 words;
    u32 flavour, kind, tenths;
};

// Where the solutions of a row of cells lie: number of the first, and where it goes on.
struct Placed {
    u32 start, limit, length;
};

__device__ __forceinline__ u32 place(const Placed& placed, u32 column) {
    const u32 number = placed.start + column;
    return number >= placed.limit ? number - placed.length : number;
}

__device__ __forceinline__ int modulo(int a, int n) {
    const int r = a % n;
    return r < 0 ? r + n : r;
}

// A row of slots that goes round.
__device__ __forceinline__ Placed ring(const Shape& shape, u32 population, int row, int shift) {
    const int l = (int)shape.bits, rows = (int)shape.rows;
    const u32 low = population * shape.bits * shape.rows + (u32)(modulo(row, rows) * l);
    return {low + (u32)modulo(shift, l), low + shape.bits, shape.bits};
}

// Where the horizontal (0) or vertical (1) solutions of a row of cells lie in an iteration: the formulas of `grid.rs`.
__device__ __forceinline__ Placed placed(const Shape& shape, u32 iteration, u32 row, u32 stream) {
    const int l = (int)shape.bits, rows = (int)shape.rows, n = l * rows, i = (int)row;
    const int t = (int)(iteration % (u32)(2 * n * rows));
    if (shape.flavour == EXCHANGE) {
        const int phase = t / rows, r = t % rows, d = phase / 2 * rows;
        if (phase % 2 == 0) return stream == 0 ? ring(shape, 0, i, -r - d) : ring(shape, 1, i - r, -d);
        return stream == 0 ? ring(shape, 1, i + 1, -r - 1 - d) : ring(shape, 0, i - r - 1, -rows + 1 - d);
    }
    if (stream == 0) {
        if (shape.flavour == BOTH) return {(u32)modulo(i * l - t, n), (u32)n, (u32)n};
        return ring(shape, 0, i, -t);
    }
    if (shape.flavour == TORUS) return ring(shape, 1, i - t, 0);
    // ⌊(i − t)/τ⌋
    const int down = (i - t - modulo(i - t, rows)) / rows;
    return ring(shape, 1, i - t, down);
}

// Items have words of 32 bits, blocks of six words of 60 in 64.
template <bool BLOCKS>
struct Packing {
    typedef u32 Word;
    static constexpr u32 BITS = 32;
    static constexpr Word FULL = 0xffffffffu;
};
template <>
struct Packing<true> {
    typedef u64 Word;
    static constexpr u32 BITS = 60;
    static constexpr Word FULL = 0x0fffffffffffffffull;
};

__device__ __forceinline__ int ones(u64 word) {
    return __popc((u32)word) + __popc((u32)(word >> 32));
}

// What the ten blocks of a word are worth, in millionths, as in `evaluation/deceptive.rs`.
__device__ __forceinline__ int value(u64 word) {
    const u64 lowest = 0x0041041041041041ull, every_other = lowest * 21, two = lowest * 3;
    const u64 pairs = (word & every_other) + (word >> 1 & every_other);
    const u64 counts = (pairs & two) + (pairs >> 2 & two) + (pairs >> 4 & two);
    const u64 b0 = counts, b1 = counts >> 1, b2 = counts >> 2;
    return ones(b0 & b1 & lowest) * 640576 + ones(~b0 & (b1 ^ b2) & lowest) * 360384 +
           ones(~b0 & ~(b1 ^ b2) & lowest) * 1000000;
}

// Σ over the bits of a word that are 1.
__device__ __forceinline__ u64 sum_of(const u64* __restrict__ items, u32 word, u32 bits) {
    u64 sum = 0;
    while (bits != 0) {
        sum += __ldg(&items[word * 32 + __ffs(bits) - 1]);
        bits &= bits - 1;
    }
    return sum;
}

__device__ __forceinline__ i64 knapsack_fitness(const Shape& shape, u64 sums) {
    const i64 over = (i64)(sums & 0xffffffffull) - (i64)shape.capacity;
    return (i64)(sums >> 32) - (over > 0 ? over * (i64)shape.capacity : 0);
}

__device__ __forceinline__ u64 release_worth(const Shape& shape, u64 sums) {
    const u64 expensive = (10 - shape.tenths) * ((sums & 0xffffffffull) * shape.all_values);
    const u64 left_out = shape.tenths * ((shape.all_values - (sums >> 32)) * shape.all_costs);
    return max(expensive, left_out);
}

// Whether a child is strictly better than its parent.
__device__ __forceinline__ bool better(const Shape& shape, u64 child, u64 parent) {
    if (shape.kind == KNAPSACK) return knapsack_fitness(shape, child) > knapsack_fitness(shape, parent);
    if (shape.kind == DECEPTIVE) return child > parent;
    const u64 of_child = release_worth(shape, child), of_parent = release_worth(shape, parent);
    const bool dominates = child != parent && child >> 32 >= parent >> 32 &&
                           (child & 0xffffffffull) <= (parent & 0xffffffffull);
    return of_child < of_parent || (of_child == of_parent && dominates);
}

// The random populations of a run, a thread for a solution: words, sums, and 0 for when it was made. Run blockIdx.y has the seed
// first_seed + blockIdx.y.
template <bool BLOCKS>
__device__ __forceinline__ void start(
    const Shape& shape, const u64* __restrict__ items, u64* words, u64* sums, u32* since, u32 seed_low, u32 seed_high) {
    const u32 count = 2 * shape.bits * shape.rows, number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const u64 seed = ((u64)seed_high << 32 | seed_low) + blockIdx.y;
    const Key key = {(u32)seed, (u32)(seed >> 32)};
    const u64 at = (u64)blockIdx.y * count + number;
    const u64 full = BLOCKS ? Packing<true>::FULL : ~0ull;
    const u32 per_word = BLOCKS ? 60 : 64, beyond = shape.words * per_word - shape.bits;
    u64 sum = 0;
    int millionths = -1000000 * (int)(beyond / 6);
    for (u32 draw = 0; 2 * draw < shape.words; ++draw) {
        const Words random = philox(key, draw, 0, number, INITIAL);
        const u64 both[2] = {(u64)random.y << 32 | random.x, (u64)random.w << 32 | random.z};
        for (u32 half = 0; half < 2; ++half) {
            const u32 word = 2 * draw + half;
            if (word >= shape.words) break;
            const u64 bits = both[half] & (word + 1 == shape.words ? full >> beyond : full);
            words[at * shape.words + word] = bits;
            if (BLOCKS) {
                millionths += value(bits);
            } else {
                sum += sum_of(items, 2 * word, (u32)bits);
                sum += sum_of(items, 2 * word + 1, (u32)(bits >> 32));
            }
        }
    }
    sums[at] = BLOCKS ? (u64)millionths << 32 : sum;
    since[at] = 0;
}

// Some iterations of run blockIdx.y by gridDim.x blocks. `cells` holds first + last·2¹⁶ + mutated·2³² of each cell. With SHARED a block has a
// whole run in shared memory. Several blocks of a run meet after every iteration but the last by counting arrivals in
// `arrivals`, which begins at `arrived`; all of them have to run at once.
template <bool BLOCKS, u32 G, bool SHARED>
__device__ __forceinline__ void walk(
    const Shape& shape, const u64* __restrict__ cells, const u64* __restrict__ items, u64* all_words, u64* all_sums,
    u32* all_since, u32* arrivals, u32 arrived, u32 first, u32 iterations) {
    typedef typename Packing<BLOCKS>::Word Word;
    constexpr u32 BITS = Packing<BLOCKS>::BITS;
    constexpr Word FULL = Packing<BLOCKS>::FULL;
    __shared__ Placed places[2][MOST_ROWS][2];
    const u32 n = shape.bits * shape.rows, count = 2 * n;
    const u32 each = BLOCKS ? shape.words : 2 * shape.words;
    const u64 run = blockIdx.y;
    u64* const own_words = all_words + run * count * shape.words;
    u64* const own_sums = all_sums + run * count;
    u32* const own_since = all_since + run * count;
    u64* const near_words = (u64*)shared_memory;
    u64* const near_sums = near_words + (u64)count * shape.words;
    u32* const near_since = (u32*)(near_sums + count);
    if (SHARED) {
        for (u32 k = threadIdx.x; k < count * shape.words; k += blockDim.x) near_words[k] = own_words[k];
        for (u32 k = threadIdx.x; k < count; k += blockDim.x) {
            near_sums[k] = own_sums[k];
            near_since[k] = own_since[k];
        }
    }
    Word* const words = (Word*)(SHARED ? near_words : own_words);
    u64* const sums = SHARED ? near_sums : own_sums;
    u32* const since = SHARED ? near_since : own_since;
    if (threadIdx.x < 2 * shape.rows) {
        places[0][threadIdx.x / 2][threadIdx.x % 2] = placed(shape, first, threadIdx.x / 2, threadIdx.x % 2);
    }
    __syncthreads();

    const u32 lane = threadIdx.x % G, group = (blockIdx.x * blockDim.x + threadIdx.x) / G;
    const u32 groups = gridDim.x * blockDim.x / G, group_of_warp = threadIdx.x % 32 / G;
    for (u32 k = 0; k < iterations; ++k) {
        const u32 iteration = first + k;
        // All lanes of a warp go on as long as one of its groups has a cell.
        for (u32 number = group; number - group_of_warp < n; number += groups) {
            const bool there = number < n;
            const u32 row = there ? number / shape.bits : 0, column = there ? number % shape.bits : 0;
            const u64 cell = __ldg(&cells[there ? number : 0]);
            const u32 from = (u32)cell & 0xffff, to = (u32)cell >> 16, mutated = (u32)(cell >> 32);
            const u32 begin = from / BITS, end = to / BITS, at = mutated / BITS;
            const Word first_mask = FULL << from % BITS & FULL, last_mask = FULL >> (BITS - 1 - to % BITS);
            const u32 one = place(places[k % 2][row][0], column), other = place(places[k % 2][row][1], column);
            Word* const a = words + (u64)one * each;
            Word* const b = words + (u64)other * each;
            u64 gain = 0, of_one = 0, of_other = 0, child_one = 0, child_other = 0;
            bool accepts_one = false, accepts_other = false;
            if (there) {
                of_one = sums[one];
                of_other = sums[other];
                for (u32 word = begin + lane; word <= end; word += G) {
                    const Word x = a[word], y = b[word];
                    Word differing = x ^ y;
                    if (word == begin) differing &= first_mask;
                    if (word == end) differing &= last_mask;
                    if (differing == 0) continue;
                    if (BLOCKS) {
                        // What both parents gain, in the halves of one number.
                        const i64 gained = value((u64)(x ^ differing)) - value((u64)x);
                        const i64 lost = value((u64)(y ^ differing)) - value((u64)y);
                        gain += ((u64)gained << 32) + (u64)lost;
                    } else {
                        gain += sum_of(items, word, (u32)(y & differing)) - sum_of(items, word, (u32)(x & differing));
                    }
                }
                // The flipped bit, in both children: what the children have in its word.
                Word x = a[at], y = b[at];
                Word exchanged = at < begin || at > end ? 0 : x ^ y;
                if (at == begin) exchanged &= first_mask;
                if (at == end) exchanged &= last_mask;
                x ^= exchanged;
                y ^= exchanged;
                const u32 bit = mutated % BITS;
                if (BLOCKS) {
                    const Word flip = (Word)1 << bit;
                    child_one = (u64)(i64)(value((u64)(x ^ flip)) - value((u64)x)) << 32;
                    child_other = (u64)(i64)(value((u64)(y ^ flip)) - value((u64)y)) << 32;
                } else {
                    const u64 item = __ldg(&items[mutated]);
                    child_one = x >> bit & 1 ? 0 - item : item;
                    child_other = y >> bit & 1 ? 0 - item : item;
                }
            }
#pragma unroll
            for (u32 distance = G / 2; distance > 0; distance /= 2) {
                gain += __shfl_xor_sync(FULL_WARP, gain, distance);
            }
            // Everything is read before anything is written.
            if (G > 1) __syncwarp();
            if (there) {
                if (BLOCKS) {
                    const i64 lower = (int)(u32)gain;
                    child_one += of_one + (gain - (u64)lower);
                    child_other += of_other + ((u64)lower << 32);
                } else {
                    child_one += of_one + gain;
                    child_other += of_other - gain;
                }
                accepts_one = better(shape, child_one, of_one);
                accepts_other = better(shape, child_other, of_other);
                if (accepts_one || accepts_other) {
                    const Word flip = (Word)1 << mutated % BITS;
                    for (u32 word = begin + lane; word <= end; word += G) {
                        const Word x = a[word], y = b[word];
                        Word differing = x ^ y;
                        if (word == begin) differing &= first_mask;
                        if (word == end) differing &= last_mask;
                        if (word == at) {
                            if (accepts_one) a[word] = x ^ differing ^ flip;
                            if (accepts_other) b[word] = y ^ differing ^ flip;
                        } else if (differing != 0) {
                            if (accepts_one) a[word] = x ^ differing;
                            if (accepts_other) b[word] = y ^ differing;
                        }
                    }
                    if (lane == 0) {
                        if (at < begin || at > end) {
                            if (accepts_one) a[at] ^= flip;
                            if (accepts_other) b[at] ^= flip;
                        }
                        if (accepts_one) {
                            sums[one] = child_one;
                            since[one] = iteration + 1;
                        }
                        if (accepts_other) {
                            sums[other] = child_other;
                            since[other] = iteration + 1;
                        }
                    }
                }
            }
        }
        // Where everybody is in the next iteration; the places of this one are still read.
        if (threadIdx.x < 2 * shape.rows) {
            places[(k + 1) % 2][threadIdx.x / 2][threadIdx.x % 2] =
                placed(shape, iteration + 1, threadIdx.x / 2, threadIdx.x % 2);
        }
        __syncthreads();
        if (gridDim.x > 1 && k + 1 < iterations) {
            if (threadIdx.x == 0) {
                // What this block has written is seen before its arrival is.
                __threadfence();
                atomicAdd(&arrivals[run], 1u);
                const u32 expected = arrived + (k + 1) * gridDim.x;
                while ((int)(*(volatile u32*)&arrivals[run] - expected) < 0) {
                }
                __threadfence();
            }
            __syncthreads();
        }
    }
    if (SHARED) {
        for (u32 k = threadIdx.x; k < count * shape.words; k += blockDim.x) own_words[k] = near_words[k];
        for (u32 k = threadIdx.x; k < count; k += blockDim.x) {
            own_sums[k] = near_sums[k];
            own_since[k] = near_since[k];
        }
    }
}

#define START(NAME, BLOCKS)                                                                                           \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, const u64* items, u64* words, u64* sums, u32* since, u32 seed_low, u32 seed_high) {              \
        start<BLOCKS>(shape, items, words, sums, since, seed_low, seed_high);                                         \
    }

START(start_items, false)
START(start_blocks, true)

#define WALK(NAME, BLOCKS, G, SHARED)                                                                                 \
    extern "C" __global__ void __launch_bounds__(1024) NAME(                                                          \
        Shape shape, const u64* cells, const u64* items, u64* words, u64* sums, u32* since, u32* arrivals,            \
        u32 arrived, u32 first, u32 iterations) {                                                                     \
        walk<BLOCKS, G, SHARED>(                                                                                      \
            shape, cells, items, words, sums, since, arrivals, arrived, first, iterations);                           \
    }

// A run in global memory: few lanes for a cell where there are many cells or runs, many where there are few.
WALK(walk_items_1, false, 1, false)
WALK(walk_items_4, false, 4, false)
WALK(walk_items_8, false, 8, false)
WALK(walk_items_16, false, 16, false)
WALK(walk_blocks_1, true, 1, false)
WALK(walk_blocks_4, true, 4, false)
WALK(walk_blocks_8, true, 8, false)
WALK(walk_blocks_16, true, 16, false)
// A run in the shared memory of one block.
WALK(walk_shared_items_1, false, 1, true)
WALK(walk_shared_items_4, false, 4, true)
WALK(walk_shared_blocks_1, true, 1, true)
WALK(walk_shared_blocks_4, true, 4, true)

// Solutions by their numbers, counted over all runs: block b copies the one of number numbers[b].
extern "C" __global__ void __launch_bounds__(256) gather(
    const u64* __restrict__ words, const u32* __restrict__ numbers, u64* found, u32 each) {
    for (u32 k = threadIdx.x; k < each; k += blockDim.x) {
        found[(u64)blockIdx.x * each + k] = words[(u64)numbers[blockIdx.x] * each + k];
    }
}
