"""The stage: what is drawn flows through the layers of the network and arrives as an answer."""

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QAccessibleInterface,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QUndoStack,
    QWheelEvent,
)

from gui.stage.accessible import install_accessibility, say_chosen
from gui.stage.captions import tip_text
from gui.stage.card import LayerCard
from gui.stage.controls import Controls
from gui.stage.editing import LayerEdits, NetworkEdits
from gui.stage.gestures import Gestures
from gui.stage.keys import StageKeys
from gui.stage.view import StageView


class Stage(StageView):
    """Shows a model with an input, and is the editor of the settings' network.

    `layer_activated`: a layer was chosen (its index). `unit_activated`: a unit or map of it. `edited`: the text of the
    network after a change; `refused`: why a change cannot be made.
    """

    layer_activated = Signal(int)
    unit_activated = Signal(int, int)
    edited = Signal(str)
    refused = Signal(str)

    def __init__(self, *, moves: bool | None = None, undo_stack: QUndoStack | None = None) -> None:
        super().__init__(moves=moves)
        self.accessible_item: QAccessibleInterface | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.edits = NetworkEdits(self.scene, undo_stack)
        self.edits.edited.connect(self.edited)
        self.edits.refused.connect(self.refused)
        self.layer_edits = LayerEdits(self)
        self.controls = Controls(self)
        self.gestures = Gestures(self)
        self.keys = StageKeys(self)
        self.card = LayerCard(self)
        install_accessibility()

    # -- choosing -----------------------------------------------------------------------------------------

    @property
    def is_editable(self) -> bool:
        """Whether the network of the settings is shown, and may be changed now."""
        content = self.picture.content
        network = self.scene.network
        if network is None or content is None or self.scene.is_locked:
            return False
        return content.network == network

    def choose(self, position: int, unit: int = -1) -> None:
        """Mark the column at `position`, -1 for none, and a unit or map of it."""
        content = self.picture.content
        if content is None or position >= len(content.columns):
            position = -1
        is_new = position != self.marks.layer
        self.marks = replace(self.marks, layer=position, unit=unit)
        if position >= 0 and content is not None:
            self.picture.scroll_to(position)
            if is_new:
                self.layer_activated.emit(content.columns[position].layer)
            if unit >= 0:
                column = content.columns[position]
                self.unit_activated.emit(column.layer, column.shown[unit])
            say_chosen(self)
        self.gestures.show_plus()
        self.update()

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
        assert self.scene.network is not None
        self.card.open_for(self.scene.network, layer, self.mapToGlobal(QPoint(x, layout.bottom + 8)))

    # -- events -------------------------------------------------------------------------------------------

    def tip_at(self, point: QPoint) -> str:
        position, unit = self.picture.at(point)
        content = self.picture.content
        if content is not None and position >= 0:
            return tip_text(content, position, unit)
        return self.tr("Add a layer here (Insert)") if self.controls.plus_at(point) >= 0 else ""

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
        self.picture.scroll(-1 if delta > 0 else 1)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
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
        self.controls.paint(painter)
