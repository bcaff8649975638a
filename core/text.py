"""Numbers as texts for people."""


def format_bytes(count: float) -> str:
    """`count` bytes in decimal units with three digits, for example `1.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        # From 999.5 on, three digits would be written as 1e+03.
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
