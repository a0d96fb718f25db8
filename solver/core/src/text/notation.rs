//! Separators of decimals and thousands: all numbers of a column together decide what its points and commas mean.
//!
//! `1.250` is 1250 where commas separate decimals and 1.25 where points do. A number that has one reading only (`900,25`, `12.5`,
//! `1.250,50`) is evidence for the whole column; where there is none, or evidence for both, numbers with two
//! readings are refused.

use super::columns::is_same_unit;
use super::lines::{Read, quoted};

/// Separator of decimals; the other character separates groups of three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `1,250.5`
    Point,
    /// `1.250,5`
    Comma,
}

impl Notation {
    /// A number with a decimal point and without separators; `None` if the text is no number in this notation. Blanks and
    /// apostrophes separate groups, too.
    fn read(self, text: &str) -> Option<String> {
        let (decimal, group) = if self == Self::Point { ('.', ',') } else { (',', '.') };
        let (whole, fraction) = text.split_once(decimal).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        if fraction.is_some_and(|fraction| fraction.contains([decimal, group])) {
            return None;
        }
        let digits = whole.trim_start_matches(['+', '-']);
        let mut groups = digits.split(group);
        let first = groups.next().unwrap_or_default();
        let is_grouped = digits.contains(group);
        let is_first = !is_grouped || (1..=3).contains(&first.len()) && !first.starts_with('0');
        if !is_first || groups.any(|group| group.len() != 3) {
            return None;
        }
        let whole = whole.replace(group, "");
        Some(fraction.map_or_else(|| whole.clone(), |fraction| format!("{whole}.{fraction}")))
    }
}

/// Readings of one text as a number by points and by commas. Blanks must have been taken away.
fn readings(text: &str) -> [Option<String>; 2] {
    [Notation::Point, Notation::Comma].map(|notation| {
        let read = notation.read(text)?;
        read.parse().is_ok_and(f64::is_finite).then_some(read)
    })
}

/// Text without the characters that only set digits apart, and with a minus sign that parsers know.
fn bare(text: &str) -> String {
    let kept = text.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '\'' | '’'));
    kept.map(|letter| if letter == '−' { '-' } else { letter }).collect()
}

/// Splits a cell into a number and the unit behind it: `520,0 m²` is `520,0` and `m²`. The unit of other texts is empty, also of
/// `8:30`, `1h30` and `1/2`, which are no numbers.
pub(crate) fn split_unit(cell: &str) -> (&str, &str) {
    let (number, unit) = split_number(cell);
    if is_unit(unit) { (number, unit) } else { (cell.trim(), "") }
}

/// Returns `true` for a unit that stands for a share of something else, such as per cent.
fn is_share(unit: &str) -> bool {
    unit.starts_with(['%', '‰'])
}

/// Unit of a column that a cell without a unit in its heading shows: the unit behind its number. A share such as 25 % is a number
/// of its own and shows none.
pub(crate) fn unit_of(cell: &str) -> &str {
    let unit = split_unit(cell).1;
    if is_share(unit) { "" } else { unit }
}

/// Splits the unit from the number of a cell, as [`split_unit`], and compares it with the units of its column.
///
/// # Errors
/// A number in another unit than all of `usual`, or a share: a quarter of something else is not 25. `usual` are the units that the
/// column may have, empty ones where there is none; shares are read where the first of them is one.
pub(crate) fn number_in_unit<'a>(cell: &'a str, usual: [&str; 2]) -> Read<&'a str> {
    let (number, unit) = split_unit(cell);
    let is_alike = |other: &&str| is_same_unit(unit, other);
    if unit.is_empty() || usual.iter().take(if is_share(unit) { 1 } else { 2 }).any(is_alike) {
        return Ok(number);
    }
    let column = usual.iter().find(|unit| !unit.is_empty() && !is_alike(unit));
    Err(match column {
        _ if is_share(unit) => format!("{} is a share of another number; write the number itself", quoted(cell)),
        Some(column) => format!("{} is not in {column}, the unit of the column; convert it", quoted(cell)),
        None => format!("{} is not in the unit of the column; convert it", quoted(cell)),
    })
}

/// Returns `true` for a text without digits, except for the power of a unit of length at its end.
fn is_unit(text: &str) -> bool {
    let length = text.strip_suffix(['2', '3']).filter(|side| side.ends_with(['m', 't', 'n', '^']));
    let is_clock = text.starts_with(':');
    !is_clock && !length.unwrap_or(text).contains(|letter: char| letter.is_ascii_digit())
}

/// Splits a cell behind the number that it begins with; the rest of other texts is empty.
fn split_number(cell: &str) -> (&str, &str) {
    let cell = cell.trim();
    let is_part = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || ".,'’+-−".contains(letter);
    let at = cell.find(|letter| !is_part(letter)).unwrap_or(cell.len());
    let (number, unit) = cell.split_at(at);
    let is_exponent = unit.starts_with(['e', 'E']) && cell.parse::<f64>().is_ok();
    if is_exponent || !number.contains(|letter: char| letter.is_ascii_digit()) {
        return (cell, "");
    }
    (number.trim_end(), unit)
}

/// Decimal signs that the numbers of a column prove.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    point: bool,
    comma: bool,
}

impl Evidence {
    /// Looks at a cell; one without a number or with two readings shows nothing.
    pub fn look(&mut self, cell: &str) {
        match readings(&bare(split_unit(cell).0)) {
            [Some(_), None] => self.point = true,
            [None, Some(_)] => self.comma = true,
            _ => {}
        }
    }

    /// Evidence of all `cells`.
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a str>) -> Self {
        let mut evidence = Self::default();
        cells.into_iter().for_each(|cell| evidence.look(cell));
        evidence
    }

    /// Evidence of both; of the rest of a table only if the column itself has none.
    #[must_use]
    pub fn or(self, table: Self) -> Self {
        if self == Self::default() { table } else { self }
    }

    /// Evidence of both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { point: self.point || other.point, comma: self.comma || other.comma }
    }

    /// The notation that is shown; `None` if none is, or both are.
    fn notation(self) -> Option<Notation> {
        match (self.point, self.comma) {
            (true, false) => Some(Notation::Point),
            (false, true) => Some(Notation::Comma),
            _ => None,
        }
    }

    /// A number with a decimal point and without separators.
    ///
    /// # Errors
    /// A text without a number; one with two readings of which nothing tells the right one, with both readings and the remedy.
    pub fn read(self, text: &str) -> Read<String> {
        let [point, comma] = readings(&bare(text));
        match (self.notation(), point, comma) {
            (Some(Notation::Point), Some(read), _) | (Some(Notation::Comma), _, Some(read)) => Ok(read),
            (_, Some(point), Some(comma)) if point != comma => Err(self.both(text, &point, &comma)),
            (_, Some(read), _) | (_, None, Some(read)) => Ok(read),
            (_, None, None) => Err(format!("{} is not a number", quoted(text.trim()))),
        }
    }

    /// As [`Self::read`], of whole numbers; `None` for other texts. Spreadsheets write 12.0 for 12.
    pub(crate) fn read_whole(self, text: &str) -> Option<String> {
        let read = self.read(text).ok()?;
        let (whole, fraction) = read.split_once('.').unwrap_or((&read, ""));
        fraction.bytes().all(|digit| digit == b'0').then(|| whole.to_owned())
    }

    /// A whole number that stands alone, where nothing but whole numbers makes sense: of two readings of which nothing tells the right
    /// one, the only whole one counts.
    ///
    /// # Errors
    /// As [`Self::read`]; numbers with a fraction are read.
    pub fn plain_whole(self, text: &str) -> Read<String> {
        let is_whole = |number: &String| number.parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
        match (self.notation(), readings(&bare(text)).map(|reading| reading.filter(is_whole))) {
            (None, [Some(whole), None] | [None, Some(whole)]) => Self::default().plain(&whole),
            _ => self.plain(text),
        }
    }

    /// A number as parsers of digits and decimal points know it: without separators, whole numbers without a fraction of zeros. Other
    /// texts stay as they are, so that whoever wants a number says what is wrong.
    ///
    /// # Errors
    /// A number with two readings of which nothing tells the right one.
    pub fn plain(self, text: &str) -> Read<String> {
        if let Some(doubt) = self.doubt(text) {
            return Err(doubt);
        }
        let number = || self.read_whole(text).or_else(|| self.read(text).ok());
        Ok(number().unwrap_or_else(|| text.trim().to_owned()))
    }

    /// Message about a number with two readings of which nothing tells the right one; `None` for other texts.
    pub fn doubt(self, text: &str) -> Option<String> {
        match (self.notation(), readings(&bare(text))) {
            (None, [Some(point), Some(comma)]) if point != comma => Some(self.both(text, &point, &comma)),
            _ => None,
        }
    }

    fn both(self, text: &str, point: &str, comma: &str) -> String {
        let short = |read: &str| read.parse::<f64>().map_or_else(|_| read.to_owned(), |value| value.to_string());
        let [point, comma] = [point, comma].map(short);
        let why = match self.point {
            true => "the column has decimal points and decimal commas",
            false => "no other number tells which",
        };
        let (text, ways) = (quoted(text.trim()), [&comma, &point].map(|number| unmistakable(number)).join(" or "));
        format!("{text} is {comma} or {point}, and {why}; write {ways}")
    }
}

/// Returns `true` for a text that begins with a number in any notation, such as one with a unit behind it.
pub fn is_number(cell: &str) -> bool {
    readings(&bare(split_number(cell).0)).iter().any(Option::is_some)
}

/// A number with a decimal point, written so that it has one reading only: 1.250 becomes 1.2500.
pub fn unmistakable(number: &str) -> String {
    match readings(number) {
        [Some(point), Some(comma)] if point != comma => format!("{number}0"),
        _ => number.to_owned(),
    }
}

/// A text in which earlier versions wrote numbers with decimal points, each of them written so that it has one reading only:
/// `1.125x20` becomes `1.1250x20`.
pub(crate) fn unmistakable_numbers(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let ends = text
        .char_indices()
        .filter(|&(at, letter)| at > 0 && is_part(letter) != text[..at].chars().next_back().is_some_and(is_part));
    let (mut begin, mut written) = (0, String::new());
    for end in ends.map(|(at, _)| at).chain([text.len()]) {
        written += &unmistakable(&text[begin..end]);
        begin = end;
    }
    written
}

/// A number with a decimal point and with one reading only, as the program writes it into tables, files and options.
pub fn written(number: f64) -> String {
    unmistakable(&number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cells: &[&str], is_whole: bool) -> Vec<Option<String>> {
        let evidence = Evidence::of(cells.iter().copied());
        let read = |cell: &str| if is_whole { evidence.read_whole(cell) } else { evidence.read(cell).ok() };
        cells.iter().map(|cell| read(split_unit(cell).0)).collect()
    }

    #[test]
    fn the_column_decides_what_points_and_commas_mean() {
        let cases: [(&[&str], bool, &[&str]); 12] = [
            (&["1.250,50", "1.250", "900,25"], false, &["1250.50", "1250", "900.25"]),
            (&["1,250.50", "1,250", "900.25"], false, &["1250.50", "1250", "900.25"]),
            (&["1.250", "12.5"], false, &["1.250", "12.5"]),
            (&["1.250", "0.125"], false, &["1.250", "0.125"]),
            (&["1.250", "1.250.000"], false, &["1250", "1250000"]),
            (&["1.250", "12,5"], false, &["1250", "12.5"]),
            (&["1.000", "2.500.000"], true, &["1000", "2500000"]),
            (&["12.0", "1.000"], true, &["12", "1"]),
            (&["12,5", "12.5"], false, &["12.5", "12.5"]),
            (&["1 250", "1'250", "−3", "+4", "1e-7", ".5"], false, &["1250", "1250", "-3", "+4", "1e-7", ".5"]),
            (&["520,0 m²", "1.250 m2"], false, &["520.0", "1250"]),
            (&["1.2500", "2"], false, &["1.2500", "2"]),
        ];
        for (cells, is_whole, expected) in cases {
            let expected: Vec<Option<String>> = expected.iter().map(|text| Some((*text).to_owned())).collect();
            assert_eq!(read(cells, is_whole), expected, "{cells:?}");
        }
    }

    #[test]
    fn numbers_with_two_readings_are_refused_with_both() {
        let alone = Evidence::of(["1.250", "900"]);
        let why = alone.read("1.250").unwrap_err();
        assert_eq!(why, "«1.250» is 1250 or 1.25, and no other number tells which; write 1250 or 1.25");
        let why = alone.read("1,125").unwrap_err();
        assert!(why.contains("write 1.1250 or 1125"), "{why}");
        assert_eq!(alone.read("900"), Ok("900".to_owned()));
        let both = Evidence::of(["1.250,50", "85.5", "1.250"]);
        let why = both.read("1.250").unwrap_err();
        assert!(why.contains("has decimal points and decimal commas"), "{why}");
        assert_eq!(both.read("85.5"), Ok("85.5".to_owned()));
        for text in ["", "soon", "1.2.3", "1,2,3", "06.10.2026", "12.34,5", "1,2,3.4.5", "-", "1.25.000"] {
            assert!(Evidence::default().read(text).unwrap_err().contains("not a number"), "{text}");
        }
    }

    #[test]
    fn a_whole_number_that_stands_alone_has_its_whole_reading() {
        let alone = Evidence::default();
        for (text, whole) in
            [("1.250", "1250"), ("1,250", "1250"), ("1 250", "1250"), ("12.0", "12"), ("1.250.000", "1250000")]
        {
            assert_eq!(alone.plain_whole(text), Ok(whole.to_owned()), "{text}");
        }
        assert!(alone.plain_whole("1.000").unwrap_err().contains("write 1000 or 1"));
        assert_eq!(Evidence::of(["0.5"]).plain_whole("1.250"), Ok("1.250".to_owned()), "the column decides");
        assert_eq!(alone.plain_whole("much"), Ok("much".to_owned()));
    }

    #[test]
    fn shares_are_numbers_of_their_own() {
        assert_eq!(["25 %", "3 ‰", "520 m²", "4"].map(unit_of), ["", "", "m²", ""]);
        assert_eq!(number_in_unit("25 %", ["%", ""]), Ok("25"));
        for usual in [["", "%"], ["m²", "%"], ["", ""]] {
            let why = number_in_unit("25 %", usual).unwrap_err();
            assert_eq!(why, "«25 %» is a share of another number; write the number itself");
        }
        assert_eq!(number_in_unit("5 qm", ["", "m²"]), Ok("5"));
        assert_eq!(
            number_in_unit("5 ft", ["", "m"]).unwrap_err(),
            "«5 ft» is not in m, the unit of the column; convert it"
        );
    }

    #[test]
    fn what_is_written_has_one_reading() {
        for (number, written) in
            [("1.125", "1.1250"), ("0.125", "0.125"), ("1250", "1250"), ("12.5", "12.5"), ("-3.001", "-3.0010")]
        {
            assert_eq!(unmistakable(number), written);
            let value: f64 = number.parse().unwrap();
            assert_eq!(Evidence::default().read(written).unwrap().parse::<f64>().unwrap(), value);
        }
        let stored =
            [("1.125x20", "1.1250x20"), ("8.54x13.001", "8.54x13.0010"), ("20 × 1.125 m", "20 × 1.1250 m"), ("", "")];
        for (text, written) in stored {
            assert_eq!(unmistakable_numbers(text), written);
        }
    }

    #[test]
    fn units_behind_numbers_are_set_apart() {
        let split = ["520,0 m²", "25%", "1 200 m2", "1e5", "A1", "12", "- m"].map(split_unit);
        let expected =
            [("520,0", "m²"), ("25", "%"), ("1 200", "m2"), ("1e5", ""), ("A1", ""), ("12", ""), ("- m", "")];
        assert_eq!(split, expected);
        let none = ["8:00", "8:30", "1h30", "1h32", "1/2", "5 x 3"];
        assert_eq!(none.map(split_unit), none.map(|text| (text, "")));
        assert_eq!(["5 /day", "5 mm3", "8 h", "4 m^2"].map(|text| split_unit(text).1), ["/day", "mm3", "h", "m^2"]);
        assert!(none.iter().all(|text| Evidence::default().read(split_unit(text).0).is_err()));
    }
}
