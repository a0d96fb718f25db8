//! All children of a partial order: bounds of both ends, the choice of the end, and what its machines wait.

use std::ops::Range;

use super::level::{Level, Node};
use super::shop::{LANES, Shop};

/// Binary places of the waiting in a value.
pub(super) const FRACTION: u32 = 10;

/// What is the same for all nodes of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The best cost known: what is not below it is dropped.
    pub best: u64,
    /// What is looked at beside the cost.
    pub guide: Guide,
    /// Jobs placed.
    pub depth: usize,
    /// Candidates with larger values are not wanted.
    pub limit: u64,
}

/// How children are compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Guide {
    /// By bounds of the makespan and shares of waiting, of which one counts so much, in 2⁻¹⁰ of a unit of time.
    Makespan { share: f32 },
    /// By the flow time of the head and the waiting in it; what a unit of each counts.
    FlowTime { flow: u64, idle: u64 },
}

/// Where a job goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Behind the jobs at the head.
    Head,
    /// Before those at the tail.
    Tail,
}

/// A child that may be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// The smaller the better.
    pub value: u64,
    /// The node of the level that it comes from.
    pub parent: u32,
    /// The job that it adds.
    pub job: u16,
    /// Where it adds it.
    pub end: End,
}

impl Candidate {
    /// By which candidates are ordered: no two are alike.
    #[inline(always)]
    pub fn rank(&self) -> (u64, u32, u16) {
        (self.value, self.parent, self.job)
    }

    /// Where it comes from, as a digest reads it.
    pub fn words(&self) -> [u16; 4] {
        [self.parent as u16, (self.parent >> 16) as u16, self.job, self.end as u16]
    }
}

/// Makes the children of some nodes, compiled for the vector unit that is there.
pub(super) struct Expander<'a> {
    pub shop: &'a Shop,
    pub level: &'a Level,
    pub rules: &'a Rules,
    pub nodes: Range<usize>,
}

impl pulp::NullaryFnOnce for Expander<'_> {
    /// Candidates, how many children were looked at, and whether one below the best cost was left out.
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
                    // All times together are below 2³¹.
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

/// A node whose children are made.
#[derive(Clone, Copy)]
struct Of<'a> {
    node: &'a Node<'a>,
    rules: &'a Rules,
    /// Its number in the level.
    parent: u32,
}

/// How many children of an end are below the best makespan, and the sum of their bounds.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: u32,
    sum: i64,
}

/// Room for the bounds of all children.
struct Children {
    /// By end and block.
    bounds: [Vec<[i32; LANES]>; 2],
}

impl Children {
    fn new(shop: &Shop) -> Self {
        let room = || vec![[i32::MAX; LANES]; shop.blocks()];
        Self { bounds: [room(), room()] }
    }

    /// Bounds of the children at both ends, and which end has the better ones.
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

    /// Adds the children at an end that may be among the best; whether one below the best makespan was left out.
    #[inline(always)]
    fn keep(
        &self,
        shop: &Shop,
        Of { node, rules, parent }: Of<'_>,
        (best, share): (i32, f32),
        end: End,
        found: &mut Vec<Candidate>,
    ) -> bool {
        let mut has_dropped = false;
        // No child below this bound is needed whose waiting counts nothing.
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

/// Bounds of the children of a block at an end.
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
            // The job itself is among the rest.
            bounds[lane] = bounds[lane].max(start + behind);
            done[lane] = start + times[lane];
        }
    }
    bounds
}

/// Sums of the shares of the time that machines have waited at an end with each job of a block.
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

/// Adds the children with another job at the head that may be among the best; whether one below the best flow time was left out.
#[inline(always)]
fn follow(
    shop: &Shop,
    Of { node, rules, parent }: Of<'_>,
    (by_flow, by_idle): (u64, u64),
    found: &mut Vec<Candidate>,
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

/// When each job of a block is done behind the head, and how long all machines wait for it.
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

/// How much of a time was waiting.
#[inline(always)]
pub(super) fn share(idle: i32, time: i32) -> f32 {
    idle as f32 / time.max(1) as f32
}
