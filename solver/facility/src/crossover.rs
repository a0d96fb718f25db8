//! Partially mapped crossover (PMX) of two layouts.

use super::genes::{END, department};

/// Writes into `child` the genes of `second` at places `first..=last` and those of `parent` elsewhere; a department
/// that would occur twice is replaced by the one it displaced, repeatedly if necessary. Break flags stay with their
/// places; the last gene always ends a bay.
///
/// All slices have one element per department; `places` is scratch space.
///
/// Source: D. E. Goldberg, R. Lingle, «Alleles, loci, and the traveling salesman problem», Proc. 1st International
/// Conference on Genetic Algorithms, 1985.
#[inline(always)]
pub(crate) fn partially_mapped(
    parent: &[u16], second: &[u16], first: usize, last: usize, places: &mut [u16], child: &mut [u16],
) {
    for (place, &gene) in second.iter().enumerate() {
        places[department(gene)] = place as u16;
    }
    let inside = |place: usize| (first..=last).contains(&place);
    for place in 0..parent.len() {
        child[place] = if inside(place) {
            second[place]
        } else {
            let mut one = department(parent[place]);
            while inside(usize::from(places[one])) {
                one = department(parent[usize::from(places[one])]);
            }
            one as u16 | parent[place] & END
        };
    }
    if let Some(gene) = child.last_mut() {
        *gene |= END;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example of the source: 9 8 4 | 5 6 7 | 1 3 2 10 and 8 7 1 | 2 3 10 | 9 5 4 6, counted from 0.
    #[test]
    fn equals_the_example_of_the_source() {
        let parent = [8, 7, 3, 4, 5, 6, 0, 2, 1, 9 | END];
        let second = [7, 6, 0, 1, 2, 9, 8, 4, 3, 5 | END];
        let mut child = [0; 10];
        partially_mapped(&parent, &second, 3, 5, &mut [0; 10], &mut child);
        assert_eq!(child, [8, 7, 3, 1, 2, 9, 0, 5, 4, 6 | END]);
    }

    proptest! {
        #[test]
        fn children_hold_every_department_once(
            one in Just((0_u16..12).collect::<Vec<_>>()).prop_shuffle(),
            other in Just((0_u16..12).collect::<Vec<_>>()).prop_shuffle(),
            a in 0_usize..12,
            b in 0_usize..12
        ) {
            let mut child = vec![0; 12];
            partially_mapped(&one, &other, a.min(b), a.max(b), &mut [0; 12], &mut child);
            prop_assert_eq!(&child[a.min(b)..a.max(b)], &other[a.min(b)..a.max(b)]);
            let mut all: Vec<u16> = child.iter().map(|gene| gene & !END).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..12).collect::<Vec<_>>());
        }
    }
}
