"""What the band shows until there is a curve: what to do first, and lessons to begin with."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from gui.text import count
from gui.widgets.basics import named
from gui.widgets.card import PictureCard
from gui.widgets.make import column, label, row

_SPACE = 32  # between the text and the cards


class Welcome(QWidget):
    """Shown until there is a curve. lesson_asked: open the lab at this path."""

    lesson_asked = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._first = QWidget()
        self._title = label("", "welcomeTitle", "heading")
        self._text = label("", "welcomeText", "muted")
        self.show_data(are_drawings=True)
        column(self._title, self._text, None, owner=self._first, spacing=12)
        heading = tr("Or begin with a lesson: you say what you expect, then it runs")
        self._cards = row(spacing=12)
        cards = column(label(heading, "lessonsTitle", "heading"), (self._cards, 1), spacing=12)
        row(self._first, (cards, 1), owner=self, spacing=_SPACE)
        # What one does in a lesson, and its minutes, by the name of its file.
        self.offers = {
            "01": (tr("Draw the curve that you expect, then see five real ones."), 15),
            "08": (tr("Small filters look for strokes at every place."), 20),
            "09": (tr("Draw digits of your own, and test it with them."), 20),
        }

    def show_data(self, *, are_drawings: bool) -> None:
        """Say what Train does with the chosen data. are_drawings: the network above reads what is
        drawn for them.
        """
        tr = self.tr
        if are_drawings:
            self._title.setText(tr("Try it, then train your own"))
            self._text.setText(
                tr(
                    "The network above has learned before: draw, and it reads. Train lets yours "
                    "learn, the one whose layers are the words below it. Its curve will grow here."
                )
            )
        else:
            self._title.setText(tr("Train it"))
            self._text.setText(
                tr("Train lets the network learn the chosen data. Its curve will grow here.")
            )

    def set_width(self, first: int, width: int) -> None:
        """The width of the text at the left in pixels: that of the result, which takes its place; 0
        hides it.

        width: of the page. The text is hidden as well where the cards beside it would be too
        narrow.
        """
        if width - first - _SPACE < self._cards.minimumSize().width():
            first = 0
        self._first.setVisible(first > 0)
        self._first.setFixedWidth(first)

    def show_lessons(self, lessons: Sequence[tuple[str, Path]]) -> None:
        """Offer those of these lessons, given by question and file, that are good to begin with."""
        tip = self.tr("Open this lesson: you say what you expect, then it runs.")
        for question, path in lessons:
            number = path.name.partition("-")[0]
            if number in self.offers:
                title = QCoreApplication.translate("Lesson", question)
                sentence, minutes = self.offers[number]
                time = self.tr("{n} minutes", None, minutes).format(n=count(minutes))
                card = PictureCard(f"lessons/{number}", title, f"{sentence} {time}.")
                named(card, f"lessonCard{number}", title, f"{sentence} {tip}")
                card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
                self._cards.addWidget(card, 1)
