//! Recording of the migrations of a run: the populations of both islands before and after each of them.
//!
//! After every generation with migrations, a [`Recorder`] receives the individuals of all islands and the copies that are
//! made. It keeps all scores, and the genes of the individuals that are copied or replaced; the populations afterwards
//! follow from these.
//!
//! Memory is bounded: where the rounds would take more, every second one is dropped ([`Keyframes`]), and
//! [`Journal::notice`] says so.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use super::evaluation::Score;
use super::genes::{department, ends, to_layout};
use super::islands::Migration;
use super::{Layout, Orientation};
use gridwright_core::search::keyframes::Keyframes;

/// Default memory bound in bytes.
pub const DEFAULT_BYTES: usize = 64 << 20;

/// Recorder of a search in another place.
pub(crate) type SharedRecorder = Arc<Mutex<Recorder>>;

/// Individuals of all islands before their best ones migrate.
pub struct Populations<'a> {
    /// Generation of the migrations, as [`Migration::generation`].
    pub generation: u64,
    /// Steps of the run before the migrations.
    pub step: u64,
    /// Individuals per island.
    pub size: usize,
    /// Score of each individual, island by island.
    pub(crate) scores: &'a [Score],
    /// Genes, row-major: individuals × departments.
    pub(crate) genes: &'a [u16],
    /// Cost of one unit of violation on each island; `None` if feasible layouts rank before all others.
    pub weights: Option<&'a [f64]>,
    /// Copies that are made: source and destination by the number of the individual.
    pub moves: &'a [[u32; 2]],
}

/// Copy of an individual over another one.
#[derive(Debug)]
struct Copied {
    from: u32,
    to: u32,
    migrant: Vec<u16>,
    replaced: Vec<u16>,
}

/// Migrations of one generation.
#[derive(Debug)]
struct Round {
    generation: u64,
    step: u64,
    scores: Vec<Score>,
    weights: Option<Vec<f64>>,
    copies: Vec<Copied>,
    /// Diversity of each island before and after.
    diversity: Vec<[f64; 2]>,
}

impl Round {
    fn of(populations: &Populations<'_>) -> Self {
        let Populations { generation, step, size, scores, genes, weights, moves } = *populations;
        let n = genes.len() / scores.len().max(1);
        let genes_of = |individual: u32| genes[individual as usize * n..][..n].to_vec();
        let copy = |&[from, to]: &[u32; 2]| Copied { from, to, migrant: genes_of(from), replaced: genes_of(to) };
        let copies: Vec<Copied> = moves.iter().map(copy).collect();
        let mut after = genes.to_vec();
        for copied in &copies {
            after[copied.to as usize * n..][..n].copy_from_slice(&copied.migrant);
        }
        let islands = genes.chunks(size * n).zip(after.chunks(size * n));
        let diversity = islands.map(|(before, after)| [before, after].map(|genes| diversity(genes, n))).collect();
        let (scores, weights) = (scores.to_vec(), weights.map(<[f64]>::to_vec));
        Self { generation, step, scores, weights, copies, diversity }
    }

    fn bytes(&self) -> usize {
        let genes = self.copies.first().map_or(0, |copied| 4 * copied.migrant.len());
        size_of::<(u64, Self)>()
            + size_of_val(&self.scores[..])
            + self.copies.len() * (size_of::<Copied>() + genes)
            + self.diversity.len() * size_of::<[f64; 3]>()
    }
}

/// Mean share of places of the sequence in which two layouts differ, drawn with replacement, by department or by the end of a
/// bay: the mean over places of 1 − Σ_g (n_g / N)², where n_g of the N layouts have gene g there. `genes` is row-major:
/// layouts × departments.
fn diversity(genes: &[u16], departments: usize) -> f64 {
    let layouts = (genes.len() / departments.max(1)) as f64;
    let mut alike = 0;
    for place in 0..departments {
        let mut counts = vec![0_u64; 2 * departments];
        for layout in genes.chunks(departments) {
            counts[2 * department(layout[place]) + usize::from(ends(layout[place]))] += 1;
        }
        alike += counts.iter().map(|count| count * count).sum::<u64>();
    }
    1.0 - alike as f64 / (layouts * layouts * departments as f64)
}

/// Receives the migrations of a search.
#[derive(Debug)]
pub(crate) struct Recorder {
    rounds: Option<Keyframes<Round>>,
    count: u64,
    bound: usize,
}

impl Recorder {
    /// Recorder that keeps at most `bound` bytes, or two rounds where these are larger.
    pub fn new(bound: usize) -> Self {
        Self { rounds: None, count: 0, bound }
    }

    /// Records the migrations of a generation; without copies there is nothing to record.
    pub fn record(&mut self, populations: &Populations<'_>) {
        if populations.moves.is_empty() {
            return;
        }
        match &mut self.rounds {
            None => self.rounds = Some(Keyframes::new(Round::of(populations), Round::bytes, self.bound, 1)),
            Some(rounds) if self.count.is_multiple_of(rounds.spacing()) => {
                rounds.keep(self.count, Round::of(populations));
            }
            Some(_) => {}
        }
        self.count += 1;
    }
}

/// Records the migrations of a generation if anybody does.
pub(super) fn tell(recorder: Option<&SharedRecorder>, populations: &Populations<'_>) {
    if let Some(recorder) = recorder {
        // Rounds are added whole: a panic elsewhere cannot have left one half.
        recorder.lock().unwrap_or_else(PoisonError::into_inner).record(populations);
    }
}

/// Fate of an individual in a migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The individual stays as it is.
    Stays,
    /// The individual is copied to the other island, or has been.
    Copied,
    /// A migrant takes the place of the individual.
    Replaced,
    /// The individual is a migrant that has arrived from the other island.
    Arrived,
    /// The individual is a migrant that has arrived from a third island in the same generation.
    ArrivedFromElsewhere,
    /// A migrant of a third island takes the place of the individual in the same generation.
    ReplacedFromElsewhere,
}

/// Individual of a population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Number of the individual on its island, from 0.
    pub individual: usize,
    /// Cost and violation.
    pub score: Score,
    /// Amount by which violations add to the cost where individuals are compared; 0 if feasible ones rank before all others.
    pub penalty: f64,
    /// Fate of the individual.
    pub fate: Fate,
}

/// Island before and after a migration.
#[derive(Debug, Clone, PartialEq)]
pub struct IslandChange {
    /// Number of the island, from 0.
    pub island: u32,
    /// Orientation of its bays.
    pub orientation: Orientation,
    /// Individuals before and after, the best first, as the algorithm ranks them.
    pub populations: [Vec<Standing>; 2],
    /// Diversity before and after, 0 (all layouts are equal) to below 1.
    pub diversity: [f64; 2],
}

/// Copy of a layout over another one.
#[derive(Debug, Clone, PartialEq)]
pub struct CopiedLayout {
    /// Layout that is copied, with its score.
    pub migrant: (Layout, Score),
    /// Layout whose place it takes, with its score.
    pub replaced: (Layout, Score),
}

/// Migration with both populations.
#[derive(Debug, Clone, PartialEq)]
pub struct MigrationDetail {
    /// Generation and islands.
    pub migration: Migration,
    /// Island from which layouts are copied.
    pub source: IslandChange,
    /// Island to which they are copied.
    pub target: IslandChange,
    /// The copies, the best migrant first.
    pub copies: Vec<CopiedLayout>,
    /// Island that sends to the source in the same generation; `None` if none does.
    pub behind: Option<u32>,
}

/// Migrations of a run.
#[derive(Debug)]
pub struct Journal {
    rounds: Vec<Round>,
    migrations: Vec<Migration>,
    orientations: Vec<Orientation>,
    size: usize,
    bytes: usize,
    notice: Option<String>,
}

impl Journal {
    /// Journal of everything that `recorder` has received; `orientations` are those of the islands, which have `size`
    /// individuals each.
    pub(crate) fn of(recorder: &mut Recorder, orientations: Vec<Orientation>, size: usize) -> Self {
        let kept = recorder.rounds.take();
        let bytes = kept.as_ref().map_or(0, Keyframes::bytes);
        let thinned = kept.as_ref().filter(|rounds| rounds.is_thinned());
        let notice = thinned.map(|rounds| {
            format!(
                "the recording takes all of its {} MB: of every {} generations with migrations one is shown",
                recorder.bound >> 20,
                rounds.spacing()
            )
        });
        let rounds = kept.map(Keyframes::into_states).unwrap_or_default();
        let mut migrations = Vec::new();
        for round in &rounds {
            for copied in &round.copies {
                let [from, to] = [copied.from, copied.to].map(|individual| individual / size as u32);
                let is_next = migrations.last().is_none_or(|last: &Migration| {
                    (last.generation, last.from, last.to) != (round.generation, from, to)
                });
                if is_next {
                    let cost = round.scores[copied.from as usize].cost;
                    let Round { generation, step, .. } = *round;
                    migrations.push(Migration { generation, step, from, to, cost });
                }
            }
        }
        Self { rounds, migrations, orientations, size, bytes, notice }
    }

    /// The recorded migrations by generation, then by the order in which the algorithm makes them.
    pub fn migrations(&self) -> &[Migration] {
        &self.migrations
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Message for the user if not all migrations are kept.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Both populations of the migration with this index; `None` if there is none.
    pub fn migration(&self, index: usize) -> Option<MigrationDetail> {
        let migration = *self.migrations.get(index)?;
        let round = self.rounds.iter().find(|round| round.generation == migration.generation)?;
        let copies = round.copies.iter().filter(|copied| self.ends(copied) == [migration.from, migration.to]);
        let copies = copies.map(|copied| {
            let layout = |genes: &[u16], island: u32| to_layout(genes, self.orientations[island as usize]);
            CopiedLayout {
                migrant: (layout(&copied.migrant, migration.from), round.scores[copied.from as usize]),
                replaced: (layout(&copied.replaced, migration.to), round.scores[copied.to as usize]),
            }
        });
        let behind = round.copies.iter().map(|copied| self.ends(copied)).find(|[_, to]| *to == migration.from);
        Some(MigrationDetail {
            migration,
            source: self.change(round, migration.from, &migration),
            target: self.change(round, migration.to, &migration),
            copies: copies.collect(),
            behind: behind.map(|[from, _]| from),
        })
    }

    /// Source and target island of a copy.
    fn ends(&self, copied: &Copied) -> [u32; 2] {
        [copied.from, copied.to].map(|individual| individual / self.size as u32)
    }

    /// An island before and after the copies of a round, of which those of `shown` are told apart.
    fn change(&self, round: &Round, island: u32, shown: &Migration) -> IslandChange {
        let first = island as usize * self.size;
        let weight = round.weights.as_ref().map(|weights| weights[island as usize]);
        let mut before: Vec<Standing> = Vec::with_capacity(self.size);
        for (individual, &score) in round.scores[first..first + self.size].iter().enumerate() {
            let penalty = weight.map_or(0.0, |weight| weight * score.violation);
            before.push(Standing { individual, score, penalty, fate: Fate::Stays });
        }
        let mut after = before.clone();
        for copied in &round.copies {
            let is_shown = self.ends(copied) == [shown.from, shown.to];
            let place = |individual: u32| (individual as usize).checked_sub(first).filter(|place| *place < self.size);
            if let Some(place) = place(copied.from).filter(|_| is_shown) {
                (before[place].fate, after[place].fate) = (Fate::Copied, Fate::Copied);
            }
            if let Some(place) = place(copied.to) {
                let score = round.scores[copied.from as usize];
                let penalty = weight.map_or(0.0, |weight| weight * score.violation);
                let [gone, fate] = match is_shown {
                    true => [Fate::Replaced, Fate::Arrived],
                    false => [Fate::ReplacedFromElsewhere, Fate::ArrivedFromElsewhere],
                };
                before[place].fate = gone;
                after[place] = Standing { individual: place, score, penalty, fate };
            }
        }
        let order = |one: &Standing, other: &Standing| match weight {
            Some(_) => (one.score.cost + one.penalty).total_cmp(&(other.score.cost + other.penalty)),
            None if one.score.is_better(&other.score) => Ordering::Less,
            None if other.score.is_better(&one.score) => Ordering::Greater,
            None => Ordering::Equal,
        };
        let mut populations = [before, after];
        // Stable: the lower number first among equals.
        populations.iter_mut().for_each(|population| population.sort_by(order));
        let (orientation, diversity) = (self.orientations[island as usize], round.diversity[island as usize]);
        IslandChange { island, orientation, populations, diversity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genes::END;

    /// Two islands of two layouts of three departments; the best of the first is copied over the worst of the second.
    fn round(generation: u64) -> Round {
        let score = |cost: f64| Score { violation: 0.0, cost };
        let [one, other] = [[0, 1, 2 | END], [1, END, 2 | END]];
        Round::of(&Populations {
            generation,
            step: generation,
            size: 2,
            scores: &[score(5.0), score(3.0), score(4.0), score(9.0)],
            genes: &[one, other, one, one].concat(),
            weights: None,
            moves: &[[1, 3]],
        })
    }

    #[test]
    fn both_populations_are_ranked_and_the_diversity_follows_from_the_genes() {
        let rounds = Some(Keyframes::new(round(15), Round::bytes, 1 << 20, 1));
        let journal =
            Journal::of(&mut Recorder { rounds, count: 1, bound: 1 << 20 }, vec![Orientation::Vertical; 2], 2);
        let detail = journal.migration(0).unwrap();
        let standing = |change: &IslandChange, which: usize| -> Vec<(usize, f64, Fate)> {
            change.populations[which].iter().map(|it| (it.individual, it.score.cost, it.fate)).collect()
        };
        assert_eq!(standing(&detail.source, 0), [(1, 3.0, Fate::Copied), (0, 5.0, Fate::Stays)]);
        assert_eq!(standing(&detail.target, 0), [(0, 4.0, Fate::Stays), (1, 9.0, Fate::Replaced)]);
        assert_eq!(standing(&detail.target, 1), [(1, 3.0, Fate::Arrived), (0, 4.0, Fate::Stays)]);
        // Two of three places differ, in half of the draws.
        let is_near = |found: [f64; 2], expected: [f64; 2]| (0..2).all(|at| (found[at] - expected[at]).abs() < 1e-12);
        assert!(is_near(detail.source.diversity, [1.0 / 3.0; 2]) && is_near(detail.target.diversity, [0.0, 1.0 / 3.0]));
        assert_eq!(detail.copies[0].migrant.0.bays, [vec![1, 0], vec![2]]);
        assert_eq!((detail.copies[0].replaced.1.cost, detail.behind), (9.0, None));
        assert!(journal.migration(1).is_none() && journal.notice().is_none());
    }

    #[test]
    fn the_bound_holds_and_the_person_is_told() {
        let bound = 10 * round(0).bytes();
        let mut recorder = Recorder::new(bound);
        let scores = [Score { violation: 0.0, cost: 1.0 }; 4];
        for generation in 0..200 {
            let (genes, moves) = ([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2], [[0, 3]]);
            let (scores, genes, moves) = (&scores[..], &genes[..], &moves[..]);
            recorder.record(&Populations { generation, step: 0, size: 2, scores, genes, weights: None, moves });
        }
        let journal = Journal::of(&mut recorder, vec![Orientation::Vertical; 2], 2);
        assert!(journal.bytes() <= bound && journal.migrations().len() >= 5, "{}", journal.migrations().len());
        assert!(journal.notice().unwrap().contains("of every 32 generations"), "{:?}", journal.notice());
    }
}
