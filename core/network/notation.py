"""The short form of networks, as text and back: `784-512-10`, `32C5-MP2-64C5-MP2-512N-10N`.

Layers are joined by `-`: `512` or `512N` dense, `32C5` convolution, `MP2` max pooling, `D50` dropout. Marks
follow a colon: an activation on a dense layer or a convolution; `valid` and `s2` on a convolution. A text of
plain numbers is whole if it runs from the data's input size to its output size, else it names the hidden
layers; any other text is whole but for its input, which may stand first as a bare number.
"""

import re
from math import prod

from core.errors import InputError
from core.network.layers import Convolution, Dense, Dropout, Layer, MaxPool, Shape
from core.network.network import Network
from core.network.size_check import check_fits
from kernels.activations import NAMES as ACTIVATIONS

_PART = re.compile(
    r"(?:(?P<dense>\d+)N?|(?P<maps>\d+)C(?P<size>\d+)|MP(?P<pool>\d+)|D(?P<drop>\d+))$", re.I | re.A
)

_LONGEST = 1000
# Of a number: no machine's memory has as many bytes.
_MOST_DIGITS = 15

# Some activations have a dash in their name (`leaky-relu`): it joins no layers.
_INNER = sorted({piece for name in ACTIVATIONS for piece in name.split("-")[1:]})
_JOINT = re.compile("-(?!" + "|".join(_INNER) + ")", re.I)


class NotationError(InputError):
    """A refusal that knows where in the text it is: `start` and `end`, as character positions."""

    def __init__(self, template: str, start: int, end: int, **values: object) -> None:
        super().__init__(template, setting="network", **values)
        self.start, self.end = start, end


def parse(text: str, input_shape: Shape, outputs: int) -> Network:
    """The network that `text` describes for inputs of `input_shape` and `outputs` answers, or an InputError."""
    gap = re.search(r"\d\s+(?=\d)", text)
    if gap:
        place = len("".join(text[: gap.start()].split()))
        raise NotationError(
            "Two numbers with only a space between them at character {at}: join layers by dashes, as in 784-128-10.",
            place, place + 2, at=gap.start() + 1,
        )  # fmt: skip
    stripped = "".join(text.split())
    if not stripped:
        raise NotationError("The network is empty: write its layers, for example 784-128-10.", 0, len(text))
    if len(stripped) > _LONGEST:
        raise NotationError(
            "The network's text has {count:,} characters: write at most {most}.", _LONGEST, len(text),
            count=len(stripped), most=_LONGEST,
        )  # fmt: skip
    long = re.search(rf"\d{{{_MOST_DIGITS + 1},}}", stripped)
    if long:
        raise NotationError(
            "The number at character {at} has {count} digits: no machine holds so large a layer.",
            long.start(), long.end(), at=long.start() + 1, count=len(long[0]),
        )  # fmt: skip
    parts = _split(stripped)
    inputs = prod(input_shape)
    if re.fullmatch("[0-9-]+", stripped):
        sizes = [int(part) for _, part in parts]
        _check_units(parts)
        if len(sizes) > 1 and sizes[0] == inputs and sizes[-1] == outputs:
            sizes = sizes[1:]
        else:
            sizes.append(outputs)
        layers: list[Layer] = [Dense(units) for units in sizes]
    else:
        if len(parts) > 1 and parts[0][1] == str(inputs):
            parts = parts[1:]
        layers = [_layer(start, part) for start, part in parts]
        _check_last(layers[-1], parts[-1], outputs)
    try:
        network = Network(tuple(input_shape), tuple(layers))
    except InputError as error:
        raise _placed(error, input_shape, outputs, layers, parts) from None
    check_fits(network)
    return network


def refitted(text: str, before: tuple[Shape, int], now: tuple[Shape, int]) -> str:
    """`text` with the ends of a network for the data `before` made those for the data `now`.

    Both are (input shape, outputs). Only ends that are written out are changed: 2-128-1 becomes 784-128-10, where
    it would else be read as three hidden layers; 128 fits all data as it is.
    """
    parts = text.split("-")
    plain = re.fullmatch("[0-9-]+", text) is not None
    whole = (parts[0], parts[-1]) == (str(prod(before[0])), str(before[1]))
    if len(parts) < 2 or (plain and not whole):
        return text
    if parts[0] == str(prod(before[0])):
        parts[0] = str(prod(now[0]))
    last = re.fullmatch(rf"{before[1]}(N?(?::.*)?)", parts[-1], re.I | re.A)
    if last:
        parts[-1] = f"{now[1]}{last[1]}"
    return "-".join(parts)


def _split(text: str) -> list[tuple[int, str]]:
    """(position, part) of each layer's text."""
    parts, start = [], 0
    for part in _JOINT.split(text):
        if not part:
            where = min(start, len(text) - 1)
            if start == 0:
                raise NotationError(
                    "The network {text} begins with a minus sign: layer sizes are positive numbers, "
                    "as in 784-128-10.", 0, 1, text=text,
                )  # fmt: skip
            raise NotationError(
                "There is a layer missing at character {at} of {text}: write one number between two dashes.",
                where, where + 1, at=start + 1, text=text,
            )  # fmt: skip
        parts.append((start, part))
        start += len(part) + 1
    return parts


def _check_units(parts: list[tuple[int, str]]) -> None:
    for start, part in parts:
        if int(part) == 0:
            raise NotationError(
                "A layer of 0 units at character {at} passes nothing on: give it at least 1.",
                start, start + len(part), at=start + 1,
            )  # fmt: skip


def _layer(start: int, part: str) -> Layer:
    head, *marks = part.split(":")
    match = _PART.match(head)
    end = start + len(part)
    if not match:
        raise NotationError(
            "“{part}” at character {at} is no layer: write 512 (dense), 32C5 (convolution), MP2 (pooling) "
            "or D50 (dropout).", start, end, part=part, at=start + 1,
        )  # fmt: skip
    numbers = {name: int(value) for name, value in match.groupdict().items() if value is not None}
    if 0 in numbers.values():
        raise NotationError(
            "“{part}” at character {at} has a 0: every number in a layer is at least 1.",
            start, end, part=part, at=start + 1,
        )  # fmt: skip
    if "dense" in numbers:
        return Dense(numbers["dense"], **_marks(marks, start, part, ()))
    if "maps" in numbers:
        if numbers["size"] % 2 == 0 or numbers["size"] > 11:
            raise NotationError(
                "{part}: a kernel of size {size} is not offered: choose 1, 3, 5, 7, 9 or 11.",
                start, end, part=part, size=numbers["size"],
            )  # fmt: skip
        return Convolution(
            numbers["maps"], numbers["size"], **_marks(marks, start, part, ("valid", "s1", "s2"))
        )
    _marks(marks, start, part, None)
    if "pool" in numbers:
        if numbers["pool"] not in (2, 3):
            raise NotationError(
                "{part}: pooling of size {size} is not offered: choose MP2 or MP3.",
                start, end, part=part, size=numbers["pool"],
            )  # fmt: skip
        return MaxPool(numbers["pool"])
    if numbers["drop"] > 95:
        raise NotationError(
            "{part}: dropping {percent} % leaves too little: choose D1 to D95.",
            start, end, part=part, percent=numbers["drop"],
        )  # fmt: skip
    return Dropout(numbers["drop"])


def _marks(marks: list[str], start: int, part: str, extra: tuple[str, ...] | None) -> dict:
    """Keyword arguments from a layer's marks; `extra` names those allowed beside activations, None: none."""
    found: dict[str, object] = {}
    for mark in marks:
        name = mark.lower()
        if extra is not None and name in ACTIVATIONS:
            found["activation"] = name
        elif extra and name == "valid" and name in extra:
            found["padding"] = "valid"
        elif extra and name in extra:
            found["stride"] = int(name[1:])
        else:
            allowed = (*ACTIVATIONS, *extra) if extra is not None else ()
            raise NotationError(
                "{part}: the mark “{mark}” is not known here; {allowed}.",
                start, start + len(part), part=part, mark=mark,
                allowed="use one of " + ", ".join(allowed) if allowed else "this layer takes no marks",
            )  # fmt: skip
    return found


def _check_last(last: Layer, part: tuple[int, str], outputs: int) -> None:
    if not isinstance(last, Dense) or last.units != outputs:
        raise NotationError(
            "The last layer, {part}, must be dense with {outputs} units, one for each output of the data: "
            "end with {outputs}N.", part[0], part[0] + len(part[1]), part=part[1], outputs=outputs,
        )  # fmt: skip


def _placed(
    error: InputError, input_shape: Shape, outputs: int, layers: list[Layer], parts: list[tuple[int, str]]
) -> NotationError:
    """The refusal of a layer that does not fit, with the place of that layer in the text."""
    shape = tuple(input_shape)
    for at, (layer, (start, part)) in enumerate(zip(layers, parts, strict=True)):
        try:
            shape = layer.output_shape(shape)
        except InputError:
            if len(input_shape) != 3 and not any(isinstance(before, Dense) for before in layers[:at]):
                return NotationError(
                    "{part} needs images, but these data are {inputs} plain numbers each: write dense layers, as "
                    "in {inputs}-128-{outputs}.", start, start + len(part),
                    part=part, inputs=prod(input_shape), outputs=outputs,
                )  # fmt: skip
            return NotationError(error.template, start, start + len(part), **error.values)
    start, part = parts[-1]
    return NotationError(error.template, start, start + len(part), **error.values)
