//! Facility layouts in the window: one open instance with its runs, views, inspector and settings.

pub mod action;
pub mod alternatives;
pub mod banner;
pub mod bays;
mod card;
pub mod document;
pub mod editing;
pub mod floor;
pub mod flows;
pub mod history;
pub mod inspector;
pub mod islands;
pub mod methods;
pub mod migration;
pub mod moves;
pub mod pairs;
pub mod plan;
pub mod rules;
pub mod settings;
pub mod state;
mod terms;
mod ui;
pub mod view;
pub mod widgets;

pub use action::Action;
pub use state::{Document, FacilityViews};
pub use ui::UI;
pub use view::View;
