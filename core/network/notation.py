"""The short form of networks, as text and back: `784-512-10`, `32C5-MP2-64C5-MP2-512N-10N`.

The notation of Ciresan et al. (2012). Layers are joined by `-`: `512` or `512N` dense, `32C5`
convolution, `MP2` max pooling, `AP2` average pooling, `D50` dropout. Options follow a colon: an
activation on a dense layer or a convolution; `valid` and `s2` on a convolution. A text of plain
numbers describes the complete network if it begins with the input size and ends with the output
size of the data; otherwise it lists the hidden layers. Any other text is complete but for its
input, which may come first as a bare number.
"""

import re
from math import prod
from typing import Any

from core.errors import InputError
from core.network.layers import KINDS, Layer, Shape
from core.network.layers.dense import Dense
from core.network.network import Network, check_fits
from kernels.activations import NAMES as ACTIVATIONS
from kernels.device import Size, sides

_MAX_LENGTH = 1000
# A layer of 10^15 units fits into no machine's memory.
_MAX_DIGITS = 15

# Some activations have a dash in their name (`leaky-relu`), which does not separate layers.
_INNER = sorted({part for name in ACTIVATIONS for part in name.split("-")[1:]})
_SEPARATOR = re.compile("-(?!" + "|".join(_INNER) + ")", re.I)


class NotationError(InputError):
    """An InputError about the part of the text from character `start` up to `end`, counted from 0
    without spaces.
    """

    def __init__(self, template: str, start: int, end: int, **values: object) -> None:
        super().__init__(template, setting="network", **values)
        self.start = start
        self.end = end


def parse(text: str, input_shape: Shape, outputs: int, *, by_column: bool = False) -> Network:
    """The network that `text` describes, for inputs of `input_shape` and `outputs` output units.

    `by_column`: the outputs are those of each column; the last layer is then a convolution.
    Raises NotationError where the text is wrong, InputError where the network is too large for this
    machine.

    >>> parse("32C5-MP2-64", (28, 28, 1), 10).shapes
    Traceback (most recent call last):
    core.network.notation.NotationError: The last layer, 64, must be dense with 10 units, ...
    >>> parse("32C5-MP2-64-10", (28, 28, 1), 10).shapes
    ((28, 28, 1), (28, 28, 32), (14, 14, 32), (64,), (10,))
    """
    stripped = _checked(text)
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
        # The input may come first as a bare number.
        if len(parts) > 1 and parts[0][1] == str(inputs):
            parts = parts[1:]
        layers = [_layer(start, part) for start, part in parts]
        _check_last(layers[-1], parts[-1], outputs, by_column)
    try:
        network = Network(tuple(input_shape), tuple(layers))
    except InputError as error:
        raise _located(error, input_shape, outputs, layers, parts) from None
    check_fits(network)
    return network


def _checked(text: str) -> str:
    """The text without spaces. Raises NotationError where it is empty, or too long to be read."""
    # Spaces are removed below: 128 10 would become 12810.
    gap = re.search(r"\d\s+(?=\d)", text)
    if gap:
        start = len("".join(text[: gap.start()].split()))
        raise NotationError(
            "Two numbers with only a space between them at character {at}: join layers by dashes, "
            "as in 784-128-10.",
            start,
            start + 2,
            at=gap.start() + 1,
        )
    stripped = "".join(text.split())
    if not stripped:
        raise NotationError(
            "The network is empty: write its layers, for example 784-128-10.", 0, len(text)
        )
    # Before any regular expression of a layer sees it.
    if len(stripped) > _MAX_LENGTH:
        raise NotationError(
            "The network's text has {count:,} characters: write at most {maximum}.",
            _MAX_LENGTH,
            len(text),
            count=len(stripped),
            maximum=_MAX_LENGTH,
        )
    long = re.search(rf"\d{{{_MAX_DIGITS + 1},}}", stripped)
    if long:
        raise NotationError(
            "The number at character {at} has {count} digits: no machine holds so large a layer.",
            long.start(),
            long.end(),
            at=long.start() + 1,
            count=len(long[0]),
        )
    return stripped


def parse_typed(text: str, input_shape: Shape, outputs: int) -> Network:
    """The network that a person has typed, as `parse` reads it.

    Raises NotationError, too, for numbers that begin with the input but do not end with the
    outputs: 784-10-5 would be read as three hidden layers, which nobody means.
    """
    network = parse(text, input_shape, outputs)
    stripped = "".join(text.split())
    if hidden_layers_note(text, network) and stripped.startswith(f"{prod(input_shape)}-"):
        raise NotationError(
            "The last layer must have {outputs} units, one for each output of the data: end with "
            "{outputs}.",
            stripped.rfind("-") + 1,
            len(stripped),
            outputs=outputs,
        )
    return network


def refitted(text: str, before: tuple[Shape, int], after: tuple[Shape, int]) -> str:
    """`text`, written for the data `before`, with its first and last size changed to fit the data
    `after`.

    Both are (input shape, outputs). Only sizes that the text contains are changed: 2-128-1 becomes
    784-128-10, which would otherwise be read as three hidden layers; 128 fits all data.
    """
    parts = text.split("-")
    plain = re.fullmatch("[0-9-]+", text) is not None
    complete = (parts[0], parts[-1]) == (str(prod(before[0])), str(before[1]))
    if len(parts) < 2 or (plain and not complete):
        return text
    if parts[0] == str(prod(before[0])):
        parts[0] = str(prod(after[0]))
    last = re.fullmatch(rf"{before[1]}(N?(?::.*)?)", parts[-1], re.I | re.A)
    if last:
        parts[-1] = f"{after[1]}{last[1]}"
    return "-".join(parts)


def with_hidden_units(text: str, units: int) -> str:
    """`text`, a network from its first to its last layer, with this many units in each hidden dense
    layer.

    A bare number at the begin is the input. Raises InputError for a text without such a layer.

    >>> with_hidden_units("784-128-D50-64-10", 32)
    '784-32-D50-32-10'
    """
    parts = [part for _, part in _split("".join(text.split()))]
    found = [re.fullmatch(r"\d+(N?(?::.*)?)", part, re.I | re.A) for part in parts[:-1]]
    if found and found[0] and not found[0][1]:
        found[0] = None  # the input
    if not any(found):
        raise NotationError(
            "{text} has no hidden dense layer whose units could be varied: write the whole "
            "network, as in 784-128-10.",
            0,
            len(text),
            text=text,
        )
    changed = [
        f"{units}{match[1]}" if match else part for match, part in zip(found, parts, strict=False)
    ]
    return "-".join([*changed, parts[-1]])


def hidden_layers_note(text: str, network: Network) -> InputError | None:
    """A note for a text of plain numbers that has only one of the data's two sizes; None where
    there is no doubt.

    `network` is the result of parsing `text`. For example 784-100-11 with 10 outputs lists three
    hidden layers, but was probably meant as a complete network. The note is not raised: the network
    can be trained.
    """
    sizes = "".join(text.split()).split("-")
    inputs = prod(network.input_shape)
    outputs = network.outputs
    first = sizes[0] == str(inputs)
    last = sizes[-1] == str(outputs)
    if len(sizes) < 2 or first == last or not all(size.isdecimal() for size in sizes):
        return None
    if first:
        return InputError(
            "Read as hidden layers: {text}. For a complete network, end it with {number}.",
            setting="network",
            text=network.text,
            number=outputs,
        )
    return InputError(
        "Read as hidden layers: {text}. For a complete network, begin it with {number}.",
        setting="network",
        text=network.text,
        number=inputs,
    )


def _split(text: str) -> list[tuple[int, str]]:
    """(position, part) of each layer's text."""
    parts = []
    start = 0
    for part in _SEPARATOR.split(text):
        if not part:
            position = min(start, len(text) - 1)
            if start == 0:
                raise NotationError(
                    "The network {text} begins with a minus sign: layer sizes are positive "
                    "numbers, as in 784-128-10.",
                    0,
                    1,
                    text=text,
                )
            raise NotationError(
                "There is a layer missing at character {at} of {text}: write one number between "
                "two dashes.",
                position,
                position + 1,
                at=start + 1,
                text=text,
            )
        parts.append((start, part))
        start += len(part) + 1
    return parts


def _check_units(parts: list[tuple[int, str]]) -> None:
    """Refuse a layer of 0 units in a text of plain numbers."""
    for start, part in parts:
        if int(part) == 0:
            raise NotationError(
                "A layer of 0 units at character {at} passes nothing on: give it at least 1.",
                start,
                start + len(part),
                at=start + 1,
            )


def _layer(start: int, part: str) -> Layer:
    """The layer of one part of the text, for example `32C5:tanh`; `start` is the part's
    position.
    """
    head, *options = part.split(":")
    end = start + len(part)
    kind, match = next(
        (
            (kind, match)
            for kind in KINDS
            if (match := re.fullmatch(kind.pattern, head, re.I | re.A))
        ),
        (None, None),
    )
    if kind is None or match is None:
        raise NotationError(
            "“{part}” at character {at} is no layer: write for example {examples}.",
            start,
            end,
            part=part,
            at=start + 1,
            examples=[f"{kind().text} ({kind.title.lower()})" for kind in KINDS],
        )
    values: dict[str, Any] = {name: _size(value) for name, value in match.groupdict().items()}
    if any(0 in sides(value) for value in values.values()):
        raise NotationError(
            "“{part}” at character {at} has a 0: every number in a layer is at least 1.",
            start,
            end,
            part=part,
            at=start + 1,
        )
    for option in options:
        if option.lower() not in kind.options:
            allowed = ", ".join(kind.options)
            raise NotationError(
                "{part}: the option “{option}” is not known here; {allowed}.",
                start,
                end,
                part=part,
                option=option,
                allowed=f"use one of {allowed}" if allowed else "this layer takes no options",
            )
        name, value = kind.options[option.lower()]
        values[name] = value
    try:
        return kind(**values)
    except InputError as error:
        raise NotationError(error.template, start, end, **error.values) from None


def _size(text: str) -> Size:
    """The number, or the two numbers of `3x5`; of two equal ones, one."""
    rows, _, columns = text.lower().partition("x")
    # So that 5 and 5x5 are equal layers.
    return int(rows) if columns in ("", rows) else (int(rows), int(columns))


def _check_last(last: Layer, part: tuple[int, str], outputs: int, by_column: bool) -> None:
    """Refuse a last layer that is not dense, or a convolution `by_column`, with `outputs` units."""
    # The number of outputs does not depend on the input, so that any image will do.
    shape = last.weight_shape((1, 1, 1)) if last.can_be_last else None
    if not shape or last.needs_image != by_column or shape[-1] != outputs:
        raise NotationError(
            "The last layer, {part}, must be dense with {outputs} units, one for each output of "
            "the data: end with {outputs}N.",
            part[0],
            part[0] + len(part[1]),
            part=part[1],
            outputs=outputs,
        )


def _located(
    error: InputError,
    input_shape: Shape,
    outputs: int,
    layers: list[Layer],
    parts: list[tuple[int, str]],
) -> NotationError:
    """The error of the first layer that does not fit its input, with the position of that layer in
    the text.
    """
    shape = tuple(input_shape)
    for layer, (start, part) in zip(layers, parts, strict=True):
        try:
            output_shape = layer.output_shape(shape)
        except InputError:
            if shape == tuple(input_shape) and len(shape) != 3:
                return NotationError(
                    "{part} needs images, but these data are {inputs} plain numbers each: write "
                    "dense layers, as in {inputs}-128-{outputs}.",
                    start,
                    start + len(part),
                    part=part,
                    inputs=prod(input_shape),
                    outputs=outputs,
                )
            return NotationError(error.template, start, start + len(part), **error.values)
        shape = output_shape
    # Every layer fits: the network ends with a wrong one.
    start, part = parts[-1]
    return NotationError(error.template, start, start + len(part), **error.values)
