//! Values in a plan: single ones, lists, ranges and sweeps.

/// Largest number of values of one sweep.
const MOST: u64 = 10_000;

/// Values of a text: those of a range such as `1..=10` or `0.1..=0.9 step 0.2`, or the text itself.
///
/// A value is `start + i · step`, written with as many decimals as start and step have.
///
/// # Errors
/// A sentence that says what is wrong with the range.
pub(crate) fn expand(text: &str) -> Result<Vec<String>, String> {
    let Some((start, rest)) = text.split_once("..=") else { return Ok(vec![text.to_owned()]) };
    let (end, step) = rest.split_once("step").unwrap_or((rest, "1"));
    let [start, end, step] = [start, end, step].map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    let (Some(from), Some(to), Some(by)) = (number(start), number(end), number(step)) else {
        return Err(format!("“{text}” is no range; write it as 1..=10 or 0.1..=0.9 step 0.2"));
    };
    let steps = ((to - from) / by + 1e-9).floor();
    if by <= 0.0 || steps < 0.0 {
        return Err(format!("the range “{text}” has no values; its end must not be below its start"));
    }
    if steps >= MOST as f64 {
        return Err(format!("the range “{text}” has more than {MOST} values; choose a larger step"));
    }
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let decimals = decimals(start).max(decimals(step));
    Ok((0..=steps as u64).map(|at| format!("{:.decimals$}", from + at as f64 * by)).collect())
}

/// True if a name matches a pattern in which `*` stands for any characters and `?` for one.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // reached[at]: the pattern so far matches the first `at` characters.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for wanted in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match wanted {
                '*' => reached[at] || at > 0 && next[at - 1],
                '?' => at > 0 && reached[at - 1],
                letter => at > 0 && reached[at - 1] && name[at - 1] == letter,
            };
        }
        reached = next;
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_decimals_that_were_written() {
        assert_eq!(expand("fast").unwrap(), ["fast"]);
        assert_eq!(expand("1..=3").unwrap(), ["1", "2", "3"]);
        assert_eq!(expand("0.1..=0.95 step 0.05").unwrap().len(), 18);
        assert_eq!(expand("0.1..=0.3 step 0.1").unwrap(), ["0.1", "0.2", "0.3"]);
        assert_eq!(expand("2 ..= 9 step 3").unwrap(), ["2", "5", "8"]);
        for wrong in ["a..=3", "3..=1", "1..=2 step 0", "1..=2 step -1", "0..=1 step 1e-9", "1..=inf"] {
            assert!(expand(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name) in [("*.stu", "hec.stu"), ("t?00", "ta00"), ("*", ""), ("a*b*c", "aXbYbc")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.stu", "hec.stu~"), ("?", ""), ("a", "ab"), ("a*b", "ac")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
