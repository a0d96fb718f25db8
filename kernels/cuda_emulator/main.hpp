// End of an emulator program. The generated main.cpp includes emulator.hpp, a .cu file and this header, and defines KERNELS as a list of
// KERNEL(name).
#pragma once

__attribute__((aligned(16))) thread_local u32 shared_memory[cuda_emulator::SHARED_BYTES / sizeof(u32)];

unsigned char* cuda_emulator::shared_bytes() {
    return reinterpret_cast<unsigned char*>(shared_memory);
}

#define KERNEL(name) {#name, &cuda_emulator::Entry<&name>::launch},

int main(int count, char** words) {
    return cuda_emulator::serve(count, words, {KERNELS});
}
