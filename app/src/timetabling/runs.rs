//! The list of runs of an open instance: taking out and putting back.

use super::Desk;
use super::desk::Shown;
use super::solving::Run;

impl Desk {
    /// Takes a run from the list; where it was shown, the best of the others is shown.
    pub fn remove_run(&mut self, number: usize) -> Option<Run> {
        let index = self.runs.iter().position(|run| run.number == number)?;
        let run = self.runs.remove(index);
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        Some(run)
    }

    /// Puts a run back into the list and shows it where nothing else is shown; its number is a new one where another
    /// run has it by now.
    pub fn insert_run(&mut self, mut run: Run) {
        if self.runs.iter().any(|other| other.number == run.number) {
            run.number = self.next_number();
        }
        let number = run.number;
        let fits = run.periods == self.instance.period_count();
        let place = self.runs.partition_point(|other| other.number < number);
        self.runs.insert(place, run);
        if self.shown == Shown::Nothing && fits {
            self.show_run(number);
        }
    }
}
