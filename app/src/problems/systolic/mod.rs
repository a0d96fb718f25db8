//! Binary problems on a systolic grid in the window: one open instance with its runs, views, inspector and settings.

pub mod batch;
pub mod bench;
pub mod bits;
mod card;
pub mod command;
pub mod comparison_text;
pub mod contents;
pub mod diversity;
pub mod document;
pub mod evolution;
pub mod exporting;
pub mod facts;
pub mod flavours;
pub mod generate;
pub mod grid;
mod guided;
pub mod inspector;
pub mod operators;
pub mod playing;
pub mod published;
pub mod recording;
pub mod releases;
pub mod results;
pub mod rules;
pub mod settings;
pub mod state;
mod terms;
pub mod view;
pub mod view_state;
pub mod widgets;

pub use command::UI;
pub use state::{Document, SystolicViews};
pub use view::View;
