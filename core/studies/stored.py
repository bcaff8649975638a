"""The databases of studies, and the packages that studies need."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from core.errors import InputError
from core.files.paths import data_folder
from core.studies.spec import StudySpec, parse_study

SUFFIX = ".sqlite3"


def studies_path() -> Path:
    """The folder of the databases."""
    return data_folder() / "studies"


def study_names() -> list[str]:
    """The names of the studies that have been begun, the newest first."""
    try:
        files = [(path.stat().st_mtime, path.stem) for path in studies_path().glob(f"*{SUFFIX}")]
    except OSError:
        return []
    return [name for _, name in sorted(files, reverse=True)]


def require_optuna() -> None:
    """Raise InputError with what to install if Optuna is missing."""
    if find_spec("optuna") is None:
        raise InputError(
            "Studies need Optuna, which is not installed: run the program from its source folder after "
            "`uv sync --extra study`."
        )


def require_dask() -> None:
    """Raise InputError with what to install if Dask is missing."""
    if find_spec("distributed") is None:
        raise InputError(
            "A cluster needs Dask, which is not installed: run the program from its source folder after "
            "`uv sync --extra cluster`."
        )


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Raises any exception of the block as InputError: the libraries raise many kinds for a damaged database."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            "{path} cannot be used as the database of a study ({reason}): give the study another name.",
            path=path, reason=(str(error).splitlines() or [type(error).__name__])[0],
        ) from None  # fmt: skip


def stored_spec(name: str) -> StudySpec:
    """The description of the study `name`, from its database. Raises InputError if it cannot be read."""
    require_optuna()
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    path = studies_path() / f"{name}{SUFFIX}"
    with refusing_damage(path):
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        text = str(optuna.load_study(study_name=name, storage=storage).user_attrs["text"])
        storage.engine.dispose()
    return parse_study(text, name)
