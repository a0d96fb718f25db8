//! Layouts and rules for data that have changed: departments are matched by name.

use std::collections::{BTreeSet, HashSet};

use super::evaluation::{Problem, Score};
use super::genes::of_layout;
use super::names::Names;
use super::stored::{NamedRules, StoredSolution};
use super::{Instance, Layout, Orientation, Placed, Rectangle, Rules};
use gridwright_core::data::FormerNames;
use gridwright_core::numbers::counted;
use gridwright_core::result::Encoded;
use gridwright_core::text::lines::{listed, quoted};

/// Layout of a stored solution for other data, and the numbers of departments that were left out and added: a department that
/// is gone is left out, a new one is put at the end of a bay, or into a bay of its own, where it breaks and costs least.
/// `None` if the value is no layout.
pub fn layout(instance: &Instance, solution: &Encoded) -> Option<(Layout, [usize; 2])> {
    match solution.decode()? {
        StoredSolution::Layout(orientation, stored) => Some(bays(instance, orientation, stored)),
        StoredSolution::Rectangles(stored) => Some(rectangles(instance, stored)),
    }
}

/// Layout of rectangles for other data. A new department lies in the lower left corner of the plant, as square as the plant
/// allows: over others, which the checker reports, until somebody gives it a place.
fn rectangles(instance: &Instance, stored: Vec<(String, Rectangle)>) -> (Layout, [usize; 2]) {
    let names = Names::of(&instance.departments);
    let mut places: Vec<Option<Rectangle>> = vec![None; instance.len()];
    let mut gone = 0;
    for (name, rectangle) in stored {
        let known = names.find(&name).filter(|&at| places[at].is_none() && rectangle.is_sound());
        known.map_or_else(|| gone += 1, |at| places[at] = Some(rectangle));
    }
    let new = places.iter().filter(|place| place.is_none()).count();
    let placed = places.into_iter().zip(&instance.departments).zip(0..).map(|((place, one), department)| {
        let width = one.area.sqrt().min(instance.width).max(one.area / instance.height);
        let corner = Rectangle { x: 0.0, y: 0.0, width, height: one.area / width };
        Placed { department, rectangle: place.unwrap_or(corner) }
    });
    (Layout::of_rectangles(placed.collect()), [gone, new])
}

/// Layout with bays for other data.
fn bays(instance: &Instance, orientation: Orientation, stored: Vec<Vec<String>>) -> (Layout, [usize; 2]) {
    let names = Names::of(&instance.departments);
    let mut is_placed = vec![false; instance.len()];
    let mut bays: Vec<Vec<u16>> = Vec::with_capacity(stored.len());
    let mut gone = 0;
    for bay in stored {
        let mut kept = Vec::with_capacity(bay.len());
        for name in bay {
            match names.find(&name).filter(|&at| !std::mem::replace(&mut is_placed[at], true)) {
                Some(at) => kept.push(at as u16),
                None => gone += 1,
            }
        }
        bays.push(kept);
    }
    bays.retain(|bay| !bay.is_empty());
    let mut layout = Layout::of_bays(orientation, bays);
    let new: Vec<u16> = (0..instance.len() as u16).filter(|&at| !is_placed[usize::from(at)]).collect();
    for (done, &department) in new.iter().enumerate() {
        // The departments that follow lie in a bay behind, so that all are evaluated.
        let behind = &new[done + 1..];
        layout = placed(instance, &layout, department, behind);
    }
    (layout, [gone, new.len()])
}

fn placed(instance: &Instance, layout: &Layout, department: u16, behind: &[u16]) -> Layout {
    let problem = Problem::new(instance, layout.orientation);
    let mut places = problem.places();
    let mut best: (Score, Layout) = (Score::WORST, layout.clone());
    for bay in 0..=layout.bays.len() {
        let mut tried = layout.clone();
        match tried.bays.get_mut(bay) {
            Some(bay) => bay.push(department),
            None => tried.bays.push(vec![department]),
        }
        let mut whole = tried.clone();
        whole.bays.push(behind.to_vec());
        whole.bays.retain(|bay| !bay.is_empty());
        let score = problem.evaluate(&of_layout(&whole), &mut places);
        if bay == 0 || score.is_better(&best.0) {
            best = (score, tried);
        }
    }
    best.1
}

/// Rules for other data, and the number of rules about departments that are gone. `demands` hold for `from`; pairs that the
/// data themselves keep apart, or no longer keep apart, follow `to`.
pub fn rules(from: &Instance, to: &Instance, demands: &Rules, names: &FormerNames) -> (Rules, usize) {
    let count = |rules: &Rules| rules.locks.len() + rules.fixed.len() + rules.placed.len() + rules.apart.len();
    let carried = |rules: &Rules| NamedRules::of(from, rules).renamed(names).resolved(to);
    let mut rules = carried(demands);
    let lost = count(demands) - count(&rules);
    let before: Vec<(u16, u16)> = carried(&from.rules).apart.into_iter().map(sorted).collect();
    let now: Vec<(u16, u16)> = to.rules.apart.iter().map(|pair| sorted(*pair)).collect();
    rules.apart.retain(|pair| !before.contains(&sorted(*pair)) || now.contains(&sorted(*pair)));
    let known: Vec<(u16, u16)> = rules.apart.iter().map(|pair| sorted(*pair)).collect();
    rules.apart.extend(now.into_iter().filter(|pair| !before.contains(pair) && !known.contains(pair)));
    (rules, lost)
}

/// Remarks about rules that are lost with departments, which the remarks name.
pub fn lost_rules(from: &Instance, to: &Instance, demands: &Rules, lost: usize) -> Vec<String> {
    let single = demands.locks.iter().map(|lock| lock.department).chain(demands.fixed.iter().map(|one| one.department));
    let single = single.chain(demands.placed.iter().map(|one| one.department));
    let named: BTreeSet<u16> = single.chain(demands.apart.iter().flat_map(|&(one, other)| [one, other])).collect();
    let known: HashSet<&str> = to.departments.iter().map(|department| department.name.as_str()).collect();
    let named = named.into_iter().filter_map(|at| from.departments.get(usize::from(at)));
    let gone: Vec<String> =
        named.filter(|one| !known.contains(one.name.as_str())).map(|one| quoted(&one.name)).collect();
    let rules = counted(lost, "rule");
    (lost > 0).then(|| format!("{rules} about departments that are gone: {}", listed(&gone))).into_iter().collect()
}

fn sorted((one, other): (u16, u16)) -> (u16, u16) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::stored::encode;
    use crate::{Department, Lock};
    use gridwright_core::data::Tables as _;

    /// A, B and C become B, C and D.
    fn changed() -> Instance {
        let mut instance = Instance::example();
        instance.departments.remove(0);
        instance.departments.push(Department { name: "D".to_owned(), area: 6.0, ..Department::default() });
        instance
    }

    #[test]
    fn departments_that_are_gone_are_left_out_and_new_ones_find_a_place() {
        let before = Layout::of_bays(Orientation::Vertical, vec![vec![0], vec![1, 2]]);
        let encoded = encode(&Instance::example(), &before);
        let (carried, counts) = layout(&changed(), &encoded).unwrap();
        assert_eq!((counts, carried.bays[0].starts_with(&[0, 1])), ([1, 1], true), "{carried:?}");
        assert!(
            check(&changed(), &carried).violations.iter().all(|one| one.kind != crate::check::ViolationKind::Missing)
        );
        assert_eq!(layout(&Instance::example(), &encoded).unwrap(), (before, [0, 0]));
    }

    #[test]
    fn rules_follow_their_departments() {
        let (mut from, mut to) = (Instance::example(), changed());
        from.rules.apart = vec![(0, 1), (1, 2)];
        to.rules.apart = vec![(2, 1)];
        let locks = vec![Lock { department: 0, bay: 0, place: None }, Lock { department: 2, bay: 1, place: None }];
        let demands = Rules { locks, apart: vec![(0, 2), (2, 1)], ..Rules::default() };
        let (rules, lost) = rules(&from, &to, &demands, &FormerNames::default());
        assert_eq!((rules.locks, lost), (vec![Lock { department: 1, bay: 1, place: None }], 2));
        assert_eq!(rules.apart, [(1, 2)], "B and C are no longer rated X, C and D now are");
    }

    #[test]
    fn layouts_and_rules_follow_departments_with_another_name() {
        let (from, mut to) = (Instance::example(), Instance::example());
        let (former, present) = (from.departments[2].name.clone(), "Packing".to_owned());
        to.departments[2].name.clone_from(&present);
        let names = FormerNames::default().with(Instance::TABLES, &to.to_data(), 0, &[(former, present)]);
        let locks = vec![Lock { department: 2, bay: 1, place: None }];
        let demands = Rules { locks, apart: vec![(0, 2)], ..Rules::default() };
        assert_eq!(rules(&from, &to, &demands, &names), (demands.clone(), 0));
        assert_eq!(rules(&from, &to, &demands, &FormerNames::default()).1, 2);
        let before = Layout::of_bays(Orientation::Vertical, vec![vec![0], vec![2, 1]]);
        let renamed = crate::stored::renamed(&encode(&from, &before), &names).unwrap();
        assert_eq!(layout(&to, &renamed).unwrap(), (before, [0, 0]));
    }
}
