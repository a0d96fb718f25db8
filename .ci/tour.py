"""A tour through the real window, as a person takes it: import, calendar, solve, move, pin, solve around the changes,
compare, export, keep. Fails where a step did not happen; leaves the pictures of docs/guide.md. Called by .ci/tour.
"""

import collections
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

from desktop import Desktop, fail, output, store_pictures, wait

# Role of AT-SPI for radio buttons.
RADIO = 44
HERE = pathlib.Path(__file__).resolve().parent.parent
FORMATS = ["xlsx", "csv", "periods.csv", "students.csv", "ics", "students.zip", "pdf", "report.pdf", "svg", "png", "sol"]


def invent(program, work):
    """A session as an office sends it: semicolons, headers of its own, two lines that are wrong."""
    subprocess.run([program, "generate", "timetabling", "--preset", "faculty", "--exams", "90", "--students", "1200",
                    "--periods", "18", "--seed", "7", "--out", str(work / "made")], check=True, stdout=subprocess.DEVNULL)
    with open(work / "made/enrolments.csv", encoding="utf-8", newline="") as file:
        lines = [(line["student"], line["exam"]) for line in csv.DictReader(file)]
    office = work / "office"
    office.mkdir()
    table, titles = office / "summer-session.csv", office / "papers.csv"
    with open(table, "w", encoding="utf-8") as file:
        file.write("Matriculation number;Paper;Fee\n")
        for number, (student, exam) in enumerate(lines):
            if number == 700:
                file.write(f"{student};;0\n")
            if number == 1900:
                file.write(f";{exam};0\n")
            file.write(f"{student};{exam};0\n")
    with open(work / "made/exams.csv", encoding="utf-8", newline="") as file:
        exams = [(line["code"], line["title"], line["duration"]) for line in csv.DictReader(file)]
    with open(titles, "w", encoding="utf-8") as file:
        file.write("Paper;Name of the course;Minutes\n")
        file.writelines(f"{code};{title};{minutes}\n" for code, title, minutes in exams)
    return table, titles, lines


def run_text(project, number):
    """A finished run of a project, as text."""
    with zipfile.ZipFile(project) as archive:
        name = f"runs/{number:04}.ron"
        return archive.read(name).decode() if name in archive.namelist() else ""


def head(project):
    """What a project file says of rules and edits."""
    with zipfile.ZipFile(project) as archive:
        return archive.read("project.ron").decode()


def timetable(program, project, number, work):
    """Exam and period of a run, as the program's own export says."""
    run = work / "run.ron"
    run.write_text(run_text(project, number))
    subprocess.run([program, "export", str(project), str(run), "--to", str(work / "now.csv")],
                   check=True, stdout=subprocess.DEVNULL)
    with open(work / "now.csv", encoding="utf-8-sig", newline="") as file:
        return {line["code"]: int(line["period"]) for line in csv.DictReader(file)}


def neighbours(lines, periods):
    """Pairs of exams with common students, the second in the period after the first; most students first."""
    exams = collections.defaultdict(set)
    for student, exam in lines:
        exams[exam].add(student)
    pairs = [(len(exams[a] & exams[b]), a, b) for a in exams for b in exams
             if a != b and periods[b] == periods[a] + 1 and exams[a] & exams[b]]
    return sorted(pairs, reverse=True) or fail("no two exams with common students stand in adjacent periods")


def imported(desk, table, titles):
    """Two tables, their columns, two bad lines, a summary."""
    desk.press("Import…")
    for path in (table, titles):
        desk.enter("Path of a table", str(path))
        desk.press("Add")
        desk.seen(re.escape(path.name))
    desk.says(r"Problems \(\d+\)")
    for step in ("1 Files", "2 Columns"):
        desk.press(step)
        if step == "2 Columns":
            desk.press(re.escape(table.name))
        desk.picture(f"import-{step[2:].lower()}")
    desk.press("3 Problems.*")
    desk.press("Leave out")
    desk.picture("import-problems")
    desk.press("4 Summary")
    desk.says("Everything is ready")
    desk.picture("import-summary")
    desk.press("Take over")
    project, report = table.with_suffix(".gridwright"), table.with_suffix(".left-out.csv")
    wait("the imported tables", lambda: project.is_file() and report.is_file())
    lines = report.read_text()
    if ",702," not in lines or ",1903," not in lines:
        fail(f"the report of the import does not name lines 702 and 1903:\n{lines}")
    desk.seen("How many periods\\?")
    return project


def dated(desk, project):
    """Eighteen periods from the first of June, a holiday, seats."""
    desk.press("Calendar…")
    desk.enter("First day", "2026-06-01")
    desk.press("after so many periods")
    desk.enter("Periods of the session", "18")
    desk.enter("Seats in every period", "420")
    desk.enter("Day to leave out or take in", "2026-06-08")
    desk.picture("calendar")
    desk.press("Apply")

    def calendar():
        text = head(project)
        return "2026-06-12" in text and "2026-06-08" not in text and text.count("Some(420)") >= 18

    wait("the calendar in the project", calendar)


def solved(desk, project, number):
    """Waits for the run with this number and says what the window thinks of it."""
    text = wait(f"run {number}", lambda: run_text(project, number), 90)
    if "feasible: true" not in text or "confirmed: true" not in text:
        fail(f"run {number} is not a valid timetable")
    desk.still()


def place(project, exam):
    """Where the timetable that is being edited has an exam, counted from 1; None: nothing is being edited."""
    draft = re.search(r"draft: Some\((.*?)base:", head(project), re.S)
    found = draft and re.search(rf'\("{exam}", *Some\((\d+)\)\)', draft[1])
    return int(found[1]) + 1 if found else None


def adjusted(desk, project, periods, lines):
    """A move with something against it, one that is made anyway, a pin; returns what was moved and pinned."""
    pairs = neighbours(lines, periods)
    _, first, other = pairs[0]
    _, second, wrong = next(pair for pair in pairs if not {pair[1], pair[2]} & {first, other})
    desk.command(f"Go to exam {first}")
    desk.picture("selected")
    desk.key("alt+Right")
    desk.seen("Move anyway")
    desk.picture("question")
    # First the cross that closes the question, then the best alternative.
    desk.key("Tab", "Tab", "Return")
    there = wait(f"{first} in another period", lambda: place(project, first), 5)
    if there in (periods[first], periods[other]):
        fail(f"{first} went to period {there}, which was not offered")
    desk.key("p")
    wait(f"a pin of {first}", lambda: re.search(rf'\("{first}", *{there - 1}\)', head(project)), 5)
    desk.command(f"Go to exam {second}")
    desk.key("alt+Right")
    desk.press("Move anyway")
    wait(f"{second} beside {wrong}", lambda: place(project, second) == periods[wrong], 5)
    desk.picture("edited")
    return first, there, second


def exported(desk, work, program, project):
    """Every format, and the independent check of what was written."""
    desk.key("ctrl+e")
    desk.seen("Path of the export")
    shown = [widget.name for widget in desk.widgets() if widget.role == RADIO and widget.enabled]
    if len(shown) < len(FORMATS):
        fail(f"the window offers {shown}")
    desk.picture("export")
    desk.key("Escape")
    # Path of each file by what follows the first point of its name.
    written = {}
    for name in shown:
        desk.key("ctrl+e")
        desk.seen("Path of the export")
        desk.press(re.escape(name), roles=(RADIO,))
        path = pathlib.Path(desk.seen("Path of the export").text)
        written[path.name.partition(".")[2]] = path
        desk.press("Write file")
        wait(str(path), lambda: path.is_file() and path.stat().st_size > 0)
        wait("the end of the export", lambda: not desk.find("Write file"))
    with zipfile.ZipFile(written["students.zip"]) as archive:
        if archive.testzip() or len(archive.namelist()) != 1200:
            fail("not every student has a calendar")
    subprocess.run([program, "verify", str(project), str(written["sol"])], check=True, stdout=subprocess.DEVNULL)
    text = output("pdftotext", "-layout", str(written["report.pdf"]), "-")
    for words in ("How it was made", "with the price of moved exams", "Compared with Run 1"):
        if words not in text:
            fail(f"the report does not say «{words}»")
    subprocess.run(["pdftoppm", "-r", "70", "-png", "-f", "1", "-l", "1", "-singlefile",
                    str(written["report.pdf"]), str(desk.pictures / "report")], check=True)


def tour(program, work, pictures):
    table, titles, lines = invent(program, work)
    desk = Desktop(program, work, pictures, numbered=False)
    (desk.home / "state.ron").write_text("(theme: Light)")
    try:
        desk.open()
        project = imported(desk, table, titles)
        dated(desk, project)
        desk.key("F5")
        # The tree of accessibility is slow while all cores search.
        time.sleep(4)
        desk.picture("solving", moving=True)
        solved(desk, project, 1)
        desk.picture("result")
        for key, name in (("2", "periods"), ("3", "conflicts"), ("4", "load")):
            desk.key(f"ctrl+{key}")
            desk.picture(name)
        desk.key("ctrl+1", "ctrl+f")
        desk.type(collections.Counter(student for student, _ in lines).most_common(1)[0][0])
        desk.key("Return")
        desk.picture("students")
        desk.key("ctrl+1", "ctrl+f", "ctrl+a", "Delete", "Escape")
        periods = timetable(program, project, 1, work)
        first, there, second = adjusted(desk, project, periods, lines)
        desk.key("F6")
        desk.picture("around")
        desk.press("Solve", at=-1)
        solved(desk, project, 2)
        after = timetable(program, project, 2, work)
        moved = [exam for exam in after if after[exam] != periods[exam]]
        if after[first] != there or len(moved) > 45:
            fail(f"the second run moved {len(moved)} exams, {first} to {after[first]} instead of {there}")
        desk.command("Select nothing")
        desk.picture("rules")
        desk.command("Compare run 1 with run 2")
        desk.picture("compare")
        desk.key("ctrl+shift+s")
        desk.picture("save")
        desk.press("Cancel")
        exported(desk, work, program, project)
        desk.close()
        desk.open("open", project)
        desk.command("Theme: dark")
        desk.key("ctrl+1")
        desk.command(f"Go to exam {first}")
        desk.picture("dark-grid")
        desk.key("ctrl+8")
        desk.picture("dark-compare")
        desk.key("ctrl+p")
        desk.type("export")
        desk.picture("palette")
        desk.key("Escape")
        if str(project) not in (desk.home / "state.ron").read_text():
            fail("the project is not among the recent files")
        desk.close()
        print(f"tour done: {len(moved)} exams moved, {first} stayed where it was pinned; pictures in {pictures}")
    except BaseException:
        desk.failed()
        raise
    finally:
        desk.end()


def main(arguments):
    store = "--store" in arguments
    program, pictures = (pathlib.Path(argument).resolve() for argument in arguments if argument != "--store")
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="registry-") as work:
        tour(str(program), pathlib.Path(work), pictures)
    if store:
        store_pictures(pictures, HERE)


main(sys.argv[1:]) if __name__ == "__main__" else None
