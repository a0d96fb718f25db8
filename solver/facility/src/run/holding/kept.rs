//! Departments that keep their place among the others when a layout changes.
//!
//! Bays of both layouts are paired in their order, without the held department; of a pair, a longest common subsequence keeps its place.
//! The pairs are those that keep most, by the recurrence of a longest common subsequence of the bays.

use crate::Layout;
use gridwright_core::moves::displaced;

/// Places of the departments in a layout.
pub(super) struct Former {
    /// Bay and place in it by department, without the held one.
    places: Vec<(usize, usize)>,
    bays: usize,
}

impl Former {
    /// Places in bays; `held` is left out.
    pub(super) fn of(bays: &[Vec<u16>], held: u16) -> Self {
        let count: usize = bays.iter().map(Vec::len).sum();
        let mut places = vec![(usize::MAX, 0); count];
        for (number, bay) in bays.iter().enumerate() {
            for (place, &department) in bay.iter().enumerate().filter(|(_, department)| **department != held) {
                places[usize::from(department)] = (number, place);
            }
        }
        Self { places, bays: bays.len() }
    }

    /// Departments of a bay that keep their place among those of a former bay.
    fn kept_in(&self, bay: &[u16], former: usize) -> Vec<u16> {
        let stays = |department: &u16| self.places[usize::from(*department)].0 == former;
        let common: Vec<u16> = bay.iter().copied().filter(stays).collect();
        let places: Vec<usize> = common.iter().map(|&department| self.places[usize::from(department)].1).collect();
        let gone = displaced(&places);
        (0..common.len()).filter(|at| gone.binary_search(at).is_err()).map(|at| common[at]).collect()
    }

    /// Largest numbers of departments that keep their place in the first bays: of `bays` by row, of the former ones by column.
    fn table(&self, bays: &[Vec<u16>]) -> Vec<Vec<usize>> {
        let mut table = vec![vec![0; self.bays + 1]; bays.len() + 1];
        for (row, bay) in bays.iter().enumerate() {
            for column in 0..self.bays {
                let both = table[row][column] + self.kept_in(bay, column).len();
                table[row + 1][column + 1] = both.max(table[row][column + 1]).max(table[row + 1][column]);
            }
        }
        table
    }

    /// Largest number of departments that keep their place.
    pub(super) fn kept(&self, bays: &[Vec<u16>]) -> usize {
        self.table(bays)[bays.len()][self.bays]
    }
}

/// Departments but the held one that do not keep their place, ascending.
pub(super) fn moved(before: &Layout, after: &Layout, held: u16) -> Vec<u16> {
    let former = Former::of(&before.bays, held);
    let table = former.table(&after.bays);
    let (mut row, mut column, mut kept) = (after.bays.len(), former.bays, Vec::new());
    while row > 0 && column > 0 {
        let here = table[row][column];
        if here == table[row - 1][column] {
            row -= 1;
        } else if here == table[row][column - 1] {
            column -= 1;
        } else {
            kept.extend(former.kept_in(&after.bays[row - 1], column - 1));
            (row, column) = (row - 1, column - 1);
        }
    }
    let mut moved: Vec<u16> = after.departments().filter(|one| *one != held && !kept.contains(one)).collect();
    moved.sort_unstable();
    moved
}
