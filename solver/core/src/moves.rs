//! Items of a plan that have moved: which ones, and the sentence about them.

/// Others that a sentence names.
const NAMED: usize = 3;

/// Indices of the entries outside of a longest increasing subsequence, ascending; `places` has no entry twice. With the former place of
/// each item in its new order, these are the fewest items whose reinsertion turns the former order into the new one. Patience sorting:
/// O(n log n).
///
/// Source: C. Schensted, «Longest increasing and decreasing subsequences», Canadian Journal of Mathematics 13, 1961.
pub fn displaced(places: &[usize]) -> Vec<usize> {
    // ends[k]: end of the increasing sequence of length k + 1 with the smallest last place; before[at]: predecessor of `at`.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        let length = ends.partition_point(|&end| places[end] < *place);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stays = vec![false; places.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        stays[at] = true;
        next = before[at];
    }
    (0..places.len()).filter(|&at| !stays[at]).collect()
}

/// Sentence about other items that move: «2 other jobs move: A to position 3, B to position 7». `to` says where an item goes, with its
/// name; of many items the first ones are named.
pub fn others_move<T>(noun: &str, moved: &[T], to: impl Fn(&T) -> String) -> String {
    let mut named: Vec<String> = moved.iter().take(NAMED).map(to).collect();
    if moved.len() > NAMED {
        named.push(format!("and {} more", moved.len() - NAMED));
    }
    match moved.len() {
        0 => format!("no other {noun} moves"),
        1 => format!("1 other {noun} moves: {}", named.join(", ")),
        count => format!("{count} other {noun}s move: {}", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_from_one_end_to_the_other_has_moved_alone() {
        assert_eq!(displaced(&[1, 2, 3, 4, 0]), [4]);
        assert_eq!(displaced(&[4, 0, 1, 2, 3]), [0]);
        assert_eq!(displaced(&[0, 1, 2]), [] as [usize; 0]);
        assert_eq!(displaced(&[2, 1, 0]).len(), 2);
        assert_eq!(displaced(&[]), [] as [usize; 0]);
    }

    #[test]
    fn sentences_name_the_first_ones() {
        let told = |count: u32| others_move("job", &(1..=count).collect::<Vec<_>>(), |job| format!("J{job} there"));
        assert_eq!(told(0), "no other job moves");
        assert_eq!(told(1), "1 other job moves: J1 there");
        assert_eq!(told(5), "5 other jobs move: J1 there, J2 there, J3 there, and 2 more");
    }
}
