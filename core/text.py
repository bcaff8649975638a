"""Numbers as texts for people, and texts of people as numbers."""


def format_bytes(count: float) -> str:
    """`count` bytes in decimal units with three digits, for example `1.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        # From 999.5 on, three digits would be written as 1e+03.
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def format_r2(score: float) -> str:
    """R² with four decimals; a network that has diverged gets one that is short only with an exponent."""
    return f"R² {score:.4f}" if abs(score) < 1e4 else f"R² {score:.3e}"


def parse_integer(text: str) -> int:
    """The whole number in the text. Raises ValueError for any but ASCII digits, and for 1_000, which `int` reads."""
    return int(_plain(text))


def parse_number(text: str) -> float:
    """The number in the text. Raises ValueError as `parse_integer` does."""
    return float(_plain(text))


def _plain(text: str) -> str:
    if not text.isascii() or "_" in text:
        raise ValueError(f"no plain number: {text[:40]}")
    return text
