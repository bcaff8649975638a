"""A self-contained HTML report of a run: settings, curves, confusion matrix, mistakes and filters."""

import time
from html import escape
from typing import ClassVar

import numpy as np

from core.data.dataset import Dataset
from core.errors import InputError
from core.export.exporter import Exporter, ExportSource
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import image_tag, page, paragraph, section, signed_image_tag, table
from core.inference.model_file import Model, check_fits
from core.inference.scores import MAX_TESTED, ClassScores, class_rates, score_classes
from core.inspection.units import filter_images
from core.network.parameters import views
from core.runs.comparison import curve_figure, settings_table
from core.runs.folder import RunFolder
from core.text import format_probability
from core.training.records import Epoch
from core.version import VERSION

_NO_CURVES = (
    "There are no curves: the run of this model was not found in the library. Give the folder of the run in place "
    "of the model."
)
MAX_MISTAKES = 60
MAX_FILTERS = 64
MAX_EPOCHS = 1_000_000_000
_CURVES = (
    ("Loss", (("training", "train_loss"), ("test", "test_loss"), ("validation", "validation_loss"))),
    ("Score", (("training", "train_score"), ("test", "test_score"))),
)


class HtmlReport(Exporter):
    """The curves need the folder of the run, the confusion matrix and the mistakes the test images."""

    order = 3
    suffix = ".html"
    title: ClassVar = "Report"

    def content(self, source: ExportSource) -> bytes:
        model = source.model
        rows = source.run.read_history(MAX_EPOCHS) if source.run else []
        parts = [
            paragraph(f"Written {time.strftime('%Y-%m-%d %H:%M')}."),
            section("Network", _network(model)),
            section("Curves", *(_curves(rows) if rows else [paragraph(_NO_CURVES)])),
            *_results(source),
            section("Filters of the first layer", _filters(model)),
            section("Settings", _settings(model, source.run)),
        ]
        return page(f"Report: {model.network.text}", parts, f"DigitLab {VERSION}").encode()


def _network(model: Model) -> str:
    network = model.network
    rows = [("input", "x".join(map(str, network.input_shape)), "")]
    for layer, shape, count in zip(network.layers, network.shapes[1:], network.parameters, strict=True):
        rows.append((layer.text, "x".join(map(str, shape)), f"{count:,}"))
    score = ""
    if model.test_score is not None:
        is_class = model.kind == "classes"
        score = f" On the test split: {f'{model.test_score:.2%} right' if is_class else f'R² {model.test_score:.4f}'}."
    return paragraph(f"{network.trained_count:,} parameters.{score}") + table(
        ("layer", "output", "parameters"), rows
    )


def _settings(model: Model, run: RunFolder | None) -> str:
    values = dict(model.run) or {"activation": model.activation, "loss": model.loss}
    values = {"data": model.data or "–", **values}
    if run:
        info = run.read_info()
        values |= {"device": info.plan.device, "state": info.state}
    return settings_table(("value",), [values])


def _curves(rows: list[Epoch]) -> list[str]:
    return [
        curve_figure(
            title, [(name, rows, column) for name, column in names if getattr(rows[-1], column) is not None]
        )
        for title, names in _CURVES
    ]


def _results(source: ExportSource) -> list[str]:
    """The sections on the test split, or a sentence that says why there are none."""
    model = source.model
    if model.kind != "classes" or source.load_dataset is None or not model.data:
        return []
    try:
        data = source.load_dataset(model.data)
        check_fits(model, data)
        scores = score_classes(model, data.test.first(MAX_TESTED))
    except InputError as error:
        return [section("Results", paragraph(f"Not measured: {error}"))]
    counts = scores.counts(len(data.classes))
    right = int(counts.trace())
    sentence = (
        f"{right:,} of {counts.sum():,} test images are read right ({right / counts.sum():.2%}); "
        f"expected calibration error {scores.calibration_error():.4f}."
    )
    confidence, share, _ = scores.calibration()
    axes = Axis("confidence"), Axis("share that is right")
    diagonal = Line("as certain as right", [0.0, 1.0], [0.0, 1.0])
    measured = Line("test images", confidence.tolist(), share.tolist())
    return [
        section("Confusion matrix", paragraph(sentence), paragraph("Rows: true class. Columns: read as."),
                _confusion(data.classes, counts)),
        section("Classes", _classes(data.classes, counts)),
        section("Calibration", figure_html(Figure("Calibration", *axes, [measured, diagonal]))),
        section("Mistakes", _mistakes(data, scores)),
    ]  # fmt: skip


def _confusion(classes: tuple[str, ...], counts: np.ndarray) -> str:
    """The matrix with cells tinted by their share of the row."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", *classes))
    rows = []
    for name, row, tints in zip(classes, counts, shares, strict=True):
        cells = "".join(
            f'<td style="background: rgb(0 114 178 / {tint**0.5 / 2:.2f})">{count}</td>'
            for count, tint in zip(row, tints, strict=True)
        )
        rows.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _classes(classes: tuple[str, ...], counts: np.ndarray) -> str:
    rows = [
        (name, int(images), *("–" if np.isnan(rate) else f"{rate:.4f}" for rate in rates))
        for name, images, rates in zip(classes, counts.sum(axis=1), class_rates(counts), strict=True)
    ]
    return table(("class", "images", "precision", "recall", "F1"), rows)


def _mistakes(data: Dataset, scores: ClassScores) -> str:
    mistakes = scores.mistakes()
    text = f"{len(mistakes):,} mistakes, the most certain first"
    text += f"; the first {MAX_MISTAKES}." if len(mistakes) > MAX_MISTAKES else "."
    if not data.is_image:
        return paragraph(text)
    figures = []
    for index in mistakes[:MAX_MISTAKES]:
        read, right = data.classes[scores.predicted_class[index]], data.classes[scores.true_class[index]]
        caption = f"{read}, is {right}, {format_probability(scores.confidence[index])}"
        figures.append(image_tag(255 - data.test.inputs[index, :, :, 0], caption))
    return paragraph(text) + f'<div class="images">{"".join(figures)}</div>'


def _filters(model: Model) -> str:
    """The weights of the first layer that has any, one image for each map or unit."""
    layers = zip(model.network.shapes, views(model.network, model.parameters), strict=False)
    shape, first = next(
        (shape, layer) for shape, layer in layers if layer is not None and layer.weights.ndim > 1
    )
    images = filter_images(np.asarray(first.weights), shape)
    largest = float(np.nanmax(np.abs(images))) or 1.0
    text = f"{len(images)} images; blue: negative, orange: positive, to ±{largest:.3g}."
    if len(images) > MAX_FILTERS:
        text += f" The first {MAX_FILTERS}."
    tags = "".join(
        signed_image_tag(image / largest, str(number)) for number, image in enumerate(images[:MAX_FILTERS], 1)
    )
    return paragraph(text) + f'<div class="images">{tags}</div>'
