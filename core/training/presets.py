"""A preset is a data set and a run with a name: our own good default and the source systems' networks."""

from dataclasses import dataclass

from core.errors import InputError
from core.training.run import Run


@dataclass(frozen=True, slots=True)
class Preset:
    """`data` is the data set it is meant for; None: any, and the built-in digits where none is chosen."""

    name: str
    title: str
    description: str
    run: Run
    data: str | None = None


PRESETS: tuple[Preset, ...] = (
    Preset(
        "default",
        "Small convolutional network",
        "Two small convolutions with Adam: reads digits almost as well as the large ones, in under a minute on "
        "two processor cores.",
        Run(network="8C5-MP2-16C5-MP2-64N-10N", optimizer="adam", learning_rate=0.003, schedule="cosine",
            decay=0.01, epochs=4),
    ),
    Preset(
        "dense",
        "Fully connected, Adam",
        "One hidden layer of 128 ReLU units: the network to begin with, and quick enough to play with.",
        Run(network="784-128-10", optimizer="adam", learning_rate=0.002, schedule="cosine", decay=0.01, epochs=10),
    ),
    Preset(
        "lecture",
        "Lecture: Nielsen's network",
        "30 sigmoid units, squared error, weights from an unscaled normal: most seeds end near 94.5 % after "
        "7 epochs, about one in eight stays below 85 % because one output never begins to learn.",
        Run(
            network="784-30-10", activation="sigmoid", loss="squared-error", learning_rate=3.0, batch_size=10,
            epochs=20, initialization="normal",
        ),
        data="mnist",
    ),
    Preset(
        "thesis",
        "Thesis: clipped leaky ReLU",
        "512 units with the thesis's clipped leaky ReLU in both layers and squared error. It uses the true "
        "derivative, and rate 1.0 on the batch's mean, which is 0.01 on its sum; the thesis's 0.1 on the sum "
        "diverges unless the derivative is shrunk, as its listing does.",
        Run(
            network="784-512-10", activation="clipped-leaky-relu", loss="squared-error", learning_rate=1.0,
            schedule="exponential", decay=0.3679, batch_size=100, epochs=20, initialization="uniform",
        ),
        data="mnist",
    ),
    Preset(
        "unicamp-dense",
        "Unicamp: fully connected",
        "The fully connected net of the operators course. Its sizes and rates were not published: "
        "784-100-10 and the rate are ours.",
        Run(network="784-100-10", activation="sigmoid", learning_rate=0.5, batch_size=100, epochs=10,
            initialization="glorot"),
        data="mnist",
    ),
    Preset(
        "unicamp-cnn",
        "Unicamp: convolutional",
        "The convolutional net of the operators course, two convolutions and two dense layers. Its sizes and "
        "rates were not published, and its training did not converge: these are ours, and it does.",
        Run(network="8C5-MP2-16C5-MP2-100N-10N", learning_rate=0.1, batch_size=100, epochs=10),
        data="mnist",
    ),
    Preset(
        "blog",
        "Blog: CNN on Numba CUDA",
        "The blog's network and settings: plain SGD at rate 0.01, weights normal with variance 2 / inputs.",
        Run(network="32C5-MP2-64C5-MP2-512N-10N", learning_rate=0.01, batch_size=100, epochs=10),
        data="mnist",
    ),
    Preset(
        "lenet5",
        "LeNet-5, in its modern form",
        "LeCun's network of 1998 with today's ReLU, max pooling, softmax and Adam; the second convolution sees "
        "all maps.",
        Run(network="6C5-MP2-16C5:valid-MP2-120N-84N-10N", optimizer="adam", learning_rate=0.002,
            schedule="cosine", decay=0.01, batch_size=100, epochs=20),
        data="mnist",
    ),
    Preset(
        "coursework",
        "Coursework: Rastrigin's function",
        "Regression of Rastrigin's function from a grid of points, by two layers of 128 sigmoid units; eight "
        "batches are averaged for each update, so that workers can share them out. The share of the variance "
        "explained (R²) grows with the points: choose rastrigin:400 for 160,000.",
        Run(
            network="2-128-128-1", activation="sigmoid", loss="squared-error", learning_rate=0.05, batch_size=256,
            group=8, epochs=300, initialization="normal-weights",
        ),
        data="rastrigin:200",
    ),
)  # fmt: skip


def find_preset(name: str) -> Preset:
    """The preset called `name`, or an InputError that lists them all."""
    for preset in PRESETS:
        if preset.name == name:
            return preset
    raise InputError(
        "There is no preset “{name}”: choose one of {names}.",
        name=name,
        names=", ".join(preset.name for preset in PRESETS),
    )
