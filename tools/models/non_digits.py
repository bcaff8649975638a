"""Drawings that are no digits: letters, scribbles, marks and spoilt digits. The non-digit detector
learns from them.
"""

from collections.abc import Callable, Sequence
from math import cos, pi, sin

import numpy as np

from core.drawing.strokes import join, smooth

KINDS = ("letters", "scribbles", "marks", "spoilt digits")

# Letters that no one takes for digits, as strokes in the notation of core.data.synthetic.styles.
# Left out are those that look like a digit: B b D G g I i J j l O o q S s y Z z.
LETTERS: dict[str, tuple[str, ...]] = {
    "A": ("0,100 30,0! 60,100|12,62 48,62", "30,0 14,50 0,100|30,0 46,50 62,100|10,64 52,64"),
    "C": ("58,16 34,0 8,18 0,50 8,84 34,100 60,86", "54,8 28,2 4,40 10,86 36,99 62,92"),
    "E": ("56,0 0,0! 0,100! 58,100|0,50 46,50", "54,6 22,2 8,24 34,46! 4,66 14,98 58,92"),
    "F": ("58,0 0,0! 0,100|0,48 44,48", "6,0 6,50 4,100|0,4 60,0|6,46 46,44"),
    "H": ("0,0 0,100|60,0 60,100|0,50 60,50", "4,2 2,50 0,98|56,0 58,50 60,100|0,54 60,46"),
    "K": ("0,0 0,100|56,0 2,54! 58,100", "2,0 2,100|54,6 4,50|14,42 60,98"),
    "L": ("0,0 0,100! 56,100", "6,0 2,50 0,98! 30,98 60,94"),
    "M": ("0,100 6,0! 40,70! 74,0! 80,100", "0,100 0,0! 36,60! 72,0! 72,100"),
    "N": ("0,100 0,0! 58,100! 58,0", "2,98 6,2! 54,98! 60,0"),
    "P": ("0,100 0,0! 40,0 58,26 40,52 0,54", "4,0 2,100|0,6 34,0 56,20 44,48 4,54"),
    "Q": ("30,0 8,14 0,50 8,86 30,100 54,86 60,50 52,14 30,0|36,70 70,108",),
    "R": ("0,100 0,0! 40,0 56,24 38,48 2,50! 60,100", "2,0 2,100|0,4 40,2 54,26 4,52! 56,98"),
    "T": ("0,0 64,0|32,0 32,100", "0,4 60,0|30,2 28,100"),
    "U": ("0,0 0,70 14,98 44,98 60,70 60,0", "2,0 6,80 30,100 52,80 58,0! 58,100"),
    "V": ("0,0 30,100! 60,0", "0,4 28,98! 64,0"),
    "W": ("0,0 20,100! 42,30! 64,100! 84,0", "0,6 10,92 34,90 42,30! 52,92 76,88 84,0"),
    "X": ("0,0 60,100|60,0 0,100", "4,4 56,96|58,0 0,98"),
    "Y": ("0,0 30,48|60,0 30,48! 30,100", "2,0 32,50|62,0 16,100"),
    "a": ("54,20 30,0 4,24 2,76 26,98 50,74 56,10! 54,84 72,98",),
    "d": (
        "50,52 26,40 2,62 10,96 36,94 52,60|54,0 54,100",
        "46,50 20,42 2,72 20,100 50,66 56,0! 54,90 66,98",
    ),
    "e": ("2,54 56,46 44,6 16,6 0,52 12,92 40,99 62,82",),
    "f": ("58,10 40,0 26,20 24,100|4,44 48,42",),
    "h": ("2,0 2,100|2,66 24,44 44,56 46,100", "4,0 4,98! 10,60 36,46 48,64 50,98"),
    "k": ("2,0 2,100|44,44 4,72! 48,100",),
    "m": (
        "0,4 2,98! 6,30 24,4 40,24 40,96! 46,30 64,4 80,24 82,98",
        "0,98 4,20! 20,4 38,20 40,90! 44,20 70,4 80,98",
    ),
    "n": ("0,4 2,98! 8,30 32,2 56,24 58,98",),
    "p": ("2,4 2,100|2,14 30,0 52,22 36,50 4,48",),
    "r": ("2,4 4,98! 6,40 26,8 50,8",),
    "t": ("26,0 26,84 42,100 58,90|2,30 52,28", "28,0 26,80 44,98|0,36 54,32"),
    "u": ("0,2 4,80 26,98 50,76 56,4! 58,98", "2,4 0,70 20,96 50,70 54,2! 54,80 68,98"),
    "w": ("0,4 10,84 28,84 40,20! 52,84 70,80 80,2",),
}

Strokes = list[np.ndarray]
"""Strokes of one drawing, each float64 (k, 2), x to the right, y down, in any unit."""


def draw(
    kind: str, count: int, rng: np.random.Generator, without: Sequence[str] = ()
) -> np.ndarray:
    """`count` drawings, uint8 (n, 28, 28), rendered as the canvas renders strokes.

    `kind`: one of KINDS, of LETTERS or of MARKS. `without`: names of letters and marks that are not
    drawn.
    """
    # Imported here, because it imports a compiler.
    from core.drawing.rendering import PEN, render

    kinds = {"letters": list(LETTERS), "marks": list(MARKS)}
    named = kinds.get(kind, [kind])
    names = [name for name in named if name not in without or name == kind]
    drawings = [
        _slant(strokes_of(names[int(n)], rng), rng) for n in rng.integers(0, len(names), count)
    ]
    return render(join(drawings), PEN * rng.uniform(0.8, 1.25, count))


def strokes_of(name: str, rng: np.random.Generator) -> Strokes:
    """A scribble, a spoilt digit, or the letter or mark with this name, with points that are moved
    at random.
    """
    if name in LETTERS:
        styles = LETTERS[name]
        return _curve(styles[int(rng.integers(len(styles)))], rng)
    if name in MARKS:
        return [stroke + _noise(len(stroke), 0.02, rng) for stroke in MARKS[name](rng)]
    return _spoilt(rng) if name == "spoilt digits" else _scribble(rng)


def _curve(text: str, rng: np.random.Generator) -> Strokes:
    """Strokes through points in the notation of core.data.synthetic.styles, moved at random."""
    strokes = []
    for stroke in text.split("|"):
        path: list[np.ndarray] = []
        for word in stroke.split():
            x, y = map(float, word.rstrip("!").split(","))
            point = np.array((x, y)) / 100 + rng.normal(0, 0.025, 2)
            path += [point] * (2 if word.endswith("!") else 1)
        strokes.append(_spline(np.array(path)))
    return strokes


def _scribble(rng: np.random.Generator) -> Strokes:
    """One of: a random walk that turns smoothly, a zigzag, loops in a row, a ball of lines."""
    form = int(rng.integers(4))
    if form == 0:
        turns = np.cumsum(rng.normal(0, 0.5, 90)) + rng.uniform(-0.25, 0.25) * np.arange(90)
        return [np.cumsum(np.stack((np.cos(turns), np.sin(turns)), axis=1), axis=0)]
    if form == 1:
        count = int(rng.integers(6, 16))
        x = np.linspace(0, rng.uniform(0.6, 2), count) + rng.normal(0, 0.04, count)
        y = np.arange(count) % 2 + rng.normal(0, 0.15, count)
        return [_turn(smooth(np.stack((x, y), axis=1)), rng.uniform(0, 2 * pi))]
    if form == 2:
        t = np.linspace(0, 2 * pi * rng.uniform(2.6, 6), 120)
        drift = rng.uniform(0.05, 0.3)
        loops = np.stack((np.cos(t) + drift * t, rng.uniform(0.6, 1.6) * np.sin(t)), axis=1)
        return [_turn(loops + _noise(120, 0.15, rng), rng.uniform(0, 2 * pi))]
    return [
        _spline(rng.normal(0, 1, (int(rng.integers(7, 16)), 2)))
        for _ in range(int(rng.integers(1, 3)))
    ]


def _spoilt(rng: np.random.Generator) -> Strokes:
    """Two hand-made digits on top of each other, or one whose parts are torn apart and turned."""
    from core.data.synthetic.styles import STYLES

    first, second = (_curve(STYLES[int(n)].strokes, rng) for n in rng.integers(0, len(STYLES), 2))
    if rng.random() < 0.4:
        offset = rng.normal(0, 0.12, 2) + np.array((rng.choice((-0.25, 0.25)), 0))
        return [*first, *(_turn(stroke, rng.normal(0, 0.6)) + offset for stroke in second)]
    stroke = np.concatenate(first)
    cuts = np.sort(rng.choice(np.arange(6, len(stroke) - 5), 3, replace=False))
    return [
        _turn(part - part.mean(axis=0), rng.uniform(0, 2 * pi))
        + part.mean(axis=0)
        + rng.normal(0, 0.2, 2)
        for part in np.split(stroke, cuts)
    ]


# -- marks: a line across, and small pictures ------------------------------------------------------


def _ring(x: float, y: float, radius: float, start: float = 0.0, end: float = 2 * pi) -> np.ndarray:
    t = np.linspace(start, end, 24)
    return np.stack((x + radius * np.cos(t), y + radius * np.sin(t)), axis=1)


def _line(*points: tuple[float, float]) -> np.ndarray:
    return np.array(points, float)


def _star(rng: np.random.Generator) -> Strokes:
    corners = [(sin(4 * pi * k / 5), -cos(4 * pi * k / 5)) for k in range(6)]
    return [_line(*corners)]


def _line_across(rng: np.random.Generator) -> Strokes:
    """A line that is closer to the horizontal than a slanted 1."""
    angle = rng.uniform(-0.6, 0.6)
    return [_line((0, 0), (cos(angle) / 2, sin(angle) / 2), (cos(angle), sin(angle)))]


def _face(rng: np.random.Generator) -> Strokes:
    """A face that smiles, or does not."""
    start, end = (0.5, 2.6) if rng.random() < 0.7 else (3.6, 5.8)
    mouth = _ring(0, float(rng.choice((0.1, 0.9))), 0.5, start, end)
    return [_ring(0, 0, 1), _ring(-0.35, -0.3, 0.06), _ring(0.35, -0.3, 0.06), mouth]


MARKS: dict[str, Callable[[np.random.Generator], Strokes]] = {
    "line across": _line_across,
    "two lines across": lambda r: [
        _line((0, 0), (1, r.normal(0, 0.1))),
        _line((0, 0.5), (1, r.normal(0.5, 0.1))),
    ],
    "face": _face,
    "cross": lambda r: [_line((0, 0.5), (1, 0.5)), _line((0.5, 0), (0.5, 1))],
    "tick": lambda r: [_line((0, 0.5), (0.35, 1), (0.7, 0.4), (1.1, -0.2))],
    "star": _star,
    "square": lambda r: [_line((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))],
    "triangle": lambda r: [_line((0, 1), (0.5, 0), (1, 1), (0, 1))],
    "arrow": lambda r: [
        _turn(_line((0, 0), (1, 0)), angle := r.uniform(0, 2 * pi)),
        _turn(_line((0.7, -0.25), (1, 0), (0.7, 0.25)), angle),
    ],
    "spiral": lambda r: [
        _ring(0, 0, 1, 0, 2 * pi * r.uniform(2.2, 4))[:, :] * np.linspace(0.1, 1, 24)[:, None]
    ],
    "heart": lambda r: [
        _spline(
            _line(
                (0.5, 0.3),
                (0.3, 0),
                (0, 0.2),
                (0.15, 0.6),
                (0.5, 1),
                (0.5, 1),
                (0.85, 0.6),
                (1, 0.2),
                (0.7, 0),
                (0.5, 0.3),
            )
        )
    ],
    "hash": lambda r: [
        _line((0, 0.33), (1, 0.33)),
        _line((0, 0.67), (1, 0.67)),
        _line((0.33, 0), (0.33, 1)),
        _line((0.67, 0), (0.67, 1)),
    ],
    "house": lambda r: [_line((0, 1), (0, 0.4), (0.5, 0), (1, 0.4), (1, 1), (0, 1))],
    "wave": lambda r: [
        np.stack(
            (t := np.linspace(0, 1, 30), 0.15 * np.sin(t * 2 * pi * r.uniform(1.8, 4))), axis=1
        )
    ],
    "question mark": lambda r: [
        _spline(_line((0, 0.2), (0.2, 0), (0.5, 0.1), (0.45, 0.35), (0.25, 0.5), (0.25, 0.7))),
        _ring(0.25, 0.98, 0.03),
    ],
    "dots": lambda r: [_ring(r.uniform(), r.uniform(), 0.04) for _ in range(int(r.integers(3, 7)))],
}


# -- shapes ----------------------------------------------------------------------------------------


def _spline(points: np.ndarray, steps: int = 6) -> np.ndarray:
    """The cubic spline of Catmull and Rom through `points`, float64 (k, 2)."""
    padded = np.concatenate((points[:1], points, points[-1:]))
    a, b, c, d = (padded[n : len(padded) - 3 + n, None] for n in range(4))
    t = (np.arange(steps) / steps)[:, None]
    curves = (
        b
        + t * (c - a) / 2
        + t**2 * (a - 2.5 * b + 2 * c - d / 2)
        + t**3 * (1.5 * (b - c) + (d - a) / 2)
    )
    return np.concatenate((curves.reshape(-1, 2), points[-1:]))


def _noise(count: int, spread: float, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise, float64 (count, 2)."""
    places = np.linspace(0, 1, count)
    return np.stack(
        [np.interp(places, np.linspace(0, 1, 6), rng.normal(0, spread, 6)) for _ in range(2)],
        axis=1,
    )


def _turn(points: np.ndarray, angle: float) -> np.ndarray:
    c = cos(angle)
    s = sin(angle)
    return points @ np.array(((c, s), (-s, c)))


def shape(text: str, rng: np.random.Generator) -> Strokes:
    """A drawing in the notation of core.data.synthetic.styles, moved, slanted and stretched a
    little at random.
    """
    return _slant(_curve(text, rng), rng)


def _slant(strokes: Strokes, rng: np.random.Generator) -> Strokes:
    """The drawing slanted, turned and stretched a little."""
    shear = rng.normal(0, 0.12)
    stretch = np.exp(rng.normal(0, 0.15))
    angle = rng.normal(0, 0.08)
    return [_turn(stroke @ np.array(((stretch, 0), (-shear, 1))), angle) for stroke in strokes]
