//! Signals that ask the program to end (Ctrl-C, SIGTERM, SIGHUP, the console events of Windows): the first one ends the search
//! and keeps the best so far, the second one ends the program.

use gridwright_core::search::Control;

use super::{Exit, text};

/// Lets signals cancel a run from here on, with a note on the standard error if `spoken`.
pub(crate) fn cancels(control: &Control, spoken: bool) {
    cancels_saying(control, spoken.then_some("stopping, the best so far is kept; Ctrl-C again ends at once"));
}

/// Makes the first signal (Ctrl-C, termination) cancel what `control` controls, with `note` on the standard error, and the second end the program.
pub(crate) fn cancels_saying(control: &Control, note: Option<&'static str>) {
    let control = control.clone();
    let caught = ctrlc::set_handler(move || {
        if control.is_cancelled() {
            std::process::exit(Exit::Interrupted as i32);
        }
        control.cancel();
        if let Some(note) = note {
            text::note(note);
        }
    });
    if let Err(error) = caught {
        text::note(&format!("Ctrl-C will end the program without keeping the best so far ({error})"));
    }
}
