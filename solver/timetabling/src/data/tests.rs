use std::collections::BTreeSet;
use std::time::Instant;

use chrono::{NaiveDate, NaiveTime};
use proptest::prelude::*;

use super::specs::{OF_ARRANGEMENTS, OF_EXAMINERS, OF_INVIGILATION, OF_INVIGILATORS, OF_PEOPLE, OF_ROOMS, OF_STUDENTS};
use super::*;
use crate::invigilators::{ChiefScope, InvigilationRules, Invigilator, Role};
use crate::{
    Arrangement, ExtraTime, ExtraTimePlace, Objective, ObjectiveKind, Person, Relation, RelationKind, Resources, Room,
    RoomNeeds, Rules,
};
use gridwright_core::data::update::{FreshData, Update};
use gridwright_core::data::{DateOrder, canonical, follow};

/// Titles and durations of exams, exams of students, dates and seats of periods, numbering, divisor.
type Basics = (Vec<(String, Option<u32>)>, Vec<(bool, BTreeSet<u16>)>, Vec<(bool, Option<u32>)>, bool, Option<u32>);
/// Seats, exclusive use, closed periods.
type DrawnRoom = (u32, bool, BTreeSet<u16>);
/// Rooms, exams of people, arrangements, demands of exams.
type DrawnResources = (Vec<DrawnRoom>, Vec<BTreeSet<u16>>, Vec<(bool, u32, bool)>, Vec<(bool, u16, Option<u32>)>);
type Drawn = (Basics, DrawnResources);

fn drawn() -> impl Strategy<Value = Drawn> {
    let exam = ("[A-Za-zÄ=é ]{0,6}", proptest::option::of(0_u32..=1440));
    let student = (any::<bool>(), proptest::collection::btree_set(0_u16..8, 0..4));
    let period = (any::<bool>(), proptest::option::of(0_u32..5000));
    let subset = || proptest::collection::btree_set(0_u16..8, 0..5);
    let room = (0_u32..500, any::<bool>(), subset());
    let arrangement = (any::<bool>(), 0_u32..200, any::<bool>());
    let need = (any::<bool>(), 0_u16..4, proptest::option::of(0_u32..90));
    let basics = (
        proptest::collection::vec(exam, 8..=8),
        proptest::collection::vec(student, 0..12),
        proptest::collection::vec(period, 0..6),
        any::<bool>(),
        proptest::option::of(1_u32..50),
    );
    let resources = (
        proptest::collection::vec(room, 0..5),
        proptest::collection::vec(subset(), 0..5),
        proptest::collection::vec(arrangement, 0..5),
        proptest::collection::vec(need, 8..=8),
    );
    (basics, resources)
}

/// Rooms, people and arrangements; the demands of the exams go to `exams`, the penalties of the periods to `periods`.
fn resources(
    (rooms, people, arrangements, needs): DrawnResources, exams: &mut [Exam], periods: &mut [Period], students: usize,
) -> Resources {
    let features = |single| {
        BTreeSet::from_iter(["computers", "ramp"].iter().take(1 + usize::from(single)).map(|it| (*it).to_owned()))
    };
    let within = |set: BTreeSet<u16>| set.into_iter().filter(|&period| usize::from(period) < periods.len()).collect();
    let room = |(number, (seats, single, closed)): (usize, DrawnRoom)| Room {
        code: format!("H, {number}"),
        seats,
        penalty: seats % 3,
        building: "main; old".to_owned(),
        features: features(single),
        single,
        unavailable: within(closed),
        seat_plan: if seats % 2 == 0 { String::new() } else { "200 x 200; without A1".to_owned() },
        extra_time: seats % 5 == 3,
    };
    let rooms: Vec<Room> = rooms.into_iter().enumerate().map(room).collect();
    let person = |(number, exams): (usize, BTreeSet<u16>)| Person {
        name: format!("Roth, Jan {number}"),
        unavailable: within(exams.iter().map(|exam| exam / 2).collect()),
        exams,
    };
    let people: Vec<Person> = people.into_iter().enumerate().map(person).collect();
    // Each knows exams and the person behind in the table.
    let invigilator = |(number, person): (usize, &Person)| Invigilator {
        code: format!("K; {number}"),
        name: format!("Weiß, Eva {number}"),
        email: if number == 1 { "k@example.org".to_owned() } else { String::new() },
        role: [Role::Chief, Role::Invigilator, Role::Reserve][number % 3],
        least_duties: number as u32,
        most_duties: Some(number as u32 + 2).filter(|most| most % 2 == 0),
        unavailable: person.unavailable.clone(),
        forbidden_exams: person.exams.clone(),
        forbidden_colleagues: Some(number as u16 + 1)
            .filter(|&next| usize::from(next) < people.len())
            .into_iter()
            .collect(),
    };
    let invigilators: Vec<Invigilator> = people.iter().enumerate().map(invigilator).collect();
    let rules = InvigilationRules {
        students: Some(25),
        least: None,
        chief: Some(ChiefScope::Period),
        reserves: Some(2),
        most_in_a_row: None,
    };
    let invigilation = Some(rules).filter(|_| invigilators.len() > 1);
    let arrangement = |(student, (percent, extra, own_room))| Arrangement {
        student,
        extra: if percent { ExtraTime::Percent(extra) } else { ExtraTime::Minutes(extra) },
        own_room,
    };
    let arrangements = (0..students as u32).zip(arrangements).map(arrangement).collect();
    for ((own_room, most_rooms, seats), exam) in needs.into_iter().zip(exams) {
        let codes = rooms.iter().take(usize::from(most_rooms)).map(|room| room.code.clone());
        let features = rooms.first().filter(|_| own_room).map(|room| room.features.clone()).unwrap_or_default();
        exam.needs = RoomNeeds { own_room, most_rooms, features, rooms: codes.collect(), seats };
    }
    periods.iter_mut().zip(0..).for_each(|(period, number)| period.penalty = number % 3);
    let extra_time = ExtraTimePlace::SameRoom;
    Resources { rooms, people, arrangements, invigilators, invigilation, extra_time, ..Resources::default() }
}

fn instance(((exams, students, periods, numbered, divisor), drawn): Drawn) -> Instance {
    let exam = |(number, (title, duration)): (usize, (String, Option<u32>))| Exam {
        code: format!("E{number}"),
        title: title.trim().to_owned(),
        duration,
        ..Exam::default()
    };
    let time = |hour, second| NaiveTime::from_hms_opt(hour, 0, second);
    // Two periods a day; those without a date have numbers only.
    let period = |(number, (dated, seats)): (usize, (bool, Option<u32>))| Period {
        date: NaiveDate::from_ymd_opt(2026, 6, 1 + number as u32 / 2).filter(|_| dated),
        start: time(9 + number as u32 % 2, number as u32).filter(|_| dated),
        end: time(12, 0),
        seats,
        ..Period::default()
    };
    let mut exams: Vec<Exam> = exams.into_iter().enumerate().map(exam).collect();
    let mut periods: Vec<Period> = periods.into_iter().enumerate().map(period).collect();
    let resources = resources(drawn, &mut exams, &mut periods, students.len());
    let mut rules = Rules::default();
    if periods.len() > 3 {
        rules.pins.insert(1, 0);
        rules.forbid(2, 3, true);
    }
    rules.relations.insert(Relation::new(RelationKind::Before, 3, 4));
    let objective = Objective::of(if numbered { ObjectiveKind::Office } else { ObjectiveKind::Toronto });
    Instance::build(InstanceParts {
        name: "drawn".to_owned(),
        exams,
        student_codes: if numbered {
            Vec::new()
        } else {
            (0..students.len()).map(|number| format!("s{number}")).collect()
        },
        students: students.into_iter().map(|(_, exams)| exams.into_iter().collect()).collect(),
        periods,
        time_zone: None,
        divisor,
        rules,
        resources,
        objective,
        warnings: vec!["a remark".to_owned()],
        file_hash: "c0ffee".to_owned(),
    })
    .unwrap()
}

proptest! {
    #[test]
    fn every_instance_comes_back_from_its_tables(drawn in drawn()) {
        let instance = instance(drawn);
        prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
        gridwright_core::testing::assert_imported_again(&instance);
    }
}

#[test]
fn wrong_cells_are_named_by_table_row_and_column() {
    let session = crate::generator::sample("school").unwrap();
    let mut data = session.to_data();
    let set = |data: &mut Dataset, table: usize, row: usize, column: usize, value: &str| {
        let rows = &mut data.tables[table].rows;
        rows.set(row, rows.get(row).unwrap().with(column, value));
    };
    set(&mut data, OF_ENROLMENTS, 4, 1, "NOPE");
    set(&mut data, OF_ENROLMENTS, 7, 0, "");
    set(&mut data, OF_EXAMS, 2, 2, "long");
    let first = data.tables[OF_EXAMS].rows.get(0).unwrap().cell(0).to_owned();
    set(&mut data, OF_EXAMS, 3, 0, &first);
    set(&mut data, OF_PERIODS, 1, 0, "31.02.2026");
    set(&mut data, OF_PERIODS, 1, 3, "many");
    let issues = Instance::of_data(&data).unwrap_err();
    let texts: Vec<String> = issues.iter().map(|issue| issue.text(&TABLES)).collect();
    for expected in [
        "Enrolments, row 5, Exam: «NOPE» is not in the table “Exams”",
        "Enrolments, row 8, Student: the value is missing",
        "Exams, row 3, Duration: «long» is no length of time",
        "Exams, row 4, Code: ",
        "Periods, row 2, Date: «31.02.2026» is no date",
        "Periods, row 2, Seats: «many» is not a whole number",
    ] {
        assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected}: {texts:?}");
    }
    // What refers to the exam whose code was changed is wrong, too, and is named.
    assert!(texts.iter().all(|text| text.contains(": ") && text.contains(", row ")), "{texts:?}");
}

/// The data of the school with a room, a person and an arrangement.
fn with_resources() -> Dataset {
    let mut data = crate::generator::sample("school").unwrap().to_data();
    let [exam, student] = [(OF_EXAMS, 0), (OF_ENROLMENTS, 0)]
        .map(|(table, column)| data.tables[table].rows.get(0).unwrap().cell(column).to_owned());
    let day = data.tables[OF_PERIODS].rows.get(0).unwrap().cell(0).to_owned();
    let rows = |data: &mut Dataset, table: usize, row: &[&str]| data.tables[table].rows.extend([Row::of(row)]);
    rows(&mut data, OF_ROOMS, &["H1", "80", "", "computers; ramp", "", "yes", &format!("{day}, 5")]);
    rows(&mut data, OF_PEOPLE, &["Roth, Jan", "2"]);
    rows(&mut data, OF_EXAMINERS, &["Roth, Jan", &exam]);
    rows(&mut data, OF_ARRANGEMENTS, &[&student, "", "25", "yes"]);
    rows(&mut data, OF_ARRANGEMENTS, &["nobody", "10", "", ""]);
    data
}

#[test]
fn closed_days_and_unknown_students_are_told() {
    let mut data = with_resources();
    data.tables[OF_PEOPLE].rows.extend([Row::of(["Weiß, Eva", "2020-01-01"])]);
    let session = Instance::of_data(&data).unwrap();
    let first_day = session.periods.iter().filter(|period| period.date == session.periods[0].date).count() as u16;
    let closed: BTreeSet<u16> = (0..first_day).chain([4]).collect();
    assert_eq!(session.resources.rooms[0].unavailable, closed);
    assert_eq!(session.resources.people[0].exams, BTreeSet::from([0]));
    assert_eq!(
        session.resources.arrangements,
        [Arrangement { student: 0, extra: ExtraTime::Percent(25), own_room: true }]
    );
    let has = |text: &str| session.warnings.iter().any(|warning| warning.contains(text));
    assert!(has("1 arrangement of students who sit no exam has no effect: nobody"), "{:?}", session.warnings);
    assert!(has("Weiß, Eva: no period is on 2020-01-01"), "{:?}", session.warnings);
}

#[test]
fn wrong_cells_of_rooms_and_people_are_named() {
    let mut data = with_resources();
    let set = |data: &mut Dataset, table: usize, row: usize, column: usize, value: &str| {
        let rows = &mut data.tables[table].rows;
        rows.set(row, rows.get(row).unwrap().with(column, value));
    };
    set(&mut data, OF_EXAMS, 0, 5, "computers, oven");
    set(&mut data, OF_EXAMS, 1, 6, "H1; H9");
    set(&mut data, OF_ROOMS, 0, 6, "99");
    set(&mut data, OF_PEOPLE, 0, 1, "soon");
    set(&mut data, OF_EXAMINERS, 0, 0, "Roth");
    set(&mut data, OF_ARRANGEMENTS, 0, 1, "20");
    let again = data.tables[OF_ARRANGEMENTS].rows.get(1).unwrap().clone();
    data.tables[OF_ARRANGEMENTS].rows.extend([again]);
    let issues = Instance::of_data(&data).unwrap_err();
    let texts: Vec<String> = issues.iter().map(|issue| issue.text(&TABLES)).collect();
    for expected in [
        "Exams, row 1, Features needed: no room has «oven»",
        "Exams, row 2, Allowed rooms: «H9» is not in the table “Rooms”",
        "Rooms, row 1, Closed: 99 is no period; there are ",
        "People, row 1, Absent: «soon» is neither a number from 1 nor a date",
        "Examiners, row 1, Examiner: «Roth» is not in the table “People”",
        "Arrangements, row 1, Extra time: there are minutes and per cent",
        "Arrangements, row 3, Student: «nobody» stands in row 2, too",
    ] {
        assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected}: {texts:?}");
    }
    assert_eq!(texts.len(), 7, "{texts:?}");
}

#[test]
fn invigilators_are_read_and_wrong_cells_named() {
    let mut data = with_resources();
    let exam = data.tables[OF_EXAMS].rows.get(0).unwrap().cell(0).to_owned();
    let date = |period: usize| data.tables[OF_PERIODS].rows.get(period).unwrap().cell(0).to_owned();
    let span = format!("{} to {}", date(0), date(0));
    let row = |cells: [&str; 9]| Row::of(cells);
    data.tables[OF_INVIGILATORS].rows.extend([
        row(["K1", "Roth", "", "chief", "1", "4", &span, &exam, "k2"]),
        row(["K2", "", "", "", "", "", "", "", ""]),
    ]);
    data.tables[OF_INVIGILATION].rows.extend([Row::of(["20", "2", "", "", ""])]);
    let session = Instance::of_data(&data).unwrap();
    let first = &session.resources.invigilators[0];
    let of_day = session.periods.iter().filter(|period| period.date == session.periods[0].date).count() as u16;
    assert_eq!(first.unavailable, (0..of_day).collect());
    assert_eq!((first.role, first.least_duties, first.most_duties), (Role::Chief, 1, Some(4)));
    assert_eq!((&first.forbidden_exams, &first.forbidden_colleagues), (&[0].into(), &[1].into()));
    let needs = session.invigilation_needs();
    assert_eq!((needs.students, needs.least, needs.chief, needs.reserves), (20, 2, ChiefScope::Building, 0));
    let mut renamed = data.clone();
    let second = renamed.tables[OF_INVIGILATORS].rows.get(1).unwrap().with(0, "4711");
    renamed.tables[OF_INVIGILATORS].rows.set(1, second);
    follow(Instance::TABLES, &mut renamed, OF_INVIGILATORS, &[("K2".to_owned(), "4711".to_owned())]);
    let followed = Instance::of_data(&renamed).unwrap().resources.invigilators;
    assert_eq!(followed[0].forbidden_colleagues, [1].into(), "«Not with» follows the code");
    // Offices write roles in their languages, here as they come from a file.
    let own = |(table, column): (usize, usize), text: &str| {
        canonical(Instance::TABLES[table].columns[column].kind, text, DateOrder::DayFirst)
    };
    let roles = ["Leitung", "Prüfungsaufsicht", "PRUEFUNGSAUFSICHT", "Réserve", "Επιτηρητής", "boss"];
    let read = ["chief", "invigilator", "invigilator", "reserve", "invigilator", "boss"];
    assert_eq!(roles.map(|role| own((OF_INVIGILATORS, 3), role)), read);
    assert_eq!(
        ["Gebäude", "keine", "période"].map(|scope| own((OF_INVIGILATION, 2), scope)),
        ["building", "none", "period"]
    );
    let wrong = [
        (OF_INVIGILATORS, 0, 3, "boss", "Invigilators, row 1, Role: «boss» is not one of"),
        (OF_INVIGILATORS, 0, 4, "5", "Invigilators, row 1, Most duties: K1 has at least 5 and at most 4"),
        (OF_INVIGILATORS, 0, 6, "soon", "Invigilators, row 1, Absent: «soon» is neither"),
        (
            OF_INVIGILATORS,
            1,
            6,
            "2026-06-05 to 2026-06-01",
            "Invigilators, row 2, Absent: «2026-06-05 to 2026-06-01» ends",
        ),
        (OF_INVIGILATORS, 1, 7, "NOPE", "Invigilators, row 2, Not at: «NOPE» is not in the table “Exams”"),
        (OF_INVIGILATORS, 1, 8, "K1; K9", "Invigilators, row 2, Not with: «K9» is not in the table"),
        (OF_INVIGILATORS, 1, 8, "K2", "Invigilators, row 2, Not with: «K2» is the code of the same person"),
        (OF_ROOMS, 0, 7, "many", "Rooms, row 1, Seat plan: «many» is no seat plan; write rows x seats"),
        (OF_INVIGILATION, 0, 0, "0", "Invigilation, row 1, Students per invigilator: «0» is outside of 1"),
        (OF_INVIGILATION, 0, 2, "room", "Invigilation, row 1, Chief per: «room» is not one of"),
    ];
    for (table, row, column, value, expected) in wrong {
        let mut damaged = data.clone();
        let rows = &mut damaged.tables[table].rows;
        rows.set(row, rows.get(row).unwrap().with(column, value));
        let issues = Instance::of_data(&damaged).unwrap_err();
        let texts: Vec<String> = issues.iter().map(|issue| issue.text(&TABLES)).collect();
        assert!(texts.iter().any(|text| text.starts_with(expected)), "{expected}: {texts:?}");
    }
    data.tables[OF_INVIGILATION].rows.extend([Row::of(["30", "", "", "", ""])]);
    assert!(Instance::of_data(&data).unwrap_err()[0].what.contains("there is a second row"));
}

/// Enrolments alone change; whoever leaves keeps name, address and extra time for the case of coming back.
#[test]
fn data_about_students_who_leave_stay() {
    let mut present = with_resources();
    let gone = present.tables[OF_ENROLMENTS].rows.get(0).unwrap().cell(0).to_owned();
    let row = Row::of([&gone, "Roth", "Eva", "Law", "eva@example.org", "q7-4x"]);
    present.tables[OF_STUDENTS].rows.extend([row.clone(), Row::of(["later", "Weiß", "", "", "", ""])]);
    let normal = |data: &Dataset| Instance::of_data(data).ok().map(|instance| instance.to_data());
    let present = std::sync::Arc::new(normal(&present).unwrap());
    let mut fresh = (*present).clone();
    let stays = |row: &&Row| row.cell(0) != gone;
    fresh.tables[OF_ENROLMENTS].rows = present.tables[OF_ENROLMENTS].rows.iter().filter(stays).cloned().collect();
    let update = Update::of(&TABLES, &present, FreshData::whole(&TABLES, fresh), normal);
    assert!(update.changes.iter().all(|(table, _)| *table == OF_ENROLMENTS), "{:?}", update.changes);
    let data = update.applied(&vec![true; update.changes.len()]);
    let left = Instance::of_data(&data).unwrap();
    assert_eq!((left.resources.contacts.len(), left.resources.arrangements.len()), (0, 0));
    let again = left.to_data();
    for (table, count) in [(OF_STUDENTS, 2), (OF_ARRANGEMENTS, 2)] {
        let rows = |data: &Dataset| data.tables[table].rows.iter().cloned().collect::<BTreeSet<Row>>();
        assert_eq!((rows(&again).len(), rows(&again)), (count, rows(&present)));
    }
    assert!(again.tables[OF_STUDENTS].rows.iter().any(|other| *other == row));
}

#[test]
fn rules_about_exams_that_are_gone_are_left_out_with_a_warning() {
    let mut session = crate::generator::sample("school").unwrap();
    session.rules.relations.insert(Relation::new(RelationKind::Before, 0, 1));
    session.rules.pins.insert(2, 3);
    let mut data = session.to_data();
    let code = session.exams[0].code.clone();
    for (table, column) in [(OF_ENROLMENTS, 1), (OF_EXAMS, 0)] {
        let rows = data.tables[table].rows.clone();
        data.tables[table].rows = rows.iter().filter(|row| row.cell(column) != code).cloned().collect();
    }
    data.rest = Instance::rest_of_changed(&data.rest);
    let fewer = Instance::of_data(&data).unwrap();
    assert_eq!((fewer.rules.relations.len(), fewer.rules.pins.get(&1)), (0, Some(&3)));
    assert!(fewer.warnings.iter().any(|warning| warning.starts_with("1 rule about exams")), "{:?}", fewer.warnings);
}

/// A session of a very large university takes a second or two; the limit leaves room for a busy machine, and none for work that
/// grows with the square of the rows.
#[test]
fn a_million_enrolments_are_converted_in_seconds() {
    let exams = (0..4_000).map(|exam| Exam { code: format!("EXAM{exam:05}"), ..Exam::default() }).collect();
    let sits = |student: u32| (0..5).map(|at| ((student / 97 * 7 + at * 3) % 4_000) as u16).collect();
    let parts = InstanceParts { exams, students: (0..200_000).map(sits).collect(), ..InstanceParts::default() };
    let instance = Instance::build(parts).unwrap();
    assert_eq!(instance.enrolments(), 1_000_000);
    let began = Instant::now();
    let data = instance.to_data();
    let back = Instance::of_data(&data).unwrap();
    let seconds = began.elapsed().as_secs_f64();
    println!("{seconds:.2} s");
    assert!(back == instance && seconds < 60.0, "{seconds} s");
}

/// Rows about one student, exam, person or room are about the same in any spelling of the name.
#[test]
fn rows_are_joined_whatever_the_spelling_of_their_names() {
    let mut data = with_resources();
    let upper = |data: &mut Dataset, table: usize, columns: &[usize]| {
        let respelled = |row: &Row| {
            let other = |row: Row, &column: &usize| {
                let text = row.cell(column).to_uppercase().replace('-', "\u{2010}");
                row.with(column, &text)
            };
            columns.iter().fold(row.clone(), other)
        };
        data.tables[table].rows = data.tables[table].rows.iter().map(respelled).collect();
    };
    let student = data.tables[OF_ENROLMENTS].rows.get(0).unwrap().cell(0).to_owned();
    data.tables[OF_STUDENTS].rows.extend([Row::of([&student, "Roth", "", "", "", ""])]);
    let rows = &mut data.tables[OF_EXAMS].rows;
    rows.set(0, rows.get(0).unwrap().with(6, "h1"));
    let plain = Instance::of_data(&data).unwrap();
    upper(&mut data, OF_EXAMINERS, &[0, 1]);
    upper(&mut data, OF_ARRANGEMENTS, &[0]);
    upper(&mut data, OF_STUDENTS, &[0]);
    let again = Instance::of_data(&data).unwrap();
    assert_eq!((again.resources.arrangements.len(), again.resources.contacts.len()), (1, 1));
    assert_eq!(again.exams[0].needs.rooms, BTreeSet::from(["H1".to_owned()]));
    assert_eq!((again.students, &again.resources.people), (plain.students.clone(), &plain.resources.people));
    // A student whose enrolments are spelled in two ways sits them all.
    let first = data.tables[OF_ENROLMENTS].rows.get(0).unwrap().clone();
    let rows = &mut data.tables[OF_ENROLMENTS].rows;
    rows.set(0, first.with(0, &format!(" {}", student.to_lowercase())));
    assert_eq!(Instance::of_data(&data).unwrap().students.len(), plain.students.len());
}
