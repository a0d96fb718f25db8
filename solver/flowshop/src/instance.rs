//! The data of a permutation flow shop: jobs, machines and processing times.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::doubtful_machines;
use super::frozen::{self, FrozenJobs, Progress};
use super::orders::{self, CarriedColumns, is_per_piece, unit_of_times};
use super::real_time::{self, MachineClocks, RealTime};
use super::rules::Rules;
use super::{MAX_JOBS, MAX_MACHINES, MAX_TOTAL, Objective, Setups};
use gridwright_core::numbers::grouped;
use gridwright_core::text::columns::{heading, plain, with_unit};
use gridwright_core::text::lines::{counted, listed, quoted};
use gridwright_core::{Error, Result};

/// One job of the flow shop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    /// Display name, unique within the instance; also the identifier in solution files.
    pub name: String,
    /// Due date d_j in time units, or `None` if the job has none.
    pub due: Option<u32>,
    /// Release date r_j in time units: earliest start on the first machine.
    pub release: u32,
    /// Name of the family, whose jobs share set-up times; empty if there is none.
    pub family: String,
    /// Number of pieces, or `None` if it is not stated.
    pub quantity: Option<u32>,
    /// Weight of the job's tardiness, at least 1; `None` for 1, or if jobs have ranks.
    pub weight: Option<u32>,
    /// Rank of the job's urgency, 1 first; `None` for the last one, or if jobs have weights.
    pub rank: Option<u32>,
    /// Progress of the job when the plan starts.
    pub progress: Progress,
}

/// Published reference values of an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BestKnown {
    /// Smallest makespan in the literature.
    pub makespan: Option<u64>,
    /// Smallest total flow time in the literature.
    pub flow_time: Option<u64>,
    /// Lower bound of the makespan.
    pub makespan_lower: Option<u64>,
    /// True if the values are from the header of the instance's own file: nobody has checked them.
    pub of_file: bool,
    /// True if no published order attains `makespan`; only a strictly smaller makespan is then a record.
    pub doubtful: bool,
}

impl BestKnown {
    /// Best listed value of an objective; `None` if none is known.
    pub fn value(&self, objective: Objective) -> Option<u64> {
        match objective {
            Objective::Makespan => self.makespan,
            Objective::FlowTime => self.flow_time,
            Objective::Tardiness | Objective::Tardy => None,
        }
    }
}

/// A permutation flow shop: n jobs, m machines and an n × m matrix of processing times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instance {
    /// Short name, such as `ta051`.
    pub name: String,
    /// Jobs in file order; a job's position is its index everywhere in the solver.
    pub jobs: Vec<Job>,
    /// Machine names, in the order in which every job passes the machines.
    pub machines: Vec<String>,
    /// Processing times in time units, all pieces of a job together, row-major, jobs × machines: `times[job * machines + machine]`.
    pub times: Vec<u32>,
    /// True for machines that a job does not visit, laid out like `times`; empty if every job visits all machines.
    pub skips: Arc<[bool]>,
    /// Set-up times of the machines; `None` if there are none.
    pub setups: Option<Arc<Setups>>,
    /// Start of the plan, working times, ready times of machines and transport; `None` if none is stated.
    pub real_time: Option<Arc<RealTime>>,
    /// Jobs that have started, whose work that is done is not in `times`; [`Self::validated`] sets them.
    pub frozen: FrozenJobs,
    /// Rules of the user for the order of jobs.
    pub rules: Rules,
    /// Texts of jobs that no search reads.
    pub carried: CarriedColumns,
    /// Weights of the tardiness by job, which [`Self::validated`] sets; empty if all are 1.
    pub weights: Arc<[u32]>,
    /// The recurrence that follows from `real_time`; [`Self::validated`] sets it. `None` if machines work around the clock, are ready at
    /// once, transport takes no time, no job has a weight, and every job visits all machines.
    pub clocks: Option<Arc<MachineClocks>>,
    /// Remarks of the reader that the user should see.
    pub warnings: Vec<String>,
    /// Remarks that follow from families, set-ups, quantities and weights; [`Self::validated`] sets them.
    pub data_remarks: Vec<String>,
    /// SHA-256 of the file content, or of the CSV text of a generated instance.
    pub hash: String,
    /// Published reference values; all `None` for instances outside the library.
    pub best_known: BestKnown,
}

/// Units of time in lower case.
const TIME_UNITS: [&str; 22] = [
    "s", "sec", "sec.", "secs", "seconds", "sek", "sekunden", "min", "min.", "mins", "minutes", "minuten", "h", "hr",
    "hrs", "hours", "std", "stunden", "heures", "d", "days", "tage",
];

impl Instance {
    /// Builds an instance from processing times (`times.len()` = jobs × `machines`, row-major by job) with default
    /// names «J1», «J2», …, «M1», «M2», …
    ///
    /// # Errors
    /// See [`Instance::validated`].
    pub fn of_times(name: &str, machines: usize, times: Vec<u32>) -> Result<Self> {
        let jobs = times.len().checked_div(machines).unwrap_or(0);
        let instance = Self {
            name: name.to_owned(),
            jobs: vec![Job::default(); jobs],
            machines: vec![String::new(); machines],
            times,
            ..Self::default()
        };
        instance.named().validated()
    }

    /// Fills empty names with «J1», «J2», … for jobs and «M1», «M2», … for machines.
    #[must_use]
    pub fn named(mut self) -> Self {
        let name = |letter: char, at: usize, name: &mut String| {
            if name.is_empty() {
                *name = format!("{letter}{}", at + 1);
            }
        };
        self.jobs.iter_mut().enumerate().for_each(|(at, job)| name('J', at, &mut job.name));
        self.machines.iter_mut().enumerate().for_each(|(at, machine)| name('M', at, machine));
        self
    }

    /// Unit of all times: the unit of time in brackets that the names of all machines end with, such as «min» for «Saw (min)»
    /// and «Mill (min/piece)». `None` if there is none.
    pub(crate) fn stated_unit(&self) -> Option<&str> {
        let mut units = self.machines.iter().map(|name| unit_of_times(name));
        let first = units.next().filter(|first| TIME_UNITS.contains(&first.to_lowercase().as_str()));
        first.filter(|first| units.all(|unit| unit == *first))
    }

    /// Unit of all times in texts: the one that the names of all machines end with in brackets, or «time units».
    pub fn time_unit(&self) -> &str {
        self.stated_unit().unwrap_or("time units")
    }

    /// Heading of a column of times, with the unit if it is known: «Start (min)».
    pub(crate) fn time_heading(&self, name: &str) -> String {
        heading(name, self.stated_unit().unwrap_or_default())
    }

    /// Seconds of a time unit where times are those of clocks: of the stated unit, or of a minute.
    pub fn seconds_per_unit(&self) -> u32 {
        match self.stated_unit().unwrap_or_default().to_lowercase().trim_end_matches('.') {
            "s" | "sec" | "secs" | "seconds" | "sek" | "sekunden" => 1,
            "h" | "hr" | "hrs" | "hours" | "std" | "stunden" | "heures" => 3_600,
            "d" | "days" | "tage" => 86_400,
            _ => 60,
        }
    }

    /// Unit of times in texts where times are those of clocks: the stated one, or minutes.
    pub(crate) fn clock_unit(&self) -> &str {
        self.stated_unit().unwrap_or("min")
    }

    /// A time in words: date and time of day where the start of the plan is stated, otherwise the number of time units.
    pub fn moment(&self, time: u32) -> String {
        let Some(local) = self.local_time(time) else { return grouped(time) };
        format!("{} {}", real_time::day_text(local.date()), local.format("%H:%M"))
    }

    /// Local date and time of day of a time; `None` if the start of the plan is not stated.
    pub(crate) fn local_time(&self, time: u32) -> Option<chrono::NaiveDateTime> {
        Some(self.plan_start()?.local_after(i64::from(time) * i64::from(self.seconds_per_unit())))
    }

    /// Start of the plan; `None` if none is stated.
    pub fn plan_start(&self) -> Option<&real_time::PlanStart> {
        self.real_time.as_ref()?.start.as_ref()
    }

    /// Returns `true` if work on a machine is not interrupted by breaks.
    pub(crate) fn is_uninterrupted(&self, machine: usize) -> bool {
        self.real_time.as_ref().is_some_and(|real_time| real_time.of_machine(machine).is_uninterrupted)
    }

    /// Data that only schedules and iterated greedy on the CPU evaluate, in words; `None` for a plain flow shop.
    pub fn further_times(&self) -> Option<&'static str> {
        let has_machine_times = || self.real_time.as_ref().is_some_and(|real_time| real_time.has_machine_times());
        match (&self.clocks, &self.setups) {
            (Some(_), _) if has_machine_times() => Some("working times, ready times or transport of machines"),
            (Some(_), _) if !self.frozen.order.is_empty() => Some("jobs that have started"),
            (Some(_), _) if !self.skips.is_empty() => Some("jobs that do not visit all machines"),
            (Some(_), _) => Some("weights of jobs"),
            (None, Some(_)) => Some("set-up times of machines"),
            (None, None) if !self.rules.is_empty() => Some("rules for the order"),
            (None, None) => None,
        }
    }

    /// Returns `true` if schedules follow the recurrence of [`super::real_time`].
    pub fn has_clocks(&self) -> bool {
        self.clocks.is_some()
    }

    /// Returns `true` if the tardiness of some job has another weight than 1.
    pub(crate) fn has_weights(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Weight of a job's tardiness.
    pub fn weight(&self, job: usize) -> u32 {
        self.weights.get(job).copied().unwrap_or(1)
    }

    /// Processing time of a job on a machine as tables state it: of one piece if the machine has times per piece, and nothing if the job
    /// does not visit the machine.
    pub(crate) fn stated_time(&self, job: usize, machine: usize) -> String {
        let done = self.frozen.done(job * self.machines.len() + machine);
        if !self.visits(job, machine) && done == 0 {
            return String::new();
        }
        let pieces = self.jobs[job].quantity.filter(|_| is_per_piece(&self.machines[machine])).unwrap_or(1);
        (self.time(job, machine) + done).checked_div(pieces).unwrap_or(0).to_string()
    }

    /// Returns `true` if a job visits a machine; a time of 0 is a visit.
    pub fn visits(&self, job: usize, machine: usize) -> bool {
        !self.skips.get(job * self.machines.len() + machine).is_some_and(|&skips| skips)
    }

    /// Index of the machine of this name, with or without its unit; `None` if there is none, or several.
    pub(crate) fn machine_index(&self, name: &str) -> Option<usize> {
        let named = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = (0..self.machines.len()).filter(|&at| is_it(&self.machines[at]));
            found.next().filter(|_| found.next().is_none())
        };
        named(&|machine| machine == name)
            .or_else(|| named(&|machine| plain(with_unit(machine).0) == plain(with_unit(name).0)))
    }

    /// Returns the instance if it is consistent and every completion time fits into 32 bits. Set-ups that all take no time are dropped.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are no jobs or machines or more than [`MAX_JOBS`] or [`MAX_MACHINES`], if `times` has
    /// not jobs × machines entries or sums to more than [`MAX_TOTAL`], if two jobs or two machines share a name, if
    /// only some of the jobs have a due date, if quantities, weights or ranks are wrong, or if the working times are too short for the jobs.
    pub fn validated(mut self) -> Result<Self> {
        match self.complete() {
            Ok(()) => Ok(self),
            Err(what) => Err(Error::Usage(format!("{}: {what}", self.name))),
        }
    }

    /// Checks the data and sets everything that follows from them.
    ///
    /// # Errors
    /// A sentence about the first problem, with its remedy.
    fn complete(&mut self) -> std::result::Result<(), String> {
        self.setups = self.setups.take().filter(|setups| setups.longest() > 0);
        self.data_remarks = self.setups.as_ref().map(|setups| setups.remarks(&self.jobs)).unwrap_or_default();
        let visits = frozen::freeze(self).and_then(|()| self.check_visits());
        self.check_sizes()?;
        let total = self.total_time()?;
        self.check_names()?;
        self.check_due_dates()?;
        visits?;
        if let Some(what) = orders::problem(self) {
            return Err(what);
        }
        self.weights = orders::weights(&self.jobs);
        self.data_remarks.extend(orders::remarks(self));
        self.data_remarks.extend(doubtful_machines::remarks(self));
        let heaviest = self.weights.iter().copied().max().unwrap_or(1);
        if u128::from(total) * self.jobs.len() as u128 * u128::from(heaviest) > 1 << 53 && heaviest > 1 {
            return Err(
                "the weighted tardiness may be too large a number; use smaller weights or a coarser unit".to_owned()
            );
        }
        self.real_time = self.real_time.take().filter(|real_time| !real_time.is_empty());
        if let Some(real_time) = &mut self.real_time {
            Arc::make_mut(real_time).complete(self.machines.len());
        }
        self.clocks = real_time::clocks(self)?.map(Into::into);
        Ok(())
    }

    /// Checks the numbers of jobs, machines and processing times.
    fn check_sizes(&self) -> std::result::Result<(), String> {
        let (jobs, machines, times) = (self.jobs.len(), self.machines.len(), self.times.len());
        if jobs == 0 || machines == 0 {
            return Err(format!("{jobs} jobs on {machines} machines; a flow shop has at least one of each"));
        }
        if jobs > MAX_JOBS {
            return Err(format!("{jobs} jobs; at most {MAX_JOBS} can be handled, plan them in parts"));
        }
        if machines > MAX_MACHINES {
            return Err(format!("{machines} machines; at most {MAX_MACHINES} can be handled"));
        }
        if times != jobs * machines {
            return Err(format!("{times} processing times where {jobs} jobs × {machines} machines need one each"));
        }
        Ok(())
    }

    /// Bound of every completion time without working times: all processing, set-up, ready and transport times behind the last release.
    fn total_time(&self) -> std::result::Result<u64, String> {
        let release = self.jobs.iter().map(|job| u64::from(job.release)).max().unwrap_or(0);
        let setups = self.setups.as_ref().map_or(0, |setups| setups.most_in_total());
        let of_machines = self.real_time.iter().flat_map(|real_time| &real_time.machines);
        let idle: u64 = of_machines.map(|times| u64::from(times.ready) + u64::from(times.transport)).sum();
        let total = self.times.iter().fold(release + setups + idle, |sum, &time| sum + u64::from(time));
        if total <= MAX_TOTAL {
            return Ok(total);
        }
        let what = if setups == 0 { "all processing times" } else { "all processing and set-up times" };
        Err(format!(
            "{what} together are {total}; at most {MAX_TOTAL} can be handled, use a coarser unit of time (minutes instead of \
             seconds)"
        ))
    }

    /// Checks that no two jobs and no two machines share a name.
    fn check_names(&self) -> std::result::Result<(), String> {
        let job_names: Vec<&str> = self.jobs.iter().map(|job| job.name.as_str()).collect();
        let machine_names: Vec<&str> = self.machines.iter().map(String::as_str).collect();
        for (what, names) in [("jobs", job_names), ("machines", machine_names)] {
            if let Some((first, second)) = repeated(&names) {
                let name = quoted(names[first]);
                return Err(format!("{what} {} and {} are both called {name}; rename one", first + 1, second + 1));
            }
        }
        Ok(())
    }

    /// Checks that all jobs have a due date, or none.
    fn check_due_dates(&self) -> std::result::Result<(), String> {
        let undated: Vec<&Job> = self.jobs.iter().filter(|job| job.due.is_none()).collect();
        match undated.first() {
            Some(first) if undated.len() < self.jobs.len() => {
                let verb = if undated.len() == 1 { "has" } else { "have" };
                Err(format!(
                    "{} of {} jobs {verb} no due date, the first of them {}; add it, or leave the column of due dates out",
                    undated.len(),
                    self.jobs.len(),
                    quoted(&first.name)
                ))
            }
            _ => Ok(()),
        }
    }

    /// Drops `skips` if every job visits all machines, and remarks which jobs do not.
    ///
    /// # Errors
    /// A sentence about a job without any machine, or a machine without any job.
    fn check_visits(&mut self) -> std::result::Result<(), String> {
        let has_frozen = !self.frozen.order.is_empty();
        if self.skips.len() != self.times.len() || (self.skips.iter().all(|&skips| !skips) && !has_frozen) {
            self.skips = Arc::default();
            return Ok(());
        }
        let rows = self.skips.chunks(self.machines.len().max(1)).zip(&self.jobs);
        if let Some((_, job)) = rows.clone().find(|(row, _)| row.iter().all(|&skips| skips)) {
            return Err(format!("job {} visits no machine; give it a time, or delete it", quoted(&job.name)));
        }
        let is_alone =
            |machine: usize| self.skips.iter().skip(machine).step_by(self.machines.len()).all(|&skips| skips);
        if let Some(machine) = (0..self.machines.len()).find(|&machine| is_alone(machine) && !has_frozen) {
            let name = quoted(&self.machines[machine]);
            return Err(format!("no job visits {name}; give it times, or delete it"));
        }
        let partial = rows.filter(|(row, job)| row.contains(&true) && !job.progress.has_begun());
        let names: Vec<String> = partial.map(|(_, job)| quoted(&job.name)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let verb =
            if names.len() == 1 { "does not visit all machines, and is" } else { "do not visit all machines, and are" };
        self.data_remarks.push(format!(
            "{} {verb} not waited for where the time is empty: {}",
            counted(names.len(), "job"),
            listed(&names)
        ));
        Ok(())
    }

    /// All remarks that the user should see.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().chain(&self.data_remarks).map(String::as_str)
    }

    /// Number of jobs, n.
    pub fn job_count(&self) -> usize {
        self.jobs.len()
    }

    /// Number of machines, m.
    pub fn machine_count(&self) -> usize {
        self.machines.len()
    }

    /// Processing time p_{machine,job}.
    pub fn time(&self, job: usize, machine: usize) -> u32 {
        self.row(job)[machine]
    }

    /// Processing times of one job, indexed by machine; length m.
    pub fn row(&self, job: usize) -> &[u32] {
        let machines = self.machines.len();
        &self.times[job * machines..(job + 1) * machines]
    }

    /// Set-up time of a machine between two jobs, or before its first job for `None`; 0 if there are no set-ups, or if work of the job is
    /// done there already.
    pub fn setup(&self, before: Option<u16>, after: u16, machine: usize) -> u32 {
        let done = self.frozen.done(usize::from(after) * self.machines.len() + machine);
        self.setups.as_ref().filter(|_| done == 0).map_or(0, |setups| setups.between(before, after)[machine])
    }

    /// Returns `true` if every job has a due date; tardiness and the number of tardy jobs are defined only then.
    pub fn has_due_dates(&self) -> bool {
        !self.jobs.is_empty() && self.jobs.iter().all(|job| job.due.is_some())
    }

    /// Index of the job with this name; `None` if there is none.
    pub fn job_index(&self, name: &str) -> Option<usize> {
        self.jobs.iter().position(|job| job.name == name)
    }
}

/// Returns the first repeated name as the indices of its first two occurrences.
fn repeated(names: &[&str]) -> Option<(usize, usize)> {
    let mut places = HashMap::with_capacity(names.len());
    names.iter().enumerate().find_map(|(at, name)| places.insert(*name, at).map(|first| (first, at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut Instance)) -> String {
        let mut instance = Instance::of_times("test", 2, vec![3, 2, 1, 4]).unwrap();
        change(&mut instance);
        instance.validated().unwrap_err().to_string()
    }

    #[test]
    fn the_unit_of_times_stands_behind_the_names_of_all_machines() {
        let unit = |names: [&str; 2]| {
            let mut instance = Instance::of_times("shop", 2, vec![1, 2]).unwrap();
            instance.machines = names.map(str::to_owned).into();
            (instance.time_unit().to_owned(), instance.time_heading("Start"))
        };
        assert_eq!(unit(["Saw (min)", "Mill [min]"]), ("min".to_owned(), "Start (min)".to_owned()));
        for names in [["Saw (min)", "Mill (h)"], ["Saw (old)", "Mill (old)"], ["Saw", "Mill (min)"]] {
            assert_eq!(unit(names), ("time units".to_owned(), "Start".to_owned()));
        }
    }

    #[test]
    fn rows_are_jobs_and_names_are_given() {
        let instance = Instance::of_times("test", 2, vec![3, 2, 1, 4]).unwrap();
        assert_eq!((instance.job_count(), instance.machine_count()), (2, 2));
        assert_eq!((instance.row(1), instance.time(0, 1)), (&[1, 4][..], 2));
        assert_eq!((instance.jobs[1].name.as_str(), instance.machines[0].as_str()), ("J2", "M1"));
        assert_eq!((instance.job_index("J2"), instance.job_index("J3")), (Some(1), None));
        assert!(!instance.has_due_dates());
    }

    #[test]
    fn what_cannot_be_planned_is_refused() {
        assert!(Instance::of_times("test", 0, Vec::new()).unwrap_err().to_string().contains("at least one"));
        assert!(Instance::of_times("test", 2, vec![1; 5]).unwrap_err().to_string().contains("5 processing times"));
        let jobs = MAX_JOBS + 1;
        assert!(Instance::of_times("test", 1, vec![1; jobs]).unwrap_err().to_string().contains("at most 65535"));
        assert!(refused(|instance| instance.jobs[1].name = "J1".into()).contains("jobs 1 and 2 are both called «J1»"));
        assert!(refused(|instance| instance.machines[1] = "M1".into()).contains("machines 1 and 2"));
        assert!(refused(|instance| instance.jobs[0].due = Some(3)).contains("1 of 2 jobs has no due date"));
    }

    #[test]
    fn the_sum_of_all_times_is_bounded_exactly() {
        let most = MAX_TOTAL as u32;
        assert!(Instance::of_times("test", 1, vec![most - 1, 1]).is_ok());
        let error = Instance::of_times("test", 1, vec![most, 1]).unwrap_err().to_string();
        assert!(error.contains("2147483648") && error.contains("at most 2147483647"), "{error}");
        assert!(refused(|instance| instance.jobs[0].release = most).contains("at most 2147483647"));
    }
}
