#!/usr/bin/env python3
"""The table that the tests in solver/core/src/statistics read, as scipy computes it.

    .ci/statistics/run              makes an environment with scipy and compares 200 data sets
    .ci/statistics/compare.py 200   prints the table of so many data sets
"""
import math
import sys

import numpy
from scipy import stats


def draw(seed, count, most):
    """The numbers of the tests: x ← 16807·x mod (2³¹ − 1)."""
    x, numbers = seed, []
    for _ in range(count):
        x = 16807 * x % 2147483647
        numbers.append(x // 1000 % most)
    return numbers


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
    u = stats.mannwhitneyu(samples[0], samples[1], method="asymptotic").statistic
    return [number, chi, chi_p, f, stats.f.sf(f, k - 1, (k - 1) * (n - 1)), wilcoxon(samples[0], samples[1]),
            stats.kruskal(*samples).pvalue, dunn(samples), 1 - u / n ** 2,
            stats.studentized_range.ppf(0.95, k, numpy.inf) / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n)),
            *numpy.quantile(samples[0], [0.25, 0.5, 0.75])]


if __name__ == "__main__":
    print("set,chi_squared,chi_squared_p,f,f_p,wilcoxon,kruskal_wallis,dunn,vargha_delaney,critical_difference,lower_quartile,"
          "median,upper_quartile")
    for number in range(int(sys.argv[1])):
        print(",".join(repr(float(value)) if at else str(value) for at, value in enumerate(row(number))))
