//! Same seed, same answer: the CPU with any number of threads, the kernels in the CUDA emulator with every order of threads, and the kernels on
//! a CUDA device with every block size.
//!
//! The emulator compiles the unmodified `.cu` files with the C++ compiler. Tests whose names begin with `cuda_` need a device and are ignored
//! elsewhere; `kernels/verify-on-gpu.sh` runs them.

#[path = "../../../kernels/cuda_emulator/emulator.rs"]
mod cuda_emulator;

mod agreement;
mod annealing;
mod baselines;
mod conformance;
mod evolution;
mod facility;
mod front;
mod front_ahead;
mod greedy;
mod kernel_structs;
mod makespan;
mod seating;
mod sessions;
mod support;
mod systolic;
