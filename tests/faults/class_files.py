"""The campaign of a class's files: labs, zip files, digits and answers that somebody made to do
harm.

Unlike the damaged files of `readers`, most of these are well formed. Each case is made anew from
the random numbers.
"""

import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.errors import InputError
from core.labs.answers_file import ProgressFile
from core.labs.blocks.text import Text
from core.labs.grading import read_folder
from core.labs.package import MAX_FILES, open_lab
from core.labs.reader import parse_lab
from core.labs.skeleton import skeleton
from core.labs.web_page import Trained, iter_site, page_html, sheet_html
from tests.faults.case import Case, check_message
from tests.faults.hostile import NAMES
from tests.faults.mutate import mutate
from tests.faults.saved_files import home_at, made_answers

_MARKS = (
    "(",
    "[",
    "![",
    "<",
    "> ",
    "1. ",
    "- ",
    "*",
    "**",
    "_",
    "`",
    "```",
    "~~~",
    "&",
    "#",
    "|",
    "\\",
    "\t",
    " ",
    "\n",
    "x",
    "[a](b)",
    "![a](b.png)",
    "<b>",
    "&#",
    "[a]: b\n",
    "***",
    "\u202e",
    "e\u0301",
    "🙂",
    "](",
    "\r",
)
_ENTRIES = (
    "lab.md",
    "a.png",
    "",
    ".",
    "..",
    "../x",
    "/x",
    "a//b",
    "a/./b",
    "C:\\x",
    "con",
    "nul.png",
    "x.",
    "x ",
    "?",
    "lab.md/",
    "a\\b",
    "é.md",
    "\x00",
    "d/" * 9 + "x",
    "d/" * 10 + "x",
    "d/" * 900 + "x",
    "y" * 300,
)
_METHODS = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
)
_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    1.5,
    1e300,
    -1e300,
    10**300,
    2**63,
    "",
    "x",
    [],
    {},
    [[]],
    "a" * 10_000,
    [1] * 5000,
    {"a": {"a": 1}},
    "\ud800",
    *NAMES[:20],
)
_MAX_UNPACKED = 3 * MAX_FILES


class ClassFiles:
    """Makes cases, each in the empty folder `case`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "case"
        self._kinds: dict[str, Callable[[Path, Random], Callable[[], str | None]]] = {
            "text of a lab": _lab_text,
            "zip file of a lab": _zip_file,
            "site": _site,
            "digits": _digits,
            "answers": _forged,
            "two windows": _two_windows,
        }
        self._show = _window_of_texts() if find_spec("PySide6") else None
        # The part to draw on is put together once in a process, which takes seconds.
        page_html(parse_lab(skeleton(), "lab.md"), Trained())

    def case(self, random: Random) -> Case:
        name = random.choice([*self._kinds])
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        if name == "text of a lab" and self._show:
            return Case(name, 200_000, _lab_text(self._folder, random, self._show))
        return Case(name, 200_000, self._kinds[name](self._folder, random))


# -- labs ------------------------------------------------------------------------------------------


def _random_text(random: Random) -> str:
    """Markdown that repeats few marks often, as texts that make a parser slow do."""
    marks = random.choices(_MARKS, k=random.choice((1, 1, 2, 3, 8)))
    count = random.choice((3, 100, 1000, 4000, 10_000, 60_000))
    joint = random.choice(("", "", " ", "\n", "\n\n"))
    return (joint.join(random.choice(marks) for _ in range(count)))[:200_000]


def _lab_text(
    folder: Path, random: Random, show: Callable[[str], None] | None = None
) -> Callable[[], str | None]:
    """A lab with such a text in a step, in a question or in a note; read, printed, made a page, and
    shown.
    """
    text = _random_text(random)
    lab = skeleton()
    place = random.choice(("end", "reveal", "ask"))
    if place == "ask":
        lab = lab.replace('ask = "', f"ask = {json.dumps(text[:5000], ensure_ascii=False)} #", 1)
    elif place == "reveal":
        lab += f"\n```reveal\n{text}\n```\n"
    else:
        lab += f"\n## Another step\n\n{text}\n"
    (folder / "lab.md").write_text(lab, "utf-8", "replace")

    def run() -> None:
        made = open_lab(folder / "lab.md")
        sheet_html(made, teacher=True).encode(errors="replace")
        page_html(made, Trained()).encode(errors="replace")
        for part in made.parts:
            shown = part.markdown if isinstance(part, Text) else getattr(part, "ask", "")
            if show is not None and shown:
                show(shown)

    return run  # type: ignore[return-value]


def _window_of_texts() -> Callable[[str], None]:
    """Shows a text as the window does, in a widget of its own."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from gui.labs.texts import LabText

    app = QApplication.instance() or QApplication([])

    def show(text: str) -> None:
        widget = LabText(text, None)
        widget.resize(400, 300)
        widget.show()
        app.processEvents()
        widget.hide()
        widget.deleteLater()
        app.processEvents()

    return show


def _zip_of(folder: Path, random: Random, name: str) -> Path:
    """A zip file of a lab and others, with random names, compressions and damage."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for _ in range(random.choice((1, 3, 3, 15))):
            entry = zipfile.ZipInfo(random.choice(_ENTRIES) or "x")
            if random.random() < 0.05:
                entry.external_attr = random.getrandbits(32)
            archive.writestr(entry, b"x" * random.choice((0, 10, 100_000)), random.choice(_METHODS))
        if random.random() < 0.8:
            archive.writestr("lab.md", skeleton(), zipfile.ZIP_DEFLATED)
        if random.random() < 0.1:
            for number in range(random.choice((500, 3000))):
                archive.writestr(f"{number}/" + "d/" * random.choice((1, 5, 30)) + "x", "")
    packed = content.getvalue()
    if len(packed) < 100_000 and random.random() < 0.4:
        packed = mutate(packed, random)
    path = folder / name
    path.write_bytes(packed)
    return path


def _zip_file(folder: Path, random: Random) -> Callable[[], str | None]:
    path = _zip_of(folder, random, "lab.zip")
    home = folder / "home"
    before = {*folder.rglob("*")}

    def run() -> str | None:
        with home_at(home):
            try:
                open_lab(path)
            except InputError as error:
                if fault := check_message(str(error)):
                    return fault
        made = [
            each
            for each in folder.rglob("*")
            if each not in before and home not in (each, *each.parents)
        ]
        if made:
            return f"written outside of the cache: {made[0]}"
        count = sum(1 for _ in home.rglob("*"))
        return f"{count} files and folders in the cache" if count > _MAX_UNPACKED else None

    return run


def _site(folder: Path, random: Random) -> Callable[[], str | None]:
    """A folder with labs and other files: whatever these are, the good labs are written, each to a
    page.
    """
    labs = folder / "labs"
    good = 0
    for name in random.sample(
        ("index.md", "a/b.md", "a-b.md", "A-b.md", "ä.md", "ö.md", "con.md", "x.y.md"), 4
    ):
        (labs / name).parent.mkdir(parents=True, exist_ok=True)
        (labs / name).write_text(skeleton(), "utf-8")
        good += 1
    (labs / "bad.md").write_bytes(mutate(skeleton().encode(), random))
    _zip_of(labs, random, "bad.zip")
    if random.random() < 0.3:
        os.mkfifo(labs / "pipe.md")

    def run() -> str | None:
        with home_at(folder / "home"):
            found = [*iter_site(labs, folder / "site", train=False)]
        pages = [path.name.casefold() for path in (folder / "site").glob("*.html")]
        written = int(found[-1].text.split()[1])
        if written < good or len(set(pages)) != written + 1:
            return f"{good} good labs, {found[-1].text}, {len(set(pages))} pages"
        return next((fault for each in found if (fault := check_message(each.text))), None)

    return run


# -- digits ----------------------------------------------------------------------------------------


def _digits(folder: Path, random: Random) -> Callable[[], str | None]:
    """Files of digits, one of them damaged: it is refused, and the others are merged."""
    for name in ("ann", "ben"):
        images = np.random.default_rng(random.getrandbits(30)).integers(
            0, 256, (12, 28, 28), np.uint8
        )
        labels = np.arange(12, dtype=np.uint8) % 10
        class_digits.save(
            WrittenDigits(images, labels, np.zeros(12, np.int32), (name,)), folder / f"{name}.npz"
        )
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(folder / "ann.npz") as whole,
        zipfile.ZipFile(packed, "w", random.choice(_METHODS)) as archive,
    ):
        for entry in whole.namelist():
            content = whole.read(entry)
            end = 128 if random.random() < 0.8 else len(content)
            if random.random() < 0.5:
                content = mutate(content[:end], random) + content[end:]
            archive.writestr(entry, content)
    content = packed.getvalue()
    (folder / "bad.npz").write_bytes(mutate(content, random) if random.random() < 0.3 else content)

    def run() -> str | None:
        digits, refused = class_digits.merge_files(sorted(folder.glob("*.npz")))
        class_digits.save(digits, folder / "merged" / "all.npz")
        if len(class_digits.read(folder / "merged" / "all.npz").images) != len(digits.images):
            return "other digits are read than were written"
        class_digits.ClassDigits().load(folder / "merged" / "all.npz")
        if len(digits.images) < 24:
            return "a good file was left out"
        return next((fault for error in refused if (fault := check_message(str(error)))), None)

    return run


# -- answers ---------------------------------------------------------------------------------------


def _changed(value: object, random: Random) -> Any:
    """The JSON value with one part of it replaced, removed or repeated."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice([*value])
        changed = {**value, key: _changed(value[key], random)}
        if random.random() < 0.1:
            del changed[key]
        return changed
    if isinstance(value, list) and value and random.random() < 0.9:
        index = random.randrange(len(value))
        changed = [*value[:index], _changed(value[index], random), *value[index + 1 :]]
        # Repeated lists in repeated lists would make a file of gigabytes.
        times = (
            random.choice((1, 1, 1, 40))
            if not any(isinstance(each, list) for each in changed)
            else 1
        )
        return changed * times
    nested: Any = random.choice(_VALUES)
    for _ in range(random.choice((0, 0, 0, 3, 900))):
        nested = [nested]
    return nested


def _forged(folder: Path, random: Random) -> Callable[[], str | None]:
    """A folder of answers: one honest file, and forged ones, which never keep it from being
    marked.
    """
    lab = parse_lab(skeleton(), "lab.md")
    made_answers().save(folder / "honest.json")
    values = json.loads((folder / "honest.json").read_text("utf-8"))
    for name in ("a.json", "z.json"):
        forged = values
        for _ in range(random.choice((1, 1, 2, 3))):
            forged = _changed(forged, random)
        (folder / name).write_text(json.dumps(forged), "utf-8")

    def run() -> str | None:
        grades = read_folder(folder, lab)
        honest = next(marked for marked in grades.marked if marked.file == "honest.json")
        if honest.answers is None:
            return f"the honest file is not marked: {honest.remark}"
        cells = [str(cell) for row in grades.rows() for cell in row]
        if any("fault of this program" in cell for cell in cells):
            return f"a fault of the program: {grades.rows()}"
        (grades.csv() + grades.html()).encode(errors="replace")
        return next(filter(None, map(check_message, cells)), None)

    return run


def _two_windows(folder: Path, random: Random) -> Callable[[], str | None]:
    """Two windows with the same lab in one home keep attempts in turn: none is lost."""
    lab = parse_lab(skeleton(), "lab.md")

    def run() -> str | None:
        with home_at(folder / "home"):
            windows = [(file, file.read()) for file in (ProgressFile(lab), ProgressFile(lab))]
            kept = random.choice((2, 5, 12))
            for number in range(kept):
                file, answers = random.choice(windows)
                answers.add(replace(random.choice(made_answers().attempts), seconds=float(number)))
                file.write(answers)
            found = ProgressFile(lab).read()
        seconds = {attempt.seconds for attempt in found.attempts}
        return None if len(seconds) == kept else f"{len(seconds)} of {kept} attempts are there"

    return run
