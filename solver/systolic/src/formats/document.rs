//! RON document of a binary problem of any kind.

use serde::{Deserialize, Serialize};

use crate::{Instance, Kind};
use gridwright_core::Result;
use gridwright_core::text::{Source, ron};

/// Version of the RON format.
const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// Version of the file format.
    binary_problem: u32,
    name: String,
    kind: Kind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

/// Returns `true` if a file that begins with these bytes is such a document.
pub fn begins(start: &[u8]) -> bool {
    ron::begins_with(start, "binary_problem")
}

/// Reads a document; the caller sets the hash. `capacity` and `tenths` override the file.
///
/// # Errors
/// [`Line`](gridwright_core::Error::Line) if the text is not a binary problem; [`File`](gridwright_core::Error::File) for a newer version.
pub fn parse(source: Source, capacity: Option<u64>, tenths: Option<u8>) -> Result<Instance> {
    let stored: Stored = ron::read(source, "problem", FORMAT, |why| format!("this is no binary problem ({why})"))?;
    let Stored { name, mut kind, names, .. } = stored;
    let mut warnings = Vec::new();
    if let Kind::Knapsack { capacity: stated, .. } = &mut kind
        && let Some(given) = capacity.filter(|given| given != stated)
    {
        warnings.push(format!("the capacity is {given} as given, not {stated} as in the file"));
        *stated = given;
    }
    if let (Kind::NextRelease { tenths: stated, .. }, Some(given)) = (&mut kind, tenths) {
        *stated = given;
    }
    Ok(Instance { name, kind, names, warnings, hash: String::new() })
}

/// Encodes an instance.
///
/// # Errors
/// [`Usage`](gridwright_core::Error::Usage) if it cannot be encoded.
pub fn write(instance: &Instance) -> Result<String> {
    let stored = Stored {
        binary_problem: FORMAT,
        name: instance.name.clone(),
        kind: instance.kind.clone(),
        names: instance.names.clone(),
    };
    Ok(ron::write(&stored, "problem", 2)? + "\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::library;

    fn read(text: &str, capacity: Option<u64>, tenths: Option<u8>) -> Result<Instance> {
        parse(Source { path: Path::new("a.ron"), text }, capacity, tenths)
    }

    #[test]
    fn every_kind_is_written_and_read_again() {
        for name in ["knapsack:100-1000", "mmdp:300", "onemax:100", "nrp:5-20"] {
            let instance = library::named(name, 3).unwrap();
            let text = write(&instance).unwrap();
            assert!(begins(text.as_bytes()), "{text}");
            let read = read(&text, None, None).unwrap();
            assert_eq!((read.name, read.kind), (instance.name, instance.kind), "{name}");
        }
    }

    #[test]
    fn what_is_said_counts_more_than_the_file() {
        let text = write(&library::sample("backpack", 5).unwrap()).unwrap();
        let instance = read(&text, Some(30), None).unwrap();
        assert!(matches!(instance.kind, Kind::Knapsack { capacity: 30, .. }) && instance.warnings.len() == 1);
        let text = write(&library::sample("release", 5).unwrap()).unwrap();
        assert!(matches!(read(&text, None, Some(2)).unwrap().kind, Kind::NextRelease { tenths: 2, .. }));
        assert!(matches!(read(&text, None, None).unwrap().kind, Kind::NextRelease { tenths: 5, .. }));
    }

    #[test]
    fn other_documents_are_refused() {
        assert!(
            read("(format: 1)", None, None).unwrap_err().to_string().starts_with("a.ron:1: this is no binary problem")
        );
        let text =
            write(&library::named("onemax:10", 5).unwrap()).unwrap().replace("binary_problem: 1", "binary_problem: 2");
        assert!(read(&text, None, None).unwrap_err().to_string().contains("newer version"));
        assert!(!begins(b"(\n    format: 1,"));
    }
}
