//! Crates are layers and walls: which packages a package may use, with everything that those use in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use gridwright_core::registry;
use serde_json::Value;

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

/// The problems that ship, as packages are named after them.
fn problems() -> Vec<&'static str> {
    gridwright::register();
    registry::problems().map(|problem| problem.id()).collect()
}

/// The packages that a package uses, directly or through others, by the manifests of the workspace and the lock file.
fn all_uses(metadata: &Value, package: &str) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeMap<&str, &str> =
        packages.iter().map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap())).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let uses: BTreeMap<&str, Vec<&str>> = nodes
        .iter()
        .map(|node| {
            let normal = |kinds: &Value| kinds.as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
            let dependencies =
                node["deps"].as_array().unwrap().iter().filter(|dependency| normal(&dependency["dep_kinds"]));
            (node["id"].as_str().unwrap(), dependencies.map(|dependency| dependency["pkg"].as_str().unwrap()).collect())
        })
        .collect();
    let start = names.iter().find(|(_, name)| **name == package).unwrap_or_else(|| panic!("no package {package}")).0;
    let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
    while let Some(id) = open.pop() {
        open.extend(uses[id].iter().copied().filter(|dependency| seen.insert(*dependency)));
    }
    seen.into_iter().map(|id| names[id].to_owned()).collect()
}

/// Packages of the workspace that a package uses directly.
fn own(direct: &BTreeMap<String, BTreeSet<String>>, package: &str) -> BTreeSet<String> {
    direct[package].iter().filter(|name| direct.contains_key(*name)).cloned().collect()
}

fn packages<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.iter().map(|name| format!("gridwright-{name}")).collect()
}

#[test]
fn packages_use_the_layers_below_them() {
    let direct = direct(&metadata());
    assert_eq!(own(&direct, "gridwright-kernels"), packages([]));
    assert_eq!(own(&direct, "gridwright-core"), packages(["kernels"]));
    assert_eq!(own(&direct, "gridwright-campaign"), packages(["core"]));
    assert_eq!(own(&direct, "gridwright-terminal"), packages(["campaign", "core"]));
    assert_eq!(own(&direct, "gridwright-window"), packages(["campaign", "core"]));
    for problem in problems() {
        assert_eq!(own(&direct, &format!("gridwright-{problem}")), packages(["core", "kernels"]), "{problem}");
        let views = own(&direct, &format!("gridwright-{problem}-views"));
        let mut below = packages(["core", "window", problem]);
        assert!(views.is_superset(&below), "{problem}: {views:?}");
        below.insert("gridwright-campaign".to_owned());
        assert!(views.is_subset(&below), "{problem}: {views:?}");
    }
}

#[test]
fn problems_do_not_know_each_other_nor_a_window_nor_a_terminal() {
    let metadata = metadata();
    let shown = ["egui", "eframe", "egui_plot", "winit", "rfd", "clap", "clap_derive", "indicatif", "ctrlc", "anyhow"];
    let problems = problems();
    let mut below: Vec<String> = ["kernels", "core", "campaign"].map(|name| format!("gridwright-{name}")).to_vec();
    below.extend(problems.iter().map(|problem| format!("gridwright-{problem}")));
    for package in &below {
        let used = all_uses(&metadata, package);
        let wrong: Vec<&&str> = shown.iter().filter(|name| used.contains(**name)).collect();
        assert!(wrong.is_empty(), "{package} uses {wrong:?}");
    }
    for problem in &problems {
        let others: Vec<&&str> = problems.iter().filter(|other| *other != problem).collect();
        for package in [format!("gridwright-{problem}"), format!("gridwright-{problem}-views")] {
            let used = all_uses(&metadata, &package);
            let wrong: Vec<_> = others.iter().filter(|other| used.contains(&format!("gridwright-{other}"))).collect();
            assert!(wrong.is_empty(), "{package} uses {wrong:?}");
        }
    }
    for package in ["gridwright-terminal", "gridwright-fuzz"] {
        let used = all_uses(&metadata, package);
        assert!(!used.contains("egui") && !used.contains("eframe"), "{package} uses the window");
    }
    assert!(all_uses(&metadata, "gridwright-window").contains("egui"), "what is used is seen");
    assert!(all_uses(&metadata, "gridwright-terminal").contains("clap"), "what is used is seen");
}

#[test]
fn the_driver_belongs_to_the_kernels() {
    let direct = direct(&metadata());
    let users: Vec<&String> = direct.iter().filter(|(_, used)| used.contains("cudarc")).map(|row| row.0).collect();
    assert_eq!(users, ["gridwright-kernels"]);
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
