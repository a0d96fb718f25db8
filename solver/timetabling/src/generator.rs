//! Generator of examination sessions: a university of faculties, programmes, years, core and elective courses.
//!
//! Random words are addressed by the decision they serve ([`gridwright_core::random`]), so that a seed gives the same session on
//! every machine. The density of the conflict graph depends on how freely electives are chosen; that freedom is
//! searched for until the density is close to the requested one.

mod catalogue;
mod rooms;

use chrono::{Datelike, Days, NaiveDate, NaiveTime, Weekday};

use self::catalogue::{FACULTY, SUBJECTS};
use super::formats::csv;
use super::{Exam, Instance, InstanceParts, MAX_EXAMS, MAX_PERIODS, Period};
use gridwright_core::random::{Philox, happens, index};
use gridwright_core::{Error, Result, files};

/// Names of the sessions that ship, with about 40, 200 and 600 exams.
pub const PRESETS: [&str; 3] = ["school", "faculty", "university"];

/// Names of all sessions that the program makes itself; `campus` is the university with rooms, examiners and extra time.
pub const SAMPLES: [&str; 4] = ["school", "faculty", "university", "campus"];

/// Seed of the sessions that ship.
pub const SAMPLE_SEED: u64 = 1;

/// Properties of a generated session.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorOptions {
    /// Name of the instance.
    pub name: String,
    /// Number of exams.
    pub exams: usize,
    /// Number of students.
    pub students: usize,
    /// Requested density of the conflict matrix, 2·pairs / exams²; met within 15 %.
    pub density: f64,
    /// Number of periods; `None`: somewhat more than a greedy colouring of the conflict graph needs.
    pub periods: Option<usize>,
    /// True if rooms, examiners and arrangements for students belong to the session.
    pub rooms: bool,
    /// Seed of all random decisions.
    pub seed: u64,
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        Self {
            name: "faculty".to_owned(),
            exams: 200,
            students: 3_000,
            density: 0.18,
            periods: None,
            rooms: false,
            seed: SAMPLE_SEED,
        }
    }
}

impl GeneratorOptions {
    /// Options of one of the [`SAMPLES`].
    ///
    /// # Errors
    /// [`Error::Usage`] for an unknown name; it lists the samples.
    pub fn preset(name: &str, seed: u64) -> Result<Self> {
        let (exams, students, density) = match name {
            "school" => (40, 400, 0.38),
            "faculty" => (200, 3_000, 0.18),
            "university" | "campus" => (600, 20_000, 0.13),
            _ => {
                let known = SAMPLES.join(", ");
                return Err(Error::Usage(format!("there is no sample «{}»; known are {known}", name.escape_debug())));
            }
        };
        let rooms = name == "campus";
        // Two weeks of three periods a day.
        let periods = rooms.then_some(30);
        Ok(Self { name: name.to_owned(), exams, students, density, periods, rooms, seed })
    }

    fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::Usage(what));
        if self.exams == 0 || self.exams > MAX_EXAMS {
            return wrong(format!("{} exams: choose 1 to {MAX_EXAMS}", self.exams));
        }
        if self.students == 0 || self.students > MOST_STUDENTS {
            return wrong(format!("{} students: choose 1 to {MOST_STUDENTS}", self.students));
        }
        if !(self.density > 0.0 && self.density < 1.0) {
            return wrong(format!("density {}: choose a number between 0 and 1, such as 0.13", self.density));
        }
        match self.periods {
            Some(periods) if periods == 0 || periods > MAX_PERIODS => {
                wrong(format!("{periods} periods: choose 1 to {MAX_PERIODS}"))
            }
            _ => Ok(()),
        }
    }
}

/// Maximum number of students.
const MOST_STUDENTS: usize = 2_000_000;

/// Maximum relative deviation of the density.
const TOLERANCE: f64 = 0.15;

/// Number of years of study, over which the courses of a subject are spread.
const YEARS: usize = 4;

/// Decision that a random word serves.
#[derive(Clone, Copy)]
enum Purpose {
    SubjectSize = 1,
    Popularity,
    Duration,
    Cohort,
    ElectiveCount,
    Elective,
    Unpopular,
    Room,
    Arrangement,
    Examiner,
}

/// Random decisions of one session.
#[derive(Clone, Copy)]
struct Choices(Philox);

impl Choices {
    /// Four random words of decision number `draw` about `who`.
    fn words(self, purpose: Purpose, who: usize, draw: usize) -> [u32; 4] {
        // The upper bits separate the words from those of a search with the same seed.
        const GENERATOR: u32 = 0x4745_0000;
        self.0.words(draw as u32, 0, who as u32, GENERATOR | purpose as u32)
    }

    fn word(self, purpose: Purpose, who: usize) -> u32 {
        self.words(purpose, who, 0)[0]
    }
}

/// Generates one of the [`SAMPLES`] with [`SAMPLE_SEED`].
///
/// # Errors
/// [`Error::Usage`] for an unknown name; it lists the presets.
pub fn sample(name: &str) -> Result<Instance> {
    generate(&GeneratorOptions::preset(name, SAMPLE_SEED)?)
}

/// Generates a session.
///
/// # Errors
/// [`Error::Usage`] if an option is out of range, or the density cannot be reached with this number of exams and
/// students.
pub fn generate(options: &GeneratorOptions) -> Result<Instance> {
    options.check()?;
    let choices = Choices(Philox::new(options.seed));
    let university = University::new(choices, options.exams);
    let students = enrol(options, choices, &university)?;
    let parts = InstanceParts {
        name: options.name.clone(),
        student_codes: (1..=students.len()).map(|student| format!("s{student}")).collect(),
        exams: university.exams,
        students,
        warnings: vec![format!("an invented session, made by the generator with seed {}", options.seed)],
        ..InstanceParts::default()
    };
    let mut instance = Instance::build(parts)?;
    let needed = greedy_colours(&instance).unwrap_or(usize::MAX);
    let count = match options.periods {
        Some(count) => {
            if count < needed {
                instance.warnings.push(format!(
                    "a greedy timetable of this session does not fit into {count} periods; perhaps none does"
                ));
            }
            count
        }
        None if needed > MAX_PERIODS => {
            let what =
                format!("such a session needs more than {MAX_PERIODS} periods; choose more students or less density");
            return Err(Error::Usage(what));
        }
        None => (needed + (needed / 8).max(2)).min(MAX_PERIODS),
    };
    instance.periods = calendar(&instance, count);
    if options.rooms {
        rooms::equip(&mut instance, choices);
    }
    let tables = [csv::write_enrolments(&instance), csv::write_exams(&instance), csv::write_periods(&instance)];
    instance.file_hash = files::hash(&tables.each_ref().map(|table| table.as_bytes()));
    Ok(instance)
}

/// Students of one programme in one year of study.
struct Cohort {
    /// Index of the first subject of the faculty to which the programme's first subject belongs.
    faculty: usize,
    /// Weight of the probability that a student belongs to the cohort.
    weight: u64,
    /// Core exams, which all students of the cohort sit.
    core: Vec<u16>,
    /// Tracks: lists of electives from which a student chooses, unless freely.
    tracks: Vec<Vec<u16>>,
}

/// Courses and cohorts of the university.
struct University {
    exams: Vec<Exam>,
    /// Exams of each subject, by year.
    subjects: Vec<Vec<u16>>,
    cohorts: Vec<Cohort>,
}

impl University {
    fn new(choices: Choices, exam_count: usize) -> Self {
        let subject_count = (exam_count / 25).clamp(4.min(exam_count), SUBJECTS.len());
        let sizes = subject_sizes(choices, exam_count, subject_count);
        let mut exams = Vec::with_capacity(exam_count);
        let mut subjects = Vec::with_capacity(subject_count);
        for (subject, &size) in SUBJECTS.iter().zip(&sizes) {
            let first = exams.len();
            let mut serial = [0; YEARS];
            for place in 0..size {
                let year = place * YEARS / size;
                serial[year] += 1;
                let minutes = [90, 120, 120, 150, 180];
                let minutes = minutes[index(choices.word(Purpose::Duration, exams.len()), 5) as usize];
                exams.push(Exam {
                    code: format!("{}{}{:02}", subject.prefix, year + 1, serial[year]),
                    title: catalogue::title(subject, place),
                    duration: Some(minutes),
                    ..Exam::default()
                });
            }
            subjects.push((first..exams.len()).map(|exam| exam as u16).collect());
        }
        let cohorts = cohorts(choices, &subjects);
        Self { exams, subjects, cohorts }
    }
}

/// Number of exams of each subject, at least 1 each and `exams` in total; large subjects have about twice as many as
/// small ones.
fn subject_sizes(choices: Choices, exams: usize, subjects: usize) -> Vec<usize> {
    let weights: Vec<usize> =
        (0..subjects).map(|subject| 5 + index(choices.word(Purpose::SubjectSize, subject), 6) as usize).collect();
    let total: usize = weights.iter().sum();
    let mut sizes: Vec<usize> = weights.iter().map(|weight| (exams * weight / total).max(1)).collect();
    let mut subject = 0;
    while sizes.iter().sum::<usize>() != exams {
        if sizes.iter().sum::<usize>() < exams {
            sizes[subject] += 1;
        } else if sizes[subject] > 1 {
            sizes[subject] -= 1;
        }
        subject = (subject + 1) % subjects;
    }
    sizes
}

/// Creates a programme in each subject and in every second pair of adjacent subjects, each with all years.
fn cohorts(choices: Choices, subjects: &[Vec<u16>]) -> Vec<Cohort> {
    let mut programmes: Vec<Vec<usize>> = (0..subjects.len()).map(|subject| vec![subject]).collect();
    let pairs = (0..subjects.len().saturating_sub(1)).step_by(2).filter(|first| (first + 1) % FACULTY != 0);
    programmes.extend(pairs.map(|first| vec![first, first + 1]));
    let mut cohorts = Vec::with_capacity(programmes.len() * YEARS);
    for (programme, members) in programmes.iter().enumerate() {
        let popularity = 4 + u64::from(index(choices.word(Purpose::Popularity, programme), 9));
        let faculty = members[0] / FACULTY * FACULTY;
        for year in 0..YEARS {
            let taught = |subject: usize| {
                let exams = &subjects[subject];
                exams
                    .iter()
                    .enumerate()
                    .filter(move |(place, _)| place * YEARS / exams.len() == year)
                    .map(|(_, &exam)| exam)
            };
            // Half of a year's courses are core courses, up to two exams of a subject.
            let (mut core, mut rest) = (Vec::new(), Vec::new());
            for &subject in members {
                let count = taught(subject).count().div_ceil(2).min(2);
                core.extend(taught(subject).take(count));
                rest.extend(taught(subject).skip(count));
            }
            // First and second years also sit the introductory exam of the subject that serves the faculty.
            if year < 2 && !members.contains(&faculty) {
                core.extend(taught(faculty).next());
            }
            let tracks = rest.chunks(4).map(<[u16]>::to_vec).collect();
            // Cohorts shrink over the years; combined programmes have half as many students.
            let weight = popularity * [10, 8, 7, 5][year] * if members.len() == 1 { 2 } else { 1 };
            cohorts.push(Cohort { faculty, weight, core, tracks });
        }
    }
    cohorts
}

/// Load of students and freedom of their choices.
#[derive(Clone, Copy)]
struct Freedom {
    /// Maximum number of core exams; the first ones of the cohort are taken.
    core: usize,
    /// Number of electives of a student: this or one less.
    electives: u32,
    /// Threshold of the probability of choosing from the whole university instead of from the track.
    free: u64,
}

/// (core exams, electives) by ascending load; the others are tried if the usual one cannot give the density.
const LOADS: [(usize, u32); 9] = [(1, 1), (2, 1), (4, 1), (4, 2), (4, 4), (4, 6), (4, 8), (4, 10), (4, 12)];
const USUAL_LOAD: usize = 3;

/// Enrols all students so that the density is close to the requested one; returns the exams of each student.
fn enrol(options: &GeneratorOptions, choices: Choices, university: &University) -> Result<Vec<Vec<u16>>> {
    const ALL: u64 = 1 << 32;
    let gap = |density: f64| (density / options.density - 1.0).abs();
    let mut best: Option<(f64, Vec<Vec<u16>>)> = None;
    let mut attempt = |load: usize, free: u64| {
        let (core, electives) = LOADS[load];
        let students = students(options, choices, university, Freedom { core, electives, free });
        let density = density(options.exams, &students);
        if best.as_ref().is_none_or(|best| gap(density) < gap(best.0)) {
            best = Some((density, students));
        }
        density
    };
    let mut load = USUAL_LOAD;
    while load > 0 && attempt(load, 0) > options.density {
        load -= 1;
    }
    while load >= USUAL_LOAD && load + 1 < LOADS.len() && attempt(load, ALL) < options.density {
        load += 1;
    }
    let (mut low, mut high) = (0, ALL);
    for _ in 0..12 {
        let free = low + (high - low) / 2;
        let density = attempt(load, free);
        if gap(density) < 0.01 {
            break;
        }
        if density < options.density { low = free } else { high = free }
    }
    match best {
        Some((density, students)) if gap(density) <= TOLERANCE => Ok(students),
        best => {
            let nearest = best.map_or(0.0, |best| best.0);
            let GeneratorOptions { exams, students, density, .. } = options;
            Err(Error::Usage(format!(
                "density {density} is out of reach with exams: {exams}, students: {students}; the nearest is \
                 {nearest:.3}: choose another density or number of students"
            )))
        }
    }
}

/// Exams of each student, ascending.
fn students(options: &GeneratorOptions, choices: Choices, university: &University, freedom: Freedom) -> Vec<Vec<u16>> {
    let mut ends = Vec::with_capacity(university.cohorts.len());
    let mut total = 0;
    for cohort in &university.cohorts {
        total += cohort.weight;
        ends.push(total);
    }
    let mut sat = vec![false; options.exams];
    let mut students: Vec<Vec<u16>> = (0..options.students)
        .map(|student| {
            let at = u64::from(index(choices.word(Purpose::Cohort, student), total as u32));
            let cohort = &university.cohorts[ends.partition_point(|&end| end <= at)];
            let exams = exams_of(student, choices, university, cohort, freedom);
            exams.iter().for_each(|&exam| sat[usize::from(exam)] = true);
            exams
        })
        .collect();
    // Every exam needs a student.
    for exam in (0..options.exams).filter(|&exam| !sat[exam]) {
        let student = index(choices.word(Purpose::Unpopular, exam), options.students as u32);
        let exams = &mut students[student as usize];
        exams.push(exam as u16);
        exams.sort_unstable();
    }
    students
}

fn exams_of(student: usize, choices: Choices, university: &University, cohort: &Cohort, freedom: Freedom) -> Vec<u16> {
    let mut exams = cohort.core[..cohort.core.len().min(freedom.core)].to_vec();
    let [count, track, ..] = choices.words(Purpose::ElectiveCount, student, 0);
    let electives = freedom.electives.saturating_sub(count & 1);
    let track = cohort.tracks.get(index(track, cohort.tracks.len() as u32) as usize).filter(|track| !track.is_empty());
    for elective in 0..electives as usize {
        // Redraw exams that the student sits already; give up after a few trials.
        for trial in 0..4 {
            let [freely, own, subject, place] = choices.words(Purpose::Elective, student, elective * 4 + trial);
            let exam = match track {
                _ if happens(freely, freedom.free) => {
                    // Three of four choices stay in the faculty; the first exams of a subject are the most popular.
                    let near = &university.subjects[cohort.faculty..];
                    let near = &near[..near.len().min(FACULTY)];
                    let from = if happens(own, 3 << 30) { near } else { &university.subjects };
                    let subject = &from[index(subject, from.len() as u32) as usize];
                    let early = ((u64::from(place) * u64::from(place)) >> 32) as u32;
                    subject[index(early, subject.len() as u32) as usize]
                }
                Some(track) => track[index(place, track.len() as u32) as usize],
                None => break,
            };
            if !exams.contains(&exam) {
                exams.push(exam);
                break;
            }
        }
    }
    exams.sort_unstable();
    exams.dedup();
    exams
}

/// Density of the conflict matrix, 2·pairs / exams².
fn density(exams: usize, students: &[Vec<u16>]) -> f64 {
    let mut pairs: Vec<u32> = students
        .iter()
        .flat_map(|list| {
            let pairs_from = |(at, &first): (usize, &u16)| {
                list[at + 1..].iter().map(move |&second| u32::from(first) << 16 | u32::from(second))
            };
            list.iter().enumerate().flat_map(pairs_from)
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    2.0 * pairs.len() as f64 / (exams as f64 * exams as f64)
}

/// Number of periods that the saturation-degree heuristic needs: repeatedly the exam with the fewest free periods, then
/// the highest degree, takes the first free period. `None` if [`MAX_PERIODS`] do not suffice.
///
/// Source: D. Brélaz, «New methods to color the vertices of a graph», Communications of the ACM 22(4), 1979.
fn greedy_colours(instance: &Instance) -> Option<usize> {
    let exams = instance.exam_count();
    let mut taken = vec![[0_u64; MAX_PERIODS.div_ceil(64)]; exams];
    let mut saturation = vec![0_u32; exams];
    let mut open: Vec<usize> = (0..exams).collect();
    let mut colours = 0;
    while let Some(at) = (0..open.len()).max_by_key(|&at| {
        let exam = open[at];
        (saturation[exam], instance.conflicts.degree(exam), std::cmp::Reverse(exam))
    }) {
        let exam = open.swap_remove(at);
        let colour = (0..MAX_PERIODS).find(|colour| taken[exam][colour / 64] >> (colour % 64) & 1 == 0)?;
        colours = colours.max(colour + 1);
        for (other, _) in instance.conflicts.of(exam) {
            let word = &mut taken[other][colour / 64];
            saturation[other] += u32::from(*word >> (colour % 64) & 1 == 0);
            *word |= 1 << (colour % 64);
        }
    }
    Some(colours)
}

/// Creates `count` periods: two a day, or three if there are many, Monday to Friday; with seats for 1.5 times the mean
/// load and for the largest exam.
fn calendar(instance: &Instance, count: usize) -> Vec<Period> {
    let hours: &[(u32, u32)] = if count > 20 { &[(9, 12), (13, 16), (17, 20)] } else { &[(9, 12), (14, 17)] };
    let first_day = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap_or_default();
    let days = (0..).map_while(|day| first_day.checked_add_days(Days::new(day)));
    let weekdays = days.filter(|day| !matches!(day.weekday(), Weekday::Sat | Weekday::Sun));
    let average = instance.enrolments() as u32 / count as u32;
    let largest = instance.exams.iter().map(|exam| exam.enrolment).max().unwrap_or(0);
    let seats = (average + average / 2).max(largest).next_multiple_of(10);
    let periods = weekdays.flat_map(|day| {
        hours.iter().map(move |&(start, end)| Period {
            date: Some(day),
            start: NaiveTime::from_hms_opt(start, 0, 0),
            end: NaiveTime::from_hms_opt(end, 0, 0),
            seats: Some(seats),
            ..Period::default()
        })
    });
    periods.take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(exams: usize, students: usize, density: f64, seed: u64) -> GeneratorOptions {
        GeneratorOptions { name: "test".to_owned(), exams, students, density, periods: None, rooms: false, seed }
    }

    #[test]
    fn sizes_are_exact_and_the_density_is_near() {
        for (exams, students, density, seed) in [
            (40, 300, 0.4, 7),
            (81, 2_800, 0.42, 1),
            (190, 1_100, 0.27, 2),
            (461, 5_300, 0.06, 3),
            (600, 9_000, 0.13, 4),
        ] {
            let instance = generate(&options(exams, students, density, seed)).unwrap();
            assert_eq!((instance.exam_count(), instance.students.len()), (exams, students));
            let found = instance.conflicts.density();
            assert!((found / density - 1.0).abs() <= TOLERANCE, "{exams} exams: {found} instead of {density}");
            assert!(instance.exams.iter().all(|exam| exam.enrolment > 0), "an exam that nobody sits");
            assert!(instance.students.iter().all(|list| !list.is_empty()), "a student without exams");
        }
    }

    #[test]
    fn codes_are_distinct_and_titles_there() {
        let instance = generate(&options(1_500, 12_000, 0.05, 1)).unwrap();
        let codes: std::collections::BTreeSet<_> = instance.exams.iter().map(|exam| &exam.code).collect();
        let titles: std::collections::BTreeSet<_> =
            instance.exams.iter().map(|exam| (&exam.code[..3], &exam.title)).collect();
        assert_eq!((codes.len(), titles.len()), (1_500, 1_500));
        assert_eq!((instance.exams[0].code.as_str(), instance.exams[0].title.as_str()), ("MAT101", "Calculus"));
    }

    #[test]
    fn the_periods_suffice_and_lie_on_weekdays() {
        for preset in PRESETS {
            let instance = sample(preset).unwrap();
            let needed = greedy_colours(&instance).unwrap();
            assert!(instance.conflicts.greedy_clique().len() <= needed);
            assert!(needed < instance.period_count() && instance.period_count() < 2 * needed, "{preset}");
            let begins: Vec<_> = instance.periods.iter().map(|period| period.date.zip(period.start).unwrap()).collect();
            assert!(begins.is_sorted_by(|before, after| before < after));
            assert!(begins.iter().all(|(date, _)| date.weekday().number_from_monday() <= 5));
            let longest = instance.exams.iter().filter_map(|exam| exam.duration).max().unwrap();
            let shortest =
                instance.periods.iter().map(|period| (period.end.unwrap() - period.start.unwrap()).num_minutes());
            assert!(i64::from(longest) <= shortest.min().unwrap());
        }
    }

    #[test]
    fn a_seed_is_a_session() {
        let first = generate(&options(60, 500, 0.2, 5)).unwrap();
        assert_eq!(first, generate(&options(60, 500, 0.2, 5)).unwrap());
        assert_ne!(first.students, generate(&options(60, 500, 0.2, 6)).unwrap().students);
    }

    #[test]
    fn what_cannot_be_made_is_refused_with_a_remedy() {
        let message = |options: GeneratorOptions| generate(&options).unwrap_err().to_string();
        assert!(message(options(0, 10, 0.2, 1)).contains("0 exams"));
        assert!(message(options(70_000, 10, 0.2, 1)).contains("70000 exams"));
        assert!(message(options(10, 0, 0.2, 1)).contains("0 students"));
        assert!(message(options(10, 50, f64::NAN, 1)).contains("density"));
        assert!(message(options(600, 500, 0.9, 1)).contains("out of reach"));
        assert!(message(GeneratorOptions { periods: Some(256), ..options(10, 50, 0.2, 1) }).contains("256 periods"));
        assert!(message(options(600, 1, 0.9, 1)).contains("choose"));
        assert!(sample("harvard").unwrap_err().to_string().contains("school, faculty, university"));
    }

    #[test]
    fn too_few_periods_are_made_but_said() {
        let instance = generate(&GeneratorOptions { periods: Some(3), ..options(60, 500, 0.2, 5) }).unwrap();
        assert_eq!(instance.period_count(), 3);
        assert!(instance.warnings.iter().any(|warning| warning.contains("3 periods")), "{:?}", instance.warnings);
    }
}
