"""Opens the page for students in headless Chromium, on a desktop and on a telephone, and compares it with the table by student.

Usage: check_page.py PLAN [FOLDER], in the folder with PLAN.page.html, PLAN.students.csv and PLAN.ics; needs websocket-client and
icalendar. FOLDER: where pictures of the page are kept.
"""

import base64
import csv
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

import icalendar
import websocket

plan = sys.argv[1]


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


class Browser:
    """Chromium that is driven through its debugging port."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
             "--disable-component-update", "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            stderr=subprocess.PIPE, text=True)
        port = next(match.group(1) for line in self.process.stderr if (match := re.search(r"127\.0\.0\.1:(\d+)/", line)))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as pages:
            page = next(page for page in json.load(pages) if page["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=60)
        self.numbers, self.requests, self.errors = itertools.count(1), [], []
        for domain in ("Network", "Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def receive(self):
        message = json.loads(self.socket.recv())
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.errors.append(message["params"])
        return message

    def send(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := self.receive()).get("id") != number:
            pass
        return message["result"]

    def open(self, path, width, height, mobile):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.send("Page.navigate", url=path.absolute().as_uri())
        while self.receive().get("method") != "Page.loadEventFired":
            pass

    def run(self, script):
        result = self.send("Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True, returnByValue=True)
        check("exceptionDetails" not in result, f"the page fails: {result}")
        return result["result"].get("value")


ENTER = """
    const code = document.getElementById("code");
    code.value = %s;
    document.getElementById("show").click();
    for (let wait = 0; wait < 400 && document.getElementById("show").disabled; wait++) await new Promise(done => setTimeout(done, 25));
    return [document.getElementById("answer").innerText, document.documentElement.scrollWidth <= innerWidth,
            document.getElementById("actions").hidden];
"""

CALENDAR = """
    let blob = null;
    const make = URL.createObjectURL;
    URL.createObjectURL = made => { blob = made; return make(made); };
    document.getElementById("calendar").click();
    URL.createObjectURL = make;
    return await blob.text();
"""

path = pathlib.Path(f"{plan}.page.html")
with open(f"{plan}.students.csv", encoding="utf-8-sig", newline="") as file:
    lines = list(csv.DictReader(file))
by_student = {student: list(own) for student, own in itertools.groupby(sorted(lines, key=lambda line: line["student"]), lambda line: line["student"])}

# In the open, no student and no extra time.
readable = re.sub(r'<script type="text/plain".*?</script>', "", path.read_text(encoding="utf-8"), flags=re.S)
readable = readable[: readable.index('"use strict"')]
words = set(re.findall(r"[\w-]+", readable))
check(not words & set(by_student), f"students stand in the open: {sorted(words & set(by_student))[:5]}")
check(not re.search(r"extra time|arrange", readable, re.I), "extra time stands in the open")
check(all(line["code"] in words for line in lines), "an exam is missing in the open timetable")

with_extra = next(own for own in by_student.values() if any(line["extra_minutes"] != "0" for line in own))
plain = max((own for own in by_student.values() if all(line["extra_minutes"] == "0" for line in own)), key=len)
session = {event["UID"]: event for event in icalendar.Calendar.from_ical(pathlib.Path(f"{plan}.ics").read_bytes()).walk("VEVENT")}



def clock(event, name):
    """Local time of a moment, which is in UTC where the calendar of the session names its time zone."""
    zone = session[event["UID"]]["DTSTART"].dt.tzinfo
    moment = event[name].dt
    return (moment.astimezone(zone) if zone else moment).strftime("%H:%M")


with Browser() as browser:
    for width, height, mobile in [(1280, 900, False), (360, 740, True)]:
        browser.open(path, width, height, mobile)
        check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"the page is wider than {width} pixels")
        answer, fits, is_hidden = browser.run(ENTER % json.dumps("nobody"))
        check("Nothing is stored" in answer and is_hidden and not re.search(r"\d", answer), f"a wrong entry shows: {answer}")
        for own in (plain, with_extra):
            answer, fits, is_hidden = browser.run(ENTER % json.dumps(f" {own[0]['student'].upper()} "))
            check(fits and not is_hidden, f"the answer is wider than {width} pixels, or has no buttons")
            told = re.findall(r"^(\S+)(?: · .*)?\n.* · (\d\d:\d\d)–(\d\d:\d\d)\nRoom (.*)$", answer, re.M)
            expected = [(line["code"], line["start"], line["end"], line["room"]) for line in own]
            check(sorted(told) == sorted(expected), f"the page tells {told}, the table {expected}")
            minutes = re.findall(r"^(\d+) minutes of extra time", answer, re.M)
            check(minutes == [line["extra_minutes"] for line in own if line["extra_minutes"] != "0"], f"extra time: {answer}")
            events = icalendar.Calendar.from_ical(browser.run(CALENDAR)).walk("VEVENT")
            check(len(events) == len(own), f"the calendar has {len(events)} events for {len(own)} exams")
            check(all(event["UID"] in session and "SEQUENCE" in event for event in events), "other identifiers than in the calendar")
            ends = sorted((str(event["LOCATION"]), clock(event, "DTSTART"), clock(event, "DTEND")) for event in events)
            check(ends == sorted((line["room"], line["start"], line["end"]) for line in own), f"the calendar has {ends}")
    if len(sys.argv) > 2:
        for name, width, height in [("desktop", 1280, 900), ("telephone", 360, 740)]:
            browser.open(path, width, height, width < 500)
            browser.run(ENTER % json.dumps(with_extra[0]["student"]))
            picture = browser.send("Page.captureScreenshot")["data"]
            pathlib.Path(sys.argv[2], f"{name}.png").write_bytes(base64.b64decode(picture))
    others = [url for url in browser.requests if not url.startswith(("file:", "blob:", "data:"))]
    check(not others, f"the page asks for {others}")
    check(not browser.errors, f"the page reports {browser.errors[:3]}")
print(f"{plan}.page.html: {len(by_student)} students, {path.stat().st_size // 1000} kB; entries, calendar and sizes checked in Chromium")
