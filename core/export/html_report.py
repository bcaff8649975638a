"""One HTML page of a network: a canvas on which it reads drawings, and below it the report of its
run.
"""

import time
from dataclasses import replace
from html import escape
from typing import ClassVar

import numpy as np

from core.data.class_names import DIGITS, Classes
from core.data.dataset import Dataset
from core.data.sources import data_title
from core.errors import InputError
from core.export.exporter import Exporter, ExportSource
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import image_tag, page, paragraph, section, signed_image_tag, table
from core.inference.model_file import Model, check_fits
from core.inference.scores import MAX_TESTED, ClassScores, class_rates, score_classes
from core.inspection.units import filter_images
from core.network.parameters import views
from core.reading.drawing_page import drawing_part, page_script, why_not
from core.runs.comparison import curve_figure, settings_table
from core.runs.folder import RunFolder, read_label
from core.text import counted, format_percent, format_probability
from core.training.records import Epoch
from core.version import VERSION

_NO_CURVES = "There are no curves: the epochs of this network were not kept."
_NOT_MEASURED = "Not measured: the test images were not there when this page was written."
MAX_MISTAKES = 60
MAX_FILTERS = 64
MAX_EPOCHS = 1_000_000_000
PAGE_BYTES = 1_000_000  # a page is filled up with epochs of the replay to this size
_TINTS = 6  # of the cells of the confusion matrix, in page.css
_CURVES = (
    (
        "loss",
        (("training", "train_loss"), ("test", "test_loss"), ("validation", "validation_loss")),
    ),
    ("", (("training", "train_score"), ("test", "test_score"))),  # accuracy, or R² of values
)


class HtmlReport(Exporter):
    """Canvas and report. The curves and the replay need the folder of the run, the results the test
    images.
    """

    order = 3
    suffix = ".html"
    title: ClassVar = "Page to draw on, with a report"
    use: ClassVar = (
        "Open it here to try it, or send it: by mail, by a memory stick, by a chat. It needs no "
        "connection. Who opens it can draw at once."
    )

    def content(self, source: ExportSource) -> bytes:
        model = source.model
        folder = source.run_folder
        rows = folder.read_history(MAX_EPOCHS) if folder else []
        # Networks of values have no confusion matrix, calibration or mistakes that could be
        # measured.
        results = [section("Results", paragraph(_NOT_MEASURED))] if model.kind == "classes" else []
        if tested := _tested(source):
            results = _results(*tested)
            # The model's own score may be that of fewer images.
            if len(tested[0].test) <= MAX_TESTED:
                right = tested[1].true_class == tested[1].predicted_class
                model = replace(model, test_score=float(right.mean()))
        label = read_label(folder.path) if folder else None
        report = [
            section("Network", _network(model)),
            section("Curves", *(_curves(rows) if rows else [paragraph(_NO_CURVES)])),
            *results,
            section("Filters of the first layer", _filters(model)),
            section(
                "Settings",
                paragraph(label.note) if label and label.note else "",
                _settings(model, folder),
            ),
        ]
        footer = f"DigitLab {VERSION}, {time.strftime('%Y-%m-%d %H:%M')}"
        name = label.name if label else ""
        if reason := why_not(model):
            parts = [paragraph(reason), paragraph(_sentence(model, rows)), *report]
            return page(name or f"Report: {model.network.text}", parts, footer).encode()
        # About what the numbers of the network take, with that which tells digits from other
        # drawings.
        numbers = 2 * model.network.parameter_count + 120_000
        room = PAGE_BYTES - len(page("", report, script=page_script()).encode()) - numbers
        kept = folder.kept.read(model.network) if folder else ()
        images = tested[0].test.inputs[:MAX_TESTED] if tested else None
        part = drawing_part(model, images, kept, rows, room)
        numbers_used = section("Numbers", *map(paragraph, part.notes))
        parts = [part.html, paragraph(_sentence(model, rows)), *report, numbers_used]
        title = name or (
            "Draw a digit" if model.classes == DIGITS else "Draw, and the network reads"
        )
        return page(title, parts, footer, script=page_script(), data=part.data).encode()


def _sentence(model: Model, rows: list[Epoch]) -> str:
    epochs = f" in {counted(len(rows), 'epoch')}" if rows else ""
    data = data_title(model.data) if model.data else "unknown data"
    text = f"This is the network {model.network.text}; it learned from {data}{epochs}"
    if model.test_score is None:
        return text + "."
    score = f"reaches R² {model.test_score:.4f} on the test split"
    if model.kind == "classes":
        score = f"reads {format_percent(model.test_score)} of the test images right"
    return f"{text}, and {score}."


def _tested(source: ExportSource) -> tuple[Dataset, ClassScores] | None:
    """The data set of a model of classes and the scores on its test images; None where they cannot
    be had.
    """
    model = source.model
    if model.kind != "classes" or source.load_dataset is None or not model.data:
        return None
    try:
        data = source.load_dataset(model.data)
        # The data of that name may have been changed since the model was trained.
        check_fits(model, data)
        return data, score_classes(model, data.test.first(MAX_TESTED))
    except InputError:
        return None


def _network(model: Model) -> str:
    network = model.network
    rows = [("input", "x".join(map(str, network.input_shape)), "")]
    for layer, shape, count in zip(
        network.layers, network.shapes[1:], network.parameters, strict=True
    ):
        rows.append((layer.text, "x".join(map(str, shape)), f"{count:,}"))
    counted = paragraph(f"{network.trained_count:,} parameters.")
    return counted + table(("layer", "output", "parameters"), rows)


def _settings(model: Model, run: RunFolder | None) -> str:
    # A model of another program has no settings of a run.
    values = dict(model.run_settings) or {"activation": model.activation, "loss": model.loss}
    values = {"data": data_title(model.data) if model.data else "–", **values}
    if run:
        info = run.read_info()
        values |= {"device": info.plan.device, "state": info.state}
    return settings_table(("value",), [values])


def _curves(rows: list[Epoch]) -> list[str]:
    first = rows[0]
    last = rows[-1]
    score = "R²" if last.train_score is None else "accuracy"
    curves = [(title or score, names) for title, names in _CURVES]
    words: list[str] = []
    for title, names in curves:
        for name, column in names:
            before = getattr(first, column)
            after = getattr(last, column)
            if before is not None and after is not None:
                words.append(f"{name} {title} from {before:.4g} to {after:.4g}")
    parts = [paragraph(f"From epoch {first.epoch} to epoch {last.epoch}: {', '.join(words)}.")]
    for title, names in curves:
        known = [
            (name, rows, column) for name, column in names if getattr(last, column) is not None
        ]
        parts.append(curve_figure(title[:1].upper() + title[1:], known))
    return parts


def _results(data: Dataset, scores: ClassScores) -> list[str]:
    """The sections on the test split."""
    counts = scores.counts(len(data.classes))
    right = int(counts.trace())
    sentence = (
        f"{right:,} of {counts.sum():,} test images are read right "
        f"({format_percent(right / counts.sum())}); expected calibration error "
        f"{scores.calibration_error():.4f}."
    )
    confidence, share, _ = scores.calibration()
    axes = Axis("confidence"), Axis("share that is right")
    diagonal = Line("as certain as right", [0.0, 1.0], [0.0, 1.0])
    measured = Line("test images", confidence.tolist(), share.tolist())
    return [
        section(
            "Confusion matrix",
            paragraph(sentence),
            paragraph("Rows: true class. Columns: read as."),
            _confusion(data.classes, counts),
        ),
        section("Classes", _classes(data.classes, counts)),
        section("Calibration", figure_html(Figure("Calibration", *axes, [measured, diagonal]))),
        section("Mistakes", _mistakes(data, scores)),
    ]


def _confusion(classes: Classes, counts: np.ndarray) -> str:
    # The test split may hold no image of a class.
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("true / read", *classes))
    rows = []
    for name, row, tints in zip(classes, counts, shares, strict=True):
        # The root, so that the few mistakes are seen beside the many right answers.
        pairs = zip(row, np.rint(tints**0.5 * _TINTS).astype(int), strict=True)
        cells = "".join(f'<td class="tint{tint}">{count}</td>' for count, tint in pairs)
        rows.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
    return (
        "<div "
        f'class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _classes(classes: Classes, counts: np.ndarray) -> str:
    rows = [
        (name, int(images), *("–" if np.isnan(rate) else f"{rate:.4f}" for rate in rates))
        for name, images, rates in zip(
            classes, counts.sum(axis=1), class_rates(counts), strict=True
        )
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
        read = data.classes[scores.predicted_class[index]]
        right = data.classes[scores.true_class[index]]
        caption = f"{read}, is {right}, {format_probability(scores.confidence[index])}"
        # Dark ink on a white page: in the data the ink is light.
        figures.append(image_tag(255 - data.test.inputs[index, :, :, 0], caption))
    return paragraph(text) + f'<div class="images">{"".join(figures)}</div>'


def _filters(model: Model) -> str:
    """The weights of the first layer that has any, one image for each map or unit."""
    layers = zip(model.network.shapes, views(model.network, model.parameters), strict=False)
    # Batch normalization may stand first; its scales are no filters.
    shape, first = next(
        (shape, layer) for shape, layer in layers if layer is not None and layer.weights.ndim > 1
    )
    images = filter_images(np.asarray(first.weights), shape)
    # Weights that are all 0 would be divided by 0.
    largest = float(np.nanmax(np.abs(images))) or 1.0
    text = f"{len(images)} images; blue: positive, orange: negative, to ±{largest:.3g}."
    if len(images) > MAX_FILTERS:
        text += f" The first {MAX_FILTERS}."
    tags = (
        signed_image_tag(image / largest, str(n)) for n, image in enumerate(images[:MAX_FILTERS], 1)
    )
    return paragraph(text) + f'<div class="images">{"".join(tags)}</div>'
