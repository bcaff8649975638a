"""Deletes the chosen study, after a question about its runs, and restores deleted ones."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMessageBox, QWidget

from core.errors import InputError
from core.studies.trash import delete_study, deleted_studies, restore_study
from gui.background.failure import failure_of
from gui.widgets.banner import Banner
from gui.widgets.basics import named

UNDO_KEY = "Ctrl+Shift+Z"


class StudyDeletion(QObject):
    """`changed` is called with the name of the study to be shown, empty for none."""

    def __init__(self, parent: QWidget, banner: Banner, changed: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._parent, self._banner, self._changed = parent, banner, changed
        self.undo_action = named(QAction(self.tr("&Undo delete"), parent), "studyUndo")
        self.undo_action.setShortcut(UNDO_KEY)
        self.undo_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.undo_action.triggered.connect(self.undo)
        parent.addAction(self.undo_action)

    def ask(self, name: str, runs: list[str]) -> None:
        """Ask whether the runs are deleted with the study, and delete it."""
        box = QMessageBox(self._parent)
        box.setObjectName("studyDeleteQuestion")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Delete study"))
        box.setText(self.tr("Delete the study “{name}”?").format(name=name))
        box.setInformativeText(
            self.tr("It has {n} runs in the library. What is deleted goes to the trash.").format(n=len(runs))
        )
        both = box.addButton(self.tr("Study and &runs"), QMessageBox.ButtonRole.DestructiveRole)
        alone = box.addButton(self.tr("Study &only"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(alone)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if box.clickedButton() in (both, alone):
            self.delete(name, runs if box.clickedButton() is both else [])

    def delete(self, name: str, runs: list[str]) -> None:
        """Move the study and these runs to the trash, and offer to undo that."""
        try:
            delete_study(name, runs)
        except (InputError, OSError) as error:
            self._banner.show_text(failure_of(error).text, "bad")
            return
        self._changed("")
        text = self.tr("The study {name} is in the trash.")
        if runs:
            text = self.tr("The study {name} and its runs are in the trash.")
        self._banner.show_text(text.format(name=name))
        self._banner.offer(self.tr("Undo"), self.undo)

    def undo(self) -> None:
        """Restore the study that was deleted last, also after a restart."""
        try:
            names = deleted_studies()
            if not names:
                self._banner.show_text(self.tr("The trash has no study."))
                return
            restore_study(names[0])
        except (InputError, OSError) as error:
            self._banner.show_text(failure_of(error).text, "bad")
            return
        self._changed(names[0])
        self._banner.show_text(self.tr("The study {name} is back.").format(name=names[0]), "good")
