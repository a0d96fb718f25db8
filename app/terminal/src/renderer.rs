//! The renderers of the window.

/// Renderer of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Renderer {
    /// OpenGL, and where that fails another one that this program was built with
    #[default]
    Auto,
    /// OpenGL
    Glow,
    /// Vulkan, Metal, Direct3D: for remote desktops and virtual machines
    #[cfg(feature = "wgpu")]
    Wgpu,
}
