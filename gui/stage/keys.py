"""The keys of the stage: going through the layers and units, and changing the network."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from gui.stage.stage import Stage


class StageKeys:
    """Turns keys into choices and edits on `stage`."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it means something here."""
        with_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        key = Qt.Key(event.key())
        across = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key, 0)
        down = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key, 0)
        if across and with_alt:
            chosen = self._stage.marks.layer
            self._stage.layer_edits.move(chosen, chosen + across)
        elif across:
            self._go_across(across)
        elif down:
            self._go_down(down)
        else:
            return self._command(key)
        return True

    def _command(self, key: Qt.Key) -> bool:
        stage = self._stage
        chosen = stage.marks.layer
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            stage.layer_edits.remove()
        elif key in (Qt.Key.Key_Insert, Qt.Key.Key_Plus):
            last = len(stage.picture.content.columns) - 1 if stage.picture.content else 0
            stage.layer_edits.insert_before(min(chosen + 1, last))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen >= 0:
            stage.open_card()
        elif key == Qt.Key.Key_Escape and chosen >= 0:
            stage.choose(-1)
        else:
            return False
        return True

    def _go_across(self, step: int) -> None:
        stage = self._stage
        if stage.picture.content is None:
            return
        count = len(stage.picture.content.columns)
        if stage.marks.layer < 0:
            stage.choose(0)
        else:
            stage.choose(min(max(stage.marks.layer + step, 0), count - 1))

    def _go_down(self, step: int) -> None:
        stage = self._stage
        if stage.picture.content is None or stage.marks.layer < 0:
            self._go_across(1)
            return
        count = len(stage.picture.content.columns[stage.marks.layer].shown)
        if count:
            stage.choose(stage.marks.layer, min(max(stage.marks.unit + step, 0), count - 1))
