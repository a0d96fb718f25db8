//! Codes in `.sol` files: in quotation marks, as in CSV, where a sign of the code separates codes.

/// Signs between the rooms of a sitting and between sittings.
const SEPARATORS: [char; 2] = [',', ';'];

/// Formats a code: in quotation marks, which are doubled inside, if it has one of `signs`, begins with a quotation mark, or has white
/// space at its ends; line ends become blanks, which spell the same code.
fn written(code: &str, signs: &[char]) -> String {
    let line: String = code.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let is_plain = !line.contains(signs) && !line.starts_with('"') && line.trim() == code && !line.is_empty();
    if is_plain { line } else { format!("\"{}\"", line.replace('"', "\"\"")) }
}

/// Formats the code of an exam at the beginning of a line.
pub(super) fn of_exam(code: &str) -> String {
    written(code, &['@'])
}

/// Formats the code of a room among others.
pub(super) fn of_room(code: &str) -> String {
    written(code, &SEPARATORS)
}

/// Splits a text that begins with a code in quotation marks behind the closing one; `None` without such a code.
pub(super) fn split_quoted(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut marks = inner.match_indices('"').map(|(at, _)| at).peekable();
    while let Some(at) = marks.next() {
        if marks.next_if_eq(&(at + 1)).is_none() {
            return Some(text.split_at(at + 2));
        }
    }
    None
}

/// The code in quotation marks; `None` if the text is none.
pub(super) fn unquoted(text: &str) -> Option<String> {
    let (quoted, rest) = split_quoted(text)?;
    let inner = quoted.get(1..quoted.len() - 1)?;
    rest.is_empty().then(|| inner.replace("\"\"", "\""))
}

/// Splits a list of rooms with their students, `H1:120, "H2, left":30`, at a sign that is not within quotation marks.
pub(super) fn split(text: &str, sign: char) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    let mut is_first = true;
    while let Some(letter) = text[at..].chars().next() {
        // In files of former versions a quotation mark may be a sign of a code.
        let quoted = split_quoted(&text[at..]).filter(|(_, rest)| is_first && rest.starts_with(':'));
        if let Some((code, _)) = quoted {
            at += code.len();
            is_first = false;
            continue;
        }
        if letter == sign {
            parts.push(&text[start..at]);
            start = at + letter.len_utf8();
        }
        is_first = SEPARATORS.contains(&letter) || is_first && letter.is_whitespace();
        at += letter.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use crate::formats::solution::{SolutionFile, SolutionOptions, parse, write_solution};
    use crate::occupancy::tests::seated;
    use crate::{Instance, Timetable};
    use gridwright_core::text::Source;
    use proptest::prelude::*;

    fn read(name: &str, text: &str, instance: &Instance) -> SolutionFile {
        parse(Source { path: Path::new(name), text }, instance, SolutionOptions { counted_from: None }).unwrap()
    }

    /// The session of [`seated`] with exam A in two rooms and these codes of exams and rooms.
    fn coded(codes: &[String]) -> (Instance, Timetable) {
        let (mut instance, mut timetable) = seated();
        timetable.rooms[0] = vec![crate::Seats { room: 0, students: 1 }, crate::Seats { room: 1, students: 1 }];
        for (exam, code) in instance.exams.iter_mut().zip(&codes[..2]) {
            exam.code.clone_from(code);
        }
        for (room, code) in instance.resources.rooms.iter_mut().zip(&codes[2..]) {
            room.code.clone_from(code);
        }
        (instance, timetable)
    }

    /// Codes whose signs have a meaning in one of the formats; no two are one code but for their spelling.
    fn messy() -> impl Strategy<Value = Vec<String>> {
        let code = r#"[aB1,;:@"'()=+ \t\n«é-]{0,6}[aB1,;:@"')]"#;
        let is_apart = |codes: &Vec<String>| {
            let keys = codes.iter().map(|code| gridwright_core::data::key(code));
            keys.filter(|key| !key.is_empty()).collect::<BTreeSet<_>>().len() == codes.len()
        };
        proptest::collection::vec(code, 5).prop_filter("codes differ", is_apart)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn solution_files_read_back_whatever_the_codes(codes in messy()) {
            let (instance, timetable) = coded(&codes);
            let text = write_solution(&instance, &timetable);
            let file = read("plan.sol", &text, &instance);
            prop_assert_eq!(&file.timetable, &timetable, "{}", text);
            prop_assert!(file.mismatches.is_empty(), "{:?} {}", file.mismatches, text);
        }
    }

    #[test]
    fn codes_are_quoted_only_where_they_need_it() {
        let codes = ["A, 1", "B 2", "Turnhalle Süd; West", "R5 (2)", "\"Aula\""].map(str::to_owned);
        let (instance, timetable) = coded(&codes);
        let text = write_solution(&instance, &timetable);
        let first = "A, 1 0 @ \"Turnhalle Süd; West\":1, R5 (2):1; R5 (2):1; \"\"\"Aula\"\"\":1";
        assert_eq!(text.lines().next(), Some(first));
        // A former version wrote quotation marks as they are.
        let former = text.replace("\"\"\"Aula\"\"\"", "\"Aula\"");
        assert_eq!(read("plan.sol", &former, &instance).timetable, timetable);
    }
}
