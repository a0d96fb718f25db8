//! Facts about a binary problem and about a solution: sizes, the grid, the optimum, the elements taken.

use crate::check::{Verdict, Worth, check};
use crate::exact::{self, Front};
use crate::{Instance, Kind, Weight, export};
use gridwright_core::numbers::{counted, grouped, quantity};
use serde_json::{Value, json};

use gridwright_core::planning::Fact;

/// Sizes, the grid and the best there is.
pub fn of_instance(instance: &Instance) -> Vec<Fact> {
    let kind = &instance.kind;
    let mut facts = vec![
        Fact::new("kind", "Kind", kind.name().into(), kind.noun().to_owned()),
        Fact::count("bits", "Bits", instance.bits()),
    ];
    facts.extend(of_kind(kind));
    facts.push(Fact::new("rows", "", instance.rows().into(), String::new()));
    let grid = format!(
        "{} × {} cells; as many iterations, {}, are a run of the paper",
        grouped(instance.rows() as u64),
        grouped(instance.bits() as u64),
        grouped(instance.cells() as u64)
    );
    facts.push(Fact::new("cells", "Grid", instance.cells().into(), grid));
    facts.push(optimum(instance));
    facts.extend(weights(instance));
    facts
}

fn of_kind(kind: &Kind) -> Vec<Fact> {
    let count = |key, label, number: u64| Fact::new(key, label, number.into(), grouped(number));
    match kind {
        Kind::Knapsack { profits, weights, capacity } => {
            let (profit, weight): (u64, u64) = (profits.iter().sum(), weights.iter().sum());
            let share = 100.0 * *capacity as f64 / weight.max(1) as f64;
            let fits = format!("{}, {share:.1} % of what all items weigh", grouped(*capacity));
            vec![
                Fact::new("capacity", "Capacity", (*capacity).into(), fits),
                count("total_profit", "Profit of all items", profit),
                count("total_weight", "Weight of all items", weight),
            ]
        }
        Kind::Deceptive { blocks } => vec![Fact::count("blocks", "Blocks of six bits", *blocks)],
        Kind::NextRelease { costs, values, value_scale, tenths } => {
            let value = values.iter().sum::<u64>();
            let shown = value as f64 / *value_scale as f64;
            vec![
                count("total_cost", "Cost of everything", costs.iter().sum()),
                Fact::new("total_value", "Value of everything", json!(shown), quantity(shown)),
                Fact::new(
                    "weight",
                    "Weight",
                    json!(f64::from(*tenths) / 10.0),
                    format!("{} on what is left out, the rest on what is paid", Weight(*tenths)),
                ),
            ]
        }
        Kind::OneMax { .. } => Vec::new(),
    }
}

/// Formats a fitness: integers without decimals, other values with six.
pub fn fitness_text(instance: &Instance, fitness: f64) -> String {
    match instance.kind {
        Kind::Knapsack { .. } | Kind::OneMax { .. } => quantity(fitness),
        Kind::Deceptive { .. } | Kind::NextRelease { .. } => format!("{fitness:.6}"),
    }
}

/// The fitness as scripts read it.
fn fitness_value(fitness: f64) -> Value {
    gridwright_core::planning::whole(fitness)
}

/// Fitness of the optimum if it can be computed quickly.
pub(crate) fn optimal_fitness(instance: &Instance) -> Option<f64> {
    exact::optimum(instance).map(|bits| instance.kind.fitness(check(instance, &bits).cost()))
}

/// Returns the optimum if it can be computed quickly.
fn optimum(instance: &Instance) -> Fact {
    let Some(bits) = exact::optimum(instance) else {
        let text = "not known; it would take too long to find exactly".to_owned();
        return Fact::new("optimum", "Optimum", Value::Null, text);
    };
    let fitness = instance.kind.fitness(check(instance, &bits).cost());
    let text = match instance.kind {
        Kind::OneMax { .. } => format!("{}, all ones", fitness_text(instance, fitness)),
        _ => format!("{}: {}", fitness_text(instance, fitness), export::in_words(instance, &bits)),
    };
    Fact::new("optimum", "Optimum", fitness_value(fitness), text)
}

/// The best release for each weight.
fn weights(instance: &Instance) -> Vec<Fact> {
    let (Some(front), Kind::NextRelease { value_scale, .. }) = (Front::of(instance), &instance.kind) else {
        return Vec::new();
    };
    let shown = |value: u64| value as f64 / *value_scale as f64;
    let best: Vec<(u8, exact::Point)> = (0..=10).map(|tenths| (tenths, front.points[front.best(tenths)])).collect();
    let row = |(tenths, point): &(u8, exact::Point)| json!({ "weight": f64::from(*tenths) / 10.0, "cost": point.cost, "value": shown(point.value) });
    let words = |(tenths, point): &(u8, exact::Point)| {
        let (cost, value) = (grouped(point.cost), quantity(shown(point.value)));
        format!("{} cost {cost}, value {value}", Weight(*tenths))
    };
    let rows: Vec<Value> = best.iter().map(row).collect();
    let points = counted(front.points.len(), "release");
    let mut facts = vec![Fact::new(
        "front",
        "Front",
        front.points.len().into(),
        format!("{points} that none beats in both cost and value; “front.csv” lists them"),
    )];
    facts.push(Fact::new("best_for_weights", "Best for weight", rows.into(), words(&best[0])));
    facts.extend(best[1..].iter().map(|point| Fact::new("", " ", Value::Null, words(point))));
    facts
}

/// Returns the facts about a solution: its parts and its distance to the optimum.
pub(crate) fn of_verdict(instance: &Instance, verdict: &Verdict) -> Vec<Fact> {
    let fitness = instance.kind.fitness(verdict.cost());
    let mut facts = vec![Fact::new("fitness", "", fitness_value(fitness), String::new())];
    facts.extend(of_worth(instance, verdict));
    let noun = instance.kind.bit_noun();
    let taken = format!("{} of {}", grouped(verdict.ones as u64), counted(instance.bits(), noun));
    facts.push(Fact::new("ones", "Taken", verdict.ones.into(), taken));
    if let Some(best) = optimal_fitness(instance) {
        let text = if !verdict.feasible {
            fitness_text(instance, best)
        } else if fitness >= best {
            format!("{}, reached", fitness_text(instance, best))
        } else {
            let below = fitness_text(instance, best - fitness);
            format!("{}, {below} more", fitness_text(instance, best))
        };
        facts.push(Fact::new("optimum", "Optimum", fitness_value(best), text));
    }
    facts
}

fn of_worth(instance: &Instance, verdict: &Verdict) -> Vec<Fact> {
    let count = |key, label, number: u64| Fact::new(key, label, number.into(), grouped(number));
    match (verdict.worth, &instance.kind) {
        (Worth::Knapsack { profit, weight, overweight, .. }, Kind::Knapsack { capacity, .. }) => {
            let of = format!("{} of {}", grouped(weight), grouped(*capacity));
            let mut facts = vec![count("profit", "Profit", profit), Fact::new("weight", "Weight", weight.into(), of)];
            if overweight > 0 {
                facts.push(count("overweight", "Too much", overweight));
            }
            facts
        }
        (Worth::NextRelease { cost, value, .. }, Kind::NextRelease { value_scale, tenths, .. }) => {
            let shown = value as f64 / *value_scale as f64;
            vec![
                count("release_cost", "What is paid", cost),
                Fact::new("release_value", "Value", json!(shown), quantity(shown)),
                Fact::new("weight", "Weight", json!(f64::from(*tenths) / 10.0), Weight(*tenths).to_string()),
            ]
        }
        (Worth::Deceptive { solved, deceived, .. }, Kind::Deceptive { blocks }) => {
            let solved_text = format!("{} of {}", grouped(solved as u64), counted(*blocks, "block"));
            vec![
                Fact::new("solved", "Solved", solved.into(), solved_text),
                Fact::count("deceived", "Deceived", deceived),
            ]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::library;

    use super::*;

    fn fact(facts: &[Fact], key: &str) -> Fact {
        facts.iter().find(|fact| fact.key == key).unwrap().clone()
    }

    #[test]
    fn optima_are_told_with_what_they_are_made_of() {
        let of = |name: &str| fact(&of_instance(&library::named(name, 5).unwrap()), "optimum");
        let knapsack = of("knapsack:100-1000");
        assert_eq!(
            (knapsack.value, knapsack.text.as_str()),
            (json!(5676), "5\u{2009}676: profit 5\u{2009}676, weight 983 of 1\u{2009}001")
        );
        assert_eq!(of("mmdp:300").value, json!(50));
        assert_eq!(of("onemax:100").text, "100, all ones");
    }

    #[test]
    fn releases_have_a_best_one_for_each_weight() {
        let facts = of_instance(&library::sample("release", 3).unwrap());
        let rows = fact(&facts, "best_for_weights").value;
        assert_eq!(rows.as_array().unwrap().len(), 11);
        assert_eq!(rows[0], json!({ "weight": 0.0, "cost": 0, "value": 0.0 }));
        assert_eq!(rows[10], json!({ "weight": 1.0, "cost": 1200, "value": 86.0 }));
        assert_eq!(fact(&facts, "weight").value, json!(0.3));
    }

    #[test]
    fn solutions_are_measured_against_the_best() {
        let instance = library::sample("backpack", 5).unwrap();
        let text = |bits: [u8; 8]| {
            let verdict = check(&instance, &bits.map(|bit| bit == 1));
            fact(&of_verdict(&instance, &verdict), "optimum").text
        };
        assert_eq!(text([1, 1, 0, 1, 0, 0, 0, 0]), "57, reached");
        assert_eq!(text([1, 0, 0, 0, 0, 0, 0, 0]), "57, 33 more");
        assert_eq!(text([1; 8]), "57");
    }
}
