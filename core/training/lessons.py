"""The experiments of docs/lessons.md: settings, and the accuracy that they reach on the built-in digits."""

from dataclasses import dataclass

from core.training.presets import find_preset
from core.training.run_settings import RunSettings

DATA = "builtin"
BASE = RunSettings(network="784-64-10", epochs=3)  # plain SGD with rate 0.1 and batches of 100


@dataclass(frozen=True, slots=True)
class Experiment:
    """One run of a lesson. `accuracy`: the percentage of the test digits that it reads right, as the lesson prints."""

    title: str
    settings: RunSettings
    accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    question: str
    experiments: tuple[Experiment, ...]


def _rate(rate: float, accuracy: float) -> Experiment:
    return Experiment(f"Learning rate {rate:g}", BASE.change(learning_rate=rate), accuracy)


def _deep(activation: str, title: str, accuracy: float) -> Experiment:
    run = BASE.change(network="784-64-64-64-64-10", activation=activation)
    return Experiment(title, run, accuracy)


def _batch(size: int, accuracy: float, rate: float = 0.1) -> Experiment:
    title = f"Batch size {size}" + ("" if rate == BASE.learning_rate else f", rate {rate:g}")
    return Experiment(title, BASE.change(batch_size=size, epochs=1, learning_rate=rate), accuracy)


_START = BASE.change(network="784-64-64-10")
_ADAM = BASE.change(optimizer="adam", learning_rate=0.002)
_LONG = _ADAM.change(network="784-512-10", epochs=15)
_CONVOLUTIONAL = find_preset("default").settings

LESSONS: tuple[Lesson, ...] = (
    Lesson("What does the learning rate do?", (
        _rate(0.001, 53.6), _rate(0.01, 79.3), _rate(0.1, 90.7), _rate(1, 90.6), _rate(10, 9.7),
    )),
    Lesson("What can a network without a hidden layer do?", (
        Experiment("No hidden layer", BASE.change(network="784-10"), 82.2),
        Experiment("One hidden layer", BASE, 90.7),
    )),
    Lesson("Why was it so hard to train deep networks?", (
        _deep("sigmoid", "sigmoid", 30.2), _deep("tanh", "tanh", 92.9), _deep("relu", "ReLU", 93.1),
    )),
    Lesson("Do the initial weights matter?", (
        Experiment("He", _START, 91.8),
        Experiment("normal", _START.change(initialization="normal"), 22.9),
    )),
    Lesson("How large should a batch be?", (
        _batch(1, 56.4), _batch(10, 90.8), _batch(100, 85.1), _batch(1000, 72.2), _batch(1, 91.2, 0.01),
    )),
    Lesson("What do momentum and Adam gain?", (
        Experiment("SGD", BASE, 90.7),
        Experiment("SGD with momentum", BASE.change(optimizer="momentum"), 92.6),
        Experiment("Adam, rate 0.002", _ADAM, 92.0),
    )),
    Lesson("What is overfitting, and what helps?", (
        Experiment("784-512-10", _LONG, 95.6),
        Experiment("With dropout", _LONG.change(network="512N-D50-10N"), 96.1),
        Experiment("With augmentation", _LONG.change(shift=1, rotation=8, scale=0.08, elastic=0.5), 96.9),
    )),
    Lesson("Why convolutions?", (Experiment("Small convolutional network", _CONVOLUTIONAL, 97.8),)),
    Lesson("Does it read what it has not learned from?", (Experiment("Train, then draw", _CONVOLUTIONAL),)),
    Lesson("Why is one program faster than another that computes the same?", (
        Experiment("784-128-10, for a race", BASE.change(network="784-128-10")),
    )),
)  # fmt: skip
