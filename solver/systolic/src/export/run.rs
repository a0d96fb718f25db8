//! Pictures of a run: the grid at its end, an animation, and the operators of the cells.
//!
//! A seed determines the run, so that the pictures are made from the result alone by running the algorithm again.

use crate::drawing::film::{self, Moment};
use crate::drawing::{self, HeatMap, Operators, Panel};
use crate::run::Algorithm;
use crate::{Frame, Grid, Instance, Kind, MAX_BITS};
use gridwright_core::backend;
use gridwright_core::export::picture;
use gridwright_core::numbers::grouped;
use gridwright_core::planning::MissingData;
use gridwright_core::result::RunResult;
use gridwright_core::search::Algorithms;
use gridwright_core::{Error, Result};

/// Returns `true` for the ending of a picture of the cells: a film of the run, the grid at its end, its operators.
pub(crate) fn is_of_run(ending: &str) -> bool {
    shows_run(ending) || matches!(ending, "operators.svg" | "operators.png")
}

/// Returns `true` for the ending of a picture for which the run is made again: a film, the grid at its end.
pub fn shows_run(ending: &str) -> bool {
    matches!(ending, "gif" | "grid.svg" | "grid.png")
}

/// Number of frames of an animation and their duration in hundredths of a second.
const MOMENTS: u64 = 100;
const HUNDREDTHS: u16 = 8;

/// Largest number of bits of an animated grid, by the width of the picture.
const MOST_BITS: usize = 4_500;

/// Encodes a picture of a run; `result` is the run, not needed for the operators.
///
/// # Errors
/// [`Error::Usage`] if there is no run, it has no grid, or the picture is too large.
pub(crate) fn bytes(instance: &Instance, result: Option<&RunResult>, ending: &str) -> Result<Vec<u8>> {
    let of_result = |result: &RunResult| Algorithm::of_result(&result.algorithm, &result.parameters);
    let algorithm = result.map(of_result).transpose()?;
    check(instance, algorithm.as_ref(), ending)?;
    let (shown, kind) = ending.split_once('.').unwrap_or((ending, ""));
    match (shown, result) {
        ("grid", Some(result)) => {
            let (mut map, moments) = walk(instance, result, 0)?;
            let last = moments.into_iter().next_back().map(|moment| moment.panels).unwrap_or_default();
            // Final fitnesses are close to each other; a scale of their own separates them.
            rescale(&instance.kind, &mut map, last.iter().flatten().copied());
            map.panels.iter_mut().zip(last).for_each(|(panel, values)| panel.values = values);
            picture(&map.scene(), kind)
        }
        (_, Some(result)) if shown != "operators" => {
            let (map, moments) = walk(instance, result, MOMENTS)?;
            film::gif(&map, &moments, HUNDREDTHS)
        }
        _ => picture(&operators(instance, algorithm.as_ref()).scene(), kind),
    }
}

/// Checks that a run of this algorithm, `None` if there is no run, can be shown in a picture of a run; needs no time.
///
/// # Errors
/// There is no run, the algorithm has no grid, or there are too many bits for a film.
pub(crate) fn check(
    instance: &Instance, algorithm: Option<&Algorithm>, ending: &str,
) -> std::result::Result<(), MissingData> {
    const NO_GRID: &str = "This search has no grid; show a run of one of the systolic searches";
    let missing = |in_window, on_command_line| Err(MissingData { in_window, on_command_line });
    if !shows_run(ending) {
        return Ok(());
    }
    let Some(algorithm) = algorithm else {
        let what = format!("{ending} shows a run; take the result of one (solve with --out RESULT.ron)");
        return missing(NO_GRID, what);
    };
    if algorithm.flavour().is_none() {
        let label = algorithm.label();
        return missing(NO_GRID, format!("{label} has no grid to show; solve with one of sgs-b, sgs-v, sgs-e, sgs-t"));
    }
    if ending == "gif" && instance.bits() > MOST_BITS {
        let (name, bits) = (&instance.name, instance.bits());
        let what = format!("{name}: {bits} columns are too many for a film, at most {MOST_BITS}; write grid.png");
        return missing("The grid has too many columns for a film; choose a picture of the grid", what);
    }
    Ok(())
}

/// Heat map of the operators of all cells under the rules of an algorithm, or under the published ones.
pub(crate) fn operators(instance: &Instance, algorithm: Option<&Algorithm>) -> HeatMap {
    debug_assert!(instance.bits() <= MAX_BITS);
    let grid = algorithm.map_or_else(|| Grid::new(instance.bits()), |algorithm| algorithm.grid(instance.bits()));
    let cells = grid.all_cells();
    let points = Operators {
        rows: grid.rows,
        columns: grid.bits,
        first: cells.iter().map(|cell| cell.first + 1).collect(),
        last: cells.iter().map(|cell| cell.last + 1).collect(),
        mutated: cells.iter().map(|cell| cell.mutated + 1).collect(),
    };
    drawing::operators(&instance.name, &points, false)
}

/// Runs a result again; returns the empty heat map and `count` frames spread over the run (only the last one for 0).
fn walk(instance: &Instance, result: &RunResult, count: u64) -> Result<(HeatMap, Vec<Moment>)> {
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    for (name, value) in &result.parameters {
        algorithm.set(name, &value.to_string())?;
    }
    let label = algorithm.label();
    gridwright_core::replay::check_data(result, &instance.name, &instance.hash)?;
    check_length(result, &algorithm)?;
    let mut search = algorithm.search(instance, result.seed, Some(backend::thread_pool(0)?))?;
    let total = result.generations;
    let mut moments = Vec::new();
    let mut done = 0;
    let first = search.snapshot()?.best.frame.clone();
    if count > 0 {
        moments.push(moment(instance, &first, 0.0));
    }
    for at in 1..=count.max(1).min(total.max(1)) {
        let until = total * at / count.max(1).min(total.max(1));
        while done < until {
            let steps = u32::try_from(until - done).unwrap_or(u32::MAX);
            search.advance(steps)?;
            done += u64::from(steps);
        }
        let frame = search.snapshot()?.best.frame.clone();
        moments.push(moment(instance, &frame, done as f64 / total.max(1) as f64));
    }
    let last = moments.last().map(|moment| moment.panels.as_slice()).unwrap_or_default();
    let map = map(instance, result, label, &first, last);
    Ok((map, moments))
}

/// Checks that a result tells no more generations than its digests, or the limit of a run without any, since a film
/// computes all of them again.
///
/// # Errors
/// [`Error::Usage`] if they are not.
fn check_length(result: &RunResult, algorithm: &Algorithm) -> Result<()> {
    let epochs = (result.digests.len() as u64).saturating_sub(1);
    let most = match result.plan.steps {
        _ if !result.digests.is_empty() => epochs.saturating_mul(result.plan.epoch.into()),
        Some(steps) => steps,
        // A partial result of a run with a time limit.
        None => result.curve.last().map_or(0, |point| point.step).max(algorithm.iterations()),
    };
    if result.generations > most {
        return Err(Error::Usage(format!(
            "the result says {} iterations, more than its limit and digests tell; it was damaged or changed by \
             hand, use the original",
            grouped(result.generations)
        )));
    }
    Ok(())
}

/// Frame with the fitness of the solutions that each cell meets next.
fn moment(instance: &Instance, frame: &Frame, share: f64) -> Moment {
    let grid = frame.grid;
    let mut panels = vec![Vec::with_capacity(grid.cells()), Vec::with_capacity(grid.cells())];
    for cell in 0..grid.cells() {
        let meets = frame.meets(cell / grid.bits, cell % grid.bits);
        for (stream, panel) in panels.iter_mut().enumerate() {
            let cost = meets.and_then(|numbers| frame.costs.get(numbers[stream]).copied());
            panel.push(cost.map_or(f64::NAN, |cost| instance.kind.fitness(cost)));
        }
    }
    Moment { name: format!("iteration {}", grouped(frame.iteration)), share, panels }
}

fn map(instance: &Instance, result: &RunResult, label: &str, first: &Frame, last: &[Vec<f64>]) -> HeatMap {
    let kind = &instance.kind;
    let worst = kind.fitness(first.worst);
    let panel = |caption: &str| Panel { caption: caption.to_owned(), values: Vec::new() };
    let mut map = HeatMap {
        title: format!("{}: {label} on a grid of {} × {} cells", instance.name, first.grid.rows, first.grid.bits),
        subtitle: format!("fitness; seed {}, {} iterations", result.seed, grouped(result.generations)),
        rows: first.grid.rows,
        columns: first.grid.bits,
        panels: vec![panel("Horizontal stream"), panel("Vertical stream")],
        low: (worst, String::new()),
        high: (worst, String::new()),
        dark: false,
    };
    rescale(kind, &mut map, std::iter::once(worst).chain(last.iter().flatten().copied()));
    map
}

/// Sets the scale of a map to these fitnesses.
fn rescale(kind: &Kind, map: &mut HeatMap, fitnesses: impl Iterator<Item = f64>) {
    let (worst, best) =
        fitnesses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)));
    // Overweight knapsacks have fitness far below 0 and would compress the scale of the feasible ones.
    let low = if matches!(kind, Kind::Knapsack { .. }) { worst.max(0.0) } else { worst };
    let text = |fitness: f64| match kind {
        Kind::Knapsack { .. } | Kind::OneMax { .. } => grouped(fitness.max(0.0) as u64),
        _ => format!("{fitness:.3}"),
    };
    let low_text = if worst < low { format!("{} or less", text(low)) } else { text(low) };
    (map.low, map.high) = ((low, low_text), (best.max(low), text(best.max(low))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::run::{Settings, solve};
    use gridwright_core::search::{Budget, Control, Stop};

    fn solved(name: &str, algorithm: &str) -> (Instance, RunResult) {
        solved_by(name, Algorithm::named(algorithm).unwrap(), Budget::Steps(40))
    }

    fn solved_by(name: &str, algorithm: Algorithm, budget: Budget) -> (Instance, RunResult) {
        let instance = library::named(name, 5).unwrap();
        let settings =
            Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 1, seed: 3, stop: Stop::after(budget) };
        let result = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        (instance, result)
    }

    #[test]
    fn a_run_is_shown_from_its_start_to_its_end() {
        let (instance, result) = solved("onemax:20", "sgs-b");
        let (map, moments) = walk(&instance, &result, 10).unwrap();
        assert_eq!((moments.len(), moments[0].share, moments[10].share), (11, 0.0, 1.0));
        assert_eq!((moments[0].name.as_str(), moments[10].name.as_str()), ("iteration 0", "iteration 40"));
        let best = moments[10].panels.iter().flatten().copied().fold(0.0, f64::max);
        assert_eq!(best, instance.kind.fitness(result.verdict.cost), "the last moment holds the solution of the run");
        assert_eq!((map.high.0, moments[10].panels[1].len()), (best, 20 * 5));
        assert!(bytes(&instance, Some(&result), "gif").unwrap().starts_with(b"GIF89a"));
        assert!(bytes(&instance, Some(&result), "grid.png").unwrap().starts_with(b"\x89PNG"));
    }

    /// No run goes beyond the iterations of its algorithm, whatever limits it and however long its epochs are; every run is
    /// shown.
    #[test]
    fn runs_end_with_the_iterations_of_their_algorithm_under_every_limit() {
        for budget in [Budget::Seconds(60.0), Budget::Evaluations(1 << 40), Budget::Steps(1 << 40)] {
            let mut algorithm = Algorithm::named("sgs-b").unwrap();
            algorithm.set("iterations", "333").unwrap();
            let (instance, result) = solved_by("onemax:20", algorithm, budget);
            assert_eq!((result.generations, walk(&instance, &result, 4).unwrap().1.len()), (333, 5), "{budget:?}");
        }
    }

    /// A film of so many iterations would take years.
    #[test]
    fn a_number_of_iterations_that_was_edited_is_refused() {
        let (instance, mut result) = solved("onemax:20", "sgs-b");
        for generations in [result.generations + 100, 1_000_000_000_000] {
            result.generations = generations;
            let why = bytes(&instance, Some(&result), "gif").unwrap_err().to_string();
            assert!(why.contains("use the original"), "{why}");
        }
    }

    #[test]
    fn what_has_no_grid_is_refused() {
        let (instance, result) = solved("onemax:20", "sga");
        let says = |result| bytes(&instance, result, "gif").unwrap_err().to_string();
        assert!(says(Some(&result)).contains("SGA has no grid"));
        assert!(says(None).contains("--out RESULT.ron"));
        let svg = String::from_utf8(bytes(&instance, None, "operators.svg").unwrap()).unwrap();
        assert!(svg.contains("bit 20") && svg.contains("Bit that is flipped"));
    }

    /// The vectors of the paper for 100 bits: cell (1, 50) crosses from 2 to 53 and flips bit 50.
    #[test]
    fn operators_are_those_of_the_paper() {
        let map = operators(&library::named("onemax:100", 5).unwrap(), None);
        let of = |cell: usize| [0, 1, 2].map(|panel: usize| map.panels[panel].values[cell]);
        assert_eq!((of(49), of(699)), ([2.0, 53.0, 50.0], [44.0, 93.0, 84.0]));
    }
}
