//! Terms of examination timetables.

use gridwright_window::glossary::Term;

const TORONTO: &str =
    "M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications», 1996";

/// The terms, in alphabetical order.
pub static TERMS: [Term; 15] = [
    Term {
        name: "Back to back",
        synonyms: &["Two in a row", "Adjacent periods"],
        definition: "Exams are back to back if a student writes them in two periods that follow each other. They cost most of all \
                     distances.",
        seen: "In the views Gaps and Students.",
        source: "",
        related: &["Period", "Proximity cost"],
    },
    Term {
        name: "Chain",
        synonyms: &["Annealing chain"],
        definition: "A chain is one of several annealing searches that run side by side from the same data. From time to time the \
                     worst ones continue from copies of the best.",
        seen: "Under Advanced, as a parameter of Annealing.",
        source: "",
        related: &["Simulated annealing", "Temperature"],
    },
    Term {
        name: "Clash",
        synonyms: &["Conflict", "Collision"],
        definition: "Two exams clash if a student takes both and they are in the same period. A timetable with a clash is not valid.",
        seen: "In red in the view Grid, and in the inspector of an exam.",
        source: "",
        related: &["Conflict graph", "Period"],
    },
    Term {
        name: "Clique",
        synonyms: &["Periods needed"],
        definition: "A clique is a set of exams of which every two share students. Each needs a period of its own, so that the \
                     largest clique is a lower bound of the number of periods.",
        seen: "In the facts about a session, as the number of periods that are needed.",
        source: "",
        related: &["Conflict graph", "Lower bound"],
    },
    Term {
        name: "Component",
        synonyms: &["Connected component"],
        definition: "A component is a group of exams that no conflict joins to any other exam. Each can be planned on its own.",
        seen: "In the facts about a session.",
        source: "",
        related: &["Conflict graph"],
    },
    Term {
        name: "Conflict density",
        synonyms: &["Density"],
        definition: "The conflict density is the share of all pairs of exams that share students. The denser a session is, the \
                     fewer exams fit into a period.",
        seen: "In the inspector, among the facts about the session.",
        source: TORONTO,
        related: &["Conflict graph"],
    },
    Term {
        name: "Conflict graph",
        synonyms: &["Conflict matrix", "Conflicting exams"],
        definition: "In the conflict graph every exam is a point, and a line joins two exams that share students. A timetable without \
                     clashes is a colouring of it, with a colour for each period.",
        seen: "In the view Conflicts, as a matrix: dark cells share many students.",
        source: TORONTO,
        related: &["Clash", "Component"],
    },
    Term {
        name: "Greedy descent",
        synonyms: &["Descent", "Hill climbing"],
        definition: "In a greedy descent each exam in turn moves to the period where it costs least, while the others stay. \
                     Evolution improves every child in this way.",
        seen: "Under Advanced, as a parameter of Evolution.",
        source: "V. Kolonias and others, «Solving the examination timetabling problem in GPUs», 2014",
        related: &["Local optimum", "Neighbourhood"],
    },
    Term {
        name: "Kempe chain",
        synonyms: &["Kempe"],
        definition: "A Kempe chain is a group of exams in two periods that must all change places together, so that no clash arises. \
                     It moves exams that cannot move alone.",
        seen: "Under Advanced, as a parameter of Annealing.",
        source: "J. M. Thompson, K. A. Dowsland, «A robust simulated annealing based examination timetabling system», 1998",
        related: &["Clash", "Simulated annealing"],
    },
    Term {
        name: "Period",
        synonyms: &["Slot", "Time slot"],
        definition: "A period is a time in which exams are written: a day with a beginning and an end. An exam has one period.",
        seen: "As columns of the view Grid and in the view Periods.",
        source: "",
        related: &["Clash"],
    },
    Term {
        name: "Pin",
        synonyms: &["Pinned", "Rule"],
        definition: "A pin is a rule that keeps an exam in its period. Other rules forbid periods or bind exams to each other; a search \
                     keeps all of them.",
        seen: "In the inspector of an exam, and in the line below the settings.",
        source: "",
        related: &["Feasible"],
    },
    Term {
        name: "Proximity cost",
        synonyms: &["Proximity", "Spread", "Distance weights"],
        definition: "The proximity cost counts how close together the exams of each student are: 16 for exams in periods that follow \
                     each other, then 8, 4, 2 and 1. The sum is divided by the number of students.",
        seen: "As the cost of every timetable; the view Gaps shows where it comes from.",
        source: TORONTO,
        related: &["Back to back", "Cost"],
    },
    Term {
        name: "Resampling",
        synonyms: &["Resamplings"],
        definition: "At a resampling the worst quarter of the annealing chains is given up and continues from copies of the best ones.",
        seen: "Under Advanced, as a parameter of Annealing.",
        source: "",
        related: &["Chain"],
    },
    Term {
        name: "Simulated annealing",
        synonyms: &["Annealing", "Metropolis rule"],
        definition: "Simulated annealing tries random changes, accepts all that improve and some that do not. How many of these falls \
                     with the temperature, so that a run improves most near its end.",
        seen: "Among the algorithms beside Solve.",
        source: "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated annealing», 1983",
        related: &["Chain", "Temperature"],
    },
    Term {
        name: "Temperature",
        synonyms: &["Start temperature", "End temperature"],
        definition: "The temperature says how much worse a change may be and still be accepted. It begins high, where nearly \
                     everything is accepted, and falls until only improvements are.",
        seen: "Under Advanced, as parameters of Annealing; «automatic» finds both ends from sampled changes.",
        source: "S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated annealing», 1983",
        related: &["Simulated annealing"],
    },
];
