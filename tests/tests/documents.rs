//! README and pages: every command is one that the program knows, every link leads somewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gridwright_tests::{gridwright, output_of};

mod supplies;

use supplies::Supplies;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// README and the pages of `docs/`, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        paths.push(entry.unwrap().path());
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    assert!(paths.len() > 8);
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// Commands of the program in fenced blocks, with the place of each, as a shell reads them.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (path, text) in pages() {
        let mut is_fenced = false;
        for (number, line) in text.lines().enumerate() {
            if line.starts_with("```") {
                is_fenced = !is_fenced;
            } else if let Some(line) = line.strip_prefix("gridwright ").filter(|_| is_fenced) {
                let name = path.file_name().unwrap().to_string_lossy();
                found.push((format!("{name}:{}", number + 1), words(line)));
            }
        }
    }
    assert!(found.len() > 50, "{} commands", found.len());
    found
}

/// Words of a line up to its comment; quotation marks keep words together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), None);
    for letter in line.chars().chain([' ']) {
        match (quoted, letter) {
            (None, '#') if word.is_empty() => break,
            (None, '"' | '\'') => quoted = Some(letter),
            (Some(mark), letter) if mark == letter => quoted = None,
            (None, ' ') if !word.is_empty() => words.push(std::mem::take(&mut word)),
            (None, ' ') => {}
            (_, letter) => word.push(letter),
        }
    }
    words
}

/// Options that `gridwright COMMAND --help` lists, for a command of one or two words.
fn options(command: &[&str]) -> BTreeSet<String> {
    let output = output_of(gridwright().args(command).arg("--help"));
    let text = String::from_utf8(output.stdout).unwrap();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let words = text.split(|letter: char| !is_part(letter));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

#[test]
fn every_option_of_a_command_is_one_that_its_help_lists() {
    for (place, words) in commands() {
        let parts = if ["campaign", "generate"].contains(&words[0].as_str()) { 2 } else { 1 };
        let command: Vec<&str> = words[..parts].iter().map(String::as_str).collect();
        let known = options(&command);
        assert!(!known.is_empty(), "{place}: there is no command {}", command.join(" "));
        for word in words.iter().filter(|word| word.starts_with("--")) {
            let name = word.split('=').next().unwrap_or_default();
            assert!(known.contains(name), "{place}: {} has no {name}", command.join(" "));
        }
    }
}

/// Names of the commands that the help of `command` lists.
fn subcommands(command: &[String]) -> Vec<String> {
    let output = output_of(gridwright().args(command).arg("--help"));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Options that the help of a command lists, each at the beginning of its line; without those that every command has.
fn listed_options(command: &[String]) -> BTreeSet<String> {
    let output = output_of(gridwright().args(command).arg("--help"));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::trim_start).filter(|line| line.starts_with("--") || is_short(line));
    let names = lines.filter_map(|line| line.split([' ', '=', ',']).find(|word| word.starts_with("--")));
    names.filter(|name| !["--help", "--version", "--portable"].contains(name)).map(str::to_owned).collect()
}

/// Returns `true` for a line such as `-o, --output <FILE>`.
fn is_short(line: &str) -> bool {
    line.starts_with('-') && line.get(2..6) == Some(", --")
}

/// Options in the first column of the table below a heading of the page of commands.
fn described_options(page: &str, heading: &str) -> BTreeSet<String> {
    let lines = page.lines().skip_while(|line| *line != format!("## {heading}")).skip(1);
    let rows = lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    let words = rows.filter_map(|row| row.split(['`', ' ']).find(|word| word.starts_with("--")));
    words.map(str::to_owned).collect()
}

#[test]
fn every_option_of_every_command_is_on_the_page_of_commands() {
    let page = std::fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let of_instances = described_options(&page, "Options of an instance");
    let (mut different, mut count) = (Vec::new(), 0);
    for name in subcommands(&[]) {
        let below = subcommands(std::slice::from_ref(&name));
        let mut commands: Vec<Vec<String>> = below.into_iter().map(|below| vec![name.clone(), below]).collect();
        if commands.is_empty() {
            commands.push(vec![name]);
        }
        for command in commands {
            let mut options = listed_options(&command);
            if of_instances.is_subset(&options) {
                options.retain(|option| !of_instances.contains(option));
            }
            count += options.len();
            let described = described_options(&page, &command.join(" "));
            let missing: Vec<&String> = options.symmetric_difference(&described).collect();
            different.extend(missing.iter().map(|option| format!("{}: {option}", command.join(" "))));
        }
    }
    assert!(count > 80 && !of_instances.is_empty(), "{count} options");
    assert!(different.is_empty(), "docs/commands.md and --help differ:\n{}", different.join("\n"));
}

/// Options whose values a command writes.
const OUTPUTS: [&str; 4] = ["--out", "--export", "-o", "--output"];
/// Options that state an instance, with their values.
const OF_INSTANCE: [&str; 4] = ["--periods", "--number", "--plant", "--objective"];

/// Files that a command reads.
fn inputs(words: &[String]) -> Vec<&str> {
    let is_file = |word: &str| {
        let is_number = word.parse::<f64>().is_ok();
        let has_ending = word.contains('.') && !word.starts_with('.') && !is_number && !word.contains([':', '*', '=']);
        has_ending || ["new-data", "shop"].contains(&word)
    };
    let end = words.iter().position(|word| word == "--to").unwrap_or(words.len());
    // All that follows `-o` is written, up to the next option.
    let mut writes = false;
    let mut found = Vec::new();
    for word in &words[1..end] {
        if word.starts_with('-') {
            writes = OUTPUTS.contains(&word.as_str());
        } else if is_file(word) && !writes {
            found.push(word.as_str());
        }
    }
    let logo = words[end..].iter().skip_while(|word| *word != "--logo").nth(1);
    found.extend(logo.map(String::as_str));
    found
}

/// Runs of a page's commands that need what is not on the page are made possible by [`Supplies`]; the time of a search is cut.
#[test]
fn every_command_of_the_pages_does_what_it_says() {
    let pages = pages();
    let mut folder = tempfile::tempdir().unwrap();
    let mut name = String::new();
    for (place, mut words) in commands() {
        // Each page begins in an empty folder.
        let page = place.split(':').next().unwrap_or_default();
        if name != page {
            (name, folder) = (page.to_owned(), tempfile::tempdir().unwrap());
        }
        let (_, text) = pages.iter().find(|(path, _)| path.ends_with(page)).unwrap();
        let stated = |option: &&str| words.iter().position(|word| word == option).map(|at| &words[at..at + 2]);
        let options: Vec<&str> = OF_INSTANCE.iter().filter_map(stated).flatten().map(String::as_str).collect();
        if words[0] != "generate" {
            Supplies(folder.path()).make(&inputs(&words), &words[1], &options, text);
        }
        if let Some(at) = words.iter().position(|word| word == "--seconds") {
            words[at + 1] = "0.5".to_owned();
        } else if words[0] == "solve" && !words.contains(&"--generations".to_owned()) {
            words.extend(["--seconds".to_owned(), "0.5".to_owned()]);
        }
        let words = expanded(folder.path(), words);
        let output = output_of(gridwright().args(&words).current_dir(folder.path()));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: gridwright {}: {errors}", words.join(" "));
    }
}

/// Words with a star replaced by the names in the folder that they stand for, as a shell does.
fn expanded(folder: &Path, words: Vec<String>) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let meant = |word: String| match word.split_once('*') {
        Some((begin, end)) => {
            names.iter().filter(|name| name.starts_with(begin) && name.ends_with(end)).cloned().collect()
        }
        None => vec![word],
    };
    words.into_iter().flat_map(meant).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for (path, text) in pages() {
        let folder = path.parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let link = link.split(' ').next().unwrap_or_default();
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !anchor.is_empty() && target.extension().is_some_and(|ending| ending == "md") {
                let heads = std::fs::read_to_string(&target).unwrap();
                let is_there = heads.lines().filter(|line| line.starts_with('#')).any(|line| anchor_of(line) == anchor);
                assert!(is_there, "{}: {link} has no heading", path.display());
            }
        }
    }
}

/// Anchor of a heading: small letters, hyphens for spaces, without punctuation.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}
