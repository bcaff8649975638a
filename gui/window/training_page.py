"""The tab Training: the settings line, the stage with the drawing and the network, and the band with the curve."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.drawing.panel import DrawingPanel
from gui.labs.panel import LabPanel
from gui.settings.panel import SettingsPanel
from gui.training.controls import RunControls
from gui.training.tab import TrainingTab
from gui.widgets.basics import SPACING
from gui.widgets.card import Card
from gui.widgets.make import column, row
from gui.widgets.tab import Tab
from gui.widgets.theme import theme
from gui.window.room import View, share
from gui.window.welcome import Welcome

DRAWER_WIDTH = 348  # pixels at a text size of 100 %
VIEWS = (View.NETWORK, View.CURVE, View.BOTH)


class TrainingPage(Tab):
    """Places the parts; each of them knows its own task.

    At a desk the settings line is above the stage. While a lab is open, its text is at the left, with the settings of
    its step and the buttons of a run below it. `view_changed`: the stage, the band, or both are shown now.
    """

    view_changed = Signal()

    def __init__(
        self,
        settings: SettingsPanel,
        controls: RunControls,
        labs: LabPanel,
        drawing: DrawingPanel,
        run: TrainingTab,
    ) -> None:
        super().__init__()
        self._settings, self._controls, self._labs = settings, controls, labs
        self._drawing, self._run = drawing, run
        self.view = View.BOTH
        self.welcome = Welcome()
        self._band_pages = QStackedWidget()
        self._band_pages.addWidget(self.welcome)
        self._band_pages.addWidget(run)
        self.stage = Card(drawing, name="stage")
        self.band = Card(self._band_pages, name="band")
        self._lay_out()
        run.progress.addWidget(controls.speed_row)
        run.shown_changed.connect(self.fit)
        theme().changed.connect(self.fit)

    def title(self) -> str:
        return self.tr("Training")

    def _lay_out(self) -> None:
        self._head = QWidget()
        self._head_row = row(owner=self._head, spacing=SPACING)
        self._lab_column = QWidget()
        self._lab_parts = column(self._labs, owner=self._lab_column, spacing=SPACING)
        self._lab_card = Card(self._lab_column, name="labCard")
        self._right = column(self.stage, self.band, spacing=12)
        self._body = row(self._lab_card, (self._right, 1), spacing=12)
        self._rows = column(self._head, self._controls.obstacle_button, (self._body, 1), owner=self)
        self._drawer = Card(self._settings, name="drawer", floats=True)
        self._drawer.setParent(self)
        self._settings.more_button.toggled.connect(self._show_drawer)
        self._drawer.hide()
        self._lab_card.hide()
        self._place_controls(in_lab=False)

    # -- what is shown ------------------------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        """Show the stage, the band, or both."""
        self.view = view
        self.fit()
        self.view_changed.emit()

    def set_lab(self, is_open: bool) -> None:
        """Make room for a lab at the left and a large plot beside it, or take both back."""
        if is_open == self._lab_card.isVisibleTo(self):
            return
        self._place_controls(in_lab=is_open)
        self._lab_card.setVisible(is_open)
        self.show_view(View.CURVE if is_open else View.BOTH)

    def present(self, on: bool) -> None:
        """Show the stage, the curve and the buttons of a run alone, in presenter mode."""
        self._settings.line.setHidden(on)
        self._settings.more_button.setChecked(False)

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        view = self.view
        return lambda: self.show_view(view)

    def reset_layout(self) -> None:
        self.show_view(View.BOTH)
        self._settings.more_button.setChecked(False)

    def _place_controls(self, *, in_lab: bool) -> None:
        """Put the settings and the buttons of a run below the text of a lab, or above the stage."""
        line, controls = self._settings.line, self._controls
        if in_lab:
            for part in (line, controls, self._labs.navigation):
                self._lab_parts.addWidget(part)
        else:
            self._head_row.addWidget(line, 1)
            self._head_row.addWidget(controls)
        self._head.setHidden(in_lab)

    # -- room ---------------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Share the room among the parts."""
        has_lab = not self._lab_card.isHidden()
        shows_run = has_lab or self._run.has_shown
        self._band_pages.setCurrentWidget(self._run if shows_run else self.welcome)
        above = 0 if self._head.isHidden() else self._head.sizeHint().height() + SPACING
        if not self._controls.obstacle_button.isHidden():
            above += self._controls.obstacle_button.sizeHint().height()
        margins = self._rows.contentsMargins()
        height = self.height() - above - margins.top() - margins.bottom()
        room = share(
            self.width(),
            height,
            scale=theme().scale,
            view=self.view,
            has_curve=shows_run,
            has_lab=has_lab,
            has_next_steps=self._run.has_next_steps,
            presenting=theme().presenting,
        )
        self._rows.setContentsMargins(room.margin, SPACING, room.margin, room.gap)
        self._body.setSpacing(room.gap)
        self._right.setSpacing(room.gap)
        if has_lab:
            self._lab_card.setFixedWidth(room.lab)
        self.stage.setVisible(room.stage > 0)
        self.band.setVisible(room.band > 0)
        self._right.setStretch(0, room.stage)
        self._right.setStretch(1, room.band)
        self._run.set_widths(room.result, room.next_steps)
        self._place_drawer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    # -- the drawer ---------------------------------------------------------------------------------------------

    def _show_drawer(self, shown: bool) -> None:
        self._drawer.setVisible(shown)
        self._place_drawer()

    def _place_drawer(self) -> None:
        """Below the settings line, over the left part of stage and band."""
        top = self._head.geometry().bottom() + SPACING
        left = self._rows.contentsMargins().left()
        self._drawer.setGeometry(left, top, theme().px(DRAWER_WIDTH), self.height() - top - SPACING)
        self._drawer.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the drawer."""
        if event.matches(QKeySequence.StandardKey.Cancel) and self._drawer.isVisible():
            self._settings.more_button.setChecked(False)
        else:
            super().keyPressEvent(event)
