// Shifts, swaps and changes of rooms of a step: the block evaluates the proposals of a round in parallel, each as if it were the only one. The first
// warp then takes them in order: it makes those that are acceptable and not tied to a node that has moved, and evaluates those anew whose periods
// have changed in between. The step ends with the first round that makes a move.
#pragma once

#include "seating_moves.cuh"

// Evaluates a shift without looking for rooms; returns true if it may be acceptable.
__device__ __forceinline__ bool may_shift(const Board& board, Proposal& proposal) {
    const Settings& settings = board.settings;
    const u32 node = proposal.one, from = proposal.from, to = proposal.to;
    if (is_barred(board, node, to)) return false;
    proposal.delta = near(board, node, to) - near(board, node, from);
    if (proposal.delta - most_saved_of(board, node) > proposal.limit) return false;
    i64 bound = 0;
    const u32 end = first_sitting(board, node + 1);
    for (u32 at = first_sitting(board, node); settings.rooms > 0 && at < end; ++at) {
        const Sitting sitting = board.sittings[at];
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
        if (!permits(board, one, b) || !permits(board, other, a)) return false;
        // Only the students whom both share may keep them out, so that their numbers are equal: few pairs are looked up.
        const u32 cell = cell_of_students(board, one, b);
        if (cell != cell_of_students(board, other, a) || !is_adjacent(board, one, other)) return false;
        shared = shared_students(board, one, other);
        if (cell != shared) return false;
    }
    proposal.delta = near(board, one, b) - near(board, one, a) + near(board, other, a) - near(board, other, b) +
                     2 * (i64)shared * pair_cost(board, a, b);
    if (proposal.delta - most_saved_of(board, one) - most_saved_of(board, other) > proposal.limit) return false;
    i64 least = 0;
    for (u32 side = 0; settings.rooms > 0 && side < 2; ++side) {
        const u32 node = side == 0 ? one : other;
        const u32 end = first_sitting(board, node + 1);
        for (u32 at = first_sitting(board, node); at < end; ++at) {
            const Sitting sitting = board.sittings[at];
            least += least_penalty(board, sitting) - most_saved(board, at, sitting);
        }
    }
    if (proposal.delta + least > proposal.limit) return false;
    const auto after = [&](u32 node) { return node == one ? b : node == other ? a : (u32)board.place[node]; };
    return suits_related(board, one, b, after) && suits_related(board, other, a, after);
}

// Evaluates the change of the room of a sitting to room `other`, with one lane; returns true if it is acceptable. `delta` is the change of the cost.
__device__ __forceinline__ bool can_change_room(const Board& board, const Proposal& proposal, i64& delta) {
    const u32 number = proposal.one, room = proposal.other, period = proposal.to;
    const Sitting sitting = board.sittings[number];
    u32 seats = 0;
    if (is_in(board, number, room) || !admits(board, number, sitting, period, room, NOBODY, seats)) return false;
    if (seats < sitting.students()) return false;
    delta = exactly_leaving(board, number, sitting, period) + cost_in(board, number, sitting, period, room, NOBODY);
    return delta <= proposal.limit;
}

// Changes the tables of the rooms by a proposal whose evaluation holds, with one warp.
__device__ __forceinline__ void make(const Board& board, u32 kind, const Proposal& proposal, const Trial& trial, u32 lane) {
    // All lanes have read the tables before one changes them.
    __syncwarp();
    if (kind == CHANGE) {
        if (lane == 0) {
            const Sitting sitting = board.sittings[proposal.one];
            release(board, proposal.one, sitting, proposal.to);
            occupy(board, proposal.one, sitting, proposal.to, proposal.other);
        }
    } else if (board.settings.rooms > 0 && lane < (kind == SWAP ? 4 : 2)) {
        // Two lanes for each sitting, one for the room that it leaves; counts change by additions in any order.
        const bool is_one = lane < 2, enters = lane % 2 != 0;
        const u32 number = first_sitting(board, is_one ? proposal.one : proposal.other);
        const Sitting sitting = board.sittings[number];
        const u32 chosen = is_one ? trial.room : trial.other_room, room = enters ? chosen : board.room[number];
        put(board, sitting, is_one == enters ? proposal.to : proposal.from, room, sitting.students(), enters);
        if (!enters) board.room[number] = (u16)chosen;
    }
    __syncwarp();
}

// Appends the sittings of a node to the list, with one lane.
__device__ __forceinline__ u32 listed(const Board& board, u32 node, u32 count) {
    const u32 end = first_sitting(board, node + 1);
    for (u32 at = first_sitting(board, node); at < end; ++at) board.list[count++] = (u16)at;
    return count;
}

// Tries a shift or a swap that may be acceptable, with the first warp: seats its sittings if the whole change is within the limit.
__device__ __forceinline__ bool try_nodes(const Board& board, const Proposal& proposal, bool is_swap, u32 lane, i64& delta) {
    const u32 from = proposal.from, to = proposal.to;
    delta = proposal.delta;
    if (board.settings.rooms == 0) return delta <= proposal.limit;
    const u32 begin = first_sitting(board, proposal.one), end = first_sitting(board, proposal.one + 1);
    const Sitting sitting = board.sittings[begin];
    if (!is_swap && end - begin == 1 && !sitting.has(MAY_SPLIT)) {
        const Found found = find(board, begin, sitting, to, lane, NOBODY);
        if (!found.is_found) return false;
        delta += leaving(board, begin, sitting, from) + found.cost;
        if (delta > proposal.limit) return false;
        Trial trial = {};
        trial.room = (u16)found.room;
        make(board, SHIFT, proposal, trial, lane);
        return true;
    }
    u32 count = 0;
    if (lane == 0) {
        u32 first = proposal.one, second = proposal.other;
        if (is_swap) {
            if (sitting.students() < board.sittings[first_sitting(board, second)].students()) {
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

// Returns true if a node has constraints on the period of another one.
__device__ __forceinline__ bool is_related(const Board& board, u32 node, u32 other) {
    if (!has_related(board, node)) return false;
    const u32 end = __ldg(&board.session.related_offsets[node + 1]);
    for (u32 at = __ldg(&board.session.related_offsets[node]); at < end; ++at) {
        if ((__ldg(&board.session.related[at]) & 0xffffu) == other) return true;
    }
    return false;
}

// Returns true if a node of a proposal that is made keeps a node of another one from moving in the same step.
__device__ __forceinline__ bool ties(const Board& board, u32 node, u32 other) {
    return (node == other) | is_adjacent(board, node, other);
}

// As `ties`, for two proposals of a kind, without the constraints on periods.
__device__ __forceinline__ bool meets(const Board& board, u32 kind, const Proposal& earlier, const Proposal& proposal) {
    if (kind == CHANGE) return node_of(board, earlier.one) == node_of(board, proposal.one);
    const bool first = ties(board, earlier.one, proposal.one);
    if (kind != SWAP) return first;
    // Without short circuits, so that all words are loaded at once.
    return first | ties(board, earlier.one, proposal.other) | ties(board, earlier.other, proposal.one) |
           ties(board, earlier.other, proposal.other);
}

// Returns true if constraints on periods keep a proposal from being made in the same step as an `earlier` one of the same kind.
__device__ __forceinline__ bool constrains(const Board& board, u32 kind, const Proposal& earlier, const Proposal& proposal) {
    if (kind == CHANGE) return false;
    if (is_related(board, earlier.one, proposal.one)) return true;
    return kind == SWAP && (is_related(board, earlier.one, proposal.other) || is_related(board, earlier.other, proposal.one) ||
                            is_related(board, earlier.other, proposal.other));
}

// Returns the only sitting of a node if its move can be evaluated without making it, or NO_ROOM.
__device__ __forceinline__ u32 only_sitting(const Board& board, u32 node) {
    const u32 begin = first_sitting(board, node), end = first_sitting(board, node + 1);
    return end - begin == 1 && !board.sittings[begin].has(MAY_SPLIT | TIED_ROOM) ? begin : NO_ROOM;
}

// Evaluates a proposal with rooms, with one warp, as if it were the only one of its step.
__device__ __forceinline__ Trial tried(const Board& board, u32 kind, const Proposal& proposal, u32 lane) {
    Trial trial = {proposal.delta, 0, 0, 0, 0, 1, 1};
    if (kind == CHANGE) {
        trial.is_known = !board.sittings[proposal.one].has(TIED_ROOM);
        // All lanes do the same.
        trial.is_acceptable = trial.is_known && can_change_room(board, proposal, trial.delta);
        return trial;
    }
    if (board.settings.rooms == 0) return trial;
    const u32 one = only_sitting(board, proposal.one), other = kind == SWAP ? only_sitting(board, proposal.other) : one;
    trial.is_known = one != NO_ROOM && other != NO_ROOM;
    trial.is_acceptable = 0;
    if (!trial.is_known) return trial;
    const Sitting first = board.sittings[one], second = board.sittings[other];
    const bool swaps = kind == SWAP;
    trial.delta += leaving(board, one, first, proposal.from) + (swaps ? leaving(board, other, second, proposal.to) : 0);
    if (trial.delta > proposal.limit) return trial;
    // Sittings that swap are in different periods, so that each finds what the other one has left.
    Found found = find(board, one, first, proposal.to, lane, swaps ? absent(board, other, second) : NOBODY);
    if (!found.is_found) return trial;
    trial.delta += found.cost;
    trial.room = (u16)found.room;
    if (swaps) {
        if (trial.delta > proposal.limit) return trial;
        found = find(board, other, second, proposal.from, lane, absent(board, one, first));
        if (!found.is_found) return trial;
        trial.delta += found.cost;
        trial.other_room = (u16)found.room;
    }
    trial.is_acceptable = trial.delta <= proposal.limit;
    return trial;
}

// Tries a proposal whose evaluation is void, with the first warp: makes it if it is acceptable. `delta` is the change of the cost.
__device__ __forceinline__ bool try_anew(const Board& board, u32 kind, const Proposal& proposal, u32 lane, i64& delta) {
    if (kind != CHANGE) return try_nodes(board, proposal, kind == SWAP, lane, delta);
    const bool is_acceptable = can_change_room(board, proposal, delta);
    if (is_acceptable) make(board, kind, proposal, Trial{}, lane);
    return is_acceptable;
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
    const Sitting sitting = board.sittings[proposal.one];
    if (sitting.choices == 0) return false;
    proposal.other = choice(board, sitting, index_of(words.y, sitting.choices));
    proposal.from = proposal.to = board.place[node_of(board, proposal.one)];
    const u32 capacity = board.cells[cell_of(board, proposal.to, proposal.other)].capacity;
    return (capacity & CLOSED) == 0 && (capacity & SEATS) >= sitting.students() &&
           room_price(board, proposal.one, sitting, proposal.other) - most_saved(board, proposal.one, sitting) <= proposal.limit;
}

// Returns a bit set of the positions for which the condition of this lane holds: that of position `lane` and that of position 32 + `lane`.
__device__ __forceinline__ u64 positions(bool low, bool high) {
    const u64 above = __ballot_sync(FULL_WARP, high);
    return above << 32 | __ballot_sync(FULL_WARP, low);
}

// Evaluates the proposals of a round that may be acceptable with the whole block, each with one warp. `proposals`, `counts` and `trials` are those of
// the round.
__device__ __forceinline__ void try_all(const Board& board, u32 kind, const Proposal* proposals, const u32* counts, Trial* trials) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const u32 low = counts[0], count = low + counts[1];
    const bool has_rooms = board.settings.rooms > 0;
    for (u32 number = warp; number < count; number += warps) {
        const u32 at = number < low ? number : 32 + number - low;
        const Proposal proposal = proposals[at];
        bool is_tied[2], is_touched[2];
#pragma unroll
        for (u32 group = 0; group < 2; ++group) {
            is_tied[group] = is_touched[group] = false;
            if (lane < counts[group]) {
                const Proposal later = proposals[32 * group + lane];
                is_tied[group] = meets(board, kind, proposal, later) || constrains(board, kind, proposal, later);
                is_touched[group] = has_rooms && (later.from == proposal.from || later.from == proposal.to ||
                                                  later.to == proposal.from || later.to == proposal.to);
            }
        }
        Trial trial = tried(board, kind, proposal, lane);
        trial.tied = positions(is_tied[0], is_tied[1]);
        trial.touched = positions(is_touched[0], is_touched[1]);
        if (lane == 0) trials[at] = trial;
    }
}

// Makes the proposals of a round that are acceptable and not tied to a node that has moved, in order and without moving nodes, with the first warp.
// `open` holds the positions of proposals, `acceptable` those that are acceptable alone, `touched` those that have to be tried.
__device__ __forceinline__ Step make_all(
    const Board& board, u32 kind, const Proposal* proposals, const Trial* trials, u64 open, u64 acceptable, u64 touched, const Proposals& work,
    u32 lane) {
    Step done = {0, 0, 0, 0, 0, 0, 0};
    for (;;) {
        const u64 next = open & (acceptable | touched);
        if (next == 0) return done;
        const u32 at = __ffsll((i64)next) - 1;
        open &= ~((2ull << at) - 1);
        const Proposal proposal = proposals[at];
        const Trial trial = trials[at];
        i64 delta = trial.delta;
        if ((touched >> at & 1) == 0) {
            make(board, kind, proposal, trial, lane);
        } else if (!try_anew(board, kind, proposal, lane, delta)) {
            continue;
        }
        done.delta += delta;
        ++done.moves;
        open &= ~trial.tied;
        touched |= trial.touched;
        if (kind == CHANGE) continue;
        if (lane == 0) {
            work.chains[done.count] = (u16)proposal.one;
            work.targets[done.count] = (u16)proposal.to;
            if (kind == SWAP) {
                work.chains[done.count + 1] = (u16)proposal.other;
                work.targets[done.count + 1] = (u16)proposal.from;
            }
        }
        done.count += kind == SWAP ? 2 : 1;
    }
}

// Draws the proposals of all rounds and keeps those that may be acceptable, with the whole block.
__device__ __forceinline__ void draw(const Board& board, u32 kind, u64 step, u32 individual, u32 temperature, const Proposals& work) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (u32 group = warp; group < ROUNDS * PROPOSALS / 32; group += warps) {
        const Words words = philox(board.settings.key, group * 32 + lane, (u32)step, individual, LANES | (u32)(step >> 32) << 8);
        Proposal proposal = {0, limit_at(board, temperature, words.z), 0, 0, 0, 0};
        const u32 votes = __ballot_sync(FULL_WARP, may_be_made(board, kind, words, proposal));
        if (votes >> lane & 1) work.proposals[group * 32 + __popc(votes & ((1u << lane) - 1))] = proposal;
        if (lane == 0) work.counts[group] = __popc(votes);
    }
}

// Proposes shifts, swaps or changes of rooms with the whole block, round by round until one makes a move, without moving nodes; thread 0 writes
// `result`.
__device__ __forceinline__ void propose_single(
    const Board& board, u32 kind, u64 step, u32 individual, u32 temperature, const Proposals& work, Step* result) {
    constexpr u32 GROUPS = PROPOSALS / 32;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) *result = {0, ROUNDS * PROPOSALS, 0, 0, 0, 0, 0};
    draw(board, kind, step, individual, temperature, work);
    __syncthreads();
    // Rounds with trials take turns with two halves of the memory, so that a warp may read one while another warp is in the next round.
    Trial* trials = work.trials;
    Trial* next_trials = work.trials + PROPOSALS;
#pragma unroll 1
    for (u32 round = 0; round < ROUNDS; ++round) {
        const Proposal* const proposals = work.proposals + round * PROPOSALS;
        const u32* const counts = work.counts + round * GROUPS;
        if (counts[0] + counts[1] == 0) continue;
        try_all(board, kind, proposals, counts, trials);
        __syncthreads();
        const bool has_low = lane < counts[0], has_high = lane < counts[1];
        const u64 open = positions(has_low, has_high);
        const u64 known = positions(has_low && trials[lane].is_known, has_high && trials[32 + lane].is_known);
        const u64 acceptable = positions(has_low && trials[lane].is_acceptable, has_high && trials[32 + lane].is_acceptable);
        if ((acceptable | (open & ~known)) != 0) {
            if (warp == 0) {
                Step done = make_all(board, kind, proposals, trials, open, acceptable, open & ~known, work, lane);
                done.evaluated = done.moves > 0 ? (round + 1) * PROPOSALS : ROUNDS * PROPOSALS;
                if (lane == 0) *result = done;
            }
            __syncthreads();
            if (result->moves > 0) return;
        }
        Trial* const other = trials;
        trials = next_trials;
        next_trials = other;
    }
}
