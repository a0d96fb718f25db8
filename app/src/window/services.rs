//! What the window calls that may take its time, problem by problem; tests put others in its place.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::backend::{self, Device};
use gridwright_solver::facility as layouts;
use gridwright_solver::flowshop as shops;
use gridwright_solver::systolic as grids;
use gridwright_solver::timetabling::{formats, run};

use crate::device_memory::Prober;
use crate::timetabling::desk::Opener;
use crate::timetabling::exporting::{self, Exporter};
use crate::timetabling::solving::Solver;
use crate::{facility, flowshop, systolic};

/// What the window calls that may take its time; tests put others in their place.
#[derive(Clone)]
pub struct Services {
    /// Opens instances.
    pub open: Opener,
    /// Solves them.
    pub solve: Solver,
    /// Writes timetables.
    pub export: Exporter,
    /// The same for flow shops.
    pub flowshop: Shops,
    /// The same for layout problems.
    pub facility: Layouts,
    /// The same for binary problems.
    pub systolic: Grids,
    /// Looks for what can compute.
    pub devices: Arc<dyn Fn() -> Vec<Device> + Send + Sync>,
    /// Asks a CUDA device what it offers.
    pub limits: Prober,
    /// Whether the system can be asked for file dialogs.
    pub dialogs: bool,
    /// Whether a recent file is still there.
    pub exists: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// What paints the window.
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

/// What the window calls for flow shops.
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

/// What the window calls for layout problems.
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

/// What the window calls for binary problems.
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
