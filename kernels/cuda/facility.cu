// Layouts with flexible bays: legs of annealing, generations of the island genetic algorithm, and what both evaluate.
//
// Sixteen neighbouring lanes, half a warp, share an individual, whose layout lies in shared memory. Real numbers are added in the one order
// that `evaluation.rs` states; lanes compute bays side by side, each bay in order, and partial sums of the cost lane by lane.
#include "philox.cuh"

typedef unsigned short u16;

// Lanes of an individual, and partial sums of its cost.
#define LANES 16
#define END 0x8000u
#define TOLERANCE 1e-6
// Proposals of a step.
#define STEP 256
#define DEARER 1.1
#define CHEAPER (1.0 / 1.1)

extern __shared__ __align__(16) u32 shared_memory[];

// Sizes of an instance. `lengths` are those of vertical and of horizontal bays.
struct Sizes {
    double lengths[2];
    u32 departments, terms, lock_count, apart_count, euclidean, individuals;
};

// An instance, in the words of `evaluation.rs`. Tables that differ by orientation stand twice, vertical bays first.
struct Tables : Sizes {
    const double* __restrict__ areas;
    const double* __restrict__ longest;
    const double* __restrict__ widest;
    const double* __restrict__ side;
    // What the cost adds up, lane = number modulo LANES: flows, and the departments of each pair, 16 bits each.
    const double* __restrict__ flows;
    const u32* __restrict__ pairs;
    const u16* __restrict__ locks;
    const u16* __restrict__ apart;
};

#define TABLES                                                                                                        \
    Sizes sizes, const double *areas, const double *longest, const double *widest, const double *side,                \
        const double *flows, const u32 *pairs, const u16 *locks, const u16 *apart
#define TAKE_TABLES {sizes, areas, longest, widest, side, flows, pairs, locks, apart}

struct Score {
    double violation, cost;
};

__device__ __forceinline__ bool better(const Score& one, const Score& other) {
    return one.violation < other.violation || (one.violation == other.violation && one.cost < other.cost);
}

struct __align__(16) Centre {
    double across, along;
};

// The shared memory of one individual: four rows of 64-bit numbers and some of 16-bit ones.
struct Room {
    Centre* centre;
    double *width, *broken;
    u16 *genes, *changed, *first, *places, *second;
};

__device__ __forceinline__ Room room_of(u32 group, u32 departments) {
    // 32 bytes for the real numbers and 10 for the others, rounded up; one more `first`.
    const u32 even = (departments + 2) / 2 * 2;
    const u32 bytes = (even * 42 + 15) / 16 * 16;
    double* const reals = (double*)((u8*)shared_memory + group * bytes);
    u16* const words = (u16*)(reals + 4 * even);
    return {(Centre*)reals, reals + 2 * even, reals + 3 * even, words,
            words + even,   words + 2 * even, words + 3 * even, words + 4 * even};
}

__device__ __forceinline__ double violation_of(
    double across, double along, double longest, double widest, double side) {
    double violation = 0.0;
    if (along > across * (longest + TOLERANCE)) violation += along / (across * longest);
    if (across > along * (widest + TOLERANCE)) violation += across / (along * widest);
    const double shorter = along < across ? along : across;
    if (shorter < side - TOLERANCE) violation += side / shorter;
    return violation;
}

// Where a department stands: its bay, its place in the bay, and how long it is along it.
struct Spot {
    u32 bay, place;
    double size;
};

__device__ Spot spot_of(const Tables& tables, const Room& room, const u16* genes, u32 bays, u32 wanted) {
    Spot spot = {0, 0, 0.0};
    for (u32 bay = 0; bay < bays; ++bay) {
        for (u32 at = room.first[bay]; at < room.first[bay + 1]; ++at) {
            if ((genes[at] & ~END) == wanted) {
                spot = {bay, at - room.first[bay], tables.areas[wanted] / room.width[bay]};
            }
        }
    }
    return spot;
}

__device__ __forceinline__ u32 apart_by(u32 one, u32 other) {
    return one > other ? one - other : other - one;
}

// What a person demanded and does not get; every lane computes all of it.
__device__ double broken_rules(const Tables& tables, const Room& room, const u16* genes, u32 bays) {
    double broken = 0.0;
    for (u32 lock = 0; lock < tables.lock_count; ++lock) {
        const u16* const wanted = tables.locks + 3 * lock;
        const Spot spot = spot_of(tables, room, genes, bays, wanted[0]);
        u32 missed = apart_by(wanted[1], spot.bay);
        if (wanted[2] != 0xffff) missed += apart_by(wanted[2], spot.place);
        if (missed > 0) broken += 1.0 + (double)missed / 4.0;
    }
    for (u32 pair = 0; pair < tables.apart_count; ++pair) {
        const u32 one = tables.apart[2 * pair], other = tables.apart[2 * pair + 1];
        const Spot a = spot_of(tables, room, genes, bays, one), b = spot_of(tables, room, genes, bays, other);
        const u32 bay = apart_by(a.bay, b.bay);
        bool touch = bay == 0 && apart_by(a.place, b.place) == 1;
        if (bay == 1) {
            const double reach = (a.size + b.size) / 2.0;
            touch = fabs(room.centre[one].along - room.centre[other].along) < reach - TOLERANCE;
        }
        if (touch) broken += 1.0;
    }
    return broken;
}

template <bool EUCLIDEAN>
__device__ __forceinline__ double distance_of(double across, double along) {
    return EUCLIDEAN ? sqrt(across * across + along * along) : fabs(across) + fabs(along);
}

// The partial sum of a lane. Additions wait for one another; what is loaded for them does not.
template <bool EUCLIDEAN>
__device__ __forceinline__ double terms(const Tables& tables, const Room& room, u32 lane) {
    double sum = 0.0;
#pragma unroll 8
    for (u32 at = lane; at < tables.terms; at += LANES) {
        const u32 pair = __ldg(&tables.pairs[at]);
        const double flow = __ldg(&tables.flows[at]);
        const Centre one = room.centre[pair & 0xffff], other = room.centre[pair >> 16];
        sum += flow * distance_of<EUCLIDEAN>(one.across - other.across, one.along - other.along);
    }
    return sum;
}

// What a layout costs and violates. All lanes of the warp take part; `genes` is written before.
__device__ __forceinline__ Score evaluate(
    const Tables& tables, const Room& room, const u16* genes, u32 orientation, u32 lane) {
    const u32 n = tables.departments, half = threadIdx.x % 32 / LANES * LANES;
    // Departments side by side: their bays, and for now their areas where their centres will be.
    u32 bays = 0;
    for (u32 begin = 0; begin < n; begin += LANES) {
        const u32 at = begin + lane;
        const bool starts = at < n && (at == 0 || (genes[at - 1] & END) != 0);
        const u32 votes = __ballot_sync(FULL_WARP, starts) >> half & 0xffffu;
        const u32 before = __popc(votes & ((1u << lane) - 1));
        if (starts) room.first[bays + before] = (u16)at;
        if (at < n) {
            room.places[at] = (u16)(bays + before + starts - 1);
            room.centre[at].along = __ldg(&tables.areas[genes[at] & ~END]);
        }
        bays += __popc(votes);
    }
    if (lane == 0) room.first[bays] = (u16)n;
    __syncwarp();
    for (u32 bay = lane; bay < bays; bay += LANES) {
        double area = 0.0;
        const u32 end = room.first[bay + 1];
#pragma unroll 4
        for (u32 at = room.first[bay]; at < end; ++at) area += room.centre[at].along;
        room.width[bay] = area / tables.lengths[orientation];
    }
    __syncwarp();
    // Departments side by side: how long each is, and what it violates, where its centre will be.
    const double* const longest = tables.longest + orientation * n;
    const double* const widest = tables.widest + orientation * n;
    for (u32 at = lane; at < n; at += LANES) {
        const u32 one = genes[at] & ~END;
        const double across = room.width[room.places[at]];
        const double along = __ldg(&tables.areas[one]) / across;
        const double violated =
            violation_of(across, along, __ldg(&longest[one]), __ldg(&widest[one]), __ldg(&tables.side[one]));
        room.centre[one] = {violated, along};
    }
    __syncwarp();
    for (u32 bay = lane; bay < bays; bay += LANES) {
        double left = 0.0;
#pragma unroll 4
        for (u32 before = 0; before < bay; ++before) left += room.width[before];
        const double centre = left + room.width[bay] / 2.0;
        double top = 0.0, violated = 0.0;
        const u32 last = room.first[bay + 1] - 1;
        u32 at = room.first[bay], one = genes[at] & ~END;
        Centre size = room.centre[one];
        for (;;) {
            // The next one is on its way while this one is placed.
            const u32 next = at < last ? genes[at + 1] & ~END : one;
            const Centre next_size = room.centre[next];
            room.centre[one] = {centre, top + size.along / 2.0};
            top += size.along;
            violated += size.across;
            if (at == last) break;
            ++at;
            one = next;
            size = next_size;
        }
        room.broken[bay] = violated;
    }
    __syncwarp();
    double violation = 0.0;
    for (u32 bay = 0; bay < bays; ++bay) violation += room.broken[bay];
    if (tables.lock_count + tables.apart_count > 0) violation += broken_rules(tables, room, genes, bays);
    double cost = tables.euclidean ? terms<true>(tables, room, lane) : terms<false>(tables, room, lane);
#pragma unroll
    for (u32 distance = LANES / 2; distance > 0; distance /= 2) {
        cost += __shfl_down_sync(FULL_WARP, cost, distance, LANES);
    }
    return {violation, __shfl_sync(FULL_WARP, cost, 0, LANES)};
}

// The bay of a place: its first and its last place.
__device__ __forceinline__ void ends_of(const u16* genes, u32 n, u32 place, u32& first, u32& last) {
    first = place;
    last = place;
    while (first > 0 && (genes[first - 1] & END) == 0) --first;
    while (last + 1 < n && (genes[last] & END) == 0) ++last;
}

// What stands at each place after the move that three words stand for; see `moves.rs`. Each lane writes its own places.
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

// Which individual a group of lanes has; groups without one repeat the last, and write nothing.
struct Place {
    u32 lane, group, individual;
    bool there;
};

__device__ __forceinline__ Place place_of(u32 count) {
    const u32 group = threadIdx.x / LANES, number = blockIdx.x * (blockDim.x / LANES) + group;
    return {threadIdx.x % LANES, group, number < count ? number : count - 1, number < count};
}

// What a unit of violation costs at least and at most.
struct Bounds {
    double least, most;
};

// Legs of annealing: `steps` steps of each of `count` individuals.
extern "C" __global__ void facility_walk(
    TABLES, const u32* __restrict__ orientations, const double* __restrict__ temperatures,
    const u32* __restrict__ levels, u16* genes, Score* scores, u16* best_genes, Score* best_scores, double* weights,
    Key key, u32 first_step, u32 steps, u32 count, Bounds bounds, u32 purpose) {
    const Tables tables = TAKE_TABLES;
    const Place place = place_of(count);
    const u32 n = tables.departments, lane = place.lane, individual = place.individual;
    const Room room = room_of(place.group, n);
    const u32 orientation = orientations[individual / tables.individuals];
    u16 *now = room.genes, *changed = room.changed;
    for (u32 at = lane; at < n; at += LANES) now[at] = genes[(u64)individual * n + at];
    Score score = scores[individual], best = best_scores[individual];
    double weight = weights[individual];
    bool best_moved = false;
    __syncwarp();
    for (u32 step = 0; step < steps; ++step) {
        const double temperature = temperatures[step];
        double worth = score.cost + weight * score.violation;
        u32 feasible = 0;
        for (u32 first = 0; first < STEP; first += LANES) {
            const Words own = philox(key, first + lane, first_step + step, individual, purpose);
            for (u32 side = 0; side < LANES; ++side) {
                const u32 x = __shfl_sync(FULL_WARP, own.x, side, LANES);
                const u32 y = __shfl_sync(FULL_WARP, own.y, side, LANES);
                const u32 z = __shfl_sync(FULL_WARP, own.z, side, LANES);
                const u32 w = __shfl_sync(FULL_WARP, own.w, side, LANES);
                propose(now, changed, n, x, y, z, lane);
                __syncwarp();
                const Score proposed = evaluate(tables, room, changed, orientation, lane);
                const double limit = temperature * (double)__ldg(&levels[w >> 22]) / 4096.0;
                const double proposed_worth = proposed.cost + weight * proposed.violation;
                if (proposed_worth - worth <= limit) {
                    u16* const old = now;
                    now = changed;
                    changed = old;
                    score = proposed;
                    worth = proposed_worth;
                    if (better(score, best)) {
                        best = score;
                        best_moved = true;
                        if (place.there) {
                            for (u32 at = lane; at < n; at += LANES) best_genes[(u64)individual * n + at] = now[at];
                        }
                    }
                }
                feasible += score.violation == 0.0;
                // Nobody may read places of a department that others still need.
                __syncwarp();
            }
        }
        if (feasible < STEP * 2 / 5) {
            weight *= DEARER;
            if (weight > bounds.most) weight = bounds.most;
        } else if (feasible > STEP * 3 / 5) {
            weight *= CHEAPER;
            if (weight < bounds.least) weight = bounds.least;
        }
    }
    if (!place.there) return;
    for (u32 at = lane; at < n; at += LANES) genes[(u64)individual * n + at] = now[at];
    if (lane == 0) {
        scores[individual] = score;
        weights[individual] = weight;
        if (best_moved) best_scores[individual] = best;
    }
}

// Everything that making a child depends on; see `variation.rs`.
struct Rules {
    u64 crossover, mutation;
    u32 tournament, seeding, tournament_purpose, variation_purpose;
};

// The word of the candidate `number` of tournament `which`.
__device__ __forceinline__ u32 candidate_word(
    Key key, const Rules& rules, u32 individuals, u32 generation, u32 island, u32 thread, u32 which, u32 number) {
    u32 at = which * (individuals + rules.tournament) + thread + number;
    u32 step = rules.seeding == 0 ? 0 : generation, individual = 0xffffffffu - island;
    if (rules.seeding == 2) {
        at = which * rules.tournament + number;
        individual = island * individuals + thread;
    }
    const Words words = philox(key, at / 4, step, individual, rules.tournament_purpose);
    const u32 word = at % 4;
    return word == 0 ? words.x : word == 1 ? words.y : word == 2 ? words.z : words.w;
}

// One generation: a child for each of `count` individuals.
extern "C" __global__ void facility_breed(
    TABLES, Rules rules, const u32* __restrict__ orientations, const double* __restrict__ weights,
    const u16* __restrict__ genes, const Score* __restrict__ scores, u16* next_genes, Score* next_scores, Key key,
    u32 generation, u32 count) {
    const Tables tables = TAKE_TABLES;
    const Place place = place_of(count);
    const u32 n = tables.departments, lane = place.lane, individuals = tables.individuals;
    const Room room = room_of(place.group, n);
    const u32 island = place.individual / individuals, thread = place.individual % individuals;
    const double weight = weights[island];
    // The candidates of both tournaments, a lane each.
    const u32 tournament = rules.tournament, both = 2 * tournament;
    u32 drawn = 0;
    double worth = 0.0;
    if (lane < both) {
        const u32 word = candidate_word(
            key, rules, individuals, generation, island, thread, lane / tournament, lane % tournament);
        drawn = index_of(word, individuals);
        const Score score = scores[island * individuals + drawn];
        worth = score.cost + weight * score.violation;
    }
    u32 parents[2];
#pragma unroll
    for (u32 which = 0; which < 2; ++which) {
        parents[which] = __shfl_sync(FULL_WARP, drawn, which * tournament, LANES);
        double least = __shfl_sync(FULL_WARP, worth, which * tournament, LANES);
        for (u32 number = 1; number < tournament; ++number) {
            const u32 other = __shfl_sync(FULL_WARP, drawn, which * tournament + number, LANES);
            const double other_worth = __shfl_sync(FULL_WARP, worth, which * tournament + number, LANES);
            if (other_worth < least) {
                least = other_worth;
                parents[which] = other;
            }
        }
    }
    const u64 first_parent = (u64)(island * individuals + parents[0]) * n;
    const u64 second_parent = (u64)(island * individuals + parents[1]) * n;
    for (u32 at = lane; at < n; at += LANES) {
        room.changed[at] = genes[first_parent + at];
        const u32 gene = genes[second_parent + at];
        room.second[at] = (u16)gene;
        room.places[gene & ~END] = (u16)at;
    }
    __syncwarp();
    const Words words = philox(key, 0, generation, place.individual, rules.variation_purpose);
    const bool crosses = happens(words.x, rules.crossover);
    const u32 one_cut = index_of(words.y, n), other_cut = index_of(words.z, n);
    const u32 begin = one_cut < other_cut ? one_cut : other_cut, end = one_cut < other_cut ? other_cut : one_cut;
    for (u32 at = lane; at < n; at += LANES) {
        const u32 gene = room.changed[at];
        u32 now = gene;
        if (crosses) {
            if (at >= begin && at <= end) {
                now = room.second[at];
            } else {
                u32 one = gene & ~END, where = room.places[one];
                while (where >= begin && where <= end) {
                    one = room.changed[where] & ~END;
                    where = room.places[one];
                }
                now = one | (gene & END);
            }
            if (at == n - 1) now |= END;
        }
        room.genes[at] = (u16)now;
    }
    __syncwarp();
    if (lane == 0 && happens(words.w, rules.mutation) && n > 1) {
        const Words draw = philox(key, 1, generation, place.individual, rules.variation_purpose);
        const u32 one = index_of(draw.y, n);
        u32 other = index_of(draw.z, n - 1);
        other += other >= one;
        const u32 gene = room.genes[one], with = room.genes[other], kind = draw.x >> 30;
        if (kind < 2) {
            room.genes[one] = (u16)((with & ~END) | (gene & END));
            room.genes[other] = (u16)((gene & ~END) | (with & END));
        } else if (kind == 2) {
            room.genes[one] = (u16)(gene ^ END);
        } else {
            room.genes[one] = (u16)((gene & ~END) | (with & END));
            room.genes[other] = (u16)((with & ~END) | (gene & END));
        }
        room.genes[n - 1] |= END;
    }
    __syncwarp();
    const Score score = evaluate(tables, room, room.genes, orientations[island], lane);
    if (!place.there) return;
    for (u32 at = lane; at < n; at += LANES) next_genes[(u64)place.individual * n + at] = room.genes[at];
    if (lane == 0) next_scores[place.individual] = score;
}

// What there is to know of an island after a generation.
struct Summary {
    Score best;
    u32 individual, feasible;
};

// The best of every island, the first of equally good ones, and how many are feasible: a warp for an island.
extern "C" __global__ void facility_summary(
    const Score* __restrict__ scores, Summary* summaries, u32 individuals, u32 islands) {
    const u32 lane = threadIdx.x % 32, number = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const u32 island = number < islands ? number : islands - 1;
    const u32 first = island * individuals;
    u32 best = first + (lane < individuals ? lane : 0), feasible = 0;
    Score least = scores[best];
    for (u32 at = lane; at < individuals; at += 32) {
        const Score score = scores[first + at];
        feasible += score.violation == 0.0;
        if (better(score, least)) {
            least = score;
            best = first + at;
        }
    }
#pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2) {
        const double violation = __shfl_down_sync(FULL_WARP, least.violation, distance);
        const double cost = __shfl_down_sync(FULL_WARP, least.cost, distance);
        const u32 other = __shfl_down_sync(FULL_WARP, best, distance);
        feasible += __shfl_down_sync(FULL_WARP, feasible, distance);
        const Score theirs = {violation, cost};
        if (better(theirs, least) || (!better(least, theirs) && other < best)) {
            least = theirs;
            best = other;
        }
    }
    if (lane == 0 && number < islands) summaries[island] = {least, best, feasible};
}

// Copies individuals: first all that move into `moved`, then, in another launch, from there to where they go.
extern "C" __global__ void facility_move(
    const u32* __restrict__ from, const u32* __restrict__ to, const u16* source_genes, const Score* source_scores,
    u16* target_genes, Score* target_scores, u32 departments, u32 count) {
    const u32 one = blockIdx.x;
    if (one >= count) return;
    const u64 source = (u64)from[one] * departments, target = (u64)to[one] * departments;
    for (u32 at = threadIdx.x; at < departments; at += blockDim.x) target_genes[target + at] = source_genes[source + at];
    if (threadIdx.x == 0) target_scores[to[one]] = source_scores[from[one]];
}
