//! Files of projects: what they hold, whose they are, and which are refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_core::data::Tables;
use gridwright_core::letterhead::Letterhead;
use gridwright_core::project::{Project, ProjectData, StoredDraft, open_source, problem_of};
use gridwright_core::result::{Encoded, InstanceReference};
use gridwright_core::scene::raster::{MostPixels, Raster};
use gridwright_core::text::language::Language;
use gridwright_core::{Result, files, registry};
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
    // A problem that only a newer version has.
    gridwright::register();
    let told = |problem: &str| {
        Project { problem: problem.to_owned(), ..project() }.save(&path).unwrap();
        gridwright_core::recognition::not_an_instance(path.to_str().unwrap()).map(|error| error.to_string())
    };
    assert!(told("vehicles").is_some_and(|told| told.contains("“vehicles”, which this version does not know")));
    assert_eq!(told("flowshop"), None);
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
    let logo = Some(Arc::new(Raster::of_picture(picture, MostPixels::LOGO).unwrap()));
    let letterhead = Letterhead { institution: "University".to_owned(), language: Language::Greek, logo };
    let attachments = [("plan.png", &b"\x89PNG"[..]), ("plan.ron", b"(lines: [])")];
    let attachments = attachments.map(|(name, content)| (name.to_owned(), content.into())).into();
    let project = Project { data, edited, letterhead, attachments, ..project() };
    project.save(&path).unwrap();
    let start = std::fs::read(&path).unwrap();
    assert_eq!(problem_of(&path, &start[..500]).as_deref(), Some("flowshop"));
    let copy = folder.path().join("elsewhere.gridwright");
    std::fs::rename(&path, &copy).unwrap();
    let read = Project::load(&copy).unwrap();
    assert_eq!((&read.data, &read.edited), (&project.data, &project.edited));
    assert_eq!((&read.letterhead, &read.attachments), (&project.letterhead, &project.attachments));
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
fn a_project_that_unpacks_beyond_the_limit_is_refused_before_it_is_unpacked() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gridwright");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let packed = zip::write::SimpleFileOptions::DEFAULT;
    archive.start_file("project.ron", packed).unwrap();
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..=files::size_limit() >> 20 {
        archive.write_all(&zeros).unwrap();
    }
    archive.finish().unwrap();
    let error = Project::load(&path).unwrap_err().to_string();
    assert!(error.contains("unpacks to more than 256 MiB"), "{error}");
    // One that states another size is read up to this size: local header and directory hold it at 22 and 24 bytes from their marks.
    let mut bytes = std::fs::read(&path).unwrap();
    let length = u32::try_from(files::size_limit() + (1 << 20)).unwrap().to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 3).filter(|&at| bytes[at..at + 4] == length).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|&at| bytes[at..at + 4].copy_from_slice(&1000_u32.to_le_bytes()));
    std::fs::write(&path, bytes).unwrap();
    let error = Project::load(&path).unwrap_err().to_string();
    assert!(error.contains("not a whole project") && error.contains("project.ron"), "{error}");
}

/// First and last place of each field of a RON text, with its name.
fn fields(text: &str) -> Vec<(usize, &str)> {
    let (mut places, mut in_string, mut begin) = (BTreeMap::<&str, (usize, usize)>::new(), false, 0);
    for (at, letter) in text.char_indices() {
        in_string ^= letter == '"';
        match letter {
            ':' if !in_string && begin < at => {
                places.entry(&text[begin..at]).or_insert((begin, begin)).1 = begin;
            }
            'a'..='z' | '0'..='9' | '_' => {}
            _ => begin = at + letter.len_utf8(),
        }
    }
    let both = |(name, (first, last))| [(first, name), (last, name)];
    places.into_iter().flat_map(both).collect()
}

/// The texts that result from `text` when one field is misspelt, with the misspelt name and its line.
fn misspelt(text: &str) -> impl Iterator<Item = (String, String, usize)> {
    fields(text).into_iter().map(move |(at, name)| {
        let line = 1 + text[..at].matches('\n').count();
        (format!("{}{name}z{}", &text[..at], &text[at + name.len()..]), format!("«{name}z»"), line)
    })
}

/// No part of a result or a project is lost because it is misspelt: the file is refused and the part is named, with its line
/// where the part belongs to all problems.
#[test]
fn misspelt_parts_of_results_and_projects_are_named() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let [result_path, project_path] = ["a.ron", "a.gridwright"].map(|name| folder.path().join(name));
    let stored = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/tests/files_of_0_2_0/results");
    let mut count = 0;
    for entry in std::fs::read_dir(stored).unwrap() {
        let path = entry.unwrap().path();
        let result = registry::load_result(&path).unwrap();
        for (text, name, line) in misspelt(&files::read_text(&path).unwrap()) {
            std::fs::write(&result_path, text).unwrap();
            let refused = registry::load_result(&result_path).map(drop).unwrap_err().to_string();
            assert!(refused.contains(&name), "{}, line {line}: {refused}", path.display());
            assert!(refused.contains(&format!("a.ron:{line}: ")) || refused.contains("cannot be read"), "{refused}");
            count += 1;
        }
        let reference = result.instance.clone();
        let draft =
            StoredDraft { name: "A".to_owned(), solution: result.solution.clone(), base: result.solution.clone() };
        let project =
            Project { draft: Some(draft), runs: vec![result.clone()], ..Project::of(&result.problem, reference) };
        project.save(&project_path).unwrap();
        registry::load_project(&project_path).unwrap();
        for (text, name, line) in misspelt(&files::read_text(&project_path).unwrap()) {
            std::fs::write(&project_path, text).unwrap();
            let refused = registry::load_project(&project_path).map(drop).unwrap_err().to_string();
            assert!(refused.contains(&name), "{}, line {line}: {refused}", path.display());
            count += 1;
        }
    }
    assert!(count > 400, "only {count} parts were misspelt");
}

/// A run within the archive of a project is refused with the name of its part.
#[test]
fn misspelt_parts_of_archived_runs_are_named() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gridwright");
    let stored = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../app/tests/files_of_0_2_0/results");
    let result = registry::load_result(&stored.join("workshop.ron")).unwrap();
    let data = Instance::of_times("shop", 2, vec![3, 2, 1, 4]).unwrap().to_data();
    let data = Some(ProjectData::Tables { data: Arc::new(data), specs: Instance::TABLES });
    Project { data, runs: vec![result], draft: None, ..project() }.save(&path).unwrap();
    registry::load_project(&path).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
    let mut changed = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let names: Vec<String> = archive.file_names().flatten().map(|name| name.to_string()).collect();
    for name in names {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut archive.by_name(&name).unwrap(), &mut text).unwrap();
        let options = zip::write::SimpleFileOptions::DEFAULT.compression_method(zip::CompressionMethod::Stored);
        changed.start_file(&name, options).unwrap();
        let text = if name.starts_with("runs/") { text.replacen("feasible:", "feasble:", 1) } else { text };
        std::io::Write::write_all(&mut changed, text.as_bytes()).unwrap();
    }
    std::fs::write(&path, changed.finish().unwrap().into_inner()).unwrap();
    let refused = registry::load_project(&path).map(drop).unwrap_err().to_string();
    for expected in ["runs/0001.ron", "«feasble» is not known here; write feasible, cost", "use a copy"] {
        assert!(refused.contains(expected), "{refused}");
    }
}
