//! Beam search followed by iterated greedy, as one search with consecutive step numbers.

use std::collections::BTreeMap;

use crate::Order;
use crate::beam::Beams;
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::search::{Epochs, NotedImprovement, Snapshot, StopReason, Value};

use super::cpu::CpuGreedy;
use super::cuda::FailoverGreedy;

/// Greedy chains on some backend that can be restarted from an order.
pub trait ChainBackend: Epochs<Solution = Order> {
    /// Restarts all chains from a permutation of all jobs with cost `cost`, at step 0.
    ///
    /// # Errors
    /// As [`Epochs::advance`].
    fn restart_from(&mut self, order: &[u16], cost: u64) -> Result<()>;
}

impl ChainBackend for CpuGreedy {
    fn restart_from(&mut self, order: &[u16], cost: u64) -> Result<()> {
        Self::restart_from(self, order, cost);
        Ok(())
    }
}

impl<M: gridwright_kernels::DeviceRuntime> ChainBackend for FailoverGreedy<M> {
    fn restart_from(&mut self, order: &[u16], cost: u64) -> Result<()> {
        self.ask(|device| device.restart_from(order, cost), |cpu| ChainBackend::restart_from(cpu, order, cost))
    }
}

/// Beam search, if any, then greedy chains from its best order; steps and evaluations of both are added up.
#[derive(Debug)]
pub struct BeamThenChains<C> {
    beams: Option<Beams>,
    chains: C,
    /// True once the chains have started.
    has_begun: bool,
}

impl<C: ChainBackend> BeamThenChains<C> {
    /// Before the first step. Without beams the chains start from their own order.
    pub fn new(beams: Option<Beams>, chains: C) -> Self {
        let has_begun = beams.is_none();
        Self { beams, chains, has_begun }
    }

    /// Returns `true` if the best order is proven optimal.
    pub fn is_proven(&self) -> bool {
        self.beams.as_ref().is_some_and(Beams::is_proven)
    }

    /// The greedy chains.
    pub fn chains(&self) -> &C {
        &self.chains
    }
}

impl<C: ChainBackend> Epochs for BeamThenChains<C> {
    type Solution = Order;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let Some(beams) = &mut self.beams else { return self.chains.advance(steps) };
        let done = if self.has_begun { 0 } else { beams.advance(steps)? };
        if beams.is_proven() || !beams.is_done() {
            return Ok(());
        }
        if !self.has_begun {
            let (order, cost) = beams.best();
            self.chains.restart_from(order, cost)?;
            self.has_begun = true;
        }
        let left = steps - done;
        if left > 0 { self.chains.advance(left) } else { Ok(()) }
    }

    fn snapshot(&mut self) -> Result<Snapshot<Order>> {
        let Some(beams) = &self.beams else { return self.chains.snapshot() };
        if !self.has_begun {
            return Ok(beams.snapshot());
        }
        let mut snapshot = self.chains.snapshot()?;
        snapshot.step += beams.step();
        snapshot.evaluations += beams.evaluations();
        Ok(snapshot)
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        let (mut noted, [step, evaluations]) = match &mut self.beams {
            Some(beams) => (beams.improvements(), [beams.step(), beams.evaluations()]),
            None => (Vec::new(), [0; 2]),
        };
        noted.extend(self.chains.improvements().into_iter().map(|of_chains| NotedImprovement {
            step: of_chains.step + step,
            evaluations: of_chains.evaluations + evaluations,
            ..of_chains
        }));
        noted
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.chains.device_notes()
    }

    /// Width of the widest beam; 0 without beams.
    fn decided(&self) -> BTreeMap<String, Value> {
        let widest = self.beams.as_ref().map_or(0, Beams::widest);
        BTreeMap::from([("width".to_owned(), Value::Integer(widest.into()))])
    }

    fn stop_reason(&self, reason: StopReason) -> StopReason {
        if self.is_proven() && reason == StopReason::Budget { StopReason::Proven } else { reason }
    }
}
