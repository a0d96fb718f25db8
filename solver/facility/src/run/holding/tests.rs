use super::*;
use crate::memetic::MemeticParameters;
use crate::run::{Algorithm, Settings, solve};
use crate::{Lock, Orientation, Rules, library};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::{Budget, Control};

/// An instance without rules, and a layout of a short run in bays of an orientation.
pub(crate) fn solved(name: &str, orientation: Orientation, steps: u64) -> (Instance, Layout) {
    let sample = crate::formats::open(name, &crate::formats::LoadOptions::default()).unwrap();
    let instance = Instance { rules: Rules::default(), ..sample };
    let algorithm = Algorithm::Memetic(MemeticParameters::default());
    let settings = Settings { goal: Some(orientation), threads: 1, ..Settings::of(algorithm, Budget::Steps(steps)) };
    let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    let layout = crate::stored::decode(&instance, &result.solution).unwrap();
    (instance, layout)
}

/// A place that is drawn: exchanged with another department, within or into a bay, or in a bay of its own.
pub(crate) fn drawn(layout: &Layout, count: usize, number: u32) -> Held {
    let words = Philox::new(7).words(number, 0, 0, 0);
    let department = index(words[0], count as u32) as u16;
    let mut bays = without(layout, department);
    match index(words[1], 8) {
        0 => {
            let other = index(words[2], count as u32) as u16;
            let exchange = |one: u16| match one {
                one if one == department => other,
                one if one == other => department,
                one => one,
            };
            bays = layout.bays.iter().map(|bay| bay.iter().copied().map(exchange).collect()).collect();
        }
        1 => bays.insert(index(words[2], bays.len() as u32 + 1) as usize, vec![department]),
        _ => {
            let bay = index(words[2], bays.len() as u32) as usize;
            let place = index(words[3], bays[bay].len() as u32 + 1) as usize;
            bays[bay].insert(place, department);
        }
    }
    Held { department, dropped: Layout::of_bays(layout.orientation, bays) }
}

/// Bay and place of a department.
fn place_of(layout: &Layout, department: u16) -> Option<(usize, usize)> {
    let own = |bay: &Vec<u16>| bay.iter().position(|&other| other == department);
    layout.bays.iter().enumerate().find_map(|(number, bay)| Some((number, own(bay)?)))
}

/// Bays without some departments; empty ones are left out.
fn rest(layout: &Layout, gone: &[u16]) -> Vec<Vec<u16>> {
    let others = |bay: &Vec<u16>| bay.iter().copied().filter(|other| !gone.contains(other)).collect();
    let bays: Vec<Vec<u16>> = layout.bays.iter().map(others).collect();
    bays.into_iter().filter(|bay| !bay.is_empty()).collect()
}

/// Wherever a department is held, with locks, locked rectangles and pairs to be kept apart: it lies there, nothing is broken that held
/// before, the others but the listed ones lie as before, the costs are the checker's, no answer costs more than the department alone where
/// that breaks nothing, and the same question has the same answer.
#[test]
fn whatever_is_held_nothing_breaks_and_the_answer_is_the_same_again() {
    let mut found = 0;
    for orientation in Orientation::ALL {
        let (mut instance, layout) = solved("sample:layout-workshop", orientation, 60);
        for number in 0..60_u32 {
            let words = Philox::new(9).words(number, 0, 0, 0);
            let [one, other, third, _] = words.map(|word| index(word, instance.len() as u32) as u16);
            instance.rules = Rules::default();
            match number % 4 {
                1 => {
                    let (bay, place) = place_of(&layout, one).unwrap();
                    let place = Some(place as u16).filter(|_| words[3].is_multiple_of(2));
                    instance.rules.locks.push(Lock { department: one, bay: bay as u16, place });
                }
                2 => instance.rules.fix(&instance.clone(), &layout, one),
                3 if other != third => instance.rules.apart.push((other, third)),
                _ => {}
            }
            let held = drawn(&layout, instance.len(), number);
            let ask = || rearranged(&instance, &layout, &held, 5, &|| false);
            let Some(answer) = ask() else { continue };
            found += 1;
            let about = format!("{orientation:?}, {number}: {answer:?}");
            let (before, after) = (check(&instance, &layout), check(&instance, &answer.layout));
            assert_eq!(place_of(&answer.layout, held.department), place_of(&held.dropped, held.department), "{about}");
            assert!(answer.layout.is_whole(instance.len()) && breaks_nothing(&before, &after), "{about}");
            let alone = check(&instance, &held.dropped);
            assert_eq!(answer.costs, [before.cost, alone.cost, after.cost], "{about}");
            assert!(after.cost <= alone.cost * (1.0 + 1e-9) || !alone.feasible, "{about}");
            let gone: Vec<u16> = answer.moved.iter().copied().chain([held.department]).collect();
            assert!(!answer.moved.contains(&held.department));
            assert_eq!(rest(&layout, &gone), rest(&answer.layout, &gone), "{about}");
            assert_eq!(ask().as_ref(), Some(&answer), "{about}");
        }
    }
    assert!(found >= 72, "{found} of 120 places were found");
}

#[test]
fn a_place_that_costs_nothing_moves_nothing() {
    let (instance, layout) = solved("sample:layout-workshop", Orientation::Vertical, 40);
    let here = Held { department: 3, dropped: layout.clone() };
    let answer = rearranged(&instance, &layout, &here, 1, &|| false).unwrap();
    assert_eq!((&answer.layout, answer.moved.len(), answer.costs[0]), (&layout, 0, answer.costs[2]));
    let elsewhere = drawn(&layout, instance.len(), 3);
    assert_eq!(rearranged(&instance, &layout, &elsewhere, 1, &|| true), None);
    let free = Layout::of_rectangles(Vec::new());
    assert_eq!(rearranged(&instance, &free, &here, 1, &|| false), None);
}

/// A department that leaves its bay and one that goes the other way: both have moved, the bays between count as before.
#[test]
fn only_departments_with_another_place_among_the_others_have_moved() {
    let bays = |bays: &[&[u16]]| Layout::of_bays(Orientation::Vertical, bays.iter().map(|bay| bay.to_vec()).collect());
    let before = bays(&[&[0, 1, 2], &[3], &[4, 5, 6]]);
    let moved = |after: &[&[u16]], held| kept::moved(&before, &bays(after), held);
    assert_eq!(moved(&[&[1, 2], &[3], &[4, 0, 5, 6]], 0), [0_u16; 0]);
    assert_eq!(moved(&[&[1, 2], &[4, 5, 6], &[3]], 0).len(), 1, "one bay goes past another");
    assert_eq!(moved(&[&[4, 1, 2], &[3], &[0, 5, 6]], 0), [4], "exchanged");
    assert_eq!(moved(&[&[0, 1, 2], &[4, 5, 6, 3]], 3), [0_u16; 0], "its bay is gone");
    assert_eq!(moved(&[&[0, 2, 1], &[3], &[4, 5, 6]], 0).len(), 1);
    assert_eq!(moved(&[&[0], &[1], &[2], &[3], &[4, 5, 6]], 9).len(), 2, "two of them have bays of their own");
}

#[test]
fn texts_of_held_departments_are_read_and_others_explained() {
    let instance = library::sample("layout-workshop").unwrap();
    let layout = Layout::of_bays(Orientation::Vertical, vec![(0..6).collect(), (6..12).collect()]);
    let name = &instance.departments[0].name;
    let of = |place: &str| Held::of(&instance, &layout, &format!("{name}={place}"));
    assert_eq!(of("2:1").unwrap().dropped.bays, [vec![1, 2, 3, 4, 5], vec![0, 6, 7, 8, 9, 10, 11]]);
    assert_eq!(of("1:6").unwrap().dropped.bays[0], [1, 2, 3, 4, 5, 0]);
    assert_eq!(of("3:1").unwrap().dropped.bays[2], [0]);
    for (place, piece) in
        [("4:1", "bays are 1 to 3"), ("2:8", "places 1 to 7"), ("2", "such as Saw=2:1"), ("0:1", "counted from 1")]
    {
        assert!(of(place).unwrap_err().to_string().contains(piece), "{place}");
    }
    assert!(Held::of(&instance, &layout, "nobody=1:1").unwrap_err().to_string().contains("no department"));
}

/// With a held department alone, the layout in which others follow is the result, which can be replayed; a search from there keeps it.
#[test]
fn a_held_department_lies_at_its_place_in_the_result() {
    use crate::problem::Facility;
    use gridwright_core::planning::Planning;
    use gridwright_core::problem::Overrides;

    let (instance, layout) = solved("sample:layout-workshop", Orientation::Horizontal, 40);
    let held = (0..40).map(|number| drawn(&layout, instance.len(), number)).find(|held| {
        rearranged(&instance, &layout, held, 1, &|| false)
            .is_some_and(|found| found.layout.bays.len() == layout.bays.len())
    });
    let held = held.expect("some department can go elsewhere");
    let (bay, place) = place_of(&held.dropped, held.department).unwrap();
    let name = &instance.departments[usize::from(held.department)].name;
    let mut options = Overrides::default();
    options.set("hold", format!("{name}={}:{}", bay + 1, place + 1));
    assert!(Facility::demanded(&instance, &options).unwrap_err().to_string().contains("--around FILE"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monday.sol");
    std::fs::write(&path, crate::export::bytes(&instance, &layout, "sol", &Default::default()).unwrap()).unwrap();
    options.set("around", path.to_str().unwrap());
    let (locked, _) = Facility::demanded(&instance, &options).unwrap().unwrap();
    for budget in [Facility::requested_budget(&options).unwrap(), Budget::Steps(20)] {
        let algorithm = Facility::requested_algorithm(&instance, &options, Some(budget)).unwrap();
        let settings = Settings { threads: 1, ..Settings::of(algorithm, budget) };
        let (start, told) = Facility::beginning(&instance, &settings, &options).unwrap().unwrap();
        assert!(told[0].contains("; cost "), "{told:?}");
        let found = Facility::solve(&locked, &settings, Some(&start), &Control::new(), &mut |_| {}).unwrap();
        let result = crate::stored::decode(&instance, &found.solution).unwrap();
        assert_eq!(place_of(&result, held.department), Some((bay, place)), "{budget:?}");
        assert!(budget != Budget::Steps(0) || result == start, "{result:?} instead of {start:?}");
        assert!(crate::run::replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap().is_equal());
    }
}
