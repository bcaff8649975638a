"""Plays a class through a lab: writes the answers that pupils of chance would hand in, to try
marking with.

python -m tools.played_class LAB FOLDER [PUPILS]
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.labs.answers import Answers
from core.labs.attempt import Attempt
from core.labs.blocks.predict import ChoicePrediction, NumberPrediction, PredictBlock
from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.blocks.task import TaskBlock
from core.labs.lab import Lab
from core.labs.package import open_lab
from core.labs.trial import DataSets
from core.runs.plan import RunPlan

NAMES = (
    "Ada", "Ben", "Cem", "Dia", "Eva", "Finn", "Gül", "Hana", "Ivo", "Jana",
    "Kai", "Lea", "Mia", "Noah", "Olga", "Pia", "Quin", "Rosa", "Sven", "Tom",
)  # fmt: skip
_RATES = (0.003, 0.03, 0.2, 3.0)
"""What pupils try first in a task."""


def iter_class(lab: Lab, pupils: int, seed: int = 0) -> Iterator[Answers]:
    """Yields the answers of each pupil. A training with the same settings is made once."""
    data = DataSets(lab.folder)
    trained = dict[str, Attempt]()
    for number in range(pupils):
        name = NAMES[number % len(NAMES)] + (
            f" {number // len(NAMES) + 1}" if number >= len(NAMES) else ""
        )
        yield _play(Answers(lab, name), random.Random(f"{seed} {number}"), data, trained)


def _play(
    answers: Answers, chance: random.Random, data: DataSets, trained: dict[str, Attempt]
) -> Answers:
    def train(part: RunBlock | TaskBlock, variant: int, plan: RunPlan) -> None:
        key = repr((part.id, variant, plan.settings, plan.data, plan.device))
        if key not in trained:
            trained[key] = part.train(variant, plan, data)
        # Two runs never take the same time.
        answers.add(replace(trained[key], seconds=trained[key].seconds * chance.uniform(1, 1.2)))

    for part in answers.lab.parts.exercises:
        if isinstance(part, PredictBlock):
            answers.predict(part, _prediction(answers.lab, part, chance))
        elif isinstance(part, RunBlock):
            for variant, plan in enumerate(part.plans(answers.name)):
                train(part, variant, plan)
        elif isinstance(part, QuestionBlock):
            choices = [*part.choices]
            chance.shuffle(choices)
            while not answers.is_done(part):
                answers.answer(part, choices.pop().text)
        elif isinstance(part, TaskBlock):
            plan = part.setup.plan_of(answers.name)
            for changes in [{"learning_rate": chance.choice(_RATES)}, part.solution][
                chance.random() < 0.3 :
            ]:
                train(part, 0, replace(plan, settings=plan.settings.change(**changes), parsed=None))
        answers.step = len(answers.lab.steps) - 1
        if chance.random() < 0.03:
            break  # the lesson is over
    return answers


def _prediction(
    lab: Lab, part: PredictBlock, chance: random.Random
) -> str | float | list[tuple[float, float]]:
    if isinstance(part, ChoicePrediction):
        return chance.choice(part.choices)
    is_share = part.quantity.endswith("accuracy")
    end = chance.uniform(20, 100) if is_share else chance.uniform(0, 1)
    if isinstance(part, NumberPrediction):
        return round(end, 2)
    run = lab.predicted_run(part)
    epochs = run.plans("")[part.variant].settings.epochs if run else 1
    start = 10.0 if is_share else 2.3
    bend = chance.uniform(0.2, 3)
    shares = [point / 24 for point in range(25)]
    return [(epochs * share, round(start + (end - start) * share**bend, 2)) for share in shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lab", type=Path)
    parser.add_argument("folder", type=Path, help="for the answers, one file each")
    parser.add_argument("pupils", type=int, nargs="?", default=20)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for answers in iter_class(open_lab(options.lab), options.pupils):
        answers.save(options.folder / f"{answers.name}.json")
        print(answers.name, len(answers.attempts), "attempts", flush=True)


if __name__ == "__main__":
    main()
