// Facility layout with flexible bays: annealing stages, generations of the island genetic algorithm, statistics and migration.
//
// LANES neighbouring lanes, half a warp, share an individual, whose layout lies in shared memory. The references are
// `solver/facility/src/{evaluation,moves,variation}.rs`.
#include "facility_moves.cuh"

// Number of proposals of a step, and factors of the weight of violation after it.
#define STEP 256
#define DEARER 1.1
#define CHEAPER (1.0 / 1.1)

// Individual of a group of lanes; groups behind the end compute the last individual again and write nothing.
struct Place {
    u32 lane, group, individual;
    bool there;
};

__device__ __forceinline__ Place place_of(u32 first, u32 end) {
    const u32 group = threadIdx.x / LANES, number = first + blockIdx.x * (blockDim.x / LANES) + group;
    return {threadIdx.x % LANES, group, number < end ? number : end - 1, number < end};
}

// Smallest and largest cost of a unit of violation.
struct Bounds {
    double least, most;
};

// Annealing: `steps` steps of each of the individuals `first_individual` … `end` − 1.
extern "C" __global__ void facility_walk(
    TABLES, const u32* __restrict__ orientations, const double* __restrict__ temperatures,
    const u32* __restrict__ levels, u16* genes, Score* scores, u16* best_genes, Score* best_scores, double* weights,
    Key key, u32 first_step, u32 steps, u32 first_individual, u32 end, Bounds bounds, u32 purpose) {
    const Tables tables = TAKE_TABLES;
    const Place place = place_of(first_individual, end);
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
                // Shared memory of the evaluation is used again after all lanes have read it.
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

// Parameters of selection, crossover and mutation; see `variation.rs`.
struct Rules {
    u64 crossover, mutation;
    u32 tournament, seeding, tournament_purpose, variation_purpose;
};

// Random word of candidate `number` of tournament `which`. Seeding 0: a sequence that all threads of an island share, in which thread k begins
// k draws late; 1: a sequence for each round of the tournament; 2: a sequence for each thread.
__device__ __forceinline__ u32 candidate_word(
    Key key, const Rules& rules, u32 individuals, u32 generation, u32 island, u32 thread, u32 which, u32 number) {
    const u32 round = which * rules.tournament + number;
    u32 at = which * (individuals + rules.tournament) + thread + number, individual = 0xffffffffu - island;
    if (rules.seeding == 1) at = round * individuals + thread;
    if (rules.seeding == 2) {
        at = round;
        individual = island * individuals + thread;
    }
    const Words words = philox(key, at / 4, generation, individual, rules.tournament_purpose);
    const u32 word = at % 4;
    return word == 0 ? words.x : word == 1 ? words.y : word == 2 ? words.z : words.w;
}

// Makes a generation: a child for each of the individuals `first_individual` … `end_individual` − 1, which are whole islands. Crossover is partially mapped (PMX).
extern "C" __global__ void facility_breed(
    TABLES, Rules rules, const u32* __restrict__ orientations, const double* __restrict__ weights,
    const u16* __restrict__ genes, const Score* __restrict__ scores, u16* next_genes, Score* next_scores, Key key,
    u32 generation, u32 first_individual, u32 end_individual) {
    const Tables tables = TAKE_TABLES;
    const Place place = place_of(first_individual, end_individual);
    const u32 n = tables.departments, lane = place.lane, individuals = tables.individuals;
    const Room room = room_of(place.group, n);
    const u32 island = place.individual / individuals, thread = place.individual % individuals;
    const double weight = weights[island];
    // The candidates of both tournaments have a lane each.
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

// Statistics of an island: score and number of its best individual, number of feasible individuals.
struct Summary {
    Score best;
    u32 individual, feasible;
};

// Statistics of the islands `first_island` … `end` − 1, a warp each; of equally good individuals the first one is the best.
extern "C" __global__ void facility_summary(
    const Score* __restrict__ scores, Summary* summaries, u32 individuals, u32 first_island, u32 end) {
    const u32 lane = threadIdx.x % 32, number = first_island + blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const u32 island = number < end ? number : end - 1;
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
    if (lane == 0 && number < end) summaries[island] = {least, best, feasible};
}

// Copies individual from[p] over individual to[p] for the pairs p = `first` … `end` − 1, a block per pair. A migration takes two launches: to a
// buffer, then to the destinations.
extern "C" __global__ void facility_move(
    const u32* __restrict__ from, const u32* __restrict__ to, const u16* source_genes, const Score* source_scores,
    u16* target_genes, Score* target_scores, u32 departments, u32 first, u32 end) {
    const u32 one = first + blockIdx.x;
    if (one >= end) return;
    const u64 source = (u64)from[one] * departments, target = (u64)to[one] * departments;
    for (u32 at = threadIdx.x; at < departments; at += blockDim.x) target_genes[target + at] = source_genes[source + at];
    if (threadIdx.x == 0) target_scores[to[one]] = source_scores[from[one]];
}
