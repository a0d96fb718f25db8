//! Ranks with ties.

/// Ranks from 1 with mean ranks for ties, and Σ (t³ − t) over groups of t equal values.
pub fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut ties, mut first) = (vec![0.0; values.len()], 0.0, 0);
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let count = group.len() as f64;
        for &at in group {
            ranks[at] = first as f64 + (count + 1.0) / 2.0;
        }
        ties += count * count * count - count;
        first += group.len();
    }
    (ranks, ties)
}
