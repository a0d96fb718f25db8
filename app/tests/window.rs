//! The window as a person uses it, driven by what it tells screen readers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use gridwright_core::Error;
use gridwright_core::backend::DeviceNote;
use gridwright_core::search::{Control, Progress, Snapshot, StopReason};
use gridwright_timetabling::{Instance, Timetable};
use gridwright_timetabling_views::TimetablingViews;
use gridwright_timetabling_views::methods::*;
use gridwright_timetabling_views::state::{Shown, View};
use gridwright_window::document::{SolveRequest, Solver};
use gridwright_window::runs::RunStatus;
use gridwright_window::services::Services;
use gridwright_window::widgets::notice::Kind;
use gridwright_window::window::App;

use crate::support;
use crate::support::Documents as _;
use support::chain;
use support::person::{Dropped, at_home, drop_file, open, press, shows, wait};

fn progress(instance: &Instance, step: u64) -> Progress<Timetable> {
    // Alternating between the first two periods is feasible; the last exam moves on and makes it cheaper.
    let far = 2 + (step as usize).min(instance.period_count().saturating_sub(3)) as u16;
    let best = Timetable::of(vec![0, 1, 0, 1, far]);
    let best_cost = best.cost(instance).proximity as f64;
    let (mean, worst) = (best_cost + 5.0, best_cost + 9.0);
    let snapshot = Snapshot {
        step,
        evaluations: step * 1000,
        best: Arc::new(best),
        best_cost,
        mean,
        worst,
        digest: step,
        share: None,
    };
    Progress { snapshot, seconds: step as f64 * 0.01, share: (step as f64 / 1000.0).min(1.0) }
}

/// A result such as a search hands back, from where it stands.
fn result_at(
    request: &SolveRequest<TimetablingViews>, last: Progress<Timetable>, reason: StopReason,
) -> gridwright_core::result::RunResult {
    let checkpoint = gridwright_window::session::Checkpoint { progress: last, curve: Vec::new(), rate: 0.0 };
    support::run_at(request, &checkpoint, reason)
}

/// The last exam goes back and forth, so that every timetable differs from the one before.
fn restless(instance: &Instance, step: u64) -> Progress<Timetable> {
    let Progress { snapshot, seconds, share } = progress(instance, step % 2);
    Progress { snapshot: Snapshot { step, ..snapshot }, seconds, share }
}

/// Improves every few milliseconds until it is stopped, or breaks off at a step.
fn slow(breaks_at: Option<u64>) -> Solver<TimetablingViews> {
    stepping(breaks_at, progress)
}

/// Reports the progress of each step every few milliseconds until it is stopped, or breaks off at a step.
fn stepping(breaks_at: Option<u64>, progress: fn(&Instance, u64) -> Progress<Timetable>) -> Solver<TimetablingViews> {
    Arc::new(move |request: &SolveRequest<TimetablingViews>, control: &Control, observer: &mut dyn FnMut(&_)| {
        let mut step = 0;
        loop {
            assert!(breaks_at != Some(step), "injected at step {step}");
            let now = progress(&request.instance, step);
            observer(&now);
            control.offer_checkpoint(|| result_at(request, progress(&request.instance, step), StopReason::Interrupted));
            control.wait_while_paused();
            if control.is_cancelled() {
                return Ok(result_at(request, now, StopReason::Cancelled));
            }
            if step == 1000 {
                return Ok(result_at(request, now, StopReason::Budget));
            }
            std::thread::sleep(Duration::from_millis(5));
            step += 1;
        }
    })
}

fn services(solve: Solver<TimetablingViews>) -> Services {
    let exists = Arc::new(|_: &str| true);
    Services { dialogs: false, exists, ..Services::default() }.replace::<TimetablingViews>(|own| {
        let usual = Arc::clone(&own.open);
        own.open = Arc::new(move |source, options| match source {
            "chain.stu" => Ok(chain(options.value("periods")?.unwrap_or(6))),
            "unknown.stu" => Ok(chain(0)),
            "bad.stu" => Err(Error::Lines(vec![
                Error::line(Path::new("bad.stu"), 3, "expected an exam, found “x1”"),
                Error::line(Path::new("bad.stu"), 17, "exam 0099 is not in bad.crs"),
            ])),
            other => usual(other, options),
        });
        own.solve = solve;
    })
}

fn is_solving(harness: &Harness<'_, App>) -> bool {
    harness.state().session().is_some_and(|document| document.is_solving())
}

/// Enters a number into the field of this name.
fn enter(harness: &mut Harness<'_, App>, name: &str, value: f64) {
    harness.get_by_role_and_label(egui::Role::SpinButton, name).set_value_accesskit(value);
    harness.run_steps(2);
}

fn has_progress(harness: &Harness<'_, App>) -> bool {
    let live = harness.state().session().and_then(|document| document.live.as_ref());
    live.is_some_and(|live| live.checkpoint.as_ref().is_some_and(|kept| kept.progress.snapshot.step > 3))
}

fn solve_a_moment(harness: &mut Harness<'_, App>) {
    press(harness, "Solve");
    wait(harness, "progress", has_progress);
    press(harness, "Stop");
    wait(harness, "the end", |harness| !is_solving(harness));
}

fn step_of(harness: &Harness<'_, App>) -> u64 {
    let live = harness.state().session().and_then(|document| document.live.as_ref());
    live.and_then(|live| live.checkpoint.as_ref()).map_or(0, |kept| kept.progress.snapshot.step)
}

#[test]
fn a_device_that_was_lost_is_told_beside_the_result() {
    let home = tempfile::tempdir().unwrap();
    let solve: Solver<TimetablingViews> = Arc::new(|request, _, observer| {
        let now = progress(&request.instance, 5);
        observer(&now);
        let mut result = result_at(request, now, StopReason::Budget);
        result.device_notes = vec![DeviceNote::cpu_continued(&"injected", "step", 64)];
        Ok(result)
    });
    let mut harness = open(services(solve), home.path(), Some("chain.stu"));
    press(&mut harness, "Solve");
    let has_run =
        |harness: &Harness<'_, App>| harness.state().session().is_some_and(|document| document.shown_run().is_some());
    wait(&mut harness, "the end", |harness| !is_solving(harness) && has_run(harness));
    let run = harness.state().session().unwrap().shown_run().unwrap();
    assert_eq!(run.status, RunStatus::Valid, "nothing is lost");
    let told: Vec<_> = harness.state().notices().iter().filter(|notice| notice.text.contains("injected")).collect();
    assert!(told.len() == 1 && told[0].kind == Kind::Warning, "{:?}", harness.state().notices());
}

#[test]
fn solve_pause_resume_stop_and_the_run_is_listed_checked() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    press(&mut harness, "Solve");
    wait(&mut harness, "progress", has_progress);
    press(&mut harness, "Pause");
    // The run notices the pause within a step: then all looks tell the same. On a busy machine two may be equal by chance.
    let (seen, equal) = (std::cell::Cell::new(u64::MAX), std::cell::Cell::new(0));
    wait(&mut harness, "the pause", |harness| {
        std::thread::sleep(Duration::from_millis(30));
        let step = step_of(harness);
        equal.set(if seen.replace(step) == step { equal.get() + 1 } else { 0 });
        equal.get() == 10
    });
    let paused_at = step_of(&harness);
    std::thread::sleep(Duration::from_millis(100));
    harness.run_steps(2);
    assert_eq!(step_of(&harness), paused_at, "it waits");
    press(&mut harness, "Resume");
    wait(&mut harness, "the run to go on", |harness| step_of(harness) > paused_at);
    press(&mut harness, "Stop");
    wait(&mut harness, "the end", |harness| !is_solving(harness));
    let document = harness.state().session().unwrap();
    let run = document.shown_run().expect("the run is shown");
    assert_eq!((&run.status, &run.result.stop_reason), (&RunStatus::Valid, &StopReason::Cancelled));
    assert!(run.path.as_ref().is_some_and(|path| path.is_file()), "it is kept on disk");
    assert_eq!(run.result.instance.source, "chain.stu");
    harness.run();
    harness.get_by_label("checked");
    harness.get_by_label_contains("Run 1: Annealing, seed 1");
    assert!(harness.state().notices().is_empty(), "{:?}", harness.state().notices());
}

#[test]
fn a_dropped_file_opens() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(services(slow(None)), home.path(), None);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/timetabling/school/enrolments.csv");
    drop_file(&mut harness, file);
    wait(&mut harness, "the dropped file", |harness| harness.state().session().is_some());
    assert_eq!(harness.state().session().unwrap().instance.exam_count(), 40);
    harness.run();

    let broken = home.path().join("broken.stu");
    std::fs::write(&broken, "0001 0002\n\0").unwrap();
    drop_file(&mut harness, broken);
    wait(&mut harness, "the question", |harness| shows(harness, "Update or open?"));
    press(&mut harness, "Open as a new one");
    wait(&mut harness, "the message", |harness| harness.query_all_by_label_contains("broken.stu").next().is_some());
}

#[test]
fn of_several_dropped_files_the_first_opens_and_the_others_are_named() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(services(slow(None)), home.path(), None);
    let session = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/timetabling/school/enrolments.csv");
    let layout = home.path().join("hall.ron");
    std::fs::write(&layout, "()").unwrap();
    for path in [session, layout] {
        harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path)));
    }
    harness.step();
    wait(&mut harness, "the first file", |harness| harness.state().session().is_some());
    let [told] = harness.state().notices() else { panic!("{:?}", harness.state().notices()) };
    assert_eq!(told.heading, "Not opened: «hall.ron»");
    assert!(told.text.contains("belong to «enrolments.csv»"), "{}", told.text);
}

#[test]
fn keys_do_the_same_as_buttons() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    harness.key_press(egui::Key::F5);
    wait(&mut harness, "progress", has_progress);
    harness.key_press(egui::Key::Space);
    wait(&mut harness, "the pause", |harness| harness.query_by_label("Resume").is_some());
    harness.key_press(egui::Key::Space);
    wait(&mut harness, "the run to go on", |harness| harness.query_by_label("Pause").is_some());
    harness.key_press(egui::Key::Escape);
    wait(&mut harness, "the end", |harness| !is_solving(harness));
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Num4);
    harness.run();
    assert_eq!(harness.state().session().unwrap().view, View::Load);
    harness.get_by_label_contains("Students per period: ");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::E);
    harness.run();
    harness.get_by_label("Path of the export");
}

#[test]
fn every_view_paints_and_an_exam_can_be_selected() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    solve_a_moment(&mut harness);
    for view in ["Periods", "Conflicts", "Load", "Gaps", "Students", "Exams", "Grid"] {
        press(&mut harness, view);
        harness.run();
    }
    let grid = harness.get_by_label_contains("Timetable grid, 5 exams by 6 periods").rect();
    // The first row: the exam with most conflicts is B2, at degree 2 with most students.
    let cell = grid.min + egui::vec2(60.0, 28.0 + 10.0);
    harness.hover_at(cell);
    harness.drag_at(cell);
    harness.drop_at(cell);
    harness.run();
    harness.get_by_label("Exam B2");
    harness.get_by_label_contains("Best alternatives");
    harness.key_press(egui::Key::ArrowDown);
    harness.run();
    harness.get_by_label("Exam C3");
    press(&mut harness, "Back to the whole timetable");
    harness.run();
    assert_eq!(harness.state().session().unwrap().selected, None);
}

#[test]
fn students_are_counted_twice_a_second_while_the_timetable_changes_more_often() {
    let mut harness = at_home(|home| open(services(stepping(None, restless)), home.path(), Some("chain.stu")));
    press(&mut harness, "Solve");
    wait(&mut harness, "progress", has_progress);
    let numbers = |harness: &Harness<'_, App>| {
        let document = harness.state().session().unwrap();
        (document.revision(), document.people_number())
    };
    let (before, began) = (numbers(&harness), Instant::now());
    let since = |harness: &Harness<'_, App>| (numbers(harness).0 - before.0, numbers(harness).1 - before.1);
    // On a busy machine a picture may take longer than usual; twice a second holds for any time.
    while began.elapsed() < Duration::from_millis(1300)
        || (since(&harness).0 <= 8 && began.elapsed() < Duration::from_secs(4))
    {
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    let ((pictures, counts), seconds) = (since(&harness), began.elapsed().as_secs_f64());
    assert!(pictures > 8, "{pictures} pictures in {seconds} s");
    assert!(counts >= 1 && counts as f64 <= 2.0 * seconds + 1.0, "{counts} counts in {seconds} s");
    press(&mut harness, "Stop");
    wait(&mut harness, "the end", |harness| !is_solving(harness));
    harness.run();
    let picture = harness.state().session().unwrap().picture().unwrap();
    assert!(picture.counted_people().is_some(), "what is shown at the end is counted of the end");
}

#[test]
fn export_writes_where_the_field_says() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(services(slow(None)), home.path(), Some("chain.stu"));
    assert!(harness.state().view().unwrap().exportable().is_err(), "nothing to export yet");
    solve_a_moment(&mut harness);
    harness.run();
    press(&mut harness, "Export");
    harness.run();
    press(&mut harness, "CSV table… .csv");
    harness.run();
    let target = home.path().join("out").join("plan.csv");
    harness.get_by_label("Path of the export").set_text_value_accesskit(&target.display().to_string());
    harness.run_steps(2);
    press(&mut harness, "Write file");
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    let notice = &harness.state().notices()[0];
    assert_eq!((notice.kind, notice.text.as_str()), (Kind::Success, target.display().to_string().as_str()));
    let text = std::fs::read_to_string(&target).unwrap();
    for code in ["A1", "B2", "C3", "D4", "E5"] {
        assert!(text.contains(code), "{text}");
    }
    assert!(harness.query_by_label("Path of the export").is_none(), "the dialog has closed");
}

#[test]
fn a_failed_export_says_why_and_keeps_the_dialog() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    solve_a_moment(&mut harness);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::E);
    harness.run();
    harness.get_by_label("Path of the export").set_text_value_accesskit("/dev/null/no/plan.xlsx");
    harness.run_steps(2);
    press(&mut harness, "Write file");
    wait(&mut harness, "the reason", |harness| harness.query_by_label("The file was not written").is_some());
    assert!(harness.query_by_label("Path of the export").is_some());
}

#[test]
fn a_panic_of_the_search_ends_the_run_and_keeps_the_best_so_far() {
    let mut harness = at_home(|home| open(services(slow(Some(30))), home.path(), Some("chain.stu")));
    press(&mut harness, "Solve");
    wait(&mut harness, "the end", |harness| is_solving(harness) || !harness.state().notices().is_empty());
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    let notice = harness.state().notices()[0].clone();
    assert_eq!(notice.kind, Kind::Error);
    assert!(notice.text.contains("injected at step 30"), "{notice:?}");
    let document = harness.state().session().unwrap();
    let run = document.shown_run().expect("what was found is shown");
    assert_eq!(run.status, RunStatus::Valid);
    assert!(matches!(&run.result.stop_reason, StopReason::Failed(why) if why.contains("injected")));
    assert!(document.picture().is_some());
    // The window lives on.
    harness.run();
    press(&mut harness, "Close this message");
    press(&mut harness, "Solve");
    wait(&mut harness, "another run", has_progress);
}

#[test]
fn a_panic_before_anything_was_found_is_only_told() {
    let mut harness = at_home(|home| open(services(slow(Some(0))), home.path(), Some("chain.stu")));
    press(&mut harness, "Solve");
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    let document = harness.state().session().unwrap();
    assert!(document.runs.is_empty() && document.shown == Shown::Nothing && !document.is_solving());
    harness.run();
    harness.get_by_label("The run was lost");
}

#[test]
fn runs_are_there_again_after_closing_even_if_the_program_died() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(services(slow(None)), home.path(), Some("chain.stu"));
    solve_a_moment(&mut harness);
    press(&mut harness, "Solve");
    wait(&mut harness, "progress", has_progress);
    // Closing while a run goes on stops it and keeps it.
    harness.state_mut().close();
    drop(harness);
    let mut harness = open(services(slow(None)), home.path(), Some("chain.stu"));
    let document = harness.state().session().unwrap();
    assert_eq!(document.runs.len(), 2);
    assert!(document.runs.iter().all(|run| run.status == RunStatus::Valid));
    assert!(document.picture().is_some(), "the best of them is shown");
    harness.run();
    harness.get_by_label_contains("chain, 5 exams, 5 students, 6 periods");
}

#[test]
fn runs_for_another_number_of_periods_are_kept_apart() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    solve_a_moment(&mut harness);
    enter(&mut harness, "Number of periods", 9.0);
    wait(&mut harness, "nine periods", |harness| harness.state().session().unwrap().instance.period_count() == 9);
    let document = harness.state().session().unwrap();
    assert_eq!((document.runs.len(), document.listed().count(), document.shown), (1, 0, Shown::Nothing));
}

#[test]
fn an_idle_window_asks_for_no_repaint() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    solve_a_moment(&mut harness);
    for view in ["Periods", "Conflicts", "Load", "Gaps", "Students", "Exams", "Grid"] {
        press(&mut harness, view);
        harness.run();
        let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "in {view}");
    }
}

#[test]
fn a_bad_file_is_explained_line_by_line_and_loses_nothing() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("chain.stu")));
    harness.get_by_label("Path of a file to open").focus();
    harness.get_by_label("Path of a file to open").type_text("bad.stu");
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    wait(&mut harness, "the explanation", |harness| harness.query_by_label("bad.stu could not be opened").is_some());
    harness.run();
    harness.get_by_label("bad.stu:3: expected an exam, found “x1”");
    harness.get_by_label("bad.stu:17: exam 0099 is not in bad.crs");
    press(&mut harness, "Back");
    harness.run();
    assert_eq!(harness.state().session().unwrap().instance.name, "chain", "what was open is still there");
    harness.get_by_label("Solve");
}

#[test]
fn a_file_that_does_not_say_the_periods_asks_for_them() {
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), Some("unknown.stu")));
    harness.run();
    harness.get_by_label("How many periods?");
    press(&mut harness, "Solve");
    assert!(!is_solving(&harness), "not before the number is known");
    enter(&mut harness, "Number of periods", 5.0);
    wait(&mut harness, "the number", |harness| harness.state().session().unwrap().instance.period_count() == 5);
    press(&mut harness, "Solve");
    wait(&mut harness, "progress", has_progress);
}

#[test]
fn a_result_that_contradicts_the_checker_is_an_error_not_a_plan() {
    let home = tempfile::tempdir().unwrap();
    let lies: Solver<TimetablingViews> = Arc::new(|request, _, _| {
        let mut result = result_at(request, progress(&request.instance, 3), StopReason::Budget);
        result.verdict.cost += 1.0;
        Ok(result)
    });
    let mut harness = open(services(lies), home.path(), Some("chain.stu"));
    press(&mut harness, "Solve");
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    harness.run();
    let document = harness.state().session().unwrap();
    assert!(matches!(document.runs[0].status, RunStatus::Wrong(_)));
    assert!(document.picture().is_none(), "it is not painted");
    assert!(harness.state().view().unwrap().exportable().is_err(), "it cannot be exported");
    harness.get_by_label("This result did not pass the check");
}

#[test]
fn a_timetable_with_clashes_says_so_and_is_exported_with_a_stamp() {
    let home = tempfile::tempdir().unwrap();
    let clashing: Solver<TimetablingViews> = Arc::new(|request, _, _| {
        let mut last = progress(&request.instance, 3);
        last.snapshot.best = Arc::new(Timetable::of(vec![0, 0, 1, 2, gridwright_timetabling::UNPLACED]));
        Ok(result_at(request, last, StopReason::Budget))
    });
    let mut harness = open(services(clashing), home.path(), Some("chain.stu"));
    press(&mut harness, "Solve");
    wait(&mut harness, "the notice", |harness| !harness.state().notices().is_empty());
    harness.run();
    harness.get_by_label("This is not a valid timetable");
    harness.get_by_label_contains("2 clashes, 1 exams without a period");
    let view = harness.state().view().unwrap();
    assert_eq!(view.exportable(), Ok(()));
    assert_eq!(view.stamp().as_deref(), Some("Not feasible: 1 clash, 1 exam without a period"));
    // The exam without a place is listed with the reason, and what the next run leaves out is chosen there.
    wait(&mut harness, "what would help", |harness| {
        harness.query_by_label("What would help").is_some() && harness.query_by_label("Each change is tried").is_none()
    });
    harness.get_by_label_contains("with students in another exam");
    harness.get_by_label("few exams").click();
    harness.run();
    press(&mut harness, "Edit");
    harness.get_by_label_contains("leave out few exams");
}

#[test]
fn the_shipped_samples_open_with_the_sizes_that_the_library_states() {
    gridwright::register();
    let mut harness = at_home(|home| open(services(slow(None)), home.path(), None));
    harness.run();
    let sessions = gridwright_window::registry::problems().next().unwrap();
    for &(source, name, facts) in sessions.samples {
        harness.get_by_label(&format!("{name}, {facts}")).click();
        wait(&mut harness, name, |harness| harness.state().session().is_some_and(|document| document.source == source));
        let line = harness.state().session().unwrap().facts_line();
        assert!(line.starts_with(facts), "{line} / {facts}");
    }
}

#[test]
fn the_real_search_solves_the_school_and_the_best_so_far_is_shown_meanwhile() {
    let home = tempfile::tempdir().unwrap();
    let painted = Arc::new(AtomicUsize::new(0));
    let mut harness = open(Services { dialogs: false, ..Services::default() }, home.path(), Some("sample:school"));
    enter(&mut harness, "Time limit", 1.0);
    harness.run_steps(2);
    press(&mut harness, "Solve");
    let seen = Arc::clone(&painted);
    wait(&mut harness, "the end", move |harness| {
        let document = harness.state().session().unwrap();
        if document.shown == Shown::Live && document.picture().is_some() {
            seen.fetch_add(1, Ordering::Relaxed);
        }
        !document.is_solving()
    });
    assert!(painted.load(Ordering::Relaxed) > 3, "it was seen getting better");
    let document = harness.state().session().unwrap();
    let run = document.shown_run().unwrap();
    assert_eq!(run.status, RunStatus::Valid);
    assert_eq!(run.raw, run.timetable.cost(&document.instance).proximity);
    harness.run();
}

#[test]
fn a_result_file_opens_its_instance_and_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let mut harness = open(services(slow(None)), home.path(), Some("chain.stu"));
    solve_a_moment(&mut harness);
    let kept = harness.state().session().unwrap().shown_run().unwrap().path.clone().unwrap();
    let elsewhere = home.path().join("mine.ron");
    std::fs::copy(kept, &elsewhere).unwrap();
    let other = tempfile::tempdir().unwrap();
    let harness = open(services(slow(None)), other.path(), Some(&elsewhere.display().to_string()));
    let document = harness.state().session().unwrap();
    assert_eq!(
        (document.instance.name.as_str(), document.source.as_str(), document.shown),
        ("chain", "chain.stu", Shown::Run(1))
    );
    assert_eq!(document.shown_run().unwrap().status, RunStatus::Valid);
}

#[test]
fn a_run_that_is_worse_than_an_earlier_one_leaves_that_one_shown_and_says_so() {
    use std::sync::atomic::{AtomicU64, Ordering};
    let home = tempfile::tempdir().unwrap();
    // The further away the last exam, the cheaper: 3, 1, 3 again, 4.
    let steps = Arc::new(AtomicU64::new(0));
    let solve: Solver<TimetablingViews> = Arc::new(move |request, _, observer| {
        let step = [2, 0, 2, 3][steps.fetch_add(1, Ordering::Relaxed) as usize];
        let now = progress(&request.instance, step);
        observer(&now);
        Ok(result_at(request, now, StopReason::Budget))
    });
    let mut harness = open(services(solve), home.path(), Some("chain.stu"));
    let mut shown = Vec::new();
    for runs in 1..=4 {
        press(&mut harness, "Solve");
        wait(&mut harness, "the end", |harness| {
            !is_solving(harness) && harness.state().session().unwrap().runs.len() == runs
        });
        harness.run();
        shown.push(harness.state().session().unwrap().shown);
        if runs == 2 {
            let notice = harness.state().notices().last().unwrap();
            assert_eq!(notice.heading, "Run 1 is shown, which is better than run 2");
            assert!(notice.text.starts_with("Run 1: ") && notice.text.contains("\nRun 2: "), "{}", notice.text);
        }
    }
    assert_eq!(shown, [1, 1, 3, 4].map(Shown::Run));
}
