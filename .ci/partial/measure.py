#!/usr/bin/env python3
"""Exams without a place where the Toronto instances have fewer and fewer periods: this program beside CP-SAT.

    measure.py PROGRAM FOLDER [--seconds 20] [--exact-seconds 60] [--threads 2] [--parallel 1]

FOLDER holds the `.stu` files. Prints a row for each instance and number of periods: exams without a place by this program, by
CP-SAT (`exact.py`), and the lower bound of CP-SAT. The first number of periods is one in which every exam has a place.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent

# Number of periods to begin with, in which every exam has a place.
ENOUGH = {
    "car-f-92": 28, "car-s-91": 28, "ear-f-83": 22, "hec-s-92": 17, "kfu-s-93": 19, "lse-f-91": 17, "pur-s-93": 35,
    "rye-s-93": 21, "sta-f-83": 13, "tre-s-92": 20, "uta-s-92": 30, "ute-s-92": 10, "yor-f-83": 19,
}


def ours(program: str, file: pathlib.Path, periods: int, seconds: float, threads: int) -> int:
    """Exams without a place that the checker counts."""
    with tempfile.TemporaryDirectory() as folder:
        result = f"{folder}/result.ron"
        session = [str(file), "--periods", str(periods)]
        run = ["solve", *session, "--leave-out", "exams", "--seconds", str(seconds), "--seed", "1"]
        subprocess.run([program, *run, "--backend", "cpu", "--threads", str(threads), "--out", result, "--quiet"], stderr=subprocess.DEVNULL)
        verified = subprocess.run([program, "verify", *session, result, "--json"], capture_output=True, text=True)
        violations = json.loads(verified.stdout)["violations"]
        assert all(violation["kind"] == "unplaced" for violation in violations), violations
        return len(violations)


def exact(file: pathlib.Path, periods: int, seconds: float, threads: int) -> tuple[int, int]:
    """Exams without a place by CP-SAT, and its lower bound."""
    command = [sys.executable, str(HERE / "exact.py"), str(file), str(periods), str(seconds), "--exams", "--threads", str(threads)]
    _, _, out, _, bound, _ = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\t")
    return int(out), int(bound)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--exact-seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parallel", type=int, default=1)
    arguments = parser.parse_args()

    def row(case: tuple[str, int]) -> tuple:
        name, less = case
        file, periods = arguments.folder / f"{name}.stu", ENOUGH[name] - less
        own = ours(arguments.program, file, periods, arguments.seconds, arguments.threads)
        other = exact(file, periods, arguments.exact_seconds, arguments.threads) if less else ("", "")
        return name, periods, less, own, *other

    cases = [(name, less) for less in range(4) for name in ENOUGH]
    with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
        for result in pool.map(row, cases):
            print(*result, sep="\t", flush=True)


if __name__ == "__main__":
    main()
