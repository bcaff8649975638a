"""A lab as one HTML page to read and try in a browser, and a folder of labs as a static site."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import page, paragraph, resource, table
from core.inference.model_file import Model, bundled_model
from core.labs.answers import Attempt
from core.labs.lab import ExerciseBlock, Lab, Part, PredictBlock, QuestionBlock, RunBlock, Text
from core.labs.package import MAX_BYTES, open_lab
from core.labs.sheet import exercise_html, lab_page, markdown_html
from core.labs.trial import DataSets, make_attempt
from core.training.records import EpochDone

if TYPE_CHECKING:
    from core.reading.drawing_page import DrawingPart

ROOM = 500_000
"""Bytes for the epochs of a replay."""


@dataclass(slots=True)
class Trained:
    """What the runs of a lab gave: by id the attempts of its variants; and the network that reads the test images best.

    `epochs`: of that network. `images`: of its test split.
    """

    attempts: dict[str, list[Attempt]] = field(default_factory=dict)
    model: Model | None = None
    title: str = ""
    epochs: Sequence[EpochDone] = ()
    images: np.ndarray | None = None


def iter_trained(lab: Lab) -> Generator[str, None, Trained]:
    """Train the runs of the lab but its races: yields a line for each, and returns what they gave."""
    from core.reading.drawing_page import why_not

    data, trained = DataSets(lab), Trained()
    for run in (part for part in lab.parts() if isinstance(part, RunBlock) and not part.devices):
        attempts = []
        for index, plan in enumerate(run.plans("")):
            title = run.titles[index] or plan.settings.network
            epochs: list[EpochDone] = []
            try:
                attempts.append(make_attempt(run, index, plan, data, kept=epochs))
            except InputError as error:
                raise InputError(
                    "Line {line}, {title}: {error}", line=run.line, title=title, error=error
                ) from None
            yield f"{title}: {attempts[-1].result}, {attempts[-1].seconds:.1f} s"
            context = data.context(plan)
            model = context.model(epochs[-1].checkpoint, attempts[-1].score)
            best = trained.model.test_score if trained.model else None
            if not why_not(model) and (best is None or attempts[-1].score > best):
                trained.model, trained.title, trained.epochs = model, title, epochs
                trained.images = context.dataset.test.inputs[:10_000]
        trained.attempts[run.id] = attempts
    return trained


def page_html(
    lab: Lab, trained: Trained, navigation: str = "", names: Mapping[Path, str] | None = None
) -> str:
    """The lab with what its runs gave, and a canvas on which its best network, or the program's own, reads.

    `navigation`: HTML for above and below the text. `names`: the pages of other labs, by the paths of these.
    """
    from core.reading.drawing_page import drawing_part, page_script

    if trained.model:
        kept = [(each.epoch, each.checkpoint.parameters) for each in trained.epochs]
        drawn = drawing_part(trained.model, trained.images, kept, trained.epochs, ROOM)
        whose = (
            f"This network was trained for this page: {trained.title}. It reads {trained.model.test_score:.1%} of the "
            "test images right."
        )
    else:
        drawn, whose = _bundled_part(), "This network comes with DigitLab."
    after = ["<h2>Draw, and a network reads</h2>", paragraph(whose), drawn.html]
    after += [*map(paragraph, drawn.notes), navigation]
    return lab_page(
        lab, lambda part: _part_html(lab, part, trained, names or {}), navigation, after,
        script=page_script(), data=drawn.data,
    )  # fmt: skip


@cache
def _bundled_part() -> "DrawingPart":
    from core.reading.drawing_page import drawing_part

    return drawing_part(bundled_model(), None)


def _part_html(lab: Lab, part: Part, trained: Trained, names: Mapping[Path, str]) -> str:
    """A part as in the sheet to print, but answers can be chosen, and what is hidden opens by a click."""
    if isinstance(part, Text):
        html = "" if part.hidden == "teacher" else markdown_html(part.markdown, lab.folder, names)
        return _details("Afterwards", html) if html and part.hidden else html
    if not isinstance(part, ExerciseBlock):
        return ""
    ask = markdown_html(part.ask, lab.folder, names) if part.ask else ""
    if isinstance(part, QuestionBlock):
        return ask + "".join(
            _details(choice.text, paragraph("Right. " * choice.right + choice.reply or "No."))
            for choice in part.choices
        )
    if isinstance(part, PredictBlock) and part.kind == "choice":
        name = escape(part.id)
        choices = "".join(
            f'<li><label><input type="radio" name="{name}"> {escape(choice)}</label></li>'
            for choice in part.choices
        )
        right = _details("What turned out", paragraph(part.right)) if part.right else ""
        return f'{ask}<ul class="plain">{choices}</ul>{right}'
    if isinstance(part, RunBlock):
        found = _run_html(part, trained.attempts.get(part.id, ()))
        return ask + (_details("Show what the runs gave", found) if found else exercise_html(lab, part))
    return ask + exercise_html(lab, part)


def _details(summary: str, html: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>\n{html}</details>"


def _run_html(run: RunBlock, attempts: Sequence[Attempt]) -> str:
    """The curves of the attempts, and the figures of the run in a table; "" where it has neither."""
    names = [title or plan.settings.network for title, plan in zip(run.titles, run.plans(""), strict=True)]
    label = run.quantity.replace("_", " ")
    if attempts:
        tried = [*zip(names, attempts, strict=True)]
        lines = [
            Line.through(name, points) for name, attempt in tried if (points := attempt.values(run.quantity))
        ]
        chart = figure_html(Figure(label, Axis("epoch"), Axis(label), lines)) if lines else ""
        rows = [(name, each.result, f"{each.seconds:.1f}") for name, each in tried]
        return chart + table(("run", "test score", "seconds"), rows)
    if not run.figures:
        return ""
    promised = [
        (name, *(f"{figures[i]:g}" for figures in run.figures.values())) for i, name in enumerate(names)
    ]
    return table(("run", *(quantity.replace("_", " ") for quantity in run.figures)), promised)


def iter_page(path: Path, out: Path, train: bool = True) -> Generator[str]:
    """Write the page of the lab at `path` to the file `out`. Yields lines."""
    lab = open_lab(path)
    trained = (yield from iter_trained(lab)) if train else Trained()
    write_atomically(out, page_html(lab, trained).encode(errors="replace"))
    yield f"Written: {out}"


def iter_site(folder: Path, out: Path, train: bool = True) -> Generator[str]:
    """Write a page for each lab below `folder`, and index.html with links to them, into `out`. Yields lines."""
    # Zip files are taken for labs; a Markdown file is one where it has the block that labs begin with.
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() == ".zip"
        or (path.suffix.lower() == ".md" and b"```lab" in read_input(path, MAX_BYTES, "a lab"))
    ]
    if not paths:
        raise InputError("{folder} holds no labs: choose a folder with Markdown files.", folder=folder)
    names = {path.resolve(): _page_name(path.relative_to(folder)) for path in paths}
    labs = [(names[path.resolve()], open_lab(path)) for path in paths]
    for number, (name, lab) in enumerate(labs):
        yield lab.title
        trained = (yield from iter_trained(lab)) if train else Trained()
        before = labs[number - 1] if number else None
        after = labs[number + 1] if number + 1 < len(labs) else None
        html = page_html(lab, trained, _navigation(before, after), names)
        write_atomically(out / name, html.encode(errors="replace"))
    items = "".join(
        f'<li><a href="{escape(name)}">{escape(lab.title)}</a>{f" ({lab.minutes} minutes)" if lab.minutes else ""}</li>'
        for name, lab in labs
    )
    index = page("Labs", [f"<ol>{items}</ol>"], script=resource("theme.js"))
    write_atomically(out / "index.html", index.encode(errors="replace"))
    yield f"Written: {len(labs)} labs and {out / 'index.html'}"


def _page_name(path: Path) -> str:
    """The name of a lab's page: letters, digits and hyphens of its path."""
    text = "-".join(
        path.parent.parts if path.stem == "lab" and path.parent.parts else (*path.parent.parts, path.stem)
    )
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in text) + ".html"


def _navigation(before: tuple[str, Lab] | None, after: tuple[str, Lab] | None) -> str:
    def link(target: tuple[str, Lab] | None, arrow: str) -> str:
        return (
            f'<a href="{escape(target[0])}">{arrow.format(escape(target[1].title))}</a>'
            if target
            else "<span></span>"
        )

    links: Iterable[str] = (link(before, "← {}"), '<a href="index.html">All labs</a>', link(after, "{} →"))
    return f'<nav aria-label="Labs">{"".join(links)}</nav>'
