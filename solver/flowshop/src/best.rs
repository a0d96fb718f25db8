//! The best so far of a search, for one objective or for a front.

use std::sync::Arc;

use gridwright_core::search::Progress;

use crate::Order;
use crate::multiobjective::Front;

/// The best so far.
#[derive(Debug, Clone)]
pub struct Best {
    /// An order; of a front the one that is the best compromise.
    pub order: Arc<Order>,
    /// The whole front, where several objectives are minimised.
    pub front: Option<Arc<Front>>,
}

impl Best {
    /// Progress of a search for one order.
    pub(crate) fn of_order(progress: &Progress<Order>) -> Progress<Self> {
        progress.map(|order| Self { order: Arc::clone(order), front: None })
    }

    /// Progress of a search for a front, of which the best compromise is shown.
    pub fn of_front(progress: &Progress<Front>) -> Progress<Self> {
        progress.map(|front| Self {
            order: Arc::new(Order(front.compromise().map(|order| order.to_vec()).unwrap_or_default())),
            front: Some(Arc::clone(front)),
        })
    }
}
