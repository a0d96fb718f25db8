//! Sources of instances as text: names such as `sample:school`, and paths.
//!
//! Results, projects and lists of recent files keep a source as text. A path that is not UTF-8 becomes the URL of the file
//! (RFC 8089), which is lossless: `file:///plans/%FC.csv`.

use std::path::{Path, PathBuf};

/// Beginning of the URL of an absolute path.
const URL: &str = "file:///";

/// Path that a source names.
pub fn path(source: &str) -> PathBuf {
    source.strip_prefix(URL).and_then(decoded).unwrap_or_else(|| PathBuf::from(source))
}

/// Source that names a path; `None` for a path that is not Unicode on a system whose paths are not bytes.
pub fn of(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned).or_else(|| encoded(&std::path::absolute(path).ok()?))
}

/// The folder of published instances: `GRIDWRIGHT_DATA`, or a folder beside the repository.
pub fn data_folder() -> PathBuf {
    std::env::var_os("GRIDWRIGHT_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

#[cfg(unix)]
fn encoded(path: &Path) -> Option<String> {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt;
    let mut url = URL.to_owned();
    for byte in path.as_os_str().as_bytes().strip_prefix(b"/")? {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(byte) {
            url.push(char::from(*byte));
        } else {
            write!(url, "%{byte:02X}").ok()?;
        }
    }
    Some(url)
}

#[cfg(not(unix))]
fn encoded(_path: &Path) -> Option<String> {
    None
}

/// Path behind the beginning of a URL; `None` if the URL is malformed.
#[cfg(unix)]
fn decoded(url: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let mut path = b"/".to_vec();
    let mut pieces = url.split('%');
    path.extend(pieces.next()?.bytes());
    for piece in pieces {
        path.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        path.extend(piece.get(2..)?.bytes());
    }
    Some(std::ffi::OsString::from_vec(path).into())
}

#[cfg(not(unix))]
fn decoded(_url: &str) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_stay_as_they_are() {
        for text in ["sample:school", "a b/ü%41.csv", "/a.stu", "file:a", "file:///%zz", "file:///%F"] {
            assert_eq!(path(text), Path::new(text));
            assert_eq!(of(Path::new(text)).as_deref(), Some(text));
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_unicode_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let bytes = b"/plans/\xfc% \n.csv";
        let own = Path::new(std::ffi::OsStr::from_bytes(bytes));
        assert_eq!(of(own).as_deref(), Some("file:///plans/%FC%25%20%0A.csv"));
        assert_eq!(path("file:///plans/%FC%25%20%0A.csv"), own);
        let relative = Path::new(std::ffi::OsStr::from_bytes(b"\xfc"));
        assert_eq!(path(&of(relative).unwrap()), std::path::absolute(relative).unwrap());
    }
}
