"""The card of a layer: what it does and gives, and the settings of one of yours."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from core.network.network import Network
from gui.stage.captions import layer_words, role_of
from gui.stage.stage import Stage
from gui.stage.yours import Yours
from gui.text import about, count
from gui.widgets import make
from gui.widgets.basics import named
from gui.widgets.card import Card
from gui.widgets.layer_form import LayerForm
from gui.widgets.messages import set_message
from gui.widgets.theme import theme

_WIDTH = 344  # pixels at a text size of 100 %
_APART = 8


class LayerCard(Card):
    """Lies over the window beside what was asked for: a layer that `stage` shows, or one of
    `yours`, to be changed.

    Escape and a press elsewhere close it; the press does what it does without a card.
    """

    def __init__(self, stage: Stage, yours: Yours) -> None:
        content = QWidget()
        super().__init__(content, name="layerCard", floats=True)
        named(self, "layerCard", self.tr("The layer"))
        self._stage = stage
        self._yours = yours
        self._layer = -1
        self._is_yours = False  # whether the layer is one of yours, or one that is shown
        self.heading = make.label(name="layerCardTitle", role="heading")
        self.value = make.label(name="layerCardValue")
        self.words = make.label(name="layerCardWords", role="muted")
        self.costs = make.label(name="layerCardCosts", role="caption")
        self.form = LayerForm()
        self.form.edited.connect(lambda layer: yours.edits.replace(self._layer, layer))
        self.problem = make.label(name="layerCardProblem", role="error")
        self.problem.hide()
        tip = self.tr("Remove the layer (Delete)")
        self.remove = make.button(self.tr("Remove"), "layerRemoveButton", tip, self._remove)
        self.build = make.button("", "layerBuildButton", slot=self._build)
        below = make.row(None, self.remove, self.build)
        make.column(
            self.heading,
            self.value,
            self.words,
            self.form,
            self.costs,
            self.problem,
            below,
            owner=content,
            spacing=8,
        )
        self.setParent(stage)
        self.hide()
        stage.layer_asked.connect(self._open_shown)
        stage.shown.connect(self._refresh_shown)
        yours.layer_asked.connect(self._open_yours)
        yours.edits.changed.connect(self._refresh_yours)
        yours.edits.refused.connect(self._show_problem)

    # -- opening -----------------------------------------------------------------------------------

    def _open_yours(self, layer: int) -> None:
        """Show the settings of a layer of yours."""
        self._is_yours = True
        self._layer = layer
        self._refresh_yours()
        chip = self._yours.chips[layer]
        self._open_at(QRect(chip.mapToGlobal(QPoint()), chip.size()))
        self._yours.mark(layer)
        self.form.take_focus()

    def _open_shown(self) -> None:
        """Show what the chosen layer of the stage is, and what it gives."""
        self._is_yours = False
        self._fill_shown()
        self._open_at(self._stage.on_screen(self._stage.picture.chosen_area()))
        focus = self if self.build.isHidden() else self.build
        focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_at(self, anchor: QRect) -> None:
        """Show the card below `anchor`, a part of the screen, or above or beside it where there is
        no room.
        """
        window = self._stage.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.show()  # gives the labels their fonts, which their heights depend on
        self.raise_()
        anchor.moveTopLeft(window.mapFromGlobal(anchor.topLeft()))
        room = window.rect().adjusted(_APART, _APART, -_APART, -_APART)
        width = min(theme().px(_WIDTH), room.width())
        self.setFixedWidth(width)
        self.adjustSize()
        height = self.height()
        left = anchor.center().x() - width // 2
        top = anchor.bottom() + _APART
        if top + height > room.bottom():
            top = anchor.top() - _APART - height
        if top < room.top():
            left = anchor.right() + _APART
            if left + width > room.right():
                left = anchor.left() - _APART - width
            top = anchor.center().y() - height // 2
        left = max(min(left, room.right() - width), room.left())
        self.move(left, max(min(top, room.bottom() - height), room.top()))

    # -- what is shown -----------------------------------------------------------------------------

    def _refresh_yours(self) -> None:
        """Show the layer of yours as it is now."""
        network = self._yours.edits.network
        if not self._is_yours:
            return
        if network is None or self._yours.edits.is_locked or self._layer >= len(network.layers):
            self.hide()
            return
        self._show_layer(network)
        set_message(self.value, "")
        set_message(self.problem, "")
        last = len(network.layers) - 1
        defaults = self._yours.edits.default_activations or network.hidden_activations("relu")
        default = defaults[min(self._layer, len(defaults) - 1)]
        self.form.show_layer(network.layers[self._layer], default, last=self._layer == last)
        self.remove.setVisible(self._layer < last)
        self.build.hide()

    def _refresh_shown(self) -> None:
        if self.isVisible() and not self._is_yours:
            self._fill_shown()

    def _fill_shown(self) -> None:
        """Show the chosen layer of the stage, which may be another network by now."""
        content = self._stage.picture.content
        position = self._stage.picture.layer
        if content is None or position < 0:
            self.hide()
            return
        network = content.network
        self._layer = content.columns[position].layer
        self._show_layer(network)
        set_message(self.value, self._stage.picture.chosen_text())
        set_message(self.problem, "")
        self.form.show_layer(None)
        self.remove.hide()
        edits = self._yours.edits
        is_same = network == edits.network
        text = self.tr("Build one like this")
        tip = self.tr("Add such a layer to your network, which Train lets learn.")
        if is_same:
            text = self.tr("Change it")
            tip = self.tr("Change this layer in your network, which Train lets learn anew.")
        self.build.setText(text)
        self.build.setToolTip(tip)
        is_answer = self._layer == len(network.layers) - 1
        self.build.setVisible(
            edits.network is not None and not edits.is_locked and (is_same or not is_answer)
        )

    def _show_layer(self, network: Network) -> None:
        self.heading.setText(layer_words(network, self._layer))
        self.words.setText(self._sentence(network, self._layer))
        self.costs.setText(self._costs(network, self._layer))

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
                "Each looks at {height} × {width} places of all {n} maps, everywhere with the "
                "same weights: {weights}."
            )
            if shape[2] == 1:
                text = self.tr(
                    "Each looks at {height} × {width} places of the image, everywhere with the "
                    "same weights: {weights}."
                )
            return text.format(height=size[0], width=size[1], n=shape[2], weights=weights)
        if role in ("units", "answers"):
            inputs = network.weight_shapes[layer]
            assert inputs is not None
            text = self.tr(
                "Each adds up all {n} numbers before it, with weights of its own: {weights}.",
                None,
                inputs[0],
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

    def _show_problem(self, text: str) -> None:
        """Show the layer as it was, and why it cannot be changed so."""
        if self.isVisible() and self._is_yours:
            self._refresh_yours()
            set_message(self.problem, text)
            self.adjustSize()

    # -- what is done ------------------------------------------------------------------------------

    def _remove(self) -> None:
        self.hide()
        self._yours.remove(self._layer)

    def _build(self) -> None:
        """Go to the same layer of yours, or add one like it."""
        content = self._stage.picture.content
        assert content is not None
        self.hide()
        if content.network == self._yours.edits.network:
            self._open_yours(self._layer)
        else:
            self._yours.build(content.network.layers[self._layer])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Delete and not self.remove.isHidden():
            self._remove()
        elif key == Qt.Key.Key_Escape:
            self.hide()
            opener = self._yours.chips[self._layer] if self._is_yours else self._stage
            opener.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave the layer: with the keyboard one goes on from there."""
        super().hideEvent(event)
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._yours.mark(-1)
        by_keys = self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        if not self._is_yours and not by_keys:
            self._stage.choose(-1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the card by a press on another part of the window, which gets it as well."""
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(watched, QWidget)
            and watched.window() is self.window()
            and watched is not self
            and not self.isAncestorOf(watched)
        ):
            self.hide()
        return False
