"""A map of the test set: the outputs of a layer for each test image, as a point in two dimensions."""

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QSizePolicy

from core.data.dataset import Dataset
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.projection import (
    NeighborEmbedding,
    Projection,
    missing_reason,
    neighbor_embedding,
    principal_components,
)
from core.progress import Check
from gui.inside.map_grid import MapGrid
from gui.inside.page import Computation, InspectedInput, LayerBox, Page
from gui.text import count, percent, sentence
from gui.widgets import make
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import LIGHT, theme
from gui.words import with_words

EXAMPLES = 1000
NAME_DISTANCE = 0.06  # of two names, as a fraction of the plot
# principal components; t-SNE
COMPONENTS = "components"
NEIGHBORS = "neighbors"
# Paul Tol's scheme "muted" (2021), which color-blind people can tell apart, with gray as the tenth; changed where it
# would have too little contrast with the background. The digits stand in the plot as well.
ON_LIGHT = (
    "#332288", "#4aa3d8", "#44aa99", "#117733", "#8a8a24", "#c9b037", "#cc6677", "#882255", "#aa4499", "#707070",
)  # fmt: skip
ON_DARK = (
    "#9a8cff", "#88ccee", "#44aa99", "#4fbf6f", "#b5b545", "#ddcc77", "#e08a98", "#d0608f", "#cc79bf", "#bbbbbb",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TestMap:
    """`projection`: of EXAMPLES test examples by `method`; `read`: int (n,), their most probable classes."""

    model: Model
    dataset: Dataset
    layer: int
    method: str
    projection: Projection | NeighborEmbedding
    read: np.ndarray


def apart(centers: np.ndarray, points: np.ndarray) -> np.ndarray:
    """`centers`, (n, 2), moved so that names at them hardly cover each other; `points`, (m, 2), fill the plot."""
    size = np.ptp(points, axis=0) + 1e-9
    placed = centers / size
    for _ in range(30):
        offsets = placed[:, None] - placed[None]
        distances = np.maximum(np.linalg.norm(offsets, axis=2), 1e-6)
        push = np.maximum(NAME_DISTANCE - distances, 0) / 2
        np.fill_diagonal(push, 0)
        placed = placed + (offsets / distances[:, :, None] * push[:, :, None]).sum(axis=1)
    return placed * size


ALIKE = 1e-9  # the size of a map below which all its points are one


class MapPage(Page):
    """The map is computed again when the network or the layer changes; a drawing only moves its own point."""

    needs_input = False
    needs_dataset = True
    needs_image = True
    snapshot_milliseconds = 4000

    def __init__(self) -> None:
        super().__init__(
            "mapPage",
            self.tr("Map"),
            self.tr(
                "Each point is a test image; images that the layer finds alike lie close together. Crosses are "
                "mistakes, the large star is your drawing."
            ),
        )
        self.layer_box = LayerBox("mapLayer", self.tr("The layer whose outputs place the images."))
        tip = self.tr(
            "How the outputs of the layer become two numbers: principal components show the largest differences, t-SNE "
            "shows which images are alike."
        )
        methods = [(COMPONENTS, self.tr("Principal components"))]
        reason = missing_reason()
        if reason is None:
            methods.append((NEIGHBORS, self.tr("t-SNE")))
        else:
            tip += " " + sentence(reason)
        tip = with_words(tip, methods[0][1])
        title = self.tr("Method")
        self.method_box = make.combo("mapMethod", title, tip, methods, self._on_method, characters=19)
        tip = self.tr("The test image that is shown and ringed; a click on a point chooses it.")
        title = self.tr("Test image")
        self.number_box = make.spin("mapExample", title, tip, 0, 0, slot=self._show_example)
        self.number_box.setPrefix(f"{title} ")
        self.plot = Plot("mapPlot", self.tr("Map of the test set"))
        self.points = pg.ScatterPlotItem(pen=None, size=7)
        self.ring = pg.ScatterPlotItem(size=15, brush=None)
        self.drawing = pg.ScatterPlotItem(size=22, symbol="star")
        # The names of the classes lie at 20, above the points and below the drawing.
        for order, item in ((10, self.points), (25, self.ring), (30, self.drawing)):
            item.setZValue(order)
            self.plot.addItem(item)
        self.names: list[Any] = []
        self.points.sigClicked.connect(lambda _, hit, event: self.number_box.setValue(int(hit[0].data())))
        self.image = MapGrid("mapImage", self.tr("The chosen test image"), side=84)
        self.image.setFixedWidth(94)
        self.image.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.legend = make.label(name="mapLegend")
        self.legend.setAccessibleName(self.tr("Colors of the classes"))
        self.caption = make.label(name="mapCaption")
        self.shares = make.label(name="mapShares", role="muted")
        self.shown: TestMap | None = None
        self._computed: TestMap | None = None  # used by the background thread alone
        make.column(
            make.FlowLayout(self.layer_box, self.method_box, self.number_box),
            (self.plot, 1),
            self.legend,
            make.row(self.image, (make.column(self.caption, self.shares), 1)),
            owner=self,
        )
        self.layer_box.currentIndexChanged.connect(self.recompute)
        self._recolor()
        theme().changed.connect(self._recolor)

    def computation(self, subject: InspectedInput) -> Computation:
        model = subject.model
        if self.layer_box.show_layers(model):
            # The outputs of the last hidden layer are what the answer is computed from.
            with QSignalBlocker(self.layer_box):
                self.layer_box.setCurrentIndex(max(self.layer_box.count() - 2, 0))
        layer = self.layer_box.layer
        # t-SNE takes seconds, and each network's would have another arrangement.
        method = COMPONENTS if subject.training else self.method_box.currentData()
        if self.shown is None:
            self.caption.setText(self.tr("computing…"))
        return lambda engine, check: self._compute(engine, check, subject, layer, method)

    def show_result(self, subject: InspectedInput, result: tuple[TestMap, np.ndarray | None]) -> None:
        shown, drawn = result
        if shown is not self.shown:
            self.shown = shown
            self._show_points()
        self.drawing.setData(pos=np.empty((0, 2)) if drawn is None else drawn.reshape(1, 2))

    def _recolor(self) -> None:
        colors = theme().colors
        self.ring.setPen(pg.mkPen(colors.text, width=2))
        self.drawing.setBrush(pg.mkBrush(colors.text))
        self.drawing.setPen(pg.mkPen(colors.base))
        if self.shown:
            self._show_points()

    def _compute(
        self, engine: Engine, check: Check, subject: InspectedInput, layer: int, method: str
    ) -> tuple[TestMap, np.ndarray | None]:
        assert subject.dataset
        known = self._computed
        model = subject.model
        # Models are compared by identity, because == would compare their arrays.
        if (
            known is None
            or known.model is not model
            or known.dataset is not subject.dataset
            or (known.layer, known.method) != (layer, method)
        ):
            inputs = subject.dataset.test.inputs[:EXAMPLES]
            values = engine.layer_outputs(inputs, layer, check).reshape(len(inputs), -1)
            last = len(model.network.layers) - 1
            read = engine.layer_outputs(inputs, last, check).argmax(axis=1)
            check()
            projection: Projection | NeighborEmbedding = (
                neighbor_embedding(values, check) if method == NEIGHBORS else principal_components(values)
            )
            known = self._computed = TestMap(model, subject.dataset, layer, method, projection, read)
        if subject.input is None:
            return known, None
        values = engine.layer_outputs(subject.input[None], layer)[0]
        return known, known.projection.project(values.reshape(-1))

    def _show_points(self) -> None:
        assert self.shown
        points = self.shown.projection.points
        targets = self.shown.dataset.test.targets
        labels = targets[: len(points)]
        theme_colors = theme().colors
        colors = ON_LIGHT if theme_colors.base == LIGHT.base else ON_DARK
        brushes = [pg.mkBrush(colors[int(label) % len(colors)]) for label in labels]
        wrong = self.shown.read != labels
        alike = not np.isfinite(points).all() or float(np.ptp(points, axis=0).max()) < ALIKE
        for part in (self.plot, self.legend, self.image, self.caption):
            part.setVisible(not alike)
        if alike:
            self.shares.setText(
                self.tr(
                    "This layer gives the same outputs for all test images, so there is nothing to arrange: its "
                    "units are dead or saturated. Health shows them."
                )
            )
            return
        self.points.setData(
            pos=points,
            brush=brushes,
            symbol=["x" if bad else "o" for bad in wrong],
            size=np.where(wrong, 12, 7),
            data=np.arange(len(points)),
        )
        for name in self.names:
            self.plot.removeItem(name)
        self.names = []
        classes = self.shown.dataset.classes
        present = [label for label in range(len(classes)) if (labels == label).any()]
        centers = apart(np.array([np.median(points[labels == label], axis=0) for label in present]), points)
        for label, center in zip(present, centers, strict=True):
            name = pg.TextItem(classes[label], theme_colors.text, anchor=(0.5, 0.5), fill=theme_colors.base)
            name.setOpacity(0.8)
            name.setPos(*center)
            name.setZValue(20)
            self.plot.addItem(name)
            self.names.append(name)
        marks = []
        for label in present:
            color = colors[label % len(colors)]
            marks.append(f'<span style="color:{color}">\N{BLACK CIRCLE}</span>&nbsp;{escape(classes[label])}')
        self.legend.setText("&nbsp; ".join(marks))
        self.number_box.setMaximum(len(points) - 1)
        self._show_example()
        self.shares.setText(self._method_text(self.shown.projection))

    def _method_text(self, projection: Projection | NeighborEmbedding) -> str:
        """What the positions mean, and why another method than the chosen one is shown."""
        if not isinstance(projection, Projection):
            return self.tr(
                "t-SNE: images that lie close together are alike for the layer; large distances mean nothing. Your "
                "drawing is placed among the images, which stay where they are."
            )
        first, second = map(percent, projection.shares)
        text = self.tr("The two directions hold {first} and {second} of the variance of the layer's outputs.")
        text = text.format(first=first, second=second)
        if self.method_box.currentData() == NEIGHBORS:
            text += " " + self.tr("t-SNE takes seconds: it is shown when the run has ended.")
        return text

    def _on_method(self) -> None:
        if self.method_box.currentData() == NEIGHBORS:
            self.shares.setText(self.tr("t-SNE is being computed; this takes some seconds."))
        self.recompute.emit()

    def _show_example(self) -> None:
        if self.shown is None:
            return
        index = self.number_box.value()
        dataset = self.shown.dataset
        image = dataset.test.inputs[index, :, :, 0] / np.float32(255)
        self.image.show_values(image[None], 1.0)
        names = dataset.classes
        right = names[int(dataset.test.targets[index])]
        read = names[int(self.shown.read[index])]
        text = self.tr("Test image {n}: a {right}, read right.")
        if right != read:
            text = self.tr("Test image {n}: a {right}, read as {read}.")
        self.caption.setText(text.format(n=count(index), right=right, read=read))
        self.ring.setData(pos=self.shown.projection.points[index : index + 1])
