"""The stage: what is drawn flows through the layers of the network and arrives as an answer."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QAccessibleInterface,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)

from core.network.network import Network
from gui.stage.accessible import install_accessibility, say_chosen
from gui.stage.captions import tip_text
from gui.stage.card import LayerCard
from gui.stage.editing import NetworkEdits
from gui.stage.gestures import Gestures
from gui.stage.view import StageView


class Stage(StageView):
    """Shows a model with an input, and is the editor of the settings' network.

    `layer_activated`: a layer was chosen (its index). `unit_activated`: a unit or map of it. `edited`: the text of the
    network after a change; `refused`: why a change cannot be made. `insert_requested`, `remove_requested`,
    `move_requested` tell the gestures behind a change.
    """

    layer_activated = Signal(int)
    unit_activated = Signal(int, int)
    insert_requested = Signal(int)
    remove_requested = Signal(int)
    move_requested = Signal(int, int)
    edited = Signal(str)
    refused = Signal(str)

    def __init__(self, *, moves: bool | None = None) -> None:
        super().__init__(moves=moves)
        self.accessible_item: QAccessibleInterface | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.default_activations: tuple[str, ...] = ()  # of the layers, where they have none of their own
        self.edits = NetworkEdits(self)
        self.edits.edited.connect(self._on_edited)
        self.edits.refused.connect(self.refused)
        self.gestures = Gestures(self)
        self.card = LayerCard(self)
        install_accessibility()

    def set_network(self, network: Network | None, default_activations: tuple[str, ...] = ()) -> None:
        """Show and edit this network, that of the settings; layers that the model does not have are dashed.

        default_activations: for each layer what it applies without an activation of its own.
        """
        self.default_activations = default_activations
        self.edits.set_network(network)
        super().set_network(network)

    # -- choosing -----------------------------------------------------------------------------------------

    @property
    def is_editable(self) -> bool:
        content = self.picture.content
        return (
            self.edits.network is not None and content is not None and content.network == self.edits.network
        )

    def choose(self, position: int, unit: int = -1) -> None:
        """Mark the column at `position`, -1 for none, and a unit or map of it."""
        content = self.picture.content
        if content is None or position >= len(content.columns):
            position = -1
        is_new = position != self.marks.layer
        self.marks = replace(self.marks, layer=position, unit=unit)
        if position >= 0 and content is not None:
            self._scroll_to(position)
            if is_new:
                self.layer_activated.emit(content.columns[position].layer)
            if unit >= 0:
                column = content.columns[position]
                self.unit_activated.emit(column.layer, column.shown[unit])
            say_chosen(self)
        self.gestures.show_plus()
        self.update()

    def scroll(self, steps: int) -> None:  # type: ignore[override]
        """Scroll the layers by so many."""
        layout = self.picture.layout
        if layout is None or not layout.scrolls:
            return
        nearest = min(range(len(layout.stops)), key=lambda k: abs(layout.stops[k] - self.picture.offset))
        at = min(max(nearest + steps, 0), len(layout.stops) - 1)
        self.picture.offset = layout.stops[at]
        self.update()

    def _scroll_to(self, position: int) -> None:
        layout = self.picture.layout
        if layout is None or not layout.scrolls:
            return
        area = layout.blocks[position].area
        while area.left() - self.picture.offset < layout.view.left() and self.picture.offset > 0:
            self.scroll(-1)
        while (
            area.right() - self.picture.offset > layout.view.right()
            and self.picture.offset < layout.stops[-1]
        ):
            self.scroll(1)

    def open_card(self) -> None:
        """Show the settings of the chosen layer below it."""
        content = self.picture.content
        layout = self.picture.layout
        if content is None or layout is None or self.marks.layer < 0 or not self.is_editable:
            return
        layer = content.columns[self.marks.layer].layer
        area = layout.blocks[self.marks.layer].area
        x = area.center().x() - self.picture.offset
        if self.marks.layer == len(layout.blocks) - 1:
            x = layout.answers.bar.center().x()
        assert self.edits.network is not None
        self.card.open_for(self.edits.network, layer, self.mapToGlobal(QPoint(x, layout.bottom + 8)))

    def _on_edited(self, text: str) -> None:
        super().set_network(self.edits.network)
        self.edited.emit(text)

    # -- events -------------------------------------------------------------------------------------------

    def tip_at(self, point: QPoint) -> str:
        position, unit = self.gestures.at(point)
        content = self.picture.content
        if content is None or position < 0:
            return self.gestures.tip_at(point)
        return tip_text(content, position, unit)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.gestures.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.gestures.release(event)

    def leaveEvent(self, event: object) -> None:
        self.gestures.leave()

    def wheelEvent(self, event: QWheelEvent) -> None:
        layout = self.picture.layout
        if layout is None or not layout.scrolls:
            event.ignore()
            return
        delta = event.angleDelta().x() or event.angleDelta().y()
        self.scroll(-1 if delta > 0 else 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.gestures.key(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_keys = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.marks = replace(self.marks, has_focus=by_keys)
        if by_keys and self.marks.layer < 0:
            self.choose(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.marks = replace(self.marks, has_focus=False)
        self.gestures.show_plus()
        self.update()

    def paint_controls(self, painter: QPainter) -> None:
        self.gestures.paint(painter)
