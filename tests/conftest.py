"""Fixtures for all tests: a home of their own for each test, and the real data where there is some."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

# A machine with a card often has no window: there the rest is tested.
collect_ignore = [] if all(map(find_spec, ("PySide6", "pyqtgraph", "pytestqt"))) else ["gui"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the program takes for the user's: no test sees or leaves anything outside."""
    folder = tmp_path / "home"
    monkeypatch.setenv("DIGITLAB_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with mnist/ and fashion/ that DIGITLAB_DATA names; without it the test is skipped."""
    given = os.environ.get("DIGITLAB_DATA")
    if not given:
        pytest.skip("DIGITLAB_DATA names no folder with mnist/ and fashion/")
    folder = Path(given).absolute()
    if not (folder / "mnist").is_dir():
        pytest.fail(f"DIGITLAB_DATA is {folder}, which has no mnist/")
    return folder
