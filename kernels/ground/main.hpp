// The end of a test program: the generated file includes ground.hpp, a .cu file and this, and defines KERNELS as a list of
// KERNEL(name).
#pragma once

__attribute__((aligned(16))) thread_local u32 shared_memory[ground::SHARED_BYTES / sizeof(u32)];

unsigned char* ground::shared_bytes() {
    return reinterpret_cast<unsigned char*>(shared_memory);
}

#define KERNEL(name) {#name, &ground::Entry<&name>::launch},

int main(int count, char** words) {
    return ground::serve(count, words, {KERNELS});
}
