// Simulated annealing with Kempe chains for examination timetabling: a block per chain, with its tables in shared memory for a whole launch.
#include "shifts.cuh"
#include "swaps.cuh"

// Largest number of Kempe chains or exchanges that a step proposes.
#define MOST_ALTERNATIVES 16

extern __shared__ __align__(16) u32 shared_memory[];

// Builds the tables of the timetable `place`, with the whole block.
template <bool RESTRICTED>
__device__ __forceinline__ void build(const Board& board, const u32* place, u32 row) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 cell_words = (board.exams * board.periods + 1) / 2;
    for (u32 word = threadIdx.x; word < cell_words; word += blockDim.x) ((u32*)board.cells)[word] = 0;
    for (u32 word = threadIdx.x; word < board.periods * board.words; word += blockDim.x) board.members[word] = 0;
    for (u32 word = threadIdx.x; word < row; word += blockDim.x) ((u32*)board.place)[word] = place[word];
    if (RESTRICTED) {
        for (u32 period = threadIdx.x; period < board.periods; period += blockDim.x) board.load[period] = 0;
    }
    __syncthreads();
    for (u32 exam = warp; exam < board.exams; exam += warps) {
        const u32 period = board.place[exam], end = __ldg(&board.offsets[exam + 1]);
        for (u32 at = __ldg(&board.offsets[exam]) + lane; at < end; at += 32) {
            const u32 neighbour = __ldg(&board.neighbours[at]);
            add_to_cell(board.cells, (neighbour & 0xffffu) * board.periods + period, neighbour >> 16);
        }
        if (lane == 0) {
            atomicOr(&board.members[period * board.words + exam / 32], 1u << exam % 32);
            if (RESTRICTED && board.demands.has_seats) atomicAdd(&board.load[period], board.demands.enrolment[exam]);
        }
    }
    __syncthreads();
}

// Runs the steps of chain `first + blockIdx.x`; chain c of component k has the number k·chains + c.
//
// Shared memory: working memory of a step, the cells (unless they lie in `tables`), the exams by period, the periods by exam, and with RESTRICTED
// the students by period. A step that moves single exams uses its working memory for the acceptable moves (twice), their ties to earlier moves, the
// counts of every 32 proposals, and the blocked exams; a step that exchanges periods for a set of exams and a list of 32 per alternative, later
// for a list of 32 per warp: at most 16 warps need no more than the proposals do.
template <u32 K, bool RESTRICTED, bool SHARED>
__device__ __forceinline__ void anneal(
    const Settings& settings, const Demands& demands, const Component* __restrict__ components,
    const StepRange* __restrict__ ranges, const u32* __restrict__ offsets, const u32* __restrict__ neighbours,
    const u32* __restrict__ adjacency, const u32* __restrict__ levels, u32* places, u32* bests, ChainRecord* chains,
    u32* tables, u32 table_words, u32 first) {
    __shared__ u32 chosen_by_one, first_number;
    __shared__ Swap swaps[MOST_ALTERNATIVES];
    __shared__ u32 temperatures[TEMPERATURE_LEVELS];
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 number = first + blockIdx.x, which = number / settings.chains, individual = which << 16 | number % settings.chains;
    const Component component = components[which];
    const StepRange range = ranges[which];
    u32* const place = places + component.first_place + (u64)(number % settings.chains) * component.row;
    u32* const best = bests + component.first_place + (u64)(number % settings.chains) * component.row;
    const u32 first_exam = component.first_exam;

    const u32 cell_words = (component.exams * settings.periods + 1) / 2;
    const u32 proposals = component.proposals;
    u32* const gathered = shared_memory + 2 * proposals;
    u32* const tied = gathered + 2 * proposals;
    u32* const counts = tied + proposals;
    const Moves moves = {proposals, (Move*)shared_memory, counts, (Move*)gathered, tied, counts + proposals / 32,
                         &chosen_by_one};
    u32* const sets = shared_memory;
    u16* const lists = (u16*)(sets + component.alternatives * component.words);
    u32* const free_memory = shared_memory + max(5 * proposals + proposals / 32 + component.words,
                                                 component.alternatives * (component.words + 16));
    u32* const cells = SHARED ? free_memory : tables + (u64)number * table_words;
    u32* const members = SHARED ? free_memory + cell_words : free_memory;
    u32* const here = members + settings.periods * component.words;
    u32* const load = here + component.row;
    Board board = {component.exams, component.words, settings.periods, offsets + first_exam + which, neighbours,
                   adjacency + component.first_adjacent, demands, (u16*)cells, members, (u8*)here, load};
    if (RESTRICTED) {
        board.demands.allowed += first_exam * SET_WORDS;
        board.demands.relation_offsets += first_exam;
        board.demands.enrolment += first_exam;
        if (demands.has_prices) board.demands.prices += (u64)first_exam * settings.periods;
    }
    const First first_accepted = {&first_number};
    if (threadIdx.x == 0) first_number = NO_EXAM;
    // In shared memory the levels can be indexed.
#pragma unroll
    for (u32 level = 0; level < TEMPERATURE_LEVELS; ++level) {
        if (threadIdx.x == level) temperatures[level] = settings.temperatures[level];
    }
    build<RESTRICTED>(board, place, component.row);

    i64 cost = chains[number].cost, best_cost = chains[number].best_cost;
    u64 evaluations = chains[number].evaluations;
    // Temperature level of the present step, and first step of the next level.
    u32 level = 0;
    u64 level_end = range.stage_begin + range.level_steps;
    // Control words of 32 steps at a time, one per lane.
    u64 controlled = ~0ull;
    Words control = {0, 0, 0, 0};
    for (u64 step = range.from; step < range.until; ++step) {
        for (; step >= level_end && level < TEMPERATURE_LEVELS - 1; level_end += range.level_steps) ++level;
        const u32 temperature = temperatures[level];
        const u32 purpose = CONTROL | (u32)(step >> 32) << 8;
        if (step / 32 != controlled) {
            controlled = step / 32;
            control = philox(settings.key, 0, (u32)(controlled * 32) + lane, individual, purpose);
        }
        const u32 source = (u32)step % 32, kind = __shfl_sync(FULL_WARP, control.x, source);
        if (kind >= settings.exchange) {
            for (u32 word = threadIdx.x; word < component.words; word += blockDim.x) moves.blocked[word] = 0;
            propose<RESTRICTED>(board, settings, levels, step, individual, temperature, moves);
            __syncthreads();
            evaluations += component.proposals;
            cost += choose_and_apply<RESTRICTED>(board, moves);
        } else {
            const bool chained = kind < settings.kempe;
            for (u32 number = warp; number < component.alternatives; number += warps) {
                Words words = {0, __shfl_sync(FULL_WARP, control.y, source), __shfl_sync(FULL_WARP, control.z, source),
                               __shfl_sync(FULL_WARP, control.w, source)};
                if (number != 0) words = philox(settings.key, number, (u32)step, individual, purpose);
                const i64 limit = limit_of(levels, temperature, words.w);
                const u32 exam = index_of(words.y, board.exams);
                const u32 from = chained ? board.place[exam] : index_of(words.y, board.periods);
                const u32 to = other_than(from, index_of(words.z, board.periods - 1));
                u32* const set = sets + number * component.words;
                u16* const list = lists + number * 32;
                if (chained) {
                    kempe<K, RESTRICTED>(
                        board, exam, from, to, limit, set, lane, number, first_accepted, &swaps[number]);
                } else {
                    exchange<K, RESTRICTED>(board, from, to, limit, set, list, lane, &swaps[number]);
                }
            }
            __syncthreads();
            if (threadIdx.x == 0) first_number = NO_EXAM;
            const u32 accepted = __ballot_sync(FULL_WARP, lane < component.alternatives && swaps[lane].accepted != 0);
            evaluations += accepted == 0 ? component.alternatives : __ffs(accepted);
            if (accepted != 0) {
                const u32 chosen = __ffs(accepted) - 1;
                if (chained) {
                    apply_swap<K, RESTRICTED>(board, swaps[chosen], sets + chosen * component.words, lists);
                } else {
                    apply_exchange<RESTRICTED>(board, swaps[chosen]);
                }
                cost += swaps[chosen].delta;
            }
        }
        __syncthreads();
        if (cost < best_cost) {
            best_cost = cost;
            for (u32 word = threadIdx.x; word < component.row; word += blockDim.x) best[word] = here[word];
        }
    }
    __syncthreads();
    for (u32 word = threadIdx.x; word < component.row; word += blockDim.x) place[word] = here[word];
    if (threadIdx.x == 0) chains[number] = {cost, best_cost, evaluations};
}

#define ANNEAL(NAME, THREADS, BLOCKS, K, SHARED)                                                                      \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME(                                               \
        Settings settings, const Component* components, const StepRange* ranges, const u32* offsets, const u32* neighbours,  \
        const u32* adjacency, const u32* levels, u32* places, u32* bests, ChainRecord* chains, u32* tables, u32 table_words,\
        u32 first) {                                                                                                  \
        anneal<K, false, SHARED>(settings, Demands{}, components, ranges, offsets, neighbours, adjacency, levels, places,\
                                 bests, chains, tables, table_words, first);                                          \
    }

// Components of up to 1,024, 3,072 and 4,096 exams.
ANNEAL(anneal_1, 256, 4, 1, true)
ANNEAL(anneal_3, 512, 1, 3, true)
ANNEAL(anneal_4, 512, 1, 4, true)
// Cells in global memory, for components whose cells do not fit into shared memory.
ANNEAL(anneal_global_4, 512, 1, 4, false)

// Variants with rules, seats and prices.
#define RESTRICTED_ANNEAL(NAME, THREADS, BLOCKS, K, SHARED)                                                           \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) NAME(                                               \
        Settings settings, const u32* allowed, const u32* relation_offsets, const u32* relations, const u32* enrolment,       \
        const u32* seats, const u32* prices, u64 penalty, u32 has_seats, u32 has_prices, const Component* components, \
        const StepRange* ranges, const u32* offsets, const u32* neighbours, const u32* adjacency, const u32* levels, \
        u32* places, u32* bests, ChainRecord* chains, u32* tables, u32 table_words, u32 first) {                            \
        const Demands demands = {allowed, relation_offsets, relations, enrolment, seats, prices, penalty, has_seats,  \
                                 has_prices};                                                                         \
        anneal<K, true, SHARED>(settings, demands, components, ranges, offsets, neighbours, adjacency, levels, places, \
                                bests, chains, tables, table_words, first);                                           \
    }

RESTRICTED_ANNEAL(anneal_restricted_1, 256, 4, 1, true)
RESTRICTED_ANNEAL(anneal_restricted_global_4, 512, 1, 4, false)

// Copies chains over others for resampling: a block per pair (from, to), from pair `first` on.
extern "C" __global__ void __launch_bounds__(256) continue_from(
    u32 first, const u32* __restrict__ pairs, const Component* __restrict__ components, u32 per_component, u32* places, u32* bests,
    ChainRecord* chains) {
    const u32* const pair = pairs + 2 * (u64)(first + blockIdx.x);
    const u32 from = pair[0], to = pair[1];
    const Component component = components[to / per_component];
    const u32* const source = places + component.first_place + (u64)(from % per_component) * component.row;
    u32* const place = places + component.first_place + (u64)(to % per_component) * component.row;
    u32* const best = bests + component.first_place + (u64)(to % per_component) * component.row;
    const i64 cost = chains[from].cost, best_cost = chains[to].best_cost;
    __syncthreads();
    for (u32 word = threadIdx.x; word < component.row; word += blockDim.x) {
        place[word] = source[word];
        if (cost < best_cost) best[word] = source[word];
    }
    if (threadIdx.x == 0) {
        chains[to].cost = cost;
        if (cost < best_cost) chains[to].best_cost = cost;
    }
}
