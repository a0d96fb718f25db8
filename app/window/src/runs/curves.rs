//! The curves of the newest runs, and of the one that goes on.

use super::{Run, RunStatus, Shown};
use crate::session::Checkpoint;
use crate::theme::Palette;
use crate::widgets::convergence::Curve;

/// Number of newest runs that are plotted.
const CURVES: usize = 12;

/// The runs whose curves are shown, of those that are listed, newest first.
pub fn plotted<'a, F: 'a>(listed: impl Iterator<Item = &'a Run<F>>) -> impl Iterator<Item = &'a Run<F>> {
    let sound = |run: &&Run<F>| !run.result.curve.is_empty() && !matches!(run.status, RunStatus::Wrong(_));
    listed.take(CURVES).filter(sound)
}

/// Suffix of the name of a run whose curve contains a price.
fn name(number: usize, priced: bool) -> String {
    format!("Run {number}{}", if priced { " +" } else { "" })
}

/// The curves of these runs.
pub(crate) fn ended<'a, F: 'a>(
    listed: impl Iterator<Item = &'a Run<F>>, shown: Shown, palette: &Palette,
) -> Vec<Curve<'a>> {
    let curve = |run: &'a Run<F>| Curve {
        name: name(run.number, run.priced),
        colour: palette.curve(run.number - 1),
        points: &run.result.curve,
        chosen: shown == Shown::Run(run.number),
    };
    plotted(listed).map(curve).collect()
}

/// Curve of the run in progress, which will have this number; `priced` if its costs contain the price of moved items.
pub(crate) fn going<'a, S>(
    checkpoint: &'a Checkpoint<S>, number: usize, priced: bool, shown: Shown, palette: &Palette,
) -> Curve<'a> {
    let (name, colour) = (name(number, priced), palette.curve(number - 1));
    Curve { name, colour, points: &checkpoint.curve, chosen: shown == Shown::Live }
}
