//! Rows of a table, shared in blocks between copies.

use std::sync::Arc;

/// Character between the cells of a row: U+001F UNIT SEPARATOR, which no cell holds.
const SEPARATOR: char = '\u{1f}';

/// Largest number of rows of a block; a change copies one block.
const BLOCK: usize = 512;

/// Cells of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(Arc<str>);

impl Row {
    /// Row with these cells; separators inside of them become blanks.
    pub fn of<S: AsRef<str>>(cells: impl IntoIterator<Item = S>) -> Self {
        let mut text = String::new();
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                text.push(SEPARATOR);
            }
            let cell = cell.as_ref();
            if cell.contains(SEPARATOR) { text.push_str(&cell.replace(SEPARATOR, " ")) } else { text.push_str(cell) }
        }
        Self(text.into())
    }

    /// All cells; a row has at least one.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        self.0.split(SEPARATOR)
    }

    /// Cell in a column; empty if the row is shorter.
    pub fn cell(&self, column: usize) -> &str {
        self.cells().nth(column).unwrap_or("")
    }

    /// The row with another value in one of its cells.
    #[must_use]
    pub fn with(&self, column: usize, value: &str) -> Self {
        let width = self.cells().count().max(column + 1);
        let cells = self.cells().chain(std::iter::repeat("")).take(width);
        Self::of(cells.enumerate().map(|(index, cell)| if index == column { value } else { cell }))
    }

    /// True if every cell is empty.
    pub fn is_empty(&self) -> bool {
        self.0.chars().all(|letter| letter == SEPARATOR)
    }
}

/// Rows of a table; copies share the blocks that are equal.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    blocks: Vec<Arc<Vec<Row>>>,
    /// `ends[b]` = number of rows in blocks 0 to b.
    ends: Vec<usize>,
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(own, other): (&Arc<Vec<Row>>, &Arc<Vec<Row>>)| Arc::ptr_eq(own, other);
        self.len() == other.len()
            && (self.blocks.len() == other.blocks.len() && self.blocks.iter().zip(&other.blocks).all(is_same)
                || self.iter().eq(other.iter()))
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut all = Self::default();
        all.extend(rows);
        all
    }
}

impl Extend<Row> for Rows {
    fn extend<I: IntoIterator<Item = Row>>(&mut self, rows: I) {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            match self.blocks.last_mut().filter(|last| last.len() < BLOCK) {
                Some(last) => {
                    let last = Arc::make_mut(last);
                    last.extend(rows.by_ref().take(BLOCK - last.len()));
                }
                None => self.blocks.push(Arc::new(rows.by_ref().take(BLOCK).collect())),
            }
        }
        self.count();
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// Row `index`; `None` beyond the last.
    pub fn get(&self, index: usize) -> Option<&Row> {
        let (block, within) = self.place(index);
        self.blocks.get(block)?.get(within)
    }

    /// Replaces row `index`; nothing happens beyond the last.
    pub fn set(&mut self, index: usize, row: Row) {
        let (block, within) = self.place(index);
        if let Some(place) = self.blocks.get_mut(block).and_then(|block| Arc::make_mut(block).get_mut(within)) {
            *place = row;
        }
    }

    /// Inserts a row before row `index`, or at the end.
    pub fn insert(&mut self, index: usize, row: Row) {
        if index >= self.len() {
            return self.extend([row]);
        }
        let (block, within) = self.place(index);
        if let Some(found) = self.blocks.get_mut(block) {
            let rows = Arc::make_mut(found);
            rows.insert(within, row);
            if rows.len() > 2 * BLOCK {
                let rest = rows.split_off(BLOCK);
                self.blocks.insert(block + 1, Arc::new(rest));
            }
        }
        self.count();
    }

    /// Removes the rows for which `is_removed` is true of their index.
    pub fn remove(&mut self, is_removed: impl Fn(usize) -> bool) {
        let mut first = 0;
        for block in &mut self.blocks {
            let length = block.len();
            if (first..first + length).any(&is_removed) {
                let mut index = first;
                Arc::make_mut(block).retain(|_| {
                    index += 1;
                    !is_removed(index - 1)
                });
            }
            first += length;
        }
        self.blocks.retain(|block| !block.is_empty());
        self.count();
    }

    /// Block of row `index` and the row's place in it.
    fn place(&self, index: usize) -> (usize, usize) {
        let block = self.ends.partition_point(|&end| end <= index);
        let before = block.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        (block, index - before)
    }

    fn count(&mut self) {
        let mut end = 0;
        self.ends = self
            .blocks
            .iter()
            .map(|block| {
                end += block.len();
                end
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_are_read_and_replaced() {
        let row = Row::of(["a", "", "c\u{1f}d"]);
        assert_eq!(row.cells().collect::<Vec<_>>(), ["a", "", "c d"]);
        assert_eq!((row.cell(1), row.cell(7)), ("", ""));
        assert_eq!(row.with(1, "b"), Row::of(["a", "b", "c d"]));
        assert_eq!(Row::of(["a"]).with(2, "c"), Row::of(["a", "", "c"]));
        assert!(Row::of(["", ""]).is_empty() && !row.is_empty());
    }

    proptest! {
        /// Random insertions, replacements and removals do the same to a plain list.
        #[test]
        fn rows_behave_like_a_list(steps in proptest::collection::vec((0_u8..4, 0_usize..4000), 1..40), begin in 0_usize..3000) {
            let row = |number: usize| Row::of([number.to_string()]);
            let mut plain: Vec<Row> = (0..begin).map(row).collect();
            let mut rows: Rows = plain.iter().cloned().collect();
            let before = (rows.clone(), plain.clone());
            for (number, (kind, at)) in steps.into_iter().enumerate() {
                let at = at.min(plain.len());
                match kind {
                    0 => { plain.insert(at, row(number)); rows.insert(at, row(number)); }
                    1 => { if let Some(place) = plain.get_mut(at) { *place = row(number); } rows.set(at, row(number)); }
                    2 => { plain.extend((0..at).map(row)); rows.extend((0..at).map(row)); }
                    _ => {
                        let mut index = 0;
                        plain.retain(|_| { index += 1; !(index > at && (index - 1) % 3 == 0) });
                        rows.remove(|index| index >= at && index % 3 == 0);
                    }
                }
                prop_assert_eq!(rows.len(), plain.len());
            }
            prop_assert!(rows.iter().eq(plain.iter()));
            prop_assert!((0..plain.len()).all(|index| rows.get(index) == plain.get(index)) && rows.get(plain.len()).is_none());
            prop_assert!(before.0.iter().eq(before.1.iter()), "the copy of before is unchanged");
        }
    }
}
