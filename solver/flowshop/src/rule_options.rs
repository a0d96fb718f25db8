//! Rules for the order as options of the command line: pairs of names and values with commas or semicolons between them.

use std::path::Path;

use gridwright_core::planning::beginning::solution_of_file;
use gridwright_core::problem::Overrides;
use gridwright_core::text::lines::quoted;
use gridwright_core::{Error, Result};

use crate::multiobjective::Goal;
use crate::problem::FlowShop;
use crate::rules::{Pin, Precedence};
use crate::run::Settings;
use crate::run::holding::{Held, rearranged};
use crate::{Instance, Order};

/// Name of the option for pinned jobs.
pub(crate) const PIN: &str = "pin";

/// Name of the option for jobs that must not be before another one.
pub(crate) const NOT_BEFORE: &str = "not-before";

/// Name of the option for an order to begin with.
pub(crate) const AROUND: &str = "around";

/// Name of the option for a job that is held in a position.
pub(crate) const HOLD: &str = "hold";

/// Pairs of texts such as `A=1, B=2`; semicolons separate them where there are any, so that names may contain commas.
fn pairs<'a>(text: &'a str) -> std::result::Result<Vec<(&'a str, &'a str)>, String> {
    let separator = if text.contains(';') { ';' } else { ',' };
    let items = text.split(separator).map(str::trim).filter(|item| !item.is_empty());
    let pair = |item: &'a str| {
        let pair = item.rsplit_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let pair = pair.filter(|(name, value)| !name.is_empty() && !value.is_empty());
        pair.ok_or_else(|| format!("{} has no “=” between two texts", quoted(item)))
    };
    items.map(pair).collect()
}

/// Checks the form of pins.
///
/// # Errors
/// The expected form.
pub(crate) fn check_pins(text: &str) -> std::result::Result<(), String> {
    let expected = || "expected jobs and their positions from 1, such as A=1,B=5".to_owned();
    let pairs = pairs(text).map_err(|_| expected())?;
    let is_position = |text: &str| text.parse::<u16>().is_ok_and(|position| position > 0);
    if !pairs.is_empty() && pairs.iter().all(|(_, position)| is_position(position)) { Ok(()) } else { Err(expected()) }
}

/// Checks the form of jobs that must not be before others.
///
/// # Errors
/// The expected form.
pub(crate) fn check_pairs(text: &str) -> std::result::Result<(), String> {
    match pairs(text) {
        Ok(pairs) if !pairs.is_empty() => Ok(()),
        _ => Err("expected pairs of jobs, such as B=A,C=A where neither B nor C may be before A".to_owned()),
    }
}

/// The instance with the rules of the options beside its own and the held job pinned; `None` without such options.
///
/// # Errors
/// [`Error::Usage`] for an unknown job, a held job without an order to begin with, or rules that contradict each other or the instance.
pub(crate) fn demanded(instance: &Instance, options: &Overrides) -> Result<Option<Instance>> {
    let ruled = ruled(instance, options)?;
    let Some(text) = options.text(HOLD) else { return Ok(ruled) };
    if options.text(AROUND).is_none() {
        let what = "a held job belongs to an order to begin with; name it with --around FILE";
        return Err(Error::Usage(what.to_owned()));
    }
    let Held { job, position } = Held::of(instance, text)?;
    let mut held = ruled.unwrap_or_else(|| instance.clone());
    held.rules.pins.push(Pin { job: job as u16, position: position as u16 });
    held.rules.check(&held)?;
    Ok(Some(held))
}

/// The instance with the rules of the options beside its own; `None` without such options.
///
/// # Errors
/// [`Error::Usage`] for an unknown job, or rules that contradict each other or the instance.
fn ruled(instance: &Instance, options: &Overrides) -> Result<Option<Instance>> {
    let (pins, not_before) = (options.text(PIN), options.text(NOT_BEFORE));
    if pins.is_none() && not_before.is_none() {
        return Ok(None);
    }
    let job = |option: &str, name: &str| {
        let unknown = || {
            let what = format!("--{option}: there is no job {} in {}; correct its name", quoted(name), instance.name);
            Error::Usage(what)
        };
        instance.job_index(name).map(|job| job as u16).ok_or_else(unknown)
    };
    let mut instance_with = instance.clone();
    let rules = &mut instance_with.rules;
    for (name, position) in pairs(pins.unwrap_or_default()).map_err(Error::Usage)? {
        let position: u16 = position.parse().unwrap_or(u16::MAX);
        rules.pins.push(Pin { job: job(PIN, name)?, position: position.saturating_sub(1) });
    }
    for (then, first) in pairs(not_before.unwrap_or_default()).map_err(Error::Usage)? {
        rules.precedences.push(Precedence { first: job(NOT_BEFORE, first)?, then: job(NOT_BEFORE, then)? });
    }
    instance_with.rules.check(&instance_with)?;
    Ok(Some(instance_with))
}

/// The order to begin with, in which others follow a held job, and a remark about them; `None` without such options.
///
/// # Errors
/// Faults of the file; [`Error::Usage`] if no order has the held job in its position, or there are several objectives.
pub(crate) fn beginning(
    instance: &Instance, settings: &Settings, options: &Overrides,
) -> Result<Option<(Order, Vec<String>)>> {
    let Some(file) = options.text(AROUND) else { return Ok(None) };
    if let Goal::Front(_) = settings.goal {
        let what =
            "a search for several objectives begins with no order; minimise one objective, or leave --around out";
        return Err(Error::Usage(what.to_owned()));
    }
    let order = solution_of_file::<FlowShop>(instance, &settings.goal, Path::new(file))?;
    let Some(text) = options.text(HOLD) else { return Ok(Some((order, Vec::new()))) };
    let instance = ruled(instance, options)?.unwrap_or_else(|| instance.clone());
    let (held, objective) = (Held::of(&instance, text)?, settings.goal.first());
    let name = &instance.jobs[held.job].name;
    let Some(found) = rearranged(&instance, &order.0, objective, held, settings.seed, &|| false) else {
        let (name, number) = (quoted(name), held.position + 1);
        let what = format!("no order was found with job {name} in position {number} that keeps what the order keeps");
        return Err(Error::Usage(what));
    };
    let told = format!("With {name} in position {}, {}", held.position + 1, found.words(&instance, objective));
    Ok(Some((Order(found.order), vec![told])))
}
