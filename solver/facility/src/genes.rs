//! Genes: the encoding of layouts in the searches, one `u16` per place of the sequence (department index and break
//! flag).

use super::Layout;
use super::Orientation;

/// Break flag of a gene: the department is the last of its bay.
pub(crate) const END: u16 = 0x8000;

/// Department index of a gene.
#[inline(always)]
pub const fn department(gene: u16) -> usize {
    (gene & !END) as usize
}

/// Returns `true` if the gene ends its bay.
#[inline(always)]
pub const fn ends(gene: u16) -> bool {
    gene & END != 0
}

/// Encodes a layout; the result has one gene per department.
pub(crate) fn of_layout(layout: &Layout) -> Vec<u16> {
    let (sequence, ends) = layout.sequence();
    sequence.iter().zip(ends).map(|(&one, end)| if end { one | END } else { one }).collect()
}

/// Decodes genes into a layout.
pub(crate) fn to_layout(genes: &[u16], orientation: Orientation) -> Layout {
    let sequence: Vec<u16> = genes.iter().map(|&gene| gene & !END).collect();
    let ends: Vec<bool> = genes.iter().map(|&gene| ends(gene)).collect();
    Layout::of_sequence(orientation, &sequence, &ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_come_back() {
        let layout = Layout::of_bays(Orientation::Horizontal, vec![vec![2, 0], vec![1], vec![3, 4]]);
        let genes = of_layout(&layout);
        assert_eq!(genes, [2, END, 1 | END, 3, 4 | END]);
        assert_eq!(to_layout(&genes, Orientation::Horizontal), layout);
    }
}
