//! Finding an exam or a student by code or title.

use easy_ext::ext;
use egui::{Key, KeyboardShortcut, Modifiers, TextEdit, Ui, WidgetInfo};
use gridwright_timetabling::Instance;

use super::Document;
use super::state::View;
use super::view_state::search::Hit;
use gridwright_window::theme::{self, palette};

/// The keys that lead to the field.
pub(crate) const SHORTCUT: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::F);

/// Search for exams and students.
#[ext(SearchMethods)]
impl Document {
    /// Moves the focus to the search field; returns `false` if there is none.
    pub fn find_in_picture(&mut self) -> bool {
        if self.picture().is_none() {
            return false;
        }
        if matches!(self.view, View::Load | View::Gaps) {
            self.view = View::Grid;
        }
        self.views.search.wanted = true;
        true
    }
}

const NAME: &str = "Find exam or student";

/// Maximum number of hits.
const MOST: usize = 500;

/// Exams and students that match, the best matches first: the whole code, its beginning, a part of code or title;
/// exams before students.
pub fn find(instance: &Instance, text: &str) -> Vec<Hit> {
    let wanted = text.trim().to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let rank = |code: &str, title: &str| {
        let code = code.to_lowercase();
        match () {
            () if code == wanted => Some(0),
            () if code.starts_with(&wanted) => Some(1),
            () if code.contains(&wanted) => Some(2),
            () if title.to_lowercase().contains(&wanted) => Some(3),
            () => None,
        }
    };
    let exams = instance.exams.iter().enumerate();
    let mut ranked: Vec<(u8, Hit)> =
        exams.filter_map(|(index, exam)| Some((rank(&exam.code, &exam.title)?, Hit::Exam(index)))).collect();
    let students = 0..instance.students.len();
    let code = |student: usize| instance.students.code(student);
    // A part of a number would find nearly everyone.
    let students = students.filter_map(|student| Some((rank(&code(student), "")?, Hit::Student(student))));
    ranked.extend(students.filter(|(rank, _)| *rank < 2));
    ranked.sort_by_key(|(rank, hit)| (*rank, matches!(hit, Hit::Student(_))));
    ranked.truncate(MOST);
    ranked.into_iter().map(|(_, hit)| hit).collect()
}

/// The field; Ctrl+F leads to it, Enter goes to what was found, again and again, with Shift backwards.
pub fn field(ui: &mut Ui, document: &mut Document, width: f32) {
    let help = format!("Enter goes from one to the next ({})", ui.ctx().format_shortcut(&SHORTCUT));
    let state = &mut document.state.views.search;
    let wanted = std::mem::take(&mut state.wanted);
    let edit = TextEdit::singleline(&mut state.text)
        .id_salt(NAME)
        .hint_text(NAME)
        .desired_width(width)
        .align(egui::Align2::LEFT_CENTER);
    let response = ui.add(edit.return_key(Some(KeyboardShortcut::new(Modifiers::NONE, Key::Enter))));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, NAME));
    let response = response.on_hover_text(help);
    if wanted {
        response.request_focus();
    }
    if response.changed() {
        state.hits = find(&document.instance, &state.text);
        state.at = None;
    }
    let (enter, back) = ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
    if enter && (response.lost_focus() || response.has_focus()) && !state.hits.is_empty() {
        let count = state.hits.len();
        let step = if back { count - 1 } else { 1 };
        let next = state.at.map_or(0, |at| (at + step) % count);
        state.at = Some(next);
        response.request_focus();
        if let Some(&hit) = state.hits.get(next) {
            go(document, hit);
        }
    }
    let state = &document.state.views.search;
    let words = match (state.text.trim().is_empty(), state.at, state.hits.len()) {
        (true, ..) => return,
        (_, _, 0) => "none".to_owned(),
        (_, Some(at), count) => format!("{} of {count}", at + 1),
        (_, None, MOST) => format!("{MOST}+"),
        (_, None, count) => format!("{count}"),
    };
    ui.label(theme::small(words).color(palette(ui.visuals()).weak));
}

/// Shows the hit.
fn go(document: &mut Document, hit: Hit) {
    match hit {
        Hit::Exam(exam) => {
            document.selected = Some(exam);
            if matches!(document.view, View::Load | View::Gaps | View::Students) {
                document.view = View::Grid;
            }
        }
        Hit::Student(student) => {
            document.state.views.students.show(student);
            document.view = View::Students;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts};

    #[test]
    fn the_whole_code_comes_first_and_exams_before_students() {
        let exam =
            |(code, title): (&str, &str)| Exam { code: code.to_owned(), title: title.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: [("MATH1", "Sets"), ("B2", "Mathematics"), ("AMATH", ""), ("math", "")].map(exam).to_vec(),
            students: vec![vec![0], vec![1], vec![2]],
            student_codes: ["mathilda", "bob", "polymath"].map(str::to_owned).to_vec(),
            ..InstanceParts::default()
        })
        .unwrap();
        let found = find(&instance, "Math ");
        let exams = [3, 0].map(Hit::Exam).into_iter().chain([Hit::Student(0)]).chain([2, 1].map(Hit::Exam));
        assert_eq!(found, exams.collect::<Vec<_>>());
        assert_eq!(find(&instance, "  "), []);
        assert_eq!(find(&instance, "bob"), [Hit::Student(1)]);
    }
}
