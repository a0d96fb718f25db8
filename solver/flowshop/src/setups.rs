//! Set-up times of machines, which depend on the job before and the job after.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Job;
use gridwright_core::data::{NameIndex, key};
use gridwright_core::text::lines::{listed, quoted};

/// Largest number of set-up times: 1 GiB of them.
pub(crate) const MOST_SETUPS: usize = 1 << 28;

/// Set-up times s_{i,a,b} of every machine i between a job of family a and a following one of family b, in time units. A set-up is
/// done while the machine is idle: it begins as soon as the job before has left the machine, whether or not the job after has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setups {
    /// Names of the families; empty if every job is a family of its own.
    families: Vec<String>,
    /// Family of each job.
    of_job: Vec<u16>,
    machines: usize,
    /// Times in rows by machine: of `before` (the last one: a machine before its first job) and `after`, row-major.
    times: Vec<u32>,
}

impl Setups {
    /// Returns the number of set-up times between so many families on so many machines; `None` beyond [`MOST_SETUPS`].
    pub(crate) fn count(families: usize, machines: usize) -> Option<usize> {
        let count = (families + 1).checked_mul(families)?.checked_mul(machines)?;
        (count <= MOST_SETUPS).then_some(count)
    }

    /// Set-up times of 0 between families or, where no job has one, between jobs.
    ///
    /// # Errors
    /// A clause for messages if there are too many set-up times.
    pub fn of(jobs: &[Job], machines: usize) -> Result<Self, String> {
        match jobs.iter().any(|job| !job.family.is_empty()) {
            true => Self::of_families(jobs, machines),
            false => Self::of_jobs(jobs.len(), machines),
        }
    }

    /// Set-up times of 0 between jobs that are families of their own.
    ///
    /// # Errors
    /// A clause for messages if there are too many set-up times.
    pub(crate) fn of_jobs(jobs: usize, machines: usize) -> Result<Self, String> {
        let of_job = (0..jobs).map(|job| job as u16).collect();
        Self::sized(Vec::new(), of_job, jobs, machines)
    }

    /// Set-up times of 0 between families in the order of their first jobs, whose spelling counts. Jobs without a family are a family
    /// without a name.
    ///
    /// # Errors
    /// A clause for messages if there are too many set-up times.
    fn of_families(jobs: &[Job], machines: usize) -> Result<Self, String> {
        let mut families: Vec<String> = Vec::new();
        let mut places = HashMap::new();
        let of_job = jobs.iter().map(|job| {
            *places.entry(key(&job.family)).or_insert_with(|| {
                families.push(job.family.clone());
                (families.len() - 1) as u16
            })
        });
        let of_job = of_job.collect();
        let count = families.len();
        Self::sized(families, of_job, count, machines)
    }

    fn sized(families: Vec<String>, of_job: Vec<u16>, count: usize, machines: usize) -> Result<Self, String> {
        let most = MOST_SETUPS;
        let number = Self::count(count, machines).ok_or_else(|| {
            format!("more than {most} set-up times are needed; give jobs that are alike a common family")
        })?;
        Ok(Self { families, of_job, machines, times: vec![0; number] })
    }

    /// Names of the families; empty if every job is a family of its own.
    pub fn families(&self) -> &[String] {
        &self.families
    }

    /// Name of a family, or of the job that is one of its own.
    pub(crate) fn name<'a>(&'a self, jobs: &'a [Job], family: usize) -> &'a str {
        self.families.get(family).unwrap_or_else(|| &jobs[family].name)
    }

    /// Families that have a name, by it in any spelling.
    pub(crate) fn by_name(&self, jobs: &[Job]) -> NameIndex<'static> {
        let mut names = NameIndex::default();
        for family in 0..self.family_count() {
            let name = self.name(jobs, family);
            if !name.is_empty() {
                names.insert(name.to_owned(), family);
            }
        }
        names
    }

    /// Remarks on families in several spellings, and on families or jobs between which and others no time is stated.
    pub(crate) fn remarks(&self, jobs: &[Job]) -> Vec<String> {
        let mut spellings: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for (job, &family) in jobs.iter().zip(&self.of_job).filter(|(job, _)| !job.family.is_empty()) {
            spellings.entry(family.into()).or_default().insert(&job.family);
        }
        let several = spellings.values().filter(|spellings| spellings.len() > 1).map(|spellings| {
            let spellings: Vec<String> = spellings.iter().map(|name| quoted(name)).collect();
            format!("{} are taken for one family", spellings.join(" and "))
        });
        let mut is_named = vec![false; self.family_count()];
        for (before, after, _) in self.pairs() {
            before.into_iter().chain([after]).for_each(|family| is_named[family] = true);
        }
        let lacks = |family: &usize| !is_named[*family] && !self.name(jobs, *family).is_empty();
        let lacking: Vec<String> =
            (0..is_named.len()).filter(lacks).map(|family| quoted(self.name(jobs, family))).collect();
        let noun = self.noun();
        let lacking = (!lacking.is_empty()).then(|| {
            let names = listed(&lacking);
            format!("no set-up time is stated from or to the {noun} {names}: planned without set-ups; correct its name, or add its times")
        });
        several.chain(lacking).collect()
    }

    /// Noun of the names of [`Self::by_name`] in messages.
    pub(crate) fn noun(&self) -> &'static str {
        if self.families.is_empty() { "job" } else { "family" }
    }

    /// Pairs of families with the times of all machines if one of them is not 0: first those of a machine before its first job.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (Option<usize>, usize, &[u32])> {
        let families = 0..self.family_count();
        let befores = std::iter::once(None).chain(families.clone().map(Some));
        let pairs = befores.flat_map(move |before| families.clone().map(move |after| (before, after)));
        let timed = pairs.map(|(before, after)| (before, after, self.between_families(before, after)));
        timed.filter(|(_, _, times)| times.iter().any(|&time| time > 0))
    }

    /// Number of families.
    pub fn family_count(&self) -> usize {
        if self.families.is_empty() { self.of_job.len() } else { self.families.len() }
    }

    /// Family of a job.
    pub fn family(&self, job: usize) -> usize {
        usize::from(self.of_job[job])
    }

    fn row(&self, before: Option<usize>, after: usize) -> std::ops::Range<usize> {
        let families = self.family_count();
        let first = (before.unwrap_or(families) * families + after) * self.machines;
        first..first + self.machines
    }

    /// Set-up times by machine between two families; `None` for a machine before its first job.
    pub(crate) fn between_families(&self, before: Option<usize>, after: usize) -> &[u32] {
        &self.times[self.row(before, after)]
    }

    /// Set-up times by machine between two families, to be changed.
    pub fn between_families_mut(&mut self, before: Option<usize>, after: usize) -> &mut [u32] {
        let row = self.row(before, after);
        &mut self.times[row]
    }

    /// Set-up times by machine between two jobs; `None` for a machine before its first job.
    #[inline(always)]
    pub fn between(&self, before: Option<u16>, after: u16) -> &[u32] {
        let before = before.map(|job| self.family(job.into()));
        self.between_families(before, self.family(after.into()))
    }

    /// Longest set-up time.
    pub fn longest(&self) -> u32 {
        self.times.iter().copied().max().unwrap_or(0)
    }

    /// Upper bound of the set-up times on any path through a schedule: the longest one of each job.
    pub(crate) fn most_in_total(&self) -> u64 {
        let families = self.family_count();
        let befores = || (0..families).map(Some).chain([None]);
        let longest = |after: usize| {
            befores().flat_map(|before| self.between_families(before, after)).copied().max().unwrap_or(0)
        };
        let longest: Vec<u64> = (0..families).map(|family| u64::from(longest(family))).collect();
        self.of_job.iter().map(|&family| longest[usize::from(family)]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(family: &str) -> Job {
        Job { family: family.to_owned(), ..Job::default() }
    }

    #[test]
    fn jobs_of_a_family_share_its_set_up_times() {
        let mut setups = Setups::of_families(&[job("red"), job("blue"), job("red"), job("")], 2).unwrap();
        assert_eq!((setups.families().len(), setups.family_count()), (3, 3));
        setups.between_families_mut(Some(0), 1).copy_from_slice(&[4, 5]);
        setups.between_families_mut(None, 0)[1] = 7;
        assert_eq!((setups.between(Some(2), 1), setups.between(Some(1), 2)), (&[4, 5][..], &[0, 0][..]));
        assert_eq!((setups.between(None, 2), setups.between(None, 3)), (&[0, 7][..], &[0, 0][..]));
        assert_eq!((setups.longest(), setups.most_in_total()), (7, 7 + 5 + 7));
    }

    #[test]
    fn families_are_one_in_any_spelling_and_those_without_times_are_told() {
        let jobs = [job("rot"), job("weiß"), job(" Rot"), job("Weiss"), job("")];
        let mut setups = Setups::of(&jobs, 1).unwrap();
        assert_eq!(
            (setups.families(), setups.by_name(&jobs).get("ROT")),
            (&["rot", "weiß", "Weiss", ""].map(str::to_owned)[..], Some(0))
        );
        setups.between_families_mut(Some(0), 1)[0] = 4;
        assert_eq!((setups.between(Some(2), 1), setups.between(Some(0), 3)), (&[4][..], &[0][..]));
        let remarks = setups.remarks(&jobs);
        assert_eq!(remarks.len(), 2, "{remarks:?}");
        assert_eq!(remarks[0], "« Rot» and «rot» are taken for one family");
        assert!(remarks[1].starts_with("no set-up time is stated from or to the family «Weiss»:"), "{remarks:?}");
    }

    #[test]
    fn too_many_set_up_times_are_refused() {
        assert!(Setups::of_jobs(5_000, 20).unwrap_err().contains("common family"));
        assert_eq!(Setups::of_jobs(3, 2).unwrap().family_count(), 3);
    }
}
