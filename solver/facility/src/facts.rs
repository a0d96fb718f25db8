//! Facts about a layout problem and about a layout: sizes, limits, best known values, shapes.

use crate::check::{Moving, Verdict};
use crate::closeness::RATINGS;
use crate::{Instance, Layout, Limit, PartKind, Plan, Rectangle, Unit, library};
use gridwright_core::numbers::{counted, grouped, quantity};
use serde_json::{Map, Value, json};

use gridwright_core::planning::Fact;

/// «12 pairs with flow», and behind them «, 3 flows to doors» where something flows through doors.
pub fn pairs(instance: &Instance) -> String {
    let pairs = format!("{} with flow", counted(instance.flow_pairs(), "pair"));
    match instance.door_pairs().len() {
        0 => pairs,
        doors => format!("{pairs}, {} to doors", counted(doors, "flow")),
    }
}

/// Sizes, limits, flows, demands and what is known of the best layout.
pub fn of_instance(instance: &Instance) -> Vec<Fact> {
    let [width, height, area] = [instance.width, instance.height, instance.total_area()];
    let unit = instance.unit.map(Unit::symbol);
    let plant = format!("{} × {} {}", quantity(width), quantity(height), unit.unwrap_or_default());
    let dummies = instance.departments.iter().filter(|department| department.dummy).count();
    let departments = match dummies {
        0 => grouped(instance.len() as u64),
        dummies => {
            format!("{}, {} of them free floor", grouped(instance.len() as u64), grouped(dummies as u64))
        }
    };
    let symbol = instance.unit.map_or("", Unit::area_symbol);
    let area_of = |value: f64| format!("{} {symbol}", quantity(value)).trim_end().to_owned();
    let free = (instance.usable_area() - area).max(0.0);
    let share = 100.0 * free / (width * height);
    let mut facts = vec![
        Fact::new("departments", "Departments", instance.len().into(), departments),
        Fact::new("dummies", "", dummies.into(), String::new()),
        Fact::new("plant_width", "Plant", json!(width), plant.trim_end().to_owned()),
        Fact::new("plant_height", "", json!(height), String::new()),
        Fact::new("unit", "", json!(unit), String::new()),
        Fact::new("area", "Area of departments", json!(area), area_of(area)),
        Fact::new("free_area", "Left over", json!(free), format!("{} ({share:.1} %)", area_of(free))),
        Fact::new("shape_limit", "Shapes", json!(instance.shape_limit()), limits(instance)),
    ];
    facts.extend(building(instance, &area_of));
    facts.extend(today(instance));
    let n = instance.len();
    let density = if n > 1 { 2.0 * instance.flow_pairs() as f64 / (n * (n - 1)) as f64 } else { 0.0 };
    let total: f64 = instance.flows.iter().sum();
    let flow = format!("{}, density {density:.3}, {} {} in all", pairs(instance), quantity(total), instance.flow_unit);
    let flow = flow.replace("  ", " ");
    facts.push(Fact::new("flow_pairs", "Flows", instance.flow_pairs().into(), flow));
    if !instance.products.is_empty() {
        let count = instance.products.len();
        facts.push(Fact::new("products", "Products", count.into(), format!("{count} with a route")));
    }
    facts.extend(doors(instance));
    facts.push(Fact::new("total_flow", "", json!(total), String::new()));
    facts.push(Fact::new("distance", "Distance", instance.distance.name().into(), instance.distance.name().to_owned()));
    facts.push(Fact::new("closeness", "", ratings(instance), String::new()));
    if !instance.closeness.is_empty() {
        let weights: Map<String, Value> =
            RATINGS.iter().map(|rating| (rating.to_string(), json!(instance.weights.of(*rating)))).collect();
        let text = format!("{} rated, {}", counted(instance.closeness.len(), "pair"), instance.weights.listed());
        facts.push(Fact::new("closeness_weights", "Closeness", weights.into(), text));
    }
    let rules = &instance.rules;
    if !rules.is_empty() {
        let text = format!(
            "{} kept apart, {} locked",
            counted(rules.apart.len(), "pair"),
            counted(rules.locks.len() + rules.fixed.len() + rules.placed.len(), "department")
        );
        let apart: Vec<[&str; 2]> =
            rules.apart.iter().map(|&(one, other)| [name(instance, one), name(instance, other)]).collect();
        let locked =
            rules.locks.iter().map(|lock| lock.department).chain(rules.fixed.iter().map(|fixed| fixed.department));
        let locked = locked.chain(rules.placed.iter().map(|placed| placed.department));
        let locked: Vec<&str> = locked.map(|department| name(instance, department)).collect();
        facts.push(Fact::new("demands", "Demands", json!({ "apart": apart, "locked": locked }), text));
    }
    facts.extend(known(instance));
    facts
}

/// Fixed things, floor outside of the outline and fixed departments; none without a building.
fn building(instance: &Instance, area_of: &dyn Fn(f64) -> String) -> Vec<Fact> {
    let building = &instance.building;
    if building.is_empty() {
        return Vec::new();
    }
    let count = |kind| building.parts.iter().filter(|part| part.kind == kind).count();
    let (fixed, outside, places) = (count(PartKind::Fixed), count(PartKind::Outside), building.places.len());
    let (area, kept) = (building.blocked_area(), counted(places, "department"));
    let text = format!("{} and {outside} outside, {}; {kept} fixed", counted(fixed, "fixed thing"), area_of(area));
    let value = json!({ "fixed": fixed, "outside": outside, "blocked_area": area, "places": places });
    vec![Fact::new("building", "Building", value, text)]
}

/// Places of today and prices of moving; none without places.
fn today(instance: &Instance) -> Option<Fact> {
    let (places, priced) = (instance.today.len(), instance.priced_places().len());
    let text = format!("{} with a place, moving {priced} of them has a price", counted(places, "department"));
    (places > 0).then(|| Fact::new("today", "Today", json!({ "places": places, "priced": priced }), text))
}

/// Doors and the flow through them; none without doors.
fn doors(instance: &Instance) -> Option<Fact> {
    let (count, pairs) = (instance.doors.len(), instance.door_pairs());
    let flow: f64 = pairs.iter().map(|pair| pair.2).sum();
    let text = format!(
        "{}, {} {} to and from {}",
        counted(count, "door"),
        quantity(flow),
        instance.flow_unit,
        counted(pairs.len(), "department")
    );
    let value = json!({ "count": count, "pairs": pairs.len(), "flow": flow });
    (count > 0).then(|| Fact::new("doors", "Doors", value, text.replace("  ", " ")))
}

/// «transport 45 200 + moving 3 100 (4 departments)»; `None` where moving costs nothing.
pub fn cost_split(instance: &Instance, verdict: &Verdict) -> Option<String> {
    let Moving { cost, departments } = &verdict.moving;
    let [transport, moving] = [verdict.transport, *cost].map(quantity);
    let moved = counted(departments.len(), "department");
    instance.has_moving_cost().then(|| format!("transport {transport} + moving {moving} ({moved})"))
}

fn name(instance: &Instance, department: u16) -> &str {
    instance.departments.get(usize::from(department)).map_or("", |department| department.name.as_str())
}

fn ratings(instance: &Instance) -> Value {
    let rated = instance.closeness.iter();
    rated.map(|&(one, other, rating)| json!([name(instance, one), name(instance, other), rating])).collect()
}

/// Describes each kind of limit with the range of its values.
fn limits(instance: &Instance) -> String {
    let (mut aspects, mut sides, mut ranges, mut free) = (Vec::new(), Vec::new(), 0_usize, 0_u64);
    for department in &instance.departments {
        match department.limit {
            Limit::None => free += 1,
            Limit::Aspect(most) => aspects.push(most),
            Limit::MinSide(least) => sides.push(least),
            Limit::Range(..) => ranges += 1,
        }
    }
    let mut parts = Vec::new();
    if !aspects.is_empty() {
        parts.push(format!("at most {} times as long as wide", span(&aspects)));
    }
    if !sides.is_empty() {
        parts.push(format!("no side shorter than {}", span(&sides)));
    }
    if ranges > 0 {
        parts.push(format!("{} with a range of height / width", counted(ranges, "department")));
    }
    if free > 0 {
        parts.push(if parts.is_empty() { "any".to_owned() } else { format!("{} without a limit", grouped(free)) });
    }
    parts.join(", ")
}

/// «4» or «2 to 4».
fn span(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    if least == most { quantity(most) } else { format!("{} to {}", quantity(least), quantity(most)) }
}

fn known(instance: &Instance) -> Vec<Fact> {
    let (best, proven) = (library::best_known(instance), library::is_proven(instance));
    let text = match best {
        None => "nothing is known".to_owned(),
        Some(best) if proven => format!("{}, proven to be the best layout with bays", quantity(best)),
        Some(best) => quantity(best),
    };
    let references: Vec<Value> = instance
        .references
        .iter()
        .map(|one| json!({ "value": one.value, "kind": one.kind, "source": one.source }))
        .collect();
    let mut facts = vec![
        Fact::new("best_known", "Best known", json!(best), text),
        Fact::new("proven", "", json!(best.is_some() && proven), String::new()),
        Fact::new("references", "", references.into(), String::new()),
    ];
    facts.extend(instance.references.iter().enumerate().map(|(at, one)| {
        let text = format!("{}: {} ({})", quantity(one.value), one.kind, one.source);
        Fact::new("", if at == 0 { "Published" } else { " " }, Value::Null, text)
    }));
    facts
}

/// Score, wishes met and pairs rated X; none without ratings.
fn closeness(verdict: &Verdict) -> Vec<Fact> {
    let closeness = &verdict.closeness;
    if !closeness.is_rated() {
        return Vec::new();
    }
    let text = format!(
        "score {}, wishes met {}, X pairs that share a wall {}",
        closeness.score_words(),
        closeness.met_words(),
        closeness.violated_words()
    );
    vec![
        Fact::new("closeness_score", "Closeness", json!(closeness.score), text),
        Fact::new("wishes_met", "", closeness.met.into(), String::new()),
        Fact::new("wishes", "", closeness.wishes.into(), String::new()),
        Fact::new("x_violated", "", closeness.violated.into(), String::new()),
    ]
}

/// Returns orientation and contents of the bays or the rectangles, the aspect ratios of the departments, and the violations.
pub(crate) fn of_layout(instance: &Instance, layout: &Layout, verdict: &Verdict) -> Vec<Fact> {
    let bays: Vec<Vec<&str>> =
        layout.bays.iter().map(|bay| bay.iter().map(|&one| name(instance, one)).collect()).collect();
    let concerned: Vec<&str> = verdict.concerned.iter().map(|&one| name(instance, one)).collect();
    let mut facts = if layout.is_free() {
        let rectangles = layout.rectangles.iter().map(|one| {
            let Rectangle { x, y, width, height } = one.rectangle;
            json!({ "department": name(instance, one.department), "x": x, "y": y, "width": width, "height": height })
        });
        let text = format!("{}, no bays", counted(layout.rectangles.len(), "rectangle"));
        vec![Fact::new("rectangles", "Places", rectangles.collect(), text)]
    } else {
        let orientation = layout.orientation.name();
        vec![
            Fact::new("orientation", "Bays", orientation.into(), format!("{} {orientation}", layout.bays.len())),
            Fact::new("bays", "", json!(bays), String::new()),
        ]
    };
    facts.push(Fact::new("concerned", "", json!(concerned), String::new()));
    if layout.departments().all(|one| usize::from(one) < instance.len()) {
        let plan = Plan::new(instance, layout);
        let placed = layout.departments().filter(|&one| !instance.departments[usize::from(one)].dummy);
        let shapes = placed.map(|one| (plan.departments[usize::from(one)].aspect(), one));
        // Of several the first.
        if let Some((aspect, one)) = shapes.reduce(|most, next| if next.0 > most.0 { next } else { most }) {
            let text = format!("{} to 1: {}", quantity(aspect), name(instance, one));
            facts.push(Fact::new(
                "longest",
                "Longest shape",
                json!({ "department": name(instance, one), "aspect": aspect }),
                text,
            ));
        }
    }
    if !instance.building.parts.is_empty() {
        let (count, area) = verdict.blocked;
        let text = match count {
            0 => "none".to_owned(),
            _ => format!("{count}, {}", quantity(area)),
        };
        let value = json!({ "count": count, "area": area });
        facts.push(Fact::new("blocked", "Overlaps with the building", value, text));
    }
    if let Some(text) = cost_split(instance, verdict) {
        let moved: Vec<&str> = verdict.moving.departments.iter().map(|&(one, _)| name(instance, one)).collect();
        let moving = json!({ "cost": verdict.moving.cost, "departments": moved });
        facts.push(Fact::new("transport", "Of which", json!(verdict.transport), text));
        facts.push(Fact::new("moving", "", moving, String::new()));
    }
    facts.extend(closeness(verdict));
    if !concerned.is_empty() {
        facts.push(Fact::new("", "At fault", Value::Null, concerned.join(", ")));
    }
    facts
}
