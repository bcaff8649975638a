"""What the band shows of a unit or map for this drawing: the terms of its value, their sum, and
what it leads to.
"""

from dataclasses import dataclass

import numpy as np

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
from gui.stage.sheet import Sheet, linked, muted, sign_color, signed, small, value_text, written
from gui.text import choice_title, count, number, probability, translator
from gui.widgets.theme import theme

_tr = translator("Ask")

_PICTURE = 122
_TERM = 30  # pixels of the side of an image of a term


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


def _target(asked: Asked, source: int) -> str:
    """What a click on a source asks for: its position and index on the stage; empty where it is
    not shown.
    """
    before = sources_of(asked.content, asked.position)
    if before < 0:
        return ""
    shown = asked.content.columns[before].shown
    return f"{before}/{shown.index(source)}" if source in shown else ""


# -- the parts -------------------------------------------------------------------------------------


def write_value(asked: Asked, pixels: np.ndarray | None, sheet: Sheet) -> str:
    """All of it. pixels: float (height, width), how much each pixel speaks for an answer; None
    where that is not known.
    """
    value = asked.value
    if asked.is_answer:
        sides = _write_sides(asked, pixels, sheet)
        return sheet.parts(sides, _write_sum(asked, 200, sheet), _write_odds(asked, sheet))
    evidence = _write_evidence(asked, sheet)
    if value.inputs is None:
        return sheet.parts(evidence)
    adds = added_to_answers(asked.content, value)
    becomes = _write_map(asked, sheet) if adds is None else _write_onward(asked, adds, sheet)
    return sheet.parts(evidence, _write_sum(asked, 170, sheet), becomes)


def _write_evidence(asked: Asked, sheet: Sheet) -> str:
    value = asked.value
    weights = value.weights
    if value.normalization is not None:
        return _write_normalization(asked, sheet)
    if weights is None:
        return _write_window(asked, sheet)
    if weights.ndim == 3 and weights.shape[2] == 1:
        return _write_product(asked, sheet)
    return _write_terms(asked, sheet)


@dataclass(frozen=True, slots=True)
class _Term:
    """What one source, or several together, add."""

    part: float
    name: str
    source: int = -1
    target: str = ""

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


def _write_terms(asked: Asked, sheet: Sheet) -> str:
    """The strongest maps or units before it: what it sees of each, its weights, of a map their
    products, and what each adds; the rest as one. Of a unit also the bias, and all as bars.
    """
    value = asked.value
    parts = parts_of(value)
    assert parts is not None
    is_unit = _has_bars(asked)
    terms = _terms(asked, parts, np.argsort(-np.abs(parts), kind="stable"), SHOWN_SOURCES)
    weights = _tr("× its weights") if is_unit else _tr("× its filter")
    given = [
        (_tr("what it sees"), value.inputs, map_colors()),
        (weights, value.weights, weight_colors()),
    ]
    label = _tr("= gives") if value.inputs is not None else _tr("together")
    if is_unit:
        terms.append(_Term(value.bias, _tr("bias")))
    else:
        given.append((_tr("= product"), value.products, weight_colors()))
        label = _tr("sum of {n}").format(n=len(value.weights[:, :, 0].ravel()))  # type: ignore[index]
    rows = []
    for name, arrays, table in given:
        if arrays is not None:
            bound = largest(arrays)
            seen = [_written_source(arrays, bound, term, table, sheet) for term in terms]
            rows.append([muted(name), *seen])
    sums = [signed(term.part) for term in terms]
    if is_unit:
        bound = largest(np.array([term.part for term in terms])) or 1.0
        bars = [
            sheet.bar(
                term.part / bound,
                sign_color(term.part),
                60,
                10,
                zero=0.5,
                words=term.words,
                target=term.target,
            )
            for term in terms
        ]
        rows.append([muted(label), *bars])
        rows.append(["", *sums])
    else:
        rows.append([muted(label), *sums])
    rows.append(["", *(linked(small(term.name), term.target) for term in terms)])
    return sheet.table(rows, [112, *[64] * len(terms)], "lc", gap=1)


def _written_source(
    arrays: np.ndarray, bound: float, term: _Term, table: np.ndarray, sheet: Sheet
) -> str:
    """What belongs to a source, as an image or a number; nothing where it stands for several."""
    if term.source < 0:
        return ""
    if arrays.ndim == 1:
        return signed(float(arrays[term.source]))
    part = arrays[:, :, term.source]
    return sheet.values(part, _TERM, table, bound=bound, words=term.words, target=term.target)


def _write_product(asked: Asked, sheet: Sheet) -> str:
    """One image times one of weights: a unit that sees the drawing, or the mean of a window."""
    value = asked.value
    given = (
        ("", _tr("what it sees"), value.inputs, map_colors() if value.layer else ink_colors()),
        ("×", _tr("its weights"), value.weights, weight_colors()),
        ("=", _tr("the product"), value.products, weight_colors()),
    )
    images: list[str] = []
    captions: list[str] = []
    for sign, caption, array, table in given:
        if array is not None:
            numbers = array.size < 16
            image = sheet.values(array[:, :, 0], _PICTURE, table, numbers=numbers, words=caption)
            images += [muted(sign if images else ""), image]
            captions += ["", muted(caption)]
    return sheet.table([images, captions], [20, 140] * 3, "c")


def _write_window(asked: Asked, sheet: Sheet) -> str:
    """Pooling takes the largest of a window; other layers without weights pass a number on."""
    value = asked.value
    size = 1
    if len(asked.shape) == 3:
        top, before, bottom, after = value.area
        size = (bottom - top) * (after - before)
    text = _tr("Nothing is left out when it reads: the number goes on as it is.")
    if size > 1:
        text = _tr("The largest of the {n} numbers goes on; the others are forgotten.")
    told = sheet.text(320, muted(text.format(n=size)))
    if value.inputs is None:
        return told
    seen = value.inputs[:, :, 0]
    caption = _tr("what it sees")
    numbers = ", ".join(value_text(float(each)) for each in seen.ravel())
    row, column = divmod(value.taken, seen.shape[1])
    image = sheet.values(
        seen,
        _PICTURE,
        map_colors(),
        mark=(row, column, row + 1, column + 1),
        numbers=True,
        words=f"{caption}: {numbers}",
    )
    return sheet.table([[image, told], [muted(caption)]], [150], "cl")


def _write_normalization(asked: Asked, sheet: Sheet) -> str:
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
    rows = [[muted(label), written(value_text(step))] for label, step in steps]
    if value.inputs is not None:
        x = float(value.inputs.item())
        middle = (x - by.mean) / by.deviation
        after = x - by.mean, middle, middle * by.scale, middle * by.scale + by.shift
        for row, number_after in zip(rows, after, strict=True):
            row += [muted("="), written(value_text(number_after))]
        rows.insert(0, [muted(_tr("what it gets")), written(value_text(x))])
    return sheet.table(rows, [150, 80, 30, 70], "lrcr")


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


def _write_sum(asked: Asked, width: float, sheet: Sheet) -> str:
    lines = _sum_rows(asked)
    rows = [[muted(line.label), written(line.value, line.color, bold=line.bold)] for line in lines]
    ruled = [index for index, line in enumerate(lines) if line.is_total]
    table = sheet.table(rows, [width - 50, 50], "lr", ruled=ruled)
    note = _note(asked)
    return table + sheet.text(width, muted(note)) if note else table


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


def _write_map(asked: Asked, sheet: Sheet) -> str:
    """The map with the pixel; a click on another pixel asks for that."""
    value = asked.value
    values = asked.content.values
    if not values or len(asked.shape) == 1:
        return ""
    image = sheet.values(
        values[value.layer + 1][..., value.unit],
        126,
        map_colors(),
        bound=largest(values[value.layer + 1]),
        words=value_text(value.y),
        target="place",
        mark=(value.row, value.column, value.row + 1, value.column + 1),
    )
    return sheet.table([[image], [muted(_tr("the pixel it becomes"))]], align="c")


def _write_onward(asked: Asked, adds: np.ndarray, sheet: Sheet) -> str:
    """What a unit adds to each answer."""
    answers = asked.content.columns[-1].shown
    shown = adds[list(answers)]
    bound = largest(shown) or 1.0
    last = len(asked.content.columns) - 1
    rows = []
    for line, answer in enumerate(answers):
        value = float(shown[line])
        is_most = bool(shown.any()) and line == shown.argmax()
        bar = sheet.bar(value / bound, sign_color(value), 120, zero=0.5, target=f"{last}/{line}")
        text = small(value_text(value, plus=True), bold=is_most)
        rows.append([small(asked.content.classes[answer], bold=is_most), bar, text])
    title = written(_tr("and speaks for or against"), bold=True)
    return title + sheet.table(rows, [28, 124, 50], "llr", gap=0)


def _write_sides(asked: Asked, pixels: np.ndarray | None, sheet: Sheet) -> str:
    """The pixels and the units that speak for one class, and those for the other."""
    value = asked.value
    parts = parts_of_rows(value) if value.layer == 0 else parts_of(value)
    assert parts is not None
    if value.layer == 0 and value.products is not None and value.products.ndim == 3:
        pixels = value.products.sum(axis=2)
    image = ""
    if pixels is not None:
        caption = _tr("for {this}, for {that}, pixel by pixel")
        caption = caption.format(this=asked.names[0], that=asked.names[1])
        picture = sheet.values(pixels, 106, weight_colors(), words=caption)
        image = sheet.text(130, picture, muted(caption))
    sides = [_strongest(asked, parts), _strongest(asked, -parts)]
    bound = max((term.part for side in sides for term in side), default=1.0)
    tables = []
    for sign, name, side in zip((1, -1), asked.names, sides, strict=True):
        color = sign_color(sign)
        title = written(_tr("for {name}").format(name=name), color, bold=True)
        rows = [[f"&nbsp;{title}&nbsp;", ""]]
        for term in side:
            texts = [small(value_text(term.part)), small(term.name)]
            share = sign * term.part / bound
            bar = sheet.bar(share, color, 130, 13, zero=float(sign < 0), target=term.target)
            rows.append([bar, "&nbsp;".join(texts[::sign])])
        rows = [row[::sign] for row in rows]
        tables.append(sheet.table(rows, [130, 92][::sign], "r" if sign < 0 else "l", gap=1))
    return sheet.table([[image, tables[1], tables[0]]], gap=0)


def _strongest(asked: Asked, parts: np.ndarray) -> list[_Term]:
    """The sources with the largest positive parts, the rest of these as one."""
    order = np.argsort(-np.nan_to_num(parts), kind="stable")
    return _terms(asked, parts, order[parts[order] > 0], SHOWN_OF_EACH)


def _write_odds(asked: Asked, sheet: Sheet) -> str:
    """What the difference makes of the probabilities."""
    value = asked.value
    answers = asked.content.answers
    if answers is None or asked.content.model.loss != "cross-entropy":
        return sheet.text(216, _write_others(asked))
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
    names = [
        written(f"{name}: {probability(share)}", color, bold=True)
        for name, share, color in zip(asked.names, (this, that), colors.series, strict=False)
    ]
    # Both are 0 where a third class is as good as certain.
    share = this / (this + that) if this + that > 0 else 0.5
    bar = sheet.bar(share, colors.series[0], 216, 12, track=colors.series[1])
    rest = max(1 - this - that, 0)
    others = _tr("All others have together {share}.").format(share=probability(rest))
    # It would be written as 0.0 %.
    if rest < 0.0005:
        others = _tr("All others have together less than 0.1 %.")
    both = sheet.table([names], [108, 108], "lr", gap=0)
    return sheet.text(216, written(text), both, bar, muted(others), _write_others(asked))


def _write_others(asked: Asked) -> str:
    """The classes with which an answer can be compared by a click."""
    colors = theme().colors
    this = asked.value.unit
    names = [
        written(asked.content.classes[unit], colors.accent, target=f"other/{unit}")
        for unit in asked.content.columns[-1].shown
        if unit not in (this, asked.value.other)
    ]
    return f"{muted(_tr('Ask about'))} {' '.join(names)}"
