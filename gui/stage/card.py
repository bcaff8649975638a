"""The card of a layer: its settings in a small window below it, with a tail."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygon,
    QPolygonF,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from core.network.layers import Layer
from core.network.network import Network
from core.training.run_settings import BY_NAME
from gui.stage.captions import layer_words, role_of
from gui.text import about, count, help_text
from gui.widgets import make
from gui.widgets.basics import named
from gui.widgets.layer_form import LayerForm
from gui.widgets.messages import set_message
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from gui.stage.stage import Stage

_WIDTH = 344  # pixels
_TAIL = 10
_BESIDE = 56  # pixels from the middle of a layer


class LayerCard(QWidget):
    """Changes one layer of the stage's network; a change is made at once, and the card follows it."""

    def __init__(self, stage: "Stage") -> None:
        super().__init__(stage, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, "layerCard", self.tr("Settings of the layer"))
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._stage = stage
        self._layer = -1
        self._tail = 0
        self.heading = make.label(name="layerCardTitle", role="heading")
        self.words = make.label(name="layerCardWords", role="muted")
        self.costs = make.label(name="layerCardCosts", role="caption")
        title = self.tr("The whole network as a text, for those who know it")
        self.text = make.edit("layerCardText", title, help_text(BY_NAME["network"]))
        self.text.returnPressed.connect(self._on_text)
        text_title = make.label(self.tr("As a text, for those who know it"), role="caption", wraps=False)
        self.total = make.label(name="layerCardTotal", role="caption", wraps=False)
        self.problem = make.label(name="layerCardProblem", role="error")
        self.problem.hide()
        self.form = LayerForm()
        self.form.edited.connect(self._on_edit)
        tip = self.tr("Move the layer towards the input (Alt+Left)")
        self.back = make.button("‹", "layerBackButton", tip, partial(self._move, -1), kind=QToolButton)
        tip = self.tr("Move the layer towards the answers (Alt+Right)")
        self.forth = make.button("›", "layerForthButton", tip, partial(self._move, 1), kind=QToolButton)
        tip = self.tr("Remove the layer (Delete)")
        self.remove = make.button(self.tr("Remove"), "layerRemoveButton", tip, self._remove)
        hint = make.label(self.tr("move, or drag it"), role="muted", wraps=False)
        below = make.row(self.back, self.forth, (hint, 1), self.remove, spacing=6)
        column = make.column(
            self.heading, self.words, self.form, self.costs, below, text_title, self.text, self.total, self.problem,
            owner=self, spacing=8,
        )  # fmt: skip
        column.setContentsMargins(16, _TAIL + 12, 16, 12)
        for button, title in ((self.back, self.tr("Move back")), (self.forth, self.tr("Move forth"))):
            button.setAccessibleName(title)
            button.setAutoRaise(True)
        stage.edits.edited.connect(self._refresh)
        stage.edits.refused.connect(self._show_problem)

    def open_for(self, network: Network, layer: int, tail: QPoint) -> None:
        """Show the layer with this index. tail: where the tail ends, on the screen."""
        self._show_layer(network, layer)
        self.setFixedWidth(theme().px(_WIDTH))
        self.adjustSize()
        screen = self._stage.screen().availableGeometry()
        left = min(max(tail.x() - self.width() // 2, screen.left()), screen.right() - self.width())
        top = tail.y()
        self._tail = tail.x() - left
        if top + self.height() > screen.bottom():  # beside the layer, without a tail
            left = tail.x() + _BESIDE
            if left + self.width() > screen.right():
                left = max(tail.x() - _BESIDE - self.width(), screen.left())
            top = max(screen.bottom() - self.height(), screen.top())
            self._tail = -1
        self.move(left, top)
        _cut_out(self, self._tail)
        self.show()
        self.form.take_focus()

    def _show_layer(self, network: Network, layer: int) -> None:
        self._layer = layer
        kind = network.layers[layer]
        last = len(network.layers) - 1
        self.heading.setText(layer_words(network, layer))
        self.words.setText(self._sentence(network, layer))
        set_message(self.problem, "")
        defaults = self._stage.scene.default_activations or network.hidden_activations("relu")
        self.form.show_layer(kind, defaults[min(layer, len(defaults) - 1)], last=layer == last)
        self.costs.setText(self._costs(network, layer))
        self.text.setText(network.text)
        trained = network.trained_count
        self.total.setText(self.tr("{n} weights in all", None, trained).format(n=count(trained)))
        self.back.setEnabled(0 < layer < last)
        self.forth.setEnabled(layer < last - 1)
        self.remove.setEnabled(layer < last)

    def _sentence(self, network: Network, layer: int) -> str:
        """What the layer does, with its numbers."""
        own = network.parameters[layer]
        weights = self.tr("{n} weights", None, own).format(n=count(own))
        role = role_of(network, layer)
        shape = network.shapes[layer]
        if role == "filters":
            size = network.weight_shapes[layer]
            assert size is not None
            text = self.tr(
                "Each looks at {height} × {width} places of all {n} maps, everywhere with the same weights: {weights}."
            )
            if shape[2] == 1:
                text = self.tr(
                    "Each looks at {height} × {width} places of the image, everywhere with the same weights: {weights}."
                )
            return text.format(height=size[0], width=size[1], n=shape[2], weights=weights)
        if role in ("units", "answers"):
            inputs = network.weight_shapes[layer]
            assert inputs is not None
            text = self.tr(
                "Each adds up all {n} numbers before it, with weights of its own: {weights}.", None, inputs[0]
            )
            return text.format(n=count(inputs[0]), weights=weights)
        if role == "pooling":
            return self.tr("Only the largest number of each small square goes on.")
        if network.weight_shapes[layer] is None:
            return self.tr(
                "Leaves out random numbers while it learns, so that no unit relies on a few others."
            )
        return self.tr(
            "Brings each unit or map to mean 0 and variance 1, so that deep networks learn faster."
        )

    def _costs(self, network: Network, layer: int) -> str:
        """What the layer gives, and what that costs."""
        shape = " × ".join(count(n) for n in network.shapes[layer + 1])
        text = self.tr("Gives {shape} numbers, by {n} multiply-adds for one image.")
        return text.format(shape=shape, n=about(network.multiply_adds[layer]))

    def _on_text(self) -> None:
        set_message(self.problem, "")
        if self._stage.edits.type_text(self.text.text()):
            self.hide()

    def _refresh(self, text: str) -> None:
        network = self._stage.scene.network
        if self.isVisible() and network is not None and self._layer < len(network.layers):
            self._show_layer(network, self._layer)

    def _show_problem(self, text: str) -> None:
        if not self.isVisible() or self._stage.scene.network is None:
            return
        typed = self.text.text()
        self._show_layer(self._stage.scene.network, self._layer)
        if self.text.hasFocus():
            self.text.setText(typed)  # to be corrected
        set_message(self.problem, text)
        self.adjustSize()

    def _on_edit(self, layer: Layer) -> None:
        self._stage.edits.replace(self._layer, layer)

    def _move(self, step: int) -> None:
        self.hide()
        self._stage.layer_edits.move(self._layer, self._layer + step)
        self._stage.open_card()

    def _remove(self) -> None:
        self.hide()
        self._stage.layer_edits.remove()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.remove.isEnabled():
            self._remove()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        _cut_out(self, self._tail)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A rounded sheet with a tail at its upper edge."""
        colors = theme().colors
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.setBrush(QColor(colors.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, _TAIL + 0.5, -0.5, -0.5), 8, 8)
            if self._tail < 0:
                return
            tail = [QPointF(self._tail + x, y) for x, y in ((-9, _TAIL + 0.5), (0, 1), (9, _TAIL + 0.5))]
            painter.drawPolyline(QPolygonF(tail))
            painter.setPen(Qt.PenStyle.NoPen)
            tail = [QPointF(self._tail + x, y) for x, y in ((-8, _TAIL + 1.5), (0, 2), (8, _TAIL + 1.5))]
            painter.drawPolygon(QPolygonF(tail))


def _cut_out(card: QWidget, tail: int) -> None:
    """Give the window the shape of its sheet and tail: on X11 without a compositor all beside it is black.

    tail: where it is, in pixels from the left; below 0 there is none.
    """
    if QGuiApplication.platformName() != "xcb":
        return
    sheet = QPainterPath()
    sheet.addRoundedRect(QRectF(card.rect()).adjusted(0, _TAIL, 0, 0), 8, 8)
    shape = QRegion(sheet.toFillPolygon().toPolygon())
    if tail >= 0:
        corners = [QPoint(tail + x, y) for x, y in ((-10, _TAIL + 1), (0, 0), (11, _TAIL + 1))]
        shape = shape.united(QRegion(QPolygon(corners)))
    card.setMask(shape)
