// Operators of the hybrid evolutionary algorithm for a group of G lanes that works on one chromosome.
//
// The reference is `solver/timetabling/src/evolution/cpu.rs`. Costs are integers, ties break by index and random words are addressed, so results
// do not depend on block size, G or the order of threads.
//
// Source: V. Kolonias, G. Goulas, C. Gogos, P. Alefragis, E. Housos, «Solving the examination timetabling problem in GPUs», Algorithms 7(3), 2014.
#pragma once

#include "demands.cuh"
#include "digest.cuh"
#include "philox.cuh"
#include "reduce.cuh"

// Purposes of the random words.
#define FIRST_PARENT 0x32u
#define SECOND_PARENT 0x33u
#define CROSSOVER 0x34u
#define MUTATION 0x35u
#define MUTATED_PERIOD 0x36u

// Number of neighbours or edges that a lane loads at once.
#define BATCH 4u

// Padding cells before the first and after the last period of a table over periods.
#define PAD 5u

// Key above all others, which marks no individual.
#define NOBODY 0xffffffffffffffffull

// Parameters of a run. A chromosome is a row of `words` 32-bit words with a period in each byte, padded with 0.
struct Shape {
    u32 exams, periods, words, population;
    // W(0), the weight of a clash; number of individuals in a tournament.
    u32 clash, tournament;
    Key key;
    // Thresholds ⌊p·2³²⌋ of a crossover and of the mutation of a gene.
    u64 crossover, mutation;
};

// Statistics of a generation: minimum of (cost << 32 | individual), sum of costs, digest, largest cost.
struct Record {
    u64 best, sum, digest, worst;
};

// Two best different individuals of a tournament as cost << 32 | individual.
struct Podium {
    u64 first, second;
};

__device__ __forceinline__ void climb(Podium& podium, u64 key) {
    if (key < podium.first) {
        podium.second = podium.first;
        podium.first = key;
    } else if (key != podium.first && key < podium.second) {
        podium.second = key;
    }
}

// Tournament among random individuals with the lanes of a group; every lane gets the two best.
template <u32 G>
__device__ __forceinline__ Podium tournament(
    const Shape& shape, const u32* __restrict__ costs, u32 generation, u32 pair, u32 purpose, u32 lane) {
    Podium podium = {NOBODY, NOBODY};
    for (u32 block = lane; block * 4 < shape.tournament; block += G) {
        const Words words = philox(shape.key, block, generation, pair, purpose);
        const u32 drawn[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
        for (u32 draw = 0; draw < 4; ++draw) {
            if (block * 4 + draw < shape.tournament) {
                const u32 individual = index_of(drawn[draw], shape.population);
                climb(podium, (u64)costs[individual] << 32 | individual);
            }
        }
    }
#pragma unroll
    for (u32 distance = G / 2; distance > 0; distance /= 2) {
        const u64 first = __shfl_xor_sync(FULL_WARP, podium.first, distance);
        const u64 second = __shfl_xor_sync(FULL_WARP, podium.second, distance);
        climb(podium, first);
        climb(podium, second);
    }
    return podium;
}

// Two parents and the crossover point: the first exam whose gene comes from the other parent; the number of exams if nothing is exchanged.
struct Mating {
    u32 first, second, point;
};

// Chooses the second parent and the crossover point. The second parent is the best of its tournament without the first parent, or the individual
// after the first parent if no other one took part.
__device__ __forceinline__ Mating mate(
    const Shape& shape, u64 first_key, const Podium& others, u32 generation, u32 pair) {
    Mating mating;
    mating.first = (u32)first_key;
    const u64 second = (u32)others.first == mating.first ? others.second : others.first;
    mating.second = second == NOBODY ? (mating.first + 1) % shape.population : (u32)second;
    const Words words = philox(shape.key, 0, generation, pair, CROSSOVER);
    const bool crosses = happens(words.x, shape.crossover) && shape.exams > 1;
    mating.point = crosses ? 1 + index_of(words.y, shape.exams - 1) : shape.exams;
    return mating;
}

// Word k of child 0 or 1 of a pair: one parent's genes before the crossover point, the other's from there on.
__device__ __forceinline__ u32 inherited(
    const Shape& shape, const u32* __restrict__ parents, const Mating& mating, u32 child, u32 k) {
    const u32 front = child == 0 ? mating.first : mating.second;
    const u32 back = child == 0 ? mating.second : mating.first;
    u32 mask = 0;
    if (k * 4 + 4 <= mating.point) {
        mask = 0xffffffffu;
    } else if (k * 4 < mating.point) {
        mask = (1u << 8 * (mating.point - k * 4)) - 1;
    }
    u32 word = 0;
    if (mask != 0) word = parents[(u64)front * shape.words + k] & mask;
    if (mask != 0xffffffffu) word |= parents[(u64)back * shape.words + k] & ~mask;
    return word;
}

// Word k after mutation: each of its genes becomes a random period with the probability of a mutation.
template <bool RESTRICTED>
__device__ __forceinline__ u32 mutated(
    const Shape& shape, const Demands& demands, u32 generation, u32 individual, u32 k, u32 word) {
    const Words words = philox(shape.key, k, generation, individual, MUTATION);
    // Events are rare; collecting them first compiles the second random number only once.
    u32 events = (u32)happens(words.x, shape.mutation) | (u32)happens(words.y, shape.mutation) << 1 |
                 (u32)happens(words.z, shape.mutation) << 2 | (u32)happens(words.w, shape.mutation) << 3;
    for (; events != 0; events &= events - 1) {
        const u32 byte = __ffs(events) - 1, exam = k * 4 + byte;
        if (exam < shape.exams) {
            const Words period = philox(shape.key, exam, generation, individual, MUTATED_PERIOD);
            const u32 gene = RESTRICTED ? random_period(demands, exam, period.x, shape.periods)
                                        : index_of(period.x, shape.periods);
            word = (word & ~(0xffu << 8 * byte)) | gene << 8 * byte;
        }
    }
    return word;
}

// Type of costs in a descent: 32 bits suffice for pairs of exams, penalties need 64.
template <bool RESTRICTED>
struct CostOf {
    using Type = u32;
};
template <>
struct CostOf<true> {
    using Type = u64;
};

// Greedy steepest descent: each exam in turn moves to its cheapest period (ties: the lowest) while the others stay.
//
// With s(t) = Σ_{j in t} c_ej, period t costs M·s(t) + L(t) + R(t), where L(t) = Σ_{d = 1…5} 2^{5−d}·s(t−d) and R(t) = Σ_{d = 1…5} 2^{5−d}·s(t+d).
// The lanes add their shares of the neighbours to s; then each lane computes a run of neighbouring periods with
//     L(t+1) = 16·s(t) + (L(t) − s(t−5)) / 2        R(t+1) = 2·(R(t) − 16·s(t+1)) + s(t+6).
// Runs ascend with the lanes, so the lowest lane with the minimum has the lowest period. Two tables alternate: one is cleared while the other is
// filled.
//
// `neighbours` holds exam and shared students in the halves of a word, padded by 32 words; `offsets` ends with its last value twice; `students`
// holds two tables of periods + 2·PAD cells. RESTRICTED adds rules, seats and prices in 64 bits; the students per period stand behind the tables.
template <u32 G, bool RESTRICTED>
__device__ __forceinline__ void descend(
    const Shape& shape, const Demands& demands, const u32* __restrict__ offsets, const u32* __restrict__ neighbours,
    u8* genes, u32* students, u32 lane) {
    using Cost = typename CostOf<RESTRICTED>::Type;
    const u32 cells = shape.periods + 2 * PAD;
    u32* const load = students + 2 * cells;
    if (RESTRICTED && demands.has_seats) count_load<G>(demands, genes, shape.exams, shape.periods, load, lane);
    const u32 run = (shape.periods + G - 1) / G;
    const u32 run_begin = lane * run, run_end = min(run_begin + run, shape.periods);
    for (u32 cell = lane; cell < 2 * cells; cell += G) students[cell] = 0;
    u32 begin = 0, end = __ldg(&offsets[1]);
    u32 word = __ldg(&neighbours[lane]);
    __syncwarp();
    for (u32 exam = 0; exam < shape.exams; ++exam) {
        u32* const filled = students + (exam & 1) * cells;
        u32* const cleared = students + (~exam & 1) * cells;
        // Independent loads are issued first; a neighbour's word is never 0.
        const u32 next_end = __ldg(&offsets[exam + 2]);
        const u32 next_word = __ldg(&neighbours[end + lane]);
        u32 at = begin + lane;
        if (at < end) atomicAdd(&filled[PAD + genes[word & 0xffffu]], word >> 16);
        for (at += G; at < end; at += BATCH * G) {
            u32 batch[BATCH];
#pragma unroll
            for (u32 i = 0; i < BATCH; ++i) batch[i] = at + i * G < end ? __ldg(&neighbours[at + i * G]) : 0;
#pragma unroll
            for (u32 i = 0; i < BATCH; ++i) {
                if (batch[i] != 0) atomicAdd(&filled[PAD + genes[batch[i] & 0xffffu]], batch[i] >> 16);
            }
        }
        for (u32 cell = lane; cell < cells; cell += G) cleared[cell] = 0;
        __syncwarp();
        Cost lowest = ~(Cost)0;
        u32 cheapest = 0;
        const u32 own = RESTRICTED ? genes[exam] : 0;
        const auto demanded = [&](u32 period) -> Cost {
            if constexpr (RESTRICTED) {
                return demand_cost(demands, genes, load, shape.clash, shape.periods, exam, own, period);
            }
            return 0;
        };
        if (run_begin < run_end) {
            const u32* s = filled + PAD + run_begin;
            u32 left = 16 * s[-1] + 8 * s[-2] + 4 * s[-3] + 2 * s[-4] + s[-5];
            u32 right = 16 * s[1] + 8 * s[2] + 4 * s[3] + 2 * s[4] + s[5];
            lowest = shape.clash * s[0] + left + right + demanded(run_begin);
            cheapest = run_begin;
            for (u32 period = run_begin + 1; period < run_end; ++period, ++s) {
                left = 16 * s[0] + (left - s[-5]) / 2;
                right = 2 * (right - 16 * s[1]) + s[6];
                const Cost cost = shape.clash * s[1] + left + right + demanded(period);
                if (cost < lowest) {
                    lowest = cost;
                    cheapest = period;
                }
            }
        }
        const Cost minimum = group_minimum<G>(lowest);
        const bool chosen = first_of_group<G>(lowest == minimum) == lane;
        // With rules other lanes read genes and load until here.
        if (RESTRICTED) __syncwarp();
        if (chosen) {
            genes[exam] = (u8)cheapest;
            if (RESTRICTED && demands.has_seats) {
                load[own] -= demands.enrolment[exam];
                load[cheapest] += demands.enrolment[exam];
            }
        }
        __syncwarp();
        begin = end;
        end = next_end;
        word = next_word;
    }
}

// W(d): M for a clash, 16, 8, 4, 2, 1 for 1…5 periods, otherwise 0.
__device__ __forceinline__ u32 weight_of(u32 clash, u32 a, u32 b) {
    const u32 distance = max(a, b) - min(a, b);
    return distance == 0 ? clash : 32u >> min(distance, 31u);
}

// Σ_{i<j} c_ij · W(|t_i − t_j|) over all pairs; every lane of the group gets it.
//
// `edges` holds two exams in bits 0–15 and 16–31 and the shared students in the upper 32 bits.
template <u32 G>
__device__ __forceinline__ u32 evaluate(
    const Shape& shape, const u64* __restrict__ edges, u32 edge_count, const u8* genes, u32 lane) {
    u32 sum = 0;
    for (u32 at = lane; at < edge_count; at += BATCH * G) {
        u64 batch[BATCH];
#pragma unroll
        for (u32 i = 0; i < BATCH; ++i) batch[i] = at + i * G < edge_count ? __ldg(&edges[at + i * G]) : 0;
#pragma unroll
        for (u32 i = 0; i < BATCH; ++i) {
            const u32 exams = (u32)batch[i];
            sum += (u32)(batch[i] >> 32) * weight_of(shape.clash, genes[exams & 0xffffu], genes[exams >> 16]);
        }
    }
    return group_sum<G>(sum);
}

// Contribution of a block to the record of a generation.
struct BlockRecord {
    u64 best, sum, digest;
    u32 worst;
};

__device__ __forceinline__ void begin_record(BlockRecord& block) {
    block.best = NOBODY;
    block.sum = 0;
    block.digest = 0;
    block.worst = 0;
}

__device__ __forceinline__ void add_to_record(BlockRecord& block, u32 individual, u32 cost, u64 digest) {
    atomicMin(&block.best, (u64)cost << 32 | individual);
    atomicAdd(&block.sum, (u64)cost);
    atomicAdd(&block.digest, digest);
    atomicMax(&block.worst, cost);
}

__device__ __forceinline__ void end_record(const BlockRecord& block, Record* record) {
    atomicMin(&record->best, block.best);
    atomicAdd(&record->sum, block.sum);
    atomicAdd(&record->digest, block.digest);
    atomicMax(&record->worst, (u64)block.worst);
}
