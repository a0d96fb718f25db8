//! Result of a reader.

use crate::InstanceParts;

/// The parts of an instance, and the number of empty lines where students could have been.
pub(super) struct Loaded {
    pub parts: InstanceParts,
    pub(crate) empty_lines: usize,
}
