//! Methods of documents of layouts: a glob import of this module brings all of them into scope.

pub use crate::editing::EditingMethods as _;
pub(crate) use crate::following::FollowingMethods as _;
pub use crate::rules::RulesMethods as _;
pub use crate::state::StateMethods as _;
pub use crate::underlay::UnderlayMethods as _;
