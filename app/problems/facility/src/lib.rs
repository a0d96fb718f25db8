//! Facility layouts in the window: one open instance with its runs, views, inspector and settings.

mod action;
mod alternatives;
mod banner;
mod bays;
mod card;
mod distances;
mod document;
mod editing;
mod floor;
mod flows;
mod following;
pub mod history;
mod inspector;
pub mod islands;
pub mod methods;
pub mod migration;
mod moves;
mod pairs;
mod plan;
mod rules;
mod settings;
mod state;
mod terms;
mod ui;
mod underlay;
mod view;
pub mod widgets;

pub use editing::WITHOUT_BAYS;
pub use state::{Document, FacilityViews};
pub use ui::UI;
pub use view::View;
