//! The glossary: terms that the window uses, what they mean, and the search for the term that a text on the screen names.
//!
//! Terms of all problems are in [`shared::TERMS`], those of one problem in the table of its [`crate::problem::ProblemUi`].

pub mod shared;

/// A term with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Name of the entry, in sentence case.
    pub name: &'static str,
    /// Other words for it that the window uses, in sentence case.
    pub synonyms: &'static [&'static str],
    /// Explanation in one to three sentences.
    pub definition: &'static str,
    /// Places in the window that show it, as a sentence.
    pub seen: &'static str,
    /// Author, title and year of the source; empty if there is none.
    pub source: &'static str,
    /// Names of other entries that the explanation leads to.
    pub related: &'static [&'static str],
}

impl Term {
    /// Name and synonyms.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.synonyms.iter().copied())
    }
}

/// A text on the screen, with the character that the person means if it is a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    /// The whole text.
    pub text: String,
    /// Index of a character in the text; `None` if the whole text is meant.
    pub at: Option<usize>,
}

/// A text with more words than this names a term only by the word that is pointed at.
const LABEL: usize = 8;

/// The term that a text names: the whole text, else the longest name around the character that is meant, else the longest
/// name in a short text. Earlier terms win; `None` if the text names none.
pub(crate) fn find<'a>(terms: &[&'a Term], words: &Words) -> Option<&'a Term> {
    let tokens = tokens(&words.text);
    let all: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
    let named = |wanted: &dyn Fn(&[String], usize) -> bool| {
        let mut best: Option<(usize, &'a Term)> = None;
        for term in terms {
            for name in term.names() {
                let name: Vec<String> = self::tokens(name).into_iter().map(|token| token.word).collect();
                let places = 0..(all.len() + 1).saturating_sub(name.len());
                let fits = |begin: &usize| name.iter().zip(&all[*begin..]).all(|(name, word)| is_same(name, word));
                let is_longer = best.is_none_or(|(length, _)| name.len() > length);
                if is_longer && places.filter(fits).any(|begin| wanted(&name, begin)) {
                    best = Some((name.len(), term));
                }
            }
        }
        best.map(|(_, term)| term)
    };
    let whole = named(&|name, _| name.len() == all.len());
    let around = |at: usize| {
        let pointed = tokens.iter().position(|token| (token.first..=token.last).contains(&at))?;
        named(&|name, begin| (begin..begin + name.len()).contains(&pointed))
    };
    whole.or_else(|| around(words.at?)).or_else(|| (all.len() <= LABEL).then(|| named(&|_, _| true)).flatten())
}

/// A word of a text in lower case, with the places of its characters: the last one is the one behind the word.
struct Token {
    word: String,
    first: usize,
    last: usize,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut is_inside = false;
    for (at, letter) in text.chars().enumerate() {
        let belongs = letter.is_alphanumeric();
        if belongs && !is_inside {
            tokens.push(Token { word: String::new(), first: at, last: at });
        }
        if let Some(token) = tokens.last_mut().filter(|_| belongs) {
            token.word.extend(letter.to_lowercase());
            token.last = at + 1;
        }
        is_inside = belongs;
    }
    tokens
}

/// Returns `true` if two words are equal but for a plural.
fn is_same(name: &str, word: &str) -> bool {
    let longer = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        rest == Some("s")
            || rest == Some("es")
            || matches!((long.strip_suffix("ies"), short.strip_suffix('y')), (Some(a), Some(b)) if a == b)
    };
    name == word || (name.len() > 2 && word.len() > 2 && (longer(word, name) || longer(name, word)))
}

/// Returns `true` if an entry has these letters in its name or a synonym, or if they are empty; for the search field.
pub(crate) fn matches(term: &Term, query: &str) -> bool {
    let query = query.trim().to_lowercase();
    term.names().any(|name| name.to_lowercase().contains(&query))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn term(name: &'static str, synonyms: &'static [&'static str]) -> Term {
        Term { name, synonyms, definition: "", seen: "", source: "", related: &[] }
    }

    const TERMS: [Term; 4] = [
        term("Period", &[]),
        term("Temperature", &["Start temperature", "End temperature"]),
        term("Pareto front", &["Front"]),
        term("Density", &["Conflict density"]),
    ];

    fn found(text: &str, at: Option<usize>) -> Option<&'static str> {
        let terms: Vec<&Term> = TERMS.iter().collect();
        find(&terms, &Words { text: text.to_owned(), at }).map(|term| term.name)
    }

    #[test]
    fn labels_name_terms_whole_in_the_plural_and_within_a_few_words() {
        assert_eq!(found("Start temperature", None), Some("Temperature"));
        assert_eq!(found("PERIODS:", None), Some("Period"));
        assert_eq!(found("Densities", None), Some("Density"));
        assert_eq!(found("Members of the front", None), Some("Pareto front"));
        assert_eq!(found("31 periods", None), Some("Period"));
        assert_eq!(found("periodical", None), None, "a part of a word is no word");
    }

    #[test]
    fn in_sentences_the_word_that_is_pointed_at_counts() {
        let text = "The temperature falls while every period on the front is looked at again and again";
        assert_eq!(found(text, text.find("ature")), Some("Temperature"));
        assert_eq!(found(text, text.find("front")), Some("Pareto front"));
        assert_eq!(found(text, text.find("falls")), None);
        assert_eq!(found(text, None), None, "too long to be a label");
    }
}
