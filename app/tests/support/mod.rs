//! A window that shows a timetable at once, for tests, pictures and measurements.

// Every test file uses a part of it.
#![allow(dead_code)]

pub mod overlap;
pub mod person;
pub mod picture;

use std::path::Path;
use std::sync::Arc;

use gridwright_core::planning::Planning;
use gridwright_core::problem::Overrides;
use gridwright_core::random::Philox;
use gridwright_core::registry;
use gridwright_core::result::{Encoded, RunResult};
use gridwright_core::search::partial::partial_result;
use gridwright_core::search::{Algorithms, Budget, Control, Progress, Snapshot, Stop, StopReason};
use gridwright_core::store::{State, Store, document_key};
use gridwright_facility as facility;
use gridwright_facility_views as layouts;
use gridwright_flowshop as flowshop;
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop_views as shops;
use gridwright_systolic_views as grids;
use gridwright_timetabling::construction::construct;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::model::Model;
use gridwright_timetabling::run::Settings;
use gridwright_timetabling::{Exam, Instance, InstanceParts, Period, Timetable};
use gridwright_timetabling_views as sessions;
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::settings::defaults;
use gridwright_window::document::kind::Best;
use gridwright_window::document::{Document, DocumentKind, ProblemView, SolveRequest};
use gridwright_window::problem::OpenRequest;
use gridwright_window::registry::ui_of;
use gridwright_window::services::Services;
use gridwright_window::session::Checkpoint;
use gridwright_window::window::App;

/// A window with the problems that ship, in study mode.
pub fn app(services: Services, store: Store, open: Option<String>) -> App {
    plain_app(Services { studies: true, ..services }, store, open)
}

/// A window with the problems that ship, in the mode in which the program starts.
pub fn plain_app(services: Services, store: Store, open: Option<String>) -> App {
    gridwright::register();
    App::new(services, store, open)
}

/// The open document, if it is of the problem in the name.
pub trait Documents {
    /// An examination session.
    fn session(&self) -> Option<&sessions::Document>;
    /// A flow shop.
    fn shop(&self) -> Option<&shops::Document>;
    /// A layout problem.
    fn layouts(&self) -> Option<&layouts::Document>;
    /// A binary problem.
    fn binary(&self) -> Option<&grids::Document>;
}

impl Documents for App {
    fn session(&self) -> Option<&sessions::Document> {
        self.document()
    }

    fn shop(&self) -> Option<&shops::Document> {
        self.document()
    }

    fn layouts(&self) -> Option<&layouts::Document> {
        self.document()
    }

    fn binary(&self) -> Option<&grids::Document> {
        self.document()
    }
}

/// Opens a document without a window.
pub fn opened(source: &str, store: &Store) -> Box<dyn ProblemView> {
    gridwright::register();
    let (options, services) = (Overrides::default(), Services::default());
    let request = OpenRequest {
        source,
        options: &options,
        services: &services,
        store,
        settings: None,
        former: None,
        located: None,
    };
    (ui_of(registry::owner(source)).unwrap().open_document)(&request).unwrap().0
}

/// Opens a document and hands it to `use_it`.
pub fn with_document<K: DocumentKind, T>(
    home: &Path, source: &str, use_it: impl FnOnce(&mut Document<K>, &Store) -> T,
) -> T {
    let store = Store::at(home);
    let mut opened = opened(source, &store);
    use_it(opened.as_any_mut().downcast_mut::<Document<K>>().unwrap(), &store)
}

/// The preferences with these settings for the next document of a problem.
fn with_settings<K: DocumentKind>(mut state: State, settings: &gridwright_window::document::Settings<K>) -> State {
    state.settings.insert(<K::Problem>::PROBLEM.id().to_owned(), Encoded::of(settings));
    state
}

/// Five exams in a row, each sharing students with the next; feasible in two periods.
pub fn chain(periods: usize) -> Instance {
    let exam = |code: &str| Exam { code: code.to_owned(), title: format!("Course {code}"), ..Exam::default() };
    Instance::build(InstanceParts {
        name: "chain".to_owned(),
        exams: ["A1", "B2", "C3", "D4", "E5"].map(exam).to_vec(),
        students: vec![vec![0, 1], vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 4]],
        periods: vec![Period::default(); periods],
        file_hash: "c0ffee".to_owned(),
        ..InstanceParts::default()
    })
    .unwrap()
}

/// A first timetable of an instance, the same every time.
pub fn constructed(instance: &Instance) -> Timetable {
    constructed_from(instance, 1)
}

/// The same from another seed.
pub fn constructed_from(instance: &Instance, seed: u64) -> Timetable {
    construct(&Model::new(instance), Philox::new(seed), 0, 20_000, &|| false)
}

/// A window over `home` in which a run with this timetable is kept; it is shown when the instance has been opened.
///
/// The window opens it under the name `planned`; step until [`Documents::session`] is there.
pub fn planned(instance: Instance, timetable: Timetable, home: &Path) -> App {
    planned_with(Services::default(), instance, timetable, home)
}

/// The same with other services than the program's own.
pub fn planned_with(services: Services, instance: Instance, timetable: Timetable, home: &Path) -> App {
    let store = Store::at(home);
    keep(&store, &instance, timetable, 1);
    let services = Services { dialogs: false, ..services };
    let services = services.replace::<TimetablingViews>(|own| own.open = Arc::new(move |_, _| Ok(instance.clone())));
    app(services, store, Some("planned".to_owned()))
}

/// Keeps a run with this seed and this timetable for the session that opens under the name `planned`.
pub fn keep(store: &Store, instance: &Instance, timetable: Timetable, seed: u64) {
    keep_run_of(store, "planned", instance, timetable, seed);
}

/// Keeps a run with this seed and this timetable for the session that is opened from `source`.
pub fn keep_run_of(store: &Store, source: &str, instance: &Instance, timetable: Timetable, seed: u64) {
    let cost = timetable.cost(instance).proximity as f64;
    // As it stands: a search would put sittings into smaller rooms.
    let solution = gridwright_timetabling::stored::encode(instance, &timetable);
    let snapshot = Snapshot {
        step: 1,
        evaluations: 1,
        best: Arc::new(timetable),
        best_cost: cost,
        mean: cost,
        worst: cost,
        digest: 0,
        share: None,
    };
    let progress = Progress { snapshot, seconds: 1.0, share: 1.0 };
    let settings = Settings { seed, ..defaults() };
    let request = SolveRequest::<TimetablingViews> {
        instance: Arc::new(instance.clone()),
        source: source.to_owned(),
        settings,
        key: String::new(),
        start: None,
    };
    let checkpoint = Checkpoint { progress, curve: Vec::new(), rate: 0.0 };
    let mut result = run_at(&request, &checkpoint, StopReason::Budget);
    // The same on every machine and every day.
    (result.threads, result.finished_at) = (2, 0);
    result.solution = solution;
    keep_as(store, source, result);
}

/// Keeps a run as one of the document that is opened from `source`.
pub fn keep_as(store: &Store, source: &str, mut result: RunResult) {
    source.clone_into(&mut result.instance.source);
    let key = document_key(&result.instance.name, &result.instance.hash, source);
    store.keep(&key, &result).expect("the run can be kept");
}

/// The result of a run that ends at a checkpoint.
pub fn run_at<K: DocumentKind>(
    request: &SolveRequest<K>, checkpoint: &Checkpoint<Best<K>>, reason: StopReason,
) -> RunResult {
    let SolveRequest { instance, source, settings, start, .. } = request;
    let Checkpoint { progress, curve, .. } = checkpoint;
    let judgement = <K::Problem>::judge(instance, settings, start.as_deref(), &progress.snapshot);
    let reference = <K::Problem>::reference(instance, source.clone(), K::run_options(request));
    let id = <K::Problem>::PROBLEM.id();
    partial_result(judgement, id, reference, settings, progress, curve.clone(), reason)
}

/// Replaces all times, so that the result is the same on every machine and every day.
fn make_timeless(result: &mut RunResult, finished_at: i64) {
    (result.seconds, result.finished_at) = (1.0, finished_at);
    for (point, at) in result.curve.iter_mut().zip(0_u32..) {
        point.seconds = f64::from(at) / 8.0;
    }
}

/// A run of the evolutionary algorithm on a sample of examination sessions: the same on every machine.
pub fn evolution(source: &str, generations: u64) -> (Instance, RunResult) {
    use gridwright_timetabling::run::{Algorithm, solve};
    let instance = open(source, &LoadOptions::default()).unwrap();
    let mut algorithm = Algorithm::named("evolution").unwrap();
    algorithm.set("population", "64").unwrap();
    algorithm.set("constructed", "40").unwrap();
    let stop = Stop::after(Budget::Steps(generations));
    let settings = Settings { algorithm, seed: 3, threads: 1, stop, ..defaults() };
    let mut result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    make_timeless(&mut result, 0);
    (instance, result)
}

/// A window over `home` that opens a sample of examination sessions with a run of the evolutionary algorithm.
pub fn evolved(source: &str, generations: u64, home: &Path) -> App {
    kept(source, &evolution(source, generations).1, home)
}

/// A window over `home` that opens a sample of examination sessions with this run.
pub fn kept(source: &str, result: &RunResult, home: &Path) -> App {
    keep_as(&Store::at(home), source, result.clone());
    app(Services { dialogs: false, ..Services::default() }, Store::at(home), Some(source.to_owned()))
}

/// A window over `home` that opens this flow shop, of which a short run is kept: the same on every machine.
pub fn scheduled(source: &str, goal: Goal, home: &Path) -> App {
    let instance = flowshop::formats::open(source, &flowshop::formats::LoadOptions::default()).unwrap();
    let settings = flowshop::run::Settings {
        algorithm: flowshop::run::Algorithm::for_goal(goal),
        goal,
        backend: "cpu".to_owned(),
        threads: 1,
        seed: 1,
        stop: Stop::after(Budget::Steps(30)),
    };
    let mut result = flowshop::run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    make_timeless(&mut result, 0);
    result.notes.clear();
    let store = Store::at(home);
    keep_as(&store, source, result);
    // The document opens with what was minimised.
    let state = store.load_state().unwrap_or_default();
    store.save_state(&with_settings::<shops::FlowShopViews>(state, &settings)).expect("preferences can be kept");
    app(Services { dialogs: false, ..Services::default() }, store, Some(source.to_owned()))
}

/// A small plant as tables below `home`, which can be proven; the path of its departments.
pub fn small_plant(home: &Path) -> String {
    let folder = home.join("small-plant");
    std::fs::create_dir_all(&folder).unwrap();
    let departments = "# plant: 20 x 10\ndepartment,area,aspect limit\nReceiving,30,3\nStore,40,3\nCutting,24,3\n\
                       Turning,18,3\nWelding,24,3\nAssembly,36,3\nShipping,20,3\n";
    let flows = "from,to,flow\nReceiving,Store,18\nStore,Cutting,14\nCutting,Turning,8\nTurning,Welding,7\n\
                 Cutting,Welding,5\nWelding,Assembly,9\nStore,Assembly,6\nAssembly,Shipping,15\nReceiving,Shipping,2.5\n";
    let closeness = "from,to,rating\nReceiving,Store,A\nAssembly,Shipping,E\n";
    for (name, text) in [("departments.csv", departments), ("flows.csv", flows), ("closeness.csv", closeness)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder.join("departments.csv").display().to_string()
}

/// A window over `home` that opens this layout problem, of which short runs with these seeds are kept: the same on every
/// machine.
pub fn laid_out(source: &str, algorithm: facility::run::Algorithm, seeds: &[u64], home: &Path) -> App {
    let instance = facility::formats::open(source, &facility::formats::LoadOptions::default()).unwrap();
    let store = Store::at(home);
    let steps = if algorithm.name() == "enumeration" { 1_000_000 } else { 40 };
    for &seed in seeds {
        let settings = facility::run::Settings {
            algorithm: algorithm.clone(),
            goal: None,
            backend: "cpu".to_owned(),
            threads: 1,
            seed,
            stop: Stop::after(Budget::Steps(steps)),
        };
        let mut result = facility::run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        make_timeless(&mut result, seed as i64);
        result.notes.clear();
        keep_as(&store, source, result);
        let state = store.load_state().unwrap_or_default();
        store.save_state(&with_settings::<layouts::FacilityViews>(state, &settings)).expect("preferences can be kept");
    }
    app(Services { dialogs: false, ..Services::default() }, store, Some(source.to_owned()))
}

/// A window over `home` that opens this binary problem, of which a run is kept: the same on every machine.
pub fn recorded_run(source: &str, algorithm: &str, home: &Path) -> App {
    use gridwright_systolic::{formats, run};
    let instance = formats::open(source, &formats::LoadOptions::default()).unwrap();
    let settings = run::Settings {
        goal: (),
        algorithm: run::Algorithm::named(algorithm).unwrap(),
        backend: "cpu".to_owned(),
        threads: 1,
        seed: 1,
        stop: Stop::after(Budget::Steps(instance.cells() as u64)),
    };
    let mut result = run::solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    make_timeless(&mut result, 0);
    keep_as(&Store::at(home), source, result);
    app(Services { dialogs: false, ..Services::default() }, Store::at(home), Some(source.to_owned()))
}
