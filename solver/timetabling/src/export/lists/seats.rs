//! Plans of seats with the students on them: a page per room and period.

use std::collections::HashMap;

use super::super::sheets::{BOTTOM, Column, Sheets, WIDTH, heading, height, row};
use super::Lists;
use crate::drawing::Palette;
use crate::seat_plan::{Place, SeatPlan};
use crate::who_sits_where::RoomList;
use crate::words;
use gridwright_core::scene::fonts::{elide, elide_start, text_width};
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
        let mut cells = Vec::new();
        for (row, seat) in (0..plan.rows).flat_map(|row| (0..plan.seats).map(move |seat| (row, seat))) {
            let place = Place { row, seat };
            if !plan.is_used(place) {
                continue;
            }
            let (x, y) = (left + f32::from(seat) * width, top + f32::from(row) * height);
            // A seat takes the room of those behind it that are not used.
            let size = (
                width * f32::from(plan.seat_step.min(plan.seats - seat)),
                height * f32::from(plan.row_step.min(plan.rows - row)),
            );
            let thickness = if on.contains_key(&place) { 0.9 } else { 0.4 };
            frame(page, [x + 1.0, y + 1.0, size.0 - 2.0, size.1 - 2.0], thickness);
            let mut lines = vec![(place.to_string(), false)];
            if let Some(sitter) = on.get(&place) {
                lines.push((self.instance.students.code(sitter.student), true));
                lines.extend(names_exams.then(|| (self.instance.exams[sitter.exam].code.clone(), false)));
            }
            cells.push(Cell { at: (x, y), size, lines });
        }
        let style = Style::of_all(&cells);
        let is_complete = cells.iter().all(|cell| cell.has(style));
        cells.iter().for_each(|cell| cell.write(page, style));
        sheets.y = top + f32::from(plan.rows) * height;
        is_complete
    }

    fn table(&self, sheets: &mut Sheets<'_>, (name, when): (&str, &str), sitters: &[Sitter]) {
        const LINE: f32 = 15.0;
        let is_named = sitters.iter().any(|sitter| !self.seated.name(sitter.student).is_empty());
        let mut columns: Vec<Column> =
            vec![(words::SEAT.of(self.language), 0.0, false), (words::STUDENT.of(self.language), 50.0, false)];
        columns.extend(is_named.then(|| (words::NAME.of(self.language), 150.0, false)));
        columns.push((words::EXAM.of(self.language), if is_named { 320.0 } else { 150.0 }, false));
        let head = |sheets: &mut Sheets<'_>| {
            sheets.open();
            sheets.text(MARGIN, 16.0, true, &words::CONTINUED.with(self.language, &[name]));
            sheets.text(MARGIN, 11.0, false, when);
            heading(sheets, &columns);
        };
        head(sheets);
        for sitter in sitters {
            let mut cells = vec![sitter.place.to_string(), self.instance.students.code(sitter.student)];
            cells.extend(is_named.then(|| self.seated.name(sitter.student)));
            cells.push(Self::name(&self.instance.exams[sitter.exam]));
            if sheets.y + height(&columns, &cells, LINE) > BOTTOM {
                head(sheets);
            }
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

/// Seat with its text.
struct Cell {
    /// Upper left corner.
    at: (f32, f32),
    /// Width and height.
    size: (f32, f32),
    /// Lines of text, true for bold ones.
    lines: Vec<(String, bool)>,
}

/// Arrangement of the text on seats.
#[derive(Debug, Clone, Copy)]
struct Style {
    /// Size of the text in points.
    size: f32,
    /// True if the lines are joined to one.
    is_joined: bool,
}

impl Style {
    /// The largest in which the text of all seats fits; the smallest if there is none.
    fn of_all(cells: &[Cell]) -> Self {
        let smallest = Self { size: SIZES[SIZES.len() - 1], is_joined: true };
        let all = SIZES.into_iter().flat_map(|size| [false, true].map(|is_joined| Self { size, is_joined }));
        let mut all = all.filter(|style| cells.iter().all(|cell| cell.has(*style)));
        all.next().unwrap_or(smallest)
    }
}

impl Cell {
    fn lines(&self, style: Style) -> Vec<(String, bool)> {
        match style.is_joined {
            true => vec![(self.lines.iter().map(|line| line.0.as_str()).collect::<Vec<_>>().join(" "), true)],
            false => self.lines.clone(),
        }
    }

    /// Width for text.
    fn room(&self) -> f32 {
        self.size.0 - 2.0 * BLANK - 2.0
    }

    /// Returns `true` if the whole text fits.
    fn has(&self, Style { size, is_joined }: Style) -> bool {
        let lines = self.lines(Style { size, is_joined });
        let is_low_enough = lines.len() as f32 * size * 1.25 <= self.size.1 - 3.0;
        is_low_enough && lines.iter().all(|(text, is_bold)| text_width(text, size, *is_bold) <= self.room())
    }

    /// Writes the text, with an ellipsis where it does not fit.
    fn write(&self, page: &mut Scene, style: Style) {
        let (lines, size, ((x, y), (width, height))) = (self.lines(style), style.size, (self.at, self.size));
        let block = lines.len() as f32 * size * 1.25;
        for (at, (text, is_bold)) in lines.iter().enumerate() {
            let base = (x + width / 2.0, y + (height - block) / 2.0 + size * (1.25 * at as f32 + 0.98));
            // Codes differ at their ends.
            let is_code = *is_bold && !style.is_joined;
            let text = if is_code {
                elide_start(text, size, true, self.room())
            } else {
                elide(text, size, *is_bold, self.room())
            };
            match is_bold {
                true => page.bold_text(base, size, Palette::LIGHT.ink, Anchor::Middle, text),
                false => page.text(base, size, Palette::LIGHT.muted, Anchor::Middle, text),
            }
        }
    }
}
