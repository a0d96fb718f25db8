// What the proposals of a step have in common: a step makes those shifts, swaps or changes of rooms of a round that are acceptable and not tied to a
// node that has moved in it (`seating_single.cuh`), or the first acceptable one of its Kempe chains or exchanges of periods (`seating_chains.cuh`).
#pragma once

#include "seating_rooms.cuh"

// Kinds of steps.
#define SHIFT 0u
#define SWAP 1u
#define CHANGE 2u
#define KEMPE 3u
#define EXCHANGE 4u

// Proposal that may be acceptable: `one` and `other` are nodes (the same for a shift), or a sitting and a room, for which `from` and `to` are its
// period. `delta` is the change of the cost without rooms.
struct Proposal {
    i64 delta, limit;
    u32 one, other, from, to;
};

// Evaluation of a shift, a swap or a change of rooms as if it were the only one of its step, and what follows for the others of its round if it is
// made.
struct Trial {
    // Change of the cost with rooms.
    i64 delta;
    // Proposals that cannot be made any more, and those whose evaluation is void, as bit sets.
    u64 tied, touched;
    // New rooms of the sittings that move.
    u16 room, other_room;
    // False if sittings may be split, are several to a node, or have rules on the rooms of others: then the move has to be tried.
    u16 is_known;
    u16 is_acceptable;
};

// What a step does: the `count` nodes that begin at `chain` of the lists move. Those of a chain change between the periods a and b; where a = b,
// each has a period of its own in `Proposals::targets`.
struct Step {
    i64 delta;
    // Number of proposals that were evaluated, and of moves that are made.
    u32 evaluated, moves;
    u32 count, chain, a, b;
};

// Shared memory of the proposals of a step. Steps with chains and with single moves use the same part of it, of `work_words`.
struct Proposals {
    // Chains: their periods, changes of the cost and limits; their numbers of nodes.
    Proposal* chosen;
    u32* counts;
    // Nodes of each chain, and the same as a bit set; the first list also holds the nodes that have moved in a step.
    u16* chains;
    u32* seen;
    // Single moves. Of each group of 32, those that may be acceptable are at 32·g and behind; `counts` has their numbers. Two rounds have trials.
    Proposal* proposals;
    Trial* trials;
    u16* targets;
};

// Number of `Proposals::counts`: one for each chain or group of 32 proposals.
#define COUNTS (CHAINS > ROUNDS * PROPOSALS / 32 ? CHAINS : ROUNDS * PROPOSALS / 32)

// 32-bit words of the proposals and trials of single moves.
#define SINGLES 3072u
static_assert(4 * SINGLES == ROUNDS * PROPOSALS * sizeof(Proposal) + 2 * PROPOSALS * sizeof(Trial), "room for proposals and trials");

// 32-bit words of the lists and sets of all chains, or of the first list with proposals and trials behind it.
__device__ __forceinline__ u32 work_words(const Settings& settings) {
    const u32 list = (settings.nodes + 1) / 2;
    return max(CHAINS * (list + settings.words), (list + 3) / 4 * 4 + SINGLES);
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
