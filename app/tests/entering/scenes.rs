//! Views, panels and dialogs with fields, each with what opens it.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_core::store::Store;
use gridwright_window::services::Services;

use super::{reveal, type_in};
use crate::adjusting::with_selected;
use crate::sizes::CASES;
use crate::support::person::{
    self, AtHome, Window, at_home, drop_file, file, key, keys, names, press, press_like, settle, shows, sized, wait,
    written,
};
use crate::{rooms, support, underlay, updating};

type Step = Box<dyn Fn(&mut Window)>;

/// A part of the program with fields.
pub struct Scene {
    pub name: &'static str,
    /// Opens a window that shows the part.
    pub open: Box<dyn Fn() -> AtHome>,
    /// Steps that show further fields, one after the other.
    pub further: Vec<Step>,
    /// Shows the part again after it was left.
    again: Option<Step>,
}

impl Scene {
    fn new(name: &'static str, open: impl Fn() -> AtHome + 'static) -> Self {
        Self { name, open: Box::new(open), further: Vec::new(), again: None }
    }

    fn then(mut self, step: impl Fn(&mut Window) + 'static) -> Self {
        self.further.push(Box::new(step));
        self
    }

    fn again(self, step: impl Fn(&mut Window) + 'static) -> Self {
        Self { again: Some(Box::new(step)), ..self }
    }

    /// Shows the part again unless what is looked for is there.
    pub fn show(&self, window: &mut Window, is_there: impl Fn(&Window) -> bool) {
        if let Some(again) = self.again.as_ref().filter(|_| !is_there(window)) {
            again(window);
            window.run_steps(4);
        }
    }
}

fn session() -> AtHome {
    at_home(|home| file(home.path(), "sample:school"))
}

/// Runs a command by the palette of commands.
pub fn palette(window: &mut Window, command: &str) {
    keys(window, Modifiers::COMMAND, Key::P);
    type_in(window, command);
    key(window, Key::Enter);
    window.run_steps(6);
}

/// All of them.
pub fn scenes() -> Vec<Scene> {
    let mut all: Vec<Scene> = Vec::new();
    let mut add = |scene| all.push(scene);
    add(Scene::new("settings", session).then(|window| {
        press(window, "Kind of limit");
        let other = names(window, "Stop after ").into_iter().find(|name| !name.ends_with("seconds"));
        press(window, &other.unwrap());
    }));
    add(Scene::new("advanced", || {
        let mut window = session();
        press(&mut window, "Advanced");
        window
    })
    .then(|window| reveal(window, "Threads")));
    add(Scene::new("data", || {
        let mut window = session();
        press(&mut window, "Data");
        window.run_steps(4);
        window
    })
    .again(|window| press(window, "Data")));
    add(Scene::new("letterhead", || {
        let mut window = session();
        press(&mut window, "Data");
        press(&mut window, "Letterhead…");
        window
    })
    .again(|window| {
        press(window, "Data");
        press(window, "Letterhead…");
    }));
    add(Scene::new("form", || {
        let mut window = at_home(|home| file(home.path(), "sample:layout-workshop"));
        press(&mut window, "Data");
        press(&mut window, "Plant");
        window
    })
    .again(|window| {
        press(window, "Data");
        press(window, "Plant");
    }));
    add(Scene::new("underlay", || {
        let mut window = at_home(|home| underlay::with_underlay(home.path(), "hall.svg", underlay::HALL));
        press(&mut window, "Underlay");
        window
    })
    .again(|window| press(window, "Underlay")));
    add(Scene::new("scale of the underlay", || {
        let mut window = at_home(|home| underlay::with_underlay(home.path(), "hall.svg", underlay::HALL));
        underlay::measure(&mut window, 200.0);
        window
    })
    .again(|window| underlay::measure(window, 200.0)));
    add(Scene::new("first row of a planner with a layout", || {
        let mut window = at_home(|home| person::window((CASES[2].app)(home.path())));
        press(&mut window, "Study mode");
        settle(&mut window);
        window
    }));
    add(Scene::new("objective", || {
        let mut window = at_home(rooms::open);
        press(&mut window, "Objective: Office");
        settle(&mut window);
        window
    })
    .then(|window| reveal(window, "A further room of an exam")));
    add(Scene::new("limits for students", || {
        let mut window = at_home(rooms::open);
        palette(&mut window, "Limits for students");
        window
    }));
    add(Scene::new("calendar", || {
        let mut window = session();
        palette(&mut window, "Calendar");
        window
    })
    .then(|window| press(window, "on a day"))
    .then(|window| press(window, "after so many periods")));
    add(Scene::new("rule for many exams", || {
        let mut window = at_home(rooms::open);
        palette(&mut window, "Rule for many exams");
        window
    }));
    add(Scene::new("export", || {
        let mut window = at_home(rooms::open);
        keys(&mut window, Modifiers::COMMAND, Key::E);
        window
    }));
    add(Scene::new("project", || {
        let mut window = session();
        keys(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
        window
    }));
    let folder = std::rc::Rc::new(tempfile::tempdir().unwrap());
    let again = std::rc::Rc::clone(&folder);
    let differing = move || {
        at_home(|home| {
            let mut window = updating::planned(home.path());
            updating::show_differences(&mut window, folder.path());
            window
        })
    };
    add(Scene::new("update", differing).again(move |window| updating::show_differences(window, again.path())));
    add(Scene::new("import", || {
        at_home(|home| {
            let path = home.path().join("a.csv");
            std::fs::write(&path, "student,exam\ns1,MAT\ns2,\n").unwrap();
            let services = Services { dialogs: false, ..Services::default() };
            let mut window = sized(support::app(services, Store::at(home.path()), None), [1440.0, 900.0], 1.0);
            window.run();
            press(&mut window, "Import tables…");
            drop_file(&mut window, path);
            wait(&mut window, "the count", |window| shows(window, "cannot be used"));
            window
        })
    })
    .then(|window| press(window, "3 Problems (1)"))
    .then(|window| press(window, "4 Summary")));
    add(Scene::new("grid", || at_home(|home| file(home.path(), "onemax:100"))).then(|window| {
        press(window, "Advanced");
        reveal(window, "Memory for playback");
    }));
    add(Scene::new("campaign", || {
        let mut window = session();
        press(&mut window, "Run");
        press(&mut window, "Campaign…");
        press(&mut window, "New campaign…");
        window
    })
    .again(|window| {
        press(window, "Run");
        press(window, "Campaign…");
    })
    .then(|window| press(window, "Evaluations"))
    .then(|window| press(window, "Seconds")));
    add(Scene::new("batch", || {
        let mut window = at_home(|home| file(home.path(), "onemax:100"));
        press(&mut window, "Batch");
        window
    }));
    recorded_scenes(&mut all);
    all.extend(menu_scenes());
    all
}

/// Menus and small dialogs.
fn menu_scenes() -> Vec<Scene> {
    let add_column = |window: &mut Window| {
        press(window, "Data");
        press(window, "Add machine…");
    };
    let columns = Scene::new("columns", move || {
        let mut window = at_home(|home| file(home.path(), "sample:workshop"));
        add_column(&mut window);
        window
    });
    let filter = |window: &mut Window| {
        let button = names(window, "Filter").into_iter().find(|name| name == "Filter");
        let button = button.or_else(|| names(window, "").into_iter().find(|name| name.ends_with(" of 5 exams")));
        press(window, &button.unwrap());
    };
    let filters = Scene::new("filter of exams", move || {
        let mut window = at_home(|home| with_plan(home.path()));
        filter(&mut window);
        window
    });
    let filter_rooms = |window: &mut Window| {
        let button = names(window, "Filter").into_iter().find(|name| name == "Filter");
        let button = button.or_else(|| names(window, "").into_iter().find(|name| name.ends_with(" of 3 rooms")));
        press(window, &button.unwrap());
    };
    let rooms = Scene::new("filter of rooms", move || {
        let mut window = at_home(rooms::open);
        rooms::show_rooms(&mut window);
        filter_rooms(&mut window);
        window
    });
    let choose_room = |window: &mut Window| palette(window, "Change the room");
    let room = Scene::new("room of an exam", move || {
        let mut window = at_home(rooms::open);
        rooms::show_rooms(&mut window);
        press_like(&mut window, "Room H1, period 3");
        choose_room(&mut window);
        window
    });
    let rename = |window: &mut Window| {
        palette(window, "Name run 1");
        assert!(shows(window, "Name of run 1"), "{:?}", names(window, "Name"));
    };
    let name = Scene::new("name of a run", move || {
        let mut window = at_home(|home| with_plan(home.path()));
        rename(&mut window);
        window
    });
    let capacity = Scene::new("missing value", || {
        let items = "item,profit,weight\nTent,24,5\nStove,9,4\nPan,5,2\nLamp,7,1\n";
        at_home(|home| written(home.path(), "things.csv", items))
    });
    let price = Scene::new("solve around", || {
        let mut window = at_home(|home| with_selected(home, "A1"));
        press_like(&mut window, "Move to period 3: ");
        press(&mut window, "Move anyway");
        press(&mut window, "Solve around the changes…");
        window
    });
    let compared = Scene::new("comparison", || {
        let mut window = at_home(|home| {
            let (chain, store) = (support::chain(6), Store::at(home.path()));
            support::keep(&store, &chain, support::constructed_from(&chain, 2), 2);
            with_plan(home.path())
        });
        press(&mut window, "Compare");
        wait(&mut window, "the list", |window| shows(window, "Filter by code or title"));
        window
    });
    let relation = Scene::new("relation", || at_home(|home| with_selected(home, "A1")));
    // Around the changes a person types prices only: a click into another field closes the prices.
    // Behind the dialog of rooms is the field of relations, which is driven before.
    let (rooms, room) = (rooms.again(filter_rooms), room.again(choose_room));
    let exams = filters.again(filter);
    vec![columns.again(add_column), exams, rooms, name.again(rename), capacity, compared, relation, room, price]
}

/// A session of five exams with a timetable.
fn with_plan(home: &std::path::Path) -> Window {
    let chain = support::chain(6);
    person::window(support::planned(chain.clone(), support::constructed(&chain), home))
}

/// Shows the curves of a recorded evolution.
fn show_curves(window: &mut Window) {
    if window.query_by_label("Curves").is_none() {
        press(window, "Evolution");
        wait(window, "the modes", |window| window.query_by_label("Curves").is_some());
    }
    press(window, "Curves");
    wait(window, "the field", |window| shows(window, "Generation whose best individual is followed"));
}

/// Views of recorded runs, lessons and campaigns.
fn recorded_scenes(all: &mut Vec<Scene>) {
    let evolution = Scene::new("evolution", || {
        let mut window = at_home(|home| person::window(support::evolved("sample:school", 40, home.path())));
        keys(&mut window, Modifiers::COMMAND, Key::Num9);
        wait(&mut window, "the recording", |window| shows(window, "To the beginning"));
        press(&mut window, "One child");
        settle(&mut window);
        window
    });
    all.push(evolution);
    all.push(
        Scene::new("followed individual", || {
            let mut window = at_home(|home| person::window(support::recorded_run("onemax:40", "ega", home.path())));
            wait(&mut window, "the recording", |window| shows(window, "Show evolution"));
            press(&mut window, "Show evolution");
            wait(&mut window, "the recording", |window| shows(window, "To the beginning"));
            show_curves(&mut window);
            window
        })
        .again(show_curves),
    );
    all.push(Scene::new("playback", || {
        let mut window = at_home(|home| person::window(support::recorded_run("onemax:40", "sgs-b", home.path())));
        wait(&mut window, "the recording", |window| shows(window, "Stop playing at"));
        settle(&mut window);
        press(&mut window, "Stop playing at");
        press(&mut window, "no acceptance");
        window
    }));
    all.push(Scene::new("efficiency", || {
        let mut window = at_home(|home| file(home.path(), "taillard:ta011"));
        press(&mut window, "Parallel efficiency");
        window
    }));
    all.push(Scene::new("tabu search", || {
        let mut window = at_home(|home| file(home.path(), "sample:workshop"));
        keys(&mut window, Modifiers::COMMAND, Key::Num6);
        press(&mut window, "Tabu search");
        wait(&mut window, "the recorded search", |window| shows(window, "Position in the run, step"));
        settle(&mut window);
        window
    }));
    all.push(Scene::new("report", || {
        at_home(|home| {
            let plan = "(format: 1, name: \"toys\", parts: [(instances: [\"onemax:20\"], algorithms: [(name: \"random\")], \
                        seeds: \"1..=2\", limit: Steps(3))])\n";
            let path = home.path().join("toys.ron");
            std::fs::write(&path, plan).unwrap();
            let services = Services { dialogs: false, ..Services::default() };
            let app = support::app(services, Store::at(home.path().join("home")), path.to_str().map(str::to_owned));
            let mut window = sized(app, [1440.0, 900.0], 1.0);
            let is_ready = |window: &egui_kittest::Harness<'_, _>, name: &str| {
                let mut nodes = window.query_all_by_label(name).map(|node| node.accesskit_node());
                nodes.any(|node| node.role() == Role::Button && !node.is_disabled())
            };
            wait(&mut window, "the check", |window| is_ready(window, "Start"));
            press(&mut window, "Start");
            wait(&mut window, "all runs", |window| is_ready(window, "Write report…"));
            press(&mut window, "Write report…");
            window
        })
    }));
}
