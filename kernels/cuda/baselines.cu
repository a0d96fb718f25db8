// Baselines of systolic genetic search: two genetic algorithms and random search, for one or many runs. The references are `systolic/genetic.rs`
// and `systolic/random.rs`.
//
// The words of a solution lie side by side, since parents can be anywhere in the population. For the same reason a generation is a launch, after
// which `judge` finds the best individual.
#include "binary.cuh"

// Purposes of random words, as in `state.rs`.
#define RANDOM 2u
#define TOURNAMENT 3u
#define CROSSOVER 4u
#define MUTATION 5u

// Lanes per pair of children.
#define LANES 8u

// Number of random solutions per block.
#define SPAN 2048u

// Returns true if a solution precedes another one strictly in the total order given by the `key` of `evaluation.rs`.
__device__ __forceinline__ bool ahead(const Shape& shape, u64 one, u64 other) {
    if (shape.kind == KNAPSACK) return knapsack_fitness(shape, one) > knapsack_fitness(shape, other);
    if (shape.kind == DECEPTIVE) return one > other;
    const u64 of_one = release_worth(shape, one), of_other = release_worth(shape, other);
    if (of_one != of_other) return of_one < of_other;
    const u32 cost_one = (u32)one, cost_other = (u32)other;
    return cost_one < cost_other || (cost_one == cost_other && one >> 32 > other >> 32);
}

// Makes a random solution word by word and returns its sums; `words` may be null. For random search a knapsack is filled with the drawn items that
// still fit, one by one; lightest[k] is the smallest weight of the items from 128·k on.
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
    // Blocks behind the last one are zeros, which would be worth something.
    if (BLOCKS) sum -= (u64)(beyond / 6) * 1000000 << 32;
    return sum;
}

// Makes the first population of run blockIdx.y, one thread per individual.
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

// Parameters of a genetic algorithm: threshold of a crossover; 1 if a child replaces an individual only if it is better; number of limits for
// the number of flipped bits.
struct Rules {
    u64 crossover;
    u32 elitist, limits;
};

// Populations of all runs: parents, and the children that replace them.
struct Parents {
    const u64 *words, *sums;
    const u32* since;
};
struct Children {
    u64 *words, *sums;
    u32* since;
};

// Two parents, and the segment that their children exchange if `crossed`.
struct Pair {
    u32 one, other, first, last;
    bool crossed;
};

// Returns the better of two individuals, of equal ones the one with the smaller number.
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

// Bits of a word that the children of a pair exchange.
template <bool BLOCKS>
__device__ __forceinline__ u64 exchanged(const Pair& pair, u32 word, u64 x, u64 y) {
    return pair.crossed ? (x ^ y) & segment_mask<BLOCKS>(pair.first, pair.last, word) : 0;
}

// Flips bits of a child and returns its gain; a bit is not flipped twice, which is detected from the words that the parents give.
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
            // A bit that was flipped before is not flipped back.
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

// Makes a generation of run blockIdx.y: LANES neighbouring lanes make the two children of a pair.
template <bool BLOCKS>
__device__ __forceinline__ void mate(
    const Shape& shape, const Rules& rules, const u64* __restrict__ items, const u32* __restrict__ limits,
    const Parents& from, const Children& to, u32 seed_low, u32 seed_high, u32 generation) {
    const u32 count = 2 * shape.bits * shape.rows, each = shape.words, lane = threadIdx.x % LANES;
    const u32 asked = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    // Lanes without a pair take part in warp-level operations.
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
            // Gains of both children in the halves of one number.
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

// Best of some solutions: its sums and its number, smaller for earlier solutions; ~0 if there is none.
struct Best {
    u64 sums, number;
};

__device__ __forceinline__ Best better_of(const Shape& shape, const Best& one, const Best& other) {
    if (other.number == ~0ull) return one;
    if (one.number == ~0ull || ahead(shape, other.sums, one.sums)) return other;
    return other.number < one.number && !ahead(shape, one.sums, other.sums) ? other : one;
}

// Best solution of a block; every thread gets it. `scratch` has room for one solution per warp.
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

// Best solution so far of each run.
struct Records {
    u64 *words, *sums;
    u32* since;
};

// Updates the best solution of run blockIdx.x from its present population; generation 0 always sets it.
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
    // All threads have compared with the old record.
    __syncthreads();
    if (threadIdx.x == 0) {
        record_sums[run] = best.sums;
        record_since[run] = generation;
    }
}

// Evaluates the random solutions of the iterations first + 1, … of run blockIdx.y, SPAN per block, and writes the best one of each block with
// the number iteration·2³² + number.
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

// Updates the best solution of run blockIdx.x from those of `spans` blocks; with 0 blocks, makes the first solution.
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
