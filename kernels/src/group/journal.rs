//! Calls of a group of devices since the last copy of its memory, and transfers that are under way.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::runtime::Transfer;

/// Shortest time between two copies.
const INTERVAL: Duration = Duration::from_secs(1);

/// Part of the time that may be spent on copies: one in so many.
const SPENT: u32 = 50;

/// Call that changes memory or reads it later.
#[derive(Debug)]
pub enum Call {
    /// Bytes that were written into a piece of memory.
    Write { piece: usize, offset: usize, bytes: Vec<u8> },
    /// Kernel that was launched.
    Launch(Launch),
    /// Transfer that was begun.
    BeginRead { ticket: u64, piece: usize, bytes: usize },
}

/// State of a transfer.
#[derive(Debug)]
enum Reading {
    /// Under way from this device.
    Begun(usize, Option<Transfer>),
    /// All bytes are there.
    Arrived(Vec<u8>),
}

/// Calls since the last copy, and transfers whose bytes nobody has taken yet.
#[derive(Debug)]
pub struct Journal {
    calls: Vec<Call>,
    readings: HashMap<u64, Reading>,
    tickets: u64,
    /// Number of the last transfer into each slot.
    slots: HashMap<usize, u64>,
    /// End of the last copy.
    copied: Instant,
    interval: Duration,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            readings: HashMap::new(),
            tickets: 0,
            slots: HashMap::new(),
            copied: Instant::now(),
            interval: INTERVAL,
        }
    }
}

impl Journal {
    pub fn record(&mut self, call: Call) {
        self.calls.push(call);
    }

    pub(crate) fn take_calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.calls)
    }

    pub(crate) fn put_calls(&mut self, calls: Vec<Call>) {
        self.calls = calls;
    }

    pub(crate) fn is_copy_due(&self) -> bool {
        !self.calls.is_empty() && self.copied.elapsed() >= self.interval
    }

    /// Returns the beginning of a copy.
    pub(crate) fn begin_copy(&self) -> Instant {
        Instant::now()
    }

    /// Forgets the calls before a copy that began at `began`.
    pub(crate) fn end_copy(&mut self, began: Instant) {
        self.calls.clear();
        self.copied = Instant::now();
        self.interval = INTERVAL.max(began.elapsed() * SPENT);
    }

    /// Number of a new transfer, which replaces an unfinished one in the same slot.
    pub(crate) fn next_ticket(&mut self, slot: usize) -> u64 {
        self.tickets += 1;
        if let Some(replaced) = self.slots.insert(slot, self.tickets) {
            self.readings.remove(&replaced);
        }
        self.readings.insert(self.tickets, Reading::Begun(0, None));
        self.tickets
    }

    pub fn begun(&mut self, ticket: u64, member: usize, transfer: Transfer) {
        self.readings.insert(ticket, Reading::Begun(member, Some(transfer)));
    }

    pub fn arrived(&mut self, ticket: u64, bytes: Vec<u8>) {
        self.readings.insert(ticket, Reading::Arrived(bytes));
    }

    /// Returns `true` while the bytes of a transfer have not arrived.
    pub(crate) fn is_awaited(&self, ticket: u64) -> bool {
        matches!(self.readings.get(&ticket), Some(Reading::Begun(..)))
    }

    /// Takes the transfer of a ticket that is under way.
    pub(crate) fn begun_of(&mut self, ticket: u64) -> Option<(usize, Transfer)> {
        match self.readings.get_mut(&ticket) {
            Some(Reading::Begun(member, transfer)) => transfer.take().map(|transfer| (*member, transfer)),
            _ => None,
        }
    }

    /// Takes any transfer that is under way, the oldest first.
    pub(crate) fn next_begun(&mut self) -> Option<(u64, usize, Transfer)> {
        let begun =
            |(ticket, reading): (&u64, &Reading)| matches!(reading, Reading::Begun(_, Some(_))).then_some(*ticket);
        let ticket = self.readings.iter().filter_map(begun).min()?;
        self.begun_of(ticket).map(|(member, transfer)| (ticket, member, transfer))
    }

    /// Drops the transfers that are under way; they have to be read again.
    pub(crate) fn forget_begun(&mut self) {
        for reading in self.readings.values_mut() {
            if let Reading::Begun(_, transfer) = reading {
                *transfer = None;
            }
        }
    }

    /// Takes the bytes of a transfer; none if they have been taken.
    pub fn take(&mut self, ticket: u64) -> Vec<u8> {
        match self.readings.remove(&ticket) {
            Some(Reading::Arrived(bytes)) => bytes,
            _ => Vec::new(),
        }
    }
}
