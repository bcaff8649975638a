"""The network of the settings, below the picture of the one that reads: its layers as words, which
can be changed.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QUndoCommand,
    QUndoStack,
)
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from core.errors import InputError
from core.network.layers import KINDS, Layer
from core.network.network import Network
from core.network.notation import parse
from gui.stage.captions import layer_caption, layer_words
from gui.text import sentence
from gui.widgets import make
from gui.widgets.basics import ENTER_KEYS, lay_out_now, named, scroll_area, see_through
from gui.widgets.dialogs import TextLink
from gui.widgets.theme import theme

_BETWEEN = " · "  # two layers in words
NETWORK_CHANGE = 1  # QUndoCommand.id of what changes the network


class NetworkEdits(QObject):
    """Changes `network`. `edited` gives its text, `refused` one sentence on why a change cannot be
    made.

    `changed`: another network, or it can be changed now or no longer. The owner of the settings
    takes the text over and gives the network back. Each change is a command on `undo_stack`, which
    may hold the changes of the drawing as well, so that Undo takes back what was done last.
    """

    edited = Signal(str)
    refused = Signal(str)
    changed = Signal()

    def __init__(self, undo_stack: QUndoStack, parent: QObject) -> None:
        super().__init__(parent)
        self.undo_stack = undo_stack
        self.network: Network | None = None
        self.default_activations: tuple[str, ...] = ()  # of layers that have none of their own
        self.is_locked = False  # whether it cannot be changed now
        # Raises InputError for a network that cannot be.
        self.check: Callable[[Network], None] | None = None

    def show_network(
        self,
        network: Network | None,
        default_activations: tuple[str, ...] = (),
        *,
        locked: bool = False,
    ) -> None:
        """Change this network from now on; None: there is none.

        default_activations: for each layer what it applies without an activation of its own.
        """
        is_other = (network, locked) != (self.network, self.is_locked)
        self.network = network
        self.default_activations = default_activations
        self.is_locked = locked
        if is_other:
            self.changed.emit()

    def insert(self, at: int, layer: Layer | None = None) -> bool:
        """Insert `layer` before the one with index `at`; without one, a layer that suits the
        place.
        """
        layers = self._layers()
        return self._apply(
            self.tr("add layer"), [*layers[:at], layer or self.suggested(at), *layers[at:]]
        )

    def suggested(self, at: int) -> Layer:
        """What + adds at `at`: a layer like the nearest one with sums before it, or behind it, else
        the first kind.
        """
        layers = self._layers()
        for layer in [*reversed(layers[:at]), *layers[at:-1]]:
            if layer.has_activation() and not layer.takes_activation:
                return layer
        return KINDS[0]()

    def place_for(self, layer: Layer) -> int:
        """Where to insert `layer`: behind the last one of its kind, else the last place that it
        fits into.
        """
        layers = self._layers()
        last = len(layers) - 1
        same = [index for index in range(last) if type(layers[index]) is type(layer)]
        for at in (*same[-1:], *range(last - 1, -2, -1)):
            try:
                self._parsed([*layers[: at + 1], layer, *layers[at + 1 :]])
            except InputError:
                continue
            return at + 1
        return last

    def remove(self, index: int) -> bool:
        """Remove a layer; the last one stays."""
        layers = self._layers()
        if not 0 <= index < len(layers) - 1:
            return False
        return self._apply(self.tr("remove layer"), [*layers[:index], *layers[index + 1 :]])

    def move(self, index: int, to: int) -> bool:
        """Move the layer `index` so that it then has the index `to`; the last one stays the
        last.
        """
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

    def show_text(self, text: str) -> None:
        """Make the network of this text again; where it does not fit the present data, say so."""
        if self.network is None:  # the text in the settings is none of a network now
            self.edited.emit(text)
            return
        try:
            self.network = parse(text, self.network.input_shape, self.network.outputs)
        except InputError as error:
            self.refused.emit(sentence(error))
            return
        self.edited.emit(text)
        self.changed.emit()

    def _layers(self) -> list[Layer]:
        return list(self.network.layers) if self.network else []

    def _parsed(self, layers: Sequence[Layer]) -> Network:
        """The network of these layers. Raises InputError where there is none."""
        assert self.network is not None
        changed = parse(
            "-".join(layer.text for layer in layers), self.network.input_shape, self.network.outputs
        )
        if self.check is not None:
            self.check(changed)
        return changed

    def _apply(self, name: str, layers: Sequence[Layer]) -> bool:
        """Make the network of these layers; return whether it is another. `name`: of the change,
        for Undo.
        """
        if self.network is None or self.is_locked:
            return False
        before = self.network.text
        try:
            after = self._parsed(layers).text
        except InputError as error:
            self.refused.emit(sentence(error))
            return False
        if after == before:
            return False
        self.undo_stack.push(_NetworkChange(name, self, before, after))
        return True


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
        self._edits.show_text(self._after)

    def undo(self) -> None:
        self._edits.show_text(self._before)


class LayerChip(QToolButton):
    """A layer in words. `dropped`: it was dragged, and is now where the pointer has left it.
    `pushed`: it is to be moved by so many places.
    """

    dropped = Signal()
    pushed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)  # while its settings are open
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._from = QPoint()
        self._is_dragged = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # In pixels of the screen: those of the chip move with it.
        self._from = event.globalPosition().toPoint() - self.pos()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = (event.globalPosition().toPoint() - self._from).x()
        is_far = abs(x - self.x()) >= QApplication.startDragDistance()
        if self._is_dragged or (self.isDown() and is_far):
            self._is_dragged = True
            self.raise_()
            self.move(x, self.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_dragged = self._is_dragged
        self._is_dragged = False
        # Not pressed any more, it is not clicked by its release.
        if was_dragged:
            self.setDown(False)
        super().mouseReleaseEvent(event)
        if was_dragged:
            self.dropped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.pushed.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class _Words(QToolButton):
    """The layers in words as one control, above a dashed line: they can be changed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        line = self.rect().adjusted(6, 0, -6, -1)
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(theme().colors.muted), 1, Qt.PenStyle.DashLine))
            painter.drawLine(line.bottomLeft(), line.bottomRight())


class Yours(QWidget):
    """Shows the network of `edits`, which Train lets learn, and changes it by mouse and keys.

    Until the pointer or the focus is on it, or the settings of a layer are open, its words are one
    control. `layer_asked`: the settings of the layer with this index are wanted; `text_asked`: the
    network as text; `read_asked`: it is to read, as it is now.
    """

    layer_asked = Signal(int)
    text_asked = Signal()
    read_asked = Signal()

    def __init__(self, undo_stack: QUndoStack | None = None) -> None:
        super().__init__()
        named(self, "yours", self.tr("Network to train next, not the one that reads"))
        self.edits = NetworkEdits(undo_stack or QUndoStack(self), self)
        self.edits.changed.connect(self._show)
        self.chips: list[LayerChip] = []
        self.plus: list[QToolButton] = []  # before each chip
        tip = self.tr(
            "The network of the settings. Train lets it learn; then it takes the place of the "
            "picture."
        )
        title = make.label(self.tr("Yours"), "yoursTitle", "heading", wraps=False)
        self._state = make.label(name="yoursState", role="caption", wraps=False)
        self._words = make.button("", "yoursWords", tip, self._unfold, kind=_Words)
        tip = self.tr("Let this network read; before it is trained, with its first weights.")
        self._look = make.button("", "yoursLook", tip, self.read_asked, kind=TextLink)
        tip = self.tr("Write the network as text.")
        self._as_text = make.button(
            self.tr("text"), "yoursText", tip, self.text_asked, kind=QToolButton
        )
        for part in (self._words, self._as_text):
            part.setAutoRaise(True)
            part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        inner = QWidget()
        self._line = make.row(self._as_text, None, owner=inner, spacing=0)
        self._area = scroll_area(inner)
        self._area.setMinimumSize(0, 0)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        see_through(self._area)
        self._parts = QWidget()
        make.row(
            make.column(None, title, self._state, self._look, None, spacing=0),
            self._words,
            # All the room, but what is behind it keeps the words at the left while it is hidden.
            (self._area, 100),
            None,
            owner=self._parts,
            spacing=8,
        )
        make.column(self._parts, owner=self, spacing=0)
        self._parts.hide()
        self._area.hide()
        self.show_state("")
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._fold)
        theme().changed.connect(self._show)

    def show_state(self, result: str, *, can_read: bool = False) -> None:
        """Say what the network has reached; an empty text: it is not trained yet. can_read: it
        classifies drawings.
        """
        self._can_read = can_read
        text = self.tr("not trained yet")
        if result:
            text = self.tr("trained, {result}").format(result=result)
        self._state.setText(text)
        self._look.setText(text if result else self.tr("untrained: look"))
        self._fold()

    def build(self, layer: Layer) -> None:
        """Insert a layer like this one, and show its settings."""
        self.insert(self.edits.place_for(layer), layer)

    def insert(self, at: int, layer: Layer | None = None) -> None:
        """Insert a layer before that with the index `at`, and show its settings."""
        if self.edits.insert(at, layer):
            self._unfold()  # what is hidden takes no focus
            self.chips[at].setFocus(Qt.FocusReason.TabFocusReason)
            self.layer_asked.emit(at)

    def remove(self, index: int) -> None:
        if self.edits.remove(index):
            self.chips[index].setFocus(Qt.FocusReason.TabFocusReason)

    def mark(self, index: int) -> None:
        """Mark the chip of the layer whose settings are open; -1 for none."""
        for position, chip in enumerate(self.chips):
            chip.setChecked(position == index)
        if index >= 0:
            self._unfold()

    def _unfold(self) -> None:
        self._words.hide()
        self._area.show()
        self._state.setHidden(self._can_read)
        self._look.setVisible(self._can_read)

    def _fold(self) -> None:
        """Show one line of words, unless something of it is used."""
        if self._words.hasFocus():  # which goes on to the first part of the line
            self._unfold()
            (self._look if self._can_read else self._as_text).setFocus()
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        if self.underMouse() or has_focus or any(chip.isChecked() for chip in self.chips):
            self._unfold()
        else:
            self._area.hide()
            self._look.hide()
            self._state.show()
            self._words.show()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self._fold()
        elif event.type() == QEvent.Type.Resize:
            self._write_chips()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On a layer, Return opens its settings, Insert adds one behind it, Delete removes it."""
        key = event.key()
        index = next((at for at, chip in enumerate(self.chips) if chip.hasFocus()), -1)
        if index < 0:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove(index)
        elif key in (Qt.Key.Key_Insert, Qt.Key.Key_Plus):
            self.insert(min(index + 1, len(self.chips) - 1))
        elif key in ENTER_KEYS:
            self.layer_asked.emit(index)
        else:
            super().keyPressEvent(event)

    def _move(self, index: int, to: int) -> None:
        """Move a layer, whose page stays open; a chip that cannot be moved returns."""
        is_open = self.chips[index].isChecked()
        if self.edits.move(index, to):
            self.chips[to].setFocus(Qt.FocusReason.TabFocusReason)
            if is_open:
                self.layer_asked.emit(to)
        else:
            # The layout puts the chip back, which was moved past it.
            self._line.invalidate()

    def _drop(self, index: int) -> None:
        """The layer goes to where its chip was dropped among the others."""
        center = self.chips[index].geometry().center().x()
        others = [chip for chip in self.chips[:-1] if chip is not self.chips[index]]
        self._move(index, sum(chip.geometry().center().x() < center for chip in others))

    # -- chips -------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the layers of the network; none while it cannot be changed, and in presenter
        mode.
        """
        network = self.edits.network
        is_shown = not self.edits.is_locked and not theme().presenting
        count = len(network.layers) if network else 0
        while len(self.chips) < count:
            self._add_chip()
        while len(self.chips) > count:
            for part in (self.plus.pop(), self.chips.pop()):
                self._line.removeWidget(part)
                # At once: it is deleted when the event loop comes to it.
                part.hide()
                part.deleteLater()
        self._parts.setVisible(is_shown)
        self._write_chips()

    def _add_chip(self) -> None:
        index = len(self.chips)
        tip = self.tr("Add a layer here (Insert, on the layer before)")
        plus = make.button("+", "layerPlus", tip, lambda: self.insert(index), kind=QToolButton)
        plus.setAccessibleName(self.tr("Add a layer"))
        # The key Insert on a chip does the same: Tab would stop twice for each layer.
        plus.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plus.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        ask = partial(self.layer_asked.emit, index)
        chip = make.button("", "layerChip", "", make.ignoring_arguments(ask), kind=LayerChip)
        chip.dropped.connect(lambda: self._drop(index))
        chip.pushed.connect(lambda step: self._move(index, index + step))
        for place, part in enumerate((plus, chip)):
            part.setAutoRaise(True)
            self._line.insertWidget(2 * index + place, part)
        QWidget.setTabOrder(self.chips[-1] if self.chips else self._as_text, chip)
        self.plus.append(plus)
        self.chips.append(chip)

    def _write_chips(self) -> None:
        """Write the words of the layers, or their numbers alone where the words do not fit."""
        network = self.edits.network
        if network is None:
            return
        captions = [layer_caption(network, layer) for layer in range(len(self.chips))]
        self._words.setText(_BETWEEN.join(words.text for words in captions))
        self._words.setAccessibleName(f"{self.accessibleName()}: {self._words.text()}")
        for is_short in (False, True):
            for chip, words in zip(self.chips, captions, strict=True):
                chip.setText((is_short and words.short) or words.text)
            needed = sum(part.sizeHint().width() for part in (*self.chips, *self.plus))
            if needed <= self.width() - max(self._area.x(), self._words.x()):
                break
        for layer, chip in enumerate(self.chips):
            name = layer_words(network, layer)
            chip.setAccessibleName(name)
            tip = self.tr("{layer}: click for its settings (Enter).").format(layer=name)
            if layer < len(self.chips) - 1:
                more = self.tr("Drag it to another place (Alt+Left, Alt+Right); Delete removes it.")
                tip = f"{tip}\n{more}"
            chip.setToolTip(tip)
        lay_out_now()
