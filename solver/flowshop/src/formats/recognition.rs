//! Recognition of flow shops among the sources of all problems.

use std::path::Path;

use super::matrix::{Row, rows};
use super::{FORMATS, SAMPLE, TAILLARD, is_numeral, workbook};
use crate::library;
use gridwright_core::formats::{Candidate, detect};
use gridwright_core::problem::Detection;
use gridwright_core::recognition::is_document;
use gridwright_core::text::{decoding, ending, sheets};

/// Number of leading bytes that [`looks_like`] needs; a shorter buffer is taken for the whole file.
pub const LOOK: usize = 1 << 16;

/// Endings of files of another problem, of results and of schedules.
const OTHERS: [&str; 4] = ["stu", "crs", "exam", "ron"];

/// Returns `true` for the ending of a file that is no flow shop.
fn is_foreign(path: &Path) -> bool {
    is_document(path) || OTHERS.contains(&ending(path).as_str())
}

/// Explains a file of numbers that is a flow shop of another kind, by the word that begins its second part; `None` for other files.
pub(super) fn stranger(text: &str) -> Option<&'static str> {
    let is_there = text.lines().any(|line| line.trim().eq_ignore_ascii_case("reldue"));
    is_there.then_some(
        "this is a flow shop with release dates, due dates and weights in a second part; they are not read here. Make a table with the \
         columns job, due date and one for each machine",
    )
}

/// Returns `true` for a file of which [`stranger`] says what it is; `start` as for [`looks_like`].
pub(crate) fn is_stranger(source: &str, start: &[u8]) -> bool {
    let path = &gridwright_core::source::path(source);
    let is_text = !sheets::is_named_workbook(path) && !is_foreign(path);
    is_text && decoding::decode(path, start.to_vec(), None).is_ok_and(|(text, _)| stranger(&text).is_some())
}

/// Returns `true` if a source names or contains a flow shop. `start` holds the first [`LOOK`] bytes of the file, the
/// whole file if it is shorter, or nothing for a name such as `taillard:ta051`.
///
/// A file of numbers must begin with numbers of jobs and machines that agree with the rest of the file; lists of
/// students and exams do not, and codes with leading zeros are not numbers. One bad row is tolerated, so that the
/// reader can report it.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if source.starts_with(TAILLARD) {
        return true;
    }
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return library::SAMPLES.contains(&name.trim());
    }
    let path = &gridwright_core::source::path(source);
    match sheets::is_named_workbook(path) {
        true => workbook::has_jobs(path),
        false => of_file(path, start) == Detection::Certain,
    }
}

/// Returns `true` if a file that no problem recognises was probably meant to be a flow shop, whose reader then reports
/// what is wrong: a header that names jobs or their number, or a first line of two plain numbers. For `start` see
/// [`looks_like`].
pub(crate) fn resembles(source: &str, start: &[u8]) -> bool {
    let path = &gridwright_core::source::path(source);
    !sheets::is_named_workbook(path) && of_file(path, start) > Detection::No
}

fn of_file(path: &Path, start: &[u8]) -> Detection {
    if is_foreign(path) { Detection::No } else { detect(FORMATS, path, start, LOOK) }
}

/// Detects n, m and seed, each on a line of its own, followed by the jobs.
pub(super) fn moeo(file: &Candidate<'_>) -> Detection {
    let rows = rows(file.source.text);
    // A seed that is no number is left to the reader, which reports it.
    let are_single = || rows.iter().take(3).all(|(_, row)| row.len() == 1);
    let begins = || rows.first().is_some_and(|(_, row)| is_numeral(row[0])) && are_single();
    fits(&rows, file.is_whole, is_moeo).or_possible(|| begins() && !rows.iter().any(has_code))
}

/// Detects `n m` followed by rows of numbers.
pub(super) fn matrix(file: &Candidate<'_>) -> Detection {
    let rows = rows(file.source.text);
    let is_size = |token: &&str| is_numeral(token) && (is_plain(token) || token.starts_with('-'));
    let has_sizes = || rows.first().is_some_and(|(_, first)| first.len() == 2 && first.iter().all(is_size));
    fits(&rows, file.is_whole, is_grid).or_possible(|| has_sizes() && !rows.iter().any(has_code))
}

/// Asks `is_shape` about the first row of plain numbers, the other ones, and whether they are all of the file.
fn fits(rows: &[Row], whole: bool, is_shape: impl Fn(&[&str], &[Row], bool) -> bool) -> Detection {
    let Some(((_, first), body)) = rows.split_first() else { return Detection::No };
    // The last line may be truncated.
    let body = if whole { body } else { body.split_last().map_or(body, |(_, body)| body) };
    Detection::certain(first.iter().all(|token| is_plain(token)) && is_shape(first, body, whole))
}

/// Returns `true` for a decimal number without leading zeros.
fn is_plain(token: &str) -> bool {
    token.bytes().all(|byte| byte.is_ascii_digit()) && (token.len() == 1 || !token.starts_with('0'))
}

/// Returns `true` if a row has a number with leading zeros, such as an exam code.
fn has_code(row: &Row) -> bool {
    row.1.iter().any(|token| token.starts_with('0') && *token != "0" && is_plain(&token[1..]))
}

/// Positive number of 32 bits, so that sums and doubles of it fit.
fn positive(token: &str) -> Option<usize> {
    token.parse::<u32>().ok().filter(|&value| value > 0 && is_plain(token)).map(|value| value as usize)
}

/// Returns `true` for `n m` followed by m rows of n, n rows of m, or n rows of 2m numbers.
fn is_grid(first: &[&str], body: &[Row], whole: bool) -> bool {
    let &[jobs, machines] = first else { return false };
    let (Some(jobs), Some(machines)) = (positive(jobs), positive(machines)) else { return false };
    if body.is_empty() || body.iter().any(has_code) {
        return false;
    }
    [(machines, jobs), (jobs, machines), (jobs, 2 * machines)].into_iter().any(|(height, width)| {
        let fitting = body.iter().filter(|(_, row)| row.len() == width && row.iter().all(|token| is_numeral(token)));
        // Tolerates one bad row among many, or one row too many or too few.
        let forgiven = usize::from(height.min(width) > 2);
        let complete = !whole || body.len() + forgiven >= height;
        complete && body.len() <= height + forgiven && fitting.count() + forgiven >= body.len()
    })
}

/// Returns `true` for n, m and seed followed by index, due date and m times of each job.
fn is_moeo(first: &[&str], body: &[Row], whole: bool) -> bool {
    let (&[jobs], [(_, machines), (_, seed), jobs_follow @ ..]) = (first, body) else { return false };
    let (Some(jobs), &[machines], &[seed]) = (positive(jobs), machines.as_slice(), seed.as_slice()) else {
        return false;
    };
    let Some(machines) = positive(machines).filter(|_| is_plain(seed)) else { return false };
    let begins = |at: usize, job: &[Row]| {
        job.iter().zip([1, 1, machines]).all(|((_, row), width)| row.len() == width)
            && job.first().is_none_or(|(_, index)| index.first() == Some(&at.to_string().as_str()))
    };
    let fitting = jobs_follow.chunks(3).enumerate().take_while(|(at, job)| begins(*at, job)).count();
    fitting > 0 && (!whole || (fitting + 1 >= jobs && jobs_follow.len() <= 3 * jobs + 1))
}
