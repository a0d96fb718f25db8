//! Plans of seats with the students on them: a page per room and period.

use std::collections::HashMap;

use super::super::sheets::{BOTTOM, Column, Sheets, WIDTH, heading, row};
use super::Lists;
use crate::drawing::Palette;
use crate::seat_plan::{Place, SeatPlan};
use crate::who_sits_where::RoomList;
use crate::words;
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::{Anchor, Scene};

/// Largest width and height of a seat in points.
const LARGEST: (f32, f32) = (84.0, 46.0);

/// Sizes of the text on seats in points, the largest first.
const SIZES: [f32; 4] = [9.0, 8.0, 7.0, 6.0];

/// Blank at either side of the text on a seat in points.
const BLANK: f32 = 2.0;

/// Student on a seat.
struct Sitter {
    place: Place,
    student: usize,
    exam: usize,
}

impl Lists<'_> {
    pub(super) fn seats(&self, sheets: &mut Sheets<'_>) {
        for lists in self.seated.lists().chunk_by(|one, other| (one.period, one.room) == (other.period, other.room)) {
            let sitters = self.sitters(lists);
            if let Some(plan) = self.room(&lists[0]).plan().filter(|_| !sitters.is_empty()) {
                self.seats_of(sheets, &lists[0], &plan, &sitters);
            }
        }
    }

    /// Students of a room in a period by their seats.
    fn sitters(&self, lists: &[RoomList]) -> Vec<Sitter> {
        let of = |list: &RoomList| {
            let exam = self.occupancy.sitting(list.sitting).exam;
            let sitter =
                move |&student: &usize| self.seated.seat(student, exam).map(|place| Sitter { place, student, exam });
            list.students.iter().filter_map(sitter).collect::<Vec<_>>()
        };
        let mut sitters: Vec<Sitter> = lists.iter().flat_map(of).collect();
        sitters.sort_by_key(|sitter| sitter.place);
        sitters
    }

    /// Draws the plan of a room in a period and, if a text does not fit on its seat, a table of all seats.
    fn seats_of(&self, sheets: &mut Sheets<'_>, list: &RoomList, plan: &SeatPlan, sitters: &[Sitter]) {
        let (room, day) = (self.room(list), self.day(list.period));
        let start = self.instance.periods[list.period].start.map(|start| start.format("%H:%M").to_string());
        let when = [Some(day), start].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let name = words::IN_ROOM.with(self.language, &[&room.code]);
        sheets.open();
        sheets.text(MARGIN, 16.0, true, &name);
        sheets.text(MARGIN, 11.0, false, &when);
        let mut exams: Vec<usize> = sitters.iter().map(|sitter| sitter.exam).collect();
        exams.sort_unstable();
        exams.dedup();
        for &exam in &exams {
            let count = sitters.iter().filter(|sitter| sitter.exam == exam).count();
            let words = format!("{} · {}", Self::name(&self.instance.exams[exam]), self.students(count, None));
            sheets.text(MARGIN, 10.0, false, &words);
        }
        sheets.bookmark(format!("{when} · {}", room.code));
        let is_complete = self.grid(sheets, plan, sitters, exams.len() > 1);
        if !is_complete {
            self.table(sheets, (&name, &when), sitters);
        }
    }

    /// Draws the seats; returns `false` if a text had to be cut.
    fn grid(&self, sheets: &mut Sheets<'_>, plan: &SeatPlan, sitters: &[Sitter], names_exams: bool) -> bool {
        let palette = Palette::LIGHT;
        sheets.y += 26.0;
        let top = sheets.y + 10.0;
        let width = (WIDTH / f32::from(plan.seats)).min(LARGEST.0);
        let height = ((BOTTOM - top) / f32::from(plan.rows)).min(LARGEST.1);
        let left = MARGIN + (WIDTH - width * f32::from(plan.seats)) / 2.0;
        let (middle, front) = (MARGIN + WIDTH / 2.0, sheets.y);
        let page = sheets.page();
        page.bold_text((middle, front), 9.0, palette.muted, Anchor::Middle, words::FRONT.of(self.language));
        let on: HashMap<Place, &Sitter> = sitters.iter().map(|sitter| (sitter.place, sitter)).collect();
        let mut is_complete = true;
        for (row, seat) in (0..plan.rows).flat_map(|row| (0..plan.seats).map(move |seat| (row, seat))) {
            let place = Place { row, seat };
            if !plan.is_used(place) {
                continue;
            }
            let (x, y) = (left + f32::from(seat) * width, top + f32::from(row) * height);
            frame(page, [x + 1.0, y + 1.0, width - 2.0, height - 2.0], if on.contains_key(&place) { 0.9 } else { 0.4 });
            let mut lines = vec![(place.to_string(), false)];
            if let Some(sitter) = on.get(&place) {
                lines.push((self.instance.students.code(sitter.student), true));
                lines.extend(names_exams.then(|| (self.instance.exams[sitter.exam].code.clone(), false)));
            }
            is_complete &= write(page, (x, y), (width, height), &lines);
        }
        sheets.y = top + f32::from(plan.rows) * height;
        is_complete
    }

    fn table(&self, sheets: &mut Sheets<'_>, (name, when): (&str, &str), sitters: &[Sitter]) {
        const LINE: f32 = 15.0;
        let columns: [Column; 4] = [
            (words::SEAT.of(self.language), 0.0, false),
            (words::STUDENT.of(self.language), 50.0, false),
            (words::NAME.of(self.language), 150.0, false),
            (words::EXAM.of(self.language), 320.0, false),
        ];
        let head = |sheets: &mut Sheets<'_>| {
            sheets.open();
            sheets.text(MARGIN, 16.0, true, &words::CONTINUED.with(self.language, &[name]));
            sheets.text(MARGIN, 11.0, false, when);
            heading(sheets, &columns);
        };
        head(sheets);
        for sitter in sitters {
            if sheets.y + LINE > BOTTOM {
                head(sheets);
            }
            let cells = [
                sitter.place.to_string(),
                self.instance.students.code(sitter.student),
                self.seated.name(sitter.student),
                Self::name(&self.instance.exams[sitter.exam]),
            ];
            row(sheets, &columns, &cells, LINE);
        }
    }
}

/// Draws the outline of a seat: x, y, width, height.
fn frame(page: &mut Scene, [x, y, width, height]: [f32; 4], thickness: f32) {
    let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
    for (at, &from) in corners.iter().enumerate() {
        page.line(from, corners[(at + 1) % corners.len()], thickness, Palette::LIGHT.muted);
    }
}

/// Writes lines of text, true for bold ones, on a seat in the largest size in which all fit; returns `false` if none does and text was
/// cut or left out.
fn write(page: &mut Scene, (x, y): (f32, f32), (width, height): (f32, f32), lines: &[(String, bool)]) -> bool {
    let room = width - 2.0 * BLANK - 2.0;
    let count = lines.len() as f32;
    let fits = |size: f32| {
        count * size * 1.25 <= height - 3.0
            && lines.iter().all(|(text, is_bold)| text_width(text, size, *is_bold) <= room)
    };
    let fitting = SIZES.into_iter().find(|size| fits(*size));
    let size = fitting.unwrap_or(SIZES[SIZES.len() - 1]);
    let shown =
        if fitting.is_some() { lines.len() } else { (((height - 3.0) / (size * 1.25)) as usize).clamp(1, lines.len()) };
    let block = shown as f32 * size * 1.25;
    for (at, (text, is_bold)) in lines.iter().take(shown).enumerate() {
        let base = (x + width / 2.0, y + (height - block) / 2.0 + size * (1.25 * at as f32 + 0.98));
        let text = elide(text, size, *is_bold, room);
        match is_bold {
            true => page.bold_text(base, size, Palette::LIGHT.ink, Anchor::Middle, text),
            false => page.text(base, size, Palette::LIGHT.muted, Anchor::Middle, text),
        }
    }
    fitting.is_some()
}
