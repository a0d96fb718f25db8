//! Interface between a problem and the window: documents, samples in the library.
//!
//! Each problem has one [`ProblemUi`] in its folder and is listed once, in [`crate::registry`].

use std::path::Path;

use gridwright_core::planning::{Planning as _, ProblemDescriptor};
use gridwright_core::problem::{Overrides, Problem};
use gridwright_core::result::Encoded;
use gridwright_core::store::Store;
use gridwright_core::{Error, Result};

use crate::document::{Document, DocumentKind, Opening, ProblemView};
use crate::glossary::Term;
use crate::lessons::Lesson;
use crate::services::Services;
use crate::theme::Palette;
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// A line of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Source that opens the instance.
    pub source: String,
    /// Name of the instance.
    pub name: String,
    /// Sizes of the instance.
    pub facts: String,
}

/// Presentation of a problem on the start page.
#[derive(Debug, Clone, Copy)]
pub struct Card {
    /// Name of what is planned, in the words of the people who plan it.
    pub title: &'static str,
    /// One sentence about the purpose of a plan.
    pub purpose: &'static str,
    /// Paints a small example of a plan.
    pub picture: fn(&egui::Painter, egui::Rect, &Palette),
}

/// A shipped instance in the library: source, name, sizes.
pub type Sample = (&'static str, &'static str, &'static str);

/// Generated instances that the library lists below the samples.
#[derive(Debug, Clone, Copy)]
pub struct Collection {
    /// Heading of the list.
    pub heading: &'static str,
    /// The instances.
    pub lines: fn() -> Vec<Line>,
}

/// A plan of a campaign that ships with the program.
#[derive(Debug, Clone, Copy)]
pub struct ShippedPlan {
    /// Name of its file, without the ending.
    pub name: &'static str,
    /// Question that the campaign answers, one sentence without a full stop.
    pub question: &'static str,
    /// Text of the plan.
    pub text: &'static str,
}

/// A source to be opened, with everything that opening needs.
pub struct OpenRequest<'a> {
    /// Path or name.
    pub source: &'a str,
    /// Options that the person gave.
    pub options: &'a Overrides,
    /// Opens the instance.
    pub services: &'a Services,
    /// Holds the runs of the instance.
    pub store: &'a Store,
    /// Settings of the last document of the problem; what cannot be read is ignored.
    pub settings: Option<&'a Encoded>,
    /// Key under which runs were kept when the source was last opened.
    pub former: Option<&'a str>,
    /// File that holds the instance of a project without data, if the person has located it.
    pub located: Option<&'a Path>,
}

/// A document of any problem, with notices about its opening.
pub(crate) type OpenedDocument = (Box<dyn ProblemView>, Vec<Notice>);

/// A problem as the window registers it: documents, samples, lessons.
///
/// A problem states what it has beyond [`ProblemUi::of`]: `ProblemUi { samples: &SAMPLES, ..ProblemUi::of::<Views>() }`.
pub struct ProblemUi {
    /// The problem in the solver's registry.
    pub problem: &'static dyn Problem,
    /// Opens a document for the window; fails with the faults of the file by line.
    pub open_document: fn(&OpenRequest<'_>) -> Result<OpenedDocument>,
    /// Icon of the problem.
    pub icon: Icon,
    /// True if documents show algorithms and their views until the person leaves them out.
    pub is_of_algorithms: bool,
    /// Card on the start page; `None` for heading and icon alone.
    pub card: Option<Card>,
    /// Shipped instances in the library.
    pub samples: &'static [Sample],
    /// Further instances in the library.
    pub collection: Option<Collection>,
    /// Endings of the files that the problem reads, for the system's file dialog; workbooks are added to those with tables.
    pub endings: &'static [&'static str],
    /// Terms of the problem for the glossary, in alphabetical order.
    pub terms: &'static [Term],
    /// Guided lessons of the problem.
    pub lessons: &'static [Lesson],
    /// Plans of campaigns that ship with the program.
    pub campaigns: &'static [ShippedPlan],
}

impl ProblemUi {
    /// A problem whose documents are of the kind `K`, without samples and files.
    pub const fn of<K: DocumentKind>() -> Self {
        Self {
            problem: <K::Problem>::PROBLEM,
            open_document: open_document::<K>,
            icon: K::TEXTS.icon,
            is_of_algorithms: false,
            card: None,
            samples: &[],
            collection: None,
            endings: &[],
            terms: &[],
            lessons: &[],
            campaigns: &[],
        }
    }

    /// Data and algorithms of the problem.
    pub fn descriptor(&self) -> &'static ProblemDescriptor {
        self.problem.descriptor()
    }
}

/// Opens a document of this kind.
///
/// # Errors
/// As [`Document::open`].
fn open_document<K: DocumentKind>(request: &OpenRequest<'_>) -> Result<OpenedDocument> {
    let &OpenRequest { source, options, services, store, settings, former, located } = request;
    let settings = settings.and_then(Encoded::decode).unwrap_or_else(K::default_settings);
    let opener = &services.operations::<K>().open;
    let opening = Opening { source, options, opener, store, former, located };
    let (document, notices) = Document::<K>::open(&opening, settings)?;
    Ok((Box::new(document), notices))
}

/// The error for a problem that is only in the solver's registry.
pub(crate) fn without_ui(problem: &dyn Problem) -> Error {
    Error::Usage(format!("the problem “{}” has no place in the program", problem.id()))
}
