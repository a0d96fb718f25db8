//! Campaigns in the place of the plan: how they are opened, shown and left.

use std::path::Path;

use egui::{CentralPanel, Context, Frame, Ui};

use super::App;
use super::command::Command;
use crate::campaign_view::{Requests, Surroundings};
use crate::theme::palette;

impl App {
    /// Shows the campaigns.
    pub(super) fn show_campaigns(&mut self, _ctx: &Context) {
        self.end_lesson();
        self.shows_campaigns = true;
    }

    /// Opens the plan or the folder of a campaign.
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

    /// Draws the campaigns.
    pub(super) fn campaign_page(&mut self, ui: &mut Ui) {
        let frame = Frame::new().fill(palette(ui.visuals()).surface);
        let mut requests = Requests::default();
        CentralPanel::default().frame(frame).show(ui, |ui| {
            self.middle = ui.max_rect();
            let open = self.open.as_deref().map(|open| (open.problem(), open.source()));
            let surroundings = Surroundings { devices: &self.device_list, recent: &self.state.campaigns, open };
            self.campaigns.show(ui, &surroundings, &mut requests);
        });
        self.follow(ui.ctx(), requests);
    }

    /// Draws the dialogs of campaigns.
    pub(super) fn campaign_dialogs(&mut self, ctx: &Context) {
        let mut requests = Requests::default();
        self.campaigns.dialogs(ctx, &mut requests);
        self.follow(ctx, requests);
    }

    /// Does what the campaigns ask for.
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
