//! Terms of flow shops.

use crate::glossary::Term;

const FRONTS: &str = "E. Zitzler, L. Thiele, «Multiobjective optimization using evolutionary algorithms», 1998";
const NEH: &str = "M. Nawaz, E. E. Enscore, I. Ham, «A heuristic algorithm for the m-machine, n-job flow-shop sequencing problem», 1983";

/// The terms, in alphabetical order.
pub static TERMS: [Term; 15] = [
    Term {
        name: "Archive",
        synonyms: &["Member of the front"],
        definition: "The archive holds all schedules found so far that no other one dominates. A new schedule enters if none of its \
                     members dominates it, and drives out those that it dominates.",
        seen: "In the view Front, as the points that grow while a run goes on.",
        source: "",
        related: &["Dominance", "Pareto front"],
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
        seen: "In the view Front: a point dominates everything above and to the right of it.",
        source: "",
        related: &["Pareto front"],
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
        name: "Tabu search",
        synonyms: &["Tabu", "Tenure", "Aspiration"],
        definition: "Tabu search always goes to the best neighbour, even if it is worse, and forbids moving the same jobs again for \
                     some steps. A forbidden move is allowed if it leads to a new best: aspiration.",
        seen: "Among the algorithms beside Solve, if several objectives are chosen.",
        source: "F. Glover, «Tabu search, part I», 1989",
        related: &["Local optimum", "Neighbourhood"],
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
];
