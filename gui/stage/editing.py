"""Changes of the network by the stage: each gives the text of another network, and can be undone."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from core.errors import InputError
from core.network.layers import KINDS, Layer
from core.network.network import Network
from core.network.notation import parse, parse_typed
from gui.stage.scene import StageScene
from gui.text import sentence

if TYPE_CHECKING:
    from gui.stage.stage import Stage

NETWORK_CHANGE = 1  # QUndoCommand.id of what changes the network


class NetworkEdits(QObject):
    """Changes the network of `scene`. `edited` gives its text, `refused` one sentence on why a change cannot be made.

    The owner of the settings takes the text over and gives the network back to the scene. Each change is a command on
    `undo_stack`, which may hold the changes of the drawing as well, so that Undo takes back what was done last.
    """

    edited = Signal(str)
    refused = Signal(str)

    def __init__(self, scene: StageScene, undo_stack: QUndoStack | None = None) -> None:
        super().__init__(scene)
        self._scene = scene
        self.undo_stack = undo_stack or QUndoStack(self)
        self.check: Callable[[Network], None] | None = None  # raises InputError for a network that cannot be

    def insert(self, at: int, layer: Layer | None = None) -> bool:
        """Insert `layer` before the one with index `at`; without one, a layer that suits the place."""
        layers = self._layers()
        return self._apply(self.tr("add layer"), [*layers[:at], layer or self.suggested(at), *layers[at:]])

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
        return self._apply(self.tr("remove layer"), [*layers[:index], *layers[index + 1 :]])

    def move(self, index: int, to: int) -> bool:
        """Move the layer `index` so that it then has the index `to`; the last one stays the last."""
        layers = self._layers()
        last = len(layers) - 1
        if not (0 <= index < last and 0 <= to < last) or index == to:
            return False
        layer = layers.pop(index)
        return self._apply(self.tr("move layer"), [*layers[:to], layer, *layers[to:]])

    def replace(self, index: int, layer: Layer) -> bool:
        """Put `layer` in the place of the one with this index."""
        layers = self._layers()
        return self._apply(self.tr("change layer"), [*layers[:index], layer, *layers[index + 1 :]])

    def type_text(self, text: str) -> bool:
        """Make the network that a user has typed, in the short or the complete form."""
        before = self._scene.network
        if before is None:
            return False
        try:
            return self._change(
                self.tr("change network"), parse_typed(text, before.input_shape, before.outputs)
            )
        except InputError as error:
            self.refused.emit(sentence(error))
            return False

    def show(self, text: str) -> None:
        """Make the network of this text again; where it does not fit the present data, say so."""
        network = self._scene.network
        if network is None:  # the stage shows another one than that of the settings
            self.edited.emit(text)
            return
        try:
            self._set(parse(text, network.input_shape, network.outputs))
        except InputError as error:
            self.refused.emit(sentence(error))

    def _layers(self) -> list[Layer]:
        network = self._scene.network
        return list(network.layers) if network else []

    def _apply(self, name: str, layers: Sequence[Layer]) -> bool:
        """Make the network of these layers; return whether there is one. `name`: of the change, for Undo."""
        before = self._scene.network
        if before is None or not layers:
            return False
        text = "-".join(layer.text for layer in layers)
        try:
            return self._change(name, parse(text, before.input_shape, before.outputs))
        except InputError as error:
            self.refused.emit(sentence(error))
            return False

    def _change(self, name: str, changed: Network) -> bool:
        """Take over another network; return whether it is one. Raises InputError where it cannot be."""
        before = self._scene.network
        if before is None or changed == before or self._scene.is_locked:
            return False
        if self.check is not None:
            self.check(changed)
        self.undo_stack.push(_NetworkChange(name, self, before.text, changed.text))
        return True

    def _set(self, network: Network) -> None:
        self._scene.set_network(network, self._scene.default_activations)
        self.edited.emit(network.text)


class _NetworkChange(QUndoCommand):
    """Replaces the network of the settings."""

    def __init__(self, name: str, edits: NetworkEdits, before: str, after: str) -> None:
        super().__init__(name)
        self._edits = edits
        self._before = before
        self._after = after

    def id(self) -> int:
        return NETWORK_CHANGE

    def redo(self) -> None:
        self._edits.show(self._after)

    def undo(self) -> None:
        self._edits.show(self._before)


class LayerEdits:
    """What a person does with the layers on `stage`: changes the network, and chooses the layer that was changed."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage

    def insert_before(self, position: int) -> None:
        """Insert a layer before the column at `position`, and show its settings."""
        stage = self._stage
        if stage.picture.content is None or not stage.is_editable:
            return
        layer = stage.picture.content.columns[position].layer
        if stage.edits.insert(layer):
            stage.choose(position)
            stage.open_card()

    def remove(self) -> None:
        """Remove the chosen layer."""
        stage = self._stage
        position = stage.marks.layer
        if position < 0 or stage.picture.content is None or not stage.is_editable:
            return
        layer = stage.picture.content.columns[position].layer
        if stage.edits.remove(layer):
            stage.choose(min(position, len(stage.picture.content.columns) - 1))

    def move(self, position: int, to: int) -> None:
        """Move the column at `position` so that it has the position `to`."""
        stage = self._stage
        if stage.picture.content is None or not stage.is_editable or to < 0:
            return
        if stage.edits.move(position, to):
            stage.choose(to)
        stage.update()
