"""Windows without a screen, in an empty home; a warning of Qt's fails the test that caused it."""

import gc
import itertools
import os
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from tests.gui.person import choose_simple_run, file_dialogs
from tests.idx_files import write_idx
from tests.limits import LONG

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TESTS_BETWEEN = 200  # two examinations of all objects

# Said by the platform without a screen, not by us.
HARMLESS = (
    "propagateSizeHints",
    "does not support raise()",
    "does not support grabbing the keyboard",
)


@pytest.fixture(scope="session")
def english(qapp):
    """The forms of the texts with a number, as the program loads them."""
    from gui.window.application import load_translation

    load_translation(qapp)


_earlier_tests = itertools.count()


def collect_garbage():
    """Collect it in this thread: a training thread that does so would destroy widgets of earlier
    windows, and crash.

    The objects that are left are mostly those of modules. They are exempt from further collections,
    which would take a third of the time of these tests; all are examined every TESTS_BETWEEN tests,
    so that no earlier window stays.
    """
    # Without an event loop, windows that were closed stay, and each change of the theme reaches them.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if next(_earlier_tests) % TESTS_BETWEEN == 0:
        gc.unfreeze()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def quiet_qt(qapp, qtlog, english):
    # The modules' objects need not be examined before each test.
    import gui.window.main_window  # noqa: F401
    import kernels.vectorized.device  # noqa: F401
    from gui.background.task_runner import end_background_work
    from gui.window.application import collect_in_this_thread

    collect_garbage()
    earlier = set(QApplication.topLevelWidgets())
    with collect_in_this_thread():
        yield
        end_background_work()
    # The menus of plots have no parent: each would stay, and each change of theme reach it.
    for widget in set(QApplication.topLevelWidgets()) - earlier:
        if isinstance(widget, QMenu) and widget.parent() is None:
            widget.deleteLater()
    said = [
        record.message for record in qtlog.records if not any(h in record.message for h in HARMLESS)
    ]
    assert not said, said


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """Nothing is compiled in another process, which takes seconds; tests/doors does that."""

    def refuse(plan):
        raise OSError

    monkeypatch.setattr("core.runs.compiling._start", refuse)


@pytest.fixture(autouse=True)
def dialogs_of_files(monkeypatch):
    """Dialogs in which files are chosen are cancelled, unless a test says what to choose:
    `choose_files`.
    """
    file_dialogs.forget()
    one = file_dialogs.one
    answers = {
        "getOpenFileName": one,
        "getSaveFileName": one,
        "getOpenFileNames": file_dialogs.several,
    }
    for name, answer in (answers | {"getExistingDirectory": file_dialogs.folder}).items():
        monkeypatch.setattr(QFileDialog, name, answer)


@pytest.fixture(autouse=True)
def no_real_data(monkeypatch):
    """Without MNIST, unless a test brings a stand-in."""
    monkeypatch.delenv("DIGITLAB_DATA", raising=False)


@cache
def bars(count, seed):
    """uint8 (count, 28, 28) images of a bar whose height is its class, with noise; int labels."""
    random = np.random.default_rng(seed)
    labels = np.arange(count) % 10
    images = random.integers(0, 60, (count, 28, 28))
    for image, label in zip(images, labels, strict=True):
        image[2 * label + 2 : 2 * label + 6, 4:24] = 255
    images = images.astype(np.uint8)
    labels = labels.astype(np.uint8)
    # Several tests get the same arrays.
    images.flags.writeable = False
    labels.flags.writeable = False
    return images, labels


def write_small_mnist(folder):
    write_idx(folder, *bars(3000, 1), "train")
    write_idx(folder, *bars(200, 2), "t10k")


@pytest.fixture
def small_mnist(tmp_path, monkeypatch):
    """A folder that stands for MNIST: 3,000 and 200 easy images. Returns the folder of the four
    files.
    """
    folder = tmp_path / "data" / "mnist"
    write_small_mnist(folder)
    monkeypatch.setenv("DIGITLAB_DATA", str(folder.parent))
    return folder


@pytest.fixture
def window(qtbot, small_mnist):
    """The window, shown, with a small run chosen."""
    from gui.window.main_window import MainWindow

    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    choose_simple_run(window)
    return window


@pytest.fixture
def tab(window, qtbot):
    """The Devices tab, in front, once it is known which devices are here."""
    qtbot.waitUntil(lambda: bool(window.devices.known()), timeout=LONG)
    window.tabs.setCurrentWidget(window.measuring)
    return window.measuring
