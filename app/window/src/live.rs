//! Answers to questions that change while they are being answered, as those about a place under the pointer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::Context;

use crate::later::Later;

/// Answers the newest of many questions in a thread; a question that is no longer asked is given up.
pub struct Live<Q, A> {
    /// The question whose answer is known or on its way.
    asked: Option<Q>,
    /// Set when the question on its way is no longer asked.
    is_over: Arc<AtomicBool>,
    answer: Later<A>,
    known: Option<A>,
}

impl<Q, A> Default for Live<Q, A> {
    fn default() -> Self {
        Self { asked: None, is_over: Arc::default(), answer: Later::default(), known: None }
    }
}

impl<Q, A> Drop for Live<Q, A> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Live<Q, A> {
    /// The answer to a question; `None` while `work` looks for it in a thread, which asks whether it is over. The window is
    /// repainted when there is an answer.
    pub fn answer(
        &mut self, ctx: &Context, question: &Q, work: impl FnOnce(&Q, &(dyn Fn() -> bool + Sync)) -> A + Send + 'static,
    ) -> Option<&A> {
        if self.asked.as_ref() != Some(question) {
            self.forget();
        }
        // An answer to a former question frees the thread.
        let arrived = self.answer.take();
        if self.asked.is_some() {
            self.known = arrived.or(self.known.take());
        } else if !self.answer.is_busy() {
            let (question, is_over) = (question.clone(), Arc::new(AtomicBool::new(false)));
            (self.asked, self.is_over) = (Some(question.clone()), Arc::clone(&is_over));
            self.answer.begin(ctx, "live", move || work(&question, &|| is_over.load(Ordering::Relaxed)));
        }
        self.known.as_ref()
    }

    /// Gives up the question.
    pub fn forget(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        (self.asked, self.known) = (None, None);
    }
}

/// Solution in which others give way to an item that a person holds, as far as it is known.
pub enum Others<A> {
    /// Nothing is looked for, as a run goes on or there is no solution.
    Resting,
    /// It is being looked for.
    Wanted,
    /// None was found.
    Missing,
    /// Moves of the others.
    Made(Arc<A>),
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + Sync + 'static> Live<Q, Option<Arc<A>>> {
    /// Moves of others by the answer to a question; without a question nothing is looked for.
    pub fn others(
        &mut self, ctx: &Context, question: Option<&Q>,
        work: impl FnOnce(&Q, &(dyn Fn() -> bool + Sync)) -> Option<A> + Send + 'static,
    ) -> Others<A> {
        let Some(question) = question else {
            self.forget();
            return Others::Resting;
        };
        match self.answer(ctx, question, |question, is_over| work(question, is_over).map(Arc::new)) {
            None => Others::Wanted,
            Some(None) => Others::Missing,
            Some(Some(found)) => Others::Made(Arc::clone(found)),
        }
    }
}

/// Shared value that is equal to the very same only.
#[derive(Debug)]
pub struct Same<T>(pub Arc<T>);

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks until the answer is there.
    fn wait(live: &mut Live<u32, u32>, question: u32) -> u32 {
        let ctx = Context::default();
        for _ in 0..10_000 {
            if let Some(answer) = live.answer(&ctx, &question, |question, _| question * 2) {
                return *answer;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("there is no answer to {question}");
    }

    #[test]
    fn the_newest_question_is_answered_and_former_ones_are_given_up() {
        let (mut live, ctx) = (Live::default(), Context::default());
        assert_eq!(wait(&mut live, 3), 6);
        assert_eq!(live.answer(&ctx, &3, |_, _| panic!("it is known")), Some(&6));
        // The former question waits until it is over, and its answer counts for nothing.
        let (told, given_up) = std::sync::mpsc::channel();
        let endless = move |_: &u32, is_over: &(dyn Fn() -> bool + Sync)| {
            while !is_over() {
                std::thread::yield_now();
            }
            told.send(()).unwrap();
            0
        };
        assert_eq!(live.answer(&ctx, &4, endless), None);
        assert_eq!(wait(&mut live, 5), 10);
        given_up.recv().unwrap();
        live.forget();
        assert_eq!(wait(&mut live, 5), 10);
    }
}
