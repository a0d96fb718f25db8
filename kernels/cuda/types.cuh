// Integer types of the kernels. No kernel includes a system header, so NVRTC needs none.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

// Mask of all lanes. Kernels let no lane return before the last warp-level operation.
#define FULL_WARP 0xffffffffu
