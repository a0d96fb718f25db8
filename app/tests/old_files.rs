//! Files that version 0.2.0 wrote: results, projects and the folder of the window open as they were saved.
//!
//! `files_of_0_2_0` holds them as that version left them: `results` is what `gridwright solve` wrote, `projects` are files of
//! a person, `home` is the folder of the window. All of it lay below `/home/anna`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gridwright_core::problem::Overrides;
use gridwright_core::project::Project;
use gridwright_core::registry;
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Stop};
use gridwright_core::store::{Part, Recent, State, Store, ThemeChoice};
use gridwright_facility as facility;
use gridwright_flowshop as flowshop;
use gridwright_systolic as systolic;
use gridwright_timetabling as timetabling;
use gridwright_timetabling::{Relation, RelationKind};
use gridwright_timetabling_views::methods::*;
use gridwright_window::document::{ProblemView, ViewKind};
use gridwright_window::problem::OpenRequest;
use gridwright_window::registry::ui_of;
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::services::Services;

use crate::support::Documents as _;
use crate::support::person::{Window, at_home, file, open, press, settle, shows, wait, window};

/// The person's folder at the time of version 0.2.0.
const ANNA: &str = "/home/anna";

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files_of_0_2_0")
}

/// Files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A path as the stored files write it on every system.
fn slashed(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

/// The stored files as Anna has them, in a new folder in place of [`ANNA`].
pub struct Anna(tempfile::TempDir);

impl Anna {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (from, to) in [("projects", "Plans"), ("home", "data")] {
            let from = stored().join(from);
            for path in files(&from) {
                let to = folder.path().join(to).join(path.strip_prefix(&from).unwrap());
                std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                std::fs::write(to, text.replace(ANNA, &slashed(folder.path()))).unwrap();
            }
        }
        Self(folder)
    }

    /// The folder that stands for that of the person.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    fn home(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn plan(&self, name: &str) -> String {
        slashed(&self.0.path().join("Plans").join(name))
    }

    fn state(&self) -> State {
        Store::at(self.home()).load_state().unwrap()
    }

    /// The window with a project, on a computer that has nothing but the project and its data.
    fn alone(&self, name: &str) -> Window {
        let home = self.0.path().join("other");
        file(&home, &self.plan(name))
    }
}

/// Checks a result anew and runs it again; `source` opens its instance.
fn again(result: &RunResult) -> ReplayReport {
    let (source, control) = (result.instance.source.as_str(), &Control::new());
    let verdict = |cost: f64, feasible: bool| {
        assert_eq!((cost, feasible), (result.verdict.cost, result.verdict.feasible), "{source}: the checker agrees");
    };
    match result.problem.as_str() {
        "timetabling" => {
            let instance = timetabling::formats::open(source, &Default::default()).unwrap();
            let timetable = timetabling::stored::decode_complete(&instance, &result.solution).unwrap();
            let found = timetable.cost(&instance);
            verdict(found.proximity as f64, found.is_feasible());
            timetabling::run::replay(&instance, result, "cpu", 1, control, &mut |_| {}).unwrap()
        }
        "flowshop" => {
            let instance = flowshop::formats::open(source, &Default::default()).unwrap();
            let order = flowshop::stored::decode(&instance, &result.solution).unwrap();
            let found = flowshop::check::check(&instance, &order);
            assert!(found.violations.is_empty());
            if result.front.is_none() {
                verdict(found.makespan as f64, true);
            }
            flowshop::run::replay(&instance, result, "cpu", 1, control, &mut |_| {}).unwrap()
        }
        "facility" => {
            let instance = facility::formats::open(source, &Default::default()).unwrap();
            let layout = facility::stored::decode(&instance, &result.solution).unwrap();
            verdict(facility::check::check(&instance, &layout).cost, true);
            facility::run::replay(&instance, result, "cpu", 1, control, &mut |_| {}).unwrap()
        }
        "systolic" => {
            let instance = systolic::formats::open(source, &Default::default()).unwrap();
            assert_eq!(systolic::stored::decode(&instance, &result.solution).unwrap().len(), instance.bits());
            systolic::run::replay(&instance, result, "cpu", 1, control, &mut |_| {}).unwrap()
        }
        other => panic!("there is no problem {other}"),
    }
}

#[test]
fn results_load_verify_and_replay() {
    gridwright::register();
    let mut seen = BTreeMap::<String, usize>::new();
    for path in files(&stored().join("results")) {
        assert!(registry::is_result(&path), "{path:?}");
        let result = registry::load_result(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(result.program.ends_with("0.2.0") && result.verdict.confirmed);
        let report = again(&result);
        assert!(report.is_equal(), "{path:?}: {report:?}");
        *seen.entry(result.problem).or_default() += 1;
    }
    let expected = [("facility", 1), ("flowshop", 2), ("systolic", 2), ("timetabling", 1)];
    assert_eq!(seen, expected.map(|(problem, count)| (problem.to_owned(), count)).into());
}

#[test]
fn results_open_in_the_window() {
    for path in files(&stored().join("results")) {
        let window = at_home(|home| file(home.path(), path.to_str().unwrap()));
        let document = window.state().view().unwrap();
        assert_eq!((document.runs().len(), document.shown()), (1, Shown::Run(1)), "{path:?}");
        assert_eq!(window.state().notices().len(), 0, "{path:?}");
    }
}

/// Names of the runs of a document by number.
fn run_names(document: &dyn ProblemView) -> Vec<String> {
    let mut numbers: Vec<usize> = document.runs().iter().map(|run| run.number).collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|number| document.run_name(number).unwrap()).collect()
}

/// Opens a project and checks that the document would be saved exactly as it was.
fn reopened(anna: &Anna, name: &str) -> Window {
    gridwright::register();
    let saved = registry::load_project(Path::new(&anna.plan(name))).unwrap();
    let window = anna.alone(name);
    assert!(window.state().notices().is_empty());
    let (app, path) = (window.state(), anna.plan(name));
    let (sessions, shops, layouts) = (app.session(), app.shop(), app.layouts());
    let project = sessions.map(|open| open.to_project()).or_else(|| shops.map(|open| open.to_project()));
    let project: Project = project.or_else(|| layouts.map(|open| open.to_project())).unwrap();
    assert_eq!(project.problem, saved.problem);
    assert_eq!((&project.instance, &project.demands), (&saved.instance, &saved.demands));
    assert_eq!(project.draft, saved.draft);
    let mut view = saved.view.clone();
    assert!(view.remove("saved").is_some() && view.remove("file").as_deref() == Some(path.as_str()));
    assert_eq!(project.view, view);
    let runs = sessions.map(|open| open.runs.results()).or_else(|| shops.map(|open| open.runs.results()));
    let runs = runs.or_else(|| layouts.map(|open| open.runs.results())).unwrap();
    assert!(runs.iter().map(|run| &**run).eq(&saved.runs));
    assert_eq!(app.view().unwrap().project_file(), Some(Path::new(&path)));
    window
}

#[test]
fn a_session_opens_with_calendar_rules_draft_and_runs() {
    let anna = Anna::new();
    let window = reopened(&anna, "school.gridwright");
    let document = window.state().session().unwrap();
    assert_eq!((document.shown, document.view.name()), (Shown::Draft, "Periods"));
    assert_eq!(run_names(document), ["before the new rooms", ""]);
    assert!(document.runs.iter().all(|run| run.status == RunStatus::Valid));
    let (instance, rules) = (&document.instance, &document.instance.rules);
    assert_eq!((instance.period_label(1).as_str(), instance.periods[3].seats), ("Tue 1 Jun, 14:00–17:00", Some(250)));
    assert_eq!((rules.pin_of(7), rules.allows(5, 0), rules.allows(5, 1)), (Some(2), false, true));
    let relations = [Relation::new(RelationKind::Before, 4, 9), Relation::new(RelationKind::Different, 11, 12)];
    assert!(relations.iter().all(|relation| rules.relations.contains(relation)));
    assert_eq!(rules.reference.as_ref().map(|reference| reference.weight), Some(5));
    let draft = document.draft().unwrap();
    let moved = |&exam: &usize| draft.base.period_of(exam) != draft.solution.period_of(exam);
    assert_eq!((0..instance.exam_count()).filter(moved).collect::<Vec<_>>(), [3]);
    assert_eq!(draft.from, "Run 2");
}

#[test]
fn a_flow_shop_opens_with_draft_and_runs() {
    let anna = Anna::new();
    let window = reopened(&anna, "shop.gridwright");
    let document = window.state().shop().unwrap();
    assert_eq!((document.shown, document.view.name()), (Shown::Run(1), "Lateness"));
    // The third run is a front, which is listed where two objectives are minimised.
    assert_eq!(document.runs.len(), 3);
    assert_eq!(run_names(document), ["", "after the second saw"]);
    assert!(document.runs.iter().all(|run| run.status == RunStatus::Valid));
    assert!(document.draft().is_some_and(|draft| draft.solution != draft.base));
    assert!(document.selected.is_some());
}

#[test]
fn a_layout_opens_with_rules_draft_and_runs() {
    let anna = Anna::new();
    let window = reopened(&anna, "joinery.gridwright");
    let document = window.state().layouts().unwrap();
    assert_eq!((document.shown, document.view.name()), (Shown::Draft, "Floor plan"));
    assert_eq!(run_names(document), ["", "with the old gate"]);
    assert!(document.runs.iter().all(|run| run.status == RunStatus::Valid));
    assert_eq!(document.instance.rules.locks.len(), 1);
    assert!(document.draft().is_some_and(|draft| draft.solution != draft.base));
}

#[test]
fn preferences_are_restored() {
    let anna = Anna::new();
    let state = anna.state();
    assert_eq!((state.theme, state.text_size, state.reopen), (ThemeChoice::Dark, 110, true));
    assert_eq!(state.hidden, [Part::Library]);
    let recent = |recent: &Recent| (recent.source.clone(), recent.problem.clone());
    let recent: Vec<(String, String)> = state.recent.iter().map(recent).collect();
    let expected = [
        (anna.plan("autumn.stu"), "timetabling"),
        ("sample:release".to_owned(), "systolic"),
        ("sample:backpack".to_owned(), "systolic"),
        (anna.plan("joinery.gridwright"), "facility"),
        ("sample:layout-workshop".to_owned(), "facility"),
        (anna.plan("shop.gridwright"), "flowshop"),
        ("sample:workshop".to_owned(), "flowshop"),
        (anna.plan("school.gridwright"), "timetabling"),
        ("sample:school".to_owned(), "timetabling"),
    ];
    assert_eq!(recent, expected.map(|(source, problem)| (source, problem.to_owned())));
    let options = BTreeMap::from([("periods".to_owned(), "9".to_owned())]);
    assert_eq!(state.recent[0].options, options);
    assert!(state.recent[1..].iter().all(|recent| recent.options.is_empty()));
    let pinned = |recent: &Recent| recent.pinned == (recent.source == "sample:layout-workshop");
    assert!(state.recent.iter().all(pinned));

    // Settings that cannot be read would be those of a new program.
    let settings = |problem: &str| state.settings[problem].clone();
    let session: timetabling::run::Settings = settings("timetabling").decode().unwrap();
    assert_eq!((session.threads, session.stop), (1, Stop::after(Budget::Steps(5_000))));
    let shop: flowshop::run::Settings = settings("flowshop").decode().unwrap();
    assert_eq!((shop.goal.to_string().as_str(), shop.threads), ("makespan", 1));
    assert_eq!(shop.stop, Stop::after(Budget::Steps(20)));
    let layout: facility::run::Settings = settings("facility").decode().unwrap();
    assert_eq!((layout.algorithm.name(), layout.stop), ("memetic", Stop::after(Budget::Steps(20))));
    let binary: systolic::run::Settings = settings("systolic").decode().unwrap();
    assert_eq!((binary.seed, binary.stop), (3, Stop::after(Budget::Steps(40))));

    // The window is the same after this version has saved the preferences.
    let store = Store::at(anna.home());
    store.save_state(&state).unwrap();
    assert_eq!(store.load_state().unwrap(), state);
}

#[test]
fn the_window_goes_on_with_what_was_open() {
    let anna = Anna::new();
    let services = Services { dialogs: false, ..Services::default() };
    let window = window(crate::support::app(services, Store::at(anna.home()), None));
    let document = window.state().session().unwrap();
    // Paths, because separators may differ.
    assert_eq!(Path::new(&document.source), Path::new(&anna.plan("autumn.stu")));
    assert_eq!(document.instance.period_count(), 9);
    assert_eq!((document.view.name(), document.runs.len(), document.shown), ("Load", 1, Shown::Run(1)));
    let look = document.view_settings();
    assert_eq!((look.sort.as_str(), look.row_height, look.steps, look.logarithmic), ("Name", Some(14.0), true, true));
    assert_eq!(document.instance.rules.pin_of(2), Some(6), "edits of a file without a project were kept, too");
}

#[test]
fn kept_runs_and_edits_are_listed() {
    let anna = Anna::new();
    let expected: [(&str, &[&str]); 5] = [
        ("sample:school", &["before the new rooms", ""]),
        ("sample:workshop", &["", "after the second saw"]),
        ("sample:layout-workshop", &["", "with the old gate"]),
        ("sample:backpack", &["first of sample:backpack"]),
        ("sample:release", &["first of sample:release"]),
    ];
    for (source, names) in expected {
        let mut window = file(&anna.home(), source);
        let document = window.state().view().unwrap();
        assert_eq!(run_names(document), names, "{source}");
        assert_eq!(document.has_draft(), document.problem().id() != "systolic", "{source}: edits go on");
        assert!(window.state().notices().is_empty(), "{source}");
        settle(&mut window);
        window.state_mut().close();
    }
    let unreadable = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "unreadable");
    assert!(!files(&anna.home()).iter().any(unreadable));
}

/// The table of a project is no longer where it was: the window says how to point to it, and it opens with the one that is
/// located or that lies beside it.
#[test]
fn a_project_whose_table_is_gone_opens_with_the_one_that_is_located() {
    gridwright::register();
    let anna = Anna::new();
    let plan = anna.plan("shop.gridwright");
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replacen("sample:workshop", "/nowhere/workshop.csv", 1)).unwrap();
    let services = Services { dialogs: false, ..Services::default() };
    let mut window = open(services.clone(), &anna.folder().join("other"), Some(&plan));
    assert!(shows(&window, "shop.gridwright could not be opened"));
    press(&mut window, "Locate its data…");
    wait(&mut window, "the dialog", |window| shows(window, "Hidden files"));
    window.key_press(egui::Key::Escape);
    wait(&mut window, "the dialog to close", |window| !shows(window, "Hidden files"));
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/flowshop/workshop.csv");
    let (options, store) = (Overrides::default(), Store::at(anna.folder().join("third")));
    let request = OpenRequest {
        source: &plan,
        options: &options,
        services: &services,
        store: &store,
        settings: None,
        former: None,
        located: Some(&table),
    };
    let (document, notices) = (ui_of(registry::owner(&plan)).unwrap().open_document)(&request).unwrap();
    assert_eq!(document.name(), "workshop");
    assert_eq!(run_names(&*document), ["", "after the second saw"]);
    let told = "The data were read from another folder than the project's";
    assert!(notices.iter().any(|notice| notice.heading == told), "{notices:?}");
    // Beside the project the table is found without a question.
    std::fs::copy(&table, anna.plan("workshop.csv")).unwrap();
    press(&mut window, "Try again");
    wait(&mut window, "the flow shop", |window| window.state().shop().is_some());
    assert_eq!(run_names(window.state().view().unwrap()), ["", "after the second saw"]);
    assert!(!window.state().notices().iter().any(|notice| notice.heading == told));
}
