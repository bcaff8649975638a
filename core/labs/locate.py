"""Finds the lab that files of answers name: one that comes with the program, or lies beside
them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from core.errors import InputError
from core.files.input_file import open_input
from core.labs.answers import FORMAT, MAX_BYTES
from core.labs.answers_file import named_lab
from core.labs.lab import Lab
from core.labs.package import is_lab, is_lab_text, open_lab
from core.program import RESOURCES

MAX_FILES = 1000
"""Files that are looked at, of answers and of labs."""
_KIND = "a file of answers"
_HEAD = 200  # bytes of a file of answers within which it says what it is


def is_answers_file(path: Path) -> bool:
    """Whether the JSON file at `path` says that it holds answers."""
    if path.suffix.lower() != ".json":
        return False
    try:
        # Only the head: a folder may hold a thousand large files of another kind.
        with open_input(path, MAX_BYTES, _KIND) as file:
            return FORMAT.encode() in file.read(_HEAD)
    except (InputError, OSError):
        return False


def holds_answers(path: Path) -> bool:
    """Whether the file at `path`, or one of the first below that folder, holds answers to a lab."""
    return any(map(is_answers_file, islice(chain([path], path.rglob("*")), MAX_FILES)))


def find_marked_lab(path: Path, known: Lab | None = None) -> Lab:
    """The lab to which most of the answers at `path`, a file or a folder, belong.

    It is `known`, or comes with the program, or lies in the folder or in the one above. Raises
    InputError where it is not found.
    """
    files: Iterator[Path] = iter([path])
    if path.is_dir():
        files = islice(
            (each for each in sorted(path.rglob("*")) if is_answers_file(each)), MAX_FILES
        )
    named = Counter(filter(None, map(named_lab, files)))
    if not named and known is None:
        raise InputError("{path} holds no answers to a lab (.json).", path=path)
    # The most frequent lab stands first: its title is named where none is found.
    digests = {digest: title for (title, digest), _ in named.most_common()}
    if known is not None and (
        not named or known.digest in digests or known.title in digests.values()
    ):
        return known
    folder = path if path.is_dir() else path.parent
    for candidate in chain(_shipped(), _beside(folder), _beside(folder.parent)):
        try:
            lab = open_lab(candidate)
        except (InputError, OSError):
            continue
        # By the text, not the title: two versions of a lab ask different things.
        if lab.digest in digests:
            return lab
    raise InputError(
        "{path} holds answers to “{title}”, which is not here: put the file of this lab beside "
        "them, or open the lab first.",
        path=path.name,
        title=next(iter(digests.values())),
    )


def _shipped() -> Iterator[Path]:
    yield from sorted((RESOURCES / "labs").rglob("*.md"))
    yield from sorted((RESOURCES / "workshop").glob("*/lab*.md"))


def _beside(folder: Path) -> Iterator[Path]:
    """What may be a lab in the folder: Markdown with the block of a lab, zip files, folders with a
    lab.md.
    """
    for path in sorted(islice(folder.iterdir(), MAX_FILES)):
        is_one = is_lab(path)
        if is_one and path.suffix.lower() == ".md":
            try:
                # Before it is parsed: a folder may hold any number of notes.
                is_one = is_lab_text(path)
            except (InputError, OSError):
                is_one = False
        if is_one:
            yield path
