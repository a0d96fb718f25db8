// A test ground for kernels: runs unmodified .cu files on the CPU, one fibre per CUDA thread.
//
// Threads are resumed in a chosen order and run until they meet: at __syncthreads, at an exchange within a warp, or at
// their end. A kernel whose result depends on who runs first, because a barrier is missing, gives another result in
// another order. Meetings are checked: lanes that wait for lanes that have ended, or that meet in different operations,
// end the program with a message. Shared and freshly reserved memory is filled with a pattern; with AddressSanitizer
// every buffer has its own red zones, and so has the end of the dynamic shared memory.
//
// The program that includes this reads commands from its standard input (see `serve`).
#pragma once

#include <math.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
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

namespace ground {

[[noreturn]] inline void fail(const std::string& what) {
    std::fflush(stdout);
    std::fprintf(stderr, "test ground: %s\n", what.c_str());
    std::_Exit(3);
}

constexpr size_t STACK_BYTES = 96 * 1024;
constexpr size_t SHARED_BYTES = 228 * 1024;
constexpr unsigned char PATTERN = 0xA5;

enum class State { Ready, AtBarrier, InWarp, Ended };

// One CUDA thread.
struct Fibre {
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
    std::vector<Fibre> fibres;
    size_t count = 0;
    size_t running = 0;
    void* own_stack_pointer = nullptr;
#if !defined(__x86_64__)
    ucontext_t context;
#endif
    dim3 grid = {1, 1, 1}, block = {1, 1, 1}, block_index = {0, 0, 0};
    std::string kernel, order = "forward";
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
extern "C" void ground_switch(void** from, void* to);
asm(R"(
.text
.globl ground_switch
ground_switch:
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

// From the running fibre back to the scheduler.
inline void yield(bool ends) {
    Scheduler& s = scheduler();
    Fibre& fibre = s.fibres[s.running];
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(ends ? nullptr : &fake, s.bottom, s.bottom_size);
#endif
#if defined(__x86_64__)
    ground_switch(&fibre.stack_pointer, s.own_stack_pointer);
#else
    swapcontext(&fibre.context, &s.context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &s.bottom, &s.bottom_size);
#endif
    (void)ends;
}

inline void fibre_main() {
    Scheduler& s = scheduler();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &s.bottom, &s.bottom_size);
#endif
    s.body(s.body_data);
    s.fibres[s.running].state = State::Ended;
    yield(true);
    fail("a thread ran on after its end");
}

inline void resume(size_t number) {
    Scheduler& s = scheduler();
    s.running = number;
    Fibre& fibre = s.fibres[number];
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, fibre.stack.data(), fibre.stack.size());
#endif
#if defined(__x86_64__)
    ground_switch(&s.own_stack_pointer, fibre.stack_pointer);
#else
    swapcontext(&s.context, &fibre.context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

inline void prepare(size_t number) {
    Scheduler& s = scheduler();
    Fibre& fibre = s.fibres[number];
    if (fibre.stack.empty()) fibre.stack.resize(STACK_BYTES);
    ASAN_UNPOISON_MEMORY_REGION(fibre.stack.data(), fibre.stack.size());
    fibre.state = State::Ready;
    const unsigned x = s.block.x, y = s.block.y;
    fibre.index = {unsigned(number % x), unsigned(number / x % y), unsigned(number / x / y)};
#if defined(__x86_64__)
    // Six saved registers and the address to return to; the entry expects a stack that is off by 8 from a multiple of 16.
    uintptr_t top = (reinterpret_cast<uintptr_t>(fibre.stack.data()) + STACK_BYTES) & ~uintptr_t(15);
    uint64_t* words = reinterpret_cast<uint64_t*>(top) - 2;
    words[0] = reinterpret_cast<uint64_t>(&fibre_main);
    words[1] = 0;
    for (int saved = 0; saved < 6; ++saved) *--words = 0;
    fibre.stack_pointer = words;
#else
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = fibre.stack.data();
    fibre.context.uc_stack.ss_size = fibre.stack.size();
    fibre.context.uc_link = nullptr;
    makecontext(&fibre.context, fibre_main, 0);
#endif
}

inline Fibre& current() {
    return scheduler().fibres[scheduler().running];
}

inline std::string where(size_t number) {
    const Scheduler& s = scheduler();
    return s.kernel + ", block " + std::to_string(s.block_index.x) + ", thread " + std::to_string(number);
}

inline void barrier() {
    current().state = State::AtBarrier;
    yield(false);
}

// Meets the lanes of `mask`; afterwards `seen` holds what each of them offered.
inline Fibre& meet(unsigned mask, const char* operation, uint64_t offered) {
    Fibre& fibre = current();
    if (!(mask >> scheduler().running % 32 & 1)) fail(where(scheduler().running) + ": not in its own mask");
    fibre.state = State::InWarp;
    fibre.mask = mask;
    fibre.operation = operation;
    fibre.offered = offered;
    yield(false);
    return fibre;
}

// Lets the lanes of a warp go on whose masks are complete.
inline bool release_warp(size_t first) {
    Scheduler& s = scheduler();
    const size_t lanes = std::min<size_t>(32, s.count - first);
    bool released = false;
    for (size_t lane = 0; lane < lanes; ++lane) {
        Fibre& waiting = s.fibres[first + lane];
        if (waiting.state != State::InWarp) continue;
        const unsigned mask = waiting.mask;
        bool complete = true;
        for (size_t other = 0; other < 32 && complete; ++other) {
            if (!(mask >> other & 1)) continue;
            if (other >= lanes || s.fibres[first + other].state == State::Ended) {
                fail(where(first + lane) + ": " + waiting.operation + " waits for a lane that has ended");
            }
            const Fibre& partner = s.fibres[first + other];
            complete = partner.state == State::InWarp;
            if (complete && (partner.mask != mask || std::strcmp(partner.operation, waiting.operation) != 0)) {
                fail(where(first + lane) + ": lanes meet in " + waiting.operation + " and " + partner.operation);
            }
        }
        if (!complete) continue;
        uint64_t offered[32] = {};
        for (size_t other = 0; other < lanes; ++other) {
            if (mask >> other & 1) offered[other] = s.fibres[first + other].offered;
        }
        for (size_t other = 0; other < lanes; ++other) {
            if (!(mask >> other & 1)) continue;
            std::memcpy(s.fibres[first + other].seen, offered, sizeof offered);
            s.fibres[first + other].state = State::Ready;
        }
        released = true;
    }
    return released;
}

inline bool release() {
    Scheduler& s = scheduler();
    bool released = false, all_at_barrier = true, any = false;
    for (size_t first = 0; first < s.count; first += 32) released |= release_warp(first);
    for (size_t number = 0; number < s.count; ++number) {
        const State state = s.fibres[number].state;
        if (state == State::Ended) continue;
        any = true;
        all_at_barrier = all_at_barrier && state == State::AtBarrier;
    }
    if (any && all_at_barrier) {
        for (size_t number = 0; number < s.count; ++number) {
            if (s.fibres[number].state == State::AtBarrier) s.fibres[number].state = State::Ready;
        }
        released = true;
    }
    if (any && !released) {
        for (size_t number = 0; number < s.count; ++number) {
            const Fibre& fibre = s.fibres[number];
            const bool in_warp = fibre.state == State::InWarp;
            if (fibre.state != State::Ended) {
                fail(where(number) + ": waits for ever in " + (in_warp ? fibre.operation : "__syncthreads"));
            }
        }
    }
    return any;
}

// The numbers 0 … n−1 in the chosen order.
inline void arrange(std::vector<size_t>& order, size_t n) {
    Scheduler& s = scheduler();
    order.resize(n);
    for (size_t i = 0; i < n; ++i) order[i] = s.order == "backward" ? n - 1 - i : i;
    if (s.order != "shuffled") return;
    for (size_t i = n; i > 1; --i) {
        s.random ^= s.random << 13;
        s.random ^= s.random >> 7;
        s.random ^= s.random << 17;
        std::swap(order[i - 1], order[s.random % i]);
    }
}

inline void run_block() {
    Scheduler& s = scheduler();
    for (size_t number = 0; number < s.count; ++number) prepare(number);
    std::vector<size_t> order;
    const auto run_ready = [&s](size_t number) {
        if (s.fibres[number].state == State::Ready) resume(number);
    };
    do {
        if (s.order == "ahead") {
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
    if (s.fibres.size() < s.count) s.fibres.resize(s.count);
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

// An argument of a launch: bytes, and whether they are the address of a buffer.
struct Argument {
    bool address;
    std::vector<unsigned char> bytes;
};

template <typename T>
T unpack(const Argument& argument, size_t position) {
    T value;
    const std::string name = scheduler().kernel + ", argument " + std::to_string(position);
    if (argument.address != std::is_pointer<T>::value) fail(name + ": an address and a value are mixed up");
    if (argument.bytes.size() != sizeof(T)) {
        fail(name + ": " + std::to_string(argument.bytes.size()) + " bytes, the kernel takes " + std::to_string(sizeof(T)));
    }
    std::memcpy(&value, argument.bytes.data(), sizeof(T));
    return value;
}

template <typename... A, size_t... I>
void call(void (*kernel)(A...), const std::vector<Argument>& arguments, size_t shared, std::index_sequence<I...>) {
    if (arguments.size() != sizeof...(A)) {
        fail(scheduler().kernel + ": " + std::to_string(arguments.size()) + " arguments, the kernel takes " +
             std::to_string(sizeof...(A)));
    }
    struct Call {
        void (*kernel)(A...);
        std::tuple<A...> values;
    } the = {kernel, std::tuple<A...>{unpack<A>(arguments[I], I)...}};
    scheduler().body_data = &the;
    scheduler().body = [](void* data) { std::apply(static_cast<Call*>(data)->kernel, static_cast<Call*>(data)->values); };
    run_grid(shared);
}

using Launcher = void (*)(const std::vector<Argument>&, size_t);

template <auto kernel>
struct Entry;

template <typename... A, void (*kernel)(A...)>
struct Entry<kernel> {
    static void launch(const std::vector<Argument>& arguments, size_t shared) {
        call(kernel, arguments, shared, std::index_sequence_for<A...>{});
    }
};

template <typename T>
T take() {
    T value;
    if (std::fread(&value, 1, sizeof value, stdin) != sizeof value) std::_Exit(0);
    return value;
}

inline std::vector<unsigned char> take_bytes(size_t count) {
    std::vector<unsigned char> bytes(count);
    if (count > 0 && std::fread(bytes.data(), 1, count, stdin) != count) std::_Exit(0);
    return bytes;
}

// Answers commands until its input ends. Numbers are little-endian.
//     A bytes:u64                       reserves a buffer; buffers are numbered from 0
//     W buffer:u32 offset:u64 n:u64 …   writes n bytes
//     R buffer:u32 offset:u64 n:u64     answers n bytes
//     L n:u32 name grid:3×u32 block:3×u32 shared:u32 arguments:u32, each: 'b' buffer:u32 | 'v' n:u32 …
// A, W and L answer with 'k'.
inline int serve(int count, char** words, const std::unordered_map<std::string, Launcher>& kernels) {
    Scheduler& s = scheduler();
    if (count > 1) s.order = words[1];
    if (count > 2) s.random = std::strtoull(words[2], nullptr, 10) * 2 + 1;
    std::vector<std::pair<unsigned char*, size_t>> buffers;
    const auto region = [&](uint32_t number, uint64_t offset, uint64_t bytes) {
        if (number >= buffers.size() || offset + bytes > buffers[number].second) fail("a transfer beyond its buffer");
        return buffers[number].first + offset;
    };
    for (;;) {
        const char command = take<char>();
        if (command == 'A') {
            const uint64_t bytes = take<uint64_t>();
            unsigned char* const memory = static_cast<unsigned char*>(std::malloc(bytes > 0 ? bytes : 1));
            std::memset(memory, PATTERN, bytes);
            buffers.emplace_back(memory, bytes);
        } else if (command == 'W' || command == 'R') {
            const uint32_t number = take<uint32_t>();
            const uint64_t offset = take<uint64_t>(), bytes = take<uint64_t>();
            unsigned char* const at = region(number, offset, bytes);
            if (command == 'R') {
                std::fwrite(at, 1, bytes, stdout);
                std::fflush(stdout);
                continue;
            }
            const std::vector<unsigned char> content = take_bytes(bytes);
            if (bytes > 0) std::memcpy(at, content.data(), bytes);
        } else if (command == 'L') {
            const std::vector<unsigned char> name = take_bytes(take<uint32_t>());
            s.kernel.assign(name.begin(), name.end());
            s.grid.x = take<uint32_t>(), s.grid.y = take<uint32_t>(), s.grid.z = take<uint32_t>();
            s.block.x = take<uint32_t>(), s.block.y = take<uint32_t>(), s.block.z = take<uint32_t>();
            const uint32_t shared = take<uint32_t>();
            std::vector<Argument> arguments(take<uint32_t>());
            for (Argument& argument : arguments) {
                argument.address = take<char>() == 'b';
                if (argument.address) {
                    unsigned char* const address = region(take<uint32_t>(), 0, 0);
                    argument.bytes.resize(sizeof address);
                    std::memcpy(argument.bytes.data(), &address, sizeof address);
                } else {
                    argument.bytes = take_bytes(take<uint32_t>());
                }
            }
            const auto found = kernels.find(s.kernel);
            if (found == kernels.end()) fail("there is no kernel " + s.kernel);
            found->second(arguments, shared);
        } else {
            fail("unknown command");
        }
        std::fputc('k', stdout);
        std::fflush(stdout);
    }
}

}  // namespace ground

#define threadIdx (ground::current().index)
#define blockIdx (ground::scheduler().block_index)
#define blockDim (ground::scheduler().block)
#define gridDim (ground::scheduler().grid)

using std::max;
using std::min;

inline void __syncthreads() { ground::barrier(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { ground::meet(mask, "__syncwarp", 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}

namespace ground {

template <typename T>
T exchange(unsigned mask, const char* operation, T value, unsigned partner) {
    static_assert(sizeof(T) <= 8, "an exchange of at most 64 bits");
    uint64_t offered = 0;
    std::memcpy(&offered, &value, sizeof value);
    const Fibre& fibre = meet(mask, operation, offered);
    if (partner >= 32 || !(mask >> partner & 1)) fail(where(scheduler().running) + ": asks a lane outside the mask");
    std::memcpy(&value, &fibre.seen[partner], sizeof value);
    return value;
}

inline unsigned lane() { return unsigned(scheduler().running % 32); }

template <typename T, typename F>
T reduce(unsigned mask, const char* operation, T value, F combine) {
    const Fibre& fibre = meet(mask, operation, uint64_t(value));
    bool first = true;
    T result = value;
    for (unsigned other = 0; other < 32; ++other) {
        if (!(mask >> other & 1)) continue;
        result = first ? T(fibre.seen[other]) : combine(result, T(fibre.seen[other]));
        first = false;
    }
    return result;
}

}  // namespace ground

template <typename T>
T __shfl_sync(unsigned mask, T value, unsigned source, unsigned width = 32) {
    const unsigned lane = ground::lane();
    return ground::exchange(mask, "__shfl_sync", value, lane / width * width + source % width);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = ground::lane(), partner = lane ^ distance;
    return ground::exchange(mask, "__shfl_xor_sync", value, partner / width == lane / width ? partner : lane);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = ground::lane();
    return ground::exchange(mask, "__shfl_down_sync", value, lane % width + distance < width ? lane + distance : lane);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = ground::lane();
    return ground::exchange(mask, "__shfl_up_sync", value, lane % width >= distance ? lane - distance : lane);
}

inline unsigned __ballot_sync(unsigned mask, bool condition) {
    const ground::Fibre& fibre = ground::meet(mask, "__ballot_sync", condition);
    unsigned votes = 0;
    for (unsigned other = 0; other < 32; ++other) votes |= unsigned(mask >> other & 1 && fibre.seen[other] != 0) << other;
    return votes;
}
inline bool __any_sync(unsigned mask, bool condition) { return __ballot_sync(mask, condition) != 0; }
inline bool __all_sync(unsigned mask, bool condition) { return __ballot_sync(mask, condition) == mask; }
inline unsigned __match_any_sync(unsigned mask, unsigned value) {
    const ground::Fibre& fibre = ground::meet(mask, "__match_any_sync", value);
    unsigned same = 0;
    for (unsigned other = 0; other < 32; ++other) same |= unsigned(mask >> other & 1 && fibre.seen[other] == value) << other;
    return same;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return ground::reduce(mask, "__reduce_min_sync", value, [](unsigned a, unsigned b) { return std::min(a, b); });
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return ground::reduce(mask, "__reduce_max_sync", value, [](unsigned a, unsigned b) { return std::max(a, b); });
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return ground::reduce(mask, "__reduce_add_sync", value, [](unsigned a, unsigned b) { return a + b; });
}

// One fibre runs at a time, so plain operations are atomic.
template <typename T>
T atomicAdd(T* at, T value) { return std::exchange(*at, T(*at + value)); }
template <typename T>
T atomicMin(T* at, T value) { return std::exchange(*at, std::min(*at, value)); }
template <typename T>
T atomicMax(T* at, T value) { return std::exchange(*at, std::max(*at, value)); }
template <typename T>
T atomicOr(T* at, T value) { return std::exchange(*at, T(*at | value)); }
template <typename T>
T atomicXor(T* at, T value) { return std::exchange(*at, T(*at ^ value)); }
template <typename T>
T atomicExch(T* at, T value) { return std::exchange(*at, value); }
template <typename T>
T atomicCAS(T* at, T expected, T value) { return *at == expected ? std::exchange(*at, value) : *at; }

inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t(a) * b >> 32); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(unsigned value) { return __builtin_ffs(int(value)); }
inline int __clz(unsigned value) { return value == 0 ? 32 : __builtin_clz(value); }
template <typename T>
T __ldg(const T* at) { return *at; }
