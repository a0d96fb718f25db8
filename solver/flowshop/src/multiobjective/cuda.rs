//! Exploration of neighbourhoods on a CUDA device.
//!
//! For Pareto local search the device evaluates and filters: neighbours covered by the explored order, by another
//! neighbour or by the archive never leave the device, so that the host compares few points ([`Archiving::Device`]). In
//! the published form the device only evaluates, all values are copied, and one CPU thread compares
//! ([`Archiving::Host`]). For tabu search the device chooses the best neighbours of all trajectories at once.
//!
//! # Prefetching
//! One neighbourhood does not fill a device and takes as long as several. The members next in the queue
//! ([`super::pool`]) are therefore explored together in a *round* in the background, while the host archives the
//! survivors of earlier ones. The next round is launched before the previous one is waited for, and its survivors are
//! copied into host memory of a size estimated from the round before; if more survive, the round is repeated on
//! request. Prefetched survivors are filtered against the archive as of their launch; the archive compares them with
//! later members only.
//!
//! # Several devices and failover
//! An exploration depends on its request alone. Several devices share its members (`devices.rs`). If a device is lost, the
//! others compute the same survivors, or the CPU if none is left, and the search continues with the same numbers.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use gridwright_kernels::front::{self, Neighbours, Purpose, Reference, Tuning};
use gridwright_kernels::{CudaError, DeviceRuntime};

use crate::Instance;
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::search::pareto::{Archive, Point, is_covered};

use super::devices::Devices;
use super::exploration::{Admission, Neighbourhood};
use super::explorer::{ArchivePoints, CpuExplorer, ExplorationResult, Explorer, Member, PrefetchStatistics, Survivors};
use super::objectives::Objectives;
use super::pool::MOST_DRAWN;
use super::tabu::{Choices, Chooser, CpuChooser, TabuContext, Trajectory};

/// Place where neighbours are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archiving {
    /// The device filters; the archive sees the survivors only.
    Device,
    /// All values are copied and compared by one CPU thread, as published.
    Host,
}

/// One round in this many of about the same size is timed stage by stage; the time of the others is divided in the same
/// proportion.
const MEASURED: u64 = 64;

/// Smallest number of members for a background round.
const MIN_PREFETCH: usize = 8;

fn neighbours(neighbourhood: Neighbourhood) -> Neighbours {
    match neighbourhood {
        Neighbourhood::Insertion => Neighbours::Insertions,
        Neighbourhood::Exchange => Neighbours::Exchanges,
    }
}

/// Timing of rounds of about the same size.
#[derive(Debug, Clone, Copy, Default)]
struct RoundTiming {
    rounds: u64,
    /// Seconds of evaluation per member.
    seconds_per_member: f64,
    /// Share of evaluation in the whole round.
    share: f64,
}

/// Members of a round that one device explores.
#[derive(Debug)]
struct RoundPart {
    device: usize,
    entries: Vec<u64>,
    sifting: front::Sifting,
}

/// A round whose neighbourhoods are being computed.
#[derive(Debug)]
struct PendingRound {
    parts: Vec<RoundPart>,
    members: usize,
    /// Entry counter of the archive at the launch.
    known_entries: u64,
    launched: Instant,
    /// True if the round was timed stage by stage, and has ended.
    measured: bool,
}

/// Seconds of evaluation in the foreground and in the background, and of archiving (filtering, copying and keeping
/// survivors).
#[derive(Debug, Default)]
struct StageSeconds {
    foreground: f64,
    background: f64,
    archiving: f64,
}

/// Explores on one or several devices, with prefetching.
pub struct DeviceExplorer<M> {
    devices: Devices<M>,
    archiving: Archiving,
    /// Description of the search, and the backend after a failover.
    cpu: CpuExplorer,
    explorations: u64,
    /// Timing of rounds of 1, 2–3, 4–7, … members.
    rates: Vec<RoundTiming>,
    /// Survivors of prefetched members by entry number.
    prefetched: HashMap<u64, Survivors>,
    /// The round in the background.
    pending: Option<PendingRound>,
    /// Explorations until another background round is considered.
    cooldown: usize,
    statistics: PrefetchStatistics,
}

impl<M: DeviceRuntime> DeviceExplorer<M> {
    /// Copies an instance to devices, given with their names, with room for `members` neighbourhoods at once plus the
    /// prefetched ones, or fewer if memory is short. In the published form the first device computes alone.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if a device cannot hold the instance.
    pub fn new(
        instance: &Instance, cpu: CpuExplorer, archiving: Archiving, members: usize, runtimes: Vec<(String, M)>,
        tuning: Tuning,
    ) -> Result<Self> {
        let (purpose, room) = match archiving {
            Archiving::Device => {
                (Purpose::Sifted { dominating: cpu.admission == Admission::Dominating }, members.max(MOST_DRAWN))
            }
            Archiving::Host => (Purpose::All, members),
        };
        let what = (neighbours(cpu.neighbourhood), purpose);
        let devices = Devices::new(instance, &cpu.objectives, what, room, runtimes, tuning)?;
        Ok(Self {
            devices,
            archiving,
            cpu,
            explorations: 0,
            rates: Vec::new(),
            prefetched: HashMap::new(),
            pending: None,
            cooldown: 0,
            statistics: PrefetchStatistics::default(),
        })
    }

    /// Thread layout of the kernel; `None` if nothing is computed on the device.
    pub fn layout(&self) -> Option<front::Layout> {
        self.devices.present().next().map(|(_, device)| device.explorer.layout())
    }

    /// Evaluates and filters neighbourhoods without copying survivors, and waits; for benchmarks.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if the device is lost.
    pub(crate) fn evaluate(&mut self, members: &[Member]) -> Result<()> {
        for part in members.chunks(self.devices.capacity()) {
            for (number, own) in self.devices.divide(part.len()) {
                let list: Vec<front::Member<'_>> =
                    part[own].iter().map(|member| request(member, self.archiving)).collect();
                self.devices.on(number, |device| device.explore(&list, &[]))?;
            }
        }
        self.wait()?;
        Ok(())
    }

    fn wait(&mut self) -> std::result::Result<(), CudaError> {
        let all: Vec<usize> = self.devices.present().map(|(number, _)| number).collect();
        for number in all {
            self.devices.on(number, |device| device.runtime.wait())?;
        }
        Ok(())
    }

    /// Explores with filtering on the device: returns prefetched survivors, computes missing ones, and launches the
    /// next background round.
    fn explore_filtered(
        &mut self, members: &[Member], upcoming: &dyn Fn() -> Vec<Member>, known: ArchivePoints<'_>,
    ) -> std::result::Result<ExplorationResult, CudaError> {
        if known.arrivals.is_none() {
            self.prefetched.clear();
            self.pending = None;
        }
        self.devices.arrived(known.arrivals);
        let mut time = StageSeconds::default();
        self.statistics.requested += members.len() as u64;
        self.cooldown = self.cooldown.saturating_sub(1);
        let is_idle = self.pending.is_none() && self.cooldown == 0;
        if is_idle || members.iter().any(|member| !self.prefetched.contains_key(&member.entry)) {
            self.run_rounds(members, &upcoming(), known, &mut time)?;
        } else {
            self.statistics.prefetched += members.len() as u64;
        }
        let take = |(number, member): (usize, &Member)| {
            let survivors = self.prefetched.remove(&member.entry).unwrap_or_default();
            Survivors { member: number, ..survivors }
        };
        let survivors = members.iter().enumerate().map(take).collect();
        // The host time for choosing upcoming members counts as the rest, as on the CPU.
        Ok(ExplorationResult {
            survivors,
            evaluation: time.foreground,
            archiving: time.archiving,
            background: time.background,
        })
    }

    /// Provides the survivors of `members` and launches the next rounds. A round is launched before the previous one is
    /// collected, so that the device works while its survivors are copied.
    fn run_rounds(
        &mut self, members: &[Member], upcoming: &[Member], known: ArchivePoints<'_>, time: &mut StageSeconds,
    ) -> std::result::Result<(), CudaError> {
        let missing: Vec<&Member> = members.iter().filter(|member| !self.is_known_or_pending(member)).collect();
        let next: Vec<&Member> = upcoming.iter().filter(|member| !self.is_known_or_pending(member)).collect();
        self.statistics.prefetched += (members.len() - missing.len()) as u64;
        self.drop_unneeded(members, upcoming);
        let side_by_side = self.side_by_side();
        // Half of many upcoming members join this round; the others are computed while their survivors are archived.
        let half = if next.len() >= 2 * MIN_PREFETCH { next.len() / 2 } else { next.len() };
        let at_once = if missing.is_empty() { 0 } else { half.min(side_by_side.saturating_sub(missing.len())) };
        let (at_once, next) = next.split_at(at_once);
        let now: Vec<&Member> = missing.into_iter().chain(at_once.iter().copied()).collect();
        // A request that was not prefetched waits for the background round, which must therefore be worth it.
        let prefetches = next.len() >= MIN_PREFETCH;
        let background = prefetches.then(|| &next[..next.len().min(side_by_side)]);
        let mut previous = self.pending.take();
        for round in now.chunks(side_by_side).chain(background) {
            if self.is_measured(round.len()) {
                self.collect(previous.take(), time)?;
            }
            let launched = self.launch(round, known, time)?;
            self.collect(std::mem::replace(&mut previous, launched), time)?;
        }
        if prefetches {
            self.pending = previous;
        } else {
            self.cooldown = MIN_PREFETCH / 2;
            self.collect(previous, time)?;
        }
        // Rarely more neighbours survive than were copied, and they are gone when that is noticed, or a device is lost: repeat
        // the round.
        loop {
            let missing: Vec<&Member> =
                members.iter().filter(|member| !self.prefetched.contains_key(&member.entry)).collect();
            if missing.is_empty() || self.devices.is_empty() {
                return Ok(());
            }
            let round = self.pending.take();
            self.collect(round, time)?;
            let part = &missing[..missing.len().min(self.side_by_side())];
            let round = self.launch(part, known, time)?;
            self.collect(round, time)?;
        }
    }

    /// Returns `true` if the next round of `members` members is timed stage by stage.
    fn is_measured(&self, members: usize) -> bool {
        let rate = self.rates.get(members.max(1).ilog2() as usize).copied().unwrap_or_default();
        rate.rounds % MEASURED == 0
    }

    /// Returns `true` if the survivors of a member are prefetched or being computed.
    fn is_known_or_pending(&self, member: &Member) -> bool {
        let is_pending =
            self.pending.iter().flat_map(|round| &round.parts).any(|part| part.entries.contains(&member.entry));
        is_pending || self.prefetched.contains_key(&member.entry)
    }

    /// Drops survivors of members that will not be requested.
    fn drop_unneeded(&mut self, members: &[Member], upcoming: &[Member]) {
        let near: HashSet<u64> = members.iter().chain(upcoming).map(|member| member.entry).collect();
        self.prefetched.retain(|entry, _| near.contains(entry));
    }

    /// Largest number of members per round.
    fn side_by_side(&self) -> usize {
        self.devices.side_by_side()
    }

    /// Launches a round for as many of the members as fit.
    fn launch(
        &mut self, members: &[&Member], known: ArchivePoints<'_>, time: &mut StageSeconds,
    ) -> std::result::Result<Option<PendingRound>, CudaError> {
        let members = &members[..members.len().min(self.side_by_side())];
        let shares = self.devices.divide(members.len());
        if shares.is_empty() {
            return Ok(None);
        }
        let measured = self.is_measured(members.len());
        let began = Instant::now();
        self.statistics.computed += members.len() as u64;
        self.statistics.rounds += 1;
        for (number, own) in &shares {
            let own = &members[own.clone()];
            let list: Vec<front::Member<'_>> = own.iter().map(|member| request(member, self.archiving)).collect();
            self.devices.on(*number, |device| device.explore(&list, known.all))?;
        }
        let class = members.len().ilog2() as usize;
        self.rates.resize(self.rates.len().max(class + 1), RoundTiming::default());
        self.rates[class].rounds += 1;
        if measured {
            self.wait()?;
        }
        let evaluated = began.elapsed().as_secs_f64();
        let mut parts = Vec::with_capacity(shares.len());
        for (number, own) in shares {
            let sifting = self.devices.on(number, |device| device.explorer.sift(&mut device.runtime))?;
            let entries = members[own].iter().map(|member| member.entry).collect();
            parts.extend(sifting.map(|sifting| RoundPart { device: number, entries, sifting }));
        }
        if measured {
            self.wait()?;
            let rate = &mut self.rates[class];
            rate.share = evaluated / began.elapsed().as_secs_f64().max(1e-12);
            rate.seconds_per_member = evaluated / members.len() as f64;
        }
        time.foreground += evaluated;
        time.archiving += began.elapsed().as_secs_f64() - evaluated;
        Ok(Some(PendingRound {
            parts,
            members: members.len(),
            known_entries: known.entries,
            launched: Instant::now(),
            measured,
        }))
    }

    /// Waits for a round, if there is one, and keeps its survivors until they are requested.
    fn collect(&mut self, round: Option<PendingRound>, time: &mut StageSeconds) -> std::result::Result<(), CudaError> {
        let Some(round) = round else { return Ok(()) };
        let began = Instant::now();
        let mut found = Vec::new();
        for RoundPart { device, entries, sifting } in round.parts {
            let sifted = self.devices.on(device, |device| device.explorer.sifted(&mut device.runtime, sifting))?;
            let candidates = sifted.flatten().map(|sifted| sifted.candidates());
            found.extend(entries.into_iter().zip(candidates.into_iter().flatten()));
        }
        let waited = began.elapsed().as_secs_f64();
        let mut here = 0.0;
        if !round.measured {
            // The device may have been idle before the host collected the round.
            let (whole, members) = (round.launched.elapsed().as_secs_f64(), round.members);
            let rate = self.rates.get(members.ilog2() as usize).copied().unwrap_or_default();
            let evaluation = (whole * rate.share).min(rate.seconds_per_member * members as f64);
            here = evaluation.min(waited);
            time.background += evaluation - here;
        }
        time.foreground += here;
        for (entry, candidates) in found {
            let neighbours =
                candidates.iter().map(|candidate| (candidate.point, u64::from(candidate.number))).collect();
            self.prefetched.insert(entry, Survivors { member: 0, known_entries: round.known_entries, neighbours });
        }
        time.archiving += began.elapsed().as_secs_f64() - here;
        Ok(())
    }

    /// Explores in the published form: copies all values and compares them one by one on the host.
    fn explore_copied(
        &mut self, members: &[Member], known: ArchivePoints<'_>,
    ) -> std::result::Result<ExplorationResult, CudaError> {
        let Some(device) = self.devices.first_mut() else { return Ok(ExplorationResult::default()) };
        let CpuExplorer { objectives, admission, neighbourhood, shop, .. } = &self.cpu;
        let size = neighbourhood.size(shop.jobs) as usize;
        let mut result = ExplorationResult::default();
        let part = device.explorer.capacity();
        for (number, part_of) in members.chunks(part).enumerate() {
            let began = Instant::now();
            let list: Vec<front::Member<'_>> = part_of.iter().map(|member| request(member, self.archiving)).collect();
            device.explore(&list, &[])?;
            let values = device.explorer.values(&mut device.runtime)?;
            let evaluated = Instant::now();
            result.evaluation += (evaluated - began).as_secs_f64();
            for (member, (values, of)) in values.chunks_exact(4 * size).zip(part_of).enumerate() {
                let mut survivors: Archive<u64> = Archive::default();
                for (id, values) in values.chunks_exact(4).enumerate() {
                    let values: Point = std::array::from_fn(|kind| u64::from(values[kind]));
                    let point = objectives.select(&values);
                    if admission.admits(&of.point, &point)
                        && !survivors.covers(&point)
                        && !is_covered(known.all, &point)
                    {
                        survivors.insert(point, id as u64);
                    }
                }
                let neighbours = survivors.iter().map(|(&point, &id)| (point, id)).collect();
                result.survivors.push(Survivors {
                    member: number * part + member,
                    known_entries: known.entries,
                    neighbours,
                });
            }
            result.archiving += evaluated.elapsed().as_secs_f64();
        }
        Ok(result)
    }
}

/// Request for one member in the form of the kernels.
fn request(member: &Member, archiving: Archiving) -> front::Member<'_> {
    let reference = match archiving {
        Archiving::Device => Reference::Point(member.point),
        Archiving::Host => Reference::Nothing,
    };
    front::Member { order: &member.order, reference }
}

impl<M: DeviceRuntime> Explorer for DeviceExplorer<M> {
    fn explore(
        &mut self, members: &[Member], upcoming: &dyn Fn() -> Vec<Member>, known: ArchivePoints<'_>,
    ) -> ExplorationResult {
        if self.devices.is_empty() {
            return self.cpu.explore(members, upcoming, known);
        }
        let explored = match self.archiving {
            Archiving::Device => self.explore_filtered(members, upcoming, known),
            Archiving::Host => self.explore_copied(members, known),
        };
        let exploration = self.explorations;
        self.explorations += 1;
        self.devices.or_on_cpu(explored, ("exploration", exploration), || {
            self.pending = None;
            self.prefetched.clear();
            self.cpu.explore(members, upcoming, known)
        })
    }

    fn device_notes(&self) -> &[DeviceNote] {
        &self.devices.notes
    }

    fn prefetch_statistics(&self) -> Option<PrefetchStatistics> {
        (self.archiving == Archiving::Device).then_some(self.statistics)
    }
}

/// Chooses the best neighbours of all trajectories on one or several devices.
pub struct DeviceChooser<M> {
    devices: Devices<M>,
}

impl<M: DeviceRuntime> DeviceChooser<M> {
    /// Copies an instance to devices, given with their names, with room for `trajectories` neighbourhoods at once, or fewer if
    /// memory is short.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if a device cannot hold the instance.
    pub fn new(
        instance: &Instance, neighbourhood: Neighbourhood, aspiration: bool, trajectories: usize,
        runtimes: Vec<(String, M)>, tuning: Tuning,
    ) -> Result<Self> {
        let what = (neighbours(neighbourhood), Purpose::Best { aspiration });
        // Weighted sums cover the values of all objectives.
        let devices = Devices::new(instance, &Objectives::default(), what, trajectories, runtimes, tuning)?;
        Ok(Self { devices })
    }

    fn look(&mut self, trajectories: &[Trajectory], step: u64) -> std::result::Result<Choices, CudaError> {
        let began = Instant::now();
        let mut choices = Choices::default();
        let mut rest = trajectories;
        while !rest.is_empty() && !self.devices.is_empty() {
            let part = &rest[..rest.len().min(self.devices.capacity())];
            // If a device is lost, the others choose for its trajectories, too.
            if let Some(best) = self.best(part, step)? {
                choices
                    .chosen
                    .extend(best.iter().map(|choice| Some((choice.sum, u64::from(choice.number), choice.values))));
                rest = &rest[part.len()..];
            }
        }
        choices.evaluation = began.elapsed().as_secs_f64();
        Ok(choices)
    }

    /// Best neighbours of at most as many trajectories as fit; `None` if a device is lost while others are left.
    fn best(
        &mut self, trajectories: &[Trajectory], step: u64,
    ) -> std::result::Result<Option<Vec<front::Choice>>, CudaError> {
        let stays =
            |trajectory: &Trajectory| -> Vec<bool> { trajectory.free.iter().map(|&free| free > step).collect() };
        let stays: Vec<Vec<bool>> = trajectories.iter().map(stays).collect();
        let member = |(trajectory, stays)| -> front::Member<'_> {
            let Trajectory { sum, order, best, .. }: &Trajectory = trajectory;
            let stays: &Vec<bool> = stays;
            front::Member { order, reference: Reference::Sum { factors: sum.factors(), best: *best, stays } }
        };
        let list: Vec<front::Member<'_>> = trajectories.iter().zip(&stays).map(member).collect();
        let shares = self.devices.divide(list.len());
        for (number, own) in &shares {
            self.devices.on(*number, |device| device.explore(&list[own.clone()], &[]))?;
        }
        let mut all = Vec::with_capacity(list.len());
        for (number, _) in shares {
            match self.devices.on(number, |device| device.explorer.best(&mut device.runtime))? {
                Some(best) => all.extend(best),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }
}

impl<M: DeviceRuntime> Chooser for DeviceChooser<M> {
    fn choose(&mut self, rules: &TabuContext, trajectories: &[Trajectory], step: u64) -> Choices {
        if self.devices.is_empty() {
            return CpuChooser.choose(rules, trajectories, step);
        }
        let chosen = self.look(trajectories, step);
        self.devices.or_on_cpu(chosen, ("step", step), || CpuChooser.choose(rules, trajectories, step))
    }

    fn device_notes(&self) -> &[DeviceNote] {
        &self.devices.notes
    }
}
