//! Values that threads deliver, so that slow operations never block the window.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use gridwright_core::search::driver::guarded;

/// A value that a thread will deliver.
pub struct Later<T> {
    receiver: Option<Receiver<std::result::Result<T, String>>>,
}

impl<T> Default for Later<T> {
    fn default() -> Self {
        Self { receiver: None }
    }
}

impl<T: Send + 'static> Later<T> {
    /// Starts a thread for it, unless one is at work.
    pub fn begin(&mut self, ctx: &Context, name: &str, work: impl FnOnce() -> T + Send + 'static) {
        if self.receiver.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let answer = sender.clone();
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            // A window that has been closed needs no answer.
            let _ = answer.send(guarded(|| Ok(work())));
            ctx.request_repaint();
        });
        if let Err(error) = spawned {
            let _ = sender.send(Err(format!("the system gives no thread ({error})")));
        }
        self.receiver = Some(receiver);
    }

    /// Returns `true` while a thread works or its answer waits to be taken.
    pub fn is_busy(&self) -> bool {
        self.receiver.is_some()
    }

    /// The value or why there is none, once; `None` until there is one, and ever after.
    pub fn take_result(&mut self) -> Option<std::result::Result<T, String>> {
        let answer = match self.receiver.as_ref()?.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err("the thread ended without an answer".to_owned()),
        };
        self.receiver = None;
        Some(answer)
    }

    /// The value, once; `None` until there is one, and ever after.
    pub fn take(&mut self) -> Option<T> {
        self.take_result()?.ok()
    }
}
