"""Measures how a model learns ten digits of an unusual form.

python -m tools.own_digits [MODEL]

The form is a 7 whose bar is a loop, drawn by a script; the model learns ten of them, and reads 200 others.
"""

import argparse
from contextlib import closing
from time import process_time

import numpy as np

from core.data.dataset import Split
from core.data.sources import load_dataset
from core.drawing.rendering import render_strokes
from core.drawing.strokes import PenStroke
from core.inference.engine import Engine
from core.inference.model_file import bundled_model, load_model
from core.reading.fine_tuning import FineTuned, iter_fine_tuning
from core.text import format_percent
from tools.nondigits import shape

FORM = "60,10 44,0 26,4 14,16 22,28 38,24 46,10! 40,50 20,90 34,99 50,92"
LABEL = 7


def unusual_digits(count: int, seed: int) -> Split:
    """`count` digits of the form, as the canvas renders them."""
    rng = np.random.default_rng(seed)
    images = []
    for _ in range(count):
        strokes = [PenStroke(100 + 180 * stroke, 20.0) for stroke in shape(FORM, rng)]
        image = render_strokes(strokes, 280)
        assert image is not None
        images.append(image)
    return Split(np.stack(images)[..., None], np.full(count, LABEL, np.int32))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.own_digits",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", nargs="?")
    parser.add_argument("--data", default="mnist", help="whose training digits are replayed (default: mnist)")
    options = parser.parse_args()
    model = load_model(options.model) if options.model else bundled_model()
    data = load_dataset(options.data)
    mnist = load_dataset("mnist")
    own_digits = unusual_digits(10, 1)
    others = unusual_digits(200, 2)
    for _ in iter_fine_tuning(model, own_digits, data):  # compiles what is needed
        break
    start = process_time()
    *_, tuned = iter_fine_tuning(model, own_digits, data)
    seconds = process_time() - start
    assert isinstance(tuned, FineTuned)
    print(
        f"{seconds:.1f} s of processor time; "
        f"ten own digits: {format_percent(tuned.before.own_digits, 0)}, then "
        f"{format_percent(tuned.after.own_digits, 0)}"
    )
    for name, split in {"200 others of the form": others, "MNIST's test images": mnist.test}.items():
        shares = []
        for each in (model, tuned.model):
            with closing(Engine(each)) as engine:
                shares.append((engine.predict(split.inputs).argmax(axis=1) == split.targets).mean())
        print(f"{name}: {format_percent(shares[0])}, then {format_percent(shares[1])}", flush=True)


if __name__ == "__main__":
    main()
