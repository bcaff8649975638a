"""Where a lab lies: a Markdown file, a folder with its pictures and data, or that folder as one zip
file.
"""

import io
import os
import re
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.data.sources import is_source
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.toml_text import toml_lines
from core.files.zip_file import ZipLimits, holds_name, unpacked
from core.inference.model_file import Model
from core.labs.lab import VERSION, Lab
from core.labs.reader import parse_lab
from core.program import RESOURCES
from core.progress import Progress, ignore_progress
from core.runs.plan import RunPlan
from core.text import format_bytes

MAX_BYTES = 1_000_000
MAX_ZIP_BYTES = 100_000_000
MAX_FILES = 2000
"""Of files, and of folders, in a lab."""
_KIND = "a lab: a Markdown file, its folder, or that as a zip file"
_ZIP_LIMITS = ZipLimits(MAX_ZIP_BYTES, 200_000_000, MAX_FILES, _KIND)
_MAIN = "lab.md"
_IN_ZIP = re.compile(r"(.*/)?(?!readme)[^/]*\.md", re.IGNORECASE)


def lessons(folder: str = "", language: str = "") -> list[tuple[str, Path]]:
    """Title and path of the labs that come with the program: the lessons, or those in `folder`.

    `folder`: "90-minutes", or "workshop" for the exercises of the kernel workshop.
    """
    pattern = (
        "workshop/*/lab.md" if folder == "workshop" else f"labs/{folder}/*.md".replace("//", "/")
    )
    found = sorted(RESOURCES.glob(pattern))
    # A second dot marks a translation, which is no lesson of its own.
    paths = [_translated(path, language) for path in found if "." not in path.stem]
    return [(path.read_text("utf-8").partition("\n")[0].removeprefix("# "), path) for path in paths]


def lesson_after(path: Path, language: str = "") -> tuple[str, Path] | None:
    """Title and path of the lesson after the one at `path`; None where that is no lesson, or the
    last one.
    """
    found = lessons(language=language)
    places = [place for place, (_, each) in enumerate(found) if each.resolve() == path.resolve()]
    return found[places[0] + 1] if places and places[0] + 1 < len(found) else None


def is_lab(path: Path) -> bool:
    """Whether to open this as a lab: a Markdown file, or a folder or zip file with a lab.md, or a
    zip file with another Markdown file than a readme.
    """
    if os.path.isdir(path):  # unlike `Path.is_dir`, not an OSError where the name is too long
        return (path / _MAIN).is_file()
    if path.suffix.lower() == ".zip":
        return holds_name(path, _IN_ZIP)
    return path.suffix.lower() == ".md"


def is_lab_text(path: Path) -> bool:
    """Whether the Markdown file at `path` has the block of a lab. Raises InputError."""
    return b"```lab" in read_input(path, MAX_BYTES, _KIND)


def _translated(path: Path, language: str) -> Path:
    """The file `lab.de.md` beside `lab.md` for the language "de", if there is one."""
    other = path.with_suffix(f".{language}.md")
    return other if language and os.path.isfile(other) else path


def open_lab(path: Path, progress: Progress = ignore_progress, language: str = "") -> Lab:
    """The lab at `path`, in the language, such as "de", where it is there in that.

    A zip file is unpacked into the cache, of which `progress(done, total)` tells in files. Raises
    InputError in one sentence.
    """
    given = path
    if path.suffix.lower() == ".zip":
        path = unpacked(path, "labs", _ZIP_LIMITS, progress)
    if os.path.isdir(path):
        texts = [path / _MAIN] if (path / _MAIN).exists() else sorted(path.glob("*.md"))
        if len(texts) != 1:
            raise InputError("{path} holds no lab: it needs a file lab.md.", path=given)
        path = texts[0]
    path = _translated(path, language)
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        # Editors of Windows write a mark of the byte order, which would hide the first heading.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "{path} is not UTF-8 text: choose {kind}.", path=path, kind=_KIND
        ) from None
    return parse_lab(text, path.name, path.parent)


def write_experiment(path: Path, plan: RunPlan, title: str, model: Model | None = None) -> None:
    """Write a lab that asks nothing: Markdown, or a zip file with the model where there is one.

    Settings that have their defaults are left out. Data of the user's own are named relative to the
    file: whoever gets it needs them beside it. Raises InputError.
    """
    source = plan.data
    if not is_source(source):
        data = Path(source).absolute()
        parent = path.absolute().parent
        source = data.relative_to(parent).as_posix() if parent in data.parents else data.name
    packs = path.suffix.lower() == ".zip"
    name = "model.safetensors" if model and packs else ""
    values = {"data": source, "device": plan.device, "model": name or None}
    # Without own data and model: the check has no folder in which to find them.
    _check_experiment(path, _experiment(title, values | {"data": "builtin", "model": None}, plan))
    content = _experiment(title, values, plan).encode(errors="replace")
    if packs:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_MAIN, content)
            if model:
                with tempfile.TemporaryDirectory() as folder:
                    model.save(Path(folder) / name)
                    archive.write(Path(folder) / name, name)
        content = packed.getvalue()
        if len(content) > MAX_ZIP_BYTES:
            text = (
                "{path} would be larger than {most}, the most that is read: save it without the "
                "network (.md)."
            )
            raise InputError(text, path=path, most=format_bytes(MAX_ZIP_BYTES))
    write_atomically(path, content)


def _experiment(title: str, values: Mapping[str, Any], plan: RunPlan) -> str:
    """The Markdown of an experiment with these values of its setup."""
    lines = [
        # A line break in the title would end the heading.
        f"# {' '.join(title.split()) or 'Experiment'}",
        "",
        "```lab",
        f"version = {VERSION}",
        "```",
        "",
    ]
    lines += ["```setup", *toml_lines({**values, **plan.settings.changed()}), "```", ""]
    return "\n".join(lines)


def _check_experiment(path: Path, text: str) -> None:
    """Raise InputError where the file that is to be written would not be read."""
    try:
        parse_lab(text, path.name)
    except InputError as error:
        template = "{path} was not written, because it could not be opened again: {reason}"
        raise InputError(template, path=path, reason=error) from None
