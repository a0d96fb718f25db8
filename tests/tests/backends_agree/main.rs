//! Same seed, same answer: the CPU with any number of threads, the kernels on the CPU's test ground in three orders, and
//! CUDA with any block size, where there is a device.
//!
//! The test ground compiles the unmodified `.cu` files with the C++ compiler. Where there is a device, `cuda` tests run on
//! it; elsewhere they say why they did nothing.

#[path = "../../../kernels/ground/machine.rs"]
mod ground;

mod annealing;
mod evolution;
mod facility;
mod faults;
mod front;
mod front_ahead;
mod greedy;
mod makespan;
mod rivals;
mod support;
mod systolic;
