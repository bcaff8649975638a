"""The page of the band that says how a unit, map or answer of the stage gets its value."""

import time
from functools import partial

from PySide6.QtCore import QPointF, Signal

from gui.background.history import RunHistory
from gui.stage.asked import Asked
from gui.stage.general import (
    General,
    GeneralWorker,
    general_sentence,
    pixels_key,
    unit_key,
    write_general,
)
from gui.stage.sheet import SheetView
from gui.stage.stage import Stage
from gui.stage.sums import sentence_of, sum_sentence, title_of, write_value
from gui.widgets import make
from gui.widgets.band import BandPage
from gui.widgets.basics import announce

SEARCH_SECONDS = 5.0  # after which what excites a unit of a network that learns is searched again


class AskPage(BandPage):
    """Follows what is chosen on `stage` while it is shown.

    `build_asked`: add a layer like this one of the network that is shown to that of the settings.
    """

    build_asked = Signal(int)

    def __init__(self, stage: Stage, history: RunHistory) -> None:
        self.build = make.button("", "askBuildButton", "", self._ask_to_build)
        super().__init__("askPage", "", self.build)
        self.build.setText(self.tr("Build one like this"))
        self.build.setToolTip(self.tr("Add such a layer to your network, and choose its settings."))
        self._stage = stage
        self._pixels: General | None = None  # of the answer that was asked about last
        self._general: General | None = None  # of the unit that was asked about last
        self.terms = SheetView("askTerms", self.tr("How it gets its value"))
        self.terms.asked.connect(self._follow)
        self.add_leaf(self.terms, self.tr("This drawing"), self.tr("Its value for this drawing."))
        self.general = SheetView("askGeneral", self.tr("What it has learned"))
        tip = self.tr("What it has learned, and which test images excite it most.")
        self.add_leaf(self.general, self.tr("In general"), tip)
        self.leaves.currentChanged.connect(self.refresh)
        self._worker = GeneralWorker(history, self)
        self._worker.records.connect(self._on_records)
        self._explained: object = None  # the last answer that was asked for
        self._searched: object = None  # the last model and unit that were searched for
        self._searched_at = 0.0
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
        is_last = asked.position == len(asked.content.columns) - 1
        self.build.setHidden(asked.is_answer or is_last)
        self.leaves.setHidden(asked.is_answer)
        if asked.is_answer:
            self.leaves.setCurrentIndex(0)
        if self.leaves.currentIndex() == 0:
            self._show_terms(asked)
        else:
            self._show_general(asked)

    def _show_terms(self, asked: Asked) -> None:
        self.show_title(title_of(asked), sentence_of(asked))
        self.setAccessibleDescription(f"{sentence_of(asked)} {sum_sentence(asked)}")
        wanted = pixels_key(asked)
        pixels = None
        if self._pixels is not None and self._pixels.key == wanted:
            pixels = self._pixels.pixels
        self.terms.show_sheet(partial(write_value, asked, pixels))
        shape = asked.content.network.input_shape
        sees_image = len(shape) == 3 and shape[2] == 1 and bool(asked.content.values)
        is_new = pixels is None and wanted != self._explained
        if is_new and sees_image and asked.is_answer and asked.value.layer > 0:
            self._explained = wanted
            self._worker.explain(asked)

    def _show_general(self, asked: Asked) -> None:
        general = self._general
        if general is None or general.key != unit_key(asked):
            general = General(unit_key(asked))
        self.show_title(title_of(asked), general_sentence(asked, general))
        self.general.show_sheet(partial(write_general, asked, general))
        wanted = id(asked.content.model), unit_key(asked)
        soon = general is self._general and time.monotonic() - self._searched_at < SEARCH_SECONDS
        if self._searched != wanted and not soon:
            self._searched = wanted
            self._searched_at = time.monotonic()
            self._explained = None  # it takes the place of what waits
            self._worker.search(asked)

    def _on_records(self, records: list[General]) -> None:
        for record in records:
            if record.pixels is not None:
                self._pixels = record
            else:
                self._general = record
        self.refresh()

    def _speak(self) -> None:
        announce(self, f"{self.accessibleName()}. {self.accessibleDescription()}")

    def _follow(self, target: str, where: QPointF) -> None:
        """Go on to what was clicked on: a pixel of the map, or another unit or map."""
        stage = self._stage
        asked = stage.picture.chosen
        assert asked is not None
        if target == "place":
            place = asked.place_at(where.x(), where.y())
            stage.choose(asked.position, asked.index, place)
        elif target.startswith("other/"):
            stage.compare_with(int(target.removeprefix("other/")))
        else:
            position, index = target.split("/")
            stage.ask(int(position), int(index))

    def _ask_to_build(self) -> None:
        asked = self._stage.picture.chosen
        if asked is not None:
            self.build_asked.emit(asked.value.layer)
