"""What the stage shows of a network: a column for each layer, the strongest connections between
them, the answer.

A contribution is an output times a weight. The contribution of a map to a unit is summed over the
map. The contribution of a map to a map is taken where the second one has its largest output: there
it is the sum over one window.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.data.class_names import Classes
from core.data.functions import REACH, grid, reach_of
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.network.layers.layer import LayerParameters
from core.network.network import Network
from core.network.parameters import views

MAX_UNITS = 64
MAX_MAPS = 16
"""Units and maps of one layer that are shown, unless all are asked for."""

MAX_ITEMS = 4000
MAX_OF_ALL = 1024
"""Items of all layers together, and of one layer, where all units and maps are asked for."""

MAX_ANSWERS = 10

SURFACE = 56
"""Points of each side at which a regression of two inputs is computed."""

MAX_LINKS = 240
"""Connections of the whole network."""

LINKS = 32
LINKS_OF_DEEP = 20
DEEP = 4
"""Connections into one layer; the same from DEEP hidden layers with weights on."""

COARSE = 7
"""Pixels of the height of a unit's weights, of which the blocks of the image are averaged."""

_TO_ANSWER = 0.45  # share of the connections into the last layer that lead to the answer

Units = tuple[int, ...]
"""The units or maps of a layer that are shown, ascending."""

Chosen = tuple[Units, ...]
"""Those of each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A layer as a column. `shown`: its units or maps, ascending, of `count`.

    `pictures`: float32 (shown, height, width), 1 x 1 for a unit; None where there is nothing to
    show. They are the outputs for the input, or the weights (`are_weights`) where there is no
    input, or the products of both (`are_products`) where the network has a single layer. `values`:
    float32 (shown,), the output of each unit, of a map the largest one; None without an input.
    `thin`: it passes on each number with at most a scale and a shift, and is a thin bar. `dropped`:
    positions in `shown` of the units that dropout leaves out in the training step that is seen.
    """

    layer: int
    count: int
    shown: Units
    pictures: np.ndarray | None = None
    values: np.ndarray | None = None
    are_weights: bool = False
    are_products: bool = False
    thin: bool = False
    dropped: Units = ()


@dataclass(frozen=True, slots=True)
class Links:
    """The strongest connections into a column, the strongest first.

    `sources`: positions in `shown` of the last column before it that is not thin; from the input,
    one of `rows` places from its top to its bottom, otherwise `rows` is 0. `targets`: positions in
    `shown` of the column. `contributions`: float32, as shares of the largest.
    """

    sources: np.ndarray
    targets: np.ndarray
    contributions: np.ndarray
    rows: int = 0

    def only(self, index: int) -> "Links":
        """One of them alone."""
        one = slice(index, index + 1)
        return Links(self.sources[one], self.targets[one], self.contributions[one], self.rows)


@dataclass(frozen=True, slots=True, eq=False)
class StageContent:
    """`links`: into each of `columns`; None where each map or unit goes to its own. The last column
    is the answers.

    `values`: the input, float32 (*input shape), and the outputs of all layers; empty without an
    input. `input`: float32 (height, width) or (features,); None where there is none. `answers`:
    float32 (outputs,), the probabilities, or the values of a regression; None without an input, and
    where they are not finite. `surface`: float32 (SURFACE, SURFACE), the first value of a
    regression at all points of two inputs, y falling from row to row; None for others.
    """

    model: Model
    columns: tuple[Column, ...]
    links: tuple[Links | None, ...]
    values: tuple[np.ndarray, ...] = ()
    input: np.ndarray | None = None
    answers: np.ndarray | None = None
    surface: np.ndarray | None = None

    @property
    def network(self) -> Network:
        return self.model.network

    @property
    def classes(self) -> Classes:
        return self.model.classes

    @property
    def chosen(self) -> Chosen:
        return tuple(column.shown for column in self.columns)


def weights_content(model: Model, *, all_units: bool = False) -> StageContent:
    """The content without an input: it needs no engine."""
    return _Builder(model, None, None, all_units).build(None)


def gradient_links(model: "Model", chosen: Chosen) -> tuple[Links | None, ...]:
    """The links of `StageContent`, where the parameters of `model` are a gradient: the strongest
    pulls.
    """
    return _Builder(model, None, None, False).build(chosen).links


def stage_content(
    engine: Engine,
    x: np.ndarray | None,
    chosen: Chosen | None = None,
    *,
    outputs: Sequence[np.ndarray] = (),
    all_units: bool = False,
    kept: tuple[int, int] | None = None,
) -> StageContent:
    """The content for the engine's model.

    x: one input, (*input shape), or (height, width) for an image; uint8 or float 0..1. None for
    none: weights are shown in place of outputs. chosen: what an earlier content of the same network
    has shown, which is shown again. outputs: of all layers for x, where they are known. all_units:
    of each layer show all units and maps, and not only those with the largest contributions. kept:
    a layer, and a unit or map of it that is shown in any case.
    """
    model = engine.model
    below = None if x is None else as_input(x, model.network)
    if below is not None and not outputs:
        outputs = [output[0] for output in engine.outputs(below[None])]
    content = _Builder(model, below, outputs or None, all_units, kept).build(chosen)
    if not outputs:
        return content
    answers = engine.probabilities(outputs[-1][None])[0]
    return replace(
        content, answers=answers if np.isfinite(answers).all() else None, surface=_surface(engine)
    )


def as_input(x: np.ndarray, network: Network) -> np.ndarray:
    """float32 (*input shape): an input, uint8 or float 0..1, as the network gets it."""
    given = x.reshape(network.input_shape).astype(np.float32)
    return given / np.float32(255) if x.dtype == np.uint8 else given


def has_surface(model: Model) -> bool:
    """Whether the model gives values for two numbers, so that its answers are a surface."""
    return model.kind == "regression" and model.network.input_shape == (2,)


def _surface(engine: Engine) -> np.ndarray | None:
    if not has_surface(engine.model):
        return None
    points = grid(SURFACE) * (reach_of(engine.model.data) / REACH)
    values = engine.predict(points.astype(np.float32))[:, 0]
    # The grid rises from row to row, and an image has its first row at the top.
    return values.reshape(SURFACE, SURFACE)[::-1]


class _Builder:
    """x: float32 (*input shape); outputs: of each layer. Both are None without an input."""

    def __init__(
        self,
        model: Model,
        x: np.ndarray | None,
        outputs: Sequence[np.ndarray] | None,
        all_units: bool,
        kept: tuple[int, int] | None = None,
    ) -> None:
        self._model = model
        self._kept = kept
        self._all_units = all_units
        self._x = x
        self._outputs = outputs
        self._network = model.network
        self._parameters = views(self._network, model.parameters)
        self._last = len(self._network.layers) - 1
        self._thin = thin_layers(self._network)

    def build(self, chosen: Chosen | None) -> StageContent:
        columns = self._single_layer() if self._is_single() else self._columns(chosen)
        links = [self._links_into(columns, position) for position in range(len(columns))]
        picture = self._x
        if picture is not None and picture.ndim == 3:
            picture = picture.mean(axis=2)
        values: tuple[np.ndarray, ...] = ()
        if self._x is not None and self._outputs is not None:
            values = self._x, *self._outputs
        return StageContent(self._model, tuple(columns), tuple(links), values, picture)

    # -- columns -----------------------------------------------------------------------------------

    def _is_single(self) -> bool:
        """Whether the network is one layer on an image, whose weights are pictures."""
        return self._last == 0 and len(self._network.input_shape) == 3

    def _single_layer(self) -> list[Column]:
        """The image times the weights of each answer, then the answers."""
        answers = self._answers(None)
        params = self._parameters[0]
        assert params is not None
        pictures = params.weights.reshape(*self._network.input_shape, -1).mean(axis=2)
        pictures = np.moveaxis(pictures, -1, 0)[list(answers.shown)]
        if self._x is not None:
            pictures = pictures * self._x.mean(axis=2)
        has_input = self._x is not None
        shown = replace(
            answers, pictures=pictures, are_weights=not has_input, are_products=has_input
        )
        return [shown, answers]

    def _columns(self, chosen: Chosen | None) -> list[Column]:
        columns: list[Column] = []
        for layer in range(self._last):
            count = self._network.shapes[layer + 1][-1]
            if self._thin[layer]:
                columns.append(Column(layer, count, (), thin=True))
                continue
            before = _solid(columns)
            if self._parameters[layer] is None and before:
                # Pooling passes on the maps before it: each stands beside its own.
                shown = before[-1].shown
            elif chosen is not None:
                shown = self._with_kept(layer, chosen[layer])
            else:
                shown = self._choose(layer)
            columns.append(self._column(layer, shown))
        return [*columns, self._answers(None if chosen is None else chosen[-1])]

    def _column(self, layer: int, shown: Units) -> Column:
        column = Column(layer, self._network.shapes[layer + 1][-1], shown)
        if self._outputs is None:
            return replace(column, pictures=self._weight_pictures(layer, shown), are_weights=True)
        output = self._passed_on(layer)[..., list(shown)]
        if output.ndim == 1:
            output = output[None, None]
        pictures = np.moveaxis(output, -1, 0)
        return replace(column, pictures=pictures, values=pictures.max(axis=(1, 2)))

    def _passed_on(self, layer: int) -> np.ndarray:
        """The output of a layer after the thin layers behind it."""
        assert self._outputs is not None
        return self._outputs[passed_on(self._network, layer)]

    def _weight_pictures(self, layer: int, shown: Units) -> np.ndarray | None:
        """The filters of a convolution, and the weights of units that see the image; None for other
        layers.

        Of a filter's channels the one with the largest weights is taken.
        """
        params = self._parameters[layer]
        shape = self._network.shapes[layer]
        if params is None:
            return None
        if params.weights.ndim == 4:
            filters = params.weights[..., list(shown)]
            channel = np.abs(filters).sum(axis=(0, 1)).argmax(axis=0)
            return np.stack([filters[:, :, channel[k], k] for k in range(len(shown))])
        if layer == 0 and len(shape) == 3:
            pictures = params.weights[:, list(shown)].reshape(*shape, -1).mean(axis=2)
            return _coarse(np.moveaxis(pictures, -1, 0))
        return None

    def _answers(self, chosen: Units | None) -> Column:
        count = self._network.outputs
        if self._outputs is None:
            return Column(self._last, count, chosen or tuple(range(min(count, MAX_ANSWERS))))
        values = np.nan_to_num(self._outputs[-1])
        shown = chosen or _largest(values, MAX_ANSWERS)
        return Column(self._last, count, shown, values=values[list(shown)])

    # -- the units and maps that are shown ---------------------------------------------------------

    def _choose(self, layer: int) -> Units:
        """The units or maps whose outputs times the weights behind them have the largest sum of
        magnitudes.
        """
        shape = self._network.shapes[layer + 1]
        limit = most_shown(self._network, layer, all_units=self._all_units)
        if shape[-1] <= limit:
            return tuple(range(shape[-1]))
        behind = next(k for k in range(layer + 1, self._last + 1) if _has_sums(self._network, k))
        params = self._parameters[behind]
        assert params is not None
        weights = np.abs(params.weights)
        x = self._input_of(behind)
        if weights.ndim == 4:
            importance = np.abs(x).sum(axis=(0, 1)) * weights.sum(axis=(0, 1, 3))
        else:
            importance = (
                (np.abs(x).ravel() * weights.sum(axis=1)).reshape(-1, x.shape[-1]).sum(axis=0)
            )
        return self._with_kept(layer, _largest(np.nan_to_num(importance), limit))

    def _with_kept(self, layer: int, shown: Units) -> Units:
        """The units with that which is shown in any case, in place of the one beside it."""
        if self._kept is None or self._kept[0] != layer or self._kept[1] in shown:
            return shown
        unit = self._kept[1]
        nearest = min(shown, key=lambda each: abs(each - unit))
        return tuple(sorted({*shown, unit} - {nearest}))

    def _input_of(self, layer: int) -> np.ndarray:
        """What the layer gets, (*shape); ones without an input."""
        if self._outputs is None or self._x is None:
            return np.ones(self._network.shapes[layer], np.float32)
        return self._x if layer == 0 else self._outputs[layer - 1]

    # -- connections -------------------------------------------------------------------------------

    def _links_into(self, columns: list[Column], position: int) -> Links | None:
        column = columns[position]
        if self._is_single():
            return _single_links(columns, position)
        if column.thin or not _has_sums(self._network, column.layer):
            return None
        params = self._parameters[column.layer]
        assert params is not None
        before = _solid(columns[:position])
        contributions = self._contributions(column, params, before[-1].shown if before else None)
        rows = 0 if before else len(contributions)
        count = self._links_of_a_gap()
        if column.layer < self._last:
            return _strongest(contributions, count, rows)
        return _links_to_answers(contributions, count, rows, column)

    def _links_of_a_gap(self) -> int:
        gaps = sum(_has_sums(self._network, layer) for layer in range(self._last + 1))
        each = LINKS_OF_DEEP if gaps > DEEP else LINKS
        return min(each, MAX_LINKS // gaps)

    def _contributions(
        self, column: Column, params: LayerParameters, sources: Units | None
    ) -> np.ndarray:
        """float32 (sources, units shown). `sources`: channels of the layer's input; None for the
        network's input.
        """
        x = self._input_of(column.layer)
        weights = params.weights[..., list(column.shown)]
        if weights.ndim == 4:
            by_channel = self._window_sums(column, params, weights)
            if sources is None:
                return np.diag(by_channel.sum(axis=0))  # a row of its own for each map
            return by_channel[list(sources)]
        products = x.reshape(-1, 1) * weights
        if sources is not None:
            return products.reshape(-1, x.shape[-1], len(column.shown)).sum(axis=0)[list(sources)]
        if x.ndim == 1:
            return products
        return products.reshape(x.shape[0], -1, len(column.shown)).sum(axis=1)

    def _window_sums(
        self, column: Column, params: LayerParameters, weights: np.ndarray
    ) -> np.ndarray:
        """float32 (channels, maps shown): what each channel adds to the largest output of each
        map.
        """
        if self._outputs is None:
            return weights.sum(axis=(0, 1))
        layer = self._network.layers[column.layer]
        x = self._input_of(column.layer)
        output = self._outputs[column.layer]
        sums = []
        for unit in column.shown:
            row, place = np.unravel_index(int(output[..., unit].argmax()), output.shape[:2])
            inputs, own, _ = layer.terms(x, params, unit, int(row), int(place))
            assert own is not None
            sums.append((inputs * own).sum(axis=(0, 1)))
        return np.stack(sums, axis=1)


def _links_to_answers(contributions: np.ndarray, count: int, rows: int, column: Column) -> Links:
    """The strongest of the answer's own connections, and of all others."""
    if column.values is None or len(column.shown) == 1:
        return _strongest(contributions, count, rows)
    is_own = np.arange(len(column.shown)) == int(column.values.argmax())
    to_answer = round(count * _TO_ANSWER)
    own = _order(contributions * is_own, to_answer)
    others = _order(contributions * ~is_own, count - to_answer)
    return _links_of(contributions, np.concatenate([own, others]), rows)


def _single_links(columns: list[Column], position: int) -> Links:
    """The image goes to each picture, and each picture to its answer by the sum of its products."""
    places = np.arange(len(columns[0].shown))
    if position == 0:
        return Links(places, places, np.zeros(len(places), np.float32), len(places))
    sums = columns[0].values
    if sums is None:
        sums = np.zeros(len(places), np.float32)
    return Links(places, places, shares(sums))


def _has_sums(network: Network, layer: int) -> bool:
    """Whether the layer has weighted sums over several inputs."""
    shape = network.weight_shapes[layer]
    return shape is not None and len(shape) > 1


def thin_layers(network: Network) -> tuple[bool, ...]:
    """For each layer whether it passes on each number of its input, with at most a scale and a
    shift of its own.
    """
    return tuple(
        before == after and (weights is None or len(weights) == 1)
        for before, after, weights in zip(
            network.shapes[:-1], network.shapes[1:], network.weight_shapes, strict=True
        )
    )


def passed_on(network: Network, layer: int) -> int:
    """The last of the thin layers behind a layer, or the layer itself where none follows."""
    thin = thin_layers(network)
    while layer + 1 < len(thin) and thin[layer + 1]:
        layer += 1
    return layer


def _coarse(pictures: np.ndarray) -> np.ndarray:
    """Means of blocks of (n, height, width), so that about COARSE remain of the height: single
    weights are noise.
    """
    size = max(pictures.shape[1] // COARSE, 1)
    height = pictures.shape[1] // size
    width = pictures.shape[2] // size
    cut = pictures[:, : height * size, : width * size]
    return cut.reshape(len(cut), height, size, width, size).mean(axis=(2, 4))


def _solid(columns: Sequence[Column]) -> list[Column]:
    return [column for column in columns if not column.thin]


def _bound(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0))


def shares(values: np.ndarray) -> np.ndarray:
    """float32: `values` as shares of the largest magnitude."""
    values = np.nan_to_num(values)
    bound = _bound(values)
    if bound == 0:
        return np.zeros(values.shape, np.float32)
    return (values / bound).astype(np.float32)


def _largest(values: np.ndarray, count: int) -> Units:
    """The indices of the `count` largest, ascending."""
    return tuple(sorted(np.argsort(-values, kind="stable")[:count].tolist()))


def _strongest(contributions: np.ndarray, count: int, rows: int) -> Links:
    """The `count` largest of (sources, targets) by magnitude, without those that are 0."""
    return _links_of(contributions, _order(contributions, count), rows)


def _order(contributions: np.ndarray, count: int) -> np.ndarray:
    """Flat indices of the `count` largest by magnitude, without those that are 0."""
    # Of a network that diverged: an infinite one would hide all others.
    strength = np.nan_to_num(np.abs(contributions), posinf=0).ravel()
    order = np.argsort(-strength, kind="stable")[:count]
    return order[strength[order] > 0]


def _links_of(contributions: np.ndarray, order: np.ndarray, rows: int) -> Links:
    sources, targets = np.divmod(order, contributions.shape[1])
    return Links(sources, targets, shares(contributions.ravel())[order], rows)


def most_shown(network: Network, layer: int, *, all_units: bool) -> int:
    """How many units or maps of a layer are shown. all_units: as many as there may be items."""
    if layer == len(network.layers) - 1:
        return MAX_ANSWERS
    if all_units:
        columns = len(network.layers) - sum(thin_layers(network))
        return min(MAX_ITEMS // columns - MAX_ANSWERS, MAX_OF_ALL)
    return MAX_MAPS if len(network.shapes[layer + 1]) == 3 else MAX_UNITS
