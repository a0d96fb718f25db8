//! The command line: what is typed ([`arguments`]) and what is done ([`command`]). Problems come from the registry.

pub mod arguments;
pub mod command;
mod renderer;

pub use renderer::Renderer;
