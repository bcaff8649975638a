"""The line above a lab: its title, the number of the step, and the menu of the lab."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from core.labs.answers import Answers
from gui.widgets.basics import named, with_role
from gui.widgets.make import action, button, column, label, menu_button, row
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import theme

# Pixels.
_BAR = 4
_GAP = 6
_MOST_BARS = 12  # with more steps there is one bar


class StepBar(QWidget):
    """A bar for each step; those up to the present one are in color."""

    def __init__(self) -> None:
        super().__init__()
        self._step = 0
        self._count = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_step(self, step: int, count: int) -> None:
        """step: from 0."""
        self._step = step
        self._count = count
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(60, _BAR)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        count = self._count if self._count <= _MOST_BARS else 1
        width = (self.width() - _GAP * (count - 1)) / count
        with smooth_painter(self) as painter:
            painter.setPen(colors.border if theme().high_contrast else colors.line)
            for index in range(count):
                share = 1.0 if index <= self._step else 0.0
                if count == 1:
                    share = (self._step + 1) / self._count
                area = QRectF(index * (width + _GAP), 0, width, _BAR)
                painter.setBrush(colors.line if not theme().high_contrast else colors.base)
                painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _BAR / 2, _BAR / 2)
                if share > 0:
                    painter.fillRect(area.adjusted(0, 0, width * (share - 1), 0), colors.accent)


class LabHead(QWidget):
    """`fold_asked`: hide the column; `again_asked`: begin the lab again; `close_asked`: close it.
    `settings_asked`: show all settings, or not.
    """

    fold_asked = Signal()
    again_asked = Signal()
    close_asked = Signal()
    settings_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "labTitle", "line", wraps=False)
        with_role(self.title, "muted")
        self._where = label("", "labStep", "muted", wraps=False)
        self._bar = StepBar()
        self.menu = QMenu(self)
        # Qt hides the tooltips of menus unless it is asked for them.
        self.menu.setToolTipsVisible(True)
        self._all_tip = self.tr("Show all settings below the text, not only those of this step.")
        self.all_settings = self._entry(self.tr("&All settings"), "labAllSettings", self._all_tip)
        self.all_settings.setCheckable(True)
        self.all_settings.toggled.connect(self.settings_asked)
        fold = self._entry(
            self.tr("&Fold the text away"),
            "labFold",
            self.tr(
                "Fold the text away, for more room; the button at the top right shows it again."
            ),
        )
        fold.triggered.connect(self.fold_asked)
        again = self._entry(
            self.tr("&Start again"),
            "labAgain",
            self.tr("Begin this lab again: the answers so far are put aside."),
        )
        again.triggered.connect(self.again_asked)
        self._more = menu_button(
            "…",
            "labMenu",
            self.tr("Fold the text away, start again, show all settings."),
            self.menu,
            title=self.tr("Menu of the lab"),
        )
        self._more.setAutoRaise(True)
        tip = self.tr("Close the lab; your answers are kept, and what was shown before comes back.")
        close_button = button("✕", "", slot=self.close_asked, kind=QToolButton)
        close_button.setAutoRaise(True)
        # By default a click does not give a QToolButton the focus.
        close_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.close_button = named(close_button, "labClose", self.tr("Close the lab"), tip)
        self.close_button.setFixedWidth(28)
        top = row((self.title, 1), self._where, self._more, self.close_button)
        column(top, self._bar, owner=self, spacing=6)
        theme().changed.connect(self._fit)

    def _fit(self) -> None:
        """In presenter mode the title of the lab and its menu make way for the text."""
        for part in (self._more, self.close_button):
            part.setHidden(theme().presenting)

    def _entry(self, text: str, name: str, tip: str) -> QAction:
        made = action(self, text, name, tip=tip)
        self.menu.addAction(made)
        return made

    def refresh(self, answers: Answers, closed: str, has_settings: bool) -> None:
        """`closed`: why no other settings can be tried, or empty. `has_settings`: the lab sets
        something.
        """
        self.title.setText(answers.lab.title)
        # A long title is cut off in the line.
        self.title.setToolTip(answers.lab.title)
        count = len(answers.lab.steps)
        text = self.tr("Step {n} of {all}")
        self._where.setText(text.format(n=answers.step + 1, all=count))
        self._bar.show_step(answers.step, count)
        self._bar.setVisible(count > 1)
        self.all_settings.setVisible(has_settings)
        self.all_settings.setEnabled(not closed)
        self.all_settings.setToolTip(closed or self._all_tip)
