//! Structs and constants that Rust and the CUDA sources both declare.
//!
//! The emulator compiles each module with a `static_assert` for every size, offset and constant of `gridwright_kernels::structs`.

use std::path::Path;

use gridwright_kernels::Module;

use super::cuda_emulator::{Change, Changed, CudaEmulator, EmulatorConfig};

fn start(module: Module, change: Option<Change>) -> Result<CudaEmulator, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let config = EmulatorConfig { changed: change.map(Changed::Text), ..EmulatorConfig::default() };
    CudaEmulator::start(&sources, Path::new(env!("CARGO_TARGET_TMPDIR")), module, config)
}

#[test]
fn every_module_declares_its_structs_as_rust_does() {
    for module in Module::ALL {
        start(module, None).unwrap();
    }
}

/// A moved field, an added field and another constant do not compile.
#[test]
fn a_struct_or_constant_that_differs_is_detected() {
    let changes = [
        (Module::Systolic, ("u32 bits, rows;", "u32 rows, bits;"), "Shape.bits"),
        (Module::Facility, ("double least, most;", "double least, most, other;"), "size of Bounds"),
        (Module::Annealing, ("#define TEMPERATURE_LEVELS 16u", "#define TEMPERATURE_LEVELS 17u"), "TEMPERATURE_LEVELS"),
    ];
    for (module, change, expected) in changes {
        let error = start(module, Some(change)).unwrap_err();
        assert!(error.contains("static assertion failed") && error.contains(expected), "{error}");
    }
}
