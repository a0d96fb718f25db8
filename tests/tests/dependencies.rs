//! Crates are layers: app → solver → kernels, and what belongs to one layer is used by no other.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// The packages that the program is made of, from the top down. Each uses the one below it.
const LAYERS: [&str; 3] = ["gridwright", "gridwright-solver", "gridwright-kernels"];

fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(gridwright_tests::workspace())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The members of the workspace but for the fuzz targets, and what each of them names in its manifest, what only its tests use
/// left out.
fn direct(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: BTreeSet<&str> =
        metadata["workspace_members"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| members.contains(package["id"].as_str().unwrap()) && package["name"] != "gridwright-fuzz")
        .map(|package| {
            let needed = package["dependencies"].as_array().unwrap().iter();
            let needed = needed.filter(|dependency| dependency["kind"] != "dev");
            let names = needed.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect();
            (package["name"].as_str().unwrap().to_owned(), names)
        })
        .collect()
}

#[test]
fn every_package_names_its_licence() {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().unwrap();
    for package in metadata["packages"].as_array().unwrap().iter().filter(|package| members.contains(&package["id"])) {
        assert_eq!(package["license"], "MIT OR Apache-2.0", "{}", package["name"]);
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = std::fs::read_to_string(gridwright_tests::workspace().join(file)).unwrap();
        assert!(text.contains("2026 The Gridwright developers"), "{file}");
    }
}

#[test]
fn layers_depend_downwards_only() {
    let direct = direct(&metadata());
    for (depth, layer) in LAYERS.iter().enumerate() {
        let below: Vec<&str> = LAYERS.get(depth + 1).into_iter().copied().collect();
        let used: Vec<&str> =
            direct[*layer].iter().map(String::as_str).filter(|name| direct.contains_key(*name)).collect();
        assert_eq!(used, below, "what {layer} may use of the workspace is the layer below it");
    }
}

#[test]
fn the_window_belongs_to_the_app_and_the_driver_to_the_kernels() {
    let owners = [
        (
            "gridwright",
            &["egui", "eframe", "egui_extras", "egui_plot", "rfd", "clap", "indicatif", "ctrlc", "anyhow"][..],
        ),
        ("gridwright-kernels", &["cudarc"][..]),
    ];
    let direct = direct(&metadata());
    for (owner, crates) in owners {
        for name in crates {
            let users: Vec<&String> = direct.iter().filter(|(_, used)| used.contains(*name)).map(|row| row.0).collect();
            assert_eq!(users, [owner], "users of {name}");
        }
    }
}

#[test]
fn what_crates_exchange_is_there_in_one_version() {
    let metadata = metadata();
    for name in ["egui", "eframe", "epaint", "winit", "usvg", "serde", "cudarc"] {
        let packages = metadata["packages"].as_array().unwrap().iter().filter(|package| package["name"] == name);
        let versions: Vec<&str> = packages.map(|package| package["version"].as_str().unwrap()).collect();
        assert_eq!(versions.len(), 1, "{name}: {versions:?}");
    }
}
