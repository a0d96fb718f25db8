//! Options of generators and measurements, which problems declare as [`CommandOption`]s.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches};
use gridwright_core::planning::generators::CommandOption;
use gridwright_core::problem::Overrides;

use super::values;

/// Adds an option to a command.
pub(super) fn augment(command: clap::Command, option: &'static CommandOption) -> clap::Command {
    let arg = Arg::new(option.name).long(option.name).help(option.help);
    let Some(value_name) = option.value_name else { return command.arg(arg.action(ArgAction::SetTrue)) };
    let arg = arg.value_name(value_name).allow_negative_numbers(true);
    let arg = if option.repeats { arg.action(ArgAction::Append) } else { arg };
    let arg = option.default.map_or(arg.clone(), |default| arg.default_value(default));
    let check = option.check;
    command.arg(match option.values {
        [] => arg.value_parser(move |text: &str| values::checked(text, check)),
        values => {
            let values = values.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
            arg.value_parser(PossibleValuesParser::new(values))
        }
    })
}

/// The values that were typed or hold by default.
pub(super) fn collect<'a>(matches: &ArgMatches, options: impl IntoIterator<Item = &'a CommandOption>) -> Overrides {
    let value = |option: &CommandOption| {
        let name = option.name;
        let text = match option.value_name {
            None => matches.get_flag(name).then(|| "true".to_owned())?,
            Some(_) => {
                let all = matches.get_many::<String>(name)?;
                all.map(String::as_str).collect::<Vec<_>>().join(",")
            }
        };
        Some((name.to_owned(), text))
    };
    options.into_iter().filter_map(value).collect()
}
