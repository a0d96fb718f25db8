#!/usr/bin/env python3
"""Evaluates a timetable of ITC-2007 from the definition of the competition alone.

Usage: evaluate.py SET.exam SOLUTION.sol      prints one JSON object
       evaluate.py --random SEED SET.exam     prints a random timetable, good or bad

Source: B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, "The second International Timetabling Competition:
examination timetabling track", technical report QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007.
"""
import json
import random
import sys
from collections import Counter, defaultdict
from itertools import combinations


def read(path):
    """Sections of a .exam file as lists of lists of fields."""
    sections, current = {}, None
    for line in open(path, encoding="latin-1"):
        line = line.strip()
        if line.startswith("["):
            current = sections.setdefault(line[1:-1].split(":")[0].strip(), [])
        elif line:
            current.append([field.strip() for field in line.split(",") if field.strip()])
    return sections


class Session:
    def __init__(self, path):
        sections = read(path)
        self.durations = [int(row[0]) for row in sections["Exams"]]
        self.students = [set(map(int, row[1:])) for row in sections["Exams"]]
        self.periods = [(row[0], int(row[2]), int(row[3])) for row in sections["Periods"]]
        self.rooms = [(int(row[0]), int(row[1])) for row in sections["Rooms"]]
        # Some files state a symmetric constraint twice.
        self.relations = sorted({
            (one, kind, other) if kind == "AFTER" else (min(one, other), kind, max(one, other))
            for one, kind, other in ((int(row[0]), row[1], int(row[2])) for row in sections.get("PeriodHardConstraints", []))
        })
        self.exclusive = [int(row[0]) for row in sections.get("RoomHardConstraints", [])]
        self.weights = {row[0]: list(map(int, row[1:])) for row in sections.get("InstitutionalWeightings", [])}


def periods_of_students(session, place):
    """Periods of the exams of each student."""
    sits = defaultdict(list)
    for exam, students in enumerate(session.students):
        for student in students:
            sits[student].append(place[exam])
    return sits


def evaluate(session, timetable):
    """Hard violations by kind and soft components, weighted."""
    place = [period for period, _ in timetable]
    room = [room for _, room in timetable]
    hard, soft = Counter(), Counter()
    sits = periods_of_students(session, place)
    by_period = defaultdict(list)
    for exam, period in enumerate(place):
        by_period[period].append(exam)
    for exams in by_period.values():
        for one, other in combinations(exams, 2):
            if session.students[one] & session.students[other]:
                hard["clash"] += 1
    for exam, duration in enumerate(session.durations):
        if duration > session.periods[place[exam]][1]:
            hard["duration"] += 1
    taken, inside = Counter(), defaultdict(list)
    for exam in range(len(place)):
        taken[place[exam], room[exam]] += len(session.students[exam])
        inside[place[exam], room[exam]].append(exam)
    hard["overfull"] = sum(students > session.rooms[key[1]][0] for key, students in taken.items())
    for one, kind, other in session.relations:
        if one == other:
            continue
        if kind == "AFTER":
            hard["before"] += place[one] <= place[other]
        elif kind == "EXCLUSION":
            hard["different"] += place[one] == place[other]
        elif kind == "EXAM_COINCIDENCE" and not session.students[one] & session.students[other]:
            hard["same"] += place[one] != place[other]
    alone = set(session.exclusive)
    hard["own_room"] = sum(len(exams) > 1 and any(exam in alone for exam in exams) for exams in inside.values())

    row, day = session.weights["TWOINAROW"][0], session.weights["TWOINADAY"][0]
    spread = session.weights["PERIODSPREAD"][0]
    for periods in sits.values():
        for a, b in combinations(sorted(periods), 2):
            if a == b:
                continue
            if session.periods[a][0] == session.periods[b][0]:
                if b - a == 1:
                    soft["in_a_row"] += row
                else:
                    soft["in_a_day"] += day
            if b - a <= spread:
                soft["spread"] += 1
    mixed = session.weights["NONMIXEDDURATIONS"][0]
    for exams in inside.values():
        soft["mixed_durations"] += mixed * (len({session.durations[exam] for exam in exams}) - 1)
    count, last, weight = session.weights["FRONTLOAD"]
    largest = sorted(range(len(place)), key=lambda exam: (-len(session.students[exam]), exam))[:count]
    soft["late"] = weight * sum(place[exam] >= len(session.periods) - last for exam in largest)
    soft["period"] = sum(session.periods[period][2] for period in place)
    soft["room"] = sum(session.rooms[number][1] for number in room)
    return {
        "hard": {kind: count for kind, count in sorted(hard.items()) if count},
        "soft": {kind: cost for kind, cost in sorted(soft.items()) if cost},
        "cost": sum(soft.values()),
        "feasible": not any(hard.values()),
    }


def main():
    if sys.argv[1] == "--random":
        draw, session = random.Random(int(sys.argv[2])), Session(sys.argv[3])
        sys.stdout.write("".join(
            f"{draw.randrange(len(session.periods))}, {draw.randrange(len(session.rooms))}\r\n" for _ in session.durations))
        return
    session = Session(sys.argv[1])
    timetable = [tuple(map(int, line.split(","))) for line in open(sys.argv[2]) if line.strip()]
    assert len(timetable) == len(session.durations), "one line for each exam"
    print(json.dumps(evaluate(session, timetable)))


if __name__ == "__main__":
    main()
