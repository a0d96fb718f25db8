//! The data of a layout problem: a plant, departments, and the flows between them.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::Rules;
use super::building::Building;
use super::closeness::{RATINGS, Weights};
use super::door::{Door, DoorFlow};
use super::products::Product;
use super::rectangle::Placed;
use super::relocation::RelocationPrice;
use gridwright_core::text::columns::heading;
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

/// Largest number of departments that [`Instance::validated`] accepts.
pub const MAX_DEPARTMENTS: usize = 1_024;

/// Shortest and, exclusive, longest side of a plant, in units of length.
const SIDES: (f64, f64) = (1e-6, 1e9);

/// Smallest area of a department, as a fraction of the plant.
const LEAST_SHARE: f64 = 1e-12;

/// Largest flow; with it and the longest side, costs stay far from the largest floating-point number.
pub(crate) const MOST_FLOW: f64 = 1e15;

/// Absolute tolerance of side lengths and ratios against their limits; optima lie exactly on the limit.
pub const TOLERANCE: f64 = 1e-6;

/// Aspect limit of files that state none.
pub(crate) const DEFAULT_ASPECT: f64 = 4.0;

/// Permitted shapes of a department.
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

/// Distance between the centroids of two departments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Distance {
    /// |x_i − x_j| + |y_i − y_j|.
    #[default]
    Rectilinear,
    /// √((x_i − x_j)² + (y_i − y_j)²).
    Euclidean,
}

impl Distance {
    /// Distance of two points that differ by this much along x and along y.
    #[inline(always)]
    pub fn between(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Rectilinear => x.abs() + y.abs(),
            Self::Euclidean => (x * x + y * y).sqrt(),
        }
    }
}

/// Unit of lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Unit {
    /// mm.
    Millimetre,
    /// cm.
    Centimetre,
    /// m.
    Metre,
    /// in.
    Inch,
    /// ft.
    Foot,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 5] = gridwright_core::variants();

    /// Symbol in files and texts.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Millimetre => "mm",
            Self::Centimetre => "cm",
            Self::Metre => "m",
            Self::Inch => "in",
            Self::Foot => "ft",
        }
    }

    /// Symbol of the square of the unit, in texts.
    pub fn area_symbol(self) -> &'static str {
        match self {
            Self::Millimetre => "mm²",
            Self::Centimetre => "cm²",
            Self::Metre => "m²",
            Self::Inch => "in²",
            Self::Foot => "ft²",
        }
    }

    /// Length of the unit in millimetres.
    pub(crate) fn millimetres(self) -> f64 {
        match self {
            Self::Millimetre => 1.0,
            Self::Centimetre => 10.0,
            Self::Metre => 1_000.0,
            Self::Inch => 25.4,
            Self::Foot => 304.8,
        }
    }

    /// Value of $INSUNITS in drawings (Autodesk, «DXF Reference», HEADER section).
    pub(crate) fn insertion_code(self) -> usize {
        match self {
            Self::Inch => 1,
            Self::Foot => 2,
            Self::Millimetre => 4,
            Self::Centimetre => 5,
            Self::Metre => 6,
        }
    }

    /// Unit of a symbol of lengths or areas, such as `m`, `m²`, `sq ft`; `None` for other texts.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let text = text.strip_prefix("sq").unwrap_or(&text).trim_start_matches(['.', ' ']);
        let text = text.trim_end_matches(['²', '2']);
        match text {
            "metre" | "metres" | "meter" | "meters" | "qm" => Some(Self::Metre),
            "foot" | "feet" => Some(Self::Foot),
            "inch" | "inches" => Some(Self::Inch),
            _ => Self::ALL.into_iter().find(|unit| unit.symbol() == text),
        }
    }
}

/// Department: a part of the plant of given area.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Department {
    /// Name, unique in the instance.
    pub name: String,
    /// Area in square units of length; more than 0.
    pub area: f64,
    /// Permitted shapes.
    pub limit: Limit,
    /// True for a dummy department: free floor without flow.
    pub dummy: bool,
    /// Prices of moving it away from its place today.
    #[serde(default)]
    pub relocation: RelocationPrice,
}

/// Published value of an instance.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Material handling cost.
    pub value: f64,
    /// Kind of the value, such as «proven FBS optimum, vertical bays».
    pub kind: String,
    /// Publication.
    pub source: String,
}

/// Instance of the unequal-area facility layout problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instance {
    /// Short name, such as `O9`.
    pub name: String,
    /// W, size of the plant along x in units of length.
    pub width: f64,
    /// H, size of the plant along y in units of length.
    pub height: f64,
    /// Departments, in the order of the file.
    pub departments: Vec<Department>,
    /// Directed flows f_ij, row-major: departments × departments, row i → column j.
    pub flows: Vec<f64>,
    /// Products, whose trips are part of the flows.
    pub products: Vec<Product>,
    /// The flows without those of products; empty if there are no products.
    pub own_flows: Vec<f64>,
    /// Closeness ratings `(i, j, rating)`, one per unordered pair of the file; the rating is one of A E I O U X.
    pub closeness: Vec<(u16, u16, char)>,
    /// Weights of the ratings in the closeness score.
    pub weights: Weights,
    /// Distance measure.
    pub distance: Distance,
    /// Unit of lengths; `None` if unknown.
    pub unit: Option<Unit>,
    /// Unit of flows, such as «pallets/day»; empty if unknown.
    pub flow_unit: String,
    /// Doors of the plant.
    pub doors: Vec<Door>,
    /// Flows between departments and doors, those of products last.
    pub door_flows: Vec<DoorFlow>,
    /// Fixed things, outline and fixed departments.
    pub building: Building,
    /// Places of departments in today's layout, at most one for each department.
    pub today: Vec<Placed>,
    /// Locks and pairs to be kept apart.
    pub rules: Rules,
    /// Published values.
    pub references: Vec<Reference>,
    /// Warnings of the reader, one sentence each.
    pub warnings: Vec<String>,
    /// SHA-256 of the file, or of the generator's parameters as text, in hexadecimal.
    pub hash: String,
}

impl Instance {
    /// Returns the instance if its data are consistent.
    ///
    /// # Errors
    /// [`Error::Usage`] where there are no departments or too many, where a number is negative, not finite or beyond reason,
    /// where areas exceed the plant, where flows are not departments × departments, and where two departments have the same name.
    ///
    /// Free floor has no limit of shape, whatever the data state for it.
    pub fn validated(mut self) -> Result<Self> {
        for free in self.departments.iter_mut().filter(|department| department.dummy) {
            free.limit = Limit::None;
        }
        let wrong = |what: String| Error::Usage(format!("{}: {what}", self.name));
        let n = self.departments.len();
        if n == 0 || n > MAX_DEPARTMENTS {
            return Err(wrong(format!("{n} departments; there must be 1 to {MAX_DEPARTMENTS}")));
        }
        self.check_floor().and_then(|()| self.check_names()).map_err(wrong)?;
        self.check_building().and_then(|()| self.check_room()).map_err(wrong)?;
        self.check_flows().and_then(|()| self.check_ratings()).map_err(wrong)?;
        self.check_relocation().and_then(|()| self.check_doors()).map_err(wrong)?;
        self.rules.check(&self)?;
        Ok(self)
    }

    /// Checks the plant, areas and limits.
    fn check_floor(&self) -> std::result::Result<(), String> {
        for (side, size) in [("width", self.width), ("height", self.height)] {
            if !(SIDES.0..SIDES.1).contains(&size) {
                return Err(format!(
                    "the {side} of the plant is {size}; it must be more than 0, at least 10⁻⁶, and less than 10⁹: \
                     choose another unit"
                ));
            }
        }
        for department in &self.departments {
            let name = quoted(&department.name);
            let area = department.area;
            if !(area.is_finite() && area > 0.0) {
                return Err(format!("department {name} has area {area}; areas must be more than 0"));
            }
            if area < LEAST_SHARE * self.width * self.height {
                return Err(format!(
                    "department {name} has area {area}, less than 10⁻¹² of the plant; leave it out or correct the area"
                ));
            }
            match department.limit {
                Limit::Aspect(most) if !(most.is_finite() && most >= 1.0) => {
                    return Err(format!(
                        "department {name} has aspect limit {most}; the longer side is never less than 1 times the shorter"
                    ));
                }
                Limit::MinSide(least) if !(least.is_finite() && least >= 0.0) => {
                    return Err(format!("department {name} has least side {least}; it must be 0 or more"));
                }
                Limit::Range(low, high) if !(low > 0.0 && high.is_finite() && low <= high) => {
                    return Err(format!("department {name} has the range of shapes {low} to {high}, which holds none"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that the areas fit into the plant, and beside fixed things.
    fn check_room(&self) -> std::result::Result<(), String> {
        let (total, plant, usable) = (self.total_area(), self.width * self.height, self.usable_area());
        // Published data are rounded.
        if total <= usable * (1.0 + 1e-9) {
            return Ok(());
        }
        // Without what products of binary fractions leave behind: 111.02, not 111.01999999999998.
        let [total, plant, usable] = [total, plant, usable].map(|area| (area * 1e6).round() / 1e6);
        if self.building.parts.is_empty() {
            return Err(format!(
                "the areas add up to {total} and the plant has {plant}; enlarge the plant or make departments smaller"
            ));
        }
        Err(format!(
            "the areas add up to {total}, and fixed things and the outside leave {usable} of the plant's {plant}; enlarge the \
             plant, or make departments or fixed things smaller"
        ))
    }

    fn check_names(&self) -> std::result::Result<(), String> {
        let mut places = HashMap::with_capacity(self.len());
        for (at, department) in self.departments.iter().enumerate() {
            if department.name.is_empty() {
                return Err(format!("department {} has no name; give each department a name of its own", at + 1));
            }
            if let Some(first) = places.insert(department.name.as_str(), at) {
                let name = quoted(&department.name);
                return Err(format!("departments {} and {} are both called {name}; rename one", first + 1, at + 1));
            }
        }
        Ok(())
    }

    fn check_flows(&self) -> std::result::Result<(), String> {
        let n = self.len();
        if self.flows.len() != n * n {
            let found = self.flows.len();
            return Err(format!("{found} flows where {n} × {n} departments need one each"));
        }
        if let Some(at) = self.flows.iter().position(|flow| !(flow.is_finite() && *flow >= 0.0)) {
            let [from, to] = [at / n, at % n].map(|place| quoted(&self.departments[place].name));
            return Err(format!("the flow from {from} to {to} is {}; flows are numbers of 0 or more", self.flows[at]));
        }
        if let Some(at) = self.flows.iter().position(|flow| *flow > MOST_FLOW) {
            let [from, to] = [at / n, at % n].map(|place| quoted(&self.departments[place].name));
            let flow = self.flows[at];
            return Err(format!(
                "the flow from {from} to {to} is {flow:e}; at most 10¹⁵ can be handled, use a larger unit"
            ));
        }
        Ok(())
    }

    fn check_ratings(&self) -> std::result::Result<(), String> {
        let n = self.len();
        let mut rated = HashSet::with_capacity(self.closeness.len());
        for &(one, other, rating) in &self.closeness {
            if one == other || usize::from(one.max(other)) >= n || !RATINGS.contains(&rating) {
                return Err("a rating of closeness names no pair of departments, or no letter A E I O U X".to_owned());
            }
            if !rated.insert((one.min(other), one.max(other))) {
                let [one, other] = [one, other].map(|at| quoted(&self.departments[usize::from(at)].name));
                return Err(format!("the closeness of {one} and {other} is rated twice; keep one of the ratings"));
            }
        }
        Ok(())
    }

    /// Unit of lengths in texts: «m», or «units of length» if unknown.
    pub fn unit_words(&self) -> &'static str {
        self.unit.map_or("units of length", Unit::symbol)
    }

    /// Heading of a column of lengths, with the unit if it is known: «Width (m)».
    pub(crate) fn length_heading(&self, name: &str) -> String {
        heading(name, self.unit.map_or("", Unit::symbol))
    }

    /// Heading of a column of areas, with the unit if it is known: «Area (m²)».
    pub(crate) fn area_heading(&self, name: &str) -> String {
        heading(name, self.unit.map_or("", Unit::area_symbol))
    }

    /// Heading of a column of flows, with the unit if it is known: «Flow (pallets/day)».
    pub(crate) fn flow_heading(&self, name: &str) -> String {
        heading(name, &self.flow_unit)
    }

    /// Number of departments, n.
    pub fn len(&self) -> usize {
        self.departments.len()
    }

    /// Returns `true` if the instance has no departments.
    pub fn is_empty(&self) -> bool {
        self.departments.is_empty()
    }

    /// Flow f_ij + f_ji between two departments (indices).
    pub fn flow(&self, one: usize, other: usize) -> f64 {
        let n = self.len();
        self.flows[one * n + other] + self.flows[other * n + one]
    }

    /// Sum of all areas, Σ a_i, in square units of length.
    pub fn total_area(&self) -> f64 {
        self.departments.iter().map(|department| department.area).sum()
    }

    /// Number of unordered pairs with flow.
    pub fn flow_pairs(&self) -> usize {
        (0..self.len()).map(|one| (0..one).filter(|&other| self.flow(one, other) > 0.0).count()).sum()
    }

    /// Index of the department with this name; `None` if there is none.
    pub fn department_index(&self, name: &str) -> Option<usize> {
        self.departments.iter().position(|department| department.name == name)
    }

    /// Largest aspect limit among the departments that have one; `None` if none has one.
    pub fn shape_limit(&self) -> Option<f64> {
        let limit = |department: &Department| match department.limit {
            Limit::Aspect(most) => Some(most),
            _ => None,
        };
        self.departments.iter().filter_map(limit).reduce(f64::max)
    }
}

#[cfg(test)]
impl Instance {
    /// A plant of 6 × 4 with departments A 8, B 4, C 12 and flows A → B 2, B → A 1, A → C 5, B → C 1, small enough to be
    /// computed by hand.
    pub(crate) fn example() -> Self {
        let department = |name: &str, area| Department { name: name.to_owned(), area, ..Department::default() };
        Self {
            name: "example".to_owned(),
            width: 6.0,
            height: 4.0,
            departments: vec![department("A", 8.0), department("B", 4.0), department("C", 12.0)],
            flows: vec![0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs of such numbers would be infinite, and their differences not a number.
    #[test]
    fn numbers_beyond_reason_are_refused() {
        let refused = |change: &dyn Fn(&mut Instance)| {
            let mut instance = Instance::example();
            change(&mut instance);
            instance.validated().unwrap_err().to_string()
        };
        assert!(Instance::example().validated().is_ok());
        assert!(refused(&|instance| instance.flows[1] = 1e308).contains("at most 10¹⁵"));
        assert!(refused(&|instance| instance.departments[0].area = 1e-300).contains("10⁻¹²"));
        assert!(refused(&|instance| instance.width = 1e-300).contains("width"));
    }
}
