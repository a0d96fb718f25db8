//! The embedded PTX is compiled from the present CUDA sources: its first line holds their hash.
//!
//! CI also recompiles the PTX and compares bytes (`kernels/make_ptx.py --check`); these tests need no compiler.

use std::path::{Path, PathBuf};

use gridwright_kernels::Module;
use gridwright_kernels::ptx::{SHIPPED, included_sources};
use sha2::{Digest, Sha256};

fn kernels() -> PathBuf {
    gridwright_tests::workspace().join("kernels")
}

/// SHA-256 over name, length and content of a module's source and of the headers that it includes, as `make_ptx.py` computes it.
fn source_hash(module: Module) -> String {
    let mut hasher = Sha256::new();
    for path in included_sources(&kernels().join("cuda"), module).unwrap() {
        let content = std::fs::read(&path).unwrap();
        hasher.update(format!("{} {}\n", path.file_name().unwrap().to_string_lossy(), content.len()));
        hasher.update(content);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_ptx_is_made_from_the_sources_beside_it() {
    for ptx in SHIPPED {
        let (major, minor) = ptx.compute_capability;
        let expected = format!(
            "sources sha256:{}, nvrtc 12.0.140, compute_{major}{minor} --std=c++17 --fmad=false",
            source_hash(ptx.module)
        );
        assert_eq!(ptx.origin(), expected, "{}.cu has changed: run kernels/make_ptx.py", ptx.module.name());
    }
}

#[test]
fn every_kernel_source_ships() {
    let sources = std::fs::read_dir(kernels().join("cuda")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = sources
        .filter(|path| path.extension().is_some_and(|ending| ending == "cu"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut shipped: Vec<&str> = Module::ALL.iter().map(|module| module.name()).collect();
    shipped.sort_unstable();
    assert_eq!(names, shipped);
}

/// NVRTC has no system headers, and the emulator replaces them.
#[test]
fn kernels_include_their_own_headers_only() {
    for entry in std::fs::read_dir(kernels().join("cuda")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("#include <") && !text.contains("use_fast_math"));
    }
}

/// Reports modules that have changed since they were last verified on a device. The test does not fail for them, since a change is made before
/// it can be verified; it fails if `verified.ron` names no sources at all.
#[test]
fn the_kernels_that_ran_on_a_device_are_known() {
    let path: &Path = &kernels().join("verified.ron");
    let verified = std::fs::read_to_string(path).unwrap();
    assert!(verified.contains("annealing.cu") && verified.contains("device: "), "{verified}");
    for module in Module::ALL {
        let hash = source_hash(module);
        if verified.contains(&hash) {
            println!("{}: verified on a device, see {}", module.name(), path.display());
        } else {
            println!("{}: changed since it last ran on a device (kernels/verify-on-gpu.sh)", module.name());
        }
    }
}
