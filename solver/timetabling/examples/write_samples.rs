//! Writes the sessions that ship into `datasets/timetabling`: `cargo run -p gridwright-timetabling --example write_samples`.

use std::path::Path;

use gridwright_core::Result;
use gridwright_timetabling::{formats, generator};

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/timetabling");
    for preset in generator::PRESETS {
        for path in formats::csv::write_folder(&generator::sample(preset)?, &folder.join(preset))? {
            println!("{}", path.display());
        }
    }
    Ok(())
}
