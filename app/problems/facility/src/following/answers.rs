//! Answers about departments that follow another one, as the state of the views keeps them.

use std::sync::Arc;

use gridwright_facility::run::holding::{Held, Rearranged};
use gridwright_facility::{Instance, Layout};
use gridwright_window::live::{Live, Same};

use crate::plan::Plan;

/// Layout in which others follow a department.
pub(crate) struct Following {
    /// The layout and the departments that have moved.
    pub found: Rearranged,
    /// The layout as it is drawn.
    pub plan: Plan,
}

/// Instance and layout before, and the department with its place.
pub(crate) type Question = (Same<Instance>, Same<Layout>, Held);

/// Answers for the department that is dragged or was moved last.
pub(crate) type Answers = Live<Question, Option<Arc<Following>>>;

/// Move of a department by hand that others may follow.
pub(crate) struct LastMove {
    /// Layout before.
    pub before: Arc<Layout>,
    /// The department and the layout behind the move.
    pub held: Held,
}
