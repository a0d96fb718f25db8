//! Decisions about a layout that may be worth a look: shapes, fixed things, locks and pairs to be kept apart.

use gridwright_core::numbers::counted;
use gridwright_core::planning::{Decision, DecisionName};

use crate::building::{Part, PartKind};
use crate::comparison::Comparison;
use crate::{Instance, Layout, Limit, Rules};

/// Number of fixed things that are proposed to be removed.
const PROPOSED: usize = 3;

/// All decisions about a layout: shapes, parts of the building, fixed departments, locks and pairs.
pub(crate) fn of(instance: &Instance) -> Vec<Decision<Instance>> {
    [of_shapes(instance), of_building(instance), of_rules(instance)].concat()
}

/// Number of departments whose centres differ between two layouts; 0 if one of them is not whole.
pub(crate) fn moved(instance: &Instance, [before, after]: [&Layout; 2]) -> usize {
    Comparison::of(instance, before, after).map_or(0, |comparison| comparison.moved.len())
}

/// A decision whose instance can be used; `None` if the change leaves none.
fn decision(name: DecisionName, changed: Instance) -> Option<Decision<Instance>> {
    Some(Decision { name, instance: changed.validated().ok()?, is_of_weights: false })
}

/// No limits of shape, for all departments and for each one.
fn of_shapes(instance: &Instance) -> Vec<Decision<Instance>> {
    let limited = |at: &usize| instance.departments[*at].limit != Limit::None;
    let limited: Vec<usize> = (0..instance.len()).filter(limited).collect();
    let free = |name: DecisionName, departments: &[usize]| {
        let mut changed = instance.clone();
        departments.iter().for_each(|&at| changed.departments[at].limit = Limit::None);
        decision(name, changed)
    };
    let all = (!limited.is_empty()).then(|| {
        let words = format!("Any shape for {}", counted(limited.len() as u64, "department"));
        free(DecisionName::proposed("any-shapes", words), &limited)
    });
    let one = |&at: &usize| {
        let name = &instance.departments[at].name;
        free(DecisionName::possible(format!("any-shape-{name}"), format!("Any shape for {name}")), &[at])
    };
    all.flatten().into_iter().chain(limited.iter().filter_map(one)).collect()
}

/// Each part of the building that departments must avoid removed, and departments with a fixed rectangle free.
fn of_building(instance: &Instance) -> Vec<Decision<Instance>> {
    let part = |(at, part): (usize, &Part)| {
        let mut changed = instance.clone();
        changed.building.parts.remove(at);
        let name = DecisionName::possible(format!("without-{}", part.label()), format!("Without {}", part.label()));
        decision(DecisionName { is_proposed: at < PROPOSED, ..name }, changed)
    };
    let is_fixed = |(_, part): &(usize, &Part)| part.kind == PartKind::Fixed;
    let parts = instance.building.parts.iter().enumerate().filter(is_fixed).filter_map(part);
    let places = &instance.building.places;
    let free = (!places.is_empty()).then(|| {
        let mut changed = instance.clone();
        changed.building.places.clear();
        let words = format!("{} with a fixed place may move", counted(places.len() as u64, "department"));
        decision(DecisionName::proposed("free-places", words), changed)
    });
    parts.chain(free.flatten()).collect()
}

/// All locks dropped, and each pair that is to be kept apart.
fn of_rules(instance: &Instance) -> Vec<Decision<Instance>> {
    let rules = &instance.rules;
    let with = |name: DecisionName, rules: Rules| decision(name, Instance { rules, ..instance.clone() });
    let unlocked = rules.has_locks().then(|| {
        with(
            DecisionName::proposed("without-locks", "Without locks"),
            Rules { apart: rules.apart.clone(), ..Rules::default() },
        )
    });
    let name = |department: u16| instance.departments[usize::from(department)].name.as_str();
    let pair = |(at, &(one, other)): (usize, &(u16, u16))| {
        let mut apart = rules.apart.clone();
        apart.remove(at);
        let key = format!("beside-{}-{}", name(one), name(other));
        let words = format!("{} and {} may be adjacent", name(one), name(other));
        let name = DecisionName { is_proposed: at < PROPOSED, ..DecisionName::possible(key, words) };
        with(name, Rules { apart, ..rules.clone() })
    };
    unlocked.flatten().into_iter().chain(rules.apart.iter().enumerate().filter_map(pair)).collect()
}
