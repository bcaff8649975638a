"""Presenter mode, and the bar at the lower edge of the window with what a teacher presses in front
of a class.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QWidget

from gui.labs.navigation import PRESENTED_HEIGHT
from gui.widgets.make import FlowLayout, button, entry, row
from gui.widgets.theme import theme
from gui.window.labs import LabColumn
from gui.window.training_page import TrainingPage


class PresenterBar(QWidget):
    """Takes the buttons of a run, those of a lab, the replay and the switch of the plot, and gives
    them back.

    end_asked: presenter mode is to end.
    """

    end_asked = Signal()

    def __init__(self, page: TrainingPage, lab_column: LabColumn) -> None:
        super().__init__()
        self.page = page
        self.lab_column = lab_column
        self._controls = page.controls
        self._training = page.run
        self._labs = lab_column.labs
        tip = self.tr("Empty the canvas (Ctrl+Backspace); undo brings the drawing back.")
        clear = page.stage.tools.clearButton.click
        self.clear_button = button(self.tr("Clear"), "presenterClear", tip, clear, icon="clear")
        tip = self.tr("Show menus, settings and tables again (F12).")
        self.end_button = button(
            self.tr("End presenting"), "endPresentingButton", tip, self.end_asked.emit
        )
        self._switch = QWidget()  # holds the switch of the plot, where the plot is shown
        self._switch_row = row(owner=self._switch)
        self._space = QWidget()
        self._space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._row = FlowLayout(spacing=12)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setLayout(self._row)
        # A widget without a parent would be shown as a window of its own.
        for own in (self._space, self._switch, self.clear_button, self.end_button):
            self._row.addWidget(own)
        page.view_changed.connect(self.show_parts)
        page.run.shown_changed.connect(self.arrange)
        theme().changed.connect(self._fit)
        self.hide()

    def present(self, on: bool) -> None:
        """Take the buttons and be shown, or give them back."""
        self.setVisible(on)
        policy = QSizePolicy.Policy.Maximum if on else QSizePolicy.Policy.Preferred
        for part in (self._labs.navigation, self._controls):
            part.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        if on:
            self.arrange()
            return
        self.page.place_controls()
        self._training.plots.place_switches()
        self._training.result.score.setFont(QFont())
        self._training.result.place_score()
        self.lab_column.place_controls()

    def arrange(self) -> None:
        """Take what belongs into the bar: a lab was opened or closed, or another run is shown."""
        if not theme().presenting:
            return
        training = self._training
        result: tuple[QWidget, ...] = (training.result.score,) if training.has_result else ()
        if not result:
            training.result.place_score()
        run = (self._labs.navigation, self._controls, *result, self._space)
        self._switch_row.addWidget(training.plots.chooser)
        plot = (training.plots.replay, self._switch, self.clear_button, self.end_button)
        for part in (*run, *plot):
            self._row.removeWidget(part)
            self._row.addWidget(part)
        self.show_parts()
        self._fit()

    def _fit(self) -> None:
        """Keep the height that the highest of the buttons needs, whichever are shown."""
        if theme().presenting:
            buttons = (
                self._controls.train_button,
                self._controls.pause_button,
                self._training.plots.chooser,
            )
            heights = [
                button.sizeHint().height() for button in (*buttons, self._training.plots.replay)
            ]
            self._space.setFixedHeight(max(PRESENTED_HEIGHT, *heights))
            self._training.result.score.setFont(theme().title_font())

    def show_parts(self) -> None:
        """Show the switch of the plot where the plot is shown, and Clear where the canvas is."""
        is_training = not self.page.isHidden()
        self._switch.setVisible(is_training and self._training.isVisibleTo(self.page))
        self.clear_button.setVisible(is_training and not self.page.stage.isHidden())


class PresenterMode(QObject):
    """Shows stage, curve and the text of a lab in large type on the whole screen, with nothing but
    the bar below them.

    hidden: the parts that are not seen meanwhile. changed: the mode began or ended.
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, hidden: Sequence[QWidget], bar: PresenterBar) -> None:
        super().__init__(window)
        self._window = window
        self._hidden = hidden
        self._bar = bar
        self._state = Qt.WindowState.WindowNoState  # of the window before

    def fill_menu(self, menu: QMenu) -> QAction:
        """Add the entry that begins and ends the mode; returns it."""
        mode = entry(
            menu, self.tr("&Presenter mode"), self._present, "F12", "Ctrl+Shift+T", checked=False
        )
        self._bar.end_asked.connect(mode.toggle)
        return mode

    def _present(self, on: bool) -> None:
        self._keep_shortcuts(on)
        if on:
            self._state = self._window.windowState()
        self._window.setWindowState(Qt.WindowState.WindowFullScreen if on else self._state)
        for part in self._hidden:
            part.setHidden(on)
        # Before the column and the bar are fitted, which ask for it.
        theme().presenting = on
        self._bar.lab_column.fit(self._window.width())
        self._bar.present(on)
        theme().present(on)
        self.changed.emit()
        # Where the focus was is hidden now: the plot would have it, with a frame that a class asks
        # about. The tab has keys of its own.
        page = self._bar.page
        owner = page if page.isVisible() else self._window
        owner.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep_shortcuts(self, on: bool) -> None:
        """A hidden menu bar has no shortcuts: meanwhile the window has its actions."""
        change = self._window.addAction if on else self._window.removeAction
        bar = self._window.menuBar()
        for menu in bar.findChildren(QMenu):
            for action in menu.actions():
                if action.shortcuts() and menu.menuAction() in bar.actions():
                    change(action)
