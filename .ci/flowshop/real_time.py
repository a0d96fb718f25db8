#!/usr/bin/env python3
"""Compares schedules in real time with a simulation minute by minute.

    .ci/flowshop/real_time.py PROGRAM [COUNT]

Draws COUNT instances (200) with set-ups, release dates, due dates, weights, jobs that do not visit all machines or have started,
working times, breaks, closures, ready times, transport and changes of
clocks, writes each as a table with a random order, and compares the end of every operation that PROGRAM exports, and the objectives that
it verifies, with the simulation. Exit code 1 at the first difference.
"""
import csv
import json
import random
import subprocess
import sys
import tempfile
from datetime import datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
STARTS = [datetime(2027, 3, 26), datetime(2026, 10, 23), datetime(2026, 12, 21), datetime(2027, 6, 1)]


class Shop:
    """An instance: jobs × machines of minutes, and everything in real time."""

    def __init__(self, draw):
        self.draw = draw
        self.jobs, self.machines = draw.randint(2, 6), draw.randint(1, 4)
        times = [0, 5, 20, 45, 90, 110]
        self.times = [[draw.choice(times) for _ in range(self.machines)] for _ in range(self.jobs)]
        for job, row in enumerate(self.times):
            # None: the job does not visit the machine. Every machine has a job, and every job a machine.
            for machine in range(self.machines):
                if self.jobs >= self.machines and machine != job % self.machines and draw.random() < 0.15:
                    row[machine] = None
        self.weight = [draw.choice([1, 1, draw.randint(1, 9)]) for _ in range(self.jobs)]
        self.release = [draw.choice([0, draw.randint(0, 3000)]) for _ in range(self.jobs)]
        self.freeze()
        self.due = [draw.randint(0, 9000) for _ in range(self.jobs)]
        pairs = [(a, b) for a in [None, *range(self.jobs)] for b in range(self.jobs) if a != b]
        self.setups = {pair: [draw.randint(0, 60) for _ in range(self.machines)]
                       for pair in pairs if draw.random() < 0.4}
        self.ready = [draw.choice([0, draw.randint(1, 2000)]) for _ in range(self.machines)]
        self.lag = [draw.choice([0, draw.randint(1, 300)]) for _ in range(self.machines)]
        self.zone = draw.choice([None, "Europe/Berlin", "America/New_York"])
        self.start = draw.choice(STARTS) + timedelta(hours=draw.randint(4, 23), minutes=draw.choice([0, 0, 17]))
        self.lines = [line for _ in range(draw.randint(0, 6)) for line in [self.line()]]
        # Whatever else is drawn, every machine has a shift in which any operation fits.
        if any(kind == "work" for *_, kind in self.lines):
            for machine in range(self.machines):
                self.lines.append((machine, ["Tue"], time(4), time(9), "work"))
        self.whole = [draw.random() < 0.3 for _ in range(self.machines)]
        self.open = {}

    def freeze(self):
        """Draws the progress of started jobs and takes the work that is done from the first machines."""
        self.stated = [list(row) for row in self.times]
        self.percent = [self.draw.choice([None, None, 0, self.draw.randint(1, 99)]) for _ in range(self.jobs)]
        self.done = [[0] * self.machines for _ in range(self.jobs)]
        shares = {}
        for job, percent in enumerate(self.percent):
            work = sum(time or 0 for time in self.times[job])
            if not percent or not work:
                self.percent[job] = None
                continue
            left = work * percent // 100
            shares[job] = left * 1_000_000 // work
            for machine, time in enumerate(self.times[job]):
                here = min(left, time or 0)
                left -= here
                self.done[job][machine] = here
                if here:
                    self.times[job][machine] = time - here or None
            self.release[job] = 0
        self.first = sorted(shares, key=lambda job: (-shares[job], job))

    def line(self):
        draw = self.draw
        machine = draw.choice([None, draw.randrange(self.machines)])
        moment = lambda: time(draw.randint(0, 23), draw.choice([0, 15, 30]))
        if draw.random() < 0.3:
            first = self.start.date() + timedelta(days=draw.randint(-1, 6))
            dates = (first, first + timedelta(days=draw.randint(0, 2)))
            whole = draw.random() < 0.5
            begin, end = (time(0), time(0)) if whole else (moment(), moment())
            return machine, dates, begin, end, draw.choice(["work", "closed", "closed"])
        days = sorted(draw.sample(range(7), draw.randint(1, 7)))
        if draw.random() < 0.3:
            hour = draw.randint(0, 22)
            return machine, [WEEKDAYS[day] for day in days], time(hour), time(hour, draw.randint(5, 59)), "closed"
        return machine, [WEEKDAYS[day] for day in days], moment(), moment(), "work"

    def write(self, path):
        clock = lambda moment: f"{moment:%H:%M}"
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            names = [f"M{machine + 1}" for machine in range(self.machines)]
            out.writerow(["job", "due date", "release date", "weight", "progress", *names])
            for job in range(self.jobs):
                out.writerow([f"J{job + 1}", self.due[job], self.release[job], self.weight[job],
                              self.percent[job], *self.stated[job]])
            if self.setups:
                out.writerows([[], ["from", "to", *names]])
                for (a, b), times in self.setups.items():
                    out.writerow(["" if a is None else f"J{a + 1}", f"J{b + 1}", *times])
            out.writerows([[], ["plan start", "time zone"], [f"{self.start:%Y-%m-%d %H:%M}", self.zone or ""]])
            out.writerows([[], ["machine", "day", "from", "to", "kind"]])
            for machine, days, begin, end, kind in self.lines:
                days = ", ".join(days) if isinstance(days, list) else f"{days[0]} – {days[1]}"
                out.writerow(["" if machine is None else names[machine], days, clock(begin), clock(end), kind])
            out.writerows([[], ["machine", "ready", "transport", "uninterrupted"]])
            for machine in range(self.machines):
                out.writerow([names[machine], self.ready[machine], self.lag[machine], "yes" if self.whole[machine] else ""])

    def local(self, minute):
        """Local time of a minute; a repeated hour goes on as its last minute before the change."""
        if self.zone is None:
            return self.start + timedelta(minutes=minute)
        zone = ZoneInfo(self.zone)
        at = lambda minute: (self.start.replace(tzinfo=zone).astimezone(timezone.utc) + timedelta(minutes=minute)).astimezone(zone)
        while at(minute).fold:
            minute -= 1
        return at(minute).replace(tzinfo=None)

    def lines_of(self, machine):
        weekly = lambda line: isinstance(line[1], list) and line[4] == "work"
        own = any(line[0] == machine and weekly(line) for line in self.lines)
        return [line for line in self.lines if line[0] == machine or line[0] is None and not (own and weekly(line))]

    def works(self, machine, minute):
        if (machine, minute) not in self.open:
            lines, now = self.lines_of(machine), self.local(minute)

            def covers(line):
                _, days, begin, end, _ = line
                for day in (now.date(), now.date() - timedelta(days=1)):
                    if (WEEKDAYS[day.weekday()] in days) if isinstance(days, list) else days[0] <= day <= days[1]:
                        first = datetime.combine(day, begin)
                        last = datetime.combine(day + timedelta(days=end <= begin), end)
                        if first <= now < last:
                            return True
                return False

            work = [line for line in lines if line[4] == "work"]
            is_open = not work or any(covers(line) for line in work)
            self.open[machine, minute] = is_open and not any(covers(line) for line in lines if line[4] == "closed")
        return self.open[machine, minute]

    def end(self, machine, minute, takes):
        """End of work that can begin at a minute."""
        done = 0
        while done < takes:
            done = done + 1 if self.works(machine, minute) else 0 if self.whole[machine] else done
            minute += 1
        return minute

    def simulate(self, order):
        """The end of every operation, and the sum of all set-up times."""
        free, ends, total = list(self.ready), {}, 0
        complete = lambda job, machine: self.done[job][machine] and self.times[job][machine] is None
        before = [([job for job in self.first if complete(job, machine)] or [None])[-1] for machine in range(self.machines)]
        for job in order:
            arrival = self.release[job]
            for machine, takes in enumerate(self.times[job]):
                if takes is None:
                    continue
                begun = self.done[job][machine] > 0
                setup = 0 if begun else self.setups.get((before[machine], job), [0] * self.machines)[machine]
                total += setup
                before[machine] = job
                ready = self.end(machine, free[machine], setup)
                free[machine] = self.end(machine, max(ready, arrival), takes)
                ends[f"J{job + 1}", f"M{machine + 1}"] = free[machine]
                arrival = free[machine] + (self.lag[machine] if takes else 0)
        return ends, total


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        shop_path, order_path, plan_path = (Path(folder) / name for name in ("shop.csv", "order.sol", "plan.csv"))
        for seed in range(count):
            shop = Shop(random.Random(seed))
            order = shop.draw.sample(range(shop.jobs), shop.jobs)
            order = shop.first + [job for job in order if job not in shop.first]
            shop.write(shop_path)
            order_path.write_text("".join(f"J{job + 1}\n" for job in order))
            ends, setups = shop.simulate(order)
            run = lambda *words: subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout
            answer = json.loads(run("verify", shop_path, order_path, "--json"))
            found, measures = answer["objectives"], answer["measures"]
            done = [max(end for (name, _), end in ends.items() if name == f"J{job + 1}") for job in range(shop.jobs)]
            late = [max(0, end - due) for end, due in zip(done, shop.due)]
            weighted = sum(weight * end for weight, end in zip(shop.weight, late))
            expected = {"makespan": max(done), "flowtime": sum(done), "tardiness": weighted,
                        "tardy": sum(end > 0 for end in late)}
            further = dict(expected)
            if any(weight != 1 for weight in shop.weight):
                further["weighted_tardy"] = sum(weight for weight, end in zip(shop.weight, late) if end > 0)
            further["maximum_lateness"] = max(end - due for end, due in zip(done, shop.due))
            has_setups = any(time for times in shop.setups.values() for time in times)
            further["setup_time"] = setups if has_setups else None
            run("export", shop_path, order_path, "--to", plan_path)
            with open(plan_path, newline="") as file:
                rows = [{key.split(" (")[0].lower(): value for key, value in row.items()} for row in csv.DictReader(file)]
            exported = {(row["job"], row["machine"]): int(row["end"]) for row in rows}
            run("verify", shop_path, plan_path)
            plan_path.unlink()
            if found != expected or measures != further or exported != ends:
                print(f"seed {seed}: {measures} and {exported} instead of {further} and {ends}\n{shop_path.read_text()}{order}")
                sys.exit(1)
    print(f"{count} instances agree with the simulation")


if __name__ == "__main__":
    main()
