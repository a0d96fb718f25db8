//! Levels of the beam: partial orders with equally many jobs, and the parent links that reconstruct them.

use rayon::prelude::*;

use super::expansion::{Candidate, End, share};
use super::shop::{LANES, Shop};
use crate::Objective;

/// Tables per node, each indexed by machine: completion of the head, length of the tail, remaining time, idle time in
/// the head and in the tail.
const TABLES: usize = 5;

/// Children made per parallel task.
const TOGETHER: usize = 32;

/// Nodes (partial orders) with equally many jobs placed.
#[derive(Debug)]
pub(super) struct Level {
    machines: usize,
    blocks: usize,
    /// [`TABLES`] × machines entries per node.
    tables: Vec<i32>,
    /// Bit mask per node and block of the jobs that remain.
    left: Vec<u16>,
    heads: Vec<Head>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Head {
    bound: i32,
    /// Index of the node's parent link.
    link: u32,
    /// Sum of completion times of the head, and idle time of all machines in the head.
    flow: u64,
    idle: u64,
    /// Idle shares Σ_i idle_i / time_i of head and tail.
    shares: [f32; 2],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    /// Lower bound of the makespan of every completion of this node.
    pub bound: i32,
    /// Sum of completion times of the head.
    pub flow: u64,
    /// Idle time of all machines in the head.
    pub waited: u64,
    /// Remaining processing time by machine.
    pub rest: &'a [i32],
    fronts: [&'a [i32]; 2],
    idle: [&'a [i32]; 2],
    left: &'a [u16],
    shares: [f32; 2],
}

impl<'a> Node<'a> {
    /// Progress by machine of this end and of the opposite end.
    #[inline(always)]
    pub(crate) fn fronts(&self, end: End) -> (&'a [i32], &'a [i32]) {
        (self.fronts[end as usize], self.fronts[1 - end as usize])
    }

    /// Idle time by machine at an end.
    #[inline(always)]
    pub(crate) fn idle(&self, end: End) -> &'a [i32] {
        self.idle[end as usize]
    }

    /// Bit mask of the remaining jobs of a block.
    #[inline(always)]
    pub(crate) fn left(&self, block: usize) -> u16 {
        self.left[block]
    }

    /// Idle share of the end that is not extended when a job is added at `added`.
    #[inline(always)]
    pub(crate) fn share(&self, added: End) -> f32 {
        self.shares[1 - added as usize]
    }
}

impl Level {
    /// Allocates a level of `nodes` nodes.
    pub(crate) fn of(shop: &Shop, nodes: usize) -> Self {
        let (machines, blocks) = (shop.machines(), shop.blocks());
        Self {
            machines,
            blocks,
            tables: vec![0; nodes * TABLES * machines],
            left: vec![0; nodes * blocks],
            heads: vec![Head::default(); nodes],
        }
    }

    /// Level of the empty partial order.
    pub(crate) fn root(shop: &Shop) -> Self {
        let (mut root, machines) = (Self::of(shop, 1), shop.machines());
        for job in 0..shop.jobs() {
            root.left[job / LANES] |= 1 << (job % LANES);
            for machine in 0..machines {
                root.tables[2 * machines + machine] += shop.time(job, machine);
            }
        }
        root.heads[0].bound = root.tables[2 * machines..3 * machines].iter().fold(0, |most, &rest| most.max(rest));
        root.heads[0].link = Links::NONE;
        root
    }

    pub(crate) fn bytes(shop: &Shop) -> u64 {
        let words = TABLES * shop.machines() * size_of::<i32>() + shop.blocks() * size_of::<u16>();
        (words + size_of::<Head>()) as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Lower bound of the objective for every node, in node order.
    pub(crate) fn bounds(&self, shop: &Shop) -> impl Iterator<Item = u64> + '_ {
        let is_makespan = shop.objective() == Objective::Makespan;
        self.heads.iter().map(move |head| if is_makespan { u64::from(head.bound.unsigned_abs()) } else { head.flow })
    }

    /// Index of a node's parent link.
    pub(crate) fn link(&self, node: usize) -> u32 {
        self.heads[node].link
    }

    /// Removes links that no node reaches, once they are numerous.
    pub(crate) fn tidy(&mut self, links: &mut Links) {
        if links.links.len() > 2 * links.needed + self.len() {
            let numbers = links.keep(self.heads.iter().map(|head| head.link));
            for head in &mut self.heads {
                head.link = numbers.get(head.link as usize).copied().unwrap_or(Links::NONE);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn node(&self, number: usize) -> Node<'_> {
        let (machines, head) = (self.machines, self.heads[number]);
        let tables = &self.tables[number * TABLES * machines..][..TABLES * machines];
        let table = |number: usize| &tables[number * machines..][..machines];
        Node {
            bound: head.bound,
            flow: head.flow,
            waited: head.idle,
            rest: table(2),
            fronts: [table(0), table(1)],
            idle: [table(3), table(4)],
            left: &self.left[number * self.blocks..][..self.blocks],
            shares: head.shares,
        }
    }

    /// Replaces this level by the given children of the level `before`.
    pub(crate) fn follow(&mut self, shop: &Shop, before: &Self, children: &[Candidate], links: &mut Links) {
        let (machines, blocks) = (self.machines, self.blocks);
        let new = links.add(children, before);
        self.tables.resize(children.len() * TABLES * machines, 0);
        self.left.resize(children.len() * blocks, 0);
        self.heads.resize(children.len(), Head::default());
        let tables = self.tables.par_chunks_mut(TOGETHER * TABLES * machines);
        let left = self.left.par_chunks_mut(TOGETHER * blocks);
        let heads = self.heads.par_chunks_mut(TOGETHER);
        let made = tables.zip(left).zip(heads).zip(children.par_chunks(TOGETHER)).enumerate();
        made.for_each(|(chunk, (((tables, left), heads), children))| {
            let rows = tables.chunks_exact_mut(TABLES * machines).zip(left.chunks_exact_mut(blocks)).zip(heads);
            for (place, (((tables, left), head), child)) in rows.zip(children).enumerate() {
                let parent = child.parent as usize;
                tables.copy_from_slice(&before.tables[parent * TABLES * machines..][..TABLES * machines]);
                left.copy_from_slice(&before.left[parent * blocks..][..blocks]);
                *head = before.heads[parent];
                head.link = new + (chunk * TOGETHER + place) as u32;
                add(shop, tables, left, head, child);
            }
        });
    }
}

/// Appends the child's job to tables copied from its parent and updates bound, idle times and flow time.
fn add(shop: &Shop, tables: &mut [i32], left: &mut [u16], head: &mut Head, child: &Candidate) {
    let (machines, job) = (shop.machines(), usize::from(child.job));
    left[job / LANES] &= !(1 << (job % LANES));
    let (end, mut done, mut waited) = (child.end as usize, 0_i32, 0_f32);
    for number in 0..machines {
        let machine = if child.end == End::Head { number } else { machines - 1 - number };
        let (front, idle) = (end * machines + machine, (3 + end) * machines + machine);
        let start = tables[front].max(done);
        tables[idle] += start - tables[front];
        if child.end == End::Head {
            head.idle += u64::from((start - tables[front]).unsigned_abs());
        }
        done = start + shop.time(job, machine);
        tables[front] = done;
        waited += share(tables[idle], done);
        tables[2 * machines + machine] -= shop.time(job, machine);
        let whole = tables[machine] + tables[machines + machine] + tables[2 * machines + machine];
        head.bound = head.bound.max(whole);
    }
    head.shares[end] = waited;
    if child.end == End::Head {
        head.flow += u64::from(done.unsigned_abs());
    }
}

/// Parent links: each partial order derives from another one by a job at one of its ends.
#[derive(Debug, Default)]
pub(super) struct Links {
    links: Vec<Link>,
    /// Number of links that were reachable when they were last pruned.
    needed: usize,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    before: u32,
    job: u16,
    end: End,
}

impl Links {
    /// Link of the empty order.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Memory of a link in bytes.
    pub(crate) const BYTES: u64 = size_of::<Link>() as u64;

    /// Appends links for the children of a level; returns the index of the first.
    fn add(&mut self, children: &[Candidate], before: &Level) -> u32 {
        let first = self.links.len() as u32;
        let link = |child: &Candidate| {
            let before = before.heads[child.parent as usize].link;
            Link { before, job: child.job, end: child.end }
        };
        self.links.extend(children.iter().map(link));
        first
    }

    /// Keeps the links in `needed` and their ancestors, in the same order; returns new indices by old ones.
    fn keep(&mut self, needed: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut is_needed = vec![false; self.links.len()];
        for link in needed {
            if link != Self::NONE {
                is_needed[link as usize] = true;
            }
        }
        // A link's parent has a smaller index.
        for number in (0..self.links.len()).rev() {
            if is_needed[number] {
                let before = self.links[number].before;
                if before != Self::NONE {
                    is_needed[before as usize] = true;
                }
            }
        }
        let mut numbers = vec![Self::NONE; self.links.len()];
        let mut kept = 0;
        for number in 0..self.links.len() {
            if is_needed[number] {
                let mut link = self.links[number];
                link.before = numbers.get(link.before as usize).copied().unwrap_or(Self::NONE);
                self.links[kept] = link;
                numbers[number] = kept as u32;
                kept += 1;
            }
        }
        self.links.truncate(kept);
        self.needed = kept;
        numbers
    }

    /// Reconstructs the complete order that ends with this link.
    pub(crate) fn order(&self, mut link: u32) -> Vec<u16> {
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        while let Some(&Link { before, job, end }) = self.links.get(link as usize) {
            match end {
                End::Head => head.push(job),
                End::Tail => tail.push(job),
            }
            link = before;
        }
        head.reverse();
        // The job added to the tail last stands first in it.
        head.extend(tail);
        head
    }
}
