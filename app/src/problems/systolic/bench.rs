//! `gridwright bench systolic`.

use gridwright_solver::backend;
use gridwright_solver::search::report::Report;
use gridwright_solver::systolic;
use gridwright_solver::systolic::cuda::Tuning;
use gridwright_solver::systolic::run::Algorithm;

use crate::arguments::bench::Bench;
use crate::command::paths::data_folder;
use crate::command::text;
use gridwright_solver::search::Algorithms;

/// Seconds of a run where nothing is said.
const SECONDS: f64 = 60.0;

/// Measures children per second, or the tables of the paper.
///
/// # Errors
/// Error if an instance cannot be opened or a search fails.
pub fn run(arguments: &Bench) -> anyhow::Result<Vec<Report>> {
    let threads = if arguments.threads == 0 { backend::available_threads() } else { arguments.threads };
    let tell = &mut |what: &str| text::note(what);
    let open = |names: &[&str]| -> anyhow::Result<Vec<systolic::Instance>> {
        let named: Vec<&str> = arguments.instances.iter().map(String::as_str).collect();
        let sources = if named.is_empty() { names } else { &named };
        let options = systolic::formats::LoadOptions::default();
        Ok(sources.iter().map(|source| systolic::formats::open(source, &options)).collect::<Result<_, _>>()?)
    };
    if !arguments.tables {
        let instances = open(&systolic::bench::INSTANCES)?;
        let seconds = arguments.seconds.unwrap_or(SECONDS);
        return Ok(vec![systolic::bench::stages(&instances, threads, seconds, &tunings(arguments), tell)?]);
    }
    let names = match arguments.algorithms.as_slice() {
        [] => Algorithm::names().map(str::to_owned).collect(),
        named => named.to_vec(),
    };
    let mut algorithms = Vec::with_capacity(names.len());
    for name in &names {
        algorithms.push(Algorithm::named(name)?);
    }
    for (name, value) in &arguments.parameters {
        set_where_known(&mut algorithms, name, value)?;
    }
    // The one next release problem of the paper that was published is not part of the program.
    let published = data_folder().join("nrp/motorola_35.txt").display().to_string();
    let mut known = systolic::bench::tables::INSTANCES.to_vec();
    if std::path::Path::new(&published).is_file() {
        known.push(&published);
    }
    let instances = systolic::bench::tables::with_all_weights(open(&known)?);
    Ok(systolic::bench::tables::tables(&instances, &algorithms, arguments.seeds, threads, tell)?)
}

/// Sets a parameter of the algorithms that have it.
///
/// # Errors
/// If none has it, or the value is not possible.
fn set_where_known(algorithms: &mut [Algorithm], name: &str, value: &str) -> anyhow::Result<()> {
    let mut is_known = false;
    for algorithm in algorithms.iter_mut() {
        if algorithm.list().iter().any(|parameter| parameter.name == name) {
            algorithm.set(name, value)?;
            is_known = true;
        }
    }
    if !is_known {
        let mut known: Vec<&str> =
            algorithms.iter().flat_map(|algorithm| algorithm.list()).map(|parameter| parameter.name).collect();
        known.sort_unstable();
        known.dedup();
        anyhow::bail!("none of the algorithms has a parameter “{name}”; there are: {}", known.join(", "));
    }
    Ok(())
}

/// Every way to use a device that is asked for; 0 stands for what is chosen.
fn tunings(arguments: &Bench) -> Vec<Tuning> {
    let or_chosen = |numbers: &[u32]| if numbers.is_empty() { vec![0] } else { numbers.to_vec() };
    let (lanes, blocks, global) = (or_chosen(&arguments.lanes), or_chosen(&arguments.blocks), arguments.global);
    let of = |lanes: &u32| blocks.iter().map(|&blocks| Tuning { lanes: *lanes, blocks, block: 0, global }).collect();
    lanes.iter().flat_map(|lanes| -> Vec<Tuning> { of(lanes) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_set_where_an_algorithm_has_it() {
        let mut all: Vec<Algorithm> = Algorithm::names().map(|name| Algorithm::named(name).unwrap()).collect();
        let lacking = all.iter().filter(|algorithm| algorithm.list().iter().all(|it| it.name != "crossover")).count();
        assert!(lacking > 0 && lacking < all.len(), "{lacking} of {} lack it", all.len());
        set_where_known(&mut all, "crossover", "0.5").unwrap();
        let set = all.iter().filter_map(|algorithm| algorithm.parameters().get("crossover"));
        assert!(set.into_iter().all(|value| value.real() == 0.5));
        let error = set_where_known(&mut all, "corssover", "0.5").unwrap_err().to_string();
        assert!(error.contains("“corssover”") && error.contains("crossover"), "{error}");
        assert!(set_where_known(&mut all, "crossover", "many").is_err());
    }
}
