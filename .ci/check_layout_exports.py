"""Compares floor plans in DXF with the table of departments; called by .ci/exports in the folder of the exports."""

import csv
import math
import pathlib
import sys

import ezdxf
from ezdxf import bbox


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def near(one, other):
    return math.isclose(one, other, abs_tol=1e-6, rel_tol=1e-9)


def rectangle(line):
    """Left, bottom, right and top of a closed line of four corners."""
    points = [vertex.dxf.location for vertex in line.vertices]
    check(line.is_closed and len(points) == 4, f"a line on {line.dxf.layer} is no rectangle")
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs), min(ys), max(xs), max(ys)


names = set()
for bays in ("vertical", "horizontal"):
    with open(f"{bays}.csv", encoding="utf-8", newline="") as file:
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
        wanted = (x, y, x + width, y + height)
        found = [room for room in rooms if all(map(near, room, wanted))]
        check(len(found) == 1, f"{line['department']} has {len(found)} rooms in {bays}.dxf")
        check(near(width * height, float(line["area"])), f"{line['department']} is not as large as it should be")

    words = {text.dxf.text: text for text in space.query('TEXT[layer=="NAMES"]')}
    for line in departments:
        name = ezdxf.lldxf.encoding.decode_dxf_unicode(line["department"])
        text = next((text for word, text in words.items() if word == name), None)
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
    centres = {(round(float(line["x"]) + float(line["width"]) / 2, 5), round(float(line["y"]) + float(line["height"]) / 2, 5)) for line in departments}
    for line in flows:
        ends = [(round(vertex.dxf.location.x, 5), round(vertex.dxf.location.y, 5)) for vertex in line.vertices]
        check(len(ends) == 2 and set(ends) <= centres, f"a flow of {bays}.dxf ends nowhere: {ends}")

    document = pathlib.Path(f"{bays}.txt").read_text(encoding="utf-8")
    for line in departments:
        check(line["department"].split(" ")[0] in document, f"{line['department']} is not in the document")
check("Wareneingang für Öle; „kühl“" in names, f"names: {sorted(names)}")
print(f"exports: {len(departments)} departments: floor plans, tables and documents agree")
