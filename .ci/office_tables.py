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


# A session with rooms, examiners and invigilators: ten programmes of twelve exams, names, extra time, absences.

DEGREES = ("Maschinenbau", "Bauingenieurwesen", "Informatik", "Elektrotechnik", "Architektur", "Betriebswirtschaft", "Chemie",
           "Medientechnik", "Logistik", "Umwelttechnik")
SHORT = ("MB", "BI", "INF", "ET", "AR", "BW", "CH", "MT", "LO", "UT")
COURSES = ("Mathematik I", "Grundlagen", "Technisches Zeichnen", "Programmieren", "Physik", "Statistik", "Recht", "Projektmanagement",
           "Werkstoffkunde", "Mathematik II", "Qualitätssicherung", "Simulation")
SURNAMES = ("Ackermann", "Bauer", "Çelik", "Dreyer", "Ebert", "Fischer", "Großmann", "Huber", "Ivanov", "Jansen", "Köhler", "Lange",
            "Müller", "Nowak", "Öztürk", "Petersen", "Quast", "Richter", "Schäfer", "Thiele", "Ulrich", "Vogel", "Weiß", "Yılmaz",
            "Zimmermann")
FIRST_NAMES = ("Anna", "Ben", "Clara", "David", "Elif", "Finn", "Greta", "Hannes", "Ida", "Jonas", "Lena", "Mehmet", "Nele", "Oskar",
               "Paula", "Sören", "Tim")
ROOMS = (("Aula", "Hauptgebäude", 180, None, None), ("H 1", "Hauptgebäude", 110, "Beamer", None),
         ("H 2", "Hauptgebäude", 90, "Beamer", "Fr"), ("A 101", "Hauptgebäude", 48, None, None),
         ("A 102", "Hauptgebäude", 44, None, None), ("A 103", "Hauptgebäude", 36, None, "20.7.2026"),
         ("T 001", "Technikum", 70, "Beamer", None), ("T 010", "Technikum", 40, None, None),
         ("T 011", "Technikum", 40, None, None), ("PC 1", "Technikum", 60, "Computer", None),
         ("PC 2", "Technikum", 48, "Computer", None), ("B 12", "Bibliothek", 30, None, None),
         ("B 14", "Bibliothek", 24, None, "13.7.2026–15.7.2026"), ("B 15", "Bibliothek", 12, None, None))
SESSION_DAYS = [datetime.date(2026, 7, 13) + datetime.timedelta(days) for days in range(12) if days % 7 < 5]
SLOTS = ((datetime.time(8, 30), datetime.time(10, 45)), (datetime.time(11, 30), datetime.time(13, 45)),
         (datetime.time(14, 30), datetime.time(16, 45)))


def name(number):
    """Surname and first name of the person with this number; names repeat as they do in life."""
    return SURNAMES[(number * 7 + number // 10) % len(SURNAMES)], FIRST_NAMES[(number * 5 + number // 25) % len(FIRST_NAMES)]


def sheet_of(book, title, heading, header):
    """A sheet with a title and an empty line above the names of its columns."""
    sheet = book.create_sheet(title)
    sheet.append([heading])
    sheet.append([])
    sheet.append(header)
    return sheet


def session_workbook(path):
    """120 exams and 1,500 students on nine sheets; returns pairs of student and exam that can be used."""
    draw = random.Random(26)
    book = Workbook(write_only=True)
    pairs = session_enrolments(book, draw)
    session_people(book, draw)
    session_exams(book)
    sheet = sheet_of(book, "Räume", "Raumliste (Stand 4.5.2026)", ["Raum", "Gebäude", "Klausurplätze", "Ausstattung", "Gesperrt"])
    for row in ROOMS:
        sheet.append(row)
    sheet.append(["Summe", None, sum(row[2] for row in ROOMS)])
    sheet = sheet_of(book, "Termine", "Prüfungszeitraum", ["Datum", "Beginn", "Ende"])
    for number, day in enumerate(SESSION_DAYS):
        for begin, end in SLOTS:
            sheet.append([day if number % 2 else day.strftime("%d.%m.%Y"), begin, end.strftime("%H:%M")])
    session_invigilators(book)
    book.save(path)
    return pairs


def session_enrolments(book, draw):
    sheet = sheet_of(book, "Anmeldungen", "Hochschule Beispielstadt: Anmeldungen Sommer 2026",
                     ["Matrikelnummer", "Prüfungsnummer", "Angemeldet am"])
    pairs = []
    for student in range(1500):
        degree = student % len(SHORT)
        chosen = [f"{SHORT[degree]} {101 + course}" for course in sorted(draw.sample(range(len(COURSES)), 4))]
        if student % 5 == 0:
            other = (degree + 1 + student // 5 % 3) % len(SHORT)
            chosen.append(f"{SHORT[other]} {101 + draw.randrange(len(COURSES))}")
        pairs += [(str(26100001 + student), code) for code in chosen]
    for number, (student, code) in enumerate(pairs):
        # A spelling variant, blanks around a code, numbers as text, a line that is there twice.
        written = code.replace(" ", "-") if number in (40, 41, 42) else f" {code.lower()} " if number % 911 == 7 else code
        sheet.append([int(student) if number % 2 else student, written, datetime.date(2026, 5, 4 + number % 20)])
        if number == 1234:
            sheet.append([int(student), code, datetime.date(2026, 5, 30)])
    sheet.append(["Summe", len(pairs)])
    return pairs


def session_people(book, draw):
    sheet = sheet_of(book, "Studierende", "Studierende", ["Matrikelnummer", "Nachname", "Vorname", "Studiengang", "E-Mail", "Zugangscode"])
    for student in range(1500):
        surname, first = name(student)
        code = "".join(draw.choice("abcdefghkmnpqrstuvwxyz23456789") for _ in range(12))
        sheet.append([26100001 + student, surname, first, DEGREES[student % len(DEGREES)],
                      f"s{26100001 + student}@beispielstadt.example", code])
    sheet = sheet_of(book, "Nachteilsausgleich", "Vertraulich!", ["Matrikelnummer", "Zeitzuschlag (min)", "Einzelraum"])
    for student in range(30, 1500, 60):
        sheet.append([26100001 + student, 15 if student % 120 else 30, "x" if student == 750 else None])


def session_exams(book):
    sheet = sheet_of(book, "Prüfungen", "Prüfungsverzeichnis", ["Prüfungsnr.", "Titel", "Dauer (min)", "Ausstattung", "Max. Räume", "Erstprüfer"])
    for degree, short in enumerate(SHORT):
        for number, course in enumerate(COURSES):
            teacher = f"Prof. {SURNAMES[(degree * 3 + number) % len(SURNAMES)]}"
            needs = "Computer" if number == 11 and degree % 3 == 2 else None
            sheet.append([f"{short} {101 + number}", f"{course} ({DEGREES[degree]})", 60 if number % 3 else 90, needs, 2, teacher])
    sheet = sheet_of(book, "Prüfende", "Verhinderungen der Prüfenden", ["Prüfer", "Abwesend"])
    for number, surname in enumerate(SURNAMES):
        sheet.append([f"Prof. {surname}", {3: "Mo", 8: "22.7.2026", 15: "13.7.2026–14.7.2026"}.get(number)])


def session_invigilators(book):
    header = ["Personalnummer", "Name", "E-Mail", "Rolle", "Höchstens", "Verhindert", "Nicht bei"]
    sheet = sheet_of(book, "Aufsichten", "Aufsichtspersonen Sommer 2026", header)
    for number in range(26):
        surname, first = name(number + 40)
        role = "chief" if number < 5 else "reserve" if number > 22 else "invigilator"
        absent = {6: "Fr", 9: "14.7.2026", 12: "20.7.2026–21.7.2026", 17: "Mo 8:30"}.get(number)
        sheet.append([f"P{300 + number}", f"{surname}, {first}", f"{surname.lower()}@beispielstadt.example", role,
                      12 if number % 6 == 5 else None, absent, "INF 101" if number == 7 else None])
    header = ["Studierende je Aufsicht", "Mindestens je Raum", "Leitung je", "Reserve je Termin"]
    sheet_of(book, "Aufsichtsregeln", "Regeln", header).append([40, 1, "building", 1])
