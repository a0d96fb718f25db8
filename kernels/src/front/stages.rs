//! Stages of an exploration: prepare, explore, and sift or choose.

use super::{
    CHOICE, Candidate, Choice, EXPECTED, Explorer, HEADER, Known, LEFT, Member, Purpose, Reference, reserve_points,
};
use crate::CudaError;
use crate::launch::Launch;
use crate::runtime::{DeviceRuntime, Module, Transfer};
use crate::structs::kernel_struct;

kernel_struct! {
    /// Parameters of a launch.
    pub(super) struct Task = "Task" {
        jobs: u32,
        machines: u32,
        width: u32,
        exchange: u32,
        warps: u32,
        segments: u32,
        room: u32,
        first: u32,
        mode: u32,
        select: u32,
        dominating: u32,
        known: u32,
        news: u32,
        aspiration: u32,
    }
}

/// Threads of a block of `prepare`.
const PREPARING: u32 = 256;

/// Threads of a block of `sift`.
const SIFTING: u32 = 256;

/// Number of blocks of `sift` that fill a device.
const SIFTERS: u32 = 2_048;
/// Number of blocks of `sift` per member.
const SIFTERS_OF_MEMBER: std::ops::RangeInclusive<u32> = 8..=64;

/// Number of transfers of results that may be under way.
const SLOTS: u64 = 2;

/// Flag of a job in the input that is tabu.
pub(super) const STAYS: u32 = 1 << 31;

/// Results of an exploration on their way from the device.
#[derive(Debug)]
pub struct Sifting {
    members: usize,
    /// Number of the exploration.
    exploration: u64,
    /// `None` if there are no members.
    transfer: Option<Transfer>,
}

/// Results of an exploration as the device writes them.
#[derive(Debug)]
pub struct Sifted {
    members: usize,
    words: Vec<u32>,
}

impl Sifted {
    /// Returns the remaining neighbours of each member by ascending number.
    pub fn candidates(&self) -> Vec<Vec<Candidate>> {
        let mut all = vec![Vec::new(); self.members];
        let Some((&total, words)) = self.words.split_first() else { return all };
        for result in words.chunks_exact(LEFT).take(total as usize) {
            if let Some(own) = all.get_mut(result[0] as usize) {
                own.push(Candidate {
                    number: result[1],
                    point: std::array::from_fn(|axis| u64::from(result[2 + axis])),
                });
            }
        }
        all.iter_mut().for_each(|own| own.sort_unstable_by_key(|candidate| candidate.number));
        all
    }
}

impl Explorer {
    /// Starts to compute the neighbourhoods of at most [`Self::capacity`] permutations. `known` is the archive with which [`Self::sift`]
    /// compares the neighbours.
    ///
    /// # Errors
    /// [`CudaError::Orders`] if a member does not fit the flow shop or the purpose, or if there are too many; as [`DeviceRuntime::write`],
    /// [`DeviceRuntime::launch`] and [`DeviceRuntime::reserve`].
    pub fn explore(
        &mut self, runtime: &mut dyn DeviceRuntime, members: &[Member<'_>], known: Known<'_>,
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
        let news = self.take_over(runtime, known)?;
        words.extend(news.iter().flatten().map(|&value| value as u32));
        self.arrays.input.write(runtime, &words)?;
        self.members = members.len() as u32;
        let blocks = self.members + 1;
        let kernel = if self.narrow { "prepare" } else { "prepare_wide" };
        let launch = Launch::new(Module::Front, kernel, [blocks, 1], PREPARING, 4 * self.jobs);
        let arrays = &self.arrays;
        let launch = launch.value(self.task(0)).array(&arrays.times).array(&arrays.input);
        let launch = launch.array(&arrays.rows).array(&arrays.heads).array(&arrays.sums).array(&arrays.points);
        runtime.launch(&launch.array(&arrays.nearest).array(&arrays.counts).array(&arrays.out))?;
        let operations = self.layout.operations(self.jobs, self.members);
        let parts = u32::try_from(operations / self.limit.max(1)).unwrap_or(u32::MAX).saturating_add(1);
        let part = self.layout.segments.div_ceil(parts);
        for first in (0..self.layout.segments).step_by(part as usize) {
            let grid = [part.min(self.layout.segments - first), self.members];
            let (block, shared) = (self.layout.block, self.layout.shared_bytes);
            let launch = Launch::new(Module::Front, self.layout.kernel, grid, block, shared);
            let launch = launch.value(self.task(first)).array(&arrays.tasks).array(&arrays.input);
            let launch = launch.array(&arrays.rows).array(&arrays.heads).array(&arrays.sums);
            runtime.launch(&launch.array(&arrays.nearest).array(&arrays.left).array(&arrays.counts))?;
        }
        Ok(())
    }

    /// Starts to remove the neighbours that the archive or another neighbour covers, and to transfer the remaining ones.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`] and [`DeviceRuntime::begin_read`].
    pub fn sift(&mut self, runtime: &mut dyn DeviceRuntime) -> Result<Sifting, CudaError> {
        let mut sifting = Sifting { members: self.members as usize, exploration: self.explorations, transfer: None };
        if self.members == 0 || !matches!(self.purpose, Purpose::Sifted { .. }) {
            return Ok(sifting);
        }
        let arrays = &self.arrays;
        let blocks = (SIFTERS / self.members).clamp(*SIFTERS_OF_MEMBER.start(), *SIFTERS_OF_MEMBER.end());
        let launch = Launch::new(Module::Front, "sift", [blocks, self.members], SIFTING, 0).value(self.task(0));
        let launch = launch.array(&arrays.points).array(&arrays.left).array(&arrays.counts);
        runtime.launch(&launch.array(&arrays.out))?;
        // Mostly one transfer is enough. Words that no exploration has written are not read.
        let guess = (1 + self.expected * LEFT).min(self.written);
        let slot = (self.explorations % SLOTS) as usize;
        sifting.transfer = Some(arrays.out.begin_read(runtime, guess, slot)?);
        Ok(sifting)
    }

    /// Waits for the results of [`Self::sift`]. Returns `None` if they are more than the transfer fetched and the next exploration has begun;
    /// at most one exploration may have begun since.
    ///
    /// # Errors
    /// As [`DeviceRuntime::end_read`] and [`DeviceRuntime::read`].
    pub fn sifted(&mut self, runtime: &mut dyn DeviceRuntime, sifting: Sifting) -> Result<Option<Sifted>, CudaError> {
        let Sifting { members, exploration, transfer } = sifting;
        let Some(transfer) = transfer else { return Ok(Some(Sifted { members, words: Vec::new() })) };
        let mut words = self.arrays.out.end_read(runtime, transfer)?;
        let total = words[0] as usize;
        self.expected = (2 * total).max(EXPECTED);
        self.written = self.written.max(1 + total * LEFT);
        if words.len() < 1 + total * LEFT {
            if exploration != self.explorations {
                return Ok(None);
            }
            words = self.arrays.out.read(runtime, 1 + total * LEFT)?;
        }
        Ok(Some(Sifted { members, words }))
    }

    /// Waits for the exploration and returns the best neighbour of each member.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`] and [`DeviceRuntime::read`].
    pub fn best(&mut self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<Choice>, CudaError> {
        if self.members == 0 || !matches!(self.purpose, Purpose::Best { .. }) {
            return Ok(Vec::new());
        }
        let launch = Launch::new(Module::Front, "choose", [self.members, 1], 32, 0).value(self.task(0));
        runtime.launch(&launch.array(&self.arrays.left).array(&self.arrays.out))?;
        let words = self.arrays.out.read(runtime, self.members as usize * CHOICE)?;
        let choice = |words: &[u32]| Choice {
            sum: u64::from(words[0]) | u64::from(words[1]) << 32,
            number: words[2],
            values: std::array::from_fn(|kind| u64::from(words[3 + kind])),
        };
        Ok(words.chunks_exact(CHOICE).map(choice).collect())
    }

    /// Waits for the exploration and returns the values of all neighbours, member by member and by ascending number: makespan, flow time,
    /// tardiness and number of tardy jobs.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn values(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<u32>, CudaError> {
        if self.purpose != Purpose::All {
            return Ok(Vec::new());
        }
        let words = 4 * self.neighbours.count(self.jobs) * u64::from(self.members);
        self.arrays.left.read(runtime, words as usize)
    }

    /// Appends a member to the input: header of [`HEADER`] words, then its jobs.
    fn append(&self, words: &mut Vec<u32>, member: &Member<'_>) -> Result<(), CudaError> {
        let jobs = self.jobs as usize;
        let wrong = |what: &str| Err(CudaError::Orders(what.to_owned()));
        if member.order.len() != jobs || member.order.iter().any(|&job| u32::from(job) >= self.jobs) {
            return wrong("an order to be explored is none of all jobs");
        }
        let begin = words.len();
        match (&member.reference, self.purpose) {
            (Reference::Point(point), Purpose::Sifted { .. }) => words.extend(point.iter().map(|&value| value as u32)),
            (Reference::Sum { factors, best, stays }, Purpose::Best { .. }) if stays.len() == jobs => {
                let both = |number: &u64| [*number as u32, (*number >> 32) as u32];
                words.extend(factors.iter().chain([best]).flat_map(both));
            }
            (Reference::Nothing, Purpose::All) => {}
            _ => return wrong("what neighbours are compared with does not belong to what becomes of them"),
        }
        words.resize(begin + HEADER, 0);
        let stays = |job: u16| match &member.reference {
            Reference::Sum { stays, .. } if stays[usize::from(job)] => STAYS,
            _ => 0,
        };
        words.extend(member.order.iter().map(|&job| u32::from(job) | stays(job)));
        Ok(())
    }

    /// Makes room for the archive points that have to be written, and returns them.
    ///
    /// Points that have left the archive may stay on the device, since their successors cover all that they covered. All points are written anew
    /// when about half of them have left.
    fn take_over<'a>(
        &mut self, runtime: &mut dyn DeviceRuntime, known: Known<'a>,
    ) -> Result<&'a [[u64; 4]], CudaError> {
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
            (self.arrays.input, self.arrays.points) = reserve_points(runtime, input, room)?;
            self.room = room;
        }
        self.known += news.len();
        self.news = news.len();
        Ok(news)
    }

    /// Parameters of a launch whose first block is `first`.
    fn task(&self, first: u32) -> Task {
        let (mode, dominating, aspiration) = match self.purpose {
            Purpose::Sifted { dominating } => (0, dominating, false),
            Purpose::Best { aspiration } => (1, false, aspiration),
            Purpose::All => (2, false, false),
        };
        let layout = &self.layout;
        let exchange = self.neighbours == super::Neighbours::Exchanges;
        Task {
            jobs: self.jobs,
            machines: layout.machines,
            width: layout.width,
            exchange: exchange.into(),
            warps: layout.warps,
            segments: layout.segments,
            room: layout.room(),
            first,
            mode,
            select: self.select,
            dominating: dominating.into(),
            known: self.known as u32,
            news: self.news as u32,
            aspiration: aspiration.into(),
        }
    }
}
