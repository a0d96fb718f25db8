//! Every field of every dialog, panel and view: what is typed stays by Enter, Tab, a click elsewhere and a command, and Escape
//! takes it back. The sources say which fields exist, so that none is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use egui::{Key, Modifiers, Rect, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_window::services::Services;

use super::{click, is_field, type_in};
use crate::support::person::{AtHome, Window, at_home, drop_file, file, key, keys, press, settle, shows, sized, wait};
use crate::{rooms, support};

/// A way to leave a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Elsewhere,
    Tab,
    Enter,
    Command,
    Escape,
}

const WAYS: [Way; 5] = [Way::Elsewhere, Way::Tab, Way::Enter, Way::Command, Way::Escape];

/// Fields in which Enter means more than taking a text over, and those whose text goes elsewhere once it counts.
const ACTING: [&str; 8] = [
    "Path of a file to open", "Path of a table", "Path of the project", "Path of the export", "Name of the run",
    "Other exam", "Name of the column", "Folder of the report",
];

/// Fields whose names the sources compute, by file, and fields that only a run, a recording or a failure shows. All of them are
/// made by the widget; not every one is driven here.
const ELSEWHERE: [&str; 27] = [
    "bulk: name", "centre: title", "comparing: what", "curves: name", "form: name", "generations: name",
    "parameters: parameter.label", "pattern: name", "resolving: name", "settings: name", "views: name",
    "weights: weight.label", "Efficiency to keep", "Evaluations of a run", "Fewest students", "Folder of the report",
    "Generation of the child", "Memory for playback", "Name of the column", "Name of the run", "Number of steps",
    "Number of the child", "Other exam", "Periods of the session", "Seconds of a run", "Tenure", "Threads",
];

/// A field on the screen.
#[derive(Debug, Clone)]
struct Shown {
    name: String,
    role: Role,
    rect: Rect,
    value: String,
    number: Option<f64>,
    range: (f64, f64),
}

/// The fields on the screen that can be typed into, except those of other parts of the window that stay as they are.
fn fields(window: &Window, known: &BTreeSet<String>) -> Vec<Shown> {
    let screen = window.ctx.content_rect();
    let nodes = window.query_all_by(move |node| is_field(node.role()) && !node.is_disabled());
    let shown = nodes.filter_map(|node| {
        let (rect, node) = (node.rect(), node.accesskit_node());
        let name = node.label().unwrap_or_default();
        let range = (node.min_numeric_value().unwrap_or(f64::MIN), node.max_numeric_value().unwrap_or(f64::MAX));
        let value = node.value().unwrap_or_default();
        let shown = Shown { name, role: node.role(), rect, value, number: node.numeric_value(), range };
        let is_search = shown.name == "Find exam or student";
        (screen.contains_rect(rect) && !is_search && !known.contains(&shown.name)).then_some(shown)
    });
    shown.collect()
}

/// A field by its name, as it is now; `None` if it is no longer there.
fn now(window: &Window, name: &str) -> Option<Shown> {
    fields(window, &BTreeSet::new()).into_iter().find(|field| field.name == name)
}

/// Another value of a field, as text.
fn other(field: &Shown) -> String {
    let Some(number) = field.number else {
        return match field.value.as_str() {
            // Dates, times and sizes stay readable.
            date if date.len() == 10 && date.contains('-') => {
                if date.ends_with('8') {
                    "2026-06-09".to_owned()
                } else {
                    "2026-06-08".to_owned()
                }
            }
            time if time.len() == 5 && time.contains(':') => {
                format!("{}{}", &time[..4], if time.ends_with('5') { '0' } else { '5' })
            }
            "21" => "22".to_owned(),
            number if !number.is_empty() && number.parse::<f64>().is_ok() => "21".to_owned(),
            _ => "3".to_owned(),
        };
    };
    let (least, most) = field.range;
    // Shares lie between 0 and 1; everything else that is whole stays whole.
    if (most - least > 1.0 || least >= 1.0) && number.fract() == 0.0 {
        let next = if number + 1.0 <= most { number + 1.0 } else { number - 1.0 };
        return next.to_string();
    }
    let middle = ((least + most) * 50.0).round() / 100.0;
    if middle == number { format!("{:.2}", middle / 2.0 + least / 2.0) } else { middle.to_string() }
}

fn begin(window: &mut Window, name: &str, text: &str) {
    let mut nodes = window.get_all_by_label(name).filter(|node| is_field(node.accesskit_node().role()));
    nodes.next().unwrap().scroll_to_me();
    drop(nodes);
    window.run_steps(4);
    let field = now(window, name).unwrap_or_else(|| panic!("{name} is gone"));
    click(window, field.rect.center());
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    type_in(window, text);
}

/// Types into a field, leaves it in this way, and says what does not fit.
fn drive(window: &mut Window, name: &str, way: Way) -> Result<(), String> {
    let before = now(window, name).ok_or("it is gone")?;
    let text = other(&before);
    begin(window, name, &text);
    match way {
        Way::Elsewhere => {
            let rect = now(window, name).ok_or("it is gone while it is typed")?.rect;
            click(window, rect.left_center() - vec2(2.5, 0.0));
        }
        Way::Tab => key(window, Key::Tab),
        Way::Enter => key(window, Key::Enter),
        Way::Command => {
            // A command that changes nothing about the field: the size of text, and back.
            keys(window, Modifiers::COMMAND, Key::Plus);
            keys(window, Modifiers::COMMAND, Key::Num0);
            // A field whose text counts while it is typed keeps the keyboard.
            key(window, Key::Tab);
        }
        Way::Escape => key(window, Key::Escape),
    }
    window.run_steps(4);
    let after = now(window, name).ok_or("it is gone afterwards")?;
    let fits = match (way, before.number) {
        (Way::Escape, Some(number)) => after.number == Some(number),
        (Way::Escape, None) => after.value == before.value,
        (_, Some(_)) => after.number.is_some_and(|number| (number - text.parse::<f64>().unwrap()).abs() < 1e-9),
        (_, None) => after.value == text,
    };
    let Shown { value, number, .. } = after;
    if fits { Ok(()) } else { Err(format!("typed {text} over {}, and there is {value} ({number:?})", before.value)) }
}

/// Drives every field on the screen through every way; notes their names.
fn drive_all(window: &mut Window, scene: &str, driven: &mut BTreeSet<String>, faults: &mut Vec<String>) {
    let shown = fields(window, driven);
    for Shown { name, role, .. } in shown {
        for way in WAYS {
            // In the form of a campaign Enter writes the plan.
            let acts = (ACTING.contains(&name.as_str()) || scene == "campaign") && way == Way::Enter;
            // Enter is a line, and Tab leaves a field of several lines as it does others.
            let is_line = role == Role::MultilineTextInput && way == Way::Enter;
            if acts || is_line {
                continue;
            }
            if let Err(why) = drive(window, &name, way) {
                faults.push(format!("{scene}, {name}, {way:?}: {why}"));
            }
        }
        driven.insert(name);
    }
}

fn session() -> AtHome {
    at_home(|home| file(home.path(), "sample:school"))
}

fn palette(window: &mut Window, command: &str) {
    keys(window, Modifiers::COMMAND, Key::P);
    type_in(window, command);
    key(window, Key::Enter);
    window.run_steps(6);
}

/// A name and what opens the window.
type Scene = (&'static str, Box<dyn Fn() -> AtHome>);

/// Views, panels and dialogs with fields, each with what opens it.
fn scenes() -> Vec<Scene> {
    let mut all: Vec<Scene> = Vec::new();
    let mut add = |name, open: Box<dyn Fn() -> AtHome>| all.push((name, open));
    add("settings", Box::new(session));
    add(
        "advanced",
        Box::new(|| {
            let mut window = session();
            press(&mut window, "Advanced");
            window
        }),
    );
    add(
        "data",
        Box::new(|| {
            let mut window = session();
            press(&mut window, "Data");
            window.run_steps(4);
            window
        }),
    );
    add(
        "letterhead",
        Box::new(|| {
            let mut window = session();
            press(&mut window, "Data");
            press(&mut window, "Letterhead…");
            window
        }),
    );
    add(
        "form",
        Box::new(|| {
            let mut window = at_home(|home| file(home.path(), "sample:layout-workshop"));
            press(&mut window, "Data");
            press(&mut window, "Plant");
            window
        }),
    );
    add(
        "objective",
        Box::new(|| {
            let mut window = at_home(rooms::open);
            press(&mut window, "Objective: Office");
            settle(&mut window);
            window
        }),
    );
    add(
        "calendar",
        Box::new(|| {
            let mut window = session();
            palette(&mut window, "Calendar");
            window
        }),
    );
    add(
        "rule for many exams",
        Box::new(|| {
            let mut window = at_home(rooms::open);
            palette(&mut window, "Rule for many exams");
            window
        }),
    );
    add(
        "export",
        Box::new(|| {
            let mut window = at_home(rooms::open);
            keys(&mut window, Modifiers::COMMAND, Key::E);
            window
        }),
    );
    add(
        "project",
        Box::new(|| {
            let mut window = session();
            keys(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
            window
        }),
    );
    add(
        "import",
        Box::new(|| {
            at_home(|home| {
                let path = home.path().join("a.csv");
                std::fs::write(&path, "student,exam\ns1,MAT\ns2,\n").unwrap();
                let services = Services { dialogs: false, ..Services::default() };
                let mut window = sized(support::app(services, Store::at(home.path()), None), [1440.0, 900.0], 1.0);
                window.run();
                press(&mut window, "Import tables…");
                drop_file(&mut window, path);
                wait(&mut window, "the count", |window| shows(window, "cannot be used"));
                window
            })
        }),
    );
    add("grid", Box::new(|| at_home(|home| file(home.path(), "onemax:100"))));
    add(
        "campaign",
        Box::new(|| {
            let mut window = session();
            press(&mut window, "Run");
            press(&mut window, "Campaign…");
            press(&mut window, "New campaign…");
            window
        }),
    );
    add(
        "batch",
        Box::new(|| {
            let mut window = at_home(|home| file(home.path(), "onemax:100"));
            press(&mut window, "Batch");
            window
        }),
    );
    all
}

#[test]
fn every_field_keeps_what_is_typed_however_it_is_left() {
    let (mut driven, mut faults) = (BTreeSet::new(), Vec::new());
    for (scene, open) in scenes() {
        let mut window = open();
        drive_all(&mut window, scene, &mut driven, &mut faults);
        let further = match scene {
            "import" => ["3 Problems (1)", "4 Summary"].as_slice(),
            _ => &[],
        };
        for step in further {
            press(&mut window, step);
            window.run_steps(4);
            drive_all(&mut window, scene, &mut driven, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let known = driven.iter().cloned().chain(ELSEWHERE.map(str::to_owned)).collect::<BTreeSet<String>>();
    let forgotten: Vec<String> = sources().names.into_iter().filter(|name| !known.contains(name)).collect();
    assert!(forgotten.is_empty(), "fields that no test drives: {forgotten:?}; driven are {driven:?}");
}

/// Fields in the sources: those that are made without the widget, by file, and the names of the others, as written.
#[derive(Default)]
struct Sources {
    raw: BTreeMap<String, usize>,
    names: BTreeSet<String>,
}

/// Looks for fields in the sources of the window and of the problems.
fn sources() -> Sources {
    fn walk(folder: &Path, found: &mut Sources) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                walk(&entry, found);
                continue;
            }
            let is_source = entry.extension().is_some_and(|ending| ending == "rs");
            if !is_source || entry.components().any(|part| part.as_os_str() == "entry") {
                continue;
            }
            let text = std::fs::read_to_string(&entry).unwrap();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let file = entry.file_stem().unwrap().to_string_lossy().into_owned();
                for raw in ["TextEdit::singleline", "TextEdit::multiline", "DragValue::"] {
                    if line.contains(raw) && file != "entry" {
                        *found.raw.entry(format!("{file}: {raw}")).or_default() += 1;
                    }
                }
                for made in ["Field::new(", "Number::new("] {
                    for (_, rest) in line.match_indices(made).map(|(at, _)| line.split_at(at + made.len())) {
                        let end = rest.find([',', ')']).unwrap_or(rest.len());
                        let name = rest[..end].trim_start_matches('&');
                        let literal = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
                        found.names.insert(literal.map_or(format!("{file}: {name}"), str::to_owned));
                    }
                }
            }
        }
    }
    let mut found = Sources::default();
    let app = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["window/src", "problems"].iter().for_each(|folder| walk(&app.join(folder), &mut found));
    found
}

#[test]
fn there_is_one_widget_for_fields() {
    // Fields that look for something as it is typed, and the text of a plan: they have nothing that could be lost.
    let searching = ["palette", "glossary", "view", "search"].map(|file| (format!("{file}: TextEdit::singleline"), 1));
    let text = ("editor: TextEdit::multiline".to_owned(), 1);
    assert_eq!(sources().raw, searching.into_iter().chain([text]).collect());
}
