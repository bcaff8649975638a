"""Numbers written for people."""


def format_bytes(count: float) -> str:
    """`1.5 GB` and the like, in decimal units."""
    for unit in ("bytes", "kB", "MB", "GB"):
        # From here on three digits would be written as 1e+03.
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
