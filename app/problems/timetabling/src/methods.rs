//! Methods of documents of sessions: a glob import of this module brings all of them into scope.

pub use crate::adjusting::RoomMethods as _;
pub use crate::comparison::ComparisonMethods as _;
pub use crate::counting::CountingMethods as _;
pub use crate::editing::EditingMethods as _;
pub use crate::judging::JudgingMethods as _;
pub use crate::remembered::RememberedMethods as _;
pub use crate::search::SearchMethods as _;
pub use crate::state::StateMethods as _;
