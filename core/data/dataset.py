"""Data sets in memory: a training and a test split of images or points, with labels or targets."""

from dataclasses import dataclass, replace
from math import prod
from typing import Literal

import numpy as np

from core.data.class_names import Classes
from core.errors import InputError
from core.text import Sentence

Kind = Literal["classes", "regression"]


@dataclass(frozen=True, slots=True)
class Split:
    """Inputs and targets of n examples.

    `inputs`: uint8 (n, height, width, 1) images or float32 (n, features) points. `targets`: int32
    (n,) labels when the kind is classes, float32 (n, outputs) targets for regression.
    """

    inputs: np.ndarray
    targets: np.ndarray

    def __len__(self) -> int:
        return len(self.inputs)

    def first(self, count: int) -> "Split":
        """The first `count` examples, as views."""
        return Split(self.inputs[:count], self.targets[:count])

    def after(self, count: int) -> "Split":
        """All examples except the first `count`, as views."""
        return Split(self.inputs[count:], self.targets[count:])


@dataclass(frozen=True, slots=True)
class Writers:
    """Who wrote the images of a data set: `names`, and an index of them for each image, int32
    (n,).
    """

    names: tuple[str, ...]
    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True, slots=True)
class Dataset:
    """The data of a run. `name` identifies it in files and on the command line, `title` is shown to
    the user.

    `writers`: None where they are not known. `learned`: the name of what is learned; `columns`:
    those of a table that could be. `notes`: what was left out or changed while the data were read;
    they are shown, not raised.

    Raises InputError when the splits are empty, or do not fit each other or the classes.
    """

    name: str
    title: str
    kind: Kind
    classes: Classes
    train: Split
    test: Split
    writers: Writers | None = None
    learned: str = "label"
    columns: tuple[str, ...] = ()
    notes: tuple[InputError, ...] = ()

    def __post_init__(self) -> None:
        if self.kind == "classes" and len(self.classes) < 2:
            raise InputError(
                "{name} has only the class {only}: at least two are needed.",
                name=self.name,
                only=", ".join(self.classes),
            )
        for label, split in (("training", self.train), ("test", self.test)):
            _check(self, label, split)
        train, test = (split.inputs.shape[1:] for split in (self.train, self.test))
        if train != test:
            raise InputError(
                "{name}: training inputs have shape {train}, test inputs {test}; both must be the "
                "same size.",
                name=self.name,
                train=train,
                test=test,
            )

    def with_notes(self, notes: tuple[InputError, ...]) -> "Dataset":
        return replace(self, notes=(*self.notes, *notes))

    def summary(self) -> Sentence:
        """What is learned from what, and how many examples there are."""
        values = {
            "learned": self.learned,
            "classes": len(self.classes),
            "inputs": prod(self.input_shape),
            "train": len(self.train),
            "test": len(self.test),
        }
        if self.is_image:
            return Sentence(
                "learns {learned}, {classes} classes, from {inputs} pixels: {train} images to "
                "learn from, {test} to test",
                values,
            )
        if self.kind == "classes":
            return Sentence(
                "learns {learned}, {classes} classes, from {inputs} columns: {train} lines to "
                "learn from, {test} to test",
                values,
            )
        return Sentence(
            "learns the values of {learned} from {inputs} columns: {train} lines to learn from, "
            "{test} to test",
            values,
        )

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Shape of one input: (height, width, 1) for images, (features,) for points."""
        return tuple(int(n) for n in self.train.inputs.shape[1:])

    @property
    def outputs(self) -> int:
        """Number of outputs that the network needs."""
        return len(self.classes) if self.kind == "classes" else int(self.train.targets.shape[1])

    @property
    def is_image(self) -> bool:
        return len(self.input_shape) == 3


def _check(dataset: Dataset, label: str, split: Split) -> None:
    if len(split.inputs) != len(split.targets):
        raise InputError(
            "{name}: the {split} split has {inputs:,} images but {targets:,} labels; the counts "
            "must be equal.",
            name=dataset.name,
            split=label,
            inputs=len(split.inputs),
            targets=len(split.targets),
        )
    if not len(split):
        raise InputError("{name}: the {split} split is empty.", name=dataset.name, split=label)
    if dataset.kind == "classes":
        low = int(split.targets.min())
        high = int(split.targets.max())
        last = len(dataset.classes) - 1
        if low < 0 or high > last:
            raise InputError(
                "{name}: the {split} split has label {bad}, but labels must be 0 to {last}.",
                name=dataset.name,
                split=label,
                bad=low if low < 0 else high,
                last=last,
            )
