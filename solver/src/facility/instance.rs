//! The data of a layout problem: a plant, departments, and the flows between them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Rules;
use crate::text::lines::quoted;
use crate::{Error, Result};

/// More departments than this are refused.
pub const MAX_DEPARTMENTS: usize = 1_024;

/// Sides and ratios may miss their limit by this much: optima sit exactly on it.
pub const TOLERANCE: f64 = 1e-6;

/// The aspect limit where nothing is said.
pub const DEFAULT_ASPECT: f64 = 4.0;

/// The shapes that a department may take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub enum Limit {
    /// Any shape.
    #[default]
    None,
    /// The longer side is at most this many times the shorter one; at least 1.
    Aspect(f64),
    /// The shorter side is at least this long, in units of length.
    MinSide(f64),
    /// Height / width lies in this range.
    Range(f64, f64),
}

/// How far apart two centroids are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Distance {
    /// |x_i − x_j| + |y_i − y_j|.
    #[default]
    Rectilinear,
    /// √((x_i − x_j)² + (y_i − y_j)²).
    Euclidean,
}

/// A part of the plant that needs a place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Department {
    /// What files and people call it.
    pub name: String,
    /// In square units of length; more than 0.
    pub area: f64,
    /// The shapes it may take.
    pub limit: Limit,
    /// Free floor that takes part as a department without flow.
    pub dummy: bool,
}

/// A value that somebody has published for an instance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The cost.
    pub value: f64,
    /// What it is, such as «proven FBS optimum, vertical bays».
    pub kind: String,
    /// Who says so.
    pub source: String,
}

/// A layout problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instance {
    /// Short name, such as `O9`.
    pub name: String,
    /// W, the size along x.
    pub width: f64,
    /// H, the size along y.
    pub height: f64,
    /// The departments, in the order of the file.
    pub departments: Vec<Department>,
    /// f_ij from row i to column j: departments × departments.
    pub flows: Vec<f64>,
    /// Closeness wishes, one per unordered pair as the file has them: `(i, j, rating)` with rating one of A E I O U X.
    pub closeness: Vec<(u16, u16, char)>,
    /// How distances are measured.
    pub distance: Distance,
    /// What a person demands beyond the data.
    pub rules: Rules,
    /// What others have found.
    pub references: Vec<Reference>,
    /// What the reader noticed and the person should know.
    pub warnings: Vec<String>,
    /// SHA-256 of the file, or of the text that stands for what was generated.
    pub hash: String,
}

impl Instance {
    /// The instance itself, if it can be laid out.
    ///
    /// # Errors
    /// [`Error::Usage`] where there are no departments or too many, where a number is negative, not finite or beyond reason,
    /// where areas exceed the plant, where flows are not departments × departments, and where two departments have the same name.
    pub fn validated(self) -> Result<Self> {
        let wrong = |what: String| Err(Error::Usage(format!("{}: {what}", self.name)));
        let n = self.departments.len();
        if n == 0 || n > MAX_DEPARTMENTS {
            return wrong(format!("{n} departments; there must be 1 to {MAX_DEPARTMENTS}"));
        }
        for (side, size) in [("width", self.width), ("height", self.height)] {
            if !(size.is_finite() && size > 0.0 && size < 1e9) {
                return wrong(format!("the {side} of the plant is {size}; it must be more than 0 and less than 10⁹"));
            }
        }
        for department in &self.departments {
            let name = quoted(&department.name);
            let area = department.area;
            if !(area.is_finite() && area > 0.0) {
                return wrong(format!("department {name} has area {area}; areas must be more than 0"));
            }
            match department.limit {
                Limit::Aspect(most) if !(most.is_finite() && most >= 1.0) => {
                    return wrong(format!(
                        "department {name} has aspect limit {most}; the longer side is never less than 1 times the shorter"
                    ));
                }
                Limit::MinSide(least) if !(least.is_finite() && least >= 0.0) => {
                    return wrong(format!("department {name} has least side {least}; it must be 0 or more"));
                }
                Limit::Range(low, high) if !(low > 0.0 && high.is_finite() && low <= high) => {
                    return wrong(format!(
                        "department {name} has the range of shapes {low} to {high}, which holds none"
                    ));
                }
                _ => {}
            }
        }
        let (total, plant) = (self.total_area(), self.width * self.height);
        // Published data are rounded.
        if total > plant * (1.0 + 1e-9) {
            // Without what products of binary fractions leave behind: 111.02, not 111.01999999999998.
            let [total, plant] = [total, plant].map(|area| (area * 1e6).round() / 1e6);
            return wrong(format!(
                "the areas add up to {total} and the plant has {plant}; enlarge the plant or make departments smaller"
            ));
        }
        if self.flows.len() != n * n {
            let found = self.flows.len();
            return wrong(format!("{found} flows where {n} × {n} departments need one each"));
        }
        if let Some(at) = self.flows.iter().position(|flow| !(flow.is_finite() && *flow >= 0.0)) {
            let [from, to] = [at / n, at % n].map(|place| quoted(&self.departments[place].name));
            return wrong(format!(
                "the flow from {from} to {to} is {}; flows are numbers of 0 or more",
                self.flows[at]
            ));
        }
        let mut places = HashMap::with_capacity(n);
        for (at, department) in self.departments.iter().enumerate() {
            if let Some(first) = places.insert(department.name.as_str(), at) {
                let name = quoted(&department.name);
                return wrong(format!("departments {} and {} are both called {name}; rename one", first + 1, at + 1));
            }
        }
        self.rules.check(&self)?;
        Ok(self)
    }

    /// Number of departments, n.
    pub fn len(&self) -> usize {
        self.departments.len()
    }

    /// Whether there is no department at all.
    pub fn is_empty(&self) -> bool {
        self.departments.is_empty()
    }

    /// f_ij + f_ji.
    pub fn flow(&self, one: usize, other: usize) -> f64 {
        let n = self.len();
        self.flows[one * n + other] + self.flows[other * n + one]
    }

    /// Σ a_i.
    pub fn total_area(&self) -> f64 {
        self.departments.iter().map(|department| department.area).sum()
    }

    /// Number of unordered pairs with flow.
    pub fn flow_pairs(&self) -> usize {
        (0..self.len()).map(|one| (0..one).filter(|&other| self.flow(one, other) > 0.0).count()).sum()
    }

    /// The department with this name.
    pub fn department_index(&self, name: &str) -> Option<usize> {
        self.departments.iter().position(|department| department.name == name)
    }

    /// The largest aspect limit of all departments that have one.
    pub fn shape_limit(&self) -> Option<f64> {
        let limit = |department: &Department| match department.limit {
            Limit::Aspect(most) => Some(most),
            _ => None,
        };
        self.departments.iter().filter_map(limit).reduce(f64::max)
    }
}
