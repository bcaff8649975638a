"""Files of strangers dropped on the window."""

import os
import struct
import zipfile

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.program import FOLDER
from tests.core.data.test_forms import emnist, keras, one_level_deeper, zip_of_a_mac
from tests.gui.person import choose_files, drop, part
from tests.limits import LONG

OPEN_FILES = QFileDialog.getOpenFileNames  # before the fixtures replace it


@pytest.fixture
def banner(window):
    return part(window, "bannerText")


def test_a_folder_with_a_pipe_does_not_stop_the_window(window, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes")
    (tmp_path / "drop").mkdir()
    os.mkfifo(tmp_path / "drop" / "a.json")
    drop(window, tmp_path / "drop")  # reading from the pipe would not end


def test_digits_of_several_writers_are_merged_while_the_window_goes_on(
    window, qtbot, tmp_path, banner
):
    names = ("ann", "ben", "bad")
    for seed, name in enumerate(names):
        images = np.random.default_rng(seed).integers(0, 256, (20, 28, 28), np.uint8)
        labels = np.arange(20, dtype=np.uint8) % 10
        class_digits.save(
            WrittenDigits(images, labels, np.zeros(20, np.int32), (name,)), tmp_path / f"{name}.npz"
        )
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        archive.writestr("images.npy", b"\x93NUMPY\x01\x00\x0b\x00{'descr': (")
    out = tmp_path / "class.npz"
    choose_files(out)

    drop(window, *(tmp_path / f"{name}.npz" for name in names))

    qtbot.waitUntil(lambda: "One file is left out" in banner.text(), timeout=LONG)
    assert "cannot be read as digits" in banner.text()
    assert class_digits.read(out).names == ("ann", "ben")
    qtbot.waitUntil(lambda: window.settings.data.source() == str(out), timeout=LONG)


def test_texts_of_strangers_are_refused_in_a_sentence_or_shown(window, qtbot, tmp_path, banner):
    """Once they froze the window, took gigabytes or raised an error of a library."""
    lab = (FOLDER / "resources" / "skeleton" / "lab.md").read_text("utf-8")
    (tmp_path / "sum.md").write_text(
        lab.replace('data = "builtin"', f'data = "{"+".join(["builtin"] * 40)}"', 1), "utf-8"
    )
    (tmp_path / "brackets.md").write_text(lab + "![" * 30_000, "utf-8")
    (tmp_path / "token.npz").write_bytes(b"\x93NUMPY\x01\x00\x0b\x00{'descr': (")
    words = {
        "sum.md": "name each data set of a sum once",
        "brackets.md": "the line is too long",
        "token.npz": "cannot be read as digits",
    }
    for name, text in words.items():
        drop(window, tmp_path / name)
        qtbot.waitUntil(lambda text=text: text in banner.text(), timeout=LONG)
    assert not window.labs.isVisible()

    long = lab + "".join("\n\n" + mark * 2_400 for mark in ("![", "(", "1. "))
    (tmp_path / "long.md").write_text(long, "utf-8")
    drop(window, tmp_path / "long.md")
    qtbot.waitUntil(lambda: window.labs.isVisible() or "long.md" in banner.text(), timeout=LONG)


def test_the_dialog_that_opens_files_can_delete_none(window, qtbot, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", staticmethod(OPEN_FILES))
    reads = []

    def look():
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            reads.append(dialog.testOption(QFileDialog.Option.ReadOnly))
            dialog.reject()

    poll = QTimer(interval=20)
    poll.timeout.connect(look)
    poll.start()
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(reads), timeout=LONG)
    poll.stop()
    assert all(reads)


@pytest.mark.parametrize(
    ("write", "learned"),
    [
        (keras, "learns label, 10 classes, from 784 pixels: 60 images"),
        (one_level_deeper, "learns label, 10 classes, from 784 pixels: 50 images"),
        (emnist, "lay on their side"),
        (zip_of_a_mac, "learns label, 10 classes, from 784 pixels: 50 images"),
    ],
)
def test_data_of_other_programs_are_dropped_and_say_what_is_learned(
    window, qtbot, tmp_path, write, learned
):
    path = write(tmp_path)
    drop(window, path)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(path), timeout=LONG)
    assert learned in part(window, "dataStatus").text()


def test_a_zip_bomb_is_refused_before_it_is_unpacked(window, qtbot, tmp_path, banner):
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w") as archive:
        archive.writestr("train.csv", "1,2\n" * 9)
    content = bytearray(bomb.read_bytes())
    struct.pack_into("<I", content, content.rindex(b"PK\x01\x02") + 24, 4_100_000_000)
    bomb.write_bytes(content)
    drop(window, bomb)
    qtbot.waitUntil(lambda: "of 4.1 GB; at most" in banner.text(), timeout=LONG)
