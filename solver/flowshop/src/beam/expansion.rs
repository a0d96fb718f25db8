//! Expansion of a node: lower bounds of all children at both ends, choice of the end, and guide values.

use std::ops::Range;

use super::level::{Level, Node};
use super::shop::{LANES, Shop};

/// Binary places of the idle time in a guide value.
pub(super) const FRACTION: u32 = 10;

/// Parameters shared by all nodes of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelContext {
    /// Best known cost; children that are not below it are pruned.
    pub best: u64,
    pub guide: Guide,
    /// Number of jobs placed.
    pub depth: usize,
    /// Largest guide value of interest.
    pub limit: u64,
}

/// Guide function: the value by which candidates are compared, smaller is better.
#[derive(Debug, Clone, Copy)]
pub(super) enum Guide {
    /// Makespan: lower bound plus `share` times the idle share, in units of 2⁻¹⁰ time units.
    Makespan { share: f32 },
    /// Flow time: `flow` times the flow time of the head plus `idle` times the idle time in it.
    FlowTime { flow: u64, idle: u64 },
}

/// End of the partial order at which a job is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Behind the jobs of the head.
    Head,
    /// Before the jobs of the tail.
    Tail,
}

/// A child that may enter the next level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Guide value; smaller is better.
    pub value: u64,
    /// Index of the parent in its level.
    pub parent: u32,
    /// Added job.
    pub job: u16,
    /// End at which the job is added.
    pub end: End,
}

impl Candidate {
    /// Sort key of candidates; a total order.
    #[inline(always)]
    pub(crate) fn rank(&self) -> (u64, u32, u16) {
        (self.value, self.parent, self.job)
    }

    /// Words that identify the candidate in a digest.
    pub(crate) fn words(&self) -> [u16; 4] {
        [self.parent as u16, (self.parent >> 16) as u16, self.job, self.end as u16]
    }
}

/// Expansion of a range of nodes; dispatched to the best SIMD instruction set at run time.
pub(super) struct Expander<'a> {
    pub shop: &'a Shop,
    pub level: &'a Level,
    pub rules: &'a LevelContext,
    pub nodes: Range<usize>,
}

impl pulp::NullaryFnOnce for Expander<'_> {
    /// Candidates, number of children evaluated, and true if a child below the best cost was discarded.
    type Output = (Vec<Candidate>, u64, bool);

    #[inline(always)]
    fn call(self) -> Self::Output {
        let Self { shop, level, rules, nodes } = self;
        let mut children = Children::new(shop);
        let (mut found, mut evaluated, mut has_dropped) = (Vec::new(), 0, false);
        for number in nodes {
            let node = level.node(number);
            let left = (shop.jobs() - rules.depth) as u64;
            match rules.guide {
                Guide::Makespan { share } => {
                    // The sum of all times is below 2³¹.
                    let best = i32::try_from(rules.best).unwrap_or(i32::MAX);
                    let end = children.choose_end(shop, &node, best, rules.depth);
                    let of = Of { node: &node, rules, parent: number as u32 };
                    has_dropped |= children.keep(shop, of, (best, share), end, &mut found);
                    evaluated += 2 * left;
                }
                Guide::FlowTime { flow, idle } => {
                    let of = Of { node: &node, rules, parent: number as u32 };
                    has_dropped |= follow(shop, of, (flow, idle), &mut found);
                    evaluated += left;
                }
            }
        }
        (found, evaluated, has_dropped)
    }
}

#[derive(Clone, Copy)]
struct Of<'a> {
    node: &'a Node<'a>,
    rules: &'a LevelContext,
    /// Index of the node in its level.
    parent: u32,
}

/// Number of an end's children below the best makespan, and the sum of their bounds.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: u32,
    sum: i64,
}

/// Buffer for the bounds of all children of a node.
struct Children {
    /// Lower bounds by end and block; `i32::MAX` for jobs that are placed already.
    bounds: [Vec<[i32; LANES]>; 2],
}

impl Children {
    fn new(shop: &Shop) -> Self {
        let room = || vec![[i32::MAX; LANES]; shop.blocks()];
        Self { bounds: [room(), room()] }
    }

    /// Computes the bounds of all children and returns the end to be extended.
    #[inline(always)]
    fn choose_end(&mut self, shop: &Shop, node: &Node<'_>, best: i32, depth: usize) -> End {
        let mut tallies = [Tally::default(); 2];
        for block in 0..shop.blocks() {
            let left = node.left(block);
            if left == 0 {
                self.bounds.iter_mut().for_each(|bounds| bounds[block] = [i32::MAX; LANES]);
                continue;
            }
            for (end, tally) in [End::Head, End::Tail].into_iter().zip(&mut tallies) {
                let mut bounds = bounds_of(shop.block(block), node, end);
                let mut below = [0_i32; LANES];
                let mut sums = [0_i32; LANES];
                for lane in 0..LANES {
                    let is_left = left >> lane & 1 == 1;
                    bounds[lane] = if is_left { bounds[lane] } else { i32::MAX };
                    below[lane] = i32::from(bounds[lane] < best);
                    sums[lane] = if bounds[lane] < best { bounds[lane] } else { 0 };
                }
                tally.count += below.iter().sum::<i32>() as u32;
                tally.sum += sums.iter().map(|&bound| i64::from(bound)).sum::<i64>();
                self.bounds[end as usize][block] = bounds;
            }
        }
        let [head, tail] = tallies;
        match depth {
            0 => End::Head,
            1 => End::Tail,
            _ if head.count != tail.count => {
                if head.count < tail.count {
                    End::Head
                } else {
                    End::Tail
                }
            }
            _ if head.sum >= tail.sum => End::Head,
            _ => End::Tail,
        }
    }

    /// Collects the children at `end` within the limit; returns `true` if one below the best makespan was discarded.
    #[inline(always)]
    fn keep(
        &self, shop: &Shop, Of { node, rules, parent }: Of<'_>, (best, share): (i32, f32), end: End,
        found: &mut Vec<Candidate>,
    ) -> bool {
        let mut has_dropped = false;
        // A child with a larger bound exceeds the limit even without idle time.
        let wanted = i32::try_from(rules.limit >> FRACTION).unwrap_or(i32::MAX);
        for (block, bounds) in self.bounds[end as usize].iter().enumerate() {
            let smallest = bounds.iter().fold(i32::MAX, |least, &bound| least.min(bound));
            if smallest >= best {
                continue;
            }
            if smallest > wanted {
                has_dropped = true;
                continue;
            }
            let shares = shares_of(shop.block(block), node, end);
            for lane in 0..LANES {
                let bound = bounds[lane];
                if bound >= best {
                    continue;
                }
                let waiting = ((shares[lane] + node.share(end)) * share) as u32;
                let value = u64::from(bound.unsigned_abs()) << FRACTION;
                let value = value + u64::from(waiting);
                if value <= rules.limit {
                    found.push(Candidate { value, parent, job: (block * LANES + lane) as u16, end });
                } else {
                    has_dropped = true;
                }
            }
        }
        has_dropped
    }
}

/// Lower bounds of a block's children at an end.
#[inline(always)]
fn bounds_of(times: &[[i32; LANES]], node: &Node<'_>, end: End) -> [i32; LANES] {
    let machines = times.len();
    let (here, there) = node.fronts(end);
    let (mut done, mut bounds) = ([0_i32; LANES], [node.bound; LANES]);
    for number in 0..machines {
        let machine = if end == End::Head { number } else { machines - 1 - number };
        let (free, behind) = (here[machine], node.rest[machine] + there[machine]);
        let times = &times[machine];
        for lane in 0..LANES {
            let start = done[lane].max(free);
            // The remaining time includes the job itself.
            bounds[lane] = bounds[lane].max(start + behind);
            done[lane] = start + times[lane];
        }
    }
    bounds
}

/// Idle shares of a node's end after appending each job of a block.
#[inline(always)]
fn shares_of(times: &[[i32; LANES]], node: &Node<'_>, end: End) -> [f32; LANES] {
    let machines = times.len();
    let ((here, _), idle) = (node.fronts(end), node.idle(end));
    let (mut done, mut shares) = ([0_i32; LANES], [0_f32; LANES]);
    for number in 0..machines {
        let machine = if end == End::Head { number } else { machines - 1 - number };
        let (free, idle) = (here[machine], idle[machine]);
        let times = &times[machine];
        for lane in 0..LANES {
            let start = done[lane].max(free);
            done[lane] = start + times[lane];
            shares[lane] += share(idle + (start - free), done[lane]);
        }
    }
    shares
}

/// Collects the children at the head by flow time; returns `true` if one below the best flow time was discarded.
#[inline(always)]
fn follow(
    shop: &Shop, Of { node, rules, parent }: Of<'_>, (by_flow, by_idle): (u64, u64), found: &mut Vec<Candidate>,
) -> bool {
    let mut has_dropped = false;
    for block in 0..shop.blocks() {
        let left = node.left(block);
        if left == 0 {
            continue;
        }
        let (done, waited) = at_the_head(shop.block(block), node);
        for lane in 0..LANES {
            let flow = node.flow + u64::from(done[lane].unsigned_abs());
            if left >> lane & 1 == 0 || flow >= rules.best {
                continue;
            }
            let idle = node.waited + u64::from(waited[lane].unsigned_abs());
            let value = by_flow * flow + by_idle * idle;
            if value <= rules.limit {
                found.push(Candidate { value, parent, job: (block * LANES + lane) as u16, end: End::Head });
            } else {
                has_dropped = true;
            }
        }
    }
    has_dropped
}

/// Completion time of each job of a block appended to the head, and the idle time it causes on all machines.
#[inline(always)]
fn at_the_head(times: &[[i32; LANES]], node: &Node<'_>) -> ([i32; LANES], [i32; LANES]) {
    let (front, _) = node.fronts(End::Head);
    let (mut done, mut waited) = ([0_i32; LANES], [0_i32; LANES]);
    for (times, &free) in times.iter().zip(front) {
        for lane in 0..LANES {
            let start = done[lane].max(free);
            waited[lane] += start - free;
            done[lane] = start + times[lane];
        }
    }
    (done, waited)
}

#[inline(always)]
pub(super) fn share(idle: i32, time: i32) -> f32 {
    idle as f32 / time.max(1) as f32
}
