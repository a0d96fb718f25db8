// What systolic genetic search is compared with: two genetic algorithms and random search, one or many runs. The same numbers as
// `systolic/genetic.rs` and `systolic/random.rs`.
//
// What a solution is worth is written as in `systolic.cu`, which shares no header with this. Here the words of a solution lie side by
// side, for parents are anywhere. A generation is a launch, for its children have parents anywhere, and `judge` looks for the best after.
#include "philox.cuh"

typedef long long i64;

// What random words are for, as in `state.rs`.
#define INITIAL 1u
#define RANDOM 2u
#define TOURNAMENT 3u
#define CROSSOVER 4u
#define MUTATION 5u

#define KNAPSACK 0u
#define NEXT_RELEASE 1u
#define DECEPTIVE 2u

// Lanes that work on a pair of children.
#define LANES 8u

// Random solutions that a block looks at.
#define SPAN 2048u

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

// Bits in a word of 64: items use all of them, blocks of six 60.
template <bool BLOCKS>
struct Packing {
    static constexpr u32 BITS = BLOCKS ? 60 : 64;
    static constexpr u64 FULL = BLOCKS ? 0x0fffffffffffffffull : ~0ull;
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

// What a block of six bits is worth, in millionths.
__device__ __forceinline__ int block_value(u32 block) {
    const u32 count = __popc(block);
    if (count % 2 != 0) return count == 3 ? 640576 : 0;
    return count == 2 || count == 4 ? 360384 : 1000000;
}

// Σ over the bits that are 1 of half a word whose first item is items[0].
__device__ __forceinline__ u64 sum_of(const u64* items, u32 bits) {
    u64 sum = 0;
    while (bits != 0) {
        sum += items[__ffs(bits) - 1];
        bits &= bits - 1;
    }
    return sum;
}

// What a solution gains that takes over from another one the bits of `differing`, in which they differ; `bits` are the other's.
__device__ __forceinline__ u64 gain_of(const u64* items, u32 bits, u32 differing) {
    u64 gain = 0;
    while (differing != 0) {
        const u32 bit = __ffs(differing) - 1;
        const u64 item = items[bit];
        gain += bits >> bit & 1 ? item : 0 - item;
        differing &= differing - 1;
    }
    return gain;
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

// Whether a solution stands strictly before another one in the order of all: the `key` of `evaluation.rs`.
__device__ __forceinline__ bool ahead(const Shape& shape, u64 one, u64 other) {
    if (shape.kind == KNAPSACK) return knapsack_fitness(shape, one) > knapsack_fitness(shape, other);
    if (shape.kind == DECEPTIVE) return one > other;
    const u64 of_one = release_worth(shape, one), of_other = release_worth(shape, other);
    if (of_one != of_other) return of_one < of_other;
    const u32 cost_one = (u32)one, cost_other = (u32)other;
    return cost_one < cost_other || (cost_one == cost_other && one >> 32 > other >> 32);
}

// The seed of run `run`.
__device__ __forceinline__ Key key_of(u32 seed_low, u32 seed_high, u32 run) {
    const u64 seed = ((u64)seed_high << 32 | seed_low) + run;
    return {(u32)seed, (u32)(seed >> 32)};
}

// A random solution, word by word, and its sums. A knapsack takes what fits, item by item, where it is for random search; lightest[k] is the
// least weight of item 128·k and all behind it.
template <bool BLOCKS>
__device__ __forceinline__ u64 random_solution(
    const Shape& shape, const u64* __restrict__ items, const u32* __restrict__ lightest, Key key, u32 step, u32 number,
    u32 purpose, u64* words) {
    const u64 full = Packing<BLOCKS>::FULL;
    const u32 beyond = shape.words * Packing<BLOCKS>::BITS - shape.bits;
    const bool filled = purpose == RANDOM && shape.kind == KNAPSACK;
    u64 sum = 0;
    u32 left = (u32)shape.capacity, draw = 0;
    for (; 2 * draw < shape.words; ++draw) {
        if (filled && lightest[draw] > left) break;
        const Words random = philox(key, draw, step, number, purpose);
        const u64 both[2] = {(u64)random.y << 32 | random.x, (u64)random.w << 32 | random.z};
        for (u32 half = 0; half < 2; ++half) {
            const u32 word = 2 * draw + half;
            if (word >= shape.words) break;
            u64 bits = both[half] & (word + 1 == shape.words ? full >> beyond : full);
            if (BLOCKS) {
                sum += (u64)value(bits) << 32;
            } else if (!filled) {
                sum += sum_of(items + 64 * word, (u32)bits) + sum_of(items + 64 * word + 32, (u32)(bits >> 32));
            } else {
                u64 taken = 0;
                for (u32 part = 0; part < 2; ++part) {
                    u32 some = (u32)(bits >> 32 * part);
                    while (some != 0) {
                        const u32 bit = 32 * part + __ffs(some) - 1;
                        some &= some - 1;
                        const u64 item = items[64 * word + bit];
                        if ((u32)item > left) continue;
                        left -= (u32)item;
                        sum += item;
                        taken |= (u64)1 << bit;
                    }
                }
                bits = taken;
            }
            if (words != nullptr) words[word] = bits;
        }
    }
    for (u32 word = 2 * draw; words != nullptr && word < shape.words; ++word) words[word] = 0;
    // Blocks behind the last one are all zeros, and would be worth something.
    if (BLOCKS) sum -= (u64)(beyond / 6) * 1000000 << 32;
    return sum;
}

// The individuals that a run begins with, a thread each.
template <bool BLOCKS>
__device__ __forceinline__ void populate(
    const Shape& shape, const u64* __restrict__ items, u64* words, u64* sums, u32* since, u32 seed_low, u32 seed_high) {
    const u32 count = 2 * shape.bits * shape.rows, number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const u64 at = (u64)blockIdx.y * count + number;
    const Key key = key_of(seed_low, seed_high, blockIdx.y);
    sums[at] = random_solution<BLOCKS>(shape, items, nullptr, key, 0, number, INITIAL, words + at * shape.words);
    since[at] = 0;
}

// What does not change from generation to generation: the threshold of crossover, whether a child has to be better than whom it replaces,
// and how many limits there are for the number of flipped bits.
struct Rules {
    u64 crossover;
    u32 elitist, limits;
};

// A generation and its individuals, of all runs.
struct Parents {
    const u64 *words, *sums;
    const u32* since;
};
struct Children {
    u64 *words, *sums;
    u32* since;
};

// Two parents, and what their children exchange.
struct Pair {
    u32 one, other, first, last;
    bool crossed;
};

// The better of two, of equal ones the first.
__device__ __forceinline__ u32 winner(const Shape& shape, const u64* sums, u32 one, u32 other) {
    const u32 low = min(one, other), high = max(one, other);
    return ahead(shape, sums[high], sums[low]) ? high : low;
}

__device__ __forceinline__ Pair pair_of(
    const Shape& shape, const Rules& rules, const u64* sums, Key key, u32 generation, u32 number) {
    const u32 count = 2 * shape.bits * shape.rows;
    const Words drawn = philox(key, 0, generation, number, TOURNAMENT);
    const Words points = philox(key, 0, generation, number, CROSSOVER);
    const u32 one = index_of(points.y, shape.bits), other = index_of(points.z, shape.bits);
    return {winner(shape, sums, index_of(drawn.x, count), index_of(drawn.y, count)),
            winner(shape, sums, index_of(drawn.z, count), index_of(drawn.w, count)), min(one, other), max(one, other),
            happens(points.x, rules.crossover)};
}

// The bits of a word that the children of a pair exchange.
template <bool BLOCKS>
__device__ __forceinline__ u64 exchanged(const Pair& pair, u32 word, u64 x, u64 y) {
    constexpr u32 BITS = Packing<BLOCKS>::BITS;
    const u32 begin = pair.first / BITS, end = pair.last / BITS;
    if (!pair.crossed || word < begin || word > end) return 0;
    u64 mask = Packing<BLOCKS>::FULL;
    if (word == begin) mask &= mask << pair.first % BITS;
    if (word == end) mask &= Packing<BLOCKS>::FULL >> (BITS - 1 - pair.last % BITS);
    return (x ^ y) & mask;
}

// Flips bits of a child, whose words without flips follow from its parents: what it gains.
template <bool BLOCKS>
__device__ __forceinline__ u64 mutate(
    const Shape& shape, const Rules& rules, const u64* items, const u32* limits, Key key, u32 generation, u32 number,
    const Pair& pair, const u64* x, const u64* y, u64* child) {
    constexpr u32 BITS = Packing<BLOCKS>::BITS;
    Words drawn = philox(key, 0, generation, number, MUTATION);
    u32 wanted = 0;
    while (wanted < rules.limits && limits[wanted] <= drawn.x) ++wanted;
    u64 gain = 0;
    for (u32 done = 0, next = 1; done < wanted; ++next) {
        if (next % 4 == 0) drawn = philox(key, next / 4, generation, number, MUTATION);
        const u32 random = next % 4 == 0 ? drawn.x : next % 4 == 1 ? drawn.y : next % 4 == 2 ? drawn.z : drawn.w;
        const u32 bit = index_of(random, shape.bits), word = bit / BITS, at = bit % BITS;
        const u64 now = child[word];
        if (done > 0) {
            // What was flipped before is not flipped back.
            const u64 swapped = exchanged<BLOCKS>(pair, word, x[word], y[word]);
            const u64 made = (number % 2 == 0 ? x[word] : y[word]) ^ swapped;
            if ((now ^ made) >> at & 1) continue;
        }
        if (BLOCKS) {
            const u32 shift = at / 6 * 6, block = (u32)(now >> shift) & 63;
            gain += (u64)(u32)(block_value(block ^ 1u << (at - shift)) - block_value(block)) << 32;
        } else {
            gain += now >> at & 1 ? 0 - items[bit] : items[bit];
        }
        child[word] = now ^ (u64)1 << at;
        ++done;
    }
    return gain;
}

// A generation: LANES neighbouring lanes make the two children of a pair. Run blockIdx.y.
template <bool BLOCKS>
__device__ __forceinline__ void mate(
    const Shape& shape, const Rules& rules, const u64* __restrict__ items, const u32* __restrict__ limits,
    const Parents& from, const Children& to, u32 seed_low, u32 seed_high, u32 generation) {
    const u32 count = 2 * shape.bits * shape.rows, each = shape.words, lane = threadIdx.x % LANES;
    const u32 asked = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    // Lanes without a pair take part in what lanes exchange.
    const bool there = asked < count / 2;
    const u32 number = there ? asked : 0;
    const u64 base = (u64)blockIdx.y * count;
    const Key key = key_of(seed_low, seed_high, blockIdx.y);
    const Pair pair = pair_of(shape, rules, from.sums + base, key, generation, number);
    const u64* const x = from.words + (base + pair.one) * each;
    const u64* const y = from.words + (base + pair.other) * each;
    u64* const children = to.words + (base + 2 * number) * each;
    u64 gain = 0;
    for (u32 word = lane; there && word < each; word += LANES) {
        const u64 swapped = exchanged<BLOCKS>(pair, word, x[word], y[word]);
        const u64 one = x[word] ^ swapped, other = y[word] ^ swapped;
        if (swapped != 0 && BLOCKS) {
            // What both gain, in the halves of one number.
            gain += ((u64)(u32)(value(one) - value(x[word])) << 32) + (u64)(i64)(value(other) - value(y[word]));
        } else if (swapped != 0) {
            gain += gain_of(items + 64 * word, (u32)y[word], (u32)swapped) +
                    gain_of(items + 64 * word + 32, (u32)(y[word] >> 32), (u32)(swapped >> 32));
        }
        children[word] = one;
        children[each + word] = other;
    }
#pragma unroll
    for (u32 distance = LANES / 2; distance > 0; distance /= 2) gain += __shfl_xor_sync(FULL_WARP, gain, distance);
    // Both children are written before two lanes flip their bits.
    __syncwarp();
    bool kept = false;
    if (there && lane < 2) {
        const u64 own = base + 2 * number + lane, lower = (u64)(i64)(int)(u32)gain;
        u64 sum = lane == 0 ? from.sums[base + pair.one] : from.sums[base + pair.other];
        if (BLOCKS) {
            sum += lane == 0 ? gain - lower : lower << 32;
        } else {
            sum += lane == 0 ? gain : 0 - gain;
        }
        sum += mutate<BLOCKS>(
            shape, rules, items, limits, key, generation, 2 * number + lane, pair, x, y, children + lane * each);
        kept = rules.elitist != 0 && !better(shape, sum, from.sums[own]);
        to.sums[own] = kept ? from.sums[own] : sum;
        to.since[own] = kept ? from.since[own] : generation;
    }
    const u32 votes = __ballot_sync(FULL_WARP, kept) >> (threadIdx.x % 32 - lane);
    __syncwarp();
    for (u32 child = 0; there && child < 2; ++child) {
        if (!(votes >> child & 1)) continue;
        const u64* const old = from.words + (base + 2 * number + child) * each;
        for (u32 word = lane; word < each; word += LANES) children[child * each + word] = old[word];
    }
}

// The best of some solutions: sums, and a number that is less for who came first; ~0: none.
struct Best {
    u64 sums, number;
};

__device__ __forceinline__ Best better_of(const Shape& shape, const Best& one, const Best& other) {
    if (other.number == ~0ull) return one;
    if (one.number == ~0ull || ahead(shape, other.sums, one.sums)) return other;
    return other.number < one.number && !ahead(shape, one.sums, other.sums) ? other : one;
}

// The best of a block; every thread gets it. `scratch` holds one for each warp.
__device__ __forceinline__ Best best_of_block(const Shape& shape, Best best, Best* scratch) {
    const u32 warps = blockDim.x / 32;
    for (u32 distance = 16; distance > 0; distance /= 2) {
        const Best other = {
            __shfl_xor_sync(FULL_WARP, best.sums, distance), __shfl_xor_sync(FULL_WARP, best.number, distance)};
        best = better_of(shape, best, other);
    }
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = best;
    __syncthreads();
    best = scratch[0];
    for (u32 warp = 1; warp < warps; ++warp) best = better_of(shape, best, scratch[warp]);
    return best;
}

// The best solution so far of each run.
struct Records {
    u64 *words, *sums;
    u32* since;
};

// Looks for an individual of run blockIdx.x that is better than all before; the first population has nothing before it.
extern "C" __global__ void __launch_bounds__(1024) judge(
    Shape shape, const u64* words, const u64* sums, u64* record_words, u64* record_sums, u32* record_since,
    u32 generation) {
    __shared__ Best scratch[32];
    const u32 count = 2 * shape.bits * shape.rows, each = shape.words;
    const u64 run = blockIdx.x;
    Best best = {0, ~0ull};
    for (u32 number = threadIdx.x; number < count; number += blockDim.x) {
        best = better_of(shape, best, {sums[run * count + number], number});
    }
    best = best_of_block(shape, best, scratch);
    if (generation > 0 && !ahead(shape, best.sums, record_sums[run])) return;
    for (u32 word = threadIdx.x; word < each; word += blockDim.x) {
        record_words[run * each + word] = words[(run * count + best.number) * each + word];
    }
    // Everybody has compared.
    __syncthreads();
    if (threadIdx.x == 0) {
        record_sums[run] = best.sums;
        record_since[run] = generation;
    }
}

// Random solutions of iterations first + 1, …, SPAN by a block of run blockIdx.y: the best of each block, numbered iteration·2³² + number.
template <bool BLOCKS>
__device__ __forceinline__ void draw(
    const Shape& shape, const u64* __restrict__ items, const u32* __restrict__ lightest, u64* found_sums,
    u64* found_numbers, u32 seed_low, u32 seed_high, u32 first, u32 iterations) {
    __shared__ Best scratch[32];
    const u32 count = 2 * shape.bits * shape.rows, all = count * iterations;
    const Key key = key_of(seed_low, seed_high, blockIdx.y);
    Best best = {0, ~0ull};
    for (u32 k = threadIdx.x; k < SPAN; k += blockDim.x) {
        const u32 place = blockIdx.x * SPAN + k;
        if (place >= all) break;
        const u32 iteration = first + 1 + place / count, number = place % count;
        const u64 sums = random_solution<BLOCKS>(shape, items, lightest, key, iteration, number, RANDOM, nullptr);
        best = better_of(shape, best, {sums, (u64)iteration << 32 | number});
    }
    best = best_of_block(shape, best, scratch);
    if (threadIdx.x == 0) {
        found_sums[(u64)blockIdx.y * gridDim.x + blockIdx.x] = best.sums;
        found_numbers[(u64)blockIdx.y * gridDim.x + blockIdx.x] = best.number;
    }
}

// Compares what `spans` blocks have found with the best so far of run blockIdx.x; without blocks it makes the first solution.
template <bool BLOCKS>
__device__ __forceinline__ void settle(
    const Shape& shape, const u64* __restrict__ items, const u32* __restrict__ lightest, const u64* found_sums,
    const u64* found_numbers, const Records& records, u32 seed_low, u32 seed_high, u32 spans) {
    __shared__ Best scratch[32];
    const u64 run = blockIdx.x;
    const Key key = key_of(seed_low, seed_high, blockIdx.x);
    Best best = {0, spans == 0 ? 0 : ~0ull};
    for (u32 span = threadIdx.x; span < spans; span += blockDim.x) {
        best = better_of(shape, best, {found_sums[run * spans + span], found_numbers[run * spans + span]});
    }
    best = best_of_block(shape, best, scratch);
    if (threadIdx.x != 0 || (spans > 0 && !ahead(shape, best.sums, records.sums[run]))) return;
    const u32 iteration = (u32)(best.number >> 32);
    u64* const words = records.words + run * shape.words;
    records.sums[run] =
        random_solution<BLOCKS>(shape, items, lightest, key, iteration, (u32)best.number, RANDOM, words);
    records.since[run] = iteration;
}

#define POPULATE(NAME, BLOCKS)                                                                                        \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, const u64* items, u64* words, u64* sums, u32* since, u32 seed_low, u32 seed_high) {              \
        populate<BLOCKS>(shape, items, words, sums, since, seed_low, seed_high);                                      \
    }

POPULATE(populate_items, false)
POPULATE(populate_blocks, true)

#define MATE(NAME, BLOCKS)                                                                                            \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, Rules rules, const u64* items, const u32* limits, const u64* words, const u64* sums,             \
        const u32* since, u64* new_words, u64* new_sums, u32* new_since, u32 seed_low, u32 seed_high,                 \
        u32 generation) {                                                                                             \
        mate<BLOCKS>(                                                                                                 \
            shape, rules, items, limits, {words, sums, since}, {new_words, new_sums, new_since}, seed_low, seed_high, \
            generation);                                                                                              \
    }

MATE(mate_items, false)
MATE(mate_blocks, true)

#define DRAW(NAME, BLOCKS)                                                                                            \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, const u64* items, const u32* lightest, u64* found_sums, u64* found_numbers, u32 seed_low,        \
        u32 seed_high, u32 first, u32 iterations) {                                                                   \
        draw<BLOCKS>(shape, items, lightest, found_sums, found_numbers, seed_low, seed_high, first, iterations);      \
    }

DRAW(draw_items, false)
DRAW(draw_blocks, true)

#define SETTLE(NAME, BLOCKS)                                                                                          \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                           \
        Shape shape, const u64* items, const u32* lightest, const u64* found_sums, const u64* found_numbers,          \
        u64* record_words, u64* record_sums, u32* record_since, u32 seed_low, u32 seed_high, u32 spans) {             \
        settle<BLOCKS>(                                                                                               \
            shape, items, lightest, found_sums, found_numbers, {record_words, record_sums, record_since}, seed_low,   \
            seed_high, spans);                                                                                        \
    }

SETTLE(settle_items, false)
SETTLE(settle_blocks, true)
