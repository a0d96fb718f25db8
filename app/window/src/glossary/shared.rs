//! Terms that the windows of several problems use.

use super::Term;

/// The terms, in alphabetical order.
pub static TERMS: [Term; 24] = [
    Term {
        name: "Backend",
        synonyms: &["Device", "GPU", "CPU", "Threads"],
        definition: "A backend is the part of the computer that searches: the processor (CPU) with some of its threads, or a \
                     graphics card (GPU). The same seed gives the same answer on every backend.",
        seen: "Among the settings beside Solve, and in the column «Device» of the runs.",
        source: "",
        related: &["Run", "Seed"],
    },
    Term {
        name: "Best known value",
        synonyms: &["Best known", "Against the best known"],
        definition: "The best known value is the best one that anybody has published for an instance. It need not be the \
                     optimum.",
        seen: "In the inspector and as a line in the convergence chart, for published instances.",
        source: "",
        related: &["Lower bound", "Optimum"],
    },
    Term {
        name: "Budget",
        synonyms: &["Limit", "Time limit", "Stopping criterion"],
        definition: "The budget says when a run ends by itself: after some seconds, steps or generations, or at a target. A time \
                     limit is turned into a number of steps, so that the run can be repeated exactly.",
        seen: "Among the settings beside Solve, and in the column «Stopped» of the runs.",
        source: "",
        related: &["Run", "Step"],
    },
    Term {
        name: "Convergence",
        synonyms: &["Convergence curve"],
        definition: "Convergence is the course of the cost over a run. A curve that has become flat no longer improves: the search \
                     has settled on one kind of solution.",
        seen: "At the bottom of the window: best, mean and worst cost over time or steps.",
        source: "",
        related: &["Diversity", "Local optimum"],
    },
    Term {
        name: "Cost",
        synonyms: &["Objective function"],
        definition: "The cost is the number that a search makes as small as possible. What it counts depends on the problem.",
        seen: "In the line of progress, in the column «Best» of the runs and in the inspector.",
        source: "",
        related: &["Feasible", "Objective"],
    },
    Term {
        name: "Crossover",
        synonyms: &["Recombination"],
        definition: "A crossover makes a child of two parents by taking a part of each. Its probability says how many pairs are \
                     crossed; the others pass on copies of themselves.",
        seen: "Under Advanced, among the parameters of evolutionary algorithms.",
        source: "J. H. Holland, «Adaptation in natural and artificial systems», 1975",
        related: &["Mutation", "Population", "Tournament"],
    },
    Term {
        name: "Digest",
        synonyms: &["Fingerprint"],
        definition: "A digest is a short number computed from the whole state of a search. If the digests of two runs are equal at \
                     every epoch, both went exactly the same way.",
        seen: "In result files and in the answer of a replay.",
        source: "",
        related: &["Run", "Seed"],
    },
    Term {
        name: "Diversity",
        synonyms: &["Premature convergence"],
        definition: "Diversity measures how different the solutions of a population are. A population without diversity can only \
                     repeat itself, however long it runs.",
        seen: "In views of populations, as a curve over the run.",
        source: "",
        related: &["Convergence", "Population", "Selection pressure"],
    },
    Term {
        name: "Draft",
        synonyms: &["Edits"],
        definition: "A draft is a copy of a solution that you change by hand. The run that it came from stays as it was.",
        seen: "In the bar above the picture as soon as something is changed.",
        source: "",
        related: &["Run"],
    },
    Term {
        name: "Evaluation",
        synonyms: &["Evaluations"],
        definition: "An evaluation computes the cost of one solution, or of one proposed change. Evaluations per second tell how \
                     fast a search is, not how good.",
        seen: "At the right end of the line of progress.",
        source: "",
        related: &["Cost", "Step"],
    },
    Term {
        name: "Feasible",
        synonyms: &["Infeasible", "Valid", "Violation", "Incomplete"],
        definition: "A solution is feasible if it breaks no hard rule. A checker that shares no code with the searches decides it \
                     for every result.",
        seen: "In the badge at the top of the inspector; what is violated is listed below it.",
        source: "",
        related: &["Cost"],
    },
    Term {
        name: "Generation",
        synonyms: &["Generations"],
        definition: "In a generation, an evolutionary algorithm selects parents, makes children of them and lets these take their \
                     places.",
        seen: "On the axis of the convergence chart and among the limits of a run.",
        source: "",
        related: &["Population", "Step"],
    },
    Term {
        name: "Local optimum",
        synonyms: &["Local minimum"],
        definition: "A local optimum is a solution that no single small change improves although better ones exist further away. \
                     Searches differ in how they leave it.",
        seen: "As a long flat part of a convergence curve.",
        source: "",
        related: &["Neighbourhood", "Optimum"],
    },
    Term {
        name: "Lower bound",
        synonyms: &["Bound", "Gap"],
        definition: "A lower bound is a value that no solution can fall below. If a solution reaches it, the solution is optimal; \
                     the gap says how far above it the solution is.",
        seen: "In the inspector and in the convergence chart where a bound is known.",
        source: "",
        related: &["Best known value", "Optimum"],
    },
    Term {
        name: "Mutation",
        synonyms: &["Mutation rate"],
        definition: "A mutation changes a solution at random in a small place. It brings back what selection has lost.",
        seen: "Under Advanced, among the parameters of evolutionary algorithms.",
        source: "",
        related: &["Crossover", "Diversity"],
    },
    Term {
        name: "Neighbourhood",
        synonyms: &["Neighbour", "Local search"],
        definition: "The neighbourhood of a solution are all solutions that one small change makes of it. A local search goes from \
                     neighbour to neighbour.",
        seen: "Under Advanced, among the parameters of searches that move step by step.",
        source: "",
        related: &["Local optimum"],
    },
    Term {
        name: "Objective",
        synonyms: &["Goal"],
        definition: "The objective is the quantity that is minimised or maximised. With several objectives there is no single best \
                     solution but a front of them.",
        seen: "Among the settings beside Solve, for problems that have several.",
        source: "",
        related: &["Cost"],
    },
    Term {
        name: "Optimum",
        synonyms: &["Optimal", "Proven optimal", "Proof"],
        definition: "An optimum is a solution than which none is better. It counts as proven if a bound or a complete enumeration \
                     shows that.",
        seen: "In the badge at the top of the inspector and in the column «Stopped» of the runs.",
        source: "",
        related: &["Local optimum", "Lower bound"],
    },
    Term {
        name: "Population",
        synonyms: &["Individual"],
        definition: "A population is a set of solutions, the individuals, that evolve side by side.",
        seen: "Under Advanced, among the parameters of evolutionary algorithms.",
        source: "",
        related: &["Diversity", "Generation"],
    },
    Term {
        name: "Run",
        synonyms: &["Runs"],
        definition: "A run is one search from its start to its end, with everything that is needed to repeat it: algorithm, \
                     parameters, seed and budget. It is kept on disk.",
        seen: "In the list at the bottom of the window.",
        source: "",
        related: &["Budget", "Seed"],
    },
    Term {
        name: "Seed",
        synonyms: &["Random numbers"],
        definition: "The seed is the number from which all random numbers of a run follow. The same seed with the same settings gives \
                     the same answer, on every machine; another seed gives another run of equal right.",
        seen: "Among the settings beside Solve, and in the column «Seed» of the runs.",
        source: "",
        related: &["Run"],
    },
    Term {
        name: "Selection pressure",
        synonyms: &["Take-over time"],
        definition: "Selection pressure is how much more often good solutions become parents than bad ones. High pressure improves \
                     fast and loses diversity; low pressure improves slowly and keeps it.",
        seen: "In the shapes of the convergence curves: the mean follows the best the closer, the higher the pressure is.",
        source: "D. E. Goldberg, K. Deb, «A comparative analysis of selection schemes used in genetic algorithms», 1991",
        related: &["Diversity", "Tournament"],
    },
    Term {
        name: "Step",
        synonyms: &["Iteration", "Iterations"],
        definition: "A step is the unit in which a search counts its work: a generation, an iteration, or a fixed number of proposed \
                     changes. Steps can be compared within one algorithm only.",
        seen: "On the axis of the convergence chart and in the player of recorded runs.",
        source: "",
        related: &["Budget", "Generation"],
    },
    Term {
        name: "Tournament",
        synonyms: &["Tournament size"],
        definition: "In a tournament some individuals are drawn at random, and the best of them becomes a parent. The more \
                     individuals take part, the higher is the selection pressure.",
        seen: "Under Advanced, among the parameters of evolutionary algorithms.",
        source: "D. E. Goldberg, K. Deb, «A comparative analysis of selection schemes used in genetic algorithms», 1991",
        related: &["Population", "Selection pressure"],
    },
];
