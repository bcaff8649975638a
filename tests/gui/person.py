"""What a person does in the window, and waits for."""

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.limits import LONG


class FileDialogs:
    """A person who chooses in Qt's dialogs of files and folders; conftest.py puts it in their
    place.

    `asked`: the arguments of each dialog after its parent: title, start, kinds, the chosen kind.
    """

    def __init__(self):
        self.forget()

    def forget(self):
        """Cancel each dialog from now on."""
        self.asked = []
        self.paths = []
        self.kind = ""

    def one(self, parent, *asked, options=None):
        self.asked.append(asked)
        return (self.paths[0] if self.paths else ""), self.kind

    def several(self, parent, *asked, options=None):
        self.asked.append(asked)
        return self.paths, self.kind

    def folder(self, parent, *asked):
        return self.one(parent, *asked)[0]


file_dialogs = FileDialogs()


def choose_files(*paths, kind=""):
    """Choose these in each dialog from now on, and this kind of files."""
    file_dialogs.paths = [str(path) for path in paths]
    file_dialogs.kind = kind


def part(window, name):
    """The widget with this object name."""
    found = window.findChild(QWidget, name)
    assert found is not None, name
    return found


def answer_next(window, *, text="", yes=True):
    """Answer the next question as soon as it is asked; with a text the next one for a text.

    Returns a list of the questions that have been answered.
    """
    button = "textAccept" if text else "questionYes"
    asked = []

    def look():
        dialog = QApplication.activeModalWidget()
        if dialog is None or dialog.findChild(QWidget, button) is None:
            return
        clock.stop()
        asked.append(part(dialog, "dialogSentence").text())
        if text:
            QTest.keyClicks(part(dialog, "textEdit"), text)
        if yes:
            QTest.mouseClick(part(dialog, button), Qt.MouseButton.LeftButton)
        else:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    clock = QTimer(window, interval=10)
    clock.timeout.connect(look)
    clock.start()
    return asked


def choose(box, data):
    index = box.findData(data)
    assert index >= 0, data
    box.setCurrentIndex(index)


def choose_simple_run(window):
    """Two epochs of a small network on the test's data: a second's work on any machine."""
    choose(part(window, "datasetBox"), "mnist")
    choose(part(window, "deviceBox"), "vectorized")
    part(window, "networkEdit").setText("784-32-10")
    choose(part(window, "optimizerBox"), "sgd")
    choose(part(window, "lossBox"), "cross-entropy")
    choose(part(window, "activationBox"), "relu")
    part(window, "learningRateEdit").setText("0.1")
    part(window, "epochsBox").setValue(2)


def train_for_long(window, qtbot):
    part(window, "epochsBox").setValue(100_000)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").run.curves["train"]) > 2, timeout=LONG)


def wait_for_ticks(window, qtbot, count):
    """Until the window has looked `count` times for news of the run, be there any or none."""
    for _ in range(count):
        with qtbot.waitSignal(window.session.ticked, timeout=LONG):
            pass


def ended(window):
    return lambda: not window.session.active


def drop(window, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = (
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(5, 5), *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), *how))


def rect_in(widget, window):
    """The rectangle of `widget` in the window."""
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def share(window, what, path, kind=""):
    """Write what is chosen in Share to `path`, as a file that ends with `kind`; waits for
    nothing.
    """
    dialog = shared(window, what)
    if kind:
        choose(part(dialog, "shareFormat"), kind)
    choose_files(path)
    part(dialog, "destinationChange").click()
    part(dialog, "shareSave").click()
    return dialog


def shared(window, what):
    """The dialog Share, with what is chosen."""
    window.sharing.ask(what)
    dialog = next(each for each in window.findChildren(QWidget, "shareDialog") if each.isVisible())
    part(dialog, f"share-{what}").click()
    return dialog


def saved(window):
    """Whether the window says that a file is saved; for `waitUntil`."""
    return lambda: any(each.isVisible() for each in window.findChildren(QWidget, "savedDialog"))


def give_size(window, width, height):
    """Give a window that fills its screen another size, as if the screen had it."""
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(width, height)
