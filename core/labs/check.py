"""Tests a lab: whether all that it sets can be trained, and whether its runs reach the figures that
it states.
"""

import re
from collections.abc import Generator, Iterator

from core.labs.blocks.block import LabFinding
from core.labs.lab import Lab
from core.labs.trial import DataSets, LabCheck


def iter_check(lab: Lab, train: bool = True) -> Generator[LabFinding]:
    """Yields what was tested, as it is tested."""
    check = LabCheck(DataSets(lab.folder), train)
    for part in lab.parts:
        yield from part.iter_check(check)
    yield from _check_figures(lab)
    yield from _check_given_away(lab)


def _check_figures(lab: Lab) -> Iterator[LabFinding]:
    """Each percentage with a decimal in a text has to be a figure of a run, which is trained and
    compared.
    """
    # First of all parts: a text may state the figure of a run that follows.
    known: set[str] = set()
    for part in lab.parts:
        known |= part.percentages()
    for part in lab.parts:
        for figure in _figures_in(part.texts()):
            if figure not in known:
                text = f"{figure} % is a figure of no run: add it to a run's figures."
                yield LabFinding(f"line {part.line}: {text}", True)


def _check_given_away(lab: Lab) -> Iterator[LabFinding]:
    """No text that is to be seen before a run states a figure of it that is still to be
    predicted.
    """
    shown_before: set[str] = set()
    for run in lab.parts.runs:
        # What an earlier run has shown is no secret any more.
        secret = run.percentages() - shown_before
        shown_before |= secret
        if not lab.predictions_of(run):
            continue
        for part in lab.parts:
            if part is run:  # what stands after a run in its step is hidden until it has run
                break
            # Persons in the class never see it.
            if part.hidden == "teacher":
                continue
            for figure in _figures_in(part.texts()):
                if figure in secret:
                    text = f"{figure} % is a result of {run.id}, which is still to be predicted: "
                    text += "put it into a block “reveal” after the run."
                    yield LabFinding(f"line {part.line}: {text}", True)


def _figures_in(texts: list[str]) -> list[str]:
    """The percentages with one decimal that texts state, such as `97.8`; with a decimal comma
    too.
    """
    found = re.findall(r"(?<![\d.,])(\d{1,3}[.,]\d)\s?%", "\n".join(texts))
    return [figure.replace(",", ".") for figure in found]
