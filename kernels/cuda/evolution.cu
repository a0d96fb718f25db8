// Hybrid evolutionary algorithm for examination timetabling (Kolonias et al., Algorithms 7(3), 2014).
//
// `generation_G` is a fused generation: a group of G lanes makes one child, from the tournament to its cost, with genes and students per period in
// shared memory. The other kernels are the published stages, with six variants of the evaluation. All of them give the same populations.
#include "evolution.cuh"

// Steps of a launch of `generation_G`; without REPRODUCE the chromosomes are copied.
#define REPRODUCE 1u
#define DESCEND 2u

// Marks that no best chromosome is to be copied.
#define NOTHING 0xffffffffu

// Groups in a block of 256 threads with G = 4.
#define MOST_GROUPS 64

extern __shared__ __align__(16) u32 shared_memory[];

// Copies the best chromosome of a finished generation, with one block.
__device__ __forceinline__ void copy_best(
    const u32* genes, const Record* record, u32* best, u32 words) {
    const u32 individual = (u32)record->best;
    for (u32 k = threadIdx.x; k < words; k += blockDim.x) best[k] = genes[(u64)individual * words + k];
}

// Makes the children `first` … `end` − 1 of the next population.
//
// A group needs `group_words` words of shared memory: the genes (unless they stay in global memory) and two tables of periods + 2·PAD cells, with
// RESTRICTED also one cell per period. Neighbouring groups make the two children of a pair: one runs the tournament of the first parent, the other
// that of the second. Block 0 also copies the best chromosome of the generation in slot `keep`.
template <u32 G, bool SHARED, bool RESTRICTED>
__device__ __forceinline__ void generation(
    const Shape& shape, const Demands& demands, const u32* __restrict__ offsets, const u32* __restrict__ neighbours, const u64* __restrict__ edges,
    u32 edge_count, const u32* __restrict__ parents, const u32* __restrict__ parent_costs, u32* children, u32* costs,
    Record* records, u32* bests, u32 slot, u32 keep, u32 number, u32 first, u32 end, u32 steps, u32 group_words) {
    __shared__ Podium podiums[MOST_GROUPS];
    __shared__ BlockRecord block;
    const u32 group = threadIdx.x / G, lane = threadIdx.x % G;
    const u32 individual = first + blockIdx.x * (blockDim.x / G) + group;
    // Groups behind the end work on a copy of the last row and write nothing.
    const bool present = individual < end;
    const u32 row = present ? individual : end - 1;
    // In global memory a row has one writer; a warp is one group there and idles as a whole.
    const bool works = SHARED || present;
    u32* const own = shared_memory + group * group_words;
    u32* const words = SHARED ? own : children + (u64)row * shape.words;
    u32* const students = SHARED ? own + shape.words : own;
    u8* const genes = (u8*)words;

    if (threadIdx.x == 0) begin_record(block);
    if (blockIdx.x == 0 && keep != NOTHING) {
        copy_best(parents, records + keep, bests + (u64)keep * shape.words, shape.words);
    }
    if (steps & REPRODUCE) {
        const u32 purpose = individual % 2 == 0 ? FIRST_PARENT : SECOND_PARENT;
        const Podium podium = tournament<G>(shape, parent_costs, number, individual / 2, purpose, lane);
        if (lane == 0) podiums[group] = podium;
    }
    __syncthreads();
    if (works) {
        if (steps & REPRODUCE) {
            const u32 pair = individual / 2, child = individual % 2;
            const Mating mating = mate(shape, podiums[group & ~1u].first, podiums[group | 1u], number, pair);
            for (u32 k = lane; k < shape.words; k += G) {
                const u32 word = inherited(shape, parents, mating, child, k);
                words[k] = mutated<RESTRICTED>(shape, demands, number, individual, k, word);
            }
        } else {
            for (u32 k = lane; k < shape.words; k += G) words[k] = parents[(u64)row * shape.words + k];
        }
    }
    u32 cost = 0;
    u64 digest = 0;
    if (works) {
        __syncwarp();
        if (steps & DESCEND) descend<G, RESTRICTED>(shape, demands, offsets, neighbours, genes, students, lane);
        cost = evaluate<G>(shape, edges, edge_count, genes, lane);
        if (RESTRICTED) {
            u32* const load = students + 2 * (shape.periods + 2 * PAD);
            const u64 demanded = demand_total<G>(demands, genes, load, shape.clash, shape.exams, shape.periods, lane);
            cost = (u32)min(cost + demanded, (u64)0xffffffffu);
        }
        for (u32 k = lane; k < shape.words; k += G) {
            const u32 word = words[k];
            digest += digest_term(individual * shape.words + k, word);
            if (SHARED && present) children[(u64)individual * shape.words + k] = word;
        }
        digest = group_sum<G>(digest);
    }
    if (lane == 0 && present) {
        costs[individual] = cost;
        add_to_record(block, individual, cost, digest);
    }
    __syncthreads();
    if (threadIdx.x == 0) end_record(block, records + slot);
}

#define GENERATION(NAME, G, SHARED)                                                                                       \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                               \
        Shape shape, const u32* offsets, const u32* neighbours, const u64* edges, u32 edge_count, const u32* parents,     \
        const u32* parent_costs, u32* children, u32* costs, Record* records, u32* bests, u32 slot, u32 keep, u32 number,  \
        u32 first, u32 end, u32 steps, u32 group_words) {                                                                 \
        generation<G, SHARED, false>(shape, Demands{}, offsets, neighbours, edges, edge_count, parents, parent_costs, children, costs,      \
                              records, bests, slot, keep, number, first, end, steps, group_words);                        \
    }

GENERATION(generation_4, 4, true)
GENERATION(generation_8, 8, true)
GENERATION(generation_16, 16, true)
GENERATION(generation_32, 32, true)
// Genes in global memory, for chromosomes that do not fit into shared memory. A warp has one group, so a group behind the end can idle as a whole.
GENERATION(generation_global_32, 32, false)

// Variants with rules, seats and prices.
#define RESTRICTED_GENERATION(NAME, G, SHARED)                                                                            \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                               \
        Shape shape, const u32* allowed, const u32* relation_offsets, const u32* relations, const u32* enrolment,         \
        const u32* seats, const u32* prices, u64 penalty, u32 has_seats, u32 has_prices, const u32* offsets,              \
        const u32* neighbours, const u64* edges, u32 edge_count, const u32* parents, const u32* parent_costs,             \
        u32* children, u32* costs, Record* records, u32* bests, u32 slot, u32 keep, u32 number, u32 first, u32 end,       \
        u32 steps, u32 group_words) {                                                                                     \
        const Demands demands = {allowed, relation_offsets, relations, enrolment, seats, prices, penalty, has_seats,      \
                                 has_prices};                                                                             \
        generation<G, SHARED, true>(shape, demands, offsets, neighbours, edges, edge_count, parents, parent_costs,        \
                                    children, costs, records, bests, slot, keep, number, first, end, steps, group_words); \
    }

RESTRICTED_GENERATION(generation_restricted_8, 8, true)
RESTRICTED_GENERATION(generation_restricted_32, 32, true)
RESTRICTED_GENERATION(generation_restricted_global_32, 32, false)

// Copies the best chromosome of the generation in `slot`; one block.
extern "C" __global__ void __launch_bounds__(256) keep_best(
    const u32* genes, const Record* records, u32* bests, u32 slot, u32 words) {
    copy_best(genes, records + slot, bests + (u64)slot * words, words);
}

// Selection: a warp per pair writes first parent, second parent and crossover point.
extern "C" __global__ void __launch_bounds__(256) select_parents(
    Shape shape, const u32* __restrict__ costs, u32* matings, u32 number) {
    const u32 pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const Podium first = tournament<32>(shape, costs, number, pair, FIRST_PARENT, lane);
    const Podium second = tournament<32>(shape, costs, number, pair, SECOND_PARENT, lane);
    if (lane == 0 && pair < (shape.population + 1) / 2) {
        const Mating mating = mate(shape, first.first, second, number, pair);
        matings[pair * 3] = mating.first;
        matings[pair * 3 + 1] = mating.second;
        matings[pair * 3 + 2] = mating.point;
    }
}

// Crossover after selection, a thread per word of four genes.
extern "C" __global__ void __launch_bounds__(256) cross_over(
    Shape shape, const u32* __restrict__ parents, const u32* __restrict__ matings, u32* children) {
    const u64 position = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (position >= (u64)shape.population * shape.words) return;
    const u32 individual = (u32)(position / shape.words), k = (u32)(position % shape.words);
    const u32* const row = matings + individual / 2 * 3;
    const Mating mating = {row[0], row[1], row[2]};
    children[position] = inherited(shape, parents, mating, individual % 2, k);
}

// Selection and crossover in one kernel, a warp per pair.
extern "C" __global__ void __launch_bounds__(256) reproduce(
    Shape shape, const u32* __restrict__ parents, const u32* __restrict__ costs, u32* children, u32 number) {
    const u32 pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const Podium first = tournament<32>(shape, costs, number, pair, FIRST_PARENT, lane);
    const Podium second = tournament<32>(shape, costs, number, pair, SECOND_PARENT, lane);
    const Mating mating = mate(shape, first.first, second, number, pair);
    for (u32 child = 0; child < 2; ++child) {
        const u32 individual = pair * 2 + child;
        if (individual < shape.population) {
            for (u32 k = lane; k < shape.words; k += 32) {
                children[(u64)individual * shape.words + k] = inherited(shape, parents, mating, child, k);
            }
        }
    }
}

// Mutation, a thread per word of four genes.
extern "C" __global__ void __launch_bounds__(256) mutate(Shape shape, u32* genes, u32 number) {
    const u64 position = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (position >= (u64)shape.population * shape.words) return;
    const u32 individual = (u32)(position / shape.words), k = (u32)(position % shape.words);
    genes[position] = mutated<false>(shape, Demands{}, number, individual, k, genes[position]);
}

// Descent, a group of G lanes per chromosome.
template <u32 G, bool SHARED>
__device__ __forceinline__ void descent(
    const Shape& shape, const u32* __restrict__ offsets, const u32* __restrict__ neighbours, u32* population,
    u32 group_words) {
    const u32 group = threadIdx.x / G, lane = threadIdx.x % G;
    const u32 individual = blockIdx.x * (blockDim.x / G) + group;
    const bool present = individual < shape.population;
    u32* const row = population + (u64)(present ? individual : shape.population - 1) * shape.words;
    u32* const own = shared_memory + group * group_words;
    if (SHARED) {
        for (u32 k = lane; k < shape.words; k += G) own[k] = row[k];
        __syncwarp();
        descend<G, false>(shape, Demands{}, offsets, neighbours, (u8*)own, own + shape.words, lane);
        if (present) {
            for (u32 k = lane; k < shape.words; k += G) row[k] = own[k];
        }
    } else if (present) {
        descend<G, false>(shape, Demands{}, offsets, neighbours, (u8*)row, own, lane);
    }
}

#define DESCENT(NAME, G, SHARED)                                                                                          \
    extern "C" __global__ void __launch_bounds__(256) NAME(                                                               \
        Shape shape, const u32* offsets, const u32* neighbours, u32* genes, u32 group_words) {                            \
        descent<G, SHARED>(shape, offsets, neighbours, genes, group_words);                                               \
    }

DESCENT(descend_4, 4, true)
DESCENT(descend_8, 8, true)
DESCENT(descend_16, 16, true)
DESCENT(descend_32, 32, true)
DESCENT(descend_global_32, 32, false)

// Evaluation with the full conflict matrix, a thread per chromosome; each pair counts twice.
extern "C" __global__ void __launch_bounds__(256) evaluate_full_by_chromosome(
    Shape shape, const u32* __restrict__ matrix, const u8* __restrict__ genes, u32* costs) {
    const u32 individual = blockIdx.x * blockDim.x + threadIdx.x;
    if (individual >= shape.population) return;
    const u8* const own = genes + (u64)individual * shape.words * 4;
    u64 sum = 0;
    for (u32 exam = 0; exam < shape.exams; ++exam) {
        const u32 period = own[exam];
        const u32* const row = matrix + (u64)exam * shape.exams;
        for (u32 other = 0; other < shape.exams; ++other) {
            sum += (u64)row[other] * weight_of(shape.clash, period, own[other]);
        }
    }
    costs[individual] = (u32)(sum / 2);
}

// Evaluation with compressed sparse rows, a thread per chromosome. `starts` holds the beginnings of the rows, or of their upper triangle; `twice` is
// 1 if each pair counts twice.
extern "C" __global__ void __launch_bounds__(256) evaluate_sparse_by_chromosome(
    Shape shape, const u32* __restrict__ starts, const u32* __restrict__ offsets, const u32* __restrict__ neighbours,
    const u8* __restrict__ genes, u32* costs, u32 twice) {
    const u32 individual = blockIdx.x * blockDim.x + threadIdx.x;
    if (individual >= shape.population) return;
    const u8* const own = genes + (u64)individual * shape.words * 4;
    u64 sum = 0;
    for (u32 exam = 0; exam < shape.exams; ++exam) {
        const u32 period = own[exam], end = offsets[exam + 1];
        for (u32 at = starts[exam]; at < end; ++at) {
            const u32 neighbour = neighbours[at];
            sum += (u64)(neighbour >> 16) * weight_of(shape.clash, period, own[neighbour & 0xffffu]);
        }
    }
    costs[individual] = (u32)(sum >> twice);
}

// Evaluation with the full conflict matrix, a thread per exam and gridDim.y blocks per chromosome, which add their sums atomically. The matrix is
// symmetric, so it is read by columns, which coalesces.
extern "C" __global__ void __launch_bounds__(512) evaluate_full_by_exam(
    Shape shape, const u32* __restrict__ matrix, const u8* __restrict__ genes, u64* sums) {
    __shared__ u64 scratch[32];
    const u32 individual = blockIdx.x, exam = blockIdx.y * blockDim.x + threadIdx.x;
    const u8* const own = genes + (u64)individual * shape.words * 4;
    u64 sum = 0;
    if (exam < shape.exams) {
        const u32 period = own[exam];
        for (u32 other = 0; other < shape.exams; ++other) {
            sum += (u64)matrix[(u64)other * shape.exams + exam] * weight_of(shape.clash, period, own[other]);
        }
    }
    sum = block_sum(sum, scratch);
    if (threadIdx.x == 0) atomicAdd(&sums[individual], sum);
}

// Evaluation with compressed sparse rows or their upper triangle, a thread per exam.
extern "C" __global__ void __launch_bounds__(512) evaluate_sparse_by_exam(
    Shape shape, const u32* __restrict__ starts, const u32* __restrict__ offsets, const u32* __restrict__ neighbours,
    const u8* __restrict__ genes, u64* sums) {
    __shared__ u64 scratch[32];
    const u32 individual = blockIdx.x, exam = blockIdx.y * blockDim.x + threadIdx.x;
    const u8* const own = genes + (u64)individual * shape.words * 4;
    u64 sum = 0;
    if (exam < shape.exams) {
        const u32 period = own[exam], end = offsets[exam + 1];
        for (u32 at = starts[exam]; at < end; ++at) {
            const u32 neighbour = neighbours[at];
            sum += (u64)(neighbour >> 16) * weight_of(shape.clash, period, own[neighbour & 0xffffu]);
        }
    }
    sum = block_sum(sum, scratch);
    if (threadIdx.x == 0) atomicAdd(&sums[individual], sum);
}

// Finishes an evaluation by exam: halves the sums if each pair counts twice, and clears them.
extern "C" __global__ void __launch_bounds__(256) finish_costs(u64* sums, u32* costs, u32 population, u32 twice) {
    const u32 individual = blockIdx.x * blockDim.x + threadIdx.x;
    if (individual >= population) return;
    costs[individual] = (u32)(sums[individual] >> twice);
    sums[individual] = 0;
}

// Record of an evaluated population, a warp per chromosome.
extern "C" __global__ void __launch_bounds__(256) summarise(
    Shape shape, const u32* __restrict__ genes, const u32* __restrict__ costs, Record* record, u32 slot) {
    __shared__ BlockRecord block;
    const u32 individual = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) begin_record(block);
    __syncthreads();
    u64 digest = 0;
    if (individual < shape.population) {
        for (u32 k = lane; k < shape.words; k += 32) {
            const u32 position = individual * shape.words + k;
            digest += digest_term(position, genes[(u64)individual * shape.words + k]);
        }
    }
    digest = group_sum<32>(digest);
    if (lane == 0 && individual < shape.population) add_to_record(block, individual, costs[individual], digest);
    __syncthreads();
    if (threadIdx.x == 0) end_record(block, record + slot);
}
