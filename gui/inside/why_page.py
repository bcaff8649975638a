"""Why the network gives this answer: how much each pixel speaks for it."""

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.inspection.attribution import Explanation
from gui.inside.map_grid import MapGrid, ValueLegend, largest
from gui.inside.page import Computation, InspectedInput, Page
from gui.text import number, percent
from gui.widgets.basics import QuietComboBox, named, scroll_area
from gui.widgets.flow_layout import FlowLayout

SIDE = 224  # pixels of an image
NOTHING, NEXT, ANSWER = "nothing", "next", "answer"


class WhyPage(Page):
    """Shows the image and the relevance of its pixels, with the method and what they add up to."""

    needs_image = True

    def __init__(self) -> None:
        super().__init__(
            "whyPage",
            self.tr("Why"),
            self.tr(
                "Why the network gives this answer: blue pixels speak for it, orange ones against it. The score of an "
                "answer is the network's output before it becomes a probability."
            ),
        )
        self.method_box = self._box(
            "whyMethod", self.tr("Method"), self.tr("How the pixels are weighed."), 20
        )
        for key, text in (
            ("integrated", self.tr("Integrated gradients")),
            ("gradient", self.tr("Gradient times input")),
            ("occlusion", self.tr("Occlusion")),
        ):
            self.method_box.addItem(text, key)
        self.label_box = self._box("whyAnswer", self.tr("Why"), self.tr("The answer to explain."), 10)
        tip = self.tr("Explain the difference to another answer: why a 4 and not a 9.")
        self.other_box = self._box("whyNot", self.tr("and not"), tip, 16)
        self.method_text = named(QLabel(), "whyMethodText")
        self.method_text.setWordWrap(True)
        self.summary = named(QLabel(), "whySummary")
        self.summary.setWordWrap(True)
        self.legend = ValueLegend("whyLegend")
        self.grid = MapGrid(
            "whyImages", self.tr("The image, and how much each pixel speaks for the answer"), side=SIDE
        )
        self._classes: tuple[str, ...] = ()
        self._shown: Explanation | None = None
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, 0)
        for widget in (self.summary, self.legend, self.grid, self.method_text):
            inner.addWidget(widget)
        inner.addStretch(1)
        row = FlowLayout()
        for title, box in (
            (self.tr("Method"), self.method_box),
            (self.tr("Why"), self.label_box),
            (self.tr("and not"), self.other_box),
        ):
            row.addWidget(_pair(title, box))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(scroll_area(body))
        for box in (self.method_box, self.label_box, self.other_box):
            box.currentIndexChanged.connect(self.recompute)

    def computation(self, subject: InspectedInput) -> Computation:
        if subject.model.classes != self._classes:
            self._offer_classes(subject.model.classes)
        image, method = subject.input, self.method_box.currentData()
        assert image is not None
        label, other = self.label_box.currentData(), self.other_box.currentData()

        def compute(engine: object, check: object) -> Explanation:
            from core.inference.engine import Engine
            from core.inspection.attribution import explain

            assert isinstance(engine, Engine)
            return explain(
                engine, image, method,
                None if label == ANSWER else label,
                {NOTHING: None, NEXT: -1}.get(other, other),
            )  # fmt: skip

        return compute

    def show_result(self, subject: InspectedInput, result: Explanation) -> None:
        assert subject.input is not None
        self._shown = result
        ink = subject.input[:, :, 0].astype(np.float32)
        bound = largest(result.relevance)
        names = subject.model.classes
        label = names[result.label]
        other = names[result.other] if result.other is not None else ""
        speaks = self.tr("what speaks for {label}").format(label=label)
        if other:
            speaks = self.tr("{label} (blue) or {other} (orange)").format(label=label, other=other)
        images = np.stack([ink / max(float(ink.max()), 1) * bound, result.relevance])
        self.grid.show_values(images, bound, self._describe, [self.tr("what it sees"), speaks])
        self.legend.show_bound(bound)
        self.summary.setText(self._summary(result, label, other))
        self.method_text.setText(self._method_text(result))

    @staticmethod
    def _box(name: str, title: str, tip: str, characters: int) -> QuietComboBox:
        box = named(QuietComboBox(), name)
        box.setAccessibleName(title)
        box.setToolTip(tip)
        box.setMinimumContentsLength(characters)
        return box

    def _offer_classes(self, classes: tuple[str, ...]) -> None:
        self._classes = classes
        extra = {
            self.label_box: [(self.tr("its answer"), ANSWER)],
            self.other_box: [(self.tr("(no comparison)"), NOTHING), (self.tr("the second best"), NEXT)],
        }
        for box, items in extra.items():
            box.blockSignals(True)
            box.clear()
            for text, data in items:
                box.addItem(text, data)
            for index, name in enumerate(classes):
                box.addItem(name, index)
            box.blockSignals(False)

    def _describe(self, image: int, row: int, column: int, value: float) -> str:
        if image == 0 or self._shown is None:
            return ""
        text = self.tr("Pixel {row}, {column}: {value}")
        return text.format(row=row, column=column, value=number(value, 2))

    def _summary(self, result: Explanation, label: str, other: str) -> str:
        share = percent(float(result.probabilities[result.label]))
        if not other:
            text = self.tr("{label} has a probability of {share}; its score is {score}.")
            return text.format(label=label, share=share, score=number(result.score, 3))
        text = self.tr(
            "{label} has a probability of {share}, {other} {second}: their scores differ by {score}."
        )
        second = percent(float(result.probabilities[result.other or 0]))
        return text.format(
            label=label, share=share, other=other, second=second, score=number(result.score, 3)
        )

    def _method_text(self, result: Explanation) -> str:
        method, total = self.method_box.currentData(), float(result.relevance.sum())
        if method == "occlusion":
            return self.tr(
                "Occlusion: how far the score falls when a square of 5 x 5 pixels around the pixel is blanked "
                "(Zeiler, Fergus 2014)."
            )
        if method == "gradient":
            return self.tr(
                "Gradient times input: how fast the score grows with the pixel, times its ink. It is quick, but looks "
                "at small changes only (Shrikumar et al. 2016)."
            )
        return self.tr(
            "Integrated gradients: the mean gradient on the way from an empty image to this one, times the ink. All "
            "pixels together give {total}: the score {score} minus that of an empty image, {blank} (Sundararajan et "
            "al. 2017)."
        ).format(total=number(total, 3), score=number(result.score, 3), blank=number(result.blank, 3))


def _pair(title: str, box: QWidget) -> QWidget:
    """The box beside its title, which stay together where the row wraps."""
    pair = QWidget()
    row = QHBoxLayout(pair)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(QLabel(title))
    row.addWidget(box)
    return pair
