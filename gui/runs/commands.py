"""What can be done with the runs that are chosen in the list: the commands of its menu and their
keys.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction

from core.runs.folder import change_label
from core.runs.library import RunEntry, RunLibrary
from core.studies.study import deleted_studies, study_names
from gui.runs.dialogs import LimitDialog
from gui.runs.run_table import RunTable
from gui.text import count
from gui.widgets.banner import Banner
from gui.widgets.dialogs import reporting, short_path
from gui.widgets.make import action


class RunCommands(QObject):
    """The signals ask the window for what concerns its other parts.

    study_asked, continue_study_asked, deletion_asked: of studies, by name. restored: a deleted
    study is asked back. changed: the library has to be read again.
    """

    continue_run_asked = Signal(object)  # RunEntry
    settings_asked = Signal(object)  # RunEntry
    open_asked = Signal(object)  # RunEntry
    study_asked = Signal(str)  # show the form of a new study like this one
    continue_study_asked = Signal(str)
    deletion_asked = Signal(str, list)  # a study, and the ids of its runs
    restored = Signal()
    changed = Signal()

    def __init__(self, table: RunTable, library: RunLibrary, banner: Banner) -> None:
        super().__init__(table)
        self._table = table
        self._library = library
        self._banner = banner
        self._deleted: list[str] = []
        self._undoes_study = False
        self._make_actions()

    def _make_action(
        self, name: str, text: str, key: str, slot: Callable[[], object], tip: str
    ) -> QAction:
        """Its key belongs to the table: Space and Return mean something else in other widgets."""
        made = action(self._table, text, name, lambda: slot(), keys=(key,) if key else (), tip=tip)
        made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        return made

    def _make_actions(self) -> None:
        tr = self.tr
        make = self._make_action

        def of_run(signal: Any) -> Callable[[], None]:
            return lambda: signal.emit(self._table.chosen()[0])

        self.open_action = make(
            "runOpen", tr("&Open"), "Return", of_run(self.open_asked),
            tr("Let the network of the selected run read the drawing, and test it under Results."),
        )  # fmt: skip
        self.continue_action = make(
            "runContinue", tr("&Continue…"), "Ctrl+Return", self._continue,
            tr("Train the selected run for more epochs, or what is left of a comparison."),
        )  # fmt: skip
        self.settings_action = make(
            "runSettings",
            tr("Use se&ttings"),
            "Ctrl+U",
            of_run(self.settings_asked),
            tr(
                "Show the settings of the selected run under Training, with the rates that were "
                "typed while it ran."
            ),
        )
        copy_action_tip = tr(
            "Set up a new comparison with the settings and the values of the selected one."
        )
        self.copy_action = make("studyCopy", tr("Use as ne&w…"), "", self._copy, copy_action_tip)
        star_action_tip = tr("Keep the selected runs whatever the limit is, or no longer.")
        self.star_action = make("runStar", tr("&Star"), "Space", self._star, star_action_tip)
        rename_action_tip = tr("Give the current run a name.")
        self.rename_action = make(
            "runRename", tr("Re&name"), "F2", self._table.rename, rename_action_tip
        )
        delete_action_tip = tr("Move the selected runs to the trash.")
        self.delete_action = make(
            "runDelete", tr("&Delete"), "Del", self.delete_selected, delete_action_tip
        )
        undo_action_tip = tr("Move what was deleted last back into the list.")
        self.undo_action = make(
            "runUndo", tr("&Undo delete"), "Ctrl+Z", self.undo_delete, undo_action_tip
        )
        # Also where the table has not the focus: the window's Undo is of the stage, which is not
        # shown then.
        self.undo_action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        limit_action_tip = tr(
            "Set how much disk space runs without a star may take, and empty the trash."
        )
        self.limit_action = make("runLimit", tr("&Limit…"), "", self._show_limit, limit_action_tip)
        self.columns_action = make("runColumns", tr("&All columns"), "", lambda: None, "")
        self.columns_action.setToolTip(
            tr("Show settings, state, losses, size and notes of the runs, too.")
        )
        self.columns_action.setCheckable(True)
        self.columns_action.toggled.connect(self._table.show_all_columns)

    def enable(self, is_busy: bool) -> None:
        """Enable what can be done with the chosen rows. is_busy: something is being trained."""
        rows = self._table.selected()
        chosen = self._table.chosen()
        one = len(chosen) == 1 and not any(row.study for row in rows)
        study = len(rows) == 1 and bool(rows[0].study)
        self.continue_action.setEnabled(
            not is_busy and (study or (one and chosen[0].folder.checkpoint.exists))
        )
        self.settings_action.setEnabled(one and not is_busy)
        self.open_action.setEnabled(one and not is_busy and chosen[0].folder.model_path.exists())
        self.copy_action.setEnabled(study and not is_busy)
        self.star_action.setEnabled(bool(chosen))
        self.delete_action.setEnabled(bool(chosen) or study)
        self.rename_action.setEnabled(one)
        self.undo_action.setEnabled(self._can_undo_delete())

    def _can_undo_delete(self) -> bool:
        return bool(
            self._deleted or self._undoes_study or self._library.has_trashed() or deleted_studies()
        )

    def _continue(self) -> None:
        rows = self._table.selected()
        if rows and rows[0].study:
            self.continue_study_asked.emit(rows[0].study)
        else:
            self.continue_run_asked.emit(self._table.chosen()[0])

    def _copy(self) -> None:
        self.study_asked.emit(self._table.selected()[0].study)

    def _star(self) -> None:
        """Star all selected runs, unless all have one."""
        selected = self._table.chosen()
        starred = not all(entry.label.starred for entry in selected)
        for entry in selected:
            self.write_label(entry, starred=starred)

    def write_label(self, entry: RunEntry, **values: Any) -> None:
        """Change a part of the run's label; the row may be older than the file."""
        with reporting(self._banner.show_text):
            change_label(entry.path, **values)
        self.changed.emit()

    def delete_selected(self) -> None:
        """Move the chosen runs to the trash; of a study the window asks how much of it."""
        rows = self._table.selected()
        if len(rows) == 1 and rows[0].study in study_names():
            self.deletion_asked.emit(rows[0].study, [entry.id for entry in rows[0].entries])
            return
        ids = [entry.id for entry in self._table.chosen()]
        with reporting(self._banner.show_text):
            moved = self._library.delete(ids)
            if moved:
                # Only what was moved: a run in training stays, and Undo must not restore it.
                self._deleted = moved
                self._undoes_study = False
                self._say_deleted([entry for entry in self._table.chosen() if entry.id in moved])
            elif ids:
                self._banner.show_text(
                    self.tr("A run that is being trained cannot be deleted: stop it first.")
                )
        self.changed.emit()

    def _say_deleted(self, moved: list[RunEntry]) -> None:
        elsewhere = [entry for entry in moved if entry.is_elsewhere]
        trashed = len(moved) - len(elsewhere)
        parts = []
        if trashed:
            parts.append(
                self.tr("{n} runs are in the trash.", None, trashed).format(n=count(trashed))
            )
        for entry in elsewhere:
            text = self.tr("{path} is no longer listed; the folder stays where it is.")
            parts.append(text.format(path=short_path(entry.path)))
        self._banner.show_text(" ".join(parts), "good")
        self._banner.offer(self.tr("Undo"), self.undo_delete)

    def study_deleted(self) -> None:
        """A study was deleted: Undo brings that back."""
        self._undoes_study = True
        self.changed.emit()

    def undo_delete(self) -> None:
        """Restore what was deleted last; after a restart, the newest run in the trash, or the last
        study.
        """
        names = self._deleted or [entry.id for entry in self._library.trashed()[:1]]
        if self._undoes_study or not names:
            self._undoes_study = False
            self.restored.emit()
            return
        self._deleted = []
        with reporting(self._banner.show_text):
            self._library.restore(names)
            self._banner.hide()
        self.changed.emit()

    def _show_limit(self) -> None:
        LimitDialog(self._library, self.changed.emit, self._table.window()).show()
