//! Timetables under limits that count several exams of a student.

use super::board::Board;
use super::model::SeatingModel;

impl<C> Board<C> {
    /// Returns `true` if the limits of students allow a node in a period, the others as they are.
    #[inline(always)]
    pub(super) fn suits_limits(&self, model: &SeatingModel, node: usize, period: usize) -> bool {
        let Some(limits) = &model.limits else { return true };
        limits.admit(&self.counts, node, self.place[node], period)
    }

    /// Returns `true` if the limits of students allow that nodes move to periods together.
    #[inline(always)]
    pub(super) fn suits_limits_together(
        &mut self, model: &SeatingModel, moves: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> bool {
        let Some(limits) = &model.limits else { return true };
        for (node, to) in moves.clone() {
            limits.count(&mut self.counts, node, (self.place[node], to as u16));
        }
        let holds = moves.clone().all(|(node, to)| limits.holds(&self.counts, node, to));
        for (node, to) in moves {
            limits.count(&mut self.counts, node, (to as u16, self.place[node]));
        }
        holds
    }

    /// Returns `true` if the limits of students allow that nodes of two periods change sides.
    pub(super) fn suits_limits_on_sides(
        &mut self, model: &SeatingModel, nodes: &[u16], (a, b): (usize, usize),
    ) -> bool {
        let other_side = |here: u16| if usize::from(here) == a { b } else { a };
        let moves: Vec<(usize, usize)> =
            nodes.iter().map(|&node| (usize::from(node), other_side(self.place[usize::from(node)]))).collect();
        self.suits_limits_together(model, moves.iter().copied())
    }

    /// Placed nodes that have to leave before the limits of students allow an unplaced node in a period, if those of `way` leave,
    /// too; of the exams of a student those that `price` makes cheapest.
    pub(super) fn beyond_limits(
        &self, model: &SeatingModel, (node, period): (usize, usize), way: &[u16], price: impl Fn(usize) -> u64,
    ) -> Vec<u16> {
        let mut out: Vec<u16> = Vec::new();
        let Some(limits) = &model.limits else { return out };
        for window in limits.of_period[period].iter().map(|&window| usize::from(window)) {
            for &student in limits.students_of(node) {
                let most = usize::from(limits.most[window]);
                if usize::from(self.counts[student as usize * limits.most.len() + window]) < most {
                    continue;
                }
                let is_within = |&other: &u16| {
                    let at = limits.of_period.get(usize::from(self.place[usize::from(other)]));
                    at.is_some_and(|windows| windows.contains(&(window as u16)))
                };
                let others = limits.nodes[student as usize].iter().copied().filter(|&other| usize::from(other) != node);
                let mut there: Vec<u16> = others.filter(is_within).collect();
                there.retain(|other| !way.contains(other) && !out.contains(other));
                there.sort_by_key(|&other| (price(usize::from(other)), other));
                let surplus = (there.len() + 1).saturating_sub(most);
                out.extend(there.into_iter().take(surplus));
            }
        }
        out
    }
}
