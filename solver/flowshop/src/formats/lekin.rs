//! Files of the program LEKIN: jobs (`.job`), machines (`.mch`) and schedules (`.seq`). They describe shops in which each job has
//! a route of its own, and are named rather than read.

/// Remedy for all of its files.
const REMEDY: &str = "If all jobs visit the machines in the same order, make a table with the columns job, release date, due date and \
                      weight, and one column of minutes for each machine";

/// Explains a file of LEKIN by the words that begin its lines; `None` for other files.
pub(crate) fn explained(text: &str) -> Option<String> {
    let has = |word: &str| {
        let begins = |line: &str| line.trim_start().get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        text.lines().any(begins)
    };
    let what = if has("Job:") && has("Oper:") {
        "these are jobs of LEKIN (.job): each has a route of its own over work centres, as in a job shop"
    } else if has("Workcenter:") && has("Machine:") {
        "these are work centres and machines of LEKIN (.mch); jobs and times are in the file beside it that ends in .job"
    } else if has("Schedule:") && has("Machine:") {
        "this is a schedule of LEKIN (.seq); jobs and times are in the file beside it that ends in .job"
    } else {
        return None;
    };
    Some(format!("{what}. {REMEDY}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_the_words_of_their_lines() {
        let job = "Shop: Flow shop\nName: a\nJob: J1\n  Release: 0\n  Due: 10\n  Weight: 1\n  Oper: W1;4;A\n";
        let machines = "Ordinary:\nWorkcenter: W1\n  RelDate: 0\n  Status: A\n  Machine: W1.1\n";
        let schedule = "Schedule: EDD\n  Machine: W1.1\n    Oper: J1\n";
        for (text, ending) in [(job, ".job"), (machines, ".mch"), (schedule, ".seq")] {
            let what = explained(text).unwrap();
            assert!(what.contains(&format!("LEKIN ({ending})")) && what.contains("make a table"), "{what}");
        }
        for text in ["job,Saw\nDesk,4\n", "Job: one\nDue: 4\n", "Machine: Saw\n", ""] {
            assert_eq!(explained(text), None, "{text}");
        }
    }
}
