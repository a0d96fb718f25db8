//! State of the search field.

/// Search text, its hits, and the hit that is shown.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) text: String,
    pub(crate) hits: Vec<Hit>,
    pub(crate) at: Option<usize>,
    /// True if the field takes the focus in the next frame.
    pub(crate) wanted: bool,
}

/// Search hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// An exam.
    Exam(usize),
    /// A student.
    Student(usize),
}
