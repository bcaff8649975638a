"""The standings of a race in words: how many times as fast each contestant is as the slowest."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from gui.text import count, number

if TYPE_CHECKING:
    from core.measure.race import Contestant, RaceResult


def _tr(text: str) -> str:
    return QCoreApplication.translate("RaceResults", text)


def contestant_name(contestant: "Contestant") -> str:
    if contestant.workers == 1:
        return contestant.device
    return _tr("{device}, {n} workers").format(device=contestant.device, n=contestant.workers)


def seconds_left(standing: "RaceResult", come: float) -> float | None:
    """What a contestant that has `come` this share of the way still needs of its own clock; None: not known yet."""
    return standing.seconds / come * (1 - come) if come > 0 else None


def in_words(standings: "tuple[RaceResult, ...]") -> str:
    """Sentences against the slowest, which is the last."""
    *faster, slowest = standings
    sentences = []
    for standing in faster:
        ratio = standing.images_per_second / slowest.images_per_second if slowest.images_per_second else 0.0
        text = _tr("{one} learns {times} times as fast as {other} ({rate} against {slow} a second).")
        if ratio < 1.05:
            text = _tr("{one} learns as fast as {other} ({rate} against {slow} a second).")
        times = number(ratio, 2) if ratio < 10 else count(ratio)
        sentences.append(
            text.format(
                one=contestant_name(standing.contestant), other=contestant_name(slowest.contestant), times=times,
                rate=count(standing.images_per_second), slow=count(slowest.images_per_second),
            )
        )  # fmt: skip
    return " ".join(sentences)
