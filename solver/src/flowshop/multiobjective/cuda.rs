//! Whole neighbourhoods on a device.
//!
//! For Pareto local search a device evaluates, and sifts: what the order itself, another neighbour or the archive covers never
//! leaves it, so that the host has little to compare ([`Archiving::Device`]). In the published form it evaluates only, all values are
//! copied, and one thread of the CPU compares ([`Archiving::Host`]). For tabu search it looks for the best neighbours of all
//! trajectories at once.
//!
//! An order alone does not fill a device, and takes as long as some. So those that are likely to be asked for next are explored
//! together, in the background, while the host archives what is left of those before them. It is kept until it is asked for, or is
//! not: what has come to the archive since may cover some of it, which the archive then refuses.
//!
//! An exploration depends on nothing but what is asked, so where the device is lost, the CPU computes the same and goes on.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use gridwright_kernels::front::{self, Against, Neighbours, Purpose, Tuning};
use gridwright_kernels::{CudaError, Machine};

use crate::flowshop::{Instance, Objective};
use crate::search::pareto::{Archive, Point, is_covered};
use crate::{Error, Result};

use super::exploration::{Admission, Neighbourhood};
use super::explorer::{CpuExplorer, Explorer, Findings, Foresight, Known, Left, Member};
use super::objectives::Objectives;
use super::pool::MOST_DRAWN;
use super::tabu::{Choices, Chooser, CpuChooser, Rules, Trajectory};

/// Where points are compared and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archiving {
    /// The device leaves what an archive has to see.
    Device,
    /// All values are copied and compared by one thread, as published.
    Host,
}

/// One in so many rounds of a size waits between its stages, so that it is known what they take; the others are shared out likewise.
const MEASURED: u64 = 64;

/// So few members are not computed in the background.
const WORTH_A_FLIGHT: usize = 8;

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

fn neighbours(neighbourhood: Neighbourhood) -> Neighbours {
    match neighbourhood {
        Neighbourhood::Insertion => Neighbours::Insertions,
        Neighbourhood::Exchange => Neighbours::Exchanges,
    }
}

/// A flow shop on a machine.
struct OnDevice<M> {
    machine: M,
    explorer: front::Explorer,
}

impl<M: Machine> OnDevice<M> {
    /// `None` where an order has no neighbours.
    fn new(
        instance: &Instance,
        objectives: &Objectives,
        what: (Neighbours, Purpose),
        members: usize,
        mut machine: M,
        tuning: Tuning,
    ) -> Result<Option<Self>> {
        if instance.job_count() < 2 {
            return Ok(None);
        }
        let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        let dues: Vec<u32> = instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect();
        let machines = instance.machine_count() as u32;
        let shop = front::Shop { machines, times: &instance.times, releases: &releases, dues: &dues };
        // The place of an objective in a list of values is its number, here and there.
        let list: Vec<u8> = objectives.as_slice().iter().map(|&objective: &Objective| objective as u8).collect();
        let members = u32::try_from(members).unwrap_or(u32::MAX);
        let explorer = front::Explorer::new(&mut machine, &shop, what, &list, members, tuning).map_err(device_error)?;
        Ok(Some(Self { machine, explorer }))
    }
}

/// What is said where the device is lost.
fn lost(why: &CudaError, step: &str) -> String {
    format!("{why}. {step} the CPU went on, with the same numbers")
}

/// How long rounds of about the same size took.
#[derive(Debug, Clone, Copy, Default)]
struct Rate {
    rounds: u64,
    /// Seconds of evaluation for a member.
    each: f64,
    /// Its share of the whole.
    share: f64,
}

/// Members whose neighbourhoods are being computed.
#[derive(Debug)]
struct Flight {
    entries: Vec<u64>,
    /// Members that had come to the archive when it began.
    known: u64,
    launched: Instant,
    sifting: front::Sifting,
    /// Whether it is done, and its time was taken.
    measured: bool,
}

/// Seconds of evaluation, while somebody waited for it and before, and of archiving: sifting, reading and keeping what is left.
#[derive(Debug, Default)]
struct Time {
    here: f64,
    background: f64,
    archiving: f64,
}

/// Explores on a device.
pub struct DeviceExplorer<M> {
    device: Option<OnDevice<M>>,
    archiving: Archiving,
    /// What goes on where the device is lost, and says what there is to be explored.
    cpu: CpuExplorer,
    explorations: u64,
    /// What rounds of 1, 2, 4 … members took when it was measured.
    rates: Vec<Rate>,
    /// What is left of members that were not asked for yet, by their entries.
    ahead: HashMap<u64, Left>,
    /// Those that are being computed.
    flight: Option<Flight>,
    /// Explorations until it is looked again whether there are enough to begin with.
    waits: usize,
    /// What has come to the archive since the device was told; `None` where it has to be told everything.
    came: Option<Vec<Point>>,
    foresight: Foresight,
    notes: Vec<String>,
}

impl<M: Machine> DeviceExplorer<M> {
    /// Puts an instance on a device, with room for `members` neighbourhoods at once, and those that come next, if its memory
    /// allows.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold it.
    pub fn new(
        instance: &Instance,
        cpu: CpuExplorer,
        archiving: Archiving,
        members: usize,
        machine: M,
        tuning: Tuning,
    ) -> Result<Self> {
        let (purpose, room) = match archiving {
            Archiving::Device => {
                (Purpose::Sifted { dominating: cpu.admission == Admission::Dominating }, members.max(MOST_DRAWN))
            }
            Archiving::Host => (Purpose::All, members),
        };
        let what = (neighbours(cpu.neighbourhood), purpose);
        let device = OnDevice::new(instance, &cpu.objectives, what, room, machine, tuning)?;
        Ok(Self {
            device,
            archiving,
            cpu,
            explorations: 0,
            rates: Vec::new(),
            ahead: HashMap::new(),
            flight: None,
            waits: 0,
            came: None,
            foresight: Foresight::default(),
            notes: Vec::new(),
        })
    }

    /// How neighbours are dealt out; `None` where nothing is computed on the device.
    pub fn layout(&self) -> Option<front::Layout> {
        self.device.as_ref().map(|device| device.explorer.layout())
    }

    /// Evaluates neighbourhoods, leaves what blocks leave on the device, and waits: what a benchmark measures.
    ///
    /// # Errors
    /// [`Error::Device`] where the device is lost.
    pub(in crate::flowshop) fn evaluate(&mut self, members: &[Member]) -> Result<()> {
        let Some(OnDevice { machine, explorer }) = &mut self.device else { return Ok(()) };
        let none = front::Known { all: &[], came: None };
        for part in members.chunks(explorer.capacity()) {
            let list: Vec<front::Member<'_>> = part.iter().map(|member| asked(member, self.archiving)).collect();
            explorer.explore(machine, &list, none).map_err(device_error)?;
        }
        machine.wait().map_err(device_error)
    }

    /// What the device leaves of some members. Of those that were not computed ahead it is waited for, and the next ones are computed in
    /// the background.
    fn sifted(
        &mut self,
        members: &[Member],
        upcoming: &dyn Fn() -> Vec<Member>,
        known: Known<'_>,
    ) -> std::result::Result<Findings, CudaError> {
        match (&mut self.came, known.came) {
            (Some(all), Some(came)) => all.extend_from_slice(came),
            (_, None) => {
                self.ahead.clear();
                (self.came, self.flight) = (None, None);
            }
            // The device was told nothing yet.
            (None, Some(_)) => {}
        }
        let mut time = Time::default();
        self.foresight.explored += members.len() as u64;
        self.waits = self.waits.saturating_sub(1);
        let is_idle = self.flight.is_none() && self.waits == 0;
        if is_idle || members.iter().any(|member| !self.ahead.contains_key(&member.entry)) {
            self.go_on(members, &upcoming(), known, &mut time)?;
        } else {
            self.foresight.foreseen += members.len() as u64;
        }
        let take = |(number, member): (usize, &Member)| {
            let left = self.ahead.remove(&member.entry).unwrap_or_default();
            Left { member: number, ..left }
        };
        let left = members.iter().enumerate().map(take).collect();
        // Who comes next counts as the rest, as it does on the CPU.
        Ok(Findings { left, evaluation: time.here, archiving: time.archiving, background: time.background })
    }

    /// Makes known what is left of those that are asked for, and begins with the next ones. Before a round is waited for, the one after
    /// it has begun, so that the device has something to do while what it left is read.
    fn go_on(
        &mut self,
        members: &[Member],
        upcoming: &[Member],
        known: Known<'_>,
        time: &mut Time,
    ) -> std::result::Result<(), CudaError> {
        let missing: Vec<&Member> = members.iter().filter(|member| !self.is_coming(member)).collect();
        let next: Vec<&Member> = upcoming.iter().filter(|member| !self.is_coming(member)).collect();
        self.foresight.foreseen += (members.len() - missing.len()) as u64;
        self.forget(members, upcoming);
        let side_by_side = self.side_by_side();
        // Half of many, so that the others are being computed while these are archived.
        let half = if next.len() >= 2 * WORTH_A_FLIGHT { next.len() / 2 } else { next.len() };
        let at_once = if missing.is_empty() { 0 } else { half.min(side_by_side.saturating_sub(missing.len())) };
        let (at_once, next) = next.split_at(at_once);
        let now: Vec<&Member> = missing.into_iter().chain(at_once.iter().copied()).collect();
        // What is asked for out of turn has to wait for what is being computed in the background: that has to be worth it.
        let flies = next.len() >= WORTH_A_FLIGHT;
        let flight = flies.then(|| &next[..next.len().min(side_by_side)]);
        let mut last = self.flight.take();
        for round in now.chunks(side_by_side).chain(flight) {
            if self.is_measured(round.len()) {
                self.land(last.take(), time)?;
            }
            let begun = self.launch(round, known, time)?;
            self.land(std::mem::replace(&mut last, begun), time)?;
        }
        if flies {
            self.flight = last;
        } else {
            self.waits = WORTH_A_FLIGHT / 2;
            self.land(last, time)?;
        }
        // Hardly ever is more left than was brought back, and gone when that is seen.
        let lost: Vec<&Member> = members.iter().filter(|member| !self.ahead.contains_key(&member.entry)).collect();
        for part in lost.chunks(side_by_side) {
            let flight = self.flight.take();
            self.land(flight, time)?;
            let flight = self.launch(part, known, time)?;
            self.land(flight, time)?;
        }
        Ok(())
    }

    /// Whether the next round of so many members will wait between its stages.
    fn is_measured(&self, members: usize) -> bool {
        let rate = self.rates.get(members.max(1).ilog2() as usize).copied().unwrap_or_default();
        rate.rounds % MEASURED == 0
    }

    /// Whether what is left of a member is known, or being computed.
    fn is_coming(&self, member: &Member) -> bool {
        let in_flight = self.flight.as_ref().is_some_and(|flight| flight.entries.contains(&member.entry));
        in_flight || self.ahead.contains_key(&member.entry)
    }

    /// Forgets what is left of members that will not be asked for.
    fn forget(&mut self, members: &[Member], upcoming: &[Member]) {
        let near: HashSet<u64> = members.iter().chain(upcoming).map(|member| member.entry).collect();
        self.ahead.retain(|entry, _| near.contains(entry));
    }

    /// Members that are computed together, at most.
    fn side_by_side(&self) -> usize {
        self.device.as_ref().map_or(1, |device| device.explorer.side_by_side())
    }

    /// Begins to compute what is left of some members, no more than there is room for.
    fn launch(
        &mut self,
        members: &[&Member],
        known: Known<'_>,
        time: &mut Time,
    ) -> std::result::Result<Option<Flight>, CudaError> {
        let measured = self.is_measured(members.len());
        let Some(OnDevice { machine, explorer }) = self.device.as_mut().filter(|_| !members.is_empty()) else {
            return Ok(None);
        };
        let began = Instant::now();
        self.foresight.evaluated += members.len() as u64;
        self.foresight.rounds += 1;
        let list: Vec<front::Member<'_>> = members.iter().map(|member| asked(member, self.archiving)).collect();
        explorer.explore(machine, &list, front::Known { all: known.all, came: self.came.as_deref() })?;
        // What has come stays on the device.
        self.came = Some(Vec::new());
        let class = members.len().ilog2() as usize;
        self.rates.resize(self.rates.len().max(class + 1), Rate::default());
        let rate = &mut self.rates[class];
        rate.rounds += 1;
        if measured {
            machine.wait()?;
        }
        let evaluated = began.elapsed().as_secs_f64();
        let sifting = explorer.sift(machine)?;
        if measured {
            machine.wait()?;
            rate.share = evaluated / began.elapsed().as_secs_f64().max(1e-12);
            rate.each = evaluated / members.len() as f64;
        }
        time.here += evaluated;
        time.archiving += began.elapsed().as_secs_f64() - evaluated;
        Ok(Some(Flight {
            entries: members.iter().map(|member| member.entry).collect(),
            known: known.entries,
            launched: Instant::now(),
            sifting,
            measured,
        }))
    }

    /// Waits for what is being computed, if something is, and keeps what is left until it is asked for.
    fn land(&mut self, flight: Option<Flight>, time: &mut Time) -> std::result::Result<(), CudaError> {
        let (Some(flight), Some(OnDevice { machine, explorer })) = (flight, &mut self.device) else { return Ok(()) };
        let began = Instant::now();
        let sifted = explorer.sifted(machine, flight.sifting)?;
        let waited = began.elapsed().as_secs_f64();
        let mut here = 0.0;
        if !flight.measured {
            // While the host was slower, the device may have been idle.
            let (whole, members) = (flight.launched.elapsed().as_secs_f64(), flight.entries.len());
            let rate = self.rates.get(members.ilog2() as usize).copied().unwrap_or_default();
            let evaluation = (whole * rate.share).min(rate.each * members as f64);
            here = evaluation.min(waited);
            time.background += evaluation - here;
        }
        time.here += here;
        for (entry, left) in flight.entries.into_iter().zip(sifted.iter().flat_map(front::Sifted::candidates)) {
            let left = left.iter().map(|candidate| (candidate.point, u64::from(candidate.number))).collect();
            self.ahead.insert(entry, Left { member: 0, known: flight.known, left });
        }
        time.archiving += began.elapsed().as_secs_f64() - here;
        Ok(())
    }

    /// Explores, copies all values, and compares them one by one.
    fn copied(&mut self, members: &[Member], known: Known<'_>) -> std::result::Result<Findings, CudaError> {
        let Some(OnDevice { machine, explorer }) = &mut self.device else { return Ok(Findings::default()) };
        let CpuExplorer { objectives, admission, neighbourhood, shop } = &self.cpu;
        let size = neighbourhood.size(shop.jobs) as usize;
        let mut findings = Findings::default();
        let part = explorer.capacity();
        for (number, part_of) in members.chunks(part).enumerate() {
            let began = Instant::now();
            let list: Vec<front::Member<'_>> = part_of.iter().map(|member| asked(member, self.archiving)).collect();
            explorer.explore(machine, &list, front::Known::NONE)?;
            let values = explorer.values(machine)?;
            let evaluated = Instant::now();
            findings.evaluation += (evaluated - began).as_secs_f64();
            for (member, (values, of)) in values.chunks_exact(4 * size).zip(part_of).enumerate() {
                let mut left: Archive<u64> = Archive::default();
                for (id, values) in values.chunks_exact(4).enumerate() {
                    let values: Point = std::array::from_fn(|kind| u64::from(values[kind]));
                    let point = objectives.select(&values);
                    if admission.admits(&of.point, &point) && !left.covers(&point) && !is_covered(known.all, &point) {
                        left.insert(point, id as u64);
                    }
                }
                let left = left.iter().map(|(&point, &id)| (point, id)).collect();
                findings.left.push(Left { member: number * part + member, known: known.entries, left });
            }
            findings.archiving += evaluated.elapsed().as_secs_f64();
        }
        Ok(findings)
    }
}

/// A member as the device is asked about it.
fn asked(member: &Member, archiving: Archiving) -> front::Member<'_> {
    let against = match archiving {
        Archiving::Device => Against::Point(member.point),
        Archiving::Host => Against::Nothing,
    };
    front::Member { order: &member.order, against }
}

impl<M: Machine> Explorer for DeviceExplorer<M> {
    fn explore(&mut self, members: &[Member], upcoming: &dyn Fn() -> Vec<Member>, known: Known<'_>) -> Findings {
        if self.device.is_none() {
            return self.cpu.explore(members, upcoming, known);
        }
        let found = match self.archiving {
            Archiving::Device => self.sifted(members, upcoming, known),
            Archiving::Host => self.copied(members, known),
        };
        let exploration = self.explorations;
        self.explorations += 1;
        found.unwrap_or_else(|why| {
            (self.device, self.flight) = (None, None);
            self.ahead.clear();
            self.notes.push(lost(&why, &format!("From exploration {exploration} on")));
            self.cpu.explore(members, upcoming, known)
        })
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn foresight(&self) -> Option<Foresight> {
        (self.archiving == Archiving::Device).then_some(self.foresight)
    }
}

/// Looks for the best neighbours of all trajectories on a device.
pub struct DeviceChooser<M> {
    device: Option<OnDevice<M>>,
    notes: Vec<String>,
}

impl<M: Machine> DeviceChooser<M> {
    /// Puts an instance on a device, with room for `trajectories` neighbourhoods at once if its memory allows.
    ///
    /// # Errors
    /// [`Error::Device`] where the device cannot hold it.
    pub fn new(
        instance: &Instance,
        neighbourhood: Neighbourhood,
        aspiration: bool,
        trajectories: usize,
        machine: M,
        tuning: Tuning,
    ) -> Result<Self> {
        let what = (neighbours(neighbourhood), Purpose::Best { aspiration });
        // Sums are made of the values of all objectives, whichever count.
        let device = OnDevice::new(instance, &Objectives::default(), what, trajectories, machine, tuning)?;
        Ok(Self { device, notes: Vec::new() })
    }

    fn look(&mut self, trajectories: &[Trajectory], step: u64) -> std::result::Result<Choices, CudaError> {
        let Some(OnDevice { machine, explorer }) = &mut self.device else { return Ok(Choices::default()) };
        let began = Instant::now();
        let mut choices = Choices::default();
        for part in trajectories.chunks(explorer.capacity()) {
            let stays: Vec<Vec<bool>> =
                part.iter().map(|one| one.free.iter().map(|&free| free > step).collect()).collect();
            let member = |(trajectory, stays)| -> front::Member<'_> {
                let Trajectory { sum, order, best, .. }: &Trajectory = trajectory;
                let stays: &Vec<bool> = stays;
                front::Member { order, against: Against::Sum { factors: sum.factors(), best: *best, stays } }
            };
            let list: Vec<front::Member<'_>> = part.iter().zip(&stays).map(member).collect();
            explorer.explore(machine, &list, front::Known::NONE)?;
            let best = explorer.best(machine)?;
            choices.chosen.extend(best.iter().map(|one| Some((one.sum, u64::from(one.number), one.values))));
        }
        choices.evaluation = began.elapsed().as_secs_f64();
        Ok(choices)
    }
}

impl<M: Machine> Chooser for DeviceChooser<M> {
    fn choose(&mut self, rules: &Rules, trajectories: &[Trajectory], step: u64) -> Choices {
        if self.device.is_none() {
            return CpuChooser.choose(rules, trajectories, step);
        }
        self.look(trajectories, step).unwrap_or_else(|why| {
            self.device = None;
            self.notes.push(lost(&why, &format!("From step {step} on")));
            CpuChooser.choose(rules, trajectories, step)
        })
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
