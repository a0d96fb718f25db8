"""Trials of an office in the real window: .ci/office says which, and how it is called."""

import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

import openpyxl

from desktop import Desktop, fail, wait
import office_tables as tables


class Trial:
    """A desktop with a folder for the person's files."""

    def __init__(self, program, name, pictures):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix=f"gridwright-{name}-"))
        self.desk = Desktop(program, self.work, pictures / name)
        self.desk.pictures.mkdir(parents=True, exist_ok=True)
        self.program, self.name = str(program), name
        self.files = self.work / "office"
        self.files.mkdir()

    def import_file(self, path, leave_out=True):
        """Reads a file in the import dialog and looks at all four steps."""
        desk = self.desk
        desk.press("Import…")
        desk.enter("Path of a table", str(path))
        desk.press("Add")
        desk.seen("3 Problems.*")
        desk.says(r"Problems \(\d+\)", 60)
        desk.picture("import-files")
        desk.press("2 Columns")
        desk.picture("import-columns")
        desk.press("3 Problems.*")
        desk.picture("import-problems")
        if leave_out:
            desk.press("Leave out")
            desk.still()
        desk.press("4 Summary")
        desk.picture("import-summary")

    def take_over(self, project):
        self.desk.press("Take over", seconds=60)
        wait(str(project), project.is_file, 60)
        wait("the imported document", lambda: not self.desk.find("Import tables"), 60)
        self.desk.still()
        self.desk.picture("imported")

    def runs(self, path):
        """Names of the runs in a project file."""
        with zipfile.ZipFile(path) as archive:
            return [name for name in archive.namelist() if name.startswith("runs/")]

    def solve(self, project, number):
        """Solves with the quick preset until the project holds that many runs."""
        self.desk.press("Solve|Solve \\(F5\\)")
        self.desk.says("Stop")
        self.desk.picture(f"solving-{number}", moving=True)
        wait(f"run {number}", lambda: len(self.runs(project)) >= number, 120)
        self.desk.still()
        self.desk.picture(f"solved-{number}")

    def moved(self, project):
        """The project alone in another folder; everything else is gone. Opens it there."""
        self.desk.close()
        elsewhere = self.work / "elsewhere"
        elsewhere.mkdir()
        copied = shutil.copy(project, elsewhere)
        shutil.rmtree(self.files)
        shutil.rmtree(self.desk.home)
        self.desk.home.mkdir()
        self.desk.open(copied)
        self.desk.seen("Data", 60)
        self.desk.picture("reopened")
        return pathlib.Path(copied)

    def export(self, name):
        """Exports what is shown by the dialog; returns the path that the dialog names, once the file is there."""
        desk = self.desk
        desk.key("ctrl+e")
        desk.press(name)
        path = pathlib.Path(desk.seen("Path of the export").text)
        desk.picture(f"export-{path.suffix[1:]}")
        desk.press("Write file")
        wait(str(path), lambda: path.is_file() and path.stat().st_size > 0, 60)
        wait("the end of the export", lambda: not desk.find("Write file"))
        return path


def exams(program, pictures):
    trial = Trial(program, "exams", pictures)
    desk = trial.desk
    try:
        source = trial.files / "Anmeldungen Sommer 2026.xlsx"
        pairs = tables.exams_workbook(source)
        desk.open()
        trial.import_file(source)
        project = source.with_suffix(".gridwright")
        trial.take_over(project)
        trial.solve(project, 1)
        desk.key("ctrl+s")
        desk.picture("saved")
        copied = trial.moved(project)
        if len(trial.runs(copied)) != 1:
            fail("the run is not in the copied project")
        late, added = tables.late_enrolments(pairs)
        desk.press("Data")
        desk.picture("data")
        desk.copy(late)
        desk.press("Enrolments, row.*")
        desk.key("ctrl+v")
        desk.says("40.?030 enrolments", 60)
        desk.picture("late")
        desk.press("Grid")
        desk.picture("late-grid")
        trial.solve(copied, 2)
        exported(trial, ["Excel workbook", "PDF document", "CSV by student"])
        desk.close()
    except BaseException:
        desk.tool("import", "-window", "root", desk.pictures / "failed.png")
        raise
    finally:
        desk.end()


def exported(trial, names):
    formats = {}
    for name in names:
        formats[name] = trial.export(name)
    return formats


def layout(program, pictures):
    trial = Trial(program, "layout", pictures)
    desk = trial.desk
    try:
        source = trial.files / "Werk Nord.xlsx"
        areas = tables.layout_workbook(source)
        desk.open()
        trial.import_file(source)
        for widget in desk.widgets():
            if widget.left > 190: print(widget, widget.enabled)
        project = source.with_suffix(".gridwright")
        desk.enter("Width", "60")
        desk.enter("Height", "40")
        desk.picture("import-plant")
        trial.take_over(project)
        trial.solve(project, 1)
        copied = trial.moved(project)
        desk.press("Data")
        desk.picture("data")
        desk.press("Flows .*")
        desk.picture("data-flows")
        desk.copy("From\tTo\tFlow (pallets/day)\nLager 1\tVersand 2\t80\nMontage 1\tVersand 1\t75\n")
        desk.press("Flows, row.*")
        desk.key("ctrl+v")
        desk.picture("late-flows")
        desk.press("Floor plan")
        desk.picture("late-plan")
        trial.solve(copied, 2)
        for widget in desk.widgets():
            if widget.left > 190: print(widget, widget.enabled)
        desk.close()
    except BaseException:
        desk.tool("import", "-window", "root", desk.pictures / "failed.png")
        raise
    finally:
        desk.end()


def shop(program, pictures):
    trial = Trial(program, "shop", pictures)
    desk = trial.desk
    try:
        source = trial.files / "Auftragsliste KW 30.xlsx"
        times = tables.shop_workbook(source)
        desk.open()
        trial.import_file(source)
        for widget in desk.widgets():
            if widget.left > 190: print(widget, widget.enabled)
        project = source.with_suffix(".gridwright")
        trial.take_over(project)
        trial.solve(project, 1)
        copied = trial.moved(project)
        desk.press("Data")
        desk.picture("data")
        desk.copy("Order\tSäge (min)\tFräse (min)\tDue date\nEilauftrag\t20\t30\t200\n")
        desk.press("Jobs, row.*")
        desk.key("ctrl+v")
        desk.picture("late-order")
        desk.press("Gantt")
        desk.picture("late-gantt")
        trial.solve(copied, 2)
        for widget in desk.widgets():
            if widget.left > 190: print(widget, widget.enabled)
        desk.close()
    except BaseException:
        desk.tool("import", "-window", "root", desk.pictures / "failed.png")
        raise
    finally:
        desk.end()


TRIALS = {"exams": exams, "layout": layout, "shop": shop}

if __name__ == "__main__":
    program, pictures, *names = sys.argv[1:]
    for name in names or TRIALS:
        TRIALS[name](pathlib.Path(program).resolve(), pathlib.Path(pictures).resolve())
