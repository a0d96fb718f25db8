//! Recorded sequence of offers to an archive, to be shown one after the other.

use super::{Archive, Point, covers};

/// Effect of an offer on the archive. Offers are numbered from 0 in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// The point became a member, and the members that it dominates left.
    Entered {
        /// Numbers of the offers whose points left, ascending.
        removed: Vec<usize>,
    },
    /// A member dominates the point; the point was refused.
    Dominated {
        /// Number of the first such member.
        by: usize,
    },
    /// A member has the same values; the point was refused.
    Equal {
        /// Number of the member.
        to: usize,
    },
}

/// Offers to an [`Archive`] with their effects.
#[derive(Debug, Clone, Default)]
pub struct History {
    archive: Archive<usize>,
    points: Vec<Point>,
    effects: Vec<Effect>,
    /// Number of the offer that removed the point of each offer; `None` for points that did not leave.
    removed_by: Vec<Option<usize>>,
}

impl History {
    /// Offers a point to the archive and records the effect.
    pub fn offer(&mut self, point: Point) {
        let number = self.points.len();
        // Of mutually non-dominated members none dominates a point that another one equals.
        let covering = self.archive.iter().find(|(member, _)| covers(member, &point));
        let refused = covering.map(|(member, &offer)| match *member == point {
            true => Effect::Equal { to: offer },
            false => Effect::Dominated { by: offer },
        });
        let effect = refused.unwrap_or_else(|| {
            let mut removed = self.archive.items().to_vec();
            self.archive.insert(point, number);
            removed.retain(|item| !self.archive.items().contains(item));
            removed.iter().for_each(|&item| self.removed_by[item] = Some(number));
            Effect::Entered { removed }
        });
        self.points.push(point);
        self.effects.push(effect);
        self.removed_by.push(None);
    }

    /// Points of all offers, refused ones included.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Effects of all offers; same length as [`Self::points`].
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Numbers of the offers whose points are members after the first `offers` offers, in order of insertion.
    pub fn members(&self, offers: usize) -> impl Iterator<Item = usize> {
        let offers = offers.min(self.points.len());
        let has_entered = |number: &usize| matches!(self.effects[*number], Effect::Entered { .. });
        let is_there = move |number: &usize| self.removed_by[*number].is_none_or(|by| by >= offers);
        (0..offers).filter(has_entered).filter(is_there)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// (2, 2) dominates (3, 3) and (2, 4), but not (1, 5).
    #[test]
    fn effects_are_what_the_hand_finds() {
        let mut history = History::default();
        for [x, y] in [[3, 3], [1, 5], [2, 4], [3, 3], [4, 3], [2, 2]] {
            history.offer([x, y, 0, 0]);
        }
        let entered = |removed: &[usize]| Effect::Entered { removed: removed.to_vec() };
        let expected = [
            entered(&[]),
            entered(&[]),
            entered(&[]),
            Effect::Equal { to: 0 },
            Effect::Dominated { by: 0 },
            entered(&[0, 2]),
        ];
        assert_eq!(history.effects(), expected);
        assert_eq!(history.members(5).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(history.members(6).collect::<Vec<_>>(), [1, 5]);
    }

    proptest! {
        /// The members after every offer are those of an archive that got the same points.
        #[test]
        fn members_are_those_of_the_archive(values in proptest::collection::vec((0_u64..9, 0_u64..9, 0_u64..9), 0..80)) {
            let (mut archive, mut history) = (Archive::default(), History::default());
            for (number, &(a, b, c)) in values.iter().enumerate() {
                archive.insert([a, b, c, 0], number);
                history.offer([a, b, c, 0]);
                let members: Vec<usize> = history.members(number + 1).collect();
                prop_assert_eq!(&members[..], archive.items());
            }
        }
    }
}
