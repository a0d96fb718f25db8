//! Finds lines by a few letters of them, best first.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    /// Higher is better.
    pub score: u32,
    /// The places of the letters that matched, counted in characters, rising; only those in the first part of the line.
    pub places: Vec<u32>,
}

/// A typed query, prepared for comparison with many lines.
pub(crate) struct Query {
    pattern: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Query {
    /// Words in any order; letters of a word in their order, with gaps; upper and lower case are the same.
    pub(crate) fn new(text: &str) -> Self {
        let pattern = Pattern::parse(&escape(text), CaseMatching::Ignore, Normalization::Smart);
        Self { pattern, matcher: Matcher::new(Config::DEFAULT), buffer: Vec::new() }
    }

    /// Match of the query in `name` or in the text behind it; a match in the name alone is better; `None` if the
    /// letters do not occur in order.
    pub(crate) fn find(&mut self, name: &str, behind: &str) -> Option<Match> {
        if let Some(found) = self.score(name) {
            // Anything in the name is better than everything that needs the text behind it.
            return Some(Match { score: found.score.saturating_add(IN_NAME), ..found });
        }
        let length = name.chars().count() as u32;
        let mut found = self.score(&format!("{name} {behind}"))?;
        found.places.retain(|&place| place < length);
        Some(found)
    }

    fn score(&mut self, line: &str) -> Option<Match> {
        let mut places = Vec::new();
        let line = Utf32Str::new(line, &mut self.buffer);
        let score = self.pattern.indices(line, &mut self.matcher, &mut places)?;
        places.sort_unstable();
        places.dedup();
        Some(Match { score, places })
    }
}

const IN_NAME: u32 = 10_000;

/// Takes the signs that mean something to the matcher as letters.
fn escape(text: &str) -> String {
    let word = |word: &str| {
        let word = word.trim_end_matches('$');
        if word.starts_with(['!', '^', '\'']) { format!("\\{word}") } else { word.to_owned() }
    };
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<'a>(query: &str, names: &[&'a str]) -> Vec<&'a str> {
        let mut query = Query::new(query);
        let mut found: Vec<(u32, &str)> =
            names.iter().filter_map(|name| query.find(name, "").map(|found| (found.score, *name))).collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn letters_with_gaps_match_and_beginnings_of_words_are_better() {
        let names = ["Export PDF document…", "Smaller text", "Periods view", "Open…"];
        assert_eq!(order("pdf", &names), ["Export PDF document…"]);
        assert_eq!(order("pv", &names), ["Periods view"]);
        assert_eq!(order("op", &["Stop", "Open…"]), ["Open…", "Stop"]);
        assert!(order("xyz", &names).is_empty());
        assert_eq!(order("", &names).len(), 4);
        assert_eq!(order("!open", &["Open…"]), [""; 0], "a sign is a letter, not an exclusion");
    }

    #[test]
    fn the_text_behind_a_name_counts_less_and_has_no_places() {
        let mut query = Query::new("algebra");
        let name = query.find("Go to exam Algebra", "").unwrap();
        let behind = query.find("Go to exam 0042", "Linear algebra").unwrap();
        assert!(name.score > behind.score);
        assert_eq!(name.places, (11..18).collect::<Vec<u32>>());
        assert!(behind.places.is_empty());
    }
}
