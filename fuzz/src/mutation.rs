//! Deterministic mutation of inputs: an input is determined by seed, format and number.

use std::io::{Cursor, Read, Write};

use gridwright_core::random::Philox;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Largest input in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Largest unpacked part of a package in bytes.
const MOST_PART: u64 = 1 << 20;

/// Numbers at and beyond the limits of types and formats.
const EXTREMES: [&str; 24] = [
    "0",
    "-1",
    "1",
    "-0",
    "255",
    "256",
    "65535",
    "65536",
    "1048577",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e-320",
    "NaN",
    "inf",
    "0.1",
    "99999999999999999999999999999999999999999",
];

/// Pieces of text that readers give a meaning.
const TOKENS: [&str; 28] = [
    ",", ";", "\t", "\n", "\r\n", "\r", "\"", "\"\"", "#", "=", ":", "(", ")", "[", "]", "{", "}", "Some(", "None",
    "'", "\u{feff}", "\u{0}", "\u{1b}[2J", "\u{202e}", "&amp;", "<", "/>", "é",
];

/// Source of the random decisions for one input.
struct Decisions {
    words: Philox,
    format: u32,
    number: u32,
    draw: u32,
}

impl Decisions {
    fn word(&mut self) -> u32 {
        self.draw += 1;
        self.words.words(self.draw, self.number, self.format, 0)[0]
    }

    /// Number below `end`, 0 for none.
    fn below(&mut self, end: usize) -> usize {
        ((u64::from(self.word()) * end as u64) >> 32) as usize
    }

    fn choose<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Range of `length` with at most `most` bytes.
    fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let end = (start + 1 + self.below(most)).min(length);
        start..end
    }
}

/// Input `number` of a format: an input of `corpus` with one to eight changes. Within ZIP packages, parts are changed.
pub fn input(seed: u64, format: u32, number: u32, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut decisions = Decisions { words: Philox::new(seed), format, number, draw: 0 };
    let base = decisions.choose(corpus).clone();
    let other = decisions.choose(corpus).clone();
    let is_package = base.starts_with(b"PK");
    match unpack(&base).filter(|parts| is_package && !parts.is_empty() && decisions.below(5) > 0) {
        Some(mut parts) => {
            for _ in 0..=decisions.below(2) {
                let at = decisions.below(parts.len());
                parts[at].1 = mutated(std::mem::take(&mut parts[at].1), &other, &mut decisions);
            }
            pack(&parts)
        }
        None => mutated(base, &other, &mut decisions),
    }
}

fn mutated(mut bytes: Vec<u8>, other: &[u8], decisions: &mut Decisions) -> Vec<u8> {
    for _ in 0..1 << decisions.below(4) {
        change(&mut bytes, other, decisions);
        bytes.truncate(MOST_BYTES);
    }
    bytes
}

/// Makes one change.
fn change(bytes: &mut Vec<u8>, other: &[u8], decisions: &mut Decisions) {
    let length = bytes.len();
    match decisions.below(12) {
        0 | 1 if length > 0 => {
            let at = decisions.below(length);
            bytes[at] ^= 1 << decisions.below(8);
        }
        2 if length > 0 => {
            let at = decisions.below(length);
            bytes[at] = decisions.below(256) as u8;
        }
        3 => drop(bytes.drain(decisions.range(length, 40))),
        4 => bytes.truncate(decisions.below(length + 1)),
        5 => {
            let (piece, at) = (other[decisions.range(other.len(), 200)].to_vec(), decisions.below(length + 1));
            bytes.splice(at..at, piece);
        }
        6 => {
            let (token, at) = (*decisions.choose(&TOKENS), decisions.below(length + 1));
            bytes.splice(at..at, token.bytes());
        }
        7..=9 => {
            let numbers = runs(bytes, |byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
            if !numbers.is_empty() {
                let number = decisions.choose(&numbers).clone();
                bytes.splice(number, decisions.choose(&EXTREMES).bytes());
            }
        }
        10 => {
            // One line many times: what a reader does per line must not add up.
            let lines = runs(bytes, |byte| byte != b'\n');
            if !lines.is_empty() {
                let line = decisions.choose(&lines).clone();
                let times = 1 << decisions.below(10);
                let piece = [&bytes[line.clone()], b"\n"].concat().repeat(times.min(MOST_BYTES / (line.len() + 1)));
                bytes.splice(line.start..line.start, piece);
            }
        }
        _ => {
            let words = runs(bytes, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !words.is_empty() {
                let (from, to) = (decisions.choose(&words).clone(), decisions.choose(&words).clone());
                let word = bytes[from].to_vec();
                bytes.splice(to, word);
            }
        }
    }
}

/// Ranges of consecutive bytes that meet a condition.
fn runs(bytes: &[u8], meets: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let pieces = bytes.chunk_by(|a, b| meets(*a) == meets(*b)).map(|piece| {
        start += piece.len();
        (start - piece.len()..start, meets(piece[0]))
    });
    pieces.filter(|piece| piece.1).map(|piece| piece.0).collect()
}

/// Names and contents of the parts of a ZIP package; `None` for anything else.
fn unpack(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut parts = Vec::new();
    for index in 0..zip.len() {
        let part = zip.by_index(index).ok()?;
        let name = part.name().ok()?.to_string();
        let mut content = Vec::new();
        part.take(MOST_PART).read_to_end(&mut content).ok()?;
        parts.push((name, content));
    }
    Some(parts)
}

/// ZIP package of these parts.
pub fn pack(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        // Writing to memory fails for names that are there twice only; such a part is left out.
        let _ = zip.start_file(name.as_str(), options).map(|()| zip.write_all(content));
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}
