//! Promises of the colours: text is legible, meanings stay apart, also for people who do not see red or green.

use super::*;

fn luminance(colour: Color32) -> f32 {
    let rgba = egui::Rgba::from(colour);
    0.2126 * rgba.r() + 0.7152 * rgba.g() + 0.0722 * rgba.b()
}

/// The contrast of WCAG 2.2: (L₁ + 0.05) / (L₂ + 0.05).
fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Every pair of a text and what is behind it that the window paints.
fn text_pairs(palette: &Palette) -> Vec<(&'static str, Color32, &'static str, Color32)> {
    let grounds = [
        ("panel", palette.panel),
        ("surface", palette.surface),
        ("raised", palette.raised),
        ("raised_hover", palette.raised_hover),
        ("accent_soft", palette.accent_soft),
    ];
    let mut pairs = Vec::new();
    for (ground, behind) in grounds {
        pairs.extend([
            ("text", palette.text, ground, behind),
            ("weak", palette.weak, ground, behind),
            ("accent", palette.accent, ground, behind),
            ("good", palette.good, ground, behind),
            ("warn", palette.warn, ground, behind),
            ("bad", palette.bad, ground, behind),
        ]);
    }
    for (name, colour) in [("text", palette.text), ("weak", palette.weak), ("bad", palette.bad)] {
        pairs.push((name, colour, "bad_soft", palette.bad_soft));
    }
    pairs.push(("on_accent", palette.on_accent, "accent", palette.accent));
    pairs.push(("on_accent", palette.on_accent, "accent_hover", palette.accent_hover));
    pairs.push(("on_clash", palette.on_clash(), "clash", palette.clash));
    // Badges have a pale background of their own colour.
    for (name, colour) in [("good", palette.good), ("warn", palette.warn), ("bad", palette.bad)] {
        pairs.push((name, colour, "badge", palette.panel.blend(colour.gamma_multiply(0.14))));
    }
    pairs
}

#[test]
fn all_text_has_the_contrast_of_wcag_aa() {
    for (theme, palette) in [("light", &LIGHT), ("dark", &DARK)] {
        let low: Vec<String> = text_pairs(palette)
            .into_iter()
            .filter(|(_, colour, _, behind)| contrast(*colour, *behind) < 4.5)
            .map(|(name, colour, ground, behind)| format!("{name} on {ground}: {:.2}", contrast(colour, behind)))
            .collect();
        assert!(low.is_empty(), "{theme}: {low:#?}");
        for step in 0..=20 {
            let share = step as f32 / 20.0;
            let found = contrast(palette.on_cost(share), palette.cost(share));
            assert!(found >= 4.5, "{theme}: text on the cost of share {share}: {found:.2}");
        }
    }
}

#[test]
fn curves_and_the_ring_of_the_focus_are_seen() {
    for palette in [&LIGHT, &DARK] {
        for ground in [palette.panel, palette.surface] {
            for colour in palette.curves.into_iter().chain([palette.accent, palette.clash]) {
                assert!(contrast(colour, ground) >= 3.0, "{colour:?} on {ground:?}: {}", contrast(colour, ground));
            }
        }
    }
}

#[test]
fn the_scale_rises_steadily_from_the_ground() {
    for palette in [&LIGHT, &DARK] {
        let contrasts: Vec<f32> =
            (0..=10).map(|step| contrast(palette.cost(step as f32 / 10.0), palette.surface)).collect();
        assert!(contrasts.windows(2).all(|pair| pair[0] < pair[1]), "{contrasts:?}");
    }
}

/// Colours as seen without red or without green cones: linear RGB through the matrices for severity 1 of
/// Machado, Oliveira and Fernandes, «A physiologically-based model for simulation of color vision deficiency», IEEE TVCG
/// 15(6), 2009.
const SIGHTS: [(&str, [[f32; 3]; 3]); 3] = [
    ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
];

/// A colour in CIE L*a*b* (D65) after it was seen.
fn seen(colour: Color32, sight: &[[f32; 3]; 3]) -> [f32; 3] {
    let rgba = egui::Rgba::from(colour);
    let rgb = [rgba.r(), rgba.g(), rgba.b()];
    let [r, g, b] = sight.map(|row| row.iter().zip(rgb).map(|(a, c)| a * c).sum::<f32>().clamp(0.0, 1.0));
    let x = (0.412_456 * r + 0.357_576 * g + 0.180_437 * b) / 0.950_47;
    let y = 0.212_673 * r + 0.715_152 * g + 0.072_175 * b;
    let z = (0.019_334 * r + 0.119_192 * g + 0.950_304 * b) / 1.088_83;
    let f = |t: f32| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
}

/// The distance of two colours as they are seen: CIE 1976, where about 2.3 is just noticed.
fn distance(a: Color32, b: Color32, sight: &[[f32; 3]; 3]) -> f32 {
    let (a, b) = (seen(a, sight), seen(b, sight));
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

#[test]
fn meanings_stay_apart_for_the_colour_blind() {
    for (theme, palette) in [("light", &LIGHT), ("dark", &DARK)] {
        let pairs = [
            ("clash and low cost", palette.clash, palette.cost(0.0), 25.0),
            ("clash and middle cost", palette.clash, palette.cost(0.5), 25.0),
            ("clash and high cost", palette.clash, palette.cost(1.0), 25.0),
            ("clash and the ground", palette.clash, palette.surface, 30.0),
            ("low and high cost", palette.cost(0.0), palette.cost(1.0), 40.0),
            ("good and bad", palette.good, palette.bad, 19.0),
            ("good and warn", palette.good, palette.warn, 12.0),
            ("good and text", palette.good, palette.text, 15.0),
            ("bad and text", palette.bad, palette.text, 15.0),
            ("accent and bad", palette.accent, palette.bad, 30.0),
        ];
        for (sight, matrix) in &SIGHTS {
            for (names, a, b, least) in pairs {
                let found = distance(a, b, matrix);
                assert!(found >= least, "{theme}, {sight}: {names} are {found:.1} apart, not {least}");
            }
        }
    }
}

#[test]
fn the_first_curves_stay_apart_for_the_colour_blind() {
    for palette in [&LIGHT, &DARK] {
        for (sight, matrix) in &SIGHTS {
            for (index, a) in palette.curves.iter().enumerate() {
                for b in &palette.curves[index + 1..] {
                    let found = distance(*a, *b, matrix);
                    assert!(found >= 10.0, "{sight}: curves {a:?} and {b:?} are {found:.1} apart");
                }
            }
        }
    }
}
