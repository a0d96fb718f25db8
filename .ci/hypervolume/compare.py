#!/usr/bin/env python3
"""Compares the figures of fronts with those of moocore.

    pip install moocore            (in an environment of its own)
    .ci/hypervolume/compare.py FRONT.json…      what `gridwright solve … --objective pareto --json` printed
    .ci/hypervolume/compare.py --constants      the constants of solver/core/src/search/pareto/tests.rs
"""
import json
import sys

import moocore
import numpy

REFERENCE = 2.1


def slope(seed, count, objectives, most):
    """The points of the test: x ← 16807·x mod (2³¹ − 1)."""
    x, points = seed, []
    for _ in range(count):
        point = []
        for _ in range(objectives):
            x = 16807 * x % 2147483647
            point.append(x // 1000 % most)
        point[-1] = most - sum(point[:-1]) // (objectives - 1) + point[-1] // 5
        points.append(point)
    return numpy.array(points, dtype=float)


def constants():
    for objectives, count, most, reference in [(2, 50, 1000, 1100), (3, 60, 1000, 1100), (3, 200, 50, 45), (4, 40, 1000, 1100)]:
        points = slope(2011 + objectives, count, objectives, most)
        best = moocore.filter_dominated(points)
        scaled = 1 + (best - best.min(0)) / (best.max(0) - best.min(0))
        print((objectives, count, most, reference),
              (int(moocore.hypervolume(points, ref=[reference] * objectives)), len(best),
               float(moocore.hypervolume(scaled, ref=[REFERENCE] * objectives)),
               float(moocore.epsilon_additive(points, ref=slope(99 + objectives, count, objectives, most)))))


def compare(path):
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    values = numpy.array([member["values"] for member in run["front"]], dtype=float)
    low, high = (numpy.array(run["bounds"][end], dtype=float) for end in ("low", "high"))
    scaled = 1 + (values - low) / numpy.maximum(high - low, 1)
    objectives = values.shape[1]
    volume = float(moocore.hypervolume(scaled, ref=[REFERENCE] * objectives))
    epsilon = float(moocore.epsilon_additive(scaled, ref=numpy.ones((1, objectives))))
    whole = len(moocore.filter_dominated(values)) == len(values)
    equal = abs(volume - run["hypervolume"]) < 1e-9 and abs(epsilon - run["epsilon"]) < 1e-9
    print(f"{path}: {len(values)} members, hypervolume {run['hypervolume']!r}, moocore {volume!r}; "
          f"epsilon {run['epsilon']!r}, moocore {epsilon!r}; {'equal' if equal and whole else 'DIFFERENT'}")
    return equal and whole


if __name__ == "__main__":
    if sys.argv[1:] == ["--constants"]:
        constants()
    elif not sys.argv[1:]:
        sys.exit(__doc__)
    elif not all([compare(path) for path in sys.argv[1:]]):
        sys.exit(1)
