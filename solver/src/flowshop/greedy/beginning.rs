//! Chains that begin with what beams have found.

use crate::Result;
use crate::flowshop::Order;
use crate::flowshop::beam::Beams;
use crate::search::{Epochs, Snapshot};

use super::cpu::CpuGreedy;
use super::cuda::CudaGreedy;

/// Chains that can begin anew.
pub trait Chains: Epochs<Solution = Order> {
    /// Lets all chains begin with an order of all jobs and what it costs, as if none had made a step.
    fn begin_with(&mut self, order: &[u16], cost: u64);
}

impl Chains for CpuGreedy {
    fn begin_with(&mut self, order: &[u16], cost: u64) {
        Self::begin_with(self, order, cost);
    }
}

impl<M: gridwright_kernels::Machine> Chains for CudaGreedy<M> {
    fn begin_with(&mut self, order: &[u16], cost: u64) {
        Self::begin_with(self, order, cost);
    }
}

/// Beams, where there are any, and then chains: steps of both are counted through.
#[derive(Debug)]
pub struct AfterBeams<C> {
    beams: Option<Beams>,
    chains: C,
    /// Whether the chains have begun.
    has_begun: bool,
}

impl<C: Chains> AfterBeams<C> {
    /// Before the first step; without beams the chains go on from where they stand.
    pub fn new(beams: Option<Beams>, chains: C) -> Self {
        let has_begun = beams.is_none();
        Self { beams, chains, has_begun }
    }

    /// Whether no order costs less than the best.
    pub fn is_proven(&self) -> bool {
        self.beams.as_ref().is_some_and(Beams::is_proven)
    }

    /// The widest beam; 0: there are none.
    pub fn widest(&self) -> u32 {
        self.beams.as_ref().map_or(0, Beams::widest)
    }

    /// The chains.
    pub fn chains(&self) -> &C {
        &self.chains
    }
}

impl<C: Chains> Epochs for AfterBeams<C> {
    type Solution = Order;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let Some(beams) = &mut self.beams else { return self.chains.advance(steps) };
        let done = if self.has_begun { 0 } else { beams.advance(steps) };
        if beams.is_proven() || !beams.is_done() {
            return Ok(());
        }
        if !self.has_begun {
            let (order, cost) = beams.best();
            self.chains.begin_with(order, cost);
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
}
