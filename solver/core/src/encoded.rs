//! Values of one problem inside files that all problems share: kept as RON text, decoded by the problem.

use std::fmt;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value as RON text without insignificant white space, so that equal values have equal texts.
///
/// The outermost name, such as `Timetable` in `Timetable([("A",Some(0))])`, is the [`Self::tag`].
#[derive(Clone, PartialEq, Eq)]
pub struct Encoded {
    text: Arc<str>,
}

impl Encoded {
    /// Encodes a value.
    ///
    /// Types whose serialisation fails (maps with keys that RON cannot write) must not be encoded; no type of this
    /// program is one, and such a value becomes the unit `()`.
    pub fn of<T: Serialize>(value: &T) -> Self {
        Self::from_text(&ron::to_string(value).unwrap_or_else(|_| "()".to_owned()))
    }

    /// Decodes the value; `None` if the text is not one of a `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Option<T> {
        ron::from_str(&self.text).ok()
    }

    /// Decodes a value that must not be lost.
    ///
    /// # Errors
    /// The part of the text that cannot be read, and why.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        crate::text::ron::parse(&self.text).map_err(|fault| fault.what)
    }

    /// The name of the outermost enum variant or struct; empty if there is none.
    pub fn tag(&self) -> &str {
        let end = self.text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &self.text[..end.unwrap_or(self.text.len())]
    }

    fn from_text(text: &str) -> Self {
        Self { text: canonical(text).into() }
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Encoded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_ron(&self.text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Encoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self::from_text(raw.get_ron()))
    }
}

/// The text without white space and comments outside of strings, and without commas before closing brackets.
fn canonical(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                kept.push(letter);
                while let Some(inside) = letters.next() {
                    kept.push(inside);
                    match inside {
                        '"' => break,
                        '\\' => kept.extend(letters.next()),
                        _ => {}
                    }
                }
            }
            '/' if letters.peek() == Some(&'/') => {
                letters.by_ref().find(|&letter| letter == '\n');
            }
            ')' | ']' | '}' => {
                if kept.ends_with(',') {
                    kept.pop();
                }
                kept.push(letter);
            }
            _ if letter.is_whitespace() => {}
            _ => kept.push(letter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Example {
        Pairs(Vec<(String, Option<u16>)>),
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct File {
        value: Encoded,
        more: Option<Encoded>,
    }

    #[test]
    fn a_value_comes_back_from_compact_and_from_pretty_text() {
        let example = Example::Pairs(vec![("A, \"b\" // c".to_owned(), Some(3)), ("Ü )".to_owned(), None)]);
        let encoded = Encoded::of(&example);
        assert_eq!((encoded.tag(), encoded.decode().as_ref()), ("Pairs", Some(&example)));
        assert_eq!(encoded.decode::<u32>(), None);
        assert_eq!(encoded.read::<Example>().as_ref(), Ok(&example));
        let why = Encoded::of(&vec![(1, -2)]).read::<Vec<(u8, u8)>>().unwrap_err();
        assert!(why.starts_with("«-2» cannot be read"), "{why}");
        let file = File { value: encoded.clone(), more: Some(encoded) };
        let pretty = ron::ser::PrettyConfig::new().depth_limit(2).compact_arrays(true);
        for text in [ron::to_string(&file).unwrap(), ron::ser::to_string_pretty(&file, pretty).unwrap()] {
            assert_eq!(ron::from_str::<File>(&text).unwrap(), file, "{text}");
        }
        let plain = ron::ser::to_string_pretty(&example, ron::ser::PrettyConfig::new()).unwrap();
        assert!(plain.contains("\n"), "written over several lines by former versions: {plain}");
        let read: File = ron::from_str(&format!("(value: {plain}, more: None)")).unwrap();
        assert_eq!(read.value, file.value, "equal whatever the white space");
    }
}
