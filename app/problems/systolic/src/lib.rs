//! Binary problems on a systolic grid in the window: one open instance with its runs, views, inspector and settings.

pub mod batch;
pub mod bits;
mod card;
pub mod contents;
pub mod diversity;
pub mod document;
pub mod evolution;
pub mod exporting;
pub mod flavours;
pub mod grid;
mod guided;
pub mod inspector;
pub mod methods;
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
mod ui;
pub mod view;
pub mod view_state;
pub mod widgets;

pub use state::{Document, SystolicViews};
pub use ui::UI;
pub use view::View;
