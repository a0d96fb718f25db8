//! Tables of a document and the instance that they make, as a value.

use std::sync::Arc;

use gridwright_core::data::{Dataset, FormerNames, Issue, Renamed, Tables};

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
    /// Names that rows had before.
    pub former_names: Arc<FormerNames>,
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
        Arc::new(Self { tables, usable, instance, former_names: Arc::default(), issues: Arc::default() })
    }

    /// The instance that these tables make, or the former one with the issues of the tables. Rows of the table `renamed.0` have
    /// other names than before.
    pub(super) fn of_tables(tables: Arc<Dataset>, renamed: (usize, &[Renamed]), former: &Self) -> Arc<Self> {
        let former_names = match former.former_names.is_empty() && renamed.1.is_empty() {
            true => Arc::clone(&former.former_names),
            false => Arc::new(former.former_names.with(I::TABLES, &tables, renamed.0, renamed.1)),
        };
        let (usable, instance, issues) = match I::of_data(&tables) {
            Ok(instance) => (Arc::clone(&tables), Arc::new(instance), Vec::new()),
            Err(issues) => (Arc::clone(&former.usable), Arc::clone(&former.instance), issues),
        };
        Arc::new(Self { tables, usable, instance, former_names, issues: Arc::new(issues) })
    }

    /// The data with names that rows had before.
    pub(super) fn with_former_names(self: &Arc<Self>, names: &FormerNames) -> Arc<Self> {
        if *self.former_names == *names {
            return Arc::clone(self);
        }
        let Self { tables, usable, instance, issues, .. } = &**self;
        Arc::new(Self {
            tables: Arc::clone(tables),
            usable: Arc::clone(usable),
            instance: Arc::clone(instance),
            former_names: Arc::new(names.clone()),
            issues: Arc::clone(issues),
        })
    }
}
