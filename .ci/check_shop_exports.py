"""Compares the workbook of a flow shop, as LibreOffice shows it, and the calendars of another one with their tables; called by
.ci/exports in the folder of the exports."""

import csv
import datetime
import json
import pathlib
import sys
import zipfile
import zoneinfo

import icalendar


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    """What a sheet shows: thousands have a comma."""
    return int(text.replace(",", "") or 0)


operations = {(line["job"], line["machine"]): (int(line["start"]), int(line["end"])) for line in table("shop.csv")}
jobs, machines = table("sheets/shop-Jobs.csv"), table("sheets/shop-Machines.csv")
order = pathlib.Path("shop.sol").read_text(encoding="utf-8").split("\n")
order = [name for name in order if name and not name.startswith("#")]
check([line["Job"] for line in jobs] == order, "the sheet Jobs is in another order than the plan")
names = {machine for _, machine in operations}
late = 0
for line in jobs:
    of = {machine: operations[line["Job"], machine] for machine in names}
    for machine, (start, end) in of.items():
        found = (number(line[f"{machine}: start"]), number(line[f"{machine}: end"]))
        check(found == (start, end), f"{line['Job']} on {machine}: {found}, expected {(start, end)}")
    start, done = min(time[0] for time in of.values()), max(time[1] for time in of.values())
    check((number(line["Start"]), number(line["Done"])) == (start, done), f"{line['Job']} starts or ends otherwise")
    work = sum(end - start for start, end in of.values())
    check(number(line["Work"]) == work and number(line["Waits"]) == done - start - work, f"work of {line['Job']}")
    check(number(line["Late by"]) == max(0, done - number(line["Due"])), f"{line['Job']} is late otherwise")
    late += number(line["Late by"])
check(len(machines) == len(operations), f"{len(machines)} rows for {len(operations)} operations")
free = {}
for line in machines:
    found = (number(line["Start"]), number(line["End"]))
    check(found == operations[line["Job"], line["Machine"]], f"{line['Job']} on {line['Machine']}: {found}")
    check(number(line["Duration"]) == found[1] - found[0], f"duration of {line['Job']} on {line['Machine']}")
    waits = found[0] - free.get(line["Machine"], 0)
    check(number(line["Machine waits before"]) == waits, f"{line['Machine']} waits otherwise before {line['Job']}")
    free[line["Machine"]] = found[1]
summary = pathlib.Path("sheets/shop-Summary.csv").read_text(encoding="utf-8")
verdict = json.loads(pathlib.Path("shop.json").read_text(encoding="utf-8"))["objectives"]
check("Complete and in order, as checked" in summary, "the summary does not say that the plan was checked")
check(f"Makespan,{verdict['makespan']:,}" in summary.replace('"', ""), "makespan of the summary")
check(verdict["makespan"] == max(free.values()) and verdict["tardiness"] == late, "the checker counts otherwise")

# Calendars: every operation at its moment, also where the clocks are set back, and its set-up right before it on the machine.
UTC = datetime.timezone.utc
begin = datetime.datetime(2026, 10, 24, 20, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).astimezone(UTC)
stated = {}
for line in table("dated-plan.csv"):
    moments = [begin + datetime.timedelta(minutes=int(line[side])) for side in ("start", "end")]
    stated[f"{line['job']} · {line['machine']}"] = tuple(moments)


def events(text):
    """Summary → (start, end) in UTC, with what every event must have."""
    found = {}
    calendar = icalendar.Calendar.from_ical(text)
    check(len(calendar.walk("VTIMEZONE")) == 1, "a calendar without its time zone")
    for event in calendar.walk("VEVENT"):
        summary = str(event["SUMMARY"])
        check(summary not in found, f"two events {summary}")
        check(str(event["LOCATION"]) == summary.rsplit(" · ", 1)[1], f"place of {summary}")
        identifiers.setdefault(summary, set()).add(str(event["UID"]))
        found[summary] = tuple(event[side].dt.astimezone(UTC) for side in ("DTSTART", "DTEND"))
    return found


identifiers = {}
found = events(pathlib.Path("dated-plan.ics").read_bytes())
setups = {name: when for name, when in found.items() if name.startswith("Set-up for ")}
check({name: when for name, when in found.items() if name not in setups} == stated, "operations of dated-plan.ics")
lengths = sorted((end - start).total_seconds() / 60 for start, end in setups.values())
check(lengths and set(lengths) <= {5, 10, 25}, f"set-ups of {lengths} minutes")
for name, (_, end) in setups.items():
    check(end <= stated[name.removeprefix("Set-up for ")][0], f"{name} ends after the job has begun")
change = datetime.datetime(2026, 10, 25, 1, tzinfo=UTC)
check(any(start < change < end for start, end in stated.values()), "no operation goes on while the clocks are set back")
parts = {}
with zipfile.ZipFile("dated-plan.machines.zip") as archive:
    check(archive.testzip() is None, "dated-plan.machines.zip is damaged")
    check(sorted(pathlib.PurePosixPath(name).name for name in archive.namelist()) == ["Paint.ics", "Saw.ics"], "machines")
    for name in archive.namelist():
        of_machine = events(archive.read(name))
        machine = pathlib.PurePosixPath(name).stem
        check(all(summary.endswith(f" · {machine}") for summary in of_machine), f"{name} has another machine")
        parts.update(of_machine)
check(parts == found, "the calendars of machines are not that of the shop")
check(all(len(own) == 1 for own in identifiers.values()), "an event has two identifiers")
check(len(set.union(*identifiers.values())) == len(identifiers), "two events have one identifier")

# Layouts: what the table says stands in the workbook, and all pairs together cost what the checker says.
rooms = {line["department"]: line for line in table("vertical.csv")}
sheet = table("sheets/vertical-Departments.csv")
check(len(sheet) == len(rooms), "rows of the sheet Departments")
for line in sheet:
    room = rooms[line["Department"]]
    heads = ("x (m)", "y (m)", "Width (m)", "Height (m)", "Area (m²)")
    for column, head in zip(("x", "y", "width", "height", "area"), heads):
        shown = float(line[head].replace(",", ""))
        check(abs(shown - float(room[column])) <= 0.006, f"{column} of {line['Department']}: {shown}")
    check((line["Bay"], line["Place"]) == (room["bay"], room["place"]), f"bay of {line['Department']}")
cost = json.loads(pathlib.Path("vertical.json").read_text(encoding="utf-8"))["cost"]
flows = table("sheets/vertical-Flows.csv")
total = sum(float(line["Cost"].replace(",", "")) for line in flows)
check(abs(total - cost) <= 0.006 * len(flows), f"all pairs cost {total}, the layout {cost}")
check(len(table("sheets/vertical-Bays.csv")) == max(int(room["bay"]) for room in rooms.values()), "bays")
print(f"exports: {len(jobs)} jobs, {len(names)} machines, {len(sheet)} departments: workbooks and tables agree")
