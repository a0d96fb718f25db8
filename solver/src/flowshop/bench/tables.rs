//! The tables of Luong, Melab and Talbi, «GPU-based approaches for multiobjective local search algorithms. A case study: the
//! flowshop scheduling problem», EvoCOP 2011: time, archive, and where the time goes, size by size.

use std::sync::Arc;

use crate::flowshop::Instance;
use crate::flowshop::multiobjective::pls::ParetoSearch;
use crate::flowshop::multiobjective::tabu::TabuSearch;
use crate::flowshop::multiobjective::{FrontSearch, Objectives, ParetoParameters, Shares, TabuParameters};
use crate::search::Parameters as _;
use crate::search::report::Report;
use crate::{Error, Result, backend};

/// The first instance of each size of the tables: 20-10, 20-20, 50-10, 50-20, 100-10, 100-20, 200-10, 200-20.
pub const INSTANCES: [&str; 8] = ["ta011", "ta021", "ta041", "ta051", "ta071", "ta081", "ta091", "ta101"];

/// The searches of the tables: aggregated tabu search, and Pareto local search with either rule.
const SEARCHES: [&str; 3] = ["aTS", "PLS≻", "PLS⊁"];

/// What a run of some iterations came to.
struct Run {
    shares: Shares,
    evaluations: u64,
    members: usize,
    digest: u64,
}

/// Time on one thread and on `threads`, size of the archive, and shares of evaluation, archiving and the rest on one thread,
/// after so many iterations from random orders, seed 1. Both runs have to end with the same archive.
///
/// # Errors
/// [`Error::Usage`] where there are no threads or due dates, [`Error::Search`] where a search broke off or the runs differ.
pub fn tables(instances: &[Instance], iterations: u32, threads: usize, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let title = format!("Searches for fronts, {iterations} iterations, {threads} threads, seed 1");
    let all = format!("s on {threads}");
    let columns = [
        "search",
        "jobs-machines",
        "s on 1 core",
        all.as_str(),
        "factor",
        "archive",
        "evaluation, %",
        "archiving, %",
        "rest, %",
        "10⁶ neighbours/s on 1 core",
    ];
    let mut report = Report::new(title, &columns);
    let objectives = Objectives::default();
    for search in SEARCHES {
        for instance in instances {
            objectives.check(instance)?;
            tell(&format!("{search}, {}", instance.name));
            let [one, many] = [1, threads].map(|threads| run(search, instance, &objectives, iterations, threads));
            let (one, many) = (one?, many?);
            if one.digest != many.digest {
                let name = &instance.name;
                return Err(Error::Search(format!(
                    "{name}: one thread and {threads} end differently, which is a fault"
                )));
            }
            let [evaluation, archiving, _, rest] = one.shares.per_cent();
            let (alone, together) = (one.shares.total(), many.shares.total());
            report.rows.push(vec![
                search.to_owned(),
                format!("{}-{}", instance.job_count(), instance.machine_count()),
                format!("{alone:.3}"),
                format!("{together:.3}"),
                format!("{:.2}", alone / together.max(1e-9)),
                one.members.to_string(),
                format!("{evaluation:.1}"),
                format!("{archiving:.1}"),
                format!("{rest:.1}"),
                format!("{:.2}", one.evaluations as f64 / alone.max(1e-9) / 1e6),
            ]);
        }
    }
    let names: Vec<&str> = objectives.as_slice().iter().map(|objective| objective.name()).collect();
    report
        .notes
        .push(format!("Objectives: {}. An iteration of aTS is a step of every weighted sum.", names.join(", ")));
    Ok(report)
}

fn run(search: &str, instance: &Instance, objectives: &Objectives, iterations: u32, threads: usize) -> Result<Run> {
    let threads = backend::thread_pool(threads)?;
    if search == SEARCHES[0] {
        let mut parameters = TabuParameters::default();
        parameters.resolve(objectives.count(), instance.job_count());
        return walk(&mut TabuSearch::new(instance, objectives, &parameters, 1, Arc::clone(&threads)), iterations);
    }
    let admission = if search == SEARCHES[1] { "dominating" } else { "non-dominated" };
    let mut parameters = ParetoParameters::default();
    parameters.set("start", "random")?;
    parameters.set("admission", admission)?;
    parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
    walk(&mut ParetoSearch::new(instance, objectives, &parameters, 1, None, Arc::clone(&threads)), iterations)
}

fn walk(search: &mut impl FrontSearch, iterations: u32) -> Result<Run> {
    search.advance(iterations)?;
    let snapshot = search.snapshot()?;
    Ok(Run {
        shares: search.shares(),
        evaluations: snapshot.evaluations,
        members: snapshot.best.points.len(),
        digest: snapshot.digest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;

    #[test]
    fn every_search_has_a_row_for_every_size() {
        let instances = ["ta011", "ta041"].map(|name| library::taillard(name).unwrap());
        let report = tables(&instances, 3, 2, &mut |_| {}).unwrap();
        assert_eq!(report.rows.len(), 6);
        for row in &report.rows {
            assert_eq!(row.len(), report.columns.len());
            let shares: f64 = row[6..9].iter().map(|cell| cell.parse::<f64>().unwrap()).sum();
            assert!((shares - 100.0).abs() < 0.5, "{row:?}");
            assert!(row[5].parse::<usize>().unwrap() > 0);
        }
        assert_eq!((report.rows[0][1].as_str(), report.rows[5][1].as_str()), ("20-10", "50-10"));
        let mut without = instances.to_vec();
        without[0].jobs.iter_mut().for_each(|job| job.due = None);
        assert!(tables(&without, 1, 1, &mut |_| {}).unwrap_err().to_string().contains("due dates"));
    }
}
