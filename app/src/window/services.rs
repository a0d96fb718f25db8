//! Slow operations that the window calls, problem by problem; tests replace them.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::backend::{self, Device};
use gridwright_solver::facility as layouts;
use gridwright_solver::flowshop as shops;
use gridwright_solver::systolic as grids;
use gridwright_solver::timetabling::{formats, run};

use crate::device_memory::Prober;
use crate::problems::timetabling::desk::Opener;
use crate::problems::timetabling::exporting::{self, Exporter};
use crate::problems::timetabling::solving::Solver;
use crate::problems::{facility, flowshop, systolic};

/// Slow operations that the window calls; tests replace them.
#[derive(Clone)]
pub struct Services {
    /// Opens instances.
    pub open: Opener,
    /// Solves them.
    pub solve: Solver,
    /// Writes timetables.
    pub export: Exporter,
    /// Operations of flow shops.
    pub flowshop: Shops,
    /// Operations of layout problems.
    pub facility: Layouts,
    /// Operations of binary problems.
    pub systolic: Grids,
    /// Looks for what can compute.
    pub devices: Arc<dyn Fn() -> Vec<Device> + Send + Sync>,
    /// Asks a CUDA device what it offers.
    pub limits: Prober,
    /// True if file dialogs of the system are available.
    pub dialogs: bool,
    /// Returns `true` if a recent file still exists.
    pub exists: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// Name of the renderer.
    pub renderer: &'static str,
}

impl Default for Services {
    fn default() -> Self {
        Self {
            open: Arc::new(formats::open),
            solve: Arc::new(|instance, settings, control, observer| run::solve(instance, settings, control, observer)),
            export: exporting::exporter(),
            flowshop: Shops::default(),
            facility: Layouts::default(),
            systolic: Grids::default(),
            devices: Arc::new(backend::devices),
            limits: Arc::new(backend::limits),
            dialogs: true,
            exists: Arc::new(|source| Path::new(source).exists()),
            renderer: "no display",
        }
    }
}

/// Slow operations of flow shops.
#[derive(Clone)]
pub struct Shops {
    /// Opens instances.
    pub open: flowshop::desk::Opener,
    /// Solves them.
    pub solve: flowshop::solving::Solver,
    /// Writes plans.
    pub export: flowshop::exporting::Exporter,
}

impl Default for Shops {
    fn default() -> Self {
        Self {
            open: Arc::new(shops::formats::open),
            solve: flowshop::solving::solver(),
            export: flowshop::exporting::exporter(),
        }
    }
}

/// Slow operations of layout problems.
#[derive(Clone)]
pub struct Layouts {
    /// Opens instances.
    pub open: facility::desk::Opener,
    /// Solves them.
    pub solve: facility::solving::Solver,
    /// Writes layouts.
    pub export: facility::exporting::Exporter,
}

impl Default for Layouts {
    fn default() -> Self {
        Self {
            open: Arc::new(layouts::formats::open),
            solve: facility::solving::solver(),
            export: facility::exporting::exporter(),
        }
    }
}

/// Slow operations of binary problems.
#[derive(Clone)]
pub struct Grids {
    /// Opens instances.
    pub open: systolic::desk::Opener,
    /// Solves them.
    pub solve: systolic::solving::Solver,
    /// Writes solutions and pictures.
    pub export: systolic::exporting::Exporter,
}

impl Default for Grids {
    fn default() -> Self {
        Self {
            open: Arc::new(grids::formats::open),
            solve: systolic::solving::solver(),
            export: systolic::exporting::exporter(),
        }
    }
}
