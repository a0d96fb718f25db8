//! Terms of binary problems on a systolic grid.

use gridwright_window::glossary::Term;

const GRID: &str =
    "M. Pedemonte, F. Luna, E. Alba, «Systolic genetic search, a systolic computing-based metaheuristic», 2015";
const DECEPTION: &str =
    "D. E. Goldberg, K. Deb, J. Horn, «Massive multimodality, deception, and genetic algorithms», 1992";

/// The terms, in alphabetical order.
pub static TERMS: [Term; 15] = [
    Term {
        name: "Deceptive function",
        synonyms: &["Deceptive", "Deceived", "Blocks deceived"],
        definition: "A function is deceptive if the way of constant improvement leads away from its optimum. In a deceptive block of \
                     six bits, three ones look better than two or four, but none and six are best.",
        seen: "In the view Contents of a deceptive problem.",
        source: DECEPTION,
        related: &["Local optimum", "MMDP"],
    },
    Term {
        name: "Exchange",
        synonyms: &["SGS E", "Exchange (E)"],
        definition: "Under the exchange every cell swaps its two solutions after τ iterations. A vertical solution therefore travels \
                     horizontally, too, and meets all mutation points.",
        seen: "In the view Flavours, and among the algorithms beside Solve.",
        source: GRID,
        related: &["Tau", "Torus"],
    },
    Term {
        name: "Flavour",
        synonyms: &["Data flow", "Vertical (V)", "Both (B)"],
        definition: "A flavour says where a solution goes that leaves the grid: back to the same row or column, to the next column, or \
                     to the next row as well. There are four: torus, exchange, vertical and both.",
        seen: "In the view Flavours, side by side.",
        source: GRID,
        related: &["Exchange", "Torus"],
    },
    Term {
        name: "Hamming distance",
        synonyms: &["Mean Hamming distance"],
        definition: "The Hamming distance of two solutions is the number of bits in which they differ.",
        seen: "In the view Diversity and in the inspector.",
        source: "R. W. Hamming, «Error detecting and error correcting codes», 1950",
        related: &["Diversity"],
    },
    Term {
        name: "Hit",
        synonyms: &["First hit", "First optimum"],
        definition: "A run has a hit if it finds the optimum. The first hit is the iteration in which it does so.",
        seen: "In the view Batch, and as a flag on the player.",
        source: "",
        related: &["Optimum"],
    },
    Term {
        name: "Knapsack",
        synonyms: &["Backpack", "Capacity", "Item"],
        definition: "In the knapsack problem each item has a profit and a weight. Wanted are the items of greatest profit whose weight \
                     is no more than the capacity.",
        seen: "In the view Contents of a knapsack.",
        source: "S. Martello, P. Toth, «Knapsack problems», 1990",
        related: &["Profit per weight"],
    },
    Term {
        name: "MMDP",
        synonyms: &["Massively multimodal deceptive problem", "Block of six bits", "Blocks solved"],
        definition: "The massively multimodal deceptive problem consists of blocks of six bits, each of which is deceptive. A block is \
                     solved with no ones or six; there are very many local optima.",
        seen: "In the samples called Deceptive.",
        source: DECEPTION,
        related: &["Deceptive function"],
    },
    Term {
        name: "Mutation point",
        synonyms: &["Bit flipped", "Mutated bit"],
        definition: "Every cell of the grid flips one bit of its children, always the same one: its mutation point. A solution changes \
                     only in the bits of the cells that it passes.",
        seen: "In the view Operators, as the third map.",
        source: GRID,
        related: &["Systolic cell", "Torus"],
    },
    Term {
        name: "Next release problem",
        synonyms: &["Release", "Requirement"],
        definition: "In the next release problem each requirement has a cost and a value. Wanted is the set that costs little and is \
                     worth much, with a weight between both.",
        seen: "In the view Releases.",
        source: "A. J. Bagnall, V. J. Rayward-Smith, I. M. Whittley, «The next release problem», 2001",
        related: &["Objective"],
    },
    Term {
        name: "OneMax",
        synonyms: &["One max"],
        definition: "OneMax counts the ones of a solution. Its optimum is known and no bit depends on another one, so that it shows \
                     how a search works.",
        seen: "In the sample OneMax 100.",
        source: "",
        related: &["Optimum"],
    },
    Term {
        name: "Profit per weight",
        synonyms: &["Profit", "Value per weight", "Efficiency of an item"],
        definition: "The profit per weight says how much an item brings for the room that it takes. Taking items in this order is a \
                     good guess, but not always the optimum, because the last gap may stay empty.",
        seen: "In the view Contents of a knapsack.",
        source: "G. B. Dantzig, «Discrete-variable extremum problems», 1957",
        related: &["Knapsack"],
    },
    Term {
        name: "Segment",
        synonyms: &["Segment exchanged", "First bit of the segment", "Last bit of the segment"],
        definition: "The segment of a cell is the run of bits that its two solutions exchange in the crossover. It is the same in every \
                     iteration; a rule says where it begins and ends.",
        seen: "In the view Operators, in the inspector of a cell, and as a rule in the view Rules.",
        source: GRID,
        related: &["Crossover", "Systolic cell"],
    },
    Term {
        name: "Systolic cell",
        synonyms: &["Cell", "Grid", "Systolic grid"],
        definition: "In a systolic grid solutions pass from cell to cell like blood through the body. In each cell a horizontal and a \
                     vertical solution meet, are crossed and mutated, and the better of parent and child goes on.",
        seen: "In the view Grid; click a cell to see what it did.",
        source: GRID,
        related: &["Mutation point", "Segment"],
    },
    Term {
        name: "Tau",
        synonyms: &["τ", "Rows of the grid"],
        definition: "Tau is the number of rows of the grid: as published the logarithm of the number of bits to the base of two, rounded \
                     up. A vertical solution passes all rows in τ iterations.",
        seen: "In the inspector, and as a rule in the view Rules.",
        source: GRID,
        related: &["Exchange", "Systolic cell"],
    },
    Term {
        name: "Torus",
        synonyms: &["SGS T", "Torus (T)"],
        definition: "Under the torus a solution that leaves the grid enters the same row or column again. A vertical solution then meets \
                     the mutation points of one column only, so that most of its bits are never flipped.",
        seen: "In the views Operators and Flavours.",
        source: GRID,
        related: &["Flavour", "Mutation point"],
    },
];
