//! Every character of the texts in the sources has a glyph in the fonts that the program ships, so that none is drawn as a box.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gridwright_core::scene::fonts::has_glyph;

/// Folders whose texts reach a window or a picture; the terminal has fonts of its own.
const FOLDERS: [&str; 4] = ["app/window", "app/problems", "app/src", "solver"];

/// Characters that are read, written as cells, or stand for one that cannot be drawn.
const NOT_DRAWN: [(&str, char); 4] = [
    ("data/canonical.rs", '\u{2714}'),
    ("bench/tables.rs", '\u{227b}'),
    ("bench/tables.rs", '\u{2281}'),
    ("scene/svg.rs", '\u{fffd}'),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() && name != "tests" {
            sources(&entry, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(entry);
        }
    }
}

/// Texts of a source: literals with their escapes resolved, and the comments that `parameters!` turns into help.
fn texts(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    for block in source.split("\nparameters! {").skip(1) {
        let block = block.split("\n}\n").next().unwrap_or_default();
        found.extend(block.lines().filter_map(|line| line.trim().strip_prefix("/// ")).map(str::to_owned));
    }
    let mut letters = source.chars().peekable();
    let (mut text, mut is_open) = (String::new(), false);
    while let Some(letter) = letters.next() {
        match (is_open, letter) {
            (false, '/') if letters.peek() == Some(&'/') => while letters.next_if(|&next| next != '\n').is_some() {},
            (false, '\'') => {
                // A character or a lifetime.
                let next = letters.next();
                if next == Some('\\') {
                    text.extend(escape(&mut letters));
                } else {
                    text.extend(next.filter(|_| letters.peek() == Some(&'\'')));
                }
                letters.next_if_eq(&'\'');
                found.push(std::mem::take(&mut text));
            }
            (_, '"') => {
                is_open = !is_open;
                found.push(std::mem::take(&mut text));
            }
            (true, '\\') => text.extend(escape(&mut letters)),
            (true, letter) => text.push(letter),
            (false, _) => {}
        }
    }
    found
}

/// The character of an escape such as `\u{2308}` whose backslash was read; `None` for one without a glyph.
fn escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> {
    if letters.next() != Some('u') {
        return None;
    }
    let digits: String = letters.by_ref().take_while(|&letter| letter != '}').filter(|letter| *letter != '{').collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

#[test]
fn the_reader_of_sources_finds_every_text() {
    let source = "// \u{230a} in a comment\nlet (a, b) = (\"x\\u{2308}\\\"y\", '\u{2309}');\nparameters! {\n    /// h\u{230b}\n}\n";
    let all = texts(source).concat();
    assert!(
        all.contains('\u{2308}') && all.contains('\u{2309}') && all.contains('\u{230b}') && all.contains('y'),
        "{all}"
    );
    assert!(!all.contains('\u{230a}'), "{all}");
}

#[test]
fn every_character_of_a_text_has_a_glyph() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut files, mut missing) = (Vec::new(), BTreeSet::new());
    FOLDERS.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 300, "{} sources", files.len());
    for file in files {
        let text = texts(&std::fs::read_to_string(&file).unwrap()).concat();
        let name = file.to_string_lossy().replace('\\', "/");
        // Icons are private characters of a font of their own; format characters, byte-order marks and noncharacters have no glyph.
        let is_drawn = |letter: &char| {
            !letter.is_control()
                && !('\u{e000}'..='\u{f8ff}').contains(letter)
                && !('\u{2000}'..='\u{206f}').contains(letter)
                && !['\u{feff}', '\u{fffe}'].contains(letter)
        };
        let boxes = text.chars().filter(is_drawn).filter(|&letter| !has_glyph(letter));
        let boxes = boxes.filter(|letter| !NOT_DRAWN.iter().any(|(end, other)| other == letter && name.ends_with(end)));
        missing.extend(boxes.map(|letter| format!("{letter} (U+{:04X}) in {name}", u32::from(letter))));
    }
    assert!(missing.is_empty(), "the fonts lack {missing:#?}");
}
