"""Reads PyTorch state dictionaries that were saved as safetensors: named arrays, without the
network's structure.
"""

import re
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path

import numpy as np

from core.data.dataset import Kind
from core.errors import InputError
from core.files.input_file import check_input
from core.files.tensors import TensorFile, open_tensors
from core.importing.building import MAX_BYTES, Imported, image_shape, torch_shape
from core.inference.model_file import FORMAT
from core.network.layers.convolution import Convolution
from core.network.network import Network
from core.network.notation import parse
from core.network.parameters import Arrays

# Arrays of a batch normalization beside weight and bias; the last counts batches and is not read.
_STATISTICS = ("running_mean", "running_var", "num_batches_tracked")
_KIND = "a state dictionary that was saved as safetensors"
_UNKNOWN = (
    "{path}: the layer “{layer}” ({what}) is none of the network; only dense layers, "
    "convolutions and batch normalizations have parameters here."
)


def read_state_dict(path: Path, notation: str, activation: str) -> Imported:
    """The layers of `notation` with the file's arrays, and `activation` in its hidden layers.

    Without a notation all arrays must be of dense layers and batch normalizations. Each pair
    `NAME.weight`, `NAME.bias` is one layer, with `NAME.running_mean` and `NAME.running_var` a batch
    normalization; names are in their natural order, 2 before 10, among the layers of one shape. A
    dense layer or convolution without `NAME.bias` gets biases of zero.
    """
    check_input(path, MAX_BYTES, _KIND)
    with open_tensors(path) as file:
        if file.texts.get("format") == FORMAT:
            raise InputError("{path} is a model of this program already: open it.", path=path)
        names = _layer_names(file)
        if not notation:
            names = _chained(file, names)
            shapes = [file.shapes[f"{name}.weight"] for name in names]
            notation = "-".join(f"{shape[0]}N" if len(shape) == 2 else "BN" for shape in shapes)
            inputs = shapes[0][-1]
            outputs = shapes[-1][0]
        else:
            inputs, outputs = _ends(file, names, notation)
        network = parse(notation, image_shape(inputs), outputs)
        arrays = _arrays(file, network, names)
    layers = tuple(
        layer
        if layer.activation or not layer.has_activation() or layer is network.layers[-1]
        else replace(layer, activation=name)  # type: ignore[type-var]
        for layer, name in zip(network.layers, network.hidden_activations(activation), strict=True)
    )
    # A state dictionary does not say what it learned; one output alone can be no classes.
    kind: Kind = "classes" if network.outputs > 1 else "regression"
    loss = "cross-entropy" if network.outputs > 1 else "squared-error"
    return Imported(network.input_shape, layers, arrays, loss, kind)


def assumption(network: Network) -> InputError | None:
    """The strides and zeros around the convolutions that the notation says, and no state dictionary
    could contradict.

    None without convolutions. Only the user knows whether they are right: with others the answers
    differ.
    """
    parts = [
        f"{layer.text} has stride {layer.stride} and {_zeros(layer.zeros_around(shape))}"
        for layer, shape in zip(network.layers, network.shapes[:-1], strict=True)
        if isinstance(layer, Convolution)
    ]
    if not parts:
        return None
    return InputError(
        "The file has no strides and no padding. As the network is named, {parts}. If the network "
        "was trained with others, such as 6C5:valid or 6C5:s2, its answers are wrong.",
        parts=parts,
    )


def _zeros(around: tuple[int, int, int, int]) -> str:
    """The zeros above, left, below and right in words."""
    top, left, bottom, right = around
    if not any(around):
        return "no padding"
    if (top, left) == (bottom, right) and top == left:
        return f"padding={top}"
    return (
        f"{top} above / {bottom} below / {left} left / {right} right of zeros, which no nn.Conv2d "
        "has"
    )


def _layer_names(file: TensorFile) -> list[str]:
    """The names of the layers in natural order. Raises InputError, naming the first array that is
    of none.
    """
    names = {name.removesuffix(".weight") for name in file.shapes if name.endswith(".weight")}
    normalizations = {
        name for name in names if all(f"{name}.{part}" in file.shapes for part in _STATISTICS[:2])
    }
    for name, shape in file.shapes.items():
        layer, _, part = name.rpartition(".")
        known = _STATISTICS if layer in normalizations else ()
        dimensions = (1,) if layer in normalizations else (2, 4)
        if (
            part not in ("weight", "bias", *known)
            or layer not in names
            or (part == "weight" and len(shape) not in dimensions)
        ):
            raise InputError(_UNKNOWN, path=file.path, layer=layer or name, what=f"array {name}")
        if part == "weight" and layer in normalizations and f"{layer}.bias" not in file.shapes:
            raise InputError(
                "{path}: the batch normalization “{layer}” has a weight and no bias: give it one "
                "of zeros.",
                path=file.path,
                layer=layer,
            )
    if not names:
        raise InputError("{path} holds no layers: choose {kind}.", path=file.path, kind=_KIND)
    # safetensors keeps no order of the arrays.
    return sorted(names, key=_natural)


def _natural(name: str) -> list[tuple[int, str]]:
    """Numbers compare by their digits, since a name may have more of them than Python converts to
    an integer.
    """
    parts = ((part.lstrip("0"), part) for part in re.split(r"([0-9]+)", name))
    return [
        (len(digits), digits) if part.isascii() and part.isdecimal() else (-1, part)
        for digits, part in parts
    ]


def _chained(file: TensorFile, names: list[str]) -> list[str]:
    """`names`, where no layer is a convolution and each takes the outputs of the one before. Raises
    InputError.
    """
    for name in names:
        if len(file.shapes[f"{name}.weight"]) == 4:
            raise InputError(
                "{path}: the layer “{layer}” is a convolution, and a state dictionary does not "
                "tell the pooling and strides between layers: name the network, for example "
                "6C5-MP2-16C5:valid-MP2-120N-84N-10N.",
                path=file.path,
                layer=name,
            )
    for before, after in pairwise(names):
        outputs = file.shapes[f"{before}.weight"][0]
        inputs = file.shapes[f"{after}.weight"][-1]
        if outputs != inputs:
            raise InputError(
                "{path}: “{after}” takes {inputs} inputs, and “{before}” before it gives "
                "{outputs}: name the network.",
                path=file.path,
                after=after,
                before=before,
                inputs=inputs,
                outputs=outputs,
            )
    return names


def _ends(file: TensorFile, names: list[str], notation: str) -> tuple[int, int]:
    """The numbers of inputs and outputs: 784 inputs where there is a convolution."""
    shapes = [file.shapes[f"{name}.weight"] for name in names]
    dense = [shape for shape in shapes if len(shape) == 2]
    if any(len(shape) == 4 for shape in shapes) or not dense:
        # Without a dense layer in the file only the notation says the number of outputs.
        last = re.search(r"(\d+)N?(?::[a-z-]+)?\s*$", notation, re.I)
        return 784, int(last[1]) if last and len(last[1]) < 10 else 10
    return dense[0][1], dense[-1][0]


def _arrays(file: TensorFile, network: Network, names: list[str]) -> tuple[Arrays, ...]:
    """Weights and biases of each layer of the network: the first ones left in `names` that have the
    shape.
    """
    left = list(names)
    arrays = []
    for layer, shape in zip(network.layers, network.weight_shapes, strict=True):
        if shape is None:
            continue
        wanted = torch_shape(shape)
        # By their shapes: the file has names, and does not say the order of unlike layers.
        name = next((name for name in left if file.shapes[f"{name}.weight"] == wanted), None)
        if name is None:
            raise InputError(
                "{path} has no weights of shape {shape} for the layer {layer}; it has {found}: "
                "correct the network.",
                path=file.path,
                shape=wanted,
                layer=layer.text,
                found=", ".join(f"{n} {file.shapes[f'{n}.weight']}" for n in left) or "none left",
            )
        left.remove(name)
        statistics = _STATISTICS[:2] if layer.has_statistics else ()
        shapes = {"weight": wanted, **dict.fromkeys(("bias", *statistics), wanted[:1])}
        arrays.append(
            tuple(
                np.array(file.array(f"{name}.{part}", size))
                if f"{name}.{part}" in file.shapes
                else np.zeros(size, np.float32)  # biases, since `_layer_names` has found the others
                for part, size in shapes.items()
            )
        )
    if left:
        what = f"{prod(file.shapes[f'{left[0]}.weight']):,} weights"
        raise InputError(_UNKNOWN, path=file.path, layer=left[0], what=what)
    return tuple(arrays)
