"""Groups pieces of a drawing or picture into lines of text."""

from collections.abc import Sequence

from core.reading.pieces import Piece

_TALL = 0.5
"""A piece of at least this fraction of the tallest piece's height begins a line; others belong to the nearest one."""

_APART = 0.15


def lines_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line of text, from top to bottom."""
    if not pieces:
        return []
    tallest = max(piece.box.height for piece in pieces)
    lines: list[list[Piece]] = []
    small = []
    for piece in sorted(pieces, key=lambda piece: -piece.box.height):
        if piece.box.height < _TALL * tallest:
            small.append(piece)
            continue
        line = next((line for line in lines if any(_beside(piece, other) for other in line)), None)
        if line is None:
            lines.append([piece])
        else:
            line.append(piece)
    for piece in small:
        min(lines, key=lambda line: min(_distance(piece, other) for other in line)).append(piece)
    return sorted(lines, key=lambda line: sum(piece.box.middle[1] for piece in line) / len(line))


def stroke_lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The strokes of each line of text, from top to bottom, in the order in which they were written.

    Strokes are one line unless there is empty space between the lines. A single stroke above another one is one digit
    whose middle was erased.
    """
    lines = lines_of(pieces)
    if not are_apart(lines) or max(map(len, lines)) < 2:
        return [list(pieces)]
    order = {id(piece): number for number, piece in enumerate(pieces)}
    return [sorted(line, key=lambda piece: order[id(piece)]) for line in lines]


def are_apart(lines: list[list[Piece]]) -> bool:
    """Whether there are several lines, with empty space between them: the parts of a digit are closer together."""
    if len(lines) < 2:
        return False
    tallest = max(piece.box.height for line in lines for piece in line)
    bottoms = [max(piece.box.bottom for piece in line) for line in lines]
    tops = [min(piece.box.top for piece in line) for line in lines]
    return any(top - bottom > _APART * tallest for bottom, top in zip(bottoms, tops[1:], strict=False))


def _beside(one: Piece, other: Piece) -> bool:
    """Whether the vertical extents overlap by more than half of the smaller one."""
    overlap = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return overlap > 0.5 * min(one.box.height, other.box.height)


def _distance(one: Piece, other: Piece) -> float:
    """The distance between two boxes; vertical distance counts twice."""
    across = max(one.box.left - other.box.right, other.box.left - one.box.right, 0)
    down = max(one.box.top - other.box.bottom, other.box.top - one.box.bottom, 0)
    return across + 2 * down
