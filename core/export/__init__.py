"""The kinds of files that a model can be exported as, one module each, found by the suffix of the
file.
"""

from pathlib import Path

from core.errors import InputError
from core.export.exporter import Exporter, ExportSource
from kernels.discovery import classes_in

KINDS: tuple[type[Exporter], ...] = classes_in(__name__, __path__, Exporter)


def find_exporter(path: str | Path) -> Exporter:
    """The exporter for the suffix of `path`: of several that fit, the one with the longest suffix.

    Raises InputError, naming the suffixes, where none fits.

    >>> find_exporter("network.onnx").title
    'ONNX'
    """
    name = Path(path).name.lower()
    # A suffix alone, such as “.onnx”, would be a hidden file without a name.
    fitting = [kind for kind in KINDS if name.endswith(kind.suffix) and name != kind.suffix]
    if not fitting:
        raise InputError(
            "{path}: the suffix says what is written, and this one is not known: end the name "
            "with {suffixes}.",
            path=Path(path),
            suffixes=", ".join(kind.suffix for kind in KINDS),
        )
    return max(fitting, key=lambda kind: len(kind.suffix))()


__all__ = ["KINDS", "ExportSource", "Exporter", "find_exporter"]
