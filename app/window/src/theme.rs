//! Every colour, size and font of the window; nothing else names one.

use egui::style::{Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, RichText, Shadow, Stroke,
    Style, TextStyle, Theme, Visuals, vec2,
};
use gridwright_core::scene::{self, Colour};

use crate::widgets::entry::FieldGuard;

/// Spacing: multiples of 4 points.
pub mod space {
    /// Between things that belong together.
    pub const XS: f32 = 4.0;
    /// Between controls.
    pub const S: f32 = 8.0;
    /// Inside panels.
    pub const M: f32 = 12.0;
    /// Between groups.
    pub const L: f32 = 16.0;
    /// Around what stands alone.
    pub const XL: f32 = 24.0;
}

/// Sizes of parts of the window, in points.
pub mod size {
    /// Height of buttons and fields.
    pub const CONTROL: f32 = 28.0;
    pub(crate) const LIBRARY: f32 = 232.0;
    /// Width of inspector and parameters.
    pub(crate) const INSPECTOR: f32 = 312.0;
    /// Height of convergence and runs.
    pub(crate) const BOTTOM: f32 = 244.0;
    /// Height of a row in a table.
    pub const ROW: f32 = 26.0;
    /// Radius of corners.
    pub const RADIUS: u8 = 6;
    pub(crate) const ICON: f32 = 14.0;
}

/// Sizes of text, in points.
pub mod text {
    /// Captions and remarks.
    pub const SMALL: f32 = 11.5;
    /// Everything else.
    pub const BODY: f32 = 13.0;
    /// Headings of sections.
    pub const HEADING: f32 = 15.0;
    /// The name of what is open, and the best value.
    pub(crate) const TITLE: f32 = 18.0;
    /// Smallest text in pictures.
    pub const TINY: f32 = 10.0;
}

/// The colours of one theme.
#[derive(Debug)]
pub struct Palette {
    /// Behind panels.
    pub panel: Color32,
    /// Behind pictures, lists and fields.
    pub surface: Color32,
    /// Behind what is raised: buttons.
    pub raised: Color32,
    /// Behind raised parts under the pointer.
    pub raised_hover: Color32,
    /// Lines between parts.
    pub border: Color32,
    /// Lines around what can be pressed.
    pub border_strong: Color32,
    /// Text.
    pub text: Color32,
    /// Text of less weight; still 4.5 : 1 against panels.
    pub weak: Color32,
    /// Decoration only.
    pub faint: Color32,
    /// The one accent.
    pub accent: Color32,
    /// The accent under the pointer.
    pub(crate) accent_hover: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Behind what is selected.
    pub accent_soft: Color32,
    /// All is well.
    pub good: Color32,
    /// Something to know.
    pub warn: Color32,
    /// Something is wrong.
    pub bad: Color32,
    /// Behind a message that says that something is wrong.
    pub bad_soft: Color32,
    /// Clashes in pictures: apart from every colour of the scale, also for the colour-blind.
    pub clash: Color32,
    /// Cells of the grid where an exam may not go.
    pub blocked: Color32,
    /// Bars and other large quiet areas of pictures.
    pub bar: Color32,
    /// Curves of different runs (Okabe and Ito's colours, which the colour-blind tell apart).
    pub curves: [Color32; 7],
    /// Shadows of menus and windows.
    pub shadow: Color32,
    /// Dims the window behind a dialog.
    pub(crate) backdrop: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

/// A colour of exported pictures on the screen.
const fn convert(colour: Colour) -> Color32 {
    Color32::from_rgb(colour.red, colour.green, colour.blue)
}

/// The light theme.
pub const LIGHT: Palette = Palette {
    panel: hex(0xF6F7F9),
    surface: hex(0xFFFFFF),
    raised: hex(0xFFFFFF),
    raised_hover: hex(0xEDF1F7),
    border: hex(0xE1E5EB),
    border_strong: hex(0xC9D0DA),
    text: hex(0x1A202B),
    weak: hex(0x5A6475),
    faint: hex(0xA4ADBA),
    accent: hex(0x2457C5),
    accent_hover: hex(0x1C469F),
    on_accent: hex(0xFFFFFF),
    accent_soft: hex(0xE3EBFA),
    good: hex(0x006B5A),
    warn: hex(0x8A5400),
    bad: hex(0xB3361B),
    bad_soft: hex(0xFCEEEA),
    clash: convert(scene::palette::Palette::LIGHT.alarm),
    blocked: hex(0xF3F5F8),
    bar: hex(0x7FA3D6),
    curves: [hex(0x2457C5), hex(0xD55E00), hex(0x00875F), hex(0xB8568F), hex(0x5A4A00), hex(0x2C89BF), hex(0x4B5563)],
    shadow: Color32::from_black_alpha(28),
    backdrop: Color32::from_black_alpha(72),
};

pub(crate) const DARK: Palette = Palette {
    panel: hex(0x171B22),
    surface: hex(0x0F1217),
    raised: hex(0x232934),
    raised_hover: hex(0x2D3543),
    border: hex(0x2A313D),
    border_strong: hex(0x3B4556),
    text: hex(0xE6EAF1),
    weak: hex(0x9BA6B7),
    faint: hex(0x5A6475),
    accent: hex(0x76A3F6),
    accent_hover: hex(0x97BAFA),
    on_accent: hex(0x0B1220),
    accent_soft: hex(0x1F2F4E),
    good: hex(0x63D69F),
    warn: hex(0xE5A63B),
    bad: hex(0xF58266),
    bad_soft: hex(0x33201C),
    clash: convert(scene::palette::Palette::DARK.alarm),
    blocked: hex(0x161A21),
    bar: hex(0x3F6098),
    curves: [hex(0x5B8DEF), hex(0xE69F00), hex(0x2BBF94), hex(0xD98BB9), hex(0xEFE36A), hex(0x7CC8F2), hex(0x7F8A9B)],
    shadow: Color32::from_black_alpha(110),
    backdrop: Color32::from_black_alpha(140),
};

/// The colours of the theme that is on.
pub fn palette(visuals: &Visuals) -> &'static Palette {
    if visuals.dark_mode { &DARK } else { &LIGHT }
}

impl Palette {
    /// True for the dark theme.
    pub fn is_dark(&self) -> bool {
        self.text.r() > self.panel.r()
    }

    /// The colour of a share of cost, 0…1: the one of exported pictures, so that what is exported is what was seen.
    pub fn cost(&self, share: f32) -> Color32 {
        convert(scene::palette::cost_colour(share, self.is_dark()))
    }

    /// Text that is legible on [`Palette::cost`].
    pub fn on_cost(&self, share: f32) -> Color32 {
        legible_on(self.cost(share))
    }

    /// Text that is legible on a clash.
    pub fn on_clash(&self) -> Color32 {
        legible_on(self.clash)
    }

    /// Palette of exported pictures for this theme.
    fn scene(&self) -> scene::palette::Palette {
        scene::palette::Palette::of(self.is_dark())
    }

    /// The ground where a machine or a job waits: the one of exported pictures.
    pub fn waiting(&self) -> Color32 {
        convert(self.scene().waiting())
    }

    /// Colour of several things that are too small to be told apart, as in exported pictures.
    pub fn merged(&self) -> Color32 {
        convert(self.scene().bar)
    }

    /// The colour of the thing with this number, such as a job: the one of exported pictures, in both themes.
    pub fn category(&self, number: usize) -> Color32 {
        convert(scene::palette::category(number))
    }

    /// Text that is legible on [`Palette::category`].
    pub fn on_category(&self, number: usize) -> Color32 {
        convert(scene::palette::readable_on(scene::palette::category(number)))
    }

    /// The floor of the thing with this number: paler, so that lines and letters stand out on it; as in exported pictures.
    pub fn floor(&self, number: usize) -> Color32 {
        let colour = convert(scene::palette::pale_category(number, &self.scene()));
        // Bright letters need a ground that is darker than that of the pictures, which are printed.
        if self.is_dark() { colour.lerp_to_gamma(self.surface, 0.4) } else { colour }
    }

    /// The colour of the curve of the run with this number.
    pub fn curve(&self, number: usize) -> Color32 {
        self.curves[number % self.curves.len()]
    }
}

/// Black or white, whichever has the higher contrast; that is never below 4.5 : 1.
fn legible_on(ground: Color32) -> Color32 {
    let rgba = egui::Rgba::from(ground);
    let luminance = 0.2126 * rgba.r() + 0.7152 * rgba.g() + 0.0722 * rgba.b();
    // Both are equal at √(1.05 · 0.05) − 0.05.
    if luminance > 0.179 { Color32::BLACK } else { Color32::WHITE }
}

/// The family of headings.
pub fn semi_bold() -> FontFamily {
    FontFamily::Name("semi-bold".into())
}

/// Font of the icons: Phosphor Bold.
pub(crate) const ICONS: &[u8] = include_bytes!("../../../assets/fonts/Phosphor-Bold.ttf");

pub(crate) fn icon_family() -> FontFamily {
    FontFamily::Name("icons".into())
}

/// Fonts: Inter in two weights and the icons; for missing glyphs the fonts of letters from right to left, then egui's own fonts.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let fallback = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let [regular, bold] = scene::fonts::RIGHT_TO_LEFT;
    for (family, name, bytes, others) in [
        (FontFamily::Proportional, "Inter", scene::fonts::REGULAR, &regular[..]),
        (semi_bold(), "Inter SemiBold", scene::fonts::SEMI_BOLD, &bold[..]),
        (icon_family(), "Phosphor Bold", ICONS, &[]),
    ] {
        let of_family = std::iter::once((name, bytes)).chain(others.iter().copied());
        let mut names = Vec::new();
        for (name, bytes) in of_family {
            fonts.font_data.insert(name.to_owned(), FontData::from_static(bytes).into());
            names.push(name.to_owned());
        }
        fonts.families.insert(family, names.into_iter().chain(fallback.clone()).collect());
    }
    fonts
}

/// Text in the weight of headings.
pub fn bold(text: impl Into<String>) -> RichText {
    RichText::new(text).family(semi_bold())
}

/// The heading of a section.
pub fn heading(text: impl Into<String>) -> RichText {
    bold(text).size(text::HEADING)
}

/// The name of what is open.
pub fn title(text: impl Into<String>) -> RichText {
    bold(text).size(text::TITLE)
}

/// Small text, such as captions.
pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text).size(text::SMALL)
}

/// A font for painted text.
pub fn font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// A font for painted text in the weight of headings.
pub fn bold_font(size: f32) -> FontId {
    FontId::new(size, semi_bold())
}

fn widget(fill: Color32, border: Color32, text: Color32) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, border),
        corner_radius: CornerRadius::same(size::RADIUS),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    }
}

fn visuals(theme: Theme) -> Visuals {
    let (palette, base) = match theme {
        Theme::Light => (&LIGHT, Visuals::light()),
        Theme::Dark => (&DARK, Visuals::dark()),
    };
    let shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: palette.shadow };
    Visuals {
        widgets: Widgets {
            noninteractive: widget(palette.panel, palette.border, palette.text),
            inactive: widget(palette.raised, palette.border_strong, palette.text),
            hovered: widget(palette.raised_hover, palette.faint, palette.text),
            active: widget(palette.accent_soft, palette.accent, palette.text),
            open: widget(palette.raised_hover, palette.accent, palette.text),
        },
        selection: Selection { bg_fill: palette.accent_soft, stroke: Stroke::new(1.0, palette.accent) },
        weak_text_color: Some(palette.weak),
        hyperlink_color: palette.accent,
        faint_bg_color: palette.raised_hover.gamma_multiply(0.5),
        extreme_bg_color: palette.surface,
        code_bg_color: palette.raised_hover,
        warn_fg_color: palette.warn,
        error_fg_color: palette.bad,
        window_corner_radius: CornerRadius::same(10),
        window_shadow: shadow,
        window_fill: palette.panel,
        window_stroke: Stroke::new(1.0, palette.border_strong),
        menu_corner_radius: CornerRadius::same(8),
        panel_fill: palette.panel,
        popup_shadow: shadow,
        slider_trailing_fill: true,
        interact_cursor: Some(egui::CursorIcon::PointingHand),
        // A cursor that blinks paints twice a second for nothing.
        text_cursor: egui::style::TextCursorStyle { blink: false, ..base.text_cursor.clone() },
        ..base
    }
}

fn shape(style: &mut Style) {
    style.text_styles = [
        (TextStyle::Small, font(text::SMALL)),
        (TextStyle::Body, font(text::BODY)),
        (TextStyle::Button, font(text::BODY)),
        (TextStyle::Heading, bold_font(text::HEADING)),
        (TextStyle::Monospace, FontId::new(text::BODY, FontFamily::Monospace)),
    ]
    .into();
    style.spacing.item_spacing = vec2(space::S, space::S);
    style.spacing.button_padding = vec2(space::M, space::XS);
    style.spacing.interact_size = vec2(40.0, size::CONTROL);
    style.spacing.window_margin = Margin::same(16);
    style.spacing.menu_margin = Margin::same(6);
    style.spacing.menu_spacing = 4.0;
    style.spacing.icon_width = 16.0;
    style.spacing.icon_width_inner = 10.0;
    style.spacing.icon_spacing = 6.0;
    style.spacing.tooltip_width = 320.0;
    style.spacing.combo_height = 320.0;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.selectable_labels = false;
    style.animation_time = 0.1;
}

/// Puts fonts, sizes and both themes into `ctx`.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts());
    ctx.add_plugin(FieldGuard::default());
    // The keys are commands of the window, which also remembers the size.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    for theme in [Theme::Light, Theme::Dark] {
        ctx.style_mut_of(theme, shape);
        ctx.set_visuals_of(theme, visuals(theme));
    }
}

#[cfg(test)]
mod tests;
