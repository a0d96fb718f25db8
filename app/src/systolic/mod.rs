//! Binary problems on a systolic grid in the window: one open instance with its runs, views, inspector and settings.

pub mod batch;
pub mod bits;
pub mod desk;
pub mod diversity;
pub mod exporting;
pub mod film;
pub mod flavours;
pub mod grid;
pub mod inspector;
pub mod opening;
pub mod operators;
pub mod published;
pub mod releases;
pub mod running;
pub mod settings;
pub mod solving;
pub mod view;
pub mod work;

pub use desk::Desk;
pub use view::View;
