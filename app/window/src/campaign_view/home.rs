//! The first page of the campaign view: a new campaign, one from a file, those of the last days, and the plans that ship.

use std::path::{Path, PathBuf};

use egui::{Label, RichText, ScrollArea, Ui, vec2};

use crate::problem::ShippedPlan;
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{TextRow, button, primary, text_row};
use crate::widgets::icons::Icon;

/// Largest width of the page in points.
const WIDTH: f32 = 860.0;

const COMMON: ShippedPlan = ShippedPlan {
    name: "all-problems",
    question: "Two hundred short runs of all problems, to see how a campaign works",
    text: include_str!("../../../../datasets/campaigns/ci.ron"),
};

/// Request of the person to the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    New,
    /// A file dialog for a plan.
    Choose,
    ChooseFolder,
    /// The campaign of this plan or folder.
    Open(PathBuf),
    /// A copy of a plan that ships: its name and its text.
    Copy(&'static str, &'static str),
    /// Back to the campaign that is open.
    Back,
}

/// Shows the page. `open` is the name of the campaign that is open; `refusal` is the reason why no other one can be opened.
pub(crate) fn show(ui: &mut Ui, recent: &[String], open: Option<&str>, refusal: Option<&str>) -> Option<Wish> {
    let palette = palette(ui.visuals());
    let mut wish = None;
    ScrollArea::vertical().id_salt("campaigns").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width().min(WIDTH));
        ui.spacing_mut().item_spacing.y = space::S;
        ui.label(theme::title("Compare algorithms by many runs"));
        let text = "A campaign runs algorithms with different parameters on many instances with many seeds. Every run is kept as a row of a \
                    table; tables, tests and plots tell which algorithm is better.";
        ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
        ui.horizontal_wrapped(|ui| {
            let is_free = refusal.is_none();
            let why = refusal.unwrap_or_default();
            if primary(ui, Icon::Plus, "New campaign…", is_free).on_disabled_hover_text(why).clicked() {
                wish = Some(Wish::New);
            }
            let choose = button(ui, Icon::File, "Open a plan…", is_free).on_disabled_hover_text(why);
            if choose.on_hover_text("A plan of a campaign (.ron), with its runs if there are some").clicked() {
                wish = Some(Wish::Choose);
            }
            let choose = button(ui, Icon::Open, "Open a folder…", is_free).on_disabled_hover_text(why);
            if choose.on_hover_text("The folder in which a campaign keeps its plan and its runs").clicked() {
                wish = Some(Wish::ChooseFolder);
            }
            if let Some(name) = open
                && button(ui, Icon::Undo, &format!("Back to {name}"), true).clicked()
            {
                wish = Some(Wish::Back);
            }
        });
        if !recent.is_empty() {
            ui.add_space(space::S);
            ui.label(theme::heading("Recent"));
            for path in recent {
                let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
                if row(ui, Icon::File, &name, path, is_free(refusal)) {
                    wish = Some(Wish::Open(PathBuf::from(path)));
                }
            }
        }
        ui.add_space(space::S);
        ui.label(theme::heading("Plans that come with the program"));
        let text = "You get a copy to read, change and run. Some need published instances, which the variable GRIDWRIGHT_DATA names.";
        ui.add(Label::new(theme::small(text).color(palette.weak)).wrap());
        let groups = registry::problems().map(|problem| (problem.problem.nouns().heading, problem.campaigns));
        let common = std::slice::from_ref(&COMMON);
        for (heading, plans) in std::iter::once(("All problems", common)).chain(groups).filter(|(_, plans)| !plans.is_empty()) {
            ui.label(theme::small(heading).color(palette.weak));
            for plan in plans {
                if row(ui, Icon::Compare, plan.name, plan.question, is_free(refusal)) {
                    wish = Some(Wish::Copy(plan.name, plan.text));
                }
            }
        }
    });
    wish
}

fn is_free(refusal: Option<&str>) -> bool {
    refusal.is_none()
}

/// A line with a name and a remark; returns `true` if it was pressed.
fn row(ui: &mut Ui, icon: Icon, name: &str, detail: &str, enabled: bool) -> bool {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 2.0);
        let line = TextRow {
            icon: Some(icon),
            text: name,
            places: &[],
            detail,
            keys: "",
            enabled,
            chosen: false,
            height: size::ROW,
        };
        text_row(ui, &line).on_hover_text(detail).clicked() && enabled
    })
    .inner
}
