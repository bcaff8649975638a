"""Files that are dragged over the window and dropped on it."""

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.basics import Highlight


class DropTarget(Highlight):
    """Marks `area` of the window while a file is dragged over the window, and opens what is dropped.

    open_dropped: any URL is passed to it; it says why a file cannot be opened.
    """

    def __init__(self, window: QWidget, area: QWidget, open_dropped: Callable[[QMimeData], object]) -> None:
        super().__init__(window)
        self._area = area
        self._open_dropped = open_dropped
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.DragEnter:
            self._begin(cast(QDragEnterEvent, event))
        elif kind == QEvent.Type.DragLeave:
            self.hide()
        elif kind == QEvent.Type.Drop:
            self.hide()
            self._open_dropped(cast(QDropEvent, event).mimeData())
        else:
            return False
        return True

    def _begin(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            hint = self.tr(
                "Drop a lab, answers, a model, a run, a study, a data set or a picture of a digit."
            )
            self.surround(self._area.geometry().adjusted(6, 6, -6, -6), hint)
