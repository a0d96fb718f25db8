//! Textures of pictures that consist of cells: made again only when what they show has changed.
//!
//! A texture of a grid has a texel for each visible cell or, where cells are smaller than pixels, for each pixel.

use egui::{Color32, ColorImage, Painter, Rect, Stroke, TextureFilter, TextureHandle, TextureId, TextureOptions, Ui};

use super::viewport::{Grid, Span};

/// A texture with the inputs that it was made of.
#[derive(Clone)]
pub struct CachedTexture<K> {
    made: Option<(K, TextureHandle)>,
}

impl<K> Default for CachedTexture<K> {
    fn default() -> Self {
        Self { made: None }
    }
}

impl<K: std::fmt::Debug> std::fmt::Debug for CachedTexture<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CachedTexture").field(&self.key()).finish()
    }
}

impl<K> CachedTexture<K> {
    /// Inputs of the texture; `None` before it is made.
    pub fn key(&self) -> Option<&K> {
        self.made.as_ref().map(|(key, _)| key)
    }

    /// The texture; `None` before it is made.
    pub fn id(&self) -> Option<TextureId> {
        self.made.as_ref().map(|(_, texture)| texture.id())
    }

    /// Makes the texture of an image with the inputs `key`; `name` is for debugging.
    pub fn set(&mut self, ui: &Ui, name: &str, key: K, image: ColorImage) {
        self.set_with(ui, name, key, image, TextureOptions::NEAREST);
    }

    /// Makes the texture of a photograph or a scan, which is smoothed where it is painted larger or smaller than it is.
    pub fn set_smooth(&mut self, ui: &Ui, name: &str, key: K, image: ColorImage) {
        let smooth = TextureOptions { mipmap_mode: Some(TextureFilter::Linear), ..TextureOptions::LINEAR };
        self.set_with(ui, name, key, image, smooth);
    }

    fn set_with(&mut self, ui: &Ui, name: &str, key: K, image: ColorImage, options: TextureOptions) {
        let texture = match self.made.take() {
            Some((_, mut texture)) => {
                texture.set(image, options);
                texture
            }
            None => ui.ctx().load_texture(name, image, options),
        };
        self.made = Some((key, texture));
    }
}

/// Inputs of the texture of a grid; an equal key allows the texture to be used again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridKey {
    revision: u64,
    dark: bool,
    grid: Grid,
    pixels: f32,
}

impl GridKey {
    /// Key of cells that change with `revision` and are painted in `grid`.
    pub fn new(ui: &Ui, revision: u64, grid: Grid) -> Self {
        Self { revision, dark: ui.visuals().dark_mode, grid, pixels: ui.pixels_per_point() }
    }
}

/// Returns `true` if every visible item has texels of its own, `false` if items share pixels.
pub fn is_whole(span: &Span, pixels: f32) -> bool {
    span.item * pixels >= 1.0
}

/// Paints the texture of a grid, and lines of `colour` between cells that are at least `least` points long.
pub fn paint_grid(painter: &Painter, texture: TextureId, grid: &Grid, least: f32, colour: Color32) {
    let (body, across, down) = (grid.body(), &grid.across, &grid.down);
    let pixels = painter.pixels_per_point();
    let along = |span: &Span, low: f32, high: f32| match is_whole(span, pixels) {
        true => span.at(span.visible().start)..=span.at(span.visible().end),
        false => low..=high,
    };
    let rect = Rect::from_x_y_ranges(along(across, body.left(), body.right()), along(down, body.top(), body.bottom()));
    let inside = painter.with_clip_rect(body.intersect(painter.clip_rect()));
    inside.image(texture, rect, WHOLE_TEXTURE, Color32::WHITE);
    let thin = Stroke::new(1.0 / pixels, colour);
    if across.item >= least {
        across.visible().for_each(|column| {
            inside.vline(across.at(column), body.y_range(), thin);
        });
    }
    if down.item >= least {
        down.visible().for_each(|row| {
            inside.hline(body.x_range(), down.at(row), thin);
        });
    }
}

/// Coordinates of a whole texture.
pub const WHOLE_TEXTURE: Rect = Rect { min: egui::Pos2::ZERO, max: egui::Pos2 { x: 1.0, y: 1.0 } };
