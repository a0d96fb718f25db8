"""Compares floor plans in DXF with the table of departments; called by .ci/exports in the folder of the exports."""

import csv
import math
import pathlib
import sys

import ezdxf
from ezdxf import bbox
from ezdxf.lldxf.encoding import decode_dxf_unicode


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def near(one, other):
    return math.isclose(one, other, abs_tol=1e-6, rel_tol=1e-9)


def stated(exact, written):
    """True where `written` is `exact` with the six significant digits that tables of layouts have."""
    return math.isclose(exact, written, abs_tol=1e-6, rel_tol=6e-6)


def rectangle(line):
    """Left, bottom, right and top of a closed line of four corners."""
    points = [vertex.dxf.location for vertex in line.vertices]
    check(line.is_closed and len(points) == 4, f"a line on {line.dxf.layer} is no rectangle")
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs), min(ys), max(xs), max(ys)


names = set()
for bays in ("vertical", "horizontal"):
    with open(f"{bays}.csv", encoding="utf-8-sig", newline="") as file:
        departments = list(csv.DictReader(file))
    drawing = ezdxf.readfile(f"{bays}.dxf")
    check(drawing.dxfversion == "AC1009", f"{bays}.dxf is of release {drawing.dxfversion}")
    check(not drawing.audit().has_errors, f"{bays}.dxf has errors: {drawing.audit().errors}")
    space = drawing.modelspace()
    layers = {layer.dxf.name.upper() for layer in drawing.layers}
    check({"WALLS", "BAYS", "DEPARTMENTS", "NAMES", "FLOWS"} <= layers, f"layers of {bays}.dxf: {layers}")

    rooms = [rectangle(line) for line in space.query('POLYLINE[layer=="DEPARTMENTS"]')]
    check(len(rooms) == len(departments), f"{len(rooms)} rooms in {bays}.dxf for {len(departments)} departments")
    for line in departments:
        x, y, width, height = (float(line[column]) for column in ("x", "y", "width", "height"))
        wanted = (x, y, width, height)
        sides = [(left, bottom, right - left, top - bottom) for left, bottom, right, top in rooms]
        found = [sizes for sizes in sides if all(map(stated, sizes, wanted))]
        check(len(found) == 1, f"{line['department']} has {len(found)} rooms in {bays}.dxf")
        area = found[0][2] * found[0][3]
        check(near(area, float(line["area"])), f"{line['department']} has the area {area} in {bays}.dxf")

    words = {decode_dxf_unicode(text.dxf.text): text for text in space.query('TEXT[layer=="NAMES"]')}
    for line in departments:
        name = line["department"]
        text = words.get(name)
        check(text is not None, f"{name} is not in {bays}.dxf: {sorted(words)}")
        middle = text.dxf.align_point
        x, y, width, height = (float(line[column]) for column in ("x", "y", "width", "height"))
        check(x < middle.x < x + width and y < middle.y < y + height, f"{name} stands outside of its room")
        names.add(name)

    walls = [rectangle(line) for line in space.query('POLYLINE[layer=="WALLS"]')]
    check(len(walls) == 1 and walls[0][:2] == (0, 0), f"walls of {bays}.dxf: {walls}")
    box = bbox.extents(space.query('POLYLINE'), fast=True)
    check(near(box.extmax.x, walls[0][2]) and near(box.extmax.y, walls[0][3]), f"something lies beyond the walls of {bays}.dxf")
    check(len(space.query('POLYLINE[layer=="BAYS"]')) == max(int(line["bay"]) for line in departments), "bays")
    flows = space.query('POLYLINE[layer=="FLOWS"]')
    check(len(flows) > 20, f"{len(flows)} flows in {bays}.dxf")
    centres = {(round((left + right) / 2, 5), round((bottom + top) / 2, 5)) for left, bottom, right, top in rooms}
    for line in flows:
        ends = [(round(vertex.dxf.location.x, 5), round(vertex.dxf.location.y, 5)) for vertex in line.vertices]
        check(len(ends) == 2 and set(ends) <= centres, f"a flow of {bays}.dxf ends nowhere: {ends}")

    document = pathlib.Path(f"{bays}.txt").read_text(encoding="utf-8")
    for line in departments:
        check(line["department"].split(" ")[0] in document, f"{line['department']} is not in the document")
check("Wareneingang für Öle; „kühl“" in names, f"names: {sorted(names)}")
print(f"exports: {len(departments)} departments: floor plans, tables and documents agree")
