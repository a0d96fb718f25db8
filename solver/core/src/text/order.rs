//! Order of names and codes in lists for people.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Piece of a sort key. Numbers come before letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// Number of digits without leading zeros, and these digits.
    Number(usize, String),
    /// Folded letters.
    Letters(String),
}

/// Sort key of a name; equal texts have equal keys, different texts have different ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey(Vec<Piece>, String);

/// Sort key of a name or code: accents and capitals do not matter, numbers within it count by their value.
pub fn list_key(text: &str) -> ListKey {
    let folded = folded(text);
    let kinds: Vec<char> = folded.chars().collect();
    let pieces = kinds.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit()).map(|piece| {
        let letters: String = piece.iter().collect();
        match piece[0].is_ascii_digit() {
            true => {
                let digits = letters.trim_start_matches('0');
                Piece::Number(digits.len(), digits.to_owned())
            }
            false => Piece::Letters(letters),
        }
    });
    ListKey(pieces.collect(), text.to_owned())
}

/// Letters in lower case without accents, digits and single blanks.
pub fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match letter {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            letter if letter.is_alphanumeric() => folded.push(letter),
            // Apostrophes join: O'Brien is sorted as OBrien.
            '\'' | '’' | '`' => {}
            _ if folded.is_empty() || folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_in_the_order_of_a_printed_list() {
        let sorted = [
            "7", "0010", "1203456", "A 2", "A 10", "Ängström", "Anker", "de Boer", "Müller, Anna", "Müller, Zoë",
            "Mulligan", "O'Brien", "Odermatt", "Strasser", "Straßner", "Zander", "Øystein", "Αλεξίου",
        ];
        let mut mixed: Vec<&str> = sorted.iter().rev().copied().collect();
        mixed.sort_by_key(|name| list_key(name));
        // Ø is sorted as O, before Z.
        let mut expected = sorted.to_vec();
        let oystein = expected.remove(16);
        expected.insert(13, oystein);
        assert_eq!(mixed, expected);
        assert_ne!(list_key("Muller"), list_key("Müller"));
    }
}
