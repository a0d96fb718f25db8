//! Layout problems as tables: departments with areas and limits, flows, closeness ratings, and the plant as a form.

pub(crate) mod building;
mod departments;
pub(crate) mod doors;
mod plant;
pub(crate) mod products;
mod today;

use serde::{Deserialize, Serialize};

use self::plant::{FLOW_UNIT, UNIT};
use super::limits::warn_of_limits;
use super::names::Names;
use super::products::Product;
use super::stored::NamedRules;
use super::{DEFAULT_ASPECT, Department, Instance, Limit, Reference, Rules};
use gridwright_core::data::{ColumnSpec, DataTable, Dataset, Issue, Reader, Row, TableSpec, Tables, ValueKind, Word};
use gridwright_core::encoded::Encoded;
use gridwright_core::text::columns::Column;
use gridwright_core::text::notation::written;

const DEPARTMENTS: usize = 0;
const FLOWS: usize = 1;
const CLOSENESS: usize = 2;
const PLANT: usize = 3;
const PRODUCTS: usize = 4;
const BUILDING: usize = 5;
const TODAY: usize = 6;
const DOORS: usize = 7;
const DOOR_FLOWS: usize = 8;

/// Columns of flows and of closeness ratings.
const FROM: usize = 0;
const TO: usize = 1;
const VALUE: usize = 2;

/// Largest area, flow, limit and weight.
const MOST: f64 = 1e15;
const LENGTH: ValueKind = ValueKind::Number { least: 1e-6, most: 1e9 };
const AMOUNT: ValueKind = ValueKind::Number { least: 0.0, most: MOST };
const RATIO: ValueKind = ValueKind::Number { least: 1e-15, most: MOST };

const fn optional(
    name: &'static str, synonyms: &'static str, title: &'static str, kind: ValueKind, help: &'static str,
) -> ColumnSpec {
    ColumnSpec::new(Column::optional(name, synonyms), title, kind, help)
}

/// Names and areas, as importers know them.
pub(super) const DEPARTMENT: Column = Column::required(
    "department",
    "departments departmentname name room activity abteilung bereich raum τμήμα département service",
);
pub(super) const AREA_COLUMN: Column =
    Column::required("area", "areas aream2 aream² m2 m² surface fläche flächem2 flächem² εμβαδόν superficie");
pub(super) const ASPECT_COLUMN: Column = Column::optional(
    "aspect limit",
    "aspect maxaspect aspectratio maxaspectratio maximumaspectratio alpha α seitenverhältnis",
);
pub(super) const SIDE_COLUMN: Column =
    Column::optional("least side", "minside minimumside shortestside minwidth mindestbreite mindestseite");
pub(super) const FREE_COLUMN: Column = Column::optional("free floor", "dummy free empty freifläche");
pub(super) const MOVE_COLUMN: Column = Column::optional(
    "moving price",
    "movingcost movingcosts moveprice movecost relocationcost relocationprice umzugskosten umzugspreis umzug verlagerungskosten",
);
pub(super) const MOVE_RATE_COLUMN: Column = Column::optional(
    "moving price per length",
    "movingpriceperm movingpricepermetre movingpricepermeter movingpriceperft movingpriceperfoot movingcostperm \
     movingcostpermetre movingcostperlength umzugspreisjem umzugskostenjem umzugspreisjemeter umzugskostenjemeter",
);
pub(super) const WIDTH_COLUMN: Column = Column::required("plant width", "width hallwidth plantx breite largeur");
pub(super) const HEIGHT_COLUMN: Column =
    Column::required("plant height", "height depth length hallheight plantdepth plantlength planty höhe tiefe länge");
pub(super) const UNIT_COLUMN: Column = Column::optional("unit", "units einheit unité");
pub(super) const FROM_COLUMN: Column = Column::required("from", "source origin von de από department1");
pub(super) const TO_COLUMN: Column = Column::required("to", "target destination nach vers à προς department2");
pub(super) const FLOW_COLUMN: Column = Column::required(
    "flow",
    "flows volume trips amount quantity weight pallets loads moves menge fluss flüsse fahrten paletten ladungen flux palettes \
         ροή παλέτες transporte",
);
pub(super) const RATING_COLUMN: Column = Column::required("rating", "closeness rel relationship code letter");

const FLOW_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(FROM_COLUMN, "From", ValueKind::Reference("departments"), "Department that sends."),
    ColumnSpec::new(TO_COLUMN, "To", ValueKind::Reference("departments"), "Department that receives."),
    ColumnSpec::new(FLOW_COLUMN, "Flow", AMOUNT, "Amount per period; repeated pairs add up.")
        .with_unit_in("plant", FLOW_UNIT),
];

const CLOSENESS_COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(FROM_COLUMN, "Department", ValueKind::Reference("departments"), "One of the two departments."),
    ColumnSpec::new(TO_COLUMN, "and", ValueKind::Reference("departments"), "The other department."),
    ColumnSpec::new(
        RATING_COLUMN,
        "Rating",
        ValueKind::Choice(&[Word::of("A"), Word::of("E"), Word::of("I"), Word::of("O"), Word::of("U"), Word::of("X")]),
        "A absolutely necessary, E especially important, I important, O ordinary, U unimportant, X not beside each other.",
    ),
];

const TABLES: [TableSpec; 9] = [
    TableSpec::new("departments", "Departments", "department", "One row per department.", &departments::COLUMNS)
        .assuming(departments::ASSUMED)
        .required(),
    TableSpec::new("flows", "Flows", "flow", "One row per flow from a department to another one.", &FLOW_COLUMNS)
        .pairs(0, 1, Some(2))
        .of_different(),
    TableSpec::new(
        "closeness",
        "Closeness",
        "rating",
        "One row per pair of departments that should, or should not, share a wall.",
        &CLOSENESS_COLUMNS,
    )
    .pairs(0, 1, Some(2))
    .of_different(),
    TableSpec::new(
        "plant",
        "Plant",
        "plant",
        "Size of the plant, units, distances and the weights of the closeness ratings.",
        &plant::COLUMNS,
    )
    .form(),
    TableSpec::new(
        "products",
        "Products",
        "product",
        "One row per product with its route; trips are added to the flows.",
        &products::COLUMNS,
    )
    .later(),
    TableSpec::new(
        "building",
        "Building",
        "part",
        "One row per rectangle that departments avoid, or that a department keeps.",
        &building::COLUMNS,
    )
    .identified_by(&[building::PART, building::KIND, building::DEPARTMENT, building::X, building::Y])
    .later(),
    TableSpec::new(
        "today",
        "Today",
        "rectangle",
        "One row per department with its place in today's layout, from which prices of moving count.",
        &today::COLUMNS,
    )
    .identified_by(&[today::PLACED])
    .later(),
    TableSpec::new(
        "doors",
        "Doors",
        "door",
        "One row per door of the plant at which flows begin or end.",
        &doors::COLUMNS,
    )
    .later(),
    TableSpec::new(
        "door_flows",
        "Flows to doors",
        "flow",
        "One row per flow between a department and a door.",
        &doors::FLOW_COLUMNS,
    )
    .identified_by(&[doors::OF, doors::THROUGH, doors::DIRECTION])
    .later(),
];

/// Data of a layout problem that no table shows; departments by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rest {
    rules: NamedRules,
    /// Pairs rated X at the time, which the rules keep apart unless somebody removed that rule.
    forbidden: Vec<(String, String)>,
    references: Vec<Reference>,
    /// Remarks of the reader; `None` for data that a person has changed.
    warnings: Option<Vec<String>>,
}

impl Instance {
    fn rest(&self) -> Rest {
        let name = |at: u16| self.departments.get(usize::from(at)).map_or_else(String::new, |one| one.name.clone());
        let pair = |one: u16, other: u16| (name(one), name(other));
        Rest {
            rules: NamedRules::of(self, &self.rules),
            forbidden: self.forbidden_pairs().map(|(one, other)| pair(one, other)).collect(),
            references: self.references.clone(),
            warnings: Some(self.warnings.clone()),
        }
    }

    /// Pairs rated X, unless the weight of X is 0.
    fn forbidden_pairs(&self) -> impl Iterator<Item = (u16, u16)> {
        let counts = self.weights.of('X') != 0.0;
        self.closeness.iter().filter(move |rated| rated.2 == 'X' && counts).map(|rated| (rated.0, rated.1))
    }

    /// Rules of [`Rest`] about the departments that there are; pairs that are newly rated X are kept apart, those that are no
    /// longer rated X are not.
    fn rules_of(&self, rest: &Rest) -> Rules {
        let names = Names::of(&self.departments);
        let pair = |(one, other): &(String, String)| Some((names.find(one)? as u16, names.find(other)? as u16));
        let sorted = |(one, other): (u16, u16)| (one.min(other), one.max(other));
        let now: Vec<(u16, u16)> = self.forbidden_pairs().collect();
        let before: Vec<(u16, u16)> = rest.forbidden.iter().filter_map(pair).map(sorted).collect();
        let is_gone = |pair: (u16, u16)| before.contains(&pair) && !now.iter().any(|rated| sorted(*rated) == pair);
        let mut rules = rest.rules.resolved(self);
        rules.apart.retain(|one| !is_gone(sorted(*one)));
        rules.apart.extend(now.iter().filter(|rated| !before.contains(&sorted(**rated))));
        rules
    }
}

impl Tables for Instance {
    const TABLES: &'static [TableSpec] = &TABLES;

    fn to_data(&self) -> Dataset {
        let name = |at: usize| self.departments.get(at).map_or("", |one| one.name.as_str());
        let departments = self.departments.iter().map(departments::row).collect();
        let n = self.len();
        let flows = self.stated_flows().iter().enumerate().filter(|(_, flow)| **flow != 0.0);
        let flows = flows.map(|(at, flow)| Row::of([name(at / n), name(at % n), &written(*flow)])).collect();
        let rated = self.closeness.iter();
        let closeness =
            rated.map(|&(one, other, rating)| Row::of([name(one.into()), name(other.into()), &rating.to_string()]));
        let products = self.products.iter().map(|product| products::row(self, product));
        let table = |rows| DataTable { further: Vec::new(), rows };
        let plant = table([plant::row(self)].into_iter().collect());
        Dataset {
            name: self.name.clone(),
            hash: self.hash.clone(),
            tables: vec![
                table(departments),
                table(flows),
                table(closeness.collect()),
                plant,
                table(products.collect()),
                table(building::rows(self).collect()),
                table(today::rows(self).collect()),
                table(doors::rows(self).collect()),
                table(doors::flow_rows(self).collect()),
            ],
            rest: Encoded::of(&self.rest()),
        }
    }

    fn of_data(data: &Dataset) -> Result<Self, Vec<Issue>> {
        let mut reader = Reader::new(data, &TABLES);
        let rest: Rest = data.decoded_rest()?;
        let mut instance = Self { name: data.name.clone(), hash: data.hash.clone(), ..Self::default() };
        for row in reader.rows(DEPARTMENTS) {
            instance.departments.push(departments::read(&mut reader, DEPARTMENTS, &row));
        }
        let n = instance.len();
        if n > super::MAX_DEPARTMENTS {
            let what = format!("{n} departments; at most {} can be handled", super::MAX_DEPARTMENTS);
            reader.issue(DEPARTMENTS, None, None, what);
            return reader.finish(|| Ok(instance));
        }
        instance.flows = vec![0.0; n * n];
        for row in reader.rows(FLOWS) {
            let [Some(from), Some(to)] = [FROM, TO].map(|column| reader.index_of(DEPARTMENTS, row.text(column))) else {
                continue;
            };
            if from == to {
                let what = "a flow from a department to itself covers no distance; remove the row";
                reader.issue(FLOWS, Some(row.index), Some(TO), what);
            }
            instance.flows[from * n + to] += row.number(VALUE).unwrap_or(0.0);
        }
        for row in reader.rows(CLOSENESS) {
            let [Some(one), Some(other)] = [FROM, TO].map(|column| reader.index_of(DEPARTMENTS, row.text(column)))
            else {
                continue;
            };
            let (one, other) = (one as u16, other as u16);
            let is_same =
                |rated: &(u16, u16, char)| (rated.0, rated.1) == (one, other) || (rated.0, rated.1) == (other, one);
            if one == other {
                let what = "a department is always beside itself; choose another one";
                reader.issue(CLOSENESS, Some(row.index), Some(TO), what);
            } else if instance.closeness.iter().any(is_same) {
                let what = "these two departments are rated already; keep one of the rows";
                reader.issue(CLOSENESS, Some(row.index), None, what);
            }
            instance.closeness.extend(row.text(VALUE).chars().next().map(|rating| (one, other, rating)));
        }
        let products: Vec<Product> =
            reader.rows(PRODUCTS).map(|row| products::read(&mut reader, PRODUCTS, DOORS, &row)).collect();
        let mut rectangles = Vec::new();
        for row in reader.rows(BUILDING) {
            rectangles.extend(building::read(&mut reader, BUILDING, &row, &mut instance.building));
        }
        building::mark_overlaps(&mut reader, BUILDING, &rectangles);
        for row in reader.rows(TODAY) {
            let placed = today::read(&mut reader, TODAY, &row, &instance.today);
            instance.today.extend(placed);
        }
        for row in reader.rows(DOOR_FLOWS) {
            instance.door_flows.extend(doors::read_flow(&reader, DOORS, &row));
        }
        if let Some(row) = reader.form(PLANT) {
            plant::read(&mut instance, &row);
        }
        for row in reader.rows(DOORS) {
            let door = doors::read(&row);
            let fault = instance.door_fault(&door);
            instance.doors.push(door);
            if let Some(why) = fault.filter(|_| instance.width > 0.0 && instance.height > 0.0) {
                reader.issue(DOORS, Some(row.index), Some(doors::X), why);
            }
        }
        if n == 0 {
            reader.issue(DEPARTMENTS, None, None, "there is no department; add a row for each");
        }
        instance.rules = instance.rules_of(&rest);
        instance.references = rest.references;
        reader.finish(|| {
            let mut instance = instance.with_products(products).validated()?;
            match rest.warnings {
                Some(warnings) => instance.warnings = warnings,
                None => warn_of_limits(&mut instance),
            }
            Ok(instance)
        })
    }

    fn template() -> Option<Dataset> {
        let department = |name: &str| Department {
            name: name.to_owned(),
            area: 25.0,
            limit: Limit::Aspect(DEFAULT_ASPECT),
            ..Department::default()
        };
        let instance = Self {
            name: "New layout".to_owned(),
            width: 10.0,
            height: 10.0,
            departments: ["Department 1", "Department 2", "Department 3", "Department 4"].map(department).into(),
            flows: vec![0.0, 5.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0],
            ..Self::default()
        };
        Some(instance.validated().ok()?.to_data())
    }

    fn rest_of_changed(rest: &Encoded) -> Encoded {
        let rest: Rest = rest.decode().unwrap_or_default();
        Encoded::of(&Rest { references: Vec::new(), warnings: None, ..rest })
    }
}

#[cfg(test)]
mod tests;
