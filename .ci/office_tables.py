"""Workbooks as offices send them, for .ci/office: titles above the header, totals, several spellings, dates as text and as cells.

Everything is drawn from a fixed seed, so that two runs of the trials work on equal files.
"""

import datetime
import random

from openpyxl import Workbook

PROGRAMMES, PER_PROGRAMME, STUDENTS = 50, 7, 8000
DAYS = [datetime.date(2026, 7, 13) + datetime.timedelta(days) for days in range(19) if days % 7 < 5]
SUBJECTS = ("Mathematik", "Statik", "Informatik", "Physik", "Recht", "Chemie", "Statistik")


def exam(programme, number):
    return f"{chr(65 + programme % 26)}{chr(65 + programme // 26)}{1200 + number}"


def exams_workbook(path):
    """8,000 students and 350 exams on three sheets; returns pairs of student and exam that can be used."""
    draw = random.Random(22)
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Anmeldungen")
    sheet.append(["Hochschule Beispielstadt"])
    sheet.append(["Anmeldungen zum Prüfungszeitraum Sommer 2026"])
    sheet.append(["Matrikelnummer", "Prüfungsnummer", "Bezeichnung", "Angemeldet am"])
    pairs = []
    for student in range(STUDENTS):
        programme = student % PROGRAMMES
        own = draw.sample(range(PER_PROGRAMME), 4)
        chosen = [exam(programme, number) for number in own]
        chosen.append(exam((programme + draw.randint(1, 3)) % PROGRAMMES, draw.randrange(PER_PROGRAMME)))
        for code in chosen:
            pairs.append((str(26000000 + student), code))
    for number, (student, code) in enumerate(pairs):
        written = code.lower() if number % 997 == 5 else f" {code} " if number % 1013 == 7 else code
        day = datetime.date(2026, 5, 4 + number % 20)
        # Half of the numbers are cells of numbers, half are text; dates likewise.
        sheet.append([int(student) if number % 2 else student, written, SUBJECTS[int(code[-1])],
                      day if number % 3 else day.strftime("%d.%m.%Y")])
        if number == 20000:
            sheet.append(["Matrikelnummer", "Prüfungsnummer", "Bezeichnung", "Angemeldet am"])
            sheet.append([None, code, "ohne Nummer", day])
            sheet.append([26000001, "ZZ9999", "unbekannt", day])
            sheet.append([26000002, "#NV", "?", "bald"])
    sheet.append(["Summe", len(pairs)])
    sheet = book.create_sheet("Prüfungen")
    sheet.append(["Prüfungsverzeichnis"])
    sheet.append([])
    sheet.append(["Prüfungsnr.", "Titel", "Dauer (min)"])
    for programme in range(PROGRAMMES):
        for number in range(PER_PROGRAMME):
            minutes = "lang" if (programme, number) == (3, 2) else 90 if number % 2 else 120
            sheet.append([exam(programme, number), f"{SUBJECTS[number]} {programme + 1}", minutes])
    sheet = book.create_sheet("Termine")
    sheet.append(["Termine"])
    sheet.append([])
    sheet.append(["Datum", "Beginn", "Ende", "Plätze"])
    for number, day in enumerate(DAYS):
        for begin, end in ((9, 11), (14, 16)):
            seats = "viele" if (number, begin) == (4, 14) else 2600
            sheet.append([day if number % 2 else day.strftime("%d.%m.%Y"), datetime.time(begin), f"{end}:00", seats])
    book.save(path)
    return pairs


def late_enrolments(pairs):
    """Thirty more lines as cells that were copied in a spreadsheet, and the pairs in them."""
    draw = random.Random(23)
    known, codes = set(pairs), sorted({code for _, code in pairs})
    late = []
    while len(late) < 30:
        pair = (draw.choice(pairs)[0], draw.choice(codes))
        if pair not in known:
            known.add(pair)
            late.append(pair)
    return "Matrikelnummer\tPrüfungsnummer\n" + "".join(f"{student}\t{code}\n" for student, code in late), late


def layout_workbook(path):
    """22 departments and their flows with units in the headers; the size of the plant is nowhere."""
    draw = random.Random(24)
    names = [f"{kind} {number}" for kind in ("Lager", "Fräserei", "Montage", "Lackierung", "Prüfung", "Versand")
             for number in range(1, 5)][:22]
    book = Workbook()
    sheet = book.active
    sheet.title = "Bereiche"
    sheet.append(["Werk Nord, Bereiche"])
    sheet.append([])
    sheet.append(["Department", "Area (m²)", "Max. aspect ratio", "Cost centre"])
    areas = {name: draw.randrange(20, 90, 5) for name in names}
    for number, name in enumerate(names):
        sheet.append([name, areas[name], 4, 4700 + number])
    sheet.append(["Total", sum(areas.values())])
    sheet = book.create_sheet("Transporte")
    sheet.append(["From", "To", "Flow (pallets/day)", "Remark"])
    for number, name in enumerate(names):
        for other in draw.sample([other for other in names if other != name], 3):
            sheet.append([name.upper() if number == 5 else name, other, draw.randrange(1, 60), ""])
    sheet.append(["Lager 1", "Kantine", 5, "not a department"])
    book.save(path)
    return areas


def shop_workbook(path):
    """40 orders with columns of numbers that are no machines."""
    draw = random.Random(25)
    machines = ["Säge", "Fräse", "Bohrer", "Lack", "Montage"]
    book = Workbook()
    sheet = book.active
    sheet.title = "Aufträge"
    sheet.append(["Auftragsliste KW 30"])
    sheet.append(["Order", "Quantity", "Priority", "Setup time", *[f"{name} (min)" for name in machines], "Due date"])
    times = {}
    for number in range(1, 41):
        row = [draw.randrange(5, 60) for _ in machines]
        name = f"A-{1000 + number}"
        times[name] = row
        due = 150 + 45 * number
        sheet.append([name, draw.randrange(1, 200), draw.randrange(1, 5), draw.randrange(5, 20), *row,
                      due])
    sheet.append(["Summe", None, None, None, *[sum(row[at] for row in times.values()) for at in range(len(machines))]])
    book.save(path)
    return times
