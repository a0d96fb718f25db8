// CUDA's built-in variables and device functions for the emulator, as far as the kernels use them.
#pragma once

#include "scheduler.hpp"

#define threadIdx (cuda_emulator::current().index)
#define blockIdx (cuda_emulator::scheduler().block_index)
#define blockDim (cuda_emulator::scheduler().block)
#define gridDim (cuda_emulator::scheduler().grid)

using std::max;
using std::min;

inline void __syncthreads() { cuda_emulator::barrier(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { cuda_emulator::meet(mask, "__syncwarp", 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}

namespace cuda_emulator {

template <typename T>
T exchange(unsigned mask, const char* operation, T value, unsigned partner) {
    static_assert(sizeof(T) <= 8, "an exchange of at most 64 bits");
    uint64_t offered = 0;
    std::memcpy(&offered, &value, sizeof value);
    const Fiber& fiber = meet(mask, operation, offered);
    if (partner >= 32 || !(mask >> partner & 1)) fail(where(scheduler().running) + ": asks a lane outside the mask");
    std::memcpy(&value, &fiber.seen[partner], sizeof value);
    return value;
}

inline unsigned lane() { return unsigned(scheduler().running % 32); }

template <typename T, typename F>
T reduce(unsigned mask, const char* operation, T value, F combine) {
    const Fiber& fiber = meet(mask, operation, uint64_t(value));
    bool first = true;
    T result = value;
    for (unsigned other = 0; other < 32; ++other) {
        if (!(mask >> other & 1)) continue;
        result = first ? T(fiber.seen[other]) : combine(result, T(fiber.seen[other]));
        first = false;
    }
    return result;
}

}  // namespace cuda_emulator

template <typename T>
T __shfl_sync(unsigned mask, T value, unsigned source, unsigned width = 32) {
    const unsigned lane = cuda_emulator::lane();
    return cuda_emulator::exchange(mask, "__shfl_sync", value, lane / width * width + source % width);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = cuda_emulator::lane(), partner = lane ^ distance;
    return cuda_emulator::exchange(mask, "__shfl_xor_sync", value, partner / width == lane / width ? partner : lane);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = cuda_emulator::lane();
    return cuda_emulator::exchange(mask, "__shfl_down_sync", value, lane % width + distance < width ? lane + distance : lane);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, unsigned width = 32) {
    const unsigned lane = cuda_emulator::lane();
    return cuda_emulator::exchange(mask, "__shfl_up_sync", value, lane % width >= distance ? lane - distance : lane);
}

inline unsigned __ballot_sync(unsigned mask, bool condition) {
    const cuda_emulator::Fiber& fiber = cuda_emulator::meet(mask, "__ballot_sync", condition);
    unsigned votes = 0;
    for (unsigned other = 0; other < 32; ++other) votes |= unsigned(mask >> other & 1 && fiber.seen[other] != 0) << other;
    return votes;
}
inline bool __any_sync(unsigned mask, bool condition) { return __ballot_sync(mask, condition) != 0; }
inline bool __all_sync(unsigned mask, bool condition) { return __ballot_sync(mask, condition) == mask; }
inline unsigned __match_any_sync(unsigned mask, unsigned value) {
    const cuda_emulator::Fiber& fiber = cuda_emulator::meet(mask, "__match_any_sync", value);
    unsigned same = 0;
    for (unsigned other = 0; other < 32; ++other) same |= unsigned(mask >> other & 1 && fiber.seen[other] == value) << other;
    return same;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return cuda_emulator::reduce(mask, "__reduce_min_sync", value, [](unsigned a, unsigned b) { return std::min(a, b); });
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return cuda_emulator::reduce(mask, "__reduce_max_sync", value, [](unsigned a, unsigned b) { return std::max(a, b); });
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return cuda_emulator::reduce(mask, "__reduce_add_sync", value, [](unsigned a, unsigned b) { return a + b; });
}

// Only one fiber runs at a time, so plain operations are atomic.
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
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
inline int __clz(unsigned value) { return value == 0 ? 32 : __builtin_clz(value); }
template <typename T>
T __ldg(const T* at) { return *at; }
