//! Methods of documents of flow shops: a glob import of this module brings all of them into scope.

pub(crate) use crate::editing::EditingMethods as _;
pub(crate) use crate::following::FollowingMethods as _;
pub(crate) use crate::rules::RulesMethods as _;
pub use crate::state::StateMethods as _;
