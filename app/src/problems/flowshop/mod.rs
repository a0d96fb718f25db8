//! Flow shops in the window: one open instance with its runs, views, inspector and settings.

pub mod bench;
mod card;
pub mod command;
pub mod comparison_text;
pub mod document;
pub mod editing;
pub mod efficiency;
pub mod exporting;
pub mod facts;
pub mod front;
pub mod gantt;
pub mod generate;
mod guided;
pub mod inspector;
pub mod jobs;
pub mod lesson;
pub mod plan;
pub mod results;
pub mod settings;
pub mod state;
pub mod tardiness;
mod terms;
pub mod view;
pub mod widgets;

pub use command::UI;
pub use state::{Document, FlowShopViews};
pub use view::View;
