//! Says at compile time whether the published data are there, so that tests that need them count as ignored elsewhere.

use std::path::PathBuf;

fn main() {
    println!("cargo:rustc-check-cfg=cfg(published_data)");
    println!("cargo:rerun-if-env-changed=GRIDWRIGHT_DATA");
    let default = PathBuf::from("../../shared/data");
    let folder = std::env::var_os("GRIDWRIGHT_DATA").map_or(default, PathBuf::from).join("toronto");
    println!("cargo:rerun-if-changed={}", folder.display());
    if folder.is_dir() {
        println!("cargo:rustc-cfg=published_data");
    }
}
