"""Renders the program's icon in the sizes and formats of all desktops from one SVG file."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "resources" / "icons" / "digitlab.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)


def make_icons(folder: Path) -> None:
    """Write the hicolor tree, `digitlab.ico` (Windows) and `digitlab.icns` (macOS) into
    `folder`.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PIL import Image
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(DRAWING))
    if not renderer.isValid():
        raise SystemExit(f"{DRAWING} is no SVG file that Qt can render.")
    paths = {}
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        paths[size] = folder / "hicolor" / f"{size}x{size}" / "apps" / "digitlab.png"
        paths[size].parent.mkdir(parents=True, exist_ok=True)
        if not image.save(str(paths[size])):
            raise SystemExit(f"{paths[size]} could not be written.")
    scalable = folder / "hicolor" / "scalable" / "apps" / "digitlab.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    scalable.write_bytes(DRAWING.read_bytes())

    # Each size is rendered from the SVG file: shrinking the largest would blur the small ones.
    pictures = {size: _loaded(Image.open(path, formats=("PNG",))) for size, path in paths.items()}
    small = [pictures[size] for size in ICO_SIZES]
    small[-1].save(
        folder / "digitlab.ico", sizes=[(s, s) for s in ICO_SIZES], append_images=small[:-1]
    )
    pictures[512].save(
        folder / "digitlab.icns", append_images=[pictures[s] for s in (32, 64, 128, 256)]
    )


def _loaded(image: "Image.Image") -> "Image.Image":
    """Read the whole image, which closes its file."""
    image.load()
    return image


if __name__ == "__main__":
    make_icons(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "icons")
