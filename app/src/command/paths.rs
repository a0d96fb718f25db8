//! Where sources and published instances lie.

use std::path::PathBuf;

use gridwright_core::registry::is_generated;
use gridwright_core::{Error, Result};

/// A source that is valid in any folder: files by their absolute path.
///
/// # Errors
/// There is no current folder.
pub fn absolute(source: &str) -> Result<String> {
    if is_generated(source) {
        return Ok(source.to_owned());
    }
    let path = gridwright_core::source::path(source);
    let absolute = std::path::absolute(&path)
        .map_err(|error| Error::file(&path, format!("the folder it is in cannot be found ({error})")))?;
    gridwright_core::source::of(&absolute).ok_or_else(|| {
        Error::file(&path, "a result cannot name this path, for it is not Unicode; rename the file or its folder")
    })
}

/// The folder of published instances: `GRIDWRIGHT_DATA`, or a folder beside the repository.
pub fn data_folder() -> PathBuf {
    std::env::var_os("GRIDWRIGHT_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn files_get_absolute_and_names_stay() {
        assert_eq!(absolute("sample:school").unwrap(), "sample:school");
        assert_eq!(absolute("taillard:ta051").unwrap(), "taillard:ta051");
        let path = absolute("folder/a.stu").unwrap();
        assert!(Path::new(&path).is_absolute() && path.ends_with("a.stu"), "{path}");
    }
}
