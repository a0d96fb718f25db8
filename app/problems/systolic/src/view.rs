//! Views of a binary problem and their labels.

use gridwright_window::document::ViewKind;

/// A view of a binary problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
pub enum View {
    /// The grid of cells in motion.
    #[default]
    Grid,
    /// Crossover and mutation points of the cells, and the way of one solution.
    Operators,
    /// Best, mean and worst, and how much solutions differ.
    Diversity,
    /// The bits of all solutions.
    Bits,
    /// The four flavours from the same seed.
    Flavours,
    /// Many seeds.
    Batch,
    /// Cost against value of a next release.
    Releases,
    /// The items or blocks of a solution.
    Contents,
    /// Changed rules, with their effect beside a previous run.
    Rules,
    /// Generations of the genetic algorithms.
    Evolution,
}

impl View {
    /// Returns `true` if the view is empty without a run.
    pub(crate) fn needs_run(self) -> bool {
        matches!(self, Self::Grid | Self::Diversity | Self::Bits | Self::Rules | Self::Evolution)
    }
}

impl ViewKind for View {
    fn name(self) -> &'static str {
        match self {
            Self::Grid => "Grid",
            Self::Operators => "Operators",
            Self::Diversity => "Diversity",
            Self::Bits => "Bits",
            Self::Flavours => "Flavours",
            Self::Batch => "Batch",
            Self::Releases => "Releases",
            Self::Contents => "Contents",
            Self::Rules => "Rules",
            Self::Evolution => "Evolution",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Grid => "Every cell of the grid with both of its solutions, iteration by iteration",
            Self::Operators => "Where each cell crosses and mutates, and which cells one solution passes",
            Self::Diversity => "Best, mean and worst, and in how many bits solutions differ",
            Self::Bits => "The bits of all solutions, and which are ones in most of them",
            Self::Flavours => {
                "Torus, exchange, vertical and both from the same seed, and which bits a solution meets under each"
            }
            Self::Batch => "Many seeds: how often the optimum is found, and when",
            Self::Contents => {
                "The items in the backpack and those that were left, or the blocks on the deceptive function"
            }
            Self::Evolution => "How the individuals of SGA and EGA came about, generation by generation",
            Self::Rules => "Change a rule of the search, run again, and see the effect beside the previous run",
            Self::Releases => "Cost and value of releases: what the eleven weights find, on the exact front",
        }
    }

    fn zooms(self) -> bool {
        matches!(self, Self::Grid | Self::Operators | Self::Bits | Self::Evolution)
    }
}
