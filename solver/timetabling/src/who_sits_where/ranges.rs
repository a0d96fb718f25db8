//! Words for the students of each room of a sitting: ranges of names such as «A–K», of codes such as «up to 1203456», and codes
//! of students whom no range tells: «A–K; number 1203456».
//!
//! Ranges follow from the settled students alone. Whoever has come later is told by number, unless the range of the room holds him
//! or her anyway, so that the words for all others stay as they were.

use gridwright_core::text::language::Language;
use gridwright_core::text::order::folded;

use crate::words;

/// A student with a place.
pub(super) struct Placed {
    /// Texts that tell the student from the neighbours in the list, the shortest first; the last is the code.
    pub words: Vec<String>,
    /// True if the list is in the order of names and the student has one.
    pub is_named: bool,
    /// Number of the room among those of the sitting.
    pub place: usize,
    /// True if the student was told this room and the words for its students.
    pub is_settled: bool,
}

impl Placed {
    fn code(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

/// Words for the students of each of `rooms` rooms; `None` for a room with all students of the sitting or none. `students` are in
/// the order of the list: those with names first.
pub(super) fn of_rooms(students: &[Placed], rooms: usize) -> Vec<Option<Words>> {
    let mut words = vec![None; rooms];
    if students.iter().all(|student| student.place == students[0].place) {
        return words;
    }
    let settled: Vec<&Placed> = students.iter().filter(|student| student.is_settled).collect();
    let is_named = settled.iter().any(|student| student.is_named);
    let (first, others): (Vec<&Placed>, Vec<&Placed>) =
        settled.into_iter().partition(|student| student.is_named == is_named);
    let runs = runs(&first);
    // Where a room has several ranges, they are told by whole names.
    let is_whole = runs.len() > rooms;
    let ranges = ranges(&runs, is_named, is_whole);
    let mut numbers: Vec<Vec<String>> = vec![Vec::new(); rooms];
    for run in self::runs(&others) {
        let (from, to) = (run[0].code(), run[run.len() - 1].code());
        let text = if run.len() == 1 { from.to_owned() } else { format!("{from}–{to}") };
        numbers[run[0].place].push(text);
    }
    for (at, late) in students.iter().enumerate().filter(|(_, student)| !student.is_settled) {
        let of_group = |other: &&Placed| other.is_settled && other.is_named == late.is_named;
        let neighbours = [students[..at].iter().rev().find(of_group), students[at..].iter().find(of_group)];
        let mut neighbours = neighbours.into_iter().flatten().peekable();
        let is_held = neighbours.peek().is_some() && neighbours.all(|other| other.place == late.place);
        if !is_held {
            numbers[late.place].push(late.code().to_owned());
        }
    }
    for (place, (word, numbers)) in words.iter_mut().zip(numbers).enumerate() {
        let own = runs.iter().zip(&ranges).filter(|(run, _)| run[0].place == place);
        let ranges: Vec<Range> = own.map(|(_, range)| range.clone()).collect();
        *word = (!ranges.is_empty() || !numbers.is_empty()).then_some(Words { ranges, numbers });
    }
    words
}

/// Part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Range {
    /// One name or code.
    One(String),
    /// From one name or code to another.
    Between(String, String),
    /// Everyone up to this name or code.
    UpTo(String),
    /// Everyone from this name or code on.
    From(String),
    /// All who are not told by number.
    Others,
}

/// Words for the students of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    ranges: Vec<Range>,
    /// Codes, or ranges of them, of those whom no range tells.
    numbers: Vec<String>,
}

impl Words {
    /// The words in a language: «A–K; number 1203456».
    pub(crate) fn of(&self, language: Language) -> String {
        let range = |range: &Range| match range {
            Range::One(only) => only.clone(),
            Range::Between(from, to) => format!("{from}–{to}"),
            Range::UpTo(to) => words::UP_TO.with(language, &[to]),
            Range::From(from) => words::BEGINNING.with(language, &[from]),
            Range::Others => words::ALL_OTHERS.of(language).to_owned(),
        };
        let mut texts: Vec<String> = self.ranges.iter().map(range).collect();
        if let [first, ..] = self.numbers.as_slice() {
            let is_one = self.numbers.len() == 1 && !first.contains('–');
            let noun = if is_one { words::NUMBER } else { words::NUMBERS };
            texts.push(noun.with(language, &[&self.numbers.join(", ")]));
        }
        texts.join("; ")
    }
}

/// Students who follow each other and sit in one room.
fn runs<'a, 'b>(students: &'b [&'a Placed]) -> Vec<&'b [&'a Placed]> {
    students.chunk_by(|one, next| one.place == next.place).collect()
}

/// Words for each run; a single one holds all who are not told by number.
fn ranges(runs: &[&[&Placed]], is_named: bool, is_whole: bool) -> Vec<Range> {
    // Bounds between neighbouring runs: the end of one and the beginning of the next.
    let bounds: Vec<(String, String)> = runs
        .windows(2)
        .map(|pair| bound(&pair[0][pair[0].len() - 1].words, &pair[1][0].words, is_named, is_whole))
        .collect();
    let is_latin = |student: &Placed| folded(&student.words[0]).starts_with(|it: char| it.is_ascii_alphabetic());
    let is_latin = is_named && runs.iter().all(|run| is_latin(run[0]) && is_latin(run[run.len() - 1]));
    let range = |number: usize| {
        let from = number.checked_sub(1).map(|before| bounds[before].1.clone());
        let to = bounds.get(number).map(|bound| bound.0.clone());
        match (from, to) {
            (Some(from), Some(to)) if from == to => Range::One(from),
            (Some(from), Some(to)) => Range::Between(from, to),
            (None, Some(to)) if is_latin => Range::Between("A".to_owned(), to),
            (None, Some(to)) => Range::UpTo(to),
            (Some(from), None) if is_latin => Range::Between(from, "Z".to_owned()),
            (Some(from), None) => Range::From(from),
            (None, None) => Range::Others,
        }
    };
    (0..runs.len()).map(range).collect()
}

/// End of one part of a list and beginning of the next, as short as they can be: the beginnings of the first texts that
/// differ, or whole texts of codes and where `is_whole`.
fn bound(last: &[String], first: &[String], is_named: bool, is_whole: bool) -> (String, String) {
    if !is_named {
        let code = |texts: &[String]| texts.last().cloned().unwrap_or_default();
        return (code(last), code(first));
    }
    // Surname and full name; the texts behind them hold the code, which is not broken.
    let names = |texts: &[String]| texts.iter().take(2).cloned().collect::<Vec<_>>();
    for (last, first) in names(last).into_iter().zip(names(first)) {
        if folded(&last) == folded(&first) {
            continue;
        }
        if is_whole {
            return (last, first);
        }
        let beginning =
            |text: &str, letters: usize| text.chars().take(letters).collect::<String>().trim_end().to_owned();
        let longest = last.chars().count().max(first.chars().count());
        let differ = |letters: &usize| folded(&beginning(&last, *letters)) != folded(&beginning(&first, *letters));
        let letters = (1..=longest).find(differ).unwrap_or(longest);
        return (beginning(&last, letters), beginning(&first, letters));
    }
    let whole = |texts: &[String]| texts.get(2).or(texts.last()).cloned().unwrap_or_default();
    (whole(last), whole(first))
}
