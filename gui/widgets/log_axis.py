"""An axis whose ticks are numbers that people write, all in one style: 20, 500, 10 k; 10⁻⁴, 10⁻²; 5 µs, 2 ms."""

from math import ceil, floor, log10

from gui.text import count, duration, in_unit, number, unit_of
from gui.widgets.pyqtgraph_loader import pg

_PIXELS_A_TICK = 44
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class LogAxis(pg.AxisItem):
    """pyqtgraph's own writes 9·10¹ beside 8·10¹ wherever a decade has room. `timed`: the values are seconds."""

    timed = False

    def logTickValues(
        self, low: float, high: float, size: float, ticks: object
    ) -> list[tuple[float, list[float]]]:
        return [(1.0, log_ticks(low, high, max(size / _PIXELS_A_TICK, 2)))]

    def logTickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [duration(10**value) for value in values] if self.timed else format_ticks(values)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.timed or self.logMode or not len(values):
            return super().tickStrings(values, scale, spacing)
        unit = unit_of(max(values, key=abs))
        return [in_unit(value, unit) for value in values]


def log_ticks(low: float, high: float, most: float) -> list[float]:
    """Logarithms of round numbers between 10^low and 10^high: about `most` of them at most."""
    decades = max(high - low, 1e-9)
    rows: tuple[tuple[int, ...], ...] = ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
    factors = next((row for row in rows if decades * len(row) <= most), rows[-1])
    stride = max(1, ceil(decades / most))
    found = [
        k + log10(factor) for k in range(floor(low), ceil(high) + 1) if k % stride == 0 for factor in factors
    ]
    found = [value for value in found if low <= value <= high]
    return found if len(found) > 1 else _even_ticks(10**low, 10**high, most)


def _even_ticks(low: float, high: float, most: float) -> list[float]:
    """For less than a decade, where round numbers of one figure are rare: logarithms of multiples of a round step."""
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * most >= high - low)
    return [log10(k * step) for k in range(max(ceil(low / step), 1), floor(high / step) + 1)]


def format_ticks(values: list[float]) -> list[str]:
    """10^value for each: 500, or 5 k where another is 10 k, or 5·10² where zeros would have to be counted."""
    powers = [floor(value + 1e-9) for value in values]
    exact = [10 ** (value - power) for value, power in zip(values, powers, strict=True)]
    factors = [round(factor) for factor in exact]
    if any(abs(factor - whole) > 0.01 for factor, whole in zip(exact, factors, strict=True)):
        return [number(10**value, 3) for value in values]
    if any(power <= -4 or power >= 12 for power in powers):
        return [_raised(*pair) for pair in zip(factors, powers, strict=True)]
    shortened = any(power >= 4 for power in powers)
    return [_plain(*pair, shortened) for pair in zip(factors, powers, strict=True)]


def _raised(factor: int, power: int) -> str:
    raised = f"10{str(power).translate(_RAISED)}"
    return raised if factor == 1 else f"{factor}·{raised}"


def _plain(factor: int, power: int, shortened: bool) -> str:
    if not shortened or power < 3:
        return count(factor * 10**power) if power >= 3 else number(factor * 10.0**power, 3)
    return f"{count(factor * 10 ** (power % 3))} {'kMG'[power // 3 - 1]}"
