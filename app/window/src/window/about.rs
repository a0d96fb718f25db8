//! The dialog about the program and the machine.

use egui::{Context, RichText, Ui};
use gridwright_core::backend::Device;

use super::App;
use super::command::Command;
use crate::theme::{self, palette, space};
use crate::widgets::controls::button;
use crate::widgets::dialog::{Wish, closes, dialog, heading};
use crate::widgets::icons::Icon;

/// Facts that the dialog shows and copies for an error report.
fn details(devices: &[Device], renderer: &str, home: &str) -> String {
    let mut lines = vec![
        format!("Gridwright {}", env!("CARGO_PKG_VERSION")),
        format!("System: {} {}", std::env::consts::OS, std::env::consts::ARCH),
        format!("Window: {renderer}"),
        format!("Folder: {home}"),
    ];
    lines.extend(devices.iter().map(|device| format!("{}: {}", device.name, state_of(device))));
    lines.join("\n")
}

fn state_of(device: &Device) -> String {
    match (&device.unavailable, device.details.as_str()) {
        (None, details) => details.to_owned(),
        (Some(why), "") => why.clone(),
        (Some(why), details) => format!("{details}; {why}"),
    }
}

impl App {
    pub(super) fn about_dialog(&mut self, ctx: &Context) -> bool {
        let home = self.store.home().display().to_string();
        let mut copied = None;
        let response = dialog(ctx, "About Gridwright", 540.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, &format!("Gridwright {}", env!("CARGO_PKG_VERSION")), &mut wish);
            let text = "Solves planning problems, shows the plan as a picture and exports it. \
                        The same seed gives the same answer, on every machine.";
            ui.label(RichText::new(text).color(palette(ui.visuals()).weak));
            ui.add_space(space::XS);
            for device in &self.device_list {
                line(ui, &device.name, &state_of(device), device.unavailable.is_none());
            }
            if self.device_list.is_empty() {
                line(ui, "Devices", "being looked for", true);
            }
            line(ui, "Window", self.services.renderer, true);
            line(ui, "Folder", &home, true);
            ui.add_space(space::XS);
            let copy = button(ui, Icon::Copy, "Copy details", true);
            if copy.on_hover_text("Version, system and devices, for a report of an error").clicked() {
                copied = Some(details(&self.device_list, self.services.renderer, &home));
            }
            wish
        });
        self.commands.extend(copied.map(Command::Copy));
        closes(&response)
    }
}

fn line(ui: &mut Ui, name: &str, value: &str, good: bool) {
    let palette = palette(ui.visuals());
    ui.horizontal_top(|ui| {
        let left = egui::vec2(112.0, 18.0);
        ui.allocate_ui_with_layout(left, egui::Layout::left_to_right(egui::Align::TOP), |ui| {
            ui.set_width(left.x);
            ui.add(egui::Label::new(theme::bold(name)).truncate());
        });
        let words = RichText::new(value).color(if good { palette.text } else { palette.weak });
        ui.add(egui::Label::new(words).wrap().selectable(true));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_details_name_every_device_with_its_reason() {
        let device = |name: &str, details: &str, unavailable: Option<&str>| Device {
            id: String::new(),
            name: name.to_owned(),
            details: details.to_owned(),
            unavailable: unavailable.map(str::to_owned),
        };
        let devices = [device("CPU", "8 threads", None), device("NVIDIA GPU", "", Some("no driver"))];
        let text = details(&devices, "glow", "/home/me");
        assert!(text.contains("CPU: 8 threads\nNVIDIA GPU: no driver"), "{text}");
        assert!(text.contains(env!("CARGO_PKG_VERSION")) && text.contains("/home/me"));
    }
}
