"""Why the network gives this answer: how much each pixel speaks for it."""

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from core.inspection.attribution import Explanation, explain
from gui.inside.map_grid import MapGrid, largest
from gui.inside.page import Computation, InspectedInput, Page, fill
from gui.text import number, probability
from gui.widgets import make
from gui.widgets.basics import scroll_area

SIDE = 224  # pixels of an image
NEXT = -1  # what `explain` calls the second best


class WhyPage(Page):
    """Shows the image and the relevance of its pixels, with the method and what they add up to."""

    needs_image = True

    def __init__(self) -> None:
        super().__init__(
            "whyPage",
            self.tr("Why"),
            self.tr(
                "Why the network gives this answer: blue pixels speak for it, orange ones against "
                "it. The score of an answer is the network's output before it becomes a "
                "probability."
            ),
        )
        methods = [
            ("integrated", self.tr("Integrated gradients")),
            ("gradient", self.tr("Gradient times input")),
            ("occlusion", self.tr("Occlusion")),
        ]
        tip = self.tr("How the pixels are weighed.")
        slot = self.recompute
        self.method_box = make.combo(
            "whyMethod", self.tr("Method"), tip, methods, slot, characters=20
        )
        tip = self.tr("The answer to explain.")
        self.label_box = make.combo("whyAnswer", self.tr("Why"), tip, (), slot, characters=10)
        tip = self.tr("Explain the difference to another answer: why a 4 and not a 9.")
        self.other_box = make.combo("whyNot", self.tr("and not"), tip, (), slot, characters=16)
        self.method_text = make.label(name="whyMethodText")
        self.summary = make.label(name="whySummary")
        title = self.tr("The image, and how much each pixel speaks for the answer")
        self.grid = MapGrid("whyImages", title, side=SIDE, legend="whyLegend")
        self._classes: tuple[str, ...] = ()
        self._shown: Explanation | None = None
        body = QWidget()
        make.column(self.summary, self.grid.legend, self.grid, self.method_text, None, owner=body)
        boxes = (self.method_box, self.label_box, self.other_box)
        row = make.FlowLayout(*(make.labeled(box.accessibleName(), box) for box in boxes))
        self._scroll = scroll_area(body)
        make.column(row, self._scroll, owner=self)

    def computation(self, subject: InspectedInput) -> Computation:
        if subject.model.classes != self._classes:
            self._classes = subject.model.classes
            names = list(enumerate(self._classes))
            make.fill(self.label_box, [(None, self.tr("its answer")), *names])
            others = [(None, self.tr("(no comparison)")), (NEXT, self.tr("the second best"))]
            make.fill(self.other_box, [*others, *names])
        image = subject.input
        assert image is not None
        boxes = (self.method_box, self.label_box, self.other_box)
        method, label, other = (box.currentData() for box in boxes)
        return lambda engine, check: explain(engine, image, method, label, other)

    def show_result(self, subject: InspectedInput, result: Explanation) -> None:
        assert subject.input is not None
        self._shown = result
        ink = subject.input[:, :, 0].astype(np.float32)
        bound = largest(result.relevance)
        names = subject.model.classes
        label = names[result.label]
        other = "" if result.other is None else names[result.other]
        speaks = self.tr("what speaks for {label}").format(label=label)
        if other:
            speaks = self.tr("{label} (blue) or {other} (orange)").format(label=label, other=other)
        images = np.stack([ink / max(float(ink.max()), 1) * bound, result.relevance])
        self.grid.show_values(images, bound, self._describe, [self.tr("what it sees"), speaks])
        text = self.tr("{label} has a probability of {share}; its score is {score}.")
        if other:
            text = self.tr(
                "{label} has a probability of {share}, {other} {second}: their scores differ by "
                "{score}."
            )
        score = number(result.score, 3)
        share = probability(float(result.probabilities[result.label]))
        second = ""
        if result.other is not None:
            second = probability(float(result.probabilities[result.other]))
        self.summary.setText(
            text.format(label=label, share=share, other=other, second=second, score=score)
        )
        self.method_text.setText(self._method_text(result))
        fill(self._scroll, [self.grid])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fill(self._scroll, [self.grid])

    def _describe(self, image: int, row: int, column: int, value: float) -> str:
        if image == 0 or self._shown is None:
            return ""
        text = self.tr("Pixel {row}, {column}: {value}")
        return text.format(row=row, column=column, value=number(value, 2))

    def _method_text(self, result: Explanation) -> str:
        method = self.method_box.currentData()
        total = float(result.relevance.sum())
        if method == "occlusion":
            return self.tr(
                "Occlusion: how far the score falls when a square of 5 x 5 pixels around the "
                "pixel is blanked (Zeiler, Fergus 2014)."
            )
        if method == "gradient":
            return self.tr(
                "Gradient times input: how fast the score grows with the pixel, times its ink. It "
                "is quick, but looks at small changes only (Shrikumar et al. 2016)."
            )
        return self.tr(
            "Integrated gradients: the mean gradient on the way from an empty image to this one, "
            "times the ink. All pixels together give {total}: the score {score} minus that of an "
            "empty image, {blank} (Sundararajan et al. 2017)."
        ).format(
            total=number(total, 3), score=number(result.score, 3), blank=number(result.blank, 3)
        )
