//! Methods of documents of binary problems: a glob import of this module brings all of them into scope.

pub use crate::playing::PlayingMethods as _;
pub use crate::state::StateMethods as _;
