use chrono::{NaiveDate, TimeZone};

use super::*;
use crate::occupancy::tests::{common_room, seated};
use crate::stored::{Demands, StoredSolution};
use crate::{Exam, InstanceParts, Period, StoredRules, UNPLACED, check};
use gridwright_core::result::{Encoded, InstanceReference};
use gridwright_core::scene::Shape;
use gridwright_core::search::driver::Plan;
use gridwright_core::search::{CurvePoint, Value as Setting};

/// Instance of `exams` exams, each sharing a student with the next; four periods a day if `dated`.
fn instance(exams: usize, dated: bool) -> Instance {
    let exam =
        |number: usize| Exam { code: format!("X{number}"), title: format!("Course {number}"), ..Exam::default() };
    let period = |number: u32| Period {
        date: NaiveDate::from_ymd_opt(2026, 6, 1 + number / 4).filter(|_| dated),
        seats: dated.then_some(500),
        ..Period::default()
    };
    Instance::build(InstanceParts {
        name: "spring".to_owned(),
        exams: (0..exams).map(exam).collect(),
        students: (1..exams as u16).map(|exam| vec![exam - 1, exam]).collect(),
        periods: (0..20).map(period).collect(),
        file_hash: "c0ffee".to_owned(),
        ..InstanceParts::default()
    })
    .unwrap()
}

fn plan(exams: usize, step: usize) -> Timetable {
    Timetable::of((0..exams).map(|exam| (exam * step % 20) as u16).collect())
}

fn result() -> RunResult {
    let curve = |at: u32| {
        let best = 100.0 - f64::from(at);
        CurvePoint { seconds: f64::from(at), step: u64::from(at), best, mean: best + 9.0, worst: best + 20.0 }
    };
    RunResult {
        program: "gridwright 0.0.9".to_owned(),
        problem: "timetabling".to_owned(),
        instance: InstanceReference {
            name: "spring".to_owned(),
            source: "/plans/spring.csv".to_owned(),
            hash: "c0ffee".to_owned(),
            options: Default::default(),
        },
        algorithm: "annealing".to_owned(),
        parameters: [
            ("kempe".to_owned(), Setting::Real(0.25)),
            ("chains".to_owned(), Setting::Integer(8)),
            ("last_temperature".to_owned(), Setting::Real(11.100_000_000_000_001)),
        ]
        .into(),
        device: "Some CPU".to_owned(),
        threads: 2,
        plan: Plan { epoch: 1, ..Plan::default() },
        time_limit: Some(30.0),
        stop_reason: StopReason::TimeLimit,
        seconds: 30.2,
        generations: 1_234_567,
        evaluations: 7_654_321,
        curve: (0..60).map(curve).collect(),
        digests: vec!["0badcafe".to_owned()],
        solution: Encoded::of(&StoredSolution::Timetable(Vec::new())),
        verdict: gridwright_core::result::Verdict::of(40.0, Vec::new()).displayed("2.0000".to_owned()),
        notes: vec!["a note of the run".to_owned()],
        ..gridwright_core::testing::result(42, 1_780_000_000)
    }
}

fn drawn(instance: &Instance, timetable: &Timetable, background: &Background<'_>) -> Vec<Scene> {
    let now = Utc.with_ymd_and_hms(2026, 5, 4, 12, 30, 0).unwrap();
    let verdict = check::check(instance, timetable);
    let (pages, bookmarks) = pages(instance, timetable, &verdict, background, Default::default(), now).unwrap();
    assert!(bookmarks.iter().all(|bookmark| bookmark.page < pages.len()));
    pages
}

/// All lines of text; asserts that none leaves its page.
fn texts(pages: &[Scene]) -> Vec<String> {
    let mut all = Vec::new();
    for page in pages {
        for shape in &page.shapes {
            if let Shape::Text { text, x, y, size, .. } = shape {
                assert!(
                    *y < page.height && *y > *size && (0.0..=page.width).contains(x),
                    "{text} lies beside the page"
                );
                all.push(text.clone());
            }
        }
    }
    all
}

#[test]
fn a_curve_with_a_price_in_it_says_so() {
    let (instance, timetable) = (instance(12, true), plan(12, 3));
    let mut result = result();
    let convergence = |result: &RunResult| {
        let all = texts(&drawn(&instance, &timetable, &Background { result: Some(result), before: None }));
        all.into_iter().find(|text| text.starts_with("Convergence: ")).unwrap()
    };
    assert_eq!(convergence(&result), "Convergence: cost per student over time");
    for (weight, words) in [(0, ""), (7, ", with the price of moved exams,")] {
        let rules = StoredRules { reference: Some((weight, Vec::new())), ..StoredRules::default() };
        result.demands = Some(Encoded::of(&Demands::Timetabling(rules)));
        assert_eq!(convergence(&result), format!("Convergence: cost per student{words} over time"));
    }
}

#[test]
fn the_end_of_a_curve_is_the_cost_in_the_unit_of_the_objective() {
    let (mut instance, timetable) = (instance(12, true), plan(12, 3));
    let result = result();
    let end = |instance: &crate::Instance| {
        let all = texts(&drawn(instance, &timetable, &Background { result: Some(&result), before: None }));
        all.into_iter().find(|text| text.starts_with("best, ")).unwrap()
    };
    let last = result.curve.last().unwrap().best;
    assert_eq!(end(&instance), format!("best, {} at the end", numbers::cost(instance.shown(last as u64))));
    instance.objective = crate::Objective::of(crate::ObjectiveKind::Office);
    assert_eq!(end(&instance), format!("best, {} at the end", numbers::quantity(last)));
}

#[test]
fn everything_that_is_known_of_a_run_is_in_it() {
    let (mut instance, timetable) = (instance(12, true), plan(12, 3));
    instance.rules.pins.insert(3, 9);
    let result = result();
    let all = texts(&drawn(&instance, &timetable, &Background { result: Some(&result), before: None }));
    let has = |what: &str| assert!(all.iter().any(|text| text.contains(what)), "{what} is missing: {all:#?}");
    let drawn_at = Utc.with_ymd_and_hms(2026, 5, 4, 12, 30, 0).unwrap();
    has(&moment(&drawn_at.with_timezone(&Local)));
    let berlin = drawn_at.with_timezone(&chrono::FixedOffset::east_opt(2 * 3600).unwrap());
    assert_eq!(moment(&berlin), "4 May 2026, 14:30 (UTC+02:00)");
    for what in [
        "spring: report on the timetable",
        "Clash-free and complete",
        "Cost per student",
        "Mon 1 June 2026",
        "annealing",
        "kempe = 0.25",
        "chains = 8",
        "Rules in force",
        "Exam X3 is pinned to period 10",
        "No period gets more students than it has seats",
        "42",
        "Some CPU (2 threads)",
        "Time limit reached",
        "1\u{2009}234\u{2009}567",
        "a note of the run",
        "Instance (SHA-256)",
        "c0ffee",
        "gridwright 0.0.9",
        "0badcafe",
        "Page 1 of ",
        concat!("gridwright ", env!("CARGO_PKG_VERSION")),
    ] {
        has(what);
    }
    assert!(all.iter().any(|text| text.ends_with("last_temperature = 11.1")), "without the digits that computing adds");
    assert!(!all.iter().any(|text| text.starts_with("Compared with")));
}

#[test]
fn a_plain_timetable_has_a_report_too() {
    let instance = instance(12, false);
    let all = texts(&drawn(&instance, &plan(12, 3), &Background::default()));
    assert!(all.iter().any(|text| text == "the periods have no dates"));
    assert!(!all.iter().any(|text| text == "How it was made"));
    // Two in the same period and one nowhere: said at the top, and by the checker.
    let mut wrong = plan(12, 3);
    (wrong.periods[1], wrong.periods[5]) = (wrong.periods[0], UNPLACED);
    let all = texts(&drawn(&instance, &wrong, &Background::default()));
    assert!(all.iter().any(|text| text == "Not feasible: 1 clash, 1 exam without a period"));
    assert!(
        all.iter().any(|text| text.contains("share 1 student"))
            && all.iter().any(|text| text.contains("has no period"))
    );
    assert!(!all.iter().any(|text| text.starts_with("Clash-free")));
}

#[test]
fn every_moved_exam_is_listed_over_as_many_pages_as_that_takes() {
    let (instance, before, now) = (instance(400, true), plan(400, 3), plan(400, 7));
    let pages = drawn(&instance, &now, &Background { result: None, before: Some(("last week.sol", &before)) });
    assert!(pages.len() > 5, "{}", pages.len());
    let all = texts(&pages);
    assert!(all.iter().any(|text| text == "Compared with last week.sol"));
    let moved = (0..400).filter(|exam| exam * 3 % 20 != exam * 7 % 20);
    let mut count = 0;
    for exam in moved {
        count += 1;
        assert_eq!(all.iter().filter(|text| **text == format!("X{exam}")).count(), 1, "X{exam}");
    }
    assert!(all.iter().any(|text| *text == format!("Moved exams: {count} of 400")));
    for number in 1..=pages.len() {
        assert!(all.contains(&format!("Page {number} of {}", pages.len())));
    }
}

#[test]
fn a_stranger_to_compare_with_is_refused_and_the_bytes_are_the_same_again() {
    let (instance, timetable) = (instance(12, true), plan(12, 3));
    let now = Utc.with_ymd_and_hms(2026, 5, 4, 12, 30, 0).unwrap();
    let verdict = check::check(&instance, &timetable);
    let write =
        |background: &Background<'_>| report(&instance, &timetable, &verdict, background, Default::default(), now);
    let stranger = plan(11, 3);
    assert!(write(&Background { result: None, before: Some(("other", &stranger)) }).is_err());
    let result = result();
    let background = Background { result: Some(&result), before: Some(("before", &timetable)) };
    let first = write(&background).unwrap();
    assert!(first.starts_with(b"%PDF-"));
    assert!(first == write(&background).unwrap());
}

#[test]
fn the_report_names_common_rooms() {
    let (mut instance, timetable) = common_room();
    let lines = |instance: &Instance| texts(&drawn(instance, &timetable, &Background::default()));
    let has = |lines: &[String], wanted: &str| lines.iter().any(|line| line == wanted);
    let common = lines(&instance);
    assert!(has(&common, "in common rooms: R5") && has(&common, "R5 (extra time)"), "{common:?}");
    assert!(!has(&common, "H1 (extra time)"), "{common:?}");
    instance.resources.extra_time = crate::ExtraTimePlace::Apart;
    let apart = lines(&instance);
    assert!(has(&apart, "apart from the others") && !has(&apart, "R5 (extra time)"), "{apart:?}");
}

#[test]
fn the_report_lists_rooms_and_components_of_the_cost() {
    let (mut instance, timetable) = seated();
    let texts = |instance: &Instance| -> Vec<String> {
        let verdict = check::check(instance, &timetable);
        let (pages, _) =
            pages(instance, &timetable, &verdict, &Background::default(), &Letterhead::default(), DateTime::UNIX_EPOCH)
                .unwrap();
        let text = |shape: &Shape| if let Shape::Text { text, .. } = shape { Some(text.clone()) } else { None };
        pages.iter().flat_map(|page| page.shapes.iter()).filter_map(text).collect()
    };
    let has = |texts: &[String], wanted: &str| texts.iter().any(|text| text == wanted);
    let toronto = texts(&instance);
    assert!(has(&toronto, "Cost per student") && has(&toronto, "R6") && has(&toronto, "11:15"), "{toronto:?}");
    assert!(!toronto.iter().any(|text| text.starts_with("Cost by component")));
    instance.objective = crate::Objective::of(crate::ObjectiveKind::Itc2007);
    let competition = texts(&instance);
    for wanted in
        ["Cost by component, objective ITC-2007", "Cost (ITC-2007)", "Further durations in one room and period"]
    {
        assert!(has(&competition, wanted), "{wanted}: {competition:?}");
    }
    assert!(!has(&competition, "Cost per student"));
}
