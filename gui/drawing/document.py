"""The document of the canvas: the strokes of a drawing as points in a square, their image and the
undo stack.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from zlib import compress, decompressobj
from zlib import error as zlib_error

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QUndoCommand, QUndoStack

from core.drawing.strokes import PenStroke

WIDE = 1120  # width of the wide canvas in pixels
SIDE = 560  # side of the square image in pixels, independent of the widget's size
REFERENCE = 280  # pen widths are given in pixels of a square of this side
PEN_WIDTHS = (8, 20, 40)  # minimum, default, maximum; 20 is 2 pixels of 28, as strokes in MNIST

GRAY = QImage.Format.Format_Grayscale8
UNDO_LIMIT = 500
MAX_TEXT = 1_000_000  # characters of a drawing that is kept for the next start


class Dot(NamedTuple):
    """A position of the pen and its width there, in pixels of the image."""

    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """The dots from pressing the pen to lifting it."""

    dots: tuple[Dot, ...]
    erases: bool = False

    def points(self) -> PenStroke:
        """The stroke as an array."""
        dots = np.array(self.dots)
        return PenStroke(dots[:, :2], float(dots[:, 2].mean()), self.erases)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`background`: SIDE rows of `width` bytes, 0 paper to 255 ink, or None. The strokes are
    painted on it in order.

    `width`: SIDE, or WIDE for numbers of several digits. `steps`: of the picture in the background,
    as `core.drawing.picture.picture_steps` returns them; they are not kept for the next start.
    """

    background: bytes | None = None
    strokes: tuple[Stroke, ...] = ()
    width: int = SIDE
    # An array has no single truth value: comparing two drawings would raise.
    steps: np.ndarray | None = field(default=None, compare=False)

    @property
    def is_empty(self) -> bool:
        return self.background is None and not self.strokes

    def as_text(self) -> str:
        """The drawing as JSON, places to a hundredth of a pixel; empty for an empty one and for a
        very large one.
        """
        if self.is_empty:
            return ""
        strokes = [
            {
                "erases": stroke.erases,
                "dots": [[round(float(part), 2) for part in dot] for dot in stroke.dots],
            }
            for stroke in self.strokes
        ]
        content: dict[str, Any] = {"width": self.width, "strokes": strokes}
        if self.background is not None:
            content["background"] = b64encode(compress(self.background)).decode("ascii")
        text = json.dumps(content, separators=(",", ":"))
        return text if len(text) <= MAX_TEXT else ""

    @classmethod
    def from_text(cls, text: str) -> "Drawing":
        """The drawing that `as_text` wrote. Raises ValueError for another text."""
        try:
            content = json.loads(text)
            width = content["width"]
            if width not in (SIDE, WIDE):
                raise ValueError(f"a drawing is not {width} pixels wide")
            strokes = tuple(map(_read_stroke, content["strokes"]))
            background = content.get("background")
            if background is not None:
                background = _read_background(background, SIDE * width)
        # The file of preferences may hold anything: brackets in brackets end in a RecursionError.
        except (KeyError, TypeError, AttributeError, RecursionError, zlib_error) as error:
            raise ValueError(f"this is no drawing: {error}") from None
        return cls(background, strokes, width)


def _read_stroke(content: dict[str, Any]) -> Stroke:
    dots = tuple(Dot(*map(float, dot)) for dot in content["dots"])
    if not dots or not all(
        abs(x) < 2 * WIDE and abs(y) < 2 * WIDE and 0 < width < SIDE for x, y, width in dots
    ):
        raise ValueError("a stroke has dots on the canvas")
    return Stroke(dots, bool(content["erases"]))


def _read_background(text: str, size: int) -> bytes:
    """At most `size` bytes are unpacked."""
    # A short text can unpack to gigabytes.
    background = decompressobj().decompress(b64decode(text), size)
    if len(background) != size:
        raise ValueError(f"a background has {size} pixels")
    return background


def with_width(drawing: Drawing, width: int) -> Drawing:
    """The strokes of `drawing` on a canvas of another width: centered, and half as large where they
    do not fit.

    A picture below the strokes has to be fitted by the caller.
    """
    shift = (width - drawing.width) / 2
    fits = all(0 <= dot.x + shift <= width for stroke in drawing.strokes for dot in stroke.dots)
    factor = 1.0 if fits else 0.5
    right = (width - factor * drawing.width) / 2
    down = (1 - factor) * SIDE / 2

    def moved(stroke: Stroke) -> Stroke:
        dots = (Dot(x * factor + right, y * factor + down, w * factor) for x, y, w in stroke.dots)
        return Stroke(tuple(dots), stroke.erases)

    return Drawing(None, tuple(map(moved, drawing.strokes)), width)


class Curve(NamedTuple):
    """A quadratic Bezier curve of constant width."""

    start: tuple[float, float]
    control: tuple[float, float]
    end: tuple[float, float]
    width: float


def curve_of(dots: Sequence[Dot], index: int) -> Curve:
    """The curve from the middle before dot `index` to the middle between it and dot `index + 1`.

    Its control point is dot `index`, so that neighboring curves have the same tangent where they
    meet. Later dots do not change it; only that of the last dot, a straight segment to it, is
    replaced by the next dot.
    """
    before = dots[max(index - 1, 0)]
    dot = dots[index]
    after = dots[index + 1 : index + 2]
    start = (before.x + dot.x) / 2, (before.y + dot.y) / 2
    if not after:
        return Curve(start, start, (dot.x, dot.y), dot.width)
    end = (dot.x + after[0].x) / 2, (dot.y + after[0].y) / 2
    return Curve(start, (dot.x, dot.y), end, (dot.width + after[0].width) / 2)


class InkImage:
    """`image`: the ink, SIDE rows of bytes, 0 paper to 255 ink, device pixel ratio 1.

    The last, straight segment of an unfinished stroke is painted into it only, not into `_settled`,
    and the next dot replaces it. Hence a stroke painted dot by dot equals the same stroke painted
    at once, to the byte.
    """

    def __init__(self, drawing: Drawing) -> None:
        width = drawing.width
        ink = drawing.background or bytes(SIDE * width)
        # A QImage does not own the bytes that it is made of: the copy does.
        self._settled = QImage(ink, width, SIDE, width, GRAY).copy()
        for stroke in drawing.strokes:
            curves = (curve_of(stroke.dots, index) for index in range(len(stroke.dots)))
            _paint_curves(self._settled, curves, stroke.erases)
        self.image = self._settled.copy()
        self._tail = QRect()

    def pixels(self) -> np.ndarray:
        """The ink as a new uint8 array (SIDE, width)."""
        # Qt may pad each row.
        rows = np.frombuffer(self.image.constBits(), np.uint8).reshape(
            SIDE, self.image.bytesPerLine()
        )
        return rows[:, : self.image.width()].copy()

    def paint_last(self, dots: Sequence[Dot], *, erases: bool) -> QRect:
        """Paint the last of the dots of an unfinished stroke; returns a rectangle around what has
        changed.
        """
        dirty = self._tail
        # The dot before can no longer change: its curve is settled.
        if len(dots) > 1:
            dirty = dirty.united(
                _paint_curves(self._settled, [curve_of(dots, len(dots) - 2)], erases)
            )
        with QPainter(self.image) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawImage(dirty, self._settled, dirty)
        self._tail = _paint_curves(self.image, [curve_of(dots, len(dots) - 1)], erases)
        return dirty.united(self._tail)

    def settle(self) -> None:
        """The stroke is finished."""
        self._settled = self.image.copy()
        self._tail = QRect()


class Document(QObject):
    """`drawing` holds the finished strokes. Each change of it is a command on `undo_stack`.

    `ink`: of these strokes and of that which is being drawn.
    """

    changed = Signal()  # the ink has changed, also while a stroke is being drawn
    painted = Signal(QRect)  # this part of the image has to be painted again
    edited = Signal()  # the undo stack has changed; not when it is deleted, with its commands

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self.undo_stack.indexChanged.connect(self.edited)
        self.was_changed = False  # by a person, even if that was undone
        self._dots: list[Dot] = []
        self._erases = False
        self.show(Drawing())

    @property
    def width(self) -> int:
        """SIDE, or WIDE for numbers of several digits."""
        return self.drawing.width

    def set_width(self, width: int) -> None:
        """Change the width by an undoable command; the strokes are kept, a picture is fitted
        again.
        """
        self.finish_stroke()
        if width != self.width:
            drawing = with_width(self.drawing, width)
            if self.drawing.background is not None:
                background = fitted(_middle(self.ink.pixels(), width), width)
                # The strokes on it are part of its ink now.
                drawing = Drawing(background, width=width, steps=self.drawing.steps)
            self.change(self.tr("change of width"), drawing)

    @property
    def is_drawing(self) -> bool:
        return bool(self._dots)

    @property
    def is_empty(self) -> bool:
        return self.drawing.is_empty and not self._dots

    def strokes(self) -> tuple[PenStroke, ...] | None:
        """All strokes as arrays, with that being drawn; None where a picture lies below them."""
        if self.drawing.background is not None:
            return None
        last = (Stroke(tuple(self._dots), self._erases),) if self._dots else ()
        return tuple(stroke.points() for stroke in (*self.drawing.strokes, *last))

    def begin_stroke(self, dot: Dot, *, erases: bool = False) -> None:
        self.finish_stroke()
        was_empty = self.is_empty
        self._dots = [dot]
        self._erases = erases
        part = self.ink.paint_last(self._dots, erases=erases)
        # With the first ink the example or the words on the empty canvas have to go.
        self.painted.emit(self.ink.image.rect() if was_empty else part)
        self.changed.emit()

    def extend_stroke(self, dot: Dot) -> None:
        """Append a dot to the stroke that is being drawn, if any, unless the pen has not moved."""
        if self._dots and self._dots[-1][:2] != dot[:2]:
            self._dots.append(dot)
            self.painted.emit(self.ink.paint_last(self._dots, erases=self._erases))
            self.changed.emit()

    def finish_stroke(self) -> None:
        """End the stroke that is being drawn, if any, and push it on the undo stack."""
        if not self._dots:
            return
        stroke = Stroke(tuple(self._dots), self._erases)
        self._dots = []
        self.ink.settle()
        text = self.tr("erase stroke") if stroke.erases else self.tr("stroke")
        drawing = replace(self.drawing, strokes=(*self.drawing.strokes, stroke))
        self.was_changed = True
        self.undo_stack.push(_Change(self, text, drawing, painted=True))

    def cancel_stroke(self) -> None:
        """Remove the stroke that is being drawn, for example when the system cancels a touch."""
        if self._dots:
            self.show(self.drawing)

    def undo(self) -> None:
        """Undo the stroke that is being drawn, or else the last command."""
        if self._dots:
            self.cancel_stroke()
        else:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Ignored while a stroke is being drawn, which it would replace."""
        if not self._dots:
            self.undo_stack.redo()

    def clear(self) -> None:
        self.finish_stroke()
        if not self.drawing.is_empty:
            self.change(self.tr("clear"), Drawing(width=self.width))

    def change(self, text: str, drawing: Drawing) -> None:
        """Replace the drawing by an undoable command named `text`."""
        self.finish_stroke()
        self.was_changed = True
        self.undo_stack.push(_Change(self, text, drawing))

    def show(self, drawing: Drawing) -> None:
        """Replace the drawing without changing the undo stack; a stroke that is being drawn is
        lost.
        """
        self._dots = []
        self.drawing = drawing
        self.ink = InkImage(drawing)
        self.painted.emit(self.ink.image.rect())
        self.changed.emit()


class _Change(QUndoCommand):
    """Replaces the drawing. `painted`: its first redo need not paint, because the image shows the
    result already.
    """

    def __init__(
        self, document: Document, text: str, drawing: Drawing, painted: bool = False
    ) -> None:
        super().__init__(text)
        self._document = document
        self._painted = painted
        self._before = document.drawing
        self._after = drawing

    def redo(self) -> None:
        if self._painted:
            self._painted = False
            self._document.drawing = self._after
        else:
            self._document.show(self._after)

    def undo(self) -> None:
        self._document.show(self._before)


def _middle(ink: np.ndarray, width: int) -> np.ndarray:
    """What fits into the middle of a wider canvas keeps its size: that part of the ink, or all
    where more is inked.
    """
    left = (ink.shape[1] - width) // 2
    if left > 0 and not ink[:, :left].any() and not ink[:, left + width :].any():
        return ink[:, left : left + width]
    return ink


def _paint_curves(image: QImage, curves: Iterable[Curve], erases: bool) -> QRect:
    """Paint the curves of one stroke; returns a rectangle around the painted pixels."""
    painted = QRect()
    pen = QPen(QColor(0, 0, 0) if erases else QColor(255, 255, 255))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curve in curves:
            start, control, end = (QPointF(*point) for point in curve[:3])
            pen.setWidthF(curve.width)
            painter.setPen(pen)
            path = QPainterPath(start)
            path.quadTo(control, end)
            # Qt draws nothing for a path without a length.
            if start == end:
                painter.drawPoint(start)
            else:
                painter.drawPath(path)
            # Antialiasing reaches beyond the pen.
            reach = curve.width / 2 + 2
            box = path.controlPointRect().adjusted(-reach, -reach, reach, reach)
            painted = painted.united(box.toAlignedRect())
    return painted.intersected(image.rect())


def fitted(ink: np.ndarray, columns: int = SIDE) -> bytes:
    """Scale ink, uint8 (height, width), to a drawing's background: as large as possible, centered.

    `columns`: the width of the drawing.

    Enlarging repeats pixels, so that a picture of 28x28 is classified unchanged; shrinking
    averages.
    """
    height, width = ink.shape
    picture = QImage(np.ascontiguousarray(ink).tobytes(), width, height, width, GRAY)
    small = height < SIDE and width < columns
    picture = picture.scaled(
        columns,
        SIDE,
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.FastTransformation
        if small
        else Qt.TransformationMode.SmoothTransformation,
    )
    square = QImage(columns, SIDE, GRAY)
    square.fill(0)
    with QPainter(square) as painter:
        painter.drawImage((columns - picture.width()) // 2, (SIDE - picture.height()) // 2, picture)
    # SIDE and WIDE are multiples of 4, so that Qt pads no row.
    return bytes(square.constBits())
