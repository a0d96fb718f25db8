//! Flow shops in the window: one open instance with its runs, views, inspector and settings.

pub mod bench;
pub mod command;
pub mod comparison_text;
pub mod desk;
pub mod editing;
pub mod efficiency;
pub mod exporting;
pub mod facts;
pub mod front;
pub mod gantt;
pub mod generate;
pub mod inspector;
pub mod jobs;
pub mod keeping;
pub mod lesson;
pub mod opening;
pub mod plan;
pub mod running;
pub mod settings;
pub mod solving;
pub mod tardiness;
pub mod view;
pub mod widgets;
pub mod workplace;

use gridwright_solver::flowshop::library;

pub use desk::Desk;
pub use view::View;

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

/// Taillard's instances, made from their seeds when they are opened.
pub fn taillard() -> impl Iterator<Item = Line> {
    library::entries().iter().map(|entry| Line {
        source: format!("taillard:{}", entry.name),
        name: entry.name.clone(),
        facts: format!("{} jobs, {} machines", entry.jobs, entry.machines),
    })
}
