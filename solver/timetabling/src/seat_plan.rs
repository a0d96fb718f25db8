//! Seat plans of rooms: rows of seats of which some are not used, and who sits on which seat.
//!
//! A seat is named by the letter of its row, from the front, and its number in the row, from the left: `B7`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use gridwright_core::text::columns::plain;
use gridwright_core::text::lines::quoted;

/// Most rows of a plan, and most seats of a row.
const MOST: u16 = 200;

/// An example of a plan for messages.
const EXAMPLE: &str = "write rows x seats and, behind semicolons, what else holds, such as “12 x 8; without A1, C4–C6, row D; every second seat; \
                       every second row; by columns”";

/// Plan of the seats of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPlan {
    /// Number of rows.
    pub rows: u16,
    /// Number of seats in each row.
    pub seats: u16,
    /// Places without a seat that is used.
    pub without: BTreeSet<Place>,
    /// One seat of so many in a row is used, beginning with the first.
    pub(crate) seat_step: u16,
    /// One row of so many is used, beginning with the first.
    pub(crate) row_step: u16,
    /// True if seats are filled column after column instead of row after row.
    pub(crate) by_columns: bool,
}

/// Place of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Row, counted from 0 at the front.
    pub row: u16,
    /// Seat in the row, counted from 0 at the left.
    pub seat: u16,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", row_name(self.row), self.seat + 1)
    }
}

/// Letters of a row: A to Z, then AA to ZZ.
pub fn row_name(row: u16) -> String {
    let letter = |number: u16| char::from(b'A' + (number % 26) as u8);
    match row / 26 {
        0 => letter(row).to_string(),
        more => [letter(more - 1), letter(row)].iter().collect(),
    }
}

/// Row of these letters; `None` if they name none.
fn row_of(letters: &str) -> Option<u16> {
    let number = |letter: u8| letter.is_ascii_alphabetic().then(|| u16::from(letter.to_ascii_uppercase() - b'A'));
    match letters.as_bytes() {
        [one] => number(*one),
        [first, second] => Some(26 * (number(*first)? + 1) + number(*second)?),
        _ => None,
    }
}

impl Place {
    /// Place of a label such as `B7`; `None` if the text is no label.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.find(|letter: char| letter.is_ascii_digit())?;
        let seat = text[digits..].parse::<u16>().ok()?.checked_sub(1)?;
        Some(Self { row: row_of(text[..digits].trim())?, seat })
    }
}

impl SeatPlan {
    /// Reads a plan: `12 x 8`, and behind semicolons `without A1, C4–C6, row D, 3` (a number is a seat of every row), `every second
    /// seat`, `every second row`, `by columns`.
    ///
    /// # Errors
    /// A sentence that names the part which is not understood, with an example.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |part: &str| format!("{} is no seat plan; {EXAMPLE}", quoted(part.trim()));
        let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let size = parts.next().and_then(size).ok_or_else(|| wrong(text))?;
        let (rows, seats) = size;
        if !(1..=MOST).contains(&rows) || !(1..=MOST).contains(&seats) {
            return Err(format!("{} has no rows or seats, or more than {MOST}; {EXAMPLE}", quoted(text)));
        }
        let mut plan = Self { rows, seats, without: BTreeSet::new(), seat_step: 1, row_step: 1, by_columns: false };
        for part in parts {
            plan.read(part).ok_or_else(|| wrong(part))?;
        }
        match plan.places().is_empty() {
            true => Err(format!("{} leaves no seat; leave fewer seats out", quoted(text))),
            false => Ok(plan),
        }
    }

    /// Takes a part behind the size over; `None` if it is not understood.
    fn read(&mut self, part: &str) -> Option<()> {
        let (first, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        if ["without", "no", "ohne", "sans", "sin", "senza", "χωρις"].contains(&plain(first).as_str()) {
            for text in rest.split(',').map(str::trim).filter(|text| !text.is_empty()) {
                self.leave_out(text)?;
            }
            return Some(());
        }
        let words: Vec<String> = part.split_whitespace().map(plain).collect();
        let is_any = |known: &[&str]| words.iter().any(|word| known.iter().any(|start| word.starts_with(start)));
        let is_of_rows = is_any(&["row", "reihe", "rang", "fila", "σειρ"]);
        let is_of_columns = is_any(&["column", "spalte", "colonne", "columna", "στηλ"]);
        let is_of_seats = is_any(&["seat", "platz", "sitz", "place", "asiento", "posto", "θεσ"]);
        let is_every = is_any(&["every", "each", "jede", "chaque", "une", "cada", "ogni", "καθε"]);
        match words.iter().find_map(|word| step(word)) {
            Some(step) if is_of_rows && !is_of_columns => self.row_step = step,
            Some(step) if is_of_columns || is_of_seats || is_every => self.seat_step = step,
            None if is_of_rows != is_of_columns => self.by_columns = is_of_columns,
            _ => return None,
        }
        Some(())
    }

    /// Leaves seats out: `A1`, `C4–C6`, `row D`, `D`, or `3` for a seat of every row.
    fn leave_out(&mut self, text: &str) -> Option<()> {
        let ends: Vec<&str> = text.split(['-', '–', '—']).map(str::trim).collect();
        let (from, to) = match ends[..] {
            [one] => (one, one),
            [from, to] => (from, to),
            _ => return None,
        };
        let is_row_word = |word: &str| ["row", "reihe", "rang", "fila", "σειρα"].contains(&plain(word).as_str());
        let name = |text: &str| {
            text.split_once(' ').filter(|(word, _)| is_row_word(word)).map_or(text, |(_, name)| name).to_owned()
        };
        let (from, to) = (name(from), name(to));
        let all = |end: u16| 0..end;
        let (rows, seats) = match (Place::parse(&from), Place::parse(&to)) {
            (Some(from), Some(to)) if from.row == to.row => (from.row..to.row + 1, from.seat..to.seat + 1),
            (Some(from), Some(to)) => (from.row..to.row + 1, from.seat.min(to.seat)..from.seat.max(to.seat) + 1),
            _ => match (from.parse::<u16>(), to.parse::<u16>()) {
                (Ok(from), Ok(to)) => (all(self.rows), from.checked_sub(1)?..to),
                _ => (row_of(&from)?..row_of(&to)? + 1, all(self.seats)),
            },
        };
        if rows.is_empty() || seats.is_empty() || rows.end > self.rows || seats.end > self.seats {
            return None;
        }
        self.without.extend(rows.flat_map(|row| seats.clone().map(move |seat| Place { row, seat })));
        Some(())
    }

    /// Returns `true` if a place has a seat that is used.
    pub fn is_used(&self, place: Place) -> bool {
        let is_inside = place.row < self.rows && place.seat < self.seats;
        let is_step = place.row.is_multiple_of(self.row_step) && place.seat.is_multiple_of(self.seat_step);
        is_inside && is_step && !self.without.contains(&place)
    }

    /// Seats that are used, in the order in which they are filled.
    pub fn places(&self) -> Vec<Place> {
        let rows = || (0..self.rows).step_by(self.row_step.into());
        let seats = || (0..self.seats).step_by(self.seat_step.into());
        let all: Vec<Place> = match self.by_columns {
            false => rows().flat_map(|row| seats().map(move |seat| Place { row, seat })).collect(),
            true => seats().flat_map(|seat| rows().map(move |row| Place { row, seat })).collect(),
        };
        all.into_iter().filter(|place| !self.without.contains(place)).collect()
    }

    /// Used places directly beside, in front of and behind a place.
    fn neighbours(&self, place: Place) -> impl Iterator<Item = Place> + '_ {
        let Place { row, seat } = place;
        let beside = [seat.checked_sub(self.seat_step), seat.checked_add(self.seat_step)];
        let along = [row.checked_sub(self.row_step), row.checked_add(self.row_step)];
        let beside = beside.into_iter().flatten().map(move |seat| Place { row, seat });
        beside
            .chain(along.into_iter().flatten().map(move |row| Place { row, seat }))
            .filter(|place| self.is_used(*place))
    }
}

/// Number that a word such as «second» or «2nd» stands for, at least 1.
fn step(word: &str) -> Option<u16> {
    const WORDS: [(u16, [&str; 6]); 3] = [
        (2, ["second", "zweit", "deux", "segund", "secondo", "δευτερ"]),
        (3, ["third", "dritt", "trois", "tercer", "terz", "τριτ"]),
        (4, ["fourth", "viert", "quatre", "cuart", "quart", "τεταρτ"]),
    ];
    let digits = word.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(word.len());
    let number = word[..digits].parse().ok().filter(|&number| number > 0);
    let named = || WORDS.iter().find(|(_, starts)| starts.iter().any(|start| word.starts_with(start)));
    number.or_else(|| named().map(|(number, _)| *number))
}

/// Rows and seats of «12 x 8».
fn size(text: &str) -> Option<(u16, u16)> {
    let (rows, seats) = text.split_once(['x', 'X', '×', '*'])?;
    Some((rows.trim().parse().ok()?, seats.trim().parse().ok()?))
}

/// Someone to be seated: the exam, and the seat that was published, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Guest {
    /// Index of the exam.
    pub exam: usize,
    /// Published seat.
    pub kept: Option<Place>,
}

/// Seats people who are in a room at the same time. Whoever has a published seat that is still used keeps it, the first one where
/// several have the same. The others take free seats in the order of the plan; on each seat sits the next one of the exam that is
/// nowhere beside, in front or behind, if there is such an exam, and among these of the one with most people left. Those for whom
/// there is no seat have none.
pub fn seat(plan: &SeatPlan, guests: &[Guest]) -> Vec<Option<Place>> {
    let mut taken: HashMap<Place, usize> = HashMap::new();
    let mut places = vec![None; guests.len()];
    let mut waiting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, guest) in guests.iter().enumerate() {
        match guest.kept.filter(|place| plan.is_used(*place) && !taken.contains_key(place)) {
            Some(place) => {
                taken.insert(place, guest.exam);
                places[number] = Some(place);
            }
            None => waiting.entry(guest.exam).or_default().push(number),
        }
    }
    // The first of each exam is taken from the end.
    waiting.values_mut().for_each(|numbers| numbers.reverse());
    for place in plan.places() {
        if taken.contains_key(&place) {
            continue;
        }
        let same = |exam: usize| plan.neighbours(place).filter(|other| taken.get(other) == Some(&exam)).count();
        let chosen =
            waiting.iter().min_by_key(|(exam, numbers)| (same(**exam), std::cmp::Reverse(numbers.len()), **exam));
        let Some(exam) = chosen.map(|(exam, _)| *exam) else { break };
        if let Some(number) = waiting.get_mut(&exam).and_then(Vec::pop) {
            taken.insert(place, exam);
            places[number] = Some(place);
        }
        waiting.retain(|_, numbers| !numbers.is_empty());
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(plan: &str) -> Vec<String> {
        SeatPlan::parse(plan).unwrap().places().iter().map(Place::to_string).collect()
    }

    #[test]
    fn plans_are_read_as_offices_write_them() {
        assert_eq!(labels("2 x 3"), ["A1", "A2", "A3", "B1", "B2", "B3"]);
        assert_eq!(labels("2×3; by columns"), ["A1", "B1", "A2", "B2", "A3", "B3"]);
        assert_eq!(labels("2x3; without A1, b2–b3"), ["A2", "A3", "B1"]);
        assert_eq!(labels("3 x 2; ohne Reihe B, 1"), ["A2", "C2"]);
        assert_eq!(labels("3 X 4; jeder zweite Platz; every 2nd row"), ["A1", "A3", "C1", "C3"]);
        assert_eq!(labels("1 x 7; every third seat"), ["A1", "A4", "A7"]);
        assert_eq!(labels("1 x 25; every 20th seat"), ["A1", "A21"]);
        assert_eq!(labels("2 x 3; every second column; by rows"), ["A1", "A3", "B1", "B3"]);
        assert_eq!(labels("3 x 3; without A1–B2"), ["A3", "B3", "C1", "C2", "C3"]);
        assert_eq!(labels("28 x 1").last().unwrap(), "AB1");
        for label in ["A1", "Z12", "AB200"] {
            assert_eq!(Place::parse(label).unwrap().to_string(), label);
        }
        for (plan, expected) in [
            ("12", "«12» is no seat plan"),
            ("12 x 8; maybe", "«maybe» is no seat plan"),
            ("12 x 8; 2 doors", "«2 doors» is no seat plan"),
            ("2 x 2; without C1", "«without C1» is no seat plan"),
            ("0 x 8", "no rows or seats"),
            ("201 x 8", "more than 200"),
            ("1 x 2; without A", "leaves no seat"),
        ] {
            let error = SeatPlan::parse(plan).unwrap_err();
            assert!(error.contains(expected), "{plan}: {error}");
        }
    }

    fn guests(exams: &[usize]) -> Vec<Guest> {
        exams.iter().map(|&exam| Guest { exam, kept: None }).collect()
    }

    #[test]
    fn neighbours_write_different_exams_where_possible() {
        let plan = SeatPlan::parse("2 x 3").unwrap();
        let seated = seat(&plan, &guests(&[0, 0, 0, 1, 1, 1]));
        let of = |number: usize| seated[number].unwrap().to_string();
        assert_eq!([0, 1, 2, 3, 4, 5].map(of), ["A1", "A3", "B2", "A2", "B1", "B3"]);
        let one = seat(&plan, &guests(&[7, 7, 7]));
        assert_eq!(one.iter().map(|place| place.unwrap().to_string()).collect::<Vec<_>>(), ["A1", "A2", "A3"]);
    }

    proptest! {
        /// Everyone sits on a seat of his or her own as long as there are any, published seats are kept, and one who comes late moves
        /// nobody.
        #[test]
        fn seats_are_taken_once_and_kept(
            (rows, seats, step) in (1_u16..6, 1_u16..8, 1_u16..3), exams in proptest::collection::vec(0_usize..4, 0..40), late in 0_usize..4,
        ) {
            let plan = SeatPlan::parse(&format!("{rows} x {seats}{}", if step > 1 { "; every second seat" } else { "" })).unwrap();
            let first = seat(&plan, &guests(&exams));
            let taken: BTreeSet<Place> = first.iter().flatten().copied().collect();
            let expected = exams.len().min(plan.places().len());
            prop_assert_eq!((taken.len(), first.iter().flatten().count()), (expected, expected));
            prop_assert!(taken.iter().all(|place| plan.is_used(*place)));
            let mut all: Vec<Guest> = exams.iter().zip(&first).map(|(&exam, &kept)| Guest { exam, kept }).collect();
            all.insert(0, Guest { exam: late, kept: None });
            let second = seat(&plan, &all);
            prop_assert_eq!(&second[1..], &first[..]);
            prop_assert_eq!(second[0].is_some(), exams.len() < plan.places().len());
        }
    }
}
