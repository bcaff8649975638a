"""Changes of the network by the stage: each gives the text of another network, and can be undone."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from core.errors import InputError
from core.network.layers import KINDS, Layer
from core.network.network import Network
from core.network.notation import parse, parse_typed
from gui.text import sentence

MAX_UNDO = 50


class NetworkEdits(QObject):
    """`edited` gives the text of the changed network, `refused` one sentence on why a change cannot be made.

    The owner of the settings takes the text over and gives the network back by `set_network`.
    """

    edited = Signal(str)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.network: Network | None = None
        self.check: Callable[[Network], None] | None = None  # raises InputError for a network that cannot be
        self._undo: list[str] = []
        self._redo: list[str] = []

    def set_network(self, network: Network | None) -> None:
        self.network = network

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    def insert(self, at: int, layer: Layer | None = None) -> bool:
        """Insert `layer` before the one with index `at`; without one, a layer that suits the place."""
        layers = self._layers()
        return self._apply([*layers[:at], layer or self.suggested(at), *layers[at:]])

    def suggested(self, at: int) -> Layer:
        """What + adds at `at`: a layer like the nearest one with sums before it, or behind it, else the first kind."""
        layers = self._layers()
        for layer in [*reversed(layers[:at]), *layers[at:-1]]:
            if layer.has_activation() and not layer.takes_activation:
                return layer
        return KINDS[0]()

    def remove(self, index: int) -> bool:
        """Remove a layer; the last one stays."""
        layers = self._layers()
        if not 0 <= index < len(layers) - 1:
            return False
        return self._apply([*layers[:index], *layers[index + 1 :]])

    def move(self, index: int, to: int) -> bool:
        """Move the layer `index` so that it then has the index `to`; the last one stays the last."""
        layers = self._layers()
        last = len(layers) - 1
        if not (0 <= index < last and 0 <= to < last) or index == to:
            return False
        layer = layers.pop(index)
        return self._apply([*layers[:to], layer, *layers[to:]])

    def replace(self, index: int, layer: Layer) -> bool:
        """Put `layer` in the place of the one with this index."""
        layers = self._layers()
        return self._apply([*layers[:index], layer, *layers[index + 1 :]])

    def type_text(self, text: str) -> bool:
        """Make the network that a user has typed, in the short or the complete form."""
        if self.network is None:
            return False
        try:
            return self._change(parse_typed(text, self.network.input_shape, self.network.outputs))
        except InputError as error:
            self.refused.emit(sentence(error))
            return False

    def undo(self) -> None:
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        self._step(self._redo, self._undo)

    def _step(self, source: list[str], target: list[str]) -> None:
        if self.network is None or not source:
            return
        target.append(self.network.text)
        self._emit(source.pop())

    def _layers(self) -> list[Layer]:
        return list(self.network.layers) if self.network else []

    def _apply(self, layers: Sequence[Layer]) -> bool:
        """Make the network of these layers; return whether there is one."""
        before = self.network
        if before is None or not layers:
            return False
        text = "-".join(layer.text for layer in layers)
        try:
            return self._change(parse(text, before.input_shape, before.outputs))
        except InputError as error:
            self.refused.emit(sentence(error))
            return False

    def _change(self, changed: Network) -> bool:
        """Take over another network; return whether it is one. Raises InputError where it cannot be."""
        before = self.network
        if before is None or changed == before:
            return False
        if self.check is not None:
            self.check(changed)
        self._undo = [*self._undo, before.text][-MAX_UNDO:]
        self._redo.clear()
        self._emit(changed.text)
        return True

    def _emit(self, text: str) -> None:
        assert self.network
        self.network = parse(text, self.network.input_shape, self.network.outputs)
        self.edited.emit(text)
