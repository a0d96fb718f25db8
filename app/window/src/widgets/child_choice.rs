//! Choice of a child whose origin is followed: its generation, and its number in the generation.

use egui::{DragValue, Ui};

use super::controls::named;
use crate::theme::space;

/// A child of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// Number of the generation.
    pub generation: u64,
    /// Number of the child in its generation, from 0.
    pub child: usize,
}

/// Draws both fields; returns the child that the person chose. Generations go up to `last`, and have `individuals` children.
pub fn show(ui: &mut Ui, shown: Child, last: u64, individuals: usize) -> Option<Child> {
    let Child { mut generation, child } = shown;
    let mut number = child + 1;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let field = DragValue::new(&mut generation).range(0..=last).speed(0.2);
        ui.label("Generation");
        named(ui, "Generation of the child", "The generation of the child", |ui| ui.add(field));
        ui.add_space(space::S);
        let field = DragValue::new(&mut number).range(1..=individuals.max(1)).speed(0.2);
        ui.label("Child");
        let help = "The number of the child in its generation; Enter on a row of the population chooses it, too";
        named(ui, "Number of the child", help, |ui| ui.add(field));
    });
    let chosen = Child { generation, child: number - 1 };
    (chosen != shown).then_some(chosen)
}
