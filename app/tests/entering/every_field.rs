//! Every field of every dialog, panel and view: what is typed stays by Enter, Tab, a click elsewhere, a command, a change of
//! view and the end of the window, and Escape takes it back. The sources say which fields exist, so that none is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use egui::{Key, Modifiers, Rect, Role, ViewportEvent, ViewportId, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::scenes::{Scene, scenes};
use super::{click, is_field, reveal, type_in};
use crate::support::person::{Window, key, keys};

/// A way to leave a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Elsewhere,
    Tab,
    Enter,
    Command,
    View,
    Close,
    Escape,
    /// A click elsewhere after a second click into a field that shows a word in place of 0.
    Twice,
}

const WAYS: [Way; 8] =
    [Way::Elsewhere, Way::Tab, Way::Enter, Way::Command, Way::View, Way::Close, Way::Escape, Way::Twice];

/// Fields in which Enter means more than taking a text over, and those whose text goes elsewhere once it counts.
const ACTING: [&str; 10] = [
    "Capacity", "Path of a file to open", "Path of a table", "Path of the project", "Path of the export",
    "Name of the run", "Other exam", "Name of the column", "Folder of the report", "Price of each moved exam",
];

/// Names that the sources compute, by file, each with a field whose name is computed there.
const COMPUTED: [(&str, &str); 14] = [
    ("bulk: name", "Exams"),
    ("centre: title", "Capacity"),
    ("comparing: what", "Filter by code or title"),
    ("filter: name", "Code of the room contains"),
    ("form: name", "Width"),
    ("form: name", "Parameters of Annealing"),
    ("generations: name", "Generation whose best individual is followed"),
    ("parameters: parameter.label", "Start temperature"),
    ("limits: name.label", "Most exams of a student on a day"),
    ("pattern: name", "First day"),
    ("resolving: name", "Price of each moved exam"),
    ("settings: name", "Limit of steps"),
    ("views: name", "Code or title contains"),
    ("weights: weight.label", "A student has two exams on a day, not in a row"),
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

impl Shown {
    /// Returns `true` if a word is shown in place of 0.
    fn has_word(&self) -> bool {
        self.number == Some(0.0) && !self.value.contains(|letter: char| letter.is_ascii_digit())
    }
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

/// Clicks into a field and types over its text, or after a second click without more ado.
fn begin(window: &mut Window, name: &str, text: &str, clicks_twice: bool) {
    let field = now(window, name).unwrap_or_else(|| panic!("{name} is gone"));
    click(window, field.rect.center());
    if clicks_twice {
        click(window, field.rect.center());
    } else {
        window.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.run_steps(2);
    }
    type_in(window, text);
}

/// Goes to another view by keys, and back where the view has a key.
fn change_view(window: &mut Window) {
    const DIGITS: [Key; 9] =
        [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    let present = window.state().view().map_or(0, |view| view.view());
    let other = usize::from(present == 0);
    keys(window, Modifiers::COMMAND, DIGITS[other]);
    window.run_steps(2);
    if let Some(digit) = DIGITS.get(present) {
        keys(window, Modifiers::COMMAND, *digit);
    }
}

/// Types into a field, leaves it in this way, and says what does not fit.
fn drive(window: &mut Window, scene: &Scene, name: &str, way: Way) -> Result<(), String> {
    scene.show(window, |window| now(window, name).is_some());
    reveal(window, name);
    let before = now(window, name).ok_or("it is gone")?;
    let text = other(&before);
    if way == Way::Twice && !before.has_word() {
        return Ok(());
    }
    begin(window, name, &text, way == Way::Twice);
    match way {
        Way::Elsewhere | Way::Twice => {
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
        Way::View => change_view(window),
        Way::Close => {
            let viewport = window.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap();
            viewport.events.push(ViewportEvent::Close);
            window.step();
            window.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap().events.clear();
            window.run_steps(4);
            // A field whose text counts while it is typed keeps the keyboard, and Escape takes all back that is typed meanwhile.
            key(window, Key::Tab);
        }
        Way::Escape => key(window, Key::Escape),
    }
    window.run_steps(4);
    scene.show(window, |window| now(window, name).is_some());
    reveal(window, name);
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
fn drive_all(window: &mut Window, scene: &Scene, driven: &mut BTreeSet<String>, faults: &mut Vec<String>) {
    let shown = fields(window, driven);
    for Shown { name, role, .. } in shown {
        for way in WAYS {
            // In the form of a campaign Enter writes the plan.
            let acts = (ACTING.contains(&name.as_str()) || scene.name == "campaign") && way == Way::Enter;
            // Enter is a line, and Tab leaves a field of several lines as it does others.
            let is_line = role == Role::MultilineTextInput && way == Way::Enter;
            if acts || is_line {
                continue;
            }
            if let Err(why) = drive(window, scene, &name, way) {
                faults.push(format!("{}, {name}, {way:?}: {why}", scene.name));
            }
        }
        driven.insert(name);
    }
}

#[test]
fn every_field_keeps_what_is_typed_however_it_is_left() {
    let (mut driven, mut faults) = (BTreeSet::new(), Vec::new());
    for scene in scenes() {
        let mut window = (scene.open)();
        drive_all(&mut window, &scene, &mut driven, &mut faults);
        for step in &scene.further {
            step(&mut window);
            window.run_steps(4);
            drive_all(&mut window, &scene, &mut driven, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let is_driven = |made: &String| {
        let computed: Vec<&str> = COMPUTED.iter().filter(|(from, _)| from == made).map(|(_, name)| *name).collect();
        driven.contains(made) || !computed.is_empty() && computed.iter().all(|name| driven.contains(*name))
    };
    let made = sources().names;
    let forgotten: Vec<&String> = made.iter().filter(|made| !is_driven(made)).collect();
    assert!(forgotten.is_empty(), "fields that no test drives: {forgotten:?}; driven are {driven:?}");
    let gone: Vec<&str> = COMPUTED.iter().map(|(from, _)| *from).filter(|from| !made.contains(*from)).collect();
    assert!(gone.is_empty(), "no such fields are made: {gone:?}");
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
                for raw in ["TextEdit::singleline", "TextEdit::multiline", "DragValue::", "ComboBox::"] {
                    if line.contains(raw) && file != "entry" && file != "choices" {
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
fn there_is_one_widget_for_fields_and_one_for_lists_of_choices() {
    // Fields that look for something as it is typed, and the text of a plan: they have nothing that could be lost.
    let searching = ["palette", "glossary", "view", "search"].map(|file| (format!("{file}: TextEdit::singleline"), 1));
    let text = ("editor: TextEdit::multiline".to_owned(), 1);
    assert_eq!(sources().raw, searching.into_iter().chain([text]).collect());
}
