//! Files for programs of the field: IOHanalyzer reads the improvements of all runs. Tables for R and pandas are `runs.csv` and
//! `curve.csv` themselves.
//!
//! C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck, «IOHprofiler: a benchmarking and profiling tool for iterative optimization
//! heuristics», arXiv:1810.05281, 2018; format of IOHexperimenter 0.3.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::json;

use super::folder::Curves;
use super::report::data::instance_name;
use super::row::Row;

/// Files for IOHanalyzer by their paths below its folder: one folder per algorithm, one function per instance.
///
/// The last evaluation of a run is always among its lines. Costs are those that the searches minimise.
pub(crate) fn iohanalyzer(rows: &[Row], curves: &Curves) -> BTreeMap<PathBuf, String> {
    let plain =
        |text: &str| text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect::<String>();
    let mut functions: Vec<(&str, &str)> = rows.iter().map(|row| (row.problem.as_str(), instance_name(row))).collect();
    functions.sort_unstable();
    functions.dedup();
    let mut groups: BTreeMap<(String, usize), Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.failure.is_empty()) {
        let function = functions.iter().position(|of| *of == (row.problem.as_str(), instance_name(row)));
        let label = if row.options.is_empty() { row.label.clone() } else { format!("{} {}", row.label, row.options) };
        groups.entry((format!("{label} ({})", row.backend), function.unwrap_or(0))).or_default().push(row);
    }
    let mut files = BTreeMap::new();
    for ((label, function), mut rows) in groups {
        rows.sort_by_key(|row| row.seed);
        let (id, name) = (function + 1, plain(functions[function].1));
        let (folder, data) = (PathBuf::from(plain(&label)), format!("data_f{id}_{name}/IOHprofiler_f{id}_DIM1.dat"));
        let (mut text, mut runs) = (String::new(), Vec::new());
        for row in rows {
            let states = curves.get(&row.key).map(Vec::as_slice).unwrap_or_default();
            let Some(best) = states.iter().min_by(|a, b| a.cost.total_cmp(&b.cost)) else { continue };
            text.push_str("evaluations raw_y\n");
            for state in states {
                // The state before the first step counts as the first evaluation. Writing to a string cannot fail.
                let _ = writeln!(text, "{} {}", state.evaluations.max(1), state.cost);
            }
            let best = json!({ "evals": best.evaluations.max(1), "y": best.cost, "x": [] });
            runs.push(json!({ "instance": row.seed, "evals": row.evaluations, "best": best }));
        }
        let about = json!({
            "version": "0.3.5",
            "suite": "gridwright",
            "function_id": id,
            "function_name": name,
            "maximization": false,
            "algorithm": { "name": label, "info": "" },
            "attributes": [],
            "scenarios": [{ "dimension": 1, "path": data, "runs": runs }],
        });
        files.insert(folder.join(format!("IOHprofiler_f{id}_{name}.json")), format!("{about:#}\n"));
        files.insert(folder.join(data), text);
    }
    files
}
