//! Solutions in files, with which searches begin.

use std::path::Path;

use super::Planning;
use crate::{Error, Result, registry};

/// Solution of all items of an instance in the result of a run or in a solution file.
///
/// # Errors
/// Faults of the file; an item that is missing or there twice.
pub fn solution_of_file<P: Planning>(instance: &P::Instance, goal: &P::Goal, path: &Path) -> Result<P::Solution> {
    let encoded = match registry::is_result(path) {
        true => {
            let (result, id) = (registry::load_result(path)?, P::PROBLEM.id());
            if result.problem != id {
                let what = format!("it is a result of the problem “{}”; name one of {id}", result.problem);
                return Err(Error::file(path, what));
            }
            result.solution
        }
        false => P::read_solution(instance, goal, path, None)?.solution,
    };
    let solution = P::decode(instance, &encoded).map_err(|what| Error::file(path, what))?;
    P::check_whole(instance, &solution).map_err(|what| Error::file(path, what))?;
    Ok(solution)
}
