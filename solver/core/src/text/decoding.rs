//! Decoding of text files: UTF-8, UTF-16, and the eight-bit code pages of older office programs.

use std::path::Path;

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252, WINDOWS_1253};

use super::lines::file_name;
use crate::{Error, Result, files};

/// A text file of any encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedFile {
    /// Content of the file.
    pub text: String,
    /// SHA-256 of the bytes.
    pub hash: String,
    /// Remarks about the encoding.
    pub warnings: Vec<String>,
}

impl DecodedFile {
    /// Reads a file whose encoding is detected.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read or is not text.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path)?;
        let (hash, mut warnings) = (files::hash(&[&bytes]), Vec::new());
        let text = text(path, bytes, &mut warnings)?;
        Ok(Self { text, hash, warnings })
    }

    /// Puts the hash and, before the others, the remarks into an instance that was read from the file.
    pub fn state(self, hash: &mut String, warnings: &mut Vec<String>) {
        *hash = self.hash;
        warnings.splice(0..0, self.warnings);
    }
}

/// Character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray, serde::Serialize, serde::Deserialize)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16, as Excel's «Unicode text»; the byte order is detected.
    Utf16,
    /// Windows-1252, a superset of Latin-1.
    Western,
    /// Windows-1253, close to ISO 8859-7.
    Greek,
}

impl Encoding {
    /// All variants.
    pub const ALL: [Self; 4] = crate::variants();

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Western => "Western (Windows-1252)",
            Self::Greek => "Greek (Windows-1253)",
        }
    }
}

/// Decodes bytes in the given encoding, or in the detected one.
///
/// # Errors
/// [`Error::File`] or [`Error::Line`] with a remedy if they are not text.
pub fn decode(path: &Path, bytes: Vec<u8>, wanted: Option<Encoding>) -> Result<(String, Encoding)> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        let what = "this is a workbook, not a table of text; save its sheet as CSV (UTF-8) and open that";
        return Err(Error::file(path, what));
    }
    let encoding = wanted.unwrap_or_else(|| detect(&bytes));
    let table = match encoding {
        Encoding::Utf8 => return crate::files::text(path, bytes).map(|text| (text, encoding)),
        Encoding::Utf16 if is_big_endian(&bytes) => UTF_16BE,
        Encoding::Utf16 => UTF_16LE,
        Encoding::Western => WINDOWS_1252,
        Encoding::Greek => WINDOWS_1253,
    };
    let (text, wrong) = table.decode_with_bom_removal(&bytes);
    // Undefined bytes of Windows-1253, or a broken surrogate pair in UTF-16.
    if wrong {
        let name = encoding.name();
        return Err(Error::file(path, format!("this is not {name} text; choose another encoding or save it as UTF-8")));
    }
    let text = text.into_owned();
    // Empty and binary files are refused as in UTF-8.
    crate::files::text(path, text.into_bytes()).map(|text| (text, encoding))
}

/// Decodes a table and adds a warning if a code page was assumed.
///
/// # Errors
/// As [`decode`].
pub fn text(path: &Path, bytes: Vec<u8>, warnings: &mut Vec<String>) -> Result<String> {
    let (text, encoding) = decode(path, bytes, None)?;
    if !matches!(encoding, Encoding::Utf8 | Encoding::Utf16) {
        let (file, name) = (file_name(path), encoding.name());
        warnings.push(format!("{file}: read as {name} text, for it is not UTF-8; check names with special letters"));
    }
    Ok(text)
}

fn detect(bytes: &[u8]) -> Encoding {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Encoding::Utf16;
    }
    // UTF-16 without a mark: in mostly ASCII text every other byte is 0.
    let start = bytes.get(..bytes.len().min(1_000)).unwrap_or(bytes);
    let zeros = |parity: usize| start.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if start.len() >= 4 && even.max(odd) * 4 > start.len() && even.min(odd) == 0 {
        return Encoding::Utf16;
    }
    if std::str::from_utf8(bytes).is_ok() || bytes.contains(&0) {
        return Encoding::Utf8;
    }
    if is_greek(bytes) { Encoding::Greek } else { Encoding::Western }
}

fn is_big_endian(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xfe\xff") || (!bytes.starts_with(b"\xff\xfe") && bytes.first() == Some(&0))
}

/// Returns `true` for Greek text: Greek words are runs of high bytes, which stand alone among ASCII in Western
/// languages.
fn is_greek(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| *byte >= 0xb8;
    let runs = bytes.chunk_by(|a, b| is_letter(a) == is_letter(b)).filter(|run| run.first().is_some_and(is_letter));
    let (mut long, mut all) = (0, 0);
    for run in runs {
        all += 1;
        long += usize::from(run.len() >= 3);
    }
    long * 2 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, Encoding) {
        decode(Path::new("a.csv"), bytes.to_vec(), None).unwrap()
    }

    #[test]
    fn every_encoding_is_seen() {
        let text = "Prüfung;Ümläute\n";
        assert_eq!(decoded(text.as_bytes()), (text.to_owned(), Encoding::Utf8));
        assert_eq!(decoded(format!("\u{feff}{text}").as_bytes()), (text.to_owned(), Encoding::Utf8));
        let western: Vec<u8> = text.chars().map(|letter| letter as u32 as u8).collect();
        assert_eq!(decoded(&western), (text.to_owned(), Encoding::Western));
        let (greek, _, _) = WINDOWS_1253.encode("Φοιτητής;Κωδικός μαθήματος\n");
        assert_eq!(decoded(&greek), ("Φοιτητής;Κωδικός μαθήματος\n".to_owned(), Encoding::Greek));
        let units: Vec<u16> = format!("\u{feff}{text}").encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [&little, &big] {
            assert_eq!(decoded(bytes), (text.to_owned(), Encoding::Utf16));
            assert_eq!(decoded(&bytes[2..]), (text.to_owned(), Encoding::Utf16), "without a mark");
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_a_remedy() {
        for (bytes, says) in [
            (&b"PK\x03\x04\x14\x00"[..], "save its sheet as CSV"),
            (b"a,b\n\x01\x02\x00\x00\x03", "zero byte"),
            (b" \n", "empty"),
            (b"\xff\xfe\x00\xd8a\x00", "not UTF-16"),
        ] {
            let error = decode(Path::new("a.csv"), bytes.to_vec(), None).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
