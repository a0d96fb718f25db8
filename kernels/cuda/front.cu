// The whole neighbourhoods of orders of a permutation flow shop, for several objectives at once.
//
//     C(i, k) = max(C(i−1, k), C(i, k−1)) + p(i, order[k]),   C(−1, k) = release of order[k],   C(i, −1) = 0
//     makespan C(m−1, n−1),   Σ C(m−1, k),   Σ max(0, C(m−1, k) − due),   |{k : C(m−1, k) > due}|
//
// A thread computes two neighbours, which differ from the order from the same position on: it begins with what `prepare` has
// computed of the prefix. Lanes of a warp have neighbours that begin at the same position a, too:
//
// * insertions: lane x has the neighbour that moves the job in position x to position a (low), and the one that moves the job in a to
//   x (high). Until x, they see order[k−1] and order[k+1], whatever the lane: the mixed row of position k; behind it order[k].
// * exchanges: of position a with x (low) and with x + 1 (high). All see order[k], but in these two positions.
//
// So all lanes read the same row, which reaches them at once, but in the positions that a warp's own x lie in. Where every time has 16
// bits, both neighbours share a register, and compute capability 9.0 takes the larger of both halves in one instruction.
//
// Source: T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A case study: the
// flowshop scheduling problem», EvoCOP 2011: neighbours made on the device, prefixes left out, three kinds of memory.
#include "reduce.cuh"

extern __shared__ __align__(16) u32 shared_memory[];

// What all kernels of a launch know.
struct Task {
    u32 jobs, machines;
    // Words of a row: release date, due date, a time for each machine, and nothing until a multiple of 4.
    u32 width;
    // Whether neighbours exchange two jobs.
    u32 exchange;
    // Warps for the neighbourhood of a member, blocks that take them, candidates that there is room for in the list of a member.
    u32 warps, segments, room;
    // The number of the first block of this launch.
    u32 first;
    // What becomes of the values.
    u32 mode;
    // Which value is which objective: a byte for each axis, NO_VALUE where there is none.
    u32 select;
    // Whether neighbours have to dominate the order itself.
    u32 dominating;
    // Points of the archive, and those of them that come with this launch.
    u32 known, news;
    // Whether a tabu move to a new best is made nevertheless.
    u32 aspiration;
};

// Values are filtered for an archive, the best one is looked for, or all of them are kept.
#define SIFTED 0u
#define BEST 1u
#define ALL 2u

#define NO_VALUE 4u
#define NONE 0xffffffffu

// Words of a member in the input before its order. Sifted: its point. Best: four factors and the least sum so far, 64 bits each.
#define HEADER 16u
// In a job of the order: it may not be moved.
#define STAYS 0x80000000u
// Words of a candidate: four values of objectives and a number. In a list of candidates the points come first, then the numbers.
#define CANDIDATE 5u
// Words of a choice: sum (two), number, four values, nothing. Words of what is left: member, number, point.
#define CHOICE 8u
#define LEFT 6u
// Points of the archive that neighbours meet first: those that are likely to cover many.
#define NEAREST 32u

// What all kernels do with values after they are computed is compiled once: it takes no time to speak of, and the driver compiles
// less.
#if defined(__CUDACC_RTC__)
#define ONCE static __device__ __noinline__
#else
#define ONCE static __device__ inline
#endif

// Two times of 16 bits in one word. No time of an order exceeds 16 bits, so that sums of both halves at once stay apart.
struct Narrow {
    typedef u32 Word;
    static __device__ __forceinline__ Word of(u32 low, u32 high) { return low | high << 16; }
    static __device__ __forceinline__ u32 low(Word word) { return word & 0xffffu; }
    static __device__ __forceinline__ u32 high(Word word) { return word >> 16; }
    static __device__ __forceinline__ Word merged(Word low, Word high) { return (low & 0xffffu) | (high & 0xffff0000u); }
    static __device__ __forceinline__ Word plus(Word a, Word b) { return a + b; }
    static __device__ __forceinline__ Word read(const Word* at) { return __ldg(at); }
#if defined(__CUDACC_RTC__) && __CUDA_ARCH__ >= 900
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) {
        // An addition and a maximum in one instruction; the other addition does not wait for the machine before.
        Word result;
        asm("{ .reg .b32 sum; add.u16x2 sum, %1, %3; max.u16x2 %0, sum, %2; }"
            : "=r"(result)
            : "r"(before), "r"(done + time), "r"(time));
        return result;
    }
    static __device__ __forceinline__ Word beyond(Word done, Word due) {
        Word larger;
        asm("max.u16x2 %0, %1, %2;" : "=r"(larger) : "r"(done), "r"(due));
        return larger - due;
    }
    static __device__ __forceinline__ Word ones(Word word) {
        Word result;
        asm("min.u16x2 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(0x00010001u));
        return result;
    }
#else
    static __device__ __forceinline__ Word larger(Word a, Word b) {
        return (max(a, b) & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu);
    }
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) { return larger(before, done) + time; }
    static __device__ __forceinline__ Word beyond(Word done, Word due) { return larger(done, due) - due; }
    static __device__ __forceinline__ Word ones(Word word) { return of(low(word) > 0, high(word) > 0); }
#endif
};

// Two times of 32 bits.
struct __align__(8) Two {
    u32 low, high;
};
struct Wide {
    typedef Two Word;
    static __device__ __forceinline__ Word of(u32 low, u32 high) { return {low, high}; }
    static __device__ __forceinline__ u32 low(Word word) { return word.low; }
    static __device__ __forceinline__ u32 high(Word word) { return word.high; }
    static __device__ __forceinline__ Word merged(Word low, Word high) { return {low.low, high.high}; }
    static __device__ __forceinline__ Word plus(Word a, Word b) { return {a.low + b.low, a.high + b.high}; }
    static __device__ __forceinline__ Word read(const Word* at) { return {__ldg(&at->low), __ldg(&at->high)}; }
    static __device__ __forceinline__ Word later(Word before, Word done, Word time) {
        return {max(before.low, done.low) + time.low, max(before.high, done.high) + time.high};
    }
    static __device__ __forceinline__ Word beyond(Word done, Word due) {
        return {max(done.low, due.low) - due.low, max(done.high, due.high) - due.high};
    }
    static __device__ __forceinline__ Word ones(Word word) { return {word.low > 0, word.high > 0}; }
};

// Makespan so far and the sums over the jobs so far, of two neighbours.
template <class T>
struct Sums {
    typename T::Word done, tardy;
    u32 flow[2], late[2];

    __device__ __forceinline__ void add(typename T::Word now, typename T::Word due) {
        const typename T::Word beyond = T::beyond(now, due);
        done = now;
        tardy = T::plus(tardy, T::ones(beyond));
        flow[0] += T::low(now);
        flow[1] += T::high(now);
        late[0] += T::low(beyond);
        late[1] += T::high(beyond);
    }
};

// Where rows are read from.
enum Storage { SHARED, GLOBAL, READ_ONLY };

struct __align__(16) Quad {
    u32 word[4];
};

template <Storage WHERE>
__device__ __forceinline__ Quad quad(const u32* at) {
#if defined(__CUDACC_RTC__)
    if (WHERE == READ_ONLY) {
        Quad q;
        asm("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(q.word[0]), "=r"(q.word[1]), "=r"(q.word[2]), "=r"(q.word[3])
            : "l"(at));
        return q;
    }
#endif
    return *(const Quad*)at;
}

// Completion times on M machines in registers; shops with fewer machines have further ones that take no time.
template <u32 M, Storage WHERE>
struct Registers {
    typedef Narrow T;
    static const u32 QUADS = (M + 5) / 4;
    u32 ends[M];
    Sums<Narrow> sums;
    const u32* rows;
    // The number of the first row that is there, of both kinds.
    u32 from;

    __device__ __forceinline__ void open(const Task& task, const u32* all, u32 least) {
        from = WHERE == SHARED ? least : 0;
        rows = all;
        if (WHERE != SHARED) return;
        rows = shared_memory;
        const u32 count = (task.jobs - from) * QUADS;
        const Quad *plain = (const Quad*)all + from * QUADS, *mixed = plain + task.jobs * QUADS;
#pragma unroll 4
        for (u32 at = threadIdx.x; at < 2 * count; at += blockDim.x) {
            ((Quad*)shared_memory)[at] = at < count ? plain[at] : mixed[at - count];
        }
        __syncthreads();
    }

    __device__ __forceinline__ void begin(const Task&, const u32* head) {
#pragma unroll
        for (u32 i = 0; i < M; ++i) ends[i] = head[i];
    }

    // Both go on with the row of this number, or each with its own.
    template <bool APART>
    __device__ __forceinline__ void go(const Task&, u32 low, u32 high) {
        u32 words[4 * QUADS];
#pragma unroll
        for (u32 q = 0; q < QUADS; ++q) {
            Quad here = quad<WHERE>(rows + (low * QUADS + q) * 4);
            if (APART) {
                const Quad other = quad<WHERE>(rows + (high * QUADS + q) * 4);
#pragma unroll
                for (u32 w = 0; w < 4; ++w) here.word[w] = Narrow::merged(here.word[w], other.word[w]);
            }
#pragma unroll
            for (u32 w = 0; w < 4; ++w) words[4 * q + w] = here.word[w];
        }
        u32 before = words[0];
#pragma unroll
        for (u32 i = 0; i < M; ++i) ends[i] = before = Narrow::later(before, ends[i], words[2 + i]);
        sums.add(before, words[1]);
    }
};

// Completion times in shared memory, for any number of machines; rows through the read-only path.
template <class TIME>
struct Memory {
    typedef TIME T;
    typedef typename TIME::Word Word;
    Sums<TIME> sums;
    const Word* rows;
    u32 from;

    __device__ __forceinline__ Word* ends() { return (Word*)shared_memory + threadIdx.x; }

    __device__ __forceinline__ void open(const Task&, const Word* all, u32) {
        rows = all;
        from = 0;
    }

    __device__ __forceinline__ void begin(const Task& task, const Word* head) {
        for (u32 i = 0; i < task.machines; ++i) ends()[i * blockDim.x] = head[i];
    }

    template <bool APART>
    __device__ __forceinline__ void go(const Task& task, u32 low, u32 high) {
        const Word *here = rows + (u64)low * task.width, *other = rows + (u64)high * task.width;
        const auto word = [&](u32 w) { return APART ? T::merged(T::read(here + w), T::read(other + w)) : T::read(here + w); };
        Word before = word(0);
        for (u32 i = 0; i < task.machines; ++i) {
            before = T::later(before, ends()[i * blockDim.x], word(2 + i));
            ends()[i * blockDim.x] = before;
        }
        sums.add(before, word(1));
    }
};

// Two neighbours of a thread.
struct Neighbours {
    bool there[2];
    u32 number[2], values[2][4], point[2][4];
    // Positions of the jobs that are moved; both the same where one is.
    u32 moved[2][2];
};

__device__ __forceinline__ bool covers(const u32* p, const u32* q) {
    return p[0] <= q[0] && p[1] <= q[1] && p[2] <= q[2] && p[3] <= q[3];
}

__device__ __forceinline__ bool equal(const u32* p, const u32* q) {
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && p[3] == q[3];
}

// Computes two neighbours. All threads of a block take part.
template <class L>
__device__ __forceinline__ void evaluate(
    const Task& task, const u32* tasks, const typename L::T::Word* rows, const typename L::T::Word* heads, const u32* sums,
    Neighbours& found) {
    typedef typename L::T T;
    const u32 n = task.jobs, block = task.first + blockIdx.x, warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const u32 warp = block * warps + threadIdx.x / 32;
    const u64 member = blockIdx.y;
    L lanes;
    // Warps that begin early come first, so that rows before the first one of a block are not needed.
    lanes.open(task, rows + member * 2 * n * task.width, tasks[block * warps] & 0xffffu);
    // Warps beyond the last do what it does, and nobody is there.
    const u32 own = tasks[min(warp, task.warps - 1)], a = own & 0xffffu, first = own >> 16;
    const u32 exchange = task.exchange, span = exchange != 0 ? 64 : 32;
    const u32 low = exchange != 0 ? first + 2 * lane : first + lane, high = exchange != 0 ? low + 1 : low;
    found.there[0] = warp < task.warps && low < n;
    found.there[1] = warp < task.warps && high < n;
    const u32 x = min(low, n - 1), y = min(high, n - 1);
    lanes.begin(task, heads + (member * n + a) * task.machines);
    const u32* const before = sums + (member * n + a) * 4;
    lanes.sums = {T::of(0, 0), T::of(before[2], before[2]), {before[0], before[0]}, {before[1], before[1]}};
    // Rows of positions, and mixed rows, by their numbers.
    const u32 from = lanes.from, plain = 0 - from, mixed = n - 2 * from;
    lanes.template go<true>(task, x + plain, (exchange != 0 ? y : a + 1) + plain);
    const u32 common = exchange != 0 ? plain : mixed;
#pragma unroll 2
    for (u32 k = a + 1; k < first; ++k) lanes.template go<false>(task, k + common, 0);
    const u32 end = min(first + span, n);
#pragma unroll 1
    for (u32 k = first; k < end; ++k) {
        const u32 one = exchange != 0 ? (k == x ? a : k) : k - (k <= x);
        const u32 other = exchange != 0 ? (k == y ? a : k) : k < y ? k + 1 : k == y ? a : k;
        lanes.template go<true>(task, one + plain, other + plain);
    }
#pragma unroll 2
    for (u32 k = end; k < n; ++k) lanes.template go<false>(task, k + plain, 0);
    const Sums<T>& all = lanes.sums;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        u32* const values = found.values[half];
        values[0] = half == 0 ? T::low(all.done) : T::high(all.done);
        values[1] = all.flow[half];
        values[2] = all.late[half];
        values[3] = half == 0 ? T::low(all.tardy) : T::high(all.tardy);
#pragma unroll
        for (u32 axis = 0; axis < 4; ++axis) {
            const u32 which = task.select >> 8 * axis & 0xff;
            found.point[half][axis] = which == 0   ? values[0]
                                      : which == 1 ? values[1]
                                      : which == 2 ? values[2]
                                      : which == 3 ? values[3]
                                                   : 0;
        }
    }
    // As `search/mapping.rs` numbers them.
    found.number[0] = exchange != 0 ? a * (n - 1) + (x - 1) - a * (a + 1) / 2 : x * (n - 1) + a;
    found.number[1] = exchange != 0 ? a * (n - 1) + (y - 1) - a * (a + 1) / 2 : a * (n - 1) + (x - 1);
    found.moved[0][0] = x;
    found.moved[0][1] = exchange != 0 ? a : x;
    found.moved[1][0] = a;
    found.moved[1][1] = exchange != 0 ? y : a;
}

// How many bits are set before this thread's in the words of a block: `masks` has one for every 32 threads, and this thread's is `own`.
__device__ __forceinline__ u32 rank(const u32* masks, u32 own, u32 lane) {
    u32 before = __popc(masks[own] & ((1u << lane) - 1));
    for (u32 word = 0; word < own; ++word) before += __popc(masks[word]);
    return before;
}

// Adds to the list of the member what may enter the archive, as far as its nearest points say, and no other neighbour of the block covers. In
// which order blocks come is not known, and makes no difference: what is left in the end is put in order by its numbers.
//
// Shared memory: the nearest points; for every 32 neighbours a word; for each neighbour a flag, a candidate.
ONCE void sift_block(
    const Task& task, const u32* member, const u32* nearest, const Neighbours& found, u32* candidates, u32* counts) {
    const u32 warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, words = 2 * warps;
    Quad* const near = (Quad*)shared_memory;
    u32 *const masks = shared_memory + 4 * NEAREST, *const kept = masks + words, *const all = kept + 2 * blockDim.x;
    const u32 current[4] = {member[0], member[1], member[2], member[3]};
    bool enters[2];
    // Nobody reads rows any more.
    __syncthreads();
    for (u32 one = threadIdx.x; one < NEAREST; one += blockDim.x) near[one] = ((const Quad*)nearest)[one];
    __syncthreads();
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32* const point = found.point[half];
        const bool admitted = task.dominating != 0 ? covers(point, current) && !equal(point, current) : !covers(current, point);
        enters[half] = found.there[half] && admitted;
    }
    // Most neighbours fall here, still in registers.
    for (u32 first = 0; first < NEAREST && __any_sync(FULL_WARP, enters[0] || enters[1]); first += 8) {
#pragma unroll
        for (u32 one = 0; one < 8; ++one) {
            const Quad by = near[first + one];
            enters[0] = enters[0] && !covers(by.word, found.point[0]);
            enters[1] = enters[1] && !covers(by.word, found.point[1]);
        }
    }
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 mask = __ballot_sync(FULL_WARP, enters[half]);
        if (lane == 0) masks[half * warps + warp] = mask;
    }
    __syncthreads();
    u32 total = 0;
    for (u32 word = 0; word < words; ++word) total += __popc(masks[word]);
    // The same in all threads.
    if (total == 0) return;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!enters[half]) continue;
        u32* const at = all + rank(masks, half * warps + warp, lane) * CANDIDATE;
#pragma unroll
        for (u32 axis = 0; axis < 4; ++axis) at[axis] = found.point[half][axis];
        at[4] = found.number[half];
    }
    __syncthreads();
    for (u32 one = warp; one < total; one += warps) {
        const u32* const own = all + one * CANDIDATE;
        bool covered = false;
        for (u32 other = lane; other < total; other += 32) {
            const u32* const by = all + other * CANDIDATE;
            // Of equal ones the first stays.
            covered |= covers(by, own) && (by[4] < own[4] || !equal(by, own));
        }
        covered = __any_sync(FULL_WARP, covered);
        if (lane == 0) kept[one] = !covered;
    }
    __syncthreads();
    bool stays[2];
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 one = half * blockDim.x + threadIdx.x;
        stays[half] = one < total && kept[one] != 0;
        const u32 mask = __ballot_sync(FULL_WARP, stays[half]);
        if (lane == 0) masks[half * warps + warp] = mask;
    }
    __shared__ u32 begin;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 count = 0;
        for (u32 word = 0; word < words; ++word) count += __popc(masks[word]);
        begin = atomicAdd(counts + blockIdx.y, count);
    }
    __syncthreads();
    u32* const points = candidates + (u64)blockIdx.y * task.room * CANDIDATE;
    u32* const numbers = points + (u64)task.room * 4;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!stays[half]) continue;
        const u32* const own = all + (half * blockDim.x + threadIdx.x) * CANDIDATE;
        const u32 to = begin + rank(masks, half * warps + warp, lane);
        ((Quad*)points)[to] = {own[0], own[1], own[2], own[3]};
        numbers[to] = own[4];
    }
}

// A neighbour by its weighted sum; NONE where there is none.
struct Choice {
    u64 sum;
    u32 number, values[4];

    __device__ __forceinline__ void clear() {
        sum = ~0ull;
        number = NONE;
        values[0] = values[1] = values[2] = values[3] = 0;
    }

    __device__ __forceinline__ void read(const u32* from) {
        sum = from[0] | (u64)from[1] << 32;
        number = from[2];
        for (u32 k = 0; k < 4; ++k) values[k] = from[3 + k];
    }

    // The least sum of the lanes of a warp, of equal ones the least number; the lane that has it writes it.
    __device__ __forceinline__ void least(u32* to) const {
        const u64 lowest = group_minimum<32>(sum);
        const u32 first = group_minimum<32>(sum == lowest ? number : NONE);
        // Where nobody has one, all lanes hold the same.
        if (threadIdx.x % 32 != first_of_group<32>(sum == lowest && number == first)) return;
        to[0] = (u32)sum;
        to[1] = (u32)(sum >> 32);
        to[2] = number;
        for (u32 k = 0; k < 4; ++k) to[3 + k] = values[k];
        to[7] = 0;
    }
};

// The best neighbour of a block that may be gone to, and the best of all.
ONCE void choose_block(const Task& task, const u32* member, const Neighbours& found, u32* choices) {
    const u32 warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const u32* const order = member + HEADER;
    const u64 best = member[8] | (u64)member[9] << 32;
    Choice chosen[2];
    chosen[0].clear();
    chosen[1].clear();
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        if (!found.there[half]) continue;
        u64 sum = 0;
        for (u32 k = 0; k < 4; ++k) sum += (member[2 * k] | (u64)member[2 * k + 1] << 32) * found.values[half][k];
        const bool stays = ((order[found.moved[half][0]] | order[found.moved[half][1]]) & STAYS) != 0;
        const bool allowed = !stays || (task.aspiration != 0 && sum < best);
        const u32 number = found.number[half];
#pragma unroll
        for (u32 kind = 0; kind < 2; ++kind) {
            Choice& now = chosen[kind];
            if (kind == 0 && !allowed) continue;
            if (now.number == NONE || sum < now.sum || (sum == now.sum && number < now.number)) {
                now.sum = sum;
                now.number = number;
                for (u32 k = 0; k < 4; ++k) now.values[k] = found.values[half][k];
            }
        }
    }
    // Nobody reads rows any more.
    __syncthreads();
#pragma unroll
    for (u32 kind = 0; kind < 2; ++kind) chosen[kind].least(shared_memory + (kind * warps + warp) * CHOICE);
    __syncthreads();
    if (warp > 1) return;
    // One warp for each kind; a block of one warp does both.
    const u64 segment = (u64)blockIdx.y * task.segments + task.first + blockIdx.x;
    for (u32 kind = warp; kind < 2; kind += warps) {
        Choice here;
        here.clear();
        if (lane < warps) here.read(shared_memory + (kind * warps + lane) * CHOICE);
        here.least(choices + (segment * 2 + kind) * CHOICE);
    }
}

template <class L>
__device__ __forceinline__ void explore(
    const Task& task, const u32* tasks, const u32* input, const typename L::T::Word* rows, const typename L::T::Word* heads,
    const u32* sums, const u32* nearest, u32* out, u32* counts) {
    Neighbours found;
    evaluate<L>(task, tasks, rows, heads, sums, found);
    const u32* const member = input + (u64)blockIdx.y * (HEADER + task.jobs);
    if (task.mode == SIFTED) {
        sift_block(task, member, nearest + (u64)blockIdx.y * 4 * NEAREST, found, out, counts);
    } else if (task.mode == BEST) {
        choose_block(task, member, found, out);
    } else {
        const u64 size = (u64)task.jobs * (task.jobs - 1) / (task.exchange != 0 ? 2 : 1);
        for (u32 half = 0; half < 2; ++half) {
            if (!found.there[half]) continue;
            Quad values;
            for (u32 k = 0; k < 4; ++k) values.word[k] = found.values[half][k];
            ((Quad*)out)[blockIdx.y * size + found.number[half]] = values;
        }
    }
}

#define EXPLORE(NAME, WORD, ...)                                                                                          \
    extern "C" __global__ void __launch_bounds__(512) NAME(                                                               \
        Task task, const u32* tasks, const u32* input, WORD* rows, WORD* heads, u32* sums, const u32* nearest, u32* out,   \
        u32* counts) {                                                                                                    \
        explore<__VA_ARGS__>(task, tasks, input, rows, heads, sums, nearest, out, counts);                                \
    }

// Up to 5, 10 and 20 machines, with rows in each kind of memory.
EXPLORE(explore_5_shared, u32, Registers<5, SHARED>)
EXPLORE(explore_10_shared, u32, Registers<10, SHARED>)
EXPLORE(explore_20_shared, u32, Registers<20, SHARED>)
EXPLORE(explore_5_global, u32, Registers<5, GLOBAL>)
EXPLORE(explore_10_global, u32, Registers<10, GLOBAL>)
EXPLORE(explore_20_global, u32, Registers<20, GLOBAL>)
EXPLORE(explore_5_read_only, u32, Registers<5, READ_ONLY>)
EXPLORE(explore_10_read_only, u32, Registers<10, READ_ONLY>)
EXPLORE(explore_20_read_only, u32, Registers<20, READ_ONLY>)
// Any number of machines, with times of 16 and of 32 bits.
EXPLORE(explore_any, u32, Memory<Narrow>)
EXPLORE(explore_any_wide, Two, Memory<Wide>)

// Positions whose words are read before they are needed.
#define AHEAD 8u

// What a lane needs of the job in a position: its time on the lane's machine, its release date and its due date.
struct Entry {
    u32 time, release, due;
};

// Completion times and sums of every prefix of an order, by one warp: machine i computes position k in step i + k, 32 machines at a time.
template <class T>
__device__ __forceinline__ void prefixes(
    const Task& task, const u32* order, const u32* times, typename T::Word* heads, u32* sums) {
    const u32 n = task.jobs, lane = threadIdx.x % 32;
    for (u32 least = 0; least < task.machines; least += 32) {
        const u32 machine = least + lane;
        const bool there = machine < task.machines;
        const auto entry = [&](u32 k) {
            Entry found = {0, 0, 0};
            if (there && k < n) {
                const u32* const row = times + (u64)(order[k] & ~STAYS) * task.width;
                found = {row[2 + machine], row[0], row[1]};
            }
            return found;
        };
        Entry next[AHEAD];
#pragma unroll
        for (u32 u = 0; u < AHEAD; ++u) next[u] = entry(u - lane);
        u32 done = 0, flow = 0, late = 0, tardy = 0;
        for (u32 step = 0; step < n + 31; step += AHEAD) {
            Entry now[AHEAD];
#pragma unroll
            for (u32 u = 0; u < AHEAD; ++u) {
                now[u] = next[u];
                next[u] = entry(step + AHEAD + u - lane);
            }
#pragma unroll
            for (u32 u = 0; u < AHEAD; ++u) {
                u32 ready = __shfl_up_sync(FULL_WARP, done, 1);
                // Lanes that have not begun wrap around.
                const u32 k = step + u - lane;
                if (!there || k >= n) continue;
                heads[(u64)k * task.machines + machine] = T::of(done, done);
                if (machine + 1 == task.machines) {
                    sums[k * 4] = flow;
                    sums[k * 4 + 1] = late;
                    sums[k * 4 + 2] = tardy;
                    sums[k * 4 + 3] = 0;
                }
                // The last prefix leaves out the last job.
                if (k + 1 >= n) continue;
                if (lane == 0) ready = least == 0 ? now[u].release : T::low(heads[(u64)(k + 1) * task.machines + least - 1]);
                done = max(ready, done) + now[u].time;
                flow += done;
                late += max(done, now[u].due) - now[u].due;
                tardy += done > now[u].due;
            }
        }
        // What the last lane has written the first one reads.
        __syncwarp();
    }
}

// Warps of a block that sets out.
#define SETTERS 8u

// How much a point of the archive is worse than that of a member where it is worst, or how little better: the less, the more of the member's
// neighbours it is likely to cover.
__device__ __forceinline__ float excess(const u32* point, const u32* of) {
    float most = -1.0f;
#pragma unroll
    for (u32 axis = 0; axis < 4; ++axis) most = max(most, ((float)point[axis] - (float)of[axis]) / ((float)of[axis] + 1.0f));
    return most;
}

// Points of the archive. The last block may not have taken over yet what has come: that is read where it came from.
struct Archived {
    const u32 *points, *news;
    u32 old;

    __device__ __forceinline__ const u32* at(u32 number) const {
        return number < old ? points + (u64)number * 4 : news + (u64)(number - old) * 4;
    }
};

// Points of the archive near a member, by all warps but the first: lane x has the nearest of those whose numbers are x modulo 32.
__device__ __forceinline__ void look_around(
    const Task& task, const u32* own, const Archived& archived, float* distances, u32* found) {
    const u32 of[4] = {own[0], own[1], own[2], own[3]};
    float least = 1e30f;
    u32 best = NONE;
    for (u32 number = threadIdx.x - 32; number < task.known; number += (SETTERS - 1) * 32) {
        const float distance = excess(archived.at(number), of);
        if (distance < least) {
            least = distance;
            best = number;
        }
    }
    distances[threadIdx.x - 32] = least;
    found[threadIdx.x - 32] = best;
}

// For each member a block: rows of all positions, mixed rows, what is known of the prefixes, the nearest points of the archive, and an empty
// list. One more block takes over what has come to the archive.
template <class T>
__device__ __forceinline__ void set_out(
    const Task& task, const u32* times, const u32* input, typename T::Word* rows, typename T::Word* heads, u32* sums,
    u32* points, u32* nearest, u32* counts, u32* out) {
    const u32 n = task.jobs, width = task.width;
    const u64 member = blockIdx.x;
    const u32* const news = input + (u64)(gridDim.x - 1) * (HEADER + n);
    if (member + 1 == gridDim.x) {
        u32* const to = points + (u64)(task.known - task.news) * 4;
        for (u32 word = threadIdx.x; word < task.news * 4; word += blockDim.x) to[word] = news[word];
        if (threadIdx.x == 0) out[0] = 0;
        return;
    }
    __shared__ float distances[(SETTERS - 1) * 32];
    __shared__ u32 found[(SETTERS - 1) * 32];
    const Archived archived = {points, news, task.known - task.news};
    u32* const order = shared_memory;
    const u32* const own = input + member * (HEADER + n);
    for (u32 k = threadIdx.x; k < n; k += blockDim.x) order[k] = own[HEADER + k];
    if (threadIdx.x == 0) counts[member] = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        prefixes<T>(task, order, times, heads + member * n * task.machines, sums + member * n * 4);
    } else {
        typename T::Word* const to = rows + member * 2 * n * width;
#pragma unroll 4
        for (u32 at = threadIdx.x - 32; at < n * width; at += blockDim.x - 32) {
            const u32 k = at / width, word = at % width;
            const auto of = [&](u32 position) { return times[(u64)(order[position] & ~STAYS) * width + word]; };
            const u32 here = of(k);
            to[at] = T::of(here, here);
            to[(u64)n * width + at] = T::of(of(k > 0 ? k - 1 : 0), of(min(k + 1, n - 1)));
        }
        if (task.mode == SIFTED) look_around(task, own, archived, distances, found);
    }
    if (task.mode != SIFTED) return;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    u32 best = threadIdx.x;
    for (u32 other = best + 32; other < (SETTERS - 1) * 32; other += 32) {
        if (distances[other] < distances[best]) best = other;
    }
    // Where there is none, a point that covers nothing.
    Quad point = {NONE, NONE, NONE, NONE};
    if (found[best] != NONE) {
        const u32* const at = archived.at(found[best]);
        point = {at[0], at[1], at[2], at[3]};
    }
    ((Quad*)nearest)[member * NEAREST + threadIdx.x] = point;
}

extern "C" __global__ void __launch_bounds__(32 * SETTERS) prepare(
    Task task, const u32* times, const u32* input, u32* rows, u32* heads, u32* sums, u32* points, u32* nearest, u32* counts,
    u32* out) {
    set_out<Narrow>(task, times, input, rows, heads, sums, points, nearest, counts, out);
}

extern "C" __global__ void __launch_bounds__(32 * SETTERS) prepare_wide(
    Task task, const u32* times, const u32* input, Two* rows, Two* heads, u32* sums, u32* points, u32* nearest, u32* counts,
    u32* out) {
    set_out<Wide>(task, times, input, rows, heads, sums, points, nearest, counts, out);
}

// Warps of a block of `sift`, and points that its lanes read before they ask whether one of them covers.
#define SIFTERS 8u
#define AT_ONCE 4u

// Whether one of many points covers a candidate: the lanes of a warp have one each. Where `numbers` are given, they are other
// candidates, of which the first stays among equal ones.
__device__ __forceinline__ bool falls(const Quad* points, const u32* numbers, u32 count, const Quad& own, u32 number) {
    const u32 lane = threadIdx.x % 32;
    for (u32 first = 0; first < count; first += 32 * AT_ONCE) {
        bool covered = false;
#pragma unroll
        for (u32 one = 0; one < AT_ONCE; ++one) {
            const u32 other = first + one * 32 + lane;
            if (other >= count) continue;
            const Quad by = points[other];
            covered |= covers(by.word, own.word) && (numbers == nullptr || numbers[other] < number || !equal(by.word, own.word));
        }
        if (__any_sync(FULL_WARP, covered)) return true;
    }
    return false;
}

// Leaves what neither the archive nor another neighbour of the same order covers: a warp for each candidate. How many are left stands before
// them; they come in any order.
extern "C" __global__ void __launch_bounds__(32 * SIFTERS) sift(
    Task task, const u32* points, const u32* candidates, const u32* counts, u32* out) {
    const u32 lane = threadIdx.x % 32, count = counts[blockIdx.y];
    const u32* const list = candidates + (u64)blockIdx.y * task.room * CANDIDATE;
    const u32* const numbers = list + (u64)task.room * 4;
    for (u32 one = blockIdx.x * SIFTERS + threadIdx.x / 32; one < count; one += gridDim.x * SIFTERS) {
        const Quad own = ((const Quad*)list)[one];
        const u32 number = numbers[one];
        // What another candidate covers that falls itself falls, too.
        if (falls((const Quad*)points, nullptr, task.known, own, number)) continue;
        if (falls((const Quad*)list, numbers, count, own, number)) continue;
        if (lane != 0) continue;
        u32* const to = out + 1 + (u64)atomicAdd(out, 1u) * LEFT;
        to[0] = blockIdx.y;
        to[1] = number;
        for (u32 axis = 0; axis < 4; ++axis) to[2 + axis] = own.word[axis];
    }
}

// The best neighbour that may be gone to of every member, or the best of all where none may: a warp for a member.
extern "C" __global__ void __launch_bounds__(32) choose(Task task, const u32* choices, u32* out) {
    const u32 lane = threadIdx.x;
    Choice best[2];
#pragma unroll
    for (u32 kind = 0; kind < 2; ++kind) {
        best[kind].clear();
        for (u32 segment = lane; segment < task.segments; segment += 32) {
            Choice here;
            here.read(choices + (((u64)blockIdx.x * task.segments + segment) * 2 + kind) * CHOICE);
            const Choice& now = best[kind];
            if (here.sum < now.sum || (here.sum == now.sum && here.number < now.number)) best[kind] = here;
        }
    }
    const bool allowed = __any_sync(FULL_WARP, best[0].number != NONE);
    best[allowed ? 0 : 1].least(out + (u64)blockIdx.x * CHOICE);
}
