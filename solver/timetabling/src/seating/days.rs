//! Even load over the days, as a chain keeps it: the students of each day.

use super::board::Board;
use super::model::SeatingModel;

impl<C> Board<C> {
    /// Change of the cost of the days if a node moves between periods, or `from` no period.
    #[inline(always)]
    pub(super) fn day_change(&self, model: &SeatingModel, node: usize, (from, to): (Option<usize>, usize)) -> i64 {
        let Some(days) = &model.days else { return 0 };
        days.change(&self.loads, model.students[node], (from, Some(to)))
    }

    /// Change of the cost of the days if nodes of the periods `a` and `b` change sides.
    #[inline(always)]
    pub(super) fn day_change_of_sides(
        &self, model: &SeatingModel, nodes: impl Iterator<Item = usize>, (a, b): (usize, usize),
    ) -> i64 {
        let Some(days) = &model.days else { return 0 };
        let signed =
            |node: usize| if usize::from(self.place[node]) == a { model.students[node] } else { -model.students[node] };
        days.change(&self.loads, nodes.map(signed).sum(), (Some(a), Some(b)))
    }

    /// Counts a node that moves between periods, each of which may be none.
    #[inline(always)]
    pub(super) fn count_days(&mut self, model: &SeatingModel, node: usize, periods: (Option<usize>, Option<usize>)) {
        if let Some(days) = &model.days {
            days.count(&mut self.loads, model.students[node], periods);
        }
    }
}
