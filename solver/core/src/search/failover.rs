//! Failover: a backend on a device, and the CPU that continues in its place if the device is lost.
//!
//! The host keeps the last state that it has read and all changes since. If the device fails, the CPU takes over that
//! state and repeats the changes, so that the numbers do not depend on the failure.

use crate::backend::continued_on_cpu;
use crate::{Error, Result};

/// State of backends `B`, which changes `H` follow.
pub trait Restorable<B, H> {
    /// Makes this the state of a backend.
    ///
    /// # Errors
    /// [`Error::Device`] if the device is lost.
    fn restore(&self, backend: &mut B) -> Result<()>;

    /// Makes a change of a backend's state.
    ///
    /// # Errors
    /// As [`Self::restore`].
    fn repeat(backend: &mut B, change: &H) -> Result<()>;
}

/// Backend on a device `D`, or on the CPU `C` without a device or after its loss.
pub struct Failover<D, C, S, H> {
    device: Option<D>,
    cpu: C,
    known: S,
    since: Vec<H>,
    /// Unit in the note on the loss, such as `step`, and the number at which the CPU continues.
    pub at: (&'static str, u64),
    note: Option<String>,
}

impl<D, C, S: Restorable<D, H> + Restorable<C, H> + Default, H> Failover<D, C, S, H> {
    /// Backend before its first state; without a device the CPU computes everything.
    pub fn new(device: Option<D>, cpu: C, unit: &'static str) -> Self {
        Self { device, cpu, known: S::default(), since: Vec::new(), at: (unit, 0), note: None }
    }

    /// Replaces the state.
    ///
    /// # Errors
    /// As the CPU.
    pub fn start(&mut self, state: &S) -> Result<()>
    where
        S: Clone,
    {
        self.keep(state);
        self.ask(&mut (), |device, ()| state.restore(device), |cpu, ()| state.restore(cpu))
    }

    /// Makes a change.
    ///
    /// # Errors
    /// As the CPU.
    pub fn change(&mut self, change: H) -> Result<()> {
        let Some(device) = &mut self.device else { return S::repeat(&mut self.cpu, &change) };
        let done = S::repeat(device, &change);
        self.since.push(change);
        done.or_else(|why| self.leave(&why))
    }

    /// Asks the device, or the CPU if there is no device or it is lost; `into` is passed on.
    ///
    /// # Errors
    /// As the CPU.
    pub fn ask<I: ?Sized, T>(
        &mut self, into: &mut I, of_device: impl FnOnce(&mut D, &mut I) -> Result<T>,
        of_cpu: impl FnOnce(&mut C, &mut I) -> Result<T>,
    ) -> Result<T> {
        if let Some(device) = &mut self.device {
            match of_device(device, into) {
                Ok(answer) => return Ok(answer),
                Err(why) => self.leave(&why)?,
            }
        }
        of_cpu(&mut self.cpu, into)
    }

    /// Keeps the state that the device has now.
    pub fn keep(&mut self, state: &S)
    where
        S: Clone,
    {
        if self.device.is_some() {
            self.known.clone_from(state);
            self.since.clear();
        }
    }

    /// Returns `true` while a device computes.
    pub fn is_on_device(&self) -> bool {
        self.device.is_some()
    }

    /// Returns `true` if nothing has changed since the state that is kept.
    pub fn is_unchanged(&self) -> bool {
        self.since.is_empty()
    }

    /// Note on the loss of the device.
    pub fn notes(&self) -> Vec<String> {
        Vec::from_iter(self.note.clone())
    }

    fn leave(&mut self, why: &Error) -> Result<()> {
        self.device = None;
        self.note = Some(continued_on_cpu(why, self.at.0, self.at.1));
        self.known.restore(&mut self.cpu)?;
        self.since.drain(..).try_for_each(|change| S::repeat(&mut self.cpu, &change))
    }
}
