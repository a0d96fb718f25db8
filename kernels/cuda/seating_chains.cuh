// Kempe chains and exchanges of periods of a step: each warp evaluates one at a time as far as no rooms have to change; the first warp then tries
// those that may be acceptable, in order, and makes the first one that is.
#pragma once

#include "seating_moves.cuh"

// Number of nodes of which the chain has few, and of those beyond.
#define FEW_ROWS 2u
#define MANY_ROWS 8u

// Number of nodes from which on a chain is likely to take most nodes of its periods, so that a bound on its change of cost pays.
#define MANY 8u

// Number of nodes of a chain that is not acceptable.
#define NOT_ACCEPTABLE 0xffffffffu

// Change of the cost without rooms if a node of the periods a and b changed sides alone.
__device__ __forceinline__ i64 alone(const Board& board, u32 node, u32 a, u32 b) {
    const u32 here = board.place[node];
    return near(board, node, a + b - here) - near(board, node, here);
}

// Word `word` of the set of all nodes in the periods a and b.
__device__ __forceinline__ u32 in_either(const Board& board, u32 a, u32 b, u32 word) {
    const u32 words = board.settings.words;
    return board.members[a * words + word] | board.members[b * words + word];
}

// Most that all nodes of the periods a and b can save if they change sides, with one warp: Σ_i min(Δ(i), 0), where Δ(i) is the change of the cost
// that node i alone would cause, less what other rooms save for it at most.
__device__ __forceinline__ i64 least_of_both(const Board& board, u32 a, u32 b, u32 lane) {
    i64 sum = 0;
    for (u32 word = lane; word < board.settings.words; word += 32) {
        for (u32 bits = in_either(board, a, b, word); bits != 0; bits &= bits - 1) {
            const u32 node = word * 32 + __ffs(bits) - 1;
            sum += min(alone(board, node, a, b) - most_saved_of(board, node), 0ll);
        }
    }
    return sum_of_warp(board, sum);
}

// Appends all nodes of the periods a and b that are adjacent to one of 32 nodes and not in a chain, with one warp; bit i of `votes` is set if node i,
// which lane i has as `mine`, counts. A lane loads ROWS rows of the adjacency at once.
template <u32 ROWS>
__device__ __forceinline__ void reach(
    const Board& board, u32 a, u32 b, u32 mine, u32 votes, u16* chain, u32* seen, u32& count, u32 lane) {
    const u32 words = board.settings.words;
    for (u32 first = 0; first < words; first += 32) {
        const u32 word = first + lane;
        const u32 left = word < words ? in_either(board, a, b, word) & ~seen[word] : 0;
        if (!__any_sync(FULL_WARP, left != 0)) continue;
        u32 fresh = 0;
        for (u32 rest = votes; rest != 0;) {
            // Several rows are loaded at once; the last one again if there are no more, which has no effect.
            u32 rows[ROWS];
            u32 source = 0;
#pragma unroll
            for (u32 i = 0; i < ROWS; ++i) {
                if (rest != 0) source = __ffs(rest) - 1;
                rest &= rest - 1;
                const u32* const row = board.session.adjacency + __shfl_sync(FULL_WARP, mine, source) * words;
                rows[i] = left != 0 ? __ldg(&row[word]) : 0;
            }
#pragma unroll
            for (u32 i = 0; i < ROWS; ++i) fresh |= rows[i];
        }
        // Nodes of one period are not adjacent, so that a node reaches nodes of the other period alone.
        fresh &= left;
        if (fresh != 0) seen[word] |= fresh;
        count = each_member(fresh, word, count, lane, [&](u32 place, u32 member) { chain[place] = (u16)member; });
    }
    __syncwarp();
}

// Completes a chain from its first nodes, with one warp that takes up to 32 of its nodes at a time, and returns the change of the cost without rooms.
// `count` is the number of nodes, `seen` holds them as a bit set. `is_allowed` is false if a node is not allowed on the other side, or the chain
// is not acceptable whatever its rooms cost.
//
// Pairs inside the chain keep their distance: Δ = Σ_i Δ(i alone) + 2·W[a][b]·Σ_{i from a} s(i, b).
//
// With `is_bounded`, it is also false if the nodes reached so far and the most that all nodes of both periods can save prove that the chain is not
// acceptable. With Δ(i) as in `least_of_both`, Δ ≥ Σ_{i reached} max(Δ(i), 0) + Σ_{i in a or b} min(Δ(i), 0).
__device__ __forceinline__ i64 follow(
    const Board& board, u32 a, u32 b, i64 limit, bool is_bounded, u16* chain, u32* seen, u32& count, u32 lane, bool& is_allowed) {
    const i64 inside = 2 * pair_cost(board, a, b);
    // Shares of this lane; largest sum of `worse` for an acceptable chain, once it is known.
    i64 delta = 0, least = 0, worse = 0, most = 0;
    bool has_bound = false;
    is_allowed = true;
    for (u32 at = 0; at < count;) {
        const u32 taken = min(count - at, 32u);
        u32 mine = 0;
        bool is_barred = false, reaches = false;
        if (lane < taken) {
            mine = chain[at + lane];
            const u32 here = board.place[mine], there = a + b - here;
            // All of them are loaded before one is used.
            const u32 cell = cell_of_students(board, mine, there);
            const bool allowed = permits(board, mine, there), related = has_related(board, mine);
            const i64 saved = most_saved_of(board, mine), own = near(board, mine, there) - near(board, mine, here);
            const u32 shared = board.is_narrow ? cell & ~BARRED : cell;
            is_barred = !allowed;
            const i64 change = own + (here == a ? inside * shared : 0);
            delta += change;
            least += change - saved;
            worse += max(own - saved, 0ll);
            reaches = (shared != 0) | related;
        }
        at += taken;
        if (__any_sync(FULL_WARP, is_barred) || (has_bound && sum_of_warp(board, worse) > most)) {
            is_allowed = false;
            return 0;
        }
        const u32 votes = __ballot_sync(FULL_WARP, reaches);
        if ((u32)__popc(votes) > FEW_ROWS) {
            reach<MANY_ROWS>(board, a, b, mine, votes, chain, seen, count, lane);
        } else if (votes != 0) {
            reach<FEW_ROWS>(board, a, b, mine, votes, chain, seen, count, lane);
        }
        if (is_bounded && !has_bound && count > MANY) {
            most = limit - least_of_both(board, a, b, lane);
            has_bound = true;
        }
    }
    // Other rooms save at most the difference.
    if (sum_of_warp(board, least) > limit) is_allowed = false;
    return sum_of_warp(board, delta);
}

// Evaluates the change of sides of a chain without looking for rooms, with one warp; returns true if it may be acceptable. With `keeps` every
// sitting keeps its rooms.
__device__ __forceinline__ bool may_change_sides(
    const Board& board, u32 a, u32 b, const u16* chain, const u32* seen, u32 count, i64 delta, i64 limit, bool keeps, u32 lane) {
    const Settings& settings = board.settings;
    i64 saved = 0;
    bool suits = true;
    const auto after = [&](u32 node) {
        const u32 here = board.place[node];
        return seen[node / 32] >> node % 32 & 1 ? a + b - here : here;
    };
    for (u32 number = lane; number < count; number += 32) {
        const u32 node = chain[number], here = board.place[node];
        const u32 end = first_sitting(board, node + 1);
        for (u32 at = first_sitting(board, node); !keeps && settings.rooms > 0 && at < end; ++at) {
            saved += dearest_duration(board) - leaving(board, at, board.sittings[at], here);
        }
        suits = suits && suits_related(board, node, a + b - here, after);
    }
    if (delta - sum_of_warp(board, saved) > limit || !__all_sync(FULL_WARP, suits)) return false;
    bool fits = true;
    for (u32 room = lane; keeps && room < settings.rooms; room += 32) {
#pragma unroll
        for (u32 side = 0; side < 2; ++side) {
            const Cell from = board.cells[cell_of(board, side == 0 ? a : b, room)];
            const u32 capacity = board.cells[cell_of(board, side == 0 ? b : a, room)].capacity;
            fits = fits && (from.count == 0 || ((capacity & CLOSED) == 0 && from.used <= (capacity & SEATS)));
        }
    }
    return __all_sync(FULL_WARP, fits);
}

// Exchanges what stands in the rooms of two periods, with one warp.
__device__ __forceinline__ void exchange_rooms(const Board& board, u32 a, u32 b, u32 lane) {
    const Settings& settings = board.settings;
    for (u32 room = lane; room < settings.rooms; room += 32) {
        Cell& of_a = board.cells[cell_of(board, a, room)];
        Cell& of_b = board.cells[cell_of(board, b, room)];
        const Cell before = of_a;
        // The capacities stay.
        of_a = {of_b.used, before.capacity, of_b.count, of_b.distinct};
        of_b = {before.used, of_b.capacity, before.count, before.distinct};
    }
    const u32 count = settings.rooms * settings.durations;
    for (u32 at = lane; at < count; at += 32) {
        const u16 last = board.lasts[a * count + at];
        board.lasts[a * count + at] = board.lasts[b * count + at];
        board.lasts[b * count + at] = last;
    }
    __syncwarp();
}

// Lists the sittings of a chain by descending number of students, with one warp; returns their number.
__device__ __forceinline__ u32 list_chain(const Board& board, const u16* chain, u32 nodes, u32 lane) {
    const u32 words = (board.settings.sittings + 31) / 32;
    for (u32 word = lane; word < words; word += 32) board.ranks[word] = 0;
    __syncwarp();
    for (u32 number = lane; number < nodes; number += 32) {
        const u32 node = chain[number], end = first_sitting(board, node + 1);
        for (u32 at = first_sitting(board, node); at < end; ++at) {
            const u32 rank = board.sittings[at].rank();
            atomicOr(&board.ranks[rank / 32], 1u << rank % 32);
        }
    }
    __syncwarp();
    u32 count = 0;
    for (u32 first = 0; first < words; first += 32) {
        const u32 word = first + lane;
        const u32 bits = word < words ? board.ranks[word] : 0;
        const auto list = [&](u32 place, u32 rank) { board.list[place] = (u16)sitting_of_rank(board, rank); };
        count = each_member(bits, word, count, lane, list);
    }
    __syncwarp();
    return count;
}

// Proposes Kempe chains or exchanges of periods with the whole block and makes the first acceptable one, without moving nodes; thread 0 writes
// `result`.
__device__ __forceinline__ void propose_chains(
    const Board& board, u32 kind, u64 step, u32 individual, u32 temperature, const Proposals& work, Step* result) {
    const Settings& settings = board.settings;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 most = kind == KEMPE ? CHAINS : EXCHANGES;
    const u32 row = (settings.nodes + 1) / 2 * 2;
    for (u32 number = warp; number < most; number += warps) {
        const Words words = philox(settings.key, number, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
        u16* const chain = work.chains + number * row;
        u32* const seen = work.seen + number * settings.words;
        u32 a, b, count;
        if (kind == KEMPE) {
            const u32 node = index_of(words.x, settings.nodes);
            a = board.place[node];
            count = 1;
            for (u32 word = lane; word < settings.words; word += 32) seen[word] = word == node / 32 ? 1u << node % 32 : 0;
            if (lane == 0) chain[0] = (u16)node;
            b = other_than(a, index_of(words.y, settings.periods - 1));
        } else {
            a = index_of(words.x, settings.periods);
            b = other_than(a, index_of(words.y, settings.periods - 1));
            count = 0;
            for (u32 first = 0; first < settings.words; first += 32) {
                const u32 word = first + lane;
                u32 bits = 0;
                if (word < settings.words) {
                    bits = board.members[a * settings.words + word] | board.members[b * settings.words + word];
                    seen[word] = bits;
                }
                count = each_member(bits, word, count, lane, [&](u32 place, u32 member) { chain[place] = (u16)member; });
            }
        }
        __syncwarp();
        bool is_allowed = false;
        Proposal proposal = {0, limit_at(board, temperature, words.z), 0, 0, a, b};
        proposal.delta = follow(board, a, b, proposal.limit, kind == KEMPE, chain, seen, count, lane, is_allowed);
        const bool may = is_allowed && may_change_sides(board, a, b, chain, seen, count, proposal.delta, proposal.limit,
                                                        kind == EXCHANGE, lane);
        if (lane == 0) {
            work.chosen[number] = proposal;
            work.counts[number] = may ? count : NOT_ACCEPTABLE;
        }
    }
    __syncthreads();
    if (warp != 0) return;
    Step done = {0, most, 0, 0, 0, 0, 0};
    for (u32 number = 0; number < most; ++number) {
        const u32 count = work.counts[number];
        if (count == NOT_ACCEPTABLE) continue;
        const Proposal proposal = work.chosen[number];
        i64 rooms = 0;
        if (kind == EXCHANGE) {
            exchange_rooms(board, proposal.from, proposal.to, lane);
        } else if (settings.rooms > 0) {
            const u32 sittings = list_chain(board, work.chains + number * row, count, lane);
            const i64 limit = proposal.limit - proposal.delta;
            if (!seat_all(board, sittings, proposal.from, proposal.to, limit, lane, rooms)) continue;
        }
        done = {proposal.delta + rooms, number + 1, 1, count, number * row, proposal.from, proposal.to};
        break;
    }
    if (lane == 0) *result = done;
}
