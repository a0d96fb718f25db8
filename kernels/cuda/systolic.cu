// Systolic genetic search on a grid of cells: many iterations of one or many runs. The reference is `systolic/packed.rs`.
//
// A solution stays in its slot; `systolic_grid.cuh` computes the slots that a cell meets in an iteration, and every slot belongs to one cell then.
// A cell exchanges a segment of bits between its two solutions and flips a bit. It reads only the first and the last word of the segment: the
// gain between them is a difference of prefix sums, which are kept for every solution (`before`: worth of the words 0 … w − 1 for w ≥ 1).
// Words of the same number lie side by side, solution by solution, as neighbouring cells read them.
//
// A block has all rows of some neighbouring columns. Solutions move to the right or stay in their column, so a block waits after an iteration
// only for the block on its left.
//
// Source: M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft Computing 19, 2015.
#include "systolic_grid.cuh"

// Distance between the flags of two blocks in 32-bit words: a cache line each.
#define FLAG_STEP 32

extern __shared__ __align__(16) u32 shared_memory[];

// Makes the random population of run blockIdx.y, one thread per solution: words, prefix sums, sums, and iteration 0.
template <bool BLOCKS>
__device__ __forceinline__ void start(
    const Shape& shape, const u64* __restrict__ items, u64* words, u64* before, u64* sums, u32* since, u32 seed_low,
    u32 seed_high) {
    const u32 count = 2 * shape.bits * shape.rows, number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const u64 run = blockIdx.y;
    const Key key = key_of(seed_low, seed_high, blockIdx.y);
    u64* const own_words = words + run * count * shape.words + number;
    u64* const own_before = before + run * count * (shape.words - 1) + number;
    const u64 full = Packing<BLOCKS>::FULL;
    const u32 beyond = shape.words * Packing<BLOCKS>::BITS - shape.bits;
    u64 sum = 0;
    for (u32 draw = 0; 2 * draw < shape.words; ++draw) {
        const Words random = philox(key, draw, 0, number, INITIAL);
        const u64 both[2] = {(u64)random.y << 32 | random.x, (u64)random.w << 32 | random.z};
        for (u32 half = 0; half < 2; ++half) {
            const u32 word = 2 * draw + half;
            if (word >= shape.words) break;
            const u64 bits = both[half] & (word + 1 == shape.words ? full >> beyond : full);
            own_words[(u64)word * count] = bits;
            if (word > 0) own_before[(u64)(word - 1) * count] = sum;
            if (BLOCKS) {
                sum += (u64)value(bits) << 32;
            } else {
                sum += sum_of(items + 64 * word, (u32)bits) + sum_of(items + 64 * word + 32, (u32)(bits >> 32));
            }
        }
    }
    // Blocks behind the last one are zeros, which would be worth something.
    if (BLOCKS) sum -= (u64)(beyond / 6) * 1000000 << 32;
    sums[run * count + number] = sum;
    since[run * count + number] = 0;
}

// Writes a flag after all earlier writes are visible to other blocks (release).
__device__ __forceinline__ void publish(u32* flag, u32 number) {
#if defined(__CUDACC_RTC__)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(number) : "memory");
#else
    *(volatile u32*)flag = number;
#endif
}

// Reads a flag; earlier writes of its writer are visible afterwards (acquire).
__device__ __forceinline__ u32 published(const u32* flag) {
#if defined(__CUDACC_RTC__)
    u32 number;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(number) : "l"(flag) : "memory");
    return number;
#else
    return *(const volatile u32*)flag;
#endif
}

// Operation of a cell: exchanged bits `from` … `to`, flipped bit `mutated`.
template <bool BLOCKS>
struct Segment {
    static constexpr u32 BITS = Packing<BLOCKS>::BITS;
    u32 from, to, mutated;
    // Words of the first, the last and the flipped bit.
    u32 begin, end, at;

    __device__ __forceinline__ explicit Segment(u64 cell)
        : from((u32)cell & 0xffff), to((u32)cell >> 16), mutated((u32)(cell >> 32)), begin(from / BITS), end(to / BITS),
          at(mutated / BITS) {}

    // Mask of the exchanged bits of a word.
    __device__ __forceinline__ u64 mask(u32 word) const {
        return segment_mask<BLOCKS>(from, to, word);
    }
};

// Gain in the first (part 0) and in the last word (part 1) of a segment. Items: gain of the first parent, which is the loss of the other one.
// Blocks: gains of both parents in millionths, in the halves of one number.
template <bool BLOCKS>
__device__ __forceinline__ u64 gain_at_end(
    const Segment<BLOCKS>& segment, const u64* items, u32 part, u64 x, u64 y) {
    constexpr u64 FULL = Packing<BLOCKS>::FULL;
    const u32 word = part == 0 ? segment.begin : segment.end;
    if (part == 1 && segment.begin == segment.end) {
        if (!BLOCKS || segment.from / 6 == segment.to / 6) return 0;
    }
    const u64 mask = segment.mask(word);
    if (((x ^ y) & mask) == 0) return 0;
    if (!BLOCKS) {
        const u64 differing = (x ^ y) & mask;
        return gain_of(items + 64 * word, (u32)y, (u32)differing) +
               gain_of(items + 64 * word + 32, (u32)(y >> 32), (u32)(differing >> 32));
    }
    // The block at the end of the segment, then all blocks between the ends, which are exchanged as a whole; within one word they belong to part 0.
    const u32 shift = (part == 0 ? segment.from : segment.to) % 60 / 6 * 6;
    u64 whole = part == 0 ? FULL << shift << 6 & FULL : ((u64)1 << shift) - 1;
    if (segment.begin == segment.end) whole = part == 0 ? whole & (((u64)1 << segment.to % 60 / 6 * 6) - 1) : 0;
    const u32 a = (u32)(x >> shift) & 63, b = (u32)(y >> shift) & 63, exchanged = (a ^ b) & (u32)(mask >> shift) & 63;
    const int between = value(y & whole) - value(x & whole);
    const int one = block_value(a ^ exchanged) - block_value(a) + between;
    const int other = block_value(b ^ exchanged) - block_value(b) - between;
    return ((u64)(u32)one << 32) + (u64)(i64)other;
}

// Gains of the first and of the second parent from a result of `gain_at_end` for blocks, as sums.
__device__ __forceinline__ u64 first_half(u64 gain) {
    return gain - (u64)(i64)(int)(u32)gain;
}
__device__ __forceinline__ u64 second_half(u64 gain) {
    return (u64)(u32)gain << 32;
}

// Solutions of a run.
struct Slots {
    u32 count;
    u64 *words, *before, *sums;
    u32* since;
};

// Computes a cell in an iteration with G lanes. Lanes 0 and 1 compute the gain at one end of the segment each, all lanes the rest. Groups without
// a cell take part in warp-level operations.
template <bool BLOCKS, u32 G>
__device__ __forceinline__ void work(
    const Shape& shape, const Slots& slots, const u64* items, u64 cell, bool there, u32 one, u32 other, u32 iteration) {
    const Segment<BLOCKS> segment(cell);
    const u32 begin = segment.begin, end = segment.end, at = segment.at, count = slots.count;
    const u32 lane = threadIdx.x % G;
    u64* const a = slots.words + one;
    u64* const b = slots.words + other;
    u64* const before_a = slots.before + one;
    u64* const before_b = slots.before + other;
    u64 of_one = 0, of_other = 0, flip_one = 0, flip_other = 0, from_a = 0, from_b = 0, between = 0, gains[2] = {};
    if (there) {
        of_one = slots.sums[one];
        of_other = slots.sums[other];
        const u64 first_x = a[(u64)begin * count], first_y = b[(u64)begin * count];
        const u64 last_x = a[(u64)end * count], last_y = b[(u64)end * count];
        u64 x = a[(u64)at * count], y = b[(u64)at * count];
        if (begin + 1 < end) {
            from_a = before_a[(u64)begin * count];
            from_b = before_b[(u64)begin * count];
            between = before_b[(u64)(end - 1) * count] - from_b - (before_a[(u64)(end - 1) * count] - from_a);
        }
        if (G == 1) {
            gains[0] = gain_at_end(segment, items, 0, first_x, first_y);
            gains[1] = gain_at_end(segment, items, 1, last_x, last_y);
        } else if (lane < 2) {
            gains[0] = gain_at_end(segment, items, lane, lane == 0 ? first_x : last_x, lane == 0 ? first_y : last_y);
        }
        // The flipped bit, in both children.
        const u64 exchanged = (x ^ y) & segment.mask(at);
        x ^= exchanged;
        y ^= exchanged;
        if (BLOCKS) {
            const u32 bit = segment.mutated % 60, shift = bit / 6 * 6, flip = 1u << (bit - shift);
            const u32 in_x = (u32)(x >> shift) & 63, in_y = (u32)(y >> shift) & 63;
            flip_one = (u64)(u32)(block_value(in_x ^ flip) - block_value(in_x)) << 32;
            flip_other = (u64)(u32)(block_value(in_y ^ flip) - block_value(in_y)) << 32;
        } else {
            const u64 item = items[segment.mutated];
            flip_one = x >> segment.mutated % 64 & 1 ? 0 - item : item;
            flip_other = y >> segment.mutated % 64 & 1 ? 0 - item : item;
        }
    }
    if (G > 1) {
        const u32 leader = threadIdx.x % 32 - lane;
        const u64 own = gains[0];
        gains[0] = __shfl_sync(FULL_WARP, own, leader);
        gains[1] = __shfl_sync(FULL_WARP, own, leader + 1);
        // Everything is read before anything is written.
        __syncwarp();
    }
    if (!there) return;
    u64 first_one = gains[0], first_other = 0 - gains[0], last_one = gains[1], last_other = 0 - gains[1];
    if (BLOCKS) {
        first_one = first_half(gains[0]), first_other = second_half(gains[0]);
        last_one = first_half(gains[1]), last_other = second_half(gains[1]);
    }
    const u64 gain_one = first_one + last_one + between, gain_other = first_other + last_other - between;
    const u64 child_one = of_one + gain_one + flip_one, child_other = of_other + gain_other + flip_other;
    const bool accepts_one = better(shape, child_one, of_one), accepts_other = better(shape, child_other, of_other);
    if (!accepts_one && !accepts_other) return;
    // With one lane there are many cells, and registers are worth more than two words at once.
#pragma unroll(G == 1 ? 1 : 2)
    for (u32 word = min(begin, at) + lane; word < shape.words; word += G) {
        const u64 place = (u64)word * count;
        const u64 mask = segment.mask(word);
        u64 changed = 0;
        if (mask != 0) changed = (a[place] ^ b[place]) & mask;
        if (word == at) changed ^= (u64)1 << segment.mutated % Packing<BLOCKS>::BITS;
        // Gains of the words before this one.
        u64 more_one = 0, more_other = 0;
        if (word > begin) {
            const bool behind = word > end;
            more_one = behind ? gain_one : first_one;
            more_other = behind ? gain_other : first_other;
        }
        if (word > at) {
            more_one += flip_one;
            more_other += flip_other;
        }
        if (word > 0) {
            const u64 here = (u64)(word - 1) * count;
            const u64 p = before_a[here], q = before_b[here];
            if (word > begin + 1 && word <= end) {
                const u64 so_far = q - from_b - (p - from_a);
                more_one += so_far;
                more_other -= so_far;
            }
            if (accepts_one && more_one != 0) before_a[here] = p + more_one;
            if (accepts_other && more_other != 0) before_b[here] = q + more_other;
        }
        if (changed != 0) {
            if (accepts_one) a[place] ^= changed;
            if (accepts_other) b[place] ^= changed;
        }
    }
    if (lane == 0) {
        if (accepts_one) {
            slots.sums[one] = child_one;
            slots.since[one] = iteration + 1;
        }
        if (accepts_other) {
            slots.sums[other] = child_other;
            slots.since[other] = iteration + 1;
        }
    }
}

template <typename T>
__device__ __forceinline__ void copy(T* to, const T* from, u32 count) {
    for (u32 k = threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
}

// Runs `iterations` iterations of run blockIdx.y with gridDim.x blocks, each with all rows of some columns. `cells` holds
// first + last·2¹⁶ + mutated·2³² of each cell. With SHARED, one block has the whole run in shared memory; if `near_items` is not 0, the items are
// copied there, too. The last warp of a block has no cells: it computes the slots of the next iteration and waits for the block on the left.
// flags[block · FLAG_STEP] counts the synchronisations that a block has passed, `met` of them before the launch; there is one after every
// iteration but the last. More than one block per run requires a cooperative launch.
template <bool BLOCKS, u32 G, bool SHARED>
__device__ __forceinline__ void walk(
    const Shape& shape, const u64* __restrict__ cells, const u64* items, u64* all_words, u64* all_before, u64* all_sums,
    u32* all_since, u32* all_flags, u32 met, u32 near_items, u32 first, u32 iterations) {
    __shared__ Placed places[2][MOST_ROWS][2];
    const u32 count = 2 * shape.bits * shape.rows, each = shape.words;
    const u64 run = blockIdx.y;
    const Slots own = {
        count, all_words + run * count * each, all_before + run * count * (each - 1), all_sums + run * count,
        all_since + run * count};
    u64* near = (u64*)shared_memory;
    if (near_items != 0) {
        copy(near, items, shape.bits);
        items = near;
        near += shape.bits;
    }
    Slots slots = own;
    if (SHARED) {
        slots.words = near;
        slots.before = slots.words + (u64)count * each;
        slots.sums = slots.before + (u64)count * (each - 1);
        slots.since = (u32*)(slots.sums + count);
        copy(slots.words, own.words, count * each);
        copy(slots.before, own.before, count * (each - 1));
        copy(slots.sums, own.sums, count);
        copy(slots.since, own.since, count);
    }
    const u32 workers = blockDim.x - 32, ahead = threadIdx.x - workers;
    const bool working = threadIdx.x < workers;
    if (!working && ahead < 2 * shape.rows) {
        places[0][ahead / 2][ahead % 2] = placed(shape, first, ahead / 2, ahead % 2);
    }
    __syncthreads();

    const u32 columns = (shape.bits + gridDim.x - 1) / gridDim.x, low = blockIdx.x * columns;
    const u32 width = min(columns, shape.bits - low), mine = width * shape.rows;
    const u32 group = threadIdx.x / G, groups = workers / G, group_of_warp = threadIdx.x % 32 / G;
    const u32 step_rows = groups / width, step_columns = groups % width;
    u32* const flags = all_flags + run * gridDim.x * FLAG_STEP;
    u32* const left = flags + (blockIdx.x == 0 ? gridDim.x - 1 : blockIdx.x - 1) * FLAG_STEP;
    // The first cell of a group is read once; with several lanes it is mostly the only one.
    u64 first_cell = 0;
    if (G > 1 && working && group < mine) first_cell = cells[group / width * shape.bits + low + group % width];
    for (u32 k = 0; k < iterations; ++k) {
        const u32 iteration = first + k;
        if (working) {
            u32 row = group / width, column = group % width;
            // All lanes of a warp continue while one of its groups has a cell.
            for (u32 number = group; number - group_of_warp < mine; number += groups) {
                const bool there = number < mine;
                u32 one = 0, other = 0;
                u64 cell = 0;
                if (there) {
                    const bool is_first = G > 1 && number == group;
                    cell = is_first ? first_cell : __ldg(&cells[row * shape.bits + low + column]);
                    one = place(places[k % 2][row][0], low + column);
                    other = place(places[k % 2][row][1], low + column);
                }
                work<BLOCKS, G>(shape, slots, items, cell, there, one, other, iteration);
                row += step_rows;
                column += step_columns;
                if (column >= width) {
                    column -= width;
                    ++row;
                }
            }
        } else if (ahead < 2 * shape.rows && k + 1 < iterations) {
            places[(k + 1) % 2][ahead / 2][ahead % 2] = placed(shape, iteration + 1, ahead / 2, ahead % 2);
        }
        __syncthreads();
        if (gridDim.x > 1 && k + 1 < iterations) {
            if (ahead == 0) {
                publish(&flags[blockIdx.x * FLAG_STEP], met + k + 1);
                while ((int)(published(left) - (met + k + 1)) < 0) {
                }
            }
            __syncthreads();
        }
    }
    if (SHARED) {
        copy(own.words, slots.words, count * each);
        copy(own.before, slots.before, count * (each - 1));
        copy(own.sums, slots.sums, count);
        copy(own.since, slots.since, count);
    }
}

#define START(NAME, BLOCKS)                                                                                           \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, const u64* items, u64* words, u64* before, u64* sums, u32* since, u32 seed_low, u32 seed_high) { \
        start<BLOCKS>(shape, items, words, before, sums, since, seed_low, seed_high);                                 \
    }

START(start_items, false)
START(start_blocks, true)

#define WALK(NAME, BLOCKS, G, SHARED)                                                                                 \
    extern "C" __global__ void __launch_bounds__(SHARED || G == 1 ? 1024 : 768) NAME(                                 \
        Shape shape, const u64* cells, const u64* items, u64* words, u64* before, u64* sums, u32* since, u32* flags,  \
        u32 met, u32 near_items, u32 first, u32 iterations) {                                                         \
        walk<BLOCKS, G, SHARED>(                                                                                      \
            shape, cells, items, words, before, sums, since, flags, met, near_items, first, iterations);              \
    }

// Runs in global memory: one lane per cell for many cells or runs, several lanes for few. Blocks with several lanes have fewer threads, which may
// use more registers.
WALK(walk_items_1, false, 1, false)
WALK(walk_items_2, false, 2, false)
WALK(walk_items_4, false, 4, false)
WALK(walk_items_8, false, 8, false)
WALK(walk_blocks_1, true, 1, false)
WALK(walk_blocks_2, true, 2, false)
WALK(walk_blocks_4, true, 4, false)
WALK(walk_blocks_8, true, 8, false)
// Runs in the shared memory of one block.
WALK(walk_shared_items_1, false, 1, true)
WALK(walk_shared_items_4, false, 4, true)
WALK(walk_shared_blocks_1, true, 1, true)
WALK(walk_shared_blocks_4, true, 4, true)

// Copies solutions: block b copies solution numbers[b], counted over all runs of `count` solutions.
extern "C" __global__ void __launch_bounds__(256) gather(
    const u64* __restrict__ words, const u32* __restrict__ numbers, u64* found, u32 count, u32 each) {
    const u32 run = numbers[blockIdx.x] / count, number = numbers[blockIdx.x] % count;
    for (u32 k = threadIdx.x; k < each; k += blockDim.x) {
        found[(u64)blockIdx.x * each + k] = words[((u64)run * each + k) * count + number];
    }
}
