"""Asking for files, and saying what went wrong."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from core.errors import InputError
from gui.preferences import documents_folder
from gui.widgets.dialogs import Destination, LastFolder, ask_folder, ask_open, ask_save, reporting

KINDS = ("Tables (*.csv *.txt)", "Pictures (*.png)")


@pytest.fixture
def parent(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


def answer(monkeypatch, method, path, kind=""):
    """Let the dialog answer `path`; returns the arguments of its calls."""
    asked = []

    def ask(*args):
        asked.append(args[1:])
        return str(path) if method == "getExistingDirectory" else (str(path), kind)

    monkeypatch.setattr(QFileDialog, method, ask)
    return asked


@pytest.mark.parametrize(
    ("typed", "kind", "written"),
    [
        ("a.csv", KINDS[0], "a.csv"),
        ("a.TXT", KINDS[1], "a.TXT"),
        ("a", KINDS[1], "a.png"),
        ("a", "", "a.csv"),
        ("a.b", KINDS[0], "a.b.csv"),
    ],
)
def test_a_file_without_a_known_suffix_gets_that_of_the_chosen_kind(
    parent, monkeypatch, tmp_path, typed, kind, written
):
    answer(monkeypatch, "getSaveFileName", tmp_path / typed, kind)
    assert ask_save(parent, LastFolder(), "Save", "name.csv", KINDS) == tmp_path / written


def test_the_next_dialog_begins_in_the_folder_of_the_last_one(parent, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    memory = LastFolder()
    asked = answer(monkeypatch, "getOpenFileName", tmp_path / "in" / "a.csv")
    assert ask_open(parent, memory, "Open", KINDS) == tmp_path / "in" / "a.csv"
    asked += answer(monkeypatch, "getSaveFileName", tmp_path / "out" / "b.csv")
    saved = answer(monkeypatch, "getSaveFileName", tmp_path / "out" / "b.csv")
    ask_save(parent, memory, "Save", "name.csv", KINDS)
    folder = answer(monkeypatch, "getExistingDirectory", tmp_path / "folder")
    assert ask_folder(parent, memory, "Folder") == tmp_path / "folder"
    assert asked[0] == ("Open", documents_folder(), ";;".join(KINDS))
    assert saved[0][1] == str(tmp_path / "in" / "name.csv")
    assert folder[0][1] == str(tmp_path / "out")
    assert memory.folder() == str(tmp_path / "folder")


@pytest.mark.parametrize(
    ("ask", "method"),
    [
        (lambda parent, memory: ask_open(parent, memory, "Open"), "getOpenFileName"),
        (lambda parent, memory: ask_save(parent, memory, "Save", "a.csv", KINDS), "getSaveFileName"),
        (lambda parent, memory: ask_folder(parent, memory, "Folder"), "getExistingDirectory"),
    ],
)
def test_a_cancelled_dialog_gives_nothing_and_is_not_remembered(parent, monkeypatch, ask, method):
    answer(monkeypatch, method, "")
    memory = LastFolder()
    memory.save_folder(Path("/before/file"))
    assert ask(parent, memory) is None
    assert memory.folder() == str(Path("/before"))


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("{path} is not a table.", path="a.csv"), "a.csv is not a table."),
        (OSError("disk full"), "disk full"),
    ],
)
def test_an_error_is_shown_and_ends_the_block(error, text):
    shown = []
    with reporting(lambda *message: shown.append(message)):
        raise error
    ((sentence, tone),) = shown
    assert text in sentence
    assert tone == "bad"


def test_a_success_shows_nothing_and_other_errors_are_not_hidden():
    shown = []
    with reporting(lambda *message: shown.append(message)):
        pass
    assert shown == []
    with pytest.raises(ZeroDivisionError), reporting(lambda *message: shown.append(message)):
        1 / 0  # noqa: B018


def test_a_chosen_name_that_is_too_long_for_a_file_is_shown(parent, monkeypatch):
    """What is wrong with it is said when the file is written."""
    destination = Destination(LastFolder(), "Table", "a.csv", KINDS)
    answer(monkeypatch, "getSaveFileName", f"/folder/{'a' * 300}.csv", KINDS[0])
    destination.findChild(QPushButton, "destinationChange").click()
    assert len(destination.path.name) == 304
