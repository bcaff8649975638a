"""Data sets by name, or by the path of a file or folder that the user gives."""

import hashlib
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from core.data import (
    builtin,
    cache,
    class_digits,
    csv_table,
    functions,
    idx,
    image_folder,
    own_digits,
    pickled,
)
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.download import fetch as download
from core.data.published import PUBLISHED
from core.errors import MAX_VALUE_LENGTH, InputError
from core.files.memory import installed_memory
from core.files.paths import cache_folder
from core.files.reasons import reason_of
from core.program import PROGRAM
from core.progress import Progress
from core.text import format_bytes

_SUM_SHARE = 4  # of the memory, at most a quarter for a sum: its parts are in memory as well


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A named data set in a list. `where` is its location if available, otherwise how to make it available."""

    name: str
    title: str
    available: bool
    where: str


@dataclass(frozen=True, slots=True)
class Source:
    """A data set with a name on the command line and in the window's list.

    This class: one that the program draws or computes itself by `compute`. It is always available, and has no files.
    """

    name: str
    title: str
    where: str = ""
    compute: Callable[[Progress | None], Dataset] | None = None

    def folder(self) -> Path | None:
        """The folder of its files, if it has any."""
        return None

    def info(self) -> SourceInfo:
        return SourceInfo(self.name, self.title, True, self.where)

    def load(self, progress: Progress | None) -> Dataset:
        assert self.compute
        return self.compute(progress)


class OwnDrawings(Source):
    """The user's own drawings."""

    def folder(self) -> Path | None:
        return own_digits.folder()

    def info(self) -> SourceInfo:
        enough, kept, need = own_digits.enough(), sum(own_digits.counts()), own_digits.MINIMUM
        where = str(self.folder()) if enough else f"{kept} kept; {need} drawings of one digit are needed"
        return SourceInfo(self.name, self.title, enough, where)

    def load(self, progress: Progress | None) -> Dataset:
        if not own_digits.enough():
            raise InputError(
                "{title} are too few to learn from: draw and keep at least {minimum} of one digit.",
                title=self.title, minimum=own_digits.MINIMUM,
            )  # fmt: skip
        splits = image_folder.read_image_folder(own_digits.folder(), progress)
        return Dataset(self.name, self.title, "classes", *splits)


class Published(Source):
    """A data set of four IDX files that can be downloaded."""

    def fetch(self, progress: Progress | None) -> Path:
        """Download it, and return its folder."""
        return download(PUBLISHED[self.name], self._download_folder, progress)

    @property
    def _download_folder(self) -> Path:
        return cache_folder() / "fetched" / self.name

    def folder(self) -> Path | None:
        """The folder of its files: in DIGITLAB_DATA, even if incomplete, or the complete download folder."""
        downloaded = self._download_folder if idx.count_files(self._download_folder) == 4 else None
        base = os.environ.get("DIGITLAB_DATA")
        folder = Path(base) / self.name if base else None
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

    def load(self, progress: Progress | None) -> Dataset:
        folder, classes = self.folder(), PUBLISHED[self.name].classes
        if folder is not None:
            return _from_idx(folder, self.name, self.name, self.title, classes, progress)
        splits = cache.load_latest(self.name)
        if splits is None:
            raise InputError(
                "{title} is not on this machine: download it ({program} data fetch {name}), set DIGITLAB_DATA to a "
                "folder that holds {name}/ with its four IDX files, or use the built-in digits.",
                title=self.title, name=self.name, program=PROGRAM,
            )  # fmt: skip
        return Dataset(self.name, self.title, "classes", classes, *splits)


SOURCES: tuple[Source, ...] = (
    Source(builtin.NAME, builtin.TITLE, "drawn by the program", builtin.load),
    *(Published(name, collection.title) for name, collection in PUBLISHED.items()),
    Source(
        functions.NAME, functions.TITLE, "computed; rastrigin:N for N x N points",
        lambda progress: functions.load_function(functions.NAME),
    ),
    OwnDrawings(own_digits.NAME, own_digits.TITLE),
)  # fmt: skip
"""The data sets with a name on the command line and in the window's list."""


def data_title(name_or_path: str) -> str:
    """What people call a data set: `Built-in digits` for `builtin`, the name of a file or folder for its path."""
    titles = {source.name: source.title for source in SOURCES}
    names = _sum_of(name_or_path) or [name_or_path]
    return " + ".join(titles.get(name, Path(name).name) for name in names)


def list_sources() -> list[SourceInfo]:
    """All named sources, the built-in one first."""
    return [source.info() for source in SOURCES]


def load_dataset(name_or_path: str | os.PathLike[str], progress: Progress | None = None) -> Dataset:
    """The data set of this name, or at this path: a folder of IDX files or pictures, a mnist.pkl.gz, a CSV or the
    digits of a class (.npz).

    `mnist+builtin` is MNIST with the built-in digits added to its training split.

    `progress(done, total)` counts images or bytes where reading takes time. Raises InputError when there is no such
    data set, or when it is damaged.

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
        path = Path(name).expanduser()
        if name and path.is_dir():
            return _from_folder(path, progress)
        if name and csv_table.is_table(path):
            return csv_table.load_table(path, progress)
        if name and path.suffix.lower() == class_digits.SUFFIX and path.exists():
            return class_digits.load(path)
        if name and path.exists():
            return _from_pickle(path)
    except (OSError, RuntimeError) as error:
        raise InputError(
            "{path} cannot be read ({reason}): choose another data set.", path=name, reason=reason_of(error)
        ) from None
    raise no_such_data(name, "a folder of IDX files or pictures, or a CSV")


def locations(name_or_path: str | os.PathLike[str]) -> list[Path]:
    """The files and folders that `load_dataset` would read for this name or path, with links resolved."""
    name = os.fspath(name_or_path)
    folders: dict[str, Path | None] = {source.name: source.folder() for source in SOURCES}
    if (names := _sum_of(name)) or name in folders:
        return [path.resolve() for each in names or [name] if (path := folders[each])]
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # no such user
        return []
    return [path.resolve()] if name and os.path.exists(path) else []


def fetch(name: str, progress: Progress | None = None) -> Path:
    """Download a published data set and return its folder. `progress(done, total)` counts bytes."""
    sources = {source.name: source for source in SOURCES if isinstance(source, Published)}
    if name not in sources:
        raise InputError(
            "{name} cannot be downloaded: choose {names}.", name=name, names=" or ".join(sources)
        )
    return sources[name].fetch(progress)


def is_source(name: str) -> bool:
    """Whether the program knows a data set of this name, or of each name in a sum."""
    is_known = any(name == source.name for source in SOURCES)
    return is_known or _sum_of(name) is not None or functions.side_of(name) is not None


def no_such_data(name: str, kinds: str) -> InputError:
    """Why there is no data set of this name, with the nearest one. `kinds`: what else could be named."""
    names = [source.name for source in SOURCES]
    if len(set(name.split("+"))) < name.count("+") + 1 and set(name.split("+")) <= set(names):
        return InputError("{name}: name each data set of a sum once.", name=name)
    if near := get_close_matches(name[:MAX_VALUE_LENGTH], names, 1, 0.7):
        template = "{path}: there is no such data set, folder or file; did you mean “{near}”?"
        return InputError(template, path=name, near=near[0])
    return InputError(
        "{path}: there is no such data set, folder or file; choose {names}, or {kinds}.",
        path=name or "(empty)", names=", ".join(names), kinds=kinds,
    )  # fmt: skip


def _sum_of(name: str) -> list[str] | None:
    """The names of the data sets that `name` joins with +, each once, or None. A path with a + is no sum."""
    names = name.split("+")
    is_sum = 1 < len(names) == len(set(names))
    return names if is_sum and set(names) <= {source.name for source in SOURCES} else None


def _add(name: str, datasets: list[Dataset]) -> Dataset:
    """The first data set, with the training splits of the others added to its own.

    Raises InputError where one differs, or where the sum would not fit into the memory.
    """
    first = datasets[0]
    for other in datasets[1:]:
        if (other.classes, other.input_shape) != (first.classes, first.input_shape) or not first.classes:
            raise InputError(
                "{name}: {other} has other classes or images than {first}; only data sets of the same kind can be "
                "added.", name=name, other=other.name, first=first.name,
            )  # fmt: skip
    need = sum(dataset.train.inputs.nbytes for dataset in datasets)
    if need > installed_memory() // _SUM_SHARE:
        raise InputError(
            "{name} would need {need} of memory, of which this machine has {size}: choose fewer or smaller data sets.",
            name=name, need=format_bytes(need), size=format_bytes(installed_memory()),
        )  # fmt: skip
    train = Split(
        np.concatenate([dataset.train.inputs for dataset in datasets]),
        np.concatenate([dataset.train.targets for dataset in datasets]),
    )
    title = " + ".join(dataset.title for dataset in datasets)
    return Dataset(name, title, first.kind, first.classes, train, first.test)


def _from_folder(folder: Path, progress: Progress | None) -> Dataset:
    if not idx.count_files(folder) and image_folder.has_pictures(folder):
        classes, train, test = image_folder.read_image_folder(folder, progress)
        return Dataset(str(folder), folder.name, "classes", classes, train, test)
    if not idx.count_files(folder) and folder.is_dir() and (pictures := image_folder.pictures_in(folder)):
        raise InputError(
            "{path} has pictures and no folder for each class: to learn from them, sort them into folders such as "
            "{example}; to read one, open {picture}.", path=folder, example=folder / "7", picture=pictures[0].name,
        )  # fmt: skip
    dataset = _from_idx(
        folder, _cache_name(folder), str(folder), folder.name or str(folder), DIGITS, progress
    )
    return replace(dataset, classes=_classes_of(dataset.test, folder.name))


def _from_idx(
    folder: Path, cache_name: str, name: str, title: str, classes: tuple[str, ...], progress: Progress | None
) -> Dataset:
    """The data set of a folder of four IDX files, from the cache if they have not changed since the last time."""
    files = idx.find(folder)
    key = cache.key_of(files.values())
    splits = cache.load(cache_name, key)
    if splits is not None:
        return Dataset(name, title, "classes", classes, *splits)
    splits = idx.read_split(files, "train", progress), idx.read_split(files, "test", progress)
    dataset = Dataset(name, title, "classes", classes, *splits)
    cache.store(cache_name, key, splits)
    return dataset


def _from_pickle(path: Path) -> Dataset:
    if not path.name.endswith((".pkl.gz", ".pickle.gz")):
        raise InputError(
            "{path} is not a data set: choose a folder of IDX files or pictures, or a mnist.pkl.gz.",
            path=path,
        )
    cache_name, key = _cache_name(path), cache.key_of([path])
    splits = cache.load(cache_name, key)
    if splits is None:
        splits = pickled.read_pickled(path)
        cache.store(cache_name, key, splits)
    return Dataset(str(path), path.name, "classes", _classes_of(splits[1]), *splits)


def _classes_of(test: Split, folder: str = "") -> tuple[str, ...]:
    """The classes of files, which do not name them: those of the published data set with these test labels, or name."""
    labels = struct.pack(">2I", idx.LABELS, len(test)) + test.targets.astype(np.uint8).tobytes()
    digest = hashlib.sha256(labels).hexdigest()
    for name, collection in PUBLISHED.items():
        known = any(remote.sha256 == digest for remote in collection.files)
        if known or folder.lower().startswith(name):
            return collection.classes
    return DIGITS


def _cache_name(path: Path) -> str:
    """The name in the cache for a path: the arrays of a changed file replace the old ones."""
    return "path." + hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:12]
