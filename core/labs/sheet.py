"""A lab as one HTML page to print or to read, with its pictures inside the file."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from core.files.input_file import read_input
from core.html.page import page, section
from core.labs.lab import (
    GOALS,
    ExerciseBlock,
    KernelBlock,
    Lab,
    Part,
    PredictBlock,
    QuestionBlock,
    RunBlock,
    TaskBlock,
    Text,
    inside,
    markdown,
    predicted_run,
)
from core.training.run_settings import BY_NAME
from core.workshop.exercise import read_text

_MAX_PICTURE = 5_000_000
_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
          ".svg": "image/svg+xml", ".webp": "image/webp"}  # fmt: skip
_LINE = "_" * 40


def markdown_html(text: str, folder: Path | None = None, names: Mapping[Path, str] | None = None) -> str:
    """CommonMark as HTML. HTML in the text is shown as text; pictures of the folder are put into the page.

    `names`: pages of files in the folder, by the paths of these, which links to the files lead to.
    """
    parser = markdown()
    tokens = parser.parse(text)
    for token in tokens:
        for child in token.children or ():
            if child.type == "image":
                child.attrs["src"] = _picture(str(child.attrs.get("src", "")), folder)
            elif child.type == "link_open" and (path := inside(folder, str(child.attrs.get("href", "")))):
                child.attrs["href"] = (names or {}).get(path.resolve(), child.attrs["href"])
    return str(parser.renderer.render(tokens, parser.options, {}))


def _picture(name: str, folder: Path | None) -> str:
    path = inside(folder, name)
    kind = _TYPES.get(Path(name).suffix.lower())
    if path is None or kind is None:
        return ""
    content = read_input(path, _MAX_PICTURE, "a picture of at most 5 MB")
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def sheet_html(lab: Lab, teacher: bool = False) -> str:
    """The whole lab to work through on paper. `teacher`: with the answers and the notes for teachers."""
    return lab_page(lab, lambda part: _part_html(lab, part, teacher))


def lab_page(
    lab: Lab, part_html: Callable[[Part], str], before: str = "", after: Iterable[str] = (), **options: Any
) -> str:
    """The page of a lab: `part_html` makes HTML of each part. `options`: of `page`."""
    parts = [before]
    for step in lab.steps:
        texts = filter(None, map(part_html, step.parts))
        parts.append(section(step.title, *texts) if step.title != lab.title else "\n".join(texts))
    return page(
        lab.title, [*parts, *after], f"About {lab.minutes} minutes." if lab.minutes else "", **options
    )


def _part_html(lab: Lab, part: Part, teacher: bool) -> str:
    if isinstance(part, Text):
        if part.hidden and not teacher:
            return ""
        html = markdown_html(part.markdown, lab.folder)
        note = {"teacher": "For the teacher", "reveal": "Afterwards"}.get(part.hidden)
        return f"<aside><strong>{note}</strong>\n{html}</aside>" if note else html
    if not isinstance(part, ExerciseBlock):
        return ""
    ask = markdown_html(part.ask, lab.folder) if part.ask else ""
    return ask + exercise_html(lab, part, teacher)


def exercise_html(lab: Lab, part: ExerciseBlock, teacher: bool = False) -> str:
    """What a person is to fill in on paper. `teacher`: with the answers."""
    if isinstance(part, QuestionBlock):
        return _list(
            f"{'☑' if teacher and choice.right else '☐'} {choice.text}"
            + (f" — {choice.misconception}: {choice.reply}" if teacher and choice.reply else "")
            for choice in part.choices
        )
    if isinstance(part, PredictBlock):
        if part.kind == "choice":
            return _list(
                f"{'☑' if teacher and choice == part.right else '☐'} {choice}" for choice in part.choices
            )
        if part.kind == "number":
            return f"<p>{escape(part.quantity.replace('_', ' '))}: {_LINE}</p>"
        run = predicted_run(lab, part)
        assert run is not None
        epochs = max(2, run.plans("")[part.variant].settings.epochs)
        return _empty_axes(part.quantity, epochs, 100 if part.quantity.endswith("accuracy") else part.highest)
    if isinstance(part, TaskBlock):
        lines = [f"☐ {goal_text(name, value)}" for name, value in part.goals.items()]
        if teacher and part.solution:
            settings = ", ".join(
                f"{BY_NAME[name].label.lower()} {value}" for name, value in part.solution.items()
            )
            lines.append(f"☑ for example: {settings}")
        return _list(lines)
    if isinstance(part, KernelBlock):
        exercise = part.exercise
        texts = [exercise.skeleton] + (
            [read_text(exercise.solution)] if teacher and exercise.solution else []
        )
        return "".join(f"<pre>{escape(text)}</pre>" for text in texts)
    if isinstance(part, RunBlock):
        lines = []
        for index, title in enumerate(part.titles):
            figures = [
                f"{name.replace('_', ' ')} {numbers[index]:g}{' %' if name.endswith('accuracy') else ''}"
                for name, numbers in part.figures.items()
            ]
            lines.append(f"▷ {title or 'Train'}: {', '.join(figures) if teacher else _LINE}")
        return _list(lines)
    return ""


def goal_text(name: str, value: float) -> str:
    """A goal of a task in words."""
    return GOALS[name][1].format(value=f"{value:,.10g}{' %' if 'accuracy' in name else ''}")


def _list(items: Iterable[str]) -> str:
    return '<ul class="plain">' + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _empty_axes(quantity: str, epochs: int, highest: float) -> str:
    """Axes to draw a curve on by hand. `highest`: 0 for an axis without numbers."""
    name, lines = escape(quantity.replace("_", " ")), []
    for index in range(11):
        x, y = 60 + 74 * index, 20 + 24 * index
        lines.append(f'<path d="M{x} 20V260M60 {y}H800" stroke="currentColor" stroke-opacity=".25"/>')
        lines.append(f'<text x="{x - 6}" y="278">{epochs * index / 10:g}</text>')
        if highest:
            lines.append(f'<text x="22" y="{y + 4}">{highest * (10 - index) / 10:g}</text>')
    lines.append(f'<text x="60" y="14">{name}</text><text x="750" y="296">epoch</text>')
    head = f'<svg viewBox="0 0 820 300" role="img" aria-label="{name} over the epochs, to draw">'
    return f"<figure>{head}{''.join(lines)}</svg></figure>"


def figures_in(text: str) -> list[str]:
    """The percentages with one decimal that a text states, such as `97.8`; with a decimal comma too."""
    return [figure.replace(",", ".") for figure in re.findall(r"(?<![\d.,])(\d{1,3}[.,]\d)\s?%", text)]
