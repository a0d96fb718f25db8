//! Solutions of binary problems as result and project files hold them: one letter per bit.

use serde::{Deserialize, Serialize};

use super::Instance;
use super::formats::solution::text_of;
use gridwright_core::result::{Encoded, RunResult};

/// A solution in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// One `0` or `1` per bit, the first bit first.
    Bits(String),
}

/// Writes the bits as letters.
pub(crate) fn encode(bits: &[bool]) -> Encoded {
    Encoded::of(&StoredSolution::Bits(text_of(bits)))
}

/// Bits of a stored solution.
///
/// # Errors
/// A sentence that names the instance, if the value is no string of bits, has another length or other letters.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Vec<bool>, String> {
    let name = &instance.name;
    let Some(StoredSolution::Bits(letters)) = solution.decode() else {
        return Err(format!("it holds no bits for {name}; name the instance that it was made for"));
    };
    let bit = |letter: char| match letter {
        '0' => Ok(false),
        '1' => Ok(true),
        other => Err(format!("“{}” is no bit", other.escape_debug())),
    };
    let bits: Vec<bool> = letters.chars().map(bit).collect::<Result<_, _>>()?;
    if bits.len() != instance.bits() {
        return Err(format!("it holds {} bits, the instance has {}", bits.len(), instance.bits()));
    }
    Ok(bits)
}

/// Iteration in which the best solution of a result was found first: the last improvement, or what the notes or the curve of
/// a result without improvements say.
pub fn iteration_of_best(result: &RunResult) -> Option<u64> {
    if let Some(last) = result.improvements.last() {
        return Some(last.step);
    }
    let told = result.notes.iter().find_map(|note| note.strip_prefix("found in iteration "));
    let told = told.and_then(|rest| rest.split(' ').next()?.parse().ok());
    told.or_else(|| result.curve.iter().find(|point| point.best <= result.verdict.cost).map(|point| point.step))
}
