//! The PTX that ships is made from the sources that stand beside it, and says so in its first line.
//!
//! CI compiles it anew and compares bytes (`kernels/make_ptx.py --check`); this needs no compiler.

use std::path::{Path, PathBuf};

use gridwright_kernels::Module;
use gridwright_kernels::ptx::SHIPPED;
use sha2::{Digest, Sha256};

fn kernels() -> PathBuf {
    gridwright_tests::workspace().join("kernels")
}

/// SHA-256 over name, length and content of a kernel source and of all headers, as `make_ptx.py` forms it.
fn source_hash(module: Module) -> String {
    let folder = kernels().join("cuda");
    let mut headers: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    headers.retain(|path| path.extension().is_some_and(|ending| ending == "cuh"));
    headers.sort();
    let mut hasher = Sha256::new();
    for path in [vec![folder.join(format!("{}.cu", module.name()))], headers].concat() {
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

/// No system header: NVRTC has none, and the test ground has its own.
#[test]
fn kernels_include_their_own_headers_only() {
    for entry in std::fs::read_dir(kernels().join("cuda")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("#include <") && !text.contains("use_fast_math"));
    }
}

/// Says whether the kernels have changed since they last ran on a device. It does not fail: a change is made before it
/// can be verified.
#[test]
fn the_kernels_that_ran_on_a_device_are_known() {
    let path: &Path = &kernels().join("verified.ron");
    let verified = std::fs::read_to_string(path).unwrap();
    for module in Module::ALL {
        let hash = source_hash(module);
        if verified.contains(&hash) {
            println!("{}: verified on a device, see {}", module.name(), path.display());
        } else {
            println!("{}: changed since it last ran on a device (kernels/verify-on-gpu.sh)", module.name());
        }
    }
}
