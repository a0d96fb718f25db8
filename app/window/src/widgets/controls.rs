//! Buttons, fields and captions in the style of this program.

use egui::{Align, Button, Color32, Layout, Rect, Response, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::icons::Icon;
use super::painting::truncated;
use crate::theme::{self, palette, size, space};

/// A button with an icon and a word; grey unless `enabled`.
pub fn button(ui: &mut Ui, icon: Icon, text: &str, enabled: bool) -> Response {
    ui.add_enabled(enabled, Button::new((icon.atom(), text)).min_size(vec2(0.0, size::CONTROL)))
}

/// The button that a person should press next; grey unless `enabled`.
pub fn primary(ui: &mut Ui, icon: Icon, text: &str, enabled: bool) -> Response {
    let palette = palette(ui.visuals());
    // No scope: in a row that wraps, the button wraps as others do.
    let usual = ui.visuals().widgets.clone();
    let widgets = &mut ui.visuals_mut().widgets;
    for (visuals, fill) in [
        (&mut widgets.inactive, palette.accent),
        (&mut widgets.hovered, palette.accent_hover),
        (&mut widgets.active, palette.accent_hover),
    ] {
        visuals.weak_bg_fill = fill;
        visuals.bg_stroke = Stroke::new(1.0, fill);
        visuals.fg_stroke.color = palette.on_accent;
    }
    let button = Button::new((icon.atom(), theme::bold(text))).min_size(vec2(0.0, size::CONTROL));
    let response = ui.add_enabled(enabled, button);
    ui.visuals_mut().widgets = usual;
    response
}

/// A button with an icon alone, grey unless `enabled`; `name` is the label for assistive technology and the tooltip.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, enabled: bool) -> Response {
    bare_icon_button(ui, icon, name, enabled).on_hover_text(name)
}

/// An icon button without a tooltip, for buttons with a longer explanation than their name.
pub fn bare_icon_button(ui: &mut Ui, icon: Icon, name: &str, enabled: bool) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(size::CONTROL, size::CONTROL), sense);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, enabled, name));
    if ui.is_rect_visible(rect) {
        let palette = palette(ui.visuals());
        if response.hovered() && enabled {
            ui.painter().rect_filled(rect, f32::from(size::RADIUS), palette.raised_hover);
        }
        let colour = if enabled { palette.weak } else { palette.faint };
        icon.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(size::ICON, size::ICON)), colour);
    }
    response
}

/// An icon that is on or off, with its name for assistive technology.
pub(crate) fn icon_switch(ui: &mut Ui, icon: Icon, name: &str, on: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(size::CONTROL, size::CONTROL), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, enabled, on, name));
    let palette = palette(ui.visuals());
    let fill = match (on, response.hovered()) {
        (true, _) => palette.accent_soft,
        (false, true) => palette.raised_hover,
        (false, false) => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, f32::from(size::RADIUS), fill);
    let colour = if on { palette.accent } else { palette.weak };
    icon.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(size::ICON, size::ICON)), colour);
    response
}

/// A small caption above a control; in a row that wraps, caption and control stay together.
pub fn labelled<R>(ui: &mut Ui, caption: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    // The size is known from the frame before; the first one is not shown. Controls of one caption have sizes of their own: a size
    // that changed in every frame would draw each frame twice, and a click would count twice.
    let id = ui.next_auto_id().with(("labelled", caption));
    let known: Option<egui::Vec2> = ui.data(|data| data.get_temp(id));
    let inner = ui.allocate_ui_with_layout(known.unwrap_or_default(), Layout::top_down(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        ui.add(egui::Label::new(theme::small(caption).color(palette(ui.visuals()).weak)).extend());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            contents(ui)
        })
        .inner
    });
    let size = inner.response.rect.size();
    if known != Some(size) {
        ui.data_mut(|data| data.insert_temp(id, size));
        ui.ctx().request_discard("controls are put in rows");
    }
    inner.inner
}

/// Gives a field a label for assistive technology and a tooltip; a tooltip alone would become the label.
pub fn named(ui: &mut Ui, name: &str, help: &str, add: impl FnOnce(&mut Ui) -> Response) -> Response {
    ui.name_inputs(name, add).on_hover_text(help)
}

/// Choices of which one is on, side by side in one frame; returns the one that was pressed; `None` if none was.
pub fn segmented(ui: &mut Ui, choices: &[(&str, &str, bool)], chosen: Option<usize>) -> Option<usize> {
    let palette = palette(ui.visuals());
    let mut pressed = None;
    let frame = egui::Frame::new()
        .fill(palette.raised)
        .stroke(Stroke::new(1.0, palette.border_strong))
        .corner_radius(size::RADIUS)
        .inner_margin(1.0);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding = vec2(10.0, 3.0);
        ui.spacing_mut().interact_size.y = size::CONTROL - 4.0;
        let mut order: Vec<usize> = (0..choices.len()).collect();
        if ui.layout().prefer_right_to_left() {
            order.reverse();
        }
        for index in order {
            let (text, tooltip, enabled) = &choices[index];
            let on = chosen == Some(index);
            let response = ui.add_enabled(*enabled, switch(ui, text, on, size::CONTROL - 4.0));
            let response = if tooltip.is_empty() { response } else { response.on_hover_text(*tooltip) };
            if response.clicked() {
                pressed = Some(index);
            }
        }
    });
    pressed
}

/// A button that is on or off, in bold type while it is on, and as wide then as otherwise.
pub fn switch(ui: &Ui, text: &str, on: bool, height: f32) -> Button<'static> {
    let words = if on { theme::bold(text).color(palette(ui.visuals()).accent) } else { RichText::new(text) };
    let width = widest(ui, text) + 2.0 * ui.spacing().button_padding.x;
    Button::selectable(on, words).min_size(vec2(width, height))
}

/// Width of a text in points, of its bold or its usual type, whichever is wider; a name that becomes bold moves nothing.
fn widest(ui: &Ui, text: &str) -> f32 {
    let fonts = [theme::bold_font(theme::text::BODY), theme::font(theme::text::BODY)];
    let width = |font| ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x.ceil();
    fonts.map(width).into_iter().fold(0.0, f32::max)
}

/// A tab: its name, its tooltip, and a mark that may come and go, such as «2 wrong»; empty for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TabName<'a> {
    pub(crate) name: &'a str,
    pub(crate) help: &'a str,
    pub(crate) mark: &'a str,
    /// True if a line separates the tab from the one before it.
    pub(crate) is_apart: bool,
}

impl<'a> TabName<'a> {
    /// A tab without a mark.
    pub(crate) fn new(name: &'a str, help: &'a str) -> Self {
        Self { name, help, mark: "", is_apart: false }
    }
}

/// Radius in points of the dot beside the name of a marked tab.
const MARK: f32 = 3.0;

/// Draws the modes of a view as a segmented choice; `words` returns name and tooltip of a mode. Returns the mode that was clicked.
pub fn modes<M: Copy + PartialEq>(
    ui: &mut Ui, all: &[M], words: fn(M) -> (&'static str, &'static str), shown: M,
) -> Option<M> {
    let choices: Vec<(&str, &str, bool)> = all.iter().map(|&mode| (words(mode).0, words(mode).1, true)).collect();
    let chosen = all.iter().position(|&mode| mode == shown);
    segmented(ui, &choices, chosen).map(|index| all[index])
}

/// Tabs with a line under the one that is open, closer to each other where they would not fit into one row; returns the one
/// that was pressed; `None` if none was. A mark is a dot in the space beside the name, with its words in label and tooltip, so
/// that no tab moves when it comes or goes.
pub(crate) fn tabs(ui: &mut Ui, names: &[TabName<'_>], open: usize) -> Option<usize> {
    let palette = palette(ui.visuals());
    let mut pressed = None;
    ui.spacing_mut().item_spacing.x = 0.0;
    let words = |(index, tab): (usize, &TabName<'_>)| {
        let (font, colour) = match index == open {
            true => (theme::bold_font(theme::text::BODY), palette.text),
            false => (theme::font(theme::text::BODY), palette.weak),
        };
        (ui.painter().layout_no_wrap(tab.name.to_owned(), font, colour), widest(ui, tab.name), colour)
    };
    let words: Vec<_> = names.iter().enumerate().map(words).collect();
    let width: f32 = words.iter().map(|(_, width, _)| width).sum();
    let sides = (ui.available_width() - width) / (2 * names.len().max(1)) as f32;
    let side = sides.floor().clamp(space::XS, space::M);
    for (index, (TabName { name, help, mark, is_apart }, (galley, width, colour))) in
        names.iter().zip(words).enumerate()
    {
        let on = index == open;
        let size = vec2(width + 2.0 * side, size::CONTROL + space::S);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        if *is_apart {
            let line = rect.center().y - 7.0..=rect.center().y + 7.0;
            ui.painter().vline(rect.left(), line, egui::Stroke::new(1.0, palette.border_strong));
        }
        let label = if mark.is_empty() { (*name).to_owned() } else { format!("{name} ({mark})") };
        response.widget_info(|| WidgetInfo::selected(egui::Role::Tab, true, on, &label));
        let colour = if response.hovered() { palette.text } else { colour };
        let text = Rect::from_center_size(rect.center(), galley.size());
        ui.painter().galley_with_override_text_color(text.min, galley, colour);
        if !mark.is_empty() {
            ui.painter().circle_filled(text.right_top() + vec2(MARK, MARK), MARK, palette.bad);
        }
        if on || response.hovered() {
            let colour = if on { palette.accent } else { palette.border_strong };
            let line = Rect::from_min_max(
                pos2(rect.left() + side - space::XS, rect.bottom() - 2.0),
                rect.right_bottom() - vec2(side - space::XS, 0.0),
            );
            ui.painter().rect_filled(line, 1.0, colour);
        }
        let help = if mark.is_empty() { (*help).to_owned() } else { format!("{help} ({mark})") };
        if response.on_hover_text(help).clicked() {
            pressed = Some(index);
        }
    }
    pressed
}

/// Draws a rule; returns `true` if its remove button was clicked.
pub fn rule_line(ui: &mut Ui, icon: Icon, words: &str) -> bool {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        icon.paint(ui.painter(), rect, palette(ui.visuals()).accent);
        let width = (ui.available_width() - 36.0).max(40.0);
        ui.scope(|ui| {
            ui.set_max_width(width);
            ui.add(egui::Label::new(words).truncate());
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            icon_button(ui, Icon::Cross, &format!("Remove the rule: {words}"), true).clicked()
        })
        .inner
    })
    .inner
}

/// A heading with controls at its right end.
pub fn section(ui: &mut Ui, heading: &str, right: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(size::CONTROL);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(theme::heading(heading)).truncate());
            });
        });
    });
}

/// A fact: its name at the left, its value at the right.
pub fn fact(ui: &mut Ui, name: &str, value: &str) {
    coloured_fact(ui, name, value, palette(ui.visuals()).text);
}

/// A fact whose tooltip tells where it comes from; without a tooltip if `source` is empty.
pub fn sourced_fact(ui: &mut Ui, name: &str, value: &str, source: &str) {
    let colour = palette(ui.visuals()).text;
    fact_row(ui, name, value, |ui| {
        let shown = ui.add(egui::Label::new(RichText::new(value).color(colour)).wrap());
        if !source.is_empty() {
            shown.on_hover_text(source);
        }
    });
}

/// A fact whose value has a colour that means something.
pub fn coloured_fact(ui: &mut Ui, name: &str, value: &str, colour: Color32) {
    fact_row(ui, name, value, |ui| ui.add(egui::Label::new(RichText::new(value).color(colour)).wrap()));
}

/// The row of a fact: its name at the left, at the right what `show` draws of the value; where both are too long for a line,
/// the value is below the name.
pub fn fact_row<R>(ui: &mut Ui, name: &str, value: &str, show: impl FnOnce(&mut Ui) -> R) -> R {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let width =
        |words: &str| ui.painter().layout_no_wrap(words.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
    let is_long = width(name) + width(value) + space::S > ui.available_width();
    let name = egui::Label::new(RichText::new(name).color(palette(ui.visuals()).weak));
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        if is_long {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(name.wrap());
            return ui.with_layout(Layout::top_down(Align::Max), show).inner;
        }
        ui.horizontal(|ui| {
            ui.add(name);
            ui.with_layout(Layout::right_to_left(Align::Center), show).inner
        })
        .inner
    })
    .inner
}

/// A word in a small coloured frame.
pub fn badge(ui: &mut Ui, icon: Option<Icon>, words: &str, colour: Color32) -> Response {
    let galley = ui.painter().layout_no_wrap(words.to_owned(), theme::bold_font(theme::text::SMALL), colour);
    let room = if icon.is_some() { 14.0 } else { 0.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + room + 16.0, 20.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, words));
    ui.painter().rect_filled(rect, 10.0, colour.gamma_multiply(0.14));
    if let Some(icon) = icon {
        let place = Rect::from_center_size(pos2(rect.left() + 14.0, rect.center().y), vec2(10.0, 10.0));
        icon.paint(ui.painter(), place, colour);
    }
    let at = pos2(rect.left() + 8.0 + room, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, colour);
    response
}

/// Fills the middle of an area that has nothing to show yet: icon, heading, text and further controls.
pub fn placeholder(ui: &mut Ui, icon: Icon, heading: &str, text: &str, more: impl FnOnce(&mut Ui)) {
    let palette = palette(ui.visuals());
    let height = ui.available_height();
    ui.vertical_centered(|ui| {
        // Independent of the surrounding spacing.
        ui.spacing_mut().item_spacing.y = space::S;
        ui.add_space((height * 0.44 - 96.0).max(space::L));
        let (rect, _) = ui.allocate_exact_size(vec2(56.0, 56.0), Sense::hover());
        ui.painter().circle_filled(rect.center(), 28.0, palette.accent_soft);
        icon.paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(24.0, 24.0)), palette.accent);
        ui.add_space(space::S);
        ui.label(theme::title(heading));
        ui.scope(|ui| {
            ui.set_max_width(540.0);
            ui.label(RichText::new(text).color(palette.weak));
        });
        ui.add_space(space::S);
        more(ui);
    });
}

/// Returns `true` if Enter was pressed in a dialog, which presses its main button. Where a button of the dialog has the
/// focus, Enter is its own; a field gives the focus away with Enter.
pub fn confirmed(ui: &Ui) -> bool {
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    let free = focused.is_none_or(|other| other.layer_id != ui.layer_id());
    let pressed = |event: &egui::Event| {
        // Not one that is held since the command that opened the dialog.
        matches!(event, egui::Event::Key { key: egui::Key::Enter, pressed: true, repeat: false, modifiers, .. } if modifiers.is_none())
    };
    free && ui.input(|input| input.events.iter().any(pressed))
}

/// A line of a searchable list: icon, name with the matched letters highlighted, remark, keys.
pub(crate) struct TextRow<'a> {
    /// Icon before the name.
    pub icon: Option<Icon>,
    /// The name.
    pub text: &'a str,
    /// The characters of the name that matched, rising.
    pub places: &'a [u32],
    /// Remark, or the reason why the line cannot be chosen.
    pub detail: &'a str,
    /// Names of the shortcut keys.
    pub keys: &'a str,
    /// True if the row can be chosen.
    pub enabled: bool,
    /// True if the keyboard's cursor is on the row.
    pub chosen: bool,
    /// Height in points.
    pub height: f32,
}

/// Shows such a line over the whole width.
pub(crate) fn text_row(ui: &mut Ui, row: &TextRow<'_>) -> Response {
    let palette = palette(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row.height), Sense::click());
    response.widget_info(|| {
        let label = format!("{}, {}", row.text, row.detail);
        WidgetInfo::selected(egui::Role::ListBoxOption, row.enabled, row.chosen, label)
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let radius = f32::from(size::RADIUS);
    if row.chosen {
        ui.painter().rect_filled(rect, radius, palette.accent_soft);
    } else if response.hovered() && row.enabled {
        ui.painter().rect_filled(rect, radius, palette.raised_hover);
    }
    let ink = if row.enabled { palette.text } else { palette.weak };
    let (centre, left) = (rect.center().y, rect.left() + 10.0);
    if let Some(icon) = row.icon {
        let place = Rect::from_center_size(pos2(left + size::ICON / 2.0, centre), vec2(size::ICON, size::ICON));
        icon.paint(ui.painter(), place, if row.enabled { palette.weak } else { palette.faint });
    }
    let mut right = rect.right() - 10.0;
    if !row.keys.is_empty() && row.enabled {
        right -= paint_key(ui, pos2(right, centre), row.keys) + space::S;
    }
    let left = left + size::ICON + 10.0;
    let name = ui.painter().layout_job(highlighted(row, ink, palette.accent, right - left));
    let after = left + name.size().x + space::M;
    ui.painter().galley(pos2(left, centre - name.size().y / 2.0), name, ink);
    if right - after > 40.0 {
        let font = theme::font(theme::text::SMALL);
        let detail = truncated(ui.painter(), row.detail, font, palette.weak, right - after);
        ui.painter().galley(pos2(after, centre - detail.size().y / 2.0 + 0.5), detail, palette.weak);
    }
    response
}

/// The name of a line, with the letters that matched in the accent.
fn highlighted(row: &TextRow<'_>, ink: Color32, accent: Color32, width: f32) -> egui::text::LayoutJob {
    let mut job = egui::text::LayoutJob::default();
    let plain = egui::TextFormat { font_id: theme::font(theme::text::BODY), color: ink, ..Default::default() };
    let strong = egui::TextFormat {
        font_id: theme::bold_font(theme::text::BODY),
        color: if row.enabled { accent } else { ink },
        ..Default::default()
    };
    for (place, letter) in row.text.chars().enumerate() {
        let matched = u32::try_from(place).is_ok_and(|place| row.places.binary_search(&place).is_ok());
        let format = if matched { &strong } else { &plain };
        job.append(letter.encode_utf8(&mut [0; 4]), 0.0, format.clone());
    }
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    job
}

/// Paints the name of keys as a cap that ends at this place; returns its width.
fn paint_key(ui: &Ui, right: egui::Pos2, keys: &str) -> f32 {
    let palette = palette(ui.visuals());
    let galley = ui.painter().layout_no_wrap(keys.to_owned(), theme::font(theme::text::SMALL), palette.weak);
    let size = vec2(galley.size().x + 12.0, 20.0);
    let rect = Rect::from_min_size(pos2(right.x - size.x, right.y - size.y / 2.0), size);
    ui.painter().rect_filled(rect, 4.0, palette.raised);
    ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, palette.border_strong), egui::StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, palette.weak);
    size.x
}

pub(crate) fn key_cap(ui: &mut Ui, keys: &str) {
    let width = ui.painter().layout_no_wrap(keys.to_owned(), theme::font(theme::text::SMALL), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(vec2(width.size().x + 12.0, 20.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, keys));
    paint_key(ui, pos2(rect.right(), rect.center().y), keys);
}

/// A number at the right edge of its cell.
pub fn right(ui: &mut Ui, words: &str, colour: egui::Color32) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(egui::Label::new(RichText::new(words).color(colour)));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_with_equal_captions_are_drawn_once_in_a_frame() {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let mut passes = Vec::new();
        for _ in 0..4 {
            let mut count = 0;
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                count += 1;
                ui.horizontal(|ui| {
                    for width in [20.0, 90.0] {
                        labelled(ui, " ", |ui| ui.allocate_space(vec2(width, 20.0)));
                    }
                });
            });
            output.textures_delta.clear();
            passes.push(count);
        }
        assert_eq!(passes[1..], [1; 3], "{passes:?}");
    }
}
