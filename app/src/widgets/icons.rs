//! Icons as painted shapes: no font needs to hold them, and they are sharp at every size.

use egui::{Atom, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, vec2};

use crate::theme::size;

/// What can be shown beside a word or alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A square.
    Stop,
    /// A folder.
    Open,
    /// An arrow out of a tray.
    Export,
    /// An arrow into a tray.
    Import,
    /// A leaf of a calendar.
    Calendar,
    /// A cross of two strokes.
    Add,
    /// A sheet of paper.
    File,
    /// A small grid.
    Grid,
    /// Three bars, one after the other.
    Gantt,
    /// A tick.
    Check,
    /// A cross.
    Cross,
    /// A triangle with an exclamation mark.
    Warning,
    /// A disc, half dark.
    Theme,
    /// Two arrows apart.
    Fit,
    /// An arrow in a circle.
    Reset,
    /// An i in a circle.
    Info,
    /// A magnifying glass.
    Search,
    /// A bell.
    Bell,
    /// Two sheets.
    Copy,
    /// A bin.
    Trash,
    /// A pencil.
    Pencil,
    /// A needle.
    Pin,
    /// Two columns of different heights.
    Compare,
    /// Three dots.
    More,
    /// Sliders.
    Settings,
    /// A keyboard.
    Keyboard,
    /// A plus sign.
    Plus,
    /// A minus sign.
    Minus,
    /// An arrow back.
    Undo,
    /// Rooms of a building.
    FloorPlan,
    /// Islands in a ring.
    Islands,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// A bar and a triangle to the left.
    First,
    /// A triangle to the left.
    StepBack,
    /// A triangle to the right and a bar.
    StepForward,
    /// Two triangles to the right and a bar.
    Last,
    /// Cells between which something flows.
    Systolic,
}

impl Icon {
    /// The icon as a part of a button, in the colour of its text.
    pub fn atom<'a>(self) -> Atom<'a> {
        Atom::paint(vec2(size::ICON, size::ICON), move |ui, args| {
            self.paint(ui.painter(), args.rect, args.fallback_text_color);
        })
    }

    /// Room for an icon where there is none, so that words stand in one column.
    pub fn nothing<'a>() -> Atom<'a> {
        Atom::paint(vec2(size::ICON, size::ICON), |_, _| {})
    }

    /// The same in a colour of its own.
    pub fn tinted<'a>(self, colour: Color32) -> Atom<'a> {
        Atom::paint(vec2(size::ICON, size::ICON), move |ui, args| self.paint(ui.painter(), args.rect, colour))
    }

    /// Paints it into a square in the middle of `rect`.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        let side = rect.width().min(rect.height());
        let square = Rect::from_center_size(rect.center(), vec2(side, side));
        // The icons are drawn on a field of 14 × 14.
        let at = |x: f32, y: f32| -> Pos2 { square.min + vec2(x, y) * (side / 14.0) };
        let stroke = Stroke::new(1.5 * side / 14.0, colour);
        let line = |points: &[(f32, f32)]| {
            painter.add(Shape::line(points.iter().map(|&(x, y)| at(x, y)).collect(), stroke));
        };
        let fill = |points: &[(f32, f32)]| {
            let points = points.iter().map(|&(x, y)| at(x, y)).collect();
            painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
        };
        let outline = |x: f32, y: f32, width: f32, height: f32| {
            let rect = Rect::from_min_max(at(x, y), at(x + width, y + height));
            painter.rect_stroke(rect, CornerRadius::same(1), stroke, StrokeKind::Middle);
        };
        let block = |x: f32, y: f32, width: f32, height: f32| {
            painter.rect_filled(Rect::from_min_max(at(x, y), at(x + width, y + height)), 1.0, colour);
        };
        let ring = |radius: f32| {
            painter.circle_stroke(at(7.0, 7.0), radius * side / 14.0, stroke);
        };
        match self {
            Self::Play => fill(&[(3.5, 2.0), (12.0, 7.0), (3.5, 12.0)]),
            Self::Pause => {
                block(3.0, 2.5, 3.0, 9.0);
                block(8.0, 2.5, 3.0, 9.0);
            }
            Self::Stop => block(3.0, 3.0, 8.0, 8.0),
            Self::Open => {
                line(&[(1.5, 11.5), (1.5, 2.5), (5.5, 2.5), (7.0, 4.5), (12.5, 4.5), (12.5, 11.5), (1.5, 11.5)])
            }
            Self::Export => {
                line(&[(7.0, 9.0), (7.0, 1.5)]);
                line(&[(4.0, 4.5), (7.0, 1.5), (10.0, 4.5)]);
                line(&[(1.5, 8.5), (1.5, 12.5), (12.5, 12.5), (12.5, 8.5)]);
            }
            Self::Import => {
                line(&[(7.0, 1.5), (7.0, 9.0)]);
                line(&[(4.0, 6.0), (7.0, 9.0), (10.0, 6.0)]);
                line(&[(1.5, 8.5), (1.5, 12.5), (12.5, 12.5), (12.5, 8.5)]);
            }
            Self::Calendar => {
                outline(1.5, 2.5, 11.0, 10.0);
                line(&[(1.5, 5.5), (12.5, 5.5)]);
                line(&[(4.5, 1.0), (4.5, 3.5)]);
                line(&[(9.5, 1.0), (9.5, 3.5)]);
                block(4.0, 7.5, 2.0, 2.0);
                block(8.0, 7.5, 2.0, 2.0);
            }
            Self::Add => {
                line(&[(7.0, 2.5), (7.0, 11.5)]);
                line(&[(2.5, 7.0), (11.5, 7.0)]);
            }
            Self::File => {
                line(&[(8.5, 1.5), (2.5, 1.5), (2.5, 12.5), (11.5, 12.5), (11.5, 4.5), (8.5, 1.5), (8.5, 4.5)]);
                line(&[(8.5, 4.5), (11.5, 4.5)]);
            }
            Self::Grid => {
                outline(1.5, 1.5, 11.0, 11.0);
                block(3.5, 3.5, 3.0, 3.0);
                block(7.5, 7.5, 3.0, 3.0);
            }
            Self::Gantt => {
                block(1.5, 2.0, 5.5, 2.6);
                block(4.5, 5.7, 6.0, 2.6);
                block(8.0, 9.4, 4.5, 2.6);
            }
            Self::Check => line(&[(2.0, 7.5), (5.5, 11.0), (12.0, 3.5)]),
            Self::Cross => {
                line(&[(3.0, 3.0), (11.0, 11.0)]);
                line(&[(11.0, 3.0), (3.0, 11.0)]);
            }
            Self::Warning => {
                line(&[(7.0, 1.5), (13.0, 12.5), (1.0, 12.5), (7.0, 1.5), (7.2, 1.9)]);
                line(&[(7.0, 5.5), (7.0, 8.8)]);
                block(6.3, 10.0, 1.4, 1.4);
            }
            Self::Theme => {
                ring(5.5);
                let half = (0..=12).map(|step| {
                    let angle = std::f32::consts::PI * step as f32 / 12.0;
                    (7.0 + 5.5 * angle.sin(), 7.0 - 5.5 * angle.cos())
                });
                fill(&half.collect::<Vec<_>>());
            }
            Self::Fit => {
                line(&[(1.5, 5.0), (1.5, 1.5), (5.0, 1.5)]);
                line(&[(9.0, 1.5), (12.5, 1.5), (12.5, 5.0)]);
                line(&[(12.5, 9.0), (12.5, 12.5), (9.0, 12.5)]);
                line(&[(5.0, 12.5), (1.5, 12.5), (1.5, 9.0)]);
            }
            Self::Reset => {
                let arc = (0..=14).map(|step| {
                    let angle = std::f32::consts::TAU * (0.1 + 0.8 * step as f32 / 14.0);
                    at(7.0 + 5.0 * angle.sin(), 7.0 - 5.0 * angle.cos())
                });
                painter.add(Shape::line(arc.collect(), stroke));
                line(&[(4.2, 0.8), (4.2, 4.2), (7.4, 4.2)]);
            }
            Self::Info => {
                ring(5.8);
                line(&[(7.0, 6.3), (7.0, 10.3)]);
                block(6.3, 3.6, 1.4, 1.4);
            }
            Self::Search => {
                painter.circle_stroke(at(6.0, 6.0), 4.2 * side / 14.0, stroke);
                line(&[(9.2, 9.2), (12.8, 12.8)]);
            }
            Self::Bell => {
                line(&[
                    (1.8, 10.5),
                    (3.2, 8.8),
                    (3.4, 5.2),
                    (4.6, 3.2),
                    (7.0, 2.2),
                    (9.4, 3.2),
                    (10.6, 5.2),
                    (10.8, 8.8),
                    (12.2, 10.5),
                    (1.8, 10.5),
                ]);
                line(&[(5.8, 12.6), (8.2, 12.6)]);
            }
            Self::Copy => {
                outline(4.5, 4.5, 8.0, 8.0);
                line(&[(9.5, 1.5), (1.5, 1.5), (1.5, 9.5)]);
            }
            Self::Trash => {
                line(&[(1.8, 3.5), (12.2, 3.5)]);
                line(&[(5.0, 3.2), (5.0, 1.5), (9.0, 1.5), (9.0, 3.2)]);
                line(&[(3.0, 3.8), (3.6, 12.5), (10.4, 12.5), (11.0, 3.8)]);
            }
            Self::Pencil => {
                line(&[(1.8, 12.2), (2.6, 9.0), (9.8, 1.8), (12.2, 4.2), (5.0, 11.4), (1.8, 12.2)]);
                line(&[(8.2, 3.4), (10.6, 5.8)]);
            }
            Self::Pin => {
                line(&[(4.5, 1.8), (9.5, 1.8)]);
                line(&[(5.3, 1.8), (5.3, 6.2), (3.0, 8.6), (11.0, 8.6), (8.7, 6.2), (8.7, 1.8)]);
                line(&[(7.0, 8.6), (7.0, 12.8)]);
            }
            Self::Compare => {
                outline(1.5, 4.5, 4.0, 8.0);
                outline(8.5, 1.5, 4.0, 11.0);
            }
            Self::More => {
                block(1.6, 6.1, 1.8, 1.8);
                block(6.1, 6.1, 1.8, 1.8);
                block(10.6, 6.1, 1.8, 1.8);
            }
            Self::Settings => {
                for (y, x) in [(3.0, 9.0), (7.0, 4.5), (11.0, 8.0)] {
                    line(&[(1.5, y), (12.5, y)]);
                    block(x - 1.2, y - 1.7, 2.4, 3.4);
                }
            }
            Self::Keyboard => {
                outline(0.8, 3.2, 12.4, 7.6);
                for x in [3.0, 5.4, 7.8, 10.2] {
                    block(x - 0.2, 5.2, 1.2, 1.2);
                }
                line(&[(4.0, 8.6), (10.0, 8.6)]);
            }
            Self::Plus => {
                line(&[(7.0, 2.0), (7.0, 12.0)]);
                line(&[(2.0, 7.0), (12.0, 7.0)]);
            }
            Self::Minus => line(&[(2.0, 7.0), (12.0, 7.0)]),
            Self::FloorPlan => {
                outline(1.5, 1.5, 11.0, 11.0);
                line(&[(6.5, 1.5), (6.5, 12.5)]);
                line(&[(6.5, 5.0), (12.5, 5.0)]);
                line(&[(1.5, 8.5), (6.5, 8.5)]);
            }
            Self::Islands => {
                for (x, y) in [(7.0, 2.8), (11.2, 10.2), (2.8, 10.2)] {
                    painter.circle_filled(at(x, y), 2.1 * side / 14.0, colour);
                }
                line(&[(8.4, 5.2), (10.0, 7.8)]);
                line(&[(8.6, 10.2), (5.4, 10.2)]);
                line(&[(4.0, 7.8), (5.6, 5.2)]);
            }
            Self::Up => {
                line(&[(7.0, 12.0), (7.0, 2.5)]);
                line(&[(3.5, 6.0), (7.0, 2.5), (10.5, 6.0)]);
            }
            Self::Down => {
                line(&[(7.0, 2.0), (7.0, 11.5)]);
                line(&[(3.5, 8.0), (7.0, 11.5), (10.5, 8.0)]);
            }
            Self::First => {
                block(1.5, 2.5, 1.6, 9.0);
                fill(&[(8.0, 2.5), (3.6, 7.0), (8.0, 11.5)]);
                fill(&[(12.5, 2.5), (8.1, 7.0), (12.5, 11.5)]);
            }
            Self::StepBack => {
                block(10.4, 2.5, 1.6, 9.0);
                fill(&[(8.8, 2.5), (3.0, 7.0), (8.8, 11.5)]);
            }
            Self::StepForward => {
                block(2.0, 2.5, 1.6, 9.0);
                fill(&[(5.2, 2.5), (11.0, 7.0), (5.2, 11.5)]);
            }
            Self::Last => {
                block(10.9, 2.5, 1.6, 9.0);
                fill(&[(6.0, 2.5), (10.4, 7.0), (6.0, 11.5)]);
                fill(&[(1.5, 2.5), (5.9, 7.0), (1.5, 11.5)]);
            }
            Self::Systolic => {
                for (x, y) in [(1.5, 1.5), (8.5, 1.5), (1.5, 8.5), (8.5, 8.5)] {
                    block(x, y, 4.0, 4.0);
                }
                line(&[(5.5, 3.5), (8.5, 3.5)]);
                line(&[(5.5, 10.5), (8.5, 10.5)]);
                line(&[(3.5, 5.5), (3.5, 8.5)]);
                line(&[(10.5, 5.5), (10.5, 8.5)]);
            }
            Self::Undo => {
                line(&[(5.0, 2.0), (1.8, 5.2), (5.0, 8.4)]);
                line(&[(1.8, 5.2), (9.0, 5.2), (11.6, 6.6), (12.2, 9.0), (11.2, 11.4), (8.6, 12.2)]);
            }
        }
    }
}

/// The icon of the window itself: a small timetable.
pub fn window_icon() -> egui::IconData {
    const SIDE: usize = 64;
    let (ground, cell, mark) =
        (crate::theme::LIGHT.accent, crate::theme::LIGHT.accent_soft, crate::theme::LIGHT.surface);
    let mut rgba = Vec::with_capacity(SIDE * SIDE * 4);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let inside = |from: usize, at: usize| at >= from && at < from + 12;
            let (column, row) = ((x.saturating_sub(8)) / 16, (y.saturating_sub(8)) / 16);
            let in_cell = inside(10 + column * 16, x) && inside(10 + row * 16, y) && column < 3 && row < 3;
            let corner = |a: usize| a.min(SIDE - 1 - a);
            let outside = corner(x) + corner(y) < 8;
            let colour = match (outside, in_cell, (row * 2) % 3 == column) {
                (true, ..) => Color32::TRANSPARENT,
                (_, true, true) => mark,
                (_, true, false) => cell.gamma_multiply(0.45).blend(ground.gamma_multiply(0.55)),
                _ => ground,
            };
            rgba.extend_from_slice(&colour.to_array());
        }
    }
    egui::IconData { rgba, width: SIDE as u32, height: SIDE as u32 }
}
