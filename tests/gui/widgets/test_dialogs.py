"""Asking for files, and saying what went wrong."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from core.errors import InputError
from gui.preferences import documents_folder
from gui.widgets.dialogs import (
    Destination,
    LastFolder,
    ask_folder,
    ask_open,
    ask_save,
    reporting,
    short_path,
)
from tests.gui.person import choose_files, file_dialogs

KINDS = ("Tables (*.csv *.txt)", "Pictures (*.png)")


@pytest.fixture
def parent(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


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
    parent, tmp_path, typed, kind, written
):
    choose_files(tmp_path / typed, kind=kind)
    assert ask_save(parent, LastFolder(), "Save", "name.csv", KINDS) == tmp_path / written


def test_the_next_dialog_begins_in_the_folder_of_the_last_one(parent, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    memory = LastFolder()
    choose_files(tmp_path / "in" / "a.csv")
    assert ask_open(parent, memory, "Open", KINDS) == tmp_path / "in" / "a.csv"
    choose_files(tmp_path / "out" / "b.csv")
    ask_save(parent, memory, "Save", "name.csv", KINDS)
    choose_files(tmp_path / "folder")
    assert ask_folder(parent, memory, "Folder") == tmp_path / "folder"
    opened, saved, folder = file_dialogs.asked
    assert opened == ("Open", documents_folder(), ";;".join(KINDS))
    assert saved[1] == str(tmp_path / "in" / "name.csv")
    assert folder[1] == str(tmp_path / "out")
    assert memory.folder() == str(tmp_path / "folder")


@pytest.mark.parametrize(
    "ask",
    [
        lambda parent, memory: ask_open(parent, memory, "Open"),
        lambda parent, memory: ask_save(parent, memory, "Save", "a.csv", KINDS),
        lambda parent, memory: ask_folder(parent, memory, "Folder"),
    ],
)
def test_a_cancelled_dialog_gives_nothing_and_is_not_remembered(parent, ask):
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


def test_a_chosen_name_that_is_too_long_for_a_file_is_shown(parent):
    """What is wrong with it is said when the file is written."""
    destination = Destination(LastFolder(), "Table", "a.csv", KINDS)
    choose_files(f"/folder/{'a' * 300}.csv", kind=KINDS[0])
    destination.findChild(QPushButton, "destinationChange").click()
    assert len(destination.path.name) == 304


def test_a_path_in_the_home_folder_begins_with_its_sign_and_the_folder_itself_is_named():
    assert short_path(Path.home() / "digits") == str(Path("~") / "digits")
    assert short_path(Path.home()) == str(Path.home())
