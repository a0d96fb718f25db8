// Annealing with Kempe chains on the device: a block per chain, its tables in shared memory for a whole launch.
#include "annealing.cuh"

// Warps of a block.
#define MOST_WARPS 16

extern __shared__ __align__(16) u32 shared_memory[];

// The tables of the timetable in `board.place`, by the whole block.
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

// The walk of chain `first + blockIdx.x`: chain c of component k is number k·chains + c.
//
// Shared memory: the cells unless they lie in `tables`, the sets of exams by period, the periods by exam, a set of exams
// for every warp, and with RESTRICTED the students by period.
template <u32 K, bool RESTRICTED, bool SHARED>
__device__ __forceinline__ void anneal(
    const Walk& walk, const Demands& demands, const Component* __restrict__ components,
    const Stretch* __restrict__ stretches, const u32* __restrict__ offsets, const u32* __restrict__ neighbours,
    const u32* __restrict__ adjacency, const u32* __restrict__ levels, u32* places, u32* bests, Chain* chains,
    u32* tables, u32 table_words, u32 first) {
    __shared__ Outcome outcomes[2][MOST_WARPS];
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 number = first + blockIdx.x, which = number / walk.chains, individual = which << 16 | number % walk.chains;
    const Component component = components[which];
    const Stretch stretch = stretches[which];
    u32* const place = places + component.first_place + (u64)(number % walk.chains) * component.row;
    u32* const best = bests + component.first_place + (u64)(number % walk.chains) * component.row;
    const u32 first_exam = component.first_exam;

    const u32 cell_words = (component.exams * walk.periods + 1) / 2;
    u32* const cells = SHARED ? shared_memory : tables + (u64)number * table_words;
    u32* const members = SHARED ? shared_memory + cell_words : shared_memory;
    u32* const here = members + walk.periods * component.words;
    u32* const sets = here + component.row;
    u32* const load = sets + warps * component.words;
    Board board = {component.exams, component.words, walk.periods, offsets + first_exam + which, neighbours,
                   adjacency + component.first_adjacent, demands, (u16*)cells, members, (u8*)here, load};
    if (RESTRICTED) {
        board.demands.allowed += first_exam * SET_WORDS;
        board.demands.relation_offsets += first_exam;
        board.demands.enrolment += first_exam;
        if (demands.has_prices) board.demands.prices += (u64)first_exam * walk.periods;
    }
    build<RESTRICTED>(board, place, component.row);

    i64 cost = chains[number].cost, best_cost = chains[number].best_cost;
    u64 evaluations = chains[number].evaluations;
    u32* const set = sets + warp * component.words;
    u64 step = stretch.from;
    // The temperature of `step`, and the first step of the next one.
    u32 rung = 0;
    u64 rung_end = stretch.leg_begin + stretch.rung_length;
    // Control words of 32 steps at a time, one in every lane.
    u64 controlled = ~0ull;
    Words control = {0, 0, 0, 0};
    // Warps that look ahead: many while little is accepted.
    u32 width = warps, parity = 0;
    while (step < stretch.until) {
        while (step >= rung_end && rung < RUNGS - 1) {
            ++rung;
            rung_end += stretch.rung_length;
        }
        Outcome* const found = outcomes[parity];
        const u32 active = (u32)min((u64)width, stretch.until - step);
        if (warp < active) {
            const u64 own = step + warp;
            u32 own_rung = rung;
            for (u64 end = rung_end; own >= end && own_rung < RUNGS - 1; end += stretch.rung_length) ++own_rung;
            const u32 temperature = walk.temperatures[own_rung];
            if (own / 32 != controlled) {
                controlled = own / 32;
                const u32 high = (u32)(own >> 32) << 8;
                control = philox(walk.key, 0, (u32)(controlled * 32) + lane, individual, CONTROL | high);
            }
            const u32 source = (u32)own % 32;
            const u32 kind = __shfl_sync(FULL_WARP, control.x, source), one = __shfl_sync(FULL_WARP, control.y, source);
            const u32 two = __shfl_sync(FULL_WARP, control.z, source), last = __shfl_sync(FULL_WARP, control.w, source);
            if (kind >= walk.exchange) {
                single<RESTRICTED>(board, walk, levels, own, individual, temperature, lane, &found[warp]);
            } else {
                const i64 limit = limit_of(levels, temperature, last);
                if (kind < walk.kempe) {
                    const u32 exam = index_of(one, board.exams), from = board.place[exam];
                    const u32 to = other_than(from, index_of(two, board.periods - 1));
                    kempe<K, RESTRICTED>(board, exam, from, to, limit, set, lane, &found[warp]);
                } else {
                    const u32 a = index_of(one, board.periods);
                    const u32 b = other_than(a, index_of(two, board.periods - 1));
                    exchange<K, RESTRICTED>(board, a, b, limit, set, lane, &found[warp]);
                }
            }
        }
        __syncthreads();
        const u32 votes = __ballot_sync(FULL_WARP, lane < active && found[lane].kind != NOTHING_CHANGES);
        const u32 done = votes != 0 ? (u32)__ffs(votes) : active;
        if (warp == 0) evaluations += group_sum<32>(lane < done ? found[lane].evaluations : 0);
        if (votes != 0) {
            const Outcome outcome = found[done - 1];
            if (outcome.kind == SHIFT) {
                apply_shift<RESTRICTED>(board, outcome);
            } else if (outcome.kind == SWAP) {
                apply_swap<RESTRICTED>(board, outcome, sets + (done - 1) * component.words);
            } else {
                apply_exchange<RESTRICTED>(board, outcome);
            }
            cost += outcome.delta;
            __syncthreads();
            if (cost < best_cost) {
                best_cost = cost;
                for (u32 word = threadIdx.x; word < component.row; word += blockDim.x) best[word] = here[word];
            }
            width = min(warps, 2 * done);
        } else {
            width = min(warps, 2 * width);
        }
        step += done;
        parity ^= 1;
    }
    for (u32 word = threadIdx.x; word < component.row; word += blockDim.x) place[word] = here[word];
    if (threadIdx.x == 0) chains[number] = {cost, best_cost, evaluations};
}

#define ANNEAL(NAME, K, SHARED)                                                                                           \
    extern "C" __global__ void __launch_bounds__(512) NAME(                                                               \
        Walk walk, const Component* components, const Stretch* stretches, const u32* offsets, const u32* neighbours,      \
        const u32* adjacency, const u32* levels, u32* places, u32* bests, Chain* chains, u32* tables, u32 table_words,    \
        u32 first) {                                                                                                      \
        anneal<K, false, SHARED>(walk, Demands{}, components, stretches, offsets, neighbours, adjacency, levels, places,  \
                                 bests, chains, tables, table_words, first);                                              \
    }

// Up to 1,024 exams, and up to 4,096.
ANNEAL(anneal_1, 1, true)
ANNEAL(anneal_4, 4, true)
// Cells in global memory: for sessions whose cells do not fit into shared memory.
ANNEAL(anneal_global_4, 4, false)

// The same under rules, seats and prices.
#define RESTRICTED_ANNEAL(NAME, K, SHARED)                                                                                \
    extern "C" __global__ void __launch_bounds__(512) NAME(                                                               \
        Walk walk, const u32* allowed, const u32* relation_offsets, const u32* relations, const u32* enrolment,           \
        const u32* seats, const u32* prices, u64 penalty, u32 has_seats, u32 has_prices, const Component* components,     \
        const Stretch* stretches, const u32* offsets, const u32* neighbours, const u32* adjacency, const u32* levels,     \
        u32* places, u32* bests, Chain* chains, u32* tables, u32 table_words, u32 first) {                                \
        const Demands demands = {allowed, relation_offsets, relations, enrolment, seats, prices, penalty, has_seats,      \
                                 has_prices};                                                                             \
        anneal<K, true, SHARED>(walk, demands, components, stretches, offsets, neighbours, adjacency, levels, places,     \
                                bests, chains, tables, table_words, first);                                               \
    }

RESTRICTED_ANNEAL(anneal_restricted_1, 1, true)
RESTRICTED_ANNEAL(anneal_restricted_global_4, 4, false)

// Chains continue from copies of others: a block per pair of chains, given as from and to.
extern "C" __global__ void __launch_bounds__(256) continue_from(
    const u32* __restrict__ pairs, const Component* __restrict__ components, u32 per_component, u32* places, u32* bests,
    Chain* chains) {
    const u32 from = pairs[2 * blockIdx.x], to = pairs[2 * blockIdx.x + 1];
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
