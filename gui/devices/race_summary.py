"""The result of a race as sentences."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from gui.text import count, number

if TYPE_CHECKING:
    from core.measure.race import Contestant, RaceResult

# Contestants whose speeds differ by less than this are called equally fast.
_EQUAL = 1.05


def _tr(text: str) -> str:
    return QCoreApplication.translate("RaceResults", text)


def contestant_title(contestant: "Contestant") -> str:
    if contestant.workers == 1:
        return contestant.device
    return _tr("{device}, {n} workers").format(device=contestant.device, n=contestant.workers)


def race_verdict(results: "tuple[RaceResult, ...]", kind: str = "classes") -> str:
    """One sentence for each contestant: how many times as fast it is as the slowest, the last of `results`.

    `kind`: of the data; speeds are images a second, or points for regression.
    """
    unit = _tr("images a second") if kind == "classes" else _tr("points a second")
    *faster, slowest = results
    sentences = []
    for result in faster:
        ratio = result.images_per_second / slowest.images_per_second if slowest.images_per_second else 0.0
        text = _tr("{one} learns {times} times as fast as {other} ({rate} against {slow} {unit}).")
        if ratio < _EQUAL:
            text = _tr("{one} learns as fast as {other} ({rate} against {slow} {unit}).")
        sentences.append(
            text.format(
                one=contestant_title(result.contestant), other=contestant_title(slowest.contestant),
                times=number(ratio, 2) if ratio < 10 else count(ratio), rate=speed_text(result),
                slow=speed_text(slowest), unit=unit,
            )
        )  # fmt: skip
    return " ".join(sentences)


def speed_text(result: "RaceResult") -> str:
    """Images a second; after several repetitions the median with its spread: `12,300 ± 3 %`."""
    text = count(result.images_per_second)
    if len(result.speeds) < 2:
        return text
    return _tr("{speed} ± {spread} %").format(speed=text, spread=number(50 * result.spread, 2))
