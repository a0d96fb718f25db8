//! The stages of an exploration: set out, evaluate, and bring back what is left.

use super::{
    Against, CHOICE, Candidate, Choice, EXPECTED, Explorer, HEADER, Known, LEFT, Member, Purpose, reserve_points,
};
use crate::CudaError;
use crate::machine::{Launch, Machine, Module, Transfer};

/// Threads of a block that sets out.
const SETTING_OUT: u32 = 256;

/// Threads of a block that sifts.
const SIFTING: u32 = 256;

/// Blocks that sift, about, and for each member at the least and at the most: a warp of them for a candidate at a time.
const SIFTERS: u32 = 2_048;
const SIFTERS_OF_MEMBER: std::ops::RangeInclusive<u32> = 8..=64;

/// Transfers of what is left that may be under way.
const SLOTS: u64 = 2;

/// A job in the input: it may not be moved.
const STAYS: u32 = 1 << 31;

/// What is left of some neighbourhoods, on its way from the machine.
#[derive(Debug)]
pub struct Sifting {
    members: usize,
    /// Which exploration it is.
    exploration: u64,
    /// Nothing, where nothing is to be left.
    transfer: Option<Transfer>,
}

/// What is left of some neighbourhoods, as the machine writes it.
#[derive(Debug)]
pub struct Sifted {
    members: usize,
    words: Vec<u32>,
}

impl Sifted {
    /// What of each member's neighbourhood neither the archive nor another neighbour covers, by ascending number.
    pub fn candidates(&self) -> Vec<Vec<Candidate>> {
        let mut all = vec![Vec::new(); self.members];
        let Some((&total, words)) = self.words.split_first() else { return all };
        for of in words.chunks_exact(LEFT).take(total as usize) {
            if let Some(own) = all.get_mut(of[0] as usize) {
                own.push(Candidate { number: of[1], point: std::array::from_fn(|axis| u64::from(of[2 + axis])) });
            }
        }
        all.iter_mut().for_each(|own| own.sort_unstable_by_key(|candidate| candidate.number));
        all
    }
}

impl Explorer {
    /// Computes the neighbourhoods of at most [`Self::capacity`] orders, in the background. `known` is the archive that
    /// neighbours have to stand up to, where they are sifted.
    ///
    /// # Errors
    /// [`CudaError::Orders`] where a member is none of this flow shop or purpose, or there are too many; as [`Machine::write`],
    /// [`Machine::launch`] and [`Machine::reserve`].
    pub fn explore(
        &mut self,
        machine: &mut dyn Machine,
        members: &[Member<'_>],
        known: Known<'_>,
    ) -> Result<(), CudaError> {
        self.members = 0;
        self.explorations += 1;
        if members.len() > self.capacity as usize {
            let (found, room) = (members.len(), self.capacity);
            return Err(CudaError::Orders(format!("{found} orders to be explored, room for {room}")));
        }
        let mut words = Vec::with_capacity(members.len() * (HEADER + self.jobs as usize));
        for member in members {
            self.append(&mut words, member)?;
        }
        if members.is_empty() {
            return Ok(());
        }
        let news = self.take_over(machine, known)?;
        words.extend(news.iter().flatten().map(|&value| value as u32));
        self.arrays.input.write(machine, &words)?;
        self.members = members.len() as u32;
        let blocks = self.members + 1;
        let kernel = if self.narrow { "prepare" } else { "prepare_wide" };
        let launch = Launch::new(Module::Front, kernel, [blocks, 1], SETTING_OUT, 4 * self.jobs);
        let arrays = &self.arrays;
        let launch = launch.structure(&self.task(0)).array(&arrays.times).array(&arrays.input);
        let launch = launch.array(&arrays.rows).array(&arrays.heads).array(&arrays.sums).array(&arrays.points);
        machine.launch(&launch.array(&arrays.nearest).array(&arrays.counts).array(&arrays.out))?;
        let operations = self.layout.operations(self.jobs, self.members);
        let parts = u32::try_from(operations / self.limit.max(1)).unwrap_or(u32::MAX).saturating_add(1);
        let part = self.layout.segments.div_ceil(parts);
        for first in (0..self.layout.segments).step_by(part as usize) {
            let grid = [part.min(self.layout.segments - first), self.members];
            let (block, shared) = (self.layout.block, self.layout.shared_bytes);
            let launch = Launch::new(Module::Front, self.layout.kernel, grid, block, shared);
            let launch = launch.structure(&self.task(first)).array(&arrays.tasks).array(&arrays.input);
            let launch = launch.array(&arrays.rows).array(&arrays.heads).array(&arrays.sums);
            machine.launch(&launch.array(&arrays.nearest).array(&arrays.left).array(&arrays.counts))?;
        }
        Ok(())
    }

    /// Drops what the archive or another neighbour covers of what is being computed, and brings back what is left, in the background.
    ///
    /// # Errors
    /// As [`Machine::launch`] and [`Machine::begin_read`].
    pub fn sift(&mut self, machine: &mut dyn Machine) -> Result<Sifting, CudaError> {
        let mut sifting = Sifting { members: self.members as usize, exploration: self.explorations, transfer: None };
        if self.members == 0 || !matches!(self.purpose, Purpose::Sifted { .. }) {
            return Ok(sifting);
        }
        let arrays = &self.arrays;
        let blocks = (SIFTERS / self.members).clamp(*SIFTERS_OF_MEMBER.start(), *SIFTERS_OF_MEMBER.end());
        let launch = Launch::new(Module::Front, "sift", [blocks, self.members], SIFTING, 0).structure(&self.task(0));
        let launch = launch.array(&arrays.points).array(&arrays.left).array(&arrays.counts);
        machine.launch(&launch.array(&arrays.out))?;
        // Most often one transfer is enough. What no exploration has written is not read.
        let guess = (1 + self.expected * LEFT).min(self.written);
        let slot = (self.explorations % SLOTS) as usize;
        sifting.transfer = Some(arrays.out.begin_read(machine, guess, slot)?);
        Ok(sifting)
    }

    /// What sifting has left, once it is computed; `None` where that is more than was brought back and the next exploration has begun
    /// already, no more than one of which may have begun since.
    ///
    /// # Errors
    /// As [`Machine::end_read`] and [`Machine::read`].
    pub fn sifted(&mut self, machine: &mut dyn Machine, sifting: Sifting) -> Result<Option<Sifted>, CudaError> {
        let Sifting { members, exploration, transfer } = sifting;
        let Some(transfer) = transfer else { return Ok(Some(Sifted { members, words: Vec::new() })) };
        let mut words = self.arrays.out.end_read(machine, transfer)?;
        let total = words[0] as usize;
        self.expected = (2 * total).max(EXPECTED);
        self.written = self.written.max(1 + total * LEFT);
        if words.len() < 1 + total * LEFT {
            if exploration != self.explorations {
                return Ok(None);
            }
            words = self.arrays.out.read(machine, 1 + total * LEFT)?;
        }
        Ok(Some(Sifted { members, words }))
    }

    /// The best neighbour of each member, once it is computed.
    ///
    /// # Errors
    /// As [`Machine::launch`] and [`Machine::read`].
    pub fn best(&mut self, machine: &mut dyn Machine) -> Result<Vec<Choice>, CudaError> {
        if self.members == 0 || !matches!(self.purpose, Purpose::Best { .. }) {
            return Ok(Vec::new());
        }
        let launch = Launch::new(Module::Front, "choose", [self.members, 1], 32, 0).structure(&self.task(0));
        machine.launch(&launch.array(&self.arrays.left).array(&self.arrays.out))?;
        let words = self.arrays.out.read(machine, self.members as usize * CHOICE)?;
        let choice = |of: &[u32]| Choice {
            sum: u64::from(of[0]) | u64::from(of[1]) << 32,
            number: of[2],
            values: std::array::from_fn(|kind| u64::from(of[3 + kind])),
        };
        Ok(words.chunks_exact(CHOICE).map(choice).collect())
    }

    /// Makespan, flow time, tardiness and number of tardy jobs of all neighbours, member by member by ascending number, once they
    /// are computed.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn values(&self, machine: &mut dyn Machine) -> Result<Vec<u32>, CudaError> {
        if self.purpose != Purpose::All {
            return Ok(Vec::new());
        }
        let words = 4 * self.neighbours.count(self.jobs) * u64::from(self.members);
        self.arrays.left.read(machine, words as usize)
    }

    /// Adds a member to what is written.
    fn append(&self, words: &mut Vec<u32>, member: &Member<'_>) -> Result<(), CudaError> {
        let jobs = self.jobs as usize;
        let wrong = |what: &str| Err(CudaError::Orders(what.to_owned()));
        if member.order.len() != jobs || member.order.iter().any(|&job| u32::from(job) >= self.jobs) {
            return wrong("an order to be explored is none of all jobs");
        }
        let begin = words.len();
        match (&member.against, self.purpose) {
            (Against::Point(point), Purpose::Sifted { .. }) => words.extend(point.iter().map(|&value| value as u32)),
            (Against::Sum { factors, best, stays }, Purpose::Best { .. }) if stays.len() == jobs => {
                let both = |number: &u64| [*number as u32, (*number >> 32) as u32];
                words.extend(factors.iter().chain([best]).flat_map(both));
            }
            (Against::Nothing, Purpose::All) => {}
            _ => return wrong("what neighbours are compared with does not belong to what becomes of them"),
        }
        words.resize(begin + HEADER, 0);
        let stays = |job: u16| match &member.against {
            Against::Sum { stays, .. } if stays[usize::from(job)] => STAYS,
            _ => 0,
        };
        words.extend(member.order.iter().map(|&job| u32::from(job) | stays(job)));
        Ok(())
    }

    /// The points that have to be written, and makes room for them.
    ///
    /// Points that have left the archive do no harm: what came in their place covers what they covered. When they are as many as
    /// those that are in it, all are written anew.
    fn take_over<'a>(&mut self, machine: &mut dyn Machine, known: Known<'a>) -> Result<&'a [[u64; 4]], CudaError> {
        if !matches!(self.purpose, Purpose::Sifted { .. }) {
            return Ok(&[]);
        }
        let few = |came: &&[[u64; 4]]| {
            let total = self.known + came.len();
            total <= self.room && total <= 2 * known.all.len() + 64
        };
        let news = match known.came.filter(few) {
            Some(came) => came,
            None => {
                self.known = 0;
                known.all
            }
        };
        if self.known + news.len() > self.room {
            let room = (self.known + news.len()).next_power_of_two();
            let input = (HEADER + self.jobs as usize) * self.capacity as usize;
            (self.arrays.input, self.arrays.points) = reserve_points(machine, input, room)?;
            self.room = room;
        }
        self.known += news.len();
        self.news = news.len();
        Ok(news)
    }

    /// What all kernels of a launch know, as the kernels see it.
    fn task(&self, first: u32) -> Vec<u8> {
        let flag = u32::from;
        let (mode, dominating, aspiration) = match self.purpose {
            Purpose::Sifted { dominating } => (0, dominating, false),
            Purpose::Best { aspiration } => (1, false, aspiration),
            Purpose::All => (2, false, false),
        };
        let layout = &self.layout;
        let exchange = self.neighbours == super::Neighbours::Exchanges;
        let words = [
            self.jobs,
            layout.machines,
            layout.width,
            flag(exchange),
            layout.warps,
            layout.segments,
            layout.room(),
            first,
            mode,
            self.select,
            flag(dominating),
            self.known as u32,
            self.news as u32,
            flag(aspiration),
        ];
        words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect()
    }
}
