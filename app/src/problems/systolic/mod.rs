//! Binary problems on a systolic grid in the window: one open instance with its runs, views, inspector and settings.

pub mod batch;
pub mod bench;
pub mod bits;
pub mod command;
pub mod comparison_text;
pub mod desk;
pub mod diversity;
pub mod exporting;
pub mod facts;
pub mod flavours;
pub mod frame_loader;
pub mod generate;
pub mod grid;
pub mod inspector;
pub mod opening;
pub mod operators;
pub mod playing;
pub mod published;
pub mod recording;
pub mod releases;
pub mod running;
pub mod settings;
pub mod solving;
pub mod view;
pub mod widgets;
pub mod workplace;

pub use desk::Desk;
pub use playing::Playing;
pub use view::View;

use gridwright_solver::systolic::library;

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

/// Instances that are made from their names when they are opened, those of the paper first.
pub fn named() -> impl Iterator<Item = Line> {
    let line = |source: String| {
        let (kind, rest) = source.split_once(':')?;
        let (name, facts) = match (kind, rest.split_once('-')) {
            ("knapsack", Some((items, range))) => {
                (format!("Knapsack {rest}"), format!("{items} items, profits and weights up to {range}"))
            }
            ("mmdp", _) => (format!("Deceptive {rest}"), format!("{rest} bits in blocks of six")),
            ("onemax", _) => (format!("OneMax {rest}"), format!("{rest} bits")),
            ("nrp", Some((customers, requirements))) => {
                (format!("Release {rest}"), format!("{requirements} requirements, {customers} customers, invented"))
            }
            _ => return None,
        };
        Some(Line { source: source.clone(), name, facts })
    };
    library::names().into_iter().filter_map(line)
}
