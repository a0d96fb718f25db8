//! The architecture of the sources, as far as the compiler does not ensure it: shared code names no problem and says no word of
//! one, files inside a crate depend on each other in small circles only, and files are read and written in one place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gridwright_core::problem::Nouns;
use gridwright_core::registry;

/// A source file without its tests and comments.
struct Source {
    /// Path below the `src` folder, such as `search/run.rs`.
    path: String,
    code: String,
}

/// The folders of the crates that know no problem.
const SHARED: [&str; 4] = ["solver/core", "solver/campaign", "app/terminal", "app/window"];

/// The folders of the crates of problems.
const OF_PROBLEMS: [&str; 2] = ["solver", "app/problems"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All sources of a crate; unit tests are left out.
fn sources(name: &str) -> Vec<Source> {
    let src = root().join(name).join("src");
    let (mut folders, mut sources) = (vec![src.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let path = entry.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
            if entry.is_dir() {
                folders.push(entry);
            } else if path.ends_with(".rs") && !path.ends_with("tests.rs") && !format!("/{path}").contains("/tests/") {
                let text = std::fs::read_to_string(&entry).unwrap();
                let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
                let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                sources.push(Source { path, code: lines.collect::<Vec<_>>().join("\n") });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 5, "the sources of {name} are not in {}", src.display());
    sources
}

fn problems() -> Vec<&'static str> {
    gridwright::register();
    registry::problems().map(|problem| problem.id()).collect()
}

/// The folders of all crates but for tests and the program's list of problems.
fn crates() -> Vec<String> {
    let of_problems =
        OF_PROBLEMS.iter().flat_map(|folder| problems().into_iter().map(move |id| format!("{folder}/{id}")));
    SHARED.iter().map(|folder| (*folder).to_owned()).chain(of_problems).collect()
}

#[test]
fn shared_code_names_no_problem() {
    let mut named = Vec::new();
    for name in SHARED {
        for source in sources(name) {
            for (number, line) in source.code.lines().enumerate() {
                let lower = line.to_lowercase();
                let words = lower.split(|letter: char| !letter.is_alphanumeric());
                let found: Vec<&str> = words.filter(|word| problems().iter().any(|id| word.starts_with(id))).collect();
                if !found.is_empty() {
                    named.push(format!("{name}/src/{}, code line {}: {found:?}", source.path, number + 1));
                }
            }
        }
    }
    assert!(named.is_empty(), "these name a problem:\n{}", named.join("\n"));
}

/// Words for things of problems that shared code needs with another meaning: tables of commands, computers, clusters.
const COMMON: [&str; 17] = [
    "binary", "details", "flow", "item", "job", "machine", "part", "period", "plan", "problem", "product", "rule",
    "solution", "start", "time", "with", "working",
];

/// Shared files that may say a word of a problem: the sample of the installation and the command for duties of people, which are
/// about this problem, and the example of a name for a run.
const ALLOWED: [(&str, &str); 3] = [
    ("app/window/src/window/dialogs.rs", "room"),
    ("app/terminal/src/command/sample.rs", "timetable"),
    ("app/terminal/src/command/invigilate.rs", "invigilator"),
];

/// Nouns for the rows of all tables, for instances and for solutions, in the singular; without those of [`COMMON`].
fn nouns_of_problems() -> BTreeSet<String> {
    gridwright::register();
    let mut nouns = BTreeSet::new();
    for problem in registry::problems() {
        let Nouns { instance, plan, .. } = problem.nouns();
        let tables = problem.descriptor().tables.iter().map(|table| table.noun);
        for noun in tables.chain([*instance, *plan]) {
            let words = noun.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            nouns.extend(words.filter(|word| word.len() > 3).map(str::to_owned));
        }
    }
    nouns.retain(|noun| !COMMON.contains(&noun.as_str()));
    nouns
}

/// The texts in quotation marks.
fn literals(code: &str) -> Vec<String> {
    let (mut literals, mut letters) = (Vec::new(), code.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            // A quotation mark as a character begins no text.
            '\'' => {
                let is_escaped = letters.peek() == Some(&'\\');
                if is_escaped {
                    letters.next();
                    letters.next();
                } else if letters.peek() == Some(&'"') {
                    letters.next();
                }
            }
            '"' => {
                let mut literal = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    literal.push(if letter == '\\' { letters.next().map_or(' ', |_| ' ') } else { letter });
                }
                literals.push(literal);
            }
            _ => {}
        }
    }
    literals
}

#[test]
fn shared_texts_say_no_word_of_a_problem() {
    let (nouns, mut said, mut count) = (nouns_of_problems(), Vec::new(), 0);
    assert!(["exam", "department", "timetable"].iter().all(|noun| nouns.contains(*noun)), "{nouns:?}");
    for name in SHARED {
        for source in sources(name) {
            let path = format!("{name}/src/{}", source.path);
            for literal in literals(&source.code) {
                count += 1;
                let lower = literal.to_lowercase();
                let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
                let word = words.map(|word| word.trim_end_matches('s')).find(|word| nouns.contains(*word));
                let is_allowed = |word: &str| ALLOWED.contains(&(path.as_str(), word));
                said.extend(
                    word.filter(|word| !is_allowed(word)).map(|word| format!("{path}: «{word}» in {literal:?}")),
                );
            }
        }
    }
    assert!(count > 3_000, "{count} texts");
    assert!(said.is_empty(), "these say a word of one problem:\n{}", said.join("\n"));
}

/// The indentation of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[test]
fn what_only_unix_has_stands_beside_a_counterpart() {
    let (mut wrong, mut guarded) = (Vec::new(), 0);
    for name in crates().iter().map(String::as_str).chain(["kernels"]) {
        for source in sources(name) {
            let lines: Vec<&str> = source.code.lines().collect();
            for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("os::unix")) {
                // The attribute of the statement, or of the item around it, before any other item of that depth has ended.
                let mut above = lines[..number].iter().rev();
                let depth = indent(line);
                let attribute = above.by_ref().find(|above| above.contains("#[cfg(unix)]") && indent(above) <= depth);
                let is_inside = attribute.is_some_and(|attribute| {
                    let between = lines[..number].iter().rev().take_while(|line| *line != attribute);
                    between
                        .filter(|line| !line.is_empty())
                        .all(|line| indent(line) > indent(attribute) || !line.trim().starts_with('}'))
                });
                if is_inside && source.code.contains("#[cfg(not(unix))]") {
                    guarded += 1;
                } else {
                    wrong.push(format!("{name}/src/{}: {}", source.path, line.trim()));
                }
            }
            let count = |attribute: &str| source.code.matches(attribute).count();
            if source.code.contains("os::unix") && count("#[cfg(unix)]") > count("#[cfg(not(unix))]") {
                wrong.push(format!("{name}/src/{} has a #[cfg(unix)] without its #[cfg(not(unix))]", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "no other system has these:\n{}", wrong.join("\n"));
    assert!(guarded > 5, "the sources use what only Unix has in more than {guarded} places");
}

/// The module path of a file: `search/run.rs` and `search/run/mod.rs` are both `search::run`.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    if path == "lib" || path == "main" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// The paths of a `use` tree, such as `a::{b, c::D}`, as lists of segments.
fn expand(tree: &str, prefix: &[String], into: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    if let Some((head, inner)) = tree.split_once('{') {
        let mut prefix = prefix.to_vec();
        prefix.extend(head.split("::").filter(|part| !part.trim().is_empty()).map(|part| part.trim().to_owned()));
        let inner = inner.rsplit_once('}').map_or(inner, |parts| parts.0);
        let (mut depth, mut begin) = (0, 0);
        for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&inner[begin..at], &prefix, into);
                    begin = (at + 1).min(inner.len());
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let name = tree.split(" as ").next().unwrap_or(tree);
        let segments = name.split("::").map(|part| part.trim().to_owned());
        into.push(prefix.iter().cloned().chain(segments).collect());
    }
}

/// A path as a file writes it, from the root of the crate.
fn absolute(own: &[String], path: &[String]) -> Vec<String> {
    match path.first().map(String::as_str) {
        Some("crate") => path[1..].to_vec(),
        Some("self") => own.iter().cloned().chain(path[1..].iter().cloned()).collect(),
        Some("super") => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            own[..own.len().saturating_sub(ups)].iter().cloned().chain(path[ups..].iter().cloned()).collect()
        }
        // Modules of its own, as `pub use view::View` in the file that declares them.
        _ => own.iter().cloned().chain(path.iter().cloned()).collect(),
    }
}

/// The paths in expressions and types, such as `crate::b::C::new()`.
fn inline_paths(code: &str) -> impl Iterator<Item = Vec<String>> {
    let paths = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':');
    let inside = paths.filter(|path| ["crate::", "super::", "self::"].iter().any(|start| path.starts_with(start)));
    inside.map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect())
}

/// The paths inside the crate that a file uses, absolute, and whether each is a re-export.
fn imports(source: &Source) -> Vec<(Vec<String>, bool)> {
    let own = module(&source.path);
    let mut all = Vec::new();
    for declaration in source.code.split(';') {
        let Some(at) = declaration.rfind("use ").filter(|&at| at == 0 || !declaration[..at].ends_with('_')) else {
            all.extend(inline_paths(declaration).map(|path| (absolute(&own, &path), false)));
            continue;
        };
        all.extend(inline_paths(&declaration[..at]).map(|path| (absolute(&own, &path), false)));
        let (before, tree) = (declaration[..at].trim_end(), &declaration[at + 4..]);
        let is_public = before.lines().last().is_some_and(|line| line.trim_start().starts_with("pub"));
        let mut paths = Vec::new();
        expand(tree, &[], &mut paths);
        all.extend(paths.into_iter().map(|path| (absolute(&own, &path), is_public)));
    }
    all
}

/// The files that a file imports from, by the place where the names are declared.
fn graph(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let files: BTreeMap<Vec<String>, &Source> = sources.iter().map(|source| (module(&source.path), source)).collect();
    let exports: BTreeMap<Vec<String>, Vec<Vec<String>>> = files
        .iter()
        .map(|(module, source)| {
            let public = imports(source).into_iter().filter(|(_, is_public)| *is_public);
            (module.clone(), public.map(|(path, _)| path).collect())
        })
        .collect();
    let declared_in = |path: &[String]| {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let known = (0..=path.len()).rev().map(|length| &path[..length]).find(|part| files.contains_key(*part))?;
            let name = path.get(known.len());
            let onward = name.and_then(|name| exports[known].iter().find(|export| export.last() == Some(name)));
            match onward.filter(|onward| **onward != path) {
                Some(onward) => path = onward.clone(),
                None => return Some(known.to_vec()),
            }
        }
        None
    };
    let arrows = files.iter().map(|(own, source)| {
        let targets =
            imports(source).into_iter().filter(|(_, is_public)| !is_public).filter_map(|(path, _)| declared_in(&path));
        let targets = targets.filter(|target| target != own && !target.is_empty());
        (source.path.clone(), targets.map(|target| files[&target].path.clone()).collect())
    });
    arrows.collect()
}

/// Groups of files that import each other, directly or through others.
fn circles(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reachable = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(file) = open.pop() {
            for next in graph.get(&file).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> = graph.keys().map(|file| (file, reachable(file))).collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (file, seen) in &reach {
        let circle: BTreeSet<String> =
            seen.iter().filter(|other| reach.get(other).is_some_and(|back| back.contains(*file))).cloned().collect();
        if circle.len() > 1 && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

/// Largest number of files that import each other.
const LARGEST_CIRCLE: usize = 3;

#[test]
fn imports_run_in_small_circles() {
    let example = |path: &str, code: &str| Source { path: path.to_owned(), code: code.to_owned() };
    let tiny = [
        example("a.rs", "use crate::b::{self, c::D};\nuse super::e::F;"),
        example("b.rs", "mod c;\npub use c::D;\nuse crate::a::A;"),
        example("b/c.rs", "use super::B;"),
        example("e.rs", "use crate::b::D;\nfn f() {}\nfn g() -> crate::h::H { f(); super::i::I::new() }"),
        example("h.rs", ""),
        example("i.rs", ""),
    ];
    let found = graph(&tiny);
    assert_eq!(
        found["e.rs"],
        BTreeSet::from(["b/c.rs", "h.rs", "i.rs"].map(str::to_owned)),
        "a name is followed to where it is declared"
    );
    assert_eq!(circles(&found).iter().map(BTreeSet::len).collect::<Vec<_>>(), [4], "{found:?}");

    let large: Vec<BTreeSet<String>> = crates()
        .into_iter()
        .flat_map(|name| circles(&graph(&sources(&name))))
        .filter(|circle| circle.len() > LARGEST_CIRCLE)
        .collect();
    assert!(large.is_empty(), "files that import each other: {large:#?}");
}

/// Files are read and written through the file layer alone, which bounds, replaces and locks them.
#[test]
fn only_the_file_layer_reads_and_writes_files() {
    const CALLS: [&str; 9] = [
        "fs::read(", "fs::read_to_string(", "fs::write(", "fs::rename(", "fs::remove_file(", "fs::copy(",
        "fs::create_dir", "File::open(", "File::create",
    ];
    // The description of the machine for measurements is no file of anybody.
    let is_free = |path: &str| path.starts_with("files") || path == "command/bench.rs";
    for name in crates() {
        for source in sources(&name).iter().filter(|source| !is_free(&source.path)) {
            for call in CALLS {
                assert!(!source.code.contains(call), "{name}/src/{}: {call} passes by the file layer", source.path);
            }
        }
    }
}
