"""What a person gives away, and opens: by mouse, with the files that it makes."""

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage, QImageReader
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui.conftest import bars
from tests.gui.person import choose, choose_files, choose_simple_run, ended, part, saved
from tests.idx_files import write_idx
from tests.limits import LONG


def press(window, name):
    widget = part(window, name)
    assert widget.isVisible(), name
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.fixture
def folder(window, tmp_path):
    """The folder that was used last."""
    window.preferences.save_folder(tmp_path / "any")
    return tmp_path


class Opened(QObject):
    """Notes the paths of what the system is asked to open."""

    def __init__(self):
        super().__init__()
        self.paths = []

    @Slot(QUrl)
    def note(self, url):
        self.paths.append(url.toLocalFile())


@pytest.fixture
def opened():
    notes = Opened()
    QDesktopServices.setUrlHandler("file", notes, "note")
    yield notes
    QDesktopServices.unsetUrlHandler("file")


def test_a_page_to_draw_on_is_out_in_two_actions_and_opens(window, qtbot, folder, opened):
    window.resize(1400, 900)  # in a small window What next? is folded away
    choose_simple_run(window)
    press(window, "trainButton")
    qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: part(window, "conclusionShare").isVisible(), timeout=LONG)
    press(window, "conclusionShare")
    assert part(window, "share-page").isChecked()
    press(window, "shareSave")
    qtbot.waitUntil(saved(window), timeout=LONG)
    page = folder / "32 units.html"
    assert "<canvas" in page.read_text("utf-8")
    press(window, "savedOpen")
    press(window, "showFolder")
    assert opened.paths == [str(page), str(folder)]

    # The browser shows a page that is opened here.
    choose_files(page)
    QTest.keyClick(part(window, "savedDialog"), Qt.Key.Key_Escape)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.banner.action_button.isVisible)
    QTest.mouseClick(window.banner.action_button, Qt.MouseButton.LeftButton)
    assert opened.paths[-1] == str(page)


def test_a_folder_is_opened_as_what_it_holds(window, qtbot, tmp_path):
    data = tmp_path / "digits"
    for name, images, seed in (("train", 60, 1), ("t10k", 20, 2)):
        write_idx(data, *bars(images, seed), name)
    choose_files(data)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_F, modifiers)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(data))


def draw_a_stroke(canvas):
    """A vertical stroke in the middle, by mouse."""
    x = canvas.width() // 2
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(canvas, left, pos=QPoint(x, canvas.height() // 5))
    for tenth in range(2, 9):
        QTest.mouseMove(canvas, QPoint(x, canvas.height() * tenth // 10))
    QTest.mouseRelease(canvas, left, pos=QPoint(x, canvas.height() * 4 // 5))


def frames_of(path):
    """The frames of a picture or film, as uint8 (height, width, 3)."""
    reader = QImageReader(str(path))
    frames = []
    while not (image := reader.read()).isNull():
        image = image.convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint8)
        frames.append(pixels.reshape(image.height(), image.width(), 4)[:, :, :3].copy())
    return frames


def visible(window, name):
    """The dialog with this name that is open."""
    return next(each for each in window.findChildren(QWidget, name) if each.isVisible())


def share_stage(window, qtbot, kind):
    """Share the picture or film of the network as this kind of file, by mouse."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=LONG)
    QTest.keyClick(
        window,
        Qt.Key.Key_X,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    dialog = visible(window, "shareDialog")
    QTest.mouseClick(part(dialog, "share-stage"), Qt.MouseButton.LeftButton)
    choose(part(dialog, "shareFormat"), kind)
    QTest.mouseClick(part(dialog, "shareSave"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(saved(window), timeout=LONG)
    QTest.keyClick(visible(window, "savedDialog"), Qt.Key.Key_Escape)


def test_a_picture_and_films_of_the_training_are_shared(window, qtbot, folder):
    choose_simple_run(window)
    press(window, "trainButton")
    qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    draw_a_stroke(part(window, "canvas"))
    stage = window.drawing.stage
    qtbot.waitUntil(
        lambda: stage.picture.content.input is not None and not stage.is_waiting, timeout=LONG
    )
    for kind in (".png", ".svg", ".webp", ".gif"):
        share_stage(window, qtbot, kind)

    (picture,) = frames_of(folder / "32 units picture.png")
    film = frames_of(folder / "32 units picture.webp")
    assert len(film) == 3  # the start and two epochs
    assert len(frames_of(folder / "32 units picture.gif")) == 3
    assert "<svg" in (folder / "32 units picture.svg").read_text("utf-8")
    height, width, _ = film[-1].shape
    assert picture.shape == (2 * height, 2 * width, 3)
    # The last frame is the picture in half the size, but for the words below; the first one is not.
    small = picture.reshape(height, 2, width, 2, 3).mean((1, 3))
    apart = [np.abs(small - frame)[: height * 4 // 5].mean() for frame in film]
    assert apart[-1] < 2 < apart[0], apart
