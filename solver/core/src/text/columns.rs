//! Recognition of table columns by name, ignoring case, accents and punctuation.

/// Column with its possible names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Primary name, used in messages.
    pub name: &'static str,
    /// Other names, separated by blanks; none contains a blank.
    pub synonyms: &'static str,
    /// True if a table without this column is unusable.
    pub required: bool,
}

impl Column {
    /// Column without which a table is unusable.
    pub const fn required(name: &'static str, synonyms: &'static str) -> Self {
        Self { name, synonyms, required: true }
    }

    /// Column that a table may lack.
    pub const fn optional(name: &'static str, synonyms: &'static str) -> Self {
        Self { name, synonyms, required: false }
    }

    /// The column, which a table may lack.
    pub const fn or_none(self) -> Self {
        Self { required: false, ..self }
    }

    /// All names in the form of [`plain`], the primary one first; umlauts also as two letters: «Pruefung».
    fn plain_names(&self) -> impl Iterator<Item = String> {
        self.names().flat_map(plain_spellings)
    }

    /// All names, the primary one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.synonyms.split_whitespace())
    }
}

/// A name in the form of [`plain`], and with its umlauts as two letters if it has any.
pub(crate) fn plain_spellings(name: &str) -> impl Iterator<Item = String> {
    let spelled_out = name.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
    let other = (spelled_out != name).then(|| plain(&spelled_out));
    std::iter::once(plain(name)).chain(other)
}

/// Normalises a name for comparison: lower-case letters without accents, and digits.
pub fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for letter in name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase) {
        match letter {
            'ß' => plain.push_str("ss"),
            letter => plain.push(without_accent(letter)),
        }
    }
    plain
}

fn without_accent(letter: char) -> char {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'æ' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'œ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ý' | 'ÿ' => 'y',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        letter => letter,
    }
}

/// Units that count as such at the end of a heading without brackets; those of one letter could be a part of the name.
const UNITS: [&str; 22] = [
    "m²", "m2", "qm", "sqm", "cm²", "cm2", "mm²", "mm2", "ft²", "ft2", "sqft", "in²", "in2", "mm", "cm", "kg", "min",
    "std", "stk", "pcs", "%", "‰",
];

/// Spans of time by which amounts are counted, without case and accents: «pallets/day».
const SPANS: [&str; 18] = [
    "hour", "day", "shift", "week", "month", "year", "stunde", "tag", "schicht", "woche", "monat", "jahr", "heure",
    "jour", "semaine", "mois", "ημερα", "εβδομαδα",
];

/// Splits a heading that ends with an amount in a span of time into name and unit: «Flow pallets/day» is «Flow» and «pallets/day»,
/// «Paletten/Tag» is «Paletten» and «Paletten/Tag».
fn rate(heading: &str) -> Option<(&str, &str)> {
    let (amount, span) = heading.rsplit_once('/')?;
    if !SPANS.contains(&plain(span).as_str()) || amount.contains(['/', '(', '[']) {
        return None;
    }
    let amount = amount.trim_end();
    Some(match amount.rsplit_once(' ') {
        Some((name, noun)) => (name, &heading[amount.len() - noun.len()..]),
        None => (amount, heading),
    })
}

/// Returns `true` for two ways to write one unit: «m²» and «qm».
pub(crate) fn is_same_unit(one: &str, other: &str) -> bool {
    let usual = |unit: &str| {
        let unit = unit.trim().to_lowercase().replace('²', "2");
        match unit.as_str() {
            "qm" | "sqm" | "sq m" => "m2".to_owned(),
            "sqft" | "sq ft" => "ft2".to_owned(),
            _ => unit,
        }
    };
    usual(one) == usual(other)
}

/// Splits a heading into its name and the unit at its end, in brackets, as a word of its own or as an amount in a span of time:
/// «Flow (pallets/day)» is «Flow» and «pallets/day», «Area m²» is «Area» and «m²», «Trips/day» is «Trips» and «Trips/day».
pub fn with_unit(heading: &str) -> (&str, &str) {
    let heading = heading.trim();
    let bracketed = |open: char, close: char| heading.strip_suffix(close)?.rsplit_once(open);
    let last =
        || heading.rsplit_once([' ', '/']).filter(|(_, unit)| UNITS.contains(&unit.trim().to_lowercase().as_str()));
    let split = bracketed('(', ')').or_else(|| bracketed('[', ']')).or_else(last).or_else(|| rate(heading));
    let split = split.map(|(name, unit)| (name.trim(), unit.trim())).filter(|(name, _)| !name.is_empty());
    split.unwrap_or((heading, ""))
}

/// Words for one piece of an order, as [`plain`] writes them.
const PIECES: [&str; 13] =
    ["piece", "pieces", "pc", "pcs", "unit", "part", "stuck", "stk", "st", "teil", "τεμ", "τεμαχιο", "each"];

/// Words for a whole order.
const ORDERS: [&str; 8] = ["job", "order", "batch", "lot", "auftrag", "los", "commande", "παραγγελια"];

/// Words before them.
const PER: [&str; 5] = ["per", "je", "pro", "par", "ανα"];

/// Unit without the thing at its end, if that is one of `things`: «min» for «min/piece», «min je Stück» and «min per pc».
fn per<'u>(unit: &'u str, things: &[&str]) -> Option<&'u str> {
    let in_words = || {
        let (head, thing) = unit.rsplit_once(' ')?;
        let (base, word) = head.rsplit_once(' ').unwrap_or(("", head));
        PER.contains(&plain(word).as_str()).then_some((base, thing))
    };
    let (base, thing) = unit.rsplit_once('/').or_else(in_words)?;
    things.contains(&plain(thing).as_str()).then(|| base.trim())
}

/// Unit of the times of one piece without the piece: «min» for «min/piece». `None` for other units.
pub fn per_piece(unit: &str) -> Option<&str> {
    per(unit, &PIECES)
}

/// Unit of the times of a whole order without the order: «min» for «min/job» and «min je Auftrag». `None` for other units.
pub fn per_order(unit: &str) -> Option<&str> {
    per(unit, &ORDERS)
}

/// Unit of times without the piece or the order that they are stated for.
pub fn unit_of_time(unit: &str) -> &str {
    per_piece(unit).or_else(|| per_order(unit)).unwrap_or(unit)
}

/// Heading with its unit, which is empty if unknown, as [`with_unit`] takes it apart: «Duration (min)».
pub fn heading(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
}

/// All names of some columns in the form of [`plain`].
pub(crate) struct PlainNames(Vec<Vec<String>>);

impl PlainNames {
    /// The names of `columns`.
    pub fn of(columns: &[Column]) -> Self {
        Self(columns.iter().map(|column| column.plain_names().collect()).collect())
    }

    /// Position of each column in a header; `None` if it is missing. A name counts with and without the unit behind it.
    pub fn find<'a>(&self, header: impl Iterator<Item = &'a str>) -> Vec<Option<usize>> {
        let names: Vec<[String; 2]> = header.map(|heading| [plain(heading), plain(with_unit(heading).0)]).collect();
        let position =
            |synonym: &String| [0, 1].into_iter().find_map(|form| names.iter().position(|name| name[form] == *synonym));
        self.0.iter().map(|synonyms| synonyms.iter().find_map(position)).collect()
    }
}

/// Position of each wanted column in a header, as [`PlainNames::find`] finds it.
pub fn find<'a>(header: impl Iterator<Item = &'a str>, wanted: &[Column]) -> Vec<Option<usize>> {
    PlainNames::of(wanted).find(header)
}

/// As [`find`]; for columns not found that way, a heading counts that has one of their longer names as words of its own: «Exam code
/// (new)», but not «Versand» for «vers».
pub fn guess(header: &[String], wanted: &[Column]) -> Vec<Option<usize>> {
    const LONG: usize = 4;
    let mut found = find(header.iter().map(String::as_str), wanted);
    // A column that matches twice (a code that is also a «name») is assigned to the first.
    for later in 1..found.len() {
        if found[later].is_some() && found[..later].contains(&found[later]) {
            found[later] = None;
        }
    }
    let names: Vec<Vec<String>> = header.iter().map(|name| words(name)).collect();
    for at in 0..wanted.len() {
        if found[at].is_some() {
            continue;
        }
        let mut synonyms: Vec<String> = wanted[at].plain_names().collect();
        synonyms.retain(|name| name.chars().count() >= LONG);
        synonyms.sort_by_key(|name| std::cmp::Reverse(name.len()));
        found[at] = synonyms.iter().find_map(|synonym| {
            let free = |column: &usize| !found.contains(&Some(*column));
            (0..names.len()).filter(free).find(|&column| has_words(&names[column], synonym))
        });
    }
    found
}

/// Words of a heading in the form of [`plain`].
fn words(heading: &str) -> Vec<String> {
    heading.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(plain).collect()
}

/// Returns `true` if some words that follow each other are the name, which is written without blanks.
fn has_words(words: &[String], name: &str) -> bool {
    (0..words.len()).any(|first| {
        let mut rest = name;
        words[first..].iter().any(|word| match rest.strip_prefix(word.as_str()) {
            Some(left) => {
                rest = left;
                rest.is_empty()
            }
            // No further word can complete the name.
            None => {
                rest = "\0";
                false
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_behind_names_are_set_apart() {
        let split =
            ["Flow (pallets/day)", " Area [m²] ", "Area", "(m)", "Saw (old) x", "Fläche m²", "Line m"].map(with_unit);
        let [flow, area] = [("Flow", "pallets/day"), ("Area", "m²")];
        assert_eq!(
            split,
            [flow, area, ("Area", ""), ("(m)", ""), ("Saw (old) x", ""), ("Fläche", "m²"), ("Line m", "")]
        );
        let rates =
            ["Paletten/Tag", "Flow pallets / day", "Fluss/Woche", "and/or", "Fach/Modul", "a/b/day"].map(with_unit);
        let expected = [("Paletten", "Paletten/Tag"), ("Flow", "pallets / day"), ("Fluss", "Fluss/Woche")];
        assert_eq!(rates[..3], expected);
        assert_eq!(rates[3..], [("and/or", ""), ("Fach/Modul", ""), ("a/b/day", "")]);
        assert!(is_same_unit("m²", "qm") && is_same_unit("M2", "m²") && !is_same_unit("m", "m²"));
        let wanted = [Column::required("flow", "trips"), Column::optional("area", "")];
        assert_eq!(find(["Trips", "Flow (a)"].into_iter(), &wanted), [Some(1), None], "the primary name comes first");
        assert_eq!(
            find(["Area [m²]", "Flow (a)", "Flow"].into_iter(), &wanted),
            [Some(2), Some(0)],
            "exact names come first"
        );
    }

    #[test]
    fn units_state_what_times_are_for() {
        let of = |unit| (per_piece(unit), per_order(unit), unit_of_time(unit));
        assert_eq!(of("min/Stück"), (Some("min"), None, "min"));
        assert_eq!(of("h je Auftrag"), (None, Some("h"), "h"));
        assert_eq!(of("min/job"), (None, Some("min"), "min"));
        assert_eq!(
            ["pallets/day", "min", ""].map(of),
            [(None, None, "pallets/day"), (None, None, "min"), (None, None, "")]
        );
    }

    #[test]
    fn a_part_of_a_word_is_no_name_of_a_column() {
        let wanted = [Column::required("to", "vers nach"), Column::optional("exam code", "fach")];
        let guessed = |heading: &str| {
            let found = guess(&[heading.to_owned()], &wanted);
            found.iter().position(Option::is_some)
        };
        for heading in ["Versand", "Nachtschicht", "Einfach", "Exam encoded", "Danach", "code exam"] {
            assert_eq!(guessed(heading), None, "{heading}");
        }
        for (heading, column) in [("nach Halle", 0), ("Fach/Modul", 1), ("New exam code (2026)", 1), ("Exam-Code:", 1)]
        {
            assert_eq!(guessed(heading), Some(column), "{heading}");
        }
    }

    #[test]
    fn names_are_compared_without_case_accents_and_punctuation() {
        assert_eq!(plain(" Prüfungs-Nr. "), "prufungsnr");
        assert_eq!(plain("ΦΟΙΤΗΤΗΣ"), plain("φοιτητής"));
        assert_eq!(plain("N° étudiant"), "netudiant");
        assert_eq!(plain("Straße 2"), "strasse2");
        let wanted = [Column::required("exam", "prüfung"), Column::optional("rooms", "räume")];
        assert_eq!(find(["Raeume", "Pruefung"].into_iter(), &wanted), [Some(1), Some(0)]);
        assert_eq!(find(["Raume", "Prüfung"].into_iter(), &wanted), [Some(1), Some(0)]);
    }
}
