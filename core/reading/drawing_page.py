"""The part of an HTML page on which a network reads drawings: its HTML, its scripts, and the
network's numbers.

The scripts are in resources/page. The weights of each output unit are integers of b bits in units
of the unit's largest weight / (2^(b-1) - 1): b is the least number with which no answer of the test
images changes.
"""

import base64
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.published import fills_frame
from core.files.json_text import JsonObject
from core.html.page import resource
from core.inference.engine import Engine
from core.inference.model_file import Model, bundled_model, reads_drawings
from core.network.network import Network
from core.network.parameters import views
from core.reading.line_reader import LINE_MODEL
from core.reading.reader import ALIKE, LIKELY, NO_IDEA, NON_DIGIT_MODEL, THRESHOLD, can_reject
from core.text import format_percent
from core.training.records import Epoch
from kernels.activations import ACTIVATIONS

MAX_PARAMETERS = 4_000_000
"""Networks with more give a report only: a telephone would compute too long, and a mail would not
carry the page.
"""

MAX_EPOCHS = 20
CLOSE = 0.003
"""How much a probability of a test image may differ in the page."""

_BITS = (8, 9, 10, 11, 12, 14, 16)  # of a weight; where all are too few it is a float32
DETECTOR_BITS = 12
"""Of a weight of the network that tells digits from other drawings; a test compares 10,000
answers.
"""

LINE_BITS = 8
"""Of a weight of the network that reads numbers."""

# Scales that are tried: where two classes are nearly equal, rounding decides which is the larger.
_TRIALS = 8
_REPLAY_BITS = (4, 5, 6, 8)  # of the difference of a weight to the finished network
_FEW = 1000  # images that are tried before all, and in a replay
_AGREE = 0.99  # share of the images that an epoch of the replay reads as it did
_SCRIPTS = ("drawing.js", "network.js", "digits.js", "page.js", "stage.js")


@dataclass(frozen=True, slots=True)
class DrawingPart:
    """`html`: to put into a page. `data`: for its scripts, as JSON. `notes`: sentences on how the
    numbers are kept.
    """

    html: str
    data: JsonObject
    notes: tuple[str, ...]


def why_not(model: Model) -> str:
    """Why a page cannot read drawings with this model; "" where it can."""
    if not reads_drawings(model.kind, model.network.input_shape):
        shape = " x ".join(map(str, model.network.input_shape))
        kind = "predicts values" if model.kind == "regression" else f"takes inputs of {shape}"
        return (
            f"There is nothing to draw on: this network {kind}, and a drawing is an image of 28 x "
            "28 gray pixels."
        )
    if model.network.parameter_count > MAX_PARAMETERS:
        return (
            f"There is nothing to draw on: the network has more than {MAX_PARAMETERS:,} parameters."
        )
    if unknown := _unknown_to_pages(model):
        return f"There is nothing to draw on: pages cannot compute {unknown}."
    return ""


def _unknown_to_pages(model: Model) -> str:
    """The first layer or activation that the scripts of a page cannot compute; "" where there is
    none.
    """
    for index, layer in enumerate(model.network.layers):
        if layer.page_fields(model.network.shapes[index]) is None:
            return layer.text
        activation = model.activations[index]
        if not ACTIVATIONS[activation].javascript:
            return activation
    return ""


def drawing_part(
    model: Model,
    images: np.ndarray | None,
    kept: Sequence[tuple[int, np.ndarray]] = (),
    history: Sequence[Epoch] = (),
    room: int = 0,
) -> DrawingPart:
    """The part of a page that reads with `model`, for which `why_not` is "".

    `images`: uint8 (n, 28, 28, 1) of the test split, for which no answer may change; None: the
    built-in digits for a model of digits, else the weights stay float32. `kept`, `history`:
    parameters at the ends of epochs and the epochs, for the replay, which takes at most `room`
    bytes.
    """
    if images is None and model.classes == DIGITS:
        images = builtin.draw(0, 10_000)[1].inputs
    numbers, parameters, bits = _packed(model, images)
    data: JsonObject = {
        "classes": model.classes,
        "fillsFrame": fills_frame(model.classes),
        "likely": LIKELY,
        "noIdea": NO_IDEA,
        "alike": ALIKE,
        "threshold": THRESHOLD,
        "digits": model.classes == DIGITS,
        "network": _description(model, numbers),
    }
    count = 0 if images is None else len(images)
    notes = [
        f"Each weight is kept with {bits} bits instead of 32: none of {count:,} test images is "
        f"read differently, and no probability differs by more than {CLOSE}."
        if bits < 32
        else "The weights are kept as they are, with 32 bits each."
    ]
    if can_reject(model):
        detector = bundled_model(NON_DIGIT_MODEL)
        packed, _ = _numbers(detector.network, detector.parameters, DETECTOR_BITS)
        data["detector"] = _description(detector, packed)
        notes.append("A second small network tells digits from other drawings.")
    if model.classes == DIGITS:
        line = bundled_model(LINE_MODEL)
        packed, _ = _numbers(line.network, line.parameters, LINE_BITS)
        data["line"] = _description(line, packed)
        notes.append("Another network reads numbers of several digits.")
    if earlier := [(n, array) for n, array in kept if not np.array_equal(array, model.parameters)]:
        replay = _replay(model, parameters, earlier, history, room, images)
        if replay:
            data["replay"] = replay
            notes.append(
                f"The epochs of the replay are kept with {replay['bits']} bits for each weight's "
                f"difference to the finished network; {format_percent(replay['agreement'], 1)} of "
                "the images are read as they were then."
            )
        else:
            notes.append("There is no replay: the epochs of this network are too large for a page.")
    return DrawingPart(resource("draw.html"), data, tuple(notes))


def page_script() -> str:
    """The script of a page with a `DrawingPart`."""
    functions = ", ".join(
        f'"{a.name}": (z) => {a.javascript}' for a in ACTIVATIONS.values() if a.javascript
    )
    first, *rest = map(resource, (*_SCRIPTS, "theme.js"))
    return "\n".join((first, f"const ACTIVATIONS = {{ {functions} }};", *rest))


# -- numbers ---------------------------------------------------------------------------------------


def _description(model: Model, numbers: JsonObject) -> JsonObject:
    """The network as resources/page/network.js reads it."""
    network = model.network
    layers = []
    for index, layer in enumerate(network.layers):
        weights = network.weight_shapes[index]
        count = 0
        rest = 0
        if weights:
            count = int(np.prod(weights))
            rest = 3 * weights[-1] if layer.has_statistics else weights[-1]
        layers.append(
            {
                **(layer.page_fields(network.shapes[index]) or {}),
                "title": f"layer {index + 1}, {layer.text}",
                "activation": model.activations[index],
                "shape": network.shapes[index + 1],
                "weights": count,
                "rest": rest,
            }
        )
    output = "softmax" if model.loss in ("cross-entropy", "ctc") else "shares"
    return {
        "input": network.input_shape,
        "layers": layers,
        "output": output,
        "temperature": model.temperature,
        "numbers": numbers,
    }


def _packed(model: Model, images: np.ndarray | None) -> tuple[JsonObject, np.ndarray, int]:
    """The numbers of the model with as few bits as no answer changes; the parameters that they
    give; the bits.
    """
    if images is not None:
        engine = Engine(model)
        try:
            right = engine.predict(images)
            # Those with the least distance between the two best classes change first.
            order = np.argsort(np.diff(np.partition(right, -2, axis=1)[:, -2:], axis=1)[:, 0])
            few = order[:_FEW]
            hopeless = 0
            for bits, trial in itertools.product(_BITS, range(_TRIALS)):
                if bits == hopeless:
                    continue
                numbers, parameters = _numbers(model.network, model.parameters, bits, trial=trial)
                engine.use(replace(model, parameters=parameters))
                found = engine.predict(images[few])
                if np.abs(right[few] - found).max() > 2 * CLOSE:
                    hopeless = bits  # another scale would not help
                elif _same(right[few], found) and _same(right, engine.predict(images)):
                    return numbers, parameters, bits
        finally:
            engine.close()
    numbers, parameters = _numbers(model.network, model.parameters, 32)
    return numbers, parameters, 32


def _same(right: np.ndarray, found: np.ndarray) -> bool:
    """Whether all answers are the same, and all probabilities close."""
    return bool((right.argmax(1) == found.argmax(1)).all() and np.abs(right - found).max() <= CLOSE)


def _numbers(
    network: Network,
    parameters: np.ndarray,
    bits: int,
    base: np.ndarray | None = None,
    trial: int = 0,
) -> tuple[JsonObject, np.ndarray]:
    """The parameters as texts of base64, and as they are read back from these. `base`: the weights
    are added to it.

    packed: the weights, each layer from a whole byte on; scales: float32, one for each output;
    rest: float32, biases and running statistics. `trial`: makes the scales so many levels larger.
    """
    restored = parameters.copy()
    packed = []
    scales = []
    rest = []
    based = views(network, base) if base is not None else [None] * len(network.layers)
    # As many levels below 0 as above: one of the 2^b numbers is not used.
    zero = (1 << bits - 1) - 1
    for layer, start in zip(views(network, restored), based, strict=True):
        if layer is None:
            continue
        others = (layer.biases, layer.means, layer.variances)
        rest += [array.tobytes() for array in others if array is not None]
        if bits == 32:
            packed.append(layer.weights.tobytes())
            continue
        wanted = layer.weights - start.weights if start is not None else layer.weights
        flat = wanted.reshape(-1, wanted.shape[-1])
        scale = (np.abs(flat).max(axis=0) / (zero - 1 - trial)).astype(np.float32)
        # Weights of an output that are all 0 would be divided by 0.
        levels = flat / np.where(scale > 0, scale, 1)
        if not packed:
            # Neighboring pixels are alike: the error of one is made good by the next (error
            # diffusion).
            levels = np.diff(
                np.rint(np.cumsum(levels, axis=0, dtype=np.float64)), axis=0, prepend=0
            )
        levels = np.clip(np.rint(levels), -zero, zero).astype(np.float32)
        layer.weights[...] = (levels * scale).reshape(wanted.shape)
        if start is not None:
            layer.weights[...] += start.weights
        scales.append(scale.tobytes())
        # Big-endian on each machine: the script reads the highest bit first.
        pairs = (levels + zero).astype(">u2").reshape(-1, 1).view(np.uint8)
        packed.append(np.packbits(np.unpackbits(pairs, axis=1)[:, 16 - bits :]).tobytes())
    texts = {"packed": packed, "scales": scales, "rest": rest}
    return {
        "bits": bits,
        **{name: base64.b64encode(b"".join(parts)).decode() for name, parts in texts.items()},
    }, restored


def _replay(
    model: Model,
    final: np.ndarray,
    kept: Sequence[tuple[int, np.ndarray]],
    history: Sequence[Epoch],
    room: int,
    images: np.ndarray | None,
) -> JsonObject | None:
    """The epochs of the replay, evenly chosen, as many as `room` bytes hold; None where that is
    none.
    """
    # The epoch in the middle stands for all: to try each would take long.
    bits, agreement = _replay_bits(model, final, kept[len(kept) // 2][1], images)
    # All epochs take the same number of bytes.
    size = len(str(_numbers(model.network, kept[0][1], bits, final)[0]))
    count = min(len(kept), MAX_EPOCHS, room // size)
    if count < 1:
        return None
    scores = {epoch.epoch: epoch.test_score for epoch in history}
    epochs = []
    for place in np.unique(np.linspace(0, len(kept) - 1, count).round().astype(int)).tolist():
        number, parameters = kept[place]
        score = scores.get(number)
        numbers, _ = _numbers(model.network, parameters, bits, final)
        title = f"after epoch {number}" + (
            f": {format_percent(score)} of the test images right" if score is not None else ""
        )
        epochs.append({"title": title, **numbers})
    title = "the finished network" + (
        f": {format_percent(model.test_score)} of the test images right"
        if model.test_score is not None
        else ""
    )
    return {"bits": bits, "agreement": agreement, "title": title, "epochs": epochs}


def _replay_bits(
    model: Model, final: np.ndarray, parameters: np.ndarray, images: np.ndarray | None
) -> tuple[int, float]:
    """The fewest bits with which enough images are read as with `parameters`, and the share of
    these.
    """
    if images is None:
        return _REPLAY_BITS[-1], 1.0
    engine = Engine(replace(model, parameters=parameters))
    agreement = 0.0
    try:
        right = engine.predict(images[:_FEW]).argmax(axis=1)
        for bits in _REPLAY_BITS:
            _, restored = _numbers(model.network, parameters, bits, final)
            engine.use(replace(model, parameters=restored))
            agreement = float((engine.predict(images[:_FEW]).argmax(axis=1) == right).mean())
            if agreement >= _AGREE:
                break
    finally:
        engine.close()
    return bits, agreement
