use gridwright_core::planning::{InstanceSource, SolveRequest};
use gridwright_core::problem::Overrides;
use gridwright_core::search::Budget;

use super::*;

/// States the problems that ship.
fn register() {
    gridwright_core::registry::register(&[
        &gridwright_timetabling::problem::Timetabling,
        &gridwright_flowshop::problem::FlowShop,
        &gridwright_facility::problem::Facility,
        &gridwright_systolic::problem::Systolic,
    ]);
}

fn parsed(line: &str) -> Result<Command, clap::Error> {
    register();
    parse(std::iter::once("gridwright").chain(line.split_whitespace()))
}

fn instance(source: &str, options: &[(&str, &str)]) -> InstanceArguments {
    let overrides = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    InstanceArguments(InstanceSource { source: source.to_owned(), overrides })
}

#[test]
fn the_definition_is_consistent() {
    register();
    Typed::command().debug_assert();
}

#[test]
fn solve_is_understood_in_full() {
    let line = "solve a.stu --algorithm evolution --periods 18 --backend cuda --threads 2 --seed 7 --generations 5 \
        --target 10.5 --stall 9 --set mutation=0.01 --set descent=off --out r.ron --export a.pdf --export b.sol --json";
    let Ok(Command::Solve(solve)) = parsed(line) else { panic!("not understood") };
    assert_eq!(solve.instance, instance("a.stu", &[("periods", "18")]));
    assert_eq!(
        solve.request,
        SolveRequest {
            algorithm: Some("evolution".to_owned()),
            backend: "cuda:0".to_owned(),
            threads: 2,
            seed: 7,
            budget: Some(Budget::Steps(5)),
            target: Some(10.5),
            stall: Some(9),
            parameters: [("mutation", "0.01"), ("descent", "off")].map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
            options: Overrides::default(),
        }
    );
    assert_eq!(solve.out, Some(PathBuf::from("r.ron")));
    assert_eq!(solve.exports, ["a.pdf", "b.sol"].map(PathBuf::from));
    assert_eq!(solve.reporting, Reporting::Json);
}

#[test]
fn nothing_typed_is_the_window() {
    let window = |open: Option<&str>, renderer| Command::Window { open: open.map(PathBuf::from), renderer };
    assert_eq!(parsed("").unwrap(), window(None, Renderer::Auto));
    assert_eq!(parsed("open a.stu").unwrap(), window(Some("a.stu"), Renderer::Auto));
    assert_eq!(parsed("open a.stu --renderer glow").unwrap(), window(Some("a.stu"), Renderer::Glow));
    assert_eq!(parsed("--renderer glow").unwrap(), window(None, Renderer::Glow));
}

#[test]
fn a_file_or_folder_in_the_place_of_a_command_opens_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.stu");
    std::fs::write(&path, "1 2\n").unwrap();
    let window = |open: PathBuf, renderer| Command::Window { open: Some(open), renderer };
    let words = |extra: &[&str]| {
        let words = extra.iter().map(OsString::from).chain([path.clone().into_os_string()]);
        parse([OsString::from("gridwright")].into_iter().chain(words)).unwrap()
    };
    assert_eq!(words(&[]), window(path.clone(), Renderer::Auto));
    assert_eq!(words(&["--renderer", "glow"]), window(path.clone(), Renderer::Glow));
    let line = format!("{} --renderer glow", path.display());
    assert_eq!(parsed(&line).unwrap(), window(path.clone(), Renderer::Glow));
    assert_eq!(parsed("sample:school").unwrap(), window("sample:school".into(), Renderer::Auto));
    let tables = parse([OsString::from("gridwright"), folder.path().into()]).unwrap();
    assert_eq!(tables, window(folder.path().into(), Renderer::Auto));
}

#[test]
fn a_word_that_is_no_command_and_no_file_is_explained() {
    let text = |line: &str| parsed(line).unwrap_err().render().to_string();
    let mistyped = text("slove a.stu");
    assert!(mistyped.contains("unrecognized subcommand 'slove'") && mistyped.contains("'solve'"), "{mistyped}");
    let missing = text("missing.csv");
    assert!(missing.contains("there is no file or folder “missing.csv”") && missing.contains("--help"), "{missing}");
    assert_eq!(parsed("missing.csv").unwrap_err().exit_code(), 2);
}

#[test]
fn wrong_arguments_say_what_is_expected() {
    for (line, expected) in [
        ("solve a.stu --seconds 0", "above 0"),
        ("solve a.stu --seconds NaN", "above 0"),
        ("solve a.stu --seconds inf", "above 0"),
        ("solve a.stu --seconds 1 --generations 1", "cannot be used with"),
        ("solve a.stu --generations 0", "0 is not in 1.."),
        ("solve a.stu --seed -1", "invalid digit"),
        ("solve a.stu --threads 99999", "4096"),
        ("solve a.stu --periods 0", "from 1 to 255"),
        ("solve a.stu --backend gpu", "gridwright devices"),
        ("solve a.stu --backend cuda:x", "gridwright devices"),
        ("solve a.stu --set kempe", "NAME=VALUE"),
        ("solve a.stu --out plan.pdf", "--export"),
        ("solve", "<INSTANCE>"),
        ("export a.stu a.sol", "--to"),
        ("generate timetabling --density 2 --out x", "from 0 to 1"),
        ("generate timetabling", "--out"),
        ("generate flowshop --jobs many --out x", "invalid digit"),
        ("generate flowshop", "--out"),
        ("info a.json --plant 20", "such as 20x30"),
        ("info a.json --aspect 0.5", "expected 1 or more"),
        ("info a.json --aspect NaN", "expected 1 or more"),
        ("info a.json --aspect 1.500", "write 1500 or 1.5"),
        ("info a.json --distance taxi", "rectilinear and euclidean"),
        ("solve a.json --bays diagonal", "vertical, horizontal or both"),
        ("export a.json a.sol --to a.svg --least-flow much", "a number from 0 on"),
        ("export a.json a.sol --to a.svg --least-flow=-1", "a number from 0 on"),
        ("export a.json a.sol --to a.svg --least-flow 1.500", "write 1500 or 1.5"),
        ("generate layout", "--out"),
        ("info a.txt --objective Cmax", "makespan, flowtime, tardiness, tardy"),
        ("info a.txt --objective makespan,makespan", "named twice"),
        ("info a.txt --orientation rows", "machine-rows and job-rows"),
        ("info a.txt --number 0", "from 1"),
        ("info a.txt --number -1", "from 1"),
        ("optimise a.stu", "unrecognized subcommand"),
    ] {
        let error = parsed(line).expect_err(line);
        assert!(error.to_string().contains(expected), "{line}: {error}");
        assert_eq!(error.exit_code(), 2, "{line}");
    }
    assert_eq!(parsed("--help").unwrap_err().exit_code(), 0);
}

#[test]
fn flow_shops_take_objective_number_and_orientation() {
    let Ok(Command::Info(info)) = parsed("info a.txt --objective tardy --number 3 --orientation job-rows") else {
        panic!("not understood")
    };
    let given = [("number", "3"), ("objective", "tardy"), ("orientation", "job-rows")];
    assert_eq!(info.instance, instance("a.txt", &given));
    let Ok(Command::Generate(made)) = parsed("generate flowshop --due-dates --out a.csv") else {
        panic!("not understood")
    };
    assert_eq!((made.name.as_str(), made.options.is_on("due-dates")), ("flowshop", true));
    assert_eq!((made.options.text("jobs"), made.options.text("machines")), (Some("50"), Some("10")));
}

#[test]
fn binary_problems_take_capacity_and_weight() {
    let Ok(Command::Info(info)) = parsed("info a.csv --capacity 24 --weight 0.3") else { panic!("not understood") };
    assert_eq!(info.instance, instance("a.csv", &[("capacity", "24"), ("weight", "0.3")]));
    for (line, expected) in [
        ("info a.csv --capacity 0", "from 1 to"),
        ("info a.csv --capacity -3", "from 1 to"),
        ("info a.csv --weight 0.25", "0, 0.1, 0.2"),
        ("info a.csv --weight 2", "0, 0.1, 0.2"),
    ] {
        assert!(parsed(line).unwrap_err().to_string().contains(expected), "{line}");
    }
    let Ok(Command::Generate(made)) = parsed("generate knapsack --out a.csv") else { panic!("not understood") };
    assert_eq!((made.name.as_str(), made.options.text("items")), ("knapsack", Some("100")));
}
