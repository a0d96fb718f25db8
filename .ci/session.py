"""A whole examination session in the real window: from the workbook of an office to doors, registers and duties, with a room that
is lost after publication, an invigilator who falls ill, corrected codes, and a program that is killed. A trial of .ci/office.
"""

import collections
import csv
import re
import subprocess
import time

import office_tables as tables
from desktop import expect, fail, output, wait

# Role of AT-SPI for cells of a board.
CELL = 56
ROOM_NAMES = [room[0] for room in tables.ROOMS]
ROOM_CELL = re.compile(r"Room (.+?), period (\d+), (\d+) of \d+ seats taken: ([^;]+)(;.*)?")
DUTY_CELL = re.compile(r"(.+), period (\d+): room ([^;,]+), until [^;]+")
LOST_ROOM, CORRECTED_ROOM, CORRECTED_EXAM = "H 1", "HS 1", "MBA 101"


def session(trial):
    source = trial.files / "Klausuren Sommer 2026.xlsx"
    pairs = tables.session_workbook(source)
    project = source.with_suffix(".gridwright")
    trial.desk.open()
    imported(trial, source, project)
    prepared(trial.desk)
    trial.desk.press("Rooms")
    trial.solve(project, 1)
    moved_by_hand(trial.desk)
    published(trial, pairs)
    room_lost(trial, pairs)
    invigilated(trial)
    corrected(trial.desk)
    killed(trial.desk, project)


def imported(trial, source, project):
    """Three codes are spelt otherwise, ten remarks are about case, a repeated line and lines of totals."""
    desk = trial.desk
    desk.press("Import…")
    desk.enter("Path of a table", str(source))
    desk.press("Add")
    desk.seen(r"3 Problems \(13\)", 60)
    desk.picture("import-files")
    desk.press("3 Problems.*")
    desk.says("3 lines or values that cannot be used")
    desk.picture("import-problems")
    desk.press("Mean similar ones")
    desk.press("4 Summary")
    desk.says("120 exams, 1.500 students, 30 periods")
    desk.picture("import-summary")
    trial.take_over(project)


def prepared(desk):
    """Looks at the rooms; language, institution and the weight of rooms in use."""
    desk.key("ctrl+b")
    desk.press("Data")
    desk.press("Rooms 14")
    desk.picture("data-rooms")
    desk.press("Letterhead…")
    desk.press("Deutsch")
    desk.enter("Institution", "Hochschule Beispielstadt")
    desk.picture("letterhead")
    desk.key("Escape")
    desk.press("Objective: Office")
    weight = "A room in use in a period"
    desk.scroll(*desk.seen("A student has two exams in a row on a day").middle, 40)
    desk.enter(weight, "10")
    desk.picture("weights")
    desk.press("Use these weights")
    desk.press("Done")
    wait("the end of the dialog", lambda: not desk.find(weight))


# The board of rooms.

def room_cells(desk):
    """The filled cells of the board: room, period, students, exams, fault, widget."""
    found = []
    for widget in desk.widgets():
        match = widget.role == CELL and ROOM_CELL.fullmatch(widget.name)
        if match:
            room, period, students, exams, fault = match.groups()
            found.append((room, int(period), int(students), exams, fault or "", widget))
    return found


def rows_of(cells):
    """A function from the index of a row to its middle on the screen, from cells as index and widget."""
    (first, top), (last, bottom) = min(cells), max(cells)
    expect(last > first, "the board shows one row only")
    return lambda index: round(top + (bottom - top) * (index - first) / (last - first))


def free_move(cells):
    """A cell with one exam and a room that is free and large enough in its period."""
    taken = {(room, period) for room, period, *_ in cells}
    for room, period, students, exams, fault, widget in cells:
        is_plain = not fault and students > 12 and "," not in exams and "(" not in exams
        for name, _, seats, features, closed in tables.ROOMS if is_plain else ():
            if name != room and not features and not closed and seats >= students and (name, period) not in taken:
                return widget, name, period, exams
    fail("no exam can be moved to a free room")


def moved_by_hand(desk):
    """Drags an exam into another room, then looks at the day by the clock."""
    drag_exam(desk, "rooms-dragging")
    desk.picture("rooms-dragged")
    desk.press("One day")
    desk.seen("Day after")
    desk.picture("day")
    desk.press("All periods")


def drag_exam(desk, picture):
    desk.dismiss()
    cells = room_cells(desk)
    row = rows_of([(ROOM_NAMES.index(room), widget.middle[1]) for room, *_, widget in cells])
    widget, room, period, exams = free_move(cells)
    start, end = widget.middle, (widget.middle[0], row(ROOM_NAMES.index(room)))
    desk.grab(*start)
    desk.carry(start, end)
    desk.says(f"Move {re.escape(exams.rsplit(' ', 1)[0])} to {room}")
    desk.picture(picture, moving=True)
    desk.drop()
    desk.seen(f"Room {room}, period {period}, .*{re.escape(exams)}.*")
    desk.says("1 in other rooms")


# Documents.

def published(trial, pairs):
    desk = trial.desk
    desk.command("Publish this timetable")
    desk.says("Version 1 is published")
    desk.picture("published")
    doors, registers, page = trial.export("Sheets for doors", "Registers", "Page for students")
    text = pdf_text(doors)
    expect("Montag, 13. Juli 2026" in text and "Hochschule Beispielstadt" in text, "the sheets for doors are not in German")
    expect("Zeitzugabe" not in text and "Minuten" not in text, "the sheets for doors tell extra time")
    text = pdf_text(registers)
    expect("Unterschrift" in text and "Zeitzugabe" in text, "the registers are not in German")
    signed = re.findall(r"\b261\d{5}\b", text)
    expect(len(signed) == len(set(pairs)), f"{len(signed)} lines to sign instead of {len(set(pairs))}")
    text = page.read_text()
    expect('lang="de"' in text and "Meine Prüfungen zeigen" in text, "the page for students is not in German")
    expect(not re.search(r"\b261\d{5}\b", text), "the page for students has numbers of students that can be read")
    largest = max(range(1, text_pages(doors) + 1), key=lambda page: len(pdf_text(doors, page)))
    pdf_picture(desk, doors, largest, "door")


def pdf_text(path, page=None):
    only = ["-f", str(page), "-l", str(page)] if page else []
    return output("pdftotext", "-layout", *only, str(path), "-")


def text_pages(path):
    return int(re.search(r"Pages:\s+(\d+)", output("pdfinfo", str(path)))[1])


def pdf_picture(desk, path, page, name):
    only = ["-f", str(page), "-l", str(page), "-singlefile"]
    subprocess.run(["pdftoppm", "-r", "60", "-png", *only, str(path), str(desk.pictures / name)], check=True)


# A room is lost after publication.

def type_into(desk, table, index, column, text):
    """Types into a cell of a table in the view «Data»; returns the name of the cell that was changed."""
    desk.press("Data")
    desk.press(f"{table} [0-9].*")
    name = go_to(desk, table, index, column)
    desk.type(text)
    desk.key("Return")
    desk.still(5)
    return name


def go_to(desk, table, index, column):
    cells = desk.seen(f"{table}, row .*")
    desk.click(cells.left + 100, cells.top + 42)
    desk.key("ctrl+Home", *["Down"] * index, *["Right"] * column)
    return desk.seen(f"{table}, row {index + 1}, .*").name


def room_lost(trial, pairs):
    """A room is closed for a day; only the exams that have it move, and only those whom they concern are told."""
    desk = trial.desk
    desk.press("Rooms")
    used = min(period for room, period, *_ in room_cells(desk) if room == LOST_ROOM)
    day = tables.SESSION_DAYS[(used - 1) // 3]
    lost = {period for period in range(1, 31) if (period - 1) // 3 == (used - 1) // 3}
    type_into(desk, "Rooms", ROOM_NAMES.index(LOST_ROOM), 6, f"{day.day}.{day.month}.{day.year}")
    desk.says("not valid")
    desk.picture("room-closed")
    desk.press("Rooms")
    desk.seen(f"Room {LOST_ROOM}, period {used}, .*the room cannot be used here")
    desk.picture("rooms-closed")
    desk.key("F6")
    desk.says("What does not hold now")
    desk.picture("around")
    desk.press("Solve", at=-1)
    desk.seen("Run 2: .*(time limit|proven).*", 120)
    desk.says("Changes concern", 60)
    desk.picture("changes")
    left = [(room, period) for room, period, *_ in room_cells(desk) if room == LOST_ROOM and period in lost]
    expect(not left, f"exams are still in {LOST_ROOM}: {left}")
    changes_told(trial, pairs)
    desk.command("Publish this timetable")
    desk.says("Version 2 is published")
    desk.says("Nothing has changed since")


def changes_told(trial, pairs):
    document, table = trial.export("Changes as PDF", "Changes")
    with open(table, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    told = collections.defaultdict(set)
    for row in rows:
        told[row["affected"]].add(row["code"] if row["affected"] == "exam" else row["who"])
    expect(0 < len(told["exam"]) <= 8, f"{len(told['exam'])} exams have changed")
    concerned = {student for student, exam in pairs if exam in told["exam"]}
    expect(told["student"] <= concerned, f"students who are not concerned are told: {told['student'] - concerned}")
    text = pdf_text(document)
    for words in ("Änderungen: Studierende", "Änderungen: Prüfende", "Änderungen: Räume", "Ihre Prüfungen haben sich geändert",
                  "Bisher", "Jetzt", "Juli 2026"):
        expect(words in text, f"the changes do not say «{words}»")
    expect(not re.search(r"\b(other room|cancelled|July|Student)\b", text), "the changes have English words")
    expect(set(re.findall(r"\b261\d{5}\b", text)) == told["student"], "the changes name other students than the table")


# Invigilators.

def duty_cells(desk):
    """Duties in rooms as person and period, with the room and the widget."""
    found = {}
    for widget in desk.widgets():
        match = widget.role == CELL and DUTY_CELL.fullmatch(widget.name)
        if match:
            found[match[1], int(match[2])] = match[3], widget
    return found


def people():
    """Names of the invigilators in the order of the table."""
    return [", ".join(tables.name(number + 40)) for number in range(26)]


def invigilated(trial):
    desk = trial.desk
    desk.press("Duties")
    desk.press("Assign invigilators")
    desk.says("duties are covered", 60)
    desk.seen("Everything is covered")
    desk.dismiss()
    desk.picture("duties")
    person, period, room = duty_given(desk)
    duty_replaced(desk, person)
    (document,) = trial.export("Own duties")
    page = next((page for page in pdf_text(document).split("\f") if person in page), "")
    day = tables.SESSION_DAYS[(period - 1) // 3]
    expect(re.search(rf"{day.day}\. Juli 2026 .*Raum {room}\b", page), f"{person} is not told of room {room}, {day}")
    expect("Aufsichten" in page and "Aufgabe" in page, "the own duties are not in German")


def quietest(cells):
    """A duty in the period with the fewest duties, where somebody else is free."""
    load = collections.Counter(period for _, period in cells)
    return min(cells.items(), key=lambda item: (load[item[0][1]], item[0]))


def duty_given(desk):
    """Drags a duty to somebody whom nothing keeps from it; returns the person, the period and the room."""
    cells = duty_cells(desk)
    names = people()
    row = rows_of([(names.index(person), widget.middle[1]) for (person, _), (_, widget) in cells.items()])
    busy = {(widget.name.split(", period")[0], int(re.search(r"period (\d+)", widget.name)[1]))
            for widget in desk.widgets() if widget.role == CELL and ", period " in widget.name}
    (person, period), (room, widget) = quietest(cells)
    desk.grab(*widget.middle)
    place = widget.middle
    for other in names:
        if (other, period) in busy:
            continue
        there = widget.middle[0], row(names.index(other))
        desk.carry(place, there)
        place = there
        if desk.find("Nothing speaks against it") and desk.find(f"Give room .* to {other}"):
            desk.picture("duty-dragging", moving=True)
            desk.drop()
            desk.seen(f"{other}, period {period}: room {room}, .*")
            expect((person, period) not in duty_cells(desk), f"{person} has the duty still")
            return other, period, room
    fail(f"nobody can take room {room} in period {period}")


def duty_replaced(desk, but):
    """Finds somebody else for a duty of another person than this one."""
    cells = {key: value for key, value in duty_cells(desk).items() if key[0] != but}
    (person, period), (room, widget) = quietest(cells)
    desk.click(*widget.middle)
    desk.press("Replace")
    desk.says(f"Room {room}: .* instead of {person}")
    expect((person, period) not in duty_cells(desk), f"{person} has the duty still")
    desk.seen("Everything is covered")
    desk.picture("duty-replaced")


# Corrected codes, and a program that is killed.

def placed(desk, view, codes):
    """What the cells of a view say, with the corrected codes put back."""
    desk.press(view)
    desk.still()
    names = {widget.name for widget in desk.widgets() if widget.role == CELL}
    for former, present in codes.items():
        names = {re.sub(rf"\b{present}\b", former, name) for name in names}
    return names


def corrected(desk):
    """Codes of a room and an exam are typed anew: seats, duties and the edited timetable stay; undo brings the former codes back."""
    desk.press("Rooms")
    drag_exam(desk, "draft")
    desk.dismiss()
    before = {view: placed(desk, view, {}) for view in ("Rooms", "Duties")}
    former = type_into(desk, "Rooms", ROOM_NAMES.index(LOST_ROOM), 0, CORRECTED_ROOM)
    expect(former.endswith(LOST_ROOM), f"another cell was changed: {former}")
    former = type_into(desk, "Exams", 0, 0, CORRECTED_EXAM).rsplit(": ", 1)[1]
    desk.picture("corrected")
    codes = {LOST_ROOM: CORRECTED_ROOM, former: CORRECTED_EXAM}
    for view in before:
        expect(placed(desk, view, codes) == before[view], f"{view} has changed with the codes")
        desk.picture(f"corrected-{view.lower()}")
    desk.says("Edited from Run 2: 0 exams moved, 1 in other rooms")
    desk.key("ctrl+z", "ctrl+z")
    desk.still(5)
    for view in before:
        expect(placed(desk, view, {}) == before[view], f"{view} is not what it was after undo")
    desk.says("Edited from Run 2: 0 exams moved, 1 in other rooms")


def killed(desk, project):
    """The program ends at once after an edit; everything is there when it is started again."""
    type_into(desk, "Rooms", 5, 1, "37")
    before = {view: placed(desk, view, {}) for view in ("Rooms", "Duties")}
    time.sleep(1)
    desk.kill()
    desk.open(project)
    desk.seen("Run 2: .*", 60)
    for view in before:
        expect(placed(desk, view, {}) == before[view], f"{view} is not what it was before the program was killed")
    desk.picture("again")
    desk.says("Edited from Run 2: 0 exams moved, 1 in other rooms")
    desk.seen("version 2")
    desk.press("Data")
    desk.press("Rooms [0-9].*")
    expect(go_to(desk, "Rooms", 5, 1).endswith(": 37"), "the last edit is lost")
    expect("2026-07-" in go_to(desk, "Rooms", ROOM_NAMES.index(LOST_ROOM), 6), "the closed day is lost")
