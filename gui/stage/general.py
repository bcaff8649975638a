"""What the band shows of a unit or map in general: how it was learned, and what excites it."""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject

from core.inference.engine import Engine
from core.inspection.units import (
    Excitement,
    area_seen,
    ascend,
    excitement,
    filter_images,
    pixel_parts,
)
from core.network.layers.layer import Area
from core.network.parameters import views
from gui.background.history import Inspected, RunHistory, moments_of
from gui.background.task_runner import TaskControl
from gui.stage.asked import SHOWN_SOURCES, Asked
from gui.stage.colors import ink_colors, largest, weight_colors
from gui.stage.sheet import Sheet, muted, sign_color, small, value_text, written
from gui.stage.worker import EngineRunner
from gui.text import count, percent, translator
from gui.widgets.theme import theme

_tr = translator("Ask")

_EXAMPLES = 10  # test images that are shown
_MOMENTS = 3  # of a run: the first, one after the first epoch, the last
_SIDE = 56


@dataclass(frozen=True, slots=True)
class General:
    """`key`: what it is of. `pixels`: float (height, width), how much each pixel speaks for an
    answer. `moments`: name and weights of the unit. `made`: an input made to excite
    it; `found`: the test images that do. `images`: these, float (n, height, width); `seen`: where
    on each of them. `means`: float (classes,), how strong it is by class, over `searched` images.
    """

    key: object
    pixels: np.ndarray | None = None
    moments: tuple[tuple[str, np.ndarray], ...] = ()
    made: np.ndarray | None = None
    found: Excitement | None = None
    images: np.ndarray | None = None
    seen: tuple[Area, ...] = ()
    means: np.ndarray | None = None
    searched: int = 0
    has_data: bool = True


def pixels_key(asked: Asked) -> object:
    """What the parts of the pixels depend on."""
    return asked.content, asked.value.unit, asked.value.other


def unit_key(asked: Asked) -> object:
    """What is shown in general depends on this."""
    return asked.content.network, asked.value.layer, asked.value.unit


class GeneralWorker(EngineRunner):
    """Computes in the background. Its records are General."""

    def __init__(self, history: RunHistory, parent: QObject) -> None:
        super().__init__(parent)
        self._history = history

    def explain(self, asked: Asked) -> None:
        """Compute how much each pixel speaks for an answer."""

        def task(control: TaskControl) -> Generator[General]:
            weights = np.zeros(asked.content.network.outputs, np.float32)
            weights[asked.value.unit] = 1
            weights[asked.value.other] = -1
            engine = self.engine_for(asked.content.model)
            parts = pixel_parts(engine, asked.content.values[0], weights)
            yield General(pixels_key(asked), parts)

        self.start_latest(task)

    def search(self, asked: Asked) -> None:
        """Look for what excites a unit, and how it was learned."""
        model = asked.content.model
        inspected = self._history.inspect(model)
        read = self._history.reader(inspected)

        def task(control: TaskControl) -> Generator[General]:
            engine = self.engine_for(model)
            value = asked.value
            found = General(unit_key(asked), moments=_weights_of(inspected, asked))
            if len(model.network.input_shape) == 3:
                made = ascend(engine, value.layer, value.unit, control.check)
                found = replace(found, made=made[:, :, 0])
            yield found
            yield _excited(found, engine, read(control.progress), asked, control)

        self.start_latest(task)


def _weights_of(inspected: Inspected, asked: Asked) -> tuple[tuple[str, np.ndarray], ...]:
    """The weights of the unit at the start, after the first epoch, and now."""
    if asked.value.weights is None or asked.value.normalization is not None:
        return ()
    moments = moments_of(inspected)
    if len(moments) > _MOMENTS:
        moments = [*moments[: _MOMENTS - 1], moments[-1]]
    shape = asked.value.weights.shape
    network = asked.content.network
    found = []
    for name, parameters in moments:
        params = views(network, parameters)[asked.value.layer]
        assert params is not None
        own = params.weights[..., asked.value.unit]
        found.append((name, np.asarray(own).reshape(shape)))
    return tuple(found)


def _excited(
    found: General, engine: Engine, inspected: Inspected, asked: Asked, control: TaskControl
) -> General:
    """With the test images that excite the unit most."""
    dataset = inspected.dataset
    value = asked.value
    if dataset is None:
        return replace(found, has_data=False)
    test = dataset.test
    excited = excitement(engine, test.inputs, value.layer, value.unit, _EXAMPLES, control.check)
    means = None
    if dataset.classes:
        means = np.zeros(len(dataset.classes))
        for label in range(len(dataset.classes)):
            members = excited.all_outputs[test.targets == label]
            means[label] = members.mean() if len(members) else 0
    images = None
    seen: tuple[Area, ...] = ()
    if test.inputs.ndim == 4 and excited.all_outputs.any():
        images = test.inputs[excited.indices, :, :, 0] / np.float32(255)
        seen = tuple(
            area_seen(asked.content.network, value.layer, int(row), int(column))
            for row, column in excited.places
        )
    return replace(found, found=excited, images=images, seen=seen, means=means, searched=len(test))


def general_sentence(asked: Asked, general: General | None) -> str:
    """How many of the test images excite it more than the drawing does."""
    if general is None or general.found is None:
        if general is not None and not general.has_data:
            return _tr("Choose the data that it learned from, to see what excites it.")
        return _tr("Looking through the test images…")
    if not general.found.all_outputs.any():
        return _tr("No test image excites it.")
    if not asked.content.values:
        return ""
    stronger = float((general.found.all_outputs > asked.value.y).mean())
    text = _tr("{share} of the {n} test images excite it more than your drawing.", general.searched)
    return text.format(share=percent(stronger, 1), n=count(general.searched))


def write_general(asked: Asked, general: General, sheet: Sheet) -> str:
    """How it was learned, the test images that excite it most, how strong it is by class."""
    return sheet.parts(
        _write_learned(asked, general, sheet),
        _write_images(general, sheet),
        _write_by_class(asked, general, sheet),
    )


def _write_learned(asked: Asked, general: General, sheet: Sheet) -> str:
    title = written(_tr("How it was learned"), bold=True)
    if asked.value.weights is None or asked.value.normalization is not None:
        return sheet.text(400, title, muted(_tr("It has no weights of its own.")))
    rows = []
    for name, weights in general.moments:
        if weights.ndim == 1:
            images = [filter_images(weights[:, None], weights.shape)[0]]
        else:
            strength = np.abs(general.moments[-1][1]).sum(axis=(0, 1))
            shown = sorted(np.argsort(-strength, kind="stable")[:SHOWN_SOURCES].tolist())
            images = [weights[:, :, channel] for channel in shown]
        bound = largest(*(each for _, each in general.moments))
        tags = [sheet.values(image, 34, weight_colors(), bound=bound) for image in images]
        rows.append([muted(name), *tags])
    return title + sheet.table(rows, [84])


def _write_images(general: General, sheet: Sheet) -> str:
    title = written(_tr("Test images that excite it most"), bold=True)
    rows: list[list[str]] = [[], []]
    if general.images is not None and general.found is not None:
        for place, image in enumerate(general.images):
            value = value_text(float(general.found.outputs[place]))
            words = _tr("test image {n}: {value}")
            words = words.format(n=int(general.found.indices[place]) + 1, value=value)
            top, left, bottom, right = area = general.seen[place]
            mark = None if (bottom - top, right - left) == image.shape else area
            tag = sheet.values(image, _SIDE, ink_colors(), bound=1.0, words=words, mark=mark)
            rows[place // 5].append(tag)
    if general.made is not None and general.made.any():  # empty where ink only weakens it
        words = _tr("An image made to excite it as much as it can.")
        rows[0].append(sheet.values(general.made, _SIDE, ink_colors(), bound=1.0, words=words))
        rows[1].append(muted(_tr("made for it")))
    return title + sheet.table(rows)


def _write_by_class(asked: Asked, general: General, sheet: Sheet) -> str:
    if general.means is None:
        return ""
    text = _tr("mean of {n} images", general.searched).format(n=count(general.searched))
    title = f"{written(_tr('Strength by class'), bold=True)} &nbsp; {small(text)}"
    bound = largest(general.means) or 1.0
    rows = []
    for name, mean in zip(asked.content.classes, general.means.tolist(), strict=True):
        track = theme().colors.track
        bar = sheet.bar(abs(mean) / bound, sign_color(mean), 200, track=track)
        rows.append([small(name), bar, small(value_text(mean))])
    return title + sheet.table(rows, [28, 204, 50], "llr", gap=0)
