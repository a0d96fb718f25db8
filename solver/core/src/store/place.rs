//! The folder in which the program keeps its data.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::{Error, Result, files};

/// Name of the folder beside the program in which a portable copy keeps its data.
pub(crate) const PORTABLE: &str = "gridwright-data";

/// Environment variable that names the folder.
const VARIABLE: &str = "GRIDWRIGHT_HOME";

/// Makes this copy of the program portable: its data are kept beside it from now on, at later starts, too.
///
/// # Errors
/// If `GRIDWRIGHT_HOME` names another folder, or the folder beside the program cannot be created.
pub fn make_portable() -> Result<()> {
    if named().is_some() {
        let what = format!("{VARIABLE} names the folder for data already; unset it or leave out --portable");
        return Err(Error::Usage(what));
    }
    let Some(folder) = beside_program() else {
        return Err(Error::Usage("the folder of the program is not known; set GRIDWRIGHT_HOME instead".to_owned()));
    };
    files::create_folder(&folder).map_err(|error| {
        let what = format!("the folder for data cannot be created ({error}); copy the program to a folder of your own");
        Error::file(&folder, what)
    })
}

/// The folder for data: `GRIDWRIGHT_HOME`, that of a portable copy, or the one of the system for a program's data. A user
/// without any has a private folder until the program ends.
pub(super) fn home() -> PathBuf {
    static PRIVATE: OnceLock<PathBuf> = OnceLock::new();
    // Where not even a temporary folder can be created, the first write says why.
    let private = || files::create_private_folder().unwrap_or_else(|_| std::env::temp_dir().join("gridwright"));
    let portable = || beside_program().filter(|folder| folder.is_dir());
    let system = || Some(directories::ProjectDirs::from("", "", "gridwright")?.data_dir().to_path_buf());
    named().or_else(portable).or_else(system).unwrap_or_else(|| PRIVATE.get_or_init(private).clone())
}

fn named() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).filter(|home| !home.is_empty()).map(PathBuf::from)
}

fn beside_program() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(PORTABLE))
}
