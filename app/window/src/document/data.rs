//! The data of a document: its tables, the instance that they make, and their changes.
//!
//! Data are part of what a person edits ([`super::Work`]), so that undo and redo cover them. Runs stay when data change: each is
//! judged again by the present data ([`Document::judge_run`]).

use std::sync::Arc;

use egui::Ui;
use gridwright_core::data::{Dataset, FormerNames, Issue, TableSpec, Tables, differences, identified, with_dates_read};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::planning::Planning as _;
use gridwright_core::result::{Encoded, RunResult};

use super::edits::{Draft, Work};
use super::kind::CheckedRun as _;
use super::kind::{DocumentKind, Refusal};
use super::running::by_hand;
use super::tables::{Data, MANY_CELLS, Pending};
use super::{Document, Run, SolveRequest};
use crate::data_view::{self, Change, Edit, LetterheadEdit};
use crate::document::kind::{Instance, Solution};
use crate::later::Later;

impl<K: DocumentKind> Document<K> {
    /// Declaration of the tables; empty if the data of the problem cannot be edited.
    pub fn table_specs(&self) -> &'static [TableSpec] {
        <Instance<K>>::TABLES
    }

    /// The present tables, with the demands that are data, too.
    pub fn tables(&self) -> Arc<Dataset> {
        if let Some(pending) = &self.pending {
            return Arc::clone(&pending.tables);
        }
        K::present_tables(self).unwrap_or_else(|| Arc::clone(&self.work().data.tables))
    }

    /// Cells of the present tables that make no sense.
    pub fn data_issues(&self) -> &[Issue] {
        &self.work().data.issues
    }

    /// Changes the tables. Draft and demands are carried over to the instance that the tables make; of what does not fit a notice
    /// tells.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn change_data(&mut self, edit: Edit, series: Option<&'static str>) -> Result<(), Refusal> {
        let (edit, consequences) = self.with_consequences(edit);
        let former = &self.work().data;
        let tables = identified::<Instance<K>>(edit.data, &[&self.opened_data.tables, &former.tables]);
        if *tables == *former.tables {
            return Ok(());
        }
        let data = Data::of_tables(tables, (edit.table, &edit.renamed), former);
        let (work, remarks) = self.carried(data);
        self.change(&edit.name, work, series)?;
        self.tell_carried(remarks);
        self.tell_consequences(&consequences);
        Ok(())
    }

    /// The edit with dates as numbers and with the cells that follow from it, and remarks about these.
    fn with_consequences(&self, edit: Edit) -> (Edit, Vec<String>) {
        let former = &self.work().data;
        let read = with_dates_read(<Instance<K>>::TABLES, edit.data);
        let (data, remarks) = former.instance.with_consequences(&former.tables, read, edit.table);
        (Edit { data, ..edit }, remarks)
    }

    /// Tells which cells changed with an edit.
    fn tell_consequences(&mut self, remarks: &[String]) {
        if !remarks.is_empty() {
            self.warn_of_edit("Further cells were adapted", remarks.join("\n"));
        }
    }

    /// Draws the view *Data* and carries out its edits.
    pub(super) fn show_data(&mut self, ui: &mut Ui) {
        let tables = self.tables();
        let (issues, letterhead) = (Arc::clone(&self.work().data.issues), Arc::clone(&self.work().letterhead));
        let shown = data_view::Shown {
            specs: <Instance<K>>::TABLES,
            data: &tables,
            issues: &issues,
            is_busy: self.pending.is_some(),
            plan: <K::Problem>::PROBLEM.nouns().plan,
            letterhead: &letterhead,
            has_languages: K::LANGUAGES,
        };
        let edit = match self.data_view.show(ui, shown) {
            Some(Change::Data(edit)) => edit,
            Some(Change::Letterhead(edit)) => return self.change_letterhead(edit),
            None => return,
        };
        let is_small = edit.data.cell_count(<Instance<K>>::TABLES) < MANY_CELLS;
        if is_small {
            if let Err(why) = self.change_data(edit, None) {
                self.say(why);
            }
            return;
        }
        let (edit, consequences) = self.with_consequences(edit);
        self.tell_consequences(&consequences);
        // An instance that is being built for earlier data is no longer wanted.
        let (former, opened) = (Arc::clone(&self.work().data), Arc::clone(&self.opened_data));
        let tables = Arc::new(edit.data);
        let mut pending = Pending { name: edit.name, tables: Arc::clone(&tables), answer: Later::default() };
        pending.answer.begin(ui.ctx(), "read data", move || {
            let known = &[&opened.tables, &former.tables];
            Data::of_tables(identified::<Instance<K>>((*tables).clone(), known), (edit.table, &edit.renamed), &former)
        });
        self.pending = Some(pending);
    }

    /// Institution and logo of printed documents.
    pub fn letterhead(&self) -> &Letterhead {
        &self.work().letterhead
    }

    /// Changes the letterhead; a file that is no logo becomes a notice.
    pub fn change_letterhead(&mut self, edit: LetterheadEdit) {
        let letterhead = self.letterhead().clone();
        let (name, letterhead) = match edit {
            LetterheadEdit::Institution(name) => ("change the institution", letterhead.with_institution(&name)),
            LetterheadEdit::Language(language) => ("change the language", Letterhead { language, ..letterhead }),
            LetterheadEdit::Logo(Ok(logo)) => ("change the logo", Letterhead { logo, ..letterhead }),
            LetterheadEdit::Logo(Err(why)) => {
                return self.warn_of_edit("This file cannot be the logo", why);
            }
        };
        let work = Work { letterhead: Arc::new(letterhead), ..self.work().clone() };
        if let Err(why) = self.change(name, work, None) {
            self.say(why);
        }
    }

    /// Takes in data that a thread has read.
    pub(super) fn poll_data(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        let Some(answer) = pending.answer.take_result() else { return };
        let name = std::mem::take(&mut pending.name);
        self.pending = None;
        let done = answer.map_err(|why| format!("the data could not be read: {why}")).and_then(|data| {
            let (work, remarks) = self.carried(data);
            self.change(&name, work, None).map_err(str::to_owned)?;
            self.tell_carried(remarks);
            Ok(())
        });
        if let Err(why) = done {
            self.say(why);
        }
    }

    /// Draft and demands for other data, and what did not fit, in words.
    pub(super) fn carried(&self, data: Arc<Data<Instance<K>>>) -> (Work<K>, Vec<String>) {
        let work = self.work();
        if Arc::ptr_eq(&data.instance, &work.data.instance) {
            return (Work { data, ..work.clone() }, Vec::new());
        }
        let (demands, mut remarks) =
            K::carry_demands(&work.data.instance, &data.instance, &work.demands, &data.former_names);
        let (from, to) = (&self.instance, K::with_demands(&data.instance, &demands));
        let before = K::encode_demands(self);
        let carry = |solution: &Arc<Solution<K>>| {
            let stored = present_names::<K>(&<K::Problem>::encode(from, solution), &data.former_names);
            let (carried, lacks) = K::carry(&to, &stored, before.as_ref())?;
            Some((Arc::new(carried), lacks))
        };
        let draft = work.draft.as_ref().and_then(|draft| {
            let ((base, _), (solution, lacks)) = (carry(&draft.base)?, carry(&draft.solution)?);
            remarks.extend((!lacks.is_empty()).then(|| format!("The draft has {}", lacks.join(", "))));
            Some(Draft { from: draft.from.clone(), base, solution })
        });
        if work.draft.is_some() && draft.is_none() {
            remarks.push(format!("{}; undo the change of the data to go on with them", K::TEXTS.foreign_edits));
        }
        (Work { draft, demands, data, letterhead: Arc::clone(&work.letterhead) }, remarks)
    }

    pub(super) fn tell_carried(&mut self, remarks: Vec<String>) {
        if !remarks.is_empty() {
            let text = remarks.join("\n");
            self.warn_of_edit("Not everything fits the changed data", text);
        }
    }

    /// Judges a result: by its own data if these are the present ones, otherwise by carrying its solution over to the present
    /// data. `None` if the result cannot be listed.
    pub(crate) fn judge_run(&self, result: RunResult) -> Option<Run<K>> {
        let base = &self.work().data.instance;
        if result.instance.hash.is_empty() || result.instance.hash == <K::Problem>::hash(base) {
            return K::Checked::validate(base, result);
        }
        let present = K::with_demands(base, &self.work().demands);
        let solution = present_names::<K>(&result.solution, &self.work().data.former_names);
        let carried = K::carry(&present, &solution, result.demands.as_ref());
        let made = carried.and_then(|(solution, remarks)| {
            let instance = Arc::new(K::with_demands(base, &self.work().demands));
            let settings = K::hand_settings(self);
            let key = self.key();
            let request = SolveRequest {
                instance: Arc::clone(&instance),
                source: self.source.clone(),
                key,
                settings,
                start: None,
            };
            let run = K::Checked::validate(&instance, by_hand::<K>(&request, &Arc::new(solution))?)?;
            Some((run, remarks))
        });
        match made {
            Some((run, remarks)) => {
                Some(Run::<K> { result: Arc::new(result), earlier: Some(remarks.join("; ")), ..run })
            }
            None => K::Checked::validate(base, result),
        }
    }

    /// Judges all runs again, after the data have changed.
    pub(super) fn judge_again(&mut self) {
        let judged: Vec<Run<K>> = self
            .runs
            .iter()
            .map(|run| match self.judge_run((*run.result).clone()) {
                Some(judged) => Run::<K> {
                    number: run.number,
                    result: Arc::clone(&run.result),
                    path: run.path.clone(),
                    name: run.name.clone(),
                    ..judged
                },
                None => run.clone(),
            })
            .collect();
        for (run, judged) in self.runs.iter_mut().zip(judged) {
            *run = judged;
        }
    }

    /// Differences of the present data to those that were opened, in words; empty if there are none.
    pub fn data_changes(&self) -> Vec<String> {
        differences(<Instance<K>>::TABLES, &self.opened_data.tables, &self.work().data.tables)
    }
}

/// A stored solution with the present names of its items.
fn present_names<K: DocumentKind>(solution: &Encoded, names: &FormerNames) -> Encoded {
    let renamed = if names.is_empty() { None } else { <K::Problem>::renamed(solution, names) };
    renamed.unwrap_or_else(|| solution.clone())
}
