"""Trains the network that tells digits from other drawings, and measures it.

python -m tools.models.non_digit_detector --strokes FILE.unipen.gz [--out FILE]

Digits are MNIST's training images, the built-in digits, and pen strokes of all writers but those
left out. Other drawings are drawn by tools.models.non_digits; some letters and marks are left out
as well, to see whether what was learned holds for drawings of a new kind. Held-out digits move the
bias of the output, so that a probability of 0.5 rejects FALSE_REJECTIONS of them.
"""

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.data import builtin
from core.data.dataset import Dataset, Split
from core.data.sources import load_dataset
from core.inference.engine import Engine
from core.inference.model_file import Model, load_model, models_folder
from core.network.notation import parse
from core.network.parameters import views
from core.reading.reader import NON_DIGIT_CLASSES, NON_DIGIT_MODEL
from core.runs.plan import RunContext, RunPlan
from core.text import format_percent
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device
from tools.models import non_digits, pen_data
from tools.models.pen_data import PenDigit, read

RUN = RunSettings(
    network="8C5-MP2-16C5-MP2-64N-2N",
    optimizer="adam",
    learning_rate=0.002,
    schedule="cosine",
    decay=0.02,
    epochs=4,
    shift=1,
    rotation=8,
    scale=0.08,
    shear=0.1,
    thickness=0.3,
    seed=0,
)
FALSE_REJECTIONS = 0.003
COUNTS = {"letters": 14_000, "scribbles": 8_000, "marks": 8_000, "spoilt digits": 6_000}
TEST_COUNTS = {"letters": 400, "scribbles": 300, "marks": 300}
LEFT_OUT_WRITERS = range(1, 7)
LEFT_OUT_DRAWINGS = ("F", "K", "h", "u", "star", "hash", "wave")
_MNIST = 32_000
_HELD_OUT = 5_000
_BUILT_IN = 10_000
_PLACEMENTS = (pen_data.Placement(), pen_data.Placement(slant=12, aspect=0.8, pen_width=30))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.non_digit_detector",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--strokes", type=Path, required=True, metavar="FILE", help="a UNIPEN file")
    parser.add_argument(
        "--out", type=Path, default=models_folder() / f"{NON_DIGIT_MODEL}.safetensors"
    )
    parser.add_argument("--measure", action="store_true", help="only measure the network in --out")
    options = parser.parse_args()
    mnist = load_dataset("mnist")
    pen = read(options.strokes)
    if not options.measure:
        _train(mnist, pen, options.out)
    for name, share in measure(load_model(options.out), mnist, pen).items():
        print(f"{name}: {format_percent(share)} rejected")


def measure(model: Model, mnist: Dataset, pen: list[PenDigit]) -> dict[str, float]:
    """The share of drawings of each kind that is rejected."""
    rng = np.random.default_rng(2)
    left_out = [digit for digit in pen if digit.writer in LEFT_OUT_WRITERS]
    images = {
        "MNIST's test images": mnist.test.inputs[..., 0],
        "digits of writers left out": pen_data.draw(left_out, pen_data.Placement())[0][..., 0],
        "the same at a quarter of the canvas": pen_data.draw(
            left_out, pen_data.Placement(scale=0.25)
        )[0][..., 0],
        "the same, slanted by 15 degrees": pen_data.draw(left_out, pen_data.Placement(slant=15))[0][
            ..., 0
        ],
    }
    others = {kind: non_digits.draw(kind, count, rng) for kind, count in TEST_COUNTS.items()}
    images |= others | {"all 1,000 other drawings": np.concatenate(list(others.values()))}
    for name in LEFT_OUT_DRAWINGS:
        images[f"never learned: {name}"] = non_digits.draw(name, 100, rng)
    with closing(Engine(model)) as engine:
        return {
            name: float((engine.predict(part)[:, 1] < 0.5).mean()) for name, part in images.items()
        }


def _train(mnist: Dataset, pen: list[PenDigit], out: Path) -> None:
    dataset, held_out = _data(mnist, pen)
    print(
        f"{len(dataset.train)} drawings, {format_percent(dataset.train.targets.mean(), 0)} of "
        "them digits",
        flush=True,
    )
    network = parse(RUN.network, dataset.input_shape, 2)
    with closing(open_cpu_device()) as device:
        context = RunContext(RunPlan(RUN, NON_DIGIT_MODEL, device.name), dataset, network)
        for record in iter_training(RUN, dataset, device):
            if isinstance(record, EpochDone):
                print(f"epoch {record.epoch}: {format_percent(record.test_score)}", flush=True)
            if isinstance(record, EpochDone | Finished):
                _with_threshold(context.model(record.checkpoint, record.test_score), held_out).save(
                    out
                )


def _with_threshold(model: Model, held_out: np.ndarray) -> Model:
    """The model with a bias of its output with which 0.5 rejects FALSE_REJECTIONS of the digits
    `held_out`.
    """
    with closing(Engine(model)) as engine:
        p = engine.predict(held_out)[:, 1].astype(float)
    odds = np.log(np.maximum(p, 1e-30)) - np.log(np.maximum(1 - p, 1e-30))
    parameters = model.parameters.copy()
    last = views(model.network, parameters)[-1]
    assert last is not None
    last.biases[1] -= np.quantile(odds, FALSE_REJECTIONS)
    return replace(model, parameters=parameters)


def _data(mnist: Dataset, pen: list[PenDigit]) -> tuple[Dataset, np.ndarray]:
    """The data to learn from, and the held-out digits."""
    rng = np.random.default_rng(1)
    chosen = [digit for digit in pen if digit.writer not in LEFT_OUT_WRITERS]
    drawn = [pen_data.draw(chosen, placement)[0] for placement in _PLACEMENTS]
    built_in = builtin.draw(_BUILT_IN, 1)[0].inputs
    digits = np.concatenate([mnist.train.inputs[:_MNIST], *drawn, built_in])
    others = [_others(kind, count, rng) for kind, count in COUNTS.items()]
    inputs = np.concatenate([digits, *others])
    answers = np.zeros(len(inputs), np.int32)
    answers[: len(digits)] = 1
    order = rng.permutation(len(inputs))
    inputs = inputs[order]
    answers = answers[order]
    split = len(inputs) - 4_000
    data = Dataset(
        NON_DIGIT_MODEL,
        "digits and other drawings",
        "classes",
        NON_DIGIT_CLASSES,
        Split(inputs[:split], answers[:split]),
        Split(inputs[split:], answers[split:]),
    )
    return data, mnist.train.inputs[-_HELD_OUT:]


def _others(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    return non_digits.draw(kind, count, rng, without=LEFT_OUT_DRAWINGS)[..., None]


if __name__ == "__main__":
    main()
