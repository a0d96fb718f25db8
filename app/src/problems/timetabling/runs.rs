//! The list of runs of an open instance: taking out and putting back.

use super::Desk;
use super::desk::Shown;
use super::solving::Run;

impl Desk {
    /// Removes a run from the list; if it was shown, the best of the others is shown.
    pub fn remove_run(&mut self, number: usize) -> Option<Run> {
        let run = self.runs.remove(number)?;
        self.bench.keeper.touch_runs();
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        Some(run)
    }

    /// Puts a run back into the list, and shows it if nothing else is shown; the run gets a new number if another run
    /// has its number by now.
    pub fn insert_run(&mut self, run: Run) {
        let fits = run.periods == self.instance.period_count();
        let number = self.runs.insert(run);
        self.bench.keeper.touch_runs();
        if self.shown == Shown::Nothing && fits {
            self.show_run(number);
        }
    }

    /// Runs were named otherwise.
    pub fn runs_have_changed(&mut self) {
        self.bench.keeper.touch_runs();
    }
}
