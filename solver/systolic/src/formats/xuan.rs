//! Next release problems in the format of J. Xuan et al.: costs of requirements, dependencies, customers with profits.
//!
//! Their model differs: a customer pays only if *all* requests are met, the budget is limited, and requirements may
//! depend on others. Here requirements count separately, so a customer's profit is split evenly over the requests, in
//! hundredths with the remainder to the first ones; a warning says so. Files with dependencies are refused, because no
//! split preserves their meaning.
//!
//! Source: J. Xuan, H. Jiang, Z. Ren, Z. Luo, «Solving the large scale next release problem with a backbone-based
//! multilevel algorithm», IEEE Transactions on Software Engineering 38(5), 2012.

use super::numbers::whole;
use crate::{Instance, Kind, MAX_BITS};
use gridwright_core::text::Source;
use gridwright_core::text::lines::{self, Problems, counted, is_number, quoted};
use gridwright_core::{Error, Result};

/// Largest number of requirement levels.
const MOST_LEVELS: u64 = 100;

/// Returns `true` if a text is such a file: a number of levels; for each level a number of requirements and a line of as many
/// costs; then a number of dependencies, as many lines of two requirements, and a number of customers. The last line of a text not
/// seen `whole` may be cut off.
pub(super) fn begins(text: &str, whole: bool) -> bool {
    let mut rows = lines::of(text).map(|(_, line)| line).filter(|line| !line.is_empty()).peekable();
    let mut next = || {
        let row = rows.next()?;
        let is_last = rows.peek().is_none();
        let numbers = row.split_whitespace().map(|piece| piece.parse::<u64>().ok().filter(|_| is_number(piece)));
        Some((numbers.collect::<Option<Vec<u64>>>(), is_last))
    };
    let single = |row: Option<(Option<Vec<u64>>, bool)>| match row {
        Some((Some(numbers), _)) if numbers.len() == 1 => Some(numbers[0]),
        _ => None,
    };
    let Some(levels) = single(next()).filter(|levels| (1..=MOST_LEVELS).contains(levels)) else { return false };
    for level in 0..levels {
        let requirements = match single(next()) {
            Some(requirements) => requirements,
            None => return false,
        };
        match next() {
            Some((Some(costs), _)) if costs.len() as u64 == requirements && (level > 0 || requirements > 1) => {}
            // What follows lies beyond the part that was seen.
            Some((Some(costs), true)) if !whole && costs.len() as u64 <= requirements => return true,
            _ => return false,
        }
    }
    let Some(dependencies) = single(next()) else { return false };
    for _ in 0..dependencies {
        match next() {
            Some((Some(pair), _)) if pair.len() == 2 => {}
            _ if !whole => return true,
            _ => return false,
        }
    }
    // A file that breaks off here is one, too; the reader says so.
    match next() {
        None => true,
        row => single(row).is_some() || !whole,
    }
}

/// Numbers of a text with their line numbers.
struct Numbers<'a, 'b> {
    source: Source<'a>,
    tokens: Box<dyn Iterator<Item = (usize, &'a str)> + 'b>,
    line: usize,
}

impl Numbers<'_, '_> {
    /// Returns the next number; `what` names it in errors.
    fn next(&mut self, what: &str) -> Result<u64> {
        let Some((line, token)) = self.tokens.next() else {
            let what = format!("the file ends where {what} should stand; get it again");
            return Err(Error::line(self.source.path, self.line.max(1), what));
        };
        self.line = line;
        whole(token).map_err(|why| Error::line(self.source.path, line, format!("{what}: {why}")))
    }

    fn count(&mut self, what: &str, most: u64) -> Result<u64> {
        let count = self.next(what)?;
        if count <= most {
            return Ok(count);
        }
        let what = format!("{what} is {count}; at most {most} can be handled");
        Err(Error::line(self.source.path, self.line, what))
    }
}

/// Reads a file; the caller sets name and hash. `tenths` is the weight of the objective.
///
/// # Errors
/// [`Error::Line`] for the first invalid number, [`Error::Lines`] for all invalid requests; [`Error::File`] for a file
/// with dependencies.
pub fn parse(source: Source, tenths: u8) -> Result<Instance> {
    let pieces =
        lines::of(source.text).flat_map(|(line, text)| text.split_whitespace().map(move |piece| (line, piece)));
    let mut numbers = Numbers { source, tokens: Box::new(pieces), line: 0 };
    let mut costs = Vec::new();
    for level in 1..=numbers.count("the number of levels", MOST_LEVELS)? {
        let most = (MAX_BITS - costs.len()) as u64;
        for _ in 0..numbers.count(&format!("the number of requirements of level {level}"), most)? {
            costs.push(numbers.next(&format!("the cost of requirement {}", costs.len() + 1))?);
        }
    }
    let dependencies = numbers.next("the number of dependencies")?;
    if dependencies > 0 {
        let what = format!(
            "{dependencies} of its requirements depend on others; here each requirement counts for itself, so that a plan \
             could leave out what another one needs. Choose a file without dependencies (nrp-e, nrp-g and nrp-m have none)"
        );
        return Err(Error::line(source.path, numbers.line, what));
    }
    let (values, customers) = customers(&mut numbers, costs.len())?;
    if let Some((line, token)) = numbers.tokens.next() {
        let what =
            format!("{} stands below the last customer; remove it or correct the number of customers", quoted(token));
        return Err(Error::line(source.path, line, what));
    }
    let warnings = vec![format!(
        "{} with requests for several requirements, who pay for all of them together: here the profit is split over the \
         requests, so that each requirement counts for itself; and there is no budget, cost is weighed against value",
        counted(customers, "customer")
    )];
    let kind = Kind::NextRelease { costs, values, value_scale: 100, tenths };
    Ok(Instance { name: String::new(), kind, names: Vec::new(), warnings, hash: String::new() })
}

/// Values of the requirements in hundredths, and the number of customers.
fn customers(numbers: &mut Numbers<'_, '_>, requirements: usize) -> Result<(Vec<u64>, usize)> {
    let mut problems = Problems::new(numbers.source.path);
    let mut values = vec![0_u64; requirements];
    let customers = numbers.count("the number of customers", 1_000_000)?;
    for customer in 1..=customers {
        let profit = numbers.next(&format!("the profit of customer {customer}"))?;
        let requests = numbers.count(&format!("the number of requests of customer {customer}"), requirements as u64)?;
        if requests == 0 && profit > 0 {
            let what = format!("customer {customer} pays {profit} for nothing; a customer needs at least one request");
            problems.line(numbers.line, what);
        }
        let hundredths = profit.saturating_mul(100);
        for request in 0..requests {
            let requirement = numbers.next(&format!("request {} of customer {customer}", request + 1))?;
            let at = usize::try_from(requirement).ok().and_then(|number| number.checked_sub(1));
            let Some(value) = at.and_then(|at| values.get_mut(at)) else {
                let what =
                    format!("customer {customer} asks for requirement {requirement}, but there are {requirements}");
                problems.line(numbers.line, what);
                continue;
            };
            *value = value.saturating_add(hundredths / requests + u64::from(request < hundredths % requests));
        }
    }
    problems.finish()?;
    Ok((values, usize::try_from(customers).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Instance> {
        parse(Source { path: Path::new("a.txt"), text }, 5)
    }

    /// Customer 1 pays 10 for requirements 1, 2 and 4: 3.34 for the first and 3.33 for each other. Customer 2 pays 7 for
    /// requirement 4: 3.33 + 7 = 10.33.
    #[test]
    fn profits_are_split_over_requests() {
        let instance = read("1\n4\n4 6 1 3\n0\n2\n10 3 1 2 4\n7 1 4\n").unwrap();
        let kind =
            Kind::NextRelease { costs: vec![4, 6, 1, 3], values: vec![334, 333, 0, 1033], value_scale: 100, tenths: 5 };
        assert_eq!(instance.kind, kind);
        assert!(instance.warnings[0].contains("2 customers") && instance.warnings[0].contains("no budget"));
    }

    #[test]
    fn dependencies_are_refused_and_bad_lines_named() {
        let says = |text: &str| read(text).unwrap_err().to_string();
        let error = says("2\n2\n4 6\n2\n1 3\n1\n1 3\n0\n");
        assert!(error.starts_with("a.txt:6: 1 of its requirements depend") && error.contains("nrp-e"), "{error}");
        assert!(says("1\n4\n4 6 x 3\n").contains("a.txt:3: the cost of requirement 3: «x»"));
        assert!(says("1\n4\n4 6\n").contains("a.txt:3: the file ends where the cost of requirement 3"));
        let error = says("1\n4\n4 6 1 3\n0\n2\n10 2 1 9\n7 2 0 1\n");
        assert!(error.contains("a.txt:6: customer 1 asks for requirement 9") && error.contains("a.txt:7: customer 2"));
        assert!(says("1\n4\n4 6 1 3\n0\n1\n10 1 1\n5\n").contains("a.txt:7: «5» stands below"));
        assert!(says("1\n99999\n").contains("at most 10000"));
        assert!(says("1\n4\n4 6 1 3\n0\n1\n10 0\n").contains("pays 10 for nothing"));
    }

    #[test]
    fn files_are_known_by_their_beginning() {
        assert!(begins("1\n4\n4 6 1 3\n0\n", true) && begins("1\n400\n4 6 1 3", false));
        // Times of machines follow each other without numbers between them.
        assert!(!begins("2\n4\n54 83 15 71\n79 3 11 99\n", true) && !begins("1\n4\n4 6 1 3\n54 83 15 71\n", true));
        assert!(!begins("3\n4\n5\n1\n2 3 4 5\n", true), "a flow shop with due dates");
        assert!(!begins("1\n4\n4 6 1\n0\n", true) && !begins("1\n4\nA B C D\n0\n", true));
    }
}
