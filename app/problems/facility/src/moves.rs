//! Changes to a layout: every one gives another layout of the same departments, with no bay empty.

use gridwright_facility::{Layout, Orientation};

use crate::widgets::floorplan::{Moved, Side, Target};

/// The bay of a department and its place in it; `None` if the department is in no bay.
pub(crate) fn place_of(layout: &Layout, department: u16) -> Option<(usize, usize)> {
    let within = |bay: &Vec<u16>| bay.iter().position(|other| *other == department);
    layout.bays.iter().enumerate().find_map(|(number, bay)| Some((number, within(bay)?)))
}

/// Moves a department to another place of the floor plan; `None` if there is no such place.
pub fn moved(layout: &Layout, moved: Moved) -> Option<Layout> {
    let department = u16::try_from(moved.room).ok()?;
    let (bay, place) = place_of(layout, department)?;
    let mut bays = layout.bays.clone();
    match moved.to {
        Target::Swap(other) => {
            let (other_bay, other_place) = place_of(layout, u16::try_from(other).ok()?)?;
            (bays[bay][place], bays[other_bay][other_place]) = (bays[other_bay][other_place], bays[bay][place]);
        }
        Target::Into { bay: into, place: before } => {
            bays[bay].remove(place);
            // What stood behind it has moved up.
            let before = if into == bay && before > place { before - 1 } else { before };
            let target = bays.get_mut(into)?;
            target.insert(before.min(target.len()), department);
        }
        Target::NewBay(before) => {
            bays[bay].remove(place);
            bays.insert(before.min(layout.bays.len()), vec![department]);
        }
    }
    bays.retain(|bay| !bay.is_empty());
    Some(Layout::of_bays(layout.orientation, bays))
}

/// Returns the move of a department to one side of the drawing: along its bay, or into the bay beside it.
///
/// # Errors
/// Error if no department is selected or there is nothing on that side.
pub fn nudged(layout: &Layout, department: u16, side: Side) -> Result<Moved, &'static str> {
    let (bay, place) = place_of(layout, department).ok_or("Select a department first")?;
    let room = usize::from(department);
    // Along the bay: back, forward; across: to the bay before, to the one after.
    let (along, by) = match (layout.orientation, side) {
        (Orientation::Vertical, Side::Up) | (Orientation::Horizontal, Side::Left) => (true, -1),
        (Orientation::Vertical, Side::Down) | (Orientation::Horizontal, Side::Right) => (true, 1),
        (Orientation::Vertical, Side::Left) | (Orientation::Horizontal, Side::Down) => (false, -1),
        (Orientation::Vertical, Side::Right) | (Orientation::Horizontal, Side::Up) => (false, 1),
    };
    let length = layout.bays[bay].len();
    let to = match (along, by) {
        (true, -1) => Target::Into { bay, place: place.checked_sub(1).ok_or("It is the first of its bay already")? },
        (true, _) if place + 1 == length => return Err("It is the last of its bay already"),
        (true, _) => Target::Into { bay, place: place + 2 },
        (false, -1) if bay > 0 => beside(layout, bay - 1, place),
        (false, 1) if bay + 1 < layout.bays.len() => beside(layout, bay + 1, place),
        _ if length == 1 => return Err("There is no bay on this side, and it has one of its own already"),
        (false, -1) => Target::NewBay(0),
        (false, _) => Target::NewBay(layout.bays.len()),
    };
    Ok(Moved { room, to })
}

/// The place in another bay that is most like this one.
fn beside(layout: &Layout, bay: usize, place: usize) -> Target {
    Target::Into { bay, place: place.min(layout.bays[bay].len()) }
}

/// Gives a department a bay of its own, after the one in which it lies.
///
/// # Errors
/// Error if the department has a bay of its own already.
pub(crate) fn own_bay(layout: &Layout, department: u16) -> Result<Moved, &'static str> {
    let (bay, _) = place_of(layout, department).ok_or("Select a department first")?;
    match layout.bays[bay].len() {
        1 => Err("It has a bay of its own already"),
        _ => Ok(Moved { room: usize::from(department), to: Target::NewBay(bay + 1) }),
    }
}

/// Reverses the order of the departments in a bay; `None` if nothing would change.
pub fn reversed(layout: &Layout, bay: usize) -> Option<Layout> {
    let mut bays = layout.bays.clone();
    bays.get_mut(bay).filter(|bay| bay.len() > 1)?.reverse();
    Some(Layout::of_bays(layout.orientation, bays))
}

/// Lets two bays change places.
pub(crate) fn swapped(layout: &Layout, one: usize, other: usize) -> Option<Layout> {
    let count = layout.bays.len();
    (one < count && other < count && one != other).then(|| {
        let mut bays = layout.bays.clone();
        bays.swap(one, other);
        Layout::of_bays(layout.orientation, bays)
    })
}

/// Returns a layout with the same bays in the other orientation.
pub(crate) fn turned(layout: &Layout) -> Layout {
    let orientation = match layout.orientation {
        Orientation::Vertical => Orientation::Horizontal,
        Orientation::Horizontal => Orientation::Vertical,
    };
    Layout::of_bays(orientation, layout.bays.clone())
}

/// Returns all other places for a department: before and after all others, onto them, and in a bay of its own.
pub fn everywhere(layout: &Layout, department: u16) -> Vec<Moved> {
    let room = usize::from(department);
    let Some((own, at)) = place_of(layout, department) else { return Vec::new() };
    let alone = layout.bays[own].len() == 1;
    let mut all = Vec::new();
    for (bay, departments) in layout.bays.iter().enumerate() {
        let places = (0..=departments.len()).filter(|&place| bay != own || (place != at && place != at + 1));
        all.extend(places.map(|place| Target::Into { bay, place }));
        all.extend(departments.iter().filter(|other| **other != department).map(|&other| Target::Swap(other.into())));
    }
    let new = (0..=layout.bays.len()).filter(|&before| !alone || (before != own && before != own + 1));
    all.extend(new.map(Target::NewBay));
    all.into_iter().map(|to| Moved { room, to }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(orientation: Orientation) -> Layout {
        Layout::of_bays(orientation, vec![vec![0, 1], vec![2], vec![3, 4, 5]])
    }

    fn bays(layout: Option<Layout>) -> Vec<Vec<u16>> {
        layout.unwrap().bays
    }

    #[test]
    fn departments_go_where_they_were_carried() {
        let before = layout(Orientation::Vertical);
        let go = |room, to| bays(moved(&before, Moved { room, to }));
        assert_eq!(go(0, Target::Swap(4)), [vec![4, 1], vec![2], vec![3, 0, 5]]);
        assert_eq!(go(0, Target::Into { bay: 2, place: 1 }), [vec![1], vec![2], vec![3, 0, 4, 5]]);
        assert_eq!(go(3, Target::Into { bay: 2, place: 3 }), [vec![0, 1], vec![2], vec![4, 5, 3]]);
        assert_eq!(go(5, Target::Into { bay: 2, place: 0 }), [vec![0, 1], vec![2], vec![5, 3, 4]]);
        assert_eq!(go(2, Target::Into { bay: 0, place: 2 }), [vec![0, 1, 2], vec![3, 4, 5]], "no bay is empty");
        assert_eq!(go(4, Target::NewBay(0)), [vec![4], vec![0, 1], vec![2], vec![3, 5]]);
        assert_eq!(go(2, Target::NewBay(3)), [vec![0, 1], vec![3, 4, 5], vec![2]]);
        assert_eq!(moved(&before, Moved { room: 9, to: Target::NewBay(0) }), None);
    }

    #[test]
    fn sides_are_those_that_people_see() {
        let upright = layout(Orientation::Vertical);
        let to = |layout: &Layout, one, side| nudged(layout, one, side).map(|moved| moved.to);
        assert_eq!(to(&upright, 4, Side::Up), Ok(Target::Into { bay: 2, place: 1 - 1 }));
        assert_eq!(bays(moved(&upright, nudged(&upright, 3, Side::Down).unwrap()))[2], [4, 3, 5]);
        assert_eq!(to(&upright, 5, Side::Left), Ok(Target::Into { bay: 1, place: 1 }));
        assert_eq!(to(&upright, 0, Side::Left), Ok(Target::NewBay(0)));
        assert_eq!(to(&upright, 5, Side::Right), Ok(Target::NewBay(3)));
        assert!(to(&upright, 0, Side::Up).is_err() && to(&upright, 5, Side::Down).is_err());
        // Rows are numbered from the bottom, their departments from the left.
        let rows = layout(Orientation::Horizontal);
        assert_eq!(to(&rows, 2, Side::Up), Ok(Target::Into { bay: 2, place: 0 }));
        assert_eq!(to(&rows, 1, Side::Left), Ok(Target::Into { bay: 0, place: 0 }));
        assert_eq!(to(&rows, 0, Side::Down), Ok(Target::NewBay(0)));
        let lone = Layout::of_bays(Orientation::Vertical, vec![vec![0], vec![1]]);
        assert!(to(&lone, 0, Side::Left).is_err() && own_bay(&lone, 0).is_err());
    }

    #[test]
    fn bays_are_reversed_exchanged_and_turned() {
        let before = layout(Orientation::Vertical);
        assert_eq!(bays(reversed(&before, 2))[2], [5, 4, 3]);
        assert_eq!(reversed(&before, 1), None, "one department has no other order");
        assert_eq!(bays(swapped(&before, 0, 2)), [vec![3, 4, 5], vec![2], vec![0, 1]]);
        assert_eq!(swapped(&before, 0, 3), None);
        assert_eq!(turned(&turned(&before)), before);
    }

    #[test]
    fn everywhere_is_every_other_layout_once() {
        let before = layout(Orientation::Vertical);
        for department in 0..6 {
            let all: Vec<Layout> =
                everywhere(&before, department).into_iter().filter_map(|to| moved(&before, to)).collect();
            assert!(all.iter().all(|layout| *layout != before), "{department}");
            // Seven places in other bays or four bays of its own, and five to change places with, at least.
            assert!(all.len() >= 12, "{department}: {}", all.len());
        }
    }
}
