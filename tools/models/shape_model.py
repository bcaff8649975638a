"""Builds the shape model of the built-in digits from pen strokes.

python -m tools.models.shape_model FILE.unipen.gz [--without-writers 1-6] [--out
resources/strokes/shapes.safetensors] python -m tools.models.shape_model --pictures

The digits are grouped by label and number of strokes. Each is resampled to 60 points, and each
group is divided by k-means into clusters of about 80. A cluster is stored as its mean curve and its
first 12 principal components: a point distribution model (Cootes, Taylor, Cooper, Graham 1995).
--pictures draws those of docs/digits.md.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from core.data import builtin
from core.data.synthetic.pen import COMPONENTS, PATH, ShapeModel, shape_model
from core.data.synthetic.styles import SAMPLES
from core.drawing.rendering import render
from core.drawing.strokes import Polylines
from core.files.atomic import write_atomically
from core.files.tensors import encode_tensors
from tools.models.pen_data import PenDigit, read, writer_numbers

CLUSTER = 80  # digits of a cluster, on average
SMALLEST = 25  # groups and clusters of fewer digits are left out
# Of k-means.
STARTS = 4
ROUNDS = 60
PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"
CLUSTERS_OF = 4
FACTORS = (-2, -1, 0, 1, 2)
GAP = 2
ZOOM = 2
SOURCE = {
    "title": "Shape model of handwritten digits",
    "source": "Pen-Based Recognition of Handwritten Digits, UCI Machine Learning Repository, E. "
    "Alpaydin, F. Alimoglu, 1998; changed: clustered and reduced to principal components",
    "licence": "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.shape_model",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument(
        "--pictures", action="store_true", help="draw the pictures of the documents instead"
    )
    parser.add_argument("--without-writers", default="", metavar="N,N-N")
    parser.add_argument("--out", type=Path, default=PATH)
    options = parser.parse_args()
    if options.pictures:
        draw_pictures()
        return
    if options.file is None:
        parser.error("a file of pen strokes is needed")
    left_out = writer_numbers(options.without_writers) if options.without_writers else set()
    digits = [digit for digit in read(options.file) if digit.writer not in left_out]
    model = build(digits)
    write_model(model, options.out)
    print(
        f"{len(digits)} digits of {len({digit.writer for digit in digits})} writers: "
        f"{len(model.labels)} clusters, {options.out.stat().st_size / 1000:.0f} kB in {options.out}"
    )


def write_model(model: ShapeModel, path: Path) -> None:
    """Write `model` as safetensors, with its source and license."""
    arrays = {
        "labels": model.labels.astype(np.uint8),
        "counts": model.counts.astype(np.uint16),
        "joined": model.joined.astype(np.uint8),
        "means": model.means.astype(np.float16),
        "components": model.components.astype(np.float16),
    }
    write_atomically(path, encode_tensors(arrays, SOURCE))


def build(digits: list[PenDigit]) -> ShapeModel:
    """The clusters of `digits`, by label, number of strokes and size."""
    rng = np.random.default_rng(1)
    clusters = []
    for label, strokes in sorted({(digit.label, len(digit.strokes)) for digit in digits}):
        group = [digit for digit in digits if (digit.label, len(digit.strokes)) == (label, strokes)]
        if len(group) < SMALLEST:
            continue
        counts = _samples_of_strokes(group)
        joined = np.ones(SAMPLES, bool)
        joined[np.cumsum(counts) - 1] = False
        shapes = np.stack([_resample(digit, counts) for digit in group]).reshape(len(group), -1)
        owners = _k_means(shapes, max(1, round(len(group) / CLUSTER)), rng)
        for owner in range(owners.max() + 1):
            members = shapes[owners == owner]
            if len(members) >= SMALLEST:
                clusters.append((label, len(members), joined, *_principal_components(members)))
    labels, counts, joined, means, components = map(np.stack, zip(*clusters, strict=True))
    return ShapeModel(
        labels,
        counts,
        joined,
        means.reshape(-1, SAMPLES, 2),
        components.reshape(-1, COMPONENTS, SAMPLES, 2),
    )


def _samples_of_strokes(group: list[PenDigit]) -> list[int]:
    """SAMPLES divided among the strokes by their mean share of the digits' lengths, at least 4 for
    each.
    """
    shares = np.array([[_length(stroke) for stroke in digit.strokes] for digit in group])
    share = (shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-9)).mean(axis=0)
    counts = np.maximum(4, np.floor(share * SAMPLES)).astype(int)
    while counts.sum() != SAMPLES:
        errors = share * SAMPLES - counts
        if counts.sum() < SAMPLES:
            counts[errors.argmax()] += 1
        else:
            counts[np.where(counts > 4, errors, np.inf).argmin()] -= 1
    return counts.tolist()


def _length(stroke: np.ndarray) -> float:
    return float(np.hypot(*np.diff(stroke, axis=0).T).sum()) if len(stroke) > 1 else 0.0


def _resample(digit: PenDigit, counts: list[int]) -> np.ndarray:
    """(SAMPLES, 2): points at equal distances on each stroke; the longest side is 1, the middle of
    the box 0.
    """
    parts = []
    for stroke, count in zip(digit.strokes, counts, strict=True):
        steps = np.hypot(*np.diff(stroke, axis=0).T) if len(stroke) > 1 else np.zeros(0)
        places = np.concatenate(([0.0], np.cumsum(steps)))
        wanted = np.linspace(0, places[-1], count)
        parts.append(np.stack([np.interp(wanted, places, axis) for axis in stroke.T], axis=1))
    points = np.concatenate(parts)
    low = points.min(axis=0)
    high = points.max(axis=0)
    return (points - (low + high) / 2) / max(float((high - low).max()), 1e-9)


def _k_means(shapes: np.ndarray, clusters: int, rng: np.random.Generator) -> np.ndarray:
    """int (n,): the cluster of each row of `shapes`; the best of STARTS runs from k-means++
    (Arthur, Vassilvitskii).
    """
    best = np.zeros(len(shapes), int)
    least = np.inf
    for _ in range(STARTS):
        centers = shapes[rng.integers(len(shapes))][None]
        while len(centers) < clusters:
            nearest = _squares(shapes, centers).min(axis=1)
            centers = np.vstack(
                (centers, shapes[rng.choice(len(shapes), p=nearest / nearest.sum())])
            )
        owners = np.full(len(shapes), -1)
        for _ in range(ROUNDS):
            squares = _squares(shapes, centers)
            before = owners
            owners = squares.argmin(axis=1)
            if (before == owners).all():
                break
            centers = np.stack(
                [
                    shapes[owners == k].mean(axis=0) if (owners == k).any() else centers[k]
                    for k in range(clusters)
                ]
            )
        if (total := float(squares.min(axis=1).sum())) < least:
            best = owners
            least = total
    return best


def _squares(shapes: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(n, clusters): squared distances."""
    return np.stack([((shapes - center) ** 2).sum(axis=1) for center in centers], axis=1)


def _principal_components(members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean, (d,), and COMPONENTS principal components, each times its standard deviation,
    (COMPONENTS, d).
    """
    mean = members.mean(axis=0)
    _, spreads, axes = np.linalg.svd(members - mean, full_matrices=False)
    axes = axes * (spreads / np.sqrt(len(members) - 1))[:, None]
    return mean, axes[:COMPONENTS]


def draw_pictures(folder: Path = PICTURES) -> None:
    """Draw examples of all digits, and how the shapes of CLUSTERS_OF vary."""
    train, _ = builtin.draw(2_000, 1)
    rows = [train.inputs[train.targets == digit][:20, :, :, 0] for digit in range(10)]
    _save(np.stack(rows), folder / "built-in-digits.png")
    _save(_clusters(CLUSTERS_OF), folder / f"shape-clusters-{CLUSTERS_OF}.png")


def _clusters(digit: int) -> np.ndarray:
    """uint8 (clusters, pictures, 28, 28): for the first two components of each cluster the mean
    plus c · component.
    """
    model = shape_model()
    rows = []
    for cluster in np.flatnonzero(model.labels == digit):
        curves = [
            model.means[cluster] + factor * model.components[cluster, number]
            for number in range(min(3, COMPONENTS))
            for factor in FACTORS
        ]
        samples = len(curves[0])
        lines = Polylines(
            np.concatenate(curves),
            np.tile(model.joined[cluster], len(curves)),
            np.arange(len(curves) + 1) * samples,
        )
        rows.append(render(lines))
    return np.stack(rows)


def _save(pictures: np.ndarray, path: Path) -> None:
    """Write uint8 (rows, columns, 28, 28) as a PNG of dark ink on white."""
    rows, columns, side, _ = pictures.shape
    sheet = np.zeros((rows * (side + GAP), columns * (side + GAP)), np.uint8)
    for row in range(rows):
        for column in range(columns):
            top = row * (side + GAP)
            left = column * (side + GAP)
            sheet[top : top + side, left : left + side] = pictures[row, column]
    image = Image.fromarray(255 - sheet)
    image.resize((image.width * ZOOM, image.height * ZOOM), Image.Resampling.NEAREST).save(
        path, optimize=True
    )


if __name__ == "__main__":
    main()
