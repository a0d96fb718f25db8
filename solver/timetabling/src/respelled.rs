//! Codes of students that some lines of the enrolments write in another spelling.

use gridwright_core::text::lines::{counted, quoted};

/// Lines that write the code of a student in another spelling than the first line of that student.
#[derive(Default)]
pub(crate) struct Respelled {
    lines: usize,
    /// The first of them: where it stands, its code and the student's.
    first: Option<(String, String, String)>,
}

impl Respelled {
    /// Notes how the line that `place` names writes the code of a student.
    pub(crate) fn note(&mut self, place: impl FnOnce() -> String, written: &str, code: &str) {
        if written != code {
            self.lines += 1;
            self.first.get_or_insert_with(|| (place(), written.to_owned(), code.to_owned()));
        }
    }

    /// Describes the lines; `None` if there are none.
    pub(crate) fn describe(&self) -> Option<String> {
        let (place, written, code) = self.first.as_ref()?;
        Some(format!(
            "{} with the code of a student in another spelling: taken for that student, first {place}, {} for {}; give two \
             students codes that differ in more",
            counted(self.lines, "line"),
            quoted(written),
            quoted(code)
        ))
    }
}
