// Minima and sums of integers over a group of G neighbouring lanes (4, 8, 16 or 32) and over a block.
#pragma once

#include "types.cuh"

// Minimum of 32-bit numbers over a group; every lane gets it.
template <u32 G>
__device__ __forceinline__ u32 group_minimum(u32 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (G == 32) {
        return __reduce_min_sync(FULL_WARP, value);
    } else
#endif
    {
#pragma unroll
        for (u32 distance = G / 2; distance > 0; distance /= 2) {
            value = min(value, __shfl_xor_sync(FULL_WARP, value, distance));
        }
        return value;
    }
}

// Minimum of 64-bit numbers over a group; every lane gets it.
template <u32 G>
__device__ __forceinline__ u64 group_minimum(u64 value) {
#pragma unroll
    for (u32 distance = G / 2; distance > 0; distance /= 2) {
        value = min(value, __shfl_xor_sync(FULL_WARP, value, distance));
    }
    return value;
}

// Sum over a group; every lane gets it.
template <u32 G, typename T>
__device__ __forceinline__ T group_sum(T value) {
#pragma unroll
    for (u32 distance = G / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(FULL_WARP, value, distance);
    }
    return value;
}

// Lowest lane of the group (counted within the group) for which the condition holds; it must hold for at least one.
template <u32 G>
__device__ __forceinline__ u32 first_of_group(bool condition) {
    const u32 votes = __ballot_sync(FULL_WARP, condition);
    const u32 base = threadIdx.x % 32 / G * G;
    const u32 own = G == 32 ? votes : votes >> base & ((1u << (G % 32)) - 1);
    return __ffs(own) - 1;
}

// Sum over a block of at most 1,024 threads; thread 0 gets it. `scratch` has room for 32 numbers.
__device__ __forceinline__ u64 block_sum(u64 value, u64* scratch) {
    value = group_sum<32>(value);
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    if (warp == 0) value = group_sum<32>(lane < blockDim.x / 32 ? scratch[lane] : 0);
    return value;
}
