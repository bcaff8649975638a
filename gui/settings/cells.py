"""Where the settings stand: in the line above the stage, in the drawer, or folded for experts."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QComboBox, QWidget

from core.training.run_settings import BY_NAME, SETTINGS
from gui.settings.fields import Cell, Field, field_label, label_of
from gui.widgets.basics import CaptionLabel, LinkButton, named
from gui.widgets.make import FlowLayout
from gui.widgets.theme import theme
from kernels.augmentation import AugmentationParams

# What the settings line shows, in this order; `data`, `preset`, `network` and `device` are no
# fields of the form.
LINE = ("data", "preset", "device", "activation", "learning_rate", "batch_size", "epochs")
# The drawer of all settings shows these, and folded below them those for experts.
DRAWER = ("loss", "optimizer", "momentum", "schedule")
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
EXPERTS = tuple(
    s.name for s in SETTINGS if s.name not in ("network", *LINE, *DRAWER, *AUGMENTATION)
)
FIELDS = tuple(name for name in (*LINE, *DRAWER, *EXPERTS) if name in BY_NAME)
# Pixels at a text size of 100 %: how wide a setting is in the line, and in the drawer.
WIDTHS = {
    "data": 152,
    "preset": 224,
    "activation": 104,
    "learning_rate": 92,
    "batch_size": 80,
    "epochs": 72,
    "device": 128,
}
IN_DRAWER = 132
EDITOR_HEIGHT = 32  # at the least
LARGE_EDITOR_HEIGHT = 40  # the same of the line in a large window
_AROUND_TEXT = 14


class SettingCells(QObject):
    """A caption with its editor for each setting, by name, in the places `line`, `drawer` and
    `experts`.

    `boxes`: the editors of settings that are no fields, with their captions. `more_button` opens
    `owner`, the drawer.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        boxes: Mapping[str, tuple[str, QComboBox]],
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self.in_line: tuple[str, ...] = ()  # what a lab asks for; without a lab LINE is shown
        self._folded: tuple[
            str, ...
        ] = ()  # settings of LINE that are in the drawer, because the line has no room
        self._boxes = boxes
        self._fields = fields
        self._cells: dict[str, Cell] = {}
        for name, (caption, box) in boxes.items():
            self._cells[name] = Cell(label_of(box, CaptionLabel(caption)), box)
        for name in FIELDS:
            letter = LETTERS.get(name, "")
            self._cells[name] = Cell(
                field_label(fields[name], letter, CaptionLabel), fields[name], self._phrase(name)
            )
        tip = self.tr(
            "Loss, optimizer, schedule, initial weights, regularization, when to stop, workers, "
            "seed."
        )
        self.more_button = named(LinkButton(self.tr("All settings"), owner), "moreButton", tip=tip)
        # As high as the fields, below an empty caption.
        self._more_cell = Cell(CaptionLabel(), self.more_button)
        self.line = FlowLayout(spacing=12)
        self.drawer = FlowLayout(spacing=12)
        self.experts = FlowLayout(spacing=12)
        theme().changed.connect(self._fit)

    def _phrase(self, name: str) -> str:
        """What a setting of the drawer means, in a few plain words; empty for those of the line and
        for experts.
        """
        phrases = {
            "loss": self.tr("how wrong an answer is"),
            "optimizer": self.tr("how a step is made"),
            "momentum": self.tr("how much of a step stays in the next"),
            "schedule": self.tr("how the learning rate changes"),
        }
        return phrases.get(name, "")

    def place(self, in_line: Sequence[str]) -> None:
        """Put these settings and those of LINE that are not folded into the line, and the others
        into the drawer.
        """
        self.in_line = tuple(in_line)
        for name, cell in self._cells.items():
            if self.is_in_line(name):
                self.line.addWidget(cell)
            elif name in DRAWER or name in LINE:
                self.drawer.addWidget(cell)
            else:
                self.experts.addWidget(cell)
        self.line.addWidget(self._more_cell)
        for place in (self.line, self.drawer, self.experts):
            editors = [
                self._editor(name) for name, cell in self._cells.items() if place.indexOf(cell) >= 0
            ]
            for first, second in pairwise(editors):
                QWidget.setTabOrder(first, second)
        self._fit()

    def show_settings(self, names: Collection[str]) -> None:
        """Show these settings and hide the others."""
        for name, cell in self._cells.items():
            cell.setVisible(name in names)

    def show_more_button(self, shown: bool) -> None:
        self._more_cell.setVisible(shown)
        if not shown:
            self.more_button.setChecked(False)

    def is_in_line(self, name: str) -> bool:
        return name in self.in_line or (name in LINE and name not in self._folded)

    def fold(self, width: int | None, unused: Collection[str]) -> None:
        """Leave in one row of this width what fits, and move the others into the drawer; None: move
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
        if folded != self._folded:
            self._folded = folded
            self.place(self.in_line)

    def _editor(self, name: str) -> QWidget:
        return self._boxes[name][1] if name in self._boxes else self._fields[name].editor

    def _fit(self) -> None:
        """Give each setting the width of its place, and the height that its text needs."""
        text_height = self._more_cell.fontMetrics().height() + _AROUND_TEXT
        height = max(EDITOR_HEIGHT, text_height)
        line_height = max(LARGE_EDITOR_HEIGHT, text_height) if theme().is_large else height
        for name, cell in self._cells.items():
            is_in_line = self.is_in_line(name)
            width = WIDTHS.get(name, IN_DRAWER) if is_in_line else IN_DRAWER
            self._editor(name).setMinimumHeight(line_height if is_in_line else height)
            cell.fit(theme().px(width), grows=is_in_line and name in self._boxes)
        self.more_button.setMinimumHeight(line_height)
        self._more_cell.updateGeometry()
        around = self.line.parentWidget()
        if around is not None:
            around.updateGeometry()
