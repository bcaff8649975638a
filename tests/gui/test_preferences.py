"""Preferences: files of any content are accepted, and two windows share the list of recent
files.
"""

import os
import shutil
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

import gui.preferences_file
from core.files.atomic import write_atomically
from core.training.presets import find_preset
from gui.preferences import Preferences
from gui.window.main_window import MainWindow
from tests.gui.person import part

DAMAGED = [
    b"",
    b"\xff\x00" * 200,
    b"[General]\nrecent=5\nsettings=7\ntheme=purple\n",
    b"[General]\nrecent=null\nsettings=[]\n",
    b'[General]\nrecent="' + b"[" * 100_000 + b'"\nsettings="' + b"{" * 100_000 + b'"\n',
    b'[General]\nsettings="{\\"run\\": {\\"batch_size\\": 9223372036854775808}}"\n',
    b'[General]\nsettings="{\\"run\\": {\\"epochs\\": 1e400, \\"decay_epochs\\": NaN}}"\n',
    b'[General]\nsettings="{\\"run\\": 5, \\"preset\\": [1], \\"device\\": {}, \\"more\\": []}"\n',
    b'[General]\nsettings="{\\"data\\": \\"rastrigin:99999999999\\"}"\n',
    b"[General]\ntoured=@Variant(\\0)\nfolder=@Invalid()\nlogarithmic_loss=maybe\n",
    b"[layout]\nversion=abc\nwindow=5\n",
    b"[layout]\nversion=1\nwindow=@ByteArray(abc)\ncolumns=@ByteArray(\\0\\0)\nrows=text\n",
]


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_the_window_starts_with_a_damaged_settings_file(qtbot, home, content):
    (home / "data").mkdir(parents=True)
    (home / "data" / "window.ini").write_bytes(content)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    assert window.settings.plan is not None or window.settings.start_problem() is not None
    window.close()


def test_settings_that_cannot_be_used_are_replaced_by_the_default_preset(qtbot):
    Preferences().save_settings({"run": {"network": "784-10", "epochs": 2**70}})
    window = MainWindow()
    qtbot.addWidget(window)
    assert window.settings.plan.settings == find_preset("default").settings
    window.close()


def test_two_windows_keep_the_recent_files_of_each_other(tmp_path):
    first, second = Preferences(), Preferences()
    paths = [tmp_path / f"{number}.safetensors" for number in range(6)]
    for number, path in enumerate(paths):
        path.write_text("")
        (first, second)[number % 2].add_recent(path)
    assert first.recent() == second.recent() == paths[::-1]


def test_a_deleted_folder_is_not_offered(tmp_path):
    preferences = Preferences()
    preferences.save_folder(tmp_path / "gone" / "file")
    assert preferences.folder() != str(tmp_path / "gone")
    preferences.save_folder(tmp_path / "file")
    assert preferences.folder() == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("names", [["window.ini"], ["window.ini", "window-preferences.ini"]])
def test_a_pipe_in_place_of_the_file_does_not_block_the_start(home, names):
    (home / "data").mkdir(parents=True)
    for name in names:
        os.mkfifo(home / "data" / name)
    for name in ("window.ini", "window-preferences.ini", "window-preferences-2.ini"):
        os.mkfifo(home / "data" / f"{name}.recent.lock")
    preferences = Preferences()
    preferences.theme = "dark"
    preferences.add_recent(Path(__file__))
    preferences.sync()
    assert Preferences().theme == "dark"
    assert Preferences().recent() == [Path(__file__)]


def test_a_file_that_is_too_large_for_preferences_is_not_read(home):
    (home / "data").mkdir(parents=True)
    with (home / "data" / "window.ini").open("wb") as file:
        file.write(b"[General]\ntheme=dark\nfolder=")
        file.truncate(20_000_000)
    assert Preferences().theme == "system"


def test_changes_are_written_soon_by_another_thread(home, qtbot, monkeypatch):
    """A busy disk must not hold the window up."""
    threads = []

    def write(path, content):
        threads.append(threading.current_thread())
        write_atomically(path, content)

    monkeypatch.setattr(gui.preferences_file, "write_atomically", write)
    preferences = Preferences()
    preferences.theme = "dark"
    path = home / "data" / "window.ini"
    qtbot.waitUntil(lambda: path.exists() and 'theme="dark"' in path.read_text())
    assert threading.current_thread() not in threads


def test_changes_that_cannot_be_written_are_said_once_and_written_later(window, home, qtbot):
    path, said = home / "data" / "window.ini", part(window, "bannerText")
    window.preferences.sync()
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)  # no file can take the place of a folder
    menu_action(window, "Dark").trigger()
    qtbot.waitUntil(lambda: "cannot be kept for the next start" in said.text())
    assert "window.ini" in said.accessibleName()
    window.banner.hide()
    menu_action(window, "High contrast").trigger()
    window.preferences.sync()
    QApplication.processEvents()
    assert window.banner.isHidden()
    path.rmdir()
    menu_action(window, "Larger text").trigger()
    window.preferences.sync()
    later = Preferences()
    assert (later.theme, later.high_contrast, later.text_size) == ("dark", True, "120")


def menu_action(window, text):
    return next(
        action for action in window.findChildren(QAction) if action.text().replace("&", "") == text
    )


class Intruder:
    """Runs code when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.write_text, (self.path, "executed")


@pytest.mark.parametrize(
    "key", ["theme", "recent", "settings", "layout/version", "layout/window", "other"]
)
def test_a_pickled_object_in_the_file_is_not_executed(home, tmp_path, qtbot, key):
    (home / "data").mkdir(parents=True)
    proof, path = tmp_path / "proof", home / "data" / "window.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    store.setValue(key, Intruder(proof))
    store.sync()
    assert b"@Variant(" in path.read_bytes()
    shutil.copy(path, tmp_path / "copy.ini")
    QSettings(str(tmp_path / "copy.ini"), QSettings.Format.IniFormat).value(key)
    assert proof.read_text() == "executed"  # by Qt's own reader
    proof.unlink()
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    window.preferences.theme = "dark"
    window.close()
    assert not proof.exists()
    assert Preferences().theme == "dark"


def test_what_qt_wrote_is_read_and_texts_come_back_as_they_were(home):
    (home / "data").mkdir(parents=True)
    path = home / "data" / "window.ini"
    texts = [
        "",
        "plain",
        'a "quoted" \\ text, with; signs = [and] %',
        "ä ∂ \U0001d7d9 @x",
        "line\nbreak\t\x01\x7f\u2028",
    ]
    state = QByteArray(bytes(range(256)) * 2)
    store = QSettings(str(path), QSettings.Format.IniFormat)
    for number, text in enumerate(texts):
        store.setValue(f"shown_advice{number}", text)
    store.setValue("layout/version", 1)
    store.setValue("layout/window", state)
    store.sync()
    written = Preferences()
    assert [written.file.text(f"shown_advice{number}") for number in range(len(texts))] == texts
    assert written.layout("window") == state
    for number, text in enumerate(texts):
        written.file.set_text(f"shown_advice{number}", text)
    written.save_layout(window=state)
    written.sync()
    again = Preferences()
    assert [again.file.text(f"shown_advice{number}") for number in range(len(texts))] == texts
    assert again.layout("window") == state
