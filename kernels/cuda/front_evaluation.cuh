// Evaluation of two neighbours per thread: completion times in registers or in shared memory.
#pragma once

#include "front.cuh"

// Completion time of the last job and sums over the jobs so far, of two neighbours.
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

// Memory from which rows are read.
enum Storage { SHARED, GLOBAL, READ_ONLY };

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

// Completion times on M machines in registers; shops with fewer machines are padded with machines of processing time 0.
template <u32 M, Storage WHERE>
struct Registers {
    typedef Narrow T;
    static const u32 QUADS = (M + 5) / 4;
    u32 ends[M];
    Sums<Narrow> sums;
    const u32* rows;
    // Number of the first row in shared memory, of both kinds.
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

    // Appends a job to both neighbours: the same row, or with APART a row each.
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

// Completion times in shared memory, for any number of machines; rows are read through the read-only path.
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

// Evaluates the two neighbours of each thread; all threads of a block take part.
template <class L>
__device__ __forceinline__ void evaluate(
    const Task& task, const u32* tasks, const typename L::T::Word* rows, const typename L::T::Word* heads, const u32* sums,
    Neighbours& found) {
    typedef typename L::T T;
    const u32 n = task.jobs, block = task.first + blockIdx.x, warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const u32 warp = block * warps + threadIdx.x / 32;
    const u64 member = blockIdx.y;
    L lanes;
    // Warps are sorted by a, so rows before that of the block's first warp are not needed.
    lanes.open(task, rows + member * 2 * n * task.width, tasks[block * warps] & 0xffffu);
    // Warps beyond the last repeat its work without neighbours of their own.
    const u32 own = tasks[min(warp, task.warps - 1)], a = own & 0xffffu, first = own >> 16;
    const u32 exchange = task.exchange, span = exchange != 0 ? 64 : 32;
    const u32 low = exchange != 0 ? first + 2 * lane : first + lane, high = exchange != 0 ? low + 1 : low;
    found.there[0] = warp < task.warps && low < n;
    found.there[1] = warp < task.warps && high < n;
    const u32 x = min(low, n - 1), y = min(high, n - 1);
    lanes.begin(task, heads + (member * n + a) * task.machines);
    const u32* const before = sums + (member * n + a) * 4;
    lanes.sums = {T::of(0, 0), T::of(before[2], before[2]), {before[0], before[0]}, {before[1], before[1]}};
    // Offsets of the plain and of the mixed rows.
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
    // Numbers as in `search/mapping.rs`.
    found.number[0] = exchange != 0 ? a * (n - 1) + (x - 1) - a * (a + 1) / 2 : x * (n - 1) + a;
    found.number[1] = exchange != 0 ? a * (n - 1) + (y - 1) - a * (a + 1) / 2 : a * (n - 1) + (x - 1);
    found.moved[0][0] = x;
    found.moved[0][1] = exchange != 0 ? a : x;
    found.moved[1][0] = a;
    found.moved[1][1] = exchange != 0 ? y : a;
}
