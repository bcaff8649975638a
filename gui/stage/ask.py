"""The page of the band that says how a unit, map or answer of the stage gets its value."""

from collections.abc import Generator

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.attribution import gradient_times_input
from gui.background.task_runner import TaskControl, TaskRunner
from gui.stage.asked import Asked
from gui.stage.pieces import PiecesWidget
from gui.stage.stage import Stage
from gui.stage.sums import blocks_of, is_answer, sentence_of, sum_sentence, title_of
from gui.widgets import make
from gui.widgets.band import BandPage
from gui.widgets.basics import announce

_SHOWN_CLASSES = 10  # with which an answer can be compared by a click


class AskPage(BandPage):
    """Follows what is chosen on `stage` while it is shown.

    `build_asked`: add a layer like this one of the network that is shown to that of the settings.
    """

    build_asked = Signal(int)

    def __init__(self, stage: Stage) -> None:
        self.others = QWidget()
        self._buttons = make.row(owner=self.others, spacing=2)
        tip = ""
        self.build = make.button("", "askBuildButton", tip, self._ask_to_build)
        super().__init__("askPage", "", self.others, self.build)
        self.build.setText(self.tr("Build one like this"))
        self.build.setToolTip(self.tr("Add such a layer to your network, and choose its settings."))
        self.others.setMinimumHeight(self.build.sizeHint().height())  # so that nothing moves
        self._stage = stage
        self._classes: tuple[str, ...] = ()
        self._pixels: tuple[object, np.ndarray] | None = (
            None  # what they are of, and each one's part
        )
        self.terms = PiecesWidget("askTerms", self.tr("How it gets its value"))
        self.terms.asked.connect(self._follow)
        self.add_leaf(self.terms, self.tr("This drawing"), self.tr("Its value for this drawing."))
        self._worker = _PixelWorker(self)
        self._worker.records.connect(self._on_pixels)
        stage.asked.connect(self._speak)
        stage.chosen_changed.connect(self.refresh)
        stage.shown.connect(self.refresh)
        self.closed.connect(stage.leave)

    def refresh(self) -> None:
        """Show what is chosen now; close the page where nothing is."""
        asked = self._stage.picture.chosen
        if not self._stage.is_asked:
            return
        if asked is None:
            self.close_asked.emit()
            return
        self.show_title(title_of(asked), sentence_of(asked))
        self.setAccessibleDescription(f"{sentence_of(asked)} {sum_sentence(asked)}")
        self.build.setHidden(is_answer(asked) or asked.position == len(asked.content.columns) - 1)
        self._offer_others(asked)
        known = self._pixels is not None and self._pixels[0] == _key(asked)
        pixels = self._pixels[1] if known and self._pixels is not None else None
        self.terms.show_blocks(blocks_of(asked, pixels))
        shape = asked.content.network.input_shape
        sees_image = len(shape) == 3 and shape[2] == 1 and asked.value.layer > 0
        if is_answer(asked) and not known and asked.content.values and sees_image:
            self._worker.compute(asked)

    def _on_pixels(self, records: list[tuple[object, np.ndarray]]) -> None:
        asked = self._stage.picture.chosen
        self._pixels = records[-1]
        if asked is not None and self._pixels[0] == _key(asked):
            self.refresh()

    def _speak(self) -> None:
        announce(self, f"{self.accessibleName()}. {self.accessibleDescription()}")

    def _follow(self, target: object, row: int, column: int) -> None:
        """Go on to what was clicked on: a pixel of the map, or another unit or map."""
        picture = self._stage.picture
        if target == "place":
            self._stage.choose(picture.layer, picture.unit, (row, column))
        elif isinstance(target, tuple):
            self._stage.ask(*target)

    def _ask_to_build(self) -> None:
        asked = self._stage.picture.chosen
        if asked is not None:
            self.build_asked.emit(asked.value.layer)

    def _offer_others(self, asked: Asked) -> None:
        """Offer the classes with which an answer can be compared."""
        self.others.setVisible(is_answer(asked))
        if not is_answer(asked):
            return
        shown = asked.content.columns[-1].shown[:_SHOWN_CLASSES]
        names = tuple(asked.content.classes[unit] for unit in shown)
        if names != self._classes:
            self._classes = names
            while (item := self._buttons.takeAt(0)) is not None:
                if (widget := item.widget()) is not None:
                    widget.deleteLater()
            label = make.label(self.tr("Ask about"), role="muted", wraps=False)
            self._buttons.addWidget(label)
            for unit, name in zip(shown, names, strict=True):
                tip = make.tip_with_key(self.tr("Compare the answer with this one."), name)
                button = make.button(
                    name, f"askAbout{unit}", tip, lambda _, unit=unit: self._compare(unit),
                    kind=QToolButton,
                )  # fmt: skip
                button.setCheckable(True)
                button.setAutoRaise(True)
                self._buttons.addWidget(button)
        for button in self.others.findChildren(QToolButton):
            unit = int(button.objectName().removeprefix("askAbout"))
            button.setChecked(unit == asked.value.other)
            button.setEnabled(unit != asked.value.unit)

    def _compare(self, unit: int) -> None:
        self._stage.compare_with(unit)


def _key(asked: Asked) -> object:
    """What the parts of the pixels depend on."""
    return id(asked.content), asked.value.unit, asked.value.other


class _PixelWorker(TaskRunner):
    """Its records are (key, float32 (height, width)): how much each pixel speaks for an answer."""

    def __init__(self, parent: AskPage) -> None:
        super().__init__(parent, low_priority=True)
        self._engine: Engine | None = None

    def compute(self, asked: Asked) -> None:
        """Compute as soon as the running computation has ended."""

        def task(control: TaskControl) -> Generator[tuple[object, np.ndarray]]:
            engine = self._use(asked.content.model)
            weights = np.zeros(asked.content.network.outputs, np.float32)
            weights[asked.value.unit] = 1
            weights[asked.value.other] = -1
            yield _key(asked), gradient_times_input(engine, asked.content.values[0], weights)

        self.start_latest(task)

    def _use(self, model: Model) -> Engine:
        if self._engine is None:
            self._engine = Engine(model, threads=1)
        self._engine.use(model)
        return self._engine
