#!/usr/bin/env python3
"""Compares the checker of layouts with an evaluation from the definition.

    .ci/facility/evaluate.py PROGRAM [COUNT]

Draws COUNT plants (1000) with areas, limits of shapes, an outline, fixed things, places of departments, locked rectangles, pairs to be
kept apart, flows in both distances, doors with flows to and from departments, and today's layout with prices of moving, and for each a layout of rectangles that keeps most limits
and breaks some. Everything is written as files; the cost, its parts, and the kinds of the violations with their departments that PROGRAM
verifies must be those of the evaluation below, which works with exact fractions; a plant with a door where none can be must be refused.
Exit code 1 at the first difference.
"""
import json
import math
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

# Nothing that is drawn lies so near a limit that rounding decides.
TOLERANCE = Fraction(1, 1_000_000)


def overlap(one, other):
    """Common width and height of two rectangles (x, y, width, height); negative where there is a gap."""
    x = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    y = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return x, y


def centre(one):
    return one[0] + one[2] / 2, one[1] + one[3] / 2


class Plant:
    """A plant on a grid of quarter units, so that all areas are exact in binary."""

    def __init__(self, draw):
        self.draw = draw
        self.euclidean = draw.random() < 0.4
        columns, rows = draw.randint(2, 4), draw.randint(1, 4)
        widths = [Fraction(draw.randint(8, 30), 4) for _ in range(columns)]
        heights = [Fraction(draw.randint(8, 30), 4) for _ in range(rows)]
        self.width, self.height = sum(widths), sum(heights)
        cells = [(sum(widths[:c]), sum(heights[:r]), widths[c], heights[r]) for c in range(columns) for r in range(rows)]
        draw.shuffle(cells)
        # Some cells are fixed things or outside, at most a third.
        count = draw.randint(0, len(cells) // 3)
        self.parts = [(draw.choice(["fixed", "outside"]), cell) for cell in cells[:count]]
        cells = cells[count:]
        free = draw.randint(0, max(0, len(cells) - 2))
        self.rooms = cells[free // 2:] if len(cells) > 2 else cells
        self.n = len(self.rooms)
        self.areas = [room[2] * room[3] for room in self.rooms]
        self.limits = [self.limit(room) for room in self.rooms]
        self.flows = [[draw.choice([0, 0, draw.randint(1, 40)]) if a != b else 0 for b in range(self.n)] for a in range(self.n)]
        self.apart = [(a, b) for a in range(self.n) for b in range(a) if draw.random() < 0.03]
        self.places = [at for at in range(self.n) if draw.random() < 0.1]
        self.locked = [at for at in range(self.n) if draw.random() < 0.1]
        self.kept = {at: self.rooms[at] for at in self.places}
        self.lay()
        self.doors = [self.door() for _ in range(draw.choice([0, 0, 1, 2, 4]))]
        self.through = [(draw.randrange(self.n), draw.randrange(len(self.doors)), Fraction(draw.randint(0, 160), 4), draw.choice(["In", "Out"]))
                        for _ in range(draw.randint(0, 8))] if self.doors else []
        # In one of eight plants with doors, the last of them is in a part of the building or beyond the plant.
        self.refusal = self.misplace() if self.doors and draw.random() < 0.125 else None
        self.today = {at: self.place_today(at) for at in range(self.n) if draw.random() < 0.8}
        self.prices = [(draw.choice([0, draw.randint(1, 900)]), draw.choice([0, Fraction(draw.randint(1, 80), 4)]))
                       for _ in range(self.n)]

    def door(self):
        """A point on a wall or on the floor of a department."""
        x, y, width, height = self.draw.choice(self.rooms)
        return x + Fraction(self.draw.randint(0, int(4 * width)), 4), y + Fraction(self.draw.randint(0, int(4 * height)), 4)

    def misplace(self):
        """Moves the last door to where none can be; returns a word of the refusal."""
        if self.parts and self.draw.random() < 0.7:
            x, y, width, height = self.draw.choice(self.parts)[1]
            self.doors[-1] = (x + width / 2, y + height / 2)
            return "lies inside of"
        self.doors[-1] = self.draw.choice([(-Fraction(1, 4), Fraction(0)), (self.width, self.height + Fraction(1, 4))])
        return "lies beyond the plant"

    def limit(self, room):
        aspect = max(room[2], room[3]) / min(room[2], room[3])
        kind = self.draw.choice(["none", "aspect", "side"])
        if kind == "aspect":
            return kind, max(Fraction(1), aspect + Fraction(self.draw.choice([-1, *[1] * 9, 3]), 8))
        return (kind, min(room[2], room[3]) + Fraction(self.draw.choice([*[-3] * 9, -1, 1]), 8)) if kind == "side" else (kind, None)

    def lay(self):
        """The layout: most departments in their cells, some exchanged, pushed, or of another shape."""
        draw = self.draw
        self.layout = list(self.rooms)
        for _ in range(draw.choice([0, 0, 1, 2, 3])):
            at, kind = draw.randrange(self.n), draw.random()
            x, y, width, height = self.layout[at]
            if kind < 0.4:
                other = draw.randrange(self.n)
                self.layout[at], self.layout[other] = self.layout[other], self.layout[at]
            elif kind < 0.7:
                self.layout[at] = (x + Fraction(draw.randint(-6, 6), 4), y + Fraction(draw.randint(-6, 6), 4), width, height)
            else:
                self.layout[at] = (x, y, width * 2, height / 2)

    def place_today(self, at):
        draw, (x, y, width, height) = self.draw, self.layout[self.draw.choice([at, at, self.draw.randrange(self.n)])]
        return (x, y, width, height) if draw.random() < 0.6 else (x + Fraction(draw.randint(-20, 20), 4), y - 1, width, height)

    def sides(self, place):
        return tuple(float(number) for number in place)

    def write(self, folder):
        """The instance in the program's own format, and the layout as a table."""
        name = lambda at: f"D{at}"
        out = ["(facility_format: 1, name: \"random\",", f"plant: ({float(self.width)}, {float(self.height)}),",
               f"distance: {'Euclidean' if self.euclidean else 'Rectilinear'}, departments: ["]
        for at in range(self.n):
            kind, limit = self.limits[at]
            shape = {"none": "None", "aspect": f"Some(Aspect({float(limit or 0)}))", "side": f"Some(MinSide({float(limit or 0)}))"}[kind]
            fixed, per_length = self.prices[at]
            out.append(f"(name: \"{name(at)}\", area: {float(self.areas[at])}, limit: {shape}, moving_price: {float(fixed)}, "
                       f"moving_price_per_length: {float(per_length)}),")
        flows = [f"(\"{name(a)}\", \"{name(b)}\", {float(flow)})" for a, row in enumerate(self.flows) for b, flow in enumerate(row) if flow]
        out.append(f"], flows: [{', '.join(flows)}],")
        placed = lambda all: ", ".join(f"(\"{name(at)}\", {self.sides(place)})" for at, place in all)
        # What has its place by the limits of shape, the building may fix; what is locked may lie elsewhere.
        self.places = [at for at in self.places if self.shape(self.rooms[at], at) is None]
        out.append(f"places: [{placed((at, self.rooms[at]) for at in self.places)}],")
        out.append(f"placed: [{placed((at, self.rooms[at]) for at in self.locked)}],")
        out.append(f"today: [{placed(self.today.items())}],")
        parts = ", ".join(f"(\"part\", {kind.capitalize()}, {self.sides(place)})" for kind, place in self.parts)
        out.append(f"building: [{parts}],")
        doors = ", ".join(f"(\"P{at}\", {float(x)}, {float(y)})" for at, (x, y) in enumerate(self.doors))
        through = ", ".join(f"(\"{name(at)}\", \"P{door}\", {float(amount)}, {way})" for at, door, amount, way in self.through)
        out.append(f"doors: [{doors}], door_flows: [{through}],")
        apart = ", ".join(f"(\"{name(a)}\", \"{name(b)}\")" for a, b in self.apart)
        out.append(f"apart: [{apart}])")
        (folder / "plant.ron").write_text("\n".join(out))
        rows = ["department,x,y,width,height"] + [",".join([name(at), *map(repr, self.sides(place))]) for at, place in enumerate(self.layout)]
        (folder / "layout.csv").write_text("\n".join(rows) + "\n")

    def shape(self, place, at):
        kind, limit = self.limits[at]
        longer, shorter = max(place[2], place[3]), min(place[2], place[3])
        if kind == "aspect" and longer / shorter > limit + TOLERANCE:
            return "aspect"
        return "side" if kind == "side" and shorter < limit - TOLERANCE else None

    def distance(self, one, other):
        return self.between(centre(one), centre(other))

    def between(self, one, other):
        x, y = (abs(a - b) for a, b in zip(one, other))
        return math.hypot(x, y) if self.euclidean else float(x + y)

    def evaluate(self):
        """Cost of transport, moving departments with their cost, violations, and number and area of overlaps with the building."""
        transport = math.fsum(flow * self.distance(self.layout[a], self.layout[b])
                              for a, row in enumerate(self.flows) for b, flow in enumerate(row))
        transport = math.fsum([transport, *(float(amount) * self.between(centre(self.layout[at]), self.doors[door])
                                            for at, door, amount, _ in self.through)])
        far = TOLERANCE * max(self.width, self.height)
        is_at = lambda one, other: max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[0] + one[2] - other[0] - other[2]),
                                       abs(one[1] + one[3] - other[1] - other[3])) <= far
        moving = {}
        for at, was in self.today.items():
            fixed, per_length = self.prices[at]
            if (fixed or per_length) and not is_at(self.layout[at], was):
                moving[f"D{at}"] = float(fixed) + float(per_length) * self.distance(self.layout[at], was)
        wrong, blocked = [], [0, Fraction(0)]
        for at, place in enumerate(self.layout):
            kind = self.shape(place, at)
            wrong += [kind] if kind else []
            beyond = max(-place[0], -place[1], place[0] + place[2] - self.width, place[1] + place[3] - self.height)
            wrong += ["outside"] if beyond > TOLERANCE else []
            wrong += ["area"] if abs(place[2] * place[3] - self.areas[at]) > TOLERANCE * max(self.areas[at], 1) else []
            for kind, part in self.parts:
                x, y = overlap(place, part)
                if x > TOLERANCE and y > TOLERANCE:
                    blocked = [blocked[0] + 1, blocked[1] + x * y]
                    wrong.append("blocked" if kind == "fixed" else "outside")
            for other in self.layout[:at]:
                x, y = overlap(place, other)
                wrong += ["overlap"] if x > TOLERANCE and y > TOLERANCE else []
            if at in self.locked and not is_at(place, self.rooms[at]):
                wrong.append("lock")
            elif at in self.places and at not in self.locked and not is_at(place, self.rooms[at]):
                wrong.append("place")
        for a, b in self.apart:
            x, y = overlap(self.layout[a], self.layout[b])
            touch = [abs(gap) <= TOLERANCE for gap in (x, y)]
            wrong += ["apart"] if touch == [True, False] and y > TOLERANCE or touch == [False, True] and x > TOLERANCE else []
        return transport, moving, sorted(wrong), blocked


def differ(is_value, wanted):
    return abs(is_value - wanted) > 1e-9 * max(1.0, abs(wanted))


def compare(program, plant, folder):
    """Difference between the program and the evaluation; None if there is none."""
    plant.write(folder)
    command = [program, "verify", str(folder / "plant.ron"), str(folder / "layout.csv"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if plant.refusal:
        return None if done.returncode and plant.refusal in done.stderr else f"not refused: {done.stdout} {done.stderr}"
    if not done.stdout.strip():
        return f"no answer: {done.stderr.strip()}"
    found = json.loads(done.stdout)
    transport, moving, wrong, blocked = plant.evaluate()
    cost = transport + math.fsum(moving.values())
    if differ(found["cost"], cost):
        return f"cost {found['cost']} instead of {cost}"
    has_price = any(any(plant.prices[at]) for at in plant.today)
    if has_price != ("moving" in found):
        return "moving is stated only where it has a price"
    if has_price:
        if differ(found["transport"], transport) or differ(found["moving"]["cost"], math.fsum(moving.values())):
            return f"parts {found['transport']}, {found['moving']} instead of {transport}, {moving}"
        if sorted(found["moving"]["departments"]) != sorted(moving):
            return f"{found['moving']['departments']} move instead of {sorted(moving)}"
    kinds = sorted(violation["kind"] for violation in found["violations"])
    if kinds != wrong or (done.returncode == 0) != (not wrong):
        return f"violations {kinds} (exit code {done.returncode}) instead of {wrong}"
    if plant.parts and (found["blocked"]["count"] != blocked[0] or differ(found["blocked"]["area"], float(blocked[1]))):
        return f"blocked {found['blocked']} instead of {blocked}"
    return None


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seen = {"moved": 0, "broken": 0, "building": 0, "doors": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            plant = Plant(random.Random(seed))
            difference = compare(program, plant, Path(folder))
            if difference:
                sys.exit(f"plant {seed}: {difference}\n{(Path(folder) / 'plant.ron').read_text()}")
            _, moving, wrong, _ = plant.evaluate()
            seen["moved"] += bool(moving)
            seen["broken"] += bool(wrong)
            seen["doors"] += bool(plant.through)
            seen["refused"] += bool(plant.refusal)
            seen["building"] += bool(plant.parts)
    print(f"{count} layouts agree: {seen['moved']} with a cost of moving, {seen['building']} with a building, "
          f"{seen['doors']} with flows through doors, {seen['refused']} with a door where none can be, "
          f"{seen['broken']} that break limits")


if __name__ == "__main__":
    main()
