"""What the band shows of a unit or map for this drawing: the terms of its value, their sum, and
what it leads to.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication

from core.inspection.units import UnitValue
from core.training.run_settings import BY_NAME
from gui.stage.asked import (
    SHOWN_OF_EACH,
    SHOWN_SOURCES,
    Asked,
    added_to_answers,
    parts_of,
    sources_of,
)
from gui.stage.captions import feature_name, role_of
from gui.stage.colors import ink_colors, map_colors, weight_colors
from gui.stage.pieces import CENTER, RIGHT, Block, Sheet, sign_color, signed
from gui.text import choice_title, count, number, probability
from gui.widgets.theme import theme

EVIDENCE, SUM = 820, 250  # widths of the first two of three parts
UNIT_SUM = 190
_PATCH, _STEP = 36, 86  # of a map that is seen, and from one to the next
_UNIT_PATCH, _UNIT_STEP = 32, 64
_LABELS = 120
_PICTURE = 122


def _tr(text: str, n: int = -1) -> str:
    return QCoreApplication.translate("Ask", text, None, n)


# -- words -----------------------------------------------------------------------------------------


def class_name(asked: Asked, unit: int) -> str:
    return asked.content.classes[unit]


def is_answer(asked: Asked) -> bool:
    """Whether it is asked why one class is the answer, and not another."""
    return asked.value.other >= 0


def title_of(asked: Asked) -> str:
    value = asked.value
    network = asked.content.network
    if is_answer(asked):
        text = _tr("Why {this} and not {that}?")
        return text.format(this=class_name(asked, value.unit), that=class_name(asked, value.other))
    role = role_of(network, value.layer)
    texts = {
        "filters": _tr("Filter {n} of {all}"),
        "units": _tr("Unit {n} of {all}"),
        "answers": _tr("Value {n} of {all}"),
    }
    text = texts.get(role, _tr("Map {n} of {all}"))
    if role == "thin":
        text = _tr("Dropout {n} of {all}")
        if value.normalization is not None:
            text = _tr("Normalization {n} of {all}")
    return text.format(n=value.unit + 1, all=count(network.shapes[value.layer + 1][-1]))


def sentence_of(asked: Asked) -> str:
    """What it finds, and where it looks."""
    value = asked.value
    network = asked.content.network
    if value.inputs is None:
        return _tr("Draw, and it has a value.")
    if is_answer(asked):
        return _tr("Each number before them speaks for one of them; what is left over decides.")
    found = signed(value.y)
    if len(network.shapes[value.layer + 1]) == 1:
        outputs = asked.content.values[value.layer + 1]
        stronger = int((outputs > value.y).sum())
        text = _tr("is {value}: the strongest of its layer.")
        if stronger:
            text = _tr("is {value}; {n} of its layer are stronger.", stronger)
        return text.format(value=found, n=count(stronger))
    top, left, bottom, right = value.seen
    height, width = network.input_shape[:2]
    text = _tr(
        "finds {value} at row {row}, column {column}. It looks at {w} × {h} of {width} × {height} "
        "pixels."
    )
    return text.format(
        value=found,
        row=value.row + 1,
        column=value.column + 1,
        w=right - left,
        h=bottom - top,
        width=width,
        height=height,
    )


def sum_sentence(asked: Asked) -> str:
    """The sum in one sentence, for a screen reader: `4.30 from 8 maps, bias −0.06: 4.24; ReLU keeps
    it`.
    """
    rows = _sum_rows(asked)
    return "; ".join(f"{row.label} {row.value}".strip() for row in rows if row.label)


def activation_words(asked: Asked) -> str:
    """What the activation does with the sum: `ReLU keeps it`; empty for none."""
    model = asked.content.model
    value = asked.value
    name = model.activations[value.layer]
    if not model.network.layers[value.layer].has_activation() or name == "linear":
        return ""
    title = choice_title(BY_NAME["activation"], name)
    if abs(value.z - value.y) <= 1e-4 * max(1.0, abs(value.z)):
        return _tr("{activation} keeps it").format(activation=title)
    return _tr("{activation} makes it").format(activation=title)


def _source_name(asked: Asked, source: int) -> str:
    """A channel or number of the layer's input."""
    shape = asked.content.network.shapes[asked.value.layer]
    if asked.value.layer == 0:
        return _tr("the image") if len(shape) == 3 else feature_name(shape[0], source)
    text = _tr("map {n}") if len(shape) == 3 else _tr("unit {n}")
    return text.format(n=source + 1)


def _target(asked: Asked, source: int) -> object:
    """What a click on a source asks for: its position and index on the stage; None where it is not
    shown.
    """
    before = sources_of(asked.content, asked.position)
    if before < 0:
        return None
    shown = asked.content.columns[before].shown
    return (before, shown.index(source)) if source in shown else None


# -- the parts -------------------------------------------------------------------------------------


def blocks_of(asked: Asked, pixels: np.ndarray | None) -> list[Block]:
    """All of it. pixels: float (height, width), how much each pixel speaks for an answer; None
    where that is not known.
    """
    value = asked.value
    if is_answer(asked):
        return [
            Block(726, partial(_draw_for_and_against, asked, pixels)),
            Block(256, partial(_draw_sum, asked, 200)),
            Block(234, partial(_draw_odds, asked)),
        ]
    if value.inputs is None:
        return [Block(EVIDENCE, _evidence(asked))]
    is_alone = value.inputs.ndim == 3 and value.inputs.shape[2] == 1 and value.inputs.size > 1
    width = 508 if is_alone else EVIDENCE
    adds = added_to_answers(asked.content, value)
    total = SUM if adds is None or is_alone else UNIT_SUM
    becomes = partial(_draw_map, asked) if adds is None else partial(_draw_onward, asked, adds)
    return [
        Block(width, _evidence(asked)),
        Block(total, partial(_draw_sum, asked, total - 50)),
        Block(1216 - width - total, becomes),
    ]


def _evidence(asked: Asked) -> Callable[[Sheet], None]:
    value = asked.value
    weights = value.weights
    if value.normalization is not None:
        return partial(_draw_normalization, asked)
    if weights is None:
        return partial(_draw_window, asked)
    if weights.ndim == 3 and weights.shape[2] == 1:
        return partial(_draw_product, asked)
    if _has_bars(asked):
        return partial(_draw_contributions, asked)
    return partial(_draw_patches, asked)


def _bound(*arrays: np.ndarray | None) -> float:
    """The largest magnitude of all."""
    return max(
        (float(np.abs(np.nan_to_num(each)).max(initial=0)) for each in arrays if each is not None),
        default=0.0,
    )


def _draw_patches(asked: Asked, sheet: Sheet) -> None:
    """A convolution: of each map before it what it sees, its filter, their product and its sum."""
    value = asked.value
    weights = value.weights
    parts = parts_of(value)
    assert weights is not None
    assert parts is not None
    order = np.argsort(-np.abs(parts), kind="stable")
    has_others = len(parts) > SHOWN_SOURCES
    shown = sorted(order[: SHOWN_SOURCES - 1 if has_others else SHOWN_SOURCES].tolist())
    muted = theme().colors.muted
    rows = [(_tr("× its filter"), weights, weight_colors())]
    if value.inputs is not None:
        rows.insert(0, (_tr("what it sees"), value.inputs, map_colors()))
        rows.append((_tr("= product"), value.inputs * weights, weight_colors()))
    for line, (label, arrays, table) in enumerate(rows):
        y = 43 * line
        sheet.write(0, y + 9, _LABELS, label, color=muted)
        for place, source in enumerate(shown):
            words = ""
            if line == 0:
                words = f"{_source_name(asked, source)}: {signed(float(parts[source]))}"
            sheet.image(
                _LABELS + _STEP * place,
                y,
                _PATCH,
                arrays[:, :, source],
                _bound(arrays),
                table,
                words=words,
                target=_target(asked, source),
            )
    if value.inputs is None:
        return
    label = _tr("sum of {n}").format(n=weights.shape[0] * weights.shape[1])
    sheet.write(0, 126, _LABELS, label, color=muted)
    strong = _bound(parts) / 2
    for place, source in enumerate(shown):
        part = float(parts[source])
        x = _LABELS + _STEP * place + _PATCH / 2 - 40
        sheet.write(
            x, 126, 80, signed(part), color=sign_color(part), bold=abs(part) > strong, align=CENTER
        )
        if place + 1 < len(shown) or has_others:
            sheet.write(x + _STEP / 2 + 20, 126, 40, "+", color=muted, align=CENTER)
    if has_others:
        rest = float(np.delete(parts, shown).sum())
        x = _LABELS + _STEP * len(shown) + _PATCH / 2 - 40
        left = len(parts) - len(shown)
        text = _tr("{n} others", left).format(n=left)
        sheet.write(x, 52, 80, text, color=muted, align=CENTER)
        sheet.write(
            x,
            126,
            80,
            signed(rest),
            color=sign_color(rest),
            align=CENTER,
            words=f"{text}: {signed(rest)}",
        )


def _draw_contributions(asked: Asked, sheet: Sheet) -> None:
    """A dense unit: its strongest maps or units, the rest as one, and the bias, as bars."""
    value = asked.value
    weights = value.weights
    parts = parts_of(value)
    assert weights is not None
    assert parts is not None
    muted = theme().colors.muted
    shown = np.argsort(-np.abs(parts), kind="stable")[:SHOWN_SOURCES].tolist()
    _draw_terms(asked, shown, sheet)
    bars = [
        (float(parts[source]), _source_name(asked, source), _target(asked, source))
        for source in shown
    ]
    if len(parts) > len(shown):
        left = len(parts) - len(shown)
        rest = float(np.delete(parts, shown).sum())
        bars.append((rest, _tr("{n} others", left).format(n=count(left)), None))
    bars.append((value.bias, _tr("bias"), None))
    largest = max(abs(part) for part, _, _ in bars) or 1.0
    label = _tr("= gives") if value.inputs is not None else _tr("together")
    sheet.write(0, 78, _LABELS, label, color=muted)
    sheet.rule(112, 96, 696, 0, strong=True)
    for place, (part, name, target) in enumerate(bars):
        x = _LABELS + _UNIT_STEP * place
        height = max(24 * abs(part) / largest, 1)
        below = 0 if part >= 0 else height
        words = f"{name}: {signed(part)}"
        sheet.bar(
            x,
            96 - height if part >= 0 else 96,
            _UNIT_PATCH,
            height,
            sign_color(part),
            words=words,
            target=target,
        )
        at = x + _UNIT_PATCH / 2 - 32
        sheet.write(at, 97 + below, 64, signed(part), color=sign_color(part), align=CENTER)
        sheet.write(at, 113 + below, 64, name, align=CENTER, target=target)


def _draw_terms(asked: Asked, shown: list[int], sheet: Sheet) -> None:
    """What a dense unit sees, and its weights: images of maps, or numbers."""
    value = asked.value
    weights = value.weights
    assert weights is not None
    muted = theme().colors.muted
    has_input = value.inputs is not None
    if has_input:
        sheet.write(0, 7, _LABELS, _tr("what it sees"), color=muted)
    sheet.write(0, 43, _LABELS, _tr("× its weights"), color=muted)
    for place, source in enumerate(shown):
        x = _LABELS + _UNIT_STEP * place
        target = _target(asked, source)
        if weights.ndim == 1:
            if value.inputs is not None:
                text = signed(float(value.inputs[source]))
                sheet.write(x - 16, 7, 64, text, align=CENTER)
            text = signed(float(weights[source]))
            color = sign_color(float(weights[source]))
            sheet.write(x - 16, 43, 64, text, color=color, align=CENTER)
            continue
        if value.inputs is not None:
            bound = _bound(value.inputs)
            seen = value.inputs[:, :, source]
            sheet.image(x, 0, _UNIT_PATCH, seen, bound, map_colors(), target=target)
        own = weights[:, :, source]
        sheet.image(x, 36, _UNIT_PATCH, own, _bound(weights), weight_colors(), target=target)


def _draw_product(asked: Asked, sheet: Sheet) -> None:
    """One image times one of weights: a unit that sees the drawing, or the mean of a window."""
    value = asked.value
    weights = value.weights
    assert weights is not None
    muted = theme().colors.muted
    own = weights[:, :, 0]
    if value.inputs is None:
        sheet.image(0, 0, _PICTURE, own, _bound(own), weight_colors(), words=_tr("its weights"))
        return
    seen = value.inputs[:, :, 0]
    product = seen * own
    pictures = (
        (_tr("what it sees"), seen, map_colors() if value.layer else ink_colors()),
        (_tr("its weights"), own, weight_colors()),
        (_tr("the product"), product, weight_colors()),
    )
    for place, (caption, array, table) in enumerate(pictures):
        x = 174 * place
        sheet.image(
            x, 0, _PICTURE, array, _bound(array), table, words=caption, numbers=array.size < 16
        )
        sheet.write(x - 20, 126, _PICTURE + 40, caption, color=muted, align=CENTER)
    for place, sign in enumerate("×="):
        sheet.write(_PICTURE + 174 * place, 52, 52, sign, color=muted, align=CENTER)


def _draw_window(asked: Asked, sheet: Sheet) -> None:
    """Pooling takes the largest of a window; other layers without weights pass a number on."""
    value = asked.value
    muted = theme().colors.muted
    left = 0
    size = 1
    if len(asked.content.network.shapes[value.layer + 1]) == 3:
        top, before, bottom, after = value.area
        size = (bottom - top) * (after - before)
    if value.inputs is not None:
        left = 174
        seen = value.inputs[:, :, 0]
        numbers = ", ".join(signed(float(each)) for each in seen.ravel())
        sheet.image(
            0,
            0,
            _PICTURE,
            seen,
            _bound(seen),
            map_colors(),
            mark=divmod(value.taken, seen.shape[1]),
            numbers=True,
            words=f"{_tr('what it sees')}: {numbers}",
        )
        sheet.write(-20, 126, _PICTURE + 40, _tr("what it sees"), color=muted, align=CENTER)
    text = _tr("Nothing is left out when it reads: the number goes on as it is.")
    if size > 1:
        text = _tr("The largest of the {n} numbers goes on; the others are forgotten.")
    text = text.format(n=size)
    sheet.write(left, 6, 320, text, color=muted, lines=4, words=text)


def _draw_normalization(asked: Asked, sheet: Sheet) -> None:
    """(x - mean) ÷ deviation × scale + shift, step by step."""
    value = asked.value
    by = value.normalization
    assert by is not None
    steps = [
        (_tr("− its mean"), by.mean),
        (_tr("÷ its deviation"), by.deviation),
        (_tr("× its scale"), by.scale),
        (_tr("+ its shift"), by.shift),
    ]
    after: list[float] = []
    if value.inputs is not None:
        x = float(value.inputs.item())
        middle = (x - by.mean) / by.deviation
        after = [x - by.mean, middle, middle * by.scale, middle * by.scale + by.shift]
        steps.insert(0, (_tr("what it gets"), x))
        after.insert(0, x)
    for line, (label, step) in enumerate(steps):
        words = f"{label} {signed(step)}"
        sheet.write(0, 22 * line, 160, label, color=theme().colors.muted)
        sheet.write(160, 22 * line, 70, signed(step), align=RIGHT, words=words)
        if after and line:
            sheet.write(240, 22 * line, 30, "=", color=theme().colors.muted, align=CENTER)
            sheet.write(270, 22 * line, 70, signed(after[line]), align=RIGHT)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the sum. `is_total`: below a rule."""

    label: str
    value: str
    color: str = ""
    bold: bool = False
    is_total: bool = False


def _sum_rows(asked: Asked) -> list[_Row]:
    value = asked.value
    accent = theme().colors.accent
    if value.inputs is None:
        return []
    if value.weights is None:
        text = _tr("passes on")
        if value.inputs.size > 1:
            text = _tr("the largest of {n}").format(n=value.inputs.size)
        return [_Row(text, signed(value.y), accent, bold=True)]
    rows: list[_Row] = []
    if is_answer(asked):
        rows = _answer_rows(asked)
    elif value.normalization is None and not _has_bars(asked):
        rows = [*_part_rows(value), _Row(_tr("its bias"), signed(value.bias))]
    if not is_answer(asked):
        rows.append(_Row(_tr("together"), signed(value.z), bold=True, is_total=bool(rows)))
        activation = activation_words(asked)
        if activation:
            rows.append(_Row(activation, signed(value.y), accent, bold=True))
    return rows


def _has_bars(asked: Asked) -> bool:
    """Whether each term, and the bias, is a bar with its number: of units that see several maps or
    units.
    """
    weights = asked.value.weights
    is_map = len(asked.content.network.shapes[asked.value.layer + 1]) == 3
    return weights is not None and not is_map and (weights.ndim == 1 or weights.shape[2] > 1)


def _part_rows(value: UnitValue) -> list[_Row]:
    """The sum of the products, in words that suit what they are of."""
    sums = value.sums
    products = value.products
    assert sums is not None
    assert products is not None
    if products.ndim == 3 and products.shape[2] == 1:
        colors = theme().colors.series
        raising = float(products[products > 0].sum())
        lowering = float(products[products < 0].sum())
        return [
            _Row(_tr("all that is blue"), signed(raising), colors[0]),
            _Row(_tr("all that is orange"), signed(lowering), colors[1]),
        ]
    text = _tr("sum of the {n}", len(sums)).format(n=count(len(sums)))
    return [_Row(text, signed(float(sums.sum(dtype=np.float64))))]


def _answer_rows(asked: Asked) -> list[_Row]:
    value = asked.value
    products = value.products
    assert products is not None
    colors = theme().colors.series
    this, that = class_name(asked, value.unit), class_name(asked, value.other)
    text = _tr("all that speaks for {name}")
    raising = float(products[products > 0].sum(dtype=np.float64))
    lowering = float(products[products < 0].sum(dtype=np.float64))
    winner = this if value.z >= 0 else that
    return [
        _Row(text.format(name=this), signed(raising), colors[0]),
        _Row(text.format(name=that), signed(lowering), colors[1]),
        _Row(_tr("their biases"), _plus(value.bias)),
        _Row(
            _tr("left over, for {name}").format(name=winner),
            _plus(value.z),
            sign_color(value.z),
            bold=True,
            is_total=True,
        ),
    ]


def _plus(value: float) -> str:
    text = signed(value)
    return f"+{text}" if value > 0 else text


def _draw_sum(asked: Asked, width: float, sheet: Sheet) -> None:
    sheet.rule(0, 0, 0, 142)
    muted = theme().colors.muted
    y = 0.0
    for row in _sum_rows(asked):
        if row.is_total:
            sheet.rule(20, y + 2, width, 0, strong=True)
            y += 5
        sheet.write(20, y, width - 44, row.label, color=muted)
        words = f"{row.label} {row.value}"
        sheet.write(
            20, y, width, row.value, color=row.color, bold=row.bold, align=RIGHT, words=words
        )
        y += 22
    note = _note(asked)
    if note:
        sheet.write(20, y + 3, width, note, color=muted, lines=3, words=note)


def _note(asked: Asked) -> str:
    value = asked.value
    if is_answer(asked):
        return _turned_off(asked)
    if asked.content.model.activations[value.layer] == "relu" and activation_words(asked):
        return _tr("Below 0 it would be 0.") if value.z > 0 else _tr("Below 0 it is 0.")
    return ""


def _turned_off(asked: Asked) -> str:
    """The unit without which the other class would be the answer."""
    value = asked.value
    parts = parts_of(value)
    assert parts is not None
    best = int(parts.argmax())
    if value.inputs is None or value.z <= 0 or parts[best] <= value.z or value.layer == 0:
        return ""
    text = _tr("Turn one off: {unit} ({value}) alone would make it {name}.")
    return text.format(
        unit=_source_name(asked, best),
        value=signed(float(parts[best])),
        name=class_name(asked, value.other),
    )


def _draw_map(asked: Asked, sheet: Sheet) -> None:
    """The map with the pixel; a click on another pixel asks for that."""
    value = asked.value
    values = asked.content.values
    shape = asked.content.network.shapes[value.layer + 1]
    if not values or len(shape) == 1:
        return
    output = values[value.layer + 1][..., value.unit]
    caption = _tr("the pixel it becomes")
    sheet.image(
        16,
        0,
        126,
        output,
        _bound(values[value.layer + 1]),
        map_colors(),
        words=f"{caption}: {signed(value.y)}",
        target="place",
        mark=(value.row, value.column),
    )
    sheet.write(0, 130, 158, caption, color=theme().colors.muted, align=CENTER)


def _draw_onward(asked: Asked, adds: np.ndarray, sheet: Sheet) -> None:
    """What a unit adds to each answer."""
    names = asked.content.classes
    answers = asked.content.columns[-1].shown
    sheet.write(0, -4, 220, _tr("and speaks for or against"), bold=True)
    pitch = min(13.0, 140 / max(len(answers), 1))
    bound = _bound(adds[list(answers)]) or 1.0
    best = int(adds[list(answers)].argmax())
    for line, answer in enumerate(answers):
        y = 15 + pitch * line
        value = float(adds[answer])
        width = 60 * abs(value) / bound
        sheet.write(0, y - 3, 24, names[answer], bold=line == best)
        sheet.bar(
            88 if value >= 0 else 88 - width,
            y + 2,
            max(width, 1),
            9,
            sign_color(value),
            words=f"{names[answer]}: {_plus(value)}",
            target=(len(asked.content.columns) - 1, line),
        )
        sheet.write(138, y - 3, 60, _plus(value), bold=line == best, align=RIGHT)
    sheet.rule(88, 14, 0, pitch * len(answers) + 4, strong=True)


def _draw_for_and_against(asked: Asked, pixels: np.ndarray | None, sheet: Sheet) -> None:
    """The pixels and the units that speak for one class, and those for the other."""
    value = asked.value
    muted = theme().colors.muted
    this, that = class_name(asked, value.unit), class_name(asked, value.other)
    if value.layer == 0 and value.products is not None and value.products.ndim == 3:
        pixels = value.products.sum(axis=2)
    if pixels is not None:
        caption = _tr("for {this}, for {that}, pixel by pixel").format(this=this, that=that)
        sheet.image(0, 0, _PICTURE, pixels, _bound(pixels), weight_colors(), words=caption)
        sheet.write(0, 126, 220, caption, color=muted)
    parts = parts_of(value)
    if value.products is not None and value.layer == 0:
        parts = value.products.sum(axis=(1, 2)) if value.products.ndim == 3 else value.products
    assert parts is not None
    colors = theme().colors.series
    middle = 468
    sheet.write(middle - 116, -5, 100, _for(that), color=colors[1], bold=True, align=RIGHT)
    sheet.write(middle + 16, -5, 100, _for(this), color=colors[0], bold=True)
    for sign in (1, -1):
        _draw_side(asked, parts, sign, middle, sheet)
    sheet.rule(middle, 0, 0, 142, strong=True)


def _for(name: str) -> str:
    return _tr("for {name}").format(name=name)


def _draw_side(asked: Asked, parts: np.ndarray, sign: int, middle: float, sheet: Sheet) -> None:
    """The bars to the right for what raises (1), or to the left for what lowers (-1)."""
    strengths = np.maximum(np.nan_to_num(parts) * sign, 0)
    order = np.argsort(-strengths, kind="stable")
    order = order[strengths[order] > 0]
    bars = [
        (float(strengths[k]), _part_name(asked, int(k)), _target(asked, int(k)))
        for k in order[:SHOWN_OF_EACH]
    ]
    rest = order[SHOWN_OF_EACH:]
    if len(rest):
        text = _tr("{n} more", len(rest)).format(n=count(len(rest)))
        bars.append((float(strengths[rest].sum()), text, None))
    bound = max(_bound(parts), _rest_of(parts, 1), _rest_of(parts, -1)) or 1.0
    color = theme().colors.series[0 if sign > 0 else 1]
    for line, (strength, name, target) in enumerate(bars):
        y = 19 + 20 * line
        width = 150 * strength / bound
        speaks_for = asked.value.unit if sign > 0 else asked.value.other
        words = f"{_for(class_name(asked, speaks_for))}: {name} {signed(strength)}"
        text = f"{signed(strength)} {name}" if sign > 0 else f"{name} {signed(strength)}"
        if sign > 0:
            sheet.bar(middle, y, width, 13, color, words=words, target=target)
            sheet.write(middle + width + 7, y - 3, 110, text)
        else:
            sheet.bar(middle - width, y, width, 13, color, words=words, target=target)
            sheet.write(middle - width - 117, y - 3, 110, text, align=RIGHT)


def _rest_of(parts: np.ndarray, sign: int) -> float:
    """The sum of those that have no bar of their own."""
    strengths = np.sort(np.maximum(np.nan_to_num(parts) * sign, 0))[::-1]
    return float(strengths[SHOWN_OF_EACH:].sum())


def _part_name(asked: Asked, part: int) -> str:
    shape = asked.content.network.shapes[asked.value.layer]
    if asked.value.layer == 0 and len(shape) == 3:
        return _tr("row {n}").format(n=part + 1)
    return _source_name(asked, part)


def _draw_odds(asked: Asked, sheet: Sheet) -> None:
    """What the difference makes of the probabilities."""
    value = asked.value
    answers = asked.content.answers
    sheet.rule(0, 0, 0, 142)
    if answers is None or asked.content.model.loss != "cross-entropy":
        return
    colors = theme().colors
    this, that = float(answers[value.unit]), float(answers[value.other])
    exponent = signed(value.z)
    temperature = asked.content.model.temperature
    if temperature != 1:
        exponent = f"{exponent} ÷ {number(temperature, 3)}"
    times = float(np.exp(value.z / temperature))
    text = _tr("e^({exponent}) = {times} times as likely").format(
        exponent=exponent, times=number(times, 3)
    )
    sheet.write(16, 0, 216, text, lines=2, words=text)
    names = class_name(asked, value.unit), class_name(asked, value.other)
    left = f"{names[0]}: {probability(this)}"
    right = f"{names[1]}: {probability(that)}"
    sheet.write(16, 40, 216, left, color=colors.series[0], bold=True, words=left)
    sheet.write(16, 40, 216, right, color=colors.series[1], bold=True, align=RIGHT, words=right)
    share = this / (this + that) if this + that > 0 else 0.5
    sheet.bar(16, 64, 216, 12, colors.series[1])
    sheet.bar(16, 64, max(216 * share, 1), 12, colors.series[0])
    rest = max(1 - this - that, 0)
    text = _tr("All others have together {share}.").format(share=probability(rest))
    if rest < 0.0005:
        text = _tr("All others have together less than 0.1 %.")
    sheet.write(16, 84, 216, text, color=colors.muted, lines=2, words=text)
