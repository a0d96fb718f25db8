//! Geometry of columns and chips: places and hit tests.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use super::Column;

/// Width of a column at scale 1, in points.
const WIDTH: f32 = 104.0;
const GAP: f32 = 6.0;
/// Additional gap between the columns of two groups.
const GROUP_GAP: f32 = 10.0;
const HEAD: f32 = 66.0;
const GROUP_HEAD: f32 = 20.0;
/// Height of a chip without weight, and what the greatest weight adds: at scale 1 the smallest can just be read.
const BASE: f32 = 18.0;
const WEIGHT: f32 = 62.0;
const CHIP_GAP: f32 = 3.0;

/// Places of chips before scaling; made once for a set of columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Per column: the upper edges of its chips at scale 1, and where the last one ends.
    tops: Arc<Vec<Vec<f32>>>,
    /// Per column: what its chips stand for.
    keys: Arc<Vec<Vec<usize>>>,
    places: Arc<HashMap<usize, (usize, usize)>>,
}

impl Plan {
    /// Adds up the heights of all chips.
    pub fn of(columns: &[Column]) -> Self {
        let mut places = HashMap::new();
        let (mut tops, mut keys) = (Vec::new(), Vec::new());
        for (index, column) in columns.iter().enumerate() {
            let mut at = 0.0;
            let mut edges = vec![0.0];
            for (row, chip) in column.chips.iter().enumerate() {
                at += BASE + WEIGHT * chip.weight.clamp(0.0, 1.0) + CHIP_GAP;
                edges.push(at);
                places.insert(chip.key, (index, row));
            }
            tops.push(edges);
            keys.push(column.chips.iter().map(|chip| chip.key).collect());
        }
        Self { tops: Arc::new(tops), keys: Arc::new(keys), places: Arc::new(places) }
    }

    /// Height of what stands above the chips; it does not scale.
    pub fn head(groups: &[(Range<usize>, String)]) -> f32 {
        if groups.is_empty() { HEAD } else { HEAD + GROUP_HEAD }
    }

    /// Width and height of everything.
    pub fn size(&self, scale: Vec2, groups: &[(Range<usize>, String)]) -> Vec2 {
        let tallest = self.tops.iter().filter_map(|tops| tops.last()).copied().fold(0.0, f32::max);
        let width = left(self.tops.len(), scale.x, groups);
        vec2(width, Self::head(groups) + tallest * scale.y + GAP)
    }

    /// The column and the row of a chip; `None` if no chip has this key.
    pub fn place_of(&self, key: usize) -> Option<(usize, usize)> {
        self.places.get(&key).copied()
    }

    /// Where a chip lies when the whole begins at nought.
    pub(super) fn chip_of(&self, key: usize, scale: Vec2, groups: &[(Range<usize>, String)]) -> Option<Rect> {
        let (column, row) = self.place_of(key)?;
        let left = left(column, scale.x, groups);
        Some(chip(self.tops.get(column)?, row, scale, pos2(left, Self::head(groups))))
    }
}

/// Where a column begins when the first gap begins at nought.
fn left(column: usize, scale: f32, groups: &[(Range<usize>, String)]) -> f32 {
    let before = groups.partition_point(|(group, _)| group.end <= column).min(groups.len().saturating_sub(1));
    let gaps = GAP * scale.min(1.0);
    gaps + column as f32 * (WIDTH * scale + gaps) + before as f32 * GROUP_GAP * scale.min(1.0)
}

fn chip(tops: &[f32], row: usize, scale: Vec2, at: Pos2) -> Rect {
    let edge = |row: usize| tops.get(row).copied().unwrap_or(0.0) * scale.y;
    let gap = (CHIP_GAP * scale.y).min(CHIP_GAP);
    Rect::from_min_max(at + vec2(0.0, edge(row)), at + vec2(WIDTH * scale.x, edge(row + 1) - gap))
}

/// Where columns and chips lie on the screen.
#[derive(Debug, Clone)]
pub struct Layout {
    plan: Plan,
    lefts: Vec<f32>,
    /// The part of the picture in sight.
    pub(super) visible: Rect,
    top: f32,
    head: f32,
    pub(super) scale: Vec2,
}

impl Layout {
    /// A plan at this scale from `origin`, of which `visible` is in sight.
    pub(super) fn new(
        plan: &Plan, groups: &[(Range<usize>, String)], scale: Vec2, origin: Pos2, visible: Rect,
    ) -> Self {
        let lefts = (0..plan.tops.len()).map(|column| origin.x + left(column, scale.x, groups)).collect();
        let head = Plan::head(groups);
        Self { plan: plan.clone(), lefts, visible, top: origin.y + head, head, scale }
    }

    /// Width of a column.
    pub fn column_width(&self) -> f32 {
        WIDTH * self.scale.x
    }

    /// The left edge of a column.
    pub fn left(&self, column: usize) -> f32 {
        self.lefts.get(column).copied().unwrap_or(0.0)
    }

    /// Place of the head of a column; it stays at the top while chips are scrolled under it.
    pub fn head_rect(&self, column: usize) -> Rect {
        let height = self.head.min(HEAD);
        let min = pos2(self.left(column), self.visible.top() + self.head - height);
        Rect::from_min_size(min, vec2(self.column_width(), height))
    }

    /// The part of a column that is in sight, without its head.
    pub fn column_rect(&self, column: usize) -> Rect {
        let (left, visible) = (self.left(column), self.visible);
        Rect::from_min_max(pos2(left, visible.top() + self.head), pos2(left + self.column_width(), visible.bottom()))
    }

    /// Where a chip lies, also outside of what is visible.
    pub fn chip_rect(&self, column: usize, row: usize) -> Rect {
        let tops = self.plan.tops.get(column).map(Vec::as_slice).unwrap_or_default();
        chip(tops, row, self.scale, pos2(self.left(column), self.top))
    }

    /// The columns of which something is visible.
    pub fn visible_columns(&self) -> Range<usize> {
        let first = self.lefts.partition_point(|&left| left + self.column_width() < self.visible.left());
        let end = self.lefts.partition_point(|&left| left <= self.visible.right());
        first..end.max(first)
    }

    /// The chips of a column of which something is visible.
    pub fn visible_chips(&self, column: usize) -> Range<usize> {
        let Some(tops) = self.plan.tops.get(column) else { return 0..0 };
        let count = tops.len().saturating_sub(1);
        let edge = |y: f32| (y - self.top) / self.scale.y;
        let (from, to) = (edge(self.visible.top() + self.head), edge(self.visible.bottom()));
        let first = tops.partition_point(|&top| top <= from).saturating_sub(1).min(count);
        first..tops.partition_point(|&top| top < to).min(count).max(first)
    }

    /// The chip, if any, and the column at a point.
    pub fn hit(&self, position: Pos2) -> Option<(Option<usize>, usize)> {
        let column = self.column_at(position).filter(|_| position.y > self.visible.top() + self.head)?;
        let row = self.visible_chips(column).find(|&row| self.chip_rect(column, row).contains(position));
        let key = row.and_then(|row| self.plan.keys.get(column)?.get(row).copied());
        Some((key, column))
    }

    /// The column at a point, its head included; `None` beside the columns.
    pub fn column_at(&self, position: Pos2) -> Option<usize> {
        if !self.visible.contains(position) {
            return None;
        }
        let column = self.lefts.partition_point(|&left| left <= position.x).checked_sub(1)?;
        (position.x <= self.left(column) + self.column_width()).then_some(column)
    }

    /// The column whose head is at a point; `None` beside the heads.
    pub fn head_at(&self, position: Pos2) -> Option<usize> {
        self.column_at(position).filter(|&column| self.head_rect(column).contains(position))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chip;
    use super::*;
    use egui::Color32;

    fn columns() -> Vec<Column> {
        let chip = |key: usize| Chip {
            key,
            name: String::new(),
            number: String::new(),
            weight: (key % 7) as f32 / 6.0,
            fill: Color32::TRANSPARENT,
            ink: Color32::TRANSPARENT,
            alarm: false,
        };
        let column = |index: usize| Column {
            chips: (index * 100..index * 100 + index * 9).map(chip).collect(),
            ..Column::default()
        };
        (0..12).map(column).collect()
    }

    #[test]
    fn every_chip_is_hit_where_it_is_painted() {
        let (columns, groups) = (columns(), [(0..5, "a".to_owned()), (5..12, "b".to_owned())]);
        let plan = Plan::of(&columns);
        for scale in [vec2(1.0, 1.0), vec2(0.3, 0.5), vec2(1.7, 2.0)] {
            let visible = Rect::from_min_size(pos2(100.0, 200.0), vec2(700.0, 900.0));
            let layout = Layout::new(&plan, &groups, scale, pos2(20.0, -50.0), visible);
            let mut met = 0;
            for column in layout.visible_columns() {
                for row in layout.visible_chips(column) {
                    let rect = layout.chip_rect(column, row);
                    let centre = rect.center();
                    if visible.contains(centre) && centre.y > visible.top() + Plan::head(&groups) {
                        assert_eq!(layout.hit(centre), Some((Some(columns[column].chips[row].key), column)));
                        met += 1;
                    }
                }
            }
            assert!(met > 20, "{met}");
        }
    }

    #[test]
    fn nothing_visible_is_left_out() {
        let columns = columns();
        let plan = Plan::of(&columns);
        let visible = Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 400.0));
        let layout = Layout::new(&plan, &[], vec2(0.8, 0.6), pos2(-300.0, -120.0), visible);
        let body = visible.with_min_y(visible.top() + Plan::head(&[]));
        for (index, column) in columns.iter().enumerate() {
            for row in 0..column.chips.len() {
                let seen = body.intersects(layout.chip_rect(index, row));
                let listed = layout.visible_columns().contains(&index) && layout.visible_chips(index).contains(&row);
                assert!(!seen || listed, "column {index}, chip {row}");
            }
        }
    }
}
