"""What the band shows of a step at each of its stations, from the numbers of the training."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics

from core.inspection.one_step import BatchAnswers, OneStep, WeightChange
from core.inspection.stage_content import Links, StageContent
from core.network.losses import find_loss
from core.training.optimizers.optimizer import direction
from core.training.records import EpochDone
from gui.stage.asked import sources_of
from gui.stage.captions import layer_caption, role_of
from gui.stage.colors import error_colors, largest, stage_colors
from gui.stage.pieces import CENTER, LEFT, RIGHT, Block, Sheet
from gui.text import count, fixed, number, percent, probability, with_sign
from gui.widgets.theme import HEADING, TITLE, blend, theme

FORWARD, ERROR, BACK, CHANGE = range(4)
_HEIGHT = 158
_MARGIN = 24  # pixels between two parts, at 100 %
_TEXT = 380
_ROWS = 10  # of classes


def _tr(text: str, n: int = -1) -> str:
    return QCoreApplication.translate("Step", text, None, n)


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


def weight_of(looked: Looked, layer: int, weight: tuple[int, ...]) -> SeenWeight:
    """A weight of a layer, with its connection."""
    change = looked.step.change_of(layer, weight)
    content = looked.then
    position = max(
        at for at, column in enumerate(content.columns) if column.layer == layer and not column.thin
    )
    before = sources_of(content, position)
    links = content.links[position]
    shown = content.columns[position].shown
    if links is None or weight[-1] not in shown:
        return SeenWeight(change)
    target = shown.index(weight[-1])
    source = target
    if before < 0 and links.rows != len(shown):
        shape = content.network.input_shape
        source = weight[0] * links.rows // int(np.prod(shape))
    elif before >= 0 and content.columns[before].layer != layer:
        channel = weight[-2] % content.network.shapes[layer][-1]
        sources = content.columns[before].shown
        if channel not in sources:
            return SeenWeight(change)
        source = sources.index(channel)
    sign = 1.0 if change.gradient > 0 else -1.0
    line = Links(np.array([source]), np.array([target]), np.array([sign], np.float32), links.rows)
    return SeenWeight(change, position, line)


def first_weight(looked: Looked) -> SeenWeight:
    """The weight to the right answer of this image that was changed most, of those shown."""
    content = looked.then
    last = len(content.network.layers) - 1
    classes = looked.classes
    unit = int(looked.step.seen.targets[looked.image]) if classes else 0
    before = sources_of(content, len(content.columns) - 1)
    sources: Sequence[int] = ()
    if before >= 0 and content.columns[before].layer != last:
        sources = content.columns[before].shown
    return weight_of(looked, last, looked.step.strongest_weight(last, unit, sources))


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
    return weight_of(
        looked, column.layer, looked.step.strongest_weight(column.layer, unit, sources)
    )


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


def blocks_of(
    looked: Looked, station: int, weight: SeenWeight, test: EpochDone | None
) -> list[Block]:
    """The parts of a station beside each other. test: the epoch that the step has ended."""
    if station == CHANGE:
        return [
            Block(450, partial(_draw_weight, looked, weight.change, 416), _HEIGHT),
            Block(380, partial(_draw_change, looked, _effects(looked, test), 340), _HEIGHT),
        ]
    parts = [Block(_TEXT, partial(_TEXTS[station], looked, _TEXT - _MARGIN), _HEIGHT)]
    if station == BACK:
        parts.append(Block(360, partial(_draw_pulls, looked), _HEIGHT))
        if _has_picture(looked):
            parts.append(Block(150, partial(_draw_pulled, looked), _HEIGHT))
    elif looked.classes:
        if station == FORWARD:
            parts.append(Block(450, partial(_draw_matrix, looked), _HEIGHT))
        else:
            parts.append(Block(450, partial(_draw_errors, looked), _HEIGHT))
    return parts


def _write_all(sheet: Sheet, width: float, texts: Sequence[tuple[str, str]]) -> float:
    """A title, and texts below it, each with its color, in as many lines as they need; returns
    where they end.
    """
    top = 2.0
    for place, (text, color) in enumerate(texts):
        size = TITLE if place == 0 else 1.0
        font = theme().font(size, bold=place == 0)
        room = QRect(0, 0, round(width * sheet.scale), 0)
        needed = QFontMetrics(font).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        sheet.write(
            0,
            top,
            width,
            text,
            color=color,
            bold=place == 0,
            size=size,
            lines=2,
            height=needed / sheet.scale + 2,
            words=text,
        )
        top += needed / sheet.scale + 6
    return top


def _draw_forward(looked: Looked, width: float, sheet: Sheet) -> None:
    muted = theme().colors.muted
    steps = looked.step.seen.before.step
    text = _tr(
        "The images of the step go through the network as it is now, one like the other. It has "
        "learned from {n} steps so far.",
        steps,
    )
    lines = [(headline(looked, FORWARD), ""), (text.format(n=count(steps)), muted)]
    if looked.said.right is not None:
        right = int(looked.said.right.sum())
        text = _tr("{n} of the {all} are read right.", right)
        lines.append((text.format(n=right, all=looked.count), ""))
    lines.append((_tr("Click another image at the left to see its way."), muted))
    _write_all(sheet, width, lines)


def _draw_error(looked: Looked, width: float, sheet: Sheet) -> None:
    muted = theme().colors.muted
    model = looked.step.before
    own = float(looked.said.losses[looked.image])
    mean = float(looked.said.losses.mean())
    classes = len(model.classes)
    loss = find_loss(model.loss, model.kind)
    if loss.name == "cross-entropy":
        share = looked.said.answers[looked.image, int(looked.step.seen.targets[looked.image])]
        rule = _tr("Cross-entropy: minus the logarithm of the share that the right answer has.")
        text = _tr("\N{MINUS SIGN}ln {share} = {loss} for this image")
        one = text.format(share=number(float(share), 3), loss=fixed(own, 2))
        text = _tr("{loss} is the mean of the {n}; guessing has {guess}")
    else:
        rule = _tr("Squared error: half the square of what is too much or too little, summed.")
        text = _tr("{loss} for this image") if classes else _tr("{loss} for this point")
        one = text.format(loss=number(own, 3))
        text = _tr("{loss} is the mean of the {n}; one answer for all has {guess}")
    guess = loss.constant_loss(looked.step.seen.targets)
    if loss.name == "cross-entropy":
        guess = float(np.log(classes))
    mean_text = text.format(loss=fixed(mean, 2), n=looked.count, guess=fixed(guess, 2))
    last = _tr(
        "At each answer: what it says less what is right. That is where the way back begins."
    )
    errors = looked.step.seen.errors[-1]
    assert errors is not None
    if not np.allclose(looked.errors(), errors[looked.image], atol=1e-4):
        last = _tr(
            "At each answer: what it says less what is right. Times the slope of its activation, "
            "it goes back."
        )
    texts = [
        (headline(looked, ERROR), ""),
        (rule, muted),
        (one, ""),
        (mean_text, ""),
        (last, muted),
    ]
    _write_all(sheet, width, texts)


def _draw_back(looked: Looked, width: float, sheet: Sheet) -> None:
    colors = theme().colors
    text = _tr("Each unit gets its share, along the weights that it went forward by.")
    activations = looked.step.before.activations[:-1]
    if "relu" in activations:
        more = _tr("A unit that was silent gets none: ReLU lets nothing through.")
    elif {"sigmoid", "tanh"} & set(activations):
        more = _tr("Times the slope of its activation: of a unit near a limit little is left.")
    else:
        more = ""
    y = _write_all(sheet, width, [(headline(looked, BACK), ""), (f"{text} {more}", colors.muted)])
    entries = (
        (_tr("less of this would lower the error"), colors.too_much),
        (_tr("more of this would lower the error"), colors.too_little),
    )
    for words, color in entries:
        sheet.bar(0, y + 4, 11, 11, color)
        sheet.write(20, y, width - 20, words, words=words)
        y += 19
    text = _tr("Pictures and units: for this {label}. Lines: the mean of the {n}.")
    text = text.format(label=looked.label(), n=looked.count)
    sheet.write(0, y + 6, width + 20, text, color=colors.muted, size=0.92, words=text)


_TEXTS = {FORWARD: _draw_forward, ERROR: _draw_error, BACK: _draw_back}


def _draw_matrix(looked: Looked, sheet: Sheet) -> None:
    """How many images of each label are read as which class."""
    classes = looked.classes
    size = len(classes)
    targets = looked.step.seen.targets
    read = np.nan_to_num(looked.said.answers).argmax(axis=1)
    counts = np.zeros((size, size), int)
    np.add.at(counts, (targets, read), 1)
    colors = theme().colors
    title = _tr("All {n}, read as").format(n=looked.count)
    sheet.write(62, -2, 300, title, bold=True)
    sheet.write(0, 70, 50, _tr("label"), bold=True)
    pitch = min(12.2, 122 / size)
    across = 270 / size
    paper = stage_colors().paper
    framed = int(targets[looked.image]), int(read[looked.image])
    for row in range(size):
        y = 18 + pitch * row
        if size <= _ROWS:
            sheet.write(30, y - 3, 26, classes[row], color=colors.muted, align=RIGHT, size=0.9)
            name = classes[row]
            sheet.write(62 + across * row, 138, across, name, color=colors.muted, align=CENTER,
                        size=0.9)  # fmt: skip
        for column in range(size):
            found = int(counts[row, column])
            share = 0.15 + 0.3 * min(found / 10, 1) if found else 0.0
            tint = QColor(colors.series[0] if row == column else colors.series[1])
            words = ""
            if found:
                words = _tr("{n} times {label}, read as {read}", found)
                words = words.format(n=found, label=classes[row], read=classes[column])
            color = blend(paper, tint, share).name()
            x = 62 + across * column
            sheet.bar(x, y, across - 2, pitch - 1, color, words=words)
            if found and size <= _ROWS:
                sheet.write(x, y - 3.5, across - 2, str(found), align=CENTER, size=0.85)
            if (row, column) == framed:
                sheet.frame(x, y, across - 2, pitch - 1)
    same = int(counts[framed])
    text = _tr("Blue: read right. Orange: as another class. Framed: this {label}.")
    if same > 1:
        text = _tr(
            "Blue: read right. Orange: as another class. Framed: this {label}, with {n} more.",
            same - 1,
        )
    text = text.format(label=looked.label(), n=same - 1)
    sheet.write(342, 18, 108, text, color=colors.muted, lines=6, words=text)


def _draw_errors(looked: Looked, sheet: Sheet) -> None:
    """What each answer says, what is right, and the error."""
    shares = looked.said.answers[looked.image]
    wanted = looked.wanted()
    errors = looked.errors()
    colors = theme().colors
    best = int(np.nan_to_num(shares).argmax())
    sheet.write(0, -2, 170, _tr("What it says"), bold=True)
    sheet.write(172, -2, 130, _tr("less what is right"), bold=True)
    sheet.write(305, -2, 130, _tr("= the error"), bold=True)
    for line, answer in enumerate(looked.forward.columns[-1].shown[:_ROWS]):
        y = 14 + 13.8 * line
        name = looked.classes[answer]
        share = float(shares[answer])
        text = fixed(share, 2)
        sheet.write(0, y - 3, 16, name, color=colors.muted, size=0.92)
        sheet.bar(18, y + 2, 110, 8, colors.track)
        color = colors.accent if answer == best else stage_colors().mark.name()
        width = 110 * min(abs(share), 1)
        sheet.bar(18, y + 2, width, 8, color, words=f"{name}: {text}")
        sheet.write(134, y - 3, 44, text, size=0.92, bold=answer == best)
        is_right = wanted[answer] > 0
        color = "" if is_right else colors.muted
        text = f"{name}: {count(float(wanted[answer]))}"
        sheet.write(172, y - 3, 110, text, color=color, bold=is_right, size=0.92)
        error = float(errors[answer])
        text = with_sign(error)
        color = colors.too_much if error > 0 else colors.too_little
        width = 80 * min(abs(error), 1.0)
        sheet.bar(305, y + 1, width, 9, color, words=f"{name}: {text}")
        sheet.write(313 + width, y - 3, 60, text, bold=is_right, size=0.92)


def _draw_pulls(looked: Looked, sheet: Sheet) -> None:
    """The root mean square of each layer's gradient."""
    network = looked.step.before.network
    pulls = looked.step.layer_pulls()
    colors = theme().colors
    sheet.write(0, -2, 350, _tr("How hard each layer's weights are pulled"), bold=True)
    bound = max((pull.size for pull in pulls), default=0.0) or 1.0
    pitch = min(26.0, 110 / max(len(pulls), 1))
    for line, pull in enumerate(pulls):
        y = 20 + pitch * line
        name = layer_caption(network, pull.layer).text
        size = number(pull.size, 2)
        width = 150 * pull.size / bound
        sheet.write(0, y, 104, name, color=colors.muted)
        sheet.bar(108, y + 4, width, min(10.0, pitch - 3), stage_colors().mark.name(),
                  words=f"{name}: {size}")  # fmt: skip
        sheet.write(116 + width, y, 90, size)
    text = _tr("root mean square; a layer near 0 does not learn")
    sheet.write(0, 132, 350, text, color=colors.muted, size=0.92, words=text)


def _has_picture(looked: Looked) -> bool:
    """Whether the weights of a filter or unit of the first layer are an image."""
    network = looked.step.before.network
    return len(network.input_shape) == 3 and network.weight_shapes[0] is not None


def _draw_pulled(looked: Looked, sheet: Sheet) -> None:
    """The filter or unit of the first layer that is pulled hardest, as an image."""
    unit, own = looked.step.pull_on(0)
    own = own.mean(axis=2)
    is_filter = role_of(looked.step.before.network, 0) == "filters"
    title = _tr("The pull on filter {n}") if is_filter else _tr("The pull on unit {n}")
    title = title.format(n=unit + 1)
    text = _tr("strongest: {value}").format(value=number(largest(own), 2))
    sheet.write(0, -2, 150, title, bold=True)
    sheet.image(0, 20, 96, own, error_colors(), words=f"{title}. {text}", caption=text)


def _draw_weight(looked: Looked, change: WeightChange, width: float, sheet: Sheet) -> None:
    """The sum of one weight, and what each image wants of it."""
    colors = theme().colors
    title = weight_title(looked, change)
    sheet.write(0, 0, width + 30, title, bold=True, size=HEADING, words=title)
    own_color = colors.too_much if direction(change.terms) > 0 else colors.too_little
    parts = [("", change.before, _tr("weight"), "")]
    parts.append(("\N{MINUS SIGN}", change.rate, _tr("rate"), ""))
    *signs, equals = _signs(change)
    for sign, term in zip(signs, change.terms, strict=True):
        caption = QCoreApplication.translate("UpdateTerm", term.caption)
        parts.append((sign, term.value, caption, own_color))
    parts.append((equals, change.after, _tr("new weight"), colors.accent))
    pitch = (width + 20) / len(parts)
    size = _fitting_size([number(value) for _, value, _, _ in parts], (pitch - 26) * sheet.scale)
    for place, (sign, value, caption, color) in enumerate(parts):
        x = pitch * place
        sheet.write(x - 34, 24, 32, sign, color=colors.muted, align=RIGHT, size=size)
        words = f"{caption} {number(value)}"
        sheet.write(
            x, 24, pitch - 16, number(value), color=color, bold=True, size=size, words=words
        )
        sheet.write(x, 45, pitch - 8, caption, color=colors.muted, lines=2, size=0.9)
    _draw_wishes(looked, change, width, sheet)


def _fitting_size(texts: Sequence[str], room: float) -> float:
    """The largest size of bold text with which each of these is at most `room` pixels wide."""
    for size in (TITLE * 0.9, HEADING, 1.0, 0.85):
        metrics = QFontMetrics(theme().font(size, bold=True))
        if max(map(metrics.horizontalAdvance, texts)) <= room:
            break
    return size


def _draw_wishes(looked: Looked, change: WeightChange, width: float, sheet: Sheet) -> None:
    """The pull of each image on the weight as a bar: up for too much, down for too little."""
    colors = theme().colors
    pulls = np.nan_to_num(change.pulls)
    top, height = 78.0, 52.0
    highest = max(float(pulls.max()), 0.0)
    lowest = min(float(pulls.min()), 0.0)
    scale = height / ((highest - lowest) or 1.0)
    zero = top + highest * scale
    step = width / len(pulls)
    for image, pull in enumerate(pulls.tolist()):
        shade = QColor(colors.too_much if pull > 0 else colors.too_little)
        if image != looked.image:
            shade = blend(QColor(colors.base), shade, 0.6)
        sheet.bar(
            step * image,
            zero,
            step - 1,
            -pull * scale,
            shade.name(),
            words=f"{image_words(looked, image)}: {with_sign(pull, 3)}",
            target=image,
        )
    sheet.rule(0, zero, width, 0, strong=True)
    own = step * (looked.image + 0.5)
    sheet.write(own - 10, top - 16, 20, "▾", align=CENTER)
    mean = float(pulls.mean())
    sheet.dashes(0, zero - mean * scale, width)
    text = _tr("each image pulls it; dashed, the mean: {mean}. ▾ this {label}: {own}")
    text = text.format(
        mean=with_sign(mean, 3),
        label=looked.label(),
        own=with_sign(float(pulls[looked.image]), 3),
    )
    added = change.gradient - mean
    if abs(added) > 1e-3 * max(abs(change.gradient), 1e-9) and looked.step.seen.before is not None:
        settings = looked.step.before.settings()
        if settings.l1 or settings.l2:
            more = _tr("Weight decay adds {value}.").format(value=with_sign(added, 2))
            text = f"{text}. {more}"
    sheet.write(0, 134, width + 24, text, color=colors.muted, size=0.92, words=text)


def _draw_change(
    looked: Looked, effects: list[tuple[str, ...]], width: float, sheet: Sheet
) -> None:
    """What the step did to this image, to the drawing, and to all of its images."""
    colors = theme().colors
    sheet.rule(-20, 0, 0, 150)
    sheet.write(0, 0, width, _tr("What the step did"), bold=True, size=HEADING)
    sheet.write(width - 150, 16, 60, _tr("before"), color=colors.muted, align=RIGHT, size=0.92)
    sheet.write(width - 60, 16, 60, _tr("after"), color=colors.muted, align=RIGHT, size=0.92)
    for line, (words, before, after) in enumerate(effects):
        y = 36 + 21 * line
        room = width - 140 if before else width - 64
        sheet.write(0, y, room, words, color=colors.muted)
        spoken = f"{words}: {before} → {after}" if before else f"{words}: {after}"
        if before:
            sheet.write(width - 150, y, 60, before, align=RIGHT)
            sheet.write(width - 86, y, 20, "→", color=colors.muted, align=LEFT)
        sheet.write(width - 70, y, 70, after, bold=True, align=RIGHT, words=spoken)
    if not np.allclose(looked.said.answers, looked.before.answers, atol=1e-3):
        text = _tr("as it reads, without dropout and with the means of the training")
        sheet.write(0, 141, width, text, color=colors.muted, size=0.85)


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
