//! Connected components of graphs.

/// Connected components of the graph over 0…`count` − 1 with the given adjacency, each ascending, ordered by their
/// smallest member.
pub(super) fn connected(count: usize, neighbours: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut seen = vec![false; count];
    let mut components = Vec::new();
    for first in 0..count {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut component = vec![first];
        let mut at = 0;
        while at < component.len() {
            for other in neighbours(component[at]) {
                if !std::mem::replace(&mut seen[other], true) {
                    component.push(other);
                }
            }
            at += 1;
        }
        component.sort_unstable();
        components.push(component);
    }
    components
}
