//! Stamp on exports of a solution that violates something: one line in every picture, document and workbook, and the list of
//! violations.
//!
//! Files for other programs (CSV, solution files) carry no stamp; whoever writes them tells the person.

use crate::numbers::counted_as;
use crate::result::Violation;
use crate::scene::fonts::elide;
use crate::scene::palette::Palette;
use crate::scene::paper::{A4_ACROSS, MARGIN};
use crate::scene::{Anchor, Colour, Scene};
use crate::workbook::{Book, MAX_ROWS, Style, Value, Written, text};

/// Words for a kind of violation: its identifier, the noun for one and the noun for several.
pub type Noun = (&'static str, &'static str, &'static str);

/// Number of violations listed below the stamp of a picture.
const IN_PICTURE: usize = 6;

/// Number of violations listed in a document.
const IN_DOCUMENT: usize = 400;

/// Stamp of a solution with violations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    line: String,
    violations: Vec<Violation>,
}

impl Stamp {
    /// Stamp for these violations; `None` if there are none. Kinds that `nouns` lacks are counted as further violations.
    pub fn of<K: AsRef<str>>(violations: &[Violation<K>], nouns: &[Noun]) -> Option<Self> {
        if violations.is_empty() {
            return None;
        }
        let count = |kind: &str| violations.iter().filter(|violation| violation.kind.as_ref() == kind).count() as u64;
        let mut parts: Vec<String> = nouns
            .iter()
            .map(|&(kind, one, several)| (count(kind), one, several))
            .filter(|&(count, ..)| count > 0)
            .map(|(count, one, several)| counted_as(count, one, several))
            .collect();
        let others =
            violations.iter().filter(|violation| !nouns.iter().any(|noun| noun.0 == violation.kind.as_ref())).count();
        if others > 0 {
            let (one, several) =
                if parts.is_empty() { ("violation", "violations") } else { ("other violation", "other violations") };
            parts.push(counted_as(others as u64, one, several));
        }
        Some(Self { line: format!("Not feasible: {}", parts.join(", ")), violations: Violation::stored(violations) })
    }

    /// The stamp with another line, as documents in other languages have it.
    #[must_use]
    pub fn reworded(self, line: String) -> Self {
        Self { line, ..self }
    }

    /// The stamp in one line, such as «Not feasible: 3 clashes, 1 exam without a period».
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Texts of at most `most` violations; if there are more, a last line states how many.
    pub fn lines(&self, most: usize) -> Vec<String> {
        Violation::lines(&self.violations, most)
    }

    /// The stamp without the texts of violations of other kinds, which are counted all the same.
    #[must_use]
    pub fn telling(mut self, kinds: impl Fn(&str) -> bool) -> Self {
        self.violations.retain(|violation| kinds(&violation.kind));
        self
    }

    /// Puts the stamp and the first violations in a band above a picture.
    pub fn above(&self, mut scene: Scene) -> Scene {
        const SIZE: f32 = 9.0;
        const LINE: f32 = 13.0;
        let lines = self.lines(IN_PICTURE);
        let height = BAND + 8.0 + lines.len() as f32 * LINE;
        scene.shift_down(height);
        self.band(&mut scene, 0.0);
        let mut base = BAND + LINE;
        for line in lines {
            let line = elide(&line, SIZE, false, scene.width - 2.0 * PAD);
            scene.text((PAD, base), SIZE, Palette::LIGHT.alarm, Anchor::Start, line);
            base += LINE;
        }
        scene.title = format!("{} ({})", scene.title, self.line);
        scene
    }

    /// Puts the stamp into the upper margin of every sheet.
    pub fn mark(&self, pages: &mut [Scene]) {
        pages.iter_mut().for_each(|page| self.band(page, 4.0));
    }

    fn band(&self, scene: &mut Scene, top: f32) {
        const SIZE: f32 = 11.0;
        scene.rectangle(0.0, top, scene.width, BAND, Palette::LIGHT.alarm);
        let line = elide(&self.line, SIZE, true, scene.width - 2.0 * PAD);
        scene.bold_text((PAD, top + 15.0), SIZE, Colour::hex(0xFFFFFF), Anchor::Start, line);
    }

    /// Sheets that list the violations.
    pub fn sheets(&self, name: &str) -> Vec<Scene> {
        const SIZE: f32 = 9.0;
        const LINE: f32 = 13.0;
        const PER_SHEET: usize = 36;
        let (width, height) = A4_ACROSS;
        let palette = Palette::LIGHT;
        let sheet = |lines: &[String]| {
            let mut sheet = Scene::new(width, height, format!("{name}: violations"), palette.background);
            sheet.bold_text((MARGIN, 48.0), 14.0, palette.ink, Anchor::Start, "Violations");
            for (line, number) in lines.iter().zip(0_u16..) {
                let base = 72.0 + f32::from(number) * LINE;
                let line = elide(line, SIZE, false, width - 2.0 * MARGIN);
                sheet.text((MARGIN, base), SIZE, palette.ink, Anchor::Start, line);
            }
            sheet
        };
        self.lines(IN_DOCUMENT).chunks(PER_SHEET).map(sheet).collect()
    }

    /// Adds a sheet `Violations` to a workbook.
    ///
    /// # Errors
    /// As [`Book::table`].
    pub fn sheet(&self, book: &mut Book) -> Written {
        let rows = self.violations.len().min(MAX_ROWS);
        let mut sheet = book.table("Violations", &[("Kind", 14.0), ("Violation", 110.0)], rows)?;
        for (row, violation) in (1..).zip(self.violations.iter().take(rows)) {
            sheet.row(row, [Value::Text(violation.kind.clone(), Style::Label), text(&violation.text)])?;
        }
        Ok(())
    }
}

/// Height of the band in points, and the distance of its text from the left edge.
const BAND: f32 = 22.0;
const PAD: f32 = 12.0;

/// The picture with its stamp, if it has one.
pub fn stamped(scene: Scene, stamp: Option<&Stamp>) -> Scene {
    match stamp {
        Some(stamp) => stamp.above(scene),
        None => scene,
    }
}

/// Verdict in the summary of a workbook: the stamp's line, or `good`.
pub fn verdict<'a>(stamp: Option<&'a Stamp>, good: &'a str) -> &'a str {
    stamp.map_or(good, Stamp::line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;

    const NOUNS: [Noun; 2] =
        [("clash", "clash", "clashes"), ("unplaced", "exam without a period", "exams without a period")];

    fn stamp(kinds: &[&str]) -> Option<Stamp> {
        let violations: Vec<Violation> =
            kinds.iter().map(|kind| Violation::new(kind.to_string(), format!("a {kind}"))).collect();
        Stamp::of(&violations, &NOUNS)
    }

    #[test]
    fn a_stamp_counts_the_violations_by_kind() {
        let line = |kinds: &[&str]| stamp(kinds).unwrap().line().to_owned();
        assert_eq!(line(&["clash", "unplaced", "clash", "clash"]), "Not feasible: 3 clashes, 1 exam without a period");
        assert_eq!(line(&["lock", "clash"]), "Not feasible: 1 clash, 1 other violation");
        assert_eq!(line(&["lock", "lock"]), "Not feasible: 2 violations");
        assert_eq!(stamp(&[]), None);
    }

    #[test]
    fn a_picture_becomes_higher_and_keeps_its_shapes() {
        let mut scene = Scene::new(300.0, 100.0, "Plan", Colour::hex(0xFFFFFF));
        scene.text((5.0, 10.0), 8.0, Colour::hex(0), Anchor::Start, "A");
        let stamp = stamp(&["clash"; 8]).unwrap();
        let marked = stamp.above(scene);
        assert!(matches!(&marked.shapes[0], Shape::Text { y, text, .. } if text == "A" && *y == marked.height - 90.0));
        let words = |scene: &Scene| -> Vec<String> {
            let text = |shape: &Shape| if let Shape::Text { text, .. } = shape { Some(text.clone()) } else { None };
            scene.shapes.iter().filter_map(text).collect()
        };
        let said = words(&marked);
        assert!(said.contains(&"Not feasible: 8 clashes".to_owned()) && said.contains(&"… and 2 more".to_owned()));
        let sheets = stamp.sheets("Plan");
        assert_eq!((sheets.len(), words(&sheets[0]).len()), (1, 9));
        let mut pages = sheets;
        stamp.mark(&mut pages);
        assert!(words(&pages[0]).contains(&"Not feasible: 8 clashes".to_owned()));
    }
}
