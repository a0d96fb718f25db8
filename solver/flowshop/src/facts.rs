//! Facts about a flow shop and about an order of its jobs: sizes, bounds, best known values, objectives.

use crate::check::Verdict;
use crate::multiobjective::Goal;
use crate::multiobjective::stored::FrontVerdict;
use crate::stored::stored_names;
use crate::{Instance, Objective, bounds, exact, library, measures};
use gridwright_core::numbers::{counted, counted_as, grouped};
use gridwright_core::result::{StoredFront, StoredMember};
use serde_json::{Map, Value, json};

use gridwright_core::planning::{self, Fact};

/// Sizes, times, bounds and what is known of the best order.
pub(crate) fn of_instance(instance: &Instance, objective: Objective) -> Vec<Fact> {
    let mut facts = vec![Fact::count("jobs", "Jobs", instance.job_count()), machines(instance), due_dates(instance)];
    facts.extend(setups(instance));
    facts.extend(plan_start(instance));
    facts.extend(times(instance));
    facts.push(Fact::new(
        "objective",
        "Objective",
        objective.name().into(),
        objective.label_in(instance).to_lowercase(),
    ));
    let lower = lower_bound(instance, objective);
    facts.push(Fact::new("lower_bound", "", json!(lower), String::new()));
    facts.push(Fact::new("best_known", "", json!(instance.best_known.value(objective)), String::new()));
    facts.push(Fact::new("best_known_doubt", "", json!(best_known_warning(instance, objective)), String::new()));
    facts.extend(Objective::ALL.map(|objective| known(instance, objective)));
    facts
}

/// Number of machines, and their names as far as they fit into a line.
fn machines(instance: &Instance) -> Fact {
    /// Largest number of names, and of letters of all together.
    const NAMED: (usize, usize) = (12, 100);
    let names = &instance.machines;
    let mut letters = 0;
    let fits = |name: &&String| {
        letters += name.chars().count() + 2;
        letters <= NAMED.1
    };
    let shown: Vec<&str> = names.iter().take(NAMED.0).take_while(fits).map(String::as_str).collect();
    let more = if shown.len() < names.len() { ", …" } else { "" };
    let text = format!("{}: {}{more}", grouped(names.len() as u64), shown.join(", "));
    Fact::new("machines", "Machines", names.len().into(), text)
}

fn due_dates(instance: &Instance) -> Fact {
    let dates = || instance.jobs.iter().filter_map(|job| job.due);
    let text = match (dates().min(), dates().max()) {
        (Some(first), Some(last)) if instance.has_due_dates() => {
            format!("from {} to {}", grouped(first), grouped(last))
        }
        _ => "none, so that nothing can be late".to_owned(),
    };
    Fact::new("due_dates", "Due dates", instance.has_due_dates().into(), text)
}

/// Number of families and the longest set-up; `None` if there are no set-ups.
fn setups(instance: &Instance) -> Option<Fact> {
    let setups = instance.setups.as_ref()?;
    let (families, longest) = (setups.family_count(), setups.longest());
    let between = match setups.families() {
        [] => "between any two jobs".to_owned(),
        _ => format!("between {}", counted_as(families, "family", "families")),
    };
    let value = json!({ "families": families, "longest": longest });
    Some(Fact::new("setups", "Set-ups", value, format!("{between}, up to {}", grouped(longest))))
}

/// Start of the plan and the lines of working times; `None` if no start is stated.
fn plan_start(instance: &Instance) -> Option<Fact> {
    let local = instance.plan_start()?.local;
    let lines = instance.real_time.as_ref().map_or(0, |real_time| real_time.hours.len());
    let hours =
        if lines == 0 { String::new() } else { format!(", {} of working times", counted(lines as u64, "line")) };
    let (value, text) = (local.format("%Y-%m-%dT%H:%M").to_string(), local.format("%a %Y-%m-%d %H:%M"));
    Some(Fact::new("plan_start", "Plan starts", value.into(), format!("{text}{hours}")))
}

/// Sum of all times, the longest job, the machine that works longest.
fn times(instance: &Instance) -> [Fact; 3] {
    let (jobs, machines) = (0..instance.job_count(), 0..instance.machine_count());
    let sum = |times: &mut dyn Iterator<Item = u32>| times.map(u64::from).sum::<u64>();
    let of_job = |job: usize| sum(&mut instance.row(job).iter().copied());
    let on_machine = |machine: usize| sum(&mut jobs.clone().map(|job| instance.time(job, machine)));
    let total = sum(&mut instance.times.iter().copied());
    // Of several the first.
    let longest = jobs.clone().map(|job| (of_job(job), job)).max_by_key(|&(time, job)| (time, std::cmp::Reverse(job)));
    let (length, job) = longest.unwrap_or_default();
    let busiest = machines.map(|machine| (on_machine(machine), machine));
    let (work, machine) = busiest.max_by_key(|&(time, at)| (time, std::cmp::Reverse(at))).unwrap_or_default();
    let [job, machine] = [&instance.jobs[job].name, &instance.machines[machine]];
    [
        Fact::new("total_time", "Sum of all times", total.into(), grouped(total)),
        Fact::new(
            "busiest_machine",
            "Busiest machine",
            json!({ "machine": machine, "time": work }),
            format!("{machine}, at work for {}", grouped(work)),
        ),
        Fact::new(
            "longest_job",
            "Longest job",
            json!({ "job": job, "time": length }),
            format!("{job}, takes {} on all machines together", grouped(length)),
        ),
    ]
}

fn known(instance: &Instance, objective: Objective) -> Fact {
    let best = instance.best_known.value(objective);
    let (lower, warning) = (lower_bound(instance, objective), best_known_warning(instance, objective));
    let source = best_known_source(instance, objective);
    let origin = if instance.best_known.of_file { "according to the file" } else { "best known" };
    let optimum = lower.and_then(|_| exact::optimum(instance, objective));
    let least = |lower: u64| match optimum {
        Some(optimum) => format!("optimum {}", grouped(optimum)),
        None => format!("at least {}", grouped(lower)),
    };
    let mut text = match (lower, best, &warning) {
        (None, ..) => "needs due dates".to_owned(),
        (Some(lower), None, _) => least(lower),
        (Some(lower), Some(best), Some(warning)) => {
            format!("{}, {origin} {} ({warning})", least(lower), grouped(best))
        }
        (Some(lower), Some(best), None) if lower == best && optimum.is_none() && !instance.best_known.of_file => {
            format!("{}, which is also the best known: no order is better", least(lower))
        }
        (Some(lower), Some(best), None) => format!("{}, {origin} {}", least(lower), grouped(best)),
    };
    let stated = stated_bound(instance, objective).filter(|_| instance.best_known.of_file);
    if let Some(stated) = stated {
        text += &format!(" and at least {}", grouped(stated));
    }
    if let Some(source) = source.as_ref().filter(|_| !instance.best_known.of_file) {
        text += &format!("; {source}");
    }
    let value = json!({
        "lower_bound": lower,
        "stated_lower_bound": stated,
        "optimum": optimum,
        "best_known": best,
        "best_known_source": source,
        "doubt": warning,
    });
    Fact::new(objective.name(), objective.label_in(instance), value, text)
}

/// The lower bound that a list or the file states.
fn stated_bound(instance: &Instance, objective: Objective) -> Option<u64> {
    instance.best_known.makespan_lower.filter(|_| objective == Objective::Makespan)
}

/// A value that no order falls below: the larger of the one that is computed and the published one; `None` where the
/// objective needs due dates that are not there. A file may state what it likes.
fn lower_bound(instance: &Instance, objective: Objective) -> Option<u64> {
    if objective.needs_due_dates() && !instance.has_due_dates() {
        return None;
    }
    let computed = bounds::lower_bound(instance, objective);
    let published = stated_bound(instance, objective).filter(|_| !instance.best_known.of_file);
    Some(computed.max(published.unwrap_or(0)))
}

/// Source of the best known value, with its year where that is known.
pub fn best_known_source(instance: &Instance, objective: Objective) -> Option<String> {
    instance.best_known.value(objective)?;
    if instance.best_known.of_file {
        return Some("stated in the file".to_owned());
    }
    library::recognise(instance)?.source(objective).map(str::to_owned)
}

/// Returns the reason why the best known value is not reliable, if there is one.
pub(crate) fn best_known_warning(instance: &Instance, objective: Objective) -> Option<String> {
    let best = instance.best_known.value(objective)?;
    let bound = bounds::lower_bound(instance, objective);
    if best < bound {
        return Some(format!("cannot be right: no order is below {}", grouped(bound)));
    }
    if objective != Objective::Makespan || !instance.best_known.doubtful {
        return None;
    }
    let shown = library::recognise(instance).map(|entry| grouped(entry.makespan_2015));
    let shown = shown.map(|value| format!("; {value} has been shown")).unwrap_or_default();
    Some(format!("doubtful: nobody has shown an order with it{shown}"))
}

/// The values of all objectives, and further figures of the order.
pub(crate) fn of_verdict(instance: &Instance, objective: Objective, verdict: &Verdict) -> Vec<Fact> {
    let values: Map<String, Value> =
        Objective::ALL.into_iter().map(|one| (one.name().to_owned(), json!(verdict.value(one)))).collect();
    let measures = measures::of_verdict(instance, objective, verdict);
    let mut facts = vec![
        Fact::new("objective", "", objective.name().into(), String::new()),
        Fact::new("objectives", "", Value::Object(values), String::new()),
        Fact::new("measures", "", Value::Object(planning::measures::values(&measures)), String::new()),
    ];
    let defined = measures.into_iter().filter(|measure| measure.value.is_some());
    facts.extend(defined.map(|measure| Fact::new("", measure.label, Value::Null, measure.text)));
    facts
}

/// The members of a front and how good it is, and the values of the order to look at first.
pub(crate) fn of_front(goal: Goal, front: &StoredFront, judged: &FrontVerdict, first: &Verdict) -> Vec<Fact> {
    let member = |member: &StoredMember| json!({ "values": member.values, "order": stored_names(&member.solution).unwrap_or_default() });
    let members: Vec<Value> = front.members.iter().map(member).collect();
    let objectives: Vec<Objective> = front.objectives.iter().filter_map(|name| name.parse().ok()).collect();
    let values: Map<String, Value> =
        Objective::ALL.into_iter().map(|one| (one.name().to_owned(), json!(first.value(one)))).collect();
    let mut facts = vec![
        Fact::new("objective", "", goal.to_string().into(), String::new()),
        Fact::new("objectives", "", Value::Object(values), String::new()),
        Fact::new("front", "Front", members.into(), counted(front.members.len(), "order")),
    ];
    for (axis, objective) in objectives.iter().enumerate() {
        let values = || front.members.iter().filter_map(|member| member.values.get(axis).copied());
        if let (Some(least), Some(most)) = (values().min(), values().max()) {
            let compromise = first.value(*objective).map(grouped).unwrap_or_default();
            let text = format!("{} to {}; {compromise} as a compromise", grouped(least), grouped(most));
            facts.push(Fact::new("", objective.label(), Value::Null, text));
        }
    }
    let ends = json!({ "low": front.low, "high": front.high });
    facts.push(Fact::new("bounds", "", ends, String::new()));
    let volume = judged.hypervolume;
    let text = format!("{volume:.6}, normalised to [1, 2] with reference 2.1");
    facts.push(Fact::new("hypervolume", "Hypervolume", json!(volume), text));
    let text = format!("{:.6} against the lower bounds, normalised", judged.epsilon);
    facts.push(Fact::new("epsilon", "Additive ε", json!(judged.epsilon), text));
    facts
}

#[cfg(test)]
mod tests {
    use crate::BestKnown;

    use super::*;

    #[test]
    fn the_optimum_of_few_jobs_is_told() {
        let of = |instance: &Instance, objective| {
            let fact = known(instance, objective);
            (fact.value["optimum"].as_u64(), fact.text)
        };
        let few = crate::tests::eight_jobs();
        assert_eq!(of(&few, Objective::FlowTime), (Some(19_237), "optimum 19\u{2009}237".to_owned()));
        let undated = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        assert_eq!(of(&undated, Objective::Tardy), (None, "needs due dates".to_owned()));
        let many = library::taillard("ta001").unwrap();
        assert_eq!(of(&many, Objective::FlowTime).0, None);
    }

    #[test]
    fn doubtful_values_are_said_to_be_so() {
        let of = |name: &str| best_known_warning(&library::taillard(name).unwrap(), Objective::Makespan);
        assert_eq!(of("ta001"), None);
        let text = of("ta081").unwrap();
        let listed = library::entries().iter().find(|entry| entry.name == "ta081").unwrap();
        assert!(text.contains("doubtful") && text.contains(&grouped(listed.makespan_2015)), "{text}");
    }

    /// Jobs 3, 2 and 1, 4: no order is done before 7.
    #[test]
    fn listed_values_that_cannot_be_are_not_believed() {
        let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4]).unwrap();
        instance.best_known =
            BestKnown { makespan: Some(6), makespan_lower: Some(8), of_file: true, ..BestKnown::default() };
        assert_eq!(lower_bound(&instance, Objective::Makespan), Some(7), "8 is only stated");
        assert!(
            known(&instance, Objective::Makespan)
                .text
                .ends_with("according to the file 6 (cannot be right: no order is below 7) and at least 8")
        );
        assert!(best_known_warning(&instance, Objective::Makespan).unwrap().contains("no order is below 7"));
        instance.best_known.makespan = Some(9);
        assert_eq!(
            (lower_bound(&instance, Objective::Makespan), best_known_warning(&instance, Objective::Makespan)),
            (Some(7), None)
        );
        assert_eq!(lower_bound(&instance, Objective::Tardy), None);
    }
}
