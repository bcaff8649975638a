"""Shows a model in all parts of the window that use one: the stage, Results and Inside."""

from pathlib import Path

from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model
from gui.drawing.panel import DrawingPanel
from gui.inside.tab import InsideTab
from gui.results.tab import ResultsTab
from gui.settings.dataset_picker import DatasetPicker
from gui.training.session import Session
from gui.window.model_selector import RUN, ModelSelector


def available_source(data: DatasetPicker) -> str:
    """The chosen data set, or an empty text where it is not available."""
    return data.source() if data.is_available() else ""


class ModelDisplay:
    """During a run Results keep its network, and a model that is opened meanwhile is not tested."""

    def __init__(
        self,
        session: Session,
        data: DatasetPicker,
        dataset_cache: DatasetCache,
        drawing: DrawingPanel,
        model_selector: ModelSelector,
        results: ResultsTab,
        inside: InsideTab,
    ) -> None:
        self._session = session
        self._data = data
        self._dataset_cache = dataset_cache
        self._drawing = drawing
        self._model_selector = model_selector
        self._results = results
        self._inside = inside

    def show_opened(self, model: Model, path: Path | None) -> None:
        """Show an opened model, and test it on the chosen data. `path`: its file; None: of the last run."""
        self._model_selector.show(model, str(path or RUN))
        if not self._session.active:
            self._results.show_model(model, self._dataset_cache, available_source(self._data))
        self._inside.show_model(model)

    def show_last(self, model: Model, source: str) -> None:
        """Show results and filters of the last run, which learned from the data `source`; another model may read."""
        available = self._data.has(source)
        self._results.show_model(model, self._dataset_cache, source if available else "")
        self._inside.show_model(model)

    def show_moment(self, model: Model, moment: str) -> None:
        """Show the network as it was at an epoch of its run; moment: that in words, empty for the end."""
        self._model_selector.show_moment(model, moment)
        self._drawing.stage.parts.show_moment(moment)
        self._results.show_moment(model)
        self._inside.show_model(model)
