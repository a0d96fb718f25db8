#!/usr/bin/env python3
"""The constants of the tests in solver/src/statistics, as scipy computes them.

    .ci/statistics/run                     makes an environment with scipy and checks everything
    .ci/statistics/compare.py              prints the constants of comparison/tests.rs; --check compares them with the file
    .ci/statistics/compare.py --sets 200   prints the table that the tests in statistics/tests.rs read
"""
import math
import pathlib
import re
import sys

import numpy
from scipy import stats

TESTS = pathlib.Path(__file__).resolve().parents[2] / "solver/src/statistics/comparison/tests.rs"


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


def holm(values):
    order = sorted(range(len(values)), key=lambda at: values[at])
    adjusted, largest = [0.0] * len(values), 0.0
    for done, at in enumerate(order):
        largest = min(1.0, max(largest, (len(values) - done) * values[at]))
        adjusted[at] = largest
    return adjusted


def dunn(samples):
    """Dunn's test of the first two samples, adjusted by Holm among all pairs."""
    values = numpy.concatenate(samples)
    ranks, n = stats.rankdata(values), len(values)
    ties = sum(int(t) ** 3 - int(t) for t in numpy.unique(values, return_counts=True)[1])
    means = [part.mean() for part in numpy.split(ranks, numpy.cumsum([len(sample) for sample in samples])[:-1])]
    variance = n * (n + 1) / 12 - ties / (12 * (n - 1))
    p = [2 * stats.norm.sf(abs(means[i] - means[j]) / math.sqrt(variance * (1 / len(samples[i]) + 1 / len(samples[j]))))
         for i in range(len(samples)) for j in range(i + 1, len(samples))]
    return holm(p)[0]


def wilcoxon(one, other):
    differences = [a - b for a, b in zip(one, other) if a != b]
    has_ties = len({abs(difference) for difference in differences}) < len(differences)
    if len(differences) <= 50 and not has_ties:
        return stats.wilcoxon(differences, method="exact").pvalue
    return stats.wilcoxon(differences, method="asymptotic", correction=True).pvalue


def data_set(number):
    """Samples of equal size; every third data set has many ties."""
    groups, size, most = 3 + number % 4, 6 + number % 25, (7, 100, 100000)[number % 3]
    numbers = draw(number + 1, groups * size, most)
    return [[float(value + group * most // 40) for value in numbers[group * size:group * size + size]]
            for group in range(groups)]


def row(number):
    samples = data_set(number)
    k, n = len(samples), len(samples[0])
    chi, chi_p = stats.friedmanchisquare(*samples)
    f = (n - 1) * chi / (n * (k - 1) - chi)
    u = stats.mannwhitneyu(samples[0], samples[1], method="asymptotic")
    return [number, chi, chi_p, f, stats.f.sf(f, k - 1, (k - 1) * (n - 1)), wilcoxon(samples[0], samples[1]),
            stats.kruskal(*samples).pvalue, dunn(samples), u.pvalue, 1 - u.statistic / n ** 2,
            stats.studentized_range.ppf(0.95, k, numpy.inf) / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n)),
            *numpy.quantile(samples[0], [0.25, 0.5, 0.75])]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sets"]:
        print("set,chi_squared,chi_squared_p,f,f_p,wilcoxon,kruskal_wallis,dunn,mann_whitney,vargha_delaney,critical_difference,"
              "lower_quartile,median,upper_quartile")
        for number in range(int(sys.argv[2])):
            print(",".join(repr(float(value)) if at else str(value) for at, value in enumerate(row(number))))
        sys.exit()
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
