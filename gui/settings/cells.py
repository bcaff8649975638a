"""Where the settings stand: in the line above the stage, or in the columns of the page of all."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from core.training.run_settings import BY_NAME, SETTINGS
from gui.settings.fields import Cell, Field, field_label, label_of
from gui.widgets.basics import CaptionLabel, LinkButton, named
from gui.widgets.make import FlowLayout, column, label
from gui.widgets.theme import theme
from kernels.augmentation import AugmentationParams

# What the settings line shows, in this order; `data`, `preset`, `network` and `device` are no
# fields of the form.
LINE = ("data", "preset", "device", "activation", "learning_rate", "batch_size", "epochs")
# The columns of the page of all settings; what is in none of them is in a last one.
ERROR = ("loss", "optimizer", "momentum", "nesterov")
RATE = ("schedule", "decay", "decay_epochs", "schedule_epochs", "rate_changes")
STOP = ("target_accuracy", "target_error", "patience", "validation")
BY_HEART = ("l2", "l1")
# The letter that, with Alt, moves the focus there; F, E, V, T and H open the menus.
LETTERS = {
    "activation": "a",
    "loss": "l",
    "optimizer": "o",
    "momentum": "m",
    "learning_rate": "r",
    "schedule": "s",
    "batch_size": "b",
    "epochs": "c",
}
AUGMENTATION = AugmentationParams._fields
_PLACED = ("network", *LINE, *ERROR, *RATE, *STOP, *BY_HEART, *AUGMENTATION)
OTHERS = tuple(setting.name for setting in SETTINGS if setting.name not in _PLACED)
FIELDS = tuple(
    name for name in (*LINE, *ERROR, *RATE, *STOP, *BY_HEART, *OTHERS) if name in BY_NAME
)
# Pixels at a text size of 100 %: how wide a setting is in the line, and in a column, with its
# caption.
WIDTHS = {
    "data": 152,
    "preset": 224,
    "activation": 104,
    "learning_rate": 92,
    "batch_size": 80,
    "epochs": 72,
    "device": 128,
}
IN_COLUMN = 216
EDITOR_HEIGHT = 28  # on the page, at the least
LINE_HEIGHT = 32  # in the line, at the least
LARGE_EDITOR_HEIGHT = 40  # the same of the line in a large window
_AROUND_TEXT = 12


class SettingColumn(QWidget):
    """Settings of one kind below each other, on the page of all settings."""

    def __init__(self, title: str, *below: QWidget) -> None:
        super().__init__()
        self.rows = column(spacing=2)
        column(label(f"<b>{title}</b>"), self.rows, *below, None, owner=self, spacing=4)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)


class SettingCells(QObject):
    """A caption with its editor for each setting, by name, in the places `line` and `page`.

    `boxes`: the editors of settings that are no fields, with their captions. schedule: the widget
    below the settings of the rate. `more_button` opens `owner`, the page.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        boxes: Mapping[str, tuple[str, QComboBox]],
        schedule: QWidget,
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self.in_line: tuple[str, ...] = ()  # what a lab asks for; without a lab LINE is shown
        # Settings of LINE that are on the page, because the line has no room.
        self._folded: tuple[str, ...] = ()
        self._shown: set[str] = set()  # settings that are not hidden
        self._boxes = boxes
        self._fields = fields
        self._cells: dict[str, Cell] = {}
        for name, (title, box) in boxes.items():
            self._cells[name] = Cell(label_of(box, CaptionLabel(title)), box)
        for name in FIELDS:
            letter = LETTERS.get(name, "")
            caption = field_label(fields[name], letter, CaptionLabel)
            self._cells[name] = Cell(caption, fields[name])
        tip = self.tr(
            "Loss, optimizer, schedule, initial weights, regularization, when to stop, workers, "
            "seed."
        )
        self.more_button = named(LinkButton(self.tr("All settings"), owner), "moreButton", tip=tip)
        # As high as the fields, below an empty caption.
        self._more_cell = Cell(CaptionLabel(), self.more_button)
        self.line = FlowLayout(spacing=12)
        self.page = FlowLayout(spacing=20)
        tr = self.tr
        self._columns = {
            LINE: SettingColumn(tr("From the line above")),
            ERROR: SettingColumn(tr("The error, and the step")),
            RATE: SettingColumn(tr("The rate, over time"), schedule),
            STOP: SettingColumn(tr("When it stops")),
            BY_HEART: SettingColumn(tr("Against learning by heart")),
            OTHERS: SettingColumn(tr("The start, and the work")),
        }
        for each in self._columns.values():
            self.page.addWidget(each)
        theme().changed.connect(self._fit)

    def place(self, in_line: Sequence[str]) -> None:
        """Put these settings and those of LINE that are not folded into the line, and the others
        into their columns.
        """
        self.in_line = tuple(in_line)
        for name in LINE:
            if self.is_in_line(name):
                self.line.addWidget(self._cells[name])
        for name in in_line:
            if name in self._cells and name not in LINE:
                self.line.addWidget(self._cells[name])
        for column_names, place in self._columns.items():
            for name in column_names:
                if not self.is_in_line(name):
                    place.rows.addWidget(self._cells[name])
        self.line.addWidget(self._more_cell)
        for is_in_line in (True, False):
            names = [name for name in self._cells if self.is_in_line(name) is is_in_line]
            # The order of Tab is that of the program, not of the places, unless it is set.
            for first, second in pairwise(map(self._editor, names)):
                QWidget.setTabOrder(first, second)
        self._show_columns()
        self._fit()

    def show_settings(self, names: Collection[str]) -> None:
        """Show these settings and hide the others, and the columns in which none is left."""
        self._shown = {*names}
        for name, cell in self._cells.items():
            cell.setVisible(name in names)
        self._show_columns()

    def _show_columns(self) -> None:
        for names, place in self._columns.items():
            here = {name for name in names if not self.is_in_line(name)}
            place.setVisible(bool(here & self._shown))

    def show_more_button(self, shown: bool) -> None:
        self._more_cell.setVisible(shown)
        # A page that is open could not be closed without its button.
        if not shown:
            self.more_button.setChecked(False)

    def is_in_line(self, name: str) -> bool:
        return name in self.in_line or (name in LINE and name not in self._folded)

    def first_editor(self) -> QWidget:
        """The first editor on the page that is not hidden."""
        shown = [name for name in FIELDS if not self.is_in_line(name)]
        return self._editor(next(name for name in shown if not self._cells[name].isHidden()))

    def fold(self, width: int | None, unused: Collection[str]) -> None:
        """Leave in one row of this width what fits, and move the others onto the page; None: move
        none.

        unused: the settings that are not shown.
        """
        folded: tuple[str, ...] = ()
        if width is not None:
            room = width - self._more_cell.sizeHint().width()
            shown = [name for name in LINE if name not in unused]
            used = 0
            for position, name in enumerate(shown):
                used += theme().px(WIDTHS[name]) + self.line.spacing()
                if used > room:
                    folded = tuple(shown[position:])
                    break
        # Placing all settings anew takes long, and the width changes with each pixel of the window.
        if folded != self._folded:
            self._folded = folded
            self.place(self.in_line)

    def _editor(self, name: str) -> QWidget:
        return self._boxes[name][1] if name in self._boxes else self._fields[name].editor

    def _fit(self) -> None:
        """Give each setting the width of its place, and the height that its text needs."""
        text_height = self._more_cell.fontMetrics().height() + _AROUND_TEXT
        height = max(EDITOR_HEIGHT, text_height)
        line_height = max(LARGE_EDITOR_HEIGHT if theme().is_large else LINE_HEIGHT, text_height)
        for name, cell in self._cells.items():
            is_in_line = self.is_in_line(name)
            width = WIDTHS.get(name, IN_COLUMN) if is_in_line else IN_COLUMN
            self._editor(name).setMinimumSize(40, line_height if is_in_line else height)
            grows = is_in_line and name in self._boxes
            cell.fit(theme().px(width), grows=grows, beside=not is_in_line)
        for each in self._columns.values():
            each.setFixedWidth(theme().px(IN_COLUMN))
        self.more_button.setMinimumHeight(line_height)
        self._more_cell.updateGeometry()
        around = self.line.parentWidget()
        if around is not None:
            around.updateGeometry()
