"""A lab as one HTML page, to print or to read and try in a browser, and a folder of labs as a
static site.

A page has the lab's pictures inside the file.
"""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.paths import is_file_name
from core.html.page import page, paragraph, resource, section
from core.inference.model_file import Model, bundled_model
from core.labs.attempt import Attempt
from core.labs.blocks.block import LabFinding
from core.labs.forms import PageWriter
from core.labs.lab import Lab
from core.labs.package import is_lab_text, open_lab
from core.labs.trial import DataSets
from core.text import counted, format_percent
from core.training.records import EpochDone

if TYPE_CHECKING:
    from core.reading.drawing_page import DrawingPart

ROOM = 500_000
"""Bytes for the epochs of a replay."""
_INDEX = "index.html"
_MAX_NAME = 100  # characters of a page: file systems take 255 bytes


@dataclass(slots=True)
class Trained:
    """What the runs of a lab gave: by id the attempts of its variants; and the network that reads
    the test images best.

    `epochs`: of that network. `images`: of its test split.
    """

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    model: Model | None = None
    title: str = ""
    epochs: Sequence[EpochDone] = ()
    images: np.ndarray | None = None


def iter_trained(lab: Lab, trained: Trained) -> Generator[str]:
    """Train the runs of the lab but its races: yields a line for each, and adds to `trained` what
    they gave.
    """
    from core.reading.drawing_page import why_not

    data = DataSets(lab.folder)
    for run in lab.parts.runs:
        if run.devices:
            continue
        attempts = []
        for index, plan in enumerate(run.plans("")):
            title = run.titles[index] or plan.settings.network
            epochs: list[EpochDone] = []
            try:
                attempts.append(run.train(index, plan, data, kept=epochs))
            except InputError as error:
                text = "Line {line}, {title}: {error}"
                raise InputError(text, line=run.line, title=title, error=error) from None
            yield f"{title}: {attempts[-1].result}, {attempts[-1].seconds:.1f} s"
            context = data.context(plan)
            model = context.model(epochs[-1].checkpoint, attempts[-1].score)
            best = trained.model.test_score if trained.model else None
            if not why_not(model) and (best is None or attempts[-1].score > best):
                trained.model = model
                trained.title = title
                trained.epochs = epochs
                trained.images = context.dataset.test.inputs[:10_000]
        trained.attempts[run.id] = attempts


def sheet_html(lab: Lab, teacher: bool = False) -> str:
    """The whole lab to work through on paper. `teacher`: with the answers and the notes for
    teachers.
    """
    return _lab_page(lab, PageWriter(lab.folder, lab.predicted_epochs(), teacher))


def page_html(
    lab: Lab, trained: Trained, navigation: str = "", names: Mapping[Path, str] | None = None
) -> str:
    """The lab with what its runs gave, and a canvas on which its best network, or the program's
    own, reads.

    `navigation`: HTML for above and below the text. `names`: the pages of other labs, by the paths
    of these.
    """
    from core.reading.drawing_page import drawing_part, page_script

    if trained.model:
        kept = [(each.epoch, each.checkpoint.parameters) for each in trained.epochs]
        drawn = drawing_part(trained.model, trained.images, kept, trained.epochs, ROOM)
        whose = f"This network was trained for this page: {trained.title}. "
        whose += (
            f"It reads {format_percent(trained.model.test_score or 0.0, 1)} of the test images "
            "right."
        )
    else:
        drawn = _bundled_part()
        whose = "This network comes with DigitLab."
    after = ["<h2>Draw, and a network reads</h2>", paragraph(whose), drawn.html]
    # Readers of screens list landmarks by name: two of one name cannot be told apart.
    below = navigation.replace('aria-label="Labs"', 'aria-label="Labs, below the text"')
    after += [*map(paragraph, drawn.notes), below]
    writer = PageWriter(
        lab.folder, lab.predicted_epochs(), attempts=trained.attempts, names=names or {}
    )
    return _lab_page(lab, writer, navigation, after, script=page_script(), data=drawn.data)


@cache
def _bundled_part() -> "DrawingPart":
    from core.reading.drawing_page import drawing_part

    return drawing_part(bundled_model(), None)


def _lab_page(
    lab: Lab, writer: PageWriter, before: str = "", after: Iterable[str] = (), **options: Any
) -> str:
    """`options`: of `page`."""
    parts = [before]
    for step in lab.steps:
        texts = [html for html in (part.html(writer) for part in step.parts) if html]
        parts.append(section(step.title, *texts) if step.title != lab.title else "\n".join(texts))
    footer = f"About {lab.minutes} minutes." if lab.minutes else ""
    return page(lab.title, [*parts, *after], footer, **options)


def iter_page(path: Path, out: Path, train: bool = True) -> Generator[str]:
    """Write the page of the lab at `path` to the file `out`. Yields lines."""
    lab = open_lab(path)
    trained = Trained()
    if train:
        yield from iter_trained(lab, trained)
    write_atomically(out, page_html(lab, trained).encode(errors="replace"))
    yield f"Written: {out}"


def iter_site(folder: Path, out: Path, train: bool = True) -> Generator[LabFinding]:
    """Write a page for each lab below `folder`, and index.html with links to them, into `out`.

    Yields what was written, and as faults what was left out: one bad file does not keep the others
    from being written. Raises InputError where there is no lab at all.
    """
    found: list[tuple[str, Lab]] = []
    names: dict[Path, str] = {}
    taken = {_INDEX}
    for path in _lab_files(folder):
        try:
            if path.suffix.lower() == ".md" and not is_lab_text(path):
                continue
            lab = open_lab(path)
        except InputError as error:
            yield LabFinding(f"{path.relative_to(folder)}: {error}", fault=True)
            continue
        name = _page_name(path.relative_to(folder), taken)
        # Resolved, as links in a text may lead to it on other ways.
        names[path.resolve()] = name
        found.append((name, lab))
    if not found:
        raise InputError(
            "{folder} holds no labs: choose a folder with Markdown files.", folder=folder
        )
    for number, (name, lab) in enumerate(found):
        yield LabFinding(lab.title)
        before = found[number - 1] if number else None
        after = found[number + 1] if number + 1 < len(found) else None
        trained = Trained()
        try:
            if train:
                yield from map(LabFinding, iter_trained(lab, trained))
            html = page_html(lab, trained, _navigation(before, after), names)
        except InputError as error:
            yield LabFinding(f"{lab.title}: {error}", fault=True)
            # A page with the reason: links of the other labs lead to it.
            html = page(
                lab.title,
                [paragraph(str(error)), _navigation(before, after)],
                script=resource("theme.js"),
            )
        write_atomically(out / name, html.encode(errors="replace"))
    items = "".join(
        f'<li><a href="{escape(name)}">{escape(lab.title)}</a>'
        f"{f' ({lab.minutes} minutes)' if lab.minutes else ''}</li>"
        for name, lab in found
    )
    index = page("Labs", [f"<ol>{items}</ol>"], script=resource("theme.js"))
    write_atomically(out / _INDEX, index.encode(errors="replace"))
    yield LabFinding(f"Written: {counted(len(found), 'lab')} and {out / _INDEX}")


def _lab_files(folder: Path) -> Iterator[Path]:
    """What may be a lab: zip files are taken for labs, Markdown files are where they have the block
    of one.
    """
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in (".md", ".zip") and not path.is_dir():
            yield path


def _page_name(path: Path, taken: set[str]) -> str:
    """A name for a lab's page, which is added to `taken`: letters, digits and hyphens of its path.

    A number tells it from those that are taken; capitals make no difference, as on Windows and
    macOS.
    """
    parts = path.with_suffix("").parts
    # Each folder may have a lab.md: its own name says more.
    if path.stem == "lab" and path.parent.parts:
        parts = path.parent.parts
    stem = re.sub(r"[^a-zA-Z0-9]", "-", "-".join(parts))[:_MAX_NAME]
    name = f"{stem}.html"
    for number in count(2):
        if name.casefold() not in taken and is_file_name(name):
            break
        name = f"{stem}-{number}.html"
    taken.add(name.casefold())
    return name


def _navigation(before: tuple[str, Lab] | None, after: tuple[str, Lab] | None) -> str:
    def link(target: tuple[str, Lab] | None, arrow: str) -> str:
        text = arrow.format(escape(target[1].title)) if target else ""
        return f'<a href="{escape(target[0])}">{text}</a>' if target else "<span></span>"

    links = link(before, "← {}"), '<a href="index.html">All labs</a>', link(after, "{} →")
    return f'<nav aria-label="Labs">{"".join(links)}</nav>'
