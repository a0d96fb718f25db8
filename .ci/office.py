"""Trials of offices in the real window, on workbooks that the trials make themselves: import, solve, keep as one file, open that
file elsewhere, late changes, solve again, export. A whole examination session is in session.py. Each step leaves a picture. Called by
.ci/office.
"""

import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import openpyxl

import office_tables as tables
from desktop import Desktop, expect, output, store_pictures, wait
from session import session

# Coordinates have six digits.
TOUCH = 1e-3
HERE = pathlib.Path(__file__).resolve().parent.parent


class Trial:
    """A desktop with a folder for the person's files."""

    def __init__(self, program, name, pictures, work):
        self.program, self.work, self.files = str(program), work, work / "office"
        self.files.mkdir()
        self.desk = Desktop(program, work, pictures)
        (self.desk.home / "state.ron").write_text("(theme: Light)")

    def import_file(self, path, problems):
        """Reads a file in the import dialog and looks at all four steps; so many problems and remarks are expected."""
        desk = self.desk
        desk.press("Import…")
        desk.enter("Path of a table", str(path))
        desk.press("Add")
        desk.seen(rf"3 Problems \({problems}\)", 60)
        desk.picture("import-files")
        desk.press("2 Columns")
        desk.picture("import-columns")
        desk.press("3 Problems.*")
        desk.picture("import-problems")
        desk.press("Leave out")
        desk.still()
        desk.press("4 Summary")
        desk.picture("import-summary")

    def take_over(self, project):
        self.desk.says("Everything is ready", 60)
        self.desk.press("Take over")
        wait(str(project), project.is_file, 60)
        self.desk.seen("Solve now", 60)
        self.desk.still()
        self.desk.picture("imported")

    def solve(self, project, number):
        """Solves with the quick preset until the project file holds that many runs."""
        self.desk.press("Solve")
        self.desk.picture(f"solving-{number}", moving=True)

        def runs():
            with zipfile.ZipFile(project) as archive:
                return [name for name in archive.namelist() if name.startswith("runs/")]

        wait(f"run {number} in the project", lambda: len(runs()) == number, 120)
        self.desk.seen("checked|proven optimal", 60)
        self.desk.picture(f"solved-{number}")

    def move(self, project):
        """Leaves nothing but the project, in another folder, and opens it there."""
        self.desk.key("ctrl+s")
        self.desk.seen("The project was saved")
        self.desk.picture("save")
        self.desk.close()
        elsewhere = self.work / "elsewhere"
        elsewhere.mkdir()
        copied = pathlib.Path(shutil.copy(project, elsewhere))
        shutil.rmtree(self.files)
        shutil.rmtree(self.desk.home)
        self.desk.home.mkdir()
        (self.desk.home / "state.ron").write_text("(theme: Light)")
        self.desk.open(copied)
        self.desk.seen("Run 1: .*", 60)
        self.desk.picture("reopened")
        return copied

    def paste(self, table, rows, count):
        """Pastes rows into a table of the view «Data», which then has so many; the run is shown as one for earlier data."""
        desk = self.desk
        desk.press("Data")
        if desk.find(f"{table} [0-9].*"):
            desk.press(f"{table} [0-9].*")
        desk.picture("data")
        desk.press(f"{table}, row.*")
        desk.copy(rows)
        desk.key("ctrl+v")
        desk.seen(count, 60)
        run = desk.seen("Run 1: .*earlier data.*", 60)
        desk.says("Run 1, solved for earlier data")
        desk.picture("late")
        return run.name

    def export(self, *names):
        """Exports what is shown by the dialog; returns the paths that it names, once the files are there."""
        desk, paths = self.desk, []
        for name in names:
            desk.dismiss()
            desk.key("ctrl+e")
            desk.press_in_list(name, "Path of the export")
            path = pathlib.Path(desk.seen("Path of the export").text)
            desk.picture(f"export-{path.suffix[1:]}")
            desk.press("Write file")
            wait(str(path), lambda: path.is_file() and path.stat().st_size > 0, 60)
            wait("the end of the export", lambda: not desk.find("Write file"))
            paths.append(path)
        return paths


def lines(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def exams(trial):
    desk, source = trial.desk, trial.files / "Anmeldungen Sommer 2026.xlsx"
    pairs = tables.exams_workbook(source)
    desk.open()
    trial.import_file(source, problems=48)
    desk.says("350 exams, 8.000 students, 30 periods")
    project = source.with_suffix(".gridwright")
    trial.take_over(project)
    left_out = lines(source.with_suffix(".left-out.csv"))
    # A text that a spreadsheet would compute has an apostrophe in front.
    values = {line["value"].lstrip("'") for line in left_out}
    expect({"ZZ9999", "#NV", "lang", "viele"} <= values, f"what was left out is not listed: {values}")
    trial.solve(project, 1)
    copied = trial.move(project)
    late, added = tables.late_enrolments(pairs)
    run = trial.paste("Enrolments", late, "40.030 enrolments")
    expect("clash" in run, f"the clashes of run 1 are not named: {run}")
    desk.press("Grid")
    desk.says("does not fit the present ones")
    desk.picture("clashes")
    trial.solve(copied, 2)
    workbook, document, table = trial.export("Excel workbook", "PDF document", "CSV by student")
    sheet = openpyxl.load_workbook(workbook, read_only=True)["Students"]
    rows = [row[:4] for row in sheet.iter_rows(min_row=2, values_only=True)]
    found = {(str(student), code): int(period) for student, code, _, period in rows}
    expect(set(found) == set(pairs) | set(added), "the workbook lacks enrolments or has others")
    expect(len({(student, period) for (student, _), period in found.items()}) == len(found), "two exams at one time")
    given = {(line["student"], line["code"]): int(line["period"]) for line in lines(table)}
    expect(given == found, "the CSV table says something else than the workbook")
    text = output("pdftotext", "-layout", str(document), "-")
    expect("350 exams" in text and "Students with a clash" in text, "the PDF does not tell of the session")


def layout(trial):
    desk, source = trial.desk, trial.files / "Werk Nord.xlsx"
    areas = tables.layout_workbook(source)
    desk.open()
    trial.import_file(source, problems=5)
    desk.says("Plant, Width: the value is missing. Enter it above")
    desk.enter("Width", "60")
    desk.enter("Height", "40")
    desk.picture("import-plant")
    project = source.with_suffix(".gridwright")
    trial.take_over(project)
    trial.solve(project, 1)
    copied = trial.move(project)
    trial.paste("Flows", "From\tTo\tFlow (pallets/day)\nLager 1\tVersand 2\t80\nMontage 1\tVersand 1\t75\n", "68 flows")
    desk.press("Floor plan")
    desk.picture("late-plan")
    trial.solve(copied, 2)
    table, workbook = trial.export("CSV table", "Excel workbook")
    rows = lines(table)
    expect({line["department"]: float(line["area"]) for line in rows} == areas, "departments or areas are not those of the file")
    boxes = [[float(line[name]) for name in ("x", "y", "width", "height")] for line in rows]
    for index, (x, y, width, height) in enumerate(boxes):
        expect(x >= -TOUCH and y >= -TOUCH and x + width <= 60 + TOUCH and y + height <= 40 + TOUCH, f"{rows[index]} leaves the plant")
        expect(abs(width * height - float(rows[index]["area"])) < 0.01, f"{rows[index]} has another area")
        for a, b, c, d in boxes[:index]:
            apart = x + width <= a + TOUCH or a + c <= x + TOUCH or y + height <= b + TOUCH or b + d <= y + TOUCH
            expect(apart, f"{rows[index]} lies on another department")
    expect(openpyxl.load_workbook(workbook, read_only=True).sheetnames, "the workbook has no sheets")


def shop(trial):
    desk, source = trial.desk, trial.files / "Auftragsliste KW 30.xlsx"
    times = tables.shop_workbook(source)
    desk.open()
    trial.import_file(source, problems=1)
    desk.seen("Columns that are not used: Quantity, Priority, Setup time")
    desk.says("40 jobs, 5 machines")
    project = source.with_suffix(".gridwright")
    trial.take_over(project)
    trial.solve(project, 1)
    copied = trial.move(project)
    rush = "Order\tSäge (min)\tFräse (min)\tBohrer (min)\tLack (min)\tMontage (min)\tDue date\nEilauftrag\t20\t30\t10\t5\t15\t200\n"
    run = trial.paste("Jobs", rush, "41 jobs")
    expect("1 new job at the end" in run and "proven" not in run, f"run 1 does not say what was added: {run}")
    desk.press("Gantt")
    desk.picture("late-gantt")
    trial.solve(copied, 2)
    (table,) = trial.export("CSV table")
    times["Eilauftrag"] = [20, 30, 10, 5, 15]
    jobs, ends = {}, {}
    for line in sorted(lines(table), key=lambda line: int(line["start"])):
        start, end = int(line["start"]), int(line["end"])
        jobs.setdefault(line["job"], []).append(end - start)
        for key in (("job", line["job"]), ("machine", line["machine"])):
            expect(start >= ends.get(key, 0), f"{line} begins before {key} is free")
            ends[key] = end
    expect(jobs == times, "the schedule has other jobs, machines or times than the file")


def binary(trial):
    desk = trial.desk
    desk.open()
    desk.press("New…", at=3)
    desk.seen("Solve now", 60)
    desk.press("Data")
    desk.picture("problem")
    desk.enter("Capacity", "11")
    desk.press("Items [0-9].*")
    desk.press("Items, row.*")
    desk.copy("Item\tProfit\tWeight\nAxe\t7\t3\nRope\t4\t2\n")
    desk.key("ctrl+v")
    desk.seen("6 items")
    desk.picture("late")
    desk.press("Solve")
    desk.seen("checked|proven optimal", 60)
    desk.picture("solved")
    (table,) = trial.export("CSV table")
    rows = lines(table)
    taken = [line for line in rows if line["taken"] == "1"]
    expect(len(rows) == 6 and sum(int(line["weight"]) for line in taken) <= 11, f"the items do not fit: {taken}")


TRIALS = {"exams": exams, "layout": layout, "shop": shop, "binary": binary, "session": session}


def main(program, pictures, *arguments):
    names = [argument for argument in arguments if argument != "--store"] or list(TRIALS)
    for name in names:
        folder = pathlib.Path(pictures).resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f"gridwright-{name}-") as work:
            trial = Trial(pathlib.Path(program).resolve(), name, folder, pathlib.Path(work))
            try:
                TRIALS[name](trial)
                trial.desk.close()
                print(f"{name}: done; pictures in {folder}")
            except BaseException:
                trial.desk.failed()
                raise
            finally:
                trial.desk.end()
        if "--store" in arguments:
            store_pictures(folder, HERE, f"{name}-")


main(*sys.argv[1:]) if __name__ == "__main__" else None
