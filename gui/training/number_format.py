"""One number format for all values of a table column."""

from math import floor, inf, isfinite, log10

from PySide6.QtCore import QLocale

# Beyond these limits numbers with fixed decimals would be too long.
_LEAST, _GREATEST = 1e-6, 1e5


class NumberFormat:
    """Fixed decimals: as many as give the smallest value two digits; powers of ten where that takes too much room.

    decimals: the least number of decimals.
    """

    def __init__(self, decimals: int) -> None:
        self._least_decimals = decimals
        self._low, self._high = inf, 0.0
        self._format = f".{decimals}f"

    def include(self, value: float | None) -> bool:
        """Extend the format to `value`; returns whether this changed it."""
        if not value or not isfinite(value):
            return False
        self._low, self._high = min(self._low, abs(value)), max(self._high, abs(value))
        before = self._format
        if self._low < _LEAST or self._high >= _GREATEST:
            self._format = ".2e"
        else:
            self._format = f".{max(self._least_decimals, 1 - floor(log10(self._low)))}f"
        return self._format != before

    def text(self, value: float) -> str:
        text = "0" if value == 0 and self._format == ".2e" else f"{value:{self._format}}"
        return text.replace(".", QLocale().decimalPoint())
