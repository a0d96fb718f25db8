//! Rules for the order: options of the command line, projects and results.

use gridwright_core::planning::Planning;
use gridwright_core::problem::Overrides;
use gridwright_core::search::{Budget, Control};
use gridwright_flowshop::check::check;
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::problem::FlowShop;
use gridwright_flowshop::rules::{Pin, Rules};
use gridwright_flowshop::run::{Algorithm, Settings, replay, solve, with_rules_of};
use gridwright_flowshop::stored::{self, NamedRules};
use gridwright_flowshop::{Instance, Objective};

use super::{assert_says, load};

const SHOP: &str = "job,due,Saw,Paint\nA,30,5,3\nB,12,2,9\nC,25,7,1\n\"D, big\",20,4,4\nE,40,3,6\n";

fn demanded(instance: &Instance, options: &[(&str, &str)]) -> gridwright_core::Result<Option<Instance>> {
    let options: Overrides = options.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    FlowShop::demanded(instance, &options).map(|demanded| demanded.map(|(instance, _)| instance))
}

#[test]
fn options_pin_jobs_and_keep_them_behind_others() {
    let shop = load("a.csv", SHOP);
    assert!(demanded(&shop, &[]).unwrap().is_none());
    let ruled = demanded(&shop, &[("pin", "E=1; D, big=4"), ("not-before", "A=C,B=C")]).unwrap().unwrap();
    assert_eq!(
        ruled.rules.sentences(&ruled),
        ["«E» in position 1", "«D, big» in position 4", "«A» not before «C»", "«B» not before «C»"]
    );
    for objective in Objective::ALL {
        let goal = Goal::One(objective);
        let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(50)) };
        let found = solve(&ruled, &settings, &Control::new(), &mut |_| {}).unwrap();
        assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}");
        let order = stored::decode(&shop, &found.solution).unwrap();
        let place = |job: &str| order.iter().position(|&at| shop.jobs[usize::from(at)].name == job).unwrap();
        assert_eq!((place("E"), place("D, big")), (0, 3), "{objective}");
        assert!(place("C") < place("A") && place("C") < place("B"), "{objective}");
        let again = with_rules_of(&shop, Some(&found)).unwrap();
        assert_eq!(again.rules, ruled.rules, "the result keeps the rules");
    }
    let texts = |order: &[u16]| check(&ruled, order).violations.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
    assert_eq!(
        texts(&[0, 4, 2, 3, 1]),
        ["job E is pinned to position 1 and stands in 2", "job A stands before C, which a rule forbids"]
    );
}

#[test]
fn wrong_rules_are_named_before_a_search() {
    let shop = load("a.csv", SHOP);
    for (options, pieces) in [
        (&[("pin", "F=1")][..], &["--pin: there is no job «F»", "correct its name"][..]),
        (&[("not-before", "A=F")], &["--not-before: there is no job «F»"]),
        (&[("pin", "A=1,B=1")], &["«A» and «B» are both pinned to position 1"]),
        (&[("pin", "A=6")], &["position 6 of 5"]),
        (&[("not-before", "A=B,B=A")], &["form a circle"]),
        (&[("pin", "A=1"), ("not-before", "A=B")], &["no order meets the rules"]),
    ] {
        assert_says(&demanded(&shop, options).unwrap_err().to_string(), pieces);
    }
    let goal: Goal = "makespan,flowtime".parse().unwrap();
    let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(5)) };
    let ruled = demanded(&shop, &[("pin", "A=1")]).unwrap().unwrap();
    let why = solve(&ruled, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert_says(&why, &["fronts of several objectives do not mind the rules for the order", "choose one objective"]);
}

/// The order that was given begins the search; with a held job it is the one in which others follow, which is the result as it is.
#[test]
fn a_held_job_is_in_its_position_in_the_result() {
    let shop = load("a.csv", SHOP);
    let options = |given: &[(&str, &str)]| -> Overrides {
        given.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("monday.sol");
    std::fs::write(&path, "B\nC\nD, big\nA\nE\n").unwrap();
    let monday = ("around", path.to_str().unwrap());
    let held = options(&[monday, ("hold", "E=1"), ("pin", "A=4")]);
    let budget = FlowShop::requested_budget(&held).unwrap();
    let settings = Settings { goal: Goal::One(Objective::Tardiness), ..Settings::of(Algorithm::default(), budget) };
    let (start, told) = FlowShop::beginning(&shop, &settings, &held).unwrap().unwrap();
    assert_eq!((start.0[0], start.0[3]), (4, 0), "{start:?}");
    assert_says(&told[0], &["With E in position 1, ", "total tardiness"]);
    let (ruled, _) = FlowShop::demanded(&shop, &held).unwrap().unwrap();
    let found = FlowShop::solve(&ruled, &settings, Some(&start), &Control::new(), &mut |_| {}).unwrap();
    assert!(found.verdict.feasible && found.verdict.confirmed, "{:?}", found.verdict);
    assert_eq!((stored::decode(&shop, &found.solution).unwrap(), found.generations), (start.0, 0));
    assert!(replay(&shop, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap().is_equal());

    let alone = FlowShop::beginning(&shop, &settings, &options(&[monday])).unwrap().unwrap();
    assert_eq!((alone.0.0, alone.1.len()), (vec![1, 2, 3, 0, 4], 0));
    let fronts = Settings { goal: "makespan,flowtime".parse().unwrap(), ..settings.clone() };
    let why = FlowShop::beginning(&shop, &fronts, &held).unwrap_err().to_string();
    assert_says(&why, &["minimise one objective"]);
    assert_says(&demanded(&shop, &[("hold", "E=1")]).unwrap_err().to_string(), &["--around FILE"]);
    let taken = options(&[monday, ("hold", "E=1"), ("pin", "A=1")]);
    assert_says(&FlowShop::demanded(&shop, &taken).unwrap_err().to_string(), &["both pinned to position 1"]);
    let pair = options(&[monday, ("hold", "E=1"), ("not-before", "E=A")]);
    let why = FlowShop::beginning(&shop, &settings, &pair).unwrap_err().to_string();
    assert_says(&why, &["no order was found with job «E» in position 1"]);
}

#[test]
fn rules_follow_their_jobs_to_other_data() {
    let shop = load("a.csv", SHOP);
    let ruled = demanded(&shop, &[("pin", "E=5,B=2"), ("not-before", "A=C")]).unwrap().unwrap();
    let named = NamedRules::of(&ruled, &ruled.rules);
    assert_eq!((&named.pins[0], &named.not_before[0]), (&("E".to_owned(), 5), &("A".to_owned(), "C".to_owned())));
    let other = load("b.csv", "job,due,Saw,Paint\nX,30,5,3\nC,25,7,1\nB,12,2,9\nA,9,4,4\nE,1,1,1\n");
    let carried = stored::carried_rules(&ruled, &other, &ruled.rules, &Default::default());
    assert_eq!(carried.0.sentences(&other), ["«E» in position 5", "«B» in position 2", "«A» not before «C»"]);
    assert!(carried.1.is_empty());
    let fewer = load("c.csv", "job,due,Saw,Paint\nC,25,7,1\nB,12,2,9\nE,1,1,1\n");
    let (rules, remarks) = stored::carried_rules(&ruled, &fewer, &ruled.rules, &Default::default());
    assert_eq!(rules.sentences(&fewer), ["«B» in position 2"], "position 5 is gone, and A");
    assert_eq!(remarks, ["1 rule about jobs that are gone", "1 rule that no longer fit"]);
    let beyond = Rules { pins: vec![Pin { job: 9, position: 0 }], ..Rules::default() };
    assert!(beyond.check(&fewer).is_err());
}
