//! A window that shows a timetable at once, for tests, pictures and measurements.

// Every test file uses a part of it.
#![allow(dead_code)]

pub mod person;

use std::path::Path;
use std::sync::Arc;

use gridwright::session::Kept;
use gridwright::store::Store;
use gridwright::timetabling::desk::default_settings;
use gridwright::timetabling::solving::{Order, instance_key, interrupted};
use gridwright::window::{App, Services};
use gridwright_solver::random::Philox;
use gridwright_solver::search::{Progress, Snapshot, StopReason};
use gridwright_solver::timetabling::construction::construct;
use gridwright_solver::timetabling::model::Model;
use gridwright_solver::timetabling::{Instance, Timetable};

/// A first timetable of an instance, the same every time.
pub fn constructed(instance: &Instance) -> Timetable {
    construct(&Model::new(instance), Philox::new(1), 0, 20_000, &|| false)
}

/// A window over `home` in which a run with this timetable is kept; it is shown when the instance has been opened.
///
/// The window opens it under the name `planned`; step until [`App::desk`] is there.
pub fn planned(instance: Instance, timetable: Timetable, home: &Path) -> App {
    let store = Store::at(home);
    let cost = timetable.cost(&instance).proximity as f64;
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
    let settings = default_settings();
    let order = Order { instance: Arc::new(instance.clone()), source: "planned".to_owned(), settings };
    let kept = Kept { progress, curve: Vec::new(), rate: 0.0 };
    let mut result = interrupted(&order, &kept, StopReason::Budget);
    // The same on every machine and every day.
    (result.threads, result.finished_at) = (2, 0);
    store.keep(&instance_key(&instance), &result).expect("the run can be kept");
    let services = Services { open: Arc::new(move |_, _| Ok(instance.clone())), dialogs: false, ..Services::default() };
    App::new(services, store, Some("planned".to_owned()))
}
