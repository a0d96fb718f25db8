//! `gridwright generate`: instances made from a seed.

use super::{Exit, text};
use crate::arguments::Generate;

/// Makes an instance, writes it and prints its files, its sizes and its warnings.
///
/// # Errors
/// The options contradict each other, or the files cannot be written.
pub(super) fn run(arguments: &Generate) -> anyhow::Result<Exit> {
    let Some(generator) = arguments.generator() else {
        anyhow::bail!("there is no generator “{}”", arguments.name);
    };
    let generated = generator.generate(arguments.options.clone(), &arguments.out)?;
    generated.files.iter().for_each(|file| text::answer(&format!("{}\n", file.display())));
    text::note(&generated.summary);
    generated.warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
    Ok(Exit::Done)
}
