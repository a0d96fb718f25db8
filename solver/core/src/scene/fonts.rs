//! Embedded font of all pictures and its text metrics; exports do not depend on installed fonts.
//!
//! Inter, and Noto Sans for names in Arabic and Hebrew letters (SIL Open Font License 1.1), subset to the characters that plans need;
//! see `assets/fonts/README.md`.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb;

use crate::numbers::grouped;
use crate::text::lines::quoted;

/// Inter, weight 400, OpenType.
pub const REGULAR: &[u8] = include_bytes!("../../../../assets/fonts/Inter-Regular.otf");

/// Inter, weight 600, OpenType.
pub const SEMI_BOLD: &[u8] = include_bytes!("../../../../assets/fonts/Inter-SemiBold.otf");

/// Fonts of letters that are written from right to left, by weight: 400 and 700.
pub const RIGHT_TO_LEFT: [[(&str, &[u8]); 2]; 2] = [
    [
        ("Noto Sans Arabic", include_bytes!("../../../../assets/fonts/NotoSansArabic-Regular.ttf")),
        ("Noto Sans Hebrew", include_bytes!("../../../../assets/fonts/NotoSansHebrew-Regular.ttf")),
    ],
    [
        ("Noto Sans Arabic Bold", include_bytes!("../../../../assets/fonts/NotoSansArabic-Bold.ttf")),
        ("Noto Sans Hebrew Bold", include_bytes!("../../../../assets/fonts/NotoSansHebrew-Bold.ttf")),
    ],
];

/// Family name in SVG.
pub(crate) const FAMILY: &str = "Inter";

/// Font database of both weights and their fallbacks, without system fonts, for resvg.
pub(crate) fn database() -> Arc<fontdb::Database> {
    static DATABASE: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut database = fontdb::Database::new();
        database.load_font_source(fontdb::Source::Binary(Arc::new(REGULAR)));
        database.load_font_source(fontdb::Source::Binary(Arc::new(SEMI_BOLD)));
        for (_, font) in RIGHT_TO_LEFT.as_flattened() {
            database.load_font_source(fontdb::Source::Binary(Arc::new(*font)));
        }
        database.set_sans_serif_family(FAMILY);
        Arc::new(database)
    });
    Arc::clone(&DATABASE)
}

/// Advance widths in em, precomputed for Latin and looked up in the font otherwise.
struct Advances {
    face: Option<ttf_parser::Face<'static>>,
    /// Faces of letters that `face` lacks.
    fallbacks: Vec<ttf_parser::Face<'static>>,
    latin: [f32; LATIN],
}

/// Number of precomputed characters: up to Latin Extended-A.
const LATIN: usize = 0x180;

impl Advances {
    fn of(font: &'static [u8], fallbacks: &[(&str, &'static [u8])]) -> Self {
        let fallbacks = fallbacks.iter().filter_map(|(_, font)| ttf_parser::Face::parse(font, 0).ok()).collect();
        let mut advances = Self { face: ttf_parser::Face::parse(font, 0).ok(), fallbacks, latin: [0.0; LATIN] };
        for code in 0..LATIN as u32 {
            advances.latin[code as usize] = char::from_u32(code).map_or(0.0, |letter| advances.look_up(letter));
        }
        advances
    }

    fn look_up(&self, letter: char) -> f32 {
        let found = self.face.iter().chain(&self.fallbacks).find_map(|face| Some((face, face.glyph_index(letter)?)));
        // A missing character is drawn as glyph 0. Letters of Arabic that are joined are no wider than these.
        let Some((face, glyph)) = found.or(self.face.as_ref().map(|face| (face, ttf_parser::GlyphId(0)))) else {
            return 0.6;
        };
        face.glyph_hor_advance(glyph).map_or(0.6, |units| f32::from(units) / f32::from(face.units_per_em()))
    }

    fn has(&self, letter: char) -> bool {
        self.face.iter().chain(&self.fallbacks).any(|face| face.glyph_index(letter).is_some())
    }

    fn width(&self, letter: char) -> f32 {
        self.latin.get(letter as usize).copied().unwrap_or_else(|| self.look_up(letter))
    }
}

fn advances(bold: bool) -> &'static Advances {
    static WIDTHS: LazyLock<[Advances; 2]> = LazyLock::new(|| {
        let [regular, bold] = &RIGHT_TO_LEFT;
        [Advances::of(REGULAR, regular), Advances::of(SEMI_BOLD, bold)]
    });
    &WIDTHS[usize::from(bold)]
}

/// True if both weights have a glyph for the character.
pub fn has_glyph(letter: char) -> bool {
    advances(false).has(letter) && advances(true).has(letter)
}

/// Sentence about names with letters that no font has; `None` if all names can be drawn.
pub fn undrawn<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let lacks = |letter: char| letter as usize >= LATIN && !letter.is_control() && !has_glyph(letter);
    let mut lacking = names.filter(|name| name.contains(lacks));
    let first = quoted(lacking.next()?);
    let whom = match lacking.count() {
        0 => format!("{first} has"),
        1 => format!("{first} and 1 other name have"),
        others => format!("{first} and {} other names have", grouped(others as u64)),
    };
    Some(format!("{whom} letters that documents and pictures show as boxes; write them in Latin letters, too"))
}

/// Families of [`RIGHT_TO_LEFT`] in SVG, in their order.
const FAMILIES: [&str; 2] = ["Noto Sans Arabic", "Noto Sans Hebrew"];

/// Family of a letter that Inter lacks; `None` for other letters, and where no font has it.
fn family_of(letter: char) -> Option<&'static str> {
    let advances = advances(false);
    let lacks = (letter as usize) >= LATIN && advances.face.as_ref()?.glyph_index(letter).is_none();
    let at = advances.fallbacks.iter().position(|face| lacks && face.glyph_index(letter).is_some())?;
    FAMILIES.get(at).copied()
}

/// Divides a line into parts of one family each; `None` stands for Inter. Each part with letters of another family is shaped as a
/// whole, so that its letters are joined.
pub(super) fn by_family(text: &str) -> Vec<(Option<&'static str>, &str)> {
    let mut parts: Vec<(Option<&'static str>, std::ops::Range<usize>)> = Vec::new();
    for (at, letter) in text.char_indices() {
        let (family, end) = (family_of(letter), at + letter.len_utf8());
        match parts.last_mut() {
            Some((last, range)) if *last == family => range.end = end,
            _ => parts.push((family, at..end)),
        }
    }
    parts.into_iter().map(|(family, range)| (family, &text[range])).collect()
}

/// Width of a line of text in points, without kerning; `size` is the font size in points, `bold` chooses the bold face.
pub fn text_width(text: &str, size: f32, bold: bool) -> f32 {
    let advances = advances(bold);
    text.chars().map(|letter| advances.width(letter)).sum::<f32>() * size
}

/// Shortens text of this font size and weight to `width` points with a trailing «…»; returns an empty string if not
/// even one letter fits.
pub fn elide(text: &str, size: f32, bold: bool, width: f32) -> String {
    if text_width(text, size, bold) <= width {
        return text.to_owned();
    }
    let advances = advances(bold);
    let room = width / size - advances.width('…');
    let (mut used, mut end) = (0.0, 0);
    for (at, letter) in text.char_indices() {
        used += advances.width(letter);
        if used > room {
            break;
        }
        end = at + letter.len_utf8();
    }
    match text[..end].trim_end() {
        "" => String::new(),
        start => format!("{start}…"),
    }
}

/// Shortens text as [`elide`] does, but at its beginning: «…0123».
pub fn elide_start(text: &str, size: f32, bold: bool, width: f32) -> String {
    if text_width(text, size, bold) <= width {
        return text.to_owned();
    }
    let fits = |start: &usize| text_width(&format!("…{}", &text[*start..]), size, bold) <= width;
    let start = text.char_indices().map(|(at, _)| at).skip(1).find(fits);
    start.map_or_else(String::new, |start| format!("…{}", &text[start..]))
}

/// Least number of letters of a word on either side of a hyphen that is put in.
const LEAST_LETTERS: usize = 3;

/// First part of a word that is longer than `width` points, as it is written at the end of a line, and its length in bytes: up to its
/// last hyphen or slash that fits, otherwise with a hyphen between letters, or without one beside other signs.
fn first_part(word: &str, size: f32, bold: bool, width: f32) -> (String, usize) {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let part = |at: usize| {
        let (end, before) = (letters[at].0, letters[at - 1].1);
        let is_hyphenated = before.is_alphabetic() && letters[at].1.is_alphabetic();
        (format!("{}{}", &word[..end], if is_hyphenated { "-" } else { "" }), end)
    };
    let fits = |at: &usize| text_width(&part(*at).0, size, bold) <= width;
    let is_end = |at: &usize| matches!(letters[at - 1].1, '-' | '–' | '/');
    let is_free = |at: &usize| *at >= LEAST_LETTERS && at + LEAST_LETTERS <= letters.len();
    let fitting: Vec<usize> =
        (1..letters.len()).take_while(|at| text_width(&word[..letters[*at].0], size, bold) <= width).collect();
    let last = |wanted: &dyn Fn(&usize) -> bool| fitting.iter().rev().find(|at| wanted(at) && fits(at)).copied();
    let at = last(&is_end).or_else(|| last(&is_free)).or_else(|| last(&|_| true));
    at.map_or_else(|| (letters[0].1.to_string(), letters[0].1.len_utf8()), part)
}

/// Breaks text between words into lines of at most `width` points; a word that is longer is broken within, at its hyphens or with one,
/// so that nothing is lost. There is at least one line.
pub fn wrapped(text: &str, size: f32, bold: bool, width: f32) -> Vec<String> {
    let fits = |line: &str| text_width(line, size, bold) <= width;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let longer = if lines[last].is_empty() { word.to_owned() } else { format!("{} {word}", lines[last]) };
        if fits(&longer) {
            lines[last] = longer;
            continue;
        }
        if !lines[last].is_empty() {
            lines.push(String::new());
        }
        let mut rest = word;
        while !fits(rest) && rest.chars().nth(1).is_some() {
            let (line, end) = first_part(rest, size, bold, width);
            let last = lines.len() - 1;
            lines[last] = line;
            lines.push(String::new());
            rest = &rest[end..];
        }
        let last = lines.len() - 1;
        rest.clone_into(&mut lines[last]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_is_whole_and_fits() {
        let text = "Einführung in die Donaudampfschifffahrtsgesellschaftskunde für Fortgeschrittene";
        for width in [30.0, 80.0, 200.0, 2_000.0] {
            let lines = wrapped(text, 9.0, true, width);
            assert!(lines.iter().all(|line| text_width(line, 9.0, true) <= width), "{lines:?}");
            assert_eq!(lines.concat().replace([' ', '-'], ""), text.replace(' ', ""));
        }
        assert_eq!(wrapped("a b", 9.0, false, 1.0), ["a", "b"]);
        assert_eq!(wrapped(" ", 9.0, false, 10.0), [""]);
    }

    #[test]
    fn long_words_are_broken_at_hyphens_or_with_one() {
        let width = text_width("Otto-von-Guericke-Geb", 9.0, true);
        assert_eq!(wrapped("Otto-von-Guericke-Gebäude", 9.0, true, width), ["Otto-von-Guericke-", "Gebäude"]);
        let width = text_width("Prüfungsordnungsprü", 9.0, true);
        let lines = wrapped("Prüfungsordnungsprüfung", 9.0, true, width);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].ends_with('-') && lines[1].chars().count() >= LEAST_LETTERS, "{lines:?}");
        // A hyphen in a number would be read as a part of it.
        let width = text_width("123456", 9.0, true);
        assert_eq!(wrapped("1234567890", 9.0, true, width).concat(), "1234567890");
    }

    #[test]
    fn both_weights_are_found_under_one_family() {
        let database = database();
        let weights: Vec<u16> =
            database.faces().filter(|face| face.families.iter().any(|f| f.0 == FAMILY)).map(|f| f.weight.0).collect();
        assert_eq!(weights, [400, 600]);
    }

    #[test]
    fn the_fonts_hold_the_letters_of_plans() {
        for font in [REGULAR, SEMI_BOLD] {
            let face = ttf_parser::Face::parse(font, 0).unwrap();
            for letter in "AzÄßéŁőşğΩЖ0129≤≥×·−Σ→↑↓✓‘’“”…–—€■▲●".chars()
            {
                assert!(face.glyph_index(letter).is_some(), "{letter} is missing");
            }
        }
    }

    /// Names from right to left are drawn with letters, not with boxes, and measured as wide as these.
    #[test]
    fn names_in_arabic_and_hebrew_have_letters() {
        for letter in "فاطمة الزهراء ليאת כהן־לוי גֵּרְשׁוֹן".chars() {
            assert!(has_glyph(letter), "{letter}");
        }
        assert!(!has_glyph('漢'));
        for (name, bold) in [("فاطمة", false), ("ליאת", true)] {
            let text = format!(r#"<text x="4" y="20" font-family="{FAMILY}" font-size="12">{name}</text>"#);
            let drawn = |text: &str| {
                let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">{text}</svg>"#);
                let options = resvg::usvg::Options { fontdb: database(), ..resvg::usvg::Options::default() };
                let tree = resvg::usvg::Tree::from_str(&svg, &options).unwrap();
                tree.root().abs_bounding_box().width()
            };
            let (boxes, width) = (text_width("漢", 12.0, bold) * name.chars().count() as f32, drawn(&text));
            assert!(width > 10.0 && width <= text_width(name, 12.0, bold) + 3.0 && width < boxes, "{name}: {width}");
        }
    }

    #[test]
    fn names_that_cannot_be_drawn_are_counted() {
        assert_eq!(undrawn(["Nguyễn Thị Hạnh", "أحمد", "Ἀθηνᾶ", "O’Neil"].into_iter()), None);
        let told = undrawn(["Ann", "李小龙", "สมชาย", "दास"].into_iter()).unwrap();
        assert!(told.contains("李小龙") && told.contains("and 2 other names have letters"), "{told}");
        assert!(undrawn(["李"].into_iter()).unwrap().contains(" has letters"));
    }

    #[test]
    fn digits_are_equally_wide() {
        for bold in [false, true] {
            let narrow = text_width("1111", 10.0, bold);
            assert!((narrow - text_width("8888", 10.0, bold)).abs() < 0.05, "{narrow}");
            assert!(narrow > 20.0 && narrow < 30.0, "{narrow}");
        }
    }

    #[test]
    fn eliding_never_exceeds_the_room() {
        assert_eq!(elide("Analysis", 10.0, false, 100.0), "Analysis");
        let text = "Einführung in die Wahrscheinlichkeitsrechnung 🎓";
        for width in 0..400 {
            let elided = elide(text, 9.0, true, width as f32);
            assert!(text_width(&elided, 9.0, true) <= width as f32 + 1e-3, "{elided}");
            assert!(elided == text || elided.is_empty() || elided.ends_with('…'));
            let end = elide_start(text, 9.0, true, width as f32);
            assert!(text_width(&end, 9.0, true) <= width as f32 + 1e-3, "{end}");
            assert!(
                text.ends_with(end.trim_start_matches('…')) && (end == text || end.is_empty() || end.starts_with('…'))
            );
        }
    }
}
