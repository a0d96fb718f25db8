//! Several devices as one [`DeviceRuntime`]: a launch that can be divided runs on all of them, each with a part of the items.
//!
//! Every device reserves all memory. A piece of memory is either equal on all devices or *split*: each device has the present content of its own
//! range. The host carries content from one device to another when a launch needs it there. Parts of a launch are independent of each other, so
//! the numbers do not depend on the number of devices nor on their shares.
//!
//! If a device is lost, the others take over its share: the host keeps a copy of all memory, which is renewed from time to time, and the calls
//! since then; it restores the copy on the remaining devices and repeats the calls.

mod journal;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use journal::{Call, Journal};

use crate::cuda::next_identity;
use crate::launch::{Access, Division, Launch, Rows};
use crate::runtime::{DeviceRuntime, Limits, Memory, Module, Transfer};
use crate::{CudaError, SharedCuda};

/// Loss of a device whose share others took over.
#[derive(Debug, Clone)]
pub struct Loss {
    /// Name of the device.
    pub device: String,
    /// Error of the device.
    pub why: CudaError,
    /// Names of the other devices.
    pub others: Vec<String>,
}

/// Losses of devices, which the owner of a group can read while searches use it.
#[derive(Debug, Clone, Default)]
pub struct Losses(Arc<Mutex<Vec<Loss>>>);

impl Losses {
    /// Losses so far.
    pub fn all(&self) -> Vec<Loss> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, loss: Loss) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(loss);
    }
}

/// Device of a group.
#[derive(Debug)]
pub struct GroupMember {
    /// Name for people, such as `cuda:1`.
    pub id: String,
    /// The device.
    pub runtime: SharedCuda,
}

/// Device of a group with its share and its memory.
#[derive(Debug)]
struct Member {
    id: String,
    runtime: SharedCuda,
    /// Share of the work in proportion to those of the others: the number of multiprocessors.
    share: u64,
    memory: Vec<Memory>,
}

/// Where the content of a piece of memory is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// All devices have it.
    Everywhere,
    /// Device d has the bytes `ends[d − 1] .. ends[d]`, and the first one begins with byte 0.
    Split(Vec<usize>),
}

/// Piece of memory of the group.
#[derive(Debug)]
struct Piece {
    bytes: usize,
    content: Content,
    /// `true` if it has to be read for the next copy on the host.
    changed: bool,
    /// Content at the time of the last copy; empty before the first one.
    copy: Vec<u8>,
}

/// Devices that compute together.
#[derive(Debug)]
pub struct DeviceGroup {
    identity: u64,
    members: Vec<Member>,
    pieces: Vec<Piece>,
    journal: Journal,
    losses: Losses,
}

/// Number of bytes that are carried in about the time that the beginning of a transfer takes.
const SHORT: usize = 256 << 10;

/// Error of one of the devices.
#[derive(Debug)]
struct Failure {
    member: usize,
    error: CudaError,
}

impl DeviceGroup {
    /// Group of `members`, at least one.
    ///
    /// # Errors
    /// The error of a device that does not report its limits; [`CudaError::NoDevice`] without members.
    pub fn new(members: Vec<GroupMember>) -> Result<Self, CudaError> {
        let member = |GroupMember { id, mut runtime }: GroupMember| {
            let share = u64::from(runtime.limits()?.multiprocessors.max(1));
            Ok(Member { id, runtime, share, memory: Vec::new() })
        };
        let members = members.into_iter().map(member).collect::<Result<Vec<_>, CudaError>>()?;
        if members.is_empty() {
            return Err(CudaError::NoDevice);
        }
        let (journal, losses) = (Journal::default(), Losses::default());
        Ok(Self { identity: next_identity(), members, pieces: Vec::new(), journal, losses })
    }

    /// Devices that are lost while the group is used.
    pub fn losses(&self) -> Losses {
        self.losses.clone()
    }

    /// Calls a device.
    fn on<T>(
        &mut self, member: usize, call: impl FnOnce(&mut SharedCuda) -> Result<T, CudaError>,
    ) -> Result<T, Failure> {
        call(&mut self.members[member].runtime).map_err(|error| Failure { member, error })
    }

    /// Handle of a piece on a device.
    fn memory(&self, member: usize, piece: usize) -> Memory {
        self.members[member].memory[piece]
    }

    /// Number of the piece of a handle.
    fn piece(&self, memory: Memory, kernel: &'static str) -> Result<usize, CudaError> {
        let number = memory.number as usize;
        if memory.runtime == self.identity && number < self.pieces.len() {
            return Ok(number);
        }
        Err(CudaError::Launch { kernel, what: "memory of another device".to_owned() })
    }

    /// Bytes of a piece whose present content a device has.
    fn range(&self, piece: usize, member: usize) -> Range<usize> {
        match &self.pieces[piece].content {
            Content::Everywhere => 0..self.pieces[piece].bytes,
            Content::Split(ends) => member.checked_sub(1).map_or(0, |before| ends[before])..ends[member],
        }
    }

    /// Reads the present content of a piece within `range`.
    fn gather(&mut self, piece: usize, range: Range<usize>) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; range.len()];
        for member in 0..self.members.len() {
            let own = self.range(piece, member);
            let (begin, end) = (own.start.max(range.start), own.end.min(range.end));
            if begin < end {
                let (memory, into) = (self.memory(member, piece), &mut bytes[begin - range.start..end - range.start]);
                self.on(member, |runtime| runtime.read_at(memory, begin, into))?;
            }
            if self.pieces[piece].content == Content::Everywhere {
                break;
            }
        }
        Ok(bytes)
    }

    /// Gives the content of a piece to all devices that lack a part of it.
    fn spread(&mut self, piece: usize) -> Result<(), Failure> {
        if self.pieces[piece].content == Content::Everywhere {
            return Ok(());
        }
        let bytes = self.gather(piece, 0..self.pieces[piece].bytes)?;
        for member in 0..self.members.len() {
            let (own, memory) = (self.range(piece, member), self.memory(member, piece));
            for (from, until) in [(0, own.start), (own.end, bytes.len())] {
                if from < until {
                    self.on(member, |runtime| runtime.write_at(memory, from, &bytes[from..until]))?;
                }
            }
        }
        self.pieces[piece].content = Content::Everywhere;
        Ok(())
    }

    /// Gives the content of a piece to the first device, as its only owner.
    fn collect(&mut self, piece: usize) -> Result<(), Failure> {
        let (all, own) = (self.pieces[piece].bytes, self.range(piece, 0));
        if self.pieces[piece].content != Content::Everywhere && own.end < all {
            let bytes = self.gather(piece, own.end..all)?;
            let memory = self.memory(0, piece);
            self.on(0, |runtime| runtime.write_at(memory, own.end, &bytes))?;
        }
        self.pieces[piece].content = Content::Split(vec![all; self.members.len()]);
        Ok(())
    }

    /// Splits a piece at `ends`, and gives each device what it lacks of its range.
    fn split(&mut self, piece: usize, ends: Vec<usize>) -> Result<(), Failure> {
        let mut from = 0;
        for (member, &until) in ends.iter().enumerate() {
            let (needed, own) = (from..until, self.range(piece, member));
            from = until;
            if needed.is_empty() || (own.start <= needed.start && needed.end <= own.end) {
                continue;
            }
            let (bytes, memory) = (self.gather(piece, needed.clone())?, self.memory(member, piece));
            self.on(member, |runtime| runtime.write_at(memory, needed.start, &bytes))?;
        }
        self.pieces[piece].content = Content::Split(ends);
        Ok(())
    }

    /// Items at which the shares of the devices end.
    fn shares(&self, division: &Division) -> Vec<u32> {
        let (unit, total) = (division.unit.max(1), division.total);
        let all: u64 = self.members.iter().map(|member| member.share).sum();
        let work = |item: u32| u128::from(division.work_before(item));
        let (mut ends, mut before) = (Vec::with_capacity(self.members.len()), 0);
        for member in &self.members {
            before += member.share;
            // The end of a unit at which the work so far is closest to what the devices so far should do.
            let wanted = work(total) * u128::from(before);
            let done = |units: u32| work(units * unit) * u128::from(all);
            let (mut low, mut high) = (0, total / unit);
            while low < high {
                let middle = (low + high) / 2;
                if done(middle) < wanted { low = middle + 1 } else { high = middle }
            }
            if low > 0 && wanted - done(low - 1).min(wanted) < done(low).saturating_sub(wanted) {
                low -= 1;
            }
            ends.push(ends.last().copied().unwrap_or(0).max((low * unit).min(total)));
        }
        if let Some(last) = ends.last_mut() {
            *last = total;
        }
        ends
    }

    /// Returns `true` if several devices can share a launch.
    fn is_shared(&self, launch: &Launch) -> bool {
        let named = |(_, access): (Memory, &Access)| !matches!(access, Access::Any);
        self.members.len() > 1 && launch.division().is_some() && launch.memories().all(named)
    }

    fn try_launch(&mut self, launch: &Launch) -> Result<(), Failure> {
        let pieces: Vec<(usize, Access)> =
            launch.memories().map(|(memory, access)| (memory.number as usize, access.clone())).collect();
        let Some(division) = launch.division().filter(|_| self.is_shared(launch)) else {
            for (piece, access) in pieces {
                match access {
                    Access::Input => self.spread(piece)?,
                    Access::Any | Access::Rows(_) | Access::Brought(_) => {
                        self.collect(piece)?;
                        self.pieces[piece].changed = true;
                    }
                    Access::Working => {}
                }
            }
            return self.start(0, launch, None);
        };
        let shares = self.shares(division);
        let mut brought = Vec::new();
        for (piece, access) in pieces {
            match access {
                Access::Input => self.spread(piece)?,
                Access::Rows(rows) => self.split_rows(piece, &rows, &shares)?,
                Access::Brought(rows) => {
                    self.split_rows(piece, &rows, &shares)?;
                    brought.push((piece, rows));
                }
                Access::Any | Access::Working => {}
            }
        }
        let mut from = 0;
        for (member, until) in shares.into_iter().enumerate() {
            let own = from..until;
            from = until;
            let items = match &division.pairs {
                None => division.items.start.max(own.start)..division.items.end.min(own.end),
                Some(pairs) => {
                    let before = |end: u32| pairs.partition_point(|&(_, to)| to < end);
                    let (begin, end) = (before(own.start), before(own.end));
                    let sources = || pairs[begin..end].iter().map(|&(from, _)| from);
                    let (before, behind) = (|&item: &u32| item < own.start, |&item: &u32| item >= own.end);
                    self.bring(member, &sources().filter(before).collect::<Vec<_>>(), &brought)?;
                    self.bring(member, &sources().filter(behind).collect::<Vec<_>>(), &brought)?;
                    begin as u32..end as u32
                }
            };
            if !items.is_empty() {
                self.start(member, launch, Some(items))?;
            }
        }
        Ok(())
    }

    /// Splits a piece with a row per item where the shares of the devices end.
    fn split_rows(&mut self, piece: usize, rows: &Rows, shares: &[u32]) -> Result<(), Failure> {
        let bytes = self.pieces[piece].bytes;
        let mut ends: Vec<usize> = shares.iter().map(|&item| rows.begin(item).min(bytes)).collect();
        if let Some(last) = ends.last_mut() {
            *last = bytes;
        }
        self.pieces[piece].changed = true;
        self.split(piece, ends)
    }

    /// Copies the rows of `items`, which other devices own, to their places on a device, where nothing else uses these places. `items` lie on one
    /// side of the device's own share.
    fn bring(&mut self, member: usize, items: &[u32], pieces: &[(usize, Rows)]) -> Result<(), Failure> {
        let mut items = items.to_vec();
        items.sort_unstable();
        for (piece, rows) in pieces {
            let memory = self.memory(member, *piece);
            let span = |group: &[u32]| match (group.first(), group.last()) {
                (Some(&first), Some(&last)) => rows.begin(first)..rows.begin(last + 1),
                _ => 0..0,
            };
            let needed: usize = items.iter().map(|&item| rows.begin(item + 1) - rows.begin(item)).sum();
            // One long transfer takes less time than many short ones, even if it carries rows that nobody needs.
            let together = span(&items).len() <= SHORT.max(2 * needed);
            for group in items.chunk_by(|&one, &next| together || next - one <= 1) {
                let range = span(group);
                let bytes = self.gather(*piece, range.clone())?;
                self.on(member, |runtime| runtime.write_at(memory, range.start, &bytes))?;
            }
        }
        Ok(())
    }

    /// Starts a launch, or its part of `items`, on a device.
    fn start(&mut self, member: usize, launch: &Launch, items: Option<Range<u32>>) -> Result<(), Failure> {
        let memories = &self.members[member].memory;
        let own = launch.on(items, |memory| memories[memory.number as usize]);
        self.on(member, |runtime| runtime.launch(&own))
    }

    fn try_write(&mut self, piece: usize, offset: usize, bytes: &[u8]) -> Result<(), Failure> {
        if offset > 0 || bytes.len() < self.pieces[piece].bytes {
            self.spread(piece)?;
        }
        for member in 0..self.members.len() {
            let memory = self.memory(member, piece);
            self.on(member, |runtime| runtime.write_at(memory, offset, bytes))?;
        }
        self.pieces[piece].content = Content::Everywhere;
        self.pieces[piece].changed = true;
        Ok(())
    }

    fn try_wait(&mut self) -> Result<(), Failure> {
        (0..self.members.len()).try_for_each(|member| self.on(member, DeviceRuntime::wait))
    }

    /// Starts a transfer; bytes that several devices have to give are read at once.
    fn try_begin_read(&mut self, piece: usize, bytes: usize, slot: usize, ticket: u64) -> Result<(), Failure> {
        let owner = (0..self.members.len()).find(|&member| {
            let own = self.range(piece, member);
            own.start == 0 && own.end >= bytes
        });
        match owner {
            Some(member) => {
                let memory = self.memory(member, piece);
                let transfer = self.on(member, |runtime| runtime.begin_read(memory, bytes, slot))?;
                self.journal.begun(ticket, member, transfer);
            }
            None => {
                let bytes = self.gather(piece, 0..bytes)?;
                self.journal.arrived(ticket, bytes);
            }
        }
        Ok(())
    }

    /// Waits for all transfers that are under way.
    fn try_finish_transfers(&mut self) -> Result<(), Failure> {
        while let Some((ticket, member, transfer)) = self.journal.next_begun() {
            let bytes = self.on(member, |runtime| runtime.end_read(transfer))?;
            self.journal.arrived(ticket, bytes);
        }
        Ok(())
    }

    /// Renews the copy of all memory on the host if it is time.
    fn try_copy(&mut self) -> Result<(), Failure> {
        if self.members.len() < 2 || !self.journal.is_copy_due() {
            return Ok(());
        }
        let began = self.journal.begin_copy();
        self.try_finish_transfers()?;
        let changed: Vec<usize> = (0..self.pieces.len()).filter(|&piece| self.pieces[piece].changed).collect();
        let mut copies = Vec::with_capacity(changed.len());
        for &piece in &changed {
            copies.push(self.gather(piece, 0..self.pieces[piece].bytes)?);
        }
        // A device that is lost while it is read leaves the former copy whole.
        for (piece, copy) in changed.into_iter().zip(copies) {
            self.pieces[piece].copy = copy;
            self.pieces[piece].changed = false;
        }
        self.journal.end_copy(began);
        Ok(())
    }

    /// Records a call, unless there is no other device that could repeat it.
    fn record(&mut self, call: impl FnOnce() -> Call) {
        if self.members.len() > 1 {
            self.journal.record(call());
        }
    }

    /// Makes a call and takes over the share of devices that are lost in it.
    fn attempt<T>(&mut self, call: impl Fn(&mut Self) -> Result<T, Failure>) -> Result<T, CudaError> {
        loop {
            match call(self) {
                Ok(answer) => return Ok(answer),
                Err(failure) => self.recover(failure)?,
            }
        }
    }

    /// As [`Self::attempt`], for a call that is in the journal: it is made again with the others.
    fn attempt_recorded(&mut self, call: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), CudaError> {
        call(self).or_else(|failure| self.recover(failure))
    }

    /// Goes on without the device that failed: restores the copy of all memory and repeats the calls since.
    fn recover(&mut self, failure: Failure) -> Result<(), CudaError> {
        let mut failure = failure;
        loop {
            let Failure { member, error } = failure;
            if !error.is_loss() || self.members.len() < 2 {
                return Err(error);
            }
            let lost = self.members.remove(member);
            let others = self.members.iter().map(|member| member.id.clone()).collect();
            self.losses.add(Loss { device: lost.id, why: error, others });
            match self.restore() {
                Ok(()) => return Ok(()),
                Err(next) => failure = next,
            }
        }
    }

    fn restore(&mut self) -> Result<(), Failure> {
        self.journal.forget_begun();
        for piece in 0..self.pieces.len() {
            let copy = std::mem::take(&mut self.pieces[piece].copy);
            let written = (0..self.members.len()).try_for_each(|member| {
                let memory = self.memory(member, piece);
                self.on(member, |runtime| runtime.write_at(memory, 0, &copy))
            });
            self.pieces[piece].copy = copy;
            self.pieces[piece].content = Content::Everywhere;
            written?;
        }
        let calls = self.journal.take_calls();
        let repeated = calls.iter().try_for_each(|call| match call {
            Call::Write { piece, offset, bytes } => self.try_write(*piece, *offset, bytes),
            Call::Launch(launch) => self.try_launch(launch),
            Call::BeginRead { ticket, piece, bytes } if self.journal.is_awaited(*ticket) => {
                let bytes = self.gather(*piece, 0..*bytes)?;
                self.journal.arrived(*ticket, bytes);
                Ok(())
            }
            Call::BeginRead { .. } => Ok(()),
        });
        if repeated.is_err() || self.members.len() > 1 {
            self.journal.put_calls(calls);
        }
        repeated
    }
}

impl DeviceRuntime for DeviceGroup {
    fn identity(&self) -> u64 {
        self.identity
    }

    /// Sizes of the smallest device.
    fn limits(&mut self) -> Result<Limits, CudaError> {
        let limits = self.members.iter_mut().map(|member| member.runtime.limits()).collect::<Result<Vec<_>, _>>()?;
        let least = |size: fn(&Limits) -> usize| limits.iter().map(size).min().unwrap_or(0);
        Ok(Limits {
            name: group_name(limits.iter().map(|limits| limits.name.as_str())),
            shared_per_block: least(|limits| limits.shared_per_block),
            shared_per_multiprocessor: least(|limits| limits.shared_per_multiprocessor),
            multiprocessors: limits.first().map_or(1, |limits| limits.multiprocessors),
            further: limits.iter().skip(1).map(|limits| limits.multiprocessors).collect(),
            free: limits.iter().map(|limits| limits.free).min().unwrap_or(0),
        })
    }

    fn prepare(&mut self, module: Module) -> Result<(), CudaError> {
        self.members.iter_mut().try_for_each(|member| member.runtime.prepare(module))
    }

    fn clear(&mut self) {
        for member in &mut self.members {
            member.runtime.clear();
            member.memory.clear();
        }
        self.pieces.clear();
        self.journal = Journal::default();
        self.identity = next_identity();
    }

    fn runs_all_blocks_at_once(&self) -> bool {
        self.members.iter().all(|member| member.runtime.runs_all_blocks_at_once())
    }

    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        let reserve = |member: &mut Member| member.runtime.reserve(bytes);
        let memories = self.members.iter_mut().map(reserve).collect::<Result<Vec<_>, _>>()?;
        for (member, memory) in self.members.iter_mut().zip(memories) {
            member.memory.push(memory);
        }
        self.pieces.push(Piece { bytes, content: Content::Everywhere, changed: false, copy: Vec::new() });
        Ok(Memory { runtime: self.identity, number: self.pieces.len() as u32 - 1, bytes })
    }

    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError> {
        let piece = self.piece(to, "a transfer to the device")?;
        self.record(|| Call::Write { piece, offset, bytes: bytes.to_vec() });
        self.attempt_recorded(|group| group.try_write(piece, offset, bytes))
    }

    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError> {
        let piece = self.piece(from, "a transfer from the device")?;
        let range = offset..offset + into.len();
        if range.end > self.pieces[piece].bytes {
            let what = format!("{} bytes from {offset} on are asked of {}", into.len(), from.bytes);
            return Err(CudaError::Launch { kernel: "a transfer from the device", what });
        }
        let bytes = self.attempt(|group| group.gather(piece, range.clone()))?;
        into.copy_from_slice(&bytes);
        self.attempt(Self::try_copy)
    }

    fn begin_read(&mut self, from: Memory, bytes: usize, slot: usize) -> Result<Transfer, CudaError> {
        let piece = self.piece(from, "a transfer from the device")?;
        self.attempt(Self::try_copy)?;
        let ticket = self.journal.next_ticket(slot);
        self.record(|| Call::BeginRead { ticket, piece, bytes });
        self.attempt_recorded(|group| group.try_begin_read(piece, bytes, slot, ticket))?;
        Ok(Transfer { slot: None, bytes: Vec::new(), ticket: Some(ticket) })
    }

    fn end_read(&mut self, transfer: Transfer) -> Result<Vec<u8>, CudaError> {
        let Some(ticket) = transfer.ticket else { return Ok(transfer.bytes) };
        self.attempt(|group| {
            let Some((member, transfer)) = group.journal.begun_of(ticket) else { return Ok(()) };
            let bytes = group.on(member, |runtime| runtime.end_read(transfer))?;
            group.journal.arrived(ticket, bytes);
            Ok(())
        })?;
        Ok(self.journal.take(ticket))
    }

    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError> {
        for (memory, _) in launch.memories() {
            self.piece(memory, launch.kernel())?;
        }
        self.record(|| Call::Launch(launch.clone()));
        self.attempt_recorded(|group| group.try_launch(launch))
    }

    fn wait(&mut self) -> Result<(), CudaError> {
        self.attempt(Self::try_wait)
    }
}

/// Name of several devices: `2 × NVIDIA H200`, or `NVIDIA H100, NVIDIA H200`.
pub fn group_name<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    let one = |(name, count): (&str, usize)| if count == 1 { name.to_owned() } else { format!("{count} × {name}") };
    counted.into_iter().map(one).collect::<Vec<_>>().join(", ")
}
