"""What the user says of a run: name, note and star, in a file of its own beside run.json, which training writes."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input

LABEL_FILE = "label.json"
MAX_TEXT = 10_000  # characters of a note
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Label:
    """`starred`: the run is kept whatever the limit of the library is."""

    name: str = ""
    note: str = ""
    starred: bool = False


def read_label(path: Path) -> Label:
    """The label of the run in the folder `path`; an empty one if there is none that can be read."""
    try:
        values = json.loads(read_input(path / LABEL_FILE, _MAX_BYTES, "another run"))
        name, note = (str(values[key])[:MAX_TEXT] for key in ("name", "note"))
        return Label(name, note, values["starred"] is True)
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return Label()


def write_label(path: Path, label: Label) -> None:
    """Write the label of the run in the folder `path`. Raises InputError where that fails."""
    write_atomically(path / LABEL_FILE, (json.dumps(asdict(label), indent=2) + "\n").encode())
