"""A lab as one HTML page with its pictures inside, to print or to read and try in a browser."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.html.page import page, paragraph, section
from core.inference.model_file import Model, bundled_model
from core.labs.attempt import Attempt
from core.labs.forms import PageWriter
from core.labs.lab import Lab
from core.labs.package import open_lab
from core.labs.trial import DataSets
from core.text import format_percent
from core.training.records import EpochDone

ROOM = 500_000
"""Bytes for the epochs of a replay."""


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


def page_html(lab: Lab, trained: Trained) -> str:
    """The lab with what its runs gave, and a canvas on which its best network, or the program's
    own, reads.
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
        drawn = drawing_part(bundled_model(), None)
        whose = "This network comes with DigitLab."
    after = ["<h2>Draw, and a network reads</h2>", paragraph(whose), drawn.html]
    after += map(paragraph, drawn.notes)
    writer = PageWriter(lab.folder, lab.predicted_epochs(), attempts=trained.attempts)
    return _lab_page(lab, writer, after, script=page_script(), data=drawn.data)


def _lab_page(lab: Lab, writer: PageWriter, after: Iterable[str] = (), **options: Any) -> str:
    """`options`: of `page`."""
    parts = []
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
