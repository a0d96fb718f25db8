//! Flow shops in the window: one open instance with its runs, views, inspector and settings.

mod card;
pub mod document;
pub mod editing;
pub mod efficiency;
pub mod front;
pub mod gantt;
mod guided;
pub mod inspector;
pub mod jobs;
pub mod lesson;
pub mod methods;
pub mod plan;
pub mod results;
pub mod settings;
pub mod state;
pub mod tardiness;
mod terms;
mod ui;
pub mod view;
pub mod widgets;

pub use state::{Document, FlowShopViews};
pub use ui::UI;
pub use view::View;
