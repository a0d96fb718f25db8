//! Memory that a search or an instance reserves, computed before it is reserved.

use crate::{Error, Result, numbers};

/// Largest memory of the tables of one search or one instance, in bytes: 8 GiB.
pub const MOST: u128 = 8 << 30;

/// Checks that `what`, a noun phrase such as “the population”, does not need more than [`MOST`] bytes.
///
/// # Errors
/// [`Error::Usage`] with the number of MiB and `remedy`, an imperative clause.
pub fn check(what: &str, bytes: u128, remedy: &str) -> Result<()> {
    if bytes <= MOST {
        return Ok(());
    }
    let mebibytes = |bytes: u128| numbers::grouped(u64::try_from(bytes >> 20).unwrap_or(u64::MAX));
    Err(Error::Usage(format!(
        "{what} would take {} MiB of memory, and at most {} MiB are reserved; {remedy}",
        mebibytes(bytes),
        mebibytes(MOST)
    )))
}

/// Product of sizes, which does not overflow for any sizes of up to 32 bits, four at a time.
pub fn product(sizes: [usize; 4]) -> u128 {
    sizes.into_iter().map(|size| size as u128).fold(1, u128::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_refused_with_number_and_remedy() {
        assert!(check("the population", MOST, "choose fewer").is_ok());
        let why = check("the population", product([1 << 20, 5_000, 2, 1]), "choose fewer individuals").unwrap_err();
        let text = why.to_string();
        assert!(text.contains("the population") && text.ends_with("choose fewer individuals"), "{text}");
        assert!(text.contains(&numbers::grouped(10_000)), "{text}");
    }
}
