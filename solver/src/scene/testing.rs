//! Assertions about scenes, for the tests of drawings.

use super::{Anchor, Scene, Shape, fonts};

/// Texts of a scene in drawing order.
pub(crate) fn texts(scene: &Scene) -> Vec<&str> {
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

/// Asserts that every shape lies within the picture.
pub(crate) fn assert_inside(scene: &Scene) {
    let inside = |x: f32, y: f32| (-0.5..=scene.width + 0.5).contains(&x) && (-0.5..=scene.height + 0.5).contains(&y);
    for shape in &scene.shapes {
        let good = match shape {
            Shape::Rectangle { x, y, width, height, .. } => {
                inside(*x, *y) && inside(x + width, y + height) && *width >= 0.0 && *height >= 0.0
            }
            Shape::Picture { x, y, width, height, .. } => inside(*x, *y) && inside(x + width, y + height),
            Shape::Line { points, .. } => points.iter().all(|&(x, y)| inside(x, y)),
            Shape::Text { x, y, size, anchor, text, bold, upright, .. } => {
                let width = fonts::text_width(text, *size, *bold);
                let start = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -width / 2.0,
                    Anchor::End => -width,
                };
                let at = |along: f32| if *upright { inside(*x, y - along) } else { inside(x + along, *y) };
                at(start) && at(start + width)
            }
        };
        assert!(good, "{shape:?} of {} × {}", scene.width, scene.height);
    }
}
