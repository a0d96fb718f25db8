//! Terms of flow shops.

use gridwright_window::glossary::Term;

const FRONTS: &str = "E. Zitzler, L. Thiele, «Multiobjective optimization using evolutionary algorithms», 1998";
const TABU: &str = "F. Glover, «Tabu search, part I», 1989";
const NEH: &str = "M. Nawaz, E. E. Enscore, I. Ham, «A heuristic algorithm for the m-machine, n-job flow-shop sequencing problem», 1983";

/// The terms, in alphabetical order.
pub(crate) static TERMS: [Term; 19] = [
    Term {
        name: "Archive",
        synonyms: &["Archiving", "Candidate", "Member of the front"],
        definition: "The archive holds all schedules found so far that no other one dominates. A new schedule enters if none of its \
                     members dominates it, and drives out those that it dominates.",
        seen: "In the view «Step by step», under Archive, and in the view Front while a run goes on.",
        source: "",
        related: &["Dominance", "Pareto front"],
    },
    Term {
        name: "Aspiration",
        synonyms: &["Aspiration criterion"],
        definition: "Aspiration is the exception to the tabu list: a tabu move is allowed if it leads to a lower sum than any before. \
                     Such an order cannot have been visited, so that the search does not go round in a circle.",
        seen: "In the view «Step by step», under Tabu search, and among the parameters of tabu search.",
        source: TABU,
        related: &["Tabu list", "Tabu search"],
    },
    Term {
        name: "Completion time",
        synonyms: &["Recurrence", "C"],
        definition: "The completion time of a job on a machine is the larger of two times, when the machine is free and when the job \
                     has left the machine before, plus the time it takes here.",
        seen: "In the view «Step by step», under Recurrence.",
        source: "",
        related: &["Makespan"],
    },
    Term {
        name: "Critical path",
        synonyms: &["Critical block", "Blocks of the critical path"],
        definition: "The critical path is a chain of operations without a gap from the first to the last moment. Only changes to its \
                     jobs can shorten the makespan.",
        seen: "Outlined in the Gantt chart.",
        source: "",
        related: &["Makespan"],
    },
    Term {
        name: "Dominance",
        synonyms: &["Dominated", "Dominates"],
        definition: "A schedule dominates another one if it is no worse in any objective and better in at least one.",
        seen: "In the view «Step by step», under Archive, and in the view Front: a point dominates everything above and to the right \
               of it.",
        source: "",
        related: &["Archive", "Pareto front"],
    },
    Term {
        name: "Due date",
        synonyms: &["Due", "Lateness", "Late by", "Early by"],
        definition: "The due date is the time at which a job should be done. Its lateness is how much later it is done; negative \
                     lateness is early.",
        seen: "In the view Lateness, and as flags in the Gantt chart.",
        source: "",
        related: &["Total tardiness"],
    },
    Term {
        name: "Flow time",
        synonyms: &["Total flow time", "Total completion time"],
        definition: "The flow time is the sum of the times at which all jobs are done. It is small if many jobs are done early.",
        seen: "Among the objectives beside Solve.",
        source: "",
        related: &["Completion time", "Objective"],
    },
    Term {
        name: "Hypervolume",
        synonyms: &["Reference point"],
        definition: "The hypervolume is the part of the space of the objectives that a front dominates, up to a reference point. A \
                     larger one means a better front, without weights between the objectives.",
        seen: "In the inspector of a front and in the convergence chart.",
        source: FRONTS,
        related: &["Dominance", "Pareto front"],
    },
    Term {
        name: "Insertion",
        synonyms: &["One insertion", "Heads and tails"],
        definition: "An insertion puts a job into the position where it costs least. Taillard's three tables, heads, tails and \
                     insertion values, give the costs of all positions in one pass.",
        seen: "In the view «Step by step», under One insertion.",
        source: "É. Taillard, «Some efficient heuristic methods for the flow shop sequencing problem», 1990",
        related: &["Iterated greedy", "NEH"],
    },
    Term {
        name: "Iterated greedy",
        synonyms: &["Greedy", "Removed jobs"],
        definition: "Iterated greedy takes some jobs out of an order and inserts each where it costs least. It keeps the new order \
                     if it is better, and now and then if it is not.",
        seen: "Among the algorithms beside Solve.",
        source: "R. Ruiz, T. Stützle, «A simple and effective iterated greedy algorithm for the permutation flowshop scheduling problem», 2007",
        related: &["Insertion"],
    },
    Term {
        name: "Makespan",
        synonyms: &["C max"],
        definition: "The makespan is the time at which the last job leaves the last machine.",
        seen: "Among the objectives beside Solve, and at the right end of the Gantt chart.",
        source: "",
        related: &["Completion time", "Critical path"],
    },
    Term {
        name: "NEH",
        synonyms: &["Nawaz, Enscore, Ham"],
        definition: "NEH makes a good first order: it takes the jobs by falling work and inserts each where the makespan is least.",
        seen: "In the view «Step by step», under NEH; most searches begin with it.",
        source: NEH,
        related: &["Insertion"],
    },
    Term {
        name: "Pareto front",
        synonyms: &["Front", "Pareto optimal", "Pareto local search"],
        definition: "The Pareto front are the schedules that no other one dominates. On it, no objective can be improved unless \
                     another one gets worse.",
        seen: "In the view Front, if several objectives are chosen.",
        source: "",
        related: &["Archive", "Dominance", "Hypervolume"],
    },
    Term {
        name: "Permutation flow shop",
        synonyms: &["Flow shop", "Job", "Machine"],
        definition: "In a permutation flow shop every job visits all machines in the same order, and all machines take the jobs in \
                     the same order. A schedule is therefore an order of the jobs.",
        seen: "In every view; the order stands below the Gantt chart.",
        source: "",
        related: &["Makespan"],
    },
    Term {
        name: "Tabu list",
        synonyms: &["Tabu", "Tabu move", "Tabu for"],
        definition: "The tabu list holds the jobs that were moved last. As long as a job is on it, moves of this job are left out, so \
                     that the search does not go back to the order that it has just left.",
        seen: "In the view «Step by step», under Tabu search, beside each job of the order.",
        source: TABU,
        related: &["Aspiration", "Tabu search", "Tenure"],
    },
    Term {
        name: "Tabu search",
        synonyms: &["Aggregated tabu search"],
        definition: "Tabu search always makes the best move, even if the order gets worse, and leaves out moves of jobs on the tabu \
                     list. For several objectives a trajectory runs for each weighted sum, and all share an archive.",
        seen: "In the view «Step by step», and among the algorithms beside Solve if several objectives are chosen.",
        source: "T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms», 2011",
        related: &["Local optimum", "Neighbourhood", "Tabu list", "Weighted sum"],
    },
    Term {
        name: "Tenure",
        synonyms: &["Tabu tenure"],
        definition: "The tenure is the number of steps for which a moved job stays on the tabu list, here with up to as many more at \
                     random. A short one lets the search go in circles, a long one forbids good moves.",
        seen: "In the view «Step by step», under Tabu search, and among the parameters of tabu search.",
        source: TABU,
        related: &["Tabu list"],
    },
    Term {
        name: "Total tardiness",
        synonyms: &["Tardiness", "Tardy job", "Number of tardy jobs"],
        definition: "The total tardiness is the sum over all jobs of how much later than due they are done; early jobs count zero. The \
                     number of tardy jobs counts how many are late at all.",
        seen: "Among the objectives beside Solve, for instances with due dates.",
        source: "",
        related: &["Due date", "Objective"],
    },
    Term {
        name: "Weighted sum",
        synonyms: &["Weights", "Aggregation", "Scalarisation"],
        definition: "The weighted sum makes one number of several objectives: each value, divided by the range of the objective, times \
                     its weight. Every choice of weights leads the search to another part of the front.",
        seen: "In the view «Step by step», under Tabu search.",
        source: "",
        related: &["Objective", "Pareto front"],
    },
];
