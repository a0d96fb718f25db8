//! Files of projects: what they hold, whose they are, and which are refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_core::data::Tables;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::project::{Project, ProjectData, StoredDraft, open_source, problem_of};
use gridwright_core::result::{Encoded, InstanceReference};
use gridwright_core::{Result, files};
use gridwright_flowshop::{Instance, formats};

fn project() -> Project {
    let instance = InstanceReference {
        name: "workshop".to_owned(),
        source: "sample:workshop".to_owned(),
        hash: "abc".to_owned(),
        options: BTreeMap::new(),
    };
    let order = |names: &[&str]| Encoded::of(&names);
    let draft =
        StoredDraft { name: "run 1".to_owned(), solution: order(&["Desk", "Chair"]), base: order(&["Chair", "Desk"]) };
    Project { draft: Some(draft), ..Project::of("flowshop", instance) }
}

#[test]
fn a_project_comes_back_and_is_told_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.gridwright");
    project().save(&path).unwrap();
    assert_eq!(Project::load(&path).unwrap(), project());
    let start = std::fs::read(&path).unwrap();
    assert_eq!(problem_of(&path, &start).as_deref(), Some("flowshop"));
    assert_eq!(problem_of(&path, b"(\n    format: 1,\n"), None, "a project of version 0.2.0");
    assert_eq!(problem_of(&folder.path().join("shop.ron"), &start), None, "the ending says it");
    // One that breaks off still is one of its problem.
    let part = &start[..start.len() - 20];
    std::fs::write(&path, part).unwrap();
    assert_eq!(problem_of(&path, part).as_deref(), Some("flowshop"));
    assert!(Project::load(&path).unwrap_err().to_string().contains("not a project"));
}

#[test]
fn a_project_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.gridwright");
    Project { plan_project: 99, ..project() }.save(&path).unwrap();
    assert!(Project::load(&path).unwrap_err().to_string().contains("newer version"));
}

#[test]
fn data_travel_with_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.gridwright");
    let instance = Instance::of_times("shop", 2, vec![3, 2, 1, 4]).unwrap();
    let mut edited = instance.to_data();
    let row = edited.tables[0].rows.get(0).unwrap().with(3, "soon");
    edited.tables[0].rows.set(0, row);
    let [data, edited] = [instance.to_data(), edited]
        .map(|data| Some(ProjectData::Tables { data: Arc::new(data), specs: Instance::TABLES }));
    let picture = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='2'><rect width='4' height='2'/></svg>";
    let logo = Some(Arc::new(gridwright_core::scene::raster::Raster::of_picture(picture).unwrap()));
    let letterhead = Letterhead { institution: "University".to_owned(), logo };
    let project = Project { data, edited, letterhead, ..project() };
    project.save(&path).unwrap();
    let start = std::fs::read(&path).unwrap();
    assert_eq!(problem_of(&path, &start[..500]).as_deref(), Some("flowshop"));
    let copy = folder.path().join("elsewhere.gridwright");
    std::fs::rename(&path, &copy).unwrap();
    let read = Project::load(&copy).unwrap();
    assert_eq!((&read.data, &read.edited), (&project.data, &project.edited));
    assert_eq!(read.letterhead, project.letterhead);
    let opened = read.open_source(&copy, |_| -> Result<Instance> { panic!("the source is not read") }).unwrap();
    assert_eq!(opened.0, instance);
    // Every byte counts: a part that breaks off is no project.
    std::fs::write(&copy, &start[..start.len() - 30]).unwrap();
    let error = Project::load(&copy).unwrap_err().to_string();
    assert!(error.contains("not a whole project") && error.contains("use a copy"), "{error}");
}

/// The project names a table by its path: one of that name beside the project counts more, wherever the project lies, and
/// the instance keeps its name.
#[test]
fn a_project_without_data_belongs_to_the_table_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let [former, own] = ["former", "own"].map(|name| folder.path().join(name));
    for (place, time) in [(former.join("tables"), 3), (own.join("tables"), 4), (own.clone(), 5)] {
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("jobs.csv"), format!("job,Saw\nDesk,{time}\nChair,1\n")).unwrap();
    }
    let source = former.join("tables").join("jobs.csv").display().to_string();
    let reference = InstanceReference { source, ..project().instance };
    let opened = || {
        let open = |source: &str| formats::open(source, &formats::LoadOptions::default());
        open_source(&reference, &own.join("mine.gridwright"), open).map(|(instance, _)| instance)
    };
    for (time, gone) in [(5, own.join("jobs.csv")), (4, own.join("tables")), (3, former.clone())] {
        let instance = opened().unwrap();
        assert_eq!((instance.name.as_str(), &instance.times[..]), ("workshop", &[time, 1][..]));
        if gone.is_dir() { std::fs::remove_dir_all(gone) } else { std::fs::remove_file(gone) }.unwrap();
    }
    let error = opened().unwrap_err().to_string();
    assert!(error.contains("Put the file beside the project"), "{error}");
}

#[test]
fn a_project_that_unpacks_beyond_the_limit_is_refused() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gridwright");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let packed = zip::write::SimpleFileOptions::DEFAULT;
    archive.start_file("project.ron", packed).unwrap();
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..=(files::size_limit() * 4) >> 20 {
        archive.write_all(&zeros).unwrap();
    }
    archive.finish().unwrap();
    let error = Project::load(&path).unwrap_err().to_string();
    assert!(error.contains("unpacks to more than 1024 MiB"), "{error}");
}
