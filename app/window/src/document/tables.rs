//! Tables of a document and the instance that they make, as a value.

use std::sync::Arc;

use gridwright_core::data::{Dataset, Issue, Tables};

use crate::later::Later;

/// Number of cells from which an instance is built in a thread.
pub(super) const MANY_CELLS: usize = 50_000;

/// Tables of a document and the instance that they make.
pub struct Data<I> {
    /// The tables.
    pub tables: Arc<Dataset>,
    /// The last tables without issues.
    pub usable: Arc<Dataset>,
    /// Instance of the usable tables, without what a person demands.
    pub instance: Arc<I>,
    /// Cells that make no sense.
    pub(crate) issues: Arc<Vec<Issue>>,
}

/// Changed data whose instance a thread is building.
pub(super) struct Pending<I> {
    /// Name of the change in the menu.
    pub(super) name: String,
    pub(super) tables: Arc<Dataset>,
    /// The tables with their instance, once it is built.
    pub(super) answer: Later<Arc<Data<I>>>,
}

impl<I: Tables + Clone> Data<I> {
    /// Data of an opened instance.
    pub fn of(instance: &I) -> Arc<Self> {
        let tables = Arc::new(instance.to_data());
        let (usable, instance) = (Arc::clone(&tables), Arc::new(instance.clone()));
        Arc::new(Self { tables, usable, instance, issues: Arc::default() })
    }

    /// The instance that these tables make, or the former one with the issues of the tables.
    pub(super) fn of_tables(tables: Arc<Dataset>, former: &Self) -> Arc<Self> {
        let (usable, instance, issues) = match I::of_data(&tables) {
            Ok(instance) => (Arc::clone(&tables), Arc::new(instance), Vec::new()),
            Err(issues) => (Arc::clone(&former.usable), Arc::clone(&former.instance), issues),
        };
        Arc::new(Self { tables, usable, instance, issues: Arc::new(issues) })
    }
}
