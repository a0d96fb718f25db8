// CUDA emulator: runs unmodified .cu files on the CPU, one fiber per CUDA thread.
#pragma once

#include "builtins.hpp"
#include "launches.hpp"
