//! Choice of a child whose origin is followed: its generation, and its number in the generation.

use egui::Ui;

use super::entry::Number;
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
        ui.label("Generation");
        let field = Number::new("Generation of the child", &mut generation).range(0..=last).speed(0.2);
        ui.add(field.help("The generation of the child"));
        ui.add_space(space::S);
        ui.label("Child");
        let help = "The number of the child in its generation; Enter on a row of the population chooses it, too";
        let field = Number::new("Number of the child", &mut number).range(1..=individuals.max(1)).speed(0.2);
        ui.add(field.help(help));
    });
    let chosen = Child { generation, child: number - 1 };
    (chosen != shown).then_some(chosen)
}
