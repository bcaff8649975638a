"""The words of the stage: captions of the columns, and what the tooltip and a screen reader say of
a layer or unit.
"""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from core.inspection.stage_content import Column, StageContent, thin_layers
from core.network.network import Network
from gui.stage.layout import MANY_HIDDEN
from gui.stage.sheet import value_text
from gui.text import count, probability, translator
from gui.words import with_words

_tr = translator("Stage")

Role = Literal["filters", "pooling", "units", "thin", "answers"]


_TEXTBOOK: dict[Role, str] = {
    "filters": "layer, filter, map",
    "pooling": "layer, pooling, map",
    "units": "layer, unit",
    "thin": "layer",
    "answers": "layer",
}
"""Words of `gui.words` for what is called by a plainer word above a column."""


@dataclass(frozen=True, slots=True)
class Caption:
    """`text` above a column; `short` where there is little room. `is_main`: it has weights of its
    own.
    """

    text: str
    short: str
    is_main: bool


def role_of(network: Network, layer: int) -> Role:
    """What a layer looks like on the stage."""
    if layer == len(network.layers) - 1:
        return "answers"
    if thin_layers(network)[layer]:
        return "thin"
    weights = network.weight_shapes[layer]
    if weights is None:
        return "pooling"
    return "filters" if len(weights) == 4 else "units"


def input_words(content: StageContent) -> tuple[str, str]:
    """The words above and below what the network gets."""
    shape = content.network.input_shape
    if len(shape) == 3:
        return _tr("It sees"), f"{shape[0]} × {shape[1]}"
    return _tr("It gets"), ""


def caption(content: StageContent, position: int) -> Caption:
    """The caption of the column at `position`."""
    column = content.columns[position]
    network = content.network
    role = role_of(network, column.layer)
    if column.are_products:
        return Caption(
            _tr("its strokes × the weights of each answer"), _tr("strokes × weights"), True
        )
    if role == "answers" and position < len(content.columns) - 1:
        return Caption(_tr("the weights of each answer"), _tr("weights"), True)
    if role == "answers" and not content.classes:
        text = _tr("{n} values", column.count).format(n=count(column.count))
        return Caption(text, text, True)
    shown = str(column.count)
    if column.shown and len(column.shown) < column.count:
        shown = _tr("{shown} of {n}").format(shown=len(column.shown), n=column.count)
    if role == "units" and _is_deep(content):
        return Caption(shown, str(column.count), True)
    return layer_caption(network, column.layer, shown)


def feature_name(count: int, index: int) -> str:
    """`x`, `y` of a point in the plane; numbered where there are others."""
    return "xy"[index] if count == 2 else f"x{index + 1}"


def layer_caption(network: Network, layer: int, shown: str = "") -> Caption:
    """A layer in a few words: `16 filters`, `half`, `64 units`. shown: how many, where not all
    are.
    """
    role = role_of(network, layer)
    if role == "thin":
        name = thin_name(network, layer)
        return Caption(name, name, False)
    if role == "pooling":
        return _pooling_caption(network, layer)
    n = network.shapes[layer + 1][-1]
    text = _tr("{n} answers", n)
    if role == "filters":
        text = _tr("{n} filters", n)
    elif role == "units":
        text = _tr("{n} units", n)
    return Caption(text.format(n=shown or count(n)), str(n), True)


def _is_deep(content: StageContent) -> bool:
    roles = [role_of(content.network, layer) for layer in range(len(content.network.layers))]
    return roles.count("units") >= MANY_HIDDEN


def _pooling_caption(network: Network, layer: int) -> Caption:
    before = network.shapes[layer]
    after = network.shapes[layer + 1]
    if before[0] * after[1] != before[1] * after[0]:
        return Caption(layer_words(network, layer), "", False)
    times = round(before[0] / after[0])
    words = {1: _tr("as large"), 2: _tr("half"), 3: _tr("a third"), 4: _tr("a quarter")}
    text = words.get(times, _tr("1/{n} as wide").format(n=times))
    return Caption(text, "", False)


def thin_name(network: Network, layer: int) -> str:
    """The name beside a thin bar: short, as it is written along the bar."""
    if network.weight_shapes[layer] is None:
        return _tr("dropout")
    return _tr("normalization")


def layer_words(network: Network, layer: int) -> str:
    """A layer in words: `16 filters 5 × 5`, `64 units`, `pooling 2 × 2`."""
    kind = network.layers[layer]
    role = role_of(network, layer)
    if role == "answers":
        return _tr("{n} answers", network.outputs).format(n=count(network.outputs))
    if role == "filters":
        weights = network.weight_shapes[layer]
        assert weights is not None
        text = _tr("{n} filters", weights[3]).format(n=count(weights[3]))
        return f"{text} {weights[0]} × {weights[1]}"
    words = QCoreApplication.translate("Layer", kind.caption).format(**kind.values())
    return words.replace("×", " × ")


def unit_words(content: StageContent, column: Column, index: int) -> str:
    """A unit or map of a layer, counted from 1: `filter 10`, `unit 3`; `3` of the answers."""
    unit = column.shown[index]
    role = role_of(content.network, column.layer)
    if role == "answers":
        return content.classes[unit] if content.classes else _tr("value {n}").format(n=unit + 1)
    if role == "units":
        return _tr("unit {n}").format(n=unit + 1)
    template = _tr("filter {n}") if role == "filters" else _tr("map {n}")
    return template.format(n=unit + 1)


def unit_text(content: StageContent, position: int, index: int) -> str:
    """What a unit gives: `filter 10: up to 2.1`, `unit 3: 0.4`."""
    column = content.columns[position]
    name = unit_words(content, column, index)
    if index in column.dropped:
        return _tr("{unit}: left out in this step").format(unit=name)
    if column.values is None:
        return name
    value = _value_text(content, column, index)
    if column.are_products:
        return _tr("for {unit}: all strokes together {value}").format(unit=name, value=value)
    is_map = column.pictures is not None and column.pictures.shape[-1] > 1
    template = _tr("{unit}: up to {value}") if is_map else _tr("{unit}: {value}")
    return template.format(unit=name, value=value)


def layer_text(content: StageContent, position: int) -> str:
    """A layer for a screen reader: `Layer 3 of 6, 16 filters 5 × 5, 14 × 14 each; strongest: filter
    10, 2.1`.
    """
    column = content.columns[position]
    network = content.network
    text = _tr("Layer {n} of {count}, {what}").format(
        n=column.layer + 1, count=len(network.layers), what=layer_words(network, column.layer)
    )
    shape = network.shapes[column.layer + 1]
    if len(shape) == 3:
        text += _tr(", {height} × {width} each").format(height=shape[0], width=shape[1])
    if len(column.shown) < column.count and column.shown:
        text += _tr(", {n} are shown", len(column.shown)).format(n=count(len(column.shown)))
    if column.values is None or not len(column.values):
        return text
    best = int(column.values.argmax())
    return text + _tr("; strongest: {unit}, {value}").format(
        unit=unit_words(content, column, best), value=_value_text(content, column, best)
    )


def tip_text(content: StageContent, position: int, index: int) -> str:
    """What the tooltip of a unit says, or of a layer where `index` is -1, with the textbook's words
    explained.
    """
    column = content.columns[position]
    role = role_of(content.network, column.layer)
    if index >= 0:
        return with_words(
            unit_text(content, position, index),
            "softmax" if role == "answers" and content.classes else "",
        )
    return with_words(layer_text(content, position), _TEXTBOOK[role])


def _value_text(content: StageContent, column: Column, index: int) -> str:
    """What a unit or map gives; of an answer its probability."""
    assert column.values is not None
    is_answer = column is content.columns[-1]
    if is_answer and content.classes and content.answers is not None:
        return probability(float(content.answers[column.shown[index]]))
    return value_text(float(column.values[index]))
