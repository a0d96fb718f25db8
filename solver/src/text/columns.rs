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

    /// All names, the primary one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.synonyms.split_whitespace())
    }
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
    const FOLDED: [(&str, char); 18] = [
        ("àáâãäå", 'a'),
        ("ç", 'c'),
        ("èéêë", 'e'),
        ("ìíîï", 'i'),
        ("ñ", 'n'),
        ("òóôõö", 'o'),
        ("ùúûü", 'u'),
        ("ýÿ", 'y'),
        ("ά", 'α'),
        ("έ", 'ε'),
        ("ή", 'η'),
        ("ίϊΐ", 'ι'),
        ("ό", 'ο'),
        ("ύϋΰ", 'υ'),
        ("ώ", 'ω'),
        ("ς", 'σ'),
        ("œ", 'o'),
        ("æ", 'a'),
    ];
    if letter.is_ascii() {
        return letter;
    }
    FOLDED.iter().find(|(from, _)| from.contains(letter)).map_or(letter, |&(_, to)| to)
}

/// Position of each wanted column in a header; `None` if it is missing.
pub fn find<'a>(header: impl Iterator<Item = &'a str>, wanted: &[Column]) -> Vec<Option<usize>> {
    let names: Vec<String> = header.map(plain).collect();
    let find =
        |column: &Column| column.names().find_map(|synonym| names.iter().position(|name| *name == plain(synonym)));
    wanted.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_accents_and_punctuation() {
        assert_eq!(plain(" Prüfungs-Nr. "), "prufungsnr");
        assert_eq!(plain("ΦΟΙΤΗΤΗΣ"), plain("φοιτητής"));
        assert_eq!(plain("N° étudiant"), "netudiant");
        assert_eq!(plain("Straße 2"), "strasse2");
    }
}
