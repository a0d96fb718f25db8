//! Further tables of a file: set-ups, start of the plan, working times and machines. Each stands below the jobs behind an empty line, or
//! in a sheet of its own.

use gridwright_core::text::columns::find;
use gridwright_core::text::{Source, table};
use gridwright_core::{Error, Result};

use super::headings::{HOURS_COLUMNS, JOB, MACHINE_COLUMNS, PLAN_COLUMNS, SETUP_COLUMNS};
use super::{real_time, setups};
use crate::Instance;
use crate::real_time::PlanStart;

/// Kind of a further table, in the order in which they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Setups,
    Plan,
    Hours,
    Machines,
}

impl Section {
    /// Noun for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Setups => "set-ups",
            Self::Plan => "the start of the plan",
            Self::Hours => "working times",
            Self::Machines => "machines",
        }
    }
}

/// Kind of the table whose header begins a text; `None` for other texts.
pub(super) fn kind(text: &str) -> Option<Section> {
    b",;\t".iter().find_map(|&delimiter| {
        let record = table::first_record(text, delimiter)?;
        let found = |columns: &[_]| find(record.iter(), columns).iter().map(Option::is_some).collect::<Vec<_>>();
        if found(&[JOB])[0] {
            return None;
        }
        match (found(&PLAN_COLUMNS)[0], found(&HOURS_COLUMNS).as_slice(), found(&MACHINE_COLUMNS).as_slice()) {
            (true, ..) => Some(Section::Plan),
            (_, [_, true, true, true, _], _) => Some(Section::Hours),
            (.., [true, times @ ..]) if times.contains(&true) => Some(Section::Machines),
            _ => found(&SETUP_COLUMNS).iter().all(|&is_there| is_there).then_some(Section::Setups),
        }
    })
}

/// Divides a text into the table of jobs and the further tables below it, which keep their line numbers.
pub(super) fn divided(text: &str) -> (&str, Vec<(Section, String)>) {
    let (mut offset, mut number, mut is_behind_blank) = (0, 0, false);
    let mut begins: Vec<(Section, usize, usize)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_blank = line.chars().all(|letter| letter.is_whitespace() || ",;".contains(letter));
        if is_behind_blank && !is_blank {
            begins.extend(kind(&text[offset..]).map(|section| (section, number, offset)));
        }
        (offset, number, is_behind_blank) = (offset + line.len(), number + 1, is_blank);
    }
    let ends = begins.iter().skip(1).map(|begin| begin.2).chain([text.len()]);
    let part = |(&(section, number, from), to): (&(Section, usize, usize), usize)| {
        (section, "\n".repeat(number) + &text[from..to])
    };
    let sections = begins.iter().zip(ends).map(part).collect();
    (begins.first().map_or(text, |begin| &text[..begin.2]), sections)
}

/// Start of the plan that further tables state; `None` without one.
///
/// # Errors
/// As the reader of the table.
pub(super) fn plan_start(sections: &[(Section, Source<'_>)]) -> Result<Option<PlanStart>> {
    let Some((_, source)) = sections.iter().find(|(section, _)| *section == Section::Plan) else { return Ok(None) };
    let mut instance = Instance::default();
    real_time::read_plan(*source, &mut instance)?;
    Ok(instance.plan_start().copied())
}

/// Reads further tables into an instance with jobs, families and machines.
///
/// # Errors
/// As the readers of the tables; [`Error::File`] if there are two of a kind.
pub(super) fn read(mut sections: Vec<(Section, Source<'_>)>, instance: &mut Instance) -> Result<()> {
    sections.sort_by_key(|(section, _)| *section);
    if let Some(pair) = sections.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let what = format!("there is a second table of {}; keep one only", pair[1].0.noun());
        return Err(Error::file(pair[1].1.path, what));
    }
    for (section, source) in sections {
        match section {
            Section::Setups => setups::read(source, instance)?,
            Section::Plan => real_time::read_plan(source, instance)?,
            Section::Hours => real_time::read_hours(source, instance)?,
            Section::Machines => real_time::read_machines(source, instance)?,
        }
    }
    Ok(())
}
