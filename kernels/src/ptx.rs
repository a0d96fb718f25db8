//! The compiled kernels that ship with the program.
//!
//! `kernels/make_ptx.py` writes them; their first line names the hash of what they were made from.

use crate::Module;

/// PTX of one module for one compute capability and newer ones.
#[derive(Debug, Clone, Copy)]
pub struct Ptx {
    /// The kernels.
    pub module: Module,
    /// The lowest compute capability that it runs on.
    pub compute_capability: (i32, i32),
    /// The text.
    pub text: &'static str,
}

/// Everything that ships, newer compute capabilities first.
pub const SHIPPED: [Ptx; 10] = [
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
    Ptx { module: Module::Rivals, compute_capability: (7, 5), text: include_str!("../ptx/rivals.compute_75.ptx") },
];

/// The lowest compute capability of all.
pub const LOWEST: (i32, i32) = (7, 5);

/// The PTX of a module for a device: the newest that it can run.
pub fn shipped(module: Module, compute_capability: (i32, i32)) -> Option<&'static Ptx> {
    SHIPPED.iter().find(|ptx| ptx.module == module && ptx.compute_capability <= compute_capability)
}

impl Ptx {
    /// The first line: hash of the sources, compiler, options.
    pub fn origin(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("// ")
    }

    /// The names of its kernels, in their order.
    pub fn kernels(&self) -> impl Iterator<Item = &'static str> {
        self.text
            .lines()
            .filter_map(|line| line.strip_prefix(".visible .entry "))
            .map(|line| line.trim_end_matches('('))
    }
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
            // Layouts have the fewest.
            assert!(ptx.kernels().count() >= 4);
        }
    }
}
