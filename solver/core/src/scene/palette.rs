//! Colours of the pictures of all problems.

use super::Colour;

/// Colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Background.
    pub background: Colour,
    /// Background of cells and bars.
    pub panel: Colour,
    /// Alternating background; waiting times.
    pub stripe: Colour,
    /// Thin lines.
    pub line: Colour,
    /// Main text.
    pub ink: Colour,
    /// Secondary text.
    pub muted: Colour,
    /// Bars of load and utilisation.
    pub bar: Colour,
    /// Violations: clashes, exams without a period, late jobs.
    pub alarm: Colour,
    /// Outlines of violations and marks on them.
    pub alarm_edge: Colour,
}

impl Palette {
    /// Light palette, for paper.
    pub const LIGHT: Self = Self {
        background: Colour::hex(0xFFFFFF),
        panel: Colour::hex(0xF7F9FB),
        stripe: Colour::hex(0xEEF2F6),
        line: Colour::hex(0xDDE3EA),
        ink: Colour::hex(0x17212B),
        muted: Colour::hex(0x5A6875),
        bar: Colour::hex(0xB4C2CF),
        alarm: Colour::hex(0xD81E3A),
        alarm_edge: Colour::hex(0x7A0018),
    };

    /// Dark palette, for screens.
    pub const DARK: Self = Self {
        background: Colour::hex(0x12161B),
        panel: Colour::hex(0x191F26),
        stripe: Colour::hex(0x202730),
        line: Colour::hex(0x2E3843),
        ink: Colour::hex(0xE9EEF3),
        muted: Colour::hex(0x97A5B2),
        bar: Colour::hex(0x4B5B6A),
        alarm: Colour::hex(0xFF4D63),
        alarm_edge: Colour::hex(0xFFD5DA),
    };

    /// Returns [`Self::DARK`] if `dark`, else [`Self::LIGHT`].
    pub const fn of(dark: bool) -> Self {
        if dark { Self::DARK } else { Self::LIGHT }
    }

    /// Colour of waiting times between two operations, deliberately faint.
    pub fn waiting(&self) -> Colour {
        self.stripe.mix(self.bar, 0.28)
    }
}

/// Text colour, near-black or white, with the better contrast on `ground`.
pub fn readable_on(ground: Colour) -> Colour {
    let linear = |channel: u8| (f32::from(channel) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(ground.red) + 0.7152 * linear(ground.green) + 0.0722 * linear(ground.blue);
    // Contrast is equal at luminance √(1.05 · 0.05) − 0.05 = 0.18; white looks calmer on saturated blue until slightly
    // above.
    if luminance > 0.23 { Colour::hex(0x0B1420) } else { Colour::hex(0xFFFFFF) }
}

/// Categorical colours, for items without an order such as jobs; all carry dark text, none is close to the alarm colour
/// or the background.
///
/// Chosen greedily from OKLCH (lightness 0.62 to 0.86, chroma up to 0.11) to maximise the smallest distance to the
/// previous ones under normal vision, protanopia, deuteranopia and tritanopia as simulated by G. Machado, M. Oliveira,
/// L. Fernandes, «A physiologically-based model for simulation of color vision deficiency», IEEE TVCG 15(6), 2009.
const CATEGORIES: [u32; 16] = [
    0x6DB1EC, 0xB37736, 0xEAB26B, 0x9777AB, 0x67D5B8, 0x60A98E, 0xE4C1FA, 0xD790C5, 0xD0D897, 0x9D9C5D, 0x958DD8,
    0x0F9B89, 0x9EE3C0, 0x84BA8F, 0xB685B1, 0xAACA91,
];

/// Colour of category `number`; the sequence repeats after 32.
pub fn category(number: usize) -> Colour {
    let colour = Colour::hex(CATEGORIES[number % CATEGORIES.len()]);
    // The second round is paler.
    let again = (number / CATEGORIES.len()) % 2 == 1;
    if again { colour.mix(Colour::hex(0xFFFFFF), 0.35) } else { colour }
}

/// Colour scales from the smallest to the largest share in the cost, for light and dark backgrounds: luminance is
/// monotonic, and no two neighbours differ by red and green only. After YlGnBu of C. Brewer's «ColorBrewer».
const LIGHT_SCALE: [u32; 6] = [0xBEE3BC, 0x86CFB8, 0x48B5C1, 0x2A8CBE, 0x2457A4, 0x0B1F5E];
const DARK_SCALE: [u32; 6] = [0x27485E, 0x2A6F93, 0x2F9CB5, 0x6CC6B5, 0xBCE6AF, 0xFFFBC8];

/// Colour of a position on the scale, 0 (no cost) to 1 (largest), for the dark theme if `dark`.
pub fn cost_colour(share: f32, dark: bool) -> Colour {
    let stops = if dark { &DARK_SCALE } else { &LIGHT_SCALE };
    let last = stops.len() - 1;
    let position = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * last as f32;
    let below = (position as usize).min(last - 1);
    Colour::hex(stops[below]).mix(Colour::hex(stops[below + 1]), position - below as f32)
}

/// Colour of the thing with this number, mixed with the background because names and lines are drawn on top.
pub fn pale_category(number: usize, palette: &Palette) -> Colour {
    category(number).mix(palette.background, 0.55)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(channel: u8) -> f32 {
        (f32::from(channel) / 255.0).powf(2.2)
    }

    fn luminance(colour: Colour) -> f32 {
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
    }

    #[test]
    fn categories_differ_and_carry_letters() {
        let colours: Vec<Colour> = (0..32).map(category).collect();
        for (at, &colour) in colours.iter().enumerate() {
            assert!(!colours[..at].contains(&colour), "{at}");
            let [ground, ink] = [colour, readable_on(colour)].map(luminance);
            let contrast = (ground.max(ink) + 0.05) / (ground.min(ink) + 0.05);
            assert!(contrast >= 4.5, "{at}: {contrast}");
            // Red alone is late.
            assert!(u16::from(colour.red) < 2 * u16::from(colour.green), "{at}");
        }
        assert_eq!(category(0), category(32));
    }
}
