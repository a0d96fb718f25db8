// Simulated annealing of sessions with rooms: a block per chain. Tables that fit lie in shared memory for a whole launch.
#include "seating_chains.cuh"
#include "seating_single.cuh"

extern __shared__ __align__(16) u32 shared_memory[];

// Takes `words` 32-bit words of shared memory, rounded up to 16 bytes.
__device__ __forceinline__ u32* take(u32*& free, u32 words) {
    u32* const taken = free;
    free += (words + 3) / 4 * 4;
    return taken;
}

// Copies a table into shared memory if it lies there, with the whole block.
__device__ __forceinline__ u32* copied(u32*& free, u32* table, u32 words, bool shared) {
    if (!shared) return table;
    u32* const own = take(free, words);
    for (u32 word = threadIdx.x; word < words; word += blockDim.x) own[word] = table[word];
    return own;
}

__device__ __forceinline__ void copy_back(u32* table, const u32* own, u32 words) {
    if (table == own) return;
    for (u32 word = threadIdx.x; word < words; word += blockDim.x) table[word] = own[word];
}

// Copies numbers into shared memory with 16 bits each, with the whole block; `words` is a multiple of 4.
__device__ __forceinline__ u32* narrowed(u32*& free, const u32* numbers, u32 words) {
    u32* const own = take(free, words / 2);
    for (u32 pair = threadIdx.x; pair < words / 2; pair += blockDim.x) own[pair] = numbers[2 * pair] | numbers[2 * pair + 1] << 16;
    return own;
}

__device__ __forceinline__ void widen_back(u32* numbers, const u32* own, u32 words) {
    for (u32 word = threadIdx.x; word < words; word += blockDim.x) numbers[word] = ((const u16*)own)[word];
}

// Marks the periods that are not allowed in s(e, t), with the whole block, and copies the table into shared memory if it lies there.
__device__ __forceinline__ u32* marked(u32*& free, const Settings& settings, const Session& session, u32* students, u32 words, bool shared) {
    u32* const own = shared ? take(free, words) : students;
    for (u32 pair = threadIdx.x; pair < words; pair += blockDim.x) {
        // Rows have even lengths.
        const u32 node = 2 * pair / settings.stride, period = 2 * pair % settings.stride;
        u32 marks = 0;
        if (node < settings.nodes) {
            const u32* const allowed = session.allowed + node * SET_WORDS;
            marks = (has(allowed, period) ? 0 : BARRED) | (has(allowed, period + 1) ? 0 : BARRED << 16);
        }
        own[pair] = students[pair] | marks;
    }
    return own;
}

__device__ __forceinline__ void copy_unmarked(u32* students, const u32* own, u32 words) {
    for (u32 pair = threadIdx.x; pair < words; pair += blockDim.x) students[pair] = own[pair] & ~(BARRED << 16 | BARRED);
}

// Copies numbers below 65,536 into shared memory with 16 bits each, with the whole block.
__device__ __forceinline__ u16* halved(u32*& free, const u32* numbers, u32 count) {
    u16* const own = (u16*)take(free, (count + 1) / 2);
    for (u32 at = threadIdx.x; at < count; at += blockDim.x) own[at] = (u16)__ldg(&numbers[at]);
    return own;
}

// Builds `Board::traits` in shared memory, with the whole block.
__device__ __forceinline__ u32* traits_of(u32*& free, const Settings& settings, const Session& session) {
    u32* const own = take(free, settings.nodes);
    for (u32 node = threadIdx.x; node < settings.nodes; node += blockDim.x) {
        const bool related = __ldg(&session.related_offsets[node]) != __ldg(&session.related_offsets[node + 1]);
        own[node] = __ldg(&session.most_saved[node]) | (related ? RELATED : 0);
    }
    return own;
}

// Words of the tables of a chain, each rounded up to 16 bytes, in this order.
struct TableWords {
    u32 near, students, members, cells, lasts;
};

__device__ __forceinline__ TableWords table_words(const Settings& settings) {
    const u32 row = settings.nodes * settings.stride, rooms = settings.periods * settings.rooms;
    const auto rounded = [](u32 words) { return (words + 3) / 4 * 4; };
    return {rounded(row), rounded((row + 1) / 2), rounded(settings.periods * settings.words), rooms * 4,
            rounded((rooms * settings.durations + 1) / 2)};
}

// Runs the steps of chain `first + blockIdx.x`. A chain's solution has the periods of the nodes and the rooms of the sittings, two numbers in a
// word, and the parts; its tables are those of `TableWords` and the saved parts. `Settings::shared_tables` names those in shared memory. With NARROW
// all but s(e, t) lie there with what moves need of sittings and rooms, and near(e, t) has 16 bits.
template <bool NARROW>
__device__ __forceinline__ void anneal(
    const Settings& settings, const Session& session, u32* solutions, u32* bests, u32* tables, ChainRecord* chains) {
    __shared__ Proposal chosen[CHAINS];
    __shared__ u32 counts[COUNTS], temperatures[TEMPERATURE_LEVELS];
    __shared__ u16 targets[2 * PROPOSALS];
    __shared__ Step made;
    const u32 number = settings.first + blockIdx.x, nodes = (settings.nodes + 1) / 2, sittings = (settings.sittings + 1) / 2;
    u32* const solution = solutions + (u64)number * settings.solution_words;
    u32* const best = bests + (u64)number * settings.solution_words;
    u32* const table = tables + (u64)number * settings.table_words;
    const TableWords words = table_words(settings);

    u32* free = shared_memory;
    u32* const place = copied(free, solution, nodes, true);
    u32* const room = copied(free, solution + nodes, sittings, true);
    u16* const saved = (u16*)take(free, sittings);
    u16* const list = (u16*)take(free, sittings);
    u32* const ranks = take(free, (settings.sittings + 31) / 32);
    u32* const work_begin = take(free, work_words(settings));
    u16* const lists = (u16*)work_begin;
    Proposal* const proposals = (Proposal*)(work_begin + (nodes + 3) / 4 * 4);
    Part* const parts = (Part*)(solution + nodes + sittings);
    u32* at = table;
    u32* const near_table = at;
    u32* const near_row = NARROW ? narrowed(free, near_table, words.near)
                                 : copied(free, near_table, words.near, settings.shared_tables & SHARED_NEAR);
    u32* const student_table = at += words.near;
    u32* const students = NARROW
        ? marked(free, settings, session, student_table, words.students, settings.shared_tables & SHARED_STUDENTS)
        : copied(free, student_table, words.students, settings.shared_tables & SHARED_STUDENTS);
    u32* const member_table = at += words.students;
    u32* const members = copied(free, member_table, words.members, NARROW || settings.shared_tables & SHARED_MEMBERS);
    u32* const cell_table = at += words.members;
    u32* const cells = copied(free, cell_table, words.cells, NARROW || settings.shared_tables & SHARED_CELLS);
    u32* const last_table = at += words.cells;
    u32* const lasts = copied(free, last_table, words.lasts, NARROW || settings.shared_tables & SHARED_LASTS);
    Part* const saved_parts = (Part*)(at + words.lasts);
    u32* const traits = NARROW ? traits_of(free, settings, session) : nullptr;
    const u32* const sittings_table = copied(free, (u32*)session.sittings, settings.sittings * sizeof(Sitting) / 4, NARROW);
    const u32* const penalties = copied(free, (u32*)session.penalties, settings.rooms, NARROW);
    const u16* const by_rank = NARROW ? halved(free, session.by_rank, settings.sittings) : nullptr;
    const u16* const choices = NARROW ? halved(free, session.choices, settings.choices) : nullptr;
    const u16* const pair_costs = NARROW ? halved(free, (const u32*)session.pair_costs, settings.periods * settings.stride) : nullptr;
    const u16* const levels = NARROW ? halved(free, session.levels, LEVELS) : nullptr;
    const Board board = {settings, session, (u16*)place, (u16*)room, parts, NARROW, (u16*)near_row, (int*)near_row, (u16*)students, traits,
                         (const Sitting*)sittings_table, penalties, by_rank, choices, pair_costs, levels, members, (Cell*)cells, (u16*)lasts,
                         saved, saved_parts, list, ranks};
    const Proposals work = {chosen, counts, lists, work_begin + CHAINS * nodes, proposals, (Trial*)(proposals + ROUNDS * PROPOSALS), targets};
    // In shared memory the levels can be indexed.
#pragma unroll
    for (u32 level = 0; level < TEMPERATURE_LEVELS; ++level) {
        if (threadIdx.x == level) temperatures[level] = settings.temperatures[level];
    }
    __syncthreads();

    i64 cost = chains[number].cost, best_cost = chains[number].best_cost;
    u64 evaluations = chains[number].evaluations;
    u32 level = 0;
    u64 level_end = settings.stage_begin + settings.level_steps;
    for (u64 step = settings.from; step < settings.until; ++step) {
        for (; step >= level_end && level < TEMPERATURE_LEVELS - 1; level_end += settings.level_steps) ++level;
        const u32 control = philox(settings.key, 0, (u32)step, number, CONTROL | (u32)(step >> 32) << 8).x;
        if (control < settings.exchange) {
            const u32 kind = control < settings.kempe ? KEMPE : EXCHANGE;
            propose_chains(board, kind, step, number, temperatures[level], work, &made);
        } else {
            const u32 kind = control < settings.swaps ? SWAP : control < settings.changes ? CHANGE : SHIFT;
            propose_single(board, kind, step, number, temperatures[level], work, &made);
        }
        __syncthreads();
        const Step result = made;
        evaluations += result.evaluated;
        cost += result.delta;
        if (result.count > 0) {
            move_nodes(board, lists + result.chain, result.count, [&](u32 node, u32 place) {
                return result.a == result.b ? (u32)targets[place] : result.a + result.b - board.place[node];
            });
        }
        __syncthreads();
        if (cost < best_cost) {
            best_cost = cost;
            for (u32 word = threadIdx.x; word < nodes; word += blockDim.x) best[word] = place[word];
            for (u32 word = threadIdx.x; word < sittings; word += blockDim.x) best[nodes + word] = room[word];
            for (u32 part = threadIdx.x; part < settings.parts; part += blockDim.x) {
                ((Part*)(best + nodes + sittings))[part] = parts[part];
            }
        }
    }
    copy_back(solution, place, nodes);
    copy_back(solution + nodes, room, sittings);
    if (NARROW) {
        widen_back(near_table, near_row, words.near);
        copy_unmarked(student_table, students, words.students);
    } else {
        copy_back(near_table, near_row, words.near);
        copy_back(student_table, students, words.students);
    }
    copy_back(member_table, members, words.members);
    copy_back(cell_table, cells, words.cells);
    copy_back(last_table, lasts, words.lasts);
    if (threadIdx.x == 0) chains[number] = {cost, best_cost, evaluations};
}

#define ANNEAL(NAME, NARROW)                                                                                          \
    extern "C" __global__ void __launch_bounds__(256, 1) NAME(                                                        \
        Settings settings, const u32* offsets, const u32* neighbours, const u32* adjacency, const u32* pair_costs, const u32* allowed,\
        const u32* related_offsets, const u32* related, const u32* relation_tables, const Sitting* sittings, const Details* details,  \
        const u32* first_sitting, const u32* most_saved, const u32* by_rank, const u32* choices, const u32* room_related,             \
        const u32* penalties, const u32* levels, u32* solutions, u32* bests, u32* tables, ChainRecord* chains) {                            \
        const Session session = {offsets, neighbours, adjacency, (const int*)pair_costs, allowed, related_offsets, related,\
                                 relation_tables, sittings, details, first_sitting, most_saved, by_rank, choices, room_related,\
                                 penalties, levels};                                                                      \
        anneal<NARROW>(settings, session, solutions, bests, tables, chains);                                          \
    }

ANNEAL(anneal_seating, false)
// near(e, t) below 65,536, in shared memory.
ANNEAL(anneal_seating_narrow, true)

// Copies the timetables of chains over others for resampling, which keep their best ones: a block per pair (from, to), from pair `first` on.
extern "C" __global__ void __launch_bounds__(256) continue_seating(
    u32 first, const u32* pairs, u32 solution_words, u32 table_words, u32* solutions, u32* tables, ChainRecord* chains) {
    const u32* const pair = pairs + 2 * (u64)(first + blockIdx.x);
    const u32 from = pair[0], to = pair[1];
    for (u32 word = threadIdx.x; word < solution_words; word += blockDim.x) {
        solutions[(u64)to * solution_words + word] = solutions[(u64)from * solution_words + word];
    }
    for (u32 word = threadIdx.x; word < table_words; word += blockDim.x) {
        tables[(u64)to * table_words + word] = tables[(u64)from * table_words + word];
    }
    if (threadIdx.x == 0) chains[to].cost = chains[from].cost;
}
