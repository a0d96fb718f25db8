//! State of the table of students.

use gridwright_timetabling::Instance;
use gridwright_window::widgets::table::{SortColumn, SortOrder};

/// Group of students that is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Group {
    /// All students.
    #[default]
    All,
    /// Students who would have to be in two places at once.
    Clash,
    /// Students with exams in adjacent periods.
    InARow,
    /// Students whose fullest day has exactly two exams.
    TwoADay,
    /// Students with three or more exams on a day.
    ThreeADay,
    /// Students who sit an exam.
    Of(usize),
    /// Students who sit an exam and have another one so many periods away.
    Near(usize, usize),
}

impl Group {
    pub(crate) const ALL: [Self; 5] = [Self::All, Self::Clash, Self::InARow, Self::TwoADay, Self::ThreeADay];

    /// Label of the group.
    pub fn words(self, instance: &Instance) -> String {
        let code = |exam: usize| instance.exams.get(exam).map(|exam| exam.code.as_str()).unwrap_or_default();
        match self {
            Self::All => "All students".to_owned(),
            Self::Clash => "With a clash".to_owned(),
            Self::InARow => "Two exams in a row".to_owned(),
            Self::TwoADay => "Two exams in a day".to_owned(),
            Self::ThreeADay => "Three or more in a day".to_owned(),
            Self::Of(exam) => format!("Students of {}", code(exam)),
            Self::Near(exam, 0) => format!("With a clash at {}", code(exam)),
            Self::Near(exam, _) => format!("In a row with {}", code(exam)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum By {
    Code,
    Exams,
    #[default]
    Cost,
    Clash,
    Row,
    Day,
}

impl SortColumn for By {
    fn begins_descending(self) -> bool {
        self != Self::Code
    }
}

/// Sort order of the table, the group that is listed, and the selected student.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) order: SortOrder<By>,
    pub(crate) group: Group,
    pub(crate) selected: Option<usize>,
    pub(crate) reveal: bool,
    pub(crate) key: Option<Key>,
    pub(crate) listed: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    /// Of the counts.
    pub(crate) number: u64,
    pub(crate) order: SortOrder<By>,
    pub(crate) group: Group,
}
