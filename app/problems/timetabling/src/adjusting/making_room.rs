//! Room for an exam that is dragged or moved to where others are in its way: what the others would do, before it is done.

use std::sync::Arc;

use easy_ext::ext;
use egui::{Context, RichText, Ui, pos2};
use gridwright_core::moves::others_move;
use gridwright_core::numbers::counted;
use gridwright_core::text::sentence_case;
use gridwright_timetabling::run::holding::{Held, Rearranged, rearranged};
use gridwright_timetabling::{Instance, Timetable};

use super::cost_words;
use crate::editing::Edit;
use crate::methods::*;
use crate::state::Document;
use crate::view_state::rooms::Of;
use crate::widgets::matrix::Layout;
use gridwright_window::live::Others;
use gridwright_window::theme::{Palette, palette};
use gridwright_window::widgets::following;

/// Repairs that compete for an answer, and the seed of their random words.
const EFFORT: (u32, u64) = (2, 1);

/// Most exams whose moves have arrows; with more, arrows would hide each other.
const ARROWS: usize = 12;

/// Room for an exam as far as it is known.
pub(crate) type Room = Others<Rearranged>;

/// Room for an exam in the timetable that is shown.
#[ext(RoomMaking)]
pub(crate) impl Document {
    /// Room for an exam in a period, which a thread looks for while it is asked for.
    fn room_for(&mut self, ctx: &Context, held: Held) -> Room {
        let picture = self.picture().filter(|_| !self.is_solving());
        let of = picture.map(|picture| Of(Arc::clone(&self.instance), Arc::clone(&picture.timetable)));
        let question = of.map(|of| (of, held));
        self.state.making_room.others(ctx, question.as_ref(), |(of, held), is_over| {
            rearranged(&of.0, &of.1, *held, EFFORT, is_over).ok().flatten()
        })
    }

    /// Moves an exam, and the others out of its way.
    ///
    /// # Errors
    /// Why that is not possible.
    fn make_room(&mut self, held: Held, room: &Rearranged) -> Result<(), &'static str> {
        let words = consequence(&self.instance, room);
        let timetable = Arc::new(room.timetable.clone());
        self.apply(vec![Edit::MakeRoom { held, timetable }])?;
        let code = &self.instance.exams[held.exam].code;
        let heading = format!("{code} is in {} now", self.instance.period_name(held.period));
        self.tell_of_edit(heading, words);
        Ok(())
    }
}

/// Sentence about the moves of the other exams: «2 other exams move: PHY20 to period 3, BIO1 to period 7; worse by 12».
pub(crate) fn consequence(instance: &Instance, room: &Rearranged) -> String {
    let name = |exam: &usize| {
        let period = room.timetable.period_of(*exam);
        let to = period.map_or_else(|| "out".to_owned(), |period| format!("to {}", instance.period_name(period)));
        format!("{} {to}", instance.exams[*exam].code)
    };
    let moves = others_move("exam", &room.moved, name);
    let rooms = match room.reseated.len() as u64 {
        0 => String::new(),
        1 => "; 1 other exam gets other rooms".to_owned(),
        count => format!("; {} get other rooms", counted(count, "other exam")),
    };
    format!("{moves}{rooms}; {}", cost_words(instance, room.change))
}

/// Says beside the pointer what the other exams would do.
pub(super) fn hint(ui: &mut Ui, instance: &Instance, room: &Room) {
    let palette = palette(ui.visuals());
    let (words, colour) = match room {
        Room::Resting => return,
        Room::Wanted => ("Looking for room…".to_owned(), palette.weak),
        Room::Missing => ("The others cannot make room there".to_owned(), palette.weak),
        Room::Made(room) => (format!("Dropped here, {}", consequence(instance, room)), palette.text),
    };
    ui.add(egui::Label::new(RichText::new(words).color(colour)).wrap());
}

/// Draws what the other exams would do and a button for it; returns `true` if it was clicked.
pub(super) fn offer(ui: &mut Ui, instance: &Instance, room: &Room) -> bool {
    let words = match room {
        Room::Resting => return false,
        Room::Wanted => "Looking for room…".to_owned(),
        Room::Missing => "The other exams cannot make room there.".to_owned(),
        Room::Made(room) => format!("{}.", sentence_case(&consequence(instance, room))),
    };
    let help = "Moves the exam, and the others out of its way; one change, which Undo takes back";
    following::offer(ui, words, matches!(room, Room::Made(_)), "Make room", help)
}

/// Draws where the other exams would go over the cells of the grid; `row_of` gives the row of an exam.
pub(crate) fn ghosts(
    ui: &Ui, layout: &Layout, palette: &Palette, (before, room): (&Timetable, &Rearranged),
    row_of: impl Fn(usize) -> Option<usize>,
) {
    let painter = ui.painter().with_clip_rect(layout.area);
    for &exam in &room.moved {
        let (Some(row), Some(to)) = (row_of(exam), room.timetable.period_of(exam)) else { continue };
        let target = layout.cell(row, to);
        painter.rect_filled(target, 2.0, palette.accent.gamma_multiply(0.35));
        let Some(from) = before.period_of(exam) else { continue };
        let source = layout.cell(row, from);
        painter.rect_filled(source, 2.0, palette.surface.gamma_multiply(0.6));
        if room.moved.len() > ARROWS {
            continue;
        }
        let (start, end) = (source.center(), target.center());
        let edge = if end.x > start.x { target.left() } else { target.right() };
        painter.arrow(start, pos2(edge, end.y) - start, egui::Stroke::new(1.5, palette.accent));
    }
}
