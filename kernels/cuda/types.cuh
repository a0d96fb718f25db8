// Names for the integer types of the kernels. No system header is included anywhere, so that NVRTC needs none.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

// Every warp takes part in every exchange: kernels let no thread return early.
#define FULL_WARP 0xffffffffu
