//! `gridwright update`: fresh files for a project.

use std::sync::Arc;

use gridwright_core::project::{Project, ProjectData};
use gridwright_core::registry;
use gridwright_core::result::{Encoded, InstanceReference};
use gridwright_timetabling::project::SessionDemands;

use super::test_folder::TestFolder;

const SESSION: &str = "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\ns3,C\ns3,D\n";

/// Writes a project of a session whose rules pin the exams A and D.
pub fn write_project(place: &TestFolder) {
    gridwright::register();
    place.write("session.csv", SESSION);
    let descriptor = registry::by_id("timetabling").unwrap().descriptor();
    let options = [("periods".to_owned(), "4".to_owned())];
    let source = place.path("session.csv").display().to_string();
    let data = (descriptor.read_data)(&source, &options.clone().into_iter().collect()).unwrap();
    let reference =
        InstanceReference { name: data.name.clone(), source, hash: data.hash.clone(), options: options.into() };
    let mut demands = SessionDemands::default();
    demands.rules.pins = vec![("A".to_owned(), 1), ("D".to_owned(), 2)];
    let data = Some(ProjectData::Tables { data: Arc::new(data), specs: descriptor.tables });
    let project = Project { data, demands: Some(Encoded::of(&demands)), ..Project::of("timetabling", reference) };
    project.save(&place.path("p.gridwright")).unwrap();
}

#[test]
fn a_project_takes_over_fresh_files_and_keeps_its_rules() {
    let place = TestFolder::new();
    write_project(&place);
    place.write("same.csv", "exam;student\nd;s3\nC;s3\nC;s2\nB;s2\nA;s1\nB; s1 \n");
    let same = place.done("update p.gridwright same.csv --dry-run");
    assert_eq!(same.text, "The files hold the same data as this project.\n");
    place.write("fresh.csv", "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\ns3,C\ns4,E\n");
    let before = std::fs::read(place.path("p.gridwright")).unwrap();
    let told = place.done("update p.gridwright fresh.csv --dry-run");
    for line in ["Enrolments: added s4 · E\n", "Enrolments: removed s3 · D\n", "Exams: added E\n", "Exams: removed D\n"]
    {
        assert!(told.text.contains(line), "{}", told.text);
    }
    assert!(told.errors.contains("1 rule about exams or periods that are gone: «D»"), "{}", told.errors);
    place.refuses("update p.gridwright fresh.csv", &["the project itself would be replaced", "add --overwrite"]);
    place.refuses("update p.gridwright fresh.csv --output fresh.csv --overwrite", &["read as input"]);
    assert_eq!(std::fs::read(place.path("p.gridwright")).unwrap(), before);
    place.done("update p.gridwright fresh.csv --output new.gridwright");
    let project = Project::load(&place.path("new.gridwright")).unwrap();
    let demands: SessionDemands = project.demands.unwrap().read().unwrap();
    assert_eq!(demands.rules.pins, [("A".to_owned(), 1)]);
    assert_eq!(project.readings.len(), 1);
    let info = place.done("info new.gridwright --json").json();
    assert_eq!((info["exams"].as_u64(), info["students"].as_u64()), (Some(4), Some(4)));
    place.done("update p.gridwright fresh.csv --overwrite");
    let again = place.done("update p.gridwright fresh.csv --overwrite");
    assert_eq!(again.text, "The files hold the same data as this project.\n");
    place.refuses("update p.gridwright nowhere.csv --dry-run", &["nowhere.csv"]);
    // Headings that are not those of before need a person.
    place.write("other.csv", "who,what\ns1,A\n");
    place.refuses(
        "update p.gridwright other.csv --dry-run",
        &["say what they hold", "Update from files… in the window"],
    );
}

/// Of a folder of tables, only the files that are named are read, whatever was updated before; a file without lines removes nothing.
#[test]
fn only_the_files_that_are_named_are_read() {
    let place = TestFolder::new();
    write_project(&place);
    std::fs::create_dir(place.path("fresh")).unwrap();
    place.write("fresh/enrolments.csv", "student,exam\ns1,A\n");
    place.write("fresh/rooms.csv", "room,seats\nH1,40\nH2,30\n");
    let of_rooms = |told: &str| {
        assert!(told.contains("H1") && told.contains("H2") && !told.contains("Enrolments"), "{told}");
    };
    of_rooms(&place.done("update p.gridwright fresh/rooms.csv --dry-run").text);
    // How the enrolments were read is known from here on, and says nothing of rooms.
    place.write("first.csv", "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\ns3,C\ns3,D\ns4,D\n");
    place.done("update p.gridwright first.csv --overwrite");
    of_rooms(&place.done("update p.gridwright fresh/rooms.csv --dry-run").text);
    place.write("fresh/empty.csv", "student,exam\n");
    place.refuses("update p.gridwright fresh/empty.csv --dry-run", &["no line below the names of its columns"]);
}

/// A check sheet changes the exams that it names; the others, what they mention and the rules stay, and wishes in words are named.
#[test]
fn a_check_sheet_comes_back_as_differences() {
    let place = TestFolder::new();
    write_project(&place);
    place.write("rooms.csv", "room,seats\nH1,30\nH2,40\n");
    place.write("exams.csv", "code,title,duration,allowed rooms\nA,Algebra,90,\nB,,60,\nC,,60,H1\nD,,60,H1\n");
    place.done("update p.gridwright rooms.csv exams.csv --overwrite");
    let readings = Project::load(&place.path("p.gridwright")).unwrap().readings;
    place.write("plan.sol", "A 1\nB 0\nC 1\nD 2\n");
    // Rooms are not planned yet.
    assert_eq!(place.run("export p.gridwright plan.sol --to plan.check-sheets.zip").code, 1);
    let file = std::fs::File::open(place.path("plan.check-sheets.zip")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    // Sheets that nobody has changed hold no difference.
    for (at, name) in names.iter().enumerate() {
        let mut bytes = Vec::new();
        std::io::copy(&mut archive.by_index(at).unwrap(), &mut bytes).unwrap();
        std::fs::write(place.path("sheet.xlsx"), bytes).unwrap();
        let same = place.done("update p.gridwright sheet.xlsx --dry-run");
        assert_eq!(same.text, "The files hold the same data as this project.\n", "{name}");
    }
    place.write(
        "filled.csv",
        "code,title,enrolled,duration,own room,most rooms,features,allowed rooms,seats,wishes,notes\n\
         A,Algebra,1,120,,,,,,,\nB,,2,60,yes,,,H2,,not on a Friday,with Dr Wu\n",
    );
    let told = place.done("update p.gridwright filled.csv --output new.gridwright");
    let lines: Vec<&str> = told.text.lines().filter(|line| line.contains(": ")).collect();
    let expected = [
        "Exams: changed A, Duration (min): «90» → «120»",
        "Exams: changed B, Own room: nothing → «yes»",
        "Exams: changed B, Allowed rooms: nothing → «H2»",
    ];
    assert_eq!(lines, expected, "{}", told.text);
    let note = "line 3, column wishes: «not on a Friday» is not read; enter it by hand";
    assert!(told.errors.contains(note) && told.errors.contains("filled"), "{}", told.errors);
    let project = Project::load(&place.path("new.gridwright")).unwrap();
    assert_eq!(project.readings, readings, "an excerpt says nothing of the usual files");
    let demands: SessionDemands = project.demands.unwrap().read().unwrap();
    assert_eq!(demands.rules.pins.len(), 2);
    // A value that cannot be read is named with its place, and nothing is taken over.
    place.write("wrong.csv", "code,duration,wishes\nA,two hours,\n");
    place.refuses("update p.gridwright wrong.csv --dry-run", &["two hours"]);
}
