//! A planner's day: a workbook of orders is opened and solved, plans are compared, lists go to the machines, and a rush order comes in.

use chrono::NaiveDate;
use gridwright_core::Result;
use gridwright_core::search::{Budget, Control};
use gridwright_core::workbook::{self, Book, Value, Written, count, text};
use gridwright_flowshop::check::{Verdict, check};
use gridwright_flowshop::formats::{self, LoadOptions};
use gridwright_flowshop::frozen;
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::run::{Algorithm, Settings, improve};
use gridwright_flowshop::{Instance, Objective, Schedule, stored};

use super::{assert_says, exported};

const ORDERS: usize = 40;
const MACHINES: [&str; 6] =
    ["Säge (min/Stk)", "Bohren (min)", "Fräsen (min)", "Schleifen (min)", "Lack (min)", "Prüfen (min)"];
const COLOURS: [&str; 3] = ["rot", "blau", "weiß"];

fn day(days: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 30).unwrap() + chrono::Days::new(days)
}

/// Row of an order; the first three have started.
fn order(number: usize) -> Vec<Value> {
    let texts = [format!("FA-{}", 101 + number), ["Meyer", "Schulz", "Ακμή"][number % 3].to_owned()].map(text);
    let numbers = [2 + number % 5, 1 + number % 3].map(|number| count(number as u64));
    let release = if number % 7 == 6 { Value::Date(day(1)) } else { Value::Blank };
    let dates = [release, Value::Date(day(1 + (number as u64 * 5) % 9))];
    let progress = if number < 3 { count(70 - 20 * number as u64) } else { Value::Blank };
    let times = (0..MACHINES.len()).map(|machine| match (machine, number % 4) {
        (0, _) => count(4 + (number as u64 * 3) % 9),
        (3, 1) => Value::Blank,
        _ => count(10 + (number * 13 + machine * 17) as u64 % 45),
    });
    let named = texts.into_iter().chain(numbers).chain(dates).chain([text(COLOURS[number % 3]), progress]);
    named.chain(times).collect()
}

/// Workbook with so many orders, their sum, set-ups of colours, the start of the plan, shifts and a maintenance.
fn write(book: &mut Book, orders: usize) -> Written {
    let heads = ["Auftrag", "Kunde", "Menge", "Priorität (1 = höchste)", "Freigabe", "Liefertermin", "Rüstfamilie"];
    let heads: Vec<(&str, f64)> =
        heads.into_iter().chain(["Fortschritt"]).chain(MACHINES).map(|head| (head, 12.0)).collect();
    let mut sheet = book.table("Aufträge", &heads, orders + 1)?;
    for number in 0..orders {
        sheet.row(number as u32 + 1, order(number))?;
    }
    sheet.row(orders as u32 + 1, [text("Summe"), Value::Blank, count(4 * orders as u64)])?;
    let mut setups = book.table("Rüsten", &[("von", 8.0), ("nach", 8.0), ("Lack (min)", 8.0)], 6)?;
    let pairs =
        COLOURS.iter().flat_map(|from| COLOURS.iter().map(move |to| (from, to))).filter(|(from, to)| from != to);
    for (row, (from, to)) in (1..).zip(pairs) {
        setups.row(row, [text(*from), text(*to), count(if *to == "weiß" { 40 } else { 15 })])?;
    }
    let mut plan = book.table("Plan", &[("Planbeginn", 20.0), ("Zeitzone", 14.0)], 1)?;
    plan.row(1, ["2026-11-30 06:00", "Europe/Berlin"].map(text))?;
    let heads = [("Maschine", 12.0), ("Tage", 12.0), ("von", 8.0), ("bis", 8.0), ("Art", 10.0)];
    let mut hours = book.table("Arbeitszeiten", &heads, 2)?;
    hours.row(1, ["", "Mo–Fr", "6:00", "22:00", ""].map(text))?;
    hours.row(2, ["Fräsen", "01.12.2026", "10:00", "14:00", "Wartung"].map(text))
}

fn opened(orders: usize) -> Result<Instance> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Auftragsliste.xlsx");
    std::fs::write(&path, workbook::write("Auftragsliste", None, |book| write(book, orders))?).unwrap();
    formats::load(&path, &LoadOptions::default())
}

/// Order found for an objective from an order, or from the beginning.
fn solved(instance: &Instance, objective: Objective, start: Option<&[u16]>) -> Vec<u16> {
    let goal = Goal::One(objective);
    let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(12)) };
    let found = improve(instance, &settings, start, &Control::new(), &mut |_| {}).unwrap();
    assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}: {:?}", found.verdict);
    stored::decode(instance, &found.solution).unwrap()
}

#[test]
fn a_planners_day() {
    let instance = opened(ORDERS).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count(), instance.has_due_dates()), (ORDERS, 6, true));
    assert_eq!((&*instance.frozen.order, instance.time_unit()), (&[0, 1, 2][..], "min"));
    assert_eq!([3, 4, 5].map(|job| instance.weight(job)), [3, 2, 1], "ranks 1, 2 and 3");
    assert_eq!(instance.jobs[6].release, 24 * 60 - 6 * 60, "Tuesday 0:00");
    let remarks = instance.remarks().collect::<Vec<_>>().join("\n");
    assert_says(&remarks, &["(«Summe»)", "do not visit all machines", "rank 1 has weight 3"]);

    let goals = [Objective::Makespan, Objective::Tardiness, Objective::Tardy];
    let plans = goals.map(|objective| solved(&instance, objective, None));
    let verdicts: Vec<Verdict> = plans.iter().map(|plan| check(&instance, plan)).collect();
    for (verdict, objective) in verdicts.iter().zip(goals) {
        let least = verdicts.iter().filter_map(|other| other.value(objective)).min();
        assert_eq!(verdict.value(objective), least, "the plan for {objective} is the best one of the three");
    }

    let schedule = Schedule::new(&instance, &plans[1]);
    let list = String::from_utf8(exported(&instance, &schedule, "dispatch.csv").unwrap()).unwrap();
    let visits = instance.times.len() - instance.skips.iter().filter(|&&skips| skips).count();
    assert_eq!(list.lines().count(), 1 + visits);
    assert!(list.lines().all(|line| !line.starts_with(',')), "no line without a machine");
    assert_says(
        &list,
        &[
            "machine,shift,place,job,set-up from,start,end,takes (min),quantity,rank,Customer,late by (min),why late\n",
            "Mon 30 Nov 06:00–22:00,1,FA-102,",
            "Ακμή",
        ],
    );
    // On Tuesday nothing begins on the mill between 10:00 and 14:00.
    let milled = list.lines().filter(|line| line.starts_with("Fräsen (min),Tue 1 Dec"));
    let begins: Vec<&str> = milled.filter_map(|line| line.split("2026-12-01 ").nth(1)?.get(..5)).collect();
    assert!(!begins.is_empty() && begins.iter().all(|time| !("10:00".."14:00").contains(time)), "{begins:?}");

    let changed = opened(ORDERS + 1).unwrap();
    let appended: Vec<u16> = plans[1].iter().copied().chain([ORDERS as u16]).collect();
    let appended = frozen::first(&changed, &appended);
    let around = solved(&changed, Objective::Tardiness, Some(&appended));
    let late = |order: &[u16]| check(&changed, order).tardiness.unwrap();
    assert!(late(&around) <= late(&appended));
    assert_eq!(around[..3], [0, 1, 2], "what has started stays first");
    let mut behind = around.clone();
    behind.swap(2, 3);
    assert_says(&check(&changed, &behind).violations[0].text, &["job FA-103 has started and stands behind"]);
}
