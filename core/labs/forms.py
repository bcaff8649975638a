"""HTML of the texts of a lab, and of what a person fills in, chooses or unfolds on its page."""

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt

from core.drawing.picture import MEDIA_TYPES
from core.files.input_file import read_input
from core.labs.attempt import Attempt

_MAX_PICTURE = 5_000_000
_TYPES = {**MEDIA_TYPES, ".svg": "image/svg+xml"}

LINE = "_" * 40
"""To write on, on paper."""


def unit(quantity: str) -> str:
    return " %" if "accuracy" in quantity else ""


def words(name: str) -> str:
    """The name of a quantity or a setting as words.

    >>> words("test_accuracy")
    'test accuracy'
    """
    return name.replace("_", " ")


def plain_list(items: Iterable[str], form: str = "{}") -> str:
    """A list without marks. `form`: HTML around each item."""
    return (
        '<ul class="plain">'
        + "".join(f"<li>{form.format(escape(item))}</li>" for item in items)
        + "</ul>"
    )


def details(summary: str, html: str) -> str:
    """HTML behind a line that a click unfolds."""
    return f"<details><summary>{escape(summary)}</summary>\n{html}</details>"


def empty_axes(quantity: str, epochs: int, highest: float) -> str:
    """Axes to draw a curve on by hand. `highest`: 0 for an axis without numbers."""
    name = escape(words(quantity))
    lines = []
    for index in range(11):
        x = 60 + 74 * index
        y = 20 + 24 * index
        lines.append(
            f'<path d="M{x} 20V260M60 {y}H800" stroke="currentColor" stroke-opacity=".25"/>'
        )
        lines.append(f'<text x="{x - 6}" y="278">{epochs * index / 10:g}</text>')
        if highest:
            lines.append(f'<text x="22" y="{y + 4}">{highest * (10 - index) / 10:g}</text>')
    lines.append(f'<text x="60" y="14">{name}</text><text x="750" y="296">epoch</text>')
    head = f'<svg viewBox="0 0 820 300" role="img" aria-label="{name} over the epochs, to draw">'
    return f"<figure>{head}{''.join(lines)}</svg></figure>"


def plain(text: str) -> str:
    """Markdown of a question on one line, without the marks of emphasis and code.

    >>> plain("Which rate *learns* `best`?")
    'Which rate learns best?'
    """
    return " ".join(re.sub(r"[*_`]+", "", text).split())


def inside(folder: Path | None, name: str) -> Path | None:
    """The file or folder `name` below `folder`, or None where it is not there or would leave it."""
    # A lab that was written on Windows may name its pictures with backslashes.
    parts = PurePosixPath(name.replace("\\", "/")).parts
    # A colon begins a drive of Windows or an address.
    if folder is None or not parts or ".." in parts or name.startswith(("/", "~")) or ":" in name:
        return None
    path = folder.joinpath(*parts)
    try:
        root = folder.resolve()
        # Resolved: a link in the folder may lead out of it.
        return path if path.exists() and root in path.resolve().parents else None
    # A name may be too long, links may form a circle, or a null character may stand in it.
    except (OSError, RuntimeError, ValueError):
        return None


def markdown() -> MarkdownIt:
    """A parser of CommonMark that takes HTML for text."""
    # HTML of a stranger's lab could run scripts in the page.
    return MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class PageWriter:
    """Writes the parts of a lab as HTML: to fill in on paper, or to try by clicks.

    `folder`: of the lab's pictures. `epochs`: of the run that shows what was predicted, by the ids
    of predictions. `teacher`: with answers and notes. `attempts`: what the runs gave, by their ids,
    to try by clicks; None: on paper. `names`: of the pages to which links to files in the folder
    lead.
    """

    folder: Path | None
    epochs: Mapping[str, int]
    teacher: bool = False
    attempts: Mapping[str, Sequence[Attempt]] | None = None
    names: Mapping[Path, str] = field(default_factory=dict)

    @property
    def on_paper(self) -> bool:
        return self.attempts is None

    def markdown(self, text: str) -> str:
        """CommonMark as HTML. HTML in the text is shown as text; pictures of the folder are put
        into the page.
        """
        parser = markdown()
        tokens = parser.parse(text)
        for child in (child for token in tokens for child in token.children or ()):
            if child.type == "image":
                # Inside the page: it is passed on without the lab's folder.
                child.attrs["src"] = _picture(str(child.attrs.get("src", "")), self.folder)
            elif child.type == "link_open":
                path = inside(self.folder, str(child.attrs.get("href", "")))
                if path is not None:
                    child.attrs["href"] = self.names.get(path.resolve(), child.attrs["href"])
        return str(parser.renderer.render(tokens, parser.options, {}))

    def box(self, checked: bool) -> str:
        return "☑ " if self.teacher and checked else "☐ "


def _picture(name: str, folder: Path | None) -> str:
    path = inside(folder, name)
    kind = _TYPES.get(Path(name).suffix.lower())
    if path is None or kind is None:
        return ""
    content = read_input(path, _MAX_PICTURE, "a picture of at most 5 MB")
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
