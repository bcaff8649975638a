"""What the band shows of a step at each of its stations, from the numbers of the training."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.inspection.one_step import BatchAnswers, OneStep, WeightChange
from core.inspection.stage_content import Links, StageContent
from core.network.losses import find_loss
from core.training.optimizers.optimizer import direction
from core.training.records import EpochDone
from gui.stage.asked import sources_of
from gui.stage.captions import layer_caption, role_of
from gui.stage.colors import error_colors, largest, stage_colors
from gui.stage.sheet import Sheet, muted, small, tiny, written
from gui.text import count, fixed, number, percent, probability, translator, with_sign
from gui.widgets.theme import HEADING, TITLE, blend, theme

_tr = translator("Step")

FORWARD, ERROR, BACK, CHANGE = range(4)
_TEXT = 390
_WISHES = QSizeF(416, 58)
_ROWS = 10  # of classes


@dataclass(frozen=True, slots=True)
class Looked:
    """A step, and what one image of it saw.

    `said`: what the training was answered; `before`, `after`: what the networks before and after
    the step answer to its images, and `drawing` to the drawing, None without one. `forward`,
    `back`, `then`: the contents of the stage for `image`: on the way, of the errors, after the
    step.
    """

    step: OneStep
    said: BatchAnswers
    before: BatchAnswers
    after: BatchAnswers
    drawing: tuple[np.ndarray, np.ndarray] | None
    image: int
    forward: StageContent
    back: StageContent
    then: StageContent

    @property
    def classes(self) -> Sequence[str]:
        return self.step.before.classes

    @property
    def count(self) -> int:
        return len(self.step.seen.targets)

    def is_right(self, answers: BatchAnswers) -> np.ndarray:
        """bool (n,): of a regression, all are."""
        return np.ones(self.count, bool) if answers.right is None else answers.right

    def label(self, image: int | None = None) -> str:
        """The name of the right class of an image, or the right value, by default of this one."""
        target = self.step.seen.targets[self.image if image is None else image]
        classes = self.classes
        return classes[int(target)] if classes else number(float(target[0]), 3)

    def read(self, answers: BatchAnswers, image: int | None = None) -> str:
        """What is read in an image, or the value that is answered, by default of this one."""
        # A training that diverges answers NaN, of which no class is the largest.
        answer = np.nan_to_num(answers.answers[self.image if image is None else image])
        classes = self.classes
        return classes[int(answer.argmax())] if classes else number(float(answer[0]), 3)

    def wanted(self) -> np.ndarray:
        """float32 (outputs,): what would be right for this image."""
        target = self.step.seen.targets[self.image]
        if not self.classes:
            return np.asarray(target, np.float32)
        wanted = np.zeros(self.said.answers.shape[1], np.float32)
        wanted[int(target)] = 1
        return wanted

    def errors(self) -> np.ndarray:
        """float32 (outputs,): what was answered less what is right."""
        return np.nan_to_num(self.said.answers[self.image]) - self.wanted()


@dataclass(frozen=True, slots=True)
class SeenWeight:
    """One weight of a step. `position`, `line`: its connection on the stage, which has the sign of
    its gradient; None where that is not shown.
    """

    change: WeightChange
    position: int = -1
    line: Links | None = None


def first_weight(looked: Looked) -> SeenWeight:
    """The weight to the right answer of this image that was changed most, of those shown."""
    content = looked.then
    last = len(content.columns) - 1
    links = content.links[last]
    assert links is not None
    unit = int(looked.step.seen.targets[looked.image]) if looked.classes else 0
    shown = content.columns[last].shown
    to_unit = [index for index, target in enumerate(links.targets) if shown[target] == unit]
    # The unit of the right answer may not be among those that are shown.
    seen = [weight_at(looked, last, index) for index in to_unit or range(len(links.targets))]
    if not seen:
        layer = content.columns[last].layer
        weight = looked.step.strongest_weight(layer, unit)
        return SeenWeight(looked.step.change_of(layer, weight))
    return max(seen, key=lambda each: abs(each.change.after - each.change.before))


def weight_at(looked: Looked, position: int, index: int) -> SeenWeight:
    """The weight that was changed most of those behind a connection of the stage."""
    content = looked.then
    links = content.links[position]
    assert links is not None
    column = content.columns[position]
    unit = column.shown[int(links.targets[index])]
    before = sources_of(content, position)
    sources: Sequence[int] = ()
    if before >= 0 and content.columns[before].layer != column.layer:
        sources = (content.columns[before].shown[int(links.sources[index])],)
    weight = looked.step.strongest_weight(column.layer, unit, sources)
    change = looked.step.change_of(column.layer, weight)
    # Only its sign is shown: the line has the color of too much or too little.
    sign = np.array([1.0 if change.gradient > 0 else -1.0], np.float32)
    line = replace(links.only(index), contributions=sign)
    if before < 0 and links.rows != len(column.shown):  # from the row of the weight
        row = weight[0] * links.rows // int(np.prod(content.network.input_shape))
        line = replace(line, sources=np.array([row]))
    return SeenWeight(change, position, line)


# -- words -----------------------------------------------------------------------------------------


def headline(looked: Looked, station: int) -> str:
    """What a station says in one sentence."""
    classes = looked.classes
    if station == BACK:
        return _tr("The error goes back.")
    if not classes:
        text = _tr("The answer is {read}; {label} is right.")
        return text.format(read=looked.read(looked.said), label=looked.label())
    if station == ERROR:
        target = int(looked.step.seen.targets[looked.image])
        share = probability(float(looked.said.answers[looked.image, target]))
        return _tr("The right answer has {share}.").format(share=share)
    if looked.is_right(looked.said)[looked.image]:
        return _tr("This {label} is read right.").format(label=looked.label())
    text = _tr("This {label} is read as a {read}.")
    return text.format(label=looked.label(), read=looked.read(looked.said))


def image_words(looked: Looked, image: int) -> str:
    """An image of the batch, for a screen reader."""
    text = _tr("Image {n} of {all}: {label}, read as {read}")
    if not looked.classes:
        text = _tr("Point {n} of {all}: {label}, answered {read}")
    return text.format(
        n=image + 1,
        all=looked.count,
        label=looked.label(image),
        read=looked.read(looked.said, image),
    )


def weight_title(looked: Looked, change: WeightChange) -> str:
    """`One of 54,216 weights: unit 14 to answer 7`."""
    network = looked.step.before.network
    weight = change.weight
    role = role_of(network, change.layer)
    unit = _tr("unit {n}").format(n=weight[-1] + 1)
    classes = looked.classes
    if role == "answers":
        name = classes[weight[-1]] if classes else str(weight[-1] + 1)
        unit = _tr("answer {name}").format(name=name)
    if role == "filters":
        text = _tr("One of {all} weights: filter {n}, row {row}, column {column}")
        return text.format(
            all=count(network.weight_count),
            n=weight[-1] + 1,
            row=weight[0] + 1,
            column=weight[1] + 1,
        )
    shape = network.shapes[change.layer]
    source = _tr("unit {n}").format(n=weight[0] + 1)
    if len(shape) == 3:
        row, column = divmod(weight[0] // shape[-1], shape[1])
        source = _tr("map {n}").format(n=weight[0] % shape[-1] + 1)
        if change.layer == 0:
            source = _tr("row {row}, column {column}").format(row=row + 1, column=column + 1)
    text = _tr("One of {all} weights: {source} to {unit}")
    return text.format(all=count(network.weight_count), source=source, unit=unit)


def formula_words(change: WeightChange) -> str:
    """The sum of a weight as it is said: `−0.0583 − 0.1 × −0.1800 = −0.0403`."""
    signs = _signs(change)
    values = [change.rate, *(term.value for term in change.terms), change.after]
    parts = zip(["\N{MINUS SIGN}", *signs], values, strict=True)
    return " ".join([number(change.before), *(f"{sign} {number(value)}" for sign, value in parts)])


def _signs(change: WeightChange) -> list[str]:
    """The signs before the terms and the result; a sum is in parentheses."""
    signs = [term.sign for term in change.terms]
    if "+" in signs:
        return [f"{signs[0]} (", *signs[1:], ") ="]
    return [*signs, "="]


# -- the parts -------------------------------------------------------------------------------------


def write_station(
    looked: Looked, station: int, weight: SeenWeight, test: EpochDone | None, sheet: Sheet
) -> str:
    """What a station shows. test: the epoch that the step has ended."""
    if station == CHANGE:
        changes = _write_change(looked, _effects(looked, test), sheet)
        return sheet.parts(_write_weight(looked, weight.change, sheet), changes)
    parts = [sheet.text(_TEXT, *_TEXTS[station](looked))]
    if station == BACK:
        parts += [_write_pulls(looked, sheet), _write_pulled(looked, sheet)]
    elif looked.classes and station == FORWARD:
        parts.append(_write_matrix(looked, sheet))
    elif looked.classes:
        parts.append(_write_errors(looked, sheet))
    return sheet.parts(*parts)


def _title(text: str) -> str:
    return written(text, bold=True, size=TITLE)


def _forward_texts(looked: Looked) -> list[str]:
    steps = looked.step.seen.before.step
    text = _tr(
        "The images of the step go through the network as it is now, one like the other. It has "
        "learned from {n} steps so far.",
        steps,
    )
    texts = [_title(headline(looked, FORWARD)), muted(text.format(n=count(steps)))]
    if looked.said.right is not None:
        right = int(looked.said.right.sum())
        text = _tr("{n} of the {all} are read right.", right)
        texts.append(written(text.format(n=right, all=looked.count)))
    return [*texts, muted(_tr("Click another image at the left to see its way."))]


def _error_texts(looked: Looked) -> list[str]:
    model = looked.step.before
    own = float(looked.said.losses[looked.image])
    mean = float(looked.said.losses.mean())
    loss = find_loss(model.loss, model.kind)
    guess = loss.constant_loss(looked.step.seen.targets)
    if loss.name == "cross-entropy":
        guess = float(np.log(len(model.classes)))
        share = looked.said.answers[looked.image, int(looked.step.seen.targets[looked.image])]
        rule = _tr("Cross-entropy: minus the logarithm of the share that the right answer has.")
        text = _tr("\N{MINUS SIGN}ln {share} = {loss} for this image")
        one = text.format(share=number(float(share), 3), loss=fixed(own, 2))
        text = _tr("{loss} is the mean of the {n}; guessing has {guess}")
    else:
        rule = _tr("Squared error: half the square of what is too much or too little, summed.")
        text = _tr("{loss} for this image") if model.classes else _tr("{loss} for this point")
        one = text.format(loss=number(own, 3))
        text = _tr("{loss} is the mean of the {n}; one answer for all has {guess}")
    mean_text = text.format(loss=fixed(mean, 2), n=looked.count, guess=fixed(guess, 2))
    last = _tr(
        "At each answer: what it says less what is right. That is where the way back begins."
    )
    errors = looked.step.seen.errors[-1]
    assert errors is not None
    # Softmax with cross-entropy has this error itself; other outputs add the slope.
    if not np.allclose(looked.errors(), errors[looked.image], atol=1e-4):
        last = _tr(
            "At each answer: what it says less what is right. Times the slope of its activation, "
            "it goes back."
        )
    title = _title(headline(looked, ERROR))
    return [title, muted(rule), written(one), written(mean_text), muted(last)]


def _back_texts(looked: Looked) -> list[str]:
    colors = theme().colors
    text = _tr("Each unit gets its share, along the weights that it went forward by.")
    activations = looked.step.before.activations[:-1]
    more = ""
    if "relu" in activations:
        more = _tr("A unit that was silent gets none: ReLU lets nothing through.")
    elif {"sigmoid", "tanh"} & set(activations):
        more = _tr("Times the slope of its activation: of a unit near a limit little is left.")
    last = _tr("Pictures and units: for this {label}. Lines: the mean of the {n}.")
    return [
        _title(headline(looked, BACK)),
        muted(f"{text} {more}"),
        written(f"■ {_tr('less of this would lower the error')}", colors.too_much),
        written(f"■ {_tr('more of this would lower the error')}", colors.too_little),
        muted(last.format(label=looked.label(), n=looked.count)),
    ]


_TEXTS = {FORWARD: _forward_texts, ERROR: _error_texts, BACK: _back_texts}


def _write_matrix(looked: Looked, sheet: Sheet) -> str:
    """How many images of each label are read as which class; empty for many classes."""
    classes = looked.classes
    if len(classes) > _ROWS:
        return ""
    colors = theme().colors
    targets = looked.step.seen.targets
    read = np.nan_to_num(looked.said.answers).argmax(axis=1)
    framed = int(targets[looked.image]), int(read[looked.image])
    counts = np.zeros((len(classes), len(classes)), int)
    # `counts[...] += 1` would count images with the same pair only once.
    np.add.at(counts, (targets, read), 1)
    rows = [[tiny(""), *(tiny(name) for name in classes)]]
    rows += [[tiny(name)] for name in classes]
    fills = {}
    for (row, column), found in np.ndenumerate(counts):
        is_framed = (row, column) == framed
        rows[row + 1].append(tiny(f"[{found}]" if is_framed else str(found or "")))
        tint = QColor(colors.series[0] if row == column else colors.series[1])
        share = 0.15 + 0.3 * min(found / 10, 1) if found else 0.0
        fills[row + 1, column + 1] = blend(stage_colors().paper, tint, share).name()
    same = int(counts[framed])
    text = _tr("Blue: read right. Orange: as another class. In brackets: this {label}.")
    if same > 1:
        text = _tr(
            "Blue: read right. Orange: as another class. In brackets: this {label}, with {n} more.",
            same - 1,
        )
    title = written(_tr("All {n}: label, read as").format(n=looked.count), bold=True)
    told = sheet.text(130, title, muted(text.format(label=looked.label(), n=same - 1)))
    matrix = sheet.table(rows, [20, *[25] * len(classes)], "c", gap=0, fills=fills)
    return sheet.table([[matrix, told]])


def _write_errors(looked: Looked, sheet: Sheet) -> str:
    """What each answer says, what is right, and the error."""
    shares = looked.said.answers[looked.image]
    wanted = looked.wanted()
    errors = looked.errors()
    colors = theme().colors
    best = int(np.nan_to_num(shares).argmax())
    titles = "", _tr("What it says"), "", _tr("less what is right"), _tr("= the error"), ""
    rows = [[small(title, bold=True) for title in titles]]
    for answer in looked.forward.columns[-1].shown[:_ROWS]:
        name = looked.classes[answer]
        share = float(shares[answer])
        error = float(errors[answer])
        is_right = wanted[answer] > 0
        color = colors.accent if answer == best else stage_colors().mark.name()
        pull = colors.too_much if error > 0 else colors.too_little
        rows.append(
            [
                small(name, colors.muted),
                sheet.bar(min(abs(share), 1), color, 110, track=colors.track),
                small(fixed(share, 2), bold=answer == best),
                small(
                    f"{name}: {count(float(wanted[answer]))}",
                    "" if is_right else colors.muted,
                    bold=is_right,
                ),
                sheet.bar(min(abs(error), 1), pull, 80),
                small(with_sign(error), bold=is_right),
            ]
        )
    return sheet.table(rows, [20, 118, 40, 130, 84, 40], gap=0)


def _write_pulls(looked: Looked, sheet: Sheet) -> str:
    """The root mean square of each layer's gradient."""
    network = looked.step.before.network
    pulls = looked.step.layer_pulls()
    bound = max((pull.size for pull in pulls), default=0.0) or 1.0
    color = stage_colors().mark.name()
    rows = [
        [
            muted(layer_caption(network, pull.layer).text),
            sheet.bar(pull.size / bound, color, 150),
            written(number(pull.size, 2)),
        ]
        for pull in pulls
    ]
    title = written(_tr("How hard each layer's weights are pulled"), bold=True)
    text = _tr("root mean square; a layer near 0 does not learn")
    return title + sheet.table(rows, [104, 154]) + small(text, theme().colors.muted)


def _write_pulled(looked: Looked, sheet: Sheet) -> str:
    """The filter or unit of the first layer that is pulled hardest, where it is an image."""
    network = looked.step.before.network
    if len(network.input_shape) != 3 or network.weight_shapes[0] is None:
        return ""
    unit, own = looked.step.pull_on(0)
    own = own.mean(axis=2)
    title = _tr("The pull on unit {n}")
    if role_of(network, 0) == "filters":
        title = _tr("The pull on filter {n}")
    text = _tr("strongest: {value}").format(value=number(largest(own), 2))
    image = sheet.values(own, 90, error_colors())
    return sheet.text(150, written(title.format(n=unit + 1), bold=True), image, muted(text))


def _write_weight(looked: Looked, change: WeightChange, sheet: Sheet) -> str:
    """The sum of one weight, and what each image wants of it."""
    colors = theme().colors
    own_color = colors.too_much if direction(change.terms) > 0 else colors.too_little
    parts = [("", change.before, _tr("weight"), "")]
    parts.append(("\N{MINUS SIGN}", change.rate, _tr("rate"), ""))
    *signs, equals = _signs(change)
    for sign, term in zip(signs, change.terms, strict=True):
        caption = QCoreApplication.translate("UpdateTerm", term.caption)
        parts.append((sign, term.value, caption, own_color))
    parts.append((equals, change.after, _tr("new weight"), colors.accent))
    terms = []
    for sign, value, caption, color in parts:
        own = written(number(value), color, bold=True, size=HEADING)
        before = muted(sign.replace(" ", "&nbsp;"))
        terms += [f"{before}<br>&nbsp;", f"{own}<br>{small(caption, colors.muted)}"]
    formula = sheet.table([terms])
    title = written(weight_title(looked, change), bold=True, size=HEADING)
    return title + formula + _write_wishes(looked, change, sheet)


def _write_wishes(looked: Looked, change: WeightChange, sheet: Sheet) -> str:
    """The pull of each image on the weight as a bar: up for too much, down for too little."""
    pulls = np.nan_to_num(change.pulls)
    mean = float(pulls.mean())
    own = with_sign(float(pulls[looked.image]), 3)
    text = _tr("each image pulls it; dashed, the mean: {mean}. ▾ this {label}: {own}")
    text = text.format(mean=with_sign(mean, 3), label=looked.label(), own=own)
    added = change.gradient - mean
    settings = looked.step.before.settings()
    # The pulls are rounded: a smaller difference is no weight decay.
    is_seen = abs(added) > 1e-3 * max(abs(change.gradient), 1e-9)
    if is_seen and (settings.l1 or settings.l2):
        more = _tr("Weight decay adds {value}.").format(value=with_sign(added, 2))
        text = f"{text}. {more}"
    paint = partial(_paint_wishes, pulls=pulls, image=looked.image)
    bars = sheet.picture(_WISHES, paint, text)
    return sheet.table([[bars], [small(text, theme().colors.muted)]], [_WISHES.width()])


def _paint_wishes(painter: QPainter, *, pulls: np.ndarray, image: int) -> None:
    colors = theme().colors
    highest = max(float(pulls.max()), 0.0)
    # Where no image pulls, there is nothing to scale.
    scale = (_WISHES.height() - 14) / ((highest - min(float(pulls.min()), 0.0)) or 1.0)
    zero = 14 + highest * scale
    step = _WISHES.width() / len(pulls)
    for place, pull in enumerate(pulls.tolist()):
        color = QColor(colors.too_much if pull > 0 else colors.too_little)
        if place != image:
            color = blend(QColor(colors.base), color, 0.6)
        bar = QRectF(step * place, zero, step - 1, -pull * scale or 1)
        # A bar that goes up has a negative height.
        painter.fillRect(bar.normalized(), color)
    painter.setPen(colors.text)
    area = QRectF(step * (image + 0.5) - 10, 0, 20, 14)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "▾")
    for height, style in ((zero, Qt.PenStyle.SolidLine),
                          (zero - float(pulls.mean()) * scale, Qt.PenStyle.DashLine)):  # fmt: skip
        painter.setPen(QPen(QColor(colors.text), 1, style))
        painter.drawLine(QPointF(0, height), QPointF(_WISHES.width(), height))


def _write_change(looked: Looked, effects: list[tuple[str, ...]], sheet: Sheet) -> str:
    """What the step did to this image, to the drawing, and to all of its images."""
    rows = [["", muted(_tr("before")), "", muted(_tr("after"))]]
    for words, before, after in effects:
        arrow = muted("→" if before else "")
        rows.append([muted(words), written(before), arrow, written(after, bold=True)])
    title = written(_tr("What the step did"), bold=True, size=HEADING)
    table = sheet.table(rows, [190, 54, 18, 72], "lrcr", gap=1)
    # Dropout and batch normalization answer otherwise in training.
    if not np.allclose(looked.said.answers, looked.before.answers, atol=1e-3):
        text = _tr("as it reads, without dropout and with the means of the training")
        table += small(text, theme().colors.muted)
    return title + table


def _effects(looked: Looked, test: EpochDone | None) -> list[tuple[str, ...]]:
    """Words, and the values before and after the step."""
    rows: list[tuple[str, ...]] = []
    seen = looked.step.seen
    image = looked.image
    both = looked.before, looked.after
    if looked.classes:
        target = int(seen.targets[image])
        shares = [percent(float(np.nan_to_num(each.answers[image, target])), 0) for each in both]
        text = _tr("this {label}, read as a {label}").format(label=looked.label())
        rows.append((text, *shares))
        if looked.drawing is not None:
            read = int(np.nan_to_num(looked.drawing[1]).argmax())
            shares = [percent(float(np.nan_to_num(each[read])), 0) for each in looked.drawing]
            text = _tr("your drawing, read as a {name}")
            rows.append((text.format(name=looked.classes[read]), *shares))
        rights = [count(int(looked.is_right(each).sum())) for each in both]
        rows.append((_tr("read right of the {n}").format(n=looked.count), *rights))
    else:
        values = [looked.read(each) for each in both]
        text = _tr("this point; {label} is right").format(label=looked.label())
        rows.append((text, *values))
    losses = [fixed(float(np.nan_to_num(each.losses).mean()), 2) for each in both]
    rows.append((_tr("mean error of the {n}").format(n=looked.count), *losses))
    if test is not None:
        score = percent(test.test_score)
        if not looked.classes:
            score = number(test.test_score, 3)
        rows.append((_tr("and the test, after epoch {n}").format(n=test.epoch), "", score))
    return rows
