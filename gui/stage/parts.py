"""The widgets on the stage: the canvas at the left, its tools, the choice of the network that
reads, the moment.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from gui.stage.colors import stage_colors
from gui.stage.layout import Frame, StageLayout
from gui.widgets import make
from gui.widgets.theme import theme


class StageParts(QObject):
    """Holds the widgets that are children of `stage`, and puts them in their places.

    `changed`: the stage has to be laid out again. `end_requested`: the user wants the end of the
    training instead of the moment that is shown.
    """

    changed = Signal()
    end_requested = Signal()

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self._stage = stage
        self._parts: dict[str, QWidget] = {}
        self._canvas_width = 1  # as a multiple of its height
        self._layout: StageLayout | None = None
        self.moment = QWidget(stage)
        self.moment_label = make.label(name="stageMoment", role="muted", wraps=False)
        tip = self.tr("Show the network as it is at the end of the training.")
        end = make.button(self.tr("To the end"), "stageEndButton", tip, self.end_requested)
        make.row(self.moment_label, end, owner=self.moment, spacing=8)
        self.moment.hide()
        self.legend = make.label(name="stageLegend", role="caption", wraps=False)
        self.legend.setParent(stage)

    def show_legend(self, *, errors: bool) -> None:
        """What the two colors of the connections mean, below the answer, where there is room."""
        colors = stage_colors(errors=errors)
        words = self.tr("speaks for"), self.tr("against")
        if errors:
            words = self.tr("too much"), self.tr("too little")
        texts = [
            f'<span style="color:{color.name()}">●</span> {text}'
            for color, text in zip((colors.positive, colors.negative), words, strict=True)
        ]
        self.legend.setText(" &nbsp;".join(texts))
        self.legend.adjustSize()
        if self._layout is not None:
            tools = self._layout.tools
            place = self._layout.answer.left(), tools.center().y() - self.legend.height() // 2
            has_room = self.legend.width() <= self._layout.answer.width() + 24
            self.legend.setVisible(has_room and self._layout.reader.bottom() < tools.bottom())
            self.legend.move(*place)

    def place(
        self,
        canvas: QWidget | None = None,
        tools: QWidget | None = None,
        reader: QWidget | None = None,
        yours: QWidget | None = None,
    ) -> None:
        """Take these widgets: at the left, below the canvas, below the answers, and below the
        columns.
        """
        self._parts = {}
        parts = {"canvas": canvas, "tools": tools, "reader": reader, "yours": yours}
        for name, part in parts.items():
            if part is not None:
                part.setParent(self._stage)
                part.show()
                self._parts[name] = part
        if self._layout is not None:
            self.arrange(self._layout)
        self.changed.emit()

    def set_canvas_width(self, width: int) -> None:
        """Make the canvas so many times as wide as it is high."""
        if width != self._canvas_width:
            self._canvas_width = width
            self.changed.emit()

    def show_moment(self, text: str) -> None:
        """Write that another moment of the training is shown, such as "epoch 2 of 4"; an empty text
        for now.
        """
        self.moment_label.setText(text)
        is_named_elsewhere = theme().presenting  # by the bar of presenter mode
        self.moment.setVisible(bool(text) and not is_named_elsewhere)
        self._place_moment()

    def frame(self, classes: Sequence[str]) -> Frame:
        """What the stage is laid out in, with answers of these names."""
        metrics = QFontMetrics(theme().font(bold=True))
        widest = max((metrics.horizontalAdvance(name) for name in classes), default=8)
        return Frame(
            self._stage.size(),
            theme().scale,
            self._stage.devicePixelRatioF(),
            self._canvas_width if "canvas" in self._parts else 0,
            widest,
            has_tools=not theme().presenting,
        )

    def arrange(self, layout: StageLayout) -> None:
        """Put the widgets in the places of this layout."""
        self._layout = layout
        places = {
            "canvas": layout.canvas,
            "tools": layout.tools,
            "reader": layout.reader,
            "yours": layout.yours,
        }
        for name, area in places.items():
            if name in self._parts:
                self._parts[name].setGeometry(area)
            if name in self._parts and name != "canvas":
                # In a window that is too low for all, the rows below the columns make way.
                self._parts[name].setVisible(area.bottom() <= self._stage.height())
        self._place_moment()

    def _place_moment(self) -> None:
        """Put the moment and its button below the columns, in the place of what can be changed."""
        if self._layout is None:
            return
        if "yours" in self._parts:
            has_room = self._layout.yours.bottom() <= self._stage.height()
            self._parts["yours"].setVisible(has_room and self.moment.isHidden())
        if not self.moment.isHidden():
            self.moment.adjustSize()
            left = self._layout.view.center().x() - self.moment.width() // 2
            self.moment.move(left, self._layout.bottom + 4)
