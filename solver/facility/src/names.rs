//! Lookup of departments and doors by name, without regard to case and blanks at the ends.

use std::collections::HashMap;

use super::Department;

/// Form of a name that is compared.
pub fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Departments or doors by name.
#[derive(Debug, Clone, Default)]
pub struct Names {
    exact: HashMap<String, usize>,
    /// Index by folded name; `None` if several departments share it.
    folded: HashMap<String, Option<usize>>,
}

impl Names {
    /// Names of departments; of equal names the first counts.
    pub fn of(departments: &[Department]) -> Self {
        Self::listed(departments.iter().map(|department| department.name.as_str()))
    }

    /// Names in the order of their indices; of equal names the first counts.
    pub(crate) fn listed<'a>(all: impl Iterator<Item = &'a str>) -> Self {
        let mut names = Self::default();
        for (at, name) in all.enumerate() {
            names.exact.entry(name.to_owned()).or_insert(at);
            names.folded.entry(folded(name)).and_modify(|known| *known = None).or_insert(Some(at));
        }
        names
    }

    /// Index of this name: the one that is written alike, else the only one that differs in case or blanks.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.exact.get(name).copied().or_else(|| self.folded.get(&folded(name)).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_their_case_unless_that_is_ambiguous() {
        let departments =
            ["Saw", "PRESS", "a", "A"].map(|name| Department { name: name.to_owned(), ..Default::default() });
        let names = Names::of(&departments);
        assert_eq!(
            ["saw", " Press ", "a", "A", "b"].map(|name| names.find(name)),
            [Some(0), Some(1), Some(2), Some(3), None]
        );
        assert_eq!(Names::of(&departments[2..]).find(" a"), None, "either could be meant");
    }
}
