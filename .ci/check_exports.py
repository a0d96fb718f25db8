"""Compares what was exported with the plain table of exams; called by .ci/exports in the folder of the exports."""

import csv
import datetime
import json
import pathlib
import sys
import zipfile

import icalendar


def fail(what):
    sys.exit(f"error: {what}")


def check(holds, what):
    if not holds:
        fail(what)


def equal(found, expected, what):
    check(found == expected, f"{what}: found {found!r}, expected {expected!r}")


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def shown(date):
    """A date as the workbook shows it: Mon 1 Jun 2026."""
    date = datetime.date.fromisoformat(date)
    return f"{date:%a} {date.day} {date:%b} {date.year}"


def times(code):
    """When an exam begins and ends: floating times, its own duration where it is shorter than the period."""
    period = calendar[int(exams[code]["period"]) - 1]
    start, end = (datetime.datetime.fromisoformat(f"{period['date']}T{period[at]}") for at in ("start", "end"))
    duration = source[code].get("duration")
    if duration:
        end = min(end, start + datetime.timedelta(minutes=int(duration)))
    return start, end


exams = {line["code"]: line for line in table("plan.csv")}
source = {line["code"]: line for line in table("school/exams.csv")}
calendar = table("school/periods.csv")
enrolments = table("school/enrolments.csv")
equal(sorted(exams), sorted(source), "exams of plan.csv")
check(all(line["period"] for line in exams.values()), "an exam of plan.csv has no period")
for code, line in exams.items():
    period = calendar[int(line["period"]) - 1]
    for column in ("date", "start"):
        equal(line[column], period[column], f"{column} of {code}")
    equal(line["end"], f"{times(code)[1]:%H:%M}", f"end of {code}")
    equal(line["title"], source[code]["title"], f"title of {code}")
    sitting = sum(1 for entry in enrolments if entry["exam"] == code)
    equal(int(line["enrolment"]), sitting, f"enrolment of {code}")

# Tables by period and by student hold the same.
lines = table("plan.periods.csv")
equal(sorted(line["code"] for line in lines if line["code"]), sorted(exams), "exams of plan.periods.csv")
equal([int(line["period"]) for line in lines], sorted(int(line["period"]) for line in lines), "order of periods")
equal({int(line["period"]) for line in lines}, set(range(1, len(calendar) + 1)), "periods of plan.periods.csv")
lines = table("plan.students.csv")
pairs = sorted((line["student"], line["code"]) for line in lines)
equal(pairs, sorted((entry["student"], entry["exam"]) for entry in enrolments), "enrolments of plan.students.csv")
check(all(line["period"] == exams[line["code"]]["period"] for line in lines), "plan.students.csv has another period")
check(all(line["periods_since_exam_before"] != "0" for line in lines), "a student has two exams in one period")

# The workbook, as LibreOffice shows it.
for sheet in ("Exams", "Periods"):
    lines = table(f"sheets/plan-{sheet}.csv")
    equal(len(lines), len(exams), f"rows of the sheet {sheet}")
    for line in lines:
        exam = exams[line["Code"]]
        wanted = (exam["title"], exam["enrolment"], exam["period"], shown(exam["date"]), exam["start"], exam["end"])
        found = tuple(line[column] for column in ("Title", "Students", "Period", "Date", "Start", "End"))
        equal(found, wanted, f"{line['Code']} in the sheet {sheet}")
lines = table("sheets/plan-Students.csv")
equal(sorted((line["Student"], line["Code"]) for line in lines), pairs, "rows of the sheet Students")
for line in lines:
    exam = exams[line["Code"]]
    found = (line["Title"], line["Period"], line["Date"], line["Start"])
    equal(found, (exam["title"], exam["period"], shown(exam["date"]), exam["start"]), f"{line['Code']} of a student")
summary = pathlib.Path("sheets/plan-Summary.csv").read_text(encoding="utf-8")
compared = json.loads(pathlib.Path("compare.json").read_text(encoding="utf-8"))
check("Clash-free and complete" in summary, "the sheet Summary does not say that the plan is clash-free")
# A session with dates has the objective of offices.
cost = f"{compared['b']['cost']:,}"
spaced_cost = cost.replace(",", " ")
check(f'Cost (Office),"{cost}"' in summary, f"the sheet Summary does not say the cost {cost}")


def events(text, is_public=False):
    """Code → (start, end), with everything that every event must have; the calendar of the session says how many students."""
    found, names = {}, set()
    for event in icalendar.Calendar.from_ical(text).walk("VEVENT"):
        code = str(event["SUMMARY"]).split(" ")[0]
        check(code not in found, f"two events of {code}")
        found[code] = (event["DTSTART"].dt, event["DTEND"].dt)
        check(event["UID"] not in names, f"two events are named {event['UID']}")
        names.add(event["UID"])
        check(event["DTSTAMP"].dt.tzinfo is not None, f"DTSTAMP of {code} is not UTC")
        words = str(event["DESCRIPTION"])
        exam = exams[code]
        students = (f"{int(exam['enrolment']):,} student",) if is_public else ()
        for part in (code, exam["title"], f"Period {exam['period']}", *students):
            check(part in words, f"“{part}” is missing in the description of {code}: {words!r}")
    return found


found = events(pathlib.Path("plan.ics").read_bytes(), is_public=True)
equal(sorted(found), sorted(exams), "events of plan.ics")
for code, when in found.items():
    equal(when, times(code), f"time of {code} in plan.ics")

sits = {}
for entry in enrolments:
    sits.setdefault(entry["student"], set()).add(entry["exam"])
with zipfile.ZipFile("plan.students.zip") as archive:
    check(archive.testzip() is None, "plan.students.zip is damaged")
    names = {pathlib.PurePosixPath(name).stem: name for name in archive.namelist()}
    equal(sorted(names), sorted(sits), "students of plan.students.zip")
    for student, name in names.items():
        found = events(archive.read(name))
        equal(set(found), sits[student], f"events of student {student}")
        for code, when in found.items():
            equal(when, times(code), f"time of {code} for student {student}")
equal(set(events(pathlib.Path("s1.ics").read_bytes())), sits["s1"], "events of s1.ics")

# The documents say it in words that can be searched.
for name in ("plan.pdf", "bare.pdf"):
    words = pathlib.Path(f"{name}.txt").read_text(encoding="utf-8")
    for code in exams:
        check(code in words, f"{code} is not in {name}")
    for date in {line["date"] for line in exams.values()}:
        day = datetime.date.fromisoformat(date)
        check(f"{day:%A} {day.day} {day:%B} {day.year}" in words, f"{date} is no heading of {name}")
for name, parts in {
    "plan.report.pdf": ("annealing", "Seed", "Convergence", "Compared with other.ron", "Moved exams", spaced_cost),
    "plain.report.pdf": ("Clash-free and complete", "Students per period", spaced_cost),
}.items():
    # Digits are grouped by thin spaces, which some readers of documents give as plain ones.
    words = pathlib.Path(f"{name}.txt").read_text(encoding="utf-8").replace("\u2009", " ")
    for part in parts:
        check(part in words, f"“{part}” is not in {name}")

# The comparison and the tables agree on what moved.
before = {line.split()[0]: int(line.split()[1]) for line in pathlib.Path("other.sol").read_text().splitlines() if line}
moved = {code for code in exams if before[code] + 1 != int(exams[code]["period"])}
equal({entry["exam"] for entry in compared["moved"]}, moved, "moved exams")
tally = compared["students"]
equal(tally["better"] + tally["worse"] + tally["equal"], len(sits), "students of the comparison")
print(f"exports: {len(exams)} exams, {len(sits)} students: workbook, calendars, documents and tables agree")
