//! Campaigns as command line and window share them: how instances are opened, and how reports are written.

pub mod opening;
pub mod reporting;
