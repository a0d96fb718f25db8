"""The real window on a display of its own, driven as a person would: widgets are found by the names that screen readers read
(AT-SPI), then pointed at and typed into through the X server.

Needs Xvfb, openbox, xdotool, xclip, ImageMagick's `import`, dbus and at-spi2-core, and Python's jeepney.
"""

import os
import re
import signal
import subprocess
import time

from jeepney import DBusAddress, Properties, new_method_call
from jeepney.io.blocking import open_dbus_connection

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
# Roles of AT-SPI: label; password, spin button, text and entry, which hold a text.
LABEL = 29
FIELDS = (40, 52, 61, 79)
ACCESSIBLE = "org.a11y.atspi.Accessible"


def fail(what):
    raise SystemExit(f"error: {what}")


def expect(holds, what):
    if not holds:
        fail(what)


def wait(what, look, seconds=30.0):
    """Waits until `look` returns something; returns that."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            fail(f"waited in vain for {what}")
        time.sleep(0.1)


class Widget:
    """A part of the window as a screen reader knows it, with its rectangle in pixels of the screen."""

    def __init__(self, role, name, text, enabled, rectangle):
        self.role, self.name, self.text, self.enabled = role, name, text, enabled
        self.left, self.top, self.width, self.height = rectangle

    @property
    def middle(self):
        return self.left + self.width // 2, self.top + self.height // 2

    def __repr__(self):
        return f"{self.role} «{self.name}» {self.text!r} {self.left},{self.top} {self.width}×{self.height}"


class Desktop:
    """A display with a window manager, a message bus and a program on it. `work` becomes the home folder."""

    def __init__(self, program, work, pictures, size=(1440, 900), numbered=True):
        self.program, self.work, self.pictures, self.size, self.numbered = str(program), work, pictures, size, numbered
        self.home, self.processes, self.running, self.taken = work / "home", [], None, 0
        self.home.mkdir()
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_DOCUMENTS_DIR")}
        self.environment.update(HOME=str(work), GRIDWRIGHT_HOME=str(self.home), LIBGL_ALWAYS_SOFTWARE="1",
                                XDG_RUNTIME_DIR=str(work), NO_AT_BRIDGE="0")
        read, write = os.pipe()
        server = ["Xvfb", "-displayfd", str(write), "-screen", "0", "2080x1180x24", "-nolisten", "tcp", "-noreset"]
        self.start(server, (write,))
        os.close(write)
        with os.fdopen(read) as answer:
            self.environment["DISPLAY"] = ":" + answer.readline().strip()
        configuration = work / "openbox.xml"
        configuration.write_text('<openbox_config xmlns="http://openbox.org/3.4/rc"><applications><application class="*">'
                                 "<decor>no</decor></application></applications></openbox_config>")
        self.start(["openbox", "--sm-disable", "--config-file", str(configuration)])
        bus = self.start(["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        launcher = next(path for path in LAUNCHERS if os.path.exists(path))
        self.start([launcher, "--launch-immediately", "--a11y=1"])
        session = open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        address = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")

        def accessibility_bus():
            reply = session.send_and_get_reply(new_method_call(address, "GetAddress"))
            return reply.body[0] if reply.header.message_type.name == "method_return" else None

        enable = Properties(DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")).set("IsEnabled", "b", True)
        session.send_and_get_reply(enable)
        self.bus = open_dbus_connection(wait("the accessibility bus", accessibility_bus, 20))

    def start(self, command, handles=(), stdout=None):
        # A group of its own, so that what the process has started ends with it.
        process = subprocess.Popen(command, pass_fds=handles, env=self.environment, stdout=stdout or subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        self.processes.append(process)
        return process

    def tool(self, *command, **options):
        done = subprocess.run(["timeout", "30", *map(str, command)], env=self.environment, capture_output=True, **options)
        return done.stdout

    # The program.

    def open(self, *arguments):
        """Starts the program and waits for its window."""
        self.running = self.start([self.program, *map(str, arguments)])

        def found():
            self.alive()
            return self.tool("xdotool", "search", "--onlyvisible", "--name", "^Gridwright").split()

        self.window = wait("the window", found, 120)[0].decode()
        self.resize(*self.size)
        wait("the tree of accessibility", self.widgets, 60)
        self.still()

    def resize(self, width, height):
        self.size = (width, height)
        self.tool("xdotool", "windowmove", self.window, 0, 0, "windowsize", self.window, width, height)
        self.tool("xdotool", "windowfocus", "--sync", self.window)
        self.still()

    def alive(self):
        if self.running.poll() is not None:
            fail(f"the program ended ({self.running.returncode})")

    def close(self):
        self.key("ctrl+q")
        wait("the end of the program", lambda: self.running.poll() is not None, 20)
        if self.running.returncode != 0:
            fail(f"the program ended with {self.running.returncode}")

    def kill(self):
        self.running.kill()
        self.running.wait()

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    # What is seen.

    def answer(self, message):
        reply = self.bus.send_and_get_reply(message, timeout=20)
        return reply.body[0] if reply.header.message_type.name == "method_return" else None

    def call(self, node, member, signature=None, body=(), interface=ACCESSIBLE):
        return self.answer(new_method_call(DBusAddress(node[1], node[0], interface), member, signature, body))

    def widgets(self):
        """Everything in the window that has a name or a text, in the order of drawing."""
        root = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        found, nodes = [], list(self.call(root, "GetChildren") or [])
        while nodes:
            node = nodes.pop(0)
            children = self.call(node, "GetChildren")
            if children is None:
                continue
            nodes[:0] = children
            name = (self.answer(Properties(DBusAddress(node[1], node[0], ACCESSIBLE)).get("Name")) or ("s", ""))[1]
            role = self.call(node, "GetRole") or 0
            is_field = role in FIELDS
            if not name and not is_field:
                continue
            rectangle = self.call(node, "GetExtents", "u", (0,), "org.a11y.atspi.Component") or (0, 0, 0, 0)
            text = self.call(node, "GetText", "ii", (0, -1), "org.a11y.atspi.Text") if is_field else ""
            state = self.call(node, "GetState") or [0, 0]
            # Bit 8 of a state is «enabled».
            found.append(Widget(role, name, text or "", bool(state[0] & (1 << 8)), rectangle))
        return found

    def find(self, name):
        """The widgets whose name matches a pattern wholly."""
        pattern = re.compile(name, re.S)
        return [widget for widget in self.widgets() if pattern.fullmatch(widget.name)]

    def seen(self, name, seconds=20.0):
        """Waits until something of this name (a pattern) is there; returns it."""
        return wait(f"«{name}»", lambda: (self.alive(), self.find(name))[1], seconds)[0]

    def says(self, pattern, seconds=20.0):
        """Waits until a text of the window contains a pattern; returns that text."""
        look = re.compile(pattern, re.S)

        def found():
            self.alive()
            return next((widget.name for widget in self.widgets() if look.search(widget.name)), None)

        return wait(f"a text with «{pattern}»", found, seconds)

    def pixels(self):
        return self.tool("import", "-window", self.window, "rgb:-")

    def still(self, seconds=10.0):
        """Waits until two looks at the window are the same."""
        before, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.2)
            seen = self.pixels()
            if seen == before:
                return
            before = seen

    def picture(self, name, moving=False):
        """Keeps what is seen, with the pointer out of the way; pictures are numbered in their order."""
        self.alive()
        if not moving:
            self.tool("xdotool", "mousemove", 2070, 1170)
            self.still()
        self.taken += 1
        path = self.pictures / (f"{self.taken:02}-{name}.png" if self.numbered else f"{name}.png")
        self.tool("import", "-window", self.window, path)
        size, colours = output("identify", "-format", "%wx%h %k", str(path)).split()
        if size != "{}x{}".format(*self.size) or int(colours) < 100:
            fail(f"{name} is {size} with {colours} colours: the window is empty")
        return path

    def failed(self):
        """Keeps what the screen looks like when a step did not happen."""
        self.tool("import", "-window", "root", self.pictures / "failed.png")

    # What a person does.

    def key(self, *names):
        self.alive()
        for name in names:
            self.tool("xdotool", "key", "--clearmodifiers", name)
            time.sleep(0.12)

    def type(self, text):
        self.tool("xdotool", "type", "--delay", "12", text)
        time.sleep(0.3)

    def point(self, x, y):
        self.tool("xdotool", "mousemove", x, y)
        time.sleep(0.15)

    def click(self, x, y, button=1):
        self.point(x, y)
        self.tool("xdotool", "click", button)
        time.sleep(0.25)

    def press(self, name, at=0, seconds=20.0, roles=None):
        """Clicks the middle of the widget with this name (a pattern), once it is there and can be used."""

        def usable():
            self.alive()
            found = [widget for widget in self.find(name) if widget.width > 0 and widget.enabled]
            return [widget for widget in found if (widget.role in roles if roles else widget.role != LABEL)][at:]

        widget = wait(f"«{name}» to press", usable, seconds)[0]
        self.click(*widget.middle)
        self.still(3)
        return widget

    def grab(self, x, y):
        """Presses the button of the mouse and keeps it pressed."""
        self.point(x, y)
        self.tool("xdotool", "mousedown", 1)
        time.sleep(0.2)

    def carry(self, start, end):
        """Moves the pressed mouse from one place to another in small steps, as a hand does."""
        for step in range(1, 9):
            self.point(start[0] + (end[0] - start[0]) * step // 8, start[1] + (end[1] - start[1]) * step // 8)
        time.sleep(0.3)

    def drop(self):
        self.tool("xdotool", "mouseup", 1)
        time.sleep(0.3)
        self.still(5)

    def scroll(self, x, y, clicks):
        """Turns the wheel of the mouse down."""
        self.point(x, y)
        self.tool("xdotool", "click", "--repeat", clicks, "--delay", 40, 5)
        self.still(3)

    def press_in_list(self, name, below):
        """Clicks a widget in a list that scrolls above another widget, once the list has been turned to it."""
        place, end = self.seen(name), self.seen(below)
        x = place.middle[0]
        for _ in range(40):
            y = self.seen(name).middle[1]
            if end.top - 480 < y < end.top - 80:
                break
            self.point(x, end.top - 200)
            self.tool("xdotool", "click", 5 if y >= end.top - 80 else 4)
            self.still(3)
        return self.press(name)

    def enter(self, name, text):
        """Replaces the text of a field and leaves it."""
        self.press(name, roles=FIELDS)
        self.key("ctrl+a")
        self.type(text)
        self.key("Tab")
        self.still(3)

    def choose(self, name, item):
        """Chooses an item of a list that opens."""
        self.press(name)
        self.press(item, at=-1)

    def dismiss(self):
        """Closes messages at the bottom, so that nothing moves when they go by themselves."""
        while messages := self.find("Close this message"):
            self.click(*messages[-1].middle)
            self.still(3)

    def copy(self, text):
        """Puts a text on the clipboard."""
        process = subprocess.Popen(["xclip", "-selection", "clipboard"], env=self.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.communicate(text.encode())

    def command(self, words):
        """Runs a command by the palette."""
        self.key("ctrl+p")
        self.still(3)
        self.type(words)
        self.key("Return")
        self.still(5)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def store_pictures(pictures, repository, prefix=""):
    """Puts those of the pictures that the pages of docs/ show into assets/pictures/guide, their names with a prefix."""
    guide = repository / "assets/pictures/guide"
    pages = "".join(page.read_text() for page in (repository / "docs").glob("*.md"))
    for picture in sorted(pictures.glob("*.png")):
        name = prefix + re.sub(r"^\d+-", "", picture.name)
        if f"guide/{name}" in pages:
            small = ["-strip", "+dither", "-colors", "200", f"PNG8:{guide / name}"]
            subprocess.run(["convert", str(picture), *small], check=True)
