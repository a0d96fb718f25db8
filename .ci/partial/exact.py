#!/usr/bin/env python3
"""Fewest students, or exams, without a place in so many periods, by CP-SAT (OR-Tools).

    exact.py FILE.stu PERIODS SECONDS [--exams] [--threads N]

Prints the instance, the periods, the exams and students without a place in the best timetable found, and the lower bound.
Needs `pip install ortools`.
"""

import argparse
import itertools
import pathlib

from ortools.sat.python import cp_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("periods", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--exams", action="store_true", help="count exams in place of their students")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    students = [sorted(set(line.split())) for line in arguments.file.read_text().splitlines() if line.strip()]
    exams = sorted(set(itertools.chain.from_iterable(students)))
    enrolment = {exam: 0 for exam in exams}
    conflicts = set()
    for student in students:
        for exam in student:
            enrolment[exam] += 1
        conflicts.update(itertools.combinations(student, 2))
    model = cp_model.CpModel()
    periods = range(arguments.periods)
    placed = {(exam, period): model.new_bool_var("") for exam in exams for period in periods}
    for exam in exams:
        model.add_at_most_one(placed[exam, period] for period in periods)
    for first, second in conflicts:
        for period in periods:
            model.add_at_most_one([placed[first, period], placed[second, period]])
    weight = {exam: 1 if arguments.exams else enrolment[exam] for exam in exams}
    total = sum(weight.values())
    model.maximize(sum(weight[exam] * variable for (exam, _), variable in placed.items()))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = arguments.seconds
    solver.parameters.num_workers = arguments.threads
    status = solver.solve(model)
    out = [exam for exam in exams if not any(solver.boolean_value(placed[exam, period]) for period in periods)]
    print(
        arguments.file.stem, arguments.periods, len(out), sum(enrolment[exam] for exam in out),
        round(total - solver.best_objective_bound), solver.status_name(status), sep="\t",
    )


if __name__ == "__main__":
    main()
