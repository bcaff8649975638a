"""Presets: named settings with the data they are meant for: good defaults, classics, and published
networks.
"""

from dataclasses import dataclass
from typing import Literal

from core.data.dataset import Kind
from core.data.functions import is_function
from core.errors import InputError
from core.network.layers import Shape
from core.network.notation import refitted
from core.training.run_settings import RunSettings

IMAGES: tuple[Shape, int] = (28, 28, 1), 10
"""Shape and classes of the images that the networks of the presets are written for."""

_POINTS: tuple[Shape, int] = (2,), 1

PresetGroup = Literal["Start here", "Classics", "Published networks"]


@dataclass(frozen=True, slots=True)
class Preset:
    """`data` is the data set it is meant for; None: any images. `summary` is one line for the
    list.
    """

    name: str
    group: PresetGroup
    title: str
    summary: str
    description: str
    settings: RunSettings
    data: str | None = None

    @property
    def kind(self) -> Kind:
        """The kind of data that its network learns from."""
        return "regression" if is_function(self.data or "") else "classes"


PRESETS: tuple[Preset, ...] = (
    Preset(
        "default",
        "Start here",
        "Small convolution",
        "8C5-MP2-16C5-MP2-64N-10N, Adam",
        "Two small convolutions with Adam: reads digits almost as well as the large ones, in "
        "under a minute on two processor cores.",
        RunSettings(
            network="8C5-MP2-16C5-MP2-64N-10N",
            optimizer="adam",
            learning_rate=0.003,
            schedule="cosine",
            decay=0.01,
            epochs=4,
        ),
    ),
    Preset(
        "dense",
        "Start here",
        "Fully connected, Adam",
        "784-128-10, Adam: quick to train",
        "One hidden layer of 128 ReLU units: a good first network, and quick enough for "
        "experiments.",
        RunSettings(
            network="784-128-10",
            optimizer="adam",
            learning_rate=0.002,
            schedule="cosine",
            decay=0.01,
            epochs=10,
        ),
    ),
    Preset(
        "overfitting",
        "Start here",
        "Learns by heart",
        "784-256-10, Adam: overfits",
        "The training curve goes on to rise while the test curve stays behind, and the test loss "
        "rises: the network learns the images by heart. Dropout or augmentation helps.",
        RunSettings(network="784-256-10", optimizer="adam", learning_rate=0.004, epochs=12),
    ),
    Preset(
        "lenet5",
        "Classics",
        "LeNet-5, in its modern form",
        "6C5-MP2-16C5:valid-MP2-120N-84N-10N, Adam",
        "LeCun's network of 1998 with today's ReLU, max pooling, softmax and Adam; the second "
        "convolution sees all maps.",
        RunSettings(
            network="6C5-MP2-16C5:valid-MP2-120N-84N-10N",
            optimizer="adam",
            learning_rate=0.002,
            schedule="cosine",
            decay=0.01,
            batch_size=100,
            epochs=20,
        ),
        data="mnist",
    ),
    Preset(
        "lecture",
        "Published networks",
        "Lecture: Nielsen's network",
        "784-30-10, sigmoid, squared error",
        "30 sigmoid units, squared error, weights from an unscaled normal: most seeds end near "
        "94.4 % after 7 epochs; with about one in eight, one output never begins to learn.",
        RunSettings(
            network="784-30-10",
            activation="sigmoid",
            loss="squared-error",
            learning_rate=3.0,
            batch_size=10,
            epochs=20,
            initialization="normal",
        ),
        data="mnist",
    ),
    Preset(
        "thesis",
        "Published networks",
        "Thesis: clipped leaky ReLU",
        "784-512-10, squared error",
        "512 units with the thesis's clipped leaky ReLU in both layers and squared error. It uses "
        "the true derivative, and rate 1.0 on the batch's mean, which is 0.01 on its sum; the "
        "thesis's 0.1 on the sum diverges unless the derivative is shrunk, as its listing does.",
        RunSettings(
            network="784-512-10",
            activation="clipped-leaky-relu",
            loss="squared-error",
            learning_rate=1.0,
            schedule="exponential",
            decay=0.3679,
            batch_size=100,
            epochs=20,
            initialization="uniform",
        ),
        data="mnist",
    ),
    Preset(
        "unicamp-dense",
        "Published networks",
        "Unicamp: fully connected",
        "784-100-10, sigmoid",
        "The fully connected net of the operators course. Its sizes and rates were not published: "
        "784-100-10 and the rate were chosen here.",
        RunSettings(
            network="784-100-10",
            activation="sigmoid",
            learning_rate=0.5,
            batch_size=100,
            epochs=10,
            initialization="glorot",
        ),
        data="mnist",
    ),
    Preset(
        "unicamp-cnn",
        "Published networks",
        "Unicamp: convolutional",
        "8C5-MP2-16C5-MP2-100N-10N",
        "The convolutional net of the operators course, two convolutions and two dense layers. "
        "Its sizes and rates were not published, and its training did not converge: those chosen "
        "here do.",
        RunSettings(
            network="8C5-MP2-16C5-MP2-100N-10N", learning_rate=0.1, batch_size=100, epochs=10
        ),
        data="mnist",
    ),
    Preset(
        "blog",
        "Published networks",
        "Blog: CNN on Numba CUDA",
        "32C5-MP2-64C5-MP2-512N-10N, SGD",
        "The blog's network and settings: plain SGD at rate 0.01, weights normal with variance 2 "
        "/ inputs.",
        RunSettings(
            network="32C5-MP2-64C5-MP2-512N-10N", learning_rate=0.01, batch_size=100, epochs=10
        ),
        data="mnist",
    ),
    Preset(
        "coursework",
        "Published networks",
        "Coursework: Rastrigin's function",
        "2-128-128-1, regression, workers",
        "Regression of Rastrigin's function from a grid of points, by two layers of 128 sigmoid "
        "units; eight batches are averaged for each update, so that workers can divide them. The "
        "share of the variance explained (R²) grows with the points: choose rastrigin:400 for "
        "160,000.",
        RunSettings(
            network="2-128-128-1",
            activation="sigmoid",
            loss="squared-error",
            learning_rate=0.05,
            batch_size=256,
            group=8,
            epochs=300,
            initialization="normal-weights",
        ),
        data="rastrigin:200",
    ),
)


def find_preset(name: str) -> Preset:
    """The preset called `name`. Raises InputError with the names of all presets."""
    known = {preset.name: preset for preset in PRESETS}
    if name not in known:
        raise InputError(
            "There is no preset “{name}”: choose one of {names}.", name=name, names=[*known]
        )
    return known[name]


def fit_preset(settings: RunSettings, kind: Kind, input_shape: Shape, outputs: int) -> RunSettings:
    """`settings`, which have the network of a preset for data of this kind, fitted to other inputs
    or outputs.
    """
    before = IMAGES if kind == "classes" else _POINTS
    return settings.change(network=refitted(settings.network, before, (input_shape, outputs)))


def check_preset(preset: Preset, data: str, kind: Kind, own_network: bool) -> None:
    """Raise InputError where the settings of `preset` are not for `data`, from which a network
    learns `kind`.

    `own_network`: the network is not the preset's. Settings for images can then be used for values
    as well, but with those for a function no network learns classes.
    """
    if preset.kind == kind or (own_network and preset.kind == "classes"):
        return
    template = (
        "The preset “{preset}” is not for {data}, from which a network learns {kind}: choose "
        "another preset or other data, or give {setting:network}."
        if preset.kind == "classes"
        else "The preset “{preset}” is not for {data}, from which a network learns {kind}: choose "
        "another preset or other data."
    )
    raise InputError(
        template, preset=preset.name, data=data, kind="classes" if kind == "classes" else "values"
    )
