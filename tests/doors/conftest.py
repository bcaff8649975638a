"""The two doors: the program as a child process, and the window as it opens by a double click.

With DIGITLAB_DOORS_PYTHON, the interpreter of an environment in which the wheel is installed, the
commands are those of the installed program; the tests of the window, which run in this process, are
left out.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import HAS_QT
from tests.limits import SECONDS

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
INSTALLED = os.environ.get("DIGITLAB_DOORS_PYTHON")
COMMAND = (
    [INSTALLED, "-P", "-m", "digitlab"] if INSTALLED else [sys.executable, str(ROOT / "main.py")]
)
PROGRAM = "digitlab" if INSTALLED else "main.py"

if HAS_QT and not INSTALLED:
    from tests.gui.conftest import dialogs_of_files, english, one_process, quiet_qt  # noqa: F401
else:
    collect_ignore_glob = ["test_window*.py"] if HAS_QT else ["test_window*.py", "test_screen.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder, so that `-m doors` finds them."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.doors)


@pytest.fixture(autouse=True)
def earlier_start(drawn_digits):
    """The first start draws digits for seconds: only the test of it does without their file."""


@pytest.fixture
def program(tmp_path, home):
    """Runs the program with the given arguments in a child process, in this test's home; returns
    what it said.

    The working folder is `tmp_path`, so files are named as by a user in that folder. Keywords are
    environment variables; None removes one.
    """

    def run(
        *arguments: object, stdin: str | None = None, **variables: str | None
    ) -> subprocess.CompletedProcess:
        environment = dict(os.environ, PYTHONWARNINGS="default", COLUMNS="120")
        for name, value in variables.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            input=stdin,
            stdin=None if stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
        )

    return run


@pytest.fixture
def window(qtbot):
    """The window as it opens at the first start: default settings, the program's own processes and
    files.
    """
    from gui.window.main_window import MainWindow

    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def screen():
    """The display of an X server. Skips the test where there is none, or nothing that moves the mouse."""
    if not all(map(shutil.which, ("Xvfb", "xdotool"))):
        pytest.skip("needs Xvfb and xdotool")
    read_end, write_end = os.pipe()
    options = ["-displayfd", str(write_end), "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    server = subprocess.Popen(["Xvfb", *options], pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    with os.fdopen(read_end) as numbers:
        display = f":{numbers.readline().strip()}"
    yield display
    server.terminate()
    server.wait()
