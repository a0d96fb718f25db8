//! The dialog that lies over the window, and the state of each.

#[derive(Debug)]
pub(crate) enum Dialog {
    /// All commands, files and exams.
    Palette(Palette),
    Shortcuts,
    Glossary(Glossary),
    Preferences,
    Messages,
    About,
    Name(Name),
    /// Where the project is to be kept.
    Project(ProjectFile),
    /// Files that were let go over an open document of their problem.
    Dropped(Vec<std::path::PathBuf>),
    /// A run beside a campaign that measures time: the name of the campaign, and true for a run from the shown plan.
    SharedCores(String, bool),
}

/// The path of a project that is being entered.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    /// The text entered so far.
    pub path: String,
    /// True once the field has had the focus.
    pub begun: bool,
    /// True if another file exists at the path; updated whenever the path changes.
    pub taken: bool,
}

/// A name that is being entered.
#[derive(Debug)]
pub(crate) struct Name {
    /// The run that gets it.
    pub run: usize,
    /// The text entered so far.
    pub text: String,
    /// True once the field has had the focus.
    pub begun: bool,
}

/// Kinds of entries to which the palette can be limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    #[default]
    All,
    /// Exams or jobs only.
    Items,
}

#[derive(Debug, Default)]
pub(super) struct Palette {
    pub(super) scope: Scope,
    pub(super) query: String,
    pub(super) chosen: usize,
    /// Entry for which the list was scrolled last.
    pub(super) shown: Option<(String, usize)>,
}

#[derive(Debug, Default)]
pub(crate) struct Glossary {
    pub(super) query: String,
    pub(super) term: Option<&'static str>,
    /// True until the open entry has been scrolled to in the list.
    pub(super) reveal: bool,
    /// True once the field has had the focus.
    pub(super) begun: bool,
}

impl Glossary {
    /// The glossary at an entry, or at its list.
    pub(super) fn at(term: Option<&'static str>) -> Self {
        Self { term, reveal: term.is_some(), ..Self::default() }
    }
}
