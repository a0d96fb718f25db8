// Commands of the CUDA emulator: buffers, transfers and kernel launches, read from the standard input (see `serve`).
//
// Every launch is checked against the kernel's signature: number and size of the arguments, addresses and values. Reserved memory is filled with
// a pattern; under AddressSanitizer every buffer has red zones.
#pragma once

#include <tuple>
#include <type_traits>
#include <unordered_map>

#include "scheduler.hpp"

namespace cuda_emulator {

// An argument of a launch; `address` is true if the bytes are the address of a buffer.
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

}  // namespace cuda_emulator
