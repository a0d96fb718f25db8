#!/usr/bin/env python3
"""Writes the licences of all crates that the program is made of to the standard output.

    packaging/licences.py TARGET [FEATURES]      for example x86_64-unknown-linux-gnu wgpu

Texts are those that the crates carry; equal ones are written once. Fails where a crate names no licence.
"""

import json
import pathlib
import subprocess
import sys

# Beginnings of the names of files with licences, in lower case.
NAMES = ("license", "licence", "copying", "notice", "copyright", "unlicense", "ofl", "ufl")


def crates(target, features):
    """The crates that are compiled into the program, without those of tests and build scripts."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", target]
    command += ["--manifest-path", "app/Cargo.toml", "--features", features] if features else []
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    packages = {package["id"]: package for package in answer["packages"]}
    nodes = {node["id"]: node for node in answer["resolve"]["nodes"]}
    waiting = [key for key in answer["workspace_members"] if packages[key]["name"] == "gridwright"]
    found = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_used = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_used and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    chosen = [packages[key] for key in found if packages[key]["source"]]
    return sorted(chosen, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """The texts of the licences that lie in a crate, also in a folder for them."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [path for path in folder.rglob("*") if path.is_file() and path.name.lower().startswith(NAMES)]
    files = [path for path in files if path.suffix.lower() in ("", ".txt", ".md") or "-" in path.suffix]
    return [path.read_text(errors="replace").strip() for path in sorted(files)]


def main():
    owners, bare = {}, []
    for package in crates(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""):
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or package["license_file"]
        if not licence:
            raise SystemExit(f"error: {name} names no licence")
        found = texts(package)
        for text in found:
            owners.setdefault(text, []).append(f"{name} ({licence})")
        if not found:
            bare.append(f"{name} ({licence}) by {', '.join(package['authors']) or 'its authors'}")
    print("Gridwright is under the MIT licence or the Apache License 2.0, as you prefer. The program also contains the crates below.")
    print("Texts of licences follow the names of the crates that carry them.\n")
    print("These crates carry no text; those of the licences that they name are further below:\n")
    print("\n".join(f"  {name}" for name in bare))
    for text, names in sorted(owners.items(), key=lambda item: item[1]):
        print("\n" + "=" * 80 + "\n" + "\n".join(names) + "\n" + "-" * 80 + "\n" + text)


main()
