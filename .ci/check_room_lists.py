"""Checks the printed lists of a session with rooms, as text, against the table by student.

Usage: check_room_lists.py SESSION PLAN [PLACE], in the folder with PLAN.students.csv, PLAN.registers.txt, PLAN.doors.txt,
PLAN.packing.txt, PLAN.pdf.txt and PLAN.ics. PLACE: where students with extra time sit.
"""

import collections
import csv
import re
import sys

session, plan, place = sys.argv[1], sys.argv[2], (sys.argv + ["same-room"])[3]


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def text(name):
    with open(f"{plan}.{name}", encoding="utf-8") as file:
        return file.read()


enrolments = [(line["student"], line["exam"]) for line in table(f"{session}/enrolments.csv")]
rooms = {line["room"]: int(line["exam seats"]) for line in table(f"{session}/rooms.csv")}
lines = table(f"{plan}.students.csv")
check(sorted((line["student"], line["code"]) for line in lines) == sorted(enrolments), "the table by student lacks enrolments")
check(all(line["room"] in rooms for line in lines), "a student has no room")

# No room holds more students than it has seats; a student alone in a room is its only one.
seated = collections.defaultdict(list)
for line in lines:
    seated[line["period"], line["room"]].append(line)
for (period, room), there in seated.items():
    check(len(there) <= rooms[room], f"room {room} has {len(there)} students in period {period}")

# Registers: a page begins with the exam, then the place, then the count; a line per student.
registers = collections.defaultdict(list)
counts = {}
for page in text("registers.txt").split("\f"):
    head = re.search(r"^ *(\S+)(?: ·.*)?\n(?:.*\n)?.*· Room (.+?)(?: \(.*\))?$", page, re.M)
    if not head:
        check("Page" not in page, f"a page of the registers has no head: {page[:200]}")
        continue
    period = re.search(r"(\w+day \d+ \w+ \d+ · \d\d:\d\d)", page).group(1)
    key = (head.group(1), head.group(2), period)
    counts[key] = int(re.search(r"([\d ]+) students?\b", page).group(1).replace(" ", "").replace(" ", ""))
    registers[key] += re.findall(r"^ *\d+ +(s\d+)\b", page, re.M)
check(sum(counts.values()) == len(enrolments), f"the registers sum to {sum(counts.values())}, not {len(enrolments)}")
for key, students in registers.items():
    check(len(students) == counts[key], f"the register {key} says {counts[key]} and has {len(students)}")
listed = sorted((student, exam, room) for (exam, room, _), students in registers.items() for student in students)
check(listed == sorted((line["student"], line["code"], line["room"]) for line in lines), "registers and table differ")

# Extra time: registers tell all of it, what is public nothing.
extra = [line for line in lines if line["extra_minutes"] != "0"]
check(extra, "the session has no extra time, so that nothing is compared")
told = re.findall(r"\+(\d+) min, until (\d\d:\d\d)", text("registers.txt"))
check(sorted(told) == sorted((line["extra_minutes"], line["end"]) for line in extra), "registers and table differ in extra time")
packed = re.findall(r"(\d+): \+\d+ min", text("packing.txt"))
check(sum(map(int, packed)) == len(extra), f"packing lists tell {sum(map(int, packed))} of {len(extra)} extra times")
for public in ("doors.txt", "pdf.txt", "ics"):
    check(not re.search(r"extra|arrange|\+\d+ min|CONFIDENTIAL", text(public), re.I), f"{plan}.{public} tells extra time")
if place == "own-room":
    # The others of an exam end together, so that no longer exam is on a door.
    usual = {line["code"]: line["end"] for line in lines if line["extra_minutes"] == "0"}
    ends = {(code, end) for code, end in re.findall(r"–(\d\d:\d\d)\s*\n\s*(\S+) ·", text("doors.txt")) for code, end in [(end, code)]}
    check(ends, "doors name no exam")
    check(all(usual.get(code, end) == end for code, end in ends), "a door tells the end with extra time")
exams = {line["code"] for line in lines}
check(all(re.search(rf"\b{re.escape(exam)}\b", text("pdf.txt")) for exam in exams), "the notice board lacks an exam")
print(f"{plan}: {len(lines)} enrolments in {len(registers)} registers, {len(extra)} with extra time")
