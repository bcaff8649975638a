"""An axis whose ticks, where it is logarithmic, are round numbers that people write: 20, 500, 10 k."""

from math import ceil, floor, log10

from gui.plotting import pg
from gui.words import about, number

_PIXELS_A_TICK = 44
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class LogAxis(pg.AxisItem):
    """pyqtgraph's own writes 9·10¹ beside 8·10¹ wherever a decade has room."""

    def logTickValues(
        self, low: float, high: float, size: float, ticks: object
    ) -> list[tuple[float, list[float]]]:
        return [(1.0, log_ticks(low, high, max(size / _PIXELS_A_TICK, 2)))]

    def logTickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [in_words(value) for value in values]


def log_ticks(low: float, high: float, most: float) -> list[float]:
    """Logarithms of round numbers between 10^low and 10^high: about `most` of them at most."""
    decades = max(high - low, 1e-9)
    rows: tuple[tuple[int, ...], ...] = ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
    factors = next((row for row in rows if decades * len(row) <= most), rows[-1])
    stride = max(1, ceil(decades / most))
    found = [
        k + log10(factor) for k in range(floor(low), ceil(high) + 1) if k % stride == 0 for factor in factors
    ]
    return [value for value in found if low <= value <= high]


def in_words(value: float) -> str:
    """10^value: 5,000 as it is, 20 k, 0.02, and powers of ten where zeros would have to be counted."""
    power = floor(value + 1e-9)
    factor = round(10 ** (value - power))
    if -4 < power < 3:
        return number(factor * 10.0**power, 3)
    if 3 <= power < 12:
        return about(factor * 10**power)
    raised = f"10{str(power).translate(_RAISED)}"
    return raised if factor == 1 else f"{factor}·{raised}"
