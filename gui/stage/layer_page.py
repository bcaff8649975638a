"""The page of the band with the settings of a layer of the network to train."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.network.network import Network
from gui.stage.captions import layer_caption, role_of
from gui.stage.yours import Yours
from gui.text import count
from gui.widgets import make
from gui.widgets.band import BandPage
from gui.widgets.layer_form import LayerForm
from gui.widgets.messages import set_message


class LayerPage(BandPage):
    """Shows a layer of `yours`, to be changed, what it costs, and `text`, the whole as text."""

    def __init__(self, yours: Yours, text: QWidget) -> None:
        super().__init__("layerPage", "")
        self._yours = yours
        self._layer = 0
        self.form = LayerForm()
        self.form.edited.connect(lambda layer: yours.edits.replace(self._layer, layer))
        self.problem = make.label(name="layerProblem", role="error")
        self.problem.hide()
        tip = self.tr("Move the layer to the left (Alt+Left on its chip).")
        self.left = make.button("‹", "layerLeftButton", tip, partial(self._move, -1))
        tip = self.tr("Move the layer to the right (Alt+Right on its chip).")
        self.right = make.button("›", "layerRightButton", tip, partial(self._move, 1))
        tip = self.tr("Remove the layer (Delete on its chip).")
        self.remove = make.button(self.tr("Remove"), "layerRemoveButton", tip, self._remove)
        self._layer_part = QWidget()
        make.column(
            self.form,
            self.problem,
            make.row(self.left, self.right, None, self.remove),
            None,
            owner=self._layer_part,
            spacing=8,
        )
        self.costs = make.label(name="layerCosts")
        stays = self.tr(
            "The picture above stays: it is the network that reads. Yours takes its place when you "
            "press Train."
        )
        told = make.label(stays, "layerStays", "muted")
        about = make.column(self.costs, told, None, spacing=8)
        content = QWidget()
        make.row((self._layer_part, 5), (about, 3), (text, 3), owner=content, spacing=40)
        self.add_leaf(content)
        yours.layer_asked.connect(self._choose)
        yours.edits.changed.connect(self._refresh)
        yours.edits.refused.connect(self._show_problem)
        self.closed.connect(lambda: yours.mark(-1))

    def _choose(self, layer: int) -> None:
        """Show the settings of this layer."""
        self._layer = layer
        set_message(self.problem, "")
        self._refresh()

    def _refresh(self) -> None:
        """Show the layer as it is now; without a network, its text alone."""
        edits = self._yours.edits
        network = edits.network
        if edits.is_locked:
            self.close_asked.emit()
        has_layers = network is not None and not edits.is_locked
        self._layer_part.setVisible(has_layers)
        self.costs.setVisible(has_layers)
        if network is None:
            self.show_title(self.tr("Your network"), self.tr("Its text is none of a network yet."))
            return
        last = len(network.layers) - 1
        self._layer = min(self._layer, last)
        set_message(self.problem, "")
        self.show_title(layer_caption(network, self._layer).text, self._sentence(network))
        defaults = edits.default_activations or network.hidden_activations("relu")
        default = defaults[min(self._layer, len(defaults) - 1)]
        self.form.show_layer(network.layers[self._layer], default, last=self._layer == last)
        self.left.setEnabled(0 < self._layer < last)
        self.right.setEnabled(self._layer < last - 1)
        self.remove.setEnabled(self._layer < last)
        amounts = (
            (self.tr("weights and biases"), network.parameters[self._layer], network.trained_count),
            (
                self.tr("multiplications of an image"),
                network.multiply_adds[self._layer],
                sum(network.multiply_adds),
            ),
        )
        lines = [f"<b>{self.tr('What it costs')}</b>"]
        for name, own, whole in amounts:
            text = self.tr("<b>{n}</b> of {all}").format(n=count(own), all=count(whole))
            lines.append(f"{name}: {text}")
        self.costs.setText("<br>".join(lines))
        if self.isVisible():
            self._yours.mark(self._layer)

    def _sentence(self, network: Network) -> str:
        """What the layer does, with its numbers."""
        layer = self._layer
        role = role_of(network, layer)
        shape = network.shapes[layer]
        if role == "filters":
            size = network.weight_shapes[layer]
            assert size is not None
            text = self.tr(
                "Each looks at {height} × {width} places of all {n} maps, everywhere with the "
                "same weights."
            )
            if shape[2] == 1:
                text = self.tr(
                    "Each looks at {height} × {width} places of the image, everywhere with the "
                    "same weights."
                )
            return text.format(height=size[0], width=size[1], n=shape[2])
        if role in ("units", "answers"):
            inputs = network.weight_shapes[layer]
            assert inputs is not None
            text = self.tr(
                "Each adds up all {n} numbers before it, with weights of its own.", None, inputs[0]
            )
            return text.format(n=count(inputs[0]))
        if role == "pooling":
            return self.tr("Only the largest number of each small square goes on.")
        if network.weight_shapes[layer] is None:
            return self.tr(
                "Leaves out random numbers while it learns, so that no unit relies on a few others."
            )
        return self.tr(
            "Brings each unit or map to mean 0 and variance 1, so that deep networks learn faster."
        )

    def _show_problem(self, text: str) -> None:
        """Show the layer as it was, and why it cannot be changed so."""
        if self.isVisible():
            self._refresh()
            set_message(self.problem, text)

    # -- what is done ------------------------------------------------------------------------------

    def _move(self, step: int, *_: object) -> None:
        layer = self._layer
        self._layer += step  # before `changed` shows the layer at its new place
        if not self._yours.edits.move(layer, layer + step):
            self._layer = layer

    def _remove(self) -> None:
        self._yours.edits.remove(self._layer)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._yours.mark(self._layer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)
