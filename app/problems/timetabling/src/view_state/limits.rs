//! Limits of students while they are chosen.

use gridwright_timetabling::StudentLimits;

/// Limits that are being chosen.
pub(crate) struct Dialog {
    pub(crate) limits: StudentLimits,
    /// The limits that `outlook` is about, and what follows from them.
    pub(crate) asked: StudentLimits,
    pub(crate) outlook: Outlook,
}

/// Consequences of limits for the session and the timetable that is shown.
#[derive(Default)]
pub(crate) struct Outlook {
    /// Sentences about students who cannot keep them in any timetable.
    pub(crate) impossible: Vec<String>,
    /// Number of students beyond them in the timetable that is shown; `None` without a timetable.
    pub(crate) beyond: Option<usize>,
}
