//! Flow shops in the window: one open instance with its runs, views, inspector and settings.

mod card;
mod commands;
mod comparing;
mod document;
mod editing;
mod efficiency;
mod following;
mod front;
mod gantt;
mod guided;
mod inspector;
mod jobs;
pub mod lesson;
pub mod methods;
mod plan;
mod results;
mod rules;
mod settings;
mod state;
pub mod tardiness;
mod terms;
mod ui;
mod view;
pub mod widgets;

pub use state::{Document, FlowShopViews};
pub use ui::UI;
pub use view::View;
