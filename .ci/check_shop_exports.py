"""Compares the workbook of a flow shop, as LibreOffice shows it, with its table; called by .ci/exports in the folder of the
exports."""

import csv
import json
import pathlib
import sys


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
