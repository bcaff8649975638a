"""Reads networks that other programs have saved: ONNX files, and PyTorch state dictionaries as
safetensors.
"""

from pathlib import Path

import numpy as np

from core.errors import InputError
from core.files.tensors import open_tensors
from core.inference.model_file import MODEL_SUFFIX, Model, load_model

ONNX_SUFFIX = ".onnx"
KERAS_SUFFIXES = (".keras", ".h5", ".hdf5")
"""Of files that are not read: importing one says how it becomes ONNX."""


def import_model(
    path: str | Path,
    network: str = "",
    activation: str = "relu",
    pixels: tuple[float, float] | None = None,
) -> Model:
    """The model in an ONNX file, or in a safetensors file with a PyTorch state dictionary.

    `network`, its notation, and `activation`, of its hidden layers, are for a state dictionary,
    which has neither. `pixels`: the mean and the deviation by which the pixels, from 0 to 1, were
    normalized before the network. Raises InputError, naming the layer, where a layer is none of
    this program's. Nothing in the file is executed.
    """
    # The readers import the exporters; the window needs neither to start.
    from core.importing.building import build_model, with_normalized_pixels
    from core.importing.onnx_file import read_onnx
    from core.importing.state_dict import read_state_dict

    path = Path(path)
    if path.suffix.lower() in KERAS_SUFFIXES:
        raise InputError(
            "{path} is a network of Keras, which is imported by way of ONNX: write "
            'model.export("{name}.onnx", format="onnx") in Keras 3, or run '
            "python -m tf2onnx.convert --keras {file} --output {name}.onnx, and open that file.",
            path=path,
            name=path.stem,
            file=path.name,
        )
    # 64-bit weights may become infinite, which `build_model` refuses.
    with np.errstate(over="ignore"):
        if path.suffix.lower() == ONNX_SUFFIX:
            imported = read_onnx(path)
        else:
            imported = read_state_dict(path, network, activation)
        if pixels is not None:
            imported = with_normalized_pixels(imported, *pixels)
        return build_model(path, imported)


def open_model(path: str | Path) -> Model:
    """The model in a file of this program, or in an ONNX file. Raises InputError."""
    if Path(path).suffix.lower() in (ONNX_SUFFIX, *KERAS_SUFFIXES):
        return import_model(path)
    return load_model(path)


def mean_and_deviation(text: str) -> tuple[float, float]:
    """The two numbers of a text such as `0.1307, 0.3081`. Raises InputError."""
    try:
        mean, deviation = map(float, text.split(","))
    except ValueError:
        raise InputError(
            "“{text}” is no mean and deviation of pixels: give two numbers such as 0.1307, 0.3081.",
            text=text,
        ) from None
    return mean, deviation


def is_of_other_program(path: Path) -> bool:
    """Whether `path` is a file that `import_model` reads. Of a safetensors file its head is
    read.
    """
    if path.suffix.lower() in (ONNX_SUFFIX, *KERAS_SUFFIXES):
        return True
    if path.suffix.lower() != MODEL_SUFFIX:
        return False
    try:
        # Files of this program have the suffix as well: only the head tells them apart.
        with open_tensors(path) as file:
            return file.texts.get("format") in (None, "pt")  # what PyTorch and its libraries write
    except InputError:
        return False


def import_note(path: str | Path, model: Model) -> InputError | None:
    """What was assumed when `model` was read from `path`: to be asked about before it is used. None
    for nothing.
    """
    from core.importing.state_dict import assumption

    # An ONNX file says its strides and padding itself.
    if Path(path).suffix.lower() == ONNX_SUFFIX:
        return None
    return assumption(model.network)
