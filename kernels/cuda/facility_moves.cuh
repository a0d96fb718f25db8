// Moves of the annealing: a move is a function from a place to the gene that stands there afterwards, so lanes write places in parallel. The
// reference is `solver/facility/src/moves.rs`.
#pragma once

#include "facility_evaluation.cuh"

// Finds the first and the last place of the bay of `place`.
__device__ __forceinline__ void ends_of(const u16* genes, u32 n, u32 place, u32& first, u32& last) {
    first = place;
    last = place;
    while (first > 0 && (genes[first - 1] & END) == 0) --first;
    while (last + 1 < n && (genes[last] & END) == 0) ++last;
}

// Writes the genes after the move that the random words x, y, z encode; each lane writes its own places.
__device__ __forceinline__ void propose(const u16* genes, u16* changed, u32 n, u32 x, u32 y, u32 z, u32 lane) {
    const u32 kind = index_of(x, 16);
    const u32 one = index_of(y, n);
    u32 other = index_of(z, n - 1);
    other += other >= one;
    const u32 inner = index_of(y, n - 1);
    u32 from = one, to = other, low = 0, low_end = 0, high = 0, high_end = 0;
    bool leaves = false, behind = false;
    u32 host = 0, target = 0;
    if (kind >= 8 && kind < 12) {
        behind = (y & 1) == 1;
        leaves = (genes[from] & END) != 0 && from > 0;
        host = genes[to];
        if (leaves && to + 1 == from) host |= END;
        target = (from < to ? to - 1 : to) + behind;
    } else if (kind == 13) {
        from = index_of(y, n > 2 ? n - 2 : 1);
    } else if (kind == 14) {
        to = one + 1 + index_of(z, 5);
        if (to > n - 1) to = n - 1;
    } else if (kind == 15) {
        ends_of(genes, n, one < other ? one : other, low, low_end);
        ends_of(genes, n, one < other ? other : one, high, high_end);
    }
    for (u32 at = lane; at < n; at += LANES) {
        const u32 gene = genes[at];
        u32 now = gene;
        if (kind < 4) {
            if (at == one) now = (genes[other] & ~END) | (gene & END);
            if (at == other) now = (genes[one] & ~END) | (gene & END);
        } else if (kind < 8) {
            u32 source = at;
            if (at == to) {
                source = from;
            } else if (from < to && at >= from && at < to) {
                source = at + 1;
            } else if (from > to && at <= from && at > to) {
                source = at - 1;
            }
            now = (genes[source] & ~END) | (gene & END);
        } else if (kind < 12) {
            if (at == target) {
                now = (genes[from] & ~END) | (behind ? host & END : 0);
            } else {
                const u32 rest = at < target ? at : at - 1;
                const u32 source = rest < from ? rest : rest + 1;
                now = genes[source];
                if (leaves && source + 1 == from) now |= END;
                if (behind && source == to) now &= ~END;
            }
        } else if (kind == 12) {
            if (at == inner) now ^= END;
        } else if (kind == 13) {
            if (at == from) now = (gene & ~END) | (genes[at + 1] & END);
            if (at == from + 1) now = (gene & ~END) | (genes[at - 1] & END);
        } else if (kind == 14) {
            if (at >= from && at <= to) now = (genes[from + to - at] & ~END) | (gene & END);
        } else if (low != high && at >= low && at <= high_end) {
            const u32 low_size = low_end - low + 1, high_size = high_end - high + 1, within = at - low;
            u32 source = low_end + 1 + (within - high_size);
            if (within < high_size) {
                source = high + within;
            } else if (at > high_end - low_size) {
                source = low + (at - (high_end + 1 - low_size));
            }
            now = genes[source];
        }
        if (at == n - 1) now |= END;
        changed[at] = (u16)now;
    }
}
