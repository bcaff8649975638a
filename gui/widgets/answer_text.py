"""What a network reads, in words: the digit, and how sure it is."""

from dataclasses import dataclass

import numpy as np

from core.reading.reader import Number, Sureness, sureness, sureness_of
from gui.text import probability, translator

_tr = translator("Answer")


@dataclass(frozen=True, slots=True)
class AnswerText:
    """`name`: the class or number; empty where there is none. `sentence`: how sure that is.
    `details`: more of it.
    """

    name: str
    sentence: str
    details: str
    sureness: Sureness


def answer_text(
    probabilities: np.ndarray,
    classes: tuple[str, ...],
    *,
    rejected: bool = False,
    number: Number | None = None,
) -> AnswerText:
    """The most probable class and how sure that is; the second one, too, where it is not.

    probabilities: (classes,). number: the digits, where several are drawn, of which `probabilities`
    are those of the least certain; then the probability that all are right.
    """
    how_sure = sureness_of(probabilities, rejected=rejected)
    order = (-probabilities).argsort(kind="stable")
    name, other = (classes[index] for index in order[:2])
    percent = probability(float(probabilities[order[0]]))
    if how_sure == "no idea":
        return AnswerText(
            "", _tr("no idea yet"), _tr("all answers are about equally likely"), how_sure
        )
    if number is not None:
        return _number_text(number, "  ".join(number.texts(classes)), how_sure)
    if how_sure == "no digit":
        details = _tr("the most similar one is {name}").format(name=name)
        return AnswerText("", _tr("no digit"), details, how_sure)
    if how_sure == "not sure":
        sentence = _tr("{name}, perhaps {other}").format(name=name, other=other)
        return AnswerText(name, sentence, percent, how_sure)
    return AnswerText(name, _class_sentence(name, sure=how_sure == "sure"), percent, how_sure)


def _class_sentence(name: str, *, sure: bool) -> str:
    """One class with its article, where it is a digit."""
    if name == "8":
        sentence = _tr("surely an {name}") if sure else _tr("probably an {name}")
    elif name.isdigit():
        sentence = _tr("surely a {name}") if sure else _tr("probably a {name}")
    else:
        sentence = _tr("surely {name}") if sure else _tr("probably {name}")
    return sentence.format(name=name)


def _number_text(number: Number, text: str, how_sure: Sureness) -> AnswerText:
    """The digits of a number, and the probability that all are right."""
    if number.rejected:
        return AnswerText(
            text, _tr("perhaps {name}").format(name=text), _tr("? is no digit"), how_sure
        )
    sentence = _tr("perhaps {name}")
    all_right = sureness(number.confidence)
    if all_right == "sure":
        sentence = _tr("surely {name}")
    elif all_right == "likely":
        sentence = _tr("probably {name}")
    details = _tr("{percent} that all digits are right")
    percent = probability(number.confidence)
    return AnswerText(text, sentence.format(name=text), details.format(percent=percent), how_sure)
