//! No malformed file makes a reader panic, and written files are read back.

use std::path::Path;

use gridwright_core::data::Tables;
use gridwright_core::files;
use gridwright_core::text::{Source, look_alikes};
use gridwright_flowshop::formats::solution::{self, SolutionOptions};
use gridwright_flowshop::formats::{self, LoadOptions, Orientation, looks_like, matrix, moeo};
use gridwright_flowshop::{Instance, Job, Schedule, Setups};
use proptest::prelude::*;

use super::exported;
use crate::support::changed;

/// Passes bytes to every reader; the result must be an instance or an error that names the file.
fn read_by_all(bytes: &[u8]) {
    let instance = Instance::of_times("shop", 2, vec![3, 2, 1, 4, 2, 2]).unwrap();
    for name in ["a.txt", "a.csv"] {
        looks_like(name, bytes);
        let path = Path::new(name);
        let Ok(text) = files::text(path, bytes.to_vec()) else { continue };
        let source = Source { path, text: &text };
        for (orientation, number) in
            [(None, None), (Some(Orientation::Jobs), Some(1)), (Some(Orientation::Machines), Some(2))]
        {
            match formats::parse(source, &LoadOptions { orientation, number, ..Default::default() }) {
                Ok(read) => assert_eq!(read.times.len(), read.job_count() * read.machine_count()),
                Err(error) => assert!(error.to_string().contains(name), "{error}"),
            }
        }
        let _ = solution::parse(source, &instance, SolutionOptions::default());
        let _ =
            solution::parse(Source { path: Path::new("a.ron"), text: &text }, &instance, SolutionOptions::default());
    }
}

/// Valid files of every format.
const VALID: [&str; 8] = [
    "3 2\n3 1 2\n2 4 2\n",
    "2 3\n0 3 1 2 2 5\n0 1 1 4 2 6\n",
    "2\n3\n77\n0\n20\n3 2 5 \n1\n30\n1 4 6 \n",
    "number of jobs, number of machines, initial seed, upper bound and lower bound :\n 2 2 9 7 7\nprocessing times :\n 3 1\n 2 4\n\
     number of jobs, number of machines, initial seed, upper bound and lower bound :\n 1 1 9 7 7\nprocessing times :\n 3\n",
    "job,due date,Saw,Mill\nDesk,20,3,2\nChair,30,1,4\n",
    "job,machine,start,end\nJ2,M1,0,1\nJ2,M2,1,5\nJ1,M1,1,4\nJ1,M2,5,7\nJ3,M1,4,6\nJ3,M2,7,9\n",
    "J2\nJ1\nJ3\n",
    "(schedule_format: 1, instance: (\"shop\", \"\"), order: [\"J1\"], operations: [(\"J1\", \"M1\", 0, 3)])",
];

/// Pieces that are put into valid files.
const PIECES: &[&str] = &[
    "\n", "\r", "\r\n", ",", ";", "\t", "\"", "-", ":", "99999999999999999999", "4294967296", "2147483647", "65535",
    "0", "1", "é", "\u{feff}", "number of jobs number of machines\n", "machines", " ", "J1", ")", "(",
];

/// Strategy: shops with names that need quoting, zero and very large times, with and without due dates.
fn shop() -> impl Strategy<Value = Instance> {
    // Some could be taken for a line of sums or for another column.
    let job = prop_oneof![8 => "[A-Z][a-z]{0,3}[ ;,\"'][0-9]{1,2}", 1 => "(job: ?|JOB:)?(Total|Summe)"];
    let machine =
        prop_oneof![8 => "[A-Z]{2,3}[ ;,\"][0-9]", 1 => "(machine: ?|Machine:)?(weight|Due|qty|job|Auftrag|Saw)"];
    let jobs = proptest::collection::btree_map(job, 0..1_000_000_u32, 1..9);
    let machines = proptest::collection::btree_set(machine, 1..6);
    (jobs, machines, any::<bool>()).prop_flat_map(|(jobs, machines, dated)| {
        let time = prop_oneof![Just(0), 0..100_u32, 0..10_000_000_u32];
        let times = proptest::collection::vec(time, jobs.len() * machines.len());
        let families = proptest::option::of(proptest::collection::vec("(Red|job: A|Total|)", jobs.len()));
        let setups = proptest::option::of(proptest::collection::vec(0..3_u32, 50));
        (Just((jobs, machines, dated)), times, families, setups).prop_map(|(shop, times, families, setups)| {
            let (jobs, machines, dated) = shop;
            let family = |at: usize| families.as_ref().map_or_else(String::new, |all| all[at].clone());
            let job = |(at, (name, due))| Job { name, due: dated.then_some(due), family: family(at), ..Job::default() };
            let jobs: Vec<Job> = jobs.into_iter().enumerate().map(job).collect();
            // Of jobs that take no time, times do not tell which comes first; with set-ups that matters.
            let least = u32::from(setups.is_some());
            let times = times.into_iter().map(|time: u32| time.max(least)).collect();
            let instance = Instance {
                name: "shop".to_owned(),
                setups: setups.map(|numbers| drawn_setups(&jobs, machines.len(), &numbers).into()),
                jobs,
                machines: machines.into_iter().collect(),
                times,
                ..Instance::default()
            };
            instance.validated().unwrap()
        })
    })
}

/// Set-up times between families, or between jobs where there is none, that repeat a list of numbers.
fn drawn_setups(jobs: &[Job], machines: usize, numbers: &[u32]) -> Setups {
    let mut setups = Setups::of(jobs, machines).unwrap();
    let mut numbers = numbers.iter().cycle();
    let is_named = |at: usize, setups: &Setups| setups.families().get(at).is_none_or(|name| !name.is_empty());
    let count = setups.family_count();
    for (before, after) in (0..=count).flat_map(|before| (0..count).map(move |after| (before, after))) {
        let before = Some(before).filter(|&before| before < count);
        // Jobs without a family have no set-ups.
        if is_named(after, &setups) && before.is_none_or(|before| is_named(before, &setups)) {
            setups.between_families_mut(before, after).iter_mut().zip(&mut numbers).for_each(|(to, from)| *to = *from);
        }
    }
    setups
}

fn parsed(name: &str, text: &str, options: &LoadOptions) -> Instance {
    formats::parse(Source { path: Path::new(name), text }, options).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_by_all(&bytes);
    }

    #[test]
    fn arbitrary_text_of_the_right_letters_never_panics(text in "[0-9 ,;:\"\\-a-z\r\n\t.]{0,200}") {
        read_by_all(text.as_bytes());
    }

    #[test]
    fn changed_files_never_panic(bytes in changed(&VALID, PIECES)) {
        read_by_all(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_instances_are_read_back(instance in shop()) {
        let table = parsed("shop.csv", &formats::csv::write(&instance), &LoadOptions::default());
        let jobs = look_alikes(instance.jobs.iter().map(|job| job.name.as_str()), "job name");
        let machines = look_alikes(instance.machines.iter().map(String::as_str), "machine name");
        let alike = usize::from(jobs.is_some()) + usize::from(machines.is_some());
        prop_assert_eq!(table.warnings.len(), alike, "{:?}", table.warnings);
        prop_assert_eq!(&Instance { warnings: Vec::new(), ..table }, &instance);
        prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
        let pairs = parsed("shop.txt", &matrix::write_pairs(&instance), &LoadOptions { orientation: Some(Orientation::Jobs), ..Default::default() });
        prop_assert_eq!(&pairs.times, &instance.times);
        let rows = parsed("shop.txt", &matrix::write(&instance), &LoadOptions { orientation: Some(Orientation::Machines), ..Default::default() });
        prop_assert_eq!(&rows.times, &instance.times);
        let dated = parsed("shop.txt", &moeo::write(&instance, 7), &LoadOptions::default());
        prop_assert_eq!(&dated.times, &instance.times);
        if instance.has_due_dates() {
            prop_assert!(dated.jobs.iter().map(|job| job.due).eq(instance.jobs.iter().map(|job| job.due)));
        }
        for text in [formats::csv::write(&instance), matrix::write(&instance), moeo::write(&instance, 7)] {
            prop_assert!(looks_like("shop.txt", text.as_bytes()), "{}", text);
        }
    }

    #[test]
    fn written_schedules_are_read_back(instance in shop(), seed in any::<u64>()) {
        let mut order: Vec<u16> = (0..instance.job_count() as u16).collect();
        order.sort_by_key(|&job| (seed ^ u64::from(job)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let schedule = Schedule::new(&instance, &order);
        for ending in ["csv", "ron", "sol"] {
            let text = String::from_utf8(exported(&instance, &schedule, ending).unwrap()).unwrap();
            let name = format!("a.{ending}");
            let read = solution::parse(Source { path: Path::new(&name), text: &text }, &instance, SolutionOptions::default()).unwrap();
            // Jobs that take no time anywhere at one moment are all the same to a table.
            let same = Schedule::new(&instance, &read.order);
            prop_assert_eq!(&same.completions, &schedule.completions);
            prop_assert!(ending == "csv" || read.order == order);
            prop_assert!(read.verdict(&instance).feasible);
        }
    }
}
