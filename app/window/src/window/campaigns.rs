//! Campaigns in the place of the plan: how they are opened, shown and left.

use std::path::Path;

use egui::{Align, CentralPanel, Context, Frame, Label, Layout, RichText, Ui};

use super::App;
use super::command::Command;
use super::folders::proposed;
use crate::campaign_view::{Requests, Surroundings};
use crate::theme::{palette, size, space};
use crate::widgets::controls::{button, primary};
use crate::widgets::dialog::{Wish, closes, dialog, heading};
use crate::widgets::icons::Icon;

impl App {
    pub(super) fn show_campaigns(&mut self, _ctx: &Context) {
        self.end_lesson();
        self.shows_campaigns = true;
    }

    pub(super) fn open_campaign(&mut self, ctx: &Context, path: &Path) {
        self.show_campaigns(ctx);
        self.campaigns.open(ctx, path);
    }

    /// Takes in what the threads of campaigns have to say.
    pub(super) fn poll_campaigns(&mut self, ctx: &Context) {
        let mut requests = Requests::default();
        self.campaigns.poll(ctx, &mut requests);
        self.follow(ctx, requests);
    }

    pub(super) fn campaign_page(&mut self, ui: &mut Ui) {
        let frame = Frame::new().fill(palette(ui.visuals()).surface);
        let mut requests = Requests::default();
        CentralPanel::default().frame(frame).show(ui, |ui| {
            self.middle = ui.max_rect();
            let open = self.open.as_deref().map(|open| (open.problem(), open.source()));
            let (view, last) = (self.open.as_deref(), self.file_dialogs.last_folder());
            let (recent, missing) = (&self.state.recent, &self.missing);
            let folder = || proposed(view, last, recent, missing);
            let recent = &self.state.campaigns;
            let surroundings = Surroundings { devices: &self.device_list, recent, open, folder: &folder };
            self.campaigns.show(ui, &surroundings, &mut requests);
        });
        self.follow(ui.ctx(), requests);
    }

    pub(super) fn campaign_dialogs(&mut self, ctx: &Context) {
        let mut requests = Requests::default();
        self.campaigns.dialogs(ctx, &mut requests);
        self.follow(ctx, requests);
    }

    /// Asks what to do with a campaign that measures time before another run begins.
    pub(super) fn shared_cores_dialog(&mut self, ctx: &Context, campaign: &str, from_here: bool) -> bool {
        let (mut pauses, mut solves) = (false, false);
        let response = dialog(ctx, "shared cores", 520.0, |ui| {
            let mut wish = Wish::Stay;
            heading(ui, "A campaign measures time", &mut wish);
            let text = format!(
                "The campaign {campaign} goes on, and its runs have a time limit. A run beside it shares the cores with it, so the \
                 campaign's times and results will not be comparable with each other. Pause the campaign, and resume it when this \
                 run has ended."
            );
            ui.add(Label::new(RichText::new(text).color(palette(ui.visuals()).weak)).wrap());
            ui.add_space(space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                pauses = primary(ui, Icon::Pause, "Pause the campaign", true)
                    .on_hover_text("Let the campaign wait, and solve; its time limits do not count the pause")
                    .clicked();
                let help = "Solve, and let the campaign go on with fewer cores";
                solves = button(ui, Icon::Play, "Solve anyway", true).on_hover_text(help).clicked();
                if ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, size::CONTROL))).clicked() {
                    wish = Wish::Close;
                }
            });
            wish
        });
        if pauses && self.campaigns.timed().is_some() {
            self.campaigns.pause();
        }
        if pauses || solves {
            self.solve(ctx, from_here);
        }
        pauses || solves || closes(&response)
    }

    fn follow(&mut self, ctx: &Context, requests: Requests) {
        let Requests { notices, closes, closes_window, remember } = requests;
        notices.into_iter().for_each(|notice| self.notices.push(notice));
        if let Some(plan) = remember {
            self.prefer(|state| state.remember_campaign(plan));
        }
        if closes {
            self.commands.push(Command::LeaveCampaigns);
        }
        if closes_window {
            self.gives_up = true;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}
