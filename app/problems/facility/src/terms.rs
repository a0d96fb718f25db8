//! Terms of facility layouts.

use gridwright_window::glossary::Term;

const BAYS: &str = "D. M. Tate, A. E. Smith, «Unequal-area facility layout by genetic search», 1995";

/// The terms, in alphabetical order.
pub static TERMS: [Term; 13] = [
    Term {
        name: "Aspect ratio",
        synonyms: &["Longer : shorter side", "Longest shape", "Aspect limit", "Shape"],
        definition: "The aspect ratio of a department is its longer side divided by its shorter one. A limit keeps departments from \
                     becoming corridors.",
        seen: "In the inspector of a department; a department beyond its limit is marked in the floor plan.",
        source: "",
        related: &["Feasible", "Flexible bay"],
    },
    Term {
        name: "Closeness rating",
        synonyms: &["Closeness", "Closeness score", "REL chart"],
        definition: "A closeness rating says how important it is that two departments share a wall: A absolutely, E especially, I \
                     important, O ordinary, U unimportant, X undesirable.",
        seen: "In the view From-to and in the inspector of a department.",
        source: "R. Muther, «Systematic layout planning», 1961",
        related: &["Material handling cost"],
    },
    Term {
        name: "Department",
        synonyms: &["Area"],
        definition: "A department is a rectangle of given area that is to be placed: a workshop, a store, an office.",
        seen: "In the floor plan; click one to see its flows.",
        source: "",
        related: &["Flexible bay"],
    },
    Term {
        name: "Enumeration",
        synonyms: &["Complete enumeration"],
        definition: "An enumeration looks at every way to put the departments into bays and so proves the best layout. It is possible \
                     up to about twelve departments.",
        seen: "Among the algorithms beside Solve.",
        source: "",
        related: &["Optimum"],
    },
    Term {
        name: "Euclidean distance",
        synonyms: &["Straight line"],
        definition: "The Euclidean distance between two departments is the length of the straight line between their centres.",
        seen: "In the inspector, as the kind of the distances.",
        source: "",
        related: &["Rectilinear distance"],
    },
    Term {
        name: "Flexible bay",
        synonyms: &["Bay", "Flexible bay structure"],
        definition: "In a flexible bay structure the plant is cut into parallel bays, and each bay into departments. A bay is as wide as \
                     the areas of its departments demand.",
        seen: "In the view Bays, and as the long lines of the floor plan.",
        source: BAYS,
        related: &["Aspect ratio", "Department"],
    },
    Term {
        name: "Flow",
        synonyms: &["From-to chart", "Pairs with flow"],
        definition: "The flow between two departments is how much goes from one to the other in a given time: pallets, people, trips.",
        seen: "In the view From-to, and as lines in the floor plan.",
        source: "",
        related: &["Material handling cost"],
    },
    Term {
        name: "Island",
        synonyms: &["Island model", "Island genetic"],
        definition: "An island is a population of its own. Islands evolve side by side and exchange solutions only by migration, so \
                     that they do not all become alike.",
        seen: "In the view Islands, with a strip for each.",
        source: "",
        related: &["Migration", "Population"],
    },
    Term {
        name: "Material handling cost",
        synonyms: &["Handling cost"],
        definition: "The material handling cost is the sum over all pairs of departments of flow times distance.",
        seen: "As the cost of every layout; the view «Cost by pair» shows its parts.",
        source: "",
        related: &["Flow", "Rectilinear distance"],
    },
    Term {
        name: "Migration",
        synonyms: &["Migration rate", "Migration interval", "Migrant", "One migration"],
        definition: "A migration copies the best layouts of an island to the next island of the ring, where they take the place of the \
                     worst. How often and how many are parameters.",
        seen: "In the view Islands, as marks between the strips; click one to see both populations before and after.",
        source: "",
        related: &["Diversity", "Island"],
    },
    Term {
        name: "Moving cost",
        synonyms: &["Relocation cost", "Moving price"],
        definition: "The moving cost is the sum of the prices of all departments that do not keep their place of today: a fixed price \
                     each, and a price for each unit of length by which their centres move. It is part of the cost that searches \
                     minimise.",
        seen: "In the inspector and in Alternatives, beside the cost of transport; prices and places are in Data.",
        source: "",
        related: &["Material handling cost"],
    },
    Term {
        name: "Rectilinear distance",
        synonyms: &["Manhattan distance", "Distance"],
        definition: "The rectilinear distance between two departments is how far their centres are apart along the length plus along \
                     the width of the plant: the way of somebody who walks along the aisles.",
        seen: "In the inspector, as the kind of the distances.",
        source: "",
        related: &["Euclidean distance", "Material handling cost"],
    },
    Term {
        name: "Slicing tree",
        synonyms: &["Slicing trees"],
        definition: "A slicing tree cuts the plant from wall to wall into two parts, each part again, until every department has its \
                     own. Every layout with bays is one; others cost less, but have no straight aisles.",
        seen: "Among the algorithms beside Solve.",
        source: "Otten, DAC 1982; Wong and Liu, DAC 1986",
        related: &["Flexible bay"],
    },
];
