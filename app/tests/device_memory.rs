//! What the next run needs of a GPU's memory is said before it is started; the GPU is faked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egui_kittest::kittest::Queryable;
use gridwright_core::Error;
use gridwright_core::backend::{Backend, Device, Limits};
use gridwright_window::services::Services;

use crate::support;
use support::person::{Window, open, press, settle, shows, wait};

const CARD: &str = "Faked Card";

fn cpu() -> Device {
    Device { id: "cpu".to_owned(), name: "CPU".to_owned(), details: "2 threads".to_owned(), unavailable: None }
}

fn card(unavailable: Option<&str>) -> Device {
    let unavailable = unavailable.map(str::to_owned);
    Device { id: "cuda:0".to_owned(), name: CARD.to_owned(), details: String::new(), unavailable }
}

/// Services with these devices, of which the card has so many bytes free; the second value counts how often it was asked.
fn services(devices: Vec<Device>, free: u64) -> (Services, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let limits = move |backend: &Backend| {
        count.fetch_add(1, Ordering::Relaxed);
        if !matches!(backend, Backend::Auto | Backend::Cuda(0)) {
            return Err(Error::Device(format!("there is no device {backend:?}")));
        }
        let name = CARD.to_owned();
        let (shared_per_block, shared_per_multiprocessor) = (96 << 10, 100 << 10);
        Ok(Limits { name, shared_per_block, shared_per_multiprocessor, multiprocessors: 20, further: Vec::new(), free })
    };
    let services = Services {
        devices: Arc::new(move || devices.clone()),
        limits: Arc::new(limits),
        dialogs: false,
        ..Services::default()
    };
    (services, asked)
}

/// The window with the faculty that ships and the published algorithm.
fn window(services: Services, home: &std::path::Path) -> Window {
    let mut harness = open(services, home, Some("sample:faculty"));
    press(&mut harness, "As published");
    settle(&mut harness);
    harness
}

fn choose(harness: &mut Window, device: &str) {
    press(harness, "Device");
    settle(harness);
    press(harness, device);
    settle(harness);
}

fn population(harness: &mut Window, number: f64) {
    if harness.query_all_by_label("Population").next().is_none() {
        press(harness, "Advanced");
        harness.run_steps(8);
    }
    harness.get_by_role_and_label(egui::Role::SpinButton, "Population").set_value_accesskit(number);
    harness.run_steps(2);
}

#[test]
fn need_and_room_are_shown_once_a_gpu_is_chosen() {
    let home = tempfile::tempdir().unwrap();
    let (services, asked) = services(vec![cpu(), card(None)], 3 << 30);
    let mut harness = window(services, home.path());
    assert_eq!(asked.load(Ordering::Relaxed), 0, "the CPU needs nothing of the card");
    assert!(!shows(&harness, "GPU memory"));
    choose(&mut harness, CARD);
    wait(&mut harness, "the need", |harness| shows(harness, "GPU memory needed"));
    assert!(shows(&harness, "GPU memory free") && shows(&harness, "3.0 GiB"));
    assert!(!shows(&harness, "cannot solve this"), "it fits");
    settle(&mut harness);
    assert_eq!(asked.load(Ordering::Relaxed), 1, "asked once, not with every frame");
}

#[test]
fn what_does_not_fit_is_told_with_a_remedy_before_solve_is_pressed() {
    let home = tempfile::tempdir().unwrap();
    let (services, asked) = services(vec![cpu(), card(None)], 1 << 20);
    let mut harness = window(services, home.path());
    choose(&mut harness, CARD);
    wait(&mut harness, "the need", |harness| shows(harness, "GPU memory needed"));
    assert!(!shows(&harness, "cannot solve this"), "256 individuals fit");
    population(&mut harness, 100_000.0);
    wait(&mut harness, "the warning", |harness| shows(harness, "cannot solve this"));
    assert!(shows(&harness, "smaller population") && shows(&harness, "1.0 MiB are free"));
    population(&mut harness, 256.0);
    wait(&mut harness, "that it fits again", |harness| {
        !shows(harness, "cannot solve this") && shows(harness, "GPU memory needed")
    });
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[test]
fn automatic_says_that_the_cpu_will_do_it() {
    let home = tempfile::tempdir().unwrap();
    let (services, _) = services(vec![cpu(), card(None)], 1 << 10);
    let mut harness = window(services, home.path());
    choose(&mut harness, "Automatic: the GPU where there is one, otherwise the CPU");
    wait(&mut harness, "the warning", |harness| shows(harness, "The CPU will solve this, not Faked Card"));
    choose(&mut harness, "CPU (2 threads)");
    wait(&mut harness, "nothing to be said", |harness| !shows(harness, "Faked Card") && !shows(harness, "GPU memory"));
}

#[test]
fn without_a_usable_gpu_nothing_is_asked_and_the_reason_stands_in_the_list() {
    for devices in [vec![cpu()], vec![cpu(), card(Some("the driver is too old; update the driver"))]] {
        let home = tempfile::tempdir().unwrap();
        let reason = devices.len() > 1;
        let (services, asked) = services(devices, 3 << 30);
        let mut harness = window(services, home.path());
        choose(&mut harness, "Automatic: the GPU where there is one, otherwise the CPU");
        assert!(!shows(&harness, "GPU memory") && !shows(&harness, "cannot solve this"));
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        press(&mut harness, "Device");
        settle(&mut harness);
        assert_eq!(shows(&harness, "the driver is too old; update the driver"), reason);
    }
}

#[test]
fn a_gpu_that_cannot_be_asked_is_told() {
    let home = tempfile::tempdir().unwrap();
    let (mut services, _) = services(vec![cpu(), card(None)], 0);
    services.limits = Arc::new(|_| Err(Error::Device("cuda:0 cannot be used: injected".to_owned())));
    let mut harness = window(services, home.path());
    choose(&mut harness, CARD);
    wait(&mut harness, "the warning", |harness| shows(harness, "Faked Card cannot solve this: cuda:0 cannot be used"));
}

#[test]
fn the_other_desks_say_it_too() {
    for source in ["taillard:ta051", "layout:F40", "mmdp:300"] {
        let home = tempfile::tempdir().unwrap();
        let (services, _) = services(vec![cpu(), card(None)], 1 << 10);
        let mut harness = open(services, home.path(), Some(source));
        settle(&mut harness);
        choose(&mut harness, CARD);
        wait(&mut harness, "the warning", |harness| shows(harness, "Faked Card cannot solve this"));
        assert!(shows(&harness, "GPU memory needed") && shows(&harness, "use the CPU"), "{source}");
    }
}
