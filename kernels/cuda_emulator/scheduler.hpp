// Scheduler of the CUDA emulator: runs the threads of a block as fibers on one CPU thread.
//
// Threads are resumed in a chosen order and run until they reach __syncthreads, a warp-level operation or their end, so a kernel with a missing
// barrier gives a different result in some order. Orders: "ascending", "descending", "shuffled" (a new permutation for every round), and
// "eager" (each warp runs as far as it can before the next one). The program ends with a message where lanes wait for lanes that have ended, or
// meet in different operations. Shared memory is filled with a pattern before each block; under AddressSanitizer it ends in a red zone.
#pragma once

#include <math.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)0)
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
// One block runs at a time; both `extern __shared__` and `__shared__` inside a function are legal C++ this way.
#define __shared__ thread_local

struct dim3 {
    unsigned x, y, z;
};

namespace cuda_emulator {

[[noreturn]] inline void fail(const std::string& what) {
    std::fflush(stdout);
    std::fprintf(stderr, "CUDA emulator: %s\n", what.c_str());
    std::_Exit(3);
}

// Number of the change of the kernels that counts, from the environment; -1 for none.
inline int chosen_change() {
    static const int number = [] {
        const char* text = std::getenv("EMULATOR_CHANGE");
        return text ? std::atoi(text) : -1;
    }();
    return number;
}

constexpr size_t STACK_BYTES = 96 * 1024;
constexpr size_t SHARED_BYTES = 228 * 1024;
constexpr unsigned char PATTERN = 0xA5;

enum class State { Ready, AtBarrier, InWarp, Ended };

// A CUDA thread, run as a fiber with a stack of its own.
struct Fiber {
    std::vector<char> stack;
    void* stack_pointer = nullptr;
#if !defined(__x86_64__)
    ucontext_t context;
#endif
    State state = State::Ended;
    dim3 index = {0, 0, 0};
    unsigned mask = 0;
    const char* operation = "";
    uint64_t offered = 0;
    uint64_t seen[32] = {};
};

struct Scheduler {
    std::vector<Fiber> fibers;
    size_t count = 0;
    size_t running = 0;
    void* own_stack_pointer = nullptr;
#if !defined(__x86_64__)
    ucontext_t context;
#endif
    dim3 grid = {1, 1, 1}, block = {1, 1, 1}, block_index = {0, 0, 0};
    std::string kernel, order = "ascending";
    uint64_t random = 1;
    void (*body)(void*) = nullptr;
    void* body_data = nullptr;
    const void* bottom = nullptr;
    size_t bottom_size = 0;
};

inline Scheduler& scheduler() {
    static Scheduler the;
    return the;
}

#if defined(__x86_64__)
extern "C" void cuda_emulator_switch(void** from, void* to);
asm(R"(
.text
.globl cuda_emulator_switch
cuda_emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
#endif

// Switches from the running fiber back to the scheduler; `ends` is true for the last switch of a fiber.
inline void yield(bool ends) {
    Scheduler& s = scheduler();
    Fiber& fiber = s.fibers[s.running];
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(ends ? nullptr : &fake, s.bottom, s.bottom_size);
#endif
#if defined(__x86_64__)
    cuda_emulator_switch(&fiber.stack_pointer, s.own_stack_pointer);
#else
    swapcontext(&fiber.context, &s.context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &s.bottom, &s.bottom_size);
#endif
    (void)ends;
}

inline void fiber_main() {
    Scheduler& s = scheduler();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &s.bottom, &s.bottom_size);
#endif
    s.body(s.body_data);
    s.fibers[s.running].state = State::Ended;
    yield(true);
    fail("a thread ran on after its end");
}

inline void resume(size_t number) {
    Scheduler& s = scheduler();
    s.running = number;
    Fiber& fiber = s.fibers[number];
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, fiber.stack.data(), fiber.stack.size());
#endif
#if defined(__x86_64__)
    cuda_emulator_switch(&s.own_stack_pointer, fiber.stack_pointer);
#else
    swapcontext(&s.context, &fiber.context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

inline void prepare(size_t number) {
    Scheduler& s = scheduler();
    Fiber& fiber = s.fibers[number];
    if (fiber.stack.empty()) fiber.stack.resize(STACK_BYTES);
    ASAN_UNPOISON_MEMORY_REGION(fiber.stack.data(), fiber.stack.size());
    fiber.state = State::Ready;
    const unsigned x = s.block.x, y = s.block.y;
    fiber.index = {unsigned(number % x), unsigned(number / x % y), unsigned(number / x / y)};
#if defined(__x86_64__)
    // Six saved registers and the address to return to; the entry expects a stack that is off by 8 from a multiple of 16.
    uintptr_t top = (reinterpret_cast<uintptr_t>(fiber.stack.data()) + STACK_BYTES) & ~uintptr_t(15);
    uint64_t* words = reinterpret_cast<uint64_t*>(top) - 2;
    words[0] = reinterpret_cast<uint64_t>(&fiber_main);
    words[1] = 0;
    for (int saved = 0; saved < 6; ++saved) *--words = 0;
    fiber.stack_pointer = words;
#else
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiber_main, 0);
#endif
}

inline Fiber& current() {
    return scheduler().fibers[scheduler().running];
}

inline std::string where(size_t number) {
    const Scheduler& s = scheduler();
    return s.kernel + ", block " + std::to_string(s.block_index.x) + ", thread " + std::to_string(number);
}

inline void barrier() {
    current().state = State::AtBarrier;
    yield(false);
}

// Waits for the lanes of `mask` in a warp-level operation; afterwards `seen` holds the value that each lane offered.
inline Fiber& meet(unsigned mask, const char* operation, uint64_t offered) {
    Fiber& fiber = current();
    if (!(mask >> scheduler().running % 32 & 1)) fail(where(scheduler().running) + ": not in its own mask");
    fiber.state = State::InWarp;
    fiber.mask = mask;
    fiber.operation = operation;
    fiber.offered = offered;
    yield(false);
    return fiber;
}

// Releases the lanes of a warp whose masks are complete; returns true if any was released.
inline bool release_warp(size_t first) {
    Scheduler& s = scheduler();
    const size_t lanes = std::min<size_t>(32, s.count - first);
    bool released = false;
    for (size_t lane = 0; lane < lanes; ++lane) {
        Fiber& waiting = s.fibers[first + lane];
        if (waiting.state != State::InWarp) continue;
        const unsigned mask = waiting.mask;
        bool complete = true;
        for (size_t other = 0; other < 32 && complete; ++other) {
            if (!(mask >> other & 1)) continue;
            if (other >= lanes || s.fibers[first + other].state == State::Ended) {
                fail(where(first + lane) + ": " + waiting.operation + " waits for a lane that has ended");
            }
            const Fiber& partner = s.fibers[first + other];
            complete = partner.state == State::InWarp;
            if (complete && (partner.mask != mask || std::strcmp(partner.operation, waiting.operation) != 0)) {
                fail(where(first + lane) + ": lanes meet in " + waiting.operation + " and " + partner.operation);
            }
        }
        if (!complete) continue;
        uint64_t offered[32] = {};
        for (size_t other = 0; other < lanes; ++other) {
            if (mask >> other & 1) offered[other] = s.fibers[first + other].offered;
        }
        for (size_t other = 0; other < lanes; ++other) {
            if (!(mask >> other & 1)) continue;
            std::memcpy(s.fibers[first + other].seen, offered, sizeof offered);
            s.fibers[first + other].state = State::Ready;
        }
        released = true;
    }
    return released;
}

// Releases warps whose masks are complete, and the block once all threads stand at the barrier; returns false when all threads have ended.
inline bool release() {
    Scheduler& s = scheduler();
    bool released = false, all_at_barrier = true, any = false;
    for (size_t first = 0; first < s.count; first += 32) released |= release_warp(first);
    for (size_t number = 0; number < s.count; ++number) {
        const State state = s.fibers[number].state;
        if (state == State::Ended) continue;
        any = true;
        all_at_barrier = all_at_barrier && state == State::AtBarrier;
    }
    if (any && all_at_barrier) {
        for (size_t number = 0; number < s.count; ++number) {
            if (s.fibers[number].state == State::AtBarrier) s.fibers[number].state = State::Ready;
        }
        released = true;
    }
    if (any && !released) {
        for (size_t number = 0; number < s.count; ++number) {
            const Fiber& fiber = s.fibers[number];
            const bool in_warp = fiber.state == State::InWarp;
            if (fiber.state != State::Ended) {
                fail(where(number) + ": waits for ever in " + (in_warp ? fiber.operation : "__syncthreads"));
            }
        }
    }
    return any;
}

// Fills `order` with the numbers 0 … n−1 in the chosen order.
inline void arrange(std::vector<size_t>& order, size_t n) {
    Scheduler& s = scheduler();
    order.resize(n);
    for (size_t i = 0; i < n; ++i) order[i] = s.order == "descending" ? n - 1 - i : i;
    if (s.order != "shuffled") return;
    for (size_t i = n; i > 1; --i) {
        s.random ^= s.random << 13;
        s.random ^= s.random >> 7;
        s.random ^= s.random << 17;
        std::swap(order[i - 1], order[s.random % i]);
    }
}

// Runs the threads of the present block until all have ended.
inline void run_block() {
    Scheduler& s = scheduler();
    for (size_t number = 0; number < s.count; ++number) prepare(number);
    std::vector<size_t> order;
    const auto run_ready = [&s](size_t number) {
        if (s.fibers[number].state == State::Ready) resume(number);
    };
    do {
        if (s.order == "eager") {
            for (size_t first = 0; first < s.count; first += 32) {
                do {
                    for (size_t number = first; number < std::min(first + 32, s.count); ++number) run_ready(number);
                } while (release_warp(first));
            }
        } else {
            arrange(order, s.count);
            for (size_t number : order) run_ready(number);
        }
    } while (release());
}

unsigned char* shared_bytes();

// Runs all blocks of a launch, one after the other, in the chosen order.
inline void run_grid(size_t shared) {
    Scheduler& s = scheduler();
    s.count = size_t(s.block.x) * s.block.y * s.block.z;
    if (s.count == 0 || s.count > 1024) fail(s.kernel + ": " + std::to_string(s.count) + " threads in a block");
    if (shared > SHARED_BYTES) fail(s.kernel + ": " + std::to_string(shared) + " bytes of shared memory");
    if (s.fibers.size() < s.count) s.fibers.resize(s.count);
    std::vector<size_t> order;
    arrange(order, size_t(s.grid.x) * s.grid.y * s.grid.z);
    for (size_t number : order) {
        const size_t x = s.grid.x, y = s.grid.y;
        s.block_index = {unsigned(number % x), unsigned(number / x % y), unsigned(number / x / y)};
        ASAN_UNPOISON_MEMORY_REGION(shared_bytes(), SHARED_BYTES);
        std::memset(shared_bytes(), PATTERN, shared);
        ASAN_POISON_MEMORY_REGION(shared_bytes() + shared, SHARED_BYTES - shared);
        run_block();
    }
    ASAN_UNPOISON_MEMORY_REGION(shared_bytes(), SHARED_BYTES);
}

}  // namespace cuda_emulator
