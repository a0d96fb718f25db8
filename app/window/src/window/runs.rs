//! Commands on runs: delete, restore, name, compare.

use std::any::Any;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use egui::Context;
use gridwright_core::store::Store;

use super::open_dialog::{Dialog, Name};
use super::{App, files};
use crate::document::Removed;
use crate::run_list;
use crate::runs::Shown;
use crate::widgets::notice::{Action, Notice};

/// A run that was deleted and can be brought back.
struct Deleted {
    number: u64,
    /// Key of its document.
    instance: String,
    path: Option<PathBuf>,
    run: Box<dyn Any + Send>,
    /// Where its file lies in the trash, once it does.
    trashed: Arc<Mutex<Option<PathBuf>>>,
}

/// Message of the thread that moves files.
enum Told {
    /// The run could not be deleted and is listed again.
    NotDeleted(u64, String),
    /// Something else went wrong.
    Failed(Notice),
}

pub(crate) struct Trash {
    deleted: Vec<Deleted>,
    next: u64,
    sender: Sender<Told>,
    receiver: Receiver<Told>,
}

impl Default for Trash {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { deleted: Vec::new(), next: 1, sender, receiver }
    }
}

impl Trash {
    /// Forgets what was deleted in another store.
    pub(super) fn forget(&mut self, store: &Store) {
        self.deleted.retain(|deleted| !deleted.path.as_ref().is_some_and(|path| store.owns(path)));
    }

    /// A document is kept under another key from now on.
    pub(super) fn follow(&mut self, before: &str, now: &str) {
        for deleted in self.deleted.iter_mut().filter(|deleted| deleted.instance == before) {
            now.clone_into(&mut deleted.instance);
        }
    }

    fn take(&mut self, number: u64) -> Option<Deleted> {
        let index = self.deleted.iter().position(|deleted| deleted.number == number)?;
        Some(self.deleted.remove(index))
    }
}

impl App {
    /// Takes a run from the list and moves its file to the trash in a thread.
    pub(super) fn delete_run(&mut self, ctx: &Context, number: usize) {
        let store = self.own_store();
        let Some(place) = self.open.as_deref_mut() else { return };
        let Some(Removed { title, path, run }) = place.take_run(number) else { return };
        let instance = place.key();
        self.marked.retain(|marked| *marked != number);
        let token = self.trash.next;
        self.trash.next += 1;
        let trashed = Arc::new(Mutex::new(None));
        let owned = path.clone().filter(|path| store.owns(path));
        let text = match &owned {
            Some(_) => format!("Its file lies in {}.", store.home().join("trash").display()),
            None => "Its file stays where it is.".to_owned(),
        };
        self.notices.push(Notice::success(format!("{title} was deleted"), text).offering(Action::Undo(token)));
        if let Some(path) = owned {
            let (sender, ctx) = (self.trash.sender.clone(), ctx.clone());
            let place = Arc::clone(&trashed);
            files::save_in_order(move || match store.discard(&path) {
                Ok(to) => *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(to),
                Err(error) => {
                    // A window that has been closed needs no answer.
                    let _ = sender.send(Told::NotDeleted(token, error.to_string()));
                    ctx.request_repaint();
                }
            });
        }
        self.trash.deleted.push(Deleted { number: token, instance, path, run, trashed });
    }

    /// Brings a deleted run back, in the list and on disk.
    pub(super) fn undo_delete(&mut self, ctx: &Context, token: u64) {
        let Some(deleted) = self.trash.take(token) else { return };
        if let Some(path) = deleted.path.clone().filter(|path| self.own_store().owns(path)) {
            let (sender, ctx, trashed) = (self.trash.sender.clone(), ctx.clone(), Arc::clone(&deleted.trashed));
            files::save_in_order(move || {
                let from = trashed.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(Err(error)) = from.map(|from| Store::restore(&from, &path)) {
                    let notice =
                        Notice::error("The run is listed but its file is still in the trash", error.to_string());
                    let _ = sender.send(Told::Failed(notice));
                    ctx.request_repaint();
                }
            });
        }
        self.notices.settle(&Action::Undo(token));
        self.list_again(deleted);
    }

    fn list_again(&mut self, deleted: Deleted) {
        // Where another instance is open by now, the run is listed when its own is opened again.
        let is_own = deleted.path.as_ref().is_none_or(|path| self.own_store().owns(path));
        let open = self.open.as_deref_mut().filter(|_| is_own);
        if let Some(place) = open.filter(|place| place.key() == deleted.instance) {
            place.put_run(deleted.run);
        }
    }

    /// Takes in what threads that move files have to say.
    pub(super) fn take_told(&mut self) {
        while let Ok(told) = self.trash.receiver.try_recv() {
            match told {
                Told::Failed(notice) => self.notices.push(notice),
                Told::NotDeleted(token, why) => {
                    self.notices.settle(&Action::Undo(token));
                    if let Some(deleted) = self.trash.take(token) {
                        self.list_again(deleted);
                    }
                    self.notices.push(Notice::error("The run could not be deleted", why));
                }
            }
        }
    }

    pub(super) fn ask_name(&mut self, number: usize) {
        if let Some(text) = self.open.as_ref().and_then(|open| open.run_name(number)) {
            self.dialog = Some(Dialog::Name(Name { run: number, text, begun: false }));
        }
    }

    /// Gives a run a name, which is saved with the run.
    pub(super) fn set_run_name(&mut self, number: usize, name: &str) {
        let path = self.open.as_mut().and_then(|open| open.set_run_name(number, name));
        let Some(path) = path.filter(|path| self.own_store().owns(path)) else { return };
        let (sender, name) = (self.trash.sender.clone(), name.to_owned());
        files::save_in_order(move || {
            if let Err(error) = Store::set_name(&path, &name) {
                let notice = Notice::error("The name of the run could not be kept on disk", error.to_string());
                let _ = sender.send(Told::Failed(notice));
            }
        });
    }

    /// Carries out what was done in the list of runs.
    pub(super) fn run_list_action(&mut self, action: run_list::Action) {
        use super::command::Command;
        match action {
            run_list::Action::Show(Shown::Run(number)) => self.commands.push(Command::ShowRun(number)),
            run_list::Action::Show(_) => {
                if let Some(open) = self.open.as_deref_mut() {
                    open.show_live();
                }
            }
            run_list::Action::Mark(number) => {
                if let Some(at) = self.marked.iter().position(|marked| *marked == number) {
                    self.marked.remove(at);
                } else {
                    self.marked.push(number);
                    // Two are compared: the one that was marked first goes.
                    let surplus = self.marked.len().saturating_sub(2);
                    self.marked.drain(..surplus);
                }
            }
            run_list::Action::CompareMarked => self.commands.push(Command::CompareMarked),
            run_list::Action::Compare(a, b) => self.commands.push(Command::Compare(a, b)),
            run_list::Action::Name(number) => self.commands.push(Command::NameRun(number)),
            run_list::Action::Delete(number) => self.commands.push(Command::DeleteRun(number)),
        }
    }
}
