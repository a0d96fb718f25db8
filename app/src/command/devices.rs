//! `gridwright devices`: what can solve here, and why a device cannot.

use gridwright_solver::backend::{Device, devices};
use serde_json::json;

use super::{Exit, text};

/// Lists the devices.
pub fn run(json: bool) -> Exit {
    let devices = devices();
    text::answer(&if json { text::json(&json!({ "devices": devices })) } else { listing(&devices) });
    Exit::Done
}

fn listing(devices: &[Device]) -> String {
    let mut rows = Vec::new();
    for device in devices {
        let facts = match device.details.as_str() {
            "" => device.name.clone(),
            details => format!("{}: {details}", device.name),
        };
        rows.push((device.id.as_str(), facts));
        rows.push((
            "",
            match &device.unavailable {
                None => "can solve".to_owned(),
                Some(why) => format!("cannot solve: {why}"),
            },
        ));
    }
    text::table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_cannot_solve_says_why() {
        let device = Device {
            id: "cuda".to_owned(),
            name: "NVIDIA GPU".to_owned(),
            details: String::new(),
            unavailable: Some("no driver".to_owned()),
        };
        assert_eq!(listing(&[device]), "cuda  NVIDIA GPU\n      cannot solve: no driver\n");
    }
}
