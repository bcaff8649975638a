"""An axis with readable ticks in one format: 20, 500, 10 k; 10⁻⁴, 10⁻²; 5 µs, 2 ms."""

from math import ceil, floor, log10

from gui.text import count, duration, in_unit, number, unit_of
from gui.widgets.plots.pyqtgraph_loader import pg

_PIXELS_PER_TICK = {"left": 28, "bottom": 44}
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class LogAxis(pg.AxisItem):
    """Replaces pyqtgraph's logarithmic ticks, which are all multiples of powers of ten (8·10¹, 9·10¹).

    timed: whether the values are seconds, written with their unit.
    """

    timed = False

    def logTickValues(
        self, low: float, high: float, size: float, ticks: object
    ) -> list[tuple[float, list[float]]]:
        return [(1.0, log_ticks(low, high, max(size / _PIXELS_PER_TICK[self.orientation], 2)))]

    def logTickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [duration(10**value) for value in values] if self.timed else format_ticks(values)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.timed or self.logMode or not len(values):
            return super().tickStrings(values, scale, spacing)
        unit = unit_of(max(values, key=abs))
        return [in_unit(value, unit) for value in values]


def log_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Decimal logarithms of round numbers between 10^low and 10^high, about `maximum` of them at most."""
    decades = max(high - low, 1e-9)
    choices: tuple[tuple[int, ...], ...] = ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
    factors = next((choice for choice in choices if decades * len(choice) <= maximum), choices[-1])
    stride = max(1, ceil(decades / maximum))
    ticks = [
        k + log10(factor) for k in range(floor(low), ceil(high) + 1) if k % stride == 0 for factor in factors
    ]
    ticks = [tick for tick in ticks if low <= tick <= high]
    return ticks if len(ticks) > 1 else _even_ticks(10**low, 10**high, maximum)


def _even_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Ticks for less than a decade, which has few round numbers: logarithms of the multiples of a round step."""
    power = 10.0 ** floor(log10((high - low) / maximum))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * maximum >= high - low)
    return [log10(k * step) for k in range(max(ceil(low / step), 1), floor(high / step) + 1)]


def format_ticks(values: list[float]) -> list[str]:
    """Format 10^value for each value, all alike: 500; 5 k beside 10 k; 5·10² beside very small or large numbers."""
    powers = [floor(value + 1e-9) for value in values]
    mantissas = [10 ** (value - power) for value, power in zip(values, powers, strict=True)]
    factors = [round(factor) for factor in mantissas]
    if any(abs(mantissa - factor) > 0.01 for mantissa, factor in zip(mantissas, factors, strict=True)):
        return [number(10**value, 3) for value in values]
    if any(power <= -4 or power >= 12 for power in powers):
        return [_with_exponent(*pair) for pair in zip(factors, powers, strict=True)]
    shortened = any(power >= 4 for power in powers)
    return [_plain(*pair, shortened) for pair in zip(factors, powers, strict=True)]


def _with_exponent(factor: int, power: int) -> str:
    power_text = f"10{str(power).translate(_SUPERSCRIPT)}"
    return power_text if factor == 1 else f"{factor}·{power_text}"


def _plain(factor: int, power: int, shortened: bool) -> str:
    if not shortened or power < 3:
        return count(factor * 10**power) if power >= 3 else number(factor * 10.0**power, 3)
    return f"{count(factor * 10 ** (power % 3))} {'kMG'[power // 3 - 1]}"
