"""Models and data are opened from the menu, and dropped on the window."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage, QScreen
from PySide6.QtWidgets import QApplication, QWidget
from safetensors.numpy import save_file

from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.inference.model_file import load_model, models_folder
from core.labs.answers import Answers
from core.labs.package import open_lab
from core.program import RESOURCES
from gui.labs.dialogs import GradeDialog
from gui.studies.dialog import ComparisonDialog
from gui.window.kinds import DropTarget
from gui.window.main_window import MainWindow
from gui.window.training_page import View
from tests.gui.person import (
    answer_next,
    choose,
    choose_files,
    drop,
    ended,
    file_dialogs,
    part,
    saved,
    share,
)
from tests.limits import LONG

GOLDEN = Path(__file__).parents[2] / "golden" / "files"
BUNDLED = models_folder() / "mnist.safetensors"


def test_a_model_is_saved_opened_and_remembered(window, qtbot, tmp_path):
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    path = tmp_path / "mine.safetensors"
    choose_files(path)
    window.saving.save()
    assert load_model(path).data == "mnist"
    assert window.preferences.recent() == [path]
    window.files.open_path(path)
    assert "mine.safetensors" in window.banner.text.text()
    path.write_text("no model")
    window.files.open_path(path)
    assert window.banner.property("tone") == "bad"


def test_a_file_that_is_dropped_is_opened(window, qtbot, tmp_path):
    path = tmp_path / "three.safetensors"
    path.write_text("no model")
    drop(window, path)
    assert "three.safetensors" in window.banner.text.text()


@pytest.mark.parametrize("name", ["", "t10k-labels-idx1-ubyte"])
def test_a_folder_of_data_or_a_file_of_it_that_is_dropped_is_learned_from(
    window, qtbot, small_mnist, name
):
    drop(window, small_mnist / name)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(small_mnist))
    assert part(window, "trainButton").isEnabled()


def test_while_a_network_learns_no_other_is_opened(window, tmp_path):
    window.run_actions.start(stepping=True)
    drop(window, tmp_path / "other.safetensors")
    assert "no file" in window.banner.text.text()
    (tmp_path / "other.safetensors").write_text("")
    drop(window, tmp_path / "other.safetensors")
    assert "Stop the run first" in window.banner.text.text()


def drag_event(kind, *addresses):
    data = QMimeData()
    data.setUrls([QUrl(address) for address in addresses])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = kind(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
    event.data = data  # it keeps no reference of its own
    return event


def test_several_files_or_a_web_address_that_are_dropped_get_an_answer(window, tmp_path):
    files = [QUrl.fromLocalFile(str(tmp_path / name)).toString() for name in "ab"]
    for addresses, words in (
        (files, "one file"),
        (["https://example.org/3.png"], "not a file on this computer"),
    ):
        enter = drag_event(QDragEnterEvent, *addresses)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(window, drag_event(QDropEvent, *addresses))
        assert words in window.banner.text.text()


def test_the_window_is_marked_while_a_file_is_dragged_over_it(window, tmp_path):
    address = QUrl.fromLocalFile(str(tmp_path)).toString()
    frame = window.findChild(DropTarget)
    QApplication.sendEvent(window, drag_event(QDragEnterEvent, address))
    assert frame.isVisible()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not frame.isVisible()
    QApplication.sendEvent(window, drag_event(QDragEnterEvent, address))
    QApplication.sendEvent(window, drag_event(QDropEvent, address))
    assert not frame.isVisible()


def write_one(path):
    """Write a picture of a one; returns its path."""
    image = Image.new("L", (60, 60), 255)
    image.paste(0, (27, 10, 33, 50))
    image.save(path)
    return path


def test_open_opens_a_picture_as_a_picture(window, tmp_path):
    picture = write_one(tmp_path / "one.png")
    choose_files(picture)
    window.opening.ask()
    ((_, _, filters, *_),) = file_dialogs.asked
    first, *others = filters.split(";;")
    assert first.startswith("All that DigitLab opens (")
    assert any(each.startswith("Pictures (") and "*.png" in each for each in others)
    assert not window.drawing._document.is_empty
    assert not window.banner.isVisible()


def open_file(window, path):
    choose_files(path)
    window.opening.ask()


def drop_picture(window, path):
    drop(window, path)


def paste_picture(window, path):
    QApplication.clipboard().setImage(QImage(str(path)))
    window.drawing.pictures.paste_image()


@pytest.mark.parametrize("bring", [open_file, drop_picture, paste_picture])
@pytest.mark.parametrize("place", ["Compare", "Curve"])
def test_a_picture_that_becomes_the_drawing_is_shown(window, tmp_path, place, bring):
    if place == "Compare":
        window.tabs.setCurrentWidget(window.compare)
    else:
        window.chooser.show_view(View.CURVE)
    assert not window.drawing.canvas.isVisible()
    (tmp_path / "no.png").write_text("no picture")
    open_file(window, tmp_path / "no.png")
    assert not window.drawing.canvas.isVisible()  # the drawing is as before
    bring(window, write_one(tmp_path / "one.png"))
    assert not window.drawing._document.is_empty
    assert window.drawing.canvas.isVisible()
    assert window.drawing.read_by.rows[0].isVisible()  # beside the answer


def test_a_message_about_a_picture_replaces_the_message_before(window, tmp_path):
    window.banner.show_text("An old message.", "bad")
    (tmp_path / "no.png").write_text("no picture")
    drop(window, tmp_path / "no.png")
    assert "no.png" in window.banner.text.text()
    assert "old" not in window.banner.text.text()


def test_saving_the_bundled_model_asks_for_a_name(window, tmp_path):
    before = BUNDLED.read_bytes()
    choose_files(tmp_path / "copy.safetensors")
    window.files.open_path(BUNDLED)
    window.saving.save()
    ((_, start, _),) = file_dialogs.asked
    assert not Path(start).is_relative_to(BUNDLED.parent)
    assert (tmp_path / "copy.safetensors").exists()
    window.saving.save_to(BUNDLED)
    assert window.banner.property("tone") == "bad"
    assert BUNDLED.read_bytes() == before


def test_an_opened_model_shows_its_network_and_settings(window, qtbot, tmp_path):
    part(window, "batchSizeBox").setValue(50)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    path = tmp_path / "mine.safetensors"
    window.saving.save_to(path)
    trained = window.settings.plan.settings
    part(window, "networkEdit").setText("784-7-10")
    part(window, "batchSizeBox").setValue(30)
    other = window.settings.plan.settings
    window.files.open_path(path)
    assert window.settings.plan.settings == trained
    assert "mine.safetensors" in window.banner.text.text()
    assert "settings" in window.banner.text.text()
    window.banner.action_button.click()
    assert window.settings.plan.settings == other


def test_a_model_for_other_data_says_that_the_form_shows_other_settings(window, qtbot, tmp_path):
    choose(part(window, "datasetBox"), "rastrigin")
    before = window.settings.plan.settings
    window.files.open_path(BUNDLED)
    assert "not those of this model" in window.banner.text.text()
    assert window.settings.plan.settings == before


def test_a_network_stopped_after_a_step_does_not_read_at_the_next_start(window, qtbot):
    part(window, "stepButton").click()
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").run.curves["train"]) == 1, timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.saving.model is not None, timeout=LONG)
    assert again.saving.model.network.text == load_model(BUNDLED).network.text


def test_a_file_of_another_kind_that_is_dropped_is_not_called_a_bad_picture(window, tmp_path):
    (tmp_path / "report.docx").write_bytes(b"PK")
    drop(window, tmp_path / "report.docx")
    assert "report.docx cannot be opened. What can be: Labs" in window.banner.text.text()


def test_a_table_of_epochs_that_was_shared_says_what_it_is(window, qtbot, tmp_path):
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    path = tmp_path / "epochs.csv"
    share(window, "table", path)
    qtbot.waitUntil(saved(window), timeout=LONG)
    before = window.settings.data.source()
    choose_files(path)
    window.opening.ask()
    qtbot.waitUntil(window.banner.isVisible, timeout=LONG)
    text = window.banner.text.accessibleName()
    assert "epochs.csv is a table of runs that DigitLab wrote" in text
    assert "open it in a spreadsheet" in text
    assert window.settings.data.source() == before


def test_the_first_window_takes_most_of_a_large_screen(qtbot, monkeypatch):
    monkeypatch.setattr(QScreen, "availableSize", lambda self: QSize(1920, 1080))
    window = MainWindow()
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (1536, 864)


def one_file_of_each_kind(folder):
    """A real file of each kind that can be opened, by the names of the kinds."""
    digits = np.arange(12, dtype=np.uint8) % 10
    images = np.zeros((12, 28, 28), np.uint8)
    by_two = WrittenDigits(images, digits, digits.astype(np.int32) % 2, ("ann", "ben"))
    class_digits.save(by_two, folder / "class.npz")
    (folder / "points.csv").write_text("x,y\n" + "".join(f"{k},{k * k}\n" for k in range(40)))
    save_file({"f1.weight": np.ones((10, 784), np.float32)}, folder / "state.safetensors")
    (folder / "page.html").write_text("<p>draw here</p>")
    lab = sorted((RESOURCES / "labs").glob("*.md"))[0]
    Answers(open_lab(lab), "Ada").save(folder / "ada.json")
    return {
        "pictures": write_one(folder / "one.png"),
        "pages": folder / "page.html",
        "data": folder / "points.csv",
        "digits": folder / "class.npz",
        "models": GOLDEN / "dense.safetensors",
        "runs": GOLDEN / "run-folder" / "run.json",
        "others": folder / "state.safetensors",
        "settings": GOLDEN / "settings.json",
        "studies": GOLDEN / "study.toml",
        "answers": folder / "ada.json",
        "labs": lab,
    }


def shows_it(window, kind, path):
    """Whether the window shows what the file of this kind holds."""
    text = window.banner.text.text()
    return {
        "pictures": not window.drawing._document.is_empty,
        "pages": "is a web page" in text,
        "data": window.settings.data.source() == str(path),
        "digits": window.settings.data.source() == str(path),
        "models": window.saving.path == path,
        "runs": window.saving.path == path.parent / "model.safetensors",
        "others": "padding" in text or text.startswith("Imported"),
        "settings": "settings.json are shown" in text,
        "studies": window.findChild(ComparisonDialog) is not None,
        "answers": window.findChild(GradeDialog) is not None,
        "labs": window.labs.answers is not None,
    }[kind]


@pytest.mark.parametrize("is_dropped", [True, False])
def test_a_file_of_each_kind_is_opened(window, qtbot, tmp_path, is_dropped):
    files = one_file_of_each_kind(tmp_path)
    assert set(files) == set(window.opening.kinds)
    answer_next(window, text="784-10")
    for kind, path in files.items():
        assert not shows_it(window, kind, path)
        if is_dropped:
            drop(window, path)
        else:
            open_file(window, path)
        qtbot.waitUntil(partial(shows_it, window, kind, path), timeout=LONG)
        qtbot.waitUntil(lambda: not window.files.tasks.busy, timeout=LONG)
        if isinstance(dialog := QApplication.activeModalWidget(), QWidget):
            dialog.close()
