//! Files of a person that the commands of the pages read, invented for a test.

use std::path::Path;
use std::sync::Arc;

use gridwright_core::project::{Project, ProjectData};
use gridwright_core::registry;
use gridwright_core::result::{InstanceReference, RunResult};
use gridwright_tests::{gridwright, output_of};

/// Names of files and what is in them.
const TEXTS: [(&str, &str); 4] = [
    (
        "orders.csv",
        "job,due date,Saw,Paint\nFA-101,90,20,25\nFA-102,160,30,40\nFA-103,120,15,10\nFA-104,220,25,30\nFA-107,200,10,35\n",
    ),
    (
        "departments.csv",
        "department,area,Saw,Press,Paint,Store\nSaw,140,0,12,0,3\nPress,120,0,0,9,1\nPaint,124,2,0,0,5\nStore,200,4,0,0,0\n",
    ),
    ("things.csv", "item,profit,weight\nTent,30,12\nStove,14,5\nRope,11,6\nMap,9,1\nLamp,8,3\n"),
    (
        "O9.json",
        r#"{"name": "O9", "n": 4, "plant": {"width": 12, "height": 8}, "departments": [
            {"id": 1, "name": "1", "area": 24}, {"id": 2, "name": "2", "area": 30},
            {"id": 3, "name": "3", "area": 18}, {"id": 4, "name": "4", "area": 24}],
            "shape": {"type": "aspect", "max": 5}, "distance": "rectilinear",
            "flow": [[0, 5, 2, 4], [0, 0, 3, 0], [0, 0, 0, 6], [0, 0, 0, 0]]}"#,
    ),
];

/// Three flow shops of two machines in a file of Taillard's kind.
fn taillard() -> String {
    let shop = "number of jobs, number of machines, initial seed, upper bound and lower bound :\n4 2 7 60 40\n\
                processing times :\n12 5 20 9\n8 14 3 16\n";
    shop.repeat(3)
}

/// A folder of commands of a page.
pub struct Supplies<'a>(pub &'a Path);

impl Supplies<'_> {
    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), contents).unwrap();
    }

    /// Runs the program in the folder.
    ///
    /// # Panics
    /// Where it fails, with what it says.
    fn run(&self, words: &[&str]) {
        let output = output_of(gridwright().args(words).current_dir(self.0));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "gridwright {}: {errors}", words.join(" "));
    }

    /// Makes the files that a command reads and that are not in the folder. `instance` is what the command is about, a file or
    /// not; `options` are options of the instance, such as its number of periods.
    pub fn make(&self, inputs: &[&str], instance: &str, options: &[&str], page: &str) {
        for input in inputs {
            if self.has(input) {
                continue;
            }
            match (*input, Path::new(input).extension().and_then(|ending| ending.to_str())) {
                ("first.ron", _) => self.write(input, campaign_of(page)),
                ("tai50_20.txt", _) => self.write(input, taillard()),
                ("logo.png", _) => image::RgbImage::new(24, 12).save(self.0.join(input)).unwrap(),
                ("hec-s-92.stu", _) => self.generate(&["timetabling", "--exams", "30", "--students", "200"], input),
                ("enrolments.csv" | "exams.csv", _) => self.session("."),
                ("new-data", _) => self.session(input),
                ("shop", _) => {
                    std::fs::create_dir(self.0.join(input)).unwrap();
                    Supplies(&self.0.join(input)).text("departments.csv");
                }
                (name, _) if TEXTS.iter().any(|(known, _)| *known == name) => self.text(name),
                (_, Some("gridwright")) => self.project(input),
                ("plan.duties.csv", _) => self.run(&["invigilate", instance, "plan.ron", "-o", input]),
                (_, Some("ron" | "sol")) if *input != instance => self.plan(instance, options, input),
                _ => panic!("nobody makes {input}"),
            }
        }
    }

    fn text(&self, name: &str) {
        let (_, text) = TEXTS.iter().find(|(known, _)| *known == name).unwrap();
        self.write(name, text);
    }

    fn generate(&self, words: &[&str], out: &str) {
        std::fs::create_dir_all(self.0.join(out).parent().unwrap()).unwrap();
        self.run(&[["generate"].as_slice(), words, &["--seed", "3", "--out", out]].concat());
    }

    /// Tables of a small session with rooms, periods, and invigilators in a folder.
    fn session(&self, folder: &str) {
        let size = ["timetabling", "--preset", "campus", "--exams", "30", "--students", "200", "--periods", "18"];
        self.generate(&size, &format!("{folder}/."));
        let mut people = "invigilator,name\n".to_owned();
        people.extend((1..40).map(|number| format!("K{number},Person {number}\n")));
        self.write(&format!("{folder}/invigilators.csv"), people);
    }

    /// A solution of an instance after a few steps; another one for another name.
    fn plan(&self, instance: &str, options: &[&str], name: &str) {
        let seed = name.bytes().map(usize::from).sum::<usize>().to_string();
        let out = if name.ends_with(".ron") { "--out" } else { "--export" };
        let own = ["--generations", "20", "--seed", &seed, out, name];
        self.run(&[["solve", instance].as_slice(), options, &own].concat());
    }

    /// A project of a session with a run, of which another timetable is published.
    fn project(&self, name: &str) {
        gridwright::register();
        self.session("tables");
        let source = self.0.join("tables/enrolments.csv").display().to_string();
        let descriptor = registry::by_id("timetabling").unwrap().descriptor();
        let data = (descriptor.read_data)(&source, &Default::default()).unwrap();
        let reference =
            InstanceReference { name: data.name.clone(), source, hash: data.hash.clone(), options: Default::default() };
        let data = Some(ProjectData::Tables { data: Arc::new(data), specs: descriptor.tables });
        let mut project = Project { data, ..Project::of("timetabling", reference) };
        project.save(&self.0.join(name)).unwrap();
        for plan in ["published.ron", "kept.ron"] {
            self.plan(name, &[], plan);
        }
        project.runs.push(RunResult::load(&self.0.join("kept.ron")).unwrap());
        project.save(&self.0.join(name)).unwrap();
        self.run(&["publish", name, "published.ron"]);
    }
}

/// The campaign in the first fenced block of a page that is one, with fewer seeds.
fn campaign_of(page: &str) -> String {
    let blocks = page.split("```").skip(1).step_by(2);
    let block = blocks.map(|block| block.trim_start_matches("ron")).find(|block| block.contains("parts:"));
    let text = block.expect("the page shows a campaign").replace("1..=10", "1..=2").replace("Steps(50)", "Steps(5)");
    assert!(text.contains("1..=2") && text.contains("Steps(5)"));
    text
}
