//! Comparison of two solutions of a binary problem as text and as JSON.

use gridwright_core::numbers::{counted, grouped};
use gridwright_core::text::aligned::columns;
use std::fmt::Write as _;
use std::path::Path;

use crate::check::check;
use crate::{Instance, export};
use serde_json::{Map, Value, json};

use super::facts;
use gridwright_core::planning::Compared;

/// Bits that are spelled out on a terminal; JSON has them all.
const LISTED: usize = 30;

/// Says how two solutions differ: what each is worth, and what only one of them takes.
pub fn compared(instance: &Instance, solutions: [&[bool]; 2], paths: [&Path; 2]) -> Compared {
    let only = |one: usize| -> Vec<String> {
        let (own, other) = (solutions[one], solutions[1 - one]);
        (0..instance.bits()).filter(|&bit| own[bit] && !other[bit]).map(|bit| instance.bit_name(bit)).collect()
    };
    let only = [only(0), only(1)];
    let costs = solutions.map(|bits| check(instance, bits).cost());
    let [before, after] = costs.map(|cost| instance.kind.fitness(cost));
    let mut out = format!("A  {}\nB  {}\n\n", paths[0].display(), paths[1].display());
    let change = match after.total_cmp(&before) {
        std::cmp::Ordering::Greater => format!("+{} better", facts::fitness_text(instance, after - before)),
        std::cmp::Ordering::Less => format!("−{} worse", facts::fitness_text(instance, before - after)),
        std::cmp::Ordering::Equal => "equal".to_owned(),
    };
    let fitness = [before, after].map(|fitness| facts::fitness_text(instance, fitness));
    let [first, second] = fitness;
    let rows = [["", "A", "B", "change"].map(str::to_owned), ["Fitness".to_owned(), first, second, change]];
    out.push_str(&columns(&rows));
    for (side, bits) in ["A", "B"].into_iter().zip(solutions) {
        let _ = writeln!(out, "{side}: {}", export::in_words(instance, bits));
    }
    let noun = instance.kind.bit_noun();
    for (side, names) in ["A", "B"].into_iter().zip(&only).filter(|(_, names)| !names.is_empty()) {
        let _ = writeln!(out, "\nOnly in {side}, {}: {}", counted(names.len(), noun), listed(names));
    }
    if only.iter().all(Vec::is_empty) {
        out.push_str("\nBoth take the same.\n");
    }
    Compared { text: out, json: object(instance, solutions, &only, paths) }
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(LISTED);
    let rest =
        if more > 0 { format!(" and {} more; --json lists them all", grouped(more as u64)) } else { String::new() };
    format!("{}{rest}", names[..names.len() - more].join(", "))
}

fn object(
    instance: &Instance, solutions: [&[bool]; 2], only: &[Vec<String>; 2], paths: [&Path; 2],
) -> Map<String, Value> {
    let mut object = Map::new();
    for (side, key) in ["a", "b"].into_iter().enumerate() {
        let verdict = check(instance, solutions[side]);
        let fitness = gridwright_core::planning::whole(instance.kind.fitness(verdict.cost()));
        let one = json!({
            "file": paths[side].to_string_lossy(),
            "feasible": verdict.feasible,
            "fitness": fitness,
            "only": only[side],
        });
        object.insert(key.to_owned(), one);
    }
    object.insert("differing_bits".to_owned(), only.iter().map(Vec::len).sum::<usize>().into());
    object
}

#[cfg(test)]
mod tests {
    use crate::library;

    use super::*;

    #[test]
    fn what_only_one_takes_is_named() {
        let instance = library::sample("backpack", 5).unwrap();
        let bits = |text: &str| text.chars().map(|letter| letter == '1').collect::<Vec<bool>>();
        let (before, after) = (bits("10011010"), bits("11010000"));
        let compared = compared(&instance, [&before, &after], [Path::new("a.sol"), Path::new("b.sol")]);
        assert!(compared.text.contains("Only in A, 2 items: Water, Book"), "{}", compared.text);
        assert!(compared.text.contains("Only in B, 1 item: Sleeping bag") && compared.text.contains("+1 better"));
        assert_eq!((&compared.json["differing_bits"], &compared.json["b"]["fitness"]), (&json!(3), &json!(57)));
    }
}
