"""Data sets by name, or by the path of a file or folder that the user gives."""

import os
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from core.data import builtin, cache, functions, idx, own_digits
from core.data.dataset import Dataset, Split
from core.data.download import fetch as download
from core.data.formats import find_format, find_inner, format_texts
from core.data.formats.image_folder import read_image_folder
from core.data.published import PUBLISHED
from core.errors import MAX_VALUE_LENGTH, InputError
from core.files.input_file import head_of
from core.files.memory import installed_memory
from core.files.paths import StrPath, cache_folder
from core.files.reasons import is_too_long, reason_of
from core.files.zip_file import ZIP, ZipLimits, holds_name, unpacked
from core.program import PROGRAM
from core.progress import Progress, ignore_progress
from core.text import format_bytes

_SUM_SHARE = 4  # of the memory, at most a quarter for a sum: its parts are in memory as well

_OFFICE = re.compile(r"\[Content_Types\]\.xml|content\.xml")
_ZIP_LIMITS = ZipLimits(2_000_000_000, 4_000_000_000, 200_000, "data that are unpacked")

# What files of other kinds begin with, and what to do about them.
_OTHERS = {
    ZIP: "{path} holds no data that can be read, or several data sets: unpack it, and choose one.",
    b"PAR1": "{path} is a Parquet file: save the table as CSV.",
    b"\x89HDF": "{path} is an HDF5 file: save its arrays as an .npz file of NumPy.",
    b"MATLAB": "{path} is a file of MATLAB: save its arrays as an .npz file of NumPy.",
    b"\xff\xd8": "{path} is a picture, not a data set: open it, or choose a folder of pictures.",
    b"\x89PNG": "{path} is a picture, not a data set: open it, or choose a folder of pictures.",
}


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A named data set in a list. `where` is its location if available, otherwise how to make it
    available.
    """

    name: str
    title: str
    available: bool
    where: str


@dataclass(frozen=True, slots=True)
class Source:
    """A data set with a name on the command line and in the window's list.

    This class: one that the program draws or computes itself by `compute`. It is always available,
    and has no files.
    """

    name: str
    title: str
    where: str = ""
    compute: Callable[[Progress], Dataset] | None = None

    def folder(self) -> Path | None:
        """The folder of its files, if it has any."""
        return None

    def info(self) -> SourceInfo:
        return SourceInfo(self.name, self.title, True, self.where)

    def load(self, progress: Progress) -> Dataset:
        assert self.compute
        return self.compute(progress)


class OwnDrawings(Source):
    """The user's own drawings."""

    def folder(self) -> Path | None:
        return own_digits.folder()

    def info(self) -> SourceInfo:
        enough = own_digits.enough()
        kept = sum(own_digits.counts())
        need = own_digits.MINIMUM
        where = (
            str(self.folder())
            if enough
            else f"{kept} kept; {need} drawings of one digit are needed"
        )
        return SourceInfo(self.name, self.title, enough, where)

    def load(self, progress: Progress) -> Dataset:
        if not own_digits.enough():
            raise InputError(
                "{title} are too few to learn from: draw and keep at least {minimum} of one digit.",
                title=self.title,
                minimum=own_digits.MINIMUM,
            )
        return read_image_folder(own_digits.folder(), self.name, self.title, progress)


class Published(Source):
    """A data set of four IDX files that can be downloaded."""

    def folder(self) -> Path | None:
        """The folder of its files: in DIGITLAB_DATA, even if incomplete, or the complete download
        folder.
        """
        fetched = _fetched(self.name)
        downloaded = fetched if idx.count_files(fetched) == 4 else None
        base = os.environ.get("DIGITLAB_DATA")
        folder = Path(base) / self.name if base else None
        # An empty folder there does not hide a complete download.
        if folder is None or not folder.is_dir() or (downloaded and not any(folder.iterdir())):
            return downloaded
        return folder

    def info(self) -> SourceInfo:
        folder = self.folder()
        if folder is not None and idx.count_files(folder) < 4:
            return SourceInfo(self.name, self.title, False, f"files are missing in {folder}")
        if folder is None and not cache.cached(self.name):
            where = f"to be downloaded: {PROGRAM} data fetch {self.name}"
            return SourceInfo(self.name, self.title, False, where)
        return SourceInfo(self.name, self.title, True, str(folder or cache_folder()))

    def load(self, progress: Progress) -> Dataset:
        folder = self.folder()
        if folder is not None:
            splits: cache.Splits | None = idx.read_folder(folder, self.name, progress)
        else:
            splits = cache.load_latest(self.name)
        if splits is None:
            raise InputError(
                "{title} is not on this machine: download it ({program} data fetch {name}), set "
                "DIGITLAB_DATA to a folder that holds {name}/ with its four IDX files, or use the "
                "built-in digits.",
                title=self.title,
                name=self.name,
                program=PROGRAM,
            )
        return Dataset(self.name, self.title, "classes", PUBLISHED[self.name].classes, *splits)


SOURCES: tuple[Source, ...] = (
    Source(builtin.NAME, builtin.TITLE, "drawn by the program", builtin.load),
    *(Published(name, collection.title) for name, collection in PUBLISHED.items()),
    Source(
        functions.NAME,
        functions.TITLE,
        "computed; rastrigin:N for N x N points",
        lambda progress: functions.load_function(functions.NAME),
    ),
    OwnDrawings(own_digits.NAME, own_digits.TITLE),
)
"""The data sets with a name on the command line and in the window's list."""


def data_title(name_or_path: str) -> str:
    """What people call a data set: `Built-in digits` for `builtin`, the name of a file or folder
    for its path.
    """
    titles = {source.name: source.title for source in SOURCES}
    names = _sum_of(name_or_path) or [name_or_path]
    return " + ".join(titles.get(name, Path(name).name) for name in names)


def list_sources() -> list[SourceInfo]:
    """All named sources, the built-in one first."""
    return [source.info() for source in SOURCES]


def load_dataset(name_or_path: StrPath, progress: Progress = ignore_progress) -> Dataset:
    """The data set of this name, or at this path, in one of the formats of `core.data.formats`.

    `mnist+builtin` is MNIST with the built-in digits added to its training split; `table.csv#price`
    learns the column `price`.

    `progress(done, total)` counts images or bytes where reading takes time. Raises InputError when
    there is no such data set, or when it is damaged.

    >>> dataset = load_dataset("rastrigin:40")
    >>> dataset.kind, dataset.train.inputs.shape
    ('regression', (1600, 2))
    """
    name = os.fspath(name_or_path)
    for source in SOURCES:
        if source.name == name:
            return source.load(progress)
    if (names := _sum_of(name)) is not None:
        return _add(name, [load_dataset(part, progress) for part in names])
    if functions.is_function(name):
        return functions.load_function(name)
    try:
        file, target = split_target(name)
        path = Path(file).expanduser()
        if file and path.exists():
            return _read(path, target, progress)
    except (OSError, RuntimeError) as error:
        if not is_too_long(error):  # for a name of a file: it names nothing
            raise InputError(
                "{path} cannot be read ({reason}): choose another data set.",
                path=name,
                reason=reason_of(error),
            ) from None
    raise no_such_data(name, format_texts())


def _read(path: Path, target: str, progress: Progress) -> Dataset:
    """The data in a file or folder."""
    inner = find_inner(path)
    found = find_format(inner)
    if found is None and head_of(path, len(ZIP)) == ZIP:
        if zipfile.is_zipfile(path) and holds_name(path, _OFFICE):
            raise InputError(
                "{path} is a file of an office program: save the table as CSV.", path=path
            )
        inner = find_inner(unpacked(path, "unpacked", _ZIP_LIMITS, progress))
        found = find_format(inner)
    if found is not None:
        place = found.data_path(inner)
        data = found.load_column(place, target, progress) if target else found.load(place, progress)
        if target:
            data = replace(data, name=f"{path}#{target}", title=f"{path.name}#{target}")
        elif inner != path:
            data = replace(data, name=str(path), title=path.name)
        if inner != path and not inner.is_dir():
            note = InputError(
                "Of what is in {path}, {name} is learned.", path=path, name=inner.name
            )
            data = data.with_notes((note,))
        return data
    template = "{path} is not a data set: choose {kinds}."
    if path.is_dir() and next(path.iterdir(), None) is None:
        template = "{path} is empty: choose {kinds}."
    head = head_of(path, max(map(len, _OTHERS)))
    for beginning, text in _OTHERS.items():
        if head.startswith(beginning):
            template = text
    raise InputError(template, path=path, kinds=format_texts())


def split_target(name: str) -> tuple[str, str]:
    """The path of a table and the column that is to be learned from `table.csv#price`; an empty
    column for other names.
    """
    path, mark, target = name.rpartition("#")
    if not mark or os.path.lexists(Path(name).expanduser()) or not os.path.isfile(Path(path)):
        return name, ""
    return path, target


def locations(name_or_path: StrPath) -> list[Path]:
    """The files and folders that `load_dataset` would read for this name or path, with links
    resolved.
    """
    name = os.fspath(name_or_path)
    folders: dict[str, Path | None] = {source.name: source.folder() for source in SOURCES}
    if (names := _sum_of(name)) or name in folders:
        return [path.resolve() for each in names or [name] if (path := folders[each])]
    try:
        name, _ = split_target(name)
        path = Path(name).expanduser()
    except (RuntimeError, OSError):  # no such user, or a name that is too long
        return []
    return [path.resolve()] if name and os.path.exists(path) else []


def fetch(name: str, progress: Progress = ignore_progress) -> Path:
    """Download a published data set and return its folder. `progress(done, total)` counts bytes."""
    if name not in PUBLISHED:
        raise InputError(
            "{name} cannot be downloaded: choose {names}.", name=name, names=" or ".join(PUBLISHED)
        )
    return download(PUBLISHED[name], _fetched(name), progress)


def _fetched(name: str) -> Path:
    """Where a published data set is downloaded to."""
    return cache_folder() / "fetched" / name


def is_source(name: str) -> bool:
    """Whether the program knows a data set of this name, or of each name in a sum."""
    is_known = any(name == source.name for source in SOURCES)
    return is_known or _sum_of(name) is not None or functions.side_of(name) is not None


def no_such_data(name: str, kinds: list[str]) -> InputError:
    """Why there is no data set of this name, with the nearest one. `kinds`: what else could be
    named.
    """
    names = [source.name for source in SOURCES]
    if len(set(name.split("+"))) < name.count("+") + 1 and set(name.split("+")) <= set(names):
        return InputError("{name}: name each data set of a sum once.", name=name)
    if near := get_close_matches(name[:MAX_VALUE_LENGTH], names, 1, 0.7):
        template = "{path}: there is no such data set, folder or file; did you mean “{near}”?"
        return InputError(template, path=name, near=near[0])
    return InputError(
        "{path}: there is no such data set, folder or file; choose {names}, or {kinds}.",
        path=name or "(empty)",
        names=", ".join(names),
        kinds=kinds,
    )


def _sum_of(name: str) -> list[str] | None:
    """The names of the data sets that `name` joins with +, each once, or None. A path with a + is
    no sum.
    """
    names = name.split("+")
    is_sum = len(names) > 1 and len(names) == len(set(names))
    return names if is_sum and set(names) <= {source.name for source in SOURCES} else None


def _add(name: str, datasets: list[Dataset]) -> Dataset:
    """The first data set, with the training splits of the others added to its own.

    Raises InputError where one differs, or where the sum would not fit into the memory.
    """
    first = datasets[0]
    for other in datasets[1:]:
        if (other.classes, other.input_shape) != (
            first.classes,
            first.input_shape,
        ) or not first.classes:
            raise InputError(
                "{name}: {other} has other classes or images than {first}; only data sets of the "
                "same kind can be added.",
                name=name,
                other=other.name,
                first=first.name,
            )
    need = sum(dataset.train.inputs.nbytes for dataset in datasets)
    if need > installed_memory() // _SUM_SHARE:
        raise InputError(
            "{name} would need {need} of memory, of which this machine has {size}: choose fewer "
            "or smaller data sets.",
            name=name,
            need=format_bytes(need),
            size=format_bytes(installed_memory()),
        )
    train = Split(
        np.concatenate([dataset.train.inputs for dataset in datasets]),
        np.concatenate([dataset.train.targets for dataset in datasets]),
    )
    title = " + ".join(dataset.title for dataset in datasets)
    return Dataset(name, title, first.kind, first.classes, train, first.test)
