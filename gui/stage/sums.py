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
    parts_of_rows,
    sources_of,
)
from gui.stage.captions import feature_name, role_of
from gui.stage.colors import ink_colors, largest, map_colors, weight_colors
from gui.stage.pieces import CENTER, LEFT, RIGHT, Block, Sheet, sign_color, value_text
from gui.text import choice_title, count, number, probability
from gui.widgets.theme import theme

EVIDENCE, SUM = 810, 250  # widths of the first two of three parts
UNIT_SUM = 206
_STEP, _UNIT_STEP = 86, 64  # from a term of a map, or of a unit, to the next
_LABELS = 120
_PICTURE = 122


def _tr(text: str, n: int = -1) -> str:
    return QCoreApplication.translate("Ask", text, None, n)


# -- words -----------------------------------------------------------------------------------------


def title_of(asked: Asked) -> str:
    value = asked.value
    network = asked.content.network
    if asked.is_answer:
        text = _tr("Why {this} and not {that}?")
        return text.format(this=asked.names[0], that=asked.names[1])
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
    return text.format(n=value.unit + 1, all=count(asked.shape[-1]))


def sentence_of(asked: Asked) -> str:
    """What it finds, and where it looks."""
    value = asked.value
    if value.inputs is None:
        return _tr("Draw, and it has a value.")
    if asked.is_answer:
        return _tr("Each number before them speaks for one; the sum decides.")
    found = value_text(value.y)
    if len(asked.shape) == 1:
        outputs = asked.content.values[value.layer + 1]
        stronger = int((outputs > value.y).sum())
        text = _tr("is {value}: the strongest of its layer.")
        if stronger:
            text = _tr("is {value}; {n} of its layer are stronger.", stronger)
        return text.format(value=found, n=count(stronger))
    top, left, bottom, right = value.seen
    height, width = asked.content.network.input_shape[:2]
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
    """A channel or number of the layer's input; a row of the drawing that answers see at once."""
    shape = asked.content.network.shapes[asked.value.layer]
    if asked.value.layer == 0 and len(shape) == 3 and asked.is_answer:
        return _tr("row {n}").format(n=source + 1)
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
    if asked.is_answer:
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


@dataclass(frozen=True, slots=True)
class _Term:
    """What one source, or several together, add."""

    part: float
    name: str
    source: int = -1
    target: object = None

    @property
    def words(self) -> str:
        return f"{self.name}: {value_text(self.part)}"


def _terms(asked: Asked, parts: np.ndarray, order: np.ndarray, most: int) -> list[_Term]:
    """The first `most` sources in this order, and all others as one."""
    terms = [
        _Term(float(parts[k]), _source_name(asked, k), k, _target(asked, k))
        for k in order[:most].tolist()
    ]
    others = order[most:]
    if len(others):
        name = _tr("{n} others", len(others)).format(n=count(len(others)))
        terms.append(_Term(float(parts[others].sum()), name))
    return terms


def _draw_patches(asked: Asked, sheet: Sheet) -> None:
    """A convolution: of each map before it what it sees, its filter, their product and its sum."""
    value = asked.value
    parts = parts_of(value)
    assert value.weights is not None
    assert parts is not None
    order = np.argsort(-np.abs(parts), kind="stable")
    most = SHOWN_SOURCES if len(parts) <= SHOWN_SOURCES else SHOWN_SOURCES - 1
    terms = _terms(asked, parts, np.array([*sorted(order[:most]), *order[most:]]), most)
    _draw_terms(asked, terms, 36, _STEP, sheet)
    if value.inputs is None:
        return
    muted = theme().colors.muted
    label = _tr("sum of {n}").format(n=value.weights.shape[0] * value.weights.shape[1])
    sheet.write(0, 126, _LABELS, label, color=muted)
    for place, term in enumerate(terms):
        x = _LABELS + _STEP * place - 22
        is_strong = term.source >= 0 and abs(term.part) > largest(parts) / 2
        words = ""
        if term.source < 0:
            words = term.words
            sheet.write(x, 52, 80, term.name, color=muted, align=CENTER)
        sheet.write(x, 126, 80, value_text(term.part), color=sign_color(term.part), bold=is_strong,
                    align=CENTER, words=words)  # fmt: skip
        if place:
            sheet.write(x - 23, 126, 40, "+", color=muted, align=CENTER)


def _draw_contributions(asked: Asked, sheet: Sheet) -> None:
    """A dense unit: its strongest maps or units, the rest as one, and the bias, as bars."""
    value = asked.value
    parts = parts_of(value)
    assert parts is not None
    order = np.argsort(-np.abs(parts), kind="stable")
    terms = _terms(asked, parts, order, SHOWN_SOURCES)
    _draw_terms(asked, terms, 32, _UNIT_STEP, sheet)
    terms.append(_Term(value.bias, _tr("bias")))
    bound = max(abs(term.part) for term in terms) or 1.0
    label = _tr("= gives") if value.inputs is not None else _tr("together")
    sheet.write(0, 72, _LABELS, label, color=theme().colors.muted)
    zero = 90
    sheet.rule(112, zero, 688, 0, strong=True)
    for place, term in enumerate(terms):
        x = _LABELS + _UNIT_STEP * place
        height = 20 * term.part / bound
        color = sign_color(term.part)
        sheet.bar(x, zero, 32, -height, color, words=term.words, target=term.target)
        y = zero + 1 + max(-height, 0)
        sheet.write(x - 16, y, 64, value_text(term.part), color=color, align=CENTER)
        sheet.write(x - 16, y + 16, 64, term.name, align=CENTER, target=term.target)


def _draw_terms(asked: Asked, terms: list[_Term], side: float, step: float, sheet: Sheet) -> None:
    """What a unit or map sees of each source, its weights, and of a map their products: as images
    of this side, `step` from each other, or as numbers.
    """
    value = asked.value
    is_unit = _has_bars(asked)
    rows = [
        (_tr("what it sees"), value.inputs, map_colors()),
        (_tr("× its weights") if is_unit else _tr("× its filter"), value.weights, weight_colors()),
    ]
    if not is_unit:
        rows.append((_tr("= product"), value.products, weight_colors()))
    said = 0 if value.inputs is not None else 1  # the first row that is painted
    for line, (label, arrays, table) in enumerate(rows):
        if arrays is None:
            continue
        y = (side + (4 if is_unit else 7)) * line
        sheet.write(0, y + side / 2 - 9, _LABELS, label, color=theme().colors.muted)
        bound = largest(arrays)
        for place, term in enumerate(terms):
            x = _LABELS + step * place
            if term.source < 0:
                continue
            if arrays.ndim == 3:
                part = arrays[:, :, term.source]
                words = term.words if line == said and not is_unit else ""
                sheet.image(x, y, side, part, table, bound=bound, words=words, target=term.target)
                continue
            factor = float(arrays[term.source])
            color = sign_color(factor) if line else ""
            sheet.write(x - 16, y + 7, 64, value_text(factor), color=color, align=CENTER)


def _draw_product(asked: Asked, sheet: Sheet) -> None:
    """One image times one of weights: a unit that sees the drawing, or the mean of a window."""
    value = asked.value
    pictures = (
        (_tr("what it sees"), value.inputs, map_colors() if value.layer else ink_colors()),
        (_tr("its weights"), value.weights, weight_colors()),
        (_tr("the product"), value.products, weight_colors()),
    )
    x = 0
    for caption, array, table in pictures:
        if array is None:
            continue
        numbers = array.size < 16
        if x:
            sign = "×" if array is value.weights else "="
            sheet.write(x - 52, 52, 52, sign, color=theme().colors.muted, align=CENTER)
        sheet.image(x, 0, _PICTURE, array[:, :, 0], table, caption=caption, numbers=numbers)
        x += 174


def _draw_window(asked: Asked, sheet: Sheet) -> None:
    """Pooling takes the largest of a window; other layers without weights pass a number on."""
    value = asked.value
    left = 0
    size = 1
    if len(asked.shape) == 3:
        top, before, bottom, after = value.area
        size = (bottom - top) * (after - before)
    if value.inputs is not None:
        left = 174
        seen = value.inputs[:, :, 0]
        caption = _tr("what it sees")
        numbers = ", ".join(value_text(float(each)) for each in seen.ravel())
        sheet.image(
            0,
            0,
            _PICTURE,
            seen,
            map_colors(),
            mark=divmod(value.taken, seen.shape[1]),
            numbers=True,
            caption=caption,
            words=f"{caption}: {numbers}",
        )
    text = _tr("Nothing is left out when it reads: the number goes on as it is.")
    if size > 1:
        text = _tr("The largest of the {n} numbers goes on; the others are forgotten.")
    text = text.format(n=size)
    sheet.write(left, 6, 320, text, color=theme().colors.muted, lines=4, words=text)


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
        sheet.pair(0, 22 * line, 230, label, value_text(step))
        if after and line:
            sheet.write(240, 22 * line, 30, "=", color=theme().colors.muted, align=CENTER)
            sheet.write(270, 22 * line, 70, value_text(after[line]), align=RIGHT)


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
        return [_Row(text, value_text(value.y), accent, bold=True)]
    rows: list[_Row] = []
    if asked.is_answer:
        rows = _answer_rows(asked)
    elif value.normalization is None and not _has_bars(asked):
        rows = [*_part_rows(value), _Row(_tr("its bias"), value_text(value.bias))]
    if not asked.is_answer:
        rows.append(_Row(_tr("together"), value_text(value.z), bold=True, is_total=bool(rows)))
        activation = activation_words(asked)
        if activation:
            rows.append(_Row(activation, value_text(value.y), accent, bold=True))
    return rows


def _has_bars(asked: Asked) -> bool:
    """Whether each term, and the bias, is a bar with its number: of units that see several maps or
    units.
    """
    weights = asked.value.weights
    is_unit = len(asked.shape) == 1
    return weights is not None and is_unit and (weights.ndim == 1 or weights.shape[2] > 1)


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
            _Row(_tr("all that is blue"), value_text(raising), colors[0]),
            _Row(_tr("all that is orange"), value_text(lowering), colors[1]),
        ]
    text = _tr("sum of the {n}", len(sums)).format(n=count(len(sums)))
    return [_Row(text, value_text(float(sums.sum(dtype=np.float64))))]


def _answer_rows(asked: Asked) -> list[_Row]:
    value = asked.value
    products = value.products
    assert products is not None
    colors = theme().colors.series
    this, that = asked.names
    text = _tr("all that speaks for {name}")
    raising = float(products[products > 0].sum(dtype=np.float64))
    lowering = float(products[products < 0].sum(dtype=np.float64))
    winner = this if value.z >= 0 else that
    return [
        _Row(text.format(name=this), value_text(raising), colors[0]),
        _Row(text.format(name=that), value_text(lowering), colors[1]),
        _Row(_tr("their biases"), value_text(value.bias, plus=True)),
        _Row(
            _tr("left over, for {name}").format(name=winner),
            value_text(value.z, plus=True),
            sign_color(value.z),
            bold=True,
            is_total=True,
        ),
    ]


def _draw_sum(asked: Asked, width: float, sheet: Sheet) -> None:
    sheet.rule(0, 0, 0, 142)
    y = 0.0
    for row in _sum_rows(asked):
        if row.is_total:
            sheet.rule(20, y + 2, width, 0, strong=True)
            y += 5
        sheet.pair(20, y, width, row.label, row.value, color=row.color, bold=row.bold)
        y += 22
    note = _note(asked)
    if note:
        sheet.write(20, y + 3, width, note, color=theme().colors.muted, lines=3, words=note)


def _note(asked: Asked) -> str:
    value = asked.value
    if asked.is_answer:
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
        value=value_text(float(parts[best])),
        name=asked.names[1],
    )


def _draw_map(asked: Asked, sheet: Sheet) -> None:
    """The map with the pixel; a click on another pixel asks for that."""
    value = asked.value
    values = asked.content.values
    if not values or len(asked.shape) == 1:
        return
    output = values[value.layer + 1][..., value.unit]
    caption = _tr("the pixel it becomes")
    sheet.image(
        16,
        0,
        126,
        output,
        map_colors(),
        bound=largest(values[value.layer + 1]),
        caption=caption,
        words=f"{caption}: {value_text(value.y)}",
        target="place",
        mark=(value.row, value.column),
    )


def _draw_onward(asked: Asked, adds: np.ndarray, sheet: Sheet) -> None:
    """What a unit adds to each answer."""
    answers = asked.content.columns[-1].shown
    shown = adds[list(answers)]
    sheet.write(0, -4, 220, _tr("and speaks for or against"), bold=True)
    pitch = min(13.0, 140 / max(len(answers), 1))
    bound = largest(shown) or 1.0
    for line, answer in enumerate(answers):
        value = float(shown[line])
        sheet.named_bar(
            0,
            15 + pitch * line,
            88,
            60 * value / bound,
            asked.content.classes[answer],
            sign_color(value),
            value=value_text(value, plus=True),
            end=198,
            bold=bool(shown.any()) and line == shown.argmax(),
            target=(len(asked.content.columns) - 1, line),
        )
    sheet.rule(88, 14, 0, pitch * len(answers) + 4, strong=True)


def _draw_for_and_against(asked: Asked, pixels: np.ndarray | None, sheet: Sheet) -> None:
    """The pixels and the units that speak for one class, and those for the other."""
    value = asked.value
    parts = parts_of_rows(value) if value.layer == 0 else parts_of(value)
    assert parts is not None
    if value.layer == 0 and value.products is not None and value.products.ndim == 3:
        pixels = value.products.sum(axis=2)
    if pixels is not None:
        caption = _tr("for {this}, for {that}, pixel by pixel")
        caption = caption.format(this=asked.names[0], that=asked.names[1])
        sheet.image(0, 0, _PICTURE, pixels, weight_colors(), words=caption)
        sheet.write(0, 126, 220, caption, color=theme().colors.muted)
    sides = [_strongest(asked, parts), _strongest(asked, -parts)]
    bound = max((term.part for side in sides for term in side), default=1.0)
    middle = 468
    for sign, name, side in zip((1, -1), asked.names, sides, strict=True):
        title = _tr("for {name}").format(name=name)
        color = sign_color(sign)
        left, align = (16, LEFT) if sign > 0 else (-116, RIGHT)
        sheet.write(middle + left, -5, 100, title, color=color, bold=True, align=align)
        for line, term in enumerate(side):
            y = 19 + 20 * line
            width = 150 * term.part / bound
            texts = [value_text(term.part), term.name]
            words = f"{title}: {term.name} {texts[0]}"
            sheet.bar(middle, y, sign * width, 13, color, words=words, target=term.target)
            x = middle + width + 7 if sign > 0 else middle - width - 117
            sheet.write(x, y - 3, 110, " ".join(texts[::sign]), align=align)
    sheet.rule(middle, 0, 0, 142, strong=True)


def _strongest(asked: Asked, parts: np.ndarray) -> list[_Term]:
    """The sources with the largest positive parts, the rest of these as one."""
    order = np.argsort(-np.nan_to_num(parts), kind="stable")
    return _terms(asked, parts, order[parts[order] > 0], SHOWN_OF_EACH)


def _draw_odds(asked: Asked, sheet: Sheet) -> None:
    """What the difference makes of the probabilities."""
    value = asked.value
    answers = asked.content.answers
    sheet.rule(0, 0, 0, 142)
    if answers is None or asked.content.model.loss != "cross-entropy":
        return
    colors = theme().colors
    this, that = float(answers[value.unit]), float(answers[value.other])
    exponent = value_text(value.z)
    temperature = asked.content.model.temperature
    if temperature != 1:
        exponent = f"{exponent} ÷ {number(temperature, 3)}"
    times = float(np.exp(value.z / temperature))
    text = _tr("e^({exponent}) = {times} times as likely").format(
        exponent=exponent, times=number(times, 3)
    )
    sheet.write(16, 0, 216, text, lines=2, words=text)
    left = f"{asked.names[0]}: {probability(this)}"
    right = f"{asked.names[1]}: {probability(that)}"
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
