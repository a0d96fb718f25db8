//! Subjects of the generated university: three faculties of eight, each subject with the topics of its courses.

/// Subject with its prefix in codes and its courses from the first year on.
pub(super) struct Subject {
    pub(super) prefix: &'static str,
    pub(super) topics: [&'static str; 12],
}

/// Number of subjects of a faculty; they are adjacent in [`SUBJECTS`].
pub(super) const FACULTY: usize = 8;

/// Title of course number `place` of its subject; later rounds over the topics give advanced courses.
pub(super) fn title(subject: &Subject, place: usize) -> String {
    let topics = subject.topics.len();
    let topic = subject.topics[place % topics];
    match place / topics {
        0 => topic.to_owned(),
        1 => format!("Advanced {topic}"),
        2 => format!("Topics in {topic}"),
        3 => format!("Case Studies in {topic}"),
        round => format!("{topic}, Part {}", round - 2),
    }
}

const fn subject(prefix: &'static str, topics: [&'static str; 12]) -> Subject {
    Subject { prefix, topics }
}

/// All subjects; the first subject of each faculty also teaches the beginners of the others.
#[rustfmt::skip]
pub(super) const SUBJECTS: [Subject; 3 * FACULTY] = [
    subject("MAT", ["Calculus", "Linear Algebra", "Discrete Mathematics", "Analysis", "Differential Equations", "Probability", "Algebra", "Numerical Methods", "Complex Analysis", "Topology", "Number Theory", "Optimisation"]),
    subject("PHY", ["Mechanics", "Electricity and Magnetism", "Waves and Optics", "Thermodynamics", "Modern Physics", "Quantum Mechanics", "Statistical Physics", "Electrodynamics", "Solid State Physics", "Nuclear Physics", "Astrophysics", "Fluid Dynamics"]),
    subject("CSC", ["Programming", "Computer Systems", "Data Structures", "Algorithms", "Databases", "Operating Systems", "Computer Networks", "Software Engineering", "Theory of Computation", "Compilers", "Artificial Intelligence", "Computer Graphics"]),
    subject("CHE", ["General Chemistry", "Organic Chemistry", "Inorganic Chemistry", "Physical Chemistry", "Analytical Chemistry", "Spectroscopy", "Biochemistry", "Materials Chemistry", "Reaction Kinetics", "Polymer Chemistry", "Catalysis", "Medicinal Chemistry"]),
    subject("BIO", ["Cell Biology", "Zoology", "Botany", "Genetics", "Ecology", "Microbiology", "Physiology", "Molecular Biology", "Evolution", "Immunology", "Neurobiology", "Conservation Biology"]),
    subject("STA", ["Descriptive Statistics", "Inference", "Regression", "Design of Experiments", "Sampling", "Time Series", "Stochastic Processes", "Multivariate Methods", "Bayesian Statistics", "Survival Analysis", "Nonparametric Methods", "Statistical Computing"]),
    subject("GEO", ["Physical Geography", "Human Geography", "Cartography", "Geology", "Climatology", "Hydrology", "Remote Sensing", "Geographic Information Systems", "Urban Geography", "Geomorphology", "Soil Science", "Glaciology"]),
    subject("ENV", ["Environmental Science", "Resource Management", "Environmental Chemistry", "Waste Management", "Air Quality", "Water Treatment", "Energy and Environment", "Environmental Law", "Impact Assessment", "Restoration", "Toxicology", "Climate Policy"]),
    subject("ECO", ["Microeconomics", "Macroeconomics", "Quantitative Methods", "Econometrics", "Public Finance", "International Trade", "Labour Economics", "Industrial Organisation", "Development Economics", "Game Theory", "Monetary Economics", "Economic History"]),
    subject("BUS", ["Management", "Financial Accounting", "Marketing", "Business Law", "Corporate Finance", "Operations Management", "Human Resources", "Cost Accounting", "Strategy", "Supply Chains", "Entrepreneurship", "Auditing"]),
    subject("LAW", ["Introduction to Law", "Constitutional Law", "Contract Law", "Criminal Law", "Property Law", "Administrative Law", "Company Law", "Labour Law", "International Law", "Tax Law", "Family Law", "Legal Philosophy"]),
    subject("PSY", ["General Psychology", "Research Methods", "Cognitive Psychology", "Developmental Psychology", "Social Psychology", "Biological Psychology", "Personality", "Psychometrics", "Clinical Psychology", "Perception", "Work Psychology", "Health Psychology"]),
    subject("SOC", ["Sociology", "Social Research", "Social Structure", "Sociology of Education", "Sociology of Work", "Migration", "Urban Sociology", "Family and Gender", "Social Theory", "Media and Society", "Inequality", "Political Sociology"]),
    subject("POL", ["Political Science", "Systems of Government", "Political Theory", "International Relations", "Public Policy", "Comparative Politics", "Elections and Parties", "Security Studies", "Public Administration", "Regional Politics", "Diplomacy", "Human Rights"]),
    subject("EDU", ["Foundations of Education", "Learning and Teaching", "Curriculum", "Assessment", "Educational Psychology", "Classroom Management", "Inclusive Education", "Educational Technology", "Adult Education", "School Leadership", "Philosophy of Education", "Comparative Education"]),
    subject("NUR", ["Anatomy", "Foundations of Nursing", "Pharmacology", "Pathology", "Nutrition", "Community Health", "Paediatric Nursing", "Mental Health Nursing", "Surgical Nursing", "Midwifery", "Nursing Ethics", "Palliative Care"]),
    subject("ENG", ["Academic Writing", "Poetry", "Drama", "The Novel", "Medieval Literature", "Renaissance Literature", "Romanticism", "Modernism", "Literary Theory", "Postcolonial Literature", "Creative Writing", "Children's Literature"]),
    subject("HIS", ["Ancient History", "Medieval History", "Early Modern History", "Modern History", "Historical Methods", "Economic History", "History of Science", "Colonial History", "Military History", "Oral History", "History of Ideas", "Contemporary History"]),
    subject("PHI", ["Introduction to Philosophy", "Logic", "Ethics", "Ancient Philosophy", "Epistemology", "Metaphysics", "Philosophy of Mind", "Political Philosophy", "Philosophy of Science", "Aesthetics", "Philosophy of Language", "Phenomenology"]),
    subject("LIN", ["Introduction to Linguistics", "Phonetics", "Morphology", "Syntax", "Semantics", "Sociolinguistics", "Historical Linguistics", "Psycholinguistics", "Phonology", "Pragmatics", "Corpus Linguistics", "Language Typology"]),
    subject("MUS", ["Music Theory", "Ear Training", "Harmony", "History of Music", "Counterpoint", "Orchestration", "Conducting", "Ethnomusicology", "Composition", "Acoustics", "Music Education", "Musical Analysis"]),
    subject("ART", ["Drawing", "History of Art", "Colour and Form", "Painting", "Sculpture", "Photography", "Design", "Architecture", "Art Theory", "Museum Studies", "Printmaking", "Visual Culture"]),
    subject("ARC", ["Archaeology", "Field Methods", "Prehistory", "Classical Archaeology", "Egyptology", "Archaeological Science", "Landscape Archaeology", "Ceramics", "Bioarchaeology", "Heritage Management", "Numismatics", "Maritime Archaeology"]),
    subject("THE", ["Religions of the World", "Biblical Hebrew", "Old Testament", "New Testament", "Church History", "Systematic Theology", "Practical Theology", "Christian Ethics", "Philosophy of Religion", "Comparative Religion", "Liturgy", "Mysticism"]),
];
