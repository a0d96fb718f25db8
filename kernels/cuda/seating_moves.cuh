// Proposals of a step: all are evaluated in parallel as far as nothing has to change; the first warp then tries those that may be acceptable, in
// order. It makes all shifts, swaps and changes of rooms that are acceptable and not tied to a node that has moved, or the first acceptable chain.
#pragma once

#include "seating_rooms.cuh"

// Kinds of steps.
#define SHIFT 0u
#define SWAP 1u
#define CHANGE 2u
#define KEMPE 3u
#define EXCHANGE 4u

// Number of rows of the adjacency that a lane loads at once.
#define ROWS 8u

// Number of nodes from which on a chain is likely to take most nodes of its periods, so that a bound on its change of cost pays.
#define MANY 8u

// Number of nodes of a chain that is not acceptable.
#define NOT_ACCEPTABLE 0xffffffffu

// Proposal that may be acceptable: `one` and `other` are nodes, or a sitting and a room. `delta` is the change of the cost without rooms.
struct Proposal {
    i64 delta, limit;
    u32 one, other, from, to;
};

// What a step does: the `count` nodes that begin at `chain` of the lists move. Those of a chain change between the periods a and b; where a = b,
// each has a period of its own in `Proposals::targets`.
struct Step {
    i64 delta;
    u32 evaluated, count, chain, a, b;
};

// Shared memory of the proposals of a step.
struct Proposals {
    Proposal* proposals;
    // Bit i: proposal i may be acceptable.
    u32* votes;
    // Nodes of each chain, and the same as a bit set; the first list and set also hold the nodes that have moved in a step and those tied to them.
    u16* chains;
    u32* seen;
    u32* counts;
    u16* targets;
};

// Evaluates a shift without looking for rooms; returns true if it may be acceptable.
__device__ __forceinline__ bool may_shift(const Board& board, Proposal& proposal) {
    const Settings& settings = board.settings;
    const u32 node = proposal.one, from = proposal.from, to = proposal.to;
    if (is_barred(board, node, to)) return false;
    proposal.delta = near(board, node, to) - near(board, node, from);
    i64 bound = 0;
    const u32 end = __ldg(&board.session.first_sitting[node + 1]);
    for (u32 at = __ldg(&board.session.first_sitting[node]); settings.rooms > 0 && at < end; ++at) {
        const Sitting& sitting = board.session.sittings[at];
        bound += least_penalty(board, sitting) - most_saved(board, at, sitting);
    }
    return proposal.delta + bound <= proposal.limit &&
           suits_related(board, node, to, [&](u32 other) { return (u32)board.place[other]; });
}

// Evaluates a swap of two nodes without looking for rooms; returns true if it may be acceptable.
__device__ __forceinline__ bool may_swap(const Board& board, Proposal& proposal) {
    const Settings& settings = board.settings;
    const u32 one = proposal.one, other = proposal.other, a = board.place[one], b = board.place[other];
    proposal.from = a;
    proposal.to = b;
    if (a == b) return false;
    u32 shared = 0;
    const bool one_is_free = !is_barred(board, one, b), other_is_free = !is_barred(board, other, a);
    if (!one_is_free || !other_is_free) {
        if (!has(board.session.allowed + one * SET_WORDS, b) || !has(board.session.allowed + other * SET_WORDS, a)) return false;
        if (!is_adjacent(board, one, other)) return false;
        shared = shared_students(board, one, other);
        if (board.students[one * settings.stride + b] != shared || board.students[other * settings.stride + a] != shared) return false;
    }
    proposal.delta = near(board, one, b) - near(board, one, a) + near(board, other, a) - near(board, other, b) +
                     2 * (i64)shared * pair_cost(board, a, b);
    i64 least = 0;
    for (u32 side = 0; settings.rooms > 0 && side < 2; ++side) {
        const u32 node = side == 0 ? one : other;
        const u32 end = __ldg(&board.session.first_sitting[node + 1]);
        for (u32 at = __ldg(&board.session.first_sitting[node]); at < end; ++at) {
            const Sitting& sitting = board.session.sittings[at];
            least += least_penalty(board, sitting) - most_saved(board, at, sitting);
        }
    }
    if (proposal.delta + least > proposal.limit) return false;
    const auto after = [&](u32 node) { return node == one ? b : node == other ? a : (u32)board.place[node]; };
    return suits_related(board, one, b, after) && suits_related(board, other, a, after);
}

// Moves a sitting to room `other` of its period `to` if that is acceptable, with one lane; `delta` is the change of the cost.
__device__ __forceinline__ bool change_room(const Board& board, const Proposal& proposal, i64& delta) {
    const Sitting& sitting = board.session.sittings[proposal.one];
    const u32 room = proposal.other, period = proposal.to;
    u32 seats = 0;
    if (is_in(board, proposal.one, room) || !admits(board, sitting, period, room, seats) || seats < sitting.students) return false;
    delta = exactly_leaving(board, proposal.one, sitting, period) + cost_in(board, sitting, period, room);
    if (delta > proposal.limit) return false;
    release(board, proposal.one, sitting, period);
    occupy(board, proposal.one, sitting, period, room);
    return true;
}

// Calls `use(place, member)` for the members of a set, with one warp: each lane has the word `word` of the set, places begin at `first`. Returns the
// place behind the last one.
template <typename Use>
__device__ __forceinline__ u32 each_member(u32 bits, u32 word, u32 first, u32 lane, const Use& use) {
    u32 end = __popc(bits);
#pragma unroll
    for (u32 distance = 1; distance < 32; distance *= 2) {
        const u32 below = __shfl_up_sync(FULL_WARP, end, distance);
        if (lane >= distance) end += below;
    }
    u32 place = first + end - __popc(bits);
    for (; bits != 0; bits &= bits - 1) use(place++, word * 32 + __ffs(bits) - 1);
    return first + __shfl_sync(FULL_WARP, end, 31);
}

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
            sum += min(alone(board, node, a, b) - __ldg(&board.session.most_saved[node]), 0ll);
        }
    }
    return group_sum<32>(sum);
}

// Appends all nodes of the periods a and b that are adjacent to one of 32 nodes and not in a chain, with one warp; bit i of `votes` is set if node i,
// which lane i has as `mine`, counts.
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
// `count` is the number of nodes, `seen` holds them as a bit set. `is_allowed` is false if a node is not allowed on the other side.
//
// Pairs inside the chain keep their distance: Δ = Σ_i Δ(i alone) + 2·W[a][b]·Σ_{i from a} s(i, b).
//
// With `is_bounded`, it is also false if the nodes reached so far and the most that all nodes of both periods can save prove that the chain is not
// acceptable. With Δ(i) as in `least_of_both`, Δ ≥ Σ_{i reached} max(Δ(i), 0) + Σ_{i in a or b} min(Δ(i), 0).
__device__ __forceinline__ i64 follow(
    const Board& board, u32 a, u32 b, i64 limit, bool is_bounded, u16* chain, u32* seen, u32& count, u32 lane, bool& is_allowed) {
    const Settings& settings = board.settings;
    const i64 inside = 2 * pair_cost(board, a, b);
    // Shares of this lane; largest sum of the latter for an acceptable chain, once it is known.
    i64 delta = 0, worse = 0, most = 0;
    bool has_bound = false;
    is_allowed = true;
    for (u32 at = 0; at < count;) {
        const u32 taken = min(count - at, 32u);
        u32 mine = 0;
        bool is_barred = false, reaches = false;
        if (lane < taken) {
            mine = chain[at + lane];
            const u32 here = board.place[mine], there = a + b - here;
            is_barred = !has(board.session.allowed + mine * SET_WORDS, there);
            const i64 own = near(board, mine, there) - near(board, mine, here);
            const u32 shared = board.students[mine * settings.stride + there];
            delta += own + (here == a ? inside * shared : 0);
            worse += max(own - __ldg(&board.session.most_saved[mine]), 0ll);
            reaches = shared != 0 || is_related(board, mine);
        }
        at += taken;
        if (__any_sync(FULL_WARP, is_barred) || (has_bound && group_sum<32>(worse) > most)) {
            is_allowed = false;
            return 0;
        }
        const u32 votes = __ballot_sync(FULL_WARP, reaches);
        if (votes != 0) reach(board, a, b, mine, votes, chain, seen, count, lane);
        if (is_bounded && !has_bound && count > MANY) {
            most = limit - least_of_both(board, a, b, lane);
            has_bound = true;
        }
    }
    return group_sum<32>(delta);
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
        const u32 end = __ldg(&board.session.first_sitting[node + 1]);
        for (u32 at = __ldg(&board.session.first_sitting[node]); !keeps && settings.rooms > 0 && at < end; ++at) {
            saved += settings.mixed_durations - leaving(board, at, board.session.sittings[at], here);
        }
        suits = suits && suits_related(board, node, a + b - here, after);
    }
    if (delta - group_sum<32>(saved) > limit || !__all_sync(FULL_WARP, suits)) return false;
    bool fits = true;
    for (u32 room = lane; keeps && room < settings.rooms; room += 32) {
#pragma unroll
        for (u32 side = 0; side < 2; ++side) {
            const Cell from = board.cells[cell_of(board, side == 0 ? a : b, room)];
            const u32 capacity = __ldg(&board.session.capacity[cell_of(board, side == 0 ? b : a, room)]);
            fits = fits && (from.count == 0 || (capacity >> 31 == 0 && from.used <= capacity));
        }
    }
    return __all_sync(FULL_WARP, fits);
}

// Exchanges what stands in the rooms of two periods, with one warp.
__device__ __forceinline__ void exchange_rooms(const Board& board, u32 a, u32 b, u32 lane) {
    const Settings& settings = board.settings;
    for (u32 room = lane; room < settings.rooms; room += 32) {
        const Cell cell = board.cells[cell_of(board, a, room)];
        board.cells[cell_of(board, a, room)] = board.cells[cell_of(board, b, room)];
        board.cells[cell_of(board, b, room)] = cell;
    }
    const u32 count = settings.rooms * settings.durations;
    for (u32 at = lane; at < count; at += 32) {
        const u16 last = board.lasts[a * count + at];
        board.lasts[a * count + at] = board.lasts[b * count + at];
        board.lasts[b * count + at] = last;
    }
    __syncwarp();
}

// Appends the sittings of a node to the list, with one lane.
__device__ __forceinline__ u32 listed(const Board& board, u32 node, u32 count) {
    const u32 end = __ldg(&board.session.first_sitting[node + 1]);
    for (u32 at = __ldg(&board.session.first_sitting[node]); at < end; ++at) board.list[count++] = (u16)at;
    return count;
}

// Lists the sittings of a chain by descending number of students, with one warp; returns their number.
__device__ __forceinline__ u32 list_chain(const Board& board, const u16* chain, u32 nodes, u32 lane) {
    const Session& session = board.session;
    const u32 words = (board.settings.sittings + 31) / 32;
    for (u32 word = lane; word < words; word += 32) board.ranks[word] = 0;
    __syncwarp();
    for (u32 number = lane; number < nodes; number += 32) {
        const u32 node = chain[number], end = __ldg(&session.first_sitting[node + 1]);
        for (u32 at = __ldg(&session.first_sitting[node]); at < end; ++at) {
            const u32 rank = session.sittings[at].rank;
            atomicOr(&board.ranks[rank / 32], 1u << rank % 32);
        }
    }
    __syncwarp();
    u32 count = 0;
    for (u32 first = 0; first < words; first += 32) {
        const u32 word = first + lane;
        const u32 bits = word < words ? board.ranks[word] : 0;
        const auto list = [&](u32 place, u32 rank) { board.list[place] = (u16)__ldg(&session.by_rank[rank]); };
        count = each_member(bits, word, count, lane, list);
    }
    __syncwarp();
    return count;
}

// Tries a shift or a swap that may be acceptable, with the first warp: seats its sittings if the whole change is within the limit.
__device__ __forceinline__ bool try_nodes(const Board& board, const Proposal& proposal, bool is_swap, u32 lane, i64& delta) {
    const Session& session = board.session;
    const u32 from = proposal.from, to = proposal.to;
    delta = proposal.delta;
    if (board.settings.rooms == 0) return delta <= proposal.limit;
    const u32 begin = __ldg(&session.first_sitting[proposal.one]), end = __ldg(&session.first_sitting[proposal.one + 1]);
    if (!is_swap && end - begin == 1 && session.sittings[begin].most_rooms == 1) {
        const Sitting& sitting = session.sittings[begin];
        const Found found = find(board, sitting, to, lane);
        if (!found.is_found) return false;
        delta += leaving(board, begin, sitting, from) + found.cost;
        if (delta > proposal.limit) return false;
        // All lanes have read the room before one changes it.
        __syncwarp();
        if (lane == 0) {
            leave(board, sitting, from, board.room[begin], sitting.students);
            occupy(board, begin, sitting, to, found.room);
        }
        __syncwarp();
        return true;
    }
    u32 count = 0;
    if (lane == 0) {
        u32 first = proposal.one, second = proposal.other;
        if (is_swap) {
            const u32 of_second = __ldg(&session.first_sitting[second]);
            if (session.sittings[begin].students < session.sittings[of_second].students) {
                first = proposal.other;
                second = proposal.one;
            }
        }
        count = listed(board, first, 0);
        if (is_swap) count = listed(board, second, count);
    }
    count = __shfl_sync(FULL_WARP, count, 0);
    __syncwarp();
    i64 rooms = 0;
    if (!seat_all(board, count, from, to, proposal.limit - proposal.delta, lane, rooms)) return false;
    delta += rooms;
    return true;
}

__device__ __forceinline__ bool is_tied(const u32* tied, u32 node) {
    return tied[node / 32] >> node % 32 & 1;
}

// Ties a node that has moved, and all that are adjacent or related to it, with the first warp.
__device__ __forceinline__ void tie(const Board& board, u32* tied, u32 node, u32 lane) {
    const Session& session = board.session;
    const u32 words = board.settings.words;
    for (u32 word = lane; word < words; word += 32) {
        tied[word] |= __ldg(&session.adjacency[node * words + word]) | (word == node / 32 ? 1u << node % 32 : 0);
    }
    __syncwarp();
    const u32 end = __ldg(&session.related_offsets[node + 1]);
    for (u32 at = __ldg(&session.related_offsets[node]) + lane; at < end; at += 32) {
        const u32 other = __ldg(&session.related[at]) & 0xffffu;
        atomicOr(&tied[other / 32], 1u << other % 32);
    }
    __syncwarp();
}

// Draws proposal `number` of a kind and returns true if it may be acceptable; rooms are not looked at.
__device__ __forceinline__ bool may_be_made(const Board& board, u32 kind, const Words& words, Proposal& proposal) {
    const Settings& settings = board.settings;
    if (kind == SHIFT) {
        proposal.one = proposal.other = index_of(words.x, settings.nodes);
        proposal.from = board.place[proposal.one];
        proposal.to = other_than(proposal.from, index_of(words.y, settings.periods - 1));
        return may_shift(board, proposal);
    }
    if (kind == SWAP) {
        proposal.one = index_of(words.x, settings.nodes);
        proposal.other = index_of(words.y, settings.nodes);
        return may_swap(board, proposal);
    }
    proposal.one = index_of(words.x, settings.sittings);
    const Sitting& sitting = board.session.sittings[proposal.one];
    if (sitting.choices == 0) return false;
    proposal.other = __ldg(&board.session.choices[sitting.first_choice + index_of(words.y, sitting.choices)]);
    proposal.to = board.place[sitting.node];
    const u32 capacity = __ldg(&board.session.capacity[cell_of(board, proposal.to, proposal.other)]);
    return capacity >> 31 == 0 && capacity >= sitting.students &&
           room_price(board, sitting, proposal.other) - most_saved(board, proposal.one, sitting) <= proposal.limit;
}

// Proposes shifts, swaps or changes of rooms with the whole block and makes all that are acceptable and not tied to a node that has moved, without
// moving nodes; thread 0 writes `result`.
__device__ __forceinline__ void propose_single(
    const Board& board, u32 kind, u64 step, u32 individual, u32 temperature, const Proposals& work, Step* result) {
    const Settings& settings = board.settings;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 word = threadIdx.x; word < settings.words; word += blockDim.x) work.seen[word] = 0;
    for (u32 group = warp; group < PROPOSALS / 32; group += warps) {
        const u32 number = group * 32 + lane;
        const Words words = philox(settings.key, number, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
        Proposal proposal = {0, limit_of(board.session.levels, temperature, words.z), 0, 0, 0, 0};
        const bool may = may_be_made(board, kind, words, proposal);
        if (may) work.proposals[number] = proposal;
        const u32 votes = __ballot_sync(FULL_WARP, may);
        if (lane == 0) work.votes[group] = votes;
    }
    __syncthreads();
    if (warp != 0) return;
    Step done = {0, PROPOSALS, 0, 0, 0, 0};
    for (u32 group = 0; group < PROPOSALS / 32; ++group) {
        for (u32 rest = work.votes[group]; rest != 0; rest &= rest - 1) {
            const Proposal proposal = work.proposals[group * 32 + __ffs(rest) - 1];
            i64 delta = 0;
            if (kind == CHANGE) {
                const u32 node = board.session.sittings[proposal.one].node;
                // Only the first lane has the change of the cost, and only it writes the result.
                if (lane == 0 && !is_tied(work.seen, node) && change_room(board, proposal, delta)) {
                    done.delta += delta;
                    work.seen[node / 32] |= 1u << node % 32;
                }
                __syncwarp();
                continue;
            }
            if (is_tied(work.seen, proposal.one) || is_tied(work.seen, proposal.other)) continue;
            if (!try_nodes(board, proposal, kind == SWAP, lane, delta)) continue;
            done.delta += delta;
            // All lanes have seen what is tied before more is.
            __syncwarp();
            if (lane == 0) {
                work.chains[done.count] = (u16)proposal.one;
                work.targets[done.count] = (u16)proposal.to;
                if (kind == SWAP) {
                    work.chains[done.count + 1] = (u16)proposal.other;
                    work.targets[done.count + 1] = (u16)proposal.from;
                }
            }
            done.count += kind == SWAP ? 2 : 1;
            tie(board, work.seen, proposal.one, lane);
            if (kind == SWAP) tie(board, work.seen, proposal.other, lane);
        }
    }
    if (lane == 0) *result = done;
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
        Proposal proposal = {0, limit_of(board.session.levels, temperature, words.z), 0, 0, a, b};
        proposal.delta = follow(board, a, b, proposal.limit, kind == KEMPE, chain, seen, count, lane, is_allowed);
        const bool may = is_allowed && may_change_sides(board, a, b, chain, seen, count, proposal.delta, proposal.limit,
                                                        kind == EXCHANGE, lane);
        if (lane == 0) {
            work.proposals[number] = proposal;
            work.counts[number] = may ? count : NOT_ACCEPTABLE;
        }
    }
    __syncthreads();
    if (warp != 0) return;
    Step done = {0, most, 0, 0, 0, 0};
    for (u32 number = 0; number < most; ++number) {
        const u32 count = work.counts[number];
        if (count == NOT_ACCEPTABLE) continue;
        const Proposal proposal = work.proposals[number];
        i64 rooms = 0;
        if (kind == EXCHANGE) {
            exchange_rooms(board, proposal.from, proposal.to, lane);
        } else if (settings.rooms > 0) {
            const u32 sittings = list_chain(board, work.chains + number * row, count, lane);
            const i64 limit = proposal.limit - proposal.delta;
            if (!seat_all(board, sittings, proposal.from, proposal.to, limit, lane, rooms)) continue;
        }
        done = {proposal.delta + rooms, number + 1, count, number * row, proposal.from, proposal.to};
        break;
    }
    if (lane == 0) *result = done;
}
