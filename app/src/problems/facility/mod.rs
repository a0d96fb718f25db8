//! Facility layouts in the window: one open instance with its runs, views, inspector and settings.

pub mod action;
pub mod alternatives;
pub mod banner;
pub mod bays;
pub mod bench;
mod card;
pub mod command;
pub mod comparison_text;
pub mod document;
pub mod editing;
pub mod exporting;
pub mod facts;
pub mod floor;
pub mod flows;
pub mod generate;
pub mod history;
pub mod inspector;
pub mod islands;
pub mod migration;
pub mod moves;
pub mod pairs;
pub mod plan;
pub mod rules;
pub mod settings;
pub mod state;
mod terms;
pub mod view;
pub mod widgets;

pub use action::Action;
pub use command::UI;
pub use state::{Document, FacilityViews};
pub use view::View;
