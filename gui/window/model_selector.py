"""Selects the network that classifies the drawing, and shows its name."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from core.errors import InputError
from core.inference.model_file import Model, bundled_model, reads_drawings
from core.network.initialization import initial_parameters
from core.reading import own_models
from core.runs.folder import RunFolder
from core.runs.library import last_model, last_run, model_title
from core.runs.plan import RunPlan
from gui.drawing.panel import DrawingPanel
from gui.settings.dataset_picker import DatasetPicker
from gui.stage.read_by import Reader
from gui.text import translator
from gui.widgets.plots.series import run_series
from gui.words import in_plain_words, network_words

_tr = translator("ModelSelector")

# Keys of models beside those of earlier runs, and of opened files, which are their paths.
RUN, OWN, BUILT_IN, UNTRAINED = "run", "own", "built-in", "untrained"
_NAMED = (BUILT_IN, RUN, OWN)
MAX_OTHERS = 6
# With a lower accuracy than this, the bundled model is used.
MIN_ACCURACY = 0.8
# A change of the settings mostly leaves the first weights as they are.
_first_weights = lru_cache(maxsize=1)(initial_parameters)


class ModelSelector:
    """The newest network that can classify drawings is used, unless the user chooses another below
    the answer.
    """

    def __init__(self, drawing: DrawingPanel) -> None:
        self._drawing = drawing
        self._models: dict[str, Model] = {}  # networks that classify drawings, by key
        self._titles: dict[str, str] = {}  # of earlier runs and opened files, by key
        self._series: dict[str, int] = {}  # of the colors of runs, by key
        self._runs = 0  # that have begun since the start
        self._key = BUILT_IN
        self._before_own = BUILT_IN  # the key before OWN
        self._is_chosen = False  # by the user
        # Of the replay at which the run's network is shown, in words; empty: its end.
        self._moment = ""
        self._newest: Model | None = None
        self._current: Model | None = None
        self._data_readable = True
        self._is_data_newer = False  # other data were chosen since a network was shown
        # Whether the network in training classifies drawings; None: no run.
        self._training: bool | None = None
        self._started = False
        drawing.read_by.chosen.connect(self.choose)

    def show(self, model: Model, key: str = RUN) -> None:
        """A new model: of the run (RUN), the built-in one (BUILT_IN), or that of an opened file
        (its path).
        """
        self._started = True
        self._newest = model
        self._is_data_newer = False
        self._moment = ""
        if key not in _NAMED:
            path = Path(key)
            self._titles[key] = in_plain_words([model_title(path)], [model.network.text])[0]
            if RunFolder(path.parent).holds_run:
                self._series[key] = run_series(path.parent.name)
        if reads_drawings(model.kind, model.network.input_shape):
            # Taken out first, so that it comes last: the dictionary's order says which are newest.
            self._models.pop(key, None)
            self._models[key] = model
            for old in [k for k in self._models if k not in _NAMED][:-MAX_OTHERS]:
                del self._models[old]
            # A snapshot of a run does not take the place of a network that a person has chosen.
            if not self._is_chosen or key != RUN:
                self._key = key
                self._is_chosen = False
        self._refresh()

    def show_moment(self, model: Model, moment: str) -> None:
        """The network of the run that reads drawings, as it was at an epoch of it."""
        self.show(model, self._key if self._key in self._titles else RUN)
        self._moment = moment
        self._refresh()

    def show_first(self) -> Model | None:
        """At the start, show the model of the last run if it is useful, else the bundled one;
        returns it.

        Returns None if neither can be read, or if a model is shown already.
        """
        if self._newest is not None:
            return None
        model = last_model()
        model = model if model and _is_useful(model) else bundled() or model
        if (run := last_run()) is not None:
            self._series[RUN] = run_series(run.path.name)
        if model:
            self.show(model, BUILT_IN if model is bundled() else RUN)
        self.show_own(newest_own_model())
        return model

    def current(self) -> tuple[Model | None, str]:
        """The network that reads drawings, and its name."""
        return self._current, self._title(self._key) if self._current else ""

    def name_of(self, model: Model) -> str:
        """The name of a network in a file, or of one that comes with the program; else its layers
        in words.
        """
        is_named = self._current is model and self._key != RUN
        return self._title(self._key) if is_named else network_words(model.network.text)

    def show_own(self, model: Model | None) -> None:
        """A network that has learned the user's digits reads drawings; None: nothing changes."""
        if model is None:
            return
        if self._key != OWN:
            self._before_own = self._key
        self.show(model, OWN)

    def undo_own(self) -> None:
        """The network that learned the user's digits last was deleted: the one before reads
        drawings.
        """
        self._models.pop(OWN, None)
        model = own_models.load_latest()
        if model is not None:
            self.show(model, OWN)
        elif self._key == OWN:
            self._key = self._before_own if self._load(self._before_own) else BUILT_IN
            self._newest = self._models.get(self._key)
            self._refresh()

    def remember(self) -> Callable[[], None]:
        """A function that lets the network read drawings again that reads them now."""
        models, titles, newest = {**self._models}, {**self._titles}, self._newest
        series = {**self._series}
        key, before_own, is_chosen = self._key, self._before_own, self._is_chosen

        def put_back() -> None:
            self._models, self._titles, self._newest = {**models}, {**titles}, newest
            self._series = {**series}
            self._key, self._before_own, self._is_chosen = key, before_own, is_chosen
            self._refresh()

        return put_back

    def show_untrained(
        self, plan: RunPlan | None, data: DatasetPicker, *, reads: bool = False
    ) -> None:
        """The network of the settings with its first weights, where it classifies drawings.

        reads: from now on it reads; else it takes the place of the one that was shown so before.
        """
        before = self._models.pop(UNTRAINED, None)
        if before is None and not reads:
            return
        if plan and plan.parsed and are_drawings(data):
            settings = plan.settings
            self._models[UNTRAINED] = Model(
                plan.parsed,
                settings.activation,
                settings.loss,
                data.kind(),
                data.classes(),
                _first_weights(plan.parsed, settings.initialization, settings.seed),
                run_settings=settings.as_dict(),
            )
        if reads:
            self._key = UNTRAINED
            self._is_chosen = True
        self._refresh()

    def set_data_readable(self, readable: bool) -> None:
        """Whether networks trained on the chosen data classify drawings."""
        self._is_data_newer = self._is_data_newer or readable != self._data_readable
        self._data_readable = readable
        self._refresh()

    def begin_run(self, series: int) -> None:
        """A run is prepared, whose curve has the color `series`; the run before stays among the
        networks.
        """
        before = self._models.pop(RUN, None)
        is_continued = self._series.get(RUN) == series  # runs that follow each other differ in it
        if before is not None and not is_continued:
            self._runs += 1
            key = f"run {self._runs}"
            self._models[key] = before
            self._titles[key] = network_words(before.network.text)
            if RUN in self._series:
                self._series[key] = self._series[RUN]
            if self._key == RUN:
                self._key = key
        self._series[RUN] = series
        self._refresh()

    def start_run(self, readable: bool) -> None:
        """A run starts; `readable`: whether its network will classify drawings. The network before
        reads until then.
        """
        if not readable:
            self._is_chosen = False
            self._training = False
            self._refresh()

    def show_snapshot(self, model: Model) -> None:
        """The network of a run, as it is now. Until the first one of a run the network before reads
        on.
        """
        if self._training is None:
            self._training = reads_drawings(model.kind, model.network.input_shape)
            if self._training:
                self._is_chosen = False
                self._models.pop(UNTRAINED, None)
        self.show(model)

    def end_run(self) -> None:
        self._training = None
        self._refresh()

    def _refresh(self) -> None:
        # No file is read while the window is being created.
        if not self._started:
            return
        reason = self._reason_for_none()
        if not reason:
            if self._key not in self._models and self._load(BUILT_IN):
                self._key = BUILT_IN
            model = self._models.get(self._key)
            # It is called at each snapshot and change of the settings: most leave the network as it
            # is.
            if model is not self._current:
                self._current = model
                self._drawing.set_model(model)
        self._drawing.disable(reason or None)
        other = self._newest if reason and not self._reads_newest() else None
        self._drawing.show_other_model(other)
        self._show_readers(other)

    def _show_readers(self, other: Model | None) -> None:
        """Offer the networks that can read, and the newest. other: what is shown in their place,
        since it reads no drawings.
        """
        others = [key for key in reversed(self._models) if key not in _NAMED]
        self._load(BUILT_IN)
        readers = [
            Reader(
                key,
                self._title(key),
                self._models.get(key),
                self._series.get(key),
                is_trained=key != UNTRAINED,
            )
            for key in (BUILT_IN, RUN, *others, OWN)
            if key in self._models or (key == RUN and not self._reads_newest())
        ]
        key = self._key if self._current else ""
        self._drawing.read_by.show_readers(readers, RUN if other else key)

    def _reads_newest(self) -> bool:
        """Whether the newest network reads drawings, or there is none."""
        model = self._newest
        return model is None or reads_drawings(model.kind, model.network.input_shape)

    def _reason_for_none(self) -> str:
        """Why no network classifies drawings now, or an empty text."""
        if self._is_chosen or self._training:
            return ""
        is_newest = self._newest is None or self._newest is self._models.get(self._key)
        if self._training is None and (
            self._data_readable or (is_newest and not self._is_data_newer)
        ):
            return ""
        if self._training is None and is_newest:
            return _tr("The chosen data are not drawn. Train, and see what is learned.")
        return _tr("The newest network cannot read drawings. To draw, choose another one.")

    def choose(self, key: str) -> None:
        """Use this model until a run starts or another model is opened; the newest one, which reads
        no drawings, is shown instead.
        """
        self._is_chosen = self._load(key)
        if self._is_chosen:
            self._key = key
        self._refresh()

    def _load(self, key: str) -> bool:
        """Load a model that can be loaded and is not; returns whether it is there now.

        The model of the last run is not loaded at the start if its accuracy is low.
        """
        if key in _NAMED and key not in self._models:
            model = bundled()
            if key != BUILT_IN:
                model = last_model() if key == RUN else own_models.load_latest()
            if model and reads_drawings(model.kind, model.network.input_shape):
                self._models[key] = model
        return key in self._models

    def _title(self, key: str) -> str:
        titles = {
            BUILT_IN: _tr("came with DigitLab"),
            OWN: _tr("Network with my digits"),
            UNTRAINED: _tr("Yours, untrained"),
            RUN: _tr("Network in training") if self._training else _tr("Last run"),
        }
        title = titles.get(key) or self._titles[key]
        is_shown = self._moment and key == self._key and key not in (BUILT_IN, OWN)
        return (
            _tr("{network}, {moment}").format(network=title, moment=self._moment)
            if is_shown
            else title
        )


def available_source(data: DatasetPicker) -> str:
    """The chosen data set, or an empty text where it is not available."""
    return data.source() if data.is_available() else ""


def are_drawings(data: DatasetPicker) -> bool:
    """Whether a network that is trained on the chosen data reads drawings."""
    return reads_drawings(data.kind(), data.shape()[0])


def newest_own_model() -> Model | None:
    """The model that learned the user's digits last, unless a run is newer."""
    path = own_models.latest()
    run = last_run()
    with suppress(OSError):
        if path is None or (run and run.model_path.stat().st_mtime > path.stat().st_mtime):
            return None
    return own_models.load_latest()


def _is_useful(model: Model) -> bool:
    """Whether a network for classes reached the minimum accuracy in its last complete epoch."""
    if model.kind != "classes":
        return True
    score = model.test_score
    if score is None and (run := last_run()):  # stopped within an epoch
        with suppress(InputError, OSError):
            score = next((row.test_score for row in reversed(run.read_history(sys.maxsize))), None)
    return score is not None and score >= MIN_ACCURACY


@cache
def bundled() -> Model | None:
    """The model that comes with the program; None if its file cannot be read."""
    try:
        return bundled_model()
    except (InputError, OSError):
        return None
