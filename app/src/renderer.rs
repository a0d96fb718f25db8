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

impl Renderer {
    /// Renderers to try, in this order.
    pub fn attempts(self) -> Vec<eframe::Renderer> {
        match self {
            #[cfg(feature = "wgpu")]
            Self::Auto => vec![eframe::Renderer::Glow, eframe::Renderer::Wgpu],
            #[cfg(feature = "wgpu")]
            Self::Wgpu => vec![eframe::Renderer::Wgpu],
            _ => vec![eframe::Renderer::Glow],
        }
    }
}
