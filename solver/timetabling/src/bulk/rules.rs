//! Rules for selections, and their table.

use super::selection::{Selection, periods};
use crate::rules::GivenRule;
use crate::{Instance, Relation, RelationKind, Rules};
use gridwright_core::Result;
use gridwright_core::text::Source;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::Problems;
use gridwright_core::text::table::Table;

/// Largest number of relations that one rule makes.
const MOST_RELATIONS: usize = 100_000;

/// Kind of a rule for a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The exams may be in these periods only.
    OnlyIn,
    /// The exams must not be in these periods.
    NotIn,
    /// Each exam stands in this relation to each exam of another selection.
    Related(RelationKind),
}

impl Kind {
    /// All kinds with their names in tables and in the window.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::OnlyIn, "only in"),
        (Self::NotIn, "not in"),
        (Self::Related(RelationKind::Before), "before"),
        (Self::Related(RelationKind::DirectlyBefore), "directly before"),
        (Self::Related(RelationKind::Same), "same period"),
        (Self::Related(RelationKind::Different), "different periods"),
        (Self::Related(RelationKind::SameDay), "same day"),
        (Self::Related(RelationKind::DifferentDay), "different days"),
        (Self::Related(RelationKind::SameRoom), "same room"),
        (Self::Related(RelationKind::DifferentRoom), "different rooms"),
    ];

    /// The kind with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(kind, _)| kind)
    }
}

/// A rule for many exams, found in a session: the periods that it forbids and the relations that it demands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BulkRule {
    /// Number of exams of the selection.
    pub exams: usize,
    /// Exams and the periods that they must not be in.
    pub forbidden: Vec<(usize, usize)>,
    /// Relations between exams.
    pub relations: Vec<Relation>,
    /// Words in which the rule was given.
    pub given: GivenRule,
}

impl BulkRule {
    /// Finds the exams and periods of a rule: `exams` is a selection, `with` are periods or, for relations, another
    /// selection; an empty one stands for the other exams of the same selection.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn find(instance: &Instance, exams: &str, kind: Kind, with: &str) -> std::result::Result<Self, String> {
        let chosen = Selection::parse(exams)?.exams(instance);
        if chosen.is_empty() {
            return Err(no_exam(instance, exams));
        }
        let name = Kind::ALL.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name);
        let [exams_given, with_given] = [exams, with].map(|text| text.trim().to_owned());
        let given = GivenRule { exams: exams_given, rule: name.to_owned(), with: with_given };
        let mut found = Self { exams: chosen.len(), given, ..Self::default() };
        match kind {
            Kind::OnlyIn | Kind::NotIn => {
                let named = periods(instance, with)?;
                let out: Vec<usize> = (0..instance.period_count())
                    .filter(|period| named.contains(period) == (kind == Kind::NotIn))
                    .collect();
                let pairs = chosen.iter().flat_map(|&exam| out.iter().map(move |&period| (exam, period)));
                found.forbidden = pairs.collect();
            }
            Kind::Related(relation) => {
                let others = match with.trim() {
                    "" if relation.is_ordered() => return Err("expected the exams that come later".to_owned()),
                    "" => chosen.clone(),
                    with => Selection::parse(with)?.exams(instance),
                };
                if others.is_empty() {
                    return Err(no_exam(instance, with));
                }
                if chosen.len().saturating_mul(others.len()) > MOST_RELATIONS {
                    return Err(format!("that makes more than {MOST_RELATIONS} relations; select fewer exams"));
                }
                let pairs = chosen.iter().flat_map(|&first| others.iter().map(move |&second| (first, second)));
                let pairs = pairs.filter(|(first, second)| first != second);
                found.relations = pairs.map(|(first, second)| Relation::new(relation, first, second)).collect();
                found.relations.sort_unstable();
                found.relations.dedup();
                if found.relations.is_empty() {
                    return Err("that relates an exam to itself only; name another exam".to_owned());
                }
            }
        }
        Ok(found)
    }

    /// Adds the rule to the rules of the session.
    pub fn add_to(&self, rules: &mut Rules) {
        self.forbidden.iter().for_each(|&(exam, period)| rules.forbid(exam, period, true));
        rules.relations.extend(&self.relations);
        rules.given.insert(self.given.clone());
    }

    /// True if the rule demands anything and all of it is demanded by these rules.
    pub(crate) fn holds_in(&self, rules: &Rules) -> bool {
        let is_forbidden = |&(exam, period): &(usize, usize)| {
            rules.forbidden.get(&(exam as u16)).is_some_and(|periods| periods.contains(&(period as u16)))
        };
        !(self.forbidden.is_empty() && self.relations.is_empty())
            && self.forbidden.iter().all(is_forbidden)
            && self.relations.iter().all(|relation| rules.relations.contains(relation))
    }
}

const COLUMNS: [Column; 3] = [
    Column::required("exams", "exam code codes selection prüfungen prüfung auswahl"),
    Column::required("rule", "rules kind regel art"),
    Column::optional("with", "periods period others other value mit perioden zeiten"),
];

/// Reads a table of rules for a session; `None` if it has no columns of rules.
///
/// # Errors
/// [`gridwright_core::Error::Line`] or [`gridwright_core::Error::Lines`] for every rule that names no exam or no period.
pub fn read(source: Source, instance: &Instance) -> Result<Option<Rules>> {
    let mut problems = Problems::new(source.path);
    let Ok(table) = Table::open(source, &COLUMNS) else { return Ok(None) };
    let mut rules = instance.rules.clone();
    table.rows(&mut problems, |problems, row| {
        let names: Vec<&str> = Kind::ALL.iter().map(|(_, name)| *name).collect();
        let kind = Kind::named(row.get(1)).ok_or_else(|| format!("the rule is one of: {}", names.join(", ")));
        match kind.and_then(|kind| BulkRule::find(instance, row.get(0), kind, row.get(2))) {
            Ok(rule) => rule.add_to(&mut rules),
            Err(why) => problems.line(row.line, why),
        }
    });
    problems.finish()?;
    Ok(Some(rules))
}

/// Message about a selection that no exam belongs to; a session that is being read has no name yet.
fn no_exam(instance: &Instance, selection: &str) -> String {
    let of = if instance.name.is_empty() { String::new() } else { format!(" of {}", instance.name) };
    format!("no exam{of} is {}", selection.trim().escape_debug())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Exam, InstanceParts, Period};

    /// Exams A1 (3 students), A2 (1), B1 (2) in three periods without dates.
    fn instance() -> Instance {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        Instance::build(InstanceParts {
            name: "small".to_owned(),
            exams: ["A1", "A2", "B1"].map(exam).to_vec(),
            students: vec![vec![0], vec![0, 2], vec![0, 1], vec![2]],
            periods: vec![Period::default(); 3],
            ..InstanceParts::default()
        })
        .unwrap()
    }

    #[test]
    fn a_table_of_rules_is_what_single_rules_are() {
        let text = "exams;rule;with\nA*;only in;1\n>=2;not in;3\nA1;before;B*\nA*;different days;\n";
        let found = read(Source { path: Path::new("rules.csv"), text }, &instance()).unwrap().unwrap();
        let mut rules = Rules::default();
        for (exam, period) in [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            rules.forbid(exam, period, true);
        }
        rules.relations.insert(Relation::new(RelationKind::Before, 0, 2));
        rules.relations.insert(Relation::new(RelationKind::DifferentDay, 0, 1));
        assert_eq!(found.given.len(), 4);
        rules.given.clone_from(&found.given);
        assert_eq!(found, rules);
        let other = Source { path: Path::new("rules.csv"), text: "who,when\na,b\n" };
        assert_eq!(read(other, &instance()).unwrap(), None);
    }

    #[test]
    fn every_wrong_line_is_named() {
        let text = "exams,rule,with\nC*,only in,1\nA*,whenever,1\nA*,only in,9\nA1,before,\nA1,before,A1\n";
        let error = read(Source { path: Path::new("rules.csv"), text }, &instance()).unwrap_err().to_string();
        let lines = ["rules.csv:2", "rules.csv:3", "rules.csv:4", "rules.csv:5", "rules.csv:6"];
        for part in lines.into_iter().chain(["no exam of small", "only in, not in", "to itself"]) {
            assert!(error.contains(part), "{error} lacks {part}");
        }
    }
}
