#!/usr/bin/env python3
"""The constants of solver/src/systolic/statistics/tests.rs, as scipy computes them.

    pip install scipy            (in an environment of its own)
    .ci/statistics/compare.py    prints the constants; --check compares them with those in the tests
"""
import pathlib
import re
import sys

import numpy
from scipy import stats

TESTS = pathlib.Path(__file__).resolve().parents[2] / "solver/src/systolic/statistics/tests.rs"


def draw(seed, count, most):
    """The numbers of the tests: x ← 16807·x mod (2³¹ − 1)."""
    x, numbers = seed, []
    for _ in range(count):
        x = 16807 * x % 2147483647
        numbers.append(x // 1000 % most)
    return numbers


def bell(seed, shift):
    """Sums of twelve numbers, which are nearly normal."""
    numbers = draw(seed, 600, 100)
    return [sum(numbers[12 * i:12 * i + 12]) + shift for i in range(50)]


def skew(seed, scale):
    """Cubes of few numbers, with many ties."""
    return [number ** 3 * scale for number in draw(seed, 50, 7)]


def constants():
    samples = [bell(1, 0), bell(2, 40), bell(3, 0), skew(4, 1), skew(5, 2)]
    rows = []
    for sample in samples:
        law = stats.norm(numpy.mean(sample), numpy.std(sample, ddof=1))
        rows.append(("kolmogorov_smirnov", stats.kstest(sample, law.cdf, method="asymp").pvalue))
    for name, group in (("bells", samples[:3]), ("all", samples)):
        rows.append((f"levene {name}", stats.levene(*group, center="mean").pvalue))
        rows.append((f"anova {name}", stats.f_oneway(*group).pvalue))
        rows.append((f"kruskal_wallis {name}", stats.kruskal(*group).pvalue))
    for a, b in ((0, 1), (0, 2), (3, 4), (0, 3)):
        rows.append((f"t {a} {b}", stats.ttest_ind(samples[a], samples[b]).pvalue))
        rows.append((f"mann_whitney {a} {b}", stats.mannwhitneyu(samples[a], samples[b], method="asymptotic").pvalue))
    return rows


if __name__ == "__main__":
    rows = constants()
    if sys.argv[1:] == ["--check"]:
        text = TESTS.read_text(encoding="utf-8")
        known = {name: float(value) for name, value in re.findall(r'\("([a-z_ 0-9]+)", ([0-9.e-]+)\)', text)}
        ordered = [float(value) for _, value in re.findall(r'\("([a-z_ 0-9]+)", ([0-9.e-]+)\)', text)]
        wrong = [name for (name, value), found in zip(rows, ordered) if abs(value - found) > 1e-9 * max(value, 1e-12)]
        if wrong or len(ordered) != len(rows) or not known:
            sys.exit(f"error: {wrong or 'the constants'} differ from those of scipy")
        print(f"{len(rows)} constants are those of scipy")
    else:
        for name, value in rows:
            print(f'    ("{name}", {float(value)!r}),')
