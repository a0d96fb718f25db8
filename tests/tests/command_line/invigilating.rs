//! `gridwright invigilate`: people at the rooms of a timetable.

use std::sync::Arc;

use gridwright_core::project::{Project, ProjectData};
use gridwright_core::registry;
use gridwright_core::result::InstanceReference;
use gridwright_timetabling::project::SessionDemands;

use super::test_folder::TestFolder;

/// Writes a project of a session with three invigilators, and a timetable with two rooms in the first period.
fn write_session(place: &TestFolder) {
    gridwright::register();
    place.write("enrolments.csv", "student,exam\ns1,A\ns2,A\ns3,B\ns4,B\n");
    place.write("periods.csv", "date,start,end\n2026-06-01,09:00,11:00\n2026-06-01,14:00,16:00\n");
    place.write("rooms.csv", "room,exam seats,building\nH1,10,North\nH2,10,North\n");
    place.write("invigilators.csv", "invigilator,name,not at\nK1,Roth,\nK2,Weiß,A\nK3,=1+1,\n");
    place.write("plan.csv", "exam,period,rooms\nA,1,H1 (2)\nB,1,H2 (2)\n");
    let descriptor = registry::by_id("timetabling").unwrap().descriptor();
    let source = place.path("enrolments.csv").display().to_string();
    let data = (descriptor.read_data)(&source, &Default::default()).unwrap();
    let reference =
        InstanceReference { name: data.name.clone(), source, hash: data.hash.clone(), options: Default::default() };
    let data = Some(ProjectData::Tables { data: Arc::new(data), specs: descriptor.tables });
    let project = Project { data, ..Project::of("timetabling", reference) };
    project.save(&place.path("p.gridwright")).unwrap();
}

/// Invigilators of the duties that a project keeps.
fn kept(place: &TestFolder) -> Vec<String> {
    let demands = Project::load(&place.path("p.gridwright")).unwrap().demands;
    let demands: SessionDemands = demands.map(|demands| demands.read().unwrap()).unwrap_or_default();
    demands.duties.into_iter().map(|duty| duty.invigilator).collect()
}

#[test]
fn people_are_assigned_kept_replaced_and_checked() {
    let place = TestFolder::new();
    write_session(&place);
    let told = place.done("invigilate p.gridwright plan.csv");
    assert!(told.text.contains("2 of 2 duties are covered by 3 invigilators\n"), "{}", told.text);
    assert!(
        told.text.contains("Loads: 0 to 1; no assignment that covers as much has a largest load below 1"),
        "{}",
        told.text
    );
    assert_eq!(kept(&place), [""; 0]);
    place.done("invigilate p.gridwright plan.csv -o p.gridwright first.duties.csv first.duties.xlsx first.duties.zip");
    assert_eq!(kept(&place), ["K1", "K2"]);
    let table = std::fs::read_to_string(place.path("first.duties.csv")).unwrap();
    assert!(table.contains("\nK1,Roth,,room,1,2026-06-01,09:00,11:00,H1,North,A\n"), "{table}");
    // The export of the project writes the same duties.
    place.done("export p.gridwright plan.csv --to again.duties.csv again.invigilators.pdf");
    assert_eq!(std::fs::read_to_string(place.path("again.duties.csv")).unwrap(), table);
    let told = place.done("invigilate p.gridwright plan.csv --absent K1=2026-06-01 -o new.duties.csv");
    let expected = "Mon 1 Jun 2026 09:00, room H1: =1+1 instead of Roth\n1 duty replaced or open; nobody else moves\n";
    assert!(told.text.starts_with(expected), "{}", told.text);
    assert_eq!(kept(&place), ["K1", "K2"], "the project was not named");
    // A change by hand that puts one person into two rooms is refused, and written only if asked for.
    place.write("hand.duties.csv", table.replace("K2,Weiß", "K1,Roth"));
    let refused = place.run("invigilate p.gridwright plan.csv --duties hand.duties.csv -o p.gridwright");
    assert_eq!((refused.code, kept(&place)), (1, vec!["K1".to_owned(), "K2".to_owned()]));
    assert!(
        refused.text.contains("room H1: Roth is needed at Mon 1 Jun, 09:00–11:00, room H2, at the same time"),
        "{}",
        refused.text
    );
    assert!(refused.errors.contains("nothing was written"), "{}", refused.errors);
    let line = "invigilate p.gridwright plan.csv --duties hand.duties.csv -o p.gridwright --with-violations --json";
    let told = place.run(line);
    assert_eq!((told.code, kept(&place)), (1, vec!["K1".to_owned(), "K1".to_owned()]));
    let told = told.json();
    assert_eq!((told["is_written"].as_bool(), told["faults"][0]["kind"].as_str()), (Some(true), Some("overlap")));
}

#[test]
fn what_is_not_covered_and_wrong_names_are_told() {
    let place = TestFolder::new();
    write_session(&place);
    place.done("invigilate p.gridwright plan.csv -o p.gridwright");
    let told = place.run("invigilate p.gridwright plan.csv --absent K1 --absent K3 --json");
    assert_eq!(told.code, 1);
    let told = told.json();
    assert_eq!(told["vacancies"][0]["by"].as_str(), None);
    assert_eq!(told["gaps"][0].as_str(), Some("Mon 1 Jun, 09:00–11:00, room H1: 1 invigilator missing, none is there"));
    place.write("invigilators.csv", "invigilator,absent\nK1,Mon\nK2,\n");
    let told = place.run("invigilate enrolments.csv plan.csv -o x.duties.csv");
    assert_eq!(told.code, 1);
    assert!(
        told.text.starts_with("Too few: Mon 1 Jun, 09:00–11:00 needs 2 invigilators, 1 is available\n"),
        "{}",
        told.text
    );
    assert!(!place.path("x.duties.csv").exists());
    place.refuses("invigilate enrolments.csv plan.csv -o x.pdf", &["tells no format of duties", ".duties.csv"]);
    place.refuses("invigilate enrolments.csv plan.csv -o x.gridwright", &["kept in the project of the instance only"]);
    place.refuses("invigilate enrolments.csv plan.csv --absent K1", &["no duties to begin with", "--duties FILE"]);
    place.refuses("export enrolments.csv plan.csv --to x.duties.csv", &["has no duties", "gridwright invigilate"]);
    place.refuses("invigilate p.gridwright plan.csv --absent K9", &["«K9» is no invigilator", "K1, K2, K3"]);
    place.write("bad.duties.csv", "invigilator,duty,period\nK1,boss,1\n");
    place.refuses(
        "invigilate p.gridwright plan.csv --duties bad.duties.csv",
        &["bad.duties.csv:2: ", "«boss» is no duty"],
    );
    place.write("invigilators.csv", "invigilator,absent\nK1,soon\n");
    place.refuses("invigilate enrolments.csv plan.csv", &["invigilators.csv", "«soon» is neither a number"]);
}
