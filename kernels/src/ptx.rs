//! PTX of all modules, embedded in the program.
//!
//! `kernels/make_ptx.py` writes the files; their first line holds the hash of their sources, which `tests/tests/ptx_is_fresh.rs` compares.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::Module;

/// PTX of one module for one compute capability and newer ones.
#[derive(Debug, Clone, Copy)]
pub struct Ptx {
    /// Module of the kernels.
    pub module: Module,
    /// Lowest compute capability that the PTX runs on, major and minor.
    pub compute_capability: (i32, i32),
    /// PTX text.
    pub text: &'static str,
}

/// All embedded PTX; of a module, higher compute capabilities come first.
pub const SHIPPED: [Ptx; 12] = [
    Ptx {
        module: Module::Annealing,
        compute_capability: (7, 5),
        text: include_str!("../ptx/annealing.compute_75.ptx"),
    },
    Ptx {
        module: Module::Evolution,
        compute_capability: (8, 0),
        text: include_str!("../ptx/evolution.compute_80.ptx"),
    },
    Ptx {
        module: Module::Evolution,
        compute_capability: (7, 5),
        text: include_str!("../ptx/evolution.compute_75.ptx"),
    },
    Ptx { module: Module::Makespan, compute_capability: (7, 5), text: include_str!("../ptx/makespan.compute_75.ptx") },
    Ptx { module: Module::Facility, compute_capability: (7, 5), text: include_str!("../ptx/facility.compute_75.ptx") },
    Ptx { module: Module::Front, compute_capability: (9, 0), text: include_str!("../ptx/front.compute_90.ptx") },
    Ptx { module: Module::Front, compute_capability: (7, 5), text: include_str!("../ptx/front.compute_75.ptx") },
    Ptx { module: Module::Systolic, compute_capability: (7, 5), text: include_str!("../ptx/systolic.compute_75.ptx") },
    Ptx { module: Module::Greedy, compute_capability: (7, 5), text: include_str!("../ptx/greedy.compute_75.ptx") },
    Ptx {
        module: Module::Baselines,
        compute_capability: (7, 5),
        text: include_str!("../ptx/baselines.compute_75.ptx"),
    },
    Ptx { module: Module::Seating, compute_capability: (8, 0), text: include_str!("../ptx/seating.compute_80.ptx") },
    Ptx { module: Module::Seating, compute_capability: (7, 5), text: include_str!("../ptx/seating.compute_75.ptx") },
];

/// Lowest compute capability that is supported.
pub const LOWEST: (i32, i32) = (7, 5);

/// Returns the PTX of a module with the highest compute capability that a device supports; `None` if there is none.
pub fn shipped(module: Module, compute_capability: (i32, i32)) -> Option<&'static Ptx> {
    SHIPPED.iter().find(|ptx| ptx.module == module && ptx.compute_capability <= compute_capability)
}

impl Ptx {
    /// Returns the first line without its comment marks: hash of the sources, compiler and options.
    pub fn origin(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("// ")
    }

    /// Names of the kernels in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &'static str> {
        self.text
            .lines()
            .filter_map(|line| line.strip_prefix(".visible .entry "))
            .map(|line| line.trim_end_matches('('))
    }
}

/// Returns the paths of a module's `.cu` file and of the headers that it includes, directly or through other headers; the `.cu` file comes first, the
/// headers follow by name. `folder` is `kernels/cuda`.
///
/// `make_ptx.py` computes the same list and hashes these files in this order.
///
/// # Errors
/// The error of reading a file.
pub fn included_sources(folder: &Path, module: Module) -> std::io::Result<Vec<PathBuf>> {
    let main = folder.join(format!("{}.cu", module.name()));
    let (mut headers, mut unread) = (BTreeSet::new(), vec![main.clone()]);
    while let Some(path) = unread.pop() {
        for line in std::fs::read_to_string(path)?.lines() {
            let Some(name) = line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"')) else { continue };
            if headers.insert(folder.join(name)) {
                unread.push(folder.join(name));
            }
        }
    }
    Ok(std::iter::once(main).chain(headers).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_gets_the_newest_ptx_that_it_can_run() {
        let chosen = |capability| shipped(Module::Evolution, capability).map(|ptx| ptx.compute_capability);
        assert_eq!((chosen((7, 0)), chosen((7, 5))), (None, Some((7, 5))));
        assert_eq!((chosen((8, 6)), chosen((12, 0))), (Some((8, 0)), Some((8, 0))));
    }

    #[test]
    fn every_ptx_names_its_sources_and_holds_the_same_kernels() {
        for ptx in SHIPPED {
            assert!(ptx.origin().starts_with("sources sha256:"), "{}", ptx.origin());
            assert!(ptx.text.contains(".version 8.0"), "driver 525.60 loads nothing newer");
            assert!(ptx.kernels().eq(shipped(ptx.module, LOWEST).unwrap().kernels()));
            // The annealing of sessions with rooms has the fewest kernels.
            assert!(ptx.kernels().count() >= 2);
        }
    }
}
