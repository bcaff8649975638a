"""A source is a place that data sets come from: one with a name, or a path that the user gives."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.data import builtin, cache, csv_table, functions, idx, image_folder, own_drawings, pickled
from core.data.class_names import CLOTHES, DIGITS
from core.data.dataset import Dataset
from core.data.download import Collection
from core.data.download import fetch as fetch_collection
from core.data.published import FASHION, MNIST
from core.errors import InputError
from core.files.paths import cache_folder
from core.progress import Progress

Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One named source for a list: `where` says where it lies when available, else what makes it so."""

    name: str
    title: str
    available: bool
    where: str


class Source(Protocol):
    """What has a name on the command line and in the window's list."""

    @property
    def name(self) -> str: ...
    def info(self) -> SourceInfo: ...
    def load(self, progress: Progress | None) -> Dataset: ...


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """The digits that the program draws itself."""

    name: str = builtin.NAME

    def info(self) -> SourceInfo:
        return SourceInfo(self.name, builtin.TITLE, True, "drawn by the program itself")

    def load(self, progress: Progress | None) -> Dataset:
        return builtin.load(progress)


@dataclass(frozen=True, slots=True)
class Function:
    """Rastrigin's function on a grid, whose side may follow its name: `rastrigin:400`."""

    name: str = functions.NAME

    def info(self) -> SourceInfo:
        return SourceInfo(self.name, functions.TITLE, True, "computed; rastrigin:N for N x N points")

    def load(self, progress: Progress | None) -> Dataset:
        return functions.load_function(self.name)


@dataclass(frozen=True, slots=True)
class Mine:
    """What the person has drawn and kept."""

    name: str = own_drawings.NAME

    def info(self) -> SourceInfo:
        if own_drawings.enough():
            return SourceInfo(self.name, own_drawings.TITLE, True, str(own_drawings.folder()))
        where = f"{sum(own_drawings.counts())} kept; it takes {own_drawings.LEAST} drawings of one digit"
        return SourceInfo(self.name, own_drawings.TITLE, False, where)

    def load(self, progress: Progress | None) -> Dataset:
        if not own_drawings.enough():
            raise InputError(
                "{title} are too few to learn from: draw and keep at least {least} of one digit.",
                title=own_drawings.TITLE, least=own_drawings.LEAST,
            )  # fmt: skip
        return Dataset(
            own_drawings.NAME,
            own_drawings.TITLE,
            "classes",
            *image_folder.read(own_drawings.folder(), progress),
        )


@dataclass(frozen=True, slots=True)
class Published:
    """A data set of four IDX files that can be fetched."""

    name: str
    collection: Collection
    classes: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.collection.title

    @property
    def fetched(self) -> Path:
        """Where its files are put when fetched."""
        return cache_folder() / "fetched" / self.name

    def folder(self) -> Path | None:
        """Where its files lie: below DIGITLAB_DATA if that has such a folder, be it incomplete, or fetched."""
        fetched = self.fetched if idx.is_complete(self.fetched) else None
        given = os.environ.get("DIGITLAB_DATA")
        if (
            given
            and (folder := Path(given) / self.name).is_dir()
            and not (fetched and not any(folder.iterdir()))
        ):
            return folder
        return fetched

    def info(self) -> SourceInfo:
        folder = self.folder()
        if folder is not None and not idx.is_complete(folder):
            return SourceInfo(self.name, self.title, False, f"files are missing in {folder}")
        if folder is None and not cache.holds(self.name):
            return SourceInfo(self.name, self.title, False, f"to be fetched: main.py data fetch {self.name}")
        return SourceInfo(self.name, self.title, True, str(folder or cache_folder()))

    def load(self, progress: Progress | None) -> Dataset:
        folder = self.folder()
        if folder is not None:
            return _from_idx(folder, self.name, self.name, self.title, self.classes)
        splits = cache.load_latest(self.name)
        if splits is None:
            raise InputError(
                "{title} is not on this machine: fetch it (main.py data fetch {name}), set DIGITLAB_DATA to a "
                "folder that holds {name}/ with its four IDX files, or use the built-in digits.",
                title=self.title, name=self.name,
            )  # fmt: skip
        return Dataset(self.name, self.title, "classes", self.classes, *splits)

    def fetch(self, progress: Progress | None, cancelled: Cancelled | None) -> Path:
        return fetch_collection(self.collection, self.fetched, progress, cancelled)


SOURCES: tuple[Source, ...] = (
    BuiltIn(),
    Published("mnist", MNIST, DIGITS),
    Published("fashion", FASHION, CLOTHES),
    Function(),
    Mine(),
)


def list_sources() -> list[SourceInfo]:
    """All named sources, the built-in one first."""
    return [source.info() for source in SOURCES]


def load_dataset(name_or_path: str | os.PathLike[str], progress: Progress | None = None) -> Dataset:
    """The data set of a source's name, or at a path: a folder of IDX files or of pictures, a mnist.pkl.gz, a CSV.

    `progress(done, total)` counts what is drawn or read where that takes time. An InputError when there is no such
    data set, or when what is there is damaged.
    """
    name = os.fspath(name_or_path)
    for source in SOURCES:
        if source.name == name:
            return source.load(progress)
    if functions.is_function(name):
        return functions.load_function(name)
    try:
        path = Path(name).expanduser()
        if name and path.is_dir():
            return _from_folder(path, progress)
        if name and csv_table.is_table(path):
            return csv_table.load_table(path)
        if name and path.is_file():
            return _from_pickle(path)
    except (OSError, RuntimeError) as error:
        raise InputError(
            "{path} cannot be read ({reason}): choose another data set.", path=name, reason=error
        ) from None
    raise InputError(
        "{path}: there is no such data set, folder or file; choose {names}, a folder of IDX files or pictures, or a "
        "CSV.",
        path=name or "(empty)", names=", ".join(source.name for source in SOURCES),
    )  # fmt: skip


def fetch(name: str, progress: Progress | None = None, cancelled: Cancelled | None = None) -> Path:
    """Download a published data set; the folder where it lies then. `progress(done, total)` counts bytes."""
    sources = {source.name: source for source in SOURCES if isinstance(source, Published)}
    if name not in sources:
        raise InputError("{name} cannot be fetched: choose {names}.", name=name, names=" or ".join(sources))
    return sources[name].fetch(progress, cancelled)


def _from_folder(folder: Path, progress: Progress | None) -> Dataset:
    if not idx.looks_like_one(folder) and image_folder.looks_like_one(folder):
        classes, train, test = image_folder.read(folder, progress)
        return Dataset(str(folder), folder.name, "classes", classes, train, test)
    classes = CLOTHES if folder.name.startswith("fashion") else DIGITS
    return _from_idx(folder, _kept_name(folder), str(folder), folder.name or str(folder), classes)


def _from_idx(folder: Path, kept: str, name: str, title: str, classes: tuple[str, ...]) -> Dataset:
    """A folder of four IDX files, from the cache when they have not changed since the last time."""
    found = idx.find(folder)
    key = cache.key_of(found.files.values())
    splits = cache.load(kept, key)
    if splits is not None:
        return Dataset(name, title, "classes", classes, *splits)
    splits = found.read("train"), found.read("test")
    dataset = Dataset(name, title, "classes", classes, *splits)
    cache.store(kept, key, splits)
    return dataset


def _from_pickle(path: Path) -> Dataset:
    if not path.name.endswith((".pkl.gz", ".pickle.gz")):
        raise InputError(
            "{path} is no data set: choose a folder of IDX files or pictures, or a mnist.pkl.gz.", path=path
        )
    kept, key = _kept_name(path), cache.key_of([path])
    splits = cache.load(kept, key)
    if splits is None:
        splits = pickled.read(path)
        cache.store(kept, key, splits)
    return Dataset(str(path), path.name, "classes", DIGITS, *splits)


def _kept_name(path: Path) -> str:
    """One name in the cache for each path, so that a changed file takes the place of its older self."""
    return "path." + hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:12]
