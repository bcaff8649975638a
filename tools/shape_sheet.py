"""Draws the pictures of docs/built-in-digits.md: python -m tools.shape_sheet [FOLDER]."""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from core.data import builtin
from core.data.synthetic.pen import COMPONENTS, shape_model
from core.drawing.rendering import render
from core.drawing.strokes import Polylines

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
CLUSTERS_OF = 4
FACTORS = (-2, -1, 0, 1, 2)
GAP = 2
ZOOM = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    folder = parser.parse_args().folder
    train, _ = builtin.draw(2_000, 1)
    rows = [train.inputs[train.targets == digit][:20, :, :, 0] for digit in range(10)]
    _save(np.stack(rows), folder / "built-in-digits.png")
    _save(_clusters(CLUSTERS_OF), folder / f"shape-clusters-{CLUSTERS_OF}.png")


def _clusters(digit: int) -> np.ndarray:
    """uint8 (clusters, pictures, 28, 28): for the first two components of each cluster the mean plus c · component."""
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
