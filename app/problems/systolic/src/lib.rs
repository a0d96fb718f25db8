//! Binary problems on a systolic grid in the window: one open instance with its runs, views, inspector and settings.

mod batch;
mod bits;
mod card;
mod contents;
mod diversity;
mod document;
mod evolution;
pub mod flavours;
pub mod grid;
mod guided;
pub mod inspector;
pub mod methods;
mod operators;
mod playing;
mod published;
mod recording;
mod releases;
mod results;
mod rules;
mod settings;
mod state;
mod terms;
mod ui;
mod view;
mod view_state;
pub mod widgets;

pub use state::{Document, SystolicViews};
pub use ui::UI;
pub use view::View;
