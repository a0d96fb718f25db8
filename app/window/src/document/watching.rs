//! The file that an instance was opened from, while the document is open: a change by another program is told, and taken over
//! if the person wants that.

use std::sync::Arc;

use egui::Context;
use gridwright_core::data::{Tables, differences};
use gridwright_core::planning::Planning as _;

use super::kind::{DocumentKind, Refusal};
use super::stamps::stamps_of;
use super::tables::Data;
use super::{Document, Work};
use crate::document::kind::Instance;
use crate::widgets::notice::{Action, Cause, Notice};

impl<K: DocumentKind> Document<K> {
    /// Looks whether the file of the instance has changed, and reads it in a thread if it has.
    pub(crate) fn look_at_source(&mut self, ctx: &Context) {
        if <Instance<K>>::TABLES.is_empty() || self.watch.reading.is_busy() {
            return;
        }
        let stamps = stamps_of(&self.source);
        // A file that is away for a moment is being replaced, or its disk was taken out.
        if stamps.is_empty() || stamps == self.watch.stamps {
            return;
        }
        self.watch.stamps = stamps;
        let options = K::options_of(&K::stored_options(&self.instance));
        let source = self.source.clone();
        self.watch.reading.begin(ctx, "read changed file", move || {
            <K::Problem>::open(&source, &options).map(|instance| Data::of(&instance))
        });
    }

    /// Tells of a changed file once it is read.
    pub(super) fn poll_source(&mut self) {
        let Some(read) = self.watch.reading.take_result() else { return };
        self.watch.is_unreadable = false;
        let heading = format!("The file of {} has changed", <K::Problem>::name(&self.instance));
        match read.map_err(|why| why.to_string()).and_then(|data| data.map_err(|error| error.to_string())) {
            Err(why) => {
                let text = format!("It cannot be read now: {why}. The data shown here stay as they are.");
                self.watch.is_unreadable = true;
                self.sayings.push(Notice::warning(heading, text).because_of(Cause::ChangedFile));
            }
            Ok(data) if data.tables.tables == self.opened_data.tables.tables => self.watch.found = None,
            Ok(data) => {
                let edits = match self.data_changes().is_empty() {
                    true => "",
                    false => " The changes that you made to the data here would be replaced; undo brings them back.",
                };
                let changes = differences(<Instance<K>>::TABLES, &self.opened_data.tables, &data.tables).join(", ");
                let text = format!(
                    "{changes}. Runs, rules and edits of the {} stay.{edits}",
                    <K::Problem>::PROBLEM.nouns().plan
                );
                self.watch.found = Some(data);
                let notice = Notice::warning(heading, text).offering(Action::TakeOverFile);
                self.sayings.push(notice.because_of(Cause::ChangedFile));
            }
        }
    }

    /// Takes over the changed file, as one step that can be undone.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub(crate) fn take_over_source(&mut self) -> std::result::Result<(), Refusal> {
        let Some(data) = self.watch.found.clone() else { return Err("The file has not changed since") };
        let (work, remarks): (Work<K>, _) = self.carried(Arc::clone(&data));
        self.change("take over the changed file", work, None)?;
        self.watch.found = None;
        self.source_hash.clone_from(&data.tables.hash);
        self.opened_data = data;
        self.tell_carried(remarks);
        Ok(())
    }
}
