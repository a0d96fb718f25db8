//! Failover: the CPU continues in place of a device that is lost, with numbers that do not depend on the failure.
//!
//! * [`FailoverSearch`] is a whole search. The search on the device knows a state from which the CPU continues.
//! * [`Failover`] is a backend that a search on the host uses. The host keeps the last state that it has read and all changes
//!   since; the CPU takes over that state and repeats the changes.

use super::{Control, Epochs, NotedImprovement, Snapshot};
use crate::backend::DeviceNote;
use crate::{Error, Result};

/// Search on a device that the CPU can continue.
pub trait DeviceEpochs: Send {
    /// Search that continues on the CPU.
    type Cpu: Epochs;

    /// Unit of [`Self::step`] in the note on a loss, such as `generation`.
    const UNIT: &'static str;

    /// Number of steps done.
    fn step(&self) -> u64;

    /// Performs the next steps.
    ///
    /// # Errors
    /// [`Error::Device`] if the device is lost. Steps that were done nevertheless are counted by [`Self::step`].
    fn advance(&mut self, steps: u32) -> Result<()>;

    /// Returns the present state with the best solution so far.
    ///
    /// # Errors
    /// As [`Self::advance`].
    fn snapshot(&mut self) -> Result<Snapshot<<Self::Cpu as Epochs>::Solution>>;

    /// As [`Epochs::improvements`].
    fn improvements(&mut self) -> Vec<NotedImprovement> {
        Vec::new()
    }

    /// As [`Epochs::stages`].
    fn stages(&self) -> Option<Vec<u64>> {
        None
    }

    /// Returns the search on the CPU and its step, which is at most [`Self::step`], after the device was lost because of `why`.
    ///
    /// # Errors
    /// [`Error::Search`] if the device has left no usable state.
    fn continued(&mut self, why: &Error, control: &Control) -> Result<(u64, Self::Cpu)>;
}

#[derive(Debug)]
enum Place<D, C> {
    Device(D),
    Cpu(C),
}

/// Search on a device, or on the CPU after the device was lost.
#[derive(Debug)]
pub struct FailoverSearch<D: DeviceEpochs> {
    place: Place<D, D::Cpu>,
    /// Handle that pauses and interrupts the search on the CPU.
    pub control: Control,
    note: Option<DeviceNote>,
    /// Step up to which the device has told its improvements.
    told: u64,
}

impl<D: DeviceEpochs> FailoverSearch<D> {
    /// Search on a device; `control` pauses and interrupts its steps once they are done on the CPU.
    pub fn new(device: D, control: Control) -> Self {
        Self { place: Place::Device(device), control, note: None, told: 0 }
    }

    /// Search on the device; `None` after the device was lost.
    pub fn device(&self) -> Option<&D> {
        match &self.place {
            Place::Device(device) => Some(device),
            Place::Cpu(_) => None,
        }
    }

    /// Asks the device, or the CPU if the device is lost.
    ///
    /// # Errors
    /// As the CPU.
    pub fn ask<T>(
        &mut self, of_device: impl FnOnce(&mut D) -> Result<T>, of_cpu: impl FnOnce(&mut D::Cpu) -> Result<T>,
    ) -> Result<T> {
        self.run(of_device, |cpu, _| of_cpu(cpu))
    }

    /// As [`Self::ask`]; `of_cpu` is given the step at which the CPU takes over, if it does so now.
    fn run<T>(
        &mut self, of_device: impl FnOnce(&mut D) -> Result<T>,
        of_cpu: impl FnOnce(&mut D::Cpu, Option<u64>) -> Result<T>,
    ) -> Result<T> {
        let (mut cpu, step) = match &mut self.place {
            Place::Cpu(cpu) => return of_cpu(cpu, None),
            Place::Device(device) => {
                let why = match of_device(device) {
                    Ok(answer) => return Ok(answer),
                    Err(why) => why,
                };
                let (known, mut cpu) = device.continued(&why, &self.control)?;
                self.note = Some(DeviceNote::cpu_continued(&why, D::UNIT, known));
                let step = device.step();
                if known < step {
                    cpu.advance((step - known) as u32)?;
                }
                (cpu, step)
            }
        };
        let answer = of_cpu(&mut cpu, Some(step));
        self.place = Place::Cpu(cpu);
        answer
    }
}

impl<D: DeviceEpochs> Epochs for FailoverSearch<D> {
    type Solution = <D::Cpu as Epochs>::Solution;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let end = self.device().map_or(0, D::step) + u64::from(steps);
        self.run(
            |device| device.advance(steps),
            |cpu, taken_over| cpu.advance(taken_over.map_or(steps, |step| (end - step) as u32)),
        )
    }

    fn snapshot(&mut self) -> Result<Snapshot<Self::Solution>> {
        self.ask(D::snapshot, D::Cpu::snapshot)
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        match &mut self.place {
            Place::Device(device) => {
                self.told = device.step();
                device.improvements()
            }
            // The CPU repeats steps of the device.
            Place::Cpu(cpu) => cpu.improvements().into_iter().filter(|noted| noted.step > self.told).collect(),
        }
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        Vec::from_iter(self.note.clone())
    }

    fn stages(&self) -> Option<Vec<u64>> {
        match &self.place {
            Place::Device(device) => device.stages(),
            Place::Cpu(cpu) => cpu.stages(),
        }
    }
}

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
    note: Option<DeviceNote>,
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
    pub fn device_notes(&self) -> Vec<DeviceNote> {
        Vec::from_iter(self.note.clone())
    }

    fn leave(&mut self, why: &Error) -> Result<()> {
        self.device = None;
        self.note = Some(DeviceNote::cpu_continued(why, self.at.0, self.at.1));
        self.known.restore(&mut self.cpu)?;
        self.since.drain(..).try_for_each(|change| S::repeat(&mut self.cpu, &change))
    }
}
