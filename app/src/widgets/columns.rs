//! Columns of chips: what stands together, sized by how much it weighs.

use egui::{
    Align2, Color32, Pos2, Rect, Response, ScrollArea, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::theme::{self, palette, space, text};

/// One chip.
#[derive(Debug, Clone)]
pub struct Chip {
    /// What it stands for.
    pub key: usize,
    /// The word on it.
    pub name: String,
    /// A number at its right end.
    pub number: String,
    /// Share of the greatest weight, 0…1: its height.
    pub weight: f32,
    /// Inside.
    pub fill: Color32,
    /// Text.
    pub ink: Color32,
    /// Something is wrong with it.
    pub alarm: bool,
}

/// One column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// What stands above.
    pub title: String,
    /// A line under it, or empty.
    pub subtitle: String,
    /// What its chips are, such as «22 exams».
    pub count: String,
    /// The sum of their numbers.
    pub total: String,
    /// Its chips from the top.
    pub chips: Vec<Chip>,
}

/// What a person did.
pub struct Outcome {
    /// The whole of it.
    pub response: Response,
    /// The chip under the pointer.
    pub hovered: Option<usize>,
    /// The chip that was clicked; `None` within for a click beside all chips.
    pub clicked: Option<Option<usize>>,
}

const WIDTH: f32 = 108.0;
const GAP: f32 = 6.0;
const HEADER: f32 = 60.0;

fn height(chip: &Chip) -> f32 {
    (18.0 + 26.0 * chip.weight.clamp(0.0, 1.0)).round()
}

/// Shows columns side by side in all the room there is.
pub fn show(ui: &mut Ui, columns: &[Column], selected: Option<usize>, summary: &str) -> Outcome {
    let palette = palette(ui.visuals());
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    let tallest = columns.iter().map(|column| column.chips.iter().map(|chip| height(chip) + 3.0).sum::<f32>());
    let tallest = tallest.fold(0.0, f32::max);
    let size = vec2(columns.len() as f32 * (WIDTH + GAP) + GAP, HEADER + tallest + space::M);
    let area = ScrollArea::both().auto_shrink(false).show_viewport(ui, |ui, viewport| {
        let size = size.max(ui.available_size());
        let (response, _) = ui.allocate_painter(size, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::GridCell, true, summary));
        let origin = response.rect.min;
        let visible = viewport.translate(origin.to_vec2());
        let pointer = response.hover_pos();
        let mut hovered = None;
        for (index, column) in columns.iter().enumerate() {
            let left = origin.x + GAP + index as f32 * (WIDTH + GAP);
            if left > visible.right() || left + WIDTH < visible.left() {
                continue;
            }
            hovered = hovered.or(chips(ui, column, pos2(left, origin.y + HEADER), visible, selected, pointer));
            title(ui, column, pos2(left, visible.top()));
        }
        let clicked = response.clicked().then_some(hovered);
        Outcome { response, hovered, clicked }
    });
    area.inner
}

/// The title stays at the top while chips are scrolled under it.
fn title(ui: &Ui, column: &Column, at: Pos2) {
    let palette = palette(ui.visuals());
    let strip = Rect::from_min_size(at - vec2(GAP / 2.0, 0.0), vec2(WIDTH + GAP, HEADER - space::XS));
    let painter = ui.painter();
    painter.rect_filled(strip, 0.0, palette.surface);
    let clipped = painter.with_clip_rect(strip.intersect(ui.clip_rect()));
    clipped.text(at + vec2(2.0, 12.0), Align2::LEFT_CENTER, &column.title, theme::bold_font(text::SMALL), palette.text);
    clipped.text(at + vec2(2.0, 27.0), Align2::LEFT_CENTER, &column.subtitle, theme::font(text::SMALL), palette.weak);
    let font = theme::font(text::TINY);
    clipped.text(at + vec2(2.0, 44.0), Align2::LEFT_CENTER, &column.count, font.clone(), palette.weak);
    clipped.text(at + vec2(WIDTH - 6.0, 44.0), Align2::RIGHT_CENTER, &column.total, font, palette.weak);
    painter.hline(strip.x_range(), strip.bottom(), Stroke::new(1.0, palette.border));
}

fn chips(
    ui: &Ui,
    column: &Column,
    mut at: Pos2,
    visible: Rect,
    selected: Option<usize>,
    pointer: Option<Pos2>,
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let mut hovered = None;
    for chip in &column.chips {
        let rect = Rect::from_min_size(at, Vec2::new(WIDTH, height(chip)));
        at.y = rect.bottom() + 3.0;
        if rect.bottom() < visible.top() + HEADER - space::XS || rect.top() > visible.bottom() {
            continue;
        }
        let on = pointer.is_some_and(|pointer| rect.contains(pointer) && pointer.y > visible.top() + HEADER);
        if on {
            hovered = Some(chip.key);
        }
        let painter = ui.painter();
        painter.rect_filled(rect, 4.0, chip.fill);
        let painter = painter.with_clip_rect(rect.intersect(ui.clip_rect()));
        let number = painter.layout_no_wrap(chip.number.clone(), theme::font(text::TINY), chip.ink);
        let room = rect.width() - number.size().x - 18.0;
        let font = theme::bold_font(text::SMALL);
        let mut job = egui::text::LayoutJob::simple_singleline(chip.name.clone(), font, chip.ink);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let name = painter.layout_job(job);
        painter.galley(pos2(rect.left() + 6.0, rect.center().y - name.size().y / 2.0), name, chip.ink);
        let x = rect.right() - 6.0 - number.size().x;
        painter.galley(pos2(x, rect.center().y - number.size().y / 2.0), number, chip.ink);
        let outline = match (selected == Some(chip.key), chip.alarm, on) {
            (true, ..) => Some(Stroke::new(2.0, palette.accent)),
            (_, true, _) => Some(Stroke::new(2.0, palette.clash)),
            (.., true) => Some(Stroke::new(1.0, palette.text)),
            _ => None,
        };
        if let Some(stroke) = outline {
            ui.painter().rect_stroke(rect, 4.0, stroke, StrokeKind::Outside);
        }
    }
    hovered
}
